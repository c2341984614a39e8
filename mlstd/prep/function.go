package prep

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FunctionTransformer turns a function into a pipeline step.
//
//	zⱼ = Each(xⱼ)   or   z = Row(x)
//
// Each is a function of one number, such as math.Log1p; the column names are kept. Row maps a row
// to a new row. All new rows must have the same length; Names sets the names of their columns. Fit
// learns only the number of columns. All results must be finite.
//
// Cost: the cost of the function.
//
// References: [Hastie2009].
// Course: CORE-15.
type FunctionTransformer struct {
	Each  func(v float64) float64
	Row   func(row []float64) []float64 // instead of Each; it must not keep or change the row
	Names []string                      // names of the columns of Row; nil means f1, f2 ...

	// Width is the number of columns of the training rows, and Made the number of columns of the
	// result.
	Width, Made int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit applies the function to the rows of x to learn the number of columns.
func (f *FunctionTransformer) Fit(x mat.Matrix) error {
	const op = "FunctionTransformer.Fit"
	model.NoteX(&f.Fitted, x)
	f.Width, f.Made = 0, 0
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	if (f.Each == nil) == (f.Row == nil) {
		return model.Errorf(op, "exactly one of Each and Row must be set").WithHint("set Each for a function of one number, such as math.Log1p")
	}
	n, width := d.Dims()
	made := width
	if f.Row != nil {
		made = len(f.Row(slices.Clone(d.RawRowView(0))))
		if made == 0 || f.Names != nil && len(f.Names) != made {
			return model.Errorf(op, "Row must return at least one value, and Names must be empty or have a name for each value, got %d values and %d names", made, len(f.Names))
		}
	}
	out := make([]float64, made)
	for i := range n {
		if err := f.apply(op, i, d.RawRowView(i), out); err != nil {
			return err
		}
	}
	f.Width, f.Made = width, made
	return nil
}

// apply writes the function's result for row i.
func (f *FunctionTransformer) apply(op string, i int, in, out []float64) error {
	if f.Row != nil {
		row := f.Row(slices.Clone(in))
		if len(row) != len(out) {
			return model.Errorf(op, "Row must return the same number of values for each row, got %d for row %d and %d for others", len(row), i, len(out))
		}
		copy(out, row)
	} else {
		for j, v := range in {
			out[j] = f.Each(v)
		}
	}
	if j := finite.First(out); j >= 0 {
		return model.Errorf(op, "the function must return finite numbers, got %v for row %d (column %d of the result)", out[j], i, j)
	}
	return nil
}

// Transform applies the function. It panics with a [*model.Error] if a result is not finite.
func (f *FunctionTransformer) Transform(x mat.Matrix) *model.Table {
	const op = "FunctionTransformer.Transform"
	x = model.MustRead(op, &f.Fitted, x)
	if f.Width == 0 {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, f.Width)
	n, _ := d.Dims()
	out := mat.NewDense(n, f.Made, nil)
	for i := range n {
		if err := f.apply(op, i, d.RawRowView(i), out.RawRowView(i)); err != nil {
			panic(err)
		}
	}
	switch {
	case f.Row == nil:
		return model.LikeNumbers(x, out)
	case f.Names != nil:
		columns := make([]model.Column, f.Made)
		for j, name := range f.Names {
			columns[j].Name = name
		}
		return model.Named(x, out, columns)
	}
	return model.Named(x, out, model.Numbered("f", f.Made))
}
