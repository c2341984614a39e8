package chart

import (
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

// manyPoints is how many markers an SVG holds as shapes; beyond it they become a
// picture.
const manyPoints = 2000

// cloudColors is the number of steps of a continuous scale in that picture.
const cloudColors = 15

// radius of points when there are n of them.
func radius(n int) float64 {
	switch {
	case n <= 300:
		return 4
	case n <= 1000:
		return 3.1
	case n <= 5000:
		return 2.3
	case n <= 50000:
		return 1.5
	case n <= 500000:
		return 1
	}
	return 0.7
}

// largestRadius is that of the largest point of those whose areas show something.
const largestRadius = 13

// leastRadius is that of the smallest point that is seen.
const leastRadius = 1.2

// sized returns the radius of a point whose area shows the size.
func (m *mark) sized(size float64) float64 {
	if m.largest <= 0 {
		return orElse(m.radius, largestRadius)
	}
	return math.Max(leastRadius, orElse(m.radius, largestRadius)*math.Sqrt(size/m.largest))
}

// enlarged counts the points that are drawn larger than their size says.
func (m *mark) enlarged() int {
	n := 0
	for i, s := range m.size {
		if m.largest > 0 && isFinite(m.x[i]) && isFinite(m.y[i]) && orElse(m.radius, largestRadius)*math.Sqrt(s/m.largest) < leastRadius {
			n++
		}
	}
	return n
}

// count is how many points decide about radius and opacity: of panels the most that one
// of them has.
func (m *mark) count() int { return max(len(m.x), m.crowd) }

// mostCovered is how many others may cover a point in the mean, so that lines of the color
// of the paper around the points tell them apart and do not erase them.
const mostCovered = 0.6

// fewAlike is how many points of a panel have lines around them at most, so that those of
// several panels look alike.
const fewAlike = 300

// dense reports whether points of the given radius lie so close that lines around them
// would hide what is below.
func dense(pts []figure.Point, r float64) bool {
	if len(pts) < 300 { // each is seen
		return false
	}
	cells := map[[2]int]int{}
	cell := func(q figure.Point) [2]int {
		return [2]int{int(math.Floor(q.X / (2 * r))), int(math.Floor(q.Y / (2 * r)))}
	}
	n := 0
	for _, q := range pts {
		if isFinite(q.X + q.Y) {
			cells[cell(q)]++
			n++
		}
	}
	pairs := 0.0
	for _, c := range cells {
		pairs += float64(c) * float64(c-1)
	}
	return pairs > mostCovered*float64(n)
}

// opacityOf is the opacity of points without one of their own.
func opacityOf(m *mark) float64 {
	n := m.count()
	switch {
	case m.size != nil:
		return 0.55 // large points lie on each other
	case n > 1000:
		return math.Max(0.25, 0.75-0.1*math.Log10(float64(n)/1000))
	}
	return 0.85
}

func (p *panel) points(f *figure.Figure, m *mark, color figure.Color) {
	if m.bin != nil {
		m.bin.draw(p, f, color)
		return
	}
	n := len(m.x)
	r := orElse(m.radius, radius(m.count()))
	if p.inner && m.radius == 0 {
		r *= 0.8
	}
	alpha := m.alpha
	if alpha == 0 {
		alpha = opacityOf(m)
	}
	order := make([]int, 0, n)
	for i := range n {
		order = append(order, i)
	}
	if m.class != nil && n > manyPoints/4 && n <= manyPoints {
		// Classes that are drawn one after the other keep the file small.
		sort.SliceStable(order, func(a, b int) bool { return m.class[order[a]] < m.class[order[b]] })
	}
	radius := func(int) float64 { return r }
	if m.size != nil {
		// Small points lie on large ones.
		sort.SliceStable(order, func(a, b int) bool { return m.size[order[a]] > m.size[order[b]] })
		radius = func(i int) float64 { return m.sized(m.size[i]) }
		r = m.sized(m.largest)
	}
	crowded := n <= manyPoints && m.size == nil && !m.ring && m.swarm == 0 && (m.flat || m.crowd >= fewAlike || dense(p.pts(m.x, m.y), r))
	covered, _ := p.raster()
	crowded = crowded && !covered
	lo, hi := m.valueRange(m.value)
	look := func(i int) (figure.Color, figure.Shape) {
		switch {
		case m.class != nil:
			return figure.Class(m.class[i]), figure.Shape(m.class[i] % figure.Shapes)
		case m.value != nil:
			return m.paint(m.value[i], lo, hi), figure.Circle
		}
		return color, figure.Circle
	}
	if n > manyPoints {
		cloud := figure.NewCloud(p.area.x0-r, p.area.y0-r, p.area.w()+2*r, p.area.h()+2*r)
		for _, i := range order {
			q := p.pt(m.x[i], m.y[i])
			if p.area.contains(q.X, q.Y) {
				c, shape := look(i)
				if m.value != nil {
					if c.A == 0 {
						continue
					}
					// Few colors make a small picture.
					c = m.scheme.At(math.Round(cloudColors*share(m.value[i], lo, hi)) / cloudColors)
				}
				cloud.Marker(q.X, q.Y, radius(i), shape, figure.Opacity(c, alpha))
			}
		}
		cloud.Place(f)
		return
	}
	for _, i := range order {
		q := p.pt(m.x[i], m.y[i])
		if !p.area.contains(q.X, q.Y) {
			continue
		}
		c, shape := look(i)
		s := figure.Style{Fill: figure.Opacity(c, alpha), Stroke: figure.Paper(), Width: 0.6}
		if crowded {
			s = figure.Style{Fill: figure.Opacity(c, math.Min(alpha, 0.6))}
		}
		if m.size != nil {
			// An edge of its own color shows a point through others.
			s.Stroke, s.Width = figure.Mix(c, figure.Ink(), 0.35), 0.8
		}
		if covered {
			// On a ground of its own color a point needs a dark edge.
			s.Stroke, s.Width = figure.Mix(c, figure.Ink(), 0.6), 0.8
		}
		if m.ring {
			s = figure.Style{Stroke: figure.Opacity(c, orElse(m.alpha, 1)), Width: orElse(m.width, 1.5)}
		} else if c.A == 0 {
			s = figure.Style{Stroke: figure.Soft(), Width: 1} // a value that has no color
		}
		f.Marker(q.X, q.Y, radius(i), shape, s)
	}
}
