package course

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/bayesnet"
)

// bayesOf returns the Displayer for a value of package bayesnet.
func bayesOf(v any) (display.Displayer, bool) {
	switch v := v.(type) {
	case *bayesnet.BayesQuery:
		if v != nil {
			return queryChart(v), true
		}
	case *bayesnet.BayesBars:
		if v != nil {
			return Posteriors(v), true
		}
	case *bayesnet.Separation:
		if v != nil {
			return separationGraph(v), true
		}
	case []bayesnet.EliminationStep:
		return eliminationTable(v), true
	case *bayesnet.SampledQuery:
		if v != nil {
			return sampledTable(v), true
		}
	}
	if g := netOf(v); g != nil {
		return g, true
	}
	return nil, false
}

// netOf draws a network, or the network that a value contains. It returns nil for other values.
func netOf(v any) *graph.Graph {
	switch v := v.(type) {
	case *bayesnet.BayesNetwork:
		if v != nil {
			return netGraph(v)
		}
	case *bayesnet.ChowLiuTree:
		if v != nil && v.BayesNetwork != nil {
			return treeGraph(v, len(v.Edges))
		}
	}
	return nil
}

// netWithin returns the network that a learner has found.
func netWithin(v any) *bayesnet.BayesNetwork {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return nil
	}
	switch v := v.(type) {
	case *bayesnet.TAN:
		return v.Net
	case *bayesnet.NaiveNetwork:
		return v.Net
	case *bayesnet.BayesEM:
		return v.Net
	case *bayesnet.StructureSearch:
		return v.Net
	case *bayesnet.SparseCandidate:
		return v.Net
	}
	return nil
}

// mostRows is the maximum number of rows of a probability table that a node shows.
const mostRows = 8

// netGraph draws a network with its tables, or only its arrows if it has many variables.
func netGraph(n *bayesnet.BayesNetwork) *graph.Graph {
	var nodes []BayesNode
	for _, c := range n.Nodes {
		if len(n.Nodes) > 12 || len(c.P) > mostRows {
			return bareGraph(n)
		}
		node := BayesNode{Name: c.Name, Values: c.States, Parents: c.Parents, P: c.P}
		if slices.Equal(c.States, []string{"true", "false"}) {
			node.Values = nil
		}
		nodes = append(nodes, node)
	}
	return bayesNet(nodes)
}

func bareGraph(n *bayesnet.BayesNetwork) *graph.Graph {
	g := graph.New()
	for _, c := range n.Nodes {
		g.Node(c.Name, c.Name)
	}
	for _, c := range n.Nodes {
		for _, p := range c.Parents {
			g.Edge(p, c.Name)
		}
	}
	return g
}

// MarkovBlanket draws a network and colors a variable and its Markov blanket: the parents and
// children of the variable, and the other parents of these children.
func MarkovBlanket(n *bayesnet.BayesNetwork, name string) *graph.Graph {
	if n == nil || !slices.ContainsFunc(n.Nodes, func(c bayesnet.CPT) bool { return c.Name == name }) {
		return graph.Fail(fmt.Errorf("MarkovBlanket: there is no variable %q", name))
	}
	g := bareGraph(n).Title("Markov blanket of " + name)
	for _, other := range n.MarkovBlanket(name) {
		g.Class(other, 0)
	}
	return g.Class(name, 1).Mark(name)
}

// SpanningSteps shows how a Chow-Liu tree grows from its root. It returns a graph for each added
// edge, with the mutual information in bits. Use Animate to show the graphs one after the other.
func SpanningSteps(t *bayesnet.ChowLiuTree) []*graph.Graph {
	if t == nil || t.BayesNetwork == nil {
		return []*graph.Graph{graph.Fail(errors.New("SpanningSteps: the tree must not be nil; learn one with ml.ChowLiu"))}
	}
	var out []*graph.Graph
	for k := range len(t.Edges) + 1 {
		out = append(out, treeGraph(t, k))
	}
	return out
}

// treeGraph draws the first edges of a tree. All steps have the layers of the complete tree.
func treeGraph(t *bayesnet.ChowLiuTree, edges int) *graph.Graph {
	g := graph.New().Title("Chow-Liu tree, mutual information in bits")
	layer := make([]int, len(t.Nodes))
	in := make([]bool, len(t.Nodes))
	for _, e := range t.Edges {
		layer[e.To] = layer[e.From] + 1
	}
	if len(t.Edges) > 0 {
		in[t.Edges[0].From] = true
	}
	for _, e := range t.Edges[:edges] {
		in[e.To] = true
	}
	for i, c := range t.Nodes {
		g.Node(c.Name, c.Name).Layer(layer[i], c.Name)
		if in[i] {
			g.Class(c.Name, 0)
		}
	}
	for k, e := range t.Edges[:edges] {
		g.EdgeLabel(t.Nodes[e.From].Name, t.Nodes[e.To].Name, fourDigits(e.Weight))
		if k == edges-1 && edges < len(t.Edges) {
			g.Mark(t.Nodes[e.To].Name)
		}
	}
	return g
}

// SearchSteps shows how hill climbing changed a network. It returns the graph before the first
// change and the graph after each change, with its score. The node at the head of the changed arrow
// is framed. Use Animate to show the graphs one after the other.
func SearchSteps(s *bayesnet.StructureSearch) []*graph.Graph {
	if s == nil || s.Net == nil {
		return []*graph.Graph{graph.Fail(errors.New("SearchSteps: the search has no graph yet: call its Learn first"))}
	}
	type arrow struct{ from, to string }
	have := map[arrow]bool{}
	for _, c := range s.Net.Nodes {
		for _, p := range c.Parents {
			have[arrow{p, c.Name}] = true
		}
	}
	out := make([]*graph.Graph, len(s.Moves)+1)
	for k := len(s.Moves); k >= 0; k-- {
		g := graph.New()
		for _, c := range s.Net.Nodes {
			g.Node(c.Name, c.Name)
		}
		for _, from := range s.Net.Nodes {
			for _, to := range s.Net.Nodes {
				if have[arrow{from.Name, to.Name}] {
					g.Edge(from.Name, to.Name)
				}
			}
		}
		out[k] = g
		if k == 0 {
			g.Title(s.Score.String() + ", at the start")
			break
		}
		// This undoes the change.
		m := s.Moves[k-1]
		g.Title(fmt.Sprintf("%s %.6g: %s %s → %s", s.Score, m.Score, m.Operator, m.From, m.To)).Mark(m.To)
		have[arrow{m.From, m.To}] = m.Operator != "add"
		if m.Operator == "reverse" {
			have[arrow{m.To, m.From}] = false
		}
	}
	return out
}

// separationGraph draws the network with the active trail between two variables in color. The
// variables that are given are framed.
func separationGraph(s *bayesnet.Separation) *graph.Graph {
	g := bareGraph(s.Net)
	verdict := " are dependent"
	if s.Separated {
		verdict = " are independent"
	}
	title := s.A + " and " + s.B + verdict
	if len(s.Given) > 0 {
		title += " given " + strings.Join(s.Given, ", ")
	}
	if len(s.Trails) > 0 && s.Trails[0].Open {
		for _, name := range s.Trails[0].Names {
			g.Class(name, 0)
		}
	}
	return g.Title(title).Class(s.A, 1).Class(s.B, 1).Mark(s.Given...)
}

// sampledTable shows a distribution that was estimated from samples.
func sampledTable(q *bayesnet.SampledQuery) *table.Table {
	g := grid{head: []string{q.Name, "probability", "standard error"}}
	for k, s := range q.States {
		g.rows = append(g.rows, []any{s, q.P[k], q.StdErr[k]})
	}
	return table.New(g).Bars("probability").Caption(fmt.Sprintf("%v, %d samples worth %.0f independent ones", q.Method, q.Drawn, q.Effective))
}

// mostBars is the maximum number of combinations of states in a chart.
const mostBars = 40

// queryChart draws the distribution that answers a query as bars.
func queryChart(q *bayesnet.BayesQuery) *chart.Chart {
	if len(q.P) > mostBars {
		return failed("BayesQuery", "there are %d combinations of states; at most %d can be drawn: ask for fewer variables", len(q.P), mostBars)
	}
	title := "P(" + strings.Join(q.Names, ", ")
	if len(q.Evidence) > 0 {
		title += " | " + strings.Join(q.Evidence, ", ")
	}
	var names []string
	for k, l := range q.Labels() {
		names = append(names, l+": "+strconv.FormatFloat(q.P[k], 'g', 3, 64))
	}
	return chart.New().Bars(names, q.P).ClassColor(0).Title(title+")").Y("probability").YRange(0, 1).Size(math.Min(760, 90+110*float64(len(q.P))), 260)
}

// eliminationTable shows the steps of variable elimination with the sizes of their products.
func eliminationTable(steps []bayesnet.EliminationStep) *table.Table {
	g := grid{head: []string{"summed out", "factors", "new factor", "entries"}}
	for _, s := range steps {
		var factors []string
		for _, f := range s.Factors {
			factors = append(factors, "f("+strings.Join(f, ", ")+")")
		}
		name := s.Variable
		if name == "" {
			name = "(the answer)"
		}
		g.rows = append(g.rows, []any{name, strings.Join(factors, " · "), "f(" + strings.Join(s.Result, ", ") + ")", s.Size})
	}
	return table.New(g)
}

// Posteriors draws a network in which each box shows the distribution of its variable as bars.
// Variables given as evidence are framed.
func Posteriors(b *bayesnet.BayesBars) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) { return posteriors(b) }}
}

const (
	barWidth  = 74.0
	barHeight = 13.0
	nodeGap   = 26.0
)

// belief is a box of a network: a variable with its states.
type belief struct {
	name, given string
	states      []string
	p           []float64
	parents     []string
	w, h, x, y  float64
	layer       int
}

func posteriors(b *bayesnet.BayesBars) (*figure.Figure, error) {
	if b == nil || b.Evidence == nil || b.Evidence.Net == nil {
		return nil, errors.New("Posteriors: there is nothing to draw; pass the result of Bars, such as net.Given(\"Alarm\", true).Bars()")
	}
	boxes, at := beliefs(b)
	if len(boxes) > 40 {
		return nil, fmt.Errorf("Posteriors: %d variables cannot be read: name at most 40 in Bars", len(boxes))
	}
	f := arrange(boxes)
	for _, v := range boxes {
		for _, p := range v.parents {
			if k, ok := at[p]; ok {
				u := boxes[k]
				pointed(f, figure.Point{X: u.x + u.w/2, Y: u.y + u.h}, figure.Point{X: v.x + v.w/2, Y: v.y})
			}
		}
	}
	var text strings.Builder
	for _, v := range boxes {
		v.draw(f)
		text.WriteString(v.name)
		for k, s := range v.states {
			text.WriteString("  " + s + " " + fourDigits(v.p[k]))
		}
		text.WriteString("\n")
	}
	f.Text = strings.TrimSuffix(text.String(), "\n")
	return f, nil
}

// pointed draws an arrow.
func pointed(f *figure.Figure, from, tip figure.Point) {
	l := math.Hypot(tip.X-from.X, tip.Y-from.Y)
	ux, uy := (tip.X-from.X)/l, (tip.Y-from.Y)/l
	back := figure.Point{X: tip.X - 8*ux, Y: tip.Y - 8*uy}
	f.Line(from.X, from.Y, back.X, back.Y, figure.Style{Stroke: figure.Soft(), Width: 1.2})
	f.Polygon([]figure.Point{tip, {X: back.X - 3.5*uy, Y: back.Y + 3.5*ux}, {X: back.X + 3.5*uy, Y: back.Y - 3.5*ux}}, figure.Style{Fill: figure.Soft()})
}

// beliefs returns the queried variables and the given variables.
func beliefs(b *bayesnet.BayesBars) ([]*belief, map[string]int) {
	var boxes []*belief
	at := map[string]int{}
	known := b.Evidence.Known()
	for _, c := range b.Evidence.Net.Nodes {
		v := &belief{name: c.Name, states: c.States, parents: c.Parents}
		for _, s := range c.States {
			if slices.Contains(known, c.Name+"="+s) {
				v.given = s
			}
		}
		for _, s := range c.States {
			if v.given != "" {
				p := 0.0
				if s == v.given {
					p = 1
				}
				v.p = append(v.p, p)
			}
		}
		for _, q := range b.Marginals {
			if q.Names[0] == c.Name {
				v.p = q.P
			}
		}
		if v.p == nil {
			continue
		}
		names := 0.0
		for _, s := range v.states {
			names = math.Max(names, smallFont.Width(s))
		}
		v.w = math.Max(unitFont.Width(v.name)+16, names+barWidth+60)
		v.h = 24 + barHeight*float64(len(v.states)) + 5
		at[c.Name] = len(boxes)
		boxes = append(boxes, v)
	}
	return boxes, at
}

// arrange places each box below its parents, in centered rows.
func arrange(boxes []*belief) *figure.Figure {
	layers := map[string]int{}
	for range boxes {
		for _, v := range boxes {
			for _, p := range v.parents {
				if l, ok := layers[p]; ok && l+1 > v.layer {
					v.layer = l + 1
				}
			}
			layers[v.name] = v.layer
		}
	}
	most := 0
	for _, v := range boxes {
		most = max(most, v.layer)
	}
	width := 0.0
	rows := make([][]*belief, most+1)
	for _, v := range boxes {
		rows[v.layer] = append(rows[v.layer], v)
	}
	widths := make([]float64, len(rows))
	for l, row := range rows {
		for _, v := range row {
			widths[l] += v.w + nodeGap
		}
		widths[l] -= nodeGap
		width = math.Max(width, widths[l])
	}
	y := 12.0
	for l, row := range rows {
		x, high := 12+(width-widths[l])/2, 0.0
		for _, v := range row {
			v.x, v.y = x, y
			x += v.w + nodeGap
			high = math.Max(high, v.h)
		}
		y += high + 34
	}
	return figure.New(width+24, y-34+12)
}

func (v *belief) draw(f *figure.Figure) {
	style := figure.Style{Fill: figure.Shade(), Stroke: figure.Frame(), Width: 1.1}
	if v.given != "" {
		style.Stroke, style.Width = figure.Accent(), 2.2
	}
	f.Rect(v.x, v.y, v.w, v.h, 6, style)
	f.Label(v.x+v.w/2, v.y+16, v.name, figure.TextStyle{Font: unitFont, Color: figure.Ink(), Anchor: figure.Middle})
	left := v.x + v.w - barWidth - 46
	for k, s := range v.states {
		y := v.y + 24 + barHeight*float64(k)
		f.Label(left-5, y+9, s, figure.TextStyle{Font: smallFont, Color: figure.Ink(), Anchor: figure.End})
		f.Rect(left, y+1, barWidth, barHeight-3, 0, figure.Style{Fill: figure.Paper()})
		f.Rect(left, y+1, math.Max(barWidth*v.p[k], 0.5), barHeight-3, 0, figure.Style{Fill: figure.Class(0)})
		f.Label(left+barWidth+4, y+9, strconv.FormatFloat(v.p[k], 'g', 3, 64), figure.TextStyle{Font: smallFont, Color: figure.Soft(), Anchor: figure.Start})
	}
}
