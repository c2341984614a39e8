package data_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

func TestSmallSets(t *testing.T) {
	for _, tt := range []struct {
		d            *data.Dataset
		rows, cols   int
		counts       []int
		first, label string
	}{
		{data.PlayTennis(), 14, 4, []int{5, 9}, "sunny hot high weak", "no"},
		{data.SunnyWindy(), 8, 2, []int{3, 5}, "yes yes", "no"},
		{data.TwoCoins(), 4, 1, []int{2, 2}, "head", "head"},
		{data.XOR(), 4, 2, []int{2, 2}, "0 0", "0"},
		{data.Wine(), 178, 13, []int{59, 71, 48}, "14.23 1.71 2.43 15.6 127 2.8 3.06 0.28 2.29 5.64 1.04 3.92 1065", "class_0"},
		{data.Digits(), 1797, 64, []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180},
			"0 0 5 13 9 1 0 0 0 0 13 15 10 15 5 0 0 3 15 2 0 11 8 0 0 4 12 0 0 8 8 0 0 5 8 0 0 9 8 0 0 4 11 0 1 12 7 0 0 2 14 5 10 12 0 0 0 0 6 13 10 0 0 0", "0"},
		{data.Iris(), 150, 4, []int{50, 50, 50}, "5.1 3.5 1.4 0.2", "setosa"},
	} {
		t.Run(tt.d.Name, func(t *testing.T) {
			r, c := tt.d.X.Dims()
			if r != tt.rows || c != tt.cols || len(tt.d.Y) != r || len(tt.d.X.Columns) != c {
				t.Errorf("got %dx%d with %d classes and %d columns, want %dx%d", r, c, len(tt.d.Y), len(tt.d.X.Columns), tt.rows, tt.cols)
			}
			if diff := cmp.Diff(tt.counts, tt.d.ClassCounts()); diff != "" {
				t.Errorf("class counts (-want +got):\n%s", diff)
			}
			var first []string
			for j := range c {
				first = append(first, tt.d.Cell(0, j))
			}
			if got := strings.Join(first, " "); got != tt.first || tt.d.Label(0) != tt.label {
				t.Errorf("first row: got %q -> %q, want %q -> %q", got, tt.d.Label(0), tt.first, tt.label)
			}
			if tt.d.Source == "" || tt.d.License == "" || tt.d.Description == "" {
				t.Error("source, license or description is missing")
			}
		})
	}
}

func TestBreastCancerAndDiabetes(t *testing.T) {
	bc := data.BreastCancer()
	if diff := cmp.Diff([]int{212, 357}, bc.ClassCounts()); diff != "" {
		t.Errorf("breast cancer (-want +got):\n%s", diff)
	}
	if got := []string{bc.Cell(0, 0), bc.Cell(0, 29), bc.Label(0)}; !cmp.Equal(got, []string{"17.99", "0.1189", "malignant"}) {
		t.Errorf("breast cancer, first row: got %v", got)
	}
	d := data.Diabetes()
	if d.Len() != 442 || d.Y != nil || len(d.Target) != 442 {
		t.Fatalf("diabetes: %d rows, %d targets", d.Len(), len(d.Target))
	}
	// Efron et al. (2004), table 1: the first patient, and the mean target 152.1.
	if got := []string{d.Cell(0, 0), d.Cell(0, 2), d.Label(0)}; !cmp.Equal(got, []string{"59", "32.1", "151"}) {
		t.Errorf("diabetes, first row: got %v", got)
	}
	if got := stat.Mean(d.Target, nil); math.Abs(got-152.13) > 0.01 {
		t.Errorf("diabetes, mean target: got %v, want 152.13", got)
	}
}

// The means are those of the data set's own description (Fisher 1936): 5.84,
// 3.05, 3.76, 1.20, given there with two decimals.
func TestIrisMeans(t *testing.T) {
	d := data.Iris()
	for j, want := range []float64{5.84, 3.05, 3.76, 1.20} {
		col := make([]float64, d.Len())
		for i := range col {
			col[i] = d.X.At(i, j)
		}
		if got := stat.Mean(col, nil); math.Abs(got-want) > 0.01 {
			t.Errorf("%s: mean %v, want %v", d.X.Columns[j].Name, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	d := data.Iris()
	train, test := d.Split(0.3, 1)
	if train.Len() != 105 || test.Len() != 45 {
		t.Fatalf("got %d and %d rows, want 105 and 45", train.Len(), test.Len())
	}
	if diff := cmp.Diff([]int{15, 15, 15}, test.ClassCounts()); diff != "" {
		t.Errorf("the test set is not stratified (-want +got):\n%s", diff)
	}
	key := func(d *data.Dataset, i int) string { return fmt.Sprint(d.X.RawRowView(i), d.Y[i]) }
	var got, want []string
	for _, part := range []*data.Dataset{train, test} {
		for i := range part.Len() {
			got = append(got, key(part, i))
		}
	}
	for i := range d.Len() {
		want = append(want, key(d, i))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the parts are not the whole (-want +got):\n%s", diff)
	}
	again, _ := d.Split(0.3, 1)
	if diff := cmp.Diff(train.Y, again.Y); diff != "" {
		t.Errorf("the same seed gave another split:\n%s", diff)
	}
	other, _ := d.Split(0.3, 2)
	if cmp.Equal(train.X.RawMatrix().Data, other.X.RawMatrix().Data) {
		t.Error("another seed gave the same split")
	}
}

func TestSplitUnevenClasses(t *testing.T) {
	// 5 no and 9 yes; 4 of 14: quotas 1.43 and 2.57, so the larger remainder wins.
	_, test := data.PlayTennis().Split(0.3, 7)
	if diff := cmp.Diff([]int{1, 3}, test.ClassCounts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFeaturesOnlySigns(t *testing.T) {
	d := data.Iris().Features("petal width", "sepal length")
	if got := d.X.RawRowView(0); got[0] != 0.2 || got[1] != 5.1 {
		t.Errorf("Features: first row %v, want [0.2 5.1]", got)
	}
	two := data.Iris().Only("virginica", "setosa")
	if diff := cmp.Diff([]int{50, 50}, two.ClassCounts()); diff != "" {
		t.Errorf("Only (-want +got):\n%s", diff)
	}
	if two.Label(0) != "setosa" || two.Signs()[0] != 1 || two.Signs()[99] != -1 {
		t.Errorf("Only: first label %s, signs %v and %v; want setosa, 1, -1", two.Label(0), two.Signs()[0], two.Signs()[99])
	}
	if got := data.Iris().ClassNames(); got[0] != "setosa" {
		t.Errorf("Only changed the names of the whole: %v", got)
	}
}

func TestCORE13_FeatureVectors(t *testing.T) {
	x := data.Rows([][]float64{{1, 2}, {3, 4}, {5, 6}})
	if r, c := x.Dims(); r != 3 || c != 2 || x.At(2, 1) != 6 {
		t.Errorf("rows: %dx%d, x[2][1] = %v", r, c, x.At(2, 1))
	}
	d := data.SunnyWindy()
	if diff := cmp.Diff([]float64{-1, 1, -1, 1, 1, -1, 1, 1}, d.Signs()); diff != "" {
		t.Errorf("y = ±1 (-want +got):\n%s", diff)
	}
}

func TestMisuse(t *testing.T) {
	d := data.TwoCoins()
	for _, tt := range []struct {
		name, want string
		f          func()
	}{
		{"feature", `Dataset.Features: TwoCoins has no feature "C"; use one of "A"`, func() { d.Features("C") }},
		{"no feature", `Dataset.Features: at least one feature must be named; use some of "A"`, func() { d.Features() }},
		{"class", `Dataset.Only: TwoCoins has no class "edge"; use one of "tail", "head"`, func() { d.Only("edge") }},
		{"row", "Dataset.Subset: the rows of TwoCoins must be between 0 and 3, got 4", func() { d.Subset([]int{4}) }},
		{"fraction", "Dataset.Split: testFraction must be between 0 and 1, got 1; use a fraction such as 0.3", func() { d.Split(1, 0) }},
		{"fraction NaN", "Dataset.Split: testFraction must be between 0 and 1, got NaN; use a fraction such as 0.3", func() { d.Split(math.NaN(), 0) }},
		{"part", "Dataset.Split: each part must have at least one example, but a test fraction of 0.1 of 4 examples leaves one part empty", func() { d.Split(0.1, 0) }},
		{"signs", "Dataset.Signs: Iris must have exactly two classes, got 3; select two classes with Only", func() { data.Iris().Signs() }},
		{"rows", "Rows: all rows must have the same length, but row 1 has 1 values and row 0 has 2; give all rows the same number of values", func() { data.Rows([][]float64{{1, 2}, {3}}) }},
		{"no rows", "Rows: rows must not be empty; pass at least one row of at least one value", func() { data.Rows(nil) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				var e *model.Error
				if !errors.As(err, &e) || err.Error() != tt.want {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			}()
			tt.f()
		})
	}
}

func ExamplePlayTennis() {
	fmt.Print(data.PlayTennis())
	// Output:
	// PlayTennis: 14 rows x 4 columns; no 5, yes 9
	// Outlook   Temperature  Humidity  Wind    Play
	// sunny     hot          high      weak    no
	// sunny     hot          high      strong  no
	// overcast  hot          high      weak    yes
	// rain      mild         high      weak    yes
	// rain      cool         normal    weak    yes
	// ... 9 more
}

func ExampleDataset_Split() {
	train, test := data.Iris().Split(0.3, 1)
	fmt.Println(train.Len(), test.Len(), test.ClassCounts())
	// Output: 105 45 [15 15 15]
}
