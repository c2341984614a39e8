// Package svm implements support vector machines: classifiers and regressors that maximize the
// margin, by sequential minimal optimization in the dual, by quadratic programming, and by
// subgradients in the primal.
package svm
