package modeltest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

func (s *supervised) checks() []check {
	list := []check{
		// This check comes first, since an estimator that changes its input would spoil the other
		// checks.
		{"inputs untouched", s.inputsUntouched},
		{"fit idempotent", s.fitIdempotent},
		{"refit resets", s.refitResets},
		{"failed refit", s.failedRefit},
		{"nan", s.nan},
		{"inf", s.inf},
		{"empty", s.empty},
		{"negative counts", s.negativeCounts},
		{"wrong length", s.wrongLength},
		{"one row", s.oneRow},
		{"one column", s.oneColumn},
		{"constant column", s.constantColumn},
		{"huge columns", s.hugeColumns},
		{"wrong width", s.wrongWidth},
		{"nan in predict", s.nanInPredict},
		{"nominal column", s.nominalColumn},
		{"zero is meant", s.zeroIsMeant},
		{"unfitted", s.unfitted},
		{"row permutation", s.rowPermutation},
		{"subset predict", s.subsetPredict},
		{"matrix forms", s.matrixForms},
		{"concurrent predict", s.concurrentPredict},
		{"gomaxprocs", s.gomaxprocs},
		{"data not kept", s.dataNotKept},
		{"cancel", s.cancel},
	}
	if s.weighted != nil {
		list = append(list, check{"weights", func() error { return s.weights(s.rows()) }})
	}
	return list
}

func (s *supervised) rows() int {
	n, _ := s.x.Dims()
	return n
}

func (s *supervised) inputsUntouched() error {
	x, y := mat.DenseCopyOf(s.x), slices.Clone(s.y)
	est, err := s.fitted(x, y)
	if err != nil {
		return err
	}
	s.predict(est, x)
	if !mat.Equal(x, s.x) || !slices.Equal(y, s.y) {
		return errors.New("x or y was changed")
	}
	return nil
}

func (s *supervised) fitIdempotent() error {
	a, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	b, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	if err := sameState(a, b); err != nil {
		return fmt.Errorf("two fits with the same seed differ: %w", err)
	}
	return s.predict(a, s.x).same(s.predict(b, s.x), 0)
}

func (s *supervised) refitResets() error {
	fresh, err := s.fitted(s.x2, s.y2)
	if err != nil {
		return err
	}
	again, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	if err := s.fit(again, s.x2, s.y2); err != nil {
		return err
	}
	if err := sameState(fresh, again); err != nil {
		return fmt.Errorf("a second Fit must not keep state of the first: %w", err)
	}
	return s.predict(fresh, s.x2).same(s.predict(again, s.x2), 0)
}

func (s *supervised) failedRefit() error {
	n := s.rows()
	failing := []func(est any) error{func(est any) error { return s.fit(est, s.x, s.y[1:]) }}
	if s.weighted != nil {
		bad := slices.Repeat([]float64{1}, n)
		bad[0] = -1
		failing = append(failing, func(est any) error { return s.weighted(est, s.x, s.y, bad) })
	}
	for _, fail := range failing {
		est, err := s.fitted(s.x, s.y)
		if err != nil {
			return err
		}
		if fail(est) == nil {
			return errors.New("a y that is too short, or a negative weight, was accepted")
		}
		if err := mustPanic("Predict after a Fit that failed", func() { s.predict(est, s.x) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *supervised) nan() error {
	x := withValue(s.x, math.NaN())
	if !model.TakesOf(s.make()).Missing {
		return mustRefuse("a NaN in x", func() error { return s.fit(s.make(), x, s.y) })
	}
	n := s.rows()
	for i := 0; i < n; i += 7 {
		x.Set(i, i%2, math.NaN())
	}
	est, err := s.fitted(x, s.y)
	if err != nil {
		return fmt.Errorf("the model must accept a NaN in x: %w", err)
	}
	r := s.predict(est, x)
	again, err := s.fitted(x, s.y)
	if err != nil {
		return err
	}
	if err := r.same(s.predict(again, x), 0); err != nil {
		return fmt.Errorf("two fits with missing values differ: %w", err)
	}
	for i, v := range r.values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("row %d of a matrix with missing values: predicts %v", i, v)
		}
	}
	if r.proba != nil {
		return finite(r.proba)
	}
	return nil
}

// nominalColumn uses a table with a column of names. Estimators that accept such columns must fit;
// others must return an error that says how to encode the column.
func (s *supervised) nominalColumn() error {
	x := withNames(s.x)
	if !model.TakesOf(s.make()).Nominal {
		return mustNameEncoder(func() error { return s.fit(s.make(), x, s.y) })
	}
	return refusedOr(func() error {
		est, err := s.fitted(x, s.y)
		if err != nil {
			return err
		}
		s.predict(est, x)
		return nil
	})
}

func (s *supervised) inf() error {
	return mustRefuse("an Inf in x", func() error { return s.fit(s.make(), withValue(s.x, math.Inf(-1)), s.y) })
}

func (s *supervised) empty() error {
	return errors.Join(
		mustRefuse("a nil x", func() error { return s.fit(s.make(), nil, nil) }),
		mustRefuse("an x without rows", func() error { return s.fit(s.make(), &mat.Dense{}, nil) }))
}

func (s *supervised) negativeCounts() error {
	return negativeCounts(s.make, func(est any) error { return s.fit(est, s.x, s.y) })
}

func (s *supervised) wrongLength() error {
	return mustRefuse("a y that is too short", func() error { return s.fit(s.make(), s.x, s.y[1:]) })
}

func (s *supervised) oneRow() error {
	return refusedOr(func() error {
		x := pick.Rows(s.x, []int{0})
		est, err := s.fitted(x, s.y[:1])
		if err != nil {
			return err
		}
		return s.predict(est, x).same(s.predict(est, x), 0)
	})
}

func (s *supervised) oneColumn() error {
	n := s.rows()
	return refusedOr(func() error {
		x := mat.DenseCopyOf(s.x.Slice(0, n, 0, 1))
		est, err := s.fitted(x, s.y)
		if err != nil {
			return err
		}
		s.predict(est, x)
		return nil
	})
}

func (s *supervised) constantColumn() error {
	x := withConstant(s.x)
	est, err := s.fitted(x, s.y)
	if err != nil {
		return err
	}
	r := s.predict(est, x)
	for _, v := range r.values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("a prediction is %v", v)
		}
	}
	if r.proba != nil {
		return finite(r.proba)
	}
	return nil
}

func (s *supervised) wrongWidth() error {
	est, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	return mustPanic("Predict of one column less", func() { s.predict(est, dropColumn(s.x)) })
}

func (s *supervised) nanInPredict() error {
	est, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	err = mustPanic("Predict of an Inf", func() { s.predict(est, withValue(s.x, math.Inf(1))) })
	if model.TakesOf(est).Missing {
		s.predict(est, withValue(s.x, math.NaN()))
		return err
	}
	return errors.Join(err, mustPanic("Predict of a NaN", func() { s.predict(est, withValue(s.x, math.NaN())) }))
}

// zeroIsMeant sets each numeric parameter to model.Zero, which means 0 and not a tiny number. The
// estimator must use 0 or reject 0.
func (s *supervised) zeroIsMeant() error {
	return zeroIsMeant(s.make, func(est any) error {
		if err := s.fit(est, s.x, s.y); err != nil {
			return err
		}
		r := s.predict(est, s.x)
		for i, v := range r.values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("row %d: predicts %v", i, v)
			}
		}
		if r.proba != nil {
			return finite(r.proba)
		}
		return nil
	})
}

// positive are the names of parameters for which zero makes no sense, so that model.Zero is an
// error.
var positive = []string{"C", "CUnlabeled", "Nu", "Rate"}

// zeroIsMeant sets every exported float64 field of a fresh estimator to model.Zero, one field at a
// time, and uses the estimator. It must return an error about the value 0, or finite results.
func zeroIsMeant(fresh func() any, use func(est any) error) error {
	kind := reflect.TypeOf(fresh())
	if kind.Kind() != reflect.Pointer || kind.Elem().Kind() != reflect.Struct {
		return nil
	}
	var faults []error
	for _, f := range reflect.VisibleFields(kind.Elem()) {
		if !f.IsExported() || f.Type.Kind() != reflect.Float64 || f.Name == "Tol" { // 0 runs all iterations
			continue
		}
		est := fresh()
		reflect.ValueOf(est).Elem().FieldByIndex(f.Index).SetFloat(model.Zero)
		if slices.Contains(positive, f.Name) {
			faults = append(faults, mustRefuse(f.Name+" of model.Zero", func() error { return use(est) }))
			continue
		}
		err := refusedOr(func() error {
			err := use(est)
			if err != nil && strings.Contains(err.Error(), "e-324") {
				return errors.New("it is refused as a tiny number, not as 0: read it through model.Or")
			}
			return err
		})
		if err != nil {
			faults = append(faults, fmt.Errorf("%s of model.Zero: %w", f.Name, err))
		}
	}
	return errors.Join(faults...)
}

func (s *supervised) unfitted() error {
	return mustPanic("Predict before Fit", func() { s.predict(s.make(), s.x) })
}

func (s *supervised) rowPermutation() error {
	n := s.rows()
	p := permutation(n)
	a, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	b, err := s.fitted(pick.Rows(s.x, p), pick.Of(s.y, p))
	if err != nil {
		return err
	}
	return s.predict(a, s.x).same(s.predict(b, s.x), s.opts.Tolerance)
}

func (s *supervised) subsetPredict() error {
	n := s.rows()
	est, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	whole := s.predict(est, s.x)
	for _, rows := range [][]int{{0}, {n - 1}, {1, 3, 2}, permutation(n)} {
		// Blocked products may sum in a different order for a different shape.
		if err := whole.rows(rows).same(s.predict(est, pick.Rows(s.x, rows)), 1e-12); err != nil {
			return fmt.Errorf("rows %v alone: %w", rows[:min(3, len(rows))], err)
		}
	}
	return nil
}

func (s *supervised) matrixForms() error {
	est, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	want := s.predict(est, s.x)
	for name, x := range forms(s.x) {
		other, err := s.fitted(x, s.y)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := want.same(s.predict(other, x), 0); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (s *supervised) concurrentPredict() error {
	est, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	want := s.predict(est, s.x)
	return atOnce(func() error { return want.same(s.predict(est, s.x), 0) })
}

func (s *supervised) gomaxprocs() error {
	var one, two results
	run := func(r *results) func() error {
		return func() error {
			est, err := s.fitted(s.x, s.y)
			if err == nil {
				*r = s.predict(est, s.x)
			}
			return err
		}
	}
	if err := errors.Join(atProcs(1, run(&one)), atProcs(2, run(&two))); err != nil {
		return err
	}
	return one.same(two, 0)
}

func (s *supervised) dataNotKept() error {
	x, y := mat.DenseCopyOf(s.x), slices.Clone(s.y)
	est, err := s.fitted(x, y)
	if err != nil {
		return err
	}
	want := s.predict(est, s.x)
	x.Zero()
	clear(y)
	return want.same(s.predict(est, s.x), 0)
}
