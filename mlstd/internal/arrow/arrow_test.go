package arrow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

func all(string) bool { return true }

func open(t testing.TB, name string) *Table {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	out, err := Read(bytes.NewReader(b), int64(len(b)), all)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// at returns a value as JSON would have it; times are in nanoseconds.
func (c *Column) at(i int) any {
	if c.IsGap(i) {
		return nil
	}
	switch c.Kind {
	case infer.Float:
		return c.Floats[i]
	case infer.Int, infer.Time:
		return json.Number(fmt.Sprint(c.Ints[i]))
	case infer.Bool:
		return c.Bools[i]
	}
	return c.Words[c.Codes[i]]
}

// The values of make.py, as pyarrow has them.
func TestRead(t *testing.T) {
	b, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string][]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	for file, set := range map[string]string{"kinds.arrow": "kinds", "kinds-lz4.arrow": "kinds", "kinds-zstd.arrows": "kinds", "many.arrow": "many", "many.arrows": "many", "many.feather": "many"} {
		got := open(t, file)
		if len(got.Columns) != len(want[set]) || len(got.Notes) > 0 {
			t.Errorf("%s: %d columns, notes %v", file, len(got.Columns), got.Notes)
		}
		for _, c := range got.Columns {
			w := want[set][c.Name]
			if len(w) != got.Rows || c.Len() != got.Rows {
				t.Errorf("%s: %s has %d and %d rows", file, c.Name, len(w), c.Len())
				continue
			}
			for i, want := range w {
				v := c.at(i)
				if n, ok := want.(json.Number); ok && c.Kind == infer.Float {
					want, _ = n.Float64()
				}
				if c.Name == "time" && want != nil {
					n, _ := want.(json.Number).Float64()
					want = time.Time{}.Add(time.Duration(math.Round(n * 1e9))).Format("15:04:05.999999999")
				}
				if v != want {
					t.Errorf("%s: %s, row %d: %v, want %v", file, c.Name, i, v, want)
				}
			}
		}
	}
	kinds := open(t, "kinds.arrow")
	for _, c := range kinds.Columns {
		switch c.Name {
		case "category":
			if !c.Category || !slices.Equal(c.Words, []string{"low", "high"}) {
				t.Errorf("%v", c.Words)
			}
		case "millis":
			if c.Zone.String() != "Europe/Berlin" {
				t.Error(c.Zone)
			}
		case "micros":
			if _, offset := time.Unix(0, 0).In(c.Zone).Zone(); offset != 7200 {
				t.Error(offset)
			}
		case "duration":
			if c.Unit != "s" {
				t.Error(c.Unit)
			}
		}
	}
	lists := open(t, "lists.arrow")
	if len(lists.Columns) != 2 || lists.Columns[1].Name != "struct.a" || lists.Columns[1].Ints[1] != 2 || lists.Notes[0] != `column "list" has lists and was left out` {
		t.Errorf("%v %v", lists.Columns, lists.Notes)
	}
	if e := open(t, "empty.arrow"); e.Rows != 0 || len(e.Columns) != 3 {
		t.Errorf("%d rows, %d columns", e.Rows, len(e.Columns))
	}
	var words []any
	k := open(t, "deltas.arrows").Columns[0]
	for i := range 6 {
		words = append(words, k.at(i))
	}
	if fmt.Sprint(words) != "[a b c a z a]" {
		t.Errorf("deltas and replacements: %v", words)
	}
}

func TestReadSome(t *testing.T) {
	b, err := os.ReadFile("testdata/kinds-lz4.arrow")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(b), int64(len(b)), func(name string) bool { return name == "view" || name == "words" })
	if err != nil || len(got.Columns) != 2 || got.Columns[0].at(1) != "a string of more than twelve bytes" || got.Columns[1].at(0) != "r" {
		t.Errorf("%v %v", got, err)
	}
}

func sample(n int) []*Column {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	x, y, z := &Column{Column: infer.Column{Name: "x", Kind: infer.Float, Unit: "km"}}, &Column{Column: infer.Column{Name: "y", Kind: infer.Int}}, &Column{Column: infer.Column{Name: "z", Kind: infer.Bool}}
	at := &Column{Column: infer.Column{Name: "at", Kind: infer.Time, Zone: zone}}
	naive := &Column{Column: infer.Column{Name: "naive", Kind: infer.Time, Zone: time.UTC}}
	s := &Column{Column: infer.Column{Name: "s", Words: []string{"", "a", "Größe"}}}
	c := &Column{Column: infer.Column{Name: "c", Words: []string{"unused", "low", "high"}}, Category: true}
	for i := range n {
		x.Floats, y.Ints, z.Bools = append(x.Floats, float64(i)/8), append(y.Ints, int64(i)<<40), append(z.Bools, i%3 == 0)
		at.Ints, naive.Ints = append(at.Ints, int64(i)*1e15), append(naive.Ints, -int64(i))
		s.Codes, c.Codes = append(s.Codes, int32(i%3)), append(c.Codes, int32(1+i%2))
	}
	all := []*Column{x, y, z, at, naive, s, c}
	for i := 5; i < n; i += 7 {
		for _, c := range all[1:] {
			c.Gap(i, n)
		}
		s.Codes[i], c.Codes[i] = -1, -1
		x.Floats[i] = math.NaN()
		x.Gap(i, n)
	}
	return all
}

func TestWrite(t *testing.T) {
	for _, n := range []int{0, 1, 3, 100, batchRows + 5} {
		for _, stream := range []bool{false, true} {
			var b bytes.Buffer
			columns := sample(n)
			if err := Write(&b, columns, n, stream); err != nil {
				t.Fatal(err)
			}
			got, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()), all)
			if err != nil || got.Rows != n || len(got.Columns) != len(columns) {
				t.Fatalf("%d rows: %v", n, err)
			}
			for j, c := range columns {
				d := got.Columns[j]
				if d.Name != c.Name || d.Unit != c.Unit || d.Kind != c.Kind || d.Category != c.Category || c.Kind == infer.Time && c.Zone.String() != d.Zone.String() {
					t.Errorf("%d rows: got column %v, want %v", n, d.Column, c.Column)
				}
				for i := range n {
					if a, b := d.at(i), c.at(i); a != b {
						t.Fatalf("%d rows: %s, row %d: %v, want %v", n, c.Name, i, a, b)
					}
				}
			}
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, name := range []string{"kinds.arrow", "kinds-lz4.arrow", "kinds-zstd.arrows", "lists.arrow", "deltas.arrows"} {
		whole, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for cut := 1; cut < len(whole); cut += 97 {
			b := whole[:cut]
			if _, err := Read(bytes.NewReader(b), int64(len(b)), all); err == nil && !strings.HasSuffix(name, "s") {
				t.Errorf("%s: %d of %d bytes were read", name, cut, len(whole))
			}
		}
		for at := 0; at < len(whole); at += 7 { // no byte may lead to a panic
			b := slices.Clone(whole)
			b[at] ^= 0xff
			Read(bytes.NewReader(b), int64(len(b)), all)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"kinds.arrow", "kinds-lz4.arrow", "lists.arrow", "deltas.arrows", "empty.arrow"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { Read(bytes.NewReader(b), int64(len(b)), all) })
}
