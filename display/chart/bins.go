package chart

import (
	"fmt"
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
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
			sort.Float64s(sample)
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

// histogram draws the bars of the i-th mark over the edges that all histograms share.
func (p *panel) histogram(f *figure.Figure, m *mark, i int, color figure.Color) {
	if len(p.samples[i]) == 0 {
		return
	}
	a := orElse(m.alpha, 1)
	if m.alpha == 0 && p.histograms() > 1 {
		a = 0.5
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
