package online

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MistakeTrace records a mistake-driven fit.
type MistakeTrace struct {
	Mistakes []float64 // wrong predictions in each epoch
	Updates  []float64 // changes of the weights in each epoch
	// Weights holds w and, as the last entry, the intercept, for each update. They are recorded for
	// at most 64 weights and 10,000 updates.
	Weights   [][]float64
	Converged bool // an epoch passed without an update
}

const keptWeights, keptUpdates = 64, 10000

func (t *MistakeTrace) keep(w []float64, b float64) {
	if len(w) < keptWeights && len(t.Weights) < keptUpdates {
		t.Weights = append(t.Weights, append(append([]float64(nil), w...), b))
	}
}

// additive is the loop shared by all learners whose update adds a multiple of the example: w ← w +
// τ·y·x, b ← b + τ·y.
type additive struct {
	name      string
	epochs    int
	average   bool
	intercept bool
	shuffle   bool
	seed      uint64
	start     []float64
	// quiet reports whether there is no update regardless of the norm of the example, which then
	// need not be computed. A nil quiet is always false.
	quiet func(y, s float64) bool
	// step returns τ for an example of label y (±1), score s and squared norm q of the example
	// (with the constant feature of the intercept); 0 means no update.
	step func(y, s, q float64) float64
	// mistake reports whether the prediction is wrong.
	mistake func(y, s float64) bool
}

// learned is the state of an additive learner.
//
// The mean of the weight vectors after each of t examples is w − u/t, where u is the sum over the
// changes of each change times the number of examples seen before it. So an update costs only the
// active features.
type learned struct {
	w, u  []float64 // u is nil without an average
	b, ub float64
	t     float64 // examples seen
}

// weights returns the learned linear rule.
func (l *learned) weights() (w []float64, b float64) {
	w, b = slices.Clone(l.w), l.b
	if l.u != nil {
		for j := range w {
			w[j] -= l.u[j] / l.t
		}
		b -= l.ub / l.t
	}
	return w, b
}

func (l *learned) clone() *learned {
	c := *l
	c.w, c.u = slices.Clone(l.w), slices.Clone(l.u)
	return &c
}

// begin returns the state before the first example.
func (a *additive) begin(op string, width int) (*learned, error) {
	l := &learned{w: make([]float64, width)}
	if a.average {
		l.u = make([]float64, width)
	}
	if a.start == nil {
		return l, nil
	}
	want := width
	if a.intercept {
		want++
	}
	if len(a.start) != want {
		return nil, model.Errorf(op, "Start must have %d entries (a weight per column, then the intercept), got %d", want, len(a.start))
	}
	copy(l.w, a.start)
	if a.intercept {
		l.b = a.start[width]
	}
	return l, nil
}

// pass learns from the examples in the given order, and records mistakes and updates in the trace.
func (a *additive) pass(l *learned, x examples, sign []float64, order []int, trace *MistakeTrace) (mistakes, updates int) {
	mistakes, updates = a.part(l, x, sign, order, trace)
	trace.record(mistakes, updates)
	return mistakes, updates
}

// record adds the counts of a pass.
func (t *MistakeTrace) record(mistakes, updates int) {
	t.Mistakes = append(t.Mistakes, float64(mistakes))
	t.Updates = append(t.Updates, float64(updates))
}

// part is a part of a pass.
func (a *additive) part(l *learned, x examples, sign []float64, order []int, trace *MistakeTrace) (mistakes, updates int) {
	for _, i := range order {
		y := sign[i]
		s := x.dot(i, l.w) + l.b
		if a.mistake(y, s) {
			mistakes++
		}
		if l.t++; a.quiet != nil && a.quiet(y, s) {
			continue
		}
		q := x.norm2(i)
		if a.intercept {
			q++
		}
		if tau := a.step(y, s, q); tau != 0 {
			updates++
			x.add(i, tau*y, l.w)
			if a.average {
				x.add(i, (l.t-1)*tau*y, l.u)
			}
			if a.intercept {
				l.b += tau * y
				l.ub += (l.t - 1) * tau * y
			}
			trace.keep(l.w, l.b)
		}
	}
	return mistakes, updates
}

// fit goes through the examples until an epoch changes nothing.
func (a *additive) fit(op string, control *model.Control, x examples, sign []float64) (*learned, MistakeTrace, error) {
	var trace MistakeTrace
	l, err := a.begin(op, x.width)
	if err != nil {
		return nil, trace, err
	}
	run := control.Begin(a.name, a.epochs)
	defer run.End()
	order := inOrder(x.n)
	rng := model.Rand(a.seed, 0)
	for epoch := 1; epoch <= a.epochs; epoch++ {
		if a.shuffle {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		mistakes, updates := a.pass(l, x, sign, order, &trace)
		if err := run.Step(epoch, float64(mistakes)/float64(x.n)); err != nil {
			return nil, MistakeTrace{}, err
		}
		if updates == 0 {
			trace.Converged = true
			break
		}
	}
	return l, trace, l.check(op)
}

// check returns an error if a weight has overflowed.
func (l *learned) check(op string) error {
	w, b := l.weights()
	for _, v := range append(w, b) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return model.Errorf(op, "the weights overflowed").WithHint("set a smaller Rate, or scale the columns")
		}
	}
	return nil
}

func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func scores(op string, x mat.Matrix, w []float64, b float64, fitted bool) []float64 {
	if !fitted {
		panic(model.NotFitted(op))
	}
	e := examplesOf(op, x, len(w))
	out := make([]float64, e.n)
	par.Range(e.n, 4096, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = e.dot(i, w) + b
		}
	})
	return out
}

func column(v []float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

func wrongSide(y, s float64) bool { return y*s <= 0 }
