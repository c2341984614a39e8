package cluster

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// Linkage is the distance between two clusters A and B.
type Linkage int

const (
	WardLinkage     Linkage = iota // √(2·|A|·|B|/(|A|+|B|))·‖μ_A − μ_B‖, from the increase of J
	SingleLinkage                  // the smallest distance between a row of A and a row of B
	CompleteLinkage                // the largest distance
	AverageLinkage                 // the mean distance
)

// String returns the name of the linkage.
func (l Linkage) String() string {
	switch l {
	case WardLinkage:
		return "Ward"
	case SingleLinkage:
		return "single"
	case CompleteLinkage:
		return "complete"
	case AverageLinkage:
		return "average"
	}
	return "unknown"
}

// Agglomerative merges the two nearest clusters repeatedly until one cluster is left.
//
// The distance between clusters is a [Linkage]. After A and B are merged, the distance of the
// result from any other cluster C follows from the earlier distances,
//
//		single    min(d_AC, d_BC)
//		complete  max(d_AC, d_BC)
//		average   (|A|·d_AC + |B|·d_BC) / (|A|+|B|)
//		Ward      √(((|A|+|C|)·d²_AC + (|B|+|C|)·d²_BC − |C|·d²_AB) / (|A|+|B|+|C|))
//
//	 1. Follow nearest neighbors from any cluster until two clusters are each other's nearest.
//	 2. Merge them, and continue from the cluster that precedes them in the chain.
//
// Such pairs may be merged in any order for these linkages; the merges are sorted by height in the
// end. Single linkage takes the edges of a minimum spanning tree instead, and stores only the rows.
//
// No merge is ever undone. Single linkage finds clusters of any shape and makes chains through
// noise; complete linkage and Ward make compact clusters. Tree contains the clusters for every K:
// cut it where the heights grow fast.
//
// Cost: O(n²·d) time; O(n²) memory, except for single linkage. For the other linkages, more than
// 15,000 rows (1.8 GB) are an error.
//
// References: [Murtagh1983], [LanceWilliams1967].
// Course: CLU-09.
type Agglomerative struct {
	model.Control

	// K is the number of clusters in Labels; 0 means the number of clusters at Height or, if Height
	// is 0, two clusters.
	K int
	// Height is the height at which Labels cuts the tree, in units of the distance: higher merges
	// are ignored. It is used if K is 0 and Height is not 0. A larger Height makes fewer clusters.
	Height float64
	// Linkage is the distance between clusters. The default is WardLinkage, which needs Euclidean
	// distances.
	Linkage Linkage
	// Metric is the distance between rows. The default is Euclidean.
	Metric neighbors.Metric
	// P is the power of the Minkowski metric; 0 means 2. P = 1 is the Manhattan distance, and P = 2
	// is the Euclidean distance. A larger P increases the weight of the column with the largest
	// difference.
	P float64
	// Distance, if set, is used instead of Metric.
	Distance func(a, b []float64) float64 `json:"-"`
	// Distances reports whether x is a square matrix of distances instead of rows.
	Distances bool

	// Tree is the tree of merges; set by FitPredict.
	Tree *Hierarchy
	// Labels are the clusters of the rows; set by FitPredict.
	Labels []int
	// Clusters is the number of clusters; set by FitPredict.
	Clusters int
}

var _ model.Clusterer = (*Agglomerative)(nil)

// FitPredict builds the tree of merges of the rows of x, cuts it and returns the labels.
func (m *Agglomerative) FitPredict(x mat.Matrix) ([]int, error) {
	m.Tree, m.Labels, m.Clusters = nil, nil, 0
	const op = "Agglomerative.FitPredict"
	d, err := checkRows(op, x)
	if err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	k := m.K
	if k == 0 {
		k = min(2, n)
	}
	if err := m.check(op, k, n); err != nil {
		return nil, err
	}
	run := m.Begin("Agglomerative", n-1)
	defer run.End()
	found, err := m.merges(op, d, run)
	if err != nil {
		return nil, err
	}
	m.Tree = hierarchy(found)
	if m.K == 0 && m.Height != 0 {
		k = n - m.Tree.below(model.Or(m.Height, 0))
	}
	m.Labels, m.Clusters = m.Tree.Cut(k), k
	return m.Labels, nil
}

func (m *Agglomerative) check(op string, k, n int) error {
	if m.Linkage < WardLinkage || m.Linkage > AverageLinkage {
		return model.Errorf(op, "Linkage must be one of the constants of ml.Linkage, got %d", m.Linkage)
	}
	if !(m.Height >= 0) {
		return model.Errorf(op, "Height must not be negative, got %v", m.Height)
	}
	if m.Linkage == WardLinkage && !m.Distances && (m.Metric != neighbors.Euclidean || m.Distance != nil) {
		return model.Errorf(op, "Metric must be Euclidean for Ward's linkage").WithHint("leave Metric out, or set another Linkage")
	}
	if err := checkK(op, k, n); err != nil {
		return err
	}
	return checkMetric(op, m.Metric, m.power())
}

func (m *Agglomerative) power() float64 { return power(m.P) }

// power returns the power of the Minkowski metric for the parameter p.
func power(p float64) float64 {
	if p == 0 {
		return 2
	}
	return p
}

// merges returns the merges, in no particular order.
func (m *Agglomerative) merges(op string, d *mat.Dense, run *model.Run) ([]joint, error) {
	n, _ := d.Dims()
	far := between(m.Metric, m.power(), m.Distance)
	if m.Linkage == SingleLinkage && !m.Distances {
		span := prim{far: far, run: run}
		if m.Distance == nil && m.Metric == neighbors.Euclidean {
			span.far = nil
		}
		found, err := span.tree(d)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if err := measured(op, []float64{f.height}); err != nil {
				return nil, err
			}
		}
		return found, nil
	}
	all, err := square(op, d, m.Distances, far)
	if err != nil {
		return nil, err
	}
	return neighborChain(all, n, m.Linkage, run)
}

// neighborChain merges pairs that are each other's nearest; it overwrites the
// distances.
func neighborChain(d []float64, n int, linkage Linkage, run *model.Run) ([]joint, error) {
	size := make([]int, n)
	live := make([]int32, n) // the clusters that still exist, ascending
	for i := range size {
		size[i], live[i] = 1, int32(i)
	}
	var chain []int
	found := make([]joint, 0, max(0, n-1))
	for len(found) < n-1 {
		if len(chain) == 0 {
			chain = append(chain, int(live[0]))
		}
		var a, b int
		var height float64
		for {
			a = chain[len(chain)-1]
			row := d[a*n : (a+1)*n]
			b, height = -1, math.Inf(1)
			if len(chain) > 1 { // prefer the previous cluster on a tie, so that the chain ends
				b = chain[len(chain)-2]
				height = row[b]
			}
			b, height = nearestLive(row, a, b, height, live)
			if len(chain) > 1 && b == chain[len(chain)-2] {
				break
			}
			chain = append(chain, b)
		}
		chain = chain[:len(chain)-2]
		if a > b {
			a, b = b, a
		}
		found = append(found, joint{int32(a), int32(b), height})
		live = removed(live, int32(a))
		updateDistances(d, n, a, b, height, size, live, linkage)
		size[b] += size[a]
		if err := run.Step(len(found), height); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// nearestLive returns the cluster nearest to a and its distance; row holds the distances of a. If
// no cluster is nearer than height, it returns b and height.
func nearestLive(row []float64, a, b int, height float64, live []int32) (int, float64) {
	for _, l := range live {
		if v := row[l]; v < height && int(l) != a {
			b, height = int(l), v
		}
	}
	return b, height
}

func removed(live []int32, a int32) []int32 {
	at, _ := slices.BinarySearch(live, a)
	return slices.Delete(live, at, at+1)
}

// updateDistances sets the distances of b to the distances of the merged cluster of a and b.
func updateDistances(d []float64, n, a, b int, height float64, size []int, live []int32, linkage Linkage) {
	na, nb := float64(size[a]), float64(size[b])
	from, to := d[a*n:(a+1)*n], d[b*n:(b+1)*n]
	for _, l := range live {
		c := int(l)
		if c == b {
			continue
		}
		ac, bc := from[c], to[c]
		switch linkage {
		case SingleLinkage:
			bc = min(ac, bc)
		case CompleteLinkage:
			bc = max(ac, bc)
		case AverageLinkage:
			bc = (na*ac + nb*bc) / (na + nb)
		default:
			nc := float64(size[c])
			bc = math.Sqrt(max(0, ((na+nc)*ac*ac+(nb+nc)*bc*bc-nc*height*height)/(na+nb+nc)))
		}
		to[c], d[c*n+b] = bc, bc
	}
}
