package linear

import (
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*SGDClassifier)(nil)
	_ model.BatchFitter = (*SGDRegressor)(nil)
)

// runBatches is run for examples in batches. It shuffles the rows of each batch. The targets of a
// batch are those of each score; done is called after each pass.
func (d *descents) runBatches(op, name string, control *model.Control, b *model.Batches, targets func(p model.Batch) [][]float64, done func()) (model.Trace, error) {
	return d.descend(op, name, control, func(run *model.Run, epoch int, active []int, loss []float64) error {
		for _, c := range active {
			loss[c] = 0
		}
		rng := model.Rand(d.seed, uint64(epoch))
		err := b.Pass(0, func(p model.Batch) error {
			y := targets(p)
			x, err := rows.CheckReal(op, p.X, y[0])
			if err != nil {
				return err
			}
			order, _ := batchOrder(op, &x, x.Width)
			for _, c := range active {
				if d.shuffle {
					rng.Shuffle(x.N, func(i, j int) { order[i], order[j] = order[j], order[i] })
				}
				loss[c] = d.set.learn(d.states[c], loss[c], &x, y[c], nil, order)
			}
			return run.Err()
		})
		for _, c := range active {
			d.states[c].settle()
			loss[c] /= float64(b.Rows)
		}
		done()
		return err
	})
}

// FitBatches is Fit for examples in batches. A pass keeps the order of the batches and shuffles the
// rows of each one, so the rows should not be sorted by their classes. With NoShuffle, the result
// equals that of Fit.
func (s *SGDClassifier) FitBatches(b *model.Batches) error {
	const op = "SGDClassifier.FitBatches"
	s.reset()
	if err := model.NoteBatches(op, &s.Fitted, b, model.Nominal); err != nil {
		return err
	}
	run, classes, err := s.descents(op, b.Classes, len(b.Columns))
	if err != nil {
		return err
	}
	return s.keep(run, classes, b.Names(), func() (model.Trace, error) {
		return run.runBatches(op, "SGDClassifier", &s.Control, b, func(p model.Batch) [][]float64 { return against(p.Y, classes) }, func() {})
	})
}

// FitBatches is Fit for examples in batches. A pass keeps the order of the batches and shuffles the
// rows of each one, so the rows should not be sorted by their targets. With NoShuffle, the result
// equals that of Fit.
func (s *SGDRegressor) FitBatches(b *model.Batches) error {
	const op = "SGDRegressor.FitBatches"
	s.reset()
	if err := model.NoteBatches(op, &s.Fitted, b, model.Numeric); err != nil {
		return err
	}
	run, err := s.descents(op, len(b.Columns))
	if err != nil {
		return err
	}
	zero, first := 0.0, s.Tol == 0 // the loss of predicting 0, in the first pass
	return s.keep(run, b.Names(), func() (model.Trace, error) {
		return run.runBatches(op, "SGDRegressor", &s.Control, b, func(p model.Batch) [][]float64 {
			if first {
				zero += meanLoss(run.set.loss, p.Target, nil) * float64(len(p.Target))
			}
			return [][]float64{p.Target}
		}, func() {
			if first { // small targets have small losses
				run.tol *= min(1, zero/float64(b.Rows))
			}
			first = false
		})
	})
}
