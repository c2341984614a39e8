package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// rowwise reports whether the mark has a row of data for each x, so that rows can be
// told apart by a label.
func (m *mark) rowwise() bool {
	switch m.kind {
	case contour, region, rule:
		return false
	case heat:
		return m.value != nil
	case box:
		return m.groups == nil
	}
	return m.f == nil
}

// label returns each row of the mark the class or the value that the labels say.
func (m *mark) label(verb string, col column) error {
	if m.kind == heat {
		return fmt.Errorf("chart.%s: the colors of a heat map show its values; draw a panel for each class with Facet", verb)
	}
	var ok bool
	if m.class, m.names, ok = col.classes(); ok {
		m.given = col.given()
		return nil
	}
	if m.kind != points {
		return fmt.Errorf("chart.%s: the labels measure something, and a %s has no continuous colors; give classes: strings, or whole numbers", verb, m.kind)
	}
	m.value, m.scheme = col.v, figure.Viridis
	return nil
}

// named returns a column of classes with their names as levels.
func (c column) named() (column, bool) {
	if c.levels != nil {
		return c, true
	}
	class, names, ok := c.classes()
	if !ok {
		return c, false
	}
	v := make([]float64, len(class))
	for i, k := range class {
		v[i] = float64(k)
	}
	return column{v: v, levels: names, name: c.name, counted: true}, true
}

// checkRows reports why the mark cannot be labelled with n labels.
func (m *mark) checkRows(verb string, n int) error {
	switch {
	case m.kind == box && !m.rowwise():
		return fmt.Errorf("chart.%s: these boxes are groups already; give the values and a label for each: BoxPlot(values).By(labels)", verb)
	case !m.rowwise():
		return fmt.Errorf("chart.%s: a %s has no rows that could be labelled", verb, m.kind)
	case n != len(m.x):
		return fmt.Errorf("chart.%s: there are %d labels for %d points", verb, n, len(m.x))
	}
	return nil
}

// expanded returns the chart as it is drawn: marks of several classes that are not
// points become a mark for each, and what is aggregated is.
func (c *Chart) expanded() (*Chart, error) {
	d := *c
	d.marks = nil
	marks := slices.Clone(c.marks)
	d.nameSeries(marks)
	d.marks = marks
	if err := d.order(); err != nil {
		return nil, err
	}
	d.marks = nil
	d.marks = marks
	asked := d
	d.marks = nil
	for _, m := range marks {
		parts, err := m.parts(&d)
		if err != nil {
			return nil, err
		}
		d.marks = append(d.marks, parts...)
	}
	asked.marks = d.marks
	if err := asked.unfit(marks); err != nil {
		return nil, err
	}
	if len(marks) > 1 {
		d.marks = slices.DeleteFunc(d.marks, func(m mark) bool { return m.summary })
	}
	if err := d.pileUp(); err != nil {
		return nil, err
	}
	return &d, nil
}

// nameSeries names marks by their columns where several share the y axis.
func (c *Chart) nameSeries(marks []mark) {
	first, several := "", false
	for i := range marks {
		if name := marks[i].yName; name != "" {
			several = several || first != "" && first != name
			if first == "" {
				first = name
			}
		}
	}
	if !several {
		return
	}
	if c.y.defaultTitle == first {
		c.y.defaultTitle = ""
	}
	for i := range marks {
		if marks[i].name == "" && marks[i].class == nil {
			marks[i].name = marks[i].yName
		}
	}
}

// parts returns the marks as which a mark is drawn.
func (m mark) parts(c *Chart) ([]mark, error) {
	if parts, ok, err := m.estimated(c); ok {
		return parts, err
	}
	switch {
	case m.kind == box && m.groups == nil:
		return m.boxParts(c)
	case m.kind == points:
		return []mark{m.known()}, nil
	case m.kind == heat && m.value != nil:
		return m.cellParts(c), nil
	case m.kind == slope:
		return m.slopeParts(c)
	case m.kind == parallel:
		return m.parallelParts(), nil
	case m.class == nil:
		one, err := m.aggregated(c)
		return []mark{one}, err
	}
	if m.color != nil {
		return nil, errors.New("chart.Color: a mark that By splits has a color for each class; leave Color out")
	}
	left := 0
	for _, k := range m.class {
		if k < 0 {
			left++
		}
	}
	parts := make([]mark, len(m.names))
	for k, name := range m.names {
		part := m.subset(func(i int) bool { return m.class[i] == k })
		color := figure.Class(k)
		part.class, part.names, part.name, part.color, part.series = nil, nil, name, &color, k+1
		one, err := part.aggregated(c)
		if err != nil {
			return nil, err
		}
		parts[k] = one
	}
	if len(parts) > 0 {
		parts[0].left += left
	}
	return parts, nil
}

// known leaves the points out that have no class or no size.
func (m mark) known() mark {
	keep := func(i int) bool {
		return (m.class == nil || m.class[i] >= 0) && (m.size == nil || isFinite(m.size[i]))
	}
	left := 0
	for i := range m.x {
		if !keep(i) {
			left++
		}
	}
	if left == 0 {
		return m
	}
	part := m.subset(keep)
	part.left += left
	return part
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
		part := mark{kind: box, name: name, color: m.color, alpha: m.alpha, width: m.width, half: 0.28, beside: beside}
		if m.class != nil {
			color := figure.Class(k)
			part.color = &color
		}
		if beside {
			part.half = math.Min(0.28, 0.42*width)
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
				j = len(part.groups)
				at[x] = j
				offset := 0.0
				if beside {
					offset = width * (float64(k) - float64(len(classes)-1)/2)
				}
				part.x, part.groups = append(part.x, x+offset), append(part.groups, nil)
			}
			part.groups[j] = append(part.groups[j], m.y[i])
		}
		part.left, unknown = part.left+unknown, 0
		parts = append(parts, part)
	}
	return parts, nil
}
