package neighbors_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

func TestConformance(t *testing.T) {
	t.Run("k-d tree", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &neighbors.KNN{} }, modeltest.Options{})
	})
	t.Run("brute force", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &neighbors.KNN{K: 3, Search: neighbors.BruteForce, Weights: neighbors.InverseDistance}
		}, modeltest.Options{})
	})
	t.Run("cosine", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &neighbors.KNN{Metric: neighbors.CosineMetric} },
			modeltest.Options{Skip: map[string]string{"one column": "in one column all angles are 0 or π"}})
	})
}

func TestNEAR01_KNN(t *testing.T) {
	d := data.Iris()
	m := &neighbors.KNN{K: 1}
	if err := m.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	// Iris has no two equal flowers of different species, so there is no training error.
	if diff := cmp.Diff(d.Y, m.Predict(d.X)); diff != "" {
		t.Errorf("training error of 1-NN (-want +got):\n%s", diff)
	}
	// With K = n, the prediction is the majority class, 2 of 3.
	x := data.Rows([][]float64{{0}, {1}, {5}})
	all := &neighbors.KNN{K: 3}
	if err := all.Fit(x, []int{4, 4, 9}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{4, 4, 4}, all.Predict(x)); diff != "" {
		t.Errorf("n-NN (-want +got):\n%s", diff)
	}
}

func TestNEAR03_Weights(t *testing.T) {
	x := data.Rows([][]float64{{0}, {3}, {4}})
	y := []int{0, 1, 1}
	for _, tt := range []struct {
		w    neighbors.Weighting
		at   float64
		want []float64 // P(0), P(1)
	}{
		// At 1 the distances are 1, 2, 3.
		{neighbors.UniformWeights, 1, []float64{1.0 / 3, 2.0 / 3}},
		{neighbors.InverseDistance, 1, []float64{1 / (1 + 1.0/2 + 1.0/3), (1.0/2 + 1.0/3) / (1 + 1.0/2 + 1.0/3)}},
		{neighbors.InverseSquare, 1, []float64{1 / (1 + 1.0/4 + 1.0/9), (1.0/4 + 1.0/9) / (1 + 1.0/4 + 1.0/9)}},
		{neighbors.InverseSquare, 0, []float64{1, 0}}, // an exact hit dominates
		{neighbors.InverseDistance, 3, []float64{0, 1}},
	} {
		m := &neighbors.KNN{K: 3, Weights: tt.w}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		p := m.PredictProba(data.Rows([][]float64{{tt.at}}))
		mltest.Near(t, fmt.Sprintf("weighting %d at %v, P(0)", tt.w, tt.at), p.At(0, 0), tt.want[0], 1e-12)
		mltest.Near(t, fmt.Sprintf("weighting %d at %v, P(1)", tt.w, tt.at), p.At(0, 1), tt.want[1], 1e-12)
	}
}

// E3-06: the Manhattan distance sums absolute differences.
func TestNEAR04_05_06_07_21_Distances(t *testing.T) {
	a, b := []float64{0, 0}, []float64{3, 4}
	mltest.Near(t, "NEAR-04 Euclidean", neighbors.EuclideanDistance(a, b), 5, 0)
	mltest.Near(t, "NEAR-06 Manhattan", neighbors.ManhattanDistance(a, b), 7, 0)
	mltest.Near(t, "NEAR-05 Hamming", neighbors.HammingDistance([]float64{1, 1, 0, 0}, []float64{1, 1, 0, 1}), 1, 0)
	mltest.Near(t, "NEAR-07 l1", neighbors.MinkowskiDistance(a, b, 1), 7, 1e-12)
	mltest.Near(t, "NEAR-07 l2", neighbors.MinkowskiDistance(a, b, 2), 5, 1e-12)
	mltest.Near(t, "NEAR-07 l∞", neighbors.MinkowskiDistance(a, b, math.Inf(1)), 4, 0)
	mltest.Near(t, "NEAR-21 cosine", neighbors.CosineSimilarity([]float64{1, 0}, []float64{1, 1}), 0.7071, 5e-5)
}

func TestNEAR11_Scale(t *testing.T) {
	// The class is in the first column; the second is noise on a large scale.
	rng := model.Rand(1, 0)
	n := 200
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		x.SetRow(i, []float64{float64(y[i]) + 0.2*rng.NormFloat64(), 1000 * rng.NormFloat64()})
	}
	accuracy := func(x mat.Matrix) float64 {
		m := &neighbors.KNN{K: 5}
		tr, te := mat.NewDense(n/2, 2, nil), mat.NewDense(n/2, 2, nil)
		for i := range n / 2 {
			for j := range 2 {
				tr.Set(i, j, x.At(i, j))
				te.Set(i, j, x.At(n/2+i, j))
			}
		}
		if err := m.Fit(tr, y[:n/2]); err != nil {
			t.Fatal(err)
		}
		right := 0.0
		for i, c := range m.Predict(te) {
			if c == y[n/2+i] {
				right++
			}
		}
		return right / float64(n/2)
	}
	raw := accuracy(x)
	shifted := mat.DenseCopyOf(x)
	shifted.Apply(func(_, j int, v float64) float64 { return v + 1024 }, shifted)
	scaled := mat.DenseCopyOf(x)
	scaled.Apply(func(_, j int, v float64) float64 { return v / []float64{1, 1000}[j] }, scaled)
	mltest.Near(t, "accuracy after centering", accuracy(shifted), raw, 0)
	if s := accuracy(scaled); s < 0.95 || raw > 0.75 {
		t.Errorf("accuracy %v before and %v after scaling; want about chance and about 1", raw, s)
	}
}

func TestNEAR12_Confidence(t *testing.T) {
	m := &neighbors.KNN{K: 6}
	if err := m.Fit(data.Rows([][]float64{{1}, {2}, {3}, {-1}, {-2}, {-3}, {50}}), []int{1, 1, 1, 0, 0, 0, 1}); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "3 of 6", m.PredictProba(data.Rows([][]float64{{0}})).At(0, 1), 0.5, 0)
}

func TestNEAR15_KDTree(t *testing.T) {
	x := data.Rows([][]float64{{2, 3}, {5, 4}, {9, 6}, {4, 7}, {8, 1}, {7, 2}})
	tr := neighbors.NewKDTree(x, neighbors.Euclidean, 0)
	root := tr.Nodes[0]
	if root.Row != 5 || root.Column != 0 || root.Value != 7 {
		t.Errorf("root: got %+v, want row 5 = (7, 2), divided by column 0", root)
	}
	var check func(at int) []int
	check = func(at int) []int {
		if at < 0 {
			return nil
		}
		n := tr.Nodes[at]
		left, right := check(n.Left), check(n.Right)
		for _, r := range left {
			if x.At(r, n.Column) > n.Value {
				t.Errorf("row %d is left of %v", r, n)
			}
		}
		for _, r := range right {
			if x.At(r, n.Column) < n.Value {
				t.Errorf("row %d is right of %v", r, n)
			}
		}
		return append(append(left, n.Row), right...)
	}
	rows := check(0)
	slices.Sort(rows)
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5}, rows); diff != "" {
		t.Errorf("rows in the tree (-want +got):\n%s", diff)
	}
}

// A* and the depth-first search of KNN find what brute force finds, with ties
// and in every metric, and A* visits fewer nodes.
func TestNEAR16_Search(t *testing.T) {
	rng := model.Rand(2, 0)
	for _, cols := range []int{1, 2, 5, 12} {
		n := 400
		x, y := mat.NewDense(n, cols, nil), make([]int, n)
		q := mat.NewDense(60, cols, nil)
		for i := range n {
			y[i] = i % 3
			for j := range cols {
				x.Set(i, j, float64(rng.IntN(40))) // many ties
			}
		}
		for i := range 60 {
			for j := range cols {
				q.Set(i, j, float64(rng.IntN(40))+0.25*float64(rng.IntN(2)))
			}
		}
		for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Chebyshev, neighbors.Minkowski, neighbors.HammingCount} {
			brute := &neighbors.KNN{K: 7, Metric: metric, P: 3, Search: neighbors.BruteForce}
			deep := &neighbors.KNN{K: 7, Metric: metric, P: 3, Search: neighbors.KDTreeSearch}
			own := &neighbors.KNN{K: 7, Distance: func(a, b []float64) float64 {
				switch metric {
				case neighbors.Manhattan:
					return neighbors.ManhattanDistance(a, b)
				case neighbors.Chebyshev:
					return neighbors.ChebyshevDistance(a, b)
				case neighbors.Minkowski:
					return neighbors.MinkowskiDistance(a, b, 3)
				case neighbors.HammingCount:
					return neighbors.HammingDistance(a, b)
				}
				return neighbors.EuclideanDistance(a, b)
			}}
			for _, m := range []*neighbors.KNN{brute, deep, own} {
				if err := m.Fit(x, y); err != nil {
					t.Fatal(err)
				}
			}
			wantRows, wantDist := brute.Neighbors(q)
			for name, m := range map[string]*neighbors.KNN{"k-d tree": deep, "own distance": own} {
				rows, dist := m.Neighbors(q)
				for i := range dist {
					for a := range dist[i] {
						if math.Abs(dist[i][a]-wantDist[i][a]) > 1e-9 {
							t.Fatalf("%v, %d columns, %s, query %d: distances %v, want %v", metric, cols, name, i, dist[i], wantDist[i])
						}
					}
				}
				if name == "k-d tree" {
					if diff := cmp.Diff(wantRows, rows); diff != "" {
						t.Fatalf("%v, %d columns: rows (-brute +tree):\n%s", metric, cols, diff)
					}
				}
			}
			tree := neighbors.NewKDTree(x, metric, 3)
			total := 0
			for i := range 60 {
				_, dist, visited := tree.Nearest(q.RawRowView(i), 7)
				total += visited
				for a := range dist {
					if math.Abs(dist[a]-wantDist[i][a]) > 1e-9 {
						t.Fatalf("%v, %d columns, A*, query %d: distances %v, want %v", metric, cols, i, dist, wantDist[i])
					}
				}
			}
			if mean := float64(total) / 60; cols <= 2 && metric != neighbors.HammingCount && mean > float64(n)/4 {
				t.Errorf("%v, %d columns: A* visits %.0f of %d nodes", metric, cols, mean, n)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	x, y := data.Rows([][]float64{{0}, {1}}), []int{0, 1}
	for _, tt := range []struct {
		m    *neighbors.KNN
		want string
	}{
		{&neighbors.KNN{}, "KNN.Fit: K must be between 1 and 2 (the number of rows), got 5"},
		{&neighbors.KNN{K: -1}, "KNN.Fit: K must be between 1 and 2 (the number of rows), got -1"},
		{&neighbors.KNN{K: 1, Metric: 9}, "KNN.Fit: Metric must be one of the constants of ml.Metric, got 9"},
		{&neighbors.KNN{K: 1, Metric: neighbors.Minkowski, P: 0.5}, "KNN.Fit: P must be finite and at least 1, got 0.5; set Metric to Chebyshev for P = ∞"},
		{&neighbors.KNN{K: 1, Metric: neighbors.CosineMetric, Search: neighbors.KDTreeSearch}, "KNN.Fit: Search must not be KDTree for this distance; set Search to BruteForce"},
		{&neighbors.KNN{K: 1, Weights: 5}, "KNN.Fit: Weights must be one of the constants of ml.Weighting, got 5"},
		{&neighbors.KNN{K: 1, Search: 5}, "KNN.Fit: Search must be one of the constants of ml.NeighborSearch, got 5"},
	} {
		err := tt.m.Fit(x, y)
		var e *model.Error
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

func ExampleKNN() {
	train, test := data.Iris().Split(0.3, 1)
	m := &neighbors.KNN{K: 5}
	if err := m.Fit(train.X, train.Y); err != nil {
		fmt.Println(err)
		return
	}
	right := 0
	for i, c := range m.Predict(test.X) {
		if c == test.Y[i] {
			right++
		}
	}
	fmt.Printf("%d of %d\n", right, test.Len())
	// Output: 44 of 45
}

func ExampleKDTree_Nearest() {
	x := data.Rows([][]float64{{2, 3}, {5, 4}, {9, 6}, {4, 7}, {8, 1}, {7, 2}})
	rows, distances, visited := neighbors.NewKDTree(x, neighbors.Euclidean, 0).Nearest([]float64{9, 2}, 1)
	fmt.Printf("rows %v at %.3f, %d nodes visited\n", rows, distances, visited)
	// Output: rows [4] at [1.414], 3 nodes visited
}

func BenchmarkKNN(b *testing.B) {
	rng := model.Rand(1, 0)
	draw := func(n, cols int) *mat.Dense {
		x := mat.NewDense(n, cols, nil)
		for i := range n {
			for j := range cols {
				x.Set(i, j, rng.NormFloat64())
			}
		}
		return x
	}
	for _, tt := range []struct {
		name                string
		rows, queries, cols int
	}{{"20 columns", 20000, 5000, 20}, {"3 columns", 20000, 50000, 3}} {
		b.Run(tt.name, func(b *testing.B) {
			x, q := draw(tt.rows, tt.cols), draw(tt.queries, tt.cols)
			y := make([]int, tt.rows)
			for i := range y {
				if x.At(i, 0) > 0 {
					y[i] = 1
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				m := &neighbors.KNN{K: 5}
				if err := m.Fit(x, y); err != nil {
					b.Fatal(err)
				}
				m.Predict(q)
			}
		})
	}
}

// Values whose squares overflow or underflow would make all distances equal, and the first rows
// nearest to everything.
func TestValuesWithoutSquares(t *testing.T) {
	d := data.Iris()
	for _, unit := range []float64{1e160, 1e-170} {
		var x mat.Dense
		x.Scale(unit, d.X)
		target := make([]float64, d.Len())
		for name, err := range map[string]error{
			"KNN by tree":         (&neighbors.KNN{}).Fit(&x, d.Y),
			"KNN by brute force":  (&neighbors.KNN{Search: neighbors.BruteForce}).Fit(&x, d.Y),
			"KNN by cosine":       (&neighbors.KNN{Metric: neighbors.CosineMetric}).Fit(&x, d.Y),
			"KNNRegressor":        (&neighbors.KNNRegressor{}).Fit(&x, target),
			"LocallyWeighted":     (&neighbors.LocallyWeighted{}).Fit(&x, target),
			"PrototypeClassifier": (&neighbors.PrototypeClassifier{}).Fit(&x, d.Y),
		} {
			if err == nil || !strings.Contains(err.Error(), "scale the columns first") {
				t.Errorf("%s in units of %v: got %v", name, unit, err)
			}
		}
		// Sums of absolute values are not a problem.
		m := &neighbors.KNN{K: 1, Metric: neighbors.Manhattan}
		if err := m.Fit(&x, d.Y); err != nil {
			t.Fatal(err)
		}
		plain := &neighbors.KNN{K: 1, Metric: neighbors.Manhattan}
		if err := plain.Fit(d.X, d.Y); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Predict(&x), plain.Predict(d.X)) {
			t.Errorf("Manhattan in units of %v predicts something else", unit)
		}
	}
}

func TestDistanceThatIsNone(t *testing.T) {
	d := data.Iris()
	for _, v := range []float64{math.NaN(), -1} {
		m := &neighbors.KNN{Distance: func(_, _ []float64) float64 { return v }}
		if err := m.Fit(d.X, d.Y); err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("a distance of %v was believed", v)
				}
			}()
			m.Predict(d.X)
		}()
	}
}
