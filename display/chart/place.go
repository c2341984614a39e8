package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/internal/guide"
)

// apart returns the minimum distance between ticks on an axis of the given length.
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

// margins is the space around a panel's data for titles, ticks and legend.
type margins struct{ left, top, right, bottom float64 }

// place decides the plot area: the space left by titles, ticks and legend.
func (p *panel) place(r rect) {
	h, v := p.scales()
	p.rect = r
	if !p.hideLegend {
		p.legend.fit(r.h() - 60)
	}
	m := p.around(r)
	least, kept := m, math.Inf(1)
	// The ticks of one axis need the length of the other, and names below the area its width: three
	// rounds are enough.
	for range 3 {
		m.left, m.bottom = least.left, least.bottom
		if !p.h.hidden && !p.hideXLabels && !p.hangX {
			if p.h.label() != "" && (p.unitBelow || !p.hideXTitle) || h.unit != "" {
				m.bottom += axisTitle
				if !p.unitBelow && !p.hideXTitle {
					m.bottom += axisLine * math.Max(0, float64(len(axisFont.Wrap(join(p.h.label(), h.unit), titleRoom(r.w(), m.left, math.Min(kept, r.w()-m.left-m.right)), axisLines))-1))
				}
			}
			if h.between {
				m.bottom += rowsOf(h.labels, math.Min(kept, r.w()-m.left-m.right), r.h()).height - nameLine
			}
		}
		m.bottom = math.Max(m.bottom, p.least.bottom)
		length := math.Max(20, r.h()-m.top-m.bottom)
		v.ticks, v.labels, v.unit = nil, nil, ""
		v.setTicks(p.v, length, apart(length, 28, 40), textHeight)
		m.left = p.leftMargin(r)
		width := math.Max(20, r.w()-m.left-m.right)
		h.ticks, h.labels, h.unit = nil, nil, ""
		h.setTicks(p.h, width, apart(width, 34, 56), textWidth)
		if n := len(h.labels); n > 0 && !h.between && !p.h.hidden && !p.hideXLabels {
			first, last := 0, n-1
			if p.h.reverse {
				first, last = last, first
			}
			m.right = math.Max(m.right, textWidth(h.labels[last:last+1])/2+4)
			before := width * h.norm(h.ticks[first])
			if p.h.reverse {
				before = width - before
			}
			m.left = math.Max(m.left, textWidth(h.labels[first:first+1])/2+4-before)
		}
		p.area = rect{r.x0 + m.left, r.y0 + m.top, math.Max(r.x1-m.right, r.x0+m.left+10), math.Max(r.y1-m.bottom, r.y0+m.top+10)}
		p.keepShape()
		kept = p.area.w()
	}
	p.margins = m
	a := &p.area
	a.x0, a.x1, a.y0, a.y1 = math.Round(a.x0), math.Round(a.x1), math.Round(a.y0), math.Round(a.y1)
	p.widenForEnds()
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
	if p.v.reverse != p.transposed { // the first name of horizontal bars is on top
		v.from, v.to = v.to, v.from
	}
}

// around returns the margins of a panel that do not depend on its ticks.
func (p *panel) around(r rect) margins {
	const pad = 12
	m := margins{pad, pad, pad, pad}
	if p.c.title != "" {
		m.top = 37
		font := titleFont
		if p.inner {
			m.top, font = 30, innerFont
		}
		m.top += guide.TitleLine * math.Max(0, float64(len(p.titleLines(font))-1))
		m.top += subtitleLine * float64(len(p.subtitleLines()))
	}
	level := p.levelRoom(r)
	switch {
	case level > 0 && p.legend.place == legendTop:
		m.top += level
		level = 0
	case level > 0:
	case !p.hideLegend && !p.legend.empty() && !p.legend.place.inside():
		m.right = p.legend.width() + 10
	}
	m.top = math.Max(m.top, p.least.top)
	if p.second != nil {
		m.right = p.second.room(r.h() - m.top - 40)
	}
	m.right = math.Max(m.right, p.directWidth())
	if !p.h.hidden {
		m.bottom = 10
		if !p.hideXLabels && !p.hangX {
			m.bottom += labelDrop + 4
		}
	}
	m.bottom += level + noteLine*float64(len(p.noteLines(r)))
	return m
}

// height returns the approximate height of a panel's plot area.
func (p *panel) height(r rect) float64 {
	if p.area.h() > 0 && p.rect == r {
		return p.area.h()
	}
	return math.Max(20, r.h()-60)
}

// leftMargin returns the width that the title and the labels of the vertical axis need.
func (p *panel) leftMargin(r rect) float64 {
	_, v := p.scales()
	if p.v.hidden {
		return 12
	}
	left := 8.0
	if p.v.label() != "" && !p.hideYTitle && !p.hideYLabels || v.unit != "" {
		left += axisTitle
		if !p.hideYTitle {
			left += axisLine * math.Max(0, float64(len(axisFont.Wrap(join(p.v.label(), v.unit), p.height(r)+40, axisLines))-1))
		}
	}
	if p.hideYLabels {
		return left
	}
	if !v.between {
		return left + 8 + textWidth(v.labels)
	}
	widest := 0.0
	for _, lines := range p.wrapped(v, r) {
		widest = math.Max(widest, textWidth(lines))
	}
	return left + 8 + widest
}

// wrapped returns the names on the left of the area in lines that are not too wide.
func (p *panel) wrapped(v *scale, r rect) [][]string {
	slot := (r.h() - p.margins.top - p.margins.bottom) / math.Max(1, float64(len(v.labels)))
	most := max(1, min(4, int(slot/nameLine)))
	out := make([][]string, len(v.labels))
	for i, s := range v.labels {
		out[i] = tickFont.Wrap(s, r.w()*0.35, most)
	}
	return toldApart(v.labels, out, r.w()*0.35)
}

func textHeight([]string) float64 { return labelHeight }

// textWidth returns the width of the widest label.
func textWidth(labels []string) float64 {
	w := 0.0
	for _, s := range labels {
		w = math.Max(w, tickFont.Width(s))
	}
	return w
}

// widestCell is the maximum aspect ratio (width/height) of the cells of a small matrix in panels of
// its rows.
const widestCell = 1.6

// keepShape makes the units of both axes equally long if the chart asks for it. It makes the cells
// of a small matrix square, or nearly square in panels of its rows.
func (p *panel) keepShape() {
	_, cells := p.raster()
	h, v := p.scales()
	a := &p.area
	dx, dy := h.hi-h.lo, v.hi-v.lo
	if h.log || v.log || h.symlog+v.symlog > 0 {
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
	if cells || p.h.fixed || p.v.fixed || p.fielded() {
		wide := unit
		if cells && p.c.marks[0].part && !p.c.equal {
			wide = math.Min(a.w()/dx, widestCell*unit) // the space beside them would be empty
		}
		a.x1 = a.x0 + wide*dx
		extra := a.h() - unit*dy
		a.y0 += extra / 2
		a.y1 -= extra / 2
		return
	}
	growX, growY := a.w()/unit-dx, a.h()/unit-dy
	h.lo, h.hi = h.lo-growX/2, h.hi+growX/2
	v.lo, v.hi = v.lo-growY/2, v.hi+growY/2
	h.ticks, h.labels, v.ticks, v.labels = nil, nil, nil, nil
	h.setTicks(p.h, a.w(), apart(a.w(), 34, 56), textWidth)
	v.setTicks(p.v, a.h(), apart(a.h(), 28, 40), textHeight)
}

// fielded reports whether the chart shows a field, which ends where the axes do.
func (p *panel) fielded() bool {
	for i := range p.c.marks {
		if p.c.marks[i].kind.about().field {
			return true
		}
	}
	return false
}

// rowsOf decides how names are written below an axis of the given width, in a panel of the given
// height: in one row, wrapped into up to three rows, or vertically.
func rowsOf(names []string, width, height float64) labelRows {
	slot := width / math.Max(1, float64(len(names)))
	for lines := 1; lines <= 3; lines++ {
		l := labelRows{height: nameLine * float64(lines)}
		fits := true
		for _, s := range names {
			rows := tickFont.Wrap(s, slot-6, lines)
			fits = fits && strings.Join(rows, " ") == strings.Join(strings.Fields(s), " ")
			l.wrapped = append(l.wrapped, rows)
		}
		if fits {
			return l
		}
	}
	l := labelRows{up: true}
	longest := math.Max(110, 0.45*height)
	lines := max(1, min(3, int(slot/nameLine)))
	for _, s := range names {
		l.wrapped = append(l.wrapped, tickFont.Wrap(s, longest, lines))
	}
	for _, rows := range toldApart(names, l.wrapped, longest) {
		l.height = math.Max(l.height, textWidth(rows)+4)
	}
	return l
}

// toldApart shortens names in the middle, so that both ends stay legible, if they would look alike
// when cut at the end.
func toldApart(names []string, wrapped [][]string, width float64) [][]string {
	of := map[string][]int{}
	for i, rows := range wrapped {
		key := strings.Join(rows, "\n")
		of[key] = append(of[key], i)
	}
	for _, same := range of {
		if !slices.ContainsFunc(same, func(i int) bool { return names[i] != names[same[0]] }) {
			continue
		}
		for _, i := range same {
			wrapped[i] = []string{tickFont.FitMiddle(names[i], width)}
		}
	}
	of = map[string][]int{}
	for i, rows := range wrapped {
		if len(rows) == 1 && rows[0] != names[i] {
			of[rows[0]] = append(of[rows[0]], i)
		}
	}
	for _, same := range of {
		start := commonStart(names, same)
		if start == len([]rune(names[same[0]])) {
			continue // one name
		}
		// Names with the same ends differ in their middle.
		for _, i := range same {
			wrapped[i] = []string{tickFont.Fit("…"+string([]rune(names[i])[max(0, start-startKept):]), width)}
		}
	}
	return wrapped
}

// startKept is the number of letters that a shortened name keeps before the first letter in which
// it differs from others.
const startKept = 4

// commonStart returns the number of letters that some names have in common at their start.
func commonStart(names []string, which []int) int {
	first := []rune(names[which[0]])
	n := len(first)
	for _, i := range which[1:] {
		k := 0
		for r := []rune(names[i]); k < min(n, len(r)) && r[k] == first[k]; {
			k++
		}
		n = min(n, k)
	}
	return n
}

// shortened returns the names cut to a maximum width. Different names stay different.
func shortened(names []string, width float64) []string {
	wrapped := make([][]string, len(names))
	for i, s := range names {
		wrapped[i] = []string{tickFont.Fit(s, width)}
	}
	out := make([]string, len(names))
	for i, rows := range toldApart(names, wrapped, width) {
		out[i] = rows[0]
	}
	return out
}
