package manifold_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/manifold"
)

// Classical scaling of Euclidean distances gives the principal components.
func TestMDSIsPCA(t *testing.T) {
	x := clouds(80, 6)
	m, p := &manifold.MDS{Components: 3}, &decomp.PCA{Components: 3}
	fit(t, m, x)
	fit(t, p, x)
	z := p.Transform(x)
	for c := range 3 {
		sign := math.Copysign(1, m.Embedding.At(0, c)*z.At(0, c))
		for i := range 80 {
			if math.Abs(m.Embedding.At(i, c)-sign*z.At(i, c)) > 1e-9 {
				t.Fatalf("row %d: %v and %v", i, m.Embedding.RawRowView(i), z.RawRowView(i))
			}
		}
	}
}

// The stress never rises, and for distances between points it goes to 0, even if only their order
// is used.
func TestMDSStressFalls(t *testing.T) {
	x := clouds(40, 2)
	start := mat.NewDense(40, 2, nil)
	start.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(1 + 3*i + 7*j*i)) }, start)
	for _, s := range []manifold.Scaling{manifold.MetricMDS, manifold.NonMetricMDS} {
		m := &manifold.MDS{Scaling: s, InitEmbedding: start, MaxIter: 3000, Tol: 1e-12}
		fit(t, m, x)
		if m.Stress > 0.02 {
			t.Errorf("scaling %d: the stress is %v after %d steps", s, m.Stress, len(m.Trace.Loss))
		}
		if s == manifold.MetricMDS {
			for i := 1; i < len(m.Trace.Loss); i++ {
				if m.Trace.Loss[i] > m.Trace.Loss[i-1]*(1+1e-9) {
					t.Errorf("step %d: the stress rises from %v to %v", i, m.Trace.Loss[i-1], m.Trace.Loss[i])
				}
			}
		}
	}
}

// roll is a strip rolled up in space; the second result is the place along it.
func roll(n int) (*mat.Dense, []float64) {
	x, along := mat.NewDense(n, 3, nil), make([]float64, n)
	for i := range n {
		turn := 1.5 * math.Pi * (1 + 2*float64(i)/float64(n))
		x.SetRow(i, []float64{turn * math.Cos(turn), 20 * math.Mod(float64(i)*0.618, 1), turn * math.Sin(turn)})
		along[i] = turn * turn / 2
	}
	return x, along
}

// Isomap and LLE unroll the strip, where a linear map does not.
func TestUnroll(t *testing.T) {
	x, along := roll(1000)
	i, l := &manifold.Isomap{Neighbors: 7}, &manifold.LLE{Neighbors: 12}
	fit(t, i, x)
	fit(t, l, x)
	for what, y := range map[string]*mat.Dense{"Isomap": i.Embedding, "LLE": l.Embedding} {
		best := 0.0
		for c := range 2 {
			best = max(best, math.Abs(stat.Correlation(mat.Col(nil, c, y), along, nil)))
		}
		if best < 0.95 {
			t.Errorf("%s: the correlation with the place along the strip is %v", what, best)
		}
	}
	if i.Parts != 1 || l.Parts != 1 {
		t.Errorf("%d and %d parts", i.Parts, l.Parts)
	}
	if got := manifold.Trustworthiness(x, i.Embedding, 8); got < 0.99 {
		t.Errorf("the trustworthiness is %v", got)
	}
}

// Groups that are far apart are joined, and Parts counts them.
func TestIsomapParts(t *testing.T) {
	x := mat.NewDense(30, 1, nil)
	for i := range 30 {
		x.Set(i, 0, float64(i%10)+1000*float64(i/10))
	}
	m := &manifold.Isomap{Components: 1, Neighbors: 3}
	fit(t, m, x)
	if m.Parts != 3 {
		t.Errorf("%d parts", m.Parts)
	}
	for i := range 30 {
		for j := range i {
			if d := distance(m.Embedding, i, j); math.Abs(d-math.Abs(x.At(i, 0)-x.At(j, 0))) > 1e-6 {
				t.Fatalf("the distance of %d and %d is %v", i, j, d)
			}
		}
	}
}

func TestManifoldRefuses(t *testing.T) {
	x := clouds(20, 3)
	for what, m := range map[string]interface{ Fit(mat.Matrix) error }{
		"a scaling":             &manifold.MDS{Scaling: 7},
		"21 dimensions":         &manifold.MDS{Components: 21},
		"distances":             &manifold.MDS{Distances: true},
		"a start of 19":         &manifold.MDS{Scaling: manifold.MetricMDS, InitEmbedding: mat.NewDense(19, 2, nil)},
		"20 neighbors":          &manifold.Isomap{Neighbors: 20},
		"20 neighbors of LLE":   &manifold.LLE{Neighbors: 20},
		"20 dimensions of LLE":  &manifold.LLE{Components: 20},
		"a negative Lambda":     &manifold.LLE{Lambda: -1},
		"no such method":        &manifold.LLE{Method: 3},
		"5 neighbors, Hessian":  &manifold.LLE{Method: manifold.HessianLLE},
		"2 neighbors, modified": &manifold.LLE{Method: manifold.ModifiedLLE, Neighbors: 2},
	} {
		if m.Fit(x) == nil {
			t.Errorf("%s was accepted", what)
		}
	}
	odd := mat.NewDense(2, 2, []float64{0, 1, 2, 0})
	if (&manifold.MDS{Distances: true}).Fit(odd) == nil {
		t.Error("distances that differ there and back were accepted")
	}
}

func ExampleMDS() {
	// The distances of three places on a road.
	d := mat.NewDense(3, 3, []float64{0, 3, 7, 3, 0, 4, 7, 4, 0})
	m := manifold.MDS{Components: 1, Distances: true}
	if err := m.Fit(d); err != nil {
		fmt.Println(err)
		return
	}
	y := m.Embedding
	fmt.Printf("%.1f %.1f, stress %.2f\n", y.At(1, 0)-y.At(0, 0), y.At(2, 0)-y.At(0, 0), m.Stress)
	// Output: 3.0 7.0, stress 0.00
}
