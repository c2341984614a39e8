package frame

import (
	"math"
	"strconv"
	"time"
)

// Interpolate returns the column of numbers with each missing value replaced by linear
// interpolation between the nearest non-missing values before and after it. By default, rows count
// as equally spaced. Pass a column of times or numbers in ascending order to interpolate along it
// instead:
//
//	f.Col("level").Interpolate(f.Col("at"))
//
// The result is of kind float64. Missing values before the first non-missing value and after the
// last stay missing.
func (c *Column) Interpolate(along ...*Column) *Column {
	const op = "Column.Interpolate"
	c.need(op, FloatKind, IntKind)
	if len(along) > 1 {
		misuse(op, "", "at most one column to interpolate along can be passed, got %d", len(along))
	}
	place := func(i, from int) float64 { return float64(i - from) }
	if len(along) == 1 {
		place = c.along(op, along[0])
	}
	v := c.numbers()
	out := append([]float64{}, v...)
	last := -1
	for i, x := range v {
		if x != x {
			continue
		}
		if last >= 0 && last < i-1 {
			whole := place(i, last)
			for k := last + 1; k < i; k++ {
				if whole == 0 { // all at one place
					out[k] = v[last]
					continue
				}
				w := place(k, last) / whole
				out[k] = v[last]*(1-w) + x*w
			}
		}
		last = i
	}
	return FloatColumn(c.name, out).WithUnit(c.unit)
}

// along returns a function with the distance of two rows in a column, which must be ascending.
func (c *Column) along(op string, d *Column) func(i, from int) float64 {
	d.need(op, TimeKind, FloatKind, IntKind)
	if d.n != c.n {
		misuse(op, "use a column of the same frame", "the column to interpolate along must have %d rows, as column %q has, got %d", c.n, c.name, d.n)
	}
	if d.gaps > 0 {
		misuse(op, "leave these rows out first: f.DropMissing("+strconv.Quote(d.name)+")", "column %q, to interpolate along, must have no missing values, got %d", d.name, d.gaps)
	}
	at := func(i, from int) float64 { return float64(d.ints[i] - d.ints[from]) }
	if d.kind == FloatKind {
		at = func(i, from int) float64 { return d.floats[i] - d.floats[from] }
	}
	for i := 1; i < d.n; i++ {
		if at(i, i-1) < 0 {
			misuse(op, "sort the frame first: f = f.Sort("+strconv.Quote(d.name)+")", "column %q must be in ascending order, got a smaller value in row %d", d.name, i)
		}
	}
	return at
}

// FromUnix converts numbers to times. A number counts the units since 1 January 1970 in UTC. The
// times are in UTC; see [Column.In] for other time zones.
//
//	f.Set("at", f.Col("at").FromUnix(time.Second))
func (c *Column) FromUnix(unit time.Duration) *Column {
	const op = "Column.FromUnix"
	c.need(op, IntKind, FloatKind)
	c.unitOf(op, unit)
	out := make([]int64, c.n)
	for i := range out {
		if c.missing.has(i) {
			continue
		}
		whole, rest := 0.0, 0.0
		if c.kind == FloatKind {
			whole = math.Floor(c.floats[i])
			rest = c.floats[i] - whole
		} else if x := c.ints[i]; x > math.MaxInt64/int64(unit) || x < math.MinInt64/int64(unit) {
			whole = math.Inf(1)
		} else {
			out[i] = x * int64(unit)
			continue
		}
		if !(math.Abs(whole) < math.MaxInt64/float64(unit)-1) {
			misuse(op, "check the unit: seconds of today have 10 digits, milliseconds 13", "the times of column %q must be in the years 1678 to 2262, got %s in row %d as a multiple of %v", c.name, c.Text(i), i, unit)
		}
		out[i] = int64(whole)*int64(unit) + int64(math.Round(rest*float64(unit)))
	}
	return withGone(NanoColumn(c.name, out, time.UTC), c.missing)
}

// Unix converts each time to the number of units since 1 January 1970 in UTC, rounded down.
//
//	f.Col("at").Unix(time.Millisecond)
func (c *Column) Unix(unit time.Duration) *Column {
	const op = "Column.Unix"
	c.need(op, TimeKind)
	c.unitOf(op, unit)
	out := make([]int64, c.n)
	for i, x := range c.ints {
		out[i] = floorDiv(x, int64(unit))
	}
	return withGone(IntColumn(c.name, out), c.missing)
}

func (c *Column) unitOf(op string, unit time.Duration) {
	if unit <= 0 {
		misuse(op, "use time.Second, time.Millisecond, time.Microsecond or time.Nanosecond", "the unit must be positive, got %v", unit)
	}
}
