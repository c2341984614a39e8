package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// vegaRows is how many rows of data an interactive mark keeps: they are saved
// with the notebook.
const vegaRows = 5000

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
	if p.faceted {
		uniteColors(panels)
	}
	var specs []any
	var drawn []*vegaPanel
	zoom := display.CurrentTheme().Zoom()
	for i, q := range panels {
		if p.xTitle != "" {
			q.c.x.title, q.c.x.titled = p.xTitle, true
		}
		if p.yTitle != "" {
			q.c.y.title, q.c.y.titled = p.yTitle, true
		}
		w, h := q.c.size()
		if !p.single {
			w, h = 320, 260
		}
		w, h = w*zoom, h*zoom
		v, spec, err := q.vega(math.Max(80, w-160), math.Max(60, h-90), i)
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
		if p.title != "" {
			out["title"] = object{"text": p.title, "anchor": "start"}
		}
		link(out, drawn)
	}
	out["$schema"] = guide.VegaSchema
	title, desc := p.describe(panels)
	out["description"] = (&figure.Figure{Title: title, Desc: desc}).Alt()
	out["config"] = guide.VegaConfig(zoom)
	// Only as SVG the colors of the page are followed.
	out["usermeta"] = object{"embedOptions": object{"renderer": "svg"}}
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
	points  []pointRows
	index   int
}

func (p *panel) vega(w, h float64, index int) (*vegaPanel, object, error) {
	if p.second != nil {
		return nil, nil, errors.New("chart: a chart with two y axes has no interactive version; leave Interactive out")
	}
	if err := p.measure(); err != nil {
		return nil, nil, err
	}
	w, h = p.equalSides(w, h)
	hs, vs := p.scales()
	hs.from, hs.to, vs.from, vs.to = 0, w, h, 0
	p.settle()
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
	return v, spec, nil
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
			v.domain, v.colors = append(v.domain, name), append(v.colors, guide.PageColor(c))
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
	return object{"field": field, "type": "quantitative", "title": v.c.legendTitle, "scale": guide.VegaScale(m.scheme, lo, hi)}
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
	data, transform := compact(rows)
	layer := object{"data": data, "mark": mk, "encoding": v.swap(enc)}
	if transform != nil {
		layer["transform"] = transform
	}
	v.layers = append(v.layers, layer)
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
