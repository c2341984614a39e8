// Package kernel learns with similarities: functions K(x, z) that are dot products
// φ(x)·φ(z) in a space of features which need not be written down. It has kernels,
// the rules that combine them, Gram matrices and the test of validity. Its learners
// use the examples only through dot products: the dual perceptron, least squares
// and ridge regression, principal components and Gaussian processes.
package kernel
