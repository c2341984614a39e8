package grading

import (
	"strings"
	"testing"
	"time"
)

const samplePolicy = `{"due": {"trees": "2026-11-20 23:59", "rules": "2026-11-27 23:59"}, "zone": "Europe/Berlin",
	"penalty": 10, "last": 5, "free": 3, "extensions": {"ann": {"trees": "2026-11-25 23:59"}}}`

// TestPolicy checks late days and penalties against numbers that were computed by hand.
func TestPolicy(t *testing.T) {
	p, err := ReadPolicy([]byte(samplePolicy))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		student, at string
		left        int
		days, used  int
		lost        float64 // of 12 points
	}{
		{"bob", "2026-11-20 23:59", 3, 0, 0, 0},
		{"bob", "2026-11-20T22:59:00Z", 3, 0, 0, 0}, // Berlin is an hour ahead
		{"bob", "2026-11-20T22:59:01Z", 3, 1, 1, 0},
		{"bob", "2026-11-21 23:59", 0, 1, 0, 1.2},
		{"bob", "2026-11-22 00:00", 0, 2, 0, 2.4},
		{"bob", "2026-11-24 12:00", 3, 4, 3, 1.2},
		{"bob", "2026-11-24 12:00", -1, 4, 0, 4.8},
		{"bob", "2026-11-26 12:00", 3, 6, 0, 12},
		{"ann", "2026-11-24 12:00", 3, 0, 0, 0},
		{"ann", "2026-11-26 12:00", 0, 1, 0, 1.2},
		{"cy", "2026-11-20 23:59:30.123456 UTC", 0, 1, 0, 1.2}, // nbgrader's form
	} {
		at, err := ParseTime(tt.at, p.zone)
		if err != nil {
			t.Fatal(err)
		}
		due, ok := p.Deadline("trees", tt.student)
		if !ok {
			t.Fatal("trees has no deadline")
		}
		l := p.Late(at, due, tt.left)
		if l.Days != tt.days || l.Used != tt.used || l.lost(12) != tt.lost {
			t.Errorf("%s at %s with %d days left: %+v, %v points lost, want %d days, %d used, %v lost", tt.student, tt.at, tt.left, *l, l.lost(12), tt.days, tt.used, tt.lost)
		}
	}
	if _, ok := p.Deadline("other", "ann"); ok {
		t.Error("a homework without a deadline has one")
	}
	for text, want := range map[string]string{
		`{"due": {"trees": "tomorrow"}}`: `due, trees: a time must be like 2026-11-20 23:59, got "tomorrow"`,
		`{"penalty": 110}`:               "penalty must be between 0 and 100 percent, got 110",
		`{"free": -1}`:                   "free must not be negative, got -1",
		`{"zone": "Mars"}`:               `got "Mars"`,
		`{"extensions": {"ann": {"trees": "2026-11-25 23:59"}}}`: "extensions, ann: trees must be a homework with a deadline in due",
		`{"penalti": 1}`: "penalti",
	} {
		if _, err := ReadPolicy([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if got := (&Late{Days: 4, Used: 3, Share: 0.1}).text(12); got != "Handed in 4 days late. 3 late days used. This costs 1.2 points." {
		t.Errorf("got %q", got)
	}
	if got := (&Late{At: time.Now()}).text(12); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestLateDays(t *testing.T) {
	d, err := ReadLateDays(strings.NewReader("student,homework,days\n'=1,trees,1\nann,rules,2\nann,trees,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := d.Others("ann", "trees"); n != 2 {
		t.Errorf("ann has used %d days for other homework", n)
	}
	d.Set("ann", "trees", 0)
	d.Set("bob", "trees", 3)
	var b strings.Builder
	if err := d.Write(&b); err != nil || b.String() != "student,homework,days\n'=1,trees,1\nann,rules,2\nbob,trees,3\n" {
		t.Errorf("%v\n%s", err, b.String())
	}
	for _, text := range []string{"", "a,b,c\n", "student,homework,days\nann,trees,-1\n", "student,homework,days\nann,trees,x\n"} {
		if _, err := ReadLateDays(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken for a table of late days", text)
		}
	}
}
