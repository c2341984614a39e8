// Package radix sorts floats, and ids by keys, by their digits, in linear time.
package radix

import (
	"cmp"
	"math"
	"slices"
)

// Sorter sorts up to a given number of values; its buffers are reused.
type Sorter struct {
	keys, keys2 []uint64
	ids, ids2   []int32
}

// NewSorter returns a Sorter for up to n values.
func NewSorter(n int) *Sorter {
	return &Sorter{make([]uint64, n), make([]uint64, n), make([]int32, n), make([]int32, n)}
}

const (
	digitBits = 11
	digits    = 6   // 6 digits of 11 bits cover 64
	few       = 256 // values that are sorted faster by comparing them
)

// Order returns the indices of v in ascending order of the values, NaN last; equal values keep
// their order, and −0 equals 0. The result is overwritten by the next call.
func (s *Sorter) Order(v []float64) []int32 {
	for i, x := range v {
		s.keys[i], s.ids[i] = key(x), int32(i)
	}
	if n := len(v); n < few {
		slices.SortStableFunc(s.ids[:n], func(a, b int32) int { return cmp.Compare(s.keys[a], s.keys[b]) })
		return s.ids[:n]
	}
	return s.sort(len(v))
}

// Sort returns the ids in ascending order of their keys; equal keys keep their order. The result is
// overwritten by the next call.
func (s *Sorter) Sort(keys []uint64, ids []int32) []int32 {
	copy(s.keys, keys)
	copy(s.ids, ids)
	n := len(keys)
	if n >= few {
		return s.sort(n)
	}
	order := s.ids2[:n]
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	for i, k := range order {
		order[i] = s.ids[k]
	}
	return order
}

// sort sorts the first n ids by their keys, in linear time.
func (s *Sorter) sort(n int) []int32 {
	keys, keys2, ids, ids2 := s.keys[:n], s.keys2[:n], s.ids[:n], s.ids2[:n]
	var hist [digits][1 << digitBits]int32
	for _, k := range keys {
		for d := range digits {
			hist[d][k>>(d*digitBits)&(1<<digitBits-1)]++
		}
	}
	for d := range digits {
		h := &hist[d]
		if h[keys[0]>>(d*digitBits)&(1<<digitBits-1)] == int32(n) {
			continue // all have the same digit
		}
		at := int32(0)
		for b := range h {
			at, h[b] = at+h[b], at
		}
		for i, k := range keys {
			b := k >> (d * digitBits) & (1<<digitBits - 1)
			p := h[b]
			h[b]++
			keys2[p], ids2[p] = k, ids[i]
		}
		keys, keys2 = keys2, keys
		ids, ids2 = ids2, ids
	}
	return ids
}

// key maps a float to an integer of the same order, NaN above all.
func key(x float64) uint64 {
	if math.IsNaN(x) {
		return math.MaxUint64
	}
	b := math.Float64bits(x + 0) // −0 becomes 0
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}
