package chart

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// pointsKind is the kind of marks that show points.
type pointsKind struct{ basic }

var points kind = &pointsKind{basic{traits{
	name: "points", chart: "scatter plot", part: "points",
	options: "Name Color ClassColor Scheme Radius Width Opacity Rings ByClass",
	series:  true, cycles: true, right: true,
}}}

// pointsData holds the fields specific to points.
type pointsData struct {
	size     []float64 // values that their areas show; nil if all areas are equal
	sizeName string
	largest  float64 // the largest size, which panels share
	flat     bool    // they have no lines around them
	bin      *binned // the counts of very many points, in the area

	swarm   float64 // half of the width of a swarm, in slots; 0 for other points
	middles []float64
	grown   bool // the radius of a swarm was not set
}

func (d *pointsData) subset(n int, keep func(int) bool) any {
	out := *d
	out.size = kept(d.size, n, keep)
	return &out
}

func (m *mark) asPoints() *pointsData { return own[pointsData](m) }

// Points adds points at (x, y), or at y over 0, 1, 2 ... when only y is given.
func (c *Chart) Points(data ...any) *Chart {
	if xs, ys, ok := c.series("Points", data); ok {
		c.add(mark{kind: points, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// Scatter draws points: Scatter(x, y) for two variables, Scatter(X) for the first two columns of a
// matrix, or Scatter(f, "x", "y") for a frame. A further argument labels the points: each class has
// a color and a shape; other numbers are mapped to a continuous color scale.
func Scatter(data ...any) *Chart {
	c, data := dataOf(data)
	if len(data) == 0 || len(data) > 3 {
		c.fail(fmt.Errorf("chart.Scatter: give x and y, or a matrix, and perhaps labels, got %d arguments", len(data)))
		return c
	}
	rest := data[1:]
	if isMatrix(data[0]) {
		m, err := matrixOf("Scatter", "X", data[0])
		if err == nil {
			if _, cols := m.Dims(); cols < 2 {
				err = fmt.Errorf("chart.Scatter: X must have at least two columns, got %d", cols)
			}
		}
		if err != nil {
			c.fail(err)
			return c
		}
		c.Points(columnAt(m, 0), columnAt(m, 1))
		if n, ok := data[0].(columnNamer); ok && len(n.ColumnNames()) > 1 {
			c.X(n.ColumnNames()[0]).Y(n.ColumnNames()[1])
		}
	} else if len(data) == 1 {
		c.Points(data[0])
	} else {
		c.Points(data[0], data[1])
		rest = data[2:]
	}
	if len(rest) > 1 {
		c.setErr(fmt.Errorf("chart.Scatter: after the matrix, give only its labels, got %d arguments", len(rest)))
	} else if len(rest) == 1 && c.err == nil {
		c.By(rest[0])
	}
	return c
}

// sizePoints sets the areas of the points added last.
func (c *Chart) sizePoints(values any) *Chart {
	m := c.last("Size")
	col, err := c.column("Size", "the sizes", values)
	switch {
	case err != nil:
	case m.kind != points:
		err = fmt.Errorf("chart.Size: a %s has no points whose areas could show values", m.kind)
	case col.levels != nil || col.times:
		err = errors.New("chart.Size: the sizes are not numbers")
	case len(col.v) != len(m.x):
		err = fmt.Errorf("chart.Size: there are %d sizes for %d points", len(col.v), len(m.x))
	default:
		if lo, _ := bounds(col.v); lo < 0 {
			err = fmt.Errorf("chart.Size: the sizes must not be negative, got %g", lo)
		}
	}
	if err != nil {
		c.setErr(err)
		return c
	}
	_, largest := bounds(col.v)
	edit(m, func(d *pointsData) { d.size, d.sizeName, d.largest = col.v, col.name, largest })
	return c
}

// ByValue colors each point of the mark added last by its value on a continuous scale,
// even if the values are whole numbers.
func (c *Chart) ByValue(values any) *Chart {
	m := c.last("ByValue")
	col, err := c.column("ByValue", "values", values)
	if err == nil && m.kind != points {
		err = fmt.Errorf("chart.ByValue: the mark must be points, because a %s has no continuous colors", m.kind)
	}
	if err == nil && len(col.v) != len(m.x) {
		err = fmt.Errorf("chart.ByValue: there are %d values for %d points", len(col.v), len(m.x))
	}
	if err != nil {
		c.setErr(err)
		return c
	}
	m.value, m.scheme = col.v, figure.Viridis
	if c.legendTitle == "" {
		c.legendTitle = col.name
	}
	return c
}

// manyPoints is the maximum number of markers that an SVG holds as shapes; more markers become an
// image.
const manyPoints = 2000

// cloudColors is the number of steps of a continuous scale in that image.
const cloudColors = 15

// radius returns the radius of points if there are n.
func radius(n int) float64 {
	switch {
	case n <= 300:
		return 4
	case n <= 1000:
		return 3.1
	case n <= 5000:
		return 2.3
	case n <= 50000:
		return 1.5
	case n <= 500000:
		return 1
	}
	return 0.7
}

// largestRadius is the radius of the largest point if the areas of points show a variable.
const largestRadius = 13

// leastRadius is the smallest radius at which a point is visible.
const leastRadius = 1.2

// sized returns the radius of a point whose area shows size.
func (m *mark) sized(size float64) float64 {
	d := m.asPoints()
	if d.largest <= 0 {
		return orElse(m.radius, largestRadius)
	}
	return math.Max(leastRadius, orElse(m.radius, largestRadius)*math.Sqrt(size/d.largest))
}

// enlarged returns the number of points that are drawn larger than their size implies.
func (m *mark) enlarged() int {
	d := m.asPoints()
	n := 0
	for i, s := range d.size {
		if d.largest > 0 && isFinite(m.x[i]) && isFinite(m.y[i]) && orElse(m.radius, largestRadius)*math.Sqrt(s/d.largest) < leastRadius {
			n++
		}
	}
	return n
}

// count returns the number of points that determines radius and opacity: the largest
// number of points in any of the panels.
func (m *mark) count() int { return max(len(m.x), m.crowd) }

// mostCovered is the maximum mean number of points that cover a point. With more, outlines in the
// background color would hide points instead of separating them.
const mostCovered = 0.6

// fewAlike is the maximum number of points of a panel that have outlines, so that the points of
// several panels look alike.
const fewAlike = 300

// dense reports whether points of the given radius are so close that their outlines would hide
// other points.
func dense(pts []figure.Point, r float64) bool {
	if len(pts) < 300 { // each is visible
		return false
	}
	cells := map[[2]int]int{}
	cell := func(q figure.Point) [2]int {
		return [2]int{int(math.Floor(q.X / (2 * r))), int(math.Floor(q.Y / (2 * r)))}
	}
	n := 0
	for _, q := range pts {
		if isFinite(q.X + q.Y) {
			cells[cell(q)]++
			n++
		}
	}
	pairs := 0.0
	for _, c := range cells {
		pairs += float64(c) * float64(c-1)
	}
	return pairs > mostCovered*float64(n)
}

// opacityOf returns the opacity of points for which none was set.
func opacityOf(m *mark) float64 {
	n := m.count()
	switch {
	case m.asPoints().size != nil:
		return 0.55 // large points overlap
	case n > 1000:
		return math.Max(0.25, 0.75-0.1*math.Log10(float64(n)/1000))
	}
	return 0.85
}

func (p *panel) points(f *figure.Figure, m *mark, color figure.Color) {
	d := m.asPoints()
	if d.bin != nil {
		d.bin.draw(p, f, color)
		return
	}
	n := len(m.x)
	r := orElse(m.radius, radius(m.count()))
	if p.inner && m.radius == 0 {
		r *= 0.8
	}
	alpha := m.alpha
	if alpha == 0 {
		alpha = opacityOf(m)
	}
	order := make([]int, 0, n)
	for i := range n {
		order = append(order, i)
	}
	if m.class != nil && n > manyPoints/4 && n <= manyPoints {
		// Classes that are drawn one after the other keep the file small.
		sort.SliceStable(order, func(a, b int) bool { return m.class[order[a]] < m.class[order[b]] })
	}
	radius := func(int) float64 { return r }
	if d.size != nil {
		// Small points are drawn on top of large ones.
		sort.SliceStable(order, func(a, b int) bool { return d.size[order[a]] > d.size[order[b]] })
		radius = func(i int) float64 { return m.sized(d.size[i]) }
		r = m.sized(d.largest)
	}
	crowded := n <= manyPoints && d.size == nil && !m.ring && d.swarm == 0 && (d.flat || m.crowd >= fewAlike || dense(p.pts(m.x, m.y), r))
	covered, _ := p.raster()
	crowded = crowded && !covered
	lo, hi := m.valueRange(m.value)
	look := func(i int) (figure.Color, figure.Shape) {
		switch {
		case m.class != nil:
			return figure.Class(m.class[i]), figure.Shape(m.class[i] % figure.Shapes)
		case m.value != nil:
			return m.paint(m.value[i], lo, hi), figure.Circle
		}
		return color, figure.Circle
	}
	if n > manyPoints {
		cloud := figure.NewCloud(p.area.x0-r, p.area.y0-r, p.area.w()+2*r, p.area.h()+2*r)
		for _, i := range order {
			q := p.pt(m.x[i], m.y[i])
			if p.area.contains(q.X, q.Y) {
				c, shape := look(i)
				if m.value != nil {
					if c.A == 0 {
						continue
					}
					// Fewer colors make the image smaller.
					c = m.scheme.At(math.Round(cloudColors*share(m.value[i], lo, hi)) / cloudColors)
				}
				cloud.Marker(q.X, q.Y, radius(i), shape, figure.Opacity(c, alpha))
			}
		}
		cloud.Place(f)
		return
	}
	for _, i := range order {
		q := p.pt(m.x[i], m.y[i])
		if !p.area.contains(q.X, q.Y) {
			continue
		}
		c, shape := look(i)
		s := figure.Style{Fill: figure.Opacity(c, alpha), Stroke: figure.Paper(), Width: 0.6}
		if crowded {
			s = figure.Style{Fill: figure.Opacity(c, math.Min(alpha, 0.6))}
		}
		if d.size != nil {
			// An edge of its own color keeps a point visible behind others.
			s.Stroke, s.Width = figure.Mix(c, figure.Ink(), 0.35), 0.8
		}
		if covered {
			// On a background of its own color a point needs a dark edge.
			s.Stroke, s.Width = figure.Mix(c, figure.Ink(), 0.6), 0.8
		}
		if m.ring {
			s = figure.Style{Stroke: figure.Opacity(c, orElse(m.alpha, 1)), Width: orElse(m.width, 1.5)}
		} else if c.A == 0 {
			s = figure.Style{Stroke: figure.Soft(), Width: 1} // a value without a color
		}
		f.Marker(q.X, q.Y, radius(i), shape, s)
	}
}

// vegaShapes are the Vega-Lite shapes of points, in the order of the shapes in the drawing.
var vegaShapes = [figure.Shapes]string{"circle", "square", "triangle-up", "diamond", "triangle-down", "cross"}

// pointLayer adds points, with the colors, shapes and areas of the drawing.
func (v *vegaPanel) pointLayer(m *mark, color string, enc object) {
	d := m.asPoints()
	r := orElse(m.radius, radius(m.count()))
	mk := object{"type": "point", "filled": true, "size": math.Round(math.Pi * r * r), "color": color, "opacity": orElse(m.alpha, opacityOf(m))}
	if m.ring {
		mk["filled"] = false
	}
	tips := v.places()
	switch {
	case m.class != nil:
		var forms []any
		var names []any
		for k, name := range m.names {
			names, forms = append(names, name), append(forms, vegaShapes[k%len(vegaShapes)])
		}
		enc["color"] = object{"field": "class", "type": "nominal", "scale": v.colorScale(), "legend": v.legendTitle()}
		enc["shape"] = object{"field": "class", "type": "nominal", "scale": object{"domain": names, "range": forms}, "legend": v.legendTitle()}
		tips = append(tips, tip{field: "class", kind: "nominal", title: orText(v.c.legendTitle, "class")})
	case m.value != nil:
		if lo, hi := m.valueRange(m.value); lo <= hi {
			enc["color"] = v.quantity(m, "value", lo, hi)
			tips = append(tips, tip{field: "value", kind: "quantitative", title: orText(v.c.legendTitle, "value")})
		}
	}
	if d.size != nil && d.largest > 0 {
		r := m.sized(d.largest)
		delete(mk, "size")
		mk["stroke"], mk["strokeOpacity"], mk["strokeWidth"] = guide.PageInk, 0.5, 0.8
		var shown []any
		for _, s := range m.sizesShown() {
			shown = append(shown, s)
		}
		enc["size"] = object{"field": "size", "type": "quantitative", "title": d.sizeName, "legend": v.placeLegend(object{"values": shown}),
			"scale": object{"domain": []any{0, d.largest}, "range": []any{0, math.Round(math.Pi * r * r)}}}
		if v.c.noLegend {
			enc["size"].(object)["legend"] = nil
		}
		tips = append(tips, tip{field: "size", kind: "quantitative", title: orText(d.sizeName, "size")})
	}
	var pale []any
	rows := v.rows(m, func(i int, row object) {
		if d.size != nil {
			row["size"] = d.size[i]
		}
		if m.class != nil {
			row["class"] = m.names[m.class[i]]
		} else if m.value != nil {
			row["value"] = m.value[i]
			if !isFinite(m.value[i]) {
				delete(row, "value")
				pale = append(pale, row)
			}
		}
	})
	if pale != nil {
		var with []any
		for _, r := range rows {
			if _, ok := r.(object)["value"]; ok {
				with = append(with, r)
			}
		}
		rows = with
		// A value without a color is drawn as a ring.
		v.add(pale, object{"type": "point", "filled": false, "size": mk["size"], "color": guide.PageColor(figure.Soft()), "strokeWidth": 1}, v.xy(), v.places()...)
	}
	if d.size != nil {
		largestFirst(rows)
	}
	layer := v.add(rows, mk, enc, tips...)
	v.points = append(v.points, pointRows{layer, rows, tips})
}

// largestFirst orders points so that small ones are drawn on top of large ones.
func largestFirst(rows []any) {
	sort.SliceStable(rows, func(a, b int) bool {
		s, _ := rows[a].(object)["size"].(float64)
		t, _ := rows[b].(object)["size"].(float64)
		return s > t
	})
}

// pointFinding returns the number of points and how y changes with x.
func (p *panel) pointFinding(i int) string {
	m := &p.c.marks[i]
	xs, ys := p.drawnPairs(m)
	s := counted(len(xs), "point")
	if len(xs) < 3 {
		return "" // a place that is marked
	}
	for k := range p.c.marks {
		if k != i && p.c.marks[k].kind == line && sameSeries(&p.c.marks[k], &mark{x: m.x, y: m.y}) {
			return "" // the line says more
		}
	}
	if p.c.x.levels != nil || p.c.y.levels != nil {
		return s
	}
	x, y := orName(p.c.x.label(), "x"), orName(p.c.y.label(), "y")
	switch r := correlation(xs, ys); {
	case math.IsNaN(r):
		return s
	case r >= 0.3:
		return fmt.Sprintf("%s; %s rises with %s (correlation %.2f)", s, y, x, r)
	case r <= -0.3:
		return fmt.Sprintf("%s; %s falls with %s (correlation −%.2f)", s, y, x, -r)
	default:
		return s + "; no linear trend (correlation " + minus(fmt.Sprintf("%.2f", r)) + ")"
	}
}

// sizesShown returns the sizes that a legend explains: round numbers in the range of the data, or
// the smallest and the largest size.
func (m *mark) sizesShown() []float64 {
	d := m.asPoints()
	lo, _ := bounds(d.size)
	var out []float64
	for n := 3; len(out) < 2 && n <= 12; n *= 2 {
		out = nil
		for _, s := range niceTicks(0, d.largest, n) {
			if s > 0 && s >= lo && s <= d.largest {
				out = append(out, s)
			}
		}
	}
	if n := len(out); n > 4 {
		out = []float64{out[0], out[n/2], out[n-1]}
	}
	if len(out) < 2 {
		if out = []float64{d.largest}; lo > 0 && lo < d.largest {
			out = []float64{lo, d.largest}
		}
	}
	return out
}

// known leaves out the points that have no class or no size.
func (m mark) known() mark {
	d := m.asPoints()
	keep := func(i int) bool {
		return (m.class == nil || m.class[i] >= 0) && (d.size == nil || isFinite(d.size[i]))
	}
	left := 0
	for i := range m.x {
		if !keep(i) {
			left++
		}
	}
	if left == 0 {
		return m
	}
	part := m.subset(keep)
	part.left += left
	return part
}

func (*pointsKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) { p.points(f, m, l.color) }

func (*pointsKind) misfit(m *mark) error {
	switch {
	case m.width > 0 && !m.ring:
		return errors.New("chart.Width: points have no lines; draw them as rings with Rings, or set their size with Radius")
	case m.color != nil && (m.class != nil || m.value != nil):
		return errors.New("chart.Color: By and ByValue color the points; leave Color out")
	case m.schemed && m.value == nil:
		return errors.New("chart.Scheme: the colors of these points do not show numbers; pass numbers with ByValue")
	}
	return nil
}

// label turns labels into classes, and other numbers into colors of a continuous scale.
func (*pointsKind) label(m *mark, _ string, col column) error {
	if !m.classify(col) {
		m.value, m.scheme = col.v, figure.Viridis
	}
	return nil
}

func (*pointsKind) parts(m mark, _ *Chart) ([]mark, error) { return []mark{m.known()}, nil }

func (*pointsKind) cover(p *panel, m *mark, _ int) {
	coverPlaces(p, m)
	p.countPlaces(m)
}

func (*pointsKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	return countOutside(p, m, in), false
}

func (*pointsKind) key(f *figure.Figure, e entry, x, y float64) {
	if e.ring {
		f.Marker(x+e.indent()/2-4, y, orElse(e.size, 4), e.shape, figure.Style{Stroke: e.color, Width: 1.5})
	} else {
		f.Marker(x+8, y, 4, e.shape, figure.Style{Fill: e.color})
	}
}

func (*pointsKind) avoid(p *panel, m *mark) []figure.Point { return avoidPlaces(p, m, false) }
func (*pointsKind) dot(d *dotting, m *mark, _ int)         { d.places(m) }
func (*pointsKind) finding(p *panel, i int) string         { return p.pointFinding(i) }

func (*pointsKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) { v.pointLayer(m, l.color, l.enc) }
