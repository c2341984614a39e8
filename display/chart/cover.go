package chart

import (
	"fmt"
	"math"
	"slices"
)

// cover widens the extents by what a mark shows.
func (p *panel) cover(m *mark, i int) {
	xs := func(v []float64, pad bool) { coverAll(&p.xe, v, p.c.x.log, pad) }
	ys := func(v []float64, pad bool) { coverAll(&p.ye, v, p.c.y.log, pad) }
	if m.ground {
		p.ye.cover(0, 0, false)
	}
	switch {
	case m.slot:
		p.coverSlots(m)
		return
	case m.ridge:
		xs(m.x, true)
		top, _ := bounds(append(slices.Clone(m.hi), m.y...))
		p.ye.cover(math.Min(-0.5, top-0.1), float64(len(p.c.y.levels))-0.8, false)
		return
	case m.kind == hexes:
		p.coverHexagons(m)
		return
	}
	switch m.kind {
	case line, step, vectors, texts, polygon, points, errs:
		if n := m.enlarged(); n == 1 {
			p.leftOut.add(leftOut{notes: []string{"1 point is drawn larger than its size, to be seen"}})
		} else if n > 1 {
			p.leftOut.add(leftOut{notes: []string{fmt.Sprintf("%d points are drawn larger than their sizes, to be seen", n)}})
		}
		xs(m.x, true)
		ys(m.visible(), true)
		if m.across {
			xs(m.lo, true)
			xs(m.hi, true)
		} else {
			ys(m.lo, true)
			ys(m.hi, true)
		}
		if m.f == nil && m.kind != vectors && m.kind != polygon && m.kind != texts {
			for k := range m.x {
				// A line without a place is a gap between two lines.
				if m.kind == points || m.kind == errs || isFinite(m.x[k]) || isFinite(m.y[k]) {
					p.count(m.x[k], m.y[k])
				}
			}
		}
	case area:
		for k := range m.x {
			if p.c.y.log && m.hi[k] <= 0 || p.c.x.log && m.x[k] <= 0 {
				p.leftOut.notPositive++
			}
		}
		xs(m.x, true)
		ys(m.lo, true)
		ys(m.hi, true)
	case bars:
		s := p.stacks[i]
		for k, x := range m.x {
			if !p.count(x, m.y[k]) {
				continue
			}
			p.xe.cover(x+s.offset-0.1*s.width, x+s.offset+1.1*s.width, false)
			top := s.base[k] + m.y[k]
			if !p.c.y.log {
				p.ye.cover(0, 0, false)
			} else {
				ys([]float64{top}, true)
				continue
			}
			p.ye.cover(math.Min(top, 0), math.Max(top, 0), true)
		}
		ys(m.lo, true)
		ys(m.hi, true)
		if p.ye.lo == 0 {
			p.ye.padLo = false
		}
		if p.ye.hi == 0 {
			p.ye.padHi = false
		}
	case hist:
		if len(p.samples[i]) == 0 {
			return
		}
		p.xe.cover(p.edges[0], p.edges[len(p.edges)-1], true)
		h := p.heights(p.samples[i])
		if p.c.y.log {
			ys(h, true)
			return
		}
		_, hi := bounds(h)
		p.ye.cover(0, hi, true)
		p.ye.padLo = false
	case box:
		for k, g := range m.groups {
			p.xe.cover(math.Round(m.x[k])-0.5, math.Round(m.x[k])+0.5, false)
			ys(g, true)
			for _, v := range g {
				p.count(float64(k+1), v)
			}
		}
	case heat, contour, region:
		f := m.field
		infinite := 0
		for _, z := range f.Z {
			if math.IsInf(z, 0) {
				infinite++
			}
		}
		if infinite > 0 {
			p.leftOut.add(leftOut{notes: []string{infiniteCells(infinite)}})
		}
		p.xe.cover(f.X0, f.X1, false)
		p.ye.cover(f.Y0, f.Y1, false)
	case rule:
		if m.upright {
			xs(m.x, true)
		} else {
			ys(m.y, true)
		}
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

// fillEmpty returns a chart without a value that could be drawn the axes of an empty one.
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
		p.nothing = p.nothing || m.kind == parallel && len(m.x) == 0 // beside axes without rows
	}
}

// infiniteCells says how many cells of a field are infinite and have no color.
func infiniteCells(n int) string {
	if n == 1 {
		return "1 infinite value has no color"
	}
	return fmt.Sprintf("%d infinite values have no color", n)
}
