package tree

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// MeanRegressor ignores the features and always predicts the mean target: the
// baseline that every regressor must beat.
//
//	f(x) = argmin_c Σᵢ wᵢ (yᵢ − c)² = Σᵢ wᵢ yᵢ / Σᵢ wᵢ
//
// On the training examples, its mean squared error is the variance of the targets, and its R² is 0.
//
// Cost: O(n).
//
// References: [Hastie2009].
// Course: CORE-02.
type MeanRegressor struct {
	// Mean is the weighted mean of the training targets.
	Mean float64

	width int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.WeightedRegressor = (*MeanRegressor)(nil)

// Takes reports that columns of any kind are accepted, because Fit ignores them.
func (m *MeanRegressor) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Fit computes the mean of y.
func (m *MeanRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	ones := make([]float64, len(y))
	for i := range ones {
		ones[i] = 1
	}
	return m.fit("MeanRegressor.Fit", x, y, ones)
}

// FitWeighted computes the weighted mean of y.
func (m *MeanRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	return m.fit("MeanRegressor.FitWeighted", x, y, weights)
}

func (m *MeanRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	m.Mean, m.width = 0, 0
	d, err := m.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	t := &realTarget{y: y, weights: weights}
	stat := make([]float64, t.width())
	for i := range y {
		t.add(stat, int32(i))
	}
	m.Mean = stat[1]
	_, m.width = d.Dims()
	return nil
}

// Predict returns the mean for every row.
func (m *MeanRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("MeanRegressor.Predict", &m.Fitted, x)
	if m.width == 0 {
		panic(model.NotFitted("MeanRegressor.Predict"))
	}
	n, _ := m.Takes().MustRows("MeanRegressor.Predict", x, m.width).Dims()
	y := make([]float64, n)
	for i := range y {
		y[i] = m.Mean
	}
	return y
}
