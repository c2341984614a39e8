package decomp

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// whitening subtracts the mean, and rotates and scales the rows so that the columns are
// uncorrelated with variance 1.
type whitening struct {
	mean []float64
	k    *mat.Dense // k x d
}

// whiten returns the whitening of d on k principal axes, and the whitened rows.
func whiten(op string, d *mat.Dense, k int) (whitening, *mat.Dense, error) {
	n, _ := d.Dims()
	mean := means(d)
	c := centered(d, mean)
	_, s, v, ok := factored(c)
	if !ok {
		return whitening{}, nil, notDecomposed(op)
	}
	if s[k-1] <= 1e-10*s[0] || s[0] == 0 {
		return whitening{}, nil, model.Errorf(op, "the rows must vary in at least %d directions", k).WithHint("set fewer Components")
	}
	turn(nil, v)
	axes := transposed(first(v, k))
	for j := range k {
		floats.Scale(math.Sqrt(float64(n))/s[j], axes.RawRowView(j))
	}
	return whitening{mean, axes}, timesT(c, axes), nil
}

// decorrelated returns (W·Wᵀ)^(−½)·W, the orthogonal matrix that is nearest to w.
func decorrelated(w *mat.Dense) (*mat.Dense, bool) {
	u, _, v, ok := factored(w)
	if !ok {
		return nil, false
	}
	return timesT(u, v), true
}

// Contrast is the function with which [FastICA] measures the non-Gaussianity of a projection.
type Contrast int

const (
	LogCosh      Contrast = iota // log cosh u: general purpose
	ExpContrast                  // −exp(−u²/2): for heavy tails, robust
	CubeContrast                 // u⁴/4, the kurtosis: sensitive to outliers
)

// slopes replaces values by the first derivatives of the contrast, and adds the second derivatives
// to out, which has one sum for each column of values.
func (c Contrast) slopes(out, values []float64) {
	if c == LogCosh { // tanh u = 1 − 2/(1 + e^2u)
		const most = 300 // beyond which it is 1
		for i, u := range values {
			values[i] = 2 * max(-most, min(most, u))
		}
		linalg.Exp(values)
	}
	k := len(out)
	for ; len(values) > 0; values = values[k:] {
		for j, u := range values[:k] {
			var g, dg float64
			switch c {
			case ExpContrast:
				e := math.Exp(-u * u / 2)
				g, dg = u*e, (1-u*u)*e
			case CubeContrast:
				g, dg = u*u*u, 3*u*u
			default:
				g = 1 - 2/(1+u)
				dg = 1 - g*g
			}
			values[j] = g
			out[j] += dg
		}
	}
}

// FastICA is independent component analysis by a fixed-point iteration: it finds independent
// sources of which the columns of x are mixtures.
//
//	x = A·s,  z = K(x − x̄) white,  w ← E[z·g(wᵀz)] − E[g′(wᵀz)]·w
//
// for all rows w of an orthogonal W at once, followed by the orthogonalization (WWᵀ)^(−½)·W, until
// no row turns by more than Tol. With Deflation it finds one row after the other. Sums of
// independent sources are closer to Gaussian than the sources, so the iteration finds the least
// Gaussian directions. Sign, order and scale of the sources are not identifiable; here they have
// variance 1. Several Gaussian sources cannot be separated.
//
// Cost: O(n·k²) per step.
//
// References: [HyvarinenOja2000].
// Course: DEC-10.
type FastICA struct {
	model.Control

	// Components is the number of sources; 0 means min(n, d).
	Components int
	// Contrast is the contrast function. The default is LogCosh.
	Contrast Contrast
	// Deflation finds one source after the other, each orthogonal to the earlier sources. It
	// usually finds the least Gaussian sources first. Errors in the first sources propagate to the
	// later sources.
	Deflation bool `snapshot:"added"`
	// MaxIter is the maximum number of steps (with Deflation, of steps per source); 0 means 200.
	MaxIter int
	// Tol is the tolerance: Fit stops when no row of W turns by more than Tol in a step, measured
	// by 1 − |cos|; 0 means 1e-4. A larger value stops earlier.
	Tol float64
	// Seed is the seed of the first W.
	Seed uint64

	Mean     []float64   // set by Fit
	Unmixing *mat.Dense  // set by Fit: k x d, s = Unmixing·(x − Mean)
	Mixing   *mat.Dense  // set by Fit: d x k, x ≈ Mixing·s + Mean
	Trace    model.Trace // set by Fit; Step is the largest turn

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*FastICA)(nil)

// Fit finds the sources.
func (f *FastICA) Fit(x mat.Matrix) error {
	const op = "FastICA.Fit"
	model.NoteX(&f.Fitted, x)
	f.Mean, f.Unmixing, f.Mixing, f.Trace = nil, nil, nil, model.Trace{}
	if f.Contrast < LogCosh || f.Contrast > CubeContrast {
		return model.Errorf(op, "Contrast must be one of the constants of ml.Contrast, got %d", f.Contrast)
	}
	p, err := newSeparation(op, x, f.Components, f.MaxIter, 200)
	if err != nil {
		return err
	}
	most := p.most
	if f.Deflation {
		most *= p.k
	}
	run := f.Begin("FastICA", most)
	defer run.End()
	rng := model.Rand(f.Seed, 0)
	w := mat.NewDense(p.k, p.k, nil)
	for i := range p.k {
		for j := range p.k {
			w.Set(i, j, rng.NormFloat64())
		}
	}
	var trace model.Trace
	var ok bool
	if f.Deflation {
		w, ok, err = f.oneByOne(p, w, run, &trace)
	} else {
		w, ok, err = f.together(p, w, run, &trace)
	}
	if err != nil {
		return err
	}
	if !ok {
		return notDecomposed(op)
	}
	f.Mean, f.Trace = p.white.mean, trace
	f.Unmixing, f.Mixing, err = p.unmixed(op, w)
	return err
}

// together updates all rows of w at once.
func (f *FastICA) together(p *separation, w *mat.Dense, run *model.Run, trace *model.Trace) (*mat.Dense, bool, error) {
	w, ok := decorrelated(w)
	tol := model.Or(f.Tol, 1e-4)
	for iter := 0; iter < p.most && ok; iter++ {
		var next *mat.Dense
		if next, ok = decorrelated(f.update(p.z, w)); !ok {
			break
		}
		turned := 0.0
		for i := range p.k {
			turned = max(turned, math.Abs(math.Abs(floats.Dot(next.RawRowView(i), w.RawRowView(i)))-1))
		}
		w = next
		trace.Step = append(trace.Step, turned)
		if err := run.Step(iter+1, turned); err != nil {
			return nil, true, err
		}
		if turned < tol {
			trace.Converged = true
			break
		}
	}
	return w, ok, nil
}

// oneByOne finds one row of w after the other, each orthogonal to the previous rows.
func (f *FastICA) oneByOne(p *separation, w *mat.Dense, run *model.Run, trace *model.Trace) (*mat.Dense, bool, error) {
	tol := model.Or(f.Tol, 1e-4)
	trace.Converged = true
	for i := range p.k {
		row := w.Slice(i, i+1, 0, p.k).(*mat.Dense)
		if !project(row.RawRowView(0), w, i) {
			return nil, false, nil
		}
		met := false
		for iter := 0; iter < p.most && !met; iter++ {
			next := f.update(p.z, row)
			if !project(next.RawRowView(0), w, i) {
				return nil, false, nil
			}
			turned := math.Abs(math.Abs(floats.Dot(next.RawRowView(0), row.RawRowView(0))) - 1)
			row.Copy(next)
			trace.Step = append(trace.Step, turned)
			if err := run.Step(len(trace.Step), turned); err != nil {
				return nil, true, err
			}
			met = turned < tol
		}
		trace.Converged = trace.Converged && met
	}
	return w, true, nil
}

// project makes v orthogonal to the first rows of w and scales it to length 1.
func project(v []float64, w *mat.Dense, rows int) bool {
	for range 2 {
		for i := range rows {
			u := w.RawRowView(i)
			floats.AddScaled(v, -floats.Dot(u, v), u)
		}
	}
	length := floats.Norm(v, 2)
	if !(length > 0) || math.IsInf(length, 1) {
		return false
	}
	floats.Scale(1/length, v)
	return true
}

// update takes the fixed-point step for all rows of w.
func (f *FastICA) update(z, w *mat.Dense) *mat.Dense {
	n, _ := z.Dims()
	y := timesT(z, w)
	count, _ := w.Dims()
	slopes := summed(n, count, func(out []float64, lo, hi int) {
		f.Contrast.slopes(out, y.RawMatrix().Data[lo*count:hi*count])
	})
	next := tTimes(y, z)
	for j := range count {
		row := next.RawRowView(j)
		floats.Scale(1/float64(n), row)
		floats.AddScaled(row, -slopes[j]/float64(n), w.RawRowView(j))
	}
	return next
}

// separation is the state shared by the algorithms for independent components.
type separation struct {
	k, most int
	white   whitening
	z       *mat.Dense
}

func newSeparation(op string, x mat.Matrix, asked, maxIter, usual int) (*separation, error) {
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	n, cols := d.Dims()
	k, err := components(op, asked, min(n, cols), min(n, cols))
	if err != nil {
		return nil, err
	}
	most, err := model.Iterations(op, "MaxIter", maxIter, usual)
	if err != nil {
		return nil, err
	}
	white, z, err := whiten(op, d, k)
	return &separation{k, most, white, z}, err
}

// unmixed returns W·K, with sources of variance 1, and its pseudo-inverse. The largest
// entry in size of each row of W·K is positive.
func (p *separation) unmixed(op string, w *mat.Dense) (unmixing, mixing *mat.Dense, err error) {
	s := timesT(p.z, w)
	n, k := s.Dims()
	unmixing = times(w, p.white.k)
	for j := range k {
		floats.Scale(math.Sqrt(float64(n))/floats.Norm(mat.Col(nil, j, s), 2), unmixing.RawRowView(j))
	}
	t := transposed(unmixing)
	turn(nil, t)
	unmixing = transposed(t)
	// The pseudo-inverse of a matrix of full rank: Uᵀ(UUᵀ)⁻¹.
	g := gram(t)
	if !linalg.Cholesky(g, k) {
		return nil, nil, notDecomposed(op)
	}
	d, _ := t.Dims()
	for i := range d {
		linalg.SolveCholesky(g, t.RawRowView(i))
	}
	return unmixing, t, nil
}

// sources implements Transform for an unmixing matrix.
func sources(op string, x mat.Matrix, mean []float64, unmixing *mat.Dense) *model.Table {
	if unmixing == nil {
		panic(model.NotFitted(op))
	}
	k, cols := unmixing.Dims()
	return model.Named(x, projected(model.MustRows(op, x, cols), mean, unmixing), columns("source", k))
}

// mixed implements Inverse for a mixing matrix.
func mixed(op string, s mat.Matrix, mean []float64, mixing *mat.Dense) *mat.Dense {
	if mixing == nil {
		panic(model.NotFitted(op))
	}
	_, k := mixing.Dims()
	out := timesT(model.MustRows(op, s, k), mixing)
	n, _ := out.Dims()
	for i := range n {
		floats.Add(out.RawRowView(i), mean)
	}
	return out
}

// Transform returns the sources in each row, one per column: source1, source2 ...
func (f *FastICA) Transform(x mat.Matrix) *model.Table {
	x = model.MustRead("FastICA.Transform", &f.Fitted, x)
	return sources("FastICA.Transform", x, f.Mean, f.Unmixing)
}

// Inverse returns the mixtures of sources.
func (f *FastICA) Inverse(s mat.Matrix) *mat.Dense {
	return mixed("FastICA.Inverse", s, f.Mean, f.Mixing)
}

// InfomaxICA finds independent sources by maximizing the information that a layer of sigmoid units
// transmits.
//
//	W ← W + Rate·(I − C·tanh(Y)ᵀY/n − YᵀY/n)·W,  Y = Z·Wᵀ
//
// on whitened rows Z, by the natural gradient. C is diagonal: 1 for sources with heavier tails than
// a Gaussian and −1 for lighter tails, determined at each step by the sign of E[sech²y]·E[y²] −
// E[y·tanh y].
//
// Cost: O(n·k²) per step; many more steps than [FastICA].
//
// References: [BellSejnowski1995], [LeeGirolamiSejnowski1999].
// Course: DEC-10.
type InfomaxICA struct {
	model.Control

	// Components is the number of sources; 0 means min(n, d).
	Components int
	// Rate is the step size; 0 means 0.2. A larger step is faster and may diverge.
	Rate float64
	// MaxIter is the maximum number of steps; 0 means 1000.
	MaxIter int
	// Tol is the tolerance: Fit stops when each entry of W changes by less than Tol in a step; 0
	// means 1e-6. A larger value stops earlier.
	Tol float64

	Mean     []float64   // set by Fit
	Unmixing *mat.Dense  // set by Fit: k x d, s = Unmixing·(x − Mean)
	Mixing   *mat.Dense  // set by Fit: d x k, x ≈ Mixing·s + Mean
	Trace    model.Trace // set by Fit; Step is the largest entry of the change

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*InfomaxICA)(nil)

// Fit finds the sources.
func (m *InfomaxICA) Fit(x mat.Matrix) error {
	const op = "InfomaxICA.Fit"
	model.NoteX(&m.Fitted, x)
	m.Mean, m.Unmixing, m.Mixing, m.Trace = nil, nil, nil, model.Trace{}
	rate := model.Or(m.Rate, 0.2)
	if !(rate > 0 && rate <= 1) {
		return model.Errorf(op, "Rate must be above 0 and at most 1, got %v", m.Rate)
	}
	p, err := newSeparation(op, x, m.Components, m.MaxIter, 1000)
	if err != nil {
		return err
	}
	run := m.Begin("InfomaxICA", p.most)
	defer run.End()
	w := mat.NewDense(p.k, p.k, nil)
	for j := range p.k {
		w.Set(j, j, 1)
	}
	var trace model.Trace
	tol := model.Or(m.Tol, 1e-6)
	for iter := range p.most {
		change := naturalStep(p.z, w)
		change.Scale(rate, change)
		w.Add(w, change)
		size := max(mat.Max(change), -mat.Min(change))
		if math.IsNaN(size) || size > 1e6 {
			return model.Errorf(op, "the iteration diverges").WithHint("set a smaller Rate")
		}
		trace.Step = append(trace.Step, size)
		if err := run.Step(iter+1, size); err != nil {
			return err
		}
		if size < tol {
			trace.Converged = true
			break
		}
	}
	m.Mean, m.Trace = p.white.mean, trace
	m.Unmixing, m.Mixing, err = p.unmixed(op, w)
	return err
}

// naturalStep returns (I − C·tanh(Y)ᵀY/n − YᵀY/n)·W.
func naturalStep(z, w *mat.Dense) *mat.Dense {
	n, k := z.Dims()
	y := timesT(z, w)
	squash := mat.NewDense(n, k, nil)
	sums := summed(n, 3*k, func(out []float64, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, to := y.RawRowView(i), squash.RawRowView(i)
			for j, u := range row {
				t := math.Tanh(u)
				to[j] = t
				out[j] += 1 - t*t
				out[k+j] += u * u
				out[2*k+j] += u * t
			}
		}
	})
	inner, yy := tTimes(squash, y), gram(y)
	g := mat.NewDense(k, k, nil)
	for i := range k {
		heavy := math.Copysign(1, sums[i]*sums[k+i]/float64(n)-sums[2*k+i])
		for j := range k {
			g.Set(i, j, -(heavy*inner.At(i, j)+yy[i*k+j])/float64(n))
		}
		g.Set(i, i, g.At(i, i)+1)
	}
	return times(g, w)
}

// Transform returns the sources in each row, one per column: source1, source2 ...
func (m *InfomaxICA) Transform(x mat.Matrix) *model.Table {
	x = model.MustRead("InfomaxICA.Transform", &m.Fitted, x)
	return sources("InfomaxICA.Transform", x, m.Mean, m.Unmixing)
}

// Inverse returns the mixtures of sources.
func (m *InfomaxICA) Inverse(s mat.Matrix) *mat.Dense {
	return mixed("InfomaxICA.Inverse", s, m.Mean, m.Mixing)
}
