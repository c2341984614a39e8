package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// boxKind is the kind of marks that show box plots.
type boxKind struct{ basic }

var box kind = &boxKind{basic{traits{
	name: "box", chart: "box plot", part: "boxes",
	options: "Name Color ClassColor Width Opacity ByClass",
	series:  true, cycles: true, unpaired: true, lies: true,
}}}

// boxData holds the fields specific to boxes.
type boxData struct {
	groups    [][]float64
	half      float64 // half of the width of boxes
	beside    bool    // they are beside the boxes of other classes
	ungrouped bool    // boxes of rows without groups
}

func (m *mark) asBox() *boxData { return own[boxData](m) }

// Box adds a box plot for each group: a box between the quartiles with a line at the median.
// Whiskers reach to the furthest value within 1.5 times the length of the box from its end, and
// points show the values beyond the whiskers. The groups are a matrix (one box for each column), a
// slice of slices, or a map of slices of numbers (in the order of its keys). Names names the boxes
// of a matrix or a slice of slices. One slice of numbers is one box, which By splits into one box
// per class. A slice of groups and a slice of values, or the names of such columns, make a box for
// each group.
func (c *Chart) Box(data ...any) *Chart {
	if len(data) == 0 || len(data) > 2 {
		c.fail(fmt.Errorf("chart.Box: give groups, values, or the group of each value and the values, got %d arguments", len(data)))
		return c
	}
	if len(data) == 2 || isColumn(data[0]) {
		return c.boxRows(data)
	}
	m, b, named := mark{kind: box}, &boxData{half: 0.28}, false
	m.own = b
	switch g := data[0].(type) {
	case [][]float64:
		b.groups = g
	default:
		if v := reflect.ValueOf(g); v.Kind() == reflect.Map {
			var err error
			if b.groups, m.labels, err = mapGroups("Box", v); err != nil {
				c.fail(err)
				return c
			}
			named = true
			break
		}
		t, err := matrixOf("Box", "groups", g)
		if err != nil {
			c.fail(err)
			return c
		}
		_, cols := t.Dims()
		for j := range cols {
			b.groups = append(b.groups, columnAt(t, j))
		}
		if n, ok := g.(columnNamer); ok {
			m.labels, named = n.ColumnNames(), true
		}
	}
	for i := range b.groups {
		m.x = append(m.x, float64(i))
		if i >= len(m.labels) {
			m.labels = append(m.labels, fmt.Sprint(i+1))
		}
	}
	c.x.levels, c.x.given = append([]string(nil), m.labels...), named
	return c.add(m)
}

// BoxPlot draws a box for each group of values. The groups are a map of slices of numbers, the
// columns of a matrix, a slice of slices, or a slice of groups with a slice of values. For a frame,
// pass names of columns: BoxPlot(f, "zone", "fare"). For one slice, or one column, BoxPlot draws
// one box, which By splits by class.
func BoxPlot(groups ...any) *Chart {
	c, data := dataOf(groups)
	return c.Box(data...)
}

// boxRows adds boxes of values with a group for each, or of values without groups.
func (c *Chart) boxRows(data []any) *Chart {
	values, err := c.column("Box", "the values", data[len(data)-1])
	if err == nil && values.levels != nil {
		err = errors.New("chart.Box: the values must be numbers, got names")
	}
	if err != nil {
		c.fail(err)
		return c
	}
	m := mark{kind: box, x: make([]float64, len(values.v)), y: c.y.take(values), own: &boxData{ungrouped: len(data) == 1}}
	if len(data) == 1 {
		name := "1"
		if values.name != "" {
			name, c.y.defaultTitle = values.name, ""
		}
		m.labels = []string{name}
		c.x.levels = []string{name}
		return c.add(m)
	}
	groups, err := c.column("Box", "the groups", data[0])
	if err == nil && len(groups.v) != len(values.v) {
		err = fmt.Errorf("chart.Box: there are %d groups for %d values", len(groups.v), len(values.v))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	groups, ok := groups.named()
	if !ok {
		c.fail(errors.New("chart.Box: the groups must be names or whole numbers, got other numbers or times"))
		return c
	}
	m.x = c.x.take(groups)
	return c.add(m)
}

// boxParts returns the boxes of rows: one at each x, or, where the rows have classes,
// one for each class, beside each other if several have rows at one x.
func (m mark) boxParts(c *Chart) ([]mark, error) {
	classes := m.names
	if m.class == nil {
		classes = []string{m.name}
	}
	m.alone(c)
	beside := m.class != nil && m.meet()
	width := 0.8 / float64(len(classes))
	var parts []mark
	unknown := m.left
	for _, k := range m.class {
		if k < 0 {
			unknown++
		}
	}
	for k, name := range classes {
		b := &boxData{half: 0.28, beside: beside}
		part := mark{kind: box, name: name, style: style{color: m.color, alpha: m.alpha, width: m.width}, own: b}
		if m.class != nil {
			color := figure.Class(k)
			part.color = &color
		}
		if beside {
			b.half = math.Min(0.28, 0.42*width)
		}
		at := map[float64]int{}
		for i, x := range m.x {
			if m.class != nil && m.class[i] != k {
				continue
			}
			if !isFinite(x) {
				part.left++
				continue
			}
			j, ok := at[x]
			if !ok {
				j = len(b.groups)
				at[x] = j
				offset := 0.0
				if beside {
					offset = width * (float64(k) - float64(len(classes)-1)/2)
				}
				part.x, b.groups = append(part.x, x+offset), append(b.groups, nil)
			}
			b.groups[j] = append(b.groups[j], m.y[i])
		}
		part.left, unknown = part.left+unknown, 0
		parts = append(parts, part)
	}
	return parts, nil
}

func (p *panel) boxes(f *figure.Figure, m *mark, color figure.Color) {
	ink := figure.Style{Stroke: figure.Opacity(figure.Mix(color, figure.Ink(), 0.35), orElse(m.alpha, 1)), Width: orElse(m.width, 1.2)}
	for k, g := range m.asBox().groups {
		v := finiteSorted(g, p.c.y.log)
		if len(v) == 0 {
			continue
		}
		b := boxOf(v)
		lo, q1, q2, q3, hi := b.lo, b.q1, b.q2, b.q3, b.hi
		at, half := m.x[k], m.asBox().half
		p.segment(f, p.pt(at, lo), p.pt(at, q1), ink)
		p.segment(f, p.pt(at, q3), p.pt(at, hi), ink)
		p.segment(f, p.pt(at-half/2, lo), p.pt(at+half/2, lo), ink)
		p.segment(f, p.pt(at-half/2, hi), p.pt(at+half/2, hi), ink)
		style := ink
		style.Fill = figure.Opacity(figure.Mix(figure.Paper(), color, 0.45), orElse(m.alpha, 1))
		if q1 == q3 {
			p.segment(f, p.pt(at-half, q1), p.pt(at+half, q1), ink)
		} else {
			p.bar(f, at-half, at+half, q1, q3, style)
		}
		median := ink
		median.Width = ink.Width + 1
		p.segment(f, p.pt(at-half, q2), p.pt(at+half, q2), median)
		drawn := 0
		for _, x := range v {
			if (x < lo || x > hi) && drawn < manyPoints {
				if q := p.pt(at, x); p.area.contains(q.X, q.Y) {
					f.Marker(q.X, q.Y, 3.2, figure.Circle, figure.Style{Stroke: ink.Stroke, Width: ink.Width})
					drawn++
				}
			}
		}
	}
}

// finiteSorted returns the values that can be drawn, ascending.
func finiteSorted(g []float64, log bool) []float64 {
	var v []float64
	for _, x := range g {
		if isFinite(x) && !(log && x <= 0) {
			v = append(v, x)
		}
	}
	sort.Float64s(v)
	return v
}

// boxed is the summary of a sample that a box plot shows.
type boxed struct{ lo, q1, q2, q3, hi float64 }

// boxOf returns the quartiles of ascending values, and the furthest values within 1.5 interquartile
// ranges of the outer quartiles (J. W. Tukey, 1977).
func boxOf(v []float64) boxed {
	b := boxed{q1: quantile(v, 0.25), q2: quantile(v, 0.5), q3: quantile(v, 0.75)}
	fence := 1.5 * (b.q3 - b.q1)
	b.lo, b.hi = b.q1, b.q3
	for _, x := range v {
		if x >= b.q1-fence {
			b.lo = math.Min(b.lo, x)
			break
		}
	}
	for i := len(v) - 1; i >= 0; i-- {
		if v[i] <= b.q3+fence {
			b.hi = math.Max(b.hi, v[i])
			break
		}
	}
	return b
}

// boxLayer adds the boxes of groups of values: whiskers, boxes, medians, and the values
// beyond the whiskers.
func (v *vegaPanel) boxLayer(m *mark, color figure.Color) {
	ink := guide.PageColor(figure.Mix(color, figure.Ink(), 0.35))
	var boxes, whiskers, ends, medians, far []any
	line := func(x0, x1, y0, y1 float64) object {
		return object{"x": position(&v.c.x, x0), "x2": position(&v.c.x, x1), "y": position(&v.c.y, y0), "y2": position(&v.c.y, y1)}
	}
	half := m.asBox().half
	for k, g := range m.asBox().groups {
		sorted := finiteSorted(g, v.c.y.log)
		if len(sorted) == 0 {
			continue
		}
		b, at := boxOf(sorted), m.x[k]
		whiskers = append(whiskers, line(at, at, b.lo, b.q1), line(at, at, b.q3, b.hi))
		ends = append(ends, line(at-half/2, at+half/2, b.lo, b.lo), line(at-half/2, at+half/2, b.hi, b.hi))
		row := line(at-half, at+half, b.q1, b.q3)
		for f, y := range map[string]float64{"least": b.lo, "q1": b.q1, "median": b.q2, "q3": b.q3, "most": b.hi} {
			row[f] = position(&v.c.y, y)
		}
		row["values"] = len(sorted)
		row["at"] = at
		boxes = append(boxes, row)
		medians = append(medians, line(at-half, at+half, b.q2, b.q2))
		drawn := 0
		for _, y := range sorted {
			if (y < b.lo || y > b.hi) && drawn < manyPoints {
				far = append(far, object{"x": position(&v.c.x, at), "y": position(&v.c.y, y)})
				drawn++
			}
		}
	}
	stroke := func(width float64) object {
		return object{"type": "rule", "color": ink, "strokeWidth": width, "opacity": orElse(m.alpha, 1)}
	}
	width := orElse(m.width, 1.2)
	series := v.series
	v.series = ""
	v.add(whiskers, stroke(width), v.ends())
	v.add(ends, stroke(width), v.ends())
	v.series = series
	enc := v.ends()
	rect := object{"type": "rect", "fill": guide.PageColor(color), "fillOpacity": 0.45 * orElse(m.alpha, 1), "stroke": ink, "strokeWidth": width}
	if series != "" {
		enc["fill"] = v.nameChannel(m)
		delete(rect, "fill")
	}
	tips := []tip{v.tip("at", "x")}
	for _, f := range []string{"most", "q3", "median", "q1", "least"} {
		tips = append(tips, v.tip(f, "y").called(f))
	}
	tips = append(tips, tip{field: "values", kind: "quantitative", title: "values"})
	v.add(boxes, rect, enc, tips...)
	v.series = ""
	v.add(medians, stroke(width+1), v.ends())
	if far != nil {
		v.add(far, object{"type": "point", "filled": false, "size": math.Round(math.Pi * 3.2 * 3.2), "color": ink, "strokeWidth": width, "opacity": orElse(m.alpha, 1)}, v.xy(), v.places()...)
	}
}

// boxFinding returns the medians.
func (p *panel) boxFinding(i int) string {
	m := &p.c.marks[i]
	var at []string
	var middles []float64
	for k, g := range m.asBox().groups {
		var v []float64
		for _, y := range g {
			if isFinite(y) {
				v = append(v, y)
			}
		}
		if len(v) > 0 {
			sort.Float64s(v)
			at, middles = append(at, p.whereX(m.x[k])), append(middles, quantile(v, 0.5))
		}
	}
	if len(middles) == 0 {
		return ""
	}
	medians := p.c.y.together(p.ye.hi-p.ye.lo, middles...)
	for k := range medians {
		medians[k] = at[k] + " " + medians[k]
	}
	return "medians: " + firstNames(medians)
}

func (*boxKind) rowwise(m *mark) bool { return m.asBox().groups == nil }

func (*boxKind) noRows(_ *mark, verb string) error {
	if verb == "Facet" {
		return errors.New("chart.Facet: these boxes already show groups; give the values and a label for each: BoxPlot(f, group, value).Facet(label)")
	}
	return fmt.Errorf("chart.%s: these boxes already show groups; give the values and a label for each: BoxPlot(values).By(labels)", verb)
}

// rename names the boxes on the x axis, unless they have classes.
func (k *boxKind) rename(c *Chart, m *mark, names []string) error {
	if m.class != nil {
		return k.basic.rename(c, m, names)
	}
	c.x.asked, c.x.askedBy = names, "Names"
	return nil
}

func (*boxKind) parts(m mark, c *Chart) ([]mark, error) {
	if m.asBox().groups == nil {
		return m.boxParts(c)
	}
	return m.byClass(c)
}

func (*boxKind) draw(p *panel, f *figure.Figure, m *mark, _ int, l look) { p.boxes(f, m, l.color) }

func (*boxKind) cover(p *panel, m *mark, _ int) {
	for k, g := range m.asBox().groups {
		p.xe.cover(math.Round(m.x[k])-0.5, math.Round(m.x[k])+0.5, false)
		p.coverY(g, true)
		for _, v := range g {
			p.count(float64(k+1), v)
		}
	}
}

func (*boxKind) outside(p *panel, m *mark, _ int, in inside) (n int, cut bool) {
	for k, g := range m.asBox().groups {
		for _, y := range g {
			if !in(&p.y, y) || k < len(m.x) && !in(&p.x, m.x[k]) {
				n++
			}
		}
	}
	return n, false
}

func (*boxKind) dot(d *dotting, m *mark, _ int) {
	for k, g := range m.asBox().groups {
		for _, v := range g {
			d.set(m.x[k], v)
		}
	}
}

func (*boxKind) finding(p *panel, i int) string { return p.boxFinding(i) }

func (*boxKind) layer(v *vegaPanel, m *mark, _ int, l vegaLook) { v.boxLayer(m, l.tint) }
