package prep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/quantile"
	"github.com/gokernel/gokernel/mlstd/model"
)

// RobustScaler subtracts the median from each column and divides the column by the interquartile
// range. A few extreme values hardly change the median or the range.
//
//	zⱼ = (xⱼ − medianⱼ) / (Q_High(xⱼ) − Q_Low(xⱼ))
//
// If the quantiles of a column are equal, the column is only centered.
//
// Cost: O(d·n log n).
//
// References: [Hastie2009].
// Course: CORE-15, CORE-19.
type RobustScaler struct {
	// Low and High select the two quantiles; if both are 0, they mean 0.25 and 0.75.
	Low, High float64
	// With KeepCenter, the median is not subtracted; with KeepScale, columns are not divided by the
	// range.
	KeepCenter, KeepScale bool

	// Center and Scale hold the medians and ranges of the training columns. Set by Fit.
	Center, Scale []float64

	model.Fitted // set by Fit: the columns that it was given
}

func sortedColumn(d *mat.Dense, j int) []float64 {
	column := mat.Col(nil, j, d)
	slices.Sort(column)
	return column
}

// Fit learns the medians and the quantiles of the columns of x.
func (s *RobustScaler) Fit(x mat.Matrix) error {
	const op = "RobustScaler.Fit"
	model.NoteX(&s.Fitted, x)
	s.Center, s.Scale = nil, nil
	low, high := s.Low, s.High
	if low == 0 && high == 0 {
		low, high = 0.25, 0.75
	}
	low, high = model.Or(low, 0), model.Or(high, 0)
	if !(low >= 0 && low < high && high <= 1) {
		return model.Errorf(op, "Low and High must satisfy 0 ≤ Low < High ≤ 1, got %v and %v", low, high)
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	_, cols := d.Dims()
	for j := range cols {
		column := sortedColumn(d, j)
		scale := quantile.Of(column, high) - quantile.Of(column, low)
		if math.IsInf(scale, 0) {
			return model.Errorf(op, "the difference of the quantiles of column %d must be finite", j).WithHint("scale the column first")
		}
		center := quantile.Of(column, 0.5)
		if constant(center, scale) {
			scale = 0
		}
		s.Center, s.Scale = append(s.Center, center), append(s.Scale, scale)
	}
	return nil
}

// Transform returns the scaled rows.
func (s *RobustScaler) Transform(x mat.Matrix) *model.Table {
	const op = "RobustScaler.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Center == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, len(s.Center))
	return model.LikeNumbers(x, eachRow(d, len(s.Center), func(in, out []float64) {
		for j, v := range in {
			if !s.KeepCenter {
				v -= s.Center[j]
			}
			if !s.KeepScale && s.Scale[j] > 0 {
				v /= s.Scale[j]
			}
			out[j] = v
		}
	}))
}
