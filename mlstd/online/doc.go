// Package online implements learners that see one example at a time, with their
// mistake bounds. Some keep a Boolean conjunction or a version space. Others are
// mistake-driven linear learners, additive (perceptron, passive-aggressive) or
// multiplicative (Winnow).
//
// Linear learners take dense and sparse matrices; on a *sparse.CSR an update
// costs only the active features of the example, and the number of columns has
// no bound. Labels may be any two ints; the greater one is the positive class.
package online
