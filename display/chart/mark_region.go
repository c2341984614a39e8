package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// regionKind is the kind of marks that show the cells of a field, colored by class.
type regionKind struct{ basic }

var region kind = &regionKind{basic{traits{
	name: "region", chart: "map of regions", part: "regions",
	series: true, field: true,
}}}

// Region colors each cell of a field by its class in Z: 0, 1, 2 ..., or -1 for no class. sure, if
// not nil, holds the certainty of each cell's class, from 0 (pale) to 1 (full color). Names names
// the classes.
func (c *Chart) Region(f Field, sure []float64) *Chart {
	err := f.check("Region")
	if err == nil && sure != nil && len(sure) != len(f.Z) {
		err = fmt.Errorf("chart.Region: sure has %d values for %d cells", len(sure), len(f.Z))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: region, own: &fieldData{field: f, sure: sure}})
}

func (p *panel) region(f *figure.Figure, m *mark) {
	p.cells(f, m.asField().field, func(k int) figure.Color {
		z := m.asField().field.Z[k]
		if !isFinite(z) || z < 0 {
			return figure.Paper()
		}
		t := 0.3
		if m.asField().sure != nil && isFinite(m.asField().sure[k]) {
			t = 0.08 + 0.34*math.Max(0, math.Min(1, m.asField().sure[k]))
		}
		return figure.Mix(figure.Paper(), figure.Class(int(z)), t)
	})
}

// regionLayer adds the cells of regions; a fine grid is coarsened.
func (v *vegaPanel) regionLayer(m *mark) {
	g := m.asField().field
	nx, ny := v.coarse(g)
	var rows []any
	for j := range ny {
		for i := range nx {
			k := g.coarseAt(i, j, nx, ny)
			if !isFinite(g.Z[k]) || int(g.Z[k]) < 0 {
				continue
			}
			c := int(g.Z[k])
			row := object{"k": j*nx + i, "class": fmt.Sprint(c)}
			if c < len(m.names) {
				row["class"] = m.names[c]
			}
			if m.asField().sure != nil && isFinite(m.asField().sure[k]) {
				row["sure"] = m.asField().sure[k]
			}
			rows = append(rows, row)
		}
	}
	enc := v.ends()
	color := object{"field": "class", "type": "nominal", "scale": v.colorScale(), "legend": v.legendTitle()}
	if len(v.named.domain) == 0 {
		var colors []any
		for k := range 12 {
			colors = append(colors, figure.Hex(figure.Class(k)))
		}
		color["scale"] = object{"range": colors}
	}
	enc["color"] = color
	cell := object{"type": "rect"}
	if m.asField().sure != nil {
		enc["opacity"] = object{"field": "sure", "type": "quantitative", "legend": nil, "scale": object{"domain": []any{0, 1}, "range": []any{0.08, 0.42}}}
	} else {
		cell["opacity"] = 0.3
	}
	v.cells(rows, g, nx, ny, cell, enc, tip{field: "class", kind: "nominal", title: "class"})
}

func (*regionKind) rowwise(*mark) bool { return false }

func (*regionKind) rename(_ *Chart, m *mark, names []string) error {
	m.names = slices.Clone(names)
	return nil
}

func (*regionKind) named(*mark, *axis, bool) error { return nil }

func (*regionKind) draw(p *panel, f *figure.Figure, m *mark, _ int, _ look) { p.region(f, m) }
func (*regionKind) cover(p *panel, m *mark, _ int)                          { p.coverField(m.asField().field) }

func (*regionKind) raster(*mark) (covered, cells bool) { return true, false }

// explain adds the classes, unless points of the same classes explain both.
func (*regionKind) explain(l *explaining, m *mark, _ int) {
	for _, o := range l.panel.c.marks {
		if o.kind == points && o.class != nil {
			return
		}
	}
	for k, name := range m.names {
		l.add(entry{name: name, color: figure.Class(k), kind: region})
	}
}

func (*regionKind) key(f *figure.Figure, e entry, x, y float64) {
	f.Rect(x+2, y-5, 12, 10, 2, figure.Style{Fill: figure.Mix(figure.Paper(), e.color, 0.4)})
}

// dot shades regions lightly, so that points on them are visible.
func (*regionKind) dot(d *dotting, m *mark, _ int) { d.shade(m, 0.6) }

func (*regionKind) layer(v *vegaPanel, m *mark, _ int, _ vegaLook) { v.regionLayer(m) }
