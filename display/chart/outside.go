package chart

import (
	"fmt"
	"math"
)

// noteOutside notes the values that axes with ends set by the user leave out.
func (p *panel) noteOutside() {
	if !p.c.x.fixed && !p.c.y.fixed || p.c.normalized && p.c.y.lo == 0 && p.c.y.hi == 100 && !p.c.x.fixed {
		return
	}
	in := func(s *scale, v float64) bool {
		lo, hi := math.Min(s.lo, s.hi), math.Max(s.lo, s.hi)
		slack := 1e-9 * (hi - lo)
		return !isFinite(v) || v >= lo-slack && v <= hi+slack
	}
	outside, cut := 0, false
	for i := range p.c.marks {
		m := &p.c.marks[i]
		n, bars := m.kind.outside(p, m, i, in)
		outside, cut = outside+n, cut || bars
	}
	switch {
	case outside == 1:
		p.leftOut.add(leftOut{notes: []string{"1 value lies outside of the axes"}})
	case outside > 1:
		p.leftOut.add(leftOut{notes: []string{fmt.Sprintf("%s values lie outside of the axes", thousands(fmt.Sprint(outside)))}})
	}
	if cut {
		p.leftOut.add(leftOut{notes: []string{"bars are cut by the ends of the axis: their lengths cannot be compared"}})
	}
}

// crosses reports whether a line is visible although all of its points are outside the axes.
func (p *panel) crosses(m *mark) bool {
	lo, hi := bounds(m.x)
	bottom, top := bounds(m.y)
	return lo <= p.x.hi && hi >= p.x.lo && bottom <= p.y.hi && top >= p.y.lo
}
