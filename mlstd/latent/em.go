package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// EMModel is a model that [EM] can fit: each example has one hidden value. You can define one in a
// notebook cell: any type with these two methods is an EMModel.
type EMModel interface {
	// LogJoint returns log p(xᵢ, z = k) for the current parameters: with one row per example, one
	// column per value of the hidden variable, and −Inf for impossible values.
	LogJoint() *mat.Dense
	// Maximize sets the parameters to the values that maximize Σᵢₖ qᵢₖ·log p(xᵢ, z = k).
	Maximize(q *mat.Dense) error
}

// EMPrior is implemented by an [EMModel] whose parameters have a prior: EM then never decreases the
// sum of log likelihood and log prior.
type EMPrior interface {
	LogPrior() float64
}

// EMWeights is implemented by an [EMModel] whose examples have weights. The log likelihood of
// example i is multiplied by its weight, and Maximize must multiply q by it, too.
type EMWeights interface {
	RowWeights() []float64
}

// EMParameters is implemented by an [EMModel] whose parameters are few enough to be
// kept after each iteration.
type EMParameters interface {
	Parameters() []float64
}

// EM is expectation maximization: it increases the likelihood of a model with hidden values z by
// maximizing a lower bound.
//
// For any distribution q over the hidden values, by Jensen's inequality,
//
//	log p(x|θ) = log Σₖ p(x, k|θ) ≥ Σₖ q(k)·log(p(x, k|θ)/q(k)) = F(q, θ)
//	log p(x|θ) − F(q, θ) = KL(q ‖ p(z|x, θ))
//
// and the two steps maximize F in turn:
//
//  1. E: qᵢₖ ← p(z = k|xᵢ, θ), with which the bound touches the likelihood.
//  2. M: θ ← argmax F(q, θ) = argmax Σᵢₖ qᵢₖ·log p(xᵢ, k|θ): the entropy of q, which
//     belongs to the bound, does not depend on θ.
//
// So the likelihood never falls. With Hard, q puts all mass on the most probable value, and Σᵢ maxₖ
// log p(xᵢ, k|θ) never falls. k-means is the special case of spherical components of equal size.
//
// EM finds a local maximum, and converges slowly if the hidden values are uncertain. Start it
// several times.
//
// Cost: the two steps of the model, and O(n·k), per iteration.
//
// References: [DempsterLairdRubin1977], [NealHinton1998]. Course: LAT-01, LAT-02, LAT-03.
type EM struct {
	model.Control
	MaxIter int     // 0 means 100
	Tol     float64 // minimum gain per example; 0 means 1e-6, model.Zero runs to MaxIter
	Hard    bool    // the most probable value instead of the distribution
	Bounds  bool    // record Steps, at the price of a second matrix of the size of q

	// LogLikelihood is the objective before the first iteration and after each iteration; set by
	// Run.
	LogLikelihood []float64
	// Steps holds the bound and its gap in each iteration, if Bounds is set; set by Run.
	Steps []EMStep
	// Q is the distribution of the hidden values under the last parameters; set by Run.
	Q *mat.Dense
	// Trace holds the negative objective after each iteration and, for a model with a Parameters
	// method, the parameters; set by Run.
	Trace model.Trace
}

// EMStep is one iteration of EM, described by the bound.
type EMStep struct {
	Before float64 // the log likelihood before, which the bound touches after the E step
	Bound  float64 // the bound F(q, θ) after the M step
	After  float64 // the log likelihood after it
	Gap    float64 // After − Bound = KL(q ‖ posterior)
}

// Run runs EM on m, starting from its current parameters.
func (e *EM) Run(m EMModel) error {
	const op = "EM.Run"
	e.LogLikelihood, e.Steps, e.Q, e.Trace = nil, nil, nil, model.Trace{}
	maxIter, err := model.Iterations(op, "MaxIter", e.MaxIter, 100)
	if err != nil {
		return err
	}
	if !(e.Tol >= 0) {
		return model.Errorf(op, "Tol must not be negative, got %v", e.Tol)
	}
	if m == nil {
		return model.Errorf(op, "the model must not be nil")
	}
	run := e.Begin("EM", maxIter)
	defer run.End()
	return e.climb(op, m, maxIter, run.Step)
}

// RunWithin is [EM.Run] as a part of another fit, which passes its own run to record the steps.
func (e *EM) RunWithin(run *model.Run, m EMModel) error {
	const op = "EM.Run"
	e.LogLikelihood, e.Steps, e.Q, e.Trace = nil, nil, nil, model.Trace{}
	maxIter, err := model.Iterations(op, "MaxIter", e.MaxIter, 100)
	if err != nil {
		return err
	}
	return e.climb(op, m, maxIter, run.Step)
}

// climb runs the iterations and calls step after each.
func (e *EM) climb(op string, m EMModel, maxIter int, step func(iter int, loss float64) error) error {
	tol := model.Or(e.Tol, 1e-6)
	q, value, err := e.expect(op, m)
	if err != nil {
		return err
	}
	curve, trace, steps := []float64{value}, model.Trace{}, []EMStep(nil)
	n, _ := q.Dims()
	for iter := 1; iter <= maxIter; iter++ {
		if err := m.Maximize(q); err != nil {
			return err
		}
		joint := m.LogJoint()
		bound := 0.0
		if e.Bounds {
			bound, _ = bounds(joint, q, weightsOf(m))
			bound += priorOf(m)
		}
		next, err := e.objective(op, m, joint)
		if err != nil {
			return err
		}
		if e.Bounds {
			steps = append(steps, EMStep{Before: value, Bound: bound, After: next, Gap: next - bound})
		}
		gain := next - value
		q, value = joint, next
		curve = append(curve, value)
		trace.Loss, trace.Step = append(trace.Loss, -value), append(trace.Step, gain)
		if p, ok := m.(EMParameters); ok {
			if v := p.Parameters(); len(v) <= 64 {
				trace.Weights = append(trace.Weights, v)
			}
		}
		if err := step(iter, -value); err != nil {
			return err
		}
		if e.Tol != model.Zero && math.Abs(gain) < tol*float64(n) {
			trace.Converged = true
			break
		}
	}
	e.LogLikelihood, e.Steps, e.Q, e.Trace = curve, steps, q, trace
	return nil
}

// expect returns q and the objective for the parameters of m.
func (e *EM) expect(op string, m EMModel) (*mat.Dense, float64, error) {
	q := m.LogJoint()
	value, err := e.objective(op, m, q)
	return q, value, err
}

// objective replaces the log joint probabilities by q and returns the objective.
func (e *EM) objective(op string, m EMModel, joint *mat.Dense) (float64, error) {
	if joint == nil || joint.IsEmpty() {
		return 0, model.Errorf(op, "LogJoint must return a row per example, got none")
	}
	logs := posterior(joint)
	if e.Hard {
		harden(joint, logs)
	}
	weights := weightsOf(m)
	sum := priorOf(m)
	for i, v := range logs {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, model.Errorf(op, "every example must have a finite log likelihood, got %[2]v for example %[1]d", i, v).
				WithHint("start from parameters that give every example a positive probability")
		}
		if weights != nil {
			v *= weights[i]
		}
		sum += v
	}
	return sum, nil
}

func weightsOf(m EMModel) []float64 {
	if w, ok := m.(EMWeights); ok {
		return w.RowWeights()
	}
	return nil
}

func priorOf(m EMModel) float64 {
	if p, ok := m.(EMPrior); ok {
		return p.LogPrior()
	}
	return 0
}

// harden puts the whole mass of each row of q on its largest value, the first in a tie. It replaces
// the logarithm of the sum by the logarithm of the largest value.
func harden(q *mat.Dense, logs []float64) {
	for i := range logs {
		row := q.RawRowView(i)
		best := 0
		for k, v := range row {
			if v > row[best] {
				best = k
			}
		}
		logs[i] += math.Log(row[best])
		clear(row)
		row[best] = 1
	}
}

// posterior replaces each row of log joint probabilities by the normalized exponentials, and
// returns the logarithms of their sums. A row without any possible value stays at NaN, with −Inf.
func posterior(joint *mat.Dense) []float64 {
	n, _ := joint.Dims()
	logs := make([]float64, n)
	par.Range(n, 1024, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			logs[i] = share(joint.RawRowView(i))
		}
	})
	return logs
}

// share replaces logarithms by the normalized exponentials, and returns the logarithm of their sum.
func share(row []float64) float64 {
	most := row[0]
	for _, v := range row[1:] {
		if v > most {
			most = v
		}
	}
	if math.IsInf(most, -1) || math.IsNaN(most) {
		for k := range row {
			row[k] = math.NaN()
		}
		return most
	}
	for k := range row {
		row[k] -= most
	}
	linalg.Exp(row)
	sum := 0.0
	for _, v := range row {
		sum += v
	}
	for k := range row {
		row[k] /= sum
	}
	return most + math.Log(sum)
}

// LowerBound returns the bound F(q, θ) of [EM] for any distributions q and for log joint
// probabilities, which have one row per example. It also returns the gap to the log likelihood,
// which is the Kullback-Leibler divergence of q from the posterior. The gap is 0 if q is the
// posterior, and positive otherwise.
//
// References: [NealHinton1998]. Course: LAT-02.
func LowerBound(logJoint, q mat.Matrix) (bound, gap float64) {
	const op = "LowerBound"
	n, k := logJoint.Dims()
	if r, c := q.Dims(); r != n || c != k {
		panic(model.Errorf(op, "the joint probabilities and q must have the same shape, got %dx%d and %dx%d", n, k, r, c))
	}
	dist := model.Dense(q)
	for i := range n {
		sum := 0.0
		for _, v := range dist.RawRowView(i) {
			if !(v >= 0) {
				panic(model.Errorf(op, "row %d of q must contain probabilities, got %v", i, v))
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			panic(model.Errorf(op, "row %d of q must sum to 1, got %v", i, sum))
		}
	}
	return bounds(mat.DenseCopyOf(logJoint), dist, nil)
}

// bounds is LowerBound with weights of the examples.
func bounds(joint, q *mat.Dense, weights []float64) (bound, gap float64) {
	n, k := joint.Dims()
	row := make([]float64, k)
	for i := range n {
		f := 0.0
		for c, v := range q.RawRowView(i) {
			if v > 0 {
				f += v * (joint.At(i, c) - math.Log(v))
			}
		}
		copy(row, joint.RawRowView(i))
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		bound += w * f
		gap += w * (share(row) - f)
	}
	return bound, gap
}
