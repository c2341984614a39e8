package frame

import (
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// part returns an integer for each time, in the time zone of the column.
func (c *Column) part(op string, f func(time.Time) int) *Column {
	c.need(op, TimeKind)
	out := make([]int64, c.n)
	for i := range out {
		if !c.missing.has(i) {
			out[i] = int64(f(c.moment(i)))
		}
	}
	return withGone(IntColumn(c.name, out), c.missing)
}

// Year returns the year of each time.
func (c *Column) Year() *Column { return c.part("Column.Year", time.Time.Year) }

// Quarter returns the quarter of the year, 1 to 4.
func (c *Column) Quarter() *Column {
	return c.part("Column.Quarter", func(t time.Time) int { return (int(t.Month()) + 2) / 3 })
}

// Month returns the month, 1 to 12.
func (c *Column) Month() *Column {
	return c.part("Column.Month", func(t time.Time) int { return int(t.Month()) })
}

// Week returns the week of the year by ISO 8601, 1 to 53.
func (c *Column) Week() *Column {
	return c.part("Column.Week", func(t time.Time) int { _, w := t.ISOWeek(); return w })
}

// Day returns the day of the month, 1 to 31.
func (c *Column) Day() *Column { return c.part("Column.Day", time.Time.Day) }

// YearDay returns the day of the year, 1 to 366.
func (c *Column) YearDay() *Column { return c.part("Column.YearDay", time.Time.YearDay) }

// Hour returns the hour, 0 to 23.
func (c *Column) Hour() *Column { return c.part("Column.Hour", time.Time.Hour) }

// Minute returns the minute, 0 to 59.
func (c *Column) Minute() *Column { return c.part("Column.Minute", time.Time.Minute) }

// Second returns the second, 0 to 59.
func (c *Column) Second() *Column { return c.part("Column.Second", time.Time.Second) }

var weekdays = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// Weekday returns the day of the week as a category from Monday to Sunday.
func (c *Column) Weekday() *Column {
	d := c.part("Column.Weekday", func(t time.Time) int { return (int(t.Weekday()) + 6) % 7 })
	codes := make([]int32, c.n)
	for i, x := range d.ints {
		codes[i] = int32(x)
		if d.missing.has(i) {
			codes[i] = -1
		}
	}
	return CategoryColumn(c.name, codes, weekdays)
}

// Floor returns, for each time, the start of the period that contains it. Examples of periods are
// "15 minutes", "1 hour", "1 day", "1 week" (from Monday), "1 month", "1 quarter" and "1 year";
// multiples such as "2 weeks" are allowed too. Periods start in the time zone of the column.
// Periods shorter than a day are counted from midnight. On the day of a clock change, one period is
// shorter or longer. Multiples of days or weeks are counted from 1970, and multiples of months or
// years from the year 0.
func (c *Column) Floor(every string) *Column {
	const op = "Column.Floor"
	c.need(op, TimeKind)
	p := c.period(op, every)
	out := make([]int64, c.n)
	for i, x := range c.ints {
		if !c.missing.has(i) {
			out[i] = p.start(p.number(x))
		}
	}
	return withGone(NanoColumn(c.name, out, c.zone), c.missing)
}

// period is a kind of consecutive, numbered intervals of time.
type period struct {
	zone   *time.Location
	nanos  int64 // of parts of a day
	wall   bool  // parts of a day are counted by local time
	offset int64 // of the zone, in nanoseconds, unless wall
	days   int64
	months int64
}

// period reads a period such as "1 week".
func (c *Column) period(op, every string) period {
	number, unit, _ := strings.Cut(strings.TrimSpace(every), " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if unit == "" {
		n, unit, err = 1, number, nil
	}
	p := period{zone: c.zone}
	switch strings.TrimSuffix(unit, "s") {
	case "second":
		p.nanos = n * int64(time.Second)
	case "minute":
		p.nanos = n * int64(time.Minute)
	case "hour":
		p.nanos = n * int64(time.Hour)
	case "day":
		p.days = n
	case "week":
		p.days = 7 * n
	case "month":
		p.months = n
	case "quarter":
		p.months = 3 * n
	case "year":
		p.months = 12 * n
	default:
		err = strconv.ErrSyntax
	}
	if err != nil || n < 1 || n > 1e6 {
		misuse(op, `use a period such as "15 minutes", "1 day", "1 week" or "1 month"`, "the argument every must be a period, got %q", every)
	}
	if p.nanos > 0 && int64(24*time.Hour)%p.nanos != 0 {
		misuse(op, "use a divisor of a day, such as 6 hours, or whole days", "the period must divide a day or be whole days, got %s", every)
	}
	if lo, hi, ok := c.span(); ok && p.nanos > 0 {
		p.offset = offsetOf(lo, c.zone)
		p.wall = !p.steady(lo, hi)
	}
	return p
}

// offsetOf returns how far the clocks of a zone are ahead of UTC.
func offsetOf(nanos int64, zone *time.Location) int64 {
	_, seconds := time.Unix(0, nanos).In(zone).Zone()
	return int64(seconds) * int64(time.Second)
}

// steady reports whether each clock change between two times is by whole periods, so that periods
// of equal length also start at the right local times.
func (p period) steady(lo, hi int64) bool {
	at := time.Unix(0, lo).In(p.zone)
	for {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.UnixNano() > hi {
			return true
		}
		if at = end; (offsetOf(at.UnixNano(), p.zone)-p.offset)%p.nanos != 0 {
			return false
		}
	}
}

// number returns the number of the period of a time.
func (p period) number(nanos int64) int64 {
	switch {
	case p.wall:
		return floorDiv(nanos+offsetOf(nanos, p.zone), p.nanos)
	case p.nanos > 0:
		return floorDiv(nanos+p.offset, p.nanos)
	}
	y, m, d := time.Unix(0, nanos).In(p.zone).Date()
	if p.months > 0 {
		return floorDiv(int64(y)*12+int64(m)-1, p.months)
	}
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
	return floorDiv(day+p.shift(), p.days)
}

// shift moves the first day from Thursday 1 January 1970 to the Monday before for weeks.
func (p period) shift() int64 {
	if p.days%7 == 0 {
		return 3
	}
	return 0
}

// start returns the time at which a period starts.
func (p period) start(number int64) int64 {
	switch {
	case p.wall:
		unix, _ := wallclock.Moment(floorDiv(number*p.nanos, int64(time.Second)), p.zone)
		return unix * int64(time.Second)
	case p.nanos > 0:
		return number*p.nanos - p.offset
	case p.months > 0:
		m := number * p.months
		return midnight(int(floorDiv(m, 12)), time.Month(m-12*floorDiv(m, 12)+1), 1, p.zone)
	}
	return midnight(1970, 1, 1+int(number*p.days-p.shift()), p.zone)
}

// midnight returns the start of a day, which is an hour later where the clock skips 0:00.
func midnight(y int, m time.Month, d int, zone *time.Location) int64 {
	t, _ := wallclock.Date(y, m, d, 0, 0, 0, 0, zone)
	return t.UnixNano()
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mostPeriods is the largest number of periods of a Resample.
const mostPeriods = 10_000_000

// Resample groups the rows by the period that contains their time in the named column. A period is,
// for example, "1 week"; see [Column.Floor]. Each period between the first and the last has a
// group, even if it has no rows. Counts and sums of an empty group are 0, and its other aggregates
// are missing. Rows without a time are left out, and a note reports it.
//
//	f.Resample("pickup", "1 week").Agg(Sum("fare"))
func (f *Frame) Resample(name, every string) *Groups {
	const op = "Frame.Resample"
	c := f.col(op, name)
	c.need(op, TimeKind)
	var lost []string
	if c.gaps > 0 {
		lost = []string{plural(c.gaps, "row") + " without a value of " + name + " left out"}
		rest := f.DropMissing(name)
		f = f.heir(rest.n, rest.cols)
		c = f.col(op, name)
	}
	p := c.period(op, every)
	lo, hi, ok := c.span()
	if !ok && c.n > 0 {
		misuse(op, "use longer periods", "the times are too far apart for these periods")
	}
	g := &grouping{id: make([]int32, c.n)}
	var from int64
	if c.n > 0 {
		from = p.number(lo)
		periods := p.number(hi) - from + 1
		if periods > mostPeriods {
			misuse(op, "use longer periods, or group by Floor, which leaves out empty ones", "there must be at most %d periods, got %d of %s", mostPeriods, periods, every)
		}
		g.n = int(periods)
	}
	for i, x := range c.ints {
		g.id[i] = int32(p.number(x) - from)
	}
	starts := make([]int64, g.n)
	for k := range starts {
		starts[k] = p.start(from + int64(k))
	}
	g.first = none(g.n)
	for i, k := range g.id {
		if g.first[k] < 0 {
			g.first[k] = int32(i)
		}
	}
	return &Groups{f, []string{name}, []*Column{NanoColumn(name, starts, c.zone)}, lost, g}
}
