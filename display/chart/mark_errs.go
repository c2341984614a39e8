package chart

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// errsKind is the kind of marks that show intervals at places.
type errsKind struct{ basic }

var errs kind = &errsKind{basic{traits{
	name: "errors", chart: "error bars", part: "error bars",
	options: "Name Color ClassColor Width Opacity Dashed ByClass",
	series:  true, cycles: true,
	lined: true,
}}}

// errsData holds the fields specific to error bars.
type errsData struct {
	across bool // the intervals are of x
}

func (m *mark) asErrs() *errsData { return own[errsData](m) }

// Errors adds an error bar from y-e to y+e at each x. Errors(x, y, below, above) draws asymmetric
// bars, from y-below to y+above. If y holds names, the bars are horizontal, around the x at each
// name.
func (c *Chart) Errors(x, y, e any, above ...any) *Chart {
	if len(above) > 1 {
		c.fail(fmt.Errorf("chart.Errors: there must be 3 or 4 arguments (x, y, e, or x, y, below, above), got %d", 3+len(above)))
		return c
	}
	xs, ys, ok := c.pair("Errors", x, y)
	if !ok {
		return c
	}
	errorsOf := func(name string, data any) (column, error) {
		col, err := c.column("Errors", name, data)
		if err == nil && len(col.v) != len(xs) {
			err = fmt.Errorf("chart.Errors: x has %d values, %s has %d; they must be equally long", len(xs), name, len(col.v))
		}
		return col, err
	}
	down, err := errorsOf("e", e)
	up := down
	if err == nil && len(above) == 1 {
		if up, err = errorsOf("above", above[0]); err == nil {
			err = distances(down.v, up.v)
		}
	}
	if err != nil {
		c.fail(err)
		return c
	}
	lo, hi := make([]float64, len(xs)), make([]float64, len(xs))
	across := c.y.levels != nil
	if across && c.x.levels != nil {
		c.fail(errors.New("chart.Errors: x or y must be numbers, got names for both"))
		return c
	}
	for i := range xs {
		middle := ys[i]
		if across {
			middle = xs[i]
		}
		lo[i], hi[i] = middle-math.Abs(down.v[i]), middle+math.Abs(up.v[i])
		if math.IsNaN(lo[i]) || math.IsNaN(hi[i]) {
			lo[i], hi[i] = math.NaN(), math.NaN()
		}
	}
	return c.add(mark{kind: errs, x: xs, y: ys, lo: lo, hi: hi, own: &errsData{across: across}})
}

// distances returns an error if an asymmetric error is negative, since its sign would contradict
// its side.
func distances(below, above []float64) error {
	for i, d := range below {
		if math.Min(d, above[i]) < 0 {
			return fmt.Errorf("chart.Errors: below and above are distances and must not be negative, got %g and %g for row %d", d, above[i], i)
		}
	}
	return nil
}

// errorBars draws intervals with a cap at each end.
func (p *panel) errorBars(f *figure.Figure, m *mark, stroke figure.Style) {
	stroke.Width = orElse(m.width, 1.2)
	for k := range m.x {
		a, b := p.pt(m.x[k], m.lo[k]), p.pt(m.x[k], m.hi[k])
		if m.asErrs().across {
			a, b = p.pt(m.lo[k], m.y[k]), p.pt(m.hi[k], m.y[k])
		}
		p.segment(f, a, b, stroke)
		for _, e := range []figure.Point{a, b} {
			if p.area.contains(e.X, e.Y) {
				if p.transposed != m.asErrs().across {
					f.Line(e.X, e.Y-3, e.X, e.Y+3, stroke)
				} else {
					f.Line(e.X-3, e.Y, e.X+3, e.Y, stroke)
				}
			}
		}
	}
}

// errorLayer adds intervals at places of x.
func (v *vegaPanel) errorLayer(x []float64, m *mark, color string) {
	var rows []any
	for i := range x {
		if isFinite(x[i]) && isFinite(m.lo[i]) && isFinite(m.hi[i]) && !(v.c.y.log && m.lo[i] <= 0) {
			rows = append(rows, object{"x": position(&v.c.x, x[i]), "y": position(&v.c.y, m.lo[i]), "y2": position(&v.c.y, m.hi[i])})
		}
	}
	enc := v.xy()
	enc["y2"] = object{"field": "y2"}
	tips := []tip{v.tip("x", "x"), v.tip("y", "y").called("from"), v.tip("y2", "y").called("to")}
	v.add(rows, object{"type": "rule", "color": color, "strokeWidth": orElse(m.width, 1.2)}, enc, tips...)
	for _, end := range []string{"y", "y2"} {
		caps := make([]any, len(rows))
		for i, r := range rows {
			caps[i] = object{"x": r.(object)["x"], "y": r.(object)[end]}
		}
		orient := "horizontal"
		if v.transposed {
			orient = "vertical"
		}
		v.add(caps, object{"type": "tick", "color": color, "thickness": orElse(m.width, 1.2), "size": 6, "orient": orient}, v.xy())
	}
}

// acrossLayer adds intervals of x.
func (v *vegaPanel) acrossLayer(m *mark, color string) {
	var rows []any
	for i, y := range m.y {
		if isFinite(y) && isFinite(m.lo[i]) && isFinite(m.hi[i]) && !(v.c.x.log && m.lo[i] <= 0) {
			rows = append(rows, object{"y": position(&v.c.y, y), "x": position(&v.c.x, m.lo[i]), "x2": position(&v.c.x, m.hi[i])})
		}
	}
	enc := v.xy()
	enc["x2"] = object{"field": "x2"}
	v.add(rows, object{"type": "rule", "color": color, "strokeWidth": orElse(m.width, 1.2)}, enc, v.tip("y", "y"), v.tip("x", "x").called("from"), v.tip("x2", "x").called("to"))
	for _, end := range []string{"x", "x2"} {
		caps := make([]any, len(rows))
		for i, r := range rows {
			caps[i] = object{"y": r.(object)["y"], "x": r.(object)[end]}
		}
		v.add(caps, object{"type": "tick", "color": color, "thickness": orElse(m.width, 1.2), "size": 6, "orient": "vertical"}, v.xy())
	}
}

func (*errsKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) {
	p.errorBars(f, m, l.stroke)
}

func (*errsKind) cover(p *panel, m *mark, _ int) {
	coverPlaces(p, m)
	for k, x := range m.x {
		if p.count(x, m.y[k]) && math.IsNaN(m.hi[k]) {
			p.leftOut.notFinite++
		}
	}
}

func (*errsKind) outside(p *panel, m *mark, _ int, in inside) (int, bool) {
	p.cutIntervals(m, in)
	return countOutside(p, m, in), false
}

func (*errsKind) avoid(p *panel, m *mark) []figure.Point { return avoidPlaces(p, m, false) }

func (*errsKind) dot(d *dotting, m *mark, _ int) {
	for k := range m.x {
		d.polyline([]float64{m.x[k], m.x[k]}, []float64{m.lo[k], m.hi[k]})
	}
}

func (*errsKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) {
	if m.asErrs().across {
		v.acrossLayer(m, l.color)
	} else {
		v.errorLayer(m.x, m, l.color)
	}
}
