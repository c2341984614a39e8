package course

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/cluster"
)

// CondensedTree draws how a fitted HDBSCAN splits the rows as the required density grows. The
// width of a branch is the number of rows in its cluster: it decreases where rows leave, and the
// branch splits where the cluster separates into two. The selected clusters have the colors of
// their labels. A long, wide branch is a stable cluster.
func CondensedTree(m *cluster.HDBSCAN) *chart.Chart {
	if m == nil || len(m.Condensed) == 0 {
		return failed("CondensedTree", "the model is not fitted")
	}
	t := newCondensedTree(m)
	c := chart.New()
	for _, b := range t.branches {
		if b.from == b.to {
			continue
		}
		x, y := b.outline(float64(len(m.Labels)) / 400)
		c.Polygon(x, y)
		switch {
		case b.chosen:
			c.ClassColor(b.label).Opacity(0.8).Name(fmt.Sprintf("cluster %d", b.label))
		case b.label >= 0:
			c.ClassColor(b.label).Opacity(0.4).Name("")
		default:
			c.Color("gray").Opacity(0.5).Name("")
		}
	}
	return c.Titlef("Condensed tree: %d clusters", m.Clusters).X("rows").Y("density λ = 1/distance").
		XRange(0, float64(len(m.Labels))).YRange(t.least, t.most)
}

// condensedTree is the clusters of an HDBSCAN with their positions.
type condensedTree struct {
	branches    []*branch
	least, most float64 // range of λ in the figure
}

// branch is a cluster.
type branch struct {
	label  int  // number of the cluster, or of the selected cluster that contains it, or -1
	chosen bool // whether the result contains this cluster
	middle float64
	rows   float64   // when the cluster appears
	from   float64   // λ at which it appears
	to     float64   // λ at which it ends or splits
	leave  []float64 // λ at which single rows leave
	below  []*branch
}

// newCondensedTree builds the branches; parents come before their children.
func newCondensedTree(m *cluster.HDBSCAN) *condensedTree {
	n := len(m.Labels)
	t := &condensedTree{least: math.Inf(1)}
	for _, b := range m.Condensed {
		if t.least = math.Min(t.least, b.Lambda); !math.IsInf(b.Lambda, 1) {
			t.most = math.Max(t.most, b.Lambda)
		}
	}
	if t.least *= 0.9; !(t.most > t.least) { // all rows are at the same position
		t.least, t.most = 0, math.Max(1, t.most)
	}
	root := &branch{label: -1, middle: float64(n) / 2, rows: float64(n), from: t.least, to: t.least}
	all := map[int]*branch{n: root}
	t.branches = append(t.branches, root)
	for _, b := range m.Condensed {
		p, lambda := all[b.Parent], math.Min(b.Lambda, t.most)
		p.to = math.Max(p.to, lambda)
		if b.Child < n {
			p.leave = append(p.leave, lambda)
			continue
		}
		child := &branch{label: p.label, rows: float64(b.Size), from: lambda, to: lambda}
		if b.Label >= 0 {
			child.label, child.chosen = b.Label, true
		}
		all[b.Child] = child
		t.branches, p.below = append(t.branches, child), append(p.below, child)
	}
	for _, b := range t.branches {
		slices.Sort(b.leave)
		b.spread()
	}
	return t
}

// spread centers the children of a cluster within it.
func (b *branch) spread() {
	sum := 0.0
	for _, c := range b.below {
		sum += c.rows
	}
	at := b.middle - b.rows/2
	for _, c := range b.below {
		share := b.rows * c.rows / sum
		c.middle = at + share/2
		at += share
	}
}

// outline returns the shape of a branch. It becomes narrower after each group of at least fine rows
// that leave the cluster.
func (b *branch) outline(fine float64) (x, y []float64) {
	type step struct{ y, rows float64 }
	rows := b.rows
	steps := []step{{b.from, rows}}
	for i, lambda := range b.leave {
		if i+1 < len(b.leave) && b.leave[i+1] == lambda {
			continue
		}
		if left := b.rows - float64(i+1); rows-left >= fine || i+1 == len(b.leave) {
			steps = append(steps, step{lambda, rows}, step{lambda, left})
			rows = left
		}
	}
	steps = append(steps, step{b.to, rows})
	for _, s := range steps {
		x, y = append(x, b.middle+s.rows/2), append(y, s.y)
	}
	for _, s := range slices.Backward(steps) {
		x, y = append(x, b.middle-s.rows/2), append(y, s.y)
	}
	return x, y
}
