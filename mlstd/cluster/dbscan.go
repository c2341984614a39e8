package cluster

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// DBSCAN finds clusters as regions of high density, of any shape and number.
//
// A row is a core row when it has enough neighbors, itself included,
//
//	|N(x)| ≥ MinPoints,  N(x) = {z : d(x, z) ≤ Eps}
//
// and the clusters are the connected components of the core rows under z ∈ N(x):
//
//  1. Find N(x) for every row.
//  2. Join every two core rows that are neighbors.
//  3. A row that is not core belongs to the first of its core neighbors' clusters. A row without a
//     core neighbor is noise, -1.
//
// Clusters are numbered by their first core row. One Eps must fit all clusters: see
// [HDBSCAN] for clusters of different density. Columns on larger scales dominate the
// distance: scale them first.
//
// Cost: O(n log n + pairs within Eps) in few dimensions, O(n²·d) in many; memory for
// the pairs within Eps.
//
// References: [EsterEtAl1996].
// Course: CLU-09.
type DBSCAN struct {
	// Eps is the maximum distance between two neighbors, in the unit of the columns; 0 means 0.5. A
	// larger Eps joins clusters and leaves less noise. Scale the columns first.
	Eps float64
	// MinPoints is the minimum number of neighbors of a core row, the row itself included; 0 means
	// 5. A larger value needs denser clusters and leaves more noise.
	MinPoints int
	// Metric is the distance. The default is Euclidean.
	Metric neighbors.Metric
	// P is the power of the Minkowski metric; 0 means 2. P = 1 is the Manhattan distance, and P = 2
	// is the Euclidean distance. A larger P increases the weight of the column with the largest
	// difference.
	P float64
	// Distance, if set, is used instead of Metric.
	Distance func(a, b []float64) float64 `json:"-"`
	// Search determines how neighbors are found. The default is AutoSearch.
	Search neighbors.NeighborSearch

	// Labels are the clusters of the rows, -1 for noise; set by FitPredict.
	Labels []int
	// Core reports whether each row is a core row; set by FitPredict.
	Core []bool
	// Clusters is the number of clusters; set by FitPredict.
	Clusters int
}

var _ model.Clusterer = (*DBSCAN)(nil)

// FitPredict returns the clusters of the rows of x.
func (m *DBSCAN) FitPredict(x mat.Matrix) ([]int, error) {
	m.Labels, m.Core, m.Clusters = nil, nil, 0
	const op = "DBSCAN.FitPredict"
	d, err := checkRows(op, x)
	if err != nil {
		return nil, err
	}
	eps := model.Or(m.Eps, 0.5)
	if !(eps >= 0) {
		return nil, model.Errorf(op, "Eps must not be negative, got %v", m.Eps)
	}
	least, err := model.Iterations(op, "MinPoints", m.MinPoints, 5)
	if err != nil {
		return nil, err
	}
	ix := neighbors.NeighborIndex{Metric: m.Metric, P: m.P, Distance: m.Distance, Search: m.Search}
	if err := ix.Learn(d); err != nil {
		return nil, err
	}
	near := ix.Within(d, eps)
	m.Core = make([]bool, len(near))
	for i, rows := range near {
		m.Core[i] = len(rows) >= least
	}
	m.Labels, m.Clusters = densityLabels(near, m.Core)
	return m.Labels, nil
}

// densityLabels joins core rows that are neighbors, and adds each other row to the first cluster of
// a core neighbor.
func densityLabels(near [][]int32, core []bool) (labels []int, clusters int) {
	sets := newSets(len(near))
	for i, rows := range near {
		if !core[i] {
			continue
		}
		for _, r := range rows {
			if int(r) < i && core[r] {
				sets.join(i, int(r))
			}
		}
	}
	labels = make([]int, len(near))
	number := make([]int, len(near))
	for i := range near {
		labels[i] = -1
		if !core[i] {
			continue
		}
		root := sets.find(i)
		if number[root] == 0 {
			clusters++
			number[root] = clusters
		}
		labels[i] = number[root] - 1
	}
	for i, rows := range near {
		if core[i] {
			continue
		}
		for _, r := range rows {
			if l := labels[r]; core[r] && (labels[i] < 0 || l < labels[i]) {
				labels[i] = l
			}
		}
	}
	return labels, clusters
}

// sets is a union-find structure: disjoint sets of numbers.
type sets struct{ parent, size []int32 }

func newSets(n int) *sets {
	s := &sets{make([]int32, n), make([]int32, n)}
	for i := range s.parent {
		s.parent[i], s.size[i] = int32(i), 1
	}
	return s
}

// find returns the representative of the set that contains i.
func (s *sets) find(i int) int {
	for int(s.parent[i]) != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = int(s.parent[i])
	}
	return i
}

// join merges the sets that contain i and j, and returns the representative of the result.
func (s *sets) join(i, j int) int {
	i, j = s.find(i), s.find(j)
	if i == j {
		return i
	}
	if s.size[i] < s.size[j] {
		i, j = j, i
	}
	s.parent[j] = int32(i)
	s.size[i] += s.size[j]
	return i
}
