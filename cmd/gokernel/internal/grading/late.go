package grading

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Policy is a course's rule for late submissions:
//
//	{"due": {"trees": "2026-11-20 23:59"}, "zone": "Europe/Berlin", "penalty": 10, "last": 5, "free": 3,
//	 "extensions": {"ann": {"trees": "2026-11-25 23:59"}}}
type Policy struct {
	Due        map[string]string            // deadlines, by the name of the homework
	Zone       string                       // time zone of the deadlines, such as Europe/Berlin; default: local time
	Penalty    float64                      // percent of the points that each day late costs
	Last       int                          // after this many days, a submission earns nothing; 0 means no limit
	Free       int                          // days that each student may be late without a penalty, over the course
	Extensions map[string]map[string]string // deadlines by student and homework

	zone *time.Location
}

// ReadPolicy reads a policy and checks it.
func ReadPolicy(b []byte) (*Policy, error) {
	in := json.NewDecoder(bytes.NewReader(b))
	in.DisallowUnknownFields()
	p := &Policy{}
	if err := in.Decode(p); err != nil {
		return nil, fmt.Errorf("it must be a policy in JSON: %w", err)
	}
	var err error
	if p.zone, err = time.LoadLocation(p.Zone); err != nil {
		return nil, fmt.Errorf("zone must be the name of a time zone, such as Europe/Berlin, got %q", p.Zone)
	}
	if p.Zone == "" {
		p.zone = time.Local
	}
	switch {
	case !(p.Penalty >= 0 && p.Penalty <= 100):
		return nil, fmt.Errorf("penalty must be between 0 and 100 percent, got %v", p.Penalty)
	case p.Last < 0:
		return nil, fmt.Errorf("last must not be negative, got %d", p.Last)
	case p.Free < 0:
		return nil, fmt.Errorf("free must not be negative, got %d", p.Free)
	}
	for name, text := range p.Due {
		if _, err := ParseTime(text, p.zone); err != nil {
			return nil, fmt.Errorf("due, %s: %w", name, err)
		}
	}
	for student, list := range p.Extensions {
		for name, text := range list {
			if _, err := ParseTime(text, p.zone); err != nil {
				return nil, fmt.Errorf("extensions, %s, %s: %w", student, name, err)
			}
			if _, ok := p.Due[name]; !ok {
				return nil, fmt.Errorf("extensions, %s: %s must be a homework with a deadline in due", student, name)
			}
		}
	}
	return p, nil
}

// Deadline returns the deadline of a student, and false if the homework has none.
func (p *Policy) Deadline(homework, student string) (time.Time, bool) {
	text, ok := p.Due[homework]
	if own, extended := p.Extensions[student][homework]; extended {
		text = own
	}
	at, err := ParseTime(text, p.zone)
	return at, ok && err == nil
}

// Time reads a time, by default in the zone of the policy.
func (p *Policy) Time(text string) (time.Time, error) { return ParseTime(text, p.zone) }

// timeLayouts lists the accepted formats of a time. nbgrader's timestamp.txt has the last format.
var timeLayouts = []string{time.RFC3339, "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05.999999"}

// ParseTime reads a time. If the text has no zone, the time is in the given zone.
func ParseTime(text string, zone *time.Location) (time.Time, error) {
	text = strings.TrimSpace(text)
	if zone == nil {
		zone = time.Local
	}
	if at := strings.LastIndex(text, " "); at > 0 && len(text) > at+1 && text[at+1] >= 'A' && text[at+1] <= 'Z' {
		if named, err := time.LoadLocation(text[at+1:]); err == nil {
			text, zone = text[:at], named
		}
	}
	for _, layout := range timeLayouts {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("a time must be like 2026-11-20 23:59, got %q", text)
}

// Late is how late a submission is, and what that costs.
type Late struct {
	At    time.Time // when it was handed in
	Days  int       // days after the deadline, rounded up
	Used  int       // late days that the student has used for it
	Share float64   // fraction of the points that it loses
}

// Late applies the policy to a submission. left is the number of late days that the student still
// has.
func (p *Policy) Late(at, deadline time.Time, left int) *Late {
	l := &Late{At: at}
	over := at.Sub(deadline)
	if over <= 0 {
		return l
	}
	l.Days = int((over + 24*time.Hour - 1) / (24 * time.Hour))
	if p.Last > 0 && l.Days > p.Last {
		l.Share = 1
		return l
	}
	l.Used = max(0, min(l.Days, left))
	l.Share = math.Min(1, p.Penalty/100*float64(l.Days-l.Used))
	return l
}

// lost returns how many of the earned points a submission loses.
func (l *Late) lost(earned float64) float64 {
	if l == nil {
		return 0
	}
	return math.Round(earned*l.Share*100) / 100
}

// text describes the delay for a student's page.
func (l *Late) text(earned float64) string {
	if l == nil || l.Days == 0 {
		return ""
	}
	text := "Handed in " + plural(float64(l.Days), "day") + " late."
	if l.Used > 0 {
		text += " " + plural(float64(l.Used), "late day") + " used."
	}
	if lost := l.lost(earned); lost > 0 {
		text += " This costs " + plural(lost, "point") + "."
	}
	return text
}

// LateDays counts the late days that students have used, by homework.
type LateDays map[string]map[string]int

// ReadLateDays reads the table that [LateDays.Write] writes.
func ReadLateDays(r io.Reader) (LateDays, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], lateColumns) {
		return nil, errors.New("it must be a table of late days with the columns " + strings.Join(lateColumns, ", "))
	}
	d := LateDays{}
	for i, row := range rows[1:] {
		n, err := strconv.Atoi(row[2])
		if err != nil || n < 0 {
			return nil, fmt.Errorf("line %d: days must be a whole number that is not negative, got %q", i+2, row[2])
		}
		d.Set(untext(row[0]), row[1], n)
	}
	return d, nil
}

var lateColumns = []string{"student", "homework", "days"}

// Set sets the days that a student has used for a homework.
func (d LateDays) Set(student, homework string, days int) {
	if d[student] == nil {
		d[student] = map[string]int{}
	}
	d[student][homework] = days
}

// Others returns the days that a student has used for other homework.
func (d LateDays) Others(student, homework string) (days int) {
	for name, n := range d[student] {
		if name != homework {
			days += n
		}
	}
	return days
}

// Write writes a line for each student and homework with late days.
func (d LateDays) Write(w io.Writer) error {
	rows := [][]string{}
	for student, list := range d {
		for homework, n := range list {
			if n > 0 {
				rows = append(rows, []string{Text(student), homework, strconv.Itoa(n)})
			}
		}
	}
	slices.SortFunc(rows, func(a, b []string) int { return slices.Compare(a, b) })
	out := csv.NewWriter(w)
	out.Write(lateColumns)
	out.WriteAll(rows)
	return out.Error()
}
