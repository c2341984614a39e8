package chart

import (
	"fmt"

	"github.com/gokernel/gokernel/display/figure"
)

// textsKind is the kind of marks that show labels.
type textsKind struct{ basic }

var texts kind = &textsKind{basic{traits{
	name: "text", chart: "labels", part: "labels",
	options: "Color ClassColor Radius ByClass",
}}}

// textsData holds the fields specific to texts.
type textsData struct {
	pointer bool // with a line to its place
	ends    bool // outside of the first and the last position
	unnamed bool // texts at the first position are values without names
	ticks   bool // ticks of upright axes
	on      bool // on their points
}

func (m *mark) asTexts() *textsData { return own[textsData](m) }

// Label writes a label next to each point (x, y).
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

// Centered writes the labels added last on their points instead of next to them, for
// example a number in the middle of an area.
func (c *Chart) Centered() *Chart {
	m := c.last("Centered")
	if m.kind != texts || m.asTexts().pointer {
		c.setErr(fmt.Errorf("chart.Centered: a %s has no labels; add some with Label", m.kind))
		return c
	}
	edit(m, func(t *textsData) { t.on = true })
	return c
}

// texts writes labels beside their points, on the first side where they do not overlap another
// label.
func (p *panel) texts(f canvas, m *mark) {
	switch {
	case m.asTexts().pointer:
		p.annotate(f, m)
		return
	case m.asTexts().ends:
		p.endLabels(f, m)
		return
	case m.asTexts().ticks:
		p.tickLabels(f, m)
		return
	case m.asTexts().on:
		p.centered(f, m)
		return
	}
	font := figure.Font{Size: orElse(m.radius, tickFont.Size)}
	color := figure.Ink()
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
		sides := [...]figure.Point{{X: q.X + 6, Y: q.Y - 5}, {X: q.X - w - 6, Y: q.Y - 5}, {X: q.X + 6, Y: q.Y + 14}, {X: q.X - w - 6, Y: q.Y + 14}, {X: q.X - w/2, Y: q.Y - 9}, {X: q.X - w/2, Y: q.Y + 17},
			// Try positions above and below the other labels.
			{X: q.X + 6, Y: q.Y - 17}, {X: q.X - w - 6, Y: q.Y - 17}, {X: q.X + 6, Y: q.Y + 25}, {X: q.X - w - 6, Y: q.Y + 25}, {X: q.X - w/2, Y: q.Y - 21}, {X: q.X - w/2, Y: q.Y + 29}}
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

// centered writes labels on their points.
func (p *panel) centered(f canvas, m *mark) {
	style := figure.TextStyle{Font: figure.Font{Size: orElse(m.radius, tickFont.Size)}, Color: figure.Ink(), Anchor: figure.Middle}
	if m.color != nil {
		style.Color = *m.color
	}
	for i, s := range m.labels {
		if q := p.pt(m.x[i], m.y[i]); p.area.contains(q.X, q.Y) {
			f.Label(q.X, q.Y+0.36*style.Size, s, style)
		}
	}
}

func (*textsKind) named(*mark, *axis, bool) error { return nil }

func (*textsKind) draw(p *panel, f *figure.Figure, m *mark, _ int, _ look) { p.texts(f, m) }
func (*textsKind) cover(p *panel, m *mark, _ int)                          { coverPlaces(p, m) }

func (*textsKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	if m.asTexts().ends || m.asTexts().ticks {
		return 0, false
	}
	return countOutside(p, m, in), false
}

func (*textsKind) dot(d *dotting, m *mark, _ int) { d.places(m) }

func (*textsKind) layer(v *vegaPanel, m *mark, _ int, _ vegaLook) {
	v.series = ""
	v.written(func(c canvas) { v.texts(c, m) })
}
