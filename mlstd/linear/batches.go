package linear

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*SGDClassifier)(nil)
	_ model.BatchFitter = (*SGDRegressor)(nil)
)

// runBatches is run for examples in batches. It shuffles the rows of each batch. The targets of a
// batch are those of each score; done is called after each pass.
func (d *descents) runBatches(op, name string, control *model.Control, b *model.Batches, targets func(p model.Batch) [][]float64, done func(epoch int)) (model.Trace, error) {
	return d.descend(op, name, control, func(run *model.Run, epoch int, active []int, loss []float64) error {
		sums, at := make([]float64, len(d.states)), 0
		rng := model.Rand(d.seed, uint64(epoch))
		err := b.Pass(0, func(p model.Batch) error {
			n, _ := p.X.Dims()
			var x rows.Matrix
			var err error
			if p.Y != nil {
				x, err = rows.Check(op, p.X, n)
			} else {
				x, err = rows.CheckReal(op, p.X, p.Target)
			}
			if err != nil {
				return err
			}
			order, y := make([]int, n), targets(p)
			for i := range order {
				order[i] = i
			}
			for _, c := range active {
				if d.shuffle {
					rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
				}
				sums[c] = d.set.learn(d.states[c], sums[c], &x, y[c], nil, order)
			}
			at += n
			return run.Err()
		})
		for _, c := range active {
			d.states[c].settle()
			loss[c] = sums[c] / float64(at)
		}
		if err == nil {
			done(epoch)
		}
		return err
	})
}

// FitBatches is Fit for examples in batches. A pass keeps the order of the batches and shuffles the
// rows of each one, so the rows should not be sorted by their classes. With NoShuffle, the result
// equals that of Fit.
func (s *SGDClassifier) FitBatches(b *model.Batches) error {
	const op = "SGDClassifier.FitBatches"
	s.reset()
	s.Fitted = model.Fitted{}
	if err := model.NeedClasses(op, b); err != nil {
		return err
	}
	set, tol, epochs, err := s.settings(op)
	if err != nil {
		return err
	}
	classes, err := s.known(op, b.Classes)
	if err != nil {
		return err
	}
	run := descents{set: set, epochs: epochs, tol: tol, shuffle: !s.NoShuffle, seed: s.Seed}
	for range against(nil, classes) {
		run.states = append(run.states, set.start(len(b.Columns)))
	}
	trace, err := run.runBatches(op, "SGDClassifier", &s.Control, b, func(p model.Batch) [][]float64 { return against(p.Y, classes) }, func(int) {})
	if err != nil {
		return err
	}
	s.classes, s.states, s.Columns, s.Trace = classes, run.states, namesOf(b.Columns), trace
	s.tell()
	model.NoteBatches(&s.Fitted, b, true)
	return nil
}

// FitBatches is Fit for examples in batches. A pass keeps the order of the batches and shuffles the
// rows of each one, so the rows should not be sorted by their targets. With NoShuffle, the result
// equals that of Fit.
func (s *SGDRegressor) FitBatches(b *model.Batches) error {
	const op = "SGDRegressor.FitBatches"
	s.reset()
	s.Fitted = model.Fitted{}
	if err := model.NeedNumbers(op, b); err != nil {
		return err
	}
	set, tol, epochs, err := s.settings(op)
	if err != nil {
		return err
	}
	state := set.start(len(b.Columns))
	run := descents{set: set, states: []*stochastic{state}, epochs: epochs, tol: tol, shuffle: !s.NoShuffle, seed: s.Seed}
	first := 0.0 // the loss of predicting 0
	adapt := s.Tol == 0
	trace, err := run.runBatches(op, "SGDRegressor", &s.Control, b, func(p model.Batch) [][]float64 {
		if adapt {
			for _, v := range p.Target {
				first += set.loss.Value(v, 0)
			}
		}
		return [][]float64{p.Target}
	}, func(int) {
		if adapt { // small targets have small losses
			run.tol *= min(1, first/float64(b.Rows))
			adapt = false
		}
	})
	if err != nil {
		return err
	}
	s.state, s.Columns, s.Trace = state, namesOf(b.Columns), trace
	s.Coef, s.Intercept = state.weights()
	model.NoteBatches(&s.Fitted, b, true)
	return nil
}

func namesOf(columns []model.Column) []string {
	names := make([]string, 0, len(columns))
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return slices.Clip(names)
}
