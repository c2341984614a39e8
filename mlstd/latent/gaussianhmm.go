package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// GaussianHMM is a hidden Markov model that emits a row of numbers at each time. The row is drawn
// from the state's normal distribution or mixture of normal distributions.
//
//	p(x, z) = π(z₁)·Πₜ A(zₜ₋₁, zₜ)·Πₜ Σₘ c(zₜ, m)·N(xₜ; μ(zₜ, m), Σ(zₜ, m))
//
// It learns as [HMM] does; the M step of the emissions is the M step of [GaussianMixture], with the
// probabilities of state and component as responsibilities.
//
// As in a mixture, variances can vanish, so Ridge is added to each variance. If no emissions are
// set, learning starts from k-means on all rows.
//
// Cost: O(T·(K² + K·Mixture·d²)) per sequence of length T and iteration.
//
// References: [Rabiner1989], [BaumEtAl1970]. Course: LAT-05, LAT-06, LAT-07.
type GaussianHMM struct {
	model.Control

	States  []string // names; nil means K numbers
	K       int      // the number of states, when no other field determines it; 0 means 2
	Mixture int      // normal distributions of each state; 0 means 1

	Start []float64   // of each state; nil means uniform. Learn sets it
	Trans [][]float64 // a row for each state left; nil means random. Learn sets it
	Emit  []Normals   // of each state; nil means from k-means. Learn sets it

	Alpha   float64 // added by Learn to each expected number of starts and transitions; 0 means none
	MaxIter int     // of Learn; 0 means 100
	Tol     float64 // Learn stops when the log likelihood gains less; 0 means 1e-4, model.Zero continues to MaxIter
	Ridge   float64 // added to each variance; 0 means 1e-6, model.Zero none
	// DiagonalOnly makes covariances diagonal.
	DiagonalOnly bool
	Seed         uint64   // for the random starts of Learn
	Fixed        []string // what Learn keeps fixed: "start", "trans", "emit"

	LogLikelihood float64     // set by Learn: of all sequences
	Trace         model.Trace // set by Learn

	model.Fitted // set by Learn: the columns that it was given
}

// Normals is the mixture of normal distributions of one state.
type Normals struct {
	Weights     []float64    // nil means all alike
	Means       *mat.Dense   // one row per component
	Covariances []*mat.Dense // one d x d matrix per component
}

// states returns the number of states.
func (h *GaussianHMM) states() int {
	switch {
	case h.States != nil:
		return len(h.States)
	case h.Emit != nil:
		return len(h.Emit)
	case h.Trans != nil:
		return len(h.Trans)
	case h.Start != nil:
		return len(h.Start)
	case h.K == 0:
		return 2
	}
	return h.K
}

// StateNames returns the names of the states.
func (h *GaussianHMM) StateNames() []string { return names(h.States, h.states()) }

// stacked holds the components of all states one after the other.
type stacked struct {
	normals
	first []int // of each state, and the end
}

// stack checks the emissions and puts them together.
func stack(op string, emit []Normals, k, cols int) (*stacked, error) {
	if len(emit) != k {
		return nil, model.Errorf(op, "Emit must have %d entries (the number of states), got %d", k, len(emit)).WithHint("set Emit, or call Learn")
	}
	s := &stacked{normals: normals{op: op, form: FullCovariance}, first: []int{0}}
	var means []float64
	for i, e := range emit {
		if e.Means == nil || e.Means.IsEmpty() {
			return nil, model.Errorf(op, "state %d must have means", i)
		}
		m, d := e.Means.Dims()
		if cols == 0 {
			cols = d
		}
		if d != cols || len(e.Covariances) != m {
			return nil, model.Errorf(op, "state %[1]d must have means of %[3]d columns and %[5]d covariances, got %[2]d and %[4]d", i, d, cols, len(e.Covariances), m)
		}
		w := e.Weights
		if w == nil {
			w = slices.Repeat([]float64{1 / float64(m)}, m)
		}
		if err := checkDistribution(op, "Weights of state "+itoa(i), w, m); err != nil {
			return nil, err
		}
		for c, cov := range e.Covariances {
			if cov == nil || cov.IsEmpty() {
				return nil, model.Errorf(op, "state %d must have a covariance at index %d", i, c)
			}
			if r, wide := cov.Dims(); r != d || wide != d || !mat.EqualApprox(cov, cov.T(), 1e-9) {
				return nil, model.Errorf(op, "covariance %d of state %d must be symmetric and %dx%d, got %dx%d", c, i, d, d, r, wide)
			}
			s.cov = append(s.cov, mat.DenseCopyOf(cov))
		}
		s.weights = append(s.weights, w...)
		means = append(means, mat.DenseCopyOf(e.Means).RawMatrix().Data...)
		s.first = append(s.first, len(s.weights))
	}
	s.means = mat.NewDense(len(s.weights), cols, means)
	return s, s.factor()
}

// logs returns the log probabilities of the rows by state. If parts is not nil, logs writes the log
// probabilities by component into it.
func (s *stacked) logs(x *mat.Dense, parts **mat.Dense) *mat.Dense {
	g := s.normals
	g.x, g.joint, g.spare = x, nil, nil
	all := g.LogJoint()
	if parts != nil {
		*parts = all
	}
	n, _ := x.Dims()
	k := len(s.first) - 1
	if len(s.weights) == k {
		return all
	}
	out := mat.NewDense(n, k, nil)
	for t := range n {
		row, to := all.RawRowView(t), out.RawRowView(t)
		for i := range to {
			to[i] = logSum(row[s.first[i]:s.first[i+1]])
		}
	}
	return out
}

func (h *GaussianHMM) prepare(op string, x mat.Matrix) (*chain, *mat.Dense) {
	k := h.states()
	if h.Emit == nil || h.Trans == nil {
		panic(model.Errorf(op, "Trans and Emit must be set").WithHint("set them, or call Learn first"))
	}
	start, trans := beginChain(h.Start, h.Trans, k, nil)
	c, err := newChain(op, start, trans, k)
	if err != nil {
		panic(err)
	}
	s, err := stack(op, h.Emit, k, 0)
	if err != nil {
		panic(err)
	}
	_, d := s.means.Dims()
	dense := model.MustRows(op, model.MustRead(op, &h.Fitted, x), d)
	return c, s.logs(dense, nil)
}

// Posterior returns the probabilities of the states of a sequence, with one row per time.
func (h *GaussianHMM) Posterior(x mat.Matrix) *ChainPosterior {
	const op = "GaussianHMM.Posterior"
	c, b := h.prepare(op, x)
	n, _ := b.Dims()
	w := newLattice(n, c.k)
	if t := w.forward(c, b); t >= 0 {
		panic(impossible(op, t))
	}
	w.backward(c)
	return w.posterior()
}

// LogProb returns log p(x) of a sequence.
func (h *GaussianHMM) LogProb(x mat.Matrix) float64 {
	c, b := h.prepare("GaussianHMM.LogProb", x)
	n, _ := b.Dims()
	w := newLattice(n, c.k)
	if w.forward(c, b) >= 0 {
		return math.Inf(-1)
	}
	return w.logLikelihood
}

// Path returns the most probable path of states for a sequence, and the joint log density of path
// and sequence. See [ViterbiPath].
func (h *GaussianHMM) Path(x mat.Matrix) (states []int, logProb float64) {
	const op = "GaussianHMM.Path"
	c, b := h.prepare(op, x)
	states, logProb, t := c.viterbi(b)
	if t >= 0 {
		panic(impossible(op, t))
	}
	return states, logProb
}

// Sample draws and returns a sequence of n rows and its states.
func (h *GaussianHMM) Sample(n int, seed uint64) (x *mat.Dense, states []int) {
	const op = "GaussianHMM.Sample"
	if n < 1 {
		panic(model.Errorf(op, "n must be at least 1, got %d", n))
	}
	if len(h.Emit) == 0 || h.Emit[0].Means == nil || h.Emit[0].Means.IsEmpty() {
		panic(model.Errorf(op, "Emit must be set").WithHint("set it, or call Learn first"))
	}
	_, d := h.Emit[0].Means.Dims()
	c, _ := h.prepare(op, mat.NewDense(1, d, nil))
	s, err := stack(op, h.Emit, c.k, d)
	if err != nil {
		panic(err)
	}
	rng := model.Rand(seed, 0)
	states = c.sample(n, rng)
	roots := make([]*mat.Dense, len(s.cov))
	for m, cov := range s.cov {
		roots[m] = rootOf(op, mat.DenseCopyOf(cov))
	}
	x, z := mat.NewDense(n, d, nil), make([]float64, d)
	for t, i := range states {
		m := s.first[i] + draw(s.weights[s.first[i]:s.first[i+1]], rng.Float64())
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		drawNormal(x.RawRowView(t), s.means.RawRowView(m), roots[m], z)
	}
	return x, states
}

// Learn fits Start, Trans and Emit to the sequences by maximum likelihood. A sequence has one row
// per time. It starts from the fields that are set.
//
// Course: LAT-07.
func (h *GaussianHMM) Learn(sequences ...mat.Matrix) error {
	const op = "GaussianHMM.Learn"
	h.LogLikelihood, h.Trace = 0, model.Trace{}
	w, ridge, err := h.settings(op)
	if err != nil {
		return err
	}
	if len(sequences) > 0 {
		model.NoteX(&h.Fitted, sequences[0])
	}
	xs, err := checkSequences(op, &h.Fitted, sequences)
	if err != nil {
		return err
	}
	_, d := xs[0].Dims()
	k := h.states()
	if k < 1 || h.Mixture < 0 {
		return model.Errorf(op, "K and Mixture must be at least 1, got %d and %d", k, h.Mixture)
	}
	run := h.Begin("GaussianHMM", w.maxIter)
	defer run.End()
	emit := h.Emit
	if emit == nil {
		if emit, err = h.startEmissions(op, xs, k, max(h.Mixture, 1), ridge, run); err != nil {
			return err
		}
	}
	s, err := stack(op, emit, k, d)
	if err != nil {
		return err
	}
	start, trans := beginChain(h.Start, h.Trans, k, model.Rand(h.Seed, 0))
	w.start, w.trans = slices.Clone(start), cloneRows(trans)
	for _, x := range xs {
		n, _ := x.Dims()
		w.lengths = append(w.lengths, n)
	}
	h.connect(w, s, xs, d, ridge)
	value, trace, err := w.run(run)
	if err != nil {
		return err
	}
	h.Start, h.Trans, h.Emit, h.LogLikelihood, h.Trace = w.start, w.trans, s.split(), value, trace
	return nil
}

func (h *GaussianHMM) settings(op string) (*welch, float64, error) {
	maxIter, err := model.Iterations(op, "MaxIter", h.MaxIter, 100)
	if err != nil {
		return nil, 0, err
	}
	alpha, ridge := model.Or(h.Alpha, 0), model.Or(h.Ridge, 1e-6)
	if err := limits.Check(op,
		limits.Penalty("Alpha", alpha),
		limits.Penalty("Ridge", ridge),
		limits.NotNegative("Tol", h.Tol)); err != nil {
		return nil, 0, err
	}
	fixed, err := fixedParts(op, h.Fixed, "start", "trans", "emit")
	return &welch{op: op, maxIter: maxIter, tol: h.Tol, alpha: alpha, fixed: fixed, prior: func() float64 { return 0 }}, ridge, err
}

func checkSequences(op string, columns *model.Fitted, sequences []mat.Matrix) ([]*mat.Dense, error) {
	if len(sequences) == 0 {
		return nil, model.Errorf(op, "sequences must not be empty")
	}
	var xs []*mat.Dense
	for i, seq := range sequences {
		seq, err := model.Read(op, columns, seq)
		if err != nil {
			return nil, err
		}
		x, err := model.CheckX(op, seq)
		if err != nil {
			return nil, err
		}
		if _, d := x.Dims(); i > 0 {
			if _, first := xs[0].Dims(); d != first {
				return nil, model.Errorf(op, "sequence %d must have %d columns, as the first has, got %d", i, first, d)
			}
		}
		xs = append(xs, x)
	}
	return xs, nil
}

// startEmissions sets the emissions of each state to a cluster of all rows, or to a mixture fitted
// to it.
func (h *GaussianHMM) startEmissions(op string, xs []*mat.Dense, k, mixture int, ridge float64, run *model.Run) ([]Normals, error) {
	var data []float64
	n := 0
	_, d := xs[0].Dims()
	for _, x := range xs {
		data = append(data, x.RawMatrix().Data...)
		r, _ := x.Dims()
		n += r
	}
	all := mat.NewDense(n, d, data)
	if n < k*mixture {
		return nil, model.Errorf(op, "the sequences must have at least %d rows (%d states of %d components), got %d", k*mixture, k, mixture, n)
	}
	means := cluster.KMeans{K: k, Seed: h.Seed, Starts: 3}
	means.Context, means.OnStep = run.Context(), func(model.Step) {}
	labels, err := means.FitPredict(all)
	if err != nil {
		return nil, err
	}
	emit := make([]Normals, k)
	for i := range emit {
		var rows []float64
		for r, l := range labels {
			if l == i {
				rows = append(rows, all.RawRowView(r)...)
			}
		}
		if len(rows) < mixture*d {
			return nil, model.Errorf(op, "state %d would start with too few rows: %d", i, len(rows)/d).WithHint("set fewer states or a smaller Mixture, or Emit")
		}
		g := GaussianMixture{K: mixture, MaxIter: 1, Seed: h.Seed, Ridge: max(ridge, model.Zero)}
		g.Context, g.OnStep = run.Context(), func(model.Step) {}
		if err := g.Fit(mat.NewDense(len(rows)/d, d, rows)); err != nil {
			return nil, err
		}
		emit[i] = Normals{g.Weights, g.Means, g.Covariances}
		h.flatten(emit[i].Covariances)
	}
	return emit, nil
}

// flatten makes covariances diagonal if DiagonalOnly is set.
func (h *GaussianHMM) flatten(cov []*mat.Dense) {
	if !h.DiagonalOnly {
		return
	}
	for _, c := range cov {
		d, _ := c.Dims()
		for i := range d {
			for j := range d {
				if i != j {
					c.Set(i, j, 0)
				}
			}
		}
	}
}

// connect sets the emissions of w to s.
func (h *GaussianHMM) connect(w *welch, s *stacked, xs []*mat.Dense, d int, ridge float64) {
	m := len(s.weights)
	parts := make([]*mat.Dense, len(xs))
	w.emissions = func(i int) (*mat.Dense, error) { return s.logs(xs[i], &parts[i]), nil }
	w.size = m * (1 + d + d*d)
	w.collect = func(i int, post, to []float64) {
		n, _ := xs[i].Dims()
		k := len(s.first) - 1
		q := mat.NewDense(n, m, nil)
		for t := range n {
			row, logs := q.RawRowView(t), parts[i].RawRowView(t)
			for c := range k {
				group := row[s.first[c]:s.first[c+1]]
				copy(group, logs[s.first[c]:s.first[c+1]])
				share(group)
				for u := range group {
					if group[u] *= post[t*k+c]; math.IsNaN(group[u]) { // the state is impossible here
						group[u] = 0
					}
				}
			}
		}
		parts[i] = nil
		g := s.normals
		g.x = xs[i]
		g.addSquares(&sums{to[:m], to[m : m+m*d], to[m+m*d:]}, q, 0, n)
	}
	w.maximize = func(all []float64) error {
		if w.fixed["emit"] {
			return nil
		}
		s.ridge = ridge
		s.set(&sums{all[:m], all[m : m+m*d], all[m+m*d:]}, d)
		h.flatten(s.cov)
		return s.factor()
	}
}

// set runs the M step for the components of each state.
func (s *stacked) set(all *sums, d int) {
	for i := range len(s.first) - 1 {
		lo, hi := s.first[i], s.first[i+1]
		if nk := total(all.count[lo:hi]); nk > 1e-12 {
			for c := lo; c < hi; c++ {
				s.weights[c] = all.count[c] / nk
			}
		}
	}
	for c, nk := range all.count {
		if nk <= 1e-12 { // without rows: unchanged
			continue
		}
		mean, shift, second := s.means.RawRowView(c), all.first[c*d:c*d+d], all.second[c*d*d:(c+1)*d*d]
		for j := range shift {
			shift[j] /= nk
			mean[j] += shift[j]
		}
		for a := range d {
			for b := a; b < d; b++ {
				second[a*d+b] -= nk * shift[a] * shift[b]
			}
		}
		s.setCovariance(s.cov[c], second, nk)
	}
}

// split returns the components by state.
func (s *stacked) split() []Normals {
	_, d := s.means.Dims()
	var out []Normals
	for i := range len(s.first) - 1 {
		lo, hi := s.first[i], s.first[i+1]
		out = append(out, Normals{
			Weights:     slices.Clone(s.weights[lo:hi]),
			Means:       mat.DenseCopyOf(s.means.Slice(lo, hi, 0, d)),
			Covariances: s.cov[lo:hi:hi],
		})
	}
	return out
}
