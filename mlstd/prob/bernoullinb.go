package prob

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// BernoulliNB is naive Bayes for bits: given the class, every column is an independent coin. With k
// classes and d columns, the model has k·d parameters for the coins and k−1 for the classes: 2d+1
// for two classes.
//
//	p(x, y) = πᵧ·Πⱼ θᵧⱼ^xⱼ·(1−θᵧⱼ)^(1−xⱼ)
//	θᵧⱼ = (Nᵧⱼ + α) / (Nᵧ + 2α)
//
// Nᵧ examples are of class y, and column j is 1 in Nᵧⱼ of them. A column that is 0 counts as much
// as a column that is 1: the absence of a word is evidence. Values above Threshold count as 1.
// Sparse matrices stay sparse.
//
// If the classes differ in size, smoothing makes the probabilities of an unseen word differ too: a
// word never seen has probability 1/52 after 50 examples, and 1/152 after 150.
//
// Cost: O(n·d + k·d) to fit; O(k·d) once and O(k) for each 1 to predict.
//
// References: [McCallumNigam1998]. Course: PROB-19, PROB-22, PROB-23, PROB-28.
type BernoulliNB struct {
	// Alpha is the smoothing, which is added to every count; 0 means 1, and model.Zero means no
	// smoothing. A larger value pulls the estimates toward the uniform distribution.
	Alpha     float64
	Threshold float64 // values above it are 1
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil

	LogPrior   []float64  // set by Fit: one per class
	Theta      *mat.Dense // set by Fit: θ, one row per class
	ClassCount []float64  // set by Fit: number or weight of the examples of each class
	Counts     *mat.Dense // set by Fit: N, one row per class

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit counts the values in each class and estimates the probabilities.
func (m *BernoulliNB) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("BernoulliNB.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (m *BernoulliNB) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	return m.learn("BernoulliNB.FitWeighted", x, y, weights, true)
}

// PartialFit adds examples to the model, with the same result as one Fit to all examples. New
// classes may appear. After an error, the model is unchanged.
func (m *BernoulliNB) PartialFit(x mat.Matrix, y []int) (err error) {
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch("BernoulliNB.PartialFit", &m.Fitted, x, y)
	if err != nil {
		return err
	}
	return m.learn("BernoulliNB.PartialFit", x, y, nil, false)
}

func (m *BernoulliNB) reset() {
	*m = BernoulliNB{Alpha: m.Alpha, Threshold: m.Threshold, Prior: m.Prior, UniformPrior: m.UniformPrior, Fitted: m.Fitted}
}

func (m *BernoulliNB) learn(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
	alpha, err := alphaOf(op, m.Alpha)
	if err != nil {
		return err
	}
	if err := m.checkThreshold(op); err != nil {
		return err
	}
	e, err := checkExamples(op, x, y, weights, weighted, model.Takes{})
	if err != nil {
		return err
	}
	t, err := tally{m.classes, m.ClassCount, m.Counts}.plus(op, e, &m.Threshold)
	if err != nil {
		return err
	}
	return m.estimate(op, alpha, t)
}

func (m *BernoulliNB) checkThreshold(op string) error {
	if math.IsNaN(m.Threshold) || math.IsInf(m.Threshold, 0) {
		return model.Errorf(op, "Threshold must be finite, got %v", m.Threshold)
	}
	return nil
}

// estimate sets the fitted fields.
func (m *BernoulliNB) estimate(op string, alpha float64, t tally) error {
	logPrior, err := logPriors(op, m.Prior, m.UniformPrior, t.class)
	if err != nil {
		return err
	}
	k, d := t.feature.Dims()
	theta := mat.NewDense(k, d, nil)
	for c := range k {
		for j, v := range t.feature.RawRowView(c) {
			theta.Set(c, j, min(1, (v+alpha)/(t.class[c]+2*alpha)))
		}
	}
	m.classes, m.ClassCount, m.Counts = t.classes, t.class, t.feature
	m.LogPrior, m.Theta = logPrior, theta
	return nil
}

// tables returns, for each class, log θ/(1−θ) of each column and the score of a row of zeros.
// certain reports whether some θ is 0 or 1, in which case the tables must not be used.
func (m *BernoulliNB) tables() (odds *mat.Dense, zeros []float64, certain bool) {
	k, d := m.Theta.Dims()
	odds, zeros = mat.NewDense(k, d, nil), slices.Clone(m.LogPrior)
	for c := range k {
		row := odds.RawRowView(c)
		for j, p := range m.Theta.RawRowView(c) {
			certain = certain || p == 0 || p == 1
			none := math.Log1p(-p)
			row[j] = math.Log(p) - none
			zeros[c] += none
		}
	}
	return odds, zeros, certain
}

func (m *BernoulliNB) joint(op string, x mat.Matrix) *mat.Dense {
	d := 0
	if m.Theta != nil {
		_, d = m.Theta.Dims()
	}
	e := mustExamples(op, x, m.Theta != nil, d)
	odds, zeros, certain := m.tables()
	k := len(zeros)
	out := mat.NewDense(e.n, k, nil)
	par.Range(e.n, grain, func(lo, hi int) {
		active := make([]int32, 0, d)
		for i := lo; i < hi; i++ {
			active = e.active(active[:0], i, m.Threshold)
			s := out.RawRowView(i)
			if certain {
				m.exactly(s, active)
				continue
			}
			for c := range s {
				w, sum := odds.RawRowView(c), zeros[c]
				for _, j := range active {
					sum += w[j]
				}
				s[c] = sum
			}
		}
	})
	return out
}

// exactly computes the score of a row column by column.
func (m *BernoulliNB) exactly(s []float64, active []int32) {
	copy(s, m.LogPrior)
	for c := range s {
		at := 0
		for j, p := range m.Theta.RawRowView(c) {
			if at < len(active) && int(active[at]) == j {
				at++
				s[c] += math.Log(p)
			} else {
				s[c] += math.Log1p(-p)
			}
		}
	}
}

// active appends the columns of row i that exceed the threshold.
func (e *examples) active(to []int32, i int, threshold float64) []int32 {
	if e.csr != nil {
		columns, values := e.csr.Row(i)
		for k, j := range columns {
			if values[k] > threshold {
				to = append(to, j)
			}
		}
		return to
	}
	for j, v := range e.dense.RawRowView(i) {
		if v > threshold {
			to = append(to, int32(j))
		}
	}
	return to
}

// Classes lists the classes in ascending order.
func (m *BernoulliNB) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most probable class of each row.
func (m *BernoulliNB) Predict(x mat.Matrix) []int {
	x = model.MustRead("BernoulliNB.Predict", &m.Fitted, x)
	return best(m.joint("BernoulliNB.Predict", x), m.classes)
}

// PredictProba returns p(y|x) for each row.
func (m *BernoulliNB) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("BernoulliNB.PredictProba", &m.Fitted, x)
	return normalize(m.joint("BernoulliNB.PredictProba", x), m.LogPrior)
}

// Decision returns, for two classes, the log odds of the second class and, for more classes, log
// p(x, y).
func (m *BernoulliNB) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("BernoulliNB.Decision", &m.Fitted, x)
	return scores(m.joint("BernoulliNB.Decision", x))
}

// Linear returns the model as a linear classifier: coef·x + intercept is Decision, for
// x of zeros and ones.
//
//	w = log (θ₁(1−θ₀) / θ₀(1−θ₁)),   b = log π₁/π₀ + Σⱼ log (1−θ₁ⱼ)/(1−θ₀ⱼ)
//
// Course: PROB-23.
func (m *BernoulliNB) Linear() (coef *mat.Dense, intercept []float64) {
	if m.Theta == nil {
		panic(model.NotFitted("BernoulliNB.Linear"))
	}
	odds, zeros, _ := m.tables()
	return linearOf(odds, zeros)
}

// Sample draws n rows of bits and their classes from the model.
//
// Course: PROB-25.
func (m *BernoulliNB) Sample(n int, seed uint64) (x *mat.Dense, y []int) {
	y = drawClasses("BernoulliNB.Sample", m.LogPrior, n, seed)
	_, d := m.Theta.Dims()
	x = mat.NewDense(n, d, nil)
	rng := model.Rand(seed, 1)
	for i, c := range y {
		row := x.RawRowView(i)
		for j, p := range m.Theta.RawRowView(c) {
			if rng.Float64() < p {
				row[j] = 1
			}
		}
		y[i] = m.classes[c]
	}
	return x, y
}
