package graph

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// mostVertices is how many nodes a graph is drawn with.
const mostVertices = 500

// Graph is a directed graph on its way to being drawn.
type Graph struct {
	nodes      []*vertex
	index      map[string]*vertex
	edges      []*edge
	title      string
	right      bool
	undirected bool
	round      bool
	err        error
}

type vertex struct {
	id     string
	text   string
	lines  []string
	class  int // -1 for none
	marked bool
	layer  int // fixed by Layer, -1 for free
}

type edge struct {
	from, to *vertex
	label    string
	weight   float64 // NaN for none
	dashed   bool
}

// New starts an empty graph.
func New() *Graph { return &Graph{index: map[string]*vertex{}} }

// Fail makes a graph that reports err instead of being drawn, for functions that
// make graphs.
func Fail(err error) *Graph {
	g := New()
	g.err = err
	return g
}

// Title sets the title above the graph.
func (g *Graph) Title(s string) *Graph { g.title = s; return g }

// Right lets the layers follow each other from left to right instead of downwards.
func (g *Graph) Right() *Graph { g.right = true; return g }

// Undirected leaves out the arrow heads.
func (g *Graph) Undirected() *Graph { g.undirected = true; return g }

// Circles draws the nodes as circles.
func (g *Graph) Circles() *Graph { g.round = true; return g }

func (g *Graph) fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

func (g *Graph) vertex(id string) *vertex {
	v := g.index[id]
	if v == nil {
		v = &vertex{id: id, text: id, class: -1, layer: -1}
		g.index[id] = v
		g.nodes = append(g.nodes, v)
	}
	return v
}

// Node adds a node, or gives the one of that name its text and further lines.
// Nodes that only edges name show their name.
func (g *Graph) Node(id, text string, lines ...string) *Graph {
	v := g.vertex(id)
	v.text, v.lines = text, lines
	return g
}

// Class colors a node as a class: 0, 1, 2 ...
func (g *Graph) Class(id string, class int) *Graph {
	if v := g.known("Class", id); v != nil {
		v.class = class
	}
	return g
}

// Mark makes nodes stand out.
func (g *Graph) Mark(ids ...string) *Graph {
	for _, id := range ids {
		if v := g.known("Mark", id); v != nil {
			v.marked = true
		}
	}
	return g
}

// Layer puts nodes into the layer with the given number, from 0. A graph sets
// the layers of all its nodes, or of none.
func (g *Graph) Layer(layer int, ids ...string) *Graph {
	if layer < 0 || layer > 200 {
		g.fail(fmt.Errorf("graph.Layer: layer %d cannot be drawn; give 0 to 200", layer))
		return g
	}
	for _, id := range ids {
		g.vertex(id).layer = layer
	}
	return g
}

func (g *Graph) known(option, id string) *vertex {
	v := g.index[id]
	if v == nil {
		g.fail(fmt.Errorf("graph.%s: there is no node %q", option, id))
	}
	return v
}

// Edge adds an edge, and the nodes that it names.
func (g *Graph) Edge(from, to string) *Graph { return g.edge(from, to, "", math.NaN()) }

// EdgeLabel adds an edge with a text beside it.
func (g *Graph) EdgeLabel(from, to, label string) *Graph { return g.edge(from, to, label, math.NaN()) }

// EdgeWeight adds an edge whose color and width show its weight: negative
// weights are red, positive ones blue.
func (g *Graph) EdgeWeight(from, to string, weight float64) *Graph {
	if math.IsNaN(weight) || math.IsInf(weight, 0) {
		g.fail(fmt.Errorf("graph.EdgeWeight: the weight from %q to %q is %g", from, to, weight))
	}
	return g.edge(from, to, "", weight)
}

func (g *Graph) edge(from, to, label string, weight float64) *Graph {
	g.edges = append(g.edges, &edge{from: g.vertex(from), to: g.vertex(to), label: label, weight: weight})
	return g
}

// Dashed dashes the edge added last.
func (g *Graph) Dashed() *Graph {
	if len(g.edges) == 0 {
		g.fail(errors.New("graph.Dashed: there is no edge yet"))
		return g
	}
	g.edges[len(g.edges)-1].dashed = true
	return g
}

// Display renders the graph.
func (g *Graph) Display() (display.Bundle, error) {
	f, err := g.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}

// drawn is a node with its size, before it has a place.
type drawn struct {
	v     *vertex
	title []string
	lines []string
	w, h  float64
}

func (g *Graph) measure(v *vertex) *drawn {
	d := &drawn{v: v, title: boxFont.Wrap(v.text, maxText, 3)}
	for _, s := range v.lines {
		d.lines = append(d.lines, lineFont.Fit(s, maxText))
	}
	d.w = 30
	for _, s := range d.title {
		d.w = math.Max(d.w, boxFont.Width(s)+2*padX)
	}
	for _, s := range d.lines {
		d.w = math.Max(d.w, lineFont.Width(s)+2*padX)
	}
	d.h = 12 + 15*float64(len(d.title)) + 14*float64(len(d.lines))
	if g.round {
		side := math.Max(30, math.Hypot(d.w-2*padX, d.h-8)+6)
		d.w, d.h = side, side
	}
	return d
}

// Save draws into a file, whose name ends in .svg, .png or .pdf.
func (g *Graph) Save(path string) error { return figure.Save(g, path) }

// Figure draws the graph without rendering it.
func (g *Graph) Figure() (*figure.Figure, error) {
	switch {
	case g.err != nil:
		return nil, g.err
	case len(g.nodes) == 0:
		return nil, errors.New("graph: the graph has no nodes")
	case len(g.nodes) > mostVertices:
		return nil, fmt.Errorf("graph: %d nodes cannot be drawn; at most %d can", len(g.nodes), mostVertices)
	}
	boxes := make([]*drawn, len(g.nodes))
	at := map[*vertex]int{}
	l := &layered{gap: gapX + 10}
	for i, v := range g.nodes {
		boxes[i] = g.measure(v)
		at[v] = i
		size, depth := boxes[i].w, boxes[i].h
		if g.right {
			size, depth = depth, size
		}
		l.add(size, depth, v.layer)
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
		l.edge(at[e.from], at[e.to], room)
	}
	if g.right {
		between += 14
	}
	if err := l.layout(between); err != nil {
		return nil, err
	}
	top := margin
	if g.title != "" {
		top = 40
	}
	width, height := l.width, l.height
	if g.right {
		width, height = height, width
	}
	beside, above := g.loops()
	top += above
	w := math.Max(width+2*margin+beside, headFont.Width(g.title)+2*margin)
	h := height + top + margin
	if w > figure.MaxSide || h > figure.MaxSide {
		return nil, fmt.Errorf("graph: the graph would be %.0f×%.0f pixels large, more than %d", w, h, figure.MaxSide)
	}
	f := figure.New(math.Max(figure.MinSide, w), math.Max(figure.MinSide, h))
	if g.title != "" {
		f.Label(margin, 24, g.title, figure.TextStyle{Font: headFont, Color: figure.Ink})
	}
	pt := func(x, y float64) figure.Point {
		if g.right {
			return figure.Point{X: margin + y, Y: top + x}
		}
		return figure.Point{X: margin + x, Y: top + y}
	}
	largest := 0.0
	for _, e := range g.edges {
		if !math.IsNaN(e.weight) {
			largest = math.Max(largest, math.Abs(e.weight))
		}
	}
	path := 0
	type text struct {
		at    figure.Point
		label string
	}
	var labels []text
	for _, e := range g.edges {
		s := figure.Style{Stroke: figure.Soft, Width: 1.2}
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
		if e.from == e.to {
			p := g.loop(f, pt, l, at[e.from], s)
			if e.label != "" {
				labels = append(labels, text{p, e.label})
			}
			continue
		}
		points := l.path(path)
		path++
		pts := make([]figure.Point, len(points))
		for i, p := range points {
			pts[i] = pt(p[0], p[1])
		}
		pts = g.part(pts, e)
		g.clip(pts, boxes[at[e.from]], boxes[at[e.to]])
		g.draw(f, pts, s)
		if e.label != "" {
			labels = append(labels, text{middle(pts), e.label})
		}
	}
	for i, b := range boxes {
		x, y := l.center(i)
		g.box(f, b, pt(x, y))
	}
	for _, t := range labels {
		w := edgeFont.Width(t.label)
		f.Rect(t.at.X-w/2-3, t.at.Y-8, w+6, 14, 2, figure.Style{Fill: figure.Opacity(figure.Paper, 0.9)})
		f.Label(t.at.X, t.at.Y+3, t.label, figure.TextStyle{Font: edgeFont, Color: figure.Ink, Anchor: figure.Middle})
	}
	f.Text = g.text()
	return f, nil
}

// part bends an edge aside that would lie on others between the same nodes.
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
		aside = -aside // seen from the other end, the side is the same
	}
	m := figure.Point{X: (pts[0].X+pts[1].X)/2 - aside*dy/d, Y: (pts[0].Y+pts[1].Y)/2 + aside*dx/d}
	return []figure.Point{pts[0], m, pts[1]}
}

// loops is the room that loops need: beside the last nodes, or above the first.
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

// loop draws an edge from a node to itself and returns where its label goes.
func (g *Graph) loop(f *figure.Figure, pt func(x, y float64) figure.Point, l *layered, i int, s figure.Style) figure.Point {
	x, y := l.center(i)
	c := pt(x, y)
	// Away from the direction in which the layers follow each other.
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

// clip moves the ends of an edge from the middles of its nodes to their borders.
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

// draw draws a smooth line through the points with an arrow head at its end.
func (g *Graph) draw(f *figure.Figure, pts []figure.Point, s figure.Style) {
	n := len(pts)
	end := pts[n-1]
	before := pts[n-2]
	if !g.undirected {
		// The line ends inside the head, so that its tip stays sharp.
		dx, dy := end.X-before.X, end.Y-before.Y
		if d := math.Hypot(dx, dy); d > 8 {
			pts[n-1] = figure.Point{X: end.X - 5*dx/d, Y: end.Y - 5*dy/d}
		}
	}
	if n == 2 {
		f.Line(pts[0].X, pts[0].Y, pts[1].X, pts[1].Y, s)
	}
	// A Catmull-Rom spline (E. Catmull and R. Rom, 1974) passes through all points.
	for i := 0; i+1 < n && n > 2; i++ {
		a, b := pts[i], pts[i+1]
		p, q := a, b
		if i > 0 {
			p = pts[i-1]
		}
		if i+2 < n {
			q = pts[i+2]
		}
		f.Curve(a, figure.Point{X: a.X + (b.X-p.X)/6, Y: a.Y + (b.Y-p.Y)/6}, figure.Point{X: b.X - (q.X-a.X)/6, Y: b.Y - (q.Y-a.Y)/6}, b, s)
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

// middle is the point halfway along a line.
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
	style := figure.Style{Fill: figure.Shade, Stroke: figure.Frame, Width: 1.1}
	if b.v.class >= 0 {
		color := figure.Class(b.v.class)
		style.Fill, style.Stroke = figure.Mix(figure.Paper, color, 0.2), color
	}
	if b.v.marked {
		style.Stroke, style.Width = figure.Accent, 2.2
	}
	if g.round {
		f.Marker(c.X, c.Y, b.w/2, figure.Circle, style)
	} else {
		f.Rect(c.X-b.w/2, c.Y-b.h/2, b.w, b.h, 6, style)
	}
	y := c.Y - (15*float64(len(b.title))+14*float64(len(b.lines)))/2 + 12
	for _, s := range b.title {
		f.Label(c.X, y, s, figure.TextStyle{Font: boxFont, Color: figure.Ink, Anchor: figure.Middle})
		y += 15
	}
	for _, s := range b.lines {
		f.Label(c.X, y-1, s, figure.TextStyle{Font: lineFont, Color: figure.Soft, Anchor: figure.Middle})
		y += 14
	}
}

// text lists the nodes with the edges that leave them.
func (g *Graph) text() string {
	var b strings.Builder
	if g.title != "" {
		b.WriteString(g.title + "\n")
	}
	arrow := " → "
	if g.undirected {
		arrow = " — "
	}
	for _, v := range g.nodes {
		b.WriteString(strings.Join(append([]string{v.text}, v.lines...), "; "))
		var out []string
		for _, e := range g.edges {
			if e.from != v {
				continue
			}
			s := e.to.text
			switch {
			case e.label != "":
				s += " (" + e.label + ")"
			case !math.IsNaN(e.weight):
				s += " (" + display.Number(e.weight) + ")"
			}
			out = append(out, s)
		}
		if len(out) > 0 {
			b.WriteString(arrow + strings.Join(out, ", "))
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}
