package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// clipSegment cuts a segment to a rectangle (Y.-D. Liang and B. Barsky, 1984).
func clipSegment(a, b figure.Point, r rect) (figure.Point, figure.Point, bool) {
	if !isFinite(a.X) || !isFinite(a.Y) || !isFinite(b.X) || !isFinite(b.Y) {
		return a, b, false
	}
	t0, t1 := 0.0, 1.0
	dx, dy := b.X-a.X, b.Y-a.Y
	for _, e := range [4][2]float64{{-dx, a.X - r.x0}, {dx, r.x1 - a.X}, {-dy, a.Y - r.y0}, {dy, r.y1 - a.Y}} {
		switch d, q := e[0], e[1]; {
		case d == 0 && q < -0.5:
			return a, b, false
		case d < 0:
			t0 = math.Max(t0, q/d)
		case d > 0:
			t1 = math.Min(t1, q/d)
		}
	}
	if t0 > t1 {
		return a, b, false
	}
	start, end := a, b
	if t0 > 0 {
		start = figure.Point{X: a.X + t0*dx, Y: a.Y + t0*dy}
	}
	if t1 < 1 {
		end = figure.Point{X: a.X + t1*dx, Y: a.Y + t1*dy}
	}
	return start, end, true
}

// clipPolygon cuts a polygon to a rectangle (I. Sutherland and G. Hodgman, 1974).
func clipPolygon(pts []figure.Point, r rect) []figure.Point {
	for _, side := range []func(figure.Point) float64{
		func(q figure.Point) float64 { return q.X - r.x0 },
		func(q figure.Point) float64 { return r.x1 - q.X },
		func(q figure.Point) float64 { return q.Y - r.y0 },
		func(q figure.Point) float64 { return r.y1 - q.Y },
	} {
		var out []figure.Point
		for i, b := range pts {
			a := pts[(i+len(pts)-1)%len(pts)]
			da, db := side(a), side(b)
			if (da < 0) != (db < 0) {
				t := da / (da - db)
				out = append(out, figure.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)})
			}
			if db >= 0 {
				out = append(out, b)
			}
		}
		pts = out
	}
	return pts
}
