package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// tiny is the responsibility below which a row does not count in the sums of a component, since its
// contribution would be lost in rounding.
const tiny = 1e-22

// normals is a mixture of normal distributions as [EM] sees it.
type normals struct {
	op      string
	x       *mat.Dense
	form    CovarianceForm
	ridge   float64
	weights []float64
	means   *mat.Dense
	cov     []*mat.Dense
	empty   int

	joint, spare *mat.Dense // the matrices that LogJoint returns in turn
	white        []float64  // L⁻¹ of the components one below the other, or 1/σ
	offset       []float64  // L⁻¹·μ
	logNorm      []float64  // log π − ½·log|2πΣ|
}

// allocate makes room for k components with equal weights.
func (g *normals) allocate(k int) {
	_, d := g.x.Dims()
	g.weights, g.means = make([]float64, k), mat.NewDense(k, d, nil)
	for c := range g.weights {
		g.weights[c] = 1 / float64(k)
	}
	switch g.form {
	case FullCovariance:
		for range k {
			g.cov = append(g.cov, mat.NewDense(d, d, nil))
		}
	case TiedCovariance:
		g.cov = []*mat.Dense{mat.NewDense(d, d, nil)}
	case DiagonalCovariance:
		g.cov = []*mat.Dense{mat.NewDense(k, d, nil)}
	default:
		g.cov = []*mat.Dense{mat.NewDense(k, 1, nil)}
	}
}

// small reports whether the parameters are few enough to be kept.
func (g *normals) small() bool {
	k, d := g.means.Dims()
	return k+k*d+k*d*d <= 64
}

func (g *normals) step(value float64) MixtureStep {
	k, d := g.means.Dims()
	s := MixtureStep{LogLikelihood: value, Weights: append([]float64(nil), g.weights...), Means: mat.DenseCopyOf(g.means)}
	for c := range k {
		s.Covariances = append(s.Covariances, square(g.form, g.cov, c, d))
	}
	return s
}

// overall sets the covariance of every component to the covariance of all rows.
func (g *normals) overall() error {
	n, _ := g.x.Dims()
	k, d := g.means.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j, v := range g.x.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	whole := normals{op: g.op, x: g.x, form: g.form, ridge: g.ridge}
	whole.allocate(1)
	whole.means.SetRow(0, mean)
	q := mat.NewDense(n, 1, nil)
	for i := range n {
		q.Set(i, 0, 1)
	}
	if err := whole.Maximize(q); err != nil {
		return err
	}
	if g.form <= TiedCovariance {
		for c := range g.cov {
			g.cov[c].Copy(whole.cov[0])
		}
	} else {
		for c := range k {
			g.cov[0].SetRow(c, whole.cov[0].RawRowView(0))
		}
	}
	return g.factor()
}

// factor prepares the densities.
func (g *normals) factor() error {
	k, d := g.means.Dims()
	g.logNorm = make([]float64, k)
	base := -0.5 * float64(d) * math.Log(2*math.Pi)
	if g.form > TiedCovariance {
		return g.factorVariances(base)
	}
	g.white, g.offset = make([]float64, k*d*d), make([]float64, k*d)
	for c := range k {
		white := g.white[c*d*d : (c+1)*d*d]
		if c > 0 && g.form == TiedCovariance {
			copy(white, g.white[:d*d])
			g.logNorm[c] = g.logNorm[0]
		} else {
			logDet, err := g.whiten(white, c, d)
			if err != nil {
				return err
			}
			g.logNorm[c] = base - logDet
		}
		for i := range d {
			g.offset[c*d+i] = linalgDot(white[i*d:i*d+d], g.means.RawRowView(c))
		}
	}
	for c, w := range g.weights {
		g.logNorm[c] += math.Log(w)
	}
	return nil
}

// whiten writes L⁻¹ of the covariance of a component and returns log|L|.
func (g *normals) whiten(white []float64, c, d int) (logDet float64, err error) {
	l := append([]float64(nil), g.cov[min(c, len(g.cov)-1)].RawMatrix().Data...)
	if !linalg.Cholesky(l, d) {
		return 0, g.collapsed(c)
	}
	for i := range d {
		logDet += math.Log(l[i*d+i])
		white[i*d+i] = 1 // row i: L⁻¹ times the unit vector, transposed below
	}
	if math.IsNaN(logDet) || math.IsInf(logDet, 0) {
		return 0, g.collapsed(c)
	}
	linalg.SolveLower(l, white, d)
	for i := range d { // rows are columns of L⁻¹
		for j := range i {
			white[i*d+j], white[j*d+i] = white[j*d+i], white[i*d+j]
		}
	}
	return logDet, nil
}

func (g *normals) collapsed(c int) error {
	return model.Errorf(g.op, "the covariance of component %d must be positive definite: it has collapsed onto too few rows, or columns are linearly dependent", c).
		WithHint("set a larger Ridge, fewer components or a simpler Form")
}

func (g *normals) factorVariances(base float64) error {
	k, d := g.means.Dims()
	g.white, g.offset = make([]float64, k*d), nil
	_, wide := g.cov[0].Dims()
	for c := range k {
		logDet := 0.0
		for j := range d {
			v := g.cov[0].At(c, min(j, wide-1))
			if !(v > 0) || math.IsInf(1/v, 1) {
				return g.collapsed(c)
			}
			logDet += 0.5 * math.Log(v)
			g.white[c*d+j] = 1 / math.Sqrt(v)
		}
		g.logNorm[c] = base - logDet + math.Log(g.weights[c])
	}
	return nil
}

func linalgDot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// LogJoint returns log πₖ + log N(xᵢ; μₖ, Σₖ).
func (g *normals) LogJoint() *mat.Dense {
	n, _ := g.x.Dims()
	k, d := g.means.Dims()
	g.joint, g.spare = g.spare, g.joint
	if g.joint == nil {
		g.joint = mat.NewDense(n, k, nil)
	}
	if g.form > TiedCovariance {
		g.jointVariances()
		return g.joint
	}
	packed := linalg.Pack(g.white, k*d, d, d)
	const rows = 48
	par.Range(n, 4*rows, func(lo, hi int) {
		y := make([]float64, rows*k*d)
		for at := lo; at < hi; at += rows {
			m := min(rows, hi-at)
			for r := range m {
				part := y[r*k*d : (r+1)*k*d]
				for j, v := range g.offset {
					part[j] = -v
				}
			}
			linalg.AddProduct(y, k*d, g.x.RawMatrix().Data[at*d:], m, d, packed)
			for r := range m {
				out := g.joint.RawRowView(at + r)
				part := y[r*k*d : (r+1)*k*d]
				for c := range out {
					out[c] = g.logNorm[c] - 0.5*sumSquares(part[c*d:c*d+d])
				}
			}
		}
	})
	return g.joint
}

func sumSquares(v []float64) float64 {
	var a, b, c, e float64
	for len(v) >= 4 {
		a += v[0] * v[0]
		b += v[1] * v[1]
		c += v[2] * v[2]
		e += v[3] * v[3]
		v = v[4:]
	}
	for _, u := range v {
		a += u * u
	}
	return a + b + (c + e)
}

func (g *normals) jointVariances() {
	n, _ := g.x.Dims()
	k, d := g.means.Dims()
	par.Range(n, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, out := g.x.RawRowView(i), g.joint.RawRowView(i)
			for c := range k {
				mean, white := g.means.RawRowView(c), g.white[c*d:c*d+d]
				var s, t float64
				j := 0
				for ; j+2 <= d; j += 2 {
					a, b := (row[j]-mean[j])*white[j], (row[j+1]-mean[j+1])*white[j+1]
					s += a * a
					t += b * b
				}
				if j < d {
					a := (row[j] - mean[j]) * white[j]
					s += a * a
				}
				out[c] = g.logNorm[c] - 0.5*(s+t)
			}
		}
	})
}

// sums are the weighted sums of the rows of one stripe, about the previous means.
type sums struct {
	count  []float64
	first  []float64 // k x d
	second []float64 // k x d x d, upper triangles, or k x d of squares
}

// Maximize runs the M step.
func (g *normals) Maximize(q *mat.Dense) error {
	n, _ := g.x.Dims()
	k, d := g.means.Dims()
	count, _ := stripes(n)
	size := d
	if g.form <= TiedCovariance {
		size = d * d
	}
	parts := make([]sums, count)
	inStripes(n, func(s, lo, hi int) {
		parts[s] = sums{make([]float64, k), make([]float64, k*d), make([]float64, k*size)}
		if g.form <= TiedCovariance {
			g.addSquares(&parts[s], q, lo, hi)
		} else {
			g.addVariances(&parts[s], q, lo, hi)
		}
	})
	all := parts[0]
	for _, p := range parts[1:] {
		add(all.count, p.count)
		add(all.first, p.first)
		add(all.second, p.second)
	}
	g.update(&all, size)
	return g.factor()
}

func add(to, from []float64) {
	for i, v := range from {
		to[i] += v
	}
}

// addSquares sums rows and their products. Rows that hardly belong to a component are
// left out of its sums.
func (g *normals) addSquares(s *sums, q *mat.Dense, lo, hi int) {
	k, d := g.means.Dims()
	const rows = 256
	buf := make([]float64, rows*d)
	for c := range k {
		mean, first, second := g.means.RawRowView(c), s.first[c*d:c*d+d], s.second[c*d*d:(c+1)*d*d]
		filled := 0
		for i := lo; i < hi; i++ {
			r := q.At(i, c)
			if r < tiny {
				continue
			}
			s.count[c] += r
			root, to := math.Sqrt(r), buf[filled*d:filled*d+d]
			for j, v := range g.x.RawRowView(i) {
				v -= mean[j]
				first[j] += r * v
				to[j] = root * v
			}
			if filled++; filled == rows {
				linalg.AddGram(second, d, buf, filled, d, d)
				filled = 0
			}
		}
		if filled > 0 {
			linalg.AddGram(second, d, buf, filled, d, d)
		}
	}
}

func (g *normals) addVariances(s *sums, q *mat.Dense, lo, hi int) {
	k, d := g.means.Dims()
	for i := lo; i < hi; i++ {
		row := g.x.RawRowView(i)
		for c, r := range q.RawRowView(i)[:k] {
			if r < tiny {
				continue
			}
			s.count[c] += r
			mean, first, second := g.means.RawRowView(c), s.first[c*d:c*d+d], s.second[c*d:c*d+d]
			for j, v := range row {
				v -= mean[j]
				first[j] += r * v
				second[j] += r * v * v
			}
		}
	}
}

// update computes the parameters from the sums.
func (g *normals) update(s *sums, size int) {
	n, _ := g.x.Dims()
	k, d := g.means.Dims()
	g.empty = 0
	tied := make([]float64, size)
	for c, nk := range s.count {
		g.weights[c] = nk / float64(n)
		if nk <= 1e-12 { // without rows: unchanged, with weight 0
			g.weights[c] = 0
			g.empty++
			continue
		}
		mean, shift, second := g.means.RawRowView(c), s.first[c*d:c*d+d], s.second[c*size:(c+1)*size]
		for j := range shift {
			shift[j] /= nk
			mean[j] += shift[j]
		}
		if g.form > TiedCovariance {
			g.setVariances(c, nk, shift, second)
			continue
		}
		for i := range d {
			for j := i; j < d; j++ {
				second[i*d+j] -= nk * shift[i] * shift[j]
				tied[i*d+j] += second[i*d+j]
			}
		}
		if g.form == FullCovariance {
			g.setCovariance(g.cov[c], second, nk)
		}
	}
	if g.form == TiedCovariance {
		g.setCovariance(g.cov[0], tied, total(s.count))
	}
	sum := total(g.weights)
	for c := range k {
		g.weights[c] /= sum
	}
}

func (g *normals) setCovariance(to *mat.Dense, upper []float64, nk float64) {
	_, d := to.Dims()
	for i := range d {
		for j := i; j < d; j++ {
			v := upper[i*d+j] / nk
			if i == j {
				v = max(v, 0) + g.ridge
			}
			to.Set(i, j, v)
			to.Set(j, i, v)
		}
	}
}

func (g *normals) setVariances(c int, nk float64, shift, second []float64) {
	row := g.cov[0].RawRowView(c)
	clear(row)
	d := len(shift)
	for j := range d {
		v := max(second[j]/nk-shift[j]*shift[j], 0)
		if len(row) == d && g.form == DiagonalCovariance {
			row[j] = v
		} else {
			row[0] += v / float64(d)
		}
	}
	for j := range row {
		row[j] += g.ridge
	}
}

// rootOf returns L with cov = L·Lᵀ.
func rootOf(op string, cov *mat.Dense) *mat.Dense {
	d, _ := cov.Dims()
	if !linalg.Cholesky(cov.RawMatrix().Data, d) {
		panic(model.Errorf(op, "the covariances must be positive definite"))
	}
	return cov
}
