// Package online holds learners that see one example at a time: those that keep
// a Boolean conjunction or a version space, and the mistake-driven linear ones,
// additive (perceptron, passive-aggressive) and multiplicative (Winnow), with
// their mistake bounds.
//
// Linear learners take dense and sparse matrices; on a *sparse.CSR an update
// costs only the active features of the example, and the number of columns has
// no bound. Labels may be any two ints; the greater one is the positive class.
package online
