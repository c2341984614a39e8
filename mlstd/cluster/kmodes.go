package cluster

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KModes divides rows of nominal values into K clusters around their modes.
//
// It is k-means where the distance is the number of columns that differ,
//
//	J(c, μ) = Σᵢ Σⱼ [xᵢⱼ ≠ μ_{cᵢ,j}]
//
// for which the best center is the mode, the most frequent value of each column in the cluster:
//
//  1. cᵢ ← argmin_k Σⱼ [xᵢⱼ ≠ μ_kⱼ]; ties go to the lowest k.
//  2. μ_kⱼ ← the most frequent xᵢⱼ with cᵢ = k; ties go to the lowest value.
//
// Values are compared only for equality; they are the indices of levels in a Table, or any numbers.
// A cluster that lost all its rows takes the row that differs most from the mode of its own
// cluster.
//
// Cost: O(n·K·d) per step.
//
// References: [Huang1998].
// Course: CLU-01.
type KModes struct {
	model.Control

	// K is the number of clusters; 0 means 8, or the number of rows if that is less. A
	// larger K always makes Inertia smaller.
	K int
	// InitCenters, if not nil, are the modes to start from, one per row. Otherwise, rows are drawn
	// by the method of [PlusPlus] with this distance.
	InitCenters *mat.Dense
	// Starts is the number of starts; Fit keeps the result with the smallest Inertia. 0 means 10.
	// More starts take longer and end less often in a poor local minimum.
	Starts int
	// MaxIter is the maximum number of steps from one start; 0 means 100.
	MaxIter int
	// Seed is the seed of the starts.
	Seed uint64

	// Centers are the modes, one per row; set by Fit.
	Centers *mat.Dense
	// Labels are the clusters of the rows; set by Fit.
	Labels []int
	// Inertia is J; set by Fit.
	Inertia float64
	// Trace has J of each step of the best start; set by Fit.
	Trace model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Clusterer = (*KModes)(nil)

// Fit finds the modes of the rows of x.
func (m *KModes) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.Centers, m.Labels, m.Inertia, m.Trace = nil, nil, 0, model.Trace{}
	const op = "KModes.Fit"
	d, err := m.Takes().CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	like := KMeans{K: m.K, InitCenters: m.InitCenters, Starts: m.Starts, MaxIter: m.MaxIter}
	if like.Starts == 0 {
		like.Starts = 10
	}
	if like.MaxIter == 0 {
		like.MaxIter = 100
	}
	p, err := like.params(op, n, cols)
	if err != nil {
		return err
	}
	run := m.Begin("KModes", p.starts*p.maxIter)
	defer run.End()
	done, best := 0, math.Inf(1)
	for start := range p.starts {
		s := modes{x: d, labels: make([]int, n)}
		if m.InitCenters != nil {
			s.centers = mat.DenseCopyOf(m.InitCenters)
		} else {
			s.centers = pick.Rows(d, s.start(p.k, m.Seed, uint64(start)))
		}
		trace, err := s.fit(p.maxIter, func(loss float64) error {
			done++
			return run.Step(done, loss)
		})
		if err != nil {
			m.Centers, m.Labels, m.Inertia, m.Trace = nil, nil, 0, model.Trace{}
			return err
		}
		if s.loss < best {
			best = s.loss
			m.Centers, m.Labels, m.Inertia, m.Trace = s.centers, s.labels, s.loss, trace
		}
	}
	return nil
}

// Takes reports that nominal columns are accepted.
func (m *KModes) Takes() model.Takes { return model.Takes{Nominal: true} }

// FitPredict fits the model to x and returns Labels.
func (m *KModes) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return m.Labels, nil
}

// Predict returns, for each row of x, the cluster with the nearest mode.
func (m *KModes) Predict(x mat.Matrix) []int {
	const op = "KModes.Predict"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Centers == nil {
		panic(model.NotFitted(op))
	}
	_, cols := m.Centers.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	s := modes{x: d, labels: make([]int, n), centers: m.Centers}
	s.assign()
	return s.labels
}

// modes is the state of k-modes.
type modes struct {
	x, centers *mat.Dense
	labels     []int
	loss       float64
}

// start draws k rows, each with a probability proportional to its distance from the nearest row
// drawn before.
func (s *modes) start(k int, seed, stream uint64) []int {
	rng := model.Rand(seed, stream)
	rows := []int{rng.IntN(len(s.labels))}
	far := make([]float64, len(s.labels))
	for i := range far {
		far[i] = math.Inf(1)
	}
	for {
		last, total := s.x.RawRowView(rows[len(rows)-1]), 0.0
		for i := range far {
			far[i] = min(far[i], different(s.x.RawRowView(i), last))
			total += far[i]
		}
		if len(rows) == k || total == 0 {
			return rows
		}
		u, next := rng.Float64()*total, -1
		for i, v := range far {
			if v > 0 {
				next = i
				if u -= v; u < 0 {
					break
				}
			}
		}
		rows = append(rows, next)
	}
}

// different returns the number of values that differ.
func different(a, b []float64) float64 {
	n := 0
	for j, v := range a {
		if v != b[j] {
			n++
		}
	}
	return float64(n)
}

func (s *modes) fit(maxIter int, step func(loss float64) error) (trace model.Trace, err error) {
	for i := range s.labels {
		s.labels[i] = -1
	}
	for range maxIter {
		changed := s.assign()
		trace.Loss = append(trace.Loss, s.loss)
		if err := step(s.loss); err != nil {
			return trace, err
		}
		if !changed {
			trace.Converged = true
			break
		}
		s.move()
	}
	if !trace.Converged {
		s.assign() // assign rows to the final modes
	}
	s.dropEmpty()
	return trace, nil
}

// assign labels the rows, computes the loss and reports whether a label changed.
func (s *modes) assign() (changed bool) {
	k, _ := s.centers.Dims()
	s.loss = 0
	for i := range s.labels {
		row, best, near := s.x.RawRowView(i), 0, math.Inf(1)
		for c := range k {
			if v := different(row, s.centers.RawRowView(c)); v < near {
				best, near = c, v
			}
		}
		changed = changed || s.labels[i] != best
		s.labels[i] = best
		s.loss += near
	}
	return changed
}

// move makes each center the mode of its rows.
func (s *modes) move() {
	k, cols := s.centers.Dims()
	rows := make([][]int, k)
	for i, l := range s.labels {
		rows[l] = append(rows[l], i)
	}
	for c := range k {
		if len(rows[c]) == 0 {
			s.reseed(c, rows)
			continue
		}
		values := make([]float64, len(rows[c]))
		for j := range cols {
			for at, i := range rows[c] {
				values[at] = s.x.At(i, j)
			}
			s.centers.Set(c, j, mode(values))
		}
	}
}

// mode returns the most frequent value, the lowest of equally frequent ones; it sorts
// the values.
func mode(values []float64) float64 {
	slices.Sort(values)
	best, most := values[0], 0
	for lo := 0; lo < len(values); {
		hi := lo + 1
		for hi < len(values) && values[hi] == values[lo] {
			hi++
		}
		if hi-lo > most {
			best, most = values[lo], hi-lo
		}
		lo = hi
	}
	return best
}

// reseed moves the row that differs most from its center into cluster c, if any row differs.
func (s *modes) reseed(c int, rows [][]int) {
	at, most := -1, 0.0
	for i, l := range s.labels {
		if v := different(s.x.RawRowView(i), s.centers.RawRowView(l)); v > most && len(rows[l]) > 1 {
			at, most = i, v
		}
	}
	if at >= 0 {
		copy(s.centers.RawRowView(c), s.x.RawRowView(at))
		s.labels[at] = c
	}
}

// dropEmpty leaves out the modes without rows.
func (s *modes) dropEmpty() {
	k, _ := s.centers.Dims()
	used := make([]bool, k)
	for _, l := range s.labels {
		used[l] = true
	}
	var keep []int
	number := make([]int, k)
	for c, u := range used {
		number[c] = len(keep)
		if u {
			keep = append(keep, c)
		}
	}
	if len(keep) < k {
		s.centers = pick.Rows(s.centers, keep)
		for i, l := range s.labels {
			s.labels[i] = number[l]
		}
	}
}
