package frame

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
	"unicode/utf8"
)

// perWord returns f of each string; where ok is false, the result is missing. It calls f once for
// each word of a dictionary.
func perWord[T any](c *Column, op string, f func(string) (T, bool)) (out []T, gone bitmap) {
	c.need(op, StringKind, CategoryKind)
	out = make([]T, c.n)
	gone = c.missing
	add := func(i int) {
		if gone == nil || len(c.missing) > 0 && &gone[0] == &c.missing[0] {
			gone = union(newBitmap(c.n), gone)
		}
		gone.set(i)
	}
	if c.codes == nil {
		for i, s := range c.texts {
			v, ok := f(s)
			if out[i] = v; !ok {
				add(i)
			}
		}
		return out, gone
	}
	known := make([]T, len(c.words.list))
	good := make([]bool, len(known))
	for k, s := range c.words.list {
		known[k], good[k] = f(s)
	}
	for i, k := range c.codes {
		if k < 0 {
			continue
		}
		if out[i] = known[k]; !good[k] {
			add(i)
		}
	}
	return out, gone
}

// mapText returns a column with f of each string.
func (c *Column) mapText(op string, f func(string) (string, bool)) *Column {
	v, gone := perWord(c, op, f)
	return withGone(StringColumn(c.name, v), gone)
}

// textMask returns the rows for which f is true.
func (c *Column) textMask(op string, f func(string) bool) *Column {
	v, gone := perWord(c, op, func(s string) (bool, bool) { return f(s), true })
	return withGone(BoolColumn(c.name, v), gone)
}

// always adapts a function that has a result for each string.
func always(f func(string) string) func(string) (string, bool) {
	return func(s string) (string, bool) { return f(s), true }
}

// MapText returns f of each string. It calls f once for each distinct string.
func (c *Column) MapText(f func(string) string) *Column {
	return c.mapText("Column.MapText", always(f))
}

// Lower returns the strings in lower case.
func (c *Column) Lower() *Column { return c.mapText("Column.Lower", always(strings.ToLower)) }

// Upper returns the strings in upper case.
func (c *Column) Upper() *Column { return c.mapText("Column.Upper", always(strings.ToUpper)) }

// Trim returns the strings without white space at their ends.
func (c *Column) Trim() *Column { return c.mapText("Column.Trim", always(strings.TrimSpace)) }

// Replace returns the strings with every occurrence of old replaced.
func (c *Column) Replace(old, with string) *Column {
	return c.mapText("Column.Replace", always(func(s string) string { return strings.ReplaceAll(s, old, with) }))
}

// ReplaceMatch returns the strings with every match of a regular expression replaced; in the
// replacement, $1 stands for the first group.
func (c *Column) ReplaceMatch(pattern, with string) *Column {
	re := compiled("Column.ReplaceMatch", pattern)
	return c.mapText("Column.ReplaceMatch", always(func(s string) string { return re.ReplaceAllString(s, with) }))
}

// Contains returns the mask of the strings that contain part.
func (c *Column) Contains(part string) *Column {
	return c.textMask("Column.Contains", func(s string) bool { return strings.Contains(s, part) })
}

// HasPrefix returns the mask of the strings that begin with prefix.
func (c *Column) HasPrefix(prefix string) *Column {
	return c.textMask("Column.HasPrefix", func(s string) bool { return strings.HasPrefix(s, prefix) })
}

// HasSuffix returns the mask of the strings that end with suffix.
func (c *Column) HasSuffix(suffix string) *Column {
	return c.textMask("Column.HasSuffix", func(s string) bool { return strings.HasSuffix(s, suffix) })
}

// Matches returns the mask of the strings that contain a match of a regular expression.
func (c *Column) Matches(pattern string) *Column {
	return c.textMask("Column.Matches", compiled("Column.Matches", pattern).MatchString)
}

// Extract returns the match of a regular expression in each string: the match of its group or, if
// the expression has no group, the whole match. The result is missing for strings without a match.
// It panics with a [*model.Error] if the expression has several groups; use [Column.ExtractGroups]
// for such an expression.
func (c *Column) Extract(pattern string) *Column {
	const op = "Column.Extract"
	re := compiled(op, pattern)
	if n := re.NumSubexp(); n > 1 {
		misuse(op, "use ExtractGroups for a column per group, or (?:...) for a group that is not extracted", "the pattern must have at most one group, got %d", n)
	}
	return c.mapText(op, extracted(re, re.NumSubexp()))
}

// ExtractGroups returns a frame with a column for each group of a regular expression. The column
// holds the match of the group. It is missing for strings that the expression does not match, or if
// the group is not part of the match. A column has the name of its group, as in (?P<width>\d+), or
// otherwise the number of its group, counted from 1.
//
//	f.Col("size").ExtractGroups(`(?P<width>\d+) x (?P<height>\d+)`)
func (c *Column) ExtractGroups(pattern string) *Frame {
	const op = "Column.ExtractGroups"
	re := compiled(op, pattern)
	if re.NumSubexp() == 0 {
		misuse(op, "put parentheses around the parts to extract, or use Extract", "the pattern must have a group, got none")
	}
	var cols []*Column
	for k, name := range re.SubexpNames() {
		if k == 0 {
			continue
		}
		if name == "" {
			name = strconv.Itoa(k)
		}
		cols = append(cols, c.mapText(op, extracted(re, k)).Named(name))
	}
	return of(op, cols)
}

// SplitColumns splits each string at a separator and returns a frame with a column for each part.
// The columns are named 1, 2 and so on, up to the largest number of parts. If you pass names, the
// columns get these names instead, and the last column holds the rest of the string. If a string
// has fewer parts than there are columns, the remaining values are missing. See [Column.Split] for
// a single part.
//
//	f.Col("driver").SplitColumns(", ", "family", "given")
func (c *Column) SplitColumns(sep string, names ...string) *Frame {
	const op = "Column.SplitColumns"
	c.need(op, StringKind, CategoryKind)
	if sep == "" {
		misuse(op, `pass a separator such as ", "`, "the separator must not be empty")
	}
	n := len(names)
	if n == 0 {
		counts, _ := perWord(c, op, func(s string) (int, bool) { return strings.Count(s, sep) + 1, true })
		n = max(1, slices.Max(append(counts, 0)))
		if n > widest {
			misuse(op, "name the first columns, or use Split for a single part", "there must be at most %d parts, got %d", widest, n)
		}
		for k := range n {
			names = append(names, strconv.Itoa(k+1))
		}
	}
	cols := make([]*Column, n)
	for k, name := range names {
		cols[k] = c.mapText(op, func(s string) (string, bool) {
			if parts := strings.SplitN(s, sep, n); k < len(parts) {
				return parts[k], true
			}
			return "", false
		}).Named(name)
	}
	return of(op, cols)
}

// extracted makes a function that returns the match of group k, and false if there is none.
func extracted(re *regexp.Regexp, k int) func(string) (string, bool) {
	return func(s string) (string, bool) {
		m := re.FindStringSubmatchIndex(s)
		if m == nil || m[2*k] < 0 {
			return "", false
		}
		return s[m[2*k]:m[2*k+1]], true
	}
}

// Split splits each string at sep and returns part i, counted from 0; -1 is the last part. The
// result is missing for strings with fewer parts.
func (c *Column) Split(sep string, i int) *Column {
	return c.mapText("Column.Split", func(s string) (string, bool) {
		pieces := strings.Split(s, sep)
		k := i
		if k < 0 {
			k += len(pieces)
		}
		if k < 0 || k >= len(pieces) {
			return "", false
		}
		return pieces[k], true
	})
}

// Letters returns the number of characters (not bytes) of each string.
func (c *Column) Letters() *Column {
	v, gone := perWord(c, "Column.Letters", func(s string) (int64, bool) { return int64(utf8.RuneCountInString(s)), true })
	return withGone(IntColumn(c.name, v), gone)
}

// Parse parses the strings as numbers in Go's notation. The result is of kind int64 if all numbers
// are integers, and float64 otherwise. It panics with a [*model.Error] on the first string that is
// not a number; ParseOr makes such strings missing.
func (c *Column) Parse() *Column { return c.parse("Column.Parse", false) }

// ParseOr is [Column.Parse], but makes strings that are not numbers missing.
func (c *Column) ParseOr() *Column { return c.parse("Column.ParseOr", true) }

func (c *Column) parse(op string, lenient bool) *Column {
	ints, gone := perWord(c, op, func(s string) (int64, bool) {
		x, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		return x, err == nil
	})
	if gone.count() == c.gaps {
		return withGone(IntColumn(c.name, ints), gone)
	}
	floats, gone := perWord(c, op, func(s string) (float64, bool) {
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		return x, err == nil && !math.IsNaN(x)
	})
	for i := range floats {
		if !lenient && gone.has(i) && !c.missing.has(i) {
			misuse(op, "use ParseOr to make such values missing", "the values of column %[3]q must be numbers, got %[1]q in row %[2]d", c.text(i), i, c.name)
		}
	}
	return withGone(FloatColumn(c.name, floats), gone)
}

// ParseTime parses the strings as times in a layout of package time, such as "02.01.2006", in a
// time zone. If a local time occurs twice because the clock is put back, the result is the first of
// the two times. A time that the clock skips is moved forward by the length of the gap. A note
// lists the affected rows. It panics with a [*model.Error] on the first string that is not a time.
func (c *Column) ParseTime(layout string, zone *time.Location) *Column {
	const op = "Column.ParseTime"
	clashes := map[string]wallclock.Sense{}
	times, gone := perWord(c, op, func(s string) (time.Time, bool) {
		t, sense, err := parseTime(layout, strings.TrimSpace(s), zone)
		if sense != wallclock.Once {
			clashes[s] = sense
		}
		return t, err == nil
	})
	for i := range times {
		if gone.has(i) && !c.missing.has(i) {
			misuse(op, "write the layout as the time 2006-01-02 15:04:05 would appear", "the values of column %[3]q must fit the layout %[4]q, got %[1]q in row %[2]d", c.text(i), i, c.name, layout)
		}
	}
	d := TimeColumn(c.name, times)
	d.zone = zone
	d = withGone(d, gone)
	d.notes = c.clashNotes(clashes, zone)
	return d
}

// clashNotes lists the rows with local times that a clock change skips or repeats.
func (c *Column) clashNotes(clashes map[string]wallclock.Sense, zone *time.Location) []string {
	var found []infer.Clash
	for i := 0; len(clashes) > 0 && i < c.n; i++ {
		if c.missing.has(i) {
			continue
		}
		if sense, ok := clashes[c.text(i)]; ok {
			found = append(found, infer.Clash{Row: i, Sense: sense})
		}
	}
	notes := infer.ClashNotes(found, zone, 0)
	for k := range notes {
		notes[k] = "column " + strconv.Quote(c.name) + " " + notes[k]
	}
	return notes
}

// elsewhere is a zone that no text can name.
var elsewhere = time.FixedZone("", 12345)

// parseTime is like time.ParseInLocation, but also returns how many moments the text may mean. A
// text with an offset of its own means one moment.
func parseTime(layout, s string, zone *time.Location) (time.Time, wallclock.Sense, error) {
	t, err := time.ParseInLocation(layout, s, zone)
	if err != nil || zone == time.UTC {
		return t, wallclock.Once, err
	}
	wall, _ := time.ParseInLocation(layout, s, time.UTC)
	if other, _ := time.ParseInLocation(layout, s, elsewhere); other.Equal(wall) {
		return t, wallclock.Once, nil
	}
	y, m, d := wall.Date()
	t, sense := wallclock.Date(y, m, d, wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), zone)
	return t, sense, nil
}

// Category returns the strings as categories with the levels in the given order. Without levels,
// the levels are the values that occur, in ascending order. It panics with a [*model.Error] on a
// value that is not a level.
func (c *Column) Category(levels ...string) *Column {
	const op = "Column.Category"
	if !c.kind.text() {
		c = StringColumn(c.name, c.Strings()).MarkMissing(c.missingBits())
	}
	if len(levels) == 0 {
		if levels = c.Values().Strings(); c.gaps > 0 {
			levels = levels[:len(levels)-1]
		}
	}
	index := make(map[string]int32, len(levels))
	for k, s := range levels {
		index[s] = int32(k)
	}
	codes, gone := perWord(c, op, func(s string) (int32, bool) { k, ok := index[s]; return k, ok })
	for i := range codes {
		if gone.has(i) {
			if !c.missing.has(i) {
				misuse(op, "add it to the levels, or Replace it", "the values of column %[3]q must be levels, got %[1]q in row %[2]d", c.text(i), i, c.name)
			}
			codes[i] = -1
		}
	}
	return CategoryColumn(c.name, codes, levels)
}

// Relabel returns the category column with new names for its levels, in their order, such as names
// for the ranges of [Column.Cut]:
//
//	age.Cut(0, 18, 65, 120).Relabel("young", "middle", "old")
//
// It panics with a [*model.Error] if there are not as many names as levels.
func (c *Column) Relabel(names ...string) *Column {
	const op = "Column.Relabel"
	c.need(op, CategoryKind)
	if levels := c.Levels(); len(names) != len(levels) {
		misuse(op, "the levels of column \""+c.name+"\" are "+list(levels), "the number of names must be %d (the number of levels), got %d", len(levels), len(names))
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			misuse(op, "use MapText to merge levels", "the new names must be distinct, got %q twice", name)
		}
	}
	codes, _ := c.Codes()
	return CategoryColumn(c.name, codes, slices.Clone(names))
}

// AsText returns the values as strings.
func (c *Column) AsText() *Column {
	return withGone(StringColumn(c.name, c.Strings()), c.missing)
}

func compiled(op, pattern string) *regexp.Regexp {
	re, err := regexp.Compile(pattern)
	if err != nil {
		misuse(op, "see the documentation of package regexp", "%v", err)
	}
	return re
}
