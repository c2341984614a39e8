package anomaly_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
)

// oracle holds what testdata/oracles/anomaly.py computed with scikit-learn and SciPy.
type oracle struct {
	Sets []struct {
		Data   string
		X, New [][]float64
		LOF    struct{ Train, New []float64 }
		SVM    []struct {
			Nu, Rho float64
			Score   []float64
			Support []int
		}
		MCD struct {
			Mean, RawMean, Score      []float64
			Covariance, RawCovariance [][]float64
		}
		Forest struct {
			Sample int
			Trees  [][]anomaly.IsolationNode
			Score  []float64
		}
		Gaussian struct{ Full, Diagonal []float64 }
	}
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

func read(t *testing.T) *oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "anomaly", &o)
	return &o
}

func flat(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

func TestOracleLocalOutlierFactor(t *testing.T) {
	for _, s := range read(t).Sets {
		m := &anomaly.LocalOutlierFactor{K: 7}
		if err := m.Fit(matrix(s.X)); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Data+" training rows", m.Scores, s.LOF.Train, 1e-9)
		mltest.NearAll(t, s.Data+" new rows", m.Score(matrix(s.New)), s.LOF.New, 1e-9)
	}
}

func TestOracleOneClassSVM(t *testing.T) {
	for _, s := range read(t).Sets {
		for _, c := range s.SVM {
			m := &anomaly.OneClassSVM{Nu: c.Nu, Kernel: kernel.RBF(0.3), Tol: 1e-10}
			if err := m.Fit(matrix(s.X)); err != nil {
				t.Fatal(err)
			}
			mltest.Near(t, s.Data+" rho", -m.Intercept, c.Rho, 1e-6)
			mltest.NearAll(t, s.Data+" scores", m.Score(matrix(s.New)), c.Score, 1e-6)
			if len(m.Support) != len(c.Support) {
				t.Errorf("%s: %d support vectors, want %d", s.Data, len(m.Support), len(c.Support))
			}
		}
	}
}

func TestOracleRobustCovariance(t *testing.T) {
	for _, s := range read(t).Sets {
		m := &anomaly.RobustCovariance{Starts: 5000}
		if err := m.Fit(matrix(s.X)); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Data+" raw mean", m.RawMean, s.MCD.RawMean, 1e-9)
		mltest.NearAll(t, s.Data+" raw covariance", flat(m.RawCovariance), flat(matrix(s.MCD.RawCovariance)), 1e-9)
		mltest.NearAll(t, s.Data+" mean", m.Mean, s.MCD.Mean, 1e-9)
		mltest.NearAll(t, s.Data+" covariance", flat(m.Covariance), flat(matrix(s.MCD.Covariance)), 1e-9)
		mltest.NearAll(t, s.Data+" distances", m.Score(matrix(s.New)), s.MCD.Score, 1e-8)
	}
}

// The scores of the trees that scikit-learn grew.
func TestOracleIsolationForest(t *testing.T) {
	for _, s := range read(t).Sets {
		m := &anomaly.IsolationForest{Members: s.Forest.Trees, Width: len(s.X[0]), Drawn: s.Forest.Sample}
		mltest.NearAll(t, s.Data, m.Score(matrix(s.New)), s.Forest.Score, 1e-12)
	}
}

func TestOracleGaussianDetector(t *testing.T) {
	for _, s := range read(t).Sets {
		for full, want := range map[bool][]float64{true: s.Gaussian.Full, false: s.Gaussian.Diagonal} {
			m := &anomaly.GaussianDetector{Full: full}
			if err := m.Fit(matrix(s.X)); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Data, m.Score(matrix(s.New)), want, 1e-9)
		}
	}
}
