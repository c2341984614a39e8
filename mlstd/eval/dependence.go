package eval

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// DependenceGrid determines the values at which [PartialDependence] is computed.
type DependenceGrid struct {
	// Size is the number of values of each column; 0 means 100. For a column with fewer distinct
	// values, the grid has each distinct value.
	Size int
	// Low and High are the quantiles between which the values are evenly spaced; 0
	// means 0.05 and 0.95.
	Low, High float64
	// Individual keeps the curve of each example, not only the mean curve.
	Individual bool
}

// Dependence describes how the predictions of a fitted model depend on one or two columns.
type Dependence struct {
	Names   []string    // of the columns
	Classes []int       // of the outputs of a classifier; nil for a regressor, which has one
	Grid    [][]float64 // Grid[j] are the values of the j-th column
	// Mean has a row for each point of the grid (the last column changes fastest) and a column for
	// each output.
	Mean *mat.Dense
	// Individual holds one matrix per output, with the curve of one example in each row (individual
	// conditional expectation). It is nil unless the grid's Individual is set.
	Individual []*mat.Dense
}

// PartialDependence computes how the class probabilities of a fitted classifier or pipeline depend
// on one or two columns of x. For each value of the grid, it sets the column to this value in all
// examples, and averages the predictions.
//
//	f̄(v) = (1/n) Σᵢ f(xᵢ with column j = v)
//
// A mean can hide that the curves of single examples differ; Individual keeps these curves. If
// columns depend on each other, the model also predicts examples that cannot occur.
//
// Cost: one prediction of n rows for each point of the grid.
//
// References: [Friedman2001], [GoldsteinEtAl2015]. Course: EVAL-36.
func PartialDependence(m model.Classifier, x mat.Matrix, columns []int, how DependenceGrid) (*Dependence, error) {
	const op = "PartialDependence"
	if m == nil {
		return nil, model.Errorf(op, "the model must not be nil").WithHint("pass a fitted classifier")
	}
	var classes []int
	d, err := depend(op, x, columns, how, func(x mat.Matrix) (*mat.Dense, error) {
		p, all, err := probabilitiesOf(op, m, x)
		classes = all
		return p, err
	})
	if err != nil {
		return nil, err
	}
	d.Classes = classes
	return d, nil
}

// PartialDependenceRegressor is [PartialDependence] for the predictions of a regressor.
//
// References: [Friedman2001], [GoldsteinEtAl2015]. Course: EVAL-36.
func PartialDependenceRegressor(m model.Regressor, x mat.Matrix, columns []int, how DependenceGrid) (*Dependence, error) {
	const op = "PartialDependenceRegressor"
	if m == nil {
		return nil, model.Errorf(op, "the model must not be nil").WithHint("pass a fitted regressor")
	}
	return depend(op, x, columns, how, func(x mat.Matrix) (*mat.Dense, error) {
		p := m.Predict(x)
		return mat.NewDense(len(p), 1, p), nil
	})
}

func depend(op string, x mat.Matrix, columns []int, how DependenceGrid, outputs func(x mat.Matrix) (*mat.Dense, error)) (*Dependence, error) {
	d, err := model.Takes{Missing: true, Nominal: true}.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	n, cols := d.Dims()
	if len(columns) != 1 && len(columns) != 2 || len(columns) == 2 && columns[0] == columns[1] {
		return nil, model.Errorf(op, "columns must be one column or two different ones, got %v", columns)
	}
	result, names := &Dependence{}, model.ColumnsOf(x)
	points := 1
	for _, j := range columns {
		if j < 0 || j >= cols {
			return nil, model.Errorf(op, "columns must be between 0 and %d, got %d", cols-1, j)
		}
		values, err := how.values(op, mat.Col(nil, j, d), names[j])
		if err != nil {
			return nil, err
		}
		result.Names, result.Grid = append(result.Names, names[j].Name), append(result.Grid, values)
		points *= len(values)
	}
	var control model.Control
	run := control.Begin(op, points)
	defer run.End()
	moved := mat.DenseCopyOf(d)
	for at := range points {
		rest := at
		for k := len(columns) - 1; k >= 0; k-- {
			v := result.Grid[k][rest%len(result.Grid[k])]
			rest /= len(result.Grid[k])
			for i := range n {
				moved.Set(i, columns[k], v)
			}
		}
		out, err := outputs(pick.As(x, moved))
		if err != nil {
			return nil, err
		}
		result.add(at, points, out, how.Individual)
		if err := run.Step(at+1, math.NaN()); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// add keeps the outputs of the examples at one point of the grid.
func (p *Dependence) add(at, points int, out *mat.Dense, individual bool) {
	n, k := out.Dims()
	if p.Mean == nil {
		p.Mean = mat.NewDense(points, k, nil)
		if individual {
			for range k {
				p.Individual = append(p.Individual, mat.NewDense(n, points, nil))
			}
		}
	}
	for c := range k {
		column := mat.Col(nil, c, out)
		sum := 0.0
		for _, v := range column {
			sum += v
		}
		p.Mean.Set(at, c, sum/float64(n))
		if individual {
			p.Individual[c].SetCol(at, column)
		}
	}
}

// values returns the values at which a column is inspected.
func (g DependenceGrid) values(op string, column []float64, about model.Column) ([]float64, error) {
	low, high := g.Low, g.High
	if low == 0 && high == 0 {
		low, high = 0.05, 0.95
	}
	size := orDefault(g.Size, 100)
	switch {
	case size < 2:
		return nil, model.Errorf(op, "Size must be at least 2, got %d", g.Size)
	case !(low >= 0 && low < high && high <= 1):
		return nil, model.Errorf(op, "Low and High must satisfy 0 ≤ Low < High ≤ 1, got %v and %v", g.Low, g.High)
	}
	sorted := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
	if len(sorted) == 0 {
		return nil, model.Errorf(op, "column %q must have at least one non-missing value, got none", about.Name)
	}
	slices.Sort(sorted)
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) < size || about.Kind == model.Nominal {
		return distinct, nil
	}
	from, to := plottingQuantile(sorted, low), plottingQuantile(sorted, high)
	if from == to {
		return nil, model.Errorf(op, "the quantiles Low and High of column %q must differ, got %v for both", about.Name, from).WithHint("set Low lower or High higher")
	}
	values := make([]float64, size)
	for k := range values {
		values[k] = from + (to-from)*float64(k)/float64(size-1)
	}
	values[size-1] = to
	return values, nil
}

// plottingQuantile is the quantile of Cunnane's plotting positions (k − 0.4)/(n + 0.2).
func plottingQuantile(sorted []float64, p float64) float64 {
	n := float64(len(sorted))
	at := n*p + 0.4 + 0.2*p
	k := math.Floor(min(max(at, 1), n-1))
	share := min(max(at-k, 0), 1)
	if len(sorted) == 1 {
		return sorted[0]
	}
	return (1-share)*sorted[int(k)-1] + share*sorted[int(k)]
}
