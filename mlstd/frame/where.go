package frame

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// Where returns the rows for which mask is true. The mask is a bool column or a []bool, as long as
// the frame; a missing value in it selects nothing.
func (f *Frame) Where(mask any) *Frame { return f.take(f.selected("Frame.Where", mask)) }

// selected returns the rows in which the mask is true.
func (f *Frame) selected(op string, mask any) []int32 {
	m, single := columnOf(op, "mask", f.computed(mask))
	if m.kind != BoolKind {
		misuse(op, `use a comparison, such as f.Col("fare").Greater(10)`, "the mask must be of kind bool, got %v", m.kind)
	}
	if single {
		m = m.repeat(f.n)
	}
	if m.n != f.n {
		misuse(op, "compare columns of the same frame", "the mask must have %d rows, as the frame has, got %d", f.n, m.n)
	}
	chunks := (m.n + grain - 1) / grain
	counts := make([]int, chunks)
	par.Range(m.n, grain, func(lo, hi int) {
		k := 0
		for _, yes := range m.bools[lo:hi] { // false where missing
			if yes {
				k++
			}
		}
		counts[lo/grain] = k
	})
	total := 0
	for i, k := range counts {
		counts[i] = total
		total += k
	}
	rows := make([]int32, total)
	par.Range(m.n, grain, func(lo, hi int) {
		at := counts[lo/grain]
		for i, yes := range m.bools[lo:hi] {
			if yes {
				rows[at] = int32(lo + i)
				at++
			}
		}
	})
	return rows
}

// Select returns the named columns, in that order.
func (f *Frame) Select(names ...string) *Frame {
	cols := make([]*Column, len(names))
	for j, name := range names {
		cols[j] = f.col("Frame.Select", name)
		if slices.Contains(names[:j], name) {
			misuse("Frame.Select", "", "each column must be named once, got %q twice", name)
		}
	}
	return f.heir(f.n, cols)
}

// Drop returns the frame without the named columns.
func (f *Frame) Drop(names ...string) *Frame {
	for _, name := range names {
		f.col("Frame.Drop", name)
	}
	var cols []*Column
	for _, c := range f.cols {
		if !slices.Contains(names, c.name) {
			cols = append(cols, c)
		}
	}
	return f.heir(f.n, cols)
}

// Rename returns the frame with columns renamed. Pass pairs of an old and a new name:
// f.Rename("old", "new", "other", "better").
func (f *Frame) Rename(pairs ...string) *Frame {
	const op = "Frame.Rename"
	if len(pairs)%2 != 0 {
		misuse(op, "pass pairs of an old and a new name", "the number of names must be even, got %d", len(pairs))
	}
	cols := slices.Clone(f.cols)
	for i := 0; i < len(pairs); i += 2 {
		f.col(op, pairs[i])
		j := f.index[pairs[i]]
		cols[j] = cols[j].Named(pairs[i+1])
	}
	return of(op, cols).inherit(f)
}

// Head returns the first n rows, or all when there are fewer.
func (f *Frame) Head(n int) *Frame { return f.cut(0, min(max(n, 0), f.n)) }

// Tail returns the last n rows, or all when there are fewer.
func (f *Frame) Tail(n int) *Frame { return f.cut(f.n-min(max(n, 0), f.n), f.n) }

// Slice returns the rows from lo up to, but not including, hi.
func (f *Frame) Slice(lo, hi int) *Frame {
	if lo < 0 || hi > f.n || lo > hi {
		misuse("Frame.Slice", "", "lo and hi must satisfy 0 ≤ lo ≤ hi ≤ %[3]d (the number of rows), got %[1]d and %[2]d", lo, hi, f.n)
	}
	return f.cut(lo, hi)
}

func (f *Frame) cut(lo, hi int) *Frame {
	cols := make([]*Column, len(f.cols))
	for j, c := range f.cols {
		cols[j] = c.slice(lo, hi)
	}
	return f.heir(hi-lo, cols)
}

// Head returns the first n values, or all when there are fewer.
func (c *Column) Head(n int) *Column { return c.slice(0, min(max(n, 0), c.n)) }

// Tail returns the last n values, or all when there are fewer.
func (c *Column) Tail(n int) *Column { return c.slice(c.n-min(max(n, 0), c.n), c.n) }

// Where returns the values for which mask is true; mask must be as long as the column.
func (c *Column) Where(mask any) *Column {
	f := like(c.n, []*Column{c})
	return c.take(f.selected("Column.Where", mask))
}
