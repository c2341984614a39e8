// Package svm implements support vector machines: classifiers and regressors that maximize the
// margin. They are fitted by sequential minimal optimization in the dual, by quadratic programming,
// or by subgradient descent in the primal.
package svm
