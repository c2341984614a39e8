package latent

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// CovarianceForm is the constraint on the covariances of normal components.
type CovarianceForm int

const (
	FullCovariance      CovarianceForm = iota // each component has its own matrix
	TiedCovariance                            // all components share one matrix
	DiagonalCovariance                        // each has one variance per column
	SphericalCovariance                       // each has one variance
)

// String returns the name of the form.
func (f CovarianceForm) String() string {
	switch f {
	case FullCovariance:
		return "full"
	case TiedCovariance:
		return "tied"
	case DiagonalCovariance:
		return "diagonal"
	case SphericalCovariance:
		return "spherical"
	}
	return "unknown"
}

// GaussianMixture describes rows as draws from K normal distributions, which Fit estimates by
// expectation maximization.
//
//	p(x) = Σₖ πₖ·N(x; μₖ, Σₖ)
//
// Each iteration:
//
//  1. E: rᵢₖ ← πₖ·N(xᵢ; μₖ, Σₖ) / p(xᵢ), the responsibilities.
//  2. M: nₖ ← Σᵢ rᵢₖ, πₖ ← nₖ/n, μₖ ← Σᵢ rᵢₖ·xᵢ/nₖ,
//     Σₖ ← Σᵢ rᵢₖ·(xᵢ − μₖ)(xᵢ − μₖ)ᵀ/nₖ, in the given Form, and Ridge on its diagonal.
//
// The likelihood has no finite maximum: a component on a single row, with a variance that goes to
// 0, raises it without limit. Ridge, which is added to all variances, prevents this; it is in
// squared units of x. With a Ridge, the likelihood may fall slightly. A component that has lost all
// its rows keeps its mean and covariance, with weight 0 (Empty counts such components). The order
// of the components has no meaning. Components can collapse in one start, so use several Starts:
// they begin in different ways, and the best result is kept. [GaussianMixture.BIC] helps to choose
// K.
//
// Cost: O(n·K·d²) per iteration for full and tied covariances, O(n·K·d) otherwise; memory for n·K
// responsibilities.
//
// References: [DempsterLairdRubin1977], [Bishop2006] §9.2, [Schwarz1978].
// Course: LAT-03, LAT-04.
type GaussianMixture struct {
	model.Control

	// K is the number of components; 0 means 1. More components fit the data more
	// closely and may overfit.
	K int
	// Form is the form of the covariances; the default is FullCovariance.
	Form CovarianceForm
	// Starts is the number of starts; 0 means 1. Fit keeps the result with the highest likelihood.
	// The first start is from k-means; the other starts alternate between rows far apart, random
	// rows and k-means. More starts are less likely to end in a poor local maximum.
	Starts int
	// MaxIter is the maximum number of EM iterations from each start; 0 means 100.
	MaxIter int
	// Tol is the threshold for stopping: fitting stops when the mean log likelihood increases by
	// less than Tol. 0 means 1e-3; with model.Zero, fitting runs all MaxIter iterations. A larger
	// value stops earlier.
	Tol float64
	// Ridge is added to each variance, so that no component collapses to a point; 0
	// means 1e-6, model.Zero means none.
	Ridge float64
	Hard  bool   // assign each row only to its most probable component
	Seed  uint64 // of the starts

	// InitMeans, if not nil, holds the initial means, one per row; Starts and Seed are then
	// ignored.
	InitMeans *mat.Dense
	// InitWeights holds the initial weights for InitMeans; nil means equal weights.
	InitWeights []float64
	// InitCovariances holds the initial covariances for InitMeans, in the form of Covariances; nil
	// means the covariance of all rows.
	InitCovariances []*mat.Dense

	Weights []float64  // set by Fit: π
	Means   *mat.Dense // set by Fit: one row per component
	// Covariances holds, depending on Form, K d x d matrices, one d x d matrix, one K x d matrix of
	// variances, or one K x 1 matrix of variances; set by Fit. See [GaussianMixture.Covariance].
	Covariances   []*mat.Dense
	Labels        []int       // set by Fit: the most probable component of each row
	LogLikelihood float64     // set by Fit: of all rows
	Scores        []float64   // set by Fit: the log likelihood that each start reached
	Empty         int         // set by Fit: components without rows
	Trace         model.Trace // set by Fit: the negative log likelihood, which never rises
	// Steps holds the parameters before the first iteration of the best start and after each of its
	// iterations, if there are at most 64 parameters; set by Fit.
	Steps []MixtureStep

	model.Fitted // set by Fit: the columns that it was given
}

// MixtureStep is a mixture after an iteration.
type MixtureStep struct {
	LogLikelihood float64
	Weights       []float64
	Means         *mat.Dense
	Covariances   []*mat.Dense // K of d x d, whatever the form
}

var _ model.Clusterer = (*GaussianMixture)(nil)

type mixtureParams struct {
	k, starts, maxIter int
	tol, ridge         float64
}

// Fit finds the components.
func (m *GaussianMixture) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.reset()
	const op = "GaussianMixture.Fit"
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	p, err := m.params(op, d)
	if err != nil {
		return err
	}
	run := m.Begin("GaussianMixture", p.starts*p.maxIter)
	defer run.End()
	best := math.Inf(-1)
	var scores []float64
	var kept *normals
	var failed error
	done := 0
	for s := range p.starts {
		g := &normals{op: op, x: d, form: m.Form, ridge: p.ridge}
		if err := m.begin(g, p.k, s, run); err != nil {
			if run.Err() != nil || p.starts == 1 {
				return err
			}
			failed = err
			scores = append(scores, math.Inf(-1))
			continue
		}
		var steps []MixtureStep
		if g.small() {
			steps = append(steps, g.step(0))
		}
		em, stopped := EM{Tol: p.tol, Hard: m.Hard}, false
		err := em.climb(op, g, p.maxIter, func(_ int, loss float64) error {
			done++
			if g.small() {
				steps = append(steps, g.step(-loss))
			}
			err := run.Step(done, loss)
			stopped = err != nil
			return err
		})
		if err != nil {
			if stopped || p.starts == 1 {
				return err
			}
			failed = err
			scores = append(scores, math.Inf(-1)) // collapsed; another start may succeed
			continue
		}
		final := em.LogLikelihood[len(em.LogLikelihood)-1]
		scores = append(scores, final)
		if final > best {
			best, kept = final, g
			m.Trace, m.LogLikelihood, m.Labels = em.Trace, final, argmax(em.Q)
			if m.Steps = steps; g.small() {
				steps[0].LogLikelihood = em.LogLikelihood[0]
			}
		}
	}
	if kept == nil {
		m.reset()
		return failed
	}
	m.Scores, m.Weights, m.Means, m.Covariances, m.Empty = scores, kept.weights, kept.means, kept.cov, kept.empty
	return nil
}

func (m *GaussianMixture) reset() {
	m.Weights, m.Means, m.Covariances, m.Labels, m.Scores, m.Steps = nil, nil, nil, nil, nil, nil
	m.LogLikelihood, m.Empty, m.Trace = 0, 0, model.Trace{}
}

func (m *GaussianMixture) params(op string, d *mat.Dense) (p mixtureParams, err error) {
	n, cols := d.Dims()
	if p.k, err = model.Iterations(op, "K", m.K, 1); err != nil {
		return p, err
	}
	if m.InitMeans != nil {
		k, c := m.InitMeans.Dims()
		if c != cols || m.K != 0 && m.K != k {
			return p, model.Errorf(op, "InitMeans must have a row per component and a column per column of x, got %dx%d for %d columns and K = %d", k, c, cols, m.K)
		}
		if _, err := model.CheckX(op, m.InitMeans); err != nil {
			return p, model.Errorf(op, "InitMeans must have finite values")
		}
		p.k = k
	} else if m.InitWeights != nil || m.InitCovariances != nil {
		return p, model.Errorf(op, "InitMeans must be set if InitWeights or InitCovariances is")
	}
	if p.k > n {
		return p, model.Errorf(op, "K must be between 1 and %d (the number of rows), got %d", n, p.k)
	}
	if m.Form < FullCovariance || m.Form > SphericalCovariance {
		return p, model.Errorf(op, "Form must be one of the constants of ml.CovarianceForm, got %d", m.Form)
	}
	if p.starts, err = model.Iterations(op, "Starts", m.Starts, 1); err != nil {
		return p, err
	}
	if m.InitMeans != nil {
		p.starts = 1
	}
	if p.maxIter, err = model.Iterations(op, "MaxIter", m.MaxIter, 100); err != nil {
		return p, err
	}
	if p.tol = m.Tol; p.tol == 0 {
		p.tol = 1e-3
	}
	if !(p.tol >= 0) {
		return p, model.Errorf(op, "Tol must not be negative, got %v", m.Tol)
	}
	if p.ridge = model.Or(m.Ridge, 1e-6); !(p.ridge >= 0) || math.IsInf(p.ridge, 1) {
		return p, model.Errorf(op, "Ridge must not be negative (0 means 1e-6, model.Zero means none), got %v", m.Ridge)
	}
	for _, v := range d.RawMatrix().Data {
		if math.Abs(v) > 1e150 {
			return p, model.Errorf(op, "the squares of x must be finite, got the value %.3g", v).WithHint("scale the columns first")
		}
	}
	return p, nil
}

// begin sets the parameters of g at a start.
func (m *GaussianMixture) begin(g *normals, k, start int, run *model.Run) error {
	g.allocate(k)
	if m.InitMeans != nil {
		return m.beginGiven(g, k)
	}
	seed := m.Seed + uint64(start)
	switch start % 3 {
	case 0:
		return beginClusters(g, cluster.KMeans{K: k, Seed: seed}, run)
	case 1: // the rows nearest to each of k that lie far apart
		return beginClusters(g, cluster.KMeans{K: k, MaxIter: 1, Seed: seed}, run)
	}
	n, _ := g.x.Dims()
	for c, row := range model.Rand(seed, 0).Perm(n)[:k] {
		g.means.SetRow(c, g.x.RawRowView(row))
	}
	return g.overall()
}

// beginClusters begins with the clusters that k-means finds.
func beginClusters(g *normals, start cluster.KMeans, run *model.Run) error {
	start.Context = run.Context()
	start.OnStep = func(model.Step) {}
	labels, err := start.FitPredict(g.x)
	if err != nil {
		return err
	}
	n, _ := g.x.Dims()
	k, _ := g.means.Dims()
	q := mat.NewDense(n, k, nil)
	for i, l := range labels {
		q.Set(i, l, 1)
	}
	found, _ := start.Centers.Dims()
	for c := range k { // fewer distinct rows than K leave components without rows
		g.means.SetRow(c, start.Centers.RawRowView(min(c, found-1)))
	}
	return g.Maximize(q)
}

// beginGiven begins with the parameters that the user gives.
func (m *GaussianMixture) beginGiven(g *normals, k int) error {
	_, d := g.x.Dims()
	g.means.Copy(m.InitMeans)
	if m.InitWeights != nil {
		if err := checkDistribution(g.op, "InitWeights", m.InitWeights, k); err != nil {
			return err
		}
		copy(g.weights, m.InitWeights)
	}
	if m.InitCovariances == nil {
		return g.overall()
	}
	if len(m.InitCovariances) != len(g.cov) {
		return model.Errorf(g.op, "InitCovariances must have %d entries for the %s form, got %d", len(g.cov), m.Form, len(m.InitCovariances))
	}
	for c, s := range m.InitCovariances {
		r, cols := g.cov[c].Dims()
		if s == nil || s.IsEmpty() {
			return model.Errorf(g.op, "InitCovariances[%d] must not be empty", c)
		}
		if sr, sc := s.Dims(); sr != r || sc != cols {
			return model.Errorf(g.op, "InitCovariances[%d] must be %dx%d, got %dx%d", c, r, cols, sr, sc)
		}
		if r == d && m.Form <= TiedCovariance && !mat.EqualApprox(s, s.T(), 1e-9) {
			return model.Errorf(g.op, "InitCovariances[%d] must be symmetric", c)
		}
		g.cov[c].Copy(s)
	}
	return g.factor()
}

// checkDistribution refuses what is not a distribution over k values.
func checkDistribution(op, what string, p []float64, k int) error {
	if len(p) != k {
		return model.Errorf(op, "%s must have %d entries, got %d", what, k, len(p))
	}
	sum := 0.0
	for i, v := range p {
		if !(v >= 0 && v <= 1+1e-9) {
			return model.Errorf(op, "%s must have probabilities between 0 and 1, got %v at %d", what, v, i)
		}
		sum += v
	}
	if math.Abs(sum-1) > 1e-6 {
		return model.Errorf(op, "%s must sum to 1, got %v", what, sum)
	}
	return nil
}

// argmax returns the position of the largest value of each row, the first in a tie.
func argmax(q *mat.Dense) []int {
	n, _ := q.Dims()
	out := make([]int, n)
	for i := range out {
		row := q.RawRowView(i)
		for k, v := range row {
			if v > row[out[i]] {
				out[i] = k
			}
		}
	}
	return out
}

// FitPredict fits the model to x and returns Labels, numbered from 0 without gaps.
func (m *GaussianMixture) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return tidy(m.Labels), nil
}

// tidy renumbers labels in their order so that every number below the largest occurs.
func tidy(labels []int) []int {
	used := slices.Clone(labels)
	slices.Sort(used)
	used = slices.Compact(used)
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i], _ = slices.BinarySearch(used, l)
	}
	return out
}

func (m *GaussianMixture) normals(op string, x mat.Matrix) *normals {
	if m.Means == nil {
		panic(model.NotFitted(op))
	}
	_, d := m.Means.Dims()
	g := &normals{op: op, x: model.MustRows(op, x, d), form: m.Form, weights: m.Weights, means: m.Means, cov: m.Covariances}
	if err := g.factor(); err != nil {
		panic(err)
	}
	return g
}

// Predict returns the most probable component of each row.
func (m *GaussianMixture) Predict(x mat.Matrix) []int {
	x = model.MustRead("GaussianMixture.Predict", &m.Fitted, x)
	return argmax(m.normals("GaussianMixture.Predict", x).LogJoint())
}

// PredictProba returns the responsibilities: the probability of each component, with one row per
// row of x.
func (m *GaussianMixture) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("GaussianMixture.PredictProba", &m.Fitted, x)
	q := m.normals("GaussianMixture.PredictProba", x).LogJoint()
	posterior(q)
	return q
}

// LogDensity returns log p(x) of each row.
func (m *GaussianMixture) LogDensity(x mat.Matrix) []float64 {
	x = model.MustRead("GaussianMixture.LogDensity", &m.Fitted, x)
	return posterior(m.normals("GaussianMixture.LogDensity", x).LogJoint())
}

// Score returns the mean log likelihood of the rows.
func (m *GaussianMixture) Score(x mat.Matrix) float64 {
	x = model.MustRead("GaussianMixture.Score", &m.Fitted, x)
	logs := m.LogDensity(x)
	return total(logs) / float64(len(logs))
}

func total(v []float64) float64 {
	sum := 0.0
	for _, u := range v {
		sum += u
	}
	return sum
}

// NumParameters is the number of free parameters: K − 1 weights, K·d means and the
// covariances of the form.
func (m *GaussianMixture) NumParameters() int {
	if m.Means == nil {
		panic(model.NotFitted("GaussianMixture.NumParameters"))
	}
	k, d := m.Means.Dims()
	p := k - 1 + k*d
	switch m.Form {
	case FullCovariance:
		p += k * d * (d + 1) / 2
	case TiedCovariance:
		p += d * (d + 1) / 2
	case DiagonalCovariance:
		p += k * d
	default:
		p += k
	}
	return p
}

// BIC is −2·log L + p·log n for the p free parameters, on the rows of x: lower is better.
//
// References: [Schwarz1978].
func (m *GaussianMixture) BIC(x mat.Matrix) float64 {
	x = model.MustRead("GaussianMixture.BIC", &m.Fitted, x)
	n, _ := x.Dims()
	return -2*total(m.LogDensity(x)) + float64(m.NumParameters())*math.Log(float64(n))
}

// AIC is −2·log L + 2·p for the p free parameters, on the rows of x: lower is better.
//
// References: [Akaike1974].
func (m *GaussianMixture) AIC(x mat.Matrix) float64 {
	x = model.MustRead("GaussianMixture.AIC", &m.Fitted, x)
	return -2*total(m.LogDensity(x)) + 2*float64(m.NumParameters())
}

// Covariance returns the covariance of a component as a d x d matrix, whatever the form.
func (m *GaussianMixture) Covariance(component int) *mat.Dense {
	if m.Means == nil {
		panic(model.NotFitted("GaussianMixture.Covariance"))
	}
	k, d := m.Means.Dims()
	if component < 0 || component >= k {
		panic(model.Errorf("GaussianMixture.Covariance", "component must be between 0 and %d, got %d", k-1, component))
	}
	return square(m.Form, m.Covariances, component, d)
}

// square returns the covariance of a component as a d x d matrix.
func square(form CovarianceForm, cov []*mat.Dense, k, d int) *mat.Dense {
	switch form {
	case FullCovariance:
		return mat.DenseCopyOf(cov[k])
	case TiedCovariance:
		return mat.DenseCopyOf(cov[0])
	}
	out := mat.NewDense(d, d, nil)
	_, wide := cov[0].Dims()
	for j := range d {
		out.Set(j, j, cov[0].At(k, min(j, wide-1)))
	}
	return out
}

// Sample draws n rows and the components that they come from.
func (m *GaussianMixture) Sample(n int, seed uint64) (x *model.Table, components []int) {
	const op = "GaussianMixture.Sample"
	if m.Means == nil {
		panic(model.NotFitted(op))
	}
	if n < 1 {
		panic(model.Errorf(op, "n must be at least 1, got %d", n))
	}
	k, d := m.Means.Dims()
	roots := make([]*mat.Dense, k)
	for c := range roots {
		roots[c] = rootOf(op, m.Covariance(c))
	}
	rng := model.Rand(seed, 0)
	out, components, z := mat.NewDense(n, d, nil), make([]int, n), make([]float64, d)
	for i := range components {
		c := draw(m.Weights, rng.Float64())
		components[i] = c
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		drawNormal(out.RawRowView(i), m.Means.RawRowView(c), roots[c], z)
	}
	return model.Named(nil, out, nil), components
}

// draw returns the index at which the cumulative sum of p exceeds u.
func draw(p []float64, u float64) int {
	last := 0
	for k, v := range p {
		if v > 0 {
			last = k
			if u -= v; u < 0 {
				return k
			}
		}
	}
	return last
}

// drawNormal writes mean + L·z.
func drawNormal(to, mean []float64, root *mat.Dense, z []float64) {
	for i := range to {
		v := mean[i]
		for j, l := range root.RawRowView(i)[:i+1] {
			v += l * z[j]
		}
		to[i] = v
	}
}

// Transform returns the responsibilities as columns named after the components.
func (m *GaussianMixture) Transform(x mat.Matrix) *model.Table {
	x = model.MustRead("GaussianMixture.Transform", &m.Fitted, x)
	q := m.PredictProba(x)
	_, k := q.Dims()
	columns := make([]model.Column, k)
	for c := range columns {
		columns[c].Name = "component " + strconv.Itoa(c)
	}
	return model.Named(x, q, columns)
}

// stripes returns the number of parts into which n rows are summed and the rows of each. Both
// depend only on n.
func stripes(n int) (count, each int) {
	count = max(1, min(16, n/512))
	return count, (n + count - 1) / count
}

// inStripes calls f for each of the stripes of n rows, on all processors.
func inStripes(n int, f func(stripe, lo, hi int)) {
	count, each := stripes(n)
	par.Range(count, 1, func(a, b int) {
		for s := a; s < b; s++ {
			f(s, min(n, s*each), min(n, (s+1)*each))
		}
	})
}
