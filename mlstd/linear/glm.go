package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// linkFamily is a distribution of targets with a logarithmic link.
type linkFamily struct {
	name string
	// loss returns the negative log-likelihood of y at the score z, up to terms that do not depend
	// on z, and its first two derivatives in z.
	loss  func(y, z float64) (l, d1, d2 float64)
	takes func(y float64) bool
	must  string // the condition on targets, after "must"
	sized bool   // the loss has the unit of the targets
}

// generalized holds the settings shared by the generalized linear models.
type generalized struct {
	family      linkFamily
	lambda      float64
	noIntercept bool
	maxIter     int
	tol         float64
	control     *model.Control
}

// solution is the result of generalized.fit.
type solution struct {
	coef      []float64
	intercept float64
	trace     model.Trace
}

func (g generalized) fit(op string, x mat.Matrix, y, weights []float64) (solution, error) {
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return solution{}, err
	}
	if g.lambda, err = penaltyOr1(op, g.lambda); err != nil {
		return solution{}, err
	}
	if g.maxIter, err = model.Iterations(op, "MaxIter", g.maxIter, 100); err != nil {
		return solution{}, err
	}
	g.tol = model.Or(g.tol, 1e-10)
	if !(g.tol > 0) {
		return solution{}, model.Errorf(op, "Tol must be positive, got %v", g.tol)
	}
	if weights != nil {
		kept := positive(weights)
		d, y, weights = pick.Rows(d, kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	for i, v := range y {
		if !g.family.takes(v) {
			return solution{}, model.Errorf(op, "y[%d] must %s, got %v", i, g.family.must, v)
		}
	}
	if floats.Sum(y) == 0 {
		return solution{}, model.Errorf(op, "at least one target must be above 0, got only zeros")
	}
	return g.newton(op, d, y, weights)
}

// newton minimizes by Newton's method with step halving, in centered columns.
func (g generalized) newton(op string, d *mat.Dense, y, weights []float64) (solution, error) {
	_, p := d.Dims()
	s := newScored(g, d, y, weights)
	run := g.control.Begin(g.family.name, g.maxIter)
	defer run.End()
	var trace model.Trace
	tol := g.tol * s.unit
	value := s.at(s.w)
	for k := 1; k <= g.maxIter; k++ {
		dir, drop, ok := s.direction()
		if !ok {
			return solution{}, model.Errorf(op, "the columns of x must be linearly independent").WithHint("drop a column, or set Lambda above 0")
		}
		step, next := 1.0, make([]float64, len(s.w))
		v := math.Inf(1)
		for range 60 {
			floats.AddScaledTo(next, s.w, step, dir)
			if v = s.at(next); v <= value {
				break
			}
			step /= 2
		}
		if !(v <= value) { // nothing is better at this precision
			s.at(s.w)
			trace.Converged = drop <= math.Sqrt(g.tol)*s.unit
			break
		}
		copy(s.w, next)
		value = v
		trace.Loss, trace.Step = append(trace.Loss, value), append(trace.Step, drop)
		if err := run.Step(k, value); err != nil {
			return solution{}, err
		}
		if drop <= tol {
			trace.Converged = true
			break
		}
	}
	out := solution{coef: s.w[:p:p], trace: trace}
	if !g.noIntercept {
		out.intercept = s.w[p] - floats.Dot(s.mean, out.coef)
	}
	return out, nil
}

// scored is the penalized mean loss of a generalized linear model, with its derivatives at the
// parameters last passed to at.
type scored struct {
	g          generalized
	d          *mat.Dense
	y, weights []float64
	total      float64
	mean       []float64
	unit       float64   // the unit of the loss, for small targets
	w          []float64 // the coefficients, then the intercept
	grad, hess []float64 // of the mean; hess in the upper triangle
}

func newScored(g generalized, d *mat.Dense, y, weights []float64) *scored {
	n, p := d.Dims()
	s := &scored{g: g, d: d, y: y, weights: weights, total: float64(n), mean: make([]float64, p), unit: 1}
	q := stride(p, !g.noIntercept)
	s.w = make([]float64, q)
	if weights != nil {
		s.total = floats.Sum(weights)
	}
	center, my := centerOf(d, y, weights)
	if g.family.sized {
		s.unit = min(1, my)
	}
	if !g.noIntercept {
		s.mean, s.w[p] = center, math.Log(my)
	}
	return s
}

// at returns the value at w, +Inf where it cannot be represented.
func (s *scored) at(w []float64) float64 {
	n, p := s.d.Dims()
	q := len(w)
	size := chunkOf(n, q*q)
	type part struct {
		loss       float64
		grad, hess []float64
	}
	parts := make([]part, (n+size-1)/size)
	par.Range(n, size, func(lo, hi int) {
		const block = 256 // rows that stay in the cache
		t := part{grad: make([]float64, q), hess: make([]float64, q*q)}
		rows := make([]float64, block*q)
		for at := lo; at < hi; at += block {
			end := min(at+block, hi)
			for i := at; i < end; i++ {
				row := rows[(i-at)*q : (i-at+1)*q]
				row[q-1] = 1
				floats.SubTo(row[:p], s.d.RawRowView(i), s.mean)
				l, d1, d2 := s.g.family.loss(s.y[i], floats.Dot(row, w))
				if s.weights != nil {
					l, d1, d2 = l*s.weights[i], d1*s.weights[i], d2*s.weights[i]
				}
				t.loss += l
				floats.AddScaled(t.grad, d1, row)
				floats.Scale(math.Sqrt(d2), row)
			}
			linalg.AddGram(t.hess, q, rows, end-at, q, q)
		}
		parts[lo/size] = t
	})
	s.grad, s.hess = parts[0].grad, parts[0].hess
	loss := parts[0].loss
	for _, t := range parts[1:] {
		loss += t.loss
		floats.Add(s.grad, t.grad)
		floats.Add(s.hess, t.hess)
	}
	floats.Scale(1/s.total, s.grad)
	floats.Scale(1/s.total, s.hess)
	for j := range p {
		s.hess[j*q+j] += s.g.lambda
	}
	loss = loss/s.total + addPenalty(s.grad[:p], w[:p], s.g.lambda)
	if math.IsNaN(loss) || floats.HasNaN(s.grad) || floats.HasNaN(s.hess) {
		return math.Inf(1)
	}
	return loss
}

// direction returns Newton's step and the decrease of the loss that it predicts. The step is
// computed in units in which the curvature is 1 along each axis.
func (s *scored) direction() (dir []float64, drop float64, ok bool) {
	q := len(s.w)
	unit, scaled := make([]float64, q), mat.NewSymDense(q, nil)
	for j := range unit {
		if unit[j] = 1; s.hess[j*q+j] > 0 {
			unit[j] = 1 / math.Sqrt(s.hess[j*q+j])
		}
	}
	for i := range q {
		for j := i; j < q; j++ {
			scaled.SetSym(i, j, unit[i]*s.hess[i*q+j]*unit[j])
		}
		if s.hess[i*q+i] == 0 {
			scaled.SetSym(i, i, 1) // a constant column has no curvature
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(scaled) || !(chol.Cond() < 1e13) {
		return nil, 0, false
	}
	dir = make([]float64, q)
	floats.MulTo(dir, s.grad, unit)
	v := mat.NewVecDense(q, dir)
	if chol.SolveVecTo(v, v) != nil {
		return nil, 0, false
	}
	floats.Mul(dir, unit)
	drop = floats.Dot(dir, s.grad) / 2
	floats.Scale(-1, dir)
	return dir, drop, true
}

// exponentials returns e^(θ·x + b) for each row.
func exponentials(op string, x mat.Matrix, coef []float64, intercept float64) []float64 {
	out := predict(op, x, coef, intercept)
	for i, z := range out {
		out[i] = math.Exp(z)
	}
	return out
}
