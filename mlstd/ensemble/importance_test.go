package ensemble_test

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// importances holds the results that testdata/oracles/importance.py computed with scikit-learn, for
// the data sets and settings of ensemble.json.
type importances struct {
	Classified, Real []struct {
		Name        string
		MinLeaf     float64
		Importances []float64
	}
	NDCG []struct {
		Y, Score []float64
		All, At3 float64
	}
}

func readImportances(t *testing.T) importances {
	t.Helper()
	var o importances
	mltest.ReadOracle(t, "importance", &o)
	if len(o.Classified) < 5 || len(o.Real) < 3 || len(o.NDCG) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// Friedman's importances sum the error reductions of all trees. A mean of fractions would count a
// late tree that reduces almost nothing as much as the first.
func TestOracleBoostedImportances(t *testing.T) {
	sets, want := readOracle(t), readImportances(t)
	for i, o := range slices.Concat(sets.Two, sets.Many) {
		m := &ensemble.GradientBoosting{Rounds: o.Gradient.Rounds, MaxDepth: 2, MinLeaf: want.Classified[i].MinLeaf}
		fit(t, m, data.Rows(o.X), o.Y)
		mltest.NearAll(t, o.Name, m.Importances, want.Classified[i].Importances, 1e-9)
	}
	for i, o := range sets.Real {
		m := &ensemble.GradientBoostingRegressor{Rounds: o.Squared.Rounds, MaxDepth: 2, MinLeaf: want.Real[i].MinLeaf}
		if err := m.Fit(data.Rows(o.X), o.Y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name, m.Importances, want.Real[i].Importances, 1e-9)
	}
}

// Documents with equal scores share their ranks, in whatever order they come.
func TestOracleTiedNDCG(t *testing.T) {
	for _, o := range readImportances(t).NDCG {
		what := fmt.Sprint(o.Y, o.Score)
		mltest.Near(t, what, ensemble.NDCG(o.Y, o.Score, 0), o.All, 1e-12)
		mltest.Near(t, what+" of three", ensemble.NDCG(o.Y, o.Score, 3), o.At3, 1e-12)
		y, s := slices.Clone(o.Y), slices.Clone(o.Score)
		slices.Reverse(y)
		slices.Reverse(s)
		mltest.Near(t, what+" reversed", ensemble.NDCG(y, s, 0), o.All, 1e-12)
	}
}

// fixedVotes predicts fixed votes.
type fixedVotes []int

func (f fixedVotes) Fit(mat.Matrix, []int) error { return nil }
func (f fixedVotes) Predict(x mat.Matrix) []int  { return f }

// Counted by hand: three members of five examples of class 1. Their errors are
// {0, 1}, {1, 2} and {3}; the vote errs on example 1 alone.
func TestDiversityByHand(t *testing.T) {
	members := []model.Classifier{fixedVotes{0, 0, 1, 1, 1}, fixedVotes{1, 0, 0, 1, 1}, fixedVotes{1, 1, 1, 0, 1}}
	d := ensemble.Diversity(members, mat.NewDense(5, 1, nil), []int{1, 1, 1, 1, 1})
	mltest.Near(t, "mean error", d.MemberError, (0.4+0.4+0.2)/3, 1e-12)
	mltest.Near(t, "error of the vote", d.VoteError, 0.2, 1e-12)
	mltest.Near(t, "disagreement", d.Disagreement, (2.0+3+3)/15, 1e-12)
	// The covariances are 0.2 − 0.16 and −0.08, the variances 0.24, 0.24 and 0.16.
	mltest.Near(t, "correlation", d.ErrorCorrelation, (0.04/0.24-2*0.08/0.19595917942265423)/3, 1e-12)
}

// Each of the five ways produces members that err on different examples. If their errors are weakly
// correlated, the vote errs less than the members.
func TestENS04_FiveWays(t *testing.T) {
	x, y := moons(300, 0.3, 3)
	vx, vy := moons(2000, 0.3, 4)
	ways, err := ensemble.WaysToDiversify(x, y, 9, 1)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range ways {
		names = append(names, w.Way)
		d := ensemble.Diversity(w.Members, vx, vy)
		if d.ErrorCorrelation > 0.9 || d.ErrorCorrelation < 0.7 && d.VoteError >= d.MemberError {
			t.Errorf("%s: %+v", w.Way, d)
		}
	}
	if want := []string{"settings", "samples", "weights", "features", "algorithms"}; !slices.Equal(names, want) {
		t.Errorf("got the ways %v, want %v", names, want)
	}
	kinds := map[string]bool{}
	for _, m := range ways[4].Members {
		kinds[fmt.Sprintf("%T", m)] = true
	}
	if len(kinds) != len(ways[4].Members) || len(kinds) < 4 {
		t.Errorf("algorithms: %v", kinds)
	}
	// Callers by reflection pass a list without elements.
	none, err := ensemble.WaysToDiversify(x, y, 2, 1, []func() model.Classifier{}...)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(none[4].Members); n != 5 {
		t.Errorf("%d usual algorithms, want 5", n)
	}
	own, err := ensemble.WaysToDiversify(x, y, 2, 1, func() model.Classifier { return &tree.MajorityClassifier{} })
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := own[4].Members[0].(*tree.MajorityClassifier); !ok || len(own[4].Members) != 1 {
		t.Errorf("an algorithm of one's own: %T", own[4].Members[0])
	}
}

// Bagging lowers the variance of the prediction at a point over training sets: a
// deep tree's answers change with the sample, those of the vote much less.
func TestENS06_VarianceFalls(t *testing.T) {
	points, _ := moons(300, 0.3, 99)
	const samples = 20
	single, bagged := make([]float64, 300), make([]float64, 300)
	for s := range uint64(samples) {
		x, y := moons(120, 0.3, s)
		one, many := &tree.DecisionTree{}, &ensemble.Bagging{New: deepTree, Size: 25, Seed: s}
		fit(t, one, x, y)
		fit(t, many, x, y)
		for i, c := range one.Predict(points) {
			single[i] += float64(c) / samples
		}
		for i, c := range many.Predict(points) {
			bagged[i] += float64(c) / samples
		}
	}
	variance := func(mean []float64) float64 { // of a prediction of 0 or 1, over the points
		sum := 0.0
		for _, p := range mean {
			sum += p * (1 - p) / float64(len(mean))
		}
		return sum
	}
	if v, w := variance(single), variance(bagged); w > 0.75*v || v < 0.03 {
		t.Errorf("variance of one tree %.4f, of the vote %.4f", v, w)
	}
}

// questions lists the nodes of a tree, the leaves with their classes.
func questions(t *tree.DecisionTree) []string {
	var all []string
	t.Root.Walk(func(n *tree.Node) {
		if n.Leaf() {
			all = append(all, fmt.Sprint("class ", n.Class))
			return
		}
		all = append(all, fmt.Sprintf("x%d <= %.12g", n.Feature, n.Threshold))
	})
	return all
}

// For two classes the β form grows the same trees as AdaBoost.
func TestENS10_SameTrees(t *testing.T) {
	x, y := moons(150, 0.3, 7)
	shallow := func() model.Classifier { return &tree.DecisionTree{MaxDepth: 2} }
	a, m := &ensemble.AdaBoost{Rounds: 12, New: shallow}, &ensemble.AdaBoostM1{Rounds: 12, New: shallow}
	fit(t, a, x, y)
	fit(t, m, x, y)
	if len(a.Members) != 12 || len(m.Members) != 12 {
		t.Fatalf("%d and %d members", len(a.Members), len(m.Members))
	}
	for i := range a.Members {
		p, q := a.Members[i].(*tree.DecisionTree), m.Members[i].(*tree.DecisionTree)
		if got, want := questions(q), questions(p); !slices.Equal(got, want) || len(want) < 3 {
			t.Errorf("tree %d:\n%v\n%v", i, got, want)
		}
	}
}
