package chart

import (
	"fmt"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// barLayer adds all bars of the chart as one layer: side by side or stacked.
func (v *vegaPanel) barLayer() {
	var rows []any
	var names, colors []any
	several := false
	var alpha float64
	for i := range v.c.marks {
		m := &v.c.marks[i]
		if m.kind != bars {
			continue
		}
		name := m.name
		if name == "" {
			name = fmt.Sprintf("series %d", len(names)+1)
		}
		alpha = orElse(m.alpha, 1)
		names, colors = append(names, name), append(colors, guide.PageColor(m.colorOf(v.order(i))))
		s := v.stacks[i]
		for k := range m.x {
			if !isFinite(m.x[k]) || !isFinite(m.y[k]) {
				continue
			}
			row := object{"y": m.y[k], "series": name}
			if v.c.x.levels != nil {
				row["x"] = position(&v.c.x, m.x[k])
			} else {
				row["x"], row["x2"] = position(&v.c.x, m.x[k]+s.offset), position(&v.c.x, m.x[k]+s.offset+s.width)
				row["y"], row["y2"] = s.base[k]+m.y[k], s.base[k]
			}
			rows = append(rows, row)
		}
	}
	several = len(names) > 1
	if len(names) == 0 {
		return
	}
	enc := v.xy()
	ch := object{"field": "series", "type": "nominal", "scale": object{"domain": names, "range": colors}, "legend": v.legendTitle()}
	if !several {
		ch["legend"] = nil
	}
	enc["color"] = ch
	if v.c.x.levels == nil {
		enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
	} else if several && !v.c.stacked {
		if v.apart {
			enc["xOffset"] = object{"field": "series", "type": "nominal", "scale": object{"domain": names}}
		}
		enc["y"].(object)["stack"] = nil
	}
	v.add(rows, object{"type": "bar", "opacity": alpha}, enc)
	v.barIntervals(enc, names)
}

// barIntervals adds the intervals of bars.
func (v *vegaPanel) barIntervals(bars object, names []any) {
	var rows []any
	set := -1
	for i := range v.c.marks {
		m := &v.c.marks[i]
		if m.kind != "bars" {
			continue
		}
		set++
		if m.lo == nil {
			continue
		}
		middles := v.stacks[i].middles(m.x)
		for k, x := range m.x {
			row := object{"y": m.lo[k], "y2": m.hi[k], "series": names[set]}
			row["x"] = position(&v.c.x, x)
			if v.c.x.levels == nil {
				row["x"] = position(&v.c.x, middles[k])
			}
			rows = append(rows, row)
		}
	}
	if rows == nil {
		return
	}
	enc := v.xy()
	enc["y2"] = object{"field": "y2"}
	if bars["xOffset"] != nil {
		enc["xOffset"] = bars["xOffset"]
	}
	v.add(rows, object{"type": "rule", "color": guide.PageColor(figure.Soft()), "strokeWidth": 1.2}, enc)
}
