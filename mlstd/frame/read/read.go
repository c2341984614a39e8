package read

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/sql"
	"github.com/gokernel/gokernel/mlstd/internal/arrow"
	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Read reads a frame from a file or from an address that begins with http:// or https://. The
// content decides the format: separated values, JSON (a list of records, or an object with one list
// in it), JSON lines, Parquet, Arrow or Feather, an Excel workbook or a SQLite file. Files may be
// compressed with gzip, zstd, bzip2 or zip. The notes of the frame list these decisions; pass a
// [Format] to override them. In separated values, spaces around unquoted fields are removed.
func Read(address string, format ...Format) (*frame.Frame, error) {
	f, err := one(format)
	if err != nil {
		return nil, err
	}
	in, err := open(address, f)
	if err != nil {
		return nil, err
	}
	defer in.close()
	kind, err := in.kind(f)
	if err != nil {
		return nil, err
	}
	out, err := readers[kind](in, f)
	return out, at(address, err)
}

// ReadText reads a frame from a text in a cell: separated values, JSON or JSON lines.
func ReadText(text string, format ...Format) (*frame.Frame, error) {
	f, err := one(format)
	if err != nil {
		return nil, err
	}
	in := &input{name: "text", head: []byte(text[:min(len(text), 512)]), size: int64(len(text))}
	kind, err := in.kind(f)
	if err != nil {
		return nil, err
	}
	source := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	switch kind {
	case "csv":
		return separated(source, in.size, f)
	case "json", "jsonl":
		return records(source, f)
	}
	return nil, model.Errorf("ReadText", "the content must be text, got %s", kind).WithHint("write the content to a file and Read the file")
}

func one(format []Format) (*Format, error) {
	switch len(format) {
	case 0:
		return &Format{}, nil
	case 1:
		return &format[0], nil
	}
	return nil, model.Errorf("Read", "at most one Format can be passed, got %d", len(format)).WithHint("put all fields into one Format")
}

// at adds the address to an error.
func at(address string, err error) error {
	var e *model.Error
	if errors.As(err, &e) {
		return &model.Error{Op: "Read " + address, What: e.What, Hint: e.Hint}
	}
	return err
}

// readers holds the reader of each format by its name.
var readers = map[string]func(*input, *Format) (*frame.Frame, error){
	"csv":     func(in *input, f *Format) (*frame.Frame, error) { return separated(in.reader, in.size, f) },
	"json":    func(in *input, f *Format) (*frame.Frame, error) { return records(in.reader, f) },
	"jsonl":   func(in *input, f *Format) (*frame.Frame, error) { return records(in.reader, f) },
	"parquet": readParquet,
	"arrow":   readArrow,
	"arrows":  readArrow,
	"xlsx":    readExcel,
	"sqlite": func(in *input, f *Format) (*frame.Frame, error) {
		if err := in.plain(); err != nil {
			return nil, err
		}
		t, err := sql.ReadSQLite(in.path, f.Table)
		if err != nil {
			return nil, err
		}
		return f.choose(t)
	},
}

// types maps extensions to formats.
var types = map[string]string{
	"csv": "csv", "tsv": "csv", "tab": "csv", "txt": "csv", "dat": "csv", "data": "csv",
	"json": "json", "geojson": "json", "jsonl": "jsonl", "ndjson": "jsonl",
	"parquet": "parquet", "pq": "parquet", "arrow": "arrow", "feather": "arrow", "ipc": "arrow", "arrows": "arrows",
	"xlsx": "xlsx", "xlsm": "xlsx", "html": "html", "htm": "html", "tex": "tex", "md": "md",
	"sqlite": "sqlite", "sqlite3": "sqlite", "db": "sqlite",
}

// kind detects the format from the content, and from the extension if the content is ambiguous.
func (in *input) kind(f *Format) (string, error) {
	if f.Type != "" {
		t, ok := types[strings.TrimPrefix(strings.ToLower(f.Type), ".")]
		if !ok || readers[t] == nil {
			return "", model.Errorf("Read", "Type must be csv, json, jsonl, parquet, arrow, feather, xlsx or sqlite, got %q", f.Type)
		}
		return t, nil
	}
	if f.Pattern != "" {
		return "csv", nil
	}
	named := types[strings.TrimPrefix(strings.ToLower(filepath.Ext(in.name)), ".")]
	text := bytes.TrimLeft(bytes.TrimPrefix(in.head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(in.head, []byte("PAR1")):
		return "parquet", nil
	case bytes.HasPrefix(in.head, []byte("SQLite format 3\x00")):
		return "sqlite", nil
	case in.archive != nil && in.entry == nil:
		return "xlsx", nil
	case bytes.HasPrefix(in.head, []byte("\xd0\xcf\x11\xe0")):
		return "", model.Errorf("Read "+in.name, "the file must not be in the Excel format of before 2007").WithHint("save it as .xlsx first")
	case bytes.HasPrefix(in.head, []byte("FEA1")):
		return "", model.Errorf("Read "+in.name, "the file must not be a Feather file of version 1").WithHint("save it with a later version of its program, or as Parquet")
	case bytes.HasPrefix(in.head, []byte(arrow.Magic)), named == "arrow" || named == "arrows":
		return "arrow", nil
	case hasPrefixFold(text, "<!doctype html") || hasPrefixFold(text, "<html"):
		return "", model.Errorf("Read "+in.name, "the content must be data, got a web page").WithHint("use the address of the data file itself")
	case named == "csv" && len(text) > 0:
		return "csv", nil
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return "json", nil
	case named == "json" || named == "jsonl":
		return named, nil
	}
	return "csv", nil
}

func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

// separated reads separated values, or lines that match a pattern.
func separated(source csv.Source, size int64, f *Format) (*frame.Frame, error) {
	context, asked, err := f.texts()
	if err != nil {
		return nil, err
	}
	options := csv.Options{
		Dialect: f.Dialect, Kinds: asked, Columns: f.Columns, Context: context, Size: size,
	}
	x := &lines{}
	if f.Pattern != "" {
		if x, err = newLines(f); err != nil {
			return nil, err
		}
		source = x.of(source)
		options.Separator, options.NoQuotes, options.Size = between, true, 0
		if f.Columns == nil {
			options.Columns = x.names
		}
	}
	t, err := csv.Read(source, &options)
	if x.lost > 0 && x.matched == 0 {
		return nil, model.Errorf("Read", "Pattern must match some of the %d lines, but matches none; the first is %q", x.lost, x.example)
	}
	if err != nil {
		return nil, err
	}
	columns := make([]*frame.Column, len(t.Columns))
	for j, c := range t.Columns {
		columns[j] = column(c)
		t.Columns[j] = nil
	}
	return build(columns, slices.Concat(x.note(), t.Notes, t.Words), f)
}
