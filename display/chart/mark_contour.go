package chart

import (
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/display/figure"
)

// contourKind is the kind of marks that show the level lines of a field.
type contourKind struct{ basic }

var contour kind = &contourKind{basic{traits{
	name: "contour", chart: "contour plot", part: "level lines",
	options: "Name Color ClassColor Scheme Width Opacity Dashed",
	series:  true, field: true,
	lined: true,
}}}

// Contour adds the contour lines of the field at the given levels. Without levels, it chooses about
// ten round levels.
func (c *Chart) Contour(f Field, levels ...float64) *Chart {
	err := f.check("Contour")
	if err == nil && (f.NX < 2 || f.NY < 2) {
		err = fmt.Errorf("chart.Contour: the field has %d×%d cells; it needs at least 2×2", f.NX, f.NY)
	}
	if err != nil {
		c.fail(err)
		return c
	}
	if len(levels) == 0 {
		lo, hi := bounds(f.Z)
		for _, t := range niceTicks(lo, hi, 12) {
			if t > lo && t < hi {
				levels = append(levels, t)
			}
		}
	}
	return c.add(mark{kind: contour, style: style{scheme: figure.Viridis}, own: &fieldData{field: f, level: levels}})
}

// Contour draws the level lines of f on a rectangle, at the given levels or at about ten round
// levels.
func Contour(f func(x, y float64) float64, x0, x1, y0, y1 float64, levels ...float64) *Chart {
	return New().Contour(NewField(f, x0, x1, y0, y1, 120), levels...)
}

// contours draws level lines, in the colors of their levels unless the mark has one.
func (p *panel) contours(f *figure.Figure, m *mark, stroke figure.Style) {
	lo, hi := bounds(m.asField().level)
	for _, level := range m.asField().level {
		s := stroke
		s.Width = orElse(m.width, 1.3)
		if m.color == nil {
			s.Stroke = figure.Opacity(m.paint(level, lo, hi), orElse(m.alpha, 1))
		}
		for _, path := range m.asField().field.levelLines(level) {
			p.polyline(f, p.pts(path.x, path.y), s)
		}
	}
}

// contourLayer adds level lines, in the colors of their levels unless the mark has one.
func (v *vegaPanel) contourLayer(m *mark, enc, stroke object) {
	lo, hi := bounds(m.asField().level)
	var rows []any
	id := 0
	for _, level := range m.asField().level {
		for _, path := range m.asField().field.levelLines(level) {
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
	v.add(rows, stroke, enc, tip{field: "level", kind: "quantitative", title: "level"})
}

func (*contourKind) rowwise(*mark) bool { return false }

func (*contourKind) misfit(m *mark) error {
	switch {
	case m.name != "" && m.color == nil:
		return errors.New("chart.Name: the lines have the colors of their levels, which the legend explains; set one color with Color, or set the title of the legend with Legend")
	case m.schemed && m.color != nil:
		return errors.New("chart.Scheme: the lines have one color; leave Color or Scheme out")
	}
	return nil
}

func (*contourKind) named(*mark, *axis, bool) error { return nil }

func (*contourKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) {
	p.contours(f, m, l.stroke)
}
func (*contourKind) cover(p *panel, m *mark, _ int) { p.coverField(m.asField().field) }

func (*contourKind) continuous(m *mark) bool { return m.color == nil }

// explain adds a bar of colors for several levels, which have colors of their own.
func (k *contourKind) explain(l *explaining, m *mark, i int) {
	if len(m.asField().level) < 2 || m.color != nil {
		k.basic.explain(l, m, i)
		return
	}
	if lo, hi := bounds(m.asField().level); lo <= hi && l.bar == nil {
		l.bar = &colorBar{m.scheme, lo, hi, false}
	}
}

func (*contourKind) dot(d *dotting, m *mark, _ int) {
	for _, level := range m.asField().level {
		for _, path := range m.asField().field.levelLines(level) {
			d.polyline(path.x, path.y)
		}
	}
}

func (*contourKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) {
	v.contourLayer(m, l.enc, l.stroke)
}
