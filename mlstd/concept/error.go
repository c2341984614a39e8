package concept

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
)

// World is a known distribution D over finitely many labeled rows. In practice D is never known. In
// a World you can compute true errors and draw samples.
//
// Course: CORE-07.
type World struct {
	X *mat.Dense // one row per case
	Y []int      // the class of each case
	P []float64  // the probability of each case; they sum to 1
}

// NewWorld makes a world of the cases with the given weights, which are scaled to
// sum to 1.
func NewWorld(x mat.Matrix, y []int, weights []float64) (*World, error) {
	const op = "NewWorld"
	d, err := model.Takes{Nominal: true}.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return nil, err
	}
	w := &World{X: mat.DenseCopyOf(d), Y: slices.Clone(y), P: slices.Clone(weights)}
	total := 0.0
	for _, p := range w.P {
		total += p
	}
	for i := range w.P {
		w.P[i] /= total
	}
	return w, nil
}

// TrueError returns the error of a fitted classifier f under D,
//
//	ε = E_{(x,y)~D} [f(x) ≠ y] = Σ P(x, y) [f(x) ≠ y]
//
// This is the probability of a mistake on a new example. The error on a sample S is written error_S
// to distinguish the two.
//
// Course: CORE-07.
func (w *World) TrueError(f model.Classifier) float64 {
	e := 0.0
	for i, c := range f.Predict(w.X) {
		if c != w.Y[i] {
			e += w.P[i]
		}
	}
	return e
}

// LeastError returns the Bayes error, which no classifier can beat. Equal rows get the same
// prediction, and the best prediction is their most probable class.
//
// Course: CORE-07.
func (w *World) LeastError() float64 {
	mass := map[string]map[int]float64{}
	for i, p := range w.P {
		key := ""
		for _, v := range w.X.RawRowView(i) {
			key += strconv.FormatFloat(v, 'g', -1, 64) + " "
		}
		if mass[key] == nil {
			mass[key] = map[int]float64{}
		}
		mass[key][w.Y[i]] += p
	}
	right := 0.0
	for _, classes := range mass {
		best := 0.0
		for _, p := range classes {
			best = math.Max(best, p)
		}
		right += best
	}
	return math.Max(0, 1-right)
}

// Sample draws n examples independently from D.
//
// Course: CORE-07, CORE-08.
func (w *World) Sample(n int, seed uint64) (*mat.Dense, []int) {
	if n < 1 {
		panic(model.Errorf("World.Sample", "n must be at least 1, got %d", n))
	}
	rng := model.Rand(seed, 0)
	_, cols := w.X.Dims()
	x, y := mat.NewDense(n, cols, nil), make([]int, n)
	for i := range n {
		k := w.draw(rng)
		x.SetRow(i, w.X.RawRowView(k))
		y[i] = w.Y[k]
	}
	return x, y
}

func (w *World) draw(rng *rand.Rand) int {
	u := rng.Float64()
	for k, p := range w.P {
		if u -= p; u < 0 {
			return k
		}
	}
	return len(w.P) - 1
}

// Complexity holds the error of one hypothesis on its training data and on other data.
type Complexity struct {
	Knob            int // the complexity: depth, degree, K, number of rounds
	Training, Other float64
}

// ComplexityCurve is the error as a function of a complexity parameter. The training error falls as
// the complexity rises. The error on other data first falls (underfitting), reaches a minimum and
// rises again (overfitting).
//
// Course: CORE-10, CORE-11.
type ComplexityCurve []Complexity

// VaryComplexity fits a classifier to the training set for each complexity in knobs, and records
// its errors on train and on other.
//
// Course: CORE-10, CORE-11.
func VaryComplexity(fresh func(knob int) model.Classifier, knobs []int, train, other *data.Dataset) (ComplexityCurve, error) {
	if len(knobs) == 0 {
		return nil, model.Errorf("VaryComplexity", "at least one setting must be given")
	}
	other = other.LikeIn("VaryComplexity", train)
	var curve ComplexityCurve
	for _, k := range knobs {
		m := fresh(k)
		if err := m.Fit(train.X, train.Y); err != nil {
			return nil, err
		}
		curve = append(curve, Complexity{k, eval.ErrorRate(train.Y, m.Predict(train.X)), eval.ErrorRate(other.Y, m.Predict(other.X))})
	}
	return curve, nil
}

// BestOnTraining returns the setting with the smallest training error; ties go to the first. A
// complexity chosen in this way is just another fitted parameter: it grows as long as growth helps
// to memorize the training set.
//
// Course: CORE-11.
func (c ComplexityCurve) BestOnTraining() Complexity {
	return slices.MinFunc(c, func(a, b Complexity) int { return compare(a.Training, b.Training) })
}

// BestOnOther returns the setting with the smallest error on the other set; ties go to the first.
// Choose hyperparameters in this way.
//
// Course: CORE-11.
func (c ComplexityCurve) BestOnOther() Complexity {
	return slices.MinFunc(c, func(a, b Complexity) int { return compare(a.Other, b.Other) })
}

// Overfits reports whether h overfits relative to g: its training error is lower, and its error on
// other data is higher.
//
// Course: CORE-10.
func (h Complexity) Overfits(g Complexity) bool {
	return h.Training < g.Training && h.Other > g.Other
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
