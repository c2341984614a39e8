// Package reduce reduces learning problems to simpler problems: weighted to unweighted
// classification, multiclass to binary classification, ranking to comparisons, and labeling the
// nodes of a graph to labeling single examples. It documents the cost and the guarantee of each
// reduction.
package reduce
