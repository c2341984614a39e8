// Package sparse implements sparse matrices, in which most entries are zero. The matrices are
// stored row by row. Use them if each example has only a few nonzero features out of very many.
package sparse

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// CSR is a matrix in compressed sparse row format. It is a mat.Matrix, so every algorithm accepts
// it. Algorithms for sparse input use [CSR.Row], so their cost depends only on the number of active
// features.
//
// Course: CORE-21.
type CSR struct {
	cols   int
	start  []int // row i is at start[i]:start[i+1]
	index  []int32
	values []float64
}

// NewCSR makes a matrix with cols columns and no rows; add rows with [CSR.AppendRow]. If a row has
// a column index beyond the last column, the number of columns grows. Therefore the matrix also
// suits an infinite attribute domain, where new examples bring new features.
func NewCSR(cols int) *CSR {
	if cols < 0 {
		panic(model.Errorf("NewCSR", "cols must not be negative, got %d", cols))
	}
	return &CSR{cols: cols, start: []int{0}}
}

// FromDense makes a CSR from the nonzero entries of x.
func FromDense(x mat.Matrix) *CSR {
	d := model.Dense(x)
	n, c := d.Dims()
	m := NewCSR(c)
	for i := range n {
		for j, v := range d.RawRowView(i) {
			if v != 0 {
				m.index, m.values = append(m.index, int32(j)), append(m.values, v)
			}
		}
		m.start = append(m.start, len(m.index))
	}
	return m
}

// AppendRow adds a row with values at the given columns. Columns may be in any order; if a column
// occurs more than once, its values are summed. It panics with a *model.Error if the lengths differ
// or a column is negative.
func (m *CSR) AppendRow(columns []int, values []float64) {
	if len(columns) != len(values) {
		panic(model.Errorf("CSR.AppendRow", "columns and values must have the same length, got %d and %d", len(columns), len(values)))
	}
	for _, j := range columns {
		if j < 0 || j > math.MaxInt32 {
			panic(model.Errorf("CSR.AppendRow", "columns must be between 0 and %d, got %d", math.MaxInt32, j))
		}
	}
	from := len(m.index)
	for k, j := range columns {
		m.cols = max(m.cols, j+1)
		m.index, m.values = append(m.index, int32(j)), append(m.values, values[k])
	}
	if idx := m.index[from:]; !slices.IsSorted(idx) || hasTwins(idx) {
		m.tidy(from)
	}
	m.start = append(m.start, len(m.index))
}

func hasTwins(sorted []int32) bool {
	for k := 1; k < len(sorted); k++ {
		if sorted[k] == sorted[k-1] {
			return true
		}
	}
	return false
}

// tidy sorts the entries from the given one on and adds up equal columns.
func (m *CSR) tidy(from int) {
	type entry struct {
		j int32
		v float64
	}
	es := make([]entry, len(m.index)-from)
	for k := range es {
		es[k] = entry{m.index[from+k], m.values[from+k]}
	}
	slices.SortStableFunc(es, func(a, b entry) int { return int(a.j) - int(b.j) })
	at := from - 1
	for k, e := range es {
		if k > 0 && m.index[at] == e.j {
			m.values[at] += e.v
			continue
		}
		at++
		m.index[at], m.values[at] = e.j, e.v
	}
	m.index, m.values = m.index[:at+1], m.values[:at+1]
}

// Row returns the columns and values of the active features of row i, with columns in ascending
// order. The slices belong to the matrix: do not change them.
func (m *CSR) Row(i int) (columns []int32, values []float64) {
	lo, hi := m.start[i], m.start[i+1]
	return m.index[lo:hi:hi], m.values[lo:hi:hi]
}

// Dims returns the number of rows and columns.
func (m *CSR) Dims() (rows, cols int) { return len(m.start) - 1, m.cols }

// Len returns the number of stored entries.
func (m *CSR) Len() int { return len(m.index) }

// At returns the entry in row i and column j.
func (m *CSR) At(i, j int) float64 {
	if j < 0 || j >= m.cols {
		panic(mat.ErrColAccess)
	}
	if i < 0 || i >= len(m.start)-1 {
		panic(mat.ErrRowAccess)
	}
	idx, val := m.Row(i)
	if k, ok := slices.BinarySearch(idx, int32(j)); ok {
		return val[k]
	}
	return 0
}

// T returns the transpose, as a view.
func (m *CSR) T() mat.Matrix { return mat.Transpose{Matrix: m} }

// Rows returns a matrix of the given rows, in the given order.
func (m *CSR) Rows(rows []int) *CSR {
	out := NewCSR(m.cols)
	for _, i := range rows {
		idx, val := m.Row(i)
		out.index, out.values = append(out.index, idx...), append(out.values, val...)
		out.start = append(out.start, len(out.index))
	}
	return out
}

// Dot returns the inner product of row i with w; entries beyond the end of w count as zero.
func (m *CSR) Dot(i int, w []float64) float64 {
	idx, val := m.Row(i)
	for len(idx) > 0 && int(idx[len(idx)-1]) >= len(w) { // columns ascend
		idx = idx[:len(idx)-1]
	}
	val = val[:len(idx)]
	// Use four sums, since a single sum would wait for each addition.
	var s0, s1, s2, s3 float64
	for len(idx) >= 4 && len(val) >= 4 {
		s0 += val[0] * w[idx[0]]
		s1 += val[1] * w[idx[1]]
		s2 += val[2] * w[idx[2]]
		s3 += val[3] * w[idx[3]]
		idx, val = idx[4:], val[4:]
	}
	for k, j := range idx {
		s0 += val[k] * w[j]
	}
	return s0 + s1 + (s2 + s3)
}

// Check returns an error if an entry is NaN or Inf, or if the matrix has no rows or columns.
func (m *CSR) Check(op string) error {
	r, c := m.Dims()
	if r == 0 || c == 0 {
		return model.Errorf(op, "x must not be empty, got %dx%d", r, c)
	}
	if k := finite.First(m.values); k >= 0 {
		i := sort.SearchInts(m.start, k+1) - 1 // the row that begins at or before k
		return model.Errorf(op, "x[%d][%d] must be finite, got %v", i, m.index[k], m.values[k]).WithHint("remove the entry to make it zero")
	}
	return nil
}
