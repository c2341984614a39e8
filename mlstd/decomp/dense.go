package decomp

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// sumGrain is the number of rows that one goroutine adds up; the sums are added in the order of the
// rows, so that they do not depend on the number of processors.
const sumGrain = 2048

// summed adds up the size numbers that add computes over n rows.
func summed(n, size int, add func(out []float64, lo, hi int)) []float64 {
	parts := make([][]float64, (n+sumGrain-1)/sumGrain)
	par.Range(n, sumGrain, func(lo, hi int) {
		out := make([]float64, size)
		add(out, lo, hi)
		parts[lo/sumGrain] = out
	})
	for _, p := range parts[1:] {
		floats.Add(parts[0], p)
	}
	return parts[0]
}

// means returns the mean of each column, where a second pass corrects the rounding error of the
// first.
func means(d *mat.Dense) []float64 {
	n, cols := d.Dims()
	mean := make([]float64, cols)
	for range 2 {
		rest := summed(n, cols, func(out []float64, lo, hi int) {
			for i := lo; i < hi; i++ {
				for j, v := range d.RawRowView(i) {
					out[j] += v - mean[j]
				}
			}
		})
		floats.AddScaled(mean, 1/float64(n), rest)
	}
	return mean
}

// centered returns the rows of d without their mean.
func centered(d *mat.Dense, mean []float64) *mat.Dense {
	n, cols := d.Dims()
	out := mat.NewDense(n, cols, nil)
	par.Range(n, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			floats.SubTo(out.RawRowView(i), d.RawRowView(i), mean)
		}
	})
	return out
}

// gram returns aᵀ·a, symmetric, in rows of the columns of a.
func gram(a *mat.Dense) []float64 {
	n, cols := a.Dims()
	raw := a.RawMatrix()
	g := summed(n, cols*cols, func(out []float64, lo, hi int) {
		linalg.AddGram(out, cols, raw.Data[lo*raw.Stride:], hi-lo, cols, raw.Stride)
	})
	for i := range cols {
		for j := range i {
			g[i*cols+j] = g[j*cols+i]
		}
	}
	return g
}

// scatter returns the mean of the rows of d and Σ (xᵢ − x̄)(xᵢ − x̄)ᵀ in rows of the columns,
// without a copy of d. The products are computed about a preliminary mean, whose error is corrected
// at the end.
func scatter(d *mat.Dense) (mean, products []float64) {
	n, cols := d.Dims()
	const block = 128 // rows
	mean = summed(n, cols, func(out []float64, lo, hi int) {
		for i := lo; i < hi; i++ {
			floats.Add(out, d.RawRowView(i))
		}
	})
	floats.Scale(1/float64(n), mean)
	sums := summed(n, cols*(cols+1), func(out []float64, lo, hi int) {
		off, buf := out[cols*cols:], make([]float64, block*cols)
		for ; lo < hi; lo += block {
			rows := min(block, hi-lo)
			for r := range rows {
				row := buf[r*cols : (r+1)*cols]
				floats.SubTo(row, d.RawRowView(lo+r), mean)
				floats.Add(off, row)
			}
			linalg.AddGram(out, cols, buf, rows, cols, cols)
		}
	})
	products, off := sums[:cols*cols:cols*cols], sums[cols*cols:]
	for i := range cols {
		for j := i; j < cols; j++ {
			products[i*cols+j] -= off[i] * off[j] / float64(n)
			products[j*cols+i] = products[i*cols+j]
		}
	}
	floats.AddScaled(mean, 1/float64(n), off)
	return mean, products
}

// times returns a·b.
func times(a, b *mat.Dense) *mat.Dense {
	r, c := b.Dims()
	raw := b.RawMatrix()
	return timesPanels(a, linalg.PackColumns(raw.Data, r, c, raw.Stride), c)
}

// timesT returns a·bᵀ.
func timesT(a, b *mat.Dense) *mat.Dense {
	r, c := b.Dims()
	raw := b.RawMatrix()
	return timesPanels(a, linalg.Pack(raw.Data, r, c, raw.Stride), r)
}

// timesPanels returns the product of a with packed columns, cols of them.
func timesPanels(a *mat.Dense, b *linalg.Panels, cols int) *mat.Dense {
	n, _ := a.Dims()
	out := mat.NewDense(n, cols, nil)
	left, to := a.RawMatrix(), out.RawMatrix()
	linalg.AddProduct(to.Data, cols, left.Data, n, left.Stride, b)
	return out
}

// projected returns (d − mean)·aᵀ. It works on blocks of rows to avoid a copy of d.
func projected(d *mat.Dense, mean []float64, a *mat.Dense) *mat.Dense {
	const block = 48 // rows
	n, cols := d.Dims()
	k, _ := a.Dims()
	raw := a.RawMatrix()
	panels := linalg.Pack(raw.Data, k, cols, raw.Stride)
	out := mat.NewDense(n, k, nil)
	to := out.RawMatrix().Data
	par.Range(n, 16*block, func(lo, hi int) {
		buf := make([]float64, block*cols)
		for ; lo < hi; lo += block {
			rows := min(block, hi-lo)
			for r := range rows {
				floats.SubTo(buf[r*cols:(r+1)*cols], d.RawRowView(lo+r), mean)
			}
			linalg.AddProduct(to[lo*k:], k, buf, rows, cols, panels)
		}
	})
	return out
}

// transposed returns aᵀ with contiguous rows.
func transposed(a *mat.Dense) *mat.Dense { return mat.DenseCopyOf(a.T()) }

// tTimes returns aᵀ·b.
func tTimes(a, b *mat.Dense) *mat.Dense { return times(transposed(a), b) }

// factored returns the thin singular value decomposition a = U·diag(s)·Vᵀ.
func factored(a *mat.Dense) (u *mat.Dense, s []float64, v *mat.Dense, ok bool) {
	var f mat.SVD
	if !f.Factorize(a, mat.SVDThin) {
		return nil, nil, nil, false
	}
	u, v = new(mat.Dense), new(mat.Dense)
	f.UTo(u)
	f.VTo(v)
	return u, f.Values(nil), v, true
}

// turn flips signs so that the largest entry in absolute value of each column of v is positive, and
// flips the columns of u accordingly. u may be nil.
func turn(u, v *mat.Dense) {
	n, k := v.Dims()
	for j := range k {
		most := 0.0
		for i := range n {
			if a := v.At(i, j); math.Abs(a) > math.Abs(most)*(1+1e-9) {
				most = a
			}
		}
		if most >= 0 {
			continue
		}
		for _, m := range []*mat.Dense{u, v} {
			if m == nil {
				continue
			}
			r, _ := m.Dims()
			for i := range r {
				m.Set(i, j, -m.At(i, j))
			}
		}
	}
}

// first copies the first k columns of a.
func first(a *mat.Dense, k int) *mat.Dense {
	n, _ := a.Dims()
	return mat.DenseCopyOf(a.Slice(0, n, 0, k))
}

// orthonormal returns a matrix whose orthonormal columns span the columns of y. It applies the
// Cholesky factor of yᵀ·y twice, and uses reflections if yᵀ·y is not positive definite.
func orthonormal(y *mat.Dense) *mat.Dense {
	_, k := y.Dims()
	q := mat.DenseCopyOf(y)
	for range 2 {
		g := gram(q)
		trace := 0.0
		for i := range k {
			trace += g[i*k+i]
		}
		ok := linalg.Cholesky(g, k)
		for i := range k {
			// A pivot this small has no digits left.
			ok = ok && g[i*k+i]*g[i*k+i] > 1e-12*trace/float64(k)
		}
		if !ok {
			return reflected(y)
		}
		linalg.SolveLower(g, q.RawMatrix().Data, k)
	}
	return q
}

// reflected is orthonormal by Householder reflections.
func reflected(y *mat.Dense) *mat.Dense {
	n, k := y.Dims()
	q := mat.DenseCopyOf(y)
	k = min(n, k)
	tau, work := make([]float64, k), make([]float64, 1)
	lapack64.Geqrf(q.RawMatrix(), tau, work, -1)
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(q.RawMatrix(), tau, work, len(work))
	q = first(q, k)
	lapack64.Orgqr(q.RawMatrix(), tau, work[:1], -1)
	work = make([]float64, int(work[0]))
	lapack64.Orgqr(q.RawMatrix(), tau, work, len(work))
	return q
}

// operator is a matrix that is used only in products.
type operator interface {
	dims() (n, cols int)
	times(q *mat.Dense) *mat.Dense  // A·q
	tTimes(q *mat.Dense) *mat.Dense // Aᵀ·q
}

type denseOperator struct{ a, t *mat.Dense }

func newDense(a *mat.Dense) denseOperator { return denseOperator{a, transposed(a)} }

func (o denseOperator) dims() (int, int)               { return o.a.Dims() }
func (o denseOperator) times(q *mat.Dense) *mat.Dense  { return times(o.a, q) }
func (o denseOperator) tTimes(q *mat.Dense) *mat.Dense { return times(o.t, q) }

type sparseOperator struct{ a, t *sparse.CSR }

// newSparse also stores the transpose, so that both products run over rows.
func newSparse(a *sparse.CSR) sparseOperator {
	n, cols := a.Dims()
	count := make([]int, cols)
	for i := range n {
		columns, _ := a.Row(i)
		for _, j := range columns {
			count[j]++
		}
	}
	at, values := make([][]int, cols), make([][]float64, cols)
	for j, c := range count {
		at[j], values[j] = make([]int, 0, c), make([]float64, 0, c)
	}
	for i := range n {
		columns, vs := a.Row(i)
		for e, j := range columns {
			at[j], values[j] = append(at[j], i), append(values[j], vs[e])
		}
	}
	t := sparse.NewCSR(n)
	for j := range cols {
		t.AppendRow(at[j], values[j])
	}
	return sparseOperator{a, t}
}

func (o sparseOperator) dims() (int, int)               { return o.a.Dims() }
func (o sparseOperator) times(q *mat.Dense) *mat.Dense  { return sparseTimes(o.a, q) }
func (o sparseOperator) tTimes(q *mat.Dense) *mat.Dense { return sparseTimes(o.t, q) }

func sparseTimes(a *sparse.CSR, q *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	_, k := q.Dims()
	out := mat.NewDense(n, k, nil)
	par.Range(n, 128, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := out.RawRowView(i)
			columns, values := a.Row(i)
			for e, j := range columns {
				floats.AddScaled(to, values[e], q.RawRowView(int(j)))
			}
		}
	})
	return out
}

// timesSparse returns m·a for a sparse a.
func timesSparse(m *rows.Matrix, a *sparse.CSR) *mat.Dense {
	_, k := a.Dims()
	out := mat.NewDense(m.N, k, nil)
	par.Range(m.N, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := out.RawRowView(i)
			m.Each(i, func(j int, v float64) {
				columns, values := a.Row(j)
				for e, c := range columns {
					to[c] += v * values[e]
				}
			})
		}
	})
	return out
}

// randomized returns the k largest singular values of a, and their vectors, by randomized subspace
// iteration with the given number of products with a·aᵀ [HalkoMartinssonTropp2011].
func randomized(a operator, k, steps int, seed uint64) (u *mat.Dense, s []float64, v *mat.Dense, ok bool) {
	n, cols := a.dims()
	l := min(k+10, n, cols)
	rng := model.Rand(seed, 0)
	omega := mat.NewDense(cols, l, nil)
	data := omega.RawMatrix().Data
	for i := range data {
		data[i] = rng.NormFloat64()
	}
	q := orthonormal(a.times(omega))
	for range steps {
		q = orthonormal(a.times(orthonormal(a.tTimes(q))))
	}
	// With B = qᵀ·a, the small problem is B·Bᵀ = W·S²·Wᵀ through Bᵀ.
	w, s, v, ok := factored(transposed(a.tTimes(q)))
	if !ok {
		return nil, nil, nil, false
	}
	u = times(q, w)
	turn(u, v)
	return first(u, k), s[:k], first(v, k), true
}

// columns returns the descriptions of n columns called name1, name2 ...
func columns(name string, n int) []model.Column {
	out := make([]model.Column, n)
	for j := range out {
		out[j].Name = name + strconv.Itoa(j+1)
	}
	return out
}

// components returns the number of output dimensions for a parameter: usual if it is 0, and an
// error if it exceeds most.
func components(op string, asked, usual, most int) (int, error) {
	switch {
	case asked == 0:
		return min(usual, most), nil
	case asked < 0 || asked > most:
		return 0, model.Errorf(op, "Components must be between 1 and %d, got %d", most, asked)
	}
	return asked, nil
}

// notDecomposed is the error for numbers that overflow.
func notDecomposed(op string) error {
	return model.Errorf(op, "the singular values of x could not be computed").WithHint("scale the columns first")
}
