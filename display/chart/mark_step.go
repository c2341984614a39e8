package chart

import (
	"github.com/gokernel/gokernel/display/figure"
)

// stepKind is the kind of marks that show a step line, which keeps each y until the next x.
type stepKind struct{ basic }

var step kind = &stepKind{basic{traits{
	name: "step", chart: "step chart", part: "steps",
	options: "Name Color ClassColor Width Opacity Dashed NoIntervals ByClass Aggregate",
	series:  true, cycles: true, right: true, direct: true,
	lined: true,
}}}

// Step adds a line that stays at each y until the next x.
func (c *Chart) Step(data ...any) *Chart {
	if xs, ys, ok := c.series("Step", data); ok {
		c.add(mark{kind: step, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// draw draws the steps, and the intervals of means as error bars.
func (*stepKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) {
	if m.lo != nil {
		p.errorBars(f, m, l.stroke)
	}
	p.line(f, m, l.stroke, true)
}

func (*stepKind) misfit(m *mark) error           { return m.noMeans() }
func (*stepKind) cover(p *panel, m *mark, _ int) { coverLine(p, m) }

func (*stepKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	return p.cutLine(m, in), false
}

func (*stepKind) avoid(p *panel, m *mark) []figure.Point { return avoidPlaces(p, m, false) }
func (*stepKind) dot(d *dotting, m *mark, _ int)         { d.pixels(m.asLine().drawn) }
func (*stepKind) finding(p *panel, i int) string         { return p.lineFinding(i) }

func (*stepKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) {
	l.stroke["interpolate"] = "step-after"
	if v.transposed {
		l.stroke["interpolate"] = "step-before"
	}
	if m.lo != nil {
		v.errorLayer(m.x, m, l.color)
	}
	v.lineLayer(m, l)
}
