package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// Limits of streamlines.
const (
	streamCells = 28 // cells in each direction; a cell belongs to one line
	streamStep  = 0.3 / streamCells
	streamMost  = 4000 // maximum number of steps of a line
)

// Streamlines draws lines along a vector field (u, v) = f(x, y) over a rectangle, about
// evenly spaced. See [Chart.Streamlines].
func Streamlines(f func(x, y float64) (u, v float64), x0, x1, y0, y1 float64) *Chart {
	return New().Streamlines(f, x0, x1, y0, y1)
}

func ascend(x0, x1, y0, y1 float64) bool {
	return x0 < x1 && y0 < y1 && isFinite(x1-x0) && isFinite(y1-y0)
}

func rectangleError(verb string, x0, x1, y0, y1 float64) error {
	return fmt.Errorf("chart.%s: x and y must ascend, got x from %g to %g and y from %g to %g", verb, x0, x1, y0, y1)
}

// Streamlines adds lines that a particle carried by the field (u, v) = f(x, y) would follow, with
// an arrow on each. They do not show the strength of the field. The rectangle is cut into cells. A
// line continues until it leaves the rectangle, enters a cell of another line, or reaches a point
// where the field is zero or not finite. Lines begin in the cells that are still free, from the
// border inwards. Each line is computed in both directions by the classical Runge–Kutta method with
// steps of equal length.
func (c *Chart) Streamlines(f func(x, y float64) (u, v float64), x0, x1, y0, y1 float64) *Chart {
	if !ascend(x0, x1, y0, y1) {
		c.fail(rectangleError("Streamlines", x0, x1, y0, y1))
		return c
	}
	s := &streams{f: f, x0: x0, y0: y0, dx: x1 - x0, dy: y1 - y0}
	color := figure.Class(0)
	lines := mark{kind: line, style: style{width: 1.2, color: &color}, own: &lineData{computed: true}}
	arrows := &arrowsData{heads: true}
	heads := mark{kind: vectors, style: style{color: &color}, own: arrows}
	s.seeds(func(i, j int) {
		path := s.follow((float64(i)+0.5)/streamCells, (float64(j)+0.5)/streamCells)
		if len(path) < 8 {
			return
		}
		for _, p := range path {
			lines.x, lines.y = append(lines.x, x0+s.dx*p[0]), append(lines.y, y0+s.dy*p[1])
		}
		lines.x, lines.y = append(lines.x, math.NaN()), append(lines.y, math.NaN())
		m := len(path) / 2
		a, b := path[m], path[m+1]
		heads.x, heads.y = append(heads.x, x0+s.dx*b[0]), append(heads.y, y0+s.dy*b[1])
		arrows.u, arrows.v = append(arrows.u, s.dx*(b[0]-a[0])), append(arrows.v, s.dy*(b[1]-a[1]))
	})
	if c.x.lo == c.x.hi && !c.x.fixed && !c.y.fixed {
		c.x.lo, c.x.hi, c.x.fixed = x0, x1, true
		c.y.lo, c.y.hi, c.y.fixed = y0, y1, true
	}
	return c.add(heads).add(lines)
}

// streams finds streamlines in the unit square.
type streams struct {
	f              func(x, y float64) (u, v float64)
	x0, y0, dx, dy float64
	taken          [streamCells][streamCells]int // the number of the line in each cell
	lines          int
}

// seeds calls do for each cell, from the border inwards, that is still free.
func (s *streams) seeds(do func(i, j int)) {
	for ring := range (streamCells + 1) / 2 {
		last := streamCells - 1 - ring
		visit := func(i, j int) {
			if s.taken[j][i] == 0 {
				do(i, j)
			}
		}
		for k := ring; k <= last; k++ {
			visit(k, ring)
			visit(last, k)
			visit(last-k+ring, last)
			visit(ring, last-k+ring)
		}
	}
}

// direction returns the direction of the field in the unit square, as a vector of length 1. ok is
// false where the field is zero or not finite.
func (s *streams) direction(p [2]float64) (d [2]float64, ok bool) {
	u, v := s.f(s.x0+s.dx*p[0], s.y0+s.dy*p[1])
	u, v = u/s.dx, v/s.dy
	l := math.Hypot(u, v)
	if !isFinite(l) || l == 0 {
		return d, false
	}
	return [2]float64{u / l, v / l}, true
}

// step takes one step of the Runge–Kutta method.
func (s *streams) step(p [2]float64, h float64) (next [2]float64, ok bool) {
	var k [4][2]float64
	for i, part := range [4]float64{0, 0.5, 0.5, 1} {
		at := p
		if i > 0 {
			at[0] += part * h * k[i-1][0]
			at[1] += part * h * k[i-1][1]
		}
		if k[i], ok = s.direction(at); !ok {
			return p, false
		}
	}
	for i := range next {
		next[i] = p[i] + h/6*(k[0][i]+2*k[1][i]+2*k[2][i]+k[3][i])
	}
	return next, true
}

// follow returns the line through a point and marks its cells as taken.
func (s *streams) follow(x, y float64) [][2]float64 {
	s.lines++
	var halves [2][][2]float64
	for side, h := range [2]float64{-streamStep, streamStep} {
		p := [2]float64{x, y}
		ci, cj := -1, -1
		for n := 0; n < streamMost; n++ {
			i, j := int(math.Floor(p[0]*streamCells)), int(math.Floor(p[1]*streamCells))
			if i < 0 || j < 0 || i >= streamCells || j >= streamCells {
				break
			}
			if i != ci || j != cj {
				if owner := s.taken[j][i]; owner != 0 && !(owner == s.lines && n == 0) {
					break // another line, or this line itself
				}
				s.taken[j][i], ci, cj = s.lines, i, j
			}
			halves[side] = append(halves[side], p)
			next, ok := s.step(p, h)
			if !ok || math.Hypot(next[0]-p[0], next[1]-p[1]) < 0.2*streamStep {
				break // around a point where the field is zero
			}
			p = next
		}
	}
	var path [][2]float64
	for k := len(halves[0]) - 1; k > 0; k-- {
		path = append(path, halves[0][k])
	}
	return append(path, halves[1]...)
}
