package ensemble_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

func TestHistConformance(t *testing.T) {
	t.Run("HistGradientBoosting", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &ensemble.HistGradientBoosting{Rounds: 10, MinLeaf: 5} }, modeltest.Options{})
	})
	t.Run("HistGradientBoostingRegressor", func(t *testing.T) {
		for _, loss := range []ensemble.RegressionLoss{ensemble.SquaredError, ensemble.AbsoluteError, ensemble.QuantileError} {
			modeltest.Regressor(t, func() model.Regressor {
				return &ensemble.HistGradientBoostingRegressor{Rounds: 60, Loss: loss, MinLeaf: 2}
			}, modeltest.Options{MinScore: 0.8})
		}
	})
}

// histCase is a fit by testdata/oracles/histboost.py.
type histCase struct {
	Name    string
	X       [][]*float64
	Names   []int
	Loss    string
	Rounds  int
	Options struct {
		Rounds   int     `json:"max_iter"`
		Depth    int     `json:"max_depth"`
		MinLeaf  int     `json:"min_samples_leaf"`
		Leaves   int     `json:"max_leaf_nodes"`
		Bins     int     `json:"max_bins"`
		Lambda   float64 `json:"l2_regularization"`
		Rate     float64 `json:"learning_rate"`
		Quantile float64
		Patience int `json:"n_iter_no_change"`
	}
	Monotone            []int
	Validation          float64
	Weights             []float64
	Target              []float64
	Class               []int
	Predicted, Answered []any
	Asked               [][]*float64
	Held                []float64
}

// table converts rows in which null is a missing value; the columns listed as nominal have nine
// levels.
func (c *histCase) table(rows [][]*float64) *model.Table {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		for j, v := range r {
			if d.Set(i, j, math.NaN()); v != nil {
				d.Set(i, j, *v)
			}
		}
	}
	columns := model.Numbered("column", len(rows[0]))
	for _, j := range c.Names {
		columns[j].Kind, columns[j].Levels = model.Nominal, strings.Split("abcdefghi", "")
	}
	return &model.Table{Dense: d, Columns: columns}
}

// flat returns numbers and lists of numbers as one list.
func flat(values []any) []float64 {
	var out []float64
	for _, v := range values {
		if list, ok := v.([]any); ok {
			out = append(out, flat(list)...)
			continue
		}
		out = append(out, v.(float64))
	}
	return out
}

func (c *histCase) regressor() *ensemble.HistGradientBoostingRegressor {
	losses := map[string]ensemble.RegressionLoss{"squared_error": ensemble.SquaredError, "absolute_error": ensemble.AbsoluteError,
		"quantile": ensemble.QuantileError, "poisson": ensemble.PoissonError}
	o := c.Options
	return &ensemble.HistGradientBoostingRegressor{Loss: losses[c.Loss], Rounds: o.Rounds, MaxDepth: o.Depth, MinLeaf: o.MinLeaf, MaxLeaves: o.Leaves, Bins: o.Bins,
		Lambda: o.Lambda, Rate: o.Rate, Quantile: o.Quantile, Patience: o.Patience, Monotone: c.Monotone, Validation: c.Validation, Seed: 3}
}

func (c *histCase) classifier() *ensemble.HistGradientBoosting {
	o := c.Options
	return &ensemble.HistGradientBoosting{Rounds: o.Rounds, MaxDepth: o.Depth, MinLeaf: o.MinLeaf, MaxLeaves: o.Leaves, Bins: o.Bins,
		Lambda: o.Lambda, Rate: o.Rate, Patience: o.Patience, Monotone: c.Monotone, Validation: c.Validation, Seed: 3}
}

// fit fits the model of the case and returns its held-out losses and its predictions.
func (c *histCase) fit(t *testing.T) (held []float64, rounds int, says func(x mat.Matrix) []float64) {
	x := c.table(c.X)
	if c.Loss != "" {
		m := c.regressor()
		if c.Weights != nil {
			if err := m.FitWeighted(x, c.Target, c.Weights); err != nil {
				t.Fatal(err)
			}
		} else if err := m.Fit(x, c.Target); err != nil {
			t.Fatal(err)
		}
		return m.Held, len(m.Members), m.Predict
	}
	m := c.classifier()
	fitMaybeWeighted(t, m, x, c.Class, c.Weights)
	return m.Held, len(m.Members[0]), func(x mat.Matrix) []float64 { return m.PredictProba(x).RawMatrix().Data }
}

// The trees are those of scikit-learn's HistGradientBoosting*, whose derivatives are
// float32 too: predictions agree on training rows and on others, with gaps, names,
// weights, constraints and early stopping.
func TestOracleHistGradientBoosting(t *testing.T) {
	var o struct{ Cases []histCase }
	mltest.ReadOracle(t, "histboost", &o)
	if len(o.Cases) < 15 {
		t.Fatal("the oracle lacks cases")
	}
	for _, c := range o.Cases {
		t.Run(c.Name, func(t *testing.T) {
			held, rounds, says := c.fit(t)
			if rounds != c.Rounds {
				t.Errorf("%d rounds, want %d", rounds, c.Rounds)
			}
			all := says(c.table(c.X))
			want := flat(c.Predicted)
			mltest.NearAll(t, "predictions", all[:len(want)], want, 1e-6)
			if c.Asked != nil {
				mltest.NearAll(t, "other rows", says(c.table(c.Asked)), flat(c.Answered), 1e-6)
			}
			if c.Held != nil {
				mltest.NearAll(t, "held-out losses", held, c.Held, 1e-6)
			}
		})
	}
}

func TestHistMonotone(t *testing.T) {
	x, y := moons(400, 0.4, 1)
	m := &ensemble.HistGradientBoosting{Rounds: 20, Monotone: []int{1, 0}}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		at := mat.NewDense(80, 2, nil)
		for k := range 80 {
			at.Set(k, 0, -2+float64(k)/16)
			at.Set(k, 1, x.At(i, 1))
		}
		if p := mat.Col(nil, 1, m.PredictProba(at)); !slices.IsSorted(p) {
			t.Fatalf("the probability falls with the first column: %v", p)
		}
	}
}

func TestHistRefusals(t *testing.T) {
	x, y := moons(60, 0.3, 2)
	real := make([]float64, len(y))
	for i, c := range y {
		real[i] = float64(c) - 0.5
	}
	many := mat.NewDense(60, 1, nil)
	for i := range 60 {
		many.Set(i, 0, float64(i*10))
	}
	names := &model.Table{Dense: many, Columns: []model.Column{{Name: "street", Kind: model.Nominal}}}
	three := slices.Clone(y)
	three[0] = 7
	for want, err := range map[string]error{
		"Bins must be at most 255, got 256":                                                    (&ensemble.HistGradientBoosting{Bins: 256}).Fit(x, y),
		"MinLeaf must be at least 1 (0 means the default), got -1":                             (&ensemble.HistGradientBoosting{MinLeaf: -1}).Fit(x, y),
		"MaxLeaves must be at least 2 (0 means the default), got 1":                            (&ensemble.HistGradientBoosting{MaxLeaves: 1}).Fit(x, y),
		"Rate must be positive and finite, got -1":                                             (&ensemble.HistGradientBoosting{Rate: -1}).Fit(x, y),
		"Monotone must have 2 entries (the number of columns), got 1":                          (&ensemble.HistGradientBoosting{Monotone: []int{1}}).Fit(x, y),
		"Monotone[0] must be -1, 0 or 1, and 0 for a nominal column,":                          (&ensemble.HistGradientBoosting{Monotone: []int{2, 0}}).Fit(x, y),
		"y must have exactly two classes if Monotone is set, got 3":                            (&ensemble.HistGradientBoosting{Monotone: []int{1, 0}}).Fit(x, three),
		"Validation must be at least 0 and below 1 (the fraction of examples held out), got 1": (&ensemble.HistGradientBoosting{Validation: 1}).Fit(x, y),
		"Validation must hold out at least 1 of 60 examples, got":                              (&ensemble.HistGradientBoosting{Validation: 0.001}).Fit(x, y),
		`the nominal column 0, "street", must have the indices of at`:                          (&ensemble.HistGradientBoosting{}).Fit(names, y),
		"y[0] must not be negative":                                                            (&ensemble.HistGradientBoostingRegressor{Loss: ensemble.PoissonError}).Fit(x, slices.Repeat([]float64{-1}, 60)),
		"y must have a count above 0 for PoissonError, got only zeros":                         (&ensemble.HistGradientBoostingRegressor{Loss: ensemble.PoissonError}).Fit(x, make([]float64, 60)),
		"Quantile must be between 0 and 1, got 1":                                              (&ensemble.HistGradientBoostingRegressor{Loss: ensemble.QuantileError, Quantile: 1}).Fit(x, real),
		`got "huber"`: (&ensemble.HistGradientBoostingRegressor{Loss: ensemble.HuberError}).Fit(x, real),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func TestHistTree(t *testing.T) {
	x, y := moons(300, 0.3, 3)
	m := &ensemble.HistGradientBoosting{Rounds: 3, MaxDepth: 4, MaxLeaves: 9}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for _, tr := range m.Members[0] {
		if tr.Leaves() > 9 || tr.Depth() > 4 || tr.Leaves() < 2 {
			t.Errorf("%d leaves, depth %d", tr.Leaves(), tr.Depth())
		}
		for _, n := range tr.Nodes {
			if n.Column >= 0 && n.Count != tr.Nodes[n.Left].Count+tr.Nodes[n.Right].Count {
				t.Errorf("the children of a node of %d examples have others", n.Count)
			}
			if n.Count < 20 {
				t.Errorf("a node of %d examples", n.Count)
			}
		}
	}
	sum := 0.0
	for _, v := range m.Importances {
		sum += v
	}
	mltest.Near(t, "sum of the importances", sum, 1, tol)
}
