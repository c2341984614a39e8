package chart

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a description.
const (
	namesSaid   = 8 // names of one list
	seriesSaid  = 4 // marks whose course is told
	panelsWhole = 6 // panels that are described one by one
)

// called are the names of a kind: of a chart whose first mark it is, and as a part of
// another chart.
type called struct{ chart, part string }

// kindNames has the kinds whose names in a description are not those of the kind.
var kindNames = map[kind]called{
	line:    {"line chart", "lines"},
	points:  {"scatter plot", "points"},
	step:    {"step chart", "steps"},
	area:    {"area chart", "bands"},
	bars:    {"bar chart", "bars"},
	hist:    {"histogram", "histograms"},
	errs:    {"error bars", "error bars"},
	box:     {"box plot", "boxes"},
	heat:    {"heat map", "colored cells"},
	contour: {"contour plot", "level lines"},
	region:  {"map of regions", "regions"},
	vectors: {"vector field", "arrows"},
	texts:   {"labels", "labels"},
	rule:    {"reference lines", "reference lines"},
	polygon: {"polygons", "polygons"},

	density:    {"density plot", "densities"},
	plane:      {"density of two variables", "densities of two variables"},
	ridges:     {"ridgeline plot", "ridgelines"},
	violin:     {"violin plot", "violins"},
	strip:      {"strip plot", "strips"},
	swarm:      {"swarm plot", "swarms"},
	ecdf:       {"distribution function", "distribution functions"},
	quantiles:  {"quantile plot", "quantiles"},
	regression: {"regression", "regressions"},
	hexbin:     {"hexagonal binning", "hexagons"},

	slope:    {"slope chart", "slopes"},
	parallel: {"parallel coordinates", "parallel coordinates"},
}

// findings says what a mark of a kind shows: its trend, its largest value, its middle. A
// kind without one is described by its name, axes and groups.
var findings = map[kind]func(p *panel, i int) string{
	points: (*panel).pointFinding,
	line:   (*panel).lineFinding,
	step:   (*panel).lineFinding,
	bars:   (*panel).barFinding,
	hist:   (*panel).histFinding,
	box:    (*panel).boxFinding,
	heat:   (*panel).heatFinding,
}

func (k kind) called() called {
	if c, ok := kindNames[k]; ok {
		return c
	}
	return called{string(k), string(k)}
}

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
			find := findings[p.c.marks[i].kind]
			if find == nil || said == seriesSaid {
				continue
			}
			if s := find(p, i); s != "" {
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

// kinds names the kinds of the marks, each once, the first as that of the chart.
func (p *panel) kinds() string {
	var names []string
	seen := map[kind]bool{}
	for _, m := range p.asked {
		if seen[m.kind] {
			continue
		}
		seen[m.kind] = true
		if len(names) == 0 {
			names = append(names, m.kind.called().chart)
		} else {
			names = append(names, m.kind.called().part)
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

// against names what the axes show.
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

// said tells what an axis covers.
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
		return name + " from " + a.clock().day(e.lo) + " to " + a.clock().day(e.hi)
	}
	if a.log {
		return name + " from " + about(e.lo, e.lo) + " to " + about(e.hi, e.hi) + " on a logarithmic scale"
	}
	return name + " from " + about(e.lo, e.hi-e.lo) + " to " + about(e.hi, e.hi-e.lo)
}

func (c clock) day(seconds float64) string {
	t := c.at(math.Round(seconds))
	if t.Hour()+t.Minute()+t.Second() == 0 {
		return t.Format("2 January 2006")
	}
	return t.Format("2 January 2006 15:04")
}

// groups names the series, classes and colors of the legend.
func (p *panel) groups() []string {
	var out, names []string
	for _, e := range p.legend.entries {
		if e.size == 0 {
			names = append(names, e.name)
		}
	}
	// Classes whose names stand at the axis have been named.
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
		out = append(out, fmt.Sprintf("colors show %s from %s to %s", what, about(bar.lo, bar.hi-bar.lo), about(bar.hi, bar.hi-bar.lo)))
	}
	return out
}

// firstNames lists names, of many the first.
func firstNames(names []string) string {
	if len(names) > namesSaid {
		return strings.Join(names[:namesSaid-1], ", ") + fmt.Sprintf(" and %d more", len(names)-namesSaid+1)
	}
	return list(names)
}

// list joins names as a sentence has them.
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

// pointFinding returns the number of points and how y changes with x.
func (p *panel) pointFinding(i int) string {
	m := &p.c.marks[i]
	xs, ys := p.drawnPairs(m)
	s := counted(len(xs), "point")
	if len(xs) < 3 {
		return "" // a place that is marked
	}
	for k := range p.c.marks {
		if k != i && p.c.marks[k].kind == line && sameSeries(&p.c.marks[k], &mark{x: m.x, y: m.y}) {
			return "" // the line says more
		}
	}
	if p.c.x.levels != nil || p.c.y.levels != nil {
		return s
	}
	x, y := orName(p.c.x.label(), "x"), orName(p.c.y.label(), "y")
	switch r := correlation(xs, ys); {
	case math.IsNaN(r):
		return s
	case r >= 0.3:
		return fmt.Sprintf("%s; %s rises with %s (correlation %.2f)", s, y, x, r)
	case r <= -0.3:
		return fmt.Sprintf("%s; %s falls with %s (correlation −%.2f)", s, y, x, -r)
	default:
		return s + "; no linear trend (correlation " + minus(fmt.Sprintf("%.2f", r)) + ")"
	}
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

// correlation is Pearson's; NaN where a variable does not vary.
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

// lineFinding tells where a line begins and ends, and a peak or a low between.
func (p *panel) lineFinding(i int) string {
	m := &p.c.marks[i]
	type pair struct{ x, y float64 }
	var first, last, top, low pair
	n := 0
	for k := range min(len(m.x), len(m.y)) {
		q := pair{m.x[k], m.y[k]}
		if !isFinite(q.x) || !isFinite(q.y) {
			continue
		}
		if n == 0 {
			first, last, top, low = q, q, q, q
		}
		if q.x < last.x {
			return "" // a curve that turns back has no course over x
		}
		if q.y > top.y {
			top = q
		}
		if q.y < low.y {
			low = q
		}
		last = q
		n++
	}
	if n < 2 || m.summary || p.c.y.levels != nil || p.c.y.times {
		return ""
	}
	if first.x == last.x {
		return "" // an upright line, as within violins
	}
	span := top.y - low.y
	short := func(y float64) string {
		if p.y.log {
			return about(y, y)
		}
		return about(y, span)
	}
	s := "goes"
	switch {
	case span == 0:
		return "stays at " + short(first.y)
	case last.y-first.y > 0.05*span:
		s = "rises"
	case first.y-last.y > 0.05*span:
		s = "falls"
	}
	s += " from " + short(first.y) + " to " + short(last.y)
	if top.y-math.Max(first.y, last.y) > 0.1*span {
		s += ", highest " + short(top.y) + " at " + p.whereX(top.x)
	}
	if math.Min(first.y, last.y)-low.y > 0.1*span {
		s += ", lowest " + short(low.y) + " at " + p.whereX(low.x)
	}
	return s
}

// whereX writes a position on the x axis.
func (p *panel) whereX(x float64) string {
	a := &p.c.x
	switch k := int(math.Round(x)); {
	case a.levels != nil && k >= 0 && k < len(a.levels):
		return a.levels[k]
	case a.times:
		return a.clock().day(x)
	}
	if p.x.log {
		return about(x, x)
	}
	return about(x, p.xe.hi-p.xe.lo)
}

// about writes a number to a thousandth of the span that it lies in.
func about(x, span float64) string {
	if unit := math.Pow(10, math.Floor(math.Log10(span))-2); isFinite(unit) && unit > 0 {
		if r := math.Round(x/unit) * unit; isFinite(r) {
			x = r
		}
	}
	// The product of the unit is not exact.
	if r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64); err == nil {
		x = r
	}
	return short(x)
}

// barFinding names the largest and the smallest bar.
func (p *panel) barFinding(i int) string {
	m := &p.c.marks[i]
	top, low, n := -1, -1, 0
	for k, y := range m.y {
		if !isFinite(y) {
			continue
		}
		n++
		if top < 0 || y > m.y[top] {
			top = k
		}
		if low < 0 || y < m.y[low] {
			low = k
		}
	}
	switch {
	case n == 0:
		return ""
	case m.y[top] == m.y[low]:
		return counted(n, "bar") + " of " + short(m.y[top])
	}
	return fmt.Sprintf("largest %s (%s), smallest %s (%s)", p.whereX(m.x[top]), short(m.y[top]), p.whereX(m.x[low]), short(m.y[low]))
}

// histFinding returns the number of values, their median and the fullest bin.
func (p *panel) histFinding(i int) string {
	sample := p.samples[i]
	if len(sample) == 0 {
		return ""
	}
	top := 0
	h := p.heights(sample)
	for k := range h {
		if h[k] > h[top] {
			top = k
		}
	}
	return fmt.Sprintf("%s, median %s, most between %s and %s", counted(len(sample), "value"), p.whereX(quantile(sample, 0.5)), p.edge(top), p.edge(top+1))
}

// boxFinding returns the medians.
func (p *panel) boxFinding(i int) string {
	m := &p.c.marks[i]
	var medians []string
	for k, g := range m.groups {
		var v []float64
		for _, y := range g {
			if isFinite(y) {
				v = append(v, y)
			}
		}
		if len(v) > 0 {
			sort.Float64s(v)
			medians = append(medians, p.whereX(m.x[k])+" "+about(quantile(v, 0.5), p.ye.hi-p.ye.lo))
		}
	}
	if len(medians) == 0 {
		return ""
	}
	return "medians: " + firstNames(medians)
}

// heatFinding returns the size of the grid and where its extremes are.
func (p *panel) heatFinding(i int) string {
	g := p.c.marks[i].field
	if g.NX*g.NY > 400 {
		return "" // no cell of a fine grid stands for itself
	}
	top, low := -1, -1
	for k, z := range g.Z {
		if !isFinite(z) {
			continue
		}
		if top < 0 || z > g.Z[top] {
			top = k
		}
		if low < 0 || z < g.Z[low] {
			low = k
		}
	}
	if top < 0 {
		return ""
	}
	at := func(k int) string {
		x, y := g.Center(k%g.NX, k/g.NX)
		row := short(y)
		if r := int(math.Round(y)); p.c.y.levels != nil && r >= 0 && r < len(p.c.y.levels) {
			row = p.c.y.levels[r]
		}
		return row + ", " + p.whereX(x)
	}
	return fmt.Sprintf("%d rows of %d cells, largest at %s (%s), smallest at %s (%s)", g.NY, g.NX, at(top), short(g.Z[top]), at(low), short(g.Z[low]))
}

// describe returns the title and the description of the figure of panels.
func (p *Panels) describe(panels []*panel) (title, desc string) {
	if p.single {
		title, desc = p.charts[0].title, panels[0].sentence()
		if p.charts[0].alt != "" {
			return "", p.charts[0].alt
		}
		return title, desc
	}
	if p.alt != "" {
		return "", p.alt
	}
	parts := []string{counted(len(panels), "panel") + "."}
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

// Alt replaces the sentence that says what the chart shows, for readers who do not see
// it; without it the sentence is made of the chart's marks, axes and groups.
func (c *Chart) Alt(sentence string) *Chart { c.alt = sentence; return c }

// Alt replaces the sentences that say what the panels show, for readers who do not see
// them.
func (p *Panels) Alt(sentence string) *Panels { p.alt = sentence; return p }
