// Package eval measures how good a learned model is: metrics, curves,
// resampling, hyperparameter search, intervals, significance tests, and the
// decomposition of error into bias and variance.
//
// Metrics are functions that take the true values first and the predictions second. They panic with
// a *model.Error on misuse (unequal lengths, nothing to measure). A ratio whose denominator is zero
// is 0, as in scikit-learn, so that a table of metrics can always be computed. The documentation of
// each metric says when this happens.
package eval
