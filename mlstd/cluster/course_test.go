package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// nominal draws rows of five letters around three words.
func nominal() (*mat.Dense, []int) {
	rng := model.Rand(3, 0)
	words := [][]float64{{0, 1, 2, 3, 4}, {3, 3, 0, 0, 1}, {1, 4, 4, 2, 2}}
	x, y := mat.NewDense(60, 5, nil), make([]int, 60)
	for i := range y {
		y[i] = i % 3
		for j := range 5 {
			x.Set(i, j, words[y[i]][j])
			if rng.Float64() < 0.15 {
				x.Set(i, j, float64(rng.IntN(5)))
			}
		}
	}
	return x, y
}

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

func fitted(t *testing.T, m *cluster.KMeans, x mat.Matrix) *cluster.KMeans {
	t.Helper()
	if err := m.Fit(x); err != nil {
		t.Fatal(err)
	}
	return m
}

// E4-01: the algorithm is k-means, not nearest neighbors. E2-06: the distance is
// ‖x − μ‖, and the new center is that of the same cluster. E4-14: the steps end when no
// label changes. E0-60: Lloyd's algorithm.
func TestCLU01_KMeans(t *testing.T) {
	x := column(1, 2, 9, 10)
	m := fitted(t, &cluster.KMeans{InitCenters: column(1, 2), Tol: model.Zero}, x)
	mltest.NearAll(t, "means", m.Centers.RawMatrix().Data, []float64{1.5, 9.5}, 1e-15)
	mltest.Near(t, "J", m.Inertia, 1, 1e-15)
	if !slices.Equal(m.Labels, []int{0, 0, 1, 1}) || !m.Trace.Converged {
		t.Errorf("labels %v, converged %v", m.Labels, m.Trace.Converged)
	}
	// By hand: labels 0 1 1 1 with J = 0 + 0 + 49 + 64, then centers 1 and 7, labels 0 0 1 1 with J
	// = 1 + 4 + 9, then J = 1, and the last step changes nothing.
	mltest.NearAll(t, "J of the steps", m.Trace.Loss, []float64{113, 14, 1, 1}[:len(m.Trace.Loss)], 1e-12)
	if last := m.Trace.Loss[len(m.Trace.Loss)-1]; len(m.Trace.Loss) != 4 && last != 1 {
		t.Errorf("J of the steps: %v", m.Trace.Loss)
	}
	if got := m.Predict(column(5, 6)); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("5 and 6 are in %v", got)
	}
	mltest.NearAll(t, "distances", m.Transform(column(4)).RawMatrix().Data, []float64{2.5, 5.5}, 1e-15)
}

// E0-04: the score is the sum of squared distances; with plain distances the second
// step could raise it. E2-07: it never rises, and may stay.
func TestCLU02_Objective(t *testing.T) {
	for seed := range uint64(20) {
		x := data.UniformCube(200, 3, seed)
		m := fitted(t, &cluster.KMeans{K: 7, Init: cluster.InitRandom, Starts: 1, Seed: seed, Tol: model.Zero}, x)
		for i, v := range m.Trace.Loss[1:] {
			if v > m.Trace.Loss[i]*(1+1e-12) {
				t.Errorf("seed %d: J rises from %v to %v", seed, m.Trace.Loss[i], v)
			}
		}
		sum := 0.0
		for i, l := range m.Labels {
			d := floats.Distance(x.RawRowView(i), m.Centers.RawRowView(l), 2)
			sum += d * d
		}
		mltest.Near(t, "J", m.Inertia, sum, 1e-12)
		// Each center is the mean of its rows, each row with its nearest center.
		if !slices.Equal(m.Labels, m.Predict(x)) {
			t.Errorf("seed %d: labels are not the nearest centers", seed)
		}
	}
	// Moving the center from 0 to the mean of 0, 0, 3 raises the sum of plain distances.
	plain := func(c float64) float64 { return 2*math.Abs(c) + math.Abs(3-c) }
	if plain(1) <= plain(0) {
		t.Error("the mean should have a larger sum of plain distances than the median")
	}
	if got := cluster.Assignments(4, 2); got != 16 {
		t.Errorf("labels of 4 rows in 2 clusters: got %v ways, want 16", got)
	}
}

func TestCLU03_Restarts(t *testing.T) {
	x := data.Rows([][]float64{{0, 0}, {0, 1}, {4, 0}, {4, 1}})
	bad := fitted(t, &cluster.KMeans{InitCenters: data.Rows([][]float64{{2, 0}, {2, 1}})}, x)
	mltest.Near(t, "J of the bad start", bad.Inertia, 16, 1e-12)
	good := fitted(t, &cluster.KMeans{K: 2, Init: cluster.InitRandom, Starts: 10}, x)
	mltest.Near(t, "J of the best start", good.Inertia, 1, 1e-12)
	if len(good.Inertias) != 10 || floats.Min(good.Inertias) != good.Inertia || floats.Max(good.Inertias) < 15 {
		t.Errorf("J of the starts: %v", good.Inertias)
	}
}

func TestCLU04_EmptyClusters(t *testing.T) {
	// No row is nearest to 100; the furthest row, 10, becomes its center.
	m := fitted(t, &cluster.KMeans{InitCenters: column(1, 100), Tol: model.Zero}, column(1, 2, 3, 10))
	if m.Reseeded != 1 || !slices.Equal(m.Labels, []int{0, 0, 0, 1}) {
		t.Errorf("%d clusters took a row, labels %v", m.Reseeded, m.Labels)
	}
	mltest.NearAll(t, "means", m.Centers.RawMatrix().Data, []float64{2, 10}, 1e-15)
	// Two distinct rows make two clusters, whatever K is.
	for _, init := range []cluster.KMeansInit{cluster.InitPlusPlus, cluster.InitRandom, cluster.InitFurthest} {
		m := fitted(t, &cluster.KMeans{K: 3, Init: init}, column(1, 1, 1, 5, 5))
		if k, _ := m.Centers.Dims(); k != 2 || m.Inertia != 0 || slices.Max(m.Labels) != 1 {
			t.Errorf("%v: %d centers, J = %v, labels %v", init, k, m.Inertia, m.Labels)
		}
	}
}

// E0-03: rows belong to the closest of the K medoids.
func TestCLU05_KMedoids(t *testing.T) {
	x := column(1, 2, 3, 8, 9, 10)
	with := column(1, 2, 3, 8, 9, 100)
	for _, method := range []cluster.MedoidMethod{cluster.FasterPAM, cluster.PAM, cluster.AlternatingMedoids} {
		m := cluster.KMedoids{InitMedoids: []int{1, 4}, Method: method}
		labels, err := m.FitPredict(x)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Medoids, []int{1, 4}) || m.Inertia != 4 || !slices.Equal(labels, []int{0, 0, 0, 1, 1, 1}) {
			t.Errorf("%v: medoids %v, J = %v", method, m.Medoids, m.Inertia)
		}
		// The outlier moves a mean from 9 to 39 but moves no medoid.
		if _, err := m.FitPredict(with); err != nil || method == cluster.AlternatingMedoids && !slices.Equal(m.Medoids, []int{1, 4}) {
			t.Errorf("%v: medoids with an outlier %v, %v", method, m.Medoids, err)
		}
	}
	// Given only the distances, the result is the same as for the rows.
	d := mat.NewDense(6, 6, nil)
	d.Apply(func(i, j int, _ float64) float64 { return math.Abs(x.At(i, 0) - x.At(j, 0)) }, d)
	m := cluster.KMedoids{K: 2, Distances: true}
	if err := m.Fit(d); err != nil || m.Inertia != 4 || m.Centers != nil {
		t.Errorf("J of distances: %v, %v", m.Inertia, err)
	}
	// J never rises.
	big := cluster.KMedoids{K: 5, Metric: neighbors.Manhattan, InitMedoids: []int{0, 1, 2, 3, 4}}
	if err := big.Fit(data.UniformCube(150, 2, 1)); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(big.Trace.Loss, func(a, b float64) int { return -compare(a, b) }) || !big.Trace.Converged {
		t.Errorf("J of the swaps: %v", big.Trace.Loss)
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestCLU06_FurthestFirst(t *testing.T) {
	if got := cluster.FurthestFirst(column(1, 2, 9, 10), 3, 0); !slices.Equal(got, []int{0, 3, 1}) {
		t.Errorf("rows %v: from 1 the second is 10, then 2 (before 9)", got)
	}
	// An outlier is chosen before anything else.
	if got := cluster.FurthestFirst(column(0, 1, 2, 3, 50), 2, 1); got[1] != 4 {
		t.Errorf("rows %v", got)
	}
}

// E0-61: the bound of k-means++ holds in expectation.
func TestCLU07_PlusPlus(t *testing.T) {
	x := column(1, 2, 9, 10)
	p := cluster.PlusPlusProbabilities(x, 0)
	mltest.NearAll(t, "P", p, []float64{0, 1. / 146, 64. / 146, 81. / 146}, 1e-15)
	mltest.Near(t, "8(ln 10 + 2)", cluster.PlusPlusBound(10), 34.4, 0.05/34.4)
	// Draws follow the probabilities: within 5 standard errors of the frequencies.
	const draws = 20000
	counts, firsts := [4]float64{}, 0.0
	for seed := range uint64(draws) {
		rows := cluster.PlusPlus(x, 2, 1, seed)
		if rows[0] == 0 {
			firsts++
			counts[rows[1]]++
		}
	}
	if math.Abs(firsts/draws-0.25) > 5*math.Sqrt(0.25*0.75/draws) {
		t.Errorf("the first row is drawn %v of %v times", firsts, draws)
	}
	for i, q := range p {
		if math.Abs(counts[i]/firsts-q) > 5*math.Sqrt(q*(1-q)/firsts) {
			t.Errorf("row %d is drawn %v of %v times, want a share of %v", i, counts[i], firsts, q)
		}
	}
	// The mean J of the starts, before any step of Lloyd, is within the bound times the best J.
	blobs := data.UniformCube(120, 2, 4)
	best := fitted(t, &cluster.KMeans{K: 5, Starts: 30}, blobs).Inertia
	mean := 0.0
	for seed := range uint64(50) {
		m := fitted(t, &cluster.KMeans{InitCenters: pick.Rows(blobs, cluster.PlusPlus(blobs, 5, 1, seed)), MaxIter: 1}, blobs)
		mean += m.Trace.Loss[0] / 50
	}
	if mean > cluster.PlusPlusBound(5)*best || mean < best {
		t.Errorf("the mean start has J = %v, the best end %v", mean, best)
	}
}

// E0-62: BIC adds the number of parameters times ln N, and penalizes more than AIC from eight rows
// on.
func TestCLU08_ChoiceOfK(t *testing.T) {
	d := data.Blobs(40, [][]float64{{0, 0}, {12, 0}, {0, 12}, {12, 12}}, 1, 2)
	c, err := cluster.ChooseK{Max: 8, References: 5, Starts: 20}.Curve(d.X)
	if err != nil {
		t.Fatal(err)
	}
	if c.Elbow() != 4 || c.BestSilhouette() != 4 || c.BestGap() != 4 {
		t.Errorf("elbow %d, silhouette %d, gap %d, want 4; J %v", c.Elbow(), c.BestSilhouette(), c.BestGap(), c.Inertia)
	}
	if c.BestBIC() < 4 || c.BestBIC() > c.BestAIC() {
		t.Errorf("BIC chooses %d, AIC %d", c.BestBIC(), c.BestAIC())
	}
	for i, k := range c.K {
		params := float64(2 * k)
		mltest.Near(t, "AIC", c.AIC[i], c.Inertia[i]+2*params, 1e-12)
		mltest.Near(t, "BIC", c.BIC[i], c.Inertia[i]+params*math.Log(160), 1e-12)
		mltest.Near(t, "BIC of the notes", c.BICNotes[i], c.Inertia[i]+float64(k)*math.Ln2, 1e-12)
		if c.BIC[i] <= c.AIC[i] {
			t.Errorf("K = %d: BIC %v is not above AIC %v", k, c.BIC[i], c.AIC[i])
		}
	}
	mltest.Near(t, "silhouette", c.Silhouette[3], eval.Silhouette(d.X, d.Y), 1e-12)
	// The extremes: J is the total sum of squares for K = 1 and 0 for K = n.
	ends, err := cluster.ChooseK{References: 2}.Curve(column(1, 2, 9, 10))
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "J of K = 1", ends.Inertia[0], 65, 1e-12)
	if ends.Inertia[3] != 0 || !math.IsNaN(ends.Silhouette[0]) || !math.IsNaN(ends.Silhouette[3]) {
		t.Errorf("J of K = n: %v, silhouettes %v", ends.Inertia[3], ends.Silhouette)
	}
}

func TestCLU09_Hierarchy(t *testing.T) {
	x := column(1, 2, 9, 10, 20)
	m := cluster.Agglomerative{K: 2, Linkage: cluster.SingleLinkage}
	labels, err := m.FitPredict(x)
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "heights", m.Tree.Heights(), []float64{1, 1, 7, 10}, 1e-15)
	if !slices.Equal(labels, []int{0, 0, 0, 0, 1}) || !slices.Equal(m.Tree.CutHeight(2), []int{0, 0, 1, 1, 2}) {
		t.Errorf("labels %v and %v", labels, m.Tree.CutHeight(2))
	}
	mltest.NearAll(t, "cophenetic", m.Tree.Cophenetic(), []float64{1, 7, 7, 10, 7, 7, 10, 1, 10, 10}, 1e-15)
	if got := m.Tree.Order(); len(got) != 5 || got[0] != 4 && got[4] != 4 {
		t.Errorf("leaves %v", got)
	}
	// By hand: complete 1, 1, 9, 19; average 1, 1, 8, 14.5.
	for linkage, want := range map[cluster.Linkage][]float64{cluster.CompleteLinkage: {1, 1, 9, 19}, cluster.AverageLinkage: {1, 1, 8, 14.5}} {
		m := cluster.Agglomerative{Linkage: linkage}
		if _, err := m.FitPredict(x); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, linkage.String(), m.Tree.Heights(), want, 1e-12)
	}
	// Half the squared height of a Ward merge is the increase of J: all of them add up to the total
	// sum of squares.
	ward := cluster.Agglomerative{Height: 3}
	if labels, err = ward.FitPredict(x); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, h := range ward.Tree.Heights() {
		sum += h * h / 2
	}
	mltest.Near(t, "Ward", sum, fitted(t, &cluster.KMeans{K: 1}, x).Inertia, 1e-12)
	if !slices.Equal(labels, []int{0, 0, 1, 1, 2}) || ward.Clusters != 3 {
		t.Errorf("labels at height 3: %v", labels)
	}
	// The spanning tree and the chain make the same single linkage tree.
	cube := data.UniformCube(120, 3, 1)
	byRows := cluster.Agglomerative{Linkage: cluster.SingleLinkage}
	byDistances := cluster.Agglomerative{Linkage: cluster.SingleLinkage, Distances: true}
	d := mat.NewDense(120, 120, nil)
	d.Apply(func(i, j int, _ float64) float64 {
		return neighbors.EuclideanDistance(cube.RawRowView(i), cube.RawRowView(j))
	}, d)
	if _, err := byRows.FitPredict(cube); err != nil {
		t.Fatal(err)
	}
	if _, err := byDistances.FitPredict(d); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "single linkage", slices.Concat(byRows.Tree.Merges...), slices.Concat(byDistances.Tree.Merges...), 1e-12)
}

// E0-05: exponential in the number of points in the worst case; in practice few steps.
func TestCLU10_RunningTime(t *testing.T) {
	d := data.Blobs(50, [][]float64{{0, 0}, {6, 0}, {0, 6}}, 1, 1)
	counts := cluster.IterationCounts(d.X, 3, 100, 1)
	sum := 0
	for _, c := range counts {
		sum += c
	}
	if len(counts) != 100 || slices.Max(counts) > 30 || sum < 200 {
		t.Errorf("steps of 100 starts: %v", counts)
	}
}

func TestCLU11_Documents(t *testing.T) {
	texts := []string{
		"The cat sat with another cat.", "A dog chased the cat.", "Dogs and cats are pets; the dog barks.",
		"The bank raised the interest rate.", "Interest on money at the bank.", "A loan from the bank has a rate.",
		"The striker scored a goal.", "One goal decided the match.", "The match had no goal.",
	}
	m := cluster.Documents{K: 3, Terms: 2, Seed: 1}
	if err := m.Learn(texts); err != nil {
		t.Fatal(err)
	}
	if got := eval.AdjustedRandIndex([]int{0, 0, 0, 1, 1, 1, 2, 2, 2}, m.Labels); got != 1 {
		t.Errorf("labels %v with names %v", m.Labels, m.Names)
	}
	for at, word := range map[int]string{0: "cat dog", 3: "bank", 6: "goal"} {
		name := m.Names[m.Labels[at]]
		if !strings.Contains(word, name[0]) || len(name) != 2 {
			t.Errorf("text %d is in the group %v, want %s", at, name, word)
		}
	}
}

func TestWrongParameters(t *testing.T) {
	x := data.UniformCube(20, 2, 1)
	asymmetric := mat.NewDense(2, 2, []float64{0, 1, 2, 0})
	for _, c := range []struct {
		name string
		m    model.Clusterer
		x    mat.Matrix
		want string
	}{
		{"K > n", &cluster.KMeans{K: 21}, x, "K must be between 1 and 20 (the number of rows), got 21"},
		{"columns", &cluster.KMeans{InitCenters: column(1)}, x, "InitCenters must have 2 columns, as x has, got 1"},
		{"Tol", &cluster.KMeans{Tol: -1}, x, "must not be negative"},
		{"huge", &cluster.KMeans{K: 2}, column(1e200, 1), "scale the columns"},
		{"medoid twice", &cluster.KMedoids{InitMedoids: []int{1, 1}}, x, "InitMedoids must have distinct row indices, got 1 twice"},
		{"distances", &cluster.KMedoids{K: 2, Distances: true}, asymmetric, "symmetric"},
		{"Ward", &cluster.Agglomerative{Metric: neighbors.Manhattan}, x, "leave Metric out"},
		{"too many", &cluster.Agglomerative{}, mat.NewDense(15001, 1, nil), "15000 rows"},
		{"negative distance", &cluster.Agglomerative{Linkage: cluster.AverageLinkage, Distance: func(a, b []float64) float64 { return -1 }}, x, "not negative"},
		{"Eps", &cluster.DBSCAN{Eps: -1}, x, "Eps must not be negative, got -1"},
		{"MinCluster", &cluster.HDBSCAN{MinCluster: 50}, x, "MinCluster must be between 2 and 20 (the number of rows), got 50"},
		{"Bandwidth", &cluster.MeanShift{Bandwidth: -1}, x, "Bandwidth must be positive, got -1"},
		{"Gamma", &cluster.SpectralClustering{K: 2, Gamma: -1}, x, "Gamma must be positive, got -1"},
		{"not square", &cluster.SpectralClustering{K: 2, Affinity: cluster.GivenAffinity}, x, "square"},
	} {
		_, err := c.m.FitPredict(c.x)
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestStoppedDocuments(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := cluster.Documents{K: 2, Control: model.Control{Context: ctx}}
	if err := m.Learn([]string{"one word", "two words", "red words"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func ExampleKMeans() {
	x := data.Rows([][]float64{{1}, {2}, {9}, {10}})
	m := cluster.KMeans{K: 2, Seed: 1}
	labels, err := m.FitPredict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(labels[0] == labels[1], labels[1] == labels[2], m.Inertia)
	// Output: true false 1
}

func ExampleAgglomerative() {
	x := data.Rows([][]float64{{1}, {2}, {9}, {10}, {20}})
	m := cluster.Agglomerative{K: 3, Linkage: cluster.SingleLinkage}
	labels, err := m.FitPredict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(labels, m.Tree.Heights())
	// Output: [0 0 1 1 2] [1 1 7 10]
}

func ExampleDBSCAN() {
	x := data.Rows([][]float64{{0}, {0.1}, {0.2}, {5}, {5.1}, {5.2}, {50}})
	m := cluster.DBSCAN{Eps: 0.15, MinPoints: 2}
	labels, err := m.FitPredict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(labels)
	// Output: [0 0 0 1 1 1 -1]
}

// MinPoints counts the row itself, as min_samples of scikit-learn does: with 2 the core
// distance is that of the nearest other row, with 3 that of the next.
func TestHDBSCANCountsTheRowItself(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{0, 1, 3})
	for points, want := range map[int][2]float64{2: {1, 2}, 3: {3, 3}} {
		m := &cluster.HDBSCAN{MinCluster: 2, MinPoints: points}
		if _, err := m.FitPredict(x); err != nil {
			t.Fatal(err)
		}
		if got := [2]float64{m.Tree.Merges[0][2], m.Tree.Merges[1][2]}; got != want {
			t.Errorf("MinPoints %d: merged at %v, want %v", points, got, want)
		}
	}
}
