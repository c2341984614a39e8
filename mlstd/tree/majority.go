package tree

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// MajorityClassifier ignores the features and always predicts the most frequent
// class: the baseline that every classifier must beat.
//
//	f(x) = argmaxₖ Σᵢ wᵢ [yᵢ = k]
//
// Its training error is the fraction of examples of other classes. Its probabilities are the class
// fractions of the training examples.
//
// Cost: O(n).
//
// References: [Mitchell1997].
// Course: TREE-03, CORE-01.
type MajorityClassifier struct {
	// Counts holds the weight of each class, in the order of Classes.
	Counts []float64

	classes []int
	width   int

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.ProbClassifier     = (*MajorityClassifier)(nil)
	_ model.WeightedClassifier = (*MajorityClassifier)(nil)
)

// Takes reports that columns of any kind are accepted, because Fit ignores them.
func (m *MajorityClassifier) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Fit counts the classes.
func (m *MajorityClassifier) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("MajorityClassifier.Fit", x, y, nil)
}

// FitWeighted adds up the weights of the classes; examples of weight 0 do not
// count at all.
func (m *MajorityClassifier) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&m.Fitted, x, y)
	if weights == nil {
		weights = []float64{}
	}
	return m.fit("MajorityClassifier.FitWeighted", x, y, weights)
}

func (m *MajorityClassifier) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	m.Counts, m.classes, m.width = nil, nil, 0
	d, err := m.Takes().CheckXY(op, x, y)
	if err != nil {
		return err
	}
	kept := y
	if weights != nil {
		if err := model.CheckWeights(op, weights, len(y)); err != nil {
			return err
		}
		kept = nil
		for i, c := range y {
			if weights[i] > 0 {
				kept = append(kept, c)
			}
		}
	}
	m.classes, _ = model.Classes(kept)
	m.Counts = make([]float64, len(m.classes))
	for i, c := range y {
		if weights == nil {
			k, _ := slices.BinarySearch(m.classes, c)
			m.Counts[k]++
		} else if weights[i] > 0 {
			k, _ := slices.BinarySearch(m.classes, c)
			m.Counts[k] += weights[i]
		}
	}
	_, m.width = d.Dims()
	return nil
}

// Classes returns the classes in ascending order.
func (m *MajorityClassifier) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most frequent class for every row; ties go to the smallest class label.
func (m *MajorityClassifier) Predict(x mat.Matrix) []int {
	x = model.MustRead("MajorityClassifier.Predict", &m.Fitted, x)
	n := m.mustFit("MajorityClassifier.Predict", x)
	y := make([]int, n)
	for i := range y {
		y[i] = m.classes[argmax(m.Counts)]
	}
	return y
}

// PredictProba returns the class fractions of the training examples for every row.
func (m *MajorityClassifier) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MajorityClassifier.PredictProba", &m.Fitted, x)
	n := m.mustFit("MajorityClassifier.PredictProba", x)
	p := mat.NewDense(n, len(m.classes), nil)
	total := sum(m.Counts)
	for i := range n {
		for k, c := range m.Counts {
			p.Set(i, k, c/total)
		}
	}
	return p
}

func (m *MajorityClassifier) mustFit(op string, x mat.Matrix) int {
	if m.classes == nil {
		panic(model.NotFitted(op))
	}
	n, _ := m.Takes().MustRows(op, x, m.width).Dims()
	return n
}
