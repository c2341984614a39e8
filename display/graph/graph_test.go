package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

func tennis() *Node {
	return &Node{Title: "Outlook", Lines: []string{"gain 0.247"}, Counts: []float64{5, 9}, Children: []*Node{
		{Title: "Humidity", Edge: "sunny", Lines: []string{"gain 0.971"}, Counts: []float64{3, 2}, Children: []*Node{
			{Title: "no", Edge: "high", Counts: []float64{3, 0}},
			{Title: "yes", Edge: "normal", Counts: []float64{0, 2}},
		}},
		{Title: "yes", Edge: "overcast", Counts: []float64{0, 4}},
		{Title: "Windy", Edge: "rain", Lines: []string{"gain 0.971"}, Counts: []float64{2, 3}, Children: []*Node{
			{Title: "yes", Edge: "false", Counts: []float64{0, 3}},
			{Title: "no", Edge: "true", Counts: []float64{2, 0}},
		}},
	}}
}

func regression() *Node {
	v := func(x float64) *float64 { return &x }
	return &Node{Title: "rooms ≤ 6.94", Lines: []string{"n = 506"}, Value: v(22.5), Children: []*Node{
		{Title: "lower status ≤ 14.4 % of the population", Edge: "yes", Value: v(19.9), Lines: []string{"n = 430"}, Children: []*Node{
			{Title: "23.3", Edge: "yes", Value: v(23.3), Lines: []string{"n = 255"}},
			{Title: "15.0", Edge: "no", Value: v(15), Lines: []string{"n = 175"}},
		}},
		{Title: "rooms ≤ 7.44", Edge: "no", Value: v(37.2), Marked: true, Lines: []string{"n = 76"}, Children: []*Node{
			{Title: "32.1", Edge: "yes", Value: v(32.1), Lines: []string{"n = 46"}, Faded: true},
			{Title: "45.1", Edge: "no", Value: v(45.1), Lines: []string{"n = 30"}, Marked: true},
		}},
	}}
}

// chain returns a tree of the given depth with a leaf at each node.
func chain(depth int) *Node {
	n := &Node{Title: "leaf", Counts: []float64{1}}
	for i := range depth {
		n = &Node{Title: fmt.Sprintf("feature %d ≤ %d.5", depth-i, i), Children: []*Node{{Title: "leaf", Edge: "yes", Counts: []float64{1, float64(i)}}, n}}
		n.Children[1].Edge = "no"
	}
	return n
}

func full(depth, branches int) *Node {
	n := &Node{Title: fmt.Sprint("d", depth)}
	if depth > 0 {
		for range branches {
			n.Children = append(n.Children, full(depth-1, branches))
		}
	}
	return n
}

func alarm() *Graph {
	return New().Title("Burglary network").
		Node("B", "Burglary", "P(b) = 0.001").Node("E", "Earthquake", "P(e) = 0.002").
		Node("A", "Alarm", "P(a | b, e) = 0.95", "P(a | b, ¬e) = 0.94", "P(a | ¬b, e) = 0.29", "P(a | ¬b, ¬e) = 0.001").
		Node("J", "John calls", "P(j | a) = 0.90").Node("M", "Mary calls", "P(m | a) = 0.70").
		Edge("B", "A").Edge("E", "A").Edge("A", "J").Edge("A", "M")
}

var gallery = []struct {
	name string
	make func() display.Displayer
}{
	{"tennis", func() display.Displayer { return NewTree(tennis()).Title("Shall we play tennis?").Classes("no", "yes") }},
	{"regression", func() display.Displayer { return NewTree(regression()).Title("House prices (1000 $)") }},
	{"single", func() display.Displayer { return NewTree(&Node{Title: "yes", Counts: []float64{0, 14}}) }},
	{"full", func() display.Displayer { return NewTree(full(4, 2)) }},
	{"depth", func() display.Displayer { return NewTree(full(6, 3)).Depth(2) }},
	{"deep", func() display.Displayer { return NewTree(chain(30)) }},
	{"markup", func() display.Displayer {
		return NewTree(&Node{Title: "<script>alert(1)</script>", Edge: "<b>", Lines: []string{"a & b"}, Children: []*Node{{Title: strings.Repeat("a very long answer ", 20), Edge: "</text>"}}}).Classes("<i>")
	}},
	{"alarm", func() display.Displayer { return alarm() }},
	{"network", func() display.Displayer {
		g := New().Right().Circles().Title("A network with weights")
		g.Layer(0, "x₁", "x₂", "x₃").Layer(1, "h₁", "h₂", "h₃", "h₄").Layer(2, "y")
		for i := 1; i <= 4; i++ {
			for j := 1; j <= 3; j++ {
				g.EdgeWeight("x"+string(rune('₀'+j)), "h"+string(rune('₀'+i)), math.Sin(float64(3*i+j)))
			}
			g.EdgeWeight("h"+string(rune('₀'+i)), "y", math.Cos(float64(i)))
		}
		return g
	}},
	{"automaton", func() display.Displayer {
		return New().Right().Circles().EdgeLabel("cool", "cool", "slow").EdgeLabel("cool", "warm", "fast").EdgeLabel("warm", "cool", "slow").EdgeLabel("warm", "off", "fast").Mark("off")
	}},
	{"lattice", func() display.Displayer {
		g := New().Undirected().Title("Itemsets")
		items := "abcd"
		for s := range 16 {
			name := ""
			for i, c := range items {
				if s>>i&1 == 1 {
					name += string(c)
				}
			}
			if name == "" {
				name = "∅"
			}
			g.Node(fmt.Sprint(s), name)
			if s == 7 || s == 3 {
				g.Class(fmt.Sprint(s), 0)
			}
			for i := range items {
				if s>>i&1 == 0 {
					g.Edge(fmt.Sprint(s), fmt.Sprint(s|1<<i))
				}
			}
		}
		return g
	}},
	{"skip", func() display.Displayer {
		return New().Edge("a", "b").Edge("b", "c").Edge("c", "d").Edge("a", "d").Edge("a", "e").EdgeLabel("e", "d", "a longer label").Dashed()
	}},
}

func TestGallery(t *testing.T) {
	for _, e := range gallery {
		t.Run(e.name, func(t *testing.T) { figuretest.Check(t, e.name, e.make()) })
	}
}

// boxesOf lists the boxes of a positioned tree.
func boxesOf(b *box) []*box {
	out := []*box{b}
	for _, c := range b.children {
		out = append(out, boxesOf(c)...)
	}
	return out
}

func TestTreesAreTidy(t *testing.T) {
	for name, root := range map[string]*Node{"tennis": tennis(), "full": full(4, 3), "chain": chain(12), "mixed": {Title: "r", Children: []*Node{full(3, 2), {Title: "a"}, {Title: "b"}, full(2, 3), {Title: "c"}, full(4, 2)}}} {
		b := NewTree(root).build(root, 0, 100)
		place(b)
		all := boxesOf(b)
		for i, p := range all {
			for _, q := range all[:i] {
				if p.depth == q.depth && math.Abs(p.x-q.x) < (p.w+q.w)/2+gapX-1e-6 {
					t.Errorf("%s: boxes %q and %q of one level are %.1f apart", name, p.node.Title, q.node.Title, math.Abs(p.x-q.x)-(p.w+q.w)/2)
				}
			}
			if n := len(p.children); n > 0 {
				if m := (p.children[0].x + p.children[n-1].x) / 2; math.Abs(p.x-m) > 1e-6 {
					t.Errorf("%s: %q is %.1f off the middle of its children", name, p.node.Title, p.x-m)
				}
				for k := 1; k < n; k++ {
					if p.children[k-1].x >= p.children[k].x {
						t.Errorf("%s: the children of %q are out of order, so that edges cross", name, p.node.Title)
					}
				}
			}
		}
	}
}

func TestLectureGraphsDoNotCross(t *testing.T) {
	diamond := New().Edge("a", "b").Edge("a", "c").Edge("b", "d").Edge("c", "d").Edge("a", "d")
	tangled := New().Edge("1", "d").Edge("2", "c").Edge("3", "b").Edge("4", "a").Edge("1", "c").Edge("2", "b").Edge("3", "a")
	for name, g := range map[string]*Graph{"alarm": alarm(), "diamond": diamond, "tangled": tangled} {
		l := &layered{gap: 20}
		at := map[*vertex]int{}
		for i, v := range g.nodes {
			at[v] = i
			l.add(50, 20, v.layer)
		}
		for _, e := range g.edges {
			l.edge(at[e.from], at[e.to], 0)
		}
		if err := l.layout(40); err != nil {
			t.Fatal(err)
		}
		x := make([]float64, len(l.nodes))
		for i, n := range l.nodes {
			x[i] = n.x
		}
		if n := l.crossings(x); n != 0 {
			t.Errorf("%s: %d crossings", name, n)
		}
		for _, layer := range l.layers {
			for p := 1; p < len(layer); p++ {
				if d := l.nodes[layer[p]].x - l.nodes[layer[p-1]].x - l.space(layer[p-1], layer[p]); d < -1e-6 {
					t.Errorf("%s: neighbors are %.1f too close", name, -d)
				}
			}
		}
	}
}

func TestIsotonic(t *testing.T) {
	got := isotonic([]float64{1, 3, 2, 5}, []float64{1, 1, 3, 1})
	want := []float64{1, 2.25, 2.25, 5} // (3·1+2·3)/4
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestBadDataIsAnError(t *testing.T) {
	loop := &Node{Title: "loop"}
	loop.Children = []*Node{loop}
	many := New()
	for i := range 600 {
		many.Node(fmt.Sprint(i), "n")
	}
	tests := []struct {
		name string
		d    display.Displayer
		want string
	}{
		{"nil root", NewTree(nil), "the root must not be nil"},
		{"nil child", NewTree(&Node{Title: "a", Children: []*Node{nil}}), `child 0 of node "a" must not be nil`},
		{"cycle", NewTree(loop), `"loop" is reached twice`},
		{"depth", NewTree(tennis()).Depth(-1), "got -1"},
		{"empty graph", New(), "no nodes"},
		{"unknown node", New().Edge("a", "b").Class("c", 1), `no node "c"`},
		{"half layered", New().Edge("a", "b").Layer(0, "a"), "some nodes have a layer"},
		{"weight", New().EdgeWeight("a", "b", math.NaN()), `must be finite, got NaN`},
		{"dash", New().Dashed(), "no edge yet"},
		{"too many", many, "got 600"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.d.Display(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestLargeTreesAreLimited(t *testing.T) {
	f, err := NewTree(full(9, 3)).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(f.SVG(), "below") {
		t.Error("nodes that are not drawn are not counted")
	}
}

// TestEdgesPassNoNodes draws random graphs and checks that no edge crosses a node that it does
// not join.
func TestEdgesPassNoNodes(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 15))
		g := New()
		n := 3 + r.IntN(10)
		name := func(i int) string { return strings.Repeat("node ", 1+i%3) + strconv.Itoa(i) }
		for i := range n {
			if i%4 == 0 {
				g.Node(name(i), name(i), "a line", "another", "a third")
			} else {
				g.Node(name(i), name(i))
			}
		}
		for range n + r.IntN(2*n) {
			if a, b := r.IntN(n), r.IntN(n); a != b {
				g.Edge(name(a), name(b))
			}
		}
		if seed%3 == 1 {
			g.Right()
		}
		if seed%3 == 2 {
			for i := range n {
				g.Layer(i%3, name(i))
			}
		}
		if seed%5 == 0 {
			g.Circles()
		}
		d, err := g.arrange()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.sheet(); err != nil {
			t.Fatal(err)
		}
		path := 0
		for _, e := range g.edges {
			points := d.l.path(path)
			path++
			pts := make([]figure.Point, len(points))
			for i, p := range points {
				pts[i] = d.point(p[0], p[1])
			}
			pts = d.aside(g.part(pts, e), e)
			g.clip(pts, d.boxes[d.at[e.from]], d.boxes[d.at[e.to]])
			if passes(pts, d.obstacles(e, 0)) {
				t.Errorf("seed %d: the edge from %s to %s passes a node", seed, e.from.id, e.to.id)
			}
		}
	}
}

// TestNamesOfNodes: a name that is a little too long for a line is not broken, since its last line
// would be short.
func TestNamesOfNodes(t *testing.T) {
	for text, lines := range map[string]int{"⟨Sunny, Warm, ?, Strong, ?, ?⟩": 1, "a name that needs more than one line of text": 2} {
		g := New().Node("a", text)
		if got := g.measure(g.index["a"]).title; len(got) != lines {
			t.Errorf("%q has the lines %q, want %d", text, got, lines)
		}
	}
}
