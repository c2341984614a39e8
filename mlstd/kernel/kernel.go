package kernel

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Kernel is a similarity of two vectors of the same length that equals the dot
// product φ(a)·φ(b) for some feature map φ.
//
// It is a similarity, not a distance: the squared distance of the two vectors in feature space is
// K(a,a) + K(b,b) − 2K(a,b); see [FeatureDistance].
type Kernel interface {
	// Eval returns K(a, b) and panics when the lengths differ.
	Eval(a, b []float64) float64
}

// DotKernel is a Kernel that depends only on a·b, a·a and b·b. Its Gram matrix is
// computed by a matrix product, which is much faster than one call of Eval per entry.
type DotKernel interface {
	Kernel
	// OfDots replaces dots[j] = a·bⱼ with K(a, bⱼ), given aa = a·a and bb[j] = bⱼ·bⱼ.
	OfDots(dots []float64, aa float64, bb []float64)
}

// KernelFunc converts a function to a Kernel. [CheckKernel] and [Validity] test
// whether the function is a valid kernel.
type KernelFunc func(a, b []float64) float64

// Eval calls f.
func (f KernelFunc) Eval(a, b []float64) float64 {
	sameLength("KernelFunc", a, b)
	return f(a, b)
}

// LinearKernel is the dot product itself: learning stays in the original space.
//
//	K(a, b) = a·b
//
// Course: KER-09.
type LinearKernel struct{}

// Eval returns a·b.
func (LinearKernel) Eval(a, b []float64) float64 { return dot("LinearKernel", a, b) }

// OfDots returns the dot products unchanged.
func (LinearKernel) OfDots([]float64, float64, []float64) {}

// SigmoidKernel is tanh(Scale·a·b + C). It is widely used, although no Scale and C make it a valid
// kernel: Gram matrices with negative eigenvalues exist.
//
// Course: KER-17.
type SigmoidKernel struct {
	Scale float64 // of the dot product; 0 means 1
	C     float64
}

// Eval returns tanh(Scale·a·b + C).
func (k SigmoidKernel) Eval(a, b []float64) float64 {
	return math.Tanh(orOne(k.Scale)*dot("SigmoidKernel", a, b) + k.C)
}

// OfDots replaces each dot product s with tanh(Scale·s + C).
func (k SigmoidKernel) OfDots(dots []float64, _ float64, _ []float64) {
	scale := orOne(k.Scale)
	for j, s := range dots {
		dots[j] = math.Tanh(scale*s + k.C)
	}
}

// IndexedKernel looks up precomputed similarities: each vector holds one number, the index of an
// object in the Gram matrix K. With it, every learner of this package works on parse trees, strings
// or images.
//
// Course: KER-16, KER-31.
type IndexedKernel struct {
	K [][]float64 // K[i][j] is the similarity of objects i and j
}

// Eval returns K[a[0]][b[0]].
func (k IndexedKernel) Eval(a, b []float64) float64 { return k.K[k.position(a)][k.position(b)] }

func (k IndexedKernel) position(a []float64) int {
	if len(a) != 1 || a[0] != math.Trunc(a[0]) || a[0] < 0 || int(a[0]) >= len(k.K) {
		panic(model.Errorf("IndexedKernel", "x must have one column with row indices of K between 0 and %d, got %v", len(k.K)-1, a))
	}
	return int(a[0])
}

// CheckKernel returns an error if the kernel is nil or has invalid parameters, such as a negative
// width of an RBF or a negative multiple of a kernel.
func CheckKernel(op string, k Kernel) error {
	if k == nil {
		return model.Errorf(op, "the kernel must not be nil").WithHint("use a kernel such as ml.RBF(0.5)")
	}
	if c, ok := k.(interface{ check() error }); ok {
		if err := c.check(); err != nil {
			return model.Errorf(op, "%v", err)
		}
	}
	return nil
}

func notNegative(what string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s must be finite and not negative, got %v", what, v)
	}
	return nil
}

func (k SigmoidKernel) check() error {
	if math.IsNaN(k.Scale) || math.IsInf(k.Scale, 0) || math.IsNaN(k.C) || math.IsInf(k.C, 0) {
		return invalid("Scale and C of the sigmoid kernel must be finite, got %v and %v", k.Scale, k.C)
	}
	return nil
}

func (k IndexedKernel) check() error {
	for i, row := range k.K {
		if len(row) != len(k.K) {
			return invalid("K must be square, but row %d has %d entries for %d rows", i, len(row), len(k.K))
		}
	}
	return nil
}

func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

func sameLength(op string, a, b []float64) {
	if len(a) != len(b) {
		panic(model.Errorf(op, "a and b must have the same length, got %d and %d", len(a), len(b)))
	}
}

func dot(op string, a, b []float64) float64 {
	sameLength(op, a, b)
	s := 0.0
	for j, v := range a {
		s += v * b[j]
	}
	return s
}

func squaredDistance(op string, a, b []float64) float64 {
	sameLength(op, a, b)
	s := 0.0
	for j, v := range a {
		s += (v - b[j]) * (v - b[j])
	}
	return s
}

// invalid returns an error about a parameter, whose name the format begins with.
func invalid(format string, args ...any) error { return fmt.Errorf(format, args...) }
