package chart

import (
	"math"
)

// spanUnits are the units of durations, with the duration from which each is used.
var spanUnits = []struct {
	name    string
	seconds float64
}{{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", minute}, {"h", hour}, {"days", oneDay}}

// spanTicks puts ticks on an axis of durations, in the largest unit of which the axis
// shows two or more.
func (s *scale) spanTicks(length, apart float64, room func([]string) float64) {
	unit := spanUnits[0]
	for _, u := range spanUnits {
		if math.Max(math.Abs(s.lo), math.Abs(s.hi)) >= 2*u.seconds {
			unit = u
		}
	}
	in := scale{lo: s.lo / unit.seconds, hi: s.hi / unit.seconds}
	in.setTicks(&axis{}, length, apart, room)
	s.ticks, s.labels, s.unit = in.ticks, in.labels, unit.name
	for i := range s.ticks {
		s.ticks[i] *= unit.seconds
	}
	if in.unit != "" {
		s.unit = in.unit + " " + unit.name
	}
}
