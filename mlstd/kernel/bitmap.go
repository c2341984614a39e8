package kernel

import (
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Bitmap is a black-and-white image with 64 pixels per machine word.
type Bitmap struct {
	Bits  int
	Words []uint64
}

// NewBitmap sets the bits of the values above threshold.
//
// Course: KER-33.
func NewBitmap(values []float64, threshold float64) Bitmap {
	b := Bitmap{Bits: len(values), Words: make([]uint64, (len(values)+63)/64)}
	for i, v := range values {
		if v > threshold {
			b.Words[i/64] |= 1 << (i % 64)
		}
	}
	return b
}

// Dot counts the bits that are set in both bitmaps.
func (b Bitmap) Dot(c Bitmap) int {
	if b.Bits != c.Bits {
		panic(model.Errorf("Bitmap.Dot", "both bitmaps must have the same number of bits, got %d and %d", b.Bits, c.Bits))
	}
	n := 0
	for i, w := range b.Words {
		n += bits.OnesCount64(w & c.Words[i])
	}
	return n
}

// Count is the number of bits that are set.
func (b Bitmap) Count() int { return b.Dot(b) }

// BitmapKernel evaluates a dot-product kernel on bitmaps.
//
//	K(a, b) = κ(|a ∧ b|, |a|, |b|)
//
// The dot product of two images of d pixels takes d/64 operations on machine words. With this
// kernel, a support vector machine works in a space of products of many pixels without computing
// them. The kernel ignores which pixels are neighbors.
//
// Course: KER-33.
type BitmapKernel struct {
	Of DotKernel // such as PolynomialKernel or RBF
}

// Eval returns K(a, b).
func (k BitmapKernel) Eval(a, b Bitmap) float64 {
	dots := []float64{float64(a.Dot(b))}
	k.Of.OfDots(dots, float64(a.Count()), []float64{float64(b.Count())})
	return dots[0]
}

// Gram returns the similarities of all pairs of bitmaps, for [IndexedKernel].
func (k BitmapKernel) Gram(pictures []Bitmap) *mat.SymDense {
	const op = "BitmapKernel.Gram"
	if len(pictures) == 0 {
		panic(model.Errorf(op, "bitmaps must not be empty"))
	}
	if err := CheckKernel(op, k.Of); err != nil {
		panic(err)
	}
	counts := make([]float64, len(pictures))
	for i, p := range pictures {
		counts[i] = float64(p.Count())
	}
	g := mat.NewSymDense(len(pictures), nil)
	row := make([]float64, len(pictures))
	for i, p := range pictures {
		for j := i; j < len(pictures); j++ {
			row[j] = float64(p.Dot(pictures[j]))
		}
		k.Of.OfDots(row[i:], counts[i], counts[i:])
		for j := i; j < len(pictures); j++ {
			g.SetSym(i, j, row[j])
		}
	}
	return g
}
