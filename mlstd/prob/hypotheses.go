package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// HypothesisSpace is a finite set of hypotheses, each of which returns the probability of every
// class for a row. It learns by Bayes' rule: instead of searching for one hypothesis, it computes
// the posterior probability of each.
//
// Course: PROB-14, PROB-17, PROB-18.
type HypothesisSpace struct {
	Classes int // classes are 0 to Classes−1; 0 means 2
	// Hypotheses return P(class|row) for each class. A hypothesis that is certain returns 1 for one
	// class and 0 for the others.
	Hypotheses []func(row []float64) []float64
	Prior      []float64 // of each hypothesis; nil means equal
}

// Certain makes a hypothesis from a function that returns the class of a row, one of k classes. A
// single contradicting example rules the hypothesis out.
//
// Course: PROB-14.
func Certain(k int, class func(row []float64) int) func(row []float64) []float64 {
	return func(row []float64) []float64 {
		p := make([]float64, k)
		if c := class(row); c >= 0 && c < k {
			p[c] = 1
		}
		return p
	}
}

// HypothesisPosterior holds the posterior probabilities of the hypotheses given the examples.
//
// Course: PROB-14.
type HypothesisPosterior struct {
	P             []float64 // probability of each hypothesis
	LogLikelihood []float64 // log P(D|h) of each
	LogEvidence   float64   // log P(D)

	prior []float64
	space *HypothesisSpace
}

func (s *HypothesisSpace) classes() int {
	if s.Classes == 0 {
		return 2
	}
	return s.Classes
}

func (s *HypothesisSpace) at(op string, h int, row []float64) []float64 {
	p := s.Hypotheses[h](row)
	if len(p) != s.classes() {
		panic(model.Errorf(op, "hypothesis %d must return %d probabilities (the number of classes), got %d", h, s.classes(), len(p)))
	}
	return p
}

// Posterior computes the probability of every hypothesis given the examples, by
// brute force.
//
//	P(h|D) ∝ P(h)·Πᵢ P(yᵢ|xᵢ, h)
//
// With certain hypotheses and a uniform prior, each consistent hypothesis has probability 1/|VS|,
// where VS is the version space, and all others have 0. Cost: O(|H|·n).
//
// References: [Mitchell1997] §6.3. Course: PROB-14.
func (s *HypothesisSpace) Posterior(x mat.Matrix, y []int) (*HypothesisPosterior, error) {
	const op = "HypothesisSpace.Posterior"
	if len(s.Hypotheses) == 0 {
		return nil, model.Errorf(op, "there must be at least one hypothesis")
	}
	prior := s.Prior
	if prior == nil {
		prior = ones(len(s.Hypotheses))
	}
	if len(prior) != len(s.Hypotheses) {
		return nil, model.Errorf(op, "Prior must have %d entries (the number of hypotheses), got %d", len(s.Hypotheses), len(prior))
	}
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	for i, c := range y {
		if c < 0 || c >= s.classes() {
			return nil, model.Errorf(op, "y[%d] must be between 0 and %d, got %d", i, s.classes()-1, c)
		}
	}
	post := &HypothesisPosterior{space: s, LogLikelihood: make([]float64, len(s.Hypotheses)), prior: floats.ScaleTo(make([]float64, len(prior)), 1/total(op, prior), prior)}
	for h := range s.Hypotheses {
		for i, c := range y {
			post.LogLikelihood[h] += math.Log(s.at(op, h, d.RawRowView(i))[c])
		}
	}
	if math.IsInf(floats.Max(post.LogLikelihood), -1) {
		return nil, model.Errorf(op, "at least one hypothesis must give the examples a positive probability").WithHint("let the hypotheses err with a small probability")
	}
	post.P, post.LogEvidence = Posterior(prior, post.LogLikelihood)
	return post, nil
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// MAP returns the most probable hypothesis; ties go to the first.
//
// Course: PROB-14.
func (p *HypothesisPosterior) MAP() int { return floats.MaxIdx(p.P) }

// ML returns the maximum likelihood hypothesis, which ignores the prior.
//
// Course: PROB-15.
func (p *HypothesisPosterior) ML() int { return floats.MaxIdx(p.LogLikelihood) }

// PredictProba averages the predictions of all hypotheses.
//
//	P(v|x, D) = Σₕ P(v|x, h)·P(h|D)
//
// Course: PROB-17.
func (p *HypothesisPosterior) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "HypothesisPosterior.PredictProba"
	_, c := x.Dims()
	d := model.MustRows(op, x, c)
	n, _ := d.Dims()
	out := mat.NewDense(n, p.space.classes(), nil)
	for i := range n {
		for h, w := range p.P {
			if w > 0 {
				floats.AddScaled(out.RawRowView(i), w, p.space.at(op, h, d.RawRowView(i)))
			}
		}
	}
	return out
}

// BayesOptimal returns the most probable class of each row: all hypotheses vote, weighted by their
// probabilities. No other method that uses the same hypotheses and prior has a smaller expected
// error. The class may differ from the prediction of the MAP hypothesis.
//
// References: [Mitchell1997] §6.7. Course: PROB-17.
func (p *HypothesisPosterior) BayesOptimal(x mat.Matrix) []int {
	return argmaxRows(p.PredictProba(x))
}

func argmaxRows(proba *mat.Dense) []int {
	n, _ := proba.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = floats.MaxIdx(proba.RawRowView(i))
	}
	return y
}

// Gibbs classifies each row with one hypothesis drawn from the posterior. If the targets are drawn
// from the prior, its expected error is at most twice the error of
// [HypothesisPosterior.BayesOptimal]. It evaluates only one hypothesis per row.
//
// References: [HausslerKearnsSchapire1994]. Course: PROB-18.
func (p *HypothesisPosterior) Gibbs(x mat.Matrix, seed uint64) []int {
	const op = "HypothesisPosterior.Gibbs"
	_, c := x.Dims()
	d := model.MustRows(op, x, c)
	n, _ := d.Dims()
	rng := model.Rand(seed, 0)
	sum := floats.Sum(p.P)
	y := make([]int, n)
	for i := range y {
		y[i] = floats.MaxIdx(p.space.at(op, drawOf(p.P, sum, rng), d.RawRowView(i)))
	}
	return y
}

// Description is the length, in bits, of a message that tells the classes of the examples to a
// receiver who knows the rows.
//
// Course: PROB-16.
type Description struct {
	Model float64 // the hypothesis: −log₂ P(h)
	Data  float64 // the classes with its help: −log₂ P(D|h)
}

// Total returns the sum of the lengths of both parts.
func (d Description) Total() float64 { return d.Model + d.Data }

// DescriptionLengths returns the length of the message for each hypothesis. The MAP hypothesis has
// the shortest message:
//
//	argmaxₕ P(D|h)·P(h) = argminₕ −log₂ P(D|h) − log₂ P(h)
//
// References: [Rissanen1978], [Mitchell1997] §6.6. Course: PROB-16.
func (p *HypothesisPosterior) DescriptionLengths() []Description {
	out := make([]Description, len(p.P))
	for h := range out {
		out[h] = Description{Model: CodeLength(p.prior[h]), Data: max(0, -p.LogLikelihood[h]/math.Ln2)}
	}
	return out
}
