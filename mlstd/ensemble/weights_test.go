package ensemble_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// weightedSets holds the results that testdata/oracles/weighted.py computed with scikit-learn, for
// the data sets of ensemble.json.
type weightedSets struct {
	Classified, Real, Adaboost []struct {
		Name                string
		W                   []float64
		Rounds              int
		Seed                uint64
		Proba               [][]float64
		Pred, Forest, Logit []float64
	}
}

func readWeighted(t *testing.T) weightedSets {
	t.Helper()
	var o weightedSets
	mltest.ReadOracle(t, "weighted", &o)
	if len(o.Classified) < 5 || len(o.Real) < 5 || len(o.Adaboost) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

func TestOracleWeightedTrees(t *testing.T) {
	sets, want := readOracle(t), readWeighted(t)
	for _, o := range want.Classified {
		for _, s := range slices.Concat(sets.Two, sets.Many) {
			if s.Name != o.Name {
				continue
			}
			m := &ensemble.GradientBoosting{Rounds: o.Rounds, MaxDepth: 2}
			fitMaybeWeighted(t, m, data.Rows(s.X), s.Y, o.W)
			p := m.PredictProba(data.Rows(s.X))
			for i, row := range o.Proba {
				mltest.NearAll(t, o.Name, p.RawRowView(i), row, same)
			}
		}
	}
	for i, o := range want.Real {
		x, y := data.Rows(sets.Real[i].X), sets.Real[i].Y
		_, d := x.Dims()
		for what, c := range map[string]struct {
			m    model.WeightedRegressor
			want []float64
		}{
			"boosting": {&ensemble.GradientBoostingRegressor{Rounds: o.Rounds, MaxDepth: 2}, o.Pred},
			"forest":   {&ensemble.RandomForestRegressor{Trees: 5, MaxDepth: 2, MinLeaf: 1e-9, FeaturesPerSplit: d, Seed: o.Seed}, o.Forest},
		} {
			if err := c.m.FitWeighted(x, y, o.W); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, o.Name+" "+what, c.m.Predict(x), c.want, same)
		}
	}
}

// The log odds are twice the sum.
func TestOracleAdaBoostProbabilities(t *testing.T) {
	sets, want := readOracle(t), readWeighted(t)
	for i, o := range want.Adaboost {
		x := data.Rows(sets.Two[i].X)
		a := &ensemble.AdaBoost{New: giniTree(1), Rounds: o.Rounds}
		m := &ensemble.AdaBoostM1{New: giniTree(1), Rounds: o.Rounds}
		for _, f := range []model.ProbClassifier{a, m} {
			fit(t, f, x, sets.Two[i].Y)
			p := f.PredictProba(x)
			for k, z := range o.Logit {
				mltest.Near(t, o.Name, math.Log(p.At(k, 1)/p.At(k, 0)), z, 1e-8)
			}
		}
	}
}

// A weight of 2 is two equal examples, for every loss.
func TestBoostingByCopies(t *testing.T) {
	x, y := mat.NewDense(40, 2, nil), make([]float64, 40)
	rng := model.Rand(5, 0)
	var rows []int
	w := make([]float64, 40)
	for i := range y {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y[i] = x.At(i, 0)*x.At(i, 1) + 0.1*rng.NormFloat64()
		w[i] = float64(1 + i%3)
		for range 1 + i%3 {
			rows = append(rows, i)
		}
	}
	copies, targets := mat.NewDense(len(rows), 2, nil), make([]float64, len(rows))
	for k, i := range rows {
		copies.SetRow(k, x.RawRowView(i))
		targets[k] = y[i]
	}
	// With the absolute loss, trees are fitted to signs, which soon have equal gains.
	for loss, rounds := range map[ensemble.RegressionLoss]int{ensemble.SquaredError: 5, ensemble.AbsoluteError: 1} {
		a := &ensemble.GradientBoostingRegressor{Loss: loss, Rounds: rounds}
		b := &ensemble.GradientBoostingRegressor{Loss: loss, Rounds: rounds}
		if err := a.FitWeighted(x, y, w); err != nil {
			t.Fatal(err)
		}
		if err := b.Fit(copies, targets); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, string(loss), a.Predict(x), b.Predict(x), same)
		mltest.NearAll(t, string(loss)+" trace", a.Trace.Loss, b.Trace.Loss, same)
	}
}

// The scale of the weights does not matter to Huber's loss.
func TestWeightedHuber(t *testing.T) {
	x, y := mat.NewDense(30, 1, nil), make([]float64, 30)
	w, v := make([]float64, 30), make([]float64, 30)
	for i := range y {
		x.Set(i, 0, float64(i))
		y[i] = math.Sin(float64(i)) + 5*float64(i%7/6)
		w[i] = 1 + float64(i%4)
		v[i] = w[i] / 8
	}
	a := &ensemble.GradientBoostingRegressor{Loss: ensemble.HuberError, Rounds: 20}
	b := &ensemble.GradientBoostingRegressor{Loss: ensemble.HuberError, Rounds: 20}
	if err := a.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	if err := b.FitWeighted(x, y, v); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "predictions", a.Predict(x), b.Predict(x), same)
	if a.Trace.Loss[19] > a.Trace.Loss[0]/2 {
		t.Errorf("the loss falls from %v to %v only", a.Trace.Loss[0], a.Trace.Loss[19])
	}
}

// The members of a bag see examples in proportion to their weights: the mean of many means is the
// weighted mean, 0.7 here, with a standard error of √(0.21/4)/√4000 = 0.0036.
func TestWeightedBagging(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{0, 1, 0, 1}
	w := []float64{1, 3, 2, 4}
	b := &ensemble.BaggingRegressor{New: func() model.Regressor { return &tree.MeanRegressor{} }, Size: 4000}
	if err := b.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "mean", b.Predict(x)[0], 0.7, 0.015)
	c := &ensemble.Bagging{New: func() model.Classifier { return &tree.MajorityClassifier{} }, Size: 200}
	fitMaybeWeighted(t, c, mat.NewDense(40, 1, nil), slices.Concat(slices.Repeat([]int{1}, 30), slices.Repeat([]int{2}, 10)),
		slices.Concat(slices.Repeat([]float64{1}, 30), slices.Repeat([]float64{12}, 10)))
	if got := c.Predict(mat.NewDense(1, 1, nil))[0]; got != 2 {
		t.Errorf("got class %d, want the heavier 2", got)
	}
}
