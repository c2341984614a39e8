package cluster

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// MeanShift finds the peaks of the density of the rows. Rows that climb to the same peak form a
// cluster.
//
// From every row it climbs the estimate of the density with a flat window,
//
//		m ← the mean of the rows x with ‖x − m‖ ≤ Bandwidth
//
//	 1. Repeat that from every row until m moves by at most 1e-3·Bandwidth.
//	 2. Of end points within Bandwidth of each other, keep the point with the most rows around it.
//	 3. Each row belongs to the nearest remaining end point.
//
// The number of clusters follows from Bandwidth: if it is too small, every row is a peak; if it is
// too large, all rows form one cluster.
//
// Cost: O(n) climbs. A step of a climb takes O(log n + rows in the window) in few dimensions and
// O(n·d) in many.
//
// References: [ComaniciuMeer2002].
// Course: CLU-08.
type MeanShift struct {
	model.Control

	// Bandwidth is the radius of the window, in the unit of the columns; 0 means
	// [EstimateBandwidth] with a quantile of 0.3. A larger radius finds fewer clusters.
	Bandwidth float64
	// MaxIter is the maximum number of steps of a climb; 0 means 300.
	MaxIter int

	// Centers are the peaks, one per row, in descending order of the number of rows around them;
	// set by FitPredict.
	Centers *mat.Dense
	// Labels are the clusters of the rows; set by FitPredict.
	Labels []int
	// Window is the Bandwidth that was used; set by FitPredict.
	Window float64
	// Trace has, for each step, the number of rows that still climb after that step; set by
	// FitPredict.
	Trace model.Trace

	shift []float64

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Clusterer = (*MeanShift)(nil)

// EstimateBandwidth returns a window for [MeanShift]: the mean distance from a row to its
// ⌊quantile·n⌋-th neighbor, the row itself counted.
//
// Course: CLU-08.
func EstimateBandwidth(x mat.Matrix, quantile float64) float64 {
	const op = "EstimateBandwidth"
	d, err := checkRows(op, x)
	if err != nil {
		panic(err)
	}
	if !(quantile > 0 && quantile <= 1) {
		panic(model.Errorf(op, "quantile must be above 0 and at most 1, got %v", quantile))
	}
	n, _ := d.Dims()
	var ix neighbors.NeighborIndex
	if err := ix.Learn(d); err != nil {
		panic(err)
	}
	k := max(1, int(quantile*float64(n)))
	_, far := ix.Nearest(d, k)
	sum := 0.0
	for _, v := range far {
		sum += v[k-1]
	}
	return sum / float64(n)
}

// FitPredict returns the clusters of the rows of x.
func (m *MeanShift) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	m.reset()
	const op = "MeanShift.FitPredict"
	d, err := checkRows(op, x)
	if err != nil {
		return nil, err
	}
	maxIter, err := model.Iterations(op, "MaxIter", m.MaxIter, 300)
	if err != nil {
		return nil, err
	}
	window := m.Bandwidth
	if window == 0 {
		window = EstimateBandwidth(d, 0.3)
		if window == 0 {
			window = 1 // all rows are equal
		}
	}
	if !(window > 0) || math.IsInf(window, 1) {
		return nil, model.Errorf(op, "Bandwidth must be positive, got %v", m.Bandwidth)
	}
	run := m.Begin("MeanShift", maxIter)
	defer run.End()
	means, around, err := m.climb(d, window, maxIter, run)
	if err != nil {
		m.reset()
		return nil, err
	}
	m.Window, m.Centers = window, peaks(means, around, window)
	_, cols := d.Dims()
	m.shift = make([]float64, cols)
	copy(m.shift, m.Centers.RawRowView(0))
	m.Labels = m.Predict(d)
	m.renumber()
	return m.Labels, nil
}

func (m *MeanShift) reset() {
	m.Centers, m.Labels, m.Window, m.Trace, m.shift = nil, nil, 0, model.Trace{}, nil
}

// Predict returns, for each row of x, the cluster with the nearest peak.
func (m *MeanShift) Predict(x mat.Matrix) []int {
	x = model.MustRead("MeanShift.Predict", &m.Fitted, x)
	return nearestCenters("MeanShift.Predict", x, m.Centers, m.shift)
}

// climb returns the end point of the climb from every row, and the number of rows around each end
// point.
func (m *MeanShift) climb(d *mat.Dense, window float64, maxIter int, run *model.Run) (*mat.Dense, []int, error) {
	n, cols := d.Dims()
	var ix neighbors.NeighborIndex
	if err := ix.Learn(d); err != nil {
		return nil, nil, err
	}
	means, around, going := mat.DenseCopyOf(d), make([]int, n), make([]int, n)
	for i := range going {
		going[i] = i
	}
	mean := make([]float64, cols)
	for iter := 1; iter <= maxIter && len(going) > 0; iter++ {
		here := mat.NewDense(len(going), cols, nil)
		for at, i := range going {
			here.SetRow(at, means.RawRowView(i))
		}
		rest := going[:0]
		for at, rows := range ix.Within(here, window) {
			i := going[at]
			if around[i] = len(rows); len(rows) == 0 {
				continue
			}
			slices.Sort(rows) // so that sums do not depend on the search
			clear(mean)
			for _, r := range rows {
				floats.Add(mean, d.RawRowView(int(r)))
			}
			floats.Scale(1/float64(len(rows)), mean)
			moved := math.Sqrt(squared(mean, means.RawRowView(i)))
			means.SetRow(i, mean)
			if moved > 1e-3*window {
				rest = append(rest, i)
			}
		}
		going = rest
		m.Trace.Loss = append(m.Trace.Loss, float64(len(going)))
		if err := run.Step(iter, float64(len(going))); err != nil {
			return nil, nil, err
		}
	}
	m.Trace.Converged = len(going) == 0
	return means, around, nil
}

// peaks returns the end points that have no end point with more rows around it within the window.
func peaks(means *mat.Dense, around []int, window float64) *mat.Dense {
	order := make([]int, len(around))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if around[a] != around[b] {
			return around[b] - around[a]
		}
		return slices.Compare(means.RawRowView(b), means.RawRowView(a))
	})
	var kept []int
	for _, i := range order {
		near := slices.ContainsFunc(kept, func(k int) bool {
			return squared(means.RawRowView(i), means.RawRowView(k)) <= window*window
		})
		if !near {
			kept = append(kept, i)
		}
	}
	return pick.Rows(means, kept)
}

// renumber removes peaks that are nearest to no row.
func (m *MeanShift) renumber() {
	k, _ := m.Centers.Dims()
	number := make([]int, k)
	for _, l := range m.Labels {
		number[l] = 1
	}
	var kept []int
	for c, used := range number {
		number[c] = len(kept)
		if used > 0 {
			kept = append(kept, c)
		}
	}
	if len(kept) < k {
		m.Centers = pick.Rows(m.Centers, kept)
		for i, l := range m.Labels {
			m.Labels[i] = number[l]
		}
	}
}
