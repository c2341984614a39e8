package tree

import (
	"cmp"
	"math"
	"slices"
)

// maxCuts is the maximum number of thresholds per column that lookahead tries. If there are more,
// it tries evenly spaced ones.
const maxCuts = 32

// lookDepth returns how many levels below the children of n can be searched: levels
// that the depth limit forbids do not count.
func (g *grower) lookDepth(n *Node) int {
	if g.maxDepth > 0 {
		return min(g.lookahead, g.maxDepth-n.Depth-1)
	}
	return g.lookahead
}

// lookAhead chooses the split of a column by the gain of the best splits on the next depth levels,
// the last of which is chosen greedily.
func (g *grower) lookAhead(c *candidate, depth int, ids []int32, values, stat []float64, sc *scratch) {
	w, parent := g.t.weight(stat), g.t.impurity(stat)
	own, least := *c, slack*g.t.size(stat)
	for _, option := range g.options(own, slices.Clone(ids), values, stat, sc) {
		parts := g.parts(&option, ids, values)
		rest, now := 0.0, parent
		for _, part := range parts {
			s := make([]float64, g.t.width())
			for _, id := range part {
				g.t.add(s, id)
			}
			now -= g.t.weight(s) / w * g.t.impurity(s)
			rest += g.bestBelow(part, depth, sc)
		}
		ahead := parent - rest/w
		if !c.ok || ahead > c.ahead+least || (ahead > c.ahead-least && now > c.gain+least) {
			*c = option
			c.ok, c.gain, c.ahead = true, max(0, now), ahead
		}
	}
}

// options lists the splits of a column that lookahead tries: the split of a nominal
// column, or the thresholds of a numeric one.
func (g *grower) options(c candidate, ids []int32, values, stat []float64, sc *scratch) []candidate {
	if g.nominalColumn(c.feature) {
		g.nominalSplit(&c, ids, values, stat, sc)
		if !c.ok {
			return nil
		}
		return []candidate{c}
	}
	var cuts []int
	for i := 1; i < len(ids); i++ {
		if values[ids[i-1]] != values[ids[i]] {
			cuts = append(cuts, i)
		}
	}
	step := max(1, (len(cuts)+maxCuts-1)/maxCuts)
	var list []candidate
	for k := step / 2; k < len(cuts); k += step {
		o := c
		o.numeric, o.children = true, 2
		o.threshold = middle(values[ids[cuts[k]-1]], values[ids[cuts[k]]])
		if g.leavesEnough(&o, ids, values) {
			list = append(list, o)
		}
	}
	return list
}

func (g *grower) leavesEnough(c *candidate, ids []int32, values []float64) bool {
	for _, part := range g.parts(c, ids, values) {
		s := make([]float64, g.t.width())
		for _, id := range part {
			g.t.add(s, id)
		}
		if g.t.weight(s) < g.minLeaf {
			return false
		}
	}
	return true
}

func (g *grower) parts(c *candidate, ids []int32, values []float64) [][]int32 {
	parts := make([][]int32, c.children)
	for _, id := range ids {
		if k := c.child(values[id]); k >= 0 {
			parts[k] = append(parts[k], id)
		}
	}
	return parts
}

// bestBelow returns the minimum total impurity (times weight) that depth levels of splits can reach
// on the examples.
func (g *grower) bestBelow(ids []int32, depth int, sc *scratch) float64 {
	stat := make([]float64, g.t.width())
	for _, id := range ids {
		g.t.add(stat, id)
	}
	w := g.t.weight(stat)
	least := w * g.t.impurity(stat)
	if depth == 0 || w < g.minSplit || g.t.pure(stat) {
		return least
	}
	for j := range g.columns {
		values := g.values[j]
		known := slices.DeleteFunc(slices.Clone(ids), func(id int32) bool { return math.IsNaN(values[id]) })
		if len(known) < len(ids) || len(known) == 0 {
			continue // don't search below a split on a column with missing values
		}
		slices.SortStableFunc(known, func(a, b int32) int { return cmp.Compare(values[a], values[b]) })
		if values[known[0]] == values[known[len(known)-1]] {
			continue
		}
		c := candidate{feature: int32(j)}
		if depth == 1 {
			if g.nominalColumn(int32(j)) {
				g.nominalSplit(&c, known, values, stat, sc)
			} else {
				g.numericSplit(&c, known, values, stat, sc)
			}
			if c.ok {
				least = min(least, w*(g.t.impurity(stat)-c.gain))
			}
			continue
		}
		for _, option := range g.options(c, known, values, stat, sc) {
			rest := 0.0
			for _, part := range g.parts(&option, known, values) {
				rest += g.bestBelow(part, depth-1, sc)
			}
			least = min(least, rest)
		}
	}
	return least
}
