package chart

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// slopeKind is the kind of marks that show lines between a few moments, with names at their ends.
type slopeKind struct{ basic }

var slope kind = &slopeKind{basic{traits{
	name: "slope", chart: "slope chart", part: "slopes",
	options: "Radius Width Opacity Dashed ByClass",
	series:  true, cycles: true,
}}}

// slopeData holds the fields specific to slopes.
type slopeData struct {
	moments int // number of moments, if the slopes are slices
}

func (m *mark) asSlope() *slopeData { return own[slopeData](m) }

// Slope shows how several things changed between a few points in time, as lines with names at their
// ends. Write Slope(names, before, after) for slices. For a frame, Slope(f, "year",
// "rate").By("land") shows the mean rate of each land in each year. A line is blue if it rises from
// the first to the last point in time, red if it falls, and gray if both values are equal.
func Slope(data ...any) *Chart {
	c, args := dataOf(data)
	if c.data != nil {
		if len(args) != 2 {
			c.fail(fmt.Errorf("chart.Slope: name one column for the moments and one for the values, and then call By, got %d columns", len(args)))
			return c
		}
		return c.slopeColumns(args[0], args[1])
	}
	if len(args) != 3 {
		c.fail(fmt.Errorf("chart.Slope: give names, and their values before and after, got %d arguments", len(args)))
		return c
	}
	names, err := c.column("Slope", "the names", args[0])
	if err == nil && names.levels == nil {
		err = errors.New("chart.Slope: the names must be strings")
	}
	m := mark{kind: slope, class: []int{}, own: &slopeData{moments: 2}}
	for k := range 2 {
		col, err2 := c.column("Slope", "the values", args[k+1])
		if err2 == nil && len(col.v) != len(names.v) {
			err2 = fmt.Errorf("chart.Slope: there are %d names for %d values", len(names.v), len(col.v))
		}
		if err = errors.Join(err, err2); err != nil {
			c.fail(err)
			return c
		}
		for i, y := range col.v {
			m.x, m.y = append(m.x, float64(k)), append(m.y, y)
			m.class = append(m.class, int(names.v[i]))
		}
	}
	m.names, m.given = names.levels, true
	c.x.levels, c.y.hidden = []string{"before", "after"}, true
	return c.add(m)
}

// slopeColumns adds the slopes of the rows of a table.
func (c *Chart) slopeColumns(when, value any) *Chart {
	at, err := c.column("Slope", "the moments", when)
	named, ok := at.named()
	if err == nil && !ok {
		err = errors.New("chart.Slope: the moments must be names or whole numbers, got other numbers or times")
	}
	if err == nil && (len(named.levels) < 2 || len(named.levels) > 6) {
		err = fmt.Errorf("chart.Slope: there are %d moments; give 2 to 6, or draw lines with Plot", len(named.levels))
	}
	y, err2 := c.column("Slope", "the values", value)
	if err2 == nil && (y.levels != nil || y.times) {
		err2 = errors.New("chart.Slope: the values must be numbers")
	}
	if err = errors.Join(err, err2); err != nil {
		c.fail(err)
		return c
	}
	c.x.levels, c.x.given, c.y.hidden = named.levels, named.given(), true
	return c.add(mark{kind: slope, x: named.v, y: y.v, means: means{yName: y.name}})
}

// slopeParts returns the lines, the points and the names of slopes.
func (m mark) slopeParts(c *Chart) ([]mark, error) {
	if m.class == nil {
		return nil, errors.New("chart.Slope: call By with the column that names the lines, as in Slope(f, moments, values).By(names)")
	}
	if len(m.names) > 60 {
		return nil, fmt.Errorf("chart.Slope: %d lines cannot be told apart; give at most 60", len(m.names))
	}
	last := float64(len(c.x.levels) - 1)
	c.noLegend = true
	var parts []mark
	amount := guide.Amounts(m.y)
	ends := mark{kind: texts, own: &textsData{ends: true}}
	for k, name := range m.names {
		one := m.subset(func(i int) bool { return m.class[i] == k })
		one.class, one.names, one.kind, one.how, one.bare, one.name = nil, nil, line, mean, true, name
		one, err := one.aggregated(c)
		if err != nil {
			return nil, err
		}
		one.lo, one.hi, one.yName = nil, nil, ""
		n := len(one.x)
		if n == 0 {
			parts = append(parts, one)
			continue
		}
		color := figure.Soft()
		if n > 1 && one.y[n-1] > one.y[0] {
			color = figure.Class(0)
		} else if n > 1 && one.y[n-1] < one.y[0] {
			color = figure.Class(1)
		}
		one.color = &color
		dots := one
		dots.kind, dots.name = points, ""
		parts = append(parts, one, dots)
		for i, x := range one.x {
			if x != 0 && x != last && n > 2 {
				continue
			}
			ends.x, ends.y = append(ends.x, x), append(ends.y, one.y[i])
			ends.labels = append(ends.labels, name+"  "+amount(one.y[i]))
		}
	}
	return append(parts, ends), nil
}

// endMargin is the part of the space between the end of a slope and the edge of its panel that the
// label leaves free.
const endMargin = 22

// widenForEnds moves the first and the last moment inwards to make room for the names and values
// there, but only until the names of the moments would touch. In a narrow panel, names are at the
// last moment only.
func (p *panel) widenForEnds() {
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if !m.asTexts().ends {
			continue
		}
		w, n := p.area.w(), float64(len(p.c.x.levels))
		whole := textWidth(m.labels) + endMargin
		room := w - (n-1)*(textWidth(p.c.x.levels)+10)
		left, right := whole, whole
		unnamed := 2*whole > room
		edit(m, func(t *textsData) { t.unnamed = unnamed })
		if unnamed {
			left = 0
			for _, s := range m.labels {
				_, value := cutLabel(s)
				left = math.Max(left, tickFont.Width(value)+endMargin)
			}
			left = math.Min(left, room/2)
			right = math.Min(whole, room-left)
		}
		half := w / (2 * n) // space of one moment
		if left = math.Max(left, half); left == half && right <= half {
			continue
		}
		right = math.Max(right, half)
		units := (n - 1) / (1 - (left+right)/w) // units in the whole width
		p.x.lo, p.x.hi = -units*left/w, n-1+units*right/w
	}
}

// cutLabel returns the name and the value of a label.
func cutLabel(label string) (name, value string) {
	i := strings.LastIndex(label, "  ")
	return label[:i], label[i+2:]
}

// endLabel writes a name and a value into the room: in one line, or with the value below the name.
// The value is never cut; a name that is too long is.
func endLabel(label string, room float64) []string {
	if tickFont.Width(label) <= room {
		return []string{label}
	}
	name, value := cutLabel(label)
	return []string{tickFont.Fit(name, room), value}
}

// endLabels writes names outside of the first and the last position without overlaps.
func (p *panel) endLabels(f canvas, m *mark) {
	last := float64(len(p.c.x.levels) - 1)
	for _, end := range []float64{0, last} {
		var rows []int
		for i, x := range m.x {
			if x == end {
				rows = append(rows, i)
			}
		}
		sort.SliceStable(rows, func(a, b int) bool { return m.y[rows[a]] > m.y[rows[b]] })
		at := make([]float64, len(rows))
		for k, i := range rows {
			at[k] = p.pt(m.x[i], m.y[i]).Y
		}
		texts, lines := p.endTexts(m, rows, end)
		spread(at, nameLine*float64(lines), p.area.y0, p.area.y1)
		for k, i := range rows {
			q := p.pt(m.x[i], m.y[i])
			style := figure.TextStyle{Font: tickFont, Color: figure.Ink(), Anchor: figure.Start}
			side := 1.0
			if end == 0 {
				side, style.Anchor = -1, figure.End
			}
			if math.Abs(at[k]-q.Y) > 3 {
				f.Line(q.X+5*side, q.Y, q.X+9*side, at[k], figure.Style{Stroke: figure.Frame(), Width: 0.6})
			}
			y := at[k] + labelMiddle - nameLine*float64(len(texts[k])-1)/2
			for _, s := range texts[k] {
				f.Label(q.X+11*side, y, s, style)
				y += nameLine
			}
		}
	}
}

// hasLast reports whether the slope of a name has a label at the last moment.
func (m *mark) hasLast(name string) bool {
	for i, s := range m.labels {
		if other, _ := cutLabel(s); other == name && m.x[i] > 0 {
			return true
		}
	}
	return false
}

// endTexts returns the lines of the labels at one end, and the largest number of lines of a label.
func (p *panel) endTexts(m *mark, rows []int, end float64) (texts [][]string, lines int) {
	at := p.pt(end, 0).X
	room := p.area.x1 - at - 10
	if end == 0 {
		room = at - p.area.x0 - 10
	}
	lines = 1
	for _, i := range rows {
		label := endLabel(m.labels[i], room)
		if name, value := cutLabel(m.labels[i]); end == 0 && m.asTexts().unnamed && m.hasLast(name) {
			label = []string{value}
		}
		texts, lines = append(texts, label), max(lines, len(label))
	}
	return texts, lines
}

func (*slopeKind) parts(m mark, c *Chart) ([]mark, error) { return m.slopeParts(c) }
