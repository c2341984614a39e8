package frame

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSet(t *testing.T) {
	gaps := BoolColumn("m", []bool{true, false, true}).MarkMissing([]uint64{4}) // true, false, missing
	ints := IntColumn("i", []int64{1, 2, 3}).WithUnit("km")
	words := StringColumn("s", []string{"a", "b", "c"})
	sizes := CategoryColumn("c", []int32{1, 0, -1}, []string{"small", "large"})
	zone := time.FixedZone("there", 7200)
	day := time.Date(2024, 1, 2, 3, 4, 5, 6, zone)
	times := TimeColumn("t", []time.Time{day, {}, day})
	mask := []bool{true, false, true}
	for _, c := range []struct {
		what string
		got  *Column
		want []any
	}{
		{"a missing mask selects nothing", ints.Set(gaps, 9), []any{int64(9), int64(2), int64(3)}},
		{"no row", ints.Set([]bool{false, false, false}, 9.5), []any{int64(1), int64(2), int64(3)}},
		{"integers beside float64", ints.Set(mask, 0.5), []any{0.5, 2.0, 0.5}},
		{"a column", ints.Set(mask, IntColumn("x", []int64{7, 8, 9})), []any{int64(7), int64(2), int64(9)}},
		{"a slice", ints.Set(mask, []int{7, 8, 9}), []any{int64(7), int64(2), int64(9)}},
		{"nil is missing", ints.Set(mask, nil), []any{nil, int64(2), nil}},
		{"NaN is missing, and integers stay integers", ints.Set(0, math.NaN()), []any{nil, int64(2), int64(3)}},
		{"a row", ints.Set(2, 9), []any{int64(1), int64(2), int64(9)}},
		{"rows", words.Set([]int{0, 2}, "z"), []any{"z", "b", "z"}},
		{"missing text", words.Set(1, nil), []any{"a", nil, "c"}},
		{"all rows", words.Set(true, "z"), []any{"z", "z", "z"}},
		{"a level", sizes.Set(2, "small"), []any{"large", "small", "small"}},
		{"a new level", sizes.Set(mask, "huge"), []any{"huge", "small", "huge"}},
		{"strings into levels", sizes.Set(mask, []string{"tiny", "none", "small"}), []any{"tiny", "small", "small"}},
		{"times", times.Set(1, day), []any{day, day, day}},
		{"bools", BoolColumn("b", mask).Set(1, true), []any{true, true, true}},
	} {
		if got := values(c.got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	same(t, ints, int64(1), int64(2), int64(3))
	if got := ints.Set(mask, 9); got.Name() != "i" || got.Unit() != "km" {
		t.Error("the name or the unit is lost")
	}
	if got := sizes.Set(mask, []string{"tiny", "none", "small"}).Levels(); !slices.Equal(got, []string{"small", "large", "tiny"}) {
		t.Errorf("levels %v", got)
	}
	if got := times.Set(0, time.Unix(0, 0).UTC()); got.Zone() != zone {
		t.Errorf("zone %v", got.Zone())
	}
	for want, f := range map[string]func(){
		`Column.Set: both values must be of one kind, got column "i" of kind`:     func() { ints.Set(mask, "nine") },
		`both values must be of one kind, got column "s" of kind`:                 func() { words.Set(mask, 9) },
		`the values for column "i" must be 1 or 3 (the number of`:                 func() { ints.Set(mask, []int{1, 2}) },
		"the mask must have 3 rows, as the frame has, got 2":                      func() { ints.Set([]bool{true, false}, 9) },
		`the row of column "i" must be between 0 and 2, got 3`:                    func() { ints.Set(3, 9) },
		`the row of column "i" must be between 0 and 2, got -1`:                   func() { ints.Set([]int{0, -1}, 9) },
		"the mask must be of kind bool, got int64":                                func() { ints.Set(ints, 9) },
		"Frame.SetWhere: there is no":                                             func() { must(t, ints).SetWhere("j", mask, 9) },
		`Frame.SetWhere: both values must be of one kind, got column "i" of kind`: func() { must(t, ints).SetWhere("i", mask, true) },
	} {
		if got := refused(t, f); !strings.Contains(got, want) {
			t.Errorf("%q does not contain %q", got, want)
		}
	}
}

func TestSetWhere(t *testing.T) {
	f := must(t, IntColumn("i", []int64{1, 2, 3}))
	g := f.Select("i")
	f.SetWhere("i", f.Col("i").Greater(1), f.Col("i").Times(10))
	same(t, f.Col("i"), int64(1), int64(20), int64(30))
	same(t, g.Col("i"), int64(1), int64(2), int64(3))
	empty := f.Head(0)
	empty.SetWhere("i", []bool{}, 5)
	if empty.Len() != 0 {
		t.Error("rows in an empty frame")
	}
}

func TestIf(t *testing.T) {
	mask := BoolColumn("m", []bool{true, false, true}).MarkMissing([]uint64{4})
	x := IntColumn("x", []int64{1, 2, 3})
	for _, c := range []struct {
		what string
		got  *Column
		name string
		want []any
	}{
		{"two values", If(mask, "yes", "no"), "value", []any{"yes", "no", nil}},
		{"a column and a value", If(mask, x, 0), "x", []any{int64(1), int64(0), nil}},
		{"a value and a column", If(mask, 0.5, x), "x", []any{0.5, 2.0, nil}},
		{"two columns", If([]bool{true, false, false}, x, x.Times(10)), "x", []any{int64(1), int64(20), int64(30)}},
		{"missing", If([]bool{true, false, false}, nil, x), "x", []any{nil, int64(2), int64(3)}},
		{"one bool for all", If(true, x, 0), "x", []any{int64(1), int64(2), int64(3)}},
		{"no rows", If([]bool{}, "a", "b"), "value", []any{}},
	} {
		if got := values(c.got); !slices.Equal(got, c.want) || c.got.Name() != c.name {
			t.Errorf("%s: %s %v, want %s %v", c.what, c.got.Name(), got, c.name, c.want)
		}
	}
	for want, f := range map[string]func(){
		"both values must be of one kind, got a value of kind string": func() { If(mask, "yes", 0) },
		"the mask and the values must have the same length, got 3, 2": func() { If(mask, []int{1, 2}, 0) },
		"the mask must be of kind bool, got int64":                    func() { If(x, 1, 0) },
	} {
		if got := refused(t, f); !strings.Contains(got, want) {
			t.Errorf("%q does not contain %q", got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	c := StringColumn("s", []string{"b", "a", "b", "c"}).MarkMissing([]uint64{8})
	if got := c.Levels(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("levels %v", got)
	}
	if got := refused(t, func() { IntColumn("i", []int64{1}).Levels() }); !strings.Contains(got, "must be of kind category, got int64") {
		t.Error(got)
	}
}

func TestApplyKeepsKeys(t *testing.T) {
	f := must(t, StringColumn("k", []string{"b", "a", "b"}), IntColumn("j", []int64{1, 1, 2}), FloatColumn("x", []float64{1, 2, 3}))
	got := f.By("k", "j").Apply(func(g *Frame) *Frame { return g.Agg(Sum("x")) })
	if !slices.Equal(got.Names(), []string{"k", "j", "x_sum"}) {
		t.Fatal(got.Names())
	}
	same(t, got.Col("k"), "a", "b", "b")
	same(t, got.Col("j"), int64(1), int64(1), int64(2))
	// A frame that has the column itself keeps its own, and several rows repeat the rest.
	got = f.By("k", "j").Apply(func(g *Frame) *Frame {
		if g.Col("k").At(0) == "a" {
			return nil
		}
		return Concat(g, g).Drop("j").With("k", "own")
	})
	same(t, got.Col("j"), int64(1), int64(1), int64(2), int64(2))
	same(t, got.Col("k"), "own", "own", "own", "own")
}
