package chart

import (
	"slices"
	"sort"
)

// slots returns, for each class of a mark, its offset from the middle of a group, and half the
// width of a class. Classes that never share a group get the same place.
func (m mark) slots() (offset func(class int) float64, half float64) {
	if m.class == nil || !m.meet() {
		return func(int) float64 { return 0 }, 0.4
	}
	n := float64(len(m.names))
	width := 0.84 / n
	return func(k int) float64 { return width * (float64(k) - (n-1)/2) }, 0.46 * width
}

// meet reports whether any group has rows of several classes.
func (m mark) meet() bool {
	of := map[float64]int{}
	for i, k := range m.class {
		if k < 0 || i >= len(m.x) || !isFinite(m.x[i]) {
			continue
		}
		if known, ok := of[m.x[i]]; ok && known != k {
			return true
		}
		of[m.x[i]] = k
	}
	return false
}

// alone leaves out the legend when the x axis names the same classes.
func (m mark) alone(c *Chart) {
	if m.class != nil && len(c.marks) == 0 && slices.Equal(m.names, c.x.levels) && !m.meet() {
		c.noLegend = true
	}
}

// distinct returns the distinct values in ascending order.
func distinct(v []float64) []float64 {
	out := slices.Clone(v)
	sort.Float64s(out)
	return slices.Compact(out)
}
