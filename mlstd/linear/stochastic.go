package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// stochastic is the state of stochastic descent on one linear score, which continues from batch to
// batch. The weights are w = scale·v, so shrinking them costs one product, and learning an example
// costs only its nonzero entries.
type stochastic struct {
	v     []float64
	scale float64
	b     float64
	steps int  // examples seen, t
	lost  bool // the scores diverged

	// The sum of the weights after each example is counted·v − early: early adds up each change of
	// v times the value of counted before it.
	early   []float64 // nil without averaging
	counted float64
	bSum    float64

	owed float64   // total l₁ penalty due for each weight so far
	paid []float64 // the penalty applied to each weight so far; nil without an l₁ penalty
}

// stochasticSettings are the validated parameters of a descent.
type stochasticSettings struct {
	loss      optim.Loss
	rate      optim.Schedule
	l1, l2    float64
	intercept bool
	average   bool
}

func (set *stochasticSettings) start(width int) *stochastic {
	s := &stochastic{v: make([]float64, width), scale: 1}
	if set.average {
		s.early = make([]float64, width)
	}
	if set.l1 > 0 {
		s.paid = make([]float64, width)
	}
	return s
}

// steepest is the largest derivative of a loss for which a descent is considered stable.
const steepest = 1e12

// pass learns from the examples in the given order. It returns the mean of their losses, each
// measured before the example's step.
func (set *stochasticSettings) pass(s *stochastic, x *rows.Matrix, y, weights []float64, order []int) float64 {
	sum := set.learn(s, 0, x, y, weights, order)
	s.settle()
	return sum / float64(len(order))
}

// learn is a part of a pass. It adds the losses to sum, and returns it.
func (set *stochasticSettings) learn(s *stochastic, sum float64, x *rows.Matrix, y, weights []float64, order []int) float64 {
	for _, i := range order {
		s.steps++
		score := s.scale*x.Dot(i, s.v) + s.b
		sum += set.loss.Value(y[i], score)
		eta := set.rate.Rate(s.steps)
		slope := set.loss.Derivative(y[i], score)
		s.lost = s.lost || !(math.Abs(slope) < steepest)
		step := -eta * slope * weightOf(weights, i)
		if set.l2 > 0 {
			s.shrink(max(0, 1-eta*set.l2))
		}
		if step != 0 {
			x.Add(s.v, step/s.scale, i)
			if s.early != nil {
				x.Add(s.early, s.counted*step/s.scale, i)
			}
			if set.intercept {
				s.b += step
			}
		}
		if s.paid != nil {
			s.owed += set.l1 * eta
			x.Each(i, func(j int, _ float64) { s.pay(j) })
		}
		s.counted += s.scale
		s.bSum += s.b
	}
	return sum
}

// settle applies the overdue l₁ penalty to all weights, at the end of a pass.
func (s *stochastic) settle() {
	if s.paid != nil {
		for j := range s.v {
			s.pay(j)
		}
	}
}

// shrink multiplies the weights by a factor in [0, 1].
func (s *stochastic) shrink(by float64) {
	if s.scale *= by; s.scale > 1e-9 {
		return
	}
	if s.early != nil {
		floats.AddScaled(s.early, -s.counted, s.v)
		s.counted = 0
	}
	floats.Scale(s.scale, s.v)
	s.scale = 1
}

// pay applies the overdue l₁ penalty to weight j, which moves toward 0 but never past it.
func (s *stochastic) pay(j int) {
	w := s.scale * s.v[j]
	now := w
	switch {
	case w > 0:
		now = max(0, w-(s.owed+s.paid[j]))
	case w < 0:
		now = min(0, w+(s.owed-s.paid[j]))
	default:
		return
	}
	s.paid[j] += now - w
	change := (now - w) / s.scale
	s.v[j] += change
	if now == 0 {
		s.v[j] = 0
	}
	if s.early != nil {
		s.early[j] += s.counted * change
	}
}

// weights returns the weights, or their average over the examples.
func (s *stochastic) weights() (w []float64, b float64) {
	w = make([]float64, len(s.v))
	if s.early == nil {
		floats.ScaleTo(w, s.scale, s.v)
		return w, s.b
	}
	for j, v := range s.v {
		w[j] = (s.counted*v - s.early[j]) / float64(s.steps)
	}
	return w, s.bSum / float64(s.steps)
}

// runaway reports whether the descent diverges.
func (s *stochastic) runaway() bool {
	n := floats.Sum(s.v)*s.scale + s.b
	return s.lost || math.IsNaN(n) || math.IsInf(n, 0)
}

// descents makes passes for several scores at a time, until no score has lowered its loss for
// several passes.
type descents struct {
	set     *stochasticSettings
	states  []*stochastic
	targets [][]float64 // of each score
	epochs  int
	tol     float64
	shuffle bool
	seed    uint64
}

// patience is the number of passes in a row that may not lower the loss by Tol.
const patience = 5

func (d *descents) run(op, name string, control *model.Control, x *rows.Matrix, weights []float64) (model.Trace, error) {
	order := make([][]int, len(d.states))
	for c := range d.states {
		order[c] = make([]int, x.N)
		for i := range order[c] {
			order[c][i] = i
		}
	}
	return d.descend(op, name, control, func(_ *model.Run, epoch int, active []int, loss []float64) error {
		for _, c := range active {
			if d.shuffle {
				list := order[c]
				model.Rand(d.seed, uint64(c)<<32|uint64(epoch)).Shuffle(x.N, func(i, j int) { list[i], list[j] = list[j], list[i] })
			}
			loss[c] = d.set.pass(d.states[c], x, d.targets[c], weights, order[c])
		}
		return nil
	})
}

// descend calls pass until no score has lowered its loss for several passes. A pass learns the
// active scores, and sets their mean losses.
func (d *descents) descend(op, name string, control *model.Control, pass func(run *model.Run, epoch int, active []int, loss []float64) error) (model.Trace, error) {
	run := control.Begin(name, d.epochs)
	defer run.End()
	var trace model.Trace
	best, still, last := make([]float64, len(d.states)), make([]int, len(d.states)), make([]float64, len(d.states))
	active := make([]int, len(d.states))
	for c := range d.states {
		best[c], active[c] = math.Inf(1), c
	}
	for epoch := 1; epoch <= d.epochs && !trace.Converged; epoch++ {
		if err := pass(run, epoch, active, last); err != nil {
			return model.Trace{}, err
		}
		for _, c := range active {
			if d.states[c].runaway() {
				return model.Trace{}, model.Errorf(op, "the weights overflowed in pass %d", epoch).WithHint("scale the columns, or set a smaller Rate")
			}
			if still[c]++; last[c] <= best[c]-d.tol {
				still[c] = 0
			}
			best[c] = min(best[c], last[c])
		}
		active = slices.DeleteFunc(active, func(c int) bool { return still[c] >= patience })
		trace.Converged = len(active) == 0
		trace.Loss = append(trace.Loss, floats.Sum(last))
		if err := run.Step(epoch, floats.Sum(last)); err != nil {
			return model.Trace{}, err
		}
	}
	return trace, nil
}

// stochasticParams are the fields that classifiers and regressors share.
type stochasticParams struct {
	lambda, ratio, tol float64
	epochs             int
}

// check validates the parameters.
func (p stochasticParams) check(op string) (lambda, ratio, tol float64, epochs int, err error) {
	lambda, ratio, tol = model.Or(p.lambda, 1e-4), model.Or(p.ratio, 0), model.Or(p.tol, 1e-3)
	switch {
	case !(lambda >= 0) || math.IsInf(lambda, 1):
		err = model.Errorf(op, "Lambda must be finite and not negative, got %v", lambda)
	case !(ratio >= 0 && ratio <= 1):
		err = model.Errorf(op, "L1Ratio must be between 0 and 1, got %v", ratio)
	case !(tol >= 0):
		err = model.Errorf(op, "Tol must not be negative, got %v", tol)
	default:
		epochs, err = model.Iterations(op, "Epochs", p.epochs, 1000)
	}
	return lambda, ratio, tol, epochs, err
}
