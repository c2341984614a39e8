package read

import (
	"archive/zip"
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

const sales = `day time: 2024-01-31T00:00:00Z 2024-02-29T00:00:00Z ? 1999-12-31T00:00:00Z
city string: Köln ? ? Bonn & Co
amount float64: ? 0.001 ? -3
n int64: 1 9007199254740991 ? 4
paid bool: true false ? true
code string: 007 012 ? x
at time: 2024-01-31T08:30:00Z 2024-02-29T23:59:59Z ? 1999-12-31T00:00:00Z
mixed string: 1 x ? 2024-01-01 00:00:00
`

// The workbook is written by testdata/workbook.py with openpyxl.
func TestExcel(t *testing.T) {
	got, err := Read("testdata/workbook.xlsx", Format{Range: "A3"})
	if err != nil {
		t.Fatal(err)
	}
	if show(got) != sales {
		t.Errorf("%swant\n%s", show(got), sales)
	}
	notes := strings.Join(got.Notes(), "\n")
	for _, want := range []string{`the sheet is "sales"`, "error #DIV/0! in row 1", `column "mixed" has 1 numbers, 1 texts, 1 dates`} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	got, err = Read("testdata/workbook.xlsx", Format{Sheet: "sales", Range: "$B$3:D5", Kinds: map[string]frame.Kind{"n": frame.FloatKind}})
	if err != nil || show(got) != "city string: Köln ?\namount float64: ? 0.001\nn float64: 1 9.007199254740991e+15\n" {
		t.Errorf("%v %v", got, err)
	}
	for _, c := range []struct {
		format Format
		want   string
	}{
		{Format{Sheet: "none"}, `there is no sheet "none"`},
		{Format{Range: "3B"}, `"3B"`},
		{Format{Sheet: "empty"}, "the sheet must not be empty"},
		{Format{Range: "A3", Columns: []string{"none"}}, `no column "none"`},
	} {
		if _, err := Read("testdata/workbook.xlsx", c.format); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestShowsDate(t *testing.T) {
	for code, want := range map[string]bool{
		"yyyy-mm-dd": true, `dd.mm.yyyy\ hh:mm`: true, "[h]:mm": true, "General": false, `0.00 "days"`: false, "[Red]0.0": false, `#,##0\ "€";[Red]\-#,##0`: false, "m/d": true,
	} {
		if got := showsDate(code); got != want {
			t.Errorf("%q: %v", code, got)
		}
	}
}

// archive makes a workbook of one sheet.
func archive(sheet string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/sharedStrings.xml":       `<sst><si><t>name</t></si><si><r><t>v</t></r><r><t>alue</t></r></si></sst>`,
		"xl/worksheets/sheet1.xml":   sheet,
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			panic(err)
		}
		w.Write([]byte(text))
	}
	z.Close()
	return b.Bytes()
}

func FuzzExcel(f *testing.F) {
	for _, s := range []string{
		`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row><c><v>1</v></c><c t="b"><v>1</v></c></row></sheetData></worksheet>`,
		`<worksheet><sheetData><row r="9"><c r="XFD9" t="inlineStr"><is><t>x_x0007_</t></is></c></row><row r="1048576"><c t="e"><v>#N/A</v></c></row></sheetData></worksheet>`,
		`<worksheet><sheetData><row><c t="s"><v>7</v></c></row>`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { readBook(t, archive(text)) })
}

// FuzzWorkbook changes the bytes of whole workbooks.
func FuzzWorkbook(f *testing.F) {
	b, err := os.ReadFile("testdata/workbook.xlsx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(archive(`<worksheet><sheetData><row><c t="inlineStr"><is><t>x</t></is></c></row><row><c><v>1</v></c></row></sheetData></worksheet>`))
	f.Fuzz(readBook)
}

// readBook reads a workbook. It fails unless it gets either an error that describes the problem or
// all rows that have a cell.
func readBook(t *testing.T, b []byte) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return
	}
	w := &workbook{archive: z}
	f, err := w.frame(&Format{})
	var e *model.Error
	if err != nil {
		if !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	for _, s := range w.sheets {
		rows, err := w.read(s.file, area{0, 0, math.MaxInt, math.MaxInt})
		if err != nil {
			t.Fatal(err)
		}
		first, last := -1, -1
		for i, r := range rows {
			if countEmpty(r) < len(r) {
				if last = i; first < 0 {
					first = i
				}
			}
		}
		if first < 0 {
			continue
		}
		if f.Len() != last-first {
			t.Fatalf("%d rows of %d", f.Len(), last-first)
		}
		return
	}
}

// A frame is the same after it was written and read, and openpyxl reads the same cells:
// see testdata/e2e.
func TestExcelRoundTrip(t *testing.T) {
	day := func(s string) time.Time {
		at, err := time.Parse("2006-01-02 15:04:05.000", s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	f := frame.FromRows(map[string]any{
		"amount": []float64{0.1, 12, -1e300, math.NaN(), math.NaN()},
		"n":      []int64{1 << 53, -7, 0, 3, 0},
		"paid":   []bool{true, false, true, true, false},
		"city":   []string{"Köln & <Bonn>", " two\nlines ", "_x0041_ \x07 \r", `"quoted"`, "007"},
		"day":    []time.Time{day("1900-03-01 00:00:00.000"), day("2024-02-29 00:00:00.000"), day("2261-12-31 00:00:00.000"), {}, {}},
		"at":     []time.Time{day("2024-01-01 23:59:59.999"), day("1999-12-31 12:00:00.001"), day("2024-06-01 00:00:00.000"), {}, {}},
	})
	f = f.With("n", f.Col("n").MarkMissing([]uint64{1 << 4})).With("paid", f.Col("paid").MarkMissing([]uint64{1 << 4})).With("city", f.Col("city").MarkMissing([]uint64{1 << 4}))
	path := filepath.Join(t.TempDir(), "a.xlsx")
	for _, format := range []Format{{}, {Sheet: "data"}} {
		if err := Write(path, f, format); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path, format)
		if err != nil {
			t.Fatal(err)
		}
		if show(got) != show(f) {
			t.Errorf("got\n%swant\n%s", show(got), show(f))
		}
	}
	if _, err := Read(path, Format{Sheet: "Sheet1"}); err == nil {
		t.Error("the sheet is not called data")
	}
	wide := frame.FromRows(map[string]any{"x": []int{1, 2}})
	for j := range 800 {
		wide.Set("c"+strconv.Itoa(j), j)
	}
	if err := Write(path, wide); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path); err != nil || show(got) != show(wide) {
		t.Errorf("%v of 801 columns", err)
	}
}

// A value that a cell cannot hold is an error, and nothing is written.
func TestExcelRefuses(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, 10, 27, 0, 30, 0, 0, time.UTC)
	for want, value := range map[string]any{
		`row 1 of column "x" must be finite to fit a cell`: []float64{1, math.Inf(1)},
		`row 1 of column "x" must be exact in a cell, got`: []int64{1, 1<<53 + 1},
		"40000": []string{"", strings.Repeat("x", 40000)},
		`row 1 of column "x" must be in March 1900 or later, where`: []time.Time{at, time.Date(1890, 1, 1, 0, 0, 0, 0, time.UTC)},
		`row 1 of column "x" must have whole milliseconds to fit a`: []time.Time{at, at.Add(time.Microsecond)},
		"the hour that occurs twice in Europe/Berlin":               frame.TimeColumn("x", []time.Time{at, at.Add(time.Hour)}).In(zone),
	} {
		path := filepath.Join(t.TempDir(), "a.xlsx")
		f := frame.FromRows(map[string]any{"i": []int{0, 1}}).With("x", value)
		if err := Write(path, f); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `row 1 of column "x"`) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: there is a file", want)
		}
	}
}
