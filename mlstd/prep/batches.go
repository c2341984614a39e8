package prep

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*StandardScaler)(nil)
	_ model.BatchFitter = (*MinMaxScaler)(nil)
	_ model.BatchFitter = (*MaxAbsScaler)(nil)
	_ model.BatchFitter = (*OneHotEncoder)(nil)
	_ model.BatchFitter = (*Imputer)(nil)
)

// eachBatch calls add with the checked rows of each batch.
func eachBatch(op string, b *model.Batches, add func(d *mat.Dense)) error {
	return b.Pass(0, func(p model.Batch) error {
		d, err := model.CheckX(op, p.X)
		if err == nil {
			add(d)
		}
		return err
	})
}

// FitBatches is Fit for examples in batches, which it reads twice. The result equals that of Fit.
// It returns an error for a column whose squares overflow or underflow.
func (s *StandardScaler) FitBatches(b *model.Batches) error {
	const op = "StandardScaler.FitBatches"
	s.Mean, s.SD = nil, nil
	_ = model.NoteBatches("", &s.Fitted, b, model.Ordinal)
	cols, n := len(b.Columns), float64(b.Rows)
	mean, sums := make([]float64, cols), make([]float64, 2*cols)
	err := eachBatch(op, b, func(d *mat.Dense) { addColumns(mean, d) })
	if err != nil {
		return err
	}
	floats.Scale(1/n, mean)
	if err := eachBatch(op, b, func(d *mat.Dense) { addDeviations(sums, mean, d) }); err != nil {
		return err
	}
	sd := slices.Clone(sums[cols:])
	for j := range sd {
		mean[j], sd[j] = moment(mean[j], sums[j], sd[j], n)
		switch {
		case constant(mean[j], sd[j]):
			sd[j] = 0
		case !usual(sd[j]):
			return model.Errorf(op, "the squares of column %q must be finite and not 0, got a standard deviation of %.3g", b.Columns[j].Name, sd[j]).
				WithHint("multiply the column by a power of 10 first")
		}
	}
	s.Mean, s.SD = mean, sd
	return nil
}

// FitBatches is Fit for examples in batches, which it reads once.
func (s *MinMaxScaler) FitBatches(b *model.Batches) error {
	s.Min, s.Max = nil, nil
	_ = model.NoteBatches("", &s.Fitted, b, model.Ordinal)
	var low, high []float64
	err := b.Pass(0, func(p model.Batch) error {
		part := MinMaxScaler{Low: s.Low, High: s.High}
		if err := part.Fit(p.X); err != nil {
			return err
		}
		if low == nil {
			low, high = part.Min, part.Max
		}
		for j := range low {
			low[j], high[j] = min(low[j], part.Min[j]), max(high[j], part.Max[j])
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.Min, s.Max = low, high
	return nil
}

// FitBatches is Fit for examples in batches, which it reads once.
func (s *MaxAbsScaler) FitBatches(b *model.Batches) error {
	s.MaxAbs = nil
	_ = model.NoteBatches("", &s.Fitted, b, model.Ordinal)
	most := make([]float64, len(b.Columns))
	err := b.Pass(0, func(p model.Batch) error {
		var part MaxAbsScaler
		if err := part.Fit(p.X); err != nil {
			return err
		}
		for j, v := range part.MaxAbs {
			most[j] = max(most[j], v)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.MaxAbs = most
	return nil
}

// FitBatches is Fit for examples in batches, whose columns list all levels. It reads the first
// batch.
func (e *OneHotEncoder) FitBatches(b *model.Batches) error {
	const op = "OneHotEncoder.FitBatches"
	_ = model.NoteBatches(op, &e.Fitted, b, model.Ordinal)
	e.Columns, e.levels, e.width = nil, nil, 0
	for j, c := range b.Columns {
		if c.Kind == model.Nominal && len(c.Levels) == 0 {
			return noneKnown(op, j, c)
		}
	}
	enough := errors.New("enough")
	err := b.Pass(0, func(p model.Batch) (err error) {
		if e.Columns, e.levels, e.width, err = columnLevels(op, p.X, model.Nominal, "="); err == nil {
			err = enough
		}
		return err
	})
	if err == enough {
		return nil
	}
	return err
}

// FitBatches is Fit for examples in batches, which it reads once. Fill must be FillMean or
// FillConstant. Nominal columns are filled with their mode.
func (m *Imputer) FitBatches(b *model.Batches) error {
	const op = "Imputer.FitBatches"
	_ = model.NoteBatches(op, &m.Fitted, b, model.Ordinal)
	m.Values, m.Missing = nil, nil
	err := m.check(op)
	if err == nil && m.Fill != FillMean && m.Fill != FillConstant {
		err = model.Errorf(op, "Fill must be FillMean or FillConstant for a scan, got %d", m.Fill).WithHint("call Collect before Dataset")
	}
	if err != nil {
		return err
	}
	cols := len(b.Columns)
	sums, counts := make([]float64, 2*cols), make([][]int, cols)
	for j, c := range b.Columns {
		counts[j] = make([]int, len(c.Levels))
	}
	err = b.Pass(0, func(p model.Batch) error {
		d, err := m.Takes().CheckX(op, p.X)
		if err != nil {
			return err
		}
		addKnown(sums, d)
		for j, list := range counts {
			for i := 0; len(list) > 0 && i < d.RawMatrix().Rows; i++ {
				if v := d.At(i, j); v == v {
					list[int(v)]++
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	values, missing := make([]float64, cols), []int(nil)
	for j, c := range b.Columns {
		known := int(sums[j])
		if known < b.Rows {
			missing = append(missing, j)
		}
		switch {
		case c.Kind != model.Nominal && m.Fill == FillConstant:
			values[j] = m.Value
		case known == 0:
			return noneKnown(op, j, c)
		case c.Kind == model.Nominal:
			values[j] = float64(slices.Index(counts[j], slices.Max(counts[j])))
		default:
			values[j] = sums[cols+j] / float64(known)
		}
	}
	m.Values, m.Missing = values, missing
	return nil
}
