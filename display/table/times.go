package table

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// timeCell returns the cell of a duration or a time, and false for other values.
func timeCell(v reflect.Value) (c cell, ok bool) {
	if !v.IsValid() {
		return cell{}, false
	}
	if v.Type() == reflect.TypeFor[time.Duration]() {
		d := time.Duration(v.Int())
		return cell{text: clock(d), number: d.Seconds(), numeric: true, length: true}, true
	}
	if v.Type() != reflect.TypeFor[time.Time]() || !v.CanInterface() {
		return cell{}, false
	}
	at := v.Interface().(time.Time)
	if at.IsZero() {
		return cell{missing: true}, true
	}
	return cell{text: at.Format(layoutOf(at)), moment: at}, true
}

// unitsOfTime are the units of short durations, in seconds.
var unitsOfTime = []struct {
	name   string
	length float64
}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}}

// inMinutes is the minimum number of seconds of durations that are written with minutes.
const inMinutes = 120

// lengths formats durations, given in seconds. All have one unit, unless the longest takes
// minutes or their magnitudes are too different; then each has its own.
func lengths(seconds []float64) []string {
	longest, shortest := 0.0, math.Inf(1)
	for _, s := range seconds {
		longest = math.Max(longest, math.Abs(s))
		if s != 0 {
			shortest = math.Min(shortest, math.Abs(s))
		}
	}
	out := make([]string, len(seconds))
	if longest >= inMinutes || longest > 1e4*shortest {
		for i, s := range seconds {
			out[i] = clock(time.Duration(math.Round(s * 1e9)))
		}
		return out
	}
	unit := unitsOfTime[0]
	for _, u := range unitsOfTime {
		if unit = u; longest >= u.length {
			break
		}
	}
	if longest == 0 {
		unit = unitsOfTime[0]
	}
	v := make([]float64, len(seconds))
	for i, s := range seconds {
		// The smallest unit is a nanosecond.
		v[i] = math.Round(s*1e9) / (unit.length * 1e9)
	}
	for i, s := range written(v) {
		out[i] = s + " " + unit.name
	}
	return out
}

// clock formats one duration: 250 ms, 1.5 s, 2 min 5 s, 3 d 4 h.
func clock(d time.Duration) string {
	if d < 0 {
		return "-" + strings.TrimPrefix(clock(-max(d, -math.MaxInt64)), "-")
	}
	if d < time.Minute {
		for _, u := range unitsOfTime {
			if length := time.Duration(u.length * 1e9); d >= length {
				return strconv.FormatFloat(float64(d)/float64(length), 'f', -1, 64) + " " + u.name
			}
		}
		return "0 s"
	}
	var parts []string
	for _, u := range []struct {
		name   string
		length time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}} {
		if n := d / u.length; n > 0 {
			parts = append(parts, strconv.FormatInt(int64(n), 10)+" "+u.name)
			d -= n * u.length
		}
	}
	if d > 0 {
		parts = append(parts, strconv.FormatFloat(d.Seconds(), 'f', -1, 64)+" s")
	}
	return strings.Join(parts, " ")
}

// layoutOf returns the layout of a time, without the parts that are zero.
func layoutOf(t time.Time) string {
	switch h, m, s := t.Clock(); {
	case t.Nanosecond()%1e6 != 0:
		return "2006-01-02 15:04:05.000000000"
	case t.Nanosecond() != 0:
		return "2006-01-02 15:04:05.000"
	case s != 0:
		return time.DateTime
	case h != 0 || m != 0:
		return "2006-01-02 15:04"
	}
	return time.DateOnly
}

// moments formats times with a common layout. zone is the time zone of all times, if it is not
// UTC. If the times have several zones, each text has its offset from UTC.
func moments(all []time.Time) (texts []string, zone string) {
	layout := time.DateOnly
	for _, t := range all {
		if l := layoutOf(t); len(l) > len(layout) {
			layout = l
		}
	}
	several := false
	for _, t := range all {
		name, offset := t.Zone()
		first, from := all[0].Zone()
		several = several || name != first || offset != from
		zone = name
	}
	if several {
		layout, zone = layout+" -07:00", ""
	}
	if zone == "UTC" {
		zone = ""
	}
	texts = make([]string, len(all))
	for i, t := range all {
		texts[i] = t.Format(layout)
	}
	return texts, zone
}
