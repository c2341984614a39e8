package chart

import (
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// vegaShapes are the forms of points, in the order of those of the drawing.
var vegaShapes = [figure.Shapes]string{"circle", "square", "triangle-up", "diamond", "triangle-down", "cross"}

// pointLayer adds points, with colors, forms and areas as the drawing has them.
func (v *vegaPanel) pointLayer(m *mark, color string, enc object) {
	r := orElse(m.radius, radius(m.count()))
	mk := object{"type": "point", "filled": true, "size": math.Round(math.Pi * r * r), "color": color, "opacity": orElse(m.alpha, opacityOf(m))}
	if m.ring {
		mk["filled"] = false
	}
	tips := v.places()
	switch {
	case m.class != nil:
		var forms []any
		var names []any
		for k, name := range m.names {
			names, forms = append(names, name), append(forms, vegaShapes[k%len(vegaShapes)])
		}
		enc["color"] = object{"field": "class", "type": "nominal", "scale": v.colorScale(), "legend": v.legendTitle()}
		enc["shape"] = object{"field": "class", "type": "nominal", "scale": object{"domain": names, "range": forms}, "legend": v.legendTitle()}
		tips = append(tips, tip{field: "class", kind: "nominal", title: orText(v.c.legendTitle, "class")})
	case m.value != nil:
		if lo, hi := m.valueRange(m.value); lo <= hi {
			enc["color"] = v.quantity(m, "value", lo, hi)
			tips = append(tips, tip{field: "value", kind: "quantitative", title: orText(v.c.legendTitle, "value")})
		}
	}
	if m.size != nil && m.largest > 0 {
		r := m.sized(m.largest)
		delete(mk, "size")
		mk["stroke"], mk["strokeOpacity"], mk["strokeWidth"] = guide.PageInk, 0.5, 0.8
		var shown []any
		for _, s := range m.sizesShown() {
			shown = append(shown, s)
		}
		enc["size"] = object{"field": "size", "type": "quantitative", "title": m.sizeName, "legend": object{"values": shown},
			"scale": object{"domain": []any{0, m.largest}, "range": []any{0, math.Round(math.Pi * r * r)}}}
		if v.c.noLegend {
			enc["size"].(object)["legend"] = nil
		}
		tips = append(tips, tip{field: "size", kind: "quantitative", title: orText(m.sizeName, "size")})
	}
	var pale []any
	rows := v.rows(m, func(i int, row object) {
		if m.size != nil {
			row["size"] = m.size[i]
		}
		if m.class != nil {
			row["class"] = m.names[m.class[i]]
		} else if m.value != nil {
			row["value"] = m.value[i]
			if !isFinite(m.value[i]) {
				delete(row, "value")
				pale = append(pale, row)
			}
		}
	})
	if pale != nil {
		var with []any
		for _, r := range rows {
			if _, ok := r.(object)["value"]; ok {
				with = append(with, r)
			}
		}
		rows = with
		// A value that has no color is a ring.
		v.add(pale, object{"type": "point", "filled": false, "size": mk["size"], "color": guide.PageColor(figure.Soft()), "strokeWidth": 1}, v.xy(), v.places()...)
	}
	if m.size != nil {
		largestFirst(rows)
	}
	layer := v.add(rows, mk, enc, tips...)
	v.points = append(v.points, pointRows{layer, rows, tips})
}

// largestFirst lets small points lie on large ones.
func largestFirst(rows []any) {
	sort.SliceStable(rows, func(a, b int) bool {
		s, _ := rows[a].(object)["size"].(float64)
		t, _ := rows[b].(object)["size"].(float64)
		return s > t
	})
}
