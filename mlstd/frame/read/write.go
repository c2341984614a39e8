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
	parser "github.com/gokernel/gokernel/mlstd/internal/csv"
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
// The extensions html, tex and md write a table for readers, with all rows and with exact numbers:
// an HTML table, a tabular environment of LaTeX's package booktabs, or Markdown. To round or
// highlight numbers, save a Table instead.
//
// A workbook cannot represent everything in a frame: times are written as local times without their
// zone, and an empty string is read back as a missing value. If a cell cannot represent a value
// exactly, such as an integer beyond 2⁵³, Write returns an error.
func Write(path string, f *frame.Frame, format ...Format) error {
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
	return wholefile.Stream(path, func(file io.Writer) error {
		return compressed(file, compress, func(w io.Writer) error { return write(w, f, o) })
	})
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
	if err := checkWritten(&o.Dialect); err != nil {
		return err
	}
	decimal, separator, missing := byte('.'), ",", ""
	if o.Decimal == "," {
		decimal, separator = ',', ";"
	}
	if o.Separator != "" {
		separator = o.Separator
	}
	if separator[0] == decimal {
		return model.Errorf("Write", "Separator must differ from the decimal sign, got %q for both", separator).WithHint(`set Separator to ";"`)
	}
	if len(o.Missing) > 0 {
		missing = o.Missing[0]
	}
	text := func(line []byte, s string) []byte { return appendQuoted(line, s, separator, missing) }
	var write []appender
	var line []byte
	columns := f.Columns()
	for j, c := range columns {
		if j > 0 {
			line = append(line, separator[0])
		}
		line = text(line, c.Name())
		write = append(write, appenderOf(c, decimal, text, momentOf(c)))
	}
	if o.NoHeader {
		line = line[:0]
	} else {
		line = append(line, '\n')
	}
	for i := range f.Len() {
		for j, c := range columns {
			if j > 0 {
				line = append(line, separator[0])
			}
			switch {
			case !c.IsMissing(i):
				line = write[j](line, i)
			case missing == "" && len(columns) == 1:
				line = append(line, `""`...)
			default:
				line = append(line, missing...)
			}
		}
		line = append(line, '\n')
		if len(line) > 1<<15 {
			if _, err := w.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	_, err := w.Write(line)
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
