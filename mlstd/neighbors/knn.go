package neighbors

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Weighting determines how much each of the k neighbors counts.
type Weighting int

const (
	UniformWeights  Weighting = iota // all alike
	InverseDistance                  // 1/d; if there are rows at distance 0, only they count
	InverseSquare                    // 1/d²; if there are rows at distance 0, only they count
)

// KNN classifies a row by the vote of its K nearest training rows.
//
// It predicts the class with the largest vote,
//
//	ŷ = argmax_v Σ over the K nearest i of wᵢ [yᵢ = v]
//
// where wᵢ is 1, 1/dᵢ or 1/dᵢ². Fit only stores the rows and, in few dimensions, builds a k-d tree.
//
//  1. Find the K rows nearest to the query; ties go to the first in the data.
//  2. Add up their weights by class; the largest sum wins.
//
// A tied vote goes to the smallest class. An odd K avoids ties only if there are two classes and
// the weights are uniform. K = 1 has no training error (if no two equal rows differ in class) and
// follows every noisy example; K = n always predicts the majority class. Columns on larger scales
// dominate the distance, so scale the columns first; shifting them has no effect. In many
// dimensions, all distances become about equal.
//
// Cost: O(n·d) memory. A query takes O(n·d) by brute force, and about O(log n) with a k-d tree in
// few dimensions.
//
// References: [Cover1967], [Bentley1975].
// Course: NEAR-01, NEAR-03, NEAR-11, NEAR-12.
type KNN struct {
	// K is the number of neighbors; 0 means 5.
	K int
	// Metric is the distance. The default is Euclidean.
	Metric Metric
	// P is the power of the Minkowski metric; 0 means 2. 1 is the Manhattan distance, 2 the
	// Euclidean distance. A larger P weights the column with the largest difference more.
	P float64
	// Distance, if set, is used instead of Metric.
	Distance func(a, b []float64) float64 `json:"-"`
	// Weights determines how the neighbors count. The default is UniformWeights.
	Weights Weighting
	// Search determines how neighbors are found. The default is AutoSearch.
	Search NeighborSearch

	classes []int
	class   []int // of each row, as a position in classes
	index   *index
	k       int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.ProbClassifier = (*KNN)(nil)

// Fit keeps a copy of the rows of x and their classes y. It returns an error if K is larger than
// the number of rows.
func (m *KNN) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	m.classes, m.class, m.index, m.k = nil, nil, nil, 0
	const op = "KNN.Fit"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	k, err := checkK(op, m.K, len(y))
	if err != nil {
		return err
	}
	if m.Weights < UniformWeights || m.Weights > InverseSquare {
		return model.Errorf(op, "Weights must be one of the constants of ml.Weighting, got %d", m.Weights)
	}
	ix, err := newIndex(op, d, m.Metric, power(m.P), m.Distance, m.Search)
	if err != nil {
		return err
	}
	m.classes, m.class = model.Classes(y)
	m.index, m.k = ix, k
	return nil
}

func power(p float64) float64 {
	if p == 0 {
		return 2
	}
	return p
}

const defaultK = 5

func checkK(op string, k, n int) (int, error) {
	if k == 0 {
		k = defaultK
	}
	if k < 1 || k > n {
		return 0, model.Errorf(op, "K must be between 1 and %d (the number of rows), got %d", n, k)
	}
	return k, nil
}

// Classes returns the classes in ascending order.
func (m *KNN) Classes() []int { return slices.Clone(m.classes) }

func (m *KNN) mustRows(op string, x mat.Matrix) *mat.Dense {
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	_, cols := m.index.x.Dims()
	d := model.MustRows(op, x, cols)
	if m.Distance == nil && (m.Metric == Euclidean || m.Metric == Minkowski || m.Metric == CosineMetric) {
		magnitude.Must(op, d)
	}
	return d
}

// Predict returns the class of each row.
func (m *KNN) Predict(x mat.Matrix) []int {
	x = model.MustRead("KNN.Predict", &m.Fitted, x)
	d := m.mustRows("KNN.Predict", x)
	n, _ := d.Dims()
	y := make([]int, n)
	votes := mat.NewDense(n, len(m.classes), nil)
	m.index.each(d, m.k, func(i int, found *nearest) {
		v := votes.RawRowView(i)
		m.vote(found, v)
		y[i] = m.winner(v)
	})
	return y
}

// winner returns the class with the largest vote; ties go to the smallest class.
func (m *KNN) winner(votes []float64) int {
	best := 0
	for c := range votes {
		// Sums of the same weights in another order can differ by rounding.
		if votes[c] > votes[best]*(1+1e-12) {
			best = c
		}
	}
	return m.classes[best]
}

// PredictProba returns each class's fraction of the vote. With uniform weights, this is the
// fraction of the K neighbors that belong to the class.
func (m *KNN) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("KNN.PredictProba", &m.Fitted, x)
	d := m.mustRows("KNN.PredictProba", x)
	n, _ := d.Dims()
	p := mat.NewDense(n, len(m.classes), nil)
	m.index.each(d, m.k, func(i int, found *nearest) {
		v := p.RawRowView(i)
		m.vote(found, v)
		total := 0.0
		for _, w := range v {
			total += w
		}
		for c := range v {
			v[c] /= total
		}
	})
	return p
}

// vote sums the weights of the neighbors by class.
func (m *KNN) vote(found *nearest, votes []float64) {
	for a, r := range found.rows {
		votes[m.class[r]] += m.Weights.weight(m.index, found, a)
	}
}

// weight returns the weight of the neighbor at position a.
func (w Weighting) weight(ix *index, found *nearest, a int) float64 {
	if w == UniformWeights {
		return 1
	}
	if found.ranks[0] == 0 {
		if found.ranks[a] == 0 {
			return 1
		}
		return 0
	}
	// Relative to the nearest, so that tiny distances do not overflow.
	ratio := ix.dist(found.ranks[0]) / ix.dist(found.ranks[a])
	if w == InverseSquare {
		return ratio * ratio
	}
	return ratio
}

// Neighbors returns the K nearest training rows of each row of x, nearest first, and their
// distances.
func (m *KNN) Neighbors(x mat.Matrix) (rows [][]int, distances [][]float64) {
	x = model.MustRead("KNN.Neighbors", &m.Fitted, x)
	d := m.mustRows("KNN.Neighbors", x)
	n, _ := d.Dims()
	rows, distances = make([][]int, n), make([][]float64, n)
	m.index.each(d, m.k, func(i int, found *nearest) {
		rows[i], distances[i] = found.sorted()
		for a, r := range distances[i] {
			distances[i][a] = m.index.dist(r)
		}
	})
	return rows, distances
}
