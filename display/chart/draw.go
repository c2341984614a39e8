package chart

import (
	"image"
	"math"
	"sort"
	"strconv"

	"github.com/gokernel/gokernel/display/figure"
)

var dashes = []float64{6, 4}

// manyPoints is how many markers an SVG holds as shapes; beyond it they become a
// picture.
const manyPoints = 2000

// cloudColors is the number of steps of a continuous scale in that picture.
const cloudColors = 15

// pt gives the pixel of a pair of values.
func (p *panel) pt(x, y float64) figure.Point {
	if p.transposed {
		return figure.Point{X: p.y.at(y), Y: p.x.at(x)}
	}
	return figure.Point{X: p.x.at(x), Y: p.y.at(y)}
}

func (p *panel) pts(xs, ys []float64) []figure.Point {
	out := make([]figure.Point, len(xs))
	for i := range xs {
		out[i] = p.pt(xs[i], ys[i])
	}
	return out
}

func orElse(x, otherwise float64) float64 {
	if x > 0 {
		return x
	}
	return otherwise
}

// mark draws the i-th mark.
func (p *panel) mark(f *figure.Figure, m *mark, i int) {
	color := m.colorOf(p.order(i))
	stroke := figure.Style{Stroke: figure.Opacity(color, orElse(m.alpha, 1)), Width: orElse(m.width, 1.8)}
	if m.dash {
		stroke.Dash = dashes
	}
	switch m.kind {
	case line:
		if m.lo != nil {
			p.band(f, m, color)
		}
		p.line(f, p.pts(m.x, m.y), m, stroke)
	case step:
		if m.lo != nil {
			p.errorBars(f, m, stroke)
		}
		p.steps(f, m, stroke)
	case points:
		p.points(f, m, color)
	case area:
		p.band(f, m, color)
	case bars:
		p.barMark(f, m, p.stacks[i], color)
	case hist:
		p.histogram(f, m, i, color)
	case errs:
		p.errorBars(f, m, stroke)
	case box:
		p.boxes(f, m, color)
	case heat:
		p.heat(f, m)
	case contour:
		p.contours(f, m, stroke)
	case region:
		p.region(f, m)
	case vectors:
		p.vectors(f, m)
	case texts:
		p.texts(f, m)
	case rule:
		p.rules(f, m, stroke)
	case polygon:
		p.polygon(f, m, color, stroke)
	}
}

// steps draws a line that goes across before it goes up.
func (p *panel) steps(f *figure.Figure, m *mark, stroke figure.Style) {
	var out []figure.Point
	for k := range m.x {
		if k > 0 {
			out = append(out, p.pt(m.x[k], m.y[k-1]))
		}
		out = append(out, p.pt(m.x[k], m.y[k]))
	}
	p.line(f, out, m, stroke)
}

// barMark draws bars, each on those that it is stacked on.
func (p *panel) barMark(f *figure.Figure, m *mark, s stack, color figure.Color) {
	for k, x := range m.x {
		if isFinite(m.y[k]) && m.y[k] != 0 {
			base := s.base[k]
			if p.c.y.log {
				base = p.y.lo
			}
			p.bar(f, x+s.offset, x+s.offset+s.width, base, s.base[k]+m.y[k], figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 1))})
		}
	}
	if m.lo != nil {
		middles := *m
		middles.x = s.middles(m.x)
		p.errorBars(f, &middles, figure.Style{Stroke: figure.Mix(color, figure.Ink, 0.6), Width: 1.2})
	}
}

// histogram draws the bars of the i-th mark over the edges that all histograms share.
func (p *panel) histogram(f *figure.Figure, m *mark, i int, color figure.Color) {
	if len(p.samples[i]) == 0 {
		return
	}
	a := orElse(m.alpha, 1)
	if m.alpha == 0 && p.histograms() > 1 {
		a = 0.5
	}
	base := 0.0
	if p.c.y.log {
		base = p.y.lo
	}
	for k, h := range p.heights(p.samples[i]) {
		if h > 0 {
			style := figure.Style{Fill: figure.Opacity(color, a)}
			if p.wide(p.edges[k], p.edges[k+1]) {
				style.Stroke, style.Width = figure.Paper, 0.7
			}
			p.bar(f, p.edges[k], p.edges[k+1], base, h, style)
		}
	}
}

// errorBars draws intervals with a cap at each end.
func (p *panel) errorBars(f *figure.Figure, m *mark, stroke figure.Style) {
	stroke.Width = orElse(m.width, 1.2)
	for k := range m.x {
		a, b := p.pt(m.x[k], m.lo[k]), p.pt(m.x[k], m.hi[k])
		p.segment(f, a, b, stroke)
		for _, e := range []figure.Point{a, b} {
			if p.area.contains(e.X, e.Y) {
				if p.transposed {
					f.Line(e.X, e.Y-3, e.X, e.Y+3, stroke)
				} else {
					f.Line(e.X-3, e.Y, e.X+3, e.Y, stroke)
				}
			}
		}
	}
}

// contours draws level lines, in the colors of their levels unless the mark has one.
func (p *panel) contours(f *figure.Figure, m *mark, stroke figure.Style) {
	lo, hi := bounds(m.level)
	for _, level := range m.level {
		s := stroke
		s.Width = orElse(m.width, 1.3)
		if m.color == nil {
			s.Stroke = figure.Opacity(m.paint(level, lo, hi), orElse(m.alpha, 1))
		}
		for _, path := range m.field.levelLines(level) {
			p.polyline(f, p.pts(path.x, path.y), s)
		}
	}
}

// rules draws lines across the whole panel.
func (p *panel) rules(f *figure.Figure, m *mark, stroke figure.Style) {
	stroke.Width = orElse(m.width, 1.2)
	for _, x := range m.x {
		p.segment(f, p.pt(x, p.y.lo), p.pt(x, p.y.hi), stroke)
	}
	for _, y := range m.y {
		p.segment(f, p.pt(p.x.lo, y), p.pt(p.x.hi, y), stroke)
	}
}

// polygon draws a filled outline, cut at the panel.
func (p *panel) polygon(f *figure.Figure, m *mark, color figure.Color, stroke figure.Style) {
	fill := figure.Opacity(color, orElse(m.alpha, 0.25))
	s := figure.Style{Stroke: color, Width: orElse(m.width, 1.5), Fill: fill, Dash: stroke.Dash}
	if shape := clipPolygon(p.pts(m.x, m.y), p.area); len(shape) > 2 {
		f.Polygon(shape, s)
	}
}

func (p *panel) histograms() int {
	n := 0
	for _, m := range p.c.marks {
		if m.kind == hist {
			n++
		}
	}
	return n
}

// line draws a line; points without neighbors, which have no line, become dots.
func (p *panel) line(f *figure.Figure, pts []figure.Point, m *mark, s figure.Style) {
	p.polyline(f, thin(pts), s)
	broken := func(i int) bool {
		return i < 0 || i >= len(pts) || math.IsNaN(pts[i].X+pts[i].Y) || math.IsInf(pts[i].X+pts[i].Y, 0)
	}
	dots := 0
	for i, q := range pts {
		if !broken(i) && broken(i-1) && broken(i+1) && p.area.contains(q.X, q.Y) && dots < manyPoints {
			f.Marker(q.X, q.Y, 1.6*s.Width, figure.Circle, figure.Style{Fill: s.Stroke})
			dots++
		}
	}
}

// thin leaves out points of a long line that no one can see: of those that fall
// on the same half pixel from left to right, the first, lowest, highest and last
// remain.
func thin(pts []figure.Point) []figure.Point {
	if len(pts) < 5000 {
		return pts
	}
	out := make([]figure.Point, 0, 4096)
	for i := 0; i < len(pts); {
		column := math.Floor(2 * pts[i].X)
		j, lo, hi := i, i, i
		for j < len(pts) && math.Floor(2*pts[j].X) == column && !math.IsNaN(pts[j].Y) {
			if pts[j].Y < pts[lo].Y {
				lo = j
			}
			if pts[j].Y > pts[hi].Y {
				hi = j
			}
			j++
		}
		if j == i { // a gap
			out = append(out, pts[i])
			i++
			continue
		}
		keep := []int{i, lo, hi, j - 1}
		sort.Ints(keep)
		for n, k := range keep {
			if n == 0 || k != keep[n-1] {
				out = append(out, pts[k])
			}
		}
		i = j
	}
	return out
}

// polyline draws the part of a line that lies in the area.
func (p *panel) polyline(f *figure.Figure, pts []figure.Point, s figure.Style) {
	var run []figure.Point
	flush := func() {
		if len(run) > 1 {
			f.Polyline(run, s)
		}
		run = nil
	}
	for i := 1; i < len(pts); i++ {
		a, b, ok := clipSegment(pts[i-1], pts[i], p.area)
		if !ok {
			flush()
			continue
		}
		if len(run) == 0 || run[len(run)-1] != a {
			flush()
			run = append(run, a)
		}
		run = append(run, b)
		if b != pts[i] {
			flush()
		}
	}
	flush()
}

func (p *panel) segment(f *figure.Figure, a, b figure.Point, s figure.Style) {
	if a, b, ok := clipSegment(a, b, p.area); ok {
		f.Line(a.X, a.Y, b.X, b.Y, s)
	}
}

// clipSegment cuts a segment to a rectangle (Y.-D. Liang and B. Barsky, 1984).
func clipSegment(a, b figure.Point, r rect) (figure.Point, figure.Point, bool) {
	if !isFinite(a.X) || !isFinite(a.Y) || !isFinite(b.X) || !isFinite(b.Y) {
		return a, b, false
	}
	t0, t1 := 0.0, 1.0
	dx, dy := b.X-a.X, b.Y-a.Y
	for _, e := range [4][2]float64{{-dx, a.X - r.x0}, {dx, r.x1 - a.X}, {-dy, a.Y - r.y0}, {dy, r.y1 - a.Y}} {
		switch d, q := e[0], e[1]; {
		case d == 0 && q < -0.5:
			return a, b, false
		case d < 0:
			t0 = math.Max(t0, q/d)
		case d > 0:
			t1 = math.Min(t1, q/d)
		}
	}
	if t0 > t1 {
		return a, b, false
	}
	start, end := a, b
	if t0 > 0 {
		start = figure.Point{X: a.X + t0*dx, Y: a.Y + t0*dy}
	}
	if t1 < 1 {
		end = figure.Point{X: a.X + t1*dx, Y: a.Y + t1*dy}
	}
	return start, end, true
}

// clipPolygon cuts a polygon to a rectangle (I. Sutherland and G. Hodgman, 1974).
func clipPolygon(pts []figure.Point, r rect) []figure.Point {
	for _, side := range []func(figure.Point) float64{
		func(q figure.Point) float64 { return q.X - r.x0 },
		func(q figure.Point) float64 { return r.x1 - q.X },
		func(q figure.Point) float64 { return q.Y - r.y0 },
		func(q figure.Point) float64 { return r.y1 - q.Y },
	} {
		var out []figure.Point
		for i, b := range pts {
			a := pts[(i+len(pts)-1)%len(pts)]
			da, db := side(a), side(b)
			if (da < 0) != (db < 0) {
				t := da / (da - db)
				out = append(out, figure.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)})
			}
			if db >= 0 {
				out = append(out, b)
			}
		}
		pts = out
	}
	return pts
}

// radius of points when there are n of them.
func radius(n int) float64 {
	switch {
	case n <= 300:
		return 3.6
	case n <= 1000:
		return 2.8
	case n <= 5000:
		return 2.1
	case n <= 50000:
		return 1.5
	case n <= 500000:
		return 1
	}
	return 0.7
}

// largestRadius is that of the largest point of those whose areas show something.
const largestRadius = 13

// sized gives the radius of a point whose area shows the size.
func (m *mark) sized(size float64) float64 {
	if m.largest <= 0 {
		return orElse(m.radius, largestRadius)
	}
	return math.Max(0.6, orElse(m.radius, largestRadius)*math.Sqrt(size/m.largest))
}

func (p *panel) points(f *figure.Figure, m *mark, color figure.Color) {
	n := len(m.x)
	r := orElse(m.radius, radius(n))
	if p.inner && m.radius == 0 {
		r *= 0.8
	}
	alpha := m.alpha
	if alpha == 0 {
		alpha = 0.85
		if n > 1000 {
			alpha = math.Max(0.25, 0.75-0.1*math.Log10(float64(n)/1000))
		}
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
	if m.size != nil {
		// Small points lie on large ones.
		sort.SliceStable(order, func(a, b int) bool { return m.size[order[a]] > m.size[order[b]] })
		radius = func(i int) float64 { return m.sized(m.size[i]) }
		r = m.sized(m.largest)
	}
	covered, _ := p.raster()
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
					// Few colors make a small picture.
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
		s := figure.Style{Fill: figure.Opacity(c, alpha), Stroke: figure.Paper, Width: 0.6}
		if covered {
			// On a ground of its own color a point needs a dark edge.
			s.Stroke, s.Width = figure.Mix(c, figure.Ink, 0.6), 0.8
		}
		if m.ring {
			s = figure.Style{Stroke: figure.Opacity(c, orElse(m.alpha, 1)), Width: orElse(m.width, 1.5)}
		} else if c.A == 0 {
			s = figure.Style{Stroke: figure.Soft, Width: 1} // a value that has no color
		}
		f.Marker(q.X, q.Y, radius(i), shape, s)
	}
}

func (p *panel) band(f *figure.Figure, m *mark, color figure.Color) {
	style := figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 0.22))}
	for start, i := 0, 0; i <= len(m.x); i++ {
		if i < len(m.x) && isFinite(m.x[i]) && isFinite(m.lo[i]) && isFinite(m.hi[i]) {
			continue
		}
		if i-start > 1 {
			shape := p.pts(m.x[start:i], m.hi[start:i])
			low := p.pts(m.x[start:i], m.lo[start:i])
			for k := len(low) - 1; k >= 0; k-- {
				shape = append(shape, low[k])
			}
			if shape = clipPolygon(shape, p.area); len(shape) > 2 {
				f.Polygon(shape, style)
			}
		}
		start = i + 1
	}
}

// wide reports whether a bar from x0 to x1 is wide enough for a line of the color of
// the paper around it: narrow ones would disappear behind theirs.
func (p *panel) wide(x0, x1 float64) bool { return math.Abs(p.x.at(x1)-p.x.at(x0)) >= 3 }

// bar draws the rectangle between two values of x and two of y.
func (p *panel) bar(f *figure.Figure, x0, x1, y0, y1 float64, s figure.Style) {
	a, b := p.pt(x0, y0), p.pt(x1, y1)
	r := p.area
	left, right := math.Max(r.x0, math.Min(a.X, b.X)), math.Min(r.x1, math.Max(a.X, b.X))
	top, bottom := math.Max(r.y0, math.Min(a.Y, b.Y)), math.Min(r.y1, math.Max(a.Y, b.Y))
	if left < right && top < bottom {
		f.Rect(left, top, right-left, bottom-top, 0, s)
	}
}

func (p *panel) boxes(f *figure.Figure, m *mark, color figure.Color) {
	ink := figure.Style{Stroke: figure.Mix(color, figure.Ink, 0.35), Width: 1.2}
	for k, g := range m.groups {
		var v []float64
		for _, x := range g {
			if isFinite(x) {
				v = append(v, x)
			}
		}
		if len(v) == 0 {
			continue
		}
		sort.Float64s(v)
		q1, q2, q3 := quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75)
		fence := 1.5 * (q3 - q1)
		lo, hi := q1, q3
		for _, x := range v {
			if x >= q1-fence {
				lo = math.Min(lo, x)
				break
			}
		}
		for i := len(v) - 1; i >= 0; i-- {
			if v[i] <= q3+fence {
				hi = math.Max(hi, v[i])
				break
			}
		}
		at, half := m.x[k], m.half
		p.segment(f, p.pt(at, lo), p.pt(at, q1), ink)
		p.segment(f, p.pt(at, q3), p.pt(at, hi), ink)
		p.segment(f, p.pt(at-half/2, lo), p.pt(at+half/2, lo), ink)
		p.segment(f, p.pt(at-half/2, hi), p.pt(at+half/2, hi), ink)
		style := ink
		style.Fill = figure.Mix(figure.Paper, color, 0.45)
		if q1 == q3 {
			p.segment(f, p.pt(at-half, q1), p.pt(at+half, q1), ink)
		} else {
			p.bar(f, at-half, at+half, q1, q3, style)
		}
		median := ink
		median.Width = 2.2
		p.segment(f, p.pt(at-half, q2), p.pt(at+half, q2), median)
		drawn := 0
		for _, x := range v {
			if (x < lo || x > hi) && drawn < manyPoints {
				if q := p.pt(at, x); p.area.contains(q.X, q.Y) {
					f.Marker(q.X, q.Y, 2.4, figure.Circle, figure.Style{Stroke: ink.Stroke, Width: 1})
					drawn++
				}
			}
		}
	}
}

// manyCells is how many cells of a heat map are drawn as shapes.
const manyCells = 2500

func (p *panel) heat(f *figure.Figure, m *mark) {
	g := m.field
	lo, hi := m.valueRange(g.Z)
	if lo > hi {
		return
	}
	if g.NX*g.NY > manyCells {
		p.cells(f, g, func(k int) figure.Color { return m.paint(g.Z[k], lo, hi) })
		return
	}
	snap := func(x float64) float64 { return math.Round(2*x) / 2 }
	dx, dy := (g.X1-g.X0)/float64(g.NX), (g.Y1-g.Y0)/float64(g.NY)
	// Cells that can be counted stand apart.
	cw, ch := p.area.w()*dx/(p.x.hi-p.x.lo), p.area.h()*dy/(p.y.hi-p.y.lo)
	apart := g.X0 == -0.5 && cw >= 22 && ch >= 14
	font := figure.Font{Size: math.Max(11, math.Min(15, 0.2*math.Min(cw, ch)))}
	for j := range g.NY {
		for i := range g.NX {
			z := g.Z[j*g.NX+i]
			a := p.pt(g.X0+dx*float64(i), g.Y0+dy*float64(j))
			b := p.pt(g.X0+dx*float64(i+1), g.Y0+dy*float64(j+1))
			x0, x1 := snap(math.Max(p.area.x0, math.Min(a.X, b.X))), snap(math.Min(p.area.x1, math.Max(a.X, b.X)))
			y0, y1 := snap(math.Max(p.area.y0, math.Min(a.Y, b.Y))), snap(math.Min(p.area.y1, math.Max(a.Y, b.Y)))
			if !(x0 < x1 && y0 < y1) {
				continue
			}
			c := m.paint(z, lo, hi)
			if c.A == 0 {
				c = figure.Shade
			}
			// A little under the next cells: viewers would show gaps as lines.
			right, bottom := math.Min(x1+0.5, p.area.x1), math.Min(y1+0.5, p.area.y1)
			if apart {
				right, bottom = x1-1, y1-1
			}
			f.Rect(x0, y0, right-x0, bottom-y0, 0, figure.Style{Fill: c})
			if g.X0 != -0.5 || x1-x0 < 24 || y1-y0 < 14 || g.NX*g.NY > 400 {
				continue
			}
			text := cellText(g, z)
			if font.Width(text) < x1-x0-2 {
				f.Label((x0+x1)/2, (y0+y1)/2+0.36*font.Size, text, figure.TextStyle{Font: font, Color: figure.On(c), Anchor: figure.Middle})
			}
		}
	}
}

// cellText writes the value of a cell: whole if all of them are, else with two
// digits behind the point.
func cellText(g Field, z float64) string {
	counts := true
	for _, v := range g.Z {
		counts = counts && (v == math.Trunc(v) || math.IsNaN(v)) && math.Abs(v) < 1e6
	}
	switch {
	case !isFinite(z):
		return "–"
	case counts:
		return minus(strconv.FormatFloat(z, 'f', 0, 64))
	case math.Abs(z) >= 1000 || z != 0 && math.Abs(z) < 0.005:
		return minus(strconv.FormatFloat(z, 'g', 2, 64))
	}
	return minus(strconv.FormatFloat(z, 'f', 2, 64))
}

// cells draws the part of a field that lies in the area pixel by pixel.
func (p *panel) cells(f *figure.Figure, g Field, color func(k int) figure.Color) {
	w, h := int(2*p.area.w()), int(2*p.area.h())
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	index := func(v, lo, hi float64, n int) int {
		if v < lo || v > hi {
			return -1
		}
		return min(n-1, int((v-lo)/(hi-lo)*float64(n)))
	}
	hs, vs := p.scales()
	cols := make([]int, w)
	n, lo, hi := g.NX, g.X0, g.X1
	if p.transposed {
		n, lo, hi = g.NY, g.Y0, g.Y1
	}
	for i := range cols {
		cols[i] = index(hs.value(p.area.x0+(float64(i)+0.5)/2), lo, hi, n)
	}
	n, lo, hi = g.NY, g.Y0, g.Y1
	if p.transposed {
		n, lo, hi = g.NX, g.X0, g.X1
	}
	palette := make([]figure.Color, len(g.Z))
	for k := range palette {
		palette[k] = color(k)
	}
	previous := -2
	for j := range h {
		row := img.Pix[j*img.Stride : (j+1)*img.Stride]
		b := index(vs.value(p.area.y0+(float64(j)+0.5)/2), lo, hi, n)
		if b == previous {
			copy(row, img.Pix[(j-1)*img.Stride:j*img.Stride])
			continue
		}
		previous = b
		if b < 0 {
			continue
		}
		for i, a := range cols {
			if a < 0 {
				continue
			}
			k := b*g.NX + a
			if p.transposed {
				k = a*g.NX + b
			}
			c := palette[k]
			row[4*i], row[4*i+1], row[4*i+2], row[4*i+3] = c.R, c.G, c.B, c.A
		}
	}
	f.Picture(p.area.x0, p.area.y0, p.area.w(), p.area.h(), img)
}

func (p *panel) region(f *figure.Figure, m *mark) {
	p.cells(f, m.field, func(k int) figure.Color {
		z := m.field.Z[k]
		if !isFinite(z) || z < 0 {
			return figure.Paper
		}
		t := 0.3
		if m.sure != nil && isFinite(m.sure[k]) {
			t = 0.08 + 0.34*math.Max(0, math.Min(1, m.sure[k]))
		}
		return figure.Mix(figure.Paper, figure.Class(int(z)), t)
	})
}

func (p *panel) vectors(f *figure.Figure, m *mark) {
	longest := 0.0
	type arrow struct{ from, to figure.Point }
	var arrows []arrow
	for i := range m.x {
		a := p.pt(m.x[i], m.y[i])
		b := p.pt(m.x[i]+m.u[i], m.y[i]+m.v[i])
		if l := math.Hypot(b.X-a.X, b.Y-a.Y); isFinite(l) {
			longest = math.Max(longest, l)
			arrows = append(arrows, arrow{a, b})
		}
	}
	if longest == 0 {
		return
	}
	unit := 0.9 * math.Sqrt(p.area.w()*p.area.h()/float64(len(arrows))) / longest
	if len(arrows) == 1 {
		unit = 1
	}
	color := figure.Opacity(figure.Ink, orElse(m.alpha, 0.8))
	if m.color != nil {
		color = figure.Opacity(*m.color, orElse(m.alpha, 1))
	}
	s := figure.Style{Stroke: color, Width: orElse(m.width, 1.2)}
	for _, a := range arrows {
		if !p.area.contains(a.from.X, a.from.Y) {
			continue
		}
		dx, dy := unit*(a.to.X-a.from.X), unit*(a.to.Y-a.from.Y)
		l := math.Hypot(dx, dy)
		if l < 0.5 {
			f.Marker(a.from.X, a.from.Y, 1, figure.Circle, figure.Style{Fill: color})
			continue
		}
		ux, uy := dx/l, dy/l
		head := math.Min(6, 0.45*l)
		tip := figure.Point{X: a.from.X + dx, Y: a.from.Y + dy}
		f.Line(a.from.X, a.from.Y, tip.X-0.8*head*ux, tip.Y-0.8*head*uy, s)
		f.Polygon([]figure.Point{tip,
			{X: tip.X - head*ux - 0.45*head*uy, Y: tip.Y - head*uy + 0.45*head*ux},
			{X: tip.X - head*ux + 0.45*head*uy, Y: tip.Y - head*uy - 0.45*head*ux},
		}, figure.Style{Fill: color})
	}
}

// texts writes labels beside their points, on the first side where they do not
// lie on another label.
func (p *panel) texts(f *figure.Figure, m *mark) {
	font := figure.Font{Size: orElse(m.radius, 11)}
	color := figure.Ink
	if m.color != nil {
		color = *m.color
	}
	var taken []rect
	free := func(r rect) bool {
		for _, t := range taken {
			if r.x0 < t.x1 && t.x0 < r.x1 && r.y0 < t.y1 && t.y0 < r.y1 {
				return false
			}
		}
		return r.x0 >= p.area.x0 && r.x1 <= p.area.x1+8 && r.y0 >= p.area.y0-10
	}
	for i, s := range m.labels {
		q := p.pt(m.x[i], m.y[i])
		if !p.area.contains(q.X, q.Y) {
			continue
		}
		w := font.Width(s)
		sides := [...]figure.Point{{X: q.X + 6, Y: q.Y - 5}, {X: q.X - w - 6, Y: q.Y - 5}, {X: q.X + 6, Y: q.Y + 13}, {X: q.X - w - 6, Y: q.Y + 13}, {X: q.X - w/2, Y: q.Y - 9}, {X: q.X - w/2, Y: q.Y + 17}}
		at := sides[0]
		if at.X+w > p.area.x1+8 {
			at = sides[1]
		}
		for _, c := range sides {
			if free(rect{c.X, c.Y - font.Size, c.X + w, c.Y + 2}) {
				at = c
				break
			}
		}
		taken = append(taken, rect{at.X, at.Y - font.Size, at.X + w, at.Y + 2})
		f.Label(at.X, at.Y, s, figure.TextStyle{Font: font, Color: color})
	}
}
