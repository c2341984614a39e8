package online

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// WeightedRule is one perceptron in a vote: its weights, its intercept, and the number of examples
// that it survived, including the example that created it.
type WeightedRule struct {
	Coef      []float64
	Intercept float64
	Count     float64
}

// VotedPerceptron keeps every weight vector of a perceptron and the number of examples that the
// vector survived.
//
//	k = 1, v₁ = 0, c₁ = 0;  right: cₖ ← cₖ + 1;  wrong: v_{k+1} = vₖ + y·x, c_{k+1} = 1
//	ŷ = sgn Σₖ cₖ·sgn(vₖ·x),   or with Average  ŷ = sgn Σₖ cₖ·(vₖ·x)
//
// The second formula is the averaged perceptron. [Perceptron] with Average computes the same sum of
// vectors without storing the list of vectors.
//
// Cost: O(active features) per example and O(updates·d) memory to fit; O(updates·d) per prediction.
//
// References: [FreundSchapire1999]. Course: ONL-24, ONL-25.
type VotedPerceptron struct {
	Average     bool // sum scores instead of votes
	NoIntercept bool
	// Epochs is the number of passes over the training examples; 0 means 10.
	Epochs int
	model.Control

	Rules []WeightedRule // set by Fit
	Trace MistakeTrace

	width   int
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes Epochs passes over the examples.
func (v *VotedPerceptron) Fit(x mat.Matrix, y []int) error {
	const op = "VotedPerceptron.Fit"
	model.NoteXY(&v.Fitted, x, y)
	v.Rules, v.Trace, v.classes, v.width = nil, MistakeTrace{}, nil, 0
	e, classes, sign, err := binaryExamples(op, x, y)
	if err != nil {
		return err
	}
	epochs, err := model.Iterations(op, "Epochs", v.Epochs, 10)
	if err != nil {
		return err
	}
	run := v.Begin("VotedPerceptron", epochs)
	defer run.End()
	now := WeightedRule{Coef: make([]float64, e.width)}
	var rules []WeightedRule
	var trace MistakeTrace
	for epoch := 1; epoch <= epochs; epoch++ {
		mistakes := 0
		for i := range e.n {
			if !wrongSide(sign[i], e.dot(i, now.Coef)+now.Intercept) {
				now.Count++
				continue
			}
			mistakes++
			rules = append(rules, now)
			now = WeightedRule{Coef: append([]float64(nil), now.Coef...), Intercept: now.Intercept, Count: 1}
			e.add(i, sign[i], now.Coef)
			if !v.NoIntercept {
				now.Intercept += sign[i]
			}
			trace.keep(now.Coef, now.Intercept)
		}
		trace.Mistakes = append(trace.Mistakes, float64(mistakes))
		trace.Updates = trace.Mistakes
		if err := run.Step(epoch, float64(mistakes)/float64(e.n)); err != nil {
			return err
		}
		if mistakes == 0 {
			trace.Converged = true
			break
		}
	}
	v.Rules, v.Trace, v.classes, v.width = append(rules, now), trace, classes, e.width
	return nil
}

// Classes lists the two classes in ascending order.
func (v *VotedPerceptron) Classes() []int { return slices.Clone(v.classes) }

// Decision returns the sum of the votes or, with Average, the sum of the scores, divided by the
// number of examples seen.
func (v *VotedPerceptron) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("VotedPerceptron.Decision", &v.Fitted, x)
	return column(v.votes("VotedPerceptron.Decision", x))
}

func (v *VotedPerceptron) votes(op string, x mat.Matrix) []float64 {
	if v.Rules == nil {
		panic(model.NotFitted(op))
	}
	e := examplesOf(op, x, v.width)
	out, total := make([]float64, e.n), 0.0
	for _, r := range v.Rules {
		total += r.Count
		for i := range out {
			s := e.dot(i, r.Coef) + r.Intercept
			if !v.Average {
				switch {
				case s > 0:
					s = 1
				case s < 0:
					s = -1
				}
			}
			out[i] += r.Count * s
		}
	}
	for i := range out {
		out[i] /= total
	}
	return out
}

// Predict returns the greater class for rows with a positive sum, and the smaller class for all
// others.
func (v *VotedPerceptron) Predict(x mat.Matrix) []int {
	x = model.MustRead("VotedPerceptron.Predict", &v.Fitted, x)
	return labels(v.votes("VotedPerceptron.Predict", x), v.classes)
}
