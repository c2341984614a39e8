package infer

import (
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// Order is the order of day and month in dates in which both are numbers and the year is last.
type Order int

const (
	DayFirst Order = iota
	MonthFirst
)

// String returns the order in words.
func (o Order) String() string {
	if o == MonthFirst {
		return "month before day"
	}
	return "day before month"
}

// moment holds the parts of a text that stands for a time.
type moment struct {
	year, day    int
	month        time.Month
	hour, minute int
	second, nano int
	offset       int  // from UTC in seconds
	zoned        bool // the offset was given
	ordered      bool // day and month could be confused
	short        bool // the year has two digits
	dots         bool // day and month are followed by dots
}

// clock reads one text.
type clock struct {
	b []byte
	i int
}

func (c *clock) end() bool { return c.i >= len(c.b) }

func (c *clock) peek() byte {
	if c.end() {
		return 0
	}
	return c.b[c.i]
}

// take skips one byte if it is among the given ones, and reports whether it did.
func (c *clock) take(set string) bool {
	if c.end() || strings.IndexByte(set, c.b[c.i]) < 0 {
		return false
	}
	c.i++
	return true
}

// skip skips all bytes that are among the given ones and returns their number.
func (c *clock) skip(set string) int {
	n := 0
	for c.take(set) {
		n++
	}
	return n
}

// number reads up to limit digits.
func (c *clock) number(limit int) (v, digits int) {
	for digits < limit && !c.end() && c.b[c.i] >= '0' && c.b[c.i] <= '9' {
		v = v*10 + int(c.b[c.i]-'0')
		c.i++
		digits++
	}
	return v, digits
}

// word reads letters.
func (c *clock) word() string {
	from := c.i
	for !c.end() && (c.b[c.i]|0x20 >= 'a' && c.b[c.i]|0x20 <= 'z' || c.b[c.i] >= 0x80) {
		c.i++
	}
	return asString(c.b[from:c.i])
}

var monthNames = [12][]string{
	{"january", "januar", "jänner"}, {"february", "februar"}, {"march", "märz"}, {"april"}, {"may", "mai"}, {"june", "juni"},
	{"july", "juli"}, {"august"}, {"september", "sept"}, {"october", "oktober"}, {"november"}, {"december", "dezember"},
}

// monthOf returns the month with the given name, or its first three or more letters, in English or
// German.
func monthOf(word string) (time.Month, bool) {
	if len(word) < 3 || len(word) > 12 {
		return 0, false
	}
	w := strings.ToLower(word)
	for m, names := range monthNames {
		for _, name := range names {
			if strings.HasPrefix(name, w) {
				return time.Month(m + 1), true
			}
		}
	}
	return 0, false
}

var dayNames = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

func isWeekday(word string) bool {
	if len(word) < 3 || len(word) > 9 {
		return false
	}
	w := strings.ToLower(word)
	for _, name := range dayNames {
		if strings.HasPrefix(name, w) {
			return true
		}
	}
	return false
}

// read parses a text as a date with or without a time of day.
func (m *moment) read(text []byte, order Order) bool {
	c := clock{b: text}
	if !m.date(&c, order) || m.month < 1 || m.month > 12 || m.day < 1 || m.day > daysIn(m.year, m.month) {
		return false
	}
	if c.end() {
		return true
	}
	switch { // separator between date and time
	case c.take("T"):
	case c.take(":"): // in logs of web servers: 10/Oct/2000:13:55:36
	case c.take(","):
		if c.skip(" ") == 0 {
			return false
		}
	case c.skip(" ") > 0:
	default:
		return false
	}
	return m.time(&c) && c.end()
}

// date reads a date in any supported order.
func (m *moment) date(c *clock, order Order) bool {
	if p := c.peek(); p < '0' || p > '9' {
		word := c.word()
		if isWeekday(word) {
			c.take(",")
			c.skip(" ")
			if p = c.peek(); p >= '0' && p <= '9' {
				return m.numbers(c, order)
			}
			word = c.word()
		}
		return m.american(c, word)
	}
	return m.numbers(c, order)
}

// american reads the rest of "Jan 2, 2006" after the month.
func (m *moment) american(c *clock, word string) bool {
	var ok bool
	if m.month, ok = monthOf(word); !ok {
		return false
	}
	c.take(".")
	if c.skip(" ") == 0 {
		return false
	}
	var n int
	if m.day, n = c.number(2); n == 0 {
		return false
	}
	c.take(",")
	if c.skip(" ") == 0 {
		return false
	}
	m.year, n = c.number(4)
	return n == 4
}

// numbers reads a date that begins with digits.
func (m *moment) numbers(c *clock, order Order) bool {
	a, n := c.number(4)
	if n == 4 {
		m.year = a
		sep := c.peek()
		if !c.take("-/.") {
			return m.compact(c)
		}
		month, n1 := c.number(2)
		if n1 == 0 || !c.take(string(sep)) {
			return false
		}
		m.month = time.Month(month)
		m.day, n = c.number(2)
		return n > 0
	}
	if n > 2 || n == 0 {
		return false
	}
	sep := c.peek()
	if !c.take("-/. ") {
		return false
	}
	c.skip(" ")
	if p := c.peek(); p < '0' || p > '9' {
		return m.named(c, a)
	}
	if sep == ' ' {
		return false
	}
	b, n := c.number(2)
	if n == 0 || !c.take(string(sep)) {
		return false
	}
	c.skip(" ")
	m.dots = sep == '.'
	m.ordered = !m.dots && a != b
	if m.dots && order == MonthFirst {
		return false // dates with dots always have the day first
	}
	if order == MonthFirst {
		a, b = b, a
	}
	m.day, m.month = a, time.Month(b)
	return m.lastYear(c)
}

// compact reads the rest of 20060102T150405, whose time must follow.
func (m *moment) compact(c *clock) bool {
	v, n := c.number(4)
	m.month, m.day = time.Month(v/100), v%100
	return n == 4 && c.peek() == 'T'
}

// named reads the rest of "2 Jan 2006".
func (m *moment) named(c *clock, day int) bool {
	var ok bool
	if m.month, ok = monthOf(c.word()); !ok {
		return false
	}
	m.day = day
	c.take(".")
	if c.skip(" -/,") == 0 {
		return false
	}
	return m.lastYear(c)
}

// lastYear reads a year of four digits, or of two from 1969 to 2068.
func (m *moment) lastYear(c *clock) bool {
	var n int
	m.year, n = c.number(4)
	if n == 2 {
		m.short = true
		m.year += 1900
		if m.year < 1969 {
			m.year += 100
		}
	}
	return n == 4 || n == 2
}

// time reads the time of day and the offset of its zone.
func (m *moment) time(c *clock) bool {
	var n int
	if m.hour, n = c.number(2); n == 0 {
		return false
	}
	colon := c.take(":")
	if m.minute, n = c.number(2); n != 2 {
		return false
	}
	if colon && c.take(":") || !colon && c.peek() >= '0' && c.peek() <= '9' {
		if m.second, n = c.number(2); n != 2 {
			return false
		}
		if p := c.peek(); p == '.' || p == ',' {
			c.i++
			if !m.fraction(c) {
				return false
			}
		}
	}
	if m.hour > 24 || m.minute > 59 || m.second > 59 || m.hour == 24 && (m.minute > 0 || m.second > 0 || m.nano > 0) {
		return false
	}
	spaces := c.skip(" ")
	if half := c.peek() | 0x20; (half == 'a' || half == 'p') && len(c.b)-c.i >= 2 && c.b[c.i+1]|0x20 == 'm' {
		if m.hour < 1 || m.hour > 12 {
			return false
		}
		m.hour %= 12
		if half == 'p' {
			m.hour += 12
		}
		c.i += 2
		spaces = c.skip(" ")
	}
	if c.end() {
		return spaces == 0
	}
	return m.zone(c)
}

// fraction reads the decimals of a second and truncates them to nanoseconds.
func (m *moment) fraction(c *clock) bool {
	digits := 0
	for ; !c.end() && c.b[c.i] >= '0' && c.b[c.i] <= '9'; c.i++ {
		if digits < 9 {
			m.nano = m.nano*10 + int(c.b[c.i]-'0')
		}
		digits++
	}
	for d := digits; d < 9; d++ {
		m.nano *= 10
	}
	return digits > 0
}

// zone reads Z, UTC, GMT, +01, +0100 or +01:00.
func (m *moment) zone(c *clock) bool {
	m.zoned = true
	sign := c.peek()
	if !c.take("+-") {
		switch c.word() {
		case "Z", "z", "UTC", "GMT":
			return true
		}
		return false
	}
	hours, n := c.number(2)
	if n != 2 {
		return false
	}
	minutes := 0
	if colon := c.take(":"); colon || !c.end() {
		if minutes, n = c.number(2); n != 2 {
			return false
		}
	}
	if hours > 15 || minutes > 59 {
		return false
	}
	m.offset = hours*3600 + minutes*60
	if sign == '-' {
		m.offset = -m.offset
	}
	return true
}

func daysIn(year int, month time.Month) int {
	switch month {
	case time.April, time.June, time.September, time.November:
		return 30
	case time.February:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// unix returns the moment in nanoseconds since 1970, and how many moments the local time stands
// for. A moment without its own offset is read in zone. unix returns false outside the years 1678
// to 2261, because int64 nanoseconds cover only those.
func (m *moment) unix(zone *time.Location) (nanos int64, sense wallclock.Sense, ok bool) {
	if m.year < 1678 || m.year > 2261 {
		return 0, 0, false
	}
	days := daysSince1970(m.year, int(m.month), m.day)
	seconds := days*86400 + int64(m.hour*3600+m.minute*60+m.second-m.offset)
	if !m.zoned && zone != time.UTC {
		seconds, sense = wallclock.Moment(seconds, zone)
	}
	return seconds*1e9 + int64(m.nano), sense, true
}

// daysSince1970 counts the days of the Gregorian calendar, with March as the first
// month of the year so that the leap day is the last.
func daysSince1970(y, m, d int) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	inEra := y - era*400
	day := (153*(m-3)+2)/5 + d - 1
	return int64(era*146097 + inEra*365 + inEra/4 - inEra/100 + day - 719468)
}
