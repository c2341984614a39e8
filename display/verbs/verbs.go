// Package verbs contains the drawing functions that a notebook cell can call without an
// import: Plot(x, y), Table(rows), Describe(data) and others. The functions that do not
// draw (Show, Update, Clear, Progress, Math, Markdown, HTML ...) are in package display
// and are also available in every cell.
//
// Each verb calls a function of a subpackage of display, where its options are documented.
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

// Plot draws a line through (x, y), or through y over 0, 1, 2, ... if only y is given. If y is a
// matrix, Plot draws a line for each column. For a frame, Plot(f, "x", "y") shows the mean at
// each x. See [chart.Plot].
func Plot(data ...any) *chart.Chart { return chart.Plot(named(data)...) }

// Scatter draws points: Scatter(x, y), or Scatter(X) for a matrix. A further argument labels the
// points and colors them by label. Scatter(f, "x", "y") draws columns of a frame, and Scatter(d)
// draws a data set. See [chart.Scatter] and [course.Scatter].
func Scatter(points ...any) *chart.Chart {
	if len(points) == 1 {
		if d, ok := points[0].(*data.Dataset); ok {
			return course.Scatter(d)
		}
	}
	return chart.Scatter(named(points)...)
}

// Hist draws a histogram of values, or of a column: Hist(f, "x"). See [chart.Hist].
func Hist(values ...any) *chart.Chart { return chart.Hist(named(values)...) }

// Bar draws a bar for each y: Bar(y), Bar(names, y), or Bar(m) for a map from names to numbers. For
// a frame, Bar(f, "zone") shows counts, and Bar(f, "zone", "fare") shows means with confidence
// intervals. See [chart.Bar].
func Bar(data ...any) *chart.Chart { return chart.Bar(named(data)...) }

// BoxPlot draws a box for each group of values: BoxPlot(f, "zone", "fare") for a frame. It also
// accepts a map or a matrix. See [chart.BoxPlot].
func BoxPlot(groups ...any) *chart.Chart { return chart.BoxPlot(named(groups)...) }

// Heatmap draws a matrix as colored cells, or Heatmap(f, "row", "column", "value") for a frame.
// See [chart.Heatmap].
func Heatmap(z ...any) *chart.Chart { return chart.Heatmap(named(z)...) }

// Contour draws contour lines of f on a rectangle. See [chart.Contour].
func Contour(f func(x, y float64) float64, x0, x1, y0, y1 float64, levels ...float64) *chart.Chart {
	return chart.Contour(f, x0, x1, y0, y1, levels...)
}

// Func draws the graph of f from lo to hi. See [chart.Func].
func Func(f func(float64) float64, lo, hi float64) *chart.Chart { return chart.Func(f, lo, hi) }

// Chart returns an empty chart, to which its methods add marks. With Chart(f), the marks can
// refer to columns of the frame f by name. See [chart.New] and [chart.Of].
func Chart(data ...chart.Columns) *chart.Chart {
	if len(data) == 0 {
		return chart.New()
	}
	return chart.Of(data[0])
}

// Grid arranges charts in rows and columns. See [chart.Grid].
func Grid(charts ...*chart.Chart) *chart.Panels { return chart.Grid(charts...) }

// Table shows slices of structs or maps, maps, matrices and rows of strings as a table. See
// [table.New].
func Table(data any) *table.Table { return table.New(data) }

// Describe summarizes the columns of the data. See [table.Describe]. For a frame or one of its
// columns, see [frame.Frame.Describe]; for groups, see [frame.Groups.Describe].
func Describe(data any) *table.Table {
	switch v := data.(type) {
	case *frame.Frame:
		return table.New(v.Describe())
	case *frame.Column:
		return table.New(v.Describe())
	case *frame.Groups:
		return table.New(v.Describe())
	}
	return table.Describe(data)
}

// Tree draws a fitted tree, or the tree below a *graph.Node. See [graph.Tree].
func Tree(v any) *graph.Tree { return graph.TreeOf(v) }

// Graph returns an empty directed graph, to which its methods add nodes and edges. See
// [graph.Graph].
func Graph() *graph.Graph { return graph.New() }

var _ = []display.Displayer{(*chart.Chart)(nil), (*chart.Panels)(nil), (*table.Table)(nil), (*graph.Tree)(nil), (*graph.Graph)(nil)}
