package reduce

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/model"
)

// confidence returns the confidence of a two-class model that each row is of the greater class: its
// decision value, or else its probability − ½, or else ±1. For a pipeline it is the confidence of
// the last model.
func confidence(m model.Classifier, x mat.Matrix, greater int) []float64 {
	if s, ok := m.(model.Staged); ok {
		return confidence(s.Last(), s.Transform(x), greater)
	}
	if s, ok := m.(model.Scorer); ok {
		return mat.Col(nil, 0, s.Decision(x))
	}
	if p, ok := m.(model.ProbClassifier); ok {
		at, found := slices.BinarySearch(p.Classes(), greater)
		if found {
			out := mat.Col(nil, at, p.PredictProba(x))
			for i := range out {
				out[i] -= 0.5
			}
			return out
		}
	}
	pred := m.Predict(x)
	out := make([]float64, len(pred))
	for i, c := range pred {
		out[i] = -1
		if c == greater {
			out[i] = 1
		}
	}
	return out
}

// chance returns the probability of the greater class by a two-class model: its own probability, or
// else the sigmoid of its decision value, or else 0 or 1. For a pipeline it is the probability by
// the last model.
func chance(m model.Classifier, x mat.Matrix, greater int) []float64 {
	if s, ok := m.(model.Staged); ok {
		return chance(s.Last(), s.Transform(x), greater)
	}
	if p, ok := m.(model.ProbClassifier); ok {
		if at, found := slices.BinarySearch(p.Classes(), greater); found {
			return mat.Col(nil, at, p.PredictProba(x))
		}
	}
	out := confidence(m, x, greater)
	_, scored := m.(model.Scorer)
	for i, c := range out {
		switch {
		case scored:
			out[i] = 1 / (1 + math.Exp(-c))
		case c > 0:
			out[i] = 1
		default:
			out[i] = 0
		}
	}
	return out
}

// constant is the model of a subproblem in which only one class occurs.
type constant struct{ class int }

func init() { snapshot.Register(constant{}) }

func (c constant) Fit(mat.Matrix, []int) error { return nil }

// Takes reports that columns of any kind are accepted.
func (c constant) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

func (c constant) Predict(x mat.Matrix) []int {
	n, _ := x.Dims()
	return slices.Repeat([]int{c.class}, n)
}

// fitBinary fits a fresh model on labels 0 and 1, or a constant when only one of
// them occurs.
func fitBinary(fresh func() model.Classifier, x mat.Matrix, y []int) (model.Classifier, error) {
	if !slices.Contains(y, 0) {
		return constant{1}, nil
	}
	if !slices.Contains(y, 1) {
		return constant{0}, nil
	}
	m := fresh()
	return m, m.Fit(x, y)
}

// takesOf returns what the models made by fresh accept; the zero Takes if fresh is nil.
func takesOf(fresh func() model.Classifier) model.Takes {
	if fresh == nil {
		return model.Takes{}
	}
	return model.TakesOf(fresh())
}

// rowsFor returns x after checking its width. The models themselves refuse values that they don't
// accept.
func rowsFor(op string, x mat.Matrix, width int) mat.Matrix {
	return pick.As(x, model.MustWidth(op, x, width))
}

func noBase(op string) error {
	return model.Errorf(op, "New must not be nil").WithHint("set New to a function that returns the base classifier")
}
