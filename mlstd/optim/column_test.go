package optim_test

import "gonum.org/v1/gonum/mat"

// column makes a column of the values.
func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }
