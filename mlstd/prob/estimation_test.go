package prob_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// coins are n values of which the first ones are 1.
func coins(ones, n int) []float64 {
	x := make([]float64, n)
	for i := range ones {
		x[i] = 1
	}
	return x
}

// E2-01: the likelihood is a function of the parameter, not its probability: it does not integrate
// to one.
func TestPROB08_MaximumLikelihood(t *testing.T) {
	x := coins(50, 200)
	family := func(theta float64) prob.Distribution { return prob.Bernoulli{P: theta} }
	theta, l, err := prob.MaximizeLikelihood(family, x, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "the maximum", theta, 0.25, 1e-7)
	mltest.Near(t, "its value", l, 50*math.Log(.25)+150*math.Log(.75), 1e-10)
	area := 0.0
	for p := 0.0005; p < 1; p += 0.001 {
		area += 0.001 * math.Exp(prob.LogLikelihood(prob.Bernoulli{P: p}, coins(1, 2)))
	}
	mltest.Near(t, "the area under the likelihood of two tosses", area, 1.0/6, 1e-5)

	waits := prob.Exponential{Lambda: 0.4}.Sample(500, 1)
	found, _, err := prob.MaximizeLikelihood(func(v float64) prob.Distribution { return prob.Exponential{Lambda: v} }, waits, 0.01, 5)
	if err != nil {
		t.Fatal(err)
	}
	closed, err := prob.FitExponential(waits)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "the rate", found, closed.Lambda, 1e-6)
	if u, err := prob.FitUniform([]float64{2, 5, 3}); err != nil || u != (prob.Uniform{Low: 2, High: 5}) {
		t.Errorf("uniform: got %v, %v", u, err)
	}
	if p, err := prob.FitPoisson([]float64{2, 4, 3}); err != nil || p.Lambda != 3 {
		t.Errorf("Poisson: got %v, %v", p, err)
	}
}

// E0-32: the logarithm of the likelihood is a sum; its maximum is the share.
func TestPROB09_BernoulliMLE(t *testing.T) {
	for _, c := range []struct {
		ones, n int
		want    float64
	}{{50, 200, 1.0 / 4}, {30, 50, 3.0 / 5}} { // the catalogue's values
		b, err := prob.FitBernoulli(coins(c.ones, c.n))
		if err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, fmt.Sprint(c.ones, " of ", c.n), b.P, c.want, 1e-15)
		l := func(p float64) float64 { return prob.LogLikelihood(prob.Bernoulli{P: p}, coins(c.ones, c.n)) }
		if l(b.P) < l(b.P+1e-4) || l(b.P) < l(b.P-1e-4) {
			t.Errorf("%d of %d: %v is no maximum", c.ones, c.n, b.P)
		}
		sum := float64(c.ones)*math.Log(b.P) + float64(c.n-c.ones)*math.Log(1-b.P)
		mltest.Near(t, "the log likelihood as a sum", l(b.P), sum, 1e-12)
	}
}

// E0-33: the product goes over examples and faces, the constraint over faces.
func TestPROB10_MultinomialMLE(t *testing.T) {
	c, err := prob.FitCategorical([]float64{2, 3, 5})
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "theta", c.P, []float64{.2, .3, .5}, 1e-15)
	theta, _ := optim.MultinomialMLE([]float64{2, 3, 5})
	mltest.NearAll(t, "by the Lagrangian", theta, c.P, 1e-15)
	mltest.Near(t, "they sum to one", floats.Sum(c.P), 1, 1e-15)
	// No other theta gives the throws a larger likelihood.
	throws := []float64{0, 0, 1, 1, 1, 2, 2, 2, 2, 2}
	most := prob.LogLikelihood(c, throws)
	others := prob.Dirichlet{Alpha: []float64{1, 1, 1}}.Sample(200, 1)
	for i := range 200 {
		if l := prob.LogLikelihood(prob.Categorical{P: others.RawRowView(i)}, throws); l > most {
			t.Errorf("theta %v has the log likelihood %v, more than %v", others.RawRowView(i), l, most)
		}
	}
}

// E0-36: every example draws its own class, and one numbering of the classes is kept.
func TestPROB11_GaussianMLE(t *testing.T) {
	d := data.GaussianClasses(4000, 1, 1)
	m := &prob.GaussianNB{}
	fit(t, m, d.X, d.Y)
	mltest.NearAll(t, "neg", m.Means.RawRowView(0), []float64{8, 11}, 0.01)
	mltest.NearAll(t, "pos", m.Means.RawRowView(1), []float64{-4, 10}, 0.02)
	mltest.NearAll(t, "variances", m.Variances.RawRowView(0), []float64{1, 1}, 0.06)
	// The variance has n below the fraction.
	g, err := prob.FitGaussian([]float64{1, 2, 3, 6})
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "four values", []float64{g.Mu, g.Sigma * g.Sigma}, []float64{3, 3.5}, 1e-12)
	mg, err := prob.FitMultivariateGaussian(mat.NewDense(4, 1, []float64{1, 2, 3, 6}))
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "as a matrix", []float64{mg.Mu[0], mg.Cov.At(0, 0)}, []float64{3, 3.5}, 1e-12)
}

// E3-09: the prior examples are added inside the denominator.
func TestPROB12_MEstimate(t *testing.T) {
	mltest.Near(t, "m-estimate", prob.MEstimate(3, 5, .25, 4), 4.0/9, 1e-15) // .4444 in the catalogue
	d := prob.Dirichlet{Alpha: []float64{1, 3}}
	mltest.Near(t, "as the mean of a posterior", d.Posterior([]float64{3, 2}).Mean()[0], 4.0/9, 1e-15)
	mltest.NearAll(t, "Smooth", prob.Smooth([]float64{3, 0, 1}, 1), []float64{4.0 / 7, 1.0 / 7, 2.0 / 7}, 1e-15)

	// Each MAP estimate is the maximum of likelihood times prior.
	x := []float64{3, 1, 4, 1, 5}
	prior := prob.Gamma{Alpha: 3, Beta: 2}
	p, err := prob.FitPoisson(x, prior)
	if err != nil {
		t.Fatal(err)
	}
	peak(t, "Poisson", p.Lambda, func(v float64) float64 {
		return prob.LogLikelihood(prob.Poisson{Lambda: v}, x) + prior.LogProb(v)
	})
	e, err := prob.FitExponential(x, prior)
	if err != nil {
		t.Fatal(err)
	}
	peak(t, "Exponential", e.Lambda, func(v float64) float64 {
		return prob.LogLikelihood(prob.Exponential{Lambda: v}, x) + prior.LogProb(v)
	})
	nig := prob.NormalInverseGamma{Mu: 1, Kappa: 2, Alpha: 3, Beta: 4}
	g, err := prob.FitGaussian(x, nig)
	if err != nil {
		t.Fatal(err)
	}
	posterior := func(mu, s2 float64) float64 {
		return prob.LogLikelihood(prob.Gaussian{Mu: mu, Sigma: math.Sqrt(s2)}, x) +
			prob.Gaussian{Mu: nig.Mu, Sigma: math.Sqrt(s2 / nig.Kappa)}.LogProb(mu) - (nig.Alpha+1)*math.Log(s2) - nig.Beta/s2
	}
	peak(t, "the mean", g.Mu, func(v float64) float64 { return posterior(v, g.Sigma*g.Sigma) })
	peak(t, "the variance", g.Sigma*g.Sigma, func(v float64) float64 { return posterior(g.Mu, v) })
	c, err := prob.FitCategorical([]float64{3, 0, 1}, prob.Dirichlet{Alpha: []float64{2, 2, 2}})
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "Categorical", c.P, []float64{4.0 / 7, 1.0 / 7, 2.0 / 7}, 1e-15)
}

// peak fails unless f is largest at v.
func peak(t *testing.T, what string, v float64, f func(float64) float64) {
	t.Helper()
	for _, d := range []float64{-1e-3, 1e-3} {
		if f(v+d) >= f(v) {
			t.Errorf("%s: %v is no maximum", what, v)
		}
	}
}

func TestPROB13_MAPVersusMLE(t *testing.T) {
	heads := coins(3, 3)
	mle, err := prob.FitBernoulli(heads)
	if err != nil {
		t.Fatal(err)
	}
	most, err := prob.FitBernoulli(heads, prob.Beta{Alpha: 2, Beta: 2})
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "MLE and MAP", []float64{mle.P, most.P}, []float64{1, .8}, 1e-15) // the catalogue's values
	for ones := range 6 {
		a, err := prob.FitBernoulli(coins(ones, 5))
		if err != nil {
			t.Fatal(err)
		}
		b, err := prob.FitBernoulli(coins(ones, 5), prob.Beta{})
		if err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, "a uniform prior", b.P, a.P, 1e-15)
	}
}

// consistent are the 16 functions of two bits.
func boolean() *prob.HypothesisSpace {
	s := &prob.HypothesisSpace{}
	for f := range 16 {
		s.Hypotheses = append(s.Hypotheses, prob.Certain(2, func(row []float64) int { return f >> int(2*row[0]+row[1]) & 1 }))
	}
	return s
}

func TestPROB14_BruteForceMAP(t *testing.T) {
	s := boolean()
	x, y := data.Rows([][]float64{{0, 1}, {1, 1}}), []int{1, 0}
	p, err := s.Posterior(x, y)
	if err != nil {
		t.Fatal(err)
	}
	for h, v := range p.P { // four functions agree with the two examples
		want := 0.0
		if h>>1&1 == 1 && h>>3&1 == 0 {
			want = 0.25
		}
		mltest.Near(t, fmt.Sprint("function ", h), v, want, 1e-15)
	}
	s.Prior = make([]float64, 16)
	for h := range s.Prior {
		s.Prior[h] = 1
	}
	s.Prior[6] = 3
	if p, err = s.Posterior(x, y); err != nil || p.MAP() != 6 {
		t.Errorf("MAP: got %v, %v, want exclusive or, 6", p.MAP(), err)
	}
	if _, err := s.Posterior(data.Rows([][]float64{{0, 0}, {0, 0}}), []int{0, 1}); err == nil {
		t.Error("examples that contradict each other were accepted")
	}
}

func TestPROB15_LeastSquaresIsML(t *testing.T) {
	y := []float64{1, 2, 2.5, 4.5}
	best, least, bestSlope, leastSlope := math.Inf(-1), math.Inf(1), 0.0, 0.0
	for slope := 0.5; slope < 2; slope += 0.01 {
		h, sse := make([]float64, len(y)), 0.0
		for i := range h {
			h[i] = slope * float64(i+1)
			sse += (y[i] - h[i]) * (y[i] - h[i])
		}
		if l := prob.TargetLikelihood(y, h, 0.7); l > best {
			best, bestSlope = l, slope
		}
		if sse < least {
			least, leastSlope = sse, slope
		}
	}
	if bestSlope != leastSlope {
		t.Errorf("most likely slope %v, least squares %v", bestSlope, leastSlope)
	}
	classes, p := []int{1, 0, 1}, []float64{.9, .2, .6}
	mltest.Near(t, "of probabilities", prob.ClassLikelihood(classes, p), math.Log(.9)+math.Log(.8)+math.Log(.6), 1e-14)
	// The fraction of ones is the most likely constant.
	share := 2.0 / 3
	peak(t, "a constant", share, func(v float64) float64 { return prob.ClassLikelihood(classes, []float64{v, v, v}) })
}

func TestPROB16_DescriptionLength(t *testing.T) {
	// Hypotheses that err with different probabilities, and an uneven prior.
	s := &prob.HypothesisSpace{Prior: []float64{8, 4, 2, 1, 1}}
	for _, p := range []float64{.5, .6, .9, .99, .2} {
		s.Hypotheses = append(s.Hypotheses, func([]float64) []float64 { return []float64{1 - p, p} })
	}
	x, y := mat.NewDense(10, 1, nil), []int{1, 1, 1, 0, 1, 1, 1, 1, 0, 1}
	p, err := s.Posterior(x, y)
	if err != nil {
		t.Fatal(err)
	}
	d := p.DescriptionLengths()
	shortest := slices.MinFunc([]int{0, 1, 2, 3, 4}, func(a, b int) int {
		if d[a].Total() < d[b].Total() {
			return -1
		}
		return 1
	})
	if shortest != p.MAP() {
		t.Errorf("the shortest description is that of %d, the MAP hypothesis %d", shortest, p.MAP())
	}
	mltest.Near(t, "the model", d[0].Model, 1, 1e-15) // prior 8/16
	mltest.Near(t, "the data", d[0].Data, 10, 1e-12)  // ten fair coins
	for h := range d {
		mltest.Near(t, "2^−length ∝ posterior", math.Exp2(d[0].Total()-d[h].Total()), p.P[h]/p.P[0], 1e-9)
	}
	mltest.Near(t, "CodeLength", prob.CodeLength(1.0/8), 3, 1e-15)
}

func TestPROB17_BayesOptimal(t *testing.T) {
	// Mitchell, Machine Learning, §6.7: − is class 0, + class 1.
	votes := [][]float64{{0, 1}, {1, 0}, {1, 0}}
	class, p := prob.BayesOptimalClass([]float64{.4, .3, .3}, votes)
	if class != 0 {
		t.Errorf("got class %d, want −", class)
	}
	mltest.NearAll(t, "probabilities", p, []float64{.6, .4}, 1e-15)
	// The same with hypotheses that have seen an example on which all agree.
	s := &prob.HypothesisSpace{Prior: []float64{.4, .3, .3}}
	for h := range votes {
		s.Hypotheses = append(s.Hypotheses, func(row []float64) []float64 {
			if row[0] > 0 {
				return []float64{0, 1}
			}
			return votes[h]
		})
	}
	post, err := s.Posterior(data.Rows([][]float64{{1}}), []int{1})
	if err != nil {
		t.Fatal(err)
	}
	q := data.Rows([][]float64{{0}})
	if post.MAP() != 0 || s.Hypotheses[post.MAP()](q.RawRowView(0))[1] != 1 {
		t.Error("the MAP hypothesis does not say +")
	}
	if got := post.BayesOptimal(q)[0]; got != 0 {
		t.Errorf("Bayes optimal: got %d, want −", got)
	}
	// Losses: refusing at a cost of .3 is better than an error of .4.
	action, risk := prob.BayesDecision(post.PredictProba(q), data.Rows([][]float64{{0, 1}, {1, 0}, {.3, .3}}))
	if action[0] != 2 {
		t.Errorf("action: got %d, want 2, to refuse", action[0])
	}
	mltest.NearAll(t, "risk", risk, []float64{.3}, 1e-15)
	action, risk = prob.BayesDecision(post.PredictProba(q), data.Rows([][]float64{{0, 1}, {1, 0}}))
	if action[0] != 0 {
		t.Errorf("with a loss of 1 for each error: got %d, want the most probable class", action[0])
	}
	mltest.NearAll(t, "its risk", risk, []float64{.4}, 1e-15)
}

// With targets drawn from the prior, the Gibbs classifier errs at most twice as often
// as the Bayes optimal one; an expectation over all targets of two bits and pairs of
// examples.
func TestPROB18_Gibbs(t *testing.T) {
	all := data.Rows([][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}})
	gibbs, optimal := 0, 0
	s := boolean()
	// An uneven prior: functions with few ones are more probable.
	for f := range 16 {
		ones := f&1 + f>>1&1 + f>>2&1 + f>>3&1
		s.Prior = append(s.Prior, math.Exp2(float64(6-ones)))
	}
	rng := uint64(0)
	for _, v := range (prob.Categorical{P: s.Prior}).Sample(2000, 1) {
		target := int(v)
		rng++
		i := int(rng % 4)
		p, err := s.Posterior(data.Rows([][]float64{all.RawRowView(i)}), []int{target >> i & 1})
		if err != nil {
			t.Fatal(err)
		}
		g, b := p.Gibbs(all, rng), p.BayesOptimal(all)
		for k := range 4 {
			if g[k] != target>>k&1 {
				gibbs++
			}
			if b[k] != target>>k&1 {
				optimal++
			}
		}
	}
	if gibbs <= optimal || gibbs > 2*optimal {
		t.Errorf("errors: Gibbs %d, optimal %d; want more, but at most twice as many", gibbs, optimal)
	}
}

// E2-18: an unseen word does not keep the ratio of the classes when they differ in
// size.
func TestPROB22_Laplace(t *testing.T) {
	small, large := prob.Smooth([]float64{0, 50}, 1)[0], prob.Smooth([]float64{0, 150}, 1)[0]
	mltest.Near(t, "after 50", small, 1.0/52, 1e-15)
	mltest.Near(t, "after 150", large, 1.0/152, 1e-15)
	x, y := mat.NewDense(200, 1, nil), make([]int, 200)
	for i := range 50 {
		y[i] = 1
	}
	m := &prob.BernoulliNB{}
	fit(t, m, x, y)
	mltest.NearAll(t, "BernoulliNB", mat.Col(nil, 0, m.Theta), []float64{1.0 / 152, 1.0 / 52}, 1e-15)
}

// E0-65: one toss is Bernoulli, not binomial without a number of tosses.
func TestPROB30_Distributions(t *testing.T) {
	mltest.Near(t, "z .975", prob.Gaussian{}.Quantile(.975), 1.96, 5e-4) // the catalogue's values
	mltest.Near(t, "t₄ .975", prob.StudentT{Nu: 4}.Quantile(.975), 2.776, 5e-4)
	mltest.Near(t, "one toss", prob.Bernoulli{P: .3}.Prob(1), prob.Binomial{N: 1, P: .3}.Prob(1), 1e-15)
	zero := []prob.Distribution{prob.Gaussian{}, prob.Exponential{}, prob.Uniform{}, prob.Laplace{}, prob.Gamma{}, prob.ChiSquared{}, prob.Beta{}, prob.StudentT{}, prob.FisherF{}, prob.Poisson{}}
	for _, d := range zero {
		if p := d.Prob(0.5); d.Discrete() != (p == 0) {
			t.Errorf("%T: the zero value has the density %v at ½", d, p)
		}
	}
	for _, d := range append(zero, prob.Bernoulli{P: .2}, prob.Binomial{N: 12, P: .7}, prob.Categorical{P: []float64{3, 0, 2}},
		prob.Gaussian{Mu: 2, Sigma: 3}, prob.Beta{Alpha: 2, Beta: 5}, prob.Gamma{Alpha: 4, Beta: 2}, prob.FisherF{Nu1: 3, Nu2: 9}) {
		checkDistribution(t, d)
	}
}

// checkDistribution checks the properties of every distribution: CDF and tail sum to 1, quantiles
// invert the CDF, and samples have the right moments.
func checkDistribution(t *testing.T, d prob.Distribution) {
	t.Helper()
	what := fmt.Sprintf("%T%+v", d, d)
	sample := d.Sample(20000, 7)
	for i, x := range sample[:200] {
		mltest.Near(t, what+": CDF + tail", d.CDF(x)+d.Tail(x), 1, 1e-12)
		q := d.Quantile(d.CDF(x))
		if math.Abs(q-x) > 1e-6*math.Max(1, math.Abs(x)) {
			t.Errorf("%s: draw %d, %v, is the quantile %v of its CDF", what, i, x, q)
		}
		mltest.Near(t, what+": log", math.Exp(d.LogProb(x)), d.Prob(x), 1e-12)
	}
	if v := d.Variance(); !math.IsNaN(v) && !math.IsInf(v, 0) {
		mean := floats.Sum(sample) / float64(len(sample))
		if math.Abs(mean-d.Mean()) > 5*math.Sqrt(v/float64(len(sample))) {
			t.Errorf("%s: the mean of a sample is %v, want about %v", what, mean, d.Mean())
		}
	}
	below := 0.0
	median := d.Quantile(.5)
	for _, x := range sample {
		if x <= median {
			below += 1 / float64(len(sample))
		}
	}
	if math.Abs(below-d.CDF(median)) > 0.02 {
		t.Errorf("%s: %v of a sample is at most the median, want %v", what, below, d.CDF(median))
	}
	if !slices.Equal(sample, d.Sample(20000, 7)) {
		t.Errorf("%s: the same seed gives other draws", what)
	}
}

func TestPROB30_Many(t *testing.T) {
	g := &prob.MultivariateGaussian{Mu: []float64{1, -2}, Cov: symmetric([][]float64{{2, .6}, {.6, 1}})}
	x := g.Sample(20000, 1)
	f, err := prob.FitMultivariateGaussian(x)
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "mean of a sample", f.Mu, g.Mu, 0.03)
	mltest.NearAll(t, "covariance of a sample", []float64{f.Cov.At(0, 0), f.Cov.At(0, 1), f.Cov.At(1, 1)}, []float64{2, .6, 1}, 0.05)
	mltest.Near(t, "distance", g.Mahalanobis(data.Rows([][]float64{{1, -1}}))[0], math.Sqrt(2/(2-.36)), 1e-12)
	d := prob.Dirichlet{Alpha: []float64{2, 3, 5}}
	fd, err := prob.FitDirichlet(d.Sample(5000, 2))
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "Dirichlet", fd.Alpha, d.Alpha, 0.06)
	m := prob.Multinomial{N: 10, P: []float64{.2, .3, .5}}
	mean := make([]float64, 3)
	s := m.Sample(4000, 3)
	for i := range 4000 {
		floats.AddScaled(mean, 1.0/4000, s.RawRowView(i))
	}
	mltest.NearAll(t, "Multinomial", mean, m.Mean(), 0.1)
	mltest.Near(t, "its covariance", m.Covariance().At(0, 1), -.6, 1e-12)
}

func ExampleFitBernoulli() {
	heads := []float64{1, 1, 1}
	mle, _ := prob.FitBernoulli(heads)
	most, _ := prob.FitBernoulli(heads, prob.Beta{Alpha: 2, Beta: 2})
	fmt.Println(mle.P, most.P)
	// Output: 1 0.8
}
