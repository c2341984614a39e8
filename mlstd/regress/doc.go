// Package regress fits regressions that a formula describes to a frame, as statsmodels and R do:
// least squares, generalized linear models, negative binomial counts and mixed models. A fit has
// standard errors, tests and intervals, and a summary.
//
//	m := ml.OLS(f, "mpg ~ wt + C(cyl)")     // the summary is what a cell shows
//	m.Robust("HC3")                         // with other standard errors
//	m.Predict(cars)                         // of another frame, whose columns are found by name
//
// The models of package linear predict from matrices. Those of this package explain, by names.
package regress
