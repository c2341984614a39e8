package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// PositionalEncoding adds a fixed vector to each step of a sequence, so that the layers after it
// can tell the positions apart.
//
// For step t, counted from 0, and feature j of d features, it adds
//
//	sin(t/Base^(j/d))        if j is even
//	cos(t/Base^((j−1)/d))    if j is odd
//
// The first features change with every step, the last ones hardly at all. Use it after an
// [Embedding]: attention and its weights do not depend on the order of the steps.
//
// References: [Vaswani2017].
type PositionalEncoding struct {
	// Base determines the longest wave, of 2π·Base steps; 0 means 10000. A smaller base makes
	// distant positions of a short sequence easier to tell apart.
	Base float64

	code mat.Dense // one row per step
	a    mat.Dense
}

// Build computes the vectors.
func (l *PositionalEncoding) Build(in []int, _ *rand.Rand) ([]int, error) {
	if len(in) != 2 {
		return nil, model.Errorf("PositionalEncoding", "rows must have the shape []int{steps, features}, such as []int{10, 4}, got %v", in)
	}
	if base := model.Or(l.Base, 10000); !(base >= 1) || math.IsInf(base, 1) {
		return nil, model.Errorf("PositionalEncoding", "Base must be at least 1 and finite, got %v", base)
	}
	l.code.CloneFrom(l.Vectors(in[0], in[1]))
	return in, nil
}

// Vectors returns the vectors that are added, one row per step with the given number of features.
func (l *PositionalEncoding) Vectors(steps, features int) *mat.Dense {
	if steps < 1 || features < 1 {
		panic(model.Errorf("PositionalEncoding.Vectors", "steps and features must be positive, got %d and %d", steps, features))
	}
	m := mat.NewDense(steps, features, nil)
	base := model.Or(l.Base, 10000)
	for t := range steps {
		for j := range features {
			angle := float64(t) / math.Pow(base, float64(j-j%2)/float64(features))
			if j%2 == 0 {
				m.Set(t, j, math.Sin(angle))
			} else {
				m.Set(t, j, math.Cos(angle))
			}
		}
	}
	return m
}

// Params returns nil, because the layer has no weights.
func (l *PositionalEncoding) Params() []*Param { return nil }

// Forward adds the vectors.
func (l *PositionalEncoding) Forward(x *mat.Dense, _ bool) *mat.Dense {
	n, d := x.Dims()
	shaped(&l.a, n, d)
	for i := range n {
		floats.AddTo(l.a.RawRowView(i), x.RawRowView(i), l.code.RawMatrix().Data)
	}
	return &l.a
}

// Backward returns dy.
func (l *PositionalEncoding) Backward(dy *mat.Dense, _ bool) *mat.Dense { return dy }

// TransformerBlock describes the layers of one block of a transformer: self-attention, and then a
// network with one hidden layer that is applied to each step. Both are residual, with a [LayerNorm]
// before them, or after them with PostNorm.
//
//	x ← x + attention(norm(x)),         x ← x + feed-forward(norm(x))
//	x ← norm(x + attention(x)),         x ← norm(x + feed-forward(x))    with PostNorm
//
// It is not a [Layer]: add the result of [TransformerBlock.Layers] to the layers of a [Network]. A
// network that predicts the next word is an [Embedding], a [PositionalEncoding], some blocks with
// Causal, a [LayerNorm] (unless PostNorm is set), and a [Conv1D] of size 1 with a filter per word.
// Train it with [StepEntropy].
//
// Deep networks with PostNorm, the original form, need a rate that starts small; see [CosineRate].
//
// References: [Vaswani2017], [Xiong2020].
type TransformerBlock struct {
	// Size is the number of features of a step.
	Size int
	// Heads is the number of heads, which must divide Size; 0 means 1.
	Heads int
	// Hidden is the number of hidden units for each step; 0 means four times Size.
	Hidden     int
	Causal     bool       // no step attends to a later step
	Activation Activation // of the hidden units; empty means ReLU
	// Dropout is the probability with which each output of the two parts is set to 0 in training; 0
	// means no dropout. A larger value regularizes more.
	Dropout  float64
	PostNorm bool // normalize after the additions, as in the original paper
}

// Layers returns new layers of the block. It panics if a field is invalid.
func (b TransformerBlock) Layers() []Layer {
	const op = "TransformerBlock.Layers"
	if b.Size < 2 {
		panic(model.Errorf(op, "Size must be at least 2, got %d", b.Size).WithHint("set Size to the number of features of a step"))
	}
	if b.Heads < 0 || b.Size%orInt(b.Heads, 1) != 0 {
		panic(model.Errorf(op, "Heads must be positive and divide Size, which is %d, got %d", b.Size, b.Heads))
	}
	if b.Hidden < 0 {
		panic(model.Errorf(op, "Hidden must not be negative, got %d", b.Hidden))
	}
	if !(b.Dropout >= 0 && b.Dropout < 1) {
		panic(model.Errorf(op, "Dropout must be at least 0 and below 1, got %v", b.Dropout))
	}
	hidden := b.Activation.or(ReLU)
	hidden.check(op)
	attention := []Layer{&SelfAttention{Causal: b.Causal, Heads: b.Heads}}
	forward := []Layer{
		&Conv1D{Filters: orInt(b.Hidden, 4*b.Size), Size: 1, Activation: hidden},
		&Conv1D{Filters: b.Size, Size: 1},
	}
	if b.Dropout > 0 {
		attention = append(attention, &Dropout{Share: b.Dropout})
		forward = append(forward, &Dropout{Share: b.Dropout})
	}
	if b.PostNorm {
		return []Layer{&Residual{Layers: attention}, &LayerNorm{}, &Residual{Layers: forward}, &LayerNorm{}}
	}
	return []Layer{
		&Residual{Layers: append([]Layer{&LayerNorm{}}, attention...)},
		&Residual{Layers: append([]Layer{&LayerNorm{}}, forward...)},
	}
}
