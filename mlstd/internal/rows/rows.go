// Package rows iterates over the examples of a dense or sparse matrix, for learners that only need
// products of rows and weight vectors. A sparse matrix stays sparse: the cost of a row is
// proportional to its number of entries.
package rows

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// Matrix is a dense or sparse matrix that has been checked.
type Matrix struct {
	N, Width int
	Dense    *mat.Dense  // contiguous; nil if the matrix is sparse
	Sparse   *sparse.CSR // nil if the matrix is dense
}

// Check is like model.CheckX, but keeps a sparse matrix sparse, and returns an error if x does not
// have n rows.
func Check(op string, x mat.Matrix, n int) (Matrix, error) {
	var m Matrix
	if c, ok := x.(*sparse.CSR); ok && c != nil {
		if err := c.Check(op); err != nil {
			return Matrix{}, err
		}
		m = OfSparse(c)
	} else {
		d, err := model.CheckX(op, x)
		if err != nil {
			return Matrix{}, err
		}
		m = OfDense(d)
	}
	return SameLength(op, m, n)
}

// SameLength returns an error if the matrix does not have n rows.
func SameLength(op string, m Matrix, n int) (Matrix, error) {
	if err := model.CheckLength(op, m.N, n); err != nil {
		return Matrix{}, err
	}
	return m, nil
}

// CheckReal is [Check] for real targets y, which must not contain NaN or Inf.
func CheckReal(op string, x mat.Matrix, y []float64) (Matrix, error) {
	m, err := Check(op, x, len(y))
	if err != nil {
		return Matrix{}, err
	}
	if i := finite.First(y); i >= 0 {
		return Matrix{}, model.Errorf(op, "y[%d] must be finite, got %v", i, y[i]).WithHint("drop examples without a target")
	}
	return m, nil
}

// Must checks x for prediction by a model that was fitted on width columns, and panics with a
// *model.Error if x is invalid. A sparse matrix can have another width, because features that did
// not occur in training have no weight. A dense matrix must have the fitted width.
func Must(op string, x mat.Matrix, width int) Matrix {
	c, ok := x.(*sparse.CSR)
	if !ok || c == nil {
		return OfDense(model.MustRows(op, x, width))
	}
	m := OfSparse(c)
	if m.N > 0 && m.Width > 0 {
		if err := c.Check(op); err != nil {
			panic(err)
		}
	}
	return m
}

// OfDense wraps a contiguous matrix.
func OfDense(d *mat.Dense) Matrix {
	n, w := d.Dims()
	return Matrix{N: n, Width: w, Dense: d}
}

// OfSparse wraps a sparse matrix.
func OfSparse(c *sparse.CSR) Matrix {
	n, w := c.Dims()
	return Matrix{N: n, Width: w, Sparse: c}
}

// Take copies the given rows, in the given order.
func (m *Matrix) Take(list []int) Matrix {
	if m.Sparse != nil {
		return OfSparse(m.Sparse.Rows(list))
	}
	return OfDense(pick.Rows(m.Dense, list))
}

// Dot returns the dot product of row i and w; w can be longer than the row.
func (m *Matrix) Dot(i int, w []float64) float64 {
	if m.Sparse != nil {
		return m.Sparse.Dot(i, w)
	}
	row := m.Dense.RawRowView(i)
	return floats.Dot(row, w[:len(row)])
}

// Add adds a times row i to w; w can be longer than the row.
func (m *Matrix) Add(w []float64, a float64, i int) {
	if m.Sparse == nil {
		row := m.Dense.RawRowView(i)
		floats.AddScaled(w[:len(row)], a, row)
		return
	}
	index, values := m.Sparse.Row(i)
	for k, j := range index {
		w[j] += a * values[k]
	}
}

// Each calls f for the entries of row i that are not zero.
func (m *Matrix) Each(i int, f func(j int, v float64)) {
	if m.Sparse != nil {
		index, values := m.Sparse.Row(i)
		for k, j := range index {
			f(int(j), values[k])
		}
		return
	}
	for j, v := range m.Dense.RawRowView(i) {
		if v != 0 {
			f(j, v)
		}
	}
}

// Norm2 returns the squared length of row i.
func (m *Matrix) Norm2(i int) float64 {
	row := []float64(nil)
	if m.Sparse != nil {
		_, row = m.Sparse.Row(i)
	} else {
		row = m.Dense.RawRowView(i)
	}
	return floats.Dot(row, row)
}
