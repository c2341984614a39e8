package chart

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gokernel/gokernel/display/figure"
)

// vegaRows is how many rows of data an interactive mark keeps: they are saved
// with the notebook.
const vegaRows = 5000

// vegaSchema is the newest major version that JupyterLab and VS Code render.
const vegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

type object = map[string]any

// VegaLite gives the chart as a Vega-Lite 5 specification.
func (c *Chart) VegaLite() (map[string]any, error) {
	return (&Panels{charts: []*Chart{c}, single: true}).VegaLite()
}

// VegaLite gives the panels as a Vega-Lite 5 specification.
func (p *Panels) VegaLite() (map[string]any, error) {
	if p.err != nil {
		return nil, p.err
	}
	var panels []*panel
	for _, c := range p.charts {
		q, err := newPanel(c)
		if err != nil {
			return nil, err
		}
		panels = append(panels, q)
	}
	shareX, shareY := p.shared(panels)
	unite(panels, shareX, shareY)
	var specs []any
	for i, q := range panels {
		w, h := q.c.size()
		if !p.single {
			w, h = 320, 260
		}
		spec, err := q.vega(math.Max(80, w-160), math.Max(60, h-90), i)
		if err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	if len(specs) == 0 {
		_, err := p.Figure()
		return nil, err
	}
	var out object
	if p.single {
		out = specs[0].(object)
	} else {
		_, cols := p.layout()
		out = object{"concat": specs, "columns": cols}
		if p.title != "" {
			out["title"] = object{"text": p.title, "anchor": "start"}
		}
	}
	out["$schema"] = vegaSchema
	out["config"] = object{
		"view": object{"stroke": nil},
		"axis": object{"labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal"},
	}
	return out, nil
}

// vegaPanel is one panel on its way to a specification.
type vegaPanel struct {
	*panel
	layers  []any
	domain  []any // names in the legend, with their colors
	colors  []any
	sampled string // what was left out
	series  string // the name of the mark whose layer is being made
	index   int
}

func (p *panel) vega(w, h float64, index int) (object, error) {
	if err := p.measure(); err != nil {
		return nil, err
	}
	w, h = p.equalSides(w, h)
	v := &vegaPanel{panel: p, index: index}
	v.nameColors()
	v.barLayer()
	for i := range p.c.marks {
		if p.c.marks[i].kind != bars {
			v.layer(&p.c.marks[i], i)
		}
	}
	v.interact()
	spec := object{"width": w, "height": h, "layer": v.layers}
	if p.c.title != "" || v.sampled != "" {
		title := object{"text": p.c.title, "anchor": "start"}
		if v.sampled != "" {
			title["subtitle"] = v.sampled
		}
		spec["title"] = title
	}
	if v.mixed() {
		// Scales of names and of quantities stay apart; the names need one legend.
		explained := false
		for _, l := range v.layers {
			ch, ok := l.(object)["encoding"].(object)["color"].(object)
			if ok && ch["type"] == "nominal" {
				if explained {
					ch["legend"] = nil
				}
				explained = true
			}
		}
		spec["resolve"] = object{"scale": object{"color": "independent"}}
	}
	return spec, nil
}

// equalSides shrinks one side where units or cells must be equally long.
func (p *panel) equalSides(w, h float64) (float64, float64) {
	hs, vs := p.scales()
	ratio := (hs.hi - hs.lo) / (vs.hi - vs.lo)
	_, cells := p.raster()
	if hs.log || vs.log || !p.c.equal && !(cells && ratio <= 3 && ratio >= 1.0/3) {
		return w, h
	}
	return math.Round(math.Min(w, h*ratio)), math.Round(math.Min(h, w/ratio))
}

// nameColors collects what the color legend names.
func (v *vegaPanel) nameColors() {
	seen := map[string]bool{}
	add := func(name string, c figure.Color) {
		if name != "" && !seen[name] {
			seen[name] = true
			v.domain, v.colors = append(v.domain, name), append(v.colors, figure.Hex(c))
		}
	}
	for i := range v.c.marks {
		m := &v.c.marks[i]
		if m.class != nil || m.kind == region {
			for k, name := range m.names {
				add(name, figure.Class(k))
			}
			continue
		}
		if m.value == nil && m.kind != heat {
			add(m.name, m.colorOf(v.order(i)))
		}
	}
}

// mixed reports whether the chart has names and quantities that are colors.
func (v *vegaPanel) mixed() bool {
	quantity := false
	for i := range v.c.marks {
		m := &v.c.marks[i]
		quantity = quantity || m.value != nil || m.kind == heat || m.kind == contour && m.color == nil
	}
	return quantity && len(v.domain) > 0
}

func (v *vegaPanel) colorScale() object { return object{"domain": v.domain, "range": v.colors} }

// named is the color channel of a mark that has one color, or nothing when the
// legend does not know it.
func (v *vegaPanel) named(m *mark) object {
	if m.name == "" {
		return nil
	}
	return object{"field": "series", "type": "nominal", "scale": v.colorScale(), "legend": v.legendTitle()}
}

func (v *vegaPanel) legendTitle() any {
	if v.c.noLegend {
		return nil
	}
	l := object{"title": nil}
	if v.c.legendTitle != "" {
		l["title"] = v.c.legendTitle
	}
	if len(v.domain) > maxEntries {
		l["values"] = v.domain[:maxEntries]
	}
	return l
}

func (v *vegaPanel) quantity(m *mark, field string, lo, hi float64) object {
	return object{"field": field, "type": "quantitative", "title": v.c.legendTitle,
		"scale": object{"scheme": m.scheme.Name, "domain": []any{lo, hi}}}
}

// axisChannel describes a position channel over the named field.
func axisChannel(a *axis, s *scale, field string) object {
	ch := object{"field": field, "title": a.label()}
	if a.label() == "" {
		ch["title"] = nil
	}
	switch {
	case a.levels != nil:
		ch["type"] = "nominal"
		ch["sort"] = nil
		ch["scale"] = object{"domain": a.levels}
		ch["axis"] = object{"labelAngle": 0, "labelOverlap": true}
	case a.times:
		ch["type"] = "temporal"
		ch["scale"] = object{"type": "utc"}
	default:
		ch["type"] = "quantitative"
		sc := object{"domain": []any{s.lo, s.hi}, "nice": false}
		if s.log {
			sc["type"] = "log"
		} else {
			sc["zero"] = false
		}
		if a.reverse {
			sc["reverse"] = true
		}
		if a.whole {
			ch["axis"] = object{"tickMinStep": 1}
		}
		ch["scale"] = sc
	}
	if a.hidden {
		ch["axis"] = nil
	}
	return ch
}

// position is a value as the axis takes it.
func position(a *axis, x float64) any {
	switch {
	case a.levels != nil:
		k := int(math.Round(x))
		if k < 0 || k >= len(a.levels) {
			return nil
		}
		return a.levels[k]
	case a.times:
		return time.Unix(int64(x), 0).UTC().Format("2006-01-02T15:04:05Z")
	}
	return x
}

// swap exchanges the directions of lying bars and boxes.
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
		case "xOffset":
			k = "yOffset"
		}
		out[k] = e
	}
	return out
}

func (v *vegaPanel) add(rows []any, mk, enc object) {
	rows = slices.DeleteFunc(rows, func(r any) bool {
		for _, x := range r.(object) {
			if x, ok := x.(float64); ok && !isFinite(x) {
				return true // JSON has no such number
			}
		}
		return false
	})
	if rows == nil {
		rows = []any{}
	}
	if v.series != "" {
		for _, r := range rows {
			r.(object)["series"] = v.series
		}
	}
	if mk["type"] != "boxplot" { // which has tooltips of its own
		mk["tooltip"] = object{"content": "data"}
	}
	v.layers = append(v.layers, object{"data": object{"values": rows}, "mark": mk, "encoding": v.swap(enc)})
}

// every gives the stride that keeps n rows within bounds, and says so.
func (v *vegaPanel) every(n int) int {
	if n <= vegaRows {
		return 1
	}
	k := (n + vegaRows - 1) / vegaRows
	v.sampled = fmt.Sprintf("interactive: one of %d of %s values", k, thousands(fmt.Sprint(n)))
	return k
}

// rows makes a row of each pair that can be drawn; extra adds to it.
func (v *vegaPanel) rows(m *mark, extra func(i int, row object)) []any {
	var out []any
	for i := 0; i < len(m.x); i += v.every(len(m.x)) {
		if !isFinite(m.x[i]) || i < len(m.y) && !isFinite(m.y[i]) || v.c.x.log && m.x[i] <= 0 || v.c.y.log && i < len(m.y) && m.y[i] <= 0 {
			if m.kind == line || m.kind == step {
				out = append(out, object{"x": position(&v.c.x, 0), "y": nil})
				if v.c.x.log {
					out = out[:len(out)-1]
				}
			}
			continue
		}
		row := object{"x": position(&v.c.x, m.x[i])}
		if i < len(m.y) {
			row["y"] = position(&v.c.y, m.y[i])
		}
		if extra != nil {
			extra(i, row)
		}
		out = append(out, row)
	}
	return out
}

func (v *vegaPanel) xy() object {
	return object{"x": axisChannel(&v.c.x, &v.x, "x"), "y": axisChannel(&v.c.y, &v.y, "y")}
}

// edges are the channels of marks that have two ends in both directions.
func (v *vegaPanel) ends() object {
	enc := v.xy()
	for _, k := range []string{"x", "y"} {
		ch := enc[k].(object)
		if ch["type"] == "nominal" { // cells of named rows and columns lie between numbers
			ch["type"] = "quantitative"
			delete(ch, "sort")
			a, s := &v.c.x, &v.x
			if k == "y" {
				a, s = &v.c.y, &v.y
			}
			b := *a
			b.levels = nil
			enc[k] = axisChannel(&b, s, k)
			labels := "["
			var ticks []any
			for i, name := range a.levels {
				if i > 0 {
					labels += ","
				}
				labels += jsString(name)
				ticks = append(ticks, i)
			}
			enc[k].(object)["axis"] = object{"values": ticks, "labelExpr": labels + "][datum.value]", "grid": false}
		}
	}
	enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
	return enc
}

// layer adds the layer of one mark.
func (v *vegaPanel) layer(m *mark, i int) {
	color := figure.Hex(m.colorOf(v.order(i)))
	enc := v.xy()
	v.series = ""
	if ch := v.named(m); ch != nil {
		enc["color"] = ch
		v.series = m.name
	}
	stroke := object{"type": "line", "color": color, "strokeWidth": orElse(m.width, 1.8), "opacity": orElse(m.alpha, 1)}
	if m.dash {
		stroke["strokeDash"] = []any{6, 4}
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
			v.add(v.rows(m, func(i int, row object) { row["text"] = m.labels[i] }),
				object{"type": "text", "align": "left", "dx": 6, "dy": -6}, enc)
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
	a := orElse(m.alpha, 1)
	if v.histograms() > 1 && m.alpha == 0 {
		a = 0.5
	}
	v.add(rows, object{"type": "bar", "color": color, "opacity": a, "stroke": "white", "strokeWidth": 0.5}, enc)
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
	if n := v.boxMarks(); n > 1 {
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
	v.add(v.rows(m, func(i int, row object) {
		if m.size != nil {
			row["size"] = m.size[i]
		}
		if m.class != nil {
			row["class"] = m.names[m.class[i]]
		} else if m.value != nil && isFinite(m.value[i]) {
			row["value"] = m.value[i]
		}
	}), mk, enc)
}

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
		names, colors = append(names, name), append(colors, figure.Hex(m.colorOf(v.order(i))))
		s := v.stacks[i]
		for k := range m.x {
			if !isFinite(m.x[k]) || !isFinite(m.y[k]) {
				continue
			}
			row := object{"y": m.y[k], "series": name}
			if v.c.x.levels != nil {
				row["x"] = position(&v.c.x, m.x[k])
			} else {
				row["x"], row["x2"] = m.x[k]+s.offset, m.x[k]+s.offset+s.width
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
		enc["xOffset"] = object{"field": "series", "type": "nominal", "scale": object{"domain": names}}
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
				row["x"] = middles[k]
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
	v.add(rows, object{"type": "rule", "color": figure.Hex(figure.Soft), "strokeWidth": 1.2}, enc)
}

// interact adds zoom by dragging and wheel, a brush with the shift key, and
// picking of classes in the legend.
func (v *vegaPanel) interact() {
	if len(v.layers) == 0 {
		return
	}
	first := v.layers[0].(object)
	var params []any
	var free []any
	if v.c.x.levels == nil {
		free = append(free, "x")
	}
	if v.c.y.levels == nil {
		free = append(free, "y")
	}
	if v.transposed {
		for i, k := range free {
			free[i] = map[any]any{"x": "y", "y": "x"}[k]
		}
	}
	drag := func(condition string) string {
		return "[mousedown" + condition + ", window:mouseup] > window:mousemove!"
	}
	if len(free) > 0 && first["mark"].(object)["type"] != "boxplot" {
		params = append(params, object{"name": v.param("zoom"), "bind": "scales", "select": object{
			"type": "interval", "encodings": free, "on": drag("[!event.shiftKey]"), "translate": drag("[!event.shiftKey]")}})
	}
	if len(params) > 0 {
		first["params"] = params
	}
	for _, l := range v.layers {
		layer := l.(object)
		enc := layer["encoding"].(object)
		ch, ok := enc["color"].(object)
		if layer["mark"].(object)["type"] != "point" || enc["shape"] == nil && (!ok || ch["field"] != "value") && len(v.layers) > 1 {
			continue
		}
		own, _ := layer["params"].([]any)
		own = append(own, object{"name": v.param("brush"), "select": object{
			"type": "interval", "on": drag("[event.shiftKey]"), "translate": false, "zoom": false}})
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

// param names a parameter: names are common to all panels of a specification.
func (v *vegaPanel) param(name string) string { return fmt.Sprintf("%s%d", name, v.index+1) }
