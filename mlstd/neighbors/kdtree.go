package neighbors

import (
	"container/heap"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KDTree finds nearest rows in a binary tree whose nodes hold one row each. Every node splits its
// rows at the median of the column with the largest variance.
//
// Cost: building takes O(d·n log n) time and O(n) memory. A query takes O(log n) in few dimensions
// and O(n) in many: in about 20 or more dimensions, it visits nearly all nodes.
//
// References: [Bentley1975]. Course: NEAR-15, NEAR-16.
type KDTree struct {
	Metric Metric
	P      float64 // the power of the Minkowski metric
	// Nodes holds the nodes of the tree, with the root first. In the column of a node, no value in
	// the left subtree is greater than the value of the node's row, and no value in the right
	// subtree is less.
	Nodes []KDNode

	points *mat.Dense // the rows in the order of the nodes
}

// KDNode is one node of a KDTree.
type KDNode struct {
	Row         int     // the row of x that the node holds
	Column      int     // the column that it splits by
	Value       float64 // the value of its row in that column
	Left, Right int     // the positions of the subtrees in Nodes; -1 for none
}

// NewKDTree returns the tree of the rows of x for a metric; p is the power of the Minkowski metric
// and is ignored for other metrics. It panics with a [*model.Error] if a k-d tree cannot bound the
// metric, or if x has no rows or contains NaN or Inf.
func NewKDTree(x mat.Matrix, metric Metric, p float64) *KDTree {
	d, err := model.CheckX("NewKDTree", x)
	if err != nil {
		panic(err)
	}
	if !metric.bounded() {
		panic(model.Errorf("NewKDTree", "the metric of a k-d tree must have a bound along a column, which the %v distance lacks", metric).WithHint("use brute force instead"))
	}
	n, cols := d.Dims()
	t := &KDTree{Metric: metric, P: p, points: mat.NewDense(n, cols, nil)}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	t.Nodes = make([]KDNode, n)
	b := kdBuilder{x: d, nodes: t.Nodes}
	b.build(rows, 0)
	for i, node := range t.Nodes {
		copy(t.points.RawRowView(i), d.RawRowView(node.Row))
	}
	return t
}

// kdBuilder fills the nodes of a tree over the rows of x.
type kdBuilder struct {
	x     *mat.Dense
	nodes []KDNode
}

// bigSubtree is the number of rows from which the two subtrees of a node are built
// at the same time.
const bigSubtree = 4096

// build fills the nodes from at on with the subtree of the rows: the node itself, the left subtree,
// the right subtree. It reorders rows.
func (b *kdBuilder) build(rows []int32, at int) {
	mid := len(rows) / 2
	col := b.widest(rows)
	b.sortAround(rows, mid, col)
	node := KDNode{Row: int(rows[mid]), Column: col, Value: b.x.At(int(rows[mid]), col), Left: -1, Right: -1}
	left, right := rows[:mid], rows[mid+1:]
	if len(left) > 0 {
		node.Left = at + 1
	}
	if len(right) > 0 {
		node.Right = at + 1 + mid
	}
	b.nodes[at] = node
	if len(rows) >= bigSubtree {
		par.Range(2, 1, func(side, _ int) {
			if side == 0 {
				b.build(left, node.Left)
			} else {
				b.build(right, node.Right)
			}
		})
		return
	}
	if len(left) > 0 {
		b.build(left, node.Left)
	}
	if len(right) > 0 {
		b.build(right, node.Right)
	}
}

// sortAround partially sorts the rows by the column, then by index, with Hoare's selection. The row
// at mid is the same as after a full sort, lower rows come before it and higher ones after it. The
// row at mid does not depend on the pivots.
func (b *kdBuilder) sortAround(rows []int32, mid, col int) {
	raw := b.x.RawMatrix()
	value := func(r int32) float64 { return raw.Data[int(r)*raw.Stride+col] }
	below := func(a int32, v float64, r int32) bool {
		w := value(a)
		return w < v || (w == v && a < r)
	}
	for lo, hi := 0, len(rows)-1; lo < hi; {
		// The pivot is the median of three, so that sorted rows are not a bad case.
		first, pivot, last := rows[lo], rows[lo+(hi-lo)/2], rows[hi]
		if below(pivot, value(first), first) {
			first, pivot = pivot, first
		}
		if below(last, value(pivot), pivot) {
			pivot = last
			if below(pivot, value(first), first) {
				pivot = first
			}
		}
		v := value(pivot)
		i, j := lo, hi
		for i <= j {
			for below(rows[i], v, pivot) {
				i++
			}
			for rows[j] != pivot && !below(rows[j], v, pivot) {
				j--
			}
			if i <= j {
				rows[i], rows[j] = rows[j], rows[i]
				i++
				j--
			}
		}
		switch {
		case mid <= j:
			hi = j
		case mid >= i:
			lo = i
		default:
			return
		}
	}
}

// widest returns the column of the largest variance; ties go to the first.
func (b *kdBuilder) widest(rows []int32) int {
	raw := b.x.RawMatrix()
	cols := raw.Cols
	if cols == 1 {
		return 0
	}
	// Sum the differences from one of the rows, so that no digits are lost far from 0.
	var buf [3 * 8]float64
	sums := buf[:]
	if cols > 8 {
		sums = make([]float64, 3*cols)
	}
	first, sum, squares := sums[:cols], sums[cols:2*cols], sums[2*cols:3*cols]
	copy(first, raw.Data[int(rows[0])*raw.Stride:])
	for _, r := range rows {
		for j, v := range raw.Data[int(r)*raw.Stride : int(r)*raw.Stride+cols] {
			v -= first[j]
			sum[j] += v
			squares[j] += v * v
		}
	}
	best, most := 0, math.Inf(-1)
	for j := range cols {
		if v := squares[j] - sum[j]*sum[j]/float64(len(rows)); v > most {
			best, most = j, v
		}
	}
	return best
}

// Nearest returns the k rows nearest to q in ascending order of distance (then of index), the
// distances, and the number of nodes visited. It uses the best-first search A*: a priority queue
// holds the subtrees, ordered by a lower bound on the distances of their rows. The search ends when
// the lowest bound exceeds the k-th distance found.
func (t *KDTree) Nearest(q []float64, k int) (rows []int, distances []float64, visited int) {
	n, cols := t.points.Dims()
	if len(q) != cols {
		panic(model.Errorf("KDTree.Nearest", "q must have %d values, as the rows have, got %d", cols, len(q)))
	}
	if k < 1 || k > n {
		panic(model.Errorf("KDTree.Nearest", "k must be between 1 and %d (the number of rows), got %d", n, k))
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
		found.offer(t.Metric.rank(q, t.points.RawRowView(s.node), t.P), node.Row)
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

// search is the depth-first search for many queries, without a queue or allocation. away has a zero
// for each column.
func (t *KDTree) search(q, away []float64, found *nearest) {
	if t.Metric == Euclidean {
		t.euclidean(0, len(t.Nodes), q, 0, away, found)
		return
	}
	t.depthFirst(0, q, found)
}

func (t *KDTree) depthFirst(at int, q []float64, found *nearest) {
	for at >= 0 {
		node := &t.Nodes[at]
		found.offer(t.Metric.rank(q, t.points.RawRowView(at), t.P), node.Row)
		d := q[node.Column] - node.Value
		near, far := node.Left, node.Right
		if d > 0 {
			near, far = far, near
		}
		if far < 0 {
			at = near
			continue
		}
		t.depthFirst(near, q, found)
		if found.full() && t.Metric.axis(d, t.P) > found.worst() {
			return
		}
		at = far
	}
}

// bucket is the maximum size of a subtree whose rows, which are contiguous, are compared with the
// query one after another.
const bucket = 12

// euclidean searches the subtree of size nodes that begins at the given one. bound is a lower bound
// on the squared distance of q from the cell of the subtree, and away is the distance of q from the
// cell along each column.
func (t *KDTree) euclidean(at, size int, q []float64, bound float64, away []float64, found *nearest) {
	if size <= bucket {
		cols := len(q)
		points := t.points.RawMatrix().Data[at*cols : (at+size)*cols]
		worst := found.worst()
		for i := range size {
			p := points[i*cols : (i+1)*cols]
			s := 0.0
			if cols < 4 { // squared adds in the same order
				for j, v := range q {
					d := v - p[j]
					s += d * d
				}
			} else {
				s = squared(q, p)
			}
			if s <= worst {
				found.offer(s, t.Nodes[at+i].Row)
				worst = found.worst()
			}
		}
		return
	}
	node := &t.Nodes[at]
	found.offer(squared(q, t.points.RawRowView(at)), node.Row)
	d := q[node.Column] - node.Value
	mid := size / 2
	near, nearSize, far, farSize := at+1, mid, at+1+mid, size-1-mid
	if d > 0 {
		near, nearSize, far, farSize = far, farSize, near, nearSize
	}
	t.euclidean(near, nearSize, q, bound, away, found)
	old := away[node.Column]
	beyond := bound - old*old + d*d
	// Allow for rounding in the bound.
	if beyond*(1-1e-12)-1e-12*bound > found.worst() {
		return
	}
	away[node.Column] = d
	t.euclidean(far, farSize, q, beyond, away, found)
	away[node.Column] = old
}
