package frame

import (
	"slices"
	"strings"
)

// Sort returns the rows in ascending order of the first named column; each further column breaks
// ties. A name with a leading minus sign, such as "-fare", sorts in descending order. Missing
// values come last in both orders, and equal rows keep their order. Strings are sorted by their
// bytes and categories by their levels; false comes before true.
func (f *Frame) Sort(by ...string) *Frame { return f.take(f.order("Frame.Sort", by)) }

// order returns the rows in the order of the columns.
func (f *Frame) order(op string, by []string) []int32 {
	if len(by) == 0 {
		misuse(op, "use some of "+list(f.Names()), "at least one column must be named")
	}
	rows := upTo(f.n)
	s := newSorter(f.n)
	for _, name := range slices.Backward(by) {
		c, falling := f.direction(op, name)
		rows = c.sortRows(rows, falling, s)
	}
	return rows
}

// direction returns the column of a name that may have a minus in front, and whether it
// has.
func (f *Frame) direction(op, name string) (c *Column, falling bool) {
	if rest, ok := strings.CutPrefix(name, "-"); ok && !f.Has(name) {
		return f.col(op, rest), true
	}
	return f.col(op, name), false
}

// sortRows returns the rows in the order of the column; equal ones keep their order.
func (c *Column) sortRows(rows []int32, falling bool, s *sorter) []int32 {
	present, gone := rows, []int32(nil)
	if c.gaps > 0 {
		present = make([]int32, 0, len(rows))
		for _, r := range rows {
			if c.missing.has(int(r)) {
				gone = append(gone, r)
			} else {
				present = append(present, r)
			}
		}
	}
	n := len(present)
	c.orderKeys(s.keys[:n], present)
	if falling {
		for i := range s.keys[:n] {
			s.keys[i] = ^s.keys[i]
		}
	}
	copy(s.rows, present)
	s.sort(n)
	return append(slices.Clone(s.rows[:n]), gone...)
}

// Distinct returns the first row of each set of rows that are equal in the named columns, or in all
// columns if no columns are named. Missing values are equal to each other.
func (f *Frame) Distinct(names ...string) *Frame {
	if len(names) == 0 {
		names = f.Names()
	}
	if len(names) == 0 {
		return f
	}
	rows := slices.Clone(f.group("Frame.Distinct", names).first)
	slices.Sort(rows)
	return f.take(rows)
}

// DropMissing returns the rows without missing values in the named columns, or in all columns if no
// columns are named. The notes report how many rows were left out.
func (f *Frame) DropMissing(names ...string) *Frame {
	if len(names) == 0 {
		names = f.Names()
	}
	var gone bitmap
	for _, name := range names {
		gone = union(gone, f.col("Frame.DropMissing", name).missing)
	}
	if gone == nil {
		return f
	}
	rows := make([]int32, 0, f.n)
	for i := range f.n {
		if !gone.has(i) {
			rows = append(rows, int32(i))
		}
	}
	return f.take(rows).Noted(plural(f.n-len(rows), "row") + " with missing values left out of " + list(names))
}

// FillMissing returns the frame with the missing values of a column replaced, as in
// [Column.FillMissing].
func (f *Frame) FillMissing(name string, value any) *Frame {
	return f.With(name, f.col("Frame.FillMissing", name).FillMissing(value))
}
