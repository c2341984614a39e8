package online

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MistakeTrace records a mistake-driven fit.
type MistakeTrace struct {
	Mistakes []float64 // wrong predictions in each epoch
	Updates  []float64 // changes of the weights in each epoch
	// Weights are w and, last, the intercept after each update, as long as there are
	// at most 64 of them and 10,000 updates.
	Weights   [][]float64
	Converged bool // an epoch passed without an update
}

const keptWeights, keptUpdates = 64, 10000

func (t *MistakeTrace) keep(w []float64, b float64) {
	if len(w) < keptWeights && len(t.Weights) < keptUpdates {
		t.Weights = append(t.Weights, append(append([]float64(nil), w...), b))
	}
}

// additive is the loop that all learners share whose update adds a multiple of
// the example: w ← w + τ·y·x, b ← b + τ·y.
type additive struct {
	name      string
	epochs    int
	average   bool
	intercept bool
	shuffle   bool
	seed      uint64
	start     []float64
	// quiet tells that there is no update whatever the norm of the example, which
	// then need not be computed; nil never tells so.
	quiet func(y, s float64) bool
	// step gives τ for an example of label y (±1), score s and squared norm q of
	// the example (with the constant feature of the intercept); 0 is no update.
	step func(y, s, q float64) float64
	// mistake tells a wrong prediction.
	mistake func(y, s float64) bool
}

// weights is a linear rule.
type weights struct {
	w []float64
	b float64
}

func (a *additive) fit(control *model.Control, x examples, sign []float64) (weights, MistakeTrace, error) {
	var trace MistakeTrace
	w, b := make([]float64, x.width), 0.0
	if a.start != nil {
		want := x.width
		if a.intercept {
			want++
		}
		if len(a.start) != want {
			return weights{}, trace, model.Errorf(a.name+".Fit", "Start has %d entries, want %d", len(a.start), want).
				WithHint("one weight a column, then the bias")
		}
		copy(w, a.start)
		if a.intercept {
			b = a.start[x.width]
		}
	}
	// The average of the weight vectors after each of t examples is w − u/t when u
	// adds up, for each change, the examples seen before it times the change: so an
	// update costs the active features only.
	var u []float64
	ub, t := 0.0, 0.0
	if a.average {
		u = make([]float64, x.width)
	}
	run := control.Begin(a.name, a.epochs)
	defer run.End()
	order := make([]int, x.n)
	for i := range order {
		order[i] = i
	}
	rng := model.Rand(a.seed, 0)
	for epoch := 1; epoch <= a.epochs; epoch++ {
		if a.shuffle {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		mistakes, updates := 0, 0
		for _, i := range order {
			y := sign[i]
			s := x.dot(i, w) + b
			if a.mistake(y, s) {
				mistakes++
			}
			if t++; a.quiet != nil && a.quiet(y, s) {
				continue
			}
			q := x.norm2(i)
			if a.intercept {
				q++
			}
			if tau := a.step(y, s, q); tau != 0 {
				updates++
				x.add(i, tau*y, w)
				if a.average {
					x.add(i, (t-1)*tau*y, u)
				}
				if a.intercept {
					b += tau * y
					ub += (t - 1) * tau * y
				}
				trace.keep(w, b)
			}
		}
		trace.Mistakes = append(trace.Mistakes, float64(mistakes))
		trace.Updates = append(trace.Updates, float64(updates))
		if err := run.Step(epoch, float64(mistakes)/float64(x.n)); err != nil {
			return weights{}, MistakeTrace{}, err
		}
		if updates == 0 {
			trace.Converged = true
			break
		}
	}
	if a.average {
		for j := range w {
			w[j] -= u[j] / t
		}
		b -= ub / t
	}
	for _, v := range append(w, b) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return weights{}, MistakeTrace{}, model.Errorf(a.name+".Fit", "the weights overflowed").WithHint("take a smaller Rate, or scale the columns")
		}
	}
	return weights{w, b}, trace, nil
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
