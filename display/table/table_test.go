package table

import (
	"database/sql"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type fold struct {
	Model    string
	Accuracy float64
	Time     time.Duration
	Trees    *int
	hidden   int
}

func folds() []fold {
	n := 500
	return []fold{
		{"forest", 0.9733, 1500 * time.Millisecond, &n, 1},
		{"k-NN", 0.96, 20 * time.Millisecond, nil, 2},
		{"<script>alert(1)</script>", math.NaN(), 0, nil, 3},
		{"naive & simple", 0.9733, 5 * time.Millisecond, nil, 4},
	}
}

var gallery = []struct {
	name string
	make func() *Table
}{
	{"structs", func() *Table {
		return New(folds()).Caption("Four models, <b>one</b> data set").Best("Accuracy").Unit("Accuracy", "%").Percent("Accuracy", 1).SortDown("Accuracy")
	}},
	{"gradient", func() *Table {
		return New(mat.NewDense(3, 3, []float64{1, -2.5, 7, math.NaN(), 0, 7, 3, 5, 7})).Names("rising", "signed", "flat").Mark(0, "signed").Gradient()
	}},
	{"matrix", func() *Table {
		return New(mat.NewDense(2, 3, []float64{1, 2.5, math.NaN(), -1e-7, 1e6, 3})).Names("a", "b", "c").RowNames("first", "second")
	}},
	{"long", func() *Table {
		v := make([][]float64, 1000)
		for i := range v {
			v[i] = make([]float64, 40)
			v[i][0] = float64(i)
		}
		return New(v).Rows(3)
	}},
	{"records", func() *Table {
		return New([][]string{{"outlook", "temperature"}, {"sunny", "29.5"}, {"rain", ""}, {"overcast", "18"}}).Unit("temperature", "°C")
	}},
	{"map", func() *Table {
		return New(map[string]float64{"Windy": 0.048, "Outlook": 0.247, "Humidity": 0.152}).Names("feature", "gain").SortDown("gain").Best("gain")
	}},
	{"columns", func() *Table { return New(map[string][]int{"b": {1, 2, 3}, "a": {4, 5}}) }},
	{"describe", func() *Table {
		return Describe(map[string]int{"x": 1}).Caption("one row")
	}},
	{"describe-data", func() *Table {
		type row struct {
			Length float64
			Petals int
			Name   string
		}
		var rows []row
		for i := range 60 {
			rows = append(rows, row{4 + math.Sin(float64(i))*2, i % 4, []string{"setosa", "virginica"}[i%3/2]})
		}
		rows[7].Length = math.NaN()
		return Describe(New(rows).Unit("Length", "cm"))
	}},
}

func TestGallery(t *testing.T) {
	for _, e := range gallery {
		t.Run(e.name, func(t *testing.T) {
			b, err := e.make().Display()
			if err != nil {
				t.Fatal(err)
			}
			for mime, ext := range map[string]string{display.MIMEHTML: ".html", display.MIMEText: ".txt", display.MIMELaTeX: ".tex"} {
				got := b.Data[mime].(string) + "\n"
				file := filepath.Join("testdata", e.name+ext)
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatalf("%v (run the test with -update to write it)", err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("%s (-want +got), -update rewrites it:\n%s", file, diff)
				}
			}
			checkHTML(t, b.Data[display.MIMEHTML].(string))
		})
	}
}

// checkHTML fails if the markup is not well-formed or has elements that do not belong to a table.
func checkHTML(t *testing.T, page string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the HTML is not well-formed: %v", err)
		}
		if e, ok := tok.(xml.StartElement); ok && !strings.Contains(" table caption thead tbody tfoot tr th td span strong ", " "+e.Name.Local+" ") {
			t.Errorf("element <%s> in a table", e.Name.Local)
		}
	}
}

func TestBadDataIsAnError(t *testing.T) {
	tests := []struct {
		name string
		t    *Table
		want string
	}{
		{"nil", New(nil), "must not be nil"},
		{"nil pointer", New((*mat.Dense)(nil)), "nil *mat.Dense"},
		{"number", New(3), "a int has no rows"},
		{"ragged records", New([][]string{{"a"}, {"1", "2"}}), "row 1 has 2 values"},
		{"column", New(folds()).Best("Akkuracy"), `no column "Akkuracy"; the columns are Model, Accuracy, Time, Trees`},
		{"names", New([]int{1}).Names("a", "b", "c"), "3 names for 2 columns"},
		{"row names", New([]int{1}).RowNames("a", "b"), "2 names for 1 rows"},
		{"mark", New([]int{1}).Mark(1, "value"), "no row 1"},
		{"describe", Describe(nil), "must not be nil"},
		{"no fields", New(struct{}{}), "has no fields that can be shown"},
		{"hidden fields", New(sync.Mutex{}), "a sync.Mutex has no fields that can be shown"},
		{"rows of hidden fields", New([]*sync.Mutex{{}}), "a sync.Mutex has no fields that can be shown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.t.Display(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestEmptyDataAreATable(t *testing.T) {
	for _, data := range []any{[]int{}, []fold{}, [][]string{}, [][]float64{}, map[string]int{}, &mat.Dense{}, []map[string]any{}, []any{}, map[string]map[string]int{}} {
		b, err := New(data).Display()
		if err != nil {
			t.Errorf("%T: %v", data, err)
			continue
		}
		checkHTML(t, b.Data[display.MIMEHTML].(string))
		if text := b.Data[display.MIMEText].(string); !strings.Contains(text, "no rows") {
			t.Errorf("the table of an empty %T does not say that there are no rows: %q", data, text)
		}
		if _, err := Describe(data).Display(); err != nil {
			t.Errorf("Describe of an empty %T: %v", data, err)
		}
	}
}

func TestDescribeNumbers(t *testing.T) {
	// Computed by hand: mean 3, sd sqrt(10/4), quartiles by linear interpolation.
	s := summarize(columnOfFloats(1, 2, 3, 4, 5))
	want := [7]float64{3, math.Sqrt(2.5), 1, 2, 3, 4, 5}
	for i := range want {
		if math.Abs(s.stats[i]-want[i]) > 1e-15*10 { // the rounding errors of five additions
			t.Errorf("statistic %d is %g, want %g", i, s.stats[i], want[i])
		}
	}
}

func columnOfFloats(v ...float64) column {
	return column{n: len(v), at: func(i int) cell { return numberCell(v[i]) }}
}

func TestLargeIntegersKeepTheirDigits(t *testing.T) {
	b, err := New([]int64{math.MaxInt64, 1}).Display()
	if err != nil {
		t.Fatal(err)
	}
	if s := b.Data[display.MIMEText].(string); !strings.Contains(s, "9,223,372,036,854,775,807") {
		t.Errorf("a large integer lost digits:\n%s", s)
	}
}

func TestRowsOfJSON(t *testing.T) {
	var rows []map[string]any
	if err := json.Unmarshal([]byte(`[{"a":1,"b":"x"},{"b":null,"c":[1,2]}]`), &rows); err != nil {
		t.Fatal(err)
	}
	b, err := New(rows).Display()
	if err != nil {
		t.Fatal(err)
	}
	want := "a  b  c\n─────────────────\n1  x  –\n–  –  []any{1, 2}"
	if diff := cmp.Diff(want, b.Data[display.MIMEText]); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

type shape interface{ Area() float64 }

type square struct{ Side float64 }

func (s square) Area() float64 { return s.Side * s.Side }

type circle struct {
	Radius float64
	Color  string
}

func (c circle) Area() float64 { return math.Pi * c.Radius * c.Radius }

type place struct{ City, Country string }

type visit struct {
	place
	*fold
	When time.Month
}

// rowsOf returns the text of a table, one line per row, without the rule below the head.
func rowsOf(t *testing.T, data *Table) string {
	t.Helper()
	b, err := data.Display()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(b.Data[display.MIMEText].(string)) {
		if !strings.HasPrefix(line, "─") {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(lines, "\n")
}

func TestShapesOfData(t *testing.T) {
	records := [][]string{{"b", "2"}, {"a", "1"}}
	for _, tt := range []struct {
		name string
		t    *Table
		want string
	}{
		{"types mixed", New([]shape{square{2}, &circle{1, "red"}, nil}), "type Side Radius Color\ntable.square 2 – –\ntable.circle – 1 red\n– – – –"},
		{"one type", New([]shape{square{2}, square{3}}), "Side\n2\n3"},
		{"structs and others", New([]any{square{2}, 7}), "value\n0 table.square{Side: 2}\n1 7"},
		{"embedded", New([]visit{{place: place{"Rome", "Italy"}, When: time.May}}).Columns("City", "Country", "When"), "City Country When\nRome Italy May"},
		{"embedded, nil", New([]struct {
			*place
			N int
		}{{nil, 1}, {&place{"Oslo", "Norway"}, 2}}), "City Country N\n– – 1\nOslo Norway 2"},
		{"embedded that writes itself", New([]struct {
			time.Month
			time.Weekday
		}{{time.May, time.Friday}}), "Month Weekday\nMay Friday"},
		{"errors", New([]error{errors.New("no such file"), nil}), "value\n0 no such file\n1 –"},
		{"a field of errors", New([]struct{ Err error }{{errors.New("no such file")}, {}}), "Err\nno such file\n–"},
		{"records", New(records), "b 2\na 1"},
		{"records with names", New(records).Names("letter", "number"), "letter number\nb 2\na 1"},
		{"records sorted, then named", New(records).SortBy("b").Names("letter", "number"), "letter ▲ number\na 1\nb 2"},
		{"pivot", New(map[string]map[time.Month]int{"x": {time.May: 1}, "y": {time.April: 2, time.May: 3}}), "key April May\nx – 1\ny 2 3"},
		{"months", New(map[time.Month]float64{time.May: 1.5, time.April: 2}), "key value\nApril 2.0\nMay 1.5"},
		{"rounded", New(map[string][]float64{"x": {1.0 / 3, 2}}), "x\n0.3333\n2.0000"},
		{"exact", New(map[string][]float64{"x": {1.0 / 3, 2}, "y": {1e-9, 0.5}}).Exact(), "x y\n0.3333333333333333 1e-09\n2 0.5"},
		{"exact, one column", New(map[string][]float64{"x": {1.0 / 3, 2}, "y": {1.0 / 3, 0.5}}).Exact("y"), "x y\n0.3333 0.3333333333333333\n2.0000 0.5"},
		{"map to mixed types", New(map[string]shape{"a": circle{1, "red"}, "b": square{2}}), "key type Radius Color Side\na table.circle 1 red –\nb table.square – – 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, rowsOf(t, tt.t)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// fakeRows are the rows of a query.
type fakeRows struct {
	rows      [][]any
	fail      error
	at, close int
}

func (f *fakeRows) Columns() ([]string, error) {
	if f.close > 0 {
		return nil, errors.New("sql: Rows are closed")
	}
	return []string{"name", "n"}, nil
}
func (f *fakeRows) Next() bool { f.at++; return f.at <= len(f.rows) }
func (f *fakeRows) Scan(into ...any) error {
	for j, p := range into {
		*p.(*any) = f.rows[f.at-1][j]
	}
	return nil
}
func (f *fakeRows) Err() error   { return f.fail }
func (f *fakeRows) Close() error { f.close++; return nil }

func TestQuery(t *testing.T) {
	var _ query = (*sql.Rows)(nil)
	q := &fakeRows{rows: [][]any{{[]byte("a"), int64(1)}, {"b", nil}}}
	if d := cmp.Diff("name n\na 1\nb –", rowsOf(t, New(q))); d != "" || q.close != 1 {
		t.Errorf("closed %d times, (-want +got):\n%s", q.close, d)
	}
	if _, err := New(q).Display(); err == nil || !strings.Contains(err.Error(), "Rows are closed") {
		t.Errorf("rows that were read: %v", err)
	}
	long := make([][]any, 5000)
	for i := range long {
		long[i] = []any{"a", int64(i)}
	}
	q = &fakeRows{rows: long}
	if text := textOf(t, New(q)); !strings.Contains(text, "the first 1000 rows of the query") || q.at != 1001 || q.close != 1 {
		t.Errorf("%d rows of a long query were asked for, closed %d times:\n%s", q.at, q.close, text)
	}
	q = &fakeRows{rows: long[:1000]}
	if text := textOf(t, New(q)); strings.Contains(text, "the first") {
		t.Errorf("a query of 1000 rows:\n%s", text)
	}
	q = &fakeRows{fail: errors.New("connection lost")}
	if _, err := New(q).Display(); err == nil || !strings.Contains(err.Error(), "connection lost") || q.close != 1 {
		t.Errorf("rows that fail: %v, closed %d times", err, q.close)
	}
}

// textOf returns a table as aligned text.
func textOf(t *testing.T, table *Table) string {
	t.Helper()
	b, err := table.Display()
	if err != nil {
		t.Fatal(err)
	}
	return b.Data[display.MIMEText].(string)
}

// TestOneFormatAColumn lists the formats of numbers, durations and times.
func TestOneFormatAColumn(t *testing.T) {
	noon := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	cest := time.FixedZone("CEST", 7200)
	for _, c := range []struct {
		values any
		want   []string
	}{
		{[]float64{1, -1e-7, 0}, []string{"1.0000000", "−0.0000001", "0.0000000"}},
		{[]float64{1, 1.00002}, []string{"1.00000", "1.00002"}},
		{[]float64{1e6, 3.5e-9, 0}, []string{"1.0×10⁶", "3.5×10⁻⁹", "0"}},
		{[]float64{1e-17, 0.3, -1}, []string{"1×10⁻¹⁷", "3×10⁻¹", "−1×10⁰"}},
		{[]float64{1e300, -2.5}, []string{"1.0×10³⁰⁰", "−2.5×10⁰"}},
		{[]float64{12345.678, 0.5}, []string{"12,345.678", "0.500"}},
		{[]float64{math.Inf(1), 2, math.Inf(-1)}, []string{"∞", "2", "−∞"}},
		{[]int{2024, 1999}, []string{"2024", "1999"}},
		{[]float64{1000.5, 25000}, []string{"1,000.5", "25,000.0"}},
		{[]int{1234567, -20, 2024}, []string{"1,234,567", "−20", "2,024"}},
		{[]time.Duration{1500 * time.Millisecond, 250 * time.Millisecond}, []string{"1.50 s", "0.25 s"}},
		{[]time.Duration{1500 * time.Nanosecond, 0}, []string{"1.5 µs", "0.0 µs"}},
		{[]time.Duration{3 * time.Second, 40 * time.Nanosecond}, []string{"3 s", "40 ns"}},
		{[]time.Duration{75 * time.Minute, 125 * time.Second, -26 * time.Hour, 30 * time.Second}, []string{"1 h 15 min", "2 min 5 s", "−1 d 2 h", "30 s"}},
		{[]time.Time{noon, noon.Add(-12 * time.Hour)}, []string{"2024-03-01 12:00", "2024-03-01 00:00"}},
		{[]time.Time{noon.Add(-12 * time.Hour), {}}, []string{"2024-03-01", "–"}},
		{[]time.Time{noon, noon.In(cest)}, []string{"2024-03-01 12:00 +00:00", "2024-03-01 14:00 +02:00"}},
		{[][]string{{"01067"}, {"10115"}}, []string{"01067", "10115"}},
		{[]any{2, "x", 1.5}, []string{"2", "x", "1.5"}},
	} {
		table := New(c.values)
		if _, ok := c.values.([][]string); ok {
			table.Names("code")
		}
		lines := strings.Split(textOf(t, table), "\n")[2:]
		for i, line := range lines {
			cells := strings.SplitN(line, "  ", 2)
			got := strings.TrimSpace(cells[len(cells)-1])
			if got != c.want[i] {
				t.Errorf("%v: row %d is %q, want %q", c.values, i, got, c.want[i])
			}
		}
	}
	if s := textOf(t, New([]time.Time{noon.In(cest)})); !strings.Contains(s, "value (CEST)") {
		t.Errorf("the zone is not named:\n%s", s)
	}
}

func TestSortedAsInCalendars(t *testing.T) {
	type sale struct {
		Month string
		When  time.Month
		At    time.Time
		Took  time.Duration
	}
	day := func(d int) time.Time { return time.Date(2024, 1, d, 0, 0, 0, 0, time.UTC) }
	rows := []sale{{"Dec", time.December, day(9), 3 * time.Second}, {"Jan", time.January, day(10), 2 * time.Hour}, {"Apr", time.April, day(2), 10 * time.Millisecond}}
	for column, want := range map[string]string{"Month": "Jan Apr Dec", "When": "Jan Apr Dec", "At": "Apr Dec Jan", "Took": "Apr Dec Jan"} {
		var got []string
		for _, line := range strings.Split(textOf(t, New(rows).SortBy(column)), "\n")[2:] {
			got = append(got, line[:3])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("by %s: %v, want %s", column, got, want)
		}
	}
}

func TestWideTablesSayHowToSeeAll(t *testing.T) {
	for _, c := range []struct {
		columns int
		want    bool
	}{{4, false}, {20, true}} {
		row := make([]float64, c.columns)
		for j := range row {
			row[j] = 1000.5 + float64(j)
		}
		b, err := New([][]float64{row}).Display()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.Data[display.MIMEHTML].(string), "scroll sideways"); got != c.want {
			t.Errorf("%d columns: has a hint: %v", c.columns, got)
		}
		if strings.Contains(b.Data[display.MIMEText].(string), "scroll") {
			t.Error("text does not scroll")
		}
	}
}

// TestHowToSeeMoreRows checks that a table says how to see more rows, unless the user has set
// their number.
func TestHowToSeeMoreRows(t *testing.T) {
	rows := func(n int) [][]int {
		list := make([][]int, n)
		for i := range list {
			list[i] = []int{i, i * i}
		}
		return list
	}
	for _, c := range []struct {
		table *Table
		want  string
	}{
		{New(rows(20)), ""},
		{New(rows(21)), "1 more row (21 × 2) · Table(x).Rows(0) shows all rows"},
		{New(rows(10_000)), "9980 more rows (10000 × 2) · Table(x).Rows(200) shows more rows"},
		{New(rows(10_000)).Foot("squares"), "9980 more rows · squares · Table(x).Rows(200) shows more rows"},
		{New(rows(10_000)).Rows(30), "9970 more rows (10000 × 2)"},
		{New(rows(10_000)).Ends(3, 3), "9994 more rows (10000 × 2)"},
		{New(rows(10_000)).Rows(0), ""},
	} {
		s, err := c.table.shown()
		if err != nil {
			t.Fatal(err)
		}
		if got := s.advice(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if strings.Contains(s.latex(), "Table(x)") {
			t.Errorf("the printed table has a hint for cells: %s", s.latex())
		}
	}
}

func TestGradientColors(t *testing.T) {
	b, err := New(map[string][]float64{"x": {0, 5, 10}}).Gradient("x").Display()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"text-align:right;white-space:nowrap\">0", "background:rgba(80,113,222,0.275)\">5", "background:rgba(80,113,222,0.55)\">10"} {
		if text := b.Data[display.MIMEHTML].(string); !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if text := b.Data[display.MIMELaTeX].(string); !strings.Contains(text, `\colorbox[HTML]{9FB1ED}{10}`) {
		t.Error(text)
	}
	if _, err := New(map[string][]float64{"x": {1}}).Gradient("y").Display(); err == nil || !strings.Contains(err.Error(), `there is no column "y"`) {
		t.Error(err)
	}
}

func TestSave(t *testing.T) {
	v := make([][]float64, 300)
	for i := range v {
		v[i] = make([]float64, 30)
		v[i][29] = float64(i)
	}
	dir := t.TempDir()
	for name, ends := range map[string][]string{"a.html": {"<table", ">299</td></tr>\n</tbody>\n</table>\n"}, "a.tex": {`\begin{center}`, "& 299 \\\\\n\\bottomrule\n\\end{longtable}\n\\end{center}\n"}} {
		if err := New(v).Save(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(b), ends[0]) || !strings.HasSuffix(string(b), ends[1]) {
			t.Errorf("%s: %v\n%.200s ... %s", name, err, b, b[max(0, len(b)-200):])
		}
	}
	if err := New(v).Rows(2).Save(filepath.Join(dir, "b.html")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "b.html")); strings.Count(string(b), "<tr>") != 4 || !strings.Contains(string(b), "298 more rows") {
		t.Errorf("%s", b)
	}
	for path, want := range map[string]string{"a.pdf": "must end in .html or .tex", filepath.Join(dir, "no", "a.tex"): "table.Save: "} {
		if err := New(v).Save(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
