package decomp_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// oracle holds the results that testdata/oracles/decomp.py computed with scikit-learn.
type oracle struct {
	Sets []struct {
		Data string
		X    [][]float64
		PCA  struct {
			Mean, Variance, Ratio, Singular []float64
			Axes, Z                         [][]float64
		}
		White struct {
			Z, Back [][]float64
			Noise   float64
		}
		Incremental struct {
			Mean, Variance, Ratio []float64
			Axes                  [][]float64
			Noise                 float64
		}
		Truncated struct {
			Axes                      [][]float64
			Singular, Variance, Ratio []float64
		}
		Positive [][]float64
		NMF      []struct {
			Loss, Solver string
			Steps        []struct {
				Iter  int
				Parts [][]float64
				Error float64
			}
		}
		ICA []struct {
			Fun              string
			Deflation        bool
			Unmixing, Mixing [][]float64
			Steps            int
		}
		Factors []struct {
			Rotation            string
			Wide                bool
			Steps               int
			Loadings, Z         [][]float64
			Uniqueness, Density []float64
			LogLikelihood       float64
		}
		Lindenstrauss []struct {
			N, K    int
			Epsilon float64
		}
		Hash struct {
			Words  [][]string
			Counts [][]float64
		}
	}
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

func nearMatrix(t *testing.T, what string, got mat.Matrix, want [][]float64, tol float64) {
	t.Helper()
	n, cols := got.Dims()
	if n != len(want) || cols != len(want[0]) {
		t.Fatalf("%s: %dx%d, want %dx%d", what, n, cols, len(want), len(want[0]))
	}
	mltest.NearAll(t, what, mat.DenseCopyOf(got).RawMatrix().Data, matrix(want).RawMatrix().Data, tol)
}

func fit(t *testing.T, m model.Transformer, x mat.Matrix) {
	t.Helper()
	if err := m.Fit(x); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T) *oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "decomp", &o)
	return &o
}

func TestOraclePCA(t *testing.T) {
	for _, s := range read(t).Sets {
		x := matrix(s.X)
		for _, solver := range []decomp.PCASolver{decomp.AutoPCA, decomp.CovariancePCA, decomp.SVDPCA, decomp.RandomizedPCA} {
			p := &decomp.PCA{Solver: solver}
			fit(t, p, x)
			mltest.NearAll(t, s.Data+" mean", p.Mean, s.PCA.Mean, 1e-11)
			mltest.NearAll(t, s.Data+" variance", p.Variance, s.PCA.Variance, 1e-10)
			mltest.NearAll(t, s.Data+" ratio", p.Ratio, s.PCA.Ratio, 1e-10)
			mltest.NearAll(t, s.Data+" singular", p.Singular, s.PCA.Singular, 1e-10)
			nearMatrix(t, s.Data+" axes", p.Axes, s.PCA.Axes, 1e-8)
			nearMatrix(t, s.Data+" components", p.Transform(x.Slice(0, 5, 0, len(s.X[0]))), s.PCA.Z, 1e-8)
		}
		w := &decomp.PCA{Components: 2, Whiten: true}
		fit(t, w, x)
		z := w.Transform(x.Slice(0, 5, 0, len(s.X[0])))
		nearMatrix(t, s.Data+" white", z, s.White.Z, 1e-9)
		nearMatrix(t, s.Data+" back", w.Inverse(z), s.White.Back, 1e-9)
		mltest.Near(t, s.Data+" noise", w.Noise, s.White.Noise, 1e-10)
		inc := &decomp.PCA{Components: 3}
		for _, part := range [][2]int{{0, 20}, {20, 45}, {45, len(s.X)}} {
			if err := inc.PartialFit(matrix(s.X[part[0]:part[1]])); err != nil {
				t.Fatal(err)
			}
		}
		mltest.NearAll(t, s.Data+" incremental mean", inc.Mean, s.Incremental.Mean, 1e-10)
		mltest.NearAll(t, s.Data+" incremental variance", inc.Variance, s.Incremental.Variance, 1e-9)
		mltest.NearAll(t, s.Data+" incremental ratio", inc.Ratio, s.Incremental.Ratio, 1e-9)
		nearMatrix(t, s.Data+" incremental axes", inc.Axes, s.Incremental.Axes, 1e-8)
	}
}

func TestOracleTruncatedSVD(t *testing.T) {
	for _, s := range read(t).Sets {
		for _, x := range []mat.Matrix{matrix(s.X), sparse.FromDense(matrix(s.X))} {
			m := &decomp.TruncatedSVD{MaxIter: 60}
			fit(t, m, x)
			mltest.NearAll(t, s.Data+" singular", m.Singular, s.Truncated.Singular, 1e-10)
			mltest.NearAll(t, s.Data+" variance", m.Variance, s.Truncated.Variance, 1e-9)
			mltest.NearAll(t, s.Data+" ratio", m.Ratio, s.Truncated.Ratio, 1e-9)
			nearMatrix(t, s.Data+" axes", m.Axes, s.Truncated.Axes, 1e-7)
		}
	}
}

func TestOracleNMF(t *testing.T) {
	for _, s := range read(t).Sets {
		for _, c := range s.NMF {
			for _, step := range c.Steps {
				m := &decomp.NMF{Components: 2, MaxIter: step.Iter, Tol: model.Zero}
				if c.Solver == "mu" {
					m.Solver = decomp.MultiplicativeNMF
				}
				if c.Loss != "frobenius" {
					m.Loss = decomp.KullbackLeiblerNMF
				}
				fit(t, m, matrix(s.Positive))
				mltest.Near(t, s.Data+" "+c.Loss+" "+c.Solver+" error", m.Error, step.Error, 1e-7)
				nearMatrix(t, s.Data+" "+c.Loss+" "+c.Solver+" parts", m.Parts, step.Parts, 1e-6)
			}
		}
	}
}

func TestOracleFastICA(t *testing.T) {
	contrasts := map[string]decomp.Contrast{"logcosh": decomp.LogCosh, "exp": decomp.ExpContrast, "cube": decomp.CubeContrast}
	for _, s := range read(t).Sets {
		for _, c := range s.ICA {
			if c.Steps >= 5000 {
				continue // it found no fixed point
			}
			// Sources have any order and sign; a contrast may have several fixed points, so several
			// starts are tried.
			best := math.Inf(1)
			for seed := range 6 {
				m := &decomp.FastICA{Components: 2, Contrast: contrasts[c.Fun], Deflation: c.Deflation, Tol: 1e-13, MaxIter: 5000, Seed: uint64(seed)}
				fit(t, m, matrix(s.X))
				best = min(best, rowsApart(m.Unmixing, matrix(c.Unmixing)))
			}
			if best > 1e-5 {
				t.Errorf("%s %s, deflation %v: the unmixing differs by %v", s.Data, c.Fun, c.Deflation, best)
			}
		}
	}
}

func TestOracleFactorAnalysis(t *testing.T) {
	rotations := map[string]decomp.Rotation{"": decomp.NoRotation, "varimax": decomp.Varimax, "quartimax": decomp.Quartimax}
	for _, s := range read(t).Sets {
		for _, c := range s.Factors {
			x := matrix(s.X)
			if c.Wide {
				x = mat.DenseCopyOf(x.Slice(0, 30, 0, len(s.X[0])).T())
			}
			what := fmt.Sprint(s.Data, " ", c.Steps, " steps ", c.Rotation)
			m := &decomp.FactorAnalysis{Rotation: rotations[c.Rotation], Tol: model.Zero, MaxIter: c.Steps}
			fit(t, m, x)
			mltest.Near(t, what+" log likelihood", m.LogLikelihood, c.LogLikelihood, 1e-9)
			mltest.NearAll(t, what+" uniqueness", m.Uniqueness, c.Uniqueness, 1e-9)
			tol := 1e-8
			if c.Rotation != "" {
				tol = 2e-3 // scikit-learn turns up to where the gain is 1e-6
			}
			if apart := rowsApart(mat.DenseCopyOf(m.Loadings.T()), matrix(c.Loadings)); apart > tol {
				t.Errorf("%s: the loadings differ by %v", what, apart)
			}
			_, cols := x.Dims()
			four := x.Slice(0, 4, 0, cols)
			mltest.NearAll(t, what+" density", m.LogDensity(four), c.Density, 1e-8)
			if apart := rowsApart(mat.DenseCopyOf(m.Transform(four).T()), mat.DenseCopyOf(matrix(c.Z).T())); apart > 10*tol {
				t.Errorf("%s: the scores differ by %v", what, apart)
			}
		}
	}
}

func TestOracleRandomProjection(t *testing.T) {
	for _, s := range read(t).Sets {
		for _, c := range s.Lindenstrauss {
			if k := decomp.JohnsonLindenstrauss(c.N, c.Epsilon); k != c.K {
				t.Errorf("%d rows, epsilon %v: %d dimensions, want %d", c.N, c.Epsilon, k, c.K)
			}
			p := &decomp.RandomProjection{Epsilon: c.Epsilon}
			fit(t, p, mat.NewDense(c.N/1000+2, 1, nil))
			if k, _ := p.Axes.Dims(); k != 1 {
				t.Errorf("%d dimensions of 1 column", k)
			}
		}
	}
}

// rowsApart returns the largest difference of two matrices of two rows, in the order and with the
// signs that match best.
func rowsApart(a, b *mat.Dense) float64 {
	best := math.Inf(1)
	for swap := range 2 {
		worst := 0.0
		for i := range 2 {
			p, q := a.RawRowView(i), b.RawRowView((i+swap)%2)
			plus, minus := 0.0, 0.0
			for j := range p {
				plus, minus = max(plus, math.Abs(p[j]-q[j])), max(minus, math.Abs(p[j]+q[j]))
			}
			worst = max(worst, min(plus, minus))
		}
		best = min(best, worst)
	}
	return best
}

func TestOracleFeatureHasher(t *testing.T) {
	for _, s := range read(t).Sets {
		h := decomp.FeatureHasher{Columns: 16}
		got, err := h.Words(s.Hash.Words)
		if err != nil {
			t.Fatal(err)
		}
		nearMatrix(t, s.Data, got, s.Hash.Counts, 0)
		// The columns of a table go where their names go.
		x := &model.Table{Dense: mat.NewDense(1, len(s.Hash.Words[0]), nil)}
		for j, name := range s.Hash.Words[0] {
			x.Columns = append(x.Columns, model.Column{Name: name})
			x.Set(0, j, 1)
		}
		fit(t, &h, x)
		nearMatrix(t, s.Data+" table", h.Transform(x), s.Hash.Counts[:1], 0)
	}
}
