// Package inference implements statistical tests with effect sizes and intervals: tests of means,
// ranks, counts, variances, distributions and correlations. It also corrects for multiple testing,
// computes the power of tests, and has permutation tests. Every test returns an [eval.TestResult],
// like the tests in package eval, which compare two models.
//
// [Samples] returns the samples of a frame by group: ml.KruskalWallis(ml.Samples(f, "y", "g")...).
package inference
