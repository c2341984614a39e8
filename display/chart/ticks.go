package chart

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display/internal/guide"
)

// XTicks puts the ticks of the x axis at these values, and extends the axis to them. Use it for
// values with a meaning of their own, such as 0, 90, 180, 270 and 360 degrees.
func (c *Chart) XTicks(at ...float64) *Chart { c.setErr(c.x.setTicks("XTicks", at)); return c }

// YTicks puts the ticks of the y axis at these values, as XTicks does.
func (c *Chart) YTicks(at ...float64) *Chart { c.setErr(c.y.setTicks("YTicks", at)); return c }

// XFormat sets the format of the numbers at the x axis. "percent" shows 0.25 as 25 %. "$", "€", "£"
// and "¥" show amounts of money. Other formats have one of the verbs %f, %d and %g of [fmt], with
// text around it: "%.1f km".
func (c *Chart) XFormat(format string) *Chart { c.setErr(c.x.setFormat("XFormat", format)); return c }

// YFormat sets the format of the numbers at the y axis, as XFormat does.
func (c *Chart) YFormat(format string) *Chart { c.setErr(c.y.setFormat("YFormat", format)); return c }

// ReverseX reverses the direction of the x axis, so that the largest value is on the left.
func (c *Chart) ReverseX() *Chart { c.x.reverse = !c.x.reverse; return c }

// ReverseY reverses the direction of the y axis, so that the largest value is at the bottom, as for
// ranks and depths. On a heat map of a matrix, it moves the first row from the top to the bottom.
func (c *Chart) ReverseY() *Chart { c.y.reverse = !c.y.reverse; return c }

// setTicks sets the ticks of an axis.
func (a *axis) setTicks(option string, at []float64) error {
	if len(at) == 0 {
		return fmt.Errorf("chart.%s: there are no ticks; give the values at which to put them", option)
	}
	for i, t := range at {
		if !isFinite(t) || i > 0 && t <= at[i-1] {
			return fmt.Errorf("chart.%s: the ticks must be finite and ascend, got %v", option, at)
		}
	}
	a.chosen, a.chosenBy = at, option
	return nil
}

// thinLabels removes the labels of ticks that would overlap the label before.
func (s *scale) thinLabels(length float64, room func([]string) float64) {
	kept := 0
	for i := 1; i < len(s.ticks); i++ {
		if apart := (s.norm(s.ticks[i]) - s.norm(s.ticks[kept])) * length; apart < (room(s.labels[kept:kept+1])+room(s.labels[i:i+1]))/2+4 {
			s.labels[i] = ""
			continue
		}
		kept = i
	}
}

// tickFormat is the format of the numbers at an axis: each number, times a factor, between two
// texts.
type tickFormat struct {
	by            string // the option that set it
	factor        float64
	before, after string
	verb          byte // f, d or g; 0 for as many decimals as the ticks need
	decimals      int  // precision of the verb; -1 for its default
	money         bool // the sign of a number is before the currency
}

// verbs matches a format with one verb.
var verbs = regexp.MustCompile(`^((?:[^%]|%%)*)%(?:\.(\d))?([fdg])((?:[^%]|%%)*)$`)

// setFormat sets the format of the numbers at an axis.
func (a *axis) setFormat(option, format string) error {
	f := &tickFormat{by: option, factor: 1, decimals: -1}
	switch format {
	case "percent":
		f.factor, f.after = 100, " %"
	case "$", "€", "£", "¥":
		f.before, f.money = format, true
	default:
		m := verbs.FindStringSubmatch(format)
		if m == nil {
			return fmt.Errorf("chart.%s: the format must be \"percent\", a currency ($, €, £ or ¥) or a text with one verb, such as \"%%.1f km\", got %q", option, format)
		}
		f.before, f.after, f.verb = strings.ReplaceAll(m[1], "%%", "%"), strings.ReplaceAll(m[4], "%%", "%"), m[3][0]
		if m[2] != "" {
			f.decimals, _ = strconv.Atoi(m[2])
		}
	}
	a.format = f
	return nil
}

// labels formats the ticks of an axis.
func (f *tickFormat) labels(ticks []float64) []string {
	values := make([]float64, len(ticks))
	for i, t := range ticks {
		values[i] = f.factor * t
	}
	digits := f.decimals
	if f.verb == 0 {
		digits = guide.Decimals(values)
	}
	if f.money && digits == 1 {
		digits = 2
	}
	texts := make([]string, len(ticks))
	for i, v := range values {
		switch {
		case f.verb == 'd':
			texts[i] = strconv.FormatFloat(v, 'f', 0, 64)
		case f.verb == 'g':
			texts[i] = strconv.FormatFloat(v, 'g', digits, 64)
		case f.verb == 'f' && digits < 0:
			texts[i] = strconv.FormatFloat(v, 'f', 6, 64)
		default:
			texts[i] = strconv.FormatFloat(v, 'f', digits, 64)
		}
	}
	if f.verb == 0 {
		texts = guide.Separated(texts)
	}
	for i, s := range texts {
		s = guide.Minus(s)
		sign := ""
		if rest, negative := strings.CutPrefix(s, "−"); negative && f.money {
			sign, s = "−", rest
		}
		texts[i] = sign + f.before + s + f.after
	}
	return texts
}

// equal reports whether two formats write the same labels.
func (f *tickFormat) equal(g *tickFormat) bool {
	return f == g || f != nil && g != nil && *f == *g
}

// expression returns the Vega expression that formats the tick in datum.value as labels does. When
// the user zooms in, a tick that needs more decimals than the given ticks has them.
func (f *tickFormat) expression(ticks []float64) string {
	value := fmt.Sprintf("%g*datum.value", f.factor)
	spec := ""
	switch {
	case f.verb == 'd':
		spec = "'d'"
	case f.verb == 'g' && f.decimals < 0:
		spec = "'~g'"
	case f.verb == 'g':
		spec = fmt.Sprintf("'.%d~g'", max(f.decimals, 1))
	case f.verb == 'f' && f.decimals < 0:
		spec = "'.6f'"
	case f.verb == 'f':
		spec = fmt.Sprintf("'.%df'", f.decimals)
	default:
		digits, comma := 0, ""
		for _, label := range f.labels(ticks) {
			number := strings.TrimSuffix(label, f.after)
			if strings.Contains(number, ",") {
				comma = ","
			}
			if _, decimals, found := strings.Cut(number, "."); found {
				digits = len(decimals)
			}
		}
		scaled := fmt.Sprintf("%g*%s", math.Pow10(digits), value)
		spec = fmt.Sprintf("abs(%s-round(%[1]s))<1e-6?'%s.%df':'%[2]s.6~f'", scaled, comma, digits)
	}
	if f.money {
		return fmt.Sprintf("(datum.value<0?'−':'')+%s+format(abs(%s),%s)", jsString(f.before), value, spec)
	}
	return fmt.Sprintf("%s+format(%s,%s)+%s", jsString(f.before), value, spec, jsString(f.after))
}

// checkTicks returns an error for ticks or a format of an axis that has none.
func (c *Chart) checkTicks() error {
	for _, a := range []*axis{&c.x, &c.y} {
		by := a.chosenBy
		if by == "" && a.format != nil {
			by = a.format.by
		}
		switch {
		case by == "":
		case a.hidden:
			return fmt.Errorf("chart.%s: this axis is not shown; leave %[1]s out", by)
		case a.levels != nil || a.asked != nil:
			return fmt.Errorf("chart.%s: this axis has names, not numbers; choose and order them with XNames or YNames", by)
		case a.times:
			return fmt.Errorf("chart.%s: this axis shows times, with ticks and a format of its own; leave %[1]s out", by)
		case a.spans:
			return fmt.Errorf("chart.%s: this axis shows durations, with ticks and units of its own; leave %[1]s out", by)
		case a.log && a.chosen != nil && a.chosen[0] <= 0:
			return fmt.Errorf("chart.%s: a logarithmic axis cannot show %g; give positive ticks", by, a.chosen[0])
		case a.fixed && a.chosen != nil && (a.chosen[0] < a.lo || a.chosen[len(a.chosen)-1] > a.hi):
			return fmt.Errorf("chart.%s: the ticks must be between the ends of the axis, %g and %g", by, a.lo, a.hi)
		}
	}
	return nil
}

// setBase makes an axis logarithmic, with ticks at the powers of a base.
func (a *axis) setBase(option string, base []float64) error {
	a.log = true
	switch {
	case len(base) == 0:
		return nil
	case len(base) > 1:
		return fmt.Errorf("chart.%s: there must be at most one base, got %v", option, base)
	case base[0] != 2 && base[0] != 10:
		return fmt.Errorf("chart.%s: the base must be 2 or 10, got %g", option, base[0])
	}
	a.base = base[0]
	return nil
}

// binaryTicks puts ticks at powers of two, or at round numbers between two of them.
func (s *scale) binaryTicks(length float64, room func([]string) float64) {
	first, last := math.Ceil(math.Log2(s.lo)-1e-9), math.Floor(math.Log2(s.hi)+1e-9)
	if last-first < 1 {
		s.ticks = slices.DeleteFunc(niceTicks(s.lo, s.hi, 5), func(t float64) bool { return t <= 0 })
		s.format()
		return
	}
	for every := 1.0; ; every++ {
		s.ticks, s.labels = nil, nil
		for k := math.Ceil(first/every) * every; k <= last; k += every {
			s.ticks = append(s.ticks, math.Exp2(k))
			if first >= -3 && last < 20 {
				s.labels = append(s.labels, thousands(strconv.FormatFloat(math.Exp2(k), 'f', -1, 64)))
			} else {
				s.labels = append(s.labels, "2"+superscript(int(k)))
			}
		}
		if len(s.ticks) < 3 || float64(len(s.ticks))*(room(s.labels)+10) <= length {
			return
		}
	}
}
