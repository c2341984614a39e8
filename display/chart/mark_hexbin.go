package chart

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// hexbinKind is the kind of marks that show rows counted in hexagons.
type hexbinKind struct{ basic }

var hexbin kind = &hexbinKind{basic{traits{
	name: "hexagonal binning", chart: "hexagonal binning", part: "hexagons",
	options: "Scheme Opacity Bins Aggregate",
	series:  true, cycles: true,
}}}

// hexbinData holds the fields specific to hexbin marks.
type hexbinData struct {
	values []float64 // values whose aggregate colors the hexagons; nil for counts
	grid   *hexGrid  // the grid, if several panels share it
}

func (d *hexbinData) subset(n int, keep func(int) bool) any {
	out := *d
	out.values = kept(d.values, n, keep)
	return &out
}

func (m *mark) asHexbin() *hexbinData { return own[hexbinData](m) }

// Hexbin counts points in hexagons: Hexbin(x, y), or Hexbin(f, "x", "y") for a frame. The color of
// a hexagon can show the mean of a third variable; see [Chart.Hexbin].
func Hexbin(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Hexbin(data...)
}

// Hexbin adds hexagons colored by the number of rows in them, or by the mean of a third variable;
// Aggregate sets another aggregate. Empty hexagons are not drawn. Bins sets the number of hexagons
// in a row.
func (c *Chart) Hexbin(data ...any) *Chart {
	if len(data) < 2 || len(data) > 3 {
		c.fail(fmt.Errorf("chart.Hexbin: give x and y, and optionally the values to color by, got %d variables", len(data)))
		return c
	}
	xs, ys, ok := c.twoVariables("Hexbin", data[0], data[1])
	if !ok {
		return c
	}
	c.x.whole, c.y.whole = false, false
	m := mark{kind: hexbin, x: xs, y: ys, means: means{how: count}, style: style{scheme: figure.Blues}}
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
		m.how, m.est.what, m.scheme = mean, col.name, figure.Viridis
		m.own = &hexbinData{values: col.v}
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
	g := m.asHexbin().grid
	if g == nil {
		g = m.hexGrid(c)
	}
	values := rows.asHexbin().values
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
		if values != nil {
			v = values[i]
		}
		if !isFinite(v) {
			left.notFinite++
			continue
		}
		groups[at] = append(groups[at], v)
	}
	part := mark{kind: hexes, own: &hexesData{dx: g.dx, dy: g.dy}, style: style{scheme: m.scheme, alpha: m.alpha}}
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
		if values != nil && m.how != count {
			c.legendTitle = m.how + " of " + m.est.what
		}
	}
	return said([]mark{part}, left, nil), nil
}

// hexGrid lays hexagons over all rows that can be drawn.
func (m mark) hexGrid(c *Chart) *hexGrid {
	rows, _ := m.finiteRows(c)
	g := newHexGrid(logs(rows.x, c.x.log), logs(rows.y, c.y.log), m.est.bins, c.ratio())
	return &g
}

// ratio returns the approximate aspect ratio (width/height) of the chart's plot area.
func (c *Chart) ratio() float64 {
	if c.shape > 0 {
		return c.shape
	}
	w, h := c.size()
	return math.Max(0.2, (w-150)/math.Max(40, h-80))
}

// hexGrid is a tiling by hexagons that stand on a corner. The rows are at multiples of dy, and
// every other row is shifted by half of dx.
type hexGrid struct{ x0, y0, dx, dy float64 }

type hexCell struct{ i, j int }

// newHexGrid lays n hexagons side by side over the data; if n is 0, the number follows the rule of
// D. Freedman and P. Diaconis (1981) for a normal variable, limited to 8 to 50.
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
	// The distance between rows of regular hexagons is √3/2 of the distance within a row.
	rows := math.Max(1, math.Round(float64(n)/ratio*2/math.Sqrt(3)))
	g.dy = (y1 - y0) / rows
	return g
}

// cell returns the hexagon with the center nearest to a point, in the two rows around it.
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

// facet lays one tiling over the rows of all panels.
func (*hexbinKind) facet(m *mark, c *Chart) {
	g := m.hexGrid(c)
	edit(m, func(d *hexbinData) { d.grid = g })
}

func (*hexbinKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.hexParts) }
