package read

import (
	"io"
	"os"
	"slices"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/arrow"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

func readArrow(in *input, f *Format) (*frame.Frame, error) {
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
	t, err := arrow.Read(file, st.Size(), func(name string) bool { return f.Columns == nil || slices.Contains(f.Columns, name) })
	if err != nil {
		return nil, err
	}
	columns := make([]*frame.Column, len(t.Columns))
	for j, c := range t.Columns {
		switch {
		case c.Category:
			columns[j] = frame.CategoryColumn(c.Name, c.Codes, c.Words)
		default:
			columns[j] = column(&c.Column)
		}
		if c.Kind == infer.Time && f.Zone != "" {
			columns[j] = columns[j].In(zone)
		}
	}
	out, err := build(columns, t.Notes, &Format{})
	if err != nil {
		return nil, err
	}
	return f.choose(out)
}

// writeArrow returns a writer of the file format, or of the stream format.
func writeArrow(stream bool) func(io.Writer, *frame.Frame, *Format) error {
	return func(w io.Writer, f *frame.Frame, _ *Format) error {
		columns := make([]*arrow.Column, f.Width())
		for j, c := range f.Columns() {
			columns[j] = &arrow.Column{Column: *plainColumn(c), Category: c.Kind() == frame.CategoryKind}
			if columns[j].Category {
				columns[j].Codes, columns[j].Words = c.Codes()
			}
		}
		return arrow.Write(w, columns, f.Len(), stream)
	}
}
