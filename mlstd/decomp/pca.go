package decomp

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// PCASolver is the method with which [PCA] finds the axes.
type PCASolver int

const (
	AutoPCA       PCASolver = iota // CovariancePCA for many more rows than columns, RandomizedPCA for few axes of a large x, else SVDPCA
	CovariancePCA                  // eigenvectors of the covariance matrix
	SVDPCA                         // singular vectors of the centered rows
	RandomizedPCA                  // the leading singular vectors, by a random subspace
)

// PCA is principal component analysis: it projects rows onto the directions of maximum variance,
// the principal axes.
//
//	v₁ = argmax_{‖v‖=1} vᵀCv,  C = Σᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ / (n − 1),  z = Vᵀ(x − x̄)
//
// The axes are the eigenvectors of the covariance matrix C of centered rows, in descending order of
// the eigenvalue, which is the variance along the axis. They are also the right singular vectors of
// the centered rows, with variance σ²/(n − 1). Of all projections onto k directions, PCA has the
// smallest reconstruction error. In each axis, the entry with the largest absolute value is
// positive.
//
// Columns with larger scales dominate: standardize the columns first unless they share a unit.
//
// Cost: O(n·d²) + O(d³) by the covariance, O(n·d·min(n, d)) by the singular values,
// O(n·d·k) randomized.
//
// References: [Pearson1901], [Hotelling1933], [HalkoMartinssonTropp2011], [Ross2008].
// Course: DEC-01, DEC-06.
type PCA struct {
	// Components is the number of axes; 0 means min(n, d), or the number that Share requires. More
	// axes keep more of the variance.
	Components int
	// Share is the minimum fraction of the variance, between 0 and 1, that the axes explain
	// together; PCA keeps the smallest sufficient number of axes. 0 means that Components sets the
	// number.
	Share float64
	// Whiten divides each component by its standard deviation.
	Whiten bool
	// Solver is the method that finds the axes. The default is AutoPCA.
	Solver PCASolver
	// Seed is the seed of RandomizedPCA.
	Seed uint64

	Mean     []float64  // set by Fit
	Axes     *mat.Dense // set by Fit: unit vectors, one per row
	Variance []float64  // set by Fit: the variance on each axis, descending
	Ratio    []float64  // set by Fit: its fraction of the total variance
	Singular []float64  // set by Fit: the singular values of the centered rows
	// Noise is the mean variance in the remaining directions; set by Fit.
	Noise float64
	Seen  int // set by Fit: the number of rows

	spread float64   // the sum of the squares of the centered rows
	second []float64 // per column, the sum of squares about Mean

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*PCA)(nil)

func (p *PCA) reset() {
	p.Mean, p.Axes, p.Variance, p.Ratio, p.Singular = nil, nil, nil, nil, nil
	p.Noise, p.Seen, p.spread, p.second = 0, 0, 0, nil
}

// Fit finds the axes of the rows of x.
func (p *PCA) Fit(x mat.Matrix) error {
	const op = "PCA.Fit"
	model.NoteX(&p.Fitted, x)
	p.reset()
	d, err := p.check(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	if n < 2 {
		return model.Errorf(op, "x must have at least 2 rows, got 1")
	}
	k, err := components(op, p.Components, min(n, cols), min(n, cols))
	if err != nil {
		return err
	}
	solver := p.choice(n, cols, k)
	var mean, second, s []float64
	var axes *mat.Dense
	ok := true
	if solver == CovariancePCA {
		var products []float64
		mean, products = scatter(d)
		second = make([]float64, cols)
		for j := range second {
			second[j] = max(0, products[j*cols+j])
		}
		axes, s, ok = principal(products, cols, k)
	} else {
		mean = means(d)
		c := centered(d, mean)
		second = squares(c)
		axes, s, ok = p.singular(c, k, solver)
	}
	if !ok || math.IsInf(floats.Sum(second), 1) {
		return notDecomposed(op)
	}
	p.keep(mean, axes, s, second, n)
	return nil
}

// principal returns the k axes, and the singular values, of rows with the given products
// of centered columns.
func principal(products []float64, cols, k int) (axes *mat.Dense, s []float64, ok bool) {
	s, vectors, ok := linalg.Eigen(products, cols, k)
	if !ok {
		return nil, nil, false
	}
	axes = mat.NewDense(k, cols, nil)
	for i := range s {
		s[i] = math.Sqrt(max(0, s[i]))
		axes.SetRow(i, vectors[i])
	}
	return axes, s, true
}

// singular returns the k axes, and the singular values, of centered rows.
func (p *PCA) singular(c *mat.Dense, k int, solver PCASolver) (axes *mat.Dense, s []float64, ok bool) {
	var v *mat.Dense
	if solver == RandomizedPCA {
		n, cols := c.Dims()
		steps := 4
		if float64(k) < 0.1*float64(min(n, cols)) {
			steps = 7
		}
		if _, s, v, ok = randomized(newDense(c), k, steps, p.Seed); !ok {
			return nil, nil, false
		}
		return transposed(v), s, true
	}
	if _, s, v, ok = factored(c); !ok {
		return nil, nil, false
	}
	return transposed(first(v, k)), s[:k], true
}

// check validates the input of Fit and PartialFit.
func (p *PCA) check(op string, x mat.Matrix) (*mat.Dense, error) {
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	if !(p.Share >= 0 && p.Share <= 1) {
		return nil, model.Errorf(op, "Share must be between 0 and 1, got %v", p.Share)
	}
	if p.Share > 0 && p.Components != 0 {
		return nil, model.Errorf(op, "only one of Share and Components must be set").WithHint("leave one of them out")
	}
	if p.Solver < AutoPCA || p.Solver > RandomizedPCA {
		return nil, model.Errorf(op, "Solver must be one of the constants of ml.PCASolver, got %d", p.Solver)
	}
	return d, nil
}

func (p *PCA) choice(n, cols, k int) PCASolver {
	switch {
	case p.Solver != AutoPCA:
		return p.Solver
	case cols <= 1000 && n >= 10*cols:
		return CovariancePCA
	case max(n, cols) > 500 && 10*k < 8*min(n, cols):
		return RandomizedPCA
	}
	return SVDPCA
}

// squares returns the sum of the squares of each column.
func squares(c *mat.Dense) []float64 {
	n, cols := c.Dims()
	return summed(n, cols, func(out []float64, lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, v := range c.RawRowView(i) {
				out[j] += v * v
			}
		}
	})
}

// keep stores the axes and their singular values s, as many as Share requires.
func (p *PCA) keep(mean []float64, axes *mat.Dense, s, second []float64, n int) {
	_, cols := axes.Dims()
	p.spread, p.second = floats.Sum(second), second
	k := len(s)
	if p.Share > 0 {
		sum := 0.0
		for j, v := range s {
			if sum += v * v; sum >= p.Share*p.spread*(1-1e-12) {
				k = j + 1
				break
			}
		}
	}
	v := transposed(axes)
	turn(nil, v)
	p.Mean, p.Seen = mean, n
	p.Axes, p.Singular = transposed(first(v, k)), s[:k:k]
	p.Variance, p.Ratio = make([]float64, k), make([]float64, k)
	for j, v := range p.Singular {
		p.Variance[j] = v * v / float64(n-1)
		if p.spread > 0 {
			p.Ratio[j] = v * v / p.spread
		}
	}
	if rest := min(n, cols) - k; rest > 0 {
		p.Noise = max(0, p.spread/float64(n-1)-floats.Sum(p.Variance)) / float64(rest)
	}
}

// PartialFit updates the axes with more rows. Of the earlier rows, it keeps only the mean and the k
// axes. The result equals the result of Fit on all rows if k axes hold all of the variance, and
// approximates it otherwise. The first call must have at least as many rows as there are axes.
func (p *PCA) PartialFit(x mat.Matrix) (err error) {
	const op = "PCA.PartialFit"
	defer model.Unread(&p.Fitted, p.Fitted, &err)
	x, err = model.ReadBatch(op, &p.Fitted, x, nil)
	if err != nil {
		return err
	}
	d, err := p.check(op, x)
	if err != nil {
		return err
	}
	if p.Axes == nil {
		return p.Fit(x)
	}
	if p.Share > 0 {
		return model.Errorf(op, "Share must be 0 for PartialFit").WithHint("set Components instead")
	}
	n, cols := d.Dims()
	if cols != len(p.Mean) {
		return model.Errorf(op, "x must have %d columns, as in the earlier batches, got %d", len(p.Mean), cols)
	}
	k := len(p.Singular)
	mean := means(d)
	c := centered(d, mean)
	seen, all := float64(p.Seen), float64(p.Seen+n)
	stack := mat.NewDense(k+n+1, cols, nil)
	for j, s := range p.Singular {
		floats.ScaleTo(stack.RawRowView(j), s, p.Axes.RawRowView(j))
	}
	for i := range n {
		copy(stack.RawRowView(k+i), c.RawRowView(i))
	}
	second := squares(c)
	next := make([]float64, cols)
	for j := range cols {
		gap := p.Mean[j] - mean[j]
		stack.Set(k+n, j, math.Sqrt(seen*float64(n)/all)*gap)
		second[j] += p.second[j] + seen*float64(n)/all*gap*gap
		next[j] = (p.Mean[j]*seen + mean[j]*float64(n)) / all
	}
	_, s, v, ok := factored(stack)
	if !ok {
		return notDecomposed(op)
	}
	p.keep(next, transposed(first(v, k)), s[:k], second, p.Seen+n)
	return nil
}

// Transform returns the components of each row, one per column: pc1, pc2 ...
func (p *PCA) Transform(x mat.Matrix) *model.Table {
	const op = "PCA.Transform"
	x = model.MustRead(op, &p.Fitted, x)
	if p.Axes == nil {
		panic(model.NotFitted(op))
	}
	z := projected(model.MustRows(op, x, len(p.Mean)), p.Mean, p.Axes)
	if p.Whiten {
		scales := p.scales(-1)
		n, _ := z.Dims()
		for i := range n {
			floats.Mul(z.RawRowView(i), scales)
		}
	}
	return model.Named(x, z, columns("pc", len(p.Singular)))
}

// scales returns the standard deviations to a power, with 1 for zero deviations.
func (p *PCA) scales(power float64) []float64 {
	out := make([]float64, len(p.Variance))
	for j, v := range p.Variance {
		out[j] = 1
		if v > 1e-28*p.Variance[0] {
			out[j] = math.Pow(v, power/2)
		}
	}
	return out
}

// Inverse returns the rows that lie in the space of the axes and have the components z.
func (p *PCA) Inverse(z mat.Matrix) *mat.Dense {
	const op = "PCA.Inverse"
	if p.Axes == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, z, len(p.Singular))
	if p.Whiten {
		d = mat.DenseCopyOf(d)
		scales := p.scales(1)
		n, _ := d.Dims()
		for i := range n {
			floats.Mul(d.RawRowView(i), scales)
		}
	}
	out := times(d, p.Axes)
	n, _ := out.Dims()
	for i := range n {
		floats.Add(out.RawRowView(i), p.Mean)
	}
	return out
}

// Reconstruct returns, for each k, the reconstruction of the row from its first k components.
func (p *PCA) Reconstruct(row []float64, k ...int) [][]float64 {
	const op = "PCA.Reconstruct"
	if p.Axes == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, mat.NewDense(1, len(row), append([]float64(nil), row...)), len(p.Mean))
	c := centered(d, p.Mean).RawRowView(0)
	out := make([][]float64, len(k))
	for i, k := range k {
		if k < 0 || k > len(p.Singular) {
			panic(model.Errorf(op, "k must be between 0 and %d, got %d", len(p.Singular), k))
		}
		out[i] = append([]float64(nil), p.Mean...)
		for j := range k {
			axis := p.Axes.RawRowView(j)
			floats.AddScaled(out[i], floats.Dot(axis, c), axis)
		}
	}
	return out
}

// Loadings returns the loadings vⱼ·√λⱼ that a biplot draws, with one row per column of x and one
// column per component. A loading is the correlation of the column with the component, times the
// column's standard deviation.
func (p *PCA) Loadings() *mat.Dense {
	if p.Axes == nil {
		panic(model.NotFitted("PCA.Loadings"))
	}
	out := transposed(p.Axes)
	n, _ := out.Dims()
	for i := range n {
		row := out.RawRowView(i)
		for j := range row {
			row[j] *= math.Sqrt(p.Variance[j])
		}
	}
	return out
}
