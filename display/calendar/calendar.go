// Package calendar draws a number for each day as a colored square, with a row per day of the
// week, a column per week and a block per year.
package calendar

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

const mostYears = 30

// Calendar is a set of days with their values.
type Calendar struct {
	value  map[int64]float64 // by days since 1970
	first  int64
	last   int64
	legend string
	counts bool
	title  string
	scheme figure.Scheme
	sunday bool
	left   int
	err    error

	reader        variable.Reader
	days, numbers []float64 // per row: local time in seconds since 1970, and value
	mixed         bool      // the rows have several time zones
	several       bool      // some days have several rows
}

// New draws days: New(times, values), or New(f, "day", "value") for a frame. A day shows the mean
// of its values or, if New has no values, its number of rows. Each time is assigned to its day in
// the time zone of the data. If the data have several time zones, the days are in UTC, and a note
// says so. Days without a row stay empty.
func New(data ...any) *Calendar {
	c := &Calendar{value: map[int64]float64{}, scheme: figure.Viridis}
	r, args := variable.Begin("calendar.New", data)
	if len(args) != 1 && len(args) != 2 {
		return c.fail(fmt.Errorf("calendar.New: pass days, and optionally their values, got %d arguments", len(args)))
	}
	days, err := r.Column("the days", args[0])
	if err == nil && !days.Times {
		err = errors.New("calendar.New: the days must be times")
	}
	if err != nil {
		return c.fail(err)
	}
	values := variable.Column{V: make([]float64, len(days.V))}
	if len(args) == 2 {
		if values, err = r.Numbers("the values", args[1]); err == nil {
			err = r.SameLength([]string{"days", "values"}, days, values)
		}
		if err != nil {
			return c.fail(err)
		}
		c.legend = values.Name
	} else {
		c.counts, c.legend, c.scheme = true, "count", figure.Blues
	}
	c.reader, c.numbers, c.mixed = r, values.V, days.Mixed
	c.days = make([]float64, len(days.V))
	for i, t := range days.V {
		c.days[i] = shown(t, days.Zone)
	}
	c.add(c.days, values.V)
	if c.several && c.legend != "" {
		c.legend = "mean of " + c.legend
	}
	if years := c.years(); len(years) > mostYears {
		return c.fail(fmt.Errorf("calendar.New: the days must be in at most %[2]d years, got %[1]d", len(years), mostYears))
	}
	return c
}

// shown returns the local time of t in a zone in seconds since 1970. A nil zone means UTC.
func shown(t float64, zone *time.Location) float64 {
	if zone == nil || math.IsNaN(t) {
		return t
	}
	_, ahead := time.Unix(int64(math.Floor(t)), 0).In(zone).Zone()
	return t + float64(ahead)
}

// add sums the rows of each day.
func (c *Calendar) add(days, values []float64) {
	rows, sum := map[int64]int{}, map[int64]float64{}
	for i, t := range days {
		if math.IsNaN(t) || math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
			c.left++
			continue
		}
		d := int64(math.Floor(t / 86400))
		if len(rows) == 0 {
			c.first, c.last = d, d
		}
		c.first, c.last = min(c.first, d), max(c.last, d)
		rows[d]++
		sum[d] += values[i]
	}
	for d, n := range rows {
		c.value[d] = float64(n)
		if !c.counts {
			c.value[d] = sum[d] / float64(n)
			c.several = c.several || n > 1
		}
	}
}

func (c *Calendar) fail(err error) *Calendar {
	if c.err == nil {
		c.err = err
	}
	return c
}

// Title sets the title above the calendar.
func (c *Calendar) Title(s string) *Calendar { c.title = guide.Typeset(s); return c }

// Legend sets the title of the color scale.
func (c *Calendar) Legend(s string) *Calendar { c.legend = guide.Typeset(s); return c }

// Sunday makes weeks start on Sunday. By default they start on Monday (ISO 8601).
func (c *Calendar) Sunday() *Calendar { c.sunday = true; return c }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (c *Calendar) Save(path string) error { return figure.Save(c, path) }

// Display renders the calendar.
func (c *Calendar) Display() (display.Bundle, error) {
	f, err := c.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}

// date returns the day d days after January 1, 1970.
func date(d int64) time.Time { return time.Unix(d*86400, 0).UTC() }

// number is the inverse of date. Midnights are divisible by a day.
func number(t time.Time) int64 { return t.Unix() / 86400 }

// years returns all years from the first day to the last.
func (c *Calendar) years() []int {
	if len(c.value) == 0 {
		return nil
	}
	var out []int
	for y := date(c.first).Year(); y <= date(c.last).Year() && len(out) <= mostYears; y++ {
		out = append(out, y)
	}
	return out
}

// weekday returns the row of a day, from 0.
func (c *Calendar) weekday(t time.Time) int {
	if c.sunday {
		return int(t.Weekday())
	}
	return (int(t.Weekday()) + 6) % 7
}

// week returns the column of a day in the block of its year.
func (c *Calendar) week(t time.Time) int {
	start := time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	return (t.YearDay() - 1 + c.weekday(start)) / 7
}

// Sizes of a calendar.
const (
	cell   = 12.0 // size of a day, including the gap
	gap    = 1.5
	header = 20.0 // months
	indent = 80.0 // space for the year and the days of the week
	block  = header + 7*cell + 14
	width  = indent + 54*cell + 16
)

// Figure draws the calendar without rendering it to a format.
func (c *Calendar) Figure() (*figure.Figure, error) {
	if c.err != nil {
		return nil, c.err
	}
	legend := guide.Legend{Title: c.legend, Bar: c.bar(c)}
	years := c.years()
	top := 8.0
	if c.title != "" {
		top = 34 + guide.TitleMore(c.title, width+legend.Width())
	}
	f := figure.New(width+legend.Width(), math.Max(120, top+block*float64(len(years))+14))
	guide.Title(f, c.title, f.W)
	c.blocks(f, top, legend.Bar)
	legend.Draw(f, f.W-legend.Width()+4, top+6, math.Min(f.H-top-30, 160))
	note := leftOut(c.left, c.mixed)
	guide.Note(f, note)
	f.Text = c.text(legend, note)
	guide.Describe(f, c.title, "Calendar")
	return f, nil
}

// bar returns the color scale of calendars, or nil if they have no days.
func (c *Calendar) bar(all ...*Calendar) *guide.Bar {
	b := &guide.Bar{Scheme: c.scheme, Lo: math.Inf(1), Hi: math.Inf(-1), Whole: true}
	for _, d := range all {
		for _, v := range d.value {
			b.Lo, b.Hi = math.Min(b.Lo, v), math.Max(b.Hi, v)
			b.Whole = b.Whole && v == math.Trunc(v)
		}
	}
	if b.Lo > b.Hi {
		return nil
	}
	if c.counts {
		b.Lo = 0
	}
	return b
}

// leftOut returns the note about omitted rows and the time zone of the days.
func leftOut(rows int, mixed bool) string {
	var out []string
	if rows > 0 {
		out = append(out, guide.Plural(rows, "row with a missing value is left out", "rows with missing values are left out"))
	}
	if mixed {
		out = append(out, "the times have several zones, and the days are those of UTC")
	}
	return strings.Join(out, "; ")
}

// blocks draws the years, one below the other.
func (c *Calendar) blocks(f *figure.Figure, top float64, bar *guide.Bar) {
	if len(c.value) == 0 {
		f.Label(f.W/2, f.H/2, "there are no days to draw", guide.Text(guide.AxisFont, figure.Soft(), figure.Middle))
		return
	}
	for i, y := range c.years() {
		c.year(f, y, top+float64(i)*block, func(v float64) figure.Color { return c.scheme.At(guide.Share(v, bar.Lo, bar.Hi)) })
	}
}

// year draws the block of a year.
func (c *Calendar) year(f *figure.Figure, year int, y float64, color func(float64) figure.Color) {
	soft := guide.Text(guide.TickFont, figure.Soft(), figure.End)
	f.Label(12, y+header+4*cell-2, fmt.Sprint(year), guide.Text(guide.HeadFont, figure.Ink(), figure.Start))
	monday := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for k := range 7 {
		day := monday.AddDate(0, 0, k)
		if w := c.weekday(day); w%2 == 0 {
			f.Label(indent-5, y+header+float64(w)*cell+10.3, day.Format("Mon"), soft)
		}
	}
	at := func(t time.Time) (float64, float64) {
		return indent + float64(c.week(t))*cell, y + header + float64(c.weekday(t))*cell
	}
	for t := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC); t.Year() == year; t = t.AddDate(0, 0, 1) {
		px, py := at(t)
		fill := figure.Shade()
		if v, ok := c.value[number(t)]; ok {
			fill = color(v)
		}
		f.Rect(px, py, cell-gap, cell-gap, 1.5, figure.Style{Fill: fill})
		if t.Day() == 1 {
			c.border(f, t, at)
		}
	}
}

// border draws the line between a month and the previous one, and writes the name of the month.
func (c *Calendar) border(f *figure.Figure, t time.Time, at func(time.Time) (float64, float64)) {
	px, py := at(t)
	up := py - float64(c.weekday(t))*cell // upper end of the block
	x := px
	if c.weekday(t) > 0 {
		x += cell
	}
	f.Label(x, up-6, t.Format("Jan"), guide.Text(guide.TickFont, figure.Soft(), figure.Start))
	if t.Month() == time.January {
		return
	}
	const half = gap / 2
	f.Polyline([]figure.Point{
		{X: x - half, Y: up - half}, {X: x - half, Y: py - half}, {X: px - half, Y: py - half}, {X: px - half, Y: up + 7*cell - half},
	}, figure.Style{Stroke: figure.Frame(), Width: 1})
}

// text lists the months with their means, or with their sums if days are counted.
func (c *Calendar) text(legend guide.Legend, note string) string {
	var b strings.Builder
	if c.title != "" {
		b.WriteString(c.title + "\n")
	}
	if len(c.value) == 0 {
		b.WriteString("there are no days to draw\n")
	} else {
		fmt.Fprintf(&b, "%s from %s to %s\n", guide.Plural(len(c.value), "day", "days"), date(c.first).Format(time.DateOnly), date(c.last).Format(time.DateOnly))
		for _, y := range c.years() {
			fmt.Fprintf(&b, "%d ", y)
			for m := range 12 {
				b.WriteString(c.shadeOf(y, time.Month(m+1), legend.Bar))
			}
			b.WriteString("  (means of months, January to December)\n")
		}
		b.WriteString(legend.Text() + "\n")
	}
	if note != "" {
		b.WriteString(note + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// shadeOf returns the mean of a month as a shade character.
func (c *Calendar) shadeOf(year int, month time.Month, bar *guide.Bar) string {
	sum, n := 0.0, 0.0
	for t := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC); t.Month() == month; t = t.AddDate(0, 0, 1) {
		if v, ok := c.value[number(t)]; ok {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return "· "
	}
	shades := []rune("▁▂▃▄▅▆▇█")
	return string(shades[min(7, int(8*guide.Share(sum/n, bar.Lo, bar.Hi)))]) + " "
}
