package data_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

func TestReadCSV(t *testing.T) {
	d, err := data.ReadCSV(strings.NewReader("\ufeffage, color,level,grade\n31,red,10,pass\n?,blue,9,fail\n40, ,9,pass\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Column{{Name: "age"}, {Name: "color", Kind: model.Nominal, Levels: []string{"blue", "red"}}, {Name: "level"}}
	if diff := cmp.Diff(want, d.X.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	nan := math.NaN()
	if diff := cmp.Diff([]float64{31, 1, 10, nan, 0, 9, 40, nan, 9}, d.X.RawMatrix().Data, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 0, 1}, d.Y); diff != "" || d.X.Target.Name != "grade" {
		t.Errorf("target %q (-want +got):\n%s", d.X.Target.Name, diff)
	}
}

func TestCSVOptions(t *testing.T) {
	c := &data.CSV{
		Target: "price", Drop: []string{"id"},
		Kinds:  map[string]model.Kind{"size": model.Ordinal, "zip": model.Nominal},
		Levels: map[string][]string{"size": {"small", "large"}},
	}
	d, err := c.Read(strings.NewReader("id;price;size;zip\n1;2.5;large;10\n2;3;small;9\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{2.5, 3}, d.Target); diff != "" || d.Y != nil {
		t.Errorf("target (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{1, 1, 0, 0}, d.X.RawMatrix().Data); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"9", "10"}, d.X.Columns[1].Levels); diff != "" {
		t.Errorf("levels that are numbers sort as numbers (-want +got):\n%s", diff)
	}
	d, err = (&data.CSV{Dialect: csv.Dialect{NoHeader: true}, Target: "-"}).Read(strings.NewReader("1\t2\n3\t4\n"))
	if err != nil {
		t.Fatal(err)
	}
	german := &data.CSV{Dialect: csv.Dialect{Separator: ";", Decimal: ",", Comment: "%", Skip: 1}, Target: "-"}
	e, err := german.Read(strings.NewReader("report\na;b\n1,500;2\n% no\n3,25;4\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{1.5, 2, 3.25, 4}, e.X.RawMatrix().Data); diff != "" {
		t.Errorf("dialect (-want +got):\n%s", diff)
	}
	if r, k := d.X.Dims(); r != 2 || k != 2 || d.Y != nil || d.Target != nil || d.X.Columns[1].Name != "x2" {
		t.Errorf("no header, no target: %dx%d %v", r, k, d.X.Columns)
	}
}

// An empty field between two tabs is a missing value, not part of the separator.
func TestCSVTabs(t *testing.T) {
	d, err := data.ReadCSV(strings.NewReader("a\tb\ty\n1\t\tno\n\t2\tyes\n3\t4\tno\n"))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	if diff := cmp.Diff([]float64{1, nan, nan, 2, 3, 4}, d.X.RawMatrix().Data, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 1, 0}, d.Y); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}

func TestCSVErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "CSV: the text must not be empty"},
		{"header only", "a,b\n", "CSV: there must be a line after the header, got none; set NoHeader of the Dialect if the first line is data"},
		{"ragged", "a,b\n1,2\n3\n", `CSV: line 3 must have 2 fields, as the header has, got 1; complete the line, or set Separator if it is not ','`},
		{"twins", "a,a\n1,2\n", `CSV: column names must be distinct, got "a" twice`},
		{"no target value", "a,b\n1,yes\n2,?\n", `CSV: the target column "b" must have a value in every row, got none in row 2; set DropMissing to leave out such rows, or name another column as Target`},
		{"one column", "a\n1\n", `CSV: there must be a column besides the target; set Target to "-" if there is nothing to predict`},
	} {
		_, err := data.ReadCSV(strings.NewReader(tt.text))
		var e *model.Error
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
	for _, tt := range []struct {
		name string
		c    *data.CSV
		want string
	}{
		{"target", &data.CSV{Target: "c"}, `CSV: there is no column "c"; use one of "a", "b"`},
		{"number", &data.CSV{Kinds: map[string]model.Kind{"a": model.Numeric}}, `CSV: the numeric column "a" must have numbers only, got "x" in row 2; add it to Missing, or set the column's kind to ml.Nominal in Kinds`},
		{"level", &data.CSV{Levels: map[string][]string{"a": {"1"}}}, `CSV: column "a" must have only its levels, got "x" in row 2; add it to Levels, or use one of "1"`},
		{"dropped", &data.CSV{Target: "a", Drop: []string{"a"}}, `CSV: Drop must not name the target, got "a"`},
		{"comma", &data.CSV{Dialect: csv.Dialect{Separator: "\n"}}, `CSV: Separator must be one ASCII character other than a quotation mark or a line break, got "\n"; set Separator to ";", "\t" or another character`},
	} {
		if _, err := tt.c.Read(strings.NewReader("a,b\n1,2\nx,3\n")); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := data.LoadCSV(filepath.Join(t.TempDir(), "none.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
}

func TestCSVRoundTrip(t *testing.T) {
	for _, d := range []*data.Dataset{data.PlayTennis(), data.Iris(), data.Diabetes()} {
		path := filepath.Join(t.TempDir(), d.Name+".csv")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.WriteCSV(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		back, err := data.LoadCSV(path)
		if err != nil {
			t.Fatal(err)
		}
		if back.Name != d.Name || back.Len() != d.Len() {
			t.Errorf("%s: read back as %s of %d rows", d.Name, back.Name, back.Len())
		}
		for i := range d.Len() {
			for j := range d.X.Columns {
				if d.Cell(i, j) != back.Cell(i, j) {
					t.Fatalf("%s row %d: %q became %q", d.Name, i, d.Cell(i, j), back.Cell(i, j))
				}
			}
			if d.Label(i) != back.Label(i) {
				t.Fatalf("%s row %d: label %q became %q", d.Name, i, d.Label(i), back.Label(i))
			}
		}
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("a,b\n1,2\n", false)
	f.Add("a;b\n1;x\n?;y\n", true)
	f.Add("\ufeff\"a\"\"b\",c\r\n1e300,nan\r\n", false)
	f.Fuzz(func(t *testing.T, text string, noHeader bool) {
		d, err := (&data.CSV{Dialect: csv.Dialect{NoHeader: noHeader}}).Read(strings.NewReader(text))
		if err != nil {
			return
		}
		n, cols := d.X.Dims()
		if n == 0 || cols != len(d.X.Columns) || (d.Y == nil) == (d.Target == nil) {
			t.Fatalf("%dx%d with %d columns, %d classes, %d targets", n, cols, len(d.X.Columns), len(d.Y), len(d.Target))
		}
		for _, y := range d.Y {
			if y < 0 || y >= len(d.ClassNames()) {
				t.Fatalf("class %d of %v", y, d.ClassNames())
			}
		}
		for i := range n {
			for j, c := range d.X.Columns {
				if v := d.X.At(i, j); c.Kind == model.Nominal && !math.IsNaN(v) && (v < 0 || int(v) >= len(c.Levels)) {
					t.Fatalf("level %v of %v", v, c.Levels)
				}
			}
		}
		var b bytes.Buffer
		if err := d.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
	})
}

func ExampleReadCSV() {
	d, err := data.ReadCSV(strings.NewReader("height,color,sweet\n3,red,yes\n5,green,no\n4,red,yes\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.FeatureNames(), d.ClassNames(), d.Y)
	fmt.Println(mat.Row(nil, 1, d.X))
	// Output:
	// [height color] [no yes] [1 0 1]
	// [5 0]
}
