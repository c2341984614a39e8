package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Limits of a description.
const (
	namesSaid   = 8 // names of one list
	seriesSaid  = 4 // marks that are described
	panelsWhole = 6 // panels that are described one by one
)

// sentence says what the panel shows: kinds of marks, axes and their ranges, groups,
// trends, and what is left out.
func (p *panel) sentence() string {
	parts := []string{p.kinds() + p.against()}
	if !p.nothing {
		for _, a := range []struct {
			name string
			a    *axis
			e    *extent
		}{{"x", &p.c.x, &p.xe}, {"y", &p.c.y, &p.ye}} {
			if s := a.a.said(a.name, a.e); s != "" {
				parts = append(parts, s)
			}
		}
		parts = append(parts, p.groups()...)
		said := 0
		for i := range p.c.marks {
			if said == seriesSaid {
				break
			}
			if s := p.c.marks[i].kind.finding(p, i); s != "" {
				if name := p.c.marks[i].name; name != "" {
					s = name + ": " + s
				}
				parts = append(parts, s)
				said++
			}
		}
	} else {
		parts = append(parts, "without data")
	}
	if q := p.second; q != nil {
		parts = append(parts, q.kinds()+" on the right axis")
		if s := q.c.y.said("y", &q.ye); s != "" {
			parts = append(parts, s)
		}
	}
	if p.leftOut.any() {
		parts = append(parts, p.leftOut.note())
	}
	return capital(strings.Join(parts, "; ")) + "."
}

// kinds lists the kinds of the marks, each once. The first is named as the kind of the chart.
func (p *panel) kinds() string {
	var names []string
	seen := map[kind]bool{}
	for _, m := range p.asked {
		if seen[m.kind] {
			continue
		}
		seen[m.kind] = true
		if len(names) == 0 {
			names = append(names, m.kind.about().chart)
		} else {
			names = append(names, m.kind.about().part)
		}
	}
	switch {
	case len(names) == 0:
		return "chart"
	case len(names) == 1:
		return names[0]
	}
	return names[0] + " with " + list(names[1:])
}

// against names the quantities that the axes show.
func (p *panel) against() string {
	x, y := p.c.x.label(), p.c.y.label()
	switch {
	case p.c.x.hidden && p.c.y.hidden || x == "" && y == "":
		return ""
	case y == "":
		return " over " + x
	case x == "":
		return " of " + y
	}
	return " of " + y + " over " + x
}

// said returns a description of the range of an axis.
func (a *axis) said(name string, e *extent) string {
	if a.hidden || !e.anything || e.lo > e.hi {
		return ""
	}
	if s := a.label(); s != "" {
		name = s
	}
	switch {
	case len(a.levels) > 0:
		return fmt.Sprintf("%s: %s", name, firstNames(a.levels))
	case a.times:
		return name + " from " + a.clock().day(e.lo, e.hi-e.lo) + " to " + a.clock().day(e.hi, e.hi-e.lo)
	}
	ends := a.together(e.hi-e.lo, e.lo, e.hi)
	s := name + " from " + ends[0] + " to " + ends[1]
	if a.log || a.symlog > 0 {
		s += " on a logarithmic scale"
	}
	return s
}

// day formats a moment for a description, as precisely as a range of the given length needs.
func (c clock) day(seconds, span float64) string {
	layout, unit := "2 January 2006 15:04", 1.0
	switch {
	case span < 10*second:
		layout, unit = layout+":05.000", 1e-3
	case span < 10*minute:
		layout += ":05"
	}
	t := c.at(math.Round(seconds/unit) * unit)
	if t.Hour()+t.Minute()+t.Second()+t.Nanosecond() == 0 && span >= oneDay {
		return t.Format("2 January 2006")
	}
	return t.Format(layout)
}

// groups names the series, classes and colors of the legend.
func (p *panel) groups() []string {
	var out, names []string
	for _, e := range p.legend.entries {
		if e.size == 0 {
			names = append(names, e.name)
		}
	}
	// Classes whose names are on the axis have already been named.
	if len(names) > 1 && strings.Join(names, "\x00") != strings.Join(p.c.x.levels, "\x00") {
		what := p.legend.title
		if what == "" {
			what = fmt.Sprintf("%d groups", len(names)+p.legend.more)
		}
		s := what + ": " + firstNames(names)
		if len(names) <= namesSaid && p.legend.more > 0 {
			s += fmt.Sprintf(" and %d more", p.legend.more)
		}
		out = append(out, s)
	}
	if bar := p.legend.bar; bar != nil {
		what := p.legend.title
		if what == "" {
			what = "values"
		}
		ends := together(bar.hi-bar.lo, bar.lo, bar.hi)
		out = append(out, fmt.Sprintf("colors show %s from %s to %s", what, ends[0], ends[1]))
	}
	return out
}

// firstNames lists names, or only the first ones if there are many.
func firstNames(names []string) string {
	if len(names) > namesSaid {
		return strings.Join(names[:namesSaid-1], ", ") + fmt.Sprintf(" and %d more", len(names)-namesSaid+1)
	}
	return list(names)
}

// list joins names with commas and "and".
func list(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// drawnPairs returns the pairs of a mark that are drawn, as their axes measure them.
func (p *panel) drawnPairs(m *mark) (xs, ys []float64) {
	for i := range min(len(m.x), len(m.y)) {
		x, y := m.x[i], m.y[i]
		if !isFinite(x) || !isFinite(y) || p.c.x.log && x <= 0 || p.c.y.log && y <= 0 {
			continue
		}
		if p.c.x.log {
			x = math.Log10(x)
		}
		if p.c.y.log {
			y = math.Log10(y)
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	return xs, ys
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(fmt.Sprint(n)) + " " + what + "s"
}

func orName(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// correlation returns Pearson's correlation, or NaN if a variable is constant.
func correlation(x, y []float64) float64 {
	n := float64(len(x))
	var mx, my, sxx, syy, sxy float64
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxx, syy, sxy = sxx+dx*dx, syy+dy*dy, sxy+dx*dy
	}
	return sxy / math.Sqrt(sxx*syy)
}

// whereX writes a position on the x axis.
func (p *panel) whereX(x float64) string { return p.whereXs(x)[0] }

// whereXs formats positions on the x axis; numbers have the same number of decimals.
func (p *panel) whereXs(xs ...float64) []string {
	a := &p.c.x
	out := a.together(p.xe.hi-p.xe.lo, xs...)
	for i, x := range xs {
		switch k := int(math.Round(x)); {
		case a.levels != nil && k >= 0 && k < len(a.levels):
			out[i] = a.levels[k]
		case a.times:
			out[i] = a.clock().day(x, p.xe.hi-p.xe.lo)
		}
	}
	return out
}

// together formats several numbers of an axis for one phrase. On a logarithmic axis, each number
// has three significant digits of its own, since the numbers can differ by orders of magnitude.
func (a *axis) together(span float64, xs ...float64) []string {
	if !a.log {
		return together(span, xs...)
	}
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = short(nearly(x, x))
	}
	return out
}

// together formats the numbers of one phrase with the same number of decimals, rounded to a
// thousandth of their range. Whole numbers stay exact, and zero has no decimals.
func together(span float64, xs ...float64) []string {
	near := xs
	if !wholeNumbers(xs) {
		near = make([]float64, len(xs))
		for i, x := range xs {
			near[i] = nearly(x, span)
		}
	}
	out := display.Numbers(near)
	for i, s := range out {
		if out[i] = minus(s); near[i] == 0 {
			out[i] = "0"
		}
	}
	return guide.Separated(out)
}

// nearly rounds a number to a thousandth of the given span.
func nearly(x, span float64) float64 {
	if unit := math.Pow(10, math.Floor(math.Log10(math.Abs(span)))-2); isFinite(unit) && unit > 0 {
		if r := math.Round(x/unit) * unit; isFinite(r) {
			x = r
		}
	}
	// The product of the unit is not exact.
	if r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64); err == nil {
		x = r
	}
	return x
}

// describe returns the title and the description of a figure with several panels.
func (p *Panels) describe(panels []*panel) (title, desc string) {
	if p.single {
		title, desc = p.charts[0].title, sentenceOf(p.charts[0].subtitle)+panels[0].sentence()
		if p.charts[0].alt != "" {
			return "", p.charts[0].alt
		}
		return title, desc
	}
	if p.alt != "" {
		return "", p.alt
	}
	parts := []string{sentenceOf(p.subtitle) + counted(len(panels), "panel") + "."}
	for i, q := range panels {
		name := fmt.Sprintf("Panel %d", i+1)
		if q.c.title != "" {
			name += ", " + q.c.title
		}
		switch {
		case q.c.alt != "":
			parts = append(parts, name+": "+q.c.alt)
		case len(panels) <= panelsWhole:
			parts = append(parts, name+": "+q.sentence())
		default:
			parts = append(parts, name+": "+q.kinds()+q.against()+".")
		}
	}
	return p.title, strings.Join(parts, " ")
}

// sentenceOf returns a subtitle as a sentence before others.
func sentenceOf(subtitle string) string {
	switch {
	case subtitle == "":
		return ""
	case strings.HasSuffix(subtitle, "."):
		return subtitle + " "
	}
	return subtitle + ". "
}

// Alt sets the sentence that describes the chart for readers who cannot see it. By default it is
// generated from the chart's marks, axes and groups.
func (c *Chart) Alt(sentence string) *Chart { c.alt = sentence; return c }

// Alt sets the description of the panels for readers who cannot see them.
func (p *Panels) Alt(sentence string) *Panels { p.alt = sentence; return p }
