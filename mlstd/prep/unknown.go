package prep

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// UnknownAsMissing replaces the levels of new rows that the training rows do not list with missing
// values.
//
//	xⱼ   becomes   xⱼ if it is a level of column j in Fit,   NaN otherwise
//
// Without it, a model refuses rows with such levels. Use it as the first step of a pipeline, before
// a model or an imputer that accepts missing values:
//
//	ml.Pipe(&ml.UnknownAsMissing{}, &ml.DecisionTree{Missing: ml.MostCommonValue})
//
// Only the nominal and ordinal columns of a [model.Table] have levels. All other values pass
// unchanged.
//
// Cost: O(n·d).
//
// References: [Hastie2009].
// Course: CORE-17, TREE-12.
type UnknownAsMissing struct {
	// Width is the number of columns of the training rows. Set by Fit.
	Width int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit remembers the levels of the columns of x.
func (u *UnknownAsMissing) Fit(x mat.Matrix) error {
	model.NoteX(&u.Fitted, x)
	u.Width = 0
	d, err := u.Takes().CheckX("UnknownAsMissing.Fit", x)
	if err != nil {
		return err
	}
	_, u.Width = d.Dims()
	return nil
}

// Takes reports that nominal columns and missing values are accepted.
func (u *UnknownAsMissing) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// LeavesKnown states that the result has no levels that Fit did not see.
func (u *UnknownAsMissing) LeavesKnown() {}

// Transform returns the rows, with missing values instead of levels that Fit did not see.
func (u *UnknownAsMissing) Transform(x mat.Matrix) *model.Table {
	const op = "UnknownAsMissing.Transform"
	x = model.MustReadKnown(op, &u.Fitted, x)
	if u.Width == 0 {
		panic(model.NotFitted(op))
	}
	return model.Like(x, mat.DenseCopyOf(u.Takes().MustRows(op, x, u.Width)))
}
