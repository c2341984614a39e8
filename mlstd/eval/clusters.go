package eval

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// grouping is a clustering of rows: for each row the position of its label, and for each label the
// number of its rows. Noise, -1, is a label like any other.
type grouping struct {
	x      *mat.Dense
	labels []int
	index  []int
	counts []float64
}

// newGrouping panics when the labels do not fit the rows, or there are fewer than two
// clusters or as many as rows.
func newGrouping(op string, x mat.Matrix, labels []int) *grouping {
	d, err := model.CheckX(op, x)
	if err != nil {
		panic(err)
	}
	g := newLabels(op, labels)
	g.x = d
	if n, _ := d.Dims(); n != len(labels) {
		panic(model.Errorf(op, "labels must have %d entries (the number of rows of x), got %d", n, len(labels)))
	}
	return g
}

func newLabels(op string, labels []int) *grouping {
	classes, index := model.Classes(labels)
	if len(classes) < 2 || len(classes) >= len(labels) {
		panic(model.Errorf(op, "the number of clusters must be between 2 and %d (one less than the rows), got %d", len(labels)-1, len(classes)))
	}
	g := &grouping{labels: classes, index: index, counts: make([]float64, len(classes))}
	for _, c := range index {
		g.counts[c]++
	}
	return g
}

// centers returns the means of the clusters.
func (g *grouping) centers() *mat.Dense {
	_, cols := g.x.Dims()
	sums := mat.NewDense(len(g.counts), cols, nil)
	for i, c := range g.index {
		floats.Add(sums.RawRowView(c), g.x.RawRowView(i))
	}
	for c, n := range g.counts {
		floats.Scale(1/n, sums.RawRowView(c))
	}
	return sums
}

// SilhouetteSamples returns the silhouette of each row, which measures how much nearer the row is
// to its own cluster than to the nearest other cluster,
//
//	s = (b − a) / max(a, b)
//
// where a is the mean Euclidean distance to the other rows of its cluster and b is the smallest
// mean distance to the rows of another cluster. A row with a value near 1 is well inside its
// cluster, and a row with a value near 0 is between two clusters. A negative value suggests that
// the row is in the wrong cluster. A row that is alone in its cluster has the value 0. Noise (label
// -1) counts as a cluster.
//
// Cost: O(n²·d) time, O(n) memory.
//
// References: [Rousseeuw1987]. Course: CLU-08.
func SilhouetteSamples(x mat.Matrix, labels []int) []float64 {
	g := newGrouping("SilhouetteSamples", x, labels)
	n, cols := g.x.Dims()
	// Rows in the order of their clusters, centered so that differences keep digits.
	sorted, ends := g.sorted()
	rows := mat.NewDense(n, cols, nil)
	middle := make([]float64, cols)
	for i := range n {
		floats.Add(middle, g.x.RawRowView(i))
	}
	floats.Scale(1/float64(n), middle)
	lengths := make([]float64, n)
	for at, i := range sorted {
		floats.SubTo(rows.RawRowView(at), g.x.RawRowView(i), middle)
		lengths[at] = floats.Dot(rows.RawRowView(at), rows.RawRowView(at))
	}
	panels := linalg.Pack(rows.RawMatrix().Data, n, cols, cols)
	out := make([]float64, n)
	const grain = 48
	par.Range(n, grain, func(lo, hi int) {
		products := make([]float64, (hi-lo)*n)
		linalg.AddProduct(products, n, rows.RawMatrix().Data[lo*cols:], hi-lo, cols, panels)
		sums := make([]float64, len(g.counts))
		for at := lo; at < hi; at++ {
			distanceSums(sums, products[(at-lo)*n:(at-lo+1)*n], lengths, at, ends)
			out[sorted[at]] = g.silhouette(g.index[sorted[at]], sums)
		}
	})
	return out
}

// sorted returns the rows in the order of their clusters, and where each cluster ends.
func (g *grouping) sorted() (rows, ends []int) {
	starts := make([]int, len(g.counts))
	at := 0
	for c, n := range g.counts {
		starts[c] = at
		at += int(n)
		ends = append(ends, at)
	}
	rows = make([]int, len(g.index))
	for i, c := range g.index {
		rows[starts[c]] = i
		starts[c]++
	}
	return rows, ends
}

// distanceSums sets sums to the sums of the distances from row at to the rows of each cluster.
// products holds the inner products of row at with all rows.
func distanceSums(sums, products, lengths []float64, at int, ends []int) {
	own, first := lengths[at], 0
	products[at] = own // its distance from itself is 0 without rounding
	for c, end := range ends {
		var a, b float64
		p, l := products[first:end], lengths[first:end]
		j := 0
		for ; j+2 <= len(p); j += 2 {
			a += math.Sqrt(max(0, own+l[j]-2*p[j]))
			b += math.Sqrt(max(0, own+l[j+1]-2*p[j+1]))
		}
		if j < len(p) {
			a += math.Sqrt(max(0, own+l[j]-2*p[j]))
		}
		sums[c], first = a+b, end
	}
}

// silhouette returns s for a row of cluster own. sums holds the sum of its distances to the rows of
// each cluster.
func (g *grouping) silhouette(own int, sums []float64) float64 {
	if g.counts[own] < 2 {
		return 0
	}
	a, b := sums[own]/(g.counts[own]-1), math.Inf(1)
	for c, s := range sums {
		if c != own {
			b = min(b, s/g.counts[c])
		}
	}
	if a == b {
		return 0
	}
	return (b - a) / max(a, b)
}

// SilhouetteOfDistances is [SilhouetteSamples] for any distance: d is the square
// matrix of distances.
//
// References: [Rousseeuw1987]. Course: CLU-08.
func SilhouetteOfDistances(d mat.Matrix, labels []int) []float64 {
	const op = "SilhouetteOfDistances"
	g := newGrouping(op, d, labels)
	n, cols := g.x.Dims()
	if n != cols {
		panic(model.Errorf(op, "the distances must be a square matrix, got %dx%d", n, cols))
	}
	out, sums := make([]float64, n), make([]float64, len(g.counts))
	for i := range n {
		clear(sums)
		for j, v := range g.x.RawRowView(i) {
			if i != j {
				sums[g.index[j]] += v
			}
		}
		out[i] = g.silhouette(g.index[i], sums)
	}
	return out
}

// Silhouette is the mean of [SilhouetteSamples]: near 1 for clusters that are dense
// and far apart.
//
// References: [Rousseeuw1987]. Course: CLU-08.
func Silhouette(x mat.Matrix, labels []int) float64 {
	return floats.Sum(SilhouetteSamples(x, labels)) / float64(len(labels))
}

// DaviesBouldin is the mean, over the clusters, of the similarity of each cluster to the most
// similar other cluster,
//
//	DB = (1/K) Σᵢ max over j ≠ i of (sᵢ + sⱼ) / ‖μᵢ − μⱼ‖
//
// where sᵢ is the mean distance of the rows of cluster i from its mean μᵢ. Lower is
// better; 0 is the minimum.
//
// References: [DaviesBouldin1979]. Course: CLU-08.
func DaviesBouldin(x mat.Matrix, labels []int) float64 {
	g := newGrouping("DaviesBouldin", x, labels)
	centers, s := g.centers(), make([]float64, len(g.counts))
	for i, c := range g.index {
		s[c] += floats.Distance(g.x.RawRowView(i), centers.RawRowView(c), 2) / g.counts[c]
	}
	sum := 0.0
	for i := range s {
		worst := 0.0
		for j := range s {
			if d := floats.Distance(centers.RawRowView(i), centers.RawRowView(j), 2); i != j && d > 0 {
				worst = max(worst, (s[i]+s[j])/d)
			}
		}
		sum += worst
	}
	return sum / float64(len(s))
}

// CalinskiHarabasz is the ratio of the variance between clusters to the variance within clusters,
//
//	CH = Σ_k n_k·‖μ_k − μ‖² / (K − 1)  /  Σᵢ ‖xᵢ − μ_cᵢ‖² / (n − K)
//
// Higher is better. It is 1 when nothing varies within the clusters, as in scikit-learn.
//
// References: [CalinskiHarabasz1974]. Course: CLU-08.
func CalinskiHarabasz(x mat.Matrix, labels []int) float64 {
	g := newGrouping("CalinskiHarabasz", x, labels)
	n, cols := g.x.Dims()
	centers, middle := g.centers(), make([]float64, cols)
	for c, k := range g.counts {
		floats.AddScaled(middle, k/float64(n), centers.RawRowView(c))
	}
	between, within := 0.0, 0.0
	for c, k := range g.counts {
		d := floats.Distance(centers.RawRowView(c), middle, 2)
		between += k * d * d
	}
	for i, c := range g.index {
		d := floats.Distance(g.x.RawRowView(i), centers.RawRowView(c), 2)
		within += d * d
	}
	if within == 0 {
		return 1
	}
	k := float64(len(g.counts))
	return between * (float64(n) - k) / (within * (k - 1))
}
