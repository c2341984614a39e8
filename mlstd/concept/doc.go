// Package concept computes the basic concepts of a course on learning: error, inductive bias, no
// free lunch, overfitting, and the difference between fitting and predicting.
package concept
