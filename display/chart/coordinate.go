package chart

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/gokernel/gokernel/display/internal/variable"
)

// unit is what a coordinate measures.
type unit int

const (
	quantities unit = iota
	moments
	durations
)

func (u unit) String() string { return []string{"numbers", "times", "durations"}[u] }

// literal converts a coordinate that is not a name: a number, a time or a duration.
func literal(v any) (x float64, u unit, ok bool) {
	switch v := v.(type) {
	case nil:
		return 0, quantities, false
	case time.Time:
		return float64(v.Unix()) + float64(v.Nanosecond())/1e9, moments, true
	case time.Duration:
		return v.Seconds(), durations, true
	}
	x, ok = numberOf(reflect.ValueOf(v))
	return x, quantities, ok
}

// flat replaces the slices among values by their elements.
func flat(values []any) []any {
	var out []any
	for _, v := range values {
		if rv := reflect.ValueOf(v); rv.IsValid() && rv.Kind() == reflect.Slice {
			for i := range rv.Len() {
				out = append(out, rv.Index(i).Interface())
			}
			continue
		}
		out = append(out, v)
	}
	return out
}

// at returns the position on an axis of one coordinate. A coordinate that does not fit the data of
// the axis is an error. The result is not finite if the coordinate is such a number.
func (a *axis) at(verb, name string, v any) (float64, error) {
	if s, ok := v.(string); ok {
		if k := slices.Index(a.levels, s); k >= 0 {
			return float64(k), nil
		}
		if k := slices.Index(a.asked, s); k >= 0 && !a.given {
			return float64(k), nil
		}
		return 0, fmt.Errorf("chart.%s: %s must be a name on its axis, got %q", verb, name, v)
	}
	x, u, ok := literal(v)
	switch {
	case !ok:
		return 0, fmt.Errorf("chart.%s: %s must be a number, a time, or a name on its axis, got %v", verb, name, v)
	case !a.taken && a.levels == nil:
		if u == moments && !a.times {
			if zone := v.(time.Time).Location(); !variable.SameZone(zone, time.UTC, v.(time.Time)) {
				a.zone = zone
			}
		}
		a.times, a.spans = a.times || u == moments, a.spans || u == durations
		return x, nil
	case u != a.unit():
		return 0, fmt.Errorf("chart.%s: %s must be one of the %s that its axis shows, got %v", verb, name, a.unit(), v)
	}
	return x, nil
}

// unit returns what the positions on an axis measure.
func (a *axis) unit() unit {
	switch {
	case a.times:
		return moments
	case a.spans:
		return durations
	}
	return quantities
}

// checkRange returns an error for a range in another unit than its axis.
func (a *axis) checkRange() error {
	switch {
	case !a.fixed || a.rangeBy == "" || a.rangeUnit == a.unit():
		return nil
	case a.levels != nil:
		return fmt.Errorf("chart.%s: this axis has names; choose them with XNames or YNames, or give their positions, counted from 0", a.rangeBy)
	}
	return fmt.Errorf("chart.%s: this axis shows %s; the ends must be %[2]s, too, and not %s", a.rangeBy, a.unit(), a.rangeUnit)
}

// setRange sets the ends of an axis.
func (a *axis) setRange(option string, lo, hi any) error {
	x, u, ok := literal(lo)
	y, v, also := literal(hi)
	switch {
	case !ok || !also || u != v:
		return fmt.Errorf("chart.%s: the ends must be two numbers or two times, got %v and %v", option, lo, hi)
	case !(x < y) || math.Max(math.Abs(x), math.Abs(y)) > 1e290:
		return fmt.Errorf("chart.%s: the range must ascend, got %v to %v", option, lo, hi)
	}
	a.lo, a.hi, a.fixed, a.rangeUnit, a.rangeBy = x, y, true, u, option
	return nil
}
