package infer

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Context holds the options that the columns of one file share.
type Context struct {
	// Decimal is the decimal sign, '.' or ','; 0 means that it is detected.
	Decimal byte
	// Likely is the decimal sign of the other columns, for columns whose texts do not determine it.
	Likely byte
	// Semicolons means that semicolons separate the fields, which is common if the comma is the
	// decimal sign. Commas means that commas separate the fields.
	Semicolons, Commas bool
	// Ordered means that Order is the order of day and month, for columns whose texts do not
	// determine it.
	Ordered bool
	Order   Order
	// Fixed means that texts of another order than Order are not times.
	Fixed bool
	Zone  *time.Location // of times without an offset
	// Placed means that the user set Zone, so that a column can have both times with an offset and
	// times without one.
	Placed bool
}

// fit counts the texts that a reading accepts, and keeps the first text that it does not accept.
type fit struct {
	n       int
	odd     int
	oddText string
	oddRow  int
}

func (f *fit) add(ok bool, text []byte, row, count int) bool {
	if ok {
		f.n += count
		return true
	}
	if f.odd == 0 || row < f.oddRow {
		f.oddText, f.oddRow = string(text), row
	}
	f.odd += count
	return false
}

// hopeless reports whether so few texts fit that there is no point in examining more.
func (f *fit) hopeless() bool { return f.odd > 1000 && f.n < f.odd/50 }

// numbers holds the counts of numbers with one decimal sign.
type numbers struct {
	fit
	decimals, grouped, dressed int
	zeros, big                 string // first number with a leading 0; first number beyond int64
	zerosRow                   int
	units                      map[string]int
	largest                    float64
}

// times holds the counts of times with one order of day and month.
type times struct {
	fit
	ordered, short, zoned int
	offsets               map[int]int
	firstOffset           int
	years                 bool // some year is outside the supported range
}

// Tally examines the non-missing texts of a column, each with its number of occurrences.
type Tally struct {
	known        int
	point, comma numbers
	bools        fit
	days, months times
}

// Add examines one text. row is the row of its first occurrence.
func (t *Tally) Add(text []byte, row, count int) {
	t.known += count
	t.addNumber(&t.point, '.', text, row, count)
	t.addNumber(&t.comma, ',', text, row, count)
	if !t.bools.hopeless() {
		_, ok := (&Recipe{}).Bool(text)
		t.bools.add(ok, text, row, count)
	}
	t.addTime(&t.days, DayFirst, text, row, count)
	t.addTime(&t.months, MonthFirst, text, row, count)
}

// Hopeless reports whether so few texts are numbers, times or booleans that the rest need not be
// examined.
func (t *Tally) Hopeless() bool {
	return t.point.hopeless() && t.comma.hopeless() && t.bools.hopeless() && t.days.hopeless() && t.months.hopeless()
}

func (t *Tally) addNumber(s *numbers, decimal byte, text []byte, row, count int) {
	if s.hopeless() {
		return
	}
	var buf [64]byte
	var n number
	v, plain := ParseInt(text)
	ok := plain
	if plain {
		digits := text
		if digits[0] == '-' || digits[0] == '+' {
			digits = digits[1:]
		}
		n.zeros = len(digits) > 1 && digits[0] == '0'
		s.largest = max(s.largest, math.Abs(float64(v)))
	} else {
		n, ok = scan(text, decimal, buf[:])
		if !ok {
			if _, ok = infinite(text); ok {
				n.decimal = true
			}
		}
	}
	if !s.add(ok, text, row, count) {
		return
	}
	if n.zeros && s.zeros == "" {
		s.zeros, s.zerosRow = string(text), row
	}
	if n.decimal {
		s.decimals += count
	} else if _, small := ParseInt(n.plain); !plain && !small {
		s.big = string(text)
	}
	if n.grouped {
		s.grouped += count
	}
	if n.dressed {
		s.dressed += count
	}
	if n.unit != "" {
		if s.units == nil {
			s.units = map[string]int{}
		}
		s.units[n.unit] += count
	}
}

func (t *Tally) addTime(s *times, order Order, text []byte, row, count int) {
	if s.hopeless() {
		return
	}
	var m moment
	ok := len(text) >= 6 && m.read(text, order)
	if ok {
		if _, _, fits := m.unix(time.UTC); !fits {
			ok, s.years = false, true
		}
	}
	if !s.add(ok, text, row, count) {
		return
	}
	if m.ordered {
		s.ordered += count
	}
	if m.short {
		s.short += count
	}
	if m.zoned {
		if s.offsets == nil {
			s.offsets = map[int]int{}
		}
		if s.zoned == 0 {
			s.firstOffset = m.offset
		}
		s.zoned += count
		s.offsets[m.offset] += count
	}
}

// Decimal returns the decimal sign if the texts determine it, and 0 otherwise.
func (t *Tally) Decimal() byte {
	if t.known == 0 {
		return 0
	}
	p, c := t.point.n == t.known, t.comma.n == t.known
	switch {
	case p && !c:
		return '.'
	case c && !p:
		return ','
	}
	return 0
}

// Order returns the order of day and month, and whether the texts determine it.
func (t *Tally) Order() (order Order, ok bool) {
	if t.known == 0 {
		return 0, false
	}
	d, m := t.days.n == t.known, t.months.n == t.known
	switch {
	case d && !m:
		return DayFirst, true
	case m && !d:
		return MonthFirst, true
	}
	return 0, false
}

// Verdict is the detected kind of a column.
type Verdict struct {
	Recipe
	// Notes describe the decisions that were made; the caller must put the name of the column
	// before each note.
	Notes []string
	// Odd is a text that does not fit OddKind, the kind of nearly all other texts; because of it,
	// the column is read as text. OddRow is the row of its first occurrence. OddCount is the number
	// of texts that do not fit, and Others is the number of texts that fit.
	Odd                      string
	OddRow, OddCount, Others int
	OddKind                  Kind
}

// mistyped reports whether so few texts do not fit that they may be typing errors:
// at most one in five, and at least ten that fit.
func (f *fit) mistyped() bool { return f.odd > 0 && f.n >= 10 && 4*f.odd <= f.n }

// Verdict returns the kind of the column and its recipe.
func (t *Tally) Verdict(c *Context) Verdict {
	switch {
	case t.known == 0:
		return Verdict{Recipe: Recipe{Kind: Float, Decimal: '.'}}
	case t.bools.n == t.known:
		return Verdict{Recipe: Recipe{Kind: Bool}}
	case t.number(c).n == t.known:
		return t.numeric(c)
	case t.time(c).n == t.known:
		return t.timed(c)
	}
	v := Verdict{Recipe: Recipe{Kind: Text}}
	v.odd(Float, &t.number(c).fit)
	v.odd(Time, &t.time(c).fit)
	v.odd(Bool, &t.bools)
	if v.OddKind == Float && v.Others > 0 && t.number(c).decimals == 0 {
		v.OddKind = Int
	}
	return v
}

// odd records the texts that do not fit the kind, if they may be typing errors and no other kind
// fits more texts.
func (v *Verdict) odd(kind Kind, f *fit) {
	if f.mistyped() && f.n > v.Others {
		v.Odd, v.OddRow, v.OddCount, v.Others, v.OddKind = f.oddText, f.oddRow, f.odd, f.n, kind
	}
}

// Forced returns the best way to read the column as the requested kind; texts that do not fit
// become missing values, and Odd holds one of these texts.
func (t *Tally) Forced(kind Kind, c *Context) Verdict {
	v := Verdict{Recipe: Recipe{Kind: kind, Decimal: '.', Zone: c.Zone}}
	var f *fit
	switch kind {
	case Text:
		return v
	case Bool:
		f = &t.bools
	case Float, Int:
		s := t.number(c)
		v.Recipe = t.numberRecipe(s)
		v.Kind = kind
		f = &s.fit
		if s.n == t.known {
			_, v.Notes = t.doubtful(c)
		}
	case Time:
		s := t.time(c)
		v.Recipe = t.timeRecipe(s, c)
		f = &s.fit
	}
	if f.odd > 0 {
		v.Odd, v.OddRow, v.OddCount, v.Others, v.OddKind = f.oddText, f.oddRow, f.odd, f.n, kind
	}
	return v
}

// number chooses the decimal sign and returns its counts.
func (t *Tally) number(c *Context) *numbers {
	switch {
	case c.Decimal == '.' || c.Decimal == 0 && t.point.n > t.comma.n:
		return &t.point
	case c.Decimal == ',' || t.comma.n > t.point.n:
		return &t.comma
	case c.Likely == ',' || c.Likely == 0 && t.point.grouped > 0 && c.Semicolons:
		return &t.comma
	}
	return &t.point
}

func (t *Tally) numberRecipe(s *numbers) Recipe {
	r := Recipe{Kind: Float, Decimal: '.', Dressed: s.dressed > 0}
	if s == &t.comma {
		r.Decimal = ','
	}
	for u, n := range s.units {
		if n > s.units[r.Unit] || n == s.units[r.Unit] && u < r.Unit {
			r.Unit = u
		}
	}
	if s.decimals == 0 {
		r.Kind = Int
	}
	return r
}

// doubtful reports whether the points or commas of a column can be decimal signs or thousands
// separators and nothing determines which. In other cases the notes say what was decided.
func (t *Tally) doubtful(c *Context) (doubt bool, notes []string) {
	commas, points := t.point.grouped > 0, t.comma.grouped > 0
	if c.Decimal != 0 || t.point.n != t.comma.n || !commas && !points || points && c.Likely != ',' {
		return false, nil
	}
	sign := "commas"
	if points {
		sign = "points"
	}
	as, since := "decimal signs", "as in other columns"
	switch {
	case c.Likely != 0:
		if points == (c.Likely == ',') {
			as, since = "thousands separators", fmt.Sprintf("since %q is the decimal sign of other columns", c.Likely)
		}
	case c.Semicolons:
		since = "since semicolons separate the fields"
	case c.Commas:
		as, since = "thousands separators", "since commas separate the fields"
	default:
		return true, nil
	}
	return false, []string{fmt.Sprintf("has %s that could be decimal signs or thousands separators: read as %s, %s", sign, as, since)}
}

// numeric returns the verdict on a column that contains only numbers.
func (t *Tally) numeric(c *Context) Verdict {
	s := t.number(c)
	v := Verdict{Recipe: t.numberRecipe(s)}
	text := func(format string, args ...any) Verdict {
		return Verdict{Recipe: Recipe{Kind: Text}, Notes: []string{fmt.Sprintf(format, args...)}}
	}
	doubt, notes := t.doubtful(c)
	withUnit := 0
	for _, n := range s.units {
		withUnit += n
	}
	switch {
	case doubt:
		return text(`has commas that could be decimal signs or thousands separators: read as text; set Decimal to "," or "."`)
	case s.zeros != "" && s.decimals == 0 && s.units == nil:
		return text(`has numbers with leading zeros (row %d: %q): read as text, since they may be codes; set Kinds to read numbers`, s.zerosRow+1, s.zeros)
	case s.big != "" && s.decimals == 0:
		return text(`has integers such as %s, which are too large for int64: read as text, which keeps all digits`, s.big)
	case len(s.units) > 1:
		return text(`has numbers in %s: read as text`, list(s.units))
	case withUnit > 0 && withUnit < s.n:
		return text(`has %d numbers with %q and %d without: read as text; set Kinds to read numbers`, withUnit, v.Unit, s.n-withUnit)
	}
	v.Notes = notes
	if v.Kind == Float && s.largest > 1<<53 {
		v.Notes = append(v.Notes, fmt.Sprintf("has integers up to %.0f among decimals, which float64 cannot hold exactly", s.largest))
	}
	return v
}

func list(units map[string]int) string {
	names := make([]string, 0, len(units))
	for u := range units {
		names = append(names, u)
	}
	slices.Sort(names)
	return fmt.Sprintf("%q", names)
}

// time chooses the order of day and month and returns its counts.
func (t *Tally) time(c *Context) *times {
	switch {
	case c.Fixed && c.Order == DayFirst:
		return &t.days
	case c.Fixed, t.months.n > t.days.n:
		return &t.months
	case t.months.n == t.days.n && c.Ordered && c.Order == MonthFirst:
		return &t.months
	}
	return &t.days
}

func (t *Tally) timeRecipe(s *times, c *Context) Recipe {
	r := Recipe{Kind: Time, Zone: c.Zone}
	if s == &t.months {
		r.Order = MonthFirst
	}
	if r.Zone == nil {
		r.Zone = time.UTC
	}
	switch {
	case c.Placed && s.zoned > 0 && s.zoned < s.n:
		r.Either = true
	case 2*s.zoned > s.n:
		r.Zoned, r.Offset, r.Mixed = true, s.firstOffset, len(s.offsets) > 1
	}
	return r
}

// timed returns the verdict on a column that contains only times.
func (t *Tally) timed(c *Context) Verdict {
	s := t.time(c)
	v := Verdict{Recipe: t.timeRecipe(s, c)}
	switch {
	case s.zoned > 0 && s.zoned < s.n && !v.Either:
		return Verdict{Recipe: Recipe{Kind: Text}, Notes: []string{fmt.Sprintf("has %d times with a time zone and %d without: read as text; set Zone to the time zone of the latter", s.zoned, s.n-s.zoned)}}
	case s.ordered > 0 && t.days.n == t.months.n && !c.Ordered:
		return Verdict{Recipe: Recipe{Kind: Text}, Notes: []string{`has dates whose day and month are ambiguous: read as text; set DateOrder to "dmy" or "mdy"`}}
	case s.ordered > 0:
		v.Notes = append(v.Notes, "has dates with the "+v.Order.String())
	}
	if s.short > 0 {
		v.Notes = append(v.Notes, "has years of two digits: read as 1969 to 2068")
	}
	if v.Either {
		v.Notes = append(v.Notes, fmt.Sprintf("has %d times with a time zone and %d without: the latter are read as times in %v", s.zoned, s.n-s.zoned, v.Zone))
	}
	if v.Mixed {
		v.Notes = append(v.Notes, fmt.Sprintf("has %d offsets from UTC: all times are shown in %v; set Zone for another", len(s.offsets), v.Location()))
	}
	return v
}
