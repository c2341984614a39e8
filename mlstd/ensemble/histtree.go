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
	// Nodes has the root first; each names its children by their positions.
	Nodes []HistNode
	// Sets are the names that go left at the nodes that split by names: bit l of a set
	// stands for the level l.
	Sets [][4]uint64
}

// HistNode is a question or a leaf of a [HistTree].
//
// Course: ENS-17.
type HistNode struct {
	Column      int     // that is asked about; −1 for a leaf
	Threshold   float64 // a value up to it goes left; of a column of names NaN
	Set         int     // of a column of names the position in Sets; −1 otherwise
	MissingLeft bool    // a missing value goes left, and so does a name that Fit has not seen
	Left, Right int     // positions of the children
	Value       float64 // what a leaf adds, the rate included
	Gain        float64 // how much the question lowers the loss, to second order
	Count       int     // training examples that get here
}

// Leaves counts the leaves.
func (t *HistTree) Leaves() int { return (len(t.Nodes) + 1) / 2 }

// Depth is the largest number of questions from the root to a leaf.
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

// goesLeft answers the question of n for the value v of its column.
func (t *HistTree) goesLeft(n *HistNode, v float64, seen *levels) bool {
	if n.Set < 0 {
		return v <= n.Threshold || v != v && n.MissingLeft
	}
	if !(v >= 0 && v < maxBins && v == math.Trunc(v) && seen.has(uint8(v))) {
		return n.MissingLeft
	}
	return (*levels)(&t.Sets[n.Set]).has(uint8(v))
}

// add adds what the tree says of the rows [lo, hi) of d to out.
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

// gains adds the gains of the questions about each column to out.
func (t *HistTree) gains(out []float64) {
	for _, n := range t.Nodes {
		if n.Column >= 0 {
			out[n.Column] += n.Gain
		}
	}
}
