package chart

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

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

// checkRows returns an error if the mark cannot be labeled with n labels.
func (m *mark) checkRows(verb string, n int) error {
	switch {
	case !m.kind.rowwise(m):
		return m.kind.noRows(m, verb)
	case n != len(m.x):
		return fmt.Errorf("chart.%s: there are %d labels for %d points", verb, n, len(m.x))
	}
	return nil
}

// expanded returns the chart as it is drawn. Marks other than points become one mark per class, and
// rows are aggregated.
func (c *Chart) expanded() (*Chart, error) {
	d := *c
	d.marks = nil
	marks := slices.Clone(c.marks)
	d.nameSeries(marks)
	d.nameAggregate(marks)
	d.marks = marks
	if err := d.sorted(); err != nil {
		return nil, err
	}
	if err := d.order(); err != nil {
		return nil, err
	}
	d.marks = nil
	d.marks = marks
	asked := d
	d.marks = nil
	for _, m := range marks {
		parts, err := m.kind.parts(m, &d)
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
		d.marks = slices.DeleteFunc(d.marks, func(m mark) bool { return m.asLine().summary })
	}
	if err := d.pileUp(); err != nil {
		return nil, err
	}
	return &d, nil
}

// nameSeries names marks after their columns if several share the y axis.
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

// nameAggregate names the y axis after the aggregate of all marks, if their values have no name.
func (c *Chart) nameAggregate(marks []mark) {
	how, measures := "", 0
	for i := range marks {
		m := &marks[i]
		if !m.kind.about().series {
			continue // an annotation
		}
		if m.kind != line && m.kind != step && m.kind != bars || c.y.defaultTitle != "" || m.yName != "" || measures > 0 && m.how != how || m.asArea().pile {
			return
		}
		how = m.how
		measures++
	}
	if measures > 0 {
		c.y.defaultTitle = how
	}
}

// byClass returns a mark for each class of a mark, aggregated if the mark is.
func (m mark) byClass(c *Chart) ([]mark, error) {
	if m.class == nil {
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
