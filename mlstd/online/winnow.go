package online

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Winnow learns a linear threshold function by multiplying weights.
//
//	ŷ = +1 iff Σⱼ wⱼxⱼ ≥ θ;  on a mistake  wⱼ ← wⱼ·α^(y·xⱼ)
//
// With α = 2, the weights of active features double on a false negative (promotion) and halve on a
// false positive (demotion). At the start, θ is n and every weight is 1. On a disjunction of k out
// of n variables, Winnow makes O(k·log n) mistakes, and the perceptron O(n). Prefer Winnow if only
// few of very many features matter. The same inequality decides predictions and demotions; one
// slide of the lecture notes mixes ≥ and >.
//
// Features must not be negative. Weights stay positive, so Winnow without Balanced learns only
// monotone functions. With Balanced, Winnow keeps two sets of weights and predicts ŷ = +1 iff Σ(w⁺ⱼ
// − w⁻ⱼ)xⱼ ≥ θ; it can then learn functions such as x₁ ∧ ¬x₂. Eliminate sets weights to 0 on
// demotion (Winnow1). Margin makes the separator thick: Winnow updates if y·(Σwⱼxⱼ − θ) ≤ γ.
//
// Cost: O(active features) per example.
//
// References: [Littlestone1988]. Course: ONL-22, ONL-23, ONL-25, ONL-26, ONL-36.
type Winnow struct {
	// Alpha is the factor α > 1 of promotions and demotions; 0 means 2. A larger
	// value takes larger steps.
	Alpha float64
	Theta float64 // 0 means the number of columns; 1 with Balanced
	// Margin is the margin γ below which an example counts as a mistake. A larger
	// value updates more often.
	Margin    float64
	Balanced  bool
	Eliminate bool
	Average   bool
	// Epochs is the maximum number of passes over the training examples; 0 means
	// 100.
	Epochs int
	model.Control

	Coef      []float64 // set by Fit; w⁺ − w⁻ with Balanced
	Intercept float64   // set by Fit: −θ
	Trace     MistakeTrace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes passes over the examples until a pass changes nothing.
func (w *Winnow) Fit(x mat.Matrix, y []int) error {
	const op = "Winnow.Fit"
	model.NoteXY(&w.Fitted, x, y)
	w.Coef, w.Intercept, w.Trace, w.classes = nil, 0, MistakeTrace{}, nil
	e, classes, sign, err := binaryExamples(op, x, y)
	if err != nil {
		return err
	}
	if err := notNegative(op, e); err != nil {
		return err
	}
	alpha, theta := model.Or(w.Alpha, 2), w.Theta
	if theta == 0 {
		theta = float64(e.width)
		if w.Balanced {
			theta = 1
		}
	}
	if err := limits.Check(op,
		limits.Must("Alpha", alpha, alpha > 1, "be above 1"),
		limits.NotNegative("Margin", w.Margin),
		limits.Must("Eliminate", w.Eliminate, !w.Balanced || !w.Eliminate, "be false when Balanced is true")); err != nil {
		return err
	}
	epochs, err := model.Iterations(op, "Epochs", w.Epochs, 100)
	if err != nil {
		return err
	}
	run := w.Begin("Winnow", epochs)
	defer run.End()
	plus := newLazy(e.width, w.Average)
	var minus *lazyWeights
	if w.Balanced {
		minus = newLazy(e.width, w.Average)
	}
	var trace MistakeTrace
	for epoch := 1; epoch <= epochs; epoch++ {
		mistakes, updates := w.pass(e, sign, alpha, theta, plus, minus, &trace)
		trace.Mistakes = append(trace.Mistakes, float64(mistakes))
		trace.Updates = append(trace.Updates, float64(updates))
		if err := run.Step(epoch, float64(mistakes)/float64(e.n)); err != nil {
			return err
		}
		if updates == 0 {
			trace.Converged = true
			break
		}
	}
	out := plus.result()
	if minus != nil {
		minus.t = plus.t
		for j, v := range minus.result() {
			out[j] -= v
		}
	}
	for j, v := range out {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return model.Errorf(op, "weight %d overflowed", j).WithHint("set a smaller Alpha, or scale the columns to [0, 1]")
		}
	}
	w.Coef, w.Intercept, w.Trace, w.classes = out, -theta, trace, classes
	return nil
}

// notNegative returns an error for the first negative feature value.
func notNegative(op string, e examples) error {
	var bad *model.Error
	for i := range e.n {
		e.each(i, func(j int, v float64) {
			if v < 0 && bad == nil {
				bad = model.Errorf(op, "x[%d][%d] must not be negative, got %v", i, j, v).
					WithHint("shift or encode the column, or use Perceptron")
			}
		})
		if bad != nil {
			return bad
		}
	}
	return nil
}

// pass goes through the examples once, and counts the mistakes and the updates; minus is nil
// without Balanced.
func (w *Winnow) pass(e examples, sign []float64, alpha, theta float64, plus, minus *lazyWeights, trace *MistakeTrace) (mistakes, updates int) {
	for i := range e.n {
		s := e.dot(i, plus.w) - theta
		if minus != nil {
			s -= e.dot(i, minus.w)
		}
		if (s >= 0) != (sign[i] > 0) {
			mistakes++
		} else if w.Margin == 0 || sign[i]*s > w.Margin {
			plus.t++
			continue
		}
		updates++
		e.each(i, func(j int, v float64) {
			f := math.Pow(alpha, sign[i]*v) // exactly α or 1/α for an active Boolean feature
			if w.Eliminate && sign[i] < 0 {
				f = 0
			}
			plus.scale(j, f, plus.t)
			if minus != nil {
				minus.scale(j, 1/f, plus.t)
			}
		})
		plus.t++
		trace.keep(plus.w, -theta)
	}
	return mistakes, updates
}

// lazyWeights are weights that change by factors. The sum of a weight over time is updated only
// when the weight changes.
type lazyWeights struct {
	w, sum, since []float64
	t             float64
}

func newLazy(n int, average bool) *lazyWeights {
	l := &lazyWeights{w: make([]float64, n)}
	for j := range l.w {
		l.w[j] = 1
	}
	if average {
		l.sum, l.since = make([]float64, n), make([]float64, n)
	}
	return l
}

func (l *lazyWeights) scale(j int, f, t float64) {
	if l.sum != nil {
		l.sum[j] += l.w[j] * (t - l.since[j])
		l.since[j] = t
	}
	l.w[j] *= f
}

func (l *lazyWeights) result() []float64 {
	if l.sum == nil {
		return l.w
	}
	out := make([]float64, len(l.w))
	for j := range out {
		out[j] = (l.sum[j] + l.w[j]*(l.t-l.since[j])) / l.t
	}
	return out
}

// Classes lists the two classes in ascending order.
func (w *Winnow) Classes() []int { return slices.Clone(w.classes) }

// Decision returns Σwⱼxⱼ − θ as one column.
func (w *Winnow) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("Winnow.Decision", &w.Fitted, x)
	return column(scores("Winnow.Decision", x, w.Coef, w.Intercept, w.Coef != nil))
}

// Predict returns the greater class for rows with Σwⱼxⱼ ≥ θ, and the smaller class for all others.
func (w *Winnow) Predict(x mat.Matrix) []int {
	x = model.MustRead("Winnow.Predict", &w.Fitted, x)
	s := scores("Winnow.Predict", x, w.Coef, w.Intercept, w.Coef != nil)
	out := make([]int, len(s))
	for i, v := range s {
		out[i] = w.classes[0]
		if v >= 0 {
			out[i] = w.classes[1]
		}
	}
	return out
}
