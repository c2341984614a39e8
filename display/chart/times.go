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

// timeSteps are the distances of ticks below a month, in seconds.
var timeSteps = []float64{1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, .1, .2, .5, 1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute,
	15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, oneDay, 2 * oneDay, 7 * oneDay, 14 * oneDay}

// timeOf is the moment of a place on an axis of times.
func timeOf(t float64) time.Time {
	whole := math.Floor(t)
	return time.Unix(int64(whole), int64(math.Round((t-whole)*1e6))*1000).UTC()
}

// moment writes a moment in full.
func moment(t float64) string {
	at := timeOf(t)
	switch h, m, s := at.Clock(); {
	case at.Nanosecond() != 0:
		return at.Format("Jan 2, 2006 15:04:05.000")
	case s != 0:
		return at.Format("Jan 2, 2006 15:04:05")
	case h != 0 || m != 0:
		return at.Format("Jan 2, 2006 15:04")
	}
	return at.Format("Jan 2, 2006")
}

// timeTicks gives about n round moments between two, in UTC, with labels that say no
// more than needed; unit is what they have in common: the day, the days or the years.
func timeTicks(lo, hi float64, n int) (ticks []float64, labels []string, unit string) {
	raw := (hi - lo) / float64(max(n, 1))
	if raw > 14*oneDay {
		return monthTicks(lo, hi, raw)
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
	for k := math.Ceil((lo-origin)/step - 1e-9); origin+k*step <= hi*(1+1e-15) && len(ticks) < 100; k++ {
		ticks = append(ticks, origin+k*step)
	}
	if len(ticks) == 0 {
		return nil, nil, ""
	}
	first, last := timeOf(ticks[0]), timeOf(ticks[len(ticks)-1])
	if step >= oneDay {
		for _, t := range ticks {
			labels = append(labels, timeOf(t).Format("Jan 2"))
		}
		return ticks, labels, from(first, last, "2006", first.Year() == last.Year())
	}
	layout := "15:04"
	switch {
	case step < 1:
		layout = "15:04:05.000"
	case step < minute:
		layout = "15:04:05"
	}
	today := first.YearDay()
	for _, t := range ticks {
		at := timeOf(t)
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
	return ticks, labels, from(first, last, layout, first.Format(layout) == last.Format(layout))
}

// from writes the time between two moments, which may be one.
func from(first, last time.Time, layout string, same bool) string {
	if same {
		return first.Format(layout)
	}
	if layout != "2006" && first.Year() == last.Year() {
		return first.Format("Jan 2") + " to " + last.Format(layout)
	}
	return first.Format(layout) + " to " + last.Format(layout)
}

// monthTicks gives the starts of months or years that are raw seconds apart or more.
func monthTicks(lo, hi, raw float64) (ticks []float64, labels []string, unit string) {
	months := 1200
	for _, m := range []int{1, 2, 3, 6, 12, 24, 60, 120, 240, 600} {
		if raw <= float64(m)*30.5*oneDay {
			months = m
			break
		}
	}
	start := time.Unix(int64(lo), 0).UTC()
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
	for t := time.Date(y, time.Month(m+1), 1, 0, 0, 0, 0, time.UTC); float64(t.Unix()) <= hi && len(ticks) < 100; t = t.AddDate(0, months, 0) {
		if u := float64(t.Unix()); u >= lo {
			ticks, labels = append(ticks, u), append(labels, t.Format(layout))
		}
	}
	return ticks, labels, ""
}
