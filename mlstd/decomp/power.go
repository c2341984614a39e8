package decomp

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// PowerIteration finds the largest eigenvalues of a symmetric matrix by repeated multiplication.
//
//	u ← A·u / ‖A·u‖
//
// until the angle between two steps is below Tol; then λ = uᵀAu. The next pair comes from A −
// λ·u·uᵀ (deflation), where u has eigenvalue 0.
//
// In each step, the angle to the eigenvector shrinks by the factor |λ₂/λ₁|. If two eigenvalues are
// nearly equal, convergence is slow; if they have the same absolute value and opposite signs,
// PowerIteration finds neither.
//
// Cost: O(n²) per step.
//
// References: [GolubVanLoan2013].
// Course: DEC-02.
type PowerIteration struct {
	model.Control

	// K is the number of eigenpairs; 0 means 1.
	K int
	// MaxIter is the maximum number of steps for a pair; 0 means 1000.
	MaxIter int
	// Tol is the tolerance: the iteration stops when a step turns the vector by less than Tol
	// radians; 0 means 1e-9. A larger value stops earlier.
	Tol float64
	// Start is the first vector of each pair; nil means a random vector.
	Start []float64
	// Seed is the seed of the random start.
	Seed uint64

	Values  []float64  // set by Learn: eigenvalues, the largest in size first
	Vectors *mat.Dense // set by Learn: unit eigenvectors, one per column
	// Angles holds, for each pair, the angle in radians between the vectors before and after each
	// step; set by Learn.
	Angles [][]float64
	// Iterates holds, for each pair, the unit vector after each step, if a has at most 64 rows; set
	// by Learn.
	Iterates  [][][]float64
	Converged bool // set by Learn: whether every pair met Tol
}

// Learn finds the first K eigenpairs of the symmetric matrix a.
func (p *PowerIteration) Learn(a mat.Matrix) error {
	const op = "PowerIteration.Learn"
	p.Values, p.Vectors, p.Angles, p.Iterates, p.Converged = nil, nil, nil, nil, false
	d, err := model.CheckX(op, a)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	if n != cols {
		return model.Errorf(op, "a must be a symmetric matrix, got %dx%d", n, cols).WithHint("pass a matrix such as XᵀX")
	}
	for i := range n {
		for j := range i {
			if math.Abs(d.At(i, j)-d.At(j, i)) > 1e-9*max(math.Abs(d.At(i, j)), math.Abs(d.At(j, i))) {
				return model.Errorf(op, "a must be symmetric, got a[%d][%d] = %v and a[%d][%d] = %v", i, j, d.At(i, j), j, i, d.At(j, i)).
					WithHint("pass a matrix such as XᵀX")
			}
		}
	}
	k, err := model.Iterations(op, "K", p.K, 1)
	if err != nil {
		return err
	}
	if k > n {
		return model.Errorf(op, "K must be at most %d (the number of rows), got %d", n, k)
	}
	most, err := model.Iterations(op, "MaxIter", p.MaxIter, 1000)
	if err != nil {
		return err
	}
	if p.Start != nil && (len(p.Start) != n || !(floats.Norm(p.Start, 2) > 0)) {
		return model.Errorf(op, "Start must have %d entries, not all zero, got %d entries of norm %v", n, len(p.Start), floats.Norm(p.Start, 2))
	}
	run := p.Begin("PowerIteration", k*most)
	defer run.End()
	left := mat.DenseCopyOf(d)
	values, vectors := make([]float64, k), mat.NewDense(n, k, nil)
	var angles [][]float64
	var iterates [][][]float64
	all, done := true, 0
	for c := range k {
		u := p.begin(n, c)
		one := powerPair{a: left, tol: model.Or(p.Tol, 1e-9), most: most, keep: n <= 64}
		if err := one.iterate(u, run, &done); err != nil {
			return err
		}
		values[c] = one.value
		vectors.SetCol(c, u)
		angles, iterates, all = append(angles, one.angles), append(iterates, one.iterates), all && one.met
		for i := range n {
			floats.AddScaled(left.RawRowView(i), -one.value*u[i], u)
		}
	}
	turn(nil, vectors)
	p.Values, p.Vectors, p.Angles, p.Converged = values, vectors, angles, all
	if n <= 64 {
		p.Iterates = iterates
	}
	return nil
}

// begin returns the unit vector that pair c starts from.
func (p *PowerIteration) begin(n, c int) []float64 {
	u := make([]float64, n)
	if p.Start != nil && c == 0 {
		copy(u, p.Start)
	} else {
		rng := model.Rand(p.Seed, uint64(c))
		for i := range u {
			u[i] = rng.NormFloat64()
		}
	}
	floats.Scale(1/floats.Norm(u, 2), u)
	return u
}

// powerPair is the search for one pair.
type powerPair struct {
	a        *mat.Dense
	tol      float64
	most     int
	keep     bool
	value    float64
	angles   []float64
	iterates [][]float64
	met      bool
}

func (p *powerPair) iterate(u []float64, run *model.Run, done *int) error {
	n := len(u)
	next := mat.NewVecDense(n, nil)
	for range p.most {
		next.MulVec(p.a, mat.NewVecDense(n, u))
		v := next.RawVector().Data
		p.value = floats.Dot(u, v)
		length := floats.Norm(v, 2)
		if length == 0 { // u is in the null space, like all remaining vectors
			p.value, p.met = 0, true
			return nil
		}
		floats.Scale(1/length, v)
		// The angle between lines: a negative eigenvalue flips u at each step.
		sign := math.Copysign(1, floats.Dot(u, v))
		half := 0.0
		for i := range u {
			half += (v[i] - sign*u[i]) * (v[i] - sign*u[i])
		}
		angle := 2 * math.Asin(min(1, math.Sqrt(half)/2))
		for i := range u {
			u[i] = sign * v[i]
		}
		p.angles = append(p.angles, angle)
		if p.keep {
			p.iterates = append(p.iterates, append([]float64(nil), u...))
		}
		*done++
		if err := run.Step(*done, angle); err != nil {
			return err
		}
		if angle <= p.tol {
			p.met = true
			break
		}
	}
	next.MulVec(p.a, mat.NewVecDense(n, u))
	p.value = floats.Dot(u, next.RawVector().Data)
	return nil
}
