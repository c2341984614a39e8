package verbs

import "github.com/gokernel/gokernel/display/chart"

// Map returns the results of f for each element.
func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// Panels draws a chart for each element and arranges the charts in a grid. See [Grid].
func Panels[T any](xs []T, f func(T) *chart.Chart) *chart.Panels {
	charts := make([]*chart.Chart, len(xs))
	for i, x := range xs {
		charts[i] = f(x)
	}
	return chart.Grid(charts...)
}

// Repeat returns the results of f for the seeds 1, 2, ..., n.
func Repeat[T any](n int, f func(seed uint64) T) []T {
	var out []T
	for seed := 1; seed <= n; seed++ {
		out = append(out, f(uint64(seed)))
	}
	return out
}
