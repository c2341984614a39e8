package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/model"
)

// GaussianProcess is regression with a prior over functions: the values of the function at any rows
// are jointly Gaussian, with the kernel as their covariance, and observations have independent
// noise.
//
//	f ~ GP(0, K), y = f(x) + N(0, Noise)
//	mean(x) = k(x)ᵀ(K + Noise·I)⁻¹y,  var(x) = K(x, x) − k(x)ᵀ(K + Noise·I)⁻¹k(x)
//
// where k(x) is the vector of K(xᵢ, x). The mean is kernel ridge regression with λ = Noise; a
// Gaussian process also estimates the variance. LogLikelihood compares kernels without validation
// data:
//
//	log p(y) = −½·yᵀ(K + Noise·I)⁻¹y − ½·log|K + Noise·I| − (n/2)·log 2π
//
// With Tune, Fit chooses the parameters θ of the kernel, and Noise if it is set, to maximize the
// likelihood. It takes quasi-Newton steps in log θ, with θ between 1e-5 and 1e5:
//
//	∂ log p/∂θ = ½·tr((ααᵀ − (K + Noise·I)⁻¹)·∂K/∂θ),   α = (K + Noise·I)⁻¹y
//
// The likelihood may have several maxima, so Restarts adds random starting points. For a kernel
// with an amplitude use a [ScaledKernel]; Noise corresponds to the white-noise kernel of other
// libraries.
//
// Cost: O(n³) time and O(n²) memory; with Tune, O(n³) time for each step. The variance of one row
// costs O(n²).
//
// References: [RasmussenWilliams2006] alg. 2.1 and §5.4.1. Course: KER-32.
type GaussianProcess struct {
	// Kernel is the kernel function; nil means RBF(0.5).
	Kernel Kernel
	// Noise is the variance of the noise in the targets. 0 means 1e-10, which only stabilizes the
	// solution; model.Zero means none. A larger value makes the function smoother.
	Noise     float64
	Normalize bool // center y and scale it to variance 1 first

	Tune     bool `snapshot:"added"` // fit the parameters of the kernel, and Noise where it is set
	Restarts int  `snapshot:"added"` // further starts of Tune, at random
	// MaxIter is the maximum number of iterations of each start of Tune; 0 means
	// 200.
	MaxIter int `snapshot:"added"`
	// Tol stops the fit when the largest component of the gradient with respect to log θ is at most
	// Tol; 0 means 1e-5. A larger value stops earlier.
	Tol  float64 `snapshot:"added"`
	Seed uint64  `snapshot:"added"` // of Restarts

	model.Control `snapshot:"added"`

	DualCoef      []float64  // set by Fit: (K + Noise·I)⁻¹y
	Vectors       *mat.Dense // set by Fit: the examples
	LogLikelihood float64    // set by Fit: log p(y), of the normalized y if Normalize is set

	// Set by Fit: the kernel and the noise that were used. With Tune, these are the fitted kernel
	// and noise.
	FittedKernel Kernel  `snapshot:"added"`
	FittedNoise  float64 `snapshot:"added"`
	// Trace.Loss is -log p(y) after each step; Trace.Converged reports whether Tune ended at a
	// maximum.
	Trace model.Trace `snapshot:"added"`

	kernel      Kernel
	lower       *mat.TriDense // L of K + Noise·I = L·Lᵀ
	mean, scale float64

	model.Fitted // set by Fit: the columns that it was given
}

// Fit conditions the process on the examples.
func (g *GaussianProcess) Fit(x mat.Matrix, y []float64) error {
	const op = "GaussianProcess.Fit"
	model.NoteXYReal(&g.Fitted, x, y)
	g.DualCoef, g.Vectors, g.LogLikelihood, g.kernel, g.lower, g.mean, g.scale = nil, nil, 0, nil, nil, 0, 1
	g.FittedKernel, g.FittedNoise, g.Trace = nil, 0, model.Trace{}
	maxIter, err := model.Iterations(op, "MaxIter", g.MaxIter, 200)
	if err != nil {
		return err
	}
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	if err := magnitude.Check(op, d); err != nil {
		return err
	}
	k := g.Kernel
	if k == nil {
		k = RBF(0.5)
	}
	if err := CheckKernel(op, k); err != nil {
		return err
	}
	noise := model.Or(g.Noise, 1e-10)
	if !(noise >= 0) || math.IsInf(noise, 0) {
		return model.Errorf(op, "Noise must be finite and not negative, got %v", g.Noise)
	}
	n := float64(len(y))
	mean, scale := 0.0, 1.0
	if g.Normalize {
		ss := 0.0
		for _, v := range y {
			mean += v / n
		}
		for _, v := range y {
			ss += (v - mean) * (v - mean) / n
		}
		if ss > 0 {
			scale = math.Sqrt(ss)
		}
	}
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = (v - mean) / scale
	}
	run := g.Begin("GaussianProcess", 0)
	defer run.End()
	if g.Tune {
		if k, noise, err = g.tuned(op, run, d, z, k, noise, maxIter); err != nil {
			return err
		}
	}
	l, err := regularized(op, k, d, noise)
	if err != nil {
		return err
	}
	alpha := slices.Clone(z)
	linalg.SolveCholesky(l, alpha)
	g.LogLikelihood = logLikelihood(l, z, alpha)
	if err := run.Step(len(g.Trace.Loss)+1, -g.LogLikelihood); err != nil {
		g.LogLikelihood = 0
		return err
	}
	g.Trace.Loss = append(g.Trace.Loss, -g.LogLikelihood)
	g.FittedKernel, g.FittedNoise = k, noise
	g.DualCoef, g.Vectors, g.kernel, g.mean, g.scale = alpha, mat.DenseCopyOf(d), k, mean, scale
	g.lower = mat.NewTriDense(len(z), mat.Lower, l)
	return nil
}

// tuned returns the kernel and the noise that maximize the likelihood.
func (g *GaussianProcess) tuned(op string, run *model.Run, d *mat.Dense, z []float64, k Kernel, noise float64, maxIter int) (Kernel, float64, error) {
	tol := model.Or(g.Tol, 1e-5)
	if err := limits.Check(op,
		limits.NotNegative("Tol", tol),
		limits.NotNegative("Restarts", g.Restarts)); err != nil {
		return nil, 0, err
	}
	e := &evidence{d: d, y: z, k: k, noise: noise, maxIter: maxIter, fixed: g.Noise == 0 || g.Noise == model.Zero}
	if err := g.tune(op, run, e, tol); err != nil {
		return nil, 0, err
	}
	return e.k, e.noise, nil
}

func (g *GaussianProcess) rows(op string, x mat.Matrix) *mat.Dense {
	if g.kernel == nil {
		panic(model.NotFitted(op))
	}
	_, c := g.Vectors.Dims()
	return magnitude.Must(op, model.MustRows(op, x, c))
}

// Predict returns the mean of the function at each row.
func (g *GaussianProcess) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("GaussianProcess.Predict", &g.Fitted, x)
	out := expansion(g.kernel, g.rows("GaussianProcess.Predict", x), g.Vectors, g.DualCoef)
	for i := range out {
		out[i] = g.mean + g.scale*out[i]
	}
	return out
}

// PredictStd returns the standard deviation of the function (without the noise) at
// each row: near 0 at the examples, large far from them.
func (g *GaussianProcess) PredictStd(x mat.Matrix) []float64 {
	x = model.MustRead("GaussianProcess.PredictStd", &g.Fitted, x)
	d := g.rows("GaussianProcess.PredictStd", x)
	cross := CrossGram(g.kernel, d, g.Vectors)
	n, m := cross.Dims()
	out := make([]float64, n)
	// Solving with L alone keeps the variance from being the difference of two
	// numbers that were each rounded by the condition of K.
	linalg.SolveLower(g.lower.RawTriangular().Data, cross.RawMatrix().Data, m)
	for i := range out {
		v, row := cross.RawRowView(i), d.RawRowView(i)
		out[i] = g.scale * math.Sqrt(max(0, g.kernel.Eval(row, row)-floats.Dot(v, v)))
	}
	return out
}
