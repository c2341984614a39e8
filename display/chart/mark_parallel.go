package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// parallelKind is the kind of marks that show lines across an axis for each column.
type parallelKind struct{ basic }

var parallel kind = &parallelKind{basic{traits{
	name: "parallel coordinates", chart: "parallel coordinates", part: "parallel coordinates",
	options: "Name Color ClassColor Width Opacity Dashed ByClass",
	series:  true, cycles: true,
}}}

// parallelData holds the fields specific to parallel coordinates.
type parallelData struct {
	axes []column
}

func (m *mark) asParallel() *parallelData { return own[parallelData](m) }

// mostParallel is the maximum number of rows that are drawn as lines.
const mostParallel = 5000

// ParallelCoordinates draws a parallel axis for each column and, across these axes, a line for each
// row. Call ParallelCoordinates(X) for a matrix, or ParallelCoordinates(f, "a", "b", "c") for a
// frame, whose columns can also hold names. Each axis has its own scale, from the smallest to the
// largest value of its column. By colors the lines by classes. A missing value breaks a line.
func ParallelCoordinates(data ...any) *Chart {
	c, args := dataOf(data)
	var cols []column
	if len(args) == 1 && isMatrix(args[0]) {
		m, err := matrixOf("ParallelCoordinates", "X", args[0])
		if err != nil {
			c.fail(err)
			return c
		}
		_, k := m.Dims()
		names, _ := args[0].(columnNamer)
		for j := range k {
			col := column{v: columnAt(m, j), name: guide.Feature(j)}
			if names != nil && j < len(names.ColumnNames()) {
				col.name = names.ColumnNames()[j]
			}
			cols = append(cols, col)
		}
	} else {
		for _, a := range args {
			col, err := c.column("ParallelCoordinates", "an axis", a)
			if err != nil {
				c.fail(err)
				return c
			}
			if col.name == "" {
				col.name = guide.Feature(len(cols))
			}
			cols = append(cols, col)
		}
	}
	return c.parallelOf(cols)
}

func (c *Chart) parallelOf(cols []column) *Chart {
	if len(cols) < 2 || len(cols) > 30 {
		c.fail(fmt.Errorf("chart.ParallelCoordinates: there are %d columns; give 2 to 30", len(cols)))
		return c
	}
	m := mark{kind: parallel, x: make([]float64, len(cols[0].v))}
	for i := range m.x {
		m.x[i] = float64(i)
	}
	if len(m.x) > mostParallel {
		c.fail(fmt.Errorf("chart.ParallelCoordinates: %d lines cannot be told apart; give at most %d, such as a sample", len(m.x), mostParallel))
		return c
	}
	c.x.levels, c.x.given = nil, true
	for _, col := range cols {
		if len(col.v) != len(m.x) {
			c.fail(fmt.Errorf("chart.ParallelCoordinates: %q has %d values, %q has %d; they must be equally many", col.name, len(col.v), cols[0].name, len(m.x)))
			return c
		}
		c.x.levels = append(c.x.levels, col.name)
	}
	m.own = &parallelData{axes: cols}
	c.y.hidden = true
	return c.add(m)
}

// parallelParts returns the lines of each class, the axes and their ticks.
func (m mark) parallelParts() []mark {
	units := make([][]float64, len(m.asParallel().axes)) // of each axis, its values in [0, 1]
	ticks := mark{kind: texts, own: &textsData{ticks: true}}
	frame := figure.Frame()
	axes := mark{kind: rule, own: &ruleData{upright: true}, style: style{color: &frame, width: 1}}
	for j, col := range m.asParallel().axes {
		lo, hi := finiteSpan(col.v)
		if col.levels != nil {
			lo, hi = -0.5, float64(len(col.levels))-0.5
		}
		units[j] = make([]float64, len(col.v))
		for i, v := range col.v {
			units[j][i] = math.NaN()
			if isFinite(v) && !(col.levels != nil && v < 0) {
				units[j][i] = (v - lo) / (hi - lo)
			}
		}
		axes.x = append(axes.x, float64(j))
		at, labels := col.axisTicks(lo, hi)
		for k, t := range at {
			ticks.x, ticks.y = append(ticks.x, float64(j)), append(ticks.y, (t-lo)/(hi-lo))
			ticks.labels = append(ticks.labels, labels[k])
		}
	}
	names := m.names
	if m.class == nil {
		names = []string{m.name}
	}
	parts := make([]mark, len(names), len(names)+2)
	for k, name := range names {
		color := figure.Class(k)
		if m.class == nil && m.color != nil {
			color = *m.color
		}
		parts[k] = mark{kind: line, style: style{dash: m.dash, color: &color, width: orElse(m.width, 1.2), alpha: orElse(m.alpha, math.Max(0.15, math.Min(0.6, 60/float64(len(m.x)+1))))}, name: name, own: &lineData{computed: true}}
	}
	left := 0
	for i, row := range m.x {
		k := 0
		if m.class != nil {
			k = m.class[i]
		}
		if k < 0 {
			left++
			continue
		}
		part := &parts[k]
		for j := range m.asParallel().axes {
			part.x, part.y = append(part.x, float64(j)), append(part.y, units[j][int(row)])
		}
		part.x, part.y = append(part.x, math.NaN()), append(part.y, math.NaN())
	}
	if len(parts) > 0 {
		parts[0].left = left
	}
	return append(parts, axes, ticks)
}

// axisTicks returns ticks of a column with their labels.
func (c column) axisTicks(lo, hi float64) (at []float64, labels []string) {
	switch {
	case c.levels != nil:
		for i := range c.levels {
			at = append(at, float64(i))
		}
		return at, c.levels
	case c.times:
		at, labels, unit := clock{c.zone, c.mixed}.ticks(lo, hi, 5)
		if unit != "" && len(labels) > 0 {
			labels[0] += " (" + unit + ")"
		}
		return at, labels
	}
	at = guide.Ticks(lo, hi, 5)
	labels, unit := guide.Labels(at, math.Max(math.Abs(lo), math.Abs(hi)))
	if unit != "" && len(labels) > 0 {
		labels[len(labels)-1] += " " + unit
	}
	return at, labels
}

// tickLabels writes the tick labels of vertical axes beside them.
func (p *panel) tickLabels(f canvas, m *mark) {
	for i, s := range m.labels {
		q := p.pt(m.x[i], m.y[i])
		w := tickFont.Width(s)
		f.Line(q.X-4, q.Y, q.X, q.Y, figure.Style{Stroke: figure.Frame(), Width: 0.8})
		f.Rect(q.X-w-9, q.Y-7, w+4, 14, 2, figure.Style{Fill: figure.Opacity(figure.Paper(), 0.75)})
		f.Label(q.X-7, q.Y+labelMiddle, s, figure.TextStyle{Font: tickFont, Color: figure.Ink(), Anchor: figure.End})
	}
}

// finiteSpan returns the range of the finite values of a column. If there is only one value, the
// range is around it.
func finiteSpan(v []float64) (lo, hi float64) {
	lo, hi = bounds(v)
	switch {
	case lo > hi:
		return 0, 1
	case lo == hi:
		return lo - math.Max(1, math.Abs(lo)/10), hi + math.Max(1, math.Abs(hi)/10)
	}
	return lo, hi
}

func (*parallelKind) ownLevels(*mark) bool { return true }

// empty reports whether the axes have no rows.
func (*parallelKind) empty(m *mark) bool { return len(m.x) == 0 }

func (*parallelKind) move(m *mark, to []int, _ bool) {
	axes := make([]column, len(m.asParallel().axes))
	for i, k := range to {
		axes[k] = m.asParallel().axes[i]
	}
	m.own = &parallelData{axes: axes}
}

func (*parallelKind) named(*mark, *axis, bool) error { return nil }

func (*parallelKind) parts(m mark, _ *Chart) ([]mark, error) { return m.parallelParts(), nil }
