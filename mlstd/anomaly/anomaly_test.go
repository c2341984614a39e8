package anomaly_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

func TestConformance(t *testing.T) {
	drawn := map[string]string{"row permutation": "samples are drawn by position"}
	for _, c := range []struct {
		name string
		make func() model.Detector
		opts modeltest.Options
	}{
		{"GaussianDetector", func() model.Detector { return &anomaly.GaussianDetector{} }, modeltest.Options{}},
		{"GaussianDetector full", func() model.Detector { return &anomaly.GaussianDetector{Full: true} }, modeltest.Options{}},
		{"RobustCovariance", func() model.Detector { return &anomaly.RobustCovariance{Starts: 50} }, modeltest.Options{Skip: drawn}},
		{"RobustCovariance classic", func() model.Detector { return &anomaly.RobustCovariance{Classic: true} }, modeltest.Options{}},
		{"IsolationForest", func() model.Detector { return &anomaly.IsolationForest{} }, modeltest.Options{Skip: drawn}},
		{"LocalOutlierFactor", func() model.Detector { return &anomaly.LocalOutlierFactor{} }, modeltest.Options{}},
		{"OneClassSVM", func() model.Detector { return &anomaly.OneClassSVM{Nu: 0.1, Tol: 1e-10} }, modeltest.Options{Tolerance: 1e-6}},
	} {
		t.Run(c.name, func(t *testing.T) { modeltest.Detector(t, c.make, c.opts) })
	}
}

// planted returns n rows of a slanted Gaussian, and after them strange rows, the
// last two of which have usual values in an unusual combination.
func planted(n int) (x *mat.Dense, strange []bool) {
	rng := model.Rand(7, 0)
	far := [][]float64{{9, -8}, {-10, 9}, {12, 12}, {-11, -12}, {3, -3}, {-3, 3}}
	x, strange = mat.NewDense(n+len(far), 2, nil), make([]bool, n+len(far))
	for i := range n {
		u, v := 2*rng.NormFloat64(), 0.5*rng.NormFloat64()
		x.SetRow(i, []float64{u + v, u - v})
	}
	for i, row := range far {
		x.SetRow(n+i, row)
		strange[n+i] = true
	}
	return x, strange
}

type tunable interface {
	model.Detector
	Tune(x mat.Matrix, anomaly []bool) (*anomaly.F1Choice, error)
}

func detectors() map[string]tunable {
	return map[string]tunable{
		"Gaussian": &anomaly.GaussianDetector{Full: true}, "MCD": &anomaly.RobustCovariance{Starts: 100},
		"forest": &anomaly.IsolationForest{Seed: 1}, "LOF": &anomaly.LocalOutlierFactor{},
		"SVM": &anomaly.OneClassSVM{Nu: 0.1, Kernel: kernel.RBF(0.3)},
	}
}

func TestDEC12_Anomalies(t *testing.T) {
	x, strange := planted(300)
	usual := x.Slice(0, 300, 0, 2)
	for name, m := range detectors() {
		if err := m.Fit(usual); err != nil {
			t.Fatal(err)
		}
		c, err := m.Tune(x, strange)
		if err != nil {
			t.Fatal(err)
		}
		// All detectors find the four rows far away. Only detectors that use both columns together
		// find the rows in the gap. A forest cuts one column at a time: no cut parts the rows in
		// the gap from the cloud that is beside and above them.
		want, least := 6, 1.0
		if name == "forest" {
			want, least = 4, 8./11 // and one usual row
		}
		if c.F1 < least-1e-12 {
			t.Errorf("%s: the best F1 score is %v", name, c.F1)
		}
		for i, f := range m.Predict(x)[300 : 300+want] {
			if !f {
				t.Errorf("%s: planted row %d is not found", name, i)
			}
		}
		hits, found := 0, 0
		for i, f := range m.Predict(x) {
			if f {
				found++
				if strange[i] {
					hits++
				}
			}
		}
		if f1 := 2 * float64(hits) / float64(found+6); math.Abs(f1-c.F1) > 1e-12 {
			t.Errorf("%s: Predict has the F1 score %v, the choice %v", name, f1, c.F1)
		}
	}
	// Column by column the last two rows are not strange.
	g := &anomaly.GaussianDetector{}
	if err := g.Fit(usual); err != nil {
		t.Fatal(err)
	}
	if c, err := g.Tune(x, strange); err != nil || c.F1 > 0.99 {
		t.Errorf("columns alone give the F1 score %v, %v", c.F1, err)
	}
	if e := g.Epsilon(); math.Abs(math.Log(e)+g.Threshold) > 1e-12 {
		t.Errorf("ε is %v, the threshold %v", e, g.Threshold)
	}
}

// With a third of the rows far away together, the covariance of all rows hides them.
func TestDEC12_Masking(t *testing.T) {
	x, _ := planted(100)
	for i := range 35 {
		x.SetRow(i, []float64{15 + 0.1*float64(i%6), -15 + 0.1*float64(i%5)})
	}
	robust, classic := &anomaly.RobustCovariance{}, &anomaly.RobustCovariance{Classic: true}
	for _, m := range []*anomaly.RobustCovariance{robust, classic} {
		if err := m.Fit(x); err != nil {
			t.Fatal(err)
		}
	}
	if s := slices.Min(robust.Score(x)[:35]); s < 100 {
		t.Errorf("the robust distance of a planted row is %v", s)
	}
	if s := slices.Max(classic.Score(x)[:35]); s > 10 {
		t.Errorf("the distance of a planted row by the covariance of all is %v", s)
	}
}

func TestDEC12_Threshold(t *testing.T) {
	c, err := anomaly.ChooseThreshold([]float64{1, 2, 3, 4, 5}, []bool{false, false, true, false, true})
	if err != nil {
		t.Fatal(err)
	}
	// Above 4.5: 1 of 1, 1 of 2, F1 2/3; above 2.5: 2 of 3, 2 of 2, F1 4/5.
	mltest.Near(t, "threshold", c.Threshold, 2.5, 0)
	mltest.Near(t, "F1", c.F1, 0.8, 1e-15)
	mltest.Near(t, "precision", c.Precision, 2.0/3, 1e-15)
	mltest.Near(t, "recall", c.Recall, 1, 0)
	mltest.NearAll(t, "F1s", c.F1s, []float64{2 * 2.0 / 6, 4.0 / 5, 2.0 / 4, 2.0 / 3}, 1e-15)
	var e *model.Error
	if _, err := anomaly.ChooseThreshold([]float64{1, 2}, []bool{false, false}); !errors.As(err, &e) {
		t.Errorf("no anomaly: %v", err)
	}
	// c(256) of the paper's formula, and the exact mean depths 1 and 5/3 beside it.
	mltest.Near(t, "c(256)", anomaly.IsolationDepth(256), 10.244770920, 1e-8)
	mltest.Near(t, "c(2)", anomaly.IsolationDepth(2), 1, 0)
	mltest.Near(t, "c(1)", anomaly.IsolationDepth(1), 0, 0)
}

// Nu is an upper bound on the fraction of rows outside, and a lower bound on the fraction of
// support vectors.
func TestDEC12_Nu(t *testing.T) {
	x, _ := planted(200)
	for _, nu := range []float64{0.05, 0.2, 0.5, 1} {
		m := &anomaly.OneClassSVM{Nu: nu, Tol: 1e-9}
		if err := m.Fit(x); err != nil {
			t.Fatal(err)
		}
		outside := 0
		for _, s := range m.Score(x) {
			if s > 1e-6 {
				outside++
			}
		}
		sum := 0.0
		for _, a := range m.DualCoef {
			sum += a
		}
		mltest.Near(t, "Σα", sum, nu*206, 1e-8)
		if float64(outside) > nu*206+1e-9 || float64(len(m.Support)) < nu*206-1e-9 {
			t.Errorf("Nu %v: %d of 206 rows are outside, %d are support vectors", nu, outside, len(m.Support))
		}
	}
}

func ExampleIsolationForest() {
	x := mat.NewDense(10, 1, []float64{1, 1.1, 0.9, 1.2, 0.8, 1, 1.05, 0.95, 1.15, 9})
	f := anomaly.IsolationForest{}
	if err := f.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Predict(x))
	// Output: [false false false false false false false false false true]
}

func BenchmarkIsolationForest(b *testing.B) {
	x, _ := planted(5000)
	for b.Loop() {
		m := anomaly.IsolationForest{}
		if err := m.Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLocalOutlierFactor(b *testing.B) {
	x, _ := planted(5000)
	for b.Loop() {
		m := anomaly.LocalOutlierFactor{}
		if err := m.Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}
