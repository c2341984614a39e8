package neighbors

import (
	"container/heap"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// KDTree finds nearest rows in a binary tree whose nodes hold one row each.
// Every node divides its rows at the median of the column in which they vary
// most.
//
// Cost: O(d·n log n) to build in time, O(n) in memory. A query takes O(log n) in
// few dimensions and O(n) in many (from about 20 on nearly all nodes are
// visited).
//
// References: [Bentley1975]. Course: NEAR-15, NEAR-16.
type KDTree struct {
	Metric Metric
	P      float64 // the power of the Minkowski metric
	// Nodes are the nodes; the root is the first. The row of a node is equal to
	// or below the rows of its right subtree, equal to or above those of its left,
	// in its column.
	Nodes []KDNode

	x *mat.Dense
}

// KDNode is one node of a KDTree.
type KDNode struct {
	Row         int     // the row of x that the node holds
	Column      int     // the column that it divides by
	Value       float64 // the value of its row there
	Left, Right int     // the positions of the subtrees in Nodes; -1 for none
}

// NewKDTree builds the tree of the rows of x under a metric; p is the power of
// the Minkowski metric and ignored for the others. It panics with a
// [*model.Error] for a metric that a k-d tree cannot bound, and for an x without
// rows or with NaN or Inf.
func NewKDTree(x mat.Matrix, metric Metric, p float64) *KDTree {
	d, err := model.CheckX("NewKDTree", x)
	if err != nil {
		panic(err)
	}
	if !metric.bounded() {
		panic(model.Errorf("NewKDTree", "the %v distance has no bound along a column", metric).
			WithHint("search by brute force"))
	}
	t := &KDTree{Metric: metric, P: p, x: mat.DenseCopyOf(d)}
	n, _ := d.Dims()
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	t.Nodes = make([]KDNode, 0, n)
	t.build(rows)
	return t
}

// build adds the subtree of the rows, which it reorders, and gives its position.
func (t *KDTree) build(rows []int) int {
	if len(rows) == 0 {
		return -1
	}
	col := t.widest(rows)
	value := func(r int) float64 { return t.x.At(r, col) }
	mid := len(rows) / 2
	slices.SortFunc(rows, func(a, b int) int {
		switch va, vb := value(a), value(b); {
		case va < vb:
			return -1
		case va > vb:
			return 1
		}
		return a - b
	})
	at := len(t.Nodes)
	t.Nodes = append(t.Nodes, KDNode{Row: rows[mid], Column: col, Value: value(rows[mid])})
	left := t.build(rows[:mid])
	right := t.build(rows[mid+1:])
	t.Nodes[at].Left, t.Nodes[at].Right = left, right
	return at
}

// widest gives the column of the largest variance, the first of equals.
func (t *KDTree) widest(rows []int) int {
	_, cols := t.x.Dims()
	mean, m2 := make([]float64, cols), make([]float64, cols)
	for k, r := range rows {
		for j, v := range t.x.RawRowView(r) {
			d := v - mean[j]
			mean[j] += d / float64(k+1)
			m2[j] += d * (v - mean[j])
		}
	}
	best := 0
	for j, v := range m2 {
		if v > m2[best] {
			best = j
		}
	}
	return best
}

// Nearest gives the k rows nearest to q in ascending order of their distance
// (then of their number), the distances, and the number of nodes that were
// visited. It is the best-first search A*: a queue holds subtrees by the least
// distance that a row in them can have, and the search ends when that is larger
// than the k-th distance found.
func (t *KDTree) Nearest(q []float64, k int) (rows []int, distances []float64, visited int) {
	_, cols := t.x.Dims()
	if len(q) != cols {
		panic(model.Errorf("KDTree.Nearest", "q has %d values but the rows have %d", len(q), cols))
	}
	n, _ := t.x.Dims()
	if k < 1 || k > n {
		panic(model.Errorf("KDTree.Nearest", "k is %d", k).WithHint("choose k between 1 and the %d rows", n))
	}
	found := newNearest(k)
	queue := subtrees{{node: 0}}
	for len(queue) > 0 {
		s := heap.Pop(&queue).(subtree)
		if found.full() && s.bound > found.worst() {
			break
		}
		visited++
		node := &t.Nodes[s.node]
		found.offer(t.Metric.rank(q, t.x.RawRowView(node.Row), t.P), node.Row)
		d := q[node.Column] - node.Value
		near, far := node.Left, node.Right
		if d > 0 {
			near, far = far, near
		}
		if near >= 0 {
			heap.Push(&queue, subtree{near, s.bound})
		}
		if far >= 0 {
			heap.Push(&queue, subtree{far, max(s.bound, t.Metric.axis(d, t.P))})
		}
	}
	rows, distances = found.sorted()
	for i, r := range distances {
		distances[i] = t.Metric.distance(r, t.P)
	}
	return rows, distances, visited
}

type subtree struct {
	node  int
	bound float64
}

type subtrees []subtree

func (s subtrees) Len() int           { return len(s) }
func (s subtrees) Less(i, j int) bool { return s[i].bound < s[j].bound }
func (s subtrees) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *subtrees) Push(x any)        { *s = append(*s, x.(subtree)) }
func (s *subtrees) Pop() any {
	old := *s
	x := old[len(old)-1]
	*s = old[:len(old)-1]
	return x
}

// search is the depth-first search for many queries: no queue, no allocation.
func (t *KDTree) search(at int, q []float64, found *nearest) {
	for at >= 0 {
		node := &t.Nodes[at]
		found.offer(t.Metric.rank(q, t.x.RawRowView(node.Row), t.P), node.Row)
		d := q[node.Column] - node.Value
		near, far := node.Left, node.Right
		if d > 0 {
			near, far = far, near
		}
		if far < 0 {
			at = near
			continue
		}
		t.search(near, q, found)
		if found.full() && t.Metric.axis(d, t.P) > found.worst() {
			return
		}
		at = far
	}
}
