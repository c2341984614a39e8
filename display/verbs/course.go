package verbs

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/semi"
	"github.com/gokernel/gokernel/mlstd/theory"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// Regions draws the decision regions of a fitted classifier and the examples on top: Regions(m, d)
// for a data set with two features, or Regions(m, X, y). See [course.Regions].
func Regions(m model.Classifier, examples ...any) *chart.Chart { return course.Regions(m, examples...) }

// Pruned draws a tree and fades the branches that pruning removed. See [course.Pruned].
func Pruned(before, after *tree.DecisionTree) *course.Drawing { return course.Pruned(before, after) }

// ROC draws receiver operating characteristic curves. See [course.ROC].
func ROC(curves ...*eval.ROCCurve) *chart.Chart { return course.ROC(curves...) }

// PR draws precision against recall. See [course.PR].
func PR(curves ...*eval.PRCurve) *chart.Chart { return course.PR(curves...) }

// ConfusionMatrix draws a confusion matrix as colored cells. See
// [course.ConfusionMatrix].
func ConfusionMatrix(m *eval.ConfusionMatrix) *chart.Chart { return course.ConfusionMatrix(m) }

// Sweep draws the scores of an experiment against the quantity that it varied. See
// [course.Sweep].
func Sweep(s *eval.Sweeping) *chart.Chart { return course.Sweep(s) }

// LearningCurve draws scores against the number of examples. See
// [course.LearningCurve].
func LearningCurve(c *eval.Curve) *chart.Chart { return course.LearningCurve(c) }

// ValidationCurve draws scores against a hyperparameter. See
// [course.ValidationCurve].
func ValidationCurve(c *eval.Curve) *chart.Chart { return course.ValidationCurve(c) }

// CoefficientPath draws the coefficients of a linear model against its penalty. See
// [course.CoefficientPath].
func CoefficientPath(p *linear.CoefPath, names ...string) *chart.Chart {
	return course.CoefficientPath(p, names...)
}

// Trace draws the progress of an iterative fit from a model or its trace. Trace(m).Live() draws
// later fits while they run. See [course.Trace].
func Trace(m any) *course.FitTrace { return course.Trace(m) }

// PValue draws the null distribution of a test statistic and the p-value as an area. See
// [course.PValue].
func PValue(t eval.TestResult, density func(x float64) float64, twoSided bool) *chart.Chart {
	return course.PValue(t, density, twoSided)
}

// Intervals draws estimates with their confidence intervals. See [course.Intervals].
func Intervals(names []string, estimates []eval.Estimate) *chart.Chart {
	return course.Intervals(names, estimates)
}

// GramMatrix draws the similarities of examples, sorted by class. See [course.GramMatrix].
func GramMatrix(g mat.Matrix, classes ...int) *chart.Chart { return course.GramMatrix(g, classes...) }

// Spectrum draws eigenvalues in descending order. See [course.Spectrum].
func Spectrum(eigenvalues []float64) *chart.Chart { return course.Spectrum(eigenvalues) }

// CodeMatrix draws an error-correcting output code. See [course.CodeMatrix].
func CodeMatrix(code *reduce.Code, classes ...string) *chart.Chart {
	return course.CodeMatrix(code, classes...)
}

// Voronoi draws the Voronoi cells of centers. See [course.Voronoi].
func Voronoi(centers ...any) *chart.Chart { return course.Voronoi(centers...) }

// KDPartition draws how a k-d tree splits the plane. See [course.KDPartition].
func KDPartition(t *neighbors.KDTree, examples ...any) *chart.Chart {
	return course.KDPartition(t, examples...)
}

// UnitBalls draws the unit balls of p-norms. See [course.UnitBalls].
func UnitBalls(p ...float64) *chart.Chart { return course.UnitBalls(p...) }

// LevelSets draws contour lines of f on a rectangle and the paths of minimizations. See
// [course.LevelSets].
func LevelSets(f func(x, y float64) float64, x0, x1, y0, y1 float64, paths ...any) *chart.Chart {
	return course.LevelSets(f, x0, x1, y0, y1, paths...)
}

// Ellipses draws two-dimensional Gaussians by their means and covariances. See
// [course.Ellipses].
func Ellipses(means [][]float64, covariances any, examples ...any) *chart.Chart {
	return course.Ellipses(means, covariances, examples...)
}

// Density draws the density of a mixture of two-dimensional Gaussians. See
// [course.Density].
func Density(means [][]float64, covariances any, weights []float64) *chart.Chart {
	return course.Density(means, covariances, weights)
}

// Distribution draws a distribution and its tails. See [course.Distribution].
func Distribution(d prob.Distribution, beyond ...float64) *chart.Chart {
	return course.Distribution(d, beyond...)
}

// EntropyCurve draws the entropy of a coin. See [course.EntropyCurve].
func EntropyCurve(p ...float64) *chart.Chart { return course.EntropyCurve(p...) }

// ClassEllipses draws the normal distributions that a fitted model has estimated for the classes,
// over the examples. See [course.ClassEllipses].
func ClassEllipses(m model.Classifier, d *data.Dataset) *chart.Chart {
	return course.ClassEllipses(m, d)
}

// Discriminants draws examples in the directions of a fitted LDA. See [course.Discriminants].
func Discriminants(m *prob.LDA, d *data.Dataset) *chart.Chart { return course.Discriminants(m, d) }

// FeatureTable shows the parameters that a naive Bayes model has learned for each column. See
// [course.FeatureTable].
func FeatureTable(features []prob.NBFeature, classes ...string) *table.Table {
	return course.FeatureTable(features, classes...)
}

// Dendrogram draws a hierarchical clustering. See [course.Dendrogram].
func Dendrogram(merges [][]float64, names ...string) *chart.Chart {
	return course.Dendrogram(merges, names...)
}

// Clusters draws rows in the colors of their clusters, with the centers. See [course.Clusters].
func Clusters(x mat.Matrix, labels []int, centers ...mat.Matrix) *chart.Chart {
	return course.Clusters(x, labels, centers...)
}

// KMeansSteps draws the steps of a fitted k-means on two columns. See
// [course.KMeansSteps].
func KMeansSteps(x mat.Matrix, m *cluster.KMeans) *chart.Panels { return course.KMeansSteps(x, m) }

// MixtureSteps draws how a Gaussian mixture was fitted to two columns. See [course.MixtureSteps].
func MixtureSteps(x mat.Matrix, m *latent.GaussianMixture) *chart.Panels {
	return course.MixtureSteps(x, m)
}

// ChoiceOfK draws the criteria computed by ml.ChooseK as functions of K. See [course.ChoiceOfK].
func ChoiceOfK(k *cluster.KCurve) *chart.Panels { return course.ChoiceOfK(k) }

// Silhouettes draws the silhouette of every row, by cluster. See
// [course.Silhouettes].
func Silhouettes(x mat.Matrix, labels []int) *chart.Chart { return course.Silhouettes(x, labels) }

// CondensedTree draws how HDBSCAN splits rows into clusters. See [course.CondensedTree].
func CondensedTree(m *cluster.HDBSCAN) *chart.Chart { return course.CondensedTree(m) }

// Scree draws the variance that each principal component explains. See [course.Scree].
func Scree(p *decomp.PCA) *chart.Chart { return course.Scree(p) }

// Biplot draws examples and features in the plane of two principal components. See
// [course.Biplot].
func Biplot(p *decomp.PCA, d *data.Dataset) *chart.Chart { return course.Biplot(p, d) }

// Reconstruction draws an image as reconstructed from its principal components. See
// [course.Reconstruction].
func Reconstruction(p *decomp.PCA, picture []float64, k ...int) *course.Drawing {
	return course.Reconstruction(p, picture, k...)
}

// Anomalies draws the anomaly scores of a detector in the plane. See [course.Anomalies].
func Anomalies(m model.Detector, d *data.Dataset) *chart.Chart { return course.Anomalies(m, d) }

// Ribbon draws the probabilities of hidden states over time. See [course.Ribbon].
func Ribbon(d *latent.Decoding) *chart.Chart { return course.Ribbon(d) }

// SpreadingSteps shows how labels spread over a graph, with one chart per round. See
// [course.SpreadingSteps].
func SpreadingSteps(x mat.Matrix, g *semi.SimilarityGraph, labels []int, rounds int) []*chart.Chart {
	return course.SpreadingSteps(x, g, labels, rounds)
}

// Network draws a feed-forward network with its weights. See [course.Network].
func Network(weights []*mat.Dense, biases [][]float64) *course.Drawing {
	return course.Network(weights, biases)
}

// Trellis draws the states of a hidden Markov model over time. See
// [course.Trellis].
func Trellis(of any, more ...any) *course.Drawing { return course.Trellis(of, more...) }

// Gridworld draws a grid of values and a policy. See [course.Gridworld].
func Gridworld(values [][]float64, policy ...string) *course.Drawing {
	return course.Gridworld(values, policy...)
}

// World draws the current state of a reinforcement learning environment. See [course.World].
func World(world any) *course.Drawing { return course.World(world) }

// Shatter draws all labelings of a few points. See [course.Shatter].
func Shatter(s *theory.Shattering) *course.Drawing { return course.Shatter(s) }

// Images draws rows of numbers as images. See [course.Images].
func Images(x any, labels ...string) *course.Drawing { return course.Images(x, labels...) }

// Filters draws the weights of the first layer of a network. See [course.Filters].
func Filters(net *nn.Network) *course.Drawing { return course.Filters(net) }

// HiddenCodes lists the codes of an autoencoder. See [course.HiddenCodes].
func HiddenCodes(a *nn.Autoencoder, x mat.Matrix) *table.Table { return course.HiddenCodes(a, x) }

// TrainingCurves draws the losses by epoch. See [course.TrainingCurves].
func TrainingCurves(v any) *chart.Chart { return course.TrainingCurves(v) }

// RegionSteps shows how a decision boundary develops, with one chart per step. See
// [course.RegionSteps].
func RegionSteps(d *data.Dataset, steps []int, at func(step int) model.Classifier) []*chart.Chart {
	return course.RegionSteps(d, steps, at)
}

// RelationGraph draws a binary relation as arrows. See [course.RelationGraph].
func RelationGraph(r rules.Relation, more ...rules.Relation) *graph.Graph {
	return course.RelationGraph(r, more...)
}

// ItemsetLattice draws sets of items with their support. See
// [course.ItemsetLattice].
func ItemsetLattice(transactions [][]string, minSupport int) *graph.Graph {
	return course.ItemsetLattice(transactions, minSupport)
}

// Covering draws the rules of a list as rectangles over the examples. See
// [course.Covering].
func Covering(list rules.RuleList, d *data.Dataset) *chart.Chart { return course.Covering(list, d) }

// VersionLattice draws the hypotheses that remain after candidate elimination. See
// [course.VersionLattice].
func VersionLattice(c *rules.CandidateElimination) *graph.Graph { return course.VersionLattice(c) }

// VersionSpace draws the hypotheses that are consistent with the examples. See
// [course.VersionSpace].
func VersionSpace(v *online.VersionSpace) *graph.Graph { return course.VersionSpace(v) }

// BayesNode is a variable of a Bayesian network. See [course.BayesNode].
type BayesNode = course.BayesNode

// BayesNet draws a Bayesian network with its tables. See [course.BayesNet].
func BayesNet(net ...any) *graph.Graph { return course.BayesNet(net...) }

// MarkovBlanket draws a network with a variable and its Markov blanket in color. See
// [course.MarkovBlanket].
func MarkovBlanket(n *bayesnet.BayesNetwork, name string) *graph.Graph {
	return course.MarkovBlanket(n, name)
}

// Posteriors draws a network with the distribution of each variable as bars. See
// [course.Posteriors].
func Posteriors(b *bayesnet.BayesBars) *course.Drawing { return course.Posteriors(b) }

// SpanningSteps returns graphs that show how a Chow-Liu tree grows; pass them to Animate. See
// [course.SpanningSteps].
func SpanningSteps(t *bayesnet.ChowLiuTree) []*graph.Graph { return course.SpanningSteps(t) }

// SearchSteps returns graphs that show how hill climbing changed a network; pass them to Animate.
// See [course.SearchSteps].
func SearchSteps(s *bayesnet.StructureSearch) []*graph.Graph { return course.SearchSteps(s) }

// Animate shows the figures of a slice one after the other, with a slider. See
// [course.Animate].
func Animate(frames any) *course.Animation { return course.Animate(frames) }
