package tree

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// NominalSplit determines how a nominal feature is split.
type NominalSplit int

const (
	// Multiway makes one child for each level that occurs at the node (ID3, C4.5).
	// A feature is split at most once on a path, so no path is longer than the
	// number of features.
	Multiway NominalSplit = iota
	// BinarySubset splits by whether the value is in a set of levels (CART). The levels are ordered
	// by the fraction of a class (in regression, by the mean target), and a cut divides the ordered
	// levels into two sets. For two classes and for regression, this finds the best of all subsets.
	// For more classes, the order by each class is tried, and the best cut is taken.
	BinarySubset
	// OneLevel separates one level from all other levels, as in "is it sunny?"
	OneLevel
)

func (g *grower) nominalColumn(j int32) bool { return g.columns[j].Kind == model.Nominal }

// levelTable returns the statistic of the examples of each level.
func (g *grower) levelTable(ids []int32, values []float64, sc *scratch) [][]float64 {
	levels := int(values[ids[len(ids)-1]]) + 1 // ids are sorted by level
	for len(sc.table) < levels {
		sc.table = append(sc.table, make([]float64, g.t.width()))
	}
	table := sc.table[:levels]
	for l := range table {
		clear(table[l])
	}
	for _, id := range ids {
		g.t.add(table[int(values[id])], id)
	}
	return table
}

func (g *grower) nominalSplit(c *candidate, ids []int32, values, stat []float64, sc *scratch) {
	table := g.levelTable(ids, values, sc)
	var present []int
	for l := range table {
		if g.t.weight(table[l]) > 0 {
			present = append(present, l)
		}
	}
	branch := make([]int16, len(table))
	for l := range branch {
		branch[l] = -1
	}
	switch g.nominal {
	case Multiway:
		gain, w := g.t.impurity(stat), g.t.weight(stat)
		for k, l := range present {
			wl := g.t.weight(table[l])
			if wl < g.minLeaf {
				return
			}
			gain -= wl / w * g.t.impurity(table[l])
			branch[l] = int16(k)
		}
		c.ok, c.gain, c.branch, c.children = true, gain, branch, len(present)
	case OneLevel:
		for i, l := range present {
			order := slices.Delete(slices.Clone(present), i, i+1)
			order = append([]int{l}, order...)
			g.cutLevels(c, order, 1, table, stat, branch)
		}
	case BinarySubset:
		for _, key := range g.t.orders(table) {
			order := slices.Clone(present)
			slices.SortStableFunc(order, func(a, b int) int {
				switch {
				case key[a] < key[b]:
					return -1
				case key[a] > key[b]:
					return 1
				}
				return 0
			})
			g.cutLevels(c, order, len(order)-1, table, stat, branch)
		}
	}
}

// cutLevels tries to cut the ordered levels after the first 1, 2 ... most levels, and stores the
// best cut in c.
func (g *grower) cutLevels(c *candidate, order []int, most int, table [][]float64, stat []float64, none []int16) {
	parent, w := g.t.impurity(stat), g.t.weight(stat)
	left := make([]float64, len(stat))
	right := make([]float64, len(stat))
	for k := 1; k <= most; k++ {
		g.t.merge(left, table[order[k-1]])
		clear(right)
		for _, l := range order[k:] {
			g.t.merge(right, table[l])
		}
		wl, wr := g.t.weight(left), g.t.weight(right)
		if wl < g.minLeaf || wr < g.minLeaf {
			continue
		}
		gain := parent - wl/w*g.t.impurity(left) - wr/w*g.t.impurity(right)
		if c.ok && gain <= c.gain+slack*g.t.size(stat) {
			continue
		}
		c.ok, c.gain, c.children = true, gain, 2
		c.branch = slices.Clone(none)
		for i, l := range order {
			if i < k {
				c.branch[l] = 0
			} else {
				c.branch[l] = 1
			}
		}
	}
}
