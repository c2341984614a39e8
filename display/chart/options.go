package chart

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// fitting holds, for an option, what a mark that does not take it lacks, and what to write instead.
// The traits of a kind list the options that it takes.
type fitting struct{ lacks, instead string }

// options lists the options whose effect depends on the kind of the mark.
var options = map[string]fitting{
	"Name":        {"is not named in the legend", "write Title, Legend or, for classes, Names"},
	"Color":       {"has several colors", "choose them with Scheme, or leave Color out"},
	"ClassColor":  {"has several colors", "choose them with Scheme, or leave ClassColor out"},
	"Scheme":      {"has no colors that stand for numbers", "choose one color with Color"},
	"Radius":      {"has no points", "leave Radius out"},
	"Width":       {"has no lines", "leave Width out"},
	"Opacity":     {"is opaque, since its colors stand for something", "leave Opacity out"},
	"Dashed":      {"has no lines that could be dashed", "leave Dashed out"},
	"Rings":       {"has no points", "leave Rings out"},
	"Bins":        {"has no bins", "leave Bins out"},
	"BinEdges":    {"has no bins with edges", "leave BinEdges out"},
	"NoIntervals": {"has no intervals", "leave NoIntervals out"},
	"ByClass":     {"cannot be split by classes", "draw a panel for each class with Facet"},
}

// taking returns the mark that an option applies to; a mark whose kind does not take the
// option is an error.
func (c *Chart) taking(option string) *mark {
	m := c.last(option)
	if c.err != nil || m.kind.takes(m, option) {
		return m
	}
	o := options[option]
	c.setErr(fmt.Errorf("chart.%s: %s; %s (%s)", option, m.kind.about().says(o.lacks), o.instead, takers(option)))
	return &mark{kind: texts} // options that follow have no effect
}

// says returns a clause about a mark, such as "this histogram has no points". The names of some
// kinds are plurals, such as "error bars".
func (t *traits) says(predicate string) string {
	if !strings.HasSuffix(t.chart, "s") {
		return "this " + t.chart + " " + predicate
	}
	verb, rest, _ := strings.Cut(predicate, " ")
	if plural := map[string]string{"has": "have", "is": "are"}[verb]; plural != "" {
		verb = plural
	}
	return "these " + t.chart + " " + verb + " " + rest
}

// takersShown is the maximum number of kinds that an error lists.
const takersShown = 8

// takers names the kinds of charts that take an option.
func takers(option string) string {
	var names []string
	for _, k := range kinds {
		if k.takes(&mark{kind: k, value: []float64{}}, option) && k != hexes {
			names = append(names, k.about().chart)
		}
	}
	if n := len(names) - takersShown; n > 1 {
		names = append(names[:takersShown], fmt.Sprintf("%d other kinds", n))
	}
	return "possible for: " + list(names)
}

// unfit returns an error for an option of a mark, or of the whole chart, that has no effect.
func (c *Chart) unfit(marks []mark) error {
	has := func(does func(m *mark) bool) bool {
		return slices.ContainsFunc(marks, func(m mark) bool { return does(&m) })
	}
	binned := func(m *mark) bool { return m.kind == hist }
	for i := range marks {
		if err := marks[i].kind.misfit(&marks[i]); err != nil {
			return err
		}
	}
	if err := c.checkTicks(); err != nil {
		return err
	}
	if err := c.checkSymlog(marks); err != nil {
		return err
	}
	if c.subtitle != "" && c.title == "" {
		return errors.New("chart.Subtitle: a subtitle needs a title; call Title, too")
	}
	switch {
	case c.cumulative && !has(binned):
		return errors.New("chart.Cumulative: the chart has no histogram; draw a distribution function with ECDF (possible for: histogram)")
	case c.density && !has(binned):
		return errors.New("chart.Density: the chart has no histogram; draw a density with KDE")
	case c.stacked && !c.normalized && !has(func(m *mark) bool { return m.kind.about().stacks }):
		if has(binned) {
			return errors.New("chart.Stacked: histograms overlap and cannot be stacked; leave Stacked out, or draw a panel for each with Facet")
		}
		return errors.New("chart.Stacked: the chart has no bars; stack amounts with StackedArea")
	case c.legendAsked && has(func(m *mark) bool { return m.kind == slope }):
		return errors.New("chart.Legend: the names of a slope chart are at the ends of its lines; leave Legend out")
	case (c.y.titled || c.y.fixed || c.y.asked != nil) && has(func(m *mark) bool { return m.kind == parallel }):
		return errors.New("chart.Y: parallel coordinates have a vertical axis for each column, with its name and range; leave Y, YRange and YNames out")
	case c.x.fixed && has(func(m *mark) bool { return m.kind == parallel }):
		return errors.New("chart.XRange: the x axis of parallel coordinates shows all columns; name the columns to show, and leave XRange out")
	case c.y.titled && c.y.title != "" && has(func(m *mark) bool { return m.kind == slope }):
		return errors.New("chart.Y: a slope chart writes its values at the lines and has no y axis; name the values with Title")
	case c.equal && (c.x.log || c.y.log):
		return errors.New("chart.Equal: the units of a logarithmic axis differ in length; leave Equal or the logarithmic axes out")
	case c.x.log && (c.x.levels != nil || c.x.times):
		return errors.New("chart.LogX: names and times have no logarithm; leave LogX out")
	case c.y.log && (c.y.levels != nil || c.y.times):
		return errors.New("chart.LogY: names and times have no logarithm; leave LogY out")
	case c.direct && !slices.ContainsFunc(c.marks, func(m mark) bool { return m.name != "" && m.kind.about().direct }):
		return errors.New("chart.DirectLabels: the chart has no named lines; name lines with Name or By, or leave DirectLabels out")
	}
	return nil
}

// legendPlaces are words for the position of a legend.
var legendPlaces = []string{"top", "bottom", "left", "right", "none", "best", "center", "inside", "outside", "upper left", "upper right", "lower left", "lower right", "top left", "top right", "bottom left", "bottom right"}

// placed returns an error for a legend title that is meant as a position.
func placed(title string) error {
	if !slices.Contains(legendPlaces, strings.ToLower(title)) {
		return nil
	}
	return fmt.Errorf("chart.Legend: %q would be the title of the legend; set its place with LegendAt, leave it out with NoLegend, or put the names next to the lines with DirectLabels", title)
}
