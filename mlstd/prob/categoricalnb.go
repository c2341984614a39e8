package prob

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// CategoricalNB is naive Bayes for nominal columns: it has a table of value probabilities for each
// class and column.
//
//	p(x, y) = πᵧ·Πⱼ p(xⱼ|y)
//	p(xⱼ=v|y) = (N_{y,j,v} + α) / (N_{y,j} + α·Vⱼ)
//
// Values are 0, 1, 2 and so on. The number of values is the number of levels in a [model.Table],
// and otherwise the number of values in the data. NaN is a missing value. Missing values, and
// values that no training example has, are left out of the counts and of the product.
//
// Cost: O(n·d), and O(k·ΣV) for the tables.
//
// References: [Mitchell1997] §6.9. Course: PROB-19, PROB-20, PROB-22.
type CategoricalNB struct {
	// Alpha is the smoothing, which is added to every count; 0 means 1, and model.Zero means no
	// smoothing. A larger value pulls the estimates toward the uniform distribution.
	Alpha float64
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil

	LogPrior   []float64   // set by Fit: one per class
	ClassCount []float64   // set by Fit: number or weight of the examples of each class
	Features   []NBFeature // set by Fit: the tables of each column

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

func (m *CategoricalNB) reset() {
	*m = CategoricalNB{Alpha: m.Alpha, Prior: m.Prior, UniformPrior: m.UniformPrior, Fitted: m.Fitted}
}

// columnsOf describes the columns of x, all of them nominal.
func (m *CategoricalNB) columnsOf(x mat.Matrix) []model.Column {
	columns := slices.Clone(model.ColumnsOf(x))
	for j := range columns {
		if columns[j].Kind == model.Numeric {
			columns[j].Kind = model.Nominal
		}
	}
	return columns
}

func (m *CategoricalNB) share(string) (float64, error) { return 0, nil }

// Takes reports that values may be missing and that columns may be nominal.
func (m *CategoricalNB) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Fit counts the values in each class and estimates their probabilities.
func (m *CategoricalNB) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("CategoricalNB.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (m *CategoricalNB) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("CategoricalNB.FitWeighted", x, y, weights, true)
}

// PartialFit adds examples to the model, with the same result as one Fit to all examples. New
// classes and values may appear. After an error, the model is unchanged.
func (m *CategoricalNB) PartialFit(x mat.Matrix, y []int) (err error) {
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch("CategoricalNB.PartialFit", &m.Fitted, x, y)
	if err != nil {
		return err
	}
	return m.learn("CategoricalNB.PartialFit", x, y, nil, false)
}

func (m *CategoricalNB) state() learned {
	return learned{m.classes, m.ClassCount, m.LogPrior, m.Features}
}

func (m *CategoricalNB) learn(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
	alpha, err := alphaOf(op, m.Alpha)
	if err != nil {
		return err
	}
	share, err := m.share(op)
	if err != nil {
		return err
	}
	e, err := checkExamples(op, x, y, weights, weighted, m.Takes())
	if err != nil {
		return err
	}
	l, err := m.state().plus(op, e, m.columnsOf(x))
	if err == nil {
		err = l.estimate(op, alpha, share, m.Prior, m.UniformPrior)
	}
	if err != nil {
		return err
	}
	m.classes, m.ClassCount, m.LogPrior, m.Features = l.classes, l.count, l.logPrior, l.features
	return nil
}

func (m *CategoricalNB) joint(op string, x mat.Matrix) *mat.Dense {
	if m.Features == nil {
		panic(model.NotFitted(op))
	}
	l := m.state()
	return l.joint(op, m.Takes().MustRows(op, x, len(m.Features)))
}

// Classes lists the classes in ascending order.
func (m *CategoricalNB) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most probable class of each row.
func (m *CategoricalNB) Predict(x mat.Matrix) []int {
	x = model.MustRead("CategoricalNB.Predict", &m.Fitted, x)
	return best(m.joint("CategoricalNB.Predict", x), m.classes)
}

// PredictProba returns p(y|x) for each row.
func (m *CategoricalNB) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("CategoricalNB.PredictProba", &m.Fitted, x)
	return normalize(m.joint("CategoricalNB.PredictProba", x), m.LogPrior)
}

// Decision returns, for two classes, the log odds of the second class and, for more classes, log
// p(x, y).
func (m *CategoricalNB) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("CategoricalNB.Decision", &m.Fitted, x)
	return scores(m.joint("CategoricalNB.Decision", x))
}

// Sample draws n rows and their classes from the model.
//
// Course: PROB-25.
func (m *CategoricalNB) Sample(n int, seed uint64) (x *mat.Dense, y []int) {
	l := m.state()
	return l.sample("CategoricalNB.Sample", n, seed)
}
