package ml

// This file holds the generic functions of the facade. Cells get their source, so
// that they may use nothing but exported names of this package.

// Fit fits m to d and gives m back, so that it can stand in an expression:
//
//	Regions(ml.Fit(&ml.KNN{K: 5}, d), d)
//
// It panics where [FitTo] does.
func Fit[M any](m M, d *Dataset) M {
	FitTo(m, d)
	return m
}
