package chart

import (
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

func (p *panel) boxes(f *figure.Figure, m *mark, color figure.Color) {
	ink := figure.Style{Stroke: figure.Opacity(figure.Mix(color, figure.Ink(), 0.35), orElse(m.alpha, 1)), Width: orElse(m.width, 1.2)}
	for k, g := range m.groups {
		v := finiteSorted(g, p.c.y.log)
		if len(v) == 0 {
			continue
		}
		b := boxOf(v)
		lo, q1, q2, q3, hi := b.lo, b.q1, b.q2, b.q3, b.hi
		at, half := m.x[k], m.half
		p.segment(f, p.pt(at, lo), p.pt(at, q1), ink)
		p.segment(f, p.pt(at, q3), p.pt(at, hi), ink)
		p.segment(f, p.pt(at-half/2, lo), p.pt(at+half/2, lo), ink)
		p.segment(f, p.pt(at-half/2, hi), p.pt(at+half/2, hi), ink)
		style := ink
		style.Fill = figure.Opacity(figure.Mix(figure.Paper(), color, 0.45), orElse(m.alpha, 1))
		if q1 == q3 {
			p.segment(f, p.pt(at-half, q1), p.pt(at+half, q1), ink)
		} else {
			p.bar(f, at-half, at+half, q1, q3, style)
		}
		median := ink
		median.Width = ink.Width + 1
		p.segment(f, p.pt(at-half, q2), p.pt(at+half, q2), median)
		drawn := 0
		for _, x := range v {
			if (x < lo || x > hi) && drawn < manyPoints {
				if q := p.pt(at, x); p.area.contains(q.X, q.Y) {
					f.Marker(q.X, q.Y, 3.2, figure.Circle, figure.Style{Stroke: ink.Stroke, Width: ink.Width})
					drawn++
				}
			}
		}
	}
}

// finiteSorted returns the values that can be drawn, ascending.
func finiteSorted(g []float64, log bool) []float64 {
	var v []float64
	for _, x := range g {
		if isFinite(x) && !(log && x <= 0) {
			v = append(v, x)
		}
	}
	sort.Float64s(v)
	return v
}
