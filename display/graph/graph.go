package graph

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// mostVertices is the maximum number of nodes of a graph.
const mostVertices = 500

// Graph is a directed graph to be drawn.
type Graph struct {
	nodes      []*vertex
	index      map[string]*vertex
	edges      []*edge
	title      string
	right      bool
	undirected bool
	round      bool
	alt        string
	err        error
}

type vertex struct {
	id     string
	text   string
	lines  []string
	class  int // -1 for none
	marked bool
	layer  int // set with Layer, -1 if not set
}

type edge struct {
	from, to *vertex
	label    string
	weight   float64 // NaN for none
	dashed   bool
}

// New returns an empty graph.
func New() *Graph { return &Graph{index: map[string]*vertex{}} }

// Fail returns a graph whose Display returns err. Functions that return graphs use it to report
// errors.
func Fail(err error) *Graph {
	g := New()
	g.err = err
	return g
}

// Title sets the title above the graph.
func (g *Graph) Title(s string) *Graph { g.title = guide.Typeset(s); return g }

// Right arranges the layers from left to right instead of from top to bottom.
func (g *Graph) Right() *Graph { g.right = true; return g }

// Undirected omits the arrowheads.
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

// Node adds a node, or sets the text and further lines of the node with this name. A node that only
// edges mention shows its name.
func (g *Graph) Node(id, text string, lines ...string) *Graph {
	v := g.vertex(id)
	v.text, v.lines = text, lines
	return g
}

// Class sets the class of a node, which sets its color: 0, 1, 2 ...
func (g *Graph) Class(id string, class int) *Graph {
	if v := g.known("Class", id); v != nil {
		v.class = class
	}
	return g
}

// Mark highlights nodes.
func (g *Graph) Mark(ids ...string) *Graph {
	for _, id := range ids {
		if v := g.known("Mark", id); v != nil {
			v.marked = true
		}
	}
	return g
}

// Layer puts nodes into the layer with the given number, counted from 0. Set the layer of every
// node or of no node.
func (g *Graph) Layer(layer int, ids ...string) *Graph {
	if layer < 0 || layer > 200 {
		g.fail(fmt.Errorf("graph.Layer: layer must be between 0 and 200, got %d", layer))
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

// Edge adds an edge and, if necessary, its nodes.
func (g *Graph) Edge(from, to string) *Graph { return g.edge(from, to, "", math.NaN()) }

// EdgeLabel adds an edge with a label.
func (g *Graph) EdgeLabel(from, to, label string) *Graph { return g.edge(from, to, label, math.NaN()) }

// EdgeWeight adds an edge whose color and width show its weight: negative weights are red, and
// positive weights are blue.
func (g *Graph) EdgeWeight(from, to string, weight float64) *Graph {
	if math.IsNaN(weight) || math.IsInf(weight, 0) {
		g.fail(fmt.Errorf("graph.EdgeWeight: the weight from %q to %q must be finite, got %g", from, to, weight))
	}
	return g.edge(from, to, "", weight)
}

func (g *Graph) edge(from, to, label string, weight float64) *Graph {
	g.edges = append(g.edges, &edge{from: g.vertex(from), to: g.vertex(to), label: label, weight: weight})
	return g
}

// Dashed makes the edge that was added last dashed.
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

// wholeText is the maximum width of the name of a node that is not broken into lines.
const wholeText = 1.25 * maxText

// drawn is a node with its size, before it has a position.
type drawn struct {
	v     *vertex
	title []string
	lines []string
	w, h  float64
}

func (g *Graph) measure(v *vertex) *drawn {
	d := &drawn{v: v, title: boxFont.Wrap(v.text, maxText, 3)}
	if boxFont.Width(v.text) <= wholeText {
		d.title = []string{v.text} // breaking it would leave a short last line
	}
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

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (g *Graph) Save(path string) error { return figure.Save(g, path) }

// Figure draws the graph without rendering it to a format.
func (g *Graph) Figure() (*figure.Figure, error) {
	switch {
	case g.err != nil:
		return nil, g.err
	case len(g.nodes) == 0:
		return nil, errors.New("graph: the graph has no nodes")
	case len(g.nodes) > mostVertices:
		return nil, fmt.Errorf("graph: a graph must have at most %[2]d nodes, got %[1]d", len(g.nodes), mostVertices)
	}
	d, err := g.arrange()
	if err != nil {
		return nil, err
	}
	f, err := d.sheet()
	if err != nil {
		return nil, err
	}
	d.drawEdges(f)
	for i, b := range d.boxes {
		g.box(f, b, d.center(i))
	}
	for _, t := range d.labels {
		w := edgeFont.Width(t.text)
		f.Rect(t.at.X-w/2-3, t.at.Y-8, w+6, 14, 2, figure.Style{Fill: figure.Opacity(figure.Paper(), 0.9)})
		f.Label(t.at.X, t.at.Y+3, t.text, figure.TextStyle{Font: edgeFont, Color: figure.Ink(), Anchor: figure.Middle})
	}
	f.Text = g.text()
	f.Title, f.Desc = g.describe()
	return f, nil
}

// text lists the nodes and their outgoing edges.
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
