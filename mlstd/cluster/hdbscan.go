package cluster

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// HDBSCAN finds clusters of different densities: it is [DBSCAN] for every Eps at once,
// and keeps the clusters that exist over the widest range of Eps.
//
// It uses the mutual reachability distance d and weighs a cluster by its stability S. With core(x)
// the distance from x to its MinPoints-th neighbor, x itself counted,
//
//	d(x, z) = max(‖x − z‖, core(x), core(z))
//	S(C) = Σ over x in C of (λ(x) − λ_C),  λ = 1/d
//
// where λ_C is the λ at which C appears as d falls, and λ(x) the λ at which x leaves C.
//
//  1. Build the single linkage tree under d.
//  2. Condense the tree: a branch with fewer than MinCluster rows leaves the cluster. If both
//     branches have at least MinCluster rows, the cluster splits in two.
//  3. From the leaves on, keep a cluster when its stability is at least the total stability of the
//     best clusters below it. The root counts only with AllowSingle.
//
// Rows that are in no kept cluster are noise, -1. No Eps is needed; the result depends
// only on MinCluster, which is easy to choose.
//
// Cost: O(n²·d) time, O(n) memory.
//
// References: [CampelloEtAl2013].
// Course: CLU-09.
type HDBSCAN struct {
	model.Control

	// MinCluster is the minimum number of rows in a cluster; 0 means 5. A larger value leaves
	// fewer, larger clusters; smaller groups become noise.
	MinCluster int
	// MinPoints is k, where the distance to the k-th nearest neighbor, the row itself counted,
	// measures the density around a row. 0 means MinCluster. MinPoints is scikit-learn's
	// min_samples. The Python package hdbscan does not count the row itself: its min_samples=4 is
	// MinPoints 5.
	MinPoints int
	// AllowSingle allows a single cluster of all rows.
	AllowSingle bool
	// Metric is the distance. The default is Euclidean.
	Metric neighbors.Metric
	// P is the power of the Minkowski metric; 0 means 2. P = 1 is the Manhattan distance, and P = 2
	// is the Euclidean distance. A larger P increases the weight of the column with the largest
	// difference.
	P float64
	// Distance, if set, is used instead of Metric.
	Distance func(a, b []float64) float64 `json:"-"`

	// Labels are the clusters of the rows, -1 for noise; set by FitPredict.
	Labels []int
	// Clusters is the number of clusters; set by FitPredict.
	Clusters int
	// Strengths has, for each row, the strength of its membership in its cluster, from 0 for noise
	// to 1. The strength is λ(x) divided by the largest λ in the cluster; set by FitPredict.
	Strengths []float64
	// Tree is the single linkage tree under the mutual reachability distance; set by
	// FitPredict.
	Tree *Hierarchy
	// Condensed is the condensed tree, from the root on; set by FitPredict.
	Condensed []CondensedBranch
	// Stabilities are the stabilities of the clusters; set by FitPredict.
	Stabilities []float64
}

// CondensedBranch is a row, or a cluster, that leaves a cluster of a condensed tree.
type CondensedBranch struct {
	// Parent is the cluster that the child leaves: n for the root of a tree of n rows, and a larger
	// number for any other cluster.
	Parent int
	// Child is a row if it is less than n, and a cluster otherwise.
	Child int
	// Lambda is 1/d at the distance d at which the child leaves.
	Lambda float64
	// Size is the number of rows of the child.
	Size int
	// Label is the label of the child if it is a cluster that was kept, and -1 otherwise.
	Label int
}

var _ model.Clusterer = (*HDBSCAN)(nil)

// FitPredict returns the clusters of the rows of x.
func (m *HDBSCAN) FitPredict(x mat.Matrix) ([]int, error) {
	m.reset()
	const op = "HDBSCAN.FitPredict"
	d, err := checkRows(op, x)
	if err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	least, err := model.Iterations(op, "MinCluster", m.MinCluster, min(5, n))
	if err != nil {
		return nil, err
	}
	points, err := model.Iterations(op, "MinPoints", m.MinPoints, least)
	if err != nil {
		return nil, err
	}
	if n < 2 {
		return nil, model.Errorf(op, "x must have at least 2 rows, got %d", n)
	}
	if least < 2 || least > n {
		return nil, model.Errorf(op, "MinCluster must be between 2 and %d (the number of rows), got %d", n, least)
	}
	if points > n {
		return nil, model.Errorf(op, "MinPoints must be at most %d (the number of rows), got %d", n, points)
	}
	p := power(m.P)
	ix := neighbors.NeighborIndex{Metric: m.Metric, P: p, Distance: m.Distance}
	if err := ix.Learn(d); err != nil {
		return nil, err
	}
	run := m.Begin("HDBSCAN", n-1)
	defer run.End()
	span := prim{far: between(m.Metric, p, m.Distance), core: make([]float64, n), run: run}
	if m.Distance == nil && m.Metric == neighbors.Euclidean {
		span.far = nil
	}
	near, far := ix.Nearest(d, points)
	for i := range span.core {
		if span.core[i] = far[i][points-1]; span.far == nil {
			span.core[i] = squared(d.RawRowView(i), d.RawRowView(near[i][points-1]))
		}
	}
	found, err := span.tree(d)
	if err != nil {
		return nil, err
	}
	m.Tree = hierarchy(found)
	c := condense(m.Tree, least)
	kept := c.keep(m.AllowSingle)
	c.label(m, kept)
	return m.Labels, nil
}

func (m *HDBSCAN) reset() {
	m.Labels, m.Strengths, m.Tree, m.Condensed, m.Stabilities = nil, nil, nil, nil, nil
	m.Clusters = 0
}

// condensed is a condensed tree of n rows. Its clusters count from 0, the root; a parent precedes
// its children.
type condensed struct {
	n        int
	branches []CondensedBranch
	parent   []int     // of each cluster, -1 for the root
	birth    []float64 // λ at which it appears
	deepest  []float64 // the largest λ at which something leaves it
	stable   []float64
	lambda   []float64 // of each row, λ at which it leaves
	left     []int     // of each row, the cluster that it leaves
}

// condense builds the condensed tree from the root down.
func condense(h *Hierarchy, least int) *condensed {
	n := h.Len()
	c := &condensed{n: n, lambda: make([]float64, n), left: make([]int, n)}
	c.add(-1, 0)
	type visit struct{ node, cluster int }
	queue := []visit{{2*n - 2, 0}}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		merge := h.Merges[v.node-n]
		lambda := 1 / merge[2]
		children := [2]int{int(merge[0]), int(merge[1])}
		var large [2]bool
		for s, k := range children {
			large[s] = size(h, k) >= least
		}
		for s, k := range children {
			switch {
			case large[0] && large[1]:
				id := c.add(v.cluster, lambda)
				c.branch(v.cluster, n+id, lambda, size(h, k))
				if k >= n {
					queue = append(queue, visit{k, id})
				}
			case large[s]:
				if k >= n {
					queue = append(queue, visit{k, v.cluster})
				}
			default:
				for _, i := range leaves(h, k) {
					c.branch(v.cluster, i, lambda, 1)
					c.lambda[i], c.left[i] = lambda, v.cluster
				}
			}
		}
	}
	for _, b := range c.branches {
		p := b.Parent - n
		if b.Lambda > c.birth[p] { // otherwise both are infinite, or nothing is added
			c.stable[p] += (b.Lambda - c.birth[p]) * float64(b.Size)
		}
		c.deepest[p] = max(c.deepest[p], b.Lambda)
	}
	return c
}

func (c *condensed) add(parent int, birth float64) int {
	c.parent, c.birth = append(c.parent, parent), append(c.birth, birth)
	c.deepest, c.stable = append(c.deepest, 0), append(c.stable, 0)
	return len(c.parent) - 1
}

func (c *condensed) branch(parent, child int, lambda float64, size int) {
	c.branches = append(c.branches, CondensedBranch{c.n + parent, child, lambda, size, -1})
}

// size returns the number of rows in cluster k of a hierarchy.
func size(h *Hierarchy, k int) int {
	if n := h.Len(); k >= n {
		return int(h.Merges[k-n][3])
	}
	return 1
}

// leaves returns the rows in cluster k of a hierarchy.
func leaves(h *Hierarchy, k int) []int {
	n := h.Len()
	var out []int
	for stack := []int{k}; len(stack) > 0; {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if k < n {
			out = append(out, k)
			continue
		}
		stack = append(stack, int(h.Merges[k-n][1]), int(h.Merges[k-n][0]))
	}
	return out
}

// keep reports for each cluster whether it is kept: the kept clusters have the largest total
// stability, and none contains another.
func (c *condensed) keep(root bool) []bool {
	kept, below := make([]bool, len(c.parent)), make([]float64, len(c.parent))
	has := make([]bool, len(c.parent))
	for k := len(c.parent) - 1; k >= 0; k-- {
		best := below[k]
		if (k > 0 || root) && !(has[k] && c.stable[k] < best) {
			kept[k], best = true, c.stable[k]
		}
		if k > 0 {
			below[c.parent[k]] += best
			has[c.parent[k]] = true
		}
	}
	under := make([]bool, len(c.parent)) // whether the cluster is below a kept one
	for k := 1; k < len(c.parent); k++ {
		under[k] = under[c.parent[k]] || kept[c.parent[k]]
		kept[k] = kept[k] && !under[k]
	}
	return kept
}

// label writes the result: the labels of the rows, with the kept clusters numbered in the order of
// the tree.
func (c *condensed) label(m *HDBSCAN, kept []bool) {
	number := make([]int, len(kept))
	of := make([]int, len(kept)) // the kept cluster that each is in, or -1
	for k := range kept {
		of[k], number[k] = -1, -1
		switch {
		case kept[k]:
			of[k], number[k] = k, m.Clusters
			m.Clusters++
			m.Stabilities = append(m.Stabilities, c.stable[k])
		case k > 0:
			of[k] = of[c.parent[k]]
		}
	}
	m.Labels, m.Strengths = make([]int, c.n), make([]float64, c.n)
	for i, k := range c.left {
		m.Labels[i] = -1
		if k = of[k]; k < 0 {
			continue
		}
		if k == 0 && c.lambda[i] < c.rootLeast() {
			continue
		}
		m.Labels[i] = number[k]
		m.Strengths[i] = 1
		if most := c.deepest[k]; most > 0 && !math.IsInf(c.lambda[i], 1) {
			m.Strengths[i] = min(c.lambda[i], most) / most
		}
	}
	m.Condensed = c.branches
	for i, b := range m.Condensed {
		if b.Child >= c.n {
			m.Condensed[i].Label = number[b.Child-c.n]
		}
	}
}

// rootLeast returns the λ from which rows belong to the root, if the root is the only cluster: the
// largest λ at which a row leaves it.
func (c *condensed) rootLeast() float64 { return c.deepest[0] }
