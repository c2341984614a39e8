package tree_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// fitted is what testdata/oracles/tree.py writes about one tree of scikit-learn.
type fitted struct {
	Data         string
	Criterion    string
	MaxDepth     int     `json:"max_depth"`
	MinLeaf      float64 `json:"min_leaf"`
	MaxLeaves    int     `json:"max_leaves"`
	Leaves       int
	Depth        int
	Impurity     float64
	RootImpurity float64 `json:"root_impurity"`
	ProbaSumSq   float64 `json:"proba_sum_sq"`
	Importances  []float64
	Unique       bool
	Predict      json.RawMessage
}

type oracle struct {
	Classification, Regression []fitted
	Paths                      []struct {
		Data               string
		MaxDepth           int `json:"max_depth"`
		Alphas, Impurities []float64
	}
	Weighted []struct {
		fitted
		Form string
	}
	Stumps []struct {
		Data           string
		Weights, Prior []float64
		Gains          map[string]float64
		Error, Mean    float64
		Majority       int
	}
	Questions []struct {
		Data         string
		Gains, Ginis []float64
		Nominal      [][2]float64 // information gain and split information
	}
	MinGain []struct {
		Data, Criterion string
		Least, Impurity float64
		Leaves          int
		MaxDepth        int `json:"max_depth"`
		Unique          bool
	} `json:"min_gain"`
	Tables []struct {
		Data                          string
		Counts                        [][]float64
		Chi2, P, Entropy, Gini, Error float64
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "tree", &o)
	return o
}

func classification(name string) (*mat.Dense, []int) {
	var d *data.Dataset
	switch name {
	case "Iris":
		d = data.Iris()
	case "Wine":
		d = data.Wine()
	case "BreastCancer":
		d = data.BreastCancer()
	case "Digits":
		d = data.Digits()
	case "Diabetes":
		d = data.Diabetes()
		for _, v := range d.Target {
			y := 0
			if v > 140 {
				y = 1
			}
			d.Y = append(d.Y, y)
		}
	}
	return d.X.Dense, d.Y
}

func leafImpurity(root *tree.Node) float64 {
	total := 0.0
	root.Walk(func(n *tree.Node) {
		if n.Leaf() {
			total += n.Weight / root.Weight * n.Impurity
		}
	})
	return total
}

// tolerance bounds sums of a few thousand float64 terms of order 1; scikit-learn
// adds them in another order.
const tolerance = 1e-9

func close(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(b)) }

func TestDecisionTreeOracle(t *testing.T) {
	o := readOracle(t)
	compared := map[string]int{}
	for _, want := range o.Classification {
		name := want.Data + " " + want.Criterion + " depth " + strconv.Itoa(want.MaxDepth) + " leaves " + strconv.Itoa(want.MaxLeaves)
		t.Run(name, func(t *testing.T) {
			x, y := classification(want.Data)
			m := &tree.DecisionTree{MaxDepth: want.MaxDepth, MinLeaf: want.MinLeaf, MaxLeaves: want.MaxLeaves}
			if want.MaxLeaves > 0 {
				m.MaxDepth = 0
			}
			if want.Criterion == "gini" {
				m.Criterion = tree.Gini
			}
			if err := m.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			if !close(m.Root.Impurity, want.RootImpurity) {
				t.Errorf("impurity at the root: got %v, want %v", m.Root.Impurity, want.RootImpurity)
			}
			if !want.Unique {
				// Two splits are equally good, so the trees may differ below them.
				return
			}
			compared[want.Data]++
			if m.Leaves() != want.Leaves || m.Depth() != want.Depth {
				t.Errorf("got %d leaves at depth %d, want %d at %d", m.Leaves(), m.Depth(), want.Leaves, want.Depth)
			}
			if got := leafImpurity(m.Root); !close(got, want.Impurity) {
				t.Errorf("impurity of the leaves: got %v, want %v", got, want.Impurity)
			}
			for j, v := range want.Importances {
				if !close(m.Importances[j], v) {
					t.Errorf("importance of feature %d: got %v, want %v", j, m.Importances[j], v)
				}
			}
			var predict string
			if err := json.Unmarshal(want.Predict, &predict); err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, c := range m.Predict(x) {
				b.WriteString(strconv.Itoa(c))
			}
			if b.String() != predict {
				t.Errorf("predictions: got %s, want %s", b.String(), predict)
			}
			p := m.PredictProba(x)
			if got := mat.Dot(mat.NewVecDense(len(p.RawMatrix().Data), p.RawMatrix().Data),
				mat.NewVecDense(len(p.RawMatrix().Data), p.RawMatrix().Data)); !close(got, want.ProbaSumSq) {
				t.Errorf("Σ p²: got %v, want %v", got, want.ProbaSumSq)
			}
		})
	}
	for _, name := range []string{"Iris", "Wine", "BreastCancer", "Digits", "Diabetes"} {
		if compared[name] < 4 {
			t.Errorf("%s: only %d trees without ties were compared", name, compared[name])
		}
	}
}

func TestRegressionTreeOracle(t *testing.T) {
	o := readOracle(t)
	compared := map[string]int{}
	for _, want := range o.Regression {
		t.Run(want.Data+" depth "+strconv.Itoa(want.MaxDepth), func(t *testing.T) {
			x, y := regression(want.Data)
			m := &tree.RegressionTree{MaxDepth: want.MaxDepth}
			if err := m.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			if !close(m.Root.Impurity, want.RootImpurity) {
				t.Errorf("variance: got %v, want %v", m.Root.Impurity, want.RootImpurity)
			}
			if !want.Unique {
				return
			}
			compared[want.Data]++
			if m.Leaves() != want.Leaves || m.Depth() != want.Depth || !close(leafImpurity(m.Root), want.Impurity) {
				t.Errorf("got %d leaves at depth %d with variance %v, want %d at %d with %v",
					m.Leaves(), m.Depth(), leafImpurity(m.Root), want.Leaves, want.Depth, want.Impurity)
			}
			for j, v := range want.Importances {
				if !close(m.Importances[j], v) {
					t.Errorf("importance of feature %d: got %v, want %v", j, m.Importances[j], v)
				}
			}
			var predict []float64
			if err := json.Unmarshal(want.Predict, &predict); err != nil {
				t.Fatal(err)
			}
			got := m.Predict(x)
			for i, v := range predict {
				if !close(got[i], v) {
					t.Errorf("prediction %d: got %v, want %v", i, got[i], v)
				}
			}
		})
	}
	for _, name := range []string{"Iris", "Wine", "BreastCancer", "Digits", "Diabetes"} {
		if compared[name] == 0 {
			t.Errorf("%s: no tree without ties was compared", name)
		}
	}
}

// regression returns the diabetes set, or one column of a data set to be predicted
// from the others.
func regression(name string) (*mat.Dense, []float64) {
	if name == "Diabetes" {
		d := data.Diabetes()
		return d.X.Dense, d.Target
	}
	col := map[string]int{"Iris": 3, "Wine": 0, "BreastCancer": 0, "Digits": 20}[name]
	all, _ := classification(name)
	n, k := all.Dims()
	x := mat.NewDense(n, k-1, nil)
	for i := range n {
		row := append([]float64(nil), all.RawRowView(i)...)
		x.SetRow(i, append(row[:col], row[col+1:]...))
	}
	return x, mat.Col(nil, col, all)
}

// A node is not split if the gain there is less than MinGain. Only at the root is MinGain the same
// as scikit-learn's min_impurity_decrease.
func TestMinGainOracle(t *testing.T) {
	compared := map[string]int{}
	for _, want := range readOracle(t).MinGain {
		if !want.Unique {
			continue // two splits are equally good, so the trees may differ below them
		}
		depth := want.MaxDepth
		if depth == 0 {
			depth = 4
		}
		var root *tree.Node
		if want.Criterion == "" {
			x, y := regression(want.Data)
			m := &tree.RegressionTree{MaxDepth: depth, MinGain: want.Least}
			if err := m.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			root = m.Root
		} else {
			x, y := classification(want.Data)
			m := &tree.DecisionTree{MaxDepth: depth, MinGain: want.Least}
			if want.Criterion == "gini" {
				m.Criterion = tree.Gini
			}
			if err := m.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			root = m.Root
		}
		if got := leafImpurity(root); root.CountLeaves() != want.Leaves || !close(got, want.Impurity) {
			t.Errorf("%s %s, MinGain %v: got %d leaves of impurity %v, want %d of %v",
				want.Data, want.Criterion, want.Least, root.CountLeaves(), got, want.Leaves, want.Impurity)
		}
		compared[want.Data]++
	}
	for _, name := range []string{"Iris", "Wine", "BreastCancer", "Digits", "Diabetes"} {
		if compared[name] < 8 {
			t.Errorf("%s: only %d trees without ties were compared", name, compared[name])
		}
	}
}

func TestPruningPathOracle(t *testing.T) {
	for _, want := range readOracle(t).Paths {
		x, y := classification(want.Data)
		m := &tree.DecisionTree{Criterion: tree.Gini, MaxDepth: want.MaxDepth}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		path := m.PruningPath()
		if len(path) != len(want.Alphas) {
			t.Errorf("%s: got %d steps %v, want %d %v", want.Data, len(path), path, len(want.Alphas), want.Alphas)
			continue
		}
		for k, s := range path {
			if !close(s.Alpha, want.Alphas[k]) || !close(s.Impurity, want.Impurities[k]) {
				t.Errorf("%s step %d: got alpha %v with %v, want %v with %v",
					want.Data, k, s.Alpha, s.Impurity, want.Alphas[k], want.Impurities[k])
			}
		}
		// Pruning with an alpha just below a step returns the tree of the previous step.
		for k := 1; k < len(path); k++ {
			p := &tree.DecisionTree{Criterion: tree.Gini, MaxDepth: want.MaxDepth, Alpha: path[k].Alpha * (1 - 1e-6)}
			if err := p.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			if p.Leaves() != path[k-1].Leaves {
				t.Errorf("%s below alpha %v: got %d leaves, want %d", want.Data, path[k].Alpha, p.Leaves(), path[k-1].Leaves)
			}
		}
	}
}

// someWeights returns the example weights that testdata/oracles/tree.py uses.
func someWeights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(i*7%10+1) / 4
	}
	return w
}

func TestWeightedTreeOracle(t *testing.T) {
	compared := map[string]int{}
	for _, want := range readOracle(t).Weighted {
		t.Run(want.Data+" "+want.Form, func(t *testing.T) {
			var root *tree.Node
			var leaves, depth int
			var got []float64
			switch want.Form {
			case "regression", "large leaves", "few leaves", "large nodes of numbers":
				x, y := regression(want.Data)
				m := &tree.RegressionTree{MaxDepth: 3}
				var err error
				switch want.Form {
				case "regression":
					err = m.FitWeighted(x, y, someWeights(len(y)))
				case "large leaves":
					m.MinLeaf = 12
					err = m.Fit(x, y)
				case "few leaves":
					m = &tree.RegressionTree{MaxLeaves: 5}
					err = m.Fit(x, y)
				default:
					m = &tree.RegressionTree{MinSplit: float64(len(y) / 3)}
					err = m.Fit(x, y)
				}
				if err != nil {
					t.Fatal(err)
				}
				root, leaves, depth, got = m.Root, m.Leaves(), m.Depth(), m.Predict(x)
			default:
				x, y := classification(want.Data)
				m := &tree.DecisionTree{MaxDepth: 3, Criterion: tree.Gini}
				switch want.Form {
				case "entropy":
					m.Criterion = tree.InformationGain
				case "pruned":
					m.MaxDepth, m.Alpha = 5, 0.02
				}
				var err error
				if want.Form == "large nodes" {
					m.MaxDepth, m.MinSplit = 0, float64(len(y)/3)
					err = m.Fit(x, y)
				} else {
					err = m.FitWeighted(x, y, someWeights(len(y)))
				}
				if err != nil {
					t.Fatal(err)
				}
				root, leaves, depth = m.Root, m.Leaves(), m.Depth()
				for _, c := range m.Predict(x) {
					got = append(got, float64(c))
				}
			}
			if !close(root.Impurity, want.RootImpurity) {
				t.Errorf("impurity at the root: got %v, want %v", root.Impurity, want.RootImpurity)
			}
			if !want.Unique {
				return
			}
			compared[want.Form]++
			if leaves != want.Leaves || depth != want.Depth || !close(leafImpurity(root), want.Impurity) {
				t.Errorf("got %d leaves at depth %d with impurity %v, want %d at %d with %v",
					leaves, depth, leafImpurity(root), want.Leaves, want.Depth, want.Impurity)
			}
			var predict []float64
			if err := json.Unmarshal(want.Predict, &predict); err != nil {
				t.Fatal(err)
			}
			for i, v := range predict {
				if !close(got[i], v) {
					t.Errorf("prediction %d: got %v, want %v", i, got[i], v)
				}
			}
		})
	}
	for _, form := range []string{"entropy", "gini", "pruned", "regression", "large leaves", "few leaves", "large nodes", "large nodes of numbers"} {
		if compared[form] < 4 {
			t.Errorf("%s: only %d trees without ties were compared", form, compared[form])
		}
	}
}

func TestStumpOracle(t *testing.T) {
	for _, want := range readOracle(t).Stumps {
		x, y := classification(want.Data)
		w := want.Weights
		if len(w) == 0 {
			w = make([]float64, len(y))
			for i := range w {
				w[i] = 1
			}
		}
		s := &tree.DecisionStump{}
		if err := s.FitWeighted(x, y, w); err != nil {
			t.Fatal(err)
		}
		if !close(s.Error, want.Error) {
			t.Errorf("%s: error %v, the best of all cuts makes %v", want.Data, s.Error, want.Error)
		}
		for name, c := range map[string]tree.Criterion{"entropy": tree.InformationGain, "gini": tree.Gini} {
			s := &tree.DecisionStump{ByCriterion: true, Criterion: c}
			if err := s.FitWeighted(x, y, w); err != nil {
				t.Fatal(err)
			}
			if got := s.Root.Impurity - leafImpurity(s.Root); !close(got, want.Gains[name]) {
				t.Errorf("%s: gain by %s %v, want %v", want.Data, name, got, want.Gains[name])
			}
		}
		m := &tree.MajorityClassifier{}
		if err := m.FitWeighted(x, y, w); err != nil {
			t.Fatal(err)
		}
		for k, p := range want.Prior {
			if got := m.PredictProba(x).At(0, k); !close(got, p) {
				t.Errorf("%s: share of class %d %v, want %v", want.Data, k, got, p)
			}
		}
		if got := m.Predict(x)[0]; got != want.Majority {
			t.Errorf("%s: majority %d, want %d", want.Data, got, want.Majority)
		}
		rx, ry := regression(want.Data)
		mean := &tree.MeanRegressor{}
		if err := mean.FitWeighted(rx, ry, w); err != nil {
			t.Fatal(err)
		}
		if !close(mean.Mean, want.Mean) {
			t.Errorf("%s: mean %v, want %v", want.Data, mean.Mean, want.Mean)
		}
	}
}

func TestScoreFeaturesOracle(t *testing.T) {
	for _, want := range readOracle(t).Questions {
		x, y := classification(want.Data)
		n, _ := x.Dims()
		for j := range want.Gains {
			column := x.Slice(0, n, j, j+1)
			gains, err := tree.ScoreFeatures(column, y)
			if err != nil {
				t.Fatal(err)
			}
			if !close(gains[0].Gain, want.Gains[j]) {
				t.Errorf("%s, column %d: information gain %v, want %v", want.Data, j, gains[0].Gain, want.Gains[j])
			}
			// The table has the split with the largest information gain; another
			// split can have a larger Gini gain.
			if gains[0].Gini > want.Ginis[j]+tolerance {
				t.Errorf("%s, column %d: Gini gain %v, the best is %v", want.Data, j, gains[0].Gini, want.Ginis[j])
			}
			values := mat.Col(nil, j, x)
			lo, hi := slices.Min(values), slices.Max(values)
			nominal := &model.Table{Dense: mat.NewDense(n, 1, nil), Columns: []model.Column{{Name: "quarter", Kind: model.Nominal, Levels: []string{"1", "2", "3", "4"}}}}
			for i, v := range values {
				nominal.Set(i, 0, min(math.Floor((v-lo)*4/max(hi-lo, 1e-300)), 3))
			}
			gains, err = tree.ScoreFeatures(nominal, y)
			if err != nil {
				t.Fatal(err)
			}
			if g := gains[0]; !close(g.Gain, want.Nominal[j][0]) || !close(g.SplitInfo, want.Nominal[j][1]) {
				t.Errorf("%s, column %d in quarters: gain %v of %v, want %v of %v", want.Data, j, g.Gain, g.SplitInfo, want.Nominal[j][0], want.Nominal[j][1])
			}
		}
	}
}

func TestCountsOracle(t *testing.T) {
	for _, want := range readOracle(t).Tables {
		sums := make([]float64, len(want.Counts[0]))
		for _, row := range want.Counts {
			for k, c := range row {
				sums[k] += c
			}
		}
		chi2, p := tree.ChiSquareSplit(want.Counts)
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"χ²", chi2, want.Chi2}, {"p", p, want.P}, {"entropy", tree.ClassEntropy(sums...), want.Entropy},
			{"Gini impurity", tree.GiniImpurity(sums...), want.Gini}, {"error of the majority", tree.MajorityError(sums...), want.Error},
		} {
			if !close(c.got, c.want) {
				t.Errorf("%s, %s: got %v, want %v", want.Data, c.name, c.got, c.want)
			}
		}
	}
}
