package chart

// Series holds the data that a chart draws with one mark. It is for programs that examine a chart,
// such as homework checks.
type Series struct {
	Kind string    // "line", "points", "step", "bars", "area", "histogram" ...
	Name string    // name in the legend
	X, Y []float64 // empty for marks that have no such values
}

// Series returns the data of the chart's marks, in the order in which they are drawn.
func (c *Chart) Series() []Series {
	out := make([]Series, len(c.marks))
	for i := range c.marks {
		m := &c.marks[i]
		out[i] = Series{Kind: m.kind.String(), Name: m.name, X: append([]float64(nil), m.x...), Y: append([]float64(nil), m.y...)}
	}
	return out
}

// Titles are a chart's title and axis labels.
type Titles struct{ Title, X, Y string }

// Titles returns the chart's title and axis labels as drawn.
func (c *Chart) Titles() Titles { return Titles{Title: c.title, X: c.x.label(), Y: c.y.label()} }
