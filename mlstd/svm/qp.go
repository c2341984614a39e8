package svm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// QuadraticProgram is a convex quadratic program with linear constraints,
//
//	min ½·xᵀPx + qᵀx  subject to  A·x = b,  G·x ≤ h
//
// P is positive semidefinite; A or G may be nil.
//
// Course: SVM-03.
type QuadraticProgram struct {
	P *mat.SymDense
	Q []float64
	A *mat.Dense
	B []float64
	G *mat.Dense
	H []float64
}

// QPSolution is the result of [QuadraticProgram.Solve].
type QPSolution struct {
	X           []float64
	Value       float64   // ½xᵀPx + qᵀx
	Equality    []float64 // multipliers of A·x = b
	Inequality  []float64 // multipliers of G·x ≤ h, ≥ 0
	Active      []int     // the inequalities that hold with equality and were used
	Iterations  int
	StepLengths []float64
}

// Solve runs the primal active-set method from a feasible x. It keeps a working set W of
// inequalities that are treated as equalities:
//
//  1. Among the points that keep all equations of W, step to the minimum of the quadratic, or step
//     down a direction without curvature. Stop at the first inequality that blocks the step, and
//     add the inequality to W.
//  2. If no step is possible, compute the multipliers from Px + q + Aᵀν + Gᵀλ = 0. If all λ ≥ 0,
//     the point is the minimum; otherwise the inequality with the most negative λ leaves W.
//
// Solve returns an error if x is not feasible or the objective has no lower bound.
//
// Cost: O(n³) per iteration; use it for at most a few hundred variables.
//
// References: [NocedalWright2006] alg. 16.3. Course: SVM-03.
func (p *QuadraticProgram) Solve(x []float64) (*QPSolution, error) {
	const op = "QuadraticProgram.Solve"
	n, eqs, ins, err := p.check(op, x)
	if err != nil {
		return nil, err
	}
	s := &QPSolution{X: append([]float64(nil), x...)}
	scale := 1.0
	for _, v := range p.Q {
		scale = max(scale, math.Abs(v))
	}
	inW := make([]bool, ins)
	var working []int
	grad := make([]float64, n)
	for s.Iterations = 1; s.Iterations <= 100*(n+ins+1); s.Iterations++ {
		p.gradient(grad, s.X)
		z, normals := p.nullSpace(n, eqs, working)
		dir, flat := p.direction(grad, z, scale)
		if dir == nil {
			mult, err := multipliers(op, normals, grad)
			if err != nil {
				return nil, err
			}
			leave, least := -1, -1e-9*scale
			for t := range working {
				if l := mult[eqs+t]; l < least {
					leave, least = t, l
				}
			}
			if leave < 0 {
				s.Equality, s.Inequality = mult[:eqs:eqs], make([]float64, ins)
				for t, c := range working {
					s.Inequality[c] = max(0, mult[eqs+t])
				}
				s.Active, s.Value = working, p.value(s.X)
				return s, nil
			}
			inW[working[leave]] = false
			working = append(working[:leave], working[leave+1:]...)
			continue
		}
		length, hit := 1.0, -1
		if flat {
			length = math.Inf(1)
		}
		for c := range ins {
			if inW[c] {
				continue
			}
			row := p.G.RawRowView(c)
			if rate := floats.Dot(row, dir); rate > 1e-12*floats.Norm(row, 2)*floats.Norm(dir, 2) {
				if room := max(0, p.H[c]-floats.Dot(row, s.X)) / rate; room < length {
					length, hit = room, c
				}
			}
		}
		if math.IsInf(length, 1) {
			return nil, model.Errorf(op, "the objective is unbounded below on the feasible set")
		}
		floats.AddScaled(s.X, length, dir)
		s.StepLengths = append(s.StepLengths, length)
		if hit >= 0 {
			working, inW[hit] = append(working, hit), true
		}
	}
	return nil, model.Errorf(op, "the solver did not converge in %d iterations", s.Iterations-1).
		WithHint("remove redundant constraints")
}

func (p *QuadraticProgram) check(op string, x []float64) (n, eqs, ins int, err error) {
	if p.P == nil || p.P.SymmetricDim() != len(x) || len(p.Q) != len(x) {
		return 0, 0, 0, model.Errorf(op, "P, q and x must have the same dimension, got x with %d values", len(x))
	}
	n = len(x)
	size := func(m *mat.Dense, right []float64, what string) (int, error) {
		if m == nil {
			return 0, nil
		}
		r, c := m.Dims()
		if c != n || r != len(right) {
			return 0, model.Errorf(op, "%[1]s must have %[5]d columns, and a right-hand side for each row, got %[2]dx%[3]d with %[4]d right-hand sides", what, r, c, len(right), n)
		}
		return r, nil
	}
	if eqs, err = size(p.A, p.B, "A"); err != nil {
		return 0, 0, 0, err
	}
	if ins, err = size(p.G, p.H, "G"); err != nil {
		return 0, 0, 0, err
	}
	for r := range eqs {
		if v := floats.Dot(p.A.RawRowView(r), x) - p.B[r]; !(math.Abs(v) <= 1e-8*max(1, math.Abs(p.B[r]))) {
			return 0, 0, 0, model.Errorf(op, "the starting x must be feasible, but violates equation %d by %v", r, v)
		}
	}
	for r := range ins {
		if v := floats.Dot(p.G.RawRowView(r), x) - p.H[r]; !(v <= 1e-8*max(1, math.Abs(p.H[r]))) {
			return 0, 0, 0, model.Errorf(op, "the starting x must be feasible, but violates inequality %d by %v", r, v)
		}
	}
	return n, eqs, ins, nil
}

func (p *QuadraticProgram) gradient(dst, x []float64) {
	mat.NewVecDense(len(dst), dst).MulVec(p.P, mat.NewVecDense(len(x), x))
	floats.Add(dst, p.Q)
}

func (p *QuadraticProgram) value(x []float64) float64 {
	v := mat.NewVecDense(len(x), x)
	return mat.Inner(v, p.P, v)/2 + floats.Dot(p.Q, x)
}

// nullSpace returns an orthonormal basis, in columns, of the directions that change
// no working constraint (nil if there are none), and the constraints' normals in
// rows (nil if there are none).
func (p *QuadraticProgram) nullSpace(n, eqs int, working []int) (z, normals *mat.Dense) {
	m := eqs + len(working)
	if m == 0 {
		z = mat.NewDense(n, n, nil)
		for i := range n {
			z.Set(i, i, 1)
		}
		return z, nil
	}
	normals = mat.NewDense(m, n, nil)
	for r := range eqs {
		normals.SetRow(r, p.A.RawRowView(r))
	}
	for t, c := range working {
		normals.SetRow(eqs+t, p.G.RawRowView(c))
	}
	var svd mat.SVD
	if !svd.Factorize(normals, mat.SVDFullV) {
		panic(model.Errorf("QuadraticProgram.Solve", "the constraints could not be factorized").WithHint("check the constraints for NaN"))
	}
	rank, values := 0, svd.Values(nil)
	for _, v := range values {
		if v > 1e-10*values[0] {
			rank++
		}
	}
	if rank == n {
		return nil, normals
	}
	var v mat.Dense
	svd.VTo(&v)
	return mat.DenseCopyOf(v.Slice(0, n, rank, n)), normals
}

// direction returns the step to the minimum within the columns of z, or (flat) a
// direction of descent without curvature, or nil when there is neither.
func (p *QuadraticProgram) direction(grad []float64, z *mat.Dense, scale float64) (dir []float64, flat bool) {
	if z == nil {
		return nil, false
	}
	n, k := z.Dims()
	var g mat.VecDense
	g.MulVec(z.T(), mat.NewVecDense(n, grad))
	if mat.Norm(&g, math.Inf(1)) <= 1e-11*scale {
		return nil, false
	}
	var pz, zpz mat.Dense
	pz.Mul(p.P, z)
	zpz.Mul(z.T(), &pz)
	reduced := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			reduced.SetSym(i, j, (zpz.At(i, j)+zpz.At(j, i))/2)
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(reduced, true) {
		panic(model.Errorf("QuadraticProgram.Solve", "P could not be factorized").WithHint("check P for NaN"))
	}
	values := eig.Values(nil)
	var v mat.Dense
	eig.VectorsTo(&v)
	newton, down := mat.NewVecDense(k, nil), mat.NewVecDense(k, nil)
	for j, l := range values {
		col := v.ColView(j)
		along := mat.Dot(col, &g)
		switch {
		case l > 1e-11*max(1, values[k-1]):
			newton.AddScaledVec(newton, -along/l, col)
		case math.Abs(along) > 1e-10*scale:
			down.AddScaledVec(down, -along, col)
			flat = true
		}
	}
	if flat {
		newton = down
	} else if mat.Norm(newton, math.Inf(1)) == 0 {
		return nil, false
	}
	var d mat.VecDense
	d.MulVec(z, newton)
	return d.RawVector().Data, flat
}

// multipliers solves normalsᵀ·m = −grad in the least-squares sense.
func multipliers(op string, normals *mat.Dense, grad []float64) ([]float64, error) {
	if normals == nil {
		return nil, nil
	}
	rows, _ := normals.Dims()
	var svd mat.SVD
	if !svd.Factorize(normals.T(), mat.SVDThin) {
		return nil, model.Errorf(op, "the constraints could not be factorized")
	}
	right := mat.NewVecDense(len(grad), nil)
	right.ScaleVec(-1, mat.NewVecDense(len(grad), grad))
	var m mat.VecDense
	svd.SolveVecTo(&m, right, svd.Rank(1e-10))
	if m.Len() != rows {
		return nil, fmt.Errorf("%s: got %d multipliers for %d constraints", op, m.Len(), rows)
	}
	return m.RawVector().Data, nil
}
