package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/stat"
)

// histKind is the kind of marks that show a histogram.
type histKind struct{ basic }

var hist kind = &histKind{basic{traits{
	name: "histogram", chart: "histogram", part: "histograms",
	options: "Name Color ClassColor Opacity Bins BinEdges ByClass",
	series:  true, cycles: true, unpaired: true,
}}}

// Hist adds a histogram of the values. Several histograms of a chart share their
// bins, whose number Bins sets. Names are counted.
func (c *Chart) Hist(values any) *Chart {
	col, err := c.column("Hist", "values", values)
	if err != nil {
		c.fail(err)
		return c
	}
	if col.levels != nil {
		return c.Bars(values)
	}
	c.nameHeights()
	return c.add(mark{kind: hist, x: c.x.take(col)})
}

// Hist draws a histogram of numbers or names: Hist(values), or Hist(f, "x") for a
// column of a frame; several columns share the bins.
func Hist(values ...any) *Chart {
	c, columns := dataOf(values)
	if len(columns) == 0 {
		c.fail(errors.New("chart.Hist: no values; give a slice, or a frame and the name of a column"))
		return c
	}
	for _, v := range columns {
		c.Hist(v)
		if name, ok := v.(string); ok && len(columns) > 1 {
			c.Name(name)
		}
	}
	if len(columns) > 1 {
		c.x.defaultTitle = ""
	}
	return c
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
			stat.Sort(sample)
			all = append(all, sample...)
			n = max(n, m.est.bins)
		}
		p.samples = append(p.samples, sample)
	}
	if p.c.ownEdges != nil {
		if err := p.checkEdges(n); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	stat.Sort(all)
	if p.c.ownEdges != nil {
		p.useEdges(all)
		return nil
	}
	if p.c.edges != nil {
		p.edges = p.c.edges
		return nil
	}
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

// checkEdges returns an error if the edges that the user chose do not fit the chart.
func (p *panel) checkEdges(bins int) error {
	c := p.c
	switch {
	case bins > 0:
		return errors.New("chart.BinEdges: Bins already sets the number of bins; leave Bins or BinEdges out")
	case c.edgesUnit != c.x.unit():
		return fmt.Errorf("chart.BinEdges: the edges must be %s, as the values, and not %s", c.x.unit(), c.edgesUnit)
	case c.x.log && c.ownEdges[0] <= 0:
		return fmt.Errorf("chart.BinEdges: a logarithmic axis cannot show the edge %g; give positive edges", c.ownEdges[0])
	}
	return nil
}

// useEdges bins sorted values by the edges that the user chose, and notes what they leave out.
func (p *panel) useEdges(all []float64) {
	p.edges = p.c.ownEdges
	first, last := p.edges[0], p.edges[len(p.edges)-1]
	n := 0
	for _, x := range all {
		if x < first || x > last {
			n++
		}
	}
	if n > 0 {
		p.leftOut.add(leftOut{notes: []string{guide.Plural(n, "value lies outside of the bins", "values lie outside of the bins")}})
	}
	if p.c.density || p.c.cumulative {
		return
	}
	width := p.edges[1] - p.edges[0]
	for i := range p.edges[1:] {
		if w := p.edges[i+1] - p.edges[i]; !p.c.x.log && math.Abs(w-width) > 1e-6*width {
			p.leftOut.add(leftOut{notes: []string{"the bins differ in width, and their heights are counts"}})
			return
		}
	}
}

// counts returns the number of values in each bin, without the values outside of the bins. The last
// edge of computed bins can be rounded to less than the largest value, which they hold, too.
func (p *panel) counts(sample []float64) []float64 {
	if edges := p.c.ownEdges; edges != nil {
		sample = slices.DeleteFunc(slices.Clone(sample), func(x float64) bool { return x < edges[0] || x > edges[len(edges)-1] })
	}
	return countBins(sample, p.edges)
}

// heights returns the heights of the bins of a histogram.
func (p *panel) heights(sample []float64) []float64 {
	counts := p.counts(sample)
	all := total(counts)
	for i := range counts {
		switch {
		case p.c.cumulative:
			if i > 0 {
				counts[i] += counts[i-1]
			}
		case p.c.density && all > 0:
			counts[i] /= all * (p.edges[i+1] - p.edges[i])
		}
	}
	for i := range counts {
		if p.c.cumulative && p.c.density && all > 0 {
			counts[i] /= all
		}
	}
	return counts
}

// histogram draws the bars of the i-th mark over the edges that all histograms share.
func (p *panel) histogram(f *figure.Figure, m *mark, i int, color figure.Color) {
	if len(p.samples[i]) == 0 {
		return
	}
	a := orElse(m.alpha, 1)
	several := m.alpha == 0 && p.histograms() > 1
	if several {
		a = 0.35
	}
	base := 0.0
	if p.c.y.log {
		base = p.y.lo
	}
	for k, h := range p.heights(p.samples[i]) {
		if h > 0 {
			style := figure.Style{Fill: figure.Opacity(color, a)}
			if p.wide(p.edges[k], p.edges[k+1]) {
				style.Stroke, style.Width = figure.Paper(), 0.7
			}
			p.bar(f, p.edges[k], p.edges[k+1], base, h, style)
		}
	}
	if several && i == p.lastHistogram() {
		p.outlines(f, base)
	}
}

// outlines draws the borders of several histograms over all of them, so that each can be
// followed where others cover it.
func (p *panel) outlines(f *figure.Figure, base float64) {
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if m.kind != hist || len(p.samples[i]) == 0 {
			continue
		}
		var xs, ys []float64
		heights := p.heights(p.samples[i])
		for k, h := range heights {
			h = math.Max(h, base)
			before := base
			if k > 0 {
				before = math.Max(base, heights[k-1])
			}
			switch {
			case h == base && before == base:
				continue
			case h == base:
				xs, ys = append(xs, p.edges[k], math.NaN()), append(ys, base, math.NaN())
				continue
			case before == base:
				xs, ys = append(xs, p.edges[k]), append(ys, base)
			}
			xs, ys = append(xs, p.edges[k], p.edges[k+1]), append(ys, h, h)
		}
		if last := len(heights) - 1; heights[last] > base {
			xs, ys = append(xs, p.edges[last+1]), append(ys, base)
		}
		p.polyline(f, p.pts(xs, ys), figure.Style{Stroke: m.colorOf(p.order(i)), Width: 1.5, Dash: dashes[m.dashes(p.order(i))]})
	}
}

// lastHistogram returns the index of the histogram that is drawn last.
func (p *panel) lastHistogram() int {
	last := 0
	for i, m := range p.c.marks {
		if m.kind == hist && len(p.samples[i]) > 0 {
			last = i
		}
	}
	return last
}

func (p *panel) histograms() int {
	n := 0
	for _, m := range p.c.marks {
		if m.kind == hist {
			n++
		}
	}
	return n
}

// binEdges returns the edges of the common bins of samples. If n is 0, the bins have the width of
// the rule of D. Freedman and P. Diaconis ("On the histogram as a density estimator", 1981) or of
// H. Sturges (1926), whichever is narrower. The bins of the first rule hide the shape of few values
// in several groups.
func binEdges(sorted []float64, n int) []float64 {
	lo, hi := sorted[0], sorted[len(sorted)-1]
	if lo == hi {
		half := math.Max(0.5, math.Abs(lo)*1e-3)
		if n <= 0 {
			n = 1
		}
		lo, hi = lo-half, hi+half
	} else if n <= 0 {
		count := float64(len(sorted))
		width := 2 * (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / math.Cbrt(count)
		n = int(math.Ceil(math.Log2(count))) + 1
		if width > 0 {
			n = max(n, int(math.Ceil(math.Min((hi-lo)/width, 200))))
		}
		n = max(n, 5)
		// If the data are whole numbers in a small range, each number has a centered bin.
		whole := hi-lo <= 40
		for _, x := range sorted {
			if whole = whole && x == math.Trunc(x); !whole {
				break
			}
		}
		if whole {
			lo, hi = lo-0.5, hi+0.5
			n = int(hi - lo)
		}
	}
	edges := make([]float64, n+1)
	for i := range edges {
		edges[i] = lo + (hi-lo)*float64(i)/float64(n)
	}
	return edges
}

// countBins counts sorted values in bins that include their lower edge; the last bin also includes
// its upper edge.
func countBins(sorted, edges []float64) []float64 {
	counts := make([]float64, len(edges)-1)
	b := 0
	for _, x := range sorted {
		for b < len(counts)-1 && x >= edges[b+1] {
			b++
		}
		counts[b]++
	}
	return counts
}

// histLayer adds the bars of the i-th mark, a histogram.
func (v *vegaPanel) histLayer(m *mark, i int, color string, enc object) {
	if len(v.samples[i]) == 0 {
		return
	}
	enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
	base := 0.0
	if v.c.y.log {
		base = v.y.lo
	}
	var rows []any
	for k, h := range v.heights(v.samples[i]) {
		if h > base {
			rows = append(rows, object{"x": position(&v.c.x, v.edges[k]), "x2": position(&v.c.x, v.edges[k+1]), "y": h, "y2": base})
		}
	}
	bar := object{"type": "rect", "color": color, "opacity": orElse(m.alpha, 1), "stroke": guide.PageColor(figure.Paper()), "strokeWidth": 0.5}
	if v.histograms() > 1 && m.alpha == 0 {
		bar["opacity"], bar["fillOpacity"], bar["stroke"], bar["strokeWidth"] = 1, 0.35, color, 1.2
	}
	v.add(rows, bar, enc, v.tip("x", "x").called("from"), v.tip("x2", "x").called("to"), v.tip("y", "y"))
}

// histFinding returns the number of values, their median and the fullest bin.
func (p *panel) histFinding(i int) string {
	sample := p.samples[i]
	if len(sample) == 0 {
		return ""
	}
	top := 0
	h := p.counts(sample)
	for k := range h {
		if p.c.density {
			h[k] /= p.edges[k+1] - p.edges[k]
		}
	}
	for k := range h {
		if h[k] > h[top] {
			top = k
		}
	}
	median := quantile(sample, 0.5)
	if p.c.x.times {
		return fmt.Sprintf("%s, median %s, most between %s and %s", counted(len(sample), "value"), p.whereX(median), p.edge(top), p.edge(top+1))
	}
	at := p.whereXs(median, p.edges[top], p.edges[top+1])
	return fmt.Sprintf("%s, median %s, most between %s and %s", counted(len(sample), "value"), at[0], at[1], at[2])
}

// edge formats an edge of the bins.
func (p *panel) edge(i int) string {
	if !p.c.x.times {
		return short(p.edges[i])
	}
	layout := "2006-01-02"
	if p.edges[1]-p.edges[0] < 2*24*3600 {
		layout += " 15:04"
	}
	return p.c.x.clock().at(p.edges[i]).Format(layout)
}

func (*histKind) prepare(p *panel) error { return p.prepareBins() }

func (*histKind) draw(p *panel, f *figure.Figure, m *mark, i int, l look) {
	p.histogram(f, m, i, l.color)
}

func (*histKind) cover(p *panel, _ *mark, i int) {
	if len(p.samples[i]) == 0 {
		return
	}
	p.xe.cover(p.edges[0], p.edges[len(p.edges)-1], true)
	h := p.heights(p.samples[i])
	if p.c.y.log {
		p.coverY(h, true)
		return
	}
	_, hi := bounds(h)
	p.ye.cover(0, hi, true)
	p.ye.padLo = false
}

func (*histKind) outside(p *panel, _ *mark, i int, in inside) (n int, cut bool) {
	for _, x := range p.samples[i] {
		if !in(&p.x, x) {
			n++
		}
	}
	_, hi := bounds(p.heights(p.samples[i]))
	return n, !p.c.y.log && !in(&p.y, 0) || !in(&p.y, hi)
}

func (*histKind) key(f *figure.Figure, e entry, x, y float64) { keyArea(f, e, x, y) }

func (*histKind) dot(d *dotting, _ *mark, i int) {
	p := d.panel
	if len(p.samples[i]) == 0 {
		return
	}
	for k, h := range p.heights(p.samples[i]) {
		d.polyline([]float64{p.edges[k], p.edges[k], p.edges[k+1], p.edges[k+1]}, []float64{0, h, h, 0})
	}
}

func (*histKind) barLines(p *panel, _ *mark, i int) (names []string, values []float64) {
	if len(p.edges) > 41 || len(p.edges) < 2 {
		return nil, nil
	}
	values = p.heights(p.samples[i])
	for i := range values {
		names = append(names, p.edge(i)+" to "+p.edge(i+1))
	}
	return names, values
}

func (*histKind) finding(p *panel, i int) string { return p.histFinding(i) }

func (*histKind) layer(v *vegaPanel, m *mark, i int, l vegaLook) { v.histLayer(m, i, l.color, l.enc) }
