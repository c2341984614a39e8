package parquet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

func all(string) bool { return true }

// cell returns a value in the form of testdata/values.json.
func cell(c *infer.Column, i int) string {
	if c.IsGap(i) {
		return "?"
	}
	switch c.Kind {
	case infer.Float:
		s := strconv.FormatFloat(c.Floats[i], 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	case infer.Bool:
		return strconv.FormatBool(c.Bools[i])
	case infer.Text:
		return c.Words[c.Codes[i]]
	}
	return strconv.FormatInt(c.Ints[i], 10)
}

// Files of pyarrow, Polars and DuckDB, in all encodings and compressions, have the values
// that pyarrow reads. They are written by testdata/files.py.
func TestFiles(t *testing.T) {
	b, err := os.ReadFile("testdata/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]string
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(files) < 7 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(bytes.NewReader(b), int64(len(b)), all)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got.Columns) < 13 || got.Rows != 300 || len(got.Notes) > 0 {
			t.Errorf("%s: %d columns of %d rows, %q", name, len(got.Columns), got.Rows, got.Notes)
		}
		for _, c := range got.Columns {
			if want[c.Name] == nil {
				t.Errorf("%s: column %q", name, c.Name)
				continue
			}
			for i, w := range want[c.Name] {
				if s := cell(c, i); s != w {
					t.Errorf("%s: column %q, row %d: %s, want %s", name, c.Name, i, s, w)
					break
				}
			}
		}
	}
}

// table returns random columns of each kind.
func table(rows int, rng *rand.Rand) []*infer.Column {
	zone := time.FixedZone("", 3600)
	if berlin, err := time.LoadLocation("Europe/Berlin"); err == nil {
		zone = berlin
	}
	var cols []*infer.Column
	for k := range 12 {
		c := &infer.Column{Name: "c" + strconv.Itoa(k), Kind: infer.Kind(k % 5)}
		for i := range rows {
			switch c.Kind {
			case infer.Float:
				c.Unit = "km"
				c.Floats = append(c.Floats, rng.NormFloat64())
			case infer.Int:
				c.Ints = append(c.Ints, int64(rng.Uint64()))
			case infer.Time:
				c.Zone = []*time.Location{time.UTC, zone}[k%2]
				c.Ints = append(c.Ints, rng.Int64())
			case infer.Bool:
				c.Bools = append(c.Bools, rng.IntN(2) == 0)
			default:
				if k > 5 && i == 0 {
					c.Words = []string{"a", "", "ü", strings.Repeat("x", 300)}
				}
				if k > 5 {
					c.Codes = append(c.Codes, int32(rng.IntN(4)))
				} else {
					c.Words = append(c.Words, "w"+strconv.Itoa(i))
					c.Codes = append(c.Codes, int32(i))
				}
			}
			if k%3 == 0 && rng.IntN(4) == 0 {
				c.Gap(i, rows)
				if c.Kind == infer.Text {
					c.Codes[i] = -1
				}
			}
		}
		cols = append(cols, c)
	}
	return cols
}

// Everything written is read back.
func TestWrite(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, rows := range []int{0, 1, 7, 8, 1000, groupRows + 3} {
		cols := table(rows, rng)
		var b bytes.Buffer
		if err := Write(&b, cols, rows); err != nil {
			t.Fatal(err)
		}
		got, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()), func(name string) bool { return name != "c11" })
		if err != nil {
			t.Fatal(err)
		}
		if got.Rows != rows || len(got.Columns) != len(cols)-1 {
			t.Fatalf("%d columns of %d rows", len(got.Columns), got.Rows)
		}
		for j, c := range got.Columns {
			w := cols[j]
			if c.Name != w.Name || c.Kind != w.Kind || c.Unit != w.Unit || fmt.Sprint(c.Zone) != fmt.Sprint(w.Zone) && rows > 0 {
				t.Fatalf("%v %v, want %v %v", c.Name, c.Kind, w.Name, w.Kind)
			}
			for i := range rows {
				if cell(c, i) != cell(w, i) {
					t.Fatalf("column %s, row %d: %s, want %s", c.Name, i, cell(c, i), cell(w, i))
				}
			}
		}
	}
}

// Numbers of all widths come back, also from a run that is cut off after the last number.
func TestHybrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for width := 1; width <= 32; width++ {
		for n := range 70 {
			want := make([]uint32, n)
			for i := range want {
				want[i] = rng.Uint32() >> (32 - width)
			}
			b := pack(nil, width, want)
			cut := b[:min(len(b), 1+(n*width+7)/8)] // the header of the run has one byte
			for _, b := range [][]byte{b, cut} {
				got, _, err := hybrid(b, width, n, nil)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d numbers of %d bits are %v, %v, want %v", n, width, got, err, want)
				}
			}
		}
	}
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: math.Ldexp(1, -24), 0x7c00: math.Inf(1), 0x3555: 0.333251953125} {
		if got := half(h); got != want {
			t.Errorf("%#x is %v, want %v", h, got, want)
		}
	}
}

// A file with a changed byte is read or is an error, and each error says what to do.
func TestDamaged(t *testing.T) {
	b, err := os.ReadFile("testdata/snappy.parquet")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		bad := bytes.Clone(b)
		for range 1 + rng.IntN(3) {
			bad[rng.IntN(len(bad))] = byte(rng.Uint32())
		}
		bad = bad[:len(bad)-rng.IntN(2)*rng.IntN(50)]
		try(t, bad)
	}
}

func try(t *testing.T, b []byte) {
	got, err := Read(bytes.NewReader(b), int64(len(b)), all)
	var e *model.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
	if err == nil {
		for _, c := range got.Columns {
			if c.Len() != got.Rows {
				t.Fatalf("column %s has %d of %d rows", c.Name, c.Len(), got.Rows)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, table(9, rand.New(rand.NewPCG(9, 9)))[:6], 9); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(try)
}
