// Package pick makes parts of data of the numbers of their rows: folds, samples,
// the examples of a class. A row may be picked more than once.
package pick

import "gonum.org/v1/gonum/mat"

// Rows copies rows of d, in the order given.
func Rows(d *mat.Dense, rows []int) *mat.Dense {
	_, c := d.Dims()
	out := mat.NewDense(len(rows), c, nil)
	for i, r := range rows {
		copy(out.RawRowView(i), d.RawRowView(r))
	}
	return out
}

// Of copies entries of v, in the order given.
func Of[T any](v []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = v[r]
	}
	return out
}
