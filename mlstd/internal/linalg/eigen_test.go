package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spectrum gives a symmetric matrix with the given eigenvalues: a product of
// reflections, the diagonal, and the reflections again.
func spectrum(values []float64) []float64 {
	n := len(values)
	a := mat.NewDense(n, n, nil)
	for i, v := range values {
		a.Set(i, i, v)
	}
	for s := range uint64(3) {
		u := random(n, 20+s)
		floats.Scale(1/floats.Norm(u, 2), u)
		v := mat.NewVecDense(n, u)
		h := mat.NewDense(n, n, nil)
		h.Outer(-2, v, v)
		for i := range n {
			h.Set(i, i, h.At(i, i)+1)
		}
		var left mat.Dense
		left.Mul(h, a)
		a.Mul(&left, h)
	}
	return a.RawMatrix().Data
}

func TestTopEigen(t *testing.T) {
	for name, value := range map[string]func(i int) float64{
		"falling":   func(i int) float64 { return 1 / float64(1+i*i) },
		"slow":      func(i int) float64 { return 10 * math.Pow(0.93, float64(i)) },
		"repeated":  func(i int) float64 { return float64(4-i/3%4) * math.Pow(0.9, float64(i/12)) },
		"both ends": func(i int) float64 { return math.Pow(-0.95, float64(i)) },
		"low rank":  func(i int) float64 { return max(0, float64(6-i)) },
	} {
		const n, k = 400, 5
		all := make([]float64, n)
		for i := range all {
			all[i] = value(i)
		}
		a := spectrum(all)
		sorted := append([]float64(nil), all...)
		floats.Argsort(sorted, make([]int, n))
		values, vectors, ok := TopEigen(a, n, k)
		if !ok {
			t.Errorf("%s: not found", name)
			continue
		}
		for j, v := range vectors {
			if want := sorted[n-1-j]; math.Abs(values[j]-want) > 1e-11 {
				t.Errorf("%s: eigenvalue %d is %v, want %v", name, j, values[j], want)
			}
			var r mat.VecDense
			r.MulVec(mat.NewDense(n, n, a), mat.NewVecDense(n, v))
			r.AddScaledVec(&r, -values[j], mat.NewVecDense(n, v))
			if got := mat.Norm(&r, 2); got > 2e-10 { // 1e-11 of the largest, and the rounding of the test's products
				t.Errorf("%s: the residual of vector %d is %v", name, j, got)
			}
			for i, u := range vectors[:j] {
				if d := floats.Dot(u, v); math.Abs(d) > 1e-12 {
					t.Errorf("%s: vectors %d and %d have the product %v", name, i, j, d)
				}
			}
		}
	}
	if _, _, ok := TopEigen(spectrum(make([]float64, 20)), 20, 15); ok {
		t.Error("15 of 20 vectors were found in half of the space")
	}
}

func BenchmarkTopEigen1000(b *testing.B) {
	values := make([]float64, 1000)
	for i := range values {
		values[i] = 1 / float64(1+i)
	}
	a := spectrum(values)
	for b.Loop() {
		TopEigen(a, len(values), 5)
	}
}
