package read

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/stream"
	"github.com/gokernel/gokernel/mlstd/model"
)

// rides makes a frame with a column of each kind. Numbers and times are never whole, so that a
// piece of a text has the kinds of the whole text.
func rides(t testing.TB, seed uint64, n int) *frame.Frame {
	rng := rand.New(rand.NewPCG(seed, 1))
	ids, km, zones, at, night := make([]int64, n), make([]float64, n), make([]string, n), make([]time.Time, n), make([]bool, n)
	for i := range n {
		ids[i] = int64(seed)*1_000_000 + int64(i)
		km[i] = float64(rng.IntN(1000)) + 0.25
		if rng.IntN(10) == 0 {
			km[i] = math.NaN()
		}
		zones[i] = []string{"Mitte", `quoted "zone"`, "two, words", "ü"}[rng.IntN(4)]
		at[i] = time.Date(2024, 1, 1+int(seed), 8, 0, i%3600, 0, time.UTC)
		night[i] = rng.IntN(2) == 0
	}
	f, err := frame.New(frame.IntColumn("id", ids), frame.FloatColumn("km", km), frame.StringColumn("zone", zones), frame.TimeColumn("at", at), frame.BoolColumn("night", night))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func same(t *testing.T, what string, got, want *frame.Frame) {
	t.Helper()
	if got.Len() != want.Len() || !slices.Equal(got.Names(), want.Names()) {
		t.Fatalf("%s: %d rows of %q, want %d of %q", what, got.Len(), got.Names(), want.Len(), want.Names())
	}
	for j, w := range want.Columns() {
		g := got.Columns()[j]
		for i := range w.Len() {
			a, b := g.At(i), w.At(i)
			if x, ok := a.(float64); ok && math.Abs(x-b.(float64)) <= 1e-9*math.Abs(x) {
				continue
			}
			if at, ok := a.(time.Time); ok && at.Equal(b.(time.Time)) {
				continue
			}
			if a != b {
				t.Fatalf("%s: row %d of %q is %v, want %v", what, i, w.Name(), a, b)
			}
		}
	}
}

func collect(t *testing.T, f *lazy.Frame) *frame.Frame {
	t.Helper()
	out, err := f.Collect()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestScan compares scans of several files with the frames that were written, and what Write makes
// of a scan with the same rows.
func TestScan(t *testing.T) {
	var parts []*frame.Frame
	for k := range 3 {
		parts = append(parts, rides(t, uint64(k), 6_000))
	}
	all := frame.Concat(parts...)
	want := all.Where(all.Col("km").Greater(500).And(all.Col("zone").NotEqual("ü"))).By("zone", "night").Agg(frame.Count(), frame.Mean("km"), frame.Max("at"), frame.Median("km"))
	for _, extension := range []string{"csv", "csv.gz", "jsonl", "parquet"} {
		dir := t.TempDir()
		for k, p := range parts {
			if err := Write(filepath.Join(dir, fmt.Sprintf("%d.%s", k, extension)), p); err != nil {
				t.Fatal(err)
			}
		}
		l, err := Scan(filepath.Join(dir, "*."+extension))
		if err != nil {
			t.Fatal(extension, err)
		}
		same(t, extension, collect(t, l), all)
		q := l.Where(l.Col("km").Greater(500).And(l.Col("zone").NotEqual("ü"))).By("zone", "night").Agg(frame.Count(), frame.Mean("km"), frame.Max("at"), frame.Median("km"))
		same(t, extension, collect(t, q), want)
		same(t, extension+" counted", collect(t, l.Agg(frame.Count())), all.Agg(frame.Count()))

		for _, to := range []string{"csv", "jsonl", "parquet", "arrow"} {
			path := filepath.Join(dir, "out-of-scan."+to)
			if err := Write(path, l.Where(l.Col("id").Less(1_000_500)).Sort("-km", "id")); err != nil {
				t.Fatal(err)
			}
			back, err := Read(path)
			if err != nil {
				t.Fatal(err)
			}
			same(t, extension+" to "+to, back, all.Where(all.Col("id").Less(1_000_500)).Sort("-km", "id"))
		}
	}
}

// TestScanSkips checks that filters leave out row groups by their bounds.
func TestScanSkips(t *testing.T) {
	dir := t.TempDir()
	for k := range 3 {
		if err := Write(filepath.Join(dir, fmt.Sprintf("%d.parquet", k)), rides(t, uint64(k), 100)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Scan(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    *lazy.Frame
		want string
		rows int
	}{
		{l, "3 of 3 row groups", 300},
		{l.Where(l.Col("at").GreaterEqual("2024-01-02")).Select("id"), `columns "id", "at" of 5`, 200},
		{l.Where(l.Col("at").GreaterEqual("2024-01-02")), "2 of 3 row groups", 200},
		{l.With("double", l.Col("id").Times(2)).Sort("-id").Where(l.Col("id").Less(1000)), "1 of 3 row groups", 100},
		{l.Where(l.Col("id").Equal(-1)), "0 of 3 row groups", 0},
		{l.Where(l.Col("zone").Less("A")), "0 of 3 row groups", 0},
	} {
		plan, err := c.f.Explain()
		if err != nil || !strings.Contains(plan, c.want) {
			t.Errorf("%v, want %q in\n%s", err, c.want, plan)
		}
		if n := collect(t, c.f).Len(); n != c.rows {
			t.Errorf("%d rows, want %d\n%s", n, c.rows, plan)
		}
	}
}

// TestScanRefuses checks the errors for files that do not have the form of their sample.
func TestScanRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var b strings.Builder
	b.WriteString("id,km\n")
	for i := range 700_000 { // the odd line is in no sample
		if i == 390_000 {
			b.WriteString("far,1.5\n")
			continue
		}
		fmt.Fprintf(&b, "%d,%d.5\n", i, i%7)
	}
	path := write("late.csv", b.String())
	l, err := Scan(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Agg(frame.Sum("id")).Collect()
	if err == nil || !strings.Contains(err.Error(), `line 390002 has "far" in column "id"`) || !strings.Contains(err.Error(), "late.csv") {
		t.Error(err)
	}
	if out := collect(t, l.Agg(frame.Sum("km"))); out.Len() != 1 { // the column is not read
		t.Error(out)
	}
	l, err = Scan(path, Format{Kinds: map[string]frame.Kind{"id": frame.IntKind}})
	if err != nil {
		t.Fatal(err)
	}
	out := collect(t, l.Agg(frame.Count("id")))
	if n := out.Col("id_count").At(0); n != int64(699_999) {
		t.Errorf("%v values, %v", n, out.Notes())
	}
	if notes := strings.Join(out.Notes(), "\n"); !strings.Contains(notes, `column "id" has 1 value`) {
		t.Errorf("notes %q", notes)
	}

	write("a.parquet.csv", "x\n1\n")
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none*.csv"), "no file matches"},
		{"https://example.com/x.csv", "on this machine"},
		{write("list.json", `[{"a": 1}]`), "one record per line"},
	} {
		if _, err := Scan(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	write("m1.csv", "x,y\n1,2\n")
	write("m2.csv", "x,z\n1,2\n")
	l, err = Scan(filepath.Join(dir, "m?.csv"))
	if err == nil {
		_, err = l.Collect()
	}
	if err == nil || !strings.Contains(err.Error(), "columns must be those of the first file") {
		t.Error(err)
	}
}

// TestScanStops checks that a run stops when its context ends, and removes its temporary file.
func TestScanStops(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f := rides(t, 1, 50_000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	model.SetAmbient(&model.Ambient{Context: func() context.Context { return ctx }})
	defer model.SetAmbient(nil)
	n := 0
	l := ScanFrame(f)
	spills := 0
	err := stream.Run(l.Sort("km"), stream.Options{Memory: 1 << 20, Rows: 1000, Spills: &spills}, func(*frame.Frame) error {
		if n++; n == 3 {
			if spills == 0 {
				t.Error("nothing was written to the temporary file")
			}
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n > 10 {
		t.Errorf("%v after %d batches", err, n)
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("%d temporary files are left", len(list))
	}
}
