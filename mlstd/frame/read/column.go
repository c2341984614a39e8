package read

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/columns"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// column makes a column of a frame without copying the values.
func column(c *infer.Column) *frame.Column { return columns.Of(c) }

// category converts a column of strings to categories, with the levels in ascending order.
func category(c *frame.Column) *frame.Column {
	texts := c.Strings()
	position := map[string]int32{}
	for i, s := range texts {
		if !c.IsMissing(i) {
			position[s] = 0
		}
	}
	levels := make([]string, 0, len(position))
	for s := range position {
		levels = append(levels, s)
	}
	slices.Sort(levels)
	for k, s := range levels {
		position[s] = int32(k)
	}
	codes := make([]int32, len(texts))
	for i, s := range texts {
		codes[i] = -1
		if !c.IsMissing(i) {
			codes[i] = position[s]
		}
	}
	return frame.CategoryColumn(c.Name(), codes, levels)
}

// build makes a frame from columns and notes, with the requested categories.
func build(columns []*frame.Column, notes []string, f *Format) (*frame.Frame, error) {
	for j, c := range columns {
		if kind, asked := f.Kinds[c.Name()]; asked && kind == frame.CategoryKind && c.Kind() == frame.StringKind {
			columns[j] = category(c)
		}
	}
	out, err := frame.New(columns...)
	if err != nil {
		return nil, err
	}
	return out.Noted(notes...), nil
}

// choose returns the requested columns of a file that stores the kinds of its columns.
func (f *Format) choose(t *frame.Frame) (*frame.Frame, error) {
	used := map[string]bool{}
	for _, name := range t.Names() {
		used[name] = true
	}
	if err := f.missingNames(used); err != nil {
		return nil, err
	}
	var columns []*frame.Column
	for _, c := range t.Columns() {
		if f.Columns != nil && !slices.Contains(f.Columns, c.Name()) {
			continue
		}
		if kind, asked := f.Kinds[c.Name()]; asked && kind != c.Kind() && kind != frame.CategoryKind {
			return nil, model.Errorf("Read", "column %q must have the kind that it has in the file, %v", c.Name(), c.Kind()).WithHint("leave it out of Kinds, and convert the column afterwards")
		}
		columns = append(columns, c)
	}
	return build(columns, t.Notes(), f)
}
