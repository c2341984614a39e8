package manifold_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/manifold"
	"github.com/gokernel/gokernel/mlstd/model"
)

// oracle holds the results that testdata/oracles/manifold.py computed with scikit-learn.
type oracle struct {
	Sets []struct {
		Data string
		X    [][]float64

		U, Unseen, First [][]float64
		Scaled           []struct {
			Metric bool
			Count  int
			Y      [][]float64
			Stress float64
		}
		Classical struct {
			Y           [][]float64
			Eigenvalues []float64
		}
		Variants []struct {
			Neighbors int
			Method    string
			Y         [][]float64
			Error     float64
		}
		Isomap, LLE []struct {
			Neighbors int
			Y, Unseen [][]float64
			Error     float64
		}
		TSNE struct {
			Start [][]float64
			Steps []struct {
				Count int
				Y     [][]float64
			}
			KL, Trust float64
			Points    [][]float64
		}
	}
}

func read(t *testing.T) *oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "manifold", &o)
	return &o
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

func fit(t *testing.T, m interface{ Fit(x mat.Matrix) error }, x mat.Matrix) {
	t.Helper()
	if err := m.Fit(x); err != nil {
		t.Fatal(err)
	}
}

func nearMatrix(t *testing.T, what string, got mat.Matrix, want [][]float64, tol float64) {
	t.Helper()
	n, cols := got.Dims()
	if n != len(want) || cols != len(want[0]) {
		t.Fatalf("%s: %dx%d, want %dx%d", what, n, cols, len(want), len(want[0]))
	}
	mltest.NearAll(t, what, mat.DenseCopyOf(got).RawMatrix().Data, matrix(want).RawMatrix().Data, tol)
}

func TestOracleTSNE(t *testing.T) {
	for _, s := range read(t).Sets {
		x := matrix(s.X)
		for _, step := range s.TSNE.Steps {
			m := &manifold.TSNE{Perplexity: 10, Angle: model.Zero, Rate: 50, MaxIter: step.Count, InitEmbedding: matrix(s.TSNE.Start)}
			fit(t, m, x)
			nearMatrix(t, fmt.Sprint(s.Data, " points after ", step.Count), m.Embedding, step.Y, 1e-7)
		}
		// There are many minima: the best of several starts is as good.
		best := &manifold.TSNE{KL: math.Inf(1)}
		for seed := range 5 {
			m := &manifold.TSNE{Perplexity: 10, Seed: uint64(seed), RandomStart: seed > 0}
			if fit(t, m, x); m.KL < best.KL {
				best = m
			}
		}
		if best.KL > 1.02*s.TSNE.KL {
			t.Errorf("%s: the divergence is %v, and %v in scikit-learn", s.Data, best.KL, s.TSNE.KL)
		}
		if trust := manifold.Trustworthiness(x, best.Embedding, 5); trust < s.TSNE.Trust-0.01 {
			t.Errorf("%s: the trustworthiness is %v, and %v in scikit-learn", s.Data, trust, s.TSNE.Trust)
		}
		mltest.Near(t, s.Data+" trustworthiness", manifold.Trustworthiness(x, matrix(s.TSNE.Points), 5), s.TSNE.Trust, 1e-12)
	}
}

func TestOracleMDS(t *testing.T) {
	for _, s := range read(t).Sets {
		x := matrix(s.U)
		c := &manifold.MDS{}
		fit(t, c, x)
		nearMatrix(t, s.Data+" classical", c.Embedding, s.Classical.Y, 1e-9)
		mltest.NearAll(t, s.Data+" eigenvalues", c.Eigenvalues, s.Classical.Eigenvalues, 1e-9)
		n, _ := x.Dims()
		away := mat.NewDense(n, n, nil)
		away.Apply(func(i, j int, _ float64) float64 { return distance(x, i, j) }, away)
		for _, step := range s.Scaled {
			m := &manifold.MDS{Scaling: manifold.NonMetricMDS, InitEmbedding: matrix(s.First), MaxIter: step.Count, Tol: model.Zero}
			if step.Metric {
				m.Scaling = manifold.MetricMDS
			}
			what := fmt.Sprint(s.Data, " metric ", step.Metric, " after ", step.Count)
			fit(t, m, x)
			nearMatrix(t, what, m.Embedding, step.Y, 1e-7)
			mltest.Near(t, what+" stress", m.Stress, step.Stress, 1e-9)
			given := *m
			given.Distances = true
			fit(t, &given, away)
			nearMatrix(t, what+" by distances", given.Embedding, step.Y, 1e-7)
		}
	}
}

// columnsNear is nearMatrix up to the signs of columns, which it returns.
func columnsNear(t *testing.T, what string, got *mat.Dense, want [][]float64, signs []float64, tol float64) []float64 {
	t.Helper()
	_, k := got.Dims()
	w := matrix(want)
	out := make([]float64, k)
	for c := range k {
		a, b := mat.Col(nil, c, got), mat.Col(nil, c, w)
		out[c] = 1
		if signs != nil {
			out[c] = signs[c]
		} else if floats.Dot(a, b) < 0 {
			out[c] = -1
		}
		floats.Scale(out[c], b)
		mltest.NearAll(t, fmt.Sprint(what, " column ", c), a, b, tol)
	}
	return out
}

func TestOracleIsomap(t *testing.T) {
	for _, s := range read(t).Sets {
		for _, c := range s.Isomap {
			what := fmt.Sprint(s.Data, " ", c.Neighbors)
			m := &manifold.Isomap{Neighbors: c.Neighbors}
			fit(t, m, matrix(s.U))
			signs := columnsNear(t, what, m.Embedding, c.Y, nil, 1e-8)
			columnsNear(t, what+" unseen", m.Transform(matrix(s.Unseen)).Dense, c.Unseen, signs, 1e-8)
			columnsNear(t, what+" seen", m.Transform(matrix(s.U)).Dense, c.Y, signs, 1e-8)
		}
	}
}

func TestOracleLLE(t *testing.T) {
	for _, s := range read(t).Sets {
		for _, c := range s.LLE {
			what := fmt.Sprint(s.Data, " ", c.Neighbors)
			m := &manifold.LLE{Neighbors: c.Neighbors}
			fit(t, m, matrix(s.U))
			signs := columnsNear(t, what, m.Embedding, c.Y, nil, 1e-6)
			columnsNear(t, what+" unseen", m.Transform(matrix(s.Unseen)).Dense, c.Unseen, signs, 1e-6)
			mltest.Near(t, what+" error", floats.Sum(m.Eigenvalues), c.Error, 1e-9)
		}
	}
}

func TestOracleLLEMethods(t *testing.T) {
	methods := map[string]manifold.LLEMethod{"modified": manifold.ModifiedLLE, "hessian": manifold.HessianLLE}
	for _, s := range read(t).Sets {
		if len(s.Variants) != 4 {
			t.Fatalf("%s: %d cases", s.Data, len(s.Variants))
		}
		for _, c := range s.Variants {
			what := fmt.Sprint(s.Data, " ", c.Method, " ", c.Neighbors)
			m := &manifold.LLE{Neighbors: c.Neighbors, Method: methods[c.Method]}
			fit(t, m, matrix(s.U))
			columnsNear(t, what, m.Embedding, c.Y, nil, 1e-6)
			mltest.Near(t, what+" error", floats.Sum(m.Eigenvalues), c.Error, 1e-8)
		}
	}
}
