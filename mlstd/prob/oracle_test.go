package prob_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// answers holds the predictions of scikit-learn for some rows.
type answers struct {
	Log              [][]float64
	Class            []int
	Means, Variances [][]float64
	Coef             [][]float64
	Intercept        []float64
	Explained        []float64
	Transform        [][]float64
}

type distCase struct {
	Name                    string
	Par, X, Log, CDF, Tail  []float64
	P, Quantile             []float64
	Mean, Variance, Entropy float64
}

type infoCase struct {
	X, Z                                        []int
	Counts, Q                                   []float64
	Entropy, KL, Cross, JS, MI, NMI             float64
	MillerMadow, Jackknife, ChaoShen, Shrinkage float64
}

// oracle is testdata/oracles/prob.json.
type oracle struct {
	Real []struct {
		Name                                                                   string
		X                                                                      [][]float64
		Y                                                                      []int
		Weights                                                                []float64
		Gaussian, GaussianPrior, GaussianWeights                               answers
		LDA, LDAPrior, LDAShrunk, LDALedoitWolf, QDA, QDAShrunk, QDALedoitWolf answers
	}
	Counts []struct {
		Name                                                                                                                                                                          string
		X                                                                                                                                                                             [][]float64
		Y                                                                                                                                                                             []int
		Weights                                                                                                                                                                       []float64
		Multinomial, MultinomialLittle, Complement, ComplementNorm, Bernoulli, BernoulliAbove, Categorical, CategoricalLittle                                                         answers
		MultinomialWeights, MultinomialLittleWeights, ComplementWeights, ComplementNormWeights, BernoulliWeights, BernoulliAboveWeights, CategoricalWeights, CategoricalLittleWeights answers
	}
	Dists []distCase
	Fits  []struct {
		Data map[string][]float64
		Want struct {
			Normal, Gamma, Beta                 []float64
			GammaLog, BetaLog, TLog, LaplaceLog float64
		}
	}
	Many struct {
		Mu, Log, Mu2, Alpha, Dirichlet, DirichletMean, DirichletVar, Counts []float64
		Cov, X, Cov2, Theta                                                 [][]float64
		Entropy, KL, Multinomial                                            float64
	}
	Info []infoCase
}

func readOracle(t *testing.T) *oracle {
	t.Helper()
	o := &oracle{}
	mltest.ReadOracle(t, "prob", o)
	return o
}

// asked are every seventh row.
func asked(x mat.Matrix) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense((n+6)/7, d, nil)
	for i := 0; i < n; i += 7 {
		for j := range d {
			out.Set(i/7, j, x.At(i, j))
		}
	}
	return out
}

func set(t *testing.T, name string, x [][]float64, y []int) (mat.Matrix, []int) {
	t.Helper()
	var d *data.Dataset
	switch name {
	case "iris":
		d = data.Iris()
	case "wine":
		d = data.Wine()
	case "cancer":
		d = data.BreastCancer()
	case "digits":
		d = data.Digits()
		rows := make([]int, 300)
		for i := range rows {
			rows[i] = i
		}
		d = d.Subset(rows)
	default:
		return data.Rows(x), y
	}
	return d.X, d.Y
}

// compare fails unless m gives the probabilities, to tol, and the classes.
func compare(t *testing.T, what string, m model.ProbClassifier, q mat.Matrix, want answers, tol float64) {
	t.Helper()
	p := m.PredictProba(q)
	n, k := p.Dims()
	if n != len(want.Log) || n == 0 {
		t.Fatalf("%s: %d answers, want %d", what, n, len(want.Log))
	}
	for i := range n {
		for c := range k {
			// Probabilities, and the logarithms of small ones relatively.
			got := math.Max(math.Log(p.At(i, c)), -600)
			if w := math.Max(want.Log[i][c], -600); math.Abs(p.At(i, c)-math.Exp(w)) > tol || math.Abs(got-w) > 100*tol*math.Max(1, math.Abs(w)) {
				t.Errorf("%s: row %d, class %d: log probability %.15g, want %.15g", what, i, c, got, w)
				return
			}
		}
	}
	for i, c := range m.Predict(q) {
		if c != want.Class[i] {
			t.Errorf("%s: row %d is class %d, want %d", what, i, c, want.Class[i])
			return
		}
	}
}

func fit(t *testing.T, m model.Classifier, x mat.Matrix, y []int) {
	t.Helper()
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
}

func TestOracleGaussianNB(t *testing.T) {
	for _, e := range readOracle(t).Real {
		x, y := set(t, e.Name, e.X, e.Y)
		q := asked(x)
		m := &prob.GaussianNB{}
		fit(t, m, x, y)
		compare(t, e.Name, m, q, e.Gaussian, 1e-9)
		for c, row := range e.Gaussian.Means {
			mltest.NearAll(t, e.Name+", means", m.Means.RawRowView(c), row, 1e-12)
			for j, v := range e.Gaussian.Variances[c] {
				if math.Abs(m.Variances.At(c, j)-v) > 1e-9*v {
					t.Errorf("%s: variance %d of class %d: got %v, want %v", e.Name, j, c, m.Variances.At(c, j), v)
				}
			}
		}
		withPrior := &prob.GaussianNB{Prior: rising(len(m.ClassCount))}
		fit(t, withPrior, x, y)
		compare(t, e.Name+", prior", withPrior, q, e.GaussianPrior, 1e-9)
		if e.GaussianWeights.Log != nil {
			weighted := &prob.GaussianNB{VarSmoothing: model.Zero}
			if err := weighted.FitWeighted(x, y, e.Weights); err != nil {
				t.Fatal(err)
			}
			compare(t, e.Name+", weights", weighted, q, e.GaussianWeights, 1e-9)
		}
		mixed := &prob.NaiveBayes{}
		fit(t, mixed, model.Dense(x), y)
		compare(t, e.Name+", NaiveBayes", mixed, q, e.Gaussian, 1e-9)
	}
}

func rising(k int) []float64 {
	p := make([]float64, k)
	for c := range p {
		p[c] = float64(c + 1)
	}
	return p
}

func TestOracleLDA(t *testing.T) {
	for _, e := range readOracle(t).Real {
		x, y := set(t, e.Name, e.X, e.Y)
		q := asked(x)
		classes, _ := model.Classes(y)
		for _, c := range []struct {
			what string
			m    *prob.LDA
			want answers
		}{
			{"LDA", &prob.LDA{}, e.LDA},
			{"LDA, prior", &prob.LDA{Prior: rising(len(classes))}, e.LDAPrior},
			{"LDA, shrinkage", &prob.LDA{Shrinkage: 0.3}, e.LDAShrunk},
			{"LDA, Ledoit-Wolf", &prob.LDA{LedoitWolf: true}, e.LDALedoitWolf},
		} {
			what, tol := e.Name+", "+c.what, 1e-9
			if e.Name == "cancer" && c.m.LedoitWolf {
				tol = 1e-6 // least squares with columns of very different size, on their side
			}
			fit(t, c.m, x, y)
			compare(t, what, c.m, q, c.want, tol)
			if len(classes) == 2 {
				mltest.NearAll(t, what+", coef", c.m.Coef.RawRowView(0), c.want.Coef[0], 1e-7)
				mltest.NearAll(t, what+", intercept", c.m.Intercept, c.want.Intercept, 1e-7)
			}
			if c.what != "LDA" {
				continue
			}
			mltest.NearAll(t, what+", explained", c.m.Explained, c.want.Explained, 1e-9)
			z := c.m.Transform(q)
			p := &prob.DiscriminantProjection{Y: y}
			if err := p.Fit(x); err != nil {
				t.Fatal(err)
			}
			if !mat.EqualApprox(p.Transform(q), z, 1e-12) {
				t.Errorf("%s: DiscriminantProjection is not Transform", what)
			}
			w := data.Rows(c.want.Transform)
			for a := range c.m.Explained { // each direction but for its sign
				got, want := mat.Col(nil, a, z), mat.Col(nil, a, w)
				if floats.Dot(got, want) < 0 {
					floats.Scale(-1, want)
				}
				mltest.NearAll(t, fmt.Sprint(what, ", direction ", a), got, want, 1e-7)
			}
		}
	}
}

func TestOracleQDA(t *testing.T) {
	for _, e := range readOracle(t).Real {
		x, y := set(t, e.Name, e.X, e.Y)
		q := asked(x)
		for _, c := range []struct {
			what string
			m    *prob.QDA
			want answers
		}{
			{"QDA", &prob.QDA{}, e.QDA},
			{"QDA, shrinkage", &prob.QDA{Shrinkage: 0.2}, e.QDAShrunk},
			{"QDA, Ledoit-Wolf", &prob.QDA{LedoitWolf: true}, e.QDALedoitWolf},
		} {
			if c.want.Log == nil {
				continue
			}
			fit(t, c.m, x, y)
			compare(t, e.Name+", "+c.what, c.m, q, c.want, 1e-9)
		}
	}
}

func TestOracleCounts(t *testing.T) {
	for _, e := range readOracle(t).Counts {
		x := data.Rows(e.X)
		for _, c := range []struct {
			what           string
			m              func() model.ProbClassifier
			want, weighted answers
			sparse         bool
		}{
			{"MultinomialNB", func() model.ProbClassifier { return &prob.MultinomialNB{} }, e.Multinomial, e.MultinomialWeights, true},
			{"MultinomialNB, little", func() model.ProbClassifier { return &prob.MultinomialNB{Alpha: 0.1, UniformPrior: true} }, e.MultinomialLittle, e.MultinomialLittleWeights, true},
			{"ComplementNB", func() model.ProbClassifier { return &prob.ComplementNB{} }, e.Complement, e.ComplementWeights, true},
			{"ComplementNB, normalized", func() model.ProbClassifier { return &prob.ComplementNB{Alpha: 0.5, Normalize: true} }, e.ComplementNorm, e.ComplementNormWeights, true},
			{"BernoulliNB", func() model.ProbClassifier { return &prob.BernoulliNB{} }, e.Bernoulli, e.BernoulliWeights, true},
			{"BernoulliNB, above", func() model.ProbClassifier { return &prob.BernoulliNB{Alpha: 0.3, Threshold: 1.5} }, e.BernoulliAbove, e.BernoulliAboveWeights, true},
			{"CategoricalNB", func() model.ProbClassifier { return &prob.CategoricalNB{} }, e.Categorical, e.CategoricalWeights, false},
			{"CategoricalNB, little", func() model.ProbClassifier { return &prob.CategoricalNB{Alpha: 0.2} }, e.CategoricalLittle, e.CategoricalLittleWeights, false},
		} {
			what := e.Name + ", " + c.what
			m := c.m()
			fit(t, m, x, e.Y)
			compare(t, what, m, x, c.want, 1e-9)
			w := c.m()
			if err := w.(model.WeightedClassifier).FitWeighted(x, e.Y, e.Weights); err != nil {
				t.Fatal(err)
			}
			compare(t, what+", weights", w, x, c.weighted, 1e-9)
			if c.sparse {
				s := c.m()
				fit(t, s, sparse.FromDense(x), e.Y)
				compare(t, what+", sparse", s, sparse.FromDense(x), c.want, 1e-9)
			}
		}
	}
}

func distributionOf(name string, p []float64) prob.Distribution {
	switch name {
	case "Gaussian":
		return prob.Gaussian{Mu: p[0], Sigma: p[1]}
	case "Exponential":
		return prob.Exponential{Lambda: p[0]}
	case "Uniform":
		return prob.Uniform{Low: p[0], High: p[1]}
	case "Laplace":
		return prob.Laplace{Mu: p[0], Scale: p[1]}
	case "Gamma":
		return prob.Gamma{Alpha: p[0], Beta: p[1]}
	case "ChiSquared":
		return prob.ChiSquared{Nu: p[0]}
	case "Beta":
		return prob.Beta{Alpha: p[0], Beta: p[1]}
	case "StudentT":
		return prob.StudentT{Nu: p[0], Mu: p[1], Sigma: p[2]}
	case "FisherF":
		return prob.FisherF{Nu1: p[0], Nu2: p[1]}
	case "Bernoulli":
		return prob.Bernoulli{P: p[0]}
	case "Binomial":
		return prob.Binomial{N: int(p[0]), P: p[1]}
	case "Poisson":
		return prob.Poisson{Lambda: p[0]}
	}
	panic("no distribution " + name)
}

// relative fails unless got is within tol of want, relative to want.
func relative(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if got != want && !(math.Abs(got-want) <= tol*math.Abs(want)) && !(math.Abs(want) < 1e-300 && math.Abs(got) < 1e-300) {
		t.Errorf("%s: got %.15g, want %.15g", what, got, want)
	}
}

func TestPROB30_OracleDistributions(t *testing.T) {
	for _, e := range readOracle(t).Dists {
		d := distributionOf(e.Name, e.Par)
		what := fmt.Sprint(e.Name, e.Par)
		for i, x := range e.X {
			at := fmt.Sprint(what, " at ", x)
			mltest.Near(t, at+", log", d.LogProb(x), e.Log[i], 1e-10)
			relative(t, at+", density", d.Prob(x), math.Exp(e.Log[i]), 1e-9)
			relative(t, at+", CDF", d.CDF(x), e.CDF[i], 1e-9)
			relative(t, at+", tail", d.Tail(x), e.Tail[i], 1e-9)
		}
		for i, p := range e.P {
			relative(t, fmt.Sprint(what, ", quantile ", p), d.Quantile(p), e.Quantile[i], 1e-8)
		}
		mltest.Near(t, what+", mean", d.Mean(), e.Mean, 1e-12)
		mltest.Near(t, what+", variance", d.Variance(), e.Variance, 1e-12)
		mltest.Near(t, what+", entropy", d.Entropy(), e.Entropy, 1e-9)
	}
}

func TestPROB08_OracleFits(t *testing.T) {
	for i, e := range readOracle(t).Fits {
		what := func(s string) string { return fmt.Sprint("sample ", i, ", ", s) }
		g, err := prob.FitGaussian(e.Data["normal"])
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, what("normal"), []float64{g.Mu, g.Sigma}, e.Want.Normal, 1e-12)
		gamma, err := prob.FitGamma(e.Data["gamma"])
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, what("gamma"), []float64{gamma.Alpha, gamma.Beta}, e.Want.Gamma, 1e-5)
		beta, err := prob.FitBeta(e.Data["beta"])
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, what("beta"), []float64{beta.Alpha, beta.Beta}, e.Want.Beta, 1e-5)
		st, err := prob.FitStudentT(e.Data["t"], 3)
		if err != nil {
			t.Fatal(err)
		}
		laplace, err := prob.FitLaplace(e.Data["laplace"])
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			d    prob.Distribution
			x    string
			want float64
		}{{gamma, "gamma", e.Want.GammaLog}, {beta, "beta", e.Want.BetaLog}, {st, "t", e.Want.TLog}, {laplace, "laplace", e.Want.LaplaceLog}} {
			// SciPy stops early: the maximum is at least what it found.
			if l := prob.LogLikelihood(c.d, e.Data[c.x]); l < c.want-1e-9*math.Abs(c.want) || l > c.want+1e-4 {
				t.Errorf("%s: log likelihood %.12g, SciPy finds %.12g", what(c.x), l, c.want)
			}
		}
	}
}

func symmetric(rows [][]float64) *mat.SymDense {
	s := mat.NewSymDense(len(rows), nil)
	for i, r := range rows {
		for j, v := range r {
			s.SetSym(i, j, v)
		}
	}
	return s
}

func TestPROB30_OracleMany(t *testing.T) {
	m := readOracle(t).Many
	g := &prob.MultivariateGaussian{Mu: m.Mu, Cov: symmetric(m.Cov)}
	mltest.NearAll(t, "log density", g.LogProbs(data.Rows(m.X)), m.Log, 1e-10)
	mltest.Near(t, "log density of one row", g.LogProb(m.X[2]), m.Log[2], 1e-10)
	mltest.Near(t, "entropy", g.Entropy(), m.Entropy, 1e-10)
	mltest.Near(t, "KL", g.KL(&prob.MultivariateGaussian{Mu: m.Mu2, Cov: symmetric(m.Cov2)}), m.KL, 1e-10)
	d := prob.Dirichlet{Alpha: m.Alpha}
	for i, theta := range m.Theta {
		mltest.Near(t, "Dirichlet", d.LogProb(theta), m.Dirichlet[i], 1e-10)
	}
	mltest.NearAll(t, "Dirichlet mean", d.Mean(), m.DirichletMean, 1e-12)
	mltest.NearAll(t, "Dirichlet variance", d.Variance(), m.DirichletVar, 1e-12)
	mltest.Near(t, "Multinomial", prob.Multinomial{N: 8, P: []float64{5, 2, 3}}.LogProb(m.Counts), m.Multinomial, 1e-12)
}

func TestPROB01_03_OracleInformation(t *testing.T) {
	for i, e := range readOracle(t).Info {
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"entropy", prob.Entropy(e.Counts, prob.Nats), e.Entropy},
			{"bits", prob.Entropy(e.Counts), e.Entropy / math.Ln2},
			{"KL", prob.KLDivergence(e.Counts, e.Q, prob.Nats), e.KL},
			{"cross entropy", prob.CrossEntropy(e.Counts, e.Q, prob.Nats), e.Cross},
			{"JS", prob.JensenShannon(e.Counts, e.Q, prob.Nats), e.JS},
			{"mutual information", prob.MutualInformation(e.X, e.Z, prob.Nats), e.MI},
			{"normalized", prob.NormalizedMutualInformation(e.X, e.Z), e.NMI},
			{"plug-in", prob.EstimateEntropy(e.Counts, prob.PlugIn, prob.Nats), e.Entropy},
			{"Miller-Madow", prob.EstimateEntropy(e.Counts, prob.MillerMadow, prob.Nats), e.MillerMadow},
			{"jackknife", prob.EstimateEntropy(e.Counts, prob.JackknifeEntropy, prob.Nats), e.Jackknife},
			{"Chao-Shen", prob.EstimateEntropy(e.Counts, prob.ChaoShen, prob.Nats), e.ChaoShen},
			{"shrinkage", prob.EstimateEntropy(e.Counts, prob.ShrinkageEntropy, prob.Nats), e.Shrinkage},
		} {
			mltest.Near(t, fmt.Sprint("sample ", i, ", ", c.what), c.got, c.want, 1e-11)
		}
	}
}
