package ensemble

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// histParams are the validated parameters for growing trees.
type histParams struct {
	leaves, depth int // 0: no limit of the depth
	minLeaf       int
	lambda, rate  float64
	monotone      []int8 // nil: none
}

// histGrower grows trees over binned columns, the best leaf first. It is used for one
// tree after the other, and its buffers with it.
type histGrower struct {
	histParams
	*binned
	g, h        []float32 // first and second derivatives of the examples; h is nil when all are 1
	rows        []int32   // the examples, grouped by node
	spare       []int32
	partG       []float32 // the derivatives of the examples of one node, in their order
	partH       []float32
	free        []*histogram
	left, right []histSplit // one per column
}

// growing is a node that may be split.
type growing struct {
	at, depth int
	lo, hi    int // its part of rows
	g, h      float64
	value     float64
	low, high float64 // bounds of the values in its subtree, from constraints
	split     histSplit
	hist      *histogram
	isLeaf    bool
}

func newHistGrower(b *binned, p histParams) *histGrower {
	n := len(b.columns[0])
	return &histGrower{
		histParams: p, binned: b, rows: make([]int32, n), spare: make([]int32, n),
		partG: make([]float32, n), partH: make([]float32, n),
		left: make([]histSplit, len(b.columns)), right: make([]histSplit, len(b.columns)),
	}
}

// grow makes a tree for the derivatives g and h of the loss, and returns its leaves
// too, whose examples are in w.rows.
func (w *histGrower) grow(g, h []float32) (*HistTree, []growing) {
	w.g, w.h = g, h
	for i := range w.rows {
		w.rows[i] = int32(i)
	}
	t := &HistTree{}
	root := &growing{hi: len(w.rows), low: math.Inf(-1), high: math.Inf(1), isLeaf: true}
	for _, v := range g {
		root.g += float64(v)
	}
	root.h = float64(len(g))
	if h != nil {
		root.h = 0
		for _, v := range h {
			root.h += float64(v)
		}
	}
	root.value = w.valueOf(root.g, root.h, root.low, root.high)
	t.Nodes = append(t.Nodes, HistNode{Column: -1, Set: -1, Count: root.hi})
	var open []*growing
	if root.hi >= 2*w.minLeaf && root.h >= minHessian {
		root.isLeaf = false
		w.prepare(root)
		if root.isLeaf = root.split.gain <= 0; !root.isLeaf {
			open = append(open, root)
		}
	}
	done := []growing{}
	if root.isLeaf {
		done = append(done, *root)
	}
	for len(open) > 0 {
		best := 0
		for k, n := range open {
			if n.split.gain > open[best].split.gain {
				best = k
			}
		}
		n := open[best]
		open = slices.Delete(open, best, best+1)
		left, right := w.divide(t, n)
		last := len(done)+len(open)+2 == w.leaves
		deep := left.depth == w.depth
		left.isLeaf = last || deep || left.hi-left.lo < 2*w.minLeaf
		right.isLeaf = last || deep || right.hi-right.lo < 2*w.minLeaf
		if !left.isLeaf || !right.isLeaf {
			w.prepareBoth(n, left, right)
		}
		w.release(n)
		for _, c := range []*growing{left, right} {
			c.isLeaf = c.isLeaf || c.split.gain <= 0
			if c.isLeaf {
				w.release(c)
				done = append(done, *c)
			} else {
				open = append(open, c)
			}
		}
		if last {
			break
		}
	}
	for _, n := range open {
		w.release(n)
		done = append(done, *n)
	}
	for _, n := range done {
		t.Nodes[n.at].Value = w.rate * n.value
	}
	return t, done
}

// valueOf is the value of a node whose derivatives sum to g and h, within bounds.
func (w *histGrower) valueOf(g, h, low, high float64) float64 {
	return min(max(-g/(h+w.lambda+1e-15), low), high)
}

// divide adds the split of n to the tree and partitions its examples.
func (w *histGrower) divide(t *HistTree, n *growing) (left, right *growing) {
	s := &n.split
	column := w.columns[s.column]
	middle := w.partition(column, s.goesLeft(w.bins[s.column]), n.lo, n.hi)
	missingLeft := s.missingLeft
	if !w.missing[s.column] {
		missingLeft = middle-n.lo > n.hi-middle // the side to which most examples go
	}
	at := len(t.Nodes)
	node := &t.Nodes[n.at]
	node.Column, node.MissingLeft, node.Left, node.Right, node.Gain = s.column, missingLeft, at, at+1, s.gain
	if w.seen[s.column] != nil {
		node.Set, node.Threshold = len(t.Sets), math.NaN()
		t.Sets = append(t.Sets, s.set)
	} else if edges := w.edges[s.column]; s.bin < len(edges) {
		node.Threshold = edges[s.bin]
	} else {
		node.Threshold = math.Inf(1) // the split is by whether the value is missing
	}
	t.Nodes = append(t.Nodes, HistNode{Column: -1, Set: -1, Count: middle - n.lo}, HistNode{Column: -1, Set: -1, Count: n.hi - middle})
	left = &growing{at: at, depth: n.depth + 1, lo: n.lo, hi: middle, g: s.gLeft, h: s.hLeft, low: n.low, high: n.high}
	right = &growing{at: at + 1, depth: n.depth + 1, lo: middle, hi: n.hi, g: n.g - s.gLeft, h: n.h - s.hLeft, low: n.low, high: n.high}
	left.value = w.valueOf(left.g, left.h, n.low, n.high)
	right.value = w.valueOf(right.g, right.h, n.low, n.high)
	if w.monotone != nil {
		switch between := (left.value + right.value) / 2; w.monotone[s.column] {
		case 1:
			left.high, right.low = between, between
		case -1:
			left.low, right.high = between, between
		}
	}
	return left, right
}

// partition brings the examples of rows[lo:hi] whose bin has goes = 1 to the front and returns the
// position of the first other example. Both parts keep their order.
func (w *histGrower) partition(column []uint8, goes *[256]uint8, lo, hi int) int {
	rows, spare := w.rows[lo:hi], w.spare[lo:hi]
	l, r := 0, 0
	for _, i := range rows {
		left := int(goes[column[i]])
		rows[l], spare[r] = i, i // entries already read may be overwritten
		l += left
		r += 1 - left
	}
	copy(rows[l:], spare[:r])
	return lo + l
}

// prepareBoth computes the histograms and the splits of the children of n. It counts the examples
// of the smaller child, and subtracts them from the parent for the other child.
func (w *histGrower) prepareBoth(n, left, right *growing) {
	small, large := left, right
	if right.hi-right.lo <= left.hi-left.lo {
		small, large = right, left
	}
	small.hist, large.hist = w.histogram(), n.hist
	n.hist = nil
	w.gather(small)
	w.eachColumn(small.hi-small.lo, func(j int) {
		w.count(small, j)
		small.hist.takeFrom(large.hist, j, w.bins[j])
		if !left.isLeaf {
			w.left[j] = w.best(left, j)
		}
		if !right.isLeaf {
			w.right[j] = w.best(right, j)
		}
	})
	if !left.isLeaf {
		left.split = bestOf(w.left)
	}
	if !right.isLeaf {
		right.split = bestOf(w.right)
	}
}

// prepare computes the histogram and the split of the root.
func (w *histGrower) prepare(n *growing) {
	n.hist = w.histogram()
	w.gather(n)
	w.eachColumn(n.hi-n.lo, func(j int) {
		w.count(n, j)
		w.left[j] = w.best(n, j)
	})
	n.split = bestOf(w.left)
}

// eachColumn calls f for each column, on several processors when there are many
// examples.
func (w *histGrower) eachColumn(examples int, f func(j int)) {
	cols := len(w.columns)
	grain := 1
	if (examples+2048)*cols < 32768 {
		grain = cols
	}
	par.Range(cols, grain, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			f(j)
		}
	})
}

// bestOf returns the split with the largest gain; ties go to the first.
func bestOf(splits []histSplit) histSplit {
	best := splits[0]
	for _, s := range splits[1:] {
		if s.gain > best.gain {
			best = s
		}
	}
	return best
}

func (w *histGrower) histogram() *histogram {
	if k := len(w.free); k > 0 {
		h := w.free[k-1]
		w.free = w.free[:k-1]
		return h
	}
	h := make(histogram, len(w.columns))
	return &h
}

func (w *histGrower) release(n *growing) {
	if n.hist != nil {
		w.free = append(w.free, n.hist)
		n.hist = nil
	}
}
