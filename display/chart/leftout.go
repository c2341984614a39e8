package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
)

// leftOut counts the values that cannot be drawn, and keeps notes for the reader.
type leftOut struct {
	notFinite   int
	notPositive int // values that a logarithmic axis cannot show
	rows        int // rows of a table in which something is missing
	crowded     int // points that do not fit into their swarm, but are drawn
	notes       []string
	binned      string // how a very large number of points is shown
}

func (l leftOut) any() bool {
	return l.notFinite+l.notPositive+l.rows+l.crowded+len(l.notes)+len(l.binned) > 0
}

// add adds the counts of other.
func (l *leftOut) add(more leftOut) {
	l.notFinite += more.notFinite
	l.notPositive += more.notPositive
	l.rows += more.rows
	l.crowded += more.crowded
	if more.binned != "" {
		l.binned = more.binned
	}
	for _, s := range more.notes {
		if !slices.Contains(l.notes, s) {
			l.notes = append(l.notes, s)
		}
	}
}

// note returns a sentence about what is left out, with further notes for the reader.
func (l leftOut) note() string {
	var out []string
	if l.notFinite+l.notPositive+l.rows > 0 {
		out = append(out, l.values())
	}
	if l.crowded == 1 {
		out = append(out, "1 point at the border of its swarm covers others")
	} else if l.crowded > 1 {
		out = append(out, fmt.Sprintf("%d points at the borders of their swarms cover each other", l.crowded))
	}
	out = append(out, l.notes...)
	if l.binned != "" {
		out = append(out, l.binned)
	}
	return strings.Join(out, "; ")
}

const (
	noteLine  = 14.0 // the height of a line of a note
	noteLines = 4    // maximum number of lines
)

// lines breaks the note into lines of at most the given width.
func (l leftOut) lines(width float64) []string {
	if !l.any() {
		return nil
	}
	return noteFont.Wrap(l.note(), width, noteLines)
}

// noteLines returns the lines of the note below a panel. Notes of neighboring panels keep a
// distance at which they cannot be read as one.
func (p *panel) noteLines(r rect) []string {
	width := r.w() - 8
	if p.inner {
		width = r.w() - 28
	}
	return p.leftOut.lines(width)
}

// writeNote writes the lines of a note above bottom, ending at right. Lines that are too long start
// at left.
func writeNote(f *figure.Figure, lines []string, left, right, bottom float64) {
	style := figure.TextStyle{Font: noteFont, Color: figure.Soft(), Anchor: figure.End}
	for i, s := range lines {
		f.Label(math.Max(right, left+noteFont.Width(s)), bottom-noteLine*float64(len(lines)-1-i), s, style)
	}
}

// values returns a phrase with the number of values that are left out.
func (l leftOut) values() string {
	say := func(n int, one, many string) string {
		if n == 1 {
			return "1 value " + one
		}
		return fmt.Sprintf("%d values %s", n, many)
	}
	switch {
	case l.rows == 1:
		return "1 row with a missing value is left out" + leftOut{notPositive: l.notPositive}.after()
	case l.rows > 0:
		return fmt.Sprintf("%d rows with missing values are left out", l.rows) + leftOut{notPositive: l.notPositive}.after()
	case l.notPositive == 0:
		return say(l.notFinite, "that is not finite is left out", "that are not finite are left out")
	case l.notFinite == 0:
		return say(l.notPositive, "that is not positive is left out of the logarithmic axis", "that are not positive are left out of the logarithmic axis")
	}
	return fmt.Sprintf("%d values are left out: %d not finite, %d not positive on a logarithmic axis", l.notFinite+l.notPositive, l.notFinite, l.notPositive)
}

// after returns the note in the form that follows another note.
func (l leftOut) after() string {
	if !l.any() {
		return ""
	}
	return "; " + l.note()
}

// count reports whether both numbers can be drawn, and counts values that cannot.
func (p *panel) count(x, y float64) bool {
	switch {
	case !isFinite(x) || !isFinite(y):
		p.leftOut.notFinite++
	case p.c.x.log && x <= 0 || p.c.y.log && y <= 0:
		p.leftOut.notPositive++
	default:
		return true
	}
	return false
}
