package neighbors

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LocallyWeighted predicts with a linear function that is fitted separately for each query.
//
// Around the query q it minimizes
//
//	E(q) = ½ Σᵢ K(d(q, xᵢ)) (yᵢ − b − w·(xᵢ − q))²
//
// and predicts b. The sum is over one of
//
//  1. the K nearest rows, all with weight 1 (K set, Bandwidth 0),
//  2. all rows with the Gaussian kernel K(d) = exp(−d²/(2h²)), h the Bandwidth
//     (K 0, Bandwidth set),
//  3. the K nearest rows with the Gaussian kernel (both set).
//
// With K = n, or an infinite Bandwidth, it is ordinary least squares. If the rows do not determine
// the function (there are fewer rows than coefficients, or all rows lie in a hyperplane), it takes
// the w of minimum length.
//
// Cost: each query takes O(n·d) to find the rows, and O(m·d²) to solve for m rows.
//
// References: [Cleveland1979], [Hastie2009].
// Course: NEAR-18, NEAR-19, NEAR-20.
type LocallyWeighted struct {
	// K is the number of nearest rows that count; 0 means all rows.
	K int
	// Bandwidth is the h of the kernel; 0 means no kernel. If both K and Bandwidth are 0, the
	// bandwidth is a third of the largest distance of a training row from the mean.
	Bandwidth float64

	target    []float64
	index     *index
	k         int
	bandwidth float64

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Regressor = (*LocallyWeighted)(nil)

// Fit keeps a copy of the rows of x and their targets y.
func (m *LocallyWeighted) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	m.target, m.index, m.k, m.bandwidth = nil, nil, 0, 0
	const op = "LocallyWeighted.Fit"
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	if m.K < 0 || m.K > n {
		return model.Errorf(op, "K must be between 1 and %d (the number of rows), or 0 for all, got %d", n, m.K)
	}
	if !(m.Bandwidth >= 0) {
		return model.Errorf(op, "Bandwidth must not be negative, got %v", m.Bandwidth).WithHint("set Bandwidth to +Inf to weight all rows equally")
	}
	ix, err := newIndex(op, d, Euclidean, 2, nil, AutoSearch)
	if err != nil {
		return err
	}
	h := m.Bandwidth
	if m.K == 0 && h == 0 {
		mean := make([]float64, cols)
		for i := range n {
			for j, v := range d.RawRowView(i) {
				mean[j] += (v - mean[j]) / float64(i+1)
			}
		}
		for i := range n {
			h = max(h, EuclideanDistance(d.RawRowView(i), mean)/3)
		}
		if h == 0 {
			h = math.Inf(1) // all rows are equal
		}
	}
	k := m.K
	if k == 0 {
		k = n
	}
	m.target, m.index, m.k, m.bandwidth = slices.Clone(y), ix, k, h
	return nil
}

// Predict returns the value of the local function at each row.
func (m *LocallyWeighted) Predict(x mat.Matrix) []float64 {
	const op = "LocallyWeighted.Predict"
	x = model.MustRead(op, &m.Fitted, x)
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	_, cols := m.index.x.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	y := make([]float64, n)
	if m.k < m.index.x.RawMatrix().Rows {
		m.index.each(d, m.k, func(i int, found *nearest) {
			y[i] = m.solve(d.RawRowView(i), found.rows)
		})
		return y
	}
	all := make([]int, m.k)
	for r := range all {
		all[r] = r
	}
	par.Range(n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			y[i] = m.solve(d.RawRowView(i), all)
		}
	})
	return y
}

// solve fits the function around q to the rows and returns its value at q. It centers targets and
// rows at their weighted means, so that the minimum length of w does not depend on b.
func (m *LocallyWeighted) solve(q []float64, rows []int) float64 {
	cols := len(q)
	nearest := math.Inf(1)
	for _, r := range rows {
		nearest = min(nearest, squared(q, m.index.x.RawRowView(r)))
	}
	weights, center, mean, total := make([]float64, len(rows)), make([]float64, cols), 0.0, 0.0
	for k, r := range rows {
		row := m.index.x.RawRowView(r)
		w := 1.0
		if m.bandwidth > 0 && !math.IsInf(nearest, 1) {
			// Weights are relative to the nearest row, so that far from all rows not all weights
			// underflow.
			w = math.Exp(-(squared(q, row) - nearest) / m.bandwidth / m.bandwidth / 2)
		}
		weights[k] = w
		mean += w * m.target[r]
		total += w
		floats.AddScaled(center, w, row)
	}
	mean /= total
	floats.Scale(1/total, center)
	a, b := mat.NewDense(len(rows), cols, nil), mat.NewVecDense(len(rows), nil)
	for k, r := range rows {
		root := math.Sqrt(weights[k])
		at := a.RawRowView(k)
		floats.SubTo(at, m.index.x.RawRowView(r), center)
		floats.Scale(root, at)
		b.SetVec(k, root*(m.target[r]-mean))
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return mean
	}
	s := svd.Values(nil)
	rank := 0
	for _, v := range s {
		if v > 1e-10*s[0] {
			rank++
		}
	}
	if rank == 0 { // all rows are equal
		return mean
	}
	var slope mat.VecDense
	svd.SolveVecTo(&slope, b, rank)
	for j, v := range q {
		mean += slope.AtVec(j) * (v - center[j])
	}
	return mean
}
