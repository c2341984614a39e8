package decomp

import (
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// FeatureHasher maps any number of features to few columns: a hash of a feature's name determines
// its column.
//
//	φᵢ(x) = Σ_{j: h(j)=i} ξ(j)·xⱼ,  E[φ(x)·φ(z)] = x·z
//
// h maps features, not rows, to columns, and a second hash ξ determines each feature's sign, so
// that the errors that collisions cause in inner products have mean 0. Nothing has to be learned or
// kept: features that appear later are hashed in the same way. The features of a column cannot be
// recovered. The variance of an inner product is at most (‖x‖²‖z‖² + (x·z)²)/Columns.
//
// Both hashes are MurmurHash3 of the name.
//
// Cost: O(1) per feature.
//
// References: [Weinberger2009].
// Course: DEC-11.
type FeatureHasher struct {
	// Columns is the number of columns; 0 means 1024. With more columns, fewer features share a
	// column.
	Columns int
	// NoSign omits the signs: collisions then bias inner products upward.
	NoSign bool
	// Seed selects one of many hash functions.
	Seed uint64

	Width int // set by Fit: the number of columns of x

	at   []int     // the output column of each column of x; set by Fit
	sign []float64 // their signs; set by Fit

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*FeatureHasher)(nil)

func (h *FeatureHasher) size(op string) (int, error) {
	return model.Iterations(op, "Columns", h.Columns, 1024)
}

// Fit hashes the names of the columns of x.
func (h *FeatureHasher) Fit(x mat.Matrix) error {
	const op = "FeatureHasher.Fit"
	model.NoteX(&h.Fitted, x)
	h.Width, h.at, h.sign = 0, nil, nil
	size, err := h.size(op)
	if err != nil {
		return err
	}
	if _, err := model.CheckX(op, x); err != nil {
		return err
	}
	names := model.ColumnsOf(x)
	h.Width, h.at, h.sign = len(names), make([]int, len(names)), make([]float64, len(names))
	for j, c := range names {
		h.at[j], h.sign[j] = h.place(c.Name, size)
	}
	return nil
}

// place returns the column of a feature and its sign.
func (h *FeatureHasher) place(name string, size int) (int, float64) {
	v := int64(int32(murmur3([]byte(name), uint32(h.Seed))))
	sign := 1.0
	if v < 0 {
		v = -v
		if !h.NoSign {
			sign = -1
		}
	}
	return int(v % int64(size)), sign
}

// Transform returns the rows in hashed columns.
func (h *FeatureHasher) Transform(x mat.Matrix) *model.Table {
	const op = "FeatureHasher.Transform"
	x = model.MustRead(op, &h.Fitted, x)
	if h.at == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, h.Width)
	size, err := h.size(op)
	if err != nil {
		panic(err)
	}
	n, _ := d.Dims()
	out := mat.NewDense(n, size, nil)
	par.Range(n, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := out.RawRowView(i)
			for j, v := range d.RawRowView(i) {
				to[h.at[j]] += h.sign[j] * v
			}
		}
	})
	return model.Named(x, out, columns("hash", size))
}

// Words returns the hashed counts of the words of each text as a sparse matrix. It needs no Fit.
func (h *FeatureHasher) Words(texts [][]string) (*sparse.CSR, error) {
	size, err := h.size("FeatureHasher.Words")
	if err != nil {
		return nil, err
	}
	out := sparse.NewCSR(size)
	for _, words := range texts {
		at, v := make([]int, len(words)), make([]float64, len(words))
		for i, w := range words {
			at[i], v[i] = h.place(w, size)
		}
		out.AppendRow(at, v)
	}
	return out, nil
}

// HashIndex returns the column of feature j under h(j) = (a·j + b) mod m, which spreads indices
// well when m is prime and a is not a multiple of m. If a and b are drawn at random below a prime
// m, the columns of two features with indices below m are independent. Features whose indices are
// equal modulo m always share a column.
//
// Course: DEC-11.
func HashIndex(a, b, m, j int) int {
	if m < 1 {
		panic(model.Errorf("HashIndex", "m must be at least 1, got %d", m))
	}
	return ((a%m)*(j%m)%m + b%m + 2*m) % m
}

// murmur3 is the 32-bit MurmurHash3.
func murmur3(data []byte, seed uint32) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h, n := seed, uint32(len(data))
	mix := func(k uint32) uint32 { return bits.RotateLeft32(k*c1, 15) * c2 }
	for ; len(data) >= 4; data = data[4:] {
		k := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		h = bits.RotateLeft32(h^mix(k), 13)*5 + 0xe6546b64
	}
	if len(data) > 0 {
		k := uint32(0)
		for i := len(data) - 1; i >= 0; i-- {
			k = k<<8 | uint32(data[i])
		}
		h ^= mix(k)
	}
	h ^= n
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
