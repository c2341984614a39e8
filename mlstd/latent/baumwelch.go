package latent

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Learn fits Start, Trans and Emit to the sequences by maximum likelihood, with the Baum–Welch
// algorithm. It starts from the fields that are set; if unset, Start is uniform, and Trans and Emit
// are drawn at random.
//
// Course: LAT-07.
func (h *HMM) Learn(sequences [][]int) error {
	const op = "HMM.Learn"
	h.LogLikelihood, h.Trace = 0, model.Trace{}
	maxIter, err := model.Iterations(op, "MaxIter", h.MaxIter, 100)
	if err != nil {
		return err
	}
	alpha := model.Or(h.Alpha, 0)
	if err := limits.Check(op,
		limits.Penalty("Alpha", alpha),
		limits.NotNegative("Tol", h.Tol)); err != nil {
		return err
	}
	start, trans, emit, err := h.begin(op, sequences)
	if err != nil {
		return err
	}
	fixed, err := fixedParts(op, h.Fixed, "start", "trans", "emit")
	if err != nil {
		return err
	}
	w := &welch{op: op, maxIter: maxIter, tol: h.Tol, alpha: alpha, fixed: fixed, lengths: lengths(sequences), start: start, trans: trans}
	w.emissions = func(s int) (*mat.Dense, error) { return emissions(op, emit, sequences[s]) }
	k, symbols := len(emit), len(emit[0])
	w.size = k * symbols
	w.collect = func(s int, post []float64, to []float64) {
		for t, x := range sequences[s] {
			for i, p := range post[t*k : t*k+k] {
				to[i*symbols+x] += p
			}
		}
	}
	w.maximize = func(sums []float64) error {
		for i := range emit {
			if !fixed["emit"] {
				toShares(emit[i], sums[i*symbols:(i+1)*symbols], alpha)
			}
		}
		return nil
	}
	w.prior = func() float64 { return logOf(alpha, emit...) }
	run := h.Begin("HMM", maxIter)
	defer run.End()
	value, trace, err := w.run(run)
	if err != nil {
		return err
	}
	h.Start, h.Trans, h.Emit, h.LogLikelihood, h.Trace = w.start, w.trans, emit, value, trace
	return nil
}

// begin returns copies of the probabilities to start from.
func (h *HMM) begin(op string, sequences [][]int) (start []float64, trans, emit [][]float64, err error) {
	if len(sequences) == 0 {
		return nil, nil, nil, model.Errorf(op, "sequences must not be empty")
	}
	k, symbols := h.states(), h.symbols()
	for s, seq := range sequences {
		if len(seq) == 0 {
			return nil, nil, nil, model.Errorf(op, "sequence %d must not be empty", s)
		}
		if least, most := slices.Min(seq), slices.Max(seq); least < 0 || h.symbols() > 0 && most >= h.symbols() {
			return nil, nil, nil, model.Errorf(op, "the symbols of sequence %d must be between 0 and %d, got %d to %d", s, h.symbols()-1, least, most)
		}
		if h.symbols() == 0 {
			symbols = max(symbols, slices.Max(seq)+1)
		}
	}
	if k < 1 {
		return nil, nil, nil, model.Errorf(op, "the number of states must be at least 1, got %d", k).WithHint("set K or States")
	}
	start, trans = beginChain(h.Start, h.Trans, k, model.Rand(h.Seed, 0))
	emit = h.Emit
	if emit == nil {
		emit = drawRows(k, symbols, model.Rand(h.Seed, 1))
	}
	check := HMM{States: h.States, Symbols: h.Symbols, Start: start, Trans: trans, Emit: emit}
	if _, _, err := check.parts(op); err != nil {
		return nil, nil, nil, err
	}
	return slices.Clone(start), cloneRows(trans), cloneRows(emit), nil
}

// beginChain returns the start and transitions that are set, or draws them.
func beginChain(start []float64, trans [][]float64, k int, rng *rand.Rand) ([]float64, [][]float64) {
	if start == nil {
		start = slices.Repeat([]float64{1 / float64(k)}, k)
	}
	if trans == nil {
		trans = drawRows(k, k, rng)
	}
	return start, trans
}

// drawRows draws distributions close to uniform.
func drawRows(rows, cols int, rng *rand.Rand) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		row := make([]float64, cols)
		for j := range row {
			row[j] = 0.5 + rng.Float64()
		}
		sum := total(row)
		for j := range row {
			row[j] /= sum
		}
		out[i] = row
	}
	return out
}

func cloneRows(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, r := range rows {
		out[i] = slices.Clone(r)
	}
	return out
}

func lengths[T any](sequences [][]T) []int {
	out := make([]int, len(sequences))
	for s, seq := range sequences {
		out[s] = len(seq)
	}
	return out
}

func fixedParts(op string, given []string, known ...string) (map[string]bool, error) {
	fixed := make(map[string]bool)
	for _, f := range given {
		if !slices.Contains(known, f) {
			return nil, model.Errorf(op, "Fixed must name some of %v, got %q", known, f)
		}
		fixed[f] = true
	}
	return fixed, nil
}

// toShares sets p to sums plus alpha, normalized. A zero sum leaves p as it was.
func toShares(p, sums []float64, alpha float64) {
	whole := alpha * float64(len(p))
	for _, v := range sums {
		whole += v
	}
	if !(whole > 0) {
		return
	}
	for i, v := range sums {
		p[i] = (v + alpha) / whole
	}
}

// logOf returns alpha times the sum of the logarithms of all entries.
func logOf(alpha float64, rows ...[]float64) float64 {
	if alpha == 0 {
		return 0
	}
	sum := 0.0
	for _, row := range rows {
		for _, v := range row {
			sum += math.Log(v)
		}
	}
	return alpha * sum
}

// welch is the Baum–Welch algorithm without the parts that depend on the emissions.
type welch struct {
	op      string
	maxIter int
	tol     float64
	alpha   float64
	fixed   map[string]bool
	lengths []int
	start   []float64
	trans   [][]float64

	emissions func(s int) (*mat.Dense, error)                // log probabilities of sequence s
	size      int                                            // of the sums that collect computes
	collect   func(s int, posterior []float64, to []float64) // adds the sums of sequence s
	maximize  func(sums []float64) error                     // sets the emissions
	prior     func() float64                                 // of the emissions
}

// part is the contribution of one sequence.
type part struct {
	value          float64
	start, xi, sum []float64
	err            error
}

// run iterates. The sequences are added up in their order, whatever the number of processors.
func (w *welch) run(run *model.Run) (float64, model.Trace, error) {
	var trace model.Trace
	tol := model.Or(w.tol, 1e-4)
	value, sums, err := w.expect()
	if err != nil {
		return 0, trace, err
	}
	for iter := 1; iter <= w.maxIter; iter++ {
		if !w.fixed["start"] {
			toShares(w.start, sums.start, w.alpha)
		}
		k := len(w.start)
		for i, row := range w.trans {
			if !w.fixed["trans"] {
				toShares(row, sums.xi[i*k:i*k+k], w.alpha)
			}
		}
		if err := w.maximize(sums.sum); err != nil {
			return 0, trace, err
		}
		var next float64
		if next, sums, err = w.expect(); err != nil {
			return 0, trace, err
		}
		gain := next - value
		value = next
		trace.Loss, trace.Step = append(trace.Loss, -value), append(trace.Step, gain)
		if err := run.Step(iter, -value); err != nil {
			return 0, trace, err
		}
		if w.tol != model.Zero && math.Abs(gain) < tol {
			trace.Converged = true
			break
		}
	}
	return sums.value, trace, nil
}

// expect returns the objective and the sums of all sequences.
func (w *welch) expect() (float64, *part, error) {
	k := len(w.start)
	c, err := newChain(w.op, w.start, w.trans, k)
	if err != nil {
		return 0, nil, err
	}
	all := &part{start: make([]float64, k), xi: make([]float64, k*k), sum: make([]float64, w.size)}
	const together = 64
	for lo := 0; lo < len(w.lengths); lo += together {
		parts := make([]part, min(together, len(w.lengths)-lo))
		par.Range(len(parts), 1, func(a, b int) {
			for i := a; i < b; i++ {
				parts[i] = w.one(c, lo+i)
			}
		})
		for i := range parts {
			if parts[i].err != nil {
				return 0, nil, parts[i].err
			}
			all.value += parts[i].value
			add(all.start, parts[i].start)
			add(all.xi, parts[i].xi)
			add(all.sum, parts[i].sum)
		}
	}
	return all.value + logOf(w.alpha, w.start) + logOf(w.alpha, w.trans...) + w.prior(), all, nil
}

func (w *welch) one(c *chain, s int) (p part) {
	b, err := w.emissions(s)
	if err != nil {
		p.err = err
		return p
	}
	lat := newLattice(w.lengths[s], c.k)
	if t := lat.forward(c, b); t >= 0 {
		p.err = model.Errorf(w.op, "sequence %d: observation %d has probability 0 after the ones before it", s, t).
			WithHint("start from probabilities without zeros, or set Alpha")
		return p
	}
	lat.backward(c)
	for t := range lat.n { // α becomes the posterior
		to := lat.alpha[t*c.k : t*c.k+c.k]
		sum := 0.0
		for i := range to {
			to[i] *= lat.beta[t*c.k+i]
			sum += to[i]
		}
		for i := range to {
			to[i] /= sum
		}
	}
	p = part{value: lat.logLikelihood, start: lat.alpha[:c.k], xi: lat.xi, sum: make([]float64, w.size)}
	w.collect(s, lat.alpha, p.sum)
	return p
}
