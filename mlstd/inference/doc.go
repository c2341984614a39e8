// Package inference has the tests of statistics with effect sizes and intervals: of means, ranks,
// counts, variances, distributions and correlations, with multiple testing, power and permutations.
// Every test returns an [eval.TestResult], which package eval has for the tests of two models.
//
// Samples of a frame by group are [Samples]: ml.KruskalWallis(ml.Samples(f, "y", "g")...).
package inference
