package prep

import (
	"math"
	"reflect"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// SelectFromModel keeps the columns that are important to a fitted model.
//
//	keep j when importanceⱼ ≥ Threshold,  importanceⱼ = Σ_c |θ_cⱼ| or what trees saved by j
//
// The model can be any model with a field Coef or Importances. With Coef, the columns of x must be
// on the same scale. A lasso keeps few columns; a forest keeps the columns that it splits on.
//
// Cost: one fit of the model.
//
// References: [GuyonElisseeff2003].
// Course: CORE-16.
type SelectFromModel struct {
	New          func() model.Classifier // makes the model for classes
	NewRegressor func() model.Regressor  // makes the model for a real target
	// Threshold is the minimum importance of the columns that are kept; 0 means the mean
	// importance, and model.Zero keeps every column with an importance above 0. A larger value
	// keeps fewer columns.
	Threshold float64
	// Most is the maximum number of columns to keep; 0 means any number.
	Most int

	Importances []float64 // set by Fit: one per column
	Kept        []int     // set by Fit: the columns that remain, ascending

	model.Fitted // set by Fit: the columns that it was given
}

// RFE is recursive feature elimination. It fits a model, drops the columns that are least important
// to the model, and repeats with the remaining columns until K columns are left.
//
//	drop argminⱼ Σ_c θ_cⱼ²,  or the least of Importances
//
// Since each fit uses all remaining columns, RFE can keep two columns that are useful only
// together. The model can be any model with a field Coef or Importances. With Coef, the columns of
// x must be on the same scale.
//
// Cost: (d − K)/Step + 1 fits.
//
// References: [Guyon2002].
// Course: CORE-16.
type RFE struct {
	New          func() model.Classifier // makes the model for classes
	NewRegressor func() model.Regressor  // makes the model for a real target
	// K is the number of columns to keep; 0 means half of all columns.
	K int
	// Step is the number of columns to drop at a time; 0 means 1. A larger step is
	// faster and less exact.
	Step int
	model.Control

	Ranking []int // set by Fit: 1 for the columns kept; the earlier a column was dropped, the larger
	Kept    []int // set by Fit: the columns that remain, ascending

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.TargetTransformer = (*SelectFromModel)(nil)
	_ model.TargetTransformer = (*RFE)(nil)
)

// fitter fits a new model to some columns and returns it.
type fitter func(x mat.Matrix) (any, error)

func classFitter(op string, fresh func() model.Classifier, y []int) (fitter, error) {
	if fresh == nil {
		return nil, model.Errorf(op, "New must not be nil").WithHint("set New to a function that returns a classifier with Coef or Importances")
	}
	return func(x mat.Matrix) (any, error) {
		m := fresh()
		return m, m.Fit(x, y)
	}, nil
}

func targetFitter(op string, fresh func() model.Regressor, y []float64) (fitter, error) {
	if fresh == nil {
		return nil, model.Errorf(op, "NewRegressor must not be nil").WithHint("set NewRegressor to a function that returns a regressor with Coef or Importances")
	}
	return func(x mat.Matrix) (any, error) {
		m := fresh()
		return m, m.Fit(x, y)
	}, nil
}

// importancesOf returns one importance per column. For a model with Coef it is the sum of
// size(coefficient) over the rows of Coef.
func importancesOf(op string, m any, cols int, size func(v float64) float64) ([]float64, error) {
	v := reflect.ValueOf(m)
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if f := v.Elem().FieldByName("Importances"); f.IsValid() {
			if list, ok := f.Interface().([]float64); ok && len(list) == cols {
				return list, nil
			}
		}
		if f := v.Elem().FieldByName("Coef"); f.IsValid() {
			out := make([]float64, cols)
			switch c := f.Interface().(type) {
			case []float64:
				if len(c) == cols {
					for j, w := range c {
						out[j] = size(w)
					}
					return out, nil
				}
			case *mat.Dense:
				if r, p := c.Dims(); p == cols {
					for i := range r {
						for j, w := range c.RawRowView(i) {
							out[j] += size(w)
						}
					}
					return out, nil
				}
			}
		}
	}
	return nil, model.Errorf(op, "the model must have Coef or Importances of its %[2]d columns, got %[1]T", m, cols).
		WithHint("use a model such as a linear one or a forest, not a pipeline")
}

// Fit returns an error, because the model must learn from classes or a target.
func (s *SelectFromModel) Fit(mat.Matrix) error {
	s.Importances, s.Kept = nil, nil
	return model.NeedsTargets("SelectFromModel.Fit")
}

// FitClasses fits the classifier of New and chooses the columns.
func (s *SelectFromModel) FitClasses(x mat.Matrix, y []int) error {
	const op = "SelectFromModel.FitClasses"
	model.NoteXY(&s.Fitted, x, y)
	s.Importances, s.Kept = nil, nil
	fit, err := classFitter(op, s.New, y)
	if err != nil {
		return err
	}
	if _, err := model.CheckXY(op, x, y); err != nil {
		return err
	}
	return s.fit(op, x, fit)
}

// FitTarget fits the regressor of NewRegressor and chooses the columns.
func (s *SelectFromModel) FitTarget(x mat.Matrix, y []float64) error {
	const op = "SelectFromModel.FitTarget"
	model.NoteXYReal(&s.Fitted, x, y)
	s.Importances, s.Kept = nil, nil
	fit, err := targetFitter(op, s.NewRegressor, y)
	if err != nil {
		return err
	}
	if _, err := model.CheckXYReal(op, x, y); err != nil {
		return err
	}
	return s.fit(op, x, fit)
}

func (s *SelectFromModel) fit(op string, x mat.Matrix, fit fitter) error {
	if err := limits.Check(op,
		limits.NotNegative("Most", s.Most),
		limits.NotNegative("Threshold", s.Threshold)); err != nil {
		return err
	}
	m, err := fit(x)
	if err != nil {
		return err
	}
	_, cols := x.Dims()
	importances, err := importancesOf(op, m, cols, math.Abs)
	if err != nil {
		return err
	}
	least := s.Threshold // model.Zero is less than any importance but 0
	if least == 0 {
		least = floats.Sum(importances) / float64(cols)
	}
	most := cols
	if s.Most > 0 {
		most = min(s.Most, cols)
	}
	var kept []int
	for _, j := range bestOf(importances, most) {
		if importances[j] >= least {
			kept = append(kept, j)
		}
	}
	if len(kept) == 0 {
		return model.Errorf(op, "no column has an importance of at least %v", model.Or(s.Threshold, 0)).WithHint("set a lower Threshold")
	}
	s.Importances, s.Kept = append([]float64(nil), importances...), kept
	return nil
}

// FitTransform calls FitClasses or FitTarget, and then Transform.
func (s *SelectFromModel) FitTransform(x mat.Matrix, y model.Targets) (*model.Table, error) {
	model.NoteX(&s.Fitted, x)
	return fitSelection(s, x, y)
}

// Transform returns the columns that were kept.
func (s *SelectFromModel) Transform(x mat.Matrix) *model.Table {
	const op = "SelectFromModel.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Kept == nil {
		panic(model.NotFitted(op))
	}
	return keep(x, model.MustRows(op, x, len(s.Importances)), s.Kept)
}

// Fit returns an error, because the models must learn from classes or a target.
func (r *RFE) Fit(mat.Matrix) error {
	r.Ranking, r.Kept = nil, nil
	return model.NeedsTargets("RFE.Fit")
}

// FitClasses eliminates columns with the classifiers of New.
func (r *RFE) FitClasses(x mat.Matrix, y []int) error {
	const op = "RFE.FitClasses"
	model.NoteXY(&r.Fitted, x, y)
	r.Ranking, r.Kept = nil, nil
	fit, err := classFitter(op, r.New, y)
	if err != nil {
		return err
	}
	if _, err := model.CheckXY(op, x, y); err != nil {
		return err
	}
	return r.fit(op, x, fit)
}

// FitTarget eliminates columns with the regressors of NewRegressor.
func (r *RFE) FitTarget(x mat.Matrix, y []float64) error {
	const op = "RFE.FitTarget"
	model.NoteXYReal(&r.Fitted, x, y)
	r.Ranking, r.Kept = nil, nil
	fit, err := targetFitter(op, r.NewRegressor, y)
	if err != nil {
		return err
	}
	if _, err := model.CheckXYReal(op, x, y); err != nil {
		return err
	}
	return r.fit(op, x, fit)
}

func (r *RFE) fit(op string, x mat.Matrix, fit fitter) error {
	_, cols := x.Dims()
	k, err := model.Iterations(op, "K", r.K, max(cols/2, 1))
	if err != nil {
		return err
	}
	step, err := model.Iterations(op, "Step", r.Step, 1)
	if err != nil {
		return err
	}
	if k > cols {
		return model.Errorf(op, "K must be at most %d (the number of columns), got %d", cols, k)
	}
	run := r.Begin("RFE", (cols-k+step-1)/step)
	defer run.End()
	kept, ranking := make([]int, cols), make([]int, cols)
	for j := range kept {
		kept[j], ranking[j] = j, 1
	}
	for round := 1; len(kept) > k; round++ {
		m, err := fit(pick.Columns(x, kept))
		if err != nil {
			return err
		}
		importances, err := importancesOf(op, m, len(kept), func(v float64) float64 { return v * v })
		if err != nil {
			return err
		}
		drop := min(step, len(kept)-k)
		stay := bestOf(importances, len(kept)-drop)
		for j := range ranking {
			ranking[j]++
		}
		kept = pick.Of(kept, stay)
		for _, j := range kept {
			ranking[j] = 1
		}
		if err := run.Step(round, math.NaN()); err != nil {
			return err
		}
	}
	r.Ranking, r.Kept = ranking, kept
	return nil
}

// FitTransform calls FitClasses or FitTarget, and then Transform.
func (r *RFE) FitTransform(x mat.Matrix, y model.Targets) (*model.Table, error) {
	model.NoteX(&r.Fitted, x)
	return fitSelection(r, x, y)
}

// Transform returns the columns that were kept.
func (r *RFE) Transform(x mat.Matrix) *model.Table {
	const op = "RFE.Transform"
	x = model.MustRead(op, &r.Fitted, x)
	if r.Kept == nil {
		panic(model.NotFitted(op))
	}
	return keep(x, model.MustRows(op, x, len(r.Ranking)), r.Kept)
}
