package prob

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ComplementNB is naive Bayes for counts that describes each class by the texts of all other
// classes. It predicts the class whose complement fits the text worst.
//
//	θᵧⱼ = (α + Σ_{c≠y} N_cⱼ) / (α·d + Σ_{c≠y} N_c),   score = −Σⱼ xⱼ·log θᵧⱼ
//
// Each class is estimated from more text than in [MultinomialNB]; this helps if some classes are
// much larger than others. The priors are left out, as the authors of the method advise.
// PredictProba returns the softmax of the scores, which is not calibrated: use it only for ranking.
//
// Cost: O(n·d + k·d). For a sparse matrix, the number of its entries replaces n·d.
//
// References: [Rennie2003]. Course: PROB-20.
type ComplementNB struct {
	// Alpha is the smoothing, which is added to every count; 0 means 1, and model.Zero means no
	// smoothing. A larger value pulls the estimates toward the uniform distribution.
	Alpha     float64
	Normalize bool // divide the weights of each class by their sum

	Coef       *mat.Dense // set by Fit: the weights, one row per class
	ClassCount []float64  // set by Fit: number or weight of the examples of each class
	Counts     *mat.Dense // set by Fit: N, one row per class

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit counts the values in each class and computes the weights.
func (m *ComplementNB) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("ComplementNB.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (m *ComplementNB) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("ComplementNB.FitWeighted", x, y, weights, true)
}

// PartialFit adds examples to the model, with the same result as one Fit to all examples. After an
// error the model is unchanged.
func (m *ComplementNB) PartialFit(x mat.Matrix, y []int) (err error) {
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch("ComplementNB.PartialFit", &m.Fitted, x, y)
	if err != nil {
		return err
	}
	return m.learn("ComplementNB.PartialFit", x, y, nil, false)
}

func (m *ComplementNB) reset() {
	*m = ComplementNB{Alpha: m.Alpha, Normalize: m.Normalize, Fitted: m.Fitted}
}

func (m *ComplementNB) learn(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
	alpha, err := alphaOf(op, m.Alpha)
	if err != nil {
		return err
	}
	e, err := checkExamples(op, x, y, weights, weighted, model.Takes{})
	if err != nil {
		return err
	}
	t, err := tally{m.classes, m.ClassCount, m.Counts}.plus(op, e, nil)
	if err != nil {
		return err
	}
	if err := model.CheckTwoOrMore(op, t.classes); err != nil && m.classes == nil {
		return err
	}
	k, d := t.feature.Dims()
	all := make([]float64, d)
	for c := range k {
		floats.Add(all, t.feature.RawRowView(c))
	}
	coef := mat.NewDense(k, d, nil)
	for c := range k {
		row, own := coef.RawRowView(c), t.feature.RawRowView(c)
		n := 0.0
		for j := range row {
			row[j] = max(0, all[j]-own[j]) + alpha
			n += row[j]
		}
		sum := 0.0
		for j, v := range row {
			if v == 0 {
				return model.Errorf(op, "Alpha must be positive if a column occurs in one class only, as column %d does", j).WithHint("set a positive Alpha")
			}
			row[j] = -math.Log(v / n)
			sum += row[j]
		}
		if m.Normalize {
			floats.Scale(1/sum, row)
		}
	}
	m.classes, m.ClassCount, m.Counts, m.Coef = t.classes, t.class, t.feature, coef
	return nil
}

func (m *ComplementNB) joint(op string, x mat.Matrix) *mat.Dense {
	d := 0
	if m.Coef != nil {
		_, d = m.Coef.Dims()
	}
	e := mustExamples(op, x, m.Coef != nil, d)
	if err := notNegative(op, e); err != nil {
		panic(err)
	}
	return e.linearJoint(m.Coef, make([]float64, len(m.classes)))
}

// Classes lists the classes in ascending order.
func (m *ComplementNB) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the class with the highest score.
func (m *ComplementNB) Predict(x mat.Matrix) []int {
	x = model.MustRead("ComplementNB.Predict", &m.Fitted, x)
	return best(m.joint("ComplementNB.Predict", x), m.classes)
}

// PredictProba returns the softmax of the scores.
func (m *ComplementNB) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("ComplementNB.PredictProba", &m.Fitted, x)
	return normalize(m.joint("ComplementNB.PredictProba", x), make([]float64, len(m.classes)))
}

// Decision returns, for two classes, the difference of their scores and, for more classes, the
// scores.
func (m *ComplementNB) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("ComplementNB.Decision", &m.Fitted, x)
	return scores(m.joint("ComplementNB.Decision", x))
}

// Linear returns the model as a linear classifier: coef·x + intercept is Decision.
//
// Course: PROB-23.
func (m *ComplementNB) Linear() (coef *mat.Dense, intercept []float64) {
	if m.Coef == nil {
		panic(model.NotFitted("ComplementNB.Linear"))
	}
	return linearOf(m.Coef, make([]float64, len(m.classes)))
}
