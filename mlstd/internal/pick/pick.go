// Package pick selects parts of data by row index: folds, samples, or the examples of a class. A
// row can be picked more than once.
package pick

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Rows copies the given rows of d, in the given order.
func Rows(d *mat.Dense, rows []int) *mat.Dense {
	_, c := d.Dims()
	out := mat.NewDense(len(rows), c, nil)
	for i, r := range rows {
		copy(out.RawRowView(i), d.RawRowView(r))
	}
	return out
}

// Of copies the given entries of v, in the given order.
func Of[T any](v []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = v[r]
	}
	return out
}

// Like copies the given rows of d, which has the columns of x. If x is a table, the result keeps
// its column names and kinds.
func Like(x mat.Matrix, d *mat.Dense, rows []int) mat.Matrix { return As(x, Rows(d, rows)) }

// As returns d as a table with the columns of x if x is a table, and d itself otherwise.
func As(x mat.Matrix, d *mat.Dense) mat.Matrix {
	if model.Described(x) {
		return model.Like(x, d)
	}
	return d
}

// Columns copies the given columns of x, in the given order. If x is a table, the result keeps
// their names and kinds.
func Columns(x mat.Matrix, columns []int) *model.Table {
	d := model.Dense(x)
	n, _ := d.Dims()
	out := mat.NewDense(n, len(columns), nil)
	for i := range n {
		from, to := d.RawRowView(i), out.RawRowView(i)
		for k, j := range columns {
			to[k] = from[j]
		}
	}
	if !model.Described(x) {
		return model.Named(x, out, nil)
	}
	return model.Named(x, out, Of(model.ColumnsOf(x), columns))
}
