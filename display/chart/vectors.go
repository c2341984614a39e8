package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

func (p *panel) vectors(f *figure.Figure, m *mark) {
	if m.heads {
		p.arrowHeads(f, m)
		return
	}
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
	color := figure.Opacity(figure.Ink(), orElse(m.alpha, 0.8))
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
