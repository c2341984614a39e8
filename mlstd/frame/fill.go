package frame

import (
	"strconv"
)

// FillMissing returns the column with its missing values replaced. The replacement is a single
// value, or a column or slice as long as the column. Of a column or slice, FillMissing uses only
// the values in rows whose value is missing. In a category column, a string that is not a level
// becomes the new last level. A replacement that is not a whole number turns a column of integers
// into float64.
func (c *Column) FillMissing(value any) *Column {
	const op = "Column.FillMissing"
	v := c.other(op, value)
	if c.gaps == 0 {
		return c
	}
	switch {
	case c.kind == IntKind && v.kind == FloatKind:
		c = c.Float()
	case c.kind == CategoryKind && v.kind.text():
		return c.fillCategory(v)
	case c.kind != v.kind && !(c.kind == FloatKind && v.kind == IntKind):
		misuse(op, "use a value of the kind of the column", "column %q of kind %v cannot be filled with %s", c.name, c.kind, v.describe())
	}
	d := *c
	d.clock = new(clock)
	var gone bitmap
	rows := make([]int32, 0, c.gaps)
	for i := range c.n {
		if c.missing.has(i) {
			rows = append(rows, int32(i))
			if v.missing.has(v.at(i)) {
				gone = gone.with(i, c.n)
			}
		}
	}
	switch c.kind {
	case FloatKind:
		d.floats = replaced(c.floats, v.numbers(), v.single, rows)
	case BoolKind:
		d.bools = replaced(c.bools, v.bools, v.single, rows)
	case StringKind:
		texts := replaced(c.Strings(), v.Strings(), v.single, rows)
		return withGone(StringColumn(c.name, texts), gone)
	default:
		d.ints = replaced(c.ints, v.ints, v.single, rows)
	}
	d.missing, d.gaps = nil, 0
	return withGone(&d, gone)
}

// replaced returns a copy of x with the rows taken from y.
func replaced[T any](x, y []T, single bool, rows []int32) []T {
	out := append([]T{}, x...)
	for _, r := range rows {
		if single {
			out[r] = y[0]
		} else {
			out[r] = y[r]
		}
	}
	return out
}

func (c *Column) fillCategory(v side) *Column {
	levels := c.Levels()
	index := make(map[string]int32, len(levels))
	for k, s := range levels {
		index[s] = int32(k)
	}
	codes := append([]int32{}, c.codes...)
	for i := range codes {
		if codes[i] >= 0 || v.missing.has(v.at(i)) {
			continue
		}
		s := v.text(v.at(i))
		k, ok := index[s]
		if !ok {
			k = int32(len(levels))
			index[s] = k
			levels = append(levels, s)
		}
		codes[i] = k
	}
	return CategoryColumn(c.name, codes, levels).WithUnit(c.unit)
}

// FillForward returns the column with each missing value replaced by the last non-missing value
// above it.
func (c *Column) FillForward() *Column { return c.take(c.carry(false)) }

// FillBackward returns the column with each missing value replaced by the next non-missing value
// below it.
func (c *Column) FillBackward() *Column { return c.take(c.carry(true)) }

// carry returns for each row the nearest row in one direction whose value is not missing.
func (c *Column) carry(back bool) []int32 {
	rows := make([]int32, c.n)
	last := int32(-1)
	for k := range rows {
		i := k
		if back {
			i = c.n - 1 - k
		}
		if !c.missing.has(i) {
			last = int32(i)
		}
		rows[i] = last
	}
	return rows
}

// Float returns the numbers of the column as float64.
func (c *Column) Float() *Column {
	c.need("Column.Float", FloatKind, IntKind, BoolKind)
	if c.kind == FloatKind {
		return c
	}
	return FloatColumn(c.name, c.numbers()).WithUnit(c.unit)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
