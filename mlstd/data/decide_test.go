package data_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// numbersWith returns a column of 2000 numbers, one of which can be a typing error, and a target.
func numbersWith(slip string) string {
	var b strings.Builder
	b.WriteString("price,y\n")
	for i := range 2000 {
		field := fmt.Sprint(20 * i)
		if i == 1233 && slip != "" {
			field = slip
		}
		fmt.Fprintf(&b, "%s,%d\n", field, i)
	}
	return b.String()
}

// One typing error among many numbers does not make the column nominal.
func TestCSVSlip(t *testing.T) {
	_, err := data.ReadCSV(strings.NewReader(numbersWith("12abc")))
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an error", err)
	}
	for _, word := range []string{"row 1234", `"12abc"`, `"price"`, "1999 numbers", "Missing", "Kinds"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not mention %s: %v", word, err)
		}
	}
	d, err := (&data.CSV{Dialect: csv.Dialect{Missing: []string{"12abc"}}}).Read(strings.NewReader(numbersWith("12abc")))
	if err != nil {
		t.Fatal(err)
	}
	if c := d.X.Columns[0]; c.Kind != model.Numeric || !math.IsNaN(d.X.At(1233, 0)) || d.X.At(1234, 0) != 24680 {
		t.Errorf("with the slip as Missing: %v, %v, %v", c.Kind, d.X.At(1233, 0), d.X.At(1234, 0))
	}
	d, err = (&data.CSV{Kinds: map[string]model.Kind{"price": model.Nominal}}).Read(strings.NewReader(numbersWith("12abc")))
	if err != nil || d.X.Columns[0].Kind != model.Nominal {
		t.Errorf("asked to be nominal: %v", err)
	}
	d, err = data.ReadCSV(strings.NewReader("room,y\n12,1\n12a,2\nB,3\n"))
	if err != nil || d.X.Columns[0].Kind != model.Nominal || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], `"room"`) {
		t.Errorf("a column of numbers and names: %v, notes %q", err, d.Notes)
	}
	if !strings.Contains(d.String(), "note: the column") {
		t.Errorf("the notes are not shown:\n%s", d)
	}
}

func TestCSVEncodings(t *testing.T) {
	utf16 := "\xff\xfe"
	for _, r := range "a,y\n1,Köln\n2,Ulm\n" {
		utf16 += string([]byte{byte(r), byte(r >> 8)})
	}
	for name, c := range map[string]struct {
		text, note string
	}{
		"UTF-8":   {"a,y\n1,Köln\n2,Ulm\n", ""},
		"Latin-1": {"a,y\n1,K\xf6ln\n2,Ulm\n", "Windows-1252"},
		"UTF-16":  {utf16, "UTF-16"},
	} {
		d, err := data.ReadCSV(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := d.ClassNames(); !slices.Equal(got, []string{"Köln", "Ulm"}) {
			t.Errorf("%s: the classes are %q", name, got)
		}
		if notes := strings.Join(d.Notes, "; "); (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
			t.Errorf("%s: the notes are %q", name, notes)
		}
	}
	d, err := data.ReadCSV(strings.NewReader("a,y\n1,x\x80\n2,y\x80\n"))
	if err != nil || d.ClassNames()[0] != "x€" {
		t.Errorf("a sign of Windows-1252: %v", err)
	}
}

func TestCSVLargeIntegers(t *testing.T) {
	d, err := data.ReadCSV(strings.NewReader("id,exact,y\n9007199254740993,9007199254740992,1.5\n1,-9007199254740994,2.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "9007199254740993") || !strings.Contains(d.Notes[0], `"id"`) {
		t.Errorf("the notes are %q", d.Notes)
	}
}

func TestBinaryTarget(t *testing.T) {
	d, err := data.ReadCSV(strings.NewReader("a,survived\n1,0\n2,1\n3,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "AsClasses") {
		t.Errorf("the notes are %q", d.Notes)
	}
	_, err = model.CheckXY("KNN.Fit", d.X, d.Y)
	for _, word := range []string{"AsClasses", "Target"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("a y that is missing: the error %v does not mention %s", err, word)
		}
	}
	c := d.AsClasses()
	if !slices.Equal(c.Y, []int{0, 1, 1}) || c.Target != nil || !slices.Equal(c.ClassNames(), []string{"0", "1"}) {
		t.Errorf("got %v, %v, %q", c.Y, c.Target, c.ClassNames())
	}
	if d.Target == nil || d.Y != nil {
		t.Error("AsClasses changed the data set")
	}
	for name, f := range map[string]func(){
		"no target": func() { c.AsClasses() },
		"too many": func() {
			many := &data.Dataset{X: d.X}
			for i := range 101 {
				many.Target = append(many.Target, float64(i))
			}
			many.AsClasses()
		},
		"no classes": func() { d.Only("1") },
	} {
		func() {
			defer func() {
				if e, ok := recover().(*model.Error); !ok || e.Hint == "" {
					t.Errorf("%s: no panic with an Error that says what to do", name)
				}
			}()
			f()
		}()
	}
}

func TestCSVDropMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(path, []byte("a,y\n1,no\n2,\n3,yes\n4,?\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := data.LoadCSV(path); err == nil || !strings.Contains(err.Error(), "DropMissing") {
		t.Errorf("got %v, want an error that names DropMissing", err)
	}
	d, err := (&data.CSV{DropMissing: true}).Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() != 2 || d.X.At(1, 0) != 3 || len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0], "2 of 4 rows") {
		t.Errorf("got %d rows, notes %q", d.Len(), d.Notes)
	}
}
