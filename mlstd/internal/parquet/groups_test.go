package parquet

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// checkGroups compares the row groups of a file with the result of Read, and their bounds with
// their values.
func checkGroups(t *testing.T, name string, b []byte) {
	t.Helper()
	want, err := Read(bytes.NewReader(b), int64(len(b)), all)
	if err != nil {
		t.Fatal(name, err)
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(name, err)
	}
	at := 0
	for g := range f.Groups() {
		cols, err := f.Group(g, f.Names())
		if err != nil {
			t.Fatal(name, err)
		}
		for j, c := range cols {
			lo, hi, bounded := f.Bounds(g, c.Name)
			for i := range f.GroupRows(g) {
				got, w := cell(c, i), cell(want.Columns[j], at+i)
				if got != w {
					t.Fatalf("%s: group %d, column %q, row %d: %s, want %s", name, g, c.Name, i, got, w)
				}
				if bounded && !c.IsGap(i) && !inside(c, i, lo, hi) {
					t.Fatalf("%s: group %d, column %q: %s is not between %v and %v", name, g, c.Name, got, lo, hi)
				}
			}
		}
		at += f.GroupRows(g)
	}
	if at != want.Rows {
		t.Errorf("%s: %d rows, want %d", name, at, want.Rows)
	}
}

func inside(c *infer.Column, i int, lo, hi any) bool {
	switch c.Kind {
	case infer.Float:
		return lo.(float64) <= c.Floats[i] && c.Floats[i] <= hi.(float64)
	case infer.Text:
		s := c.Words[c.Codes[i]]
		return lo.(string) <= s && s <= hi.(string)
	}
	return lo.(int64) <= c.Ints[i] && c.Ints[i] <= hi.(int64)
}

// TestGroups reads files of other programs and random tables by row groups.
func TestGroups(t *testing.T) {
	files, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(files) < 7 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		checkGroups(t, name, b)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	first := table(100, rng)
	w, err := NewWriter(&b, first, func(*infer.Column) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, c := range first { // a dictionary of its own in each group
			if c.Kind == infer.Text {
				c.Words = append([]string{"other"}, c.Words...)
			}
		}
		if err := w.Add(first, 100); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkGroups(t, "written", b.Bytes())
	f, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || f.Groups() != 3 {
		t.Fatal(f.Groups(), err)
	}
	for _, c := range first {
		if _, _, ok := f.Bounds(0, c.Name); !ok && c.Kind != infer.Bool && c.Kind != infer.Text {
			t.Errorf("column %q has no bounds", c.Name)
		}
	}
}
