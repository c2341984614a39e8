package neighbors_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

func TestNearConformance(t *testing.T) {
	t.Run("KNNRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &neighbors.KNNRegressor{K: 3} }, modeltest.Options{MinScore: 0.7})
	})
	t.Run("LocallyWeighted", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &neighbors.LocallyWeighted{} }, modeltest.Options{})
	})
	t.Run("LocallyWeighted nearest", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &neighbors.LocallyWeighted{K: 20, Bandwidth: 1} }, modeltest.Options{})
	})
	t.Run("PrototypeClassifier", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &neighbors.PrototypeClassifier{Seed: 1} }, modeltest.Options{
			Skip: map[string]string{"row permutation": "the k-means++ start draws rows by their position"}})
	})
}

func TestNEAR02_Regression(t *testing.T) {
	m := &neighbors.KNNRegressor{K: 2}
	if err := m.Fit(data.Rows([][]float64{{0}, {1}, {10}}), []float64{2, 4, 100}); err != nil {
		t.Fatal(err)
	}
	// The mean of the two nearest targets, not their number (E3-07).
	mltest.Near(t, "mean of 2 and 4", m.Predict(data.Rows([][]float64{{0.4}}))[0], 3, 1e-12)
	m = &neighbors.KNNRegressor{K: 2, Weights: neighbors.InverseDistance}
	if err := m.Fit(data.Rows([][]float64{{0}, {1}, {10}}), []float64{2, 4, 100}); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "weights 1/0.25 and 1/0.75", m.Predict(data.Rows([][]float64{{0.25}}))[0], (2/0.25+4/0.75)/(1/0.25+1/0.75), 1e-12)
}

// E0-02: an odd K avoids ties only between two classes and with untied distances;
// otherwise there is a rule.
func TestNEAR08_ChoiceOfK(t *testing.T) {
	if got := neighbors.RuleOfThumbK(400); got != 10 {
		t.Errorf("√400/2: got %d, want 10", got)
	}
	// Three classes tie at an odd K; the smallest wins.
	tied := &neighbors.KNN{K: 3}
	if err := tied.Fit(data.Rows([][]float64{{1}, {-1}, {2}}), []int{7, 5, 6}); err != nil {
		t.Fatal(err)
	}
	if got := tied.Predict(data.Rows([][]float64{{0.5}})); got[0] != 5 {
		t.Errorf("one vote for each of 5, 6 and 7: got %v, want 5", got)
	}
	// On noisy classes, held-out data select neither 1 neighbor nor all rows.
	d := data.NoisyXOR(100, 0.2, 1)
	best, bestK := -1.0, 0
	for _, k := range []int{1, 5, 9, 15, 25, 51, 199} {
		cv, err := eval.CrossValidate(&neighbors.KNN{K: k}, d, 5)
		if err != nil {
			t.Fatal(err)
		}
		if mean := cv.Mean(); mean > best {
			best, bestK = mean, k
		}
	}
	if bestK == 1 || bestK == 199 {
		t.Errorf("cross-validation chooses K = %d", bestK)
	}
	// scikit-learn 1.9.1, GridSearchCV over KNeighborsClassifier with StratifiedKFold(10)
	// on iris: the mean accuracy for each K, and K = 13 at .98.
	ks := []float64{1, 3, 5, 7, 9, 11, 13, 15, 19, 25, 35, 51, 75, 99}
	want := []float64{.96, .9666666666666666, .9666666666666668, .9666666666666668, .9733333333333334, .9666666666666668, .98,
		.9733333333333334, .9733333333333334, .9666666666666666, .9466666666666667, .94, .88, .66}
	iris := data.Iris()
	byK := func(k float64) model.Classifier { return &neighbors.KNN{K: int(k)} }
	curve, err := eval.ValidationCurve(byK, "K", ks, iris.X, iris.Y, 10)
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "accuracy of each K", curve.TestMean(), want, 1e-12)
	search := &eval.Search{New: func(p eval.Params) model.Classifier { return byK(p["K"]) },
		Points: eval.GridPoints(map[string][]float64{"K": ks}), Split: eval.StratifiedKFold{K: 10}}
	if err := search.Fit(iris.X, iris.Y); err != nil {
		t.Fatal(err)
	}
	if search.Best["K"] != 13 || math.Abs(search.BestScore-.98) > 1e-12 {
		t.Errorf("the search chooses %v with %v", search.Best, search.BestScore)
	}
}

// E0-07: the boundary of two points is the perpendicular bisector of the segment between them.
func TestNEAR09_Boundary(t *testing.T) {
	// Points (0,0) and (2,0): the bisector x = 1.
	w, c := neighbors.Bisector([]float64{0, 0}, []float64{2, 0})
	if diff := cmp.Diff([]float64{2, 0}, w); diff != "" || c != 2 {
		t.Errorf("bisector: %v·x = %v, want x = 1 %s", w, c, diff)
	}
	m := &neighbors.KNN{K: 1}
	if err := m.Fit(data.Rows([][]float64{{0, 0}, {2, 0}}), []int{-1, 1}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{-1, 1}, m.Predict(data.Rows([][]float64{{0.999, 5}, {1.001, -5}}))); diff != "" {
		t.Errorf("sides of x = 1 (-want +got):\n%s", diff)
	}
	// The cells fill the rectangle, and each cell is nearest to its own point.
	rng := model.Rand(3, 0)
	points := make([][]float64, 12)
	for i := range points {
		points[i] = []float64{rng.Float64(), rng.Float64()}
	}
	total := 0.0
	for i := range points {
		cell := neighbors.VoronoiCell(points, i, 0, 0, 1, 1)
		area, mx, my := 0.0, 0.0, 0.0
		for k, p := range cell {
			q := cell[(k+1)%len(cell)]
			area += (p[0]*q[1] - q[0]*p[1]) / 2
			mx, my = mx+p[0]/float64(len(cell)), my+p[1]/float64(len(cell))
		}
		total += area
		for k, p := range points {
			if neighbors.EuclideanDistance(p, []float64{mx, my}) < neighbors.EuclideanDistance(points[i], []float64{mx, my})-1e-12 {
				t.Errorf("the middle of cell %d is nearer to point %d", i, k)
			}
		}
	}
	mltest.Near(t, "area of all cells", total, 1, 1e-12)
}

// E0-06: distances grow like √(D/6) while their relative spread shrinks.
func TestNEAR10_Concentration(t *testing.T) {
	list := neighbors.DistanceConcentration(150, []int{2, 100, 1000}, 1)
	for k, want := range []struct{ mean, sd float64 }{{0.37, 0.172}, {0.408, 0.024}, {0.408, 0.008}} {
		// The catalogue's deviations come from 60 points; the mean for D = 2 is .521/√2.
		mltest.Near(t, fmt.Sprint("mean, D = ", list[k].Dim), list[k].Mean, want.mean, 0.012)
		mltest.Near(t, fmt.Sprint("deviation, D = ", list[k].Dim), list[k].SD, want.sd, 0.1*want.sd)
	}
}

func TestNEAR13_Editing(t *testing.T) {
	d := data.Iris()
	rows, err := neighbors.EditNeighbors(d.X, d.Y, neighbors.Euclidean, 1)
	if err != nil {
		t.Fatal(err)
	}
	consistent(t, d, rows, 30)
}

func TestNEAR14_Condensing(t *testing.T) {
	d := data.Iris()
	rows, err := neighbors.CondenseNeighbors(d.X, d.Y, neighbors.Euclidean, 1)
	if err != nil {
		t.Fatal(err)
	}
	consistent(t, d, rows, 40)
	// Condensing ends even if equal rows have different classes.
	rows, err = neighbors.CondenseNeighbors(data.Rows([][]float64{{1}, {1}, {2}}), []int{0, 1, 0}, neighbors.Euclidean, 1)
	if err != nil || len(rows) == 0 {
		t.Errorf("equal rows of two classes: %v, %v", rows, err)
	}
}

// consistent requires that 1-NN on the rows classifies all of d correctly, with at most most rows.
func consistent(t *testing.T, d *data.Dataset, rows []int, most int) {
	t.Helper()
	if len(rows) > most || !slices.IsSorted(rows) {
		t.Errorf("%d of %d rows are kept, want at most %d in order", len(rows), d.Len(), most)
	}
	sub := d.Subset(rows)
	m := &neighbors.KNN{K: 1}
	if err := m.Fit(sub.X, sub.Y); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.Y, m.Predict(d.X)); diff != "" {
		t.Errorf("the kept rows do not classify all right:\n%s", diff)
	}
}

func TestNEAR17_Prototypes(t *testing.T) {
	d := data.Iris()
	all := &neighbors.PrototypeClassifier{K: d.Len()}
	one := &neighbors.KNN{K: 1}
	for _, m := range []model.Classifier{all, one} {
		if err := m.Fit(d.X, d.Y); err != nil {
			t.Fatal(err)
		}
	}
	rng := model.Rand(4, 0)
	q := mat.NewDense(200, 4, nil)
	for i := range 200 {
		for j := range 4 {
			q.Set(i, j, 8*rng.Float64())
		}
	}
	if diff := cmp.Diff(one.Predict(q), all.Predict(q)); diff != "" {
		t.Errorf("K = n is not 1-NN (-nn +prototypes):\n%s", diff)
	}
	few := &neighbors.PrototypeClassifier{K: 2, Seed: 1}
	if err := few.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	if r, _ := few.Prototypes.Dims(); r != 6 {
		t.Errorf("%d prototypes for 3 classes of 2, want 6", r)
	}
	if a := eval.Accuracy(d.Y, few.Predict(d.X)); a < 0.9 {
		t.Errorf("accuracy with two prototypes a species: %v", a)
	}
}

// leastSquares returns the ordinary least-squares prediction at q.
func leastSquares(x *mat.Dense, y []float64, q []float64) float64 {
	n, cols := x.Dims()
	a := mat.NewDense(n, cols+1, nil)
	for i := range n {
		a.Set(i, 0, 1)
		for j := range cols {
			a.Set(i, j+1, x.At(i, j))
		}
	}
	var coef mat.VecDense
	if err := coef.SolveVec(a, mat.NewVecDense(n, y)); err != nil {
		panic(err)
	}
	v := coef.AtVec(0)
	for j, z := range q {
		v += coef.AtVec(j+1) * z
	}
	return v
}

func TestNEAR18_19_20_LocallyWeighted(t *testing.T) {
	d := data.NoisyPlane(40, []float64{2, -1}, 3, 1, 1)
	q := []float64{0.3, -0.7}
	want := leastSquares(d.X.Dense, d.Target, q)
	for name, m := range map[string]*neighbors.LocallyWeighted{
		"NEAR-18, K = n":                      {K: 40},
		"NEAR-19, infinite bandwidth":         {Bandwidth: math.Inf(1)},
		"NEAR-20, both":                       {K: 40, Bandwidth: math.Inf(1)},
		"a bandwidth that is nearly infinite": {Bandwidth: 1e6},
	} {
		if err := m.Fit(d.X, d.Target); err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, name, m.Predict(data.Rows([][]float64{q}))[0], want, 1e-6)
	}
	// On a curve the local line beats the local mean and the global line.
	c := data.NoisyCurve(200, math.Sin, 0, 6, 0.1, 2)
	grid := mat.NewDense(50, 1, nil)
	truth := make([]float64, 50)
	for i := range 50 {
		v := 6 * float64(i) / 49
		grid.Set(i, 0, v)
		truth[i] = math.Sin(v)
	}
	err := func(m model.Regressor) float64 {
		if err := m.Fit(c.X, c.Target); err != nil {
			t.Fatal(err)
		}
		return eval.MSE(truth, m.Predict(grid))
	}
	global := err(&neighbors.LocallyWeighted{Bandwidth: math.Inf(1)})
	mean := err(&neighbors.KNNRegressor{K: 25})
	for name, m := range map[string]*neighbors.LocallyWeighted{
		"nearest": {K: 25}, "kernel": {Bandwidth: 0.4}, "both": {K: 40, Bandwidth: 0.4},
	} {
		if e := err(m); e > mean || e > global/10 {
			t.Errorf("%s: mean squared error %v, the mean of 25 neighbors has %v, one line %v", name, e, mean, global)
		}
	}
}

// E3-08: noise is outvoted only for K > 1.
func TestNEAR22_Traits(t *testing.T) {
	n, noise := map[bool]int{}, false
	for _, tr := range neighbors.InstanceBasedTraits() {
		n[tr.Strength]++
		if tr.Text == "" {
			t.Error("a trait without text")
		}
	}
	for _, tr := range neighbors.InstanceBasedTraits() {
		noise = noise || tr.Strength && strings.Contains(tr.Text, "K > 1")
	}
	if !noise {
		t.Error("robust to noise without a condition on K")
	}
	if n[true] < 3 || n[false] < 3 {
		t.Errorf("%d strengths and %d limits", n[true], n[false])
	}
}

func ExampleKNNRegressor() {
	m := &neighbors.KNNRegressor{K: 2}
	if err := m.Fit(data.Rows([][]float64{{0}, {1}, {10}}), []float64{2, 4, 100}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(data.Rows([][]float64{{0.4}})))
	// Output: [3]
}

func ExampleLocallyWeighted() {
	m := &neighbors.LocallyWeighted{K: 2}
	if err := m.Fit(data.Rows([][]float64{{0}, {1}, {2}, {3}}), []float64{0, 1, 4, 9}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", m.Predict(data.Rows([][]float64{{0.4}, {2.4}})))
	// Output: [0.40 6.00]
}

func ExamplePrototypeClassifier() {
	d := data.Iris()
	m := &neighbors.PrototypeClassifier{K: 1}
	if err := m.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", mat.Row(nil, 0, m.Prototypes))
	// Output: [5.006 3.428 1.462 0.246]
}

func ExampleCondenseNeighbors() {
	rows, err := neighbors.CondenseNeighbors(data.Rows([][]float64{{0}, {1}, {2}, {10}, {11}}), []int{0, 0, 0, 1, 1}, neighbors.Euclidean, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(rows), "of 5 rows are enough")
	// Output: 2 of 5 rows are enough
}

// The predictions without refitting equal those of models fitted on all rows except one.
func TestEVAL16_LeaveOneOutOfNeighbors(t *testing.T) {
	d := data.Iris()
	wine := data.Wine()
	for _, c := range []struct {
		name string
		m    func() *neighbors.KNN
		d    *data.Dataset
	}{
		{"one neighbor", func() *neighbors.KNN { return &neighbors.KNN{K: 1} }, d}, // with equal rows
		{"five by distance", func() *neighbors.KNN { return &neighbors.KNN{K: 5, Weights: neighbors.InverseDistance} }, d},
		{"brute force", func() *neighbors.KNN { return &neighbors.KNN{K: 3, Search: neighbors.BruteForce} }, wine},
		{"taxicab", func() *neighbors.KNN { return &neighbors.KNN{K: 4, Metric: neighbors.Manhattan} }, wine},
	} {
		want, err := eval.CrossPredict(func() model.Classifier { return c.m() }, c.d.X, c.d.Y, eval.LeaveOneOut{})
		if err != nil {
			t.Fatal(err)
		}
		m := c.m()
		if err := m.Fit(c.d.X, c.d.Y); err != nil {
			t.Fatal(err)
		}
		if got := m.LeaveOneOut(); !slices.Equal(got, want) {
			t.Errorf("%s:\n%v\n%v", c.name, got, want)
		}
	}
	// scikit-learn 1.9.1, cross_val_score(KNeighborsClassifier(1), iris,
	// cv=LeaveOneOut()): 144 of 150.
	one := &neighbors.KNN{K: 1}
	if err := one.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "iris", eval.Accuracy(d.Y, one.LeaveOneOut()), 0.96, 1e-12)

	x, y := mat.NewDense(4, 1, []float64{0, 1, 3, 7}), []float64{1, 2, 3, 4}
	r := &neighbors.KNNRegressor{K: 2}
	if err := r.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "regression", r.LeaveOneOut(), []float64{2.5, 2, 1.5, 2.5}, 1e-12)

	// There are more equal rows than neighbors: the neighbors of each row are the first ones except
	// itself.
	same := &neighbors.KNN{K: 1}
	if err := same.Fit(mat.NewDense(4, 1, nil), []int{7, 8, 9, 9}); err != nil {
		t.Fatal(err)
	}
	if got := same.LeaveOneOut(); !slices.Equal(got, []int{8, 7, 7, 7}) {
		t.Errorf("equal rows: got %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("more neighbors than other rows were accepted")
		}
	}()
	all := &neighbors.KNN{K: 4}
	if err := all.Fit(mat.NewDense(4, 1, nil), []int{7, 8, 9, 9}); err != nil {
		t.Fatal(err)
	}
	all.LeaveOneOut()
}

// With a tiny bandwidth, only the nearest rows count.
func TestTinyBandwidth(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 1, 5})
	for _, h := range []float64{1e-300, math.SmallestNonzeroFloat64, 1e-10} {
		m := &neighbors.LocallyWeighted{Bandwidth: h}
		if err := m.Fit(x, []float64{2, 4, 8, 1}); err != nil {
			t.Fatal(err)
		}
		got := m.Predict(mat.NewDense(4, 1, []float64{0, 1, 0.4, 1e200}))
		mltest.NearAll(t, fmt.Sprint("bandwidth ", h), got[:3], []float64{2, 6, 2}, 1e-9)
		if math.IsNaN(got[3]) {
			t.Errorf("far away: %v", got[3])
		}
	}
}
