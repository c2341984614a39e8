package prob_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// outlook are 50 days with play, 30 of them with outlook 1, and 150 without, 45 with
// outlook 1.
func outlook() (*mat.Dense, []int) {
	x, y := mat.NewDense(200, 1, nil), make([]int, 200)
	for i := range 200 {
		if i < 50 {
			y[i] = 1
		}
		if i < 30 || i >= 50 && i < 95 {
			x.Set(i, 0, 1)
		}
	}
	return x, y
}

// E0-31: p(not W|P) is 1 − p(W|P), a table of its own says p(W|not P).
// E2-14: shares, not bare counts.
// E2-15: the product goes over the columns of one row.
// E2-17: columns that are 0 count, with 1 − θ.
func TestPROB19_BernoulliNB(t *testing.T) {
	x, y := outlook()
	m := &prob.BernoulliNB{Alpha: model.Zero}
	fit(t, m, x, y)
	mltest.Near(t, "θ₀", math.Exp(m.LogPrior[1]), 1.0/4, 1e-15) // the catalogue's values
	mltest.Near(t, "θ₊₁,outlook", m.Theta.At(1, 0), 3.0/5, 1e-15)
	mltest.Near(t, "θ₋₁,outlook", m.Theta.At(0, 0), 45.0/150, 1e-15)
	p := m.PredictProba(data.Rows([][]float64{{0}, {1}}))
	mltest.Near(t, "outlook 0", p.At(0, 1), .25*.4/(.25*.4+.75*.7), 1e-15)
	mltest.Near(t, "outlook 1", p.At(1, 1), .25*.6/(.25*.6+.75*.3), 1e-15)

	// The joint probability of a row by hand, over its columns.
	c, class := counted()
	b := &prob.BernoulliNB{Threshold: 2}
	fit(t, b, c, class)
	want := make([]float64, 3)
	for k := range 3 {
		want[k] = math.Exp(b.LogPrior[k])
		for j := range 4 {
			theta := b.Theta.At(k, j)
			if c.At(5, j) > 2 {
				want[k] *= theta
			} else {
				want[k] *= 1 - theta
			}
		}
	}
	floats.Scale(1/floats.Sum(want), want)
	mltest.NearAll(t, "a row", b.PredictProba(c).RawRowView(5), want, 1e-12)
}

// Mitchell, Machine Learning, §6.9.1: probabilities by counting, no smoothing.
func TestPROB20_PlayTennis(t *testing.T) {
	d := data.PlayTennis()
	q := data.Rows([][]float64{{0, 2, 0, 1}}) // sunny, cool, high, strong
	for _, m := range []model.ProbClassifier{&prob.CategoricalNB{Alpha: model.Zero}, &prob.NaiveBayes{Alpha: model.Zero}} {
		fit(t, m, d.X, d.Y)
		mltest.Near(t, fmt.Sprintf("%T: no", m), m.PredictProba(q).At(0, 0), .795, 5e-4)
		if m.Predict(q)[0] != 0 {
			t.Errorf("%T predicts yes", m)
		}
	}
	m := &prob.CategoricalNB{Alpha: model.Zero}
	fit(t, m, d.X, d.Y)
	mltest.Near(t, "P(strong|yes)", math.Exp(m.Features[3].LogProb.At(1, 1)), 3.0/9, 1e-12)
	if got := m.Features[0].Levels(); !slices.Equal(got, []string{"sunny", "overcast", "rain"}) {
		t.Errorf("levels: got %v", got)
	}
}

// The multinomial model counts words, the Bernoulli model sees whether they occur.
func TestPROB20_EventModels(t *testing.T) {
	x, y := data.Rows([][]float64{{3, 1}, {1, 3}}), []int{0, 1}
	m, b := &prob.MultinomialNB{}, &prob.BernoulliNB{}
	fit(t, m, x, y)
	fit(t, b, x, y)
	mltest.NearAll(t, "θ of words", exps(m.LogProb.RawRowView(0)), []float64{4.0 / 6, 2.0 / 6}, 1e-15)
	mltest.Near(t, "ten times the first word", m.Decision(data.Rows([][]float64{{10, 0}})).At(0, 0), 10*math.Log(.5), 1e-12)
	mltest.Near(t, "bits", b.Decision(data.Rows([][]float64{{10, 1}})).At(0, 0), 0, 1e-12)
}

func exps(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, l := range v {
		out[i] = math.Exp(l)
	}
	return out
}

func TestPROB21_GaussianNB(t *testing.T) {
	x := data.Rows([][]float64{{1, 2}, {3, 2}, {2, 5}, {10, 0}, {12, 1}})
	y := []int{0, 0, 0, 4, 4}
	m := &prob.GaussianNB{VarSmoothing: model.Zero}
	fit(t, m, x, y)
	mltest.NearAll(t, "means", m.Means.RawRowView(0), []float64{2, 3}, 1e-15)
	mltest.NearAll(t, "variances", m.Variances.RawRowView(0), []float64{2.0 / 3, 2}, 1e-15)
	q := data.Rows([][]float64{{5, 1.5}})
	joint := make([]float64, 2)
	for c := range joint {
		joint[c] = math.Log([]float64{.6, .4}[c])
		for j := range 2 {
			joint[c] += prob.Gaussian{Mu: m.Means.At(c, j), Sigma: math.Sqrt(m.Variances.At(c, j))}.LogProb(q.At(0, j))
		}
	}
	mltest.Near(t, "log odds", m.Decision(q).At(0, 0), joint[1]-joint[0], 1e-12)
	if got := m.Predict(q)[0]; got != 0 {
		t.Errorf("class: got %d", got)
	}
}

// E0-37: with a variance of its own for each class the boundary of the Gaussian
// model is not a line; with shared ones it is.
func TestPROB23_Linear(t *testing.T) {
	type linearModel interface {
		model.ProbClassifier
		model.Scorer
		Linear() (*mat.Dense, []float64)
	}
	counts, class := counted()
	bits := mat.DenseCopyOf(counts)
	bits.Apply(func(_, _ int, v float64) float64 {
		if v > 2 {
			return 1
		}
		return 0
	}, counts)
	two := slices.Clone(class)
	for i, c := range two {
		two[i] = min(c, 1)
	}
	for _, c := range []struct {
		m func() linearModel
		x *mat.Dense
	}{
		{func() linearModel { return &prob.BernoulliNB{} }, bits},
		{func() linearModel { return &prob.MultinomialNB{} }, counts},
		{func() linearModel { return &prob.ComplementNB{} }, counts},
		{func() linearModel { return &prob.GaussianNB{SharedVariance: true} }, counts},
	} {
		for _, y := range [][]int{class, two} {
			m := c.m()
			fit(t, m, c.x, y)
			coef, intercept := m.Linear()
			score := m.Decision(c.x)
			n, k := score.Dims()
			if rows, _ := coef.Dims(); rows != k || len(intercept) != k {
				t.Fatalf("%T: %d functions for %d scores", m, rows, k)
			}
			for i := range n {
				// With many classes, the scores share a common term.
				common := score.At(i, 0) - floats.Dot(coef.RawRowView(0), c.x.RawRowView(i)) - intercept[0]
				if k == 1 {
					mltest.Near(t, fmt.Sprintf("%T: the score", m), common, 0, 1e-9)
				}
				for s := range k {
					mltest.Near(t, fmt.Sprintf("%T, row %d, score %d", m, i, s), score.At(i, s),
						floats.Dot(coef.RawRowView(s), c.x.RawRowView(i))+intercept[s]+common, 1e-9)
				}
			}
		}
	}
	// The weights are log odds ratios.
	m := &prob.BernoulliNB{}
	fit(t, m, bits, two)
	coef, _ := m.Linear()
	odds := func(c, j int) float64 { return m.Theta.At(c, j) / (1 - m.Theta.At(c, j)) }
	for j := range 4 {
		mltest.Near(t, "log odds ratio", coef.At(0, j), math.Log(odds(1, j)/odds(0, j)), 1e-12)
	}
	// A score is linear when its second differences vanish.
	d := data.GaussianClasses(200, 2, 3)
	bend := func(shared bool) float64 {
		g := &prob.GaussianNB{SharedVariance: shared}
		fit(t, g, d.X, d.Y)
		s := g.Decision(data.Rows([][]float64{{0, 0}, {10, 5}, {20, 10}}))
		return s.At(0, 0) - 2*s.At(1, 0) + s.At(2, 0)
	}
	mltest.Near(t, "shared variances", bend(true), 0, 1e-9)
	if b := bend(false); math.Abs(b) < 1e-3 {
		t.Errorf("variances of their own: second difference %v, want a bend", b)
	}
	defer func() {
		if _, ok := recover().(*model.Error); !ok {
			t.Error("Linear of a quadratic model did not panic with *model.Error")
		}
	}()
	g := &prob.GaussianNB{}
	fit(t, g, d.X, d.Y)
	g.Linear()
}

// E2-12: the heading means Gaussian discriminant analysis.
func TestPROB24_Discriminant(t *testing.T) {
	// Means (8, 11) and (−4, 10), identity covariance, equal priors: 12·x₁ + x₂ = 34.5.
	var x [][]float64
	var y []int
	for c, mu := range [][]float64{{-4, 10}, {8, 11}} {
		for _, e := range [][]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			x, y = append(x, []float64{mu[0] + e[0], mu[1] + e[1]}), append(y, c)
		}
	}
	l := &prob.LDA{}
	fit(t, l, data.Rows(x), y)
	mltest.NearAll(t, "Σ", flat(l.Covariance), []float64{1, 0, 0, 1}, 1e-12)
	mltest.NearAll(t, "the line", []float64{l.Coef.At(0, 0), l.Coef.At(0, 1), l.Intercept[0]}, []float64{12, 1, -34.5}, 1e-9)
	q := &prob.QDA{}
	fit(t, q, data.Rows(x), y)
	rows := data.Rows([][]float64{{2, 5}, {3, 12}, {2.1, 9}})
	if !mat.EqualApprox(q.Decision(rows), l.Decision(rows), 1e-9) {
		t.Error("with equal covariances QDA is not LDA")
	}
	// The boundary of QDA is bent where the covariances differ.
	d := data.Iris()
	fit(t, q, d.X, d.Y)
	for c, g := range q.Gaussians() {
		lp := g.LogProbs(d.X)
		joint := q.Decision(d.X)
		for i := range lp { // all but a constant
			mltest.Near(t, "log density", joint.At(i, c)-q.LogPrior[c], lp[i]+2*math.Log(2*math.Pi), 1e-9)
		}
	}
	// Fisher's directions: Σ is the identity there, and two are enough for three classes.
	fit(t, l, d.X, d.Y)
	if _, m := l.Transform(d.X).Dims(); m != 2 {
		t.Errorf("iris has %d discriminants", m)
	}
	z := l.Transform(d.X)
	again := &prob.LDA{}
	fit(t, again, z, d.Y)
	mltest.NearAll(t, "Σ in the projection", flat(again.Covariance), []float64{1, 0, 0, 1}, 1e-9)
	if !mat.EqualApprox(again.PredictProba(z), l.PredictProba(d.X), 1e-9) {
		t.Error("the projection loses something")
	}
	if got := eval.Accuracy(d.Y, l.Predict(d.X)); got < .979 {
		t.Errorf("accuracy on iris: got %.3f", got)
	}
	mltest.Near(t, "the error of the best classifier", prob.BayesError(
		&prob.MultivariateGaussian{Mu: []float64{0, 0}}, &prob.MultivariateGaussian{Mu: []float64{2, 0}}, .5), prob.Gaussian{}.CDF(-1), 1e-15)
}

func flat(s *mat.SymDense) []float64 {
	var out []float64
	for i := range s.SymmetricDim() {
		for j := range s.SymmetricDim() {
			out = append(out, s.At(i, j))
		}
	}
	return out
}

// A model that is fitted to samples of another model is close to it.
func TestPROB25_Sample(t *testing.T) {
	iris := data.Iris()
	counts, class := counted()
	tennis := data.PlayTennis()
	const n = 6000
	for _, c := range []struct {
		m, again model.ProbClassifier
		x        mat.Matrix
		y        []int
		sample   func(m model.ProbClassifier) (*mat.Dense, []int)
		state    func(m model.ProbClassifier) []float64
		tol      float64
	}{
		{&prob.BernoulliNB{Threshold: 2}, &prob.BernoulliNB{}, counts, class,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.BernoulliNB).Sample(n, 1) },
			func(m model.ProbClassifier) []float64 { return m.(*prob.BernoulliNB).Theta.RawMatrix().Data }, .04},
		{&prob.MultinomialNB{}, &prob.MultinomialNB{}, counts, class,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.MultinomialNB).Sample(n, 20, 1) },
			func(m model.ProbClassifier) []float64 { return exps(m.(*prob.MultinomialNB).LogProb.RawMatrix().Data) }, .02},
		{&prob.GaussianNB{}, &prob.GaussianNB{}, iris.X, iris.Y,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.GaussianNB).Sample(n, 1) },
			func(m model.ProbClassifier) []float64 { return m.(*prob.GaussianNB).Means.RawMatrix().Data }, .05},
		{&prob.CategoricalNB{}, &prob.CategoricalNB{}, tennis.X, tennis.Y,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.CategoricalNB).Sample(n, 1) },
			func(m model.ProbClassifier) []float64 {
				return exps(m.(*prob.CategoricalNB).Features[0].LogProb.RawMatrix().Data)
			}, .03},
		{&prob.NaiveBayes{}, &prob.NaiveBayes{}, iris.X, iris.Y,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.NaiveBayes).Sample(n, 1) },
			func(m model.ProbClassifier) []float64 { return m.(*prob.NaiveBayes).Features[2].Variances }, .05},
		{&prob.LDA{}, &prob.LDA{}, iris.X, iris.Y,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.LDA).Sample(n, 1) },
			func(m model.ProbClassifier) []float64 { return flat(m.(*prob.LDA).Covariance) }, .02},
		{&prob.QDA{}, &prob.QDA{}, iris.X, iris.Y,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.QDA).Sample(n, 1) },
			func(m model.ProbClassifier) []float64 { return flat(m.(*prob.QDA).Covariances[2]) }, .04},
		{&prob.JointClassifier{}, &prob.JointClassifier{}, tennis.X.Dense.Slice(0, 14, 0, 2), tennis.Y,
			func(m model.ProbClassifier) (*mat.Dense, []int) { return m.(*prob.JointClassifier).Sample(n, 1) },
			func(m model.ProbClassifier) []float64 {
				return m.PredictProba(data.Rows([][]float64{{0, 0}, {0, 1}, {2, 1}})).RawMatrix().Data
			}, .06},
	} {
		fit(t, c.m, c.x, c.y)
		x, y := c.sample(c.m)
		fit(t, c.again, x, y)
		if !slices.Equal(c.m.Classes(), c.again.Classes()) {
			t.Errorf("%T: classes %v, want %v", c.m, c.again.Classes(), c.m.Classes())
			continue
		}
		mltest.NearAll(t, fmt.Sprintf("%T", c.m), c.state(c.again), c.state(c.m), c.tol)
	}
}

// E0-38: with a wrong model and many examples the generative error converges, to
// something larger. E0-39: the heuristic is Hal Daumé's.
func TestPROB26_GenerativeVersusConditional(t *testing.T) {
	const d = 12
	a := &prob.MultivariateGaussian{Mu: make([]float64, d)}
	b := &prob.MultivariateGaussian{Mu: make([]float64, d)}
	for j := range d {
		b.Mu[j] = 0.55
	}
	right := func(n int, seed uint64) (mat.Matrix, []int) {
		x, y := mat.NewDense(n, d, nil), make([]int, n)
		for i, c := range (prob.Bernoulli{P: .5}).Sample(n, seed) {
			y[i] = int(c)
		}
		zero, one := a.Sample(n, seed+1), b.Sample(n, seed+2)
		for i, c := range y {
			x.SetRow(i, []*mat.Dense{zero, one}[c].RawRowView(i))
		}
		return x, y
	}
	contests := []prob.Contest{
		{Name: "naive Bayes", New: func() model.Classifier { return &prob.GaussianNB{SharedVariance: true} }},
		{Name: "logistic", New: func() model.Classifier { return &linear.LogisticRegression{C: 100} }},
	}
	bayes := prob.BayesError(a, b, .5)
	c, err := prob.RaceBySize(contests, right, bayes, []int{16, 400}, 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	if c.Error[0][0] >= c.Error[1][0]-.02 {
		t.Errorf("16 examples: naive Bayes errs %.3f, logistic regression %.3f", c.Error[0][0], c.Error[1][0])
	}
	for k := range c.Names {
		if e := c.Error[k][1]; math.Abs(e-bayes) > .03 {
			t.Errorf("400 examples: %s errs %.3f, the best possible is %.3f", c.Names[k], e, bayes)
		}
	}
	// A wrong model: two columns that repeat the first, which naive Bayes counts three
	// times.
	wrong := func(n int, seed uint64) (mat.Matrix, []int) {
		x, y := right(n, seed)
		w := mat.DenseCopyOf(x)
		for i := range n {
			for j := 1; j < 9; j++ {
				w.Set(i, j, w.At(i, 0)+.1*w.At(i, j))
			}
		}
		return w, y
	}
	c, err = prob.RaceBySize(contests, wrong, math.NaN(), []int{100, 800}, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	if c.Error[0][1] <= c.Error[1][1]+.01 {
		t.Errorf("800 examples, wrong model: naive Bayes errs %.3f, logistic regression %.3f", c.Error[0][1], c.Error[1][1])
	}
	if math.Abs(c.Error[0][1]-c.Error[0][0]) > .05 {
		t.Errorf("naive Bayes does not converge: %.3f, then %.3f", c.Error[0][0], c.Error[0][1])
	}
	for _, r := range []struct {
		n, d int
		want prob.ModelChoice
	}{{201, 100, prob.ConditionalModel}, {99, 100, prob.GenerativeModel}, {150, 100, prob.EitherModel}} {
		if got := prob.GenerativeOrConditional(r.n, r.d); got != r.want {
			t.Errorf("%d examples of %d columns: got %v, want %v", r.n, r.d, got, r.want)
		}
	}
}

// E2-13: with the counts of the notes P(human|glasses) is 260/499.
func TestPROB27_Glasses(t *testing.T) {
	x, y, w := data.Rows([][]float64{{0}, {1}, {0}, {1}}), []int{1, 1, 0, 0}, []float64{1, 239, 500, 260}
	m := &prob.JointClassifier{}
	if err := m.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	p := m.PredictProba(data.Rows([][]float64{{1}}))
	mltest.NearAll(t, "human, dog", p.RawRowView(0), []float64{260.0 / 499, 239.0 / 499}, 1e-15)
	j, err := prob.NewJoint([]string{"dog", "glasses"}, []int{2, 2}, []float64{500, 260, 1, 239})
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "from the table", j.Given(map[string]int{"glasses": 1}).At(0), 260.0/499, 1e-15)
	// A row never seen gets the prior.
	mltest.NearAll(t, "unseen", m.PredictProba(data.Rows([][]float64{{5}})).RawRowView(0), []float64{.76, .24}, 1e-15)
	s := &prob.JointClassifier{Alpha: 10}
	if err := s.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "smoothed", s.PredictProba(data.Rows([][]float64{{1}})).At(0, 0), (260+7.6)/509, 1e-12)
}

// E2-14, E2-17 on words: one message by hand, then all messages.
func TestPROB28_Spam(t *testing.T) {
	// Spam: "win money", "win"; ham: "meet", "money meet", "lunch". Columns: win, money,
	// meet, lunch.
	x := data.Rows([][]float64{{1, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}})
	y := []int{1, 1, 0, 0, 0}
	m := &prob.BernoulliNB{}
	fit(t, m, x, y)
	// "money": present, the other three absent. θ = (count + 1)/(n + 2).
	spam := 2.0 / 5 * (1 - 3.0/4) * (2.0 / 4) * (1 - 1.0/4) * (1 - 1.0/4)
	ham := 3.0 / 5 * (1 - 1.0/5) * (2.0 / 5) * (1 - 3.0/5) * (1 - 2.0/5)
	mltest.Near(t, `P(spam|"money")`, m.PredictProba(data.Rows([][]float64{{0, 1, 0, 0}})).At(0, 1), spam/(spam+ham), 1e-12)

	set := data.Messages()
	v := &prep.Vocabulary{}
	if err := v.Learn(set.Texts); err != nil {
		t.Fatal(err)
	}
	words := v.Count(set.Texts)
	for _, m := range []model.Classifier{&prob.BernoulliNB{}, &prob.MultinomialNB{}, &prob.ComplementNB{}} {
		fit(t, m, words, set.Y)
		if acc := eval.Accuracy(set.Y, m.Predict(words)); acc < .95 {
			t.Errorf("%T: accuracy on the messages it learned from: %.3f", m, acc)
		}
	}
	b := &prob.BernoulliNB{}
	fit(t, b, words, set.Y)
	coef, _ := b.Linear()
	top, bottom := prob.TopWeights(coef.RawRowView(0), nil, 3)
	for k := range top {
		if top[k].Weight < 1 || bottom[k].Weight > -1 {
			t.Errorf("the words that decide have the weights %v and %v", top, bottom)
		}
	}
}

// PartialFit on parts has the same result as Fit on all examples.
func TestPartialFit(t *testing.T) {
	counts, class := counted()
	mixed := &model.Table{Dense: counts, Columns: []model.Column{{Kind: model.Nominal}, {}, {Kind: model.Ordinal}, {}}}
	type partial interface {
		model.ProbClassifier
		PartialFit(x mat.Matrix, y []int) error
	}
	for _, c := range []struct {
		make func() partial
		x    mat.Matrix
		part func(rows []int) mat.Matrix
	}{
		{func() partial { return &prob.BernoulliNB{Threshold: 2} }, counts, nil},
		{func() partial { return &prob.MultinomialNB{} }, counts, nil},
		{func() partial { return &prob.ComplementNB{} }, counts, nil},
		{func() partial { return &prob.GaussianNB{} }, counts, nil},
		{func() partial { return &prob.CategoricalNB{} }, counts, nil},
		{func() partial { return &prob.NaiveBayes{} }, mixed, func(rows []int) mat.Matrix {
			return &model.Table{Dense: chosen(counts, rows), Columns: mixed.Columns}
		}},
		{func() partial { return &prob.MultinomialNB{} }, sparse.FromDense(counts), func(rows []int) mat.Matrix {
			return sparse.FromDense(counts).Rows(rows)
		}},
	} {
		all, parts := c.make(), c.make()
		fit(t, all, c.x, class)
		// Classes 0 and 2 first, class 1 later.
		var first, second []int
		for i, k := range class {
			if i < 40 && k != 1 {
				first = append(first, i)
			} else {
				second = append(second, i)
			}
		}
		for _, rows := range [][]int{first, second} {
			var x mat.Matrix = chosen(counts, rows)
			if c.part != nil {
				x = c.part(rows)
			}
			y := make([]int, len(rows))
			for k, i := range rows {
				y[k] = class[i]
			}
			if err := parts.PartialFit(x, y); err != nil {
				t.Fatal(err)
			}
		}
		if !mat.EqualApprox(all.PredictProba(counts), parts.PredictProba(counts), 1e-9) {
			t.Errorf("%T: two parts give another model than all", all)
		}
		before := parts.PredictProba(counts)
		if err := parts.PartialFit(counts.Slice(0, 72, 0, 2), class); err == nil {
			t.Errorf("%T: fewer columns were accepted", all)
		}
		if !mat.Equal(before, parts.PredictProba(counts)) {
			t.Errorf("%T: an error changed the model", all)
		}
	}
}

func chosen(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		out.SetRow(k, x.RawRowView(i))
	}
	return out
}

// Missing values are left out of the counts and of the product.
func TestMissingValues(t *testing.T) {
	nan := math.NaN()
	x := &model.Table{
		Dense:   data.Rows([][]float64{{0, 1}, {0, nan}, {1, 2}, {1, 4}, {nan, 5}, {1, 6}}),
		Columns: []model.Column{{Name: "a", Kind: model.Nominal, Levels: []string{"x", "y"}}, {Name: "b"}},
	}
	y := []int{0, 0, 0, 1, 1, 1}
	m := &prob.NaiveBayes{}
	fit(t, m, x, y)
	mltest.NearAll(t, "table of class 0", exps(m.Features[0].LogProb.RawRowView(0)), []float64{3.0 / 5, 2.0 / 5}, 1e-12)
	mltest.NearAll(t, "table of class 1", exps(m.Features[0].LogProb.RawRowView(1)), []float64{1.0 / 4, 3.0 / 4}, 1e-12)
	mltest.NearAll(t, "means", m.Features[1].Means, []float64{1.5, 5}, 1e-12)
	p := m.PredictProba(data.Rows([][]float64{{nan, nan}, {0, nan}, {7, nan}}))
	mltest.NearAll(t, "nothing known", p.RawRowView(0), []float64{.5, .5}, 1e-12)
	mltest.NearAll(t, "one known", p.RawRowView(1), []float64{.6 / .85, .25 / .85}, 1e-12)
	mltest.NearAll(t, "a value never seen", p.RawRowView(2), []float64{.5, .5}, 1e-12)

	c := &prob.CategoricalNB{}
	fit(t, c, x.Dense.Slice(0, 6, 0, 1), y)
	mltest.NearAll(t, "CategoricalNB", exps(c.Features[0].LogProb.RawRowView(0)), []float64{3.0 / 5, 2.0 / 5}, 1e-12)
	for what, f := range map[string]func(){
		"Inf, CategoricalNB":     func() { c.Predict(data.Rows([][]float64{{math.Inf(1)}})) },
		"a fraction":             func() { c.Predict(data.Rows([][]float64{{.5}})) },
		"Inf, NaiveBayes":        func() { m.Predict(data.Rows([][]float64{{0, math.Inf(-1)}})) },
		"negative, Multinomial":  func() { fitted(&prob.MultinomialNB{}).Predict(data.Rows([][]float64{{-1, 0, 0, 0}})) },
		"sparse of other width":  func() { fitted(&prob.MultinomialNB{}).Predict(sparse.FromDense(data.Rows([][]float64{{1, 1}}))) },
		"not fitted, sample":     func() { (&prob.QDA{}).Sample(3, 1) },
		"not fitted, linear":     func() { (&prob.BernoulliNB{}).Linear() },
		"samples, negative":      func() { fitted(&prob.LDA{}).(*prob.LDA).Sample(0, 1) },
		"distribution, negative": func() { prob.Gaussian{Sigma: -1}.Prob(0) },
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
}

func fitted(m model.Classifier) model.Classifier {
	x, y := counted()
	if err := m.Fit(x, y); err != nil {
		panic(err)
	}
	return m
}

// Without smoothing, a row that no class allows gets the prior; with one class left it
// is certain.
func TestNoSmoothing(t *testing.T) {
	x, y := data.Rows([][]float64{{2, 0, 1}, {1, 0, 1}, {0, 3, 1}}), []int{0, 0, 1}
	for _, m := range []model.ProbClassifier{&prob.MultinomialNB{Alpha: model.Zero}, &prob.BernoulliNB{Alpha: model.Zero}} {
		fit(t, m, x, y)
		p := m.PredictProba(data.Rows([][]float64{{1, 1, 1}, {1, 0, 1}}))
		mltest.NearAll(t, fmt.Sprintf("%T, excluded by both", m), p.RawRowView(0), []float64{2.0 / 3, 1.0 / 3}, 1e-12)
		mltest.NearAll(t, fmt.Sprintf("%T, excluded by one", m), p.RawRowView(1), []float64{1, 0}, 0)
	}
}

// Invalid parameters are refused.
func TestRefused(t *testing.T) {
	x, y := counted()
	for what, m := range map[string]model.Classifier{
		"Alpha":               &prob.MultinomialNB{Alpha: -1},
		"Prior, length":       &prob.GaussianNB{Prior: []float64{1, 1}},
		"Prior, negative":     &prob.BernoulliNB{Prior: []float64{1, -1, 1}},
		"Prior, zero":         &prob.CategoricalNB{Prior: []float64{0, 0, 0}},
		"VarSmoothing":        &prob.GaussianNB{VarSmoothing: -1},
		"VarSmoothing, mixed": &prob.NaiveBayes{VarSmoothing: math.Inf(1)},
		"Shrinkage":           &prob.LDA{Shrinkage: 1.5},
		"Shrinkage twice":     &prob.QDA{Shrinkage: .5, LedoitWolf: true},
		"Components":          &prob.LDA{Components: 3},
		"Alpha of the table":  &prob.JointClassifier{Alpha: math.NaN()},
		"Threshold":           &prob.BernoulliNB{Threshold: math.NaN()},
	} {
		if _, ok := m.Fit(x, y).(*model.Error); !ok {
			t.Errorf("%s: no *model.Error", what)
		}
	}
	if _, ok := (&prob.BernoulliNB{Threshold: -1}).Fit(sparse.FromDense(x), y).(*model.Error); !ok {
		t.Error("a negative threshold of a sparse matrix: no *model.Error")
	}
	if _, ok := (&prob.LDA{}).Fit(mat.NewDense(4, 2, nil), []int{0, 0, 1, 1}).(*model.Error); !ok {
		t.Error("LDA of constant columns: no *model.Error")
	}
	if _, ok := (&prob.QDA{}).Fit(x.Slice(0, 4, 0, 4), y[:4]).(*model.Error); !ok {
		t.Error("QDA of classes of one example: no *model.Error")
	}
}

// A singular covariance gets a ridge, and the amount is reported.
func TestQDARidge(t *testing.T) {
	d := data.Iris()
	x := mat.NewDense(150, 5, nil)
	for i := range 150 {
		x.SetRow(i, append(slices.Clone(d.X.RawRowView(i)), d.X.At(i, 0)+d.X.At(i, 1)))
	}
	m := &prob.QDA{}
	fit(t, m, x, d.Y)
	for c, r := range m.Ridge {
		if !(r > 0) || r > 1e-6 {
			t.Errorf("class %d: a ridge of %v", c, r)
		}
	}
	if acc := eval.Accuracy(d.Y, m.Predict(x)); acc < .97 {
		t.Errorf("accuracy %.3f", acc)
	}
	fit(t, m, d.X, d.Y)
	mltest.NearAll(t, "no ridge", m.Ridge, []float64{0, 0, 0}, 0)
}

func ExampleCategoricalNB() {
	d := data.PlayTennis()
	m := &prob.CategoricalNB{Alpha: model.Zero}
	if err := m.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	// sunny, cool, high, strong
	fmt.Printf("%.3f\n", m.PredictProba(data.Rows([][]float64{{0, 2, 0, 1}})).RawRowView(0))
	// Output: [0.795 0.205]
}

func ExampleMultinomialNB() {
	texts, y := []string{"win money now", "win a prize", "lunch at noon", "see you at lunch"}, []int{1, 1, 0, 0}
	words := &prep.Vocabulary{}
	if err := words.Learn(texts); err != nil {
		fmt.Println(err)
		return
	}
	m := &prob.MultinomialNB{}
	if err := m.Fit(words.Count(texts), y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(words.Count([]string{"money prize", "noon lunch"})))
	// Output: [1 0]
}

func ExampleLDA() {
	d := data.Iris()
	m := &prob.LDA{Components: 1}
	if err := m.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	_, columns := m.Transform(d.X).Dims()
	fmt.Printf("%d column with %.1f%% of the variance between classes\n", columns, 100*m.Explained[0])
	// Output: 1 column with 99.1% of the variance between classes
}
