package semi_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/semi"
)

type spreadOracle struct{ F, Predict [][]float64 }

type bayesOracle struct {
	Prior         []float64
	Theta, Q      [][]float64
	Weight, Alpha float64
	Iterations    int
}

// oracle holds what testdata/oracles/semi.py computed with scikit-learn and SciPy.
type oracle struct {
	Sets []struct {
		Data                   string
		X, Bits, Counts        [][]float64
		Y                      []int
		Labeled                int
		Propagation, Spreading spreadOracle
		Graph                  struct {
			Edges, Components                  int
			Harmonic                           [][]float64
			Degrees, Combinatorial, Normalized []float64
			Quadratic                          float64
		}
		SelfTraining []struct {
			Kind          string
			Labels, Round []int
			Proba         [][]float64
		}
		Bayes, Words bayesOracle
	}
}

func readOracle(t *testing.T) *oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "semi", &o)
	if len(o.Sets) != 5 {
		t.Fatalf("%d data sets", len(o.Sets))
	}
	return &o
}

func dense(rows [][]float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		d.SetRow(i, r)
	}
	return d
}

func numbers(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

func flat(rows [][]float64) []float64 { return slices.Concat(rows...) }

func TestLabelsOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x, n := dense(s.X), s.Labeled
		rows, cols := x.Dims()
		l, u := x.Slice(0, n, 0, cols), x.Slice(n, rows, 0, cols)
		var other mat.Dense
		other.Scale(1.2, x.Slice(0, 9, 0, cols))
		p := &semi.LabelPropagation{Gamma: 0.8, Tol: 1e-12}
		if err := p.FitUnlabeled(l, s.Y[:n], u); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Data+" propagated", numbers(p.F), flat(s.Propagation.F), 1e-7)
		mltest.NearAll(t, s.Data+" propagated to new rows", numbers(p.PredictProba(&other)), flat(s.Propagation.Predict), 1e-7)
		q := &semi.LabelSpreading{Gamma: 0.8, Alpha: 0.3, Tol: 1e-12}
		if err := q.FitUnlabeled(l, s.Y[:n], u); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Data+" spread", numbers(q.F), flat(s.Spreading.F), 1e-8)
		mltest.NearAll(t, s.Data+" spread to new rows", numbers(q.PredictProba(&other)), flat(s.Spreading.Predict), 1e-8)
	}
}

// This test compares the numbers of a SimilarityGraph of neighbors.
func TestGraphOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := dense(s.X)
		g := semi.NeighborGraph(x, 5)
		_, count := g.Components()
		if g.NumEdges() != s.Graph.Edges || count != s.Graph.Components {
			t.Errorf("%s: %d edges in %d components, want %d in %d", s.Data, g.NumEdges(), count, s.Graph.Edges, s.Graph.Components)
		}
		mltest.NearAll(t, s.Data+" degrees", g.Degrees(), s.Graph.Degrees, 0)
		values, _ := g.Spectrum(semi.CombinatorialLaplacian, 6)
		mltest.NearAll(t, s.Data+" eigenvalues", values, s.Graph.Combinatorial, 1e-9)
		values, _ = g.Spectrum(semi.NormalizedLaplacian, 6)
		mltest.NearAll(t, s.Data+" normalized eigenvalues", values, s.Graph.Normalized, 1e-9)
		mltest.Near(t, s.Data+" quadratic form", g.Quadratic(mat.Col(nil, 0, x)), s.Graph.Quadratic, 1e-10)
		classes, index := model.Classes(s.Y[:s.Labeled])
		labels := append(index, slices.Repeat([]int{semi.Unlabeled}, len(s.Y)-s.Labeled)...)
		f := semi.HarmonicLabels(g, labels)
		if _, k := f.Dims(); k != len(classes) {
			t.Fatalf("%d classes", k)
		}
		mltest.NearAll(t, s.Data+" harmonic", numbers(f), flat(s.Graph.Harmonic), 1e-8)
	}
}

func TestSelfTrainingOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x, n := dense(s.X), s.Labeled
		rows, cols := x.Dims()
		for _, o := range s.SelfTraining {
			m := &semi.SelfTraining{Threshold: 0.9, MaxIter: 4}
			if o.Kind == "best" {
				m = &semi.SelfTraining{Best: 12, MaxIter: 5, New: func() model.ProbClassifier { return &prob.GaussianNB{VarSmoothing: 4} }}
			}
			if err := m.FitUnlabeled(x.Slice(0, n, 0, cols), s.Y[:n], x.Slice(n, rows, 0, cols)); err != nil {
				t.Fatal(err)
			}
			for i, r := range o.Round {
				if want := max(r, 0); m.Round[i] != want || r > 0 && m.Labels[i] != o.Labels[i] {
					t.Errorf("%s %s: row %d has label %d of round %d, want %d of %d", s.Data, o.Kind, i, m.Labels[i], m.Round[i], o.Labels[i], r)
					break
				}
			}
			mltest.NearAll(t, s.Data+" probabilities", numbers(m.PredictProba(x.Slice(0, 9, 0, cols))), flat(o.Proba), 1e-8)
		}
	}
}

func TestSemiNaiveBayesOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		for _, o := range []struct {
			x     [][]float64
			words bool
			want  bayesOracle
		}{{s.Bits, false, s.Bayes}, {s.Counts, true, s.Words}} {
			x, n := dense(o.x), s.Labeled
			rows, cols := x.Dims()
			m := &semi.SemiNaiveBayes{Counts: o.words, Alpha: o.want.Alpha, Weight: o.want.Weight, MaxIter: o.want.Iterations, Tol: model.Zero}
			if err := m.FitUnlabeled(x.Slice(0, n, 0, cols), s.Y[:n], x.Slice(n, rows, 0, cols)); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Data+" prior", m.Prior, o.want.Prior, 1e-10)
			mltest.NearAll(t, s.Data+" theta", numbers(m.Theta), flat(o.want.Theta), 1e-10)
			mltest.NearAll(t, s.Data+" q", numbers(m.Unlabeled), flat(o.want.Q), 1e-10)
		}
	}
}
