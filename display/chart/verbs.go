package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Plot draws a line through (x, y), or through y over 0, 1, 2 ... when y alone is
// given. A matrix as y gives a line for each of its columns. Plot(f, "x", "y") of a
// frame draws the means of y at each x, in ascending order of x, with a band for their
// intervals (see Aggregate); more names give more lines.
func Plot(data ...any) *Chart {
	c, data := dataOf(data)
	if c.data != nil && len(data) > 2 {
		for _, y := range data[1:] {
			c.Line(data[0], y)
		}
		return c
	}
	if n := len(data); n > 0 && n <= 2 && isMatrix(data[n-1]) {
		m, err := matrixOf("Plot", "y", data[n-1])
		if err != nil {
			c.fail(err)
			return c
		}
		names, _ := data[n-1].(columnNamer)
		_, cols := m.Dims()
		for j := range cols {
			c.Line(append(append([]any{}, data[:n-1]...), columnAt(m, j))...)
			c.Name(guide.Feature(j))
			if names != nil && j < len(names.ColumnNames()) {
				c.Name(names.ColumnNames()[j])
			}
		}
		return c
	}
	return c.Line(data...)
}

// Scatter draws points: Scatter(x, y) of two variables, Scatter(X) of the first
// two columns of a matrix, Scatter(f, "x", "y") of a frame. One more argument labels
// the points: classes get a color and a shape each, other numbers a color of a
// continuous scale.
func Scatter(data ...any) *Chart {
	c, data := dataOf(data)
	if len(data) == 0 || len(data) > 3 {
		c.fail(fmt.Errorf("chart.Scatter: %d arguments; give x and y, or a matrix, and perhaps labels", len(data)))
		return c
	}
	rest := data[1:]
	if isMatrix(data[0]) {
		m, err := matrixOf("Scatter", "X", data[0])
		if err == nil {
			if _, cols := m.Dims(); cols < 2 {
				err = fmt.Errorf("chart.Scatter: X has %d column; two are drawn against each other", cols)
			}
		}
		if err != nil {
			c.fail(err)
			return c
		}
		c.Points(columnAt(m, 0), columnAt(m, 1))
		if n, ok := data[0].(columnNamer); ok && len(n.ColumnNames()) > 1 {
			c.X(n.ColumnNames()[0]).Y(n.ColumnNames()[1])
		}
	} else if len(data) == 1 {
		c.Points(data[0])
	} else {
		c.Points(data[0], data[1])
		rest = data[2:]
	}
	if len(rest) > 1 {
		c.fail2(fmt.Errorf("chart.Scatter: %d arguments after the matrix; give its labels only", len(rest)))
	} else if len(rest) == 1 && c.err == nil {
		c.By(rest[0])
	}
	return c
}

// Hist draws a histogram of the values, of names as of numbers; Hist(f, "x") of a
// column of a frame, and of more than one over the same bins.
func Hist(values ...any) *Chart {
	c, columns := dataOf(values)
	if len(columns) == 0 {
		c.fail(errors.New("chart.Hist: no values; give a slice, or a frame and the name of a column"))
		return c
	}
	for _, v := range columns {
		c.Hist(v)
		if name, ok := v.(string); ok && len(columns) > 1 {
			c.Name(name)
		}
	}
	if len(columns) > 1 {
		c.x.defaultTitle = ""
	}
	return c
}

// Bar draws a bar for each y: Bar(y), or Bar(names, y). Names alone are counted. A map
// to numbers is drawn in the order of its keys, months in that of the calendar; a map
// of such maps has a bar for each inner key at each outer one. Bar(f, "zone") counts
// the rows of a frame, Bar(f, "zone", "fare") shows means with their intervals; see
// Aggregate.
func Bar(data ...any) *Chart {
	if len(data) == 1 {
		if m := reflect.ValueOf(data[0]); m.Kind() == reflect.Map {
			return New().mapBars(m)
		}
	}
	c, data := dataOf(data)
	return c.Bars(data...)
}

// BoxPlot draws a box for each group of values: of a map to slices of numbers, of
// a matrix's columns, or of a slice of slices; BoxPlot(f, "zone", "fare") of a frame,
// or a slice of groups and one of values. One slice, or one column, is one box, which
// By splits.
func BoxPlot(groups ...any) *Chart {
	c, data := dataOf(groups)
	return c.Box(data...)
}

// Heatmap draws a matrix as colored cells, the first row on top. A map of maps of
// numbers has a row for each key and a column for each inner key. Heatmap(f, "row",
// "column", "value") of a frame shows the mean of the values in each cell, and without
// a value how many rows there are.
func Heatmap(z ...any) *Chart {
	c, data := dataOf(z)
	if c.data != nil || len(data) > 1 {
		return c.heatColumns(data)
	}
	if len(data) == 0 {
		c.fail(errors.New("chart.Heatmap: there is no matrix"))
		return c
	}
	return c.Heat(data[0])
}

// Contour draws the level lines of f on a rectangle, at the given levels or at
// about ten round ones.
func Contour(f func(x, y float64) float64, x0, x1, y0, y1 float64, levels ...float64) *Chart {
	return New().Contour(NewField(f, x0, x1, y0, y1, 120), levels...)
}

// Func draws the graph of f from lo to hi. Where f is not finite, jumps or has a pole
// the graph breaks; beside a pole it goes out of the picture.
func Func(f func(float64) float64, lo, hi float64) *Chart { return New().Func(f, lo, hi) }

// Func adds the graph of a function from lo to hi.
func (c *Chart) Func(f func(float64) float64, lo, hi float64) *Chart {
	if !(lo < hi) || !isFinite(hi-lo) {
		c.fail(fmt.Errorf("chart.Func: the interval from %g to %g does not ascend", lo, hi))
		return c
	}
	const n = 401
	m := mark{kind: line, x: make([]float64, n), y: make([]float64, n), f: f}
	m.x[0], m.x[n-1] = lo, hi
	m.tabulate(c.x.log)
	return c.add(m)
}

// tabulate computes the points of a graph between its ends, evenly along a linear
// or a logarithmic axis; without a positive beginning the latter is not possible.
func (m *mark) tabulate(log bool) {
	if m.f == nil {
		return
	}
	last := len(m.x) - 1
	lo, hi := m.x[0], m.x[last]
	for i := 1; i < last; i++ {
		if log && lo > 0 {
			m.x[i] = lo * math.Pow(hi/lo, float64(i)/float64(last))
		} else {
			m.x[i] = lo + (hi-lo)*float64(i)/float64(last)
		}
	}
	for i, x := range m.x {
		m.y[i] = m.f(x)
	}
	m.breakJumps()
}

// colorOf returns the color of a mark that has one color, the i-th of its chart.
// Rules are no data: they are gray unless they are given a color.
func (m *mark) colorOf(i int) figure.Color {
	switch {
	case m.color != nil:
		return *m.color
	case m.kind == rule:
		return figure.Soft()
	}
	return figure.Class(i)
}
