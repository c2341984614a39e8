package chart

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/stat"
)

// planeCells is on how many cells a side a density of two variables is computed.
const planeCells = 128

// insides are the shares of the mass that the contours of a density enclose.
var insides = []float64{0.95, 0.8, 0.65, 0.5, 0.35, 0.2, 0.05}

// KDE2D draws the density of two variables by contours: KDE2D(x, y), or KDE2D(f, "x",
// "y") of a frame; see [Chart.KDE2D].
func KDE2D(data ...any) *Chart {
	c, data := dataOf(data)
	if len(data) != 2 {
		c.fail(fmt.Errorf("chart.KDE2D: %d variables; give x and y", len(data)))
		return c
	}
	return c.KDE2D(data[0], data[1])
}

// KDE2D adds the density of two variables by Gaussian kernels that have the covariance
// of the rows times the square of a factor, n^(-1/6) by Scott's rule. The contours are
// the borders of the regions of highest density that hold 5, 20 ... 95 % of the mass
// (R. J. Hyndman, 1996); Fill fills them. Each class of By has a density of its own, whose
// contours stay lines over the filling.
func (c *Chart) KDE2D(x, y any) *Chart {
	if xs, ys, ok := c.twoVariables("KDE2D", x, y); ok {
		c.x.whole, c.y.whole = false, false
		c.add(mark{kind: plane, x: xs, y: ys, est: estimate{cut: 3}, scheme: figure.Blues})
	}
	return c
}

// planeParts draws the contours of densities.
func (m mark) planeParts(c *Chart) ([]mark, error) {
	all, left := m.eachClass()
	var parts, lines []mark
	var notes []string
	shown := 0
	for _, s := range all {
		rows, bad := s.finiteRows(c)
		left.add(bad)
		f, levels, why := m.est.planeOf(rows.x, rows.y, c.x.log, c.y.log)
		if why != "" {
			if len(rows.x) > 0 || m.class != nil && !m.part {
				notes = append(notes, without("density", s.name, why))
			}
			continue
		}
		shown++
		for i, level := range levels {
			part := s.contour(f, level, c.x.log, c.y.log)
			part.alpha = m.alpha
			if m.class == nil {
				part.name = fmt.Sprintf("%g %%", 100*insides[i])
				color := m.scheme.At(0.3 + 0.65*float64(i)/float64(len(levels)-1))
				part.color = &color
				if m.est.fill {
					part.alpha = orElse(m.alpha, 1)
				}
			} else {
				color := s.color
				part.color = &color
				if i == 0 {
					part.name = s.name
				}
				if m.est.fill {
					part.alpha = orElse(m.alpha, 0.12)
					border := s
					border.est.fill = false
					outline := border.contour(f, level, c.x.log, c.y.log)
					edge := figure.Mix(color, figure.Ink(), 0.15)
					outline.color, outline.width = &edge, orElse(m.width, 1)
					lines = append(lines, outline)
				}
			}
			part.width = orElse(m.width, 1.3)
			parts = append(parts, part)
		}
	}
	if shown == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("chart.KDE2D: %s; show the rows with Points", notes[0])
	}
	if m.class == nil && c.legendTitle == "" {
		c.legendTitle = "share inside"
	}
	if m.class != nil && shown > 0 {
		notes = append(notes, "lines enclose 5, 20, 35, 50, 65, 80 and 95 % of each class")
	}
	return said(append(parts, lines...), left, notes), nil
}

// planeOf computes the density of two variables and the levels of its contours.
func (e estimate) planeOf(x, y []float64, logX, logY bool) (f Field, levels []float64, why string) {
	n := len(x)
	if n < 3 {
		return f, nil, fmt.Sprintf("there are %d rows, and it needs at least 3", n)
	}
	x, y = logs(x, logX), logs(y, logY)
	factor := e.factor(n, 2)
	p := stat.Plane{NX: planeCells, NY: planeCells}
	ends := func(v []float64) (lo, hi float64) {
		lo, hi = bounds(v)
		h := factor * stat.Deviation(v)
		return lo - e.cut*h, hi + e.cut*h
	}
	p.X0, p.X1 = ends(x)
	p.Y0, p.Y1 = ends(y)
	if !(p.X0 < p.X1 && p.Y0 < p.Y1) || !isFinite(p.X1-p.X0) || !isFinite(p.Y1-p.Y0) {
		return f, nil, "a variable has the same value in all rows"
	}
	if err := p.Fill(x, y, factor); err != nil {
		return f, nil, err.Error()
	}
	dx, dy := (p.X1-p.X0)/(planeCells-1)/2, (p.Y1-p.Y0)/(planeCells-1)/2
	f = Field{NX: planeCells, NY: planeCells, X0: p.X0 - dx, X1: p.X1 + dx, Y0: p.Y0 - dy, Y1: p.Y1 + dy, Z: p.Z}
	return f, p.Levels(insides...), ""
}

// logs returns the logarithms of a variable of a logarithmic axis.
func logs(v []float64, log bool) []float64 {
	if !log {
		return v
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Log10(x)
	}
	return out
}

// contour draws one level: lines, or what they enclose.
func (s series) contour(f Field, level float64, logX, logY bool) mark {
	back := func(v []float64, log bool) []float64 {
		if log {
			for i, x := range v {
				v[i] = math.Pow(10, x)
			}
		}
		return v
	}
	if s.est.fill {
		x, y := f.enclosed(level)
		return mark{kind: polygon, x: back(x, logX), y: back(y, logY), plain: true}
	}
	m := mark{kind: line}
	for _, p := range f.levelLines(level) {
		if len(m.x) > 0 {
			m.x, m.y = append(m.x, math.NaN()), append(m.y, math.NaN())
		}
		m.x, m.y = append(m.x, p.x...), append(m.y, p.y...)
	}
	m.x, m.y = back(m.x, logX), back(m.y, logY)
	return m
}

// enclosed returns one outline of the places above a level: all rings, outer ones and
// holes in opposite directions, joined by ways that are gone to and fro.
func (f Field) enclosed(level float64) (x, y []float64) {
	const border = 2
	g := Field{NX: f.NX + 2*border, NY: f.NY + 2*border}
	dx, dy := (f.X1-f.X0)/float64(f.NX), (f.Y1-f.Y0)/float64(f.NY)
	g.X0, g.X1, g.Y0, g.Y1 = f.X0-border*dx, f.X1+border*dx, f.Y0-border*dy, f.Y1+border*dy
	g.Z = make([]float64, g.NX*g.NY) // zeros around close all rings
	for j := range f.NY {
		copy(g.Z[(j+border)*g.NX+border:], f.Z[j*f.NX:(j+1)*f.NX])
	}
	rings := g.levelLines(level)
	for i, r := range rings {
		depth := 0
		for k, other := range rings {
			if k != i && other.holds(r.x[0], r.y[0]) {
				depth++
			}
		}
		turn := r.area() < 0
		for n := range r.x {
			k := n
			if turn != (depth%2 == 1) {
				k = len(r.x) - 1 - n
			}
			x, y = append(x, r.x[k]), append(y, r.y[k])
		}
		if i > 0 {
			x, y = append(x, x[0]), append(y, y[0])
		}
	}
	return x, y
}

// area is the area of a closed line, negative when it goes with the clock.
func (p path) area() float64 {
	sum := 0.0
	for i := range p.x {
		k := (i + 1) % len(p.x)
		sum += p.x[i]*p.y[k] - p.x[k]*p.y[i]
	}
	return sum / 2
}

// holds reports whether a place lies inside of a closed line.
func (p path) holds(x, y float64) bool {
	inside := false
	for i := range p.x {
		k := (i + 1) % len(p.x)
		if (p.y[i] > y) != (p.y[k] > y) && x < p.x[i]+(y-p.y[i])/(p.y[k]-p.y[i])*(p.x[k]-p.x[i]) {
			inside = !inside
		}
	}
	return inside
}

// hexes are hexagons that a value colors.
const hexes kind = "hexagons"

// Hexbin counts points in hexagons: Hexbin(x, y), or Hexbin(f, "x", "y") of a frame. A
// third variable colors them by its mean; see [Chart.Hexbin].
func Hexbin(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Hexbin(data...)
}

// Hexbin adds hexagons that are colored by the number of rows in them, or by the mean
// of a third variable there, or what Aggregate says. Hexagons without a row are left
// out. Bins sets how many stand side by side.
func (c *Chart) Hexbin(data ...any) *Chart {
	if len(data) < 2 || len(data) > 3 {
		c.fail(fmt.Errorf("chart.Hexbin: %d variables; give x and y, and perhaps one that colors", len(data)))
		return c
	}
	xs, ys, ok := c.twoVariables("Hexbin", data[0], data[1])
	if !ok {
		return c
	}
	c.x.whole, c.y.whole = false, false
	m := mark{kind: hexbin, x: xs, y: ys, how: count, scheme: figure.Blues}
	m.scheme.Low = 0.16
	if len(data) == 3 {
		col, err := c.column("Hexbin", "the values", data[2])
		if err == nil && (col.levels != nil || len(col.v) != len(xs)) {
			err = fmt.Errorf("chart.Hexbin: the values must be %d numbers", len(xs))
		}
		if err != nil {
			c.fail(err)
			return c
		}
		m.how, m.v, m.est.what, m.scheme = mean, col.v, col.name, figure.Viridis
	}
	return c.add(m)
}

// hexParts counts rows in hexagons, which are regular where the chart has its usual
// shape.
func (m mark) hexParts(c *Chart) ([]mark, error) {
	if m.class != nil {
		return nil, errors.New("chart.By: hexagons have one color each; draw a panel for each class with Facet")
	}
	rows, left := m.finiteRows(c)
	left.rows += m.left
	if len(rows.x) == 0 {
		return said(nil, left, nil), nil
	}
	x, y := logs(rows.x, c.x.log), logs(rows.y, c.y.log)
	g := m.grid
	if g == nil {
		g = m.hexGrid(c)
	}
	cells, index := map[hexCell]int{}, []hexCell{}
	var groups [][]float64
	for i := range x {
		k := g.cell(x[i], y[i])
		at, ok := cells[k]
		if !ok {
			at = len(index)
			cells[k] = at
			index, groups = append(index, k), append(groups, nil)
		}
		v := 0.0
		if m.v != nil {
			v = rows.v[i]
		}
		if !isFinite(v) {
			left.notFinite++
			continue
		}
		groups[at] = append(groups[at], v)
	}
	part := mark{kind: hexes, u: []float64{g.dx}, v: []float64{g.dy}, scheme: m.scheme, alpha: m.alpha}
	for i, k := range index {
		if len(groups[i]) == 0 {
			continue
		}
		value, _ := aggregate(m.how, groups[i])
		cx, cy := g.center(k)
		part.x, part.y, part.value = append(part.x, cx), append(part.y, cy), append(part.value, value)
	}
	if c.legendTitle == "" {
		c.legendTitle = m.how
		if m.v != nil && m.how != count {
			c.legendTitle = m.how + " of " + m.est.what
		}
	}
	return said([]mark{part}, left, nil), nil
}

// hexGrid lays hexagons over all rows that can be drawn.
func (m mark) hexGrid(c *Chart) *hexGrid {
	rows, _ := m.finiteRows(c)
	g := newHexGrid(logs(rows.x, c.x.log), logs(rows.y, c.y.log), m.bins, c.ratio())
	return &g
}

// ratio is about how much wider than high the data's part of the chart is.
func (c *Chart) ratio() float64 {
	if c.shape > 0 {
		return c.shape
	}
	w, h := c.size()
	return math.Max(0.2, (w-150)/math.Max(40, h-80))
}

// hexGrid is a tiling by hexagons that stand on a corner: rows at multiples of dy, in
// turn shifted by half of dx.
type hexGrid struct{ x0, y0, dx, dy float64 }

type hexCell struct{ i, j int }

// newHexGrid lays n hexagons side by side over the data; without a number as many as the
// rule of D. Freedman and P. Diaconis (1981) gives for a normal variable, 8 to 50.
func newHexGrid(x, y []float64, n int, ratio float64) hexGrid {
	if n <= 0 {
		n = max(8, min(50, int(1.9*math.Cbrt(float64(len(x))))))
	}
	lo, hi := bounds(x)
	y0, y1 := bounds(y)
	if lo == hi {
		hi = lo + 1
	}
	if y0 == y1 {
		y1 = y0 + 1
	}
	g := hexGrid{x0: lo, y0: y0, dx: (hi - lo) / float64(n)}
	// Rows of regular hexagons are √3/2 of their distance in a row apart.
	rows := math.Max(1, math.Round(float64(n)/ratio*2/math.Sqrt(3)))
	g.dy = (y1 - y0) / rows
	return g
}

// cell returns the hexagon with the nearest center, of the two rows around a point.
func (g hexGrid) cell(x, y float64) hexCell {
	u, v := (x-g.x0)/g.dx, (y-g.y0)/g.dy
	j := math.Floor(v)
	best, far := hexCell{}, math.Inf(1)
	for _, row := range [2]float64{j, j + 1} {
		shift := 0.5 * math.Abs(math.Mod(row, 2))
		i := math.Round(u - shift)
		du, dv := u-shift-i, (v-row)*math.Sqrt(3)/2
		if d := du*du + dv*dv; d < far {
			best, far = hexCell{int(i), int(row)}, d
		}
	}
	return best
}

func (g hexGrid) center(k hexCell) (x, y float64) {
	return g.x0 + g.dx*(float64(k.i)+0.5*math.Abs(float64(k.j%2))), g.y0 + g.dy*float64(k.j)
}

// hexCorners are those of a hexagon in units of dx and dy.
var hexCorners = [6][2]float64{{0, 2.0 / 3}, {0.5, 1.0 / 3}, {0.5, -1.0 / 3}, {0, -2.0 / 3}, {-0.5, -1.0 / 3}, {-0.5, 1.0 / 3}}

// corner returns a corner of a hexagon around (x, y) in data, whose logarithms are tiled
// on logarithmic axes.
func (p *panel) corner(m *mark, k, n int) (x, y float64) {
	x, y = m.x[k]+hexCorners[n][0]*m.u[0], m.y[k]+hexCorners[n][1]*m.v[0]
	if p.c.x.log {
		x = math.Pow(10, x)
	}
	if p.c.y.log {
		y = math.Pow(10, y)
	}
	return x, y
}

// hexagons draws them under each other's edge: viewers would show gaps as lines.
func (p *panel) hexagons(f *figure.Figure, m *mark) {
	lo, hi := m.valueRange(m.value)
	for k := range m.x {
		shape := make([]figure.Point, 6)
		for n := range shape {
			x, y := p.corner(m, k, n)
			shape[n] = p.pt(x, y)
		}
		color := m.paint(m.value[k], lo, hi)
		if shape = clipPolygon(shape, p.area); len(shape) > 2 && color.A > 0 {
			f.Polygon(shape, figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 1)), Stroke: figure.Opacity(figure.Mix(color, figure.Paper(), 0.35), orElse(m.alpha, 1)), Width: 0.5})
		}
	}
}

// coverHexagons widens the extents to all corners.
func (p *panel) coverHexagons(m *mark) {
	for k := range m.x {
		for n := range hexCorners {
			x, y := p.corner(m, k, n)
			p.xe.cover(x, x, false)
			p.ye.cover(y, y, false)
		}
	}
}

// middle is the center of a hexagon in data.
func (p *panel) middle(m *mark, k int) (x, y float64) {
	x, y = m.x[k], m.y[k]
	if p.c.x.log {
		x = math.Pow(10, x)
	}
	if p.c.y.log {
		y = math.Pow(10, y)
	}
	return x, y
}

// hexLayer adds hexagons as points of that form.
func (v *vegaPanel) hexLayer(m *mark, enc object) {
	lo, hi := m.valueRange(m.value)
	if !(lo <= hi) {
		return
	}
	var rows []any
	for k := range m.x {
		x, y := v.middle(m, k)
		rows = append(rows, object{"x": x, "y": y, "value": m.value[k]})
	}
	// Forms of points are drawn in a square from -1 to 1.
	x0, y0 := v.corner(m, 0, 4)
	x1, y1 := v.corner(m, 0, 1)
	_, top := v.corner(m, 0, 0)
	width, tall := math.Abs(v.x.at(x1)-v.x.at(x0)), math.Abs(v.y.at(y0)-v.y.at(y1))
	half, end := tall/width, 2*math.Abs(v.y.at(top)-v.y.at(y1))/width+tall/width
	form := fmt.Sprintf("M0,%.3fL1,%.3fL1,%.3fL0,%.3fL-1,%.3fL-1,%.3fZ", -end, -half, half, end, half, -half)
	enc["color"] = v.quantity(m, "value", lo, hi)
	v.add(rows, object{"type": "point", "filled": true, "shape": form, "size": math.Round(width * width), "opacity": orElse(m.alpha, 1)}, enc,
		tip{field: "value", kind: "quantitative", title: orText(v.c.legendTitle, "value")})
}
