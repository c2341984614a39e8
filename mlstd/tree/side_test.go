package tree_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// gaps is a data set of testdata/oracles/missing.py; null is NaN.
type gaps struct {
	Name              string
	X, Asked          [][]*float64
	Y                 []int
	Target            []float64
	Proba, Regression [][]float64
	ProbaAsked        [][]float64 `json:"proba_asked"`
	RegressionAsked   [][]float64 `json:"regression_asked"`
}

// sameRows compares the rows on which the oracle has no ties.
func sameRows(t *testing.T, what string, got *mat.Dense, want [][]float64) {
	t.Helper()
	for i, row := range want {
		if row != nil {
			mltest.NearAll(t, fmt.Sprint(what, ", row ", i), got.RawRowView(i), row, 1e-9)
		}
	}
}

func withGaps(rows [][]*float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		for j, v := range row {
			d.Set(i, j, math.NaN())
			if v != nil {
				d.Set(i, j, *v)
			}
		}
	}
	return d
}

// Missing values take the side with the larger gain, as in scikit-learn.
func TestOracleBetterSide(t *testing.T) {
	var all []gaps
	mltest.ReadOracle(t, "missing", &all)
	for _, o := range all {
		t.Run(o.Name, func(t *testing.T) {
			x, asked := withGaps(o.X), withGaps(o.Asked)
			r := &tree.RegressionTree{MaxDepth: 3, Missing: tree.BetterSide}
			if err := r.Fit(x, o.Target); err != nil {
				t.Fatal(err)
			}
			sameRows(t, "regression", mat.NewDense(len(o.X), 1, r.Predict(x)), o.Regression)
			sameRows(t, "regression of other rows", mat.NewDense(len(o.X), 1, r.Predict(asked)), o.RegressionAsked)
			if o.Y == nil {
				return
			}
			c := &tree.DecisionTree{Criterion: tree.Gini, MaxDepth: 3, Missing: tree.BetterSide}
			if err := c.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			sameRows(t, "probabilities", c.PredictProba(x), o.Proba)
			sameRows(t, "probabilities of other rows", c.PredictProba(asked), o.ProbaAsked)
		})
	}
}

// A split can be on whether a value is known at all.
func TestBetterSideKnown(t *testing.T) {
	nan := math.NaN()
	x := mat.NewDense(6, 1, []float64{1, 1, 1, nan, nan, nan})
	m := &tree.DecisionTree{Missing: tree.BetterSide}
	if err := m.Fit(x, []int{0, 0, 0, 1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	if m.Root.Question != "x1 known" || m.Leaves() != 2 {
		t.Errorf("asks %q with %d leaves", m.Root.Question, m.Leaves())
	}
	if got := m.Predict(mat.NewDense(3, 1, []float64{1, nan, 99})); !slices.Equal(got, []int{0, 1, 0}) {
		t.Errorf("predicts %v, want [0 1 0]", got)
	}
}

func TestBetterSideConformance(t *testing.T) {
	modeltest.Classifier(t, func() model.Classifier { return &tree.DecisionTree{Missing: tree.BetterSide} }, modeltest.Options{})
	modeltest.Regressor(t, func() model.Regressor { return &tree.RegressionTree{Missing: tree.BetterSide} }, modeltest.Options{})
}
