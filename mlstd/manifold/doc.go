// Package manifold lays rows out in few dimensions by what is near to what:
// multidimensional scaling, Isomap, locally linear embedding and t-SNE.
package manifold
