package read

import (
	"fmt"
	"os"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/parquet"
	"github.com/gokernel/gokernel/mlstd/internal/stream"
	"github.com/gokernel/gokernel/mlstd/model"
)

// parquetFiles is a scan of Parquet files.
type parquetFiles struct {
	inputs []*input
	files  []*parquet.File
	empty  *frame.Frame
	format *Format
}

// pathReader opens a file for each part, so that many files do not stay open.
type pathReader string

func (p pathReader) ReadAt(b []byte, at int64) (int, error) {
	f, err := os.Open(string(p))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(b, at)
}

func scanParquet(inputs []*input, f *Format) (*parquetFiles, error) {
	s := &parquetFiles{inputs: inputs, format: f}
	for i, in := range inputs {
		if in.unpack != nil || in.entry != nil {
			return nil, model.Errorf("Scan", "the Parquet file %s must not be compressed as a whole", in.path).WithHint("decompress it first")
		}
		file, err := parquet.Open(pathReader(in.path), in.size)
		if err != nil {
			return nil, at(in.path, err)
		}
		s.files = append(s.files, file)
		empty, err := s.convert(file.Empty())
		if err != nil {
			return nil, err
		}
		if empty, err = f.choose(empty.Noted(file.Notes...)); err != nil {
			return nil, err
		}
		if i == 0 {
			s.empty = empty
			continue
		}
		if err := sameColumns(s.empty, empty, in.path); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// sameColumns returns an error unless a file has the columns of the first one.
func sameColumns(first, other *frame.Frame, path string) error {
	for _, c := range first.Columns() {
		if !other.Has(c.Name()) {
			return model.Errorf("Scan", "%s has no column %q, but the first file has", path, c.Name()).WithHint("set Columns of the Format to the columns of all files")
		}
		if k := other.Col(c.Name()).Kind(); k != c.Kind() {
			return model.Errorf("Scan", "column %q must have the kind of the first file, %v, but in %s it is %v", c.Name(), c.Kind(), path, k)
		}
	}
	for _, name := range other.Names() {
		if !first.Has(name) {
			return model.Errorf("Scan", "%s has a column %q, but the first file has not", path, name).WithHint("set Columns of the Format to the columns of all files")
		}
	}
	return nil
}

func (s *parquetFiles) convert(list []*infer.Column) (*frame.Frame, error) {
	columns := make([]*frame.Column, len(list))
	for j, c := range list {
		columns[j] = column(c)
		if c.Kind == infer.Time && s.format.Zone != "" {
			zone, err := s.format.zone()
			if err != nil {
				return nil, err
			}
			columns[j] = columns[j].In(zone)
		}
	}
	return frame.New(columns...)
}

func (s *parquetFiles) Empty() *frame.Frame { return s.empty }

// possible reports whether a row group can have rows that pass the tests.
func (s *parquetFiles) possible(f *parquet.File, g int, tests []stream.Test) bool {
	for _, t := range tests {
		if low, high, ok := f.Bounds(g, t.Column); ok && !t.Possible(low, high) {
			return false
		}
	}
	return true
}

func (s *parquetFiles) groups(tests []stream.Test, do func(f *parquet.File, in *input, g int) error) error {
	for i, f := range s.files {
		for g := range f.Groups() {
			if s.possible(f, g, tests) {
				if err := do(f, s.inputs[i], g); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *parquetFiles) Tasks(columns []string, tests []stream.Test, _ func(string, int), yield func(stream.Task) error) error {
	return s.groups(tests, func(f *parquet.File, in *input, g int) error {
		return yield(stream.Task{Bytes: f.Bytes(g, columns), Read: func() (*frame.Frame, error) {
			list, err := f.Group(g, columns)
			if err = in.checked(err); err != nil {
				return nil, err
			}
			return s.convert(list)
		}})
	})
}

func (s *parquetFiles) Notes(map[string]int) []string { return s.empty.Notes() }

func (s *parquetFiles) Size(columns []string, tests []stream.Test) int64 {
	sum := int64(0)
	s.groups(tests, func(f *parquet.File, _ *input, g int) error { sum += f.Bytes(g, columns); return nil })
	return sum
}

func (s *parquetFiles) Describe(columns []string, tests []stream.Test) string {
	all, some, rows := 0, 0, 0
	for _, f := range s.files {
		all += f.Groups()
	}
	s.groups(tests, func(f *parquet.File, _ *input, g int) error { some++; rows += f.GroupRows(g); return nil })
	return fmt.Sprintf("%s: %d of %d row groups, %d rows, %d MB", describe("Parquet", s.inputs), some, all, rows, s.Size(columns, tests)>>20)
}
