package svm_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/sparse"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// A sparse x gives what the same numbers give as a dense one, without being made one:
// dense, the wide matrix would take 1.6 GB.
func TestLinearSVCSparse(t *testing.T) {
	d := data.BreastCancer()
	z := &prep.StandardScaler{}
	if err := z.Fit(d.X); err != nil {
		t.Fatal(err)
	}
	x := z.Transform(d.X).Dense
	for i := range d.Len() { // most of it zero
		for j, v := range x.RawRowView(i) {
			if math.Abs(v) < 0.8 {
				x.Set(i, j, 0)
			}
		}
	}
	thin, weights := sparse.FromDense(x), make([]float64, d.Len())
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	for _, hinge := range []bool{false, true} {
		for _, w := range [][]float64{nil, weights} {
			a := svm.LinearSVC{C: 0.1, Hinge: hinge, Tol: 1e-10, MaxIter: 100000}
			b := a
			fit := func(l *svm.LinearSVC, x mat.Matrix) {
				t.Helper()
				err := l.Fit(x, d.Y)
				if w != nil {
					err = l.FitWeighted(x, d.Y, w)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			fit(&a, thin)
			fit(&b, x)
			mltest.NearAll(t, "w", a.Coef.RawRowView(0), b.Coef.RawRowView(0), 1e-6)
			mltest.NearAll(t, "b", a.Intercept, b.Intercept, 1e-6)
			mltest.NearAll(t, "scores", a.Decision(thin).RawMatrix().Data, a.Decision(x).RawMatrix().Data, 1e-12)
		}
	}
	wide := sparse.NewCSR(200000)
	y := make([]int, 1000)
	for i := range y {
		y[i] = i % 2
		wide.AppendRow([]int{i % 7, 7 + i*199, 199990 + y[i]}, []float64{1, 2, 0.5})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l := svm.LinearSVC{}
	if err := l.Fit(wide, y); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(l.Predict(wide), y) {
		t.Error("it does not learn the classes")
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
		t.Errorf("it takes %d MB", took>>20)
	}
}
