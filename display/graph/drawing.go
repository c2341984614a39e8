package graph

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// drawing is a graph whose nodes have positions.
type drawing struct {
	g      *Graph
	l      *layered
	boxes  []*drawn
	at     map[*vertex]int // index of a node in boxes
	top    float64         // y of the nodes in the figure
	labels []edgeLabel     // drawn on top of edges and nodes
}

type edgeLabel struct {
	at   figure.Point
	text string
}

// arrange positions all nodes.
func (g *Graph) arrange() (*drawing, error) {
	d := &drawing{g: g, l: &layered{gap: gapX + 10}, boxes: make([]*drawn, len(g.nodes)), at: map[*vertex]int{}}
	for i, v := range g.nodes {
		d.boxes[i] = g.measure(v)
		d.at[v] = i
		size, depth := d.boxes[i].w, d.boxes[i].h
		if g.right {
			size, depth = depth, size
		}
		d.l.add(size, depth, v.layer)
	}
	between := gapY
	for _, e := range g.edges {
		if e.from == e.to {
			continue
		}
		if e.label != "" && g.right {
			between = math.Max(between, edgeFont.Width(e.label)+40)
		}
		room := 0.0
		if e.label != "" {
			room = edgeFont.Width(e.label) + 8
			if g.right {
				room = 18
			}
		}
		d.l.edge(d.at[e.from], d.at[e.to], room)
	}
	if g.right {
		between += 14
	}
	return d, d.l.layout(between)
}

// sheet returns an empty figure with the title.
func (d *drawing) sheet() (*figure.Figure, error) {
	d.top = margin
	if d.g.title != "" {
		d.top = 40
	}
	width, height := d.l.width, d.l.height
	if d.g.right {
		width, height = height, width
	}
	beside, above := d.g.loops()
	d.top += above
	w := math.Max(width+2*margin+beside, headFont.Width(d.g.title)+2*margin)
	h := height + d.top + margin
	if w > figure.MaxSide || h > figure.MaxSide {
		return nil, fmt.Errorf("graph: the graph would be %.0f×%.0f pixels large, more than %d", w, h, figure.MaxSide)
	}
	f := figure.New(math.Max(figure.MinSide, w), math.Max(figure.MinSide, h))
	if d.g.title != "" {
		f.Label(margin, 24, d.g.title, figure.TextStyle{Font: headFont, Color: figure.Ink()})
	}
	return f, nil
}

// point converts a position in the layout to one in the figure.
func (d *drawing) point(x, y float64) figure.Point {
	if d.g.right {
		x, y = y, x
	}
	return figure.Point{X: margin + x, Y: d.top + y}
}

// center returns the center of the i-th node.
func (d *drawing) center(i int) figure.Point { return d.point(d.l.center(i)) }

// drawEdges draws all edges and chooses the positions of their labels.
func (d *drawing) drawEdges(f *figure.Figure) {
	g := d.g
	largest := 0.0
	for _, e := range g.edges {
		if !math.IsNaN(e.weight) {
			largest = math.Max(largest, math.Abs(e.weight))
		}
	}
	path := 0
	for _, e := range g.edges {
		s := e.style(largest)
		if e.from == e.to {
			p := g.loop(f, d.point, d.l, d.at[e.from], s)
			if e.label != "" {
				d.labels = append(d.labels, edgeLabel{p, e.label})
			}
			continue
		}
		points := d.l.path(path)
		path++
		pts := make([]figure.Point, len(points))
		for i, p := range points {
			pts[i] = d.point(p[0], p[1])
		}
		pts = g.part(pts, e)
		pts = d.aside(pts, e)
		g.clip(pts, d.boxes[d.at[e.from]], d.boxes[d.at[e.to]])
		g.draw(f, pts, s)
		if e.label != "" {
			d.labels = append(d.labels, edgeLabel{middle(pts), e.label})
		}
	}
}

// style returns the style of an edge, relative to the largest weight.
func (e *edge) style(largest float64) figure.Style {
	s := figure.Style{Stroke: figure.Soft(), Width: 1.2}
	if e.dashed {
		s.Dash = []float64{4, 3}
	}
	if !math.IsNaN(e.weight) && largest > 0 {
		t := math.Abs(e.weight) / largest
		s.Width = 0.5 + 2.5*t
		s.Stroke = figure.Opacity(figure.Class(0), 0.25+0.75*t)
		if e.weight < 0 {
			s.Stroke = figure.Opacity(figure.Class(1), 0.25+0.75*t)
		}
	}
	return s
}

// part bends an edge that would coincide with others between the same nodes.
func (g *Graph) part(pts []figure.Point, e *edge) []figure.Point {
	if len(pts) != 2 {
		return pts
	}
	n, k := 0, 0
	for _, o := range g.edges {
		if o.from == e.from && o.to == e.to || o.from == e.to && o.to == e.from {
			if o == e {
				k = n
			}
			n++
		}
	}
	if n < 2 {
		return pts
	}
	dx, dy := pts[1].X-pts[0].X, pts[1].Y-pts[0].Y
	d := math.Hypot(dx, dy)
	if d == 0 {
		return pts
	}
	aside := 34 * (float64(k) - float64(n-1)/2)
	if e.from.id > e.to.id {
		aside = -aside // seen from the other end, the edge bends to the same side
	}
	m := figure.Point{X: (pts[0].X+pts[1].X)/2 - aside*dy/d, Y: (pts[0].Y+pts[1].Y)/2 + aside*dx/d}
	return []figure.Point{pts[0], m, pts[1]}
}

// loops returns the space for loops: next to the last nodes, or above the first ones.
func (g *Graph) loops() (right, above float64) {
	for _, e := range g.edges {
		switch {
		case e.from != e.to:
		case g.right:
			above = 36
		default:
			right = math.Max(right, 30+edgeFont.Width(e.label))
		}
	}
	return right, above
}

// loop draws an edge from a node to itself and returns the position of its label.
func (g *Graph) loop(f *figure.Figure, pt func(x, y float64) figure.Point, l *layered, i int, s figure.Style) figure.Point {
	x, y := l.center(i)
	c := pt(x, y)
	// The loop is on the side across the direction of the layers.
	side, up := l.nodes[i].size/2, figure.Point{X: 1}
	if g.right {
		up = figure.Point{Y: -1}
	}
	at := func(out, along float64) figure.Point {
		return figure.Point{X: c.X + up.X*out - up.Y*along, Y: c.Y + up.Y*out + up.X*along}
	}
	end := at(side, 8)
	f.Curve(at(side, -8), at(side+30, -24), at(side+30, 24), end, s)
	if !g.undirected {
		arrow(f, at(side+14, 14), end, s)
	}
	return at(side+24, 0)
}

// clip moves the ends of an edge from the centers of its nodes to their borders.
func (g *Graph) clip(pts []figure.Point, from, to *drawn) {
	cut := func(c, toward figure.Point, d *drawn) figure.Point {
		dx, dy := toward.X-c.X, toward.Y-c.Y
		if dx == 0 && dy == 0 {
			return c
		}
		t := math.Min(d.w/2/math.Abs(dx), d.h/2/math.Abs(dy))
		if g.round {
			t = d.w / 2 / math.Hypot(dx, dy)
		}
		t = math.Min(t, 1)
		return figure.Point{X: c.X + t*dx, Y: c.Y + t*dy}
	}
	n := len(pts)
	first, last := pts[0], pts[n-1]
	pts[0] = cut(first, pts[1], from)
	pts[n-1] = cut(last, pts[n-2], to)
}

// draw draws a smooth line through the points with an arrowhead at its end.
func (g *Graph) draw(f *figure.Figure, pts []figure.Point, s figure.Style) {
	n := len(pts)
	end := pts[n-1]
	before := pts[n-2]
	if !g.undirected {
		// The line ends inside the arrowhead, so that its tip is sharp.
		dx, dy := end.X-before.X, end.Y-before.Y
		if d := math.Hypot(dx, dy); d > 8 {
			pts[n-1] = figure.Point{X: end.X - 5*dx/d, Y: end.Y - 5*dy/d}
		}
	}
	if n == 2 {
		f.Line(pts[0].X, pts[0].Y, pts[1].X, pts[1].Y, s)
	}
	for i := 0; i+1 < n && n > 2; i++ {
		b := spline(pts, i)
		f.Curve(b[0], b[1], b[2], b[3], s)
	}
	if !g.undirected {
		arrow(f, before, end, s)
	}
}

func arrow(f *figure.Figure, from, tip figure.Point, s figure.Style) {
	dx, dy := tip.X-from.X, tip.Y-from.Y
	d := math.Hypot(dx, dy)
	if d == 0 {
		return
	}
	dx, dy = dx/d, dy/d
	size := 7 + s.Width
	f.Polygon([]figure.Point{tip,
		{X: tip.X - size*dx - 0.42*size*dy, Y: tip.Y - size*dy + 0.42*size*dx},
		{X: tip.X - size*dx + 0.42*size*dy, Y: tip.Y - size*dy - 0.42*size*dx},
	}, figure.Style{Fill: s.Stroke})
}

// middle returns the point halfway along a line.
func middle(pts []figure.Point) figure.Point {
	total := 0.0
	for i := 1; i < len(pts); i++ {
		total += math.Hypot(pts[i].X-pts[i-1].X, pts[i].Y-pts[i-1].Y)
	}
	left := total / 2
	for i := 1; i < len(pts); i++ {
		d := math.Hypot(pts[i].X-pts[i-1].X, pts[i].Y-pts[i-1].Y)
		if d >= left && d > 0 {
			t := left / d
			return figure.Point{X: pts[i-1].X + t*(pts[i].X-pts[i-1].X), Y: pts[i-1].Y + t*(pts[i].Y-pts[i-1].Y)}
		}
		left -= d
	}
	return pts[0]
}

func (g *Graph) box(f *figure.Figure, b *drawn, c figure.Point) {
	style := figure.Style{Fill: figure.Shade(), Stroke: figure.Frame(), Width: 1.1}
	if b.v.class >= 0 {
		color := figure.Class(b.v.class)
		style.Fill, style.Stroke = figure.Mix(figure.Paper(), color, 0.2), color
	}
	if b.v.marked {
		style.Stroke, style.Width = figure.Accent(), 2.2
	}
	if g.round {
		f.Marker(c.X, c.Y, b.w/2, figure.Circle, style)
	} else {
		f.Rect(c.X-b.w/2, c.Y-b.h/2, b.w, b.h, 6, style)
	}
	y := c.Y - (15*float64(len(b.title))+14*float64(len(b.lines)))/2 + 12
	for _, s := range b.title {
		f.Label(c.X, y, s, figure.TextStyle{Font: boxFont, Color: figure.Ink(), Anchor: figure.Middle})
		y += 15
	}
	for _, s := range b.lines {
		f.Label(c.X, y-1, s, figure.TextStyle{Font: lineFont, Color: figure.Soft(), Anchor: figure.Middle})
		y += 14
	}
}
