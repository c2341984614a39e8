// Package inference implements statistical tests with effect sizes and intervals: tests of means,
// ranks, counts, variances, distributions and correlations. It also has multiple testing, power and
// permutation tests. Every test returns an [eval.TestResult], as the tests of two models in package
// eval do.
//
// [Samples] returns the samples of a frame by group: ml.KruskalWallis(ml.Samples(f, "y", "g")...).
package inference
