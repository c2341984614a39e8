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

// results are all results of a fitted supervised model for some rows.
type results struct {
	classes []int      // from Predict of a classifier
	values  []float64  // from Predict of a regressor
	proba   *mat.Dense // from PredictProba, if there is one
	scores  *mat.Dense // from Decision, if there is one
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

// supervised holds the data that the checks of classifiers and regressors share. y is the target as
// a real number.
type supervised struct {
	x, x2 *mat.Dense
	y, y2 []float64
	opts  Options
	make  func() any
	fit   func(est any, x mat.Matrix, y []float64) error
	// weighted is nil if the estimator takes no weights.
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

// weights checks FitWeighted: unit weights change nothing, a zero weight excludes the example, and
// invalid weights are an error.
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

// Classifier runs the checks of classifiers. The function make returns a new, unfitted estimator,
// always with the same parameters and seed.
func Classifier(t *testing.T, make func() model.Classifier, opts Options) {
	t.Helper()
	runChecks(t, classifierChecks(make, opts), opts.Skip)
}

// Regressor runs the checks of regressors. The function make returns a new, unfitted estimator,
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
	if model.TakesWeights(make()) {
		s.weighted = func(est any, x mat.Matrix, y, w []float64) error {
			return est.(model.WeightedRegressor).FitWeighted(x, y, w)
		}
	}
	return append(s.checks(),
		check{"target scale", s.targetScale},
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
