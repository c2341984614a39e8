package lazy

import (
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Concatenated has the rows of several frames, one after the other. All have the columns of the
// first, in any order.
type Concatenated struct{ In []*Frame }

// Concat returns the rows of f and then the rows of the others. All must have the same columns, by
// name and kind; their order is that of f. In a database, rows have no order.
//
//	ml.Must(ml.Scan("2023.csv")).Concat(ml.Must(ml.Scan("2024.parquet")))
func (f *Frame) Concat(others ...*Frame) *Frame {
	const op = "LazyFrame.Concat"
	fields := append([]Field{}, f.fields...)
	for i, o := range others {
		if o.engine != f.engine {
			misuse(op, "write one of them to the database of the other with Write", "all frames must be in the same database, got %s and %s", f.engine, o.engine)
		}
		for j, x := range f.fields {
			if !o.Has(x.Name) {
				misuse(op, "add the column with With, or leave it out of the others with Drop", "all frames must have the same columns, but frame %d has no column %q", i+1, x.Name)
			}
			y := o.field(op, x.Name)
			if y.Kind != x.Kind {
				misuse(op, "convert one of them first, for example with Float", "column %q must be of the same kind in all frames, got %v and, in frame %d, %v", x.Name, x.Kind, i+1, y.Kind)
			}
			if _, runs := f.engine.(Runner); !runs && y.utc != x.utc {
				misuse(op, "convert one of them in the database first", "the times of column %q must be in one time zone in a database", x.Name)
			}
			fields[j].utc = fields[j].utc && y.utc
		}
		for _, y := range o.fields {
			if !f.Has(y.Name) {
				misuse(op, "add the column to the others with With, or leave it out with Drop", "all frames must have the same columns, but only frame %d has the column %q", i+1, y.Name)
			}
		}
	}
	if len(others) == 0 {
		return f
	}
	return f.next(&Concatenated{append([]*Frame{f}, others...)}, fields)
}

// AsOfJoin joins each row of f, in the order of f, to the row of other that was current at the time
// of the row of f. See [frame.Frame.AsOfJoin]. Files of any size can be joined: both sides are
// sorted, in a temporary file if they don't fit into memory. A database cannot do it.
//
//	trades.AsOfJoin(quotes, ml.AsOf{On: "at", By: []string{"ticker"}, Within: "2 seconds"})
func (f *Frame) AsOfJoin(other *Frame, how frame.AsOf) *Frame {
	f.empty().AsOfJoin(other.empty(), how) // panics if an argument is wrong
	out := f.join("LazyFrame.AsOfJoin", "left join", other, append([]string{how.On}, how.By...))
	out.node.(*Joined).AsOf = &how
	return out
}

// empty returns the columns without rows.
func (f *Frame) empty() *frame.Frame {
	columns := make([]*frame.Column, len(f.fields))
	for j, x := range f.fields {
		columns[j] = x.empty()
	}
	out, err := frame.New(columns...)
	if err != nil {
		panic(err)
	}
	return out
}

// empty returns a column without rows.
func (x Field) empty() *frame.Column {
	switch x.Kind {
	case frame.FloatKind:
		return frame.FloatColumn(x.Name, nil)
	case frame.IntKind:
		return frame.IntColumn(x.Name, nil)
	case frame.BoolKind:
		return frame.BoolColumn(x.Name, nil)
	case frame.TimeKind:
		return frame.NanoColumn(x.Name, nil, time.UTC)
	}
	return frame.StringColumn(x.Name, nil)
}

// concatenated writes the query of rows one after the other.
func (w *writer) concatenated(n *Concatenated, f *Frame) (*query, error) {
	var parts []string
	for _, in := range n.In {
		q, err := w.query(in)
		if err != nil {
			return nil, err
		}
		if q.limit >= 0 {
			q = w.wrap(q)
		}
		q.names, q.texts = f.Names(), w.all(q, f.Names())
		parts = append(parts, w.text(q, false))
	}
	alias := w.alias()
	q := &query{plain: true, from: "(" + strings.Join(parts, " union all ") + ") as " + alias, limit: -1}
	for _, name := range f.Names() {
		q.names, q.texts = append(q.names, name), append(q.texts, w.column(alias, name))
	}
	return q, nil
}

func noAsOf(d *Dialect) error {
	return model.Errorf("LazyFrame.SQL", "%s has no AsOfJoin", d.Name).WithHint("call Collect of both frames first, and then AsOfJoin of the frame")
}
