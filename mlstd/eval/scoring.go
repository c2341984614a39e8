package eval

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Scoring measures a fitted classifier on examples, by its predictions, its probabilities or its
// scores. [CrossScore], [Search] and the curves use it. [ByPredictions] and [ByProbabilities]
// return a Scoring for a metric.
type Scoring struct {
	Name  string
	Lower bool // lower is better, as for a loss
	// Of measures the fitted model m on the rows of x with the classes y; nil weights mean that all
	// weights are 1.
	Of func(m model.Classifier, x mat.Matrix, y []int, weights Weights) (float64, error) `json:"-"`
}

// The usual scorings of classifiers. The first three measure predicted classes: accuracy, the mean
// recall of the classes, and the mean F1 of the classes. The others measure probabilities: the log
// loss, Brier's score, and the area under the ROC curve. For a model without probabilities, the
// area is computed from the scores. With more than two classes, it is the mean of the areas of each
// class against the rest.
var (
	ByAccuracy         = Scoring{Name: "accuracy", Of: classScore(Weights.Accuracy)}
	ByBalancedAccuracy = ByPredictions("balanced accuracy", BalancedAccuracy)
	ByMacroF1          = ByPredictions("macro F1", MacroF1)
	ByLogLoss          = Scoring{Name: "log loss", Lower: true, Of: probaScore(Weights.LogLoss)}
	ByBrier            = Scoring{Name: "Brier score", Lower: true, Of: probaScore(brierOf)}
	ByAUC              = Scoring{Name: "AUC", Of: scoreAUC}
)

// ByPredictions returns a Scoring for a metric of predicted classes; a higher value of the metric
// must be better. It takes no weights.
//
// Course: EVAL-17.
func ByPredictions(name string, metric func(y, predicted []int) float64) Scoring {
	return Scoring{Name: name, Of: unweighted(name, func(m model.Classifier, x mat.Matrix, y []int, _ Weights) (float64, error) {
		return metric(y, m.Predict(x)), nil
	})}
}

// ByProbabilities returns a Scoring for a metric of class probabilities, such as [LogLoss]. The
// parameter lower reports whether lower values are better. It takes no weights.
//
// Course: EVAL-17.
func ByProbabilities(name string, lower bool, metric func(y []int, proba mat.Matrix, classes []int) float64) Scoring {
	return Scoring{Name: name, Lower: lower, Of: unweighted(name, probaScore(func(_ Weights, y []int, proba mat.Matrix, classes []int) float64 {
		return metric(y, proba, classes)
	}))}
}

type scoreFunc = func(m model.Classifier, x mat.Matrix, y []int, w Weights) (float64, error)

func unweighted(name string, of scoreFunc) scoreFunc {
	return func(m model.Classifier, x mat.Matrix, y []int, w Weights) (float64, error) {
		if w != nil {
			return 0, model.Errorf("Scoring", "the Scoring must take weights, got %s", name).WithHint("use one such as ml.ByAccuracy or ml.ByLogLoss")
		}
		return of(m, x, y, w)
	}
}

func classScore(metric func(w Weights, y, predicted []int) float64) scoreFunc {
	return func(m model.Classifier, x mat.Matrix, y []int, w Weights) (float64, error) {
		return metric(w, y, m.Predict(x)), nil
	}
}

func probaScore(metric func(w Weights, y []int, proba mat.Matrix, classes []int) float64) scoreFunc {
	return func(m model.Classifier, x mat.Matrix, y []int, w Weights) (float64, error) {
		proba, classes, err := probabilitiesOf("Scoring", m, x)
		if err != nil {
			return 0, err
		}
		return metric(w, y, proba, classes), nil
	}
}

// brierOf is the mean squared distance of the probabilities from the indicators of the classes; for
// two classes, of the second class only.
func brierOf(w Weights, y []int, proba mat.Matrix, classes []int) float64 {
	if len(classes) == 2 {
		return w.BrierScore(y, mat.Col(nil, 1, proba), classes[1])
	}
	n := mustClasses("BrierScore", y, proba, classes)
	return w.mean("BrierScore", n, n, func(i int) float64 {
		own, sum := classAt("BrierScore", i, y[i], classes), 0.0
		for k := range classes {
			p := proba.At(i, k)
			mustProbability("BrierScore", i, p)
			if k == own {
				p--
			}
			sum += p * p
		}
		return sum
	})
}

func scoreAUC(m model.Classifier, x mat.Matrix, y []int, w Weights) (float64, error) {
	last, rows := lastOf(m, x)
	if s, ok := last.(model.Scorer); ok {
		if d := s.Decision(rows); d.RawMatrix().Cols == 1 {
			classes, index := model.Classes(y)
			if len(classes) != 2 {
				return 0, model.Errorf("Scoring", "each test part must have exactly two classes for AUC, got %d", len(classes)).WithHint("use StratifiedKFold, or fewer folds")
			}
			return w.AUC(index, d.RawMatrix().Data, 1), nil
		}
	}
	proba, classes, err := probabilitiesOf("Scoring", m, x)
	if err != nil {
		return 0, err
	}
	if len(classes) == 2 {
		return w.AUC(y, mat.Col(nil, 1, proba), classes[1]), nil
	}
	if w != nil {
		return 0, model.Errorf("Scoring", "AUC with weights must have exactly two classes, got %d", len(classes))
	}
	return MulticlassAUC(y, proba, classes, false), nil
}

// lastOf returns the model at the end of pipelines and searches and, unless x is nil, the rows that
// this model gets.
func lastOf(m model.Classifier, x mat.Matrix) (model.Classifier, mat.Matrix) {
	for s, ok := m.(model.Staged); ok; s, ok = m.(model.Staged) {
		if x != nil {
			x = s.Transform(x)
		}
		m = s.Last()
	}
	return m, x
}

// probabilitiesOf returns the class probabilities of m, which may be a pipeline or a
// search that ends in a model that has some.
func probabilitiesOf(op string, m model.Classifier, x mat.Matrix) (*mat.Dense, []int, error) {
	last, rows := lastOf(m, x)
	p, ok := last.(model.ProbClassifier)
	if !ok {
		return nil, nil, model.Errorf(op, "the model must have PredictProba, got %T", last).WithHint("use a model such as LogisticRegression, or CalibratedSVC instead of SVC")
	}
	return p.PredictProba(rows), p.Classes(), nil
}

// score measures a model, and returns an error where the metric panics.
func (s Scoring) score(m model.Classifier, x mat.Matrix, y []int, w Weights) (value float64, err error) {
	defer caught(&err)
	return s.Of(m, x, y, w)
}

// caught turns a panic with a *model.Error into that error.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case *model.Error:
		*err = r
	default:
		panic(r)
	}
}

// RegressionScoring measures the predictions of a regressor.
type RegressionScoring struct {
	Name  string
	Lower bool // lower is better, as for a loss
	// Of measures predictions; nil weights mean that all weights are 1.
	Of func(y, predicted []float64, weights Weights) float64 `json:"-"`
}

// The usual scorings of regressors.
var (
	ByR2   = RegressionScoring{Name: "R²", Of: func(y, p []float64, w Weights) float64 { return w.R2(y, p) }}
	ByMSE  = RegressionScoring{Name: "MSE", Lower: true, Of: func(y, p []float64, w Weights) float64 { return w.MSE(y, p) }}
	ByRMSE = RegressionScoring{Name: "RMSE", Lower: true, Of: func(y, p []float64, w Weights) float64 { return w.RMSE(y, p) }}
	ByMAE  = RegressionScoring{Name: "MAE", Lower: true, Of: func(y, p []float64, w Weights) float64 { return w.MAE(y, p) }}
	ByMAPE = RegressionScoring{Name: "MAPE", Lower: true, Of: func(y, p []float64, w Weights) float64 { return w.MAPE(y, p) }}
)

// ByPinball returns a scoring by the [PinballLoss] of a quantile.
//
// Course: EVAL-34.
func ByPinball(quantile float64) RegressionScoring {
	return RegressionScoring{Name: "pinball loss", Lower: true, Of: func(y, p []float64, w Weights) float64 { return w.PinballLoss(y, p, quantile) }}
}

func (s RegressionScoring) score(m model.Regressor, x mat.Matrix, y []float64, w Weights) (value float64, err error) {
	defer caught(&err)
	return s.Of(y, m.Predict(x), w), nil
}

// fitWith fits m with weights, or without where they are nil.
func fitWith(op string, m model.Classifier, x mat.Matrix, y []int, w Weights) error {
	if w == nil {
		return m.Fit(x, y)
	}
	if f, ok := m.(model.WeightedClassifier); ok {
		return f.FitWeighted(x, y, w)
	}
	return noWeights(op, m)
}

func fitRegressorWith(op string, m model.Regressor, x mat.Matrix, y []float64, w Weights) error {
	if w == nil {
		return m.Fit(x, y)
	}
	if f, ok := m.(model.WeightedRegressor); ok {
		return f.FitWeighted(x, y, w)
	}
	return noWeights(op, m)
}

func noWeights(op string, m any) error {
	return model.Errorf(op, "the model must have FitWeighted, got %T", m).WithHint("use another model, or leave the weights out")
}
