package prob_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// ints are the values of column j.
func ints(d *data.Dataset, j int) []int {
	out := make([]int, d.Len())
	for i := range out {
		out[i] = int(d.X.At(i, j))
	}
	return out
}

// E2-19: the notes have probabilities of .33, which do not sum to one.
func TestPROB01_Entropy(t *testing.T) {
	mltest.Near(t, "three alike", prob.Entropy([]float64{1, 1, 1}), 1.5849625007211562, 1e-12)
	mltest.Near(t, "nearly certain", prob.Entropy([]float64{.98, .01, .01}), 0.1614, 5e-5) // the catalogue's value
	mltest.Near(t, "a fair coin", prob.Entropy([]float64{.5, .5}), 1, 1e-15)
	mltest.Near(t, "a fair coin in nats", prob.Entropy([]float64{3, 3}, prob.Nats), math.Ln2, 1e-15)
	if h := prob.Entropy([]float64{0, 7}); h != 0 {
		t.Errorf("a certain outcome: got %v, want 0", h)
	}
}

// The corrected estimates are nearer to the truth than the plug-in estimate.
func TestPROB01_SmallSamples(t *testing.T) {
	p := make([]float64, 20)
	for k := range p {
		p[k] = 1 / float64(k+1)
	}
	truth := prob.Entropy(p)
	off := map[prob.EntropyEstimator]float64{}
	for seed := range uint64(200) {
		counts := make([]float64, len(p))
		for _, v := range (prob.Categorical{P: p}).Sample(30, seed) {
			counts[int(v)]++
		}
		for e := prob.PlugIn; e <= prob.ShrinkageEntropy; e++ {
			off[e] += (prob.EstimateEntropy(counts, e) - truth) / 200
		}
	}
	for e := prob.MillerMadow; e <= prob.ShrinkageEntropy; e++ {
		if math.Abs(off[e]) > 0.8*math.Abs(off[prob.PlugIn]) {
			t.Errorf("%v: mean error %.3f bits, plug-in %.3f", e, off[e], off[prob.PlugIn])
		}
	}
}

// sunny is the joint distribution of the question "sunny?" and the answer.
func sunny(t *testing.T) *prob.Joint {
	d := data.SunnyWindy()
	j, err := prob.CountJoint([]string{"sunny", "windy", "play"}, ints(d, 0), ints(d, 1), d.Y)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// E3-01: the mean of H(Y|X=x), weighted with P(x), not the sum of P(Y|X=x).
// E3-02: with a minus sign.
func TestPROB02_ConditionalEntropy(t *testing.T) {
	j := sunny(t)
	mltest.Near(t, "H(play|sunny)", j.ConditionalEntropy("play", "sunny"), 0.7956, 5e-5) // the catalogue's value
	mean := 0.0
	for x := range 2 {
		given := j.Given(map[string]int{"sunny": x}).Marginal("play")
		if given.Entropy() < 0 {
			t.Errorf("H(play|sunny=%d) is %v", x, given.Entropy())
		}
		mean += j.Marginal("sunny").At(x) * given.Entropy()
	}
	mltest.Near(t, "as a mean", mean, j.ConditionalEntropy("play", "sunny"), 1e-12)
	mltest.Near(t, "nothing given", j.ConditionalEntropy("play"), j.Entropy("play"), 0)
}

func TestPROB03_MutualInformation(t *testing.T) {
	j := sunny(t)
	mltest.Near(t, "I(sunny;play)", j.MutualInformation("sunny", "play"), 0.1589, 5e-5) // the catalogue's value
	mltest.Near(t, "H(Y) − H(Y|X)", j.Entropy("play")-j.ConditionalEntropy("play", "sunny"), j.MutualInformation("sunny", "play"), 1e-12)
	sum := 0.0
	m, a, b := j.Marginal("sunny", "play"), j.Marginal("sunny"), j.Marginal("play")
	for x := range 2 {
		for y := range 2 {
			if p := m.At(x, y); p > 0 {
				sum += p * math.Log2(p/(a.At(x)*b.At(y)))
			}
		}
	}
	mltest.Near(t, "Σ p log p/pp", sum, j.MutualInformation("sunny", "play"), 1e-12)
	d := data.SunnyWindy()
	mltest.Near(t, "from the values", prob.MutualInformation(ints(d, 0), d.Y), sum, 1e-12)
	mltest.Near(t, "with itself", prob.NormalizedMutualInformation(d.Y, d.Y), 1, 1e-12)
	// Of independent columns it is too large by about (r−1)(c−1)/2n nats.
	x := (prob.Categorical{P: []float64{1, 1, 1, 1}}).Sample(200, 1)
	y := (prob.Categorical{P: []float64{1, 1, 1, 1}}).Sample(200, 2)
	plain, corrected := prob.MutualInformation(whole(x), whole(y)), prob.EstimateMutualInformation(whole(x), whole(y), prob.MillerMadow)
	mltest.Near(t, "Miller-Madow", corrected, plain-9.0/400/math.Ln2, 1e-12)
}

func whole(x []float64) []int {
	out := make([]int, len(x))
	for i, v := range x {
		out[i] = int(v)
	}
	return out
}

// Under naive Bayes, two features are independent given the class, but dependent without it.
func TestPROB04_ConditionalMutualInformation(t *testing.T) {
	var cells []float64
	for y, py := range []float64{0.3, 0.7} {
		a, b := []float64{0.2, 0.8}[y], []float64{0.9, 0.4}[y]
		cells = append(cells, py*(1-a)*(1-b), py*(1-a)*b, py*a*(1-b), py*a*b)
	}
	j, err := prob.NewJoint([]string{"y", "a", "b"}, []int{2, 2, 2}, cells)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "I(a;b|y)", j.ConditionalMutualInformation("a", "b", "y"), 0, 1e-12)
	if i := j.MutualInformation("a", "b"); i < 0.01 {
		t.Errorf("I(a;b): got %v, want more than .01", i)
	}
	mltest.Near(t, "nothing given", j.ConditionalMutualInformation("a", "b"), j.MutualInformation("a", "b"), 0)
	// Exclusive or: no information without y, one bit given y.
	x, err := prob.NewJoint([]string{"a", "b", "y"}, []int{2, 2, 2}, []float64{1, 0, 0, 1, 0, 1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "xor", x.MutualInformation("a", "b"), 0, 1e-12)
	mltest.Near(t, "xor, given", x.ConditionalMutualInformation("a", "b", "y"), 1, 1e-12)
}

// E3-11: D_KL(P‖Q) is one expression; the notes have an equals sign in it.
func TestPROB05_KLDivergence(t *testing.T) {
	p, q := []float64{.36, .48, .16}, []float64{1, 1, 1}
	mltest.Near(t, "KL(P‖Q)", prob.KLDivergence(p, q, prob.Nats), 0.0853, 5e-5) // the catalogue's values
	mltest.Near(t, "KL(Q‖P)", prob.KLDivergence(q, p, prob.Nats), 0.0975, 5e-5)
	mltest.Near(t, "KL(P‖P)", prob.KLDivergence(p, p), 0, 1e-15)
	if d := prob.KLDivergence(q, []float64{1, 1, 0}); !math.IsInf(d, 1) {
		t.Errorf("an outcome that Q excludes: got %v, want +Inf", d)
	}
	mltest.Near(t, "JS is symmetric", prob.JensenShannon(p, q), prob.JensenShannon(q, p), 1e-15)
	mltest.Near(t, "JS of what has nothing in common", prob.JensenShannon([]float64{1, 0}, []float64{0, 1}), 1, 1e-15)
	// Gaussians: the formula against a sum over a fine grid.
	a, b := prob.Gaussian{Mu: 1, Sigma: 2}, prob.Gaussian{Mu: -1, Sigma: 3}
	sum, h := 0.0, 1e-3
	for x := -30.0; x < 30; x += h {
		sum += a.Prob(x) * (a.LogProb(x) - b.LogProb(x)) * h
	}
	mltest.Near(t, "KL of Gaussians", a.KL(b), sum, 1e-6)
}

func TestPROB06_CrossEntropy(t *testing.T) {
	p, q := []float64{.36, .48, .16}, []float64{.5, .3, .2}
	mltest.Near(t, "H(p,q) = H(p) + KL(p‖q)", prob.CrossEntropy(p, q), prob.Entropy(p)+prob.KLDivergence(p, q), 1e-14)
	// As a loss: −log of the probability of the true class.
	mltest.Near(t, "as a loss", prob.CrossEntropy([]float64{0, 1, 0}, q, prob.Nats), -math.Log(.3), 1e-14)
}

// E2-16: factoring a joint probability is the chain rule, not Bayes' rule.
func TestPROB07_BayesRule(t *testing.T) {
	// Mitchell, Machine Learning, §6.2.1.
	p, evidence := prob.BayesRule([]float64{.008, .992}, []float64{.98, .03})
	mltest.Near(t, "P(cancer|+)", p[0], .21, 5e-3)
	mltest.Near(t, "P(+)", evidence, .008*.98+.992*.03, 1e-15)
	logs, logEvidence := prob.Posterior([]float64{.008, .992}, []float64{math.Log(.98) - 2000, math.Log(.03) - 2000})
	mltest.NearAll(t, "by logarithms", logs, p, 1e-12)
	mltest.Near(t, "log P(+)", logEvidence, math.Log(evidence)-2000, 1e-15)

	j := sunny(t)
	for x := range 2 {
		for w := range 2 {
			for y := range 2 {
				if j.At(x, w, y) == 0 {
					continue
				}
				product := 1.0
				for _, f := range j.Chain(x, w, y) {
					product *= f
				}
				mltest.Near(t, "the chain rule", product, j.At(x, w, y), 1e-15)
			}
		}
	}
	sum := 0.0
	for w := range 2 {
		sum += j.At(1, w, 1)
	}
	mltest.Near(t, "summing out", j.Marginal("sunny", "play").At(1, 1), sum, 1e-15)
	mltest.Near(t, "another order", j.Marginal("play", "sunny").At(1, 1), sum, 1e-15)
}

func TestPROB29_Independence(t *testing.T) {
	d := data.PlayTennis()
	table, err := prob.CheckIndependence(d.X, d.Y)
	if err != nil {
		t.Fatal(err)
	}
	// Temperature depends on humidity: cool days are normal, mostly.
	if i := table.Marginal.At(1, 2); i < 0.1 {
		t.Errorf("I(temperature;humidity): got %.3f bits", i)
	}
	j, err := prob.CountJoint([]string{"o", "t", "y"}, ints(d, 0), ints(d, 1), d.Y)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "I(outlook;temperature|play)", table.Conditional.At(0, 1), j.ConditionalMutualInformation("o", "t", "y"), 1e-12)
	mltest.Near(t, "I(outlook;temperature)", table.Marginal.At(1, 0), j.MutualInformation("o", "t"), 1e-12)
	mltest.Near(t, "H(wind) on the diagonal", table.Marginal.At(3, 3), prob.Entropy([]float64{8, 6}), 1e-12)
	// Columns made by naive Bayes are independent given the class, but for chance.
	m := &prob.CategoricalNB{}
	fit(t, m, d.X, d.Y)
	x, y := m.Sample(5000, 1)
	table, err = prob.CheckIndependence(x, y)
	if err != nil {
		t.Fatal(err)
	}
	for a := range 4 {
		for b := range a {
			if i := table.Conditional.At(a, b); i > 0.003 {
				t.Errorf("columns %d and %d of a sample of naive Bayes: I given the class is %.4f bits", a, b, i)
			}
		}
	}
}

// A Gaussian prior on coefficients makes least squares into ridge regression with
// λ = σ²/σ₀².
func TestPROB13_RidgeIsMAP(t *testing.T) {
	x := []float64{2.1, 1.7, 3.3}
	prior := prob.Gaussian{Mu: 0, Sigma: 0.5}
	got := prior.Posterior(x, 2).Mu
	ones := data.Rows([][]float64{{1}, {1}, {1}})
	r := &linear.Ridge{Lambda: 4 / 0.25, NoIntercept: true}
	if err := r.Fit(ones, x); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "the mean of the posterior", got, r.Coef[0], 1e-12)
}

func TestInformationRefusesNonsense(t *testing.T) {
	for what, f := range map[string]func(){
		"negative":         func() { prob.Entropy([]float64{-1, 2}) },
		"all zero":         func() { prob.Entropy([]float64{0, 0}) },
		"lengths":          func() { prob.KLDivergence([]float64{1}, []float64{1, 2}) },
		"impossible":       func() { prob.BayesRule([]float64{1, 1}, []float64{0, 0}) },
		"unknown variable": func() { sunny(t).Entropy("rain") },
		"impossible given": func() {
			j, _ := prob.NewJoint([]string{"a", "b"}, []int{2, 2}, []float64{1, 1, 0, 0})
			j.Given(map[string]int{"a": 1})
		},
		"value out of range": func() { sunny(t).At(0, 0, 2) },
		"no variable left":   func() { sunny(t).Given(map[string]int{"sunny": 0, "windy": 0, "play": 0}) },
		"values":             func() { prob.MutualInformation([]int{1}, []int{1, 2}) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("%s: no panic with *model.Error", what)
				}
			}()
			f()
		}()
	}
	for _, c := range []struct {
		names []string
		sizes []int
		cells []float64
	}{
		{[]string{"a"}, []int{2}, []float64{1}},
		{[]string{"a", "a"}, []int{1, 2}, []float64{1, 1}},
		{[]string{"a"}, []int{0}, nil},
		{[]string{"a"}, []int{2}, []float64{0, 0}},
		{[]string{"a"}, []int{2}, []float64{1, math.NaN()}},
	} {
		if _, err := prob.NewJoint(c.names, c.sizes, c.cells); err == nil {
			t.Errorf("NewJoint(%v, %v, %v) was accepted", c.names, c.sizes, c.cells)
		}
	}
}

func ExampleEntropy() {
	fmt.Printf("%.3f\n", prob.Entropy([]float64{1, 1, 1}))
	fmt.Printf("%.3f\n", prob.Entropy([]float64{.98, .01, .01}))
	// Output:
	// 1.585
	// 0.161
}
