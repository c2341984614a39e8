package chart

import (
	"fmt"
)

// Dragging pans, and dragging with the shift key brushes.
const (
	plainDrag = "[mousedown[!event.shiftKey], window:mouseup] > window:mousemove!"
	shiftDrag = "[mousedown[event.shiftKey], window:mouseup] > window:mousemove!"
)

// interact adds zoom by dragging and wheel, a brush with the shift key, and
// picking of classes in the legend.
func (v *vegaPanel) interact() {
	if len(v.layers) == 0 {
		return
	}
	// Bind the scales in the first layer that has both x and y.
	first := v.layers[0].(object)
	for _, l := range v.layers {
		if enc := l.(object)["encoding"].(object); enc["x"] != nil && enc["y"] != nil {
			first = l.(object)
			break
		}
	}
	var params []any
	var free []any
	if v.c.x.levels == nil {
		free = append(free, "x")
	}
	if v.c.y.levels == nil && v.second == nil {
		free = append(free, "y")
	}
	if v.transposed {
		for i, k := range free {
			free[i] = map[any]any{"x": "y", "y": "x"}[k]
		}
	}
	if enc := first["encoding"].(object); len(free) > 0 && enc["x"] != nil && enc["y"] != nil {
		params = append(params, object{"name": v.param("zoom"), "bind": "scales", "select": object{
			"type": "interval", "encodings": free, "on": plainDrag, "translate": plainDrag}})
	}
	if len(params) > 0 {
		first["params"] = params
	}
	for _, l := range v.layers {
		layer := l.(object)
		enc := layer["encoding"].(object)
		ch, ok := enc["color"].(object)
		if layer["mark"].(object)["type"] != "point" || layer["mark"].(object)["opacity"] == 0 || enc["shape"] == nil && (!ok || ch["field"] != "value") && len(v.layers) > 1 {
			continue
		}
		own, _ := layer["params"].([]any)
		own = append(own, object{"name": v.param("brush"), "select": object{
			"type": "interval", "on": shiftDrag, "translate": false, "zoom": false}})
		test := []any{object{"param": v.param("brush")}}
		if enc["shape"] != nil && !v.c.noLegend {
			own = append(own, object{"name": v.param("pick"), "bind": "legend", "select": object{"type": "point", "fields": []any{"class"}}})
			test = append(test, object{"param": v.param("pick")})
		}
		layer["params"] = own
		mk := layer["mark"].(object)
		enc["opacity"] = object{"condition": object{"test": object{"and": test}, "value": mk["opacity"]}, "value": 0.12}
		delete(mk, "opacity")
		break
	}
}

// param returns the name of a parameter that is unique among the panels of a specification.
func (v *vegaPanel) param(name string) string { return fmt.Sprintf("%s%d", name, v.index+1) }
