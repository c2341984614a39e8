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

// Embedder runs the checks of embedders. The function make returns a new estimator, always with the
// same parameters and seed.
func Embedder(t *testing.T, make func() model.Embedder, opts Options) {
	t.Helper()
	runChecks(t, embedderChecks(make, opts), opts.Skip)
}

// embedder holds the data that the checks of an embedder share.
type embedder struct {
	x    *mat.Dense
	make func() model.Embedder
	opts Options
}

func embedderChecks(make func() model.Embedder, opts Options) []check {
	e := &embedder{x: opts.X, make: make, opts: withDefaults(opts)}
	if e.x == nil {
		e.x, _ = clouds(3, 24, 4)
	}
	return []check{
		{"shape", e.shape},
		{"fit idempotent", e.fitIdempotent},
		{"refit resets", e.refitResets},
		{"failed refit", e.failedRefit},
		{"inputs untouched", e.inputsUntouched},
		{"nan", e.nan},
		{"inf", e.inf},
		{"empty", e.empty},
		{"negative counts", e.negativeCounts},
		{"one row", e.oneRow},
		{"equal rows", e.equalRows},
		{"constant column", e.constantColumn},
		{"huge columns", e.hugeColumns},
		{"nominal column", e.nominalColumn},
		{"names", e.names},
		{"row permutation", e.rowPermutation},
		{"matrix forms", e.matrixForms},
		{"cancel", e.cancel},
		{"gomaxprocs", e.gomaxprocs},
	}
}

func (e *embedder) points(x mat.Matrix) (*mat.Dense, error) {
	out, err := e.make().FitTransform(x)
	if err != nil {
		return nil, fmt.Errorf("in FitTransform: %w", err)
	}
	return out.Dense, nil
}

func (e *embedder) shape() error {
	y, err := e.points(e.x)
	if err != nil {
		return err
	}
	want, _ := e.x.Dims()
	if n, _ := y.Dims(); n != want {
		return fmt.Errorf("%d points for %d rows", n, want)
	}
	return finite(y)
}

func (e *embedder) fitIdempotent() error {
	a, b := e.make(), e.make()
	if err := errors.Join(a.Fit(e.x), b.Fit(e.x)); err != nil {
		return err
	}
	return sameState(a, b)
}

func (e *embedder) refitResets() error {
	x2 := dropColumn(e.x)
	fresh, again := e.make(), e.make()
	if err := errors.Join(fresh.Fit(x2), again.Fit(e.x), again.Fit(x2)); err != nil {
		return err
	}
	if err := sameState(fresh, again); err != nil {
		return fmt.Errorf("a second Fit must not keep state of the first: %w", err)
	}
	return nil
}

func (e *embedder) failedRefit() error {
	m, fresh := e.make(), e.make()
	if err := m.Fit(e.x); err != nil {
		return err
	}
	if m.Fit(&mat.Dense{}) == nil {
		return errors.New("an x without rows was accepted")
	}
	if err := sameState(m, fresh); err != nil {
		return fmt.Errorf("a failed Fit must not leave state: %w", err)
	}
	return nil
}

func (e *embedder) inputsUntouched() error {
	own := mat.DenseCopyOf(e.x)
	m := e.make()
	out, err := m.FitTransform(own)
	if err != nil {
		return err
	}
	out.Zero()
	if !mat.Equal(own, e.x) {
		return errors.New("x was changed, or the result shares memory with it")
	}
	return nil
}

func (e *embedder) nan() error {
	return mustRefuse("a NaN in x", func() error { return e.make().Fit(withValue(e.x, math.NaN())) })
}

func (e *embedder) inf() error {
	return mustRefuse("an Inf in x", func() error { return e.make().Fit(withValue(e.x, math.Inf(1))) })
}

func (e *embedder) empty() error {
	return errors.Join(
		mustRefuse("a nil x", func() error { return e.make().Fit(nil) }),
		mustRefuse("an x without rows", func() error { return e.make().Fit(&mat.Dense{}) }))
}

func (e *embedder) negativeCounts() error {
	return negativeCounts(func() any { return e.make() }, func(est any) error { return est.(model.Embedder).Fit(e.x) })
}

func (e *embedder) oneRow() error {
	return refusedOr(func() error {
		y, err := e.points(pick.Rows(e.x, []int{0}))
		if err != nil {
			return err
		}
		return finite(y)
	})
}

// equalRows uses rows that are all equal, so that all distances are 0.
func (e *embedder) equalRows() error {
	n, _ := e.x.Dims()
	return refusedOr(func() error {
		y, err := e.points(pick.Rows(e.x, make([]int, n)))
		if err != nil {
			return err
		}
		return finite(y)
	})
}

func (e *embedder) constantColumn() error {
	y, err := e.points(withConstant(e.x))
	if err != nil {
		return err
	}
	return finite(y)
}

func (e *embedder) nominalColumn() error {
	return mustNameEncoder(func() error { return e.make().Fit(withNames(e.x)) })
}

// names requires that the columns of the embedding have names of their own, and that the target of
// a Table is kept.
func (e *embedder) names() error {
	form := forms(e.x)["a Table"].(*model.Table)
	form.Target = model.Column{Name: "target"}
	out, err := e.make().FitTransform(form)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for j, c := range out.Columns {
		if c.Name == "" || seen[c.Name] {
			return fmt.Errorf("column %d of the result must have a unique, non-empty name, got %q", j, c.Name)
		}
		seen[c.Name] = true
	}
	if _, cols := out.Dims(); len(seen) != cols || out.Target.Name != "target" {
		return fmt.Errorf("the result of a Table has %d columns, describes %d, and has the target %q", cols, len(seen), out.Target.Name)
	}
	return nil
}

func (e *embedder) rowPermutation() error {
	n, _ := e.x.Dims()
	p := permutation(n)
	a, err := e.points(e.x)
	if err != nil {
		return err
	}
	b, err := e.points(pick.Rows(e.x, p))
	if err != nil {
		return err
	}
	return near(pick.Rows(a, p), b, e.opts.Tolerance)
}

func (e *embedder) matrixForms() error {
	want, err := e.points(e.x)
	if err != nil {
		return err
	}
	for name, form := range forms(e.x) {
		y, err := e.points(form)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := near(want, y, 0); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (e *embedder) cancel() error {
	m, fresh := e.make(), e.make()
	if err := stopped(m, func() error { return m.Fit(e.x) }); err != nil || control(m) == nil {
		return err
	}
	*control(m) = model.Control{}
	if err := sameState(m, fresh); err != nil {
		return fmt.Errorf("a stopped Fit must not leave state: %w", err)
	}
	return nil
}

func (e *embedder) gomaxprocs() error {
	var one, two *mat.Dense
	run := func(out **mat.Dense) func() error {
		return func() (err error) {
			*out, err = e.points(e.x)
			return err
		}
	}
	if err := errors.Join(atProcs(1, run(&one)), atProcs(2, run(&two))); err != nil {
		return err
	}
	return near(one, two, 0)
}
