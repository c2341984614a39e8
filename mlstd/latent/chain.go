package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ChainPosterior is the result of the forward-backward algorithm for a hidden Markov chain.
type ChainPosterior struct {
	Filtered      *mat.Dense // p(zₜ | x₁ … xₜ), a row for each time
	Smoothed      *mat.Dense // p(zₜ | all of x)
	Transitions   *mat.Dense // Σₜ p(zₜ = i, zₜ₊₁ = j | all of x)
	LogLikelihood float64    // log p(x)
}

// ForwardBackward computes the posterior of a hidden Markov chain. It takes the start
// probabilities, the transition probabilities (row i has the transitions out of state i) and the
// log probabilities of the observations, with one row per time and one column per state:
//
//	α₁(j) = π(j)·p(x₁|j),  αₜ(j) = Σᵢ αₜ₋₁(i)·A(i, j)·p(xₜ|j)
//	β_T(i) = 1,            βₜ(i) = Σⱼ A(i, j)·p(xₜ₊₁|j)·βₜ₊₁(j)
//	p(zₜ = i | x) ∝ αₜ(i)·βₜ(i)
//
// Each αₜ and βₜ is divided by the sum of αₜ, so no value underflows, however long the sequence is.
// The logarithms of these sums add up to the log likelihood. [ForwardBackwardLogs] computes with
// logarithms instead.
//
// Cost: O(T·K²); memory O(T·K).
//
// References: [Rabiner1989], [RussellNorvig2010] §15.2. Course: LAT-05.
func ForwardBackward(start []float64, transitions [][]float64, logEmissions *mat.Dense) *ChainPosterior {
	c := mustChain("ForwardBackward", start, transitions, logEmissions)
	n, k := logEmissions.Dims()
	w := newLattice(n, k)
	if t := w.forward(c, logEmissions); t >= 0 {
		panic(impossible("ForwardBackward", t))
	}
	w.backward(c)
	return w.posterior()
}

// ForwardBackwardLogs is [ForwardBackward] with sums of logarithms instead of scaling: slower, with
// the same result up to rounding.
//
// Course: LAT-05.
func ForwardBackwardLogs(start []float64, transitions [][]float64, logEmissions *mat.Dense) *ChainPosterior {
	c := mustChain("ForwardBackwardLogs", start, transitions, logEmissions)
	n, k := logEmissions.Dims()
	alpha, beta, buf := mat.NewDense(n, k, nil), mat.NewDense(n, k, nil), make([]float64, k)
	logA := make([]float64, k*k)
	for i, v := range c.trans {
		logA[i] = math.Log(v)
	}
	for t := range n {
		for j := range k {
			v := math.Log(c.start[j])
			if t > 0 {
				for i := range k {
					buf[i] = alpha.At(t-1, i) + logA[i*k+j]
				}
				v = logSum(buf)
			}
			alpha.Set(t, j, v+logEmissions.At(t, j))
		}
	}
	for t := n - 2; t >= 0; t-- {
		for i := range k {
			for j := range k {
				buf[j] = logA[i*k+j] + logEmissions.At(t+1, j) + beta.At(t+1, j)
			}
			beta.Set(t, i, logSum(buf))
		}
	}
	out := &ChainPosterior{mat.NewDense(n, k, nil), mat.NewDense(n, k, nil), mat.NewDense(k, k, nil), logSum(alpha.RawRowView(n - 1))}
	if math.IsInf(out.LogLikelihood, -1) {
		panic(model.Errorf("ForwardBackwardLogs", "the observations have probability 0"))
	}
	for t := range n {
		norm := logSum(alpha.RawRowView(t))
		for i := range k {
			out.Filtered.Set(t, i, math.Exp(alpha.At(t, i)-norm))
			out.Smoothed.Set(t, i, math.Exp(alpha.At(t, i)+beta.At(t, i)-out.LogLikelihood))
			for j := range k {
				if t+1 < n {
					p := alpha.At(t, i) + logA[i*k+j] + logEmissions.At(t+1, j) + beta.At(t+1, j) - out.LogLikelihood
					out.Transitions.Set(i, j, out.Transitions.At(i, j)+math.Exp(p))
				}
			}
		}
	}
	return out
}

// logSum returns log Σ exp v.
func logSum(v []float64) float64 {
	most := v[0]
	for _, u := range v {
		most = max(most, u)
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, u := range v {
		sum += math.Exp(u - most)
	}
	return most + math.Log(sum)
}

// ViterbiPath returns the most probable sequence of states of a hidden Markov chain, and the
// logarithm of the joint probability of this sequence and the observations. The arguments are the
// same as for [ForwardBackward].
//
//	δ₁(j) = log π(j)·p(x₁|j),  δₜ(j) = maxᵢ (δₜ₋₁(i) + log A(i, j)) + log p(xₜ|j)
//
// The most probable sequence need not contain the most probable state at each time, and the
// sequence of these states may be impossible. Ties go to the state with the lower index.
//
// Cost: O(T·K²); memory O(T·K).
//
// References: [Viterbi1967], [Rabiner1989]. Course: LAT-06.
func ViterbiPath(start []float64, transitions [][]float64, logEmissions *mat.Dense) (path []int, logProb float64) {
	c := mustChain("ViterbiPath", start, transitions, logEmissions)
	path, logProb, t := c.viterbi(logEmissions)
	if t >= 0 {
		panic(impossible("ViterbiPath", t))
	}
	return path, logProb
}

func impossible(op string, t int) error {
	return model.Errorf(op, "observation %d has probability 0 in every state, given the ones before it", t)
}

// chain is the start and the transitions, row after row.
type chain struct {
	k            int
	start, trans []float64
}

func mustChain(op string, start []float64, transitions [][]float64, emissions *mat.Dense) *chain {
	c, err := newChain(op, start, transitions, len(start))
	if err != nil {
		panic(err)
	}
	if emissions == nil || emissions.IsEmpty() {
		panic(model.Errorf(op, "observations must not be empty"))
	}
	if _, k := emissions.Dims(); k != c.k {
		panic(model.Errorf(op, "emissions must have %d states (the number of start probabilities), got %d", c.k, k))
	}
	return c
}

func newChain(op string, start []float64, transitions [][]float64, k int) (*chain, error) {
	if k == 0 {
		return nil, model.Errorf(op, "there must be at least one state")
	}
	if err := checkDistribution(op, "Start", start, k); err != nil {
		return nil, err
	}
	if len(transitions) != k {
		return nil, model.Errorf(op, "Trans must have %d rows (the number of states), got %d", k, len(transitions))
	}
	c := &chain{k: k, start: start, trans: make([]float64, 0, k*k)}
	for i, row := range transitions {
		if err := checkDistribution(op, "row "+itoa(i)+" of Trans", row, k); err != nil {
			return nil, err
		}
		c.trans = append(c.trans, row...)
	}
	return c, nil
}

// lattice is the working memory of the scaled algorithm.
type lattice struct {
	n, k               int
	alpha, beta, b, xi []float64
	norm               []float64
	logLikelihood      float64
}

func newLattice(n, k int) *lattice {
	return &lattice{n: n, k: k, alpha: make([]float64, n*k), beta: make([]float64, n*k), b: make([]float64, n*k), xi: make([]float64, k*k), norm: make([]float64, n)}
}

// forward computes α, and the probabilities b of the observations, divided by the largest at each
// time. It returns the time whose observation is impossible, or −1.
func (w *lattice) forward(c *chain, emissions *mat.Dense) int {
	k := w.k
	w.logLikelihood = 0
	for t := range w.n {
		row, b, alpha := emissions.RawRowView(t), w.b[t*k:t*k+k], w.alpha[t*k:t*k+k]
		most := row[0]
		for _, v := range row[1:] {
			most = max(most, v)
		}
		if math.IsInf(most, -1) || math.IsNaN(most) {
			return t
		}
		if t == 0 {
			copy(alpha, c.start)
		} else {
			clear(alpha)
			for i, a := range w.alpha[(t-1)*k : t*k] {
				if a != 0 {
					for j, p := range c.trans[i*k : i*k+k] {
						alpha[j] += a * p
					}
				}
			}
		}
		sum := 0.0
		for j, v := range row {
			b[j] = math.Exp(v - most)
			alpha[j] *= b[j]
			sum += alpha[j]
		}
		if !(sum > 0) {
			return t
		}
		for j := range alpha {
			alpha[j] /= sum
		}
		w.norm[t] = sum
		w.logLikelihood += math.Log(sum) + most
	}
	return -1
}

// backward computes β, and the expected number of each transition.
func (w *lattice) backward(c *chain) {
	k := w.k
	clear(w.xi)
	last := w.beta[(w.n-1)*k:]
	for i := range last {
		last[i] = 1
	}
	next := make([]float64, k)
	for t := w.n - 2; t >= 0; t-- {
		for j := range next {
			next[j] = w.b[(t+1)*k+j] * w.beta[(t+1)*k+j] / w.norm[t+1]
		}
		for i := range k {
			a, sum := w.alpha[t*k+i], 0.0
			xi := w.xi[i*k : i*k+k]
			for j, p := range c.trans[i*k : i*k+k] {
				v := p * next[j]
				sum += v
				xi[j] += a * v
			}
			w.beta[t*k+i] = sum
		}
	}
}

// smoothed returns the posterior of time t in to.
func (w *lattice) smoothed(t int, to []float64) {
	sum := 0.0
	for i := range to {
		to[i] = w.alpha[t*w.k+i] * w.beta[t*w.k+i]
		sum += to[i]
	}
	for i := range to {
		to[i] /= sum
	}
}

func (w *lattice) posterior() *ChainPosterior {
	out := &ChainPosterior{mat.NewDense(w.n, w.k, w.alpha), mat.NewDense(w.n, w.k, nil), mat.NewDense(w.k, w.k, w.xi), w.logLikelihood}
	for t := range w.n {
		w.smoothed(t, out.Smoothed.RawRowView(t))
	}
	return out
}

// viterbi returns the best path, its log probability, and −1 or the impossible time.
func (c *chain) viterbi(emissions *mat.Dense) (path []int, logProb float64, bad int) {
	n, k := emissions.Dims()
	logA := make([]float64, k*k) // by the state that is entered
	for i := range k {
		for j := range k {
			logA[j*k+i] = math.Log(c.trans[i*k+j])
		}
	}
	delta, next, from := make([]float64, k), make([]float64, k), make([]int32, n*k)
	for t := range n {
		row := emissions.RawRowView(t)
		possible := false
		for j := range k {
			best, at := math.Log(c.start[j]), 0
			if t > 0 {
				best = math.Inf(-1)
				for i, a := range logA[j*k : j*k+k] {
					if v := delta[i] + a; v > best {
						best, at = v, i
					}
				}
			}
			next[j], from[t*k+j] = best+row[j], int32(at)
			possible = possible || next[j] > math.Inf(-1)
		}
		if !possible {
			return nil, math.Inf(-1), t
		}
		delta, next = next, delta
	}
	path = make([]int, n)
	for j, v := range delta {
		if v > delta[path[n-1]] {
			path[n-1] = j
		}
	}
	for t := n - 1; t > 0; t-- {
		path[t-1] = int(from[t*k+path[t]])
	}
	return path, delta[path[n-1]], -1
}
