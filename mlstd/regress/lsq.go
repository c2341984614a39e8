package regress

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// solved is the solution of a weighted least squares problem.
type solved struct {
	beta      []float64
	v         *mat.SymDense // (XᵀWX)⁻¹
	condition float64       // condition number of X with columns of length 1
	effects   []float64     // Qᵀ√W·y, in the order of the columns
	constant  bool          // the columns span a constant
}

// least is the threshold below which a column counts as dependent on the columns before it: the
// length of its component orthogonal to them, relative to its own length.
const least = 1e-9

// solve minimizes Σwᵢ(yᵢ − xᵢβ)² by the QR decomposition. names is used in the message about a
// column that depends on others.
func solve(op string, x *mat.Dense, y, w []float64, names []string) (*solved, error) {
	n, p := x.Dims()
	if n < p {
		return nil, model.Errorf(op, "there must be at least as many rows as coefficients, got %d and %d", n, p).WithHint("use fewer terms, or pass more rows")
	}
	z, size := mat.NewDense(n, p, nil), make([]float64, p)
	z.Copy(x)
	right, ones := make([]float64, n), make([]float64, n)
	for i := range n {
		r := 1.0
		if w != nil {
			r = math.Sqrt(w[i])
			floats.Scale(r, z.RawRowView(i))
		}
		right[i], ones[i] = r*y[i], r
		for j, v := range z.RawRowView(i) {
			size[j] = math.Hypot(size[j], v)
		}
	}
	for j, s := range size {
		if s == 0 {
			return nil, model.Errorf(op, "column %s must not be 0 in every row", names[j]).WithHint("remove its term from the formula")
		}
	}
	for i := range n {
		floats.Div(z.RawRowView(i), size)
	}
	var qr mat.QR
	qr.Factorize(z)
	var r mat.Dense
	qr.RTo(&r)
	for j := range p {
		if math.Abs(r.At(j, j)) < least {
			return nil, model.Errorf(op, "column %s must not depend linearly on the columns before it", names[j]).
				WithHint("remove its term from the formula")
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(r.Slice(0, p, 0, p)); err != nil && math.IsInf(mat.Cond(r.Slice(0, p, 0, p), 1), 1) {
		return nil, model.Errorf(op, "the columns must be linearly independent").WithHint("remove terms from the formula")
	}
	s := &solved{v: mat.NewSymDense(p, nil), beta: make([]float64, p)}
	s.v.SymOuterK(1, &inverse)
	for i := range p {
		for j := i; j < p; j++ {
			s.v.SetSym(i, j, s.v.At(i, j)/size[i]/size[j])
		}
	}
	var sol mat.VecDense
	_ = qr.SolveVecTo(&sol, false, mat.NewVecDense(n, right)) // ill conditioned columns have passed the check above
	for j := range p {
		s.beta[j] = sol.AtVec(j) / size[j]
	}
	// The effects solve Rᵀe = Zᵀy.
	s.effects = project(&r, z, right)
	inner := project(&r, z, ones)
	s.constant = math.Abs(floats.Dot(ones, ones)-floats.Dot(inner, inner)) < 1e-9*floats.Dot(ones, ones)
	var svd mat.SVD
	if svd.Factorize(r.Slice(0, p, 0, p), mat.SVDNone) {
		v := svd.Values(nil)
		s.condition = v[0] / v[p-1]
	}
	return s, nil
}

// project returns the coordinates of v along the orthonormal columns of Q, where Z = QR.
func project(r *mat.Dense, z *mat.Dense, v []float64) []float64 {
	_, p := z.Dims()
	out := make([]float64, p)
	right := mat.NewVecDense(p, out)
	right.MulVec(z.T(), mat.NewVecDense(len(v), v))
	for j := range p { // forward substitution in Rᵀ
		s := out[j]
		for k := range j {
			s -= r.At(k, j) * out[k]
		}
		out[j] = s / r.At(j, j)
	}
	return out
}
