package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/keyed"
)

// kind is the kind of a mark.
type kind string

const (
	line    kind = "line"
	points  kind = "points"
	step    kind = "step"
	area    kind = "area"
	bars    kind = "bars"
	hist    kind = "histogram"
	errs    kind = "errors"
	box     kind = "box"
	heat    kind = "heat map"
	contour kind = "contour"
	region  kind = "region"
	vectors kind = "vectors"
	texts   kind = "text"
	rule    kind = "rule"
	polygon kind = "polygon"

	slope    kind = "slope"
	parallel kind = "parallel coordinates"
)

// mark is one layer of a chart: data and how they are drawn.
type mark struct {
	kind   kind
	name   string
	x, y   []float64
	lo, hi []float64 // of areas; of errors around y
	u, v   []float64 // of vectors
	labels []string  // of texts, of boxes
	groups [][]float64
	field  Field
	level  []float64 // of contours
	sure   []float64 // of regions: how sure each cell's class is, in [0, 1]

	class   []int    // of each point; nil when all are alike
	names   []string // of the classes
	given   bool     // these are names of the data, and do not stand for numbers
	value   []float64
	color   *figure.Color
	radius  float64
	width   float64
	alpha   float64 // 0 means the default
	series  int     // of the classes that By made marks of, from 1; 0 for no such mark
	dash    bool
	ring    bool // points are drawn as circles without filling
	bins    int
	scheme  figure.Scheme
	schemed bool // by Scheme

	upright bool // of a rule: vertical
	across  bool // of errors: they are those of x

	f     func(x float64) float64 // of a line that is the graph of a function
	poles bool                    // the graph leaves the picture beside them

	how       string    // how rows of one x are aggregated, asIs when they are not
	bare      bool      // means have no intervals
	yName     string    // of the column of y
	left      int       // rows that are left out
	half      float64   // half of the width of boxes
	beside    bool      // boxes stand beside those of other classes
	size      []float64 // of points, what their areas show; nil when all are alike
	largest   float64   // the largest size, which panels share
	flat      bool      // points have no lines around them
	crowd     int       // the most points that one of several panels has
	sizeName  string
	ungrouped bool // boxes of rows have no x of their own

	est     estimate // what the options of computed marks say
	lead    bool     // the first of several marks of one series
	slot    bool     // stands beside the names of the x axis
	ground  bool     // heights are measured from zero
	ridge   bool     // heights are measured from the names of the y axis
	plain   bool     // of a polygon: without an outline
	pointer bool     // of a text: with a line to its place
	peak    bool     // its name stands at its highest place
	swarm   float64  // half of the place of a swarm, in slots; 0 for other points
	middles []float64
	grown   bool           // the radius of a swarm is not given
	grid    *hexGrid       // of hexagons, where several panels share it
	moments int            // how often the rows of slopes that are slices repeat
	part    bool           // of the rows of one panel of several
	drawn   []figure.Point // of a line, in pixels
	span    *[2]float64    // of the colors of several panels
	lost    leftOut
	bin     *binned // of very many points, in the area

	pile    bool     // an area that lies on others
	stem    bool     // bars are drawn as lines with points
	ends    bool     // texts stand outside of the first and the last position
	unnamed bool     // those at the first one are values without their names
	ticks   bool     // texts are ticks of upright axes
	on      bool     // texts stand on their points
	heads   bool     // only the heads of vectors are drawn
	axes    []column // of parallel coordinates
	summary bool     // drawn only where the chart shows nothing else
	right   bool     // measured on the axis on the right
}

// Field is a function of two variables on a grid: Z holds NY rows of NX values,
// the lowest row first. The grid covers the rectangle from (X0, Y0) to (X1, Y1);
// each value stands for the middle of its cell.
type Field struct {
	NX, NY         int
	X0, X1, Y0, Y1 float64
	Z              []float64
}

// NewField tabulates f on n×n cells of a rectangle.
func NewField(f func(x, y float64) float64, x0, x1, y0, y1 float64, n int) Field {
	g := Field{NX: n, NY: n, X0: x0, X1: x1, Y0: y0, Y1: y1, Z: make([]float64, n*n)}
	for j := range n {
		for i := range n {
			x, y := g.Center(i, j)
			g.Z[j*n+i] = f(x, y)
		}
	}
	return g
}

// Center is the middle of the cell in column i and row j.
func (g Field) Center(i, j int) (x, y float64) {
	return g.X0 + (g.X1-g.X0)*(float64(i)+0.5)/float64(g.NX), g.Y0 + (g.Y1-g.Y0)*(float64(j)+0.5)/float64(g.NY)
}

func (g Field) check(verb string) error {
	switch {
	case g.NX < 1 || g.NY < 1:
		return fmt.Errorf("chart.%s: the field has %d×%d cells; it needs at least one", verb, g.NX, g.NY)
	case len(g.Z) != g.NX*g.NY:
		return fmt.Errorf("chart.%s: the field has %d values for %d×%d cells", verb, len(g.Z), g.NX, g.NY)
	case !(g.X0 < g.X1 && g.Y0 < g.Y1) || !isFinite(g.X1-g.X0) || !isFinite(g.Y1-g.Y0):
		return fmt.Errorf("chart.%s: the field covers x from %g to %g and y from %g to %g; both must ascend", verb, g.X0, g.X1, g.Y0, g.Y1)
	}
	return nil
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

// Line adds a line through the points (x, y), or through y over 0, 1, 2 ... when
// y alone is given. A NaN breaks the line. Of columns of a table the line goes through
// the means at each x, in ascending order of x, with a band for their intervals; where
// all values of an x are missing it has a gap.
func (c *Chart) Line(data ...any) *Chart {
	if xs, ys, ok := c.series("Line", data); ok {
		c.add(mark{kind: line, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// aggregateNamed lets the mark added last show means when its data are an x and a y
// that are named columns, and keeps the name of y.
func (c *Chart) aggregateNamed(data []any) {
	m := &c.marks[len(c.marks)-1]
	if name, ok := data[len(data)-1].(string); ok {
		m.yName = name
		if len(data) == 2 && m.kind != points {
			m.how = mean
		}
	}
}

// Points adds points at (x, y), or at y over 0, 1, 2 ... when y alone is given.
func (c *Chart) Points(data ...any) *Chart {
	if xs, ys, ok := c.series("Points", data); ok {
		c.add(mark{kind: points, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// Step adds a line that keeps each y until the next x.
func (c *Chart) Step(data ...any) *Chart {
	if xs, ys, ok := c.series("Step", data); ok {
		c.add(mark{kind: step, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// Area fills the band between lo and hi over x; lo may be a single number.
func (c *Chart) Area(x, lo, hi any) *Chart {
	xs, his, ok := c.pair("Area", x, hi)
	if !ok {
		return c
	}
	los := make([]float64, len(xs))
	switch l := lo.(type) {
	case int:
		for i := range los {
			los[i] = float64(l)
		}
	case float64:
		for i := range los {
			los[i] = l
		}
	default:
		col, err := c.column("Area", "lo", lo)
		if err == nil && len(col.v) != len(xs) {
			err = fmt.Errorf("chart.Area: x has %d values, lo has %d; they must be equally long", len(xs), len(col.v))
		}
		if err != nil {
			c.fail(err)
			return c
		}
		los = col.v
	}
	return c.add(mark{kind: area, x: xs, lo: los, hi: his})
}

// Bars adds a bar of height y at each x, which may be names. Several calls put
// their bars side by side, or on top of each other after Stacked. Names alone are
// counted. Of columns of a table the bars show the means of y at each x, with their
// intervals; see Aggregate.
func (c *Chart) Bars(data ...any) *Chart {
	if len(data) == 1 {
		col, err := c.column("Bars", "y", data[0])
		if err != nil {
			c.fail(err)
			return c
		}
		if _, named := data[0].(string); named || col.levels != nil {
			c.y.defaultTitle, c.y.whole = "count", true
			return c.add(mark{kind: bars, x: c.x.take(col), y: make([]float64, len(col.v)), how: count})
		}
	}
	if xs, ys, ok := c.series("Bars", data); ok {
		c.add(mark{kind: bars, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// Hist adds a histogram of the values. Several histograms of a chart share their
// bins, whose number Bins sets. Names are counted.
func (c *Chart) Hist(values any) *Chart {
	col, err := c.column("Hist", "values", values)
	if err != nil {
		c.fail(err)
		return c
	}
	if col.levels != nil {
		return c.Bars(values)
	}
	c.y.defaultTitle, c.y.whole = "count", !c.density
	return c.add(mark{kind: hist, x: c.x.take(col)})
}

// Errors adds an error bar from y-e to y+e at each x; where the y are names, from x-e to
// x+e at each of them.
func (c *Chart) Errors(x, y, e any) *Chart {
	xs, ys, ok := c.pair("Errors", x, y)
	if !ok {
		return c
	}
	col, err := c.column("Errors", "e", e)
	if err == nil && len(col.v) != len(xs) {
		err = fmt.Errorf("chart.Errors: x has %d values, e has %d; they must be equally long", len(xs), len(col.v))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	lo, hi := make([]float64, len(xs)), make([]float64, len(xs))
	across := c.y.levels != nil
	if across && c.x.levels != nil {
		c.fail(errors.New("chart.Errors: x and y are names; one of them must be numbers"))
		return c
	}
	for i, d := range col.v {
		middle := ys[i]
		if across {
			middle = xs[i]
		}
		lo[i], hi[i] = middle-math.Abs(d), middle+math.Abs(d)
	}
	return c.add(mark{kind: errs, x: xs, y: ys, lo: lo, hi: hi, across: across})
}

// Box adds a box plot for each group: a box between the quartiles, a line at the
// median, whiskers to the furthest value within 1.5 times the box, points beyond.
// The groups are a map to slices of numbers, in the order of its keys, a matrix (a box
// for each column) or a slice of slices; Names names the boxes of the latter two. One
// slice of numbers is one box until By tells its values apart; a slice of groups and
// one of values, or names of such columns, give a box for each group.
func (c *Chart) Box(data ...any) *Chart {
	if len(data) == 0 || len(data) > 2 {
		c.fail(fmt.Errorf("chart.Box: %d arguments; give groups, values, or the group of each value and the values", len(data)))
		return c
	}
	if len(data) == 2 || isColumn(data[0]) {
		return c.boxRows(data)
	}
	m, named := mark{kind: box, half: 0.28}, false
	switch g := data[0].(type) {
	case [][]float64:
		m.groups = g
	default:
		if v := reflect.ValueOf(g); v.Kind() == reflect.Map {
			var err error
			if m.groups, m.labels, err = mapGroups("Box", v); err != nil {
				c.fail(err)
				return c
			}
			named = true
			break
		}
		t, err := matrixOf("Box", "groups", g)
		if err != nil {
			c.fail(err)
			return c
		}
		_, cols := t.Dims()
		for j := range cols {
			m.groups = append(m.groups, columnAt(t, j))
		}
		if n, ok := g.(columnNamer); ok {
			m.labels, named = n.ColumnNames(), true
		}
	}
	for i := range m.groups {
		m.x = append(m.x, float64(i))
		if i >= len(m.labels) {
			m.labels = append(m.labels, fmt.Sprint(i+1))
		}
	}
	c.x.levels, c.x.given = append([]string(nil), m.labels...), named
	return c.add(m)
}

// isColumn reports whether data is one variable.
func isColumn(data any) bool {
	switch data.(type) {
	case string, []float64, oneColumn:
		return true
	}
	return false
}

// boxRows adds boxes of values with a group for each, or of values alone.
func (c *Chart) boxRows(data []any) *Chart {
	values, err := c.column("Box", "the values", data[len(data)-1])
	if err == nil && values.levels != nil {
		err = errors.New("chart.Box: the values are names; boxes are of numbers")
	}
	if err != nil {
		c.fail(err)
		return c
	}
	m := mark{kind: box, x: make([]float64, len(values.v)), y: c.y.take(values), ungrouped: len(data) == 1}
	if m.ungrouped {
		name := "1"
		if values.name != "" {
			name, c.y.defaultTitle = values.name, ""
		}
		m.labels = []string{name}
		c.x.levels = []string{name}
		return c.add(m)
	}
	groups, err := c.column("Box", "the groups", data[0])
	if err == nil && len(groups.v) != len(values.v) {
		err = fmt.Errorf("chart.Box: there are %d groups for %d values", len(groups.v), len(values.v))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	groups, ok := groups.named()
	if !ok {
		c.fail(errors.New("chart.Box: the groups measure something; give names or whole numbers"))
		return c
	}
	m.x = c.x.take(groups)
	return c.add(m)
}

// Heat adds a matrix as colored cells, the first row on top. Cells of a small
// matrix show their number.
func (c *Chart) Heat(z any) *Chart {
	if v := reflect.ValueOf(z); v.Kind() == reflect.Map {
		entries := keyed.Sorted(v)
		if maps, ok := innerMaps(entries); ok {
			t, columns, err := tableOfMaps("Heat", maps)
			if err != nil {
				c.fail(err)
				return c
			}
			c.Heat(t)
			c.x.levels, c.x.given, c.y.levels, c.y.given = columns, true, namesOf(entries), true
			return c
		}
	}
	m, err := matrixOf("Heat", "z", z)
	if err != nil {
		c.fail(err)
		return c
	}
	r, k := m.Dims()
	if r < 1 || k < 1 {
		return c.add(mark{kind: points}) // the empty frame
	}
	f := Field{NX: k, NY: r, X0: -0.5, X1: float64(k) - 0.5, Y0: -0.5, Y1: float64(r) - 0.5, Z: make([]float64, 0, r*k)}
	for i := range r {
		for j := range k {
			f.Z = append(f.Z, m.At(i, j))
		}
	}
	c.y.reverse = true
	c.x.whole, c.y.whole = true, true
	return c.add(mark{kind: heat, field: f, scheme: figure.Viridis})
}

// HeatField adds a field as colored cells, without numbers in them.
func (c *Chart) HeatField(f Field) *Chart {
	if err := f.check("HeatField"); err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: heat, field: f, scheme: figure.Viridis})
}

// Contour adds the lines on which the field takes the given levels, or about
// ten round ones without levels.
func (c *Chart) Contour(f Field, levels ...float64) *Chart {
	err := f.check("Contour")
	if err == nil && (f.NX < 2 || f.NY < 2) {
		err = fmt.Errorf("chart.Contour: the field has %d×%d cells; it needs at least 2×2", f.NX, f.NY)
	}
	if err != nil {
		c.fail(err)
		return c
	}
	if len(levels) == 0 {
		lo, hi := bounds(f.Z)
		for _, t := range niceTicks(lo, hi, 12) {
			if t > lo && t < hi {
				levels = append(levels, t)
			}
		}
	}
	return c.add(mark{kind: contour, field: f, level: levels, scheme: figure.Viridis})
}

// Region colors the cells of a field by the class that Z holds (0, 1, 2 ..., -1
// for none). sure, if not nil, holds how sure each cell's class is: from 0, pale,
// to 1. Names names the classes.
func (c *Chart) Region(f Field, sure []float64) *Chart {
	err := f.check("Region")
	if err == nil && sure != nil && len(sure) != len(f.Z) {
		err = fmt.Errorf("chart.Region: sure has %d values for %d cells", len(sure), len(f.Z))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: region, field: f, sure: sure})
}

// Vectors adds an arrow at each (x, y) in the direction (u, v). The longest arrow
// is about as long as the distance between neighbors.
func (c *Chart) Vectors(x, y, u, v any) *Chart {
	xs, ys, ok := c.pair("Vectors", x, y)
	if !ok {
		return c
	}
	cu, err := c.column("Vectors", "u", u)
	cv, err2 := c.column("Vectors", "v", v)
	switch {
	case err != nil:
	case err2 != nil:
		err = err2
	case len(cu.v) != len(xs) || len(cv.v) != len(xs):
		err = fmt.Errorf("chart.Vectors: x has %d values, u has %d, v has %d; they must be equally long", len(xs), len(cu.v), len(cv.v))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: vectors, x: xs, y: ys, u: cu.v, v: cv.v})
}

// Label writes a text beside each (x, y).
func (c *Chart) Label(x, y any, labels []string) *Chart {
	xs, ys, ok := c.pair("Label", x, y)
	if !ok {
		return c
	}
	if len(labels) != len(xs) {
		c.fail(fmt.Errorf("chart.Label: x has %d values, there are %d labels; they must be equally many", len(xs), len(labels)))
		return c
	}
	return c.add(mark{kind: texts, x: xs, y: ys, labels: labels})
}

// Centered writes the labels added last on their points instead of beside them, such as
// a number into the middle of an area.
func (c *Chart) Centered() *Chart {
	m := c.last("Centered")
	if m.kind != texts || m.pointer {
		c.fail2(fmt.Errorf("chart.Centered: a %s has no labels; add some with Label", m.kind))
		return c
	}
	m.on = true
	return c
}

// HRule adds a horizontal line across the chart at each y.
func (c *Chart) HRule(y ...float64) *Chart { return c.add(mark{kind: rule, y: y}) }

// VRule adds a vertical line across the chart at each x.
func (c *Chart) VRule(x ...float64) *Chart { return c.add(mark{kind: rule, x: x, upright: true}) }

// Polygon adds a closed, lightly filled shape with the corners (x, y).
func (c *Chart) Polygon(x, y any) *Chart {
	if xs, ys, ok := c.pair("Polygon", x, y); ok {
		c.add(mark{kind: polygon, x: xs, y: ys})
	}
	return c
}
