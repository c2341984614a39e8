package eval

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Curve holds training and test scores along one axis: the number of examples, or a hyperparameter.
// Train and Test have one row per point and one column per fold.
type Curve struct {
	Axis        string
	Metric      string // of the scores; empty means accuracy
	Lower       bool   // lower is better, as for a loss
	X           []float64
	Train, Test [][]float64
}

// TrainMean returns the mean training score at each point.
func (c *Curve) TrainMean() []float64 { return rowMeans(c.Train) }

// TestMean returns the mean test score at each point.
func (c *Curve) TestMean() []float64 { return rowMeans(c.Test) }

// TestStdErr returns the standard error of the mean test score at each point.
func (c *Curve) TestStdErr() []float64 {
	out := make([]float64, len(c.Test))
	for i, r := range c.Test {
		if len(r) > 1 {
			out[i] = stat.StdDev(r, nil) / math.Sqrt(float64(len(r)))
		}
	}
	return out
}

// Best returns the point with the best mean test score. On an axis of complexity, the model
// underfits to the left of this point and overfits to its right.
//
// Course: CORE-10.
func (c *Curve) Best() (x, score float64) {
	m := c.TestMean()
	best := 0
	for i := range m {
		if m[i] > m[best] != c.Lower && m[i] != m[best] {
			best = i
		}
	}
	return c.X[best], m[best]
}

func rowMeans(rows [][]float64) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = stat.Mean(r, nil)
	}
	return out
}

// String returns the means as aligned text.
func (c *Curve) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%12s  %8s  %8s", c.Axis, "train", "test")
	train, test := c.TrainMean(), c.TestMean()
	for i, x := range c.X {
		fmt.Fprintf(&b, "\n%12.6g  %8.4f  %8.4f", x, train[i], test[i])
	}
	return b.String()
}

// LearningCurve measures accuracy, or the scoring passed after seed, against the number of training
// examples. It uses a stratified K-fold split. The training part of each fold is shuffled once, and
// each size uses its first examples, so larger training sets contain the smaller ones.
//
// If the two curves are close together at a low score, a better model is needed; if there is a gap
// between them, more examples are needed.
//
// Course: EVAL-33.
func LearningCurve(fresh func() model.Classifier, x mat.Matrix, y []int, sizes []int, k int, seed uint64, by ...Scoring) (*Curve, error) {
	const op = "LearningCurve"
	score := ByAccuracy
	if len(by) > 0 {
		score = by[0]
	}
	if fresh == nil || len(sizes) == 0 || score.Of == nil || len(by) > 1 {
		return nil, curveMissing(op)
	}
	d, err := examplesOf(op, x, len(y), Resampling{}, func() any { return fresh() })
	if err != nil {
		return nil, err
	}
	folds, err := StratifiedKFold{K: k, Shuffle: true, Seed: seed}.Split(len(y), y)
	if err != nil {
		return nil, err
	}
	c := &Curve{Axis: "examples", Metric: score.Name, Lower: score.Lower}
	err = c.learn(op, folds, sizes, seed, func(train, test []int) (float64, float64, error) {
		m := fresh()
		if err := m.Fit(d.rows(train), pick.Of(y, train)); err != nil {
			return 0, 0, err
		}
		before, err := score.score(m, d.rows(train), pick.Of(y, train), nil)
		if err != nil {
			return 0, 0, err
		}
		after, err := score.score(m, d.rows(test), pick.Of(y, test), nil)
		return before, after, err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func curveMissing(op string) error {
	return model.Errorf(op, "the function fresh must not be nil, sizes or values must not be empty, and at most one scoring can be passed").WithHint("pass a function that returns a new model, and sizes or values to try")
}

// learn fills in the scores of a learning curve.
func (c *Curve) learn(op string, folds []Fold, sizes []int, seed uint64, scores func(train, test []int) (before, after float64, err error)) error {
	c.Train, c.Test = make([][]float64, len(sizes)), make([][]float64, len(sizes))
	for _, n := range sizes {
		if n < 1 || n > len(folds[0].Train) {
			return model.Errorf(op, "each size must be between 1 and %d (the size of a training part), got %d", len(folds[0].Train), n)
		}
		c.X = append(c.X, float64(n))
	}
	var control model.Control
	run := control.Begin(op, len(folds)*len(sizes))
	defer run.End()
	for f, fold := range folds {
		order := append([]int(nil), fold.Train...)
		model.Rand(seed, uint64(f)+1).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for s, n := range sizes {
			train, test, err := scores(order[:n], fold.Test)
			if err != nil {
				return foldError(fmt.Sprintf("%s: %d examples", op, n), f, err)
			}
			c.Train[s], c.Test[s] = append(c.Train[s], train), append(c.Test[s], test)
			if err := run.Step(f*len(sizes)+s+1, math.NaN()); err != nil {
				return err
			}
		}
	}
	return nil
}

// LearningCurveRegressor is [LearningCurve] for regressors, by R² or the scoring passed after seed,
// over a shuffled K-fold split.
//
// Course: EVAL-33.
func LearningCurveRegressor(fresh func() model.Regressor, x mat.Matrix, y []float64, sizes []int, k int, seed uint64, by ...RegressionScoring) (*Curve, error) {
	const op = "LearningCurveRegressor"
	score := ByR2
	if len(by) > 0 {
		score = by[0]
	}
	if fresh == nil || len(sizes) == 0 || score.Of == nil || len(by) > 1 {
		return nil, curveMissing(op)
	}
	d, folds, err := regressionFolds(op, fresh, x, y, Resampling{Split: KFold{K: k, Shuffle: true, Seed: seed}})
	if err != nil {
		return nil, err
	}
	c := &Curve{Axis: "examples", Metric: score.Name, Lower: score.Lower}
	err = c.learn(op, folds, sizes, seed, func(train, test []int) (float64, float64, error) {
		m := fresh()
		if err := m.Fit(d.rows(train), pick.Of(y, train)); err != nil {
			return 0, 0, err
		}
		before, err := score.score(m, d.rows(train), pick.Of(y, train), nil)
		if err != nil {
			return 0, 0, err
		}
		after, err := score.score(m, d.rows(test), pick.Of(y, test), nil)
		return before, after, err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ValidationCurve measures accuracy, or the scoring passed after k, against one hyperparameter, by
// stratified K-fold cross-validation. As complexity rises, training accuracy keeps rising, while
// test accuracy rises to a best value and falls again. If you chose by training accuracy, the most
// complex model would always win. A value of 0 means zero and not the default, as in [GridPoints].
//
// Course: CORE-10, CORE-11, EVAL-17, EVAL-33.
func ValidationCurve(fresh func(value float64) model.Classifier, name string, values []float64, x mat.Matrix, y []int, k int, by ...Scoring) (*Curve, error) {
	const op = "ValidationCurve"
	if fresh == nil || len(values) == 0 || len(by) > 1 {
		return nil, curveMissing(op)
	}
	return validate(op, name, values, func(v float64) ([]*CVResult, error) {
		v = orZero(v, func(v float64) any { return fresh(v) })
		return crossScore(op, func() model.Classifier { return fresh(v) }, x, y, Resampling{Split: StratifiedKFold{K: k}}, by)
	})
}

// ValidationCurveRegressor is [ValidationCurve] for regressors, by R² or the scoring passed after
// k, over a K-fold split.
//
// Course: CORE-10, CORE-11, EVAL-17, EVAL-33.
func ValidationCurveRegressor(fresh func(value float64) model.Regressor, name string, values []float64, x mat.Matrix, y []float64, k int, by ...RegressionScoring) (*Curve, error) {
	const op = "ValidationCurveRegressor"
	if fresh == nil || len(values) == 0 || len(by) > 1 {
		return nil, curveMissing(op)
	}
	return validate(op, name, values, func(v float64) ([]*CVResult, error) {
		v = orZero(v, func(v float64) any { return fresh(v) })
		return crossScoreRegressor(op, func() model.Regressor { return fresh(v) }, x, y, Resampling{Split: KFold{K: k}}, by)
	})
}

// validate returns the curve of the results at the values.
func validate(op, name string, values []float64, result func(v float64) ([]*CVResult, error)) (*Curve, error) {
	c := &Curve{Axis: name}
	for _, v := range values {
		r, err := result(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %s = %g: %w", op, name, v, err)
		}
		c.Metric, c.Lower = r[0].Metric, r[0].Lower
		c.X = append(c.X, v)
		c.Train = append(c.Train, r[0].Train)
		c.Test = append(c.Test, r[0].Scores)
	}
	return c, nil
}

// ExamplesToReach returns the number of examples needed to reach an accuracy, by linear
// interpolation of a learning curve's mean test scores. Use it to compare how many examples two
// algorithms need. It is +Inf if the curve never reaches the accuracy.
//
// Course: EVAL-33, EVAL-36.
func (c *Curve) ExamplesToReach(accuracy float64) float64 {
	m := c.TestMean()
	for i := range m {
		if m[i] < accuracy {
			continue
		}
		if i == 0 || m[i] == m[i-1] {
			return c.X[i]
		}
		return c.X[i-1] + (c.X[i]-c.X[i-1])*(accuracy-m[i-1])/(m[i]-m[i-1])
	}
	return math.Inf(1)
}
