package eval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
)

func TestEVAL21_ErrorInterval(t *testing.T) {
	e := eval.ErrorInterval(12, 40, 0.95)
	mltest.Near(t, "half width", (e.High-e.Low)/2, 0.142, 5e-4)
	mltest.Near(t, "value", e.Value, 0.3, tol)
	// Simulated coverage: 4000 repeats have a standard error of 0.0034.
	c := eval.Coverage(0.3, 100, 4000, func(w, n int) eval.Estimate { return eval.ErrorInterval(w, n, 0.95) }, 1)
	mltest.Near(t, "coverage", c, 0.95, 0.015)
}

func TestEVAL22_Difference(t *testing.T) {
	e := eval.ErrorDifference(30, 100, 20, 100, 0.95)
	mltest.Near(t, "value", e.Value, 0.1, tol)
	mltest.Near(t, "half width", (e.High-e.Low)/2, 0.1192, 1e-4)
	// E3-14: each error has its own sample, of its own size.
	e = eval.ErrorDifference(30, 100, 4, 25, 0.95)
	mltest.Near(t, "samples of two sizes", (e.High-e.Low)/2, 1.959964*math.Sqrt(0.3*0.7/100+0.16*0.84/25), 1e-6)
}

func TestEVAL23_PValueUnderTheNull(t *testing.T) {
	// E0-15: p is computed under the null hypothesis, where it is uniform; it is not the
	// probability that no method is better. At level 0.05 about 5 % reject.
	rng := model.Rand(5, 0)
	rejected := 0
	for range 2000 {
		a, b := make([]float64, 10), make([]float64, 10)
		for i := range a {
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		if eval.PairedTTest(a, b).Reject(0.05) {
			rejected++
		}
	}
	mltest.Near(t, "share rejected", float64(rejected)/2000, 0.05, 0.015) // 3 standard errors
	a, b := []float64{3, 5, 4, 6, 5}, []float64{1, 2, 2, 3, 1}
	mltest.Near(t, "permutation of 5 clear wins", eval.PermutationTest(a, b, 1).P, 2.0/32, tol)
}

func TestEVAL24_PairedT(t *testing.T) {
	r := eval.PairedTTest([]float64{.05, .02, .04, -.01, .03}, make([]float64, 5))
	mltest.Near(t, "t", r.Statistic, 2.5253, 5e-5)
	mltest.Near(t, "p", r.P, 0.0650, 5e-5)
	if r.DF != 4 /* E3-15: n − 1 */ || r.Reject(0.05) {
		t.Errorf("got %v, want 4 d.f. and no rejection", r)
	}
}

func TestEVAL25_Sign(t *testing.T) {
	mltest.Near(t, "9 of 10", eval.BinomialTest(9, 10, 0.5).P, 0.0215, 5e-5)
	a := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0.5}
	b := []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0.5}
	mltest.Near(t, "a tie is left out", eval.SignTest(a, b).P, 22.0/1024, tol)
}

func TestEVAL26_McNemar(t *testing.T) {
	r := eval.McNemarCounts(10, 2)
	mltest.Near(t, "chi2", r.ChiSquare.Statistic, 5.333, 1e-4)
	mltest.Near(t, "corrected", r.Corrected.Statistic, 4.083, 1e-4)
	mltest.Near(t, "exact", r.Exact.P, 0.0386, 5e-5)
	r = eval.McNemar([]int{1, 1, 0}, []int{1, 0, 0}, []int{0, 0, 0})
	if r.B != 1 || r.C != 0 {
		t.Errorf("got b %d, c %d, want 1, 0", r.B, r.C)
	}
}

func TestEVAL27_Bootstrap(t *testing.T) {
	rng := model.Rand(9, 0)
	v := make([]float64, 200)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	mean := func(rows []int) float64 {
		s := 0.0
		for _, i := range rows {
			s += v[i]
		}
		return s / float64(len(rows))
	}
	e, draws := eval.Bootstrap{Seed: 1}.Of(len(v), mean)
	want := stat.StdDev(v, nil) / math.Sqrt(200)
	mltest.Near(t, "standard error of the mean", e.StdErr, want, 0.1*want)
	if len(draws) != 2000 || e.Low >= e.Value || e.High <= e.Value {
		t.Errorf("interval %v from %d draws", e, len(draws))
	}
}

func TestEVAL28_Jackknife(t *testing.T) {
	v := []float64{1, 4, 2, 7}
	e := eval.Jackknife(4, func(rows []int) float64 {
		s := 0.0
		for _, i := range rows {
			s += v[i]
		}
		return s / float64(len(rows))
	})
	mltest.Near(t, "standard error", e.StdErr, 1.32288, 1e-5)
	mltest.Near(t, "s/sqrt n", e.StdErr, stat.StdDev(v, nil)/2, tol)
}

func TestEVAL29_SampleMeans(t *testing.T) {
	m := eval.SampleMeans(func(r *rand.Rand) float64 { return r.ExpFloat64() }, 50, 3000, 1)
	// The exponential has mean 1 and deviation 1; 3000 means are good to 0.0026.
	mltest.Near(t, "mean", stat.Mean(m, nil), 1, 0.01)
	mltest.Near(t, "spread", stat.StdDev(m, nil), 1/math.Sqrt(50), 0.01)
	inside := 0
	for _, v := range m {
		if math.Abs(v-1) < 1.96/math.Sqrt(50) {
			inside++
		}
	}
	mltest.Near(t, "share within 1.96", float64(inside)/3000, 0.95, 0.015)
}

func TestEVAL30_LadyTastingTea(t *testing.T) {
	_, one := eval.FisherExact(4, 0, 0, 4)
	mltest.Near(t, "all right", one.P, 1.0/70, 1e-10)
}

// Two overlapping classes in the source; in the target only the right end
// occurs, where the class boundary bends away.
func TestEVAL37_DomainShift(t *testing.T) {
	rng := model.Rand(11, 0)
	domain := func(n int, center float64) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			a, b := center+rng.NormFloat64(), rng.NormFloat64()
			x.SetRow(i, []float64{a, b})
			if b > 0.6*a*a-1 == (rng.Float64() < 0.95) {
				y[i] = 1
			}
		}
		return x, y
	}
	sx, sy := domain(3000, 0)
	tx, ty := domain(3000, 1.5)
	s, err := eval.MeasureShift(func() model.WeightedClassifier { return &centroid{} }, sx, sy, tx, ty)
	if err != nil {
		t.Fatal(err)
	}
	if s.Target >= s.Source || s.Weighted <= s.Target {
		t.Errorf("source %v, target %v, weighted %v: want a drop and a recovery", s.Source, s.Target, s.Weighted)
	}
	mltest.Near(t, "mean weight", stat.Mean(s.Weights, nil), 1, 1e-9)
}

// A coin that always falls on one side: one outcome has probability 1, the others none.
// SciPy 1.x binomtest gives the same.
func TestBinomialTestOfCertainty(t *testing.T) {
	for _, c := range []struct {
		k, n int
		p, P float64
	}{{0, 44, 0, 1}, {5, 5, 1, 1}, {1, 44, 0, 0}, {4, 5, 1, 0}, {0, 1, 1, 0}, {44, 44, 1, 1}} {
		got := eval.BinomialTest(c.k, c.n, c.p)
		mltest.Near(t, fmt.Sprintf("%d of %d with %v", c.k, c.n, c.p), got.P, c.P, 0)
		mltest.Near(t, "statistic", got.Statistic, float64(c.k), 0)
	}
}
