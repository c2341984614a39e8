package graph

import (
	"math"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// sankeyLayout is the positions of the stages and flows of a Sankey diagram.
type sankeyLayout struct {
	layers [][]*stage
	flows  []*flow // between adjacent layers
	scale  float64 // pixels per unit
	limit  float64 // maximum scale, if several panels share it; otherwise 0
	amount func(float64) string
}

// layout assigns layers and orders them. It works on copies, so that a diagram can be drawn
// again.
func (s *Sankey) layout() *sankeyLayout {
	l := &sankeyLayout{amount: s.amount}
	copies := map[*stage]*stage{}
	depth := map[*stage]int{}
	var find func(n *stage) int
	find = func(n *stage) int {
		if d, ok := depth[n]; ok {
			return d
		}
		d := 0
		for _, f := range n.in {
			d = max(d, find(f.from)+1)
		}
		depth[n] = d
		return d
	}
	last := 0
	for _, n := range s.nodes {
		last = max(last, find(n))
	}
	l.layers = make([][]*stage, last+1)
	for _, n := range s.nodes {
		c := &stage{name: n.name, layer: depth[n], color: n.color}
		if len(n.out) == 0 {
			c.layer = last
		}
		copies[n] = c
		l.layers[c.layer] = append(l.layers[c.layer], c)
	}
	for _, f := range s.flows {
		at, end := copies[f.from], copies[f.to]
		for k := at.layer + 1; k <= end.layer; k++ {
			next := end
			if k < end.layer {
				next = &stage{layer: k, passing: true}
				l.layers[k] = append(l.layers[k], next)
			}
			part := &flow{from: at, to: next, amount: f.amount, color: f.color}
			at.out, next.in = append(at.out, part), append(next.in, part)
			l.flows = append(l.flows, part)
			at = next
		}
	}
	l.order()
	return l
}

// most returns the largest number of nodes in a layer.
func (l *sankeyLayout) most() int {
	n := 0
	for _, layer := range l.layers {
		n = max(n, len(layer))
	}
	return n
}

// place positions stages and flows between top and bottom.
func (l *sankeyLayout) place(top, bottom float64) {
	gap := nodeGap
	if n := l.most(); n > 1 {
		gap = math.Min(nodeGap, 0.5*(bottom-top)/float64(n-1))
	}
	l.scale = math.Inf(1)
	for _, layer := range l.layers {
		sum := 0.0
		for _, n := range layer {
			sum += n.amount()
		}
		l.scale = math.Min(l.scale, (bottom-top-gap*float64(len(layer)-1))/sum)
	}
	if l.limit > 0 {
		l.scale = math.Min(l.scale, l.limit)
	}
	for _, layer := range l.layers {
		used := -gap
		for _, n := range layer {
			n.height = n.amount() * l.scale
			used += n.height + gap
		}
		y := top + (bottom-top-used)/2
		for _, n := range layer {
			n.y = y
			y += n.height + gap
		}
	}
	for round := range 32 {
		pull := math.Pow(0.95, float64(round))
		for k := 1; k < len(l.layers); k++ {
			relax(l.layers[k], pull, top, bottom, gap, func(n *stage) []*flow { return n.in }, func(f *flow) *stage { return f.from })
		}
		for k := len(l.layers) - 2; k >= 0; k-- {
			relax(l.layers[k], pull, top, bottom, gap, func(n *stage) []*flow { return n.out }, func(f *flow) *stage { return f.to })
		}
	}
	for _, layer := range l.layers {
		for _, n := range layer {
			l.ends(n)
		}
	}
}

// relax moves the stages of a layer towards the centers of their neighbors, and keeps them apart,
// in order and within the bounds.
func relax(layer []*stage, pull, top, bottom, gap float64, flows func(*stage) []*flow, other func(*flow) *stage) {
	for _, n := range layer {
		sum, weight := 0.0, 0.0
		for _, f := range flows(n) {
			sum += f.amount * other(f).middle()
			weight += f.amount
		}
		if weight > 0 {
			n.y += (sum/weight - n.middle()) * pull
		}
	}
	y := top
	for _, n := range layer {
		n.y = math.Max(n.y, y)
		y = n.y + n.height + gap
	}
	y = bottom
	for i := len(layer) - 1; i >= 0; i-- {
		n := layer[i]
		n.y = math.Min(n.y, y-n.height)
		y = n.y - gap
	}
}

// ends positions the flows at a stage, in the order of the stages at their other ends.
func (l *sankeyLayout) ends(n *stage) {
	sort.SliceStable(n.in, func(a, b int) bool { return n.in[a].from.y < n.in[b].from.y })
	sort.SliceStable(n.out, func(a, b int) bool { return n.out[a].to.y < n.out[b].to.y })
	y := n.y
	for _, f := range n.in {
		f.y1 = y + f.amount*l.scale/2
		y += f.amount * l.scale
	}
	y = n.y
	for _, f := range n.out {
		f.y0 = y + f.amount*l.scale/2
		y += f.amount * l.scale
	}
}

const widestName = 150

// margins returns the space for the names of the first and the last layer.
func (l *sankeyLayout) margins(w float64) (left, right float64) {
	widest := func(layer []*stage) float64 {
		m := 0.0
		for _, n := range layer {
			if !n.passing {
				m = math.Max(m, math.Max(guide.TickFont.Width(n.name), guide.TickFont.Width(l.amount(n.amount()))))
			}
		}
		return math.Min(m, math.Min(widestName, 0.25*w)) + 20
	}
	return widest(l.layers[0]), widest(l.layers[len(l.layers)-1])
}

// label writes the name and the amount of a node: outside of the first and the last layer, and to
// the right of nodes in other layers.
func (l *sankeyLayout) label(f *figure.Figure, n *stage, x float64, layer int) {
	room := math.Min(widestName, 0.25*f.W)
	style := guide.Text(guide.TickFont, figure.Ink(), figure.Start)
	at := x + nodeWidth + 6
	if layer == 0 {
		style.Anchor, at = figure.End, x-6
	}
	name, amount := guide.TickFont.Fit(n.name, room), l.amount(n.amount())
	if n.height < 24 && layer > 0 && layer < len(l.layers)-1 || n.height < 20 {
		f.Label(at, n.middle()+4, name, style)
		return
	}
	f.Label(at, n.middle()-3, name, style)
	style.Color = figure.Soft()
	f.Label(at, n.middle()+11, amount, style)
}
