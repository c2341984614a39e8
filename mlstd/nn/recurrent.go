package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// cell computes one step of the units of a recurrent layer, for one row of a batch. zx are the net
// inputs from the layer's input, and zh those from the units at the previous step. Both have one
// part per gate, with one number per unit.
type cell interface {
	forward(gates, zx, zh, before, memory, h, c []float64)
	// backward takes the gradients with respect to h and c. It writes the gradients with respect to
	// zx, zh and the previous memory, and the part that reaches the previous units without passing
	// through weights.
	backward(dzx, dzh, dbefore, dmemory, gates, zh, before, memory, c, dh, dc []float64)
}

// recurrence is the common part of Elman, LSTM and GRU layers: it runs a cell over the steps of a
// sequence, forward and backward. The matrices hold the steps one after the other, and in each step
// the rows of the batch.
type recurrence struct {
	cell                   cell
	units, gates           int
	steps, features, batch int
	sequence               bool
	wx, wh                 *mat.Dense
	params                 []*Param

	x, zx, zh, act, h, c          mat.Dense
	dzx, dzh, dx, dt, out         mat.Dense
	dh, dc, dhBefore, dcBefore    []float64
	product, hidden, back, inputs product
}

func (r *recurrence) build(op string, in []int, wx, wh *mat.Dense, intercepts ...[]float64) ([]int, error) {
	if len(in) != 2 {
		return nil, model.Errorf(op, "rows must have the shape []int{steps, features}, such as []int{10, 1}, got %v", in)
	}
	r.steps, r.features = in[0], in[1]
	width := r.gates * r.units
	if a, b := wx.Dims(); a != r.features || b != width {
		return nil, model.Errorf(op, "InputCoef must be %dx%d, got %dx%d", r.features, width, a, b)
	}
	if a, b := wh.Dims(); a != r.units || b != width {
		return nil, model.Errorf(op, "HiddenCoef must be %dx%d, got %dx%d", r.units, width, a, b)
	}
	r.wx, r.wh = wx, wh
	r.params = []*Param{newParam("InputCoef", wx.RawMatrix().Data, true), newParam("HiddenCoef", wh.RawMatrix().Data, true)}
	for i, b := range intercepts {
		if len(b) != width {
			return nil, model.Errorf(op, "Intercept must have %d entries, got %d", width, len(b))
		}
		r.params = append(r.params, newParam([]string{"Intercept", "HiddenIntercept"}[i], b, false))
	}
	if r.sequence {
		return []int{r.steps, r.units}, nil
	}
	return []int{r.units}, nil
}

// drawn returns the initial weights: uniform in ±1/√units.
func drawn(features, units, gates int, rng *rand.Rand) (wx, wh *mat.Dense, intercept []float64) {
	wx = UniformInit.draw(features, gates*units, units, units, rng)
	wh = UniformInit.draw(units, gates*units, units, units, rng)
	return wx, wh, make([]float64, gates*units)
}

// part returns the rows of step t.
func part(m *mat.Dense, t, batch int) []float64 {
	_, c := m.Dims()
	return m.RawMatrix().Data[t*batch*c : (t+1)*batch*c]
}

func (r *recurrence) forward(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	r.batch = n
	width := r.gates * r.units
	sized(&r.x, r.steps*n, r.features)
	for i := range n {
		row := x.RawRowView(i)
		for t := range r.steps {
			copy(r.x.RawRowView(t*n+i), row[t*r.features:(t+1)*r.features])
		}
	}
	zx := sized(&r.zx, r.steps*n, width).RawMatrix().Data
	addRows(zx, r.params[2].Value)
	r.product.add(zx, r.x.RawMatrix().Data, r.wx.RawMatrix().Data, r.steps*n, r.features, width)
	sized(&r.zh, r.steps*n, width)
	sized(&r.act, r.steps*n, width)
	sized(&r.h, (r.steps+1)*n, r.units)
	sized(&r.c, (r.steps+1)*n, r.units)
	r.hidden.panels.PackColumns(r.wh.RawMatrix().Data, r.units, width, width)
	for t := range r.steps {
		zh := part(&r.zh, t, n)
		if len(r.params) > 3 {
			addRows(zh, r.params[3].Value)
		}
		linalg.AddProduct(zh, width, part(&r.h, t, n), n, r.units, &r.hidden.panels)
		for i := range n {
			at, next := t*n+i, (t+1)*n+i
			r.cell.forward(r.act.RawRowView(at), r.zx.RawRowView(at), r.zh.RawRowView(at),
				r.h.RawRowView(at), r.c.RawRowView(at), r.h.RawRowView(next), r.c.RawRowView(next))
		}
	}
	if !r.sequence {
		sized(&r.out, n, r.units)
		copy(r.out.RawMatrix().Data, part(&r.h, r.steps, n))
		return &r.out
	}
	sized(&r.out, n, r.steps*r.units)
	for i := range n {
		for t := range r.steps {
			copy(r.out.RawRowView(i)[t*r.units:(t+1)*r.units], r.h.RawRowView((t+1)*n+i))
		}
	}
	return &r.out
}

func (r *recurrence) backward(dy *mat.Dense, input bool) *mat.Dense {
	n, u, width := r.batch, r.units, r.gates*r.units
	sized(&r.dzx, r.steps*n, width)
	sized(&r.dzh, r.steps*n, width)
	r.dh, r.dc, r.dhBefore, r.dcBefore = grown(r.dh, n*u), grown(r.dc, n*u), grown(r.dhBefore, n*u), grown(r.dcBefore, n*u)
	clear(r.dh)
	clear(r.dc)
	r.back.panels.Pack(r.wh.RawMatrix().Data, u, width, width)
	for t := r.steps - 1; t >= 0; t-- {
		for i := range n {
			from, to, g := i*u, (i+1)*u, dy.RawRowView(i)
			if r.sequence {
				floats.Add(r.dh[from:to], g[t*u:(t+1)*u])
			} else if t == r.steps-1 {
				floats.Add(r.dh[from:to], g)
			}
			at, next := t*n+i, (t+1)*n+i
			r.cell.backward(r.dzx.RawRowView(at), r.dzh.RawRowView(at), r.dhBefore[from:to], r.dcBefore[from:to], r.act.RawRowView(at),
				r.zh.RawRowView(at), r.h.RawRowView(at), r.c.RawRowView(at), r.c.RawRowView(next), r.dh[from:to], r.dc[from:to])
		}
		linalg.AddProduct(r.dhBefore, u, part(&r.dzh, t, n), n, width, &r.back.panels)
		r.dh, r.dhBefore, r.dc, r.dcBefore = r.dhBefore, r.dh, r.dcBefore, r.dc
	}
	dzx, dzh := r.dzx.RawMatrix().Data, r.dzh.RawMatrix().Data
	r.product.addLeft(r.params[0].Grad, r.x.RawMatrix().Data, dzx, r.features, r.steps*n, width)
	r.hidden.addLeft(r.params[1].Grad, r.h.RawMatrix().Data[:r.steps*n*u], dzh, u, r.steps*n, width)
	sumRows(r.params[2].Grad, dzx)
	if len(r.params) > 3 {
		sumRows(r.params[3].Grad, dzh)
	}
	if !input {
		return nil
	}
	sized(&r.dt, r.steps*n, r.features)
	r.inputs.addTransposed(r.dt.RawMatrix().Data, dzx, r.wx.RawMatrix().Data, r.steps*n, width, r.features)
	sized(&r.dx, n, r.steps*r.features)
	for i := range n {
		for t := range r.steps {
			copy(r.dx.RawRowView(i)[t*r.features:(t+1)*r.features], r.dt.RawRowView(t*n+i))
		}
	}
	return &r.dx
}

// Elman is a recurrent layer whose units see, besides the input, the outputs of all units at the
// previous step.
//
//	h_t = f(x_t·InputCoef + h_{t−1}·HiddenCoef + Intercept),   h₀ = 0
//
// It is trained by backpropagation through time: the layer is unrolled into one copy per step, all
// with the same weights. Gradients over many steps can vanish or explode; limit them with Clip, or
// use an [LSTM].
//
// Cost: steps·units·(features + units) per row.
//
// References: [Elman1990], [Werbos1990]. Course: NET-26.
type Elman struct {
	Units      int
	Activation Activation // empty means tanh
	Sequence   bool       // return the units of every step, not only of the last

	InputCoef, HiddenCoef *mat.Dense // set by Build: one column per unit
	Intercept             []float64  // set by Build

	recurrence recurrence
}

type elmanCell struct{ f Activation }

func (e elmanCell) forward(gates, zx, zh, _, _, h, _ []float64) {
	floats.AddTo(gates, zx, zh) // the net inputs
	e.f.apply(h, gates, len(h))
}

func (e elmanCell) backward(dzx, dzh, dbefore, dmemory, gates, _, _, _, _, dh, _ []float64) {
	clear(dbefore)
	clear(dmemory)
	for j, z := range gates {
		dzx[j] = dh[j] * e.f.Slope(z, e.f.Value(z))
	}
	copy(dzh, dzx)
}

// Build initializes the weights at random.
func (l *Elman) Build(in []int, rng *rand.Rand) ([]int, error) {
	if err := unitsErr("Elman", l.Units, in); err != nil {
		return nil, err
	}
	f := l.Activation.or(TanhUnits)
	if err := f.err("Elman"); err != nil {
		return nil, err
	}
	if f == SoftmaxUnits {
		return nil, model.Errorf("Elman", "Activation must be a function of one unit, got softmax").WithHint("use another activation")
	}
	if l.InputCoef == nil {
		l.InputCoef, l.HiddenCoef, l.Intercept = drawn(in[len(in)-1], l.Units, 1, rng)
	}
	l.recurrence = recurrence{cell: elmanCell{f}, units: l.Units, gates: 1, sequence: l.Sequence}
	return l.recurrence.build("Elman", in, l.InputCoef, l.HiddenCoef, l.Intercept)
}

func unitsErr(op string, units int, in []int) error {
	if units < 1 {
		return model.Errorf(op, "Units must be at least 1, got %d", units)
	}
	if len(in) != 2 {
		return model.Errorf(op, "rows must have the shape []int{steps, features}, such as []int{10, 1}, got %v", in)
	}
	return nil
}

// Params returns the weights.
func (l *Elman) Params() []*Param { return l.recurrence.params }

// Forward computes the outputs step by step.
func (l *Elman) Forward(x *mat.Dense, _ bool) *mat.Dense { return l.recurrence.forward(x) }

// Backward backpropagates through the steps.
func (l *Elman) Backward(dy *mat.Dense, input bool) *mat.Dense {
	return l.recurrence.backward(dy, input)
}

// LSTM is a recurrent layer with a memory that is changed only through gates, so that gradients
// reach back over many steps.
//
//	i, f, o = σ(…),  g = tanh(…)   of x_t·InputCoef + h_{t−1}·HiddenCoef + Intercept
//	c_t = f ⊙ c_{t−1} + i ⊙ g,   h_t = o ⊙ tanh(c_t)
//
// The columns of the weights are in the order i, f, g, o.
//
// Cost: 4·steps·units·(features + units) per row.
//
// References: [HochreiterSchmidhuber1997], [Gers2000].
type LSTM struct {
	Units    int
	Sequence bool // return the units of every step, not only of the last

	InputCoef, HiddenCoef *mat.Dense // set by Build: 4 columns per unit
	Intercept             []float64  // set by Build

	recurrence recurrence
}

type lstmCell struct{}

func (lstmCell) forward(gates, zx, zh, _, memory, h, c []float64) {
	u := len(h)
	floats.AddTo(gates, zx, zh)
	i, f, g, o := gates[:u], gates[u:2*u], gates[2*u:3*u], gates[3*u:]
	sigmoids(gates[:2*u])
	sigmoids(o)
	for j := range h {
		g[j] = math.Tanh(g[j])
		c[j] = f[j]*memory[j] + i[j]*g[j]
		h[j] = o[j] * math.Tanh(c[j])
	}
}

func (lstmCell) backward(dzx, dzh, dbefore, dmemory, gates, _, _, memory, c, dh, dc []float64) {
	u := len(dh)
	i, f, g, o := gates[:u], gates[u:2*u], gates[2*u:3*u], gates[3*u:]
	clear(dbefore)
	for j := range dh {
		t := math.Tanh(c[j])
		d := dc[j] + dh[j]*o[j]*(1-t*t)
		dzx[j] = d * g[j] * i[j] * (1 - i[j])
		dzx[u+j] = d * memory[j] * f[j] * (1 - f[j])
		dzx[2*u+j] = d * i[j] * (1 - g[j]*g[j])
		dzx[3*u+j] = dh[j] * t * o[j] * (1 - o[j])
		dmemory[j] = d * f[j]
	}
	copy(dzh, dzx)
}

// Build initializes the weights at random.
func (l *LSTM) Build(in []int, rng *rand.Rand) ([]int, error) {
	if err := unitsErr("LSTM", l.Units, in); err != nil {
		return nil, err
	}
	if l.InputCoef == nil {
		l.InputCoef, l.HiddenCoef, l.Intercept = drawn(in[1], l.Units, 4, rng)
	}
	l.recurrence = recurrence{cell: lstmCell{}, units: l.Units, gates: 4, sequence: l.Sequence}
	return l.recurrence.build("LSTM", in, l.InputCoef, l.HiddenCoef, l.Intercept)
}

// Params returns the weights.
func (l *LSTM) Params() []*Param { return l.recurrence.params }

// Forward computes the outputs step by step.
func (l *LSTM) Forward(x *mat.Dense, _ bool) *mat.Dense { return l.recurrence.forward(x) }

// Backward backpropagates through the steps.
func (l *LSTM) Backward(dy *mat.Dense, input bool) *mat.Dense {
	return l.recurrence.backward(dy, input)
}

// GRU is a recurrent layer with gates and without a separate memory cell.
//
//	r, z = σ(x_t·W + b + h_{t−1}·U + b′)
//	n = tanh(x_t·W + b + r ⊙ (h_{t−1}·U + b′))
//	h_t = (1 − z) ⊙ n + z ⊙ h_{t−1}
//
// W is InputCoef, b is Intercept, U is HiddenCoef, and b′ is HiddenIntercept; their columns are in
// the order r, z, n.
//
// Cost: 3·steps·units·(features + units) per row.
//
// References: [Cho2014].
type GRU struct {
	Units    int
	Sequence bool // return the units of every step, not only of the last

	InputCoef, HiddenCoef      *mat.Dense // set by Build: 3 columns per unit
	Intercept, HiddenIntercept []float64  // set by Build

	recurrence recurrence
}

type gruCell struct{}

func (gruCell) forward(gates, zx, zh, before, _, h, _ []float64) {
	u := len(h)
	for j := range h {
		r, z := sigmoid(zx[j]+zh[j]), sigmoid(zx[u+j]+zh[u+j])
		n := math.Tanh(zx[2*u+j] + r*zh[2*u+j])
		gates[j], gates[u+j], gates[2*u+j] = r, z, n
		h[j] = (1-z)*n + z*before[j]
	}
}

func (gruCell) backward(dzx, dzh, dbefore, dmemory, gates, zh, before, _, _, dh, _ []float64) {
	u := len(dh)
	clear(dmemory)
	for j, d := range dh {
		r, z, n := gates[j], gates[u+j], gates[2*u+j]
		dn := d * (1 - z) * (1 - n*n)
		dr := dn * zh[2*u+j] * r * (1 - r)
		dz := d * (before[j] - n) * z * (1 - z)
		dzx[j], dzx[u+j], dzx[2*u+j] = dr, dz, dn
		dzh[j], dzh[u+j], dzh[2*u+j] = dr, dz, dn*r
		dbefore[j] = d * z
	}
}

// Build initializes the weights at random.
func (l *GRU) Build(in []int, rng *rand.Rand) ([]int, error) {
	if err := unitsErr("GRU", l.Units, in); err != nil {
		return nil, err
	}
	if l.InputCoef == nil {
		l.InputCoef, l.HiddenCoef, l.Intercept = drawn(in[1], l.Units, 3, rng)
		l.HiddenIntercept = make([]float64, 3*l.Units)
	}
	l.recurrence = recurrence{cell: gruCell{}, units: l.Units, gates: 3, sequence: l.Sequence}
	return l.recurrence.build("GRU", in, l.InputCoef, l.HiddenCoef, l.Intercept, l.HiddenIntercept)
}

// Params returns the weights.
func (l *GRU) Params() []*Param { return l.recurrence.params }

// Forward computes the outputs step by step.
func (l *GRU) Forward(x *mat.Dense, _ bool) *mat.Dense { return l.recurrence.forward(x) }

// Backward backpropagates through the steps.
func (l *GRU) Backward(dy *mat.Dense, input bool) *mat.Dense {
	return l.recurrence.backward(dy, input)
}
