package verbs

import (
	"github.com/gokernel/gokernel/display/calendar"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/geo"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/plot3d"
	"github.com/gokernel/gokernel/display/polar"
)

// Treemap draws parts of a whole as rectangles: Treemap(names, amounts), Treemap(m) for a map, or
// Treemap(f, "continent", "country", "people") for a frame. See [graph.NewTreemap].
func Treemap(data ...any) *graph.Treemap { return graph.NewTreemap(data...) }

// Sankey draws amounts that flow between nodes: Sankey(from, to, amounts), or Sankey(f, "from",
// "to", "amount") for a frame. See [graph.NewSankey].
func Sankey(data ...any) *graph.Sankey { return graph.NewSankey(data...) }

// Scatter3D draws points in space: Scatter3D(x, y, z), Scatter3D(X) for a matrix with three
// columns, or Scatter3D(f, "x", "y", "z") for a frame. A further argument labels the points. See
// [plot3d.Scatter].
func Scatter3D(points ...any) *plot3d.Chart { return plot3d.Scatter(points...) }

// Surface draws z = f(x, y) over a rectangle. See [plot3d.Surface].
func Surface(f func(x, y float64) float64, x0, x1, y0, y1 float64) *plot3d.Chart {
	return plot3d.Surface(f, x0, x1, y0, y1)
}

// Polar draws a line in polar coordinates: Polar(angles, distances), or Polar(f, "angle",
// "distance") for a frame, with angles in radians. Without data, it returns an empty chart, to
// which you can add Points and Line. See [polar.Plot].
func Polar(data ...any) *polar.Chart {
	if len(data) == 0 {
		return polar.New()
	}
	return polar.Plot(data...)
}

// Rose draws amounts as sectors around a circle: Rose(names, amounts), or Rose(degrees), which
// counts directions. It also accepts columns of a frame. See [polar.Rose].
func Rose(data ...any) *polar.Chart { return polar.Rose(data...) }

// Calendar draws a colored square for each day: Calendar(days, values), or Calendar(f, "day",
// "value") for a frame. See [calendar.New].
func Calendar(days ...any) *calendar.Calendar { return calendar.New(days...) }

// Choropleth colors the regions of a GeoJSON document by their values: Choropleth(f, "land",
// "rate").On("lands.geojson") for a frame. It also accepts names and values, or a Go map from names
// to values. See [geo.Choropleth].
func Choropleth(data ...any) *geo.Map { return geo.Choropleth(named(data)...) }

// ScatterMap draws points on a map: ScatterMap(longitudes, latitudes), or ScatterMap(f,
// "longitude", "latitude") for a frame. On("lands.geojson") adds regions below the points. See
// [geo.Scatter].
func ScatterMap(data ...any) *geo.Map { return geo.Scatter(named(data)...) }

// StackedArea draws amounts on top of each other: StackedArea(x, y1, y2 ...), or StackedArea(f,
// "year", "tons").By("crop") for a frame. See [chart.StackedArea].
func StackedArea(data ...any) *chart.Chart { return chart.StackedArea(named(data)...) }

// Lollipop draws a line with a point at its end for each value. It accepts the same data as Bar.
// See [chart.Lollipop].
func Lollipop(data ...any) *chart.Chart { return chart.Lollipop(named(data)...) }

// Slope shows how several values changed: Slope(names, before, after), or Slope(f, "year",
// "rate").By("land") for a frame. See [chart.Slope].
func Slope(data ...any) *chart.Chart { return chart.Slope(named(data)...) }

// ParallelCoordinates draws a parallel axis for each column and, across these axes, a line for each
// row: ParallelCoordinates(f, "a", "b", "c") for a frame, or ParallelCoordinates(X) for a matrix.
// See [chart.ParallelCoordinates].
func ParallelCoordinates(data ...any) *chart.Chart {
	return chart.ParallelCoordinates(named(data)...)
}

// Streamlines draws lines along the vector field (u, v) = f(x, y) over a rectangle. See
// [chart.Streamlines].
func Streamlines(f func(x, y float64) (u, v float64), x0, x1, y0, y1 float64) *chart.Chart {
	return chart.Streamlines(f, x0, x1, y0, y1)
}

// Quiver draws the vector field (u, v) = f(x, y) over a rectangle as arrows. See [chart.Quiver].
func Quiver(f func(x, y float64) (u, v float64), x0, x1, y0, y1 float64) *chart.Chart {
	return chart.Quiver(f, x0, x1, y0, y1)
}
