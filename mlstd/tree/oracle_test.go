package tree_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// fitted is what testdata/oracles/tree.py tells of one tree of scikit-learn.
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
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	text, err := os.ReadFile("../../testdata/oracles/tree.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
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
				// Two questions are equally good: the trees may differ below them.
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

// regression gives the diabetes set, or one column of a data set to be predicted
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
		// Pruning at a price just below a step gives the tree of the step before.
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
