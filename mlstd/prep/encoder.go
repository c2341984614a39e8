package prep

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// OneHotEncoder replaces each nominal column with one column for each of its levels (1-of-k).
//
//	xⱼ = level l   becomes   (0, …, 1 at l, …, 0)
//
// In a [model.Table], the encoder replaces the nominal columns and leaves the other columns
// unchanged. The levels are those that the table lists, and a new column has a name such as
// "city=Bonn". In any other matrix, every column is nominal, and its levels are the distinct
// training values. A value that is not a level is encoded as zeros. A missing value is missing in
// the columns of all levels; use an [Imputer] or a model that takes missing values.
//
// Cost: O(n·k) for k columns of the result.
//
// References: [Hastie2009].
// Course: CORE-17.
type OneHotEncoder struct {
	// Columns are the columns of the result.
	Columns []model.Column

	levels [][]float64 // the values of each encoded column; nil where it passes
	width  int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the levels of the columns of x.
func (e *OneHotEncoder) Fit(x mat.Matrix) (err error) {
	model.NoteX(&e.Fitted, x)
	e.Columns, e.levels, e.width, err = columnLevels("OneHotEncoder.Fit", x, model.Nominal, "=")
	return err
}

// Takes reports that the encoder takes nominal columns and missing values.
func (e *OneHotEncoder) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Leaves reports that the result has no nominal column.
func (e *OneHotEncoder) Leaves() model.Takes { return model.Takes{Missing: true} }

// Transform returns the encoded rows.
func (e *OneHotEncoder) Transform(x mat.Matrix) *model.Table {
	x = model.MustReadAll("OneHotEncoder.Transform", &e.Fitted, x)
	return encodeLevels("OneHotEncoder.Transform", x, e.levels, e.width, e.Columns, func(levels []float64, v float64, out []float64) {
		if l, ok := slices.BinarySearch(levels, v); ok {
			out[l] = 1
		}
	})
}

// columnLevels returns the levels of each column of the kind in ascending order, and nil for the
// other columns of a Table. It also returns the columns of the result, whose names are the name of
// the column, the mark and the level.
func columnLevels(op string, x mat.Matrix, kind model.Kind, mark string) (columns []model.Column, levels [][]float64, width int, err error) {
	d, err := model.Takes{Missing: true, Nominal: true}.CheckX(op, x)
	if err != nil {
		return nil, nil, 0, err
	}
	isTable := model.Described(x)
	for j, c := range model.ColumnsOf(x) {
		if isTable && c.Kind != kind {
			levels, columns = append(levels, nil), append(columns, c)
			continue
		}
		var values []float64
		if len(c.Levels) > 0 {
			values = make([]float64, len(c.Levels))
			for l := range values {
				values[l] = float64(l)
			}
		} else {
			values = distinct(d, j)
			if len(values) == 0 {
				return nil, nil, 0, model.Errorf(op, "column %d, %q, must have at least one non-missing value, got none", j, c.Name).WithHint("drop the column")
			}
		}
		levels = append(levels, values)
		for _, v := range values {
			columns = append(columns, model.Column{Name: c.Name + mark + levelName(c, v)})
		}
	}
	return columns, levels, len(levels), nil
}

// distinct returns the distinct values of a column in ascending order.
func distinct(d *mat.Dense, j int) []float64 {
	raw := d.RawMatrix()
	var values []float64
	// Most values were seen recently.
	var recent [64]float64
	var known [64]bool
	for at := j; at < len(raw.Data); at += raw.Stride {
		v := raw.Data[at] + 0 // one zero
		if v != v {
			continue
		}
		h := math.Float64bits(v) * 0x9e3779b97f4a7c15 >> 58
		if known[h] && recent[h] == v {
			continue
		}
		recent[h], known[h] = v, true
		if k, found := slices.BinarySearch(values, v); !found {
			if len(values) > 1000 { // inserting one by one is too slow
				values = slices.DeleteFunc(mat.Col(nil, j, d), math.IsNaN)
				slices.Sort(values)
				return slices.Compact(values)
			}
			values = slices.Insert(values, k, v)
		}
	}
	return values
}

// levelName returns the name of the level v of a column.
func levelName(c model.Column, v float64) string {
	if l := int(v); float64(l) == v && l >= 0 && l < len(c.Levels) {
		return c.Levels[l]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// encodeLevels calls on to fill the columns of a value's levels, which are 0 before. A missing
// value is missing in all these columns; columns without levels pass.
func encodeLevels(op string, x mat.Matrix, levels [][]float64, width int, columns []model.Column, on func(levels []float64, v float64, out []float64)) *model.Table {
	if levels == nil {
		panic(model.NotFitted(op))
	}
	d := eachRow(model.Takes{Missing: true}.MustRows(op, x, width), len(columns), func(in, out []float64) {
		for j, v := range in {
			if levels[j] == nil {
				out[0], out = v, out[1:]
				continue
			}
			if v != v {
				for l := range levels[j] {
					out[l] = v
				}
			} else {
				on(levels[j], v, out)
			}
			out = out[len(levels[j]):]
		}
	})
	return model.Named(x, d, columns)
}

// ThermometerEncoder replaces each ordinal column with one column per level. For the n-th level,
// the first n columns are 1.
//
//	xⱼ = n-th of k levels   becomes   zᵢ = 1 for i ≤ n, 0 for i > n
//
// (with i < n the last unit would never be on). Unlike one-hot encoding, it keeps the order:
// neighboring levels differ in one column. In a [model.Table], the encoder replaces the ordinal
// columns and leaves the other columns unchanged. In any other matrix, every column is ordinal, and
// its levels are the distinct training values. A value between two levels counts as the lower
// level; a missing value is missing in the columns of all levels.
//
// Cost: O(n·k) for k columns of the result.
//
// References: [Mitchell1997].
// Course: CORE-18.
type ThermometerEncoder struct {
	// Columns are the columns of the result.
	Columns []model.Column

	levels [][]float64
	width  int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the levels of the columns of x.
func (e *ThermometerEncoder) Fit(x mat.Matrix) (err error) {
	model.NoteX(&e.Fitted, x)
	e.Columns, e.levels, e.width, err = columnLevels("ThermometerEncoder.Fit", x, model.Ordinal, "≥")
	return err
}

// Takes reports that the encoder takes missing values and passes nominal columns unchanged.
func (e *ThermometerEncoder) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Transform returns the encoded rows.
func (e *ThermometerEncoder) Transform(x mat.Matrix) *model.Table {
	x = model.MustRead("ThermometerEncoder.Transform", &e.Fitted, x)
	return encodeLevels("ThermometerEncoder.Transform", x, e.levels, e.width, e.Columns, func(levels []float64, v float64, out []float64) {
		for i, level := range levels {
			if level <= v {
				out[i] = 1
			}
		}
	})
}

// ClassIndicators encodes classes for the outputs of a network. The result has a row for each
// example, with 1 in the column of its class and 0 elsewhere; the columns are in ascending order of
// the classes. For two classes, the result has only one column, which is 1 for the second class;
// the network then needs a single sigmoid output. Do not encode a real-valued target; use a linear
// output for it.
//
// Course: CORE-20.
func ClassIndicators(y []int) (targets *mat.Dense, classes []int) {
	if len(y) == 0 {
		panic(model.Errorf("ClassIndicators", "there must be at least one class"))
	}
	classes, index := model.Classes(y)
	if len(classes) == 2 {
		targets = mat.NewDense(len(y), 1, nil)
		for i, k := range index {
			targets.Set(i, 0, float64(k))
		}
		return targets, classes
	}
	targets = mat.NewDense(len(y), len(classes), nil)
	for i, k := range index {
		targets.Set(i, k, 1)
	}
	return targets, classes
}

// DecideClasses returns the class of each row of outputs. With one output, the result is the second
// class if the output is at least 1/2. With several outputs, the result is the class of the largest
// output. It undoes [ClassIndicators].
//
// Course: CORE-20.
func DecideClasses(outputs mat.Matrix, classes []int) []int {
	n, k := outputs.Dims()
	if k != len(classes) && !(k == 1 && len(classes) == 2) {
		panic(model.Errorf("DecideClasses", "outputs must have %d columns (the number of classes), got %d", len(classes), k))
	}
	y := make([]int, n)
	for i := range y {
		best := 0
		if k == 1 {
			if outputs.At(i, 0) >= 0.5 {
				best = 1
			}
		} else {
			for j := 1; j < k; j++ {
				if outputs.At(i, j) > outputs.At(i, best) {
					best = j
				}
			}
		}
		y[i] = classes[best]
	}
	return y
}

// FillWith determines the value with which an Imputer replaces a missing value.
type FillWith int

const (
	FillMean     FillWith = iota // the mean of the known values
	FillMedian                   // their median
	FillMode                     // the most frequent value, the smallest of equally frequent ones
	FillConstant                 // Imputer.Value
)

// Imputer replaces the missing values (NaN) of each column with one value.
//
//	x̂ᵢⱼ = xᵢⱼ if known, else mean { xᵢⱼ : known }   (or median, mode, constant)
//
// In a [model.Table], nominal columns are always filled with their mode. For ordinal columns,
// FillMean uses the lower median, because levels have no mean. A level that Fit has not seen passes
// unchanged to the next step. Columns keep their names and kinds. Imputation reduces the variance
// of a column and hides that a value was missing. For each column with missing training values,
// Indicators adds a column with a name such as "age missing".
//
// Cost: O(n·d), or O(d·n log n) for the median.
//
// References: [Hastie2009].
// Course: TREE-12.
type Imputer struct {
	// Fill determines the imputed value. The default is FillMean.
	Fill FillWith
	// Value is the value that FillConstant imputes.
	Value float64
	// Indicators adds a column (1 where a value was missing) for each column that
	// had missing values in training.
	Indicators bool

	// Values holds the value imputed in each column.
	Values []float64
	// Missing lists the columns that had missing values in training.
	Missing []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the values to impute. It returns an error if a column has only missing values, unless
// Fill is FillConstant.
func (m *Imputer) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.Values, m.Missing = nil, nil
	const op = "Imputer.Fit"
	if err := m.check(op); err != nil {
		return err
	}
	d, err := m.Takes().CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	sums := make([]float64, 2*cols)
	addKnown(sums, d)
	values, missing := make([]float64, cols), []int(nil)
	for j, c := range model.ColumnsOf(x) {
		known := int(sums[j])
		if known < n {
			missing = append(missing, j)
		}
		if m.Fill == FillConstant && c.Kind != model.Nominal {
			values[j] = m.Value
			continue
		}
		if known == 0 {
			return noneKnown(op, j, c)
		}
		if c.Kind == model.Numeric && m.Fill == FillMean {
			values[j] = sums[cols+j] / float64(known)
			continue
		}
		column := slices.DeleteFunc(mat.Col(nil, j, d), math.IsNaN)
		slices.Sort(column)
		if c.Kind == model.Nominal || m.Fill == FillMode {
			values[j] = mode(column)
			continue
		}
		h := len(column) / 2
		values[j] = column[h]
		if len(column)%2 == 0 && c.Kind == model.Ordinal {
			values[j] = column[h-1]
		} else if len(column)%2 == 0 {
			values[j] = column[h-1] + (column[h]-column[h-1])/2
		}
	}
	m.Values, m.Missing = values, missing
	return nil
}

func (m *Imputer) check(op string) error {
	if m.Fill == FillConstant && (math.IsNaN(m.Value) || math.IsInf(m.Value, 0)) {
		return model.Errorf(op, "Value must be a number, got %v", m.Value)
	}
	if m.Fill < FillMean || m.Fill > FillConstant {
		return model.Errorf(op, "Fill must be one of the constants of ml.FillWith, got %d", m.Fill)
	}
	return nil
}

// addKnown adds the numbers of known values of each column to the first half of sums, and their
// sums to the second half.
func addKnown(sums []float64, d *mat.Dense) {
	n, cols := d.Dims()
	summed(sums, n, func(out []float64, lo, hi int) {
		known, sum := out[:cols], out[cols:]
		for i := lo; i < hi; i++ {
			for j, v := range d.RawRowView(i) {
				if v == v {
					known[j]++
					sum[j] += v
				}
			}
		}
	})
}

func noneKnown(op string, j int, c model.Column) error {
	return model.Errorf(op, "column %d (%s) must have at least one non-missing value, got none", j, c.Name).
		WithHint("drop the column, or fill it with a constant")
}

func mode(sorted []float64) float64 {
	best, most := sorted[0], 0
	for lo := 0; lo < len(sorted); {
		hi := lo
		for hi < len(sorted) && sorted[hi] == sorted[lo] {
			hi++
		}
		if hi-lo > most {
			best, most = sorted[lo], hi-lo
		}
		lo = hi
	}
	return best
}

// Takes reports that the imputer takes missing values and nominal columns.
func (m *Imputer) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Leaves reports that the result has no missing value.
func (m *Imputer) Leaves() model.Takes { return model.Takes{Nominal: true} }

// Transform returns the rows with missing values imputed, followed by the indicators.
func (m *Imputer) Transform(x mat.Matrix) *model.Table {
	const op = "Imputer.Transform"
	x = model.MustReadAll(op, &m.Fitted, x)
	if m.Values == nil {
		panic(model.NotFitted(op))
	}
	cols := len(m.Values)
	if m.Indicators {
		cols += len(m.Missing)
	}
	d := eachRow(model.MustWidth(op, x, len(m.Values)), cols, func(in, out []float64) {
		for j, v := range in {
			switch {
			case math.IsNaN(v):
				v = m.Values[j]
			case math.IsInf(v, 0):
				panic(model.Errorf(op, "column %d must be finite or NaN, got %v", j, v).WithHint("replace it by NaN if it means a missing value"))
			}
			out[j] = v
		}
		if m.Indicators {
			for k, j := range m.Missing {
				if math.IsNaN(in[j]) {
					out[len(in)+k] = 1
				}
			}
		}
	})
	out := model.Like(x, d)
	if m.Indicators && out.Columns != nil {
		columns := slices.Clone(out.Columns)
		for _, j := range m.Missing {
			columns = append(columns, model.Column{Name: columns[j].Name + " missing"})
		}
		out.Columns = columns
	}
	return out
}
