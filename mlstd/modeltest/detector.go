package modeltest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Detector runs the checks of anomaly detectors. The function make returns a new, unfitted
// estimator, always with the same parameters and seed.
func Detector(t *testing.T, make func() model.Detector, opts Options) {
	t.Helper()
	runChecks(t, detectorChecks(make, opts), opts.Skip)
}

// detector holds the data that the checks of a detector share.
type detector struct {
	x    *mat.Dense
	make func() model.Detector
	opts Options
}

func detectorChecks(make func() model.Detector, opts Options) []check {
	d := &detector{x: opts.X, make: make, opts: withDefaults(opts)}
	if d.x == nil {
		d.x, _ = clouds(1, 80, 4)
	}
	return []check{
		{"finds far rows", d.findsFar},
		{"threshold", d.threshold},
		{"fit idempotent", d.fitIdempotent},
		{"refit resets", d.refitResets},
		{"inputs untouched", d.inputsUntouched},
		{"nan", d.nan},
		{"nominal column", d.nominalColumn},
		{"empty", d.empty},
		{"failed refit", d.failedRefit},
		{"negative counts", d.negativeCounts},
		{"zero is meant", d.zeroIsMeant},
		{"one row", d.oneRow},
		{"constant column", d.constantColumn},
		{"huge columns", d.hugeColumns},
		{"wrong width", d.wrongWidth},
		{"nan in score", d.nanInScore},
		{"unfitted", d.unfitted},
		{"row permutation", d.rowPermutation},
		{"subset score", d.subsetScore},
		{"matrix forms", d.matrixForms},
		{"cancel", d.cancel},
		{"concurrent score", d.concurrentScore},
		{"gomaxprocs", d.gomaxprocs},
	}
}

func (d *detector) rows() int {
	n, _ := d.x.Dims()
	return n
}

func (d *detector) fitted(x mat.Matrix) (model.Detector, error) {
	m := d.make()
	if err := m.Fit(x); err != nil {
		return nil, fmt.Errorf("in Fit: %w", err)
	}
	return m, nil
}

func (d *detector) findsFar() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	_, cols := d.x.Dims()
	far, middle := mat.NewDense(4, cols, nil), mat.NewDense(1, cols, nil)
	for j := range cols {
		middle.Set(0, j, mat.Sum(d.x.ColView(j))/float64(d.rows()))
		for i, sign := range []float64{1, -1, float64(1 - j%2*2), float64(j%2*2 - 1)} {
			far.Set(i, j, 1000*sign)
		}
	}
	for i, found := range m.Predict(far) {
		if !found {
			return fmt.Errorf("row %d of the outliers is not an anomaly", i)
		}
	}
	if m.Predict(middle)[0] {
		return errors.New("the mean of the rows is an anomaly")
	}
	inner := m.Score(middle)[0]
	for i, s := range m.Score(far) {
		if s <= inner {
			return fmt.Errorf("row %d of the outliers has score %v, but the mean of the rows has score %v", i, s, inner)
		}
	}
	return nil
}

// threshold requires that no anomaly has a lower score than a normal row.
func (d *detector) threshold() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	found, scores := m.Predict(d.x), m.Score(d.x)
	if len(found) != d.rows() || len(scores) != d.rows() {
		return fmt.Errorf("%d scores and %d predictions for %d rows", len(scores), len(found), d.rows())
	}
	for i, s := range scores {
		if math.IsNaN(s) {
			return fmt.Errorf("the score of row %d is NaN", i)
		}
		if found[i] {
			lowest = min(lowest, s)
		} else {
			highest = max(highest, s)
		}
	}
	if lowest < highest {
		return fmt.Errorf("a row with score %v is an anomaly, but a row with score %v is not", lowest, highest)
	}
	return nil
}

func (d *detector) fitIdempotent() error {
	a, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	b, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	if err := sameState(a, b); err != nil {
		return err
	}
	return nearSlice(a.Score(d.x), b.Score(d.x), 0)
}

func (d *detector) refitResets() error {
	x2 := dropColumn(d.x)
	fresh, err := d.fitted(x2)
	if err != nil {
		return err
	}
	again, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	if err := again.Fit(x2); err != nil {
		return err
	}
	if err := sameState(fresh, again); err != nil {
		return fmt.Errorf("a second Fit must not keep state of the first: %w", err)
	}
	return nearSlice(fresh.Score(x2), again.Score(x2), 0)
}

func (d *detector) inputsUntouched() error {
	c := mat.DenseCopyOf(d.x)
	m, err := d.fitted(c)
	if err != nil {
		return err
	}
	before := m.Score(d.x)
	if !mat.Equal(c, d.x) {
		return errors.New("x was changed")
	}
	c.Zero()
	if err := nearSlice(before, m.Score(d.x), 0); err != nil {
		return fmt.Errorf("the model shares memory with x: %w", err)
	}
	return nil
}

func (d *detector) nan() error {
	return errors.Join(
		mustRefuse("a NaN in x", func() error { return d.make().Fit(withValue(d.x, math.NaN())) }),
		mustRefuse("an Inf in x", func() error { return d.make().Fit(withValue(d.x, math.Inf(1))) }))
}

func (d *detector) nominalColumn() error {
	return mustNameEncoder(func() error { return d.make().Fit(withNames(d.x)) })
}

func (d *detector) empty() error {
	return errors.Join(
		mustRefuse("a nil x", func() error { return d.make().Fit(nil) }),
		mustRefuse("an x without rows", func() error { return d.make().Fit(&mat.Dense{}) }))
}

func (d *detector) failedRefit() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	if m.Fit(&mat.Dense{}) == nil {
		return errors.New("an x without rows was accepted")
	}
	return mustPanic("Score after a Fit that failed", func() { m.Score(d.x) })
}

func (d *detector) negativeCounts() error {
	return negativeCounts(func() any { return d.make() }, func(est any) error { return est.(model.Detector).Fit(d.x) })
}

func (d *detector) zeroIsMeant() error {
	return zeroIsMeant(func() any { return d.make() }, func(est any) error {
		m := est.(model.Detector)
		if err := m.Fit(d.x); err != nil {
			return err
		}
		scores := m.Score(d.x)
		return finite(mat.NewDense(len(scores), 1, scores))
	})
}

func (d *detector) oneRow() error {
	return refusedOr(func() error { _, err := d.fitted(pick.Rows(d.x, []int{0})); return err })
}

func (d *detector) constantColumn() error {
	c := withConstant(d.x)
	return refusedOr(func() error {
		m, err := d.fitted(c)
		if err != nil {
			return err
		}
		for i, s := range m.Score(c) {
			if math.IsNaN(s) {
				return fmt.Errorf("the score of row %d is NaN", i)
			}
		}
		return nil
	})
}

func (d *detector) wrongWidth() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	return errors.Join(
		mustPanic("Score of one column less", func() { m.Score(dropColumn(d.x)) }),
		mustPanic("Predict of one column less", func() { m.Predict(dropColumn(d.x)) }))
}

func (d *detector) nanInScore() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	return errors.Join(
		mustPanic("Score of a NaN", func() { m.Score(withValue(d.x, math.NaN())) }),
		mustPanic("Predict of a NaN", func() { m.Predict(withValue(d.x, math.NaN())) }))
}

func (d *detector) unfitted() error {
	return errors.Join(
		mustPanic("Score before Fit", func() { d.make().Score(d.x) }),
		mustPanic("Predict before Fit", func() { d.make().Predict(d.x) }))
}

func (d *detector) rowPermutation() error {
	a, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	b, err := d.fitted(pick.Rows(d.x, permutation(d.rows())))
	if err != nil {
		return err
	}
	return nearSlice(a.Score(d.x), b.Score(d.x), d.opts.Tolerance)
}

func (d *detector) subsetScore() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	whole := m.Score(d.x)
	for _, rows := range [][]int{{0}, {d.rows() - 1}, permutation(d.rows())} {
		if err := nearSlice(pick.Of(whole, rows), m.Score(pick.Rows(d.x, rows)), 1e-12); err != nil {
			return err
		}
	}
	return nil
}

func (d *detector) matrixForms() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	want := m.Score(d.x)
	for name, form := range forms(d.x) {
		other, err := d.fitted(form)
		if err == nil {
			err = nearSlice(want, other.Score(form), 0)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (d *detector) cancel() error {
	m := d.make()
	return stopped(m, func() error { return m.Fit(d.x) })
}

func (d *detector) concurrentScore() error {
	m, err := d.fitted(d.x)
	if err != nil {
		return err
	}
	want := m.Score(d.x)
	return atOnce(func() error { return nearSlice(want, m.Score(d.x), 0) })
}

func (d *detector) gomaxprocs() error {
	var one, two []float64
	run := func(out *[]float64) func() error {
		return func() error {
			m, err := d.fitted(d.x)
			if err == nil {
				*out = m.Score(d.x)
			}
			return err
		}
	}
	if err := errors.Join(atProcs(1, run(&one)), atProcs(2, run(&two))); err != nil {
		return err
	}
	return nearSlice(one, two, 0)
}
