package cluster_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// oracle holds what testdata/oracles/cluster.py computed with scikit-learn, SciPy and
// kmedoids.
type oracle struct {
	Sets []struct {
		Data   string
		X      [][]float64
		Y      []int
		KMeans []struct {
			Start, Labels, Predict []int
			Centers, Distances     [][]float64
			Inertia                float64
			Steps                  int
		}
		MiniBatch struct {
			Start         []int
			Size, Batches int
			Centers       [][]float64
		}
		Medoids []struct {
			Metric                         string
			K                              int
			Start, PAMMedoids, FastMedoids []int
			PAM, Fast                      float64
		}
		Modes struct {
			X, Centers    [][]float64
			Start, Labels []int
			Loss          float64
		}
		Linkage []struct {
			Method                          string
			Merges                          [][]float64
			Correlation, Cophenetic, Height float64
			Cut, AtHeight                   []int
		}
		Manhattan []float64
		DBSCAN    []struct {
			Eps          float64
			Least        int
			Labels, Core []int
		}
		HDBSCAN []struct {
			Size, Least int
			Single      bool
			Labels      []int
			Strengths   []float64
		}
		MeanShift struct {
			Bandwidth, Narrow    float64
			Labels, NarrowLabels []int
			Centers              [][]float64
		}
		Spectral []struct {
			Affinity string
			Values   []float64
			Labels   []int
		}
	}
	Documents []struct {
		Data         string
		Texts, Words []string
		Weights      [][]float64
		Mean         []float64
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "cluster", &o)
	if len(o.Sets) < 5 || len(o.Documents) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// sameGroups fails unless the labels are equal up to renaming; -1 must stay -1.
func sameGroups(t *testing.T, what string, got, want []int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d labels, want %d", what, len(got), len(want))
	}
	to, back := map[int]int{-1: -1}, map[int]int{-1: -1}
	for i, g := range got {
		w, ok := to[g]
		b, okBack := back[want[i]]
		if !ok && !okBack {
			to[g], back[want[i]] = want[i], g
			continue
		}
		if !ok || !okBack || w != want[i] || b != g {
			t.Errorf("%s: row %d has label %d, want one like %d:\n%v\n%v", what, i, g, want[i], got, want)
			return
		}
	}
}

func flat(rows [][]float64) []float64 { return slices.Concat(rows...) }

func TestKMeansOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		for _, c := range s.KMeans {
			m := cluster.KMeans{InitCenters: pick.Rows(x, c.Start), Tol: model.Zero}
			if err := m.Fit(x); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Labels, c.Labels) {
				t.Errorf("%s: labels %v, want %v", s.Data, m.Labels, c.Labels)
			}
			mltest.NearAll(t, s.Data+" centers", m.Centers.RawMatrix().Data, flat(c.Centers), 1e-9)
			mltest.Near(t, s.Data+" inertia", m.Inertia, c.Inertia, 1e-9)
			far := pick.Rows(x, thirds(len(s.X)))
			far.Scale(1.1, far)
			if got := m.Predict(far); !slices.Equal(got, c.Predict) {
				t.Errorf("%s: predictions %v, want %v", s.Data, got, c.Predict)
			}
			mltest.NearAll(t, s.Data+" distances", m.Transform(x.Slice(0, 5, 0, len(s.X[0]))).RawMatrix().Data, flat(c.Distances), 1e-9)
			if m.Steps[0] != c.Steps {
				t.Errorf("%s: %d steps, want %d", s.Data, m.Steps[0], c.Steps)
			}
		}
	}
}

func thirds(n int) (rows []int) {
	for i := 0; i < n; i += 3 {
		rows = append(rows, i)
	}
	return rows
}

func TestMiniBatchKMeansOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		m := cluster.MiniBatchKMeans{InitCenters: pick.Rows(x, s.MiniBatch.Start)}
		for b := range s.MiniBatch.Batches {
			if err := m.PartialFit(x.Slice(b*s.MiniBatch.Size, (b+1)*s.MiniBatch.Size, 0, len(s.X[0]))); err != nil {
				t.Fatal(err)
			}
		}
		mltest.NearAll(t, s.Data, m.Centers.RawMatrix().Data, flat(s.MiniBatch.Centers), 1e-9)
	}
}

func TestKMedoidsOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		for _, c := range s.Medoids {
			metric := neighbors.Euclidean
			if c.Metric == "cityblock" {
				metric = neighbors.Manhattan
			}
			for _, m := range []*cluster.KMedoids{
				{K: c.K, Method: cluster.PAM, Metric: metric},
				{InitMedoids: c.Start, Metric: metric},
			} {
				if err := m.Fit(x); err != nil {
					t.Fatal(err)
				}
				want, medoids := c.PAM, c.PAMMedoids
				if m.InitMedoids != nil {
					want, medoids = c.Fast, c.FastMedoids
				}
				slices.Sort(m.Medoids)
				mltest.Near(t, s.Data+" "+m.Method.String()+" loss", m.Inertia, want, 1e-9)
				if !slices.Equal(m.Medoids, medoids) {
					t.Errorf("%s, %v, K = %d: medoids %v, want %v", s.Data, m.Method, c.K, m.Medoids, medoids)
				}
			}
		}
	}
}

func TestKModesOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.Modes.X)
		m := cluster.KModes{InitCenters: pick.Rows(x, s.Modes.Start)}
		if err := m.Fit(x); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Labels, s.Modes.Labels) || m.Inertia != s.Modes.Loss {
			t.Errorf("%s: J = %v and labels %v, want %v and %v", s.Data, m.Inertia, m.Labels, s.Modes.Loss, s.Modes.Labels)
		}
		mltest.NearAll(t, s.Data, m.Centers.RawMatrix().Data, flat(s.Modes.Centers), 0)
	}
}

func TestAgglomerativeOracle(t *testing.T) {
	linkages := map[string]cluster.Linkage{"single": cluster.SingleLinkage, "complete": cluster.CompleteLinkage,
		"average": cluster.AverageLinkage, "ward": cluster.WardLinkage}
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		distances := cluster.PairDistances(x)
		for _, c := range s.Linkage {
			m := cluster.Agglomerative{K: 4, Linkage: linkages[c.Method]}
			labels, err := m.FitPredict(x)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Data+" "+c.Method, flat(m.Tree.Merges), flat(c.Merges), 1e-9)
			sameGroups(t, s.Data+" "+c.Method, labels, c.Cut)
			sameGroups(t, s.Data+" at a height", m.Tree.CutHeight(c.Height), c.AtHeight)
			mltest.Near(t, "correlation", m.Tree.CopheneticCorrelation(distances), c.Correlation, 1e-9)
			sum := 0.0
			for _, v := range m.Tree.Cophenetic() {
				sum += v
			}
			mltest.Near(t, "cophenetic distances", sum, c.Cophenetic, 1e-9)
		}
		m := cluster.Agglomerative{Linkage: cluster.AverageLinkage, Metric: neighbors.Manhattan}
		if _, err := m.FitPredict(x); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Data+" Manhattan", m.Tree.Heights(), s.Manhattan, 1e-9)
	}
}

func TestDBSCANOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		for _, c := range s.DBSCAN {
			m := cluster.DBSCAN{Eps: c.Eps, MinPoints: c.Least}
			labels, err := m.FitPredict(x)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(labels, c.Labels) {
				t.Errorf("%s, Eps %v: labels %v, want %v", s.Data, c.Eps, labels, c.Labels)
			}
			var core []int
			for i, is := range m.Core {
				if is {
					core = append(core, i)
				}
			}
			if !slices.Equal(core, c.Core) {
				t.Errorf("%s, Eps %v: core rows %v, want %v", s.Data, c.Eps, core, c.Core)
			}
		}
	}
}

func TestHDBSCANOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		for _, c := range s.HDBSCAN {
			m := cluster.HDBSCAN{MinCluster: c.Size, MinPoints: c.Least, AllowSingle: c.Single}
			labels, err := m.FitPredict(x)
			if err != nil {
				t.Fatal(err)
			}
			sameGroups(t, s.Data, labels, c.Labels)
			mltest.NearAll(t, s.Data+" strengths", m.Strengths, c.Strengths, 1e-9)
		}
	}
}

func TestMeanShiftOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		var m cluster.MeanShift
		labels, err := m.FitPredict(x)
		if err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, s.Data+" bandwidth", m.Window, s.MeanShift.Bandwidth, 1e-9)
		sameGroups(t, s.Data, labels, s.MeanShift.Labels)
		mltest.NearAll(t, s.Data+" peaks", m.Centers.RawMatrix().Data, flat(s.MeanShift.Centers), 1e-9)
		m = cluster.MeanShift{Bandwidth: s.MeanShift.Narrow}
		if labels, err = m.FitPredict(x); err != nil {
			t.Fatal(err)
		}
		sameGroups(t, s.Data+", narrow", labels, s.MeanShift.NarrowLabels)
	}
}

func TestSpectralClusteringOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		x := data.Rows(s.X)
		for _, c := range s.Spectral {
			m := cluster.SpectralClustering{K: 3, Gamma: 0.3, Starts: 20}
			if c.Affinity == "neighbors" {
				m.Affinity = cluster.NeighborAffinity
			}
			labels, err := m.FitPredict(x)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range c.Values {
				if math.Abs(m.Eigenvalues[i]-v) > 1e-9 {
					t.Errorf("%s, %s: eigenvalues %v, want %v", s.Data, c.Affinity, m.Eigenvalues, c.Values)
					break
				}
			}
			sameGroups(t, s.Data+" "+c.Affinity, labels, c.Labels)
		}
	}
}

func TestDocumentsOracle(t *testing.T) {
	for _, s := range readOracle(t).Documents {
		v := prep.Vocabulary{}
		if err := v.Learn(s.Texts); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(v.Words, s.Words) {
			t.Fatalf("%s: words %s", s.Data, strings.Join(v.Words, " "))
		}
		w := prep.TFIDF(v.Count(s.Texts))
		for i, row := range s.Weights {
			for j, want := range row {
				mltest.Near(t, s.Data+" "+s.Words[j], w.At(i, j), want, 1e-12)
			}
		}
		m := cluster.Documents{K: 1, Vocabulary: &prep.Vocabulary{}}
		if err := m.Learn(s.Texts); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Data+" mean", m.Model.Centers.RawRowView(0), s.Mean, 1e-12)
	}
}
