package modeltest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Clusterer runs the checks of clusterers. The function make returns a new estimator, always with
// the same parameters and seed.
func Clusterer(t *testing.T, make func() model.Clusterer, opts Options) {
	t.Helper()
	runChecks(t, clustererChecks(make, opts), opts.Skip)
}

// stopped requires that fit, whose estimator is est, ends with context.Canceled
// when it is stopped at its first step. An estimator without a Control passes.
func stopped(est any, fit func() error) error {
	c := control(est)
	if c == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	steps := 0
	c.Context = ctx
	c.OnStep = func(model.Step) {
		steps++
		cancel()
	}
	if err := fit(); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a fit stopped at its first step: got %v, want context.Canceled", err)
	}
	if steps != 1 {
		return fmt.Errorf("the function OnStep was called %d times though the fit was to stop at the first", steps)
	}
	return nil
}

// clusterer holds the data that the checks of a clusterer share.
type clusterer struct {
	x    *mat.Dense
	y    []int
	make func() model.Clusterer
	opts Options
}

func (c *clusterer) rows() int {
	n, _ := c.x.Dims()
	return n
}

func clustererChecks(make func() model.Clusterer, opts Options) []check {
	c := &clusterer{x: opts.X, y: opts.Y, make: make, opts: withDefaults(opts)}
	if c.x == nil {
		c.x, c.y = clouds(3, 24, 4)
	}
	return []check{
		{"labels", c.labels},
		{"finds clouds", c.findsClouds},
		{"fit idempotent", c.fitIdempotent},
		{"refit resets", c.refitResets},
		{"inputs untouched", c.inputsUntouched},
		{"nan", c.nan},
		{"inf", c.inf},
		{"nominal column", c.nominalColumn},
		{"empty", c.empty},
		{"one row", c.oneRow},
		{"constant column", c.constantColumn},
		{"huge columns", c.hugeColumns},
		{"row permutation", c.rowPermutation},
		{"matrix forms", c.matrixForms},
		{"cancel", c.cancel},
		{"gomaxprocs", c.gomaxprocs},
	}
}

func (c *clusterer) labels() error {
	x, n, make := c.x, c.rows(), c.make
	labels, err := make().FitPredict(x)
	if err != nil {
		return err
	}
	if len(labels) != n {
		return fmt.Errorf("%d labels for %d rows", len(labels), n)
	}
	seen, top := map[int]bool{}, -1
	for i, l := range labels {
		if l < -1 {
			return fmt.Errorf("row %d has label %d", i, l)
		}
		seen[l] = true
		top = max(top, l)
	}
	for l := range top {
		if !seen[l] {
			return fmt.Errorf("labels go up to %d but %d is not used", top, l)
		}
	}
	return nil
}

func (c *clusterer) findsClouds() error {
	x, y, make, opts := c.x, c.y, c.make, c.opts
	labels, err := make().FitPredict(x)
	if err != nil {
		return err
	}
	if agree := pairAgreement(labels, y); agree < opts.MinScore {
		return fmt.Errorf("pairs grouped as the clouds are: got %.3f, want at least %.3f", agree, opts.MinScore)
	}
	return nil
}

func (c *clusterer) fitIdempotent() error {
	x, make := c.x, c.make
	a, err := make().FitPredict(x)
	if err != nil {
		return err
	}
	b, err := make().FitPredict(x)
	if err != nil {
		return err
	}
	return sameInts(a, b)
}

func (c *clusterer) refitResets() error {
	x, make := c.x, c.make
	x2 := dropColumn(x)
	fresh, again := make(), make()
	want, err := fresh.FitPredict(x2)
	if err != nil {
		return err
	}
	if _, err := again.FitPredict(x); err != nil {
		return err
	}
	got, err := again.FitPredict(x2)
	if err != nil {
		return err
	}
	if err := sameState(fresh, again); err != nil {
		return fmt.Errorf("a second Fit must not keep state of the first: %w", err)
	}
	return sameInts(want, got)
}

func (c *clusterer) inputsUntouched() error {
	x, make := c.x, c.make
	own := mat.DenseCopyOf(x)
	if _, err := make().FitPredict(own); err != nil {
		return err
	}
	if !mat.Equal(own, x) {
		return errors.New("x was changed")
	}
	return nil
}

func (c *clusterer) nan() error {
	x, make := c.x, c.make
	return mustRefuse("a NaN in x", func() error { _, err := make().FitPredict(withValue(x, math.NaN())); return err })
}

func (c *clusterer) nominalColumn() error {
	x := withNames(c.x)
	fit := func() error { _, err := c.make().FitPredict(x); return err }
	if !model.TakesOf(c.make()).Nominal {
		return mustNameEncoder(fit)
	}
	return refusedOr(fit)
}

func (c *clusterer) inf() error {
	x, make := c.x, c.make
	return mustRefuse("an Inf in x", func() error { _, err := make().FitPredict(withValue(x, math.Inf(1))); return err })
}

func (c *clusterer) empty() error {
	make := c.make
	return errors.Join(
		mustRefuse("a nil x", func() error { _, err := make().FitPredict(nil); return err }),
		mustRefuse("an x without rows", func() error { _, err := make().FitPredict(&mat.Dense{}); return err }))
}

func (c *clusterer) oneRow() error {
	x, make := c.x, c.make
	return refusedOr(func() error { _, err := make().FitPredict(pick.Rows(x, []int{0})); return err })
}

func (c *clusterer) constantColumn() error {
	x, make := c.x, c.make
	_, err := make().FitPredict(withConstant(x))
	return err
}

func (c *clusterer) rowPermutation() error {
	x, n, make := c.x, c.rows(), c.make
	p := permutation(n)
	a, err := make().FitPredict(x)
	if err != nil {
		return err
	}
	b, err := make().FitPredict(pick.Rows(x, p))
	if err != nil {
		return err
	}
	if agree := pairAgreement(pick.Of(a, p), b); agree < 1 {
		return fmt.Errorf("only %.3f of the pairs are grouped alike after a permutation of the rows", agree)
	}
	return nil
}

func (c *clusterer) matrixForms() error {
	x, make := c.x, c.make
	want, err := make().FitPredict(x)
	if err != nil {
		return err
	}
	for name, form := range forms(x) {
		got, err := make().FitPredict(form)
		if err == nil {
			err = sameInts(want, got)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (c *clusterer) cancel() error {
	x, make := c.x, c.make
	m := make()
	return stopped(m, func() error { _, err := m.FitPredict(x); return err })
}

func (c *clusterer) gomaxprocs() error {
	x, make := c.x, c.make
	var one, two []int
	run := func(out *[]int) func() error {
		return func() (err error) { *out, err = make().FitPredict(x); return err }
	}
	if err := errors.Join(atProcs(1, run(&one)), atProcs(2, run(&two))); err != nil {
		return err
	}
	return sameInts(one, two)
}

// pairAgreement returns the Rand index: the fraction of pairs of rows that both groupings treat
// alike.
func pairAgreement(a, b []int) float64 {
	alike, pairs := 0, 0
	for i := range a {
		for j := range i {
			pairs++
			if (a[i] == a[j]) == (b[i] == b[j]) {
				alike++
			}
		}
	}
	return float64(alike) / float64(pairs)
}
