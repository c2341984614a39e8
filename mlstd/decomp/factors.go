package decomp

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Rotation determines how [FactorAnalysis] rotates its factors, since the likelihood does not
// determine the rotation.
type Rotation int

const (
	NoRotation Rotation = iota // the directions of maximum variance, in units of the noise
	Varimax                    // few large loadings in each factor
	Quartimax                  // few large loadings of each column
)

// FactorAnalysis explains the covariances of columns by a few hidden factors. Each column also has
// a variance of its own, which the factors do not explain.
//
//	x = x̄ + W·z + ε,  z ~ N(0, I),  ε ~ N(0, Ψ),  Ψ diagonal,  Cov(x) = W·Wᵀ + Ψ
//
// The maximum likelihood fit starts with Ψ, the variances of the columns, and alternates:
//
//  1. λ, V ← the k largest eigenvalues of Ψ^(−½)·C·Ψ^(−½) and their vectors.
//  2. W ← Ψ^(½)·V·√(λ − 1), where λ > 1.
//  3. ψⱼ ← Cⱼⱼ − Σ wⱼ².
//
// The scores are E[z|x] = (I + WᵀΨ⁻¹W)⁻¹WᵀΨ⁻¹(x − x̄). Unlike [PCA], factor analysis does not
// depend on the scale of the columns, and noise in a single column is not a factor. A ψ that falls
// to 0, a Heywood case, is a sign of too many factors. The likelihood is invariant under rotations
// of W; set Rotation for loadings that are easier to interpret.
//
// Cost: O(n·d²), and O(d³) per step; O(n²·d) per step for fewer rows than columns.
//
// References: [RubinThayer1982], [Barber2012], [Kaiser1958].
// Course: DEC-01.
type FactorAnalysis struct {
	model.Control

	// Components is the number of factors; 0 means 2. More factors explain more of the
	// covariances and are harder to interpret.
	Components int
	// Rotation is the method that rotates the factors. The default is NoRotation.
	Rotation Rotation
	// MaxIter is the maximum number of steps; 0 means 1000.
	MaxIter int
	// Tol is the increase of the log likelihood below which the fit stops; 0 means 0.01. A larger
	// value stops earlier.
	Tol float64

	Mean     []float64  // set by Fit
	Loadings *mat.Dense // set by Fit: W, one column per factor
	// Uniqueness is Ψ, the variance that each column shares with no other column. Uniqueness is 1
	// for a constant column. Fit sets this field.
	Uniqueness []float64
	// LogLikelihood is the log likelihood of the training rows; set by Fit.
	LogLikelihood float64
	Trace         model.Trace // set by Fit; Loss is minus the log likelihood

	scorer *mat.Dense // (I + WᵀΨ⁻¹W)⁻¹WᵀΨ⁻¹

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*FactorAnalysis)(nil)

func (f *FactorAnalysis) reset() {
	f.Mean, f.Loadings, f.Uniqueness, f.scorer = nil, nil, nil, nil
	f.LogLikelihood, f.Trace = 0, model.Trace{}
}

// Fit finds the factors of the rows of x.
func (f *FactorAnalysis) Fit(x mat.Matrix) error {
	const op = "FactorAnalysis.Fit"
	model.NoteX(&f.Fitted, x)
	f.reset()
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	if n < 2 {
		return model.Errorf(op, "x must have at least 2 rows, got 1")
	}
	k, err := components(op, f.Components, 2, min(n, cols))
	if err != nil {
		return err
	}
	most, err := model.Iterations(op, "MaxIter", f.MaxIter, 1000)
	if err != nil {
		return err
	}
	if f.Rotation < NoRotation || f.Rotation > Quartimax {
		return model.Errorf(op, "Rotation must be one of the constants of ml.Rotation, got %d", f.Rotation)
	}
	run := f.Begin("FactorAnalysis", most)
	defer run.End()
	mean, p := newFactorProblem(d, k)
	if math.IsInf(floats.Sum(p.variance), 1) {
		return notDecomposed(op)
	}
	trace, tol, last := model.Trace{}, model.Or(f.Tol, 0.01), math.Inf(-1)
	for iter := range most {
		gain, ok := p.step()
		if !ok {
			return notDecomposed(op)
		}
		trace.Loss = append(trace.Loss, -gain)
		if err := run.Step(iter+1, -gain); err != nil {
			return err
		}
		if gain-last < tol {
			trace.Converged = true
			break
		}
		last = gain
	}
	loadings, ok := rotated(p.loadings, f.Rotation)
	if !ok {
		return notDecomposed(op)
	}
	turn(nil, loadings)
	scorer, ok := factorScores(loadings, p.noise)
	if !ok {
		return notDecomposed(op)
	}
	f.Mean, f.Loadings, f.Uniqueness, f.scorer, f.Trace = mean, loadings, p.noise, scorer, trace
	f.LogLikelihood = -trace.Loss[len(trace.Loss)-1]
	return nil
}

// factorProblem is a search for k factors of centered rows.
type factorProblem struct {
	n, cols, k            int
	rows                  *mat.Dense // when there are fewer than columns
	covariance            []float64  // otherwise
	variance, noise, next []float64
	loadings              *mat.Dense
}

func newFactorProblem(d *mat.Dense, k int) (mean []float64, p *factorProblem) {
	n, cols := d.Dims()
	p = &factorProblem{n: n, cols: cols, k: k}
	if n < cols {
		mean = means(d)
		p.rows = centered(d, mean)
		p.variance = squares(p.rows)
	} else {
		mean, p.covariance = scatter(d)
		floats.Scale(1/float64(n), p.covariance)
		p.variance = make([]float64, cols)
		for j := range cols {
			p.variance[j] = max(0, float64(n)*p.covariance[j*cols+j])
		}
	}
	floats.Scale(1/float64(n), p.variance)
	p.next = make([]float64, cols)
	for j, v := range p.variance {
		if p.next[j] = v; v == 0 {
			p.next[j] = 1 // a constant column: any number
		}
	}
	return mean, p
}

// step takes Ψ from the previous step. It returns the W for it, the log likelihood of both, and the
// next Ψ.
func (p *factorProblem) step() (gain float64, ok bool) {
	p.noise = p.next
	values, vectors, whole, ok := p.scaled()
	if !ok {
		return 0, false
	}
	p.loadings = mat.NewDense(p.cols, p.k, nil)
	p.next = make([]float64, p.cols)
	copy(p.next, p.variance)
	// −2/n times the log likelihood, up to a constant.
	cost := float64(p.cols)*math.Log(2*math.Pi) + whole
	for c, v := range values {
		if !(v > 1) {
			continue
		}
		cost += math.Log(v) + 1 - v
		size := math.Sqrt(v - 1)
		for j, u := range vectors[c] {
			w := math.Sqrt(p.noise[j]) * size * u
			p.loadings.Set(j, c, w)
			p.next[j] -= w * w
		}
	}
	for j, v := range p.variance {
		cost += math.Log(p.noise[j])
		if least := 1e-12 * v; v > 0 {
			p.next[j] = max(p.next[j], least)
		} else {
			p.next[j] = p.noise[j]
		}
	}
	return -cost * float64(p.n) / 2, true
}

// scaled returns the k largest eigenvalues of Ψ^(−½)·C·Ψ^(−½), their eigenvectors, and the sum of
// all eigenvalues.
func (p *factorProblem) scaled() (values []float64, vectors [][]float64, whole float64, ok bool) {
	root := make([]float64, p.cols)
	for j, v := range p.noise {
		root[j] = math.Sqrt(v)
		whole += p.variance[j] / v
	}
	if p.rows == nil {
		a := make([]float64, len(p.covariance))
		for i, r := range root {
			for j, s := range root {
				a[i*p.cols+j] = p.covariance[i*p.cols+j] / (r * s)
			}
		}
		values, vectors, ok = linalg.Eigen(a, p.cols, p.k)
		return values, vectors, whole, ok
	}
	// The matrix of inner products of the rows has the same eigenvalues; for its eigenvector u, the
	// eigenvector is Xᵀu/√(nλ).
	x := mat.DenseCopyOf(p.rows)
	for i := range p.n {
		floats.Div(x.RawRowView(i), root)
	}
	x.Scale(1/math.Sqrt(float64(p.n)), x)
	values, vectors, ok = linalg.Eigen(timesT(x, x).RawMatrix().Data, p.n, p.k)
	for c, u := range vectors {
		v := make([]float64, p.cols)
		for i, f := range u {
			floats.AddScaled(v, f, x.RawRowView(i))
		}
		if values[c] > 0 {
			floats.Scale(1/math.Sqrt(values[c]), v)
		}
		vectors[c] = v
	}
	return values, vectors, whole, ok
}

// factorScores returns (I + WᵀΨ⁻¹W)⁻¹WᵀΨ⁻¹.
func factorScores(w *mat.Dense, noise []float64) (*mat.Dense, bool) {
	cols, k := w.Dims()
	scaled := mat.DenseCopyOf(w) // Ψ⁻¹W
	for j := range cols {
		floats.Scale(1/noise[j], scaled.RawRowView(j))
	}
	inner := tTimes(scaled, w)
	for c := range k {
		inner.Set(c, c, inner.At(c, c)+1)
	}
	l := inner.RawMatrix().Data
	if !linalg.Cholesky(l, k) {
		return nil, false
	}
	for j := range cols {
		linalg.SolveCholesky(l, scaled.RawRowView(j))
	}
	return transposed(scaled), true
}

// rotated multiplies w by the orthogonal matrix that maximizes Σ w⁴ or, for Varimax, the variance
// of the squares within the columns [Kaiser1958].
func rotated(w *mat.Dense, how Rotation) (*mat.Dense, bool) {
	cols, k := w.Dims()
	if how == NoRotation || k < 2 {
		return w, true
	}
	const most, tol = 200, 1e-9
	out, size := w, 0.0
	for range most {
		target := mat.DenseCopyOf(out)
		for c := range k {
			mean := 0.0
			if how == Varimax {
				for j := range cols {
					mean += out.At(j, c) * out.At(j, c) / float64(cols)
				}
			}
			for j := range cols {
				v := out.At(j, c)
				target.Set(j, c, v*(v*v-mean))
			}
		}
		u, s, v, ok := factored(tTimes(w, target))
		if !ok {
			return nil, false
		}
		if sum := floats.Sum(s); sum <= size*(1+tol) {
			break
		} else {
			size = sum
		}
		out = times(w, timesT(u, v))
	}
	return out, true
}

// Transform returns the expected factors of each row, one per column: factor1, factor2
// ...
func (f *FactorAnalysis) Transform(x mat.Matrix) *model.Table {
	const op = "FactorAnalysis.Transform"
	x = model.MustRead(op, &f.Fitted, x)
	if f.Loadings == nil {
		panic(model.NotFitted(op))
	}
	z := projected(model.MustRows(op, x, len(f.Mean)), f.Mean, f.scorer)
	_, k := f.Loadings.Dims()
	return model.Named(x, z, columns("factor", k))
}

// Covariance returns W·Wᵀ + Ψ, the covariance of the columns under the model.
func (f *FactorAnalysis) Covariance() *mat.Dense {
	if f.Loadings == nil {
		panic(model.NotFitted("FactorAnalysis.Covariance"))
	}
	out := timesT(f.Loadings, f.Loadings)
	for j, v := range f.Uniqueness {
		out.Set(j, j, out.At(j, j)+v)
	}
	return out
}

// LogDensity returns the log density of each row.
func (f *FactorAnalysis) LogDensity(x mat.Matrix) []float64 {
	const op = "FactorAnalysis.LogDensity"
	x = model.MustRead(op, &f.Fitted, x)
	if f.Loadings == nil {
		panic(model.NotFitted(op))
	}
	cols := len(f.Mean)
	c := centered(model.MustRows(op, x, cols), f.Mean)
	l := f.Covariance().RawMatrix().Data
	if !linalg.Cholesky(l, cols) {
		panic(model.Errorf(op, "the model covariance is singular").WithHint("set fewer Components"))
	}
	constant := float64(cols) * math.Log(2*math.Pi)
	for j := range cols {
		constant += 2 * math.Log(l[j*cols+j])
	}
	linalg.SolveLower(l, c.RawMatrix().Data, cols)
	n, _ := c.Dims()
	out := make([]float64, n)
	for i := range out {
		row := c.RawRowView(i)
		out[i] = -(constant + floats.Dot(row, row)) / 2
	}
	return out
}
