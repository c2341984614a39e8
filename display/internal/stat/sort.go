package stat

import (
	"math"
	"slices"
)

// manySorted is from how many values on sorting by digits is faster than by comparisons.
const manySorted = 2048

// digits and bits are how sorting cuts the 64 bits of a number.
const (
	bits   = 11
	digits = 6
)

// Sort puts values that are not NaN in ascending order: many of them by a radix sort, whose
// cost is proportional to their number.
func Sort(v []float64) {
	if len(v) < manySorted || slices.IsSorted(v) {
		slices.Sort(v)
		return
	}
	keys, other := make([]uint64, len(v)), make([]uint64, len(v))
	var counts [digits][1 << bits]int32
	for i, x := range v {
		// The order of these whole numbers is that of the values.
		k := math.Float64bits(x)
		if k>>63 == 1 {
			k = ^k
		} else {
			k |= 1 << 63
		}
		keys[i] = k
		for d := range counts {
			counts[d][k>>(bits*d)&(1<<bits-1)]++
		}
	}
	for d := range counts {
		count := &counts[d]
		if count[keys[0]>>(bits*d)&(1<<bits-1)] == int32(len(v)) {
			continue // all have this digit
		}
		at := int32(0)
		for i, n := range count {
			count[i], at = at, at+n
		}
		for _, k := range keys {
			digit := k >> (bits * d) & (1<<bits - 1)
			other[count[digit]] = k
			count[digit]++
		}
		keys, other = other, keys
	}
	for i, k := range keys {
		if k>>63 == 1 {
			k &^= 1 << 63
		} else {
			k = ^k
		}
		v[i] = math.Float64frombits(k)
	}
}
