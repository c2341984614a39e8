package chart

import (
	"fmt"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// mark is one layer of a chart: data, and the kind that draws them.
type mark struct {
	kind kind
	name string
	style
	means
	measured

	x, y   []float64
	lo, hi []float64 // of areas; of errors around y
	labels []string  // of texts, of boxes
	value  []float64
	class  []int    // of each point; nil when all are alike
	names  []string // of the classes
	given  bool     // the names are from the data, not numbers written as names

	series int         // number of the class for which By made this mark, from 1; 0 for other marks
	lead   bool        // the first of several marks of one series
	part   bool        // holds the rows of one of several panels
	crowd  int         // the largest number of points in one of several panels
	span   *[2]float64 // range of the color scale that several panels share
	left   int         // rows that are left out
	lost   leftOut
	right  bool // measured on the axis on the right

	sample *sample // the values that a computed curve summarizes; nil for other marks

	est estimate // options of computed marks
	own any      // data specific to the kind; read it with own, change it with edit
}

// style is how a mark looks.
type style struct {
	color   *figure.Color
	radius  float64
	width   float64
	alpha   float64 // 0 means the default
	dash    bool
	ring    bool // points are drawn as circles without filling
	scheme  figure.Scheme
	schemed bool // by Scheme
}

// means is how rows with the same x are combined into one number.
type means struct {
	how   string // the aggregate, asIs when rows are not aggregated
	bare  bool   // means have no intervals
	yName string // of the column of y
}

// measured is the baseline from which heights are measured.
type measured struct {
	slot   bool // from beside the names of the x axis
	ground bool // from zero
	ridge  bool // from the names of the y axis
}

// own returns the data specific to the kind of a mark, or the zero value for a mark of another
// kind. It must not be changed, since copies of a mark share it.
func own[T any](m *mark) *T {
	if d, ok := m.own.(*T); ok {
		return d
	}
	return new(T)
}

// edit changes the data specific to the kind of a mark, without changing copies of the mark.
func edit[T any](m *mark, change func(*T)) {
	d := *own[T](m)
	change(&d)
	m.own = &d
}

// rowData is implemented by data of a kind with a value for each of n rows.
type rowData interface {
	subset(n int, keep func(int) bool) any
}

// pair reads x and y of equal length and lets their levels or times set the axes.
func (c *Chart) pair(verb string, x, y any) (xs, ys []float64, ok bool) {
	return c.pairOf(verb, x, y, false)
}

// pairOf is like pair, but can convert booleans in y to 0 and 1, whose means are proportions.
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
	return nil, nil, c.fail(fmt.Errorf("chart.%s: give y, or x and y, got %d arguments", verb, len(data)))
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

// aggregateNamed lets the mark added last show means if its x and y are named columns, and keeps
// the name of y.
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

// subset returns a mark with only the points for which keep returns true.
func (m mark) subset(keep func(int) bool) mark {
	n := len(m.x)
	floats := func(v []float64) []float64 { return kept(v, n, keep) }
	if len(m.class) == n {
		m.class = variable.Kept(m.class, keep)
	}
	if len(m.labels) == n {
		m.labels = variable.Kept(m.labels, keep)
	}
	if d, ok := m.own.(rowData); ok {
		m.own = d.subset(n, keep)
	}
	y, lo, hi, value := floats(m.y), floats(m.lo), floats(m.hi), floats(m.value)
	m.x = floats(m.x)
	m.y, m.lo, m.hi, m.value = y, lo, hi, value
	return m
}

// kept returns the values of the rows for which keep returns true. A slice without one value per
// row is returned whole.
func kept(v []float64, n int, keep func(int) bool) []float64 {
	if len(v) != n {
		return v
	}
	return variable.Kept(v, keep)
}
