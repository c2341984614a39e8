package eval

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Permuting determines how [PermutationImportance] permutes the values of a column.
type Permuting struct {
	// Repeats is the number of permutations of each column; 0 means 5. More permutations make the
	// importances more exact and take longer.
	Repeats int
	Weights Weights // of the examples in the score; nil means that all are 1
	Seed    uint64
}

// ColumnImportances reports how much the score of a fitted model depends on each
// column.
type ColumnImportances struct {
	Metric string
	Names  []string // of the columns
	Score  float64  // of the rows as they are
	// Drops[j][r] is the deterioration when column j is permuted for the r-th time: the decrease of
	// the score, or the increase of the loss.
	Drops [][]float64
	// Mean and SD are the mean and the standard deviation of the drops of each column. SD has the
	// number of repeats as its denominator.
	Mean, SD []float64
}

// PermutationImportance measures how much a fitted classifier or pipeline depends on each column of
// x: by how much its score drops when the values of the column are permuted.
//
//	Iⱼ = score(x, y) − (1/R) Σ_r score(x with column j permuted, y)
//
// Use examples to which the model was not fitted: on training examples, a column that the model has
// memorized seems important. If two columns contain the same information, both seem unimportant,
// because the model can still use the other column. The default scoring is accuracy.
//
// Cost: d·Repeats predictions of n rows.
//
// References: [Breiman2001]. Course: EVAL-32.
func PermutationImportance(m model.Classifier, x mat.Matrix, y []int, by Scoring, how Permuting) (*ColumnImportances, error) {
	const op = "PermutationImportance"
	if m == nil {
		return nil, model.Errorf(op, "the model must not be nil").WithHint("pass a fitted classifier")
	}
	if by.Of == nil {
		by = ByAccuracy
	}
	return permuted(op, x, len(y), how, by.Name, by.Lower, func(x mat.Matrix) (float64, error) {
		return by.score(m, x, y, how.Weights)
	})
}

// PermutationImportanceRegressor is [PermutationImportance] for a regressor. The default scoring is
// R².
//
// References: [Breiman2001]. Course: EVAL-32.
func PermutationImportanceRegressor(m model.Regressor, x mat.Matrix, y []float64, by RegressionScoring, how Permuting) (*ColumnImportances, error) {
	const op = "PermutationImportanceRegressor"
	if m == nil {
		return nil, model.Errorf(op, "the model must not be nil").WithHint("pass a fitted regressor")
	}
	if by.Of == nil {
		by = ByR2
	}
	return permuted(op, x, len(y), how, by.Name, by.Lower, func(x mat.Matrix) (float64, error) {
		return by.score(m, x, y, how.Weights)
	})
}

func permuted(op string, x mat.Matrix, examples int, how Permuting, metric string, lower bool, score func(x mat.Matrix) (float64, error)) (*ColumnImportances, error) {
	repeats, err := model.Iterations(op, "Repeats", how.Repeats, 5)
	if err != nil {
		return nil, err
	}
	d, err := model.Takes{Missing: true, Nominal: true}.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	n, cols := d.Dims()
	if err := model.CheckLength(op, n, examples); err != nil {
		return nil, err
	}
	if how.Weights != nil {
		if err := model.CheckWeights(op, how.Weights, n); err != nil {
			return nil, err
		}
	}
	base, err := score(pick.As(x, d))
	if err != nil {
		return nil, err
	}
	var control model.Control
	run := control.Begin(op, cols)
	defer run.End()
	result := &ColumnImportances{Metric: metric, Score: base}
	for j, c := range model.ColumnsOf(x) {
		mixed, drops := mat.DenseCopyOf(d), make([]float64, repeats)
		column := mat.Col(nil, j, d)
		for r := range drops {
			values := slices.Clone(column)
			model.Rand(how.Seed, uint64(j*repeats+r)).Shuffle(n, func(a, b int) { values[a], values[b] = values[b], values[a] })
			mixed.SetCol(j, values)
			s, err := score(pick.As(x, mixed))
			if err != nil {
				return nil, err
			}
			if drops[r] = base - s; lower {
				drops[r] = s - base
			}
		}
		result.Names, result.Drops = append(result.Names, c.Name), append(result.Drops, drops)
		mean, sd := stat.PopMeanStdDev(drops, nil)
		result.Mean, result.SD = append(result.Mean, mean), append(result.SD, sd)
		if err := run.Step(j+1, mean); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// Order lists the columns, the most important first.
func (c *ColumnImportances) Order() []int {
	order := identity(len(c.Mean))
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case c.Mean[a] > c.Mean[b]:
			return -1
		case c.Mean[a] < c.Mean[b]:
			return 1
		}
		return 0
	})
	return order
}

// String returns the columns, the most important first, as text.
func (c *ColumnImportances) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %.4f; drop with the column permuted:\n", c.Metric, c.Score)
	for _, j := range c.Order() {
		fmt.Fprintf(&b, "%10.4f ± %.4f  %s\n", c.Mean[j], c.SD[j], c.Names[j])
	}
	return strings.TrimRight(b.String(), "\n")
}
