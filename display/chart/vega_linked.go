package chart

import (
	"fmt"
	"slices"
)

// pointRows are the rows of a layer of points, before compact.
type pointRows struct {
	layer object
	rows  []any
	tips  []tip
}

// link joins panels that show the same rows as points: they read one table, and points that are
// brushed in one panel are highlighted in all. Panels with other marks or other rows stay separate.
func link(out object, panels []*vegaPanel) {
	if len(panels) < 2 {
		return
	}
	for _, v := range panels {
		if len(v.points) != 1 || len(v.points[0].rows) != len(panels[0].points[0].rows) || len(v.points[0].rows) < fewRows {
			return
		}
	}
	t := &common{rows: len(panels[0].points[0].rows)}
	class, alike := t.classes(panels)
	var views []any
	var texts [][]any
	exact := map[string]bool{}
	for i, v := range panels {
		layer := v.points[0].layer
		names := t.take(v.points[0].rows, i+1)
		tooltip, more := v.tooltip(v.points[0].tips, func(f string) string {
			if names[f] != "" {
				return names[f]
			}
			return f
		})
		layer["encoding"].(object)["tooltip"] = tooltip
		texts = append(texts, more)
		for _, ch := range layer["encoding"].(object) {
			if ch, ok := ch.(object); ok {
				if f, ok := ch["field"].(string); ok && names[f] != "" {
					ch["field"] = names[f]
				}
			}
		}
		for f, times := range map[string]bool{"x": v.c.x.times, "y": v.c.y.times} {
			exact[names[f]] = exact[names[f]] || times
		}
		view := fmt.Sprintf("panel%d", i+1)
		layer["name"] = view
		views = append(views, view)
		brushed(layer, []string{v.param("brush"), v.param("pick")}, alike)
	}
	data, transform := compacted(t.all(), func(f string) bool { return exact[f] })
	for i, v := range panels {
		layer := v.points[0].layer
		layer["data"], layer["transform"] = object{"name": "rows", "format": unparsed}, append(slices.Clone(transform), texts[i]...)
	}
	out["datasets"] = object{"rows": data["values"]}
	params := []any{object{"name": "brush", "views": views, "select": object{
		"type": "interval", "resolve": "global", "on": shiftDrag, "translate": false, "zoom": false}}}
	if alike {
		params = append(params, object{"name": "pick", "views": views, "bind": "legend", "select": object{"type": "point", "fields": []any{class}}})
	}
	out["params"] = params
}

// brushed makes a layer fade the points outside the common brush, instead of its own brush, and the
// classes that are not picked in the legend.
func brushed(layer object, own []string, picked bool) {
	params, _ := layer["params"].([]any)
	params = slices.DeleteFunc(params, func(p any) bool { return slices.Contains(own, p.(object)["name"].(string)) })
	delete(layer, "params")
	if len(params) > 0 {
		layer["params"] = params
	}
	enc, mk := layer["encoding"].(object), layer["mark"].(object)
	if enc["opacity"] == nil {
		enc["opacity"] = object{"condition": object{"value": mk["opacity"]}, "value": 0.12}
		delete(mk, "opacity")
	}
	test := []any{object{"param": "brush"}}
	if picked {
		test = append(test, object{"param": "pick"})
	}
	enc["opacity"].(object)["condition"].(object)["test"] = object{"and": test}
}

// common collects the columns of linked panels; equal columns are stored once.
type common struct {
	rows    int
	names   []string
	columns [][]any
}

// take adds the columns of a panel's rows and returns their names in the table.
func (t *common) take(rows []any, panel int) map[string]string {
	names := map[string]string{}
	for _, f := range fieldsOf(rows) {
		column := make([]any, t.rows)
		for i, r := range rows {
			column[i] = r.(object)[f]
		}
		k := slices.IndexFunc(t.columns, func(c []any) bool { return slices.Equal(c, column) })
		if k < 0 {
			k = len(t.columns)
			t.columns, t.names = append(t.columns, column), append(t.names, fmt.Sprintf("%s%d", f, panel))
		}
		names[f] = t.names[k]
	}
	return names
}

// classes returns the name of the first panel's column of classes, and whether all panels have the
// same column and show it in their legend.
func (t *common) classes(panels []*vegaPanel) (name string, alike bool) {
	first := panels[0].points[0].rows
	for _, v := range panels {
		if v.c.noLegend || v.points[0].layer["encoding"].(object)["shape"] == nil {
			return "", false
		}
		for i, r := range v.points[0].rows {
			if r.(object)["class"] != first[i].(object)["class"] {
				return "", false
			}
		}
	}
	return "class1", true
}

// all returns the rows of the table.
func (t *common) all() []any {
	out := make([]any, t.rows)
	for i := range out {
		row := object{}
		for k, name := range t.names {
			row[name] = t.columns[k][i]
		}
		out[i] = row
	}
	return out
}
