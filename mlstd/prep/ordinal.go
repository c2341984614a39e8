package prep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// OrdinalEncoder replaces each level of a nominal column with the position of the level in an
// order, counted from 0.
//
//	xⱼ = l-th level   becomes   l = 0, 1, 2 …
//
// Use it for levels that have an order (small, medium, large), or for tree models. Linear models
// and distances treat the positions as quantities. With these, use [OneHotEncoder] for levels
// without an order. In a [model.Table], the nominal columns become ordinal. Their levels are in the
// order of Orders or, for a column without an entry in Orders, in the order of the table. The
// others pass. In any other matrix, the levels of every column are its distinct training values in
// ascending order. A value that is not a level is missing in the result.
//
// Cost: O(n·d·log k).
//
// References: [Hastie2009].
// Course: CORE-17, CORE-18.
type OrdinalEncoder struct {
	// Orders maps names of columns to their levels in ascending order.
	Orders map[string][]string

	// Columns are the columns of the result. Set by Fit.
	Columns []model.Column

	levels [][]float64 // the values of each encoded column, ascending; nil where it passes
	places [][]float64 // the positions of those values

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the levels of the columns of x.
func (e *OrdinalEncoder) Fit(x mat.Matrix) error {
	const op = "OrdinalEncoder.Fit"
	model.NoteX(&e.Fitted, x)
	e.Columns, e.levels, e.places = nil, nil, nil
	_, levels, _, err := columnLevels(op, x, model.Nominal, "=")
	if err != nil {
		return err
	}
	in := model.ColumnsOf(x)
	columns, places := slices.Clone(in), make([][]float64, len(in))
	for j, c := range in {
		if levels[j] == nil {
			continue
		}
		names := make([]string, len(levels[j]))
		for l, v := range levels[j] {
			names[l] = levelName(c, v)
		}
		order := names
		if given, ok := e.Orders[c.Name]; ok {
			order = given
		}
		places[j] = make([]float64, len(names))
		for l, name := range names {
			at := slices.Index(order, name)
			if at < 0 {
				return model.Errorf(op, "Orders of column %q must list all its levels, but lacks %q", c.Name, name).WithHint("add the level")
			}
			places[j][l] = float64(at)
		}
		columns[j] = model.Column{Name: c.Name, Kind: model.Ordinal, Levels: slices.Clone(order)}
	}
	for name := range e.Orders {
		if !slices.ContainsFunc(in, func(c model.Column) bool { return c.Name == name }) {
			return model.Errorf(op, "Orders must name columns of x, got %q", name).WithHint("use some of %s", nameList(in))
		}
	}
	e.Columns, e.levels, e.places = columns, levels, places
	return nil
}

// Takes reports that the encoder takes nominal columns and missing values.
func (e *OrdinalEncoder) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Leaves reports that the result has no nominal column.
func (e *OrdinalEncoder) Leaves() model.Takes { return model.Takes{Missing: true} }

// Transform returns the encoded rows.
func (e *OrdinalEncoder) Transform(x mat.Matrix) *model.Table {
	const op = "OrdinalEncoder.Transform"
	x = model.MustReadAll(op, &e.Fitted, x)
	if e.levels == nil {
		panic(model.NotFitted(op))
	}
	d := eachRow(e.Takes().MustRows(op, x, len(e.levels)), len(e.levels), func(in, out []float64) {
		for j, v := range in {
			if out[j] = v; e.levels[j] == nil || v != v {
				continue
			}
			out[j] = math.NaN()
			if l, ok := slices.BinarySearch(e.levels[j], v); ok {
				out[j] = e.places[j][l]
			}
		}
	})
	return model.Named(x, d, e.Columns)
}
