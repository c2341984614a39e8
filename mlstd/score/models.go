package score

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/svm"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// nested holds the steps and the model in a type that leaves all decisions to them.
type nested struct {
	steps   []model.Transformer
	model   any
	members bool // it has models of its own
}

// inner returns what is in a type that leaves all decisions to the steps and models in it, and nil
// for other types.
func inner(m any) *nested {
	switch m := m.(type) {
	case *eval.Pipeline:
		return &nested{steps: m.Steps, model: m.Model}
	case *eval.ProbPipeline:
		return &nested{steps: m.Steps, model: m.Model}
	case *eval.RegressorPipeline:
		return &nested{steps: m.Steps, model: m.Model}
	case *eval.Search:
		return &nested{model: m.Model}
	case *eval.RegressorSearch:
		return &nested{model: m.Model}
	case *ensemble.AdaBoost, *ensemble.AdaBoostM1, *ensemble.Bagging, *ensemble.BaggingRegressor:
		return &nested{members: true}
	}
	return nil
}

// model converts a model whose rows have the features.
func (w *writer) model(m any, in []feature) *outcome {
	if n := inner(m); n != nil && !n.members {
		w.mustFit(m, n.model != nil)
		in = w.arrive(m, in, added)
		return w.model(n.model, w.steps(n.steps, in))
	}
	in = w.arrive(m, in, refused)
	if out := w.classifier(m, in); out != nil {
		return out
	}
	if v := w.regressor(m, in); v != nil {
		return &outcome{value: v}
	}
	w.unknown(m)
	return nil
}

// linear returns the sum of the features times coefficients, and the intercept.
func (w *writer) linear(m any, in []feature, coef []float64, intercept float64) *lazy.Column {
	w.mustFit(m, coef != nil)
	w.count(len(coef))
	var terms []*lazy.Column
	for j := 0; j < len(coef); j++ {
		h := in[j].hot
		if h == nil {
			if coef[j] != 0 {
				terms = append(terms, in[j].value().Times(coef[j]))
			}
			continue
		}
		var args []*lazy.Column // indicators of one column: at most one is 1
		for ; j < len(coef) && in[j].hot != nil && in[j].hot.of == h.of; j++ {
			if coef[j] != 0 {
				args = append(args, in[j].hot.level, float(coef[j]))
			}
		}
		j--
		if len(args) > 0 {
			terms = append(terms, lazy.Case(append(args, float(0))...))
		}
	}
	return lazy.Sum(append(terms, float(intercept))...)
}

func (w *writer) linears(m any, in []feature, coef *mat.Dense, intercept []float64) []*lazy.Column {
	w.mustFit(m, coef != nil)
	out := make([]*lazy.Column, len(intercept))
	for k := range out {
		out[k] = w.linear(m, in, coef.RawRowView(k), intercept[k])
	}
	return out
}

// scored is the outcome of linear scores: one for two classes, or one per class.
func scored(classes []int, scores []*lazy.Column, proba bool) *outcome {
	switch {
	case len(scores) > 1:
		return byScores(classes, scores, 0, proba)
	case proba:
		return bySign(classes, scores[0], 0, 1)
	}
	return bySign(classes, scores[0], 0, 0)
}

func (w *writer) regressor(m any, in []feature) *lazy.Column {
	switch m := m.(type) {
	case *linear.LinearRegression:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.Ridge:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.RidgeCV:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.Lasso:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.LassoCV:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.ElasticNet:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.ElasticNetCV:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.HuberRegressor:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.QuantileRegressor:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.LMS:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.SGDRegressor:
		return w.linear(m, in, m.Coef, m.Intercept)
	case *linear.PoissonRegressor:
		return w.linear(m, in, m.Coef, m.Intercept).Exp()
	case *linear.GammaRegressor:
		return w.linear(m, in, m.Coef, m.Intercept).Exp()
	case *tree.RegressionTree:
		w.checkTree(m, m.Root, m.Missing)
		return w.tree(m.Root, in, func(n *tree.Node) *lazy.Column { return float(n.Value) })
	case *ensemble.RandomForestRegressor:
		return w.meanOfTrees(m, m.Members, in)
	case *ensemble.ExtraTreesRegressor:
		return w.meanOfTrees(m, m.Members, in)
	case *ensemble.GradientBoostingRegressor:
		w.mustFit(m, m.Members != nil)
		rate := model.Or(m.Rate, 0.1)
		return w.treeSum(float(m.Start), m.Members, func(v float64) float64 { return rate * v }, in)
	case *ensemble.HistGradientBoostingRegressor:
		w.mustFit(m, m.Members != nil)
		s := w.histSum(m, m.Start, m.Members, in)
		if m.Loss == ensemble.PoissonError {
			return s.Exp()
		}
		return s
	case *ensemble.BaggingRegressor:
		w.mustFit(m, m.Members != nil)
		terms := make([]*lazy.Column, len(m.Members))
		for k, r := range m.Members {
			o := w.model(r, in)
			terms[k] = o.value.Over(float64(len(m.Members)))
		}
		return lazy.Sum(terms...)
	}
	return nil
}

func (w *writer) meanOfTrees(m any, members []*tree.RegressionTree, in []feature) *lazy.Column {
	w.mustFit(m, members != nil)
	n := float64(len(members))
	return w.treeSum(nil, members, func(v float64) float64 { return v / n }, in)
}

func (w *writer) classifier(m any, in []feature) *outcome {
	switch m := m.(type) {
	case *linear.LogisticRegression:
		return scored(m.Classes(), w.linears(m, in, m.Coef, m.Intercept), true)
	case *linear.SoftmaxRegression:
		return scored(m.Classes(), w.linears(m, in, m.Coef, m.Intercept), true)
	case *linear.MaxEntropy:
		return scored(m.Classes(), w.linears(m, in, m.Coef, m.Intercept), true)
	case *linear.SGDClassifier:
		return w.sgd(m, in)
	case *svm.LinearSVC:
		return scored(m.Classes(), w.linears(m, in, m.Coef, m.Intercept), false)
	case *prob.LDA:
		return scored(m.Classes(), w.linears(m, in, m.Coef, m.Intercept), true)
	case *online.Perceptron:
		return bySign(m.Classes(), w.linear(m, in, m.Coef, m.Intercept), 0, 0)
	case *online.ThresholdPerceptron:
		return bySign(m.Classes(), w.linear(m, in, m.Coef, m.Intercept), 0, 0)
	case *online.MulticlassPerceptron:
		return byScores(m.Classes(), w.linears(m, in, m.Coef, m.Intercept), 0, false)
	case *tree.DecisionTree:
		w.checkTree(m, m.Root, m.Missing)
		return w.decisionTree(m.Root, m.Classes(), m.Smoothing, in)
	case *tree.DecisionStump:
		w.mustFit(m, m.Root != nil)
		return w.decisionTree(m.Root, m.Classes(), 0, in)
	case *ensemble.RandomForest:
		w.mustFit(m, m.Members != nil)
		return w.forest(m.Members, m.Classes(), in)
	case *ensemble.ExtraTrees:
		w.mustFit(m, m.Members != nil)
		return w.forest(m.Members, m.Classes(), in)
	case *ensemble.GradientBoosting:
		return w.gradientBoosting(m, in)
	case *ensemble.HistGradientBoosting:
		w.mustFit(m, m.Members != nil)
		sums := make([]*lazy.Column, len(m.Members))
		for s := range sums {
			sums[s] = w.histSum(m, m.Start[s], m.Members[s], in)
		}
		return boosted(m.Classes(), sums)
	case *ensemble.AdaBoost:
		return w.adaBoost(m, in)
	case *ensemble.AdaBoostM1:
		scores := w.votes(w.members(m, m.Members, in), m.Say, m.Classes())
		return byScores(m.Classes(), scores, tie, true)
	case *ensemble.Bagging:
		members := w.members(m, m.Members, in)
		weights := make([]float64, len(members))
		for k := range weights {
			weights[k] = 1 / float64(len(members))
		}
		scores := w.votes(members, weights, m.Classes())
		out := byScores(m.Classes(), scores, tie, false)
		out.proba = func(k int) *lazy.Column { return scores[k] }
		return out
	case *prob.GaussianNB:
		return w.gaussian(m, in)
	case *prob.BernoulliNB:
		return w.bernoulli(m, in)
	case *prob.MultinomialNB:
		w.mustFit(m, m.LogProb != nil)
		w.mustSmooth(m, append(m.LogProb.RawMatrix().Data, m.LogPrior...))
		scores := w.linears(m, in, m.LogProb, m.LogPrior)
		return byScores(m.Classes(), scores, 0, true)
	}
	return nil
}

// sgd is the outcome of a classifier whose probabilities with more than two classes are the
// sigmoids of the scores, divided by their sum.
func (w *writer) sgd(m *linear.SGDClassifier, in []feature) *outcome {
	scores := w.linears(m, in, m.Coef, m.Intercept)
	_, logistic := m.Loss.(optim.LogisticLoss)
	logistic = logistic || m.Loss == nil
	out := scored(m.Classes(), scores, logistic)
	if len(scores) > 1 && logistic {
		shares := make([]*lazy.Column, len(scores))
		for k, s := range scores {
			shares[k] = sigmoid(s)
		}
		sum := lazy.Sum(shares...)
		out.proba = func(k int) *lazy.Column { return shares[k].Over(sum) }
	}
	return out
}

// mustSmooth refuses infinite logarithms, which naive Bayes without smoothing can have.
func (w *writer) mustSmooth(m any, logs []float64) {
	if !isFinite(logs...) {
		w.fail("leave Alpha and Prior out, or set larger values", "the %s must have no probability of 0", model.NameOf(m))
	}
}

func (w *writer) gaussian(g *prob.GaussianNB, in []feature) *outcome {
	w.mustFit(g, g.Means != nil)
	k, d := g.Means.Dims()
	w.count(k * d)
	scores := make([]*lazy.Column, k)
	for c := range scores {
		base := g.LogPrior[c]
		var terms []*lazy.Column
		for j := range d {
			v := g.Variances.At(c, j)
			base -= math.Log(2*math.Pi*v) / 2
			off := in[j].value().Minus(g.Means.At(c, j))
			terms = append(terms, off.Times(1/v).Times(off))
		}
		w.mustSmooth(g, []float64{base})
		scores[c] = lazy.Sum(terms...).Times(-0.5).Plus(base)
	}
	return byScores(g.Classes(), scores, 0, true)
}

func (w *writer) bernoulli(m *prob.BernoulliNB, in []feature) *outcome {
	w.mustFit(m, m.Theta != nil)
	k, d := m.Theta.Dims()
	w.count(k * d)
	scores := make([]*lazy.Column, k)
	for c := range scores {
		base := m.LogPrior[c]
		terms := make([]*lazy.Column, 1, d+1)
		for j := range d {
			p := m.Theta.At(c, j)
			none := math.Log1p(-p)
			base += none
			odds := math.Log(p) - none
			w.mustSmooth(m, []float64{base, odds})
			terms = append(terms, lazy.Case(in[j].value().Greater(m.Threshold), float(odds), float(0)))
		}
		terms[0] = float(base)
		scores[c] = lazy.Sum(terms...)
	}
	return byScores(m.Classes(), scores, 0, true)
}
