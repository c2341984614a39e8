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

// Transformer runs the checks of transformers. make gives a new, unfitted
// estimator, always with the same parameters and seed.
func Transformer(t *testing.T, make func() model.Transformer, opts Options) {
	t.Helper()
	runChecks(t, transformerChecks(make, opts), opts.Skip)
}

// Clusterer runs the checks of clusterers. make gives a new estimator, always
// with the same parameters and seed.
func Clusterer(t *testing.T, make func() model.Clusterer, opts Options) {
	t.Helper()
	runChecks(t, clustererChecks(make, opts), opts.Skip)
}

func transformerChecks(make func() model.Transformer, opts Options) []check {
	opts = withDefaults(opts)
	x := opts.X
	if x == nil {
		x, _ = clouds(3, 24, 4)
	}
	n, _ := x.Dims()
	fitted := func(x mat.Matrix) (model.Transformer, error) {
		m := make()
		if err := m.Fit(x); err != nil {
			return nil, fmt.Errorf("in Fit: %w", err)
		}
		return m, nil
	}
	return []check{
		{"fit idempotent", func() error {
			a, err := fitted(x)
			if err != nil {
				return err
			}
			b, err := fitted(x)
			if err != nil {
				return err
			}
			if err := sameState(a, b); err != nil {
				return err
			}
			return near(a.Transform(x), b.Transform(x), 0)
		}},
		{"refit resets", func() error {
			x2 := dropColumn(x)
			fresh, err := fitted(x2)
			if err != nil {
				return err
			}
			again, err := fitted(x)
			if err != nil {
				return err
			}
			if err := again.Fit(x2); err != nil {
				return err
			}
			if err := sameState(fresh, again); err != nil {
				return fmt.Errorf("a refit keeps something: %w", err)
			}
			return near(fresh.Transform(x2), again.Transform(x2), 0)
		}},
		{"inputs untouched", func() error {
			c := mat.DenseCopyOf(x)
			m, err := fitted(c)
			if err != nil {
				return err
			}
			out := m.Transform(c)
			if !mat.Equal(c, x) {
				return errors.New("x was changed")
			}
			out.Zero()
			if !mat.Equal(c, x) {
				return errors.New("the result shares memory with x")
			}
			return nil
		}},
		{"nan", func() error {
			return mustRefuse("a NaN in x", func() error { return make().Fit(withValue(x, math.NaN())) })
		}},
		{"inf", func() error {
			return mustRefuse("an Inf in x", func() error { return make().Fit(withValue(x, math.Inf(1))) })
		}},
		{"empty", func() error {
			return errors.Join(
				mustRefuse("a nil x", func() error { return make().Fit(nil) }),
				mustRefuse("an x without rows", func() error { return make().Fit(&mat.Dense{}) }))
		}},
		{"failed refit", func() error {
			m, err := fitted(x)
			if err != nil {
				return err
			}
			if m.Fit(&mat.Dense{}) == nil {
				return errors.New("an x without rows was accepted")
			}
			return mustPanic("Transform after a Fit that failed", func() { m.Transform(x) })
		}},
		{"negative counts", func() error {
			return negativeCounts(func() any { return make() }, func(est any) error { return est.(model.Transformer).Fit(x) })
		}},
		{"one row", func() error {
			return refusedOr(func() error {
				one := pick.Rows(x, []int{0})
				m, err := fitted(one)
				if err != nil {
					return err
				}
				return finite(m.Transform(one))
			})
		}},
		{"constant column", func() error {
			c := withConstant(x)
			m, err := fitted(c)
			if err != nil {
				return err
			}
			return finite(m.Transform(c))
		}},
		{"wrong width", func() error {
			m, err := fitted(x)
			if err != nil {
				return err
			}
			return mustPanic("Transform of one column less", func() { m.Transform(dropColumn(x)) })
		}},
		{"nan in transform", func() error {
			m, err := fitted(x)
			if err != nil {
				return err
			}
			return errors.Join(
				mustPanic("Transform of a NaN", func() { m.Transform(withValue(x, math.NaN())) }),
				mustPanic("Transform of an Inf", func() { m.Transform(withValue(x, math.Inf(1))) }))
		}},
		{"unfitted", func() error {
			return mustPanic("Transform before Fit", func() { make().Transform(x) })
		}},
		{"row permutation", func() error {
			a, err := fitted(x)
			if err != nil {
				return err
			}
			b, err := fitted(pick.Rows(x, permutation(n)))
			if err != nil {
				return err
			}
			return near(a.Transform(x), b.Transform(x), opts.Tolerance)
		}},
		{"subset transform", func() error {
			m, err := fitted(x)
			if err != nil {
				return err
			}
			whole := m.Transform(x)
			for _, rows := range [][]int{{0}, {n - 1}, permutation(n)} {
				if err := near(pick.Rows(whole, rows), m.Transform(pick.Rows(x, rows)), 1e-12); err != nil {
					return err
				}
			}
			return nil
		}},
		{"matrix forms", func() error {
			m, err := fitted(x)
			if err != nil {
				return err
			}
			want := m.Transform(x)
			for name, form := range forms(x) {
				other, err := fitted(form)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				if err := near(want, other.Transform(form), 0); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return nil
		}},
		{"cancel", func() error {
			m := make()
			err := stopped(m, func() error { return m.Fit(x) })
			if err != nil || control(m) == nil {
				return err
			}
			return mustPanic("Transform after a stopped Fit", func() { m.Transform(x) })
		}},
		{"concurrent transform", func() error {
			m, err := fitted(x)
			if err != nil {
				return err
			}
			want := m.Transform(x)
			return atOnce(func() error { return near(want, m.Transform(x), 0) })
		}},
		{"gomaxprocs", func() error {
			var one, two *mat.Dense
			run := func(out **mat.Dense) func() error {
				return func() error {
					m, err := fitted(x)
					if err == nil {
						*out = m.Transform(x)
					}
					return err
				}
			}
			if err := errors.Join(atProcs(1, run(&one)), atProcs(2, run(&two))); err != nil {
				return err
			}
			return near(one, two, 0)
		}},
	}
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

func clustererChecks(make func() model.Clusterer, opts Options) []check {
	opts = withDefaults(opts)
	x, y := opts.X, opts.Y
	if x == nil {
		x, y = clouds(3, 24, 4)
	}
	n, _ := x.Dims()
	return []check{
		{"labels", func() error {
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
		}},
		{"finds clouds", func() error {
			labels, err := make().FitPredict(x)
			if err != nil {
				return err
			}
			if agree := pairAgreement(labels, y); agree < opts.MinScore {
				return fmt.Errorf("pairs grouped as the clouds are: got %.3f, want at least %.3f", agree, opts.MinScore)
			}
			return nil
		}},
		{"fit idempotent", func() error {
			a, err := make().FitPredict(x)
			if err != nil {
				return err
			}
			b, err := make().FitPredict(x)
			if err != nil {
				return err
			}
			return sameInts(a, b)
		}},
		{"refit resets", func() error {
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
				return fmt.Errorf("a refit keeps something: %w", err)
			}
			return sameInts(want, got)
		}},
		{"inputs untouched", func() error {
			c := mat.DenseCopyOf(x)
			if _, err := make().FitPredict(c); err != nil {
				return err
			}
			if !mat.Equal(c, x) {
				return errors.New("x was changed")
			}
			return nil
		}},
		{"nan", func() error {
			return mustRefuse("a NaN in x", func() error { _, err := make().FitPredict(withValue(x, math.NaN())); return err })
		}},
		{"inf", func() error {
			return mustRefuse("an Inf in x", func() error { _, err := make().FitPredict(withValue(x, math.Inf(1))); return err })
		}},
		{"empty", func() error {
			return errors.Join(
				mustRefuse("a nil x", func() error { _, err := make().FitPredict(nil); return err }),
				mustRefuse("an x without rows", func() error { _, err := make().FitPredict(&mat.Dense{}); return err }))
		}},
		{"one row", func() error {
			return refusedOr(func() error { _, err := make().FitPredict(pick.Rows(x, []int{0})); return err })
		}},
		{"constant column", func() error {
			_, err := make().FitPredict(withConstant(x))
			return err
		}},
		{"row permutation", func() error {
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
		}},
		{"matrix forms", func() error {
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
		}},
		{"cancel", func() error {
			m := make()
			return stopped(m, func() error { _, err := m.FitPredict(x); return err })
		}},
		{"gomaxprocs", func() error {
			var one, two []int
			run := func(out *[]int) func() error {
				return func() (err error) { *out, err = make().FitPredict(x); return err }
			}
			if err := errors.Join(atProcs(1, run(&one)), atProcs(2, run(&two))); err != nil {
				return err
			}
			return sameInts(one, two)
		}},
	}
}

// pairAgreement is the Rand index: the share of pairs of rows that both
// groupings treat alike.
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
