package frame

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func orders(t *testing.T) *Frame {
	return must(t, StringColumn("zone", []string{"b", "a", "b", "a", "c"}),
		FloatColumn("fare", []float64{1, 2, 3, math.NaN(), 5}), IntColumn("n", []int64{1, 2, 3, 4, 5}))
}

func ExampleFrame_By() {
	trips := FromRows([]struct {
		Zone string
		Fare float64
	}{{"Soho", 10}, {"Midtown", 30}, {"Soho", 20}})
	fmt.Print(trips.By("Zone").Agg(Mean("Fare"), Count()))
	// Output:
	// 2 rows x 3 columns
	// Zone     Fare_mean  count
	// Midtown         30      1
	// Soho            15      2
}

func TestAgg(t *testing.T) {
	got := orders(t).By("zone").Agg(Sum("fare"), Mean("n").As("average"), Quantile("n", 0.9), SD("n"))
	if want := []string{"zone", "fare_sum", "average", "n_q90", "n_sd"}; !slices.Equal(got.Names(), want) {
		t.Error(got.Names())
	}
	same(t, got.Col("zone"), "a", "b", "c")
	same(t, got.Col("fare_sum"), 2.0, 4.0, 5.0)
	same(t, got.Col("average"), 3.0, 2.0, 5.0)
	same(t, got.Col("n_q90"), 3.8, 2.8, 5.0)
	same(t, got.Col("n_sd"), math.Sqrt2, math.Sqrt2, nil)
	if notes := got.Notes(); len(notes) != 1 || notes[0] != "1 missing value of fare left out" {
		t.Error(notes)
	}
	whole := orders(t).Agg(Count(), Max("zone"), Min("fare"))
	same(t, whole.Col("count"), int64(5))
	same(t, whole.Col("zone_max"), "c")
	same(t, whole.Col("fare_min"), 1.0)
	if got := orders(t).Head(0).By("zone").Agg(Mean("n"), Count(), Median("fare"), Corr("n", "fare"), Unique("n"), Max("zone")); got.Len() != 0 || got.Width() != 7 {
		t.Error(got)
	}
	same(t, orders(t).Head(0).Agg(Mean("n")).Col("n_mean"), nil)
	for name, f := range map[string]func(){
		`column "zone" must be of kind float64 or int64 or bool, got`: func() { orders(t).By("zone").Agg(Mean("zone")) },
		"did you mean": func() { orders(t).By("zone").Agg(Mean("fares")) },
		`column names must be distinct, got "n_mean" twice`: func() { orders(t).By("zone").Agg(Mean("n"), Mean("n")) },
		`each column must be named once, got "zone" twice`:  func() { orders(t).By("zone", "zone") },
		"between 0 and 1": func() { Quantile("n", 50) },
	} {
		if got := refused(t, f); !strings.Contains(got, name) {
			t.Errorf("want %q: %s", name, got)
		}
	}
}

func TestSumOfIntegersOverflows(t *testing.T) {
	f := must(t, IntColumn("k", []int64{0, 0, 1, 1, 1}), IntColumn("x", []int64{1, 2, math.MaxInt64, 1, -1}))
	same(t, f.By("k").Agg(Sum("x")).Col("x_sum"), int64(3), int64(math.MaxInt64)) // an intermediate sum overflows
	if got := refused(t, func() { f.Head(4).By("k").Agg(Sum("x")) }); !strings.Contains(got, `"x" must fit into int64`) {
		t.Error(got)
	}
}

func TestCorr(t *testing.T) {
	f := must(t, IntColumn("k", []int64{0, 0, 0, 0, 1, 1}), FloatColumn("x", []float64{1, 2, 3, math.NaN(), 1, 1}), FloatColumn("y", []float64{2, 4, 6, 9, 1, 2}))
	got := f.By("k").Agg(Corr("x", "y")).Col("x_y_corr")
	if math.Abs(got.floats[0]-1) > 1e-15 || !got.IsMissing(1) {
		t.Error(values(got))
	}
}

func TestTransformTopHeadApply(t *testing.T) {
	f := orders(t)
	if got, want := f.By("zone").String(), `3 groups by "zone" of 5 rows; `; !strings.HasPrefix(got, want) {
		t.Error(got)
	}
	if got, want := f.Col("n").Rolling(2).String(), `a window of 2 rows on column "n"; `; !strings.HasPrefix(got, want) {
		t.Error(got)
	}
	if got, want := f.Col("n").Head(1).String(), "1 rows x 1 columns\nn\n1\n"; got != want {
		t.Error(got)
	}
	same(t, f.By("zone").Transform(Sum("n")), int64(4), int64(6), int64(4), int64(6), int64(5))
	same(t, f.By("zone").Top(1, "-n").Col("n"), int64(4), int64(3), int64(5))
	same(t, f.By("zone").Top(1, "fare", "n").Col("n"), int64(2), int64(1), int64(5))
	same(t, f.By("zone").Top(1, "fare").Col("n"), int64(2), int64(1), int64(5))
	same(t, f.By("zone").Head(1).Col("n"), int64(2), int64(1), int64(5))
	got := f.By("zone").Apply(func(g *Frame) *Frame { return g.Tail(1) })
	same(t, got.Col("n"), int64(4), int64(3), int64(5))
}

// Large frames take the code paths that use several goroutines.
func TestManyRows(t *testing.T) {
	const n = 300_000
	rng := rand.New(rand.NewPCG(3, 4))
	a, b, x := make([]int64, n), make([]int64, n), make([]float64, n)
	for i := range n {
		a[i], b[i], x[i] = int64(rng.IntN(10)), rng.Int64()>>20, rng.Float64()
	}
	f := must(t, IntColumn("a", a), IntColumn("b", b), FloatColumn("x", x))
	sum, median := map[int64]float64{}, map[int64][]float64{}
	for i := range n {
		sum[a[i]] += x[i]
		median[a[i]] = append(median[a[i]], x[i])
	}
	got := f.By("a").Agg(Sum("x"), Median("x"), Count("x"))
	for k := range 10 {
		v := slices.Sorted(slices.Values(median[int64(k)]))
		want := (v[(len(v)-1)/2] + v[len(v)/2]) / 2
		if g := got.Col("x_sum").floats[k]; math.Abs(g-sum[int64(k)]) > 1e-8 || got.Col("x_median").floats[k] != want || got.Col("x_count").ints[k] != int64(len(v)) {
			t.Errorf("group %d", k)
		}
	}
	sparse := f.By("b", "a").Agg(Sum("x"))
	if !slices.IsSorted(sparse.Col("b").ints) || sparse.Len() < n-10 || sparse.Len() > n {
		t.Errorf("%d groups", sparse.Len())
	}
	rows := f.By("b", "a").first
	for k, r := range rows {
		if sparse.Col("b").ints[k] != b[r] || sparse.Col("a").ints[k] != a[r] {
			t.Fatalf("group %d", k)
		}
	}
}

func TestSortDistinctSample(t *testing.T) {
	f := orders(t)
	same(t, f.Sort("-zone", "n").Col("n"), int64(5), int64(1), int64(3), int64(2), int64(4))
	same(t, f.Sort("-fare").Col("n"), int64(5), int64(3), int64(2), int64(1), int64(4))
	same(t, f.Distinct("zone").Col("n"), int64(1), int64(2), int64(5))
	if f.Distinct().Len() != 5 {
		t.Error("Distinct")
	}
	if s := f.Sample(3, 1); s.Len() != 3 || !slices.IsSorted(s.Col("n").ints) {
		t.Error(s)
	}
	d := f.DropMissing()
	if d.Len() != 4 || len(d.Notes()) != 1 {
		t.Error(d)
	}
	same(t, f.FillMissing("fare", 0).Col("fare"), 1.0, 2.0, 3.0, 0.0, 5.0)
	same(t, f.FillMissing("fare", f.Col("n")).Col("fare"), 1.0, 2.0, 3.0, 4.0, 5.0)
	same(t, f.Col("fare").FillForward(), 1.0, 2.0, 3.0, 3.0, 5.0)
	same(t, f.Col("fare").FillBackward(), 1.0, 2.0, 3.0, 5.0, 5.0)
}

func TestConcat(t *testing.T) {
	a := must(t, IntColumn("x", []int64{1, 2}), CategoryColumn("k", []int32{0, -1}, []string{"lo"}))
	b := must(t, FloatColumn("x", []float64{0.5}), CategoryColumn("k", []int32{0}, []string{"hi"}), BoolColumn("only", []bool{true}))
	got := Concat(a, b)
	same(t, got.Col("x"), 1.0, 2.0, 0.5)
	same(t, got.Col("k"), "lo", nil, "hi")
	same(t, got.Col("only"), nil, nil, true)
	if got.Col("k").Kind() != CategoryKind || len(got.Notes()) != 1 {
		t.Error(got)
	}
	if got := refused(t, func() { Concat(a, must(t, BoolColumn("x", []bool{true}))) }); !strings.Contains(got, "got int64 and bool") {
		t.Error(got)
	}
}
