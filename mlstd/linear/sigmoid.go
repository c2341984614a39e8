package linear

import "math"

// Sigmoid is the logistic function.
//
//	σ(z) = 1 / (1 + e^(−z)),  σ(−z) = 1 − σ(z),  σ′ = σ(1 − σ)
//
// It is ½ at z = 0, where its derivative is ¼, and it is above ½ exactly if z > 0. A classifier
// that thresholds it at ½ is therefore linear.
//
// Course: LIN-13.
func Sigmoid(z float64) float64 {
	if z >= 0 {
		return 1 / (1 + math.Exp(-z))
	}
	e := math.Exp(z)
	return e / (1 + e)
}

// SigmoidDerivative is σ(z)·(1 − σ(z)).
//
// Course: LIN-13.
func SigmoidDerivative(z float64) float64 { return Sigmoid(z) * Sigmoid(-z) }

// Logit is the inverse of [Sigmoid]: the log-odds log(p/(1−p)).
//
// Course: LIN-09, LIN-13.
func Logit(p float64) float64 { return math.Log(p / (1 - p)) }

// Softmax turns scores into probabilities.
//
//	softmax(s)ₖ = e^{sₖ} / Σⱼ e^{sⱼ}
//
// The scores (1, 2, 3) have the probabilities (0.0900, 0.2447, 0.6652). Adding a constant to all
// scores changes nothing.
//
// Course: LIN-11.
func Softmax(s []float64) []float64 {
	out := append([]float64(nil), s...)
	softmaxInPlace(out)
	return out
}

// softmaxInPlace replaces scores by probabilities and returns the log of the
// normalizer.
func softmaxInPlace(s []float64) (logZ float64) {
	top := math.Inf(-1)
	for _, v := range s {
		top = max(top, v)
	}
	z := 0.0
	for k, v := range s {
		s[k] = math.Exp(v - top)
		z += s[k]
	}
	for k := range s {
		s[k] /= z
	}
	return top + math.Log(z)
}
