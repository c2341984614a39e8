package stat

import (
	"math"
	"slices"
)

// manySorted is the minimum number of values for which radix sort is faster than comparison sort.
const manySorted = 2048

// digits and bits define how the 64 bits of a number are split for sorting.
const (
	bits   = 11
	digits = 6
)

// Sort sorts values without NaN in ascending order. For many values it uses a radix sort, whose
// time is linear.
func Sort(v []float64) {
	if len(v) < manySorted || slices.IsSorted(v) {
		slices.Sort(v)
		return
	}
	keys, other := make([]uint64, len(v)), make([]uint64, len(v))
	var counts [digits][1 << bits]int32
	for i, x := range v {
		// These integers have the same order as the values.
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
