package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/parquet"
	"github.com/gokernel/gokernel/mlstd/internal/stream"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Scan returns a lazy frame of files that need not fit into memory: separated values, JSON lines or
// Parquet. The path can have the wildcards * and ?, as in "data/*.parquet", and then means all
// files that match, in the order of their names. The verbs of a lazy frame do not read the files:
// Collect, Write and Explain of the lazy frame show, store and explain the result.
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
		return nil, err
	}
	return lazy.FromSource(files{}, s, s.Empty()), nil
}

// ScanFrame returns the lazy frame of the rows of a frame, so that a [Scan] can be joined with it.
// Categories become strings.
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
	longLine  = 64 << 20 // maximum length of a line
)

// lineBlock is the number of bytes of JSON lines that are read at a time. Tests change it.
var lineBlock = 4 << 20

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
		return nil, at(inputs[0].path, err)
	}
	for _, in := range inputs[1:] {
		if err := s.scanner.Check(in.reader); err != nil {
			return nil, at(in.path, err)
		}
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

func (s *csvFiles) Tasks(columns []string, _ []stream.Test, count func(string, int), yield func(stream.Task) error) error {
	for _, in := range s.inputs {
		var stopped error
		err := s.scanner.Blocks(in.reader, columns, func(b *csv.Block, bytes int) error {
			stopped = yield(stream.Task{Bytes: int64(bytes), Read: func() (*frame.Frame, error) {
				list, err := b.Parse(count)
				if err != nil {
					return nil, in.checked(err)
				}
				return s.convert(list)
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

func (s *csvFiles) Describe(columns []string, tests []stream.Test) string {
	return fmt.Sprintf("%s: %d MB", describe("separated values", s.inputs), s.Size(columns, tests)>>20)
}

func (s *csvFiles) Notes(counts map[string]int) []string {
	return append(s.empty.Notes(), lostNotes(counts)...)
}

// lostNotes reports the values that became missing in a run, by column; the name "" is that of
// lines with too few fields.
func lostNotes(counts map[string]int) []string {
	var notes []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		n := counts[name]
		switch {
		case name == "" && n == 1:
			notes = append(notes, "1 line has fewer fields than there are columns: the rest of the line is missing")
		case name == "":
			notes = append(notes, fmt.Sprintf("%d lines have fewer fields than there are columns: the rest of each such line is missing", n))
		case n == 1:
			notes = append(notes, fmt.Sprintf("column %q has 1 value that is not of its kind: read as missing", name))
		case n > 1:
			notes = append(notes, fmt.Sprintf("column %q has %d values that are not of its kind: read as missing", name, n))
		}
	}
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
