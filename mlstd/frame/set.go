package frame

import (
	"math"
	"slices"
)

// If returns a column with the value of a in the rows in which the mask is true and the
// value of b in the others:
//
//	f.Set("size", If(f.Col("km").Greater(10), "long", "short"))
//	f.Set("fare", If(f.Col("fare").Less(0), 0, f.Col("fare")))
//
// a and b are columns, slices, single values, or nil for a missing value. The result is missing in
// the rows in which the mask is missing. If a or b is float64, integers in the other become
// float64; other kinds cannot be mixed. It panics with a [*model.Error] when lengths or kinds do
// not agree.
func If(mask, a, b any) *Column {
	const op = "If"
	m := maskOf(op, mask)
	x, y := choice(op, "value", a), choice(op, "value", b)
	n := 1
	for _, s := range []side{m, x, y} {
		if !s.single {
			n = s.n
		}
	}
	for _, s := range []side{m, x, y} {
		if !s.single && s.n != n {
			misuse(op, "use columns of the same frame, or single values", "the mask and the values must have the same length, got %d, %d and %d", m.n, x.n, y.n)
		}
	}
	rows := make([]int32, n)
	for i := range rows {
		switch k := m.at(i); {
		case m.missing.has(k):
			rows[i] = -1
		case m.bools[k]:
			rows[i] = int32(x.at(i))
		default:
			rows[i] = int32(x.n + y.at(i))
		}
	}
	c := joinChoices(op, x, y).take(rows)
	if x.single && !y.single {
		return c.Named(y.name)
	}
	return c
}

// Set returns the column with the values in the rows of the mask replaced:
//
//	f.Set("fare", f.Col("fare").Set(f.Col("fare").Less(0), 0))
//
// The mask is a bool column, a []bool, a row number or an []int of row numbers. A missing value in
// the mask selects nothing. The value is a single value, nil (a missing value), or a column or
// slice as long as the column, of which Set uses only the rows of the mask. Integers become float64
// if the value is float64. In a category column, a string that is not a level becomes the new last
// level. It panics with a [*model.Error] on values of another kind.
//
// The column itself never changes. In a cell, the statement f["fare"].Set(mask, value) calls
// [Frame.SetWhere], which changes the frame.
func (c *Column) Set(mask, value any) *Column { return c.set("Column.Set", mask, value) }

// SetWhere sets a column to the value in the rows of the mask; see [Column.Set] for the types of
// the mask and the value. SetWhere changes the frame. Other frames that share the column keep the
// old values.
//
//	f.SetWhere("fare", f.Col("fare").Less(0), 0)
//
// In cells, write f["fare"].Set(f["fare"] < 0, 0) instead.
func (f *Frame) SetWhere(name string, mask, value any) {
	const op = "Frame.SetWhere"
	f.Set(name, f.col(op, name).set(op, mask, value))
}

func (c *Column) set(op string, mask, value any) *Column {
	v := choice(op, c.name, value)
	if !v.single && v.n != c.n {
		misuse(op, "pass one value, or a column of the same frame",
			"the values for column %[2]q must be 1 or %[3]d (the number of rows), got %[1]d", v.n, c.name, c.n)
	}
	chosen := c.chosenBy(op, mask)
	if len(chosen) == 0 {
		return c
	}
	if c.kind == CategoryKind && v.kind == StringKind {
		v.Column = v.take(chosenOf(v, chosen)).Category()
		if !v.single {
			at := none(c.n)
			for k, i := range chosen {
				at[i] = int32(k)
			}
			v.Column = v.take(at)
		}
	}
	rows := upTo(c.n)
	for _, i := range chosen {
		rows[i] = int32(c.n + v.at(int(i)))
	}
	d := joinChoices(op, side{c, false}, v).take(rows)
	d.name, d.unit = c.name, c.unit
	if c.kind == TimeKind {
		d.zone = c.zone
	}
	return d
}

// chosenOf returns the rows of the value that belong to the chosen rows.
func chosenOf(v side, chosen []int32) []int32 {
	if v.single {
		return []int32{0}
	}
	return chosen
}

// chosenBy returns the rows that a mask, the number of a row, or a slice of them names.
func (c *Column) chosenBy(op string, mask any) []int32 {
	var list []int
	switch m := mask.(type) {
	case int:
		list = []int{m}
	case []int:
		list = m
	default:
		return like(c.n, []*Column{c}).selected(op, mask)
	}
	rows := make([]int32, len(list))
	for k, i := range list {
		if i < 0 || i >= c.n {
			misuse(op, "", "the row of column %q must be between 0 and %d, got %d", c.name, c.n-1, i)
		}
		rows[k] = int32(i)
	}
	return rows
}

// maskOf makes a mask from a bool column, a []bool or a bool.
func maskOf(op string, mask any) side {
	m, single := columnOf(op, "mask", mask)
	if m.kind != BoolKind {
		misuse(op, `use a comparison, such as f.Col("fare").Greater(10)`, "the mask must be of kind bool, got %v", m.kind)
	}
	return side{m, single}
}

// choice makes a side from a value; nil is a missing value.
func choice(op, name string, value any) side {
	if value == nil {
		return side{FloatColumn(name, []float64{math.NaN()}), true}
	}
	c, single := columnOf(op, name, value)
	return side{c, single}
}

// joinChoices concatenates the values of two sides, as values of one kind.
func joinChoices(op string, a, b side) *Column {
	wild := func(s side) bool { return s.n > 0 && s.gaps == s.n }
	number := func(s side) bool { return s.kind == FloatKind || s.kind == IntKind }
	if a.kind != b.kind && !wild(a) && !wild(b) && !(number(a) && number(b)) && !(a.kind.text() && b.kind.text()) {
		hint := "convert one of them with AsText, Float or ParseTime"
		misuse(op, hint, "both values must be of one kind, got %s and %s", a.describe(), b.describe())
	}
	parts := []*Column{a.Column, b.Column}
	if a.n == 0 {
		parts = slices.Clone(parts[1:])
	}
	frames := make([]*Frame, len(parts))
	for i, p := range parts {
		parts[i] = p.Named(a.name)
		frames[i] = like(p.n, parts[i:i+1])
	}
	return concat(a.name, parts, frames, a.n+b.n)
}
