package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/stat"
)

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
			n = max(n, m.bins)
		}
		p.samples = append(p.samples, sample)
	}
	if len(all) == 0 {
		return nil
	}
	if p.c.edges != nil {
		p.edges = p.c.edges
		return nil
	}
	stat.Sort(all)
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

// heights returns the heights of the bins of a histogram.
func (p *panel) heights(sample []float64) []float64 {
	counts := countBins(sample, p.edges)
	if p.c.density && len(sample) > 0 {
		for i := range counts {
			counts[i] /= float64(len(sample)) * (p.edges[i+1] - p.edges[i])
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

// lastHistogram is the number of the histogram that is drawn last.
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
