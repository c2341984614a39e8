package prep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*StandardScaler)(nil)
	_ model.BatchFitter = (*MinMaxScaler)(nil)
	_ model.BatchFitter = (*MaxAbsScaler)(nil)
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

// FitBatches is Fit for examples in batches, which it reads twice. The result equals that of Fit. A
// column whose squares overflow or underflow takes three more passes.
func (s *StandardScaler) FitBatches(b *model.Batches) error {
	const op = "StandardScaler.FitBatches"
	s.Mean, s.SD, s.Fitted = nil, nil, model.Fitted{}
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
	sd := sums[cols:]
	var extreme []int
	for j := range sd {
		if mean[j], sd[j] = moment(mean[j], sums[j], sd[j], n); !usual(sd[j]) {
			extreme = append(extreme, j)
		}
	}
	if len(extreme) > 0 {
		if err := scaledMoments(op, b, extreme, mean, sd); err != nil {
			return err
		}
	}
	for j := range sd {
		if constant(mean[j], sd[j]) {
			sd[j] = 0
		}
	}
	s.Mean, s.SD = mean, slices.Clone(sd)
	model.NoteBatches(&s.Fitted, b, false)
	return nil
}

// scaledMoments is [columnMoments] for columns of batches.
func scaledMoments(op string, b *model.Batches, columns []int, mean, sd []float64) error {
	power := make([]int, len(columns))
	largest := make([]float64, len(columns))
	err := eachBatch(op, b, func(d *mat.Dense) {
		for k, j := range columns {
			largest[k] = max(largest[k], floats.Norm(mat.Col(nil, j, d), math.Inf(1)))
		}
	})
	if err != nil {
		return err
	}
	n := float64(b.Rows)
	for k, j := range columns {
		_, power[k] = math.Frexp(largest[k])
		power[k], mean[j], sd[j] = max(power[k], -1000), 0, 0
	}
	err = eachBatch(op, b, func(d *mat.Dense) {
		for k, j := range columns {
			for i := range d.RawMatrix().Rows {
				mean[j] += math.Ldexp(d.At(i, j), -power[k])
			}
		}
	})
	if err != nil {
		return err
	}
	rest := make([]float64, len(columns))
	err = eachBatch(op, b, func(d *mat.Dense) {
		for k, j := range columns {
			for i := range d.RawMatrix().Rows {
				v := math.Ldexp(d.At(i, j), -power[k]) - mean[j]/n
				rest[k] += v
				sd[j] += v * v
			}
		}
	})
	for k, j := range columns {
		off := rest[k] / n
		mean[j], sd[j] = math.Ldexp(mean[j]/n+off, power[k]), math.Ldexp(math.Sqrt(max(0, sd[j]/n-off*off)), power[k])
	}
	return err
}

// FitBatches is Fit for examples in batches, which it reads once.
func (s *MinMaxScaler) FitBatches(b *model.Batches) error {
	s.Min, s.Max, s.Fitted = nil, nil, model.Fitted{}
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
	model.NoteBatches(&s.Fitted, b, false)
	return nil
}

// FitBatches is Fit for examples in batches, which it reads once.
func (s *MaxAbsScaler) FitBatches(b *model.Batches) error {
	s.MaxAbs, s.Fitted = nil, model.Fitted{}
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
	model.NoteBatches(&s.Fitted, b, false)
	return nil
}
