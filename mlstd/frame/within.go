package frame

// Rank is [Column.Rank] in each group, with the results in the rows of the frame.
//
//	songs["place"] = songs.By("genre").Rank("plays")
func (g *Groups) Rank(name string) *Column { return g.within("Groups.Rank", name, (*Column).Rank) }

// CumSum is [Column.CumSum] in each group, with the results in the rows of the frame.
func (g *Groups) CumSum(name string) *Column {
	return g.within("Groups.CumSum", name, (*Column).CumSum)
}

// Diff is [Column.Diff] in each group, with the results in the rows of the frame.
func (g *Groups) Diff(name string) *Column { return g.within("Groups.Diff", name, (*Column).Diff) }

// Shift is [Column.Shift] in each group, with the results in the rows of the frame.
func (g *Groups) Shift(name string, k int) *Column {
	return g.within("Groups.Shift", name, func(c *Column) *Column { return c.Shift(k) })
}

// Growth is [Column.Growth] in each group, with the results in the rows of the frame.
func (g *Groups) Growth(name string, k int) *Column {
	return g.within("Groups.Growth", name, func(c *Column) *Column { return c.Growth(k) })
}

// Growth returns the relative change of each value from the value k rows earlier:
//
//	xᵢ / xᵢ₋ₖ − 1
//
// A price that rose from 2 to 2.1 has grown by 0.05.
func (c *Column) Growth(k int) *Column {
	c.need("Column.Growth", FloatKind, IntKind)
	return c.Over(c.Shift(k)).Minus(1).WithUnit("")
}
