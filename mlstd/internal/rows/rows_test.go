package rows_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// A sparse matrix leads to the same numbers as the dense matrix with the same entries.
func TestDenseAndSparseAgree(t *testing.T) {
	d := mat.NewDense(3, 4, []float64{0, 1, 0, -2, 0, 0, 0, 0, 3, 4, 5, 6})
	dense, err := rows.Check("op", d, 3)
	if err != nil {
		t.Fatal(err)
	}
	thin, err := rows.Check("op", sparse.FromDense(d), 3)
	if err != nil {
		t.Fatal(err)
	}
	if dense.Sparse != nil || thin.Dense != nil || thin.N != 3 || thin.Width != 4 {
		t.Fatalf("got %+v and %+v", dense, thin)
	}
	w := []float64{1, 10, 100, 1000, 7} // one weight more than columns
	order := []int{2, 0, 0}
	pd, ps := dense.Take(order), thin.Take(order)
	for i, want := range []float64{6543, -1990, -1990} {
		mltest.Near(t, "dense product", pd.Dot(i, w), want, 0)
		mltest.Near(t, "sparse product", ps.Dot(i, w), want, 0)
	}
	for i := range 3 {
		a, b := make([]float64, 5), make([]float64, 5)
		dense.Add(a, 2, i)
		thin.Add(b, 2, i)
		mltest.NearAll(t, "sum", b, a, 0)
		mltest.Near(t, "length", thin.Norm2(i), dense.Norm2(i), 0)
		var da, sa []float64
		dense.Each(i, func(j int, v float64) { da = append(da, float64(j), v) })
		thin.Each(i, func(j int, v float64) { sa = append(sa, float64(j), v) })
		mltest.NearAll(t, "entries", sa, da, 0)
	}
}

func TestRefusals(t *testing.T) {
	bad := sparse.NewCSR(2)
	bad.AppendRow([]int{1}, []float64{math.NaN()})
	good := sparse.NewCSR(2)
	good.AppendRow([]int{1}, []float64{1})
	for name, c := range map[string]struct {
		err  func() error
		want string
	}{
		"NaN":    {func() error { _, err := rows.Check("op", bad, 1); return err }, "op: x[0][1] must be finite, got NaN"},
		"length": {func() error { _, err := rows.Check("op", good, 2); return err }, "y must have 1 entries (the number of rows of x), got 2"},
		"empty":  {func() error { _, err := rows.Check("op", sparse.NewCSR(3), 0); return err }, "op: x must not be empty, got 0x3"},
		"target": {func() error { _, err := rows.CheckReal("op", good, []float64{math.Inf(1)}); return err }, "y[0] must be finite, got +Inf"},
		"dense":  {func() error { _, err := rows.Check("op", mat.NewDense(1, 1, []float64{math.NaN()}), 1); return err }, "op: x[0][0] must be finite, got NaN"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// A feature that was never seen has no weight.
func TestPredictionOfAnotherWidth(t *testing.T) {
	wide := sparse.NewCSR(0)
	wide.AppendRow([]int{0, 9}, []float64{2, 5})
	m := rows.Must("op", wide, 3)
	mltest.Near(t, "product", m.Dot(0, []float64{1, 1, 1}), 2, 0)
	defer func() {
		if recover() == nil {
			t.Error("a dense matrix of another width was accepted")
		}
	}()
	rows.Must("op", mat.NewDense(1, 2, nil), 3)
}
