package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// vectorsKind is the kind of marks that show arrows.
type vectorsKind struct{ basic }

var vectors kind = &vectorsKind{basic{traits{
	name: "vectors", chart: "vector field", part: "arrows",
	options: "Name Color ClassColor Width Opacity ByClass",
	lined:   true,
}}}

// arrowsData holds the fields specific to vectors.
type arrowsData struct {
	u, v  []float64
	heads bool // only the heads are drawn
}

func (d *arrowsData) subset(n int, keep func(int) bool) any {
	out := *d
	out.u, out.v = kept(d.u, n, keep), kept(d.v, n, keep)
	return &out
}

func (m *mark) asArrows() *arrowsData { return own[arrowsData](m) }

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
	return c.add(mark{kind: vectors, x: xs, y: ys, own: &arrowsData{u: cu.v, v: cv.v}})
}

// Quiver draws a vector field (u, v) = f(x, y) as arrows on a grid in a rectangle. The lengths of
// the arrows are proportional to the strength of the field. See [Chart.Vectors].
func Quiver(f func(x, y float64) (u, v float64), x0, x1, y0, y1 float64) *Chart {
	c := New()
	if !ascend(x0, x1, y0, y1) {
		c.fail(rectangleError("Quiver", x0, x1, y0, y1))
		return c
	}
	const n = 16
	var xs, ys, us, vs []float64
	for j := range n {
		for i := range n {
			x, y := x0+(x1-x0)*(float64(i)+0.5)/n, y0+(y1-y0)*(float64(j)+0.5)/n
			u, v := f(x, y)
			xs, ys, us, vs = append(xs, x), append(ys, y), append(us, u), append(vs, v)
		}
	}
	return c.Vectors(xs, ys, us, vs)
}

// arrow is a vector in pixels.
type arrow struct{ from, to figure.Point }

// arrows returns the vectors of a mark as they are drawn: the longest about as long as the distance
// between neighbors. For heads only, it returns the directions at their tips.
func (p *panel) arrows(m *mark) []arrow {
	d, longest := m.asArrows(), 0.0
	var all []arrow
	for i := range m.x {
		a := p.pt(m.x[i], m.y[i])
		b := p.pt(m.x[i]+d.u[i], m.y[i]+d.v[i])
		if d.heads {
			a, b = p.pt(m.x[i]-d.u[i], m.y[i]-d.v[i]), a
		}
		if l := math.Hypot(b.X-a.X, b.Y-a.Y); isFinite(l) {
			longest = math.Max(longest, l)
			all = append(all, arrow{a, b})
		}
	}
	if longest == 0 {
		return nil
	}
	unit := 0.9 * math.Sqrt(p.area.w()*p.area.h()/float64(len(all))) / longest
	if len(all) == 1 || d.heads {
		unit = 1
	}
	var out []arrow
	for _, a := range all {
		at := a.from
		if d.heads {
			at = a.to
		}
		if p.area.contains(at.X, at.Y) {
			a.to = figure.Point{X: a.from.X + unit*(a.to.X-a.from.X), Y: a.from.Y + unit*(a.to.Y-a.from.Y)}
			out = append(out, a)
		}
	}
	return out
}

func (p *panel) vectors(f *figure.Figure, m *mark) {
	if m.asArrows().heads {
		p.arrowHeads(f, m)
		return
	}
	color := figure.Opacity(figure.Ink(), orElse(m.alpha, 0.8))
	if m.color != nil {
		color = figure.Opacity(*m.color, orElse(m.alpha, 1))
	}
	s := figure.Style{Stroke: color, Width: orElse(m.width, 1.2)}
	for _, a := range p.arrows(m) {
		dx, dy := a.to.X-a.from.X, a.to.Y-a.from.Y
		l := math.Hypot(dx, dy)
		if l < 0.5 {
			f.Marker(a.from.X, a.from.Y, 1, figure.Circle, figure.Style{Fill: color})
			continue
		}
		ux, uy := dx/l, dy/l
		head := math.Min(6, 0.45*l)
		f.Line(a.from.X, a.from.Y, a.to.X-0.8*head*ux, a.to.Y-0.8*head*uy, s)
		f.Polygon([]figure.Point{a.to,
			{X: a.to.X - head*ux - 0.45*head*uy, Y: a.to.Y - head*uy + 0.45*head*ux},
			{X: a.to.X - head*ux + 0.45*head*uy, Y: a.to.Y - head*uy - 0.45*head*ux},
		}, figure.Style{Fill: color})
	}
}

// arrowHeads draws the heads of arrows, all of the same size.
func (p *panel) arrowHeads(f *figure.Figure, m *mark) {
	const size = 6.5
	d := m.asArrows()
	for i := range m.x {
		a, b := p.pt(m.x[i]-d.u[i], m.y[i]-d.v[i]), p.pt(m.x[i], m.y[i])
		l := math.Hypot(b.X-a.X, b.Y-a.Y)
		if !isFinite(l) || l == 0 || !p.area.contains(b.X, b.Y) {
			continue
		}
		ux, uy := (b.X-a.X)/l, (b.Y-a.Y)/l
		tip := figure.Point{X: b.X + size/2*ux, Y: b.Y + size/2*uy}
		f.Polygon([]figure.Point{tip,
			{X: tip.X - size*ux - 0.5*size*uy, Y: tip.Y - size*uy + 0.5*size*ux},
			{X: tip.X - size*ux + 0.5*size*uy, Y: tip.Y - size*uy - 0.5*size*ux},
		}, figure.Style{Fill: m.colorOf(0)})
	}
}

// vectorLayers adds the arrows of the drawing, or only their heads.
func (v *vegaPanel) vectorLayers(m *mark) {
	v.series = ""
	arrows := v.arrows(m)
	if len(arrows) == 0 {
		return
	}
	color := guide.PageColor(figure.Ink())
	if m.color != nil {
		color = guide.PageColor(*m.color)
	}
	alpha := orElse(m.alpha, 0.8)
	var shafts, heads []any
	for _, a := range arrows {
		x, y := v.back(a.from.X, a.from.Y)
		x2, y2 := v.back(a.to.X, a.to.Y)
		shafts = append(shafts, object{"x": x, "y": y, "x2": x2, "y2": y2})
		heads = append(heads, object{"x": x2, "y": y2, "angle": math.Mod(90+math.Atan2(a.to.Y-a.from.Y, a.to.X-a.from.X)*180/math.Pi+360, 360)})
	}
	if !m.asArrows().heads {
		v.add(shafts, object{"type": "rule", "color": color, "opacity": alpha, "strokeWidth": orElse(m.width, 1.2)}, v.ends())
	}
	enc := v.xy()
	enc["angle"] = object{"field": "angle", "type": "quantitative", "scale": nil}
	v.add(heads, object{"type": "point", "shape": "triangle", "filled": true, "size": 24, "color": color, "opacity": alpha}, enc)
}

func (*vectorsKind) draw(p *panel, f *figure.Figure, m *mark, _ int, _ look) { p.vectors(f, m) }
func (*vectorsKind) cover(p *panel, m *mark, _ int)                          { coverPlaces(p, m) }

func (*vectorsKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	return countOutside(p, m, in), false
}

func (*vectorsKind) dot(d *dotting, m *mark, _ int)                 { d.places(m) }
func (*vectorsKind) layer(v *vegaPanel, m *mark, _ int, _ vegaLook) { v.vectorLayers(m) }
