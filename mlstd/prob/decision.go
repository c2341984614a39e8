package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// BayesOptimalClass lets hypotheses vote on the class of one case. Each vote is weighted by the
// hypothesis's posterior probability; votes[h][v] is P(v|h).
//
//	argmax_v Σₕ P(v|h)·P(h|D)
//
// With posteriors .4, .3, .3 and votes +, −, −, the most probable hypothesis predicts +, but the
// Bayes optimal class is −, with probability .6.
//
// References: [Mitchell1997] §6.7. Course: PROB-17.
func BayesOptimalClass(posterior []float64, votes [][]float64) (class int, probability []float64) {
	const op = "BayesOptimalClass"
	n := total(op, posterior)
	if len(votes) != len(posterior) {
		panic(model.Errorf(op, "posterior and votes must have the same length, got %d and %d", len(posterior), len(votes)))
	}
	probability = make([]float64, len(votes[0]))
	for h, v := range votes {
		if len(v) != len(probability) {
			panic(model.Errorf(op, "all votes must have the same number of classes, but vote %d has %d and vote 0 has %d", h, len(v), len(probability)))
		}
		floats.AddScaled(probability, posterior[h]/n, v)
	}
	return floats.MaxIdx(probability), probability
}

// BayesDecision returns the action with the smallest expected loss for each row of class
// probabilities, and that expected loss. loss.At(a, c) is the loss of action a if the class is c.
// Actions need not be classes: one action may be to refer the case to an expert.
//
//	argmin_a Σ_c loss(a, c)·P(c|x)
//
// With a loss of 1 for every error, the action is the most probable class.
//
// References: [Bishop2006] §1.5. Course: PROB-17.
func BayesDecision(proba, loss mat.Matrix) (action []int, risk []float64) {
	const op = "BayesDecision"
	actions, c := loss.Dims()
	n, k := proba.Dims()
	if c != k {
		panic(model.Errorf(op, "each row must have %d probabilities (the classes of the losses), got %d", c, k))
	}
	action, risk = make([]int, n), make([]float64, n)
	for i := range n {
		risk[i] = math.Inf(1)
		for a := range actions {
			r := 0.0
			for v := range k {
				r += loss.At(a, v) * proba.At(i, v)
			}
			if r < risk[i] {
				action[i], risk[i] = a, r
			}
		}
	}
	return action, risk
}

// BayesError returns the minimum error of any classifier on two normal classes with the same
// covariance.
//
//	π₀·Φ(−Δ/2 − t) + π₁·Φ(−Δ/2 + t),   t = log(π₀/π₁)/Δ
//
// Δ is the Mahalanobis distance of the means; prior is the prior probability of class a.
//
// Course: PROB-24, PROB-26.
func BayesError(a, b *MultivariateGaussian, prior float64) float64 {
	const op = "BayesError"
	mustProbability(op, "prior", prior)
	if a.Cov != b.Cov && (a.Cov == nil || b.Cov == nil || !mat.Equal(a.Cov, b.Cov)) {
		panic(model.Errorf(op, "the covariances must be equal for a closed form").WithHint("sample and count instead"))
	}
	delta := a.Mahalanobis(mat.NewDense(1, len(b.Mu), b.Mu))[0]
	if delta == 0 || prior == 0 || prior == 1 {
		return min(prior, 1-prior)
	}
	t := math.Log(prior/(1-prior)) / delta
	n := Gaussian{}
	return prior*n.CDF(-delta/2-t) + (1-prior)*n.CDF(-delta/2+t)
}
