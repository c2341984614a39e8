package semi_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/semi"
)

// On a path with a label at each end, the fraction of the second class grows evenly. A ladder of
// two such paths has the same fractions on both sides. Even such a long graph takes few steps.
func TestLAT13_LongPath(t *testing.T) {
	const n = 20000
	edges, labels := make([]semi.GraphEdge, 0, 3*n), make([]int, 2*n)
	for i := range n {
		edges = append(edges, semi.GraphEdge{From: i, To: n + i, Weight: 0.5})
		if i > 0 {
			edges = append(edges, semi.GraphEdge{From: i - 1, To: i, Weight: 2}, semi.GraphEdge{From: n + i - 1, To: n + i, Weight: 2})
		}
		labels[i], labels[n+i] = semi.Unlabeled, semi.Unlabeled
	}
	labels[0], labels[n], labels[n-1], labels[2*n-1] = 0, 0, 1, 1
	f := semi.HarmonicLabels(semi.NewSimilarityGraph(2*n, edges...), labels)
	for i := range 2 * n {
		if want := float64(i%n) / (n - 1); math.Abs(f.At(i, 1)-want) > 1e-5 {
			t.Fatalf("node %d: %v, want %v", i, f.At(i, 1), want)
		}
	}
}

// moons has 100,000 rows with one label on each of two moons.
func moons() (x *mat.Dense, y []int, unlabeled *mat.Dense) {
	d := data.TwoMoons(50000, 0.05, 1)
	first := map[int]int{}
	for i, c := range d.Y {
		if _, ok := first[c]; !ok {
			first[c] = i
		}
	}
	x, unlabeled = mat.NewDense(2, 2, nil), mat.NewDense(d.Len()-2, 2, nil)
	at := 0
	for i, c := range d.Y {
		if first[c] == i {
			x.SetRow(c, d.X.RawRowView(i))
			continue
		}
		unlabeled.SetRow(at, d.X.RawRowView(i))
		at++
	}
	return x, []int{0, 1}, unlabeled
}

func BenchmarkTwoLabels(b *testing.B) {
	x, y, unlabeled := moons()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		m := &semi.LabelPropagation{}
		if err := m.FitUnlabeled(x, y, unlabeled); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(m.Trace.Loss)), "steps")
	}
}
