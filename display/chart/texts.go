package chart

import (
	"github.com/gokernel/gokernel/display/figure"
)

// texts writes labels beside their points, on the first side where they do not
// lie on another label.
func (p *panel) texts(f canvas, m *mark) {
	switch {
	case m.pointer:
		p.annotate(f, m)
		return
	case m.ends:
		p.endLabels(f, m)
		return
	case m.ticks:
		p.tickLabels(f, m)
		return
	case m.on:
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
			// Above and below the labels of others.
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
