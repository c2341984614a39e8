package frame

import (
	"cmp"
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// key is a column as numbers from 0 to card-1 in the order of its values. The last number stands
// for a missing value. One of codes, ints and ords is set.
type key struct {
	card  uint64
	codes []int32 // the number is rank[1+code], so that -1 has one
	rank  []uint32
	ints  []int64 // the number is ints[i]-min, card-1 where missing
	min   int64
	gone  bitmap
	ords  []uint32 // the numbers themselves
}

// wideRange returns the range, for n rows, up to which integers are numbered by their distance from
// the minimum.
func wideRange(n int) uint64 { return max(1<<20, 4*uint64(n)) }

// key returns the numbers of the column.
func (c *Column) key() key {
	switch c.kind {
	case BoolKind:
		k := key{card: 2, ords: make([]uint32, c.n)}
		if c.gaps > 0 {
			k.card = 3
		}
		for i, b := range c.bools {
			switch {
			case c.missing.has(i):
				k.ords[i] = 2
			case b:
				k.ords[i] = 1
			}
		}
		return k
	case IntKind, TimeKind:
		if lo, hi, ok := c.span(); ok && uint64(hi-lo) < wideRange(c.n) {
			k := key{card: uint64(hi-lo) + 1, ints: c.ints, min: lo}
			if c.gaps > 0 {
				k.card++
				k.gone = c.missing
			}
			return k
		}
	case StringKind, CategoryKind:
		codes, w := c.coded()
		if len(w.list) <= 2*c.n+1024 {
			k := key{card: uint64(len(w.list)), codes: codes, rank: make([]uint32, len(w.list)+1)}
			for i, r := range w.ranks(c.kind) {
				k.rank[i+1] = uint32(r)
			}
			k.rank[0] = uint32(len(w.list))
			if c.gaps > 0 {
				k.card++
			}
			return k
		}
		return c.usedWords(codes, w)
	}
	return c.ranked()
}

// usedWords is the key of a column with a dictionary of many more words than rows.
func (c *Column) usedWords(codes []int32, w *words) key {
	used := slices.Clone(codes)
	slices.Sort(used)
	used = slices.Compact(used)
	if len(used) > 0 && used[0] < 0 {
		used = used[1:]
	}
	if c.kind == StringKind {
		slices.SortFunc(used, func(a, b int32) int { return cmp.Compare(w.list[a], w.list[b]) })
	}
	number := make(map[int32]uint32, len(used))
	for r, code := range used {
		number[code] = uint32(r)
	}
	k := key{card: uint64(len(used)), ords: make([]uint32, c.n)}
	if c.gaps > 0 {
		k.card++
		number[-1] = uint32(len(used))
	}
	for i, code := range codes {
		k.ords[i] = number[code]
	}
	return k
}

// span returns the smallest and the largest integer; it reports false when all are
// missing or the range is wider than an int64.
func (c *Column) span() (lo, hi int64, ok bool) {
	lo, hi = math.MaxInt64, math.MinInt64
	if c.gaps == 0 {
		lo, hi = extremes(c.ints)
	} else {
		for i, x := range c.ints {
			if !c.missing.has(i) {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
	}
	return lo, hi, lo <= hi && hi-lo >= 0
}

// extremes returns the smallest and the largest of the numbers.
func extremes(v []int64) (lo, hi int64) {
	chunks := (len(v) + grain - 1) / grain
	los, his := make([]int64, chunks), make([]int64, chunks)
	par.Range(len(v), grain, func(from, to int) {
		lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
		for _, x := range v[from:to] {
			lo, hi = min(lo, x), max(hi, x)
		}
		los[from/grain], his[from/grain] = lo, hi
	})
	if chunks == 0 {
		return math.MaxInt64, math.MinInt64
	}
	return slices.Min(los), slices.Max(his)
}

// ranked numbers the values by sorting them.
func (c *Column) ranked() key {
	s := newSorter(c.n)
	rows := c.sortRows(upTo(c.n), false, s)
	k := key{ords: make([]uint32, c.n)}
	present := c.n - c.gaps
	last := uint32(0)
	for i, r := range rows[:present] {
		if i > 0 && s.keys[i] != s.keys[i-1] {
			last++
		}
		k.ords[r] = last
	}
	if present > 0 {
		k.card = uint64(last) + 1
	}
	for _, r := range rows[present:] {
		k.ords[r] = uint32(k.card)
	}
	if c.gaps > 0 {
		k.card++
	}
	return k
}

// fold sets out to out*card + the numbers of the key, or to these numbers if first is set.
func fold[T uint32 | uint64](out []T, k key, first bool) {
	par.Range(len(out), grain, func(lo, hi int) {
		card := T(k.card)
		out := out[lo:hi]
		if first {
			clear(out)
		}
		switch {
		case k.ords != nil:
			for i, o := range k.ords[lo:hi] {
				out[i] = out[i]*card + T(o)
			}
		case k.codes != nil:
			for i, code := range k.codes[lo:hi] {
				out[i] = out[i]*card + T(k.rank[code+1])
			}
		case k.gone == nil:
			for i, x := range k.ints[lo:hi] {
				out[i] = out[i]*card + T(x-k.min)
			}
		default:
			for i, x := range k.ints[lo:hi] {
				o := T(x - k.min)
				if k.gone.has(lo + i) {
					o = card - 1
				}
				out[i] = out[i]*card + o
			}
		}
	})
}
