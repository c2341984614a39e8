// Package wallclock finds the moment that a local time stands for, even if a clock change skips or
// repeats it.
package wallclock

import "time"

// Sense classifies a local time by the number of moments that it stands for.
type Sense uint8

const (
	Once     Sense = iota
	Skipped        // no moment: the clock was put forward past it
	Repeated       // two moments: the clock was put back before it
)

// Moment converts a local time in a zone to seconds since 1970 in UTC. The local time is given as
// seconds since 1970, as if it were in UTC. As in RFC 5545, a repeated time is the first of the two
// moments. A skipped time is read with the offset before the gap:
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

// offset returns the offset of a zone from UTC, in seconds.
func offset(unix int64, zone *time.Location) int64 {
	_, seconds := time.Unix(unix, 0).In(zone).Zone()
	return int64(seconds)
}

// Date is like [time.Date], but follows the rule of [Moment].
func Date(year int, month time.Month, day, hour, minute, second, nano int, zone *time.Location) (time.Time, Sense) {
	wall := time.Date(year, month, day, hour, minute, second, nano, time.UTC)
	unix, sense := Moment(wall.Unix(), zone)
	return time.Unix(unix, int64(wall.Nanosecond())).In(zone), sense
}
