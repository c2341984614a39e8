package tree

import (
	"cmp"
	"math"
	"slices"
)

// Missing says what a tree does with missing values (NaN).
type Missing int

const (
	// RefuseMissing makes Fit return an error and Predict panic.
	RefuseMissing Missing = iota
	// MostCommonValue takes a missing value for the most common one among the
	// examples at the node: the mode of a nominal feature, the median of a numeric
	// one.
	MostCommonValue
	// MostCommonInClass does the same among the examples at the node of the same
	// class. Where the class is not known, in prediction, it is MostCommonValue.
	MostCommonInClass
	// FractionalExamples divides an example among the children in proportion to
	// the examples with a known value (C4.5). The gain counts the known part only,
	// times its share of the weight; a prediction adds up what all the ways that
	// an example takes say.
	FractionalExamples
	// BetterSide sends the examples with a missing value together to the child with
	// which the gain is larger, and also asks whether a value is known at all, as
	// scikit-learn's trees do. In prediction they go where those of the training
	// went, or to the larger child when none was missing there. For a nominal
	// feature it is MostCommonValue.
	BetterSide
)

// betterSide finds the best cut of column j with the missing values, those from
// known on, on the right and on the left of all others, and tells which it was.
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

// fillSide puts the missing values of the list, those from known on, beyond all
// others, or at the least of the others. It gives the ids in the order of their
// values.
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

// fill replaces the missing values of column j at the node until restore is
// called. It gives the examples sorted by the filled values and the most common
// value of the whole node.
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

// divide makes of each missing example one example for each child, with its
// share of the weight; pieces[k][i] belongs to missing[i].
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

// copyLists gives each child lists of its own, the divided examples instead of
// the missing ones.
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
