package calendar

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// warmth returns a synthetic temperature for each day of two years.
func warmth() (days []time.Time, values []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for d := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 2025; d = d.AddDate(0, 0, 1) {
		if d.Month() == time.August && d.Year() == 2024 && d.Day() < 12 {
			continue // the thermometer was broken
		}
		days = append(days, d)
		values = append(values, 10-9*math.Cos(2*math.Pi*float64(d.YearDay()-15)/365)+3*r.NormFloat64())
	}
	return days, values
}

var gallery = []struct {
	name string
	make func() display.Displayer
}{
	{"calendar", func() display.Displayer {
		days, values := warmth()
		return New(days, values).Title("Two years").Legend("mean (°C)")
	}},
	{"count", func() display.Displayer {
		r := rand.New(rand.NewPCG(3, 4))
		var at []time.Time
		for range 400 {
			at = append(at, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.Float64()*366*24)*time.Hour))
		}
		return New(at).Sunday()
	}},
	{"empty", func() display.Displayer { return New([]time.Time{}, []float64{}) }},
}

func TestGallery(t *testing.T) {
	for _, g := range gallery {
		figuretest.Check(t, g.name, g.make())
	}
}

// If weeks start on Monday, they are the ISO 8601 weeks that time.ISOWeek returns: days of a year
// in one column have the same week number.
func TestColumnsAreWeeks(t *testing.T) {
	c := &Calendar{}
	for d := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 2030; d = d.AddDate(0, 0, 1) {
		next := d.AddDate(0, 0, 1)
		if next.Year() != d.Year() {
			continue
		}
		_, a := d.ISOWeek()
		_, b := next.ISOWeek()
		if (c.week(d) == c.week(next)) != (a == b) {
			t.Fatalf("%v is in column %d, the next day in %d; the weeks are %d and %d", d, c.week(d), c.week(next), a, b)
		}
		if c.weekday(d) != (int(d.Weekday())+6)%7 || date(number(d)) != d {
			t.Fatalf("%v is in row %d", d, c.weekday(d))
		}
	}
}

// Two rows with the same day are shown as their mean, and late evenings belong to their own day.
func TestMeanOfADay(t *testing.T) {
	day := time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)
	c := New([]time.Time{day.Add(time.Hour), day.Add(23*time.Hour + 59*time.Minute), {}}, []float64{1, 4, 5})
	if c.err != nil || c.value[-1] != 2.5 || len(c.value) != 1 || c.left != 1 {
		t.Errorf("the values are %v, %d rows are left out (%v)", c.value, c.left, c.err)
	}
}

func TestRefuses(t *testing.T) {
	day := []time.Time{time.Unix(0, 0)}
	for want, c := range map[string]*Calendar{
		"the days must be times":              New([]float64{1}),
		"0 arguments":                         New(),
		"there are 1 days and 2 values":       New(day, []float64{1, 2}),
		"the values must be numbers":          New(day, []string{"a"}),
		"must be in at most 30 years, got 31": New([]time.Time{time.Unix(0, 0), time.Unix(4e9, 0)}),
	} {
		if _, err := c.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

// A day is a day in the time zone of the data. With several zones, it is a day in UTC, and a note
// says so.
func TestDaysOfTheZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	evening := time.Date(2024, 5, 3, 0, 30, 0, 0, berlin)
	c := New([]time.Time{evening, evening.AddDate(0, 0, 1)}, []float64{1, 2})
	if got := date(c.first).Format(time.DateOnly); got != "2024-05-03" {
		t.Errorf("half an hour after midnight in Berlin is on %s", got)
	}
	f, err := New([]time.Time{evening, evening.UTC()}, []float64{1, 2}).Figure()
	if err != nil || !strings.Contains(f.Text, "the days are those of UTC") {
		t.Errorf("several zones are not mentioned (%v)", err)
	}
}
