package regress

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// linkFunction is a link function, which relates the mean μ to the linear predictor η.
type linkFunction struct {
	inverse func(eta float64) float64
	of      func(mu float64) float64
	slope   func(eta float64) float64 // dμ/dη
}

var links = map[string]linkFunction{
	"identity": {func(e float64) float64 { return e }, func(m float64) float64 { return m }, func(float64) float64 { return 1 }},
	"log":      {math.Exp, math.Log, math.Exp},
	"logit": {expit, func(m float64) float64 { return math.Log(m) - math.Log1p(-m) },
		func(e float64) float64 { return expit(e) * expit(-e) }},
	"probit": {normalCDF, mathext.NormalQuantile, normalDensity},
	"cloglog": {func(e float64) float64 { return -math.Expm1(-math.Exp(e)) }, func(m float64) float64 { return math.Log(-math.Log1p(-m)) },
		func(e float64) float64 { return math.Exp(e - math.Exp(e)) }},
	"cauchit": {func(e float64) float64 { return 0.5 + math.Atan(e)/math.Pi }, func(m float64) float64 { return math.Tan(math.Pi * (m - 0.5)) },
		func(e float64) float64 { return 1 / (math.Pi * (1 + e*e)) }},
	"inverse": {func(e float64) float64 { return 1 / e }, func(m float64) float64 { return 1 / m }, func(e float64) float64 { return -1 / (e * e) }},
	"inverse squared": {func(e float64) float64 { return 1 / math.Sqrt(e) }, func(m float64) float64 { return 1 / (m * m) },
		func(e float64) float64 { return -0.5 * math.Pow(e, -1.5) }},
	"sqrt": {func(e float64) float64 { return e * e }, math.Sqrt, func(e float64) float64 { return 2 * e }},
}

func expit(e float64) float64 {
	if e < 0 {
		a := math.Exp(e)
		return a / (1 + a)
	}
	return 1 / (1 + math.Exp(-e))
}

func normalCDF(z float64) float64     { return math.Erfc(-z/math.Sqrt2) / 2 }
func normalDensity(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }

// familyFunctions is a distribution of y about its mean μ.
type familyFunctions struct {
	links    []string // the first is the default
	variance func(mu float64) float64
	deviance func(y, mu float64) float64         // for one row of weight 1
	logL     func(y, mu, w, phi float64) float64 // for a row of weight w with dispersion φ
	start    func(y, mean float64) float64
	valid    func(y float64) bool
	means    func(mu float64) bool
	takes    string // what y must be
	estimate bool   // the dispersion is estimated
}

// ratioLog is y·log(y/μ), 0 for y = 0.
func ratioLog(y, mu float64) float64 {
	if y == 0 {
		return 0
	}
	return y * math.Log(y/mu)
}

func positiveMean(mu float64) bool { return mu > 0 && !math.IsInf(mu, 1) }

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// families holds the distributions that a GLM accepts, by name.
func families(name string, alpha float64) (familyFunctions, bool) {
	switch name {
	case "gaussian", "":
		return familyFunctions{
			links:    []string{"identity", "log", "inverse"},
			variance: func(float64) float64 { return 1 },
			deviance: func(y, mu float64) float64 { return (y - mu) * (y - mu) },
			logL: func(y, mu, w, phi float64) float64 {
				return -(w*(y-mu)*(y-mu)/phi + math.Log(2*math.Pi*phi/w)) / 2
			},
			start: func(y, mean float64) float64 { return y },
			valid: func(float64) bool { return true }, means: func(mu float64) bool { return !math.IsInf(mu, 0) && !math.IsNaN(mu) }, estimate: true,
		}, true
	case "binomial":
		return familyFunctions{
			links:    []string{"logit", "probit", "cloglog", "log", "cauchit", "identity"},
			variance: func(mu float64) float64 { return mu * (1 - mu) },
			deviance: func(y, mu float64) float64 { return 2 * (ratioLog(y, mu) + ratioLog(1-y, 1-mu)) },
			logL: func(y, mu, w, _ float64) float64 {
				k := y * w
				v := lgamma(w+1) - lgamma(k+1) - lgamma(w-k+1)
				if w == 1 {
					v = 0
				}
				if k > 0 {
					v += k * math.Log(mu)
				}
				if w-k > 0 {
					v += (w - k) * math.Log1p(-mu)
				}
				return v
			},
			start: func(y, _ float64) float64 { return (y + 0.5) / 2 },
			valid: func(y float64) bool { return y >= 0 && y <= 1 }, means: func(mu float64) bool { return mu > 0 && mu < 1 },
			takes: "0 or 1, a boolean, or the fraction of successes with the number of trials as weights",
		}, true
	case "poisson":
		return familyFunctions{
			links:    []string{"log", "sqrt", "identity"},
			variance: func(mu float64) float64 { return mu },
			deviance: func(y, mu float64) float64 { return 2 * (ratioLog(y, mu) - (y - mu)) },
			logL:     func(y, mu, w, _ float64) float64 { return w * (y*math.Log(mu) - mu - lgamma(y+1)) },
			start:    func(y, mean float64) float64 { return (y + mean) / 2 },
			valid:    func(y float64) bool { return y >= 0 }, means: positiveMean, takes: "a count of 0 or more",
		}, true
	case "gamma":
		return familyFunctions{
			links:    []string{"inverse", "log", "identity"},
			variance: func(mu float64) float64 { return mu * mu },
			deviance: func(y, mu float64) float64 { return 2 * ((y-mu)/mu - math.Log(y/mu)) },
			logL: func(y, mu, w, phi float64) float64 {
				k := w / phi
				return k*math.Log(k*y/mu) - k*y/mu - math.Log(y) - lgamma(k)
			},
			start: func(y, mean float64) float64 { return (y + mean) / 2 },
			valid: func(y float64) bool { return y > 0 }, means: positiveMean, takes: "positive", estimate: true,
		}, true
	case "inverse gaussian":
		return familyFunctions{
			links:    []string{"inverse squared", "inverse", "log", "identity"},
			variance: func(mu float64) float64 { return mu * mu * mu },
			deviance: func(y, mu float64) float64 { return (y - mu) * (y - mu) / (mu * mu * y) },
			logL: func(y, mu, w, phi float64) float64 {
				return -(w*(y-mu)*(y-mu)/(mu*mu*y*phi) + math.Log(2*math.Pi*phi*y*y*y/w)) / 2
			},
			start: func(y, mean float64) float64 { return (y + mean) / 2 },
			valid: func(y float64) bool { return y > 0 }, means: positiveMean, takes: "positive", estimate: true,
		}, true
	case "negative binomial":
		return familyFunctions{
			links:    []string{"log", "sqrt", "identity"},
			variance: func(mu float64) float64 { return mu + alpha*mu*mu },
			deviance: func(y, mu float64) float64 {
				return 2 * (ratioLog(y, mu) - (y+1/alpha)*math.Log((1+alpha*y)/(1+alpha*mu)))
			},
			logL: func(y, mu, w, _ float64) float64 {
				return w * (lgamma(y+1/alpha) - lgamma(1/alpha) - lgamma(y+1) + y*math.Log(alpha*mu) - (y+1/alpha)*math.Log1p(alpha*mu))
			},
			start: func(y, mean float64) float64 { return (y + mean) / 2 },
			valid: func(y float64) bool { return y >= 0 }, means: positiveMean, takes: "a count of 0 or more",
		}, true
	}
	return familyFunctions{}, false
}

var familyNames = []string{"gaussian", "binomial", "poisson", "gamma", "inverse gaussian", "negative binomial"}

// family returns the functions of the model's family, which is Gaussian for least squares.
func (m *RegressionModel) family() familyFunctions {
	f, _ := families(m.fam, m.alpha)
	return f
}

func (m *RegressionModel) link() linkFunction {
	if m.fam == "" {
		return links["identity"]
	}
	return links[m.Link]
}

func linkNames() []string {
	var out []string
	for k := range links {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
