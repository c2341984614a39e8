package manifold

import (
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// checkRows validates x for functions that need at least two rows.
func checkRows(op string, x mat.Matrix) (*mat.Dense, error) {
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	if n, _ := d.Dims(); n < 2 {
		return nil, model.Errorf(op, "x must have at least 2 rows, got 1")
	}
	return d, nil
}

// embedded returns the points as a table with the columns name1, name2 ...
func embedded(x mat.Matrix, points *mat.Dense, name string) *model.Table {
	_, k := points.Dims()
	columns := make([]model.Column, k)
	for j := range columns {
		columns[j].Name = name + strconv.Itoa(j+1)
	}
	return model.Named(x, mat.DenseCopyOf(points), columns)
}

// nearest returns the k nearest rows of each row, without the row itself, and their distances, k
// numbers per row.
func nearest(d *mat.Dense, k int) ([]int32, []float64, error) {
	n, cols := d.Dims()
	var index neighbors.NeighborIndex
	if err := index.Learn(d); err != nil {
		return nil, nil, err
	}
	near, away := make([]int32, 0, n*k), make([]float64, 0, n*k)
	const block = 8192 // rows at a time, so that memory stays small
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		rows, distances := index.Nearest(d.Slice(lo, hi, 0, cols), k+1)
		for r, found := range rows {
			taken := 0
			for e, j := range found {
				if j != lo+r && taken < k {
					near, away = append(near, int32(j)), append(away, distances[r][e])
					taken++
				}
			}
		}
	}
	return near, away, nil
}
