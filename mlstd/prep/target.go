package prep

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// TargetEncoder replaces each level of a nominal column with the mean of the target over the
// level's examples. If the level has few examples, the mean is shrunk toward the overall mean. The
// result has one column, however many levels there are.
//
//	xⱼ = level l   becomes   λ·ȳ_l + (1 − λ)·ȳ,   λ = n_l/(n_l + m)
//
// where m is Smooth. With Smooth = 0, m is estimated from the data (empirical Bayes): the variance
// of y within the level divided by the variance of all targets. With two classes, y is 1 for the
// second class; with more classes, the result has a column for each class. A missing value is a
// level of its own; a level that Fit has not seen becomes ȳ. In a [model.Table], the encoder
// replaces the nominal columns and leaves the other columns unchanged; in any other matrix, it
// replaces all columns.
//
// The mean of a level with few examples would leak the targets of these examples to a model.
// FitTransform therefore uses cross-fitting: it splits the examples into Folds parts and encodes
// each part with the means of the other parts. A Pipeline fits its model to this result.
//
// Cost: O(Folds·n·d).
//
// References: [MicciBarreca2001]. Course: CORE-17, CORE-23.
type TargetEncoder struct {
	// Smooth is m, the weight of the overall mean as a number of examples. 0 means that m is
	// estimated from the data; model.Zero means no smoothing. A larger value keeps rare levels
	// closer to the overall mean.
	Smooth float64
	// Folds is the number of folds of the cross-fitting; 0 means 5.
	Folds int
	Seed  uint64 // of the folds

	// Columns are the columns of the result. Set by FitTransform.
	Columns []model.Column

	levels [][]float64   // the values of each encoded column, ascending; nil where it passes
	means  [][][]float64 // per column, output and level; a missing value is last
	all    []float64     // the mean of each output
	width  int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.TargetTransformer = (*TargetEncoder)(nil)

// Takes reports that the encoder takes nominal columns and missing values.
func (e *TargetEncoder) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Leaves reports that the encoded columns are numbers without missing values. A missing value in a
// numeric column passes to the next step, which may reject it.
func (e *TargetEncoder) Leaves() model.Takes { return model.Takes{} }

// Fit returns an error, because it gets no targets; it also discards the learned means. Call
// FitTransform instead.
func (e *TargetEncoder) Fit(mat.Matrix) error {
	e.reset()
	return model.NeedsTargets("TargetEncoder.Fit")
}

func (e *TargetEncoder) reset() {
	e.Columns, e.levels, e.means, e.all, e.width = nil, nil, nil, nil, 0
}

// FitTransform learns the means. It returns the rows of x, each encoded with the means of other
// examples.
func (e *TargetEncoder) FitTransform(x mat.Matrix, y model.Targets) (*model.Table, error) {
	const op = "TargetEncoder.FitTransform"
	model.NoteX(&e.Fitted, x)
	e.reset()
	_, levels, width, err := columnLevels(op, x, model.Nominal, "=")
	if err != nil {
		return nil, err
	}
	d := model.Dense(x)
	n, _ := d.Dims()
	folds := e.Folds
	if folds == 0 {
		folds = 5
	}
	smooth := model.Or(e.Smooth, -1)
	if e.Folds < 0 || folds < 2 || folds > n {
		return nil, model.Errorf(op, "Folds must be between 2 and %d (the number of examples), got %d", n, folds)
	}
	if e.Smooth < 0 || math.IsNaN(e.Smooth) || math.IsInf(e.Smooth, 0) {
		return nil, model.Errorf(op, "Smooth must be finite and not negative, got %v", e.Smooth)
	}
	outputs, names, err := targetOutputs(op, y, n)
	if err != nil {
		return nil, err
	}
	var columns []model.Column
	for j, c := range model.ColumnsOf(x) {
		if levels[j] == nil {
			columns = append(columns, c)
			continue
		}
		for _, name := range names {
			columns = append(columns, model.Column{Name: c.Name + name})
		}
	}
	full := targetMeans{levels: levels, smooth: smooth}
	every := make([]int, n)
	for i := range every {
		every[i] = i
	}
	means, all := full.of(d, outputs, every)
	out := mat.NewDense(n, len(columns), nil)
	for _, part := range e.parts(y, n, folds) {
		others := others(part, n)
		m, a := full.of(d, outputs, others)
		for _, i := range part {
			encodeTargets(d.RawRowView(i), out.RawRowView(i), levels, m, a)
		}
	}
	e.Columns, e.levels, e.means, e.all, e.width = columns, levels, means, all, width
	return model.Named(x, out, columns), nil
}

// targetOutputs returns the targets as columns of numbers, and the suffixes for the names of the
// columns encoded by them.
func targetOutputs(op string, y model.Targets, n int) (outputs [][]float64, names []string, err error) {
	if y.Len() != n || y.Labels != nil && y.Values != nil {
		return nil, nil, model.Errorf(op, "the targets must be %d labels or %[1]d values (the number of rows of x), got %d and %d", n, len(y.Labels), len(y.Values))
	}
	if y.Labels == nil {
		for i, v := range y.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, model.Errorf(op, "y[%d] must be finite, got %v", i, v).WithHint("drop examples without a target")
			}
		}
		return [][]float64{y.Values}, []string{""}, nil
	}
	classes, index := model.Classes(y.Labels)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return nil, nil, err
	}
	for k, c := range classes {
		if len(classes) == 2 && k == 0 {
			continue
		}
		column := make([]float64, n)
		for i, at := range index {
			if at == k {
				column[i] = 1
			}
		}
		name := ""
		if len(classes) > 2 {
			name = ", class " + strconv.Itoa(c)
		}
		outputs, names = append(outputs, column), append(names, name)
	}
	return outputs, names, nil
}

// parts assigns the examples to folds at random, with about the same number of each class in each
// fold.
func (e *TargetEncoder) parts(y model.Targets, n, folds int) [][]int {
	order := model.Rand(e.Seed, 0).Perm(n)
	if y.Labels != nil {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y.Labels[a], y.Labels[b]) })
	}
	parts := make([][]int, folds)
	for k, i := range order {
		parts[k%folds] = append(parts[k%folds], i)
	}
	return parts
}

// others returns the numbers below n that are not in part, ascending.
func others(part []int, n int) []int {
	in := make([]bool, n)
	for _, i := range part {
		in[i] = true
	}
	var out []int
	for i, there := range in {
		if !there {
			out = append(out, i)
		}
	}
	return out
}

// targetMeans computes the smoothed means of levels.
type targetMeans struct {
	levels [][]float64
	smooth float64 // −1: estimated from the data
}

// of returns the means of the levels of each column over the given rows, and the overall means.
func (t targetMeans) of(d *mat.Dense, outputs [][]float64, rows []int) (means [][][]float64, all []float64) {
	means = make([][][]float64, len(t.levels))
	for _, y := range outputs {
		part := pick.Of(y, rows)
		mean, square := 0.0, 0.0
		for _, v := range part {
			mean += v / float64(len(part))
		}
		for _, v := range part {
			square += (v - mean) * (v - mean)
		}
		all = append(all, mean)
		for j, values := range t.levels {
			if values != nil {
				means[j] = append(means[j], t.column(d, j, values, y, rows, mean, square/float64(len(part))))
			}
		}
	}
	return means, all
}

// column returns the means of the levels of column j, with the mean for a missing value last.
func (t targetMeans) column(d *mat.Dense, j int, values, y []float64, rows []int, mean, variance float64) []float64 {
	k := len(values) + 1
	count, sum, square := make([]float64, k), make([]float64, k), make([]float64, k)
	at := make([]int, len(rows))
	for r, i := range rows {
		at[r] = levelAt(values, d.At(i, j))
		count[at[r]]++
		sum[at[r]] += y[i]
	}
	for r, i := range rows {
		l := at[r]
		v := y[i] - sum[l]/count[l]
		square[l] += v * v
	}
	out := make([]float64, k)
	for l := range out {
		out[l] = mean
		if count[l] == 0 {
			continue
		}
		m := t.smooth
		if m < 0 {
			m = square[l] / count[l] / variance
		}
		if own := sum[l] / count[l]; !math.IsNaN(m) { // NaN: all targets are the same
			share := count[l] / (count[l] + m)
			out[l] = share*own + (1-share)*mean
		}
	}
	return out
}

// levelAt returns the index of a value among the levels, their number for a missing value, and −1
// for an unknown value.
func levelAt(values []float64, v float64) int {
	if v != v {
		return len(values)
	}
	if l, ok := slices.BinarySearch(values, v); ok {
		return l
	}
	return -1
}

// encodeTargets writes the means of the levels of a row.
func encodeTargets(in, out []float64, levels [][]float64, means [][][]float64, all []float64) {
	for j, v := range in {
		if levels[j] == nil {
			out[0], out = v, out[1:]
			continue
		}
		for o, mean := range all {
			if l := levelAt(levels[j], v); l >= 0 {
				mean = means[j][o][l]
			}
			out[o] = mean
		}
		out = out[len(all):]
	}
}

// Transform returns the rows, encoded with the means of all examples. Use it for new rows.
func (e *TargetEncoder) Transform(x mat.Matrix) *model.Table {
	const op = "TargetEncoder.Transform"
	x = model.MustReadAll(op, &e.Fitted, x)
	if e.Columns == nil {
		panic(model.NotFitted(op))
	}
	d := eachRow(e.Takes().MustRows(op, x, e.width), len(e.Columns), func(in, out []float64) {
		encodeTargets(in, out, e.levels, e.means, e.all)
	})
	return model.Named(x, d, e.Columns)
}
