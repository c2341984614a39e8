package read

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// store writes a file in a folder.
func store(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// scanned returns the rows of a scan, or the error of Scan or Collect.
func scanned(path string, format ...Format) (*frame.Frame, error) {
	l, err := Scan(path, format...)
	if err != nil {
		return nil, err
	}
	return l.Collect()
}

// failsWith checks that an error has all parts.
func failsWith(t *testing.T, what string, err error, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: error %v, want %q", what, err, p)
		}
	}
}

// TestScanDamaged cuts files off and changes bytes. Read must find the same mistakes.
func TestScanDamaged(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.csv.gz", "a.csv.zst", "a.jsonl.gz", "a.parquet"} {
		path := filepath.Join(dir, name)
		if err := Write(path, rides(t, 1, 3000)); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []int{40, len(whole) / 2, len(whole) - 3} {
			store(t, dir, name, string(whole[:part]))
			_, err := scanned(path)
			failsWith(t, name, err, name, "check that the file is complete")
			_, err = Read(path)
			failsWith(t, "Read "+name, err, name, "check that the file is complete")
		}
		if name != "a.parquet" {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 9))
		for range 40 { // a change may go unnoticed, but must not panic
			changed := bytes.Clone(whole)
			for range 5 {
				changed[rng.IntN(len(changed))] ^= byte(1 + rng.IntN(255))
			}
			store(t, dir, name, string(changed))
			scanned(path)
		}
	}
	_, err := scanned(store(t, dir, "open.csv", "a,b\n1,x\n2,\"y\n3,z\n"))
	failsWith(t, "quotation mark", err, "open.csv", "line 3", "not closed")
	_, err = scanned(store(t, dir, "long.csv", "a,b\n1,x\n2,y,z\n"))
	failsWith(t, "long line", err, "long.csv", "line 3")
}

// TestScanChanged changes and removes files after Scan, and while a run reads them.
func TestScanChanged(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "a.jsonl", "a.parquet", "a.csv.gz"} {
		path := filepath.Join(dir, name)
		write := func(seed uint64, n int) {
			if err := Write(path, rides(t, seed, n)); err != nil {
				t.Fatal(err)
			}
		}
		write(1, 500)
		l, err := Scan(path)
		if err != nil {
			t.Fatal(err)
		}
		collect(t, l)
		write(2, 400)
		_, err = l.Collect()
		failsWith(t, name, err, name, "has changed since Scan", "run Scan again")
		if l, err = Scan(path); err != nil {
			t.Fatal(err)
		}
		n := 0
		err = l.Stream(func(f *frame.Frame) error {
			n += f.Len()
			write(3, 300)
			return nil
		})
		if err == nil && n != 400 { // the run had read everything
			t.Errorf("%s: %d rows without an error", name, n)
		}
		if l, err = Scan(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		_, err = l.Collect()
		failsWith(t, name, err, name, "can no longer be read", "run Scan again")
	}
}

// TestScanPattern checks files of a pattern whose columns differ, or that have no rows.
func TestScanPattern(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  string // of an error
		rows  int
	}{
		{"order", []string{"a,b\n1,2\n", "b,a\n1,2\n"}, `1.csv: the columns must be those of the first file, ["a" "b"], got ["b" "a"]`, 0},
		{"more", []string{"a,b\n1,2\n", "a,b,c\n1,2,3\n"}, `1.csv: the columns must be those of the first file`, 0},
		{"header", []string{"a,b\n", "a,b\n1,2\n", "a,b\n"}, "", 1},
		{"only headers", []string{"a,b\n", "a,b\n"}, "0.csv: there must be a line after the header", 0},
		{"first empty", []string{"", "a,b\n1,2\n"}, "0.csv: the text must not be empty", 0},
		{"last empty", []string{"a,b\n1,2\n", ""}, "1.csv: the text must not be empty", 0},
		{"kinds", []string{"a,b\n1,2\n", "a,b\nx,2\n"}, "", 2},
	} {
		dir := t.TempDir()
		for i, text := range c.files {
			store(t, dir, fmt.Sprintf("%d.csv", i), text)
		}
		f, err := scanned(filepath.Join(dir, "*.csv"))
		if c.want != "" {
			failsWith(t, c.name, err, c.want)
		} else if err != nil || f.Len() != c.rows {
			t.Errorf("%s: %v, %v", c.name, f, err)
		}
	}
	dir := t.TempDir()
	for i, f := range []*frame.Frame{rides(t, 1, 5), rides(t, 2, 5).Drop("km"), rides(t, 3, 5).With("id", "text")} {
		if err := Write(filepath.Join(dir, fmt.Sprintf("%d.parquet", i)), f); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Scan(filepath.Join(dir, "[01].parquet"))
	failsWith(t, "parquet", err, `1.parquet has no column "km"`, "set Columns")
	_, err = Scan(filepath.Join(dir, "[02].parquet"))
	failsWith(t, "parquet", err, `column "id" must have the kind of the first file, int64`, "2.parquet")
	if f, err := scanned(filepath.Join(dir, "[01].parquet"), Format{Columns: []string{"id", "at"}}); err != nil || f.Len() != 10 {
		t.Error(f, err)
	}
}

// TestScanNoRows checks steps without rows, and what is written of them.
func TestScanNoRows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.parquet")
	if err := Write(path, rides(t, 1, 50)); err != nil {
		t.Fatal(err)
	}
	all, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	f := all.Where(all.Col("id").Less(0))
	l, err := Scan(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*lazy.Frame{l.Where(l.Col("id").Less(0)), l.Where(l.Col("km").Less(0)), l.Head(0)} {
		same(t, "rows", collect(t, l), f)
		same(t, "groups", collect(t, l.By("zone").Agg(frame.Count(), frame.Median("km"), frame.Min("zone"))), f.By("zone").Agg(frame.Count(), frame.Median("km"), frame.Min("zone")))
		same(t, "aggregates", collect(t, l.Agg(frame.Count(), frame.Sum("id"), frame.Mean("km"))), f.Agg(frame.Count(), frame.Sum("id"), frame.Mean("km")))
		same(t, "order", collect(t, l.Sort("-km").Head(3).Distinct("zone")), f)
		same(t, "join", collect(t, l.Join(ScanFrame(all), "id")), f.Join(all, "id"))
		out := filepath.Join(dir, "out.parquet")
		if err := Write(out, l); err != nil {
			t.Fatal(err)
		}
		back, err := scanned(out)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "written", back, f)
	}
}

// TestScanNotes checks that a run reports what it left out, and only that.
func TestScanNotes(t *testing.T) {
	dir := t.TempDir()
	check := func(text string, format Format, want ...string) {
		t.Helper()
		l, err := Scan(store(t, dir, "n.csv", text), format)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a second run does not count what the first one left out
			notes := strings.Join(collect(t, l).Notes(), "\n")
			if notes != strings.Join(want, "\n") {
				t.Errorf("notes %q, want %q", notes, want)
			}
		}
	}
	check("a,b\n1\n2,3\n", Format{}, "1 line has fewer fields than there are columns: the rest of the line is missing")
	check("a;b\n1,5;2\n2,5;3\n", Format{}, "the fields are separated by semicolons", `numbers have a decimal comma in "a"`)
	check("a,b\n25/01/2024,1\n03/04/2024,2\n", Format{}, `column "a" has dates with the day before month`)
	check("a,b\nx,1\ny,2\n7,3\n", Format{Kinds: map[string]frame.Kind{"a": frame.IntKind}}, `column "a" has 2 values that are not of its kind: read as missing`)
}

// TestScanRecords checks JSON lines: places of mistakes, kinds that the user sets, and dates.
func TestScanRecords(t *testing.T) {
	defer func(old int) { lineBlock = old }(lineBlock)
	lineBlock = 1 << 16
	dir := t.TempDir()
	many := func(line int, odd string) string {
		var b strings.Builder
		for i := range 12_000 {
			if i+1 == line {
				b.WriteString(odd + "\n")
				continue
			}
			fmt.Fprintf(&b, `{"a":%d,"at":"%02d/%02d/2024","more":"some text of this record"}`+"\n", i, i%28+1, i%12+1)
		}
		return store(t, dir, "many.jsonl", b.String())
	}
	// The first block does not have these lines.
	_, err := scanned(many(9_123, `{"a":`))
	failsWith(t, "syntax", err, "many.jsonl", "line 9123", `{\"a\":`)
	_, err = scanned(many(9_123, `{"a":"x"}`))
	failsWith(t, "kind", err, "many.jsonl", `line 9123 has "x" in field "a"`, "set Kinds")
	_, err = scanned(many(9_123, `{"a":1,"new":2}`))
	failsWith(t, "field", err, `has a field "new"`, "set Columns")

	path := many(0, "")
	l, err := Scan(path)
	if err != nil {
		t.Fatal(err)
	}
	out := collect(t, l.Select("a", "at"))
	for _, i := range []int{14, 9_999, 11_998} {
		if at, want := out.Col("at").At(i).(time.Time), time.Date(2024, time.Month(i%12+1), i%28+1, 0, 0, 0, 0, time.UTC); !at.Equal(want) {
			t.Errorf("row %d has %v, want %v", i, at, want)
		}
	}
	_, err = scanned(many(9_123, `{"a":1,"at":"01/25/2024"}`))
	failsWith(t, "order of dates", err, `line 9123 has "01/25/2024" in field "at"`)

	f, err := scanned(store(t, dir, "k.jsonl", `{"a":"1","b":"x"}`+"\n"+`{"a":"y","b":"z"}`+"\n"), Format{Kinds: map[string]frame.Kind{"a": frame.IntKind, "b": frame.CategoryKind}})
	if err != nil {
		t.Fatal(err)
	}
	if v := fmt.Sprint(f.Col("a").At(0), f.Col("a").At(1), f.Col("b").At(1), f.Notes()); !strings.HasPrefix(v, "1 <nil>z[") || !strings.Contains(v, "1 value that is not of its kind") {
		t.Error(v)
	}
	_, err = Scan(store(t, dir, "mixed.jsonl", `{"a":"25/01/2024","b":"01/25/2024"}`+"\n"))
	failsWith(t, "two orders", err, "the same order of day and month")
}

// TestScanArchive reads a file in an archive, which Read would leave open.
func TestScanArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("a.csv")
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("a,b\n1,x\n2,y\n"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	store(t, filepath.Dir(path), "a.zip", b.String())
	f, err := scanned(path)
	if err != nil || f.Len() != 2 {
		t.Error(f, err)
	}
}

// TestScanBounds compares random filters, which leave out files by their bounds, with those of a
// frame.
func TestScanBounds(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(8, 8))
	var parts []*frame.Frame
	for k := range 12 {
		f := rides(t, uint64(k), 20)
		f = f.With("km", f.Col("km").Over(100).Plus(float64(k))).With("zone", f.Col("zone").Plus(fmt.Sprint(k)))
		if k == 5 {
			f = f.With("km", f.Col("km").Over(0).Minus(f.Col("km").Over(0))) // all missing
		}
		parts = append(parts, f)
		if err := Write(filepath.Join(dir, fmt.Sprintf("%02d.parquet", k)), f); err != nil {
			t.Fatal(err)
		}
	}
	all := frame.Concat(parts...)
	l, err := Scan(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	skipped := 0
	for range 150 {
		name := []string{"id", "km", "zone", "at"}[rng.IntN(4)]
		v := all.Col(name).At(rng.IntN(all.Len()))
		if v == nil {
			continue
		}
		a, b := all.Col(name), l.Col(name)
		var mask *frame.Column
		var test *lazy.Column
		switch rng.IntN(6) {
		case 0:
			mask, test = a.Less(v), b.Less(v)
		case 1:
			mask, test = a.LessEqual(v), b.LessEqual(v)
		case 2:
			mask, test = a.Greater(v), b.Greater(v)
		case 3:
			mask, test = a.GreaterEqual(v), b.GreaterEqual(v)
		case 4:
			mask, test = a.Equal(v), b.Equal(v)
		default:
			mask, test = a.NotEqual(v).And(a.LessEqual(v)), b.NotEqual(v).And(b.LessEqual(v))
		}
		q := l.Where(test)
		same(t, fmt.Sprint(name, v), collect(t, q), all.Where(mask))
		if plan, err := q.Explain(); err != nil || !strings.Contains(plan, "12 of 12 row groups") {
			skipped++
		}
	}
	if skipped < 75 {
		t.Errorf("only %d filters leave out files", skipped)
	}
}

// TestScanWriteFails checks that a run that fails leaves the file that it would replace as it is.
func TestScanWriteFails(t *testing.T) {
	dir := t.TempDir()
	in := store(t, dir, "in.csv", "a,b\n1,x\n2,y\n")
	for _, name := range []string{"out.csv", "out.jsonl", "out.parquet", "out.csv.gz"} {
		l, err := Scan(in)
		if err != nil {
			t.Fatal(err)
		}
		out := store(t, dir, name, "old")
		store(t, dir, "in.csv", "a,b\n1,x\n2,y\n3,z\n"[:12+len(name)%2])
		if err := Write(out, l); err == nil {
			t.Errorf("%s: no error", name)
		}
		if b, err := os.ReadFile(out); err != nil || string(b) != "old" {
			t.Errorf("%s has %q, %v", name, b, err)
		}
		if list, _ := os.ReadDir(dir); len(list) > 5 {
			t.Errorf("files are left: %v", list)
		}
		store(t, dir, "in.csv", "a,b\n1,x\n2,y\n")
	}
}
