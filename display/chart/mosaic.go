package chart

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// mosaic lays out panels in rows and columns with aligned plot areas. Axis labels are outside of
// the first column and the last row.
type mosaic struct {
	cells          [][]*panel // nil where there is none
	wide, high     []float64  // relative sizes of columns and rows, nil if all are equal
	gap            float64
	top            []string // names above the columns
	side           []string // names beside the rows
	before, behind float64  // space for labels outside the areas
	below          float64
	same           bool // all panels show the same rows, so left-out counts are not added up
	common         bool // all columns share one axis title, and so do all rows
}

const (
	stripHeight = 22 // height of a name above a column or beside a row
	mosaicTop   = 12
)

// ticked sets the ticks of both axes for the size of the area.
func (p *panel) ticked(area rect) {
	p.area = area
	h, v := p.scales()
	v.ticks, v.labels = nil, nil
	v.setTicks(p.v, area.h(), apart(area.h(), 28, 40), textHeight)
	h.ticks, h.labels = nil, nil
	h.setTicks(p.h, area.w(), apart(area.w(), 34, 56), textWidth)
	p.orient()
	p.placePoints()
}

// labelAfter omits the first label if it would overlap what ends at x, and returns the end of the
// last label.
func (s *scale) labelAfter(x float64) float64 {
	if len(s.ticks) == 0 {
		return x
	}
	half := func(i int) float64 { return tickFont.Width(s.labels[i]) / 2 }
	if len(s.ticks) > 1 && s.at(s.ticks[0])-half(0) < x+4 {
		s.labels = slices.Clone(s.labels)
		s.labels[0] = ""
	}
	last := len(s.ticks) - 1
	return s.at(s.ticks[last]) + half(last)
}

// margins returns the room for labels on the left and below.
func (m *mosaic) margins(area rect) (left, bottom float64) {
	left, bottom = 10, 10
	for _, row := range m.cells {
		p := row[0]
		if p == nil || p.v.hidden {
			continue
		}
		p.ticked(rect{0, 0, area.w() / float64(len(row)), area.h() / float64(len(m.cells))})
		own := p.y
		if p.beside != nil {
			p.asBeside()
		}
		_, v := p.scales()
		w := 16 + textWidth(v.labels)
		if join(p.v.label(), v.unit) != "" {
			w += axisTitle
		}
		p.y = own
		left = math.Max(left, math.Min(w, 0.35*area.w()))
	}
	for _, p := range m.cells[len(m.cells)-1] {
		if p == nil || p.h.hidden {
			continue
		}
		width := area.w() / float64(len(m.cells[0]))
		p.ticked(rect{0, 0, width, area.h() / float64(len(m.cells))})
		h, _ := p.scales()
		b := labelDrop + 12.0
		if h.between {
			b = labelDrop - 2 + rowsOf(h.labels, width-m.gap, area.h()/float64(len(m.cells))).height
		}
		if join(p.h.label(), h.unit) != "" {
			b += axisTitle
		}
		bottom = math.Max(bottom, b)
	}
	return left, bottom
}

// spans divides a length in the given proportions, with gaps between the parts.
func spans(from, to, gap float64, n int, shares []float64) [][2]float64 {
	total := 0.0
	share := func(i int) float64 {
		if shares == nil {
			return 1
		}
		return shares[i]
	}
	for i := range n {
		total += share(i)
	}
	unit := (to - from - gap*float64(n-1)) / total
	out := make([][2]float64, n)
	for i := range out {
		out[i] = [2]float64{math.Round(from), math.Round(from + unit*share(i))}
		from += unit*share(i) + gap
	}
	return out
}

// draw draws the panels into a part of the figure.
func (m *mosaic) draw(f *figure.Figure, r rect) {
	var left leftOut
	for _, row := range m.cells {
		for _, p := range row {
			if p != nil {
				left = m.sum(left, p.leftOut)
				p.leftOut = leftOut{}
				p.inner, p.hideLegend = true, true
				p.hideXTitle, p.hideYTitle = p.hideXTitle || m.common, p.hideYTitle || m.common
			}
		}
	}
	inner := rect{r.x0, r.y0 + mosaicTop, r.x1 - mosaicTop, r.y1}
	if m.top != nil {
		inner.y0 += stripHeight - 4
	}
	if m.side != nil {
		inner.x1 -= stripHeight - 4
	}
	inner.x1 -= m.behind
	inner.y1 -= noteLine * float64(len(left.lines(r.w()-2*mosaicTop)))
	a, b := m.margins(inner)
	inner.x0 += math.Max(a, m.before)
	inner.y1 -= math.Max(b, m.below)
	nothing, written := true, math.Inf(-1)
	xs := spans(inner.x0, inner.x1, m.gap, len(m.cells[0]), m.wide)
	ys := spans(inner.y0, inner.y1, m.gap, len(m.cells), m.high)
	for i, row := range m.cells {
		for j, p := range row {
			if p == nil {
				continue
			}
			p.hideXLabels = p.hideXLabels || i < len(m.cells)-1
			p.hideYLabels = p.hideYLabels || j > 0
			p.ticked(rect{xs[j][0], ys[i][0], xs[j][1], ys[i][1]})
			if h, _ := p.scales(); !p.hideXLabels && !h.between {
				written = h.labelAfter(written)
			}
			left.crowded += p.leftOut.crowded
			left.add(leftOut{notes: p.leftOut.notes, binned: p.leftOut.binned})
			p.leftOut = leftOut{}
			p.c.title = ""
			nothing, p.nothing = nothing && p.nothing, false
			p.content(f, rect{r.x0, ys[i][0], xs[j][1], ys[i][1]})
		}
	}
	m.strips(f, xs, ys)
	if nothing {
		sayNothing(f, m.cells[len(m.cells)-1][0].area)
	}
	if m.common {
		p := m.cells[len(m.cells)-1][0]
		h, v := p.scales()
		name := figure.TextStyle{Font: axisFont, Color: figure.Ink(), Anchor: figure.Middle}
		if title := join(p.h.label(), h.unit); title != "" && !p.h.hidden {
			f.Label((inner.x0+inner.x1)/2, p.titleY, axisFont.Fit(title, inner.w()), name)
		}
		if title := join(p.v.label(), v.unit); title != "" && !p.v.hidden {
			name.Up = true
			f.Label(r.x0+19, (inner.y0+inner.y1)/2, axisFont.Fit(title, inner.h()), name)
		}
	}
	writeNote(f, left.lines(r.w()-2*mosaicTop), r.x0+mosaicTop, r.x1-mosaicTop, r.y1-5)
}

// sum adds up what two panels leave out.
func (m *mosaic) sum(a, b leftOut) leftOut {
	if m.same {
		b.notFinite, a.notFinite = max(a.notFinite, b.notFinite), 0
		b.notPositive, a.notPositive = max(a.notPositive, b.notPositive), 0
		b.rows, a.rows = max(a.rows, b.rows), 0
	}
	a.add(b)
	return a
}

// strips writes the names of columns and rows.
func (m *mosaic) strips(f *figure.Figure, xs, ys [][2]float64) {
	style := figure.TextStyle{Font: innerFont, Color: figure.Ink(), Anchor: figure.Middle}
	for j, s := range m.top {
		f.Label((xs[j][0]+xs[j][1])/2, ys[0][0]-7, innerFont.Fit(s, xs[j][1]-xs[j][0]), style)
	}
	style.Up = true
	for i, s := range m.side {
		f.Label(xs[len(xs)-1][1]+17, (ys[i][0]+ys[i][1])/2, innerFont.Fit(s, ys[i][1]-ys[i][0]), style)
	}
}
