package persist_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/persist"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/recommend"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/rl"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/semi"
	"github.com/gokernel/gokernel/mlstd/structured"
	"github.com/gokernel/gokernel/mlstd/svm"
	"github.com/gokernel/gokernel/mlstd/theory"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// blobs are n points of two columns in k groups on a circle, labeled by their
// group, with a real target of their own.
func blobs(n, k int) (x *mat.Dense, class []int, target []float64) {
	rng := model.Rand(11, 0)
	x, class, target = mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n)
	for i := range n {
		class[i] = i % k
		a := 2 * math.Pi * float64(class[i]) / float64(k)
		x.SetRow(i, []float64{3 + math.Cos(a) + 0.2*rng.NormFloat64(), 3 + math.Sin(a) + 0.2*rng.NormFloat64()})
		target[i] = x.At(i, 0)*x.At(i, 1) + 0.1*rng.NormFloat64()
	}
	return x, class, target
}

// unseen is the number of points outside the training set for which a model predicts.
const unseen = 20

// bits are the vectors of n booleans.
func bits(n int) *mat.Dense {
	x := mat.NewDense(1<<n, n, nil)
	for i := range 1 << n {
		for j := range n {
			x.Set(i, j, float64(i>>j&1))
		}
	}
	return x
}

func shallow() model.Classifier { return &tree.DecisionTree{MaxDepth: 2} }

func logistic() model.Classifier { return &linear.LogisticRegression{} }

// kind describes how to make and fit a model of a type, and how to get its answers.
type kind struct {
	fitted func(t *testing.T) any
	answer func(m any) any
}

// of returns the kind of a type.
func of(typ reflect.Type) kind {
	how, ok := special[strings.TrimPrefix(typ.String(), "*")]
	if !ok {
		how.fitted = fitted(reflect.New(typ.Elem()).Interface())
	}
	if how.answer == nil {
		how.answer = answers
	}
	return how
}

// world returns a small environment to learn in.
var world = &rl.GridWorld{Map: []string{"..G", "S.."}, Goal: 100}

func corner() rl.Discrete {
	env, err := world.Env()
	if err != nil {
		panic(err)
	}
	return env
}

// learned is the kind of a learner: how it learns and what it answers.
func learned[L any](l L, learn func(L) error, answer func(L) any) kind {
	return kind{
		fitted: func(t *testing.T) any {
			if err := learn(l); err != nil {
				t.Fatal(err)
			}
			return l
		},
		answer: func(m any) any { return answer(m.(L)) },
	}
}

// whole is the kind of a classifier of whole numbers.
func whole(m model.ProbClassifier) kind {
	return kind{
		fitted: func(t *testing.T) any {
			x, y := bits(4), make([]int, 16)
			for i := range y {
				y[i] = i % 3
			}
			if err := m.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any { return rows(m.(model.ProbClassifier).PredictProba(bits(4))) },
	}
}

// recommended is the kind of a recommender.
func recommended(m recommend.Recommender) kind {
	return learned(m, func(m recommend.Recommender) error {
		return m.Learn(recommend.RatingsOf(mat.NewDense(3, 3, []float64{5, 4, math.NaN(), 4, 5, 1, 1, math.NaN(), 5})))
	}, func(m recommend.Recommender) any { return []float64{m.Predict(0, 2), m.Predict(2, 1), m.Predict(9, 0)} })
}

// special are models that are not fitted by Fit(x, y) from their zero value: how
// to make and fit each, and what it answers.
var special = map[string]kind{
	"bayesnet.BayesEM": learned(&bayesnet.BayesEM{Structure: bayesnet.Sprinkler(), MaxIter: 3},
		func(m *bayesnet.BayesEM) error { return m.Learn(bayesnet.Sprinkler().Sample(30, 1)) },
		func(m *bayesnet.BayesEM) any { return []any{m.LogLikelihood, m.Net.Query("Rain").P} }),
	"bayesnet.BayesNetwork": {
		fitted: func(*testing.T) any { return bayesnet.Student() },
		answer: func(m any) any {
			n := m.(*bayesnet.BayesNetwork)
			return []any{n.Query("Letter").P, n.Given("Letter", "l0").Query("Grade", "SAT").P, len(n.BIF())}
		},
	},
	"bayesnet.ChowLiuClassifier": whole(&bayesnet.ChowLiuClassifier{}),
	"bayesnet.NaiveNetwork":      whole(&bayesnet.NaiveNetwork{}),
	"bayesnet.TAN":               whole(&bayesnet.TAN{}),
	"bayesnet.SparseCandidate": learned(&bayesnet.SparseCandidate{K: 2},
		func(m *bayesnet.SparseCandidate) error { return m.Learn(bayesnet.Sprinkler().Sample(200, 1)) },
		func(m *bayesnet.SparseCandidate) any { return []any{m.Value, m.Net.Query("Rain").P} }),
	"bayesnet.StructureSearch": learned(&bayesnet.StructureSearch{},
		func(m *bayesnet.StructureSearch) error { return m.Learn(bayesnet.Sprinkler().Sample(200, 1)) },
		func(m *bayesnet.StructureSearch) any { return []any{m.Value, m.Net.Query("Rain").P} }),
	"cluster.Agglomerative": clustered(&cluster.Agglomerative{K: 3}, func(m any) any {
		c := m.(*cluster.Agglomerative)
		return []any{c.Labels, c.Tree.Cut(4), c.Tree.Heights()}
	}),
	"cluster.DBSCAN": clustered(&cluster.DBSCAN{}, func(m any) any {
		c := m.(*cluster.DBSCAN)
		return []any{c.Labels, c.Core}
	}),
	"cluster.HDBSCAN": clustered(&cluster.HDBSCAN{}, func(m any) any {
		c := m.(*cluster.HDBSCAN)
		return []any{c.Labels, c.Strengths, c.Stabilities, len(c.Condensed)}
	}),
	"cluster.KModes":          clustered(&cluster.KModes{K: 3}, nil),
	"cluster.MeanShift":       clustered(&cluster.MeanShift{}, nil),
	"cluster.MiniBatchKMeans": clustered(&cluster.MiniBatchKMeans{K: 3}, nil),
	"cluster.SpectralClustering": clustered(&cluster.SpectralClustering{K: 3}, func(m any) any {
		c := m.(*cluster.SpectralClustering)
		return []any{c.Labels, c.Eigenvalues}
	}),
	"cluster.Documents": {
		fitted: func(t *testing.T) any {
			m := &cluster.Documents{K: 2}
			if err := m.Learn([]string{"the tree grows", "trees grow", "a loan of money", "money in a bank"}); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any {
			c := m.(*cluster.Documents)
			return []any{c.Labels, c.Names, c.Weights}
		},
	},
	"nn.Diffusion": learned(&nn.Diffusion{Steps: 5},
		func(m *nn.Diffusion) error { x, _, _ := blobs(60, 3); return m.Fit(x) },
		func(m *nn.Diffusion) any {
			x, _, _ := blobs(unseen, 5)
			return []any{rows(m.Sample(3, 1)), rows(m.Noised(x, 7, 1))}
		}),
	"theory.FilterBoost": learned(&theory.FilterBoost{New: func() model.Classifier { return &tree.DecisionStump{} }, Size: 50},
		func(l *theory.FilterBoost) error {
			return l.Learn(func(rng *rand.Rand) ([]float64, int) {
				x := []float64{rng.Float64(), rng.Float64()}
				return x, int(x[0] + x[1])
			})
		},
		func(l *theory.FilterBoost) any {
			x, _, _ := blobs(unseen, 5)
			return l.Predict(x)
		}),
	"latent.BernoulliMixture":   clustered(&latent.BernoulliMixture{K: 2, Alpha: 1}, nil),
	"latent.GaussianMixture":    clustered(&latent.GaussianMixture{K: 3}, nil),
	"latent.MultinomialMixture": clustered(&latent.MultinomialMixture{K: 2, Alpha: 1}, nil),
	"latent.HMM": learned(&latent.HMM{K: 2, MaxIter: 3},
		func(h *latent.HMM) error { return h.Learn([][]int{{0, 1, 2, 0, 0, 1}, {2, 2, 1}}) },
		func(h *latent.HMM) any { return []any{h.LogProb([]int{0, 1, 2}), h.Start, h.Trans} }),
	"latent.GaussianHMM": learned(&latent.GaussianHMM{K: 2, MaxIter: 3},
		func(h *latent.GaussianHMM) error { x, _, _ := blobs(60, 3); return h.Learn(x) },
		func(h *latent.GaussianHMM) any { x, _, _ := blobs(unseen, 3); return h.LogProb(x) }),
	"semi.TransductiveSVM": {
		fitted: func(t *testing.T) any {
			x, y, _ := blobs(60, 2)
			m := &semi.TransductiveSVM{}
			if err := m.FitUnlabeled(x.Slice(0, 20, 0, 2), y[:20], x.Slice(20, 60, 0, 2)); err != nil {
				t.Fatal(err)
			}
			return m
		},
	},
	"decomp.FeatureHasher": {fitted: fitted(&decomp.FeatureHasher{Columns: 4})},
	"decomp.PowerIteration": learned(&decomp.PowerIteration{K: 2},
		func(l *decomp.PowerIteration) error { return l.Learn(mat.NewDense(2, 2, []float64{2, 1, 1, 2})) },
		func(l *decomp.PowerIteration) any { return []any{l.Values, rows(l.Vectors), l.Converged} }),
	"decomp.WordVectors": learned(&decomp.WordVectors{Components: 2},
		func(l *decomp.WordVectors) error {
			return l.Learn([]string{"the tree grows", "a tree is a graph", "the grass grows"})
		},
		func(l *decomp.WordVectors) any { return []any{l.Words, l.Vector("tree"), l.Singular} }),
	"recommend.FactorRecommender":   recommended(&recommend.FactorRecommender{Components: 2}),
	"recommend.ImplicitRecommender": recommended(&recommend.ImplicitRecommender{Components: 2}),
	"recommend.LowRankRecommender":  recommended(&recommend.LowRankRecommender{}),
	"recommend.NeighborRecommender": recommended(&recommend.NeighborRecommender{}),
	"rl.ActorCritic": learned(&rl.ActorCritic{Episodes: 5, MaxSteps: 50},
		func(l *rl.ActorCritic) error { return l.Learn(&rl.MountainCar{}) },
		func(l *rl.ActorCritic) any {
			return []any{l.Probabilities([]float64{-0.5, 0}), l.Value([]float64{-0.5, 0})}
		}),
	"rl.BanditLearner": learned(&rl.BanditLearner{Steps: 100, Explore: rl.UCB{}},
		func(l *rl.BanditLearner) error { return l.Learn(rl.TenArmed(1)) },
		func(l *rl.BanditLearner) any { return []any{l.Q, l.Pulls, l.Regret[99]} }),
	"nn.NetworkClassifier": {fitted: fitted(&nn.NetworkClassifier{Shape: []int{2, 1}, Single: true, Epochs: 5, New: func() []nn.Layer {
		return []nn.Layer{&nn.Conv1D{Filters: 3, Size: 1, Activation: nn.TanhUnits}, &nn.BatchNorm{}, &nn.Dropout{}, &nn.LSTM{Units: 3}}
	}})},
	"nn.Network": learned(
		&nn.Network{Shape: []int{3}, Layers: slices.Concat(
			[]nn.Layer{&nn.Embedding{Words: 5, Size: 4}, &nn.PositionalEncoding{Base: 20}},
			nn.TransformerBlock{Size: 4, Heads: 2, Hidden: 3, Causal: true, Dropout: 0.1}.Layers(),
			nn.TransformerBlock{Size: 4, Hidden: 3, PostNorm: true}.Layers(),
			[]nn.Layer{&nn.Conv1D{Filters: 5, Size: 1}},
		)},
		func(n *nn.Network) error {
			t := nn.Trainer{Loss: nn.StepEntropy, Epochs: 2}
			_, err := t.Train(n, mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 0}), mat.NewDense(2, 3, []float64{1, 2, 3, 4, 0, 1}))
			return err
		},
		func(n *nn.Network) any { return n.Eval(4, 0, 2) }),
	"rl.DQN": learned(&rl.DQN{Hidden: []int{4}, Episodes: 5, MaxSteps: 50},
		func(l *rl.DQN) error { return l.Learn(&rl.CartPole{}) },
		func(l *rl.DQN) any { return l.Values([]float64{0.1, 0, 0.02, -0.3}) }),
	"rl.LinearQ": learned(&rl.LinearQ{Episodes: 5, MaxSteps: 50},
		func(l *rl.LinearQ) error { return l.Learn(&rl.MountainCar{}) },
		func(l *rl.LinearQ) any { return l.Values([]float64{-0.5, 0}) }),
	"rl.QLearning": learned(&rl.QLearning{Episodes: 100},
		func(l *rl.QLearning) error { return l.Learn(corner()) },
		func(l *rl.QLearning) any { return []any{l.Values(), l.Policy()} }),
	"rl.Reinforce": learned(&rl.Reinforce{Episodes: 5, Features: rl.OneHot{N: 6}},
		func(l *rl.Reinforce) error { return l.Learn(rl.Indexed(corner())) },
		func(l *rl.Reinforce) any { return l.Probabilities([]float64{3}) }),
	"rl.SARSA": learned(&rl.SARSA{Episodes: 100, Explore: rl.PowerChoice{}},
		func(l *rl.SARSA) error { return l.Learn(corner()) },
		func(l *rl.SARSA) any { return []any{l.Values(), l.Policy()} }),
	"rl.TD": learned(&rl.TD{Episodes: 20},
		func(l *rl.TD) error {
			m, err := world.MDP()
			if err != nil {
				return err
			}
			return l.Learn(corner(), rl.UniformPolicy(m))
		},
		func(l *rl.TD) any { return l.V }),
	"neighbors.NeighborIndex": {
		fitted: func(t *testing.T) any {
			x, _, _ := blobs(60, 3)
			m := &neighbors.NeighborIndex{}
			if err := m.Learn(x); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any {
			x, _, _ := blobs(unseen, 5)
			_, far := m.(*neighbors.NeighborIndex).Nearest(x, 2)
			return far
		},
	},
	"ensemble.Bagging":          {fitted: fitted(&ensemble.Bagging{New: shallow, Size: 3})},
	"ensemble.BaggingRegressor": {fitted: fitted(&ensemble.BaggingRegressor{New: func() model.Regressor { return &tree.RegressionTree{} }, Size: 3})},
	"ensemble.GradientBoostingRanker": {
		fitted: func(t *testing.T) any {
			x, relevance, _ := blobs(60, 3)
			y, query := make([]float64, 60), make([]int, 60)
			for i, r := range relevance {
				y[i], query[i] = float64(r), i/10
			}
			m := &ensemble.GradientBoostingRanker{Rounds: 3}
			if err := m.FitQueries(x, y, query); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any {
			x, _, _ := blobs(unseen, 5)
			return m.(*ensemble.GradientBoostingRanker).Predict(x)
		},
	},
	"ensemble.Stacking": {fitted: fitted(&ensemble.Stacking{
		New: []func() model.Classifier{shallow, logistic}, Final: logistic, Pass: true,
	})},
	"ensemble.StackingRegressor": {fitted: fitted(&ensemble.StackingRegressor{
		New:   []func() model.Regressor{func() model.Regressor { return &tree.RegressionTree{MaxDepth: 2} }},
		Final: func() model.Regressor { return &linear.Ridge{} },
	})},
	"ensemble.Voting": {fitted: fitted(&ensemble.Voting{New: []func() model.Classifier{shallow, logistic}, Soft: true})},
	"ensemble.VotingRegressor": {fitted: fitted(&ensemble.VotingRegressor{
		New: []func() model.Regressor{func() model.Regressor { return &linear.Ridge{} }}, Weights: []float64{2},
	})},
	"eval.Calibrated": {fitted: fitted(&eval.Calibrated{New: shallow, Isotonic: true})},
	"eval.IsotonicRegression": {
		fitted: func(t *testing.T) any {
			x, _, y := blobs(60, 3)
			m := &eval.IsotonicRegression{}
			if err := m.Fit(x.Slice(0, 60, 0, 1), y); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any {
			x, _, _ := blobs(unseen, 5)
			return m.(*eval.IsotonicRegression).Predict(x.Slice(0, unseen, 1, 2))
		},
	},
	"eval.Pipeline": {fitted: fitted(&eval.Pipeline{
		Steps: []model.Transformer{&prep.StandardScaler{}, &prep.PolynomialFeatures{}},
		Model: &neighbors.KNN{K: 3},
	})},
	"eval.ProbPipeline": {fitted: fitted(&eval.ProbPipeline{
		Steps: []model.Transformer{&prep.MinMaxScaler{}}, Model: &svm.CalibratedSVC{},
	})},
	"eval.RegressorPipeline": {fitted: fitted(&eval.RegressorPipeline{
		Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &kernel.KernelRidge{Kernel: kernel.SumKernel{kernel.LinearKernel{}, kernel.RBF(0.3)}},
	})},
	"eval.Search": {fitted: fitted(&eval.Search{
		New:    func(p eval.Params) model.Classifier { return &tree.DecisionTree{MaxDepth: int(p["depth"])} },
		Points: eval.GridPoints(map[string][]float64{"depth": {1, 3}}),
		Split:  eval.KFold{K: 3, Shuffle: true},
		By:     eval.ByBrier,
	})},
	"eval.RegressorSearch": {fitted: fitted(&eval.RegressorSearch{
		New:    func(p eval.Params) model.Regressor { return &tree.RegressionTree{MaxDepth: int(p["depth"])} },
		Points: eval.GridPoints(map[string][]float64{"depth": {1, 3}}),
		By:     eval.ByMAE,
	})},
	"linear.LMS": {fitted: fitted(&linear.LMS{Rate: optim.InverseRate{A: 0.5, B: 50}})},
	"linear.LogisticMLE": {fitted: func(t *testing.T) any {
		x, y, _ := blobs(60, 2)
		y[0], y[1] = y[1], y[0] // so that no line separates the classes
		m := &linear.LogisticMLE{}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		return m
	}},
	"linear.PolynomialRegression": {
		fitted: func(t *testing.T) any {
			x, _, y := blobs(60, 3)
			m := &linear.PolynomialRegression{Degree: 3}
			if err := m.Fit(x.Slice(0, 60, 0, 1), y); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any {
			x, _, _ := blobs(unseen, 5)
			return m.(*linear.PolynomialRegression).Predict(x.Slice(0, unseen, 1, 2))
		},
	},
	"prob.BernoulliNB":   {fitted: fitted(&prob.BernoulliNB{Threshold: 3})},
	"prob.CategoricalNB": whole(&prob.CategoricalNB{}),
	"prob.DiscriminantProjection": {fitted: func(t *testing.T) any {
		_, three, _ := blobs(60, 3)
		return fitted(&prob.DiscriminantProjection{Y: three})(t)
	}},
	"reduce.AllVsAll":       {fitted: fitted(&reduce.AllVsAll{New: shallow})},
	"reduce.CostSensitive":  {fitted: fitted(&reduce.CostSensitive{New: logistic, Alpha: 5})},
	"reduce.Costing":        {fitted: fitted(&reduce.Costing{New: shallow})},
	"reduce.OneVsAll":       {fitted: fitted(&reduce.OneVsAll{New: logistic})},
	"reduce.OutputCode":     {fitted: fitted(&reduce.OutputCode{New: shallow})},
	"reduce.PairwiseRanker": {fitted: fitted(&reduce.PairwiseRanker{New: logistic, Omega: func(i, j int) float64 { return 1 }})},
	"reduce.TreeReduction":  {fitted: fitted(&reduce.TreeReduction{New: shallow})},
	"reduce.CollectiveClassifier": {
		fitted: func(t *testing.T) any {
			x, y, _ := blobs(30, 3)
			m := &reduce.CollectiveClassifier{New: shallow}
			if err := m.FitGraph(x, y, ring(30)); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any {
			x, _, _ := blobs(50, 3)
			_, rounds := m.(*reduce.CollectiveClassifier).PredictGraph(x, ring(50))
			return rounds
		},
	},
	"online.Elimination": {
		fitted: func(*testing.T) any { return taught(online.NewElimination(4, false)) },
		answer: guesses,
	},
	"online.VersionSpace": {
		fitted: func(*testing.T) any {
			return taught(online.NewVersionSpace([]online.Conjunction{
				{Positive: []int{0}}, {Positive: []int{0, 1}}, {Positive: []int{1}, Negative: []int{2}}, {Positive: []int{0}, Negative: []int{3}},
			}, false, 5))
		},
		answer: guesses,
	},
	"rules.CandidateElimination": {
		fitted: func(*testing.T) any {
			levels := []string{"0", "1", "2"}
			c := rules.NewCandidateElimination([]model.Column{
				{Name: "a", Kind: model.Nominal, Levels: levels}, {Name: "b", Kind: model.Nominal, Levels: levels}, {Name: "c", Kind: model.Nominal, Levels: levels},
			})
			c.Learn([]float64{0, 1, 2}, true)
			c.Learn([]float64{1, 1, 0}, false)
			c.Learn([]float64{0, 2, 2}, true)
			return c
		},
		answer: func(m any) any {
			c := m.(*rules.CandidateElimination)
			said := []int{len(c.Members())}
			for i := range 27 {
				said = append(said, c.Classify([]float64{float64(i % 3), float64(i / 3 % 3), float64(i / 9)}))
			}
			return said
		},
	},
	"rules.FOIL": {
		fitted: func(t *testing.T) any {
			f := &rules.FOIL{Background: []rules.Relation{rules.Pairs("edge", "a b, b c, c d")}, NoNegation: true}
			if err := f.Learn(rules.Pairs("reach", "a b, a c, a d, b c, b d, c d"), nil); err != nil {
				t.Fatal(err)
			}
			return f
		},
		answer: func(m any) any {
			tuples, err := m.(*rules.FOIL).Derive()
			return fmt.Sprint(m, tuples, err)
		},
	},
	"online.LinearLearner": {
		fitted: func(*testing.T) any { return taught(online.NewLinearLearner(4, true)) },
		answer: guesses,
	},
	"kernel.MistakePerceptron": {
		fitted: func(*testing.T) any {
			m := &kernel.MistakePerceptron{Kernel: kernel.PolynomialKernel{Degree: 3, C: 1}}
			x, y, _ := blobs(40, 2)
			for i, c := range y {
				m.Learn(x.RawRowView(i), 2*c-1)
			}
			return m
		},
		answer: func(m any) any {
			x, _, _ := blobs(70, 2)
			var s []float64
			for i := range 70 {
				s = append(s, m.(*kernel.MistakePerceptron).Score(x.RawRowView(i)))
			}
			return s
		},
	},
	"prep.Columns": {fitted: fitted(&prep.Columns{Steps: []prep.ColumnStep{
		{Indices: []int{1}, Steps: []model.Transformer{&prep.Imputer{}, &prep.StandardScaler{}}},
		{Indices: []int{0}},
	}})},
	"prep.RFE":              {fitted: selected(&prep.RFE{New: logistic, K: 1})},
	"prep.SelectFromModel":  {fitted: selected(&prep.SelectFromModel{New: logistic})},
	"prep.SelectKBest":      {fitted: selected(&prep.SelectKBest{K: 1})},
	"prep.SelectPercentile": {fitted: selected(&prep.SelectPercentile{Percent: 50})},
	"prep.KNNImputer":       {fitted: fitted(&prep.KNNImputer{}), answer: filled},
	"prep.IterativeImputer": {fitted: fitted(&prep.IterativeImputer{}), answer: filled},
	"prep.Union":            {fitted: fitted(&prep.Union{Steps: []model.Transformer{&prep.StandardScaler{}, &prep.MinMaxScaler{}}})},
	"prep.Vocabulary": {
		fitted: func(t *testing.T) any {
			v := &prep.Vocabulary{Stem: true}
			if err := v.Learn([]string{"the tree grows", "trees are grown", "a kernel"}); err != nil {
				t.Fatal(err)
			}
			return v
		},
		answer: func(m any) any { return mat.DenseCopyOf(m.(*prep.Vocabulary).Count([]string{"the kernel of trees"})) },
	},
	"prep.TextEncoder": {
		fitted: func(t *testing.T) any {
			e := &prep.TextEncoder{Grams: 2}
			if err := e.Fit(prep.TextTable("text", []string{"trees and rules", "kernels of trees", "rules"})); err != nil {
				t.Fatal(err)
			}
			return e
		},
		answer: func(m any) any {
			return rows(m.(*prep.TextEncoder).Transform(prep.TextTable("text", []string{"the kernel of trees", "rules"})).Dense)
		},
	},
	"prep.FeatureIndex": {
		fitted: func(*testing.T) any {
			f := &prep.FeatureIndex{}
			f.Columns([]string{"b", "a", "c"})
			return f
		},
		answer: func(m any) any { return m.(*prep.FeatureIndex).Columns([]string{"c", "new", "b"}) },
	},
	"structured.SequencePerceptron": {
		fitted: func(t *testing.T) any {
			m := &structured.SequencePerceptron{}
			err := m.Fit([][]string{{"the", "dog", "runs"}, {"a", "cat", "sleeps"}}, [][]string{{"D", "N", "V"}, {"D", "N", "V"}})
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: func(m any) any {
			return m.(*structured.SequencePerceptron).Predict([]string{"a", "dog", "sleeps", "here"})
		},
	},
}

// clustered is how a clusterer is fitted, and what it answers.
func clustered(m model.Clusterer, answer func(m any) any) kind {
	return kind{
		fitted: func(t *testing.T) any {
			x, _, _ := blobs(60, 3)
			if _, err := m.FitPredict(x); err != nil {
				t.Fatal(err)
			}
			return m
		},
		answer: answer,
	}
}

// Loading a model as another type fails, and the error says how to load it.
func TestLoadAs(t *testing.T) {
	x, y, target := blobs(60, 2)
	forest, line, scaler := &tree.DecisionTree{}, &linear.LinearRegression{}, &prep.StandardScaler{}
	if err := errors.Join(forest.Fit(x, y), line.Fit(x, target), scaler.Fit(x)); err != nil {
		t.Fatal(err)
	}
	path := func(m any) string {
		p := filepath.Join(t.TempDir(), "a.model")
		if err := persist.SaveFile(p, m); err != nil {
			t.Fatal(err)
		}
		return p
	}
	classifier, regressor, transformer := path(forest), path(line), path(scaler)
	c, err := persist.LoadClassifier(classifier)
	if err != nil || !slices.Equal(c.Predict(x), forest.Predict(x)) {
		t.Errorf("the classifier: %v", err)
	}
	r, err := persist.LoadRegressor(regressor)
	if err != nil || !slices.Equal(r.Predict(x), line.Predict(x)) {
		t.Errorf("the regressor: %v", err)
	}
	s, err := persist.LoadTransformer(transformer)
	if err != nil || !mat.Equal(s.Transform(x), scaler.Transform(x)) {
		t.Errorf("the transformer: %v", err)
	}
	for _, wrong := range []struct {
		load func() error
		want string
	}{
		{func() error { _, err := persist.LoadRegressor(classifier); return err }, "persist.LoadRegressor:"},
		{func() error { _, err := persist.LoadTransformer(regressor); return err }, "persist.LoadTransformer:"},
		{func() error { _, err := persist.LoadClassifier(transformer); return err }, "persist.LoadClassifier:"},
		{func() error { _, err := persist.LoadClassifier("none.model"); return err }, "no such file"},
	} {
		if err := wrong.load(); err == nil || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("got %v, want an error with %q", err, wrong.want)
		}
	}
}

func ring(n int) reduce.Graph {
	g := make(reduce.Graph, n)
	for i := range g {
		g[i] = []int{(i + 1) % n, (i + n - 1) % n}
	}
	return g
}

// taught shows l the vectors of 4 booleans, labeled by x₀ ∧ x₁.
func taught(l online.Learner) any {
	x := bits(4)
	for i := range 16 {
		r := x.RawRowView(i)
		l.Learn(r, int(2*r[0]*r[1]-1))
	}
	return l
}

func guesses(m any) any {
	x := bits(4)
	var g []int
	for i := range 16 {
		g = append(g, m.(online.Learner).Guess(x.RawRowView(i)))
	}
	return g
}

// brief makes m a small model that is soon fitted.
func brief(m any) {
	v := reflect.ValueOf(m).Elem()
	for name, n := range map[string]int64{"Trees": 3, "Rounds": 3, "Size": 3, "Epochs": 5, "MaxIter": 20} {
		if f := v.FieldByName(name); f.IsValid() && f.Kind() == reflect.Int && f.Int() == 0 {
			f.SetInt(n)
		}
	}
}

// fitted fits m to data that suit it: three classes, or two if it tells only two
// apart.
// selected is a selection of columns by three classes.
func selected(m model.TargetTransformer) func(*testing.T) any {
	return func(t *testing.T) any {
		t.Helper()
		x, three, _ := blobs(60, 3)
		if _, err := m.FitTransform(x, model.Targets{Labels: three}); err != nil {
			t.Fatal(err)
		}
		return m
	}
}

func fitted(m any) func(*testing.T) any {
	return func(t *testing.T) any {
		t.Helper()
		brief(m)
		var err error
		x, three, target := blobs(60, 3)
		switch m := m.(type) {
		case model.Classifier:
			if err = m.Fit(x, three); err != nil {
				x, two, _ := blobs(60, 2)
				err = m.Fit(x, two)
			}
		case model.Regressor:
			if err = m.Fit(x, target); err != nil {
				two := make([]float64, len(target))
				for i := range two {
					two[i] = float64(i % 2)
				}
				err = m.Fit(x, two)
			}
		case model.Transformer:
			if _, err = model.FitTransform(m, x, model.Targets{Values: target}); err != nil {
				err = m.Fit(bits(4))
			}
		case model.Detector:
			err = m.Fit(x)
		case model.Embedder:
			err = m.Fit(x)
		default:
			err = errors.New("the test does not know how to fit it; add it to special")
		}
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		return m
	}
}

// answers returns everything that a fitted model predicts for points outside the training set.
func answers(m any) any {
	var all []any
	x, _, _ := blobs(unseen, 5)
	switch m.(type) {
	case *prep.OneHotEncoder, *prep.OrdinalEncoder, *prep.TargetEncoder:
		known, _, _ := blobs(60, 3) // it knows the values of its training data only
		x = mat.DenseCopyOf(known.Slice(0, 5, 0, 2))
	}
	if _, ok := m.(*prep.ConjunctionFeatures); ok {
		x = bits(4)
	}
	if p, ok := m.(interface{ Predict(mat.Matrix) []int }); ok {
		all = append(all, p.Predict(x))
	}
	if p, ok := m.(interface{ Predict(mat.Matrix) []float64 }); ok {
		all = append(all, p.Predict(x))
	}
	if p, ok := m.(model.ProbClassifier); ok {
		all = append(all, p.Classes(), rows(p.PredictProba(x)))
	}
	if _, ok := m.(model.Embedder); ok {
		all = append(all, rows(reflect.ValueOf(m).Elem().FieldByName("Embedding").Interface().(*mat.Dense)))
	}
	if p, ok := m.(model.Detector); ok {
		all = append(all, p.Score(x), p.Predict(x))
	}
	if p, ok := m.(model.Scorer); ok {
		all = append(all, rows(p.Decision(x)))
	}
	if p, ok := m.(model.Transformer); ok {
		all = append(all, rows(p.Transform(x).Dense))
	}
	return all
}

// filled returns the values with which an imputer replaces missing ones.
func filled(m any) any {
	x, _, _ := blobs(unseen, 5)
	for i := range unseen {
		if i%3 < 2 {
			x.Set(i, i%3, math.NaN())
		}
	}
	return rows(m.(model.Transformer).Transform(x).Dense)
}

func rows(m *mat.Dense) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

// After a round trip, every model of the library predicts the same as before, to the last bit, and
// is saved as the same bytes.
func TestRoundTrip(t *testing.T) {
	for _, typ := range persist.ModelTypes() {
		name := strings.TrimPrefix(typ.String(), "*")
		t.Run(name, func(t *testing.T) {
			how := of(typ)
			m := how.fitted(t)
			var b bytes.Buffer
			if err := persist.Save(&b, m); err != nil {
				t.Fatal(err)
			}
			want := how.answer(m)
			file := bytes.Clone(b.Bytes())
			got, err := persist.Load(&b)
			if err != nil {
				t.Fatal(err)
			}
			if reflect.TypeOf(got) != typ {
				t.Fatalf("got a %T", got)
			}
			var again bytes.Buffer
			if err := persist.Save(&again, got); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(again.Bytes(), file) {
				t.Error("saving the loaded model gives other bytes")
			}
			if list, ok := want.([]any); ok && len(list) == 0 {
				t.Fatal("the model was asked nothing")
			}
			if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(how.answer(got))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSaveRefuses(t *testing.T) {
	knn := fitted(&neighbors.KNN{Distance: func(a, b []float64) float64 { return math.Abs(a[0] - b[0]) }})(t)
	svc := fitted(&svm.SVC{Kernel: kernel.KernelFunc(func(a, b []float64) float64 { return a[0] * b[0] })})(t)
	for _, tt := range []struct {
		name, want string
		m          any
	}{
		{"nil", "persist.Save: the model must not be nil", nil},
		{"not fitted by the library", "persist.Save: the model must be one of this library, got", &bytes.Buffer{}},
		{"value", "pass its address", tree.DecisionTree{}},
		{"nil pointer", "not a pointer to a value", (*tree.DecisionTree)(nil)},
		{"distance", "persist.Save: neighbors.KNN.Distance: functions cannot be", knn},
		{"kernel", "persist.Save: svm.SVC.Kernel: the model has a", svc},
		{"foreign part", "persist.Save: eval.Pipeline.Model: the model has a", &eval.Pipeline{Model: foreign{}}},
	} {
		err := persist.Save(&bytes.Buffer{}, tt.m)
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

type foreign struct{}

func (foreign) Fit(mat.Matrix, []int) error { return nil }
func (foreign) Predict(mat.Matrix) []int    { return nil }

// A loaded reduction has lost New: it predicts, and asks for New when it is
// fitted again.
func TestFitAfterLoad(t *testing.T) {
	var b bytes.Buffer
	if err := persist.Save(&b, fitted(&reduce.OneVsAll{New: logistic})(t)); err != nil {
		t.Fatal(err)
	}
	m, err := persist.Load(&b)
	if err != nil {
		t.Fatal(err)
	}
	x, y, _ := blobs(30, 3)
	if err := m.(*reduce.OneVsAll).Fit(x, y); err == nil || !strings.Contains(err.Error(), "New must not be nil") {
		t.Errorf("got %v", err)
	}
}

func saved(t testing.TB) []byte {
	x, y, _ := blobs(40, 3)
	m := &tree.DecisionTree{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := persist.Save(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLoadRefuses(t *testing.T) {
	good := saved(t)
	replace := func(old, now string) []byte { return bytes.Replace(good, []byte(old), []byte(now), 1) }
	for _, tt := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "the input is cut off in the first line", nil},
		{"foreign", `persist.Load: the input must be a saved model, got`, []byte("PK\x03\x04 and so on")},
		{"foreign line", `persist.Load: the input must be a saved model, got "x,y"`, []byte("x,y\n1,2\n")},
		{"long line", "persist.Load: the input must be a saved model, got", bytes.Repeat([]byte("gokernel model "), 1000)},
		{"version", "persist.Load: the version of the format must be at most 1,", replace("model 1\n", "model 9\n")},
		{"no version", `persist.Load: the version of the format must be a number,`, replace("model 1\n", "model one\n")},
		{"header cut", "the input is cut off in the second line", good[:30]},
		{"header", "the second line is damaged", replace(`"bytes"`, `"bytes`)},
		{"negative", "persist.Load: the second line is damaged: it declares -1992", replace(`"bytes":`, `"bytes":-`)},
		{"cut", fmt.Sprintf("the input is cut off: it has %d of the %d bytes", stateLen(good)-7, stateLen(good)), good[:len(good)-7]},
		{"bit", "the input is damaged: the checksum of the *tree.DecisionTree is", flip(good, len(good)-5)},
		{"type", "the input is damaged", replace("DecisionTree", "DecisionTrie")},
	} {
		m, err := persist.Load(bytes.NewReader(tt.file))
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || m != nil {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

func stateLen(file []byte) int {
	return len(bytes.SplitN(file, []byte("\n"), 3)[2])
}

func flip(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 1
	return b
}

// Load takes one model and leaves what follows it.
func TestTwoInOneStream(t *testing.T) {
	one := saved(t)
	r := bytes.NewReader(append(bytes.Clone(one), one...))
	for i := range 2 {
		if _, err := persist.Load(r); err != nil {
			t.Fatalf("model %d: %v", i, err)
		}
	}
	if r.Len() != 0 {
		t.Errorf("%d bytes are left", r.Len())
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.model")
	m := fitted(&tree.DecisionTree{})(t)
	if err := persist.SaveFile(path, m); err != nil {
		t.Fatal(err)
	}
	got, err := persist.LoadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fmt.Sprint(answers(m)), fmt.Sprint(answers(got))); diff != "" {
		t.Error(diff)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := persist.SaveFile(path, &eval.Pipeline{Model: foreign{}}); err == nil {
		t.Error("a model with a foreign part was saved")
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("a failed SaveFile changed the file (%v)", err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("a failed SaveFile left %d files", len(list))
	}
	if err := os.WriteFile(path, append(after, 'x'), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := persist.LoadFile(path); err == nil || !strings.Contains(err.Error(), "trailing data after the model") {
		t.Errorf("got %v", err)
	}
	if _, err := persist.LoadFile(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// No input makes Load panic, whether its checksum is right or not.
func FuzzLoad(f *testing.F) {
	good := saved(f)
	f.Add(good, false)
	f.Add(good, true)
	f.Add([]byte("gokernel model 1\n{}\n"), true)
	f.Fuzz(func(t *testing.T, file []byte, mend bool) {
		if mend {
			file = persist.Reseal(file)
		}
		m, err := persist.Load(bytes.NewReader(file))
		if (m == nil) == (err == nil) {
			t.Errorf("got %v, %v", m, err)
		}
	})
}
