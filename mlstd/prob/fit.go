package prob

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/gokernel/gokernel/mlstd/model"
)

// outside returns an error if a value is not finite or not ok.
func outside(op string, x []float64, must string, ok func(v float64) bool) error {
	if err := checkSample(op, x); err != nil {
		return err
	}
	for i, v := range x {
		if !ok(v) {
			return model.Errorf(op, "value %d must %s, got %v", i, must, v)
		}
	}
	return nil
}

func oneAtMost(op string, priors int) error {
	if priors > 1 {
		return model.Errorf(op, "at most one prior can be passed, got %d", priors).WithHint("pass one, or none for maximum likelihood")
	}
	return nil
}

// FitBernoulli estimates P from values 0 and 1: the estimate is the fraction of ones or, with a
// prior, the mode of the posterior.
//
//	MLE: Σx/n     MAP: (Σx + α − 1) / (n + α + β − 2)
//
// Course: PROB-09, PROB-13.
func FitBernoulli(x []float64, prior ...Beta) (Bernoulli, error) {
	const op = "FitBernoulli"
	if err := oneAtMost(op, len(prior)); err != nil {
		return Bernoulli{}, err
	}
	if err := outside(op, x, "be 0 or 1", func(v float64) bool { return v == 0 || v == 1 }); err != nil {
		return Bernoulli{}, err
	}
	ones := floats.Sum(x)
	if len(prior) == 0 {
		return Bernoulli{ones / float64(len(x))}, nil
	}
	return Bernoulli{prior[0].Posterior(ones, float64(len(x))-ones).Mode()}, nil
}

// FitCategorical estimates the probabilities of outcomes from their counts: the estimates are the
// fractions or, with a prior, the mode of the posterior.
//
//	MLE: nₖ/n     MAP: (nₖ + αₖ − 1) / (n + Σα − K)
//
// Course: PROB-10, PROB-12.
func FitCategorical(counts []float64, prior ...Dirichlet) (Categorical, error) {
	const op = "FitCategorical"
	if err := oneAtMost(op, len(prior)); err != nil {
		return Categorical{}, err
	}
	if err := outside(op, counts, "not be negative", func(v float64) bool { return v >= 0 }); err != nil {
		return Categorical{}, err
	}
	n := floats.Sum(counts)
	if len(prior) == 0 {
		if n == 0 {
			return Categorical{}, model.Errorf(op, "at least one count must be positive, got only zeros").WithHint("pass a prior")
		}
		return Categorical{floats.ScaleTo(make([]float64, len(counts)), 1/n, counts)}, nil
	}
	if len(prior[0].Alpha) != len(counts) {
		return Categorical{}, model.Errorf(op, "Alpha must have %d entries (the number of counts), got %d", len(counts), len(prior[0].Alpha))
	}
	return Categorical{prior[0].Posterior(counts).Mode()}, nil
}

// FitPoisson estimates Lambda from counts: the estimate is the mean of the counts or, with a prior,
// the mode of the posterior.
//
//	MLE: Σx/n     MAP: (Σx + α − 1) / (n + β)
//
// Course: PROB-08, PROB-12.
func FitPoisson(x []float64, prior ...Gamma) (Poisson, error) {
	const op = "FitPoisson"
	if err := oneAtMost(op, len(prior)); err != nil {
		return Poisson{}, err
	}
	if err := outside(op, x, "be a whole number and not negative", func(v float64) bool { return v >= 0 && isWhole(v) }); err != nil {
		return Poisson{}, err
	}
	lambda := floats.Sum(x) / float64(len(x))
	if len(prior) > 0 {
		lambda = prior[0].Posterior(floats.Sum(x), float64(len(x))).Mode()
	}
	if lambda == 0 {
		lambda = model.Zero
	}
	return Poisson{lambda}, nil
}

// FitExponential estimates Lambda from waiting times: the estimate is one over their mean or, with
// a prior, the mode of the posterior.
//
//	MLE: n/Σx     MAP: (n + α − 1) / (Σx + β)
//
// Course: PROB-08, PROB-12.
func FitExponential(x []float64, prior ...Gamma) (Exponential, error) {
	const op = "FitExponential"
	if err := oneAtMost(op, len(prior)); err != nil {
		return Exponential{}, err
	}
	if err := outside(op, x, "not be negative", func(v float64) bool { return v >= 0 }); err != nil {
		return Exponential{}, err
	}
	n, sum := float64(len(x)), floats.Sum(x)
	if len(prior) > 0 {
		return Exponential{prior[0].Posterior(n, sum).Mode()}, nil
	}
	if sum == 0 {
		return Exponential{}, model.Errorf(op, "at least one time must be positive, got only zeros")
	}
	return Exponential{n / sum}, nil
}

// FitGaussian estimates the mean and the standard deviation, with divisor n instead of n−1. With a
// prior, it returns the joint mode of the posterior.
//
//	MLE: μ = Σx/n, σ² = Σ(x−μ)²/n     MAP: μ = μₙ, σ² = βₙ/(αₙ + 3/2)
//
// Course: PROB-11, PROB-12.
func FitGaussian(x []float64, prior ...NormalInverseGamma) (Gaussian, error) {
	const op = "FitGaussian"
	if err := oneAtMost(op, len(prior)); err != nil {
		return Gaussian{}, err
	}
	if err := checkSample(op, x); err != nil {
		return Gaussian{}, err
	}
	mean, square := moments2(x)
	if len(prior) > 0 {
		return prior[0].Posterior(x).Mode(), nil
	}
	if square == 0 {
		return Gaussian{}, model.Errorf(op, "the values must differ, got %v for all", x[0]).WithHint("pass a prior")
	}
	return Gaussian{mean, math.Sqrt(square / float64(len(x)))}, nil
}

// moments2 returns the mean and the sum of squared deviations from it.
func moments2(x []float64) (mean, square float64) {
	mean = floats.Sum(x) / float64(len(x))
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	return mean, square
}

// FitUniform returns the maximum likelihood estimate: the smallest interval that contains the
// values.
//
// Course: PROB-08.
func FitUniform(x []float64) (Uniform, error) {
	const op = "FitUniform"
	if err := checkSample(op, x); err != nil {
		return Uniform{}, err
	}
	lo, hi := slices.Min(x), slices.Max(x)
	if lo == hi {
		return Uniform{}, model.Errorf(op, "the values must differ, got %v for all", lo)
	}
	return Uniform{lo, hi}, nil
}

// FitLaplace estimates Mu as the median of the values and Scale as the mean absolute deviation from
// the median.
//
// Course: PROB-08.
func FitLaplace(x []float64) (Laplace, error) {
	const op = "FitLaplace"
	if err := checkSample(op, x); err != nil {
		return Laplace{}, err
	}
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	median := (s[(n-1)/2] + s[n/2]) / 2
	scale := 0.0
	for _, v := range s {
		scale += math.Abs(v-median) / float64(n)
	}
	if scale == 0 {
		return Laplace{}, model.Errorf(op, "the values must differ, got %v for all", median)
	}
	return Laplace{median, scale}, nil
}

// trigamma is the derivative of the digamma function.
func trigamma(x float64) float64 { return mathext.Zeta(2, x) }

// FitGamma estimates the shape and the rate from positive values, by Newton's method.
//
//	log α − ψ(α) = log x̄ − mean(log x),   β = α/x̄
//
// References: [Minka2002]. Course: PROB-08.
func FitGamma(x []float64) (Gamma, error) {
	const op = "FitGamma"
	if err := outside(op, x, "be positive", func(v float64) bool { return v > 0 }); err != nil {
		return Gamma{}, err
	}
	n := float64(len(x))
	mean, logs := floats.Sum(x)/n, 0.0
	for _, v := range x {
		logs += math.Log(v) / n
	}
	s := math.Log(mean) - logs
	if !(s > 1e-14) {
		return Gamma{}, model.Errorf(op, "the values must differ, got about %v for all", mean)
	}
	a := (3 - s + math.Sqrt((s-3)*(s-3)+24*s)) / (12 * s)
	for range 100 {
		// The function is nearly linear in 1/α.
		step := (math.Log(a) - mathext.Digamma(a) - s) / (a * a * (1/a - trigamma(a)))
		next := 1 / (1/a + step)
		if math.Abs(next-a) <= 1e-14*a {
			a = next
			break
		}
		a = next
	}
	return Gamma{a, a / mean}, nil
}

// FitBeta estimates both parameters from values between 0 and 1, by Newton's method on the
// likelihood of the two-dimensional Dirichlet distribution.
//
//	ψ(α) − ψ(α+β) = mean(log x),   ψ(β) − ψ(α+β) = mean(log(1−x))
//
// References: [Minka2002]. Course: PROB-08.
func FitBeta(x []float64) (Beta, error) {
	const op = "FitBeta"
	if err := outside(op, x, "be strictly between 0 and 1", func(v float64) bool { return v > 0 && v < 1 }); err != nil {
		return Beta{}, err
	}
	both := mat.NewDense(len(x), 2, nil)
	for i, v := range x {
		both.Set(i, 0, v)
		both.Set(i, 1, 1-v)
	}
	d, err := fitDirichlet(op, both)
	if err != nil {
		return Beta{}, err
	}
	return Beta{d.Alpha[0], d.Alpha[1]}, nil
}

// FitDirichlet estimates Alpha from rows of positive numbers that sum to one, by
// Newton's method.
//
//	ψ(αₖ) − ψ(Σα) = mean(log θₖ)
//
// References: [Minka2002]. Course: PROB-08.
func FitDirichlet(x mat.Matrix) (Dirichlet, error) {
	const op = "FitDirichlet"
	d, err := model.CheckX(op, x)
	if err != nil {
		return Dirichlet{}, err
	}
	n, k := d.Dims()
	if k < 2 {
		return Dirichlet{}, model.Errorf(op, "x must have at least 2 columns (outcomes), got 1")
	}
	for i := range n {
		row := d.RawRowView(i)
		if !(slices.Min(row) > 0) || math.Abs(floats.Sum(row)-1) > 1e-6 {
			return Dirichlet{}, model.Errorf(op, "row %d must be positive and sum to 1, got %v", i, row)
		}
	}
	return fitDirichlet(op, d)
}

func fitDirichlet(op string, x *mat.Dense) (Dirichlet, error) {
	n, k := x.Dims()
	logs, mean := make([]float64, k), make([]float64, k)
	square := 0.0
	for i := range n {
		for j, v := range x.RawRowView(i) {
			logs[j] += math.Log(v) / float64(n)
			mean[j] += v / float64(n)
		}
		square += x.At(i, 0) * x.At(i, 0) / float64(n)
	}
	spread := square - mean[0]*mean[0]
	if !(spread > 1e-14) {
		return Dirichlet{}, model.Errorf(op, "the examples must differ, got nearly equal ones")
	}
	// Start at the parameters that match the first two moments.
	alpha := floats.ScaleTo(make([]float64, k), max(1e-3, (mean[0]-square)/spread), mean)
	g, q := make([]float64, k), make([]float64, k)
	for range 1000 {
		sum := floats.Sum(alpha)
		psi, z := mathext.Digamma(sum), trigamma(sum)
		gq, iq := 0.0, 0.0
		for j, a := range alpha {
			g[j] = psi - mathext.Digamma(a) + logs[j]
			q[j] = -trigamma(a)
			gq += g[j] / q[j]
			iq += 1 / q[j]
		}
		b := gq / (1/z + iq)
		size := 1.0
		for j, a := range alpha {
			if step := (g[j] - b) / q[j]; step >= a {
				size = min(size, 0.9*a/step) // stay positive
			}
		}
		change := 0.0
		for j := range alpha {
			step := size * (g[j] - b) / q[j]
			change = max(change, math.Abs(step)/alpha[j])
			alpha[j] -= step
		}
		if change < 1e-13 {
			break
		}
	}
	return Dirichlet{alpha}, nil
}

// FitStudentT estimates center and scale for given degrees of freedom, by EM: values far from the
// center count less.
//
//	wᵢ = (ν+1) / (ν + zᵢ²),   μ = Σwx/Σw,   σ² = Σw(x−μ)²/n
//
// Course: PROB-08, PROB-30.
func FitStudentT(x []float64, nu float64) (StudentT, error) {
	const op = "FitStudentT"
	if err := checkSample(op, x); err != nil {
		return StudentT{}, err
	}
	if !(nu > 0) || math.IsInf(nu, 0) {
		return StudentT{}, model.Errorf(op, "nu must be positive, got %v", nu)
	}
	g, err := FitLaplace(x)
	if err != nil {
		return StudentT{}, model.Errorf(op, "the values must differ, got equal ones")
	}
	mu, sigma2 := g.Mu, g.Scale*g.Scale
	for range 10000 {
		var w, wx, square float64
		for _, v := range x {
			wi := (nu + 1) / (nu + (v-mu)*(v-mu)/sigma2)
			w, wx = w+wi, wx+wi*v
		}
		next := wx / w
		for _, v := range x {
			wi := (nu + 1) / (nu + (v-mu)*(v-mu)/sigma2)
			square += wi * (v - next) * (v - next)
		}
		square /= float64(len(x))
		change := math.Abs(next-mu)/math.Sqrt(sigma2) + math.Abs(square-sigma2)/sigma2
		mu, sigma2 = next, square
		if change < 1e-13 {
			break
		}
		if !(sigma2 > 0) {
			return StudentT{}, model.Errorf(op, "at most half of the values may be equal, got more")
		}
	}
	return StudentT{Nu: nu, Mu: mu, Sigma: math.Sqrt(sigma2)}, nil
}

// FitMultivariateGaussian estimates the mean and the covariance from rows, with divisor n instead
// of n−1.
//
//	μ = Σx/n,   Σ = Σ(x−μ)(x−μ)ᵀ/n
//
// Course: PROB-11, PROB-24.
func FitMultivariateGaussian(x mat.Matrix) (*MultivariateGaussian, error) {
	const op = "FitMultivariateGaussian"
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	n, p := d.Dims()
	rows := allRows(n)
	mean := meanOf(d, rows, nil)
	cov := scatter(d, rows, nil, func(int) []float64 { return mean })
	floats.Scale(1/float64(n), cov)
	return &MultivariateGaussian{mean, mat.NewSymDense(p, cov)}, nil
}
