package linalg

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// ways runs f with each kernel that the processor supports.
func ways(t *testing.T, f func(t *testing.T)) {
	t.Run("as found", f)
	lessSIMD(t, f)
}

var singleShapes = append(slices.Clone(shapes), [3]int{24, 256, 32}, [3]int{100, 300, 70}, [3]int{31, 784, 64})

// Single-precision numbers have relative errors of 6e-8, and sums of k numbers about k times as
// much.
func TestSingleAgreesWithGonum(t *testing.T) {
	ways(t, func(t *testing.T) {
		for _, s := range singleShapes {
			m, k, n := s[0], s[1], s[2]
			a, b := mat.NewDense(m, k, random(m*k, 1)), mat.NewDense(k, n, random(k*n, 2))
			start := random(m*n, 3)
			var want mat.Dense
			want.Mul(a, b)
			want.Add(&want, mat.NewDense(m, n, slices.Clone(start)))
			var p SinglePanels
			for name, left := range map[string]bool{"A·B": false, "(Aᵀ)ᵀ·B": true} {
				from := a
				if left {
					from = mat.DenseCopyOf(a.T())
				}
				p.PackColumns(b.RawMatrix().Data, k, n)
				got := slices.Clone(start)
				AddSingle(got, from.RawMatrix().Data, m, left, &p)
				near(t, fmt.Sprint(name, s), got, want.RawMatrix().Data, 1e-6*float64(k+1))
			}
			p.Pack(mat.DenseCopyOf(b.T()).RawMatrix().Data, n, k)
			got := slices.Clone(start)
			AddSingle(got, a.RawMatrix().Data, m, false, &p)
			near(t, fmt.Sprint("A·(Bᵀ)ᵀ", s), got, want.RawMatrix().Data, 1e-6*float64(k+1))
		}
	})
}

// An Adam step is bit-identical with and without assembly.
func TestAdamStep(t *testing.T) {
	s := AdamStep{0.9, 0.999, 0.01, 3, 1e-8, 0.99}
	var all [][]float64
	ways(t, func(t *testing.T) {
		w, g, m, v := random(103, 1), random(103, 2), random(103, 3), random(103, 4)
		for i := range v {
			v[i] *= v[i]
		}
		s.Update(w, g, m, v)
		all = append(all, slices.Concat(w, m, v))
	})
	for _, other := range all[1:] {
		if !slices.Equal(all[0], other) {
			t.Error("the ways differ")
		}
	}
}

func BenchmarkAddSingle(b *testing.B) {
	const m, k, n = 128, 784, 256
	a, w, c := random(m*k, 1), random(k*n, 2), make([]float64, m*n)
	var p SinglePanels
	for b.Loop() {
		p.PackColumns(w, k, n)
		AddSingle(c, a, m, false, &p)
	}
	b.ReportMetric(2*m*k*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
