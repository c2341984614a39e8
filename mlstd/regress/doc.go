// Package regress fits regression models to a frame: linear models by least squares, generalized
// linear models, negative binomial models of counts, and mixed models. A formula describes the
// model, as in statsmodels and R. A fitted model has standard errors, tests, intervals and a
// summary.
//
//	m := ml.OLS(f, "mpg ~ wt + C(cyl)")     // the summary is what a cell shows
//	m.Robust("HC3")                         // with other standard errors
//	m.Predict(cars)                         // of another frame, whose columns are found by name
//
// Use package linear to predict from matrices, and this package to explain the effects of named
// columns.
package regress
