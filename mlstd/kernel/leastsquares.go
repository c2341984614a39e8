package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KernelLeastSquares is linear regression on features by gradient descent, with one coefficient for
// each example instead of one for each feature.
//
//	J(β) = ½‖y − K·β‖²_{K⁻¹}, h(x) = Σᵢ βᵢ·K(xᵢ, x)
//
// From β = 0 it steps
//
//	β ← β + Rate·(y − K·β)
//
// which is θ ← θ + Rate·Σᵢ (yᵢ − θ·φ(xᵢ))·φ(xᵢ) for θ = Σᵢ βᵢ·φ(xᵢ). The predictions are the same,
// but a step costs n² instead of n times the number of features. It converges to β = K⁻¹y, which
// fits every example exactly, including the noise, if K is invertible. Early stopping or
// [KernelRidge] avoids this.
//
// Cost: O(n²) memory and O(n²) per step; the descent is slow if K has small eigenvalues. It
// diverges for a Rate above 2/λ_max(K).
//
// References: [ShaweTaylorCristianini2004] ch. 2. Course: KER-26.
type KernelLeastSquares struct {
	// Kernel is the kernel function; nil means RBF with the γ of ScaleGamma.
	Kernel Kernel
	Rate   float64 // of the steps; 0 means 1/‖K‖∞, which always converges
	// MaxIter is the maximum number of iterations; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the largest residual is at most Tol; 0 means 1e-6 times
	// the largest target. A larger value stops earlier.
	Tol float64
	model.Control

	DualCoef []float64  // set by Fit
	Vectors  *mat.Dense // set by Fit: the examples
	Trace    model.Trace

	kernel Kernel

	model.Fitted // set by Fit: the columns that it was given
}

// Fit runs gradient descent. It returns an error if the descent diverges.
func (m *KernelLeastSquares) Fit(x mat.Matrix, y []float64) error {
	const op = "KernelLeastSquares.Fit"
	model.NoteXYReal(&m.Fitted, x, y)
	m.DualCoef, m.Vectors, m.Trace, m.kernel = nil, nil, model.Trace{}, nil
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	k := OrDefault(m.Kernel, d)
	if err := CheckKernel(op, k); err != nil {
		return err
	}
	maxIter, tol, rate := m.MaxIter, m.Tol, m.Rate
	if maxIter == 0 {
		maxIter = 1000
	}
	if tol == 0 {
		tol = 1e-6 * floats.Norm(y, math.Inf(1))
	}
	if !(rate >= 0) || rate == model.Zero || math.IsInf(rate, 0) {
		return model.Errorf(op, "Rate must be positive and finite, got %v", model.Or(rate, 0)).WithHint("leave Rate out for the default")
	}
	if err := limits.Check(op, limits.NotNegative("MaxIter", maxIter), limits.NotNegative("Tol", tol)); err != nil {
		return err
	}
	run := m.Begin("KernelLeastSquares", maxIter)
	defer run.End()
	g := CrossGram(k, d, d)
	if rate == 0 {
		rate = 1 / mat.Norm(g, math.Inf(1))
	}
	n := len(y)
	beta, kb := make([]float64, n), mat.NewVecDense(n, nil)
	var trace model.Trace
	for it := 1; it <= maxIter; it++ {
		kb.MulVec(g, mat.NewVecDense(n, beta))
		loss, worst := 0.0, 0.0
		for i, v := range kb.RawVector().Data {
			r := y[i] - v
			beta[i] += rate * r
			loss += r * r / 2
			worst = max(worst, math.Abs(r))
		}
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return model.Errorf(op, "the descent diverged after %d steps", it).WithHint("set a smaller Rate, or leave Rate out")
		}
		trace.Loss = append(trace.Loss, loss)
		trace.Step = append(trace.Step, rate*worst)
		if err := run.Step(it, loss); err != nil {
			return err
		}
		if worst <= tol {
			trace.Converged = true
			break
		}
	}
	m.DualCoef, m.Vectors, m.Trace, m.kernel = beta, mat.DenseCopyOf(d), trace, k
	return nil
}

// Predict returns Σᵢ βᵢ·K(xᵢ, x) for each row.
func (m *KernelLeastSquares) Predict(x mat.Matrix) []float64 {
	const op = "KernelLeastSquares.Predict"
	x = model.MustRead(op, &m.Fitted, x)
	if m.kernel == nil {
		panic(model.NotFitted(op))
	}
	_, c := m.Vectors.Dims()
	return expansion(m.kernel, model.MustRows(op, x, c), m.Vectors, m.DualCoef)
}

// KernelRidge is ridge regression on features: least squares with an l₂ penalty,
// by one linear system.
//
//	J(α) = ½‖y − K·α‖² + (λ/2)·αᵀKα,  (K + λI)·α = y
//
// It has no intercept and does not center y; subtract the mean of y first if it is far from zero.
// As λ → 0 it fits every example exactly.
//
// Cost: O(n³) time, O(n²) memory.
//
// References: [ShaweTaylorCristianini2004] ch. 2, [SaundersGammermanVovk1998].
// Course: KER-26.
type KernelRidge struct {
	// Kernel is the kernel function; nil means RBF with the γ of ScaleGamma.
	Kernel Kernel
	// Lambda is the strength λ of the penalty; 0 means 1, model.Zero means none. A
	// larger value makes the function smoother.
	Lambda float64

	DualCoef []float64  // set by Fit
	Vectors  *mat.Dense // set by Fit: the examples

	kernel Kernel

	model.Fitted // set by Fit: the columns that it was given
}

// Fit solves for DualCoef. It returns an error if K + λI is singular to working precision.
func (m *KernelRidge) Fit(x mat.Matrix, y []float64) error {
	const op = "KernelRidge.Fit"
	model.NoteXYReal(&m.Fitted, x, y)
	m.DualCoef, m.Vectors, m.kernel = nil, nil, nil
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	k := OrDefault(m.Kernel, d)
	if err := CheckKernel(op, k); err != nil {
		return err
	}
	lambda := model.Or(m.Lambda, 1)
	if !(lambda >= 0) || math.IsInf(lambda, 0) {
		return model.Errorf(op, "Lambda must be finite and not negative, got %v", m.Lambda)
	}
	l, err := regularized(op, k, d, lambda)
	if err != nil {
		return err
	}
	n := len(y)
	least, most := l[0], l[0]
	for i := range n {
		least, most = min(least, l[i*n+i]), max(most, l[i*n+i])
	}
	if least < 1e-8*most { // the condition is at least the square of this
		return singular(op, lambda)
	}
	m.DualCoef = slices.Clone(y)
	linalg.SolveCholesky(l, m.DualCoef)
	m.Vectors, m.kernel = mat.DenseCopyOf(d), k
	return nil
}

// regularized returns L of K + λI = L·Lᵀ; what is above its diagonal has no meaning.
func regularized(op string, k Kernel, d *mat.Dense, lambda float64) ([]float64, error) {
	n, _ := d.Dims()
	l := CrossGram(k, d, d).RawMatrix().Data
	for i := range n {
		l[i*n+i] += lambda
	}
	if !linalg.Cholesky(l, n) {
		return nil, singular(op, lambda)
	}
	return l, nil
}

func singular(op string, lambda float64) error {
	return model.Errorf(op, "the Gram matrix plus %v on its diagonal must be positive definite", lambda).
		WithHint("set a larger Lambda, or use a valid kernel")
}

// Predict returns Σᵢ αᵢ·K(xᵢ, x) for each row.
func (m *KernelRidge) Predict(x mat.Matrix) []float64 {
	const op = "KernelRidge.Predict"
	x = model.MustRead(op, &m.Fitted, x)
	if m.kernel == nil {
		panic(model.NotFitted(op))
	}
	_, c := m.Vectors.Dims()
	return expansion(m.kernel, model.MustRows(op, x, c), m.Vectors, m.DualCoef)
}

// LeastSquaresLimit returns K⁻¹y, to which [KernelLeastSquares] converges. It returns an error if K
// is singular to working precision.
//
// Course: KER-26.
func LeastSquaresLimit(k Kernel, x mat.Matrix, y []float64) ([]float64, error) {
	const op = "LeastSquaresLimit"
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return nil, err
	}
	if err := CheckKernel(op, k); err != nil {
		return nil, err
	}
	l, err := regularized(op, k, d, 0)
	if err != nil {
		return nil, err
	}
	var chol mat.Cholesky // which estimates the condition
	chol.SetFromU(mat.NewTriDense(len(y), mat.Lower, l).TTri())
	var beta mat.VecDense
	if err := chol.SolveVecTo(&beta, mat.NewVecDense(len(y), y)); err != nil || floats.HasNaN(beta.RawVector().Data) {
		return nil, singular(op, 0)
	}
	return beta.RawVector().Data, nil
}
