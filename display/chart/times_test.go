package chart

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTimeTicksSayTheDay(t *testing.T) {
	at := func(s string) float64 {
		m, err := time.Parse("2006-01-02 15:04:05", s)
		if err != nil {
			t.Fatal(err)
		}
		return float64(m.Unix())
	}
	for _, c := range []struct {
		from, to string
		n        int
		labels   string
		unit     string
	}{
		{"2026-03-03 20:00:00", "2026-03-04 02:00:00", 6, "20:00 21:00 22:00 23:00 Mar 4|01:00 02:00", "Mar 3 to Mar 4, 2026, UTC"},
		{"2026-03-03 08:00:00", "2026-03-03 10:00:00", 4, "08:00 08:30 09:00 09:30 10:00", "Mar 3, 2026, UTC"},
		{"2026-12-31 23:00:00", "2027-01-01 01:00:00", 2, "23:00 Jan 1|01:00", "Dec 31, 2026 to Jan 1, 2027, UTC"},
		{"2026-12-30 00:00:00", "2027-01-02 00:00:00", 3, "Dec 30|Dec 31|Jan 1|Jan 2", "2026 to 2027"},
		{"2026-03-03 12:00:00", "2026-03-03 12:00:03", 6, "12:00:00.000 12:00:00.500 12:00:01.000 12:00:01.500 12:00:02.000 12:00:02.500 12:00:03.000", "Mar 3, 2026, UTC"},
		{"2026-01-01 00:00:00", "2026-06-01 00:00:00", 5, "Jan 2026|Feb 2026|Mar 2026|Apr 2026|May 2026|Jun 2026", ""},
	} {
		_, labels, unit := clock{}.ticks(at(c.from), at(c.to), c.n)
		plain := func(s string) string { return strings.ReplaceAll(s, "|", " ") }
		if got := strings.Join(labels, " "); got != plain(c.labels) || unit != c.unit {
			t.Errorf("%s to %s: %q, %q; want %q, %q", c.from, c.to, got, unit, plain(c.labels), c.unit)
		}
	}
}

func TestASingleMomentIsNamed(t *testing.T) {
	for at, want := range map[time.Time]string{
		time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC):   "Mar 3, 2026",
		time.Date(2026, 3, 3, 14, 5, 0, 0, time.UTC):  "Mar 3, 2026 14:05 UTC",
		time.Date(2026, 3, 3, 14, 5, 30, 0, time.UTC): "Mar 3, 2026 14:05:30 UTC",
	} {
		if got := textsOf(t, Scatter([]time.Time{at}, []float64{1})); !slices.Contains(got, want) {
			t.Errorf("the axis of one moment says %q, not %q", got, want)
		}
	}
}
