package nn

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// WeightInit is the distribution of the initial weights of a layer with n inputs and m outputs.
//
//	zero        0
//	small       uniform in ±0.01, as in the lecture notes
//	uniform     uniform in ±1/√n
//	glorot      uniform in ±√(6/(n+m))
//	he          normal with variance 2/n, for ReLU
//	orthogonal  a random matrix with orthonormal rows or columns
//
// Units of a layer that start with equal weights get equal gradients and stay equal: if all weights
// start at zero, the units of a hidden layer act as one. Random weights break the symmetry; their
// scale keeps the size of the signals equal from layer to layer. Intercepts start at 0.
//
// References: [GlorotBengio2010], [HeZhangRenSun2015], [SaxeMcClellandGanguli2014].
// Course: NET-13.
type WeightInit string

// The available distributions.
const (
	ZeroInit       WeightInit = "zero"
	SmallInit      WeightInit = "small"
	UniformInit    WeightInit = "uniform"
	GlorotInit     WeightInit = "glorot"
	HeInit         WeightInit = "he"
	OrthogonalInit WeightInit = "orthogonal"
)

var weightInits = []WeightInit{ZeroInit, SmallInit, UniformInit, GlorotInit, HeInit, OrthogonalInit}

func (w WeightInit) err(op string) error {
	if w != "" && !slices.Contains(weightInits, w) {
		return model.Errorf(op, "Init must be one of %q, got %q", weightInits, string(w))
	}
	return nil
}

// Draw returns n x m random weights. An empty WeightInit means "glorot".
func (w WeightInit) Draw(n, m int, seed uint64) *mat.Dense {
	if err := w.err("WeightInit.Draw"); err != nil {
		panic(err)
	}
	return w.draw(n, m, n, m, model.Rand(seed, 0))
}

// draw returns rows x cols weights for units with the given numbers of inputs and
// outputs.
func (w WeightInit) draw(rows, cols, in, out int, rng *rand.Rand) *mat.Dense {
	d := mat.NewDense(rows, cols, nil)
	v := d.RawMatrix().Data
	limit := math.Sqrt(6 / float64(in+out))
	switch w {
	case ZeroInit:
		return d
	case SmallInit:
		limit = 0.01
	case UniformInit:
		limit = 1 / math.Sqrt(float64(in))
	case HeInit:
		s := math.Sqrt(2 / float64(in))
		for i := range v {
			v[i] = s * rng.NormFloat64()
		}
		return d
	case OrthogonalInit:
		return orthogonal(rows, cols, rng)
	}
	for i := range v {
		v[i] = limit * (2*rng.Float64() - 1)
	}
	return d
}

// orthogonal returns the Q factor of a random normal matrix, with the signs that make its
// distribution uniform.
func orthogonal(rows, cols int, rng *rand.Rand) *mat.Dense {
	tall, wide := max(rows, cols), min(rows, cols)
	a := mat.NewDense(tall, wide, nil)
	v := a.RawMatrix().Data
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	var qr mat.QR
	qr.Factorize(a)
	var q, r mat.Dense
	qr.QTo(&q)
	qr.RTo(&r)
	out := mat.NewDense(rows, cols, nil)
	for i := range tall {
		for j := range wide {
			x := math.Copysign(1, r.At(j, j)) * q.At(i, j)
			if rows >= cols {
				out.Set(i, j, x)
			} else {
				out.Set(j, i, x)
			}
		}
	}
	return out
}
