package read

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
	"github.com/gokernel/gokernel/mlstd/model"
)

// These are the limits of a sheet.
const (
	sheetRows    = 1 << 20
	sheetColumns = 1 << 14
	cellLetters  = 32767
)

// The styles of cells are their indices in the styles part.
const (
	plainStyle = iota
	headStyle
	dayStyle
	secondStyle
	milliStyle
)

// bookParts holds the parts of a workbook that do not depend on its cells.
var bookParts = [][2]string{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
		`<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/>` +
		`<numFmt numFmtId="166" formatCode="yyyy\-mm\-dd\ hh:mm:ss.000"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`},
}

const bookPart = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
	`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="%s" sheetId="1" r:id="rId1"/></sheets></workbook>`

// writeExcel writes a workbook of one sheet. Its first row has the names in bold and is frozen.
// Times are written as local times of their zone, since a workbook has no time zones.
func writeExcel(w io.Writer, f *frame.Frame, o *Format) error {
	name, err := sheetName(o.Sheet)
	if err != nil {
		return err
	}
	if top := sheetRows - 1; f.Len() > top || f.Width() > sheetColumns {
		return model.Errorf("Excel", "the frame must have at most %d rows and %d columns to fit a sheet, got %d and %d", top, sheetColumns, f.Len(), f.Width()).WithHint("write csv or parquet")
	}
	writers := make([]cellWriter, f.Width())
	for j, c := range f.Columns() {
		if writers[j], err = cellWriterOf(c); err != nil {
			return err
		}
	}
	z := zip.NewWriter(w)
	for _, part := range append(slices.Clone(bookParts), [2]string{"xl/workbook.xml", fmt.Sprintf(bookPart, escaped(name))}) {
		p, err := z.Create(part[0])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(p, xml.Header+part[1]); err != nil {
			return err
		}
	}
	p, err := z.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	if err := writeSheet(p, f, o, writers); err != nil {
		return err
	}
	return z.Close()
}

func sheetName(name string) (string, error) {
	if name == "" {
		return "Sheet1", nil
	}
	if utf8.RuneCountInString(name) > 31 || strings.ContainsAny(name, `[]:*?/\`) || name[0] == '\'' || name[len(name)-1] == '\'' || !writable(name) {
		return "", model.Errorf("Excel", `Sheet must have at most 31 characters, none of []:*?/\, got %q`, name)
	}
	return name, nil
}

// cellWriter appends the cell of row i, whose value is not missing; place is the name of the cell.
type cellWriter func(line []byte, place string, i int) []byte

// cellWriterOf returns the writer for the cells of a column, or an error if they cannot be written.
func cellWriterOf(c *frame.Column) (cellWriter, error) {
	refuse := func(i int, hint, what string, args ...any) error {
		return model.Errorf("Excel", "row %d of column %q "+what, append([]any{i, c.Name()}, args...)...).WithHint("%s", hint)
	}
	switch c.Kind() {
	case frame.FloatKind:
		v := c.Floats()
		for i, x := range v {
			if math.IsInf(x, 0) {
				return nil, refuse(i, "make it missing, or write csv or parquet", "must be finite to fit a cell")
			}
		}
		return func(line []byte, place string, i int) []byte {
			return append(appendFloat(begin(line, place, plainStyle), v[i], '.'), "</v></c>"...)
		}, nil
	case frame.IntKind:
		whole := c
		if c.Missing() > 0 {
			whole = c.FillMissing(0)
		}
		v := whole.Ints()
		for i, x := range v {
			if x > 1<<53 || x < -1<<53 {
				return nil, refuse(i, "convert the column with AsText, or write csv or parquet", "must be exact in a cell, got %d", x)
			}
		}
		return func(line []byte, place string, i int) []byte {
			return append(strconv.AppendInt(begin(line, place, plainStyle), v[i], 10), "</v></c>"...)
		}, nil
	case frame.BoolKind:
		return func(line []byte, place string, i int) []byte {
			bit := "0"
			if c.At(i).(bool) {
				bit = "1"
			}
			return append(line, `<c r="`+place+`" t="b"><v>`+bit+`</v></c>`...)
		}, nil
	case frame.TimeKind:
		return timeWriter(c, refuse)
	}
	v := c.Strings()
	for i, s := range v {
		if len(s) > cellLetters && !c.IsMissing(i) {
			return nil, refuse(i, "cut the text, or write csv or parquet", "must have at most %d bytes to fit a cell, got %d", cellLetters, len(s))
		}
	}
	return func(line []byte, place string, i int) []byte { return appendText(line, place, plainStyle, v[i]) }, nil
}

// timeWriter writes times as days since the end of 1899, in local time of their zone.
func timeWriter(c *frame.Column, refuse func(int, string, string, ...any) error) (cellWriter, error) {
	style := dayStyle
	first := time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC) // Excel is off by a day before
	moments := c.Moments()
	serial := make([]float64, len(moments))
	for i, t := range moments {
		if c.IsMissing(i) {
			continue
		}
		y, m, d := t.Date()
		wall := time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		unix, _ := wallclock.Moment(wall.Unix(), c.Zone())
		switch nano := t.Nanosecond(); {
		case wall.Before(first):
			return nil, refuse(i, "convert the column with AsText before you write it", "must be in March 1900 or later, where the dates of a workbook begin")
		case unix != t.Unix():
			return nil, refuse(i, "convert the column with In(time.UTC) or AsText before you write it", "must not be in the hour that occurs twice in %v when the clocks go back", c.Zone())
		case nano%1e6 != 0:
			return nil, refuse(i, `convert the column with Floor("1 second") or AsText before you write it`, "must have whole milliseconds to fit a cell")
		case nano != 0:
			style = milliStyle
		case style == dayStyle && wall.Unix()%86400 != 0:
			style = secondStyle
		}
		serial[i] = 25569 + float64(wall.UnixMilli())/864e5
	}
	return func(line []byte, place string, i int) []byte {
		return append(strconv.AppendFloat(begin(line, place, style), serial[i], 'f', -1, 64), "</v></c>"...)
	}, nil
}

// begin appends the start of a cell with a number.
func begin(line []byte, place string, style int) []byte {
	line = append(append(line, `<c r="`...), place...)
	if style != plainStyle {
		line = append(append(line, `" s="`...), byte('0'+style))
	}
	return append(line, `"><v>`...)
}

func appendText(line []byte, place string, style int, s string) []byte {
	line = append(append(line, `<c r="`...), place...)
	if style != plainStyle {
		line = append(append(line, `" s="`...), byte('0'+style))
	}
	line = append(line, `" t="inlineStr"><is><t xml:space="preserve">`...)
	return append(append(line, escaped(s)...), "</t></is></c>"...)
}

// coded finds text that would be read as an encoded character.
var coded = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// writable reports whether XML allows all characters of a text.
func writable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' || r == 0xfffe || r == 0xffff
	})
}

var letters = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// escaped writes a text in XML. Characters that XML does not allow are encoded as in workbooks:
// _x0007_ is a bell.
func escaped(s string) string {
	if strings.Contains(s, "_x") {
		s = coded.ReplaceAllString(s, "_x005F$0")
	}
	if !writable(s) {
		var b strings.Builder
		for _, r := range s {
			if writable(string(r)) {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, "_x%04X_", r)
			}
		}
		s = b.String()
	}
	return letters.Replace(strings.ToValidUTF8(s, "\ufffd"))
}

// unescaped is the inverse of escaped, except for the escapes that the XML decoder resolves.
func unescaped(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return coded.ReplaceAllStringFunc(s, func(code string) string {
		r, err := strconv.ParseUint(code[2:6], 16, 16)
		if err != nil || !utf8.ValidRune(rune(r)) {
			return code
		}
		return string(rune(r))
	})
}

// widthRows is the number of rows that determine the widths of the columns.
const widthRows = 200

// writeSheet writes the cells. A last row without values would be lost, so it gets the error value
// #N/A.
func writeSheet(w io.Writer, f *frame.Frame, o *Format, writers []cellWriter) error {
	columns := f.Columns()
	names := make([]string, len(columns))
	line := []byte(xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`)
	if !o.NoHeader {
		line = append(line, `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`...)
	}
	for j, c := range columns {
		if names[j] = columnName(j); j == 0 {
			line = append(line, "<cols>"...)
		}
		width := utf8.RuneCountInString(c.Name())
		for i := range min(f.Len(), widthRows) {
			width = max(width, utf8.RuneCountInString(c.Text(i)))
		}
		line = fmt.Appendf(line, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, j+1, j+1, min(width, 60)+3)
	}
	if len(columns) > 0 {
		line = append(line, "</cols>"...)
	}
	line = append(line, "<sheetData>"...)
	row := 1
	if !o.NoHeader {
		line = append(line, `<row r="1">`...)
		for j, c := range columns {
			line = appendText(line, names[j]+"1", headStyle, c.Name())
		}
		line = append(line, "</row>"...)
		row++
	}
	for i := range f.Len() {
		number := strconv.Itoa(row + i)
		line = append(append(append(line, `<row r="`...), number...), `">`...)
		before := len(line)
		for j, c := range columns {
			switch {
			case !c.IsMissing(i):
				line = writers[j](line, names[j]+number, i)
			case len(o.Missing) > 0 && o.Missing[0] != "":
				line = appendText(line, names[j]+number, plainStyle, o.Missing[0])
			}
		}
		if i == f.Len()-1 && len(line) == before && len(columns) > 0 {
			line = append(line, `<c r="A`+number+`" t="e"><v>#N/A</v></c>`...)
		}
		if line = append(line, "</row>"...); len(line) > 1<<15 {
			if _, err := w.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	_, err := w.Write(append(line, "</sheetData></worksheet>"...))
	return err
}

// columnName returns the letters that name a column; the columns count from 0.
func columnName(j int) string {
	s := ""
	for j++; j > 0; j = (j - 1) / 26 {
		s = string(rune('A'+(j-1)%26)) + s
	}
	return s
}
