package decomp

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// JohnsonLindenstrauss returns the number of dimensions to which n rows can be randomly projected
// so that, with high probability, no distance changes by more than the fraction epsilon:
//
//	k ≥ 4·ln n/(ε²/2 − ε³/3)
//
// It does not depend on the number of columns. epsilon is between 0 and 1.
//
// References: [JohnsonLindenstrauss1984], [DasguptaGupta2003].
func JohnsonLindenstrauss(n int, epsilon float64) int {
	const op = "JohnsonLindenstrauss"
	if n < 1 {
		panic(model.Errorf(op, "n must be at least 1, got %d", n))
	}
	if !(epsilon > 0 && epsilon < 1) {
		panic(model.Errorf(op, "epsilon must be between 0 and 1, got %v", epsilon))
	}
	return int(4 * math.Log(float64(n)) / (epsilon*epsilon/2 - epsilon*epsilon*epsilon/3))
}

// RandomProjection multiplies rows by a random matrix. This approximately preserves the distances
// between rows, because random directions are nearly orthogonal in high dimensions.
//
//	z = P·x,  Pᵢⱼ ~ N(0, 1/k), or ±√(1/(s·k)) with probability s/2 each, otherwise 0
//
//	E‖P·x‖² = ‖x‖²,  and within 1 ± ε for all pairs of n rows when k ≥ JohnsonLindenstrauss(n, ε)
//
// Fit uses only the shape of x. The sparse kind, with s = 1/√d, needs only the fraction s of the
// work. A projection does not help if the rows have fewer columns than the projection; use [PCA] to
// find structure.
//
// Cost: O(entries·k), times s when sparse.
//
// References: [JohnsonLindenstrauss1984], [Achlioptas2003], [LiHastieChurch2006].
// Course: DEC-05.
type RandomProjection struct {
	// Components is the number of dimensions; 0 means the result of JohnsonLindenstrauss for the
	// rows and Epsilon, or the number of columns if it is smaller. More dimensions preserve
	// distances more exactly.
	Components int
	// Epsilon is the largest fraction by which a squared distance may change when
	// Components is 0; 0 means 0.1. A larger Epsilon needs fewer columns.
	Epsilon float64
	// Sparse leaves most entries of the matrix 0.
	Sparse bool
	// Density is the fraction s of nonzero entries if Sparse is set; 0 means 1/√d. A smaller
	// fraction is faster.
	Density float64
	// Seed is the seed of the matrix.
	Seed uint64

	Axes       *mat.Dense  // set by Fit unless Sparse: P, one dimension per row
	SparseAxes *sparse.CSR // set by Fit when Sparse: Pᵀ, one column of x per row

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*RandomProjection)(nil)

// Fit draws a matrix for rows with as many columns as x; x is a *sparse.CSR or any other matrix.
func (p *RandomProjection) Fit(x mat.Matrix) error {
	const op = "RandomProjection.Fit"
	model.NoteX(&p.Fitted, x)
	p.Axes, p.SparseAxes = nil, nil
	var n int
	if x != nil {
		n, _ = x.Dims()
	}
	m, err := rows.Check(op, x, n)
	if err != nil {
		return err
	}
	epsilon := p.Epsilon
	if epsilon == 0 {
		epsilon = 0.1
	}
	if !(epsilon > 0 && epsilon < 1) {
		return model.Errorf(op, "Epsilon must be between 0 and 1, got %v", p.Epsilon)
	}
	k := p.Components
	if k == 0 {
		k = max(1, min(m.Width, JohnsonLindenstrauss(m.N, epsilon)))
	}
	if k < 1 {
		return model.Errorf(op, "Components must be at least 1, got %d", p.Components)
	}
	if !p.Sparse {
		p.Axes = mat.NewDense(k, m.Width, nil)
		rng, scale := model.Rand(p.Seed, 0), 1/math.Sqrt(float64(k))
		data := p.Axes.RawMatrix().Data
		for i := range data {
			data[i] = scale * rng.NormFloat64()
		}
		return nil
	}
	density := p.Density
	if density == 0 {
		density = 1 / math.Sqrt(float64(m.Width))
	}
	if !(density > 0 && density <= 1) {
		return model.Errorf(op, "Density must be above 0 and at most 1, got %v", p.Density)
	}
	p.drawSparse(k, m.Width, density)
	return nil
}

// drawSparse draws the entries by the gaps between them.
func (p *RandomProjection) drawSparse(k, width int, density float64) {
	rng, size := model.Rand(p.Seed, 0), math.Sqrt(1/(density*float64(k)))
	p.SparseAxes = sparse.NewCSR(k)
	columns, values := make([]int, 0, k), make([]float64, 0, k)
	for range width {
		columns, values = columns[:0], values[:0]
		for j := 0; ; j++ {
			if density < 1 {
				gap := math.Log(1-rng.Float64()) / math.Log1p(-density)
				if gap >= float64(k-j) {
					break
				}
				j += int(gap)
			}
			if j >= k {
				break
			}
			v := size
			if rng.Uint64()&1 == 0 {
				v = -size
			}
			columns, values = append(columns, j), append(values, v)
		}
		p.SparseAxes.AppendRow(columns, values)
	}
}

// Transform returns the projection of each row, one dimension per column: rp1, rp2 ...
func (p *RandomProjection) Transform(x mat.Matrix) *model.Table {
	const op = "RandomProjection.Transform"
	x = model.MustRead(op, &p.Fitted, x)
	if p.Axes == nil && p.SparseAxes == nil {
		panic(model.NotFitted(op))
	}
	var width, k int
	if p.Axes != nil {
		k, width = p.Axes.Dims()
	} else {
		width, k = p.SparseAxes.Dims()
	}
	if x != nil { // a sparse matrix may be wider elsewhere, not here
		if _, c := x.Dims(); c != width {
			panic(model.Errorf(op, "x must have %d columns, as in Fit, got %d", width, c))
		}
	}
	m := rows.Must(op, x, width)
	var z *mat.Dense
	switch {
	case p.Axes == nil:
		z = timesSparse(&m, p.SparseAxes)
	case m.Sparse != nil:
		z = sparseTimes(m.Sparse, transposed(p.Axes))
	default:
		z = timesT(m.Dense, p.Axes)
	}
	return model.Named(x, z, columns("rp", k))
}
