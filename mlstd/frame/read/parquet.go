package read

import (
	"io"
	"os"
	"slices"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/columns"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/par"
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
	return parquet.Write(w, plainColumns(f), f.Len())
}

func plainColumns(f *frame.Frame) []*infer.Column {
	list := f.Columns()
	columns := make([]*infer.Column, len(list))
	par.Range(len(list), 1, func(j, _ int) { columns[j] = plainColumn(list[j]) })
	return columns
}

// plainColumn is the inverse of column.
func plainColumn(c *frame.Column) *infer.Column { return columns.Plain(c) }
