package read

import (
	"io"
	"os"
	"slices"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/parquet"
)

func readParquet(in *input, f *Format) (*frame.Frame, error) {
	if err := in.plain(); err != nil {
		return nil, err
	}
	file, err := os.Open(in.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return nil, err
	}
	zone, err := f.zone()
	if err != nil {
		return nil, err
	}
	t, err := parquet.Read(file, st.Size(), func(name string) bool { return f.Columns == nil || slices.Contains(f.Columns, name) })
	if err != nil {
		return nil, err
	}
	columns := make([]*frame.Column, len(t.Columns))
	for j, c := range t.Columns {
		if columns[j] = column(c); c.Kind == infer.Time && f.Zone != "" {
			columns[j] = columns[j].In(zone)
		}
	}
	out, err := build(columns, t.Notes, &Format{})
	if err != nil {
		return nil, err
	}
	return f.choose(out)
}

func writeParquet(w io.Writer, f *frame.Frame, _ *Format) error {
	columns := make([]*infer.Column, f.Width())
	for j, c := range f.Columns() {
		columns[j] = plainColumn(c)
	}
	return parquet.Write(w, columns, f.Len())
}

// plainColumn is the inverse of column.
func plainColumn(c *frame.Column) *infer.Column {
	out := &infer.Column{Name: c.Name(), Unit: c.Unit()}
	n := c.Len()
	for i := range n {
		if c.IsMissing(i) {
			out.Gap(i, n)
		}
	}
	switch c.Kind() {
	case frame.FloatKind:
		out.Kind, out.Floats = infer.Float, c.Floats()
	case frame.IntKind:
		out.Kind, out.Ints = infer.Int, make([]int64, n)
		if c.Missing() == 0 {
			out.Ints = c.Ints()
			break
		}
		for i := range n {
			if !c.IsMissing(i) {
				out.Ints[i] = c.At(i).(int64)
			}
		}
	case frame.BoolKind:
		out.Kind, out.Bools = infer.Bool, make([]bool, n)
		for i := range n {
			out.Bools[i] = !c.IsMissing(i) && c.At(i).(bool)
		}
	case frame.TimeKind:
		out.Kind, out.Ints, out.Zone = infer.Time, make([]int64, n), c.Zone()
		for i, t := range c.Moments() {
			if !c.IsMissing(i) {
				out.Ints[i] = t.UnixNano()
			}
		}
	default:
		x := infer.Coded(c.Strings(), func(i int) bool { return !c.IsMissing(i) })
		out.Codes, out.Words = x.Codes, x.Words
	}
	return out
}
