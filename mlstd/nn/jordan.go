package nn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Jordan is a recurrent layer whose hidden units see, besides the input, the outputs of the layer
// at the previous step.
//
//	h_t = tanh(x_t·InputCoef + y_{t−1}·BackCoef + Intercept),   y₀ = 0
//	y_t = f(h_t·OutputCoef + OutputIntercept)
//
// A step passes only its outputs to the next step. An [Elman] layer passes its hidden units, which
// hold more information.
//
// Cost: steps·units·(features + 2·outputs) per row.
//
// References: [Jordan1986]. Course: NET-27.
type Jordan struct {
	Units int // hidden
	// Outputs is the number of outputs; 0 means 1.
	Outputs    int
	Activation Activation // of the outputs; empty means sigmoid
	Sequence   bool       // return the outputs of every step, not only of the last

	InputCoef, BackCoef *mat.Dense // set by Build: one column per hidden unit
	Intercept           []float64  // set by Build
	OutputCoef          *mat.Dense // set by Build: one column per output
	OutputIntercept     []float64  // set by Build

	params          []*Param
	steps, features int
	x               *mat.Dense
	h, z, y         mat.Dense // one row per step and row: (t·n + i)
	out, dx         mat.Dense
}

// Build initializes the weights at random.
func (l *Jordan) Build(in []int, rng *rand.Rand) ([]int, error) {
	if err := unitsErr("Jordan", l.Units, in); err != nil {
		return nil, err
	}
	k := orInt(l.Outputs, 1)
	f := l.Activation.or(SigmoidUnits)
	if err := f.err("Jordan"); err != nil {
		return nil, err
	}
	if k < 1 {
		return nil, model.Errorf("Jordan", "Outputs must be at least 1, got %d", k)
	}
	l.steps, l.features = in[0], in[1]
	if l.InputCoef == nil {
		l.InputCoef = UniformInit.draw(l.features, l.Units, l.Units, l.Units, rng)
		l.BackCoef = UniformInit.draw(k, l.Units, l.Units, l.Units, rng)
		l.OutputCoef = UniformInit.draw(l.Units, k, l.Units, k, rng)
		l.Intercept, l.OutputIntercept = make([]float64, l.Units), make([]float64, k)
	}
	for _, w := range []struct {
		name       string
		m          *mat.Dense
		rows, cols int
	}{{"InputCoef", l.InputCoef, l.features, l.Units}, {"BackCoef", l.BackCoef, k, l.Units}, {"OutputCoef", l.OutputCoef, l.Units, k}} {
		if r, c := w.m.Dims(); r != w.rows || c != w.cols {
			return nil, model.Errorf("Jordan", "%s must be %dx%d, got %dx%d", w.name, w.rows, w.cols, r, c)
		}
	}
	l.params = []*Param{
		newParam("InputCoef", l.InputCoef.RawMatrix().Data, true), newParam("BackCoef", l.BackCoef.RawMatrix().Data, true),
		newParam("Intercept", l.Intercept, false),
		newParam("OutputCoef", l.OutputCoef.RawMatrix().Data, true), newParam("OutputIntercept", l.OutputIntercept, false),
	}
	if l.Sequence {
		return []int{l.steps, k}, nil
	}
	return []int{k}, nil
}

// Params returns the weights.
func (l *Jordan) Params() []*Param { return l.params }

// addVector adds v·w to dst.
func addVector(dst, v []float64, w *mat.Dense) {
	for i, x := range v {
		floats.AddScaled(dst, x, w.RawRowView(i))
	}
}

// addBack adds w·g to dst, and the outer product of v and g to grad.
func addBack(dst, grad, v, g []float64, w *mat.Dense) {
	for i, x := range v {
		if dst != nil {
			dst[i] += floats.Dot(w.RawRowView(i), g)
		}
		floats.AddScaled(grad[i*len(g):(i+1)*len(g)], x, g)
	}
}

// Forward computes the outputs step by step.
func (l *Jordan) Forward(x *mat.Dense, _ bool) *mat.Dense {
	n, _ := x.Dims()
	l.x = x
	k := len(l.OutputIntercept)
	f := l.Activation.or(SigmoidUnits)
	sized(&l.h, l.steps*n, l.Units)
	sized(&l.z, l.steps*n, k)
	sized(&l.y, (l.steps+1)*n, k)
	for t := range l.steps {
		for i := range n {
			h, z := l.h.RawRowView(t*n+i), l.z.RawRowView(t*n+i)
			copy(h, l.Intercept)
			addVector(h, x.RawRowView(i)[t*l.features:(t+1)*l.features], l.InputCoef)
			addVector(h, l.y.RawRowView(t*n+i), l.BackCoef)
			TanhUnits.apply(h, h, l.Units)
			copy(z, l.OutputIntercept)
			addVector(z, h, l.OutputCoef)
			f.apply(l.y.RawRowView((t+1)*n+i), z, k)
		}
	}
	if !l.Sequence {
		sized(&l.out, n, k)
		copy(l.out.RawMatrix().Data, part(&l.y, l.steps, n))
		return &l.out
	}
	sized(&l.out, n, l.steps*k)
	for i := range n {
		for t := range l.steps {
			copy(l.out.RawRowView(i)[t*k:(t+1)*k], l.y.RawRowView((t+1)*n+i))
		}
	}
	return &l.out
}

// Backward backpropagates through the steps.
func (l *Jordan) Backward(dy *mat.Dense, _ bool) *mat.Dense {
	n, _ := l.x.Dims()
	k := len(l.OutputIntercept)
	f := l.Activation.or(SigmoidUnits)
	sized(&l.dx, n, l.steps*l.features)
	g, gz, gh, ga := make([]float64, k), make([]float64, k), make([]float64, l.Units), make([]float64, l.Units)
	for i := range n {
		clear(g)
		for t := l.steps - 1; t >= 0; t-- {
			if l.Sequence {
				floats.Add(g, dy.RawRowView(i)[t*k:(t+1)*k])
			} else if t == l.steps-1 {
				floats.Add(g, dy.RawRowView(i))
			}
			h, z := l.h.RawRowView(t*n+i), l.z.RawRowView(t*n+i)
			f.applyBack(gz, z, l.y.RawRowView((t+1)*n+i), g, k)
			clear(gh)
			addBack(gh, l.params[3].Grad, h, gz, l.OutputCoef)
			floats.Add(l.params[4].Grad, gz)
			for j, v := range h {
				ga[j] = gh[j] * (1 - v*v)
			}
			x := l.x.RawRowView(i)[t*l.features : (t+1)*l.features]
			addBack(l.dx.RawRowView(i)[t*l.features:(t+1)*l.features], l.params[0].Grad, x, ga, l.InputCoef)
			clear(g)
			addBack(g, l.params[1].Grad, l.y.RawRowView(t*n+i), ga, l.BackCoef)
			floats.Add(l.params[2].Grad, ga)
		}
	}
	return &l.dx
}
