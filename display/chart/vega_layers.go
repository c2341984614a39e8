package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// layer adds the layer of one mark.
func (v *vegaPanel) layer(m *mark, i int) {
	color := guide.PageColor(m.colorOf(v.order(i)))
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
	case line, step, polygon:
		v.lineLayer(m, color, enc, stroke)
	case points:
		v.pointLayer(m, color, enc)
	case area:
		v.areaLayer(m, color, enc)
	case errs:
		enc["y2"] = object{"field": "y2"}
		enc["y"].(object)["field"] = "y1"
		v.add(v.rows(m, func(i int, row object) { row["y1"], row["y2"] = m.lo[i], m.hi[i] }), object{"type": "rule", "color": color, "strokeWidth": 1.2}, enc)
	case hexes:
		v.hexLayer(m, enc)
	case hist:
		v.histLayer(m, i, color, enc)
	case box:
		v.boxLayer(m, color, enc)
	case heat, region:
		v.cellLayer(m)
	case contour:
		v.contourLayer(m, enc, stroke)
	case vectors:
		v.vectorLayers(m, enc)
	case texts:
		if len(m.labels) > 0 {
			enc["text"] = object{"field": "text", "type": "nominal"}
			place := object{"type": "text", "align": "left", "dx": 6, "dy": -6}
			if m.on {
				place = object{"type": "text"} // in the middle
			}
			v.add(v.rows(m, func(i int, row object) { row["text"] = m.labels[i] }), place, enc)
		}
	case rule:
		v.ruleLayer(m, color, enc)
	}
}

// lineLayer adds a line, steps or a filled outline.
func (v *vegaPanel) lineLayer(m *mark, color string, enc, stroke object) {
	enc["order"] = object{"field": "i", "type": "quantitative"}
	if m.kind == step {
		stroke["interpolate"] = "step-after"
	}
	if m.kind == polygon {
		stroke["interpolate"] = "linear-closed"
		stroke["fill"], stroke["fillOpacity"] = color, orElse(m.alpha, 0.25)
		stroke["opacity"] = 1
	}
	if m.lo != nil {
		band := v.xy()
		if enc["color"] != nil {
			band["color"] = enc["color"]
		}
		v.areaLayer(m, color, band)
	}
	v.add(v.rows(m, func(i int, row object) { row["i"] = i }), stroke, enc)
}

// areaLayer adds a band between two lines.
func (v *vegaPanel) areaLayer(m *mark, color string, enc object) {
	enc["y2"] = object{"field": "y2"}
	var rows []any
	for i := range m.x {
		if isFinite(m.x[i]) && isFinite(m.lo[i]) && isFinite(m.hi[i]) {
			rows = append(rows, object{"x": position(&v.c.x, m.x[i]), "y": m.hi[i], "y2": m.lo[i]})
		}
	}
	v.add(rows, object{"type": "area", "color": color, "opacity": orElse(m.alpha, 0.22)}, enc)
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
		if h > 0 {
			rows = append(rows, object{"x": position(&v.c.x, v.edges[k]), "x2": position(&v.c.x, v.edges[k+1]), "y": h, "y2": base})
		}
	}
	bar := object{"type": "bar", "color": color, "opacity": orElse(m.alpha, 1), "stroke": guide.PageColor(figure.Paper()), "strokeWidth": 0.5}
	if v.histograms() > 1 && m.alpha == 0 {
		bar["opacity"], bar["fillOpacity"], bar["stroke"], bar["strokeWidth"] = 1, 0.35, color, 1.2
	}
	v.add(rows, bar, enc)
}

// boxLayer adds a box for each group of values.
func (v *vegaPanel) boxLayer(m *mark, color string, enc object) {
	var rows []any
	for k, g := range m.groups {
		stride := v.every(len(g) * len(m.groups))
		for j := 0; j < len(g); j += stride {
			if isFinite(g[j]) {
				rows = append(rows, object{"x": position(&v.c.x, m.x[k]), "y": g[j]})
			}
		}
	}
	size := 36
	if n := v.boxMarks(); n > 1 && m.beside {
		size = 36 / n
		enc["xOffset"] = object{"field": "series", "type": "nominal", "scale": object{"domain": v.domain}}
	}
	v.add(rows, object{"type": "boxplot", "extent": 1.5, "color": color, "size": max(4, size)}, enc)
}

// boxMarks counts the marks that are boxes beside each other.
func (v *vegaPanel) boxMarks() int {
	n := 0
	for _, m := range v.c.marks {
		if m.kind == box {
			n++
		}
	}
	return n
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
	v.add(rows, stroke, enc)
}

// ruleLayer adds lines across the whole panel.
func (v *vegaPanel) ruleLayer(m *mark, color string, enc object) {
	mk := object{"type": "rule", "color": color, "strokeWidth": orElse(m.width, 1.2)}
	if m.dash {
		mk["strokeDash"] = []any{6, 4}
	}
	var rows []any
	if m.upright {
		delete(enc, "y")
		for _, x := range m.x {
			if isFinite(x) {
				rows = append(rows, object{"x": position(&v.c.x, x)})
			}
		}
	} else {
		delete(enc, "x")
		for _, y := range m.y {
			if isFinite(y) {
				rows = append(rows, object{"y": position(&v.c.y, y)})
			}
		}
	}
	v.add(rows, mk, enc)
}

func (v *vegaPanel) pointLayer(m *mark, color string, enc object) {
	r := orElse(m.radius, radius(min(len(m.x), vegaRows)))
	mk := object{"type": "point", "filled": true, "size": math.Round(4 * r * r), "color": color, "opacity": orElse(m.alpha, 0.85)}
	if m.ring {
		mk["filled"] = false
	}
	switch {
	case m.class != nil:
		shapes := []string{"circle", "square", "triangle-up", "diamond", "triangle-down", "triangle-right", "cross", "stroke"}
		var forms []any
		var names []any
		for k, name := range m.names {
			names, forms = append(names, name), append(forms, shapes[k%6])
		}
		enc["color"] = object{"field": "class", "type": "nominal", "scale": v.colorScale(), "legend": v.legendTitle()}
		enc["shape"] = object{"field": "class", "type": "nominal", "scale": object{"domain": names, "range": forms}, "legend": v.legendTitle()}
	case m.value != nil:
		if lo, hi := m.valueRange(m.value); lo <= hi {
			enc["color"] = v.quantity(m, "value", lo, hi)
		}
	}
	if m.size != nil && m.largest > 0 {
		r := m.sized(m.largest)
		delete(mk, "size")
		enc["size"] = object{"field": "size", "type": "quantitative", "title": m.sizeName,
			"scale": object{"domain": []any{0, m.largest}, "range": []any{0, math.Round(4 * r * r)}}}
	}
	rows := v.rows(m, func(i int, row object) {
		if m.size != nil {
			row["size"] = m.size[i]
		}
		if m.class != nil {
			row["class"] = m.names[m.class[i]]
		} else if m.value != nil && isFinite(m.value[i]) {
			row["value"] = m.value[i]
		}
	})
	v.add(rows, mk, enc)
	v.points = append(v.points, pointRows{v.layers[len(v.layers)-1].(object), rows})
}
