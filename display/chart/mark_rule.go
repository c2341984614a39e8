package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// ruleKind is the kind of marks that show lines across the whole chart.
type ruleKind struct{ basic }

var rule kind = &ruleKind{basic{traits{
	name: "rule", chart: "reference lines", part: "reference lines",
	options: "Name Color ClassColor Width Opacity Dashed",
	gray:    true,
	lined:   true,
}}}

// ruleData holds the fields specific to rules.
type ruleData struct {
	upright bool
}

func (m *mark) asRule() *ruleData { return own[ruleData](m) }

// HRule adds a horizontal line across the chart at each y: numbers, times or names on the y axis,
// or slices of them.
func (c *Chart) HRule(y ...any) *Chart {
	at, lost, err := c.y.rulesAt("HRule", "y", y)
	if err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: rule, y: at, lost: lost})
}

// VRule adds a vertical line across the chart at each x, as HRule does for y.
func (c *Chart) VRule(x ...any) *Chart {
	at, lost, err := c.x.rulesAt("VRule", "x", x)
	if err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: rule, x: at, lost: lost, own: &ruleData{upright: true}})
}

// rulesAt returns the finite positions of rules on an axis, and counts the other ones.
func (a *axis) rulesAt(verb, name string, values []any) (at []float64, lost leftOut, err error) {
	for _, v := range flat(values) {
		x, err := a.at(verb, name, v)
		if err != nil {
			return nil, lost, err
		}
		if !isFinite(x) {
			lost.notFinite++
			continue
		}
		at = append(at, x)
	}
	return at, lost, nil
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

// ruleLayer adds lines across the whole panel.
func (v *vegaPanel) ruleLayer(m *mark, color string, enc object) {
	mk := object{"type": "rule", "color": color, "strokeWidth": orElse(m.width, 1.2), "opacity": orElse(m.alpha, 1)}
	if m.dash {
		mk["strokeDash"] = dashes[1]
	}
	var rows []any
	field, values, a, s := "y", m.y, &v.c.y, &v.y
	if m.asRule().upright {
		field, values, a, s = "x", m.x, &v.c.x, &v.x
	}
	delete(enc, map[string]string{"x": "y", "y": "x"}[field])
	for _, at := range values {
		if isFinite(at) && at >= math.Min(s.lo, s.hi) && at <= math.Max(s.lo, s.hi) {
			rows = append(rows, object{field: position(a, at)})
		}
	}
	v.add(rows, mk, enc, v.tip(field, field))
}

func (*ruleKind) rowwise(*mark) bool             { return false }
func (*ruleKind) named(*mark, *axis, bool) error { return nil }

func (*ruleKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) { p.rules(f, m, l.stroke) }

func (*ruleKind) cover(p *panel, m *mark, _ int) {
	if m.asRule().upright {
		p.coverX(m.x, true)
	} else {
		p.coverY(m.y, true)
	}
}

func (*ruleKind) outside(p *panel, m *mark, _ int, in inside) (n int, _ bool) {
	for _, x := range m.x {
		if !in(&p.x, x) {
			n++
		}
	}
	for _, y := range m.y {
		if !in(&p.y, y) {
			n++
		}
	}
	return n, false
}

func (*ruleKind) dot(d *dotting, m *mark, _ int) {
	for _, x := range m.x {
		d.polyline([]float64{x, x}, []float64{d.panel.y.lo, d.panel.y.hi})
	}
	for _, y := range m.y {
		d.polyline([]float64{d.panel.x.lo, d.panel.x.hi}, []float64{y, y})
	}
}

func (*ruleKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) { v.ruleLayer(m, l.color, l.enc) }
