package reduce_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// oracle holds what testdata/oracles/reduce.py computed with scikit-learn, or over
// its logistic regression, on the samples that the library draws.
type oracle struct {
	Many []struct {
		Name        string
		X           [][]float64
		Y           []int
		Rest, Pairs struct {
			Score [][]float64
			Pred  []int
		}
		Code struct {
			Bits       [][]bool
			Pred, Hard []int
		}
		Tree struct{ Pred []int }
	}
	Two []struct {
		Name      string
		X         [][]float64
		Y         []int
		Cost      []float64
		Subsample struct {
			Rows []int
			Coef []float64
		}
		Costing struct {
			Weights    []float64
			Rows, Pred []int
		}
	}
	Ranking []struct {
		Name        string
		X           [][]float64
		Y           []float64
		Coef, Score []float64
		Rank, First []int
	}
	Graph []struct {
		Name                      string
		Graph                     reduce.Graph
		Naive, Stacked, Iterative [][]int
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "reduce", &o)
	if len(o.Many) < 5 || len(o.Two) < 5 || len(o.Ranking) < 5 || len(o.Graph) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// exactly is logistic regression solved so precisely that its coefficients agree with any other
// exact solver to six digits.
func exactly() model.Classifier { return &linear.LogisticRegression{Tol: 1e-10, MaxIter: 100000} }

// solved is the tolerance for functions of coefficients that both solvers found.
const solved = 1e-6

func samePredictions(t *testing.T, what string, got, want []int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%v, want\n%v", what, got, want)
	}
}

// The values are what testdata/oracles/weighted.py computed with scikit-learn's
// OneVsRestClassifier, for the data sets of reduce.json.
func TestOracleOneVsAllProbabilities(t *testing.T) {
	var want struct {
		Rest []struct{ Proba [][]float64 }
	}
	mltest.ReadOracle(t, "weighted", &want)
	for i, o := range readOracle(t).Many {
		x := data.Rows(o.X)
		m := &reduce.OneVsAll{New: exactly}
		fit(t, m, x, o.Y)
		p := m.PredictProba(x)
		for k, row := range want.Rest[i].Proba {
			mltest.NearAll(t, o.Name, p.RawRowView(k), row, solved)
		}
	}
}

// Models without probabilities use the sigmoid of scores, or yes and no.
func TestOneVsAllWithoutProbabilities(t *testing.T) {
	x, y := mat.NewDense(6, 1, []float64{0, 1, 10, 11, 20, 21}), []int{1, 1, 2, 2, 3, 3}
	votes := &reduce.OneVsAll{New: func() model.Classifier { return &plain{&neighbors.KNN{K: 1}} }}
	fit(t, votes, x, y)
	p := votes.PredictProba(mat.NewDense(1, 1, []float64{10.5}))
	mltest.NearAll(t, "one says yes", p.RawRowView(0), []float64{0, 1, 0}, 0)
	scores := &reduce.OneVsAll{New: func() model.Classifier { return &svm.LinearSVC{} }}
	fit(t, scores, x, y)
	d, p := scores.Decision(x), scores.PredictProba(x)
	for i := range 6 {
		want, sum := make([]float64, 3), 0.0
		for k := range want {
			want[k] = 1 / (1 + math.Exp(-d.At(i, k)))
			sum += want[k]
		}
		floats.Scale(1/sum, want)
		mltest.NearAll(t, "sigmoids", p.RawRowView(i), want, 1e-12)
	}
}

// plain hides all results except the classes.
type plain struct{ m model.Classifier }

func (p *plain) Fit(x mat.Matrix, y []int) error { return p.m.Fit(x, y) }
func (p *plain) Predict(x mat.Matrix) []int      { return p.m.Predict(x) }

func TestOracleMulticlass(t *testing.T) {
	for _, o := range readOracle(t).Many {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			rest, pairs := &reduce.OneVsAll{New: exactly}, &reduce.AllVsAll{New: exactly}
			fit(t, rest, x, o.Y)
			fit(t, pairs, x, o.Y)
			for i := range o.Y {
				for k, s := range o.Rest.Score[i] {
					mltest.Near(t, "one against all", rest.Decision(x).At(i, k), s, solved)
				}
			}
			votes := pairs.Decision(x)
			for i, row := range o.Pairs.Score {
				for k, s := range row {
					mltest.Near(t, "votes", votes.At(i, k), s, solved)
				}
			}
			samePredictions(t, "one against all", rest.Predict(x), o.Rest.Pred)
			samePredictions(t, "all against all", pairs.Predict(x), o.Pairs.Pred)
			code := &reduce.Code{Bits: o.Code.Bits}
			soft := &reduce.OutputCode{New: exactly, Code: code, Soft: true}
			hard := &reduce.OutputCode{New: exactly, Code: code}
			fit(t, soft, x, o.Y)
			fit(t, hard, x, o.Y)
			samePredictions(t, "output code", soft.Predict(x), o.Code.Pred)
			samePredictions(t, "output code by bits", hard.Predict(x), o.Code.Hard)
			halves := &reduce.TreeReduction{New: exactly}
			fit(t, halves, x, o.Y)
			samePredictions(t, "tree of classes", halves.Predict(x), o.Tree.Pred)
		})
	}
}

func coefficients(m model.Classifier) []float64 {
	l := m.(*linear.LogisticRegression)
	return append(slices.Clone(l.Coef.RawRowView(0)), l.Intercept[0])
}

func TestOracleWeightedBinary(t *testing.T) {
	for _, o := range readOracle(t).Two {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			for _, method := range []reduce.CostMethod{reduce.CostWeights, reduce.CostOversample} {
				m := &reduce.CostSensitive{New: exactly, Alpha: 3, Method: method}
				fit(t, m, x, o.Y)
				mltest.NearAll(t, string(method), coefficients(m.Model), o.Cost, solved)
			}
			samePredictions(t, "rows kept", reduce.Subsample(o.Y, 1, 3, 7), o.Subsample.Rows)
			m := &reduce.CostSensitive{New: exactly, Alpha: 3, Method: reduce.CostSubsample, Seed: 7}
			fit(t, m, x, o.Y)
			mltest.NearAll(t, "subsample", coefficients(m.Model), o.Subsample.Coef, solved)
			samePredictions(t, "rows of weighted sample", reduce.RejectionSample(o.Costing.Weights, 3), o.Costing.Rows)
			c := &reduce.Costing{New: exactly, Size: 5, Seed: 3}
			if err := c.FitWeighted(x, o.Y, o.Costing.Weights); err != nil {
				t.Fatal(err)
			}
			samePredictions(t, "costing", c.Predict(x), o.Costing.Pred)
		})
	}
}

func TestOraclePairwiseRanker(t *testing.T) {
	for _, o := range readOracle(t).Ranking {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			r := &reduce.PairwiseRanker{New: func() model.Classifier {
				return &linear.LogisticRegression{C: 0.1, NoIntercept: true, Tol: 1e-10, MaxIter: 100000}
			}}
			if err := r.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			for j, c := range o.Coef {
				mltest.Near(t, "coefficient", r.Model.(*linear.LogisticRegression).Coef.At(0, j), c, solved)
			}
			for i, s := range r.Predict(x) {
				mltest.Near(t, "score", s, o.Score[i], solved)
			}
			samePredictions(t, "rank", r.Rank(x), o.Rank)
			for v, first := range o.First {
				if r.Before(x, 0, v) != (first == 1) {
					t.Errorf("item 0 before item %d: got %v", v, first != 1)
				}
			}
		})
	}
}

func TestOracleCollective(t *testing.T) {
	o := readOracle(t)
	for k, g := range o.Graph {
		t.Run(g.Name, func(t *testing.T) {
			y := o.Many[k].Y
			x := mat.DenseCopyOf(data.Rows(o.Many[k].X).Slice(0, len(y), 0, 1))
			for _, c := range []struct {
				name  string
				model reduce.CollectiveClassifier
				want  [][]int
			}{
				{"naive", reduce.CollectiveClassifier{Folds: 1}, g.Naive},
				{"stacked", reduce.CollectiveClassifier{Folds: 4, Seed: 2}, g.Stacked},
				{"iterative", reduce.CollectiveClassifier{Iterative: true}, g.Iterative},
			} {
				c.model.New = exactly
				if err := c.model.FitGraph(x, y, g.Graph); err != nil {
					t.Fatal(err)
				}
				_, rounds := c.model.PredictGraph(x, g.Graph)
				if len(rounds) != len(c.want) {
					t.Fatalf("%s: %d rounds, want %d", c.name, len(rounds), len(c.want))
				}
				for r := range rounds {
					samePredictions(t, c.name, rounds[r], c.want[r])
				}
			}
		})
	}
}
