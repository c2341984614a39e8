package latent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

func itoa(i int) string { return strconv.Itoa(i) }

// HMM is a hidden Markov model that emits one of a few symbols at each time. The state is hidden
// and changes at random from one time to the next; the symbol depends only on the state.
//
//	p(x, z) = π(z₁)·Πₜ A(zₜ₋₁, zₜ)·Πₜ B(zₜ, xₜ)
//
// It uses the given Start, Trans and Emit, or learns them from sequences of symbols by the
// Baum–Welch algorithm, which is expectation maximization:
//
//  1. E: the expected numbers of starts, transitions and symbols of each state, by
//     [ForwardBackward] on each sequence.
//  2. M: these numbers plus Alpha, normalized.
//
// The likelihood (with Alpha, the posterior density) never falls. Learning starts from the
// probabilities that are set, or from random probabilities drawn with Seed, because equal rows
// would stay equal forever. The order of learned states has no meaning.
//
// Cost: O(T·K²) per sequence of length T and iteration; memory O(T·K).
//
// References: [Rabiner1989], [BaumEtAl1970]. Course: LAT-05, LAT-06, LAT-07.
type HMM struct {
	model.Control

	States  []string // names; nil means K numbers
	Symbols []string // names; nil means numbers
	K       int      // number of states, when no other field determines it

	Start []float64   // of each state; nil means uniform. Learn sets it
	Trans [][]float64 // a row for each state that is left; Learn sets it
	Emit  [][]float64 // a row for each state, a column for each symbol; Learn sets it

	Alpha   float64 // added by Learn to each expected number; 0 means none
	MaxIter int     // of Learn; 0 means 100
	Tol     float64 // Learn stops when the log likelihood gains less; 0 means 1e-4, model.Zero continues to MaxIter
	Seed    uint64  // for the random start of Learn
	// Fixed lists the fields that Learn does not change: "start", "trans", "emit".
	Fixed []string

	LogLikelihood float64     // set by Learn: of all sequences
	Trace         model.Trace // set by Learn
}

// Decoding holds the inferences of a hidden Markov model about the states of one sequence.
type Decoding struct {
	States       []string    // names of the states
	Observations []string    // names of the symbols that were seen
	Proba        [][]float64 // of each state at each time
	Path         []int       // the most probable path if it was asked for
	// LogProb is the log probability of the symbols, together with the path if there is
	// one.
	LogProb float64
}

// PathNames returns the names of the states of the path.
func (d *Decoding) PathNames() []string {
	out := make([]string, len(d.Path))
	for t, s := range d.Path {
		out[t] = d.States[s]
	}
	return out
}

// String returns a line for each time.
func (d *Decoding) String() string {
	var b strings.Builder
	for t, p := range d.Proba {
		b.WriteString(d.Observations[t])
		for k, v := range p {
			fmt.Fprintf(&b, "  %s %.3f", d.States[k], v)
		}
		if d.Path != nil {
			b.WriteString("  → " + d.States[d.Path[t]])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// parts returns the checked parameters.
func (h *HMM) parts(op string) (*chain, [][]float64, error) {
	k := h.states()
	start := h.Start
	if start == nil && k > 0 {
		start = slices.Repeat([]float64{1 / float64(k)}, k)
	}
	c, err := newChain(op, start, h.Trans, k)
	if err != nil {
		return nil, nil, err
	}
	if len(h.Emit) != k || len(h.Emit[0]) == 0 {
		return nil, nil, model.Errorf(op, "Emit must have %d rows (the number of states), got %d", k, len(h.Emit)).WithHint("set Trans and Emit, or call Learn")
	}
	for i, row := range h.Emit {
		if err := checkDistribution(op, "row "+itoa(i)+" of Emit", row, h.symbols()); err != nil {
			return nil, nil, err
		}
	}
	return c, h.Emit, nil
}

func (h *HMM) mustBe(op string) (*chain, [][]float64) {
	c, emit, err := h.parts(op)
	if err != nil {
		panic(err)
	}
	return c, emit
}

// states returns the number of states that the set fields imply, or 0 if none is set.
func (h *HMM) states() int {
	switch {
	case h.States != nil:
		return len(h.States)
	case h.Trans != nil:
		return len(h.Trans)
	case h.Emit != nil:
		return len(h.Emit)
	case h.Start != nil:
		return len(h.Start)
	}
	return h.K
}

func (h *HMM) symbols() int {
	if h.Symbols != nil {
		return len(h.Symbols)
	}
	if len(h.Emit) > 0 {
		return len(h.Emit[0])
	}
	return 0
}

// StateNames returns the names of the states.
func (h *HMM) StateNames() []string { return names(h.States, h.states()) }

func names(given []string, n int) []string {
	if given != nil {
		return slices.Clone(given)
	}
	out := make([]string, n)
	for i := range out {
		out[i] = itoa(i)
	}
	return out
}

// Encode returns the index of each named symbol.
func (h *HMM) Encode(symbols ...string) []int {
	known := names(h.Symbols, h.symbols())
	out := make([]int, len(symbols))
	for t, s := range symbols {
		if out[t] = slices.Index(known, s); out[t] < 0 {
			panic(model.Errorf("HMM.Encode", "there is no symbol %q", s).WithHint("use one of %s", strings.Join(known, ", ")))
		}
	}
	return out
}

// emissions returns the log probabilities of the symbols of a sequence.
func emissions(op string, emit [][]float64, seq []int) (*mat.Dense, error) {
	if len(seq) == 0 {
		return nil, model.Errorf(op, "the sequence must not be empty")
	}
	k, s := len(emit), len(emit[0])
	logs := make([]float64, s*k)
	for i, row := range emit {
		for x, v := range row {
			logs[x*k+i] = math.Log(v)
		}
	}
	out := mat.NewDense(len(seq), k, nil)
	for t, x := range seq {
		if x < 0 || x >= s {
			return nil, model.Errorf(op, "the symbol at time %d must be between 0 and %d, got %d", t, s-1, x)
		}
		copy(out.RawRowView(t), logs[x*k:x*k+k])
	}
	return out, nil
}

// Posterior returns the probabilities of the states of a sequence of symbols.
func (h *HMM) Posterior(seq []int) *ChainPosterior {
	const op = "HMM.Posterior"
	c, emit := h.mustBe(op)
	b, err := emissions(op, emit, seq)
	if err != nil {
		panic(err)
	}
	w := newLattice(len(seq), c.k)
	if t := w.forward(c, b); t >= 0 {
		panic(impossible(op, t))
	}
	w.backward(c)
	return w.posterior()
}

// LogProb returns log p(x) of a sequence of symbols; it is −Inf for an impossible sequence.
func (h *HMM) LogProb(seq []int) float64 {
	const op = "HMM.LogProb"
	c, emit := h.mustBe(op)
	b, err := emissions(op, emit, seq)
	if err != nil {
		panic(err)
	}
	w := newLattice(len(seq), c.k)
	if w.forward(c, b) >= 0 {
		return math.Inf(-1)
	}
	return w.logLikelihood
}

// Path returns the most probable path of states for a sequence of symbols, and the joint log
// probability of path and symbols. See [ViterbiPath].
func (h *HMM) Path(seq []int) (states []int, logProb float64) {
	const op = "HMM.Path"
	c, emit := h.mustBe(op)
	b, err := emissions(op, emit, seq)
	if err != nil {
		panic(err)
	}
	states, logProb, t := c.viterbi(b)
	if t >= 0 {
		panic(impossible(op, t))
	}
	return states, logProb
}

// Filter returns the probabilities of the states at each time, given the symbols up to that time:
// rain.Filter("umbrella", "umbrella").
func (h *HMM) Filter(symbols ...string) *Decoding {
	p := h.Posterior(h.Encode(symbols...))
	return h.decoding(symbols, p.Filtered, p.LogLikelihood)
}

// Smooth returns the probabilities of the states at each time, given all symbols:
// rain.Smooth("umbrella", "umbrella", "none").
func (h *HMM) Smooth(symbols ...string) *Decoding {
	p := h.Posterior(h.Encode(symbols...))
	return h.decoding(symbols, p.Smoothed, p.LogLikelihood)
}

// Viterbi is Smooth, and also returns the most probable path.
func (h *HMM) Viterbi(symbols ...string) *Decoding {
	d := h.Smooth(symbols...)
	d.Path, d.LogProb = h.Path(h.Encode(symbols...))
	return d
}

func (h *HMM) decoding(symbols []string, p *mat.Dense, logProb float64) *Decoding {
	d := &Decoding{States: h.StateNames(), Observations: slices.Clone(symbols), LogProb: logProb}
	for t := range symbols {
		d.Proba = append(d.Proba, slices.Clone(p.RawRowView(t)))
	}
	return d
}

// Sample draws and returns a sequence of n symbols and its states.
func (h *HMM) Sample(n int, seed uint64) (symbols, states []int) {
	const op = "HMM.Sample"
	c, emit := h.mustBe(op)
	if n < 1 {
		panic(model.Errorf(op, "n must be at least 1, got %d", n))
	}
	rng := model.Rand(seed, 0)
	states = c.sample(n, rng)
	symbols = make([]int, n)
	for t, s := range states {
		symbols[t] = draw(emit[s], rng.Float64())
	}
	return symbols, states
}

func (c *chain) sample(n int, rng *rand.Rand) []int {
	states := make([]int, n)
	for t := range states {
		p := c.start
		if t > 0 {
			p = c.trans[states[t-1]*c.k : (states[t-1]+1)*c.k]
		}
		states[t] = draw(p, rng.Float64())
	}
	return states
}
