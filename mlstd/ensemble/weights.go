package ensemble

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
)

// weighted leaves out the examples of weight 0; nil weights are all 1.
func weighted[Y any](x mat.Matrix, d *mat.Dense, y []Y, weights []float64) (mat.Matrix, *mat.Dense, []Y, []float64) {
	if !slices.Contains(weights, 0) {
		return x, d, y, weights
	}
	var kept []int
	for i, w := range weights {
		if w > 0 {
			kept = append(kept, i)
		}
	}
	d = pick.Rows(d, kept)
	return pick.As(x, d), d, pick.Of(y, kept), pick.Of(weights, kept)
}

// weightAt is the weight of example i; nil weights are all 1.
func weightAt(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

func weightedMean(v, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, x := range v {
		sum += weightAt(weights, i) * x
		total += weightAt(weights, i)
	}
	return sum / total
}

// weightedMedian returns the value with half of the weight on either side, or the midpoint of two
// values if the weight is halved between them.
func weightedMedian(v, weights []float64) float64 {
	order := ascending(v)
	total, sum := 0.0, 0.0
	for i := range v {
		total += weightAt(weights, i)
	}
	for k, i := range order {
		sum += weightAt(weights, i)
		switch {
		case sum > total/2:
			return v[i]
		case sum == total/2:
			return (v[i] + v[order[k+1]]) / 2
		}
	}
	return v[order[len(order)-1]]
}

// weightedQuantile interpolates between the midpoints of the weights, with the smallest value at 0
// and the largest at 1. With equal weights it is [quantile].
func weightedQuantile(v, weights []float64, q float64) float64 {
	if weights == nil {
		return quantileOf(v, q)
	}
	order := ascending(v)
	at, sum := make([]float64, len(v)), 0.0
	for k, i := range order {
		at[k] = sum + weights[i]/2
		sum += weights[i]
	}
	first, last := at[0], at[len(at)-1]
	goal := first + q*(last-first)
	k, _ := slices.BinarySearch(at, goal)
	if k == 0 {
		return v[order[0]]
	}
	if k == len(at) {
		return v[order[k-1]]
	}
	low, high := v[order[k-1]], v[order[k]]
	return low + (goal-at[k-1])/(at[k]-at[k-1])*(high-low)
}

func ascending(v []float64) []int {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	return order
}

// drawer draws rows with probabilities in proportion to weights, by Walker's alias method: row i is
// kept with probability keep[i], and is other[i] otherwise. With equal weights it draws as drawRows
// does.
type drawer struct {
	keep  []float64
	other []int
}

func newDrawer(n int, weights []float64) *drawer {
	d := &drawer{keep: slices.Repeat([]float64{1}, n), other: make([]int, n)}
	if len(weights) == 0 || slices.Min(weights) == slices.Max(weights) {
		return d
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	var small, large []int
	for i, w := range weights {
		d.keep[i] = w * float64(n) / total
		if d.keep[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		d.other[s] = l
		if d.keep[l] -= 1 - d.keep[s]; d.keep[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) { // 1 but for rounding
		d.keep[i] = 1
	}
	return d
}

func (d *drawer) draw(rng *rand.Rand) []int {
	rows := drawRows(len(d.keep), rng)
	for k, r := range rows {
		if d.keep[r] < 1 && rng.Float64() >= d.keep[r] {
			rows[k] = d.other[r]
		}
	}
	return rows
}
