package frame

import (
	"math"
	"slices"
	"time"
)

// Floats returns the numbers of the column as float64, with NaN for missing values; a bool is 0 or
// 1. It panics with a [*model.Error] on a column of another kind.
func (c *Column) Floats() []float64 {
	c.need("Column.Floats", FloatKind, IntKind, BoolKind)
	if c.kind == FloatKind {
		return slices.Clone(c.floats)
	}
	return c.numbers()
}

// numbers is like [Column.Floats], but does not copy float64 values; the caller must not change the
// result.
func (c *Column) numbers() []float64 {
	if c.kind == FloatKind {
		return c.floats
	}
	v := make([]float64, c.n)
	switch c.kind {
	case IntKind:
		for i, x := range c.ints {
			v[i] = float64(x)
		}
	case BoolKind:
		for i, x := range c.bools {
			if x {
				v[i] = 1
			}
		}
	}
	for i := range v {
		if c.missing.has(i) {
			v[i] = math.NaN()
		}
	}
	return v
}

// Ints returns the values of a column of integers. It panics with a [*model.Error]
// when the column is of another kind, or a value is missing.
func (c *Column) Ints() []int64 {
	c.need("Column.Ints", IntKind)
	c.whole("Column.Ints")
	return slices.Clone(c.ints)
}

// Bools returns the values of a bool column. It panics with a [*model.Error] when the
// column is of another kind, or a value is missing.
func (c *Column) Bools() []bool {
	c.need("Column.Bools", BoolKind)
	c.whole("Column.Bools")
	return slices.Clone(c.bools)
}

// Strings returns the values of the column as strings; a missing value is "".
func (c *Column) Strings() []string {
	if c.texts != nil {
		return slices.Clone(c.texts)
	}
	v := make([]string, c.n)
	for i := range v {
		v[i] = c.Text(i)
	}
	return v
}

// Moments returns the values of a time column in its time zone; a missing value is the zero time.
func (c *Column) Moments() []time.Time {
	c.need("Column.Moments", TimeKind)
	v := make([]time.Time, c.n)
	for i := range v {
		if !c.missing.has(i) {
			v[i] = c.moment(i)
		}
	}
	return v
}

// whole panics when a value is missing.
func (c *Column) whole(op string) {
	if c.gaps > 0 {
		misuse(op, "fill them with FillMissing, leave their rows out with DropMissing, or use Floats, which returns NaN for them",
			"column %[3]q must have no missing values, got %[1]d of %[2]d", c.gaps, c.n, c.name)
	}
}

// Codes returns the distinct words of a column of strings or categories, and for each row the index
// of its word, or -1 for a missing value.
func (c *Column) Codes() (codes []int32, words []string) {
	c.need("Column.Codes", StringKind, CategoryKind)
	k, w := c.coded()
	return slices.Clone(k), slices.Clone(w.list)
}
