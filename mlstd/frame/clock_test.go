package frame

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/gokernel/gokernel/mlstd/model"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func written(c *Column) []string {
	var out []string
	for i := range c.Len() {
		out = append(out, c.At(i).(time.Time).Format(time.RFC3339))
	}
	return out
}

// The clock of Berlin was changed on 2024-03-31 at 2:00 and on 2024-10-27 at 3:00.
func TestParseTimeClashes(t *testing.T) {
	zone := berlin(t)
	c := StringColumn("at", []string{"2024-03-31 01:30", "2024-03-31 02:30", "2024-10-27 02:30", "2024-10-27 03:30", "2024-10-27 02:30"}).ParseTime("2006-01-02 15:04", zone)
	if got, want := written(c), []string{"2024-03-31T01:30:00+01:00", "2024-03-31T03:30:00+02:00", "2024-10-27T02:30:00+02:00", "2024-10-27T03:30:00+01:00", "2024-10-27T02:30:00+02:00"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f, err := New(IntColumn("i", []int64{1, 2, 3, 4, 5}))
	if err != nil {
		t.Fatal(err)
	}
	f.Set("at", c)
	want := []string{
		`column "at" has 1 local time that a clock change skips in Europe/Berlin (row 1): moved forward by the length of the gap`,
		`column "at" has 2 local times that a clock change repeats in Europe/Berlin (rows 2, 4): read as the first of the two`,
	}
	if got := f.Notes(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	own := StringColumn("at", []string{"2024-10-27 02:30 +0100", "2024-10-27 02:30 CEST"})
	for i, layout := range []string{"2006-01-02 15:04 -0700", "2006-01-02 15:04 MST"} {
		c := own.take([]int32{int32(i)}).ParseTime(layout, zone)
		if got := written(c); len(c.Notes()) > 0 || got[0] != []string{"2024-10-27T02:30:00+01:00", "2024-10-27T02:30:00+02:00"}[i] {
			t.Errorf("%s: %q, notes %q", layout, got, c.Notes())
		}
	}
}

// A local time that is ambiguous or skipped is refused in a comparison.
func TestCompareClash(t *testing.T) {
	zone := berlin(t)
	c := TimeColumn("at", []time.Time{time.Date(2024, 10, 27, 0, 0, 0, 0, time.UTC)}).In(zone)
	for text, want := range map[string]string{"2024-10-27 02:30": "twice", "2024-03-31 02:30": "never", "2024-10-27": "", "2024-10-27T02:30:00+01:00": ""} {
		func() {
			defer func() {
				var e *model.Error
				err, _ := recover().(error)
				if errors.As(err, &e) != (want != "") || want != "" && !strings.Contains(e.Error(), want) {
					t.Errorf("%s: %v, want %q", text, err, want)
				}
			}()
			c.Less(text)
		}()
	}
}

// Periods begin at the right local times, whatever the clock changes.
func TestFloorAcrossClockChange(t *testing.T) {
	for _, c := range []struct{ zone, every, at, want string }{
		{"Europe/Berlin", "6 hours", "2024-01-01T08:00:00+01:00", "2024-01-01T06:00:00+01:00"},
		{"Europe/Berlin", "6 hours", "2024-07-01T08:00:00+02:00", "2024-07-01T06:00:00+02:00"},
		{"Europe/Berlin", "6 hours", "2024-03-31T05:00:00+02:00", "2024-03-31T00:00:00+01:00"},
		{"Europe/Berlin", "6 hours", "2024-10-27T02:30:00+01:00", "2024-10-27T00:00:00+02:00"},
		{"Europe/Berlin", "1 hour", "2024-10-27T02:30:00+02:00", "2024-10-27T02:00:00+02:00"},
		{"Europe/Berlin", "1 hour", "2024-10-27T02:30:00+01:00", "2024-10-27T02:00:00+01:00"},
		{"Australia/Lord_Howe", "1 hour", "2024-10-06T03:10:00+11:00", "2024-10-06T03:00:00+11:00"},
		{"America/Sao_Paulo", "1 day", "2018-11-04T12:00:00-02:00", "2018-11-04T01:00:00-02:00"},
		{"America/Sao_Paulo", "1 day", "2018-11-03T12:00:00-03:00", "2018-11-03T00:00:00-03:00"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		year := []time.Time{at.AddDate(0, -11, 0), at, at.AddDate(0, 11, 0)}
		got := TimeColumn("at", year).In(zone).Floor(c.every)
		if s := written(got)[1]; s != c.want {
			t.Errorf("%s in %s by %s: %s, want %s", c.at, c.zone, c.every, s, c.want)
		}
	}
}

// Notes stay with the frame of their step, and pass to derived frames until they were shown.
func TestNotes(t *testing.T) {
	f := FromRows(map[string]any{"x": []float64{1, 2, 3}, "k": []string{"a", "b", "a"}}).Noted("read")
	is := func(what string, f *Frame, want ...string) {
		t.Helper()
		if got := f.Notes(); !slices.Equal(got, want) {
			t.Errorf("%s: notes %q, want %q", what, got, want)
		}
	}
	other := FromRows(map[string]any{"k": []string{"a"}, "y": []int{1}})
	unseen := f.Join(other, "k").By("k").Agg(Mean("x"))
	is("a chain", unseen, "read", "1 of 3 rows of the left frame found no partner, left out")
	g := f.Head(2)
	f.Tell()
	is("the frame itself", f, "read")
	is("made before it was shown", g)
	is("made after it was shown", f.Where(f.Col("x").Greater(1)))
	is("the rest of the chain", unseen, "1 of 3 rows of the left frame found no partner, left out")
	unseen.Tell()
	is("shown itself", unseen, "1 of 3 rows of the left frame found no partner, left out")
	is("made of that", unseen.Head(1))
	f.Set("z", 1)
	is("changed", f)
	is("below each other", Concat(f.Noted("a"), f.Noted("a"), f.Noted("b")), "a", "b")
}

// A calculation without a result is reported.
func TestLostValues(t *testing.T) {
	c := FloatColumn("x", []float64{4, -1, math.NaN(), 0})
	for what, d := range map[string]*Column{"Map": c.Map(math.Sqrt), "Over": FloatColumn("x", []float64{1, 1, 1, 0}).Over(c)} {
		if got := d.Notes(); len(got) != 1 || !strings.HasPrefix(got[0], "1 value of x became missing") {
			t.Errorf("%s: %q", what, got)
		}
	}
	for what, d := range map[string]*Column{"Plus": c.Plus(1), "NaN": c.Plus(math.NaN()), "Map": c.Map(math.Abs)} {
		if got := d.Notes(); len(got) > 0 {
			t.Errorf("%s: %q", what, got)
		}
	}
}

func TestInNamesAZone(t *testing.T) {
	c := TimeColumn("at", []time.Time{time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC)})
	same(t, c.In("America/New_York").Hour(), int64(8))
	for zone, want := range map[any]string{
		"Mars/Olympus": `zone must be the name of a time zone, got "Mars/Olympus"`,
		"":             `zone must be the name of a time zone, got ""`,
		3:              "zone must be the name of a time zone or a *time.Location, got int",
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
					t.Errorf("In(%v): %v", zone, r)
				}
			}()
			c.In(zone)
		}()
	}
}
