package chart

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// barsKind is the kind of marks that show a bar at each x.
type barsKind struct{ basic }

var bars kind = &barsKind{basic{traits{
	name: "bars", chart: "bar chart", part: "bars",
	options: "Name Color ClassColor Opacity NoIntervals ByClass Aggregate",
	series:  true, cycles: true, right: true, stacks: true, lies: true,
}}}

// barsData holds the fields specific to bars.
type barsData struct {
	stem bool // they are drawn as lines with points
}

func (m *mark) asBars() *barsData { return own[barsData](m) }

// Bars adds a bar of height y at each x; x can hold names. The bars of several calls are drawn side
// by side, or stacked if you call Stacked. Without y, the bars show how often each name occurs. For
// columns of a table, the bars show the means of y at each x, with confidence intervals; see
// Aggregate.
func (c *Chart) Bars(data ...any) *Chart {
	if len(data) == 1 {
		col, err := c.column("Bars", "y", data[0])
		if err != nil {
			c.fail(err)
			return c
		}
		if _, named := data[0].(string); named || col.levels != nil {
			c.y.defaultTitle, c.y.whole = "count", true
			return c.add(mark{kind: bars, x: c.x.take(col), y: make([]float64, len(col.v)), means: means{how: count}})
		}
	}
	if xs, ys, ok := c.series("Bars", data); ok {
		c.add(mark{kind: bars, x: xs, y: ys}).aggregateNamed(data)
	}
	return c
}

// Bar draws a bar for each y: Bar(y), or Bar(names, y). Without y, the bars show how often each
// name occurs. A map of numbers is drawn in the order of its keys; months are in calendar order.
// For a map of such maps, Bar draws, at each outer key, a bar for each inner key. Bar(f, "zone")
// counts the rows of a frame for each zone. Bar(f, "zone", "fare") shows mean fares with confidence
// intervals; see Aggregate.
func Bar(data ...any) *Chart {
	if len(data) == 1 {
		if m := reflect.ValueOf(data[0]); m.Kind() == reflect.Map {
			return New().mapBars(m)
		}
	}
	c, data := dataOf(data)
	return c.Bars(data...)
}

// Lollipop draws a line with a point at its end for each value. It accepts the same data as Bar and
// is clearer for many values.
func Lollipop(data ...any) *Chart {
	c := Bar(data...)
	for i := range c.marks {
		edit(&c.marks[i], func(b *barsData) { b.stem = true })
	}
	return c
}

// stems draws the bars of a mark as lines with points.
func (p *panel) stems(m *mark, s stack, each func(x, base, top float64)) {
	for k, x := range s.middles(m.x) {
		if isFinite(m.y[k]) {
			base := s.base[k]
			if p.c.y.log {
				base = p.y.lo
			}
			each(x, base, s.base[k]+m.y[k])
		}
	}
}

// stack holds the positions of the bars of one mark.
type stack struct {
	offset, width float64 // positions of the bars, in units of x
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

// prepareBars decides where the bars of each mark are: side by side, or exactly at x if no two
// marks have a bar at the same x.
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

// repeated returns an error if bars of one mark would cover each other.
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
				return fmt.Errorf("chart.Bars: %s has %d bars, which would hide each other; add .Aggregate(\"sum\") or .Aggregate(\"mean\"), separate the bars with By, or stack them with Stacked", name, n)
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

// gap returns the smallest distance between two bars, and whether several marks have a bar
// at the same x. A single bar on an axis of times is a day wide.
func (p *panel) gap(all []barAt) (gap float64, meet bool) {
	sort.SliceStable(all, func(a, b int) bool { return all[a].x < all[b].x })
	gap = math.Inf(1)
	for k := 1; k < len(all); k++ {
		a, b := all[k-1], all[k]
		// Positions that differ only by rounding are not neighbors.
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

// reach returns the ends of bar k of a mark; ok is false if it has no such bar.
func (p *panel) reach(m *mark, s stack, k int) (base, top float64, ok bool) {
	if !isFinite(m.x[k]) || !isFinite(m.y[k]) || m.y[k] == 0 && !m.asBars().stem {
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

// barMark draws bars, each on top of the bars that it is stacked on.
func (p *panel) barMark(f *figure.Figure, m *mark, s stack, color figure.Color) {
	if m.asBars().stem {
		p.stems(m, s, func(x, base, top float64) {
			p.segment(f, p.pt(x, base), p.pt(x, top), figure.Style{Stroke: figure.Opacity(color, orElse(m.alpha, 1)), Width: orElse(m.width, 2)})
			if q := p.pt(x, top); p.area.contains(q.X, q.Y) {
				f.Marker(q.X, q.Y, orElse(m.radius, 4.5), figure.Circle, figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 1))})
			}
		})
	}
	for k, x := range m.x {
		if base, top, ok := p.reach(m, s, k); ok && !m.asBars().stem {
			p.bar(f, x+s.offset, x+s.offset+s.width, base, top, figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 1))})
		}
	}
	if m.lo != nil {
		middles := *m
		middles.x = s.middles(m.x)
		p.errorBars(f, &middles, figure.Style{Stroke: figure.Mix(color, figure.Ink(), 0.6), Width: 1.2})
	}
}

// barLayer adds the bars of a mark at their positions, or lines with points.
func (v *vegaPanel) barLayer(m *mark, s stack, color figure.Color, enc object) {
	var rows []any
	middles := s.middles(m.x)
	for k, x := range m.x {
		base, top, ok := v.panel.reach(m, s, k)
		if !ok {
			continue
		}
		row := object{"x": position(&v.c.x, x+s.offset), "x2": position(&v.c.x, x+s.offset+s.width), "y": position(&v.c.y, top), "y2": position(&v.c.y, base)}
		if m.asBars().stem {
			row["x"] = position(&v.c.x, middles[k])
			delete(row, "x2")
		} else {
			row["at"] = position(&v.c.x, x)
		}
		row["height"] = m.y[k]
		rows = append(rows, row)
	}
	height := tip{field: "height", kind: "quantitative", title: v.tip("y", "y").title}
	if m.asBars().stem {
		stems := v.xy()
		if enc["color"] != nil {
			stems["color"] = enc["color"]
		}
		stems["y2"] = object{"field": "y2"}
		v.add(slices.Clone(rows), object{"type": "rule", "color": guide.PageColor(color), "strokeWidth": orElse(m.width, 2), "opacity": orElse(m.alpha, 1)}, stems)
		r := orElse(m.radius, 4.5)
		v.add(rows, object{"type": "point", "filled": true, "size": math.Round(math.Pi * r * r), "color": guide.PageColor(color), "opacity": orElse(m.alpha, 1)}, enc, v.tip("x", "x"), height)
	} else {
		enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
		v.add(rows, object{"type": "rect", "color": guide.PageColor(color), "opacity": orElse(m.alpha, 1)}, enc, v.tip("at", "x"), height)
	}
	if m.lo != nil {
		v.series = ""
		v.errorLayer(middles, m, guide.PageColor(figure.Soft()))
	}
}

// barFinding names the largest and the smallest bar.
func (p *panel) barFinding(i int) string {
	m := &p.c.marks[i]
	top, low, n := -1, -1, 0
	for k, y := range m.y {
		if !isFinite(y) {
			continue
		}
		n++
		if top < 0 || y > m.y[top] {
			top = k
		}
		if low < 0 || y < m.y[low] {
			low = k
		}
	}
	switch {
	case n == 0:
		return ""
	case m.y[top] == m.y[low]:
		return counted(n, "bar") + " of " + short(m.y[top])
	}
	at, y := p.whereXs(m.x[top], m.x[low]), p.c.y.together(p.ye.hi-p.ye.lo, m.y[top], m.y[low])
	return fmt.Sprintf("largest %s (%s), smallest %s (%s)", at[0], y[0], at[1], y[1])
}

func (k *barsKind) takes(m *mark, option string) bool {
	return k.basic.takes(m, option) || m.asBars().stem && (option == "Radius" || option == "Width")
}

func (*barsKind) misfit(m *mark) error { return m.noMeans() }

// prepare decides the positions of the bars of each mark.
func (*barsKind) prepare(p *panel) error {
	if err := p.repeated(); err != nil {
		return err
	}
	p.prepareBars()
	return nil
}

func (*barsKind) draw(p *panel, f *figure.Figure, m *mark, i int, l look) {
	p.barMark(f, m, p.stacks[i], l.color)
}

func (*barsKind) cover(p *panel, m *mark, i int) {
	s := p.stacks[i]
	for k, x := range m.x {
		if !p.count(x, m.y[k]) {
			continue
		}
		p.xe.cover(x+s.offset-0.1*s.width, x+s.offset+1.1*s.width, false)
		top := s.base[k] + m.y[k]
		if p.c.y.log {
			p.coverY([]float64{top}, true)
			continue
		}
		p.ye.cover(0, 0, false)
		p.ye.cover(math.Min(top, 0), math.Max(top, 0), true)
	}
	p.coverY(m.lo, true)
	p.coverY(m.hi, true)
	if p.ye.lo == 0 {
		p.ye.padLo = false
	}
	if p.ye.hi == 0 {
		p.ye.padHi = false
	}
}

func (*barsKind) outside(p *panel, m *mark, i int, in inside) (n int, cut bool) {
	for k, x := range m.x {
		base, top, ok := p.reach(m, p.stacks[i], k)
		switch {
		case !ok:
		case !in(&p.x, x) || !in(&p.y, base) && !in(&p.y, top) && (base < p.y.lo) == (top < p.y.lo):
			n++
		case !in(&p.y, base) && !p.c.y.log || !in(&p.y, top):
			cut = true
		}
	}
	p.cutIntervals(m, in)
	return n, cut
}

func (*barsKind) dot(d *dotting, m *mark, i int) {
	s := d.panel.stacks[i]
	for k, x := range m.x {
		x += s.offset
		d.polyline([]float64{x, x, x + s.width, x + s.width}, []float64{s.base[k], s.base[k] + m.y[k], s.base[k] + m.y[k], s.base[k]})
	}
}

func (*barsKind) barLines(p *panel, m *mark, _ int) (names []string, values []float64) {
	if len(m.x) > 40 {
		return nil, nil
	}
	names = make([]string, len(m.x))
	for i, x := range m.x {
		names[i] = short(x)
		if k := int(x); p.c.x.levels != nil && k >= 0 && k < len(p.c.x.levels) {
			names[i] = p.c.x.levels[k]
		}
	}
	return names, m.y
}

func (*barsKind) finding(p *panel, i int) string { return p.barFinding(i) }

func (*barsKind) layer(v *vegaPanel, m *mark, i int, l vegaLook) {
	v.barLayer(m, v.stacks[i], l.tint, l.enc)
}
