package regress

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/formula"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NegativeBinomialModel fits a regression of counts that vary more than a Poisson distribution
// allows:
//
//	log μ = Xβ,  V(y) = μ + αμ²
//
// β and α are estimated together by maximum likelihood, and the standard errors come from the
// observed information of β and α. The last coefficient is α; R's theta is 1/α. If the counts vary
// less than in a Poisson distribution, the likelihood has no maximum, and NegativeBinomialModel
// returns an error.
//
// Cost: O(n·k²) per iteration.
//
// References: [McCullaghNelder1989], [Hilbe2011].
func NegativeBinomialModel(f *frame.Frame, text string) (*RegressionModel, error) {
	const op = "NegativeBinomialModel"
	m, _, err := begin(op, f, text, formula.Numeric, "")
	if err != nil {
		return nil, err
	}
	m.Method, m.fam, m.Family, m.Link, m.alpha = "NegativeBinomial", "negative binomial", "negative binomial", "log", 1
	fam := m.family()
	for i, y := range m.y {
		if !fam.valid(y) {
			return nil, model.Errorf(op, "y must be %s, got %v in row %d", fam.takes, y, m.rows[i])
		}
	}
	g := GLMFamily{MaxIter: 100, Tol: 1e-10, Link: "log"}
	beta, err := m.joint(op, m.x, m.design.Names, g)
	if err != nil {
		return nil, err
	}
	p := len(beta) - 1
	names := append(append([]string(nil), m.design.Names...), "alpha")
	for _, name := range names {
		m.Coefficients = append(m.Coefficients, Coefficient{Name: name})
	}
	fam = m.family()
	m.LogLikelihood = m.likelihood(m.mu, 0)
	for i, mu := range m.mu {
		m.PearsonChi2 += (m.y[i] - mu) * (m.y[i] - mu) / fam.variance(mu)
		m.Deviance += fam.deviance(m.y[i], mu)
	}
	m.Scale, m.DF, m.DFModel = 1, float64(m.N-p), float64(p)
	if m.constant {
		m.DFModel--
	}
	m.criteria(p + 1)
	m.NullDeviance, m.NullLikelihood = math.NaN(), math.NaN()
	if m.constant {
		null := *m
		ones := mat.NewDense(m.N, 1, nil)
		for i := range m.N {
			ones.Set(i, 0, 1)
		}
		if _, err := null.joint(op, ones, []string{"Intercept"}, g); err != nil {
			return nil, err
		}
		m.NullLikelihood = null.likelihood(null.mu, 0)
		at := *m // the null deviance is at the same α, as in R and statsmodels
		r, err := at.irls(op, ones, []string{"Intercept"}, g)
		if err != nil {
			return nil, err
		}
		m.NullDeviance = r.deviance
	}
	m.LR = 2 * (m.LogLikelihood - m.NullLikelihood)
	m.LRP = tails.ChiSquared(m.LR, m.DFModel)
	m.Errors = "non-robust"
	m.Covariance = mat.NewSymDense(p+1, nil)
	m.Covariance.CopySym(m.bread)
	m.tests(beta)
	return m, nil
}

// alphaDerivatives returns the log likelihood of a negative binomial count as a function of α,
// without terms that do not depend on α, and its derivative.
func alphaDerivatives(y, mu, a float64) (l, d float64) {
	k := 1 / a
	l = lgamma(y+k) - lgamma(k) + y*math.Log(a*mu) - (y+k)*math.Log1p(a*mu)
	// by k: ψ(y+k) − ψ(k) − log(1 + μ/k)·… written in a
	d = (-k*k)*(mathext.Digamma(y+k)-mathext.Digamma(k)-math.Log1p(a*mu)) + y/a - (y+k)*mu/(1+a*mu)
	return l, d
}

// joint estimates β and α and returns α. It alternates between the two at first, and then uses
// Newton's method on both.
func (m *RegressionModel) joint(op string, x *mat.Dense, names []string, g GLMFamily) ([]float64, error) {
	// Start at the moment estimate of α from a Poisson fit.
	poisson := *m
	poisson.fam = "poisson"
	r, err := poisson.irls(op, x, names, g)
	if err != nil {
		return nil, err
	}
	num, den := 0.0, 0.0
	for i, mu := range r.mu {
		num += (m.y[i]-mu)*(m.y[i]-mu) - m.y[i]
		den += mu * mu
	}
	if num <= 0 { // twice the derivative of the likelihood at α = 0
		return nil, underdispersed(op)
	}
	m.alpha = max(num/den, 1e-3)
	for range 30 {
		if r, err = m.irls(op, x, names, g); err != nil {
			return nil, err
		}
		old := m.alpha
		m.alpha = m.bestAlpha(r.mu, old)
		if m.alpha < 1e-8 {
			return nil, underdispersed(op)
		}
		if math.Abs(m.alpha-old) <= 1e-6*old {
			break
		}
	}
	beta := append([]float64(nil), r.s.beta...)
	p := len(beta)
	m.constant = r.s.constant
	m.mu = r.mu
	for k := range 50 {
		grad, hess := m.nbDerivatives(x, m.mu)
		var c mat.Cholesky
		if !c.Factorize(hess) {
			return nil, model.Errorf(op, "the likelihood has no maximum").WithHint("remove terms from the formula")
		}
		var step mat.VecDense
		_ = c.SolveVecTo(&step, mat.NewVecDense(p+1, grad)) // refined until it is small
		t := 1.0
		for m.alpha+t*step.AtVec(p) <= 0 {
			t /= 2
		}
		for j := range beta {
			beta[j] += t * step.AtVec(j)
		}
		m.alpha += t * step.AtVec(p)
		for i := range m.mu {
			eta := floats.Dot(x.RawRowView(i), beta)
			if m.offset != nil {
				eta += m.offset[i]
			}
			m.mu[i] = math.Exp(eta)
		}
		m.Steps = r.iterations + k + 1
		if math.Abs(mat.Dot(&step, mat.NewVecDense(p+1, grad))) < 1e-16*float64(m.N) {
			break
		}
	}
	_, hess := m.nbDerivatives(x, m.mu)
	var c mat.Cholesky
	m.bread = mat.NewSymDense(p+1, nil)
	if !c.Factorize(hess) {
		return nil, model.Errorf(op, "the likelihood has no maximum").WithHint("remove terms from the formula")
	}
	if err := c.InverseTo(m.bread); err != nil && math.IsInf(c.Cond(), 1) {
		return nil, model.Errorf(op, "the columns must be linearly independent").WithHint("remove terms from the formula")
	}
	return append(beta, m.alpha), nil
}

// nbDerivatives returns the gradient and the negative Hessian of the log likelihood with respect to
// β and α.
func (m *RegressionModel) nbDerivatives(x *mat.Dense, mu []float64) ([]float64, *mat.SymDense) {
	n, p := x.Dims()
	grad, hess := make([]float64, p+1), mat.NewSymDense(p+1, nil)
	a := m.alpha
	h := 1e-4 * a
	for i := range n {
		row, y, u := x.RawRowView(i), m.y[i], mu[i]
		s := 1 + a*u
		floats.AddScaled(grad[:p], (y-u)/s, row)
		w, cross := u*(1+a*y)/(s*s), (y-u)*u/(s*s)
		for j := range p {
			for k := j; k < p; k++ {
				hess.SetSym(j, k, hess.At(j, k)+w*row[j]*row[k])
			}
			hess.SetSym(j, p, hess.At(j, p)+cross*row[j])
		}
		_, d := alphaDerivatives(y, u, a)
		grad[p] += d
		// A four-point difference has the second derivative with respect to α to about 1e-11.
		_, d1 := alphaDerivatives(y, u, a+h)
		_, d2 := alphaDerivatives(y, u, a-h)
		_, d3 := alphaDerivatives(y, u, a+2*h)
		_, d4 := alphaDerivatives(y, u, a-2*h)
		hess.SetSym(p, p, hess.At(p, p)-(8*(d1-d2)-(d3-d4))/(12*h))
	}
	return grad, hess
}

// bestAlpha maximizes the likelihood over α with fixed means, by bisection of the derivative in log
// α.
func (m *RegressionModel) bestAlpha(mu []float64, from float64) float64 {
	slope := func(a float64) float64 {
		sum := 0.0
		for i := range mu {
			_, d := alphaDerivatives(m.y[i], mu[i], a)
			sum += d
		}
		return sum
	}
	lo, hi := math.Log(from)-1, math.Log(from)+1
	for slope(math.Exp(lo)) < 0 && lo > -20 {
		lo -= 2
	}
	for slope(math.Exp(hi)) > 0 && hi < 20 {
		hi += 2
	}
	for range 60 {
		if mid := (lo + hi) / 2; slope(math.Exp(mid)) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp((lo + hi) / 2)
}

func underdispersed(op string) error {
	return model.Errorf(op, "the counts must vary more than a Poisson distribution allows, or α has no maximum above 0").WithHint("fit ml.PoissonModel")
}
