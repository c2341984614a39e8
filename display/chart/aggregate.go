package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// The ways to combine the rows with the same x into one bar or point.
const (
	asIs   = ""
	mean   = "mean"
	median = "median"
	sum    = "sum"
	count  = "count"
	least  = "min"
	most   = "max"
)

var aggregates = []string{mean, median, sum, count, least, most}

// Aggregate sets how the bars or the line added last combine the rows with the same x into one
// number. For a heat map, it sets how the rows of a cell are combined. how is "mean" (the default),
// "median", "sum", "count", "min" or "max". Means have 95 % confidence intervals, mean ± t · s /
// √n, where t is the 0.975 quantile of Student's t distribution with n-1 degrees of freedom. The
// intervals assume that the rows are independent.
func (c *Chart) Aggregate(how string) *Chart {
	m := c.last("Aggregate")
	switch {
	case !slices.Contains(aggregates, how):
		c.setErr(fmt.Errorf("chart.Aggregate: the aggregate must be one of %[2]s, got %[1]q", how, strings.Join(aggregates, ", ")))
	case !m.kind.takes(m, "Aggregate"):
		c.setErr(fmt.Errorf("chart.Aggregate: the mark must be bars, a line, steps, hexagons or a heat map of columns, got %s", m.kind))
	case m.asLine().f != nil:
		c.setErr(errors.New("chart.Aggregate: the graph of a function has one value at each x; leave Aggregate out"))
	case m.how == count && how != count:
		c.setErr(fmt.Errorf("chart.Aggregate: the chart counts rows; name the column whose %s to show", how))
	default:
		m.how = how
	}
	return c
}

// NoIntervals omits the confidence intervals of the mark added last.
func (c *Chart) NoIntervals() *Chart { c.taking("NoIntervals").bare = true; return c }

// aggregated returns the mark with one value for each x, in ascending order of x; a line has a gap
// at an x all of whose values are missing. Names have no mean: in bars, and in lines with several
// names at one x, they are an error.
func (m mark) aggregated(c *Chart) (mark, error) {
	if m.how == asIs {
		return m, nil
	}
	stacks := m.kind.about().stacks // a bar has no gap
	rows := make([]int, 0, len(m.x))
	for i, x := range m.x {
		if isFinite(x) && (isFinite(m.y[i]) || !stacks) {
			rows = append(rows, i)
		} else {
			m.left++
		}
	}
	sort.SliceStable(rows, func(a, b int) bool { return m.x[rows[a]] < m.x[rows[b]] })
	xs, ys := make([]float64, 0), make([]float64, 0)
	var lo, hi []float64
	several := false
	for start := 0; start < len(rows); {
		end := start
		var group []float64
		for end < len(rows) && m.x[rows[end]] == m.x[rows[start]] {
			if y := m.y[rows[end]]; isFinite(y) {
				group = append(group, y)
			}
			end++
		}
		m.left += end - start - len(group)
		y, e := math.NaN(), math.NaN()
		if len(group) > 0 {
			y, e = aggregate(m.how, group)
		} else {
			m.left--              // the gap is counted where it is drawn
			if !m.asArea().pile { // which says so itself
				m.lost.add(leftOut{notes: []string{"lines have gaps there"}})
			}
		}
		several = several || len(group) > 1
		xs, ys = append(xs, m.x[rows[start]]), append(ys, y)
		lo, hi = append(lo, y-e), append(hi, y+e)
		start = end
	}
	if c.y.named && m.how != count && (several || stacks) {
		return m, fmt.Errorf("chart: the %s of column %q cannot be shown, because it holds names; use a column of numbers, or count the names: Bar(f, x).By(%[2]q)", m.how, m.yName)
	}
	m.x, m.y = xs, ys
	c.y.whole = c.y.whole && !slices.ContainsFunc(ys, func(y float64) bool { return y != math.Trunc(y) && !math.IsNaN(y) })
	if m.how == mean && several && !m.bare && !(stacks && c.stacked) {
		m.lo, m.hi = lo, hi
	}
	if c.y.defaultTitle == m.yName && m.yName != "" && several {
		c.y.defaultTitle = m.how + " of " + m.yName
		if m.lo != nil {
			c.y.defaultTitle += ", 95 % interval"
		}
	}
	return m, nil
}

// aggregate returns the value for a group and half the length of its interval, or NaN if it has no
// interval.
func aggregate(how string, v []float64) (value, half float64) {
	n := float64(len(v))
	half = math.NaN()
	switch how {
	case count:
		return n, half
	case sum:
		return total(v), half
	case least:
		return slices.Min(v), half
	case most:
		return slices.Max(v), half
	case median:
		sort.Float64s(v)
		return quantile(v, 0.5), half
	}
	mean := total(v) / n
	if len(v) < 2 {
		return mean, half
	}
	ss := 0.0
	for _, x := range v {
		ss += (x - mean) * (x - mean)
	}
	return mean, studentQuantile(len(v)-1) * math.Sqrt(ss/(n-1)/n)
}

// total returns the sum, computed with Neumaier's compensated summation (1974).
func total(v []float64) float64 {
	s, lost := 0.0, 0.0
	for _, x := range v {
		t := s + x
		if math.Abs(s) >= math.Abs(x) {
			lost += (s - t) + x
		} else {
			lost += (x - t) + s
		}
		s = t
	}
	return s + lost
}

// studentQuantile returns the 0.975 quantile of Student's distribution.
func studentQuantile(df int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(df)}.Quantile(0.975)
}
