// Package kernel learns with similarities: functions K(x, z) that are dot
// products φ(x)·φ(z) in a space of features which need not be written down. It
// has the kernels of the course, the rules that make new ones of them, Gram
// matrices and the test of validity, and the learners that touch the examples
// through dot products alone: the dual perceptron, least squares and ridge
// regression, principal components and Gaussian processes.
package kernel
