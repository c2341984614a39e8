package frame

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// grain is how many rows a goroutine works on at a time.
const grain = 1 << 16

// take returns the rows of the column, in that order; -1 is a missing row.
func (c *Column) take(rows []int32) *Column { return c.takeAll(rows, negative(rows)) }

// takeAll is take for callers that know which of the rows are -1.
func (c *Column) takeAll(rows []int32, none bitmap) *Column {
	d := &Column{name: c.name, unit: c.unit, kind: c.kind, n: len(rows), words: c.words, zone: c.zone, clock: new(clock)}
	switch {
	case c.floats != nil || c.kind == FloatKind:
		d.floats = pick(c.floats, rows)
	case c.codes != nil:
		d.codes = pick(c.codes, rows)
	case c.bools != nil || c.kind == BoolKind:
		d.bools = pick(c.bools, rows)
	case c.kind.text():
		d.texts, d.coding = pick(c.texts, rows), new(coding)
	default:
		d.ints = pick(c.ints, rows)
	}
	if c.missing != nil {
		none = union(none, newBitmap(len(rows)))
		for i, r := range rows {
			if r >= 0 && c.missing.has(int(r)) {
				none[i>>6] |= 1 << (i & 63)
			}
		}
	}
	if none == nil {
		return d
	}
	return d.mark(none)
}

// negative returns which of the rows are -1, nil when none is.
func negative(rows []int32) bitmap {
	chunks := (len(rows) + grain - 1) / grain
	some := make([]bool, chunks)
	par.Range(len(rows), grain, func(lo, hi int) {
		all := int32(0)
		for _, r := range rows[lo:hi] {
			all |= r
		}
		some[lo/grain] = all < 0
	})
	if !slices.Contains(some, true) {
		return nil
	}
	b := newBitmap(len(rows))
	par.Range(len(rows), grain, func(lo, hi int) { // grain is whole words
		for i, r := range rows[lo:hi] {
			if r < 0 {
				b.set(lo + i)
			}
		}
	})
	return b
}

// pick returns the values of the rows, and any instead of row -1.
func pick[T any](v []T, rows []int32) []T {
	out := make([]T, len(rows))
	if len(v) == 0 {
		return out
	}
	par.Range(len(rows), grain, func(lo, hi int) {
		out := out[lo:hi]
		for i, r := range rows[lo:hi] {
			out[i] = v[max(r, 0)]
		}
	})
	return out
}

// take returns the rows of the frame, in that order; -1 is a missing row.
func (f *Frame) take(rows []int32) *Frame {
	cols, none := make([]*Column, len(f.cols)), negative(rows)
	for j, c := range f.cols {
		cols[j] = c.takeAll(rows, none)
	}
	return f.heir(len(rows), cols)
}

// slice returns the rows from lo to hi without a copy of the values.
func (c *Column) slice(lo, hi int) *Column {
	d := *c
	d.n, d.clock = hi-lo, new(clock)
	cut(&d.floats, lo, hi)
	cut(&d.ints, lo, hi)
	cut(&d.bools, lo, hi)
	cut(&d.codes, lo, hi)
	if d.texts != nil {
		cut(&d.texts, lo, hi)
		d.coding = new(coding)
	}
	if c.missing == nil {
		return &d
	}
	d.missing = newBitmap(d.n)
	for i := range d.n {
		if c.missing.has(lo + i) {
			d.missing.set(i)
		}
	}
	if d.gaps = d.missing.count(); d.gaps == 0 {
		d.missing = nil
	}
	return &d
}

func cut[T any](v *[]T, lo, hi int) {
	if *v != nil {
		*v = (*v)[lo:hi:hi]
	}
}

// upTo returns the slice 0, 1 ... n-1.
func upTo(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
