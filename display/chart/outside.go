package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/internal/guide"
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

// sample holds the values that a computed curve summarizes, in one or in both directions.
type sample struct{ x, y []float64 }

// outside counts the values of a sample that fixed axes hide.
func (s *sample) outside(p *panel, in inside) (n int) {
	for k := range max(len(s.x), len(s.y)) {
		if k < len(s.x) && !in(&p.x, s.x[k]) || k < len(s.y) && !in(&p.y, s.y[k]) {
			n++
		}
	}
	return n
}

// cutLine counts the values of a line that fixed axes hide. It notes computed curves that the axes
// cut, and lines that they hide. The graph of a function has no values.
func (p *panel) cutLine(m *mark, in inside) int {
	if m.sample != nil {
		for k, y := range m.y {
			if k < len(m.x) && in(&p.x, m.x[k]) && !in(&p.y, y) {
				p.leftOut.add(leftOut{notes: []string{"curves are cut by the ends of the axis"}})
				break
			}
		}
		return m.sample.outside(p, in)
	}
	if m.asLine().f != nil || m.asLine().summary || m.asLine().computed || m.ridge || m.slot {
		return 0
	}
	n, all := 0, 0
	for k, x := range m.x {
		if isFinite(x) && isFinite(m.y[k]) {
			all++
			if !in(&p.x, x) || !in(&p.y, m.y[k]) {
				n++
			}
		}
	}
	if n == all && n > 0 && !p.crosses(m) {
		name := "a line"
		if m.name != "" {
			name = m.name
		}
		p.leftOut.add(leftOut{notes: []string{name + " lies outside of the axes"}})
		return 0
	}
	p.cutIntervals(m, in)
	if p.pointed(m) {
		return 0
	}
	return n
}

// cutIntervals notes the intervals around visible values whose ends fixed axes hide.
func (p *panel) cutIntervals(m *mark, in inside) {
	n := 0
	for k := range min(len(m.lo), len(m.hi)) {
		lo, hi, across := m.lo[k], m.hi[k], m.asErrs().across
		s := &p.y
		if across {
			s = &p.x
		}
		if in(&p.x, m.x[k]) && in(&p.y, m.y[k]) && (!in(s, lo) || !in(s, hi)) && !(p.c.y.log && lo <= 0) {
			n++
		}
	}
	if n > 0 {
		p.leftOut.add(leftOut{notes: []string{guide.Plural(n, "interval is cut by the ends of the axis", "intervals are cut by the ends of the axis")}})
	}
}

// crosses reports whether a line is visible although all of its points are outside the axes.
func (p *panel) crosses(m *mark) bool {
	lo, hi := bounds(m.x)
	bottom, top := bounds(m.y)
	return lo <= p.x.hi && hi >= p.x.lo && bottom <= p.y.hi && top >= p.y.lo
}
