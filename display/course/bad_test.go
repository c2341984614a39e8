package course

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/figuretest"
	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/eval"
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

func TestWrongArgumentsAreReported(t *testing.T) {
	d := petals()
	knn := data.Fit(&neighbors.KNN{K: 3}, d)
	square := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	for name, c := range map[string]struct {
		d    display.Displayer
		want string
	}{
		"Scatter, nil":               {Scatter(nil), "no examples"},
		"Scatter, one feature":       {Scatter(data.Iris().Features("petal width")), "one feature and a numeric target"},
		"Regions, nothing":           {Regions(knn), "pass a data set"},
		"Regions, four features":     {Regions(knn, data.Iris()), `Features("sepal length", "sepal width")`},
		"Regions, not fitted":        {Regions(&neighbors.KNN{}, d), "not fitted"},
		"Regions, nil model":         {Regions(nil, d), "the model must not be nil"},
		"Regions, nil pointer":       {Regions((*neighbors.KNN)(nil), d), "the model must not be nil"},
		"Regions, labels":            {Regions(knn, d.X.Dense, []int{1}), "150 examples but 1 classes"},
		"Regions, not data":          {Regions(knn, 7), "a int holds no examples"},
		"Regions, no rows":           {Regions(knn, d.Subset(nil)), "there are no examples"},
		"Regions, no finite value":   {Regions(knn, mat.NewDense(1, 2, []float64{math.NaN(), 1})), "no finite value"},
		"ROC, none":                  {ROC(), "no curve"},
		"ROC, nil":                   {ROC(nil), "empty"},
		"PR, empty":                  {PR(&eval.PRCurve{}), "empty"},
		"CoefficientPath, nil":       {CoefficientPath(nil), "for each λ"},
		"CoefficientPath, names":     {CoefficientPath(&linear.CoefPath{Lambda: []float64{1}, Coef: [][]float64{{1, 2}}}, "a"), "1 names for 2"},
		"CoefficientPath, ragged":    {CoefficientPath(&linear.CoefPath{Lambda: []float64{1, 2}, Coef: [][]float64{{1, 2}, {1}}}), "row 1 has 1"},
		"LearningCurve, nil":         {LearningCurve(nil), "for each value"},
		"ValidationCurve, ragged":    {ValidationCurve(&eval.Curve{X: []float64{1, 2}}), "for each value"},
		"Trace, not one":             {Trace(3), "a int is not a trace"},
		"Trace, empty":               {Trace([]float64{}), "empty"},
		"ConfusionMatrix, nil":       {ConfusionMatrix(nil), "empty"},
		"Scree, not fitted":          {Scree(&decomp.PCA{}), "not fitted"},
		"Biplot, one component":      {Biplot(components(d.X, 1), d), "no two components"},
		"Biplot, other features":     {Biplot(components(d.X, 2), data.Iris()), "as the components have, got 4"},
		"Reconstruction, too many":   {Reconstruction(components(d.X, 2), []float64{1, 2}, 3), "2 components"},
		"Reconstruction, width":      {Reconstruction(components(d.X, 2), []float64{1}, 1), "got 1"},
		"Anomalies, not fitted":      {Anomalies(&anomaly.GaussianDetector{}, d), "not fitted"},
		"Anomalies, four features":   {Anomalies(&anomaly.GaussianDetector{}, data.Iris()), `Features("sepal length"`},
		"CondensedTree, not fitted":  {CondensedTree(&cluster.HDBSCAN{}), "not fitted"},
		"Trellis, a number":          {Trellis(3), "the result of HMM.Smooth"},
		"Trellis, swapped":           {Trellis([]string{"a"}, []string{"x"}, []int{0}), "a [][]float64"},
		"Ribbon, empty":              {Ribbon(&latent.Decoding{}), "no probabilities"},
		"SpreadingSteps, no label":   {SpreadingSteps(d.X, semi.NeighborGraph(d.X, 3), make([]int, 7), 2)[0], "7 labels"},
		"SpreadingSteps, no graph":   {SpreadingSteps(d.X, nil, nil, 2)[0], "NeighborGraph"},
		"GramMatrix, not square":     {GramMatrix(mat.NewDense(2, 3, nil)), "2×3"},
		"GramMatrix, classes":        {GramMatrix(square, 1), "1 classes"},
		"Spectrum, none":             {Spectrum(nil), "no eigenvalues"},
		"Spectrum, NaN":              {Spectrum([]float64{math.NaN()}), "NaN"},
		"CodeMatrix, names":          {CodeMatrix(reduce.ExhaustiveCode(3), "a"), "3 classes"},
		"Voronoi, too many":          {Voronoi(mat.NewDense(501, 2, nil)), "got 501"},
		"KDPartition, other data":    {KDPartition(neighbors.NewKDTree(square, neighbors.Euclidean, 2), d), "pass those of the tree"},
		"UnitBalls, negative":        {UnitBalls(-1), "got -1"},
		"LevelSets, rectangle":       {LevelSets(math.Hypot, 1, 0, 0, 1), "is empty"},
		"LevelSets, path":            {LevelSets(math.Hypot, 0, 1, 0, 1, [][]float64{{1}}), "two coordinates, got 1"},
		"LevelSets, no path":         {LevelSets(math.Hypot, 0, 1, 0, 1, [][]float64{}), "KeepPath"},
		"Ellipses, indefinite":       {Ellipses([][]float64{{0, 0}}, [][][]float64{{{1, 2}, {2, 1}}}), "not positive definite"},
		"Ellipses, ragged":           {Ellipses([][]float64{{0, 0}}, [][][]float64{{{1, 2}, {2}}}), "2×1"},
		"Density, weights":           {Density([][]float64{{0, 0}}, []*mat.Dense{square}, []float64{1, 2}), "2 weights"},
		"PValue, NaN":                {PValue(eval.TestResult{Statistic: math.NaN()}, nil, true), "NaN"},
		"Intervals, names":           {Intervals(nil, []eval.Estimate{{}}), "0 names"},
		"Distribution, nil":          {Distribution(nil), "nil"},
		"Distribution, parameter":    {Distribution(prob.Gaussian{Sigma: -1}), "Sigma must be positive, got -1"},
		"Distribution, wide":         {Distribution(prob.Poisson{Lambda: 1e6}), "at most 400 values"},
		"EntropyCurve, p":            {EntropyCurve(2), "between 0 and 1"},
		"ClassEllipses, model":       {ClassEllipses(knn, d), "no normal classes"},
		"ClassEllipses, not fitted":  {ClassEllipses(&prob.LDA{}, d), "not fitted"},
		"ClassEllipses, features":    {ClassEllipses(knn, data.Iris()), "must have two features, got 4"},
		"Discriminants, not fitted":  {Discriminants(&prob.LDA{}, d), "not fitted"},
		"SampleCurves, nil":          {SampleCurves(nil), "empty"},
		"FeatureTable, none":         {FeatureTable(nil), "no features"},
		"Dendrogram, none":           {Dendrogram(nil), "no merges"},
		"Dendrogram, later":          {Dendrogram([][]float64{{0, 5, 1}}), "existing clusters"},
		"Dendrogram, twice":          {Dendrogram([][]float64{{0, 1, 1}, {0, 2, 2}}), "joined before"},
		"Network, shapes":            {Network([]*mat.Dense{square, mat.NewDense(3, 1, nil)}, nil), "3 rows"},
		"Network, biases":            {Network([]*mat.Dense{square}, [][]float64{{1}}), "1 biases"},
		"Trellis, path":              {Trellis([]string{"a"}, []string{"x"}, nil, []int{1}), "state 1"},
		"Gridworld, ragged":          {Gridworld([][]float64{{1, 2}, {1}}), "row 1 has 1 values"},
		"Gridworld, policy":          {Gridworld([][]float64{{1, 2}}, "→"), "1 characters for 2 cells"},
		"Images, not square":         {Images(mat.NewDense(1, 3, nil)), "3 values"},
		"Images, not data":           {Images("x"), "has no images"},
		"ItemsetLattice, many":       {ItemsetLattice([][]string{{"a", "b", "c", "d", "e", "f", "g"}}, 1), "7 items"},
		"VersionLattice, nil":        {VersionLattice(nil), "no hypothesis is left"},
		"VersionLattice, many":       {VersionLattice(rules.NewCandidateElimination(data.EnjoySport().X.Columns)), "at most 60"},
		"Covering, nil":              {Covering(rules.RuleList{}, nil), "no examples with classes"},
		"Covering, features":         {Covering(rules.RuleList{}, data.Iris()), "4 features"},
		"VersionSpace, nil":          {VersionSpace(nil), "no hypothesis is left"},
		"VersionSpace, many":         {VersionSpace(&online.VersionSpace{Left: online.ConjunctionClass(5, false)}), "at most 60"},
		"BayesNet, parent":           {BayesNet(BayesNode{Name: "a", Parents: []string{"b"}, P: [][]float64{{1}}}), `parent "b"`},
		"BayesNet, rows":             {BayesNet(BayesNode{Name: "a"}), "0 rows"},
		"BayesNet, sum":              {BayesNet(BayesNode{Name: "a", P: [][]float64{{0.5, 0.6}}}), "add up to 1.1"},
		"Pruned, not fitted":         {Pruned(&tree.DecisionTree{}, nil), "not fitted"},
		"Animate, nothing":           {Animate([]int(nil)), "at least one frame"},
		"Animate, not figures":       {Animate([]int{1}), "frame 0 is a int"},
		"Animate, a broken figure":   {Animate([]*chart.Chart{ROC()}), "frame 0: ROC"},
		"Animate, too many pictures": {Animate(make([]*chart.Chart, 500)), "every 5th"},
	} {
		if _, err := display.Of(c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}

// Markup in names is shown as text, in figures and in tables.
func TestNamesAreNoMarkup(t *testing.T) {
	const evil = `<script>alert(1)</script>`
	d := petals()
	d.Name = evil
	d.X.Columns[0].Name = evil
	d.X.Target.Levels = []string{evil, "b", "c"}
	for name, v := range map[string]any{
		"table":    d,
		"regions":  Regions(data.Fit(&neighbors.KNN{K: 3}, d), d),
		"tree":     data.Fit(&tree.DecisionTree{}, d),
		"trellis":  Trellis([]string{evil}, []string{evil}, nil, nil),
		"network":  BayesNet(BayesNode{Name: evil, P: [][]float64{{0.5}}}),
		"itemsets": ItemsetLattice([][]string{{evil}}, 1),
	} {
		b, err := display.Of(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, mime := range []string{display.MIMEHTML, display.MIMESVG} {
			if s, _ := b.Data[mime].(string); strings.Contains(s, "<script") {
				t.Errorf("%s: %s holds markup of a name", name, mime)
			}
		}
	}
}

// Extreme data result in a valid figure.
func TestExtremeData(t *testing.T) {
	one := data.Rows([][]float64{{1, 2}})
	hundred := data.UniformCube(400, 2, 1)
	y := make([]int, 400)
	for i := range y {
		y[i] = i % 100
	}
	m := &neighbors.KNN{K: 1}
	if err := m.Fit(hundred, y); err != nil {
		t.Fatal(err)
	}
	gaps := mat.DenseCopyOf(hundred)
	gaps.Set(0, 0, math.NaN())
	gaps.Set(1, 1, math.Inf(1))
	for name, d := range map[string]display.Displayer{
		"one center":      Voronoi(one),
		"equal centers":   Voronoi(data.Rows([][]float64{{1, 2}, {1, 2}, {3, 4}})),
		"hundred classes": Regions(m, hundred, y),
		"gaps":            Regions(m, gaps, y),
		"one merge":       Dendrogram([][]float64{{0, 1, 0}}),
		"zero weights":    Network([]*mat.Dense{mat.NewDense(1, 1, nil)}, nil),
		"one observation": Trellis([]string{"a"}, []string{"x"}, [][]float64{{math.Inf(-1)}}, []int{0}),
		"equal values":    Gridworld([][]float64{{0, 0}, {math.NaN(), math.Inf(1)}}),
		"black image":     Images(mat.NewDense(1, 4, nil)),
		"constant kernel": GramMatrix(mat.NewDense(2, 2, []float64{1, 1, 1, 1})),
		"one loss":        Trace([]float64{1}),
	} {
		b, err := d.Display()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := figuretest.CheckSVG(b.Data[display.MIMESVG].(string)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkRegionsKNN(b *testing.B) {
	d := petals()
	m := data.Fit(&neighbors.KNN{K: 5}, d)
	for b.Loop() {
		if _, err := Regions(m, d).Display(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRegionsLogistic(b *testing.B) {
	d := petals()
	m := data.Fit(&linear.LogisticRegression{}, d)
	for b.Loop() {
		if _, err := Regions(m, d).Display(); err != nil {
			b.Fatal(err)
		}
	}
}
