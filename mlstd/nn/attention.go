package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
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
// With Heads h of at least 2, the columns of Q, K and V are divided into h blocks of d/h columns.
// Each head computes A from its own block, with its own weights P. The results side by side are
// multiplied by OutputCoef, and have as many features as the input:
//
//	Pᵢ = softmax(Qᵢ·Kᵢᵀ/√(d/h), row by row),   A = [P₁·V₁ … P_h·V_h]·OutputCoef
//
// Cost: steps²·Size + 3·steps·features·Size per row, and steps·Size·features more with several
// heads.
//
// References: [Vaswani2017].
type SelfAttention struct {
	// Size is d, the number of columns of queries, keys and values of all heads together; 0 means
	// the number of features.
	Size   int
	Causal bool
	// Heads is the number of heads h, which must divide Size; 0 means 1. With more heads, a step
	// can attend to several steps for different reasons.
	Heads int `snapshot:"added"`

	QueryCoef, KeyCoef, ValueCoef *mat.Dense // set by Build: features x Size
	// OutputCoef is set by Build: Size x features, or nil for one head.
	OutputCoef *mat.Dense `snapshot:"added"`

	params          []*Param
	steps, features int
	size, heads     int
	x               *mat.Dense
	q, k, v, a      mat.Dense // one row per step of each row of the batch
	p               []float64 // P of each row of the batch and head
	out, dx         mat.Dense
	da, dq, dk, dv  mat.Dense
	product         product
}

// Build initializes the weights at random.
func (l *SelfAttention) Build(in []int, rng *rand.Rand) ([]int, error) {
	if len(in) != 2 || l.Size < 0 {
		return nil, model.Errorf("SelfAttention", "rows must have the shape []int{steps, features}, and Size must be positive, got %v and %d", in, l.Size).WithHint("use a shape such as []int{10, 4}")
	}
	l.steps, l.features = in[0], in[1]
	d, h := orInt(l.Size, l.features), orInt(l.Heads, 1)
	if h < 1 || d%h != 0 {
		return nil, model.Errorf("SelfAttention", "Heads must be positive and divide %d (the columns of queries, keys and values), got %d", d, h).WithHint("use a divisor of Size")
	}
	l.size, l.heads = d, h
	if l.QueryCoef == nil {
		l.QueryCoef = GlorotInit.draw(l.features, d, l.features, d, rng)
		l.KeyCoef = GlorotInit.draw(l.features, d, l.features, d, rng)
		l.ValueCoef = GlorotInit.draw(l.features, d, l.features, d, rng)
		if l.OutputCoef = nil; h > 1 {
			l.OutputCoef = GlorotInit.draw(d, l.features, d, l.features, rng)
		}
	}
	l.params = nil
	for i, w := range []*mat.Dense{l.QueryCoef, l.KeyCoef, l.ValueCoef} {
		if err := l.add([]string{"QueryCoef", "KeyCoef", "ValueCoef"}[i], w, l.features, d); err != nil {
			return nil, err
		}
	}
	if h == 1 {
		return []int{l.steps, d}, nil
	}
	if err := l.add("OutputCoef", l.OutputCoef, d, l.features); err != nil {
		return nil, err
	}
	return []int{l.steps, l.features}, nil
}

// add adds w to the parameters, unless it does not have the shape r x c.
func (l *SelfAttention) add(name string, w *mat.Dense, r, c int) error {
	rows, cols := 0, 0
	if w != nil {
		rows, cols = w.Dims()
	}
	if rows != r || cols != c {
		return model.Errorf("SelfAttention", "%s must be %dx%d, got %dx%d", name, r, c, rows, cols)
	}
	l.params = append(l.params, newParam(name, w.RawMatrix().Data, true))
	return nil
}

// Params returns the weights.
func (l *SelfAttention) Params() []*Param { return l.params }

// Weights returns P for row i of the last batch. P has one row per attending position and one
// column per attended position. With several heads, it is the mean of their matrices.
func (l *SelfAttention) Weights(i int) *mat.Dense {
	l.checkRow("SelfAttention.Weights", i)
	p := l.HeadWeights(i, 0)
	for h := 1; h < l.heads; h++ {
		p.Add(p, l.HeadWeights(i, h))
	}
	p.Scale(1/float64(l.heads), p)
	return p
}

// HeadWeights returns P of one head, counted from 0, for row i of the last batch.
func (l *SelfAttention) HeadWeights(i, head int) *mat.Dense {
	const op = "SelfAttention.HeadWeights"
	l.checkRow(op, i)
	if head < 0 || head >= l.heads {
		panic(model.Errorf(op, "head must be between 0 and %d, got %d", l.heads-1, head))
	}
	return mat.DenseCopyOf(mat.NewDense(l.steps, l.steps, l.weights(i, head)))
}

// checkRow panics unless row i is in the last batch.
func (l *SelfAttention) checkRow(op string, i int) {
	if l.x == nil || i < 0 || i >= l.x.RawMatrix().Rows {
		panic(model.Errorf(op, "row must be one of the last batch, got %d", i).WithHint("call Output of the network first"))
	}
}

// weights returns the memory of P of a head for row i of the batch.
func (l *SelfAttention) weights(i, head int) []float64 {
	n := l.steps * l.steps
	at := (i*l.heads + head) * n
	return l.p[at : at+n]
}

// reach returns the number of steps that step t attends to.
func (l *SelfAttention) reach(t int) int {
	if l.Causal {
		return t + 1
	}
	return l.steps
}

// rows calls f for all rows of the batch, on all processors.
func (l *SelfAttention) rows(n int, f func(i int)) {
	grain := max(1, (1<<16)/(l.steps*l.steps*l.size))
	par.Range(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f(i)
		}
	})
}

// block returns the columns of a head in step t of row i.
func (l *SelfAttention) block(m *mat.Dense, i, t, head int) []float64 {
	d := l.size / l.heads
	at := (i*l.steps+t)*l.size + head*d
	return m.RawMatrix().Data[at : at+d]
}

// Forward computes the attention.
func (l *SelfAttention) Forward(x *mat.Dense, _ bool) *mat.Dense {
	n, _ := x.Dims()
	l.x = x
	rows, in := n*l.steps, x.RawMatrix().Data
	for i, m := range []*mat.Dense{&l.q, &l.k, &l.v} {
		l.product.add(sized(m, rows, l.size).RawMatrix().Data, in, l.params[i].Value, rows, l.features, l.size)
	}
	l.p = grown(l.p, n*l.heads*l.steps*l.steps)
	if l.heads == 1 {
		sized(&l.out, n, l.steps*l.size)
		l.a = *mat.NewDense(rows, l.size, l.out.RawMatrix().Data)
	} else {
		sized(&l.a, rows, l.size)
	}
	l.rows(n, l.attend)
	if l.heads > 1 {
		out := sized(&l.out, n, l.steps*l.features).RawMatrix().Data
		l.product.add(out, l.a.RawMatrix().Data, l.OutputCoef.RawMatrix().Data, rows, l.size, l.features)
	}
	return &l.out
}

// attend computes P and A of row i.
func (l *SelfAttention) attend(i int) {
	scale := 1 / math.Sqrt(float64(l.size/l.heads))
	for h := range l.heads {
		p := l.weights(i, h)
		for t := range l.steps {
			row, query := p[t*l.steps:(t+1)*l.steps], l.block(&l.q, i, t, h)
			clear(row[l.reach(t):])
			row = row[:l.reach(t)]
			for s := range row {
				row[s] = floats.Dot(query, l.block(&l.k, i, s, h)) * scale
			}
			softmax(row)
			to := l.block(&l.a, i, t, h)
			for s, w := range row {
				floats.AddScaled(to, w, l.block(&l.v, i, s, h))
			}
		}
	}
}

// Backward backpropagates through the products and the softmax.
func (l *SelfAttention) Backward(dy *mat.Dense, input bool) *mat.Dense {
	n, _ := l.x.Dims()
	rows, da := n*l.steps, dy
	if l.heads > 1 {
		g := dy.RawMatrix().Data
		l.product.addLeft(l.params[3].Grad, l.a.RawMatrix().Data, g, l.size, rows, l.features)
		da = sized(&l.da, rows, l.size)
		l.product.addTransposed(da.RawMatrix().Data, g, l.OutputCoef.RawMatrix().Data, rows, l.features, l.size)
	}
	parts := []*mat.Dense{&l.dq, &l.dk, &l.dv}
	for _, m := range parts {
		sized(m, rows, l.size)
	}
	l.rows(n, func(i int) { l.attendBack(i, da) })
	for i, m := range parts {
		l.product.addLeft(l.params[i].Grad, l.x.RawMatrix().Data, m.RawMatrix().Data, l.features, rows, l.size)
	}
	if !input {
		return nil
	}
	dx := sized(&l.dx, n, l.steps*l.features).RawMatrix().Data
	for i, m := range parts {
		l.product.addTransposed(dx, m.RawMatrix().Data, l.params[i].Value, rows, l.size, l.features)
	}
	return &l.dx
}

// attendBack computes the gradients with respect to Q, K and V of row i.
func (l *SelfAttention) attendBack(i int, da *mat.Dense) {
	scale := 1 / math.Sqrt(float64(l.size/l.heads))
	dp, ds := make([]float64, l.steps), make([]float64, l.steps)
	for h := range l.heads {
		p := l.weights(i, h)
		for t := range l.steps {
			n := l.reach(t)
			row, g := p[t*l.steps:t*l.steps+n], l.block(da, i, t, h)
			for s, w := range row {
				dp[s], ds[s] = floats.Dot(g, l.block(&l.v, i, s, h)), 0
				floats.AddScaled(l.block(&l.dv, i, s, h), w, g)
			}
			softmaxBack(ds[:n], row, dp[:n])
			query, dq := l.block(&l.q, i, t, h), l.block(&l.dq, i, t, h)
			for s, w := range ds[:n] {
				floats.AddScaled(dq, w*scale, l.block(&l.k, i, s, h))
				floats.AddScaled(l.block(&l.dk, i, s, h), w*scale, query)
			}
		}
	}
}
