package read_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/frame/read"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/persist"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// trips is a frame of n rows, with missing values in km and zone.
func trips(n int) *frame.Frame {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	a, b, km, fare := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	count, zone, kind, late, part := make([]int64, n), make([]string, n), make([]string, n), make([]bool, n), make([]int64, n)
	gaps := make([]uint64, (n+63)/64)
	for i := range n {
		a[i], b[i] = rng.NormFloat64(), 3+2*rng.NormFloat64()
		km[i] = math.Abs(rng.NormFloat64())
		if rng.IntN(11) == 0 {
			km[i] = math.NaN()
		}
		count[i] = int64(rng.IntN(5))
		zone[i] = []string{"Soho", "Harlem", "Chelsea", "Bronx"}[rng.IntN(4)]
		if rng.IntN(13) == 0 {
			gaps[i/64] |= 1 << (i % 64)
			zone[i] = ""
		}
		late[i] = a[i]+0.3*rng.NormFloat64() > 0.2
		kind[i] = []string{"x", "y", "z"}[min(2, int(math.Abs(a[i]+b[i]/4)))]
		fare[i] = 2*a[i] - b[i] + float64(count[i]) + 0.1*rng.NormFloat64()
		part[i] = int64(i * 5 / n)
	}
	f, err := frame.New(frame.FloatColumn("a", a), frame.FloatColumn("b", b), frame.FloatColumn("km", km), frame.IntColumn("count", count),
		frame.StringColumn("zone", zone).MarkMissing(gaps), frame.StringColumn("kind", kind), frame.BoolColumn("late", late),
		frame.FloatColumn("fare", fare), frame.IntColumn("part", part))
	if err != nil {
		panic(err)
	}
	return f
}

// scanned writes the rows to five files of different lengths, and scans them. The rows of part 3
// are written but left out, so that there are empty batches.
func scanned(t *testing.T, f *frame.Frame) (*frame.Frame, *lazy.Frame) {
	t.Helper()
	dir := t.TempDir()
	n := f.Len()
	for k, at := range []int{0, n / 50, n / 3, n / 3, n * 4 / 5} {
		to := []int{n / 50, n / 3, n / 3, n * 4 / 5, n}[k]
		if at == to {
			continue
		}
		if err := read.Write(filepath.Join(dir, fmt.Sprintf("%d.parquet", k)), f.Slice(at, to)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := read.Scan(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return f.Where(f.Col("part").NotEqual(3)), l.Where(l.Col("part").NotEqual(3))
}

var numeric = []string{"a", "b", "count", "late"}

// fits are models that learn from batches, with what they learn.
var fits = []struct {
	fresh    func() any
	target   string
	features []string
	exact    bool
}{
	{func() any { return &prep.StandardScaler{} }, "fare", numeric, true},
	{func() any { return &prep.MinMaxScaler{} }, "fare", numeric, true},
	{func() any { return &prep.MaxAbsScaler{} }, "fare", numeric, true},
	{func() any { return &prep.OneHotEncoder{} }, "fare", []string{"zone", "a", "kind"}, true},
	{func() any { return &prep.Imputer{Indicators: true} }, "fare", []string{"zone", "km", "late"}, true},
	{func() any { return &prep.Imputer{Fill: prep.FillConstant, Value: 3} }, "fare", []string{"zone", "km", "late"}, true},
	{func() any {
		return &eval.Pipeline{Steps: steps(), Model: &linear.SGDClassifier{NoShuffle: true}}
	}, "late", []string{"zone", "km", "a"}, true},
	{func() any {
		return &eval.ProbPipeline{Steps: steps(), Model: &linear.SGDClassifier{NoShuffle: true}}
	}, "kind", []string{"zone", "km", "a"}, true},
	{func() any {
		return &eval.RegressorPipeline{Steps: steps(), Model: &linear.SGDRegressor{NoShuffle: true}}
	}, "fare", []string{"zone", "km", "a"}, true},
	{func() any { return &prob.GaussianNB{} }, "kind", numeric, false},
	{func() any { return &prob.GaussianNB{SharedVariance: true, Prior: []float64{1, 2, 3}} }, "kind", numeric, false},
	{func() any { return &prob.MultinomialNB{} }, "kind", []string{"count", "late"}, true},
	{func() any { return &prob.BernoulliNB{Alpha: 0.5} }, "late", []string{"a", "count"}, true},
	{func() any { return &prob.CategoricalNB{} }, "kind", []string{"zone", "count", "late"}, true},
	{func() any { return &prob.NaiveBayes{} }, "kind", []string{"zone", "a", "km", "late"}, false},
	{func() any { return &linear.SGDClassifier{NoShuffle: true} }, "late", []string{"a", "b"}, true},
	{func() any { return &linear.SGDClassifier{NoShuffle: true, L1Ratio: 0.5, Average: true} }, "kind", numeric, true},
	{func() any { return &linear.SGDRegressor{NoShuffle: true} }, "fare", numeric, true},
	{func() any { return &linear.SGDRegressor{NoShuffle: true, L1Ratio: 0.5, Average: true} }, "a", []string{"count", "late"}, true},
	{func() any { return &online.Perceptron{Epochs: 3} }, "late", []string{"a", "b"}, true},
	{func() any { return &online.Perceptron{Epochs: 2, Average: true, Aggressive: true, Margin: 1} }, "late", []string{"a", "b"}, true},
	{func() any { return &online.ThresholdPerceptron{Epochs: 2, RandomStart: true} }, "late", []string{"a", "b"}, true},
	{func() any { return &online.PassiveAggressive{Epochs: 2, Average: true} }, "late", []string{"a", "b"}, true},
	{func() any { return &online.MulticlassPerceptron{Epochs: 2, Average: true} }, "kind", []string{"a", "b"}, true},
	{func() any { return &ensemble.HistGradientBoosting{Rounds: 5} }, "late", []string{"a", "km", "zone", "count"}, true},
	{func() any { return &ensemble.HistGradientBoosting{Rounds: 4, Validation: 0.2, Bins: 20} }, "kind", []string{"a", "km", "zone", "count"}, true},
	{func() any { return &ensemble.HistGradientBoostingRegressor{Rounds: 5} }, "fare", []string{"a", "km", "zone", "late"}, true},
	{func() any {
		return &ensemble.HistGradientBoostingRegressor{Rounds: 4, Loss: ensemble.AbsoluteError, Validation: 0.1}
	}, "fare", []string{"a", "km", "zone", "late"}, true},
}

// steps fill missing values, encode strings and scale the columns.
func steps() []model.Transformer {
	return []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}, &prep.StandardScaler{}}
}

// TestFitScan compares fits of scans with fits of the same rows in memory.
func TestFitScan(t *testing.T) {
	f, l := scanned(t, trips(60_000))
	for _, c := range fits {
		want, got := c.fresh(), c.fresh()
		t.Run(model.NameOf(want), func(t *testing.T) {
			d := f.Dataset(c.target, c.features...)
			data.FitTo(want, d)
			data.FitTo(got, l.Dataset(c.target, c.features...))
			if c.exact {
				if saved(t, got) != saved(t, want) {
					t.Fatalf("got\n%+v\nwant\n%+v", got, want)
				}
				return
			}
			a, b := proba(got, d.X), proba(want, d.X)
			for i, p := range a {
				if math.Abs(p-b[i]) > 1e-9 {
					t.Fatalf("probability %d is %v, want %v", i, p, b[i])
				}
			}
		})
	}
}

// saved returns the whole state of a model.
func saved(t *testing.T, m any) string {
	t.Helper()
	var b strings.Builder
	if err := persist.Save(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func proba(m any, x mat.Matrix) []float64 {
	return m.(model.ProbClassifier).PredictProba(x).RawMatrix().Data
}

// TestFitScanSampled has more rows than histogram boosting takes for the edges of its bins.
func TestFitScanSampled(t *testing.T) {
	f, l := scanned(t, trips(270_000))
	want, got := &ensemble.HistGradientBoosting{Rounds: 3, Seed: 5}, &ensemble.HistGradientBoosting{Rounds: 3, Seed: 5}
	data.FitTo(want, f.Dataset("late", "a", "km", "zone"))
	data.FitTo(got, l.Dataset("late", "a", "km", "zone"))
	if saved(t, got) != saved(t, want) {
		t.Error("the trees of the scan differ")
	}
}

// TestFitScanShuffled fits models whose order of rows depends on batches.
func TestFitScanShuffled(t *testing.T) {
	f, l := scanned(t, trips(60_000))
	d := f.Dataset("late", "a", "b")
	for _, fresh := range []func() model.Classifier{
		func() model.Classifier { return &linear.SGDClassifier{Seed: 3} },
		func() model.Classifier { return &online.Perceptron{Shuffle: true, Average: true, Epochs: 3} },
		func() model.Classifier { return &online.MulticlassPerceptron{Shuffle: true, Average: true, Epochs: 3} },
	} {
		m, again := fresh(), fresh()
		data.FitTo(m, l.Dataset("late", "a", "b"))
		data.FitTo(again, l.Dataset("late", "a", "b"))
		if saved(t, m) != saved(t, again) {
			t.Errorf("%T: a second fit differs", m)
		}
		right := 0
		for i, c := range m.Predict(d.X) {
			if c == d.Y[i] {
				right++
			}
		}
		if share := float64(right) / float64(d.Len()); share < 0.88 {
			t.Errorf("%T: the accuracy is %v", m, share)
		}
	}
	// Few rows are in one batch.
	f, l = scanned(t, trips(5_000))
	want, got := &cluster.MiniBatchKMeans{K: 5, Seed: 2}, &cluster.MiniBatchKMeans{K: 5, Seed: 2}
	data.FitTo(want, f.Dataset("fare", "a", "b", "count"))
	data.FitTo(got, l.Dataset("fare", "a", "b", "count"))
	if !mat.Equal(got.Centers, want.Centers) || !slices.Equal(got.Counts, want.Counts) || math.Abs(got.Inertia-want.Inertia) > 1e-9*want.Inertia {
		t.Errorf("centers\n%v\nwant\n%v", mat.Formatted(got.Centers), mat.Formatted(want.Centers))
	}
	f, l = scanned(t, trips(60_000))
	want, got = &cluster.MiniBatchKMeans{K: 5, Seed: 2}, &cluster.MiniBatchKMeans{K: 5, Seed: 2}
	data.FitTo(want, f.Dataset("fare", "a", "b", "count"))
	data.FitTo(got, l.Dataset("fare", "a", "b", "count"))
	if math.Abs(got.Inertia-want.Inertia) > 0.2*want.Inertia {
		t.Errorf("the inertia is %v, in memory %v", got.Inertia, want.Inertia)
	}
	total := 0.0
	d = f.Dataset("fare", "a", "b", "count")
	for i, c := range got.Predict(d.X) {
		for j, v := range got.Centers.RawRowView(c) {
			total += (d.X.At(i, j) - v) * (d.X.At(i, j) - v)
		}
	}
	if math.Abs(total-got.Inertia) > 1e-9*total {
		t.Errorf("the inertia is %v, want %v", got.Inertia, total)
	}
}

func TestFitScanRefuses(t *testing.T) {
	_, l := scanned(t, trips(2_000))
	for want, f := range map[string]func(){
		"KNN cannot learn from a scan, because it needs all rows in memory": func() { data.FitTo(&neighbors.KNN{}, l.Dataset("kind", "a")) },
		"the model must be a pointer, got linear.SGDClassifier":             func() { data.FitTo(linear.SGDClassifier{}, l.Dataset("kind", "a")) },
		"the model must be a pointer, got <nil>":                            func() { data.FitTo(nil, l.Dataset("kind", "a")) },
		`the target "fare" must hold classes, not real numbers`:             func() { data.FitTo(&linear.SGDClassifier{}, l.Dataset("fare", "a")) },
		`the target "kind" must hold real numbers, not classes`:             func() { data.FitTo(&linear.SGDRegressor{}, l.Dataset("kind", "a")) },
		`column "km" must have no missing values for SGDRegressor, got `:    func() { data.FitTo(&linear.SGDRegressor{}, l.Dataset("fare", "km")) },
		`the target "zone" must have no missing values, got `:               func() { data.FitTo(&prob.NaiveBayes{}, l.Dataset("zone", "km")) },
		`column "inf" must have finite values, got `:                        func() { data.FitTo(&prob.NaiveBayes{}, l.With("inf", l.Col("a").Over(0)).Dataset("kind", "inf")) },
		`x must have numeric columns, but column 0, "kind", is nominal`:     func() { data.FitTo(&linear.SGDRegressor{}, l.Dataset("fare", "kind")) },
		"there must be at least one row, got none":                          func() { data.FitTo(&linear.SGDRegressor{}, l.Where(l.Col("part").Greater(9)).Dataset("fare", "a")) },
		`the features must not contain the target "fare"`:                   func() { l.Dataset("fare", "fare") },
		`there is no column "tip"`:                                          func() { l.Dataset("tip") },
		"y must have exactly two classes, got 3":                            func() { data.FitTo(&online.Perceptron{}, l.Dataset("kind", "a")) },
		"K must be between 1 and":                                           func() { data.FitTo(&cluster.MiniBatchKMeans{K: -1}, l.Dataset("kind", "a")) },
		"Prior must have 3 entries":                                         func() { data.FitTo(&prob.GaussianNB{Prior: []float64{1}}, l.Dataset("kind", "a")) },
		"Validation must hold out at least 1 of":                            func() { data.FitTo(&ensemble.HistGradientBoosting{Validation: 1e-9}, l.Dataset("kind", "a")) },
		"row 0 must have counts, none of them negative":                     func() { data.FitTo(&prob.MultinomialNB{}, l.With("b", l.Col("count").Minus(9)).Dataset("kind", "b")) },
		"the weights overflowed in pass":                                    func() { data.FitTo(&linear.SGDRegressor{}, l.With("b", l.Col("b").Times(1e9)).Dataset("fare", "b")) },
		`column "at" must not be of kind time`:                              func() { read.ScanFrame(days()).Dataset("n", "at") },
		"Fill must be FillMean or FillConstant for a scan":                  func() { data.FitTo(&prep.Imputer{Fill: prep.FillMedian}, l.Dataset("kind", "km")) },
		"every part must be able to learn from a scan, but *prep.RobustScaler needs all rows": func() {
			data.FitTo(&eval.Pipeline{Steps: []model.Transformer{&prep.RobustScaler{}}, Model: &linear.SGDClassifier{}}, l.Dataset("kind", "a"))
		},
		"every part must be able to learn from a scan, but <nil> needs all rows": func() { data.FitTo(&eval.Pipeline{}, l.Dataset("kind", "a")) },
		"Monotone must have 1 entries":                                           func() { data.FitTo(&ensemble.HistGradientBoosting{Monotone: []int{1, 1}}, l.Dataset("kind", "a")) },
		"y must have at least two classes, got only class 0":                     func() { data.FitTo(&linear.SGDClassifier{}, l.Where(l.Col("kind").Equal("x")).Dataset("kind", "a")) },
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				if !ok || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
			}()
			f()
		}()
	}
}

func days() *frame.Frame {
	f, err := frame.New(frame.IntColumn("n", []int64{1}), frame.NanoColumn("at", []int64{1}, nil))
	if err != nil {
		panic(err)
	}
	return f
}

// TestFitScanStops interrupts a fit in its second pass.
func TestFitScanStops(t *testing.T) {
	_, l := scanned(t, trips(60_000))
	ctx, cancel := context.WithCancel(context.Background())
	m := &linear.SGDClassifier{Control: model.Control{Context: ctx, OnStep: func(s model.Step) {
		if s.Iter == 2 {
			cancel()
		}
	}}}
	err := l.Dataset("late", "a", "b").FitModel(m)
	if !errors.Is(err, context.Canceled) || m.Coef != nil || m.Classes() != nil {
		t.Errorf("got %v and the coefficients %v", err, m.Coef)
	}
}

// TestLearners compares the models with a method FitBatches with those that the error of another
// model lists, and with those of TestFitScan.
func TestLearners(t *testing.T) {
	files, err := filepath.Glob("../../*/batches.go")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	_, l := scanned(t, trips(100))
	err = l.Dataset("kind", "a").FitModel(&neighbors.KNN{})
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	tested := map[string]bool{"MiniBatchKMeans": true}
	for _, c := range fits {
		tested[model.NameOf(c.fresh())] = true
	}
	n := 0
	for _, name := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "FitBatches" {
				continue
			}
			n++
			m := f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
			if !strings.Contains(strings.NewReplacer(" of them", "").Replace(e.Hint)+",", " "+m+",") || !tested[m] {
				t.Errorf("%s is not in the hint %q, or not in TestFitScan", m, e.Hint)
			}
		}
	}
	if listed := strings.Count(e.Hint, ","); n != listed {
		t.Errorf("%d models have FitBatches, %d commas in the hint", n, listed)
	}
}
