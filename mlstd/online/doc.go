// Package online implements learners that see one example at a time, with their mistake bounds.
// Some learners keep a Boolean conjunction or a version space. Others are mistake-driven linear
// learners: additive (perceptron, passive-aggressive) or multiplicative (Winnow).
//
// Linear learners take dense and sparse matrices. With a *sparse.CSR, the cost of an update depends
// only on the number of active features of the example, not on the number of columns. Labels may be
// any two ints; the greater one is the positive class.
package online
