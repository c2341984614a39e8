// Package regress fits regression models to a frame, described by a formula, as statsmodels and R
// do: least squares, generalized linear models, negative binomial counts and mixed models. A fitted
// model has standard errors, tests, intervals and a summary.
//
//	m := ml.OLS(f, "mpg ~ wt + C(cyl)")     // the summary is what a cell shows
//	m.Robust("HC3")                         // with other standard errors
//	m.Predict(cars)                         // of another frame, whose columns are found by name
//
// The models of package linear predict from matrices. The models of this package explain the
// effects of named columns.
package regress
