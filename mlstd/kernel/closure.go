package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ScaledKernel is a multiple of a kernel.
//
//	K(a, b) = Factor·K₁(a, b), φ = √Factor·φ₁
//
// Course: KER-18.
type ScaledKernel struct {
	Factor float64 // ≥ 0
	K      Kernel
}

// Eval returns Factor·K(a, b).
func (k ScaledKernel) Eval(a, b []float64) float64 { return k.Factor * k.K.Eval(a, b) }

func (k ScaledKernel) check() error {
	if err := notNegative("Factor of the scaled kernel", k.Factor); err != nil {
		return err
	}
	return checkParts(k.K)
}

// SumKernel is the sum of kernels: its features are the features of all summands, side by side.
//
//	K(a, b) = Σₘ Kₘ(a, b), φ = (φ₁, φ₂, …)
//
// Course: KER-19.
type SumKernel []Kernel

// Eval returns the sum of the kernels.
func (k SumKernel) Eval(a, b []float64) float64 {
	s := 0.0
	for _, part := range k {
		s += part.Eval(a, b)
	}
	return s
}

func (k SumKernel) check() error { return checkParts(k...) }

// ProductKernel is the product of kernels: its features are the products of one feature of each
// kernel. Its Gram matrix is the entrywise product, which is positive semidefinite by Schur's
// theorem.
//
//	K(a, b) = ∏ₘ Kₘ(a, b), φᵢⱼ = φ₁ᵢ·φ₂ⱼ
//
// Course: KER-20.
type ProductKernel []Kernel

// Eval returns the product of the kernels.
func (k ProductKernel) Eval(a, b []float64) float64 {
	p := 1.0
	for _, part := range k {
		p *= part.Eval(a, b)
	}
	return p
}

func (k ProductKernel) check() error { return checkParts(k...) }

// ModulatedKernel multiplies the features of a kernel by a function.
//
//	K(a, b) = F(a)·K₁(a, b)·F(b), φ = F·φ₁
//
// Course: KER-21.
type ModulatedKernel struct {
	F func(x []float64) float64 `json:"-"`
	K Kernel
}

// Eval returns F(a)·K(a, b)·F(b).
func (k ModulatedKernel) Eval(a, b []float64) float64 { return k.F(a) * k.K.Eval(a, b) * k.F(b) }

func (k ModulatedKernel) check() error {
	if k.F == nil {
		return invalid("F of the modulated kernel must not be nil")
	}
	return checkParts(k.K)
}

// NormalizedKernel scales the features to length one: it is the cosine in feature space, and its
// Gram matrix has a diagonal of ones. It is a [ModulatedKernel] with F(x) = 1/√(K(x, x)).
//
//	K(a, b) = K₁(a, b)/√(K₁(a, a)·K₁(b, b))
//
// It is 0 if one of the vectors has length zero in feature space.
//
// Course: KER-21.
type NormalizedKernel struct{ K Kernel }

// Eval returns the cosine of φ(a) and φ(b).
func (k NormalizedKernel) Eval(a, b []float64) float64 {
	aa, bb := k.K.Eval(a, a), k.K.Eval(b, b)
	if !(aa > 0 && bb > 0) {
		return 0
	}
	return k.K.Eval(a, b) / math.Sqrt(aa*bb)
}

func (k NormalizedKernel) check() error { return checkParts(k.K) }

// PolynomialOfKernel applies a polynomial with nonnegative coefficients to a kernel.
//
//	K(a, b) = Σᵢ Coef[i]·K₁(a, b)ⁱ
//
// Course: KER-22.
type PolynomialOfKernel struct {
	Coef []float64 // of the powers 0, 1, 2 …; each ≥ 0
	K    Kernel
}

// Eval returns the polynomial at K(a, b).
func (k PolynomialOfKernel) Eval(a, b []float64) float64 {
	s, v := 0.0, k.K.Eval(a, b)
	for i := len(k.Coef) - 1; i >= 0; i-- {
		s = s*v + k.Coef[i]
	}
	return s
}

func (k PolynomialOfKernel) check() error {
	for i, c := range k.Coef {
		if err := notNegative(fmt.Sprintf("coefficient %d of the polynomial of a kernel", i), c); err != nil {
			return err
		}
	}
	return checkParts(k.K)
}

// ExpKernel is the exponential of a kernel, the limit of polynomials with
// coefficients 1/i!.
//
//	K(a, b) = exp(K₁(a, b))
//
// Course: KER-23.
type ExpKernel struct{ K Kernel }

// Eval returns exp(K(a, b)).
func (k ExpKernel) Eval(a, b []float64) float64 { return math.Exp(k.K.Eval(a, b)) }

func (k ExpKernel) check() error { return checkParts(k.K) }

// MappedKernel is a kernel between the features that Map computes. Map can be any function, and its
// results can have another dimension than its arguments.
//
//	K(a, b) = K₁(Map(a), Map(b))
//
// Course: KER-24.
type MappedKernel struct {
	Map FeatureMap `json:"-"`
	K   Kernel
}

// Eval returns K(Map(a), Map(b)).
func (k MappedKernel) Eval(a, b []float64) float64 { return k.K.Eval(k.Map(a), k.Map(b)) }

func (k MappedKernel) check() error {
	if k.Map == nil {
		return invalid("Map of the mapped kernel must not be nil")
	}
	return checkParts(k.K)
}

// QuadraticFormKernel is the dot product defined by a positive semidefinite matrix.
//
//	K(a, b) = aᵀ·A·b, φ(x) = Lᵀx with A = L·Lᵀ
//
// Course: KER-25.
type QuadraticFormKernel struct{ A *mat.SymDense }

// Eval returns aᵀAb.
func (k QuadraticFormKernel) Eval(a, b []float64) float64 {
	if n := k.A.SymmetricDim(); len(a) != n || len(b) != n {
		panic(model.Errorf("QuadraticFormKernel", "the vectors must have %d values (the number of rows of A), got %d and %d", n, len(a), len(b)))
	}
	s := 0.0
	for i, u := range a {
		for j, v := range b {
			s += u * k.A.At(i, j) * v
		}
	}
	return s
}

func (k QuadraticFormKernel) check() error {
	if k.A == nil || k.A.IsEmpty() {
		return invalid("A of the quadratic form must not be nil")
	}
	if v := PositiveSemidefinite(k.A); !v.Valid {
		return invalid("A of the quadratic form must be positive semidefinite, got the eigenvalue %v", v.Eigenvalues[0])
	}
	return nil
}

func checkParts(parts ...Kernel) error {
	if len(parts) == 0 {
		return fmt.Errorf("at least one kernel must be given")
	}
	for _, k := range parts {
		if k == nil {
			return fmt.Errorf("the kernels must not be nil")
		}
		if c, ok := k.(interface{ check() error }); ok {
			if err := c.check(); err != nil {
				return err
			}
		}
	}
	return nil
}
