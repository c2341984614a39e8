package optim

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Norm returns the l_p norm of w.
//
//	‖w‖_p = (Σ |wᵢ|^p)^(1/p),  ‖w‖_∞ = maxᵢ |wᵢ|,  ‖w‖₀ = #{i : wᵢ ≠ 0}
//
// For p = 0 it is the number of nonzero entries, and for p = +Inf the largest absolute value. For p
// below 1 it is not a norm (its unit ball is not convex).
//
// Course: OPT-12.
func Norm(w []float64, p float64) float64 {
	switch {
	case p < 0 || math.IsNaN(p):
		panic(model.Errorf("Norm", "p must not be negative, got %v", p))
	case p == 0:
		n := 0.0
		for _, v := range w {
			if v != 0 {
				n++
			}
		}
		return n
	case math.IsInf(p, 1):
		m := 0.0
		for _, v := range w {
			m = max(m, math.Abs(v))
		}
		return m
	case p == 1:
		s := 0.0
		for _, v := range w {
			s += math.Abs(v)
		}
		return s
	}
	top := Norm(w, math.Inf(1))
	if top == 0 {
		return 0
	}
	s := 0.0
	for _, v := range w {
		s += math.Pow(math.Abs(v)/top, p)
	}
	return top * math.Pow(s, 1/p)
}

// UnitBall returns n points of the boundary {w ∈ R² : ‖w‖_p = 1}, in order of angle: a cross for p
// → 0, a diamond for 1 (the square turned by 45 degrees), a circle for 2, a square for +Inf. The
// corners of the diamond lie on the axes, where coordinates are exactly zero, so solutions with an
// l₁ penalty are sparse.
//
// For p = 0, the "ball" is the cross of the two axes, truncated at length 1.
//
// Course: OPT-12.
func UnitBall(p float64, n int) (x, y []float64) {
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		d := []float64{math.Cos(a), math.Sin(a)}
		if p == 0 {
			// Alternate between the center and the ends of the axes.
			if i%2 == 0 {
				d = []float64{0, 0}
			} else {
				q := (i / 2) % 4
				d = []float64{[]float64{1, 0, -1, 0}[q], []float64{0, 1, 0, -1}[q]}
			}
			x, y = append(x, d[0]), append(y, d[1])
			continue
		}
		r := Norm(d, p)
		x, y = append(x, d[0]/r), append(y, d[1]/r)
	}
	return x, y
}

// IsConvexNorm reports whether the unit ball of l_p is convex, which it is for p ≥ 1.
//
// Course: OPT-12.
func IsConvexNorm(p float64) bool { return p >= 1 }

// SoftThreshold moves v toward zero by t, but not beyond zero. The result is the minimizer of ½(w −
// v)² + t·|w|. It is the lasso solution of each coordinate when the columns are orthonormal.
//
//	S(v, t) = sign(v)·max{|v| − t, 0}
//
// Course: OPT-13.
func SoftThreshold(v, t float64) float64 {
	return sign(v) * max(math.Abs(v)-t, 0)
}

// Shrink divides v by 1 + t. The result is the minimizer of ½(w − v)² + (t/2)·w², the ridge
// solution of each coordinate if the columns are orthonormal. No coordinate becomes exactly zero.
//
// Course: OPT-13.
func Shrink(v, t float64) float64 { return v / (1 + t) }

// PredictionChange returns an upper bound on the change of a linear score if the input changes by
// at most eps in the l₂ norm.
//
//	|w·(x + δ) − w·x| ≤ ‖w‖₂·ε
//
// Small weights make a stable predictor; the bound is attained if δ is parallel to w.
//
// Course: OPT-14.
func PredictionChange(w []float64, eps float64) float64 { return Norm(w, 2) * eps }

// Penalty is a term of the objective that keeps parameters small. It has a subgradient.
type Penalty interface {
	Value(w []float64) float64
	// AddGradient adds the (sub)gradient at w to dst.
	AddGradient(dst, w []float64)
}

// L2Penalty is (λ/2)·‖w‖². It does not change when the axes are rotated.
//
// Course: OPT-11, OPT-24.
type L2Penalty struct{ Lambda float64 }

// Value returns (λ/2)·Σwᵢ².
func (p L2Penalty) Value(w []float64) float64 {
	s := 0.0
	for _, v := range w {
		s += v * v
	}
	return p.Lambda / 2 * s
}

// AddGradient adds λw: a step of descent multiplies w by 1 − ηλ (weight decay).
func (p L2Penalty) AddGradient(dst, w []float64) {
	for i, v := range w {
		dst[i] += p.Lambda * v
	}
}

// L1Penalty is λ·‖w‖₁. Prefer the l₁ penalty to the l₂ penalty if there are few examples and many
// irrelevant features.
//
// Course: OPT-13.
type L1Penalty struct{ Lambda float64 }

// Value returns λ·Σ|wᵢ|.
func (p L1Penalty) Value(w []float64) float64 { return p.Lambda * Norm(w, 1) }

// AddGradient adds λ·sign(w), with 0 as the subgradient at 0.
func (p L1Penalty) AddGradient(dst, w []float64) {
	for i, v := range w {
		dst[i] += p.Lambda * sign(v)
	}
}
