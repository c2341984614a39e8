package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/model"
)

// BayesRule returns the posterior probabilities of hypotheses, given their prior probabilities and
// the likelihoods of an observation.
//
//	P(h|D) = P(D|h)·P(h) / P(D),   P(D) = Σₕ P(D|h)·P(h)
//
// BayesRule divides the prior by its sum. For example, 0.8% of all people have a disease, and a
// test is positive for 98% of the ill and for 3% of the healthy. Then a person with a positive test
// is ill with a probability of only 0.21. BayesRule panics with a [*model.Error] if the observation
// is impossible.
//
// References: [Mitchell1997] §6.2.1. Course: PROB-07.
func BayesRule(prior, likelihood []float64) (posterior []float64, evidence float64) {
	const op = "BayesRule"
	if len(prior) != len(likelihood) {
		panic(model.Errorf(op, "prior and likelihood must have the same length, got %d and %d", len(prior), len(likelihood)).
			WithHint("pass one of each per hypothesis"))
	}
	n := total(op, prior)
	posterior = make([]float64, len(prior))
	for h, l := range likelihood {
		if !(l >= 0) || math.IsInf(l, 0) {
			panic(model.Errorf(op, "likelihood %d must be a probability or a density, got %v", h, l))
		}
		posterior[h] = l * prior[h] / n
		evidence += posterior[h]
	}
	if evidence == 0 {
		panic(model.Errorf(op, "at least one hypothesis must give the observation a positive probability"))
	}
	floats.Scale(1/evidence, posterior)
	return posterior, evidence
}

// Posterior is [BayesRule] with log-likelihoods. Use it for many observations, whose likelihood is
// too small for float64. It returns log P(D) instead of P(D).
//
// Course: PROB-07, PROB-14.
func Posterior(prior, logLikelihood []float64) (posterior []float64, logEvidence float64) {
	const op = "Posterior"
	if len(prior) != len(logLikelihood) {
		panic(model.Errorf(op, "prior and likelihood must have the same length, got %d and %d", len(prior), len(logLikelihood)).
			WithHint("pass one of each per hypothesis"))
	}
	n := total(op, prior)
	posterior = make([]float64, len(prior))
	for h, l := range logLikelihood {
		if math.IsNaN(l) || math.IsInf(l, 1) {
			panic(model.Errorf(op, "log likelihood %d must be a number below +Inf, got %v", h, l))
		}
		posterior[h] = l + math.Log(prior[h]/n)
	}
	logEvidence = floats.LogSumExp(posterior)
	if math.IsInf(logEvidence, -1) {
		panic(model.Errorf(op, "at least one hypothesis must give the observations a positive probability"))
	}
	for h, l := range posterior {
		posterior[h] = math.Exp(l - logEvidence)
	}
	return posterior, logEvidence
}
