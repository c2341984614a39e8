package read

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// show returns a frame as text: each column with its kind and values.
func show(f *frame.Frame) string {
	var b strings.Builder
	for _, c := range f.Columns() {
		fmt.Fprintf(&b, "%s %v:", c.Name(), c.Kind())
		for i := range c.Len() {
			switch v := c.At(i).(type) {
			case nil:
				b.WriteString(" ?")
			case time.Time:
				b.WriteString(" " + v.Format(time.RFC3339Nano))
			default:
				fmt.Fprintf(&b, " %v", v)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestReadText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		format     Format
		want, note string
	}{
		{"csv", "a,b\n1,x\n2,y\n", Format{}, "a int64: 1 2\nb string: x y\n", ""},
		{"category", "a,b\n1,y\n2,x\n3,\n", Format{Kinds: map[string]frame.Kind{"b": frame.CategoryKind}}, "a int64: 1 2 3\nb category: y x ?\n", ""},
		{"zone", "a,b\n1,2024-07-01 12:00\n", Format{Zone: "Europe/Berlin"}, "a int64: 1\nb time: 2024-07-01T12:00:00+02:00\n", ""},
		{"order", "a,b\n1,03/04/2024\n", Format{DateOrder: "mdy"}, "a int64: 1\nb time: 2024-03-04T00:00:00Z\n", "month before day"},
		{"records", `[{"a":1,"b":{"c":"x","d":[1, 2]}},{"a":2.5,"b":{"c":null},"e":true}]`, Format{}, "a float64: 1 2.5\nb.c string: x ?\nb.d string: [1,2] ?\ne bool: ? true\n", `column "b.d" has lists`},
		{"lines", "{\"a\":1}\n{\"a\":9007199254740993}\n", Format{}, "a int64: 1 9007199254740993\n", ""},
		{"times", `[{"t":"2024-01-31T10:00:00Z"},{"t":"2024-02-01T10:00:00Z"}]`, Format{}, "t time: 2024-01-31T10:00:00Z 2024-02-01T10:00:00Z\n", ""},
		{"numbers in strings", `[{"t":"007"},{"t":"NA"}]`, Format{}, "t string: 007 NA\n", ""},
		{"answer", `{"status":"ok","data":{"total":2,"items":[{"a":1},{"a":2}]}}`, Format{}, "a int64: 1 2\n", `the records are from "data.items"`},
		{"answer with two lists", `{"a":[{"x":1}],"b":[{"y":2}]}`, Format{Records: "b"}, "y int64: 2\n", ""},
		{"lengthwise", `{"a":[1,2],"b":["x",null]}`, Format{}, "a int64: 1 2\nb string: x ?\n", ""},
		{"one object", `{"a":1,"b":{"c":2}}`, Format{}, "a int64: 1\nb.c int64: 2\n", "single record"},
		{"values", `[1,2,null]`, Format{}, "value int64: 1 2 ?\n", ""},
		{"mixed", `[{"a":1},{"a":"x"}]`, Format{}, "a string: 1 x\n", "1 numbers, 1 strings"},
		{"twice", `[{"a":1,"a":2}]`, Format{}, "a int64: 2\n", "twice"},
		{"names alike", `[{"a":{"b":1},"a.b":2}]`, Format{}, "a.b int64: 1\na.b 2 int64: 2\n", ""},
	} {
		got, err := ReadText(c.text, c.format)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if notes := strings.Join(got.Notes(), "\n"); show(got) != c.want || !strings.Contains(notes, c.note) {
			t.Errorf("%s:\n%swant\n%snotes %s", c.name, show(got), c.want, notes)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, text, want string
		format           Format
	}{
		{"a.csv", "a,b\n1,2,3\n", "3", Format{}},
		{"a.json", `[{"a":1},{"a":`, "the text ends within record 2", Format{}},
		{"b.json", `[{"a":1},{"a":x}]`, "record 2, at byte", Format{}},
		{"c.json", `{"a":[{"x":1}],"b":[{"y":2}]}`, "2 lists of records", Format{}},
		{"d.json", `[]`, "there must be at least one record", Format{}},
		{"e.json", "", "there must be at least one record", Format{}},
		{"f.json", strings.Repeat("[", 300) + strings.Repeat("]", 300) + " 1", "record", Format{}},
		{"g.json", strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300), "nested more than 200 deep", Format{}},
		{"a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "before 2007", Format{}},
		{"a.html", "<!DOCTYPE html><p>no</p>", "web page", Format{}},
		{"a.gz", "\x1f\x8bnonsense", "cannot be decompressed", Format{}},
		{"a.zip", "PK\x03\x04nonsense", "damaged", Format{}},
		{"kind.csv", "a,b\n1,2\n", `no column "c"`, Format{Kinds: map[string]frame.Kind{"c": frame.IntKind}}},
		{"zone.csv", "a,b\n1,2\n", "time zone", Format{Zone: "Atlantis"}},
		{"type.csv", "a,b\n1,2\n", `"odt"`, Format{Type: "odt"}},
	} {
		_, err := Read(write(c.name, c.text), c.format)
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(dir, "none.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

const small = "a,b\n1,x\n2,y\n"

func TestCompressed(t *testing.T) {
	var gz, zst, one, two bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write([]byte(small))
	g.Close()
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	z.Write([]byte(small))
	z.Close()
	for b, names := range map[*bytes.Buffer][]string{&one: {"in/a.csv", "__MACOSX/a.csv"}, &two: {"a.csv", "b.csv"}} {
		archive := zip.NewWriter(b)
		for _, name := range names {
			w, err := archive.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(small))
		}
		archive.Close()
	}
	dir := t.TempDir()
	for name, b := range map[string]*bytes.Buffer{"a.csv.gz": &gz, "a.csv.zst": &zst, "a.zip": &one, "b.zip": &two} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		format := Format{}
		if name == "b.zip" {
			if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "2 files") {
				t.Error(err)
			}
			format.File = "b.csv"
		}
		f, err := Read(path, format)
		if err != nil || show(f) != "a int64: 1 2\nb string: x y\n" {
			t.Errorf("%s: %v %v", name, f, err)
		}
	}
}

func TestAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/a.csv" {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(small))
	}))
	defer server.Close()
	f, err := Read(server.URL + "/a.csv?x=1")
	if err != nil || f.Len() != 2 {
		t.Fatal(f, err)
	}
	if _, err := Read(server.URL + "/b.csv"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Error(err)
	}
}

// Everything written is read back with the same kinds and values.
func TestWrite(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	gap := []uint64{2}
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	f, err := frame.New(
		frame.FloatColumn("x, y", []float64{1, math.NaN(), 1e-300}),
		frame.IntColumn("n", []int64{math.MaxInt64, 0, math.MinInt64}).MarkMissing(gap),
		frame.StringColumn("s", []string{"a \"b\"\nc", "", " #d;e "}).MarkMissing(gap),
		frame.BoolColumn("b", []bool{true, false, false}).MarkMissing(gap),
		frame.TimeColumn("day", []time.Time{day, {}, day.AddDate(0, 0, 1)}),
		frame.TimeColumn("t", []time.Time{day.Add(time.Hour + time.Nanosecond).In(berlin), {}, day.Add(1000 * time.Hour).In(berlin)}),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := show(f)
	for _, name := range []string{"a.csv", "a.tsv", "a.json", "a.jsonl", "a.csv.gz", "a.jsonl.zst", "a.parquet", "a.parquet.gz", "a.arrow", "a.feather", "a.arrows", "a.arrow.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := Write(path, f); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path, Format{Zone: "Europe/Berlin"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got.Set("day", got.Col("day").In(time.UTC))
		if strings.HasPrefix(name, "a.csv") || name == "a.tsv" { // days are written without a zone, and then are days in Berlin
			got.Set("day", frame.TimeColumn("day", shift(got.Col("day"))))
		}
		if show(got) != want {
			t.Errorf("%s:\n%swant\n%s", name, show(got), want)
		}
	}
	path := filepath.Join(t.TempDir(), "de.csv")
	if err := Write(path, f, Format{Dialect: csv.Dialect{Decimal: ","}}); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	if !strings.Contains(string(text), "\n1,0;9223372036854775807;") {
		t.Errorf("%s", text)
	}
	if err := Write(filepath.Join(t.TempDir(), "a.odt"), f); err == nil {
		t.Error("no error for an unknown extension")
	}
}

// Categories keep their levels, also unused ones, in Arrow files, and units of columns too.
func TestArrowCategories(t *testing.T) {
	f, err := frame.New(frame.CategoryColumn("c", []int32{2, -1, 1}, []string{"unused", "low", "high"}), frame.FloatColumn("x", []float64{1, 2, 3}).WithUnit("km"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.feather")
	if err := Write(path, f); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if levels := got.Col("c").Levels(); !slices.Equal(levels, []string{"unused", "low", "high"}) || show(got) != show(f) || got.Col("x").Unit() != "km" {
		t.Errorf("%v\n%s", levels, show(got))
	}
	if got, err = Read(path, Format{Columns: []string{"x"}}); err != nil || got.Width() != 1 {
		t.Errorf("%v %v", got, err)
	}
	if _, err := Read(path, Format{Columns: []string{"z"}}); err == nil || !strings.Contains(err.Error(), `there is no column "z"`) {
		t.Error(err)
	}
	old := filepath.Join(t.TempDir(), "old.feather")
	if err := os.WriteFile(old, []byte("FEA1 and more"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(old); err == nil || !strings.Contains(err.Error(), "must not be a Feather file of version 1") {
		t.Error(err)
	}
}

func TestWriteMarkup(t *testing.T) {
	f, err := frame.New(frame.StringColumn("a_b", []string{"x & <y>", "p|q*", `\{~^$#%}`}), frame.FloatColumn("fare", []float64{0.1, math.NaN(), -12}).WithUnit("€"),
		frame.TimeColumn("day", []time.Time{time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), {}, time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)}), frame.BoolColumn("ok", []bool{true, false, true}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"t.html": `<table>
<thead>
<tr><th scope="col">a_b</th><th scope="col" style="text-align:right">fare (€)</th><th scope="col">day</th><th scope="col">ok</th></tr>
</thead>
<tbody>
<tr><td>x &amp; &lt;y&gt;</td><td style="text-align:right">0.1</td><td>2024-02-29</td><td>true</td></tr>
<tr><td>p|q*</td><td style="text-align:right">–</td><td>–</td><td>false</td></tr>
<tr><td>\{~^$#%}</td><td style="text-align:right">-12</td><td>2024-03-01</td><td>true</td></tr>
</tbody>
</table>
`,
		"t.tex": `\begin{tabular}{lrll}
\toprule
a\_b & fare (€) & day & ok \\
\midrule
x \& \textless{}y\textgreater{} & 0.1 & 2024-02-29 & true \\
p|q* & -- & -- & false \\
\textbackslash{}\{\textasciitilde{}\textasciicircum{}\$\#\%\} & -12 & 2024-03-01 & true \\
\bottomrule
\end{tabular}
`,
		"t.md": `| a\_b | fare (€) | day | ok |
|---|---:|---|---|
| x & &lt;y> | 0.1 | 2024-02-29 | true |
| p\|q\* | – | – | false |
| \\{~^$#%} | -12 | 2024-03-01 | true |
`,
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := Write(path, f); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	path := filepath.Join(t.TempDir(), "t.tex")
	if err := Write(path, f.Select("fare"), Format{Dialect: csv.Dialect{Missing: []string{"n/a"}}}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !strings.Contains(string(got), "\nn/a \\\\\n") {
		t.Errorf("%s", got)
	}
	if _, err := Read(path, Format{Type: "tex"}); err == nil || !strings.Contains(err.Error(), "Type must be csv, json") {
		t.Error(err)
	}
}

func TestWriteDialect(t *testing.T) {
	f, err := frame.New(frame.StringColumn("city", []string{"Köln", "Bonn"}), frame.FloatColumn("x", []float64{1.5, math.NaN()}))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.csv")
	dialect := csv.Dialect{Separator: "|", Decimal: ",", Missing: []string{"-"}, NoHeader: true, Encoding: "utf-8"}
	if err := Write(path, f, Format{Dialect: dialect}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "Köln|1,5\nBonn|-\n" {
		t.Errorf("%q", text)
	}
	back, err := Read(path, Format{Dialect: dialect})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(back), "x1 string: Köln Bonn\nx2 float64: 1.5 ?\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, c := range []struct {
		dialect csv.Dialect
		want    string
	}{
		{csv.Dialect{Comment: "#"}, "Write: Comment must not be set"},
		{csv.Dialect{NoQuotes: true}, "Write: NoQuotes must not be set"},
		{csv.Dialect{Skip: 1}, "Write: Skip must not be set"},
		{csv.Dialect{Ragged: true}, "Write: Ragged must not be set"},
		{csv.Dialect{Encoding: "latin1"}, "Write: Encoding must not be set"},
		{csv.Dialect{Decimal: ";"}, `Write: Decimal must be "." or ",", got ";"`},
		{csv.Dialect{Separator: "ab"}, "Write: Separator must be one ASCII character"},
		{csv.Dialect{Decimal: ",", Separator: ","}, "Write: Separator must differ from the decimal sign"},
	} {
		if err := Write(path, f, Format{Dialect: c.dialect}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.dialect, err, c.want)
		}
	}
	if _, err := Read(path, Format{Dialect: csv.Dialect{Skip: -1}}); err == nil || !strings.Contains(err.Error(), "Skip must not be negative, got -1") {
		t.Errorf("Skip: -1: %v", err)
	}
}

// shift returns times an hour later: midnight in Berlin in winter is 23:00 in UTC.
func shift(c *frame.Column) []time.Time {
	v := c.Moments()
	for i := range v {
		if !v[i].IsZero() {
			v[i] = v[i].Add(time.Hour)
		}
	}
	return v
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`[{"a":1}]`, "{\"a\":1}\n{\"a\":2}", `{"d":[{"a":[1,{"b":2}]}],"n":1}`, `{"a":[1,2],"b":[3,4]}`, `[1,"x",null,true]`, `[[1],[2]]`, `{}`, `[`, `{"a":{"b":{}}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "SQLite format 3") || strings.HasPrefix(text, "PAR1") {
			return
		}
		got, err := ReadText(text, Format{Type: "json"})
		var e *model.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		if err == nil && got.Len() == 0 {
			t.Fatal("no rows and no error")
		}
	})
}

// In Berlin the clock was put forward on 2024-03-31 at 2:00 and back on 2024-10-27 at 3:00. Every
// format reads the same moments, and a note names the rows.
func TestReadClockChange(t *testing.T) {
	const want = "at time: 2024-03-31T01:59:00+01:00 2024-03-31T03:30:00+02:00 2024-10-27T02:15:00+02:00 2024-10-27T03:15:00+01:00 2024-10-27T02:15:00+02:00\n"
	format := Format{Zone: "Europe/Berlin"}
	times := []string{"2024-03-31 01:59", "2024-03-31 02:30", "2024-10-27 02:15", "2024-10-27 03:15", "2024-10-27 02:15"}
	for name, text := range map[string]string{
		"csv":  "at\n" + strings.Join(times, "\n"),
		"json": `[{"at":"` + strings.Join(times, `"},{"at":"`) + `"}]`,
	} {
		f, err := ReadText(text, format)
		if err != nil {
			t.Fatal(err)
		}
		if got := show(f); got != want {
			t.Errorf("%s: got %swant %s", name, got, want)
		}
		notes := strings.Join(f.Notes(), "; ")
		for _, note := range []string{"1 local time that a clock change skips in Europe/Berlin (row 2)", "2 local times that a clock change repeats in Europe/Berlin (rows 3, 5)"} {
			if !strings.Contains(notes, note) {
				t.Errorf("%s: no note %q in %s", name, note, notes)
			}
		}
	}
}
