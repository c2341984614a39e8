package optim

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// RegularizedSolution is the least-squares solution that one of the three forms of
// regularization selects.
type RegularizedSolution struct {
	Coef   []float64
	Lambda float64 // the multiplier that makes the three forms agree
	Norm   float64 // ‖w‖₂
	Loss   float64 // ½‖y − Xw‖²
}

// Tikhonov returns the solution with the penalty added to the loss:
//
//	min_w ½‖y − Xw‖² + (λ/2)‖w‖²,  w = (XᵀX + λI)⁻¹Xᵀy
//
// [Ivanov] bounds the norm instead, and [Morozov] bounds the loss. As lambda or the bound varies,
// all three functions trace the same path of solutions.
//
// References: [TikhonovArsenin1977]. Course: OPT-11.
func Tikhonov(x mat.Matrix, y []float64, lambda float64) (*RegularizedSolution, error) {
	r, err := newRidgePath("Tikhonov", x, y)
	if err != nil {
		return nil, err
	}
	if !(lambda >= 0) {
		return nil, model.Errorf("Tikhonov", "lambda must not be negative, got %v", lambda)
	}
	return r.at(lambda), nil
}

// Ivanov returns the solution with a bound on the norm: min ½‖y − Xw‖² subject to ‖w‖ ≤ delta.
//
// Course: OPT-11.
func Ivanov(x mat.Matrix, y []float64, delta float64) (*RegularizedSolution, error) {
	r, err := newRidgePath("Ivanov", x, y)
	if err != nil {
		return nil, err
	}
	if !(delta > 0) {
		return nil, model.Errorf("Ivanov", "delta must be positive, got %v", delta)
	}
	return r.search(func(s *RegularizedSolution) bool { return s.Norm <= delta }), nil
}

// Morozov returns the solution with a bound on the loss: min ‖w‖ subject to ½‖y − Xw‖² ≤ delta.
//
// Course: OPT-11.
func Morozov(x mat.Matrix, y []float64, delta float64) (*RegularizedSolution, error) {
	r, err := newRidgePath("Morozov", x, y)
	if err != nil {
		return nil, err
	}
	least := r.at(0).Loss
	if !(delta >= least) {
		return nil, model.Errorf("Morozov", "delta must be at least %v (the minimum loss), got %v", least, delta)
	}
	// The loss rises with lambda: the boundary is the largest lambda allowed.
	return r.search(func(s *RegularizedSolution) bool { return s.Loss >= delta }), nil
}

// ridgePath returns the ridge solution for any lambda from one decomposition.
type ridgePath struct {
	x   *mat.Dense
	y   []float64
	s   []float64 // singular values
	v   mat.Dense
	uty []float64
}

func newRidgePath(op string, x mat.Matrix, y []float64) (*ridgePath, error) {
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return nil, err
	}
	var svd mat.SVD
	if !svd.Factorize(d, mat.SVDThin) {
		return nil, model.Errorf(op, "the singular value decomposition of x failed")
	}
	r := &ridgePath{x: d, y: y, s: svd.Values(nil)}
	var u mat.Dense
	svd.UTo(&u)
	svd.VTo(&r.v)
	r.uty = make([]float64, len(r.s))
	mat.NewVecDense(len(r.s), r.uty).MulVec(u.T(), mat.NewVecDense(len(y), y))
	return r, nil
}

func (r *ridgePath) at(lambda float64) *RegularizedSolution {
	_, p := r.x.Dims()
	c := make([]float64, len(r.s))
	for i, s := range r.s {
		if d := s*s + lambda; d > 0 && s > 1e-12*r.s[0] {
			c[i] = s / d * r.uty[i]
		}
	}
	w := make([]float64, p)
	mat.NewVecDense(p, w).MulVec(&r.v, mat.NewVecDense(len(c), c))
	out := &RegularizedSolution{Coef: w, Lambda: lambda, Norm: Norm(w, 2)}
	for i, t := range r.y {
		res := t
		for j, v := range r.x.RawRowView(i) {
			res -= v * w[j]
		}
		out.Loss += res * res / 2
	}
	return out
}

// search bisects for the least lambda at which the monotone condition holds.
func (r *ridgePath) search(holds func(*RegularizedSolution) bool) *RegularizedSolution {
	if s := r.at(0); holds(s) {
		return s
	}
	lo, hi := 0.0, 1.0
	for !holds(r.at(hi)) && hi < 1e18 {
		hi *= 4
	}
	for range 200 {
		mid := (lo + hi) / 2
		if lo > 0 {
			mid = math.Sqrt(lo * hi)
		}
		if mid == lo || mid == hi {
			break
		}
		if holds(r.at(mid)) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return r.at(hi)
}
