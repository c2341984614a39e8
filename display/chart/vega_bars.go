package chart

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// barLayer adds the bars of a mark, each where it stands, or lines with points.
func (v *vegaPanel) barLayer(m *mark, s stack, color figure.Color, enc object) {
	var rows []any
	middles := s.middles(m.x)
	for k, x := range m.x {
		base, top, ok := v.panel.reach(m, s, k)
		if !ok {
			continue
		}
		row := object{"x": position(&v.c.x, x+s.offset), "x2": position(&v.c.x, x+s.offset+s.width), "y": position(&v.c.y, top), "y2": position(&v.c.y, base)}
		if m.stem {
			row["x"] = position(&v.c.x, middles[k])
			delete(row, "x2")
		} else {
			row["at"] = position(&v.c.x, x)
		}
		row["height"] = m.y[k]
		rows = append(rows, row)
	}
	height := tip{field: "height", kind: "quantitative", title: v.tip("y", "y").title}
	if m.stem {
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

// histLayer adds the bars of the i-th mark, a histogram.
func (v *vegaPanel) histLayer(m *mark, i int, color string, enc object) {
	if len(v.samples[i]) == 0 {
		return
	}
	enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
	base := 0.0
	if v.c.y.log {
		base = v.y.lo
	}
	var rows []any
	for k, h := range v.heights(v.samples[i]) {
		if h > base {
			rows = append(rows, object{"x": position(&v.c.x, v.edges[k]), "x2": position(&v.c.x, v.edges[k+1]), "y": h, "y2": base})
		}
	}
	bar := object{"type": "rect", "color": color, "opacity": orElse(m.alpha, 1), "stroke": guide.PageColor(figure.Paper()), "strokeWidth": 0.5}
	if v.histograms() > 1 && m.alpha == 0 {
		bar["opacity"], bar["fillOpacity"], bar["stroke"], bar["strokeWidth"] = 1, 0.35, color, 1.2
	}
	v.add(rows, bar, enc, v.tip("x", "x").called("from"), v.tip("x2", "x").called("to"), v.tip("y", "y"))
}

// boxLayer adds the boxes of groups of values: whiskers, boxes, medians, and the values
// beyond the whiskers.
func (v *vegaPanel) boxLayer(m *mark, color figure.Color) {
	ink := guide.PageColor(figure.Mix(color, figure.Ink(), 0.35))
	var boxes, whiskers, ends, medians, far []any
	line := func(x0, x1, y0, y1 float64) object {
		return object{"x": position(&v.c.x, x0), "x2": position(&v.c.x, x1), "y": position(&v.c.y, y0), "y2": position(&v.c.y, y1)}
	}
	for k, g := range m.groups {
		sorted := finiteSorted(g, v.c.y.log)
		if len(sorted) == 0 {
			continue
		}
		b, at := boxOf(sorted), m.x[k]
		whiskers = append(whiskers, line(at, at, b.lo, b.q1), line(at, at, b.q3, b.hi))
		ends = append(ends, line(at-m.half/2, at+m.half/2, b.lo, b.lo), line(at-m.half/2, at+m.half/2, b.hi, b.hi))
		row := line(at-m.half, at+m.half, b.q1, b.q3)
		for f, y := range map[string]float64{"least": b.lo, "q1": b.q1, "median": b.q2, "q3": b.q3, "most": b.hi} {
			row[f] = position(&v.c.y, y)
		}
		row["values"] = len(sorted)
		row["at"] = at
		boxes = append(boxes, row)
		medians = append(medians, line(at-m.half, at+m.half, b.q2, b.q2))
		drawn := 0
		for _, y := range sorted {
			if (y < b.lo || y > b.hi) && drawn < manyPoints {
				far = append(far, object{"x": position(&v.c.x, at), "y": position(&v.c.y, y)})
				drawn++
			}
		}
	}
	stroke := func(width float64) object {
		return object{"type": "rule", "color": ink, "strokeWidth": width, "opacity": orElse(m.alpha, 1)}
	}
	width := orElse(m.width, 1.2)
	series := v.series
	v.series = ""
	v.add(whiskers, stroke(width), v.ends())
	v.add(ends, stroke(width), v.ends())
	v.series = series
	enc := v.ends()
	rect := object{"type": "rect", "fill": guide.PageColor(color), "fillOpacity": 0.45 * orElse(m.alpha, 1), "stroke": ink, "strokeWidth": width}
	if series != "" {
		enc["fill"] = v.named(m)
		delete(rect, "fill")
	}
	tips := []tip{v.tip("at", "x")}
	for _, f := range []string{"most", "q3", "median", "q1", "least"} {
		tips = append(tips, v.tip(f, "y").called(f))
	}
	tips = append(tips, tip{field: "values", kind: "quantitative", title: "values"})
	v.add(boxes, rect, enc, tips...)
	v.series = ""
	v.add(medians, stroke(width+1), v.ends())
	if far != nil {
		v.add(far, object{"type": "point", "filled": false, "size": math.Round(math.Pi * 3.2 * 3.2), "color": ink, "strokeWidth": width, "opacity": orElse(m.alpha, 1)}, v.xy(), v.places()...)
	}
}
