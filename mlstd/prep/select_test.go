package prep_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// selectionOracle holds the results that testdata/oracles/selection.py computed with scikit-learn.
type selectionOracle struct {
	Classification []struct {
		Name                           string
		X, Names, Counts, Z, Scaled    [][]float64
		Y                              []int
		F, P, Chi2, Chi2P, MI, Counted []float64
		Best, Ranking, Fast            []int
		Chosen, Two                    []int
		Percent                        map[string][]int
	}
	Regression []struct {
		Name            string
		X, Names        [][]float64
		Y               []float64
		F, P, MI, Mixed []float64
		Ranking, Chosen []int
	}
}

func readSelection(t *testing.T) selectionOracle {
	t.Helper()
	var o selectionOracle
	mltest.ReadOracle(t, "selection", &o)
	if len(o.Classification) < 5 || len(o.Regression) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// nominal makes a table of nominal columns out of numbers.
func nominal(rows [][]float64) *model.Table {
	t := &model.Table{Dense: data.Rows(rows)}
	for j := range rows[0] {
		t.Columns = append(t.Columns, model.Column{Name: fmt.Sprint("c", j), Kind: model.Nominal, Levels: []string{"a", "b", "c", "d"}})
	}
	return t
}

func sameInts(t *testing.T, what string, got, want []int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestOracleSelection(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	logistic := func() model.Classifier { return &linear.LogisticRegression{} }
	for _, o := range readSelection(t).Classification {
		x := data.Rows(o.X)
		f := &prep.SelectKBest{K: 3}
		must(f.FitClasses(x, o.Y))
		mltest.NearAll(t, o.Name+" F", f.Scores, o.F, 1e-9)
		mltest.NearAll(t, o.Name+" P", f.P, o.P, 1e-9)
		sameInts(t, o.Name+" best", f.Kept, o.Best)
		c := &prep.SelectKBest{Score: prep.ChiSquareScore, K: 1}
		must(c.FitClasses(data.Rows(o.Counts), o.Y))
		mltest.NearAll(t, o.Name+" χ²", c.Scores, o.Chi2, 1e-9)
		mltest.NearAll(t, o.Name+" P of χ²", c.P, o.Chi2P, 1e-9)
		m := &prep.SelectKBest{Score: prep.MutualInformationScore, K: 1}
		must(m.FitClasses(x, o.Y))
		mltest.NearAll(t, o.Name+" information", m.Scores, o.MI, 1e-9)
		must(m.FitClasses(nominal(o.Names), o.Y))
		mltest.NearAll(t, o.Name+" information of names", m.Scores, o.Counted, 1e-9)
		for percent, want := range o.Percent {
			s := &prep.SelectPercentile{}
			if _, err := fmt.Sscan(percent, &s.Percent); err != nil {
				t.Fatal(err)
			}
			must(s.FitClasses(x, o.Y))
			sameInts(t, o.Name+" percentile "+percent, s.Kept, want)
		}
		z := data.Rows(o.Z)
		r := &prep.RFE{New: logistic, K: 2}
		must(r.FitClasses(z, o.Y))
		sameInts(t, o.Name+" ranking", r.Ranking, o.Ranking)
		fast := &prep.RFE{New: logistic, K: 1, Step: 3}
		must(fast.FitClasses(z, o.Y))
		sameInts(t, o.Name+" ranking by three", fast.Ranking, o.Fast)
		s := &prep.SelectFromModel{New: logistic}
		must(s.FitClasses(z, o.Y))
		sameInts(t, o.Name+" from a model", s.Kept, o.Chosen)
		two := &prep.SelectFromModel{New: logistic, Most: 2, Threshold: model.Zero}
		must(two.FitClasses(z, o.Y))
		sameInts(t, o.Name+" two from a model", two.Kept, o.Two)
		a := &prep.MaxAbsScaler{}
		must(a.Fit(x))
		for i, row := range o.Scaled {
			mltest.NearAll(t, o.Name+" scaled", a.Transform(x).RawRowView(i), row, 1e-14)
		}
	}
	for _, o := range readSelection(t).Regression {
		x := data.Rows(o.X)
		f := &prep.SelectKBest{K: 3}
		must(f.FitTarget(x, o.Y))
		mltest.NearAll(t, o.Name+" F", f.Scores, o.F, 1e-9)
		mltest.NearAll(t, o.Name+" P", f.P, o.P, 1e-9)
		m := &prep.SelectKBest{Score: prep.MutualInformationScore, K: 1}
		must(m.FitTarget(x, o.Y))
		mltest.NearAll(t, o.Name+" information", m.Scores, o.MI, 1e-9)
		must(m.FitTarget(nominal(o.Names), o.Y))
		mltest.NearAll(t, o.Name+" information of names", m.Scores, o.Mixed, 1e-9)
		ridge := func() model.Regressor { return &linear.Ridge{} }
		r := &prep.RFE{NewRegressor: ridge, K: 2}
		must(r.FitTarget(x, o.Y))
		sameInts(t, o.Name+" ranking", r.Ranking, o.Ranking)
		s := &prep.SelectFromModel{NewRegressor: ridge}
		must(s.FitTarget(x, o.Y))
		sameInts(t, o.Name+" from a model", s.Kept, o.Chosen)
	}
}

// byFirstColumn fits a selection to classes determined by the first column.
type byFirstColumn struct{ model.TargetTransformer }

func (b byFirstColumn) Fit(x mat.Matrix) error {
	if d, ok := x.(*mat.Dense); x == nil || ok && d.IsEmpty() {
		return b.fit(x, nil)
	}
	n, _ := x.Dims()
	y := make([]int, n)
	for i := range y {
		if x.At(i, 0) > 1 {
			y[i] = 1
		}
	}
	return b.fit(x, y)
}

func (b byFirstColumn) fit(x mat.Matrix, y []int) error {
	return b.TargetTransformer.(interface{ FitClasses(mat.Matrix, []int) error }).FitClasses(x, y)
}

func TestSelectionConformance(t *testing.T) {
	stump := func() model.Classifier { return &linear.LogisticRegression{C: 0.1} }
	t.Run("SelectKBest", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return byFirstColumn{&prep.SelectKBest{K: 2}} }, modeltest.Options{})
	})
	t.Run("SelectPercentile", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return byFirstColumn{&prep.SelectPercentile{Percent: 60}} }, modeltest.Options{})
	})
	t.Run("SelectFromModel", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return byFirstColumn{&prep.SelectFromModel{New: stump}} }, modeltest.Options{})
	})
	t.Run("RFE", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return byFirstColumn{&prep.RFE{New: stump, K: 1}} }, modeltest.Options{})
	})
	t.Run("MaxAbsScaler", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.MaxAbsScaler{} }, modeltest.Options{})
	})
	t.Run("FunctionTransformer", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.FunctionTransformer{Each: math.Atan} }, modeltest.Options{})
	})
}

// A selection inside a pipeline is fitted inside each fold: with random classes, the best of many
// noise columns predict nothing on the test folds.
func TestSelectionDoesNotLeak(t *testing.T) {
	rng := model.Rand(11, 0)
	x, y := mat.NewDense(60, 400, nil), make([]int, 60)
	for i := range 60 {
		y[i] = i % 2
		for j := range 400 {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	inside, err := eval.CrossScore(func() model.Classifier {
		return &eval.Pipeline{Steps: []model.Transformer{&prep.SelectKBest{}}, Model: &neighbors.KNN{}}
	}, x, y, eval.Resampling{})
	if err != nil {
		t.Fatal(err)
	}
	s := &prep.SelectKBest{}
	if err := s.FitClasses(x, y); err != nil {
		t.Fatal(err)
	}
	outside, err := eval.CrossScore(func() model.Classifier { return &neighbors.KNN{} }, s.Transform(x), y, eval.Resampling{})
	if err != nil {
		t.Fatal(err)
	}
	if in, out := inside[0].Mean(), outside[0].Mean(); in > 0.65 || out < 0.75 {
		t.Errorf("accuracy %v with the selection inside, %v outside the folds", in, out)
	}
}

// Names are kept, a pipeline with a regressor forwards its target, and forests supply importances.
func TestSelectionKeepsNames(t *testing.T) {
	d := data.Diabetes()
	p := &eval.RegressorPipeline{Steps: []model.Transformer{&prep.StandardScaler{}, &prep.SelectKBest{K: 2}}, Model: &linear.LinearRegression{}}
	if err := p.Fit(d.X, d.Target); err != nil {
		t.Fatal(err)
	}
	if got := p.Model.(*linear.LinearRegression).Columns; !slices.Equal(got, []string{"bmi", "log triglycerides"}) {
		t.Errorf("the columns of the model are %v", got)
	}
	b := data.BreastCancer()
	s := &prep.SelectFromModel{New: func() model.Classifier { return &ensemble.GradientBoosting{Rounds: 10} }, Most: 3}
	if err := s.FitClasses(b.X, b.Y); err != nil {
		t.Fatal(err)
	}
	if out := s.Transform(b.X); len(out.Columns) != len(s.Kept) || len(s.Kept) > 3 {
		t.Errorf("kept %v, columns %v", s.Kept, out.ColumnNames())
	}
}

func TestSelectionRefusals(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, 2, 2, -1, 3, 4, 4, 3})
	y, target := []int{0, 1, 0, 1}, []float64{1, 2, 3, 5}
	knn := func() model.Classifier { return &neighbors.KNN{K: 1} }
	for want, f := range map[string]func() error{
		"SelectKBest.Fit": func() error { return (&prep.SelectKBest{}).Fit(x) },
		"K must be at most 2 (the number of columns), got 3":                    func() error { return (&prep.SelectKBest{K: 3}).FitClasses(x, y) },
		"x[1][1] must not be negative for ChiSquareScore, got -1":               func() error { return (&prep.SelectKBest{Score: prep.ChiSquareScore}).FitClasses(x, y) },
		"the target must be classes for ChiSquareScore":                         func() error { return (&prep.SelectKBest{Score: prep.ChiSquareScore}).FitTarget(x, target) },
		"y must have at least two classes, got one":                             func() error { return (&prep.SelectKBest{}).FitClasses(x, []int{1, 1, 1, 1}) },
		"Score must be FScore, ChiSquareScore or MutualInformationScore, got 9": func() error { return (&prep.SelectKBest{Score: 9}).FitClasses(x, y) },
		"Percent must be above 0 and at most 100, got 200":                      func() error { return (&prep.SelectPercentile{Percent: 200}).FitTarget(x, target) },
		"New must not be nil":                                        func() error { return (&prep.RFE{}).FitClasses(x, y) },
		"NewRegressor must not be nil":                               func() error { return (&prep.SelectFromModel{}).FitTarget(x, target) },
		"the model must have Coef or Importances of its 2 columns,":  func() error { return (&prep.RFE{New: knn}).FitClasses(x, y) },
		"exactly one of Each and Row must be set":                    func() error { return (&prep.FunctionTransformer{}).Fit(x) },
		"the function must return finite numbers, got NaN for row 1": func() error { return (&prep.FunctionTransformer{Each: math.Sqrt}).Fit(x) },
		"Row must return at least one value, and Names must be empty or": func() error {
			return (&prep.FunctionTransformer{Row: func(r []float64) []float64 { return r[:1] }, Names: []string{"a", "b", "c"}}).Fit(x)
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func ExampleSelectKBest() {
	d := data.Iris()
	p := &eval.Pipeline{Steps: []model.Transformer{&prep.SelectKBest{K: 2}}, Model: &neighbors.KNN{}}
	if err := p.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Transform(d.X).(*model.Table).ColumnNames())
	// Output: [petal length petal width]
}

func ExampleFunctionTransformer() {
	f := &prep.FunctionTransformer{Row: func(r []float64) []float64 { return []float64{r[0] / r[1]} }, Names: []string{"ratio"}}
	x := mat.NewDense(2, 2, []float64{6, 2, 10, 5})
	if err := f.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	z := f.Transform(x)
	fmt.Println(z.ColumnNames(), z.RawMatrix().Data)
	// Output: [ratio] [3 2]
}
