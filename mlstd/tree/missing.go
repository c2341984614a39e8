package tree

import (
	"cmp"
	"math"
	"slices"
)

// Missing is the policy for missing values (NaN) in a tree.
type Missing int

const (
	// RefuseMissing makes Fit return an error and Predict panic.
	RefuseMissing Missing = iota
	// MostCommonValue replaces a missing value with the most common value among the examples at the
	// node: the mode of a nominal feature, or the median of a numeric feature.
	MostCommonValue
	// MostCommonInClass replaces a missing value in the same way, but only among the examples of
	// the same class at the node. In prediction, where the class is unknown, it works as
	// MostCommonValue.
	MostCommonInClass
	// FractionalExamples divides an example among the children in proportion to the examples with a
	// non-missing value (C4.5). The gain is computed from the examples with a non-missing value and
	// multiplied by the fraction of the total weight that these examples have. A prediction is the
	// weighted sum over all paths that the example takes.
	FractionalExamples
	// BetterSide sends all examples with a missing value to the child with which the gain is
	// larger. As in scikit-learn's trees, it also tries to split by whether a value is missing. In
	// prediction, a missing value goes to the same child as the missing training values, or to the
	// larger child if no training value was missing. A nominal feature is handled as with
	// MostCommonValue.
	BetterSide
)

// betterSide finds the best cut of column j with the missing values either to the left or to the
// right of all others, and reports which side was better. The missing values are those from index
// known on.
func (g *grower) betterSide(c *candidate, t *task, j int32, known int, sc *scratch) {
	list, values := t.ids(j), g.values[j]
	for _, low := range []bool{false, true} {
		side := candidate{feature: j, low: low}
		ids, restore := g.fillSide(list, values, known, low, sc)
		g.numericSplit(&side, ids, values, t.stat, sc)
		if side.ok && g.ratio {
			side.ratio = g.gainRatio(&side, ids, values, t.node.Weight)
		}
		restore()
		if side.ok && (!c.ok || side.gain > c.gain) {
			*c = side
		}
	}
}

// fillSide replaces the missing values of the list, from index known on, by a value above all
// others, or by the smallest other value. It returns the ids in the order of their values.
func (g *grower) fillSide(list []int32, values []float64, known int, low bool, sc *scratch) (ids []int32, restore func()) {
	missing, v := list[known:], math.Inf(1)
	if ids = list; low {
		v = values[list[0]]
		sc.ids = append(append(sc.ids[:0], missing...), list[:known]...)
		ids = sc.ids
	}
	for _, id := range missing {
		values[id] = v
	}
	return ids, func() {
		for _, id := range missing {
			values[id] = math.NaN()
		}
	}
}

// fill replaces the missing values of column j at the node until restore is called.
// It returns the examples sorted by the filled values and the most common value of
// the whole node.
func (g *grower) fill(t *task, j int32, known int, sc *scratch) (ids []int32, common float64, restore func()) {
	list, values := t.ids(j), g.values[j]
	nominal := g.nominalColumn(j)
	common = g.mostCommon(list[:known], values, nominal)
	byKey := map[int]float64{}
	if g.fillKey != nil {
		groups := map[int][]int32{}
		for _, id := range list[:known] {
			k := g.fillKey(id)
			groups[k] = append(groups[k], id)
		}
		for k, group := range groups {
			byKey[k] = g.mostCommon(group, values, nominal)
		}
	}
	missing := list[known:]
	for _, id := range missing {
		values[id] = common
		if g.fillKey != nil {
			if v, ok := byKey[g.fillKey(id)]; ok {
				values[id] = v
			}
		}
	}
	sc.ids = append(sc.ids[:0], list...)
	slices.SortStableFunc(sc.ids, func(a, b int32) int { return cmp.Compare(values[a], values[b]) })
	return sc.ids, common, func() {
		for _, id := range missing {
			values[id] = math.NaN()
		}
	}
}

// mostCommon returns the mode or the lower median by weight of the ids, which are
// sorted by value.
func (g *grower) mostCommon(ids []int32, values []float64, nominal bool) float64 {
	stat := make([]float64, g.t.width())
	weight := func(part []int32) float64 {
		clear(stat)
		for _, id := range part {
			g.t.add(stat, id)
		}
		return g.t.weight(stat)
	}
	half := weight(ids) / 2
	best, most, seen := values[ids[0]], -1.0, 0.0
	for lo := 0; lo < len(ids); {
		hi := lo
		for hi < len(ids) && values[ids[hi]] == values[ids[lo]] {
			hi++
		}
		w := weight(ids[lo:hi])
		if nominal {
			if w > most {
				best, most = values[ids[lo]], w
			}
		} else if seen+w >= half {
			return values[ids[lo]]
		}
		seen += w
		lo = hi
	}
	return best
}

// divide splits each missing example into one example per child, with the child's fraction of the
// weight; pieces[k][i] belongs to missing[i].
func (g *grower) divide(missing []int32, shares []float64) [][]int32 {
	pieces := make([][]int32, len(shares))
	for k, share := range shares {
		for _, id := range missing {
			for j := range g.values {
				g.values[j] = append(g.values[j], g.values[j][id])
			}
			g.side = append(g.side, -1)
			g.t.duplicate(id, share)
			pieces[k] = append(pieces[k], int32(g.n))
			g.n++
		}
	}
	return pieces
}

// copyLists makes separate lists for each child, in which the divided examples replace the missing
// ones.
func (g *grower) copyLists(t *task, children []*task, missing []int32, pieces [][]int32) {
	at := make(map[int32]int, len(missing))
	for i, id := range missing {
		at[id] = i
	}
	for k, c := range children {
		in := &lists{}
		in.buf[1] = make([][]int32, len(g.columns))
		for _, j := range t.active {
			var kept []int32
			for _, id := range t.ids(j) {
				if i, ok := at[id]; ok {
					kept = append(kept, pieces[k][i])
				} else if g.side[id] == int16(k) {
					kept = append(kept, id)
				}
			}
			in.buf[1][j] = kept
			in.size = len(kept)
		}
		in.prepare(t.active, len(g.columns))
		c.in, c.src, c.lo, c.hi = in, 1, 0, in.size
	}
}
