package ensemble_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/tree"
)

const tol = 1e-12

func deepTree() model.Classifier { return &tree.DecisionTree{} }

func regressionTree() model.Regressor { return &tree.RegressionTree{} }

var (
	sampled     = "which rows a seed draws depends on their order"
	twoTrees    = map[string]string{"row permutation": sampled}
	manyWeights = map[string]string{"row permutation": sampled, "weights": "which rows a seed draws depends on their number"}
)

func TestConformance(t *testing.T) {
	t.Run("Bagging", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &ensemble.Bagging{New: deepTree, Size: 9} }, modeltest.Options{Skip: twoTrees})
	})
	t.Run("BaggingRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &ensemble.BaggingRegressor{New: regressionTree, Size: 9} },
			modeltest.Options{Skip: twoTrees, MinScore: 0.8})
	})
	t.Run("RandomForest", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &ensemble.RandomForest{Trees: 20} }, modeltest.Options{Skip: manyWeights})
	})
	t.Run("RandomForestRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &ensemble.RandomForestRegressor{Trees: 20, MinLeaf: 1} },
			modeltest.Options{Skip: twoTrees, MinScore: 0.7})
	})
	t.Run("AdaBoost", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &ensemble.AdaBoost{Rounds: 10} }, modeltest.Options{Binary: true})
	})
	t.Run("AdaBoostM1", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &ensemble.AdaBoostM1{Rounds: 10, New: func() model.Classifier { return &tree.DecisionTree{MaxDepth: 2} }}
		}, modeltest.Options{})
	})
	t.Run("GradientBoosting", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &ensemble.GradientBoosting{Rounds: 10} }, modeltest.Options{})
	})
	t.Run("GradientBoostingRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &ensemble.GradientBoostingRegressor{Rounds: 80} }, modeltest.Options{MinScore: 0.8})
	})
}

func TestENS01_Votes(t *testing.T) {
	mltest.Near(t, "21 voters", ensemble.MajorityVoteError(21, 0.3), 0.026, 5e-4) // the course gives three digits
	mltest.Near(t, "one", ensemble.MajorityVoteError(1, 0.3), 0.3, tol)
	mltest.Near(t, "two, by a coin", ensemble.MajorityVoteError(2, 0.3), 0.3, tol)
	if ensemble.MajorityVoteError(21, 0.6) < 0.6 {
		t.Error("voters worse than chance gain by voting")
	}
	// 20,000 repeats: three standard errors are below 0.01.
	mltest.Near(t, "independent", ensemble.CorrelatedVoteError(21, 0.3, 0, 20000, 1), 0.026, 0.01)
	mltest.Near(t, "all the same", ensemble.CorrelatedVoteError(21, 0.3, 1, 20000, 1), 0.3, 0.01)
}

// moons are two half circles.
func moons(n int, noise float64, seed uint64) (*mat.Dense, []int) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		y[i] = i % 2
		a := math.Pi * rng.Float64()
		p, q := math.Cos(a), math.Sin(a)
		if y[i] == 1 {
			p, q = 1-p, 0.5-q
		}
		x.SetRow(i, []float64{p + noise*rng.NormFloat64(), q + noise*rng.NormFloat64()})
	}
	return x, y
}

func fit(t *testing.T, m model.Classifier, x mat.Matrix, y []int) {
	t.Helper()
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
}

func TestENS02_IndependentAndDependent(t *testing.T) {
	x, y := moons(200, 0.3, 1)
	vx, vy := moons(2000, 0.3, 2)
	bag := &ensemble.Bagging{New: deepTree, Size: 15}
	fit(t, bag, x, y)
	boost := &ensemble.AdaBoost{Rounds: 15}
	fit(t, boost, x, y)
	parallel, greedy := ensemble.Diversity(bag.Members, vx, vy), ensemble.Diversity(boost.Members, vx, vy)
	// Bagging's members are copies of one learner; boosting aims each new member at the mistakes of
	// the previous members.
	if greedy.ErrorCorrelation >= parallel.ErrorCorrelation {
		t.Errorf("error correlation: boosting %v, bagging %v", greedy.ErrorCorrelation, parallel.ErrorCorrelation)
	}
	if parallel.VoteError >= parallel.MemberError {
		t.Errorf("the vote errs %v, a member %v", parallel.VoteError, parallel.MemberError)
	}
}

func TestENS03_ThreeReasons(t *testing.T) {
	w, err := ensemble.ThreeReasons(1)
	if err != nil {
		t.Fatal(err)
	}
	if w.StatisticalVote >= w.StatisticalSingle || w.ComputationalVote >= w.ComputationalSingle || w.RepresentationalVote >= 0.6*w.RepresentationalSingle {
		t.Errorf("got %+v: a vote does not help", *w)
	}
}

func TestENS04_Diversify(t *testing.T) {
	x, y := moons(300, 0.3, 3)
	ways, err := ensemble.WaysToDiversify(x, y, 9, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(ways) != 5 {
		t.Fatalf("%d ways", len(ways))
	}
	vx, vy := moons(2000, 0.3, 4)
	for _, w := range ways[:4] {
		if d := ensemble.Diversity(w.Members, vx, vy); d.Disagreement <= 0 || len(w.Members) != 9 {
			t.Errorf("%s: members do not differ: %+v", w.Way, d)
		}
	}
}

// E0-50: a bootstrap sample is drawn from the empirical distribution.
func TestENS05_Bootstrap(t *testing.T) {
	mltest.Near(t, "N=5", ensemble.BootstrapCoverage(5), 0.672, 1e-3)
	mltest.Near(t, "N large", ensemble.BootstrapCoverage(1000000), 0.632, 1e-3) // E0-52: in, not out
	sum := 0.0
	for s := range uint64(400) {
		rows := ensemble.BootstrapSample(100, s)
		slices.Sort(rows)
		sum += float64(len(slices.Compact(rows))) / 100
	}
	mltest.Near(t, "simulated", sum/400, ensemble.BootstrapCoverage(100), 0.01)
}

// E0-51: M models, and x and y of the same example.
func TestENS06_Bagging(t *testing.T) {
	vx, vy := moons(3000, 0.3, 99)
	var single, bagged []float64
	for s := range uint64(12) {
		x, y := moons(150, 0.3, s)
		one, many := &tree.DecisionTree{}, &ensemble.Bagging{New: deepTree, Size: 40, Seed: s}
		fit(t, one, x, y)
		fit(t, many, x, y)
		single = append(single, eval.ErrorRate(vy, one.Predict(vx)))
		bagged = append(bagged, eval.ErrorRate(vy, many.Predict(vx)))
		if s == 0 && math.Abs(many.OOBAccuracy-eval.Accuracy(vy, many.Predict(vx))) > 0.08 {
			t.Errorf("out of bag %v, test %v", many.OOBAccuracy, eval.Accuracy(vy, many.Predict(vx)))
		}
	}
	if stat.Mean(bagged, nil) >= stat.Mean(single, nil) || stat.Variance(bagged, nil) >= stat.Variance(single, nil) {
		t.Errorf("errors: single %v ± %v, bagged %v ± %v", stat.Mean(single, nil), stat.StdDev(single, nil), stat.Mean(bagged, nil), stat.StdDev(bagged, nil))
	}
}

// wave is sin(x) with noise.
func wave(n int, seed uint64) (*mat.Dense, []float64) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range y {
		v := 6 * rng.Float64()
		x.Set(i, 0, v)
		y[i] = math.Sin(v) + 0.3*rng.NormFloat64()
	}
	return x, y
}

func TestENS07_BaggingRegressor(t *testing.T) {
	x, y := wave(150, 1)
	vx, vy := wave(2000, 2)
	one, many := &tree.RegressionTree{}, &ensemble.BaggingRegressor{New: regressionTree}
	for _, m := range []model.Regressor{one, many} {
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := eval.MSE(vy, many.Predict(vx)), eval.MSE(vy, one.Predict(vx)); a >= 0.85*b {
		t.Errorf("bagged %v, single %v", a, b)
	}
	// The prediction is the mean of the members'.
	sum := 0.0
	for _, m := range many.Members {
		sum += m.Predict(vx.Slice(0, 1, 0, 1))[0]
	}
	mltest.Near(t, "mean", many.Predict(vx.Slice(0, 1, 0, 1))[0], sum/50, 1e-12)
}

// E3-25: the best of the f drawn features splits.
func TestENS08_Forest(t *testing.T) {
	// E2-23: a fresh subset at each split, so a tree uses more features than one
	// split draws.
	x, y := moons(200, 0.3, 1)
	f := &ensemble.RandomForest{Trees: 5, FeaturesPerSplit: 1}
	fit(t, f, x, y)
	for _, m := range f.Members {
		used := map[int]bool{}
		m.Root.Walk(func(n *tree.Node) {
			if !n.Leaf() {
				used[n.Feature] = true
			}
		})
		if len(used) != 2 {
			t.Errorf("a tree uses %d features", len(used))
		}
	}
	vx, vy := moons(2000, 0.3, 5)
	big := &ensemble.RandomForest{}
	fit(t, big, x, y)
	if d := math.Abs(big.OOBAccuracy - eval.Accuracy(vy, big.Predict(vx))); d > 0.08 {
		t.Errorf("out-of-bag and test accuracy differ by %v", d)
	}
}

// Among equally good splits the first drawn wins, not the first column: three copies of one column
// are equally important.
func TestCopiesOfAColumnMatterAlike(t *testing.T) {
	x, y := moons(200, 0.3, 1)
	copies := mat.NewDense(200, 4, nil)
	for i := range 200 {
		copies.SetRow(i, []float64{x.At(i, 0), x.At(i, 1), x.At(i, 0), x.At(i, 0)})
	}
	f := &ensemble.RandomForest{Trees: 600}
	fit(t, f, copies, y)
	for _, j := range []int{2, 3} {
		// Of 600 trees the standard error is about 0.005.
		mltest.Near(t, "importance of a copy", f.Importances[j], f.Importances[0], 0.025)
	}
}

func TestENS08_ForestRegressor(t *testing.T) {
	x, y := wave(200, 3)
	vx, vy := wave(2000, 4)
	f := &ensemble.RandomForestRegressor{}
	if err := f.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if r := eval.R2(vy, f.Predict(vx)); r < 0.75 {
		t.Errorf("R2 %v", r)
	}
}

// right predicts 1 for the x of the listed rows and 0 elsewhere: a weak learner for the test.
type fixed struct{ answers []int }

func (f *fixed) Fit(mat.Matrix, []int) error { return nil }

func (f *fixed) FitWeighted(mat.Matrix, []int, []float64) error { return nil }

func (f *fixed) Predict(mat.Matrix) []int { return f.answers }

// E0-56: the prediction is the sign of the weighted sum.
func TestENS09_AdaBoostStudy(t *testing.T) {
	// Five examples, all of class 1; the first member is right on 1, 3, 5. A sixth, of class 0, is
	// there because a learner needs two classes; its weight is negligible.
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	y := []int{1, 1, 1, 1, 1, 0}
	w := []float64{1, 1, 1, 1, 1, 1e-12}
	a := &ensemble.AdaBoost{Rounds: 2, New: func() model.Classifier { return &fixed{[]int{1, 0, 1, 0, 1, 0}} }}
	if err := a.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "error", a.Trace.Error[0], 0.4, 1e-9)
	mltest.Near(t, "alpha", a.Alpha[0], 0.2027, 1e-3)
	// The second round starts from the new weights; its member, the same, then errs
	// on exactly half (E0-55), and boosting stops.
	if len(a.Alpha) != 1 {
		t.Errorf("%d members; want the second one refused", len(a.Alpha))
	}
	for i, c := range a.Predict(x) {
		if want := []int{1, 0, 1, 0, 1, 0}[i]; c != want || (a.Decision(x).At(i, 0) > 0) != (want == 1) {
			t.Errorf("question %d: got %d with the sum %v, want %d", i+1, c, a.Decision(x).At(i, 0), want)
		}
	}
	b := &ensemble.AdaBoost{Rounds: 2, New: other()}
	if err := b.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "weights", b.Trace.Weights[1][:5], []float64{1. / 6, 1. / 4, 1. / 6, 1. / 4, 1. / 6}, 1e-9)
	mltest.Near(t, "the old member's error on the new weights", b.Trace.Weights[1][1]+b.Trace.Weights[1][3], 0.5, 1e-9)
}

// other returns a first member that errs on 2 and 4 and then one that errs on 1.
func other() func() model.Classifier {
	calls := 0
	return func() model.Classifier {
		calls++
		if calls <= 2 { // one model is made to inspect its type
			return &fixed{[]int{1, 0, 1, 0, 1, 0}}
		}
		return &fixed{[]int{0, 1, 1, 1, 1, 0}}
	}
}

func TestENS10_SameMembers(t *testing.T) {
	x, y := moons(150, 0.3, 7)
	a, m := &ensemble.AdaBoost{Rounds: 12}, &ensemble.AdaBoostM1{Rounds: 12}
	fit(t, a, x, y)
	fit(t, m, x, y)
	mltest.NearAll(t, "errors", m.Trace.Error, a.Trace.Error, 1e-9)
	for i := range a.Alpha {
		mltest.Near(t, "say", m.Say[i], 2*a.Alpha[i], 1e-9)
	}
	if !slices.Equal(a.Predict(x), m.Predict(x)) {
		t.Error("the two forms predict differently")
	}
	hopeless := &ensemble.AdaBoostM1{New: func() model.Classifier { return &fixed{make([]int, 150)} }}
	bad := slices.Repeat([]int{1}, 150)
	bad[0] = 0
	if err := hopeless.Fit(x, bad); err == nil {
		t.Error("a base classifier that errs on almost all was accepted")
	}
}

// E2-24: the step of one member is ½ log(W₊/W₋) of its own sums.
func TestENS11_ExponentialLoss(t *testing.T) {
	x, y := moons(150, 0.3, 8)
	a := &ensemble.AdaBoost{Rounds: 25}
	fit(t, a, x, y)
	loss := 1.0
	for m, eps := range a.Trace.Error {
		loss *= 2 * math.Sqrt(eps*(1-eps))
		mltest.Near(t, "loss", a.Trace.Loss[m], loss, 1e-9)
		// theta = 1/2 log(W+/W-) minimizes along the coordinate.
		mltest.Near(t, "step", a.Alpha[m], math.Log((1-eps)/eps)/2, 1e-9)
	}
	// The first step against a numerical line search on the exponential loss.
	one := &ensemble.AdaBoost{Rounds: 1}
	fit(t, one, x, y)
	pred := one.Members[0].Predict(x)
	f := func(p []float64) float64 {
		s := 0.0
		for i, c := range pred {
			s += math.Exp(-float64(2*y[i]-1) * p[0] * float64(2*c-1))
		}
		return s
	}
	cd := optim.CoordinateDescent{}
	best, err := cd.Minimize(f, []float64{0})
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "line search", one.Alpha[0], best.X[0], 1e-5)
}

func TestENS12_Resampling(t *testing.T) {
	x, y := moons(200, 0.3, 9)
	byWeights, bySample := &ensemble.AdaBoost{Rounds: 10}, &ensemble.AdaBoost{Rounds: 10, Resample: true, Oversize: 50}
	fit(t, byWeights, x, y)
	fit(t, bySample, x, y)
	// A sample 50 times as large stands for the distribution.
	mltest.Near(t, "first error", bySample.Trace.Error[0], byWeights.Trace.Error[0], 0.02)
	if e := eval.ErrorRate(y, bySample.Predict(x)); e > 0.15 {
		t.Errorf("training error %v", e)
	}
}

// E0-53: weak learning: error at most ½ − γ with probability 1 − δ for every distribution.
func TestENS13_BoostingTheorem(t *testing.T) {
	x, y := moons(200, 0.15, 10)
	a := &ensemble.AdaBoost{Rounds: 60}
	fit(t, a, x, y)
	for m := range a.Trace.Error {
		product, exponential := ensemble.BoostingBound(a.Trace.Error[:m+1])
		if a.Trace.Training[m] > product+1e-9 || product > exponential+1e-9 {
			t.Fatalf("round %d: training error %v, bounds %v, %v", m, a.Trace.Training[m], product, exponential)
		}
		mltest.Near(t, "traced bound", a.Trace.Bound[m], product, 1e-9)
	}
	if r := ensemble.RoundsToStrong(1000, 0.1); math.Exp(-2*float64(r)*0.01) >= 1.0/1000 {
		t.Errorf("%d rounds are not enough", r)
	}
	// E0-54: Schapire's way of 1990, majorities of three of majorities of three, is
	// polynomial too: half the γ takes two levels more at most. AdaBoost, the first
	// practical way, needs far fewer learners.
	schapire := func(gamma float64) float64 {
		learners := 1.0
		for err := 0.5 - gamma; err >= 1.0/1000; learners *= 3 {
			better := ensemble.MajorityVoteError(3, err)
			if better >= err {
				t.Fatalf("the majority of three errs with %v, one with %v", better, err)
			}
			err = better
		}
		return learners
	}
	for gamma := 0.2; gamma > 0.01; gamma /= 2 {
		if growth := schapire(gamma/2) / schapire(gamma); growth > 9 {
			t.Errorf("half of γ = %v takes %v times the learners", gamma, growth)
		}
		if r := float64(ensemble.RoundsToStrong(1000, gamma)); r > schapire(gamma) {
			t.Errorf("γ = %v: AdaBoost takes %v rounds, Schapire's way %v learners", gamma, r, schapire(gamma))
		}
	}
}

func TestENS14_Margins(t *testing.T) {
	x, y := moons(200, 0.15, 11)
	vx, vy := moons(3000, 0.15, 12)
	a := &ensemble.AdaBoost{Rounds: 400, New: func() model.Classifier { return &tree.DecisionTree{MaxDepth: 3} }}
	fit(t, a, x, y)
	zero := slices.Index(a.Trace.Training, 0)
	if zero < 0 || zero > 100 {
		t.Fatalf("training error 0 after round %d", zero)
	}
	early := &ensemble.AdaBoost{Rounds: zero + 1, New: a.New}
	fit(t, early, x, y)
	if late, first := slices.Min(a.Margins(x, y)), slices.Min(early.Margins(x, y)); late <= first {
		t.Errorf("least margin %v, at training error zero %v", late, first)
	}
	test := a.StagedError(vx, vy)
	if end := test[len(test)-1]; end > test[zero]+0.01 {
		t.Errorf("test error %v at the end, %v when the training error reached zero", end, test[zero])
	}
}

// E2-25: the residual is y − F.
func TestENS15_GradientBoosting(t *testing.T) {
	x, y := mat.NewDense(3, 1, []float64{1, 2, 3}), []float64{1, 2, 6}
	g := &ensemble.GradientBoostingRegressor{Rounds: 1, Rate: 1, MaxDepth: 2}
	if err := g.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "F0", g.Start, 3, tol)
	// One full tree repeats the residuals (−2, −1, 3): E2-26, the negative gradient.
	mltest.NearAll(t, "after one tree", g.Predict(x), y, 1e-12)
	mltest.NearAll(t, "before it", g.PredictAt(x, 0), []float64{3, 3, 3}, tol)
	// E2-27: F(xᵢ) is a variable of the minimization, by which the loss is
	// differentiated: what the tree learns is minus that derivative.
	half, h := optim.SquaredLoss{}, 1e-6
	for i, after := range g.PredictAt(x, 1) {
		slope := (half.Value(y[i], g.Start+h) - half.Value(y[i], g.Start-h)) / (2 * h)
		mltest.Near(t, "negative gradient", after-g.Start, -slope, 1e-8)
	}
}

func TestENS16_RobustLosses(t *testing.T) {
	x, y := wave(300, 5)
	for i := 0; i < 300; i += 12 {
		y[i] += 30
	}
	clean, truth := mat.NewDense(100, 1, nil), make([]float64, 100)
	for i := range truth {
		clean.Set(i, 0, 0.05+float64(i)*0.059)
		truth[i] = math.Sin(clean.At(i, 0))
	}
	errs := map[ensemble.RegressionLoss]float64{}
	for _, l := range []ensemble.RegressionLoss{ensemble.SquaredError, ensemble.AbsoluteError, ensemble.HuberError} {
		g := &ensemble.GradientBoostingRegressor{Loss: l, MinLeaf: 10, Rounds: 150}
		if err := g.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		errs[l] = eval.MSE(truth, g.Predict(clean))
		if !slices.IsSortedFunc(g.Trace.Loss[:20], func(a, b float64) int {
			if a > b+1e-9 && l != ensemble.HuberError { // delta changes from round to round
				return -1
			}
			return 0
		}) {
			t.Errorf("%s: the loss rises: %v", l, g.Trace.Loss[:20])
		}
	}
	if errs[ensemble.AbsoluteError] > errs[ensemble.SquaredError]/5 || errs[ensemble.HuberError] > errs[ensemble.SquaredError]/2 {
		t.Errorf("mean squared error away from the outliers: %v", errs)
	}
}

func TestENS17_Shrinkage(t *testing.T) {
	x, y := wave(200, 6)
	vx, vy := wave(3000, 7)
	test := func(rate float64) float64 {
		g := &ensemble.GradientBoostingRegressor{Rate: rate, Rounds: 100}
		if err := g.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		return eval.MSE(vy, g.Predict(vx))
	}
	if slow, fast := test(0.1), test(1); slow >= fast {
		t.Errorf("nu = 0.1: %v, nu = 1: %v", slow, fast)
	}
}

func TestENS18_Classification(t *testing.T) {
	// Letters start uniform: KL = log 26.
	rng := model.Rand(1, 0)
	x, y := mat.NewDense(260, 4, nil), make([]int, 260)
	for i := range y {
		y[i] = i % 26
		x.SetRow(i, []float64{float64(y[i]%5) + 0.1*rng.NormFloat64(), float64(y[i]/5) + 0.1*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
	}
	g := &ensemble.GradientBoosting{Rounds: 8, Rate: 0.5, Uniform: true}
	fit(t, g, x, y)
	mltest.Near(t, "start", g.Trace.Loss[0], math.Log(26), 1e-12)
	if g.Trace.Loss[8] > g.Trace.Loss[0]/4 || len(g.Members) != 26 {
		t.Errorf("divergence %v, %d models", g.Trace.Loss, len(g.Members))
	}
}

func TestENS19_Ranking(t *testing.T) {
	rng := model.Rand(2, 0)
	docs := func(queries int) (*mat.Dense, []float64, []int) {
		n := queries * 12
		x, y, q := mat.NewDense(n, 4, nil), make([]float64, n), make([]int, n)
		for i := range n {
			q[i] = i / 12
			row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			x.SetRow(i, row)
			s := row[0] + row[1]*row[1] - 1 + 0.3*rng.NormFloat64()
			y[i] = math.Min(3, math.Max(0, math.Round(s+0.5)))
		}
		return x, y, q
	}
	x, y, q := docs(60)
	vx, vy, vq := docs(60)
	ndcg := func(s []float64) float64 {
		total := 0.0
		for i := 0; i < len(vq); i += 12 {
			total += ensemble.NDCG(vy[i:i+12], s[i:i+12], 5) / 60
		}
		return total
	}
	random := ndcg(make([]float64, len(vy)))
	for _, pairwise := range []bool{false, true} {
		g := &ensemble.GradientBoostingRanker{Rounds: 60, Pairwise: pairwise, At: 5}
		if err := g.FitQueries(x, y, q); err != nil {
			t.Fatal(err)
		}
		if got := ndcg(g.Predict(vx)); got < random+0.2 {
			t.Errorf("pairwise %v: NDCG@5 %v, unordered %v", pairwise, got, random)
		}
		if g.Trace.Loss[59] >= g.Trace.Loss[0] {
			t.Error("the NDCG on the training queries does not rise")
		}
	}
	if err := (&ensemble.GradientBoostingRanker{}).FitQueries(x, make([]float64, len(y)), q); err == nil {
		t.Error("documents without an order were accepted")
	}
}

func benchData(n, p int) (*mat.Dense, []int) {
	rng := model.Rand(1, 0)
	x, y := mat.NewDense(n, p, nil), make([]int, n)
	for i := range n {
		row, s := x.RawRowView(i), 0.5*rng.NormFloat64()
		for j := range row {
			row[j] = rng.NormFloat64()
			if j < 6 {
				s += row[j] * row[(j+1)%6]
			}
		}
		if s > 0 {
			y[i] = 1
		}
	}
	return x, y
}

func BenchmarkRandomForest(b *testing.B) {
	x, y := benchData(20000, 30)
	for b.Loop() {
		f := &ensemble.RandomForest{Trees: 10}
		if err := f.Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGradientBoosting(b *testing.B) {
	x, y := benchData(20000, 30)
	for b.Loop() {
		g := &ensemble.GradientBoosting{Rounds: 10}
		if err := g.Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func TestParametersThatCannotBe(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{0, 1, 2, 3}
	for name, err := range map[string]error{
		"infinite rate":      (&ensemble.GradientBoostingRegressor{Rate: math.Inf(1)}).Fit(x, y),
		"negative relevance": (&ensemble.GradientBoostingRanker{}).FitQueries(x, []float64{-1, 0, 1, 2}, []int{1, 1, 1, 1}),
		"endless relevance":  (&ensemble.GradientBoostingRanker{}).FitQueries(x, []float64{2000, 0, 1, 2}, []int{1, 1, 1, 1}),
	} {
		if err == nil || strings.Contains(err.Error(), "RegressionTree") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
