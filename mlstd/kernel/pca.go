package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KernelPCA finds the directions of largest variance in feature space: principal
// components of curved data.
//
//	K̃ = (I − 1/n)·K·(I − 1/n) = Σⱼ λⱼ·vⱼ·vⱼᵀ,  zⱼ(x) = Σᵢ vᵢⱼ·k̃(xᵢ, x)/√λⱼ
//
// where 1/n stands for the n x n matrix whose entries are all 1/n, and k̃ is the kernel of the
// centered features. With the linear kernel it is PCA. The sign of a component is chosen so that
// the largest entry of its vⱼ is positive.
//
// Cost: O(n³) time, about O(n²·Components) for few Components, O(n²) memory; O(n·d) for
// each row that is transformed.
//
// References: [ScholkopfSmolaMuller1998]. Course: KER-32.
type KernelPCA struct {
	// Kernel is the kernel function; nil means RBF with the γ of ScaleGamma.
	Kernel     Kernel
	Components int // 0 means all of positive variance

	Eigenvalues []float64  // set by Fit: λ, descending; λ/n is the variance of a component
	Vectors     *mat.Dense // set by Fit: the examples
	DualCoef    *mat.Dense // set by Fit: vᵢⱼ/√λⱼ

	kernel Kernel
	mean   []float64 // of the columns of K
	total  float64   // the mean of K

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds the components.
func (p *KernelPCA) Fit(x mat.Matrix) error {
	const op = "KernelPCA.Fit"
	model.NoteX(&p.Fitted, x)
	p.Eigenvalues, p.Vectors, p.DualCoef, p.kernel, p.mean, p.total = nil, nil, nil, nil, nil, 0
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	if n < 2 {
		return model.Errorf(op, "x must have at least 2 rows, got 1")
	}
	if p.Components < 0 || p.Components > n {
		return model.Errorf(op, "Components must be between 0 and %d (the number of rows), got %d", n, p.Components)
	}
	k := OrDefault(p.Kernel, d)
	if err := CheckKernel(op, k); err != nil {
		return err
	}
	g := CrossGram(k, d, d)
	mean, total, largest := make([]float64, n), 0.0, 0.0
	par.Range(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			mean[i] = floats.Sum(g.RawRowView(i)) / float64(n)
		}
	})
	for i, v := range mean {
		total += v / float64(n)
		largest = max(largest, g.At(i, i))
	}
	par.Range(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, v := range g.RawRowView(i) {
				g.RawRowView(i)[j] = v - (mean[i] + mean[j] - total) // the same for i, j as for j, i
			}
		}
	})
	keep := p.Components
	if keep == 0 {
		keep = n
	}
	values, vectors, ok := linalg.Eigen(g.RawMatrix().Data, n, keep)
	if !ok {
		return model.Errorf(op, "the Gram matrix must have finite entries").
			WithHint("scale the columns of x, or choose another kernel")
	}
	var lambda []float64
	var cols [][]float64
	for j, col := range vectors {
		// Below that a component is rounding.
		if values[j] <= 1e-12*max(largest, values[0])*float64(n) {
			break
		}
		big := 0
		for i, v := range col {
			if math.Abs(v) > math.Abs(col[big])*(1+1e-9) {
				big = i
			}
		}
		scale := 1 / math.Sqrt(values[j])
		if col[big] < 0 {
			scale = -scale
		}
		floats.Scale(scale, col)
		lambda, cols = append(lambda, values[j]), append(cols, col)
	}
	if len(cols) == 0 {
		return model.Errorf(op, "the rows of x must differ in feature space")
	}
	coef := mat.NewDense(n, len(cols), nil)
	par.Range(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := coef.RawRowView(i)
			for j, c := range cols {
				row[j] = c[i]
			}
		}
	})
	p.Eigenvalues, p.Vectors, p.DualCoef, p.kernel, p.mean, p.total = lambda, mat.DenseCopyOf(d), coef, k, mean, total
	return nil
}

// Transform returns the components of each row, one per column.
func (p *KernelPCA) Transform(x mat.Matrix) *model.Table {
	const op = "KernelPCA.Transform"
	x = model.MustRead(op, &p.Fitted, x)
	if p.kernel == nil {
		panic(model.NotFitted(op))
	}
	_, c := p.Vectors.Dims()
	g := CrossGram(p.kernel, model.MustRows(op, x, c), p.Vectors)
	r, n := g.Dims()
	par.Range(r, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := g.RawRowView(i)
			shift := p.total - floats.Sum(row)/float64(n)
			for m, mean := range p.mean {
				row[m] += shift - mean
			}
		}
	})
	_, comps := p.DualCoef.Dims()
	out := mat.NewDense(r, comps, nil)
	coef := linalg.PackColumns(p.DualCoef.RawMatrix().Data, n, comps, comps)
	linalg.AddProduct(out.RawMatrix().Data, comps, g.RawMatrix().Data, r, n, coef)
	return model.Named(x, out, model.Numbered("component", comps))
}
