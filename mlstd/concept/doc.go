// Package concept computes the ideas that a course on learning begins with: what
// error means, why no learner is best everywhere, what a bias is, when a
// hypothesis overfits, and how fitting differs from predicting.
package concept
