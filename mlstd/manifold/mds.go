package manifold

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Scaling is the measure that [MDS] minimizes.
type Scaling int

const (
	ClassicalMDS Scaling = iota // the error of inner products, by eigenvectors
	MetricMDS                   // the error of distances
	NonMetricMDS                // the error up to a monotone transformation of the distances
)

// MDS is multidimensional scaling: it finds points in a few dimensions whose distances approximate
// the distances of the rows.
//
//	classical:   B = −½·J·D²·J,  J = I − 11ᵀ/n,  y = (√λ₁·u₁, …, √λ_k·u_k)
//	metric:      min over y of Σ_{i<j} (δᵢⱼ − ‖yᵢ − yⱼ‖)²
//	non-metric:  the same with δ̂ = f(δ) for the best rising f, and Σ δ̂² = n(n−1)/2
//
// For metric and non-metric scaling, SMACOF starts from the classical points. For Euclidean
// distances, these are the points of [decomp.PCA]:
//
//  1. δ̂ ← δ, or the isotonic regression of the distances of the points on δ.
//  2. yᵢ ← Σⱼ δ̂ᵢⱼ/‖yᵢ − yⱼ‖·(yᵢ − yⱼ)/n, which never raises the stress.
//
// Stress is Kruskal's √(Σ(δ̂ − ‖yᵢ − yⱼ‖)²/Σ‖yᵢ − yⱼ‖²): 0.2 is poor, and 0.05 is good.
//
// Cost: O(n²·d), and O(n²·k) per step of SMACOF or several Lanczos steps; O(n²) memory. For more
// than 15,000 rows, Fit returns an error.
//
// References: [Torgerson1952], [Kruskal1964], [DeLeeuw1977].
// Course: DEC-01.
type MDS struct {
	model.Control

	// Components is the number of dimensions; 0 means 2.
	Components int
	// Scaling determines the measure that is minimized. The default is ClassicalMDS.
	Scaling Scaling
	// Distances means that x is the square matrix of distances.
	Distances bool
	// InitEmbedding, if set, holds the initial points of SMACOF, one per row.
	InitEmbedding *mat.Dense
	// MaxIter is the maximum number of steps of SMACOF; 0 means 300.
	MaxIter int
	// Tol is the decrease of the squared stress below which SMACOF stops; 0 means 1e-6.
	Tol float64

	Embedding *mat.Dense // set by Fit: one point per row
	// Eigenvalues are the k largest eigenvalues of B, from classical scaling; set by Fit unless
	// there is an InitEmbedding. Negative eigenvalues mean that no set of points has these
	// distances.
	Eigenvalues []float64
	Stress      float64     // set by Fit
	Trace       model.Trace // set by Fit; Loss is the stress
}

var _ model.Embedder = (*MDS)(nil)

// FitTransform fits the model and returns the points as columns mds1, mds2 ...
func (m *MDS) FitTransform(x mat.Matrix) (*model.Table, error) {
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return embedded(x, m.Embedding, "mds"), nil
}

func (m *MDS) reset() {
	m.Embedding, m.Eigenvalues, m.Stress, m.Trace = nil, nil, 0, model.Trace{}
}

// Fit computes a point for each row of x.
func (m *MDS) Fit(x mat.Matrix) error {
	const op = "MDS.Fit"
	m.reset()
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	k := m.Components
	if k == 0 {
		k = min(2, n)
	}
	if k < 1 || k > n {
		return model.Errorf(op, "Components must be between 1 and %d, got %d", n, m.Components)
	}
	if m.Scaling < ClassicalMDS || m.Scaling > NonMetricMDS {
		return model.Errorf(op, "Scaling must be one of the constants of ml.Scaling, got %d", m.Scaling)
	}
	most, err := model.Iterations(op, "MaxIter", m.MaxIter, 300)
	if err != nil {
		return err
	}
	delta, err := m.distances(op, d)
	if err != nil {
		return err
	}
	run := m.Begin("MDS", most)
	defer run.End()
	y, values, err := m.start(op, delta, n, k)
	if err != nil {
		return err
	}
	var trace model.Trace
	s := newStress(delta, y, n, k, m.Scaling == NonMetricMDS)
	if m.Scaling == ClassicalMDS {
		if err := run.Step(1, s.measure()); err != nil {
			return err
		}
	} else if trace, err = s.descend(run, most, model.Or(m.Tol, 1e-6)); err != nil {
		return err
	}
	m.Embedding, m.Eigenvalues, m.Stress, m.Trace = mat.NewDense(n, k, s.y), values, s.measure(), trace
	return nil
}

// distances returns the distances of the rows, n x n.
func (m *MDS) distances(op string, d *mat.Dense) ([]float64, error) {
	n, cols := d.Dims()
	if n > mostRows {
		return nil, tooMany(op, n)
	}
	out := make([]float64, n*n)
	if !m.Distances {
		par.Range(n, 32, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for j := range n {
					out[i*n+j] = math.Sqrt(squared(d.RawRowView(i), d.RawRowView(j)))
				}
			}
		})
		return out, nil
	}
	if n != cols {
		return nil, model.Errorf(op, "the distances must be a square matrix, got %dx%d", n, cols)
	}
	for i := range n {
		for j := range n {
			v := d.At(i, j)
			if v < 0 || math.Abs(v-d.At(j, i)) > 1e-9*max(1, v) || i == j && v != 0 {
				return nil, model.Errorf(op, "the distances must be symmetric, not negative, and 0 on the diagonal, got [%[1]d][%[2]d] = %[3]v and [%[2]d][%[1]d] = %[4]v", i, j, v, d.At(j, i))
			}
			out[i*n+j] = v
		}
	}
	return out, nil
}

// start returns the first points in rows of k.
func (m *MDS) start(op string, delta []float64, n, k int) (y, values []float64, err error) {
	if m.InitEmbedding != nil && m.Scaling != ClassicalMDS {
		if r, c := m.InitEmbedding.Dims(); r != n || c != k {
			return nil, nil, model.Errorf(op, "InitEmbedding must be %dx%d, got %dx%d", n, k, r, c)
		}
		d, err := model.CheckX(op, m.InitEmbedding)
		if err != nil {
			return nil, nil, err
		}
		return mat.DenseCopyOf(d).RawMatrix().Data, nil, nil
	}
	b := append([]float64(nil), delta...)
	doubleCenter(b, n)
	values, vectors, ok := linalg.Eigen(b, n, k)
	if !ok {
		return nil, nil, model.Errorf(op, "the eigenvalues of the distances could not be computed").WithHint("scale the columns first")
	}
	return scaledVectors(values, vectors, n).RawMatrix().Data, values, nil
}

// doubleCenter replaces distances by −½·J·D²·J, and returns the row means that it subtracted, and
// their mean.
func doubleCenter(d []float64, n int) (means []float64, mean float64) {
	means = make([]float64, n)
	par.Range(n, 32, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := d[i*n : (i+1)*n]
			for j, v := range row {
				row[j] = -v * v / 2
				means[i] += row[j] / float64(n)
			}
		}
	})
	for _, v := range means {
		mean += v / float64(n)
	}
	par.Range(n, 32, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := d[i*n : (i+1)*n]
			for j := range row {
				row[j] += mean - means[i] - means[j]
			}
		}
	})
	return means, mean
}

// scaledVectors returns the rows of √λ·u, with the largest entry in absolute value of each column
// positive; columns with λ ≤ 0 are 0.
func scaledVectors(values []float64, vectors [][]float64, n int) *mat.Dense {
	out := mat.NewDense(n, len(values), nil)
	for c, u := range vectors {
		scale := math.Sqrt(max(0, values[c])) * math.Copysign(1, largest(u))
		for i, v := range u {
			out.Set(i, c, scale*v)
		}
	}
	return out
}

// largest returns the entry of v that is largest in absolute value, the first of nearly equal ones.
func largest(v []float64) float64 {
	most := 0.0
	for _, u := range v {
		if math.Abs(u) > math.Abs(most)*(1+1e-9) {
			most = u
		}
	}
	return most
}
