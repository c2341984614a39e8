package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SignPrediction is a linear classifier's prediction for one example.
type SignPrediction struct {
	Score      float64 // θ·x + b
	Label      int     // +1 or −1: the sign of the score, TieLabel for a score of 0
	Confidence float64 // |score|
	Distance   float64 // |score|/‖θ‖: how far the example is from the boundary
}

// TieLabel is the label of a score of exactly 0. sign(0) = 0 is not a class, so a classifier needs
// a rule for ties. The rule is the negative class, which agrees with the threshold "s > 0". With
// this rule, a positive example with the margin y·s = 0 is a mistake.
const TieLabel = -1

// SignClassify applies the linear rule to each row of x.
//
//	ŷ = sign(θ·x + b), confidence |θ·x + b|
//
// Course: LIN-15.
func SignClassify(theta []float64, b float64, x mat.Matrix) []SignPrediction {
	d := model.MustRows("SignClassify", x, len(theta))
	n, _ := d.Dims()
	norm := floats.Norm(theta, 2)
	out := make([]SignPrediction, n)
	for i := range out {
		s := floats.Dot(theta, d.RawRowView(i)) + b
		p := SignPrediction{Score: s, Label: TieLabel, Confidence: math.Abs(s)}
		if s > 0 {
			p.Label = 1
		}
		if norm > 0 {
			p.Distance = p.Confidence / norm
		}
		out[i] = p
	}
	return out
}

// Margins returns y·(θ·x + b) for each row, where y is −1 or +1. The margin is positive if the
// prediction is correct, and it is larger for a more confident prediction.
//
// Course: LIN-15.
func Margins(theta []float64, b float64, x mat.Matrix, y []int) []float64 {
	p := SignClassify(theta, b, x)
	if len(p) != len(y) {
		panic(model.Errorf("Margins", "y must have %d entries (the number of rows of x), got %d", len(p), len(y)))
	}
	out := make([]float64, len(y))
	for i, v := range y {
		if v != 1 && v != -1 {
			panic(model.Errorf("Margins", "y[%d] must be -1 or +1, got %d", i, v))
		}
		out[i] = float64(v) * p[i].Score
	}
	return out
}
