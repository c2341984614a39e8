package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// spanKind is the kind of marks that shade a range of an axis across the whole chart.
type spanKind struct{ basic }

var spanned kind = &spanKind{basic{traits{
	name: "span", chart: "shaded ranges", part: "shaded ranges",
	options: "Name Color ClassColor Opacity",
	gray:    true,
}}}

// spanData holds the fields specific to spans.
type spanData struct {
	named [2]bool // an end is a name, so the span includes the place of this name
}

func (m *mark) asSpan() *spanData { return own[spanData](m) }

// HSpan shades the range of the y axis from lo to hi across the chart, below other marks. Use it
// for a range such as normal values. The ends are numbers, times or names on the axis.
func (c *Chart) HSpan(lo, hi any) *Chart { return c.span("HSpan", &c.y, lo, hi) }

// VSpan shades the range of the x axis from lo to hi across the chart, as HSpan does for the y
// axis. Use it for a period such as holidays.
func (c *Chart) VSpan(lo, hi any) *Chart { return c.span("VSpan", &c.x, lo, hi) }

func (c *Chart) span(verb string, a *axis, lo, hi any) *Chart {
	ends, own := make([]float64, 2), &spanData{}
	for i, end := range []any{lo, hi} {
		at, err := a.at(verb, []string{"lo", "hi"}[i], end)
		if err == nil && !isFinite(at) {
			err = fmt.Errorf("chart.%s: lo and hi must be finite, got %v and %v", verb, lo, hi)
		}
		if err != nil {
			c.fail(err)
			return c
		}
		ends[i] = at
		_, own.named[i] = end.(string)
	}
	if ends[0] > ends[1] || ends[0] == ends[1] && own.named != [2]bool{true, true} {
		c.fail(fmt.Errorf("chart.%s: lo must be less than hi, got %v and %v", verb, lo, hi))
		return c
	}
	m := mark{kind: spanned, y: ends, own: own}
	if a == &c.x {
		m.x, m.y = ends, nil
	}
	return c.add(m)
}

// spanEnds returns the ends of a span on its axis. XNames and YNames can change the order of names.
func (m *mark) spanEnds() (lo, hi float64) {
	at := m.x
	if at == nil {
		at = m.y
	}
	from, to := 0, 1
	if at[0] > at[1] {
		from, to = 1, 0
	}
	lo, hi = at[from], at[to]
	if m.asSpan().named[from] {
		lo -= 0.5
	}
	if m.asSpan().named[to] {
		hi += 0.5
	}
	return lo, hi
}

// corners returns the ends of a span in both directions, within the axes.
func (p *panel) corners(m *mark) (x0, x1, y0, y1 float64) {
	x0, x1, y0, y1 = p.x.lo, p.x.hi, p.y.lo, p.y.hi
	within := func(s *scale) (float64, float64) {
		lo, hi := m.spanEnds()
		return math.Max(s.lo, math.Min(lo, s.hi)), math.Max(s.lo, math.Min(hi, s.hi))
	}
	if m.x != nil {
		x0, x1 = within(&p.x)
	} else {
		y0, y1 = within(&p.y)
	}
	return x0, x1, y0, y1
}

// spanOpacity is the opacity of spans, through which the grid remains visible.
const spanOpacity = 0.2

func (*spanKind) rowwise(*mark) bool             { return false }
func (*spanKind) named(*mark, *axis, bool) error { return nil }

func (*spanKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) {
	x0, x1, y0, y1 := p.corners(m)
	p.bar(f, x0, x1, y0, y1, figure.Style{Fill: figure.Opacity(l.color, orElse(m.alpha, spanOpacity))})
}

func (*spanKind) cover(p *panel, m *mark, _ int) {
	lo, hi := m.spanEnds()
	if m.x != nil {
		p.coverX([]float64{lo, hi}, false)
	} else {
		p.coverY([]float64{lo, hi}, false)
	}
}

// outside counts a span that fixed axes hide.
func (*spanKind) outside(p *panel, m *mark, _ int, _ inside) (int, bool) {
	if x0, x1, y0, y1 := p.corners(m); x0 < x1 && y0 < y1 {
		return 0, false
	}
	return 1, false
}

func (*spanKind) key(f *figure.Figure, e entry, x, y float64) {
	f.Rect(x+2, y-5, 12, 10, 2, figure.Style{Fill: figure.Opacity(e.color, 2*spanOpacity)})
}

func (*spanKind) dot(d *dotting, m *mark, _ int) {
	x0, x1, y0, y1 := d.panel.corners(m)
	if m.x != nil {
		d.polyline([]float64{x0, x0}, []float64{y0, y1})
		d.polyline([]float64{x1, x1}, []float64{y0, y1})
		return
	}
	d.polyline([]float64{x0, x1}, []float64{y0, y0})
	d.polyline([]float64{x0, x1}, []float64{y1, y1})
}

// layer also draws the part of a span beyond the ends of its axis, because the user can pan the
// axis.
func (*spanKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) {
	field, other, a, s := "x", "y", &v.c.x, &v.x
	if m.x == nil {
		field, other, a, s = "y", "x", &v.c.y, &v.y
	}
	lo, hi := m.spanEnds()
	if s.log && lo <= 0 {
		lo = s.lo
	}
	if s.log && hi <= 0 {
		return
	}
	end := field + "2"
	l.enc[end] = object{"field": end}
	delete(l.enc, other)
	var tips []tip
	if a.levels == nil {
		tips = []tip{v.tip(field, field).called("from"), v.tip(end, field).called("to")}
	}
	v.add([]any{object{field: position(a, lo), end: position(a, hi)}}, object{"type": "rect", "color": guide.PageColor(l.tint), "opacity": orElse(m.alpha, spanOpacity)}, l.enc, tips...)
}
