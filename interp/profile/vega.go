package profile

import (
	"github.com/gokernel/gokernel/display/figure"
)

type object = map[string]any

// vegaLeast is the share of the time from which on a bar is in the interactive graph.
const vegaLeast = 1e-4

// vega is the graph as a Vega-Lite specification: bars say their times when the pointer
// is on them, and the wheel and dragging enlarge and move the time axis.
func vega(root *node, head string) object {
	list, depth := bars(root, vegaLeast)
	var values []any
	for _, b := range list {
		values = append(values, object{
			"a": b.from, "b": b.to, "y": b.level, "z": b.level + 1, "function": b.name, "file": b.file, "kind": kinds[b.kind],
			"total": Duration(b.total) + ", " + percent(b.to-b.from), "self": Duration(b.self), "fill": figure.Hex(b.color()), "ink": figure.Hex(figure.On(b.color())),
		})
	}
	x := object{"field": "a", "type": "quantitative", "axis": nil, "scale": object{"domain": []any{0, 1}, "nice": false, "zero": false}}
	y := object{"field": "y", "type": "quantitative", "axis": nil, "scale": object{"domain": []any{0, depth}, "reverse": true, "nice": false}}
	field := func(name string) object { return object{"field": name, "type": "nominal"} }
	tooltip := []any{field("function"), field("total"), field("self"), field("file"), field("kind")}
	return object{
		"$schema":     "https://vega.github.io/schema/vega-lite/v5.json",
		"description": describe(root, head),
		"title":       object{"text": "Where the time went", "subtitle": head, "anchor": "start", "color": "currentColor", "subtitleColor": "currentColor"},
		"width":       width, "height": rowSize * float64(depth),
		"data":     object{"values": values},
		"config":   object{"background": "transparent", "view": object{"stroke": nil}},
		"usermeta": object{"embedOptions": object{"renderer": "svg"}},
		"layer": []any{
			object{
				"params": []any{object{"name": "zoom", "select": object{"type": "interval", "encodings": []any{"x"}}, "bind": "scales"}},
				"mark":   object{"type": "rect", "clip": true, "cornerRadius": 1.5, "stroke": "transparent", "strokeWidth": 1},
				"encoding": object{"x": x, "x2": object{"field": "b"}, "y": y, "y2": object{"field": "z"},
					"fill": object{"field": "fill", "type": "nominal", "scale": nil}, "tooltip": tooltip},
			},
			object{
				"mark": object{"type": "text", "clip": true, "align": "left", "baseline": "middle", "dx": 4, "dy": rowSize / 2, "fontSize": 11,
					"limit":   object{"expr": "max(1, scale('x', datum.b) - scale('x', datum.a) - 8)"},
					"opacity": object{"expr": "scale('x', datum.b) - scale('x', datum.a) < 28 ? 0 : 1"}},
				"encoding": object{"x": x, "y": y, "text": field("function"), "tooltip": tooltip,
					"color": object{"field": "ink", "type": "nominal", "scale": nil}},
			},
		},
	}
}
