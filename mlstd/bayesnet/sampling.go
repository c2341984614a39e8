package bayesnet

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Sample draws complete rows, parents before children. Each column is a variable, and a value is
// the position of a state.
//
//	xᵢ ~ P(Xᵢ | the parents' states drawn before), in topological order
//
// Cost: O(n·variables). References: [Henrion1988]. Course: BN-21.
func (n *BayesNetwork) Sample(rows int, seed uint64) *model.Table {
	const op = "BayesNetwork.Sample"
	n.must(op)
	if rows < 1 {
		panic(model.Errorf(op, "rows must be at least 1, got %d", rows))
	}
	rng := model.Rand(seed, 0)
	x := mat.NewDense(rows, len(n.vars), nil)
	states := make([]int, len(n.vars))
	for r := range rows {
		row := x.RawRowView(r)
		for _, i := range n.order {
			states[i] = draw(rng, n.row(i, states))
			row[i] = float64(states[i])
		}
	}
	return &model.Table{Dense: x, Columns: n.columns()}
}

func (n *BayesNetwork) columns() []model.Column {
	c := make([]model.Column, len(n.Nodes))
	for i, v := range n.Nodes {
		c[i] = model.Column{Name: v.Name, Kind: model.Nominal, Levels: v.States}
	}
	return c
}

// draw returns a random state with its probability; if rounding leaves a remainder, the last
// possible state.
func draw(rng *rand.Rand, p []float64) int {
	u, last := rng.Float64(), 0
	for k, v := range p {
		if v > 0 {
			if u < v {
				return k
			}
			last = k
		}
		u -= v
	}
	return last
}

// SamplingMethod is a way to answer a query by sampling.
type SamplingMethod int

const (
	LikelihoodWeighting SamplingMethod = iota // evidence is fixed; its likelihood is the weight
	GibbsSampling                             // draws each variable given its Markov blanket
	RejectionSampling                         // discards samples that contradict the evidence
)

// String returns the name of the method.
func (m SamplingMethod) String() string {
	switch m {
	case GibbsSampling:
		return "Gibbs sampling"
	case RejectionSampling:
		return "rejection sampling"
	}
	return "likelihood weighting"
}

// SampledQuery is the distribution of one variable as estimated from samples.
type SampledQuery struct {
	Method    SamplingMethod
	Name      string
	States    []string
	P, StdErr []float64 // of each state
	Evidence  []string
	Drawn     int     // samples drawn
	Effective float64 // effective sample size
}

// Sampled estimates the distribution of one variable from n samples, with standard
// errors: alarm.Given("John", true).Sampled(ml.GibbsSampling, "Burglary", 10000, 1).
//
//	rejection:   P(q|e) ≈ the fraction of q among the samples that agree with e
//	likelihood:  P(q|e) ≈ Σ w·[q] / Σ w,  w = Π over evidence of P(eᵢ | parents)
//	Gibbs:       Xᵢ ~ P(Xᵢ | its Markov blanket) ∝ P(Xᵢ | parents)·Π over children
//
// Standard errors are computed for a proportion in rejection sampling, for a ratio in likelihood
// weighting, and from 20 batch means in Gibbs sampling, which discards the first tenth of its
// samples.
//
// Pitfalls: rejection sampling wastes most samples when the evidence is rare. Likelihood weights
// are uneven when the evidence variables are descendants of the query variable. Gibbs sampling
// cannot cross states of probability zero, so tables with zeros are an error unless all states are
// known to be reachable.
//
// References: [RussellNorvig2021] §13.4, [Geman1984], [FungChang1989]. Course: BN-03,
// BN-21.
func (e *BayesEvidence) Sampled(method SamplingMethod, name string, n int, seed uint64) *SampledQuery {
	const op = "BayesEvidence.Sampled"
	i := e.Net.find(op, name)
	e.Net.checkQuery(op, []int{i}, e.ev)
	if n < 100 {
		panic(model.Errorf(op, "the number of samples must be at least 100, got %d", n))
	}
	q := &SampledQuery{Method: method, Name: name, States: e.Net.Nodes[i].States, Evidence: e.Known(), Drawn: n,
		P: make([]float64, e.Net.vars[i].card), StdErr: make([]float64, e.Net.vars[i].card)}
	s := &sampler{net: e.Net, ev: e.ev, at: i, rng: model.Rand(seed, 0), states: slices.Clone(e.ev)}
	switch method {
	case LikelihoodWeighting:
		s.weighted(op, q)
	case GibbsSampling:
		s.gibbs(op, q)
	case RejectionSampling:
		s.rejection(op, q)
	default:
		panic(model.Errorf(op, "method must be one of the constants of ml.SamplingMethod, got %d", int(method)))
	}
	return q
}

type sampler struct {
	net    *BayesNetwork
	ev     []int
	at     int
	rng    *rand.Rand
	states []int
}

// forward draws all unobserved variables and returns the probability of the observed ones.
func (s *sampler) forward() float64 {
	w := 1.0
	for _, i := range s.net.order {
		p := s.net.row(i, s.states)
		if s.ev[i] >= 0 {
			w *= p[s.ev[i]]
			continue
		}
		s.states[i] = draw(s.rng, p)
	}
	return w
}

func (s *sampler) weighted(op string, q *SampledQuery) {
	sums, squares := make([]float64, len(q.P)), make([]float64, len(q.P))
	for range q.Drawn {
		w := s.forward()
		sums[s.states[s.at]] += w
		squares[s.states[s.at]] += w * w
	}
	total, all := 0.0, 0.0
	for k := range sums {
		total += sums[k]
		all += squares[k]
	}
	if total == 0 {
		panic(tooRare(op, q))
	}
	q.Effective = total * total / all
	for k := range sums {
		p := sums[k] / total
		q.P[k] = p
		q.StdErr[k] = math.Sqrt((1-p)*(1-p)*squares[k]+p*p*(all-squares[k])) / total
	}
}

func tooRare(op string, q *SampledQuery) *model.Error {
	return model.Errorf(op, "none of the %d samples agrees with the evidence", q.Drawn).
		WithHint("draw more samples, or use likelihood weighting or an exact query")
}

func (s *sampler) rejection(op string, q *SampledQuery) {
	counts, kept := make([]float64, len(q.P)), 0.0
	known := s.ev
	s.ev = slices.Repeat([]int{-1}, len(known))
	for range q.Drawn {
		s.forward()
		agrees := true
		for i, k := range known {
			if k >= 0 && s.states[i] != k {
				agrees = false
				break
			}
		}
		if agrees {
			counts[s.states[s.at]]++
			kept++
		}
	}
	if kept == 0 {
		panic(tooRare(op, q))
	}
	q.Effective = kept
	for k, c := range counts {
		q.P[k] = c / kept
		q.StdErr[k] = math.Sqrt(q.P[k] * (1 - q.P[k]) / kept)
	}
}

const gibbsBatches = 20

// mostReached is the maximum number of state combinations that are inspected to decide whether
// Gibbs sampling reaches all possible ones.
const mostReached = 1 << 16

// reachesAll reports whether single-variable changes lead from every possible combination to every
// other. They do if no table has a zero; otherwise reachesAll searches.
func (s *sampler) reachesAll() bool {
	zero := false
	var free []int
	size := 1
	for i, k := range s.ev {
		zero = zero || slices.Contains(s.net.family(i, s.ev).val, 0)
		if k < 0 {
			free = append(free, i)
			size = min(size*s.net.vars[i].card, mostReached+1)
		}
	}
	if !zero {
		return true
	}
	if size > mostReached {
		return false
	}
	states := slices.Clone(s.ev)
	possible := make([]bool, size)
	first := -1
	for at := range possible {
		for r, d := at, len(free)-1; d >= 0; d-- {
			card := s.net.vars[free[d]].card
			states[free[d]], r = r%card, r/card
		}
		if possible[at] = !math.IsInf(s.net.logProb(states), -1); possible[at] {
			first = at
		}
	}
	if first < 0 {
		return true // the evidence is impossible, which is reported elsewhere
	}
	queue := []int{first}
	possible[first] = false
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		step := 1
		for d := len(free) - 1; d >= 0; d-- {
			card := s.net.vars[free[d]].card
			for own, k := at/step%card, 0; k < card; k++ {
				if next := at + (k-own)*step; possible[next] {
					possible[next] = false
					queue = append(queue, next)
				}
			}
			step *= card
		}
	}
	return !slices.Contains(possible, true)
}

func (s *sampler) gibbs(op string, q *SampledQuery) {
	if !s.reachesAll() {
		panic(model.Errorf(op, "Gibbs sampling may not reach all states, because tables contain zeros").
			WithHint("use likelihood weighting or an exact query"))
	}
	start := 0
	for s.forward() == 0 {
		if start++; start == 10000 {
			panic(model.Errorf(op, "no starting state found that agrees with the evidence").WithHint("use likelihood weighting or an exact query"))
		}
	}
	var free []int
	children := make([][]int, len(s.ev))
	for i, k := range s.ev {
		if k < 0 {
			free = append(free, i)
			children[i] = s.net.children(i)
		}
	}
	p := make([]float64, 0, 16)
	burn := q.Drawn / 10
	kept := q.Drawn - burn
	batch := make([][]float64, gibbsBatches)
	for b := range batch {
		batch[b] = make([]float64, len(q.P))
	}
	sizes := make([]float64, gibbsBatches)
	for step := range q.Drawn {
		for _, i := range free {
			p = s.conditional(p[:0], i, children[i])
			s.states[i] = draw(s.rng, p)
			if i == s.at && step >= burn {
				// The conditional distribution has a lower variance than a draw from it.
				b := (step - burn) * gibbsBatches / kept
				for k, v := range p {
					batch[b][k] += v
				}
				sizes[b]++
			}
		}
	}
	for k := range q.P {
		mean, spread := 0.0, 0.0
		for b := range batch {
			mean += batch[b][k] / sizes[b] / gibbsBatches
		}
		for b := range batch {
			d := batch[b][k]/sizes[b] - mean
			spread += d * d
		}
		q.P[k] = mean
		q.StdErr[k] = math.Sqrt(spread / (gibbsBatches - 1) / gibbsBatches)
	}
	normalize(q.P)
	q.Effective = math.Inf(1)
	for k, p := range q.P {
		if q.StdErr[k] > 0 {
			q.Effective = min(q.Effective, p*(1-p)/(q.StdErr[k]*q.StdErr[k]))
		}
	}
	if math.IsInf(q.Effective, 1) {
		q.Effective = float64(kept)
	}
}

// conditional computes P(Xᵢ | Markov blanket).
func (s *sampler) conditional(p []float64, i int, children []int) []float64 {
	before := s.states[i]
	p = append(p, s.net.row(i, s.states)...)
	for k := range p {
		s.states[i] = k
		for _, c := range children {
			p[k] *= s.net.row(c, s.states)[s.states[c]]
		}
	}
	s.states[i] = before
	normalize(p)
	return p
}
