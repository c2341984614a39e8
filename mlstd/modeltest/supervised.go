package modeltest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// results are all that a fitted supervised model says about some rows.
type results struct {
	classes []int      // Predict of a classifier
	values  []float64  // Predict of a regressor
	proba   *mat.Dense // PredictProba, if there is one
	scores  *mat.Dense // Decision, if there is one
}

func (a results) same(b results, tol float64) error {
	if err := sameInts(a.classes, b.classes); err != nil {
		return fmt.Errorf("in Predict: %w", err)
	}
	if err := nearSlice(a.values, b.values, tol); err != nil {
		return fmt.Errorf("in Predict: %w", err)
	}
	if err := near(a.proba, b.proba, tol); err != nil {
		return fmt.Errorf("in PredictProba: %w", err)
	}
	if err := near(a.scores, b.scores, tol); err != nil {
		return fmt.Errorf("in Decision: %w", err)
	}
	return nil
}

func (a results) rows(rows []int) results {
	var s results
	if a.classes != nil {
		s.classes = pick.Of(a.classes, rows)
	}
	if a.values != nil {
		s.values = pick.Of(a.values, rows)
	}
	if a.proba != nil {
		s.proba = pick.Rows(a.proba, rows)
	}
	if a.scores != nil {
		s.scores = pick.Rows(a.scores, rows)
	}
	return s
}

// supervised is what the checks of classifiers and regressors have in common: y
// stands for the target as a real number.
type supervised struct {
	x, x2 *mat.Dense
	y, y2 []float64
	opts  Options
	make  func() any
	fit   func(est any, x mat.Matrix, y []float64) error
	// weighted is nil when the estimator takes no weights.
	weighted func(est any, x mat.Matrix, y, w []float64) error
	predict  func(est any, x mat.Matrix) results
}

func (s *supervised) fitted(x mat.Matrix, y []float64) (any, error) {
	est := s.make()
	if err := s.fit(est, x, y); err != nil {
		return nil, fmt.Errorf("in Fit: %w", err)
	}
	return est, nil
}

func (s *supervised) checks() []check {
	n, _ := s.x.Dims()
	list := []check{
		// First, since an estimator that spoils its input spoils the other checks.
		{"inputs untouched", func() error {
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
		}},
		{"fit idempotent", func() error {
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
		}},
		{"refit resets", func() error {
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
				return fmt.Errorf("a refit keeps something: %w", err)
			}
			return s.predict(fresh, s.x2).same(s.predict(again, s.x2), 0)
		}},
		{"failed refit", func() error {
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
		}},
		{"nan", func() error {
			return mustRefuse("a NaN in x", func() error { return s.fit(s.make(), withValue(s.x, math.NaN()), s.y) })
		}},
		{"inf", func() error {
			return mustRefuse("an Inf in x", func() error { return s.fit(s.make(), withValue(s.x, math.Inf(-1)), s.y) })
		}},
		{"empty", func() error {
			return errors.Join(
				mustRefuse("a nil x", func() error { return s.fit(s.make(), nil, nil) }),
				mustRefuse("an x without rows", func() error { return s.fit(s.make(), &mat.Dense{}, nil) }))
		}},
		{"negative counts", func() error {
			return negativeCounts(s.make, func(est any) error { return s.fit(est, s.x, s.y) })
		}},
		{"wrong length", func() error {
			return mustRefuse("a y that is too short", func() error { return s.fit(s.make(), s.x, s.y[1:]) })
		}},
		{"one row", func() error {
			return refusedOr(func() error {
				x := pick.Rows(s.x, []int{0})
				est, err := s.fitted(x, s.y[:1])
				if err != nil {
					return err
				}
				return s.predict(est, x).same(s.predict(est, x), 0)
			})
		}},
		{"one column", func() error {
			return refusedOr(func() error {
				x := mat.DenseCopyOf(s.x.Slice(0, n, 0, 1))
				est, err := s.fitted(x, s.y)
				if err != nil {
					return err
				}
				s.predict(est, x)
				return nil
			})
		}},
		{"constant column", func() error {
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
		}},
		{"wrong width", func() error {
			est, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			return mustPanic("Predict of one column less", func() { s.predict(est, dropColumn(s.x)) })
		}},
		{"nan in predict", func() error {
			est, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			return errors.Join(
				mustPanic("Predict of a NaN", func() { s.predict(est, withValue(s.x, math.NaN())) }),
				mustPanic("Predict of an Inf", func() { s.predict(est, withValue(s.x, math.Inf(1))) }))
		}},
		{"unfitted", func() error {
			return mustPanic("Predict before Fit", func() { s.predict(s.make(), s.x) })
		}},
		{"row permutation", func() error {
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
		}},
		{"subset predict", func() error {
			est, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			whole := s.predict(est, s.x)
			for _, rows := range [][]int{{0}, {n - 1}, {1, 3, 2}, permutation(n)} {
				// Blocked products may sum in another order for another shape.
				if err := whole.rows(rows).same(s.predict(est, pick.Rows(s.x, rows)), 1e-12); err != nil {
					return fmt.Errorf("rows %v alone: %w", rows[:min(3, len(rows))], err)
				}
			}
			return nil
		}},
		{"matrix forms", func() error {
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
		}},
		{"cancel", func() error { return s.cancel() }},
		{"concurrent predict", func() error {
			est, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			want := s.predict(est, s.x)
			return atOnce(func() error { return want.same(s.predict(est, s.x), 0) })
		}},
		{"gomaxprocs", func() error {
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
		}},
		{"data not kept", func() error {
			x, y := mat.DenseCopyOf(s.x), slices.Clone(s.y)
			est, err := s.fitted(x, y)
			if err != nil {
				return err
			}
			want := s.predict(est, s.x)
			x.Zero()
			clear(y)
			return want.same(s.predict(est, s.x), 0)
		}},
	}
	if s.weighted != nil {
		list = append(list, check{"weights", func() error { return s.weights(n) }})
	}
	return list
}

// cancel stops a fit at its first step. An estimator without a Control is not
// iterative, and passes.
func (s *supervised) cancel() error {
	est := s.make()
	c := control(est)
	if c == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	steps := 0
	c.Context = ctx
	c.OnStep = func(st model.Step) {
		steps++
		cancel()
	}
	err := s.fit(est, s.x, s.y)
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a Fit stopped at its first step: got %v, want context.Canceled", err)
	}
	if steps != 1 {
		return fmt.Errorf("the function OnStep was called %d times though the fit was to stop at the first", steps)
	}
	return mustPanic("Predict after a stopped Fit", func() { s.predict(est, s.x) })
}

// weights checks FitWeighted: unit weights change nothing, a zero weight leaves
// the example out, bad weights are refused.
func (s *supervised) weights(n int) error {
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	plain, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	unit := s.make()
	if err := s.weighted(unit, s.x, s.y, ones); err != nil {
		return err
	}
	if err := s.predict(plain, s.x).same(s.predict(unit, s.x), s.opts.Tolerance); err != nil {
		return fmt.Errorf("unit weights: %w", err)
	}

	half := slices.Clone(ones)
	var kept []int
	for i := range half {
		if i%3 == 1 {
			half[i] = 0
		} else {
			kept = append(kept, i)
		}
	}
	zero := s.make()
	if err := s.weighted(zero, s.x, s.y, half); err != nil {
		return err
	}
	without, err := s.fitted(pick.Rows(s.x, kept), pick.Of(s.y, kept))
	if err != nil {
		return err
	}
	if err := s.predict(without, s.x).same(s.predict(zero, s.x), s.opts.Tolerance); err != nil {
		return fmt.Errorf("zero weights are not the same as leaving the examples out: %w", err)
	}

	bad := slices.Clone(ones)
	bad[0] = -1
	return errors.Join(
		mustRefuse("a negative weight", func() error { return s.weighted(s.make(), s.x, s.y, bad) }),
		mustRefuse("too few weights", func() error { return s.weighted(s.make(), s.x, s.y, ones[1:]) }),
		mustRefuse("weights that are all zero", func() error { return s.weighted(s.make(), s.x, s.y, make([]float64, n)) }))
}

func toInts(y []float64) []int {
	if y == nil {
		return nil
	}
	c := make([]int, len(y))
	for i, v := range y {
		c[i] = int(v)
	}
	return c
}

func toFloats(y []int) []float64 {
	f := make([]float64, len(y))
	for i, v := range y {
		f[i] = float64(v)
	}
	return f
}

// Classifier runs the checks of classifiers. make gives a new, unfitted
// estimator, always with the same parameters and seed.
func Classifier(t *testing.T, make func() model.Classifier, opts Options) {
	t.Helper()
	runChecks(t, classifierChecks(make, opts), opts.Skip)
}

// Regressor runs the checks of regressors. make gives a new, unfitted estimator,
// always with the same parameters and seed.
func Regressor(t *testing.T, make func() model.Regressor, opts Options) {
	t.Helper()
	runChecks(t, regressorChecks(make, opts), opts.Skip)
}

func withDefaults(opts Options) Options {
	if opts.MinScore == 0 {
		opts.MinScore = 0.9
	}
	if opts.Tolerance == 0 {
		opts.Tolerance = 1e-9
	}
	return opts
}

func regressorChecks(make func() model.Regressor, opts Options) []check {
	opts = withDefaults(opts)
	s := &supervised{x: opts.X, y: opts.Target, opts: opts}
	if s.x == nil {
		s.x, s.y = line(60, 4)
	}
	s.x2 = dropColumn(s.x)
	s.y2 = slices.Clone(s.y)
	slices.Reverse(s.y2)
	s.make = func() any { return make() }
	s.fit = func(est any, x mat.Matrix, y []float64) error { return est.(model.Regressor).Fit(x, y) }
	s.predict = func(est any, x mat.Matrix) results {
		return results{values: est.(model.Regressor).Predict(x)}
	}
	if _, ok := any(make()).(model.WeightedRegressor); ok {
		s.weighted = func(est any, x mat.Matrix, y, w []float64) error {
			return est.(model.WeightedRegressor).FitWeighted(x, y, w)
		}
	}
	return append(s.checks(),
		check{"nan target", func() error {
			y := slices.Clone(s.y)
			y[1] = math.NaN()
			return mustRefuse("a NaN in y", func() error { return s.fit(s.make(), s.x, y) })
		}},
		check{"constant target", func() error {
			y := slices.Clone(s.y)
			for i := range y {
				y[i] = 5
			}
			return refusedOr(func() error {
				est, err := s.fitted(s.x, y)
				if err != nil {
					return err
				}
				for i, v := range s.predict(est, s.x).values {
					if math.Abs(v-5) > 0.1 {
						return fmt.Errorf("row %d: predicts %v though every target is 5", i, v)
					}
				}
				return nil
			})
		}},
		check{"learns", func() error {
			est, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			mean, res, tot := 0.0, 0.0, 0.0
			for _, v := range s.y {
				mean += v / float64(len(s.y))
			}
			for i, v := range s.predict(est, s.x).values {
				res += (s.y[i] - v) * (s.y[i] - v)
				tot += (s.y[i] - mean) * (s.y[i] - mean)
			}
			if r2 := 1 - res/tot; !(r2 >= opts.MinScore) {
				return fmt.Errorf("the R² on the training examples: got %.3f, want at least %.3f", r2, opts.MinScore)
			}
			return nil
		}})
}
