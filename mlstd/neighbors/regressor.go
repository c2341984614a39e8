package neighbors

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// KNNRegressor predicts the mean target of the K nearest training rows.
//
//	ŷ = Σ over the K nearest i of wᵢ yᵢ / Σ wᵢ
//
// where wᵢ is 1, 1/dᵢ or 1/dᵢ². The parameters are the same as in [KNN]. With uniform weights, the
// prediction is a step function, which never leaves the range of the targets.
//
// Cost: the same as for [KNN].
//
// References: [Cover1967], [Hastie2009].
// Course: NEAR-02, NEAR-03.
type KNNRegressor struct {
	// K is the number of neighbors; 0 means 5. With a larger K, the predicted curve is smoother and
	// follows the training rows less closely.
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
	// Search determines how the neighbors are found. The default is AutoSearch.
	Search NeighborSearch

	target []float64
	index  *index
	k      int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Regressor = (*KNNRegressor)(nil)

// Fit keeps a copy of the rows of x and their targets y.
func (m *KNNRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	m.target, m.index, m.k = nil, nil, 0
	const op = "KNNRegressor.Fit"
	d, err := model.CheckXYReal(op, x, y)
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
	m.target, m.index, m.k = slices.Clone(y), ix, k
	return nil
}

// Predict returns the weighted mean target of the neighbors of each row.
func (m *KNNRegressor) Predict(x mat.Matrix) []float64 {
	const op = "KNNRegressor.Predict"
	x = model.MustRead(op, &m.Fitted, x)
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	_, cols := m.index.x.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	y := make([]float64, n)
	m.index.each(d, m.k, func(i int, found *nearest) {
		y[i] = m.mean(found)
	})
	return y
}

// mean returns the weighted mean target of the neighbors.
func (m *KNNRegressor) mean(found *nearest) float64 {
	sum, total := 0.0, 0.0
	for a, r := range found.rows {
		w := m.Weights.weight(m.index, found, a)
		sum += w * m.target[r]
		total += w
	}
	return sum / total
}
