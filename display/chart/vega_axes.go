package chart

import (
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/internal/guide"
)

// axisChannel describes a position channel over the named field.
func (v *vegaPanel) axisChannel(field string) object {
	a, s, level := &v.c.x, &v.x, !v.transposed
	if field == "y" {
		a, s, level = &v.c.y, &v.y, v.transposed
	}
	ch := object{"field": field, "type": "quantitative", "title": nil}
	title := a.label()
	if a.times && a.chosen == nil {
		title = join(title, v.timeUnit(a, s))
	}
	if a.spans {
		title = join(title, "s")
	}
	if title != "" {
		ch["title"] = title
	}
	scale := object{"domain": []any{s.lo, s.hi}, "nice": false}
	if (s.from > s.to) == level {
		scale["reverse"] = true
	}
	look := object{}
	switch {
	case a.levels != nil:
		scale["zero"] = false
		look = v.namedAxis(a, level)
	case a.times:
		ch["type"], scale["type"] = "temporal", "utc"
		// Written as an expression, the domain is the same for channels without a type.
		scale["domain"] = object{"expr": fmt.Sprintf("[%d,%d]", position(a, s.lo), position(a, s.hi))}
		look["labelExpr"] = timeLabels
	case s.symlog > 0:
		scale["type"], scale["constant"] = "symlog", s.symlog
		drawn, room := *s, textWidth
		if (a == &v.c.y) != v.transposed {
			room = textHeight
		}
		drawn.setTicks(a, v.lengthOf(a), 60, room)
		if a.chosen == nil {
			look["values"] = drawn.ticks
		}
		if a.chosen == nil && a.format == nil {
			at := make([]any, len(drawn.ticks))
			for i, t := range drawn.ticks {
				at[i] = t
			}
			look["labelExpr"] = labelsAt(at, drawn.labels)
		}
	case s.log:
		scale["type"] = "log"
		if a.base > 0 {
			scale["base"] = a.base
		}
	default:
		scale["zero"] = false
		look["format"] = numberFormat(s)
		if a.whole {
			look["tickMinStep"], look["format"] = 1, strings.Replace(numberFormat(s), "f", "d", 1)
		}
		if n := int(s.hi+0.5) - 1; v.counts(a) && n <= mostCounted {
			var at []any
			for k := range n + 1 {
				at = append(at, k)
			}
			look["values"] = at // Vega would begin at the border of the first cell
		}
	}
	if a.chosen != nil {
		at := make([]any, len(a.chosen))
		for i, t := range a.chosen {
			at[i] = position(a, t)
		}
		look["values"] = at
		if a.texts != nil || a.times {
			delete(look, "format")
			look["labelExpr"] = labelsAt(at, a.chosenLabels(s))
		}
	}
	if a.format != nil {
		delete(look, "format")
		drawn := *s
		drawn.setTicks(a, v.lengthOf(a), 60, textWidth)
		look["labelExpr"] = a.format.expression(drawn.ticks)
	}
	if v.right && field == "y" {
		look["orient"], look["grid"] = "right", false
	}
	if v.panel.second != nil || v.right {
		if ink := v.ink(); field == "y" {
			look["titleColor"], look["labelColor"] = guide.PageColor(ink), guide.PageColor(ink)
		}
	}
	ch["scale"] = scale
	if len(look) > 0 {
		ch["axis"] = look
	}
	if a.hidden {
		ch["axis"] = nil
	}
	return ch
}

// labelsAt returns the Vega expression for the labels of the ticks at the given values.
func labelsAt(at []any, labels []string) string {
	var values, texts []string
	for i, x := range at {
		values, texts = append(values, fmt.Sprint(x)), append(texts, jsString(labels[i]))
	}
	return fmt.Sprintf("[%s][indexof([%s],toNumber(datum.value))]", strings.Join(texts, ","), strings.Join(values, ","))
}

// timeLabels formats the ticks of an axis of times as the drawing does.
const timeLabels = "utcFormat(datum.value,utcmilliseconds(datum.value)?'%H:%M:%S.%L':utcseconds(datum.value)?'%H:%M:%S':" +
	"utchours(datum.value)||utcminutes(datum.value)?'%H:%M':utcdate(datum.value)!=1?'%b %-d':utcmonth(datum.value)?'%b %Y':'%Y')"

// lengthOf returns the length of an axis.
func (v *vegaPanel) lengthOf(a *axis) float64 {
	if (a == &v.c.y) != v.transposed {
		return v.area.h()
	}
	return v.area.w()
}

// timeUnit returns the part of the times that the labels of an axis omit: the day or the year, and
// the zone, since zooming shows hours.
func (v *vegaPanel) timeUnit(a *axis, s *scale) string {
	zone := a.clock().name(a.clock().at(s.lo))
	_, _, unit := a.clock().ticks(s.lo, s.hi, int(v.lengthOf(a)/60))
	if strings.HasSuffix(unit, zone) {
		return unit
	}
	return strings.TrimPrefix(unit+", "+zone, ", ")
}

// numberFormat returns the format of the ticks of a linear axis. Years have no separators.
func numberFormat(s *scale) string {
	switch most := math.Max(math.Abs(s.lo), math.Abs(s.hi)); {
	case most < 1e-3:
		return "e"
	case most < 1e4:
		return "f"
	}
	return ",f"
}

// mostCounted is the maximum number of rows or columns of cells with a tick each.
const mostCounted = 50

// counts reports whether an axis counts the rows or columns of a matrix.
func (v *vegaPanel) counts(a *axis) bool {
	_, cells := v.raster()
	return cells && a.whole && !a.fixed
}

// namedAxis writes names at the numbers 0, 1, 2 ..., with the line breaks of the drawing.
func (v *vegaPanel) namedAxis(a *axis, level bool) object {
	var lines [][]string
	look := object{"grid": false, "ticks": false, "labelLimit": 0, "labelOverlap": true}
	if level {
		rows := rowsOf(a.levels, v.area.w(), v.area.h()+90)
		if lines = rows.wrapped; rows.up {
			look["labelAngle"] = -90
		}
	} else {
		slot := v.area.h() / math.Max(1, float64(len(a.levels)))
		for _, s := range a.levels {
			lines = append(lines, tickFont.Wrap(s, 0.5*v.area.w(), max(1, min(4, int(slot/nameLine)))))
		}
	}
	var ticks []any
	var labels []string
	for i, l := range lines {
		ticks = append(ticks, i)
		switch {
		case len(l) == 0:
			labels = append(labels, `""`)
		case len(l) == 1:
			labels = append(labels, jsString(l[0]))
		default:
			var parts []string
			for _, s := range l {
				parts = append(parts, jsString(s))
			}
			labels = append(labels, "["+strings.Join(parts, ",")+"]")
		}
	}
	look["values"], look["labelExpr"] = ticks, "["+strings.Join(labels, ",")+"][datum.value]"
	return look
}

// position converts a value to the units of the axis. A moment becomes its local time in
// milliseconds since 1970, since Vega knows only UTC and the reader's zone.
func position(a *axis, x float64) any {
	if a.times && isFinite(x) {
		return int64(math.Round(1e3 * (x + a.clock().shift(x))))
	}
	return x
}

// swap exchanges the axes of horizontal bars and boxes.
func (v *vegaPanel) swap(enc object) object {
	if !v.transposed {
		return enc
	}
	out := object{}
	for k, e := range enc {
		switch k {
		case "x":
			k = "y"
		case "y":
			k = "x"
		case "x2":
			k = "y2"
		case "y2":
			k = "x2"
		}
		out[k] = e
	}
	return out
}

func (v *vegaPanel) xy() object {
	return object{"x": v.axisChannel("x"), "y": v.axisChannel("y")}
}

// ends returns the channels of marks that have two ends in both directions.
func (v *vegaPanel) ends() object {
	enc := v.xy()
	enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
	return enc
}

// tip is a line of a tooltip: a field of the rows, its type, its title, and the axis, "x" or "y",
// whose names or moments its numbers encode.
type tip struct{ field, kind, title, axis string }

// places returns the tips of both axes.
func (v *vegaPanel) places() []tip { return []tip{v.tip("x", "x"), v.tip("y", "y")} }

// tip returns the tip for a field of positions on an axis.
func (v *vegaPanel) tip(field, axis string) tip {
	a := v.axis(axis)
	title := a.label()
	if title == "" {
		title = axis
	}
	t := tip{field: field, kind: "quantitative", title: title}
	if a.levels != nil || a.times {
		t.kind, t.axis = "nominal", axis
	}
	return t
}

func (v *vegaPanel) axis(name string) *axis {
	if name == "x" {
		return &v.c.x
	}
	return &v.c.y
}

// called returns the tip with another title.
func (t tip) called(title string) tip {
	t.title = title
	return t
}

// tooltip returns the channel of tips, and the transforms that convert positions to names and
// moments; column returns the name of a field.
func (v *vegaPanel) tooltip(tips []tip, column func(string) string) (channel, transform []any) {
	for _, t := range tips {
		field := column(t.field)
		if t.axis != "" {
			a := v.axis(t.axis)
			text := fmt.Sprintf("utcFormat(datum.%s,'%s')", field, v.momentFormat(t.axis))
			if a.levels != nil {
				var names []string
				for _, s := range a.levels {
					names = append(names, jsString(s))
				}
				text = fmt.Sprintf("[%s][round(datum.%s)]", strings.Join(names, ","), field)
			}
			field = t.field + "text"
			transform = append(transform, object{"calculate": text, "as": field})
		}
		ch := object{"field": field, "type": t.kind, "title": t.title}
		if t.kind == "quantitative" {
			ch["format"] = ".6~g"
		}
		channel = append(channel, ch)
	}
	return channel, transform
}

// momentFormat returns the time format of tooltips, as precise as the axis needs.
func (v *vegaPanel) momentFormat(field string) string {
	s := &v.x
	if field == "y" {
		s = &v.y
	}
	switch span := s.hi - s.lo; {
	case span < minute:
		return "%b %-d, %Y %H:%M:%S.%L"
	case span < 3*hour:
		return "%b %-d, %Y %H:%M:%S"
	}
	return "%b %-d, %Y %H:%M"
}
