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

// Curve holds training and test scores along one axis: the number of examples,
// or a hyperparameter. Each has one row a point and one column a fold.
type Curve struct {
	Axis        string
	X           []float64
	Train, Test [][]float64
}

// TrainMean gives the mean training score at each point.
func (c *Curve) TrainMean() []float64 { return rowMeans(c.Train) }

// TestMean gives the mean test score at each point.
func (c *Curve) TestMean() []float64 { return rowMeans(c.Test) }

// TestStdErr gives the standard error of the mean test score at each point.
func (c *Curve) TestStdErr() []float64 {
	out := make([]float64, len(c.Test))
	for i, r := range c.Test {
		if len(r) > 1 {
			out[i] = stat.StdDev(r, nil) / math.Sqrt(float64(len(r)))
		}
	}
	return out
}

// Best is the point with the highest mean test score: left of it the model
// underfits, right of it (on an axis of complexity) it overfits.
//
// Course: CORE-10.
func (c *Curve) Best() (x, score float64) {
	m := c.TestMean()
	best := 0
	for i := range m {
		if m[i] > m[best] {
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

// String gives the means as aligned text.
func (c *Curve) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%12s  %8s  %8s", c.Axis, "train", "test")
	train, test := c.TrainMean(), c.TestMean()
	for i, x := range c.X {
		fmt.Fprintf(&b, "\n%12.6g  %8.4f  %8.4f", x, train[i], test[i])
	}
	return b.String()
}

// LearningCurve measures accuracy against the number of training examples: each
// size takes the first examples of a shuffled training part of every fold of a
// stratified K-fold division, so that larger sets contain the smaller ones.
//
// Two curves close together at a low level ask for a better model; a gap asks
// for more examples.
//
// Course: EVAL-33.
func LearningCurve(fresh func() model.Classifier, x mat.Matrix, y []int, sizes []int, k int, seed uint64) (*Curve, error) {
	const op = "LearningCurve"
	if fresh == nil || len(sizes) == 0 {
		return nil, model.Errorf(op, "fresh is nil or there are no sizes").WithHint("pass a function that makes a classifier, and numbers of examples")
	}
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	folds, err := StratifiedKFold{K: k, Shuffle: true, Seed: seed}.Split(len(y), y)
	if err != nil {
		return nil, err
	}
	c := &Curve{Axis: "examples", Train: make([][]float64, len(sizes)), Test: make([][]float64, len(sizes))}
	for _, n := range sizes {
		if n < 1 || n > len(folds[0].Train) {
			return nil, model.Errorf(op, "size %d: a training part has %d examples", n, len(folds[0].Train)).
				WithHint("choose sizes between 1 and that")
		}
		c.X = append(c.X, float64(n))
	}
	var control model.Control
	run := control.Begin(op, len(folds)*len(sizes))
	defer run.End()
	for f, fold := range folds {
		order := append([]int(nil), fold.Train...)
		model.Rand(seed, uint64(f)+1).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		test := rowsOf(x, d, fold.Test)
		for s, n := range sizes {
			m := fresh()
			train := rowsOf(x, d, order[:n])
			if err := m.Fit(train, pick.Of(y, order[:n])); err != nil {
				return nil, foldError(fmt.Sprintf("%s: %d examples", op, n), f, err)
			}
			c.Train[s] = append(c.Train[s], Accuracy(pick.Of(y, order[:n]), m.Predict(train)))
			c.Test[s] = append(c.Test[s], Accuracy(pick.Of(y, fold.Test), m.Predict(test)))
			if err := run.Step(f*len(sizes)+s+1, math.NaN()); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// ValidationCurve measures accuracy against one hyperparameter, by stratified
// K-fold cross-validation. Training accuracy rises with complexity to the end;
// test accuracy has its sweet spot and falls again. Chosen on the training data,
// the most complex model would always win.
//
// Course: CORE-10, CORE-11, EVAL-17, EVAL-33.
func ValidationCurve(fresh func(value float64) model.Classifier, name string, values []float64, x mat.Matrix, y []int, k int) (*Curve, error) {
	if fresh == nil || len(values) == 0 {
		return nil, model.Errorf("ValidationCurve", "fresh is nil or there are no values").WithHint("pass a function that makes a classifier of a value, and values")
	}
	c := &Curve{Axis: name}
	for _, v := range values {
		r, err := CrossValidate(func() model.Classifier { return fresh(v) }, x, y, k)
		if err != nil {
			return nil, fmt.Errorf("ValidationCurve: %s = %g: %w", name, v, err)
		}
		c.X = append(c.X, v)
		c.Train = append(c.Train, r.Train)
		c.Test = append(c.Test, r.Scores)
	}
	return c, nil
}

// ExamplesToReach reads off a learning curve how many examples it takes to reach
// an accuracy, by linear interpolation of the mean test score: the fair way to
// say which of two algorithms learns from less. It is +Inf when never reached.
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
