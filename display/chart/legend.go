package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

const (
	// maxEntries is the maximum number of entries of a legend; the rest is summed up.
	maxEntries = 40
	// entryHeight and leastEntry are the usual and the minimum height of an entry.
	entryHeight = 20
	leastEntry  = 16
	headHeight  = 23
)

// legend explains the colors of a chart beside it.
type legend struct {
	title   string
	entries []entry
	more    int
	bar     *colorBar
	step    float64 // the height of an entry; 0 for the usual one
	rows    int     // in each column; 0 for all in one
	place   legendPlace
}

type entry struct {
	name  string
	color figure.Color
	shape figure.Shape
	kind  kind
	dash  int // index of the dash pattern, 0 for a solid line
	ring  bool
	solid bool    // an area in its full color
	width float64 // width of the line, 0 for the usual one
	size  float64 // the radius of a point whose area shows something
}

// colorBar explains a continuous scale.
type colorBar struct {
	scheme figure.Scheme
	lo, hi float64
	whole  bool // it counts something
}

// explaining makes the legend of a panel.
type explaining struct {
	*legend
	panel *panel
	seen  map[string]bool
}

// add adds an entry, unless it has no name or the legend already has an equal entry.
func (l *explaining) add(e entry) {
	key := e.name + "\x00" + figure.Hex(e.color)
	if e.name == "" || l.seen[key] {
		return
	}
	l.seen[key] = true
	l.entries = append(l.entries, e)
}

func newLegend(p *panel) legend {
	c := p.c
	var l legend
	if c.noLegend {
		return l
	}
	l.title, l.place = c.legendTitle, legendPlace(orText(string(c.legendPlace), string(legendRight)))
	e := &explaining{legend: &l, panel: p, seen: map[string]bool{}}
	for i := range c.marks {
		c.marks[i].kind.explain(e, &c.marks[i], i)
	}
	if c.piled() {
		slices.Reverse(l.entries)
	}
	l.addSizes(c)
	if c.legendOrder != nil {
		l.inLegendOrder(c.legendOrder)
	}
	if len(l.entries) > maxEntries {
		l.more = len(l.entries) - maxEntries + 1
		l.entries = l.entries[:maxEntries-1]
	}
	return l
}

// addSizes explains what the areas of points show.
func (l *legend) addSizes(c *Chart) {
	for i := range c.marks {
		m := &c.marks[i]
		d := m.asPoints()
		if d.size == nil || d.largest <= 0 {
			continue
		}
		name := d.sizeName
		if name != "" {
			name += " "
		}
		sizes := m.sizesShown()
		labels, unit := guide.Labels(sizes, d.largest)
		if len(sizes) < 2 || len(slices.Compact(slices.Clone(labels))) < len(sizes) {
			unit = ""
			for k, s := range sizes {
				labels[k] = short(s)
			}
		}
		for k, s := range sizes {
			l.entries = append(l.entries, entry{name: strings.TrimSpace(name + labels[k] + " " + unit), color: figure.Soft(), kind: points, ring: true, size: m.sized(s)})
		}
		return
	}
}

// valueRange returns the range of the mark's continuous scale; a diverging scale is
// symmetric around zero.
func (m *mark) valueRange(v []float64) (lo, hi float64) {
	if m.span != nil {
		return m.span[0], m.span[1]
	}
	lo, hi = bounds(v)
	if m.scheme.Diverges() && lo <= hi {
		hi = math.Max(math.Abs(lo), math.Abs(hi))
		lo = -hi
	}
	return lo, hi
}

// wholeNumbers reports whether there are finite values and all of them are whole.
func wholeNumbers(v []float64) bool {
	some := false
	for _, x := range v {
		if isFinite(x) {
			if x != math.Trunc(x) {
				return false
			}
			some = true
		}
	}
	return some
}

// paint returns the color of a value on a scale from lo to hi.
func (m *mark) paint(v, lo, hi float64) figure.Color {
	if !isFinite(v) {
		return figure.Color{}
	}
	return m.scheme.At(share(v, lo, hi))
}

// share returns the position of v between lo and hi, in [0, 1]. It halves the numbers first, so
// that the difference of very large numbers stays finite.
func share(v, lo, hi float64) float64 {
	if !(lo < hi) {
		return 0.5
	}
	return math.Max(0, math.Min(1, (v/2-lo/2)/(hi/2-lo/2)))
}

// order returns the number of the series that a mark belongs to, which determines its
// color. Marks over the same data, such as a line and its points, are one series.
func (p *panel) order(i int) int { return order(p.c.marks, i) }

func order(marks []mark, i int) int {
	n := 0
	for k := 1; k <= i; k++ {
		before := &marks[k-1]
		switch {
		case before.lead:
			n++
		case !before.kind.about().cycles:
		case before.color == nil && before.class == nil && before.value == nil && !sameSeries(before, &marks[k]):
			n++
		}
	}
	return n
}

func sameSeries(a, b *mark) bool {
	if b.name != "" || len(a.x) != len(b.x) || len(a.y) != len(b.y) || len(a.x) == 0 || a.kind.about().unpaired || a.asArea().pile {
		return false
	}
	for i, x := range a.x {
		if x != b.x[i] && !(math.IsNaN(x) && math.IsNaN(b.x[i])) {
			return false
		}
	}
	for i, y := range a.y {
		if y != b.y[i] && !(math.IsNaN(y) && math.IsNaN(b.y[i])) {
			return false
		}
	}
	return true
}

func (l legend) empty() bool { return len(l.entries) == 0 && l.bar == nil }

const widestEntry = 180

// fit puts the entries closer together, or into several columns, if they do not fit the height.
func (l *legend) fit(height float64) {
	l.step, l.rows = 0, 0
	if l.title != "" {
		height -= headHeight
	}
	if l.bar != nil {
		height -= 90
	}
	n := float64(len(l.entries))
	if l.more > 0 {
		n++
	}
	for _, e := range l.entries {
		if e.size > 0 {
			return // sizes are few
		}
	}
	if n*entryHeight <= height {
		return
	}
	if l.step = math.Max(leastEntry, height/n); n*l.step > height {
		columns := math.Ceil(n * leastEntry / math.Max(height, leastEntry))
		l.rows = int(math.Ceil(n / columns))
	}
}

// column returns the width of a column of entries.
func (l legend) column() float64 {
	w := 0.0
	for _, e := range l.entries {
		w = math.Max(w, e.entryWidth())
	}
	if l.more > 0 {
		w = math.Max(w, 24+tickFont.Width(l.rest()))
	}
	return w
}

func (l legend) width() float64 {
	w := l.column()
	if n := len(l.entries) + min(l.more, 1); l.rows > 0 && n > 0 {
		columns := float64((n + l.rows - 1) / l.rows)
		w = columns*w + (columns-1)*columnGap
	}
	w = math.Max(w, headFont.Width(l.title))
	if l.bar != nil {
		// The labels depend a little on the length that the bar will get.
		for _, length := range []float64{60, 110, 160, 220} {
			s := l.bar.scale(length)
			for _, t := range s.labels {
				w = math.Max(w, 24+tickFont.Width(t))
			}
			w = math.Max(w, tickFont.Width(s.unit))
		}
	}
	return w + 18
}

const columnGap = 16

// indent returns the distance from the left of an entry to its name.
func (e entry) indent() float64 {
	if e.size > 0 {
		return 34
	}
	return 24
}

func (l legend) rest() string { return fmt.Sprintf("and %d more", l.more) }

func (b *colorBar) scale(length float64) scale {
	s := scale{lo: b.lo, hi: b.hi, from: 0, to: length}
	if b.lo == b.hi {
		s.ticks, s.labels = []float64{b.lo}, []string{short(b.lo)}
		return s
	}
	s.setTicks(&axis{whole: b.whole}, length, 40, func([]string) float64 { return labelHeight + 4 })
	return s
}

func (l legend) draw(f *figure.Figure, x, y, height float64) {
	y += 4
	if l.title != "" {
		f.Label(x, y+9, l.title, figure.TextStyle{Font: headFont, Color: figure.Ink()})
		y += headHeight
	}
	start, low := y, y
	names := make([]string, len(l.entries))
	for i, e := range l.entries {
		names[i] = e.name
	}
	names = shortened(names, widestEntry)
	for i, e := range l.entries {
		e.name = names[i]
		if l.rows > 0 && i > 0 && i%l.rows == 0 {
			x, y = x+l.column()+columnGap, start
		}
		step := math.Max(orElse(l.step, entryHeight), 2*e.size+4)
		e.draw(f, x, y+step/2-3.5)
		y += step
		low = math.Max(low, y)
	}
	if l.more > 0 {
		f.Label(x+24, y+11, l.rest(), figure.TextStyle{Font: tickFont, Color: figure.Soft()})
		low = math.Max(low, y+entryHeight)
	}
	if l.bar == nil {
		return
	}
	y = low
	if len(l.entries) > 0 {
		y += 10
	}
	if l.bar.scale(160).unit != "" {
		y += labelHeight // it is written over the bar
	}
	h := math.Min(160, math.Max(40, height-(y-start)-4))
	if len(l.entries) == 0 && l.title == "" {
		h = math.Min(220, height-(y-start))
		y -= 4
	}
	l.bar.draw(f, x, y, h)
}

// draw draws an entry around the height cy.
func (e entry) draw(f *figure.Figure, x, cy float64) {
	e.kind.key(f, e, x, cy)
	f.Label(x+e.indent(), cy+labelMiddle, tickFont.Fit(e.name, widestEntry), figure.TextStyle{Font: tickFont, Color: figure.Ink()})
}

// draw draws the bar from its upper left corner down.
func (b *colorBar) draw(f *figure.Figure, x, y, h float64) {
	const slices = 64
	end := math.Round(2*(y+h)) / 2
	for i := slices - 1; i >= 0; i-- {
		t := (float64(i) + 0.5) / slices
		y0 := math.Round(2*(y+h*float64(slices-1-i)/slices)) / 2
		// Down to the end, under the next ones: viewers would show gaps as lines.
		f.Rect(x, y0, 12, end-y0, 0, figure.Style{Fill: b.scheme.At(t)})
	}
	s := b.scale(h)
	style := figure.TextStyle{Font: tickFont, Color: figure.Soft()}
	for i, t := range s.ticks {
		ty := y + h/2
		if s.lo != s.hi {
			ty = y + h - s.at(t)
		}
		f.Line(x+12, ty, x+15, ty, figure.Style{Stroke: figure.Frame(), Width: 0.8})
		f.Label(x+19, ty+labelMiddle, s.labels[i], style)
	}
	if s.unit != "" {
		f.Label(x, y-6, s.unit, style)
	}
}

// sameLegend returns the legend of the panels, if all panels with a legend have the same one.
func sameLegend(panels []*panel) (common legend, ok bool) {
	for _, p := range panels {
		// The color bar of one panel is beside that panel.
		if p.legend.empty() && slices.ContainsFunc(panels, func(q *panel) bool { return q.legend.bar != nil }) {
			return legend{}, false
		}
		if common.empty() {
			common = p.legend
		}
		if !p.legend.empty() && (!common.equal(p.legend) || p.legend.place.inside()) {
			return legend{}, false
		}
	}
	return common, !common.empty()
}

func (a legend) equal(b legend) bool {
	if a.title != b.title || a.place != b.place || len(a.entries) != len(b.entries) || a.more != b.more {
		return false
	}
	for i := range a.entries {
		if a.entries[i] != b.entries[i] {
			return false
		}
	}
	if (a.bar == nil) != (b.bar == nil) {
		return false
	}
	return a.bar == nil || a.bar.lo == b.bar.lo && a.bar.hi == b.bar.hi && a.bar.scheme.Name == b.bar.scheme.Name
}
