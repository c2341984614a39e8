package bayesnet

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SpanningEdge is an edge of a spanning tree, in the order in which it was added.
type SpanningEdge struct {
	From, To int
	Weight   float64
}

// Prim finds a maximum spanning tree of a complete graph. From a start, it adds the heaviest edge
// that leaves the tree until all nodes are in the tree. Each edge leads away from the start.
//
//	max Σ over edges of the tree of w(u, v)
//
// Among edges of equal weight, it takes the edge whose nodes have the lower indices. Cost: O(n²).
//
// References: [Prim1957]. Course: BN-11.
func Prim(weights mat.Matrix, start int) []SpanningEdge {
	const op = "Prim"
	n := checkWeights(op, weights)
	if start < 0 || start >= n {
		panic(model.Errorf(op, "start must be the index of a vertex, from 0 to %d, got %d", n-1, start))
	}
	in := make([]bool, n)
	best, from := make([]float64, n), make([]int, n)
	for v := range n {
		best[v], from[v] = weights.At(start, v), start
	}
	in[start] = true
	var edges []SpanningEdge
	for len(edges) < n-1 {
		next := -1
		for v := range n {
			if !in[v] && (next < 0 || best[v] > best[next]) {
				next = v
			}
		}
		in[next] = true
		edges = append(edges, SpanningEdge{from[next], next, best[next]})
		for v := range n {
			if w := weights.At(next, v); !in[v] && w > best[v] {
				best[v], from[v] = w, next
			}
		}
	}
	return edges
}

// Kruskal finds a maximum spanning tree of a complete graph. It adds edges in order of decreasing
// weight, but skips edges that would close a cycle. It detects cycles with a union-find structure.
//
//	max Σ over edges of the tree of w(u, v)
//
// From is smaller than To. Cost: O(n² log n).
//
// References: [Kruskal1956]. Course: BN-12.
func Kruskal(weights mat.Matrix) []SpanningEdge {
	n := checkWeights("Kruskal", weights)
	var all []SpanningEdge
	for u := range n {
		for v := u + 1; v < n; v++ {
			all = append(all, SpanningEdge{u, v, weights.At(u, v)})
		}
	}
	slices.SortStableFunc(all, func(a, b SpanningEdge) int { return cmp.Compare(b.Weight, a.Weight) })
	root := make([]int, n)
	for v := range root {
		root[v] = v
	}
	find := func(v int) int {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	var edges []SpanningEdge
	for _, e := range all {
		if a, b := find(e.From), find(e.To); a != b {
			root[a] = b
			edges = append(edges, e)
		}
	}
	return edges
}

func checkWeights(op string, w mat.Matrix) int {
	if w == nil {
		panic(model.Errorf(op, "weights must not be empty"))
	}
	r, c := w.Dims()
	if r != c || r == 0 {
		panic(model.Errorf(op, "weights must be a square matrix, got %dx%d", r, c))
	}
	for i := range r {
		for j := range i {
			if a, b := w.At(i, j), w.At(j, i); math.IsNaN(a) || math.IsInf(a, 0) || a != b {
				panic(model.Errorf(op, "weights must be finite and symmetric, got [%[1]d][%[2]d] = %[3]v and [%[2]d][%[1]d] = %[4]v", i, j, a, b))
			}
		}
	}
	return r
}

// directed converts an undirected tree to the parent of each vertex, -1 for the root.
func directed(edges []SpanningEdge, n, root int) []int {
	parent := slices.Repeat([]int{-2}, n)
	parent[root] = -1
	queue := []int{root}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, e := range edges {
			for _, v := range [][2]int{{e.From, e.To}, {e.To, e.From}} {
				if v[0] == u && parent[v[1]] == -2 {
					parent[v[1]] = u
					queue = append(queue, v[1])
				}
			}
		}
	}
	return parent
}
