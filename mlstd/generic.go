package ml

// This file holds the generic functions of the facade. Cells get their source, so
// that they may use nothing but exported names of this package.

// Fit fits m to d and returns m, for use in an expression:
//
//	Regions(ml.Fit(&ml.KNN{K: 5}, d), d)
//
// It panics when [FitTo] panics.
func Fit[M any](m M, d Examples) M {
	FitTo(m, d)
	return m
}

// Sweep runs an experiment at each value, with each of the seeds 1, 2, ..., repeats. The result is
// shown as curves of the scores with bands of one standard error. See [NewSweep].
//
//	ml.Sweep("K", []int{1, 3, 9}, 20, func(k int, seed uint64) ml.Scores {
//		train, test := moons.Split(0.5, seed)
//		return ml.Scores{"test": 1 - ml.Score(ml.Fit(&ml.KNN{K: k}, train), test)}
//	})
func Sweep[V int | float64](axis string, values []V, repeats int, run func(value V, seed uint64) Scores) *Sweeping {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = float64(v)
	}
	if run == nil {
		return NewSweep(axis, x, repeats, nil)
	}
	return NewSweep(axis, x, repeats, func(v float64, seed uint64) Scores { return run(V(v), seed) })
}

// RowsOf returns the rows of a frame as structs: each exported field takes the column named in its
// frame, json or csv tag or, without a tag, the column with the field's own name. See [Frame.Into].
//
//	for _, trip := range ml.RowsOf[Trip](taxis) { ... }
func RowsOf[T any](f *Frame) []T {
	var rows []T
	f.Into(&rows)
	return rows
}

// AggFunc returns an aggregate that you define, for [Groups.Agg] and other verbs that take an
// aggregate. f gets a slice of the non-missing values of a group and returns a number, string or
// bool. The result of a group without values is missing. The name of the result column is the
// argument column with the suffix _own, such as fare_own; rename it with As. See [AggColumn] for
// values of other kinds.
//
//	trips.By("zone").Agg(ml.AggFunc("fare", func(v []float64) float64 { return slices.Max(v) - slices.Min(v) }).As("range"))
func AggFunc[T float64 | int64 | string | bool, R any](column string, f func(values []T) R) Agg {
	return AggColumn(column, func(c *FrameColumn) any {
		var values []T
		switch v := any(&values).(type) {
		case *[]float64:
			*v = c.Floats()
		case *[]int64:
			*v = c.Ints()
		case *[]string:
			*v = c.Strings()
		case *[]bool:
			*v = c.Bools()
		}
		return f(values)
	})
}
