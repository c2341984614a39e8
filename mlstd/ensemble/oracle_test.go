package ensemble_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// The values below are the results that testdata/oracles/ensemble.py computed with scikit-learn, or
// by the published steps over scikit-learn's trees.
type boosted struct {
	Rounds             int
	Say, Error, Staged []float64
	Score              json.RawMessage // one number per row for two classes, else one per class
	Votes              [][]float64
}

type bagged struct {
	Seed         uint64
	Soft         json.RawMessage
	Hard         [][]float64
	OOB, OOBHard float64
}

type spread struct{ Mean, SD float64 }

type forest struct {
	Test, OOB              spread
	Importances, Deviation []float64
}

type boostedTrees struct {
	Rounds  int
	MinLeaf float64
	Seed    uint64
	Pred    []float64
	Proba   [][]float64
	Loss    []float64
}

type classified struct {
	Name                                string
	X                                   [][]float64
	Y                                   []int
	Weights                             []float64
	Stumps, Depth2, Weighted, SAMME, M1 boosted
	Bagged                              bagged
	Forest                              forest
	Gradient, Fast                      boostedTrees
}

type oracle struct {
	Two, Many []classified
	Real      []struct {
		Name                                       string
		X                                          [][]float64
		Y                                          []float64
		Squared, Fast, Absolute, Huber, Stochastic boostedTrees
		Bagged                                     bagged
		Forest                                     forest
	}
	Ranking []struct {
		Name               string
		X                  [][]float64
		Y                  []float64
		Query              []int
		Lambda, Top, Pairs boostedTrees
		NDCG               struct{ All, At3 float64 }
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "ensemble", &o)
	if len(o.Two) < 5 || len(o.Many) < 5 || len(o.Real) < 5 || len(o.Ranking) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

func decode[T any](t *testing.T, raw json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// same is the tolerance for sums of the same terms in another order.
const same = 1e-9

func giniTree(depth int) func() model.Classifier {
	return func() model.Classifier { return &tree.DecisionTree{MaxDepth: depth, Criterion: tree.Gini} }
}

// scikit-learn's AdaBoostClassifier is SAMME; its vote for two classes is twice α.
func TestOracleAdaBoost(t *testing.T) {
	for _, o := range readOracle(t).Two {
		for _, c := range []struct {
			name    string
			depth   int
			weights []float64
			want    boosted
		}{{"stumps", 1, nil, o.Stumps}, {"depth 2", 2, nil, o.Depth2}, {"weighted", 1, o.Weights, o.Weighted}} {
			t.Run(o.Name+" "+c.name, func(t *testing.T) {
				x := data.Rows(o.X)
				a := &ensemble.AdaBoost{New: giniTree(c.depth), Rounds: c.want.Rounds}
				m := &ensemble.AdaBoostM1{New: giniTree(c.depth), Rounds: c.want.Rounds}
				for _, f := range []model.WeightedClassifier{a, m} {
					fitMaybeWeighted(t, f, x, o.Y, c.weights)
				}
				total := 0.0
				for k, s := range c.want.Say {
					mltest.Near(t, "α", 2*a.Alpha[k], s, same)
					total += s
				}
				mltest.NearAll(t, "say of M1", m.Say, c.want.Say, same)
				mltest.NearAll(t, "ε", a.Trace.Error, c.want.Error, same)
				mltest.NearAll(t, "staged error", a.StagedError(x, o.Y), c.want.Staged, same)
				if c.weights == nil {
					mltest.NearAll(t, "training error", a.Trace.Training, c.want.Staged, same)
				}
				for i, s := range decode[[]float64](t, c.want.Score) {
					// There it is twice the sum of say·f(x), divided by the sum of all votes.
					mltest.Near(t, "score", 4*a.Decision(x).At(i, 0)/total, s, same)
				}
			})
		}
	}
}

func fitMaybeWeighted(t *testing.T, m model.WeightedClassifier, x mat.Matrix, y []int, weights []float64) {
	t.Helper()
	if weights == nil {
		fit(t, m, x, y)
	} else if err := m.FitWeighted(x, y, weights); err != nil {
		t.Fatal(err)
	}
}

func TestOracleAdaBoostM1(t *testing.T) {
	for _, o := range readOracle(t).Many {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for depth, want := range map[int]boosted{1: o.Weighted, 2: o.SAMME} {
				m := &ensemble.AdaBoostM1{New: giniTree(depth), Rounds: want.Rounds, SAMME: true}
				fitMaybeWeighted(t, m, x, o.Y, o.Weights)
				mltest.NearAll(t, "say", m.Say, want.Say, same)
				mltest.NearAll(t, "ε", m.Trace.Error, want.Error, same)
				total := 0.0
				for _, s := range m.Say {
					total += s
				}
				k := float64(len(m.Classes()))
				votes := m.Decision(x)
				for i, row := range decode[[][]float64](t, want.Score) {
					for j, s := range row {
						// There a member also votes −1/(K−1) of its say against each other class.
						mltest.Near(t, "score", (votes.At(i, j)-(total-votes.At(i, j))/(k-1))/total, s, same)
					}
				}
			}
			m := &ensemble.AdaBoostM1{New: giniTree(2), Rounds: o.M1.Rounds}
			fitMaybeWeighted(t, m, x, o.Y, o.Weights)
			mltest.NearAll(t, "say of M1", m.Say, o.M1.Say, same)
			mltest.NearAll(t, "ε of M1", m.Trace.Error, o.M1.Error, same)
			for i, row := range o.M1.Votes {
				mltest.NearAll(t, "votes of M1", m.Decision(x).RawRowView(i), row, same)
			}
		})
	}
}

// Bagging and a forest that is free to use all features grow the same trees as
// scikit-learn on the same bootstrap samples.
func TestOracleBagging(t *testing.T) {
	o := readOracle(t)
	for _, o := range slices.Concat(o.Two, o.Many) {
		t.Run(o.Name, func(t *testing.T) {
			x, b := data.Rows(o.X), o.Bagged
			bag := &ensemble.Bagging{Size: 8, Seed: b.Seed, New: func() model.Classifier { return &tree.DecisionTree{MaxDepth: 2} }}
			fit(t, bag, x, o.Y)
			f := &ensemble.RandomForest{Trees: 8, Seed: b.Seed, MaxDepth: 2, FeaturesPerSplit: len(o.X[0])}
			fit(t, f, x, o.Y)
			mltest.Near(t, "out of bag", bag.OOBAccuracy, b.OOBHard, same)
			mltest.Near(t, "out of bag of the forest", f.OOBAccuracy, b.OOB, same)
			hard, soft := bag.PredictProba(x), f.PredictProba(x)
			for i, row := range decode[[][]float64](t, b.Soft) {
				mltest.NearAll(t, "forest", soft.RawRowView(i), row, same)
				mltest.NearAll(t, "votes", hard.RawRowView(i), b.Hard[i], same)
			}
		})
	}
	for _, o := range o.Real {
		t.Run(o.Name, func(t *testing.T) {
			x, b := data.Rows(o.X), o.Bagged
			bag := &ensemble.BaggingRegressor{Size: 12, Seed: b.Seed, New: func() model.Regressor { return &tree.RegressionTree{MaxDepth: 3, MinLeaf: 5} }}
			f := &ensemble.RandomForestRegressor{Trees: 12, Seed: b.Seed, MaxDepth: 3, FeaturesPerSplit: len(o.X[0])}
			for _, m := range []model.Regressor{bag, f} {
				if err := m.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, fmt.Sprintf("%T", m), m.Predict(x), decode[[]float64](t, b.Soft), same)
			}
			mltest.Near(t, "out of bag", f.OOBR2, b.OOB, same)
		})
	}
}

// Forests draw features by their own generators, so only results that do not depend
// on the draws can agree. These are the means over twelve seeds, within five
// standard errors of their difference and one example in a hundred.
func TestOracleForest(t *testing.T) {
	const seeds = 12
	agree := func(t *testing.T, what string, got []float64, want spread) {
		t.Helper()
		mean, ss := 0.0, 0.0
		for _, v := range got {
			mean += v / seeds
		}
		for _, v := range got {
			ss += (v - mean) * (v - mean) / (seeds - 1)
		}
		if room := 5*math.Sqrt((ss+want.SD*want.SD)/seeds) + 0.01; !(math.Abs(mean-want.Mean) < room) {
			t.Errorf("%s: %.4f on average, scikit-learn %.4f, want within %.4f", what, mean, want.Mean, room)
		}
	}
	halves := func(x [][]float64) (train, test *mat.Dense) {
		var odd, even [][]float64
		for i, r := range x {
			if i%2 == 0 {
				even = append(even, r)
			} else {
				odd = append(odd, r)
			}
		}
		return data.Rows(even), data.Rows(odd)
	}
	o := readOracle(t)
	for _, o := range slices.Concat(o.Two, o.Many) {
		t.Run(o.Name, func(t *testing.T) {
			train, test := halves(o.X)
			var labels [2][]int
			for i, c := range o.Y {
				labels[i%2] = append(labels[i%2], c)
			}
			var right, oob []float64
			importances := make([][]float64, len(o.X[0]))
			for s := range uint64(seeds) {
				f := &ensemble.RandomForest{Seed: s}
				fit(t, f, train, labels[0])
				right, oob = append(right, eval.Accuracy(labels[1], f.Predict(test))), append(oob, f.OOBAccuracy)
				for j, v := range f.Importances {
					importances[j] = append(importances[j], v)
				}
			}
			agree(t, "accuracy", right, o.Forest.Test)
			agree(t, "out of bag", oob, o.Forest.OOB)
			for j, v := range importances {
				agree(t, fmt.Sprint("importance of column ", j), v, spread{o.Forest.Importances[j], o.Forest.Deviation[j]})
			}
		})
	}
	for _, o := range o.Real {
		t.Run(o.Name, func(t *testing.T) {
			train, test := halves(o.X)
			var targets [2][]float64
			for i, v := range o.Y {
				targets[i%2] = append(targets[i%2], v)
			}
			var r2, oob []float64
			importances := make([][]float64, len(o.X[0]))
			for s := range uint64(seeds) {
				// scikit-learn's leaf counts rows, not how often they were drawn.
				f := &ensemble.RandomForestRegressor{Seed: s, FeaturesPerSplit: 2, MinLeaf: 3}
				if err := f.Fit(train, targets[0]); err != nil {
					t.Fatal(err)
				}
				r2, oob = append(r2, eval.R2(targets[1], f.Predict(test))), append(oob, f.OOBR2)
				for j, v := range f.Importances {
					importances[j] = append(importances[j], v)
				}
			}
			agree(t, "R²", r2, o.Forest.Test)
			agree(t, "out of bag", oob, o.Forest.OOB)
			for j, v := range importances {
				agree(t, fmt.Sprint("importance of column ", j), v, spread{o.Forest.Importances[j], o.Forest.Deviation[j]})
			}
		})
	}
}

func TestOracleGradientBoosting(t *testing.T) {
	o := readOracle(t)
	for _, o := range slices.Concat(o.Two, o.Many) {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for rate, want := range map[float64]boostedTrees{0.1: o.Gradient, 0.5: o.Fast} {
				m := &ensemble.GradientBoosting{Rounds: want.Rounds, Rate: rate, MaxDepth: 2, MinLeaf: want.MinLeaf}
				fit(t, m, x, o.Y)
				mltest.NearAll(t, "divergence", m.Trace.Loss, want.Loss, same)
				p := m.PredictProba(x)
				for i, row := range want.Proba {
					mltest.NearAll(t, "probabilities", p.RawRowView(i), row, same)
				}
			}
		})
	}
	for _, o := range o.Real {
		for _, c := range []struct {
			name  string
			model ensemble.GradientBoostingRegressor
			want  boostedTrees
		}{
			{"squared", ensemble.GradientBoostingRegressor{MaxDepth: 2}, o.Squared},
			{"fast", ensemble.GradientBoostingRegressor{MaxDepth: 3, Rate: 1}, o.Fast},
			{"absolute", ensemble.GradientBoostingRegressor{MaxDepth: 2, Rate: 0.3, Loss: ensemble.AbsoluteError}, o.Absolute},
			{"huber", ensemble.GradientBoostingRegressor{MaxDepth: 2, Rate: 0.3, Loss: ensemble.HuberError, Quantile: 0.8}, o.Huber},
			{"stochastic", ensemble.GradientBoostingRegressor{MaxDepth: 2, Subsample: 0.6, Seed: o.Stochastic.Seed}, o.Stochastic},
		} {
			t.Run(o.Name+" "+c.name, func(t *testing.T) {
				x := data.Rows(o.X)
				c.model.Rounds, c.model.MinLeaf = len(c.want.Loss), max(1, c.want.MinLeaf)
				if err := c.model.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, "loss", c.model.Trace.Loss, c.want.Loss, same)
				mltest.NearAll(t, "predictions", c.model.Predict(x), c.want.Pred, same)
			})
		}
	}
}

func TestOracleRanker(t *testing.T) {
	for _, o := range readOracle(t).Ranking {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			mltest.Near(t, "NDCG", ensemble.NDCG(o.Y, mat.Col(nil, 0, x), 0), o.NDCG.All, same)
			mltest.Near(t, "NDCG of three", ensemble.NDCG(o.Y, mat.Col(nil, 0, x), 3), o.NDCG.At3, same)
			for _, c := range []struct {
				name  string
				model ensemble.GradientBoostingRanker
				want  boostedTrees
			}{
				{"lambda", ensemble.GradientBoostingRanker{}, o.Lambda},
				{"top", ensemble.GradientBoostingRanker{At: 4}, o.Top},
				{"pairs", ensemble.GradientBoostingRanker{Pairwise: true}, o.Pairs},
			} {
				c.model.Rounds, c.model.MaxDepth = c.want.Rounds, 2
				if err := c.model.FitQueries(x, o.Y, o.Query); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, c.name+" loss", c.model.Trace.Loss, c.want.Loss, same)
				mltest.NearAll(t, c.name+" scores", c.model.Predict(x), c.want.Pred, same)
			}
		})
	}
}
