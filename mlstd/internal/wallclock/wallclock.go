// Package wallclock finds the moment that a local time stands for, also where summer
// time skips it or repeats it.
package wallclock

import "time"

// Sense determines how many moments a local time stands for.
type Sense uint8

const (
	Once     Sense = iota
	Skipped        // none: the clock was put forward past it
	Repeated       // two: the clock was put back before it
)

// Moment returns the seconds since 1970 in UTC of a local time in a zone, which is given
// as the seconds since 1970 that a clock in UTC would need to show it. As in RFC 5545,
// a time that is repeated is the first of the two, and one that is skipped is as long
// after the gap began as it lies within it:
//
//	2024-03-31 02:30 in Berlin, where 02:00 became 03:00, is 03:30 of that day.
func Moment(wall int64, zone *time.Location) (unix int64, sense Sense) {
	// The clock is changed at most once in two days, and by less than a day.
	const day = 86400
	before, after := offset(wall-day, zone), offset(wall+day, zone)
	first := wall - before
	if before == after {
		return first, Once
	}
	second := wall - after
	switch is := offset(first, zone) == before; {
	case is && offset(second, zone) == after:
		return min(first, second), Repeated
	case is:
		return first, Once
	case offset(second, zone) == after:
		return second, Once
	}
	return first, Skipped
}

// offset returns what is added to UTC in a zone, in seconds.
func offset(unix int64, zone *time.Location) int64 {
	_, seconds := time.Unix(unix, 0).In(zone).Zone()
	return int64(seconds)
}

// Date is [time.Date] by the rule of [Moment].
func Date(year int, month time.Month, day, hour, minute, second, nano int, zone *time.Location) (time.Time, Sense) {
	wall := time.Date(year, month, day, hour, minute, second, nano, time.UTC)
	unix, sense := Moment(wall.Unix(), zone)
	return time.Unix(unix, int64(wall.Nanosecond())).In(zone), sense
}
