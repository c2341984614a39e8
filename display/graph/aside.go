package graph

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// spline returns the control points of the i-th segment of a smooth line through all points (E.
// Catmull and R. Rom, 1974). Its tangents are short enough that long segments do not overshoot
// next to short ones.
func spline(pts []figure.Point, i int) [4]figure.Point {
	a, b := pts[i], pts[i+1]
	p, q := a, b
	if i > 0 {
		p = pts[i-1]
	}
	if i+2 < len(pts) {
		q = pts[i+2]
	}
	most := 0.4 * math.Hypot(b.X-a.X, b.Y-a.Y)
	tangent := func(from, to figure.Point) figure.Point {
		t := figure.Point{X: (to.X - from.X) / 6, Y: (to.Y - from.Y) / 6}
		if l := math.Hypot(t.X, t.Y); l > most {
			t.X, t.Y = t.X*most/l, t.Y*most/l
		}
		return t
	}
	out, in := tangent(p, b), tangent(a, q)
	return [4]figure.Point{a, {X: a.X + out.X, Y: a.Y + out.Y}, {X: b.X - in.X, Y: b.Y - in.Y}, b}
}

// bezier returns the point at t of a cubic curve.
func bezier(p [4]figure.Point, t float64) figure.Point {
	u := 1 - t
	a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return figure.Point{X: a*p[0].X + b*p[1].X + c*p[2].X + d*p[3].X, Y: a*p[0].Y + b*p[1].Y + c*p[2].Y + d*p[3].Y}
}

const (
	clear      = 6  // distance of a detour from nodes
	bendRadius = 10 // radius of the corners of a detour
	pieceSteps = 24
)

// obstacle is a node that an edge must avoid.
type obstacle struct {
	at     figure.Point
	hw, hh float64 // half of its width and height
}

func (o obstacle) contains(p figure.Point) bool {
	return math.Abs(p.X-o.at.X) < o.hw && math.Abs(p.Y-o.at.Y) < o.hh
}

// obstacles returns the nodes that an edge does not join, enlarged by a margin.
func (d *drawing) obstacles(e *edge, air float64) []obstacle {
	var out []obstacle
	for i, b := range d.boxes {
		if b.v != e.from && b.v != e.to {
			out = append(out, obstacle{d.center(i), b.w/2 + air, b.h/2 + air})
		}
	}
	return out
}

// passes reports whether a smooth line through the points crosses a node.
func passes(pts []figure.Point, nodes []obstacle) bool {
	for i := range len(pts) - 1 {
		piece := spline(pts, i)
		for k := range pieceSteps {
			p := bezier(piece, (float64(k)+0.5)/pieceSteps)
			for _, o := range nodes {
				if o.contains(p) {
					return true
				}
			}
		}
	}
	return false
}

// aside reroutes an edge that would cross nodes that it does not join, on the shortest path
// around them.
func (d *drawing) aside(pts []figure.Point, e *edge) []figure.Point {
	if !passes(pts, d.obstacles(e, 2)) {
		return pts
	}
	way := detour(pts[0], pts[len(pts)-1], d.obstacles(e, clear))
	if way == nil {
		return pts
	}
	// Additional points before and after each corner keep the line straight between corners.
	out := []figure.Point{way[0]}
	for i := 1; i+1 < len(way); i++ {
		out = append(out, toward(way[i], way[i-1]), way[i], toward(way[i], way[i+1]))
	}
	return append(out, way[len(way)-1])
}

// toward returns the point between p and q at which a corner starts.
func toward(p, q figure.Point) figure.Point {
	l := math.Hypot(q.X-p.X, q.Y-p.Y)
	t := math.Min(bendRadius/math.Max(l, 1e-9), 0.4)
	return figure.Point{X: p.X + t*(q.X-p.X), Y: p.Y + t*(q.Y-p.Y)}
}

// detour returns the shortest path between two points that crosses no obstacle, or nil if there
// is none. It turns only at corners of obstacles, so a search among the corners finds it (E. W.
// Dijkstra, 1959).
func detour(from, to figure.Point, nodes []obstacle) []figure.Point {
	places := []figure.Point{from, to}
	for _, o := range nodes {
		for _, s := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			p := figure.Point{X: o.at.X + s[0]*(o.hw+1), Y: o.at.Y + s[1]*(o.hh+1)}
			if !inside(p, nodes) {
				places = append(places, p)
			}
		}
	}
	length := make([]float64, len(places))
	before, done := make([]int, len(places)), make([]bool, len(places))
	for i := range length {
		length[i] = math.Inf(1)
	}
	length[0] = 0
	for {
		at := -1
		for i, l := range length {
			if !done[i] && !math.IsInf(l, 1) && (at < 0 || l < length[at]) {
				at = i
			}
		}
		if at < 0 {
			return nil
		}
		if at == 1 {
			break
		}
		done[at] = true
		for i, p := range places {
			q := places[at]
			if l := length[at] + math.Hypot(p.X-q.X, p.Y-q.Y); !done[i] && l < length[i] && !crosses(q, p, nodes) {
				length[i], before[i] = l, at
			}
		}
	}
	way := []figure.Point{to}
	for i := 1; i != 0; {
		i = before[i]
		way = append(way, places[i])
	}
	slices.Reverse(way)
	return way
}

func inside(p figure.Point, nodes []obstacle) bool {
	return slices.ContainsFunc(nodes, func(o obstacle) bool { return o.contains(p) })
}

// crosses reports whether a segment crosses an obstacle (Y.-D. Liang and B. Barsky, 1984).
func crosses(a, b figure.Point, nodes []obstacle) bool {
	dx, dy := b.X-a.X, b.Y-a.Y
	for _, o := range nodes {
		t0, t1 := 0.0, 1.0
		for _, e := range [4][2]float64{{-dx, a.X - o.at.X + o.hw}, {dx, o.at.X + o.hw - a.X}, {-dy, a.Y - o.at.Y + o.hh}, {dy, o.at.Y + o.hh - a.Y}} {
			switch {
			case e[0] == 0 && e[1] <= 0:
				t0 = 2
			case e[0] < 0:
				t0 = math.Max(t0, e[1]/e[0])
			case e[0] > 0:
				t1 = math.Min(t1, e[1]/e[0])
			}
		}
		if t0 < t1 {
			return true
		}
	}
	return false
}
