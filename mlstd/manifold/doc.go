// Package manifold embeds rows in a few dimensions so that near rows stay near: multidimensional
// scaling, Isomap, locally linear embedding and t-SNE.
package manifold
