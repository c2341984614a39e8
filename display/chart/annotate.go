package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Annotate writes a label next to the point (x, y), with a line to the point. Each coordinate is a
// number, a time or a name on the axis. The label is placed where it covers the smallest part of
// the chart.
func (c *Chart) Annotate(x, y any, text string) *Chart {
	px, err := c.x.at("Annotate", "x", x)
	var py float64
	if err == nil {
		py, err = c.y.at("Annotate", "y", y)
	}
	if err == nil && !isFinite(px+py) {
		err = fmt.Errorf("chart.Annotate: x and y must be finite, got %v and %v", x, y)
	}
	if err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: texts, x: []float64{px}, y: []float64{py}, labels: []string{guide.Typeset(text)}, own: &textsData{pointer: true}})
}

// annotate writes the text of an annotation where it covers the smallest part of the chart.
func (p *panel) annotate(f canvas, m *mark) {
	q := p.pt(m.x[0], m.y[0])
	if !p.area.contains(q.X, q.Y) {
		return
	}
	font := figure.Font{Size: orElse(m.radius, tickFont.Size)}
	color := figure.Ink()
	if m.color != nil {
		color = *m.color
	}
	text := m.labels[0]
	w := font.Width(text)
	drawn := p.drawnPoints()
	var b rect
	least := math.Inf(1)
	for _, far := range []float64{22, 40, 64, 90, 120} {
		for k := range 12 {
			sin, cos := math.Sincos(math.Pi/6*float64(k) + math.Pi/3)
			cx, cy := q.X+cos*(far+w/2*math.Abs(cos)), q.Y-sin*far
			box := rect{cx - w/2 - 3, cy - font.Size/2 - 3, cx + w/2 + 3, cy + font.Size/2 + 3}
			cost := far / 20
			for _, d := range drawn {
				if box.contains(d.X, d.Y) {
					cost += 2
				}
			}
			for _, other := range p.noted {
				if box.x0 < other.x1 && other.x0 < box.x1 && box.y0 < other.y1 && other.y0 < box.y1 {
					cost += 500
				}
			}
			if box.x0 < p.area.x0 || box.x1 > p.area.x1 || box.y0 < p.area.y0 || box.y1 > p.area.y1 {
				cost += 1000
			}
			if cost < least {
				least, b = cost, box
			}
		}
	}
	p.noted = append(p.noted, b)
	// The line goes from the nearest point of the box to just before the point.
	x0, y0 := math.Max(b.x0, math.Min(b.x1, q.X)), math.Max(b.y0, math.Min(b.y1, q.Y))
	if l := math.Hypot(q.X-x0, q.Y-y0); l > 6 {
		t := (l - 5) / l
		f.Line(x0, y0, x0+t*(q.X-x0), y0+t*(q.Y-y0), figure.Style{Stroke: figure.Frame(), Width: 1})
	}
	f.Rect(b.x0, b.y0, b.w(), b.h(), 2, figure.Style{Fill: figure.Opacity(figure.Paper(), 0.8)})
	f.Label(b.x0+3, (b.y0+b.y1)/2+0.36*font.Size, text, figure.TextStyle{Font: font, Color: color})
}

// drawnPoints returns places that texts should not cover.
func (p *panel) drawnPoints() []figure.Point {
	var out []figure.Point
	for i := range p.c.marks {
		out = append(out, p.c.marks[i].kind.avoid(p, &p.c.marks[i])...)
	}
	return out
}

// DirectLabels replaces the legend: it writes the name of each line at the end of the line, and the
// name of each density at its peak.
func (c *Chart) DirectLabels() *Chart { c.direct = true; return c }

// directLabel is the name of a mark, written beside the mark.
type directLabel struct {
	name  string
	color figure.Color
	mark  int
}

// labelDirectly moves the names of lines from the legend to the lines.
func (p *panel) labelDirectly() {
	p.direct = nil
	if !p.c.direct {
		return
	}
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if m.name == "" || !m.kind.about().direct || len(m.x) == 0 {
			continue
		}
		p.direct = append(p.direct, directLabel{m.name, m.colorOf(p.order(i)), i})
		p.legend.entries = slices.DeleteFunc(p.legend.entries, func(e entry) bool { return e.name == m.name && e.kind.about().direct })
	}
	if len(p.legend.entries) == 0 && p.legend.bar == nil {
		p.legend = legend{}
	}
}

// directWidth returns the width that names at the ends of lines need on the right.
func (p *panel) directWidth() float64 {
	w := 0.0
	for _, d := range p.direct {
		if !p.c.marks[d.mark].asLine().peak {
			w = math.Max(w, tickFont.Width(d.name)+14)
		}
	}
	return math.Min(w, widestEntry)
}

// end returns the position of a line's name: after its last point, or above its peak.
func (p *panel) end(m *mark) (q figure.Point, ok bool) {
	q.Y = math.Inf(1)
	for k := range m.x {
		at := p.pt(m.x[k], m.y[k])
		if !isFinite(at.X) || !isFinite(at.Y) || !p.area.contains(at.X, at.Y) {
			continue
		}
		if m.asLine().peak && at.Y < q.Y || !m.asLine().peak && (!ok || at.X >= q.X) {
			q, ok = at, true
		}
	}
	return q, ok
}

// placedName is a direct label and its place.
type placedName struct {
	directLabel
	text string
	box  rect
}

// placedNames returns positions of the names at which no name overlaps another.
func (p *panel) placedNames() []placedName {
	var names []placedName
	texts := make([]string, len(p.direct))
	for i, d := range p.direct {
		texts[i] = d.name
	}
	texts = shortened(texts, widestEntry)
	for i, d := range p.direct {
		m := &p.c.marks[d.mark]
		q, ok := p.end(m)
		if !ok {
			continue
		}
		n := placedName{directLabel: d, text: texts[i]}
		w := tickFont.Width(n.text)
		n.box = rect{q.X + 7, q.Y - labelHeight/2, q.X + 7 + w, q.Y + labelHeight/2}
		if m.asLine().peak {
			n.box = rect{q.X - w/2, q.Y - labelHeight - 3, q.X + w/2, q.Y - 3}
		}
		names = append(names, n)
	}
	sort.SliceStable(names, func(a, b int) bool { return names[a].box.y0 < names[b].box.y0 })
	// Only names that overlap, or would overlap a moved name, move.
	for _, rows := range overlapping(len(names), func(i int) (from, to float64) { return names[i].box.x0, names[i].box.x1 + 7 }) {
		at := make([]float64, len(rows))
		for k, i := range rows {
			at[k] = names[i].box.y0
		}
		spread(at, nameLine, p.area.y0-8, p.area.y1)
		for k, i := range rows {
			b := &names[i].box
			b.y0, b.y1 = at[k], at[k]+labelHeight
		}
	}
	return names
}

// clearNames hides the grid behind names.
func (p *panel) clearNames(f canvas) {
	for _, n := range p.placedNames() {
		f.Rect(n.box.x0-2, n.box.y0, n.box.w()+4, n.box.h(), 0, figure.Style{Fill: figure.Paper()})
	}
}

// directLabels writes the names.
func (p *panel) directLabels(f canvas) {
	for _, n := range p.placedNames() {
		f.Label(n.box.x0, (n.box.y0+n.box.y1)/2+labelMiddle, n.text, figure.TextStyle{Font: tickFont, Color: figure.Mix(n.color, figure.Ink(), 0.3)})
	}
}

// overlapping groups n spans so that spans that overlap, directly or through others, are
// in one group.
func overlapping(n int, span func(i int) (from, to float64)) [][]int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, _ := span(a)
		y, _ := span(b)
		return cmp.Compare(x, y)
	})
	var groups [][]int
	end := math.Inf(-1)
	for _, i := range order {
		from, to := span(i)
		if from > end {
			groups = append(groups, nil)
		}
		end = math.Max(end, to)
		last := len(groups) - 1
		groups[last] = append(groups[last], i)
	}
	for _, g := range groups {
		slices.Sort(g)
	}
	return groups
}

// spread moves ascending places so that they are at least apart from each other and between lo and
// hi, with the smallest sum of squared moves. After subtracting k times apart, the k-th place is
// the mean of its block, which holds the places that would be too close. If there is not enough
// room, the places start at lo.
func spread(at []float64, apart, lo, hi float64) {
	type block struct {
		mean float64
		n    float64
	}
	var blocks []block
	for k, y := range at {
		b := block{y - apart*float64(k), 1}
		for len(blocks) > 0 && blocks[len(blocks)-1].mean > b.mean {
			last := blocks[len(blocks)-1]
			b.mean, b.n = (last.mean*last.n+b.mean*b.n)/(last.n+b.n), last.n+b.n
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	hi -= apart * float64(len(at)-1)
	k := 0
	for _, b := range blocks {
		for end := k + int(b.n); k < end; k++ {
			at[k] = math.Max(lo, math.Min(hi, b.mean)) + apart*float64(k)
		}
	}
}
