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

// Explode returns a row for each element of the lists in a column, such as those
// that Read keeps as JSON text. The other columns repeat, and the fields of an
// element become columns named by the column and the field, joined by a dot.
// Elements that are not objects stay in the column itself. A row whose list is
// empty or missing is kept once, with missing values, which a note says.
//
//	orders := ml.Read("orders.json")
//	ml.Explode(orders, "lines").By("lines.sku").Agg(ml.Sum("lines.quantity"))
func Explode(f *frame.Frame, column string) (*frame.Frame, error) {
	c := f.Col(column)
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
		return nil, model.Errorf("Explode", "some list in column %q must have an element, got only empty ones", column)
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
	rows := make([]int64, f.Len())
	for i := range rows {
		rows[i] = int64(i)
	}
	out, err := frame.New(kept.With(rowOf, frame.IntColumn(rowOf, rows)).LeftJoin(parts, rowOf).Drop(rowOf).Columns()...)
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
