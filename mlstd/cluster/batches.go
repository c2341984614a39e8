package cluster

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

var _ model.BatchFitter = (*MiniBatchKMeans)(nil)

// FitBatches is Fit for examples in batches. The centers start at rows of a random sample. In each
// pass, only the rows of about 16384 rows at a time are shuffled, so the rows should not be sorted.
// For at most so many rows, the result equals that of Fit. Labels is not set; see Predict.
func (m *MiniBatchKMeans) FitBatches(b *model.Batches) error {
	const op = "MiniBatchKMeans.FitBatches"
	m.reset()
	err := model.NoteBatches(op, &m.Fitted, b, model.Ordinal)
	if err == nil {
		err = m.fitBatches(op, b)
	}
	if err != nil {
		m.reset()
	}
	return err
}

func (m *MiniBatchKMeans) fitBatches(op string, b *model.Batches) error {
	batch, err := model.Iterations(op, "Batch", m.Batch, 1024)
	if err != nil {
		return err
	}
	epochs, err := model.Iterations(op, "Epochs", m.Epochs, 10)
	if err != nil {
		return err
	}
	size := (model.BatchRows + batch - 1) / batch * batch
	steps := (b.Rows + batch - 1) / batch
	run := m.Begin("MiniBatchKMeans", epochs*steps)
	defer run.End()
	sample, err := m.sample(op, run, b, max(size, 16*m.K))
	if err != nil {
		return err
	}
	if err := m.begin(op, sample); err != nil {
		return err
	}
	rng := model.Rand(m.Seed, 1)
	for range epochs {
		err := eachBatch(op, run, b, size, func(d *mat.Dense) error {
			n, _ := d.Dims()
			order := rng.Perm(n)
			for lo := 0; lo < n; lo += batch {
				loss := m.step(pick.Rows(d, order[lo:min(lo+batch, n)]))
				m.Trace.Loss = append(m.Trace.Loss, loss)
				if err := run.Step(len(m.Trace.Loss), loss); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return m.finishBatches(op, run, b, size)
}

// eachBatch calls do with the checked rows of each batch.
func eachBatch(op string, run *model.Run, b *model.Batches, size int, do func(d *mat.Dense) error) error {
	return b.Pass(size, func(p model.Batch) error {
		d, err := checkRows(op, p.X)
		if err == nil {
			err = do(d)
		}
		if err == nil {
			err = run.Err()
		}
		return err
	})
}

// sample returns at most size rows, each with the same probability.
func (m *MiniBatchKMeans) sample(op string, run *model.Run, b *model.Batches, size int) (*mat.Dense, error) {
	n, cols := b.Rows, len(b.Columns)
	out := mat.NewDense(min(n, size), cols, nil)
	rng := model.Rand(m.Seed, 2)
	at := 0
	return out, eachBatch(op, run, b, 0, func(d *mat.Dense) error {
		rows, _ := d.Dims()
		for i := range rows {
			k := at
			if at++; k >= size {
				if k = rng.IntN(at); k >= size {
					continue
				}
			}
			out.SetRow(k, d.RawRowView(i))
		}
		return nil
	})
}

// finishBatches removes centers that are nearest to no row, and adds up J.
func (m *MiniBatchKMeans) finishBatches(op string, run *model.Run, b *model.Batches, size int) error {
	k, _ := m.Centers.Dims()
	used := make([]bool, k)
	err := eachBatch(op, run, b, size, func(d *mat.Dense) error {
		for i, l := range nearestCenters(op, d, m.Centers, m.shift) {
			used[l] = true
			m.Inertia += squared(d.RawRowView(i), m.Centers.RawRowView(l))
		}
		return nil
	})
	if err != nil {
		return err
	}
	var rows []int
	for c, yes := range used {
		if yes {
			rows = append(rows, c)
		}
	}
	if len(rows) < k {
		m.Centers, m.Counts = pick.Rows(m.Centers, rows), pick.Of(m.Counts, rows)
	}
	return nil
}
