package chart

import (
	"fmt"
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

// stack says where the bars of one mark stand.
type stack struct {
	offset, width float64 // of the bars, in units of x
	base          []float64
}

// middles returns the middles of the bars at x.
func (s stack) middles(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v + s.offset + s.width/2
	}
	return out
}

// prepareBars decides where the bars of each mark stand: side by side, or at x itself
// where no two of them meet.
func (p *panel) prepareBars() {
	p.stacks = make([]stack, len(p.c.marks))
	var sets []int
	var all []barAt
	for i, m := range p.c.marks {
		if m.kind == bars {
			sets = append(sets, i)
			for _, x := range m.x {
				all = append(all, barAt{x, i})
			}
		}
	}
	gap, meet := p.gap(all)
	beside := 1
	if meet {
		beside = len(sets)
	}
	p.apart = meet && !p.c.stacked
	up, down := map[float64]float64{}, map[float64]float64{}
	for k, i := range sets {
		m := p.c.marks[i]
		s := &p.stacks[i]
		s.base = make([]float64, len(m.x))
		if !p.c.stacked {
			s.width = 0.8 * gap / float64(beside)
			s.offset = -0.4*gap + s.width*float64(k%beside)
			continue
		}
		s.width, s.offset = 0.8*gap, -0.4*gap
		for j, x := range m.x {
			to := up
			if m.y[j] < 0 {
				to = down
			}
			s.base[j] = to[x]
			if isFinite(m.y[j]) {
				to[x] += m.y[j]
			}
		}
	}
}

// repeated reports bars of one mark that would lie on each other.
func (p *panel) repeated() error {
	if p.c.stacked {
		return nil
	}
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if m.kind != bars {
			continue
		}
		times := map[float64]int{}
		for k, x := range m.x {
			if isFinite(x) && isFinite(m.y[k]) {
				times[x]++
			}
		}
		for _, x := range m.x {
			if n := times[x]; n > 1 {
				name := short(x)
				if k := int(x); p.c.x.levels != nil && x >= 0 && k < len(p.c.x.levels) {
					name = fmt.Sprintf("%q", p.c.x.levels[k])
				} else if p.c.x.times {
					name = p.c.x.clock().moment(x)
				}
				return fmt.Errorf("chart.Bars: %s has %d bars, which would hide each other; add .Aggregate(\"sum\") or .Aggregate(\"mean\"), tell them apart with By, or put them on each other with Stacked", name, n)
			}
		}
	}
	return nil
}

// barAt is a bar of a mark, at x.
type barAt struct {
	x    float64
	mark int
}

// gap is the smallest distance of two bars, and whether bars of several marks meet at one x.
// One bar alone has a day on an axis of times.
func (p *panel) gap(all []barAt) (gap float64, meet bool) {
	sort.SliceStable(all, func(a, b int) bool { return all[a].x < all[b].x })
	gap = math.Inf(1)
	for k := 1; k < len(all); k++ {
		a, b := all[k-1], all[k]
		// Rounding makes no neighbors.
		if d := b.x - a.x; d > 1e-12*math.Max(math.Abs(a.x), math.Abs(b.x)) {
			gap = math.Min(gap, d)
		} else {
			meet = meet || a.mark != b.mark
		}
	}
	switch {
	case !math.IsInf(gap, 1):
		return gap, meet
	case p.c.x.times:
		p.oneBar = len(all) > 0
		return oneDay, meet
	}
	return 1, meet
}

// reach returns the ends of bar k of a mark; ok is false where there is none.
func (p *panel) reach(m *mark, s stack, k int) (base, top float64, ok bool) {
	if !isFinite(m.x[k]) || !isFinite(m.y[k]) || m.y[k] == 0 && !m.stem {
		return 0, 0, false
	}
	base, top = s.base[k], s.base[k]+m.y[k]
	if p.c.y.log {
		base = p.y.lo
		ok = top > 0
		return base, top, ok
	}
	return base, top, true
}

// barMark draws bars, each on those that it is stacked on.
func (p *panel) barMark(f *figure.Figure, m *mark, s stack, color figure.Color) {
	if m.stem {
		p.stems(m, s, func(x, base, top float64) {
			p.segment(f, p.pt(x, base), p.pt(x, top), figure.Style{Stroke: figure.Opacity(color, orElse(m.alpha, 1)), Width: orElse(m.width, 2)})
			if q := p.pt(x, top); p.area.contains(q.X, q.Y) {
				f.Marker(q.X, q.Y, orElse(m.radius, 4.5), figure.Circle, figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 1))})
			}
		})
	}
	for k, x := range m.x {
		if base, top, ok := p.reach(m, s, k); ok && !m.stem {
			p.bar(f, x+s.offset, x+s.offset+s.width, base, top, figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 1))})
		}
	}
	if m.lo != nil {
		middles := *m
		middles.x = s.middles(m.x)
		p.errorBars(f, &middles, figure.Style{Stroke: figure.Mix(color, figure.Ink(), 0.6), Width: 1.2})
	}
}

// wide reports whether a bar from x0 to x1 is wide enough for a line of the color of
// the paper around it: narrow ones would disappear behind theirs.
func (p *panel) wide(x0, x1 float64) bool { return math.Abs(p.x.at(x1)-p.x.at(x0)) >= 3 }

// bar draws the rectangle between two values of x and two of y.
func (p *panel) bar(f *figure.Figure, x0, x1, y0, y1 float64, s figure.Style) {
	a, b := p.pt(x0, y0), p.pt(x1, y1)
	r := p.area
	left, right := math.Max(r.x0, math.Min(a.X, b.X)), math.Min(r.x1, math.Max(a.X, b.X))
	top, bottom := math.Max(r.y0, math.Min(a.Y, b.Y)), math.Min(r.y1, math.Max(a.Y, b.Y))
	if left < right && top < bottom {
		f.Rect(left, top, right-left, bottom-top, 0, s)
	}
}
