package course

import (
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/data"
)

// Scatter draws the examples of a data set: the first two features against each other, in the
// colors of the classes. A numeric target sets the color of the points or, if there is a single
// feature, their vertical position. To draw other features, use d.Features("petal length", "petal
// width").
func Scatter(d *data.Dataset) *chart.Chart {
	if d == nil || d.X == nil || d.X.Dense == nil {
		return failed("Scatter", "the data set has no examples")
	}
	_, columns := d.X.Dims()
	names := d.FeatureNames()
	if columns == 1 {
		if d.Target == nil {
			return failed("Scatter", "%s must have two features, or one feature and a numeric target", d.Name)
		}
		target := d.X.Target.Name
		if target == "" {
			target = "target"
		}
		return chart.Scatter(column(d, 0), d.Target).X(guide.Column(names[0])).Y(guide.Column(target))
	}
	x, y := column(d, 0), column(d, 1)
	var c *chart.Chart
	switch {
	case d.Y != nil && d.ClassNames() != nil:
		c = chart.Scatter(x, y).ByClass(d.Y, d.ClassNames()...)
	case d.Y != nil:
		labels := make([]string, d.Len())
		for i := range labels {
			labels[i] = d.Label(i)
		}
		c = chart.Scatter(x, y, labels)
	case d.Target != nil:
		c = chart.Scatter(x, y, d.Target)
	default:
		c = chart.Scatter(x, y)
	}
	return c.X(guide.Column(names[0])).Y(guide.Column(names[1]))
}

func column(d *data.Dataset, j int) []float64 {
	v := make([]float64, d.Len())
	for i := range v {
		v[i] = d.X.At(i, j)
	}
	return v
}
