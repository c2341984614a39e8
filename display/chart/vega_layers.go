package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// layer adds the layers of one mark.
func (v *vegaPanel) layer(m *mark, i int) {
	tint := m.colorOf(v.order(i))
	color := guide.PageColor(tint)
	side := ""
	if v.right {
		side = "right"
	}
	v.name = fmt.Sprintf("%smark%d_%d", side, v.index+1, i)
	enc := v.xy()
	v.series = ""
	if ch := v.named(m); ch != nil {
		enc["color"] = ch
		v.series = m.name
	}
	stroke := object{"type": "line", "color": color, "strokeWidth": orElse(m.width, 1.8), "opacity": orElse(m.alpha, 1)}
	if dash := dashes[m.dashes(v.order(i))]; dash != nil {
		stroke["strokeDash"] = dash
	}
	switch m.kind {
	case line, step:
		v.lineLayer(m, color, enc, stroke)
	case polygon:
		v.polygonLayer(m, color, enc, stroke)
	case points:
		v.pointLayer(m, color, enc)
	case area:
		v.areaLayer(m, color, enc)
	case errs:
		if m.across {
			v.acrossLayer(m, color)
		} else {
			v.errorLayer(m.x, m, color)
		}
	case hexes:
		v.hexLayer(m, enc)
	case bars:
		v.barLayer(m, v.stacks[i], tint, enc)
	case hist:
		v.histLayer(m, i, color, enc)
	case box:
		v.boxLayer(m, tint)
	case heat, region:
		v.cellLayer(m)
	case contour:
		v.contourLayer(m, enc, stroke)
	case vectors:
		v.vectorLayers(m)
	case texts:
		v.series = ""
		v.written(func(c canvas) { v.texts(c, m) })
	case rule:
		v.ruleLayer(m, color, enc)
	}
}

// runs divides the places of a line at what has none, as the drawing breaks it.
func (v *vegaPanel) runs(m *mark) (runs [][]int) {
	var run []int
	stride := v.every(len(m.x))
	for i := range m.x {
		if !v.drawable(m, i) {
			if run != nil {
				runs, run = append(runs, run), nil
			}
			continue
		}
		if i%stride == 0 || run == nil {
			run = append(run, i)
		}
	}
	if run != nil {
		runs = append(runs, run)
	}
	return runs
}

// lineLayer adds a line or steps, in parts where it breaks; a place without neighbors is a
// dot. Places that are not seen hold the tooltips, since a line as a whole has but one.
func (v *vegaPanel) lineLayer(m *mark, color string, enc, stroke object) {
	if m.kind == step {
		stroke["interpolate"] = "step-after"
		if v.transposed {
			stroke["interpolate"] = "step-before"
		}
	}
	if m.lo != nil {
		band := v.xy()
		if enc["color"] != nil {
			band["color"] = enc["color"]
		}
		if m.kind == step {
			v.errorLayer(m.x, m, color)
		} else {
			v.areaLayer(m, color, band)
		}
	}
	var rows, dots, seen []any
	n := 0
	runs := v.runs(m)
	for part, run := range runs {
		if len(run) == 1 {
			dots = append(dots, object{"x": position(&v.c.x, m.x[run[0]]), "y": position(&v.c.y, m.y[run[0]])})
			continue
		}
		for _, i := range run {
			row := object{"x": position(&v.c.x, m.x[i]), "y": position(&v.c.y, m.y[i]), "i": n}
			if len(runs) > 1 {
				row["part"] = part
			}
			rows = append(rows, row)
			seen = append(seen, object{"x": row["x"], "y": row["y"]})
			n++
		}
	}
	enc["order"] = object{"field": "i", "type": "quantitative"}
	if len(runs) > 1 {
		enc["detail"] = object{"field": "part", "type": "nominal"}
	}
	if rows != nil || dots == nil {
		v.add(rows, stroke, enc)
	}
	place := func() object {
		own := v.xy()
		if enc["color"] != nil {
			own["color"] = enc["color"]
		}
		return own
	}
	if dots != nil {
		size := math.Round(math.Pi * math.Pow(1.6*stroke["strokeWidth"].(float64), 2))
		v.add(dots, object{"type": "point", "filled": true, "size": size, "color": color, "opacity": stroke["opacity"]}, place(), v.places()...)
	}
	if len(seen) > 0 && len(seen) <= mostTips && !m.summary && !v.pointed(m) && m.f == nil && !m.slot && !m.ridge {
		v.add(seen, object{"type": "point", "filled": true, "size": 60, "color": color, "opacity": 0}, place(), v.places()...)
	}
}

// pointed reports whether points stand on the places of a line, which have the tooltips.
func (v *vegaPanel) pointed(m *mark) bool {
	return slices.ContainsFunc(v.c.marks, func(o mark) bool {
		return o.kind == points && sameSeries(m, &o) || o.kind == points && slices.Equal(o.x, m.x) && slices.Equal(o.y, m.y)
	})
}

// mostTips is how many places of a line have tooltips.
const mostTips = 1000

// polygonLayer adds a filled outline.
func (v *vegaPanel) polygonLayer(m *mark, color string, enc, stroke object) {
	enc["order"] = object{"field": "i", "type": "quantitative"}
	stroke["interpolate"] = "linear-closed"
	stroke["fill"], stroke["fillOpacity"], stroke["opacity"] = color, orElse(m.alpha, 0.25), 1
	stroke["strokeWidth"] = orElse(m.width, 1.5)
	if m.plain {
		stroke["strokeWidth"], stroke["strokeOpacity"] = 0, 0
	}
	v.add(v.rows(m, func(i int, row object) { row["i"] = i }), stroke, enc)
}

// areaLayer adds a band between two lines, in parts where it breaks.
func (v *vegaPanel) areaLayer(m *mark, color string, enc object) {
	enc["y2"] = object{"field": "y2"}
	var rows []any
	part, several, open := 0, false, false
	for i := range m.x {
		if !isFinite(m.x[i]) || !isFinite(m.lo[i]) || !isFinite(m.hi[i]) || v.c.y.log && m.hi[i] <= 0 || v.c.x.log && m.x[i] <= 0 {
			if open {
				part++
			}
			open = false
			continue
		}
		open, several = true, several || part > 0
		lo := m.lo[i]
		if v.c.y.log && lo <= 0 {
			lo = v.y.lo
		}
		rows = append(rows, object{"x": position(&v.c.x, m.x[i]), "y": position(&v.c.y, m.hi[i]), "y2": position(&v.c.y, lo), "part": part})
	}
	if several {
		enc["detail"] = object{"field": "part", "type": "nominal"}
	} else {
		for _, r := range rows {
			delete(r.(object), "part")
		}
	}
	enc["y"].(object)["stack"] = nil
	tips := []tip{v.tip("x", "x"), v.tip("y2", "y").called("from"), v.tip("y", "y").called("to")}
	v.add(rows, object{"type": "area", "color": color, "opacity": orElse(m.alpha, 0.22)}, enc)
	if n := len(rows); n > 0 && n <= mostTips && !m.ridge && !m.ground && m.kind == area {
		own := v.xy()
		if enc["color"] != nil {
			own["color"] = enc["color"]
		}
		places := make([]any, n)
		for i, r := range rows {
			places[i] = object{"x": r.(object)["x"], "y": r.(object)["y"], "y2": r.(object)["y2"]}
		}
		v.add(places, object{"type": "point", "filled": true, "size": 60, "color": color, "opacity": 0}, own, tips...)
	}
}

// errorLayer adds intervals at places of x.
func (v *vegaPanel) errorLayer(x []float64, m *mark, color string) {
	var rows []any
	for i := range x {
		if isFinite(x[i]) && isFinite(m.lo[i]) && isFinite(m.hi[i]) && !(v.c.y.log && m.lo[i] <= 0) {
			rows = append(rows, object{"x": position(&v.c.x, x[i]), "y": position(&v.c.y, m.lo[i]), "y2": position(&v.c.y, m.hi[i])})
		}
	}
	enc := v.xy()
	enc["y2"] = object{"field": "y2"}
	tips := []tip{v.tip("x", "x"), v.tip("y", "y").called("from"), v.tip("y2", "y").called("to")}
	v.add(rows, object{"type": "rule", "color": color, "strokeWidth": orElse(m.width, 1.2)}, enc, tips...)
	for _, end := range []string{"y", "y2"} {
		caps := make([]any, len(rows))
		for i, r := range rows {
			caps[i] = object{"x": r.(object)["x"], "y": r.(object)[end]}
		}
		orient := "horizontal"
		if v.transposed {
			orient = "vertical"
		}
		v.add(caps, object{"type": "tick", "color": color, "thickness": orElse(m.width, 1.2), "size": 6, "orient": orient}, v.xy())
	}
}

// acrossLayer adds intervals of x.
func (v *vegaPanel) acrossLayer(m *mark, color string) {
	var rows []any
	for i, y := range m.y {
		if isFinite(y) && isFinite(m.lo[i]) && isFinite(m.hi[i]) && !(v.c.x.log && m.lo[i] <= 0) {
			rows = append(rows, object{"y": position(&v.c.y, y), "x": position(&v.c.x, m.lo[i]), "x2": position(&v.c.x, m.hi[i])})
		}
	}
	enc := v.xy()
	enc["x2"] = object{"field": "x2"}
	v.add(rows, object{"type": "rule", "color": color, "strokeWidth": orElse(m.width, 1.2)}, enc, v.tip("y", "y"), v.tip("x", "x").called("from"), v.tip("x2", "x").called("to"))
	for _, end := range []string{"x", "x2"} {
		caps := make([]any, len(rows))
		for i, r := range rows {
			caps[i] = object{"y": r.(object)["y"], "x": r.(object)[end]}
		}
		v.add(caps, object{"type": "tick", "color": color, "thickness": orElse(m.width, 1.2), "size": 6, "orient": "vertical"}, v.xy())
	}
}

// contourLayer adds level lines, in the colors of their levels unless the mark has one.
func (v *vegaPanel) contourLayer(m *mark, enc, stroke object) {
	lo, hi := bounds(m.level)
	var rows []any
	id := 0
	for _, level := range m.level {
		for _, path := range m.field.levelLines(level) {
			id++
			stride := 1 + len(path.x)/120
			for k := 0; k < len(path.x); k += stride {
				rows = append(rows, object{"x": path.x[k], "y": path.y[k], "level": level, "path": id, "i": k})
			}
			if n := len(path.x) - 1; n%stride != 0 {
				rows = append(rows, object{"x": path.x[n], "y": path.y[n], "level": level, "path": id, "i": n})
			}
		}
	}
	enc["detail"] = object{"field": "path", "type": "nominal"}
	enc["order"] = object{"field": "i", "type": "quantitative"}
	if m.color == nil && lo < hi {
		enc["color"] = v.quantity(m, "level", lo, hi)
	}
	stroke["strokeWidth"] = orElse(m.width, 1.3)
	v.add(rows, stroke, enc, tip{field: "level", kind: "quantitative", title: "level"})
}

// ruleLayer adds lines across the whole panel.
func (v *vegaPanel) ruleLayer(m *mark, color string, enc object) {
	mk := object{"type": "rule", "color": color, "strokeWidth": orElse(m.width, 1.2), "opacity": orElse(m.alpha, 1)}
	if m.dash {
		mk["strokeDash"] = dashes[1]
	}
	var rows []any
	field, values, a, s := "y", m.y, &v.c.y, &v.y
	if m.upright {
		field, values, a, s = "x", m.x, &v.c.x, &v.x
	}
	delete(enc, map[string]string{"x": "y", "y": "x"}[field])
	for _, at := range values {
		if isFinite(at) && at >= math.Min(s.lo, s.hi) && at <= math.Max(s.lo, s.hi) {
			rows = append(rows, object{field: position(a, at)})
		}
	}
	v.add(rows, mk, enc, v.tip(field, field))
}

// canvas is what texts are drawn on.
type canvas interface {
	Label(x, y float64, text string, s figure.TextStyle)
	Line(x0, y0, x1, y1 float64, s figure.Style)
	Rect(x, y, w, h, round float64, s figure.Style)
}

// writing keeps what is drawn of texts.
type writing struct {
	labels []written
	lines  [][4]float64
}

type written struct {
	x, y  float64
	text  string
	style figure.TextStyle
}

func (w *writing) Label(x, y float64, text string, s figure.TextStyle) {
	w.labels = append(w.labels, written{x, y, text, s})
}

func (w *writing) Line(x0, y0, x1, y1 float64, _ figure.Style) {
	w.lines = append(w.lines, [4]float64{x0, y0, x1, y1})
}

func (*writing) Rect(_, _, _, _, _ float64, _ figure.Style) {}

// back returns the values at a pixel.
func (v *vegaPanel) back(px, py float64) (x, y any) {
	if v.transposed {
		return position(&v.c.x, v.x.value(py)), position(&v.c.y, v.y.value(px))
	}
	return position(&v.c.x, v.x.value(px)), position(&v.c.y, v.y.value(py))
}

// written adds texts where the drawing has them, with the lines that lead to their places.
func (v *vegaPanel) written(draw func(c canvas)) {
	var w writing
	draw(&w)
	var rows []any
	for _, l := range w.lines {
		x, y := v.back(l[0], l[1])
		x2, y2 := v.back(l[2], l[3])
		rows = append(rows, object{"x": x, "y": y, "x2": x2, "y2": y2})
	}
	if rows != nil {
		v.add(rows, object{"type": "rule", "color": guide.PageColor(figure.Frame()), "strokeWidth": 0.8, "clip": false}, v.ends())
	}
	type look struct {
		anchor figure.Anchor
		size   float64
		color  figure.Color
	}
	var looks []look
	of := map[look][]any{}
	for _, l := range w.labels {
		k := look{l.style.Anchor, l.style.Size, l.style.Color}
		if of[k] == nil {
			looks = append(looks, k)
		}
		x, y := v.back(l.x, l.y)
		of[k] = append(of[k], object{"x": x, "y": y, "text": l.text})
	}
	for _, k := range looks {
		enc := v.xy()
		enc["text"] = object{"field": "text", "type": "nominal"}
		align := map[figure.Anchor]string{figure.Start: "left", figure.Middle: "center", figure.End: "right"}[k.anchor]
		v.add(of[k], object{"type": "text", "align": align, "baseline": "alphabetic", "fontSize": k.size, "color": guide.PageColor(k.color), "clip": false}, enc)
	}
}
