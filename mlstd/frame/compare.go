package frame

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// Less returns the mask of the rows whose value is less than v. The operand v is a column or slice
// of the same length, or a single value. Numbers compare with numbers, and strings with strings.
// Times compare with times and with strings such as "2024-01-31" or "2024-01-31 18:30" in the time
// zone of the column. Categories compare by the order of their levels. The mask is missing where
// the value on either side is missing.
func (c *Column) Less(v any) *Column { return c.compare("Less", v, below, false) }

// LessEqual returns the mask of the rows whose value is at most v. See [Column.Less].
func (c *Column) LessEqual(v any) *Column { return c.compare("LessEqual", v, below|equal, false) }

// Greater returns the mask of the rows whose value is above v. See [Column.Less].
func (c *Column) Greater(v any) *Column { return c.compare("Greater", v, above, false) }

// GreaterEqual returns the mask of the rows whose value is at least v. See [Column.Less].
func (c *Column) GreaterEqual(v any) *Column { return c.compare("GreaterEqual", v, above|equal, false) }

// Equal returns the mask of the rows whose value is v. See [Column.Less].
func (c *Column) Equal(v any) *Column { return c.compare("Equal", v, equal, true) }

// NotEqual returns the mask of the rows whose value is not v. See [Column.Less].
func (c *Column) NotEqual(v any) *Column { return c.compare("NotEqual", v, below|above, true) }

// Between returns the mask of the rows whose value is at least low and at most high.
func (c *Column) Between(low, high any) *Column { return c.GreaterEqual(low).And(c.LessEqual(high)) }

// The outcomes of a comparison, as bits.
const (
	below uint8 = 1 << iota
	equal
	above
)

// outcome returns the bit for a result of [cmp.Compare].
func outcome(order int) uint8 { return 1 << (order + 1) }

// compare returns the mask of the rows for which the outcome of the comparison with v is in want.
func (c *Column) compare(name string, v any, want uint8, equality bool) *Column {
	name = "Column." + name
	b := c.comparable(name, v)
	a := side{c, false}
	out := make([]bool, c.n)
	gone := union(a.gone(c.n), b.gone(c.n))
	switch {
	case a.kind == IntKind && b.kind == IntKind, a.kind == TimeKind && b.kind == TimeKind:
		compareSlices(out, a.ints, b.ints, b.single, want)
	case a.kind.numeric() && b.kind.numeric():
		if b.single && compareNumber(out, a, b, want) {
			break
		}
		if a.kind == IntKind && b.single && !exact(b.numbers()[0]) || b.kind == IntKind && a.kind == FloatKind {
			compareMixed(out, a, b, want)
		} else {
			compareSlices(out, a.numbers(), b.numbers(), b.single, want)
		}
	case a.kind.text() && b.kind.text():
		c.compareText(name, out, b, want, equality)
	default:
		misuse(name, "convert one side first, for example with Parse or AsText", "both sides must be of one kind (numbers, strings or times), got %s and %s", a.describe(), b.describe())
	}
	return withGone(BoolColumn(c.name, out), gone)
}

// comparable returns the other side of a comparison; it reads strings as times if the column holds
// times.
func (c *Column) comparable(name string, v any) side {
	s, ok := v.(string)
	if !ok || c.kind != TimeKind {
		return c.other(name, v)
	}
	t, sense, err := readTime(s, c.zone)
	if err != nil {
		misuse(name, "write it as 2024-01-31 or 2024-01-31 18:30", "a string compared with the times of column %q must be a time, got %q", c.name, s)
	}
	if sense != wallclock.Once {
		misuse(name, "write the time with its offset from UTC, such as "+t.Format(time.RFC3339), "%q must occur exactly once, but occurs %s in %v because of a clock change", s, map[wallclock.Sense]string{wallclock.Skipped: "never", wallclock.Repeated: "twice"}[sense], c.zone)
	}
	return c.other(name, t)
}

// readTime parses a time in one of the usual notations.
func readTime(s string, zone *time.Location) (t time.Time, sense wallclock.Sense, err error) {
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04:05", time.RFC3339Nano, "2006-01", "2006"} {
		if t, sense, err = parseTime(layout, s, zone); err == nil {
			if len(layout) <= len(time.DateOnly) {
				sense = wallclock.Once // a day begins once
			}
			return t, sense, nil
		}
	}
	return t, sense, err
}

// exact reports whether comparing an int64 with x as float64 is free of rounding errors.
func exact(x float64) bool { return math.Abs(x) < 1<<53 || math.IsNaN(x) }

// compareNumber compares a column with a single number in the type of the column. It returns false
// if the type does not have the number.
func compareNumber(out []bool, a, b side, want uint8) bool {
	switch {
	case a.kind == FloatKind && b.kind == IntKind && exact(float64(b.ints[0])):
		compareOne(out, a.floats, float64(b.ints[0]), want)
	case a.kind == IntKind && b.kind == FloatKind && exact(b.floats[0]) && b.floats[0] == math.Trunc(b.floats[0]):
		compareOne(out, a.ints, int64(b.floats[0]), want)
	default:
		return false
	}
	return true
}

func compareSlices[T cmp.Ordered](out []bool, x, y []T, single bool, want uint8) {
	if single {
		compareOne(out, x, y[0], want)
		return
	}
	for i, a := range x {
		b := y[i]
		out[i] = a < b && want&below != 0 || a == b && want&equal != 0 || a > b && want&above != 0
	}
}

func compareOne[T cmp.Ordered](out []bool, x []T, b T, want uint8) {
	switch want {
	case below:
		for i, a := range x {
			out[i] = a < b
		}
	case below | equal:
		for i, a := range x {
			out[i] = a <= b
		}
	case above:
		for i, a := range x {
			out[i] = a > b
		}
	case above | equal:
		for i, a := range x {
			out[i] = a >= b
		}
	case equal:
		for i, a := range x {
			out[i] = a == b
		}
	default:
		for i, a := range x {
			out[i] = a != b
		}
	}
}

// compareMixed compares integers with float64 without rounding the integers.
func compareMixed(out []bool, a, b side, want uint8) {
	for i := range out {
		var order int
		if a.kind == IntKind {
			order = compareIntFloat(a.ints[a.at(i)], b.numbersAt(b.at(i)))
		} else {
			order = -compareIntFloat(b.ints[b.at(i)], a.numbersAt(a.at(i)))
		}
		out[i] = outcome(order)&want != 0
	}
}

// numbersAt returns the number of row i of a column of floats or bools.
func (c *Column) numbersAt(i int) float64 {
	if c.kind == BoolKind {
		if c.bools[i] {
			return 1
		}
		return 0
	}
	return c.floats[i]
}

func compareIntFloat(x int64, y float64) int {
	switch {
	case y >= 1<<63:
		return -1
	case y < -1<<63:
		return 1
	}
	floor := math.Floor(y)
	if order := cmp.Compare(x, int64(floor)); order != 0 || floor == y {
		return order
	}
	return -1
}

// compareText compares strings, or categories by the order of their levels.
func (c *Column) compareText(name string, out []bool, b side, want uint8, equality bool) {
	if c.kind == CategoryKind && !equality {
		c.compareLevels(name, out, b, want)
		return
	}
	if b.single && c.codes != nil {
		s := b.text(0)
		hit := make([]bool, len(c.words.list)+1) // one more for what is missing
		for k, w := range c.words.list {
			hit[k] = outcome(cmp.Compare(w, s))&want != 0
		}
		for i, k := range c.codes {
			if k < 0 {
				k = int32(len(c.words.list))
			}
			out[i] = hit[k]
		}
		return
	}
	for i := range out {
		out[i] = outcome(cmp.Compare(c.text(i), b.text(b.at(i))))&want != 0
	}
}

func (c *Column) compareLevels(name string, out []bool, b side, want uint8) {
	level := func(i int) int32 {
		if b.IsMissing(b.at(i)) {
			return -1
		}
		s := b.text(b.at(i))
		k := slices.Index(c.words.list, s)
		if k < 0 {
			misuse(name, "use one of "+list(c.words.list), "the value must be a level of column %q, got %q", c.name, s)
		}
		return int32(k)
	}
	var k int32
	for i := range out {
		if i == 0 || !b.single {
			k = level(i)
		}
		out[i] = outcome(cmp.Compare(c.codes[i], k))&want != 0
	}
}

// OneOf returns the mask of the rows whose value is one of the values.
func (c *Column) OneOf(values ...any) *Column {
	if len(values) == 0 {
		return withGone(BoolColumn(c.name, make([]bool, c.n)), c.missing)
	}
	out := c.Equal(values[0])
	for _, v := range values[1:] {
		out = out.Or(c.Equal(v))
	}
	return out
}
