package online

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MulticlassPerceptron has one weight vector for each class and learns all of them together. It
// does not reduce the task to binary problems.
//
//	ŷ = argmaxₖ wₖ·x;  on ŷ ≠ y (or within γ):  w_y ← w_y + τ·x,  w_ŷ ← w_ŷ − τ·x
//
// By default, τ = 1. With Aggressive, τ = min(C, (1 − (w_y − w_ŷ)·x) / 2‖x‖²), the multi-class
// passive-aggressive step.
//
// Cost: O(k·active features) per example.
//
// References: [CrammerSinger2003], [Crammer2006]. Course: ONL-39, ONL-25, ONL-28.
type MulticlassPerceptron struct {
	// Margin is the margin γ below which an example counts as a mistake. A larger
	// value updates more often.
	Margin     float64
	Aggressive bool
	// C is the limit on the step size; 0 means 1. A larger value follows each
	// example more closely.
	C           float64
	Average     bool
	NoIntercept bool
	// Epochs is the maximum number of passes over the training examples; 0 means
	// 100.
	Epochs  int
	Shuffle bool
	Seed    uint64
	Known   []int `snapshot:"added"` // the classes, for PartialFit; nil means those of the first batch
	model.Control

	Coef      *mat.Dense // set by Fit: one row a class
	Intercept []float64  // set by Fit
	Trace     MistakeTrace

	classes []int
	learned *learnedClasses `snapshot:"added"`

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes passes over the examples until a pass changes nothing.
func (m *MulticlassPerceptron) Fit(x mat.Matrix, y []int) error {
	const op = "MulticlassPerceptron.Fit"
	model.NoteXY(&m.Fitted, x, y)
	m.reset()
	e, err := checkedExamples(op, x, y)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	c, epochs, err := m.settings(op)
	if err != nil {
		return err
	}
	l := m.begin(len(classes), e.width)
	order := inOrder(e.n)
	run := m.Begin("MulticlassPerceptron", epochs)
	defer run.End()
	rng := model.Rand(m.Seed, 0)
	var trace MistakeTrace
	for epoch := 1; epoch <= epochs; epoch++ {
		if m.Shuffle {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		mistakes, updates := m.pass(l, e, index, order, c, &trace)
		if err := run.Step(epoch, float64(mistakes)/float64(e.n)); err != nil {
			return err
		}
		if updates == 0 {
			trace.Converged = true
			break
		}
	}
	m.Trace, m.classes, m.learned = trace, classes, l
	m.Coef, m.Intercept = l.weights()
	return nil
}

func (m *MulticlassPerceptron) reset() {
	m.Coef, m.Intercept, m.Trace, m.classes, m.learned = nil, nil, MistakeTrace{}, nil, nil
}

// PartialFit makes one pass over a batch of examples, in their order, and continues from what was
// learned before. After the first batch, it returns an error for a new class, unless Known lists
// the class. After an error, the model is unchanged.
func (m *MulticlassPerceptron) PartialFit(x mat.Matrix, y []int) (err error) {
	const op = "MulticlassPerceptron.PartialFit"
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch(op, &m.Fitted, x, y)
	if err != nil {
		return err
	}
	b, err := checkedBatch(op, x, y, m.classes, m.Known)
	if err != nil {
		return err
	}
	c, _, err := m.settings(op)
	if err != nil {
		return err
	}
	l := m.learned
	switch {
	case l != nil && (l.u != nil) == m.Average:
	case m.Coef != nil: // only the coefficients of an earlier fit are known
		k, width := m.Coef.Dims()
		l = m.begin(k, width)
		for j := range l.w {
			copy(l.w[j], m.Coef.RawRowView(j))
		}
		copy(l.b, m.Intercept)
	default:
		l = m.begin(len(b.classes), b.width)
	}
	if err := b.checkWidth(op, len(l.w[0])); err != nil {
		return err
	}
	m.pass(l, b.examples, b.index, inOrder(b.n), c, &m.Trace)
	m.Trace.Converged = false
	m.classes, m.learned = b.classes, l
	m.Coef, m.Intercept = l.weights()
	return nil
}

// settings checks the parameters, and returns C and the maximum number of passes.
func (m *MulticlassPerceptron) settings(op string) (c float64, epochs int, err error) {
	if c, err = positiveOr1(op, "C", m.C); err != nil {
		return 0, 0, err
	}
	if !(m.Margin >= 0) {
		return 0, 0, model.Errorf(op, "Margin must not be negative, got %v", m.Margin)
	}
	epochs, err = model.Iterations(op, "Epochs", m.Epochs, 100)
	return c, epochs, err
}

// learnedClasses is the state of a learner for several classes, as [learned] is for two.
type learnedClasses struct {
	w, u  [][]float64 // a row a class; u is nil without an average
	b, ub []float64
	t     float64 // examples seen
}

func (m *MulticlassPerceptron) begin(k, width int) *learnedClasses {
	l := &learnedClasses{w: make([][]float64, k), b: make([]float64, k), ub: make([]float64, k)}
	if m.Average {
		l.u = make([][]float64, k)
	}
	for i := range l.w {
		l.w[i] = make([]float64, width)
		if m.Average {
			l.u[i] = make([]float64, width)
		}
	}
	return l
}

// weights returns the learned rule.
func (l *learnedClasses) weights() (coef *mat.Dense, intercept []float64) {
	coef, intercept = mat.NewDense(len(l.w), len(l.w[0]), nil), slices.Clone(l.b)
	for j := range l.w {
		coef.SetRow(j, l.w[j])
		if l.u == nil {
			continue
		}
		for f, u := range l.u[j] {
			coef.RawRowView(j)[f] -= u / l.t
		}
		intercept[j] -= l.ub[j] / l.t
	}
	return coef, intercept
}

// pass learns from the examples in the given order, and records mistakes and updates in the trace.
// index has the class of each example.
func (m *MulticlassPerceptron) pass(l *learnedClasses, e examples, index, order []int, c float64, trace *MistakeTrace) (mistakes, updates int) {
	mistakes, updates = m.part(l, e, index, order, c)
	trace.record(mistakes, updates)
	return mistakes, updates
}

// part is a part of a pass.
func (m *MulticlassPerceptron) part(l *learnedClasses, e examples, index, order []int, c float64) (mistakes, updates int) {
	s := make([]float64, len(l.w))
	for _, i := range order {
		own, rival := index[i], -1
		for j := range s {
			s[j] = e.dot(i, l.w[j]) + l.b[j]
			if j != own && (rival < 0 || s[j] > s[rival]) {
				rival = j
			}
		}
		gap := s[own] - s[rival]
		if gap <= 0 {
			mistakes++
		}
		if tau := m.step(e, i, gap, c); tau != 0 {
			updates++
			e.add(i, tau, l.w[own])
			e.add(i, -tau, l.w[rival])
			if m.Average {
				e.add(i, l.t*tau, l.u[own])
				e.add(i, -l.t*tau, l.u[rival])
			}
			if !m.NoIntercept {
				l.b[own] += tau
				l.b[rival] -= tau
				l.ub[own] += l.t * tau
				l.ub[rival] -= l.t * tau
			}
		}
		l.t++
	}
	return mistakes, updates
}

// step returns τ for example i, where gap is the score of its own class minus the best score of
// another class.
func (m *MulticlassPerceptron) step(e examples, i int, gap, c float64) float64 {
	if !m.Aggressive {
		if gap <= m.Margin {
			return 1
		}
		return 0
	}
	if gap >= 1-1e-12 {
		return 0
	}
	q := e.norm2(i)
	if !m.NoIntercept {
		q++
	}
	if q == 0 {
		return 0
	}
	return math.Min(c, (1-gap)/(2*q))
}

// Classes lists the classes in ascending order.
func (m *MulticlassPerceptron) Classes() []int { return slices.Clone(m.classes) }

// Decision returns the score of each class, one column per class.
func (m *MulticlassPerceptron) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MulticlassPerceptron.Decision", &m.Fitted, x)
	return m.decision("MulticlassPerceptron.Decision", x)
}

func (m *MulticlassPerceptron) decision(op string, x mat.Matrix) *mat.Dense {
	if m.Coef == nil {
		panic(model.NotFitted(op))
	}
	k, width := m.Coef.Dims()
	e := examplesOf(op, x, width)
	out := mat.NewDense(e.n, k, nil)
	for i := range e.n {
		row := out.RawRowView(i)
		for j := range row {
			row[j] = e.dot(i, m.Coef.RawRowView(j)) + m.Intercept[j]
		}
	}
	return out
}

// Predict returns the class with the highest score; ties go to the smallest class.
func (m *MulticlassPerceptron) Predict(x mat.Matrix) []int {
	x = model.MustRead("MulticlassPerceptron.Predict", &m.Fitted, x)
	s := m.decision("MulticlassPerceptron.Predict", x)
	n, _ := s.Dims()
	out := make([]int, n)
	for i := range out {
		best := 0
		for j, v := range s.RawRowView(i) {
			if v > s.At(i, best) {
				best = j
			}
		}
		out[i] = m.classes[best]
	}
	return out
}

// Prune keeps the weights with the largest |w| and sets the others to zero. Use it if only few of
// very many features matter.
//
// Course: ONL-39.
func Prune(w []float64, keep int) []float64 {
	if keep < 0 {
		panic(model.Errorf("Prune", "the argument keep must not be negative, got %d", keep))
	}
	order := make([]int, len(w))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(w[b]), math.Abs(w[a])) })
	out := make([]float64, len(w))
	for _, j := range order[:min(keep, len(w))] {
		out[j] = w[j]
	}
	return out
}

// TunedPerceptron is the outcome of [TunePerceptron].
type TunedPerceptron struct {
	Best     *Perceptron // fitted on all examples
	Accuracy float64     // of the best setting on the held-out part
	Tried    []PerceptronTrial
}

// PerceptronTrial is one setting and its held-out accuracy.
type PerceptronTrial struct {
	Average    bool
	Aggressive bool
	Margin     float64
	Epochs     int
	Accuracy   float64
}

// TunePerceptron chooses averaging, aggressive updates, margin and epochs on a held-out tenth of
// the examples, and then fits on all examples. Practical online learners tune their parameters in
// this way.
//
// Course: ONL-39.
func TunePerceptron(x mat.Matrix, y []int, seed uint64) (*TunedPerceptron, error) {
	const op = "TunePerceptron"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	if n < 20 {
		return nil, model.Errorf(op, "there must be at least 20 examples, got %d", n)
	}
	perm := model.Rand(seed, 0).Perm(n)
	held := n / 10
	dx, dy := pick.Rows(d, perm[:held]), pick.Of(y, perm[:held])
	tx, ty := pick.Rows(d, perm[held:]), pick.Of(y, perm[held:])
	t := &TunedPerceptron{Accuracy: -1}
	var best PerceptronTrial
	for _, trial := range perceptronGrid() {
		m := trial.perceptron(seed)
		if err := m.Fit(tx, ty); err != nil {
			return nil, err
		}
		right := 0
		for i, c := range m.Predict(dx) {
			if c == dy[i] {
				right++
			}
		}
		trial.Accuracy = float64(right) / float64(held)
		t.Tried = append(t.Tried, trial)
		if trial.Accuracy > t.Accuracy {
			t.Accuracy, best = trial.Accuracy, trial
		}
	}
	t.Best = best.perceptron(seed)
	return t, t.Best.Fit(d, y)
}

func perceptronGrid() []PerceptronTrial {
	var g []PerceptronTrial
	for _, avg := range []bool{true, false} {
		for _, aggressive := range []bool{false, true} {
			for _, margin := range []float64{0, 0.1, 1} {
				for _, epochs := range []int{1, 5, 20} {
					g = append(g, PerceptronTrial{Average: avg, Aggressive: aggressive, Margin: margin, Epochs: epochs})
				}
			}
		}
	}
	return g
}

func (t PerceptronTrial) perceptron(seed uint64) *Perceptron {
	return &Perceptron{Average: t.Average, Aggressive: t.Aggressive, Margin: t.Margin, Epochs: t.Epochs, Shuffle: true, Seed: seed}
}
