package prob

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// A generative classifier computes log p(x, y) of each row for every class, by its method joint.
// The predictions follow from these scores.

// grain is the number of rows that one task of a loop over rows takes.
const grain = 256

// best returns, for each row, the class with the largest entry.
func best(joint *mat.Dense, classes []int) []int {
	y := argmaxRows(joint)
	for i, c := range y {
		y[i] = classes[c]
	}
	return y
}

// normalize turns log p(x, y) into p(y|x), in place. A row that is impossible in every class gets
// the prior.
func normalize(joint *mat.Dense, logPrior []float64) *mat.Dense {
	n, _ := joint.Dims()
	par.Range(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := joint.RawRowView(i)
			top := floats.Max(row)
			if math.IsInf(top, -1) {
				copy(row, logPrior)
				top = floats.Max(row)
			}
			sum := 0.0
			for c, v := range row {
				row[c] = math.Exp(v - top)
				sum += row[c]
			}
			for c := range row {
				row[c] /= sum
			}
		}
	})
	return joint
}

// scores returns the log odds of the second class for two classes, log p(x, y)
// otherwise.
func scores(joint *mat.Dense) *mat.Dense {
	n, k := joint.Dims()
	if k != 2 {
		return joint
	}
	out := mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := joint.At(i, 0), joint.At(i, 1)
		if a != b { // both may be −∞
			out.Set(i, 0, b-a)
		}
	}
	return out
}

// logPriors returns the logarithms of the prior of each class: of prior if it is set, and otherwise
// equal priors or the fractions of counts.
func logPriors(op string, prior []float64, uniform bool, counts []float64) ([]float64, error) {
	k := len(counts)
	p := counts
	switch {
	case prior != nil && len(prior) != k:
		return nil, model.Errorf(op, "Prior must have %d entries (the classes, in ascending order), got %d", k, len(prior))
	case prior != nil:
		p = prior
	case uniform:
		p = ones(k)
	}
	for c, v := range p {
		if !(v >= 0) || math.IsInf(v, 0) {
			return nil, model.Errorf(op, "Prior[%d] must be finite and not negative, got %v", c, v)
		}
	}
	sum := floats.Sum(p)
	if sum == 0 {
		return nil, model.Errorf(op, "at least one entry of Prior must be positive, got only zeros")
	}
	out := make([]float64, k)
	for c, v := range p {
		out[c] = math.Log(v / sum)
	}
	return out, nil
}

// examples are rows, dense or sparse, with their classes and weights.
type examples struct {
	dense   *mat.Dense
	csr     *sparse.CSR
	n, d    int
	y       []int
	weights []float64 // nil: all 1
}

// checkExamples checks and prepares the arguments of every Fit. It converts a sparse matrix to a
// dense one for models that take more than numbers, and leaves out examples of weight zero.
func checkExamples(op string, x mat.Matrix, y []int, weights []float64, weighted bool, takes model.Takes) (examples, error) {
	e := examples{y: y}
	if c, ok := x.(*sparse.CSR); ok && c != nil && takes == (model.Takes{}) {
		if err := c.Check(op); err != nil {
			return e, err
		}
		e.csr = c
		e.n, e.d = c.Dims()
		if err := model.CheckLength(op, e.n, len(y)); err != nil {
			return e, err
		}
	} else {
		d, err := takes.CheckXY(op, x, y)
		if err != nil {
			return e, err
		}
		e.dense = d
		e.n, e.d = d.Dims()
	}
	if !weighted {
		return e, nil
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return e, err
	}
	e.weights = weights
	if !slices.Contains(weights, 0) {
		return e, nil
	}
	var kept []int
	for i, w := range weights {
		if w > 0 {
			kept = append(kept, i)
		}
	}
	e.y, e.weights, e.n = pick.Of(y, kept), pick.Of(weights, kept), len(kept)
	if e.csr != nil {
		e.csr = e.csr.Rows(kept)
	} else {
		e.dense = pick.Rows(e.dense, kept)
	}
	return e, nil
}

// mustExamples checks and prepares the rows of every prediction.
func mustExamples(op string, x mat.Matrix, fitted bool, d int) examples {
	if !fitted {
		panic(model.NotFitted(op))
	}
	c, ok := x.(*sparse.CSR)
	if !ok || c == nil {
		m := model.MustRows(op, x, d)
		n, _ := m.Dims()
		return examples{dense: m, n: n, d: d}
	}
	if n, cols := c.Dims(); cols != d {
		panic(model.Errorf(op, "x must have %d columns, as in Fit, got %d", d, cols).
			WithHint("pass the same features, in the same order"))
	} else if n > 0 {
		if err := c.Check(op); err != nil {
			panic(err)
		}
	}
	n, _ := c.Dims()
	return examples{csr: c, n: n, d: d}
}

// weight returns the weight of row i.
func (e *examples) weight(i int) float64 {
	if e.weights == nil {
		return 1
	}
	return e.weights[i]
}

// merged returns the union of the classes of old and y, with the index in it of each old class and
// of each entry of y.
func merged(old []int, y []int) (classes, from, index []int) {
	classes, index = model.Classes(y)
	if len(old) == 0 || slices.Equal(old, classes) {
		return classes, allOf(len(old)), index
	}
	have := classes
	classes = slices.Concat(old, have)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	place := func(c int) int { k, _ := slices.BinarySearch(classes, c); return k }
	for _, c := range old {
		from = append(from, place(c))
	}
	for i, k := range index {
		index[i] = place(have[k])
	}
	return classes, from, index
}

func allOf(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// spread moves the values of the old classes to their indices among k classes.
func spread(old []float64, from []int, k int) []float64 {
	out := make([]float64, k)
	for c, to := range from {
		out[to] = old[c]
	}
	return out
}

// spreadRows is spread for matrices with one row per class and d columns.
func spreadRows(old *mat.Dense, from []int, k, d int) *mat.Dense {
	out := mat.NewDense(k, d, nil)
	for c, to := range from {
		copy(out.RawRowView(to), old.RawRowView(c))
	}
	return out
}

// drawClasses draws n classes, as indices, from log probabilities.
func drawClasses(op string, logPrior []float64, n int, seed uint64) []int {
	if logPrior == nil {
		panic(model.NotFitted(op))
	}
	if n < 1 {
		panic(model.Errorf(op, "n must be positive, got %d", n))
	}
	p := make([]float64, len(logPrior))
	for c, l := range logPrior {
		p[c] = math.Exp(l)
	}
	sum, rng := floats.Sum(p), model.Rand(seed, 0)
	index := make([]int, n)
	for i := range index {
		index[i] = drawOf(p, sum, rng)
	}
	return index
}

// linearOf returns the linear functions of Decision from one function per class. For two classes it
// returns their difference, and otherwise all functions.
func linearOf(coef *mat.Dense, intercept []float64) (*mat.Dense, []float64) {
	k, d := coef.Dims()
	if k != 2 {
		return mat.DenseCopyOf(coef), slices.Clone(intercept)
	}
	out := mat.NewDense(1, d, nil)
	floats.SubTo(out.RawRowView(0), coef.RawRowView(1), coef.RawRowView(0))
	return out, []float64{intercept[1] - intercept[0]}
}

// alphaOf reads a smoothing parameter.
func alphaOf(op string, alpha float64) (float64, error) {
	a := model.Or(alpha, 1)
	if !(a >= 0) || math.IsInf(a, 0) {
		return 0, model.Errorf(op, "Alpha must not be negative (0 means 1, model.Zero means none), got %v", alpha)
	}
	return a, nil
}

// FeatureWeight is the weight of a column in a linear classifier.
type FeatureWeight struct {
	Name   string
	Weight float64
}

// TopWeights returns the n columns with the largest coefficients, which favor the second class, and
// the n columns with the smallest coefficients, which favor the first class. The coefficients must
// come from a linear classifier, such as the log odds of naive Bayes. If names is nil, the columns
// are named x1, x2 and so on.
//
// Course: PROB-23, PROB-28.
func TopWeights(coef []float64, names []string, n int) (second, first []FeatureWeight) {
	const op = "TopWeights"
	if names != nil && len(names) != len(coef) {
		panic(model.Errorf(op, "names must have %d entries (the number of coefficients), got %d", len(coef), len(names)))
	}
	if n < 0 {
		panic(model.Errorf(op, "n must not be negative, got %d", n))
	}
	order := allOf(len(coef))
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case coef[a] > coef[b]:
			return -1
		case coef[a] < coef[b]:
			return 1
		}
		return 0
	})
	at := func(j int) FeatureWeight {
		if names == nil {
			return FeatureWeight{fmt.Sprint("x", j+1), coef[j]}
		}
		return FeatureWeight{names[j], coef[j]}
	}
	for i := range min(n, len(coef)) {
		second = append(second, at(order[i]))
		first = append(first, at(order[len(coef)-1-i]))
	}
	return second, first
}
