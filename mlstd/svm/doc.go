// Package svm has support vector machines: classifiers and regressors that keep
// the largest margin, by sequential minimal optimization in the dual, by
// quadratic programming, and by subgradients in the primal.
package svm
