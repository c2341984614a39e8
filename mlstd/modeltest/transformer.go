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

// Transformer runs the checks of transformers. The function make returns a new, unfitted estimator,
// always with the same parameters and seed.
func Transformer(t *testing.T, make func() model.Transformer, opts Options) {
	t.Helper()
	runChecks(t, transformerChecks(make, opts), opts.Skip)
}

// transformer holds the data that the checks of a transformer share.
type transformer struct {
	x    *mat.Dense
	make func() model.Transformer
	opts Options
}

func (t *transformer) rows() int {
	n, _ := t.x.Dims()
	return n
}

func (t *transformer) fitted(x mat.Matrix) (model.Transformer, error) {
	m := t.make()
	if err := m.Fit(x); err != nil {
		return nil, fmt.Errorf("in Fit: %w", err)
	}
	return m, nil
}

func transformerChecks(make func() model.Transformer, opts Options) []check {
	t := &transformer{x: opts.X, make: make, opts: withDefaults(opts)}
	if t.x == nil {
		t.x, _ = clouds(3, 24, 4)
	}
	return []check{
		{"fit idempotent", t.fitIdempotent},
		{"refit resets", t.refitResets},
		{"inputs untouched", t.inputsUntouched},
		{"nan", t.nan},
		{"inf", t.inf},
		{"empty", t.empty},
		{"failed refit", t.failedRefit},
		{"negative counts", t.negativeCounts},
		{"zero is meant", t.zeroIsMeant},
		{"one row", t.oneRow},
		{"constant column", t.constantColumn},
		{"huge columns", t.hugeColumns},
		{"wrong width", t.wrongWidth},
		{"nan in transform", t.nanInTransform},
		{"nominal column", t.nominalColumn},
		{"names", t.names},
		{"unfitted", t.unfitted},
		{"row permutation", t.rowPermutation},
		{"subset transform", t.subsetTransform},
		{"matrix forms", t.matrixForms},
		{"cancel", t.cancel},
		{"concurrent transform", t.concurrentTransform},
		{"gomaxprocs", t.gomaxprocs},
	}
}

func (t *transformer) fitIdempotent() error {
	x, fitted := t.x, t.fitted
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
	return near(a.Transform(x).Dense, b.Transform(x).Dense, 0)
}

func (t *transformer) zeroIsMeant() error {
	return zeroIsMeant(func() any { return t.make() }, func(est any) error {
		m := est.(model.Transformer)
		if err := m.Fit(t.x); err != nil {
			return err
		}
		return finite(m.Transform(t.x).Dense)
	})
}

func (t *transformer) refitResets() error {
	x, fitted := t.x, t.fitted
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
		return fmt.Errorf("a second Fit must not keep state of the first: %w", err)
	}
	return near(fresh.Transform(x2).Dense, again.Transform(x2).Dense, 0)
}

func (t *transformer) inputsUntouched() error {
	x, fitted := t.x, t.fitted
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
}

func (t *transformer) nan() error {
	x := withValue(t.x, math.NaN())
	if !model.TakesOf(t.make()).Missing {
		return mustRefuse("a NaN in x", func() error { return t.make().Fit(x) })
	}
	m, err := t.fitted(x)
	if err != nil {
		return fmt.Errorf("the model must accept a NaN in x: %w", err)
	}
	out := m.Transform(x).Dense
	if left := model.LeavesOfSteps([]model.Transformer{m}); !left.Missing {
		return finite(out)
	}
	return nil
}

func (t *transformer) inf() error {
	x, make := t.x, t.make
	return mustRefuse("an Inf in x", func() error { return make().Fit(withValue(x, math.Inf(1))) })
}

func (t *transformer) empty() error {
	make := t.make
	return errors.Join(
		mustRefuse("a nil x", func() error { return make().Fit(nil) }),
		mustRefuse("an x without rows", func() error { return make().Fit(&mat.Dense{}) }))
}

func (t *transformer) failedRefit() error {
	x, fitted := t.x, t.fitted
	m, err := fitted(x)
	if err != nil {
		return err
	}
	if m.Fit(&mat.Dense{}) == nil {
		return errors.New("an x without rows was accepted")
	}
	return mustPanic("Transform after a Fit that failed", func() { m.Transform(x) })
}

func (t *transformer) negativeCounts() error {
	x, make := t.x, t.make
	return negativeCounts(func() any { return make() }, func(est any) error { return est.(model.Transformer).Fit(x) })
}

func (t *transformer) oneRow() error {
	x, fitted := t.x, t.fitted
	return refusedOr(func() error {
		one := pick.Rows(x, []int{0})
		m, err := fitted(one)
		if err != nil {
			return err
		}
		return finite(m.Transform(one).Dense)
	})
}

func (t *transformer) constantColumn() error {
	x, fitted := t.x, t.fitted
	c := withConstant(x)
	m, err := fitted(c)
	if err != nil {
		return err
	}
	return finite(m.Transform(c).Dense)
}

func (t *transformer) wrongWidth() error {
	x, fitted := t.x, t.fitted
	m, err := fitted(x)
	if err != nil {
		return err
	}
	return mustPanic("Transform of one column less", func() { m.Transform(dropColumn(x)) })
}

func (t *transformer) nanInTransform() error {
	m, err := t.fitted(t.x)
	if err != nil {
		return err
	}
	err = mustPanic("Transform of an Inf", func() { m.Transform(withValue(t.x, math.Inf(1))) })
	if model.TakesOf(m).Missing {
		m.Transform(withValue(t.x, math.NaN()))
		return err
	}
	return errors.Join(err, mustPanic("Transform of a NaN", func() { m.Transform(withValue(t.x, math.NaN())) }))
}

// nominalColumn uses a table with a column of names. Transformers that accept such columns must
// fit; others must return an error that says how to encode the column.
func (t *transformer) nominalColumn() error {
	x := withNames(t.x)
	if !model.TakesOf(t.make()).Nominal {
		return mustNameEncoder(func() error { return t.make().Fit(x) })
	}
	return refusedOr(func() error {
		m, err := t.fitted(x)
		if err != nil {
			return err
		}
		out := m.Transform(x)
		if model.LeavesOfSteps([]model.Transformer{m}).Nominal {
			return nil
		}
		for j, c := range out.Columns {
			if c.Kind == model.Nominal {
				return fmt.Errorf("column %d, %q, of the result is nominal", j, c.Name)
			}
		}
		return nil
	})
}

// names requires that the columns of the result have names of their own if the input is a table.
func (t *transformer) names() error {
	form := forms(t.x)["a Table"].(*model.Table)
	form.Target = model.Column{Name: "target"}
	m, err := t.fitted(form)
	if err != nil {
		return err
	}
	out := m.Transform(form)
	_, cols := out.Dims()
	if len(out.Columns) != cols {
		return fmt.Errorf("the result of a Table has %d columns and describes %d", cols, len(out.Columns))
	}
	seen := map[string]bool{}
	for j, c := range out.Columns {
		if c.Name == "" || seen[c.Name] {
			return fmt.Errorf("column %d of the result must have a unique, non-empty name, got %q", j, c.Name)
		}
		seen[c.Name] = true
	}
	if out.Target.Name != "target" {
		return errors.New("the result of a Table has lost its Target")
	}
	if bare := m.Transform(t.x); bare.Columns != nil && len(bare.Columns) != cols {
		return fmt.Errorf("the result of a matrix has %d columns and describes %d", cols, len(bare.Columns))
	}
	return nil
}

func (t *transformer) unfitted() error {
	x, make := t.x, t.make
	return mustPanic("Transform before Fit", func() { make().Transform(x) })
}

func (t *transformer) rowPermutation() error {
	x, n, fitted, opts := t.x, t.rows(), t.fitted, t.opts
	a, err := fitted(x)
	if err != nil {
		return err
	}
	b, err := fitted(pick.Rows(x, permutation(n)))
	if err != nil {
		return err
	}
	return near(a.Transform(x).Dense, b.Transform(x).Dense, opts.Tolerance)
}

func (t *transformer) subsetTransform() error {
	x, n, fitted := t.x, t.rows(), t.fitted
	m, err := fitted(x)
	if err != nil {
		return err
	}
	whole := m.Transform(x).Dense
	for _, rows := range [][]int{{0}, {n - 1}, permutation(n)} {
		if err := near(pick.Rows(whole, rows), m.Transform(pick.Rows(x, rows)).Dense, 1e-12); err != nil {
			return err
		}
	}
	return nil
}

func (t *transformer) matrixForms() error {
	x, fitted := t.x, t.fitted
	m, err := fitted(x)
	if err != nil {
		return err
	}
	want := m.Transform(x).Dense
	for name, form := range forms(x) {
		other, err := fitted(form)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := near(want, other.Transform(form).Dense, 0); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (t *transformer) cancel() error {
	x, make := t.x, t.make
	m := make()
	err := stopped(m, func() error { return m.Fit(x) })
	if err != nil || control(m) == nil {
		return err
	}
	return mustPanic("Transform after a stopped Fit", func() { m.Transform(x) })
}

func (t *transformer) concurrentTransform() error {
	x, fitted := t.x, t.fitted
	m, err := fitted(x)
	if err != nil {
		return err
	}
	want := m.Transform(x).Dense
	return atOnce(func() error { return near(want, m.Transform(x).Dense, 0) })
}

func (t *transformer) gomaxprocs() error {
	x, fitted := t.x, t.fitted
	var one, two *mat.Dense
	run := func(out **mat.Dense) func() error {
		return func() error {
			m, err := fitted(x)
			if err == nil {
				*out = m.Transform(x).Dense
			}
			return err
		}
	}
	if err := errors.Join(atProcs(1, run(&one)), atProcs(2, run(&two))); err != nil {
		return err
	}
	return near(one, two, 0)
}
