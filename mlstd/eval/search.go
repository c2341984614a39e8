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

// Params holds the values of hyperparameters by name.
type Params map[string]float64

// String returns the parameters in the order of their names.
func (p Params) String() string {
	var s []string
	for _, k := range p.names() {
		v := p[k]
		if v == model.Zero {
			v = 0
		}
		s = append(s, fmt.Sprintf("%s=%.6g", k, v))
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

// Candidate is one setting of the hyperparameters and its scores.
type Candidate struct {
	Params Params
	CV     *CVResult
	// Defaults lists the parameters whose value 0 means the default, because the model stores them
	// in integer fields.
	Defaults []string `snapshot:"added"`
}

// GridPoints returns every combination of the values, where the value of the last name in
// alphabetical order changes fastest. A 0 means zero: where a model would treat 0 as its default,
// [Search] passes [model.Zero]. In integer fields, 0 still means the default; Defaults in
// [Candidate] lists these parameters.
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

// Interval is the range from which a random search draws a hyperparameter.
type Interval struct {
	Low, High float64
	Log       bool // uniform in the logarithm: for scales such as C, lambda, gamma
	Integer   bool // whole numbers, both ends included
}

func (r Interval) draw(rng *rand.Rand) float64 {
	if r.Integer && r.Log {
		// The integer part: k has the probability of [k, k+1) on the logarithmic scale.
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
		panic(model.Errorf("RandomPoints", "n must not be negative, got %d", n))
	}
	rng := model.Rand(seed, 0)
	names := make([]string, 0, len(ranges))
	for k, r := range ranges {
		if r.Integer && (r.Low != math.Trunc(r.Low) || r.High != math.Trunc(r.High)) {
			panic(model.Errorf("RandomPoints", "Low and High of %s must be integers if Integer is set, got %v and %v", k, r.Low, r.High))
		}
		if !(r.Low <= r.High) || (r.Log && r.Low <= 0) {
			panic(model.Errorf("RandomPoints", "Low of %s must be at most High, and positive if Log is set, got %v and %v", k, r.Low, r.High))
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
// (argmin if lower scores are better). Then it fits the best model to all of the data: all K
// slices, not K−1 of them. A Search is itself a classifier, so it can be cross-validated too. The
// estimate of this outer cross-validation is honest, while BestScore, the best of many scores, is
// too optimistic. A 0 among the Points means zero, as in [GridPoints]; the Params of Best and of
// the candidates store it as [model.Zero]. Ties go to the first candidate, so list simple
// candidates first. Classes and PredictProba call the methods of the best model, if it has them.
//
// Cost: len(Points)·K + 1 fits.
//
// References: [Kohavi1995]. Course: EVAL-17, CORE-11, CORE-12.
type Search struct {
	New    func(p Params) model.Classifier // makes an unfitted classifier
	Points []Params                        // from GridPoints or RandomPoints
	Split  Splitter                        // nil means StratifiedKFold{K: 5}
	By     Scoring                         // the zero value means ByAccuracy
	model.Control

	Candidates []Candidate      // set by Fit: one per point, in order
	Best       Params           // set by Fit
	BestScore  float64          // set by Fit: mean cross-validated score of Best
	Model      model.Classifier // set by Fit: fitted on all of the data with Best

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.WeightedClassifier = (*Search)(nil)
	_ model.ProbClassifier     = (*Search)(nil)
	_ model.Staged             = (*Search)(nil)
)

// Takes reports the kinds of columns that the fitted model takes or, before Fit, that the first
// candidate takes.
func (s *Search) Takes() model.Takes {
	if s.Model == nil && s.New != nil && len(s.Points) > 0 {
		return model.TakesOf(s.New(s.Points[0]))
	}
	return model.TakesOf(s.Model)
}

// Fit cross-validates every point and fits the best model to x and y.
func (s *Search) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&s.Fitted, x, y)
	return s.fit("Search.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example. The fits and the scores use the weights.
func (s *Search) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "Search.FitWeighted"
	model.NoteOuterXY(&s.Fitted, x, y)
	s.Candidates, s.Best, s.BestScore, s.Model = nil, nil, 0, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return s.fit(op, x, y, weights)
}

// TakesWeights reports whether the models that New makes take weights.
func (s *Search) TakesWeights() bool {
	if s.New == nil || len(s.Points) == 0 {
		return false
	}
	return model.TakesWeights(s.New(s.Points[0]))
}

func (s *Search) fit(op string, x mat.Matrix, y []int, w Weights) error {
	s.Candidates, s.Best, s.BestScore, s.Model = nil, nil, 0, nil
	if s.New == nil || len(s.Points) == 0 {
		return nothingToSearch(op)
	}
	by := s.By
	if by.Of == nil {
		by = ByAccuracy
	}
	run := s.Begin("Search", len(s.Points))
	defer run.End()
	points, defaults := meantPoints(func(p Params) any { return s.New(p) }, s.Points)
	found, best, err := candidates(op, points, defaults, run, func(p Params) (*CVResult, error) {
		cv, err := crossScore(op, func() model.Classifier { return s.New(p) }, x, y, Resampling{s.Split, w}, []Scoring{by})
		if err != nil {
			return nil, err
		}
		return cv[0], nil
	})
	if err != nil {
		return err
	}
	m := s.New(points[best])
	if err := fitWith(op, m, x, y, w); err != nil {
		return err
	}
	s.Candidates, s.Best, s.BestScore, s.Model = found, points[best], found[best].CV.Mean(), m
	return nil
}

func nothingToSearch(op string) error {
	return model.Errorf(op, "New must not be nil, and Points must not be empty").
		WithHint("set New to a function that returns the model, and Points with GridPoints or RandomPoints")
}

// meantPoints is [meant] of all points.
func meantPoints(fresh func(p Params) any, points []Params) (zeros []Params, defaults [][]string) {
	zeros, defaults = make([]Params, len(points)), make([][]string, len(points))
	for i, p := range points {
		zeros[i], defaults[i] = meant(fresh, p)
	}
	return zeros, defaults
}

// candidates cross-validates every point and finds the best.
func candidates(op string, points []Params, defaults [][]string, run *model.Run, validate func(p Params) (*CVResult, error)) (found []Candidate, best int, err error) {
	best = -1
	for i, p := range points {
		cv, err := validate(p)
		if err != nil {
			return nil, 0, err
		}
		found = append(found, Candidate{p, cv, defaults[i]})
		mean := cv.Mean()
		if math.IsNaN(mean) {
			return nil, 0, model.Errorf(op, "the score must be a number, got NaN for %v", p)
		}
		// Means of the same scores in another order differ by rounding: they count as a tie.
		if best < 0 || cv.better(mean, found[best].CV.Mean(), 1e-12) {
			best = i
		}
		loss := mean
		if !cv.Lower {
			loss = 1 - mean
		}
		if err := run.Step(i+1, loss); err != nil {
			return nil, 0, err
		}
	}
	return found, best, nil
}

// better reports whether score a is better than b by more than the slack.
func (r *CVResult) better(a, b, slack float64) bool {
	if r.Lower {
		return a < b-slack
	}
	return a > b+slack
}

// Predict predicts with the model that was fitted with the best parameters.
func (s *Search) Predict(x mat.Matrix) []int {
	x = model.MustRead("Search.Predict", &s.Fitted, x)
	if s.Model == nil {
		panic(model.NotFitted("Search.Predict"))
	}
	return s.Model.Predict(x)
}

// Transform returns x, because no step precedes the model.
func (s *Search) Transform(x mat.Matrix) mat.Matrix {
	x = model.MustRead("Search.Transform", &s.Fitted, x)
	return x
}

// Last returns the model that was fitted with the best parameters.
func (s *Search) Last() model.Classifier {
	if s.Model == nil {
		panic(model.NotFitted("Search.Last"))
	}
	return s.Model
}

// Classes lists the classes in ascending order. It returns nil before Fit, or if the best model has
// no Classes method.
func (s *Search) Classes() []int {
	if c, ok := s.Model.(interface{ Classes() []int }); ok {
		return c.Classes()
	}
	return nil
}

// PredictProba returns the best model's class probabilities of each row. It panics with a
// [*model.Error] if that model does not predict probabilities.
func (s *Search) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "Search.PredictProba"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Model == nil {
		panic(model.NotFitted(op))
	}
	proba, _, err := probabilitiesOf(op, s.Model, x)
	if err != nil {
		panic(err)
	}
	return proba
}

// RegressorSearch is [Search] for regressors. By default, it chooses
//
//	argmax_p (1/K) Σ_k R²(y_k, New(p) fitted without fold k, at x_k)
//
// If By is a loss, it chooses the point with the smallest loss.
//
// Cost: len(Points)·K + 1 fits.
//
// References: [Kohavi1995]. Course: EVAL-17, CORE-11, CORE-12.
type RegressorSearch struct {
	New    func(p Params) model.Regressor // makes an unfitted regressor
	Points []Params                       // from GridPoints or RandomPoints
	Split  Splitter                       // nil means KFold{K: 5}
	By     RegressionScoring              // the zero value means ByR2
	model.Control

	Candidates []Candidate     // set by Fit: one per point, in order
	Best       Params          // set by Fit
	BestScore  float64         // set by Fit: mean cross-validated score of Best
	Model      model.Regressor // set by Fit: fitted on all of the data with Best

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.WeightedRegressor = (*RegressorSearch)(nil)

// Takes reports the kinds of columns that the fitted model takes or, before Fit, that the first
// candidate takes.
func (s *RegressorSearch) Takes() model.Takes {
	if s.Model == nil && s.New != nil && len(s.Points) > 0 {
		return model.TakesOf(s.New(s.Points[0]))
	}
	return model.TakesOf(s.Model)
}

// Fit cross-validates every point and fits the best model to x and y.
func (s *RegressorSearch) Fit(x mat.Matrix, y []float64) error {
	model.NoteOuterXYReal(&s.Fitted, x, y)
	return s.fit("RegressorSearch.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example. The fits and the scores use the weights.
func (s *RegressorSearch) FitWeighted(x mat.Matrix, y []float64, weights []float64) error {
	const op = "RegressorSearch.FitWeighted"
	model.NoteOuterXYReal(&s.Fitted, x, y)
	s.Candidates, s.Best, s.BestScore, s.Model = nil, nil, 0, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return s.fit(op, x, y, weights)
}

// TakesWeights reports whether the models that New makes take weights.
func (s *RegressorSearch) TakesWeights() bool {
	if s.New == nil || len(s.Points) == 0 {
		return false
	}
	return model.TakesWeights(s.New(s.Points[0]))
}

func (s *RegressorSearch) fit(op string, x mat.Matrix, y []float64, w Weights) error {
	s.Candidates, s.Best, s.BestScore, s.Model = nil, nil, 0, nil
	if s.New == nil || len(s.Points) == 0 {
		return nothingToSearch(op)
	}
	by := s.By
	if by.Of == nil {
		by = ByR2
	}
	run := s.Begin("RegressorSearch", len(s.Points))
	defer run.End()
	points, defaults := meantPoints(func(p Params) any { return s.New(p) }, s.Points)
	found, best, err := candidates(op, points, defaults, run, func(p Params) (*CVResult, error) {
		cv, err := crossScoreRegressor(op, func() model.Regressor { return s.New(p) }, x, y, Resampling{s.Split, w}, []RegressionScoring{by})
		if err != nil {
			return nil, err
		}
		return cv[0], nil
	})
	if err != nil {
		return err
	}
	m := s.New(points[best])
	if err := fitRegressorWith(op, m, x, y, w); err != nil {
		return err
	}
	s.Candidates, s.Best, s.BestScore, s.Model = found, points[best], found[best].CV.Mean(), m
	return nil
}

// Predict predicts with the model that was fitted with the best parameters.
func (s *RegressorSearch) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("RegressorSearch.Predict", &s.Fitted, x)
	if s.Model == nil {
		panic(model.NotFitted("RegressorSearch.Predict"))
	}
	return s.Model.Predict(x)
}
