package chart

import (
	"fmt"
	"slices"
)

// noteCovered notes marks that cover others: series with equal values, and points at the same
// places if more than half of the points are hidden.
func (p *panel) noteCovered() {
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if m.name == "" || m.kind != line && m.kind != step && m.kind != area || len(m.x) == 0 {
			continue
		}
		for k := i + 1; k < len(p.c.marks); k++ {
			o := &p.c.marks[k]
			if o.kind == m.kind && o.name != "" && o.name != m.name && sameValues(m, o) {
				p.leftOut.add(leftOut{notes: []string{fmt.Sprintf("%s covers %s: their values are equal", noteFont.FitMiddle(o.name, widestEntry), noteFont.FitMiddle(m.name, widestEntry))}})
				break
			}
		}
	}
	type place struct{ x, y float64 }
	seen := map[place]bool{}
	all := 0
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if m.kind != points || m.slot || m.asPoints().size != nil || m.asPoints().swarm > 0 || len(m.x) > manyPoints {
			continue
		}
		for k, x := range m.x {
			if isFinite(x) && isFinite(m.y[k]) {
				seen[place{x, m.y[k]}] = true
				all++
			}
		}
	}
	if hidden := all - len(seen); 2*hidden > all {
		p.leftOut.add(leftOut{notes: []string{fmt.Sprintf("%s of %s points lie exactly on others", thousands(fmt.Sprint(hidden)), thousands(fmt.Sprint(all)))}})
	}
}

// sameValues reports whether two marks have the same values in the same order.
func sameValues(a, b *mark) bool {
	return slices.Equal(a.x, b.x) && slices.Equal(a.y, b.y) && slices.Equal(a.lo, b.lo) && slices.Equal(a.hi, b.hi)
}

// noteBaseline notes that bars and areas do not start at zero on a logarithmic axis, which has no
// zero.
func (p *panel) noteBaseline() {
	if !p.c.y.log {
		return
	}
	for i := range p.c.marks {
		m := &p.c.marks[i]
		zero := m.kind.about().stacks || m.kind == hist || m.kind == area && !m.asArea().computed && !m.ridge && slices.ContainsFunc(m.lo, func(y float64) bool { return y <= 0 })
		if zero && p.ye.anything {
			p.leftOut.add(leftOut{notes: []string{"a logarithmic axis has no zero: compare the tops, not the sizes"}})
			return
		}
	}
}
