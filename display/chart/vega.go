package chart

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// vegaRows is the maximum number of rows that an interactive mark keeps, since they are saved with
// the notebook.
const vegaRows = 5000

type object = map[string]any

// VegaLite returns the chart as a Vega-Lite 5 specification.
func (c *Chart) VegaLite() (map[string]any, error) {
	return (&Panels{charts: []*Chart{c}, single: true}).VegaLite()
}

// VegaLite returns the panels as a Vega-Lite 5 specification.
func (p *Panels) VegaLite() (map[string]any, error) {
	if p.err != nil {
		return nil, p.err
	}
	if err := p.checkLayout(); err != nil {
		return nil, err
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
	if p.faceted {
		uniteColors(panels)
	}
	var specs []any
	var drawn []*vegaPanel
	zoom := display.CurrentTheme().Zoom()
	all, agree := namesOfAll(panels)
	if p.faceted && agree {
		all.legend = oneLegend(panels).entries
	}
	for i, q := range panels {
		if p.xTitle != "" {
			q.c.x.title, q.c.x.titled = p.xTitle, true
		}
		if p.yTitle != "" {
			q.c.y.title, q.c.y.titled = p.yTitle, true
		}
		w, h := q.c.size()
		if !p.single {
			rows, cols := p.layout()
			w = 160 + 160*float64(cols)*part(p.wide, i%cols, cols)
			h = 90 + 170*float64(rows)*part(p.high, i/cols, rows)
		}
		w, h = w*zoom, h*zoom
		if !p.single {
			_, cols := p.layout()
			q.across = 320 * zoom * float64(cols)
		}
		v, spec, err := q.vega(math.Max(80, w-160), math.Max(60, h-90), i, all)
		if err != nil {
			return nil, err
		}
		specs, drawn = append(specs, spec), append(drawn, v)
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
		if p.wide != nil || p.high != nil {
			out["align"] = "each" // rows and columns have their own sizes
		}
		if p.title != "" {
			width := 320 * float64(cols)
			out["title"] = guide.VegaTitle(titleFont.Wrap(p.title, width, titleLines), tickFont.Wrap(p.subtitle, width, subtitleLines), nil, zoom)
		}
		if !agree {
			// A name has different colors in the panels, so each panel needs its own scales.
			out["resolve"] = object{"scale": object{"color": "independent", "shape": "independent"}}
		}
		if slices.ContainsFunc(panels, func(q *panel) bool { return q.legend.place.inside() }) {
			out["resolve"] = object{"scale": object{"color": "independent", "shape": "independent"}, "legend": object{"color": "independent", "shape": "independent"}}
		}
		link(out, drawn)
	}
	out["$schema"] = guide.VegaSchema
	title, desc := p.describe(panels)
	out["description"] = (&figure.Figure{Title: title, Desc: desc}).Alt()
	out["config"] = guide.VegaConfig(zoom)
	// Only SVG follows the colors of the page.
	out["usermeta"] = object{"embedOptions": object{"renderer": "svg"}}
	return out, nil
}

// vegaPanel is the state of converting one panel to a specification.
type vegaPanel struct {
	*panel
	layers  []any
	named   names  // names in the legend, with their colors
	sampled string // what was left out
	series  string // name of the mark whose layer is being made
	name    string // name of the layers of the mark
	points  []pointRows
	index   int
	right   bool // the vertical axis is on the right
}

// names are names in a legend and their colors.
type names struct {
	domain, colors []any
	legend         []entry // entries of the legend that panels share; nil for a legend of one panel
}

// namesOfAll returns the names of all panels, and whether each name has one color.
func namesOfAll(panels []*panel) (all names, agree bool) {
	agree = true
	for _, q := range panels {
		n := q.colorsOfNames()
		for i, name := range n.domain {
			switch k := slices.Index(all.domain, name); {
			case k < 0:
				all.domain, all.colors = append(all.domain, name), append(all.colors, n.colors[i])
			case all.colors[k] != n.colors[i]:
				return names{}, false
			}
		}
	}
	return all, agree
}

// vega returns the panel as a specification with a plot area of the given size. All marks are where
// the drawing has them: their positions are computed here, on scales with fixed ends, and Vega-Lite
// neither stacks, groups nor sorts.
func (p *panel) vega(w, h float64, index int, all names) (*vegaPanel, object, error) {
	if err := p.measure(); err != nil {
		return nil, nil, err
	}
	w, h = p.equalSides(w, h)
	v := &vegaPanel{panel: p, index: index}
	v.lay(w, h)
	if v.named = all; all.domain == nil {
		v.named = p.colorsOfNames()
	}
	v.addMarks()
	v.interact()
	spec := object{"width": w, "height": h, "layer": v.layers}
	lines := v.said(w)
	if p.second != nil {
		q := &vegaPanel{panel: p.second, index: index, right: true}
		q.x = p.x
		q.lay(w, h)
		q.x = p.x
		q.named = p.second.colorsOfNames()
		q.addMarks()
		spec["layer"] = []any{object{"layer": v.layers}, object{"layer": q.layers}}
		spec["resolve"] = object{"scale": object{"y": "independent", "color": "independent"}}
		lines = append(lines, q.said(w)...)
	}
	if p.c.title != "" || lines != nil {
		var title []string
		if p.c.title != "" {
			title = titleFont.Wrap(p.c.title, w+60, titleLines)
		}
		spec["title"] = guide.VegaTitle(title, tickFont.Wrap(p.c.subtitle, w+60, subtitleLines), lines, display.CurrentTheme().Zoom())
	}
	if p.second == nil && v.mixed() {
		// Scales of names and of quantities stay separate; the names need one legend.
		explained := false
		for _, l := range v.layers {
			ch, ok := l.(object)["encoding"].(object)["color"].(object)
			if ok && ch["type"] == "nominal" && ch["scale"] != nil {
				if explained {
					ch["legend"] = nil
				}
				explained = true
			}
		}
		spec["resolve"] = object{"scale": object{"color": "independent"}}
	}
	return v, spec, nil
}

// lay maps the scales onto the plot area.
func (v *vegaPanel) lay(w, h float64) {
	v.area = rect{0, 0, w, h}
	v.rect = v.area
	v.widenForEnds()
	v.orient()
	v.placePoints()
}

// addMarks adds the layers of all marks, and the names beside them.
func (v *vegaPanel) addMarks() {
	v.noted = nil
	for _, i := range v.inOrder() {
		v.layer(&v.c.marks[i], i)
	}
	if len(v.direct) > 0 {
		v.series, v.name = "", fmt.Sprintf("names%d", v.index+1)
		v.written(func(c canvas) { v.directLabels(c) })
	}
	if v.nothing {
		v.name = fmt.Sprintf("empty%d", v.index+1)
		v.written(func(c canvas) { sayNothing(c, v.area) })
	}
	v.shorten()
}

// shorten removes repeated axis definitions, since layers share axes and scales.
func (v *vegaPanel) shorten() {
	for _, k := range []string{"x", "y"} {
		var first object
		for _, l := range v.layers {
			ch, ok := l.(object)["encoding"].(object)[k].(object)
			switch {
			case !ok:
			case first == nil:
				first = ch
			default:
				for _, part := range []string{"scale", "axis"} {
					if ch[part] != nil && reflect.DeepEqual(ch[part], first[part]) {
						delete(ch, part)
					}
				}
			}
		}
	}
}

// said returns the lines of the notes below the title: what the chart leaves out, and what only the
// interactive form leaves out.
func (v *vegaPanel) said(w float64) []string {
	left := v.leftOut
	left.binned = "" // the points are drawn
	if v.sampled != "" {
		left.notes = append(slices.Clone(left.notes), v.sampled)
	}
	for _, d := range []struct {
		a *axis
		s *scale
	}{{&v.c.x, &v.x}, {&v.c.y, &v.y}} {
		if c := d.a.clock(); d.a.times && c.shift(d.s.lo) != c.shift(d.s.hi) {
			left.notes = append(slices.Clone(left.notes), "interactive: times are drawn as clocks in "+c.name(c.at(d.s.lo))+" show them, so an hour is missing or appears twice where the clocks change")
		}
	}
	if n := v.legend.more; n > 0 {
		left.notes = append(slices.Clone(left.notes), fmt.Sprintf("%d more in the legend", n))
	}
	return left.lines(w + 60)
}

// equalSides shrinks one side if units or cells must be equally long.
func (p *panel) equalSides(w, h float64) (float64, float64) {
	hs, vs := p.scales()
	ratio := (hs.hi - hs.lo) / (vs.hi - vs.lo)
	_, cells := p.raster()
	if hs.log || vs.log || !p.c.equal && !(cells && ratio <= 3 && ratio >= 1.0/3) {
		return w, h
	}
	return math.Round(math.Min(w, h*ratio)), math.Round(math.Min(h, w/ratio))
}

// colorsOfNames returns the names in the color legend with their colors.
func (p *panel) colorsOfNames() (out names) {
	seen := map[string]bool{}
	add := func(name string, c figure.Color) {
		if name != "" && !seen[name] {
			seen[name] = true
			out.domain, out.colors = append(out.domain, name), append(out.colors, guide.PageColor(c))
		}
	}
	for i := range p.c.marks {
		m := &p.c.marks[i]
		switch {
		case m.class != nil || m.names != nil:
			for k, name := range m.names {
				add(name, figure.Class(k))
			}
		case m.kind.quantity(m) == nil:
			add(m.name, m.colorOf(p.order(i)))
		}
	}
	return out
}

// mixed reports whether the chart shows both names and quantities by color.
func (v *vegaPanel) mixed() bool {
	return len(v.named.domain) > 0 && slices.ContainsFunc(v.c.marks, func(m mark) bool { return m.kind.continuous(&m) })
}

func (v *vegaPanel) colorScale() object {
	return object{"domain": v.named.domain, "range": v.named.colors}
}

// nameChannel returns the color channel of a mark that has one color, or nil if the mark has no
// name.
func (v *vegaPanel) nameChannel(m *mark) object {
	if m.name == "" {
		return nil
	}
	return object{"field": "series", "type": "nominal", "scale": v.colorScale(), "legend": v.legendTitle()}
}

// legendTitle returns the legend of names, in the order of the drawing. It omits names that are
// written at their lines.
func (v *vegaPanel) legendTitle() any {
	var names []any
	for _, e := range v.entries() {
		if e.size == 0 && !slices.Contains(names, any(e.name)) {
			names = append(names, e.name)
		}
	}
	if v.c.noLegend || len(names) == 0 {
		return nil
	}
	// Names have a limit and an opacity of their own, as in the drawing.
	l := object{"title": nil, "symbolLimit": len(names), "symbolOpacity": 1}
	if s := v.symbol(); s != "" {
		l["symbolType"] = s
	}
	if v.c.legendTitle != "" {
		l["title"] = v.c.legendTitle
	}
	if !slices.Equal(names, v.named.domain) {
		l["values"] = names
	}
	return v.placeLegend(l)
}

// entries returns the entries of the legend.
func (v *vegaPanel) entries() []entry {
	if v.named.legend != nil {
		return v.named.legend
	}
	return v.legend.entries
}

// symbol returns the symbol of all names in the legend, or "" if their symbols differ or are
// points.
func (v *vegaPanel) symbol() string {
	all := func(is func(k kind) bool) bool {
		return !slices.ContainsFunc(v.entries(), func(e entry) bool { return e.size == 0 && !is(e.kind) })
	}
	switch {
	case all(func(k kind) bool { return k.about().lined }):
		return "stroke"
	case all(func(k kind) bool { return k != points && k != texts && !k.about().lined }):
		return "square"
	}
	return ""
}

func (v *vegaPanel) quantity(m *mark, field string, lo, hi float64) object {
	ch := object{"field": field, "type": "quantitative", "title": v.c.legendTitle, "scale": guide.VegaScale(m.scheme, lo, hi)}
	ch["legend"] = guide.VegaRamp
	if v.c.noLegend {
		ch["legend"] = nil
	}
	return ch
}

// add adds a layer: rows, and how they are drawn. A mark without tips has no tooltip.
func (v *vegaPanel) add(rows []any, mk, enc object, tips ...tip) object {
	rows = slices.DeleteFunc(rows, func(r any) bool {
		for _, x := range r.(object) {
			if x, ok := x.(float64); ok && !isFinite(x) {
				return true // JSON cannot represent NaN and infinities
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
		tips = append(tips, tip{field: "series", kind: "nominal", title: "name"})
	}
	data, transform := v.compact(rows)
	mk["tooltip"] = nil
	if len(tips) > 0 && (len(tips) > 1 || tips[0].field != "series") {
		delete(mk, "tooltip")
		tooltip, more := v.tooltip(tips, func(s string) string { return s })
		enc["tooltip"], transform = tooltip, append(transform, more...)
	}
	layer := object{"data": data, "mark": mk, "encoding": v.swap(enc), "name": fmt.Sprintf("%s_%d", v.name, len(v.layers))}
	if transform != nil {
		layer["transform"] = transform
	}
	v.layers = append(v.layers, layer)
	return layer
}

// every returns the stride that keeps n rows within bounds, and records that rows are left out.
func (v *vegaPanel) every(n int) int {
	if n <= vegaRows {
		return 1
	}
	k := (n + vegaRows - 1) / vegaRows
	v.sampled = fmt.Sprintf("interactive: one value in %d of %s values", k, thousands(fmt.Sprint(n)))
	return k
}

// drawable reports whether row i of a mark has a position.
func (v *vegaPanel) drawable(m *mark, i int) bool {
	fine := func(a []float64, log bool) bool { return i >= len(a) || isFinite(a[i]) && !(log && a[i] <= 0) }
	return fine(m.x, v.c.x.log) && fine(m.y, v.c.y.log)
}

// rows makes a row of each pair that can be drawn; extra adds to it.
func (v *vegaPanel) rows(m *mark, extra func(i int, row object)) []any {
	var out []any
	for i := 0; i < len(m.x); i += v.every(len(m.x)) {
		if !v.drawable(m, i) {
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

// orText returns the first text, or the second one if the first is empty.
func orText(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
