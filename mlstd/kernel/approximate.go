package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Nystroem maps rows to features whose dot products approximate a kernel. A linear model on these
// features approximates a kernel machine at a cost that is linear, not quadratic, in the number of
// examples.
//
//	z(x) = C^(−½)·(K(l₁, x), …, K(l_m, x)),   Cᵢⱼ = K(lᵢ, lⱼ)
//
// for m examples l that are drawn at random. The approximation is exact between the drawn examples;
// if all examples are drawn, it is exact between all examples.
//
// Cost: O(m³ + n·m·(m + d)).
//
// References: [WilliamsSeeger2001]. Course: KER-16, KER-26.
type Nystroem struct {
	// Kernel is the kernel function; nil means RBF(1/(d·variance)).
	Kernel Kernel
	// Components is the number m of features; 0 means 100. If x has fewer rows, m is the number of
	// rows. A larger value approximates the kernel better, at a higher cost.
	Components int
	Seed       uint64

	Vectors *mat.Dense // set by Fit: l
	Root    *mat.Dense // set by Fit: C^(−½)

	kernel Kernel

	model.Fitted // set by Fit: the columns that it was given
}

// Fit draws a random sample of the rows of x and computes Root.
func (m *Nystroem) Fit(x mat.Matrix) error {
	const op = "Nystroem.Fit"
	model.NoteX(&m.Fitted, x)
	m.Vectors, m.Root, m.kernel = nil, nil, nil
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	size, err := model.Iterations(op, "Components", m.Components, 100)
	if err != nil {
		return err
	}
	k := OrDefault(m.Kernel, d)
	if err := CheckKernel(op, k); err != nil {
		return err
	}
	drawn := model.Rand(m.Seed, 0).Perm(n)[:min(size, n)]
	slices.Sort(drawn)
	vectors := pick.Rows(d, drawn)
	root, ok := inverseRoot(CrossGram(k, vectors, vectors))
	if !ok {
		return model.Errorf(op, "the Gram matrix must have finite entries").
			WithHint("scale the columns of x, or choose another kernel")
	}
	m.Vectors, m.Root, m.kernel = vectors, root, k
	return nil
}

// inverseRoot returns C^(−½); directions in which C is within the rounding error get little weight.
func inverseRoot(c *mat.Dense) (*mat.Dense, bool) {
	n, _ := c.Dims()
	values, vectors, ok := linalg.Eigen(slices.Clone(c.RawMatrix().Data), n, n)
	if !ok {
		return nil, false
	}
	left := mat.NewDense(n, n, nil)
	for j, v := range vectors {
		scale := 1 / math.Sqrt(math.Sqrt(max(values[j], 1e-12)))
		for i, u := range v {
			left.Set(i, j, scale*u)
		}
	}
	var root mat.Dense
	root.Mul(left, left.T())
	return &root, true
}

// Transform returns m features per row.
func (m *Nystroem) Transform(x mat.Matrix) *model.Table {
	const op = "Nystroem.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.kernel == nil {
		panic(model.NotFitted(op))
	}
	size, c := m.Vectors.Dims()
	g := CrossGram(m.kernel, model.MustRows(op, x, c), m.Vectors)
	r, _ := g.Dims()
	out := mat.NewDense(r, size, nil)
	linalg.AddProduct(out.RawMatrix().Data, size, g.RawMatrix().Data, r, size, linalg.Pack(m.Root.RawMatrix().Data, size, size, size))
	return model.Named(x, out, model.Numbered("feature", size))
}

// RandomFourier maps rows to random Fourier features, whose dot products approximate the kernel
// RBF(γ).
//
//	z(x) = √(2/m)·cos(xᵀW + b),   W ~ N(0, 2γ),   b ~ U(0, 2π)
//
// The error of the approximation falls as 1/√m, whatever the number of examples and columns. With
// the same number of features, [Nystroem] is more accurate if the examples vary in only a few
// directions.
//
// Cost: O(n·m·d).
//
// References: [RahimiRecht2007]. Course: KER-13, KER-26.
type RandomFourier struct {
	// Gamma is the γ of the RBF kernel; 0 means 1/(d·variance): see [ScaleGamma]. A
	// larger value makes the features vary faster.
	Gamma float64
	// Components is the number m of features; 0 means 100. A larger value
	// approximates the kernel better, at a higher cost.
	Components int
	Seed       uint64

	Directions *mat.Dense // set by Fit: W, one column per feature
	Phases     []float64  // set by Fit: b

	model.Fitted // set by Fit: the columns that it was given
}

// Fit draws Directions and Phases at random.
func (m *RandomFourier) Fit(x mat.Matrix) error {
	const op = "RandomFourier.Fit"
	model.NoteX(&m.Fitted, x)
	m.Directions, m.Phases = nil, nil
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	size, err := model.Iterations(op, "Components", m.Components, 100)
	if err != nil {
		return err
	}
	gamma := model.Or(m.Gamma, ScaleGamma(d))
	if err := RBF(gamma).check(); err != nil {
		return model.Errorf(op, "%v", err)
	}
	_, cols := d.Dims()
	rng := model.Rand(m.Seed, 0)
	w, b := mat.NewDense(cols, size, nil), make([]float64, size)
	for f := range size {
		for j := range cols {
			w.Set(j, f, math.Sqrt(2*gamma)*rng.NormFloat64())
		}
		b[f] = 2 * math.Pi * rng.Float64()
	}
	m.Directions, m.Phases = w, b
	return nil
}

// Transform returns m features per row.
func (m *RandomFourier) Transform(x mat.Matrix) *model.Table {
	const op = "RandomFourier.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Directions == nil {
		panic(model.NotFitted(op))
	}
	cols, size := m.Directions.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	out := mat.NewDense(n, size, nil)
	linalg.AddProduct(out.RawMatrix().Data, size, d.RawMatrix().Data, n, cols, linalg.PackColumns(m.Directions.RawMatrix().Data, cols, size, size))
	height := math.Sqrt(2 / float64(size))
	par.Range(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := out.RawRowView(i)
			floats.Add(row, m.Phases)
			for f, v := range row {
				row[f] = height * math.Cos(v)
			}
		}
	})
	return model.Named(x, out, model.Numbered("feature", size))
}
