package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LogisticRegression models the probability of a class by a sigmoid of a linear score or, for more
// than two classes, by the softmax of one score per class.
//
//	p(y=1|x) = σ(θ·x + b)
//	J = Σᵢ log(1 + e^(−yᵢ(θ·xᵢ+b))) + (1/2C)·‖θ‖²,   yᵢ ∈ {−1, +1}
//
// With L1Ratio ρ > 0 the penalty is (1/C)·(ρ‖θ‖₁ + ½(1−ρ)‖θ‖²), and many coefficients become
// exactly zero. Then J is minimized by coordinate descent on the quadratic models of Newton's
// method, and Tol applies to the smallest subgradient.
//
// With labels in {0, 1}, the first term is the cross-entropy −Σ yᵢ log hᵢ + (1−yᵢ) log(1−hᵢ), and
// its gradient is Σ xᵢⱼ(hᵢ − yᵢ). This is the same function of θ, with the same minimum. The
// intercept is not penalized. J is minimized by L-BFGS until no component of its gradient exceeds
// Tol. The units, zero points and correlations of the columns affect only the meaning of the
// penalty, not the speed of convergence.
//
// If the classes are separable and there is no penalty, J has no minimum. θ then grows without
// bound until the gradient is small enough to stop, and Trace.Converged stays false. With a
// penalty, a column of small numbers has little influence: scale the columns first.
//
// Cost: O(n·d·k) per iteration; for a sparse x, only the nonzero entries count.
//
// References: [Cox1958], [LiuNocedal1989], [FriedmanHastieTibshirani2010]. Course:
// LIN-07, LIN-08, LIN-10.
type LogisticRegression struct {
	// C is the inverse strength of the penalty; 0 means 1. A larger value means less
	// regularization.
	C float64
	// L1Ratio is the weight ρ of the l₁ penalty, between 0 and 1. A larger value sets more
	// coefficients to exactly zero.
	L1Ratio     float64 `snapshot:"added"`
	NoPenalty   bool
	NoIntercept bool
	// MaxIter is the maximum number of iterations; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the largest component of the mean gradient, for standardized columns,
	// is at most Tol; 0 means 1e-8. A larger value stops earlier.
	Tol float64
	model.Control

	Coef      *mat.Dense // set by Fit: 1 x d for two classes, k x d for more
	Intercept []float64  // set by Fit: one per row of Coef
	Columns   []string   `snapshot:"added"` // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef and Intercept.
func (l *LogisticRegression) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&l.Fitted, x, y)
	return l.fit(x, y, nil)
}

// FitWeighted is Fit with a weight for each example's loss. An example of weight
// zero is left out.
func (l *LogisticRegression) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&l.Fitted, x, y)
	if weights == nil {
		weights = []float64{}
	}
	return l.fit(x, y, weights)
}

func (l *LogisticRegression) fit(x mat.Matrix, y []int, weights []float64) error {
	l.Coef, l.Intercept, l.Columns, l.Trace, l.classes = nil, nil, nil, model.Trace{}, nil
	lambda, err := inversePenalty("LogisticRegression.Fit", l.C, l.NoPenalty)
	if err != nil {
		return err
	}
	ratio := model.Or(l.L1Ratio, 0)
	if !(ratio >= 0 && ratio <= 1) || ratio > 0 && l.NoPenalty {
		return model.Errorf("LogisticRegression.Fit", "L1Ratio must be between 0 and 1, and 0 with NoPenalty, got %v with NoPenalty %v", ratio, l.NoPenalty)
	}
	m := likelihood{true, lambda, ratio, l.NoIntercept, l.MaxIter, l.Tol, &l.Control}
	f, err := m.maximize("LogisticRegression", x, y, weights)
	if err != nil {
		return err
	}
	l.Coef, l.Intercept, l.Columns, l.Trace, l.classes = f.coef, f.intercept, columnNames(x), f.trace, f.classes
	return nil
}

// likelihood holds the settings of the maximization in logistic and softmax regression.
type likelihood struct {
	oneRow      bool // of weights, for two classes
	lambda      float64
	ratio       float64 // of the l₁ penalty
	noIntercept bool
	maxIter     int
	tol         float64
	control     *model.Control
}

// fitted is the result of maximize.
type fitted struct {
	coef      *mat.Dense
	intercept []float64
	trace     model.Trace
	classes   []int
}

// maximize fits the likelihood to the examples of positive weight; nil weights are all 1.
func (m likelihood) maximize(name string, x mat.Matrix, y []int, weights []float64) (fitted, error) {
	op := name + ".Fit"
	if weights != nil {
		op = name + ".FitWeighted"
		if err := model.CheckWeights(op, weights, len(y)); err != nil {
			return fitted{}, err
		}
	}
	d, err := rows.Check(op, x, len(y))
	if err != nil {
		return fitted{}, err
	}
	if slices.Contains(weights, 0) {
		kept := positive(weights)
		d, y, weights = d.Take(kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return fitted{}, err
	}
	if m.ratio > 0 {
		f, trace, err := m.maximizeSparse(name, op, d, index, len(classes), weights)
		if err != nil {
			return fitted{}, err
		}
		coef, intercept := f.fitted()
		return fitted{coef, intercept, trace, classes}, nil
	}
	var f objective
	if m.oneRow && len(classes) == 2 {
		f = newBinaryObjective(&d, index, weights, m.lambda, !m.noIntercept)
	} else {
		f = newSoftmaxObjective(&d, index, len(classes), weights, m.lambda, !m.noIntercept)
	}
	w, trace, err := minimize(name, f, m, &d, weights)
	if err != nil {
		return fitted{}, err
	}
	coef, intercept := unpack(w, f.rows(), !m.noIntercept)
	return fitted{coef, intercept, trace, classes}, nil
}

// positive lists the examples of positive weight.
func positive(weights []float64) []int {
	var kept []int
	for i, w := range weights {
		if w > 0 {
			kept = append(kept, i)
		}
	}
	return kept
}

func inversePenalty(op string, c float64, none bool) (float64, error) {
	c = model.Or(c, 1)
	switch {
	case none:
		return 0, nil
	case !(c > 0) || math.IsInf(c, 0):
		return 0, model.Errorf(op, "C must be positive, got %v", c).WithHint("set NoPenalty for no penalty")
	}
	return 1 / c, nil
}

// Classes lists the classes in ascending order.
func (l *LogisticRegression) Classes() []int { return slices.Clone(l.classes) }

// Decision returns θ·x + b: one column for two classes, k otherwise.
func (l *LogisticRegression) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LogisticRegression.Decision", &l.Fitted, x)
	return decision("LogisticRegression.Decision", x, l.Coef, l.Intercept)
}

// Predict returns the most probable class of each row; with two classes, it returns the first class
// for a score of 0.
func (l *LogisticRegression) Predict(x mat.Matrix) []int {
	x = model.MustRead("LogisticRegression.Predict", &l.Fitted, x)
	return classify(decision("LogisticRegression.Predict", x, l.Coef, l.Intercept), l.classes)
}

// PredictProba returns the class probabilities of each row.
func (l *LogisticRegression) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LogisticRegression.PredictProba", &l.Fitted, x)
	return probabilities(decision("LogisticRegression.PredictProba", x, l.Coef, l.Intercept))
}

func decision(op string, x mat.Matrix, coef *mat.Dense, intercept []float64) *mat.Dense {
	if coef == nil {
		panic(model.NotFitted(op))
	}
	k, p := coef.Dims()
	d := rows.Must(op, x, p)
	out := mat.NewDense(d.N, k, nil)
	for i := range d.N {
		s := out.RawRowView(i)
		for c := range s {
			s[c] = d.Dot(i, coef.RawRowView(c)) + intercept[c]
		}
	}
	return out
}

func classify(s *mat.Dense, classes []int) []int {
	n, k := s.Dims()
	out := make([]int, n)
	for i := range out {
		row := s.RawRowView(i)
		switch {
		case k > 1:
			out[i] = classes[floats.MaxIdx(row)]
		case row[0] > 0:
			out[i] = classes[1]
		default:
			out[i] = classes[0]
		}
	}
	return out
}

func probabilities(s *mat.Dense) *mat.Dense {
	n, k := s.Dims()
	if k > 1 {
		for i := range n {
			softmaxInPlace(s.RawRowView(i))
		}
		return s
	}
	out := mat.NewDense(n, 2, nil)
	for i := range n {
		z := s.At(i, 0)
		out.SetRow(i, []float64{Sigmoid(-z), Sigmoid(z)})
	}
	return out
}

// unpack splits the parameters of k rows, each followed by its intercept.
func unpack(w []float64, k int, intercept bool) (*mat.Dense, []float64) {
	stride := len(w) / k
	p := stride
	if intercept {
		p--
	}
	coef, b := mat.NewDense(k, p, nil), make([]float64, k)
	for c := range k {
		row := w[c*stride : (c+1)*stride]
		coef.SetRow(c, row[:p])
		if intercept {
			b[c] = row[p]
		}
	}
	return coef, b
}
