package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// BernoulliMixture describes rows of bits as draws from K sources, each of which has its own
// probability of a 1 in every column.
//
//	p(x) = Σₖ πₖ·Πⱼ θₖⱼ^xⱼ·(1 − θₖⱼ)^(1−xⱼ)
//
// The E step computes the responsibilities r, and the M step the fractions: nₖ ← Σᵢ rᵢₖ, πₖ ← nₖ/n,
// θₖⱼ ← (Σᵢ rᵢₖ·xᵢⱼ + α)/(nₖ + 2α). With α, the log likelihood plus α·Σ log θ(1 − θ) never falls.
//
// Values above ½ count as 1. Fitting starts at rows chosen by k-means++ and moved halfway to the
// mean; use several Starts.
//
// Cost: O(n·K·d) per iteration.
//
// References: [DempsterLairdRubin1977], [Bishop2006] §9.3.3. Course: LAT-01, LAT-03.
type BernoulliMixture struct {
	model.Control

	// K is the number of components; 0 means 2. More components fit the data more
	// closely and may overfit.
	K int
	// Alpha is the smoothing, added to every count; 0 means none. A larger value pulls the
	// estimates toward a uniform distribution.
	Alpha float64
	// Starts is the number of starts; 0 means 1. Fit keeps the result with the highest likelihood.
	// More starts are less likely to end in a poor local maximum.
	Starts int
	// MaxIter is the maximum number of EM iterations from each start; 0 means 100.
	MaxIter int
	// Tol is the threshold for stopping: fitting stops when the mean log likelihood increases by
	// less than Tol. 0 means 1e-6; with model.Zero, fitting runs all MaxIter iterations. A larger
	// value stops earlier.
	Tol  float64
	Seed uint64 // of the starts

	InitTheta *mat.Dense // the θ to start from, with equal weights; nil means rows

	Weights       []float64   // set by Fit: π
	Theta         *mat.Dense  // set by Fit: θ, one row per component
	Labels        []int       // set by Fit: the most probable component of each row
	LogLikelihood float64     // set by Fit: of all rows, with the log prior
	Trace         model.Trace // set by Fit: of the best start

	model.Fitted // set by Fit: the columns that it was given
}

// MultinomialMixture describes rows of counts, such as word counts of documents, as draws from K
// sources: each document has one source, from which its words are drawn.
//
//	p(x) ∝ Σₖ πₖ·Πⱼ θₖⱼ^xⱼ
//
// The E step computes the responsibilities r, and the M step the fractions: πₖ ← Σᵢ rᵢₖ/n, θₖⱼ ←
// (Σᵢ rᵢₖ·xᵢⱼ + α)/Σⱼ(Σᵢ rᵢₖ·xᵢⱼ + α). The multinomial coefficient, which does not depend on the
// parameters, is left out of the likelihood. With α, the log likelihood plus α·Σ log θ never falls.
//
// Fitting starts at rows chosen by k-means++ and moved halfway to the mean. Long documents lead to
// nearly hard responsibilities and many local maxima, so use several Starts.
//
// Cost: O(n·K·d) per iteration.
//
// References: [DempsterLairdRubin1977], [NigamEtAl2000]. Course: LAT-01, LAT-03.
type MultinomialMixture struct {
	model.Control

	// K is the number of components; 0 means 2. More components fit the data more
	// closely and may overfit.
	K int
	// Alpha is the smoothing, added to every count; 0 means none. A larger value pulls the
	// estimates toward a uniform distribution.
	Alpha float64
	// Starts is the number of starts; 0 means 1. Fit keeps the result with the highest likelihood.
	// More starts are less likely to end in a poor local maximum.
	Starts int
	// MaxIter is the maximum number of EM iterations from each start; 0 means 100.
	MaxIter int
	// Tol is the threshold for stopping: fitting stops when the mean log likelihood increases by
	// less than Tol. 0 means 1e-6; with model.Zero, fitting runs all MaxIter iterations. A larger
	// value stops earlier.
	Tol  float64
	Seed uint64 // of the starts

	InitTheta *mat.Dense // the θ to start from, with equal weights; nil means rows

	Weights       []float64   // set by Fit: π
	Theta         *mat.Dense  // set by Fit: θ, one row per component
	Labels        []int       // set by Fit: the most probable component of each row
	LogLikelihood float64     // set by Fit: of all rows, with the log prior, without the coefficients
	Trace         model.Trace // set by Fit: of the best start

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.Clusterer = (*BernoulliMixture)(nil)
	_ model.Clusterer = (*MultinomialMixture)(nil)
)

// discrete is a mixture of bits or of counts as [EM] sees it.
type discrete struct {
	x       *mat.Dense
	words   bool
	alpha   float64
	weights []float64
	theta   *mat.Dense
	joint   *mat.Dense
	spare   *mat.Dense
}

// LogJoint returns log πₖ + log p(xᵢ|k).
func (m *discrete) LogJoint() *mat.Dense {
	n, _ := m.x.Dims()
	k, d := m.theta.Dims()
	m.joint, m.spare = m.spare, m.joint
	if m.joint == nil {
		m.joint = mat.NewDense(n, k, nil)
	}
	yes, no := make([]float64, k*d), make([]float64, k*d)
	for i, v := range m.theta.RawMatrix().Data {
		yes[i], no[i] = math.Log(v), math.Log1p(-v)
	}
	par.Range(n, 128, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, out := m.x.RawRowView(i), m.joint.RawRowView(i)
			for c := range out {
				out[c] = math.Log(m.weights[c]) + m.logProbability(row, yes[c*d:c*d+d], no[c*d:c*d+d])
			}
		}
	})
	return m.joint
}

func (m *discrete) logProbability(row, yes, no []float64) float64 {
	sum := 0.0
	if m.words {
		for j, v := range row {
			if v != 0 {
				sum += v * yes[j]
			}
		}
		return sum
	}
	for j, v := range row {
		if v > 0.5 {
			sum += yes[j]
		} else {
			sum += no[j]
		}
	}
	return sum
}

// LogPrior returns the logarithm of the prior up to a constant.
func (m *discrete) LogPrior() float64 {
	if m.alpha == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range m.theta.RawMatrix().Data {
		sum += math.Log(v)
		if !m.words {
			sum += math.Log1p(-v)
		}
	}
	return m.alpha * sum
}

// Maximize sets the parameters to the expected fractions.
func (m *discrete) Maximize(q *mat.Dense) error {
	n, d := m.x.Dims()
	k := len(m.weights)
	count, _ := stripes(n)
	ns, parts := make([][]float64, count), make([][]float64, count)
	inStripes(n, func(s, lo, hi int) {
		ns[s], parts[s] = make([]float64, k), make([]float64, k*d)
		for i := lo; i < hi; i++ {
			row := m.x.RawRowView(i)
			for c, r := range q.RawRowView(i) {
				if r < tiny {
					continue
				}
				ns[s][c] += r
				to := parts[s][c*d : c*d+d]
				if m.words {
					for j, v := range row {
						to[j] += r * v
					}
					continue
				}
				for j, v := range row {
					if v > 0.5 {
						to[j] += r
					}
				}
			}
		}
	})
	for s := 1; s < count; s++ {
		add(ns[0], ns[s])
		add(parts[0], parts[s])
	}
	all := total(ns[0])
	for c, nk := range ns[0] {
		m.weights[c] = nk / all
		to, from := m.theta.RawRowView(c), parts[0][c*d:c*d+d]
		whole := nk + 2*m.alpha
		if m.words {
			whole = total(from) + m.alpha*float64(d)
		}
		if whole <= 1e-12 { // no rows: unchanged
			continue
		}
		for j, v := range from {
			to[j] = min((v+m.alpha)/whole, 1)
		}
	}
	return nil
}

// discreteParams are the parameters of both mixtures.
type discreteParams struct {
	op                 string
	k, starts, maxIter int
	alpha, tol         float64
	seed               uint64
	init               *mat.Dense
	words              bool
}

// discreteFit is the result of fitting either mixture.
type discreteFit struct {
	model *discrete
	value float64
	q     *mat.Dense
	trace model.Trace
}

func fitDiscrete(c *model.Control, name string, x mat.Matrix, p discreteParams) (*discreteFit, error) {
	d, err := checkDiscrete(p.op, x, p.words)
	if err != nil {
		return nil, err
	}
	n, cols := d.Dims()
	if p.k, err = model.Iterations(p.op, "K", p.k, 2); err != nil {
		return nil, err
	}
	if p.init != nil {
		k, wide := p.init.Dims()
		if wide != cols {
			return nil, model.Errorf(p.op, "InitTheta must have %d columns, as x has, got %d", cols, wide)
		}
		for _, v := range p.init.RawMatrix().Data {
			if !(v >= 0 && v <= 1) {
				return nil, model.Errorf(p.op, "InitTheta must contain probabilities, got %v", v)
			}
		}
		p.k, p.starts = k, 1
	}
	if p.k > n {
		return nil, model.Errorf(p.op, "K must be between 1 and %d (the number of rows), got %d", n, p.k)
	}
	if p.starts, err = model.Iterations(p.op, "Starts", p.starts, 1); err != nil {
		return nil, err
	}
	if p.maxIter, err = model.Iterations(p.op, "MaxIter", p.maxIter, 100); err != nil {
		return nil, err
	}
	p.alpha = model.Or(p.alpha, 0)
	if err := limits.Check(p.op, limits.Penalty("Alpha", p.alpha), limits.NotNegative("Tol", p.tol)); err != nil {
		return nil, err
	}
	run := c.Begin(name, p.starts*p.maxIter)
	defer run.End()
	var best *discreteFit
	done := 0
	for s := range p.starts {
		m := startDiscrete(d, p, p.seed+uint64(s))
		em := EM{Tol: p.tol}
		err := em.climb(p.op, m, p.maxIter, func(_ int, loss float64) error {
			done++
			return run.Step(done, loss)
		})
		if err != nil {
			return nil, err
		}
		if v := em.LogLikelihood[len(em.LogLikelihood)-1]; best == nil || v > best.value {
			best = &discreteFit{m, v, em.Q, em.Trace}
		}
	}
	return best, nil
}

func checkDiscrete(op string, x mat.Matrix, words bool) (*mat.Dense, error) {
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	if err := magnitude.Check(op, d); err != nil || !words {
		return d, err
	}
	_, cols := d.Dims()
	for i, v := range d.RawMatrix().Data {
		if v < 0 {
			return nil, model.Errorf(op, "row %d must have counts, none of them negative, got %v", i/cols, v)
		}
	}
	return d, nil
}

// startDiscrete returns components that lie between rows drawn by k-means++ and the
// mean of all.
func startDiscrete(d *mat.Dense, p discreteParams, seed uint64) *discrete {
	_, cols := d.Dims()
	m := &discrete{x: d, words: p.words, alpha: p.alpha, theta: mat.NewDense(p.k, cols, nil), weights: make([]float64, p.k)}
	for c := range m.weights {
		m.weights[c] = 1 / float64(p.k)
	}
	if p.init != nil {
		m.theta.Copy(p.init)
		return m
	}
	rows := cluster.PlusPlus(d, p.k, 1, seed)
	all := sharesOf(d, nil, p.words)
	for c := range p.k {
		own := sharesOf(d, rows[c%len(rows):c%len(rows)+1], p.words)
		for j := range own {
			own[j] = (own[j] + all[j]) / 2
		}
		m.theta.SetRow(c, own)
	}
	return m
}

// sharesOf returns the fraction of each column in some rows, or in all for nil: the fraction of
// ones, or of words. The fractions are kept away from 0 and 1.
func sharesOf(d *mat.Dense, rows []int, words bool) []float64 {
	n, cols := d.Dims()
	sum, whole := make([]float64, cols), 0.0
	each := func(i int) {
		for j, v := range d.RawRowView(i) {
			if words {
				sum[j] += v
				whole += v
			} else if v > 0.5 {
				sum[j]++
			}
		}
		if !words {
			whole++
		}
	}
	if rows == nil {
		for i := range n {
			each(i)
		}
	} else {
		for _, i := range rows {
			each(i)
		}
	}
	for j := range sum {
		if words {
			sum[j] = (sum[j] + 1/float64(cols)) / (whole + 1)
		} else {
			sum[j] = (sum[j] + 0.5) / (whole + 1)
		}
	}
	return sum
}

// Fit finds the components.
func (m *BernoulliMixture) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.Weights, m.Theta, m.Labels, m.LogLikelihood, m.Trace = nil, nil, nil, 0, model.Trace{}
	f, err := fitDiscrete(&m.Control, "BernoulliMixture", x, discreteParams{
		op: "BernoulliMixture.Fit", k: m.K, starts: m.Starts, maxIter: m.MaxIter, alpha: m.Alpha, tol: m.Tol, seed: m.Seed, init: m.InitTheta})
	if err != nil {
		return err
	}
	m.Weights, m.Theta, m.Labels, m.LogLikelihood, m.Trace = f.model.weights, f.model.theta, argmax(f.q), f.value, f.trace
	return nil
}

// FitPredict fits the model to x and returns Labels, numbered from 0 without gaps.
func (m *BernoulliMixture) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return tidy(m.Labels), nil
}

// Fit finds the components.
func (m *MultinomialMixture) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.Weights, m.Theta, m.Labels, m.LogLikelihood, m.Trace = nil, nil, nil, 0, model.Trace{}
	f, err := fitDiscrete(&m.Control, "MultinomialMixture", x, discreteParams{
		op: "MultinomialMixture.Fit", k: m.K, starts: m.Starts, maxIter: m.MaxIter, alpha: m.Alpha, tol: m.Tol, seed: m.Seed, init: m.InitTheta, words: true})
	if err != nil {
		return err
	}
	m.Weights, m.Theta, m.Labels, m.LogLikelihood, m.Trace = f.model.weights, f.model.theta, argmax(f.q), f.value, f.trace
	return nil
}

// FitPredict fits the model to x and returns Labels, numbered from 0 without gaps.
func (m *MultinomialMixture) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return tidy(m.Labels), nil
}

// responsibilities returns the posterior of each row and its log likelihood. A row that is
// impossible under every component gets the weights as its posterior.
func responsibilities(op string, x mat.Matrix, theta *mat.Dense, weights []float64, words bool) (*mat.Dense, []float64) {
	if theta == nil {
		panic(model.NotFitted(op))
	}
	_, cols := theta.Dims()
	d := model.MustRows(op, x, cols)
	if _, err := checkDiscrete(op, d, words); err != nil {
		panic(err)
	}
	q := (&discrete{x: d, words: words, weights: weights, theta: theta}).LogJoint()
	logs := posterior(q)
	for i, v := range logs {
		if math.IsInf(v, -1) {
			q.SetRow(i, weights)
		}
	}
	return q, logs
}

// PredictProba returns the responsibilities, with one row per row of x.
func (m *BernoulliMixture) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("BernoulliMixture.PredictProba", &m.Fitted, x)
	q, _ := responsibilities("BernoulliMixture.PredictProba", x, m.Theta, m.Weights, false)
	return q
}

// Predict returns the most probable component of each row.
func (m *BernoulliMixture) Predict(x mat.Matrix) []int {
	x = model.MustRead("BernoulliMixture.Predict", &m.Fitted, x)
	q, _ := responsibilities("BernoulliMixture.Predict", x, m.Theta, m.Weights, false)
	return argmax(q)
}

// Score returns the mean log likelihood of the rows.
func (m *BernoulliMixture) Score(x mat.Matrix) float64 {
	x = model.MustRead("BernoulliMixture.Score", &m.Fitted, x)
	_, logs := responsibilities("BernoulliMixture.Score", x, m.Theta, m.Weights, false)
	return total(logs) / float64(len(logs))
}

// PredictProba returns the responsibilities, with one row per row of x.
func (m *MultinomialMixture) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MultinomialMixture.PredictProba", &m.Fitted, x)
	q, _ := responsibilities("MultinomialMixture.PredictProba", x, m.Theta, m.Weights, true)
	return q
}

// Predict returns the most probable component of each row.
func (m *MultinomialMixture) Predict(x mat.Matrix) []int {
	x = model.MustRead("MultinomialMixture.Predict", &m.Fitted, x)
	q, _ := responsibilities("MultinomialMixture.Predict", x, m.Theta, m.Weights, true)
	return argmax(q)
}

// Score returns the mean log likelihood of the rows, without the multinomial coefficients.
func (m *MultinomialMixture) Score(x mat.Matrix) float64 {
	x = model.MustRead("MultinomialMixture.Score", &m.Fitted, x)
	_, logs := responsibilities("MultinomialMixture.Score", x, m.Theta, m.Weights, true)
	return total(logs) / float64(len(logs))
}
