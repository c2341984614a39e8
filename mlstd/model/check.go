package model

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Dense returns x as a *mat.Dense with contiguous rows. If x already is such a matrix, Dense does
// not copy it. The result must be treated as read-only.
func Dense(x mat.Matrix) *mat.Dense {
	if t, ok := x.(*Table); ok {
		x = t.Dense
	}
	if d, ok := x.(*mat.Dense); ok {
		if raw := d.RawMatrix(); raw.Stride == raw.Cols {
			return d
		}
	}
	return mat.DenseCopyOf(x)
}

// CheckX returns the contiguous form of x, or an error if a model that accepts only finite numbers
// cannot learn from x. It rejects a nil x, an x without rows or columns, NaN, Inf and nominal
// columns. A model that also accepts other values uses the CheckX method of its [Takes].
func CheckX(op string, x mat.Matrix) (*mat.Dense, error) { return Takes{}.CheckX(op, x) }

func isNil(x mat.Matrix) bool {
	if x == nil {
		return true
	}
	if t, ok := x.(*Table); ok {
		return t == nil || t.Dense == nil || t.Dense.IsEmpty()
	}
	d, ok := x.(*mat.Dense)
	return ok && (d == nil || d.IsEmpty())
}

// CheckXY is CheckX, and also returns an error if y has another length.
func CheckXY(op string, x mat.Matrix, y []int) (*mat.Dense, error) {
	return Takes{}.CheckXY(op, x, y)
}

// CheckXYReal is CheckX, and also returns an error if y has another length or contains NaN or Inf.
func CheckXYReal(op string, x mat.Matrix, y []float64) (*mat.Dense, error) {
	return Takes{}.CheckXYReal(op, x, y)
}

func checkLen(op string, x *mat.Dense, n int) error {
	r, _ := x.Dims()
	return CheckLength(op, r, n)
}

// CheckLength returns an error unless n, the length of y, equals r, the number of rows of x.
func CheckLength(op string, r, n int) error {
	if n == 0 {
		return Errorf(op, "y must have %d entries (the number of rows of x), got 0", r).
			WithHint("use Y of a data set for classes, or Target for numbers; AsClasses turns a Target such as 0 and 1 into classes")
	}
	if r != n {
		return Errorf(op, "y must have %d entries (the number of rows of x), got %d", r, n).WithHint("pass the same examples in x and y")
	}
	return nil
}

// CheckWeights returns an error if the number of example weights is not n, if a weight is negative
// or not finite, or if all weights are zero.
func CheckWeights(op string, w []float64, n int) error {
	if len(w) != n {
		return Errorf(op, "weights must have %d entries, got %d", n, len(w))
	}
	sum := 0.0
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 0) {
			return Errorf(op, "weight %d must be finite and not negative, got %v", i, v)
		}
		sum += v
	}
	if sum == 0 {
		return Errorf(op, "at least one weight must be positive, got only zeros")
	}
	return nil
}

// MustRows is [MustWidth], but also panics on NaN and Inf. A model that accepts missing values uses
// the MustRows method of its [Takes].
func MustRows(op string, x mat.Matrix, want int) *mat.Dense { return Takes{}.MustRows(op, x, want) }

// notFinite returns an error that names the row and column of the value at position i of the data
// of x.
func notFinite(op string, x mat.Matrix, i int) *Error {
	_, cols := x.Dims()
	row, j := i/cols, i%cols
	name := ""
	if t, ok := x.(*Table); ok && j < len(t.Columns) && t.Columns[j].Name != "" {
		name = ", " + strconv.Quote(t.Columns[j].Name) + ","
	}
	return Errorf(op, "x[%d][%d]%s must be finite, got %v", row, j, name, x.At(row, j)).
		WithHint("fill or drop missing values first (an Imputer fills them)")
}

// MustWidth returns the contiguous form of x. It panics with an Error if x does not have want
// columns, the number of columns in Fit.
func MustWidth(op string, x mat.Matrix, want int) *mat.Dense {
	if isNil(x) {
		panic(Errorf(op, "x must not be nil"))
	}
	if _, c := x.Dims(); c != want {
		panic(Errorf(op, "x must have %d columns, as in Fit, got %d", want, c).
			WithHint("pass the same features, in the same order"))
	}
	return Dense(x)
}

// Classes returns the distinct classes of y in ascending order, and the index of each example's
// class in this list.
func Classes(y []int) (classes, index []int) {
	index = make([]int, len(y))
	if len(y) == 0 {
		return nil, index
	}
	if low, high := slices.Min(y), slices.Max(y); high-low >= 0 && high-low < len(y) {
		// In the usual case, classes are close together; they are looked up in a table instead of
		// searched.
		at := make([]int, high-low+1)
		for _, v := range y {
			at[v-low] = 1
		}
		for k, seen := range at {
			if seen > 0 {
				at[k] = len(classes)
				classes = append(classes, low+k)
			}
		}
		for i, v := range y {
			index[i] = at[v-low]
		}
		return classes, index
	}
	classes = slices.Clone(y)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	for i, v := range y {
		index[i], _ = slices.BinarySearch(classes, v)
	}
	return classes, index
}

// FirstClasses returns the classes of a learner whose first batch is y, in ascending order: known,
// or those of y if known is nil. FirstClasses returns an error for fewer than two classes, and for
// a class of y that is not in known.
func FirstClasses(op string, y, known []int) ([]int, error) {
	classes, _ := Classes(y)
	if known == nil {
		if len(classes) < 2 {
			return nil, Errorf(op, "the first batch must have at least two classes, got only class %d", classes[0]).WithHint("list all classes in Known before the first batch")
		}
		return classes, nil
	}
	classes, _ = Classes(known)
	if len(classes) < 2 {
		return nil, Errorf(op, "Known must list at least two classes, or be nil, got %d", len(classes)).WithHint("list all classes in Known before the first batch")
	}
	for i, v := range y {
		if _, ok := slices.BinarySearch(classes, v); !ok {
			return nil, Errorf(op, "y[%d] must be one of the classes in Known, got %d", i, v).WithHint("list all classes in Known before the first batch")
		}
	}
	return classes, nil
}

// CheckTwoOrMore returns an error if y has only one class.
func CheckTwoOrMore(op string, classes []int) error {
	if len(classes) < 2 {
		return Errorf(op, "y must have at least two classes, got only class %d", classes[0]).WithHint("add examples of another class")
	}
	return nil
}
