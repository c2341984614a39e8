package graph

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sort"
)

// Limits of the search for the order of the layers.
const (
	orderStarts = 24 // number of starting orders
	orderRounds = 20 // rounds over all layers for each of them
	exactOrder  = 10 // number of nodes of a layer up to which the best order is computed exactly
)

// order finds an order of each layer with few crossings. It starts from several orders, half of
// them sorted by barycenters. It then optimizes each layer in turn while the others are fixed,
// until nothing improves.
func (l *sankeyLayout) order() {
	r := rand.New(rand.NewPCG(1, 1))
	var best [][]*stage
	least := math.Inf(1)
	for start := range orderStarts {
		if start > 0 {
			for _, layer := range l.layers {
				r.Shuffle(len(layer), func(i, j int) { layer[i], layer[j] = layer[j], layer[i] })
			}
		}
		l.number()
		for range 4 * (1 - start%2) { // barycenters would turn most starting orders into the same one
			for k := 1; k < len(l.layers); k++ {
				sortLayer(l.layers[k], func(n *stage) []*flow { return n.in }, func(f *flow) *stage { return f.from })
			}
			for k := len(l.layers) - 2; k >= 0; k-- {
				sortLayer(l.layers[k], func(n *stage) []*flow { return n.out }, func(f *flow) *stage { return f.to })
			}
		}
		if c := l.descend(); c < least {
			best, least = l.snapshot(), c
		}
		if least == 0 {
			break
		}
	}
	l.layers = best
	l.number()
}

func (l *sankeyLayout) snapshot() [][]*stage {
	out := make([][]*stage, len(l.layers))
	for i, layer := range l.layers {
		out[i] = append([]*stage(nil), layer...)
	}
	return out
}

// number sets the positions of the stages.
func (l *sankeyLayout) number() {
	for _, layer := range l.layers {
		numberLayer(layer)
	}
}

func numberLayer(layer []*stage) {
	for i, n := range layer {
		n.place = i
	}
}

// sortLayer sorts a layer by the weighted mean of the positions of neighbors.
func sortLayer(layer []*stage, flows func(*stage) []*flow, other func(*flow) *stage) {
	for i, n := range layer {
		sum, weight := 0.0, 0.0
		for _, f := range flows(n) {
			sum += f.amount * float64(other(f).place)
			weight += f.amount
		}
		n.mean = float64(i)
		if weight > 0 {
			n.mean = sum / weight
		}
	}
	sort.SliceStable(layer, func(a, b int) bool { return layer[a].mean < layer[b].mean })
	numberLayer(layer)
}

// descend improves one layer after the other and returns the weight of the remaining crossings.
func (l *sankeyLayout) descend() float64 {
	now := l.crossings()
	for range orderRounds {
		for _, layer := range l.layers {
			betterLayer(layer)
		}
		next := l.crossings()
		if next >= now {
			break
		}
		now = next
	}
	return now
}

// betterLayer improves the order of a layer while the others are fixed. The result is optimal or,
// for many nodes, cannot be improved by moving a single node.
func betterLayer(layer []*stage) {
	cost := pairCosts(layer)
	if len(layer) <= exactOrder {
		bestOrder(layer, cost)
	} else {
		insertOrder(layer, cost)
	}
	numberLayer(layer)
}

// pairCosts returns for each pair the weight of crossings if the first is above the second.
func pairCosts(layer []*stage) [][]float64 {
	cost := make([][]float64, len(layer))
	for a, n := range layer {
		cost[a] = make([]float64, len(layer))
		for b, m := range layer {
			if a == b {
				continue
			}
			for _, f := range n.in {
				for _, g := range m.in {
					if f.from.place > g.from.place {
						cost[a][b] += f.amount * g.amount
					}
				}
			}
			for _, f := range n.out {
				for _, g := range m.out {
					if f.to.place > g.to.place {
						cost[a][b] += f.amount * g.amount
					}
				}
			}
		}
	}
	return cost
}

// bestOrder finds the order with the lowest cost by dynamic programming over the sets of nodes that
// are above the others (M. Held and R. Karp, 1962). Ties keep the current order.
func bestOrder(layer []*stage, cost [][]float64) {
	n := len(layer)
	least, last := make([]float64, 1<<n), make([]int, 1<<n)
	for set := 1; set < 1<<n; set++ {
		least[set] = math.Inf(1)
		for rest := set; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros(uint(rest))
			above := set &^ (1 << k)
			sum := least[above]
			for others := above; others != 0; others &= others - 1 {
				sum += cost[bits.TrailingZeros(uint(others))][k]
			}
			if sum <= least[set] {
				least[set], last[set] = sum, k
			}
		}
	}
	ordered := make([]*stage, n)
	for set := 1<<n - 1; set != 0; {
		k := last[set]
		ordered[bits.OnesCount(uint(set))-1] = layer[k]
		set &^= 1 << k
	}
	copy(layer, ordered)
}

// insertOrder moves single nodes to their best positions until no move helps.
func insertOrder(layer []*stage, cost [][]float64) {
	index := make([]int, len(layer)) // node at each position, in the current order
	for i := range index {
		index[i] = i
	}
	old := append([]*stage(nil), layer...)
	for moved, rounds := true, 0; moved && rounds < orderRounds; rounds++ {
		moved = false
		for i := range index {
			to, gain, best := i, 0.0, 0.0
			for j := i - 1; j >= 0; j-- {
				gain += cost[index[j]][index[i]] - cost[index[i]][index[j]]
				if gain > best+1e-9 {
					to, best = j, gain
				}
			}
			gain = 0
			for j := i + 1; j < len(index); j++ {
				gain += cost[index[i]][index[j]] - cost[index[j]][index[i]]
				if gain > best+1e-9 {
					to, best = j, gain
				}
			}
			moved = moved || to != i
			shift(index, i, to)
		}
	}
	for i, k := range index {
		layer[i] = old[k]
	}
}

// shift moves an element: its old index is from, and its new index is to.
func shift(index []int, from, to int) {
	n := index[from]
	for ; from < to; from++ {
		index[from] = index[from+1]
	}
	for ; from > to; from-- {
		index[from] = index[from-1]
	}
	index[to] = n
}

// crossings returns a sum over all pairs of flows that cross each other: the sum of the products of
// their amounts.
func (l *sankeyLayout) crossings() float64 {
	sum := 0.0
	for _, layer := range l.layers {
		for a, n := range layer {
			for _, m := range layer[a+1:] {
				for _, f := range n.out {
					for _, g := range m.out {
						if f.to.place > g.to.place {
							sum += f.amount * g.amount
						}
					}
				}
			}
		}
	}
	return sum
}
