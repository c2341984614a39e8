package chart

import (
	"fmt"
	"math"

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
	var rows []any
	for j := range ny {
		for i := range nx {
			k := (j*g.NY/ny)*g.NX + i*g.NX/nx
			z := g.Z[k]
			if !isFinite(z) {
				continue
			}
			row := object{"k": j*nx + i}
			if m.kind == heat {
				row["value"] = z
			} else if c := int(z); c >= 0 {
				row["class"] = fmt.Sprint(c)
				if c < len(m.names) {
					row["class"] = m.names[c]
				}
				row["sure"] = 1.0
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
		v.cells(rows, g, nx, ny, enc)
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
	enc["opacity"] = object{"field": "sure", "type": "quantitative", "legend": nil, "scale": object{"domain": []any{0, 1}, "range": []any{0.08, 0.42}}}
	v.cells(rows, g, nx, ny, enc)
}

// cells adds the layer of a field's cells, whose places are worked out from their numbers.
func (v *vegaPanel) cells(rows []any, g Field, nx, ny int, enc object) {
	v.add(rows, object{"type": "rect"}, enc)
	layer := v.layers[len(v.layers)-1].(object)
	transform, _ := layer["transform"].([]any)
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
	layer["transform"] = transform
}

// numbers writes the values of a small heat map into its cells.
func (v *vegaPanel) numbers(m *mark) {
	lo, hi := m.valueRange(m.field.Z)
	whole := wholeNumbers(m.field.Z)
	var rows []any
	for k, z := range m.field.Z {
		if isFinite(z) {
			i, j := k%m.field.NX, k/m.field.NX
			x, y := m.field.Center(i, j)
			rows = append(rows, object{"x": x, "y": y, "text": cellText(z, whole, 2), "ink": figure.Hex(figure.On(m.paint(z, lo, hi)))})
		}
	}
	enc := v.ends()
	delete(enc, "x2")
	delete(enc, "y2")
	enc["text"] = object{"field": "text", "type": "nominal"}
	enc["color"] = object{"field": "ink", "type": "nominal", "scale": nil}
	v.add(rows, object{"type": "text"}, enc)
}

func (v *vegaPanel) vectorLayers(m *mark, enc object) {
	longest := 0.0
	w, h := v.x.hi-v.x.lo, v.y.hi-v.y.lo
	for i := range m.x {
		if l := math.Hypot(m.u[i]/w, m.v[i]/h); isFinite(l) {
			longest = math.Max(longest, l)
		}
	}
	if longest == 0 {
		return
	}
	unit := 0.9 / math.Sqrt(float64(len(m.x))) / longest
	var rows []any
	for i := range m.x {
		if isFinite(m.x[i]) && isFinite(m.y[i]) && isFinite(m.u[i]) && isFinite(m.v[i]) {
			rows = append(rows, object{"x": m.x[i], "y": m.y[i], "x2": m.x[i] + unit*m.u[i], "y2": m.y[i] + unit*m.v[i],
				"angle": math.Mod(90-math.Atan2(m.v[i]/h, m.u[i]/w)*180/math.Pi+360, 360)})
		}
	}
	enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
	color := guide.PageColor(figure.Frame())
	if m.color != nil {
		color = guide.PageColor(*m.color)
	}
	v.add(rows, object{"type": "rule", "color": color}, enc)
	tip := v.xy()
	tip["x"].(object)["field"], tip["y"].(object)["field"] = "x2", "y2"
	tip["angle"] = object{"field": "angle", "type": "quantitative", "scale": nil}
	v.add(rows, object{"type": "point", "shape": "triangle", "filled": true, "size": 24, "color": color}, tip)
}
