package neighbors_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// oracle holds what testdata/oracles/neighbors.py computed with scikit-learn and
// NumPy.
type oracle struct {
	Classifiers []struct {
		Data, Metric, Weights string
		K                     int
		P                     float64
		Predict, Clear        []int
		DistanceSum           float64 `json:"distance_sum"`
		Proba0                []float64
	}
	Regressors []struct {
		Data string
		X    [][]float64
		Y    []float64
		KNN  []struct {
			K       int
			Metric  string
			P       float64
			Weights string
			Pred    []float64
		}
		Local []struct {
			K    int
			H    float64
			Pred []float64
		}
		Tree struct {
			Rows, ManhattanRows [][]int
			Distances           [][]float64
		}
	}
	Subsets []struct {
		Data                                  string
		X                                     [][]float64
		Y                                     []int
		Edited, Condensed, CondensedManhattan []int
		Centroids                             [][]float64
		Pred                                  []int
		Inertia                               float64
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "neighbors", &o)
	if len(o.Classifiers) < 5 || len(o.Regressors) < 5 || len(o.Subsets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

func TestKNNOracle(t *testing.T) {
	compared := 0
	for _, c := range readOracle(t).Classifiers {
		x, y := classification(c.Data)
		n, cols := x.Dims()
		train, test := mat.NewDense((n+1)/2, cols, nil), mat.NewDense(len(c.Predict), cols, nil)
		var ty []int
		for i := 0; i < n; i += 2 {
			train.SetRow(i/2, x.RawRowView(i))
			ty = append(ty, y[i])
		}
		for i := range c.Predict {
			test.SetRow(i, x.RawRowView(2*i+1))
		}
		m := &neighbors.KNN{K: c.K, P: c.P}
		m.Metric = map[string]neighbors.Metric{"euclidean": neighbors.Euclidean, "manhattan": neighbors.Manhattan,
			"chebyshev": neighbors.Chebyshev, "minkowski": neighbors.Minkowski}[c.Metric]
		if c.Weights == "distance" {
			m.Weights = neighbors.InverseDistance
		}
		if err := m.Fit(train, ty); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s k=%d %s %s", c.Data, c.K, c.Metric, c.Weights)
		_, dist := m.Neighbors(test)
		sum := 0.0
		for _, d := range dist {
			for _, v := range d {
				sum += v
			}
		}
		// scikit-learn computes Euclidean distances by a matrix product, which rounds.
		mltest.Near(t, name+": sum of the distances", sum, c.DistanceSum, 1e-7*c.DistanceSum)
		p := m.PredictProba(test)
		for i, y := range m.Predict(test) {
			if c.Clear[i] == 0 {
				continue // several rows are k-th nearest; which one votes is arbitrary
			}
			compared++
			if y != c.Predict[i] {
				t.Errorf("%s row %d: got class %d, want %d", name, i, y, c.Predict[i])
			}
			mltest.Near(t, fmt.Sprint(name, " row ", i, ": P(first class)"), p.At(i, 0), c.Proba0[i], 1e-6)
		}
	}
	if compared < 5000 {
		t.Errorf("only %d predictions were compared", compared)
	}
}

func classification(name string) (*mat.Dense, []int) {
	d := map[string]func() *data.Dataset{"Iris": data.Iris, "Wine": data.Wine, "BreastCancer": data.BreastCancer,
		"Digits": data.Digits, "Diabetes": data.Diabetes}[name]()
	for _, v := range d.Target {
		y := 0
		if v > 140 {
			y = 1
		}
		d.Y = append(d.Y, y)
	}
	return d.X.Dense, d.Y
}

var metrics = map[string]neighbors.Metric{"euclidean": neighbors.Euclidean, "manhattan": neighbors.Manhattan,
	"chebyshev": neighbors.Chebyshev, "minkowski": neighbors.Minkowski}

// halves returns the even rows and targets for fitting, and the odd rows for prediction.
func halves(x [][]float64, y []float64) (train *mat.Dense, targets []float64, queries *mat.Dense) {
	var even, odd [][]float64
	for i, r := range x {
		if i%2 == 0 {
			even, targets = append(even, r), append(targets, y[i])
		} else {
			odd = append(odd, r)
		}
	}
	return data.Rows(even), targets, data.Rows(odd)
}

func TestKNNRegressorOracle(t *testing.T) {
	for _, o := range readOracle(t).Regressors {
		train, targets, queries := halves(o.X, o.Y)
		for _, c := range o.KNN {
			for _, search := range []neighbors.NeighborSearch{neighbors.BruteForce, neighbors.KDTreeSearch} {
				m := &neighbors.KNNRegressor{K: c.K, Metric: metrics[c.Metric], P: c.P, Search: search,
					Weights: map[string]neighbors.Weighting{"distance": neighbors.InverseDistance, "square": neighbors.InverseSquare}[c.Weights]}
				if err := m.Fit(train, targets); err != nil {
					t.Fatal(err)
				}
				// A product of matrices finds their Euclidean distances to about 1e-8.
				mltest.NearAll(t, fmt.Sprintf("%s k=%d %s %s", o.Data, c.K, c.Metric, c.Weights), m.Predict(queries), c.Pred, 1e-6)
			}
		}
	}
}

func TestLocallyWeightedOracle(t *testing.T) {
	for _, o := range readOracle(t).Regressors {
		train, targets, queries := halves(o.X, o.Y)
		for _, c := range o.Local {
			m := &neighbors.LocallyWeighted{K: c.K, Bandwidth: c.H}
			if err := m.Fit(train, targets); err != nil {
				t.Fatal(err)
			}
			// The tolerance allows for local fits that are badly conditioned.
			mltest.NearAll(t, fmt.Sprintf("%s k=%d h=%v", o.Data, c.K, c.H), m.Predict(queries), c.Pred, 1e-6)
		}
	}
}

func TestKDTreeOracle(t *testing.T) {
	for _, o := range readOracle(t).Regressors {
		train, _, queries := halves(o.X, o.Y)
		for _, c := range []struct {
			metric neighbors.Metric
			rows   [][]int
		}{{neighbors.Euclidean, o.Tree.Rows}, {neighbors.Manhattan, o.Tree.ManhattanRows}} {
			tree := neighbors.NewKDTree(train, c.metric, 0)
			for i, want := range c.rows {
				rows, distances, _ := tree.Nearest(queries.RawRowView(i), len(want))
				if !slices.Equal(rows, want) {
					t.Errorf("%s %v: rows %v, want %v", o.Data, c.metric, rows, want)
				}
				if c.metric == neighbors.Euclidean {
					mltest.NearAll(t, o.Data+" distances", distances, o.Tree.Distances[i], 1e-10)
				}
			}
		}
	}
}

func TestSubsetsOracle(t *testing.T) {
	for _, o := range readOracle(t).Subsets {
		x := data.Rows(o.X)
		for _, c := range []struct {
			name   string
			subset func(x mat.Matrix, y []int, metric neighbors.Metric, seed uint64) ([]int, error)
			metric neighbors.Metric
			want   []int
		}{
			{"edited", neighbors.EditNeighbors, neighbors.Euclidean, o.Edited},
			{"condensed", neighbors.CondenseNeighbors, neighbors.Euclidean, o.Condensed},
			{"condensed, Manhattan", neighbors.CondenseNeighbors, neighbors.Manhattan, o.CondensedManhattan},
		} {
			if got, err := c.subset(x, o.Y, c.metric, 4); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s %s: rows %v, %v, want %v", o.Data, c.name, got, err, c.want)
			}
		}
	}
}

// With one prototype per class, the prototype is the class mean. More prototypes come from K-means,
// which ends in a local minimum; the best of 80 starts must be as good as scikit-learn's best.
func TestPrototypesOracle(t *testing.T) {
	for _, o := range readOracle(t).Subsets {
		x := data.Rows(o.X)
		one := &neighbors.PrototypeClassifier{K: 1}
		if err := one.Fit(x, o.Y); err != nil {
			t.Fatal(err)
		}
		for c, want := range o.Centroids {
			mltest.NearAll(t, o.Data+" centroid", one.Prototypes.RawRowView(c), want, 1e-10)
		}
		if got := one.Predict(x); !slices.Equal(got, o.Pred) {
			t.Errorf("%s: classes of the nearest centroids %v, want %v", o.Data, got, o.Pred)
		}
		// Each class has its own random draws, so the best start is chosen per class.
		best := map[int]float64{}
		for seed := range uint64(80) {
			m := &neighbors.PrototypeClassifier{K: 3, Seed: seed}
			if err := m.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			inertia := map[int]float64{}
			for i, class := range o.Y {
				least := math.Inf(1)
				for k, label := range m.Labels {
					if label == class {
						least = min(least, neighbors.EuclideanDistance(o.X[i], m.Prototypes.RawRowView(k)))
					}
				}
				inertia[class] += least * least
			}
			for class, v := range inertia {
				if b, ok := best[class]; !ok || v < b {
					best[class] = v
				}
			}
		}
		sum := 0.0
		for _, v := range best {
			sum += v
		}
		mltest.Near(t, o.Data+" sum of squares of three prototypes a class", sum, o.Inertia, 1e-3*o.Inertia)
	}
}
