package frame

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/model"
)

func TestDataset(t *testing.T) {
	f := must(t, FloatColumn("fare", []float64{1, math.NaN(), 3}).WithUnit("$"), StringColumn("zone", []string{"b", "a", "b"}),
		BoolColumn("paid", []bool{true, false, true}), CategoryColumn("size", []int32{1, -1, 0}, []string{"S", "L"}), IntColumn("n", []int64{4, 5, 6}))
	d := f.Dataset("n")
	if d.Len() != 3 || d.Target[2] != 6 || d.X.Target.Name != "n" || d.Y != nil {
		t.Error(d)
	}
	if c := d.X.Columns[1]; c.Kind != model.Nominal || !slices.Equal(c.Levels, []string{"a", "b"}) || d.X.At(0, 1) != 1 {
		t.Error(c)
	}
	if d.X.Columns[0].Unit != "$" || !math.IsNaN(d.X.At(1, 0)) || !math.IsNaN(d.X.At(1, 3)) || d.X.At(0, 2) != 1 {
		t.Error(d.X)
	}
	e := f.Dataset("zone", "n", "fare")
	if !slices.Equal(e.Y, []int{1, 0, 1}) || !slices.Equal(e.ClassNames(), []string{"a", "b"}) || !slices.Equal(e.FeatureNames(), []string{"n", "fare"}) {
		t.Error(e)
	}
	if p := f.Dataset("paid", "n"); !slices.Equal(p.Y, []int{1, 0, 1}) {
		t.Error(p)
	}
	f.Set("at", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	for want, do := range map[string]func(){
		`the target "fare" must have no missing values, got 1 of 3`: func() { f.Dataset("fare") },
		"Weekday": func() { f.Dataset("n") },
		`the features must not contain the target "n"`:              func() { f.Dataset("n", "n") },
		`column "at" must be of kind float64 or int64 or string or`: func() { f.Dataset("at", "n") },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("want %q: %s", want, got)
		}
	}
}

func TestRowsUndoFromRows(t *testing.T) {
	fare, day := 2.5, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	want := []trip{{Base{1}, "x", &fare, day, 4, ""}, {Base{2}, "y", nil, time.Time{}, 5, ""}}
	f := FromRows(want)
	var got []trip
	f.Into(&got)
	for k, rows := range [][]trip{got, slices.Collect(Rows[trip](f))} {
		if len(rows) != 2 || *rows[0].Fare != fare || rows[1].Fare != nil || rows[0].At != day || !rows[1].At.IsZero() || rows[1].ID != 2 || rows[1].Seats != 5 || rows[0].Zone != "x" {
			t.Error(k, rows)
		}
	}
	var floats []struct{ Fare float64 }
	f.Into(&floats)
	if !math.IsNaN(floats[1].Fare) {
		t.Error(floats)
	}
	f.Set("Seats", []int{300, 1})
	f.Set("Fare", IntColumn("Fare", []int64{1, 2}).MarkMissing([]uint64{1}))
	for want, do := range map[string]func(){
		"300 in row 0":        func() { f.Into(&[]struct{ Seats uint8 }{}) },
		`no column "Nothing"`: func() { f.Into(&[]struct{ Nothing int }{}) },
		`the field for column "Seats" of kind int64 must have a`: func() { f.Into(&[]struct{ Seats string }{}) },
		"make the field a *int":                                  func() { f.Into(&[]struct{ Fare int }{}) },
		"a pointer to a slice":                                   func() { f.Into(got) },
		"rows must be structs, got int":                          func() { f.Into(&[]int{}) },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("want %q: %s", want, got)
		}
	}
}
