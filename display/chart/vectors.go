package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// arrow is a vector in pixels.
type arrow struct{ from, to figure.Point }

// arrows returns the vectors of a mark as they are drawn: the longest about as long as the
// distance between neighbors, or, of heads alone, the direction at their tips.
func (p *panel) arrows(m *mark) []arrow {
	longest := 0.0
	var all []arrow
	for i := range m.x {
		a := p.pt(m.x[i], m.y[i])
		b := p.pt(m.x[i]+m.u[i], m.y[i]+m.v[i])
		if m.heads {
			a, b = p.pt(m.x[i]-m.u[i], m.y[i]-m.v[i]), a
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
	if len(all) == 1 || m.heads {
		unit = 1
	}
	var out []arrow
	for _, a := range all {
		at := a.from
		if m.heads {
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
	if m.heads {
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
