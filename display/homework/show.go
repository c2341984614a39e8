package homework

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// MIME is the MIME type of a cell's result for grading programs: a [Report] in JSON.
const MIME = "application/vnd.gokernel.points+json"

// Report is the result of a cell of checks for a grader.
type Report struct {
	Points float64     `json:"points"`
	Of     float64     `json:"of"`
	Checks []CheckLine `json:"checks"`
}

// CheckLine is one check in a report.
type CheckLine struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
	Of     float64 `json:"of"`
	Text   string  `json:"text,omitempty"` // what is wrong
	Hint   string  `json:"hint,omitempty"`
	// Kind is what the check tests, and Failure is the kind of what is wrong, such as "a panic".
	// Neither contains test data.
	Kind    string `json:"kind,omitempty"`
	Failure string `json:"failure,omitempty"`
	// Hidden reports whether Text omits calls and results.
	Hidden bool `json:"hidden,omitempty"`
}

// Display runs the check if it has not run yet, and shows the result.
func (t *Task) Display() (display.Bundle, error) { return show(t) }

// Display runs the check if it has not run yet, and shows the result.
func (t *Text) Display() (display.Bundle, error) { return show(t) }

// Display runs the check if it has not run yet, and shows the result.
func (p *Plot) Display() (display.Bundle, error) { return show(p) }

// Display runs the checks that have not run yet, and shows the results.
func (s *Sheet) Display() (display.Bundle, error) { return show(s) }

// Report runs the checks that have not run yet, and counts the points.
func (s *Sheet) Report() (Report, error) {
	if err := s.Run(alone{}); err != nil {
		return Report{}, err
	}
	return report(s.cards()), nil
}

func show(it Item) (display.Bundle, error) {
	if err := it.Run(alone{}); err != nil {
		return display.Bundle{}, err
	}
	cards := it.cards()
	r := report(cards)
	return display.Bundle{Data: map[string]any{
		display.MIMEText: number64(r.Points),
		display.MIMEHTML: page(cards, r),
		MIME:             r,
	}}, nil
}

// earned returns the points of a completed check.
func (c *card) earned() float64 {
	right := 0
	for _, o := range c.done {
		if o.ok {
			right++
		}
	}
	switch {
	case right == len(c.done):
		return c.points
	case c.partial:
		return math.Round(c.points*float64(right)/float64(len(c.done))*100) / 100
	}
	return 0
}

// problem describes what is wrong with a check, or returns "".
func (c *card) problem() string {
	var failed []outcome
	for _, o := range c.done {
		if !o.ok {
			failed = append(failed, o)
		}
	}
	switch {
	case len(failed) == 0:
		return ""
	case c.hidden:
		text := plural(len(failed), "hidden check") + " failed"
		if c.kind != "" {
			text += " (" + c.kind + ")"
		}
		if how := c.failure(); how != "" {
			return text + ": " + how
		}
		return text + ": other data, same task"
	case len(failed) > 3:
		return failed[0].problem + fmt.Sprintf("; and %d more", len(failed)-1)
	}
	var all []string
	for _, o := range failed {
		all = append(all, o.problem)
	}
	return strings.Join(all, "; ")
}

// failure returns the kinds of what is wrong with a check, or "".
func (c *card) failure() string {
	var kinds []string
	for _, o := range c.done {
		if !o.ok && o.failure != "" {
			kinds = append(kinds, o.failure)
		}
	}
	return strings.Join(unique(kinds), ", ")
}

func report(cards []*card) Report {
	var r Report
	for _, c := range cards {
		line := CheckLine{Name: c.name, Points: c.earned(), Of: c.points, Text: c.problem(), Hidden: c.hidden}
		if line.Text != "" {
			line.Hint, line.Kind, line.Failure = c.hint, c.kind, c.failure()
		}
		r.Points += line.Points
		r.Of += line.Of
		r.Checks = append(r.Checks, line)
	}
	r.Points, r.Of = round(r.Points), round(r.Of)
	return r
}

// round removes the rounding errors of decimal fractions of points: 0.1 + 0.2 is 0.3.
func round(points float64) float64 { return math.Round(points*1e6) / 1e6 }

func number64(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Tick and cross also differ in shape.
const (
	right = `<span style="color:#1a7f37" role="img" aria-label="right">✓</span>`
	wrong = `<span style="color:#d1242f" role="img" aria-label="wrong">✗</span>`
)

// page returns the table for readers.
func page(cards []*card, r Report) string {
	var b strings.Builder
	b.WriteString(`<table class="gokernel-checks" style="border-collapse:collapse;text-align:left">` + "\n")
	fmt.Fprintf(&b, `<caption style="text-align:left;font-weight:600;padding:2px 0 6px">%s of %s</caption>`+"\n", number64(r.Points), pointsText(r.Of))
	for _, c := range cards {
		mark := right
		if c.problem() != "" {
			mark = wrong
		}
		text := c.problem()
		if text == "" {
			text = c.praise()
		}
		fmt.Fprintf(&b, `<tr><td style="vertical-align:top">%s</td><td style="text-align:left;white-space:normal;overflow-wrap:anywhere">%s`, mark, html.EscapeString(text))
		if c.problem() != "" && c.hint != "" {
			fmt.Fprintf(&b, `<br><em>Hint: %s</em>`, html.EscapeString(c.hint))
		}
		fmt.Fprintf(&b, `</td><td style="vertical-align:top;text-align:right;white-space:nowrap">%s / %s</td></tr>`+"\n", number64(c.earned()), number64(c.points))
	}
	b.WriteString("</table>")
	return b.String()
}

// praise describes what is right.
func (c *card) praise() string {
	if c.hidden {
		return plural(len(c.done), "hidden check") + " passed"
	}
	if len(c.done) == 0 {
		return c.name
	}
	o := c.done[0]
	text := o.call
	if o.got != "" {
		text += " is " + o.got
	}
	if n := len(c.done) - 1; n > 0 {
		text += fmt.Sprintf(", and %s right", plural(n, "more check"))
	}
	return text
}

func pointsText(p float64) string {
	if p == 1 {
		return "1 point"
	}
	return number64(p) + " points"
}
