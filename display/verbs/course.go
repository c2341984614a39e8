package verbs

import (
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// Regions draws the decision regions of a fitted classifier and the examples on
// top: Regions(m, d) of a data set with two features, or Regions(m, X, y). See
// [course.Regions].
func Regions(m model.Classifier, examples ...any) *chart.Chart { return course.Regions(m, examples...) }

// ROC draws receiver operating characteristic curves. See [course.ROC].
func ROC(curves ...*eval.ROCCurve) *chart.Chart { return course.ROC(curves...) }

// PR draws precision against recall. See [course.PR].
func PR(curves ...*eval.PRCurve) *chart.Chart { return course.PR(curves...) }

// LearningCurve draws scores against the number of examples. See
// [course.LearningCurve].
func LearningCurve(c *eval.Curve) *chart.Chart { return course.LearningCurve(c) }

// ValidationCurve draws scores against a hyperparameter. See
// [course.ValidationCurve].
func ValidationCurve(c *eval.Curve) *chart.Chart { return course.ValidationCurve(c) }

// Pruned draws a tree with the branches faded that pruning took away. See
// [course.Pruned].
func Pruned(before, after *tree.DecisionTree) *course.Drawing { return course.Pruned(before, after) }
