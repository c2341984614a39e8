package prob

import (
	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*GaussianNB)(nil)
	_ model.BatchFitter = (*MultinomialNB)(nil)
	_ model.BatchFitter = (*BernoulliNB)(nil)
	_ model.BatchFitter = (*CategoricalNB)(nil)
	_ model.BatchFitter = (*NaiveBayes)(nil)
)

// batched gathers the counts or moments of all batches and then makes the estimates.
func batched(op string, s *model.Fitted, b *model.Batches, prior []float64, reset func(), gather func(p model.Batch) error, estimate func() error) error {
	reset()
	err := model.NoteBatches(op, s, b, model.Nominal)
	if err == nil {
		_, err = logPriors(op, prior, false, ones(len(b.Classes)))
	}
	if err == nil {
		err = b.Pass(0, gather)
	}
	if err == nil {
		err = estimate()
	}
	if err != nil {
		reset()
	}
	return err
}

// FitBatches is Fit for examples in batches, which it reads once. The moments equal those of Fit up
// to rounding.
func (g *GaussianNB) FitBatches(b *model.Batches) error {
	const op = "GaussianNB.FitBatches"
	share, err := g.share(op)
	if err != nil {
		return err
	}
	return batched(op, &g.Fitted, b, g.Prior, g.reset, func(p model.Batch) error {
		classes, s, err := g.gather(op, p.X, p.Y, nil, false)
		if err == nil {
			g.classes, g.ClassCount, g.Means, g.squares = classes, s.count, s.means, s.squares
		}
		return err
	}, func() error {
		return g.estimate(op, share, g.classes, spreads{g.ClassCount, g.Means, g.squares})
	})
}

// FitBatches is Fit for examples in batches, which it reads once. The counts equal those of Fit.
func (m *MultinomialNB) FitBatches(b *model.Batches) error {
	const op = "MultinomialNB.FitBatches"
	alpha, err := alphaOf(op, m.Alpha)
	if err != nil {
		return err
	}
	var t tally
	return batched(op, &m.Fitted, b, m.Prior, m.reset, func(p model.Batch) (err error) {
		t, err = t.more(op, p, nil)
		return err
	}, func() error { return m.estimate(op, alpha, t) })
}

// FitBatches is Fit for examples in batches, which it reads once. The counts equal those of Fit.
func (m *BernoulliNB) FitBatches(b *model.Batches) error {
	const op = "BernoulliNB.FitBatches"
	alpha, err := alphaOf(op, m.Alpha)
	if err == nil {
		err = m.checkThreshold(op)
	}
	if err != nil {
		return err
	}
	var t tally
	return batched(op, &m.Fitted, b, m.Prior, m.reset, func(p model.Batch) (err error) {
		t, err = t.more(op, p, &m.Threshold)
		return err
	}, func() error { return m.estimate(op, alpha, t) })
}

// more is plus for a batch.
func (t tally) more(op string, p model.Batch, threshold *float64) (tally, error) {
	e, err := checkExamples(op, p.X, p.Y, nil, false, model.Takes{})
	if err != nil {
		return t, err
	}
	return t.plus(op, e, threshold)
}

// FitBatches is Fit for examples in batches, which it reads once. The counts equal those of Fit.
func (m *CategoricalNB) FitBatches(b *model.Batches) error {
	const op = "CategoricalNB.FitBatches"
	var l learned
	return batched(op, &m.Fitted, b, m.Prior, m.reset, func(p model.Batch) (err error) {
		l, err = l.more(op, p, m.columnsOf(p.X))
		return err
	}, func() error {
		alpha, err := alphaOf(op, m.Alpha)
		if err == nil {
			err = l.estimate(op, alpha, 0, m.Prior, m.UniformPrior)
		}
		if err == nil {
			m.classes, m.ClassCount, m.LogPrior, m.Features = l.classes, l.count, l.logPrior, l.features
		}
		return err
	})
}

// FitBatches is Fit for examples in batches, which it reads once. The counts equal those of Fit,
// and the moments equal those of Fit up to rounding.
func (m *NaiveBayes) FitBatches(b *model.Batches) error {
	const op = "NaiveBayes.FitBatches"
	share, err := m.share(op)
	if err != nil {
		return err
	}
	var l learned
	return batched(op, &m.Fitted, b, m.Prior, m.reset, func(p model.Batch) (err error) {
		l, err = l.more(op, p, m.columnsOf(p.X))
		return err
	}, func() error {
		alpha, err := alphaOf(op, m.Alpha)
		if err == nil {
			err = l.estimate(op, alpha, share, m.Prior, m.UniformPrior)
		}
		if err == nil {
			m.classes, m.ClassCount, m.LogPrior, m.Features = l.classes, l.count, l.logPrior, l.features
		}
		return err
	})
}

// more is plus for a batch.
func (l learned) more(op string, p model.Batch, columns []model.Column) (learned, error) {
	e, err := checkExamples(op, p.X, p.Y, nil, false, model.Takes{Missing: true, Nominal: true})
	if err != nil {
		return l, err
	}
	return l.plus(op, e, columns)
}
