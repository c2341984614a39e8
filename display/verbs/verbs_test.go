package verbs

import (
	"errors"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/semi"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func TestVerbsShowSomething(t *testing.T) {
	y, label := []float64{1, 3, 2}, []int{0, 1, 0}
	d := data.TwoMoons(20, 0.1, 1)
	t1 := &tree.DecisionTree{}
	data.Fit(t1, d)
	lda, nb := &prob.LDA{}, &prob.NaiveBayes{}
	data.Fit(lda, d)
	data.Fit(nb, d)
	curve := &eval.Curve{Axis: "K", X: []float64{1, 2}, Train: [][]float64{{1}, {1}}, Test: [][]float64{{0.5}, {0.6}}}
	square := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	grown, err := bayesnet.ChowLiu(bayesnet.Alarm().Sample(500, 1))
	if err != nil {
		t.Fatal(err)
	}
	search := &bayesnet.StructureSearch{}
	if err := search.Learn(bayesnet.Alarm().Sample(500, 1)); err != nil {
		t.Fatal(err)
	}
	axes, axes4, strange := &decomp.PCA{}, &decomp.PCA{}, &anomaly.GaussianDetector{}
	if err := errors.Join(axes.Fit(d.X), axes4.Fit(mat.NewDense(3, 4, []float64{1, 2, 3, 5, 4, 2, 1, 0, 2, 2, 0, 7})), strange.Fit(d.X)); err != nil {
		t.Fatal(err)
	}
	dense := &cluster.HDBSCAN{}
	if _, err := dense.FitPredict(d.X); err != nil {
		t.Fatal(err)
	}
	labels := make([]int, d.Len())
	for i := range labels {
		labels[i] = semi.Unlabeled
	}
	labels[0] = 0
	for name, v := range map[string]any{
		"Plot": Plot(y), "Scatter": Scatter(y, y), "Scatter of a data set": Scatter(d), "Hist": Hist(y), "Bar": Bar(map[string]int{"a": 1}), "BoxPlot": BoxPlot(y),
		"Heatmap": Heatmap([][]float64{y, y}), "Hist of a data set": Hist(d, d.FeatureNames()[0]), "Box plot of a data set": BoxPlot(d, d.X.Target.Name, d.FeatureNames()[1]),
		"KDE": KDE(y), "KDE of a data set": KDE(d, d.FeatureNames()[0]), "KDE2D": KDE2D(d, d.FeatureNames()[0], d.FeatureNames()[1]), "Violin": Violin(y), "Strip": Strip(y), "Swarm": Swarm(y),
		"Ridgeline": Ridgeline([]string{"a", "a", "a"}, y), "ECDF": ECDF(y), "QQ": QQ(y), "Regression": Regression(label, y), "Hexbin": Hexbin(label, y),
		"Pairs": Pairs(d), "Pairs of a matrix": Pairs(d.X), "Joint": Joint(d, d.FeatureNames()[0], d.FeatureNames()[1]), "Clustermap": Clustermap(d), "Clustermap of a frame": Clustermap(frame.FromRows(d)), "Contour": Contour(math.Hypot, -1, 1, -1, 1), "Func": Func(math.Sin, 0, 1),
		"Chart": Chart().Line(y), "Grid": Grid(Plot(y), Hist(y)), "Table": Table(y), "Describe": Describe(y),
		"Describe of a frame": Describe(frame.FromRows(d)), "Describe of a column": Describe(frame.FloatColumn("x", y)),
		"Treemap": Treemap(map[string]int{"a": 1}), "Sankey": Sankey([]string{"a"}, []string{"b"}),
		"StackedArea": StackedArea(y, y), "Lollipop": Lollipop(y), "Slope": Slope([]string{"a", "b", "c"}, y, y), "ParallelCoordinates": ParallelCoordinates(square),
		"Streamlines": Streamlines(whirl, -1, 1, -1, 1), "Quiver": Quiver(whirl, -1, 1, -1, 1),
		"Polar": Polar(y, y), "Polar of nothing": Polar().Points(y, y), "Rose": Rose(y), "Calendar": Calendar([]time.Time{time.Unix(0, 0)}),
		"Choropleth": Choropleth([]int{1}, y[:1]).On(`{"type":"Feature","id":1,"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}`), "ScatterMap": ScatterMap(y, y),
		"Scatter3D": Scatter3D(y, y, y), "Surface": Surface(math.Hypot, -1, 1, -1, 1).Interactive(),
		"Tree": Tree(&graph.Node{Title: "a"}), "Graph": Graph().Edge("a", "b"),
		"Regions": Regions(data.Fit(&neighbors.KNN{}, d), d), "Pruned": Pruned(t1, t1), "Trace": Trace(y), "Spectrum": Spectrum(y),
		"ROC": ROC(eval.ROC(label, y, 1)), "PR": PR(eval.PrecisionRecall(label, y, 1)), "ConfusionMatrix": ConfusionMatrix(eval.Confusion(label, label)),
		"CoefficientPath": CoefficientPath(&linear.CoefPath{Lambda: y, Coef: [][]float64{y, y, y}}),
		"Sweep":           Sweep(eval.NewSweep("k", []float64{1, 2}, 1, func(k float64, _ uint64) eval.Scores { return eval.Scores{"a": k} })),
		"LearningCurve":   LearningCurve(curve), "ValidationCurve": ValidationCurve(curve), "PValue": PValue(eval.SignTest(y, y), nil, true),
		"Intervals": Intervals([]string{"a"}, []eval.Estimate{{Value: 1, Low: 0, High: 2}}), "GramMatrix": GramMatrix(square),
		"CodeMatrix": CodeMatrix(reduce.ExhaustiveCode(3)), "Voronoi": Voronoi(d), "KDPartition": KDPartition(neighbors.NewKDTree(d.X, neighbors.Euclidean, 2), d),
		"UnitBalls": UnitBalls(2), "LevelSets": LevelSets(math.Hypot, -1, 1, -1, 1), "Ellipses": Ellipses([][]float64{{0, 0}}, []*mat.Dense{square}),
		"Density": Density([][]float64{{0, 0}}, []*mat.Dense{square}, nil), "Dendrogram": Dendrogram([][]float64{{0, 1, 2}}),
		"Network": Network([]*mat.Dense{square}, nil), "Trellis": Trellis([]string{"a"}, []string{"x", "y"}, nil, nil), "Gridworld": Gridworld([][]float64{y}),
		"Images": Images(square.Grow(0, 2).(*mat.Dense)), "ItemsetLattice": ItemsetLattice([][]string{{"a"}}, 1), "BayesNet": BayesNet(BayesNode{Name: "a", P: [][]float64{{0.5}}}),
		"Distribution": Distribution(prob.Gaussian{}, 2), "EntropyCurve": EntropyCurve(0.3), "ClassEllipses": ClassEllipses(data.Fit(lda, d), d), "Discriminants": Discriminants(lda, d),
		"BayesNet of a learned one": BayesNet(bayesnet.ChowLiu(bayesnet.Alarm().Sample(500, 1))), "MarkovBlanket": MarkovBlanket(bayesnet.Alarm(), "Alarm"),
		"Posteriors": Posteriors(bayesnet.Alarm().Given("Alarm", true).Bars("Burglary")), "SpanningSteps": SpanningSteps(grown)[1], "SearchSteps": SearchSteps(search)[0],
		"CondensedTree": CondensedTree(dense), "Scree": Scree(axes), "Biplot": Biplot(axes, d), "Reconstruction": Reconstruction(axes4, []float64{1, 2, 3, 5}, 1), "Anomalies": Anomalies(strange, d),
		"Ribbon":         Ribbon(&latent.Decoding{States: []string{"a"}, Proba: [][]float64{{1}, {1}}}),
		"SpreadingSteps": SpreadingSteps(d.X, semi.NeighborGraph(d.X, 2), labels, 1)[0],
		"FeatureTable":   FeatureTable(nb.Features, "upper", "lower"),
		"Covering":       Covering(rules.RuleList{DefaultName: "a"}, d), "VersionLattice": VersionLattice(rules.NewCandidateElimination(data.EnjoySport().X.Columns[4:])),
		"VersionSpace": VersionSpace(online.NewVersionSpace(online.ConjunctionClass(2, true), true, 1)), "Animate": Animate([]*chart.Chart{Plot(y)}),
	} {
		b, err := display.Of(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(b.Data) < 3 {
			t.Errorf("%s shows %d representations, want at least 3", name, len(b.Data))
		}
	}
}

func whirl(x, y float64) (u, v float64) { return -y, x }
