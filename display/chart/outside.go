package chart

import (
	"fmt"
	"math"
)

// sayOutside counts what the ends of the axes that the user has set cut off.
func (p *panel) sayOutside() {
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
		switch m.kind {
		case points, errs, hexes, vectors:
			for k, x := range m.x {
				if !in(&p.x, x) || !in(&p.y, m.y[k]) {
					outside++
				}
			}
		case texts:
			for k, x := range m.x {
				if !m.ends && !m.ticks && (!in(&p.x, x) || !in(&p.y, m.y[k])) {
					outside++
				}
			}
		case bars:
			for k, x := range m.x {
				base, top, ok := p.reach(m, p.stacks[i], k)
				switch {
				case !ok:
				case !in(&p.x, x) || !in(&p.y, base) && !in(&p.y, top) && (base < p.y.lo) == (top < p.y.lo):
					outside++
				case !in(&p.y, base) && !p.c.y.log || !in(&p.y, top):
					cut = true
				}
			}
		case hist:
			for _, x := range p.samples[i] {
				if !in(&p.x, x) {
					outside++
				}
			}
			if _, hi := bounds(p.heights(p.samples[i])); !p.c.y.log && !in(&p.y, 0) || !in(&p.y, hi) {
				cut = true
			}
		case box:
			for _, g := range m.groups {
				for _, y := range g {
					if !in(&p.y, y) {
						outside++
					}
				}
			}
		case line, step:
			if m.f != nil || m.ridge || m.slot {
				continue
			}
			seen, any := false, false
			for k, x := range m.x {
				if isFinite(x) && isFinite(m.y[k]) {
					any = true
					seen = seen || in(&p.x, x) && in(&p.y, m.y[k])
				}
			}
			if any && !seen && !p.crosses(m) {
				name := "a line"
				if m.name != "" {
					name = m.name
				}
				p.leftOut.add(leftOut{notes: []string{name + " lies outside of the axes"}})
			}
		}
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

// crosses reports whether a line whose places are all outside of the axes is seen anyway.
func (p *panel) crosses(m *mark) bool {
	lo, hi := bounds(m.x)
	bottom, top := bounds(m.y)
	return lo <= p.x.hi && hi >= p.x.lo && bottom <= p.y.hi && top >= p.y.lo
}
