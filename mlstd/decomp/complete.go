package decomp

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// SoftImpute completes a low-rank matrix with missing entries, such as ratings not given or lost
// measurements.
//
//	min_M  ½·Σ_{observed}(xᵢⱼ − mᵢⱼ)² + Lambda·‖M‖_*
//
// where ‖M‖_* is the sum of the singular values of M.
//
//  1. Fill the missing entries with the entries of M, which is 0 at first.
//  2. M ← U·diag(max(0, σ − Lambda))·Vᵀ of the filled matrix; at most MaxRank values.
//
// until the relative change of M is below Tol. With Lambda = model.Zero and a MaxRank, SoftImpute
// is iterated singular value decomposition: fill, truncate to the rank, fill again. Transform fills
// a new row from the vector in the row space of M that best fits its observed entries, with the
// same penalty.
//
// A row or column without any observed entry is filled with 0, or with the means if
// Center is set.
//
// Cost: O(n·d·min(n, d)) per step.
//
// References: [MazumderHastieTibshirani2010], [CandesRecht2009].
// Course: DEC-13.
type SoftImpute struct {
	model.Control

	// Lambda is the threshold. 0 means 1/50 of the largest singular value of x, in which zeros
	// replace the missing entries; model.Zero means no threshold. A larger value lowers the rank.
	Lambda float64
	// MaxRank is the maximum rank of M; 0 means min(n, d). A larger rank fits the observed entries
	// more closely.
	MaxRank int
	// Center first subtracts the means of the observed entries of each column.
	Center bool
	// MaxIter is the maximum number of steps; 0 means 500.
	MaxIter int
	// Tol is the relative change of M below which the iteration stops; 0 means 1e-6. A larger value
	// stops earlier.
	Tol float64

	Mean     []float64   // set by Fit: zeros without Center
	Singular []float64   // set by Fit: the shrunken singular values of M, without zeros
	Axes     *mat.Dense  // set by Fit: the right singular vectors of M, one per row
	Shrunk   float64     // set by Fit: the Lambda that was used
	Trace    model.Trace // set by Fit; Loss is the objective

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*SoftImpute)(nil)

// Takes reports that SoftImpute takes missing entries.
func (m *SoftImpute) Takes() model.Takes { return model.Takes{Missing: true} }

// Leaves reports that no missing entry is left.
func (m *SoftImpute) Leaves() model.Takes { return model.Takes{} }

// Fit finds M for x, in which NaN is a missing entry.
func (m *SoftImpute) Fit(x mat.Matrix) error {
	const op = "SoftImpute.Fit"
	model.NoteX(&m.Fitted, x)
	m.Mean, m.Singular, m.Axes, m.Shrunk, m.Trace = nil, nil, nil, 0, model.Trace{}
	d, err := m.Takes().CheckX(op, x)
	if err != nil {
		return err
	}
	most, err := model.Iterations(op, "MaxIter", m.MaxIter, 500)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	rank, err := model.Iterations(op, "MaxRank", m.MaxRank, min(n, cols))
	if err != nil {
		return err
	}
	if !(m.Lambda >= 0) || math.IsInf(m.Lambda, 1) {
		return model.Errorf(op, "Lambda must be finite and not negative, got %v", m.Lambda)
	}
	mean := make([]float64, cols)
	if m.Center {
		mean = observedMeans(d)
	}
	rest := centered(d, mean) // NaN stays
	filled := mat.DenseCopyOf(rest)
	replaceMissing(filled, rest, nil)
	lambda := m.Lambda
	switch {
	case lambda == 0:
		_, s, _, ok := factored(filled)
		if !ok {
			return notDecomposed(op)
		}
		lambda = s[0] / 50
	case lambda == model.Zero:
		lambda = 0
	}
	run := m.Begin("SoftImpute", most)
	defer run.End()
	var trace model.Trace
	tol, old := model.Or(m.Tol, 1e-6), mat.NewDense(n, cols, nil)
	var s []float64
	var axes *mat.Dense
	for iter := range most {
		u, values, v, ok := factored(filled)
		if !ok {
			return notDecomposed(op)
		}
		turn(u, v)
		var next *mat.Dense
		s, axes, next = shrunken(u, v, values[:min(rank, len(values))], lambda)
		loss, change, size := moved(rest, old, next)
		loss += lambda * floats.Sum(s)
		old = next
		trace.Loss, trace.Step = append(trace.Loss, loss), append(trace.Step, math.Sqrt(change))
		if err := run.Step(iter+1, loss); err != nil {
			return err
		}
		if math.Sqrt(change) <= tol*math.Sqrt(size) || change == 0 {
			trace.Converged = true
			break
		}
		replaceMissing(filled, rest, next)
	}
	if axes == nil {
		axes = mat.NewDense(1, cols, nil) // all singular values are shrunken to 0
	}
	m.Mean, m.Singular, m.Axes, m.Shrunk, m.Trace = mean, s, axes, lambda, trace
	return nil
}

// shrunken subtracts λ from the singular values. It returns the positive ones, their axes as rows
// (nil if none is positive) and the resulting matrix.
func shrunken(u, v *mat.Dense, values []float64, lambda float64) (s []float64, axes, next *mat.Dense) {
	for _, value := range values {
		if value > lambda && value > 1e-13*values[0] {
			s = append(s, value-lambda)
		}
	}
	n, _ := u.Dims()
	cols, _ := v.Dims()
	k := len(s)
	if k == 0 {
		return nil, nil, mat.NewDense(n, cols, nil)
	}
	f := Factors{first(u, k), s, first(v, k)}
	return s, transposed(f.V), f.Matrix()
}

// moved compares two completions of rest, whose missing entries are NaN. It returns half the
// squared error of the new one on the known entries, ‖new − old‖² and ‖old‖².
func moved(rest, old, next *mat.Dense) (loss, change, size float64) {
	n, _ := rest.Dims()
	for i := range n {
		was, is := old.RawRowView(i), next.RawRowView(i)
		for j, v := range rest.RawRowView(i) {
			change += (is[j] - was[j]) * (is[j] - was[j])
			size += was[j] * was[j]
			if !math.IsNaN(v) {
				loss += (v - is[j]) * (v - is[j]) / 2
			}
		}
	}
	return loss, change, size
}

// observedMeans returns the means of the entries of each column that are not missing.
func observedMeans(d *mat.Dense) []float64 {
	n, cols := d.Dims()
	mean, count := make([]float64, cols), make([]float64, cols)
	for i := range n {
		for j, v := range d.RawRowView(i) {
			if !math.IsNaN(v) {
				mean[j] += v
				count[j]++
			}
		}
	}
	for j := range mean {
		mean[j] /= max(1, count[j])
	}
	return mean
}

// replaceMissing sets the entries of to that are missing in d to the entries of with; nil stands
// for zeros.
func replaceMissing(to, d, with *mat.Dense) {
	n, _ := d.Dims()
	for i := range n {
		row := to.RawRowView(i)
		for j, v := range d.RawRowView(i) {
			if !math.IsNaN(v) {
				continue
			}
			row[j] = 0
			if with != nil {
				row[j] = with.At(i, j)
			}
		}
	}
}

// Transform fills the missing entries of each row and leaves the observed entries unchanged.
func (m *SoftImpute) Transform(x mat.Matrix) *model.Table {
	const op = "SoftImpute.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Axes == nil {
		panic(model.NotFitted(op))
	}
	d := m.Takes().MustRows(op, x, len(m.Mean))
	out := mat.DenseCopyOf(d)
	n, _ := d.Dims()
	par.Range(n, 32, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if row := out.RawRowView(i); finite.First(row) >= 0 {
				m.fillRow(row)
			}
		}
	})
	return model.Like(x, out)
}

// fillRow fills one row. With M = A·Bᵀ and B = V·√S, the singular values of M are
// small when the squares of A and B are. So the best row a of A is the ridge
// solution (BᵀB + Lambda·I)·a = Bᵀx on the observed entries.
func (m *SoftImpute) fillRow(row []float64) {
	k := len(m.Singular)
	if k == 0 {
		for j, v := range row {
			if math.IsNaN(v) {
				row[j] = m.Mean[j]
			}
		}
		return
	}
	g, a, b := make([]float64, k*k), make([]float64, k), make([]float64, k)
	part := func(j int) {
		for c, s := range m.Singular {
			b[c] = m.Axes.At(c, j) * math.Sqrt(s)
		}
	}
	for j, v := range row {
		if math.IsNaN(v) {
			continue
		}
		part(j)
		for c := range k {
			floats.AddScaled(g[c*k:(c+1)*k], b[c], b)
		}
		floats.AddScaled(a, v-m.Mean[j], b)
	}
	for c := range k {
		// Without a penalty, take the minimum-norm solution.
		g[c*k+c] += max(m.Shrunk, 1e-9*m.Singular[0])
	}
	if linalg.Cholesky(g, k) {
		linalg.SolveCholesky(g, a)
	} else {
		clear(a)
	}
	for j, v := range row {
		if math.IsNaN(v) {
			part(j)
			row[j] = m.Mean[j] + floats.Dot(a, b)
		}
	}
}
