package cluster

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Hierarchy is a tree of merges, the data of a dendrogram. At first every row is a cluster of its
// own, and after the last merge there is one cluster.
//
// Course: CLU-09.
type Hierarchy struct {
	// Merges has n-1 rows for n examples, in order of ascending height. A row holds the two
	// clusters that were merged (the lower number first), the height, and the number of examples in
	// the result. Examples are clusters 0 to n-1; merge i makes cluster n+i.
	Merges [][]float64
}

// Len returns the number of examples.
func (h *Hierarchy) Len() int { return len(h.Merges) + 1 }

// Heights returns the heights of the merges, in ascending order.
func (h *Hierarchy) Heights() []float64 {
	out := make([]float64, len(h.Merges))
	for i, m := range h.Merges {
		out[i] = m[2]
	}
	return out
}

// Cut returns the labels of k clusters: the last k-1 merges are undone. Clusters are
// numbered by their first example.
func (h *Hierarchy) Cut(k int) []int {
	if k < 1 || k > h.Len() {
		panic(model.Errorf("Hierarchy.Cut", "k must be between 1 and %d (the number of examples), got %d", h.Len(), k))
	}
	return h.after(h.Len() - k)
}

// CutHeight returns the labels of the clusters formed by the merges up to the given height.
func (h *Hierarchy) CutHeight(height float64) []int {
	if math.IsNaN(height) {
		panic(model.Errorf("Hierarchy.CutHeight", "height must be a number, got NaN"))
	}
	return h.after(h.below(height))
}

// below returns the number of merges of at most the given height.
func (h *Hierarchy) below(height float64) int {
	at, _ := slices.BinarySearchFunc(h.Merges, height, func(m []float64, v float64) int {
		if m[2] <= v {
			return -1
		}
		return 1
	})
	return at
}

// after returns the labels after the given number of merges.
func (h *Hierarchy) after(merges int) []int {
	n := h.Len()
	top := make([]int, n+merges) // of each cluster, the one that it was merged into
	for i := range top {
		top[i] = i
	}
	for i := merges - 1; i >= 0; i-- {
		m := h.Merges[i]
		top[int(m[0])], top[int(m[1])] = top[n+i], top[n+i]
	}
	labels, number := make([]int, n), map[int]int{}
	for i := range labels {
		l, ok := number[top[i]]
		if !ok {
			l = len(number)
			number[top[i]] = l
		}
		labels[i] = l
	}
	return labels
}

// Order returns the examples in the order of the leaves of the tree, from left to right, so that no
// two branches cross.
func (h *Hierarchy) Order() []int {
	n := h.Len()
	order, stack := make([]int, 0, n), []int{2*n - 2}
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if k < n {
			order = append(order, k)
			continue
		}
		m := h.Merges[k-n]
		stack = append(stack, int(m[1]), int(m[0]))
	}
	return order
}

// Cophenetic returns, for each pair of examples i < j, the height at which the two are merged, in
// the order (0,1), (0,2) ... (1,2) ...
//
// References: [SokalRohlf1962]. Course: CLU-09.
func (h *Hierarchy) Cophenetic() []float64 {
	n := h.Len()
	out := make([]float64, n*(n-1)/2)
	members := make([][]int, 2*n-1)
	for i := range n {
		members[i] = []int{i}
	}
	for i, m := range h.Merges {
		a, b := members[int(m[0])], members[int(m[1])]
		for _, p := range a {
			for _, q := range b {
				out[pairAt(n, p, q)] = m[2]
			}
		}
		members[n+i] = append(a, b...)
	}
	return out
}

// CopheneticCorrelation returns the correlation between the [Hierarchy.Cophenetic] distances and
// the original distances, in the same order (see [PairDistances]). It is near 1 when the tree
// represents the distances well.
//
// References: [SokalRohlf1962]. Course: CLU-09.
func (h *Hierarchy) CopheneticCorrelation(distances []float64) float64 {
	c := h.Cophenetic()
	if len(c) != len(distances) {
		panic(model.Errorf("Hierarchy.CopheneticCorrelation", "distances must have %d entries (the pairs of %d examples), got %d", len(c), h.Len(), len(distances)))
	}
	return stat.Correlation(c, distances, nil)
}

// pairAt returns the index of the pair (i, j) among the pairs of n rows.
func pairAt(n, i, j int) int {
	if i > j {
		i, j = j, i
	}
	return i*(2*n-i-1)/2 + j - i - 1
}

// joint is a merge as it was found: one row from each of the two clusters, and the height.
type joint struct {
	a, b   int32
	height float64
}

// hierarchy orders the n-1 merges by height, merges of equal height in the order they were found,
// and numbers the clusters.
func hierarchy(found []joint) *Hierarchy {
	slices.SortStableFunc(found, func(a, b joint) int { return cmp.Compare(a.height, b.height) })
	n := len(found) + 1
	sets, number := newSets(n), make([]int, n)
	for i := range number {
		number[i] = i
	}
	h := &Hierarchy{Merges: make([][]float64, len(found))}
	flat := make([]float64, 4*len(found))
	for i, f := range found {
		a, b := sets.find(int(f.a)), sets.find(int(f.b))
		row := flat[4*i : 4*i+4 : 4*i+4]
		row[0], row[1] = float64(min(number[a], number[b])), float64(max(number[a], number[b]))
		root := sets.join(a, b)
		row[2], row[3] = f.height, float64(sets.size[root])
		number[root] = n + i
		h.Merges[i] = row
	}
	return h
}
