package decomp

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Factors are the singular value decomposition of an m x n matrix of rank r,
//
//	A = U·diag(S)·Vᵀ
//
// with orthonormal columns in U (m x min(m,n)) and V (n x min(m,n)).
type Factors struct {
	U *mat.Dense // the left singular vectors, one per column
	S []float64  // the singular values, descending, none negative
	V *mat.Dense // the right singular vectors, one per column
}

// SVD returns the singular value decomposition of a. In each right singular vector, the entry with
// the largest absolute value is positive.
//
// The entries of S are the singular values; the number of nonzero singular values is the rank of A,
// the largest number of linearly independent rows. The eigenvalues of AᵀA are the squares of S, and
// its eigenvectors are the columns of V.
//
// Cost: O(m·n·min(m, n)).
//
// References: [GolubVanLoan2013].
// Course: DEC-03.
func SVD(a mat.Matrix) (*Factors, error) {
	const op = "SVD"
	d, err := model.CheckX(op, a)
	if err != nil {
		return nil, err
	}
	u, s, v, ok := factored(d)
	if !ok {
		return nil, notDecomposed(op)
	}
	turn(u, v)
	return &Factors{u, s, v}, nil
}

// Rank returns the number of nonzero singular values. A value counts as nonzero if it is above the
// largest value times max(m, n) times the rounding unit.
//
// Course: DEC-04.
func (f *Factors) Rank() int {
	m, _ := f.U.Dims()
	n, _ := f.V.Dims()
	rank := 0
	for _, s := range f.S {
		if s > f.S[0]*float64(max(m, n))*0x1p-52 {
			rank++
		}
	}
	return rank
}

// Keep returns the k largest singular values and their vectors. If k is the rank, the result is the
// rank factorization: U is m x k, S has k values, V is n x k, and nothing is lost.
//
// Course: DEC-04, DEC-05.
func (f *Factors) Keep(k int) *Factors {
	if k < 1 || k > len(f.S) {
		panic(model.Errorf("Factors.Keep", "k must be between 1 and %d, got %d", len(f.S), k))
	}
	return &Factors{first(f.U, k), f.S[:k:k], first(f.V, k)}
}

// Matrix returns the product of the factors.
func (f *Factors) Matrix() *mat.Dense {
	us := mat.DenseCopyOf(f.U)
	n, _ := us.Dims()
	for i := range n {
		floats.Mul(us.RawRowView(i), f.S)
	}
	return timesT(us, f.V)
}

// LowRankMatrix is a low-rank approximation of a matrix.
type LowRankMatrix struct {
	K     int
	A     *mat.Dense // Aₖ = Σ σⱼ·uⱼ·vⱼᵀ of the K largest singular values
	Error float64    // ‖A − Aₖ‖, the root of the sum of the squares of the dropped values
	Share float64    // the fraction of ‖A‖² that is kept
	// Numbers is the number of values in the factors: K·(m + n + 1).
	Numbers int
}

// LowRank returns the matrix of rank k that is nearest to a, both in the Frobenius norm and in the
// spectral norm. It drops the smallest singular values.
//
//	‖A − Aₖ‖² = Σ_{j>k} σⱼ²
//
// Cost: the same as [SVD].
//
// References: [EckartYoung1936].
// Course: DEC-05.
func LowRank(a mat.Matrix, k int) (*LowRankMatrix, error) {
	f, err := SVD(a)
	if err != nil {
		return nil, err
	}
	if k < 1 || k > len(f.S) {
		return nil, model.Errorf("LowRank", "k must be between 1 and %d, got %d", len(f.S), k)
	}
	dropped, total := 0.0, 0.0
	for j, s := range f.S {
		total += s * s
		if j >= k {
			dropped += s * s
		}
	}
	share := 1.0
	if total > 0 {
		share = 1 - dropped/total
	}
	m, n := a.Dims()
	return &LowRankMatrix{K: k, A: f.Keep(k).Matrix(), Error: math.Sqrt(dropped), Share: share, Numbers: k * (m + n + 1)}, nil
}

// Rank returns the largest number of rows of a, and of columns, that are linearly
// independent.
//
// Course: DEC-04.
func Rank(a mat.Matrix) (int, error) {
	f, err := SVD(a)
	if err != nil {
		return 0, err
	}
	return f.Rank(), nil
}
