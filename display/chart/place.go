package chart

import (
	"math"
)

// apart is how far ticks stand from each other on short and on long axes.
func apart(length, close, wide float64) float64 {
	if length < 300 {
		return close
	}
	return wide
}

// labelRows is how the names below a horizontal axis are written.
type labelRows struct {
	wrapped [][]string
	up      bool
	height  float64
}

// place decides where the data go: what is left after titles, ticks and legend.
func (p *panel) place(r rect) {
	h, v := p.scales()
	pad := 12.0
	top := pad
	if p.c.title != "" {
		top = 36
		if p.inner {
			top = 30
		}
	}
	right := pad
	if !p.hideLegend && !p.legend.empty() {
		right = p.legend.width() + 10
	}
	if p.second != nil {
		right = p.second.room(r.h() - top - 40)
	}
	right = math.Max(right, p.directWidth())
	bottom := pad
	if !p.h.hidden {
		bottom = 10
		if !p.hideXLabels && !p.hangX {
			bottom += 20
		}
		if p.h.label() != "" && !p.hideXLabels && !p.hangX {
			bottom += 18
		}
	}
	if p.leftOut.any() {
		bottom += 14
	}
	textHeight := func([]string) float64 { return 12 }
	textWidth := func(labels []string) float64 {
		w := 0.0
		for _, s := range labels {
			w = math.Max(w, tickFont.Width(s))
		}
		return w
	}
	left := pad
	// The ticks of one axis need the length of the other: two rounds settle it.
	for round := range 2 {
		length := math.Max(20, r.h()-top-bottom)
		v.ticks, v.labels = nil, nil
		v.setTicks(p.v, length, apart(length, 28, 40), textHeight)
		left = pad
		if !p.v.hidden {
			left = 8
			if p.v.label() != "" && !p.hideYLabels || v.unit != "" {
				left += 20
			}
			if !p.hideYLabels {
				left += 8 + math.Min(textWidth(v.labels), r.w()*0.35)
			}
		}
		width := math.Max(20, r.w()-left-right)
		h.ticks, h.labels = nil, nil
		h.setTicks(p.h, width, apart(width, 44, 64), textWidth)
		if round == 0 && h.unit != "" && p.h.label() == "" && !p.h.hidden {
			bottom += 18
		}
		if round == 0 && !p.h.hidden && h.between && !p.hideXLabels && !p.hangX {
			bottom += rowsOf(h.labels, width).height - 14
		}
		if n := len(h.labels); n > 0 && !h.between && !p.h.hidden {
			right = math.Max(right, tickFont.Width(h.labels[n-1])/2+4)
		}
	}
	p.area = rect{r.x0 + left, r.y0 + top, math.Max(r.x1-right, r.x0+left+10), math.Max(r.y1-bottom, r.y0+top+10)}
	p.keepShape()
	a := &p.area
	a.x0, a.x1, a.y0, a.y1 = math.Round(a.x0), math.Round(a.x1), math.Round(a.y0), math.Round(a.y1)
	p.orient()
}

// orient maps the scales onto the area.
func (p *panel) orient() {
	h, v := p.scales()
	a := p.area
	h.from, h.to = a.x0, a.x1
	v.from, v.to = a.y1, a.y0
	if p.h.reverse {
		h.from, h.to = h.to, h.from
	}
	if p.v.reverse != p.transposed { // the first name of lying bars is on top
		v.from, v.to = v.to, v.from
	}
}

// keepShape makes units equally long where the chart asks for it, and the cells
// of a small matrix square.
func (p *panel) keepShape() {
	_, cells := p.raster()
	h, v := p.scales()
	a := &p.area
	dx, dy := h.hi-h.lo, v.hi-v.lo
	if h.log || v.log {
		return
	}
	if cells {
		if ratio := dx / dy; ratio > 3 || ratio < 1.0/3 {
			return
		}
	} else if !p.c.equal {
		return
	}
	unit := math.Min(a.w()/dx, a.h()/dy)
	if cells || p.h.fixed || p.v.fixed {
		a.x1 = a.x0 + unit*dx
		extra := a.h() - unit*dy
		a.y0 += extra / 2
		a.y1 -= extra / 2
		return
	}
	growX, growY := a.w()/unit-dx, a.h()/unit-dy
	h.lo, h.hi = h.lo-growX/2, h.hi+growX/2
	v.lo, v.hi = v.lo-growY/2, v.hi+growY/2
	h.ticks, h.labels, v.ticks, v.labels = nil, nil, nil, nil
	h.setTicks(p.h, a.w(), apart(a.w(), 44, 64), func(labels []string) float64 {
		w := 0.0
		for _, s := range labels {
			w = math.Max(w, tickFont.Width(s))
		}
		return w
	})
	v.setTicks(p.v, a.h(), apart(a.h(), 28, 40), func([]string) float64 { return 12 })
}

// rowsOf decides how names are written below an axis of the given width: in one
// row, wrapped into two, or upright.
func rowsOf(names []string, width float64) labelRows {
	slot := width / math.Max(1, float64(len(names)))
	l := labelRows{height: 14}
	fits := true
	for _, s := range names {
		fits = fits && tickFont.Width(s) <= slot-6
	}
	if fits {
		for _, s := range names {
			l.wrapped = append(l.wrapped, []string{s})
		}
		return l
	}
	fits = true
	for _, s := range names {
		lines := tickFont.Wrap(s, slot-6, 2)
		total := ""
		for i, w := range lines {
			if i > 0 {
				total += " "
			}
			total += w
		}
		fits = fits && total == s
		l.wrapped = append(l.wrapped, lines)
	}
	if fits {
		l.height = 28
		return l
	}
	l.up, l.wrapped = true, nil
	for _, s := range names {
		short := tickFont.Fit(s, 110)
		l.wrapped = append(l.wrapped, []string{short})
		l.height = math.Max(l.height, tickFont.Width(short)+4)
	}
	return l
}
