package chart

import (
	"fmt"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// mark is one layer of a chart: data, and how its kind draws them.
type mark struct {
	kind   kind
	name   string
	x, y   []float64
	lo, hi []float64 // bounds of areas, and of errors around y
	u, v   []float64 // components of vectors
	labels []string  // texts, or labels of boxes
	groups [][]float64
	field  Field
	level  []float64 // levels of contours
	sure   []float64 // confidence of regions: how sure the class of each cell is, in [0, 1]

	class   []int    // class of each point; nil when all are alike
	names   []string // names of the classes
	given   bool     // these are names in the data, and not numbers written as names
	value   []float64
	color   *figure.Color
	radius  float64
	width   float64
	alpha   float64 // 0 means the default
	series  int     // the number, from 1, of the class that By made this mark of; 0 for others
	dash    bool
	ring    bool // points are drawn as circles without filling
	bins    int
	scheme  figure.Scheme
	schemed bool // set by Scheme

	upright bool // whether a rule is vertical
	across  bool // whether errors are those of x

	f     func(x float64) float64 // function of a line that is the graph of a function
	poles bool                    // the graph has poles, beside which it leaves the area

	how       string    // how rows with the same x are aggregated, asIs when they are not
	bare      bool      // means have no intervals
	yName     string    // name of the column of y
	left      int       // rows that are left out
	half      float64   // half of the width of boxes
	beside    bool      // boxes are beside those of other classes
	size      []float64 // values that the areas of points show; nil when all are alike
	largest   float64   // the largest size, which panels share
	flat      bool      // points have no lines around them
	crowd     int       // the largest number of points in one of several panels
	sizeName  string
	ungrouped bool // boxes of rows have no x of their own

	est     estimate // the options of computed marks
	lead    bool     // the first of several marks of one series
	slot    bool     // is beside the names of the x axis
	ground  bool     // heights are measured from zero
	ridge   bool     // heights are measured from the names of the y axis
	plain   bool     // whether a polygon has no outline
	pointer bool     // whether a line leads from a text to its place
	peak    bool     // its name is at its highest place
	swarm   float64  // half of the width of a swarm, in slots; 0 for other points
	middles []float64
	grown   bool           // the radius of a swarm is not given
	grid    *hexGrid       // grid of hexagons that several panels share
	moments int            // how often the rows of slopes that are slices repeat
	part    bool           // the data are rows of one of several panels
	drawn   []figure.Point // points of a line as drawn, in pixels
	span    *[2]float64    // range of the colors of several panels
	lost    leftOut
	bin     *binned // the counts of very many points, in the area

	pile    bool     // an area that lies on others
	stem    bool     // bars are drawn as lines with points
	ends    bool     // texts are outside of the first and the last position
	unnamed bool     // texts at the first position are values without names
	ticks   bool     // texts are ticks of upright axes
	on      bool     // texts are on their points
	heads   bool     // only the heads of vectors are drawn
	axes    []column // axes of parallel coordinates
	summary bool     // drawn only where the chart shows nothing else
	right   bool     // measured on the axis on the right
}

// pair reads x and y of equal length and lets their levels or times set the axes.
func (c *Chart) pair(verb string, x, y any) (xs, ys []float64, ok bool) {
	return c.pairOf(verb, x, y, false)
}

// pairOf is pair, in which booleans in y may be 0 and 1, since their means are shares.
func (c *Chart) pairOf(verb string, x, y any, shares bool) (xs, ys []float64, ok bool) {
	cx, err := c.column(verb, "x", x)
	if err != nil {
		return nil, nil, c.fail(err)
	}
	cy, err := c.column(verb, "y", y)
	if err != nil {
		return nil, nil, c.fail(err)
	}
	if len(cx.v) != len(cy.v) {
		return nil, nil, c.fail(fmt.Errorf("chart.%s: x has %d values, y has %d; they must be equally long", verb, len(cx.v), len(cy.v)))
	}
	if shares {
		cy = cy.shares()
	}
	return c.x.take(cx), c.y.take(cy), true
}

// series reads either y alone, over 0, 1, 2 ..., or x and y.
func (c *Chart) series(verb string, data []any) (xs, ys []float64, ok bool) {
	switch len(data) {
	case 1:
		cy, err := c.column(verb, "y", data[0])
		if err != nil {
			return nil, nil, c.fail(err)
		}
		xs = make([]float64, len(cy.v))
		for i := range xs {
			xs[i] = float64(i)
		}
		return c.x.take(column{v: xs}), c.y.take(cy), true
	case 2:
		_, named := data[1].(string)
		return c.pairOf(verb, data[0], data[1], named && verb != "Points")
	}
	return nil, nil, c.fail(fmt.Errorf("chart.%s: %d arguments; give y, or x and y", verb, len(data)))
}

func (c *Chart) fail(err error) bool {
	if c.err == nil {
		c.err = err
	}
	// Options that follow still need a mark to apply to.
	c.add(mark{kind: texts})
	return false
}

func (c *Chart) add(m mark) *Chart {
	c.marks = append(c.marks, m)
	return c
}

// aggregateNamed lets the mark added last show means when its data are an x and a y
// that are named columns, and keeps the name of y.
func (c *Chart) aggregateNamed(data []any) {
	m := &c.marks[len(c.marks)-1]
	if name, ok := data[len(data)-1].(string); ok {
		m.yName = name
		if len(data) == 2 && m.kind.takes(m, "Aggregate") {
			m.how = mean
		}
	}
}

// isColumn reports whether data is one variable.
func isColumn(data any) bool {
	switch data.(type) {
	case string, []float64, oneColumn:
		return true
	}
	return false
}

// subset keeps the points of a mark for which keep holds.
func (m mark) subset(keep func(int) bool) mark {
	n := len(m.x)
	floats := func(v []float64) []float64 {
		if len(v) != n {
			return v
		}
		return variable.Kept(v, keep)
	}
	if len(m.class) == n {
		m.class = variable.Kept(m.class, keep)
	}
	if len(m.labels) == n {
		m.labels = variable.Kept(m.labels, keep)
	}
	y, lo, hi, u, v, value := floats(m.y), floats(m.lo), floats(m.hi), floats(m.u), floats(m.v), floats(m.value)
	m.size = floats(m.size)
	m.x = floats(m.x)
	m.y, m.lo, m.hi, m.u, m.v, m.value = y, lo, hi, u, v, value
	return m
}
