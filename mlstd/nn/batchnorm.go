package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// BatchNorm normalizes each feature, or each channel of a picture or sequence, to mean 0 and
// variance 1 over the batch, and then applies a learned scale and shift.
//
//	x̂ = (x − μ_B)/√(σ²_B + ε),   a = γ·x̂ + β
//
// In prediction, it uses the running means of μ and σ² over the training batches.
//
// References: [IoffeSzegedy2015].
type BatchNorm struct {
	// Momentum is the weight of the newest batch in the running means; 0 means 0.1. A
	// larger value forgets earlier batches sooner.
	Momentum float64
	// Epsilon is ε, which is added to each variance; 0 means 1e-5.
	Epsilon float64

	Scale, Shift   []float64 // set by Build: γ and β
	Mean, Variance []float64 // set by Build: the running means

	params   []*Param
	trained  bool
	n, cols  int
	invert   []float64 // 1/√(σ²+ε)
	sg, sgx  []float64
	hat      mat.Dense
	a, dx    mat.Dense
	features int
}

// Build sets the scale to 1 and the shift to 0.
func (l *BatchNorm) Build(in []int, _ *rand.Rand) ([]int, error) {
	k := in[len(in)-1]
	if l.Scale == nil {
		l.Scale, l.Shift, l.Mean, l.Variance = make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
		for i := range k {
			l.Scale[i], l.Variance[i] = 1, 1
		}
	}
	if len(l.Scale) != k || len(l.Shift) != k || len(l.Mean) != k || len(l.Variance) != k {
		return nil, model.Errorf("BatchNorm", "Scale, Shift, Mean and Variance must have %d entries (the number of features), got %d of Scale", k, len(l.Scale))
	}
	l.features = k
	l.invert, l.sg, l.sgx = make([]float64, k), make([]float64, k), make([]float64, k)
	l.params = []*Param{newParam("Scale", l.Scale, false), newParam("Shift", l.Shift, false)}
	return in, nil
}

// Params returns Scale and Shift.
func (l *BatchNorm) Params() []*Param { return l.params }

// Forward normalizes.
func (l *BatchNorm) Forward(x *mat.Dense, training bool) *mat.Dense {
	l.n, l.cols = x.Dims()
	l.trained = training
	v, k := x.RawMatrix().Data, l.features
	mean, variance := l.Mean, l.Variance
	if training {
		mean, variance = l.sg, l.sgx
		l.moments(mean, variance, v)
	}
	for j := range k {
		l.invert[j] = 1 / math.Sqrt(variance[j]+model.Or(l.Epsilon, 1e-5))
	}
	hat, a := sized(&l.hat, l.n, l.cols).RawMatrix().Data, sized(&l.a, l.n, l.cols).RawMatrix().Data
	for at := 0; at < len(v); at += k {
		for j := range k {
			h := (v[at+j] - mean[j]) * l.invert[j]
			hat[at+j], a[at+j] = h, l.Scale[j]*h+l.Shift[j]
		}
	}
	return &l.a
}

// moments computes the means and variances of the batch and updates the running ones.
func (l *BatchNorm) moments(mean, variance, v []float64) {
	k := l.features
	m := float64(len(v) / k)
	clear(mean)
	clear(variance)
	sumRows(mean, v)
	for j := range k {
		mean[j] /= m
	}
	for at := 0; at < len(v); at += k {
		for j := range k {
			e := v[at+j] - mean[j]
			variance[j] += e * e
		}
	}
	share := model.Or(l.Momentum, 0.1)
	for j := range k {
		unbiased := variance[j] / max(1, m-1)
		variance[j] /= m
		l.Mean[j] += share * (mean[j] - l.Mean[j])
		l.Variance[j] += share * (unbiased - l.Variance[j])
	}
}

// Backward takes into account that mean and variance depend on the whole batch.
func (l *BatchNorm) Backward(dy *mat.Dense, input bool) *mat.Dense {
	g, hat, k := dy.RawMatrix().Data, l.hat.RawMatrix().Data, l.features
	clear(l.sg)
	clear(l.sgx)
	for at := 0; at < len(g); at += k {
		for j := range k {
			l.sg[j] += g[at+j]
			l.sgx[j] += g[at+j] * hat[at+j]
		}
	}
	for j := range k {
		l.params[0].Grad[j] += l.sgx[j]
		l.params[1].Grad[j] += l.sg[j]
	}
	if !input {
		return nil
	}
	m := float64(len(g) / k)
	dx := sized(&l.dx, l.n, l.cols).RawMatrix().Data
	for at := 0; at < len(g); at += k {
		for j := range k {
			v := g[at+j]
			if l.trained {
				v -= (l.sg[j] + hat[at+j]*l.sgx[j]) / m
			}
			dx[at+j] = l.Scale[j] * l.invert[j] * v
		}
	}
	return &l.dx
}
