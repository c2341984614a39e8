package nn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Embedding maps each word to a learned vector. Rows contain words as indices that start at 0.
//
//	a[t] = Coef[x_t]
//
// References: [Bengio2003].
type Embedding struct {
	Words int // number of words
	Size  int // length of the vectors

	Coef *mat.Dense // set by Build: one row per word

	params []*Param
	x      *mat.Dense
	a, dx  mat.Dense
}

// Build draws the vectors from the standard normal distribution.
func (l *Embedding) Build(in []int, rng *rand.Rand) ([]int, error) {
	if l.Words < 1 || l.Size < 1 {
		return nil, model.Errorf("Embedding", "Words and Size must be positive, got %d and %d", l.Words, l.Size)
	}
	if l.Coef == nil {
		l.Coef = mat.NewDense(l.Words, l.Size, nil)
		v := l.Coef.RawMatrix().Data
		for i := range v {
			v[i] = rng.NormFloat64()
		}
	}
	if r, c := l.Coef.Dims(); r != l.Words || c != l.Size {
		return nil, model.Errorf("Embedding", "Coef must be %dx%d (words, size), got %dx%d", l.Words, l.Size, r, c)
	}
	l.params = []*Param{newParam("Coef", l.Coef.RawMatrix().Data, true)}
	return []int{size(in), l.Size}, nil
}

// Params returns the vectors.
func (l *Embedding) Params() []*Param { return l.params }

// Forward looks up the vectors of the words.
func (l *Embedding) Forward(x *mat.Dense, _ bool) *mat.Dense {
	n, steps := x.Dims()
	l.x = x
	sized(&l.a, n, steps*l.Size)
	for i := range n {
		out := l.a.RawRowView(i)
		for t, v := range x.RawRowView(i) {
			w := int(v)
			if float64(w) != v || w < 0 || w >= l.Words {
				panic(model.Errorf("Embedding", "x[%d][%d] must be a word index between 0 and %d, got %v", i, t, l.Words-1, v))
			}
			copy(out[t*l.Size:(t+1)*l.Size], l.Coef.RawRowView(w))
		}
	}
	return &l.a
}

// Backward accumulates the gradient of each vector whose word is in the rows. There is no gradient
// with respect to the words themselves: Backward returns zeros.
func (l *Embedding) Backward(dy *mat.Dense, input bool) *mat.Dense {
	n, steps := l.x.Dims()
	grad := l.params[0].Grad
	for i := range n {
		g := dy.RawRowView(i)
		for t, v := range l.x.RawRowView(i) {
			sumRows(grad[int(v)*l.Size:(int(v)+1)*l.Size], g[t*l.Size:(t+1)*l.Size])
		}
	}
	if !input {
		return nil
	}
	return sized(&l.dx, n, steps)
}
