package decomp

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NMFLoss is the loss that [NMF] minimizes.
type NMFLoss int

const (
	FrobeniusNMF       NMFLoss = iota // ½·Σ (X − WH)²
	KullbackLeiblerNMF                // Σ X·log(X/WH) − X + WH
)

// NMFSolver is the method with which [NMF] minimizes the loss.
type NMFSolver int

const (
	CoordinateNMF     NMFSolver = iota // one entry after the other to its best value; Frobenius only
	MultiplicativeNMF                  // multiply all entries by positive factors
)

// NMF is nonnegative matrix factorization. It writes nonnegative rows as sums of nonnegative parts,
// which cannot cancel. Examples of parts are topics for word counts, and noses or eyes for pictures
// of faces.
//
//	X ≈ W·H,  W, H ≥ 0,  J = ½‖X − WH‖²  or  J = Σ X·log(X/WH) − X + WH
//
// Coordinate descent sets one entry after the other to its best nonnegative value, w ← max(0, w −
// ∂J/∂w / (HHᵀ)ₖₖ). The multiplicative rule W ← W ∘ (X·Hᵀ)/(W·H·Hᵀ), and likewise for H, never
// raises J. Both solvers start from the singular vectors of x (NNDSVD): of each pair of left and
// right vectors, they keep the positive or the negative parts, whichever are larger. For the
// multiplicative rule, the mean of x replaces zeros, which the rule cannot leave. Coordinate
// descent stops when the change in a step is at most Tol times the change in the first step. The
// multiplicative rule stops when ten steps lower √(2J) by less than Tol times its initial value.
//
// J is not convex: the result depends on the start.
//
// Cost: O(n·d·k) per step.
//
// References: [LeeSeung1999], [LeeSeung2001], [CichockiPhan2009], [BoutsidisGallopoulos2008].
// Course: DEC-05.
type NMF struct {
	model.Control

	// Components is the number of parts; 0 means min(n, d). More parts reconstruct the rows more
	// exactly.
	Components int
	// Loss is the measure that is minimized, and Solver is the method.
	Loss   NMFLoss
	Solver NMFSolver
	// MaxIter is the maximum number of steps; 0 means 200.
	MaxIter int
	// Tol is the relative tolerance at which Fit stops; 0 means 1e-4. A larger value stops earlier.
	Tol float64
	// Lambda is a penalty ½·Lambda·(‖W‖² + ‖H‖²), for coordinate descent.
	Lambda float64

	Parts *mat.Dense // set by Fit: H, one part a row
	// Error is √(2J) after the last step; set by Fit.
	Error float64
	Trace model.Trace // set by Fit; Loss is J without penalty

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*NMF)(nil)

// Fit finds the parts of the rows of x.
func (m *NMF) Fit(x mat.Matrix) error {
	const op = "NMF.Fit"
	model.NoteX(&m.Fitted, x)
	m.Parts, m.Error, m.Trace = nil, 0, model.Trace{}
	d, err := m.check(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	k, err := components(op, m.Components, min(n, cols), min(n, cols))
	if err != nil {
		return err
	}
	most, err := model.Iterations(op, "MaxIter", m.MaxIter, 200)
	if err != nil {
		return err
	}
	w, h, ok := nndsvd(d, k)
	if !ok {
		return notDecomposed(op)
	}
	if m.Solver == MultiplicativeNMF {
		fill(w, d)
		fill(h, d)
	}
	run := m.Begin("NMF", most)
	defer run.End()
	var trace model.Trace
	if m.Solver == CoordinateNMF {
		trace, err = m.descend(d, w, h, most, run)
	} else {
		trace, err = m.multiply(d, w, h, most, run)
	}
	if err != nil {
		return err
	}
	loss := m.loss(d, w, h)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return notDecomposed(op)
	}
	m.Parts, m.Error, m.Trace = h, math.Sqrt(2*max(0, loss)), trace
	return nil
}

func (m *NMF) check(op string, x mat.Matrix) (*mat.Dense, error) {
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	if i, j, v, found := negative(d); found {
		return nil, model.Errorf(op, "x[%d][%d] must not be negative, got %v", i, j, v)
	}
	switch {
	case m.Loss < FrobeniusNMF || m.Loss > KullbackLeiblerNMF:
		return nil, model.Errorf(op, "Loss must be FrobeniusNMF or KullbackLeiblerNMF, got %d", m.Loss)
	case m.Solver < CoordinateNMF || m.Solver > MultiplicativeNMF:
		return nil, model.Errorf(op, "Solver must be CoordinateNMF or MultiplicativeNMF, got %d", m.Solver)
	case m.Loss == KullbackLeiblerNMF && m.Solver == CoordinateNMF:
		return nil, model.Errorf(op, "Loss must be FrobeniusNMF for coordinate descent").WithHint("set Solver to MultiplicativeNMF")
	case m.Lambda != 0 && m.Solver == MultiplicativeNMF:
		return nil, model.Errorf(op, "Lambda must be 0 for the multiplicative rule").WithHint("leave Lambda out")
	case !(m.Lambda >= 0) || math.IsInf(m.Lambda, 1):
		return nil, model.Errorf(op, "Lambda must be finite and not negative, got %v", m.Lambda)
	}
	return d, nil
}

func negative(d *mat.Dense) (i, j int, v float64, found bool) {
	n, _ := d.Dims()
	for i := range n {
		for j, v := range d.RawRowView(i) {
			if v < 0 {
				return i, j, v, true
			}
		}
	}
	return 0, 0, 0, false
}

// nndsvd returns the initial w and h, computed from the singular vectors of d.
func nndsvd(d *mat.Dense, k int) (w, h *mat.Dense, ok bool) {
	u, s, v, ok := factored(d)
	if !ok {
		return nil, nil, false
	}
	n, cols := d.Dims()
	w, h = mat.NewDense(n, k, nil), mat.NewDense(k, cols, nil)
	least := 1e-6 * math.Sqrt(s[0]/math.Sqrt(float64(n*cols))) // about √ of a typical entry of d
	cut := func(v float64) float64 {
		if v < least {
			return 0
		}
		return v
	}
	for c := range k {
		x, y := mat.Col(nil, c, u), mat.Col(nil, c, v)
		if c == 0 { // of one sign: the Perron vectors
			for i := range x {
				w.Set(i, 0, math.Sqrt(s[0])*math.Abs(x[i]))
			}
			for j := range y {
				h.Set(0, j, math.Sqrt(s[0])*math.Abs(y[j]))
			}
			continue
		}
		sign := 1.0
		lx, ly := oneSign(x, 1), oneSign(y, 1)
		if mx, my := oneSign(x, -1), oneSign(y, -1); mx*my > lx*ly {
			sign, lx, ly = -1, mx, my
		}
		if lx*ly == 0 {
			continue
		}
		scale := math.Sqrt(s[c] * lx * ly)
		for i := range x {
			w.Set(i, c, cut(scale*max(0, sign*x[i])/lx))
		}
		for j := range y {
			h.Set(c, j, cut(scale*max(0, sign*y[j])/ly))
		}
	}
	return w, h, true
}

// oneSign returns the length of the part of v with the given sign.
func oneSign(v []float64, sign float64) float64 {
	sum := 0.0
	for _, a := range v {
		if a = a * sign; a > 0 {
			sum += a * a
		}
	}
	return math.Sqrt(sum)
}

// fill replaces zeros by the mean of d.
func fill(a, d *mat.Dense) {
	n, cols := d.Dims()
	mean := mat.Sum(d) / float64(n*cols)
	data := a.RawMatrix().Data
	for i, v := range data {
		if v == 0 {
			data[i] = mean
		}
	}
}

// loss is J without penalty.
func (m *NMF) loss(d, w, h *mat.Dense) float64 {
	n, cols := d.Dims()
	wh := times(w, h)
	return summed(n, 1, func(out []float64, lo, hi int) {
		for i := lo; i < hi; i++ {
			a, b := d.RawRowView(i), wh.RawRowView(i)
			for j := range cols {
				if m.Loss == FrobeniusNMF {
					out[0] += (a[j] - b[j]) * (a[j] - b[j]) / 2
					continue
				}
				out[0] += b[j] - a[j]
				if a[j] > 0 {
					out[0] += a[j] * math.Log(a[j]/max(b[j], 0x1p-52))
				}
			}
		}
	})[0]
}

// descend runs coordinate descent.
func (m *NMF) descend(d, w, h *mat.Dense, most int, run *model.Run) (model.Trace, error) {
	var trace model.Trace
	t, tol, at := transposed(d), model.Or(m.Tol, 1e-4), 0.0
	ht := transposed(h)
	for iter := range most {
		moved := m.sweep(w, ht, times(d, ht))
		moved += m.sweep(ht, w, times(t, w))
		h.Copy(ht.T())
		if iter == 0 {
			at = moved
		}
		trace.Loss, trace.Step = append(trace.Loss, m.loss(d, w, h)), append(trace.Step, moved)
		if err := run.Step(iter+1, trace.Loss[iter]); err != nil {
			return trace, err
		}
		if moved <= tol*at {
			trace.Converged = true
			break
		}
	}
	return trace, nil
}

// sweep sets each entry of w to its best value for the parts ht, one per column, and xh
// = X·Hᵀ. It returns the sum of the sizes of the projected gradients.
func (m *NMF) sweep(w, ht, xh *mat.Dense) float64 {
	n, k := w.Dims()
	hh := gram(ht)
	for c := range k {
		hh[c*k+c] += m.Lambda
	}
	return summed(n, 1, func(out []float64, lo, hi int) {
		for i := lo; i < hi; i++ {
			out[0] += sweepRow(w.RawRowView(i), xh.RawRowView(i), hh)
		}
	})[0]
}

// sweepRow is sweep for one row.
func sweepRow(w, xh, hh []float64) float64 {
	moved, k := 0.0, len(w)
	for c := range k {
		g := floats.Dot(hh[c*k:(c+1)*k], w) - xh[c]
		if w[c] == 0 {
			moved += math.Abs(min(0, g))
		} else {
			moved += math.Abs(g)
		}
		if curve := hh[c*k+c]; curve != 0 {
			w[c] = max(0, w[c]-g/curve)
		}
	}
	return moved
}

// multiply applies the multiplicative rule.
func (m *NMF) multiply(d, w, h *mat.Dense, most int, run *model.Run) (model.Trace, error) {
	var trace model.Trace
	tol := model.Or(m.Tol, 1e-4)
	begin := math.Sqrt(2 * max(0, m.loss(d, w, h)))
	before := begin
	t, ht := transposed(d), transposed(h)
	for iter := range most {
		m.factor(d, w, ht)
		m.factor(t, ht, w)
		h.Copy(ht.T())
		trace.Loss = append(trace.Loss, m.loss(d, w, h))
		if err := run.Step(iter+1, trace.Loss[iter]); err != nil {
			return trace, err
		}
		if (iter+1)%10 == 0 {
			now := math.Sqrt(2 * max(0, trace.Loss[iter]))
			if before-now < tol*begin {
				trace.Converged = true
				break
			}
			before = now
		}
	}
	return trace, nil
}

// factor multiplies w by the factors of the rule for the parts ht, one per column.
func (m *NMF) factor(d, w, ht *mat.Dense) {
	const least = 0x1p-52
	n, k := w.Dims()
	if m.Loss == FrobeniusNMF {
		top, hh := times(d, ht), mat.NewDense(k, k, gram(ht))
		bottom := times(w, hh)
		for i := range n {
			for c, v := range bottom.RawRowView(i) {
				w.RawRowView(i)[c] *= top.At(i, c) / max(v, least)
			}
		}
		return
	}
	sums := make([]float64, k)
	cols, _ := ht.Dims()
	for j := range cols {
		floats.Add(sums, ht.RawRowView(j))
	}
	ratio := timesT(w, ht)
	par.Range(n, 128, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a, r := d.RawRowView(i), ratio.RawRowView(i)
			for j := range r {
				r[j] = a[j] / max(r[j], least)
			}
		}
	})
	top := times(ratio, ht)
	for i := range n {
		for c := range k {
			w.RawRowView(i)[c] *= top.At(i, c) / max(sums[c], least)
		}
	}
}

// Transform returns the weights W of the parts in each row, one per column: part1, part2 ... Each
// row is computed separately, with the parts held fixed.
func (m *NMF) Transform(x mat.Matrix) *model.Table {
	const op = "NMF.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Parts == nil {
		panic(model.NotFitted(op))
	}
	k, cols := m.Parts.Dims()
	d := model.MustRows(op, x, cols)
	if i, j, v, found := negative(d); found {
		panic(model.Errorf(op, "x[%d][%d] must not be negative, got %v", i, j, v))
	}
	n, _ := d.Dims()
	w, ht := mat.NewDense(n, k, nil), transposed(m.Parts)
	most := 200
	if m.MaxIter > 0 {
		most = m.MaxIter
	}
	if m.Loss == KullbackLeiblerNMF {
		par.Range(n, 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				m.encode(d.RawRowView(i), w.RawRowView(i), ht, most)
			}
		})
		return model.Named(x, w, columns("part", k))
	}
	hh, xh := gram(ht), times(d, ht)
	for c := range k {
		hh[c*k+c] += m.Lambda
	}
	tol := model.Or(m.Tol, 1e-4)
	par.Range(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := sweepRow(w.RawRowView(i), xh.RawRowView(i), hh)
			for range most - 1 {
				if sweepRow(w.RawRowView(i), xh.RawRowView(i), hh) <= tol*at {
					break
				}
			}
		}
	})
	return model.Named(x, w, columns("part", k))
}

// encode finds the weights of one row by the multiplicative rule of the divergence.
func (m *NMF) encode(x, w []float64, ht *mat.Dense, most int) {
	const least = 0x1p-52
	sums := make([]float64, len(w))
	for j := range x {
		floats.Add(sums, ht.RawRowView(j))
	}
	total, parts := floats.Sum(x), max(floats.Sum(sums), least)
	for c := range w {
		w[c] = total / parts
	}
	top := make([]float64, len(w))
	for range most {
		clear(top)
		for j, v := range x {
			if v > 0 {
				row := ht.RawRowView(j)
				floats.AddScaled(top, v/max(floats.Dot(row, w), least), row)
			}
		}
		for c := range w {
			w[c] *= top[c] / max(sums[c], least)
		}
	}
}

// Inverse returns the rows W·H of the weights w.
func (m *NMF) Inverse(w mat.Matrix) *mat.Dense {
	const op = "NMF.Inverse"
	if m.Parts == nil {
		panic(model.NotFitted(op))
	}
	k, _ := m.Parts.Dims()
	return times(model.MustRows(op, w, k), m.Parts)
}
