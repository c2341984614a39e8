package eval

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// BiasVariance is the decomposition of the expected squared error.
//
//	E‖θ̂ − θ‖² = ‖E θ̂ − θ‖² + tr Var(θ̂)
//	   MSE    =    Bias²     +  Variance
//
// Noise is the part of a prediction error that no model can remove.
type BiasVariance struct {
	Bias2, Variance, MSE, Noise float64
}

// EstimatorBiasVariance decomposes, by simulation, the error of an estimator of the vector theta.
// It calls estimate repeats times, each time with a new random generator. The function estimate
// draws a sample and returns an estimate of theta.
//
// Course: EVAL-35.
func EstimatorBiasVariance(theta []float64, estimate func(rng *rand.Rand) []float64, repeats int, seed uint64) BiasVariance {
	if repeats < 2 {
		panic(model.Errorf("EstimatorBiasVariance", "repeats must be at least 2, got %d", repeats))
	}
	n := float64(repeats)
	sum, square := make([]float64, len(theta)), make([]float64, len(theta))
	var b BiasVariance
	for r := range repeats {
		got := estimate(model.Rand(seed, uint64(r)))
		if len(got) != len(theta) {
			panic(model.Errorf("EstimatorBiasVariance", "the estimate must have %d entries, as theta has, got %d", len(theta), len(got)))
		}
		for j, v := range got {
			d := v - theta[j]
			sum[j] += d
			square[j] += d * d
		}
	}
	for j := range theta {
		m := sum[j] / n
		b.Bias2 += m * m
		b.Variance += square[j]/n - m*m
		b.MSE += square[j] / n
	}
	return b
}

// ShrunkenMean returns the closed-form decomposition for the estimator a·x̄ of a mean mu, where x̄
// is the mean of n values with variance s2: bias² = (1−a)²μ², variance = a²s²/n. For any mu, n and
// s2 > 0, some a < 1 has a lower MSE than the unbiased estimator (a = 1).
//
// Course: EVAL-35.
func ShrunkenMean(a, mu, s2 float64, n int) BiasVariance {
	b := BiasVariance{Bias2: (1 - a) * (1 - a) * mu * mu, Variance: a * a * s2 / float64(n)}
	b.MSE = b.Bias2 + b.Variance
	return b
}

// RegressionBiasVariance decomposes the error of a regressor, averaged over the test points x. The
// function sample draws a training set, truth is the noiseless target at the test points, and noise
// is the variance of the noise.
//
// Course: EVAL-35.
func RegressionBiasVariance(fresh func() model.Regressor, sample func(rng *rand.Rand) (mat.Matrix, []float64), x mat.Matrix, truth []float64, noise float64, repeats int, seed uint64) (BiasVariance, error) {
	var failed error
	b := EstimatorBiasVariance(truth, func(rng *rand.Rand) []float64 {
		m := fresh()
		tx, ty := sample(rng)
		if err := m.Fit(tx, ty); err != nil {
			if failed == nil {
				failed = err
			}
			return truth
		}
		return m.Predict(x)
	}, repeats, seed)
	if failed != nil {
		return BiasVariance{}, failed
	}
	n := float64(len(truth))
	return BiasVariance{b.Bias2 / n, b.Variance / n, b.MSE/n + noise, noise}, nil
}
