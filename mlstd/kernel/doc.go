// Package kernel learns with similarities: functions K(x, z) that are dot products φ(x)·φ(z) in a
// feature space that need not be computed. It has kernels, rules that combine kernels, Gram
// matrices and a test of validity. Its learners use the examples only through dot products: the
// dual perceptron, least squares and ridge regression, principal components and Gaussian processes.
package kernel
