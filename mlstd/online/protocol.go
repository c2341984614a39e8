package online

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Learner sees one example at a time: it guesses, then learns the label. Labels are
// −1 and +1.
type Learner interface {
	Guess(x []float64) int
	Learn(x []float64, y int)
}

// MistakeCurve records the mistakes of a learner in the online protocol.
type MistakeCurve struct {
	Mistakes int
	Curve    []int // mistakes made up to and including each example
	Last     int   // number of the last example, from 1, that was a mistake; 0 if none
}

// Play runs the online protocol: for each row in turn, the learner receives x_t, predicts, receives
// y_t, and may change its hypothesis. The performance of the learner is its number of mistakes. A
// learner need not be mistake-driven: Play calls Learn after each row.
//
// Course: ONL-01.
func Play(l Learner, x mat.Matrix, y []int) *MistakeCurve {
	d := model.Dense(x)
	n, _ := d.Dims()
	mustLabels("Play", y, n)
	m := &MistakeCurve{}
	for i := range n {
		row := d.RawRowView(i)
		if l.Guess(row) != y[i] {
			m.Mistakes++
			m.Last = i + 1
		}
		l.Learn(row, y[i])
		m.Curve = append(m.Curve, m.Mistakes)
	}
	return m
}

func mustLabels(op string, y []int, n int) {
	if len(y) != n {
		panic(model.Errorf(op, "y must have %d entries (the number of rows of x), got %d", n, len(y)))
	}
	for i, v := range y {
		if v != 1 && v != -1 {
			panic(model.Errorf(op, "y[%d] must be -1 or +1, got %d", i, v))
		}
	}
}

// LinearLearner is a linear learner for the online protocol: Winnow if Multiplicative is set, the
// perceptron otherwise.
//
//	additive:        w ← w + y·x                   on y·(w·x + b) ≤ 0
//	multiplicative:  wⱼ ← wⱼ·2^(y·xⱼ), θ = n       on a mistake
//
// The additive family (perceptron, support vector machines) adds to the weights; the multiplicative
// family (Winnow, boosting, maximum entropy) multiplies them.
//
// Course: ONL-01, ONL-36, ONL-40.
type LinearLearner struct {
	Multiplicative bool
	Coef           []float64
	Intercept      float64
}

// NewLinearLearner returns a learner that starts with zero weights or, for Winnow, with weights of
// one and θ = n.
func NewLinearLearner(n int, multiplicative bool) *LinearLearner {
	l := &LinearLearner{Multiplicative: multiplicative, Coef: make([]float64, n)}
	if multiplicative {
		for j := range l.Coef {
			l.Coef[j] = 1
		}
		l.Intercept = -float64(n)
	}
	return l
}

func (l *LinearLearner) score(x []float64) float64 {
	s := l.Intercept
	for j, v := range x {
		s += v * l.Coef[j]
	}
	return s
}

// Guess returns +1 for a positive score, and with Winnow also for a score of 0.
func (l *LinearLearner) Guess(x []float64) int {
	if s := l.score(x); s > 0 || l.Multiplicative && s == 0 {
		return 1
	}
	return -1
}

// Learn changes the weights on a mistake. For the perceptron, a score of 0 is a mistake.
func (l *LinearLearner) Learn(x []float64, y int) {
	if l.Multiplicative {
		if l.Guess(x) == y {
			return
		}
		for j, v := range x {
			l.Coef[j] *= math.Exp2(float64(y) * v)
		}
		return
	}
	if float64(y)*l.score(x) > 0 {
		return
	}
	for j, v := range x {
		l.Coef[j] += float64(y) * v
	}
	l.Intercept += float64(y)
}
