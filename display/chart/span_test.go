package chart

import (
	"strings"
	"testing"
	"time"
)

// TestSpansAndErrors checks the places of spans and asymmetric errors.
func TestSpansAndErrors(t *testing.T) {
	at := []time.Time{time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)}
	y := []float64{1, 2}
	c := Plot(at, y).VSpan(at[0], at[1]).HSpan(1, 1.5).Errors(at, y, []float64{1, 2}, []float64{0, 3})
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	first, last := float64(at[0].Unix()), float64(at[1].Unix())
	if m := c.marks[1]; m.x[0] != first || m.x[1] != last || m.y != nil {
		t.Errorf("the span is at %v and %v", m.x, m.y)
	}
	if m := c.marks[2]; m.x != nil || m.y[1] != 1.5 {
		t.Errorf("the span is at %v and %v", m.x, m.y)
	}
	if m := c.marks[3]; m.lo[0] != 0 || m.hi[0] != 1 || m.lo[1] != 0 || m.hi[1] != 5 {
		t.Errorf("the errors go from %v to %v", m.lo, m.hi)
	}
	// A span of names has the places of all its names, in any order of the names.
	names := func() *Chart { return Bar([]string{"a", "b", "c"}, []float64{1, 2, 3}).VSpan("b", "c") }
	for want, c := range map[[2]float64]*Chart{{0.5, 2.5}: names(), {-0.5, 1.5}: names().XNames("c", "b", "a")} {
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		if lo, hi := p.c.marks[1].spanEnds(); lo != want[0] || hi != want[1] {
			t.Errorf("the span of names is from %g to %g, want %v", lo, hi, want)
		}
	}
	for want, c := range map[string]*Chart{
		"lo must be less than hi, got 2": Plot(y).HSpan(2, 1),
		"lo must be less than hi, got 3": Plot(y).VSpan(3, 3),
		"lo must be a name on its axis":  Bar([]string{"a"}, y[:1]).VSpan("z", "a"),
		"x, y, below, above":             New().Errors(y, y, y, y, y),
		"above has 1; they must":         New().Errors(y, y, y, y[:1]),
		"must not be negative":           New().Errors(y, y, y, []float64{-1, 1}),
	} {
		if _, err := c.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if got := textOf(t, Plot([]float64{1, 2}).HSpan(5, 6).YRange(0, 3)); !strings.Contains(got, "1 value lies outside of the axes") {
		t.Error("a span outside of the axes is not mentioned")
	}
}
