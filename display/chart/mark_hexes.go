package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// hexesKind is the kind of the hexagons that draw hexbin marks.
type hexesKind struct{ basic }

var hexes kind = &hexesKind{basic{traits{
	name: "hexagons", chart: "hexagons", part: "hexagons",
	series: true, cycles: true,
}}}

// hexesData holds the fields specific to hexagons.
type hexesData struct {
	dx, dy float64 // distances of their middles and of their rows
}

func (m *mark) asHexes() *hexesData { return own[hexesData](m) }

// hexCorners are the corners of a hexagon in units of dx and dy.
var hexCorners = [6][2]float64{{0, 2.0 / 3}, {0.5, 1.0 / 3}, {0.5, -1.0 / 3}, {0, -2.0 / 3}, {-0.5, -1.0 / 3}, {-0.5, 1.0 / 3}}

// corner returns a corner of the hexagon around (x, y), in data coordinates. On logarithmic axes,
// the hexagons tile the logarithms.
func (p *panel) corner(m *mark, k, n int) (x, y float64) {
	d := m.asHexes()
	x, y = m.x[k]+hexCorners[n][0]*d.dx, m.y[k]+hexCorners[n][1]*d.dy
	if p.c.x.log {
		x = math.Pow(10, x)
	}
	if p.c.y.log {
		y = math.Pow(10, y)
	}
	return x, y
}

// hexagons draws the hexagons slightly overlapping, since viewers would show gaps as lines.
func (p *panel) hexagons(f *figure.Figure, m *mark) {
	lo, hi := m.valueRange(m.value)
	for k := range m.x {
		shape := make([]figure.Point, 6)
		for n := range shape {
			x, y := p.corner(m, k, n)
			shape[n] = p.pt(x, y)
		}
		color := m.paint(m.value[k], lo, hi)
		if shape = clipPolygon(shape, p.area); len(shape) > 2 && color.A > 0 {
			f.Polygon(shape, figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 1)), Stroke: figure.Opacity(figure.Mix(color, figure.Paper(), 0.35), orElse(m.alpha, 1)), Width: 0.5})
		}
	}
}

// coverHexagons widens the extents to all corners.
func (p *panel) coverHexagons(m *mark) {
	for k := range m.x {
		for n := range hexCorners {
			x, y := p.corner(m, k, n)
			p.xe.cover(x, x, false)
			p.ye.cover(y, y, false)
		}
	}
}

// middle returns the center of a hexagon in data coordinates.
func (p *panel) middle(m *mark, k int) (x, y float64) {
	x, y = m.x[k], m.y[k]
	if p.c.x.log {
		x = math.Pow(10, x)
	}
	if p.c.y.log {
		y = math.Pow(10, y)
	}
	return x, y
}

// hexLayer adds hexagons as points with the shape of a hexagon.
func (v *vegaPanel) hexLayer(m *mark, enc object) {
	lo, hi := m.valueRange(m.value)
	if !(lo <= hi) {
		return
	}
	var rows []any
	for k := range m.x {
		x, y := v.middle(m, k)
		rows = append(rows, object{"x": x, "y": y, "value": m.value[k]})
	}
	// Point shapes are drawn in a square from -1 to 1.
	x0, y0 := v.corner(m, 0, 4)
	x1, y1 := v.corner(m, 0, 1)
	_, top := v.corner(m, 0, 0)
	width, tall := math.Abs(v.x.at(x1)-v.x.at(x0)), math.Abs(v.y.at(y0)-v.y.at(y1))
	half, end := tall/width, 2*math.Abs(v.y.at(top)-v.y.at(y1))/width+tall/width
	form := fmt.Sprintf("M0,%.3fL1,%.3fL1,%.3fL0,%.3fL-1,%.3fL-1,%.3fZ", -end, -half, half, end, half, -half)
	enc["color"] = v.quantity(m, "value", lo, hi)
	v.add(rows, object{"type": "point", "filled": true, "shape": form, "size": math.Round(width * width), "opacity": orElse(m.alpha, 1)}, enc,
		tip{field: "value", kind: "quantitative", title: orText(v.c.legendTitle, "value")})
}

func (*hexesKind) draw(p *panel, f *figure.Figure, m *mark, _ int, _ look) { p.hexagons(f, m) }
func (*hexesKind) cover(p *panel, m *mark, _ int)                          { p.coverHexagons(m) }

func (*hexesKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	return countOutside(p, m, in), false
}

func (*hexesKind) dot(d *dotting, m *mark, _ int) {
	for k := range m.x {
		d.set(d.panel.middle(m, k))
	}
}

func (*hexesKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) { v.hexLayer(m, l.enc) }
