package online

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SigmoidScale converts scores to probabilities.
//
//	P(y=+1|x) = 1 / (1 + e^(−A·s(x)))
//
// A is fitted by maximum likelihood on a development set that the learner has not seen. This is
// Platt's method without the offset. Calibration does not change which class is predicted.
//
// References: [Platt1999]. Course: ONL-30.
type SigmoidScale struct {
	A float64
}

// FitSigmoidScale fits A to scores and labels ±1, by Newton's method on the convex negative
// log-likelihood. It returns an error if the scores separate the classes perfectly, because the
// likelihood then has no maximum.
//
// Course: ONL-30.
func FitSigmoidScale(score []float64, y []int) (SigmoidScale, error) {
	const op = "FitSigmoidScale"
	if len(score) != len(y) || len(y) == 0 {
		return SigmoidScale{}, model.Errorf(op, "score and y must have the same length, got %d and %d", len(score), len(y))
	}
	mustLabels(op, y, len(score))
	size, wrong := 0.0, 0
	for i, s := range score {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return SigmoidScale{}, model.Errorf(op, "score[%d] must be finite, got %v", i, s)
		}
		size = max(size, math.Abs(s))
		if float64(y[i])*s < 0 {
			wrong++
		}
	}
	if size == 0 || wrong == 0 || wrong == len(score) {
		return SigmoidScale{}, model.Errorf(op, "at least one score, but not every score, must have the wrong sign (or the likelihood has no maximum), got %d of %d", wrong, len(score)).
			WithHint("calibrate on held-out examples")
	}
	// Scores are in units of the largest score, so that the steps are of order one.
	a := 0.0
	for range 100 {
		var g, h float64
		for i, s := range score {
			z := s / size
			p := 1 / (1 + math.Exp(a*z*float64(y[i]))) // probability of the other label
			g -= p * z * float64(y[i])
			h += p * (1 - p) * z * z
		}
		step := g / h
		step = min(max(step, -2), 2)
		a -= step
		if math.Abs(step) < 1e-12*max(1, math.Abs(a)) {
			break
		}
	}
	return SigmoidScale{A: a / size}, nil
}

// Probability returns P(y=+1) for a score.
func (c SigmoidScale) Probability(score float64) float64 { return 1 / (1 + math.Exp(-c.A*score)) }

// ReliabilityBin is one bar of a reliability diagram.
type ReliabilityBin struct {
	Predicted, Observed float64 // mean probability, fraction of positives
	Count               int
}

// Reliability puts the predicted probabilities of the class positive into bins of equal width on
// [0, 1], and compares the mean probability of each bin with the observed fraction of that class.
// Empty bins are left out. A probability on the boundary of two bins is in the lower bin. The
// classes in y can be any integers.
//
// Course: ONL-30.
func Reliability(y []int, probability []float64, positive, bins int) []ReliabilityBin {
	const op = "Reliability"
	if len(y) != len(probability) || len(y) == 0 {
		panic(model.Errorf(op, "y and probability must have the same length, got %d and %d", len(y), len(probability)))
	}
	if bins < 1 {
		panic(model.Errorf(op, "bins must be at least 1, got %d", bins))
	}
	edges := make([]float64, bins-1)
	for k := range edges {
		edges[k] = float64(k+1) * (1 / float64(bins))
	}
	all := make([]ReliabilityBin, bins)
	for i, p := range probability {
		if !(p >= 0 && p <= 1) {
			panic(model.Errorf(op, "the probability of example %d must be between 0 and 1, got %v", i, p).WithHint("pass probabilities, not scores"))
		}
		at, _ := slices.BinarySearch(edges, p) // the number of edges below p
		b := &all[at]
		b.Count++
		b.Predicted += p
		if y[i] == positive {
			b.Observed++
		}
	}
	var out []ReliabilityBin
	for _, b := range all {
		if b.Count > 0 {
			b.Predicted /= float64(b.Count)
			b.Observed /= float64(b.Count)
			out = append(out, b)
		}
	}
	return out
}
