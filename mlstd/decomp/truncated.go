package decomp

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// TruncatedSVD projects rows onto the right singular vectors of x. It does not center x, so x stays
// sparse. For word counts it is latent semantic analysis.
//
//	X ≈ U·diag(s)·Vᵀ with Components values,  z = Vᵀx
//
// A random subspace is multiplied by X and Xᵀ MaxIter times, which rotates it toward the leading
// singular vectors. Close singular values take more steps.
//
// Cost: O(entries·k) per step, O((n + d)·k²).
//
// References: [HalkoMartinssonTropp2011], [Deerwester1990].
// Course: DEC-05, DEC-09.
type TruncatedSVD struct {
	// Components is the number of singular vectors; 0 means 2. More vectors keep more of the
	// matrix.
	Components int
	// MaxIter is the number of steps; 0 means 7. More steps make the vectors more
	// exact.
	MaxIter int
	// Seed is the seed of the first subspace.
	Seed uint64

	Singular []float64  // set by Fit: falling
	Axes     *mat.Dense // set by Fit: the right singular vectors, one per row
	Variance []float64  // set by Fit: of the components of the training rows
	Ratio    []float64  // set by Fit: its fraction of the variance of x

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*TruncatedSVD)(nil)

// Fit finds the largest singular vectors of x, a *sparse.CSR or any other matrix.
func (t *TruncatedSVD) Fit(x mat.Matrix) error {
	const op = "TruncatedSVD.Fit"
	model.NoteX(&t.Fitted, x)
	t.Singular, t.Axes, t.Variance, t.Ratio = nil, nil, nil, nil
	steps, err := model.Iterations(op, "MaxIter", t.MaxIter, 7)
	if err != nil {
		return err
	}
	var n int
	if x != nil {
		n, _ = x.Dims()
	}
	m, err := rows.Check(op, x, n)
	if err != nil {
		return err
	}
	k, err := components(op, t.Components, 2, min(m.N, m.Width))
	if err != nil {
		return err
	}
	var a operator
	if m.Sparse != nil {
		a = newSparse(m.Sparse)
	} else {
		a = newDense(m.Dense)
	}
	u, s, v, ok := randomized(a, k, steps, t.Seed)
	if !ok {
		return notDecomposed(op)
	}
	t.Singular, t.Axes = s, transposed(v)
	whole := floats.Sum(variances(&m))
	t.Variance, t.Ratio = make([]float64, k), make([]float64, k)
	for j := range k {
		sum, squares := 0.0, 0.0
		for i := range m.N {
			z := u.At(i, j) * s[j]
			sum, squares = sum+z, squares+z*z
		}
		mean := sum / float64(m.N)
		t.Variance[j] = max(0, squares/float64(m.N)-mean*mean)
		if whole > 0 {
			t.Ratio[j] = t.Variance[j] / whole
		}
	}
	return nil
}

// variances returns the (population) variance of each column.
func variances(m *rows.Matrix) []float64 {
	sum, out := make([]float64, m.Width), make([]float64, m.Width)
	for i := range m.N {
		m.Each(i, func(j int, v float64) { sum[j] += v; out[j] += v * v })
	}
	for j := range out {
		mean := sum[j] / float64(m.N)
		out[j] = max(0, out[j]/float64(m.N)-mean*mean)
	}
	return out
}

// Transform returns the components of each row, one per column: sv1, sv2 ...
func (t *TruncatedSVD) Transform(x mat.Matrix) *model.Table {
	const op = "TruncatedSVD.Transform"
	x = model.MustRead(op, &t.Fitted, x)
	if t.Axes == nil {
		panic(model.NotFitted(op))
	}
	_, cols := t.Axes.Dims()
	if x != nil { // a sparse matrix may be wider elsewhere, not here
		if _, c := x.Dims(); c != cols {
			panic(model.Errorf(op, "x must have %d columns, as in Fit, got %d", cols, c))
		}
	}
	m := rows.Must(op, x, cols)
	var z *mat.Dense
	if m.Sparse != nil {
		z = sparseTimes(m.Sparse, transposed(t.Axes))
	} else {
		z = timesT(m.Dense, t.Axes)
	}
	return model.Named(x, z, columns("sv", len(t.Singular)))
}

// Inverse returns the rows that lie in the span of the singular vectors and have the components z.
func (t *TruncatedSVD) Inverse(z mat.Matrix) *mat.Dense {
	const op = "TruncatedSVD.Inverse"
	if t.Axes == nil {
		panic(model.NotFitted(op))
	}
	return times(model.MustRows(op, z, len(t.Singular)), t.Axes)
}
