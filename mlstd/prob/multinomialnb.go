package prob

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// MultinomialNB is naive Bayes for counts, such as word counts: the words of a text of class y are
// drawn independently.
//
//	log p(y|x) = log πᵧ + Σⱼ xⱼ·log θᵧⱼ + const
//	θᵧⱼ = (Nᵧⱼ + α) / (Nᵧ + α·d),   Nᵧⱼ = Σ_{i: yᵢ=y} xᵢⱼ
//
// Fit only counts; it does not optimize. The score is linear in x. Values are counts or other
// weights and must not be negative. Unlike in [BernoulliNB], a word that does not occur has no
// influence. Sparse matrices stay sparse.
//
// Without smoothing (Alpha: model.Zero), a word never seen in a class excludes the class; if all
// classes are excluded for a row, the prior is used.
//
// Cost: O(n·d + k·d). For a sparse matrix, the number of its entries replaces n·d.
//
// References: [McCallumNigam1998]. Course: PROB-20, PROB-22, PROB-23.
type MultinomialNB struct {
	// Alpha is the smoothing, which is added to every count; 0 means 1, and model.Zero means no
	// smoothing. A larger value pulls the estimates toward the uniform distribution.
	Alpha float64
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil

	LogPrior   []float64  // set by Fit: one per class
	LogProb    *mat.Dense // set by Fit: log θ, one row per class
	ClassCount []float64  // set by Fit: number or weight of the examples of each class
	Counts     *mat.Dense // set by Fit: N, one row per class

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit counts the values in each class and estimates the probabilities.
func (m *MultinomialNB) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("MultinomialNB.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (m *MultinomialNB) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("MultinomialNB.FitWeighted", x, y, weights, true)
}

// PartialFit adds examples to the model, with the same result as one Fit to all examples. New
// classes may appear. After an error, the model is unchanged.
func (m *MultinomialNB) PartialFit(x mat.Matrix, y []int) (err error) {
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch("MultinomialNB.PartialFit", &m.Fitted, x, y)
	if err != nil {
		return err
	}
	return m.learn("MultinomialNB.PartialFit", x, y, nil, false)
}

func (m *MultinomialNB) reset() {
	*m = MultinomialNB{Alpha: m.Alpha, Prior: m.Prior, UniformPrior: m.UniformPrior, Fitted: m.Fitted}
}

func (m *MultinomialNB) learn(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
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
	return m.estimate(op, alpha, t)
}

// estimate sets the fitted fields.
func (m *MultinomialNB) estimate(op string, alpha float64, t tally) error {
	logPrior, err := logPriors(op, m.Prior, m.UniformPrior, t.class)
	if err != nil {
		return err
	}
	k, d := t.feature.Dims()
	logProb := mat.NewDense(k, d, nil)
	for c := range k {
		counts := t.feature.RawRowView(c)
		n := floats.Sum(counts) + alpha*float64(d)
		for j, v := range counts {
			logProb.Set(c, j, math.Inf(-1))
			if v+alpha > 0 {
				logProb.Set(c, j, math.Log((v+alpha)/n))
			}
		}
	}
	m.classes, m.ClassCount, m.Counts = t.classes, t.class, t.feature
	m.LogPrior, m.LogProb = logPrior, logProb
	return nil
}

func (m *MultinomialNB) joint(op string, x mat.Matrix) *mat.Dense {
	d := 0
	if m.LogProb != nil {
		_, d = m.LogProb.Dims()
	}
	e := mustExamples(op, x, m.LogProb != nil, d)
	if err := notNegative(op, e); err != nil {
		panic(err)
	}
	return e.linearJoint(m.LogProb, m.LogPrior)
}

// Classes lists the classes in ascending order.
func (m *MultinomialNB) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most probable class of each row.
func (m *MultinomialNB) Predict(x mat.Matrix) []int {
	x = model.MustRead("MultinomialNB.Predict", &m.Fitted, x)
	return best(m.joint("MultinomialNB.Predict", x), m.classes)
}

// PredictProba returns p(y|x) for each row.
func (m *MultinomialNB) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MultinomialNB.PredictProba", &m.Fitted, x)
	return normalize(m.joint("MultinomialNB.PredictProba", x), m.LogPrior)
}

// Decision returns, for two classes, the log odds of the second class and, for more classes, log
// p(x, y) up to a constant.
func (m *MultinomialNB) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MultinomialNB.Decision", &m.Fitted, x)
	return scores(m.joint("MultinomialNB.Decision", x))
}

// Linear returns the model as a linear classifier: coef·x + intercept is Decision. For two classes,
// coef has one row, which holds the log odds ratios log θ₁ⱼ/θ₀ⱼ.
//
// Course: PROB-23.
func (m *MultinomialNB) Linear() (coef *mat.Dense, intercept []float64) {
	if m.LogProb == nil {
		panic(model.NotFitted("MultinomialNB.Linear"))
	}
	return linearOf(m.LogProb, m.LogPrior)
}

// Sample draws n rows of counts and their classes from the model. The counts of each row sum to the
// given number of words.
//
// Course: PROB-25.
func (m *MultinomialNB) Sample(n, words int, seed uint64) (x *mat.Dense, y []int) {
	y = drawClasses("MultinomialNB.Sample", m.LogPrior, n, seed)
	if words < 0 {
		panic(model.Errorf("MultinomialNB.Sample", "words must not be negative, got %d", words))
	}
	k, d := m.LogProb.Dims()
	x = mat.NewDense(n, d, nil)
	theta := make([][]float64, k)
	for c := range theta {
		theta[c] = exps(m.LogProb.RawRowView(c))
	}
	rng := model.Rand(seed, 1)
	for i, c := range y {
		sum := floats.Sum(theta[c])
		for range words {
			x.RawRowView(i)[drawOf(theta[c], sum, rng)]++
		}
		y[i] = m.classes[c]
	}
	return x, y
}

func exps(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, l := range v {
		out[i] = math.Exp(l)
	}
	return out
}
