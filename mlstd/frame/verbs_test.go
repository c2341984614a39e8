package frame

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// hour returns a column of times, hours after the start of 2024 in UTC.
func hours(name string, h ...float64) *Column {
	v := make([]int64, len(h))
	for i, x := range h {
		v[i] = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano() + int64(x*3.6e12)
	}
	return NanoColumn(name, v, time.UTC)
}

func TestRollingSpan(t *testing.T) {
	x, at := FloatColumn("x", []float64{1, 2, 4, 8, 16}), hours("at", 0, 1, 24, 24, 48)
	for span, want := range map[any][]any{
		"day":              {1.0, 3.0, 6.0, 14.0, 16.0}, // 1 hour is within a day of 24, 0 is not
		"25  hours":        {1.0, 3.0, 7.0, 15.0, 28.0},
		24*time.Hour + 1:   {1.0, 3.0, 7.0, 15.0, 28.0},
		"1 week":           {1.0, 3.0, 7.0, 15.0, 31.0},
		"1 nanosecond":     {1.0, 2.0, 4.0, 12.0, 16.0},
		"90071992 seconds": {1.0, 3.0, 7.0, 15.0, 31.0},
	} {
		if got := values(x.Rolling(span, at).Sum()); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", span, got, want)
		}
	}
	if s := x.Rolling("7 days", at).String(); !strings.Contains(s, "a window of 7 days on column") {
		t.Error(s)
	}
	if got := values(x.Rolling(2).Sum()); !slices.Equal(got, []any{nil, 3.0, 6.0, 12.0, 24.0}) {
		t.Errorf("rows: %v", got)
	}
	for want, do := range map[string]func(){
		`must have one column of times, got 0`:                             func() { x.Rolling("7 days") },
		`f["x"].Rolling("7 days", f["at"])`:                                func() { x.Rolling("7 days") },
		`got an earlier time in row 3`:                                     func() { x.Rolling("7 days", hours("at", 0, 1, 5, 4, 6)) },
		`sort the frame first: f = f.Sort("at")`:                           func() { x.Rolling("7 days", hours("at", 0, 1, 5, 4, 6)) },
		`must have no missing time, got 1`:                                 func() { x.Rolling("7 days", at.MarkMissing([]uint64{2})) },
		`must have 5 rows, as column "x" has, got 1`:                       func() { x.Rolling("7 days", hours("at", 0)) },
		`must be of kind time, got float64`:                                func() { x.Rolling("7 days", x) },
		`use days or weeks, since the length of months varies`:             func() { x.Rolling("2 months", at) },
		`must be a span of time of fixed length, got "many days"`:          func() { x.Rolling("many days", at) },
		`must be a span of time of fixed length, got "9999999999999 days"`: func() { x.Rolling("9999999999999 days", at) },
		`must be positive, got -1s`:                                        func() { x.Rolling(-time.Second, at) },
		`must be an int or a span of time, got float64`:                    func() { x.Rolling(2.5) },
		`a window of 2 rows must have no column of times`:                  func() { x.Rolling(2, at) },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAsOfJoin(t *testing.T) {
	trades := must(t, hours("at", 5, 1, 3), StringColumn("ticker", []string{"A", "B", "A"}), IntColumn("n", []int64{1, 2, 3}))
	quotes := must(t, hours("time", 4, 2, 3, 1), StringColumn("ticker", []string{"A", "A", "B", "A"}), IntColumn("n", []int64{40, 20, 30, 10}))
	got := trades.AsOfJoin(quotes, AsOf{On: "at=time", By: []string{"ticker"}})
	if names := got.Names(); !slices.Equal(names, []string{"at", "ticker", "n", "n_right"}) {
		t.Fatalf("columns %v", names)
	}
	if v := values(got.Col("n_right")); !slices.Equal(v, []any{int64(40), nil, int64(20)}) {
		t.Errorf("%v", v)
	}
	if notes := strings.Join(got.Notes(), "; "); notes != "1 of 3 rows found no partner, kept; n of the right frame is called n_right" {
		t.Error(notes)
	}
	gap := must(t, FloatColumn("at", []float64{math.NaN(), 2}))
	if v := values(gap.AsOfJoin(must(t, FloatColumn("at", []float64{1, math.NaN()}), IntColumn("v", []int64{7, 8})), AsOf{On: "at"}).Col("v")); !slices.Equal(v, []any{nil, int64(7)}) {
		t.Errorf("missing times: %v", v)
	}
	// Distances that do not fit into an int64.
	far := must(t, IntColumn("at", []int64{math.MaxInt64}))
	if v := values(far.AsOfJoin(must(t, IntColumn("at", []int64{math.MinInt64}), IntColumn("v", []int64{7})), AsOf{On: "at", Direction: "nearest"}).Col("v")); !slices.Equal(v, []any{int64(7)}) {
		t.Errorf("far: %v", v)
	}
	if v := values(far.AsOfJoin(must(t, IntColumn("at", []int64{math.MinInt64}), IntColumn("v", []int64{7})), AsOf{On: "at", Within: 1000}).Col("v")); !slices.Equal(v, []any{nil}) {
		t.Errorf("far, within 1000: %v", v)
	}
	for want, how := range map[string]AsOf{
		`On must name a column`:                             {},
		`there is no column "tim"`:                          {On: "at=tim"},
		`must both be times or numbers, got "ticker"`:       {On: "ticker"},
		`Direction must be "backward", "forward"`:           {On: "at=time", Direction: "back"},
		`Within must be a span of time, got 5`:              {On: "at=time", Within: 5},
		`Within must be a number that is not negative, got`: {On: "n", Within: "5 minutes"},
	} {
		if got := refused(t, func() { trades.AsOfJoin(quotes, how) }); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPivotKeys(t *testing.T) {
	f := must(t, StringColumn("zone", []string{"a", "b", "a", "All"}), CategoryColumn("size", []int32{1, 0, 1, -1}, []string{"S", "L"}), IntColumn("n", []int64{1, 2, 3, 4}))
	got := f.Pivot("zone", "size", Sum("n").Totals())
	if s := strings.Join(got.Names(), " "); s != "zone S L missing All" {
		t.Error(s)
	}
	if v := values(got.Col("zone")); !slices.Equal(v, []any{"All", "a", "b", "All 2"}) {
		t.Errorf("%v", v)
	}
	if v := values(got.Col("All")); !slices.Equal(v, []any{int64(4), int64(4), int64(2), int64(10)}) {
		t.Errorf("%v", v)
	}
	got = f.Pivot("size", "zone", Count().Totals())
	if c := got.Col("size"); c.Kind() != CategoryKind || !slices.Equal(c.Levels(), []string{"S", "L", "All"}) {
		t.Errorf("%v %v", c.Kind(), c.Levels())
	}
	if v := values(got.Col("All 2")); !slices.Equal(v, []any{int64(1), int64(2), int64(1), int64(4)}) {
		t.Errorf("%v", v)
	}
	for want, do := range map[string]func(){
		"rows must be a string or a []string, got int": func() { f.Pivot(3, "zone", Count()) },
		"must not have Totals":                         func() { f.By("zone").Agg(Sum("n").Totals()) },
		"the aggregate n_sum must not have Totals":     func() { f.Agg(Sum("n").Totals()) },
		"use Totals in Pivot":                          func() { f.By("zone").Transform(Sum("n").Totals()) },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWideToLong(t *testing.T) {
	f := must(t, StringColumn("id", []string{"p", "q"}), IntColumn("ht10", []int64{1, 2}), IntColumn("ht9", []int64{3, 4}), FloatColumn("9.wt", []float64{5, math.NaN()}))
	got := f.WideToLong("age", "ht*", "*.wt")
	for name, want := range map[string][]any{"id": {"p", "p", "q", "q"}, "age": {int64(9), int64(10), int64(9), int64(10)}, "ht": {int64(3), int64(1), int64(4), int64(2)}, "wt": {5.0, nil, nil, nil}} {
		if v := values(got.Col(name)); !slices.Equal(v, want) {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
	}
	words := must(t, IntColumn("x before", []int64{1}), IntColumn("x after", []int64{2})).WideToLong("when", "x *")
	if c := words.Col("when"); c.Kind() != CategoryKind || !slices.Equal(values(c), []any{"before", "after"}) {
		t.Errorf("%v", values(c))
	}
	for want, do := range map[string]func(){
		`a pattern must have one star, got "ht"`:       func() { f.WideToLong("age", "ht") },
		`no column matches "wt*"`:                      func() { f.WideToLong("age", "wt*") },
		`must match one pattern, got "ht*" and "ht1*"`: func() { f.WideToLong("age", "ht*", "ht1*") },
		`a pattern must have more than a star`:         func() { f.WideToLong("age", "*") },
		`column names must be distinct, got "id"`:      func() { f.WideToLong("id", "ht*") },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRecode(t *testing.T) {
	s := StringColumn("s", []string{"a", "b", "c"}).MarkMissing([]uint64{1})
	got := s.Recode(map[string]any{"b": 1, "c": 2.5})
	if v := values(got); !slices.Equal(v, []any{nil, 1.0, 2.5}) {
		t.Errorf("%v", v)
	}
	got = s.Recode(map[string]time.Duration{"b": time.Second})
	if v := values(got); !slices.Equal(v, []any{nil, int64(1e9), nil}) || got.Notes()[0] != `1 value of "s" without an entry became missing; the first is "c"` {
		t.Errorf("%v %v", v, got.Notes())
	}
	if v := values(s.Recode(map[string]string{}, "other")); !slices.Equal(v, []any{nil, "other", "other"}) {
		t.Errorf("%v", v)
	}
	day := time.Date(2024, 1, 1, 1, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		got  *Column
		want any
	}{
		{BoolColumn("b", []bool{true}).Recode(map[bool]string{true: "yes"}), "yes"}, {FloatColumn("x", []float64{2}).Recode(map[int]int{2: 3}), int64(3)},
		{FloatColumn("x", []float64{0.5}).Recode(map[float64]int{0.5: 3}), int64(3)}, {hours("t", 1).Recode(map[time.Time]bool{day.In(time.FixedZone("", 60)): true}), true},
		{IntColumn("u", []int64{7}).Recode(map[uint64]string{math.MaxUint64: "no", 7: "yes"}), "yes"},
		{CategoryColumn("c", []int32{0}, []string{"a"}).Recode(map[any]any{"a": "z"}), "z"},
	} {
		if v := c.got.At(0); v != c.want {
			t.Errorf("%s: %v, want %v", c.got.Name(), v, c.want)
		}
	}
	for want, do := range map[string]func(){
		"the entries must be a map, got func(float64) float64": func() { s.Recode(math.Abs) },
		`the keys must be of the kind of column "s"`:           func() { s.Recode(map[int]int{1: 1}) },
		"must be 1 or 3 (the number of rows), got 2":           func() { s.Recode(map[string]int{}, []int{1, 2}) },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDummies(t *testing.T) {
	f := must(t, IntColumn("n", []int64{1, 2, 3}), CategoryColumn("c", []int32{1, -1, 1}, []string{"S", "L"}), BoolColumn("b", []bool{true, false, true}))
	got := f.Dummies("c", "b")
	if s := strings.Join(got.Names(), " "); s != "n c_S c_L b_false b_true" {
		t.Error(s)
	}
	if v := values(got.Col("c_L")); !slices.Equal(v, []any{int64(1), nil, int64(1)}) {
		t.Errorf("%v", v)
	}
	if v := values(got.Col("c_S")); !slices.Equal(v, []any{int64(0), nil, int64(0)}) {
		t.Errorf("%v", v)
	}
	refused(t, func() { f.Dummies() })
	refused(t, func() { f.Dummies("d") })
}

func TestUnix(t *testing.T) {
	got := FloatColumn("t", []float64{1.25, -0.5, math.NaN()}).FromUnix(time.Second)
	if v := got.ints[:2]; !slices.Equal(v, []int64{1.25e9, -0.5e9}) || !got.IsMissing(2) {
		t.Errorf("%v", v)
	}
	if v := values(got.Unix(time.Second)); !slices.Equal(v, []any{int64(1), int64(-1), nil}) {
		t.Errorf("%v", v)
	}
	for _, c := range []*Column{IntColumn("t", []int64{0, 1.7e18}), FloatColumn("t", []float64{0, 1.7e18}), FloatColumn("t", []float64{0, math.Inf(1)})} {
		if s := refused(t, func() { c.FromUnix(time.Second) }); !strings.Contains(s, "in row 1 as a multiple of 1s") || !strings.Contains(s, "milliseconds 13") {
			t.Error(s)
		}
	}
	refused(t, func() { IntColumn("t", nil).FromUnix(0) })
	refused(t, func() { IntColumn("t", nil).Unix(time.Second) })
}

func TestInterpolate(t *testing.T) {
	nan := math.NaN()
	x := FloatColumn("x", []float64{nan, 0, nan, nan, 10, nan})
	if v := values(x.Interpolate(hours("at", 0, 0, 1, 9, 10, 11))); !slices.Equal(v, []any{nil, 0.0, 1.0, 9.0, 10.0, nil}) {
		t.Errorf("%v", v)
	}
	if v := values(FloatColumn("x", []float64{5, nan, 5.5}).Interpolate(IntColumn("k", []int64{3, 3, 3}))); !slices.Equal(v, []any{5.0, 5.0, 5.5}) {
		t.Errorf("%v", v)
	}
	for want, do := range map[string]func(){
		`must be in ascending order, got a smaller value in row 2`: func() { x.Interpolate(IntColumn("k", []int64{1, 2, 1, 2, 3, 4})) },
		`must have no missing values, got 4`:                       func() { x.Interpolate(x) },
		`must have 6 rows`:                                         func() { x.Interpolate(IntColumn("k", nil)) },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSamples(t *testing.T) {
	n := 4000
	v, group := make([]int64, n), make([]string, n)
	weights := make([]float64, n)
	for i := range v {
		v[i], group[i], weights[i] = int64(i), []string{"a", "b", "b", "b"}[i%4], float64(i%4)
	}
	f := must(t, IntColumn("i", v), StringColumn("g", group), FloatColumn("w", weights))
	if got := f.SampleFraction(0.25, 1); got.Len() != n/4 || !slices.IsSorted(got.Col("i").Ints()) {
		t.Errorf("%d rows", got.Len())
	}
	if got := f.SampleFraction(1, 1); !slices.Equal(got.Col("i").Ints(), v) {
		t.Error("all rows")
	}
	counts := f.By("g").Sample(7, 1).By("g").Agg(Count())
	if c := values(counts.Col("count")); !slices.Equal(c, []any{int64(7), int64(7)}) {
		t.Errorf("%v", c)
	}
	half := f.By("g").SampleFraction(0.5, 3)
	if c := values(half.By("g").Agg(Count()).Col("count")); !slices.Equal(c, []any{int64(500), int64(1500)}) || !slices.IsSorted(half.Col("i").Ints()) {
		t.Errorf("%v", c)
	}
	// The first of successive draws has weight 1 with probability 1/6, 2 with 2/6, 3 with 3/6: of
	// 2000 single draws, the counts are within five standard deviations.
	drawn := [4]int{}
	for seed := range uint64(2000) {
		drawn[f.Head(400).SampleWeighted(1, "w", seed).Col("i").Ints()[0]%4]++
	}
	for k, c := range drawn {
		p := float64(k) / 6
		if math.Abs(float64(c)-2000*p) > 5*math.Sqrt(2000*p*(1-p)) {
			t.Errorf("weight %d drawn %d times of 2000", k, c)
		}
	}
	if got := f.SampleWeighted(3000, f.Col("w"), 1); got.Len() != 3000 || got.Distinct("i").Len() != 3000 {
		t.Error("all rows with a weight")
	}
	for want, do := range map[string]func(){
		"n must be between 0 and 3000 (the number of rows with a positive weight), got 3001": func() { f.SampleWeighted(3001, "w", 1) },
		"got -1 in row 0": func() { f.SampleWeighted(1, f.Col("w").Minus(1), 1) },
		`must be at most 1000, the number of rows of the group with g = "a", got 1001`: func() { f.By("g").Sample(1001, 1) },
		"q must be between 0 and 1, got 2":                                             func() { f.SampleFraction(2, 1) },
	} {
		if got := refused(t, do); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCorrMatrix(t *testing.T) {
	f := must(t, StringColumn("s", []string{"a", "b", "c"}), FloatColumn("x", []float64{1, 2, math.NaN()}), FloatColumn("flat", []float64{1, 1, 1}), FloatColumn("column", []float64{3, 1, 2}))
	got := f.Corr()
	if s := strings.Join(got.Names(), " "); s != "column 2 x flat column" {
		t.Error(s)
	}
	if v := values(got.Col("x")); !slices.Equal(v, []any{1.0, nil, -1.0}) {
		t.Errorf("%v", v)
	}
	if s := strings.Join(got.Notes(), "; "); s != `"s" left out: not numeric; 1 missing value left out separately for each pair of columns` {
		t.Error(s)
	}
	refused(t, func() { f.Corr("s") })
	refused(t, func() { f.Select("s").Corr() })
}

func TestAggColumn(t *testing.T) {
	f := must(t, StringColumn("g", []string{"a", "b", "a"}), FloatColumn("x", []float64{1, math.NaN(), 3}), hours("at", 1, 2, 50))
	last := AggColumn("x", func(v *Column) any { return v.At(v.Len() - 1) })
	got := f.By("g").Agg(last, Count())
	if v := values(got.Col("x_own")); !slices.Equal(v, []any{3.0, nil}) {
		t.Errorf("%v", v)
	}
	if v := values(f.By("g").Transform(last)); !slices.Equal(v, []any{3.0, nil, 3.0}) {
		t.Errorf("%v", v)
	}
	if v := values(f.Resample("at", "1 day").Agg(last).Col("x_own")); !slices.Equal(v, []any{1.0, nil, 3.0}) {
		t.Errorf("%v", v)
	}
	if s := refused(t, func() {
		f.By("g").Agg(AggColumn("g", func(v *Column) any { return map[any]any{"a": 1, "b": "x"}[v.At(0)] }))
	}); !strings.Contains(s, `Agg of "g"`) {
		t.Error(s)
	}
	refused(t, func() { AggColumn("x", nil) })
}

func TestSplitColumns(t *testing.T) {
	s := StringColumn("s", []string{"a, b, c", "d", ""}).MarkMissing([]uint64{4})
	got := s.SplitColumns(", ", "first", "rest")
	if v := append(values(got.Col("first")), values(got.Col("rest"))...); !slices.Equal(v, []any{"a", "d", nil, "b, c", nil, nil}) {
		t.Errorf("%v", v)
	}
	if s := strings.Join(s.SplitColumns(", ").Names(), " "); s != "1 2 3" {
		t.Error(s)
	}
	if s := strings.Join(must(t, s).Tail(2).Col("s").SplitColumns(", ").Names(), " "); s != "1" {
		t.Errorf("of other rows: %s", s)
	}
	refused(t, func() { s.SplitColumns("") })
}
