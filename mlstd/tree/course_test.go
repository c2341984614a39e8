package tree_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func mustFit(t *testing.T, m *tree.DecisionTree, x mat.Matrix, y []int) *tree.DecisionTree {
	t.Helper()
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	return m
}

func gains(t *testing.T, d *data.Dataset) map[string]tree.FeatureGain {
	t.Helper()
	table, err := tree.ScoreFeatures(d.X, d.Y)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]tree.FeatureGain{}
	for _, f := range table {
		byName[f.Feature] = f
	}
	return byName
}

// four is the tolerance of values that the catalogue gives with four decimals.
const four = 5e-5

func accuracy(m model.Classifier, x mat.Matrix, y []int) float64 {
	right := 0
	for i, c := range m.Predict(x) {
		if c == y[i] {
			right++
		}
	}
	return float64(right) / float64(len(y))
}

func TestTREE01_Greedy(t *testing.T) {
	d := data.SunnyWindy()
	for _, c := range []tree.Criterion{tree.InformationGain, tree.GainRatio, tree.Gini, tree.TrainingAccuracy} {
		m := mustFit(t, &tree.DecisionTree{Criterion: c}, d.X, d.Y)
		if m.Root.Question != "sunny" {
			t.Errorf("%v: the root asks %q, want sunny", c, m.Root.Question)
		}
	}
}

func TestTREE02_TrainingAccuracy(t *testing.T) {
	g := gains(t, data.SunnyWindy())
	mltest.Near(t, "sunny", g["sunny"].Accuracy, 0.75, 1e-12)
	mltest.Near(t, "windy", g["windy"].Accuracy, 0.625, 1e-12)
	// On the days that were not sunny, "windy?" changes no guess. The difference of the sums is not
	// zero, but the gain is.
	d := data.SunnyWindy()
	m := mustFit(t, &tree.DecisionTree{Criterion: tree.TrainingAccuracy}, d.X, d.Y)
	mltest.Near(t, "gain of a question without one", m.Root.Children[0].Gain, 0, 0)
}

func TestTREE03_Majority(t *testing.T) {
	d := data.SunnyWindy()
	m := &tree.MajorityClassifier{}
	if err := m.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "accuracy", accuracy(m, d.X, d.Y), 5.0/8, 1e-12)
	mltest.Near(t, "P(play)", m.PredictProba(d.X).At(0, 1), 5.0/8, 1e-12)
}

func TestTREE04_InformationGain(t *testing.T) {
	// E3-01, E3-02: H(Y|X) weights the entropies of the branches by their fractions, and entropies
	// are positive; E2-22: the largest gain is the best.
	mltest.Near(t, "H(play)", tree.ClassEntropy(3, 5), 0.9544, four)
	g := gains(t, data.SunnyWindy())
	mltest.Near(t, "sunny", g["sunny"].Gain, 0.1589, four)
	mltest.Near(t, "windy", g["windy"].Gain, 0.0488, four)
	g = gains(t, data.PlayTennis())
	for name, want := range map[string]float64{"Outlook": 0.2467, "Humidity": 0.1518, "Wind": 0.0481, "Temperature": 0.0292} {
		mltest.Near(t, name, g[name].Gain, want, four)
	}
	mltest.Near(t, "two coins", gains(t, data.TwoCoins())["A"].Gain, 0.3113, four)
}

func TestTREE05_Gini(t *testing.T) {
	// E3-03: of the classes, 1 − Σp², not of the feature; 2p(1−p) for two.
	mltest.Near(t, "root", tree.GiniImpurity(3, 5), 0.46875, 1e-12)
	mltest.Near(t, "two classes", tree.GiniImpurity(3, 5), 2*3.0/8*5/8, 1e-12)
	g := gains(t, data.SunnyWindy())
	mltest.Near(t, "sunny", g["sunny"].Gini, 0.1021, four)
	mltest.Near(t, "windy", g["windy"].Gini, 0.03125, 1e-12)
	d := data.SunnyWindy()
	m := mustFit(t, &tree.DecisionTree{Criterion: tree.Gini}, d.X, d.Y)
	mltest.Near(t, "gain at the root", m.Root.Gain, 0.1021, four)
}

func TestTREE06_GainRatio(t *testing.T) {
	d := data.PlayTennis()
	g := gains(t, d)
	for name, want := range map[string]float64{"Outlook": 0.1564, "Humidity": 0.1518, "Wind": 0.0488, "Temperature": 0.0188} {
		mltest.Near(t, name, g[name].GainRatio, want, four)
	}
	// E3-04: the logarithm is of the fraction of the examples, summed over the branches.
	mltest.Near(t, "split information of Wind", g["Wind"].SplitInfo, -8.0/14*math.Log2(8.0/14)-6.0/14*math.Log2(6.0/14), 1e-12)
	// A column that numbers the days has the largest gain, all of H(Y), though it says nothing
	// about other days; its gain ratio is H(Y) divided by log2 14.
	n := d.Len()
	x := mat.NewDense(n, 5, nil)
	x.Slice(0, n, 0, 4).(*mat.Dense).Copy(d.X)
	for i := range n {
		x.Set(i, 4, float64(i))
	}
	withID := &model.Table{Dense: x, Columns: append(append([]model.Column(nil), d.X.Columns...), model.Column{Name: "Day", Kind: model.Nominal})}
	m := mustFit(t, &tree.DecisionTree{}, withID, d.Y)
	if m.Root.Question != "Day" {
		t.Errorf("by gain the root asks %q, want Day", m.Root.Question)
	}
	mltest.Near(t, "gain of Day", m.Root.Gain, 0.9403, four)
	mltest.Near(t, "ratio of Day", m.Gains[0].GainRatio, 0.9403/math.Log2(14), four)
}

func TestTREE07_DepthLimit(t *testing.T) {
	// The two coins are independent. On more tosses, the rule that four tosses suggest is right
	// half of the time, and a tree without a split is not worse.
	d := data.TwoCoins()
	m := mustFit(t, &tree.DecisionTree{}, d.X, d.Y)
	mltest.Near(t, "training accuracy", accuracy(m, d.X, d.Y), 0.75, 1e-12)
	all := data.Rows([][]float64{{0}, {0}, {1}, {1}})
	mltest.Near(t, "true accuracy", accuracy(m, all, []int{0, 1, 0, 1}), 0.5, 1e-12)

	train, test := data.BreastCancer().Split(0.5, 1)
	last := 0.0
	for depth := 1; depth <= 6; depth++ {
		m := mustFit(t, &tree.DecisionTree{MaxDepth: depth}, train.X, train.Y)
		if m.Depth() > depth {
			t.Errorf("MaxDepth %d: depth %d", depth, m.Depth())
		}
		a := accuracy(m, train.X, train.Y)
		if a < last {
			t.Errorf("depth %d: training accuracy fell from %v to %v", depth, last, a)
		}
		last = a
		if test := accuracy(m, test.X, test.Y); depth == 6 && test >= last {
			t.Errorf("depth 6: test accuracy %v is not below training accuracy %v", test, last)
		}
	}
}

func TestTREE08_ChiSquare(t *testing.T) {
	chi2, p := tree.ChiSquareSplit([][]float64{{2, 1}, {0, 1}})
	mltest.Near(t, "χ²", chi2, 1.333, 5e-4)
	mltest.Near(t, "p", p, 0.248, 5e-4)
	d := data.TwoCoins()
	m := mustFit(t, &tree.DecisionTree{Significance: 0.05}, d.X, d.Y)
	if !m.Root.Leaf() {
		t.Errorf("the two coins were split:\n%v", m)
	}
	m = mustFit(t, &tree.DecisionTree{}, d.X, d.Y)
	m.PruneChiSquare(0.05)
	if !m.Root.Leaf() {
		t.Errorf("the two coins were not pruned:\n%v", m)
	}
	// Stopping early loses exclusive or, pruning afterwards does not.
	xor := repeat(data.XOR(), 10)
	if m := mustFit(t, &tree.DecisionTree{Significance: 0.05}, xor.X, xor.Y); !m.Root.Leaf() {
		t.Error("stopping early saw something in a single feature of exclusive or")
	}
	m = mustFit(t, &tree.DecisionTree{}, xor.X, xor.Y)
	m.PruneChiSquare(0.05)
	mltest.Near(t, "accuracy of the pruned tree on exclusive or", accuracy(m, xor.X, xor.Y), 1, 0)
}

func repeat(d *data.Dataset, k int) *data.Dataset {
	var rows []int
	for range k {
		for i := range d.Len() {
			rows = append(rows, i)
		}
	}
	return d.Subset(rows)
}

func TestTREE09_ReducedError(t *testing.T) {
	for seed := range uint64(5) {
		train, rest := data.BreastCancer().Split(0.5, seed)
		tune, test := rest.Split(0.5, seed)
		m := mustFit(t, &tree.DecisionTree{}, train.X, train.Y)
		before, leaves := accuracy(m, tune.X, tune.Y), m.Leaves()
		if err := m.PruneReducedError(tune.X, tune.Y); err != nil {
			t.Fatal(err)
		}
		if after := accuracy(m, tune.X, tune.Y); after < before {
			t.Errorf("seed %d: accuracy on the tuning set fell from %v to %v", seed, before, after)
		}
		if m.Leaves() >= leaves {
			t.Errorf("seed %d: nothing was pruned of %d leaves", seed, leaves)
		}
		if a := accuracy(m, test.X, test.Y); a < 0.85 {
			t.Errorf("seed %d: test accuracy of the pruned tree is %v", seed, a)
		}
	}
}

func TestTREE10_Lookahead(t *testing.T) {
	d := data.XOR()
	greedy := mustFit(t, &tree.DecisionTree{}, d.X, d.Y)
	mltest.Near(t, "greedy gain", greedy.Root.Gain, 0, 0)
	m := mustFit(t, &tree.DecisionTree{Lookahead: 1}, d.X, d.Y)
	mltest.Near(t, "gain with lookahead", m.Root.LookaheadGain, 1, 1e-12)

	// Two features determine the class together, and a third is slightly informative by itself. The
	// greedy tree splits on the third first, lookahead does not.
	rng := model.Rand(5, 0)
	n := 200
	x := mat.NewDense(n, 3, nil)
	y := make([]int, n)
	for i := range n {
		a, b := rng.Float64(), rng.Float64()
		x.SetRow(i, []float64{a, b, 0})
		if (a > 0.5) != (b > 0.5) {
			y[i] = 1
		}
		if rng.Float64() < 0.65 {
			x.Set(i, 2, float64(y[i]))
		} else {
			x.Set(i, 2, float64(1-y[i]))
		}
	}
	greedy = mustFit(t, &tree.DecisionTree{MaxDepth: 2}, x, y)
	ahead := mustFit(t, &tree.DecisionTree{MaxDepth: 2, Lookahead: 1}, x, y)
	if greedy.Root.Feature != 2 || ahead.Root.Feature == 2 {
		t.Errorf("the roots ask for features %d (greedy) and %d (ahead), want 2 and another", greedy.Root.Feature, ahead.Root.Feature)
	}
	if g, a := accuracy(greedy, x, y), accuracy(ahead, x, y); a < g+0.1 {
		t.Errorf("accuracy: greedy %v, ahead %v; want ahead to be clearly better", g, a)
	}
}

func TestTREE11_Thresholds(t *testing.T) {
	values := []float64{40, 48, 60, 72, 80, 90}
	y := []int{0, 0, 1, 1, 1, 0}
	if diff := cmp.Diff([]float64{54, 85}, tree.CandidateThresholds(values, y)); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
	m := mustFit(t, &tree.DecisionTree{}, mat.NewDense(6, 1, values), y)
	mltest.Near(t, "threshold", m.Root.Threshold, 54, 0)
	// A value whose examples differ in class has a candidate threshold on both sides.
	if diff := cmp.Diff([]float64{1.5, 2.5}, tree.CandidateThresholds([]float64{1, 2, 2, 3}, []int{0, 0, 1, 1})); diff != "" {
		t.Errorf("candidates with ties (-want +got):\n%s", diff)
	}
}

// withMissing is PlayTennis with the outlook of the twelfth day not known, as in
// Quinlan (1993), §3.1.
func withMissing() *data.Dataset {
	d := data.PlayTennis()
	d.X.Set(11, 0, math.NaN())
	return d
}

func TestTREE12_MostCommonValue(t *testing.T) {
	d := withMissing()
	// Among all 13 known days sunny and rain are equally common (5), so sunny, the
	// first, is taken. Among the 8 days on which tennis was played overcast and
	// rain lead with 3, so overcast is taken, which is the true value.
	m := mustFit(t, &tree.DecisionTree{Missing: tree.MostCommonValue, MaxDepth: 1}, d.X, d.Y)
	if diff := cmp.Diff([]float64{3, 3}, m.Root.Children[0].Counts); diff != "" {
		t.Errorf("sunny, most common value (-want +got):\n%s", diff)
	}
	m = mustFit(t, &tree.DecisionTree{Missing: tree.MostCommonInClass, MaxDepth: 1}, d.X, d.Y)
	if diff := cmp.Diff([]float64{0, 4}, m.Root.Children[1].Counts); diff != "" {
		t.Errorf("overcast, most common in the class (-want +got):\n%s", diff)
	}
	// In prediction a missing outlook is sunny.
	row := mat.NewDense(1, 4, []float64{math.NaN(), 1, 0, 1})
	mltest.Near(t, "P(no) of an unknown outlook", m.PredictProba(row).At(0, 0), 3.0/5, 1e-12)

	var e *model.Error
	err := (&tree.DecisionTree{}).Fit(d.X, d.Y)
	if !errors.As(err, &e) || !strings.Contains(err.Error(), `x[11][0], "Outlook", must be finite, got NaN; set Missing`) {
		t.Errorf("a missing value with the default policy: got %v", err)
	}

	// A numeric column takes the median, 2 of 1, 2, 9.
	x := mat.NewDense(4, 1, []float64{1, 2, 9, math.NaN()})
	r := &tree.RegressionTree{Missing: tree.MostCommonValue, MaxDepth: 1}
	if err := r.Fit(x, []float64{0, 0, 6, 0}); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "value of a missing feature", r.Predict(mat.NewDense(1, 1, []float64{math.NaN()}))[0], 0, 1e-12)
}

// Quinlan (1993), §3.1 works this example out: gain 13/14 · (0.961 − 0.747) = 0.199, split
// information 1.809, ratio 0.110; the divided day weighs 5/13 in the sunny branch, 3/13 in the
// overcast branch and 5/13 in the rain branch.
func TestTREE13_FractionalExamples(t *testing.T) {
	d := withMissing()
	g := gains(t, d)["Outlook"]
	mltest.Near(t, "gain", g.Gain, 0.199, 5e-4)
	mltest.Near(t, "split information", g.SplitInfo, 1.809, 5e-4)
	mltest.Near(t, "gain ratio", g.GainRatio, 0.110, 5e-4)
	m := mustFit(t, &tree.DecisionTree{Missing: tree.FractionalExamples}, d.X, d.Y)
	if m.Root.Question != "Outlook" {
		t.Fatalf("the root asks %q, want Outlook", m.Root.Question)
	}
	mltest.Near(t, "gain at the root", m.Root.Gain, 0.199, 5e-4)
	for k, want := range []float64{5 + 5.0/13, 3 + 3.0/13, 5 + 5.0/13} {
		mltest.Near(t, "weight of "+m.Root.Answers[k], m.Root.Children[k].Weight, want, 1e-12)
	}
	m.Root.Walk(func(n *tree.Node) {
		if n.Leaf() {
			return
		}
		total := 0.0
		for _, ch := range n.Children {
			total += ch.Weight
		}
		mltest.Near(t, "weight below "+n.Question, total, n.Weight, 1e-12)
	})

	// Many missing values, numeric and nominal: at every level the fractions of
	// the examples sum to the examples, and so do the probabilities.
	rng := model.Rand(9, 0)
	iris := data.Iris()
	for i := range iris.Len() {
		for j := range 4 {
			if rng.Float64() < 0.2 {
				iris.X.Set(i, j, math.NaN())
			}
		}
	}
	m = mustFit(t, &tree.DecisionTree{Missing: tree.FractionalExamples, MaxDepth: 4}, iris.X, iris.Y)
	m.Root.Walk(func(n *tree.Node) {
		total := 0.0
		for _, ch := range n.Children {
			total += ch.Weight
		}
		if !n.Leaf() && math.Abs(total-n.Weight) > 1e-9 {
			t.Errorf("%s: the parts weigh %v, the whole %v", n.Question, total, n.Weight)
		}
	})
	p := m.PredictProba(iris.X)
	for i := range iris.Len() {
		mltest.Near(t, "Σ p", mat.Sum(p.RowView(i)), 1, 1e-12)
	}
	if a := accuracy(m, iris.X, iris.Y); a < 0.9 {
		t.Errorf("accuracy with a fifth of the values missing: %v", a)
	}
	best := mustFit(t, &tree.DecisionTree{Missing: tree.FractionalExamples, MaxLeaves: 4}, iris.X, iris.Y)
	if best.Leaves() != 4 {
		t.Errorf("best first: %d leaves, want 4", best.Leaves())
	}
}

func TestTREE14_Probability(t *testing.T) {
	d := data.SunnyWindy()
	m := mustFit(t, &tree.DecisionTree{MaxDepth: 1}, d.X, d.Y)
	row := data.Rows([][]float64{{0, 0}})
	mltest.Near(t, "P(play | not sunny)", m.PredictProba(row).At(0, 1), 0.8, 1e-12)
	m = mustFit(t, &tree.DecisionTree{MaxDepth: 1, Smoothing: 1}, d.X, d.Y)
	mltest.Near(t, "smoothed", m.PredictProba(row).At(0, 1), 5.0/7, 1e-12)
}

func TestTREE15_Rules(t *testing.T) {
	for _, d := range []*data.Dataset{data.PlayTennis(), data.Iris(), data.Wine()} {
		m := mustFit(t, &tree.DecisionTree{}, d.X, d.Y)
		rules := m.Rules()
		if len(rules) != m.Leaves() {
			t.Errorf("%s: %d rules for %d leaves", d.Name, len(rules), m.Leaves())
		}
		for i, c := range m.Predict(d.X) {
			held := 0
			for _, r := range rules {
				if r.Holds(d.X.RawRowView(i)) {
					held++
					if r.Class != c {
						t.Errorf("%s row %d: the rule %q says %d, the tree %d", d.Name, i, r, r.Class, c)
					}
				}
			}
			if held != 1 {
				t.Errorf("%s row %d: %d rules hold, want 1", d.Name, i, held)
			}
		}
	}
}

func TestTREE16_XOR(t *testing.T) {
	// E0-11: the greedy choice sees nothing, and a tree of depth 2 is right anyway.
	for name, g := range gains(t, data.XOR()) {
		mltest.Near(t, "gain of "+name, g.Gain, 0, 0)
	}
	d := data.XOR()
	m := mustFit(t, &tree.DecisionTree{}, d.X, d.Y)
	mltest.Near(t, "accuracy", accuracy(m, d.X, d.Y), 1, 0)
	if m.Depth() != 2 {
		t.Errorf("depth %d, want 2", m.Depth())
	}
}

func TestTREE17_Inconsistent(t *testing.T) {
	x := data.Rows([][]float64{{0, 1}, {0, 1}, {1, 1}, {1, 0}, {0, 0}})
	m := mustFit(t, &tree.DecisionTree{}, x, []int{0, 1, 1, 0, 1})
	mltest.Near(t, "accuracy with one inconsistent pair of five", accuracy(m, x, []int{0, 1, 1, 0, 1}), 0.8, 1e-12)
	m = mustFit(t, &tree.DecisionTree{}, x, []int{1, 1, 1, 0, 1})
	mltest.Near(t, "accuracy without", accuracy(m, x, []int{1, 1, 1, 0, 1}), 1, 0)
	for _, d := range []*data.Dataset{data.Digits(), data.BreastCancer(), data.Wine()} {
		for _, c := range []tree.Criterion{tree.InformationGain, tree.Gini, tree.TrainingAccuracy} {
			m := mustFit(t, &tree.DecisionTree{Criterion: c}, d.X, d.Y)
			mltest.Near(t, d.Name+" "+c.String(), accuracy(m, d.X, d.Y), 1, 0)
		}
	}
}

func TestTREE18_Splits(t *testing.T) {
	rng := model.Rand(6, 0)
	x := mat.NewDense(200, 6, nil)
	y := make([]int, 200)
	for i := range y {
		for j := range 6 {
			x.Set(i, j, float64(rng.IntN(2)))
		}
		y[i] = rng.IntN(2)
	}
	if m := mustFit(t, &tree.DecisionTree{}, x, y); m.Depth() > 6 {
		t.Errorf("depth %d with 6 binary features", m.Depth())
	}
	d := data.PlayTennis()
	for _, tt := range []struct {
		split    tree.NominalSplit
		children int
	}{{tree.Multiway, 3}, {tree.BinarySubset, 2}, {tree.OneLevel, 2}} {
		m := mustFit(t, &tree.DecisionTree{Nominal: tt.split}, d.X, d.Y)
		if len(m.Root.Children) != tt.children || m.Root.Question != "Outlook" {
			t.Errorf("split %d: the root asks %q with %v", tt.split, m.Root.Question, m.Root.Answers)
		}
		mltest.Near(t, "accuracy", accuracy(m, d.X, d.Y), 1, 0)
		if m.Depth() > 4 && tt.split == tree.Multiway {
			t.Errorf("depth %d with 4 features", m.Depth())
		}
	}
}

// The best subset of a nominal feature, found by ordering, is as good as the
// best of all subsets.
func TestTREE18_BinarySubsetIsBest(t *testing.T) {
	rng := model.Rand(8, 0)
	for range 20 {
		const levels, n = 6, 60
		x := mat.NewDense(n, 1, nil)
		y := make([]int, n)
		for i := range n {
			l := rng.IntN(levels)
			x.Set(i, 0, float64(l))
			if rng.Float64() < float64(l*l%5)/5 {
				y[i] = 1
			}
		}
		best := 0.0
		for set := 1; set < 1<<(levels-1); set++ {
			var in, out [2]float64
			for i := range n {
				if set>>int(x.At(i, 0))&1 == 1 {
					in[y[i]]++
				} else {
					out[y[i]]++
				}
			}
			wi, wo := in[0]+in[1], out[0]+out[1]
			if wi > 0 && wo > 0 {
				best = max(best, tree.GiniImpurity(in[0]+out[0], in[1]+out[1])-
					wi/n*tree.GiniImpurity(in[:]...)-wo/n*tree.GiniImpurity(out[:]...))
			}
		}
		m := mustFit(t, &tree.DecisionTree{Criterion: tree.Gini, Nominal: tree.BinarySubset, MaxDepth: 1},
			&model.Table{Dense: x, Columns: []model.Column{{Name: "l", Kind: model.Nominal}}}, y)
		mltest.Near(t, "gain", m.Root.Gain, best, 1e-12)
	}
}

func TestTREE19_PredictionCost(t *testing.T) {
	d := data.PlayTennis()
	m := mustFit(t, &tree.DecisionTree{}, d.X, d.Y)
	// 4 days (overcast) need one split, 10 need two.
	mltest.Near(t, "questions a day", m.MeanDepth(), (4+2*10)/14.0, 1e-12)
	if m.Depth() != 2 {
		t.Errorf("depth %d, want 2", m.Depth())
	}
}

func TestTREE20_Stump(t *testing.T) {
	rng := model.Rand(10, 0)
	for trial := range 20 {
		const n, cols = 25, 3
		x := mat.NewDense(n, cols, nil)
		y, w := make([]int, n), make([]float64, n)
		total := 0.0
		for i := range n {
			for j := range cols {
				x.Set(i, j, float64(rng.IntN(8)))
			}
			y[i], w[i] = 2*rng.IntN(2)-1, rng.Float64()
			total += w[i]
		}
		best := math.Inf(1)
		for j := range cols {
			for cut := 0.5; cut < 7; cut++ {
				var sides [2][2]float64
				for i := range n {
					s := 0
					if x.At(i, j) > cut {
						s = 1
					}
					sides[s][(y[i]+1)/2] += w[i]
				}
				best = min(best, (min(sides[0][0], sides[0][1])+min(sides[1][0], sides[1][1]))/total)
			}
		}
		s := &tree.DecisionStump{}
		if err := s.FitWeighted(x, y, w); err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, fmt.Sprint("error of trial ", trial), s.Error, best, 1e-12)
		wrong := 0.0
		for i, c := range s.Predict(x) {
			if c != y[i] {
				wrong += w[i] / total
			}
		}
		mltest.Near(t, "error of the predictions", wrong, s.Error, 1e-12)
	}
}

func TestTREE21_RegressionTree(t *testing.T) {
	m := &tree.RegressionTree{MaxDepth: 1}
	x := data.Rows([][]float64{{1}, {2}, {3}})
	if err := m.Fit(x, []float64{1, 2, 6}); err != nil {
		t.Fatal(err)
	}
	sse := 0.0
	m.Root.Walk(func(n *tree.Node) {
		if n.Leaf() {
			sse += n.Weight * n.Impurity
		}
	})
	mltest.Near(t, "SSE of the best split", sse, 0.5, 1e-12)
	mltest.Near(t, "threshold", m.Root.Threshold, 2.5, 0)
	if diff := cmp.Diff([]float64{1.5, 1.5, 6}, m.Predict(x)); diff != "" {
		t.Errorf("predictions (-want +got):\n%s", diff)
	}
}

func TestTREE22_MonotoneScaling(t *testing.T) {
	d := data.Iris()
	m := mustFit(t, &tree.DecisionTree{}, d.X, d.Y)
	scaled := mat.DenseCopyOf(d.X)
	scaled.Apply(func(_, _ int, v float64) float64 { return 1000*v + 5 }, scaled)
	s := mustFit(t, &tree.DecisionTree{}, scaled, d.Y)
	var walk func(a, b *tree.Node)
	walk = func(a, b *tree.Node) {
		if a.Feature != b.Feature || len(a.Children) != len(b.Children) {
			t.Fatalf("the trees differ at %q and %q", a.Question, b.Question)
		}
		if !a.Leaf() {
			mltest.Near(t, a.Question, b.Threshold, 1000*a.Threshold+5, 1e-6)
		}
		if diff := cmp.Diff(a.Counts, b.Counts); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		for k := range a.Children {
			walk(a.Children[k], b.Children[k])
		}
	}
	walk(m.Root, s.Root)
}

func ExampleDecisionTree() {
	d := data.PlayTennis()
	t := &tree.DecisionTree{}
	if err := t.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(t)
	for _, r := range t.Rules() {
		fmt.Println(r)
	}
	// Output:
	// Outlook?
	// ├─ sunny: Humidity?
	// │  ├─ high: no (no 3)
	// │  └─ normal: yes (yes 2)
	// ├─ overcast: yes (yes 4)
	// └─ rain: Wind?
	//    ├─ weak: yes (yes 3)
	//    └─ strong: no (no 2)
	// if Outlook = sunny and Humidity = high then no
	// if Outlook = sunny and Humidity = normal then yes
	// if Outlook = overcast then yes
	// if Outlook = rain and Wind = weak then yes
	// if Outlook = rain and Wind = strong then no
}

func ExampleScoreFeatures() {
	d := data.SunnyWindy()
	table, err := tree.ScoreFeatures(d.X, d.Y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(tree.GainTable(table))
	// Output:
	// question  gain    split   ratio   Gini    accuracy
	// sunny     0.1589  0.9544  0.1665  0.1021  0.7500
	// windy     0.0488  1.0000  0.0488  0.0312  0.6250
}

func ExampleRegressionTree() {
	t := &tree.RegressionTree{MaxDepth: 1}
	if err := t.Fit(data.Rows([][]float64{{1}, {2}, {3}}), []float64{1, 2, 6}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(t)
	// Output:
	// x1 ≤ 2.5?
	// ├─ yes: 1.5 (2 examples)
	// └─ no: 6 (1 examples)
}

func ExampleDecisionStump() {
	d := data.SunnyWindy()
	s := &tree.DecisionStump{}
	if err := s.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("error %.3f\n%v", s.Error, s)
	// Output:
	// error 0.250
	// sunny?
	// ├─ no: yes (no 1, yes 4)
	// └─ yes: no (no 2, yes 1)
}

func ExampleMajorityClassifier() {
	d := data.SunnyWindy()
	m := &tree.MajorityClassifier{}
	if err := m.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.PredictProba(d.X).RawRowView(0))
	// Output: [0.375 0.625]
}
