package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// cellLayer adds heat maps and regions; fine ones are coarsened.
func (v *vegaPanel) cellLayer(m *mark) {
	g := m.field
	nx, ny := min(g.NX, 70), min(g.NY, 70)
	if nx < g.NX || ny < g.NY {
		v.sampled = fmt.Sprintf("interactive: %d×%d of %d×%d cells", nx, ny, g.NX, g.NY)
	}
	var rows, missing []any
	for j := range ny {
		for i := range nx {
			k := (j*g.NY/ny)*g.NX + i*g.NX/nx
			z := g.Z[k]
			row := object{"k": j*nx + i}
			if !isFinite(z) {
				if m.kind == heat {
					missing = append(missing, row)
				}
				continue
			}
			if m.kind == heat {
				row["value"] = z
			} else if c := int(z); c >= 0 {
				row["class"] = fmt.Sprint(c)
				if c < len(m.names) {
					row["class"] = m.names[c]
				}
				if m.sure != nil && isFinite(m.sure[k]) {
					row["sure"] = m.sure[k]
				}
			} else {
				continue
			}
			rows = append(rows, row)
		}
	}
	enc := v.ends()
	if m.kind == heat {
		if lo, hi := m.valueRange(g.Z); lo <= hi {
			enc["color"] = v.quantity(m, "value", lo, hi)
		}
		v.cells(m, rows, g, nx, ny, enc)
		if missing != nil {
			v.cells(m, missing, g, nx, ny, v.ends())
			last := v.layers[len(v.layers)-1].(object)
			last["mark"] = object{"type": "rect", "color": guide.PageColor(figure.Shade()), "tooltip": nil}
			delete(last["encoding"].(object), "tooltip")
		}
		if g.X0 == -0.5 && g.NX*g.NY <= 200 {
			v.numbers(m)
		}
		return
	}
	enc["color"] = object{"field": "class", "type": "nominal", "scale": v.colorScale(), "legend": v.legendTitle()}
	if len(v.domain) == 0 {
		var colors []any
		for k := range 12 {
			colors = append(colors, figure.Hex(figure.Class(k)))
		}
		enc["color"].(object)["scale"] = object{"range": colors}
	}
	if m.sure != nil {
		enc["opacity"] = object{"field": "sure", "type": "quantitative", "legend": nil, "scale": object{"domain": []any{0, 1}, "range": []any{0.08, 0.42}}}
	}
	v.cells(m, rows, g, nx, ny, enc)
}

// cells adds the layer of a field's cells, whose places are worked out from their numbers.
func (v *vegaPanel) cells(m *mark, rows []any, g Field, nx, ny int, enc object) {
	var tips []tip
	switch {
	case m.kind == region:
		tips = append(tips, tip{field: "class", kind: "nominal", title: "class"})
	case v.c.x.levels != nil && v.c.y.levels != nil && g.X0 == -0.5:
		tips = append(tips, v.tip("column", "x"), v.tip("row", "y"), tip{field: "value", kind: "quantitative", title: orText(v.c.legendTitle, "value")})
	default:
		tips = append(tips, tip{field: "value", kind: "quantitative", title: orText(v.c.legendTitle, "value")})
	}
	cell := object{"type": "rect"}
	if m.kind == region && m.sure == nil {
		cell["opacity"] = 0.3
	} else if m.kind == heat {
		// Edges of the same color close the seams between cells.
		cell["strokeWidth"] = 0.6
		if enc["color"] != nil {
			edge := maps.Clone(enc["color"].(object))
			edge["legend"] = nil
			enc["stroke"] = edge
		}
	}
	v.add(rows, cell, enc, tips...)
	layer := v.layers[len(v.layers)-1].(object)
	last, _ := layer["transform"].([]any)
	split := len(last)
	for i, t := range last { // the tooltips are made of what follows
		if c, ok := t.(object)["as"].(string); ok && strings.HasSuffix(c, "text") {
			split = i
			break
		}
	}
	transform := slices.Clone(last[:split])
	for _, c := range []struct {
		as     string
		number string
		lo, hi float64
		n      int
	}{
		{"x", fmt.Sprintf("datum.k%%%d", nx), g.X0, g.X1, nx}, {"x2", fmt.Sprintf("(datum.k%%%d+1)", nx), g.X0, g.X1, nx},
		{"y", fmt.Sprintf("floor(datum.k/%d)", nx), g.Y0, g.Y1, ny}, {"y2", fmt.Sprintf("(floor(datum.k/%d)+1)", nx), g.Y0, g.Y1, ny},
	} {
		transform = append(transform, object{"calculate": fmt.Sprintf("%g+%s*%g", c.lo, c.number, (c.hi-c.lo)/float64(c.n)), "as": c.as})
	}
	transform = append(transform, object{"calculate": fmt.Sprintf("datum.k%%%d", nx), "as": "column"}, object{"calculate": fmt.Sprintf("floor(datum.k/%d)", nx), "as": "row"})
	layer["transform"] = append(transform, last[split:]...)
}

// numbers writes the values of a small heat map into its cells.
func (v *vegaPanel) numbers(m *mark) {
	lo, hi := m.valueRange(m.field.Z)
	cw, ch := v.cellSize(m.field)
	texts, font := annotation(m.field, cw, ch)
	if texts == nil {
		return
	}
	var rows []any
	for k, z := range m.field.Z {
		i, j := k%m.field.NX, k/m.field.NX
		x, y := m.field.Center(i, j)
		ink := guide.PageInk
		if isFinite(z) {
			ink = figure.Hex(figure.On(m.paint(z, lo, hi)))
		}
		rows = append(rows, object{"x": x, "y": y, "text": texts[k], "ink": ink})
	}
	enc := v.xy()
	enc["text"] = object{"field": "text", "type": "nominal"}
	enc["color"] = object{"field": "ink", "type": "nominal", "scale": nil}
	v.add(rows, object{"type": "text", "fontSize": font.Size}, enc)
}

// orText is a text, or another one where it is empty.
func orText(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// vectorLayers adds arrows as the drawing has them, or their heads alone.
func (v *vegaPanel) vectorLayers(m *mark) {
	v.series = ""
	arrows := v.arrows(m)
	if len(arrows) == 0 {
		return
	}
	color := guide.PageColor(figure.Ink())
	if m.color != nil {
		color = guide.PageColor(*m.color)
	}
	alpha := orElse(m.alpha, 0.8)
	var shafts, heads []any
	for _, a := range arrows {
		x, y := v.back(a.from.X, a.from.Y)
		x2, y2 := v.back(a.to.X, a.to.Y)
		shafts = append(shafts, object{"x": x, "y": y, "x2": x2, "y2": y2})
		heads = append(heads, object{"x": x2, "y": y2, "angle": math.Mod(90+math.Atan2(a.to.Y-a.from.Y, a.to.X-a.from.X)*180/math.Pi+360, 360)})
	}
	if !m.heads {
		v.add(shafts, object{"type": "rule", "color": color, "opacity": alpha, "strokeWidth": orElse(m.width, 1.2)}, v.ends())
	}
	enc := v.xy()
	enc["angle"] = object{"field": "angle", "type": "quantitative", "scale": nil}
	v.add(heads, object{"type": "point", "shape": "triangle", "filled": true, "size": 24, "color": color, "opacity": alpha}, enc)
}
