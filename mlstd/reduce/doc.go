// Package reduce reduces learning problems to simpler problems: weighted to unweighted
// classification, many classes to two, ranking to comparisons, and labeling the nodes of a graph to
// labeling single examples. It documents the cost and the guarantee of each reduction.
package reduce
