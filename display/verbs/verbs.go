// Package verbs holds what a notebook cell can call to draw, without an import:
// Plot(x, y), Table(rows), Describe(data) and their like. The verbs that need no
// drawing (Show, Update, Clear, Progress, Math, Markdown, HTML ...) are those of
// package display, which stand in every cell too.
//
// Each verb is a thin function over a subpackage of display, where its options
// are documented.
package verbs

import (
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/frame"
)

// Plot draws a line through (x, y), or through y over 0, 1, 2 ... when y alone is
// given. A matrix as y gives a line for each of its columns; Plot(f, "x", "y") of a
// frame shows the means at each x. See [chart.Plot].
func Plot(data ...any) *chart.Chart { return chart.Plot(named(data)...) }

// Scatter draws points: Scatter(x, y), or Scatter(X) of a matrix; one more
// argument labels the points, which colors them. Scatter(f, "x", "y") draws columns of
// a frame, Scatter(d) a data set. See
// [chart.Scatter] and [course.Scatter].
func Scatter(points ...any) *chart.Chart {
	if len(points) == 1 {
		if d, ok := points[0].(*data.Dataset); ok {
			return course.Scatter(d)
		}
	}
	return chart.Scatter(named(points)...)
}

// Hist draws a histogram of the values, or Hist(f, "x") of a column. See [chart.Hist].
func Hist(values ...any) *chart.Chart { return chart.Hist(named(values)...) }

// Bar draws a bar for each y: Bar(y), Bar(names, y), or a map from names to
// numbers. Bar(f, "zone") of a frame counts, Bar(f, "zone", "fare") shows means with
// their intervals. See [chart.Bar].
func Bar(data ...any) *chart.Chart { return chart.Bar(named(data)...) }

// BoxPlot draws a box for each group of values: of a map, of a matrix, or
// BoxPlot(f, "zone", "fare") of a frame. See [chart.BoxPlot].
func BoxPlot(groups ...any) *chart.Chart { return chart.BoxPlot(named(groups)...) }

// Heatmap draws a matrix as colored cells, or Heatmap(f, "row", "column", "value") of a
// frame. See [chart.Heatmap].
func Heatmap(z ...any) *chart.Chart { return chart.Heatmap(named(z)...) }

// Contour draws the level lines of f on a rectangle. See [chart.Contour].
func Contour(f func(x, y float64) float64, x0, x1, y0, y1 float64, levels ...float64) *chart.Chart {
	return chart.Contour(f, x0, x1, y0, y1, levels...)
}

// Func draws the graph of f from lo to hi. See [chart.Func].
func Func(f func(float64) float64, lo, hi float64) *chart.Chart { return chart.Func(f, lo, hi) }

// Chart starts an empty chart, to which its methods add marks; Chart(f) of a frame,
// whose columns they then name. See [chart.New] and [chart.Of].
func Chart(data ...chart.Columns) *chart.Chart {
	if len(data) == 0 {
		return chart.New()
	}
	return chart.Of(data[0])
}

// Grid puts charts beside and below each other. See [chart.Grid].
func Grid(charts ...*chart.Chart) *chart.Panels { return chart.Grid(charts...) }

// Table shows slices of structs or maps, maps, matrices and rows of strings as a
// table. See [table.New].
func Table(data any) *table.Table { return table.New(data) }

// Describe summarizes the columns of the data. See [table.Describe]; of a frame or one
// of its columns, [frame.Frame.Describe].
func Describe(data any) *table.Table {
	switch v := data.(type) {
	case *frame.Frame:
		return table.New(v.Describe())
	case *frame.Column:
		return table.New(v.Describe())
	}
	return table.Describe(data)
}

// Tree draws a fitted tree, or the tree below a *graph.Node. See [graph.Tree].
func Tree(v any) *graph.Tree { return graph.TreeOf(v) }

// Graph starts a directed graph, to which its methods add nodes and edges. See
// [graph.Graph].
func Graph() *graph.Graph { return graph.New() }

var _ = []display.Displayer{(*chart.Chart)(nil), (*chart.Panels)(nil), (*table.Table)(nil), (*graph.Tree)(nil), (*graph.Graph)(nil)}
