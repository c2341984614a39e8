package kernel

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Gram returns the matrix of the similarities of all pairs of rows of x,
//
//	Gᵢⱼ = K(xᵢ, xⱼ)
//
// It is symmetric and, if K is a kernel, positive semidefinite.
//
// Cost: O(n²·d) for n rows of d columns.
//
// Course: KER-16.
func Gram(k Kernel, x mat.Matrix) *mat.SymDense {
	d := mustRows("Gram", k, x)
	n, _ := d.Dims()
	g := CrossGram(k, d, d)
	return mat.NewSymDense(n, g.RawMatrix().Data)
}

// CrossGram returns the similarity K(aᵢ, bⱼ) of each row of a to each row of b.
//
// Course: KER-16.
func CrossGram(k Kernel, a, b mat.Matrix) *mat.Dense {
	da, rows := mustRows("CrossGram", k, a), NewGramRows(k, mustRows("CrossGram", k, b))
	if _, c := da.Dims(); c != rows.cols {
		panic(model.Errorf("CrossGram", "a and b must have the same number of columns, got %d and %d", c, rows.cols))
	}
	m, _ := da.Dims()
	out := mat.NewDense(m, rows.Len(), nil)
	rows.write(out, da)
	return out
}

// write puts the similarities of the rows of a into out, which is zero, by one
// matrix product where it can; they have the bits that Against gives.
func (g *GramRows) write(out, a *mat.Dense) {
	m, c := a.Dims()
	if g.dotted == nil {
		par.Range(m, 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				fill(g.k, a.RawRowView(i), g.x, out.RawRowView(i))
			}
		})
		return
	}
	if g.center != nil {
		shifted := mat.NewDense(m, c, nil)
		for i := range m {
			subtract(shifted.RawRowView(i), a.RawRowView(i), g.center)
		}
		a = shifted
	}
	linalg.AddProduct(out.RawMatrix().Data, g.Len(), a.RawMatrix().Data, m, c, g.panels)
	par.Range(m, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := a.RawRowView(i)
			g.dotted.OfDots(out.RawRowView(i), linalg.Dot(row, row), g.norms)
		}
	})
}

func mustRows(op string, k Kernel, x mat.Matrix) *mat.Dense {
	if err := CheckKernel(op, k); err != nil {
		panic(err)
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		panic(err)
	}
	return d
}

// GramRows computes rows of a Gram matrix as they are needed, for learners that do not need the
// whole matrix. Several goroutines can use it at the same time.
type GramRows struct {
	k      Kernel
	x      *mat.Dense
	cols   int
	dotted DotKernel // k, if it is a function of dot products
	panels *linalg.Panels
	center []float64 // subtracted from rows first, if not nil
	norms  []float64 // xᵢ·xᵢ of the (centered) rows
}

// NewGramRows prepares the rows of x, which must not change while the result is in use. It panics
// if [CheckKernel] returns an error for the kernel.
func NewGramRows(k Kernel, x mat.Matrix) *GramRows {
	d := mustRows("NewGramRows", k, x)
	n, c := d.Dims()
	g := &GramRows{k: k, x: d, cols: c}
	dotted, ok := k.(DotKernel)
	if !ok {
		return g
	}
	g.dotted = dotted
	data := d.RawMatrix().Data
	if _, ok := k.(RBF); ok {
		// Distances do not change when all rows are shifted; far from the origin
		// they would be lost in the rounding of the squared lengths.
		g.center = make([]float64, c)
		for i := range n {
			for j, v := range d.RawRowView(i) {
				g.center[j] += (v - g.center[j]) / float64(i+1)
			}
		}
		data = make([]float64, n*c)
		for i := range n {
			subtract(data[i*c:(i+1)*c], d.RawRowView(i), g.center)
		}
	}
	g.panels = linalg.Pack(data, n, c, c)
	g.norms = make([]float64, n)
	for i := range n {
		g.norms[i] = linalg.Dot(data[i*c:(i+1)*c], data[i*c:(i+1)*c])
	}
	return g
}

func subtract(dst, a, b []float64) {
	for j, v := range a {
		dst[j] = v - b[j]
	}
}

// Len is the number of rows.
func (g *GramRows) Len() int {
	n, _ := g.x.Dims()
	return n
}

// Row writes K(xᵢ, xⱼ) for all j into dst, which has Len entries.
func (g *GramRows) Row(i int, dst []float64) { g.Against(g.x.RawRowView(i), dst) }

// Against writes K(v, xⱼ) for all j into dst, which has Len entries.
func (g *GramRows) Against(v, dst []float64) {
	if g.dotted == nil {
		fill(g.k, v, g.x, dst)
		return
	}
	if g.center != nil {
		shifted := make([]float64, g.cols)
		subtract(shifted, v, g.center)
		v = shifted
	}
	g.panels.Dots(dst, v)
	g.dotted.OfDots(dst, linalg.Dot(v, v), g.norms)
}

// Diagonal returns K(xᵢ, xᵢ) for all i.
func (g *GramRows) Diagonal() []float64 {
	out := make([]float64, g.Len())
	for i := range out {
		if g.dotted == nil {
			out[i] = g.k.Eval(g.x.RawRowView(i), g.x.RawRowView(i))
			continue
		}
		out[i] = g.norms[i]
		g.dotted.OfDots(out[i:i+1], g.norms[i], g.norms[i:i+1])
	}
	return out
}

func fill(k Kernel, v []float64, x *mat.Dense, dst []float64) {
	for j := range dst {
		dst[j] = k.Eval(v, x.RawRowView(j))
	}
}
