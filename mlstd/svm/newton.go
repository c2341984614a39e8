package svm

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// newtonColumns is the widest x for which the Hessian is built and solved.
const newtonColumns = 500

// newton returns w with b after it for the squared hinge, by Newton's method on the
// primal: over the violations V of the margin,
//
//	g = w + 2·Σ_V Cᵢ(f(xᵢ) − yᵢ)·xᵢ,  H = I + 2·Σ_V Cᵢ·xᵢxᵢᵀ,  w ← w − s·H⁻¹g
//
// The objective is quadratic wherever V stays the same, so that few steps are
// exact; s is halved until the objective falls enough.
func (f *coordinates) newton(signs []float64, step func(iter int, gradient float64) error) ([]float64, bool, error) {
	n, c := f.d.Dense.Dims()
	size := c
	if f.bias {
		size++
	}
	w, next, scores := make([]float64, c+1), make([]float64, c+1), make([]float64, n)
	value, first := f.score(w[:size], signs, scores), 0.0
	for iter := 1; iter <= f.maxIter; iter++ {
		grad, hess := f.derivatives(w[:size], signs, scores)
		norm := floats.Norm(grad, 2)
		if iter == 1 {
			first = norm
		}
		if err := step(iter, norm); err != nil {
			return nil, false, err
		}
		if norm <= f.tol*first {
			return w, true, nil
		}
		var chol mat.Cholesky
		if !chol.Factorize(hess) {
			return w, false, nil
		}
		var dir mat.VecDense
		// An ill-conditioned H, of columns on very different scales, still gives a
		// direction of descent.
		var ill mat.Condition
		if err := chol.SolveVecTo(&dir, mat.NewVecDense(size, grad)); err != nil && !errors.As(err, &ill) {
			return w, false, nil
		}
		slope := floats.Dot(grad, dir.RawVector().Data)
		moved := false
		for s := 1.0; s > 1e-12; s /= 2 {
			floats.AddScaledTo(next[:size], w[:size], -s, dir.RawVector().Data)
			if v := f.score(next[:size], signs, scores); v <= value-0.01*s*slope {
				value, moved = v, true
				break
			}
		}
		if !moved { // rounding hides any further decrease
			return w, norm <= 1e3*f.tol*first, nil
		}
		w, next = next, w
	}
	return w, false, nil
}

const newtonGrain = 4096

// score writes f(xᵢ) and returns the objective.
func (f *coordinates) score(w, signs, scores []float64) float64 {
	n, c := f.d.Dense.Dims()
	parts := make([]float64, (n+newtonGrain-1)/newtonGrain)
	par.Range(n, newtonGrain, func(lo, hi int) {
		sum := 0.0
		for i := lo; i < hi; i++ {
			s := dot(f.d.Dense.RawRowView(i), w)
			if len(w) > c {
				s += w[c]
			}
			scores[i] = s
			if short := 1 - signs[i]*s; short > 0 {
				sum += f.bound[i] * short * short
			}
		}
		parts[lo/newtonGrain] = sum
	})
	return floats.Dot(w, w)/2 + floats.Sum(parts)
}

// derivatives adds up chunk by chunk, in an order that does not depend on the
// number of processors.
func (f *coordinates) derivatives(w, signs, scores []float64) ([]float64, *mat.SymDense) {
	n, c := f.d.Dense.Dims()
	size := len(w)
	chunks := (n + newtonGrain - 1) / newtonGrain
	grads, hessians := make([][]float64, chunks), make([][]float64, chunks)
	par.Range(n, newtonGrain, func(lo, hi int) {
		const block = 256 // rows that stay in the cache
		g, h := make([]float64, size), make([]float64, size*size)
		rows, held := make([]float64, block*size), 0
		for i := lo; i < hi; i++ {
			if 1-signs[i]*scores[i] <= 0 {
				continue
			}
			at, root := rows[held*size:(held+1)*size], math.Sqrt(2*f.bound[i])
			for j, v := range f.d.Dense.RawRowView(i) {
				at[j] = root * v
			}
			if size > c {
				at[c] = root
			}
			axpy(g, root*(scores[i]-signs[i]), at)
			if held++; held == block {
				linalg.AddGram(h, size, rows, held, size, size)
				held = 0
			}
		}
		linalg.AddGram(h, size, rows, held, size, size)
		grads[lo/newtonGrain], hessians[lo/newtonGrain] = g, h
	})
	grad, hess := append([]float64(nil), w...), make([]float64, size*size)
	for i := range size {
		hess[i*size+i] = 1
	}
	for k := range grads {
		floats.Add(grad, grads[k])
		floats.Add(hess, hessians[k])
	}
	return grad, mat.NewSymDense(size, hess)
}
