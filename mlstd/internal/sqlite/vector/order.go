package vector

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/radix"
)

// orderKeys returns numbers with the order of the values: missing values first, or last in
// descending order, unless the term says otherwise.
func (v Vector) orderKeys(t term) []uint64 {
	v = v.compact()
	keys := make([]uint64, v.n)
	var rank []int32
	if v.kind == text {
		rank = v.words.ranks()
	}
	none, flip := uint64(0), uint64(0)
	if t.desc {
		flip = math.MaxUint64
		none = math.MaxUint64
	}
	switch t.nulls {
	case 'f':
		none = 0
	case 'l':
		none = math.MaxUint64
	}
	for i := range keys {
		if v.missing(i) {
			keys[i] = none
			continue
		}
		k := uint64(0)
		switch v.kind {
		case integer:
			k = uint64(v.ints[i]) ^ 1<<63
			if v.gone != nil && (k == 0 || k == math.MaxUint64) {
				leave("the largest integer beside missing values")
			}
		case boolean:
			k = 1
			if v.bools[i] {
				k = 2
			}
		case float:
			b := math.Float64bits(v.floats[i] + 0)
			if b>>63 == 1 {
				k = ^b
			} else {
				k = b | 1<<63
			}
		case text:
			k = uint64(rank[v.codes[i]]) + 1
		}
		keys[i] = k ^ flip
	}
	return keys
}

// order returns the rows in the order of the terms; equal rows keep their order. With a limit, it
// may return only the rows up to it.
func (r *relation) order(terms []term, b bounds) []int32 {
	rows := make([]int32, r.n)
	for i := range rows {
		rows[i] = int32(i)
	}
	if r.n == 0 {
		return rows
	}
	var keys [][]uint64
	for _, t := range terms {
		r.q.check()
		if v := r.values(r.compile(t.expr)); !v.one && v.kind != null {
			keys = append(keys, v.orderKeys(t))
		}
	}
	if len(keys) == 0 {
		return rows
	}
	if k := b.offset + b.limit; b.limit >= 0 && k >= 0 && k < r.n/16 {
		rows = lowest(keys[0], k)
	}
	s := radix.NewSorter(len(rows))
	buffer := make([]uint64, len(rows))
	for _, list := range slices.Backward(keys) {
		for i, row := range rows {
			buffer[i] = list[row]
		}
		rows = slices.Clone(s.Sort(buffer, rows))
	}
	return rows
}

// lowest returns the rows whose keys are at most the key of rank k.
func lowest(keys []uint64, k int) []int32 {
	if k == 0 {
		return nil
	}
	heap := make([]uint64, 0, k) // the k lowest keys, the highest on top
	for _, key := range keys {
		if len(heap) == k && key >= heap[0] {
			continue
		}
		if len(heap) < k {
			heap = append(heap, key)
			for i := len(heap) - 1; i > 0 && heap[(i-1)/2] < heap[i]; i = (i - 1) / 2 {
				heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
			}
			continue
		}
		heap[0] = key
		for i := 0; ; {
			c := 2*i + 1
			if c >= k {
				break
			}
			if c+1 < k && heap[c+1] > heap[c] {
				c++
			}
			if heap[c] <= heap[i] {
				break
			}
			heap[i], heap[c] = heap[c], heap[i]
			i = c
		}
	}
	var rows []int32
	for i, key := range keys {
		if key <= heap[0] {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// sorted returns the relation in the order of the terms.
func (r *relation) sorted(terms []term, b bounds) *relation { return r.take(r.order(terms, b)) }
