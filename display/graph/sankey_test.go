package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// energy returns synthetic data: sources, carriers and uses of energy in a small country.
func energy() *Sankey {
	var from, to []string
	var amount []float64
	for _, s := range strings.Split("oil fuel 42|gas power 18|gas heat 22|coal power 15|wind power 12|sun power 9|sun heat 2|fuel transport 33|fuel industry 9|power homes 19|power industry 14|power losses 21|heat homes 16|heat industry 8", "|") {
		var a, b string
		var x float64
		fmt.Sscan(s, &a, &b, &x)
		from, to, amount = append(from, a), append(to, b), append(amount, x)
	}
	return NewSankey(from, to, amount).Title("Energy (TWh)")
}

// randomFlows returns flows between three layers of nodes.
func randomFlows(r *rand.Rand, sizes []int, p float64) (from, to []string, amount []float64) {
	for k := 1; k < len(sizes); k++ {
		for i := range sizes[k-1] {
			for j := range sizes[k] {
				if r.Float64() < p {
					from, to = append(from, fmt.Sprint(k-1, "-", i)), append(to, fmt.Sprint(k, "-", j))
					amount = append(amount, float64(1+r.IntN(9)))
				}
			}
		}
	}
	return from, to, amount
}

// TestSankeyConserves checks that the bands after a node add up to its outflow and the bands
// before it to its inflow, on one scale and side by side on the node.
func TestSankeyConserves(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		from, to, amount := randomFlows(r, []int{2 + r.IntN(4), 2 + r.IntN(4), 2 + r.IntN(4)}, 0.7)
		s := NewSankey(from, to, amount)
		if s.err != nil || len(s.flows) == 0 {
			continue
		}
		l := s.layout()
		l.place(10, 410)
		in, out := map[string]float64{}, map[string]float64{}
		for i, x := range amount {
			out[from[i]] += x
			in[to[i]] += x
		}
		for _, layer := range l.layers {
			for i, n := range layer {
				if n.y < 10-1e-6 || n.y+n.height > 410+1e-6 {
					t.Fatalf("a node is at %g to %g", n.y, n.y+n.height)
				}
				if i > 0 && layer[i-1].y+layer[i-1].height > n.y-1e-6 {
					t.Fatalf("nodes of a layer overlap")
				}
				if n.passing {
					continue
				}
				if math.Abs(total(n.in)-in[n.name]) > 1e-9 || math.Abs(total(n.out)-out[n.name]) > 1e-9 {
					t.Fatalf("%s has the inflow %g and the outflow %g, want %g and %g", n.name, total(n.in), total(n.out), in[n.name], out[n.name])
				}
				if want := math.Max(in[n.name], out[n.name]) * l.scale; math.Abs(n.height-want) > 1e-9 {
					t.Fatalf("%s is %g high, want %g", n.name, n.height, want)
				}
				y := n.y
				for _, f := range n.out {
					if math.Abs(f.y0-f.amount*l.scale/2-y) > 1e-6 {
						t.Fatalf("a band of %s begins at %g, want %g", n.name, f.y0-f.amount*l.scale/2, y)
					}
					y += f.amount * l.scale
				}
			}
		}
	}
}

// permutations calls do with each order of the layer.
func permutations(layer []*stage, k int, do func()) {
	if k == len(layer) {
		do()
		return
	}
	for i := k; i < len(layer); i++ {
		layer[k], layer[i] = layer[i], layer[k]
		permutations(layer, k+1, do)
		layer[k], layer[i] = layer[i], layer[k]
	}
}

// TestSankeyCrossesLittle uses layers so small that all orders can be tried. The weight of the
// crossings must be the minimum in at least 95 of 100 random diagrams, and never more than 10
// percent above it.
func TestSankeyCrossesLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	least, tried := 0, 0
	for range 60 {
		from, to, amount := randomFlows(r, []int{4, 3, 4}, 0.5)
		s := NewSankey(from, to, amount)
		if s.err != nil || len(s.flows) == 0 {
			continue
		}
		l := s.layout()
		if slices.ContainsFunc(l.layers, func(layer []*stage) bool { return len(layer) > 4 }) {
			continue
		}
		got, best := l.crossings(), math.Inf(1)
		all := &sankeyLayout{layers: l.snapshot()}
		var try func(k int)
		try = func(k int) {
			if k == len(all.layers) {
				best = math.Min(best, all.crossings())
				return
			}
			if best == 0 {
				return
			}
			permutations(all.layers[k], 0, func() { numberLayer(all.layers[k]); try(k + 1) })
		}
		try(0)
		tried++
		if got <= best+1e-9 {
			least++
		} else if got > 1.1*best {
			t.Errorf("crossings weigh %g, the least possible is %g", got, best)
		}
	}
	if tried < 30 || float64(least) < 0.95*float64(tried) {
		t.Errorf("%d of %d diagrams have the least crossings", least, tried)
	}
}

func TestSankeyRefuses(t *testing.T) {
	for want, s := range map[string]*Sankey{
		"the flows must not have a cycle, got b → c → b": NewSankey([]string{"a", "b", "c"}, []string{"b", "c", "b"}, []float64{1, 1, 1}),
		"a flows to itself": NewSankey([]string{"a"}, []string{"a"}, []float64{1}),
		"the amount from a to b must be positive, got −3": NewSankey([]string{"a"}, []string{"b"}, []float64{-3}),
		"there are 1 beginnings and 2 ends":               NewSankey([]string{"a"}, []string{"b", "c"}),
		"got 1 arguments":                                 NewSankey([]string{"a"}),
		"the amounts must be numbers":                     NewSankey([]string{"a"}, []string{"b"}, []string{"c"}),
	} {
		if _, err := s.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

func TestSankeySaysWhatIsLost(t *testing.T) {
	f, err := NewSankey([]string{"a", "b", "x", "a"}, []string{"b", "c", "c", "c"}, []float64{10, 8, math.NaN(), 0}).Figure()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"b: 10 in, 8 out", "1 row with a missing value is left out", "1 amount of zero is left out", "a → b"} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("the text does not say %q:\n%s", want, f.Text)
		}
	}
	if _, err := NewSankey([]string{}, []string{}).Display(); err != nil {
		t.Errorf("no flows: %v", err)
	}
}
