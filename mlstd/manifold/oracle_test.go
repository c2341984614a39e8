package manifold_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/manifold"
	"github.com/gokernel/gokernel/mlstd/model"
)

// oracle holds what testdata/oracles/manifold.py computed with scikit-learn.
type oracle struct {
	Sets []struct {
		Data string
		X    [][]float64
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
		// There are many minima: the best of some starts is as good.
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
