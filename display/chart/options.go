package chart

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// fitting says of an option of marks which kinds take it, what the others lack, and what
// to write instead.
type fitting struct {
	kinds   []kind
	lacks   string
	instead string
}

var (
	drawnLines  = []kind{line, step, errs, contour, rule, polygon, slope, parallel, density, ecdf, regression}
	drawnPoints = []kind{points, strip, swarm, quantiles, regression}
	colored     = []kind{line, points, step, area, bars, hist, errs, box, contour, vectors, texts, rule, polygon, parallel, density, ridges, violin, strip, swarm, ecdf, quantiles, regression}
)

// options are those whose effect depends on the kind of the mark.
var options = map[string]fitting{
	"Name": {[]kind{line, points, step, area, bars, hist, errs, box, contour, vectors, rule, polygon, parallel, density, ridges, violin, strip, swarm, ecdf, quantiles, regression},
		"is not named in the legend", "write Title, Legend or, for classes, Names"},
	"Color":      {colored, "has several colors", "choose them with Scheme, or leave Color out"},
	"ClassColor": {colored, "has several colors", "choose them with Scheme, or leave ClassColor out"},
	"Scheme":     {[]kind{heat, contour, hexbin, plane, points}, "has no colors that stand for numbers", "choose one color with Color"},
	"Radius":     {append([]kind{texts, slope}, drawnPoints...), "has no points", "leave Radius out"},
	"Width":      {append([]kind{points, box, vectors, plane, ridges, violin, quantiles}, drawnLines...), "has no lines", "leave Width out"},
	"Opacity": {[]kind{line, points, step, area, bars, hist, errs, box, contour, vectors, rule, polygon, slope, parallel, density, plane, ridges, violin, strip, swarm, ecdf, quantiles, regression, hexbin},
		"is opaque, since its colors stand for something", "leave Opacity out"},
	"Dashed":      {drawnLines, "has no lines that could be dashed", "leave Dashed out"},
	"Rings":       {[]kind{points, strip, swarm, regression, quantiles}, "has no points", "leave Rings out"},
	"Bins":        {[]kind{hist, hexbin}, "has no bins", "leave Bins out"},
	"NoIntervals": {[]kind{line, step, bars, regression, quantiles}, "has no intervals", "leave NoIntervals out"},
	"ByClass":     {[]kind{line, points, step, area, bars, hist, errs, box, vectors, texts, slope, parallel, density, plane, ridges, violin, strip, swarm, ecdf, quantiles, regression}, "cannot be split by classes", "draw a panel for each class with Facet"},
}

// taking is the mark that an option applies to; one whose kind does not take it is an error.
func (c *Chart) taking(option string) *mark {
	m := c.last(option)
	if c.err != nil {
		return m
	}
	o := options[option]
	if slices.Contains(o.kinds, m.kind) || m.stem && (option == "Radius" || option == "Width") {
		if !(option == "Dashed" && m.pile) {
			return m
		}
	}
	c.fail2(fmt.Errorf("chart.%s: this %s %s; %s", option, m.kind.called().chart, o.lacks, o.instead))
	return &mark{}
}

// misfits reports options that only have an effect together with others.
func (m *mark) misfits() error {
	what := m.kind.called().chart
	switch {
	case m.kind == points && m.width > 0 && !m.ring:
		return errors.New("chart.Width: points have no lines; draw them as rings with Rings, or set their size with Radius")
	case m.kind == contour && m.name != "" && m.color == nil:
		return errors.New("chart.Name: the lines have the colors of their levels, which the legend explains; give them one color with Color, or write Legend")
	case m.kind == points && m.color != nil && (m.class != nil || m.value != nil):
		return errors.New("chart.Color: By and ByValue color the points; leave Color out")
	case m.schemed && m.kind == points && m.value == nil:
		return errors.New("chart.Scheme: these points have no colors that stand for numbers; give them with ByValue")
	case m.schemed && m.kind == plane && m.class != nil:
		return errors.New("chart.Scheme: By gives each class a color; leave Scheme out")
	case m.schemed && m.kind == contour && m.color != nil:
		return errors.New("chart.Scheme: the lines have one color; leave Color or Scheme out")
	case m.bare && m.how != mean && slices.Contains([]kind{line, step, bars}, m.kind):
		return fmt.Errorf("chart.NoIntervals: this %s shows no means, and has no intervals; leave NoIntervals out", what)
	}
	return nil
}

// unfit reports options of the marks, or of the whole chart, that have no effect on it.
func (c *Chart) unfit(marks []mark) error {
	has := func(kinds ...kind) bool {
		return slices.ContainsFunc(marks, func(m mark) bool { return slices.Contains(kinds, m.kind) })
	}
	for i := range marks {
		if err := marks[i].misfits(); err != nil {
			return err
		}
	}
	switch {
	case c.density && !has(hist):
		return errors.New("chart.Density: the chart has no histogram; draw a density with KDE")
	case c.stacked && !c.normalized && !has(bars):
		if has(hist) {
			return errors.New("chart.Stacked: histograms are drawn over each other, with an outline each; leave Stacked out, or draw a panel for each with Facet")
		}
		return errors.New("chart.Stacked: the chart has no bars; put amounts on each other with StackedArea")
	case c.legendAsked && has(slope):
		return errors.New("chart.Legend: the names of a slope chart stand at its lines; leave Legend out")
	case c.equal && (c.x.log || c.y.log):
		return errors.New("chart.Equal: units of a logarithmic axis are not equally long; leave Equal or the logarithmic axes out")
	case c.x.log && (c.x.levels != nil || c.x.times):
		return errors.New("chart.LogX: names and times have no logarithm; leave LogX out")
	case c.y.log && (c.y.levels != nil || c.y.times):
		return errors.New("chart.LogY: names and times have no logarithm; leave LogY out")
	case c.direct && !slices.ContainsFunc(c.marks, func(m mark) bool { return m.name != "" && (m.kind == line || m.kind == step) }):
		return errors.New("chart.DirectLabels: the chart has no lines with names; give them with Name or By, and leave DirectLabels out where there are no lines")
	}
	return nil
}

// legendPlaces are words for the place of a legend, which stands on the right.
var legendPlaces = []string{"top", "bottom", "left", "right", "none", "best", "center", "inside", "outside", "upper left", "upper right", "lower left", "lower right", "top left", "top right", "bottom left", "bottom right"}

// placed reports a title of a legend that is meant as its place.
func placed(title string) error {
	if !slices.Contains(legendPlaces, strings.ToLower(title)) {
		return nil
	}
	return fmt.Errorf("chart.Legend: %q would be the title of the legend, which stands on the right; leave it out with NoLegend, or write the names at the lines with DirectLabels", title)
}
