package online

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.PartialFitter = (*Perceptron)(nil)
	_ model.PartialFitter = (*PassiveAggressive)(nil)
	_ model.PartialFitter = (*MulticlassPerceptron)(nil)
)

// batch is a part of the examples, for a learner that continues from earlier batches.
type batch struct {
	examples
	classes []int // of all batches
	index   []int // of each example's class among them
}

// checkedBatch checks a batch. The classes are those learned before. For the first batch, they are
// known, which lists all classes, or the classes in y if known is nil.
func checkedBatch(op string, x mat.Matrix, y, learned, known []int) (batch, error) {
	e, err := checkedExamples(op, x, y)
	if err != nil {
		return batch{}, err
	}
	classes := learned
	if classes == nil {
		if classes, err = model.FirstClasses(op, y, known); err != nil {
			return batch{}, err
		}
	}
	b := batch{examples: e, classes: classes, index: make([]int, len(y))}
	for i, v := range y {
		k, ok := slices.BinarySearch(classes, v)
		if !ok {
			return batch{}, model.Errorf(op, "y[%d] must be a class of the first batch, got %d", i, v).WithHint("list all classes in Known before the first batch")
		}
		b.index[i] = k
	}
	return b, nil
}

// checkWidth returns an error if the batch has another width than earlier batches.
func (b *batch) checkWidth(op string, before int) error {
	if b.width != before {
		return model.Errorf(op, "x must have %d columns, as in the earlier batches, got %d", before, b.width)
	}
	return nil
}

// partial makes one pass over a batch, in its order, and continues from before. If before is nil,
// it continues from coef and intercept, and for the first batch from Start.
func (a *additive) partial(op string, b *batch, before *learned, coef []float64, intercept float64, trace *MistakeTrace) (l *learned, err error) {
	if len(b.classes) != 2 {
		return nil, model.Errorf(op, "y must have exactly two classes, got %d", len(b.classes)).WithHint("use MulticlassPerceptron for more")
	}
	switch {
	case before != nil && (before.u != nil) == a.average:
		l = before.clone()
	case coef != nil:
		l = &learned{w: slices.Clone(coef), b: intercept}
		if a.average {
			l.u = make([]float64, len(coef))
		}
	default:
		if l, err = a.begin(op, b.width); err != nil {
			return nil, err
		}
	}
	if err := b.checkWidth(op, len(l.w)); err != nil {
		return nil, err
	}
	sign := make([]float64, b.n)
	for i, k := range b.index {
		sign[i] = float64(2*k - 1)
	}
	kept := *trace
	a.pass(l, b.examples, sign, inOrder(b.n), &kept)
	if err := l.check(op); err != nil {
		return nil, err
	}
	kept.Converged = false
	*trace = kept
	return l, nil
}
