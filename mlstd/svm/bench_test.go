package svm_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// overlapping draws two classes whose boundary is curved and blurred.
func overlapping(n, d int, seed uint64) (*mat.Dense, []int) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		s := 0.3 * rng.NormFloat64()
		for j := range d {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			if j < 5 {
				s += v * v / 5
			}
		}
		if s > 0.95 {
			y[i] = 1
		}
	}
	return x, y
}

func BenchmarkSVC(b *testing.B) {
	x, y := overlapping(5000, 20, 1)
	for b.Loop() {
		m := svm.SVC{}
		if err := m.Fit(x, y); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Machines[0].Iterations), "steps")
		b.ReportMetric(float64(len(m.Support)), "vectors")
	}
}
