package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

func (p *panel) grid(f *figure.Figure) {
	h, v := p.scales()
	s := figure.Style{Stroke: figure.Faint(), Width: 0.8}
	if !p.h.hidden && !h.between {
		for _, t := range h.ticks {
			x := crisp(h.at(t))
			f.Line(x, p.area.y0, x, p.area.y1, s)
		}
	}
	if !p.v.hidden && !v.between && p.beside == nil {
		for _, t := range v.ticks {
			y := crisp(v.at(t))
			f.Line(p.area.x0, y, p.area.x1, y, s)
		}
	}
}

// crisp aligns a thin line with the centers of pixels.
func crisp(x float64) float64 { return math.Round(x*2)/2 + 0.25 }

func (p *panel) axes(f *figure.Figure, r rect) {
	h, v := p.scales()
	a := p.area
	frame := figure.Style{Stroke: figure.Frame(), Width: 0.8}
	_, cells := p.raster()
	tick := figure.TextStyle{Font: tickFont, Color: figure.Soft()}
	name := figure.TextStyle{Font: axisFont, Color: figure.Ink(), Anchor: figure.Middle}
	y := a.y1 + 4
	if !p.h.hidden {
		if !cells {
			f.Line(a.x0, crisp(a.y1), a.x1, crisp(a.y1), frame)
		}
		if !p.hideXLabels {
			y = p.xLabels(f, h, tick, frame)
		}
		p.titleY = y + 15
		title := p.h.label()
		if p.hideXTitle {
			title = ""
		}
		if title = join(title, h.unit); title != "" && !p.hideXLabels && !p.unitBelow {
			for i, s := range axisFont.Wrap(title, p.titleRoom(), axisLines) {
				f.Label((a.x0+a.x1)/2, p.titleY+axisLine*float64(i), s, name)
			}
		}
	}
	if !p.v.hidden {
		if !cells {
			f.Line(crisp(a.x0), a.y0, crisp(a.x0), a.y1, frame)
		}
		if p.second != nil {
			tick.Color, name.Color = p.ink(), p.ink()
		}
		if !p.hideYLabels {
			p.yLabels(f, v, tick, frame, r)
		}
		title := p.v.label()
		if p.hideYTitle {
			title = ""
		}
		if title = join(title, v.unit); title != "" && !p.hideYLabels {
			name.Up = true
			for i, s := range axisFont.Wrap(title, a.h()+40, axisLines) {
				f.Label(r.x0+19+axisLine*float64(i), (a.y0+a.y1)/2, s, name)
			}
		}
	}
	if p.c.title != "" {
		font := titleFont
		if p.inner {
			font = innerFont
		}
		for i, s := range p.titleLines(font) {
			f.Label(a.x0, r.y0+22+guide.TitleLine*float64(i), font.Fit(s, r.x1-a.x0-6), figure.TextStyle{Font: font, Color: figure.Ink()})
		}
		low := r.y0 + 22 + guide.TitleLine*float64(len(p.titleLines(font))-1)
		for i, s := range p.subtitleLines() {
			f.Label(a.x0, low+subtitleLine*float64(i+1), tickFont.Fit(s, r.x1-a.x0-6), figure.TextStyle{Font: tickFont, Color: figure.Soft()})
		}
	}
	writeNote(f, p.noteLines(r), r.x0+4, a.x1, r.y1-5)
}

// titleRoom returns the maximum width of the title below the area, where it is centered.
func (p *panel) titleRoom() float64 {
	if p.rect.w() <= 0 {
		return p.area.w() + 60 // one of several with axes of their own
	}
	return titleRoom(p.rect.w(), p.area.x0-p.rect.x0, p.area.w())
}

// titleRoom returns the maximum width of the title below an area of the given width in a panel of
// width whole.
func titleRoom(whole, left, width float64) float64 {
	middle := left + width/2
	return math.Min(width+60, 2*math.Min(middle, whole-middle)-8)
}

// titleWidth returns the maximum width of the title above the area.
func (p *panel) titleWidth() float64 {
	if p.rect.w() <= 0 {
		return 1e4
	}
	return p.rect.w() - 62
}

// titleLines returns the lines of a panel's title.
func (p *panel) titleLines(font figure.Font) []string {
	return font.Wrap(p.c.title, math.Max(40, p.titleWidth()), titleLines)
}

// subtitleLine is the height of a line of a subtitle, and subtitleLines the maximum number of
// lines.
const (
	subtitleLine  = 17
	subtitleLines = 3
)

// subtitleLines returns the lines of a panel's subtitle.
func (p *panel) subtitleLines() []string {
	return tickFont.Wrap(p.c.subtitle, math.Max(40, p.titleWidth()), subtitleLines)
}

func join(title, unit string) string {
	switch {
	case unit == "":
		return title
	case title == "":
		return unit
	}
	return title + " (" + unit + ")"
}

// xLabels writes the labels below the area and returns where they end.
func (p *panel) xLabels(f *figure.Figure, h *scale, style figure.TextStyle, frame figure.Style) float64 {
	a := p.area
	if !h.between {
		style.Anchor = figure.Middle
		for i, t := range h.ticks {
			x := h.at(t)
			f.Line(crisp(x), a.y1, crisp(x), a.y1+4, frame)
			f.Label(x, a.y1+labelDrop, h.labels[i], style)
		}
		for _, t := range h.minor {
			x := crisp(h.at(t))
			f.Line(x, a.y1, x, a.y1+2.5, frame)
		}
		return a.y1 + labelDrop + 4
	}
	rows := rowsOf(h.labels, a.w(), p.rect.h())
	every := 1
	if rows.up {
		// Use smaller letters instead of omitting names, as long as they are legible.
		slot := a.w() / float64(len(h.labels))
		style.Font.Size = math.Max(9, math.Min(style.Font.Size, slot-1.5))
		every = max(1, int(math.Ceil((style.Font.Size+1.5)/slot)))
	}
	for i, t := range h.ticks {
		if i%every != 0 {
			continue
		}
		x := h.at(t)
		if rows.up {
			style.Up, style.Anchor = true, figure.End
			for k, s := range rows.wrapped[i] {
				line := float64(k) - float64(len(rows.wrapped[i])-1)/2
				f.Label(x+0.36*style.Font.Size+nameLine*line, a.y1+6, s, style)
			}
			continue
		}
		style.Anchor = figure.Middle
		for k, s := range rows.wrapped[i] {
			f.Label(x, a.y1+labelDrop+nameLine*float64(k), s, style)
		}
	}
	return a.y1 + 6 + rows.height
}

// yLabels writes the labels on the left of the area.
func (p *panel) yLabels(f *figure.Figure, v *scale, style figure.TextStyle, frame figure.Style, r rect) {
	a := p.area
	style.Anchor = figure.End
	every := 1
	var names [][]string
	if v.between {
		every = max(1, int(math.Ceil(labelHeight*float64(len(v.labels))/a.h())))
		names = p.wrapped(v, r)
	}
	for i, t := range v.ticks {
		if i%every != 0 {
			continue
		}
		y := v.at(t)
		if !v.between {
			f.Line(a.x0-4, crisp(y), a.x0, crisp(y), frame)
			f.Label(a.x0-7, y+labelMiddle, v.labels[i], style)
			continue
		}
		lines := names[i]
		for k, s := range lines {
			f.Label(a.x0-7, y+labelMiddle+nameLine*(float64(k)-float64(len(lines)-1)/2), s, style)
		}
	}
	for _, t := range v.minor {
		y := crisp(v.at(t))
		f.Line(a.x0-2.5, y, a.x0, y, frame)
	}
}
