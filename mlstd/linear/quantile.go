package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// QuantileRegressor fits a linear function to a quantile of the target: with ½, the median, it is
// least absolute deviations regression, which is robust to outliers in the target.
//
//	J(θ) = (1/n) Σᵢ ρ(yᵢ − θ·xᵢ − b) + λ·Σⱼ |θⱼ|,   ρ(r) = r·(Quantile − 1{r < 0})
//
// It is a linear program. An interior point method follows the central path of its dual, where each
// example has a dual variable between Quantile − 1 and Quantile. Then the solution is moved to the
// vertex indicated by the dual variables, unless the objective is worse there. At a vertex, the
// number of zero residuals and coefficients equals the number of parameters. If several θ are
// optimal, the result is one of them.
//
// Cost: about 20 steps of O(n·d² + d³).
//
// References: [KoenkerBassett1978], [PortnoyKoenker1997]. Course: LIN-02, OPT-06.
type QuantileRegressor struct {
	// Quantile is the quantile to predict, between 0 and 1; 0 means 0.5.
	Quantile float64
	// Lambda is the strength λ of the l₁ penalty; 0 means none. A larger value shrinks
	// the coefficients more.
	Lambda      float64
	NoIntercept bool
	// MaxIter is the maximum number of steps; 0 means 200.
	MaxIter int
	// Tol stops the fit when the duality gap, relative to the objective, is at most Tol; 0 means
	// 1e-10. A larger value stops earlier.
	Tol float64
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.WeightedRegressor = (*QuantileRegressor)(nil)

// Fit finds Coef and Intercept.
func (q *QuantileRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&q.Fitted, x, y)
	q.Coef, q.Intercept, q.Columns, q.Trace = nil, 0, nil, model.Trace{}
	return q.fit("QuantileRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each error; n is the sum of the weights.
func (q *QuantileRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "QuantileRegressor.FitWeighted"
	model.NoteXYReal(&q.Fitted, x, y)
	q.Coef, q.Intercept, q.Columns, q.Trace = nil, 0, nil, model.Trace{}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return q.fit(op, x, y, weights)
}

func (q *QuantileRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	tau, lambda, tol := model.Or(q.Quantile, 0.5), model.Or(q.Lambda, 0), q.Tol
	if tol == 0 {
		tol = 1e-10
	}
	switch {
	case !(tau > 0 && tau < 1):
		return model.Errorf(op, "Quantile must be between 0 and 1, got %v", tau).WithHint("set Quantile to 0.5 for the median")
	case !(lambda >= 0) || math.IsInf(lambda, 1):
		return model.Errorf(op, "Lambda must be finite and not negative, got %v", lambda)
	case !(tol > 0):
		return model.Errorf(op, "Tol must be positive, got %v", tol)
	}
	maxIter, err := model.Iterations(op, "MaxIter", q.MaxIter, 200)
	if err != nil {
		return err
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	}
	kept := positive(weights)
	p := newQuantileProgram(pick.Rows(d, kept), pick.Of(y, kept), pick.Of(weights, kept), tau, lambda, !q.NoIntercept)
	run := q.Begin("QuantileRegressor", maxIter)
	defer run.End()
	trace, err := p.solve(run, maxIter, tol)
	if err != nil {
		return err
	}
	p.corner()
	w, b := p.fitted()
	for _, v := range append(slices.Clone(w), b) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return model.Errorf(op, "the coefficients must be finite").WithHint("scale the columns and the targets first")
		}
	}
	q.Coef, q.Intercept, q.Columns, q.Trace = w, b, columnNames(x), trace
	return nil
}

// Predict returns θ·x + b for each row.
func (q *QuantileRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("QuantileRegressor.Predict", &q.Fitted, x)
	return predict("QuantileRegressor.Predict", x, q.Coef, q.Intercept)
}

// quantileProgram is the dual of the regression, with standardized columns:
//
//	min −y·a  such that  Aᵀa = Aᵀlow,  0 ≤ a ≤ up
//
// The rows of A are the examples, with dual variables a − low, followed by one row for each
// penalized coefficient, whose target is 0. The multipliers of the equations are −θ.
type quantileProgram struct {
	rows            *mat.Dense
	examples        int
	y, low, up      []float64
	total           float64
	mean, size      []float64
	intercept       bool
	a, s, z, w, mul []float64 // a, up − a, their multipliers, multipliers of the equations
}

func newQuantileProgram(d *mat.Dense, y, weights []float64, tau, lambda float64, intercept bool) *quantileProgram {
	n, c := d.Dims()
	width, extra := c, 0
	if intercept {
		width++
	}
	if lambda > 0 {
		extra = c
	}
	p := &quantileProgram{rows: mat.NewDense(n+extra, width, nil), examples: n, total: floats.Sum(weights), intercept: intercept}
	p.mean, p.size = make([]float64, c), make([]float64, c)
	for j := range c {
		col := mat.Col(nil, j, d)
		if intercept {
			p.mean[j] = floats.Sum(col) / float64(n)
		}
		for _, v := range col {
			p.size[j] = max(p.size[j], math.Abs(v-p.mean[j]))
		}
		if p.size[j] <= 1e-14*math.Abs(p.mean[j]) { // a constant column, which the intercept covers
			p.size[j] = math.Inf(1)
		}
	}
	for i := range n {
		row := p.rows.RawRowView(i)
		for j, v := range d.RawRowView(i) {
			row[j] = (v - p.mean[j]) / p.size[j]
		}
		if intercept {
			row[c] = 1
		}
		p.low, p.up = append(p.low, (1-tau)*weights[i]), append(p.up, weights[i])
	}
	p.y = append(slices.Clone(y), make([]float64, extra)...)
	for j := range extra {
		p.rows.Set(n+j, j, 1)
		l := lambda * p.total / p.size[j]
		if l == 0 { // a constant column
			l = 1
		}
		p.low, p.up = append(p.low, l), append(p.up, 2*l)
	}
	return p
}

// apply returns A·v.
func (p *quantileProgram) apply(v []float64) []float64 {
	n, c := p.rows.Dims()
	out := make([]float64, n)
	mat.NewVecDense(n, out).MulVec(p.rows, mat.NewVecDense(c, v))
	return out
}

// applyT returns Aᵀ·v.
func (p *quantileProgram) applyT(v []float64) []float64 {
	n, c := p.rows.Dims()
	out := make([]float64, c)
	mat.NewVecDense(c, out).MulVec(p.rows.T(), mat.NewVecDense(n, v))
	return out
}

// normal factors Aᵀ·diag(q)·A, with a small ridge in null directions. It returns nil if q is not
// finite.
func (p *quantileProgram) normal(q []float64) *mat.Cholesky {
	n, c := p.rows.Dims()
	scaled := mat.NewDense(n, c, nil)
	for i, v := range q {
		floats.ScaleTo(scaled.RawRowView(i), math.Sqrt(v), p.rows.RawRowView(i))
	}
	gram := mat.NewSymDense(c, nil)
	gram.SymOuterK(1, scaled.T())
	most := 0.0
	for j := range c {
		most = max(most, gram.At(j, j))
	}
	var chol mat.Cholesky
	for ridge := 1e-14 * most; ; ridge *= 100 {
		for j := range c {
			gram.SetSym(j, j, gram.At(j, j)+ridge)
		}
		if chol.Factorize(gram) {
			return &chol
		}
		if ridge == 0 || math.IsNaN(ridge) || math.IsInf(ridge, 1) {
			return nil
		}
	}
}

func solveCholesky(c *mat.Cholesky, right []float64) []float64 {
	out := make([]float64, len(right))
	// The solution of an ill-conditioned system is still a usable direction.
	_ = c.SolveVecTo(mat.NewVecDense(len(out), out), mat.NewVecDense(len(right), right))
	return out
}

// solve follows the central path by Mehrotra's predictor-corrector method.
func (p *quantileProgram) solve(run *model.Run, maxIter int, tol float64) (trace model.Trace, err error) {
	n := len(p.y)
	cost := make([]float64, n)
	floats.ScaleTo(cost, -1, p.y)
	right := p.applyT(p.low)
	p.a, p.s = slices.Clone(p.low), make([]float64, n)
	floats.SubTo(p.s, p.up, p.a)
	if p.mul = make([]float64, len(right)); floats.Norm(cost, math.Inf(1)) > 0 {
		chol := p.normal(slices.Repeat([]float64{1}, n))
		if chol == nil {
			p.mul[0] = math.NaN() // which fit refuses
			return trace, nil
		}
		p.mul = solveCholesky(chol, p.applyT(cost))
	}
	p.z, p.w = make([]float64, n), make([]float64, n)
	spread := floats.Norm(p.y, math.Inf(1)) + math.SmallestNonzeroFloat64
	off := 0.0 // of the least-squares fit, at which the path starts
	for i, v := range p.apply(p.mul) {
		r := cost[i] - v
		off = max(off, math.Abs(r))
		p.z[i], p.w[i] = max(r, 0)+1e-3*spread, max(-r, 0)+1e-3*spread
	}
	exact := off <= 1e-12*spread && len(p.y) == p.examples
	for k := 1; k <= maxIter; k++ {
		gap := floats.Dot(cost, p.a) - floats.Dot(right, p.mul) + floats.Dot(p.w, p.up)
		value := p.objective(p.mul)
		trace.Loss = append(trace.Loss, value/p.total)
		if err := run.Step(k, value/p.total); err != nil {
			return model.Trace{}, err
		}
		if exact || math.Abs(gap) <= tol*(math.Abs(value)+1e-3*tol*spread*p.total) {
			trace.Converged = true // without a penalty, zero residuals are optimal
			return trace, nil
		}
		last := slices.Clone(p.mul)
		step := p.step(cost)
		if broken := floats.HasNaN(p.mul) || floats.HasNaN(p.a); step < 1e-12 || broken { // rounding hides any further decrease
			if broken {
				p.mul = last
			}
			trace.Converged = math.Abs(gap) <= 1e4*tol*math.Abs(value) || math.Abs(gap) <= 1e-14*spread*p.total
			return trace, nil
		}
	}
	return trace, nil
}

// step moves the point along the direction and returns the step length as a fraction.
func (p *quantileProgram) step(cost []float64) float64 {
	n := len(p.y)
	q, r := make([]float64, n), make([]float64, n)
	dual := p.apply(p.mul)
	for i := range q {
		q[i] = 1 / (p.z[i]/p.a[i] + p.w[i]/p.s[i])
		// The residual of cost = A·mul + z − w is part of the direction.
		r[i] = cost[i] - dual[i]
	}
	chol := p.normal(q)
	if chol == nil {
		return 0
	}
	da, dz, dw := make([]float64, n), make([]float64, n), make([]float64, n)
	xi := make([]float64, n) // of the corrector
	var dm []float64
	direct := func(mu float64, product, other []float64) (primal, dualStep float64) {
		v := make([]float64, n)
		for i := range v {
			v[i] = q[i] * (r[i] - xi[i])
		}
		dm = solveCholesky(chol, p.applyT(v))
		primal, dualStep = math.Inf(1), math.Inf(1)
		for i, m := range p.apply(dm) {
			da[i] = q[i] * (m - r[i] + xi[i])
			dz[i] = (mu-product[i]-p.z[i]*da[i])/p.a[i] - p.z[i]
			dw[i] = (mu-other[i]+p.w[i]*da[i])/p.s[i] - p.w[i]
			primal = min(primal, reach(p.a[i], da[i]), reach(p.s[i], -da[i]))
			dualStep = min(dualStep, reach(p.z[i], dz[i]), reach(p.w[i], dw[i]))
		}
		return min(0.9995*primal, 1), min(0.9995*dualStep, 1)
	}
	none := make([]float64, n)
	fp, fd := direct(0, none, none)
	mu, g := 0.0, 0.0
	for i := range q {
		mu += p.z[i]*p.a[i] + p.w[i]*p.s[i]
		g += (p.z[i]+fd*dz[i])*(p.a[i]+fp*da[i]) + (p.w[i]+fd*dw[i])*(p.s[i]-fp*da[i])
	}
	mu *= math.Pow(g/mu, 3) / float64(2*n)
	product, other := make([]float64, n), make([]float64, n)
	for i := range q {
		product[i], other[i] = da[i]*dz[i], -da[i]*dw[i]
		xi[i] = (mu-product[i])/p.a[i] - (mu-other[i])/p.s[i]
	}
	fp, fd = direct(mu, product, other)
	floats.AddScaled(p.a, fp, da)
	floats.AddScaled(p.s, -fp, da)
	floats.AddScaled(p.z, fd, dz)
	floats.AddScaled(p.w, fd, dw)
	floats.AddScaled(p.mul, fd, dm)
	return max(fp, fd)
}

// reach returns the largest t for which v + t·d is not negative, for a positive v.
func reach(v, d float64) float64 {
	if d >= 0 {
		return math.Inf(1)
	}
	return -v / d
}

// objective returns the objective of the regression, times n, at θ = −mul.
func (p *quantileProgram) objective(mul []float64) float64 {
	sum := 0.0
	for i, v := range p.apply(mul) {
		r := p.y[i] + v
		if r < 0 {
			sum -= r * p.low[i]
		} else {
			sum += r * (p.up[i] - p.low[i])
		}
	}
	return sum
}

// corner moves the solution to the vertex given by the rows whose dual variables are furthest from
// their bounds, unless that is worse.
func (p *quantileProgram) corner() {
	n, c := p.rows.Dims()
	if n < c {
		return
	}
	inside := make([]float64, n)
	for i := range inside {
		inside[i] = -min(p.a[i], p.s[i]) / p.up[i]
	}
	order := make([]int, n)
	floats.Argsort(inside, order)
	list := order[:c]
	var found mat.VecDense
	right := pick.Of(p.y, list)
	if found.SolveVec(pick.Rows(p.rows, list), mat.NewVecDense(c, right)) != nil {
		return
	}
	mul := found.RawVector().Data
	floats.Scale(-1, mul)
	for _, i := range list {
		if j := i - p.examples; j >= 0 { // without the rounding
			mul[j] = 0
		}
	}
	if now, next := p.objective(p.mul), p.objective(mul); next <= now+1e-9*math.Abs(now) {
		p.mul = mul
	}
}

// fitted returns θ and b for the original columns.
func (p *quantileProgram) fitted() (w []float64, b float64) {
	w = make([]float64, len(p.size))
	for j, s := range p.size {
		w[j] = 0 - p.mul[j]/s // no −0
	}
	if p.intercept {
		b = -p.mul[len(w)] - floats.Dot(p.mean, w)
	}
	return w, b
}
