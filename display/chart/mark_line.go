package chart

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// lineKind is the kind of marks that show a line through places.
type lineKind struct{ basic }

var line kind = &lineKind{basic{traits{
	name: "line", chart: "line chart", part: "lines",
	options: "Name Color ClassColor Width Opacity Dashed NoIntervals ByClass Aggregate",
	series:  true, cycles: true, right: true, direct: true,
	lined: true,
}}}

// lineData holds the fields specific to lines and steps.
type lineData struct {
	f        func(x float64) float64 // function whose graph the line is
	poles    bool                    // the graph has poles, near which it leaves the area
	peak     bool                    // its name is at its highest place
	summary  bool                    // drawn only if the chart shows nothing else
	computed bool                    // its points are not values of the data
	drawn    []figure.Point          // in pixels
}

func (m *mark) asLine() *lineData { return own[lineData](m) }

// Line adds a line through the points (x, y), or through y over 0, 1, 2 ... when only y is given. A
// NaN breaks the line. For columns of a table, the line connects the means at each x, in ascending
// order of x, with a band of confidence intervals. The line has a gap where all values at an x are
// missing.
func (c *Chart) Line(data ...any) *Chart {
	if xs, ys, ok := c.series("Line", data); ok {
		c.add(mark{kind: line, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// Func adds the graph of a function from lo to hi.
func (c *Chart) Func(f func(float64) float64, lo, hi float64) *Chart {
	if !(lo < hi) || !isFinite(hi-lo) {
		c.fail(fmt.Errorf("chart.Func: the interval must ascend, got %g to %g", lo, hi))
		return c
	}
	const n = 401
	m := mark{kind: line, x: make([]float64, n), y: make([]float64, n), own: &lineData{f: f}}
	m.x[0], m.x[n-1] = lo, hi
	m.tabulate(c.x.log)
	return c.add(m)
}

// Func draws the graph of f from lo to hi. The graph breaks where f is not finite, jumps or has a
// pole; near a pole, it runs off the chart.
func Func(f func(float64) float64, lo, hi float64) *Chart { return New().Func(f, lo, hi) }

// tabulate computes the points of a graph between its ends, evenly along a linear or a logarithmic
// axis; the latter needs a positive start.
func (m *mark) tabulate(log bool) {
	f := m.asLine().f
	if f == nil {
		return
	}
	last := len(m.x) - 1
	lo, hi := m.x[0], m.x[last]
	for i := 1; i < last; i++ {
		if log && lo > 0 {
			m.x[i] = lo * math.Pow(hi/lo, float64(i)/float64(last))
		} else {
			m.x[i] = lo + (hi-lo)*float64(i)/float64(last)
		}
	}
	for i, x := range m.x {
		m.y[i] = f(x)
	}
	m.breakJumps()
}

// Plot draws a line through (x, y), or through y over 0, 1, 2 ... when only y is given. If y is a
// matrix, Plot draws a line for each of its columns. Plot(f, "x", "y") for a frame draws the means
// of y at each x, in ascending order of x, with a band of confidence intervals (see Aggregate).
// Further names of columns add lines.
func Plot(data ...any) *Chart {
	c, data := dataOf(data)
	if c.data != nil && len(data) > 2 {
		for _, y := range data[1:] {
			c.Line(data[0], y)
		}
		return c
	}
	if n := len(data); n > 0 && n <= 2 && isMatrix(data[n-1]) {
		m, err := matrixOf("Plot", "y", data[n-1])
		if err != nil {
			c.fail(err)
			return c
		}
		names, _ := data[n-1].(columnNamer)
		_, cols := m.Dims()
		for j := range cols {
			c.Line(append(append([]any{}, data[:n-1]...), columnAt(m, j))...)
			c.Name(guide.Feature(j))
			if names != nil && j < len(names.ColumnNames()) {
				c.Name(names.ColumnNames()[j])
			}
		}
		return c
	}
	return c.Line(data...)
}

// maxJumps is the maximum number of breaks of one graph. If a graph has more, none would be
// visible.
const maxJumps = 50

// breakJumps puts a gap wherever the function jumps or has a pole between two
// neighboring points.
func (m *mark) breakJumps() {
	poles := false
	defer func() { edit(m, func(l *lineData) { l.poles = poles }) }()
	lo, hi, ok := middle(m.y)
	if !ok {
		return
	}
	var at []int
	for i := 1; i < len(m.y); i++ {
		if d := math.Abs(m.y[i] - m.y[i-1]); isFinite(d) && d > (hi-lo)/4 {
			at = append(at, i)
		}
	}
	if len(at) > maxJumps {
		return
	}
	for k := len(at) - 1; k >= 0; k-- {
		i := at[k]
		x, jump, pole := m.jump(i)
		if !jump {
			continue
		}
		poles = poles || pole
		m.x, m.y = slices.Insert(m.x, i, x), slices.Insert(m.y, i, math.NaN())
	}
}

// jump searches, by bisection, for a discontinuity of the function between the points i-1 and i.
// Near a pole, the values grow during the bisection.
func (m *mark) jump(i int) (x float64, jump, pole bool) {
	a, b, fa, fb := m.x[i-1], m.x[i], m.y[i-1], m.y[i]
	first := math.Abs(fb - fa)
	largest := math.Max(math.Abs(fa), math.Abs(fb))
	for range 60 {
		mid := a + (b-a)/2
		if mid <= a || mid >= b {
			break
		}
		f := m.asLine().f(mid)
		if !isFinite(f) {
			return mid, true, true
		}
		if math.Abs(f-fa) > math.Abs(fb-f) {
			b, fb = mid, f
		} else {
			a, fa = mid, f
		}
	}
	x = a + (b-a)/2
	jump = math.Abs(fb-fa) > first/2
	pole = math.Max(math.Abs(fa), math.Abs(fb)) > 10*largest
	return x, jump, pole
}

// middle returns the range of the finite values without the lowest and the highest tenth.
func middle(y []float64) (lo, hi float64, ok bool) {
	var finite []float64
	for _, v := range y {
		if isFinite(v) {
			finite = append(finite, v)
		}
	}
	if len(finite) < 10 {
		return 0, 0, false
	}
	sort.Float64s(finite)
	n := len(finite)
	return finite[n/10], finite[n-1-n/10], true
}

// visible returns the values that the axis of a graph must show: all values or, if the graph has
// poles, the ends of a range around the middle values.
func (m *mark) visible() []float64 {
	if !m.asLine().poles {
		return m.y
	}
	lo, hi, ok := middle(m.y)
	if !ok {
		return m.y
	}
	return []float64{lo - (hi - lo), hi + (hi - lo)}
}

// line draws a line or steps. Points without neighbors become dots.
func (p *panel) line(f *figure.Figure, m *mark, s figure.Style, steps bool) {
	drawn := p.linePixels(m, steps)
	edit(m, func(l *lineData) { l.drawn = drawn })
	p.polyline(f, drawn, s)
	broken := func(i int) bool {
		return i < 0 || i >= len(drawn) || !isFinite(drawn[i].X+drawn[i].Y)
	}
	dots := 0
	for i, q := range drawn {
		if !broken(i) && broken(i-1) && broken(i+1) && p.area.contains(q.X, q.Y) && dots < manyPoints {
			f.Marker(q.X, q.Y, 1.6*s.Width, figure.Circle, figure.Style{Fill: s.Stroke})
			dots++
		}
	}
}

// linePixels returns the pixels of a line, or of steps, thinned if there are many.
func (p *panel) linePixels(m *mark, steps bool) []figure.Point {
	n := len(m.x)
	if steps {
		n *= 2
	}
	t := thinner{whole: n < 5000, out: make([]figure.Point, 0, min(n, 4096))}
	var before figure.Point
	for k := range m.x {
		q := p.pt(m.x[k], m.y[k])
		if k > 0 && steps {
			if p.transposed {
				t.add(figure.Point{X: before.X, Y: q.Y})
			} else {
				t.add(figure.Point{X: q.X, Y: before.Y})
			}
		}
		t.add(q)
		before = q
	}
	t.flush()
	return t.out
}

// runs splits the points of a line at points without a position, as the drawing does.
func (v *vegaPanel) runs(m *mark) (runs [][]int) {
	var run []int
	stride := v.every(len(m.x))
	for i := range m.x {
		if !v.drawable(m, i) {
			if run != nil {
				runs, run = append(runs, run), nil
			}
			continue
		}
		if i%stride == 0 || run == nil {
			run = append(run, i)
		}
	}
	if run != nil {
		runs = append(runs, run)
	}
	return runs
}

// pointed reports whether the points of a line are also drawn as points, which then are counted and
// have the tooltips.
func (p *panel) pointed(m *mark) bool {
	return slices.ContainsFunc(p.c.marks, func(o mark) bool {
		return o.kind == points && sameSeries(m, &o) || o.kind == points && slices.Equal(o.x, m.x) && slices.Equal(o.y, m.y)
	})
}

// mostTips is the maximum number of points of a line with tooltips.
const mostTips = 1000

// lineFinding returns the start and end of a line, and a peak or a low between them.
func (p *panel) lineFinding(i int) string {
	m := &p.c.marks[i]
	type pair struct{ x, y float64 }
	var first, last, top, low pair
	n := 0
	for k := range min(len(m.x), len(m.y)) {
		q := pair{m.x[k], m.y[k]}
		if !isFinite(q.x) || !isFinite(q.y) {
			continue
		}
		if n == 0 {
			first, last, top, low = q, q, q, q
		}
		if q.x < last.x {
			return "" // a curve that turns back is not a function of x
		}
		if q.y > top.y {
			top = q
		}
		if q.y < low.y {
			low = q
		}
		last = q
		n++
	}
	if n < 2 || m.asLine().summary || p.c.y.levels != nil || p.c.y.times {
		return ""
	}
	if first.x == last.x {
		return "" // a vertical line, as within violins
	}
	span := top.y - low.y
	peak := top.y-math.Max(first.y, last.y) > 0.1*span
	dip := math.Min(first.y, last.y)-low.y > 0.1*span
	ys, xs := []float64{first.y, last.y}, []float64(nil)
	if peak {
		ys, xs = append(ys, top.y), append(xs, top.x)
	}
	if dip {
		ys, xs = append(ys, low.y), append(xs, low.x)
	}
	y, at := p.c.y.together(span, ys...), p.whereXs(xs...)
	s := "goes"
	switch {
	case span == 0:
		return "stays at " + p.c.y.together(p.ye.hi-p.ye.lo, first.y)[0]
	case last.y-first.y > 0.05*span:
		s = "rises"
	case first.y-last.y > 0.05*span:
		s = "falls"
	}
	s += " from " + y[0] + " to " + y[1]
	if peak {
		s += ", highest " + y[2] + " at " + at[0]
	}
	if dip {
		s += ", lowest " + y[len(y)-1] + " at " + at[len(at)-1]
	}
	return s
}

// lineLayer adds a line or steps, split where it has gaps; a point without neighbors is a dot.
// Invisible points hold the tooltips, since Vega-Lite supports only one tooltip for a whole line.
func (v *vegaPanel) lineLayer(m *mark, l vegaLook) {
	var rows, dots, seen []any
	n := 0
	runs := v.runs(m)
	for part, run := range runs {
		if len(run) == 1 {
			dots = append(dots, object{"x": position(&v.c.x, m.x[run[0]]), "y": position(&v.c.y, m.y[run[0]])})
			continue
		}
		for _, i := range run {
			row := object{"x": position(&v.c.x, m.x[i]), "y": position(&v.c.y, m.y[i]), "i": n}
			if len(runs) > 1 {
				row["part"] = part
			}
			rows = append(rows, row)
			seen = append(seen, object{"x": row["x"], "y": row["y"]})
			n++
		}
	}
	l.enc["order"] = object{"field": "i", "type": "quantitative"}
	if len(runs) > 1 {
		l.enc["detail"] = object{"field": "part", "type": "nominal"}
	}
	if rows != nil || dots == nil {
		v.add(rows, l.stroke, l.enc)
	}
	if dots != nil {
		size := math.Round(math.Pi * math.Pow(1.6*l.stroke["strokeWidth"].(float64), 2))
		v.add(dots, object{"type": "point", "filled": true, "size": size, "color": l.color, "opacity": l.stroke["opacity"]}, v.xyOf(l.enc), v.places()...)
	}
	if len(seen) > 0 && len(seen) <= mostTips && !m.asLine().summary && !v.pointed(m) && m.asLine().f == nil && !m.slot && !m.ridge {
		v.add(seen, object{"type": "point", "filled": true, "size": 60, "color": l.color, "opacity": 0}, v.xyOf(l.enc), v.places()...)
	}
}

// draw draws the line over its band, when it has one.
func (*lineKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) {
	if m.lo != nil {
		p.band(f, m, l.color)
	}
	p.line(f, m, l.stroke, false)
}

func (*lineKind) misfit(m *mark) error { return m.noMeans() }

// noMeans returns an error if NoIntervals is set for a mark that shows no means.
func (m *mark) noMeans() error {
	if m.bare && m.how != mean {
		return fmt.Errorf("chart.NoIntervals: this %s has no intervals, because it shows no means; leave NoIntervals out", m.kind.about().chart)
	}
	return nil
}

func (*lineKind) cover(p *panel, m *mark, _ int) { coverLine(p, m) }

// coverLine widens the extents to a line and counts the values that are left out.
func coverLine(p *panel, m *mark) {
	coverPlaces(p, m)
	if m.asLine().f != nil {
		return
	}
	for k := range m.x {
		// A row without a position is a gap in the line.
		if isFinite(m.x[k]) || isFinite(m.y[k]) {
			p.count(m.x[k], m.y[k])
		}
	}
}

func (*lineKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	return p.cutLine(m, in), false
}

func (*lineKind) avoid(p *panel, m *mark) []figure.Point { return avoidPlaces(p, m, true) }
func (*lineKind) dot(d *dotting, m *mark, _ int)         { d.pixels(m.asLine().drawn) }
func (*lineKind) finding(p *panel, i int) string         { return p.lineFinding(i) }

func (*lineKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) {
	if m.lo != nil {
		v.areaLayer(m, l.color, v.xyOf(l.enc))
	}
	v.lineLayer(m, l)
}
