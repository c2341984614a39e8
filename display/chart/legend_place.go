package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// legendPlace is where a legend is.
type legendPlace string

// The places of a legend: beside the axes, above or below them, and in a corner inside of them.
const (
	legendRight  legendPlace = "right"
	legendTop    legendPlace = "top"
	legendBottom legendPlace = "bottom"
	legendBest   legendPlace = "best"
)

// corners are the places inside of the axes, in the order in which "best" tries them.
var corners = []legendPlace{"upper right", "upper left", "lower left", "lower right"}

// inside reports whether the legend is inside of the axes.
func (p legendPlace) inside() bool { return p == legendBest || slices.Contains(corners, p) }

// level reports whether the entries of the legend are side by side.
func (p legendPlace) level() bool { return p == legendTop || p == legendBottom }

// LegendAt sets the place of the legend: "right" of the axes (the default), "top", "bottom", or
// inside of the axes at the "upper left", "upper right", "lower left" or "lower right". "best" is
// the corner where the legend covers the fewest points. Panels have one legend beside, above or
// below them.
func (c *Chart) LegendAt(place string) *Chart {
	p := legendPlace(place)
	if p != legendRight && !p.level() && !p.inside() {
		c.setErr(fmt.Errorf("chart.LegendAt: the place must be right, top, bottom, best, %s, got %q; leave the legend out with NoLegend", strings.Replace(listOf(corners), " and ", " or ", 1), place))
		return c
	}
	c.legendPlace = p
	return c
}

func listOf(places []legendPlace) string {
	var names []string
	for _, p := range places {
		names = append(names, string(p))
	}
	return list(names)
}

// LegendOrder sets the order of the entries of the legend by their names. It must have all names of
// the legend, and changes neither colors nor the order in which marks are drawn.
func (c *Chart) LegendOrder(names ...string) *Chart { c.legendOrder = names; return c }

// inLegendOrder puts entries into the order of LegendOrder; the sizes of points stay last.
func (l *legend) inLegendOrder(names []string) {
	place := func(e entry) int {
		if k := slices.Index(names, e.name); k >= 0 && e.size == 0 {
			return k
		}
		return len(names)
	}
	slices.SortStableFunc(l.entries, func(a, b entry) int { return place(a) - place(b) })
}

// checkLegend returns an error for options of a legend that the chart does not have.
func (p *panel) checkLegend() error {
	c := p.c
	option, instead := "LegendAt", ""
	switch {
	case c.legendOrder != nil:
		option = "LegendOrder"
	case c.legendPlace == "":
		return nil
	}
	switch {
	case c.direct:
		instead = "DirectLabels writes the names at the lines"
	case len(c.marks) > 0 && slices.ContainsFunc(p.asked, func(m mark) bool { return m.right }):
		instead = "the colors of the axes name the series"
	case c.noLegend:
		instead = "NoLegend leaves it out"
	case !p.xe.anything && !p.ye.anything:
		return nil // there is nothing to draw
	case p.legend.empty():
		instead = "name marks with Name or By"
	case p.legend.bar != nil:
		return fmt.Errorf("chart.%s: the colors show numbers, and their color bar is on the right; leave %[1]s out (possible for: charts of names and classes)", option)
	}
	if instead != "" {
		return fmt.Errorf("chart.%s: the chart has no legend: %s; leave %[1]s out", option, instead)
	}
	return nil
}

// checkOrder returns an error if the names of LegendOrder are not the names of the legend.
func (l legend) checkOrder(order []string) error {
	if order == nil || l.empty() {
		return nil
	}
	var names []string
	for _, e := range l.entries {
		if e.size == 0 && !slices.Contains(names, e.name) {
			names = append(names, e.name)
		}
	}
	if l.more > 0 {
		return fmt.Errorf("chart.LegendOrder: the legend must have at most %d names to be ordered", maxEntries)
	}
	_, _, err := renamed("LegendOrder", "the names of the legend", names, order, true)
	if err == nil && len(names) < 2 {
		return errors.New("chart.LegendOrder: the legend has one name; leave LegendOrder out")
	}
	return err
}

// Distances of a legend above, below or inside of the axes.
const (
	entryGap   = 16 // between entries side by side
	levelGap   = 8  // between the axes and a legend above or below them
	cornerGap  = 8  // between a corner and the legend in it
	frameInset = 6  // between the frame of a legend and its entries
)

// entryWidth returns the width of an entry.
func (e entry) entryWidth() float64 {
	return e.indent() + math.Min(widestEntry, tickFont.Width(e.name))
}

// flow arranges the entries side by side, in as many rows as the width needs. It returns the
// number of entries in a row, the positions of the entries, of the text about omitted entries, and
// the height of all rows.
func (l legend) flow(width float64) (columns int, at []figure.Point, height float64) {
	head := 0.0
	if l.title != "" {
		head = headFont.Width(l.title) + entryGap
	}
	step := float64(entryHeight)
	widths := make([]float64, 0, len(l.entries)+1)
	for _, e := range l.entries {
		widths = append(widths, e.entryWidth())
		step = math.Max(step, 2*e.size+4)
	}
	if l.more > 0 {
		widths = append(widths, 24+tickFont.Width(l.rest()))
	}
	n := len(widths)
	all := head + entryGap*float64(n-1)
	widest := 0.0
	for _, w := range widths {
		all, widest = all+w, math.Max(widest, w)
	}
	columns = n
	if all > width {
		columns = max(1, min(n, int((width-head+entryGap)/(widest+entryGap))))
	}
	x := head
	for i, w := range widths {
		if i%columns == 0 {
			x = head
		}
		at = append(at, figure.Point{X: x, Y: step * float64(i/columns)})
		if columns < n {
			w = widest
		}
		x += w + entryGap
	}
	return columns, at, step * math.Ceil(float64(n)/float64(columns))
}

// drawLevel draws the legend side by side from its upper left corner.
func (l legend) drawLevel(f *figure.Figure, x, y, width float64) {
	_, at, _ := l.flow(width)
	step := float64(entryHeight)
	for _, e := range l.entries {
		step = math.Max(step, 2*e.size+4)
	}
	if l.title != "" {
		f.Label(x, y+step/2+labelMiddle, l.title, figure.TextStyle{Font: headFont, Color: figure.Ink()})
	}
	names := make([]string, len(l.entries))
	for i, e := range l.entries {
		names[i] = e.name
	}
	names = shortened(names, widestEntry)
	for i, e := range l.entries {
		e.name = names[i]
		e.draw(f, x+at[i].X, y+at[i].Y+step/2)
	}
	if l.more > 0 {
		q := at[len(at)-1]
		f.Label(x+q.X+24, y+q.Y+step/2+labelMiddle, l.rest(), figure.TextStyle{Font: tickFont, Color: figure.Soft()})
	}
}

// height returns the height of a legend whose entries are below each other.
func (l legend) height() float64 {
	h := 4.0
	if l.title != "" {
		h += headHeight
	}
	n := 0
	for i, e := range l.entries {
		if l.rows > 0 && i >= l.rows {
			break
		}
		h += math.Max(orElse(l.step, entryHeight), 2*e.size+4)
		n++
	}
	if l.more > 0 && (l.rows == 0 || n < l.rows) {
		h += entryHeight
	}
	return h
}

// levelWidth returns the width for a legend above or below the axes of a panel.
func (p *panel) levelWidth(r rect) float64 { return math.Max(120, r.w()-90) }

// levelRoom returns the height that a legend above or below the axes needs.
func (p *panel) levelRoom(r rect) float64 {
	if p.hideLegend || p.legend.empty() || !p.legend.place.level() {
		return 0
	}
	_, _, height := p.legend.flow(p.levelWidth(r))
	return height + levelGap
}

// legendBox returns the rectangle of a legend inside of the axes.
func (p *panel) legendBox() rect {
	l, a := p.legend, p.area
	w, h := l.width()-18+2*frameInset, l.height()+2*frameInset-4
	in := func(place legendPlace) rect {
		r := rect{a.x0 + cornerGap, a.y0 + cornerGap, a.x0 + cornerGap + w, a.y0 + cornerGap + h}
		if strings.HasSuffix(string(place), "right") {
			r.x0, r.x1 = a.x1-cornerGap-w, a.x1-cornerGap
		}
		if strings.HasPrefix(string(place), "lower") {
			r.y0, r.y1 = a.y1-cornerGap-h, a.y1-cornerGap
		}
		return r
	}
	if l.place != legendBest {
		return in(l.place)
	}
	best, fewest := legendPlace(""), math.MaxInt
	drawn := p.drawnPoints()
	for _, place := range corners {
		n := 0
		for _, q := range drawn {
			if in(place).contains(q.X, q.Y) {
				n++
			}
		}
		if n < fewest {
			best, fewest = place, n
		}
	}
	p.legend.place = best
	return in(best)
}

// drawLegend draws the legend of a panel at its place.
func (p *panel) drawLegend(f *figure.Figure, r rect) {
	l := &p.legend
	if p.hideLegend || l.empty() {
		return
	}
	switch {
	case l.place == legendTop:
		l.drawLevel(f, p.area.x0, p.area.y0-p.levelRoom(r), p.levelWidth(r))
	case l.place == legendBottom:
		note := noteLine * float64(len(p.noteLines(r)))
		l.drawLevel(f, p.area.x0, r.y1-4-note-p.levelRoom(r)+levelGap, p.levelWidth(r))
	case l.place.inside():
		b := p.legendBox()
		f.Rect(b.x0, b.y0, b.w(), b.h(), 3, figure.Style{Fill: figure.Opacity(figure.Paper(), 0.85), Stroke: figure.Faint(), Width: 0.8})
		l.draw(f, b.x0+frameInset, b.y0+frameInset-4, b.h())
	default:
		l.draw(f, p.area.x1+14, p.area.y0, p.area.h())
	}
}

// placeLegend adds the place of the legend to a legend of Vega-Lite.
func (v *vegaPanel) placeLegend(l object) object {
	place := v.legend.place
	switch {
	case place.level():
		columns, _, _ := v.legend.flow(math.Max(v.area.w(), v.across))
		l["orient"], l["columns"], l["direction"], l["titleOrient"] = string(place), columns, "horizontal", "left"
	case place.inside():
		if place == legendBest {
			v.legendBox()
			place = v.legend.place
		}
		l["orient"] = strings.NewReplacer("upper", "top", "lower", "bottom", " ", "-").Replace(string(place))
		l["fillColor"], l["padding"], l["cornerRadius"] = guide.PagePaper, frameInset, 3
	}
	return l
}
