// Package polar draws in polar coordinates: lines and points at an angle and a distance, and
// roses, which are bars around a circle. The verbs Plot, Scatter and Rose create a chart, and its
// methods add to it.
//
//	polar.Plot(angle, distance)
//	polar.Rose(f, "direction").By("season")
//
// Angles are in radians, counterclockwise from the right. A point with a negative distance is on
// the opposite side: (θ, -r) is (θ+π, r). Roses use degrees, or names, clockwise from the top, as
// compasses do. The areas of their sectors are proportional to the amounts: the distance of an edge
// from the center is proportional to the square root of the amount.
package polar

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// kind is the kind of a mark.
type kind string

const (
	line   kind = "line"
	points kind = "points"
	rose   kind = "rose"
)

// mark is one layer of a chart.
type mark struct {
	kind   kind
	theta  []float64 // for a rose, the number of the sector
	r      []float64
	class  []int // -1 if missing; nil without By
	names  []string
	value  []float64   // values of points on a continuous scale
	ends   *[2]float64 // ends of that scale, if several panels share it
	name   string
	filled bool
}

// Chart is a circle with marks.
type Chart struct {
	reader  variable.Reader
	marks   []mark
	sectors []string // names of the sectors of a rose
	compass bool     // whether the sectors are directions
	title   string
	radial  string // title of the distances
	by      string
	size    float64
	far     float64 // distance at the rim, if several panels share it
	left    int
	err     error
}

// New returns an empty chart.
func New() *Chart { return &Chart{} }

// Plot draws a line through the points at angles theta and distances r: Plot(theta, r), or
// Plot(f, "theta", "r") for a frame. NaN breaks the line.
func Plot(data ...any) *Chart {
	c := New()
	r, args := variable.Begin("polar.Plot", data)
	c.reader = r
	return c.Line(args...)
}

// Scatter draws points at angles theta and distances r: Scatter(theta, r), or Scatter(f, "theta",
// "r") for a frame. A further argument labels the points, as By does.
func Scatter(data ...any) *Chart {
	c := New()
	r, args := variable.Begin("polar.Scatter", data)
	c.reader = r
	if len(args) == 3 {
		return c.Points(args[:2]...).By(args[2])
	}
	return c.Points(args...)
}

// Func draws the curve r(θ) from one angle to another, in radians.
func Func(r func(theta float64) float64, from, to float64) *Chart {
	c := New()
	c.reader.Verb = "polar.Func"
	if !(from < to) || math.IsInf(to-from, 0) {
		return c.fail(fmt.Errorf("polar.Func: from must be below to, got %g and %g", from, to))
	}
	n := int(math.Min(4000, math.Max(200, 120*(to-from))))
	theta, rs := make([]float64, n+1), make([]float64, n+1)
	for i := range theta {
		theta[i] = from + (to-from)*float64(i)/float64(n)
		rs[i] = r(theta[i])
	}
	return c.Line(theta, rs)
}

func (c *Chart) fail(err error) *Chart {
	if c.err == nil {
		c.err = err
	}
	return c
}

// Line adds a line through the points at angles theta and distances r.
func (c *Chart) Line(data ...any) *Chart { return c.add(line, "polar.Line", data) }

// Points adds points at angles theta and distances r.
func (c *Chart) Points(data ...any) *Chart { return c.add(points, "polar.Points", data) }

func (c *Chart) add(k kind, verb string, data []any) *Chart {
	if c.reader.Verb == "" {
		c.reader.Verb = verb
	}
	if len(data) != 2 {
		return c.fail(fmt.Errorf("%s: pass angles in radians and distances, got %d arguments", c.reader.Verb, len(data)))
	}
	theta, err := c.reader.Numbers("the angles", data[0])
	r, err2 := c.reader.Numbers("the distances", data[1])
	if err = errors.Join(err, err2); err == nil {
		err = c.reader.SameLength([]string{"angles", "distances"}, theta, r)
	}
	if err != nil {
		return c.fail(err)
	}
	if c.radial == "" {
		c.radial = r.Name
	}
	c.marks = append(c.marks, mark{kind: k, theta: theta.V, r: r.V})
	return c
}

// last returns the mark that was added last.
func (c *Chart) last(option string) *mark {
	if len(c.marks) == 0 {
		c.fail(fmt.Errorf("polar.%s: the chart has no line, points or rose yet: add one before its options", option))
		c.marks = append(c.marks, mark{kind: points})
	}
	return &c.marks[len(c.marks)-1]
}

// By groups the rows of the mark that was added last. Classes have different colors, and the
// sectors of a rose are split by class. Labels of points can also be numbers, which are mapped to a
// continuous color scale.
func (c *Chart) By(labels any) *Chart {
	m := c.last("By")
	if c.err != nil {
		return c
	}
	col, err := c.reader.Column("the labels", labels)
	if err == nil && len(col.V) != len(m.theta) {
		err = fmt.Errorf("%s: there are %d labels for %d points", c.reader.Verb, len(col.V), len(m.theta))
	}
	if err != nil {
		return c.fail(err)
	}
	class, names, ok := col.Classes()
	switch {
	case ok:
		m.class, m.names = class, names
	case m.kind == points && !col.Times:
		m.value = col.V
	default:
		return c.fail(fmt.Errorf("%s: a %s has no continuous colors: pass names or integers as labels", c.reader.Verb, m.kind))
	}
	c.by = col.Name
	return c
}

// Name sets the name that the legend shows for the mark that was added last.
func (c *Chart) Name(s string) *Chart { c.last("Name").name = guide.Typeset(s); return c }

// Fill joins the ends of the line that was added last and fills the area inside, as in a radar
// chart.
func (c *Chart) Fill() *Chart {
	m := c.last("Fill")
	if m.kind != line && c.err == nil {
		return c.fail(fmt.Errorf("polar.Fill: a mark of the kind %s has no line to fill; draw one with Line, or leave Fill out", m.kind))
	}
	m.filled = true
	return c
}

// Title sets the title above the chart.
func (c *Chart) Title(s string) *Chart { c.title = guide.Typeset(s); return c }

// R sets the title of the radial axis.
func (c *Chart) R(title string) *Chart { c.radial = guide.Typeset(title); return c }

// Size sets the width and height of the circle with its labels, in CSS pixels.
func (c *Chart) Size(side float64) *Chart { c.size = side; return c }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (c *Chart) Save(path string) error { return figure.Save(c, path) }

// Display renders the chart.
func (c *Chart) Display() (display.Bundle, error) {
	f, err := c.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}
