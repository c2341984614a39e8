package eval

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*Pipeline)(nil)
	_ model.BatchFitter = (*ProbPipeline)(nil)
	_ model.BatchFitter = (*RegressorPipeline)(nil)
)

// fitBatches fits steps and then a model. Each of them must be able to learn from batches.
func fitBatches(op string, steps []model.Transformer, last any, b *model.Batches) error {
	var learners []model.BatchFitter
	for i := range len(steps) + 1 {
		m := last
		if i < len(steps) {
			m = steps[i]
		}
		l, ok := m.(model.BatchFitter)
		if !ok {
			return model.Errorf(op, "every part must be able to learn from a scan, but %T needs all rows in memory", m).
				WithHint("call Collect before Dataset")
		}
		learners = append(learners, l)
	}
	for i, l := range learners {
		if err := l.FitBatches(b); err != nil {
			return err
		}
		if i == len(steps) {
			break
		}
		var err error
		if b, err = transformed(b, steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// transformed returns the batches after a fitted step.
func transformed(b *model.Batches, s model.Transformer) (*model.Batches, error) {
	out := *b
	out.Pass = func(size int, yield func(model.Batch) error) error {
		return b.Pass(size, func(p model.Batch) error {
			p.X = s.Transform(p.X)
			return yield(p)
		})
	}
	enough := errors.New("enough")
	err := out.Pass(0, func(p model.Batch) error {
		out.Columns = model.ColumnsOf(p.X)
		return enough
	})
	if err == enough {
		err = nil
	}
	return &out, err
}

// described has the columns of batches, without rows.
func described(b *model.Batches) *model.Table {
	return &model.Table{Dense: new(mat.Dense), Columns: b.Columns, Target: b.Target}
}

// FitBatches is Fit for examples in batches. Each step and the model must have a method FitBatches.
func (p *Pipeline) FitBatches(b *model.Batches) error {
	model.NoteStepsXY(&p.Fitted, p.Steps, p.Model, described(b), b.Classes)
	return fitBatches("Pipeline.FitBatches", p.Steps, p.Model, b)
}

// FitBatches is Fit for examples in batches. Each step and the model must have a method FitBatches.
func (p *ProbPipeline) FitBatches(b *model.Batches) error {
	model.NoteStepsXY(&p.Fitted, p.Steps, p.Model, described(b), b.Classes)
	return fitBatches("ProbPipeline.FitBatches", p.Steps, p.Model, b)
}

// FitBatches is Fit for examples in batches. Each step and the model must have a method FitBatches.
func (p *RegressorPipeline) FitBatches(b *model.Batches) error {
	model.NoteStepsXYReal(&p.Fitted, p.Steps, p.Model, described(b), nil)
	return fitBatches("RegressorPipeline.FitBatches", p.Steps, p.Model, b)
}
