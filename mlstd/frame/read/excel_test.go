package read

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

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
		{Format{Range: "3B"}, "is no range"},
		{Format{Sheet: "empty"}, "no cells"},
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
		w, err := z.Create(name)
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
		`<worksheet><sheetData><row r="9"><c r="XFD9" t="inlineStr"><is><t>x</t></is></c></row><row r="1048576"><c t="e"><v>#N/A</v></c></row></sheetData></worksheet>`,
		`<worksheet><sheetData><row><c t="s"><v>7</v></c></row>`,
	} {
		f.Add(s)
	}
	if b, err := os.ReadFile("testdata/workbook.xlsx"); err != nil || len(b) == 0 {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := archive(text)
		z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&workbook{archive: z}).frame(&Format{})
		var e *model.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}
