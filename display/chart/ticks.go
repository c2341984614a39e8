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
// values with a meaning of their own, such as 0, 90, 180, 270 and 360 degrees. The values are
// numbers, times, or slices of them.
func (c *Chart) XTicks(at ...any) *Chart { c.setErr(c.x.setTicks("XTicks", at)); return c }

// YTicks puts the ticks of the y axis at these values, as XTicks does.
func (c *Chart) YTicks(at ...any) *Chart { c.setErr(c.y.setTicks("YTicks", at)); return c }

// XTickLabels writes these texts at the ticks that XTicks chooses, one per tick:
//
//	c.XTicks(0, 90, 180, 270).XTickLabels("north", "east", "south", "west")
func (c *Chart) XTickLabels(texts ...string) *Chart {
	c.x.setTickLabels("XTickLabels", texts)
	return c
}

// YTickLabels writes these texts at the ticks that YTicks chooses, one per tick.
func (c *Chart) YTickLabels(texts ...string) *Chart {
	c.y.setTickLabels("YTickLabels", texts)
	return c
}

// XFormat sets the format of the numbers at the x axis. "percent" shows 0.25 as 25 %. "$", "€", "£"
// and "¥" show amounts of money. "si" shows numbers with the prefixes of the International System
// of Units, such as 2.5 M for 2,500,000; "si W" adds a unit: 2.5 MW. Other formats have one of the
// verbs %f, %d and %g of [fmt], with text around it: "%.1f km".
func (c *Chart) XFormat(format string) *Chart { c.setErr(c.x.setFormat("XFormat", format)); return c }

// YFormat sets the format of the numbers at the y axis, as XFormat does.
func (c *Chart) YFormat(format string) *Chart { c.setErr(c.y.setFormat("YFormat", format)); return c }

// ReverseX reverses the direction of the x axis, so that the largest value is on the left.
func (c *Chart) ReverseX() *Chart { c.x.reverse = !c.x.reverse; return c }

// ReverseY reverses the direction of the y axis, so that the largest value is at the bottom, as for
// ranks and depths. On a heat map of a matrix, it moves the first row from the top to the bottom.
func (c *Chart) ReverseY() *Chart { c.y.reverse = !c.y.reverse; return c }

// setTicks sets the ticks of an axis.
func (a *axis) setTicks(option string, values []any) error {
	values = flat(values)
	if len(values) == 0 {
		return fmt.Errorf("chart.%s: there are no ticks; give the values at which to put them", option)
	}
	at := make([]float64, len(values))
	for i, v := range values {
		t, u, ok := literal(v)
		switch {
		case !ok:
			return fmt.Errorf("chart.%s: the ticks must be numbers or times, got %v", option, v)
		case i > 0 && u != a.chosenUnit:
			return fmt.Errorf("chart.%s: the ticks must all be %s, got %v", option, a.chosenUnit, v)
		case !isFinite(t) || i > 0 && t <= at[i-1]:
			return fmt.Errorf("chart.%s: the ticks must be finite and ascend, got %v", option, values)
		}
		at[i], a.chosenUnit = t, u
	}
	a.chosen, a.chosenBy = at, option
	return nil
}

// setTickLabels sets the texts at the chosen ticks.
func (a *axis) setTickLabels(option string, texts []string) {
	a.texts, a.textsBy = make([]string, len(texts)), option
	for i, s := range texts {
		a.texts[i] = guide.Typeset(s)
	}
}

// chosenLabels returns the labels of the chosen ticks.
func (a *axis) chosenLabels(s *scale) []string {
	switch {
	case a.texts != nil:
		return slices.Clone(a.texts)
	case a.times:
		out := make([]string, len(a.chosen))
		for i, t := range a.chosen {
			out[i] = a.clock().moment(t)
		}
		return out
	case a.format != nil:
		return a.format.labels(a.chosen)
	}
	return s.labels
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
	verb          byte // f, d, g or siVerb; 0 for as many decimals as the ticks need
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
	case "si":
		f.verb = siVerb
	case "$", "€", "£", "¥":
		f.before, f.money = format, true
	default:
		if name, ok := strings.CutPrefix(format, "si "); ok && name != "" && !strings.Contains(name, "%") {
			f.verb, f.after = siVerb, strings.TrimSpace(name)
			break
		}
		m := verbs.FindStringSubmatch(format)
		if m == nil {
			return fmt.Errorf("chart.%s: the format must be \"percent\", \"si\", a currency ($, €, £ or ¥) or a text with one verb, such as \"%%.1f km\", got %q", option, format)
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
	if f.verb == siVerb {
		texts := make([]string, len(ticks))
		for i, t := range ticks {
			texts[i] = f.prefixed(t)
		}
		return texts
	}
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
	if f.verb == siVerb {
		text := "format(datum.value,'.6~s')"
		return fmt.Sprintf("test(regexp('[a-zA-Zµ]$'),%[1]s)?replace(%[1]s,regexp('([a-zA-Zµ])$'),' $1')+%[2]s:%[1]s+%[3]s", text, jsString(f.after), jsString(strings.TrimRight(" "+f.after, " ")))
	}
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
		if err := a.checkRange(); err != nil {
			return err
		}
		if err := a.checkTickLabels(); err != nil {
			return err
		}
		switch {
		case by == "":
		case a.hidden:
			return fmt.Errorf("chart.%s: this axis is not shown; leave %[1]s out", by)
		case a.levels != nil || a.asked != nil:
			return fmt.Errorf("chart.%s: this axis has names, not numbers; choose and order them with XNames or YNames", by)
		case a.times && a.format != nil:
			return fmt.Errorf("chart.%s: this axis shows times, with a format of its own; leave %[1]s out", a.format.by)
		case a.times != (a.chosenUnit == moments) && a.chosen != nil && !a.spans:
			return fmt.Errorf("chart.%s: this axis shows %s; the ticks must be %[2]s, too, and not %s", by, a.unit(), a.chosenUnit)
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

// checkTickLabels returns an error for labels of ticks that are not chosen.
func (a *axis) checkTickLabels() error {
	switch {
	case a.texts == nil:
		return nil
	case a.chosen == nil:
		return fmt.Errorf("chart.%s: labels need ticks of your own: call %sTicks, too; an axis of names takes %[2]sNames", a.textsBy, a.textsBy[:1])
	case len(a.texts) != len(a.chosen):
		return fmt.Errorf("chart.%s: there must be %d labels, one for each tick, got %d", a.textsBy, len(a.chosen), len(a.texts))
	case a.format != nil:
		return fmt.Errorf("chart.%s: an axis has a format or labels of its own; leave %[1]s or %s out", a.textsBy, a.format.by)
	}
	return nil
}

// siVerb is the verb of the format with SI prefixes.
const siVerb = 's'

// siPrefixes are the prefixes of 10⁻²⁴, 10⁻²¹ ... 10²⁴.
var siPrefixes = []string{"y", "z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"}

// prefixed formats a number with up to six digits, an SI prefix and the unit.
func (f *tickFormat) prefixed(x float64) string {
	// The exponent is that of the rounded number: 999999.9 is 1 M.
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 5, 64), "e")
	e, _ := strconv.Atoi(exponent)
	k := max(-8, min(8, int(math.Floor(float64(e)/3))))
	if x == 0 {
		k = 0
	}
	number := strconv.FormatFloat(x/math.Pow10(3*k), 'f', max(0, 5-(e-3*k)), 64)
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimRight(guide.Minus(number)+" "+siPrefixes[k+8]+f.after, " ")
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
