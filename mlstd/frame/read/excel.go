package read

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// workbook is an Excel file: an archive of XML.
type workbook struct {
	archive *zip.Reader
	strings []string
	dates   []bool // for each cell style, whether it shows numbers as dates
	late    bool   // days are counted from 1904
	sheets  []sheet
}

// sheet is a sheet and where it is in the archive.
type sheet struct{ name, file string }

// These constants limit the size of an unpacked workbook and its number of cells.
const (
	largestPart  = 1 << 31
	largestCells = 1 << 26
)

// part opens a part of the archive; it returns nil if there is none.
func (w *workbook) part(name string) (*xml.Decoder, io.Closer, error) {
	for _, f := range w.archive.File {
		if strings.EqualFold(f.Name, name) {
			r, err := f.Open()
			if err != nil {
				return nil, nil, err
			}
			return xml.NewDecoder(io.LimitReader(r, largestPart)), r, nil
		}
	}
	return nil, nil, nil
}

// decode reads a part into v, if the part exists.
func (w *workbook) decode(name string, v any) error {
	d, c, err := w.part(name)
	if d == nil || err != nil {
		return err
	}
	defer c.Close()
	return d.Decode(v)
}

// open reads the parts that all sheets share.
func (w *workbook) open() error {
	var book struct {
		Properties struct {
			Late string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string     `xml:"name,attr"`
			Any  []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := w.decode("xl/workbook.xml", &book); err != nil {
		return err
	}
	w.late = book.Properties.Late == "1" || book.Properties.Late == "true"
	var links struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := w.decode("xl/_rels/workbook.xml.rels", &links); err != nil {
		return err
	}
	target := map[string]string{}
	for _, l := range links.All {
		if strings.HasPrefix(l.Target, "/") {
			target[l.ID] = l.Target[1:]
		} else {
			target[l.ID] = path.Join("xl", l.Target)
		}
	}
	for _, s := range book.Sheets {
		for _, a := range s.Any {
			if file := target[a.Value]; a.Name.Local == "id" && file != "" {
				w.sheets = append(w.sheets, sheet{s.Name, file})
			}
		}
	}
	if err := w.readStyles(); err != nil {
		return err
	}
	return w.readStrings()
}

// readStyles determines which styles show dates.
func (w *workbook) readStyles() error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := w.decode("xl/styles.xml", &styles); err != nil {
		return err
	}
	own := map[int]bool{}
	for _, f := range styles.Formats {
		own[f.ID] = showsDate(f.Code)
	}
	for _, c := range styles.Cells {
		date, ok := own[c.Format]
		if !ok {
			date = c.Format >= 14 && c.Format <= 22 || c.Format >= 27 && c.Format <= 36 || c.Format >= 45 && c.Format <= 47 || c.Format >= 50 && c.Format <= 58
		}
		w.dates = append(w.dates, date)
	}
	return nil
}

// showsDate reports whether the code of a number format has letters of dates and times
// outside quotation marks and brackets.
func showsDate(code string) bool {
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			n := strings.IndexByte(code[i+1:], '"')
			if n < 0 {
				return false
			}
			i += n + 1
		case '[':
			n := strings.IndexByte(code[i:], ']')
			if n < 0 {
				return false
			}
			if word := strings.ToLower(code[i+1 : i+n]); word != "" && strings.Trim(word, "hms") == "" {
				return true
			}
			i += n
		case '\\', '_', '*':
			i++
		case 'y', 'Y', 'm', 'M', 'd', 'D', 'h', 'H', 's', 'S':
			return true
		case 'G', 'g':
			if len(code) >= i+7 && strings.EqualFold(code[i:i+7], "general") {
				i += 6
			}
		}
	}
	return false
}

// readStrings reads the shared strings that cells refer to.
func (w *workbook) readStrings() error {
	d, c, err := w.part("xl/sharedStrings.xml")
	if d == nil || err != nil {
		return err
	}
	defer c.Close()
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "si" {
			var s rich
			if err := d.DecodeElement(&s, &e); err != nil {
				return err
			}
			w.strings = append(w.strings, s.text())
		}
	}
}

// rich is a text, either plain or in runs of characters with the same format.
type rich struct {
	Text string `xml:"t"`
	Runs []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

func (r *rich) text() string {
	s := r.Text
	for _, run := range r.Runs {
		s += run.Text
	}
	return unescaped(s)
}

// The kinds of cells.
const (
	noCell = iota
	numberCell
	textCell
	boolCell
	dateCell
	errorCell
)

// cell is the value of a cell as text, and its kind.
type cell struct {
	sort byte
	text string
}

// area is a range of cells, counted from 0; the ends are included.
type area struct{ row, column, lastRow, lastColumn int }

// areaOf parses "B3:F90", "B3" or "".
func areaOf(s string) (area, error) {
	a := area{0, 0, math.MaxInt, math.MaxInt}
	if s == "" {
		return a, nil
	}
	from, to, both := strings.Cut(strings.ReplaceAll(s, "$", ""), ":")
	var ok, ok2 bool
	a.row, a.column, ok = place(from)
	if ok2 = true; both {
		a.lastRow, a.lastColumn, ok2 = place(to)
	}
	if !ok || !ok2 || a.row > a.lastRow || a.column > a.lastColumn {
		return a, model.Errorf("Excel", "Range must be a range of cells, got %q", s).WithHint(`use a range such as "B3:F90", or "B3" for all cells from B3 on`)
	}
	return a, nil
}

// place parses the name of a cell, such as B3.
func place(s string) (row, column int, ok bool) {
	i := 0
	for ; i < len(s) && i < 4; i++ {
		c := s[i] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		column = column*26 + int(c-'a') + 1
	}
	row, err := strconv.Atoi(s[i:])
	return row - 1, column - 1, err == nil && i > 0 && row > 0 && row <= 1<<20 && column <= 1<<14 && s[i] != '+'
}

// read reads the cells of a sheet within an area; rows above the first cell are left out.
func (w *workbook) read(file string, a area) ([][]cell, error) {
	d, c, err := w.part(file)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, fmt.Errorf("the archive has no %s", file)
	}
	defer c.Close()
	var rows [][]cell
	row, column, cells, there := -1, -1, 0, 0
	for {
		t, err := d.Token()
		if err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "row":
			row, column = row+1, -1
			if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n > row && n <= 1<<20 {
				row = n - 1
			}
		case "c":
			column++
			if _, k, ok := place(attribute(e, "r")); ok {
				column = k
			}
			var raw struct {
				Value  *string `xml:"v"`
				Inline rich    `xml:"is"`
			}
			if err := d.DecodeElement(&raw, &e); err != nil {
				return nil, err
			}
			if row < a.row || row > a.lastRow || column < a.column || column > a.lastColumn || column >= 1<<14 {
				continue
			}
			value := ""
			if raw.Value != nil {
				value = *raw.Value
			}
			x, err := w.cell(attribute(e, "t"), attribute(e, "s"), value, &raw.Inline)
			if err != nil || x.sort == noCell {
				if err != nil {
					return nil, err
				}
				continue
			}
			if there++; row-a.row >= sparse(there) {
				return nil, tooSparse(row-a.row+1, column-a.column+1, there)
			}
			for len(rows) <= row-a.row {
				rows = append(rows, nil)
			}
			r := &rows[row-a.row]
			if cells += max(0, column-a.column+1-len(*r)); cells > largestCells || cells > sparse(there) {
				return nil, tooSparse(len(rows), column-a.column+1, there)
			}
			for len(*r) <= column-a.column {
				*r = append(*r, cell{})
			}
			(*r)[column-a.column] = x
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// cell determines the value and the kind of a cell.
func (w *workbook) cell(kind, style, value string, inline *rich) (cell, error) {
	switch kind {
	case "s":
		k, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || k < 0 || k >= len(w.strings) {
			return cell{}, fmt.Errorf("there is no shared string %q", value)
		}
		return textOf(w.strings[k]), nil
	case "inlineStr":
		return textOf(inline.text()), nil
	case "str":
		return textOf(unescaped(value)), nil
	case "b":
		return cell{boolCell, strconv.FormatBool(value == "1")}, nil
	case "e":
		return cell{errorCell, value}, nil
	case "d":
		return cell{dateCell, value}, nil
	}
	if value == "" {
		return cell{}, nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return cell{}, fmt.Errorf("%q is not a number", value)
	}
	if k, err := strconv.Atoi(style); err == nil && k >= 0 && k < len(w.dates) && w.dates[k] {
		if s, ok := w.moment(v); ok {
			return cell{dateCell, s}, nil
		}
	}
	if whole := strconv.FormatFloat(v, 'f', -1, 64); !strings.Contains(value, ".") && !strings.Contains(whole, ".") && math.Abs(v) < 1<<53 {
		value = whole
	}
	return cell{numberCell, value}, nil
}

func textOf(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{textCell, s}
}

// moment writes the date of a serial number, which Excel counts from the end of 1899 or from 1904.
// Excel treats 1900 as a leap year, so the first two months are off by a day. A number below 1 is a
// time of day without a date.
func (w *workbook) moment(v float64) (string, bool) {
	if v < 1 || v > 2958466 {
		return "", false
	}
	from := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if w.late {
		from = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	} else if v < 61 {
		v++
	}
	days := math.Floor(v)
	t := from.AddDate(0, 0, int(days)).Add(time.Duration(math.Round((v-days)*864e5)) * time.Millisecond)
	return t.Format("2006-01-02 15:04:05.999"), true
}

// readExcel reads a sheet of a workbook.
func readExcel(in *input, f *Format) (*frame.Frame, error) {
	if in.archive == nil || in.entry != nil {
		// A workbook within another archive or compression is unpacked first.
		if err := in.plain(); err != nil {
			return nil, err
		}
		if in.archive != nil {
			in.archive.Close()
			in.archive = nil
		}
		archive, err := zip.OpenReader(in.path)
		if err != nil {
			return nil, model.Errorf("Excel", "the file is not a workbook: %v", err)
		}
		in.archive = archive
	}
	w := &workbook{archive: &in.archive.Reader}
	return w.frame(f)
}

// frame reads a sheet; an error says whether the workbook is damaged.
func (w *workbook) frame(f *Format) (*frame.Frame, error) {
	out, err := w.table(f)
	var e *model.Error
	if err != nil && !errors.As(err, &e) {
		err = model.Errorf("Excel", "the workbook is damaged: %v", err)
	}
	return out, err
}

func (w *workbook) table(f *Format) (*frame.Frame, error) {
	a, err := areaOf(f.Range)
	if err != nil {
		return nil, err
	}
	if err := w.open(); err != nil {
		return nil, err
	}
	names := make([]string, len(w.sheets))
	for i, s := range w.sheets {
		names[i] = s.name
	}
	if f.Sheet != "" && !slices.Contains(names, f.Sheet) {
		return nil, model.Errorf("Excel", "there is no sheet %q", f.Sheet).WithHint("use one of %q", names)
	}
	for _, s := range w.sheets {
		if f.Sheet != "" && s.name != f.Sheet {
			continue
		}
		rows, err := w.read(s.file, a)
		if err != nil {
			return nil, err
		}
		if rows = trimRows(rows, f.Skip); len(rows) == 0 {
			continue
		}
		var notes []string
		if len(names) > 1 && f.Sheet == "" {
			notes = append(notes, fmt.Sprintf("the sheet is %q of %q", s.name, names))
		}
		return tableOf(rows, notes, f)
	}
	return nil, model.Errorf("Excel", "the sheet must not be empty")
}

// trimRows leaves out the given number of rows, and empty rows above and below the table.
func trimRows(rows [][]cell, skip int) [][]cell {
	rows = rows[min(skip, len(rows)):]
	for len(rows) > 0 && len(rows[0]) == 0 {
		rows = rows[1:]
	}
	for len(rows) > 0 && len(rows[len(rows)-1]) == 0 {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// sparse returns the maximum number of cells of a table, given how many are not empty.
func sparse(there int) int { return 1<<18 + 64*there }

func tooSparse(rows, width, there int) error {
	return model.Errorf("Excel", "the table has %d rows and %d columns, but only %d cells that are not empty", rows, width, there).WithHint("set Range to the part that holds the data")
}

func countEmpty(r []cell) int {
	n := 0
	for _, c := range r {
		if c.sort == noCell {
			n++
		}
	}
	return n
}

// tableOf makes a frame from rows, of which the first has the names.
func tableOf(rows [][]cell, notes []string, f *Format) (*frame.Frame, error) {
	width, left, there := 0, math.MaxInt, 0
	for _, r := range rows {
		width = max(width, len(r))
		there += len(r) - countEmpty(r)
		if k := slices.IndexFunc(r, func(c cell) bool { return c.sort != noCell }); k >= 0 {
			left = min(left, k)
		}
	}
	if width*len(rows) > sparse(there) {
		return nil, tooSparse(len(rows), width, there)
	}
	head := rows[0]
	if f.NoHeader {
		head = nil
	} else {
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return nil, model.Errorf("Excel", "there must be a row below the header, got none").WithHint("set NoHeader of the Dialect if the first row is data")
	}
	context, asked, err := f.texts()
	if err != nil {
		return nil, err
	}
	context.Decimal = '.'
	missing := infer.NewMissing(f.Missing)
	used := map[string]bool{}
	var columns []*frame.Column
	var read []string
	var misses []map[string]int
	for j := left; j < width; j++ {
		name := "x" + strconv.Itoa(j-left+1)
		if head != nil {
			if name = ""; j < len(head) {
				name = strings.TrimSpace(head[j].text)
			}
		}
		if name == "" {
			name = "column " + strconv.Itoa(j-left+1)
		}
		base := name
		for k := 2; used[name]; k++ {
			name = base + " " + strconv.Itoa(k)
		}
		used[name] = true
		if f.Columns != nil && !slices.Contains(f.Columns, name) {
			continue
		}
		kind, forced := asked[name]
		absent := map[string]int{}
		c, said := cellColumn(name, j, rows, kind, forced, &context, missing, absent)
		columns, notes = append(columns, column(c)), append(notes, said...)
		read, misses = append(read, name), append(misses, absent)
	}
	if err := f.missingNames(used); err != nil {
		return nil, err
	}
	return build(columns, append(notes, infer.MissingNotes(read, misses)...), f)
}

// cellColumn makes a column from cells, with their common kind or otherwise as strings. It counts
// the texts that stand for a missing value in absent.
func cellColumn(name string, j int, rows [][]cell, kind infer.Kind, forced bool, c *infer.Context, m *infer.Missing, absent map[string]int) (*infer.Column, []string) {
	var count [6]int
	wrong, wrongRow := "", 0
	texts := make([]string, len(rows))
	for i, r := range rows {
		if j >= len(r) {
			continue
		}
		if x := r[j]; x.sort == errorCell {
			if count[errorCell] == 0 {
				wrong, wrongRow = x.text, i
			}
			count[errorCell]++
		} else if !m.Has([]byte(x.text)) {
			count[x.sort]++
			texts[i] = x.text
		} else if x.text != "" {
			absent[x.text]++
		}
	}
	var notes []string
	say := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("column %q ", name)+fmt.Sprintf(format, args...))
	}
	if count[errorCell] > 0 {
		say("has the error %s in row %d, and errors in %d rows in all: read as missing", wrong, wrongRow+1, count[errorCell])
	}
	x := infer.Coded(texts, func(i int) bool { return texts[i] != "" })
	tally, _ := x.Tally(m)
	known := count[numberCell] + count[textCell] + count[boolCell] + count[dateCell]
	v := infer.Verdict{}
	switch {
	case forced:
		if v = tally.Forced(kind, c); v.OddCount > 0 {
			say("has %q in row %d, and values in %d rows that are not of kind %v: read as missing", v.Odd, v.OddRow+1, v.OddCount, kind)
		}
	case count[textCell] == known && known > 0:
		// Texts stay strings, unless all are dates.
		if v = tally.Verdict(c); v.Kind != infer.Time {
			if v.Kind == infer.Int || v.Kind == infer.Float {
				say("has numbers stored as text: read as text; set Kinds to read numbers")
			}
			v = infer.Verdict{}
		}
	case count[numberCell] == known || count[boolCell] == known || count[dateCell] == known:
		v = tally.Verdict(c)
	default:
		say("has %d numbers, %d texts, %d dates and %d booleans: read as text", count[numberCell], count[textCell], count[dateCell], count[boolCell])
	}
	out := x.Column(name, &v.Recipe, m)
	for _, note := range append(v.Notes, infer.ClashNotes(out.Clashes, out.Zone, 1)...) {
		say("%s", note)
	}
	return out, notes
}
