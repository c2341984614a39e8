package eval_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// curveOracle is a partial dependence as testdata/oracles/inspect_models.py writes it:
// Mean has a row a point and a column an output, First the first example's curve for
// each output.
type curveOracle struct{ Grid, Mean, First [][]float64 }

type inspectOracle struct {
	Classification []struct {
		Name              string
		LogisticSigmoid   [][]float64 `json:"logistic_sigmoid"`
		LogisticIsotonic  [][]float64 `json:"logistic_isotonic"`
		NeighborsSigmoid  [][]float64 `json:"neighbors_sigmoid"`
		NeighborsIsotonic [][]float64 `json:"neighbors_isotonic"`
		Weighted          [][]float64
		Accuracy, Loss    [][]float64
		One, Two          curveOracle
	}
	Regression []struct {
		Name     string
		V, Query []float64
		Isotonic []struct {
			Up, Weighted             bool
			Knots, Values, Predicted []float64
		}
		R2       [][]float64
		One, Two curveOracle
	}
}

func readInspect(t *testing.T) (inspectOracle, scoringOracle) {
	t.Helper()
	var o inspectOracle
	mltest.ReadOracle(t, "inspect_models", &o)
	sets := readScoring(t)
	if len(o.Classification) != len(sets.Classification) || len(o.Regression) != len(sets.Regression) {
		t.Fatal("the oracle is of other data sets")
	}
	return o, sets
}

func tightLogistic() model.Classifier { return &linear.LogisticRegression{C: 0.5} }

func column(v []float64) *mat.Dense { return mat.NewDense(len(v), 1, slices.Clone(v)) }

func TestIsotonicOracle(t *testing.T) {
	o, sets := readInspect(t)
	for k, s := range o.Regression {
		for _, c := range s.Isotonic {
			m := &eval.IsotonicRegression{Decreasing: !c.Up}
			var err error
			if c.Weighted {
				err = m.FitWeighted(column(s.V), sets.Regression[k].Y, sets.Regression[k].W)
			} else {
				err = m.Fit(column(s.V), sets.Regression[k].Y)
			}
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Name+" knots", m.Knots, c.Knots, 1e-12)
			mltest.NearAll(t, s.Name+" values", m.Values, c.Values, 1e-9)
			mltest.NearAll(t, s.Name+" predictions", m.Predict(column(s.Query)), c.Predicted, 1e-9)
		}
	}
}

// The fit is the projection on the non-falling sequences: means of pools, by hand.
func TestIsotonicByHand(t *testing.T) {
	m := &eval.IsotonicRegression{}
	if err := m.Fit(column([]float64{1, 2, 3, 4, 5, 5}), []float64{1, 3, 2, 4, 6, 8}); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "fit", m.Predict(column([]float64{0, 1, 1.5, 2, 2.5, 3, 4, 5, 9})), []float64{1, 1, 1.75, 2.5, 2.5, 2.5, 4, 7, 7}, 1e-12)
	if err := m.Fit(mat.NewDense(2, 2, nil), []float64{1, 2}); err == nil || !strings.Contains(err.Error(), "x must have 1 column, got 2") {
		t.Errorf("two columns: got %v", err)
	}
	huge := &eval.IsotonicRegression{}
	if err := huge.Fit(column([]float64{-math.MaxFloat64, math.MaxFloat64}), []float64{0, 2}); err != nil {
		t.Fatal(err)
	}
	if v := huge.Predict(column([]float64{0}))[0]; v < 0 || v > 2 {
		t.Errorf("between the largest numbers: got %v", v)
	}
}

// firstOnly lets a model of one variable go through the suite, which needs two columns.
type firstOnly struct{ *eval.IsotonicRegression }

func first(x mat.Matrix) mat.Matrix {
	if x == nil {
		return nil
	}
	if d, ok := x.(*mat.Dense); ok && d.IsEmpty() {
		return x
	}
	n, _ := x.Dims()
	out := mat.NewDense(n, 1, nil)
	for i := range n {
		out.Set(i, 0, x.At(i, 0))
	}
	return out
}

func (f firstOnly) Fit(x mat.Matrix, y []float64) error {
	f.Knots, f.Values = nil, nil
	if x != nil { // the other columns are also inspected, but are left out
		if _, err := model.CheckXYReal("firstOnly.Fit", x, y); err != nil {
			return err
		}
	}
	return f.IsotonicRegression.Fit(first(x), y)
}

func (f firstOnly) Predict(x mat.Matrix) []float64 {
	_, c := x.Dims()
	model.MustRows("firstOnly.Predict", x, c)
	return f.IsotonicRegression.Predict(first(x))
}

func TestIsotonicConformance(t *testing.T) {
	x, y := mat.NewDense(40, 2, nil), make([]float64, 40)
	rng := model.Rand(3, 0)
	for i := range y {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y[i] = math.Atan(x.At(i, 0)) + 0.1*rng.NormFloat64()
	}
	modeltest.Regressor(t, func() model.Regressor { return firstOnly{&eval.IsotonicRegression{}} }, modeltest.Options{
		X: x, Target: y, Skip: map[string]string{
			"wrong width": "one column is looked at", "weights": "the adapter of the test has none"},
	})
}

func TestCalibratedConformance(t *testing.T) {
	skip := map[string]string{
		"row permutation": "the folds depend on the order of the rows",
		"weights":         "the folds depend on the number of the rows",
	}
	for _, isotonic := range []bool{false, true} {
		modeltest.Classifier(t, func() model.Classifier {
			return &eval.Calibrated{New: func() model.Classifier { return &prob.GaussianNB{} }, Isotonic: isotonic, Folds: 3}
		}, modeltest.Options{Skip: skip})
	}
}

func TestCalibratedOracle(t *testing.T) {
	o, sets := readInspect(t)
	nearest := func() model.Classifier { return &neighbors.KNN{K: 5} }
	for k, s := range o.Classification {
		x, y := data.Rows(sets.Classification[k].X), sets.Classification[k].Y
		for _, c := range []struct {
			name     string
			m        *eval.Calibrated
			weighted bool
			want     [][]float64
			tol      float64
		}{
			// scikit-learn stops its search for the sigmoid at gradients of 1e-6.
			{"sigmoid", &eval.Calibrated{New: tightLogistic, Folds: 3}, false, s.LogisticSigmoid, 1e-4},
			{"isotonic", &eval.Calibrated{New: tightLogistic, Folds: 3, Isotonic: true}, false, s.LogisticIsotonic, 1e-5},
			{"weighted sigmoid", &eval.Calibrated{New: tightLogistic, Folds: 3}, true, s.Weighted, 1e-4},
			{"sigmoid of probabilities", &eval.Calibrated{New: nearest, Folds: 3}, false, s.NeighborsSigmoid, 1e-4},
			{"isotonic of probabilities", &eval.Calibrated{New: nearest, Folds: 3, Isotonic: true}, false, s.NeighborsIsotonic, 1e-6},
		} {
			err := c.m.Fit(x, y)
			if c.weighted {
				err = c.m.FitWeighted(x, y, sets.Classification[k].W)
			}
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Name+" "+c.name, c.m.PredictProba(x).RawMatrix().Data, slices.Concat(c.want...), c.tol)
		}
	}
}

// Naive Bayes on repeated columns is far too sure of itself; calibration fixes
// that.
func TestCalibratedMends(t *testing.T) {
	rng := model.Rand(8, 0)
	draw := func(n int) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, 10, nil), make([]int, n)
		for i := range y {
			y[i] = i % 2
			v := float64(y[i]) + 1.2*rng.NormFloat64()
			for j := range 10 {
				x.Set(i, j, v+0.05*rng.NormFloat64())
			}
		}
		return x, y
	}
	x, y := draw(600)
	tx, ty := draw(2000)
	loss := func(m model.ProbClassifier) float64 {
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		return eval.LogLoss(ty, m.PredictProba(tx), m.Classes())
	}
	raw := loss(&prob.GaussianNB{})
	for _, isotonic := range []bool{false, true} {
		got := loss(&eval.Calibrated{New: func() model.Classifier { return &prob.GaussianNB{} }, Isotonic: isotonic})
		if !(got < raw/2) {
			t.Errorf("isotonic %v: log loss %v, uncalibrated %v", isotonic, got, raw)
		}
	}
	if err := (&eval.Calibrated{}).Fit(x, y); err == nil || !strings.Contains(err.Error(), "New must not be nil") {
		t.Errorf("without New: got %v", err)
	}
}

func TestPermutationImportanceOracle(t *testing.T) {
	o, sets := readInspect(t)
	how := eval.Permuting{Repeats: 3, Seed: 5}
	for k, s := range o.Classification {
		x, y := data.Rows(sets.Classification[k].X), sets.Classification[k].Y
		m := tightLogistic()
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			by   eval.Scoring
			want [][]float64
			tol  float64
		}{{eval.Scoring{}, s.Accuracy, 1e-12}, {eval.ByLogLoss, s.Loss, 1e-5}} {
			got, err := eval.PermutationImportance(m, x, y, c.by, how)
			if err != nil {
				t.Fatal(err)
			}
			for j, drops := range got.Drops {
				mltest.NearAll(t, s.Name+" "+got.Metric, drops, c.want[j], c.tol)
			}
		}
	}
	for k, s := range o.Regression {
		x, y := data.Rows(sets.Regression[k].X), sets.Regression[k].Y
		m := &linear.Ridge{}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		got, err := eval.PermutationImportanceRegressor(m, x, y, eval.RegressionScoring{}, how)
		if err != nil {
			t.Fatal(err)
		}
		for j, drops := range got.Drops {
			mltest.NearAll(t, s.Name+" "+got.Metric, drops, s.R2[j], 1e-9)
		}
	}
}

func checkCurves(t *testing.T, name string, d *eval.Dependence, want curveOracle, from int, tol float64) {
	t.Helper()
	for k, g := range want.Grid {
		mltest.NearAll(t, name+" grid", d.Grid[k], g, 1e-9)
	}
	points, outputs := d.Mean.Dims()
	for c := from; c < outputs; c++ {
		for p := range points {
			mltest.Near(t, name+" mean", d.Mean.At(p, c), want.Mean[p][c-from], tol)
		}
		mltest.NearAll(t, name+" first example", mat.Row(nil, 0, d.Individual[c]), want.First[c-from], tol)
	}
}

func TestPartialDependenceOracle(t *testing.T) {
	o, sets := readInspect(t)
	for k, s := range o.Classification {
		x, y := data.Rows(sets.Classification[k].X), sets.Classification[k].Y
		m := tightLogistic()
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		one, err := eval.PartialDependence(m, x, []int{1}, eval.DependenceGrid{Size: 7, Individual: true})
		if err != nil {
			t.Fatal(err)
		}
		from := 0 // for two classes, scikit-learn returns only the second
		if len(one.Classes) == 2 {
			from = 1
		}
		checkCurves(t, s.Name, one, s.One, from, 1e-6)
		two, err := eval.PartialDependence(m, x, []int{0, len(sets.Classification[k].X[0]) - 1}, eval.DependenceGrid{Size: 4, Individual: true})
		if err != nil {
			t.Fatal(err)
		}
		checkCurves(t, s.Name, two, s.Two, from, 1e-6)
	}
	for k, s := range o.Regression {
		x, y := data.Rows(sets.Regression[k].X), sets.Regression[k].Y
		m := &linear.Ridge{}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		one, err := eval.PartialDependenceRegressor(m, x, []int{1}, eval.DependenceGrid{Size: 7, Individual: true})
		if err != nil {
			t.Fatal(err)
		}
		checkCurves(t, s.Name, one, s.One, 0, 1e-9)
		two, err := eval.PartialDependenceRegressor(m, x, []int{0, len(sets.Regression[k].X[0]) - 1}, eval.DependenceGrid{Size: 4, Individual: true})
		if err != nil {
			t.Fatal(err)
		}
		checkCurves(t, s.Name, two, s.Two, 0, 1e-9)
	}
}

func TestInspectRefuses(t *testing.T) {
	x, y := mat.NewDense(4, 2, []float64{0, 1, 1, 0, 3, 2, 4, 5}), []float64{1, 2, 3, 5}
	m := &linear.Ridge{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	grid := func(columns []int, g eval.DependenceGrid) error {
		_, err := eval.PartialDependenceRegressor(m, x, columns, g)
		return err
	}
	importance := func(how eval.Permuting, y []float64) error {
		_, err := eval.PermutationImportanceRegressor(m, x, y, eval.RegressionScoring{}, how)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{grid(nil, eval.DependenceGrid{}), "one column or two"},
		{grid([]int{1, 1}, eval.DependenceGrid{}), "one column or two"},
		{grid([]int{2}, eval.DependenceGrid{}), "columns must be between 0 and 1, got 2"},
		{grid([]int{1}, eval.DependenceGrid{Size: 1}), "Size must be at least 2, got 1"},
		{grid([]int{1}, eval.DependenceGrid{Low: 0.9, High: 0.1}), "Low < High"},
		{importance(eval.Permuting{Repeats: -1}, y), "Repeats must be positive (0 means 5), got -1"},
		{importance(eval.Permuting{}, y[1:]), "y must have 4 entries (the number of rows of x), got 3"},
		{importance(eval.Permuting{Weights: eval.Weights{1}}, y), "weights must have 4 entries, got 1"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", c.err, c.want)
		}
	}
	got, err := eval.PermutationImportanceRegressor(m, x, y, eval.ByMSE, eval.Permuting{Repeats: 10})
	if err != nil {
		t.Fatal(err)
	}
	if order := got.Order(); got.Mean[order[0]] < got.Mean[order[1]] || !strings.Contains(got.String(), "x1") {
		t.Errorf("got %v", got)
	}
}

func BenchmarkIsotonicRegression(b *testing.B) {
	rng := model.Rand(1, 0)
	x, y := mat.NewDense(100000, 1, nil), make([]float64, 100000)
	for i := range y {
		v := rng.NormFloat64()
		x.Set(i, 0, v)
		y[i] = v + rng.NormFloat64()
	}
	for b.Loop() {
		if err := (&eval.IsotonicRegression{}).Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}
