package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/internal/guide"
)

// setSymlog makes an axis logarithmic in both directions from zero.
func (a *axis) setSymlog(option string, threshold float64) error {
	if !(threshold > 0) || math.IsInf(threshold, 0) {
		return fmt.Errorf("chart.%s: the threshold must be positive, got %g", option, threshold)
	}
	a.symlog, a.symlogBy = threshold, option
	return nil
}

// checkSymlog returns an error for a symmetric logarithmic axis that a chart cannot have.
func (c *Chart) checkSymlog(marks []mark) error {
	for _, a := range []*axis{&c.x, &c.y} {
		switch {
		case a.symlog == 0:
			continue
		case a.log:
			return fmt.Errorf("chart.%s: the axis is already logarithmic; leave %[1]s or Log%s out", a.symlogBy, a.symlogBy[len("Symlog"):])
		case a.levels != nil || a.times || a.spans:
			return fmt.Errorf("chart.%s: names, times and durations have no logarithm; leave %[1]s out", a.symlogBy)
		case c.equal:
			return fmt.Errorf("chart.%s: the units of a logarithmic axis differ in length; leave Equal or %[1]s out", a.symlogBy)
		}
		for i := range marks {
			m := &marks[i]
			covered, _ := m.kind.raster(m)
			if covered || m.kind.about().field || m.kind == hexbin || m.kind == parallel || m.kind == slope {
				return fmt.Errorf("chart.%s: %s; leave %[1]s out (possible for: lines, points, bars, histograms, boxes and other marks of single values)", a.symlogBy, m.kind.about().says("has cells or axes of equal steps"))
			}
		}
	}
	return nil
}

// symmetric returns the position of a value on a symmetric logarithmic axis.
func (s *scale) symmetric(v float64) float64 {
	return math.Copysign(math.Log1p(math.Abs(v)/s.symlog), v)
}

// pad adds margins to the ends of a symmetric logarithmic axis.
func (s *scale) pad(lo, hi bool) {
	a, b := s.symmetric(s.lo), s.symmetric(s.hi)
	margin := 0.04 * (b - a)
	if lo {
		s.lo = s.back(a - margin)
	}
	if hi {
		s.hi = s.back(b + margin)
	}
}

// back is the inverse of symmetric.
func (s *scale) back(t float64) float64 {
	return math.Copysign(s.symlog*math.Expm1(math.Abs(t)), t)
}

// symlogTicks puts ticks at zero and at the powers of ten beyond the threshold in both directions.
// An axis within the threshold is linear.
func (s *scale) symlogTicks(length float64, room func([]string) float64) {
	var up []float64
	most := math.Max(math.Abs(s.lo), math.Abs(s.hi))
	for k := math.Ceil(math.Log10(s.symlog) - 1e-9); math.Pow(10, k) <= most*(1+1e-9); k++ {
		up = append(up, math.Pow(10, k))
	}
	if len(up) == 0 {
		s.ticks = niceTicks(s.lo, s.hi, 5)
		s.format()
		return
	}
	labels := logLabels(up)
	// Zero is more important than the powers of ten next to it.
	for len(up) > 1 && (s.norm(up[0])-s.norm(0))*length < room(labels[:1])+4 {
		up, labels = up[1:], labels[1:]
	}
	s.ticks, s.labels = nil, nil
	add := func(t float64, label string) {
		if t >= s.lo-1e-9*most && t <= s.hi+1e-9*most {
			s.ticks, s.labels = append(s.ticks, t), append(s.labels, label)
		}
	}
	for i := range slices.Backward(up) {
		add(-up[i], guide.Minus("-"+labels[i]))
	}
	add(0, "0")
	for i, t := range up {
		add(t, labels[i])
	}
	s.thinLabels(length, room)
}
