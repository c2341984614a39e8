package graph

import (
	"errors"
	"math"
	"sort"
)

// layered positions nodes in layers. Directions are named for layers that are below each other:
// size is the extent of a node along its layer, depth is its extent across layers.
type layered struct {
	nodes  []*site
	edges  [][2]int  // as passed by the caller
	labels []float64 // space along a layer that the label of each edge needs
	gap    float64   // between neighbors in a layer
	paths  [][]int   // the nodes and bends of each edge, in its own direction
	layers [][]int
	width  float64
	height float64
	tops   []float64
	depths []float64
}

// site is a node, or a bend of an edge in a layer that the edge passes.
type site struct {
	size, depth float64
	layer       int
	x           float64 // position of the center
	up, down    []int
	bend        bool
}

func (l *layered) add(size, depth float64, layer int) {
	l.nodes = append(l.nodes, &site{size: size, depth: depth, layer: layer})
}

func (l *layered) edge(from, to int, label float64) {
	l.edges, l.labels = append(l.edges, [2]int{from, to}), append(l.labels, label)
}

func (l *layered) center(i int) (x, y float64) {
	n := l.nodes[i]
	return n.x, l.tops[n.layer] + l.depths[n.layer]/2
}

// path returns the points of an edge, from the center of its first node to the center of its last
// node.
func (l *layered) path(e int) [][2]float64 {
	var out [][2]float64
	for _, i := range l.paths[e] {
		x, y := l.center(i)
		out = append(out, [2]float64{x, y})
	}
	return out
}

func (l *layered) layout(between float64) error {
	given := 0
	for _, n := range l.nodes {
		if n.layer >= 0 {
			given++
		}
	}
	switch {
	case given == 0:
		l.assign()
	case given < len(l.nodes):
		return errors.New("graph.Layer: some nodes have a layer and some have none: set it for all")
	}
	if err := l.bends(); err != nil {
		return err
	}
	l.order()
	l.positions()
	l.tops = make([]float64, len(l.layers))
	l.depths = make([]float64, len(l.layers))
	y := 0.0
	for k, layer := range l.layers {
		for _, i := range layer {
			l.depths[k] = math.Max(l.depths[k], l.nodes[i].depth)
		}
		l.tops[k] = y
		y += l.depths[k] + between
	}
	l.height = y - between
	return nil
}

// assign sets the layer of each node to the length of the longest path to it, after reversing
// edges that close a cycle. A node without incoming edges moves next to its successors.
func (l *layered) assign() {
	n := len(l.nodes)
	out := make([][]int, n)
	for e, ends := range l.edges {
		out[ends[0]] = append(out[ends[0]], e)
	}
	state := make([]int, n) // 0 new, 1 being visited, 2 done
	forward := make([][2]int, len(l.edges))
	copy(forward, l.edges)
	var visit func(i int)
	visit = func(i int) {
		state[i] = 1
		for _, e := range out[i] {
			j := l.edges[e][1]
			if state[j] == 1 {
				forward[e] = [2]int{j, i} // the edge closes a cycle
			} else if state[j] == 0 {
				visit(j)
			}
		}
		state[i] = 2
	}
	for i := range n {
		if state[i] == 0 {
			visit(i)
		}
	}
	for _, node := range l.nodes {
		node.layer = 0
	}
	// As many rounds as there are nodes suffice to find the longest paths.
	for range n {
		changed := false
		for _, e := range forward {
			if a, b := l.nodes[e[0]], l.nodes[e[1]]; b.layer < a.layer+1 {
				b.layer, changed = a.layer+1, true
			}
		}
		if !changed {
			break
		}
	}
	for i, node := range l.nodes {
		source, nearest := true, math.MaxInt
		for _, e := range forward {
			if e[1] == i {
				source = false
			}
			if e[0] == i {
				nearest = min(nearest, l.nodes[e[1]].layer)
			}
		}
		if source && nearest < math.MaxInt {
			node.layer = nearest - 1
		}
	}
}

// bends splits edges that pass layers into segments between adjacent layers.
func (l *layered) bends() error {
	for k, e := range l.edges {
		a, b := e[0], e[1]
		turned := l.nodes[a].layer > l.nodes[b].layer
		if turned {
			a, b = b, a
		}
		if l.nodes[a].layer == l.nodes[b].layer {
			// Nodes in one layer are joined directly.
			l.paths = append(l.paths, []int{e[0], e[1]})
			continue
		}
		way := []int{a}
		first, last := l.nodes[a].layer, l.nodes[b].layer
		for layer := first + 1; layer < last; layer++ {
			if len(l.nodes) > 20000 {
				return errors.New("graph: the edges pass too many layers to be drawn")
			}
			bend := &site{size: 10, layer: layer, bend: true}
			if layer == (first+last)/2 {
				bend.size = math.Max(bend.size, l.labels[k])
			}
			l.nodes = append(l.nodes, bend)
			way = append(way, len(l.nodes)-1)
		}
		way = append(way, b)
		for i := 1; i < len(way); i++ {
			u, v := way[i-1], way[i]
			l.nodes[u].down = append(l.nodes[u].down, v)
			l.nodes[v].up = append(l.nodes[v].up, u)
		}
		if turned {
			for i, j := 0, len(way)-1; i < j; i, j = i+1, j-1 {
				way[i], way[j] = way[j], way[i]
			}
		}
		l.paths = append(l.paths, way)
	}
	for i, n := range l.nodes {
		for len(l.layers) <= n.layer {
			l.layers = append(l.layers, nil)
		}
		l.layers[n.layer] = append(l.layers[n.layer], i)
	}
	return nil
}

// order sorts each layer so that few edges cross. It sorts by the mean position of the neighbors
// in the previous layer (the barycenter method of Sugiyama and others), alternately downwards and
// upwards, and then exchanges neighbors. It keeps the best order that it has found.
func (l *layered) order() {
	pos := make([]float64, len(l.nodes))
	number := func() {
		for _, layer := range l.layers {
			for p, i := range layer {
				pos[i] = float64(p)
			}
		}
	}
	number()
	save := func() [][]int {
		out := make([][]int, len(l.layers))
		for k, layer := range l.layers {
			out[k] = append([]int(nil), layer...)
		}
		return out
	}
	best, fewest := save(), l.crossings(pos)
	for round := 0; round < 24 && fewest > 0; round++ {
		down := round%2 == 0
		for s := range l.layers {
			k := s
			if !down {
				k = len(l.layers) - 1 - s
			}
			layer := l.layers[k]
			mean := map[int]float64{}
			for p, i := range layer {
				next := l.nodes[i].up
				if !down {
					next = l.nodes[i].down
				}
				mean[i] = float64(p)
				if len(next) > 0 {
					sum := 0.0
					for _, j := range next {
						sum += pos[j]
					}
					mean[i] = sum / float64(len(next))
				}
			}
			sort.SliceStable(layer, func(a, b int) bool { return mean[layer[a]] < mean[layer[b]] })
			for p, i := range layer {
				pos[i] = float64(p)
			}
		}
		l.exchange(pos)
		if c := l.crossings(pos); c < fewest {
			best, fewest = save(), c
		}
	}
	l.layers = best
}

// exchange swaps neighbors as long as this reduces the number of crossings.
func (l *layered) exchange(pos []float64) {
	cross := func(a, b int) int {
		n := 0
		for _, next := range [][2][]int{{l.nodes[a].up, l.nodes[b].up}, {l.nodes[a].down, l.nodes[b].down}} {
			for _, i := range next[0] {
				for _, j := range next[1] {
					if pos[i] > pos[j] {
						n++
					}
				}
			}
		}
		return n
	}
	for range 10 {
		changed := false
		for _, layer := range l.layers {
			for p := 0; p+1 < len(layer); p++ {
				a, b := layer[p], layer[p+1]
				if cross(b, a) < cross(a, b) {
					layer[p], layer[p+1] = b, a
					pos[a], pos[b] = pos[b], pos[a]
					changed = true
				}
			}
		}
		if !changed {
			return
		}
	}
}

// crossings counts the crossings of edges between adjacent layers.
func (l *layered) crossings(pos []float64) int {
	n := 0
	for _, layer := range l.layers {
		type span struct{ a, b float64 }
		var spans []span
		for _, i := range layer {
			for _, j := range l.nodes[i].down {
				spans = append(spans, span{pos[i], pos[j]})
			}
		}
		for i, s := range spans {
			for _, t := range spans[:i] {
				if (s.a-t.a)*(s.b-t.b) < 0 {
					n++
				}
			}
		}
	}
	return n
}

// positions sets the x of every node. It moves each layer in turn as close to the means of its
// nodes' neighbors as the order and the gaps allow. This least squares problem is isotonic
// regression, which the pool adjacent violators algorithm solves exactly (M. Ayer and others,
// 1955). Bends have a larger weight, so that long edges are straight.
func (l *layered) positions() {
	for _, layer := range l.layers {
		x := 0.0
		for p, i := range layer {
			if p > 0 {
				x += l.space(layer[p-1], i)
			}
			l.nodes[i].x = x
		}
		for _, i := range layer { // around a common center
			l.nodes[i].x -= x / 2
		}
	}
	for round := range 40 {
		for s := range l.layers {
			k := s
			if round%2 == 1 {
				k = len(l.layers) - 1 - s
			}
			layer := l.layers[k]
			target, weight := make([]float64, len(layer)), make([]float64, len(layer))
			offset := 0.0
			offsets := make([]float64, len(layer))
			for p, i := range layer {
				if p > 0 {
					offset += l.space(layer[p-1], i)
				}
				offsets[p] = offset
				n := l.nodes[i]
				sum, w := 0.0, 0.0
				for _, j := range append(append([]int(nil), n.up...), n.down...) {
					strength := 1.0
					if n.bend && l.nodes[j].bend {
						strength = 8
					} else if n.bend || l.nodes[j].bend {
						strength = 2
					}
					sum, w = sum+strength*l.nodes[j].x, w+strength
				}
				if w == 0 {
					sum, w = n.x*0.01, 0.01
				}
				target[p], weight[p] = sum/w-offset, w
			}
			for p, y := range isotonic(target, weight) {
				l.nodes[layer[p]].x = y + offsets[p]
			}
		}
	}
	left, right := math.Inf(1), math.Inf(-1)
	for _, n := range l.nodes {
		left, right = math.Min(left, n.x-n.size/2), math.Max(right, n.x+n.size/2)
	}
	for _, n := range l.nodes {
		n.x -= left
	}
	l.width = right - left
}

// space returns the minimum distance between the centers of two neighbors.
func (l *layered) space(a, b int) float64 {
	return (l.nodes[a].size+l.nodes[b].size)/2 + l.gap
}

// isotonic returns the ascending numbers that are closest to the targets by weighted least
// squares.
func isotonic(target, weight []float64) []float64 {
	type pool struct {
		mean, weight float64
		n            int
	}
	var pools []pool
	for i, t := range target {
		pools = append(pools, pool{t, weight[i], 1})
		for len(pools) > 1 && pools[len(pools)-2].mean > pools[len(pools)-1].mean {
			a, b := pools[len(pools)-2], pools[len(pools)-1]
			w := a.weight + b.weight
			pools = append(pools[:len(pools)-2], pool{(a.mean*a.weight + b.mean*b.weight) / w, w, a.n + b.n})
		}
	}
	var out []float64
	for _, p := range pools {
		for range p.n {
			out = append(out, p.mean)
		}
	}
	return out
}
