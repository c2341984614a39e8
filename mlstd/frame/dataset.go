package frame

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Dataset returns the examples for a model that predicts the target from the features. If no
// features are named, all other columns are features. Columns of numbers and of bools (as 0 and 1)
// become numeric. Columns of strings and categories become nominal, with their levels. A missing
// feature is NaN. A numeric target makes a regression data set; a target of strings, categories or
// bools makes a classification data set. It panics with a [*model.Error] if a feature is a column
// of times, or if a value of the target is missing.
//
//	train, test := taxis.Dataset("tip", "fare", "km", "zone").Split(0.3, 1)
func (f *Frame) Dataset(target string, features ...string) *data.Dataset {
	const op = "Frame.Dataset"
	y := f.col(op, target)
	if y.gaps > 0 {
		misuse(op, "leave these rows out with DropMissing", "the target %[3]q must have no missing values, got %[1]d of %[2]d", y.gaps, y.n, target)
	}
	if len(features) == 0 {
		for _, name := range f.Names() {
			if name != target {
				features = append(features, name)
			}
		}
	}
	if slices.Contains(features, target) {
		misuse(op, "leave it out of the features", "the features must not contain the target %q", target)
	}
	if len(features) == 0 {
		misuse(op, "name a column to learn from", "there must be a feature besides the target %q", target)
	}
	d := &data.Dataset{Name: "frame", X: f.matrix(op, features), Notes: f.Notes()}
	switch {
	case y.kind == FloatKind || y.kind == IntKind:
		d.Target = y.Floats()
		d.X.Target = model.Column{Name: target, Unit: y.unit}
	case y.kind == TimeKind:
		y.need(op, FloatKind, IntKind, StringKind, CategoryKind, BoolKind)
	default:
		levels, v := y.levels()
		d.X.Target = model.Column{Name: target, Kind: model.Nominal, Levels: levels}
		d.Y = make([]int, len(v))
		for i, k := range v {
			d.Y[i] = int(k)
		}
	}
	return d
}

// Matrix returns the named columns, or all columns, as numbers. It encodes them like the features
// of [Frame.Dataset].
func (f *Frame) Matrix(names ...string) *model.Table {
	if len(names) == 0 {
		names = f.Names()
	}
	return f.matrix("Frame.Matrix", names)
}

func (f *Frame) matrix(op string, names []string) *model.Table {
	t := &model.Table{Dense: new(mat.Dense)}
	if f.n > 0 && len(names) > 0 {
		t.Dense = mat.NewDense(f.n, len(names), nil)
	}
	for j, name := range names {
		c := f.col(op, name)
		d := model.Column{Name: name, Unit: c.unit}
		var v []float64
		switch {
		case c.kind == TimeKind:
			misuse(op, "use a part of it, such as Hour or Weekday, or the seconds since some day with Minus", "column %q must not be of kind time", name)
		case c.kind.text():
			d.Kind = model.Nominal
			d.Levels, v = c.levels()
		default:
			v = c.numbers()
		}
		t.Columns = append(t.Columns, d)
		for i, x := range v {
			t.Set(i, j, x)
		}
	}
	return t
}

// levels returns the levels of a column of classes, in ascending order, and the position of each
// value among them, or NaN for a missing value.
func (c *Column) levels() ([]string, []float64) {
	if c.kind == BoolKind {
		return []string{"false", "true"}, c.numbers()
	}
	if c.kind == StringKind {
		c = c.Category()
	}
	v := make([]float64, c.n)
	for i, k := range c.codes {
		v[i] = float64(k)
		if k < 0 {
			v[i] = math.NaN()
		}
	}
	return c.Levels(), v
}
