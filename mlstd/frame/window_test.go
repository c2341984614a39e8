package frame

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWindows(t *testing.T) {
	c := FloatColumn("x", []float64{1, math.NaN(), 3, 6})
	same(t, c.Shift(1), nil, 1.0, nil, 3.0)
	same(t, c.Shift(-1), nil, 3.0, 6.0, nil)
	same(t, c.Shift(9), nil, nil, nil, nil)
	same(t, c.Diff(), nil, nil, nil, 3.0)
	same(t, c.CumSum(), 1.0, nil, 4.0, 10.0)
	same(t, c.CumMax(), 1.0, nil, 3.0, 6.0)
	same(t, c.Neg().CumMin(), -1.0, nil, -3.0, -6.0)
	same(t, c.Rolling(2).Mean(), nil, nil, nil, 4.5)
	same(t, c.Rolling(2).AtLeast(1).Sum(), 1.0, 1.0, 3.0, 9.0)
	same(t, c.Rolling(3).AtLeast(2).Median(), nil, nil, 2.0, 4.5)
	same(t, c.Rolling(2).AtLeast(1).SD(), nil, nil, nil, 3/math.Sqrt2)
	same(t, c.Rolling(2).AtLeast(1).Max(), 1.0, 1.0, 3.0, 6.0)
	i := IntColumn("i", []int64{1, 2, 3}).MarkMissing([]uint64{2})
	same(t, i.CumSum(), int64(1), nil, int64(4))
	if got := refused(t, func() { IntColumn("i", []int64{math.MaxInt64, 1}).CumSum() }); !strings.Contains(got, "from row 1 on") {
		t.Error(got)
	}
	same(t, FloatColumn("x", []float64{3, 1, 3, math.NaN(), 2}).Rank(), 3.5, 1.0, 3.5, nil, 2.0)
}

func TestCut(t *testing.T) {
	c := FloatColumn("x", []float64{0, 10, 20, 5, math.NaN(), 19.9})
	same(t, c.Cut(0, 10, 20), "[0, 10)", "[10, 20]", "[10, 20]", "[0, 10)", nil, "[10, 20]")
	same(t, c.Cut(1, 10), "< 1", "[1, 10]", "> 10", "[1, 10]", nil, "> 10")
	same(t, IntColumn("i", []int64{1, 2, 3, 4}).Quantiles(2), "[1, 2.5]", "[1, 2.5]", "(2.5, 4]", "(2.5, 4]")
	// A number that is an edge belongs to the range below, as with pandas.qcut.
	same(t, IntColumn("i", []int64{1, 2, 3}).Quantiles(2), "[1, 2]", "[1, 2]", "(2, 3]")
	ramp := make([]float64, 101)
	for i := range ramp {
		ramp[i] = float64(i) / 7
	}
	codes, _ := FloatColumn("x", ramp).Quantiles(100).Codes()
	for i, code := range codes[1:] {
		if int(code) != i {
			t.Errorf("number %d of 101 is in range %d of 100", i+1, code)
		}
	}
	if got := IntColumn("i", []int64{1, 1, 1, 4}).Quantiles(4); !slices.Equal(got.Levels(), []string{"[1, 1.75]", "(1.75, 4]"}) || len(got.Notes()) != 1 {
		t.Error(got.Levels(), got.Notes())
	}
	if got := IntColumn("i", []int64{7, 7}).Quantiles(4); got.Missing() != 0 || len(got.Levels()) != 1 {
		t.Error(values(got))
	}
	for _, edges := range [][]float64{{1}, {2, 1}, {1, 1}} {
		refused(t, func() { c.Cut(edges...) })
	}
}

func TestWithin(t *testing.T) {
	f := must(t, StringColumn("k", []string{"a", "b", "a", "b"}), IntColumn("x", []int64{1, 2, 4, 8}))
	same(t, f.By("k").Within("x", (*Column).CumSum), int64(1), int64(2), int64(5), int64(10))
	same(t, f.By("k").Within("x", (*Column).Diff), nil, nil, int64(3), int64(6))
	if f.Head(0).By("k").Within("x", (*Column).Diff).Len() != 0 {
		t.Error("no groups")
	}
}

func TestDateParts(t *testing.T) {
	zone := time.FixedZone("test", 2*3600)
	c := TimeColumn("t", []time.Time{time.Date(2024, 12, 30, 23, 59, 58, 0, zone), {}})
	for want, got := range map[int64]*Column{2024: c.Year(), 4: c.Quarter(), 12: c.Month(), 1: c.Week(), 30: c.Day(), 365: c.YearDay(), 23: c.Hour(), 59: c.Minute(), 58: c.Second()} {
		same(t, got, want, nil)
	}
	same(t, c.Weekday(), "Monday", nil)
	same(t, c.In(time.UTC).Hour(), int64(21), nil)
}

func TestFloor(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		x, err := time.ParseInLocation(time.DateTime, s, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	c := TimeColumn("t", []time.Time{at("2024-03-31 04:47:11"), at("1969-12-31 23:59:59")}) // the day on which summer time begins
	for every, want := range map[string][2]string{
		"15 minutes": {"2024-03-31 04:45:00", "1969-12-31 23:45:00"}, "1 hour": {"2024-03-31 04:00:00", "1969-12-31 23:00:00"},
		"1 day": {"2024-03-31 00:00:00", "1969-12-31 00:00:00"}, "week": {"2024-03-25 00:00:00", "1969-12-29 00:00:00"}, "1 month": {"2024-03-01 00:00:00", "1969-12-01 00:00:00"},
		"1 quarter": {"2024-01-01 00:00:00", "1969-10-01 00:00:00"}, "10 years": {"2020-01-01 00:00:00", "1960-01-01 00:00:00"},
	} {
		for i, w := range want {
			if got := c.Floor(every).Moments()[i]; !got.Equal(at(w)) {
				t.Errorf("%s: %v, want %s", every, got, w)
			}
		}
	}
	for _, bad := range []string{"", "soon", "0 days", "7 hours", "1 fortnight"} {
		if got := refused(t, func() { c.Floor(bad) }); !strings.Contains(got, "period") && !strings.Contains(got, "divisor of a day") {
			t.Error(got)
		}
	}
}

func TestResample(t *testing.T) {
	day := time.Date(2024, 1, 3, 9, 0, 0, 0, time.UTC) // a Wednesday
	f := must(t, TimeColumn("at", []time.Time{day.AddDate(0, 0, 14), day, day.AddDate(0, 0, 1), {}}), FloatColumn("x", []float64{4, 1, 2, 8}))
	got := f.Resample("at", "1 week").Agg(Sum("x"), Mean("x"), Count())
	monday := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	same(t, got.Col("at"), monday, monday.AddDate(0, 0, 7), monday.AddDate(0, 0, 14))
	same(t, got.Col("x_sum"), 3.0, 0.0, 4.0)
	same(t, got.Col("x_mean"), 1.5, nil, 4.0)
	same(t, got.Col("count"), int64(2), int64(0), int64(1))
	if notes := got.Notes(); len(notes) != 1 || notes[0] != "1 row without a value of at left out" {
		t.Error(notes)
	}
	if f.Head(0).Resample("at", "1 day").Agg(Mean("x")).Len() != 0 {
		t.Error("no rows")
	}
}

func TestText(t *testing.T) {
	for _, c := range []*Column{
		StringColumn("s", []string{"Ab c", "x-12", "", "Ab c"}).MarkMissing([]uint64{4}),
		{name: "s", kind: StringKind, n: 4, texts: []string{"Ab c", "x-12", "", "Ab c"}, missing: bitmap{4}, gaps: 1, coding: new(coding)},
		CategoryColumn("s", []int32{0, 1, -1, 0}, []string{"Ab c", "x-12"}),
	} {
		same(t, c.Lower(), "ab c", "x-12", nil, "ab c")
		same(t, c.Upper().Replace("B", ""), "A C", "X-12", nil, "A C")
		same(t, c.Contains("b"), true, false, nil, true)
		same(t, c.HasPrefix("x").Or(c.HasSuffix("c")), true, true, nil, true)
		same(t, c.Matches(`\d`), false, true, nil, false)
		same(t, c.Extract(`-(\d)`), nil, "1", nil, nil)
		same(t, c.Extract(`\w\w`), "Ab", "12", nil, "Ab")
		same(t, c.Extract(`-(\d)|-`), nil, "1", nil, nil)
		if got := refused(t, func() { c.Extract(`(\w)-(\w)`) }); !strings.Contains(got, "at most one group, got 2") {
			t.Error(got)
		}
		refused(t, func() { c.ExtractGroups(`\w`) })
		refused(t, func() { c.ExtractGroups(`(?P<a>\w)(?P<a>\w)`) })
		g := c.ExtractGroups(`(\w)(?P<second>\w)`)
		if !slices.Equal(g.Names(), []string{"1", "second"}) {
			t.Error(g.Names())
		}
		same(t, g.Col("second"), "b", "2", nil, "b")
		same(t, c.ReplaceMatch(`(\w)$`, "<$1>"), "Ab <c>", "x-1<2>", nil, "Ab <c>")
		same(t, c.Split("-", 1), nil, "12", nil, nil)
		same(t, c.Split(" ", -1), "c", "x-12", nil, "c")
		same(t, c.Letters(), int64(4), int64(4), nil, int64(4))
		same(t, c.Split("-", 1).Parse(), nil, int64(12), nil, nil)
	}
	n := StringColumn("n", []string{"1", " 2.5", "x"})
	same(t, n.ParseOr(), 1.0, 2.5, nil)
	if got := refused(t, func() { n.Parse() }); !strings.Contains(got, `"x" in row 2`) {
		t.Error(got)
	}
	same(t, StringColumn("d", []string{"31.01.2024"}).ParseTime("02.01.2006", time.UTC), time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC))
	if got := refused(t, func() { n.ParseTime("2006", time.UTC) }); !strings.Contains(got, `" 2.5"`) && !strings.Contains(got, `"1"`) {
		t.Error(got)
	}
	k := StringColumn("k", []string{"lo", "hi"}).Category("lo", "hi")
	same(t, k.Less("hi"), true, false)
	if got := refused(t, func() { n.Category("1") }); !strings.Contains(got, "must be levels") {
		t.Error(got)
	}
	named := CategoryColumn("k", []int32{1, -1, 0}, []string{"a", "b"}).Relabel("first", "second")
	same(t, named, "second", nil, "first")
	same(t, named.Less("second"), false, nil, true)
	if got := refused(t, func() { named.Relabel("x") }); !strings.Contains(got, "must be 2 (the number of levels), got 1") {
		t.Error(got)
	}
	if got := refused(t, func() { named.Relabel("x", "x") }); !strings.Contains(got, `got "x" twice`) {
		t.Error(got)
	}
	same(t, IntColumn("i", []int64{7}).AsText(), "7")
	if got := refused(t, func() { n.Matches("(") }); !strings.Contains(got, "regexp") {
		t.Error(got)
	}
}
