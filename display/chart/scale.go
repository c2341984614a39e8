package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// axis holds the settings of one axis of a chart.
type axis struct {
	title        string
	titled       bool // title was set, even if it is empty
	defaultTitle string
	lo, hi       float64
	fixed        bool
	rangeUnit    unit   // what the ends measure that rangeBy set
	rangeBy      string // the option that set the ends
	log          bool
	base         float64     // the base of a logarithmic axis; 0 means 10
	symlog       float64     // threshold of a symmetric logarithmic axis; 0 for other axes
	symlogBy     string      // the option that set it
	chosen       []float64   // ticks that the user chose
	chosenBy     string      // the option that chose them
	chosenUnit   unit        // what the chosen ticks measure
	texts        []string    // labels of the chosen ticks
	textsBy      string      // the option that set them
	format       *tickFormat // nil for the format that suits the ticks
	levels       []string
	times        bool
	zone         *time.Location // time zone of times, nil for UTC
	mixed        bool           // there are several zones, and the axis is in UTC
	spans        bool           // durations in seconds
	hidden       bool
	reverse      bool
	taken        bool // numbers have been drawn on it
	named        bool // names, which have no mean, have been drawn on it
	given        bool // the names are from the data and do not stand for numbers
	asked        []string
	askedBy      string // the option that asked for the names or their order
	ordered      string // the order of the names, before it is computed
	orderBy      string // the option that set the order
	beside       bool   // marks are beside the names, at numbers between them
	whole        bool   // ticks at whole numbers only: the axis counts something
}

// take sets the kind of the axis from the kind of a column and returns the column's positions on
// it. Names that are already on the axis keep their position.
func (a *axis) take(c column) []float64 {
	if a.defaultTitle == "" {
		a.defaultTitle = c.name
	}
	switch {
	case !c.times:
	case a.times && !variable.SameZone(a.zone, c.zone, time.Now()):
		a.zone, a.mixed = nil, true
	case !a.times:
		a.zone = c.zone
	}
	a.times, a.mixed = a.times || c.times, a.mixed || c.mixed
	a.spans = a.spans || c.spans && !a.taken
	if c.levels == nil {
		whole := len(c.v) > 0 && !c.times
		for _, x := range c.v {
			if whole = whole && (x == math.Trunc(x) || math.IsNaN(x) && c.name != ""); !whole {
				break
			}
		}
		a.whole = whole && (a.whole || !a.taken)
		a.taken = true
		return c.v
	}
	a.named, a.given = true, a.given || c.given()
	place := make([]float64, len(c.levels))
	for i, name := range c.levels {
		at := -1
		for j, known := range a.levels {
			if known == name {
				at = j
			}
		}
		if at < 0 {
			at = len(a.levels)
			a.levels = append(a.levels[:at:at], name)
		}
		place[i] = float64(at)
	}
	out := make([]float64, len(c.v))
	for i, x := range c.v {
		if x < 0 {
			out[i] = math.NaN() // missing
			continue
		}
		out[i] = place[int(x)]
	}
	return out
}

// name sets the title.
func (a *axis) name(title string) { a.title, a.titled = guide.Typeset(title), true }

func (a *axis) label() string {
	if a.titled {
		return a.title
	}
	return a.defaultTitle
}

// extent is the range that an axis must show.
type extent struct {
	lo, hi   float64
	padLo    bool // the low end needs padding
	padHi    bool
	anything bool
}

func newExtent() extent { return extent{lo: math.Inf(1), hi: math.Inf(-1)} }

// cover widens the extent to lo..hi; the value that sets an end decides its padding.
func (e *extent) cover(lo, hi float64, pad bool) {
	if isFinite(lo) && lo <= e.lo {
		e.padLo = pad && (lo < e.lo || e.padLo || !e.anything)
		e.lo = lo
	}
	if isFinite(hi) && hi >= e.hi {
		e.padHi = pad && (hi > e.hi || e.padHi || !e.anything)
		e.hi = hi
	}
	e.anything = e.anything || e.lo <= e.hi
}

// scale maps values to pixels.
type scale struct {
	lo, hi  float64 // range of the axis, in data units (at takes the logarithms of a log axis)
	log     bool
	symlog  float64 // threshold of a symmetric logarithmic axis, 0 for other axes
	from    float64 // pixel of lo
	to      float64 // pixel of hi
	unit    string  // what tick labels omit: "×10⁶", "+ 100,000", a year
	ticks   []float64
	labels  []string
	minor   []float64 // ticks without labels, of a log axis
	between bool      // the axis has names: no tick marks
	moment  bool      // the axis shows one moment
	near    bool      // different values are so close that the axis shows them as one
}

func (s *scale) norm(v float64) float64 {
	if s.log {
		return (math.Log10(v) - math.Log10(s.lo)) / (math.Log10(s.hi) - math.Log10(s.lo))
	}
	if s.symlog > 0 {
		lo, hi := s.symmetric(s.lo), s.symmetric(s.hi)
		return (s.symmetric(v) - lo) / (hi - lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// at returns the pixel of a value, or NaN for a value that a log axis cannot show.
func (s *scale) at(v float64) float64 {
	if s.log && v <= 0 {
		return math.NaN()
	}
	return s.from + (s.to-s.from)*s.norm(v)
}

// value is the inverse of at.
func (s *scale) value(p float64) float64 {
	t := (p - s.from) / (s.to - s.from)
	if s.log {
		return math.Pow(10, math.Log10(s.lo)+t*(math.Log10(s.hi)-math.Log10(s.lo)))
	}
	if s.symlog > 0 {
		lo, hi := s.symmetric(s.lo), s.symmetric(s.hi)
		return s.back(lo + t*(hi-lo))
	}
	return s.lo + t*(s.hi-s.lo)
}

// narrowest is the minimum span of an axis relative to its values, which have 16 digits.
const narrowest = 1e-13

// newScale decides the ends of an axis.
func newScale(a *axis, e extent, name string) (scale, error) {
	s := scale{log: a.log, symlog: a.symlog}
	switch {
	case a.fixed:
		s.lo, s.hi = a.lo, a.hi
		if a.log && s.lo < 1e-290 {
			return s, fmt.Errorf("chart: the %s axis is logarithmic and cannot start at %g; set a positive range", name, s.lo)
		}
		return s, nil
	case a.log && e.lo <= 0:
		return s, fmt.Errorf("chart: the logarithmic %s axis would have to start at %g; leave LogX and LogY out or set a positive range", name, e.lo)
	case math.Max(math.Abs(e.lo), math.Abs(e.hi)) > 1e290 || a.log && e.lo < 1e-290:
		// Near the limits of float64 there is no room for ticks and margins.
		return s, fmt.Errorf("chart: the values on the %s axis, from %g to %g, are too far apart to draw", name, e.lo, e.hi)
	}
	s.lo, s.hi = e.lo, e.hi
	if s.log {
		if s.hi/s.lo < 1.01 {
			s.lo, s.hi = s.lo/2, s.hi*2
			return s, nil
		}
		pad := math.Pow(10, 0.04*(math.Log10(s.hi)-math.Log10(s.lo)))
		if e.padLo {
			s.lo /= pad
		}
		if e.padHi {
			s.hi *= pad
		}
		return s, nil
	}
	// Seconds since 1970 have a precision of a few tenths of a microsecond.
	if a.times && s.hi-s.lo <= 2e-6 {
		s.near, s.moment = s.hi > s.lo, true
		s.lo, s.hi = s.lo-43200, s.hi+43200
		return s, nil
	}
	// Below this width, adjacent float64 values could not be distinguished on the axis.
	if least := narrowest * math.Max(math.Abs(s.lo), math.Abs(s.hi)); !a.times && s.hi-s.lo <= least {
		s.near = s.hi > s.lo
		half := math.Max(1e9*least, math.Abs(s.lo)/10)
		if half == 0 {
			half = 1
		}
		mid := (s.lo + s.hi) / 2
		s.lo, s.hi = mid-half, mid+half
		return s, nil
	}
	if s.symlog > 0 {
		s.pad(e.padLo, e.padHi)
		return s, nil
	}
	pad := 0.04 * (s.hi - s.lo)
	if e.padLo {
		s.lo -= pad
	}
	if e.padHi {
		s.hi += pad
	}
	return s, nil
}

// niceTicks returns about n multiples of 1, 2, 2.5 or 5 times a power of ten from lo to hi.
func niceTicks(lo, hi float64, n int) []float64 { return guide.Ticks(lo, hi, n) }

// wholeTicks returns nice ticks that are whole numbers.
func wholeTicks(lo, hi float64, n int) []float64 {
	ticks := niceTicks(lo, hi, n)
	if len(ticks) < 2 || ticks[1]-ticks[0] < 1 {
		ticks = nil
		for t := math.Ceil(lo); t <= hi && len(ticks) < 100; t++ {
			ticks = append(ticks, t)
		}
	}
	out := ticks[:0]
	for _, t := range ticks {
		if t == math.Trunc(t) {
			out = append(out, t)
		}
	}
	return out
}

// setTicks chooses ticks for an axis of the given length in pixels, at least apart pixels from each
// other; room returns the space that a label needs along the axis.
func (s *scale) setTicks(a *axis, length, apart float64, room func(labels []string) float64) {
	switch {
	case a.levels != nil:
		s.between = true
		for i, name := range a.levels {
			if v := float64(i); v >= math.Min(s.lo, s.hi) && v <= math.Max(s.lo, s.hi) {
				s.ticks, s.labels = append(s.ticks, v), append(s.labels, name)
			}
		}
		return
	case a.spans && !s.log:
		s.spanTicks(length, apart, room)
		return
	case s.moment:
		s.ticks = []float64{(s.lo + s.hi) / 2}
		s.labels = []string{a.clock().moment(s.ticks[0])}
		return
	case a.times && a.chosen == nil:
		for n := int(length / 60); ; n-- {
			s.ticks, s.labels, s.unit = a.clock().ticks(s.lo, s.hi, n)
			if n <= 2 || float64(len(s.ticks))*(room(s.labels)+8) <= length {
				return
			}
		}
	case a.chosen != nil:
		s.ticks = a.chosen
		s.format()
	case s.symlog > 0:
		s.symlogTicks(length, room)
	case s.log && a.base == 2:
		s.binaryTicks(length, room)
	case s.log:
		s.logTicks(length, room)
	}
	if a.chosen != nil || s.log || s.symlog > 0 {
		switch {
		case a.chosen != nil:
			s.labels = a.chosenLabels(s)
			if a.texts != nil || a.times || a.format != nil {
				s.unit = ""
			}
			s.thinLabels(length, room)
		case a.format != nil:
			s.labels, s.unit = a.format.labels(s.ticks), ""
			if s.symlog > 0 {
				s.thinLabels(length, room)
			}
		}
		return
	}
	for n := max(3, int(length/apart)); ; n-- {
		s.ticks = niceTicks(s.lo, s.hi, n)
		if a.whole || a.format != nil && a.format.verb == 'd' {
			s.ticks = wholeTicks(s.lo, s.hi, n)
		}
		s.format()
		alike := false
		if a.format != nil {
			s.labels, s.unit = a.format.labels(s.ticks), ""
			alike = len(s.labels) > len(slices.Compact(slices.Clone(s.labels)))
		}
		if n <= 2 || !alike && float64(len(s.ticks))*(room(s.labels)+14) <= length {
			return
		}
	}
}

// format formats the labels of linear ticks with a common number of decimals.
func (s *scale) format() {
	s.labels, s.unit = guide.Labels(s.ticks, math.Max(math.Abs(s.lo), math.Abs(s.hi)))
}

func thousands(s string) string { return guide.Thousands(s) }

func superscript(e int) string { return guide.Superscript(e) }

// logTicks puts ticks at powers of ten, and at their multiples of 2 and 5 if the
// axis spans few of them; ticks without labels at the other multiples.
func (s *scale) logTicks(length float64, room func([]string) float64) {
	s.minor = nil
	first, last := math.Ceil(math.Log10(s.lo)-1e-9), math.Floor(math.Log10(s.hi)+1e-9)
	if last-first < 2 {
		for k := first - 1; k <= last; k++ {
			for _, m := range []float64{1, 2, 5} {
				if t := m * math.Pow(10, k); t >= s.lo*(1-1e-9) && t <= s.hi*(1+1e-9) {
					s.ticks = append(s.ticks, t)
				}
			}
		}
		if len(s.ticks) > 1 {
			s.labels = logLabels(s.ticks)
			s.minorTicks(first-1, last)
			return
		}
		s.ticks = nil
		for _, t := range niceTicks(s.lo, s.hi, 5) {
			if t > 0 {
				s.ticks = append(s.ticks, t)
			}
		}
		s.format()
		return
	}
	for every := 1.0; ; every++ {
		s.ticks = nil
		for k := math.Ceil(first/every) * every; k <= last; k += every {
			s.ticks = append(s.ticks, math.Pow(10, k))
		}
		s.labels = logLabels(s.ticks)
		if len(s.ticks) < 3 || float64(len(s.ticks))*(room(s.labels)+10) <= length {
			if every == 1 {
				s.minorTicks(first-1, last)
			}
			return
		}
	}
}

// maxDecades is the maximum number of decades on an axis that has ticks without labels.
const maxDecades = 8

// minorTicks puts ticks without labels at the multiples of the powers of ten.
func (s *scale) minorTicks(first, last float64) {
	if last-first > maxDecades {
		return
	}
	labeled := map[float64]bool{}
	for _, t := range s.ticks {
		labeled[t] = true
	}
	for k := first; k <= last; k++ {
		for m := 1.0; m < 10; m++ {
			if t := m * math.Pow(10, k); t >= s.lo*(1-1e-9) && t <= s.hi*(1+1e-9) && !labeled[t] {
				s.minor = append(s.minor, t)
			}
		}
	}
}

// logLabels formats all ticks of a log axis in the same way: as numbers or, if a number is too
// long, as powers of ten.
func logLabels(ticks []float64) []string {
	plain := true
	for _, t := range ticks {
		plain = plain && t >= 0.999e-3 && t < 1e6
	}
	labels := make([]string, len(ticks))
	for i, t := range ticks {
		if plain {
			labels[i] = strconv.FormatFloat(t, 'f', -1, 64)
			continue
		}
		e := math.Floor(math.Log10(t) + 1e-9)
		labels[i] = "10" + superscript(int(e))
		if m := math.Round(t / math.Pow(10, e)); m != 1 {
			labels[i] = strconv.Itoa(int(m)) + "×" + labels[i]
		}
	}
	if plain {
		return guide.Separated(labels)
	}
	return labels
}
