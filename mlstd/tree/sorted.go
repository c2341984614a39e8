package tree

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/radix"
	"github.com/gokernel/gokernel/mlstd/model"
)

// SortedColumns holds the columns of a matrix and the sort order of each column's values. FitSorted
// grows a tree on SortedColumns; an ensemble calls [SortColumns] once for all its trees.
type SortedColumns struct {
	columns []model.Column
	target  model.Column
	rows    int
	values  [][]float64 // values[j][i] is x[i][j]
	order   [][]int32   // order[j] lists the rows by values[j], missing ones last
	missing []bool      // whether values[j] has a NaN
}

// Dims returns the numbers of rows and columns of the matrix.
func (s *SortedColumns) Dims() (rows, cols int) { return s.rows, len(s.values) }

// HasMissing reports whether any value is missing.
func (s *SortedColumns) HasMissing() bool { return slices.Contains(s.missing, true) }

// SortColumns sorts each column of x. NaN stands for a missing value; an
// infinite value is an error.
//
// Cost: O(n·d) for a radix sort of each column, and 12 bytes per value.
func SortColumns(x mat.Matrix) (*SortedColumns, error) { return sortColumns("SortColumns", x, true) }

func sortColumns(op string, x mat.Matrix, missing bool) (*SortedColumns, error) {
	columns, target := []model.Column(nil), model.Column{}
	if t, ok := x.(*model.Table); ok && t != nil {
		target = t.Target
	}
	if x != nil {
		if r, c := x.Dims(); r > 0 && c > 0 {
			columns = model.ColumnsOf(x)
		}
	}
	d, err := model.Takes{Missing: missing, Nominal: true}.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	n, cols := d.Dims()
	if n > math.MaxInt32/2 {
		return nil, model.Errorf(op, "x has more rows than a tree can index: %d", n)
	}
	s := &SortedColumns{
		columns: columns, target: target, rows: n,
		values: make([][]float64, cols), order: make([][]int32, cols), missing: make([]bool, cols),
	}
	data := d.RawMatrix().Data
	sorters := sync.Pool{New: func() any { return radix.NewSorter(n) }}
	par.Range(cols, 1, func(lo, hi int) {
		sorter := sorters.Get().(*radix.Sorter)
		defer sorters.Put(sorter)
		for j := lo; j < hi; j++ {
			v := make([]float64, n)
			for i := range v {
				v[i] = data[i*cols+j] + 0 // adding 0 turns -0 into +0
			}
			s.values[j] = v
			s.order[j] = slices.Clone(sorter.Order(v))
			s.missing[j] = math.IsNaN(v[s.order[j][n-1]])
		}
	})
	for j, c := range columns {
		if c.Kind == model.Nominal {
			if err := checkLevels(op, c, s.values[j]); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// maxLevels bounds the number of levels of a nominal column, because branch numbers have 16 bits.
const maxLevels = 1 << 15

func checkLevels(op string, c model.Column, values []float64) error {
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if v < 0 || v != math.Trunc(v) || v >= maxLevels {
			return model.Errorf(op, "the nominal column %[3]q must have indices of levels (0, 1, 2 ...), got %[2]v in row %[1]d", i, v, c.Name).WithHint("if the column is not nominal, set its Kind to Numeric")
		}
	}
	return nil
}
