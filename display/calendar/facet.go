package calendar

import (
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/display/facet"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Facet draws a calendar for each class of the given labels, or of the column with the given name.
// The calendars are one below the other and have the same years and one color scale. Rows with a
// missing label are omitted.
func (c *Calendar) Facet(labels ...any) *facet.Panels {
	if c.err != nil {
		return facet.Fail(c.err)
	}
	if len(labels) == 2 {
		return facet.Fail(errors.New("calendar.Facet: pass one label, because two calendars don't fit next to each other"))
	}
	groups, err := variable.Reader{Verb: "calendar.Facet", Table: c.reader.Table}.Split(labels)
	years := max(1, len(c.years()))
	switch {
	case err != nil:
	case groups.Labels != len(c.days):
		err = fmt.Errorf("calendar.Facet: there are %d labels for %d days", groups.Labels, len(c.days))
	case years*len(groups.Panels) > mostYears:
		err = fmt.Errorf("calendar.Facet: the panels must have at most %[3]d years in total, got %[1]d classes with %[2]d years", len(groups.Panels), years, mostYears)
	}
	if err != nil {
		return facet.Fail(err)
	}
	var parts []*Calendar
	plan := facet.Plan{Title: c.title, Kind: "calendar", Cols: 1, Width: width}
	left := 0
	for _, g := range groups.Panels {
		part := *c
		part.title, part.left, part.value = "", 0, map[int64]float64{}
		part.add(variable.Kept(c.days, g.Keep), variable.Kept(c.numbers, g.Keep))
		part.first, part.last = c.first, c.last
		left += part.left
		parts, plan.Names = append(parts, &part), append(plan.Names, g.Name)
	}
	legend := guide.Legend{Title: c.legend, Bar: c.bar(parts...)}
	plan.Legend, plan.Note = legend, facet.Missing(groups.Missing, leftOut(left, c.mixed))
	plan.Height = func(float64) float64 { return 4 + block*float64(years) }
	plan.Draw = func(k int, _, _ float64) (*figure.Figure, error) {
		f := figure.New(width, plan.Height(width))
		parts[k].blocks(f, 0, legend.Bar)
		f.Text = parts[k].text(legend, "")
		return f, nil
	}
	return facet.New(plan)
}
