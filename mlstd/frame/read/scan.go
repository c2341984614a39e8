package read

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/parquet"
	"github.com/gokernel/gokernel/mlstd/internal/stream"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Scan returns a lazy frame of files that need not fit into memory: separated values, JSON lines or
// Parquet. The path can have the wildcards * and ?, as in "data/*.parquet", and then means all files
// that match, in the order of their names. The verbs of a lazy frame do not read the files: Collect,
// Write and Explain of the lazy frame show, store and explain the result.
//
// A run reads only the columns that it needs, and leaves out row groups of Parquet in which no row
// can pass the filters. Groups, joins, sorting and Distinct take the memory below the limit of the
// kernel, and then a temporary file. The result does not depend on the number of processors.
//
// For separated values and JSON lines, samples from several places determine the kinds of the
// columns. A later value of another kind is an error that names its line. To avoid it, set Kinds.
func Scan(path string, format ...Format) (*lazy.Frame, error) {
	f, err := one(format)
	if err != nil {
		return nil, err
	}
	paths, err := matches(path)
	if err != nil {
		return nil, err
	}
	inputs := make([]*input, len(paths))
	kind := ""
	for i, p := range paths {
		if inputs[i], err = open(p, f); err != nil {
			return nil, at(p, err)
		}
		inputs[i].close()
		k, err := inputs[i].kind(f)
		if err != nil {
			return nil, err
		}
		if k == "json" {
			k = "jsonl"
		}
		if kind == "" {
			kind = k
		}
		if k != kind {
			return nil, model.Errorf("Scan", "all files must have the same format, got %s in %s and %s in %s", kind, paths[0], k, p)
		}
	}
	var s stream.Source
	switch kind {
	case "parquet":
		s, err = scanParquet(inputs, f)
	case "csv":
		s, err = scanCSV(inputs, f)
	case "jsonl":
		s, err = scanJSON(inputs, f)
	default:
		return nil, model.Errorf("Scan "+path, "the format must be csv, jsonl or parquet, got %s", kind).WithHint("use Read")
	}
	if err != nil {
		return nil, at(path, err)
	}
	return lazy.FromSource(files{}, s, s.Empty()), nil
}

// ScanFrame returns the lazy frame of the rows of a frame, so that a [Scan] can be joined with it.
func ScanFrame(f *frame.Frame) *lazy.Frame {
	return lazy.FromSource(files{}, stream.Memory(f), f)
}

// matches returns the files of a path with wildcards.
func matches(path string) ([]string, error) {
	if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
		return nil, model.Errorf("Scan", "the path must be on this machine, got %s", path).WithHint("download the file first, or use Read")
	}
	if _, err := os.Stat(path); err == nil {
		return []string{path}, nil
	}
	paths, err := filepath.Glob(path)
	if err != nil {
		return nil, model.Errorf("Scan", "the path must be a valid pattern, got %q: %v", path, err)
	}
	if len(paths) == 0 {
		return nil, model.Errorf("Scan", "no file matches %q", path).WithHint("check the folder with Glob of path/filepath")
	}
	return paths, nil
}

// files is the engine of scans.
type files struct{}

func (files) Dialect() (*lazy.Dialect, error) {
	return nil, model.Errorf("LazyFrame.SQL", "a scan of files has no SQL").WithHint("use Explain to see its steps, or SQLFor for a dialect")
}

func (files) Collect(string) (*frame.Frame, error) {
	return nil, model.Errorf("LazyFrame.Collect", "a scan of files has no SQL")
}

func (files) String() string { return "files" }

func (files) Run(f *lazy.Frame, yield func(*frame.Frame) error) error {
	return stream.Run(f, stream.Options{}, yield)
}

func (files) All(f *lazy.Frame) (*frame.Frame, error) { return stream.Collect(f, stream.Options{}) }

func (files) Explain(f *lazy.Frame) (string, error) { return stream.Explain(f) }

// describe names the files of a scan.
func describe(kind string, inputs []*input) string {
	if len(inputs) == 1 {
		return kind + " " + inputs[0].path
	}
	return fmt.Sprintf("%d files of %s, the first %s", len(inputs), kind, inputs[0].path)
}

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

func (s *parquetFiles) groups(tests []stream.Test, do func(f *parquet.File, path string, g int) error) error {
	for i, f := range s.files {
		for g := range f.Groups() {
			if s.possible(f, g, tests) {
				if err := do(f, s.inputs[i].path, g); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *parquetFiles) Tasks(columns []string, tests []stream.Test, yield func(stream.Task) error) error {
	return s.groups(tests, func(f *parquet.File, path string, g int) error {
		return yield(stream.Task{Bytes: f.Bytes(g, columns), Read: func() (*frame.Frame, error) {
			list, err := f.Group(g, columns)
			if err != nil {
				return nil, at(path, err)
			}
			return s.convert(list)
		}})
	})
}

func (s *parquetFiles) Size(columns []string, tests []stream.Test) int64 {
	sum := int64(0)
	s.groups(tests, func(f *parquet.File, _ string, g int) error { sum += f.Bytes(g, columns); return nil })
	return sum
}

func (s *parquetFiles) Describe(columns []string, tests []stream.Test) string {
	all, some, rows := 0, 0, 0
	for _, f := range s.files {
		all += f.Groups()
	}
	s.groups(tests, func(f *parquet.File, _ string, g int) error { some++; rows += f.GroupRows(g); return nil })
	return fmt.Sprintf("%s: %d of %d row groups, %d rows, %d MB", describe("Parquet", s.inputs), some, all, rows, s.Size(columns, tests)>>20)
}

// textFiles is the common part of scans of texts.
type textFiles struct {
	inputs []*input
	empty  *frame.Frame
}

func (s *textFiles) Empty() *frame.Frame { return s.empty }

func (s *textFiles) Size([]string, []stream.Test) int64 {
	sum := int64(0)
	for _, in := range s.inputs {
		sum += in.size
	}
	return sum
}

const (
	pieces    = 8        // places of which samples are taken
	pieceSize = 1 << 18  // bytes of a sample
	someFiles = pieces   // files of which samples are taken
	lineBlock = 4 << 20  // bytes of JSON lines that are read at a time
	longLine  = 64 << 20 // maximum length of a line
)

// samples returns pieces of whole lines: from several places of the first file if it can be read
// from any place, and from the beginnings of other files.
func samples(inputs []*input) [][]byte {
	var out [][]byte
	add := func(in *input, at int64, header bool) {
		r, err := in.reader()
		if err != nil {
			return
		}
		defer r.Close()
		if at > 0 {
			f, ok := r.(*os.File)
			if !ok {
				return
			}
			if _, err := f.Seek(at, io.SeekStart); err != nil {
				return
			}
		}
		b := make([]byte, pieceSize)
		n, _ := io.ReadFull(r, b)
		whole := n < len(b)
		b = b[:n]
		if header {
			b = b[bytes.IndexByte(b, '\n')+1:]
		}
		if !whole {
			b = b[:bytes.LastIndexByte(b, '\n')+1]
		}
		if len(b) > 0 {
			out = append(out, b)
		}
	}
	if in := inputs[0]; in.unpack == nil && in.entry == nil && in.size > 16*pieceSize {
		for k := int64(1); k <= pieces; k++ {
			add(in, (in.size-pieceSize)/pieces*k, true)
		}
	}
	step := max(1, (len(inputs)-1)/someFiles)
	for i := 1; i < len(inputs); i += step {
		add(inputs[i], 0, true)
		add(inputs[i], inputs[i].size/2, true)
	}
	return out
}

// csvFiles is a scan of separated values.
type csvFiles struct {
	textFiles
	scanner *csv.Scanner
	format  *Format
}

func scanCSV(inputs []*input, f *Format) (*csvFiles, error) {
	if f.Pattern != "" {
		return nil, model.Errorf("Scan", "Pattern must not be set").WithHint("use Read")
	}
	context, asked, err := f.texts()
	if err != nil {
		return nil, err
	}
	o := csv.Options{Dialect: f.Dialect, Kinds: asked, Columns: f.Columns, Context: context, Size: inputs[0].size}
	extra := samples(inputs)
	if f.NoHeader || f.Skip > 0 { // the first lines of other files are not what samples leaves out
		extra = nil
	}
	s := &csvFiles{format: f}
	s.inputs = inputs
	if s.scanner, err = csv.NewScanner(inputs[0].reader, extra, o); err != nil {
		return nil, err
	}
	empty, err := s.convert(s.scanner.Empty())
	s.empty = empty.Noted(s.scanner.Notes...)
	return s, err
}

func (s *csvFiles) convert(list []*infer.Column) (*frame.Frame, error) {
	columns := make([]*frame.Column, len(list))
	for j, c := range list {
		columns[j] = column(c)
	}
	return frame.New(columns...)
}

func (s *csvFiles) Tasks(columns []string, _ []stream.Test, yield func(stream.Task) error) error {
	for _, in := range s.inputs {
		err := s.scanner.Blocks(in.reader, columns, func(b *csv.Block, bytes int) error {
			return yield(stream.Task{Bytes: int64(bytes), Read: func() (*frame.Frame, error) {
				list, err := b.Parse()
				if err != nil {
					return nil, at(in.path, err)
				}
				return s.convert(list)
			}})
		})
		if err != nil {
			return at(in.path, err)
		}
	}
	return nil
}

func (s *csvFiles) Describe(columns []string, tests []stream.Test) string {
	return fmt.Sprintf("%s: %d MB", describe("separated values", s.inputs), s.Size(columns, tests)>>20)
}

// Notes reports the values that became missing in a run.
func (s *csvFiles) Notes() []string {
	var notes []string
	for name, n := range s.scanner.Lost() {
		values := "1 value that is"
		if n > 1 {
			values = fmt.Sprintf("%d values that are", n)
		}
		notes = append(notes, fmt.Sprintf("column %q had %s not of its kind: missing", name, values))
	}
	slices.Sort(notes)
	return notes
}

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
	err := blocks(inputs[0], func(b []byte) error { sample = bytes.Clone(b); return enough })
	if err != nil && err != enough {
		return nil, err
	}
	sample = append(sample, '\n')
	for _, piece := range samples(inputs) {
		sample = append(append(sample, piece...), '\n')
	}
	first, err := s.parse(sample, f)
	if err != nil {
		return nil, err
	}
	s.empty = first.Slice(0, 0)
	return s, nil
}

func (s *jsonFiles) parse(b []byte, f *Format) (*frame.Frame, error) {
	return records(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }, f)
}

// blocks calls yield with pieces of whole lines. The next call can overwrite them.
func blocks(in *input, yield func([]byte) error) error {
	r, err := in.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	var rest []byte
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
			return model.Errorf("Scan", "a line of %s must have at most %d MB", in.path, longLine>>20).WithHint("use Read if the file is not JSON lines")
		}
		if len(bytes.TrimSpace(b[:whole])) > 0 {
			if err := yield(b[:whole:whole]); err != nil {
				return err
			}
		}
		if end {
			return nil
		}
	}
}

func (s *jsonFiles) Tasks(columns []string, _ []stream.Test, yield func(stream.Task) error) error {
	for _, in := range s.inputs {
		err := blocks(in, func(b []byte) error {
			return yield(stream.Task{Bytes: int64(len(b)), Read: func() (*frame.Frame, error) {
				out, err := s.block(b, columns)
				return out, at(in.path, err)
			}})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// block parses a piece of a file into columns of the kinds of the sample.
func (s *jsonFiles) block(b []byte, columns []string) (*frame.Frame, error) {
	f, err := s.parse(b, &Format{Dialect: s.format.Dialect, DateOrder: s.format.DateOrder, Zone: s.format.Zone})
	if err != nil {
		return nil, err
	}
	if s.format.Columns == nil {
		for _, name := range f.Names() {
			if !s.empty.Has(name) {
				return nil, model.Errorf("Scan", "a record has a field %q, which no record of the sample has", name).WithHint("set Columns of the Format to the fields to read")
			}
		}
	}
	texts := map[string]frame.Kind{}
	for _, name := range columns {
		if f.Has(name) && s.empty.Col(name).Kind() == frame.StringKind && f.Col(name).Kind() != frame.StringKind && f.Col(name).Missing() < f.Len() {
			texts[name] = frame.StringKind
		}
	}
	if len(texts) > 0 { // strings that all look like times
		if f, err = s.parse(b, &Format{Dialect: s.format.Dialect, Kinds: texts}); err != nil {
			return nil, err
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
			return nil, model.Errorf("Scan", "field %q must be of kind %v, as in a sample, got values of kind %v", name, like.Kind(), c.Kind()).
				WithHint("use Read, which looks at all values, or make the values of the field alike")
		}
		out[j] = c
	}
	return frame.New(out...)
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
