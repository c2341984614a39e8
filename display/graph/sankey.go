package graph

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// mostFlows is the maximum number of flows in a Sankey diagram.
const mostFlows = 500

// Sankey shows amounts that flow between nodes as bands whose widths are proportional to the
// amounts.
type Sankey struct {
	nodes []*stage
	flows []*flow
	unit  string
	title string
	note  string
	w, h  float64
	err   error

	reader   variable.Reader
	from, to variable.Column // columns of the rows
	amounts  []float64
	colors   map[string]int // colors of the nodes, if several panels share them

	missing, nothing int // rows that are omitted

	amount func(float64) string // formats the amounts
}

// stage is a node, or a point in a layer that a flow passes on its way to a later layer.
type stage struct {
	name    string
	in, out []*flow
	layer   int
	y       float64 // position of the upper end
	height  float64
	passing bool    // not a node, but a bend of a flow
	place   int     // position in its layer
	mean    float64 // mean position of its neighbors
	color   figure.Color
}

func (s *stage) middle() float64 { return s.y + s.height/2 }

// amount returns the larger of the inflow and the outflow.
func (s *stage) amount() float64 { return math.Max(total(s.in), total(s.out)) }

func total(flows []*flow) float64 {
	sum := 0.0
	for _, f := range flows {
		sum += f.amount
	}
	return sum
}

// flow is an amount between two stages in adjacent layers. Flows across several layers are split
// into such flows.
type flow struct {
	from, to *stage
	amount   float64
	y0, y1   float64 // centers of its ends
	color    figure.Color
}

// NewSankey draws flows: NewSankey(from, to, amounts) for slices, or NewSankey(f, "from", "to",
// "amount") for a frame. Without amounts it counts rows. The amounts of rows with the same from and
// to are added up. A name that occurs in from and in to is one node, so that amounts can flow
// through it.
//
// All bands have the same scale. If a node's outflow differs from its inflow, a note says so. A
// node is in the layer after the last node from which it receives a flow. Nodes without outflow are
// in the last layer. NewSankey searches for an order within the layers from several starting
// orders: first by barycenters (K. Sugiyama, S. Tagawa and M. Toda, 1981), then by choosing, layer
// by layer, the order that minimizes the crossings, weighted by the amounts. Cycles and negative
// amounts are errors.
func NewSankey(data ...any) *Sankey {
	s := &Sankey{}
	r, args := variable.Begin("graph.Sankey", data)
	s.reader = r
	if len(args) != 2 && len(args) != 3 {
		return s.fail(fmt.Errorf("graph.Sankey: pass the starts of the flows, their ends, and optionally their amounts, got %d arguments", len(args)))
	}
	from, err := r.Names("the beginnings", args[0])
	to, err2 := r.Names("the ends", args[1])
	amounts := variable.Column{V: make([]float64, len(from.V)), Name: "rows"}
	for i := range amounts.V {
		amounts.V[i] = 1
	}
	var err3 error
	if len(args) == 3 {
		amounts, err3 = r.Numbers("the amounts", args[2])
	}
	if err := errors.Join(err, err2, err3); err != nil {
		return s.fail(err)
	}
	if err := r.SameLength([]string{"beginnings", "ends", "amounts"}, from, to, amounts); err != nil {
		return s.fail(err)
	}
	s.unit = amounts.Name
	s.from, s.to, s.amounts = from, to, amounts.V
	return s.read()
}

func (s *Sankey) fail(err error) *Sankey {
	if s.err == nil {
		s.err = err
	}
	return s
}

// read converts the rows to nodes and flows.
func (s *Sankey) read() *Sankey {
	from, to := s.from, s.to
	index := map[string]*stage{}
	node := func(name string) *stage {
		n := index[name]
		if n == nil {
			color, ok := s.colors[name]
			if !ok {
				color = len(s.nodes)
			}
			n = &stage{name: name, color: figure.Class(color)}
			index[name] = n
			s.nodes = append(s.nodes, n)
		}
		return n
	}
	known := map[[2]*stage]*flow{}
	for i, x := range s.amounts {
		if from.V[i] < 0 || to.V[i] < 0 || math.IsNaN(x) {
			s.missing++
			continue
		}
		a, b := from.Levels[int(from.V[i])], to.Levels[int(to.V[i])]
		switch {
		case x < 0 || math.IsInf(x, 0):
			return s.fail(fmt.Errorf("graph.Sankey: the amount from %s to %s must be positive, got %s: exchange the ends of a flow in the other direction", a, b, guide.Short(x)))
		case x == 0:
			s.nothing++
			continue
		case a == b:
			return s.fail(fmt.Errorf("graph.Sankey: %s flows to itself, but a Sankey diagram must not have cycles", a))
		}
		ends := [2]*stage{node(a), node(b)}
		f := known[ends]
		if f == nil {
			f = &flow{from: ends[0], to: ends[1], color: ends[0].color}
			known[ends] = f
			s.flows = append(s.flows, f)
			ends[0].out, ends[1].in = append(ends[0].out, f), append(ends[1].in, f)
		}
		f.amount += x
	}
	if len(s.flows) > mostFlows {
		return s.fail(fmt.Errorf("graph.Sankey: a diagram must have at most %[2]d flows, got %[1]d", len(s.flows), mostFlows))
	}
	if circle := s.circle(); circle != nil {
		return s.fail(fmt.Errorf("graph.Sankey: the flows must not have a cycle, got %s: rename the later occurrence", strings.Join(circle, " → ")))
	}
	s.amount = guide.Amounts(s.amounts)
	s.note = leftOut(s.missing, s.nothing)
	if lost := s.unbalanced(); lost != "" {
		if s.note != "" {
			lost += "; "
		}
		s.note = lost + s.note
	}
	return s
}

// circle returns the names along a cycle of flows, or nil if there is none.
func (s *Sankey) circle() []string {
	const open, done = 1, 2
	state := map[*stage]int{}
	var trail []*stage
	var visit func(n *stage) []string
	visit = func(n *stage) []string {
		state[n] = open
		trail = append(trail, n)
		for _, f := range n.out {
			if state[f.to] == open {
				var names []string
				for i := len(trail) - 1; ; i-- {
					names = append([]string{trail[i].name}, names...)
					if trail[i] == f.to {
						return append(names, f.to.name)
					}
				}
			}
			if state[f.to] == 0 {
				if found := visit(f.to); found != nil {
					return found
				}
			}
		}
		state[n] = done
		trail = trail[:len(trail)-1]
		return nil
	}
	for _, n := range s.nodes {
		if state[n] == 0 {
			if found := visit(n); found != nil {
				return found
			}
		}
	}
	return nil
}

// unbalanced lists the inner nodes whose outflow differs from their inflow.
func (s *Sankey) unbalanced() string {
	var says []string
	for _, n := range s.nodes {
		in, out := total(n.in), total(n.out)
		if len(n.in) > 0 && len(n.out) > 0 && math.Abs(in-out) > 1e-9*math.Max(in, out) {
			says = append(says, fmt.Sprintf("%s: %s in, %s out", n.name, guide.Short(in), guide.Short(out)))
		}
	}
	switch n := len(says); {
	case n == 0:
		return ""
	case n > 3:
		return fmt.Sprintf("%s; %d more nodes do not pass on what they get", strings.Join(says[:3], "; "), n-3)
	}
	return strings.Join(says, "; ")
}

// Title sets the title above the diagram.
func (s *Sankey) Title(title string) *Sankey { s.title = guide.Typeset(title); return s }

// Size sets the width and height of the whole figure in CSS pixels.
func (s *Sankey) Size(w, h float64) *Sankey { s.w, s.h = w, h; return s }

// Display renders the diagram.
func (s *Sankey) Display() (display.Bundle, error) {
	f, err := s.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (s *Sankey) Save(path string) error { return figure.Save(s, path) }

// Sizes of a Sankey diagram.
const (
	nodeWidth = 14.0
	nodeGap   = 14.0
)

// Figure draws the diagram without rendering it to a format.
func (s *Sankey) Figure() (*figure.Figure, error) {
	if s.err != nil {
		return nil, s.err
	}
	l := s.layout()
	w, h := s.w, s.h
	if w <= 0 {
		w = 640
	}
	if h <= 0 {
		h = math.Min(700, math.Max(300, 80+34*float64(l.most())))
	}
	f := figure.New(w, h)
	top := 14 + guide.Title(f, s.title, w)
	bottom := 14.0
	if s.note != "" {
		bottom = 26
	}
	l.place(top, h-bottom)
	l.draw(f)
	guide.Note(f, s.note)
	f.Text = s.text()
	guide.Describe(f, s.title, "Sankey diagram")
	return f, nil
}

// draw draws the positioned bands and nodes.
func (l *sankeyLayout) draw(f *figure.Figure) {
	if len(l.flows) == 0 {
		f.Label(f.W/2, f.H/2, "there are no flows to draw", guide.Text(guide.AxisFont, figure.Soft(), figure.Middle))
		return
	}
	w := f.W
	left, right := l.margins(w)
	last := float64(len(l.layers) - 1)
	x := func(layer int) float64 { return left + (w-left-right-nodeWidth)*float64(layer)/math.Max(1, last) }
	for _, fl := range l.flows {
		if !fl.from.passing {
			f.Polygon(l.band(fl, x), figure.Style{Fill: figure.Opacity(fl.color, 0.38)})
		}
	}
	for i, layer := range l.layers {
		for _, n := range layer {
			if n.passing {
				continue
			}
			f.Rect(x(i), n.y, nodeWidth, math.Max(n.height, 0.7), 0, figure.Style{Fill: n.color})
			l.label(f, n, x(i), i)
		}
	}
}

// band returns the outline of a flow through all layers that it passes.
func (l *sankeyLayout) band(f *flow, x func(layer int) float64) []figure.Point {
	const n = 20
	var upper []figure.Point
	half := f.amount * l.scale / 2
	for ; ; f = f.to.out[0] {
		x0, x1 := x(f.from.layer)+nodeWidth, x(f.to.layer)
		for i := 0; i <= n; i++ {
			t := float64(i) / n
			// A cubic Bézier curve with its control points halfway.
			upper = append(upper, figure.Point{
				X: x0 + (x1-x0)*(1.5*t*(1-t)*(1-t)+1.5*t*t*(1-t)+t*t*t),
				Y: f.y0 + (f.y1-f.y0)*(3*t*t-2*t*t*t) - half,
			})
		}
		if !f.to.passing {
			break
		}
	}
	points := upper
	for i := len(upper) - 1; i >= 0; i-- {
		points = append(points, figure.Point{X: upper[i].X, Y: upper[i].Y + 2*half})
	}
	return points
}

// text lists the flows.
func (s *Sankey) text() string {
	var b strings.Builder
	if s.title != "" {
		b.WriteString(s.title + "\n")
	}
	largest := 0.0
	for _, f := range s.flows {
		largest = math.Max(largest, f.amount)
	}
	for i, f := range s.flows {
		if i == 60 {
			fmt.Fprintf(&b, "and %d more\n", len(s.flows)-60)
			break
		}
		fmt.Fprintf(&b, "%s → %s %s %s\n", f.from.name, f.to.name, strings.Repeat("█", int(math.Round(30*f.amount/largest))), s.amount(f.amount))
	}
	if s.unit != "" {
		b.WriteString("widths: " + s.unit + "\n")
	}
	if s.note != "" {
		b.WriteString(s.note + "\n")
	}
	if b.Len() == 0 {
		b.WriteString("there are no flows to draw")
	}
	return strings.TrimRight(b.String(), "\n")
}
