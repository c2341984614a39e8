package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/stream"
	"github.com/gokernel/gokernel/mlstd/model"
)

// jsonFiles is a scan of JSON lines.
type jsonFiles struct {
	textFiles
	format *Format
}

func scanJSON(inputs []*input, f *Format) (*jsonFiles, error) {
	if f.Records != "" {
		return nil, model.Errorf("Scan", "Records must not be set: JSON lines have one record per line").WithHint("use Read")
	}
	s := &jsonFiles{format: f}
	s.inputs = inputs
	for _, in := range inputs {
		if text := bytes.TrimLeft(in.head, " \t\r\n\xef\xbb\xbf"); len(text) > 0 && text[0] == '[' {
			return nil, model.Errorf("Scan", "%s must have one record per line, but is a list", in.path).WithHint("use Read, or write it as JSON lines")
		}
	}
	var sample []byte
	enough := fmt.Errorf("enough")
	err := blocks(inputs[0], func(b []byte, _ position) error { sample = bytes.Clone(b); return enough })
	if err != nil && err != enough {
		return nil, at(inputs[0].path, err)
	}
	pieces := append(sample, '\n')
	for _, piece := range samples(inputs) {
		pieces = append(append(pieces, piece...), '\n')
	}
	first, err := s.parse(pieces, f)
	if err != nil && len(sample) > 0 { // a run reports the place of an error that is further down
		pieces = sample
		first, err = s.parse(pieces, f)
	}
	if err != nil {
		return nil, at(inputs[0].path, err)
	}
	s.empty = stream.Plain(first.Slice(0, 0))
	return s, s.fixOrder(pieces)
}

// fixOrder determines the order of day and month in dates, so that each block has the same one.
func (s *jsonFiles) fixOrder(sample []byte) error {
	if !slices.ContainsFunc(s.empty.Columns(), func(c *frame.Column) bool { return c.Kind() == frame.TimeKind }) {
		return nil
	}
	orders := []string{"dmy", "mdy"}
	if s.format.DateOrder != "" {
		orders = []string{s.format.DateOrder}
	}
	for _, order := range orders {
		with := *s.format
		with.DateOrder, with.fixed = order, true
		f, err := s.parse(sample, &with)
		if err != nil {
			return err
		}
		if sameColumns(s.empty, stream.Plain(f.Slice(0, 0)), "") == nil {
			s.format = &with
			return nil
		}
	}
	return model.Errorf("Scan", "the dates must all have the same order of day and month").WithHint("set Kinds of the Format to read some of them as strings")
}

func (s *jsonFiles) parse(b []byte, f *Format) (*frame.Frame, error) {
	return records(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }, f)
}

// position is the place of a block in a file.
type position struct {
	line  int // from 1
	bytes int // that were read
}

// blocks calls yield with pieces of whole lines.
func blocks(in *input, yield func([]byte, position) error) error {
	r, err := in.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	var rest []byte
	line := 1
	for {
		b := append(make([]byte, 0, lineBlock+len(rest)), rest...)
		n, err := io.ReadFull(r, b[len(rest):cap(b)])
		b = b[:len(rest)+n]
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return err
		}
		whole := len(b)
		if !end {
			whole = bytes.LastIndexByte(b, '\n') + 1
		}
		rest = b[whole:]
		if len(rest) > longLine {
			return model.Errorf("Scan", "line %d must have at most %d MB", line, longLine>>20).WithHint("use Read if the file is not JSON lines")
		}
		if len(bytes.TrimSpace(b[:whole])) > 0 {
			if err := yield(b[:whole:whole], position{line, whole}); err != nil {
				return err
			}
		}
		line += bytes.Count(b[:whole], []byte("\n"))
		if end {
			return nil
		}
	}
}

func (s *jsonFiles) Tasks(columns []string, _ []stream.Test, count func(string, int), yield func(stream.Task) error) error {
	for _, in := range s.inputs {
		var stopped error
		err := blocks(in, func(b []byte, at position) error {
			stopped = yield(stream.Task{Bytes: int64(at.bytes), Read: func() (*frame.Frame, error) {
				out, err := s.block(b, at.line, columns, count)
				if err != nil {
					return nil, in.checked(err)
				}
				return out, nil
			}})
			return stopped
		})
		if stopped != nil {
			return stopped
		}
		if err = in.checked(err); err != nil {
			return err
		}
	}
	return nil
}

func (s *jsonFiles) Notes(counts map[string]int) []string {
	return append(s.empty.Notes(), lostNotes(counts)...)
}

// block parses a piece of a file into columns of the kinds of the sample. The piece begins with the
// given line.
func (s *jsonFiles) block(b []byte, line int, columns []string, count func(string, int)) (*frame.Frame, error) {
	format := s.plainFormat()
	f, err := s.parse(b, &format)
	if err != nil {
		return nil, s.locate(b, line, err)
	}
	if s.format.Columns == nil {
		for _, name := range f.Names() {
			if !s.empty.Has(name) {
				return nil, model.Errorf("Scan", "a record from line %d on has a field %q, which no record of the sample has", line, name).WithHint("set Columns of the Format to the fields to read")
			}
		}
	}
	asked := map[string]frame.Kind{} // kinds that the user set, and strings that all look like times
	for _, name := range columns {
		if !f.Has(name) || f.Col(name).Kind() == s.empty.Col(name).Kind() || f.Col(name).Missing() == f.Len() {
			continue
		}
		if _, forced := s.format.Kinds[name]; forced || s.empty.Col(name).Kind() == frame.StringKind {
			asked[name] = s.empty.Col(name).Kind()
		}
	}
	if len(asked) > 0 {
		before := f
		format.Kinds = asked
		if f, err = s.parse(b, &format); err != nil {
			return nil, s.locate(b, line, err)
		}
		for name := range asked {
			if n := f.Col(name).Missing() - before.Col(name).Missing(); n > 0 {
				count(name, n)
			}
		}
	}
	out := make([]*frame.Column, len(columns))
	for j, name := range columns {
		like := s.empty.Col(name)
		if !f.Has(name) || f.Col(name).Missing() == f.Len() {
			out[j] = missingColumn(like, f.Len())
			continue
		}
		c := f.Col(name)
		switch {
		case c.Kind() == like.Kind():
		case like.Kind() == frame.FloatKind && c.Kind() == frame.IntKind:
			c = frame.FloatColumn(name, c.Floats()).WithUnit(like.Unit())
		default:
			return nil, s.misfit(b, line, name, like.Kind())
		}
		out[j] = c
	}
	return frame.New(out...)
}

// locate returns the error of the first line of a piece that is not valid on its own.
func (s *jsonFiles) locate(b []byte, line int, err error) error {
	for text := range bytes.Lines(b) {
		var e *model.Error
		if v := bytes.TrimSpace(text); len(v) > 0 && !jsontext.Value(v).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			return model.Errorf("Scan", "line %d must be a JSON record, got %s", line, shortened(v)).WithHint("correct the line, or use Read if a record has several lines")
		} else if !errors.As(err, &e) {
			return err
		}
		line++
	}
	return err
}

// misfit returns the error for a field of a piece that has values of another kind than in the
// sample, with the first such line.
func (s *jsonFiles) misfit(b []byte, line int, name string, kind frame.Kind) error {
	lines := slices.Collect(bytes.Lines(b))
	format := s.plainFormat()
	odd := func(lo, hi int) (frame.Kind, *frame.Column) {
		f, err := s.parse(bytes.Join(lines[lo:hi], nil), &format)
		if err != nil || !f.Has(name) || f.Col(name).Missing() == f.Len() {
			return kind, nil
		}
		c := f.Col(name)
		if kind == frame.FloatKind && c.Kind() == frame.IntKind {
			return kind, c
		}
		return c.Kind(), c
	}
	lo, hi := 0, len(lines)
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if k, _ := odd(lo, mid); k != kind {
			hi = mid
		} else {
			lo = mid
		}
	}
	value := "a value"
	if k, c := odd(lo, hi); k != kind && c.Len() > 0 {
		value = fmt.Sprintf("%#v", c.At(0))
	}
	return model.Errorf("Scan", "line %d has %s in field %q, but a sample of the field has only values of kind %v", line+lo, value, name, kind).
		WithHint("set Kinds of the Format for this field")
}

// plainFormat returns the options for a block, which must not name fields that the block lacks.
func (s *jsonFiles) plainFormat() Format {
	return Format{Dialect: s.format.Dialect, DateOrder: s.format.DateOrder, Zone: s.format.Zone, fixed: s.format.fixed}
}

// shortened returns the beginning of a text in quotation marks.
func shortened(b []byte) string {
	if len(b) > 60 {
		return fmt.Sprintf("%q...", b[:60])
	}
	return fmt.Sprintf("%q", b)
}

// missingColumn returns a column of n missing values.
func missingColumn(like *frame.Column, n int) *frame.Column {
	gone := slices.Repeat([]uint64{math.MaxUint64}, (n+63)/64)
	switch like.Kind() {
	case frame.FloatKind:
		return frame.FloatColumn(like.Name(), slices.Repeat([]float64{math.NaN()}, n)).WithUnit(like.Unit())
	case frame.IntKind:
		return frame.IntColumn(like.Name(), make([]int64, n)).MarkMissing(gone)
	case frame.BoolKind:
		return frame.BoolColumn(like.Name(), make([]bool, n)).MarkMissing(gone)
	case frame.TimeKind:
		return frame.NanoColumn(like.Name(), make([]int64, n), like.Zone()).MarkMissing(gone)
	}
	return frame.StringCodes(like.Name(), slices.Repeat([]int32{-1}, n), nil)
}

func (s *jsonFiles) Describe(columns []string, tests []stream.Test) string {
	return fmt.Sprintf("%s: %d MB", describe("JSON lines", s.inputs), s.Size(columns, tests)>>20)
}
