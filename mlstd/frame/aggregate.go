package frame

import (
	"math"
	"math/bits"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// reduce returns width sums for each group. Each goroutine sums a piece of the rows with f; then
// the sums of the pieces are added in the order of the pieces.
func (g *grouping) reduce(width int, f func(lo, hi int, sum []float64)) []float64 {
	if g.n == 0 {
		return nil
	}
	pieces, size := g.pieces()
	all := make([]float64, pieces*width*g.n)
	par.Range(len(g.id), size, func(lo, hi int) { f(lo, hi, all[lo/size*width*g.n:][:width*g.n]) })
	sum := all[: width*g.n : width*g.n]
	for p := 1; p < pieces; p++ {
		for k, x := range all[p*width*g.n:][:width*g.n] {
			sum[k] += x
		}
	}
	return sum
}

// present counts the values of each group that are not missing.
func (g *grouping) present(c *Column) []int64 {
	out := make([]int64, g.n)
	for k, n := range g.counts() {
		out[k] = int64(n)
	}
	if c.gaps > 0 {
		for i, k := range g.id {
			if c.missing.has(i) {
				out[k]--
			}
		}
	}
	return out
}

// sums adds the numbers of each group.
func (g *grouping) sums(c *Column) []float64 {
	if c.kind == IntKind && c.gaps == 0 {
		return g.reduce(1, func(lo, hi int, sum []float64) {
			v := c.ints[lo:hi]
			for i, k := range g.id[lo:hi] {
				sum[k] += float64(v[i])
			}
		})
	}
	v := c.numbers()
	if c.gaps == 0 {
		return g.reduce(1, func(lo, hi int, sum []float64) {
			v := v[lo:hi]
			for i, k := range g.id[lo:hi] {
				sum[k] += v[i]
			}
		})
	}
	return g.reduce(1, func(lo, hi int, sum []float64) {
		v := v[lo:hi]
		for i, k := range g.id[lo:hi] {
			if x := v[i]; x == x {
				sum[k] += x
			}
		}
	})
}

// means returns the mean of each group, or NaN for a group without non-missing values.
func (g *grouping) means(c *Column) []float64 {
	mean := g.sums(c)
	for k, n := range g.present(c) {
		mean[k] /= float64(n)
	}
	return mean
}

// variances returns the variance of each group from the deviations from its mean.
func (g *grouping) variances(c *Column) []float64 {
	mean, v := g.means(c), c.numbers()
	sum := g.reduce(1, func(lo, hi int, sum []float64) {
		v := v[lo:hi]
		for i, k := range g.id[lo:hi] {
			if d := v[i] - mean[k]; d == d {
				sum[k] += d * d
			}
		}
	})
	for k, n := range g.present(c) {
		if n < 2 || math.IsInf(mean[k], 0) {
			sum[k] = math.NaN()
			continue
		}
		sum[k] /= float64(n - 1)
	}
	return sum
}

// correlations returns Pearson's correlation of each group.
func (g *grouping) correlations(a, b *Column) []float64 {
	x, y := a.numbers(), b.numbers()
	sums := g.reduce(3, func(lo, hi int, sum []float64) {
		x, y := x[lo:hi], y[lo:hi]
		for i, k := range g.id[lo:hi] {
			if p, q := x[i], y[i]; p == p && q == q {
				s := sum[3*k:][:3]
				s[0] += p
				s[1] += q
				s[2]++
			}
		}
	})
	for k := 0; k < len(sums); k += 3 {
		sums[k] /= sums[k+2]
		sums[k+1] /= sums[k+2]
	}
	squares := g.reduce(3, func(lo, hi int, sum []float64) {
		x, y := x[lo:hi], y[lo:hi]
		for i, k := range g.id[lo:hi] {
			p, q := x[i]-sums[3*k], y[i]-sums[3*k+1]
			if p == p && q == q {
				s := sum[3*k:][:3]
				s[0] += p * p
				s[1] += q * q
				s[2] += p * q
			}
		}
	})
	out := make([]float64, g.n)
	for k := range out {
		s := squares[3*k:][:3]
		out[k] = max(-1, min(1, s[2]/math.Sqrt(s[0]*s[1])))
		if s[0] == 0 || s[1] == 0 {
			out[k] = math.NaN()
		}
	}
	return out
}

// sumInts adds the integers of each group, and panics if a sum overflows.
func (g *grouping) sumInts(c *Column) []int64 {
	out := make([]int64, g.n)
	if g.n == 0 {
		return out
	}
	v := c.ints // 0 where missing
	if c.kind == BoolKind {
		v = make([]int64, c.n)
		for i, b := range c.bools {
			if b {
				v[i] = 1
			}
		}
	}
	pieces, size := g.pieces()
	all := make([]int64, pieces*g.n)
	over := make([]int64, pieces+1) // negative where an intermediate sum overflowed
	par.Range(len(g.id), size, func(lo, hi int) {
		sum, v, o := all[lo/size*g.n:][:g.n], v[lo:hi], int64(0)
		for i, k := range g.id[lo:hi] {
			s, x := sum[k], v[i]
			r := s + x
			o |= (s ^ r) & (x ^ r)
			sum[k] = r
		}
		over[lo/size] = o
	})
	for p := range pieces {
		for k, x := range all[p*g.n:][:g.n] {
			r := out[k] + x
			over[pieces] |= (out[k] ^ r) & (x ^ r)
			out[k] = r
		}
	}
	if slices.Min(over) < 0 {
		g.sumWide(c, v, out)
	}
	return out
}

// sumWide adds in 128 bits.
func (g *grouping) sumWide(c *Column, v, out []int64) {
	low, high := make([]uint64, g.n), make([]int64, g.n)
	for i, k := range g.id {
		var carry uint64
		low[k], carry = bits.Add64(low[k], uint64(v[i]), 0)
		high[k] += v[i]>>63 + int64(carry)
	}
	for k := range out {
		out[k] = int64(low[k])
		if high[k] != out[k]>>63 {
			misuse("Agg sum", "convert the column with Float first", "the sum of column %q must fit into int64", c.name)
		}
	}
}

// chosen returns, for each group, the row with the minimum, maximum, first or last value, or -1.
func (g *grouping) chosen(c *Column, which string) []int32 {
	switch {
	case which == "first" || which == "last":
		return g.outer(c, which == "last")
	case c.kind == FloatKind:
		return extremeRows(g, c, c.floats, which == "max")
	case c.kind == IntKind || c.kind == TimeKind:
		return extremeRows(g, c, c.ints, which == "max")
	case c.kind == BoolKind:
		return extremeRows(g, c, c.numbers(), which == "max")
	}
	codes, w := c.coded()
	rank, v := w.ranks(c.kind), make([]int32, c.n)
	for i, code := range codes {
		if code >= 0 {
			v[i] = rank[code]
		}
	}
	return extremeRows(g, c, v, which == "max")
}

// outer returns the first or last row of each group whose value is not missing.
func (g *grouping) outer(c *Column, last bool) []int32 {
	out := none(g.n)
	for i, k := range g.id {
		if (last || out[k] < 0) && !c.missing.has(i) {
			out[k] = int32(i)
		}
	}
	return out
}

// none returns n times -1, no row.
func none(n int) []int32 {
	out := make([]int32, n)
	for k := range out {
		out[k] = -1
	}
	return out
}

// extremeRows returns, for each group, the first row with its minimum or maximum value, or -1 if
// all values are missing.
func extremeRows[T int32 | int64 | float64](g *grouping, c *Column, v []T, greatest bool) []int32 {
	if g.n == 0 {
		return nil
	}
	pieces, size := g.pieces()
	type best struct {
		value T
		row   int32
	}
	all := make([]best, pieces*g.n)
	for k := range all {
		all[k].row = -1
	}
	better := func(b *best, x T, row int32) {
		if b.row < 0 || (x < b.value) != greatest && x != b.value {
			*b = best{x, row}
		}
	}
	par.Range(len(g.id), size, func(lo, hi int) {
		part := all[lo/size*g.n:][:g.n]
		if c.gaps > 0 {
			for i, k := range g.id[lo:hi] {
				if !c.missing.has(lo + i) {
					better(&part[k], v[lo+i], int32(lo+i))
				}
			}
			return
		}
		v := v[lo:hi]
		for i, k := range g.id[lo:hi] {
			b, x := &part[k], v[i]
			if b.row < 0 || (x < b.value) != greatest && x != b.value {
				*b = best{x, int32(lo + i)}
			}
		}
	})
	out := make([]int32, g.n)
	for k := range out {
		b := &all[k]
		for p := 1; p < pieces; p++ {
			if other := all[p*g.n+k]; other.row >= 0 {
				better(b, other.value, other.row)
			}
		}
		out[k] = b.row
	}
	return out
}

// unique counts the distinct values of each group.
func (g *grouping) unique(c *Column) []int64 {
	out := make([]int64, g.n)
	if g.n == 0 {
		return out
	}
	pairs := groupWide(c.n, []key{{card: uint64(g.n), ords: unsigned(g.id)}, c.key()})
	for _, r := range pairs.first {
		if !c.missing.has(int(r)) {
			out[g.id[r]]++
		}
	}
	return out
}
