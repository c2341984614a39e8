package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/keyed"
)

// heatKind is the kind of marks that show the cells of a matrix or a field, in colors.
type heatKind struct{ basic }

var heat kind = &heatKind{basic{traits{
	name: "heat map", chart: "heat map", part: "colored cells",
	options: "Scheme",
	series:  true, field: true,
}}}

// fieldData holds the fields specific to heat maps, contours and regions.
type fieldData struct {
	field Field
	level []float64 // of contours
	sure  []float64 // of regions: how sure each cell's class is, in [0, 1]
}

func (m *mark) asField() *fieldData { return own[fieldData](m) }

// Heat adds a matrix as colored cells, the first row on top. The cells of a small matrix also show
// their values as numbers.
func (c *Chart) Heat(z any) *Chart {
	if v := reflect.ValueOf(z); v.Kind() == reflect.Map {
		entries := keyed.Sorted(v)
		if maps, ok := innerMaps(entries); ok {
			t, columns, err := tableOfMaps("Heat", maps)
			if err != nil {
				c.fail(err)
				return c
			}
			c.Heat(t)
			c.x.levels, c.x.given, c.y.levels, c.y.given = columns, true, namesOf(entries), true
			return c
		}
	}
	m, err := matrixOf("Heat", "z", z)
	if err != nil {
		c.fail(err)
		return c
	}
	r, k := m.Dims()
	if r < 1 || k < 1 {
		return c.add(mark{kind: points}) // the empty frame
	}
	f := Field{NX: k, NY: r, X0: -0.5, X1: float64(k) - 0.5, Y0: -0.5, Y1: float64(r) - 0.5, Z: make([]float64, 0, r*k)}
	for i := range r {
		for j := range k {
			f.Z = append(f.Z, m.At(i, j))
		}
	}
	c.y.reverse = true
	c.x.whole, c.y.whole = true, true
	return c.add(mark{kind: heat, style: style{scheme: figure.Viridis}, own: &fieldData{field: f}})
}

// HeatField adds a field as colored cells, without numbers in them.
func (c *Chart) HeatField(f Field) *Chart {
	if err := f.check("HeatField"); err != nil {
		c.fail(err)
		return c
	}
	return c.add(mark{kind: heat, style: style{scheme: figure.Viridis}, own: &fieldData{field: f}})
}

// Heatmap draws a matrix as colored cells, the first row on top. A map of maps of numbers has a row
// for each key and a column for each inner key. Heatmap(f, "row", "column", "value") for a frame
// shows the mean of the values in each cell. Without a column of values, it shows the number of
// rows.
func Heatmap(z ...any) *Chart {
	c, data := dataOf(z)
	if c.data != nil || len(data) > 1 {
		return c.heatColumns(data)
	}
	if len(data) == 0 {
		c.fail(errors.New("chart.Heatmap: the matrix must not be nil"))
		return c
	}
	return c.Heat(data[0])
}

// heatColumns adds cells for the pairs of two columns of classes: the mean of a third column,
// another aggregate set by Aggregate, or the number of rows.
func (c *Chart) heatColumns(data []any) *Chart {
	if len(data) < 2 || len(data) > 3 {
		c.fail(fmt.Errorf("chart.Heatmap: name the columns for the rows and the columns of the map, and optionally one for the values, got %d names", len(data)))
		return c
	}
	var cols [2]column
	for i, what := range []string{"rows", "columns"} {
		col, err := c.column("Heatmap", what, data[i])
		named, ok := col.named()
		if err == nil && !ok {
			err = fmt.Errorf("chart.Heatmap: %s must be names or whole numbers, got other numbers or times", what)
		}
		if err == nil && i == 1 && len(col.v) != len(cols[0].v) {
			err = fmt.Errorf("chart.Heatmap: the rows and the columns must have the same length, got %d and %d", len(cols[0].v), len(col.v))
		}
		if err != nil {
			c.fail(err)
			return c
		}
		cols[i] = named
	}
	values := make([]float64, len(cols[0].v))
	name := ""
	if len(data) == 3 {
		col, err := c.column("Heatmap", "values", data[2])
		if err == nil && (col.levels != nil || len(col.v) != len(values)) {
			err = fmt.Errorf("chart.Heatmap: the values must be %d numbers", len(values))
		}
		if err != nil {
			c.fail(err)
			return c
		}
		values, name = col.v, col.name
	}
	rows, columns := cols[0], cols[1]
	if len(rows.levels) == 0 || len(columns.levels) == 0 {
		return c.add(mark{kind: points}) // the empty frame
	}
	m := mark{kind: heat, x: columns.v, y: rows.v, value: values, style: style{scheme: figure.Viridis}, means: means{yName: name, how: mean}}
	if len(data) == 2 {
		m.how, m.scheme = count, figure.Blues
	}
	c.x.whole, c.y.whole, c.y.reverse = true, true, true
	c.add(m)
	c.x.levels, c.x.given, c.y.levels, c.y.given = columns.levels, columns.given(), rows.levels, rows.given()
	c.x.defaultTitle, c.y.defaultTitle = columns.name, rows.name
	return c
}

// cellParts makes the cells of a heat map of rows.
func (m mark) cellParts(c *Chart) []mark {
	r, k := len(c.y.levels), len(c.x.levels)
	groups := make([][]float64, r*k)
	left := 0
	for i, z := range m.value {
		a, b := m.y[i], m.x[i]
		if !(a >= 0 && b >= 0) || !isFinite(z) {
			left++
			continue
		}
		cell := int(a)*k + int(b)
		groups[cell] = append(groups[cell], z)
	}
	field := Field{NX: k, NY: r, X0: -0.5, X1: float64(k) - 0.5, Y0: -0.5, Y1: float64(r) - 0.5, Z: make([]float64, r*k)}
	for i, g := range groups {
		switch {
		case m.how == count:
			field.Z[i] = float64(len(g))
		case len(g) == 0:
			field.Z[i] = math.NaN()
		default:
			field.Z[i], _ = aggregate(m.how, g)
		}
	}
	if c.legendTitle == "" && m.how == count {
		c.legendTitle = count
	} else if c.legendTitle == "" && m.yName != "" {
		c.legendTitle = m.how + " of " + m.yName
	}
	return []mark{{kind: heat, own: &fieldData{field: field}, style: style{scheme: m.scheme}, left: m.left + left, span: m.span, part: m.part}}
}

// manyCells is the maximum number of cells of a heat map that are drawn as shapes.
const manyCells = 2500

func (p *panel) heat(f *figure.Figure, m *mark) {
	g := m.asField().field
	lo, hi := m.valueRange(g.Z)
	if lo > hi {
		return
	}
	if g.NX*g.NY > manyCells {
		p.cells(f, g, func(k int) figure.Color { return m.paint(g.Z[k], lo, hi) })
		return
	}
	snap := func(x float64) float64 { return math.Round(2*x) / 2 }
	dx, dy := (g.X1-g.X0)/float64(g.NX), (g.Y1-g.Y0)/float64(g.NY)
	// Cells that can be counted have gaps between them.
	cw, ch := p.cellSize(g)
	apart := g.X0 == -0.5 && cw >= 22 && ch >= 14
	texts, font := annotation(g, cw, ch)
	for j := range g.NY {
		for i := range g.NX {
			z := g.Z[j*g.NX+i]
			a := p.pt(g.X0+dx*float64(i), g.Y0+dy*float64(j))
			b := p.pt(g.X0+dx*float64(i+1), g.Y0+dy*float64(j+1))
			x0, x1 := snap(math.Max(p.area.x0, math.Min(a.X, b.X))), snap(math.Min(p.area.x1, math.Max(a.X, b.X)))
			y0, y1 := snap(math.Max(p.area.y0, math.Min(a.Y, b.Y))), snap(math.Min(p.area.y1, math.Max(a.Y, b.Y)))
			if !(x0 < x1 && y0 < y1) {
				continue
			}
			c := m.paint(z, lo, hi)
			if c.A == 0 {
				c = figure.Shade()
			}
			// Cells overlap slightly, since viewers would show gaps as lines.
			right, bottom := math.Min(x1+0.5, p.area.x1), math.Min(y1+0.5, p.area.y1)
			if apart {
				right, bottom = x1-1, y1-1
			}
			f.Rect(x0, y0, right-x0, bottom-y0, 0, figure.Style{Fill: c})
			if texts != nil {
				f.Label((x0+x1)/2, (y0+y1)/2+0.36*font.Size, texts[j*g.NX+i], figure.TextStyle{Font: font, Color: figure.On(c), Anchor: figure.Middle})
			}
		}
	}
}

// cellSize returns the width and height of the cells of a field in pixels.
func (p *panel) cellSize(g Field) (w, h float64) {
	dx, dy := (g.X1-g.X0)/float64(g.NX), (g.Y1-g.Y0)/float64(g.NY)
	return p.area.w() * dx / (p.x.hi - p.x.lo), p.area.h() * dy / (p.y.hi - p.y.lo)
}

// annotation writes the values of all cells of the given size, or none if they do not all fit at a
// legible size.
func annotation(g Field, cw, ch float64) ([]string, figure.Font) {
	largest := figure.Font{Size: math.Max(11, math.Min(15, 0.2*math.Min(cw, ch)))}
	if g.X0 != -0.5 || cw < 18 || ch < 12 || g.NX*g.NY > 400 {
		return nil, largest
	}
	for digits := 2; digits >= 1; digits-- {
		texts := make([]string, len(g.Z))
		whole := wholeNumbers(g.Z)
		widest := 0.0
		lo, hi := bounds(g.Z)
		for k, z := range g.Z {
			if math.Abs(z) < 1e-12*math.Max(-lo, hi) {
				z = 0 // a rounding error
			}
			texts[k] = cellText(z, whole, digits)
			widest = math.Max(widest, largest.Width(texts[k]))
		}
		if size := math.Min(largest.Size, largest.Size*(cw-2)/widest); size >= 8 {
			return texts, figure.Font{Size: size}
		}
	}
	return nil, largest
}

// cellText formats the value of a cell: as a whole number if all values are whole, otherwise with
// decimals. Very large and very small values have a power of ten.
func cellText(z float64, whole bool, digits int) string {
	abs := math.Abs(z)
	switch {
	case !isFinite(z):
		return "–"
	case whole && abs < 1e6:
		return minus(thousands(strconv.FormatFloat(z, 'f', 0, 64)))
	case abs >= 1e4 || z != 0 && abs < 1e-4:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(z, 'e', 1, 64), "e")
		e, _ := strconv.Atoi(exponent)
		return minus(mantissa) + "×10" + superscript(e)
	case z != 0 && abs < 0.5*math.Pow10(-digits):
		return minus(strconv.FormatFloat(z, 'g', 1, 64))
	case abs >= 1000:
		return minus(strconv.FormatFloat(z, 'f', 0, 64))
	case abs >= 100:
		return minus(strconv.FormatFloat(z, 'f', min(digits, 1), 64))
	}
	return minus(strconv.FormatFloat(z, 'f', digits, 64))
}

// numbers writes the values of a small heat map into its cells.
func (v *vegaPanel) numbers(m *mark) {
	lo, hi := m.valueRange(m.asField().field.Z)
	cw, ch := v.cellSize(m.asField().field)
	texts, font := annotation(m.asField().field, cw, ch)
	if texts == nil {
		return
	}
	var rows []any
	for k, z := range m.asField().field.Z {
		i, j := k%m.asField().field.NX, k/m.asField().field.NX
		x, y := m.asField().field.Center(i, j)
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

// heatFinding returns the size of the grid and where its extremes are.
func (p *panel) heatFinding(i int) string {
	g := p.c.marks[i].asField().field
	if g.NX*g.NY > 400 {
		return "" // single cells of a fine grid have no meaning
	}
	top, low := -1, -1
	for k, z := range g.Z {
		if !isFinite(z) {
			continue
		}
		if top < 0 || z > g.Z[top] {
			top = k
		}
		if low < 0 || z < g.Z[low] {
			low = k
		}
	}
	if top < 0 {
		return ""
	}
	x0, y0 := g.Center(top%g.NX, top/g.NX)
	x1, y1 := g.Center(low%g.NX, low/g.NX)
	columns, rows, z := p.whereXs(x0, x1), p.c.y.together(p.ye.hi-p.ye.lo, y0, y1), together(g.Z[top]-g.Z[low], g.Z[top], g.Z[low])
	for i, y := range []float64{y0, y1} {
		if r := int(math.Round(y)); p.c.y.levels != nil && r >= 0 && r < len(p.c.y.levels) {
			rows[i] = p.c.y.levels[r]
		}
	}
	return fmt.Sprintf("%d rows of %d cells, largest at %s, %s (%s), smallest at %s, %s (%s)", g.NY, g.NX, rows[0], columns[0], z[0], rows[1], columns[1], z[1])
}

// heatLayer adds the cells of a heat map; a fine grid is coarsened. Cells without a value
// are gray.
func (v *vegaPanel) heatLayer(m *mark) {
	g := m.asField().field
	nx, ny := v.coarse(g)
	var rows, missing []any
	for j := range ny {
		for i := range nx {
			row := object{"k": j*nx + i}
			if z := g.coarseAt(i, j, nx, ny); isFinite(g.Z[z]) {
				row["value"] = g.Z[z]
				rows = append(rows, row)
			} else {
				missing = append(missing, row)
			}
		}
	}
	enc := v.ends()
	if lo, hi := m.valueRange(g.Z); lo <= hi {
		enc["color"] = v.quantity(m, "value", lo, hi)
	}
	v.heatCells(rows, g, nx, ny, enc)
	if missing != nil {
		v.heatCells(missing, g, nx, ny, v.ends())
		last := v.layers[len(v.layers)-1].(object)
		mk := last["mark"].(object)
		mk["color"], mk["tooltip"] = guide.PageColor(figure.Shade()), nil
		delete(last["encoding"].(object), "tooltip")
	}
	if g.X0 == -0.5 && g.NX*g.NY <= 200 {
		v.numbers(m)
	}
}

// heatCells adds the layer of the cells in rows.
func (v *vegaPanel) heatCells(rows []any, g Field, nx, ny int, enc object) {
	tips := []tip{{field: "value", kind: "quantitative", title: orText(v.c.legendTitle, "value")}}
	if v.c.x.levels != nil && v.c.y.levels != nil && g.X0 == -0.5 {
		tips = append([]tip{v.tip("column", "x"), v.tip("row", "y")}, tips...)
	}
	// Cells that can be counted have gaps between them; others overlap, since browsers would show
	// gaps as lines.
	wider := 0.5
	if cw, ch := v.cellSize(g); g.X0 == -0.5 && cw >= 22 && ch >= 14 {
		wider = -1
	}
	v.cells(rows, g, nx, ny, v.widened(object{"type": "rect"}, wider), enc, tips...)
}

// widened moves the right and the lower borders of the rectangles of a mark.
func (v *vegaPanel) widened(mk object, by float64) object {
	h, l := v.scales()
	across, down := "x", "y"
	if h.to > h.from {
		across = "x2"
	}
	if l.to > l.from {
		down = "y2"
	}
	mk[across+"Offset"], mk[down+"Offset"] = by, by
	return mk
}

// takes reports whether an option applies; cells of columns, whose rows share cells, take
// Aggregate too.
func (k *heatKind) takes(m *mark, option string) bool {
	return k.basic.takes(m, option) || option == "Aggregate" && m.value != nil
}

func (*heatKind) rowwise(m *mark) bool { return m.value != nil }

func (k *heatKind) noRows(m *mark, verb string) error {
	if verb == "Facet" {
		return errors.New("chart.Facet: a heat map of a matrix has no rows that could be labeled; give columns of a frame: Heatmap(f, row, column, value).Facet(label), or put several heat maps into a Grid")
	}
	return k.basic.noRows(m, verb)
}

func (*heatKind) label(_ *mark, verb string, _ column) error {
	return fmt.Errorf("chart.%s: the colors of a heat map show its values; draw a panel for each class with Facet", verb)
}

func (*heatKind) ownLevels(m *mark) bool { return m.value == nil }

func (k *heatKind) move(m *mark, to []int, x bool) {
	if m.value != nil {
		k.basic.move(m, to, x)
		return
	}
	moved := m.asField().field.moved(to, x)
	edit(m, func(d *fieldData) { d.field = moved })
}

func (*heatKind) named(m *mark, a *axis, x bool) error {
	n, what := m.asField().field.NY, "rows"
	if x {
		n, what = m.asField().field.NX, "columns"
	}
	if m.asField().field.X0 == -0.5 && n != len(a.asked) {
		return fmt.Errorf("chart.%s: there are %d names for %d %s", a.askedBy, len(a.asked), n, what)
	}
	return nil
}

func (*heatKind) parts(m mark, c *Chart) ([]mark, error) {
	if m.value != nil {
		return m.cellParts(c), nil
	}
	return m.byClass(c)
}

func (*heatKind) draw(p *panel, f *figure.Figure, m *mark, _ int, _ look) { p.heat(f, m) }
func (*heatKind) cover(p *panel, m *mark, _ int)                          { p.coverField(m.asField().field) }

// outside counts the cells of a matrix that fixed axes hide.
func (*heatKind) outside(p *panel, m *mark, _ int, in inside) (n int, _ bool) {
	g := m.asField().field
	for k, z := range g.Z {
		x, y := g.Center(k%g.NX, k/g.NX)
		if isFinite(z) && (!in(&p.x, x) || !in(&p.y, y)) {
			n++
		}
	}
	return n, false
}

func (*heatKind) raster(m *mark) (covered, cells bool) { return true, m.asField().field.X0 == -0.5 }
func (*heatKind) quantity(m *mark) []float64           { return m.asField().field.Z }
func (*heatKind) continuous(*mark) bool                { return true }

func (*heatKind) explain(l *explaining, m *mark, _ int) {
	if lo, hi := m.valueRange(m.asField().field.Z); lo <= hi && l.bar == nil {
		l.bar = &colorBar{m.scheme, lo, hi, wholeNumbers(m.asField().field.Z)}
	}
}

func (*heatKind) dot(d *dotting, m *mark, _ int) { d.shade(m, 1) }
func (*heatKind) finding(p *panel, i int) string { return p.heatFinding(i) }

func (*heatKind) layer(v *vegaPanel, m *mark, _ int, _ vegaLook) { v.heatLayer(m) }
