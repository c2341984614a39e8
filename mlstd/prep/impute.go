package prep

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KNNImputer replaces a missing value with the mean of its column over the K nearest training rows
// that have a value in this column.
//
//	x̂ᵢⱼ = (1/K) Σ_{t ∈ N_K(i, j)} x_tⱼ,   dist²(i, t) = d/|C| · Σ_{c ∈ C} (x_ic − x_tc)²
//
// C is the set of columns in which both rows have values. The distance over these columns is scaled
// up to all d columns. Columns with large numbers dominate the distance, so scale the columns
// first. If C is empty for all training rows, the imputed value is the mean of the column.
//
// Cost: O(n·m·d) for m rows with missing values.
//
// References: [TroyanskayaEtAl2001].
// Course: TREE-12, NEAR-02.
type KNNImputer struct {
	K          int  // 0 means 5
	ByDistance bool // weigh neighbors by 1/distance

	// Rows holds the training rows. Means holds the mean of the non-missing values of each column.
	// Set by Fit.
	Rows  *mat.Dense
	Means []float64

	model.Fitted // set by Fit: the columns that it was given
}

// knownMeans returns the mean of the known values of each column.
func knownMeans(op string, x mat.Matrix, d *mat.Dense) ([]float64, error) {
	_, cols := d.Dims()
	means := make([]float64, cols)
	for j, c := range model.ColumnsOf(x) {
		known := slices.DeleteFunc(mat.Col(nil, j, d), math.IsNaN)
		if len(known) == 0 {
			return nil, model.Errorf(op, "column %d (%s) must have at least one non-missing value, got none", j, c.Name).WithHint("drop the column")
		}
		slices.Sort(known) // the sum does not depend on the order of the rows
		for _, v := range known {
			means[j] += v / float64(len(known))
		}
	}
	return means, nil
}

// Fit keeps a copy of the rows of x.
func (m *KNNImputer) Fit(x mat.Matrix) error {
	const op = "KNNImputer.Fit"
	model.NoteX(&m.Fitted, x)
	m.Rows, m.Means = nil, nil
	if m.K < 0 {
		return model.Errorf(op, "K must be positive (0 means 5), got %d", m.K)
	}
	d, err := m.Takes().CheckX(op, x)
	if err != nil {
		return err
	}
	means, err := knownMeans(op, x, d)
	if err != nil {
		return err
	}
	m.Rows, m.Means = mat.DenseCopyOf(d), means
	return nil
}

// Takes reports that the imputer takes missing values.
func (m *KNNImputer) Takes() model.Takes { return model.Takes{Missing: true} }

// Leaves reports that the result has no missing value.
func (m *KNNImputer) Leaves() model.Takes { return model.Takes{} }

// donor is a training row from which a value can be taken.
type donor struct {
	row      int
	distance float64
}

// Transform returns the rows with missing values imputed.
func (m *KNNImputer) Transform(x mat.Matrix) *model.Table {
	const op = "KNNImputer.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Rows == nil {
		panic(model.NotFitted(op))
	}
	d := m.Takes().MustRows(op, x, len(m.Means))
	n, _ := d.Dims()
	out := mat.DenseCopyOf(d)
	par.Range(n, 16, func(lo, hi int) {
		var near, found []donor
		for i := lo; i < hi; i++ {
			row := d.RawRowView(i)
			if !slices.ContainsFunc(row, math.IsNaN) {
				continue
			}
			near = m.nearest(near[:0], row)
			for j, v := range row {
				if math.IsNaN(v) {
					found = found[:0]
					out.Set(i, j, m.fill(near, found, j))
				}
			}
		}
	})
	return model.Like(x, out)
}

// nearest returns the training rows that share a known column with row, the nearest
// first.
func (m *KNNImputer) nearest(near []donor, row []float64) []donor {
	n, d := m.Rows.Dims()
	for t := range n {
		sum, known := 0.0, 0
		for c, v := range m.Rows.RawRowView(t) {
			if diff := v - row[c]; diff == diff {
				sum += diff * diff
				known++
			}
		}
		if known > 0 {
			near = append(near, donor{t, math.Sqrt(sum * float64(d) / float64(known))})
		}
	}
	slices.SortStableFunc(near, func(a, b donor) int { return cmp.Compare(a.distance, b.distance) })
	return near
}

// fill returns the value of column j, computed from the nearest rows that have one.
func (m *KNNImputer) fill(near, found []donor, j int) float64 {
	k := m.K
	if k == 0 {
		k = 5
	}
	for _, t := range near {
		if len(found) < k && !math.IsNaN(m.Rows.At(t.row, j)) {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return m.Means[j]
	}
	exact := m.ByDistance && found[0].distance == 0
	sum, weight := 0.0, 0.0
	for _, t := range found {
		w := 1.0
		switch {
		case exact && t.distance > 0:
			w = 0
		case m.ByDistance && !exact:
			w = 1 / t.distance
		}
		sum += w * m.Rows.At(t.row, j)
		weight += w
	}
	return sum / weight
}

// IterativeImputer predicts the missing values of each column from the other columns, in turn, by
// chained regressions.
//
//	x̂ⱼ = x₋ⱼ·wⱼ + bⱼ,   (wⱼ, bⱼ) minimizes Σ_{i: xᵢⱼ known} (xᵢⱼ − x̂ᵢ,₋ⱼ·w − b)² + λ‖w‖²
//
// At the start, each missing value is the mean of its column. Each round regresses every column on
// the current values of the other columns, and predicts the missing values of the column again. A
// round starts with the column with the fewest missing values. The rounds end when no row changes
// by more than Tol times the largest non-missing value. Transform applies the same regressions.
// Imputed values lie on the regression planes, so they vary less than real values.
//
// Cost: O(rounds·d·(n·d² + d³)).
//
// References: [VanBuurenGroothuis2011].
// Course: TREE-12, LIN-06.
type IterativeImputer struct {
	// MaxIter is the maximum number of rounds; 0 means 10.
	MaxIter int
	// Lambda is the penalty of the regressions; 0 means 1, and model.Zero means no penalty. A
	// larger penalty keeps the estimates closer to the means.
	Lambda float64
	Tol    float64 // 0 means 1e-3
	model.Control

	// Means holds the mean of the non-missing values of each column. Set by Fit.
	Means []float64
	// Regressions holds the regressions of all rounds, in order. Set by Fit.
	Regressions []ColumnRegression
	// Trace holds the largest change of a row in each round. Set by Fit.
	Trace model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// ColumnRegression predicts a column from the other columns.
type ColumnRegression struct {
	Column    int
	Coef      []float64 // of all columns; 0 at the column itself
	Intercept float64
}

func (r *ColumnRegression) predict(row []float64) float64 {
	v := r.Intercept
	for c, w := range r.Coef {
		v += w * row[c]
	}
	return v
}

// Takes reports that the imputer takes missing values.
func (m *IterativeImputer) Takes() model.Takes { return model.Takes{Missing: true} }

// Leaves reports that the result has no missing value.
func (m *IterativeImputer) Leaves() model.Takes { return model.Takes{} }

// Fit finds the regressions.
func (m *IterativeImputer) Fit(x mat.Matrix) error {
	const op = "IterativeImputer.Fit"
	model.NoteX(&m.Fitted, x)
	m.Means, m.Regressions, m.Trace = nil, nil, model.Trace{}
	rounds, err := model.Iterations(op, "MaxIter", m.MaxIter, 10)
	if err != nil {
		return err
	}
	lambda, tol := model.Or(m.Lambda, 1), model.Or(m.Tol, 1e-3)
	if err := limits.Check(op,
		limits.NotNegative("Lambda", lambda),
		limits.NotNegative("Tol", tol)); err != nil {
		return err
	}
	d, err := m.Takes().CheckX(op, x)
	if err != nil {
		return err
	}
	means, err := knownMeans(op, x, d)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	holes, order, largest := make([]int, cols), make([]int, cols), 0.0
	for i := range n {
		for j, v := range d.RawRowView(i) {
			if math.IsNaN(v) {
				holes[j]++
			} else {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	for j := range order {
		order[j] = j
	}
	sort.SliceStable(order, func(a, b int) bool { return holes[order[a]] < holes[order[b]] })
	run := m.Begin("IterativeImputer", rounds)
	defer run.End()
	now := filled(d, means)
	var regressions []ColumnRegression
	var trace model.Trace
	for round := range rounds {
		before := mat.DenseCopyOf(now)
		for _, j := range order {
			r, err := regress(op, d, now, j, lambda)
			if err != nil {
				return err
			}
			regressions = append(regressions, r)
			r.put(d, now)
		}
		change := 0.0
		for i := range n {
			sum := 0.0
			for j, v := range now.RawRowView(i) {
				sum += math.Abs(v - before.At(i, j))
			}
			change = max(change, sum)
		}
		trace.Step = append(trace.Step, change)
		if err := run.Step(round+1, change); err != nil {
			return err
		}
		if trace.Converged = change < tol*largest || change == 0; trace.Converged {
			break
		}
	}
	m.Means, m.Regressions, m.Trace = means, regressions, trace
	return nil
}

// filled copies d with the means instead of the missing values.
func filled(d *mat.Dense, means []float64) *mat.Dense {
	now := mat.DenseCopyOf(d)
	n, _ := d.Dims()
	for i := range n {
		for j, v := range now.RawRowView(i) {
			if math.IsNaN(v) {
				now.Set(i, j, means[j])
			}
		}
	}
	return now
}

// put replaces the values of the column that are missing in d by predictions.
func (r *ColumnRegression) put(d, now *mat.Dense) {
	n, _ := d.Dims()
	for i := range n {
		if math.IsNaN(d.At(i, r.Column)) {
			now.Set(i, r.Column, r.predict(now.RawRowView(i)))
		}
	}
}

// regress regresses column j on the others over the rows that have a value in it.
func regress(op string, d, now *mat.Dense, j int, lambda float64) (ColumnRegression, error) {
	n, cols := d.Dims()
	mean, known := make([]float64, cols), 0.0
	for i := range n {
		if !math.IsNaN(d.At(i, j)) {
			known++
			for c, v := range now.RawRowView(i) {
				mean[c] += v
			}
		}
	}
	for c := range mean {
		mean[c] /= known
	}
	gram, right := mat.NewSymDense(cols, nil), mat.NewVecDense(cols, nil)
	row := make([]float64, cols)
	for i := range n {
		if math.IsNaN(d.At(i, j)) {
			continue
		}
		for c, v := range now.RawRowView(i) {
			row[c] = v - mean[c]
		}
		own := row[j]
		row[j] = 0
		for a, v := range row {
			right.SetVec(a, right.AtVec(a)+v*own)
			for b := a; b < cols; b++ {
				gram.SetSym(a, b, gram.At(a, b)+v*row[b])
			}
		}
	}
	for c := range cols {
		gram.SetSym(c, c, gram.At(c, c)+lambda)
		if gram.At(c, c) == 0 { // the column itself, or a constant one without a penalty
			gram.SetSym(c, c, 1)
		}
	}
	var factor mat.Cholesky
	r := ColumnRegression{Column: j, Coef: make([]float64, cols)}
	w := mat.NewVecDense(cols, r.Coef)
	if !factor.Factorize(gram) || factor.SolveVecTo(w, right) != nil {
		return r, model.Errorf(op, "the columns other than %d must be linearly independent", j).WithHint("set a larger Lambda, or drop a column")
	}
	r.Intercept = mean[j]
	for c, v := range r.Coef {
		r.Intercept -= v * mean[c]
	}
	return r, nil
}

// Transform returns the rows with missing values imputed.
func (m *IterativeImputer) Transform(x mat.Matrix) *model.Table {
	const op = "IterativeImputer.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Means == nil {
		panic(model.NotFitted(op))
	}
	d := m.Takes().MustRows(op, x, len(m.Means))
	now := filled(d, m.Means)
	for k := range m.Regressions {
		m.Regressions[k].put(d, now)
	}
	return model.Like(x, now)
}
