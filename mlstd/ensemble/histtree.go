package ensemble

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// HistTree is a regression tree of [HistGradientBoosting] and
// [HistGradientBoostingRegressor].
//
// Course: ENS-17.
type HistTree struct {
	// Nodes holds the nodes, with the root first. Each node refers to its children by index.
	Nodes []HistNode
	// Sets holds, for each split of a nominal column, the levels that go left: bit l of a set
	// stands for level l.
	Sets [][4]uint64
}

// HistNode is a split or a leaf of a [HistTree].
//
// Course: ENS-17.
type HistNode struct {
	Column      int     // column of the split; −1 for a leaf
	Threshold   float64 // values up to it go left; NaN for a nominal column
	Set         int     // position in Sets for a nominal column; −1 otherwise
	MissingLeft bool    // missing values, and levels that Fit has not seen, go left
	Left, Right int     // positions of the children
	Value       float64 // value of a leaf, multiplied by the rate
	Gain        float64 // decrease of the loss by the split, to second order
	Count       int     // training examples that reach the node
}

// Leaves returns the number of leaves.
func (t *HistTree) Leaves() int { return (len(t.Nodes) + 1) / 2 }

// Depth returns the largest number of splits on a path from the root to a leaf.
func (t *HistTree) Depth() int {
	var below func(at int) int
	below = func(at int) int {
		n := &t.Nodes[at]
		if n.Column < 0 {
			return 0
		}
		return 1 + max(below(n.Left), below(n.Right))
	}
	return below(0)
}

// goesLeft reports whether the value v of its column goes left at n.
func (t *HistTree) goesLeft(n *HistNode, v float64, seen *levels) bool {
	if n.Set < 0 {
		return v <= n.Threshold || v != v && n.MissingLeft
	}
	if !(v >= 0 && v < maxBins && v == math.Trunc(v) && seen.has(uint8(v))) {
		return n.MissingLeft
	}
	return (*levels)(&t.Sets[n.Set]).has(uint8(v))
}

// add adds the tree's predictions for the rows [lo, hi) of d to out.
func (t *HistTree) add(out []float64, d *mat.Dense, seen []*levels, lo, hi int) {
	for i := lo; i < hi; i++ {
		row := d.RawRowView(i)
		n := &t.Nodes[0]
		for n.Column >= 0 {
			v := row[n.Column]
			if n.Set < 0 {
				if v <= n.Threshold || v != v && n.MissingLeft {
					n = &t.Nodes[n.Left]
				} else {
					n = &t.Nodes[n.Right]
				}
				continue
			}
			if t.goesLeft(n, v, seen[n.Column]) {
				n = &t.Nodes[n.Left]
			} else {
				n = &t.Nodes[n.Right]
			}
		}
		out[i] += n.Value
	}
}

// gains adds the gains of the splits on each column to out.
func (t *HistTree) gains(out []float64) {
	for _, n := range t.Nodes {
		if n.Column >= 0 {
			out[n.Column] += n.Gain
		}
	}
}
