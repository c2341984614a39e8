package frame

import (
	"cmp"
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	digitBits = 11
	digits    = 6   // 6 digits of 11 bits cover 64
	fewRows   = 256 // rows that are sorted faster by comparing them
)

// sorter sorts row numbers by 64-bit keys; its buffers are used again.
type sorter struct {
	keys, keys2 []uint64
	rows, rows2 []int32
}

func newSorter(n int) *sorter {
	return &sorter{make([]uint64, n), make([]uint64, n), make([]int32, n), make([]int32, n)}
}

// sort orders the first n rows of s.rows by s.keys; equal keys keep their order.
func (s *sorter) sort(n int) {
	keys, keys2, rows, rows2 := s.keys[:n], s.keys2[:n], s.rows[:n], s.rows2[:n]
	if n < fewRows {
		order := upTo(n)
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
		for i, k := range order {
			keys2[i], rows2[i] = keys[k], rows[k]
		}
		copy(keys, keys2)
		copy(rows, rows2)
		return
	}
	var differ uint64
	for _, k := range keys {
		differ |= k ^ keys[0]
	}
	for d := range digits {
		shift := d * digitBits
		if differ>>shift&(1<<digitBits-1) == 0 {
			continue // all have the same digit
		}
		var at [1 << digitBits]int32
		for _, k := range keys {
			at[k>>shift&(1<<digitBits-1)]++
		}
		sum := int32(0)
		for b, n := range at {
			at[b] = sum
			sum += n
		}
		for i, k := range keys {
			b := k >> shift & (1<<digitBits - 1)
			keys2[at[b]], rows2[at[b]] = k, rows[i]
			at[b]++
		}
		keys, keys2, rows, rows2 = keys2, keys, rows2, rows
	}
	s.keys, s.keys2, s.rows, s.rows2 = keys[:cap(keys)], keys2[:cap(keys2)], rows[:cap(rows)], rows2[:cap(rows2)]
}

// floatKey maps a float to an integer of the same order; −0 equals 0.
func floatKey(x float64) uint64 {
	b := math.Float64bits(x + 0)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// intKey maps an integer to an unsigned one of the same order.
func intKey(x int64) uint64 { return uint64(x) ^ 1<<63 }

// orderKeys writes for each of the rows, none of which is missing, a key in the order
// of the values of the column.
func (c *Column) orderKeys(keys []uint64, rows []int32) {
	var rank []int32
	var codes []int32
	if c.kind.text() {
		var w *words
		codes, w = c.coded()
		rank = w.ranks(c.kind)
	}
	par.Range(len(rows), grain, func(lo, hi int) {
		keys, rows := keys[lo:hi], rows[lo:hi]
		switch c.kind {
		case FloatKind:
			for i, r := range rows {
				keys[i] = floatKey(c.floats[r])
			}
		case BoolKind:
			for i, r := range rows {
				keys[i] = 0
				if c.bools[r] {
					keys[i] = 1
				}
			}
		case IntKind, TimeKind:
			for i, r := range rows {
				keys[i] = intKey(c.ints[r])
			}
		default:
			for i, r := range rows {
				keys[i] = uint64(rank[codes[r]])
			}
		}
	})
}

// ranks gives the position of each word in the order of a column of that kind:
// categories in the order of their levels, strings in that of their bytes.
func (w *words) ranks(kind Kind) []int32 {
	if kind == CategoryKind {
		return upTo(len(w.list))
	}
	w.sorted.Do(func() {
		order := upTo(len(w.list))
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(w.list[a], w.list[b]) })
		w.rank = make([]int32, len(order))
		for r, k := range order {
			w.rank[k] = int32(r)
		}
	})
	return w.rank
}
