package decomp_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// The distances of 60 rows in 2000 columns change by about Epsilon at most, and a sparse x
// gives what the dense one gives.
func TestRandomProjectionKeepsDistances(t *testing.T) {
	x := noise(60, 2000, 3)
	x.Apply(func(_, _ int, v float64) float64 {
		if math.Abs(v) < 1.5 {
			return 0
		}
		return v
	}, x)
	for _, m := range []*decomp.RandomProjection{{Epsilon: 0.3}, {Epsilon: 0.3, Sparse: true}, {Epsilon: 0.3, Sparse: true, Density: 1}} {
		fit(t, m, x)
		z := m.Transform(x)
		if _, k := z.Dims(); k != decomp.JohnsonLindenstrauss(60, 0.3) {
			t.Errorf("%d dimensions", k)
		}
		for i := range 60 {
			for j := range i {
				if r := gap(z.Dense, i, j) / gap(x, i, j); r < 0.65 || r > 1.35 {
					t.Errorf("sparse %v: the squared distance of %d and %d has changed by the factor %v", m.Sparse, i, j, r)
				}
			}
		}
		if !mat.EqualApprox(m.Transform(sparse.FromDense(x)), z, 1e-12) {
			t.Errorf("sparse %v: a sparse x gives something else", m.Sparse)
		}
		if !m.Sparse {
			continue
		}
		want := 1 / math.Sqrt(2000)
		if m.Density > 0 {
			want = m.Density
		}
		width, k := m.SparseAxes.Dims()
		if got := float64(m.SparseAxes.Len()) / float64(width*k); math.Abs(got-want) > 0.05*want {
			t.Errorf("the share %v of the entries is not 0, want %v", got, want)
		}
	}
}

func gap(x *mat.Dense, i, j int) float64 {
	s := 0.0
	for c, v := range x.RawRowView(i) {
		s += (v - x.At(j, c)) * (v - x.At(j, c))
	}
	return s
}

// Data drawn from three factors: the loadings come back, and W·Wᵀ + Ψ is the
// covariance.
func TestFactorAnalysisRecovers(t *testing.T) {
	const n, cols, k = 20000, 9, 3
	z, e := noise(n, k, 1), noise(n, cols, 2)
	loadings := mat.NewDense(cols, k, nil)
	for j := range cols {
		loadings.Set(j, j%k, 1+0.1*float64(j))
	}
	var x mat.Dense
	x.Mul(z, loadings.T())
	for i := range n {
		for j := range cols {
			x.Set(i, j, 5+x.At(i, j)+0.2*float64(j+1)*e.At(i, j))
		}
	}
	m := &decomp.FactorAnalysis{Components: k, Rotation: decomp.Varimax, Tol: 1e-6}
	fit(t, m, &x)
	for j := range cols {
		if want := 0.04 * float64((j+1)*(j+1)); math.Abs(m.Uniqueness[j]-want) > 0.1*max(want, 0.5) {
			t.Errorf("column %d: the uniqueness is %v, want %v", j, m.Uniqueness[j], want)
		}
	}
	for j := range cols {
		for l := range cols {
			want := 0.0
			if j == l {
				want = 0.04 * float64((j+1)*(j+1))
			}
			for c := range k {
				want += loadings.At(j, c) * loadings.At(l, c)
			}
			if got := m.Covariance().At(j, l); math.Abs(got-want) > 0.1 {
				t.Errorf("covariance of %d and %d: %v, want %v", j, l, got, want)
			}
		}
		small := 0
		for c := range k {
			if math.Abs(m.Loadings.At(j, c)) < 0.1 {
				small++
			}
		}
		if small != k-1 {
			t.Errorf("column %d has the loadings %v, want one that is large", j, m.Loadings.RawRowView(j))
		}
	}
	for i := 1; i < len(m.Trace.Loss); i++ {
		if m.Trace.Loss[i] > m.Trace.Loss[i-1]+1e-7 {
			t.Errorf("step %d: the likelihood falls", i)
		}
	}
}

func ExampleJohnsonLindenstrauss() {
	fmt.Println(decomp.JohnsonLindenstrauss(1000, 0.1), decomp.JohnsonLindenstrauss(1000, 0.5))
	// Output: 5920 331
}

func ExampleFactorAnalysis() {
	// Three columns of one factor, and one of its own.
	x := noise(5000, 4, 1)
	f := noise(5000, 1, 2)
	for i := range 5000 {
		for j := range 3 {
			x.Set(i, j, 0.5*x.At(i, j)+2*f.At(i, 0))
		}
	}
	m := decomp.FactorAnalysis{Components: 1}
	if err := m.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f\n", mat.Col(nil, 0, m.Loadings))
	fmt.Printf("%.2f\n", m.Uniqueness)
	// Output:
	// [2.0 2.0 2.0 0.0]
	// [0.25 0.25 0.25 1.05]
}
