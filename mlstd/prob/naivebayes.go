package prob

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// NaiveBayes is naive Bayes for a table of mixed columns. Nominal and ordinal
// columns have a table of their values in each class, as in [CategoricalNB];
// numeric columns have a mean and a variance, as in [GaussianNB].
//
//	p(x, y) = πᵧ·Πⱼ p(xⱼ|y)
//
// A [model.Table] determines the kinds of its columns; columns of any other matrix are numeric. NaN
// is a missing value. Missing values are left out of counts, means and the product, which is valid
// if values are missing at random. A value that no training example has is also left out.
//
// Cost: O(n·d) to fit, O(k·d) per row to predict.
//
// References: [Mitchell1997] §6.9, [DudaHartStork2001] §2.10. Course: PROB-20, PROB-21.
type NaiveBayes struct {
	// Alpha is the smoothing, which is added to every count; 0 means 1, and model.Zero means no
	// smoothing. A larger value pulls the estimates toward the uniform distribution.
	Alpha float64
	// VarSmoothing is the fraction of the largest variance that is added to all variances; 0 means
	// 1e-9, and model.Zero means no smoothing. A larger value makes the classes smoother.
	VarSmoothing float64
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil

	LogPrior   []float64   // set by Fit: one per class
	ClassCount []float64   // set by Fit: number or weight of the examples of each class
	Features   []NBFeature // set by Fit: the estimates for each column

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

func (m *NaiveBayes) reset() {
	*m = NaiveBayes{Alpha: m.Alpha, VarSmoothing: m.VarSmoothing, Prior: m.Prior, UniformPrior: m.UniformPrior, Fitted: m.Fitted}
}

func (m *NaiveBayes) columnsOf(x mat.Matrix) []model.Column { return model.ColumnsOf(x) }

func (m *NaiveBayes) share(op string) (float64, error) {
	share := model.Or(m.VarSmoothing, 1e-9)
	if !(share >= 0) || math.IsInf(share, 0) {
		return 0, model.Errorf(op, "VarSmoothing must not be negative (0 means 1e-9, model.Zero means none), got %v", m.VarSmoothing)
	}
	return share, nil
}

// Takes reports that values may be missing and that columns may be nominal.
func (m *NaiveBayes) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Fit counts nominal values, and estimates means and variances of numeric columns.
func (m *NaiveBayes) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("NaiveBayes.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (m *NaiveBayes) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("NaiveBayes.FitWeighted", x, y, weights, true)
}

// PartialFit adds examples to the model, with the same result as one Fit to all examples. New
// classes and values may appear. After an error, the model is unchanged.
func (m *NaiveBayes) PartialFit(x mat.Matrix, y []int) (err error) {
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch("NaiveBayes.PartialFit", &m.Fitted, x, y)
	if err != nil {
		return err
	}
	return m.learn("NaiveBayes.PartialFit", x, y, nil, false)
}

func (m *NaiveBayes) state() learned {
	return learned{m.classes, m.ClassCount, m.LogPrior, m.Features}
}

func (m *NaiveBayes) learn(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
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

func (m *NaiveBayes) joint(op string, x mat.Matrix) *mat.Dense {
	if m.Features == nil {
		panic(model.NotFitted(op))
	}
	l := m.state()
	return l.joint(op, m.Takes().MustRows(op, x, len(m.Features)))
}

// Classes lists the classes in ascending order.
func (m *NaiveBayes) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most probable class of each row.
func (m *NaiveBayes) Predict(x mat.Matrix) []int {
	x = model.MustRead("NaiveBayes.Predict", &m.Fitted, x)
	return best(m.joint("NaiveBayes.Predict", x), m.classes)
}

// PredictProba returns p(y|x) for each row.
func (m *NaiveBayes) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("NaiveBayes.PredictProba", &m.Fitted, x)
	return normalize(m.joint("NaiveBayes.PredictProba", x), m.LogPrior)
}

// Decision returns, for two classes, the log odds of the second class and, for more classes, log
// p(x, y).
func (m *NaiveBayes) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("NaiveBayes.Decision", &m.Fitted, x)
	return scores(m.joint("NaiveBayes.Decision", x))
}

// Sample draws n rows and their classes from the model.
//
// Course: PROB-25.
func (m *NaiveBayes) Sample(n int, seed uint64) (x *mat.Dense, y []int) {
	l := m.state()
	return l.sample("NaiveBayes.Sample", n, seed)
}
