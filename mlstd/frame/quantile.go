package frame

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/quantile"
)

// quantiles returns a quantile of each group, or NaN for a group without non-missing values.
func (g *grouping) quantiles(c *Column, q float64) []float64 {
	out := make([]float64, g.n)
	if g.n == 0 {
		return out
	}
	at := g.starts()
	values, end := g.arranged(c, at)
	// Each goroutine takes consecutive groups with about the same total number of rows.
	runs := []int{0}
	for k := range g.n {
		if at[k]-at[runs[len(runs)-1]] >= grain {
			runs = append(runs, k)
		}
	}
	runs = append(runs, g.n)
	par.Range(len(runs)-1, 1, func(r, _ int) {
		for k := runs[r]; k < runs[r+1]; k++ {
			out[k] = quantileOf(values[at[k]:end[k]], q)
		}
	})
	return out
}

// arranged returns the non-missing values sorted by group, with each group from its start on, and
// the end of each group.
func (g *grouping) arranged(c *Column, starts []int32) (values []float64, end []int32) {
	v := c.numbers()
	values, end = make([]float64, len(v)), slices.Clone(starts[:g.n])
	for i, k := range g.id {
		if x := v[i]; x == x {
			values[end[k]] = x
			end[k]++
		}
	}
	return values, end
}

// quantileOf returns a quantile of the numbers and reorders them. The quantile is at position
// q(n-1), counted from 0 in ascending order, with linear interpolation.
func quantileOf(v []float64, q float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	at := q * float64(len(v)-1)
	k := int(at)
	low := nth(v, k)
	share := at - float64(k)
	if share == 0 {
		return low
	}
	return quantile.Between(low, slices.Min(v[k+1:]), share)
}

// nth returns the number at position k in ascending order, and moves numbers that are not greater
// before it.
func nth(v []float64, k int) float64 {
	lo, hi := 0, len(v)-1
	for hi-lo > 16 {
		pivot := middle(v[lo], v[lo+(hi-lo)/2], v[hi])
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
	slices.Sort(v[lo : hi+1])
	return v[k]
}

// middle returns the median of three numbers.
func middle(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }
