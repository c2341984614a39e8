package frame

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Column is a named column of values of one kind, some of which may be missing. It never
// changes: methods return new columns.
type Column struct {
	name    string
	unit    string
	kind    Kind
	n       int
	missing bitmap // nil when no value is missing
	gaps    int    // how many values are missing

	floats []float64 // of FloatKind, NaN where missing
	ints   []int64   // of IntKind, and of TimeKind the nanoseconds since 1970 in UTC
	bools  []bool
	texts  []string // of StringKind where a dictionary would not save memory
	codes  []int32  // of CategoryKind and StringKind: positions in words, -1 where missing
	words  *words
	zone   *time.Location // of TimeKind
	clock  *clock         // of TimeKind: how it is written; may be nil
	coding *coding        // of texts, made when first needed
	notes  []string       // notes of the step that made it
}

// words are the distinct strings of a column with codes.
type words struct {
	list   []string
	sorted sync.Once
	rank   []int32 // of each string, its position in ascending order
}

// coding is what [Column.coded] remembers.
type coding struct {
	once  sync.Once
	codes []int32
	words *words
}

// Name returns the name of the column.
func (c *Column) Name() string { return c.name }

// Kind returns the kind of the values.
func (c *Column) Kind() Kind { return c.kind }

// Len returns the number of rows.
func (c *Column) Len() int { return c.n }

// Missing returns the number of missing values.
func (c *Column) Missing() int { return c.gaps }

// IsMissing reports whether the value of row i is missing.
func (c *Column) IsMissing(i int) bool { return c.missing.has(i) }

// Notes returns the notes of the step that made the column; they report its decisions. If you set
// the column in a frame, the frame takes over the notes.
func (c *Column) Notes() []string { return slices.Clone(c.notes) }

// Unit returns the unit of the numbers, such as "km", or "".
func (c *Column) Unit() string { return c.unit }

// Zone returns the time zone in which the times of the column are read and written.
func (c *Column) Zone() *time.Location { return c.zone }

// Levels returns the levels of a category column in their order, or the distinct values of a string
// column in ascending order. It panics with a [*model.Error] on a column of another kind. For the
// distinct values of any column, use [Column.Values].
func (c *Column) Levels() []string {
	switch c.kind {
	case CategoryKind:
		return slices.Clone(c.words.list)
	case StringKind:
		return c.Category().Levels()
	}
	misuse("Column.Levels", "use Values for the distinct values, Category to turn them into levels, or Cut or Quantiles for ranges",
		"column %q must be of kind category, got %v", c.name, c.kind)
	return nil
}

// Named returns the column under another name.
func (c *Column) Named(name string) *Column {
	d := *c
	d.name = name
	return &d
}

// WithUnit returns the column with a unit.
func (c *Column) WithUnit(unit string) *Column {
	d := *c
	d.unit = unit
	return &d
}

// In returns the time column in another time zone: the instants are the same, but they are read and
// written in zone. zone is a *time.Location or the name of a time zone, such as "Europe/Berlin". It
// panics with a [*model.Error] if there is no such zone.
func (c *Column) In(zone any) *Column {
	const op = "Column.In"
	c.need(op, TimeKind)
	d := *c
	d.zone, d.clock = zoneOf(op, zone), new(clock)
	return &d
}

// zoneOf returns the time zone that the argument zone of a method means.
func zoneOf(op string, zone any) *time.Location {
	const hint = `use a name of the IANA database, such as "Europe/Berlin"`
	switch z := zone.(type) {
	case *time.Location:
		if z != nil {
			return z
		}
	case string:
		if at, err := time.LoadLocation(z); err == nil && z != "" {
			return at
		}
		misuse(op, hint, "zone must be the name of a time zone, got %q", z)
	}
	misuse(op, hint, "zone must be the name of a time zone or a *time.Location, got %T", zone)
	return nil
}

// need panics unless the column is of one of the kinds.
func (c *Column) need(op string, kinds ...Kind) {
	if slices.Contains(kinds, c.kind) {
		return
	}
	var words string
	for i, k := range kinds {
		if i > 0 {
			words += " or "
		}
		words += k.String()
	}
	misuse(op, "convert the column first, for example with Parse or AsText", "column %q must be of kind %s, got %v", c.name, words, c.kind)
}

// FloatColumn makes a column of the values without copying them; NaN marks a missing value.
func FloatColumn(name string, values []float64) *Column {
	c := &Column{name: name, kind: FloatKind, n: len(values), floats: values}
	return c.mark(nans(values))
}

// IntColumn makes a column of the values without copying them.
func IntColumn(name string, values []int64) *Column {
	return &Column{name: name, kind: IntKind, n: len(values), ints: values}
}

// BoolColumn makes a column of the values without copying them.
func BoolColumn(name string, values []bool) *Column {
	return &Column{name: name, kind: BoolKind, n: len(values), bools: values}
}

// StringColumn returns a column of the values. If most values are distinct, the column stores the
// strings; otherwise, it stores indices into a dictionary. An empty string is not a missing value.
func StringColumn(name string, values []string) *Column {
	if codes, list, ok := encode(values, true); ok {
		return StringCodes(name, codes, list)
	}
	return &Column{name: name, kind: StringKind, n: len(values), texts: values, coding: new(coding)}
}

// StringCodes makes a column of strings from a dictionary: row i is words[codes[i]], or missing if
// codes[i] is -1. StringCodes does not copy the slices. The words must be distinct.
func StringCodes(name string, codes []int32, list []string) *Column {
	c := &Column{name: name, kind: StringKind, n: len(codes), codes: codes, words: &words{list: list}}
	return c.mark(c.checkCodes("StringCodes"))
}

// CategoryColumn makes a column of categories: row i is levels[codes[i]], or missing if codes[i] is
// -1. The levels must be distinct and in ascending order. It does not copy the slices.
func CategoryColumn(name string, codes []int32, levels []string) *Column {
	c := &Column{name: name, kind: CategoryKind, n: len(codes), codes: codes, words: &words{list: levels}}
	seen := make(map[string]bool, len(levels))
	for _, s := range levels {
		if seen[s] {
			misuse("CategoryColumn", "", "the levels of column %q must be distinct, got %q twice", name, s)
		}
		seen[s] = true
	}
	return c.mark(c.checkCodes("CategoryColumn"))
}

// checkCodes returns the rows whose code is -1, and panics on a code without a word.
func (c *Column) checkCodes(op string) bitmap {
	var b bitmap
	for i, k := range c.codes {
		if uint32(k) < uint32(len(c.words.list)) {
			continue
		}
		if k != -1 {
			misuse(op, "use the index of a word, or -1 for a missing value",
				"the codes of column %q must be between -1 and %d, got %d in row %d", c.name, len(c.words.list)-1, k, i)
		}
		if b == nil {
			b = newBitmap(c.n)
		}
		b.set(i)
	}
	return b
}

// noTime is the error text for a time before 1678 or after 2262, which nanoseconds since 1970
// cannot represent.
const noTime = "keep the year as a number, since times are stored in nanoseconds since 1970"

var (
	firstTime = time.Unix(0, math.MinInt64)
	lastTime  = time.Unix(0, math.MaxInt64)
)

// TimeColumn makes a column of the times, in the time zone of the first time; the zero time marks a
// missing value. It panics with a [*model.Error] on a time before 1678 or after 2262.
func TimeColumn(name string, values []time.Time) *Column {
	c := &Column{name: name, kind: TimeKind, n: len(values), ints: make([]int64, len(values)), zone: time.UTC, clock: new(clock)}
	var b bitmap
	first := true
	for i, t := range values {
		if t.IsZero() {
			if b == nil {
				b = newBitmap(c.n)
			}
			b.set(i)
			continue
		}
		if t.Before(firstTime) || t.After(lastTime) {
			misuse("TimeColumn", noTime, "the times of column %q must be in the years 1678 to 2262, got %s in row %d", name, t.Format(time.DateOnly), i)
		}
		if first {
			c.zone, first = t.Location(), false
		}
		c.ints[i] = t.UnixNano()
	}
	return c.mark(b)
}

// NanoColumn makes a column of times from nanoseconds since 1 January 1970 in UTC, without copying
// them. The column's times are read and written in zone.
func NanoColumn(name string, nanos []int64, zone *time.Location) *Column {
	return &Column{name: name, kind: TimeKind, n: len(nanos), ints: nanos, zone: zone, clock: new(clock)}
}

// MarkMissing returns the column with more values marked as missing: the value of row i if bit i%64
// of missing[i/64] is set. It copies the values only if one of them was not missing before.
func (c *Column) MarkMissing(missing []uint64) *Column {
	if len(missing) != (c.n+63)/64 {
		misuse("Column.MarkMissing", "", "missing must have %d words of 64 bits (one bit per row of column %q), got %d", (c.n+63)/64, c.name, len(missing))
	}
	b := union(bitmap(slices.Clone(missing)).trim(c.n), c.missing)
	if b.count() == c.gaps {
		return c
	}
	d := *c
	d.floats, d.ints, d.bools = slices.Clone(c.floats), slices.Clone(c.ints), slices.Clone(c.bools)
	d.texts, d.codes, d.clock = slices.Clone(c.texts), slices.Clone(c.codes), new(clock)
	if c.texts != nil {
		d.coding = new(coding)
	}
	return d.mark(b)
}

// mark marks the rows of b as missing in c, which must not be shared yet.
func (c *Column) mark(b bitmap) *Column {
	c.gaps = b.count()
	if c.gaps == 0 {
		c.missing = nil
		return c
	}
	c.missing = b
	for w, word := range b {
		for ; word != 0; word &= word - 1 {
			c.erase(w<<6 + bits.TrailingZeros64(word))
		}
	}
	return c
}

// erase overwrites a value with the one that stands for a missing value.
func (c *Column) erase(i int) {
	switch {
	case c.floats != nil:
		c.floats[i] = math.NaN()
	case c.codes != nil:
		c.codes[i] = -1
	case c.texts != nil:
		c.texts[i] = ""
	case c.ints != nil:
		c.ints[i] = 0
	case c.bools != nil:
		c.bools[i] = false
	}
}

// If more than half of the first strings are distinct, the strings are kept as they are.
const encodeTrial = 4096

// encode returns the values as positions in a list of distinct ones, in the order of their
// appearance. It returns false if give is set and a dictionary would not save memory.
func encode(values []string, give bool) (codes []int32, list []string, ok bool) {
	codes = make([]int32, len(values))
	l := newLexicon()
	last := ""
	for i, s := range values {
		if i > 0 && s == last {
			codes[i] = codes[i-1]
			continue
		}
		codes[i], last = l.number(s), s
		if give && i >= encodeTrial && 2*len(l.list) > i {
			return nil, nil, false
		}
	}
	return codes, l.list, true
}

// coded returns the codes and the dictionary of a column of strings or categories.
func (c *Column) coded() ([]int32, *words) {
	if c.codes != nil || c.coding == nil {
		if c.words == nil {
			return c.codes, new(words)
		}
		return c.codes, c.words
	}
	c.coding.once.Do(func() {
		codes, list, _ := encode(c.texts, false)
		for i := range codes {
			if c.missing.has(i) {
				codes[i] = -1
			}
		}
		c.coding.codes, c.coding.words = codes, &words{list: list}
	})
	return c.coding.codes, c.coding.words
}

// text returns the string of row i of a column of strings or categories.
func (c *Column) text(i int) string {
	if c.codes == nil {
		return c.texts[i]
	}
	if k := c.codes[i]; k >= 0 {
		return c.words.list[k]
	}
	return ""
}

// moment returns the time of row i.
func (c *Column) moment(i int) time.Time { return time.Unix(0, c.ints[i]).In(c.zone) }

// At returns the value of row i: a float64, int64, string, bool or time.Time, or nil if it is
// missing.
func (c *Column) At(i int) any {
	if i < 0 || i >= c.n {
		misuse("Column.At", "", "the row of column %q must be between 0 and %d, got %d", c.name, c.n-1, i)
	}
	if c.missing.has(i) {
		return nil
	}
	switch c.kind {
	case FloatKind:
		return c.floats[i]
	case IntKind:
		return c.ints[i]
	case BoolKind:
		return c.bools[i]
	case TimeKind:
		return c.moment(i)
	}
	return c.text(i)
}

// Text returns the value of row i as a string, or "" if it is missing. A time omits each of these
// parts if it is zero in the whole column: the fraction of a second, the seconds, and the time of
// day.
func (c *Column) Text(i int) string {
	if c.missing.has(i) {
		return ""
	}
	switch c.kind {
	case FloatKind:
		return strconv.FormatFloat(c.floats[i], 'g', -1, 64)
	case IntKind:
		return strconv.FormatInt(c.ints[i], 10)
	case BoolKind:
		return strconv.FormatBool(c.bools[i])
	case TimeKind:
		return c.writeTime(i)
	}
	return c.text(i)
}
