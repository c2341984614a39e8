// Package plot3d draws points and surfaces in space, in parallel projection with hidden parts
// removed. The verbs Scatter and Surface create a chart, and its methods add to it.
//
//	plot3d.Scatter(f, "length", "width", "height").By("species")
//	plot3d.Surface(func(x, y float64) float64 { return x*x - y*y }, -1, 1, -1, 1)
//
// A surface over a grid is painted cell by cell from back to front. This is exact: any two cells
// are separated by a vertical plane along a grid line, and nothing on the far side of a plane
// hides anything on the near side. A point is painted with the cell above or below it. It is
// painted after the cell, unless the line from the point to the eye meets the cell.
package plot3d

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Limits of a chart.
const (
	mostPoints  = 20000
	mostCells   = 200 // maximum number of cells in one direction
	surfaceGrid = 40  // cells of a function's surface in one direction
)

// Chart holds points and at most one surface in space.
type Chart struct {
	reader      variable.Reader
	sets        []set
	surface     *surface
	title       string
	axes        [3]string
	azimuth     float64 // degrees
	elevation   float64
	w, h        float64
	interactive bool
	ranges      *[3]range3 // ranges of the axes, if several panels share them
	err         error
}

// set is points that were added together.
type set struct {
	p      [3][]float64
	by     variable.Column // labels of By
	class  []int
	names  []string
	ends   *[2]float64 // range of the color scale, if several panels share it
	radius float64
}

// surface is a function on a grid: z[j][i] is the height at (x[i], y[j]).
type surface struct {
	x, y []float64
	z    [][]float64
}

// New returns an empty chart.
func New() *Chart { return &Chart{azimuth: -55, elevation: 25} }

// Scatter draws points: Scatter(x, y, z) for three variables, Scatter(X) for the first three
// columns of a matrix, or Scatter(f, "x", "y", "z") for a frame. A further argument labels the
// points, as By does.
func Scatter(data ...any) *Chart {
	c := New()
	r, args := variable.Begin("plot3d.Scatter", data)
	c.reader = r
	if len(args) == 1 || len(args) == 2 {
		if m, ok := args[0].(matrix); ok && !variable.IsNil(args[0]) {
			cols, err := firstColumns(m)
			if err != nil {
				return c.fail(err)
			}
			if n, ok := args[0].(interface{ ColumnNames() []string }); ok && len(n.ColumnNames()) > 2 {
				copy(c.axes[:], n.ColumnNames())
			}
			args = append(cols, args[1:]...)
		}
	}
	if len(args) != 3 && len(args) != 4 {
		return c.fail(fmt.Errorf("plot3d.Scatter: pass x, y and z, or a matrix with three columns, and optionally labels, got %d arguments", len(args)))
	}
	c.Points(args[0], args[1], args[2])
	if len(args) == 4 {
		c.By(args[3])
	}
	return c
}

// matrix has the methods of gonum matrices that Scatter uses.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

func firstColumns(m matrix) ([]any, error) {
	r, k := m.Dims()
	if k < 3 {
		return nil, fmt.Errorf("plot3d.Scatter: the matrix must have three columns, got %s", guide.Plural(k, "column", "columns"))
	}
	out := make([]any, 3)
	for j := range out {
		v := make([]float64, r)
		for i := range v {
			v[i] = m.At(i, j)
		}
		out[j] = v
	}
	return out, nil
}

// Surface draws z = f(x, y) over a rectangle.
func Surface(f func(x, y float64) float64, x0, x1, y0, y1 float64) *Chart {
	c := New()
	if !(x0 < x1 && y0 < y1) || math.IsInf(x1-x0, 0) || math.IsInf(y1-y0, 0) {
		return c.fail(fmt.Errorf("plot3d.Surface: x and y must ascend, got x from %g to %g and y from %g to %g", x0, x1, y0, y1))
	}
	s := &surface{x: make([]float64, surfaceGrid+1), y: make([]float64, surfaceGrid+1)}
	for i := range s.x {
		t := float64(i) / surfaceGrid
		s.x[i], s.y[i] = x0+(x1-x0)*t, y0+(y1-y0)*t
	}
	for _, y := range s.y {
		row := make([]float64, len(s.x))
		for i, x := range s.x {
			row[i] = f(x, y)
		}
		s.z = append(s.z, row)
	}
	c.surface = s
	return c
}

// SurfaceOf draws heights on a grid: z[j][i] is the height at (x[i], y[j]). x and y must be in
// ascending order.
func SurfaceOf(x, y []float64, z [][]float64) *Chart {
	c := New()
	if len(x) < 2 || len(y) < 2 || len(x) > mostCells+1 || len(y) > mostCells+1 {
		return c.fail(fmt.Errorf("plot3d.SurfaceOf: the grid is %d×%d; give 2 to %d values in each direction", len(x), len(y), mostCells+1))
	}
	if len(z) != len(y) {
		return c.fail(fmt.Errorf("plot3d.SurfaceOf: there are %d rows of z for %d values of y", len(z), len(y)))
	}
	for j, row := range z {
		if len(row) != len(x) {
			return c.fail(fmt.Errorf("plot3d.SurfaceOf: row %d of z has %d values, x has %d", j, len(row), len(x)))
		}
	}
	for what, v := range map[string][]float64{"x": x, "y": y} {
		for i := 1; i < len(v); i++ {
			if !(v[i-1] < v[i]) || !finite(v[i-1], v[i]) {
				return c.fail(fmt.Errorf("plot3d.SurfaceOf: %s does not ascend: %g comes before %g", what, v[i-1], v[i]))
			}
		}
	}
	c.surface = &surface{x, y, z}
	return c
}

func (c *Chart) fail(err error) *Chart {
	if c.err == nil {
		c.err = err
	}
	return c
}

// Points adds points at (x, y, z).
func (c *Chart) Points(x, y, z any) *Chart {
	if c.reader.Verb == "" {
		c.reader.Verb = "plot3d.Points"
	}
	var cols [3]variable.Column
	for k, data := range []any{x, y, z} {
		col, err := c.reader.Numbers([]string{"x", "y", "z"}[k], data)
		if err != nil {
			return c.fail(err)
		}
		if c.axes[k] == "" {
			c.axes[k] = col.Name
		}
		cols[k] = col
	}
	if err := c.reader.SameLength([]string{"values of x", "values of y", "values of z"}, cols[:]...); err != nil {
		return c.fail(err)
	}
	c.sets = append(c.sets, set{p: [3][]float64{cols[0].V, cols[1].V, cols[2].V}})
	return c
}

// By sets the colors of the points that were added last. Classes (names or integers) have different
// colors and shapes; other numbers are mapped to a continuous color scale.
func (c *Chart) By(labels any) *Chart {
	if c.err != nil {
		return c
	}
	if len(c.sets) == 0 {
		return c.fail(errors.New("plot3d.By: there are no points to color: call Points first (By doesn't color a surface, whose colors show the height)"))
	}
	s := &c.sets[len(c.sets)-1]
	col, err := c.reader.Column("the labels", labels)
	if err == nil && len(col.V) != len(s.p[0]) {
		err = fmt.Errorf("plot3d.By: there are %d labels for %d points", len(col.V), len(s.p[0]))
	}
	if err == nil && col.Times {
		err = errors.New("plot3d.By: the labels must be classes or numbers, got times")
	}
	if err != nil {
		return c.fail(err)
	}
	s.by = col
	s.class, s.names, _ = col.Classes()
	return c
}

// Radius sets the radius of the points that were added last, in CSS pixels.
func (c *Chart) Radius(r float64) *Chart {
	if c.err != nil {
		return c
	}
	if len(c.sets) == 0 {
		return c.fail(errors.New("plot3d.Radius: there are no points yet: add points first, or omit Radius"))
	}
	c.sets[len(c.sets)-1].radius = r
	return c
}

// Title sets the title above the chart.
func (c *Chart) Title(s string) *Chart { c.title = guide.Typeset(s); return c }

// X sets the title of the x axis.
func (c *Chart) X(title string) *Chart { c.axes[0] = guide.Typeset(title); return c }

// Y sets the title of the y axis.
func (c *Chart) Y(title string) *Chart { c.axes[1] = guide.Typeset(title); return c }

// Z sets the title of the z axis.
func (c *Chart) Z(title string) *Chart { c.axes[2] = guide.Typeset(title); return c }

// View sets the direction of the eye in degrees. The azimuth is the angle around the z axis: 0 is
// the side of large x, 90 the side of large y. The elevation is the angle above the floor,
// between -89 and 89.
func (c *Chart) View(azimuth, elevation float64) *Chart {
	if !finite(azimuth) {
		return c.fail(fmt.Errorf("plot3d.View: the azimuth must be a finite number of degrees, got %g", azimuth))
	}
	if !finite(elevation) || math.Abs(elevation) > 89 {
		return c.fail(fmt.Errorf("plot3d.View: the elevation must be between -89 and 89 degrees, got %g", elevation))
	}
	c.azimuth, c.elevation = azimuth, elevation
	return c
}

// Size sets the width and height of the whole figure in CSS pixels.
func (c *Chart) Size(w, h float64) *Chart { c.w, c.h = w, h; return c }

// Interactive adds a page on which the reader can rotate the chart by dragging or with the arrow
// keys. At first it shows the same image.
func (c *Chart) Interactive() *Chart { c.interactive = true; return c }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (c *Chart) Save(path string) error { return figure.Save(c, path) }

// Display renders the chart.
func (c *Chart) Display() (display.Bundle, error) {
	s, err := c.scene()
	if err != nil {
		return display.Bundle{}, err
	}
	f := s.figure()
	b, err := f.Display()
	if err != nil || !c.interactive {
		return b, err
	}
	b.Data[display.MIMEHTML] = s.page(b.Data[display.MIMESVG].(string))
	return b, nil
}

// Figure draws the chart without rendering it to a format.
func (c *Chart) Figure() (*figure.Figure, error) {
	s, err := c.scene()
	if err != nil {
		return nil, err
	}
	return s.figure(), nil
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
