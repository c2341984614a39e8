package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// sparseLikelihood is logistic regression with an l₁ penalty, fitted by a proximal Newton method:
// coordinate descent minimizes the quadratic model of the likelihood plus the penalty. With one row
// of weights per class, the classes take turns: with the others fixed, the likelihood of class c is
// the likelihood of two classes with the offset
//
//	oᵢ = log Σ_{j≠c} e^{zᵢⱼ},  log P = yᵢzᵢ − log(e^{zᵢ} + e^{oᵢ}) + const
type sparseLikelihood struct {
	cols       *columns // not centered
	index      []int    // class of each example
	weight     []float64
	total      float64
	e          elastic
	intercept  bool
	rms        []float64 // root mean square of each column
	coef       [][]float64
	b          []float64
	score      [][]float64 // z, one list per row of coef
	offset     []float64
	g, h, move []float64 // gradient, curvature and change of the scores of one row
	step       []float64 // change of its coefficients
}

func (m likelihood) maximizeSparse(name, op string, x rows.Matrix, index []int, k int, weights []float64) (*sparseLikelihood, model.Trace, error) {
	n := x.N
	cols, err := newColumns(op, x, make([]float64, n), nil, false)
	if err != nil {
		return nil, model.Trace{}, err
	}
	maxIter, err := model.Iterations(op, "MaxIter", m.maxIter, 1000)
	if err != nil {
		return nil, model.Trace{}, err
	}
	tol := m.tol
	if tol == 0 {
		tol = 1e-8
	}
	if !(tol > 0) {
		return nil, model.Trace{}, model.Errorf(op, "Tol must be positive, got %v", tol)
	}
	f := &sparseLikelihood{cols: cols, index: index, weight: weights, e: elastic{m.lambda * m.ratio, m.lambda * (1 - m.ratio)}, intercept: !m.noIntercept}
	f.total = totalWeight(weights, n)
	f.rms = make([]float64, cols.p)
	for j, v := range cols.norm {
		f.rms[j] = math.Sqrt(v / float64(n))
	}
	count := k
	if k == 2 {
		count = 1
	}
	f.coef, f.score, f.b = make([][]float64, count), make([][]float64, count), make([]float64, count)
	for c := range f.coef {
		f.coef[c], f.score[c] = make([]float64, cols.p), make([]float64, n)
	}
	f.offset, f.g, f.h, f.move, f.step = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, cols.p)
	run := m.control.Begin(name, maxIter)
	defer run.End()
	var trace model.Trace
	for it := 1; it <= maxIter; it++ {
		moved, stuck := 0.0, true
		for c := range f.coef {
			size, ok := f.newton(c)
			moved, stuck = max(moved, size), stuck && !ok
		}
		value, fault := f.objective(), f.violation()
		trace.Loss, trace.Step = append(trace.Loss, value), append(trace.Step, moved)
		if err := run.Step(it, value); err != nil {
			return nil, model.Trace{}, err
		}
		if trace.Converged = fault <= tol; trace.Converged {
			break
		}
		if stuck { // rounding hides any further decrease
			trace.Converged = fault <= 1e3*tol
			break
		}
	}
	return f, trace, nil
}

// derivatives sets the offsets, and the gradient and curvature of the loss in the scores of row c.
func (f *sparseLikelihood) derivatives(c int) {
	clear(f.offset)
	if len(f.coef) > 1 {
		f.offsets(c)
	}
	for i, z := range f.score[c] {
		p, w := Sigmoid(z-f.offset[i]), weightOf(f.weight, i)
		f.g[i] = w * (p - f.hit(i, c))
		f.h[i] = w * max(p*(1-p), 1e-12)
	}
}

// hit is 1 if example i belongs to the class of row c.
func (f *sparseLikelihood) hit(i, c int) float64 {
	if len(f.coef) == 1 {
		c = 1
	}
	if f.index[i] == c {
		return 1
	}
	return 0
}

// offsets sets log Σ_{j≠c} e^{zᵢⱼ}.
func (f *sparseLikelihood) offsets(c int) {
	for i := range f.offset {
		most := math.Inf(-1)
		for j := range f.score {
			if j != c {
				most = max(most, f.score[j][i])
			}
		}
		sum := 0.0
		for j := range f.score {
			if j != c {
				sum += math.Exp(f.score[j][i] - most)
			}
		}
		f.offset[i] = most + math.Log(sum)
	}
}

// newton takes a step for row c. It returns the largest change of a score and
// reports whether the objective fell.
func (f *sparseLikelihood) newton(c int) (moved float64, ok bool) {
	f.derivatives(c)
	w, z := f.coef[c], f.score[c]
	shift := f.quadratic(w)
	before, slope := f.loss(c, 0), shift*floats.Sum(f.g)
	for j, d := range f.step {
		if d != 0 {
			slope += d * f.cols.sum(j, f.g)
		}
	}
	old := f.penalty(w, 0)
	slope += f.penalty(w, 1) - old
	if slope >= 0 {
		return 0, false
	}
	for t := 1.0; t > 1e-10; t /= 2 {
		if f.loss(c, t)+f.penalty(w, t) <= before+old+0.01*t*slope {
			floats.AddScaled(w, t, f.step)
			if t == 1 { // keep zeros of the descent exactly zero
				for j, d := range f.step {
					if d != 0 && math.Abs(w[j]) <= 1e-15*math.Abs(d) {
						w[j] = 0
					}
				}
			}
			floats.AddScaled(z, t, f.move)
			f.b[c] += t * shift
			return t * floats.Norm(f.move, math.Inf(1)), true
		}
	}
	return 0, false
}

// quadratic minimizes the quadratic model with the penalty: it sets step and move
// and returns the change of the intercept.
func (f *sparseLikelihood) quadratic(w []float64) (shift float64) {
	clear(f.step)
	clear(f.move)
	curvature := make([]float64, len(w))
	active := make([]int, 0, len(w))
	for j := range w {
		if f.rms[j] > 0 {
			curvature[j] = f.cols.squares(j, f.h)
			active = append(active, j)
		}
	}
	total := floats.Sum(f.h)
	first := 0.0
	for sweep := range 200 {
		most := 0.0
		if f.intercept {
			d := -(floats.Sum(f.g) + floats.Dot(f.h, f.move)) / total
			floats.AddConst(d, f.move)
			shift += d
			most = math.Sqrt(total) * math.Abs(d)
		}
		for _, j := range active {
			now := w[j] + f.step[j]
			slope := f.cols.slope(j, f.g, f.h, f.move)
			next := optim.SoftThreshold(curvature[j]*now-slope, f.e.l1) / (curvature[j] + f.e.l2)
			if d := next - now; d != 0 {
				f.step[j] = next - w[j]
				f.cols.spread(j, d, f.move)
				most = max(most, math.Sqrt(curvature[j])*math.Abs(d))
			}
		}
		if sweep == 0 {
			first = most
		}
		if most <= 1e-3*first {
			break
		}
	}
	return shift
}

// loss returns the loss of row c after the fraction t of the step, up to a constant.
func (f *sparseLikelihood) loss(c int, t float64) float64 {
	sum := 0.0
	for i, z := range f.score[c] {
		z += t * f.move[i]
		d := z - f.offset[i]
		l := max(d, 0) + math.Log1p(math.Exp(-math.Abs(d)))
		if f.hit(i, c) == 1 {
			l -= d
		}
		sum += weightOf(f.weight, i) * l
	}
	return sum
}

// penalty returns the penalty of w after the fraction t of the step.
func (f *sparseLikelihood) penalty(w []float64, t float64) float64 {
	l1, l2 := 0.0, 0.0
	for j, v := range w {
		v += t * f.step[j]
		l1 += math.Abs(v)
		l2 += v * v
	}
	return f.e.l1*l1 + f.e.l2/2*l2
}

// objective is the penalized negative log-likelihood.
func (f *sparseLikelihood) objective() float64 {
	clear(f.step)
	clear(f.move)
	last := len(f.coef) - 1
	clear(f.offset)
	sum := 0.0
	if last > 0 {
		f.offsets(last)
		for i, k := range f.index {
			if k != last { // the part that loss leaves out
				sum += weightOf(f.weight, i) * (f.offset[i] - f.score[k][i])
			}
		}
	}
	sum += f.loss(last, 0)
	for _, w := range f.coef {
		sum += f.penalty(w, 0)
	}
	return sum
}

// violation is the largest component of the minimum-norm subgradient of the mean loss, in units in
// which the columns have mean square 1.
func (f *sparseLikelihood) violation() float64 {
	most := 0.0
	for c, w := range f.coef {
		f.derivatives(c)
		if f.intercept {
			most = max(most, math.Abs(floats.Sum(f.g))/f.total)
		}
		for j, v := range w {
			if f.rms[j] == 0 {
				continue
			}
			g := f.cols.sum(j, f.g) + f.e.l2*v
			switch {
			case v > 0:
				g += f.e.l1
			case v < 0:
				g -= f.e.l1
			default:
				g = max(math.Abs(g)-f.e.l1, 0)
			}
			most = max(most, math.Abs(g)/f.total/f.rms[j])
		}
	}
	return most
}

// fitted returns the coefficients and intercepts. For several classes it shifts the intercepts so
// that they sum to 0, which changes no probability.
func (f *sparseLikelihood) fitted() (*mat.Dense, []float64) {
	coef := mat.NewDense(len(f.coef), f.cols.p, nil)
	for c, w := range f.coef {
		coef.SetRow(c, w)
	}
	b := slices.Clone(f.b)
	if len(b) > 1 {
		floats.AddConst(-floats.Sum(b)/float64(len(b)), b)
	}
	return coef, b
}

// sum is Σᵢ xᵢⱼ·vᵢ.
func (c *columns) sum(j int, v []float64) float64 {
	if c.dense != nil {
		return floats.Dot(c.dense[j*c.n:(j+1)*c.n], v)
	}
	lo, hi, sum := c.start[j], c.start[j+1], 0.0
	for k, i := range c.index[lo:hi] {
		sum += c.values[lo+k] * v[i]
	}
	return sum
}

// squares is Σᵢ hᵢ·xᵢⱼ².
func (c *columns) squares(j int, h []float64) float64 {
	sum := 0.0
	if c.dense != nil {
		for i, x := range c.dense[j*c.n : (j+1)*c.n] {
			sum += h[i] * x * x
		}
		return sum
	}
	lo, hi := c.start[j], c.start[j+1]
	for k, i := range c.index[lo:hi] {
		sum += h[i] * c.values[lo+k] * c.values[lo+k]
	}
	return sum
}

// slope returns the derivative Σᵢ xᵢⱼ·(gᵢ + hᵢ·moveᵢ).
func (c *columns) slope(j int, g, h, move []float64) float64 {
	sum := 0.0
	if c.dense != nil {
		for i, x := range c.dense[j*c.n : (j+1)*c.n] {
			sum += x * (g[i] + h[i]*move[i])
		}
		return sum
	}
	lo, hi := c.start[j], c.start[j+1]
	for k, i := range c.index[lo:hi] {
		sum += c.values[lo+k] * (g[i] + h[i]*move[i])
	}
	return sum
}

// spread adds d times column j to v.
func (c *columns) spread(j int, d float64, v []float64) {
	if c.dense != nil {
		floats.AddScaled(v, d, c.dense[j*c.n:(j+1)*c.n])
		return
	}
	lo, hi := c.start[j], c.start[j+1]
	for k, i := range c.index[lo:hi] {
		v[i] += d * c.values[lo+k]
	}
}
