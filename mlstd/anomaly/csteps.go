package anomaly

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Sizes of the subsets in which starts are computed, as in [RousseeuwVanDriessen1999].
const (
	partsFrom = 600 // more rows are parted
	partRows  = 300 // of a part, at least
	mostParts = 5
	bestKept  = 10
)

// located is the mean and covariance of a subset of rows.
type located struct {
	mean, cov []float64
	logDet    float64
}

// leastDeterminant searches for the h rows whose covariance has the smallest determinant. It
// returns nil if all covariances that it finds are singular.
func leastDeterminant(d *mat.Dense, h, starts int, seed uint64) *located {
	n, _ := d.Dims()
	if n <= partsFrom {
		return first(further(d, first10(begun(d, h, starts, seed, 0)), h, 100))
	}
	parts := min(mostParts, n/partRows)
	size := partRows
	if n < mostParts*partRows {
		size = n / parts
	}
	rows := model.Rand(seed, 1<<32).Perm(n)[:parts*size]
	share := float64(h) / float64(n)
	in := func(m int) int { return min(m, int(math.Ceil(share*float64(m)))) }
	var found []*located
	for p := range parts {
		part := pick.Rows(d, rows[p*size:(p+1)*size])
		found = append(found, first10(begun(part, in(size), max(1, starts/parts), seed, p*starts))...)
	}
	together := pick.Rows(d, rows)
	found = first10(further(together, found, in(parts*size), 2))
	return first(further(d, found, h, 100))
}

// first10 returns the ten candidates with the smallest determinants.
func first10(found []*located) []*located {
	found = slices.DeleteFunc(found, func(s *located) bool { return s == nil })
	slices.SortStableFunc(found, func(a, b *located) int { return cmp.Compare(a.logDet, b.logDet) })
	return found[:min(bestKept, len(found))]
}

func first(found []*located) *located {
	if found = first10(found); len(found) > 0 {
		return found[0]
	}
	return nil
}

// begun makes two C-steps from each of the random starts.
func begun(d *mat.Dense, h, starts int, seed uint64, stream int) []*located {
	n, cols := d.Dims()
	found := make([]*located, starts)
	par.Range(starts, 16, func(lo, hi int) {
		c := newStepper(d, h)
		for s := lo; s < hi; s++ {
			rng := model.Rand(seed, uint64(stream+s))
			mean, cov := moments(d, rng.Perm(n)[:min(n, cols+1)])
			// So few rows can lie in a plane by chance; adding a little of their variance helps.
			trace := 0.0
			for j := range cols {
				trace += cov[j*cols+j]
			}
			for j := range cols {
				cov[j*cols+j] += 1e-9 * trace / float64(cols)
			}
			found[s] = c.steps(&located{mean, cov, math.Inf(1)}, 2)
		}
	})
	return found
}

// further makes up to most C-steps from each candidate.
func further(d *mat.Dense, from []*located, h, most int) []*located {
	out := make([]*located, len(from))
	par.Range(len(from), 1, func(lo, hi int) {
		c := newStepper(d, h)
		for i := lo; i < hi; i++ {
			out[i] = c.steps(from[i], most)
		}
	})
	return out
}

// stepper makes C-steps in memory that it reuses.
type stepper struct {
	data       []float64
	n, cols, h int
	away, copy []float64 // squared distances of the rows, and in another order
	rows       []float64 // those of the subset, centered
	delta      []float64
}

func newStepper(d *mat.Dense, h int) *stepper {
	n, cols := d.Dims()
	return &stepper{d.RawMatrix().Data, n, cols, h, make([]float64, n), make([]float64, n), make([]float64, h*cols), make([]float64, cols)}
}

// steps makes up to most C-steps, until the determinant no longer falls. It returns nil if a
// covariance is singular.
func (c *stepper) steps(from *located, most int) *located {
	before := math.Inf(1)
	for range most {
		chol, _, err := factor("", from.cov, c.cols)
		if err != nil || singular(from.cov, chol, c.cols) {
			return nil
		}
		c.distances(from.mean, chol)
		from = c.nearest(from.mean)
		chol, logDet, err := factor("", from.cov, c.cols)
		if err != nil || singular(from.cov, chol, c.cols) {
			return nil
		}
		from.logDet = logDet
		if before-logDet < 1e-12 {
			break
		}
		before = logDet
	}
	return from
}

// distances computes the squared distances of all rows.
func (c *stepper) distances(mean, chol []float64) {
	cols, delta := c.cols, c.delta
	for i := range c.n {
		row := c.data[i*cols : (i+1)*cols]
		sum := 0.0
		for j, v := range row {
			v -= mean[j]
			l := chol[j*cols : j*cols+j+1]
			for k, u := range delta[:j] {
				v -= l[k] * u
			}
			v /= l[j]
			delta[j] = v
			sum += v * v
		}
		c.away[i] = sum
	}
}

// nearest returns mean and covariance of the h rows with the smallest distances; ties go to the
// first rows. about is a point near the rows.
func (c *stepper) nearest(about []float64) *located {
	cols := c.cols
	copy(c.copy, c.away)
	limit := smallest(c.copy, c.h-1)
	below := 0
	for _, v := range c.away {
		if v < limit {
			below++
		}
	}
	ties, filled := c.h-below, 0
	mean := make([]float64, cols)
	for i, v := range c.away {
		if v > limit || v == limit && ties == 0 {
			continue
		}
		if v == limit {
			ties--
		}
		to, row := c.rows[filled*cols:(filled+1)*cols], c.data[i*cols:(i+1)*cols]
		for j, u := range row {
			u -= about[j]
			to[j] = u
			mean[j] += u
		}
		filled++
	}
	for j := range mean {
		mean[j] /= float64(c.h)
	}
	for i := range c.h {
		to := c.rows[i*cols : (i+1)*cols]
		for j, m := range mean {
			to[j] -= m
		}
	}
	cov := make([]float64, cols*cols)
	linalg.AddGram(cov, cols, c.rows, c.h, cols, cols)
	for i := range cols {
		for j := i; j < cols; j++ {
			cov[i*cols+j] /= float64(c.h)
			cov[j*cols+i] = cov[i*cols+j]
		}
	}
	for j := range mean {
		mean[j] += about[j]
	}
	return &located{mean: mean, cov: cov}
}

// smallest returns the k-th smallest value, from 0, and changes the order of the list.
func smallest(v []float64, k int) float64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		pivot := median(v[lo], v[(lo+hi)/2], v[hi])
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}

func median(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// singular reports whether a pivot of the covariance is nothing but rounding.
func singular(cov, chol []float64, cols int) bool {
	for j := range cols {
		if chol[j*cols+j]*chol[j*cols+j] <= 1e-13*cov[j*cols+j] {
			return true
		}
	}
	return false
}
