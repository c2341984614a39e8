package profile

import (
	"github.com/gokernel/gokernel/display/figure"
)

type object = map[string]any

// vegaLeast is the minimum fraction of the time of a bar in the interactive graph.
const vegaLeast = 1e-4

// ink is the text color of the page, which an SVG drawing inherits.
const ink = "currentColor"

// vega returns the graph as a Vega-Lite specification. Bars show their times when the pointer is on
// them, and the wheel and dragging zoom and move the time axis.
func vega(root *node, head string) object {
	list, depth := bars(root, vegaLeast)
	var values []any
	there := map[kind]bool{}
	for _, b := range list {
		there[b.kind] = true
		values = append(values, object{
			"a": b.from, "b": b.to, "y": b.level, "z": float64(b.level) + 0.94, "function": b.name, "file": b.file, "kind": kinds[b.kind],
			"total": Duration(b.total) + ", " + percent(b.to-b.from), "self": Duration(b.self), "shade": b.shade(),
		})
	}
	x := object{"field": "a", "type": "quantitative", "axis": nil, "scale": object{"domain": []any{0, 1}, "nice": false, "zero": false}}
	y := object{"field": "y", "type": "quantitative", "axis": nil, "scale": object{"domain": []any{0, depth}, "reverse": true, "nice": false}}
	var names, colors []any
	for k := ofCells; k <= ofKernel; k++ {
		if there[k] {
			names, colors = append(names, kinds[k]), append(colors, figure.Hex(hue(k)))
		}
	}
	field := func(name string) object { return object{"field": name, "type": "nominal"} }
	tooltip := []any{field("function"), field("total"), field("self"), field("file"), field("kind")}
	return object{
		"$schema":     "https://vega.github.io/schema/vega-lite/v5.json",
		"description": describe(root, head),
		"title":       object{"text": "Where the time went", "subtitle": head, "anchor": "start", "fontSize": 14},
		"width":       width, "height": rowSize * float64(depth),
		"data": object{"values": values},
		// The text color and, through the bars, the background come from the page.
		"config": object{
			"background": "transparent", "view": object{"stroke": nil}, "text": object{"color": ink},
			"title": object{"color": ink, "subtitleColor": ink}, "legend": object{"labelColor": ink, "labelFontSize": 11},
		},
		"usermeta": object{"embedOptions": object{"renderer": "svg"}},
		"layer": []any{
			object{
				"params": []any{object{"name": "zoom", "select": object{"type": "interval", "encodings": []any{"x"}}, "bind": "scales"}},
				"mark":   object{"type": "rect", "clip": true, "cornerRadius": 1.5, "stroke": "transparent", "strokeWidth": 1},
				"encoding": object{"x": x, "x2": object{"field": "b"}, "y": y, "y2": object{"field": "z"},
					"fill":        object{"field": "kind", "type": "nominal", "scale": object{"domain": names, "range": colors}, "legend": object{"title": nil, "orient": "top", "symbolType": "square", "symbolStrokeWidth": 0, "symbolOpacity": plainShade}},
					"fillOpacity": object{"field": "shade", "type": "quantitative", "scale": nil, "legend": nil}, "tooltip": tooltip},
			},
			object{
				"mark": object{"type": "text", "clip": true, "align": "left", "baseline": "middle", "dx": 4, "dy": rowSize / 2, "fontSize": 11,
					"limit":   object{"expr": "max(1, scale('x', datum.b) - scale('x', datum.a) - 8)"},
					"opacity": object{"expr": "scale('x', datum.b) - scale('x', datum.a) < 28 ? 0 : 1"}},
				"encoding": object{"x": x, "y": y, "text": field("function"), "tooltip": tooltip},
			},
		},
	}
}
