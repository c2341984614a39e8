package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KernelPerceptron is the perceptron in its dual form: it keeps a count for each
// example instead of a weight for each feature.
//
//	f(x) = Σₘ αₘ·K(xₘ, x)
//
// In each epoch, for each example in its order:
//
//  1. aₙ = Σₘ αₘ·K(xₘ, xₙ)
//  2. on a mistake, yₙ·aₙ ≤ 0: αₙ ← αₙ + yₙ
//
// Training ends after an epoch without a mistake. At any time w = Σₘ αₘ·φ(xₘ), so it predicts
// exactly like the perceptron on the features φ(x); only the cost differs, not the accuracy. The
// perceptron has no bias: a kernel with a constant feature (C > 0) supplies one. The class with the
// larger value is y = +1.
//
// Cost: O(n²) memory for the Gram matrix, O(n·mistakes) per epoch. The number of mistakes is at
// most (R/γ)², where R and γ are the radius and the margin in feature space.
//
// References: [AizermanBravermanRozonoer1964], [FreundSchapire1999].
// Course: KER-03, KER-05.
type KernelPerceptron struct {
	// Kernel is the kernel function; nil means PolynomialKernel{Degree: 2, C: 1}.
	Kernel Kernel
	// Epochs is the maximum number of passes over the training examples; 0 means
	// 100.
	Epochs int
	model.Control

	DualCoef  []float64  // set by Fit: yₙ times the mistakes on example n
	Support   []int      // set by Fit: the rows whose DualCoef is not zero
	Vectors   *mat.Dense // set by Fit: those rows
	Mistakes  []int      // set by Fit: in each epoch
	Converged bool       // set by Fit: the last epoch made no mistake

	classes []int
	kernel  Kernel

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes passes over the examples, which must have exactly two classes.
func (p *KernelPerceptron) Fit(x mat.Matrix, y []int) error {
	const op = "KernelPerceptron.Fit"
	model.NoteXY(&p.Fitted, x, y)
	p.DualCoef, p.Support, p.Vectors, p.Mistakes, p.Converged, p.classes, p.kernel = nil, nil, nil, nil, false, nil, nil
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	if err := magnitude.Check(op, d); err != nil {
		return err
	}
	classes, class := model.Classes(y)
	if len(classes) != 2 {
		return model.Errorf(op, "y must have exactly two classes, got %d", len(classes)).WithHint("use ml.OneVsAll for more")
	}
	k := p.Kernel
	if k == nil {
		k = PolynomialKernel{Degree: 2, C: 1}
	}
	if err := CheckKernel(op, k); err != nil {
		return err
	}
	maxIter := p.Epochs
	if maxIter == 0 {
		maxIter = 100
	}
	if maxIter < 0 {
		return model.Errorf(op, "MaxIter must not be negative, got %d", maxIter)
	}
	run := p.Begin("KernelPerceptron", maxIter)
	defer run.End()
	n := len(y)
	rows, row := NewGramRows(k, d), make([]float64, n)
	alpha, a := make([]float64, n), make([]float64, n) // a: the current scores
	var mistakes []int
	converged := false
	for epoch := 1; epoch <= maxIter && !converged; epoch++ {
		wrong := 0
		for i, c := range class {
			sign := float64(2*c - 1)
			if sign*a[i] > 0 {
				continue
			}
			wrong++
			alpha[i] += sign
			rows.Row(i, row)
			for j, v := range row {
				a[j] += sign * v
			}
		}
		if finite.First(a) >= 0 {
			return model.Errorf(op, "the scores overflow").WithHint("scale the columns of x, or choose another kernel")
		}
		mistakes = append(mistakes, wrong)
		converged = wrong == 0
		if err := run.Step(epoch, float64(wrong)/float64(n)); err != nil {
			return err
		}
	}
	p.DualCoef, p.Mistakes, p.Converged, p.classes, p.kernel = alpha, mistakes, converged, classes, k
	p.Support, p.Vectors = support(alpha, d)
	return nil
}

// support returns the rows whose coefficient is not zero.
func support(alpha []float64, x *mat.Dense) ([]int, *mat.Dense) {
	var rows []int
	for i, a := range alpha {
		if a != 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return rows, pick.Rows(x, rows)
}

// Classes returns the two classes in ascending order.
func (p *KernelPerceptron) Classes() []int { return slices.Clone(p.classes) }

// Decision returns f(x) for each row, in one column.
func (p *KernelPerceptron) Decision(x mat.Matrix) *mat.Dense {
	const op = "KernelPerceptron.Decision"
	x = model.MustRead(op, &p.Fitted, x)
	if p.kernel == nil {
		panic(model.NotFitted(op))
	}
	_, c := p.Vectors.Dims()
	d := magnitude.Must(op, model.MustRows(op, x, c))
	coef := make([]float64, len(p.Support))
	for t, i := range p.Support {
		coef[t] = p.DualCoef[i]
	}
	n, _ := d.Dims()
	return mat.NewDense(n, 1, expansion(p.kernel, d, p.Vectors, coef))
}

// expansion returns Σₘ coefₘ·K(vₘ, xᵢ) for each row of x.
func expansion(k Kernel, x, vectors *mat.Dense, coef []float64) []float64 {
	const block = 256 // rows whose similarities stay in the cache
	n, c := x.Dims()
	rows := NewGramRows(k, vectors)
	g := mat.NewDense(min(block, n), rows.Len(), nil)
	out := make([]float64, n)
	for at := 0; at < n; at += block {
		end := min(at+block, n)
		part := g.Slice(0, end-at, 0, rows.Len()).(*mat.Dense)
		part.Zero()
		rows.write(part, x.Slice(at, end, 0, c).(*mat.Dense))
		par.Range(end-at, 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				out[at+i] = floats.Dot(coef, part.RawRowView(i))
			}
		})
	}
	return out
}

// Predict returns the second class if f(x) > 0, and the first class otherwise.
func (p *KernelPerceptron) Predict(x mat.Matrix) []int {
	x = model.MustRead("KernelPerceptron.Predict", &p.Fitted, x)
	scores := p.Decision(x).RawMatrix().Data
	out := make([]int, len(scores))
	for i, s := range scores {
		out[i] = p.classes[0]
		if s > 0 {
			out[i] = p.classes[1]
		}
	}
	return out
}

// MistakePerceptron is the dual perceptron as an online learner: it stores the set M of the
// examples on which it was wrong. M consists of P, the examples that promote (label +1), and D, the
// examples that demote (label −1).
//
//	f(x) = sgn Σ_{z ∈ M} S(z)·K(x, z), S(z) = +1 for z ∈ P, −1 for z ∈ D
//
// A score of zero counts as a mistake, whatever the label is. On the same sequence of examples, it
// makes the same mistakes as [KernelPerceptron].
//
// Course: KER-06.
type MistakePerceptron struct {
	// Kernel is the kernel function; nil means PolynomialKernel{Degree: 2, C: 1}.
	Kernel   Kernel
	Promoted [][]float64 // P, grown by Learn
	Demoted  [][]float64 // D, grown by Learn
	Growth   []int       // the size of M after each example
}

// Learn takes one example with the label −1 or +1 and reports whether its prediction was a mistake.
// After a mistake, it keeps a copy of x.
func (p *MistakePerceptron) Learn(x []float64, label int) bool {
	if label != 1 && label != -1 {
		panic(model.Errorf("MistakePerceptron.Learn", "label must be -1 or +1, got %d", label))
	}
	mistake := float64(label)*p.Score(x) <= 0
	switch {
	case mistake && label == 1:
		p.Promoted = append(p.Promoted, slices.Clone(x))
	case mistake:
		p.Demoted = append(p.Demoted, slices.Clone(x))
	}
	p.Growth = append(p.Growth, len(p.Promoted)+len(p.Demoted))
	return mistake
}

// Score returns Σ_{z ∈ M} S(z)·K(x, z).
func (p *MistakePerceptron) Score(x []float64) float64 {
	k := p.Kernel
	if k == nil {
		k = PolynomialKernel{Degree: 2, C: 1}
	}
	s := 0.0
	for _, z := range p.Promoted {
		s += k.Eval(x, z)
	}
	for _, z := range p.Demoted {
		s -= k.Eval(x, z)
	}
	return s
}

// DualWeights returns the weight vector for the given counts of mistakes,
//
//	w = Σᵢ rate·countsᵢ·yᵢ·xᵢ
//
// where countsᵢ ≥ 0 is the number of mistakes on example i, and yᵢ is −1 or +1. For example,
// mistakes on x₁ (+), x₂ (+) and x₄ (−) result in w = x₁ + x₂ − x₄.
//
// Course: KER-03.
func DualWeights(counts []float64, y []int, x mat.Matrix, rate float64) []float64 {
	const op = "DualWeights"
	n, c := x.Dims()
	if len(counts) != n || len(y) != n {
		panic(model.Errorf(op, "x, counts and y must have the same length, got %d, %d and %d", n, len(counts), len(y)))
	}
	w := make([]float64, c)
	for i, a := range counts {
		if !(a >= 0) || (y[i] != 1 && y[i] != -1) {
			panic(model.Errorf(op, "counts must not be negative and labels be -1 or +1, got %[2]v and %[3]d for example %[1]d", i, a, y[i]))
		}
		for j := range w {
			w[j] += rate * a * float64(y[i]) * x.At(i, j)
		}
	}
	return w
}

// SpanProjection is the decomposition of a weight vector by [ProjectOnSpan].
type SpanProjection struct {
	Span     []float64 // the part in the span of the examples
	Null     []float64 // the rest, which no example sees
	DualCoef []float64 // Span = Σᵢ DualCoef[i]·xᵢ
	Lost     float64   // ‖w‖ − ‖Span‖: the useless part of the norm
	Ratio    float64   // ‖w‖/‖Span‖: the factor by which the margin grows without Null
}

// ProjectOnSpan demonstrates the representer theorem. The part of w that is orthogonal to the span
// of the (mapped) examples does not change the predictions for these examples; it only makes w
// longer. Therefore, the optimum of a loss of the predictions plus a penalty that grows with ‖w‖ is
// a combination w = Σᵢ αᵢ·φ(xᵢ) of the examples.
//
// Course: KER-04.
func ProjectOnSpan(w []float64, x mat.Matrix) (*SpanProjection, error) {
	const op = "ProjectOnSpan"
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	n, c := d.Dims()
	if len(w) != c {
		return nil, model.Errorf(op, "w must have %d values (the columns of x), got %d", c, len(w))
	}
	var svd mat.SVD
	if !svd.Factorize(d, mat.SVDThin) {
		return nil, model.Errorf(op, "the singular value decomposition of x failed")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	p := &SpanProjection{Span: make([]float64, c), Null: slices.Clone(w), DualCoef: make([]float64, n)}
	values := svd.Values(nil)
	for k, s := range values {
		if s <= 1e-12*values[0] {
			break
		}
		a := 0.0
		for j := range c {
			a += v.At(j, k) * w[j]
		}
		for j := range c {
			p.Span[j] += a * v.At(j, k)
		}
		for i := range n {
			p.DualCoef[i] += a / s * u.At(i, k)
		}
	}
	ww, ss := 0.0, 0.0
	for j, s := range p.Span {
		p.Null[j] -= s
		ww += w[j] * w[j]
		ss += s * s
	}
	p.Lost = math.Sqrt(ww) - math.Sqrt(ss)
	p.Ratio = math.Sqrt(ww / ss)
	return p, nil
}
