package chart

import (
	"github.com/gokernel/gokernel/display/figure"
)

// polygonKind is the kind of marks that show closed shapes.
type polygonKind struct{ basic }

var polygon kind = &polygonKind{basic{traits{
	name: "polygon", chart: "polygons", part: "polygons",
	options: "Name Color ClassColor Width Opacity Dashed",
	series:  true, cycles: true,
}}}

// polygonData holds the fields specific to polygons.
type polygonData struct {
	plain bool // without an outline
}

func (m *mark) asPolygon() *polygonData { return own[polygonData](m) }

// Polygon adds a closed, lightly filled shape with the corners (x, y).
func (c *Chart) Polygon(x, y any) *Chart {
	if xs, ys, ok := c.pair("Polygon", x, y); ok {
		c.add(mark{kind: polygon, x: xs, y: ys})
	}
	return c
}

// polygon draws a filled outline, cut at the panel.
func (p *panel) polygon(f *figure.Figure, m *mark, color figure.Color, stroke figure.Style) {
	fill := figure.Opacity(color, orElse(m.alpha, 0.25))
	s := figure.Style{Stroke: color, Width: orElse(m.width, 1.5), Fill: fill, Dash: stroke.Dash}
	if m.asPolygon().plain {
		s = figure.Style{Fill: fill}
	}
	if shape := clipPolygon(p.pts(m.x, m.y), p.area); len(shape) > 2 {
		f.Polygon(shape, s)
	}
}

// polygonLayer adds a filled outline.
func (v *vegaPanel) polygonLayer(m *mark, color string, enc, stroke object) {
	enc["order"] = object{"field": "i", "type": "quantitative"}
	stroke["interpolate"] = "linear-closed"
	stroke["fill"], stroke["fillOpacity"], stroke["opacity"] = color, orElse(m.alpha, 0.25), 1
	stroke["strokeWidth"] = orElse(m.width, 1.5)
	if m.asPolygon().plain {
		stroke["strokeWidth"], stroke["strokeOpacity"] = 0, 0
	}
	v.add(v.rows(m, func(i int, row object) { row["i"] = i }), stroke, enc)
}

func (*polygonKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) {
	p.polygon(f, m, l.color, l.stroke)
}

func (*polygonKind) cover(p *panel, m *mark, _ int) { coverPlaces(p, m) }
func (*polygonKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	switch {
	case m.sample != nil:
		return m.sample.outside(p, in), false
	case m.slot || m.asPolygon().plain:
		return 0, false
	}
	return countOutside(p, m, in), false
}

func (*polygonKind) key(f *figure.Figure, e entry, x, y float64) { keyArea(f, e, x, y) }
func (*polygonKind) dot(d *dotting, m *mark, _ int)              { d.polyline(m.x, m.y) }

func (*polygonKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) {
	v.polygonLayer(m, l.color, l.enc, l.stroke)
}
