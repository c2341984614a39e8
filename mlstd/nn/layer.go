package nn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Layer is a differentiable function of rows with its own weights. Use a layer in only one network
// and one goroutine. The results of Forward and Backward are valid until the next call.
type Layer interface {
	// Build initializes the weights at random for rows of the shape in, and returns the shape of
	// the output rows. A shape is the number of features, or the height, width and channels of a
	// picture, or the steps and features of a sequence. A layer that already has weights for the
	// shape keeps them.
	Build(in []int, rng *rand.Rand) (out []int, err error)
	// Forward returns the output for each row of x. training reports whether this is a training
	// step, which matters to [Dropout] and [BatchNorm].
	Forward(x *mat.Dense, training bool) *mat.Dense
	// Backward takes the gradient of the loss with respect to the output of the last Forward. It
	// adds the gradient with respect to the weights to Grad of each Param and, if input is true,
	// returns the gradient with respect to the input.
	Backward(dy *mat.Dense, input bool) *mat.Dense
	// Params lists the weights, which share memory with the layer.
	Params() []*Param
}

// Param holds weights of a layer and the gradient with respect to them.
type Param struct {
	Name      string
	Value     []float64
	Grad      []float64
	Penalized bool // whether weight decay applies; it does not apply to intercepts
}

func newParam(name string, value []float64, penalized bool) *Param {
	return &Param{name, value, make([]float64, len(value)), penalized}
}

// sized makes m an r x c matrix of zeros, and reuses its memory if that is enough.
func sized(m *mat.Dense, r, c int) *mat.Dense {
	m.Reset()
	m.ReuseAs(r, c)
	return m
}

// shaped makes m an r x c matrix of arbitrary values, and reuses its memory if that is enough.
func shaped(m *mat.Dense, r, c int) *mat.Dense {
	if rows, cols := m.Dims(); rows != r || cols != c {
		return sized(m, r, c)
	}
	return m
}

// grown returns a slice of n numbers, in the memory of v if that is enough.
func grown(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

func size(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// product computes matrix products in memory that it keeps.
type product struct {
	panels  linalg.Panels
	single  bool // in single precision
	singles linalg.SinglePanels
}

// precision is implemented by layers whose products can be in single precision.
type precision interface{ products() *product }

// add adds a·b to c: a has m rows of k numbers, b k rows of n.
func (p *product) add(c, a, b []float64, m, k, n int) {
	p.pack(b, k, n)
	if p.single {
		linalg.AddSingle(c, a, m, false, &p.singles)
		return
	}
	linalg.AddProduct(c, n, a, m, k, &p.panels)
}

// pack keeps b, k rows of n numbers, for addRows.
func (p *product) pack(b []float64, k, n int) {
	if p.single {
		p.singles.PackColumns(b, k, n)
		return
	}
	p.panels.PackColumns(b, k, n, n)
}

// addRows adds a·b to c for the packed b, on the calling goroutine.
func (p *product) addRows(c, a []float64, m, k, n int) {
	if p.single {
		linalg.AddSingleRows(c, a, m, false, &p.singles)
		return
	}
	linalg.AddRows(c, n, a, m, k, &p.panels)
}

// addTransposed adds a·bᵀ to c: a has m rows of k numbers, b n.
func (p *product) addTransposed(c, a, b []float64, m, k, n int) {
	if p.single {
		p.singles.Pack(b, n, k)
		linalg.AddSingle(c, a, m, false, &p.singles)
		return
	}
	p.panels.Pack(b, n, k, k)
	linalg.AddProduct(c, n, a, m, k, &p.panels)
}

// addLeft adds aᵀ·b to c: a has k rows of m numbers, b k rows of n.
func (p *product) addLeft(c, a, b []float64, m, k, n int) {
	if p.single {
		p.singles.PackColumns(b, k, n)
		linalg.AddSingle(c, a, m, true, &p.singles)
		return
	}
	p.panels.PackColumns(b, k, n, n)
	linalg.AddProductLeft(c, n, a, m, m, &p.panels)
}

// addRows adds v to each row of c.
func addRows(c, v []float64) {
	for at := 0; at < len(c); at += len(v) {
		floats.Add(c[at:at+len(v)], v)
	}
}

// sumRows adds the rows of c to v.
func sumRows(v, c []float64) {
	for at := 0; at < len(c); at += len(v) {
		floats.Add(v, c[at:at+len(v)])
	}
}

// Dense is a fully connected layer: each unit is connected to all inputs.
//
//	z = x·Coef + Intercept,  a = f(z)
//	∂L/∂z = ∂L/∂a ⊙ f′(z),  ∂L/∂Coef = xᵀ·∂L/∂z,  ∂L/∂x = ∂L/∂z·Coefᵀ
//
// Cost: three products of n·d·m for n rows, d inputs and m units.
//
// References: [RumelhartHintonWilliams1986]. Course: NET-01, NET-05, NET-06.
type Dense struct {
	Units       int
	Activation  Activation // empty means linear
	Init        WeightInit // empty means glorot
	NoIntercept bool

	Coef      *mat.Dense // set by Build: one row per input, one column per unit
	Intercept []float64  // set by Build: one per unit

	params      []*Param
	x           *mat.Dense
	z, a, g, dx mat.Dense
	dz          *mat.Dense // ∂L/∂z
	product     product
}

// Build initializes the weights at random.
func (l *Dense) Build(in []int, rng *rand.Rand) ([]int, error) {
	if l.Units < 1 {
		return nil, model.Errorf("Dense", "Units must be at least 1, got %d", l.Units)
	}
	if err := l.Activation.or(LinearUnits).err("Dense"); err != nil {
		return nil, err
	}
	if err := l.Init.err("Dense"); err != nil {
		return nil, err
	}
	n := size(in)
	if l.Coef == nil {
		l.Coef, l.Intercept = l.Init.draw(n, l.Units, n, l.Units, rng), make([]float64, l.Units)
	}
	if err := l.checkWeights(n); err != nil {
		return nil, err
	}
	l.params = []*Param{newParam("Coef", l.Coef.RawMatrix().Data, true)}
	if !l.NoIntercept {
		l.params = append(l.params, newParam("Intercept", l.Intercept, false))
	}
	return []int{l.Units}, nil
}

// checkWeights returns an error unless the weights have the shape for n inputs and the units.
func (l *Dense) checkWeights(n int) error {
	if r, c := l.Coef.Dims(); r != n || c != l.Units || len(l.Intercept) != c {
		return model.Errorf("Dense", "Coef must be %[3]dx%[4]d (inputs, units) with %[4]d intercepts, got %[1]dx%[2]d with %[5]d", r, c, n, l.Units, len(l.Intercept))
	}
	return nil
}

// Params returns Coef and Intercept.
func (l *Dense) Params() []*Param { return l.params }

func (l *Dense) products() *product { return &l.product }

// Forward returns f(x·Coef + Intercept).
func (l *Dense) Forward(x *mat.Dense, _ bool) *mat.Dense {
	n, d := x.Dims()
	l.x = x
	out := shaped(&l.z, n, l.Units)
	if l.Activation.or(LinearUnits) != LinearUnits {
		out = shaped(&l.a, n, l.Units)
	}
	l.product.pack(l.Coef.RawMatrix().Data, d, l.Units)
	if rows := linalg.Share(n, d*l.Units); rows < n {
		l.spread(out, x, rows)
	} else {
		l.outputs(out.RawMatrix().Data, l.z.RawMatrix().Data, x.RawMatrix().Data, n, d)
	}
	return out
}

// spread computes the outputs for x on all processors, in blocks of rows.
func (l *Dense) spread(out, x *mat.Dense, rows int) {
	n, d := x.Dims()
	a, z, from := out.RawMatrix().Data, l.z.RawMatrix().Data, x.RawMatrix().Data
	par.Range(n, rows, func(lo, hi int) {
		l.outputs(a[lo*l.Units:hi*l.Units], z[lo*l.Units:hi*l.Units], from[lo*d:], hi-lo, d)
	})
}

// outputs writes the net inputs for n rows of d numbers into z and the outputs into a, which may be
// z. The weights must be packed.
func (l *Dense) outputs(a, z, x []float64, n, d int) {
	for at := 0; at < len(z); at += l.Units {
		copy(z[at:at+l.Units], l.Intercept)
	}
	l.product.addRows(z, x, n, d, l.Units)
	if f := l.Activation.or(LinearUnits); f != LinearUnits {
		f.apply(a, z, l.Units)
	}
}

// Backward accumulates the gradients of Coef and Intercept.
func (l *Dense) Backward(dy *mat.Dense, input bool) *mat.Dense {
	n, d := l.x.Dims()
	l.dz = dy
	if l.Activation.or(LinearUnits) != LinearUnits {
		l.dz = sized(&l.g, n, l.Units)
		l.Activation.applyBack(l.g.RawMatrix().Data, l.z.RawMatrix().Data, l.a.RawMatrix().Data, dy.RawMatrix().Data, l.Units)
	}
	dz := l.dz.RawMatrix().Data
	l.product.addLeft(l.params[0].Grad, l.x.RawMatrix().Data, dz, d, n, l.Units)
	if !l.NoIntercept {
		sumRows(l.params[1].Grad, dz)
	}
	if !input {
		return nil
	}
	l.product.addTransposed(sized(&l.dx, n, d).RawMatrix().Data, dz, l.Coef.RawMatrix().Data, n, l.Units, d)
	return &l.dx
}

// Activate is an activation function as a separate layer.
//
// Course: NET-28.
type Activate struct {
	F Activation

	cols  int
	x     *mat.Dense
	a, dx mat.Dense
}

// Build checks F.
func (l *Activate) Build(in []int, _ *rand.Rand) ([]int, error) {
	l.cols = in[len(in)-1]
	return in, l.F.err("Activate")
}

// Params returns nil, because the layer has no weights.
func (l *Activate) Params() []*Param { return nil }

// Forward returns F(x).
func (l *Activate) Forward(x *mat.Dense, _ bool) *mat.Dense {
	l.x = x
	n, d := x.Dims()
	l.F.apply(sized(&l.a, n, d).RawMatrix().Data, x.RawMatrix().Data, l.cols)
	return &l.a
}

// Backward multiplies the gradient by the derivative.
func (l *Activate) Backward(dy *mat.Dense, _ bool) *mat.Dense {
	n, d := l.x.Dims()
	l.F.applyBack(sized(&l.dx, n, d).RawMatrix().Data, l.x.RawMatrix().Data, l.a.RawMatrix().Data, dy.RawMatrix().Data, l.cols)
	return &l.dx
}

// Flatten drops the shape of a picture or sequence: its numbers become features.
type Flatten struct{}

// Build returns the number of features.
func (Flatten) Build(in []int, _ *rand.Rand) ([]int, error) { return []int{size(in)}, nil }

// Params returns nil, because the layer has no weights.
func (Flatten) Params() []*Param { return nil }

// Forward returns x.
func (Flatten) Forward(x *mat.Dense, _ bool) *mat.Dense { return x }

// Backward returns dy.
func (Flatten) Backward(dy *mat.Dense, _ bool) *mat.Dense { return dy }

// Dropout sets each input to 0 with probability Share in training, and scales up the other inputs
// so that the mean stays the same.
//
//	a = x·m/(1−p),   m = 0 with probability p, else 1
//
// References: [Srivastava2014].
type Dropout struct {
	// Share is the probability p with which an input is set to 0 in training, between 0 and 1; 0
	// means 0.5. A larger p regularizes more.
	Share float64

	rng   *rand.Rand
	mask  []float64
	hold  bool // keeps the mask, for a numerical gradient
	on    bool
	a, dx mat.Dense
}

// Build checks Share.
func (l *Dropout) Build(in []int, rng *rand.Rand) ([]int, error) {
	if !(l.Share >= 0 && l.Share < 1) {
		return nil, model.Errorf("Dropout", "Share must be at least 0 and below 1, got %v", l.Share)
	}
	l.rng = rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
	return in, nil
}

// Params returns nil, because the layer has no weights.
func (l *Dropout) Params() []*Param { return nil }

// Forward applies dropout in training, and returns x otherwise.
func (l *Dropout) Forward(x *mat.Dense, training bool) *mat.Dense {
	l.on = training
	if !training {
		return x
	}
	n, d := x.Dims()
	p := model.Or(l.Share, 0.5)
	if !l.hold || len(l.mask) != n*d {
		l.mask = grown(l.mask, n*d)
		for i := range l.mask {
			l.mask[i] = 0
			if l.rng.Float64() >= p {
				l.mask[i] = 1 / (1 - p)
			}
		}
	}
	floats.MulTo(sized(&l.a, n, d).RawMatrix().Data, x.RawMatrix().Data, l.mask)
	return &l.a
}

// Backward passes on the gradient for the inputs that Forward passed on, and returns 0 for the
// others.
func (l *Dropout) Backward(dy *mat.Dense, _ bool) *mat.Dense {
	if !l.on {
		return dy
	}
	n, d := dy.Dims()
	floats.MulTo(sized(&l.dx, n, d).RawMatrix().Data, dy.RawMatrix().Data, l.mask)
	return &l.dx
}
