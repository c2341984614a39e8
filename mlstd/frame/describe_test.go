package frame

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDescribe(t *testing.T) {
	f := must(t,
		FloatColumn("x", []float64{1, 2, 3, 4, math.NaN()}),
		IntColumn("n", []int64{2, 4, 6, 8, 9}),
		StringColumn("zone", []string{"b", "a", "b", "b", "c"}),
		BoolColumn("paid", []bool{true, true, false, true, true}),
		CategoryColumn("size", []int32{0, 0, 0, 0, -1}, []string{"S", "L"}),
		TimeColumn("at", []time.Time{epoch.UTC(), epoch.UTC(), epoch.AddDate(9, 0, 0), epoch.AddDate(10, 0, 0), {}}))
	s := f.Describe()
	x := s.Columns[0]
	if x.Count != 4 || x.Missing != 1 || x.Distinct != 4 || x.Mean != 2.5 || x.Quartiles != [3]float64{1.75, 2.5, 3.25} || x.Min != 1.0 || x.Max != 4.0 || math.Abs(x.SD-math.Sqrt(5.0/3)) > 1e-15 {
		t.Errorf("%+v", x)
	}
	z := s.Columns[2]
	if z.Distinct != 3 || z.Commonest != "b" || z.CommonestCount != 3 || !slices.Equal(z.Bars, []float64{3, 1, 1}) || z.Min != nil {
		t.Errorf("%+v", z)
	}
	if p := s.Columns[3]; p.Mean != 0.8 || p.Commonest != true || p.CommonestCount != 4 || p.Min != false {
		t.Errorf("%+v", p)
	}
	if k := s.Columns[4]; !slices.Equal(k.Remarks, []string{"1 level never occurs", "constant"}) {
		t.Errorf("%+v", k)
	}
	if a := s.Columns[5]; !slices.Equal(a.Remarks, []string{"1970-01-01 occurs 2 times: meant as missing?"}) || a.Max != f.Col("at").At(3) {
		t.Errorf("%+v", a)
	}
	if len(s.Correlations) != 1 || s.Correlations[0].A != "x" || math.Abs(s.Correlations[0].R-1) > 1e-15 || s.CorrelationRows != 5 {
		t.Error(s.Correlations)
	}
	if s.Duplicates != 0 {
		t.Error(s.Duplicates)
	}
	for n := range 2 {
		if e := f.Head(0).Describe(); e.Rows != 0 || e.Columns[n].Count != 0 {
			t.Error(e)
		}
	}
}

func TestDescribeRemarks(t *testing.T) {
	numbers := make([]float64, 100)
	for i := range numbers {
		numbers[i] = float64(i % 10)
	}
	with := func(v ...float64) []float64 { return append(slices.Clone(numbers), v...) }
	for want, c := range map[string]*Column{
		"-999 occurs 2 times":               FloatColumn("x", with(-999, -999)),
		"greatest value, 1e+06, is far":     FloatColumn("x", with(1e6)),
		"2 infinite values":                 FloatColumn("x", with(math.Inf(1), math.Inf(-1))),
		"all values are missing":            FloatColumn("x", []float64{math.NaN()}),
		"67 % missing":                      FloatColumn("x", []float64{1, math.NaN(), math.NaN()}),
		"numbers as text":                   StringColumn("x", []string{"1", " 2.5"}),
		"1 value with space at an end":      StringColumn("x", []string{"1", " 2.5"}),
		"times as text":                     StringColumn("x", []string{"2024-01-31", "2024-02-01 10:00"}),
		`"NA" occurs 1 times`:               StringColumn("x", []string{"NA", "Bonn"}),
		"2 empty strings":                   StringColumn("x", []string{"", "", "Bonn"}),
		`"Bonn" and "bonn" differ`:          StringColumn("x", []string{"Bonn", "bonn"}),
		"all distinct: an identifier?":      IntColumn("x", []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}),
		"constant":                          IntColumn("x", []int64{7, 7}),
		"the least value, -5000, is far fr": FloatColumn("x", with(-5000)),
	} {
		if got := strings.Join(c.describe().Remarks, "; "); !strings.Contains(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
	if got := FloatColumn("x", numbers).describe().Remarks; len(got) != 0 {
		t.Error(got)
	}
}

func TestDescribeCountsDuplicates(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 8))
		f := random(rng, rng.IntN(60))
		f = Concat(f, f.Sample(f.Len()/2, seed)).Select("text", "int", "float", "bool", "category", "time")
		if got, want := f.Describe().Duplicates, f.Len()-len(slowGroups(f, f.Names())); got != want {
			t.Errorf("seed %d: %d duplicates, want %d", seed, got, want)
		}
	}
}

func BenchmarkDescribe(b *testing.B) {
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(1, 2))
	var cols []*Column
	for j := range 4 {
		x, k, s := make([]float64, n), make([]int64, n), make([]string, n)
		for i := range n {
			x[i], k[i] = rng.NormFloat64(), int64(rng.IntN(100_000))
			s[i] = fmt.Sprintf("name %d", rng.IntN(1000))
			if j == 3 {
				s[i] = fmt.Sprintf("name %d", rng.IntN(n))
			}
		}
		cols = append(cols, FloatColumn(fmt.Sprint("x", j), x), IntColumn(fmt.Sprint("k", j), k), StringColumn(fmt.Sprint("s", j), s))
	}
	for b.Loop() {
		f, err := New(cols...)
		if err != nil {
			b.Fatal(err)
		}
		f.Col("s3").coding = new(coding)
		f.Describe()
	}
}
