package course

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/figuretest"
	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/semi"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// must returns v, or panics if err is not nil.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func petals() *data.Dataset { return data.Iris().Features("petal length", "petal width") }

func logistic(d *data.Dataset) *linear.LogisticRegression {
	m := &linear.LogisticRegression{}
	if err := m.Fit(d.X, d.Y); err != nil {
		panic(err)
	}
	return m
}

// grown returns a regression tree with five levels.
func grown(d *data.Dataset) model.Regressor {
	m := &tree.RegressionTree{MaxDepth: 5}
	if err := m.Fit(d.X, d.Target); err != nil {
		panic(err)
	}
	return m
}

// moonScores returns classes and the scores of a linear model for them.
func moonScores() (y []int, score []float64) {
	d := data.TwoMoons(120, 0.3, 1)
	m := logistic(d)
	s := m.Decision(d.X)
	for i := range d.Y {
		score = append(score, s.At(i, 0))
	}
	return d.Y, score
}

func irisCurve() *eval.Curve {
	d := data.Iris()
	return must(eval.LearningCurve(func() model.Classifier { return &neighbors.KNN{K: 5} }, d.X, d.Y, []int{8, 15, 30, 60, 100, 120}, 5, 1))
}

// figures are the figures of this package with the names of their golden files.
var figures = []struct {
	name string
	make func() display.Displayer
}{
	{"regions-knn", func() display.Displayer {
		d := petals()
		return Regions(data.Fit(&neighbors.KNN{K: 5}, d), d)
	}},
	{"regions-linear", func() display.Displayer {
		d := data.TwoMoons(120, 0.25, 2)
		return Regions(logistic(d), d)
	}},
	{"regions-support", func() display.Displayer {
		d := data.Discs(60, 0.3, 1)
		return Regions(data.Fit(&kernel.KernelPerceptron{}, d), d)
	}},
	{"scatter-classes", func() display.Displayer { return Scatter(data.Iris()) }},
	{"scatter-target", func() display.Displayer { return Scatter(data.Diabetes().Features("bmi")) }},
	{"dependence", func() display.Displayer {
		d := data.Iris()
		return dependence(must(eval.PartialDependence(logistic(d), d.X, []int{2}, eval.DependenceGrid{Size: 30})))
	}},
	{"dependence-examples", func() display.Displayer {
		d := data.Diabetes()
		return dependence(must(eval.PartialDependenceRegressor(grown(d), d.X, []int{2}, eval.DependenceGrid{Size: 40, Individual: true})))
	}},
	{"dependence-two", func() display.Displayer {
		d := data.TwoMoons(120, 0.25, 2)
		return dependence(must(eval.PartialDependence(data.Fit(&neighbors.KNN{K: 9}, d), d.X, []int{0, 1}, eval.DependenceGrid{Size: 30})))
	}},
	{"dependence-names", func() display.Displayer {
		d := data.Diabetes()
		return dependence(must(eval.PartialDependenceRegressor(grown(d), d.X, []int{1, 6}, eval.DependenceGrid{Size: 12})))
	}},
	{"roc", func() display.Displayer {
		y, s := moonScores()
		return ROC(eval.ROC(y, s, 1))
	}},
	{"pr", func() display.Displayer {
		y, s := moonScores()
		return PR(eval.PrecisionRecall(y, s, 1))
	}},
	{"roc-two", func() display.Displayer {
		y, s := moonScores()
		x := mat.Col(nil, 0, data.TwoMoons(120, 0.3, 1).X)
		return ROC(eval.ROC(y, s, 1).Named("both features"), eval.ROC(y, x, 1).Named("x alone"))
	}},
	{"coefficient-path", func() display.Displayer {
		d := data.Diabetes()
		scaler := &prep.StandardScaler{}
		if err := scaler.Fit(d.X); err != nil {
			panic(err)
		}
		var lambdas []float64
		for l := 0.1; l < 100; l *= 1.2 {
			lambdas = append(lambdas, l)
		}
		return CoefficientPath(must(linear.LassoPath(scaler.Transform(d.X), d.Target, lambdas)), d.FeatureNames()...)
	}},
	{"learning-curve", func() display.Displayer { return LearningCurve(irisCurve()) }},
	{"sweep", func() display.Displayer {
		return Sweep(eval.NewSweep("depth", []float64{1, 2, 3, 4, 5, 6, 7, 8}, 10, func(depth float64, seed uint64) eval.Scores {
			train, test := data.TwoMoons(300, 0.3, seed).Split(0.5, seed)
			m := data.Fit(&tree.DecisionTree{MaxDepth: int(depth)}, train)
			return eval.Scores{"training": 1 - eval.Score(m, train), "test": 1 - eval.Score(m, test)}
		})).Y("error")
	}},
	{"validation-curve", func() display.Displayer {
		d := data.BreastCancer()
		return ValidationCurve(must(eval.ValidationCurve(func(v float64) model.Classifier { return &neighbors.KNN{K: int(v)} },
			"K", []float64{1, 2, 5, 10, 20, 50, 100, 200}, d.X, d.Y, 5)))
	}},
	{"trace", func() display.Displayer {
		d := data.TwoMoons(120, 0.25, 2)
		return Trace(logistic(d).Trace)
	}},
	{"trace-mistakes", func() display.Displayer {
		d := data.Blobs(120, [][]float64{{0, 0}, {2, 1}}, 0.7, 1)
		p := &online.Perceptron{Epochs: 20}
		if err := p.Fit(d.X, d.Y); err != nil {
			panic(err)
		}
		return Trace(p.Trace)
	}},
	{"tree-tennis", func() display.Displayer {
		d := data.PlayTennis()
		t, _ := treeOf(data.Fit(&tree.DecisionTree{}, d))
		return t
	}},
	{"tree-iris", func() display.Displayer {
		t, _ := treeOf(data.Fit(&tree.DecisionTree{Criterion: tree.Gini}, data.Iris()))
		return t
	}},
	{"tree-regression", func() display.Displayer {
		d := data.Diabetes()
		m := &tree.RegressionTree{MaxDepth: 3}
		if err := m.Fit(d.X, d.Target); err != nil {
			panic(err)
		}
		t, _ := treeOf(m)
		return t
	}},
	{"tree-pruned", func() display.Displayer {
		d := data.Iris()
		before, after := &tree.DecisionTree{}, &tree.DecisionTree{}
		data.Fit(before, d)
		data.Fit(after, d)
		after.PruneCostComplexity(0.02)
		return Pruned(before, after)
	}},
	{"confusion", func() display.Displayer {
		d := data.Iris()
		m := &neighbors.KNN{K: 5}
		folds := eval.StratifiedKFold{K: 5}
		c := eval.Confusion(d.Y, must(eval.CrossPredict(func() model.Classifier { return m }, d.X, d.Y, folds)))
		c.Names = d.ClassNames()
		return ConfusionMatrix(c)
	}},
	{"gram", func() display.Displayer {
		d := petals()
		return GramMatrix(kernel.Gram(kernel.RBF(0.5), d.X), d.Y...)
	}},
	{"spectrum", func() display.Displayer {
		return Spectrum([]float64{0.24, 4.2, 0.08, 0.02})
	}},
	{"spectrum-negative", func() display.Displayer {
		d := petals().Subset([]int{0, 10, 30, 60, 70, 90, 110, 120, 140})
		return Spectrum(must(kernel.Validity(kernel.SigmoidKernel{C: -1}, d.X)).Eigenvalues)
	}},
	{"code", func() display.Displayer { return CodeMatrix(reduce.ExhaustiveCode(4), "car", "ship", "tram", "plane") }},
	{"voronoi", func() display.Displayer {
		return Voronoi(data.Blobs(12, [][]float64{{0, 0}, {3, 1}, {1, 3}}, 0.8, 2))
	}},
	{"kd-tree", func() display.Displayer {
		d := data.UniformCube(30, 2, 3)
		return KDPartition(neighbors.NewKDTree(d, neighbors.Euclidean, 2), d)
	}},
	{"unit-balls", func() display.Displayer { return UnitBalls() }},
	{"level-sets", func() display.Displayer {
		f := optim.Function{
			F: func(w []float64) float64 { return w[0]*w[0] + 6*w[1]*w[1] },
			G: func(dst, w []float64) { dst[0], dst[1] = 2*w[0], 12*w[1] },
		}
		plain := must((&optim.GradientDescent{Rate: optim.ConstantRate(0.15), KeepPath: true, MaxIter: 40}).Minimize(f, []float64{-2.5, 1}))
		heavy := must((&optim.GradientDescent{Rate: optim.ConstantRate(0.03), Momentum: 0.8, KeepPath: true, MaxIter: 60}).Minimize(f, []float64{-2.5, -1}))
		return LevelSets(func(x, y float64) float64 { return f.F([]float64{x, y}) }, -3, 3, -1.5, 1.5, plain, heavy)
	}},
	{"ellipses", func() display.Displayer {
		d := data.Blobs(60, [][]float64{{0, 0}, {4, 2}}, 1, 1)
		return Ellipses([][]float64{{0, 0}, {4, 2}}, [][][]float64{{{1, 0.2}, {0.2, 1}}, {{1.5, -0.6}, {-0.6, 0.8}}}, d)
	}},
	{"density", func() display.Displayer {
		return Density([][]float64{{0, 0}, {4, 2}}, [][][]float64{{{1, 0.2}, {0.2, 1}}, {{1.5, -0.6}, {-0.6, 0.8}}}, []float64{0.6, 0.4})
	}},
	{"p-value", func() display.Displayer {
		return PValue(eval.PairedTTest([]float64{0.91, 0.88, 0.94, 0.9, 0.93}, []float64{0.9, 0.86, 0.9, 0.91, 0.9}), nil, true)
	}},
	{"intervals", func() display.Displayer {
		return Intervals([]string{"normal approximation", "Wilson", "larger sample"},
			[]eval.Estimate{eval.ErrorInterval(12, 40, 0.95), eval.WilsonInterval(12, 40, 0.95), eval.WilsonInterval(120, 400, 0.95)})
	}},
	{"distribution-tail", func() display.Displayer { return Distribution(prob.Gaussian{}, 1.645, 2.326) }},
	{"distribution-mass", func() display.Displayer { return Distribution(prob.Binomial{N: 20, P: 0.3}, 9) }},
	{"entropy", func() display.Displayer { return EntropyCurve(0.1, 0.5) }},
	{"class-ellipses", func() display.Displayer {
		d := petals()
		return ClassEllipses(data.Fit(&prob.QDA{}, d), d)
	}},
	{"discriminants", func() display.Displayer {
		d := data.Wine()
		m := &prob.LDA{}
		data.Fit(m, d)
		return Discriminants(m, d)
	}},
	{"discriminant-one", func() display.Displayer {
		d := data.BreastCancer()
		m := &prob.LDA{}
		data.Fit(m, d)
		return Discriminants(m, d)
	}},
	{"sample-curves", func() display.Displayer {
		return SampleCurves(&prob.SampleCurves{Names: []string{"naive Bayes", "logistic regression"}, Sizes: []int{16, 32, 64, 128, 256},
			Error: [][]float64{{0.28, 0.24, 0.21, 0.19, 0.18}, {0.36, 0.29, 0.23, 0.19, 0.175}}, Bayes: 0.17})
	}},
	{"independence", func() display.Displayer {
		d := data.PlayTennis()
		return Independence(must(prob.CheckIndependence(d.X, d.Y)))
	}},
	{"dendrogram", func() display.Displayer {
		return Dendrogram([][]float64{{0, 1, 0.5, 2}, {3, 4, 0.8, 2}, {2, 6, 1.1, 3}, {5, 8, 1.7, 4}, {7, 9, 3.2, 6}}, "ant", "bee", "cat", "dog", "eel", "fox")
	}},
	{"dendrogram-long", func() display.Displayer {
		return Dendrogram([][]float64{{0, 1, 0.5, 2}, {3, 4, 0.8, 2}, {2, 6, 1.1, 3}, {5, 8, 1.7, 4}, {7, 9, 3.2, 6}},
			"Formica rufa, a wood ant", "Apis mellifera, a bee", "Felis catus", "Canis familiaris", "Anguilla anguilla, an eel", "Vulpes vulpes")
	}},
	{"clusters", func() display.Displayer {
		d := data.TwoMoons(80, 0.08, 3)
		labels := must((&cluster.DBSCAN{Eps: 0.26}).FitPredict(d.X))
		return Clusters(d.X, labels)
	}},
	{"clusters-centers", func() display.Displayer {
		m := &cluster.KMeans{K: 3, Seed: 1}
		d := petals()
		return Clusters(d.X, must(m.FitPredict(d.X)), m.Centers)
	}},
	{"kmeans-steps", func() display.Displayer {
		d := data.Blobs(25, [][]float64{{0, 0}, {4, 1}, {1, 4}}, 0.9, 2)
		m := &cluster.KMeans{InitCenters: data.Rows([][]float64{{-1, -1}, {0, -1}, {-1, 0}})}
		if err := m.Fit(d.X); err != nil {
			panic(err)
		}
		return KMeansSteps(d.X, m)
	}},
	{"choice-of-k", func() display.Displayer {
		d := data.Blobs(25, [][]float64{{0, 0}, {6, 1}, {1, 6}}, 0.9, 2)
		return ChoiceOfK(must(cluster.ChooseK{Max: 6, References: 3}.Curve(d.X)))
	}},
	{"condensed-tree", func() display.Displayer {
		m := &cluster.HDBSCAN{MinCluster: 8}
		must(m.FitPredict(data.Blobs(50, [][]float64{{0, 0}, {3, 1}, {1, 7}}, 0.7, 2).X))
		return CondensedTree(m)
	}},
	{"silhouettes", func() display.Displayer {
		d := petals()
		return Silhouettes(d.X, must((&cluster.KMeans{K: 3, Seed: 1}).FitPredict(d.X)))
	}},
	{"hierarchy", func() display.Displayer {
		m := &cluster.Agglomerative{}
		d := data.Blobs(5, [][]float64{{0, 0}, {4, 1}, {1, 4}}, 0.9, 2)
		must(m.FitPredict(d.X))
		b, _ := render(m.Tree)
		return b
	}},
	{"network", func() display.Displayer {
		return Network([]*mat.Dense{mat.NewDense(2, 3, []float64{1, -2, 0.5, 1, 1.5, -0.7}), mat.NewDense(3, 1, []float64{2, -1, 0.3})},
			[][]float64{{-0.5, 1.5, 0}, {-0.8}})
	}},
	{"network-large", func() display.Displayer {
		w := func(r, c int) *mat.Dense {
			d := mat.NewDense(r, c, nil)
			d.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(7*i + 3*j)) }, d)
			return d
		}
		return Network([]*mat.Dense{w(64, 16), w(16, 10)}, nil)
	}},
	{"trellis", func() display.Displayer {
		return Trellis([]string{"rain", "sun"}, []string{"umbrella", "umbrella", "none", "umbrella", "umbrella"},
			[][]float64{{0.82, 0.18}, {0.88, 0.12}, {0.19, 0.81}, {0.73, 0.27}, {0.87, 0.13}}, []int{0, 0, 1, 0, 0})
	}},
	{"gridworld", func() display.Displayer {
		return Gridworld([][]float64{{0.64, 0.74, 0.85, 1}, {0.57, math.NaN(), 0.57, -1}, {0.49, 0.43, 0.48, 0.28}}, "→→→G", "↑#↑T", "↑←↑←")
	}},
	{"images", func() display.Displayer {
		return Images(data.Digits().Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}))
	}},
	{"itemsets", func() display.Displayer {
		return ItemsetLattice([][]string{{"bread", "milk"}, {"bread", "nappies", "beer"}, {"milk", "nappies", "beer"}, {"bread", "milk", "nappies"}, {"bread", "milk", "beer"}}, 2)
	}},
	{"version-space", func() display.Displayer {
		v := online.NewVersionSpace(online.ConjunctionClass(4, false), true, 1)
		v.Learn([]float64{1, 1, 0, 1}, 1)
		v.Learn([]float64{1, 0, 0, 1}, 1)
		v.Learn([]float64{0, 1, 1, 0}, -1)
		return VersionSpace(v)
	}},
	{"version-lattice", func() display.Displayer {
		d := data.EnjoySport()
		c := rules.NewCandidateElimination(d.X.Columns)
		for i, y := range d.Y {
			c.Learn(d.X.RawRowView(i), y == 1)
		}
		return VersionLattice(c)
	}},
	{"covering", func() display.Displayer {
		d := data.Iris().Features("petal length", "petal width")
		m := &rules.SequentialCovering{MaxConditions: 2}
		data.Fit(m, d)
		return Covering(m.List, d)
	}},
	{"bayes-net", func() display.Displayer {
		return BayesNet(
			BayesNode{Name: "Burglary", P: [][]float64{{0.001}}},
			BayesNode{Name: "Earthquake", P: [][]float64{{0.002}}},
			BayesNode{Name: "Alarm", Parents: []string{"Burglary", "Earthquake"}, P: [][]float64{{0.95}, {0.94}, {0.29}, {0.001}}},
			BayesNode{Name: "John calls", Parents: []string{"Alarm"}, P: [][]float64{{0.9}, {0.05}}},
			BayesNode{Name: "Mary calls", Parents: []string{"Alarm"}, P: [][]float64{{0.7}, {0.01}}})
	}},
	{"bayes-query", func() display.Displayer {
		return queryChart(bayesnet.Student().Query("Grade", "SAT").Given("Letter", "l0"))
	}},
	{"bayes-posteriors", func() display.Displayer { return Posteriors(bayesnet.Alarm().Given("Alarm", true).Bars()) }},
	{"bayes-blanket", func() display.Displayer { return MarkovBlanket(bayesnet.Asia(), "Either") }},
	{"bayes-separation", func() display.Displayer {
		return separationGraph(bayesnet.Asia().Separation("Asia", "Smoking", "Dyspnea"))
	}},
	{"scree", func() display.Displayer { return Scree(components(data.Wine().X, 0)) }},
	{"biplot", func() display.Displayer {
		d := data.Iris()
		return Biplot(components(d.X, 4), d)
	}},
	{"reconstruction", func() display.Displayer {
		d := data.Digits()
		return Reconstruction(components(d.X, 64), d.X.RawRowView(3), 0, 1, 2, 5, 10, 20, 40)
	}},
	{"anomalies", func() display.Displayer {
		d := data.Blobs(50, [][]float64{{0, 0}, {4, 3}}, 0.8, 1)
		m := &anomaly.LocalOutlierFactor{Contamination: 0.06}
		if err := m.Fit(d.X); err != nil {
			panic(err)
		}
		return Anomalies(m, d)
	}},
	{"ribbon", func() display.Displayer {
		h := &latent.HMM{States: []string{"rain", "sun"}, Symbols: []string{"umbrella", "none"},
			Trans: [][]float64{{0.9, 0.1}, {0.1, 0.9}}, Emit: [][]float64{{0.8, 0.2}, {0.2, 0.8}}}
		seen, _ := h.Sample(60, 4)
		names := make([]string, len(seen))
		for i, s := range seen {
			names[i] = h.Symbols[s]
		}
		d := h.Smooth(names...)
		d.Path = h.Viterbi(names...).Path
		return Ribbon(d)
	}},
	{"spreading", func() display.Displayer { return moonSteps() }},
	{"bayes-tree", func() display.Displayer { return SpanningSteps(chowLiu())[3] }},
}

// components returns the principal components: k of the columns as they are, or all of the
// standardized columns.
func components(x mat.Matrix, k int) *decomp.PCA {
	p := &decomp.PCA{Components: k}
	if k == 0 {
		scaler := &prep.StandardScaler{}
		if err := scaler.Fit(x); err != nil {
			panic(err)
		}
		x = scaler.Transform(x)
	}
	if err := p.Fit(x); err != nil {
		panic(err)
	}
	return p
}

// moonSteps returns rounds 0, 2, 6 and 30 of label spreading with one label on each of two moons.
func moonSteps() *chart.Panels {
	d := data.TwoMoons(120, 0.06, 3)
	labels := make([]int, d.Len())
	seen := map[int]bool{}
	for i, y := range d.Y {
		if labels[i] = semi.Unlabeled; !seen[y] {
			labels[i], seen[y] = y, true
		}
	}
	steps := SpreadingSteps(d.X, semi.NeighborGraph(d.X, 4), labels, 30)
	return chart.Grid(steps[0], steps[2], steps[6], steps[30])
}

func chowLiu() *bayesnet.ChowLiuTree {
	t, err := bayesnet.ChowLiu(bayesnet.Student().Sample(2000, 1))
	if err != nil {
		panic(err)
	}
	return t
}

func TestFigures(t *testing.T) {
	for _, f := range figures {
		t.Run(f.name, func(t *testing.T) { figuretest.Check(t, f.name, f.make()) })
	}
}

// A pipeline is drawn like its last model, with probabilities and boundary.
func TestRegionsOfAPipeline(t *testing.T) {
	d := data.TwoMoons(60, 0.25, 2)
	plain := logistic(d)
	piped := &eval.Pipeline{Model: logistic(d)}
	svg := func(m model.Classifier) any {
		b, err := Regions(m, d).Display()
		if err != nil {
			t.Fatal(err)
		}
		return b.Data["image/svg+xml"]
	}
	if svg(plain) != svg(piped) {
		t.Error("the regions of a pipeline without steps are not those of its model")
	}
}
