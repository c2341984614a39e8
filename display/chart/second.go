package chart

import (
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/display/figure"
)

// Right draws the mark added last against a second y axis on the right:
//
//	Plot(days, rain).Y("rain (mm)").Line(days, warmth).Right("temperature (°C)")
//
// The relative position of the two scales is arbitrary, so the places where lines cross have no
// meaning. Each axis measures only one series and has its color. Both axes must have titles, and
// the titles must differ.
func (c *Chart) Right(title string) *Chart {
	m := c.last("Right")
	if !m.kind.about().right {
		c.setErr(fmt.Errorf("chart.Right: the mark must be a line, points, steps, bars or an area, got %s", m.kind))
	}
	m.right = true
	c.y2.name(title)
	if c.y.defaultTitle == m.yName && m.yName != "" {
		c.y.defaultTitle = "" // it is the title of the other series
		for i := range c.marks {
			if !c.marks[i].right && c.marks[i].yName != "" {
				c.y.defaultTitle = c.marks[i].yName
				break
			}
		}
	}
	return c
}

// cut divides a chart, whose computed marks are expanded, into the marks of the left and of the
// right axis. right is nil without a second axis.
func (c *Chart) cut() (left, right *Chart, err error) {
	var a, b []mark
	for _, m := range c.marks {
		if m.right {
			b = append(b, m)
		} else {
			a = append(a, m)
		}
	}
	if b == nil {
		return c, nil, nil
	}
	switch {
	case measuring(a) == 0:
		return nil, nil, errors.New("chart.Right: the left axis has no values; leave Right out")
	case measuring(a) > 1 || measuring(b) > 1:
		return nil, nil, errors.New("chart.Right: each axis must have one series, because its color names the series; draw panels below each other with Grid(...).Cols(1)")
	case c.y.label() == "" || c.y2.title == "":
		return nil, nil, errors.New(`chart.Right: both axes need a title: .Y("rain (mm)") and .Right("temperature (°C)")`)
	case c.y.label() == c.y2.title:
		return nil, nil, fmt.Errorf("chart.Right: both axes show %q; two scales for one quantity mislead, leave Right out", c.y2.title)
	case c.horizontal || c.namesTooLong():
		return nil, nil, errors.New("chart.Right: horizontal bars have no axis on the right")
	}
	l, r := *c, *c
	l.marks, r.marks = a, b
	l.noLegend, r.noLegend = true, true
	r.y, r.title = c.y2, ""
	for k, marks := range [][]mark{l.marks, r.marks} {
		color := figure.Class(k)
		for i := range marks {
			if marks[i].color == nil && marks[i].kind.about().series {
				marks[i].color = &color
			}
		}
	}
	return &l, &r, nil
}

// measuring returns the number of series of marks. Marks of one color over the same data are one
// series.
func measuring(marks []mark) int {
	n := 0
	for i := range marks {
		if marks[i].kind.about().series && (i == 0 || !sameSeries(&marks[i-1], &marks[i])) {
			n++
		}
	}
	return n
}

// ink returns the color of a panel's only series.
func (p *panel) ink() figure.Color {
	for i := range p.c.marks {
		if m := &p.c.marks[i]; m.kind.about().series && m.color != nil {
			return figure.Mix(*m.color, figure.Ink(), 0.25)
		}
	}
	return figure.Ink()
}

// shareX makes the x axis of both panels cover the data of both.
func (p *panel) shareX() {
	for _, q := range [2][2]*extent{{&p.xe, &p.second.xe}, {&p.second.xe, &p.xe}} {
		if q[1].anything {
			q[0].cover(q[1].lo, q[1].hi, q[1].padLo || q[1].padHi)
		}
	}
}

// room returns the width of the axis on the right.
func (p *panel) room(height float64) float64 {
	p.y.ticks, p.y.labels = nil, nil
	p.y.setTicks(&p.c.y, height, apart(height, 28, 40), textHeight)
	widest := 0.0
	for _, s := range p.y.labels {
		widest = max(widest, tickFont.Width(s))
	}
	return widest + 18 + axisTitle
}

// drawSecond draws the marks that the axis on the right measures, and that axis.
func (p *panel) drawSecond(f *figure.Figure, r rect) {
	q := p.second
	q.area, q.x = p.area, p.x
	q.y.from, q.y.to = p.area.y1, p.area.y0
	for i := range q.c.marks {
		q.mark(f, &q.c.marks[i], i)
	}
	ink := q.ink()
	style := figure.TextStyle{Font: tickFont, Color: ink}
	frame := figure.Style{Stroke: figure.Frame(), Width: 0.8}
	x := p.area.x1
	f.Line(crisp(x), p.area.y0, crisp(x), p.area.y1, frame)
	for i, t := range q.y.ticks {
		y := q.y.at(t)
		f.Line(x, crisp(y), x+4, crisp(y), frame)
		f.Label(x+7, y+labelMiddle, q.y.labels[i], style)
	}
	if title := join(q.c.y.label(), q.y.unit); title != "" {
		f.Label(r.x1-8, (p.area.y0+p.area.y1)/2, axisFont.Fit(title, p.area.h()+40),
			figure.TextStyle{Font: axisFont, Color: ink, Anchor: figure.Middle, Up: true})
	}
}
