package cluster

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MiniBatchKMeans is k-means that uses a few rows at a time, for data that arrive in parts or are
// very large.
//
// It lowers the objective of [KMeans] in expectation,
//
//	J(μ) = Σᵢ min_k ‖xᵢ − μ_k‖²
//
// by steps in which each center has its own learning rate, one over the number of rows assigned to
// it so far:
//
//  1. Assign the rows of the batch to the nearest centers.
//  2. μ_k ← μ_k + Σ over its rows (x − μ_k) / n_k, where n_k counts all rows assigned to center k
//     so far, including those of this batch.
//
// Each center is the mean of all rows that were assigned to it. The result is a little worse than
// the result of KMeans.
//
// Cost: O(Batch·K·d) per step.
//
// References: [Sculley2010].
// Course: CLU-01.
type MiniBatchKMeans struct {
	model.Control

	// K is the number of clusters; 0 means 8, or the number of rows if that is less. A
	// larger K always makes the sum of squared distances smaller.
	K int
	// Init determines the rows at which the centers start; the default is InitPlusPlus.
	Init KMeansInit
	// InitCenters, if not nil, are the centers to start from, one per row.
	InitCenters *mat.Dense
	// Batch is the number of rows per step of Fit; 0 means 1024. Larger batches take longer, and
	// the result is closer to the result of KMeans.
	Batch int
	// Epochs is the number of passes over the rows; 0 means 10. More passes take longer, and the
	// result is closer to the result of KMeans.
	Epochs int
	// Seed is the seed of the start and of the order of rows.
	Seed uint64

	// Centers are the centers of the clusters, one per row; set by Fit and PartialFit.
	Centers *mat.Dense
	// Counts has, for each center, the number of rows assigned to it; set by Fit and PartialFit.
	Counts []float64
	// Labels are the clusters of the rows; set by Fit.
	Labels []int
	// Inertia is J; set by Fit.
	Inertia float64
	// Trace has the mean of min_k ‖xᵢ − μ_k‖² over the rows of each batch, before
	// its step; set by Fit and PartialFit.
	Trace model.Trace

	shift []float64

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Clusterer = (*MiniBatchKMeans)(nil)

// Fit makes passes over the rows of x in random order.
func (m *MiniBatchKMeans) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.reset()
	const op = "MiniBatchKMeans.Fit"
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	batch, err := model.Iterations(op, "Batch", m.Batch, 1024)
	if err != nil {
		return err
	}
	epochs, err := model.Iterations(op, "Epochs", m.Epochs, 10)
	if err != nil {
		return err
	}
	if err := m.begin(op, d); err != nil {
		return err
	}
	run := m.Begin("MiniBatchKMeans", epochs*((n+batch-1)/batch))
	defer run.End()
	rng := model.Rand(m.Seed, 1)
	for range epochs {
		order := rng.Perm(n)
		for lo := 0; lo < n; lo += batch {
			loss := m.step(pick.Rows(d, order[lo:min(lo+batch, n)]))
			m.Trace.Loss = append(m.Trace.Loss, loss)
			if err := run.Step(len(m.Trace.Loss), loss); err != nil {
				m.reset()
				return err
			}
		}
	}
	m.finish(d)
	return nil
}

// finish removes centers that are nearest to no row, and labels the rows.
func (m *MiniBatchKMeans) finish(d *mat.Dense) {
	k, _ := m.Centers.Dims()
	labels := nearestCenters("MiniBatchKMeans.Fit", d, m.Centers, m.shift)
	used := make([]int, k)
	for _, l := range labels {
		used[l]++
	}
	var rows []int
	for c, n := range used {
		if n > 0 {
			rows = append(rows, c)
		}
	}
	if len(rows) < k {
		m.Centers, m.Counts = pick.Rows(m.Centers, rows), pick.Of(m.Counts, rows)
		labels = nearestCenters("MiniBatchKMeans.Fit", d, m.Centers, m.shift)
	}
	m.Labels = labels
	for i, l := range labels {
		m.Inertia += squared(d.RawRowView(i), m.Centers.RawRowView(l))
	}
}

// PartialFit makes one step with the rows of x as the batch. The first call chooses the centers
// among its rows, unless InitCenters is set.
func (m *MiniBatchKMeans) PartialFit(x mat.Matrix) (err error) {
	const op = "MiniBatchKMeans.PartialFit"
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch(op, &m.Fitted, x, nil)
	if err != nil {
		return err
	}
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	if m.Centers == nil {
		if err := m.begin(op, d); err != nil {
			return err
		}
	}
	if _, cols := d.Dims(); cols != len(m.shift) {
		return model.Errorf(op, "x must have %d columns, as in the earlier batches, got %d", len(m.shift), cols)
	}
	m.Trace.Loss = append(m.Trace.Loss, m.step(d))
	return nil
}

func (m *MiniBatchKMeans) reset() {
	m.Centers, m.Counts, m.Labels, m.shift = nil, nil, nil, nil
	m.Inertia, m.Trace = 0, model.Trace{}
}

// begin chooses the centers.
func (m *MiniBatchKMeans) begin(op string, d *mat.Dense) error {
	n, cols := d.Dims()
	like := KMeans{K: m.K, Init: m.Init, InitCenters: m.InitCenters, Seed: m.Seed}
	p, err := like.params(op, max(n, m.given()), cols)
	if err != nil {
		return err
	}
	if m.InitCenters != nil {
		m.Centers = mat.DenseCopyOf(m.InitCenters)
	} else {
		m.Centers = pick.Rows(d, startRows(d, p.k, m.Init, m.Seed, 0))
	}
	k, _ := m.Centers.Dims()
	m.Counts, m.shift = make([]float64, k), make([]float64, cols)
	for c := range k {
		for j, v := range m.Centers.RawRowView(c) {
			m.shift[j] += v / float64(k)
		}
	}
	return nil
}

func (m *MiniBatchKMeans) given() int {
	if m.InitCenters == nil {
		return 0
	}
	k, _ := m.InitCenters.Dims()
	return k
}

// step moves the centers by one batch and returns the mean squared distance before the move.
func (m *MiniBatchKMeans) step(d *mat.Dense) float64 {
	n, cols := d.Dims()
	k, _ := m.Centers.Dims()
	labels := make([]int32, n)
	linalg.PackPoints(d.RawMatrix().Data, n, cols, m.shift).Nearest(labels, m.Centers.RawMatrix().Data, k)
	sums, counts, loss := mat.NewDense(k, cols, nil), make([]float64, k), 0.0
	for i, l := range labels {
		center, sum := m.Centers.RawRowView(int(l)), sums.RawRowView(int(l))
		counts[l]++
		for j, v := range d.RawRowView(i) {
			v -= center[j]
			sum[j] += v
			loss += v * v
		}
	}
	moved := 0.0
	for c, more := range counts {
		if more == 0 {
			continue
		}
		m.Counts[c] += more
		center := m.Centers.RawRowView(c)
		for j, v := range sums.RawRowView(c) {
			v /= m.Counts[c]
			center[j] += v
			moved += v * v
		}
	}
	m.Trace.Step = append(m.Trace.Step, math.Sqrt(moved))
	return loss / float64(n)
}

// FitPredict fits the model to x and returns Labels.
func (m *MiniBatchKMeans) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return m.Labels, nil
}

// Predict returns, for each row of x, the cluster with the nearest center.
func (m *MiniBatchKMeans) Predict(x mat.Matrix) []int {
	x = model.MustRead("MiniBatchKMeans.Predict", &m.Fitted, x)
	return nearestCenters("MiniBatchKMeans.Predict", x, m.Centers, m.shift)
}

// Transform returns the distance of each row from each center.
func (m *MiniBatchKMeans) Transform(x mat.Matrix) *model.Table {
	x = model.MustRead("MiniBatchKMeans.Transform", &m.Fitted, x)
	return centerDistances("MiniBatchKMeans.Transform", x, m.Centers)
}
