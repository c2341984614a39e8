package cluster

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// Affinity determines how spectral clustering measures the similarity of two rows.
type Affinity int

const (
	RBFAffinity      Affinity = iota // exp(−Gamma·‖xᵢ − xⱼ‖²)
	NeighborAffinity                 // 1 if each is a neighbor of the other, ½ if only one is
	GivenAffinity                    // x is the square matrix of affinities
)

// SpectralClustering divides a graph of rows into K parts with few edges between
// them.
//
// For affinities W without the diagonal and degrees D, it computes the eigenvectors for the K
// smallest eigenvalues of the normalized Laplacian,
//
//	L = I − D^(−½) W D^(−½)
//
// which solve the relaxed problem of the minimum normalized cut:
//
//  1. u₁ … u_K ← the eigenvectors for the K smallest eigenvalues of L.
//  2. zᵢ ← (u₁ᵢ … u_Kᵢ)/√Dᵢ, the row of example i.
//  3. The labels are the result of [KMeans] on the rows z.
//
// It finds clusters of any shape, while k-means finds only convex clusters. Gamma decides which
// rows are near: if it is too large, each row is isolated. More than one zero eigenvalue means that
// the graph is not connected.
//
// Cost: O(n²·d) for the affinities, O(n²·K) per block of Lanczos; O(n²) memory. More than 15,000
// rows (1.8 GB) are an error.
//
// References: [ShiMalik2000], [NgJordanWeiss2001].
// Course: CLU-09.
type SpectralClustering struct {
	model.Control

	// K is the number of clusters; 0 means 8, or the number of rows if that is less.
	K int
	// Affinity determines how the similarity of two rows is measured. The default is RBFAffinity.
	Affinity Affinity
	// Gamma is the factor γ of RBFAffinity, in the inverse of the squared unit of the columns; 0
	// means 1. A larger Gamma lets only nearer rows count as similar.
	Gamma float64
	// Neighbors is the number of neighbors of NeighborAffinity, each row itself included; 0 means
	// 10. With more neighbors, fewer clusters are separate in the graph.
	Neighbors int
	// Starts is the number of starts of k-means; 0 means 10. More starts take longer and end less
	// often in a poor local minimum.
	Starts int
	// Seed is the seed of k-means.
	Seed uint64

	// Labels are the clusters of the rows; set by FitPredict.
	Labels []int
	// Eigenvalues are the K smallest eigenvalues of L, ascending; set by FitPredict.
	Eigenvalues []float64
	// Embedding has the rows z; set by FitPredict.
	Embedding *mat.Dense
}

var _ model.Clusterer = (*SpectralClustering)(nil)

// FitPredict returns the clusters of the rows of x.
func (m *SpectralClustering) FitPredict(x mat.Matrix) ([]int, error) {
	m.reset()
	const op = "SpectralClustering.FitPredict"
	d, err := checkRows(op, x)
	if err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	k := m.K
	if k == 0 {
		k = min(8, n)
	}
	if err := checkK(op, k, n); err != nil {
		return nil, err
	}
	if err := checkPairs(op, n); err != nil {
		return nil, err
	}
	w, err := m.affinities(op, d)
	if err != nil {
		return nil, err
	}
	run := m.Begin("SpectralClustering", 0)
	defer run.End()
	if err := run.Step(1, math.NaN()); err != nil {
		return nil, err
	}
	values, z, ok := embed(w, n, k)
	if !ok {
		return nil, model.Errorf(op, "the eigenvalues of the affinities could not be computed").WithHint("choose a smaller Gamma")
	}
	starts, err := model.Iterations(op, "Starts", m.Starts, 10)
	if err != nil {
		return nil, err
	}
	means := KMeans{K: k, Starts: starts, Seed: m.Seed}
	means.Context = run.Context()
	means.OnStep = func(model.Step) {}
	labels, err := means.FitPredict(z)
	if err != nil {
		return nil, err
	}
	m.Labels, m.Eigenvalues, m.Embedding = labels, values, z
	return m.Labels, nil
}

func (m *SpectralClustering) reset() { m.Labels, m.Eigenvalues, m.Embedding = nil, nil, nil }

// affinities returns W without its diagonal, n x n in rows of n.
func (m *SpectralClustering) affinities(op string, d *mat.Dense) ([]float64, error) {
	n, cols := d.Dims()
	w := make([]float64, n*n)
	switch m.Affinity {
	case RBFAffinity:
		gamma := m.Gamma
		if gamma == 0 {
			gamma = 1
		}
		if !(gamma > 0) || math.IsInf(gamma, 1) {
			return nil, model.Errorf(op, "Gamma must be positive, got %v", m.Gamma)
		}
		par.Range(n, 64, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row := w[i*n : (i+1)*n]
				for j := range row {
					row[j] = -gamma * squared(d.RawRowView(i), d.RawRowView(j))
				}
				linalg.Exp(row)
				row[i] = 0
			}
		})
	case NeighborAffinity:
		k, err := model.Iterations(op, "Neighbors", m.Neighbors, min(10, n))
		if err != nil {
			return nil, err
		}
		if k > n {
			return nil, model.Errorf(op, "Neighbors must be at most %d (the number of rows), got %d", n, k)
		}
		var ix neighbors.NeighborIndex
		if err := ix.Learn(d); err != nil {
			return nil, err
		}
		near, _ := ix.Nearest(d, k)
		for i, rows := range near {
			for _, j := range rows {
				if i != j {
					w[i*n+j] += 0.5
					w[j*n+i] += 0.5
				}
			}
		}
	case GivenAffinity:
		if n != cols {
			return nil, model.Errorf(op, "the affinities must be a square matrix, got %dx%d", n, cols)
		}
		for i := range n {
			for j := range n {
				v := d.At(i, j)
				if v < 0 || math.Abs(v-d.At(j, i)) > 1e-9*max(1, math.Abs(v)) {
					return nil, model.Errorf(op, "the affinities must be symmetric and not negative, got [%[1]d][%[2]d] = %[3]v and [%[2]d][%[1]d] = %[4]v", i, j, v, d.At(j, i)).
						WithHint("pass a symmetric matrix without negative entries")
				}
				if i != j {
					w[i*n+j] = v
				}
			}
		}
	default:
		return nil, model.Errorf(op, "Affinity must be one of the constants of ml.Affinity, got %d", m.Affinity)
	}
	return w, nil
}

// embed returns the k smallest eigenvalues of the normalized Laplacian of the affinities w, and a
// matrix with their eigenvectors as columns. It overwrites w.
func embed(w []float64, n, k int) (values []float64, z *mat.Dense, ok bool) {
	root := make([]float64, n)
	for i := range n {
		if root[i] = math.Sqrt(floats.Sum(w[i*n : (i+1)*n])); root[i] == 0 {
			root[i] = 1 // an isolated row
		}
	}
	par.Range(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j := range n {
				w[i*n+j] /= root[i] * root[j]
			}
			w[i*n+i]++ // so that no eigenvalue of w is negative: L = 2I − (I + ...)
		}
	})
	values, vectors, ok := linalg.Eigen(w, n, k)
	if !ok {
		return nil, nil, false
	}
	z = mat.NewDense(n, k, nil)
	for c, v := range vectors {
		values[c] = 2 - values[c]
		// The sign of an eigenvector is free: its largest value is positive.
		most := 0.0
		for _, u := range v {
			if math.Abs(u) > math.Abs(most)*(1+1e-9) {
				most = u
			}
		}
		for i, u := range v {
			z.Set(i, c, math.Copysign(1, most)*u/root[i])
		}
	}
	return values, z, true
}
