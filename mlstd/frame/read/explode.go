package read

import (
	"fmt"
	"io"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// rowOf is the column by which Explode identifies the rows.
const rowOf = "\x00row"

// Explode returns a row for each element of the lists in a column, such as lists that Read keeps as
// JSON text. The values of the other columns repeat. If an element is an object, its fields become
// columns, whose names join the name of the column and the name of the field with a dot. Other
// elements stay in the column itself. A row whose list is empty or missing is kept once with
// missing values, and a note reports it.
//
//	orders := ml.Read("orders.json")
//	ml.Explode(orders, "lines").By("lines.sku").Agg(ml.Sum("lines.quantity"))
//
// With a separator, the column holds strings such as "red,green", and each part gets a row. The
// parts stay strings.
//
//	ml.Explode(films, "genres", ", ").Counts("genres")
func Explode(f *frame.Frame, column string, separator ...string) (*frame.Frame, error) {
	c := f.Col(column)
	switch {
	case len(separator) > 1 || len(separator) == 1 && separator[0] == "":
		return nil, model.Errorf("Explode", "there must be one separator, which is not empty, got %q", separator).WithHint(`pass a separator such as ", "`)
	case len(separator) == 1:
		return explodeText(f, c, separator[0])
	}
	if k := c.Kind(); k != frame.StringKind && k != frame.CategoryKind {
		return nil, model.Errorf("Explode", "column %q must be of kind string, got %v", column, k).WithHint(`use a column of lists such as [1, 2] or [{"a": 1}]`)
	}
	o := &elements{objects: &objects{}}
	empty := 0
	for i, text := range c.Strings() {
		before := o.rows
		if !c.IsMissing(i) {
			if err := o.list(text, int64(i)); err != nil {
				return nil, model.Errorf("Explode", "row %d of column %q: %v", i, column, err)
			}
		}
		if o.rows == before {
			empty++
		}
	}
	if len(o.columns) == 0 {
		return nil, model.Errorf("Explode", "at least one list in column %q must have an element, got only empty lists", column)
	}
	parts, err := o.frame(&Format{}, nil)
	if err != nil {
		return nil, err
	}
	columns := []*frame.Column{frame.IntColumn(rowOf, o.of)}
	kept := f.Drop(column)
	for _, p := range parts.Columns() {
		if p = p.Named(column + "." + p.Name()); o.structs == 0 {
			p = p.Named(column)
		}
		if kept.Has(p.Name()) {
			return nil, model.Errorf("Explode", "the frame must not have a column %q already", p.Name()).WithHint("rename it with Rename first")
		}
		columns = append(columns, p)
	}
	notes := parts.Notes()
	if parts, err = frame.New(columns...); err != nil {
		return nil, err
	}
	out, err := frame.New(kept.With(rowOf, upTo(f.Len())).LeftJoin(parts, rowOf).Drop(rowOf).Columns()...)
	if err != nil {
		return nil, err
	}
	if o.structs > 0 && o.structs < o.rows {
		notes = append(notes, fmt.Sprintf("%d of %d elements in %q are not objects: see column %q", o.rows-o.structs, o.rows, column, column+".value"))
	}
	if empty > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d rows have no element in %q and were kept", empty, f.Len(), column))
	}
	return out.After(f).Noted(notes...), nil
}

// explodeText returns a row for each part of the strings of a column between separators.
func explodeText(f *frame.Frame, c *frame.Column, separator string) (*frame.Frame, error) {
	if k := c.Kind(); k != frame.StringKind && k != frame.CategoryKind {
		return nil, model.Errorf("Explode", "column %q must be of kind string, got %v", c.Name(), k).WithHint("leave the separator out for a column of lists, or use AsText")
	}
	var rows []int64
	var parts []string
	var gaps []int
	for i, s := range c.Strings() {
		if s == "" {
			gaps = append(gaps, len(rows))
			rows, parts = append(rows, int64(i)), append(parts, "")
			continue
		}
		for part := range strings.SplitSeq(s, separator) {
			rows, parts = append(rows, int64(i)), append(parts, part)
		}
	}
	marks := make([]uint64, (len(rows)+63)/64)
	for _, i := range gaps {
		marks[i/64] |= 1 << (i % 64)
	}
	numbered := f.With(rowOf, upTo(f.Len()))
	below, err := frame.New(frame.IntColumn(rowOf, rows))
	if err != nil {
		return nil, err
	}
	out := below.LeftJoin(numbered, rowOf).Select(f.Names()...)
	columns := out.Columns()
	for j, name := range f.Names() {
		if name == c.Name() {
			columns[j] = frame.StringColumn(name, parts).MarkMissing(marks)
		}
	}
	if out, err = frame.New(columns...); err != nil {
		return nil, err
	}
	if len(gaps) > 0 {
		return out.After(f).Noted(fmt.Sprintf("%d of %d rows have no part in %q and were kept", len(gaps), f.Len(), c.Name())), nil
	}
	return out.After(f), nil
}

// upTo returns the integers from 0 up to, but not including, n.
func upTo(n int) []int64 {
	rows := make([]int64, n)
	for i := range rows {
		rows[i] = int64(i)
	}
	return rows
}

// elements reads the elements of lists as records.
type elements struct {
	*objects
	of      []int64 // the row of each
	structs int     // number of elements that are objects
}

// list reads the list in a row.
func (o *elements) list(text string, row int64) error {
	o.Decoder = decoder(strings.NewReader(text)).Decoder
	if t, err := o.ReadToken(); err != nil || t.Kind() != '[' {
		return fmt.Errorf("expected a list, got %.40q", text)
	}
	for o.more() {
		object := o.PeekKind() == '{'
		if err := o.record(); err != nil {
			return fmt.Errorf("%.40q: %w", text, err)
		}
		if o.of = append(o.of, row); object {
			o.structs++
		}
	}
	if err := o.end(); err != nil {
		return fmt.Errorf("%.40q: %w", text, err)
	}
	if o.more() {
		return fmt.Errorf("%.40q: trailing data after the list", text)
	}
	if _, err := o.ReadToken(); err != io.EOF {
		return fmt.Errorf("%.40q: %w", text, err)
	}
	return nil
}
