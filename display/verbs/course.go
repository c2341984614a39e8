package verbs

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// Regions draws the decision regions of a fitted classifier and the examples on
// top: Regions(m, d) of a data set with two features, or Regions(m, X, y). See
// [course.Regions].
func Regions(m model.Classifier, examples ...any) *chart.Chart { return course.Regions(m, examples...) }

// Pruned draws a tree with the branches faded that pruning took away. See
// [course.Pruned].
func Pruned(before, after *tree.DecisionTree) *course.Drawing { return course.Pruned(before, after) }

// ROC draws receiver operating characteristic curves. See [course.ROC].
func ROC(curves ...*eval.ROCCurve) *chart.Chart { return course.ROC(curves...) }

// PR draws precision against recall. See [course.PR].
func PR(curves ...*eval.PRCurve) *chart.Chart { return course.PR(curves...) }

// ConfusionMatrix draws a confusion matrix as colored cells. See
// [course.ConfusionMatrix].
func ConfusionMatrix(m *eval.ConfusionMatrix) *chart.Chart { return course.ConfusionMatrix(m) }

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

// Trace draws how an iterative fit went. See [course.Trace].
func Trace(trace any) *chart.Panels { return course.Trace(trace) }

// PValue draws the distribution of a test's statistic and the area that is p. See
// [course.PValue].
func PValue(t eval.TestResult, density func(x float64) float64, twoSided bool) *chart.Chart {
	return course.PValue(t, density, twoSided)
}

// Intervals draws estimates with their intervals below each other. See
// [course.Intervals].
func Intervals(names []string, estimates []eval.Estimate) *chart.Chart {
	return course.Intervals(names, estimates)
}

// GramMatrix draws the similarities of examples, in the order of their classes. See
// [course.GramMatrix].
func GramMatrix(g mat.Matrix, classes ...int) *chart.Chart { return course.GramMatrix(g, classes...) }

// Spectrum draws eigenvalues, the largest first. See [course.Spectrum].
func Spectrum(eigenvalues []float64) *chart.Chart { return course.Spectrum(eigenvalues) }

// CodeMatrix draws an error-correcting output code. See [course.CodeMatrix].
func CodeMatrix(code *reduce.Code, classes ...string) *chart.Chart {
	return course.CodeMatrix(code, classes...)
}

// Voronoi draws the cells of the plane that are nearest to each center. See
// [course.Voronoi].
func Voronoi(centers ...any) *chart.Chart { return course.Voronoi(centers...) }

// KDPartition draws how a k-d tree divides the plane. See [course.KDPartition].
func KDPartition(t *neighbors.KDTree, examples ...any) *chart.Chart {
	return course.KDPartition(t, examples...)
}

// UnitBalls draws the unit balls of p-norms. See [course.UnitBalls].
func UnitBalls(p ...float64) *chart.Chart { return course.UnitBalls(p...) }

// LevelSets draws the level lines of f on a rectangle and the paths of descents. See
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

// Dendrogram draws a hierarchical clustering. See [course.Dendrogram].
func Dendrogram(merges [][]float64, names ...string) *chart.Chart {
	return course.Dendrogram(merges, names...)
}

// Network draws a feed-forward network with its weights. See [course.Network].
func Network(weights []*mat.Dense, biases [][]float64) *course.Drawing {
	return course.Network(weights, biases)
}

// Trellis draws the states of a hidden Markov model over time. See
// [course.Trellis].
func Trellis(states, observations []string, scores [][]float64, path []int) *course.Drawing {
	return course.Trellis(states, observations, scores, path)
}

// Gridworld draws the values of the cells of a grid and a policy. See
// [course.Gridworld].
func Gridworld(values [][]float64, policy ...string) *course.Drawing {
	return course.Gridworld(values, policy...)
}

// Images draws rows of numbers as pictures. See [course.Images].
func Images(x any, labels ...string) *course.Drawing { return course.Images(x, labels...) }

// ItemsetLattice draws sets of items with their support. See
// [course.ItemsetLattice].
func ItemsetLattice(transactions [][]string, minSupport int) *graph.Graph {
	return course.ItemsetLattice(transactions, minSupport)
}

// VersionSpace draws the hypotheses that are left. See [course.VersionSpace].
func VersionSpace(v *online.VersionSpace) *graph.Graph { return course.VersionSpace(v) }

// BayesNode is a variable of a Bayes net. See [course.BayesNode].
type BayesNode = course.BayesNode

// BayesNet draws a Bayes net with its tables. See [course.BayesNet].
func BayesNet(nodes ...BayesNode) *graph.Graph { return course.BayesNet(nodes...) }

// Animate shows the figures of a slice one after the other, with a slider. See
// [course.Animate].
func Animate(frames any) *course.Animation { return course.Animate(frames) }
