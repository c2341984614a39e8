package cluster

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KMeans divides rows into K clusters around their means.
//
// It searches for the labels c and the means μ with the smallest sum of squared distances,
//
//	J(c, μ) = Σᵢ ‖xᵢ − μ_cᵢ‖²
//
// with Lloyd's algorithm, which alternates two steps that never raise J:
//
//  1. cᵢ ← argmin_k ‖xᵢ − μ_k‖²; ties go to the lowest k.
//  2. μ_k ← the mean of the rows with cᵢ = k. A cluster that has lost all its rows
//     takes the row that is furthest from its own mean.
//
// The steps end when no label changes, or when the means hardly move (Tol).
//
// J is not convex: where the steps end depends on where they begin, so take the best of several
// starts. The distances must be squared: a sum of unsquared distances can rise in the second step.
// K = 1 and K = n reveal nothing about the data. Clusters are convex and of similar size. Columns
// on larger scales dominate: scale the columns first. If x has fewer than K distinct rows, there
// are fewer than K centers.
//
// Cost: O(n·K·d) per step; usually few steps, but 2^(Ω(n)) in the worst case, even in the plane.
//
// References: [Lloyd1982], [ArthurVassilvitskii2007], [Hamerly2010].
// Course: CLU-01, CLU-02, CLU-03, CLU-04, CLU-06, CLU-07.
type KMeans struct {
	model.Control

	// K is the number of clusters; 0 means 8, or the number of rows if that is less. A
	// larger K always makes Inertia smaller: choose it with [ChooseK].
	K int
	// Init determines the rows at which the centers start. The default is InitPlusPlus.
	Init KMeansInit
	// InitCenters, if not nil, are the K centers to start from, one per row; Init, Starts and Seed
	// are then ignored.
	InitCenters *mat.Dense
	// Starts is the number of starts; Fit keeps the result with the smallest Inertia. 0 means 10
	// for InitRandom and 1 for the other methods. More starts take longer and end less often in a
	// poor local minimum.
	Starts int
	// MaxIter is the maximum number of steps from one start; 0 means 300.
	MaxIter int
	// Tol is the tolerance at which fitting stops: the sum of squared distances
	// that the centers moved is at most Tol times the mean variance of the columns.
	// 0 means 1e-4, and model.Zero continues until no label changes. A larger value
	// stops earlier.
	Tol float64
	// Seed is the seed of the starts.
	Seed uint64
	// Algorithm determines how the nearest centers are found. The default is
	// LloydKMeans.
	Algorithm KMeansAlgorithm `snapshot:"added"`

	// Centers are the means, one per row; set by Fit.
	Centers *mat.Dense
	// Labels are the clusters of the rows; set by Fit.
	Labels []int
	// Inertia is J of the best start; set by Fit.
	Inertia float64
	// Inertias is J of each start; set by Fit.
	Inertias []float64
	// Steps is the number of iterations of each start; set by Fit.
	Steps []int
	// Reseeded is the number of times that a cluster lost all its rows and took another row; set by
	// Fit.
	Reseeded int
	// Trace has, for each iteration of the best start, J after the assignment and how far the
	// centers moved in the update. If the centers have at most 64 values, it also has the centers
	// before the iteration, row by row; set by Fit.
	Trace model.Trace

	shift []float64

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.Clusterer   = (*KMeans)(nil)
	_ model.Transformer = (*KMeans)(nil)
)

// Fit finds the centers of the rows of x.
func (m *KMeans) Fit(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.reset()
	const op = "KMeans.Fit"
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	p, err := m.params(op, n, cols)
	if err != nil {
		return err
	}
	s := newLloyd(d, p.k, m.Algorithm)
	tol := p.tol * s.spread / float64(cols)
	run := m.Begin("KMeans", p.starts*p.maxIter)
	defer run.End()
	var far *away // shared by the starts of k-means++
	if m.Init == InitPlusPlus && m.InitCenters == nil {
		far = newAway(d)
	}
	done, best := 0, math.Inf(1)
	var inertias []float64
	var steps []int
	reseeded := 0
	for start := range p.starts {
		centers, err := m.start(d, far, p.k, uint64(start), run)
		if err != nil {
			return err
		}
		s.begin(centers)
		trace, err := s.fit(p.maxIter, tol, func(loss float64) error {
			done++
			return run.Step(done, loss)
		})
		if err != nil {
			return err
		}
		inertias, steps, reseeded = append(inertias, s.loss), append(steps, len(trace.Loss)), reseeded+s.reseeded
		if s.loss < best {
			best = s.loss
			m.Trace, m.Inertia, m.Labels, m.Centers = trace, s.loss, s.answer(), s.means()
		}
	}
	m.Inertias, m.Steps, m.Reseeded, m.shift = inertias, steps, reseeded, s.shift
	return nil
}

func (m *KMeans) reset() {
	m.Centers, m.Labels, m.Inertias, m.Steps, m.shift = nil, nil, nil, nil, nil
	m.Inertia, m.Reseeded, m.Trace = 0, 0, model.Trace{}
}

type kmeansParams struct {
	k, starts, maxIter int
	tol                float64
}

func (m *KMeans) params(op string, n, cols int) (p kmeansParams, err error) {
	if m.InitCenters != nil {
		k, c := m.InitCenters.Dims()
		if c != cols {
			return p, model.Errorf(op, "InitCenters must have %d columns, as x has, got %d", cols, c)
		}
		if m.K != 0 && m.K != k {
			return p, model.Errorf(op, "K must be %d (the number of rows of InitCenters), got %d", k, m.K).WithHint("leave K out")
		}
		if _, err := model.CheckX(op, m.InitCenters); err != nil {
			return p, model.Errorf(op, "InitCenters must have finite values")
		}
		p.k = k
	} else {
		p.k = m.K
		if m.K == 0 {
			p.k = min(8, n)
		}
		if m.Init < InitPlusPlus || m.Init > InitFurthest {
			return p, model.Errorf(op, "Init must be one of the constants of ml.KMeansInit, got %d", m.Init)
		}
	}
	if m.Algorithm < LloydKMeans || m.Algorithm > HamerlyKMeans {
		return p, model.Errorf(op, "Algorithm must be one of the constants of ml.KMeansAlgorithm, got %d", m.Algorithm)
	}
	if err := checkK(op, p.k, n); err != nil {
		return p, err
	}
	usual := 1
	if m.Init == InitRandom && m.InitCenters == nil {
		usual = 10
	}
	if p.starts, err = model.Iterations(op, "Starts", m.Starts, usual); err != nil {
		return p, err
	}
	if m.InitCenters != nil {
		p.starts = 1
	}
	if p.maxIter, err = model.Iterations(op, "MaxIter", m.MaxIter, 300); err != nil {
		return p, err
	}
	if p.tol = model.Or(m.Tol, 1e-4); !(p.tol >= 0) {
		return p, model.Errorf(op, "Tol must not be negative, got %v", m.Tol)
	}
	return p, nil
}

// start returns the initial centers of one start.
func (m *KMeans) start(d *mat.Dense, far *away, k int, stream uint64, run *model.Run) (*mat.Dense, error) {
	if m.InitCenters != nil {
		return m.InitCenters, nil
	}
	if far != nil {
		return pick.Rows(d, far.plusPlus(k, 0, model.Rand(m.Seed, stream))), run.Err()
	}
	return pick.Rows(d, startRows(d, k, m.Init, m.Seed, stream)), run.Err()
}

// FitPredict fits the model to x and returns Labels.
func (m *KMeans) FitPredict(x mat.Matrix) ([]int, error) {
	model.NoteX(&m.Fitted, x)
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return m.Labels, nil
}

// Predict returns, for each row of x, the cluster with the nearest center.
func (m *KMeans) Predict(x mat.Matrix) []int {
	x = model.MustRead("KMeans.Predict", &m.Fitted, x)
	return nearestCenters("KMeans.Predict", x, m.Centers, m.shift)
}

// Transform returns the distance of each row from each center.
func (m *KMeans) Transform(x mat.Matrix) *model.Table {
	x = model.MustRead("KMeans.Transform", &m.Fitted, x)
	return centerDistances("KMeans.Transform", x, m.Centers)
}

// nearestCenters returns the index of the nearest center for each row of x.
func nearestCenters(op string, x mat.Matrix, centers *mat.Dense, shift []float64) []int {
	if centers == nil {
		panic(model.NotFitted(op))
	}
	k, cols := centers.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	labels := make([]int32, n)
	linalg.PackPoints(d.RawMatrix().Data, n, cols, shift).Nearest(labels, centers.RawMatrix().Data, k)
	return ints(labels)
}

// centerDistances returns the Euclidean distance of each row of x from each center.
func centerDistances(op string, x mat.Matrix, centers *mat.Dense) *model.Table {
	if centers == nil {
		panic(model.NotFitted(op))
	}
	k, cols := centers.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	out := mat.NewDense(n, k, nil)
	par.Range(n, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, to := d.RawRowView(i), out.RawRowView(i)
			for c := range k {
				to[c] = math.Sqrt(squared(row, centers.RawRowView(c)))
			}
		}
	})
	return clusterColumns(x, out)
}

// clusterColumns names the columns of d after the clusters.
func clusterColumns(x mat.Matrix, d *mat.Dense) *model.Table {
	_, k := d.Dims()
	columns := make([]model.Column, k)
	for c := range columns {
		columns[c].Name = "cluster " + strconv.Itoa(c)
	}
	return model.Named(x, d, columns)
}

// checkRows calls model.CheckX and also refuses values whose squares overflow, because all
// distances would then be equal.
func checkRows(op string, x mat.Matrix) (*mat.Dense, error) {
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	if largest := finite.Largest(d.RawMatrix().Data); largest > 1e150 || (largest > 0 && largest < 1e-150) {
		return nil, model.Errorf(op, "the squares of x must be finite, got a value of %.3g", largest).WithHint("scale the columns first")
	}
	return d, nil
}

// checkK returns an error if n rows cannot have k clusters.
func checkK(op string, k, n int) error {
	if k < 1 || k > n {
		return model.Errorf(op, "K must be between 1 and %d (the number of rows), got %d", n, k)
	}
	return nil
}

// ints converts labels to the type that users see.
func ints(labels []int32) []int {
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = int(l)
	}
	return out
}

// squared returns the squared Euclidean distance.
func squared(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(a); j += 4 {
		d0, d1, d2, d3 := a[j]-b[j], a[j+1]-b[j+1], a[j+2]-b[j+2], a[j+3]-b[j+3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; j < len(a); j++ {
		d := a[j] - b[j]
		s0 += d * d
	}
	return s0 + s1 + (s2 + s3)
}
