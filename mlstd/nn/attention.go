package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SelfAttention replaces each step of a sequence with a weighted mean of the values of all steps.
// The weights measure how well the keys of the steps match the query of the replaced step.
//
//	Q = X·QueryCoef,  K = X·KeyCoef,  V = X·ValueCoef
//	P = softmax(Q·Kᵀ/√d, row by row),   A = P·V
//
// With Causal, no step attends to a later step.
//
// Cost: steps²·Size + 3·steps·features·Size per row.
//
// References: [Vaswani2017].
type SelfAttention struct {
	// Size is d, the number of columns of queries, keys and values; 0 means the number
	// of features.
	Size   int
	Causal bool

	QueryCoef, KeyCoef, ValueCoef *mat.Dense // set by Build: features x Size

	params          []*Param
	steps, features int
	x               *mat.Dense
	q, k, v, p      []mat.Dense // one matrix per row of the batch
	out, dx         mat.Dense
}

// Build initializes the weights at random.
func (l *SelfAttention) Build(in []int, rng *rand.Rand) ([]int, error) {
	if len(in) != 2 || l.Size < 0 {
		return nil, model.Errorf("SelfAttention", "rows must have the shape []int{steps, features}, and Size must be positive, got %v and %d", in, l.Size).WithHint("use a shape such as []int{10, 4}")
	}
	l.steps, l.features = in[0], in[1]
	d := orInt(l.Size, l.features)
	if l.QueryCoef == nil {
		l.QueryCoef = GlorotInit.draw(l.features, d, l.features, d, rng)
		l.KeyCoef = GlorotInit.draw(l.features, d, l.features, d, rng)
		l.ValueCoef = GlorotInit.draw(l.features, d, l.features, d, rng)
	}
	l.params = nil
	for i, w := range []*mat.Dense{l.QueryCoef, l.KeyCoef, l.ValueCoef} {
		name := []string{"QueryCoef", "KeyCoef", "ValueCoef"}[i]
		if r, c := w.Dims(); r != l.features || c != d {
			return nil, model.Errorf("SelfAttention", "%s must be %dx%d, got %dx%d", name, l.features, d, r, c)
		}
		l.params = append(l.params, newParam(name, w.RawMatrix().Data, true))
	}
	return []int{l.steps, d}, nil
}

// Params returns the weights.
func (l *SelfAttention) Params() []*Param { return l.params }

// Weights returns P for row i of the last batch. P has one row per attending position and one
// column per attended position.
func (l *SelfAttention) Weights(i int) *mat.Dense {
	if i < 0 || i >= len(l.p) {
		panic(model.Errorf("SelfAttention.Weights", "row must be one of the last batch, got %d", i).WithHint("call Output of the network first"))
	}
	return mat.DenseCopyOf(&l.p[i])
}

// Forward computes the attention.
func (l *SelfAttention) Forward(x *mat.Dense, _ bool) *mat.Dense {
	n, _ := x.Dims()
	_, d := l.QueryCoef.Dims()
	l.x = x
	l.q, l.k, l.v, l.p = make([]mat.Dense, n), make([]mat.Dense, n), make([]mat.Dense, n), make([]mat.Dense, n)
	sized(&l.out, n, l.steps*d)
	for i := range n {
		in := mat.NewDense(l.steps, l.features, x.RawRowView(i))
		l.q[i].Mul(in, l.QueryCoef)
		l.k[i].Mul(in, l.KeyCoef)
		l.v[i].Mul(in, l.ValueCoef)
		p := &l.p[i]
		p.Mul(&l.q[i], l.k[i].T())
		p.Scale(1/math.Sqrt(float64(d)), p)
		for t := range l.steps {
			row := p.RawRowView(t)
			if l.Causal {
				clear(row[t+1:])
				row = row[:t+1]
			}
			softmax(row)
		}
		mat.NewDense(l.steps, d, l.out.RawRowView(i)).Mul(p, &l.v[i])
	}
	return &l.out
}

// Backward backpropagates through the three products and the softmax.
func (l *SelfAttention) Backward(dy *mat.Dense, _ bool) *mat.Dense {
	n, _ := l.x.Dims()
	_, d := l.QueryCoef.Dims()
	sized(&l.dx, n, l.steps*l.features)
	var dp, dq, dk, dv, g, back mat.Dense
	for i := range n {
		in := mat.NewDense(l.steps, l.features, l.x.RawRowView(i))
		da := mat.NewDense(l.steps, d, dy.RawRowView(i))
		dx := mat.NewDense(l.steps, l.features, l.dx.RawRowView(i))
		dp.Reset()
		dp.Mul(da, l.v[i].T())
		ds := mat.NewDense(l.steps, l.steps, nil)
		for t := range l.steps {
			softmaxBack(ds.RawRowView(t), l.p[i].RawRowView(t), dp.RawRowView(t))
		}
		ds.Scale(1/math.Sqrt(float64(d)), ds)
		dq.Reset()
		dk.Reset()
		dv.Reset()
		dq.Mul(ds, &l.k[i])
		dk.Mul(ds.T(), &l.q[i])
		dv.Mul(l.p[i].T(), da)
		for j, part := range []*mat.Dense{&dq, &dk, &dv} {
			g.Reset()
			g.Mul(in.T(), part)
			floats.Add(l.params[j].Grad, g.RawMatrix().Data)
			back.Reset()
			back.Mul(part, []*mat.Dense{l.QueryCoef, l.KeyCoef, l.ValueCoef}[j].T())
			dx.Add(dx, &back)
		}
	}
	return &l.dx
}
