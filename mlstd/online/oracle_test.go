package online_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// rule is a linear rule of testdata/oracles/online.py.
type rule struct {
	W        []float64
	B        float64
	Mistakes []float64
}

type multiRule struct {
	W, Mean [][]float64 // one row a class, the bias last
}

type winnowRule struct {
	W, Mean, Mistakes []float64
}

type oracle struct {
	Two []struct {
		Name       string
		X          [][]float64
		Y          []int
		Perceptron struct {
			rule
			Pred  []int
			Score []float64
		}
		Rate, Through0, Averaged, Margin, Aggressive, Threshold rule
		PA1, PA1Small, PA2, PAAveraged                          rule
		Start                                                   struct {
			rule
			From, Mean []float64
		}
		Voted struct {
			Counts, Votes, Scores []float64
		}
		Sigmoid struct {
			A        float64
			Score, P []float64
		}
		Reliability struct {
			P, True, Predicted []float64
		}
	}
	Many []struct {
		Name                           string
		X                              [][]float64
		Y                              []int
		Perceptron, Margin, Aggressive multiRule
	}
	Boolean []struct {
		Name                                     string
		X                                        [][]float64
		Y                                        []int
		Plain, Mild, Eliminate, Balanced, Margin winnowRule
		Majority                                 struct {
			W        []float64
			Mistakes int
		}
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "online", &o)
	if len(o.Two) < 5 || len(o.Many) < 5 || len(o.Boolean) < 5 {
		t.Fatal("the oracle has fewer than five data sets of a kind")
	}
	return o
}

// The oracle made three passes in the order of the rows. The same sums in the same order differ
// only by rounding.
const (
	passes   = 3
	rounding = 1e-10
)

func TestOracleAdditive(t *testing.T) {
	for _, o := range readOracle(t).Two {
		x := data.Rows(o.X)
		for _, c := range []struct {
			name string
			m    model.Classifier
			want rule
		}{
			{"perceptron", &online.Perceptron{Epochs: passes}, o.Perceptron.rule},
			{"rate", &online.Perceptron{Epochs: passes, Rate: 0.3}, o.Rate},
			{"through the origin", &online.Perceptron{Epochs: passes, NoIntercept: true}, o.Through0},
			{"averaged", &online.Perceptron{Epochs: passes, Average: true}, o.Averaged},
			{"margin", &online.Perceptron{Epochs: passes, Margin: 1}, o.Margin},
			{"aggressive", &online.Perceptron{Epochs: passes, Aggressive: true, Margin: 1}, o.Aggressive},
			{"start", &online.Perceptron{Epochs: passes, Rate: 0.5, Start: o.Start.From}, o.Start.rule},
			{"averaged from the start", &online.Perceptron{Epochs: passes, Rate: 0.5, Start: o.Start.From, Average: true},
				rule{W: o.Start.Mean[:len(o.X[0])], B: o.Start.Mean[len(o.X[0])]}},
			{"threshold", &online.ThresholdPerceptron{Epochs: passes, Rate: 0.2}, o.Threshold},
			{"PA-I", &online.PassiveAggressive{Epochs: passes}, o.PA1},
			{"PA-I, small steps", &online.PassiveAggressive{Epochs: passes, C: 0.05}, o.PA1Small},
			{"PA-II", &online.PassiveAggressive{Epochs: passes, C: 0.5, Squared: true}, o.PA2},
			{"averaged PA-I", &online.PassiveAggressive{Epochs: passes, C: 0.1, NoIntercept: true, Average: true}, o.PAAveraged},
		} {
			t.Run(o.Name+" "+c.name, func(t *testing.T) {
				for _, form := range []mat.Matrix{x, sparse.FromDense(x)} {
					fit(t, c.m, form, o.Y)
					var w []float64
					var b float64
					var trace online.MistakeTrace
					switch m := c.m.(type) {
					case *online.Perceptron:
						w, b, trace = m.Coef, m.Intercept, m.Trace
					case *online.ThresholdPerceptron:
						w, b, trace = m.Coef, m.Intercept, m.Trace
					case *online.PassiveAggressive:
						w, b, trace = m.Coef, m.Intercept, m.Trace
					}
					mltest.NearAll(t, "w", w, c.want.W, rounding)
					mltest.Near(t, "b", b, c.want.B, rounding)
					if c.want.Mistakes != nil {
						mltest.NearAll(t, "mistakes", trace.Mistakes, c.want.Mistakes, 0)
					}
				}
			})
		}
		p := &online.Perceptron{Epochs: passes}
		fit(t, p, x, o.Y)
		mltest.NearAll(t, o.Name+" scores", mat.Col(nil, 0, p.Decision(x)), o.Perceptron.Score, rounding)
		if got := p.Predict(x); !slices.Equal(got, o.Perceptron.Pred) {
			t.Errorf("%s predictions: got %v, want %v", o.Name, got, o.Perceptron.Pred)
		}
	}
}

func TestOracleVotedPerceptron(t *testing.T) {
	for _, o := range readOracle(t).Two {
		x := data.Rows(o.X)
		votes, scores := &online.VotedPerceptron{Epochs: passes}, &online.VotedPerceptron{Epochs: passes, Average: true}
		fit(t, votes, x, o.Y)
		fit(t, scores, x, o.Y)
		var counts []float64
		for _, r := range votes.Rules {
			counts = append(counts, r.Count)
		}
		mltest.NearAll(t, o.Name+" survival counts", counts, o.Voted.Counts, 0)
		mltest.NearAll(t, o.Name+" votes", mat.Col(nil, 0, votes.Decision(x)), o.Voted.Votes, rounding)
		mltest.NearAll(t, o.Name+" scores", mat.Col(nil, 0, scores.Decision(x)), o.Voted.Scores, rounding)
	}
}

func TestOracleMulticlassPerceptron(t *testing.T) {
	for _, o := range readOracle(t).Many {
		x := data.Rows(o.X)
		for _, c := range []struct {
			name string
			m    online.MulticlassPerceptron
			want multiRule
		}{
			{"perceptron", online.MulticlassPerceptron{Epochs: passes}, o.Perceptron},
			{"margin", online.MulticlassPerceptron{Epochs: passes, Margin: 0.5}, o.Margin},
			{"aggressive", online.MulticlassPerceptron{Epochs: passes, Aggressive: true, C: 0.3}, o.Aggressive},
		} {
			for _, average := range []bool{false, true} {
				m, want := c.m, c.want.W
				if m.Average = average; average {
					want = c.want.Mean
				}
				fit(t, &m, x, o.Y)
				for k, row := range want {
					mltest.NearAll(t, o.Name+" "+c.name, append(mat.Row(nil, k, m.Coef), m.Intercept[k]), row, rounding)
				}
			}
		}
	}
}

func TestOracleWinnow(t *testing.T) {
	for _, o := range readOracle(t).Boolean {
		x := data.Rows(o.X)
		n := float64(len(o.X[0]))
		for _, c := range []struct {
			name string
			m    online.Winnow
			want winnowRule
		}{
			{"plain", online.Winnow{Epochs: passes}, o.Plain},
			{"mild", online.Winnow{Epochs: passes, Alpha: 1.3, Theta: 0.4 * n}, o.Mild},
			{"eliminate", online.Winnow{Epochs: passes, Eliminate: true}, o.Eliminate},
			{"balanced", online.Winnow{Epochs: passes, Alpha: 1.5, Balanced: true}, o.Balanced},
			{"margin", online.Winnow{Epochs: passes, Alpha: 1.4, Margin: 0.5}, o.Margin},
		} {
			t.Run(o.Name+" "+c.name, func(t *testing.T) {
				last, mean := c.m, c.m
				mean.Average = true
				fit(t, &last, x, o.Y)
				fit(t, &mean, sparse.FromDense(x), o.Y)
				mltest.NearAll(t, "w", last.Coef, c.want.W, rounding)
				// A pass without a mistake ends the fit; the oracle continues.
				done := len(last.Trace.Mistakes)
				mltest.NearAll(t, "mistakes", last.Trace.Mistakes, c.want.Mistakes[:done], 0)
				if done == passes {
					mltest.NearAll(t, "mean w", mean.Coef, c.want.Mean, rounding)
				}
			})
		}
	}
}

func TestOracleWeightedMajority(t *testing.T) {
	for _, o := range readOracle(t).Boolean {
		var experts []func(x []float64) int
		for _, positive := range []int{1, -1} {
			for j := range o.X[0] {
				experts = append(experts, func(x []float64) int {
					if x[j] > 0.5 {
						return positive
					}
					return -positive
				})
			}
		}
		m := online.NewWeightedMajority(experts)
		m.Beta = 0.75
		y := make([]int, len(o.Y))
		for i, c := range o.Y {
			y[i] = 2*c - 1
		}
		curve := online.Play(m, data.Rows(o.X), y)
		if curve.Mistakes != o.Majority.Mistakes {
			t.Errorf("%s: %d mistakes, want %d", o.Name, curve.Mistakes, o.Majority.Mistakes)
		}
		mltest.NearAll(t, o.Name+" weights", m.Weights, o.Majority.W, rounding)
	}
}

func TestOracleSigmoidScale(t *testing.T) {
	for _, o := range readOracle(t).Two {
		y := make([]int, len(o.Y))
		for i, c := range o.Y {
			y[i] = 2*c - 1
		}
		scale, err := online.FitSigmoidScale(o.Sigmoid.Score, y)
		if err != nil {
			t.Fatal(err)
		}
		// scikit-learn's Newton method stops at a gradient of 1e-12 an example.
		mltest.Near(t, o.Name+" A", scale.A, o.Sigmoid.A, 1e-8)
		for i, s := range o.Sigmoid.Score {
			mltest.Near(t, o.Name+" probability", scale.Probability(s), o.Sigmoid.P[i], 1e-8)
		}
		var truth, predicted []float64
		for _, b := range online.Reliability(y, o.Reliability.P, 1, 6) {
			truth, predicted = append(truth, b.Observed), append(predicted, b.Predicted)
		}
		mltest.NearAll(t, o.Name+" observed", truth, o.Reliability.True, rounding)
		mltest.NearAll(t, o.Name+" predicted", predicted, o.Reliability.Predicted, rounding)
	}
}
