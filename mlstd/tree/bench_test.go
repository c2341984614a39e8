package tree_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// noisyPlane draws rows of normal values; the class is the side of a plane
// through ten of the columns, blurred.
func noisyPlane(n, cols int) (*mat.Dense, []int, []float64) {
	rng := model.Rand(1, 0)
	x := mat.NewDense(n, cols, nil)
	y, target := make([]int, n), make([]float64, n)
	for i := range n {
		s := rng.NormFloat64()
		for j := range cols {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			if j < 10 {
				s += v
			}
		}
		target[i] = s
		if s > 0 {
			y[i] = 1
		}
	}
	return x, y, target
}

func BenchmarkDecisionTree(b *testing.B) {
	x, y, _ := noisyPlane(20000, 30)
	for _, c := range []tree.Criterion{tree.InformationGain, tree.Gini} {
		b.Run(c.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := (&tree.DecisionTree{Criterion: c, MaxDepth: 12}).Fit(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRegressionTree(b *testing.B) {
	x, _, y := noisyPlane(20000, 30)
	b.ReportAllocs()
	for b.Loop() {
		if err := (&tree.RegressionTree{MaxDepth: 12}).Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecisionStump(b *testing.B) {
	x, y, _ := noisyPlane(20000, 30)
	s, err := tree.SortColumns(x)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := (&tree.DecisionStump{}).FitSorted(s, y, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredict(b *testing.B) {
	x, y, _ := noisyPlane(20000, 30)
	m := &tree.DecisionTree{MaxDepth: 12}
	if err := m.Fit(x, y); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Predict(x)
	}
}
