package frame

// And returns the mask of the rows in which both masks are true. False and missing is false; true
// and missing is missing.
func (c *Column) And(v any) *Column {
	a, b := c.masks("Column.And", v)
	out := make([]bool, c.n)
	gone := bitmap(nil)
	for i := range out {
		x, y := a.bools[i], b.bools[b.at(i)]
		out[i] = x && y
		if p, q := a.missing.has(i), b.missing.has(b.at(i)); p && q || p && y || q && x {
			gone = gone.with(i, c.n)
		}
	}
	return withGone(BoolColumn(c.name, out), gone)
}

// Or returns the mask of the rows in which at least one of the masks is true. True or missing is
// true; false or missing is missing.
func (c *Column) Or(v any) *Column {
	a, b := c.masks("Column.Or", v)
	out := make([]bool, c.n)
	gone := bitmap(nil)
	for i := range out {
		x, y := a.bools[i], b.bools[b.at(i)] // false where missing
		out[i] = x || y
		if !out[i] && (a.missing.has(i) || b.missing.has(b.at(i))) {
			gone = gone.with(i, c.n)
		}
	}
	return withGone(BoolColumn(c.name, out), gone)
}

// Not returns the mask of the rows in which the mask is false; missing values stay missing.
func (c *Column) Not() *Column {
	c.need("Column.Not", BoolKind)
	out := make([]bool, c.n)
	for i, x := range c.bools {
		out[i] = !x
	}
	return withGone(BoolColumn(c.name, out), c.missing)
}

// IsNA returns the mask of the rows whose value is missing.
func (c *Column) IsNA() *Column {
	out := make([]bool, c.n)
	for i := range out {
		out[i] = c.missing.has(i)
	}
	return BoolColumn(c.name, out)
}

func (c *Column) masks(op string, v any) (a, b side) {
	c.need(op, BoolKind)
	a, b = c.sides(op, v, false)
	b.need(op, BoolKind)
	return a, b
}

// with returns the bitmap of n rows with row i marked.
func (b bitmap) with(i, n int) bitmap {
	if b == nil {
		b = newBitmap(n)
	}
	b.set(i)
	return b
}
