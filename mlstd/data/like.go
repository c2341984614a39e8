package data

import (
	"github.com/gokernel/gokernel/mlstd/model"
)

// Described is implemented by types that know the columns and the target of examples: a [Dataset],
// and every model of the library, which remembers the columns and the target from Fit.
type Described interface {
	Schema() model.Schema
}

// Schema returns the names, kinds and levels of the features and of the target.
func (d *Dataset) Schema() model.Schema { return model.SchemaOf(d.X) }

// Like returns d in the form of other, which is a fitted model or the data set that a model was
// fitted to. The result has the same columns, found by name, in the same order, and its levels and
// classes have the same numbers. Levels and classes that other does not have get higher numbers. It
// panics with a [*model.Error] if a column is missing, if a column holds names in one data set and
// numbers in the other, if units differ, or if the targets have different names.
//
//	test = test.Like(m)
//	ml.Accuracy(test.Y, m.Predict(test.X))
func (d *Dataset) Like(other Described) *Dataset { return d.LikeIn("Dataset.Like", other) }

// LikeIn is [Dataset.Like] with the name of the calling function, op, for errors.
func (d *Dataset) LikeIn(op string, other Described) *Dataset {
	if d == nil || d.X == nil || other == nil {
		panic(model.Errorf(op, "the data set, and the model or data set passed to Like, must not be nil").
			WithHint("load it first; a variable that is only declared is nil"))
	}
	s := other.Schema()
	out := *d
	x := d.X
	if len(s.Features) > 0 && model.Described(x) && !x.IsEmpty() {
		var err error
		if x, err = s.Arrange(op, x, true); err != nil {
			panic(err)
		}
	}
	target := d.X.Target
	if d.Y != nil {
		var err error
		if out.Y, target, err = s.Renumber(op, d.Y, target); err != nil {
			panic(err)
		}
	} else if err := s.SameTarget(op, target); err != nil {
		panic(err)
	}
	out.X = &model.Table{Dense: x.Dense, Columns: x.Columns, Target: target}
	return &out
}
