package chart

import (
	"fmt"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// vegaLook is the color, the channels and the line properties of a mark in a specification.
type vegaLook struct {
	tint        figure.Color
	color       string
	enc, stroke object
}

// layer adds the layers of one mark.
func (v *vegaPanel) layer(m *mark, i int) {
	order := v.order(i)
	l := vegaLook{tint: m.colorOf(order), enc: v.xy()}
	l.color = guide.PageColor(l.tint)
	side := ""
	if v.right {
		side = "right"
	}
	v.name = fmt.Sprintf("%smark%d_%d", side, v.index+1, i)
	v.series = ""
	if ch := v.nameChannel(m); ch != nil {
		l.enc["color"] = ch
		v.series = m.name
	}
	l.stroke = object{"type": "line", "color": l.color, "strokeWidth": orElse(m.width, 1.8), "opacity": orElse(m.alpha, 1)}
	if dash := dashes[m.dashes(order)]; dash != nil {
		l.stroke["strokeDash"] = dash
	}
	m.kind.layer(v, m, i, l)
}

// xyOf returns the channels of both axes, with the color from other channels.
func (v *vegaPanel) xyOf(enc object) object {
	own := v.xy()
	if enc["color"] != nil {
		own["color"] = enc["color"]
	}
	return own
}

// canvas is the drawing surface for texts.
type canvas interface {
	Label(x, y float64, text string, s figure.TextStyle)
	Line(x0, y0, x1, y1 float64, s figure.Style)
	Rect(x, y, w, h, round float64, s figure.Style)
}

// writing records the texts that are drawn.
type writing struct {
	labels []written
	lines  [][4]float64
}

type written struct {
	x, y  float64
	text  string
	style figure.TextStyle
}

func (w *writing) Label(x, y float64, text string, s figure.TextStyle) {
	w.labels = append(w.labels, written{x, y, text, s})
}

func (w *writing) Line(x0, y0, x1, y1 float64, _ figure.Style) {
	w.lines = append(w.lines, [4]float64{x0, y0, x1, y1})
}

func (*writing) Rect(_, _, _, _, _ float64, _ figure.Style) {}

// back returns the data values at a pixel.
func (v *vegaPanel) back(px, py float64) (x, y any) {
	if v.transposed {
		return position(&v.c.x, v.x.value(py)), position(&v.c.y, v.y.value(px))
	}
	return position(&v.c.x, v.x.value(px)), position(&v.c.y, v.y.value(py))
}

// written adds the texts of the drawing, with the lines to their points.
func (v *vegaPanel) written(draw func(c canvas)) {
	var w writing
	draw(&w)
	var rows []any
	for _, l := range w.lines {
		x, y := v.back(l[0], l[1])
		x2, y2 := v.back(l[2], l[3])
		rows = append(rows, object{"x": x, "y": y, "x2": x2, "y2": y2})
	}
	if rows != nil {
		v.add(rows, object{"type": "rule", "color": guide.PageColor(figure.Frame()), "strokeWidth": 0.8, "clip": false}, v.ends())
	}
	type look struct {
		anchor figure.Anchor
		size   float64
		color  figure.Color
	}
	var looks []look
	of := map[look][]any{}
	for _, l := range w.labels {
		k := look{l.style.Anchor, l.style.Size, l.style.Color}
		if of[k] == nil {
			looks = append(looks, k)
		}
		x, y := v.back(l.x, l.y)
		of[k] = append(of[k], object{"x": x, "y": y, "text": l.text})
	}
	for _, k := range looks {
		enc := v.xy()
		enc["text"] = object{"field": "text", "type": "nominal"}
		align := map[figure.Anchor]string{figure.Start: "left", figure.Middle: "center", figure.End: "right"}[k.anchor]
		v.add(of[k], object{"type": "text", "align": align, "baseline": "alphabetic", "fontSize": k.size, "color": guide.PageColor(k.color), "clip": false}, enc)
	}
}
