package geo

import (
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

type object = map[string]any

// VegaLite returns the map as a Vega-Lite 5 specification with tooltips. It uses the positions of
// the figure instead of Vega's projections, which fill the rest of the globe if an outline has the
// wrong direction.
func (m *Map) VegaLite() (map[string]any, error) {
	s, err := m.sheet()
	if err != nil {
		return nil, err
	}
	zoom := display.CurrentTheme().Zoom()
	var layers []any
	if s.world || m.base == nil {
		layers = s.graticuleLayers(zoom)
	}
	if m.base != nil {
		layers = append(layers, s.regionLayers(zoom)...)
	}
	if m.points != nil {
		layers = append(layers, s.pointLayer(zoom))
	}
	f, err := m.Figure()
	if err != nil {
		return nil, err
	}
	spec := object{
		"$schema": guide.VegaSchema, "description": f.Alt(), "config": guide.VegaConfig(zoom),
		"width": round((s.area.x1 - s.area.x0) * zoom), "height": round((s.area.y1 - s.area.y0) * zoom),
		"layer": layers,
		// The colors of the page are only followed in SVG.
		"usermeta": object{"embedOptions": object{"renderer": "svg"}},
	}
	if m.base != nil && m.points != nil {
		spec["resolve"] = object{"scale": object{"color": "independent"}}
	}
	if m.title != "" || s.note() != "" {
		lines := func(text string) []string {
			if text == "" {
				return nil
			}
			return []string{text}
		}
		spec["title"] = guide.VegaTitle(lines(m.title), nil, lines(s.note()), zoom)
	}
	return spec, nil
}

func round(x float64) float64 { return math.Round(10*x) / 10 }

// onView converts a pixel of the figure to the view of the specification.
func (s *sheet) onView(p figure.Point, zoom float64) []any {
	return []any{round((p.X - s.area.x0) * zoom), round((p.Y - s.area.y0) * zoom)}
}

// geometry returns a shape as GeoJSON on the plane.
func (s *sheet) geometry(h *shape, zoom float64) object {
	ring := func(points []figure.Point, closed bool) []any {
		out := make([]any, 0, len(points)+1)
		for _, p := range points {
			out = append(out, s.onView(p, zoom))
		}
		if closed {
			out = append(out, out[0])
		}
		return out
	}
	var parts []any
	if h.fill != nil {
		rings := make([]any, len(h.fill))
		for i, r := range h.fill {
			rings[i] = ring(r, true)
		}
		// All outlines become one polygon: their directions say which ones are holes.
		parts = append(parts, object{"type": "Polygon", "coordinates": rings})
	}
	for _, l := range h.lines {
		parts = append(parts, object{"type": "LineString", "coordinates": ring(l, false)})
	}
	for _, d := range h.dots {
		parts = append(parts, object{"type": "Point", "coordinates": s.onView(d, zoom)})
	}
	if len(parts) == 1 {
		return parts[0].(object)
	}
	return object{"type": "GeometryCollection", "geometries": parts}
}

// graticuleLayers draws meridians and parallels with their labels.
func (s *sheet) graticuleLayers(zoom float64) []any {
	g := s.graticule()
	lines := make([]any, len(g.lines))
	for i, l := range g.lines {
		points := make([]any, len(l))
		for k, p := range l {
			points[k] = s.onView(p, zoom)
		}
		lines[i] = points
	}
	row := object{"type": "Feature", "geometry": object{"type": "MultiLineString", "coordinates": lines}}
	layers := []any{object{"data": object{"values": []any{row}}, "projection": plane,
		"mark": object{"type": "geoshape", "filled": false, "stroke": guide.PageInk, "strokeOpacity": 0.15, "strokeWidth": round(0.7 * zoom), "tooltip": nil}}}
	for _, anchor := range []figure.Anchor{figure.Middle, figure.End} {
		var rows []any
		for _, d := range g.labels {
			if d.anchor == anchor {
				at := s.onView(d.at, zoom)
				rows = append(rows, object{"x": at[0], "y": at[1], "text": d.text})
			}
		}
		if rows == nil {
			continue
		}
		align := map[figure.Anchor]string{figure.Middle: "center", figure.End: "right"}[anchor]
		enc := s.pixels(zoom)
		enc["text"] = object{"field": "text", "type": "nominal"}
		layers = append(layers, object{"data": object{"values": rows}, "encoding": enc,
			"mark": object{"type": "text", "align": align, "baseline": "alphabetic", "fontSize": round(11 * zoom), "color": guide.PageInk, "opacity": 0.8, "tooltip": nil}})
	}
	return layers
}

// plane is the projection for positions in pixels.
var plane = object{"type": "identity", "scale": 1, "translate": []any{0, 0}}

// pixels returns the channels for positions in the view.
func (s *sheet) pixels(zoom float64) object {
	channel := func(field string, hi float64, reverse bool) object {
		scale := object{"domain": []any{0, hi}, "nice": false, "zero": false}
		if reverse {
			scale["reverse"] = true
		}
		return object{"field": field, "type": "quantitative", "axis": nil, "scale": scale}
	}
	return object{"x": channel("x", round((s.area.x1-s.area.x0)*zoom), false), "y": channel("y", round((s.area.y1-s.area.y0)*zoom), true)}
}

// regionLayers draws the regions with and without a value.
func (s *sheet) regionLayers(zoom float64) []any {
	m := s.m
	with, without := []any{}, []any{}
	for i := range s.shapes {
		h := &s.shapes[i]
		if len(h.fill)+len(h.lines)+len(h.dots) == 0 {
			continue
		}
		row := object{"type": "Feature", "name": s.name(i), "geometry": s.geometry(h, zoom)}
		if !m.asked || math.IsNaN(s.value[i]) {
			without = append(without, row)
			continue
		}
		row["value"] = s.value[i]
		if m.levels != nil {
			row["value"] = m.levels[int(s.value[i])]
		}
		with = append(with, row)
	}
	title := s.legend.Title
	if title == "" {
		title = "value"
	}
	name := object{"field": "name", "type": "nominal", "title": "region"}
	color := object{"field": "value", "type": "quantitative", "title": s.legend.Title}
	if m.levels != nil {
		var colors []any
		for k := range m.levels {
			colors = append(colors, guide.PageColor(figure.Class(k)))
		}
		color["type"], color["scale"] = "nominal", object{"domain": m.levels, "range": colors}
	} else if s.lo <= s.hi {
		color["scale"], color["legend"] = guide.VegaScale(s.scheme, s.lo, s.hi), guide.VegaRamp
	}
	layer := func(rows []any, fill string, encoding object) object {
		mark := object{"type": "geoshape", "stroke": guide.PageColor(border()), "strokeWidth": 0.6, "strokeJoin": "round", "pointRadius": 2}
		if fill != "" {
			mark["fill"] = fill
		}
		return object{"data": object{"values": rows}, "projection": plane, "mark": mark, "encoding": encoding}
	}
	var layers []any
	if len(without) > 0 {
		l := layer(without, guide.PageColor(figure.Faint()), object{"tooltip": []any{name}})
		if m.asked {
			delete(l["mark"].(object), "fill")
			l["encoding"].(object)["fill"] = object{"datum": noValue, "type": "nominal", "legend": object{"title": nil},
				"scale": object{"domain": []any{noValue}, "range": []any{guide.PageColor(figure.Faint())}}}
		}
		layers = append(layers, l)
	}
	if len(with) > 0 {
		l := layer(with, "", object{"color": color, "tooltip": []any{name, object{"field": "value", "type": color["type"], "title": title}}})
		l["params"] = []any{object{"name": "over", "select": object{"type": "point", "on": "mouseover", "clear": "mouseout"}}}
		l["encoding"].(object)["strokeWidth"] = object{"condition": object{"param": "over", "empty": false, "value": 2}, "value": 0.6}
		layers = append(layers, l)
	}
	return layers
}

// pointLayer draws the points.
func (s *sheet) pointLayer(zoom float64) object {
	m := s.m
	rows := []any{}
	for i, p := range m.points {
		if !s.known(i) {
			continue
		}
		at := s.onView(s.pixel(s.turned(p.lon), p.lat), zoom)
		r := s.radiusOf(i) * zoom
		row := object{"x": at[0], "y": at[1], "area": round(math.Pi * r * r), "longitude": p.lon, "latitude": p.lat}
		if m.class != nil {
			row["class"] = m.labels[m.class[i]]
		}
		if m.shade != nil {
			row["value"] = m.shade[i]
		}
		if m.size != nil {
			row["size"] = m.size[i]
		}
		rows = append(rows, row)
	}
	quantity := func(field, title string) object {
		if title == "" {
			title = field
		}
		return object{"field": field, "type": "quantitative", "title": title}
	}
	tooltip := []any{quantity("longitude", ""), quantity("latitude", "")}
	enc := s.pixels(zoom)
	enc["size"] = object{"field": "area", "type": "quantitative", "scale": nil, "legend": nil}
	mark := object{"type": "point", "filled": true, "opacity": 0.8, "color": guide.PageColor(figure.Class(0))}
	switch {
	case m.class != nil:
		var colors []any
		for k := range m.labels {
			colors = append(colors, guide.PageColor(figure.Class(k)))
		}
		class := object{"field": "class", "type": "nominal", "title": m.by}
		tooltip = append(tooltip, class)
		enc["color"] = object{"field": "class", "type": "nominal", "title": m.by, "scale": object{"domain": m.labels, "range": colors}}
	case m.shade != nil:
		tooltip = append(tooltip, quantity("value", m.by))
		enc["color"] = object{"field": "value", "type": "quantitative", "title": m.by, "scale": guide.VegaScale(s.scheme, s.lo, s.hi), "legend": guide.VegaRamp}
	case m.asked:
		mark["color"] = guide.PageInk
	}
	if m.size != nil {
		tooltip = append(tooltip, quantity("size", m.sizeOf))
	}
	enc["tooltip"] = tooltip
	return object{"data": object{"values": rows}, "mark": mark, "encoding": enc}
}
