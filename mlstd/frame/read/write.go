package read

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/gokernel/gokernel/internal/wholefile"
	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	parser "github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/parquet"
	"github.com/gokernel/gokernel/mlstd/internal/stream"
	"github.com/gokernel/gokernel/mlstd/model"
)

// writers holds the writer of each format by its name.
var writers = map[string]func(io.Writer, *frame.Frame, *Format) error{
	"csv":     writeCSV,
	"json":    func(w io.Writer, f *frame.Frame, _ *Format) error { return writeJSON(w, f, true) },
	"jsonl":   func(w io.Writer, f *frame.Frame, _ *Format) error { return writeJSON(w, f, false) },
	"parquet": writeParquet, "arrow": writeArrow(false), "arrows": writeArrow(true), "xlsx": writeExcel,
	"html": writeHTML, "tex": writeTeX, "md": writeMarkdown,
}

// Write writes a frame to a file. The extension determines the format: csv, tsv, json, jsonl,
// parquet, arrow, arrows (an Arrow stream), feather or xlsx, followed by .gz or .zst for
// compression. [Read] reads it back. An existing file is replaced once the new file is complete.
//
// Write stores a lazy frame of a [Scan] as CSV, JSON lines or Parquet piece by piece, so that the
// rows need not fit into memory. For the other formats, and for lazy frames of a database, it
// collects the rows first.
//
// The extensions html, tex and md write a table for readers, with all rows and with exact numbers:
// an HTML table, a tabular environment of LaTeX's package booktabs, or Markdown. To round or
// highlight numbers, save a Table instead.
//
// A workbook cannot represent everything in a frame: times are written as local times without their
// zone, and an empty string is read back as a missing value. If a cell cannot represent a value
// exactly, such as an integer beyond 2⁵³, Write returns an error.
func Write(path string, f Tabular, format ...Format) error {
	o, err := one(format)
	if err != nil {
		return err
	}
	name := strings.ToLower(filepath.Base(path))
	compress := filepath.Ext(name)
	if compress == ".gz" || compress == ".zst" {
		name = strings.TrimSuffix(name, compress)
	} else {
		compress = ""
	}
	extension := strings.TrimPrefix(filepath.Ext(name), ".")
	if o.Type != "" {
		extension = o.Type
	}
	write := writers[types[extension]]
	if write == nil {
		return model.Errorf("Write", "the extension must be csv, tsv, json, jsonl, parquet, arrow, feather, xlsx, html, tex or md, also with .gz or .zst, got %s", path)
	}
	if extension == "tsv" && o.Separator == "" {
		with := *o
		with.Separator = "\t"
		o = &with
	}
	all, _ := f.(*frame.Frame)
	if l, ok := f.(*lazy.Frame); ok {
		if stream := streams[types[extension]]; stream != nil {
			write = func(w io.Writer, _ *frame.Frame, o *Format) error { return stream(w, l, o) }
		} else if all, err = l.Collect(); err != nil {
			return err
		}
	} else if all == nil {
		return model.Errorf("Write", "the rows must be a frame or a lazy frame, got %T", f)
	}
	return wholefile.Stream(path, func(file io.Writer) error {
		return compressed(file, compress, func(w io.Writer) error { return write(w, all, o) })
	})
}

// Tabular is a frame or a lazy frame.
type Tabular interface {
	Names() []string
	Has(name string) bool
}

// streams holds the writers of lazy frames, by format.
var streams = map[string]func(io.Writer, *lazy.Frame, *Format) error{
	"csv": streamCSV, "jsonl": streamJSON, "parquet": streamParquet,
}

func streamCSV(w io.Writer, f *lazy.Frame, o *Format) error {
	var out *csvWriter
	return f.Stream(func(part *frame.Frame) (err error) {
		if out == nil {
			if out, err = newCSV(w, part.Names(), o); err != nil {
				return err
			}
		}
		return out.rows(part, func(c *frame.Column) string {
			if c.Zone() != time.UTC {
				return time.RFC3339Nano
			}
			return "2006-01-02 15:04:05.999999999" // a later part can have a time of day
		})
	})
}

func streamJSON(w io.Writer, f *lazy.Frame, _ *Format) error {
	return f.Stream(func(part *frame.Frame) error { return writeJSON(w, part, false) })
}

// groupRows is the minimum number of rows of a row group, except for the last.
const groupRows = 1 << 17

func streamParquet(w io.Writer, f *lazy.Frame, _ *Format) error {
	var out *parquet.Writer
	var held []*frame.Frame
	rows := 0
	flush := func() (err error) {
		all := stream.Stack(held)
		held, rows = nil, 0
		plain := plainColumns(all)
		if out == nil {
			if out, err = parquet.NewWriter(w, plain, func(*infer.Column) bool { return true }); err != nil {
				return err
			}
		}
		return out.Add(plain, all.Len())
	}
	err := f.Stream(func(part *frame.Frame) error {
		held = append(held, part)
		if rows += part.Len(); rows < groupRows {
			return nil
		}
		return flush()
	})
	if err == nil && (rows > 0 || out == nil) {
		err = flush()
	}
	if err != nil {
		return err
	}
	return out.Close()
}

// compressed calls write with a writer that compresses as the extension says.
func compressed(file io.Writer, extension string, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(file, 1<<16)
	var w io.Writer = b
	var c io.Closer
	switch extension {
	case ".gz":
		z := gzip.NewWriter(b)
		w, c = z, z
	case ".zst":
		z, err := zstd.NewWriter(b, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		w, c = z, z
	}
	if err := write(w); err != nil {
		return err
	}
	if c != nil {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return b.Flush()
}

// appender appends the value of row i to a line; the value is not missing.
type appender func(line []byte, i int) []byte

// appenderOf returns the appender for the values of a column. A float keeps a decimal sign, so that
// it is read back as a float.
func appenderOf(c *frame.Column, decimal byte, text func([]byte, string) []byte, moment string) appender {
	switch c.Kind() {
	case frame.FloatKind:
		v := c.Floats()
		return func(line []byte, i int) []byte { return appendFloat(line, v[i], decimal) }
	case frame.StringKind, frame.CategoryKind:
		v := c.Strings()
		return func(line []byte, i int) []byte { return text(line, v[i]) }
	case frame.IntKind:
		if c.Missing() == 0 {
			v := c.Ints()
			return func(line []byte, i int) []byte { return strconv.AppendInt(line, v[i], 10) }
		}
		return func(line []byte, i int) []byte { return strconv.AppendInt(line, c.At(i).(int64), 10) }
	case frame.BoolKind:
		return func(line []byte, i int) []byte { return strconv.AppendBool(line, c.At(i).(bool)) }
	}
	return func(line []byte, i int) []byte { return text(line, c.At(i).(time.Time).Format(moment)) }
}

func appendFloat(line []byte, v float64, decimal byte) []byte {
	from := len(line)
	line = strconv.AppendFloat(line, v, 'g', -1, 64)
	whole := true
	for i := from; i < len(line); i++ {
		switch line[i] {
		case '.':
			line[i] = decimal
			whole = false
		case 'e', 'I', 'N':
			whole = false
		}
	}
	if whole {
		line = append(line, decimal, '0')
	}
	return line
}

// momentOf returns the format of the times of a column: only the date if all are midnight, and
// without a zone if the zone is UTC.
func momentOf(c *frame.Column) string {
	if c.Kind() != frame.TimeKind {
		return ""
	}
	if c.Zone() != time.UTC {
		return time.RFC3339Nano
	}
	for i, t := range c.Moments() {
		if h, m, s := t.Clock(); !c.IsMissing(i) && (h != 0 || m != 0 || s != 0 || t.Nanosecond() != 0) {
			return "2006-01-02 15:04:05.999999999"
		}
	}
	return time.DateOnly
}

func writeCSV(w io.Writer, f *frame.Frame, o *Format) error {
	out, err := newCSV(w, f.Names(), o)
	if err != nil {
		return err
	}
	return out.rows(f, momentOf)
}

// csvWriter writes the rows of frames that have the same columns.
type csvWriter struct {
	io.Writer
	decimal            byte
	separator, missing string
	line               []byte
}

// newCSV begins with the header.
func newCSV(w io.Writer, names []string, o *Format) (*csvWriter, error) {
	if err := checkWritten(&o.Dialect); err != nil {
		return nil, err
	}
	x := &csvWriter{Writer: w, decimal: '.', separator: ","}
	if o.Decimal == "," {
		x.decimal, x.separator = ',', ";"
	}
	if o.Separator != "" {
		x.separator = o.Separator
	}
	if x.separator[0] == x.decimal {
		return nil, model.Errorf("Write", "Separator must differ from the decimal sign, got %q for both", x.separator).WithHint(`set Separator to ";"`)
	}
	if len(o.Missing) > 0 {
		x.missing = o.Missing[0]
	}
	if o.NoHeader {
		return x, nil
	}
	for j, name := range names {
		if j > 0 {
			x.line = append(x.line, x.separator[0])
		}
		x.line = x.text(x.line, name)
	}
	x.line = append(x.line, '\n')
	return x, nil
}

func (x *csvWriter) text(line []byte, s string) []byte {
	return appendQuoted(line, s, x.separator, x.missing)
}

// rows writes rows, with the times in the format that moment returns.
func (x *csvWriter) rows(f *frame.Frame, moment func(*frame.Column) string) error {
	var write []appender
	columns := f.Columns()
	for _, c := range columns {
		write = append(write, appenderOf(c, x.decimal, x.text, moment(c)))
	}
	line := x.line
	for i := range f.Len() {
		for j, c := range columns {
			if j > 0 {
				line = append(line, x.separator[0])
			}
			switch {
			case !c.IsMissing(i):
				line = write[j](line, i)
			case x.missing == "" && len(columns) == 1:
				line = append(line, `""`...)
			default:
				line = append(line, x.missing...)
			}
		}
		line = append(line, '\n')
		if len(line) > 1<<15 {
			if _, err := x.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	x.line = line[:0]
	_, err := x.Write(line)
	return err
}

// checkWritten returns an error for an option of the dialect that writing does not support.
func checkWritten(d *csv.Dialect) error {
	if err := parser.CheckDialect("Write", d); err != nil {
		return err
	}
	name := ""
	switch {
	case d.Comment != "":
		name = "Comment"
	case d.NoQuotes:
		name = "NoQuotes"
	case d.Skip != 0:
		name = "Skip"
	case d.Ragged:
		name = "Ragged"
	case d.Encoding != "" && !strings.EqualFold(d.Encoding, "utf-8"):
		name = "Encoding"
	default:
		return nil
	}
	return model.Errorf("Write", "%s must not be set: it only applies to reading", name).WithHint("remove %s from the Format", name)
}

// appendQuoted puts a text into quotation marks if it would be misread without them.
func appendQuoted(line []byte, s, separator, missing string) []byte {
	if s != missing && s != "" && !strings.ContainsAny(s, "\"\n\r#"+separator) && s[0] != ' ' && s[len(s)-1] != ' ' && s[0] != '\t' && s[len(s)-1] != '\t' {
		return append(line, s...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(s, `"`, `""`)...)
	return append(line, '"')
}

func writeJSON(w io.Writer, f *frame.Frame, array bool) error {
	text := func(line []byte, s string) []byte {
		b, _ := json.Marshal(s) // a string has no error
		return append(line, b...)
	}
	columns := f.Columns()
	names := make([][]byte, len(columns))
	write := make([]appender, len(columns))
	for j, c := range columns {
		names[j] = append(text(nil, c.Name()), ':')
		write[j] = appenderOf(c, '.', text, time.RFC3339Nano)
		if c.Kind() == frame.FloatKind {
			for i, v := range c.Floats() {
				if math.IsInf(v, 0) {
					return model.Errorf("Write", "row %d of column %q must be finite, since JSON has no infinite numbers", i+1, c.Name())
				}
			}
		}
	}
	var line []byte
	for i := range f.Len() {
		switch {
		case !array:
		case i == 0:
			line = append(line, '[')
		default:
			line = append(line, ",\n"...)
		}
		line = append(line, '{')
		for j, c := range columns {
			if j > 0 {
				line = append(line, ',')
			}
			line = append(line, names[j]...)
			if c.IsMissing(i) {
				line = append(line, "null"...)
			} else {
				line = write[j](line, i)
			}
		}
		line = append(line, '}')
		if !array {
			line = append(line, '\n')
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	if array {
		if f.Len() == 0 {
			line = append(line, '[')
		}
		line = append(line, "]\n"...)
	}
	_, err := w.Write(line)
	return err
}
