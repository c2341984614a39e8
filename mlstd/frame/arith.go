package frame

import (
	"math"
	"math/bits"
	"time"
)

// Plus adds numbers, adds a time.Duration to a time, or concatenates strings. The operand is a
// column or slice of the same length, or a single value. The result is missing where the value on
// either side is missing. The sum of integers is an integer; Plus panics with a [*model.Error] when
// a sum overflows 64 bits.
func (c *Column) Plus(v any) *Column { return c.arith("Plus", '+', v, false) }

// Minus subtracts. The difference of two times is a number of seconds. See [Column.Plus].
func (c *Column) Minus(v any) *Column { return c.arith("Minus", '-', v, false) }

// Times multiplies row by row. See [Column.Plus].
func (c *Column) Times(v any) *Column { return c.arith("Times", '*', v, false) }

// Over divides; the result is float64 even for integers, and 0/0 is missing. See [Column.Plus].
func (c *Column) Over(v any) *Column { return c.arith("Over", '/', v, false) }

// Rplus returns v + c.
func (c *Column) Rplus(v any) *Column { return c.arith("Plus", '+', v, true) }

// Rminus returns v - c.
func (c *Column) Rminus(v any) *Column { return c.arith("Minus", '-', v, true) }

// Rover returns v / c.
func (c *Column) Rover(v any) *Column { return c.arith("Over", '/', v, true) }

// Mod returns the remainder of a division, with the sign of the dividend. The remainder of integers
// is an integer, and is missing if the divisor is 0.
func (c *Column) Mod(v any) *Column { return c.arith("Mod", '%', v, false) }

// Rmod returns v % c.
func (c *Column) Rmod(v any) *Column { return c.arith("Mod", '%', v, true) }

// Neg returns the numbers with the opposite sign.
func (c *Column) Neg() *Column { return c.arith("Neg", '-', 0, true) }

// Map returns f of each number; the result is missing where the number is missing or f returns NaN.
// A note reports how often f returned NaN.
func (c *Column) Map(f func(float64) float64) *Column {
	c.need("Column.Map", FloatKind, IntKind, BoolKind)
	in, out := c.numbers(), make([]float64, c.n)
	for i, x := range in {
		if c.missing.has(i) {
			out[i] = math.NaN()
			continue
		}
		out[i] = f(x)
	}
	return FloatColumn(c.name, out).lost(c.missing)
}

// lost adds a note on the values for which a calculation has no result, although they are not
// missing.
func (c *Column) lost(before bitmap) *Column {
	if n := c.gaps - before.count(); n > 0 {
		c.notes = []string{plural(n, "value") + " of " + c.name + " became missing: the result is undefined for " + map[bool]string{true: "it", false: "them"}[n == 1]}
	}
	return c
}

// arith is an arithmetic operator.
func (c *Column) arith(name string, op byte, v any, reversed bool) *Column {
	name = "Column." + name
	if d, ok := v.(time.Duration); ok {
		return c.shiftTime(name, op, d, reversed)
	}
	a, b := c.sides(name, v, reversed)
	switch {
	case a.kind == IntKind && b.kind == IntKind && op != '/':
		return c.arithInts(name, op, a, b)
	case a.kind.numeric() && b.kind.numeric():
		return c.arithFloats(op, a, b)
	case a.kind.text() && b.kind.text() && op == '+':
		return c.join(a, b)
	case a.kind == TimeKind && b.kind == TimeKind && op == '-':
		return c.between(a, b)
	}
	what, hint := "both sides must be numbers", "use Parse to convert strings to numbers"
	if a.kind == TimeKind || b.kind == TimeKind {
		what, hint = "the sides must be two times, or a time and a time.Duration", "use Minus for two times, and Plus or Minus for a time.Duration"
	}
	misuse(name, hint, "%s, got %s and %s", what, a.describe(), b.describe())
	return nil
}

func (c *Column) arithFloats(op byte, a, b side) *Column {
	out := make([]float64, c.n)
	x, y := a.numbers(), b.numbers()
	switch {
	case a.single:
		floatsLeft(op, out, x[0], y)
	case b.single:
		floatsRight(op, out, x, y[0])
	default:
		floatsBoth(op, out, x, y)
	}
	d := FloatColumn(c.name, out)
	if before, ok := unknown(a, b); ok {
		d.lost(before)
	}
	if (op == '+' || op == '-') && a.unit == b.unit {
		d.unit = a.unit
	}
	return d
}

// unknown returns the rows in which one of the sides is missing. It returns false if a side is a
// single value that is missing.
func unknown(a, b side) (before bitmap, ok bool) {
	for _, x := range []side{a, b} {
		switch {
		case !x.single:
			before = union(before, x.missing)
		case x.gaps > 0:
			return nil, false
		}
	}
	return before, true
}

func floatsBoth(op byte, out, x, y []float64) {
	y = y[:len(x)]
	switch op {
	case '+':
		for i, a := range x {
			out[i] = a + y[i]
		}
	case '-':
		for i, a := range x {
			out[i] = a - y[i]
		}
	case '*':
		for i, a := range x {
			out[i] = a * y[i]
		}
	case '/':
		for i, a := range x {
			out[i] = a / y[i]
		}
	default:
		for i, a := range x {
			out[i] = math.Mod(a, y[i])
		}
	}
}

func floatsRight(op byte, out, x []float64, b float64) {
	switch op {
	case '+':
		for i, a := range x {
			out[i] = a + b
		}
	case '-':
		for i, a := range x {
			out[i] = a - b
		}
	case '*':
		for i, a := range x {
			out[i] = a * b
		}
	case '/':
		for i, a := range x {
			out[i] = a / b
		}
	default:
		for i, a := range x {
			out[i] = math.Mod(a, b)
		}
	}
}

func floatsLeft(op byte, out []float64, a float64, y []float64) {
	switch op {
	case '+':
		for i, b := range y {
			out[i] = a + b
		}
	case '-':
		for i, b := range y {
			out[i] = a - b
		}
	case '*':
		for i, b := range y {
			out[i] = a * b
		}
	case '/':
		for i, b := range y {
			out[i] = a / b
		}
	default:
		for i, b := range y {
			out[i] = math.Mod(a, b)
		}
	}
}

func (c *Column) arithInts(name string, op byte, a, b side) *Column {
	out := make([]int64, c.n)
	gone := union(a.gone(c.n), b.gone(c.n))
	var zero bitmap
	for i := range out {
		x, y := a.ints[a.at(i)], b.ints[b.at(i)]
		r, ok := x, true
		switch op {
		case '+':
			r = x + y
			ok = y == 0 || (r > x) == (y > 0)
		case '-':
			r = x - y
			ok = y == 0 || (r < x) == (y > 0)
		case '*':
			r, ok = product(x, y)
		default:
			if y == 0 {
				if zero == nil {
					zero = newBitmap(c.n)
				}
				zero.set(i)
				continue
			}
			r = x % y
		}
		if !ok && !gone.has(i) {
			misuse(name, "convert one side with Float", "%d %c %d in row %d must fit into int64", x, op, y, i)
		}
		out[i] = r
	}
	d := IntColumn(c.name, out)
	if (op == '+' || op == '-') && a.unit == b.unit {
		d.unit = a.unit
	}
	return d.mark(union(gone, zero))
}

// product multiplies, and reports whether the result fits into 64 bits.
func product(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	high := int64(hi) // of the signed product
	if x < 0 {
		high -= y
	}
	if y < 0 {
		high -= x
	}
	return int64(lo), high == int64(lo)>>63
}

// join concatenates strings.
func (c *Column) join(a, b side) *Column {
	out := make([]string, c.n)
	for i := range out {
		out[i] = a.text(a.at(i)) + b.text(b.at(i))
	}
	return withGone(StringColumn(c.name, out), union(a.gone(c.n), b.gone(c.n)))
}

// withGone returns the column, which is not shared yet, with the rows of b missing.
func withGone(c *Column, b bitmap) *Column {
	if b == nil {
		return c
	}
	return c.mark(union(c.missing, b))
}

// between returns the seconds from b to a.
func (c *Column) between(a, b side) *Column {
	out := make([]float64, c.n)
	gone := union(a.gone(c.n), b.gone(c.n))
	for i := range out {
		x, y := a.ints[a.at(i)], b.ints[b.at(i)]
		if d := x - y; y == 0 || (d < x) == (y > 0) {
			out[i] = float64(d) / float64(time.Second)
		} else {
			out[i] = (float64(x) - float64(y)) / float64(time.Second)
		}
	}
	d := withGone(FloatColumn(c.name, out), gone)
	d.unit = "s"
	return d
}

// shiftTime adds a duration to times, or subtracts it.
func (c *Column) shiftTime(name string, op byte, d time.Duration, reversed bool) *Column {
	if c.kind != TimeKind || op != '+' && (op != '-' || reversed) {
		misuse(name, "use d.Seconds() with numbers",
			"the other side of a time.Duration must be times, got %s", side{c, false}.describe())
	}
	if op == '-' {
		d = -d
	}
	out := make([]int64, c.n)
	for i, x := range c.ints {
		out[i] = x + int64(d)
		if (out[i] > x) != (d > 0) && d != 0 && !c.missing.has(i) {
			misuse(name, noTime, "the time in row %d must be in the years 1678 to 2262", i)
		}
	}
	r := NanoColumn(c.name, out, c.zone)
	return withGone(r, c.missing)
}
