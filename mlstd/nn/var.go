package nn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Var is a matrix that remembers how it was computed. Backward applies the chain rule to this
// record: it computes the gradient of a result with respect to all variables that the result
// depends on.
//
//	∂L/∂a = Σ over the results c computed from a of ∂L/∂c · ∂c/∂a
//
// Each operation returns a new Var that can pass its gradient to its operands. Backward visits the
// results in the reverse order of their computation. So each result has its complete gradient,
// which is the sum over all paths, before it passes the gradient on. In Add, Sub and Mul, an
// operand with one row, one column, or one element is broadcast to the shape of the other operand.
//
// Cost: Backward takes a small multiple of the time that computing the result took.
//
// Gradients accumulate: a second call of Backward adds to the gradients of the first, unless Grad
// is cleared.
//
// References: [Linnainmaa1976]. Course: NET-06, NET-09.
type Var struct {
	Value *mat.Dense
	Grad  *mat.Dense // ∂result/∂Value, after Backward of the result

	from []*Var
	back func()
}

// NewVar returns a variable with the given rows, which must have equal lengths.
func NewVar(rows ...[]float64) *Var {
	if len(rows) == 0 || len(rows[0]) == 0 {
		panic(model.Errorf("NewVar", "rows must not be empty").WithHint("pass rows, such as ml.NewVar([]float64{1, 2})"))
	}
	v := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		if len(r) != len(rows[0]) {
			panic(model.Errorf("NewVar", "all rows must have the same length, but row %d has %d numbers and row 0 has %d", i, len(r), len(rows[0])))
		}
		v.SetRow(i, r)
	}
	return VarOf(v)
}

// VarOf returns a variable whose value is a copy of m.
func VarOf(m mat.Matrix) *Var { return newVar(mat.DenseCopyOf(m)) }

func newVar(value *mat.Dense, from ...*Var) *Var {
	r, c := value.Dims()
	return &Var{Value: value, Grad: mat.NewDense(r, c, nil), from: from}
}

// At returns the element in row i and column j.
func (a *Var) At(i, j int) float64 { return a.Value.At(i, j) }

// Backward computes the gradient of the sum of the entries of a with respect to every variable that
// a depends on.
func (a *Var) Backward() {
	var order []*Var
	seen := map[*Var]bool{}
	var visit func(v *Var)
	visit = func(v *Var) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, p := range v.from {
			visit(p)
		}
		order = append(order, v)
	}
	visit(a)
	for _, v := range order {
		if v.back != nil {
			v.Grad.Zero() // intermediate results keep no gradient
		}
	}
	g := a.Grad.RawMatrix().Data
	for i := range g {
		g[i]++
	}
	for i := len(order) - 1; i >= 0; i-- {
		if order[i].back != nil {
			order[i].back()
		}
	}
}

// ZeroGrad clears the gradient.
func (a *Var) ZeroGrad() { a.Grad.Zero() }

// Descend makes the step Value ← Value − rate·Grad and clears the gradient.
func (a *Var) Descend(rate float64) {
	v := a.Value.RawMatrix().Data
	for i, g := range a.Grad.RawMatrix().Data {
		v[i] -= rate * g
	}
	a.ZeroGrad()
}

// elementwise applies f to pairs of numbers; f also returns the derivatives with respect to both.
func elementwise(op string, a, b *Var, f, da, db func(x, y float64) float64) *Var {
	ar, ac := a.Value.Dims()
	br, bc := b.Value.Dims()
	if (ar != br && ar != 1 && br != 1) || (ac != bc && ac != 1 && bc != 1) {
		panic(model.Errorf(op, "the operands must have the same shape, or one of them one row, one column or one number, got %dx%d and %dx%d", ar, ac, br, bc))
	}
	r, c := max(ar, br), max(ac, bc)
	out := newVar(mat.NewDense(r, c, nil), a, b)
	each := func(do func(i, j, ai, aj, bi, bj int)) {
		for i := range r {
			for j := range c {
				do(i, j, min(i, ar-1), min(j, ac-1), min(i, br-1), min(j, bc-1))
			}
		}
	}
	each(func(i, j, ai, aj, bi, bj int) { out.Value.Set(i, j, f(a.At(ai, aj), b.At(bi, bj))) })
	out.back = func() {
		each(func(i, j, ai, aj, bi, bj int) {
			g, x, y := out.Grad.At(i, j), a.At(ai, aj), b.At(bi, bj)
			a.Grad.Set(ai, aj, a.Grad.At(ai, aj)+g*da(x, y))
			b.Grad.Set(bi, bj, b.Grad.At(bi, bj)+g*db(x, y))
		})
	}
	return out
}

// Add is a + b.
func (a *Var) Add(b *Var) *Var {
	one := func(_, _ float64) float64 { return 1 }
	return elementwise("Var.Add", a, b, func(x, y float64) float64 { return x + y }, one, one)
}

// Sub is a − b.
func (a *Var) Sub(b *Var) *Var {
	return elementwise("Var.Sub", a, b, func(x, y float64) float64 { return x - y },
		func(_, _ float64) float64 { return 1 }, func(_, _ float64) float64 { return -1 })
}

// Mul is the elementwise product.
func (a *Var) Mul(b *Var) *Var {
	return elementwise("Var.Mul", a, b, func(x, y float64) float64 { return x * y },
		func(_, y float64) float64 { return y }, func(x, _ float64) float64 { return x })
}

// Div is the elementwise quotient.
func (a *Var) Div(b *Var) *Var {
	return elementwise("Var.Div", a, b, func(x, y float64) float64 { return x / y },
		func(_, y float64) float64 { return 1 / y }, func(x, y float64) float64 { return -x / (y * y) })
}

// Dot is the matrix product a·b.
func (a *Var) Dot(b *Var) *Var {
	ar, ac := a.Value.Dims()
	br, bc := b.Value.Dims()
	if ac != br {
		panic(model.Errorf("Var.Dot", "the first operand must have as many columns as the second has rows, got %dx%d and %dx%d", ar, ac, br, bc))
	}
	out := newVar(mat.NewDense(ar, bc, nil), a, b)
	out.Value.Mul(a.Value, b.Value)
	out.back = func() {
		var g mat.Dense
		g.Mul(out.Grad, b.Value.T())
		a.Grad.Add(a.Grad, &g)
		g.Reset()
		g.Mul(a.Value.T(), out.Grad)
		b.Grad.Add(b.Grad, &g)
	}
	return out
}

// Transpose exchanges rows and columns.
func (a *Var) Transpose() *Var {
	out := newVar(mat.DenseCopyOf(a.Value.T()), a)
	out.back = func() { a.Grad.Add(a.Grad, out.Grad.T()) }
	return out
}

// Map applies f to every element. slope must return the derivative at x, where f(x) = y.
func (a *Var) Map(f func(x float64) float64, slope func(x, y float64) float64) *Var {
	r, c := a.Value.Dims()
	out := newVar(mat.NewDense(r, c, nil), a)
	x, y := a.Value.RawMatrix().Data, out.Value.RawMatrix().Data
	for i, v := range x {
		y[i] = f(v)
	}
	out.back = func() {
		to := a.Grad.RawMatrix().Data
		for i, g := range out.Grad.RawMatrix().Data {
			to[i] += g * slope(x[i], y[i])
		}
	}
	return out
}

// Scale is s·a.
func (a *Var) Scale(s float64) *Var {
	return a.Map(func(x float64) float64 { return s * x }, func(_, _ float64) float64 { return s })
}

// Neg is −a.
func (a *Var) Neg() *Var { return a.Scale(-1) }

// Square squares every element.
func (a *Var) Square() *Var {
	return a.Map(func(x float64) float64 { return x * x }, func(x, _ float64) float64 { return 2 * x })
}

// Exp returns e to the power of every element.
func (a *Var) Exp() *Var { return a.Map(math.Exp, func(_, y float64) float64 { return y }) }

// Log returns the natural logarithm of every element.
func (a *Var) Log() *Var { return a.Map(math.Log, func(x, _ float64) float64 { return 1 / x }) }

// Activate applies f to every element, or to every row if f is [SoftmaxUnits].
func (a *Var) Activate(f Activation) *Var {
	if f == SoftmaxUnits {
		return a.Softmax()
	}
	f.check("Var.Activate")
	return a.Map(f.Value, f.Slope)
}

// Sigmoid applies the sigmoid 1/(1+e⁻ᵃ) to every element a.
func (a *Var) Sigmoid() *Var { return a.Activate(SigmoidUnits) }

// Tanh returns the hyperbolic tangent of every element.
func (a *Var) Tanh() *Var { return a.Activate(TanhUnits) }

// ReLU returns max(0, a) for every element a.
func (a *Var) ReLU() *Var { return a.Activate(ReLU) }

// Softmax returns eᵃ divided by the sum of eᵃ over the row, so that the elements of each row are
// positive and sum to 1.
func (a *Var) Softmax() *Var {
	out := newVar(mat.DenseCopyOf(a.Value), a)
	n, _ := out.Value.Dims()
	for i := range n {
		softmax(out.Value.RawRowView(i))
	}
	out.back = func() {
		for i := range n {
			softmaxBack(a.Grad.RawRowView(i), out.Value.RawRowView(i), out.Grad.RawRowView(i))
		}
	}
	return out
}

// Sum returns the sum of all elements.
func (a *Var) Sum() *Var {
	out := newVar(mat.NewDense(1, 1, []float64{mat.Sum(a.Value)}), a)
	out.back = func() {
		g, to := out.Grad.At(0, 0), a.Grad.RawMatrix().Data
		for i := range to {
			to[i] += g
		}
	}
	return out
}

// Mean returns the mean of all elements.
func (a *Var) Mean() *Var {
	r, c := a.Value.Dims()
	return a.Sum().Scale(1 / float64(r*c))
}

// VarCheck returns the largest difference between the gradients of Backward for the variables and
// the numerical gradients, relative to max(1, |gradient|). f must compute the result from the
// variables at each call; a result with several elements counts as their sum.
//
// Course: NET-06, NET-07.
func VarCheck(f func() *Var, variables ...*Var) float64 {
	for _, v := range variables {
		v.ZeroGrad()
	}
	f().Backward()
	worst := 0.0
	for _, v := range variables {
		g := append([]float64(nil), v.Grad.RawMatrix().Data...)
		worst = max(worst, numericalError(v.Value.RawMatrix().Data, g, func() float64 { return mat.Sum(f().Value) }))
	}
	return worst
}

// numericalError returns the largest relative difference between g and the gradient of f with
// respect to the numbers w, by central differences.
func numericalError(w, g []float64, f func() float64) float64 {
	worst := 0.0
	for i, v := range w {
		h := 1e-5 * max(1, math.Abs(v))
		w[i] = v + h
		up := f()
		w[i] = v - h
		slope := (up - f()) / (2 * h)
		w[i] = v
		worst = max(worst, math.Abs(slope-g[i])/max(1, math.Abs(slope)))
	}
	return worst
}
