package sparse_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

func TestCORE21_SparseIsDense(t *testing.T) {
	rng := model.Rand(1, 0)
	d := mat.NewDense(7, 5, nil)
	for i := range 7 {
		for j := range 5 {
			if rng.Float64() < 0.3 {
				d.Set(i, j, rng.NormFloat64())
			}
		}
	}
	s := sparse.FromDense(d)
	if !mat.Equal(s, d) || !mat.Equal(s.T(), d.T()) {
		t.Error("the sparse matrix differs from the dense one")
	}
	w := []float64{1, -2, 3}
	for i := range 7 {
		want := d.At(i, 0) - 2*d.At(i, 1) + 3*d.At(i, 2)
		if got := s.Dot(i, w); math.Abs(got-want) > 1e-14 {
			t.Errorf("row %d: got %v, want %v", i, got, want)
		}
	}
	if sub := s.Rows([]int{6, 0}); !mat.Equal(sub.T(), mat.NewDense(5, 2, interleave(d.RawRowView(6), d.RawRowView(0)))) {
		t.Error("the selection of rows differs")
	}
}

func interleave(a, b []float64) []float64 {
	var out []float64
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
}

func TestAppendRow(t *testing.T) {
	m := sparse.NewCSR(2)
	m.AppendRow([]int{5, 1, 5}, []float64{1, 2, 3})
	m.AppendRow(nil, nil)
	if r, c := m.Dims(); r != 2 || c != 6 || m.At(0, 5) != 4 || m.At(0, 1) != 2 || m.At(1, 3) != 0 || m.Len() != 2 {
		t.Errorf("got %d x %d: %v", r, c, mat.Formatted(m))
	}
	if err := m.Check("op"); err != nil {
		t.Error(err)
	}
	m.AppendRow([]int{0}, []float64{math.NaN()})
	if err := m.Check("op"); err == nil {
		t.Error("NaN was accepted")
	}
	before := m.Len()
	func() {
		defer func() {
			if _, ok := recover().(*model.Error); !ok {
				t.Error("a negative column did not panic with a *model.Error")
			}
		}()
		m.AppendRow([]int{2, -1}, []float64{1, 1})
	}()
	// The matrix is as before, and continues.
	m.AppendRow([]int{3}, []float64{7})
	if r, _ := m.Dims(); r != 4 || m.Len() != before+1 || m.At(3, 3) != 7 || m.At(3, 2) != 0 {
		t.Errorf("after a refused row: %v", mat.Formatted(m))
	}
}

func ExampleCSR() {
	m := sparse.NewCSR(0)
	m.AppendRow([]int{3, 1000000}, []float64{1, 2})
	fmt.Println(m.Dims())
	fmt.Println(m.Row(0))
	// Output:
	// 1 1000001
	// [3 1000000] [1 2]
}
