package ensemble_test

import (
	"maps"
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
	"github.com/gokernel/gokernel/mlstd/tree"
)

func logistic() model.Classifier { return &linear.LogisticRegression{} }

func three() []func() model.Classifier {
	return []func() model.Classifier{
		logistic,
		func() model.Classifier { return &linear.LogisticRegression{C: 0.01} },
		func() model.Classifier { return &neighbors.KNN{K: 5} },
	}
}

func ridge() model.Regressor { return &linear.Ridge{} }

func threeRegressors() []func() model.Regressor {
	return []func() model.Regressor{
		func() model.Regressor { return &linear.LinearRegression{} },
		func() model.Regressor { return &linear.Ridge{Lambda: 50} },
		func() model.Regressor { return &neighbors.KNNRegressor{K: 5} },
	}
}

func TestCombineConformance(t *testing.T) {
	folds := map[string]string{"row permutation": "the folds depend on the order of the rows"}
	t.Run("Voting", func(t *testing.T) {
		for _, soft := range []bool{false, true} {
			modeltest.Classifier(t, func() model.Classifier { return &ensemble.Voting{New: three(), Soft: soft} },
				modeltest.Options{Tolerance: 1e-5})
		}
	})
	t.Run("VotingRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &ensemble.VotingRegressor{New: threeRegressors()} }, modeltest.Options{MinScore: 0.8})
	})
	t.Run("Stacking", func(t *testing.T) {
		for _, pass := range []bool{false, true} {
			modeltest.Classifier(t, func() model.Classifier {
				return &ensemble.Stacking{New: three(), Final: logistic, Pass: pass, Folds: 3}
			}, modeltest.Options{Skip: folds})
		}
	})
	t.Run("StackingRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor {
			return &ensemble.StackingRegressor{New: threeRegressors(), Final: ridge}
		}, modeltest.Options{Skip: withSkip(folds, "target scale", "the penalty of the final ridge weighs against columns in the unit of the target")})
	})
	t.Run("ExtraTrees", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &ensemble.ExtraTrees{Trees: 20} }, modeltest.Options{})
	})
	t.Run("ExtraTreesRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &ensemble.ExtraTreesRegressor{Trees: 20} }, modeltest.Options{Tolerance: 1e-6})
	})
}

func TestCombineOracle(t *testing.T) {
	var o struct {
		Classified []struct {
			Name                  string
			X                     [][]float64
			Y                     []int
			Soft, Stacked, Passed [][]float64
			Hard                  []int
			Weights               []float64
			WeightedSoft          [][]float64
		}
		Real []struct {
			Name                     string
			X                        [][]float64
			Y, Mean, Stacked, Passed []float64

			Weights, WeightedMean, WeightedStacked []float64
		}
	}
	mltest.ReadOracle(t, "combine", &o)
	if len(o.Classified) < 5 || len(o.Real) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	weights := []float64{1, 2, 0.5}
	const near = 1e-5 // the optimum of a logistic model is flat
	for _, s := range o.Classified {
		x := data.Rows(s.X)
		soft, hard := &ensemble.Voting{New: three(), Weights: weights, Soft: true}, &ensemble.Voting{New: three(), Weights: weights}
		fit(t, soft, x, s.Y)
		fit(t, hard, x, s.Y)
		mltest.NearAll(t, s.Name+" soft vote", soft.PredictProba(x).RawMatrix().Data, slices.Concat(s.Soft...), near)
		if !slices.Equal(hard.Predict(x), s.Hard) {
			t.Errorf("%s, hard vote: got %v, want %v", s.Name, hard.Predict(x), s.Hard)
		}
		soft = &ensemble.Voting{New: three()[:2], Soft: true}
		fitMaybeWeighted(t, soft, x, s.Y, s.Weights)
		mltest.NearAll(t, s.Name+" weighted vote", soft.PredictProba(x).RawMatrix().Data, slices.Concat(s.WeightedSoft...), near)
		for _, pass := range []bool{false, true} {
			m, want := &ensemble.Stacking{New: three(), Final: logistic, Folds: 4, Pass: pass}, s.Stacked
			if pass {
				want = s.Passed
			}
			fit(t, m, x, s.Y)
			mltest.NearAll(t, s.Name+" stack", m.PredictProba(x).RawMatrix().Data, slices.Concat(want...), near)
		}
	}
	for _, s := range o.Real {
		x := data.Rows(s.X)
		vote := &ensemble.VotingRegressor{New: threeRegressors(), Weights: weights}
		if err := vote.Fit(x, s.Y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Name+" mean", vote.Predict(x), s.Mean, 1e-9)
		for _, c := range []struct {
			m    model.WeightedRegressor
			want []float64
		}{
			{&ensemble.VotingRegressor{New: threeRegressors()[:2]}, s.WeightedMean},
			{&ensemble.StackingRegressor{New: threeRegressors()[:2], Final: ridge, Folds: 4}, s.WeightedStacked},
		} {
			if err := c.m.FitWeighted(x, s.Y, s.Weights); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Name+" weighted", c.m.Predict(x), c.want, 1e-7)
		}
		for _, pass := range []bool{false, true} {
			m, want := &ensemble.StackingRegressor{New: threeRegressors(), Final: ridge, Folds: 4, Pass: pass}, s.Stacked
			if pass {
				want = s.Passed
			}
			if err := m.Fit(x, s.Y); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Name+" stack", m.Predict(x), want, 1e-7)
		}
	}
}

// Votes and stacks take weights if all members do; otherwise a weighted fit is an error, and the
// previous fit is discarded.
func TestCombineWeights(t *testing.T) {
	two := three()[:2]
	modeltest.Classifier(t, func() model.Classifier { return &ensemble.Voting{New: two, Soft: true} }, modeltest.Options{Tolerance: 1e-5})
	modeltest.Classifier(t, func() model.Classifier { return &ensemble.Stacking{New: two, Final: logistic, Folds: 3} },
		modeltest.Options{Tolerance: 1e-5, Skip: map[string]string{"row permutation": "the folds depend on the order of the rows"}})
	x, y := moons(40, 0.2, 3)
	ones := slices.Repeat([]float64{1}, 40)
	for _, m := range []model.WeightedClassifier{&ensemble.Voting{New: three()}, &ensemble.Stacking{New: three(), Final: logistic}} {
		if err := m.FitWeighted(x, y, ones); err == nil || !strings.Contains(err.Error(), "member 2 must have FitWeighted, got *neighbors.KNN") {
			t.Errorf("got %v", err)
		}
		if model.TakesWeights(m) {
			t.Errorf("%T says that it takes weights, but a member takes none", m)
		}
	}
}

// Between two examples a random threshold is uniform, so the mean of the trees is a straight line;
// a searched threshold is always the midpoint.
func TestExtraTreesThresholds(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{2, 6}), []float64{0, 1}
	m := &ensemble.ExtraTreesRegressor{Trees: 4000, Seed: 1}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{1, 2, 3, 4, 5.5, 6, 7} {
		want := min(max((v-2)/4, 0), 1)
		if got := m.Predict(mat.NewDense(1, 1, []float64{v}))[0]; math.Abs(got-want) > 0.03 { // 4 standard deviations
			t.Errorf("at %v: got %v, want %v", v, got, want)
		}
	}
	c := &ensemble.ExtraTrees{Trees: 4000, Seed: 2}
	fit(t, c, x, []int{3, 7})
	if p := c.PredictProba(mat.NewDense(1, 1, []float64{3})).At(0, 1); math.Abs(p-0.25) > 0.03 {
		t.Errorf("the probability at 3: got %v, want 0.25", p)
	}
}

// Each split is at a value between the examples of its node, and the trees grow until their leaves
// are pure.
func TestExtraTreesLearnByHeart(t *testing.T) {
	x, y := moons(200, 0.2, 3)
	vx, vy := moons(1000, 0.2, 4)
	m := &ensemble.ExtraTrees{Trees: 60, Seed: 1}
	fit(t, m, x, y)
	if a := eval.Accuracy(y, m.Predict(x)); a != 1 {
		t.Errorf("accuracy on the training examples: %v", a)
	}
	one := &tree.DecisionTree{RandomThresholds: true, Seed: 1}
	fit(t, one, x, y)
	if forest, single := eval.Accuracy(vy, m.Predict(vx)), eval.Accuracy(vy, one.Predict(vx)); forest <= single || forest < 0.93 {
		t.Errorf("test accuracy: %v, of one tree %v", forest, single)
	}
}

func TestCombineRefuses(t *testing.T) {
	x, y := moons(40, 0.2, 3)
	for _, c := range []struct {
		m    model.Classifier
		want string
	}{
		{&ensemble.Voting{}, "New must not be empty"},
		{&ensemble.Voting{New: []func() model.Classifier{nil}}, "New[0] must not be nil"},
		{&ensemble.Voting{New: three(), Weights: []float64{1}}, "weights must have 3 entries, got 1"},
		{&ensemble.Stacking{New: three()}, "Final must not be nil"},
		{&ensemble.Stacking{New: three(), Final: logistic, Folds: 100}, "K must be between 2 and 40 (the number of examples), got 100"},
		{&ensemble.ExtraTrees{Trees: -1}, "Trees must not be negative, got -1"},
	} {
		if err := c.m.Fit(x, y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	if err := (&ensemble.StackingRegressor{New: threeRegressors()}).Fit(x, make([]float64, 40)); err == nil || !strings.Contains(err.Error(), "Final must not be nil") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkExtraTrees(b *testing.B) {
	x, y := moons(5000, 0.3, 1)
	for b.Loop() {
		if err := (&ensemble.ExtraTrees{Trees: 20}).Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

// withSkip adds a check that does not apply, with the reason.
func withSkip(skip map[string]string, check, reason string) map[string]string {
	more := maps.Clone(skip)
	more[check] = reason
	return more
}
