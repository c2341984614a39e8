package chart

import (
	"math"
	"time"
)

const (
	second = 1.0
	minute = 60 * second
	hour   = 60 * minute
	oneDay = 24 * hour
)

// timeSteps are the distances between ticks that are shorter than a month, in seconds.
var timeSteps = []float64{1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, .1, .2, .5, 1, 2, 5, 10, 15, 30,
	minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, oneDay, 2 * oneDay, 7 * oneDay, 14 * oneDay}

// clock shows moments in the time zone of the data.
type clock struct {
	zone  *time.Location // nil for UTC
	mixed bool           // the data have several zones
}

func (a *axis) clock() clock { return clock{a.zone, a.mixed} }

// at returns the moment at a position on an axis of times.
func (c clock) at(t float64) time.Time {
	zone := c.zone
	if zone == nil {
		zone = time.UTC
	}
	whole := math.Floor(t)
	return time.Unix(int64(whole), int64(math.Round((t-whole)*1e6))*1000).In(zone)
}

// shift returns the offset of the zone from UTC, in seconds.
func (c clock) shift(t float64) float64 {
	if c.zone == nil {
		return 0
	}
	_, ahead := c.at(t).Zone()
	return float64(ahead)
}

// name returns the zone for an axis.
func (c clock) name(at time.Time) string {
	switch {
	case c.mixed || c.zone == nil:
		return "UTC"
	case c.zone != time.Local && c.zone.String() != "":
		return c.zone.String()
	}
	name, ahead := at.Zone()
	if name == "" || name[0] == '+' || name[0] == '-' {
		if name = "UTC"; ahead != 0 {
			name += at.Format("-07:00")
		}
	}
	return name
}

// moment writes a moment in full.
func (c clock) moment(t float64) string {
	at := c.at(t)
	layout := "Jan 2, 2006"
	switch h, m, s := at.Clock(); {
	case at.Nanosecond() != 0:
		layout += " 15:04:05.000"
	case s != 0:
		layout += " 15:04:05"
	case h != 0 || m != 0:
		layout += " 15:04"
	}
	text := at.Format(layout)
	if len(layout) > len("Jan 2, 2006") {
		text += " " + c.name(at)
	}
	return text
}

// ticks returns about n round moments between two, in local time, with labels that are as short as
// possible. unit is what the labels omit: the day, the days or the years, and the zone.
func (c clock) ticks(lo, hi float64, n int) (ticks []float64, labels []string, unit string) {
	raw := (hi - lo) / float64(max(n, 1))
	if raw > 14*oneDay {
		return c.monthTicks(lo, hi, raw)
	}
	step := 14 * oneDay
	for _, s := range timeSteps {
		if raw <= s {
			step = s
			break
		}
	}
	origin := 0.0
	if step > 2*oneDay {
		origin = 4 * oneDay // the first Monday of 1970
	}
	// Ticks are at round local times.
	first := math.Ceil((lo+c.shift(lo)-origin)/step - 1e-9)
	for k := first; len(ticks) < 100; k++ {
		at := c.behind(origin + k*step)
		if at > hi*(1+1e-15) {
			break
		}
		if n := len(ticks); at >= lo*(1-1e-15) && (n == 0 || at > ticks[n-1]) {
			ticks = append(ticks, at)
		}
		if k > first+200 {
			break
		}
	}
	if len(ticks) == 0 {
		return nil, nil, ""
	}
	begin, end := c.at(ticks[0]), c.at(ticks[len(ticks)-1])
	if step >= oneDay {
		for _, t := range ticks {
			labels = append(labels, c.at(t).Format("Jan 2"))
		}
		unit = from(begin, end, "2006", begin.Year() == end.Year())
		// Days of UTC are days without a clock, in most data.
		if zone := c.name(begin); zone != "UTC" {
			unit += ", " + zone
		}
		return ticks, labels, unit
	}
	layout := "15:04"
	switch {
	case step < 1e-3:
		layout = "15:04:05.000000"
	case step < 1:
		layout = "15:04:05.000"
	case step < minute:
		layout = "15:04:05"
	}
	today := begin.YearDay()
	for _, t := range ticks {
		at := c.at(t)
		switch label := at.Format(layout); {
		case at.YearDay() == today:
			labels = append(labels, label)
		case at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
			labels = append(labels, at.Format("Jan 2"))
		default:
			labels = append(labels, at.Format("Jan 2 "+layout))
		}
		today = at.YearDay()
	}
	layout = "Jan 2, 2006"
	unit = from(begin, end, layout, begin.Format(layout) == end.Format(layout))
	return ticks, labels, unit + ", " + c.name(begin)
}

// behind returns the moment whose local time is the given number of seconds since the start of
// 1970.
func (c clock) behind(shown float64) float64 {
	t := shown - c.shift(shown)
	return shown - c.shift(t)
}

// from formats the time between two moments, which can be the same.
func from(first, last time.Time, layout string, same bool) string {
	if same {
		return first.Format(layout)
	}
	if layout != "2006" && first.Year() == last.Year() {
		return first.Format("Jan 2") + " to " + last.Format(layout)
	}
	return first.Format(layout) + " to " + last.Format(layout)
}

// monthTicks returns the starts of months or years, at least raw seconds apart.
func (c clock) monthTicks(lo, hi, raw float64) (ticks []float64, labels []string, unit string) {
	months := 12000
	for _, m := range []int{1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000} {
		if raw <= float64(m)*30.5*oneDay {
			months = m
			break
		}
	}
	start := c.at(math.Floor(lo))
	m, y := 0, start.Year()
	if months < 12 {
		m = (int(start.Month()) - 1) / months * months
	} else {
		y -= y % (months / 12)
	}
	layout := "Jan 2006"
	if months >= 12 {
		layout = "2006"
	}
	for t := time.Date(y, time.Month(m+1), 1, 0, 0, 0, 0, start.Location()); float64(t.Unix()) <= hi && len(ticks) < 100; t = t.AddDate(0, months, 0) {
		if u := float64(t.Unix()); u >= lo {
			ticks, labels = append(ticks, u), append(labels, t.Format(layout))
		}
	}
	return ticks, labels, ""
}
