package regress

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/formula"
	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// GLMFamily selects the generalized linear model that [GLM] fits.
type GLMFamily struct {
	// Family is the distribution of y: "gaussian" (the default), "binomial", "poisson", "gamma",
	// "inverse gaussian" or "negative binomial".
	Family string
	// Link is the link function between the mean and the linear predictor: "identity", "log",
	// "logit", "probit", "cloglog", "cauchit", "inverse", "inverse squared" or "sqrt". For the
	// families in the order above, the defaults are identity, logit, log, inverse, inverse squared
	// and log.
	Link string
	// Weights is the name of a column of weights: the variance of a row is divided by its weight.
	// For a binomial proportion, the weight is the number of trials. A row with a larger weight
	// counts more.
	Weights string
	// Alpha is the dispersion of the negative binomial: the variance is μ + αμ². 0 means 1. With a
	// larger value, counts may vary more. [NegativeBinomialModel] estimates it.
	Alpha float64
	// MaxIter is the maximum number of iterations; 0 means 100.
	MaxIter int
	// Tol is the relative change of the deviance at which fitting stops; 0 means 1e-12. With a
	// larger value, fitting stops earlier.
	Tol float64
}

// GLM fits a generalized linear model by maximum likelihood:
//
//	g(μ) = Xβ (+ offset),  V(y) = φ·v(μ)/w
//
// by iteratively reweighted least squares. The standard errors come from the expected information,
// as in R's glm. For the binomial, Poisson and negative binomial families, φ is 1. Otherwise φ is
// Pearson's χ² divided by the residual degrees of freedom, and the tests use t statistics. In a
// model of counts, write the exposure t as the term offset(log(t)).
//
// If the terms separate the classes, the likelihood has no maximum, and GLM returns an error. A
// note in the summary reports fitted probabilities of 0 or 1.
//
// Cost: O(n·k²) per iteration, for a few iterations.
//
// References: [McCullaghNelder1989].
func GLM(f *frame.Frame, formula string, family GLMFamily) (*RegressionModel, error) {
	return generalized("GLM", f, formula, family)
}

// LogitModel fits a logistic regression. y must be 0 or 1, a bool, or a category with two levels,
// whose second level counts as 1.
//
//	log(p/(1 − p)) = Xβ
//
// The exponential of a coefficient is an odds ratio. See [GLM] for the method, and
// [RegressionModel.Margins] for effects on the probabilities.
//
// References: [McCullaghNelder1989].
func LogitModel(f *frame.Frame, formula string) (*RegressionModel, error) {
	return generalized("LogitModel", f, formula, GLMFamily{Family: "binomial"})
}

// ProbitModel fits a probit regression, p = Φ(Xβ). The values of y must be as in [LogitModel]. The
// standard errors use the expected information, as in R and GLM of statsmodels; those of Probit of
// statsmodels use the observed information.
//
// References: [McCullaghNelder1989].
func ProbitModel(f *frame.Frame, formula string) (*RegressionModel, error) {
	return generalized("ProbitModel", f, formula, GLMFamily{Family: "binomial", Link: "probit"})
}

// PoissonModel fits a regression of counts, log μ = Xβ. The exponential of a coefficient is a rate
// ratio. If the counts vary more than in a Poisson distribution, the standard errors are too small.
// To check, compare Pearson's χ² with the residual degrees of freedom; if it is much larger, use
// [NegativeBinomialModel] or [RegressionModel.Robust].
//
// References: [McCullaghNelder1989].
func PoissonModel(f *frame.Frame, formula string) (*RegressionModel, error) {
	return generalized("PoissonModel", f, formula, GLMFamily{Family: "poisson"})
}

func generalized(op string, f *frame.Frame, text string, g GLMFamily) (*RegressionModel, error) {
	alpha := model.Or(g.Alpha, 1)
	if err := limits.Check(op, limits.Rate("Alpha", alpha)); err != nil {
		return nil, err
	}
	fam, ok := families(g.Family, alpha)
	if !ok {
		return nil, model.Errorf(op, "there is no family %q", g.Family).WithHint("choose %s", strings.Join(familyNames, ", "))
	}
	if g.Family == "" {
		g.Family = "gaussian"
	}
	if g.Link == "" {
		g.Link = fam.links[0]
	}
	if _, ok := links[g.Link]; !ok {
		return nil, model.Errorf(op, "there is no link %q", g.Link).WithHint("choose one of %s", strings.Join(linkNames(), ", "))
	}
	if !slices.Contains(fam.links, g.Link) {
		return nil, model.Errorf(op, "the link of the %s family must be one of %s, got %q", g.Family, strings.Join(fam.links, ", "), g.Link)
	}
	left := formula.Numeric
	if g.Family == "binomial" {
		left = formula.Binary
	}
	m, _, err := begin(op, f, text, left, g.Weights)
	if err != nil {
		return nil, err
	}
	if op != "GLM" {
		m.Method = strings.TrimSuffix(op, "Model")
	}
	m.fam, m.Family, m.Link, m.alpha = g.Family, g.Family, g.Link, alpha
	for i, y := range m.y {
		if !fam.valid(y) {
			return nil, model.Errorf(op, "y of the %s family must be %s, got %v in row %d", g.Family, fam.takes, y, m.rows[i])
		}
	}
	if g.MaxIter, err = model.Iterations(op, "MaxIter", g.MaxIter, 100); err != nil {
		return nil, err
	}
	g.Tol = model.Or(g.Tol, 1e-12)
	if err := m.maximize(op, g); err != nil {
		return nil, err
	}
	return m, nil
}

// maximize fits the coefficients for the model's family and fills in the results.
func (m *RegressionModel) maximize(op string, g GLMFamily) error {
	r, err := m.irls(op, m.x, m.design.Names, g)
	if err != nil {
		return err
	}
	m.Steps, m.mu, m.Deviance = r.iterations, r.mu, r.deviance
	m.bread, m.constant = r.s.v, r.s.constant
	p := len(r.s.beta)
	fam := m.family()
	m.DF = float64(m.N - p)
	m.DFModel = float64(p)
	if m.constant {
		m.DFModel--
	}
	for i, mu := range m.mu {
		m.PearsonChi2 += m.weight(i) * (m.y[i] - mu) * (m.y[i] - mu) / fam.variance(mu)
	}
	m.Scale = 1
	if fam.estimate {
		if m.DF == 0 {
			return model.Errorf(op, "there must be more rows than coefficients (to estimate the dispersion), got %d of each", p).WithHint("use fewer terms")
		}
		m.Scale = m.PearsonChi2 / m.DF
	}
	m.LogLikelihood = m.likelihood(m.mu, m.Deviance)
	m.criteria(p)
	if err := m.null(op, g); err != nil {
		return err
	}
	m.LR = 2 * (m.LogLikelihood - m.NullLikelihood)
	m.LRP = tails.ChiSquared(m.LR, m.DFModel)
	m.Errors = "non-robust"
	m.useT, m.testDF = fam.estimate, m.DF
	m.Covariance = mat.NewSymDense(p, nil)
	m.Covariance.ScaleSym(m.Scale, r.s.v)
	m.tests(r.s.beta)
	return m.boundary(op)
}

// null fits the intercept-only model, if the columns span a constant.
func (m *RegressionModel) null(op string, g GLMFamily) error {
	m.NullLikelihood, m.NullDeviance = math.NaN(), math.NaN()
	if !m.constant {
		return nil
	}
	ones := mat.NewDense(m.N, 1, slices.Repeat([]float64{1}, m.N))
	r, err := m.irls(op, ones, []string{"Intercept"}, g)
	if err != nil {
		return err
	}
	m.NullDeviance = r.deviance
	m.NullLikelihood = m.likelihood(r.mu, r.deviance)
	return nil
}

// likelihood returns the log likelihood at the means. For families with a dispersion, it is the
// deviance divided by the sum of the weights, as in R.
func (m *RegressionModel) likelihood(mu []float64, deviance float64) float64 {
	fam, sum, phi := m.family(), 0.0, 1.0
	if fam.estimate {
		for i := range mu {
			sum += m.weight(i)
		}
		phi = deviance / sum
	}
	l := 0.0
	for i := range mu {
		l += fam.logL(m.y[i], mu[i], m.weight(i), phi)
	}
	return l
}

// boundary returns an error for separated classes, and adds a note on fitted means at the bounds.
func (m *RegressionModel) boundary(op string) error {
	extreme := 0
	for _, mu := range m.mu {
		if mu < 1e-8 && m.fam != "gaussian" && m.fam != "gamma" && m.fam != "inverse gaussian" || m.fam == "binomial" && mu > 1-1e-8 {
			extreme++
		}
	}
	if m.fam == "binomial" && m.Deviance < 1e-6*float64(m.N) {
		return model.Errorf(op, "the terms must not separate the two classes perfectly, or the likelihood has no maximum").
			WithHint("remove terms from the formula, or fit ml.LogisticRegression, whose penalty keeps the coefficients finite")
	}
	if extreme > 0 {
		m.Notes = append(m.Notes, "Fitted means reach their bounds in some rows: some coefficients are probably infinite, and their standard errors are meaningless.")
	}
	return nil
}

type reweighted struct {
	s          *solved
	mu         []float64
	deviance   float64
	iterations int
}

// irls maximizes the likelihood by iteratively reweighted least squares with step halving.
func (m *RegressionModel) irls(op string, x *mat.Dense, names []string, g GLMFamily) (reweighted, error) {
	fam, link := m.family(), m.link()
	n, p := x.Dims()
	mean, sum := 0.0, 0.0
	for i, y := range m.y {
		mean += m.weight(i) * y
		sum += m.weight(i)
	}
	mean /= sum
	off := func(i int) float64 {
		if m.offset == nil {
			return 0
		}
		return m.offset[i]
	}
	eta, mu := make([]float64, n), make([]float64, n)
	for i, y := range m.y {
		v := fam.start(y, mean)
		if m.fam == "binomial" {
			v = (m.weight(i)*y + 0.5) / (m.weight(i) + 1)
		}
		if e := link.of(v); !math.IsNaN(e) && !math.IsInf(e, 0) {
			eta[i] = e
		} else {
			eta[i] = link.of(mean)
		}
		mu[i] = link.inverse(eta[i])
	}
	if math.IsNaN(eta[0]) || mean == 0 && !fam.means(0) && m.fam != "binomial" {
		return reweighted{}, model.Errorf(op, "y must have a positive mean, got %v in all rows", mean).WithHint("check y, or use a family that allows a mean of %v", mean)
	}
	deviance := func(mu []float64) float64 {
		d := 0.0
		for i := range mu {
			if !fam.means(mu[i]) {
				if !(m.fam == "binomial" && (mu[i] == 0 && m.y[i] == 0 || mu[i] == 1 && m.y[i] == 1)) {
					return math.Inf(1)
				}
				continue
			}
			d += m.weight(i) * fam.deviance(m.y[i], mu[i])
		}
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		return d
	}
	z, w := make([]float64, n), make([]float64, n)
	var control model.Control
	run := control.Begin(op, g.MaxIter)
	defer run.End()
	var s *solved
	beta := []float64(nil)
	old := math.Inf(1)
	weigh := func() {
		for i := range z {
			d := link.slope(eta[i])
			v := fam.variance(mu[i])
			w[i] = m.weight(i) * d * d / v
			z[i] = eta[i] - off(i) + (m.y[i]-mu[i])/d
			if !(w[i] > 1e-300) || math.IsNaN(z[i]) || math.IsInf(z[i], 0) || math.IsInf(w[i], 0) {
				w[i], z[i] = 1e-300, eta[i]-off(i)
			}
		}
	}
	for k := 1; ; k++ {
		weigh()
		next, err := solve(op, x, z, w, names)
		if err != nil {
			return reweighted{}, err
		}
		s = next
		b := slices.Clone(s.beta)
		dev := math.Inf(1)
		for range 40 {
			for i := range eta {
				eta[i] = floats.Dot(x.RawRowView(i), b) + off(i)
				mu[i] = link.inverse(eta[i])
			}
			if dev = deviance(mu); !math.IsInf(dev, 1) && dev <= old*(1+1e-9)+1e-12 {
				break
			}
			if beta == nil { // towards the mean
				for j := range b {
					b[j] /= 2
				}
				continue
			}
			for j := range b {
				b[j] = (b[j] + beta[j]) / 2
			}
		}
		if math.IsInf(dev, 1) {
			return reweighted{}, model.Errorf(op, "the search found no coefficients with valid means").WithHint("choose another link, such as \"log\"")
		}
		done := math.Abs(dev-old) <= g.Tol*(math.Abs(dev)+0.1)
		beta, old = b, dev
		if err := run.Step(k, dev); err != nil {
			return reweighted{}, err
		}
		if done || m.fam == "gaussian" && g.Link == "identity" && k == 2 {
			weigh() // the information at the maximum
			if s, err = solve(op, x, z, w, names); err != nil {
				return reweighted{}, err
			}
			s.beta = beta
			return reweighted{s, mu, dev, k}, nil
		}
		if k == g.MaxIter {
			return reweighted{}, model.Errorf(op, "the likelihood did not converge in %d iterations", k).WithHint("raise MaxIter of ml.GLMFamily; %d coefficients may be too many for %d rows", p, n)
		}
	}
}
