package data

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Examples are what a model can be fitted to: a [Dataset], or the data set of a lazy frame, whose
// rows need not fit into memory.
type Examples interface {
	// FitModel fits m, and returns the error of its Fit method. Fit and FitTo call it.
	FitModel(m any) error
}

// FitTo fits m to d. A classifier learns the classes of d, a regressor learns the target of d, and
// a transformer or a clusterer learns only from the rows of d. The model remembers the names of
// columns, levels and classes, and matches new data by these names. It panics with the error that
// m.Fit (or m.FitPredict of a clusterer) returns, and with a [*model.Error] if m and d do not fit
// together.
func FitTo(m any, d Examples) {
	if d == nil {
		d = (*Dataset)(nil)
	}
	if err := d.FitModel(m); err != nil {
		panic(err)
	}
}

// Fit does the same as [FitTo] and returns m, for use in an expression.
func Fit[M any](m M, d Examples) M {
	FitTo(m, d)
	return m
}

// FitModel does the same as [FitTo], but returns the error.
func (d *Dataset) FitModel(m any) error {
	const op = "Fit"
	if d == nil {
		return model.Errorf(op, "the data set must not be nil").WithHint("load it first; a variable that is only declared is nil")
	}
	switch m := m.(type) {
	case nil:
		return model.Errorf(op, "the model must not be nil").WithHint("pass a pointer to one, such as &ml.KNN{K: 5}")
	case interface {
		Fit(x mat.Matrix, y []int) error
	}:
		if d.Y == nil {
			return model.Errorf(op, "%s learns classes, and %s has a real-valued target", model.NameOf(m), d.Name).
				WithHint("use a regressor, or turn the target into classes with AsClasses")
		}
		return m.Fit(d.X, d.Y)
	case interface {
		Fit(x mat.Matrix, y []float64) error
	}:
		if d.Target == nil {
			hint := "use a classifier, or fit the regressor to numbers: m.Fit(d.X, d.Signs())"
			if len(d.ClassNames()) != 2 {
				hint = "use a classifier, or select two classes with Only and fit the regressor to their signs: m.Fit(d.X, d.Signs())"
			}
			return model.Errorf(op, "%s learns a real-valued target, and %s has classes", model.NameOf(m), d.Name).WithHint("%s", hint)
		}
		return m.Fit(d.X, d.Target)
	case interface{ Fit(x mat.Matrix) error }:
		return m.Fit(d.X)
	case model.Clusterer:
		_, err := m.FitPredict(d.X)
		return err
	}
	return model.Errorf(op, "the model must have a Fit method for the rows of a data set, got %T", m).
		WithHint("pass a pointer to a model, such as &ml.KNN{K: 5}")
}
