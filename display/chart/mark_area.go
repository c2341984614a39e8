package chart

import (
	"fmt"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// areaKind is the kind of marks that show a band between two lines.
type areaKind struct{ basic }

var area kind = &areaKind{basic{traits{
	name: "area", chart: "area chart", part: "bands",
	options: "Name Color ClassColor Opacity ByClass",
	series:  true, cycles: true, right: true,
}}}

// areaData holds the fields specific to areas.
type areaData struct {
	pile     bool // the area is stacked on others
	computed bool // the band of a curve
}

func (m *mark) asArea() *areaData { return own[areaData](m) }

// Area fills the band between lo and hi over x; lo can be a single number.
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

func (p *panel) band(f *figure.Figure, m *mark, color figure.Color) {
	if p.c.y.log {
		// An area down to zero ends at the end of the axis.
		whole := *m
		whole.lo = slices.Clone(m.lo)
		for i, lo := range m.lo {
			if lo <= 0 {
				whole.lo[i] = p.y.lo
			}
		}
		m = &whole
	}
	style := figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 0.22))}
	for start, i := 0, 0; i <= len(m.x); i++ {
		if i < len(m.x) && isFinite(m.x[i]) && isFinite(m.lo[i]) && isFinite(m.hi[i]) && !(p.c.y.log && m.hi[i] <= 0) && !(p.c.x.log && m.x[i] <= 0) {
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

// areaLayer adds a band between two lines, split where it has gaps. It returns the rows and their
// tooltip fields.
func (v *vegaPanel) areaLayer(m *mark, color string, enc object) (rows []any, tips []tip) {
	enc["y2"] = object{"field": "y2"}
	part, several, open := 0, false, false
	for i := range m.x {
		if !isFinite(m.x[i]) || !isFinite(m.lo[i]) || !isFinite(m.hi[i]) || v.c.y.log && m.hi[i] <= 0 || v.c.x.log && m.x[i] <= 0 {
			if open {
				part++
			}
			open = false
			continue
		}
		open, several = true, several || part > 0
		lo := m.lo[i]
		if v.c.y.log && lo <= 0 {
			lo = v.y.lo
		}
		rows = append(rows, object{"x": position(&v.c.x, m.x[i]), "y": position(&v.c.y, m.hi[i]), "y2": position(&v.c.y, lo), "part": part})
	}
	if several {
		enc["detail"] = object{"field": "part", "type": "nominal"}
	} else {
		for _, r := range rows {
			delete(r.(object), "part")
		}
	}
	enc["y"].(object)["stack"] = nil
	v.add(rows, object{"type": "area", "color": color, "opacity": orElse(m.alpha, 0.22)}, enc)
	return rows, []tip{v.tip("x", "x"), v.tip("y2", "y").called("from"), v.tip("y", "y").called("to")}
}

func (*areaKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) { p.band(f, m, l.color) }

func (*areaKind) cover(p *panel, m *mark, _ int) {
	for k := range m.x {
		if p.c.y.log && m.hi[k] <= 0 || p.c.x.log && m.x[k] <= 0 {
			p.leftOut.notPositive++
		}
	}
	p.coverX(m.x, true)
	p.coverY(m.lo, true)
	p.coverY(m.hi, true)
}

func (*areaKind) outside(p *panel, m *mark, _ int, in inside) (n int, cut bool) {
	switch {
	case m.sample != nil:
		return m.sample.outside(p, in), false
	case m.ridge || m.y != nil || m.ground && !m.asArea().pile || m.asArea().computed:
		return 0, false // its line is counted
	}
	for k, x := range m.x {
		if isFinite(x) && isFinite(m.hi[k]) && (!in(&p.x, x) || !in(&p.y, m.hi[k]) || !in(&p.y, m.lo[k]) && !p.c.y.log) {
			n++
		}
	}
	return n, false
}

func (*areaKind) key(f *figure.Figure, e entry, x, y float64) { keyArea(f, e, x, y) }

func (*areaKind) dot(d *dotting, m *mark, _ int) {
	d.polyline(m.x, m.lo)
	d.polyline(m.x, m.hi)
}

func (*areaKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) {
	rows, tips := v.areaLayer(m, l.color, l.enc)
	if n := len(rows); n == 0 || n > mostTips || m.ridge || m.ground {
		return
	}
	places := make([]any, len(rows))
	for i, r := range rows {
		places[i] = object{"x": r.(object)["x"], "y": r.(object)["y"], "y2": r.(object)["y2"]}
	}
	v.add(places, object{"type": "point", "filled": true, "size": 60, "color": l.color, "opacity": 0}, v.xyOf(l.enc), tips...)
}
