package manifold

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// LLE is locally linear embedding. To unroll a curved surface on which the rows lie, it preserves
// the weights that reconstruct each row from its neighbors.
//
//		min over w of Σᵢ ‖xᵢ − Σⱼ wᵢⱼxⱼ‖²,  Σⱼ wᵢⱼ = 1, over the neighbors j of i
//		min over y of Σᵢ ‖yᵢ − Σⱼ wᵢⱼyⱼ‖² = tr(YᵀMY),  M = (I − W)ᵀ(I − W),  YᵀY = I, Yᵀ1 = 0
//
//	 1. wᵢ ← (G + Lambda·tr(G)·I)⁻¹·1, divided by its sum, where G holds the inner products of
//	    xⱼ − xᵢ.
//	 2. y ← the eigenvectors of M with the least eigenvalues, except the constant vector, whose
//	    eigenvalue is 0.
//
// ModifiedLLE uses several independent weight vectors for each row instead of one, which avoids
// distortion if a single vector is poorly determined. HessianLLE uses the curvature of functions on
// the surface, estimated in its tangent planes, and unrolls a strip without bending it. For both
// methods, M is the sum over rows of WᵢWᵢᵀ for these weights. Both methods need more Neighbors than
// Components; HessianLLE needs more than Components·(Components+3)/2.
//
// The point of a new row is the mean of its neighbors' points, with the weights of step 1.
//
// If the graph of neighbors has several components (Parts), equally many eigenvalues are 0, and the
// points show only the component of each row. Increase Neighbors in this case.
//
// Cost: O(n·m³) for m neighbors, O(n³); O(n²) memory. For more than 8000 rows, Fit returns an
// error.
//
// References: [RoweisSaul2000], [ZhangWang2007], [DonohoGrimes2003].
// Course: DEC-01.
type LLE struct {
	model.Control

	// Components is the number of dimensions; 0 means 2.
	Components int
	// Neighbors is the number of neighbors of a row; 0 means 5.
	Neighbors int
	// Lambda is added to the diagonal of G, as a fraction of its trace; 0 means 1e-3.
	Lambda float64
	// Method determines which property of the neighborhoods is preserved. The default is
	// StandardLLE.
	Method LLEMethod `snapshot:"added"`

	Embedding   *mat.Dense // set by Fit: the points of the training rows
	Eigenvalues []float64  // set by Fit: of the columns of Embedding, ascending
	Parts       int        // set by Fit: of the graph of neighbors

	index *neighbors.NeighborIndex
	rows  *mat.Dense
	near  int
	share float64

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*LLE)(nil)

func (m *LLE) reset() {
	m.Embedding, m.Eigenvalues, m.Parts = nil, nil, 0
	m.index, m.rows, m.near, m.share = nil, nil, 0, 0
}

// Fit computes a point for each row of x.
func (m *LLE) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	const op, most = "LLE.Fit", 8000
	m.reset()
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	if n > most {
		return model.Errorf(op, "x must have at most %d rows, got %d", most, n).WithHint("fit a sample, then Transform the rest")
	}
	near, k, err := checkNeighborhood(op, m.Neighbors, m.Components, n)
	if err != nil {
		return err
	}
	if k == n {
		return model.Errorf(op, "Components must be at least 1 and below %d (the number of rows), got %d", n, k)
	}
	share := model.Or(m.Lambda, 1e-3)
	if !(share >= 0) || math.IsInf(share, 1) {
		return model.Errorf(op, "Lambda must not be negative, got %v", m.Lambda)
	}
	if err := m.Method.check(op, near, k); err != nil {
		return err
	}
	run := m.Begin("LLE", 0)
	defer run.End()
	g, err := newGraph(d, near)
	if err != nil {
		return err
	}
	a, err := m.Method.matrix(op, d, g.near, near, k, share)
	if err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	values, vectors, ok := least(a, n, k)
	if !ok {
		return model.Errorf(op, "the eigenvalues could not be computed").WithHint("set a larger Lambda or more Neighbors")
	}
	index := new(neighbors.NeighborIndex)
	if err := index.Learn(d); err != nil {
		return err
	}
	m.Embedding = mat.NewDense(n, k, nil)
	for c, v := range vectors {
		floats.Scale(math.Copysign(1, largest(v)), v)
		m.Embedding.SetCol(c, v)
	}
	m.Eigenvalues, m.Parts = values, len(g.parts())
	m.index, m.rows, m.near, m.share = index, mat.DenseCopyOf(d), near, share
	return nil
}

// barycenter writes the weights for which the weighted mean of the given rows is nearest to x.
func barycenter(w, x []float64, d *mat.Dense, rows []int32, share float64) {
	k := len(rows)
	gaps := make([]float64, k*len(x))
	for a, r := range rows {
		floats.SubTo(gaps[a*len(x):(a+1)*len(x)], d.RawRowView(int(r)), x)
	}
	g, trace := make([]float64, k*k), 0.0
	for a := range k {
		for b := range a + 1 {
			v := floats.Dot(gaps[a*len(x):(a+1)*len(x)], gaps[b*len(x):(b+1)*len(x)])
			g[a*k+b], g[b*k+a] = v, v
		}
		trace += g[a*k+a]
	}
	ridge := share * trace
	if trace == 0 {
		ridge = 1 // all are where x is: equal weights
	}
	for a := range k {
		g[a*k+a] += ridge
		w[a] = 1
	}
	if !linalg.Cholesky(g, k) { // Lambda is 0, and some rows are combinations of others
		for a := range k {
			w[a] = 1 / float64(k)
		}
		return
	}
	linalg.SolveCholesky(g, w)
	floats.Scale(1/floats.Sum(w), w)
}

// least returns the k smallest eigenvalues of M, without the eigenvalue of the vector 1, in
// ascending order, and their eigenvectors. It computes the largest of (M + tr(M)·11ᵀ/n + ε·I)⁻¹,
// which are well separated. It overwrites M.
func least(a []float64, n, k int) (values []float64, vectors [][]float64, ok bool) {
	trace := 0.0
	for i := range n {
		trace += a[i*n+i]
	}
	tiny := 1e-13 * trace
	for i := range n {
		for j := range n {
			a[i*n+j] += trace / float64(n)
		}
		a[i*n+i] += tiny
	}
	if !linalg.Cholesky(a, n) {
		return nil, nil, false
	}
	values, vectors, ok = linalg.Lanczos(func(vs []float64) []float64 { return solved(a, vs, n) }, n, k)
	if !ok { // few rows
		inverse := make([]float64, n*n)
		for i := range n {
			inverse[i*n+i] = 1
		}
		values, vectors, ok = linalg.Eigen(solved(a, inverse, n), n, k)
	}
	for c, v := range values {
		values[c] = max(0, 1/v-tiny)
	}
	return values, vectors, ok
}

// solved returns (L·Lᵀ)⁻¹·v for each row v of vs.
func solved(l, vs []float64, n int) []float64 {
	out := append([]float64(nil), vs...)
	par.Range(len(vs)/n, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			linalg.SolveCholesky(l, out[i*n:(i+1)*n])
		}
	})
	return out
}

// Transform returns a point for each row, as columns lle1, lle2 ...
func (m *LLE) Transform(x mat.Matrix) *model.Table {
	const op = "LLE.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	_, cols := m.rows.Dims()
	d := model.MustRows(op, x, cols)
	rows, _ := m.index.Nearest(d, m.near)
	_, k := m.Embedding.Dims()
	out := mat.NewDense(len(rows), k, nil)
	par.Range(len(rows), 16, func(lo, hi int) {
		w, near := make([]float64, m.near), make([]int32, m.near)
		for i := lo; i < hi; i++ {
			for e, r := range rows[i] {
				near[e] = int32(r)
			}
			barycenter(w, d.RawRowView(i), m.rows, near, m.share)
			for e, r := range near {
				floats.AddScaled(out.RawRowView(i), w[e], m.Embedding.RawRowView(int(r)))
			}
		}
	})
	return embedded(x, out, "lle")
}
