package read

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
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
