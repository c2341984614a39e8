// Package decomp implements dimensionality reduction: principal components and the
// singular value decomposition, nonnegative matrix factorization, independent
// components, factor analysis, random projections, feature hashing, word vectors,
// and completion of matrices.
package decomp
