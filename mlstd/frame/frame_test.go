package frame

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/model"
)

// must makes a frame of columns that fit.
func must(t *testing.T, cols ...*Column) *Frame {
	t.Helper()
	f, err := New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// refused returns the message of the model.Error with which f panics.
func refused(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		t.Helper()
		e, ok := recover().(*model.Error)
		if !ok {
			t.Fatalf("there was no model.Error")
		}
		message = e.Error()
	}()
	f()
	return ""
}

func values(c *Column) []any {
	out := make([]any, c.Len())
	for i := range out {
		out[i] = c.At(i)
	}
	return out
}

func same(t *testing.T, c *Column, want ...any) {
	t.Helper()
	if got := values(c); !slices.Equal(got, want) {
		t.Errorf("%s is %v, want %v", c.Name(), got, want)
	}
}

func TestNewRefuses(t *testing.T) {
	a := IntColumn("a", []int64{1, 2})
	for name, cols := range map[string][]*Column{
		`frame.New: column names must be distinct, got "a" twice`:   {a, a},
		"frame.New: all columns must have the same number of rows,": {a, IntColumn("b", []int64{1})},
		"frame.New: column 0 must have a name":                      {IntColumn("", []int64{1})},
		"frame.New: column 1 must not be nil":                       {a, nil},
	} {
		_, err := New(cols...)
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error with %q, got %v", name, err)
		}
	}
}

func TestMissingInEveryKind(t *testing.T) {
	day := time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC)
	cols := []*Column{
		FloatColumn("float", []float64{1, 2, 3}),
		IntColumn("int", []int64{1, 2, 3}),
		StringColumn("string", []string{"x", "y", "z"}),
		CategoryColumn("category", []int32{0, 1, 0}, []string{"low", "high"}),
		BoolColumn("bool", []bool{true, true, false}),
		TimeColumn("time", []time.Time{day, day, day}),
	}
	for _, c := range cols {
		before := values(c)
		d := c.MarkMissing([]uint64{0b010})
		if d.Missing() != 1 || !d.IsMissing(1) || d.IsMissing(0) || d.At(1) != nil || d.At(2) == nil {
			t.Errorf("%s: %v", c.Name(), values(d))
		}
		if !slices.Equal(values(c), before) || d.MarkMissing([]uint64{0b010}) != d {
			t.Errorf("%s has changed: %v", c.Name(), values(c))
		}
		if e := d.take([]int32{2, -1, 1, 0}); e.Missing() != 2 || e.At(0) != d.At(2) || e.At(3) != d.At(0) {
			t.Errorf("%s taken: %v", c.Name(), values(e))
		}
		if e := d.slice(1, 3); e.Missing() != 1 || e.At(0) != nil || e.At(1) != d.At(2) {
			t.Errorf("%s sliced: %v", c.Name(), values(e))
		}
	}
	if c := FloatColumn("x", []float64{1, math.NaN()}); c.Missing() != 1 || !c.IsMissing(1) {
		t.Error("NaN is not missing")
	}
}

func TestArithmetic(t *testing.T) {
	i := IntColumn("i", []int64{6, 7, 8}).MarkMissing([]uint64{0b100})
	x := FloatColumn("x", []float64{0.5, math.NaN(), 2})
	same(t, i.Plus(i), int64(12), int64(14), nil)
	same(t, i.Plus(1), int64(7), int64(8), nil)
	same(t, i.Over(2), 3.0, 3.5, nil)
	same(t, i.Times(x), 3.0, nil, nil)
	same(t, i.Rminus(10), int64(4), int64(3), nil)
	same(t, x.Rover(1), 2.0, nil, 0.5)
	same(t, i.Neg(), int64(-6), int64(-7), nil)
	same(t, i.Mod(4), int64(2), int64(3), nil)
	same(t, x.Plus([]float64{1, 2, 3}), 1.5, nil, 5.0)
	same(t, StringColumn("s", []string{"a", "b"}).Plus("!"), "a!", "b!")
	same(t, StringColumn("s", []string{"a", "b"}).Rplus("<"), "<a", "<b")
	same(t, x.Map(math.Sqrt), math.Sqrt(0.5), nil, math.Sqrt2)
	same(t, FloatColumn("z", []float64{0, 1}).Over(0), nil, math.Inf(1))
}

func TestIntegersDoNotOverflow(t *testing.T) {
	big := IntColumn("big", []int64{math.MaxInt64, math.MinInt64})
	for name, f := range map[string]func(){
		"9223372036854775807 + 1":   func() { big.Plus(1) },
		"-9223372036854775808 + -1": func() { big.Plus([]int64{0, -1}) },
		"-9223372036854775808 - 1":  func() { big.Minus([]int{0, 1}) },
		"9223372036854775807 * 2":   func() { big.Times(2) },
		"-9223372036854775808 * -1": func() { big.Times([]int64{1, -1}) },
		"0 - -9223372036854775808":  func() { big.Neg() },
	} {
		if got := refused(t, f); !strings.Contains(got, name) {
			t.Errorf("%s: %s", name, got)
		}
	}
	same(t, big.Minus(big), int64(0), int64(0))
	same(t, big.Times(1), int64(math.MaxInt64), int64(math.MinInt64))
}

func TestProduct(t *testing.T) {
	edge := []int64{0, 1, -1, 2, -2, 3037000499, 3037000500, math.MaxInt64, math.MinInt64, math.MaxInt64 / 2, math.MinInt64 / 2}
	for _, x := range edge {
		for _, y := range edge {
			got, ok := product(x, y)
			fits := x == 0 || y == 0 || x*y/y == x && !(x == -1 && y == math.MinInt64) && !(y == -1 && x == math.MinInt64)
			if ok != fits || ok && got != x*y {
				t.Errorf("%d * %d: %d %v", x, y, got, ok)
			}
		}
	}
}

func TestTimes(t *testing.T) {
	zone := time.FixedZone("test", 3600)
	noon := time.Date(2024, 1, 31, 12, 0, 0, 0, zone)
	c := TimeColumn("at", []time.Time{noon, {}, noon.Add(36 * time.Hour)})
	same(t, c.Minus(noon), 0.0, nil, 36*3600.0)
	same(t, c.Plus(time.Hour).Minus(c), 3600.0, nil, 3600.0)
	same(t, c.GreaterEqual("2024-02-01"), false, nil, true)
	same(t, c.Less(noon.UTC()), false, nil, false)
	if got := c.Moments()[0]; !got.Equal(noon) || got.Location() != zone {
		t.Errorf("%v", got)
	}
	if got := refused(t, func() { c.Less("soon") }); !strings.Contains(got, "2024-01-31") {
		t.Error(got)
	}
	if got := refused(t, func() { TimeColumn("old", []time.Time{time.Date(1500, 1, 1, 0, 0, 0, 0, zone)}) }); !strings.Contains(got, "1678") {
		t.Error(got)
	}
}

func TestTimesAreWrittenAlike(t *testing.T) {
	day := time.Date(2024, 1, 31, 0, 0, 0, 0, time.FixedZone("test", 3600))
	for want, d := range map[string]time.Duration{"2024-01-31": 24 * time.Hour, "2024-01-31 00:00": time.Hour, "2024-01-31 00:00:00": time.Second, "2024-01-31 00:00:00.5": 500 * time.Millisecond} {
		first := day
		if d < time.Second {
			first = day.Add(d)
		}
		c := TimeColumn("t", []time.Time{first, day.Add(d)})
		if got := c.Text(0); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := c.In(time.UTC).Text(0); got == want {
			t.Error(got)
		}
		if got := c.slice(0, 1).Text(0); d >= time.Second && got != "2024-01-31" {
			t.Error(got)
		}
	}
}

func TestComparisons(t *testing.T) {
	i := IntColumn("i", []int64{1, 2, 3}).MarkMissing([]uint64{0b100})
	same(t, i.Less(2), true, false, nil)
	same(t, i.GreaterEqual(1.5), false, true, nil)
	same(t, i.Equal([]int{1, 3, 3}), true, false, nil)
	same(t, i.NotEqual(math.NaN()), nil, nil, nil)
	s := StringColumn("s", []string{"b", "a", "c"})
	same(t, s.LessEqual("b"), true, true, false)
	same(t, s.NotEqual([]string{"b", "b", "b"}), false, true, true)
	k := CategoryColumn("size", []int32{0, 2, -1}, []string{"small", "medium", "large"})
	same(t, k.Less("medium"), true, false, nil)
	same(t, k.Equal("large"), false, true, nil)
	same(t, k.Equal("huge"), false, false, nil)
	same(t, s.OneOf("a", "c"), false, true, true)
	same(t, i.Between(2, 9), false, true, nil)
	if got := refused(t, func() { k.Less("huge") }); !strings.Contains(got, `"medium"`) {
		t.Error(got)
	}
	if got := refused(t, func() { s.Less(1) }); !strings.Contains(got, "must be of one kind") {
		t.Error(got)
	}
	if got := refused(t, func() { i.Less([]int{1}) }); !strings.Contains(got, "3 rows") {
		t.Error(got)
	}
	// float64 cannot represent 2^53+1, which must not compare equal to 2^53.
	big := IntColumn("big", []int64{1<<53 + 1, math.MaxInt64})
	same(t, big.Greater(float64(1<<53)), true, true)
	same(t, big.Less(float64(1<<63)), true, true)
	same(t, FloatColumn("x", []float64{1 << 53, 1 << 63}).Less(big), true, false)
	same(t, FloatColumn("x", []float64{1 << 53, 1 << 63}).Less(1<<53+1), true, false)
	same(t, FloatColumn("x", []float64{-0.5, 1, math.NaN(), math.Inf(1)}).Less(1), true, false, nil, false)
	same(t, i.Less(1.5), true, false, nil)
	same(t, i.NotEqual(2.0), true, false, nil)
	same(t, big.NotEqual(1.0), true, true)
}

func TestThreeValuedLogic(t *testing.T) {
	a := BoolColumn("a", []bool{true, true, true, false, false, false, false, false, false}).MarkMissing([]uint64{0b111000000})
	b := BoolColumn("b", []bool{true, false, false, true, false, false, true, false, false}).MarkMissing([]uint64{0b100100100})
	same(t, a.And(b), true, false, nil, false, false, false, nil, false, nil)
	same(t, a.Or(b), true, true, true, true, false, nil, true, nil, nil)
	same(t, a.Not(), false, false, false, true, true, true, nil, nil, nil)
}

func TestSetAndWhere(t *testing.T) {
	f := must(t, StringColumn("zone", []string{"Midtown", "Soho", "Midtown"}), IntColumn("fare", []int64{10, 20, 30}))
	g := f.With("rate", f.Col("fare").Over(10))
	if f.Has("rate") || !slices.Equal(g.Names(), []string{"zone", "fare", "rate"}) {
		t.Error(f.Names(), g.Names())
	}
	g.Set("rate", 1)
	g.Set("paid", []bool{true, false, true})
	same(t, g.Col("rate"), int64(1), int64(1), int64(1))
	h := g.Where(g.Col("zone").Equal("Midtown").And(g.Col("fare").Greater(10)))
	same(t, h.Col("fare"), int64(30))
	same(t, f.Where([]bool{true, false, true}).Col("zone"), "Midtown", "Midtown")
	if f.Where(f.Col("fare").Greater(math.NaN())).Len() != 0 {
		t.Error("a missing mask selects")
	}
	if got := refused(t, func() { f.Col("zones") }); !strings.Contains(got, `did you mean "zone"?`) {
		t.Error(got)
	}
	if got := refused(t, func() { f.Set("x", []int{1}) }); !strings.Contains(got, "must have 3 values (the rows of the frame), got 1") {
		t.Error(got)
	}
	if got := refused(t, func() { f.Where("zone") }); !strings.Contains(got, "comparison") {
		t.Error(got)
	}
}

func TestSelectAndSlice(t *testing.T) {
	f := must(t, IntColumn("a", []int64{1, 2, 3}), IntColumn("b", []int64{4, 5, 6}), IntColumn("c", []int64{7, 8, 9}))
	if got := f.Select("c", "a").Names(); !slices.Equal(got, []string{"c", "a"}) {
		t.Error(got)
	}
	if got := f.Drop("b").Names(); !slices.Equal(got, []string{"a", "c"}) {
		t.Error(got)
	}
	if got := f.Rename("a", "x", "c", "a").Names(); !slices.Equal(got, []string{"x", "b", "a"}) {
		t.Error(got)
	}
	same(t, f.Head(2).Col("a"), int64(1), int64(2))
	same(t, f.Tail(1).Col("a"), int64(3))
	same(t, f.Slice(1, 2).Col("b"), int64(5))
	if f.Head(9).Len() != 3 || f.Head(-1).Len() != 0 {
		t.Error("Head")
	}
}
