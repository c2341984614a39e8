package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Bounds of the fitted parameters.
const (
	leastParameter = 1e-5
	mostParameter  = 1e5
)

// evidence is the likelihood of the targets by the parameters of a kernel and the noise.
type evidence struct {
	d     *mat.Dense
	y     []float64
	k     Kernel
	noise float64
	fixed bool // the noise stays

	maxIter int
	losses  []float64 // after each step
}

// parameters returns the logarithms of the values to begin with.
func (e *evidence) parameters(op string) ([]float64, error) {
	p := parametersOf(e.k)
	if !e.fixed {
		p = append(p[:len(p):len(p)], e.noise)
	}
	if len(p) == 0 {
		return nil, model.Errorf(op, "if Tune is set, the kernel must be tunable or Noise must be set, got %T", e.k).
			WithHint("use a TunableKernel such as RBF, MaternKernel or a sum of them, or leave Tune out")
	}
	logs := make([]float64, len(p))
	for j, v := range p {
		if !(v >= leastParameter && v <= mostParameter) {
			return nil, model.Errorf(op, "the initial parameter %d of the kernel must be between %v and %v to be tuned, got %v", j, leastParameter, mostParameter, v)
		}
		logs[j] = math.Log(v)
	}
	return logs, nil
}

// at returns the kernel and the noise for the logarithms of their parameters.
func (e *evidence) at(logs []float64) (Kernel, float64) {
	p := make([]float64, len(logs))
	for j, v := range logs {
		p[j] = math.Exp(v)
	}
	if e.fixed {
		return withParameters(e.k, p), e.noise
	}
	return withParameters(e.k, p[:len(p)-1]), p[len(p)-1]
}

// value returns log p(y) at the logarithms of the parameters, and its slopes
//
//	∂ log p/∂θ = ½·tr((ααᵀ − K⁻¹)·∂K/∂θ),   α = K⁻¹y
//
// ok is false where K is not positive definite to working precision.
func (e *evidence) value(logs, slopes []float64) (likelihood float64, ok bool) {
	k, noise := e.at(logs)
	n := len(e.y)
	l, err := regularized("GaussianProcess.Fit", k, e.d, noise)
	if err != nil {
		return 0, false
	}
	alpha := append([]float64{}, e.y...)
	linalg.SolveCholesky(l, alpha)
	likelihood = logLikelihood(l, e.y, alpha)
	if math.IsNaN(likelihood) || math.IsInf(likelihood, 0) {
		return 0, false
	}
	// Rows of v are the columns of L⁻¹, so that K⁻¹ = v·vᵀ.
	v, inverse := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		v[i*n+i] = 1
	}
	linalg.SolveLower(l, v, n)
	linalg.AddProduct(inverse, n, v, n, n, linalg.Pack(v, n, n, n))
	const grain = 16
	parts := make([][]float64, (n+grain-1)/grain)
	par.Range(n, grain, func(lo, hi int) {
		sums, one := make([]float64, len(slopes)), make([]float64, len(slopes))
		own := one[:len(parametersOf(e.k))]
		for i := lo; i < hi; i++ {
			row := e.d.RawRowView(i)
			for j := range i + 1 {
				w := alpha[i]*alpha[j] - inverse[i*n+j]
				if i == j {
					w /= 2
				}
				evalSlopes(k, row, e.d.RawRowView(j), own)
				for p, s := range own {
					sums[p] += w * s
				}
			}
			if !e.fixed {
				sums[len(sums)-1] += (alpha[i]*alpha[i] - inverse[i*n+i]) / 2 * noise
			}
		}
		parts[lo/grain] = sums
	})
	clear(slopes)
	for _, p := range parts {
		floats.Add(slopes, p)
	}
	return likelihood, true
}

// logLikelihood is log p(y) for K = L·Lᵀ and α = K⁻¹y.
func logLikelihood(l, y, alpha []float64) float64 {
	n := len(y)
	p := -floats.Dot(y, alpha)/2 - float64(n)/2*math.Log(2*math.Pi)
	for i := range n {
		p -= math.Log(l[i*n+i]) // half of log|K|
	}
	return p
}

// maximum climbs from the logarithms by quasi-Newton steps (BFGS) that stay within
// the bounds, until no slope that can be followed is above tol, and returns the
// best value.
func (e *evidence) maximum(run *model.Run, logs []float64, tol float64) (best float64, converged bool, err error) {
	n := len(logs)
	low, high := math.Log(leastParameter), math.Log(mostParameter)
	g, next, gNext, step := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	best, ok := e.value(logs, g)
	if !ok {
		return 0, false, singular("GaussianProcess.Fit", e.noise)
	}
	var h *mat.Dense // an estimate of the inverse of the curvature
	for range e.maxIter {
		stuck := func(j int) bool { return logs[j] <= low && g[j] < 0 || logs[j] >= high && g[j] > 0 }
		steepest := 0.0
		for j := range n {
			if !stuck(j) {
				steepest = max(steepest, math.Abs(g[j]))
			}
		}
		if steepest <= tol {
			return best, true, nil
		}
		fresh := h == nil
		if fresh {
			h = mat.NewDense(n, n, nil)
			for j := range n {
				h.Set(j, j, 1/max(1, steepest))
			}
		}
		for j := range n {
			if step[j] = 0; stuck(j) {
				continue
			}
			for m := range n {
				if !stuck(m) {
					step[j] += h.At(j, m) * g[m]
				}
			}
		}
		if longest := floats.Norm(step, math.Inf(1)); longest > 2 {
			floats.Scale(2/longest, step) // a factor of e² at once is enough
		}
		value, moved := e.search(best, logs, g, step, next, gNext, low, high)
		if !moved {
			if fresh {
				return best, steepest <= 1e-2, nil // rounding lets it rise no further
			}
			h = nil // begin again along the slope
			continue
		}
		update(h, logs, next, g, gNext)
		gain := value - best
		best = value
		copy(logs, next)
		copy(g, gNext)
		e.losses = append(e.losses, -best)
		if err := run.Step(len(e.losses), -best); err != nil {
			return 0, false, err
		}
		if gain <= 1e-10*max(1, math.Abs(best)) {
			return best, true, nil
		}
	}
	return best, false, nil
}

// search halves the step until the value rises enough.
func (e *evidence) search(best float64, logs, g, step, next, gNext []float64, low, high float64) (float64, bool) {
	for t := 1.0; t > 1e-10; t /= 2 {
		rise := 0.0
		for j, v := range logs {
			next[j] = min(max(v+t*step[j], low), high)
			rise += g[j] * (next[j] - v)
		}
		if rise <= 0 {
			return 0, false
		}
		if value, ok := e.value(next, gNext); ok && value >= best+1e-4*rise {
			return value, true
		}
	}
	return 0, false
}

// update makes h map the change of the slope to the change of the parameters.
func update(h *mat.Dense, x, xNext, g, gNext []float64) {
	n := len(x)
	s, y := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for j := range n {
		s.SetVec(j, xNext[j]-x[j])
		y.SetVec(j, g[j]-gNext[j]) // of −log p
	}
	sy := mat.Dot(s, y)
	if sy <= 1e-12 {
		return
	}
	var hy mat.VecDense
	hy.MulVec(h, y)
	h.RankOne(h, (1+mat.Dot(y, &hy)/sy)/sy, s, s)
	h.RankOne(h, -1/sy, s, &hy)
	h.RankOne(h, -1/sy, &hy, s)
}

// tune finds the parameters of the largest likelihood, from those given and from
// Restarts others at random.
func (g *GaussianProcess) tune(op string, run *model.Run, e *evidence, tol float64) error {
	first, err := e.parameters(op)
	if err != nil {
		return err
	}
	best := math.Inf(-1)
	var at []float64
	low, high := math.Log(leastParameter), math.Log(mostParameter)
	for start := range 1 + g.Restarts {
		logs := append([]float64{}, first...)
		if start > 0 {
			rng := model.Rand(g.Seed, uint64(start))
			for j := range logs {
				logs[j] = low + (high-low)*rng.Float64()
			}
		}
		value, converged, err := e.maximum(run, logs, tol)
		switch {
		case run.Err() != nil:
			return run.Err()
		case err != nil && start == 0:
			return err
		case err == nil && value > best:
			best, at, g.Trace.Converged = value, logs, converged
		}
	}
	e.k, e.noise = e.at(at)
	g.Trace.Loss = e.losses
	return nil
}
