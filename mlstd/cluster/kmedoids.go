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

// MedoidMethod determines how k-medoids searches for better medoids.
type MedoidMethod int

const (
	// FasterPAM makes a swap as soon as it finds a swap that lowers J.
	FasterPAM MedoidMethod = iota
	// PAM makes the best of all swaps in each step.
	PAM
	// AlternatingMedoids alternates two steps, as k-means does. It assigns rows to the nearest
	// medoid, then makes the row with the smallest sum of distances in each cluster its medoid. It
	// often ends with a larger J than the other methods.
	AlternatingMedoids
)

// String returns the name of the method.
func (m MedoidMethod) String() string {
	switch m {
	case FasterPAM:
		return "FasterPAM"
	case PAM:
		return "PAM"
	case AlternatingMedoids:
		return "alternating"
	}
	return "unknown"
}

// KMedoids divides rows into K clusters around K of the rows, the medoids, under any
// distance.
//
// It searches for the medoids M with the smallest sum of unsquared distances,
//
//		J(M) = Σᵢ min over m in M of d(xᵢ, m)
//
//	 1. Start with the row that has the smallest sum of distances, and add the row that lowers J
//	    most until there are K medoids.
//	 2. Swap a medoid for another row if that lowers J, until no swap lowers J.
//
// Each row belongs to the nearest of the K medoids. A medoid is an actual row, which you can
// inspect. An outlier moves a medoid little but can move a mean without bound.
//
// Cost: O(n²) memory and distances; a check of all swaps takes O(n²) for both FasterPAM and PAM.
// More than 15,000 rows (1.8 GB) are an error.
//
// References: [KaufmanRousseeuw1990], [SchubertRousseeuw2021].
// Course: CLU-05.
type KMedoids struct {
	model.Control

	// K is the number of clusters; 0 means 8, or the number of rows if that is less. A
	// larger K always makes Inertia smaller.
	K int
	// Method determines how Fit searches for better medoids. The default is FasterPAM.
	Method MedoidMethod
	// InitMedoids, if not nil, are the indices of the initial medoids.
	InitMedoids []int
	// MaxIter is the maximum number of swaps, or of iterations for AlternatingMedoids; 0 means
	// 100·K.
	MaxIter int
	// Metric is the distance. The default is Euclidean.
	Metric neighbors.Metric
	// P is the power of the Minkowski metric; 0 means 2. P = 1 is the Manhattan distance, and P = 2
	// is the Euclidean distance. A larger P increases the weight of the column with the largest
	// difference.
	P float64
	// Distance, if set, is used instead of Metric.
	Distance func(a, b []float64) float64 `json:"-"`
	// Distances reports whether x is a square matrix of distances instead of rows.
	Distances bool

	// Medoids are the indices of the rows that are medoids, one per cluster; set by Fit.
	Medoids []int
	// Centers are the rows of the medoids; nil if Distances is set. Set by Fit.
	Centers *mat.Dense
	// Labels are the clusters of the rows; set by Fit.
	Labels []int
	// Inertia is J; set by Fit.
	Inertia float64
	// Trace has J after the start and after each swap; set by Fit.
	Trace model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Clusterer = (*KMedoids)(nil)

// Fit finds the medoids of the rows of x.
func (m *KMedoids) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.Medoids, m.Centers, m.Labels, m.Inertia, m.Trace = nil, nil, nil, 0, model.Trace{}
	const op = "KMedoids.Fit"
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	k, err := m.clusters(op, n)
	if err != nil {
		return err
	}
	maxIter, err := model.Iterations(op, "MaxIter", m.MaxIter, 100*k)
	if err != nil {
		return err
	}
	if err := checkMetric(op, m.Metric, m.power()); err != nil {
		return err
	}
	square, err := square(op, d, m.Distances, between(m.Metric, m.power(), m.Distance))
	if err != nil {
		return err
	}
	run := m.Begin("KMedoids", maxIter)
	defer run.End()
	s := &medoidSearch{d: square, n: n}
	if m.InitMedoids != nil {
		s.medoids = slices.Clone(m.InitMedoids)
	} else {
		s.build(k)
	}
	s.assign()
	trace := model.Trace{Loss: []float64{s.loss}}
	err = run.Step(1, s.loss)
	for err == nil && len(trace.Loss) <= maxIter {
		if !s.improve(m.Method) {
			trace.Converged = true
			break
		}
		trace.Loss = append(trace.Loss, s.loss)
		err = run.Step(len(trace.Loss), s.loss)
	}
	if err != nil {
		return err
	}
	m.Trace, m.Medoids, m.Labels, m.Inertia = trace, s.medoids, ints(s.near), s.loss
	if !m.Distances {
		m.Centers = pick.Rows(d, m.Medoids)
	}
	return nil
}

func (m *KMedoids) clusters(op string, n int) (int, error) {
	k := m.K
	if k == 0 {
		if k = min(8, n); m.InitMedoids != nil {
			k = len(m.InitMedoids)
		}
	}
	if err := checkK(op, k, n); err != nil {
		return 0, err
	}
	if m.Method < FasterPAM || m.Method > AlternatingMedoids {
		return 0, model.Errorf(op, "Method must be one of the constants of ml.MedoidMethod, got %d", m.Method)
	}
	if m.InitMedoids == nil {
		return k, nil
	}
	if len(m.InitMedoids) != k {
		return 0, model.Errorf(op, "K must be %d (the number of InitMedoids), got %d", len(m.InitMedoids), k).WithHint("leave K out")
	}
	seen := map[int]bool{}
	for _, i := range m.InitMedoids {
		if i < 0 || i >= n {
			return 0, model.Errorf(op, "InitMedoids must have row indices between 0 and %d, got %d", n-1, i)
		}
		if seen[i] {
			return 0, model.Errorf(op, "InitMedoids must have distinct row indices, got %d twice", i)
		}
		seen[i] = true
	}
	return k, nil
}

func (m *KMedoids) power() float64 { return power(m.P) }

// FitPredict fits the model to x and returns Labels.
func (m *KMedoids) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return m.Labels, nil
}

// Transform returns the distance of each row from each medoid.
func (m *KMedoids) Transform(x mat.Matrix) *model.Table {
	const op = "KMedoids.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Medoids == nil {
		panic(model.NotFitted(op))
	}
	if m.Centers == nil {
		panic(model.Errorf(op, "the model must be fitted on rows, not on distances, to predict new rows"))
	}
	k, cols := m.Centers.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	far, out := between(m.Metric, m.power(), m.Distance), mat.NewDense(n, k, nil)
	for i := range n {
		for c := range k {
			out.Set(i, c, far(d.RawRowView(i), m.Centers.RawRowView(c)))
		}
	}
	return clusterColumns(x, out)
}

// Predict returns, for each row of x, the cluster with the nearest medoid.
func (m *KMedoids) Predict(x mat.Matrix) []int {
	x = model.MustRead("KMedoids.Predict", &m.Fitted, x)
	d := m.Transform(x)
	n, _ := d.Dims()
	labels := make([]int, n)
	for i := range labels {
		labels[i] = floats.MinIdx(d.RawRowView(i))
	}
	return labels
}

// medoidSearch is the state of a search for medoids.
type medoidSearch struct {
	d       []float64 // n x n
	n       int
	medoids []int
	near    []int32 // of each row, the index of the nearest medoid
	first   []float64
	second  []float64 // the distances to the nearest and the second nearest medoid
	loss    float64
	at      int       // the candidate of FasterPAM
	change  []float64 // the change of J when each medoid is removed
}

// build chooses the first k medoids greedily: each is the row that lowers J most.
func (s *medoidSearch) build(k int) {
	best, least := 0, math.Inf(1)
	for i := range s.n {
		if v := floats.Sum(s.d[i*s.n : (i+1)*s.n]); v < least {
			best, least = i, v
		}
	}
	s.medoids = []int{best}
	near := slices.Clone(s.d[best*s.n : (best+1)*s.n])
	for len(s.medoids) < k {
		best, most := -1, math.Inf(-1)
		for i := range s.n {
			if slices.Contains(s.medoids, i) {
				continue
			}
			gain := 0.0
			for j, v := range s.d[i*s.n : (i+1)*s.n] {
				if v < near[j] {
					gain += near[j] - v
				}
			}
			if gain > most {
				best, most = i, gain
			}
		}
		s.medoids = append(s.medoids, best)
		for j, v := range s.d[best*s.n : (best+1)*s.n] {
			near[j] = min(near[j], v)
		}
	}
}

// assign finds for each row the nearest medoid and the distance to the second nearest.
func (s *medoidSearch) assign() {
	if s.near == nil {
		s.near, s.first, s.second = make([]int32, s.n), make([]float64, s.n), make([]float64, s.n)
		s.change = make([]float64, len(s.medoids))
	}
	s.loss = 0
	for j := range s.n {
		a, b, at := math.Inf(1), math.Inf(1), int32(0)
		for c, i := range s.medoids {
			v := s.d[i*s.n+j]
			if i == j {
				v = 0
			}
			switch {
			case v < a || i == j && v == a:
				a, b, at = v, a, int32(c)
			case v < b:
				b = v
			}
		}
		s.near[j], s.first[j], s.second[j] = at, a, b
		s.loss += a
	}
}

// improve makes one step and reports whether it lowered J.
func (s *medoidSearch) improve(method MedoidMethod) bool {
	switch {
	case method == AlternatingMedoids:
		return s.alternate()
	case len(s.medoids) == 1:
		old := s.medoids[0]
		s.build(1)
		return s.accept(0, s.medoids[0], old)
	case method == PAM:
		medoid, row, gain := -1, -1, 0.0
		for i := range s.n {
			if c, v := s.swap(i); v < gain {
				medoid, row, gain = c, i, v
			}
		}
		return medoid >= 0 && s.accept(medoid, row, s.medoids[medoid])
	}
	for range s.n {
		i := s.at
		s.at = (s.at + 1) % s.n
		if c, v := s.swap(i); v < 0 && s.accept(c, i, s.medoids[c]) {
			return true
		}
	}
	return false
}

// accept makes row the medoid of cluster c. If J does not fall, which can happen by rounding, it
// restores the old medoid.
func (s *medoidSearch) accept(c, row, old int) bool {
	before := s.loss
	s.medoids[c] = row
	s.assign()
	if s.loss < before {
		return true
	}
	s.medoids[c] = old
	s.assign()
	return false
}

// swap returns the medoid that row i best replaces, and the change of J by that swap. The change is
// 0 if row i is a medoid.
func (s *medoidSearch) swap(i int) (medoid int, change float64) {
	if slices.Contains(s.medoids, i) {
		return 0, 0
	}
	clear(s.change)
	all := 0.0 // the change that does not depend on the removed medoid
	for j, v := range s.d[i*s.n : (i+1)*s.n] {
		first, second, c := s.first[j], s.second[j], s.near[j]
		switch {
		case v < first:
			all += v - first
		case v < second:
			s.change[c] += v - first
		default:
			s.change[c] += second - first
		}
	}
	medoid = floats.MinIdx(s.change)
	return medoid, all + s.change[medoid]
}

// alternate makes the row with the smallest sum of distances in each cluster its
// medoid.
func (s *medoidSearch) alternate() bool {
	before := s.loss
	members := make([][]int, len(s.medoids))
	for j, c := range s.near {
		members[c] = append(members[c], j)
	}
	for c, rows := range members {
		least := math.Inf(1)
		for _, i := range rows {
			sum := 0.0
			for _, j := range rows {
				sum += s.d[i*s.n+j]
			}
			if sum < least {
				least, s.medoids[c] = sum, i
			}
		}
	}
	s.assign()
	return s.loss < before
}
