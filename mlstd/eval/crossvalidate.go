package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// CVResult holds one score per fold.
type CVResult struct {
	Metric string
	Lower  bool // lower is better, as for a loss
	Folds  []Fold
	Scores []float64
	Train  []float64 // the same metric on each training part
}

// Mean is the mean score over the folds.
func (r *CVResult) Mean() float64 { return stat.Mean(r.Scores, nil) }

// StdDev is the standard deviation of the scores (n−1 in the denominator).
func (r *CVResult) StdDev() float64 {
	if len(r.Scores) < 2 {
		return 0
	}
	return stat.StdDev(r.Scores, nil)
}

// StdErr is the standard error of the mean, StdDev/√K. The folds share training examples, so this
// estimate is too small: treat it as a rough guide.
func (r *CVResult) StdErr() float64 { return r.StdDev() / math.Sqrt(float64(len(r.Scores))) }

// Interval returns mean ± t·StdErr for a confidence level such as 0.95, with K−1 degrees of
// freedom.
func (r *CVResult) Interval(confidence float64) (lo, hi float64) {
	if len(r.Scores) < 2 {
		return math.Inf(-1), math.Inf(1)
	}
	t := tails.QuantileT((1-confidence)/2, float64(len(r.Scores)-1))
	return r.Mean() - t*r.StdErr(), r.Mean() + t*r.StdErr()
}

// String returns the folds, the mean and its 95 % interval as text.
func (r *CVResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%4s  %6s  %6s  %10s\n", "fold", "train", "test", r.Metric)
	for i, s := range r.Scores {
		fmt.Fprintf(&b, "%4d  %6d  %6d  %10.4f\n", i+1, len(r.Folds[i].Train), len(r.Folds[i].Test), s)
	}
	lo, hi := r.Interval(0.95)
	fmt.Fprintf(&b, "mean %.4f, 95%% interval [%.4f, %.4f]", r.Mean(), lo, hi)
	return b.String()
}

// CrossValidate estimates how well models like m predict new examples. For a classifier, it
// measures accuracy by stratified K-fold cross-validation; for a regressor, it measures R² by
// K-fold cross-validation. Each fold fits a copy of m ([model.Clone]) and leaves m unchanged.
// Everything that learns from data, such as scaling and feature selection, must be part of the
// model, as in a [Pipeline]. Then no information of a test part can leak into the fit.
//
// References: [Kohavi1995]. Course: EVAL-15, EVAL-19.
func CrossValidate(m any, d *data.Dataset, k int) (*CVResult, error) {
	const op = "CrossValidate"
	if d == nil {
		return nil, model.Errorf(op, "the data set must not be nil").WithHint("load it first; a variable that is only declared is nil")
	}
	switch m := m.(type) {
	case model.Classifier:
		if d.Y == nil {
			return nil, model.Errorf(op, "%s learns classes, and %s has a real-valued target", model.NameOf(m), d.Name).WithHint("use a regressor, or turn the target into classes with AsClasses")
		}
		return CrossValidateWith(func() model.Classifier { return model.Clone(m) }, d.X, d.Y, StratifiedKFold{K: k}, "accuracy", Accuracy)
	case model.Regressor:
		if d.Target == nil {
			return nil, model.Errorf(op, "%s learns a real-valued target, and %s has classes", model.NameOf(m), d.Name).WithHint("use a classifier")
		}
		return CrossValidateRegressor(func() model.Regressor { return model.Clone(m) }, d.X, d.Target, KFold{K: k}, "R²", R2)
	}
	return nil, model.Errorf(op, "the model must be a classifier or a regressor, got %s", model.NameOf(m)).
		WithHint("pass a pointer to a model, such as &ml.KNN{K: 5}, or use ml.CrossScore with a function that returns one")
}

// CrossValidateWith cross-validates the classifiers that fresh returns, with any splitter and any
// metric of predictions; a higher value of the metric must be better. [CrossScore] also takes
// weights, losses, metrics of probabilities, and several metrics at once.
//
// Course: EVAL-15, EVAL-16, EVAL-17, EVAL-18, EVAL-19.
func CrossValidateWith(fresh func() model.Classifier, x mat.Matrix, y []int, split Splitter, metric string, score func(y, predicted []int) float64) (*CVResult, error) {
	if fresh == nil || split == nil || score == nil {
		return nil, missing("CrossValidate")
	}
	all, err := crossScore("CrossValidate", fresh, x, y, Resampling{Split: split}, []Scoring{ByPredictions(metric, score)})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

func missing(op string) error {
	return model.Errorf(op, "fresh, split and score must not be nil").WithHint("pass a function that returns a new model, a Splitter and a metric")
}

// Resampling determines how [CrossScore] splits and weights the examples.
type Resampling struct {
	Split   Splitter // nil means StratifiedKFold{K: 5} for classifiers, KFold{K: 5} for regressors
	Weights Weights  // of the examples, in fits and in scores; nil means that all are 1
}

// CrossScore cross-validates classifiers with one or more scorings of their predictions,
// probabilities or scores. Each fold fits one model, and all scorings measure it. It returns one
// result per scoring, in the order of the scorings. The default scoring is accuracy.
//
// Course: EVAL-08, EVAL-10, EVAL-15, EVAL-17.
func CrossScore(fresh func() model.Classifier, x mat.Matrix, y []int, how Resampling, by ...Scoring) ([]*CVResult, error) {
	return crossScore("CrossScore", fresh, x, y, how, by)
}

func crossScore(op string, fresh func() model.Classifier, x mat.Matrix, y []int, how Resampling, by []Scoring) ([]*CVResult, error) {
	if fresh == nil {
		return nil, missing(op)
	}
	if len(by) == 0 {
		by = []Scoring{ByAccuracy}
	}
	results := make([]*CVResult, len(by))
	for s, b := range by {
		if b.Of == nil {
			return nil, model.Errorf(op, "scoring %q must have a function in its field Of, got nil", b.Name).WithHint("use a scoring such as ml.ByLogLoss, or create one with ml.ByPredictions")
		}
		results[s] = &CVResult{Metric: b.Name, Lower: b.Lower}
	}
	d, err := examplesOf(op, x, len(y), how, func() any { return fresh() })
	if err != nil {
		return nil, err
	}
	split := how.Split
	if split == nil {
		split = StratifiedKFold{K: 5}
	}
	folds, err := split.Split(len(y), y)
	if err != nil {
		return nil, err
	}
	err = eachFold(op, folds, results, func(f Fold, s int, m any, part []int) (float64, error) {
		return by[s].score(m.(model.Classifier), d.rows(part), pick.Of(y, part), how.Weights.of(part))
	}, func(f Fold) (any, error) {
		m := fresh()
		return m, fitWith(op, m, d.rows(f.Train), pick.Of(y, f.Train), how.Weights.of(f.Train))
	})
	return results, err
}

// examples are the rows that are resampled, dense or sparse, with their columns.
type examples struct {
	x     mat.Matrix
	dense *mat.Dense // nil for a sparse matrix
}

// examplesOf checks the rows for the models that fresh makes, and the weights.
func examplesOf(op string, x mat.Matrix, n int, how Resampling, fresh func() any) (examples, error) {
	if how.Weights != nil {
		if err := model.CheckWeights(op, how.Weights, n); err != nil {
			return examples{}, err
		}
	}
	if c, ok := x.(*sparse.CSR); ok && c != nil {
		_, err := rows.Check(op, x, n)
		return examples{x: x}, err
	}
	d, err := model.CheckFor(op, x, fresh)
	if err != nil {
		return examples{}, err
	}
	_, err = rows.SameLength(op, rows.OfDense(d), n)
	return examples{x, d}, err
}

// rows copies some rows, as they are.
func (e examples) rows(list []int) mat.Matrix {
	if e.dense == nil {
		return e.x.(*sparse.CSR).Rows(list)
	}
	return pick.Like(e.x, e.dense, list)
}

// eachFold fits a model in each fold, scores it on both parts with every scoring, and adds the
// scores to the results.
func eachFold(op string, folds []Fold, results []*CVResult, score func(f Fold, s int, m any, part []int) (float64, error), fit func(f Fold) (any, error)) error {
	var control model.Control
	run := control.Begin(op, len(folds))
	defer run.End()
	for i, f := range folds {
		m, err := fit(f)
		if err != nil {
			return foldError(op, i, err)
		}
		for s, r := range results {
			train, err := score(f, s, m, f.Train)
			if err != nil {
				return foldError(op, i, err)
			}
			test, err := score(f, s, m, f.Test)
			if err != nil {
				return foldError(op, i, err)
			}
			r.Folds = folds
			r.Train, r.Scores = append(r.Train, train), append(r.Scores, test)
		}
		if err := run.Step(i+1, results[0].loss(i)); err != nil {
			return err
		}
	}
	return nil
}

// loss is the score of a fold as a number that falls as models get better.
func (r *CVResult) loss(fold int) float64 {
	if r.Lower {
		return r.Scores[fold]
	}
	return 1 - r.Scores[fold]
}

// CrossValidateRegressor estimates, by cross-validation, R² or another metric of the regressors
// that fresh returns.
//
// Course: EVAL-15.
func CrossValidateRegressor(fresh func() model.Regressor, x mat.Matrix, y []float64, split Splitter, metric string, score func(y, predicted []float64) float64) (*CVResult, error) {
	const op = "CrossValidateRegressor"
	if fresh == nil || split == nil || score == nil {
		return nil, missing(op)
	}
	by := RegressionScoring{Name: metric, Of: func(y, predicted []float64, _ Weights) float64 { return score(y, predicted) }}
	all, err := crossScoreRegressor(op, fresh, x, y, Resampling{Split: split}, []RegressionScoring{by})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// CrossScoreRegressor is [CrossScore] for regressors. The default scoring is R².
//
// Course: EVAL-15, EVAL-34.
func CrossScoreRegressor(fresh func() model.Regressor, x mat.Matrix, y []float64, how Resampling, by ...RegressionScoring) ([]*CVResult, error) {
	return crossScoreRegressor("CrossScoreRegressor", fresh, x, y, how, by)
}

func crossScoreRegressor(op string, fresh func() model.Regressor, x mat.Matrix, y []float64, how Resampling, by []RegressionScoring) ([]*CVResult, error) {
	if fresh == nil {
		return nil, missing(op)
	}
	if len(by) == 0 {
		by = []RegressionScoring{ByR2}
	}
	results := make([]*CVResult, len(by))
	for s, b := range by {
		if b.Of == nil {
			return nil, model.Errorf(op, "scoring %q must have a function in its field Of, got nil", b.Name).WithHint("use a scoring such as ml.ByMAE")
		}
		results[s] = &CVResult{Metric: b.Name, Lower: b.Lower}
	}
	d, folds, err := regressionFolds(op, fresh, x, y, how)
	if err != nil {
		return nil, err
	}
	err = eachFold(op, folds, results, func(f Fold, s int, m any, part []int) (float64, error) {
		return by[s].score(m.(model.Regressor), d.rows(part), pick.Of(y, part), how.Weights.of(part))
	}, func(f Fold) (any, error) {
		m := fresh()
		return m, fitRegressorWith(op, m, d.rows(f.Train), pick.Of(y, f.Train), how.Weights.of(f.Train))
	})
	return results, err
}

// regressionFolds checks the examples of regressors and divides them.
func regressionFolds(op string, fresh func() model.Regressor, x mat.Matrix, y []float64, how Resampling) (examples, []Fold, error) {
	d, err := examplesOf(op, x, len(y), how, func() any { return fresh() })
	if err != nil {
		return examples{}, nil, err
	}
	if i := finite.First(y); i >= 0 {
		return examples{}, nil, model.Errorf(op, "y[%d] must be finite, got %v", i, y[i]).WithHint("drop examples without a target")
	}
	split := how.Split
	if split == nil {
		split = KFold{K: 5}
	}
	folds, err := split.Split(len(y), nil)
	return d, folds, err
}

// CrossPredict predicts each example with the model that was fitted without this example. The
// splitter must test each example exactly once.
//
// Course: EVAL-14, EVAL-16.
func CrossPredict(fresh func() model.Classifier, x mat.Matrix, y []int, split Splitter) ([]int, error) {
	out := make([]int, len(y))
	err := crossPredict("CrossPredict", fresh, x, y, split, func(m model.Classifier, test mat.Matrix, rows []int) error {
		for j, c := range m.Predict(test) {
			out[rows[j]] = c
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// CrossPredictProba predicts the class probabilities of each example with the model that was fitted
// without this example. The result has one column per class of y, in ascending order. Use these
// probabilities to choose a threshold or to calibrate: no model predicts an example that it has
// seen.
//
// Course: EVAL-08, EVAL-13, EVAL-14.
func CrossPredictProba(fresh func() model.Classifier, x mat.Matrix, y []int, split Splitter) (*mat.Dense, error) {
	const op = "CrossPredictProba"
	classes, _ := model.Classes(y)
	if len(classes) == 0 {
		return nil, model.Errorf(op, "y must not be empty")
	}
	out := mat.NewDense(len(y), len(classes), nil)
	err := crossPredict(op, fresh, x, y, split, func(m model.Classifier, test mat.Matrix, rows []int) error {
		proba, seen, err := probabilitiesOf(op, m, test)
		if err != nil {
			return err
		}
		for k, c := range seen { // a training part may lack a class
			at, _ := slices.BinarySearch(classes, c)
			for j, i := range rows {
				out.Set(i, at, proba.At(j, k))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// crossPredict fits a model in each fold, and calls use with it and the test part.
func crossPredict(op string, fresh func() model.Classifier, x mat.Matrix, y []int, split Splitter, use func(m model.Classifier, test mat.Matrix, rows []int) error) error {
	if fresh == nil || split == nil {
		return missing(op)
	}
	d, err := examplesOf(op, x, len(y), Resampling{}, func() any { return fresh() })
	if err != nil {
		return err
	}
	folds, err := split.Split(len(y), y)
	if err != nil {
		return err
	}
	if err := eachOnce(op, folds, len(y)); err != nil {
		return err
	}
	for i, f := range folds {
		m := fresh()
		if err := m.Fit(d.rows(f.Train), pick.Of(y, f.Train)); err != nil {
			return foldError(op, i, err)
		}
		if err := use(m, d.rows(f.Test), f.Test); err != nil {
			return foldError(op, i, err)
		}
	}
	return nil
}

// CrossPredictRegressor predicts each example with the model that was fitted without this example.
// The splitter must test each example exactly once.
//
// Course: EVAL-14, EVAL-16.
func CrossPredictRegressor(fresh func() model.Regressor, x mat.Matrix, y []float64, split Splitter) ([]float64, error) {
	const op = "CrossPredictRegressor"
	if fresh == nil || split == nil {
		return nil, missing(op)
	}
	d, folds, err := regressionFolds(op, fresh, x, y, Resampling{Split: split})
	if err != nil {
		return nil, err
	}
	if err := eachOnce(op, folds, len(y)); err != nil {
		return nil, err
	}
	out := make([]float64, len(y))
	for i, f := range folds {
		m := fresh()
		if err := m.Fit(d.rows(f.Train), pick.Of(y, f.Train)); err != nil {
			return nil, foldError(op, i, err)
		}
		for j, v := range m.Predict(d.rows(f.Test)) {
			out[f.Test[j]] = v
		}
	}
	return out, nil
}

// eachOnce refuses folds that do not test each of n examples exactly once.
func eachOnce(op string, folds []Fold, n int) error {
	seen := make([]bool, n)
	for _, f := range folds {
		for _, i := range f.Test {
			if seen[i] {
				return model.Errorf(op, "the test parts must not overlap, but example %d is in two", i).WithHint("use KFold, StratifiedKFold or LeaveOneOut")
			}
			seen[i] = true
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		return model.Errorf(op, "the test parts must cover all examples, but example %d is in none", i).WithHint("use KFold, StratifiedKFold or LeaveOneOut")
	}
	return nil
}

func foldError(op string, fold int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: fold %d: %w", op, fold+1, err)
}
