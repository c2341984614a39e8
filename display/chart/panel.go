package chart

import (
	"fmt"
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

// Fonts of a chart.
var (
	titleFont = figure.Font{Size: 14, Bold: true}
	innerFont = figure.Font{Size: 12, Bold: true}
	axisFont  = figure.Font{Size: 12}
	tickFont  = figure.Font{Size: 11}
	noteFont  = figure.Font{Size: 10, Italic: true}
)

type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) w() float64 { return r.x1 - r.x0 }
func (r rect) h() float64 { return r.y1 - r.y0 }

func (r rect) contains(x, y float64) bool {
	return x >= r.x0-0.5 && x <= r.x1+0.5 && y >= r.y0-0.5 && y <= r.y1+0.5
}

// panel is a chart while it is drawn.
type panel struct {
	c           *Chart
	transposed  bool // x grows downwards, y to the right
	h, v        *axis
	xe, ye      extent
	x, y        scale
	area        rect // the data's part of the figure
	legend      legend
	inner       bool // one of several
	hideLegend  bool
	hideXLabels bool
	hideXTitle  bool    // another one stands for those of several panels
	hangX       bool    // the labels of the x axis hang into the empty place below
	titleY      float64 // where the title of the x axis stands
	hideYLabels bool
	leftOut     leftOut
	nothing     bool      // there is nothing that could be drawn
	edges       []float64 // of the bins of all histograms
	samples     [][]float64
	stacks      []stack
}

// leftOut counts the values that cannot be drawn.
type leftOut struct {
	notFinite   int
	notPositive int // on a logarithmic axis
	rows        int // of a table, in which something is missing
}

func (l leftOut) any() bool { return l.notFinite+l.notPositive+l.rows > 0 }

// note says what is left out.
func (l leftOut) note() string {
	say := func(n int, one, many string) string {
		if n == 1 {
			return "1 value " + one
		}
		return fmt.Sprintf("%d values %s", n, many)
	}
	switch {
	case l.rows == 1:
		return "1 row with a missing value is left out" + leftOut{notPositive: l.notPositive}.behind()
	case l.rows > 0:
		return fmt.Sprintf("%d rows with missing values are left out", l.rows) + leftOut{notPositive: l.notPositive}.behind()
	case l.notPositive == 0:
		return say(l.notFinite, "that is not finite is left out", "that are not finite are left out")
	case l.notFinite == 0:
		return say(l.notPositive, "that is not positive is left out of the logarithmic axis", "that are not positive are left out of the logarithmic axis")
	}
	return fmt.Sprintf("%d values are left out: %d not finite, %d not positive on a logarithmic axis", l.notFinite+l.notPositive, l.notFinite, l.notPositive)
}

// behind is the note as it follows another one.
func (l leftOut) behind() string {
	if !l.any() {
		return ""
	}
	return "; " + l.note()
}

// stack says where the bars of one mark stand.
type stack struct {
	offset, width float64 // of the bars, in units of x
	base          []float64
}

// middles gives the middles of the bars at x.
func (s stack) middles(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v + s.offset + s.width/2
	}
	return out
}

func (p *panel) ex() *extent {
	if p.transposed {
		return &p.ye
	}
	return &p.xe
}

func (p *panel) ey() *extent {
	if p.transposed {
		return &p.xe
	}
	return &p.ye
}

func newPanel(c *Chart) (*panel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c, err := c.expanded()
	if err != nil {
		return nil, err
	}
	p := &panel{c: c, xe: newExtent(), ye: newExtent(), transposed: c.horizontal || c.namesTooLong()}
	p.h, p.v = &c.x, &c.y
	if p.transposed {
		p.h, p.v = &c.y, &c.x
	}
	if err := p.prepareBins(); err != nil {
		return nil, err
	}
	p.prepareBars()
	for i := range c.marks {
		p.cover(&c.marks[i], i)
		p.leftOut.rows += c.marks[i].left
	}
	if c.data != nil || p.leftOut.rows > 0 {
		p.leftOut.rows, p.leftOut.notFinite = p.leftOut.rows+p.leftOut.notFinite, 0
	}
	if c.x.levels != nil && p.xe.anything {
		p.xe.cover(-0.5, float64(len(c.x.levels))-0.5, false)
	}
	if c.y.levels != nil && p.ye.anything {
		p.ye.cover(-0.5, float64(len(c.y.levels))-0.5, false)
	}
	p.legend = newLegend(p)
	return p, nil
}

// namesTooLong reports whether a bar chart is better drawn with its bars lying.
func (c *Chart) namesTooLong() bool {
	n := len(c.x.levels)
	if n == 0 || n > 40 || c.y.levels != nil {
		return false
	}
	for i := range c.marks {
		if k := c.marks[i].kind; k != bars && k != box {
			return false
		}
	}
	w, _ := c.size()
	widest := 0.0
	for _, s := range c.x.levels {
		widest = math.Max(widest, tickFont.Width(s))
	}
	return widest > (w-90)/float64(n)-6
}

// prepareBins sorts the samples of all histograms and chooses their common bins.
func (p *panel) prepareBins() error {
	var all []float64
	n := 0
	for _, m := range p.c.marks {
		var sample []float64
		if m.kind == hist {
			for _, x := range m.x {
				if p.count(x, 1) {
					sample = append(sample, x)
				}
			}
			sort.Float64s(sample)
			all = append(all, sample...)
			n = max(n, m.bins)
		}
		p.samples = append(p.samples, sample)
	}
	if len(all) == 0 {
		return nil
	}
	sort.Float64s(all)
	if !isFinite(all[len(all)-1] - all[0]) {
		return fmt.Errorf("chart.Hist: the values, from %g to %g, are too far apart to draw", all[0], all[len(all)-1])
	}
	if p.c.x.log {
		logs := make([]float64, len(all))
		for i, x := range all {
			logs[i] = math.Log10(x)
		}
		p.edges = binEdges(logs, n)
		for i, e := range p.edges {
			p.edges[i] = math.Pow(10, e)
		}
	} else {
		p.edges = binEdges(all, n)
	}
	return nil
}

// heights gives the heights of the bins of a histogram.
func (p *panel) heights(sample []float64) []float64 {
	counts := countBins(sample, p.edges)
	if p.c.density && len(sample) > 0 {
		for i := range counts {
			counts[i] /= float64(len(sample)) * (p.edges[i+1] - p.edges[i])
		}
	}
	return counts
}

// prepareBars decides where the bars of each mark stand.
func (p *panel) prepareBars() {
	p.stacks = make([]stack, len(p.c.marks))
	var sets []int
	gap := math.Inf(1) // the smallest distance of two bars
	for i, m := range p.c.marks {
		if m.kind != bars {
			continue
		}
		sets = append(sets, i)
		xs := append([]float64(nil), m.x...)
		sort.Float64s(xs)
		for k := 1; k < len(xs); k++ {
			if d := xs[k] - xs[k-1]; d > 0 {
				gap = math.Min(gap, d)
			}
		}
	}
	if math.IsInf(gap, 1) {
		gap = 1
	}
	up, down := map[float64]float64{}, map[float64]float64{}
	for k, i := range sets {
		m := p.c.marks[i]
		s := &p.stacks[i]
		s.base = make([]float64, len(m.x))
		if !p.c.stacked {
			s.width = 0.8 * gap / float64(len(sets))
			s.offset = -0.4*gap + s.width*float64(k)
			continue
		}
		s.width, s.offset = 0.8*gap, -0.4*gap
		for j, x := range m.x {
			to := up
			if m.y[j] < 0 {
				to = down
			}
			s.base[j] = to[x]
			if isFinite(m.y[j]) {
				to[x] += m.y[j]
			}
		}
	}
}

// cover widens the extents by what a mark shows.
func (p *panel) cover(m *mark, i int) {
	xs := func(v []float64, pad bool) { coverAll(&p.xe, v, p.c.x.log, pad) }
	ys := func(v []float64, pad bool) { coverAll(&p.ye, v, p.c.y.log, pad) }
	switch m.kind {
	case line, step, vectors, texts, polygon, points, errs:
		xs(m.x, true)
		ys(m.visible(), true)
		ys(m.lo, true)
		ys(m.hi, true)
		if m.f == nil && m.kind != vectors && m.kind != polygon && m.kind != texts {
			for k := range m.x {
				// A line without a place is a gap between two lines.
				if m.kind == points || m.kind == errs || isFinite(m.x[k]) {
					p.count(m.x[k], m.y[k])
				}
			}
		}
	case area:
		xs(m.x, true)
		ys(m.lo, true)
		ys(m.hi, true)
	case bars:
		s := p.stacks[i]
		for k, x := range m.x {
			if !p.count(x, m.y[k]) {
				continue
			}
			p.xe.cover(x+s.offset-0.1*s.width, x+s.offset+1.1*s.width, false)
			top := s.base[k] + m.y[k]
			if !p.c.y.log {
				p.ye.cover(0, 0, false)
			} else {
				ys([]float64{top}, true)
				continue
			}
			p.ye.cover(math.Min(top, 0), math.Max(top, 0), true)
		}
		ys(m.lo, true)
		ys(m.hi, true)
		if p.ye.lo == 0 {
			p.ye.padLo = false
		}
		if p.ye.hi == 0 {
			p.ye.padHi = false
		}
	case hist:
		if len(p.samples[i]) == 0 {
			return
		}
		p.xe.cover(p.edges[0], p.edges[len(p.edges)-1], true)
		h := p.heights(p.samples[i])
		if p.c.y.log {
			ys(h, true)
			return
		}
		_, hi := bounds(h)
		p.ye.cover(0, hi, true)
		p.ye.padLo = false
	case box:
		for k, g := range m.groups {
			p.xe.cover(math.Round(m.x[k])-0.5, math.Round(m.x[k])+0.5, false)
			ys(g, true)
			for _, v := range g {
				p.count(float64(k+1), v)
			}
		}
	case heat, contour, region:
		f := m.field
		p.xe.cover(f.X0, f.X1, false)
		p.ye.cover(f.Y0, f.Y1, false)
	case rule:
		if m.upright {
			xs(m.x, true)
		} else {
			ys(m.y, true)
		}
	}
}

// count reports whether both numbers can be drawn, and counts what cannot.
func (p *panel) count(x, y float64) bool {
	switch {
	case !isFinite(x) || !isFinite(y):
		p.leftOut.notFinite++
	case p.c.x.log && x <= 0 || p.c.y.log && y <= 0:
		p.leftOut.notPositive++
	default:
		return true
	}
	return false
}

func coverAll(e *extent, v []float64, log, pad bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if log && x <= 0 {
			continue
		}
		if x < lo && !math.IsInf(x, 0) {
			lo = x
		}
		if x > hi && !math.IsInf(x, 0) {
			hi = x
		}
	}
	if lo <= hi {
		e.cover(lo, hi, pad)
	}
}

// raster reports whether the chart is covered by colored cells, under which a grid
// would be noise.
func (p *panel) raster() (covered, cells bool) {
	for _, m := range p.c.marks {
		switch m.kind {
		case heat:
			covered = true
			cells = cells || m.field.X0 == -0.5
		case region:
			covered = true
		}
	}
	return covered, cells
}

// measure decides the ends of both axes.
func (p *panel) measure() error {
	p.fillEmpty()
	var err error
	if p.x, err = newScale(&p.c.x, p.xe, "x"); err != nil {
		return err
	}
	p.y, err = newScale(&p.c.y, p.ye, "y")
	return err
}

// fillEmpty gives a chart without a value that could be drawn the axes of an empty one.
func (p *panel) fillEmpty() {
	for _, d := range []struct {
		a *axis
		e *extent
	}{{&p.c.x, &p.xe}, {&p.c.y, &p.ye}} {
		if d.e.anything && d.e.lo <= d.e.hi {
			continue
		}
		p.nothing = true
		if d.a.fixed {
			continue
		}
		lo := 0.0
		if d.a.log {
			lo = 0.1
		}
		d.e.cover(lo, 1, false)
	}
}

func (p *panel) draw(f *figure.Figure, r rect) {
	p.place(r)
	covered, _ := p.raster()
	if !covered {
		p.grid(f)
	}
	for i := range p.c.marks {
		p.mark(f, &p.c.marks[i], i)
	}
	p.axes(f, r)
	if p.nothing {
		f.Label((p.area.x0+p.area.x1)/2, (p.area.y0+p.area.y1)/2, "there are no values to draw",
			figure.TextStyle{Font: axisFont, Color: figure.Soft, Anchor: figure.Middle})
	}
	if !p.hideLegend && !p.legend.empty() {
		p.legend.draw(f, p.area.x1+14, p.area.y0, p.area.h())
	}
}

// scales gives the scale of the horizontal and of the vertical axis.
func (p *panel) scales() (h, v *scale) {
	if p.transposed {
		return &p.y, &p.x
	}
	return &p.x, &p.y
}

// apart is how far ticks stand from each other on short and on long axes.
func apart(length, close, wide float64) float64 {
	if length < 300 {
		return close
	}
	return wide
}

// labelRows is how the names below a horizontal axis are written.
type labelRows struct {
	wrapped [][]string
	up      bool
	height  float64
}

// place decides where the data go: what is left after titles, ticks and legend.
func (p *panel) place(r rect) {
	h, v := p.scales()
	pad := 12.0
	top := pad
	if p.c.title != "" {
		top = 36
		if p.inner {
			top = 30
		}
	}
	right := pad
	if !p.hideLegend && !p.legend.empty() {
		right = p.legend.width() + 10
	}
	bottom := pad
	if !p.h.hidden {
		bottom = 10
		if !p.hideXLabels && !p.hangX {
			bottom += 20
		}
		if p.h.label() != "" && !p.hideXLabels && !p.hangX {
			bottom += 18
		}
	}
	if p.leftOut.any() {
		bottom += 14
	}
	textHeight := func([]string) float64 { return 12 }
	textWidth := func(labels []string) float64 {
		w := 0.0
		for _, s := range labels {
			w = math.Max(w, tickFont.Width(s))
		}
		return w
	}
	left := pad
	// The ticks of one axis need the length of the other: two rounds settle it.
	for round := range 2 {
		length := math.Max(20, r.h()-top-bottom)
		v.ticks, v.labels = nil, nil
		v.setTicks(p.v, length, apart(length, 28, 40), textHeight)
		left = pad
		if !p.v.hidden {
			left = 8
			if p.v.label() != "" && !p.hideYLabels || v.unit != "" {
				left += 20
			}
			if !p.hideYLabels {
				left += 8 + math.Min(textWidth(v.labels), r.w()*0.35)
			}
		}
		width := math.Max(20, r.w()-left-right)
		h.ticks, h.labels = nil, nil
		h.setTicks(p.h, width, apart(width, 44, 64), textWidth)
		if round == 0 && h.unit != "" && p.h.label() == "" && !p.h.hidden {
			bottom += 18
		}
		if round == 0 && !p.h.hidden && h.between && !p.hideXLabels && !p.hangX {
			bottom += rowsOf(h.labels, width).height - 14
		}
		if n := len(h.labels); n > 0 && !h.between && !p.h.hidden {
			right = math.Max(right, tickFont.Width(h.labels[n-1])/2+4)
		}
	}
	p.area = rect{r.x0 + left, r.y0 + top, math.Max(r.x1-right, r.x0+left+10), math.Max(r.y1-bottom, r.y0+top+10)}
	p.keepShape()
	a := &p.area
	a.x0, a.x1, a.y0, a.y1 = math.Round(a.x0), math.Round(a.x1), math.Round(a.y0), math.Round(a.y1)
	h.from, h.to = a.x0, a.x1
	v.from, v.to = a.y1, a.y0
	if p.h.reverse {
		h.from, h.to = h.to, h.from
	}
	if p.v.reverse != p.transposed { // the first name of lying bars is on top
		v.from, v.to = v.to, v.from
	}
}

// keepShape makes units equally long where the chart asks for it, and the cells
// of a small matrix square.
func (p *panel) keepShape() {
	_, cells := p.raster()
	h, v := p.scales()
	a := &p.area
	dx, dy := h.hi-h.lo, v.hi-v.lo
	if h.log || v.log {
		return
	}
	if cells {
		if ratio := dx / dy; ratio > 3 || ratio < 1.0/3 {
			return
		}
	} else if !p.c.equal {
		return
	}
	unit := math.Min(a.w()/dx, a.h()/dy)
	if cells || p.h.fixed || p.v.fixed {
		a.x1 = a.x0 + unit*dx
		extra := a.h() - unit*dy
		a.y0 += extra / 2
		a.y1 -= extra / 2
		return
	}
	growX, growY := a.w()/unit-dx, a.h()/unit-dy
	h.lo, h.hi = h.lo-growX/2, h.hi+growX/2
	v.lo, v.hi = v.lo-growY/2, v.hi+growY/2
	h.ticks, h.labels, v.ticks, v.labels = nil, nil, nil, nil
	h.setTicks(p.h, a.w(), apart(a.w(), 44, 64), func(labels []string) float64 {
		w := 0.0
		for _, s := range labels {
			w = math.Max(w, tickFont.Width(s))
		}
		return w
	})
	v.setTicks(p.v, a.h(), apart(a.h(), 28, 40), func([]string) float64 { return 12 })
}

// rowsOf decides how names are written below an axis of the given width: in one
// row, wrapped into two, or upright.
func rowsOf(names []string, width float64) labelRows {
	slot := width / math.Max(1, float64(len(names)))
	l := labelRows{height: 14}
	fits := true
	for _, s := range names {
		fits = fits && tickFont.Width(s) <= slot-6
	}
	if fits {
		for _, s := range names {
			l.wrapped = append(l.wrapped, []string{s})
		}
		return l
	}
	fits = true
	for _, s := range names {
		lines := tickFont.Wrap(s, slot-6, 2)
		total := ""
		for i, w := range lines {
			if i > 0 {
				total += " "
			}
			total += w
		}
		fits = fits && total == s
		l.wrapped = append(l.wrapped, lines)
	}
	if fits {
		l.height = 28
		return l
	}
	l.up, l.wrapped = true, nil
	for _, s := range names {
		short := tickFont.Fit(s, 110)
		l.wrapped = append(l.wrapped, []string{short})
		l.height = math.Max(l.height, tickFont.Width(short)+4)
	}
	return l
}

func (p *panel) grid(f *figure.Figure) {
	h, v := p.scales()
	s := figure.Style{Stroke: figure.Faint, Width: 0.8}
	if !p.h.hidden && !h.between {
		for _, t := range h.ticks {
			x := crisp(h.at(t))
			f.Line(x, p.area.y0, x, p.area.y1, s)
		}
	}
	if !p.v.hidden && !v.between {
		for _, t := range v.ticks {
			y := crisp(v.at(t))
			f.Line(p.area.x0, y, p.area.x1, y, s)
		}
	}
}

// crisp puts a thin line on the middle of pixels.
func crisp(x float64) float64 { return math.Round(x*2)/2 + 0.25 }

func (p *panel) axes(f *figure.Figure, r rect) {
	h, v := p.scales()
	a := p.area
	frame := figure.Style{Stroke: figure.Frame, Width: 0.8}
	_, cells := p.raster()
	tick := figure.TextStyle{Font: tickFont, Color: figure.Soft}
	name := figure.TextStyle{Font: axisFont, Color: figure.Ink, Anchor: figure.Middle}
	y := a.y1 + 4
	if !p.h.hidden {
		if !cells {
			f.Line(a.x0, crisp(a.y1), a.x1, crisp(a.y1), frame)
		}
		if !p.hideXLabels {
			y = p.xLabels(f, h, tick, frame)
		}
		p.titleY = y + 14
		if title := join(p.h.label(), h.unit); title != "" && !p.hideXLabels && !p.hideXTitle {
			f.Label((a.x0+a.x1)/2, p.titleY, axisFont.Fit(title, a.w()+60), name)
		}
	}
	if !p.v.hidden {
		if !cells {
			f.Line(crisp(a.x0), a.y0, crisp(a.x0), a.y1, frame)
		}
		if !p.hideYLabels {
			p.yLabels(f, v, tick, frame, r)
		}
		if title := join(p.v.label(), v.unit); title != "" && !p.hideYLabels {
			name.Up = true
			f.Label(r.x0+18, (a.y0+a.y1)/2, axisFont.Fit(title, a.h()+40), name)
		}
	}
	if p.c.title != "" {
		font := titleFont
		if p.inner {
			font = innerFont
		}
		f.Label(a.x0, r.y0+22, font.Fit(p.c.title, r.x1-a.x0-6), figure.TextStyle{Font: font, Color: figure.Ink})
	}
	if p.leftOut.any() {
		f.Label(a.x1, r.y1-5, p.leftOut.note(), figure.TextStyle{Font: noteFont, Color: figure.Soft, Anchor: figure.End})
	}
}

func join(title, unit string) string {
	switch {
	case unit == "":
		return title
	case title == "":
		return unit
	}
	return title + " (" + unit + ")"
}

// xLabels writes the labels below the area and returns where they end.
func (p *panel) xLabels(f *figure.Figure, h *scale, style figure.TextStyle, frame figure.Style) float64 {
	a := p.area
	if !h.between {
		style.Anchor = figure.Middle
		for i, t := range h.ticks {
			x := h.at(t)
			f.Line(crisp(x), a.y1, crisp(x), a.y1+4, frame)
			f.Label(x, a.y1+16, h.labels[i], style)
		}
		for _, t := range h.minor {
			x := crisp(h.at(t))
			f.Line(x, a.y1, x, a.y1+2.5, frame)
		}
		return a.y1 + 20
	}
	rows := rowsOf(h.labels, a.w())
	every := 1
	if rows.up {
		// Smaller letters rather than names left out, down to what can be read.
		slot := a.w() / float64(len(h.labels))
		style.Font.Size = math.Max(8, math.Min(style.Font.Size, slot-1.5))
		every = max(1, int(math.Ceil((style.Font.Size+1.5)/slot)))
	}
	for i, t := range h.ticks {
		if i%every != 0 {
			continue
		}
		x := h.at(t)
		if rows.up {
			style.Up, style.Anchor = true, figure.End
			f.Label(x+4*style.Font.Size/tickFont.Size, a.y1+6, rows.wrapped[i][0], style)
			continue
		}
		style.Anchor = figure.Middle
		for k, s := range rows.wrapped[i] {
			f.Label(x, a.y1+16+14*float64(k), s, style)
		}
	}
	return a.y1 + 6 + rows.height
}

// yLabels writes the labels on the left of the area.
func (p *panel) yLabels(f *figure.Figure, v *scale, style figure.TextStyle, frame figure.Style, r rect) {
	a := p.area
	style.Anchor = figure.End
	every := 1
	if v.between {
		every = max(1, int(math.Ceil(12*float64(len(v.labels))/a.h())))
	}
	for i, t := range v.ticks {
		if i%every != 0 {
			continue
		}
		y := v.at(t)
		if !v.between {
			f.Line(a.x0-4, crisp(y), a.x0, crisp(y), frame)
		}
		f.Label(a.x0-7, y+4, tickFont.Fit(v.labels[i], r.w()*0.35), style)
	}
	for _, t := range v.minor {
		y := crisp(v.at(t))
		f.Line(a.x0-2.5, y, a.x0, y, frame)
	}
}
