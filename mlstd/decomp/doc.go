// Package decomp writes rows with fewer numbers: principal components and the
// singular value decomposition, factors that are not negative, independent
// components, factors with noise, random projections, hashed features, vectors of
// words, and matrices with missing entries.
package decomp
