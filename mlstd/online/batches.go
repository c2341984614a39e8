package online

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*Perceptron)(nil)
	_ model.BatchFitter = (*ThresholdPerceptron)(nil)
	_ model.BatchFitter = (*PassiveAggressive)(nil)
	_ model.BatchFitter = (*MulticlassPerceptron)(nil)
)

// passes reads the batches until an epoch has no updates. In each epoch it calls learn for the
// examples of each batch with the indices of their classes, in order or shuffled.
func passes(op, name string, control *model.Control, epochs int, shuffle bool, seed uint64, b *model.Batches, trace *MistakeTrace, learn func(e examples, index, order []int) (mistakes, updates int)) error {
	run := control.Begin(name, epochs)
	defer run.End()
	rng := model.Rand(seed, 0)
	for epoch := 1; epoch <= epochs && !trace.Converged; epoch++ {
		mistakes, updates := 0, 0
		err := b.Pass(0, func(p model.Batch) error {
			e, err := checkedExamples(op, p.X, p.Y)
			if err != nil {
				return err
			}
			index, order := make([]int, e.n), inOrder(e.n)
			for i, y := range p.Y {
				index[i], _ = slices.BinarySearch(b.Classes, y)
			}
			if shuffle {
				rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			}
			m, u := learn(e, index, order)
			mistakes, updates = mistakes+m, updates+u
			return run.Err()
		})
		if err != nil {
			return err
		}
		trace.record(mistakes, updates)
		if err := run.Step(epoch, float64(mistakes)/float64(b.Rows)); err != nil {
			return err
		}
		trace.Converged = updates == 0
	}
	return nil
}

// batches is fit for examples in batches.
func (a *additive) batches(op string, control *model.Control, b *model.Batches, coef *[]float64, intercept *float64, classes *[]int, trace *MistakeTrace) (*learned, error) {
	if k := len(b.Classes); k != 2 {
		return nil, model.Errorf(op, "y must have exactly two classes, got %d", k).WithHint("use MulticlassPerceptron for more")
	}
	l, err := a.begin(op, len(b.Columns))
	if err != nil {
		return nil, err
	}
	var made MistakeTrace
	err = passes(op, a.name, control, a.epochs, a.shuffle, a.seed, b, &made, func(e examples, index, order []int) (int, int) {
		sign := make([]float64, e.n)
		for i, k := range index {
			sign[i] = float64(2*k - 1)
		}
		return a.part(l, e, sign, order, &made)
	})
	if err == nil {
		err = l.check(op)
	}
	if err != nil {
		return nil, err
	}
	*coef, *intercept = l.weights()
	*classes, *trace = slices.Clone(b.Classes), made
	return l, nil
}

// FitBatches is Fit for examples in batches, and has the same result. With Shuffle, it shuffles
// only the rows of each batch.
func (p *Perceptron) FitBatches(b *model.Batches) error {
	const op = "Perceptron.FitBatches"
	p.reset()
	if err := model.NoteBatches(op, &p.Fitted, b, model.Nominal); err != nil {
		return err
	}
	a, err := p.rule(op)
	if err == nil {
		p.learned, err = a.batches(op, &p.Control, b, &p.Coef, &p.Intercept, &p.classes, &p.Trace)
	}
	return err
}

// FitBatches is Fit for examples in batches, and has the same result.
func (p *ThresholdPerceptron) FitBatches(b *model.Batches) error {
	const op = "ThresholdPerceptron.FitBatches"
	p.reset()
	if err := model.NoteBatches(op, &p.Fitted, b, model.Nominal); err != nil {
		return err
	}
	a, err := p.rule(op, len(b.Columns))
	if err == nil {
		_, err = a.batches(op, &p.Control, b, &p.Coef, &p.Intercept, &p.classes, &p.Trace)
	}
	return err
}

// FitBatches is Fit for examples in batches, and has the same result. With Shuffle, it shuffles
// only the rows of each batch.
func (p *PassiveAggressive) FitBatches(b *model.Batches) error {
	const op = "PassiveAggressive.FitBatches"
	p.reset()
	if err := model.NoteBatches(op, &p.Fitted, b, model.Nominal); err != nil {
		return err
	}
	a, err := p.rule(op)
	if err == nil {
		p.learned, err = a.batches(op, &p.Control, b, &p.Coef, &p.Intercept, &p.classes, &p.Trace)
	}
	return err
}

// FitBatches is Fit for examples in batches, and has the same result. With Shuffle, it shuffles
// only the rows of each batch.
func (m *MulticlassPerceptron) FitBatches(b *model.Batches) error {
	const op = "MulticlassPerceptron.FitBatches"
	m.reset()
	if err := model.NoteBatches(op, &m.Fitted, b, model.Nominal); err != nil {
		return err
	}
	if err := model.CheckTwoOrMore(op, b.Classes); err != nil {
		return err
	}
	c, epochs, err := m.settings(op)
	if err != nil {
		return err
	}
	l := m.begin(len(b.Classes), len(b.Columns))
	var trace MistakeTrace
	err = passes(op, "MulticlassPerceptron", &m.Control, epochs, m.Shuffle, m.Seed, b, &trace, func(e examples, index, order []int) (int, int) {
		return m.part(l, e, index, order, c)
	})
	if err != nil {
		return err
	}
	m.Trace, m.classes, m.learned = trace, slices.Clone(b.Classes), l
	m.Coef, m.Intercept = l.weights()
	return nil
}
