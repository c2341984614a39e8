package chart

import (
	"math"
	"slices"
)

// cover widens the extents to include what a mark shows.
func (p *panel) cover(m *mark, i int) {
	if m.ground {
		p.ye.cover(0, 0, false)
	}
	switch {
	case m.slot:
		p.coverSlots(m)
	case m.ridge:
		p.coverX(m.x, true)
		top, _ := bounds(append(slices.Clone(m.hi), m.y...))
		p.ye.cover(math.Min(-0.5, top-0.1), float64(len(p.c.y.levels))-0.8, false)
	default:
		m.kind.cover(p, m, i)
	}
}

// coverX widens the extent of x to the values; pad leaves room at its ends.
func (p *panel) coverX(v []float64, pad bool) { coverAll(&p.xe, v, p.c.x.log, pad) }

// coverY widens the extent of y to the values; pad leaves room at its ends.
func (p *panel) coverY(v []float64, pad bool) { coverAll(&p.ye, v, p.c.y.log, pad) }

// coverField widens the extents to a field and notes its infinite values.
func (p *panel) coverField(g Field) {
	infinite := 0
	for _, z := range g.Z {
		if math.IsInf(z, 0) {
			infinite++
		}
	}
	if infinite > 0 {
		p.leftOut.add(leftOut{notes: []string{infiniteCells(infinite)}})
	}
	p.xe.cover(g.X0, g.X1, false)
	p.ye.cover(g.Y0, g.Y1, false)
}

// countPlaces counts the places of a mark that cannot be drawn.
func (p *panel) countPlaces(m *mark) {
	for k := range m.x {
		p.count(m.x[k], m.y[k])
	}
}

func coverAll(e *extent, v []float64, log, pad bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if log && x <= 0 {
			continue
		}
		if x < lo && !math.IsInf(x, 0) {
			lo = x
		}
		if x > hi && !math.IsInf(x, 0) {
			hi = x
		}
	}
	if lo <= hi {
		e.cover(lo, hi, pad)
	}
}

// fillEmpty sets the axes of a chart that has no value to draw.
func (p *panel) fillEmpty() {
	for _, d := range []struct {
		a *axis
		e *extent
	}{{&p.c.x, &p.xe}, {&p.c.y, &p.ye}} {
		if d.e.anything && d.e.lo <= d.e.hi {
			continue
		}
		p.nothing = true
		if d.a.fixed {
			continue
		}
		lo := 0.0
		if d.a.log {
			lo = 0.1
		}
		if n := len(d.a.levels); n > 0 {
			d.e.cover(-0.5, float64(n)-0.5, false)
			continue
		}
		d.e.cover(lo, 1, false)
	}
	for _, m := range p.asked {
		p.nothing = p.nothing || m.kind.empty(&m)
	}
}
