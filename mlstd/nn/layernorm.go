package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// LayerNorm normalizes the features of each row, of each step of a sequence, or of each pixel of a
// picture to mean 0 and variance 1, and then applies a learned scale and shift.
//
//	x̂ = (x − μ)/√(σ² + ε),   a = γ·x̂ + β
//
// μ and σ² are over the features of one row, step or pixel. Unlike [BatchNorm], the layer does not
// depend on the other rows of the batch. So it computes the same function in training and in
// prediction, and works for batches of one row.
//
// Cost: about 8 operations per number.
//
// References: [BaKirosHinton2016].
type LayerNorm struct {
	// Epsilon is ε, which is added to each variance; 0 means 1e-5.
	Epsilon float64

	Scale, Shift []float64 // set by Build: γ and β, one per feature

	params  []*Param
	invert  []float64 // 1/√(σ²+ε) of each group of features
	n, cols int
	hat     mat.Dense
	a, dx   mat.Dense
}

// Build sets the scale to 1 and the shift to 0.
func (l *LayerNorm) Build(in []int, _ *rand.Rand) ([]int, error) {
	k := in[len(in)-1]
	if k < 2 {
		return nil, model.Errorf("LayerNorm", "rows must have at least 2 features to normalize (the last number of the shape), got %v", in)
	}
	if !(l.Epsilon >= 0) {
		return nil, model.Errorf("LayerNorm", "Epsilon must not be negative, got %v", l.Epsilon)
	}
	if l.Scale == nil {
		l.Scale, l.Shift = make([]float64, k), make([]float64, k)
		for i := range k {
			l.Scale[i] = 1
		}
	}
	if len(l.Scale) != k || len(l.Shift) != k {
		return nil, model.Errorf("LayerNorm", "Scale and Shift must have %d entries (the number of features), got %d and %d", k, len(l.Scale), len(l.Shift))
	}
	l.params = []*Param{newParam("Scale", l.Scale, false), newParam("Shift", l.Shift, false)}
	return in, nil
}

// Params returns Scale and Shift.
func (l *LayerNorm) Params() []*Param { return l.params }

// Forward normalizes.
func (l *LayerNorm) Forward(x *mat.Dense, _ bool) *mat.Dense {
	l.n, l.cols = x.Dims()
	v, k := x.RawMatrix().Data, len(l.Scale)
	hat, a := shaped(&l.hat, l.n, l.cols).RawMatrix().Data, shaped(&l.a, l.n, l.cols).RawMatrix().Data
	l.invert = grown(l.invert, len(v)/k)
	for g := range l.invert {
		at := g * k
		mean, variance := moments(v[at : at+k])
		l.invert[g] = 1 / math.Sqrt(variance+model.Or(l.Epsilon, 1e-5))
		for j := range k {
			h := (v[at+j] - mean) * l.invert[g]
			hat[at+j], a[at+j] = h, l.Scale[j]*h+l.Shift[j]
		}
	}
	return &l.a
}

// moments returns the mean of v and its variance, with the number of entries as divisor.
func moments(v []float64) (mean, variance float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		variance += (x - mean) * (x - mean)
	}
	return mean, variance / float64(len(v))
}

// Backward takes into account that mean and variance depend on all features of a group.
func (l *LayerNorm) Backward(dy *mat.Dense, input bool) *mat.Dense {
	g, hat, k := dy.RawMatrix().Data, l.hat.RawMatrix().Data, len(l.Scale)
	scale, shift := l.params[0].Grad, l.params[1].Grad
	var dx []float64
	if input {
		dx = shaped(&l.dx, l.n, l.cols).RawMatrix().Data
	}
	for group, invert := range l.invert {
		at := group * k
		sum, along := 0.0, 0.0
		for j := range k {
			v, h := g[at+j], hat[at+j]
			scale[j] += v * h
			shift[j] += v
			sum += v * l.Scale[j]
			along += v * l.Scale[j] * h
		}
		if !input {
			continue
		}
		for j := range k {
			dx[at+j] = invert * (g[at+j]*l.Scale[j] - (sum+hat[at+j]*along)/float64(k))
		}
	}
	if !input {
		return nil
	}
	return &l.dx
}
