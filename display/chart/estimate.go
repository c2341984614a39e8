package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/keyed"
	"github.com/gokernel/gokernel/display/internal/stat"
)

// densityPlaces is the number of points at which a density is computed.
const densityPlaces = 256

// factor returns the bandwidth for n rows of d variables as a multiple of the standard deviation.
func (e estimate) factor(n, d int) float64 {
	f := stat.Scott(n, d)
	if e.rule == "silverman" {
		f = stat.Silverman(n, d)
	}
	return f * orElse(e.adjust, 1)
}

// curve is a density, evaluated on a grid.
type curve struct {
	x, y   []float64
	sorted []float64 // the sample
}

// densityOf computes the density of a sample; if it cannot, why says the reason. With log, it
// computes the density of the logarithms, at points that are powers of ten.
func (e estimate) densityOf(v []float64, log bool, places int) (d curve, why string) {
	d.sorted = slices.Clone(v)
	sort.Float64s(d.sorted)
	n := len(v)
	if n < 2 || d.sorted[0] == d.sorted[n-1] {
		first := 0.0
		if n > 0 {
			first = v[0]
		}
		return d, constant(n, first)
	}
	at := d.sorted
	if log {
		at = make([]float64, n)
		for i, x := range d.sorted {
			at[i] = math.Log10(x)
		}
	}
	sd := stat.Deviation(at)
	if !isFinite(sd) || sd == 0 {
		return d, "its values are too far apart, or too close"
	}
	h := e.bandwidth(n, sd)
	lo, hi := at[0]-e.cut*h, at[n-1]+e.cut*h
	d.x = make([]float64, places)
	for i := range d.x {
		d.x[i] = lo + (hi-lo)*float64(i)/float64(places-1)
	}
	d.x[places-1] = hi
	d.y = stat.NewKDE(at, h).At(d.x)
	if log {
		for i, x := range d.x {
			d.x[i] = math.Pow(10, x)
		}
	}
	return d, ""
}

// said adds the counts of omitted values, and the notes, to the first part.
func said(parts []mark, left leftOut, notes []string) []mark {
	left.notes = append(left.notes, notes...)
	if !left.any() {
		return parts
	}
	if len(parts) == 0 {
		parts = []mark{{kind: texts}}
	}
	parts[0].lost.add(left)
	return parts
}

// estimate holds the options of computed marks.
type estimate struct {
	rule   string  // rule of the bandwidth: scott or silverman
	h      float64 // the bandwidth itself, 0 for the rule
	adjust float64 // factor of the bandwidth; 0 means 1
	cut    float64 // number of bandwidths that a density extends beyond the data
	fill   bool
	split  bool // violins of two classes are halves

	degree   int     // degree of a polynomial
	share    float64 // fraction of the rows in a local fit, 0 for a polynomial
	noPoints bool

	against    Quantiler
	complement bool
	what       string
	bins       int // number of bins of histograms, or of hexagons per row
}

// computed returns the marks that draw a computed mark. It runs when the rows of each panel are
// known, since panels and classes have estimates of their own.
func (m mark) computed(c *Chart, draw func(mark, *Chart) ([]mark, error)) ([]mark, error) {
	if m.class != nil && m.color != nil {
		return nil, errors.New("chart.Color: a mark that By splits has a color for each class; leave Color out")
	}
	if m.class == nil && m.color == nil {
		color := figure.Class(order(append(slices.Clone(c.marks), m), len(c.marks)))
		m.color = &color
		m.lead = true
	}
	parts, err := draw(m, c)
	if err != nil {
		return nil, err
	}
	if m.lead && len(parts) > 0 {
		parts[0].lead = true // the others have the color of the same series
	}
	return parts, nil
}

// series is the rows of one class, or all rows, with their color.
type series struct {
	mark
	color figure.Color
}

// eachClass returns the rows of each class with its color, or all rows with the color of
// the mark. Rows without a class count as left out.
func (m mark) eachClass() (all []series, left leftOut) {
	if m.class == nil {
		return []series{{m, *m.color}}, leftOut{rows: m.left}
	}
	left.rows = m.left
	for _, k := range m.class {
		if k < 0 {
			left.rows++
		}
	}
	for k, name := range m.names {
		part := m.subset(func(i int) bool { return m.class[i] == k })
		part.class, part.names, part.name, part.left, part.series = nil, nil, name, 0, k+1
		all = append(all, series{part, figure.Class(k)})
	}
	return all, left
}

// finiteRows keeps the rows whose numbers can be drawn: finite, and positive on
// logarithmic axes.
func (m mark) finiteRows(c *Chart) (kept mark, left leftOut) {
	keep := make([]bool, len(m.x))
	for i := range m.x {
		fine := func(v []float64, log bool) bool {
			switch {
			case i >= len(v):
				return true
			case !isFinite(v[i]):
				left.notFinite++
				return false
			case log && v[i] <= 0:
				left.notPositive++
				return false
			}
			return true
		}
		keep[i] = fine(m.x, c.x.log) && fine(m.y, c.y.log)
	}
	if !left.any() {
		return m, left
	}
	return m.subset(func(i int) bool { return keep[i] }), left
}

// look sets the options that all parts of a mark share.
func (s series) look(part mark) mark {
	color := s.color
	part.color, part.series = &color, s.series
	if part.alpha == 0 {
		part.alpha = s.alpha
	}
	return part
}

// without returns a note that names the class for which something is not drawn, and the reason.
func without(what, class, why string) string {
	if class == "" {
		return "no " + what + ": " + why
	}
	return "no " + what + " of " + class + ": " + why
}

// constant returns a note that all values of a sample are the same.
func constant(n int, v float64) string {
	switch n {
	case 0:
		return "it has no values"
	case 1:
		return "it has 1 value"
	}
	return fmt.Sprintf("all of its %d values are %s", n, short(v))
}

// oneVariable adds a mark of one variable; across is the title of the other axis.
func (c *Chart) oneVariable(k kind, verb, across string, values any) *mark {
	col, err := c.column(verb, "values", values)
	if err == nil && col.levels != nil {
		err = fmt.Errorf("chart.%s: the values must be numbers, got names; count names with Bar", verb)
	}
	if err != nil {
		c.fail(err)
		return &c.marks[len(c.marks)-1]
	}
	if c.y.defaultTitle == "" {
		c.y.defaultTitle = across
	}
	c.add(mark{kind: k, x: c.x.take(col)})
	c.x.whole = false
	return &c.marks[len(c.marks)-1]
}

// variables starts a chart for a verb whose arguments are a table and columns, or slices. It calls
// add for each of them; if there are several, each mark is named.
func variables(verb string, data []any, add func(c *Chart, v any)) *Chart {
	c, columns := dataOf(data)
	if len(columns) == 0 {
		c.fail(fmt.Errorf("chart.%s: no values; give a slice, or a frame and the name of a column", verb))
		return c
	}
	for _, v := range columns {
		add(c, v)
		if name, ok := v.(string); ok && len(columns) > 1 {
			c.Name(name)
		}
	}
	if len(columns) > 1 {
		c.x.defaultTitle = ""
	}
	return c
}

// twoVariables reads two numeric variables.
func (c *Chart) twoVariables(verb string, x, y any) (xs, ys []float64, ok bool) {
	if xs, ys, ok = c.pair(verb, x, y); !ok {
		return nil, nil, false
	}
	if c.x.levels != nil || c.y.levels != nil {
		return nil, nil, c.fail(fmt.Errorf("chart.%s: x and y must be numbers, not names", verb))
	}
	return xs, ys, true
}

// grouped adds a mark of values beside the names of their groups. The data are values only,
// groups and values, a map to slices, a matrix or a slice of slices.
func (c *Chart) grouped(k kind, verb string, data []any) *Chart {
	if len(data) == 0 || len(data) > 2 {
		c.fail(fmt.Errorf("chart.%s: give values, the group of each value and the values, or groups, got %d arguments", verb, len(data)))
		return c
	}
	if len(data) == 1 {
		groups, names, err := groupsOf(verb, data[0])
		if err != nil {
			c.fail(err)
			return c
		}
		if groups != nil {
			m := mark{kind: k, est: estimate{what: verb}}
			for i, g := range groups {
				for _, v := range g {
					m.x, m.y = append(m.x, float64(i)), append(m.y, v)
				}
			}
			c.x.levels = names
			_, unnamed := numbered(names, len(names)+1)
			c.x.given = !unnamed
			return c.add(m)
		}
	}
	before := len(c.marks)
	c.boxRows(data)
	if len(c.marks) > before && c.marks[before].kind == box {
		m := &c.marks[before]
		m.kind, m.labels, m.est.what = k, nil, verb
	}
	if c.err != nil {
		c.err = errors.New(strings.ReplaceAll(strings.ReplaceAll(c.err.Error(), "chart.Box", "chart."+verb), "boxes are", "it is"))
	}
	return c
}

// groupsOf reads a map to slices, a matrix or a slice of slices. It returns nil for other data.
func groupsOf(verb string, data any) (groups [][]float64, names []string, err error) {
	if v := reflect.ValueOf(data); v.Kind() == reflect.Map && len(keyed.Sorted(v)) > 0 {
		return mapGroups(verb, v)
	}
	if !isMatrix(data) {
		return nil, nil, nil
	}
	if g, ok := data.([][]float64); ok {
		groups = g
	} else {
		t, err := matrixOf(verb, "groups", data)
		if err != nil {
			return nil, nil, err
		}
		_, cols := t.Dims()
		for j := range cols {
			groups = append(groups, columnAt(t, j))
		}
		if n, ok := data.(columnNamer); ok {
			names = n.ColumnNames()
		}
	}
	for i := len(names); i < len(groups); i++ {
		names = append(names, fmt.Sprint(i+1))
	}
	return groups, names, nil
}

// needs returns the mark that an option applies to. If the mark's kind does not take the option,
// needs returns a dummy mark.
func (c *Chart) needs(option, does string) *mark {
	m := c.last(option)
	if m.kind.takes(m, option) {
		return m
	}
	c.setErr(fmt.Errorf("chart.%s: a %s %s; leave %[1]s out (%[4]s)", option, m.kind, does, takers(option)))
	return &mark{kind: texts} // options that follow have no effect
}

// Bandwidth sets the kernel bandwidth of the densities added last: "scott" (the default),
// "silverman" or a number. The number is the standard deviation of a kernel in the units of the
// data or, on a logarithmic axis, in powers of ten. A larger bandwidth makes the curve smoother.
func (c *Chart) Bandwidth(h any) *Chart {
	if c.last("Bandwidth").kind == plane {
		c.setErr(fmt.Errorf("chart.Bandwidth: a density of two variables has two bandwidths, and both rules give the same ones; change them with Adjust (%s)", takers("Bandwidth")))
		return c
	}
	m := c.needs("Bandwidth", "has no kernels")
	if rule, ok := h.(string); ok && (rule == "scott" || rule == "silverman") {
		m.est.rule = rule
		return c
	}
	v, ok := 0.0, false
	if h != nil {
		v, ok = numberOf(reflect.ValueOf(h))
	}
	switch {
	case !ok || !(v > 0) || !isFinite(v):
		c.setErr(fmt.Errorf("chart.Bandwidth: %v is neither \"scott\", \"silverman\" nor a positive number", h))
	default:
		m.est.h = v
	}
	return c
}

// Adjust multiplies the bandwidth of the densities added last by a factor: below 1
// shows more detail, above 1 less.
func (c *Chart) Adjust(factor float64) *Chart {
	m := c.needs("Adjust", "has no kernels")
	if !(factor > 0) || !isFinite(factor) {
		c.setErr(fmt.Errorf("chart.Adjust: the factor must be positive, got %g", factor))
		return c
	}
	m.est.adjust = factor
	return c
}

// Cut sets how far, in bandwidths, the densities added last extend beyond the smallest and the
// largest value; 0 ends them at these values.
func (c *Chart) Cut(bandwidths float64) *Chart {
	m := c.needs("Cut", "has no kernels")
	if !(bandwidths >= 0 && bandwidths <= 100) {
		c.setErr(fmt.Errorf("chart.Cut: the cut must be between 0 and 100 bandwidths, got %g", bandwidths))
		return c
	}
	m.est.cut = bandwidths
	return c
}

// Fill colors the area below the density curves added last, or the areas between the density
// contours added last.
func (c *Chart) Fill() *Chart {
	c.needs("Fill", "is not filled").est.fill = true
	return c
}

// bandwidth returns the standard deviation of the kernels for a sample.
func (e estimate) bandwidth(n int, sd float64) float64 {
	h := e.h
	if h == 0 {
		h = e.factor(n, 1) * sd
	} else {
		h *= orElse(e.adjust, 1)
	}
	return h
}

// standBeside records on an axis of names that marks are beside the names, too.
func (a *axis) standBeside() { a.beside = true }

// coverSlots widens the extents by marks beside names on the x axis.
func (p *panel) coverSlots(m *mark) {
	for _, x := range m.x {
		if isFinite(x) {
			p.xe.cover(math.Round(x)-0.5, math.Round(x)+0.5, false)
		}
	}
	coverAll(&p.ye, m.y, p.c.y.log, true)
	if m.kind == points {
		for k := range m.x {
			p.count(m.x[k], m.y[k])
		}
	}
}

// logs returns the logarithms of a variable on a logarithmic axis.
func logs(v []float64, log bool) []float64 {
	if !log {
		return v
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Log10(x)
	}
	return out
}
