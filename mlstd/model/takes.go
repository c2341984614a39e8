package model

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
)

// Takes declares the values that a model or a transformer accepts besides finite numbers. The zero
// value accepts neither missing values nor nominal columns; its checks are equivalent to [CheckX],
// [CheckXY], [CheckXYReal] and [MustRows].
type Takes struct {
	Missing bool // NaN
	Nominal bool // columns of a Table whose values are the positions of names
}

// Taker is implemented by models and transformers that accept more than finite numbers. Resampling,
// ensembles and reductions call Takes before they reject a missing value.
type Taker interface {
	Takes() Takes
}

// Leaver is implemented by a transformer that is a [Taker] and removes something that it accepts.
// For example, an imputer leaves no missing values, and an encoder leaves no nominal columns.
type Leaver interface {
	Leaves() Takes
}

// KnownLeaver is implemented by a transformer whose result has no levels that Fit did not see.
type KnownLeaver interface {
	LeavesKnown()
}

// TakesOf returns the Takes of m. If m has no Takes method, the result is the zero value, which
// accepts only finite numbers.
func TakesOf(m any) Takes {
	if t, ok := m.(Taker); ok {
		return t.Takes()
	}
	return Takes{}
}

// TakesOfSteps returns the Takes of a sequence of steps and the model after them. The model may be
// nil.
func TakesOfSteps(steps []Transformer, last any) Takes {
	all := Takes{Missing: true, Nominal: true}
	left := all // what the result of the steps so far may contain
	narrow := func(m any) {
		t := TakesOf(m)
		all.Missing = all.Missing && (t.Missing || !left.Missing)
		all.Nominal = all.Nominal && (t.Nominal || !left.Nominal)
		if l, ok := m.(Leaver); ok {
			t = l.Leaves()
		}
		left = Takes{left.Missing && t.Missing, left.Nominal && t.Nominal}
	}
	for _, s := range steps {
		if s != nil {
			narrow(s)
		}
	}
	if last != nil {
		narrow(last)
	}
	return all
}

// LeavesOfSteps reports whether missing values and nominal columns can remain in the output of
// steps.
func LeavesOfSteps(steps []Transformer) Takes {
	left := Takes{Missing: true, Nominal: true}
	for _, s := range steps {
		t := TakesOf(s)
		if l, ok := s.(Leaver); ok {
			t = l.Leaves()
		}
		left = Takes{left.Missing && t.Missing, left.Nominal && t.Nominal}
	}
	return left
}

// CheckX returns the contiguous form of x. It returns an error if x is nil, has no rows or no
// columns, or contains Inf; NaN and nominal columns are errors unless t accepts them. A column with
// the levels 0 and 1 counts as numeric.
func (t Takes) CheckX(op string, x mat.Matrix) (*mat.Dense, error) {
	if isNil(x) {
		return nil, Errorf(op, "x must not be nil or an empty matrix").WithHint("pass a matrix with one row per example")
	}
	r, c := x.Dims()
	if r == 0 || c == 0 {
		return nil, Errorf(op, "x must not be empty, got %dx%d", r, c)
	}
	if table, ok := x.(*Table); ok && !t.Nominal {
		for j, column := range table.Columns {
			if column.Kind == Nominal && !slices.Equal(column.Levels, bits) {
				return nil, Errorf(op, "x must have numeric columns, but column %d, %q, is nominal", j, column.Name).
					WithHint("encode it with ml.OneHotEncoder, inside ml.Columns if only some columns are nominal")
			}
		}
	}
	d := Dense(x)
	if i := t.refused(d); i >= 0 {
		return nil, notFinite(op, x, i)
	}
	return d, nil
}

// bits are the levels of a Boolean column, whose numbers are its names.
var bits = []string{"0", "1"}

// refused returns the position of the first value of d that t does not take, or −1.
func (t Takes) refused(d *mat.Dense) int {
	if t.Missing {
		return finite.FirstInf(d.RawMatrix().Data)
	}
	return finite.First(d.RawMatrix().Data)
}

// CheckXY is CheckX, and also returns an error if y has another length.
func (t Takes) CheckXY(op string, x mat.Matrix, y []int) (*mat.Dense, error) {
	d, err := t.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	return d, checkLen(op, d, len(y))
}

// CheckXYReal is CheckX, and also returns an error if y has another length or contains NaN or Inf.
func (t Takes) CheckXYReal(op string, x mat.Matrix, y []float64) (*mat.Dense, error) {
	d, err := t.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	return d, checkTarget(op, d, y)
}

func checkTarget(op string, x *mat.Dense, y []float64) error {
	if err := checkLen(op, x, len(y)); err != nil {
		return err
	}
	if i := finite.First(y); i >= 0 {
		return Errorf(op, "y[%d] must be finite, got %v", i, y[i]).WithHint("drop examples without a target")
	}
	return nil
}

// MustRows is [MustWidth], and also panics on Inf, and on NaN unless t accepts it.
func (t Takes) MustRows(op string, x mat.Matrix, want int) *mat.Dense {
	d := MustWidth(op, x, want)
	if i := t.refused(d); i >= 0 {
		panic(notFinite(op, x, i))
	}
	return d
}

// CheckFor is CheckX for algorithms that only pass x to the models that fresh returns, such as an
// ensemble or a cross-validation. It rejects NaN unless the models accept it, and leaves the check
// of nominal columns to the models. It calls fresh only if x contains NaN.
func CheckFor(op string, x mat.Matrix, fresh func() any) (*mat.Dense, error) {
	d, err := Takes{Missing: true, Nominal: true}.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	if i := finite.First(d.RawMatrix().Data); i >= 0 && !TakesOf(fresh()).Missing {
		e := notFinite(op, x, i)
		return nil, e.WithHint("fill missing values with an Imputer before the model in a Pipeline")
	}
	return d, nil
}

// CheckXYFor is [CheckFor], and also returns an error if y has another length.
func CheckXYFor(op string, x mat.Matrix, y []int, fresh func() any) (*mat.Dense, error) {
	d, err := CheckFor(op, x, fresh)
	if err != nil {
		return nil, err
	}
	return d, checkLen(op, d, len(y))
}

// CheckXYRealFor is [CheckFor], and also returns an error if y has another length or contains NaN
// or Inf.
func CheckXYRealFor(op string, x mat.Matrix, y []float64, fresh func() any) (*mat.Dense, error) {
	d, err := CheckFor(op, x, fresh)
	if err != nil {
		return nil, err
	}
	return d, checkTarget(op, d, y)
}
