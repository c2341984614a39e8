package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// CVResult holds one score a fold.
type CVResult struct {
	Metric string
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

// StdErr is the standard error of the mean, StdDev/√K. The folds share training
// examples, so it is too small: read it as an orientation.
func (r *CVResult) StdErr() float64 { return r.StdDev() / math.Sqrt(float64(len(r.Scores))) }

// Interval is mean ± t·StdErr for the confidence, such as 0.95, with K−1 degrees
// of freedom.
func (r *CVResult) Interval(confidence float64) (lo, hi float64) {
	if len(r.Scores) < 2 {
		return math.Inf(-1), math.Inf(1)
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(r.Scores) - 1)}.Quantile(0.5 + confidence/2)
	return r.Mean() - t*r.StdErr(), r.Mean() + t*r.StdErr()
}

// String gives the folds, the mean and its 95 % interval as text.
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

// CrossValidate estimates the accuracy of the classifiers that fresh makes by
// stratified K-fold cross-validation. Each fold fits a model of its own, so
// whatever belongs to learning (scaling, feature selection) must be part of the
// model: a [Pipeline]. Then nothing of a test part can leak into the fit.
//
// References: [Kohavi1995]. Course: EVAL-15, EVAL-19.
func CrossValidate(fresh func() model.Classifier, x mat.Matrix, y []int, k int) (*CVResult, error) {
	return CrossValidateWith(fresh, x, y, StratifiedKFold{K: k}, "accuracy", Accuracy)
}

// CrossValidateWith is [CrossValidate] with any splitter and metric.
//
// Course: EVAL-15, EVAL-16, EVAL-17, EVAL-18, EVAL-19.
func CrossValidateWith(fresh func() model.Classifier, x mat.Matrix, y []int, split Splitter, metric string, score func(y, predicted []int) float64) (*CVResult, error) {
	const op = "CrossValidate"
	if fresh == nil || split == nil || score == nil {
		return nil, missing(op)
	}
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	folds, err := split.Split(len(y), y)
	if err != nil {
		return nil, err
	}
	return scoreFolds(op, metric, folds, func(f Fold) (train, test float64, err error) {
		m, in, out := fresh(), rowsOf(x, d, f.Train), rowsOf(x, d, f.Test)
		if err := m.Fit(in, pick.Of(y, f.Train)); err != nil {
			return 0, 0, err
		}
		return score(pick.Of(y, f.Train), m.Predict(in)), score(pick.Of(y, f.Test), m.Predict(out)), nil
	})
}

func missing(op string) error {
	return model.Errorf(op, "fresh, split or score is nil").WithHint("pass a function that makes a model, a Splitter and a metric")
}

// scoreFolds collects what fit says of each fold: the scores of a model of its own
// on both parts.
func scoreFolds(op, metric string, folds []Fold, fit func(f Fold) (train, test float64, err error)) (*CVResult, error) {
	r := &CVResult{Metric: metric, Folds: folds}
	var control model.Control
	run := control.Begin(op, len(folds))
	defer run.End()
	for i, f := range folds {
		train, test, err := fit(f)
		if err != nil {
			return nil, foldError(op, i, err)
		}
		r.Train, r.Scores = append(r.Train, train), append(r.Scores, test)
		if err := run.Step(i+1, 1-test); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// CrossValidateRegressor estimates R² (or any metric of real predictions) of the
// regressors that fresh makes.
//
// Course: EVAL-15.
func CrossValidateRegressor(fresh func() model.Regressor, x mat.Matrix, y []float64, split Splitter, metric string, score func(y, predicted []float64) float64) (*CVResult, error) {
	const op = "CrossValidateRegressor"
	if fresh == nil || split == nil || score == nil {
		return nil, missing(op)
	}
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return nil, err
	}
	folds, err := split.Split(len(y), nil)
	if err != nil {
		return nil, err
	}
	return scoreFolds(op, metric, folds, func(f Fold) (train, test float64, err error) {
		m, in, out := fresh(), rowsOf(x, d, f.Train), rowsOf(x, d, f.Test)
		if err := m.Fit(in, pick.Of(y, f.Train)); err != nil {
			return 0, 0, err
		}
		return score(pick.Of(y, f.Train), m.Predict(in)), score(pick.Of(y, f.Test), m.Predict(out)), nil
	})
}

// CrossPredict predicts each example by the model that was fitted without it.
// The splitter must test each example exactly once.
//
// Course: EVAL-14, EVAL-16.
func CrossPredict(fresh func() model.Classifier, x mat.Matrix, y []int, split Splitter) ([]int, error) {
	const op = "CrossPredict"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	folds, err := split.Split(len(y), y)
	if err != nil {
		return nil, err
	}
	out, seen := make([]int, len(y)), make([]bool, len(y))
	for i, f := range folds {
		m := fresh()
		if err := m.Fit(rowsOf(x, d, f.Train), pick.Of(y, f.Train)); err != nil {
			return nil, foldError(op, i, err)
		}
		for j, c := range m.Predict(rowsOf(x, d, f.Test)) {
			if seen[f.Test[j]] {
				return nil, model.Errorf(op, "example %d is in two test parts", f.Test[j]).WithHint("use KFold, StratifiedKFold or LeaveOneOut")
			}
			seen[f.Test[j]] = true
			out[f.Test[j]] = c
		}
	}
	for i, s := range seen {
		if !s {
			return nil, model.Errorf(op, "example %d is in no test part", i).WithHint("use KFold, StratifiedKFold or LeaveOneOut")
		}
	}
	return out, nil
}

func foldError(op string, fold int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: fold %d: %w", op, fold+1, err)
}

// rowsOf copies the rows of d, keeping the column descriptions of x.
func rowsOf(x mat.Matrix, d *mat.Dense, rows []int) mat.Matrix {
	out := pick.Rows(d, rows)
	if t, ok := x.(*model.Table); ok {
		return &model.Table{Dense: out, Columns: t.Columns, Target: t.Target}
	}
	return out
}
