// Package manifold lays rows out in few dimensions so that near rows stay near:
// multidimensional scaling, Isomap, locally linear embedding and t-SNE.
package manifold
