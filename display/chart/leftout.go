package chart

import (
	"fmt"
)

// leftOut counts the values that cannot be drawn.
type leftOut struct {
	notFinite   int
	notPositive int // on a logarithmic axis
	rows        int // of a table, in which something is missing
}

func (l leftOut) any() bool { return l.notFinite+l.notPositive+l.rows > 0 }

// note says what is left out.
func (l leftOut) note() string {
	say := func(n int, one, many string) string {
		if n == 1 {
			return "1 value " + one
		}
		return fmt.Sprintf("%d values %s", n, many)
	}
	switch {
	case l.rows == 1:
		return "1 row with a missing value is left out" + leftOut{notPositive: l.notPositive}.behind()
	case l.rows > 0:
		return fmt.Sprintf("%d rows with missing values are left out", l.rows) + leftOut{notPositive: l.notPositive}.behind()
	case l.notPositive == 0:
		return say(l.notFinite, "that is not finite is left out", "that are not finite are left out")
	case l.notFinite == 0:
		return say(l.notPositive, "that is not positive is left out of the logarithmic axis", "that are not positive are left out of the logarithmic axis")
	}
	return fmt.Sprintf("%d values are left out: %d not finite, %d not positive on a logarithmic axis", l.notFinite+l.notPositive, l.notFinite, l.notPositive)
}

// behind is the note as it follows another one.
func (l leftOut) behind() string {
	if !l.any() {
		return ""
	}
	return "; " + l.note()
}

// count reports whether both numbers can be drawn, and counts what cannot.
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
