package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Panels is several charts in one figure.
type Panels struct {
	charts      []*Chart
	single      bool
	title       string
	subtitle    string
	xTitle      string // title of all panels, instead of their own
	yTitle      string
	cols        int
	wide, high  []float64 // relative widths of columns and heights of rows; nil if they are equal
	w, h        float64
	share       bool
	interactive bool
	alt         string
	err         error

	faceted               bool     // the panels show parts of one chart
	rowNames, columnNames []string // names of a table of panels
}

// Grid arranges charts in rows of three; Cols sets another number. Axes with the same
// title have the same range.
func Grid(charts ...*Chart) *Panels {
	p := &Panels{charts: charts}
	for i, c := range charts {
		if c == nil && p.err == nil {
			p.err = fmt.Errorf("chart.Grid: chart %d is nil", i+1)
		}
	}
	return p
}

// Title sets the title above all panels.
func (p *Panels) Title(s string) *Panels { p.title = guide.Typeset(s); return p }

// Titlef sets the title above all panels from a format, as [fmt.Sprintf] does.
func (p *Panels) Titlef(format string, args ...any) *Panels {
	return p.Title(fmt.Sprintf(format, args...))
}

// Subtitle sets a text of smaller letters below the title above all panels.
func (p *Panels) Subtitle(s string) *Panels { p.subtitle = guide.Typeset(s); return p }

// X sets one title for the x axes of all panels; it replaces the titles that the charts set.
func (p *Panels) X(title string) *Panels { p.xTitle = guide.Typeset(title); return p }

// Y sets one title for the y axes of all panels; it replaces the titles that the charts set.
func (p *Panels) Y(title string) *Panels { p.yTitle = guide.Typeset(title); return p }

// Cols sets the number of panels per row.
func (p *Panels) Cols(n int) *Panels {
	if n < 1 && p.err == nil {
		p.err = fmt.Errorf("chart.Cols: a row must have at least 1 panel, got %d", n)
	}
	p.cols = n
	return p
}

// Widths sets the relative widths of the columns, one number per column: with Widths(2, 1), the
// first column is twice as wide as the second one.
func (p *Panels) Widths(shares ...float64) *Panels {
	p.wide = p.shares("Widths", shares)
	return p
}

// Heights sets the relative heights of the rows, one number per row.
func (p *Panels) Heights(shares ...float64) *Panels {
	p.high = p.shares("Heights", shares)
	return p
}

// shares checks relative sizes.
func (p *Panels) shares(option string, shares []float64) []float64 {
	for _, s := range shares {
		if !(s > 0) && p.err == nil || math.IsInf(s, 0) {
			p.err = fmt.Errorf("chart.%s: the relative sizes must be positive, got %v", option, shares)
		}
	}
	if len(shares) == 0 && p.err == nil {
		p.err = fmt.Errorf("chart.%s: there are no relative sizes; give one per row or column", option)
	}
	return shares
}

// checkLayout returns an error if the relative sizes do not fit the rows and columns, or if the
// subtitle has no title.
func (p *Panels) checkLayout() error {
	if len(p.charts) == 0 {
		return nil
	}
	rows, cols := p.layout()
	switch {
	case p.subtitle != "" && p.title == "":
		return errors.New("chart.Subtitle: a subtitle needs a title; call Title, too")
	case p.wide != nil && len(p.wide) != cols:
		return fmt.Errorf("chart.Widths: there must be %d relative widths, one per column, got %d", cols, len(p.wide))
	case p.high != nil && len(p.high) != rows:
		return fmt.Errorf("chart.Heights: there must be %d relative heights, one per row, got %d", rows, len(p.high))
	}
	return nil
}

// part returns the proportion of part i of n.
func part(shares []float64, i, n int) float64 {
	if shares == nil {
		return 1 / float64(n)
	}
	return shares[i] / total(shares)
}

// Size sets the width and height of the whole figure in CSS pixels.
func (p *Panels) Size(w, h float64) *Panels { p.w, p.h = w, h; return p }

// SizeCM sets the width and height of the whole figure in centimeters, as [Chart.SizeCM] does.
func (p *Panels) SizeCM(w, h float64) *Panels {
	if p.err == nil {
		p.err = inCM(w, h)
	}
	return p.Size(w*pixelsPerCM, h*pixelsPerCM)
}

// Share makes all panels share the ranges of their axes.
func (p *Panels) Share() *Panels { p.share = true; return p }

// Interactive adds a Vega-Lite version with tooltips and zoom.
func (p *Panels) Interactive() *Panels { p.interactive = true; return p }

// Display renders the panels.
func (p *Panels) Display() (display.Bundle, error) {
	f, err := p.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	b, err := f.Display()
	if err != nil {
		return b, err
	}
	if p.wantsVega() {
		spec, err := p.VegaLite()
		if err != nil {
			return display.Bundle{}, err
		}
		b.Data[display.MIMEVegaLite] = spec
	}
	return b, nil
}

func (p *Panels) wantsVega() bool {
	for _, c := range p.charts {
		if c.interactive {
			return true
		}
	}
	return p.interactive
}

func (p *Panels) layout() (rows, cols int) {
	n := len(p.charts)
	cols = p.cols
	if p.rowNames != nil {
		cols = len(p.columnNames)
	}
	if cols <= 0 {
		cols = len(p.wide)
	}
	if cols <= 0 {
		cols = min(n, 3)
		if n == 4 {
			cols = 2
		}
	}
	cols = min(cols, n)
	return (n + cols - 1) / cols, cols
}

// Figure draws the panels without rendering them to a format.
func (p *Panels) Figure() (*figure.Figure, error) {
	panels, err := p.panels()
	if err != nil {
		return nil, err
	}
	l := p.arrange(panels)
	if p.rowNames != nil {
		return p.table(panels, l)
	}
	f := figure.New(l.w, l.h)
	if !p.single && p.title != "" {
		titled(f, p.title, p.subtitle)
		f.Text = withTitle(p.title, p.subtitle) + "\n\n"
	}
	if err := p.draw(f, panels, l); err != nil {
		return nil, err
	}
	if p.single && p.charts[0].w <= 0 {
		panels[0].trim(f)
	}
	f.Title, f.Desc = p.describe(panels)
	return f, nil
}

// panels makes the panels and gives them the ranges that they share.
func (p *Panels) panels() ([]*panel, error) {
	if p.err != nil {
		return nil, p.err
	}
	if len(p.charts) == 0 {
		return nil, errors.New("chart.Grid: there are no charts")
	}
	if err := p.checkLayout(); err != nil {
		return nil, err
	}
	panels := make([]*panel, len(p.charts))
	for i, c := range p.charts {
		q, err := newPanel(c)
		if err != nil {
			if !p.single {
				err = fmt.Errorf("panel %d: %w", i+1, err)
			}
			return nil, err
		}
		q.inner = !p.single
		if p.faceted && q.legend.place.inside() {
			return nil, errors.New("chart.LegendAt: panels share a legend, which is not inside of their axes; choose right, top or bottom")
		}
		if p.single && c.legendAsked && !c.noLegend && !q.c.noLegend && q.legend.empty() && len(q.direct) == 0 && !q.nothing && q.second == nil && len(q.c.marks) > 0 && (q.xe.anything || q.ye.anything) {
			return nil, errors.New("chart.Legend: a title needs a legend, and the chart has none; name its marks with Name, or omit Legend")
		}
		if !p.faceted {
			if err := q.legend.checkOrder(c.legendOrder); err != nil {
				return nil, err
			}
		}
		panels[i] = q
	}
	if p.faceted && len(panels) > 0 {
		return panels, oneLegend(panels).checkOrder(p.charts[0].legendOrder)
	}
	return panels, nil
}

// legendSide is the distance of a legend above or below panels from the sides of the figure.
const legendSide = 14

// titleHeight is the room for the title of an axis of several panels.
const titleHeight = 24

// arrangement holds the positions of panels in their figure.
type arrangement struct {
	rows, cols     int
	wide, high     []float64 // relative sizes
	shareX, shareY bool
	w, h           float64 // size of the figure
	inside         rect    // the part of the figure that the panels fill
	legend         legend  // legend for all panels
	common         bool    // there is one
	legendY        float64 // its top, above or below the panels
	first          float64 // how much wider the first column is than the others
	lowest         float64 // how much higher the last row is than the others
}

// arrange decides the rows and columns, what they share, and the size of the figure.
func (p *Panels) arrange(panels []*panel) *arrangement {
	l := &arrangement{w: p.w, h: p.h, wide: p.wide, high: p.high}
	l.rows, l.cols = p.layout()
	l.shareX, l.shareY = p.shared(panels)
	unite(panels, l.shareX, l.shareY)
	if p.faceted {
		uniteColors(panels)
	}
	if p.single {
		l.w, l.h = p.charts[0].size()
		l.inside = rect{0, 0, l.w, l.h}
		return l
	}
	if l.h <= 0 {
		l.h = float64(l.rows) * 250
	}
	if p.title != "" {
		w := l.w
		if w <= 0 {
			w = math.Min(820, float64(l.cols)*300)
		}
		l.inside.y0 = 30 + guide.TitleMore(p.title, w) + subtitleHeight(p.subtitle, w)
	}
	if p.yTitle != "" {
		l.inside.x0 = titleHeight
	}
	legendWidth, legendHeight := 0.0, 0.0
	l.legend, l.common = sameLegend(panels)
	if p.faceted {
		l.legend = oneLegend(panels)
		l.common = !l.legend.empty()
	}
	if l.common {
		if l.legend.place.level() {
			w := l.w
			if w <= 0 {
				w = math.Min(820, float64(l.cols)*300+l.inside.x0)
			}
			_, _, legendHeight = l.legend.flow(w - 2*legendSide)
		} else {
			l.legend.fit(l.h - l.inside.y0 - 40)
			legendWidth = l.legend.width()
		}
		for _, q := range panels {
			q.hideLegend = true
		}
	}
	if l.w <= 0 {
		// Three panels fit beside the side bar of a notebook.
		l.w = math.Min(820, float64(l.cols)*300+l.inside.x0+legendWidth)
	}
	l.inside.x1, l.inside.y1 = l.w-legendWidth, l.h
	switch {
	case legendHeight == 0:
	case l.legend.place == legendTop:
		l.legendY = l.inside.y0 + 6
		l.inside.y0 += legendHeight + levelGap
	default:
		l.legendY = l.h - legendHeight - 4
		l.inside.y1 -= legendHeight + levelGap
	}
	if p.xTitle != "" {
		l.inside.y1 -= titleHeight
	}
	return l
}

// cell returns the position of the i-th panel.
func (l *arrangement) cell(i int) rect {
	k, row := i%l.cols, i/l.cols
	left, y := l.inside.x0+l.first, l.inside.y0
	for j := range k {
		left += (l.inside.w() - l.first) * part(l.wide, j, l.cols)
	}
	for j := range row {
		y += (l.inside.h() - l.lowest) * part(l.high, j, l.rows)
	}
	right := left + (l.inside.w()-l.first)*part(l.wide, k, l.cols)
	ch := (l.inside.h() - l.lowest) * part(l.high, row, l.rows)
	if k == 0 {
		left = l.inside.x0
	}
	if row == l.rows-1 {
		return rect{left, y, right, l.inside.y1}
	}
	return rect{left, y, right, y + ch}
}

// draw draws the panels and what they share.
func (p *Panels) draw(f *figure.Figure, panels []*panel, l *arrangement) error {
	if err := p.prepare(panels, l); err != nil {
		return err
	}
	l.align(panels)
	for i, q := range panels {
		q.draw(f, l.cell(i))
		if i > 0 {
			f.Text += "\n\n"
		}
		f.Text += q.text()
	}
	p.titles(f, panels, l)
	switch {
	case l.common && l.legend.place.level():
		l.legend.drawLevel(f, legendSide, l.legendY, l.w-2*legendSide)
	case l.common:
		l.legend.draw(f, l.inside.x1+4, l.inside.y0+28, l.h-l.inside.y0-40)
	}
	return nil
}

// prepare decides what each panel shows of its axes.
func (p *Panels) prepare(panels []*panel, l *arrangement) error {
	last := (l.rows - 1) * l.cols // the first panel of the last row
	for i, q := range panels {
		q.hideXLabels = l.shareX && i+l.cols < len(panels)
		// A panel above an empty cell is as large as the panels beside it.
		q.hangX = l.shareX && !q.hideXLabels && i < last
		q.unitBelow = p.share && l.shareX && i >= last && len(panels)-last > 1
		q.hideXTitle, q.hideYTitle = q.unitBelow || p.xTitle != "", p.yTitle != ""
		q.hideYLabels = l.shareY && i%l.cols > 0
		if err := q.measure(); err != nil {
			return err
		}
	}
	return nil
}

// align makes the panels of a row equally high, and the panels of a grid with common heights
// equally wide.
func (l *arrangement) align(panels []*panel) {
	if len(panels) < 2 {
		return
	}
	// Labels that only the first column has must not make its areas smaller.
	if l.shareY && l.cols > 1 {
		r := l.cell(0)
		panels[0].place(r)
		panels[1].place(r)
		l.first = math.Max(0, panels[0].area.x0-panels[1].area.x0)
	}
	// The same holds for labels that only the last row has. Their height depends on the position.
	for range 3 {
		below := make([]float64, l.rows)
		for i, q := range panels {
			q.place(l.cell(i))
			below[i/l.cols] = math.Max(below[i/l.cols], q.margins.bottom)
		}
		last := l.rows - 1
		if !l.shareX || last == 0 {
			break
		}
		l.lowest = math.Max(0, below[last]-slices.Max(below[:last]))
	}
	for start := 0; start < len(panels); start += l.cols {
		row := panels[start:min(len(panels), start+l.cols)]
		var most margins
		for _, q := range row {
			most.top, most.bottom = math.Max(most.top, q.margins.top), math.Max(most.bottom, q.margins.bottom)
		}
		for _, q := range row {
			q.least = most
		}
	}
}

// titles writes the titles that several panels share.
func (p *Panels) titles(f *figure.Figure, panels []*panel, l *arrangement) {
	style := figure.TextStyle{Font: axisFont, Color: figure.Ink(), Anchor: figure.Middle}
	first, last := panels[(l.rows-1)*l.cols], panels[len(panels)-1]
	left := first.area.x0
	if p.xTitle != "" {
		right := panels[min(len(panels), l.cols)-1].area.x1
		f.Label((left+right)/2, l.inside.y1+11, axisFont.Fit(p.xTitle, l.inside.w()), style)
	}
	if last.unitBelow {
		h, _ := last.scales()
		title := last.h.label()
		if p.xTitle != "" {
			title = ""
		}
		f.Label((left+last.area.x1)/2, last.titleY, axisFont.Fit(join(title, h.unit), l.inside.w()), style)
	}
	if p.yTitle != "" {
		style.Up = true
		f.Label(19, (panels[0].area.y0+last.area.y1)/2, axisFont.Fit(p.yTitle, l.inside.h()), style)
	}
}

// trim cuts off the empty right part of a chart that keeps its aspect ratio.
func (p *panel) trim(f *figure.Figure) {
	if p.second != nil {
		return // its axis is on the right
	}
	end := p.area.x1 + math.Max(12, p.directWidth())
	switch {
	case p.legend.empty() || p.legend.place.inside():
	case p.legend.place.level():
		for i, e := range p.legend.entries {
			_, at, _ := p.legend.flow(p.levelWidth(p.rect))
			end = math.Max(end, p.area.x0+at[i].X+e.entryWidth()+12)
		}
	default:
		end = p.area.x1 + 14 + p.legend.width()
	}
	h, _ := p.scales()
	if !h.between && !p.h.hidden {
		for i, label := range h.labels {
			end = math.Max(end, h.at(h.ticks[i])+tickFont.Width(label)/2+4)
		}
	}
	for _, s := range p.titleLines(titleFont) {
		end = math.Max(end, p.area.x0+titleFont.Width(s)+12)
	}
	for _, s := range p.subtitleLines() {
		end = math.Max(end, p.area.x0+tickFont.Width(s)+12)
	}
	f.W = math.Min(f.W, math.Ceil(end))
}

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (p *Panels) Save(path string) error { return figure.Save(p, path) }

// SaveDPI writes the figure to a PNG file with the given number of pixels per inch, as
// [Chart.SaveDPI] does.
func (p *Panels) SaveDPI(path string, dpi float64) error { return figure.SaveDPI(p, path, dpi) }

// shared reports which axes have the same range in all panels.
func (p *Panels) shared(panels []*panel) (x, y bool) {
	if len(panels) < 2 {
		return false, false
	}
	x, y = true, true
	for _, q := range panels {
		a, b := panels[0], q
		x = x && alike(a.h, b.h, p.share)
		y = y && alike(a.v, b.v, p.share)
	}
	return x, y
}

// alike reports whether two axes can share a range.
func alike(a, b *axis, asked bool) bool {
	if a.fixed != b.fixed || a.fixed && (a.lo != b.lo || a.hi != b.hi) || a.log != b.log || a.symlog != b.symlog || a.reverse != b.reverse || a.times != b.times || len(a.levels) != len(b.levels) {
		return false
	}
	if a.base != b.base || !slices.Equal(a.chosen, b.chosen) || !slices.Equal(a.texts, b.texts) || !a.format.equal(b.format) {
		return false // one panel has the labels of all
	}
	for i := range a.levels {
		if a.levels[i] != b.levels[i] {
			return false
		}
	}
	return asked || a.title == b.title && a.title != ""
}

// unite sets the ranges that the panels share.
func unite(panels []*panel, x, y bool) {
	join := func(get func(*panel) *extent) {
		all := newExtent()
		for _, q := range panels {
			e := get(q)
			if e.anything {
				all.cover(e.lo, math.Inf(1), e.padLo)
				all.cover(math.Inf(-1), e.hi, e.padHi)
			}
		}
		for _, q := range panels {
			*get(q) = all
		}
	}
	if x {
		join((*panel).ex)
	}
	if y {
		join((*panel).ey)
	}
	if y && panels[0].second != nil && !slices.ContainsFunc(panels, func(q *panel) bool { return q.second == nil }) {
		join(func(q *panel) *extent { return &q.second.ye })
	}
}
