package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Params are hyperparameters by name.
type Params map[string]float64

// String gives the parameters in the order of their names.
func (p Params) String() string {
	var s []string
	for _, k := range p.names() {
		s = append(s, fmt.Sprintf("%s=%.6g", k, p[k]))
	}
	return strings.Join(s, " ")
}

func (p Params) names() []string {
	var names []string
	for k := range p {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

// Candidate is one setting of the hyperparameters and how it scored.
type Candidate struct {
	Params Params
	CV     *CVResult
}

// GridPoints gives every combination of the values, the last name (in order)
// changing fastest.
//
// Course: EVAL-17.
func GridPoints(values map[string][]float64) []Params {
	names := make([]string, 0, len(values))
	for k := range values {
		names = append(names, k)
	}
	slices.Sort(names)
	points := []Params{{}}
	for _, name := range names {
		var next []Params
		for _, p := range points {
			for _, v := range values[name] {
				q := Params{name: v}
				for k, w := range p {
					q[k] = w
				}
				next = append(next, q)
			}
		}
		points = next
	}
	return points
}

// Interval is where a random search draws a hyperparameter from.
type Interval struct {
	Low, High float64
	Log       bool // uniform in the logarithm: for scales such as C, lambda, gamma
	Integer   bool // whole numbers, both ends included
}

func (r Interval) draw(rng *rand.Rand) float64 {
	if r.Integer && r.Log {
		// Whole parts, of which each number gets the share of its logarithm.
		v := math.Exp(math.Log(r.Low) + rng.Float64()*(math.Log(r.High+1)-math.Log(r.Low)))
		return min(max(math.Floor(v), r.Low), r.High)
	}
	if r.Integer {
		return r.Low + float64(rng.IntN(int(r.High-r.Low)+1))
	}
	if r.Log {
		return math.Exp(math.Log(r.Low) + rng.Float64()*(math.Log(r.High)-math.Log(r.Low)))
	}
	return r.Low + rng.Float64()*(r.High-r.Low)
}

// RandomPoints draws n settings. Random search covers each single parameter
// better than a grid of as many points when only a few parameters matter.
//
// References: [BergstraBengio2012]. Course: EVAL-17.
func RandomPoints(ranges map[string]Interval, n int, seed uint64) []Params {
	if n < 0 {
		panic(model.Errorf("RandomPoints", "n is %d", n).WithHint("it must not be negative"))
	}
	rng := model.Rand(seed, 0)
	names := make([]string, 0, len(ranges))
	for k, r := range ranges {
		if r.Integer && (r.Low != math.Trunc(r.Low) || r.High != math.Trunc(r.High)) {
			panic(model.Errorf("RandomPoints", "the interval of %s is [%v, %v]", k, r.Low, r.High).WithHint("with Integer both ends are whole numbers"))
		}
		if !(r.Low <= r.High) || (r.Log && r.Low <= 0) {
			panic(model.Errorf("RandomPoints", "the interval of %s is [%v, %v]", k, r.Low, r.High).
				WithHint("Low must not exceed High, and must be positive with Log"))
		}
		names = append(names, k)
	}
	slices.Sort(names)
	points := make([]Params, n)
	for i := range points {
		points[i] = Params{}
		for _, k := range names {
			points[i][k] = ranges[k].draw(rng)
		}
	}
	return points
}

// Search chooses hyperparameters by cross-validation.
//
//	best = argmax_p (1/K) Σ_k score(y_k, New(p) fitted without fold k, at x_k)
//
// Then it fits on all of the data with the best: all K slices, not K−1 of them.
// It is a classifier itself, so it can be cross-validated in turn; that outer
// estimate is honest, while BestScore, the maximum of many, is too good. A tie
// goes to the candidate that comes first: list simple ones first.
//
// Cost: len(Points)·K + 1 fits.
//
// References: [Kohavi1995]. Course: EVAL-17, CORE-11, CORE-12.
type Search struct {
	New    func(p Params) model.Classifier // makes an unfitted classifier
	Points []Params                        // from GridPoints or RandomPoints
	Split  Splitter                        // nil means StratifiedKFold{K: 5}
	// Score is larger for better; nil means Accuracy.
	Score func(y, predicted []int) float64
	model.Control

	Candidates []Candidate      // set by Fit: one a point, in order
	Best       Params           // set by Fit
	BestScore  float64          // set by Fit: mean cross-validated score of Best
	Model      model.Classifier // set by Fit: fitted on all of the data with Best
}

// Fit cross-validates every point and fits the best on x and y.
func (s *Search) Fit(x mat.Matrix, y []int) error {
	s.Candidates, s.Best, s.BestScore, s.Model = nil, nil, 0, nil
	if s.New == nil || len(s.Points) == 0 {
		return model.Errorf("Search.Fit", "there is nothing to search: New is nil or Points is empty").
			WithHint("set New to a function that makes the classifier, and Points with GridPoints or RandomPoints")
	}
	split, score, metric := s.Split, s.Score, "score"
	if split == nil {
		split = StratifiedKFold{K: 5}
	}
	if score == nil {
		score, metric = Accuracy, "accuracy"
	}
	run := s.Begin("Search", len(s.Points))
	defer run.End()
	var found []Candidate
	best := -1
	for i, p := range s.Points {
		cv, err := CrossValidateWith(func() model.Classifier { return s.New(p) }, x, y, split, metric, score)
		if err != nil {
			return err
		}
		found = append(found, Candidate{p, cv})
		if math.IsNaN(cv.Mean()) {
			return model.Errorf("Search.Fit", "the score of %v is NaN", p).WithHint("a score must be a number, or the candidates cannot be compared")
		}
		// Means of the same scores in another order differ by rounding: that is a tie.
		if best < 0 || cv.Mean() > found[best].CV.Mean()+1e-12 {
			best = i
		}
		if err := run.Step(i+1, 1-cv.Mean()); err != nil {
			return err
		}
	}
	m := s.New(s.Points[best])
	if err := m.Fit(x, y); err != nil {
		return err
	}
	s.Candidates, s.Best, s.BestScore, s.Model = found, s.Points[best], found[best].CV.Mean(), m
	return nil
}

// Predict predicts by the model that was fitted with the best parameters.
func (s *Search) Predict(x mat.Matrix) []int {
	if s.Model == nil {
		panic(model.NotFitted("Search.Predict"))
	}
	return s.Model.Predict(x)
}
