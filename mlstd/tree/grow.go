package tree

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// rounding is the fraction of a node's impurity below which a gain counts as
// rounding error, that is, as no gain.
const rounding = 1e-14

// target is what a tree predicts: classes or real values. It summarizes a set of examples by a
// statistic, a short slice that is initially zero.
//
// Examples are known by their number (an id). When missing values are divided,
// one row of the data becomes several examples with parts of its weight.
type target interface {
	width() int
	add(stat []float64, id int32)
	addAll(stat []float64, ids []int32)
	merge(stat, other []float64)
	weight(stat []float64) float64
	impurity(stat []float64) float64
	// size is the scale of the impurities of the examples: a difference below slack·size counts as
	// rounding error.
	size(stat []float64) float64
	pure(stat []float64) bool
	// cut finds the cut of the ids, sorted by value and all known, that lowers
	// the impurity most. total is the statistic of all of them.
	cut(sc *scratch, ids []int32, values, total []float64, minLeaf float64) (cut, bool)
	// orders returns keys by which the levels of a nominal feature are sorted
	// before they are cut in two; table[l] is the statistic of level l.
	orders(table [][]float64) [][]float64
	// duplicate adds a copy of example id with the fraction share of its weight.
	duplicate(id int32, share float64)
	describe(n *Node, stat []float64)
}

// cut is a division of sorted examples in two.
type cut struct {
	pos  int     // the first pos examples go to the left
	gain float64 // the decrease of the impurity
}

// growth holds the parameters that decide how a tree grows.
type growth struct {
	maxDepth, maxLeaves int
	minSplit, minLeaf   float64
	minGain             float64
	features            int // candidates at each node; 0 means all
	seed                uint64
	random              bool // thresholds are drawn, not searched for
	ratio               bool
	nominal             NominalSplit
	missing             Missing
	lookahead           int
	accept              func(stats [][]float64) bool // nil accepts every split
	// fillKey returns the group within which a missing value takes the most common
	// value; nil means one group.
	fillKey func(id int32) int
}

// grower grows one tree.
type grower struct {
	growth
	t       target
	columns []model.Column
	values  [][]float64
	hasNaN  []bool
	side    []int16 // the child that an example goes to; -1 means all, in proportion
	n       int
	answers []string // of a numeric split
}

// lists holds the examples of several nodes, once per column in the order of its values. The first
// list is the shared order of the whole data; the others are written alternately.
type lists struct {
	buf  [3][][]int32
	size int
}

// prepare allocates the lists that are written alternately.
func (l *lists) prepare(columns []int32, width int) {
	for b := 1; b < len(l.buf); b++ {
		if l.buf[b] != nil {
			continue
		}
		l.buf[b] = make([][]int32, width)
		for _, j := range columns {
			l.buf[b][j] = make([]int32, l.size)
		}
	}
}

// task is a node that may still be split.
type task struct {
	node   *Node
	stat   []float64
	in     *lists
	src    int // which of the lists
	lo, hi int
	active []int32 // the columns that are not known to be constant here
	path   uint64  // names the node independently of the order of growth
	best   candidate
}

func (t *task) ids(j int32) []int32 { return t.in.buf[t.src][j][t.lo:t.hi] }

// candidate is the best split of a node by one column.
type candidate struct {
	ok        bool
	constant  bool // the column has one known value at the node
	feature   int32
	numeric   bool
	threshold float64
	low       bool // missing values count as the smallest value, see BetterSide
	left      int  // how many of the sorted ids are at most the threshold; 0: not known
	branch    []int16
	children  int
	gain      float64
	ratio     float64
	ahead     float64 // the gain of the split and the best ones below it
	rank      float64 // the value by which candidates are compared
}

// scratch is the working memory of one goroutine.
type scratch struct {
	left, right []float64
	li, ri      []int64
	table       [][]float64
	ids         []int32
	found       []candidate
	drawn       []candidate
	order       []int32
	stats       [][]float64 // of the children of a node
	counts      []int
	children    []*task
	text        []byte
	pcg         rand.PCG
	rng         *rand.Rand
	cutPCG      rand.PCG // draws thresholds
}

const (
	// bigNode is the number of values from which the columns of a node are
	// worked on in parallel; smaller nodes are grown in parallel with each other.
	bigNode = 1 << 16
	// slack is the minimum difference by which a later candidate must be better, relative to the
	// size of the target.
	slack = 1e-12
)

// newGrower prepares the growth on the examples with a nonzero weight; with nil weights it uses all
// examples.
func newGrower(s *SortedColumns, t target, p growth, weights []float64) (*grower, *task) {
	g := &grower{growth: p, t: t, columns: s.columns, values: s.values, hasNaN: s.missing, n: s.rows, answers: []string{"yes", "no"}}
	g.side = make([]int16, s.rows)
	in := &lists{size: s.rows}
	in.buf[0] = s.order
	root := &task{in: in, hi: s.rows, path: 1, node: &Node{}}
	if weights != nil && slices.Contains(weights, 0) {
		used, count := make([]uint8, s.rows), 0
		for i, w := range weights {
			if w > 0 {
				used[i] = 1
				count++
			}
		}
		in.buf[1] = make([][]int32, len(s.order))
		par.Range(len(s.order), 1, func(lo, hi int) {
			for j := lo; j < hi; j++ {
				kept, at := make([]int32, count+1), 0 // one more, for ids after the last kept one
				for _, id := range s.order[j] {
					kept[at] = id
					at += int(used[id])
				}
				in.buf[1][j] = kept[:count]
			}
		})
		in.size = len(in.buf[1][0])
		root.src, root.hi = 1, in.size
	}
	if g.divides() {
		g.values = make([][]float64, len(s.values))
		for j := range g.values {
			g.values[j] = slices.Clone(s.values[j])
		}
	}
	root.active = make([]int32, len(s.order))
	for j := range root.active {
		root.active[j] = int32(j)
	}
	root.stat = make([]float64, t.width())
	t.addAll(root.stat, root.ids(0))
	g.finish(root.node, root.stat, 0)
	return g, root
}

// divides reports whether examples may be divided among children, which rules out parallel growth.
func (g *grower) divides() bool {
	return g.missing != RefuseMissing && slices.Contains(g.hasNaN, true)
}

// finish sets the prediction of a node.
func (g *grower) finish(n *Node, stat []float64, depth int) {
	n.Feature, n.Depth = -1, depth
	n.Weight, n.Impurity = g.t.weight(stat), g.t.impurity(stat)
	g.t.describe(n, stat)
}

func (g *grower) scratch() *scratch {
	k := g.t.width()
	sc := &scratch{left: make([]float64, k), right: make([]float64, k), li: make([]int64, k), ri: make([]int64, k)}
	sc.found, sc.drawn, sc.order = make([]candidate, len(g.columns)), make([]candidate, len(g.columns)), make([]int32, len(g.columns))
	sc.rng = rand.New(&sc.pcg)
	return sc
}

// grow grows the tree below root. Each large node is a step of the run, which may
// be nil.
func (g *grower) grow(root *task, run *model.Run) (*Node, error) {
	stop, step := func() error { return nil }, func() error { return nil }
	if run != nil {
		nodes := 0
		stop = run.Err
		step = func() error { nodes++; return run.Step(nodes, math.NaN()) }
	}
	if !g.open(root) {
		return root.node, nil
	}
	if g.maxLeaves > 0 {
		return root.node, g.bestFirst(root, step)
	}
	sc := g.scratch()
	big, small := []*task{root}, []*task(nil)
	for len(big) > 0 {
		t := big[0]
		big = big[1:]
		if e := step(); e != nil {
			return nil, e
		}
		g.evaluate(t, sc, true)
		for _, c := range g.split(t, sc, true) {
			if (c.hi-c.lo)*len(c.active) >= bigNode {
				big = append(big, c)
			} else {
				small = append(small, c)
			}
		}
	}
	if g.divides() {
		for len(small) > 0 {
			t := small[len(small)-1]
			small = small[:len(small)-1]
			if e := stop(); e != nil {
				return nil, e
			}
			g.evaluate(t, sc, false)
			small = append(small, g.split(t, sc, false)...)
		}
		return root.node, nil
	}
	if len(small) > 0 {
		small[0].in.prepare(root.active, len(g.columns)) // before several ask for it
	}
	par.Range(len(small), 1, func(lo, hi int) {
		sc := g.scratch()
		stack := slices.Clone(small[lo:hi])
		for len(stack) > 0 && stop() == nil {
			t := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			g.evaluate(t, sc, false)
			stack = append(stack, g.split(t, sc, false)...)
		}
	})
	return root.node, stop()
}

// open reports whether a node may be split at all.
func (g *grower) open(t *task) bool {
	n := t.node
	return !(g.t.pure(t.stat) || n.Weight < g.minSplit || (g.maxDepth > 0 && n.Depth >= g.maxDepth))
}

// evaluate finds the best split of the node into t.best.
func (g *grower) evaluate(t *task, sc *scratch, parallel bool) {
	found := sc.found[:len(t.active)]
	clear(found)
	rivals := found // in the order in which ties are broken
	switch {
	case g.features > 0 && g.features < len(g.columns):
		// Constant columns do not count among the drawn ones. On a tie the first drawn column wins;
		// if the lowest column won, it would seem more important.
		model.SeedRand(&sc.pcg, g.seed, t.path)
		order := append(sc.order[:0], t.active...)
		rivals = sc.drawn[:0]
		for i := 0; i < len(order) && len(rivals) < g.features; i++ {
			k := i + sc.rng.IntN(len(order)-i)
			order[i], order[k] = order[k], order[i]
			at, _ := slices.BinarySearch(t.active, order[i])
			found[at] = g.candidate(t, order[i], sc)
			if !found[at].constant {
				rivals = append(rivals, found[at])
			}
		}
	case parallel && !g.divides() && (t.hi-t.lo)*len(t.active) >= bigNode:
		par.Range(len(t.active), 1, func(lo, hi int) {
			own := g.scratch()
			for i := lo; i < hi; i++ {
				found[i] = g.candidate(t, t.active[i], own)
			}
		})
	default:
		for i, j := range t.active {
			found[i] = g.candidate(t, j, sc)
		}
	}
	constant := 0
	for i := range found {
		if found[i].constant {
			constant++
		}
	}
	if constant > 0 { // others share the old list
		kept := make([]int32, 0, len(t.active)-constant)
		for i, j := range t.active {
			if !found[i].constant {
				kept = append(kept, j)
			}
		}
		t.active = kept
	}
	t.best = g.choose(rivals, g.t.size(t.stat))
	if t.best.ok && max(t.best.gain, t.best.ahead) < g.minGain {
		t.best = candidate{}
	}
}

// choose returns the best candidate; ties go to the first. size is that of the
// target.
func (g *grower) choose(found []candidate, size float64) candidate {
	least := math.Inf(-1)
	if g.ratio {
		size = 1 // gain ratios are of order 1
	}
	if g.ratio {
		total, n := 0.0, 0
		for i := range found {
			if found[i].ok {
				total += found[i].gain
				n++
			}
		}
		if n > 0 {
			least = total/float64(n) - slack*size
		}
	}
	best := -1
	for i := range found {
		c := &found[i]
		if !c.ok || c.gain < least {
			continue
		}
		if best < 0 || c.rank > found[best].rank+slack*max(size, math.Abs(found[best].rank)) {
			best = i
		}
	}
	if best < 0 {
		return candidate{}
	}
	return found[best]
}

// candidate finds the best split of the node by column j.
func (g *grower) candidate(t *task, j int32, sc *scratch) candidate {
	c := candidate{feature: j}
	ids, values := t.ids(j), g.values[j]
	known := len(ids)
	if g.hasNaN[j] {
		known = sort.Search(len(ids), func(k int) bool { return math.IsNaN(values[ids[k]]) })
	}
	toSide := known < len(ids) && g.missing == BetterSide && !g.nominalColumn(j)
	if known == 0 || values[ids[0]] == values[ids[known-1]] && !toSide {
		c.constant = true
		return c
	}
	if toSide {
		g.betterSide(&c, t, j, known, sc)
		if c.rank = c.gain; g.ratio {
			c.rank = c.ratio
		}
		return c
	}
	stat := t.stat
	share := 1.0
	if known < len(ids) {
		if g.missing == FractionalExamples {
			stat = make([]float64, len(t.stat))
			for _, id := range ids[:known] {
				g.t.add(stat, id)
			}
			share = g.t.weight(stat) / t.node.Weight
			ids = ids[:known]
		} else {
			var restore func()
			ids, _, restore = g.fill(t, j, known, sc)
			defer restore()
		}
	}
	if depth := g.lookDepth(t.node); depth > 0 {
		g.lookAhead(&c, depth, ids, values, stat, sc)
	} else if g.nominalColumn(j) {
		g.nominalSplit(&c, ids, values, stat, sc)
	} else if g.random {
		g.randomSplit(&c, t, ids, values, stat, sc)
	} else {
		g.numericSplit(&c, ids, values, stat, sc)
	}
	if !c.ok {
		return c
	}
	c.gain *= share
	c.ahead *= share
	c.rank = max(c.gain, c.ahead)
	if g.ratio {
		c.ratio = g.gainRatio(&c, ids, values, t.node.Weight)
		c.rank = c.ratio
	}
	return c
}

func (g *grower) numericSplit(c *candidate, ids []int32, values, stat []float64, sc *scratch) {
	best, ok := g.t.cut(sc, ids, values, stat, g.minLeaf)
	if !ok {
		return
	}
	c.ok, c.numeric, c.children, c.gain = true, true, 2, best.gain
	c.left = best.pos
	above := values[ids[best.pos]]
	if c.threshold = middle(values[ids[best.pos-1]], above); math.IsInf(above, 1) {
		c.threshold = math.MaxFloat64 // splits the known values from the missing ones
	}
}

// randomSplit draws a threshold evenly between the smallest and the largest known
// value.
func (g *grower) randomSplit(c *candidate, t *task, ids []int32, values, stat []float64, sc *scratch) {
	low, high := values[ids[0]], values[ids[len(ids)-1]]
	model.SeedRand(&sc.cutPCG, g.seed^0x5851f42d4c957f2d, t.path*0x2545f4914f6cdd1d+uint64(c.feature))
	threshold := low + (high-low)*(float64(sc.cutPCG.Uint64()>>11)/(1<<53))
	if math.IsInf(high-low, 0) || !(threshold < high) {
		threshold = middle(low, high)
	}
	pos := sort.Search(len(ids), func(k int) bool { return values[ids[k]] > threshold })
	clear(sc.left)
	clear(sc.right)
	g.t.addAll(sc.left, ids[:pos])
	g.t.addAll(sc.right, ids[pos:])
	left, right := g.t.weight(sc.left), g.t.weight(sc.right)
	if left < g.minLeaf || right < g.minLeaf {
		return
	}
	rest := (left*g.t.impurity(sc.left) + right*g.t.impurity(sc.right)) / (left + right)
	c.ok, c.numeric, c.children, c.gain = true, true, 2, g.t.impurity(stat)-rest
	c.left, c.threshold = pos, threshold
}

// middle returns a threshold t with a ≤ t < b.
func middle(a, b float64) float64 {
	t := a + (b-a)/2
	if t >= b || t < a {
		return a
	}
	return t
}

// gainRatio divides the gain by the entropy of the split; examples with a missing
// value count as a branch of their own.
func (g *grower) gainRatio(c *candidate, ids []int32, values []float64, weight float64) float64 {
	weights := make([]float64, c.children+1)
	stat := make([]float64, g.t.width())
	seen := 0.0
	for k := range c.children {
		clear(stat)
		for _, id := range ids {
			if c.child(values[id]) == int16(k) {
				g.t.add(stat, id)
			}
		}
		weights[k] = g.t.weight(stat)
		seen += weights[k]
	}
	weights[c.children] = max(0, weight-seen)
	info := ClassEntropy(weights...)
	if info <= 0 {
		return 0
	}
	return c.gain / info
}

// child returns the child for a known value.
func (c *candidate) child(v float64) int16 {
	if c.numeric {
		if v <= c.threshold {
			return 0
		}
		return 1
	}
	return c.branch[int(v)]
}

// partition divides the lists of the node among the children, each keeping its
// order, in the memory that the node's lists occupy in the next generation.
func (g *grower) partition(t *task, children []*task, counts []int, parallel bool) {
	dst := 1
	if t.src == 1 {
		dst = 2
	}
	if t.in.buf[dst] == nil {
		t.in.prepare(t.active, len(g.columns))
	}
	at := t.lo
	for k, c := range children {
		c.in, c.src, c.lo, c.hi = t.in, dst, at, at+counts[k]
		at = c.hi
	}
	one := func(j int32) {
		from, to := t.ids(j), t.in.buf[dst][j]
		if len(children) == 2 {
			l, r := children[0].lo, children[1].lo
			for _, id := range from {
				s := int(g.side[id])
				to[l+s*(r-l)] = id
				r += s
				l += 1 - s
			}
			return
		}
		next := make([]int, len(children))
		for k, c := range children {
			next[k] = c.lo
		}
		for _, id := range from {
			k := g.side[id]
			to[next[k]] = id
			next[k]++
		}
	}
	if parallel && (t.hi-t.lo)*len(t.active) >= bigNode {
		par.Range(len(t.active), 1, func(lo, hi int) {
			for _, j := range t.active[lo:hi] {
				one(j)
			}
		})
		return
	}
	for _, j := range t.active {
		one(j)
	}
}
