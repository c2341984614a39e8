package tree

import (
	"math"
	"sort"
)

// twins are the two children of a node, in one allocation.
type twins struct {
	nodes    [2]Node
	children [2]*Node
	shares   [2]float64
}

// split carries out t.best: it turns the leaf into an inner node and returns the children that may
// be split further, in memory of sc.
func (g *grower) split(t *task, sc *scratch, parallel bool) []*task {
	c := &t.best
	if !c.ok {
		return nil
	}
	ids, values := t.ids(c.feature), g.values[c.feature]
	var missing []int32
	common := math.NaN() // the value that replaces missing values
	if g.hasNaN[c.feature] {
		known := sort.Search(len(ids), func(k int) bool { return math.IsNaN(values[ids[k]]) })
		switch {
		case known < len(ids) && g.missing == BetterSide && c.numeric:
			var restore func()
			missing := ids[known]
			ids, restore = g.fillSide(ids, values, known, c.low, sc)
			common = values[missing]
			defer restore()
		case known < len(ids) && g.missing != FractionalExamples:
			var restore func()
			ids, common, restore = g.fill(t, c.feature, known, sc)
			defer restore()
		default:
			ids, missing = ids[:known], ids[known:]
		}
	}
	stats := g.assign(c, ids, values, sc)
	if g.accept != nil && !g.accept(stats) {
		return nil
	}
	nodes := g.describe(t.node, c, stats, common, sc)
	return g.branch(t, nodes, missing, sc, parallel)
}

// assign sets the child of each example with a known value, and returns the statistics of each
// child. sc also holds the statistics and the numbers of examples.
func (g *grower) assign(c *candidate, ids []int32, values []float64, sc *scratch) [][]float64 {
	width := g.t.width()
	stats, counts := sc.stats[:0], sc.counts[:0]
	cells := make([]float64, c.children*width)
	for k := range c.children {
		stats = append(stats, cells[k*width:(k+1)*width:(k+1)*width])
		counts = append(counts, 0)
	}
	sc.stats, sc.counts = stats, counts
	if c.numeric && c.left > 0 {
		// The ids are sorted: those of the first child come first.
		for k, part := range [2][]int32{ids[:c.left], ids[c.left:]} {
			for _, id := range part {
				g.side[id] = int16(k)
			}
			g.t.addAll(stats[k], part)
			counts[k] = len(part)
		}
		return stats
	}
	for _, id := range ids {
		k := c.child(values[id])
		g.side[id] = k
		g.t.add(stats[k], id)
		counts[k]++
	}
	return stats
}

// describe writes the split into the node, and returns its children, which are
// still empty. Missing values are replaced by common, unless that is NaN.
func (g *grower) describe(n *Node, c *candidate, stats [][]float64, common float64, sc *scratch) []Node {
	n.Feature, n.Numeric, n.Threshold, n.branch = int(c.feature), c.numeric, c.threshold, c.branch
	n.Gain, n.LookaheadGain = c.gain, c.ahead
	if n.Gain < rounding*n.Impurity {
		n.Gain = 0
	}
	var nodes []Node
	if c.children == 2 {
		two := new(twins)
		nodes, n.Children, n.Shares = two.nodes[:], two.children[:], two.shares[:]
	} else {
		nodes, n.Children, n.Shares = make([]Node, c.children), make([]*Node, c.children), make([]float64, c.children)
	}
	total := 0.0
	for k := range stats {
		n.Shares[k] = g.t.weight(stats[k])
		total += n.Shares[k]
		if n.Shares[k] > n.Shares[n.Default] {
			n.Default = k
		}
	}
	for k := range n.Shares {
		n.Shares[k] /= total
	}
	if !math.IsNaN(common) {
		n.Default = int(c.child(common))
	}
	if !c.numeric {
		n.Levels = make([][]int, c.children)
		for l, k := range c.branch {
			if k >= 0 {
				n.Levels[k] = append(n.Levels[k], l)
			}
		}
	}
	sc.text = n.describe(g.columns[c.feature], g.answers, sc.text[:0])
	return nodes
}

// branch makes the children of a split node, and returns those children that may be split further.
// Each example with a missing value goes to all children, with parts of its weight.
func (g *grower) branch(t *task, nodes []Node, missing []int32, sc *scratch, parallel bool) []*task {
	n, stats, counts := t.node, sc.stats, sc.counts
	var pieces [][]int32 // pieces[k] are the parts of the missing examples in child k
	if len(missing) > 0 {
		pieces = g.divide(missing, n.Shares)
		for k := range pieces {
			for _, id := range pieces[k] {
				g.t.add(stats[k], id)
			}
		}
	}
	children, tasks := sc.children[:0], make([]task, len(nodes))
	open := false
	for k := range tasks {
		n.Children[k] = &nodes[k]
		g.finish(n.Children[k], stats[k], n.Depth+1)
		children = append(children, &tasks[k])
		tasks[k] = task{
			node: n.Children[k], stat: stats[k], active: t.active,
			path: t.path*0x9e3779b97f4a7c15 + uint64(k) + 1,
		}
		open = open || g.open(children[k])
	}
	sc.children = children
	if !open {
		return nil
	}
	if pieces != nil {
		g.copyLists(t, children, missing, pieces)
	} else {
		g.partition(t, children, counts, parallel)
	}
	kept := children[:0]
	for _, ch := range children {
		if g.open(ch) {
			kept = append(kept, ch)
		}
	}
	return kept
}
