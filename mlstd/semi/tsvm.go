package semi

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// TransductiveSVM is a support vector machine for two classes whose margin avoids labeled and
// unlabeled rows, so that the boundary passes through a region of low density.
//
//	min ½‖w‖² + C·Σₙ ξₙ + C_U·Σₘ ηₘ
//	yₙ·f(xₙ) ≥ 1 − ξₙ,  |f(xₘ)| ≥ 1 − ηₘ,  f(x) = w·x + b
//
// with a given fraction Positive of the unlabeled rows on the positive side. Without this
// constraint, the optimum may put all unlabeled rows on one side. Fitting searches for labels of
// the unlabeled rows:
//
//  1. Learn from the labeled rows; the fraction Positive of the unlabeled rows with the largest f
//     become positive, the others negative.
//  2. With a small C_U, learn from all rows. If a positive and a negative unlabeled row both have η
//     > 0 and the sum of the two η is above 2, exchange the labels of the two rows, which lowers
//     the objective, and learn again. Repeat this until there is no such pair.
//  3. Double C_U and continue with step 2, until C_U reaches its final value.
//
// The problem is not convex; the search finds a local minimum. With many unlabeled rows and a large
// C_U, the labeled rows have little influence. The default C_U therefore depends on the numbers of
// labeled and unlabeled rows. If the clusters do not correspond to the classes, the unlabeled rows
// make the classifier worse.
//
// Cost: one fit of a support vector machine per round of exchanges, for a few dozen
// rounds.
//
// References: [Joachims1999b]. Course: LAT-11, LAT-12.
type TransductiveSVM struct {
	model.Control

	// C is the penalty of errors on the labeled rows; 0 means 1. A larger C allows fewer errors and
	// makes the margin narrower.
	C float64
	// CUnlabeled is C_U, the penalty of unlabeled rows inside the margin; 0 means C·N/M for N
	// labeled and M unlabeled rows. A larger value keeps the boundary farther from unlabeled rows.
	CUnlabeled float64
	Kernel     kernel.Kernel // nil means linear
	Positive   float64       // fraction of unlabeled rows in the greater class; 0: as labeled
	// MaxIter is the maximum number of fits; 0 means 1000.
	MaxIter int

	Machine   *svm.SVC    // set by Fit
	Labels    []int       // set by Fit: of the unlabeled rows
	Exchanges int         // set by Fit: exchanged pairs of labels
	Objective float64     // set by Fit: the minimized objective
	Trace     model.Trace // set by Fit: the objective after each fit, which falls while C_U stays the same
	Levels    []float64   // set by Fit: C_U at each fit

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.Classifier = (*TransductiveSVM)(nil)
	_ model.Scorer     = (*TransductiveSVM)(nil)
)

// Fit learns from labeled rows only, as [svm.SVC] does.
func (m *TransductiveSVM) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("TransductiveSVM.Fit", x, y, nil)
}

// FitUnlabeled learns from labeled and unlabeled rows.
func (m *TransductiveSVM) FitUnlabeled(x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	model.NoteXY(&m.Fitted, x, y)
	unlabeled, err := model.Read("TransductiveSVM.FitUnlabeled", &m.Fitted, unlabeled)
	if err != nil {
		return err
	}
	return m.fit("TransductiveSVM.FitUnlabeled", x, y, unlabeled)
}

// transduction is the state of the search.
type transduction struct {
	all     *mat.Dense
	n       int   // labeled rows
	y       []int // −1 or 1 for all rows
	machine *svm.SVC
	c       float64
	weights []float64
	f       []float64
}

func (m *TransductiveSVM) fit(op string, x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	m.Machine, m.Labels, m.Exchanges, m.Objective, m.Trace, m.Levels, m.classes = nil, nil, 0, 0, model.Trace{}, nil, nil
	all, n, err := both(op, x, y, unlabeled)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if len(classes) != 2 {
		return model.Errorf(op, "y must have exactly two classes, got %d", len(classes)).WithHint("use ml.OneVsAll for more")
	}
	c, cu, maxIter, err := m.constants(op, all, n)
	if err != nil {
		return err
	}
	rows, _ := all.Dims()
	k := m.Kernel
	if k == nil {
		k = kernel.LinearKernel{}
	}
	run := m.Begin("TransductiveSVM", maxIter)
	defer run.End()
	t := &transduction{all: all, n: n, y: make([]int, rows), c: c, weights: slices.Repeat([]float64{1}, rows)}
	positives := 0
	for i, l := range index {
		t.y[i] = 2*l - 1
		positives += l
	}
	t.machine = &svm.SVC{C: c, Kernel: k, Tol: 1e-6}
	if err := t.learn(run, n); err != nil {
		return err
	}
	var trace model.Trace
	var levels []float64
	note := func(level float64) error {
		loss := t.objective(level)
		trace.Loss, levels = append(trace.Loss, loss), append(levels, level)
		return run.Step(len(levels), loss)
	}
	if err := note(0); err != nil {
		return err
	}
	exchanges := 0
	if rows > n {
		share := m.Positive
		if share == 0 {
			share = float64(positives) / float64(n)
		}
		up := min(max(int(math.Round(share*float64(rows-n))), 1), rows-n-1)
		t.assign(up)
		for level := cu * 1e-3; ; level = min(2*level, cu) {
			if exchanges, err = t.settle(run, level, exchanges, maxIter-len(levels), note); err != nil {
				return err
			}
			if level >= cu || len(levels) >= maxIter {
				trace.Converged = level >= cu && len(levels) < maxIter
				break
			}
		}
		for _, v := range t.y[n:] {
			m.Labels = append(m.Labels, classes[(v+1)/2])
		}
	}
	m.Machine, m.Exchanges, m.Trace, m.Levels, m.classes = t.machine, exchanges, trace, levels, classes
	m.Objective = trace.Loss[len(trace.Loss)-1]
	return nil
}

func (m *TransductiveSVM) constants(op string, all *mat.Dense, n int) (c, cu float64, maxIter int, err error) {
	rows, _ := all.Dims()
	c = model.Or(m.C, 1)
	cu = model.Or(m.CUnlabeled, c*float64(n)/float64(max(rows-n, 1)))
	if err := limits.Check(op,
		limits.Rate("C", c),
		limits.Rate("CUnlabeled", cu),
		limits.Must("Positive", m.Positive, m.Positive >= 0 && m.Positive < 1, "be at least 0 and below 1")); err != nil {
		return 0, 0, 0, err
	}
	if rows-n == 1 {
		return 0, 0, 0, model.Errorf(op, "there must be at least 2 unlabeled rows, got 1")
	}
	maxIter, err = model.Iterations(op, "MaxIter", m.MaxIter, 1000)
	return c, cu, maxIter, err
}

// learn fits the machine to the first rows and scores all rows.
func (t *transduction) learn(run *model.Run, rows int) error {
	_, cols := t.all.Dims()
	t.machine.Context, t.machine.OnStep = run.Context(), func(model.Step) {}
	if err := t.machine.FitWeighted(t.all.Slice(0, rows, 0, cols), t.y[:rows], t.weights[:rows]); err != nil {
		return err
	}
	t.f = mat.Col(nil, 0, t.machine.Decision(t.all))
	return nil
}

// assign makes the unlabeled rows with the largest scores positive.
func (t *transduction) assign(up int) {
	order := make([]int, len(t.y)-t.n)
	for i := range order {
		order[i] = t.n + i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.f[b], t.f[a]) })
	for rank, i := range order {
		if t.y[i] = -1; rank < up {
			t.y[i] = 1
		}
	}
}

// slack returns by how much a row misses the margin on the side of its label.
func (t *transduction) slack(i int) float64 { return max(0, 1-float64(t.y[i])*t.f[i]) }

// settle learns with C_U = level, and exchanges labels until no exchange lowers the objective.
func (t *transduction) settle(run *model.Run, level float64, exchanges, left int, note func(float64) error) (int, error) {
	for ; left > 0; left-- {
		for i := t.n; i < len(t.y); i++ {
			t.weights[i] = level / t.c
		}
		if err := t.learn(run, len(t.y)); err != nil {
			return exchanges, err
		}
		if err := note(level); err != nil {
			return exchanges, err
		}
		var side [2][]int
		for i := t.n; i < len(t.y); i++ {
			if t.slack(i) > 0 {
				side[(t.y[i]+1)/2] = append(side[(t.y[i]+1)/2], i)
			}
		}
		for _, rows := range side {
			slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(t.slack(b), t.slack(a)) })
		}
		swapped := 0
		for p := range min(len(side[0]), len(side[1])) {
			a, b := side[0][p], side[1][p]
			if t.slack(a)+t.slack(b) <= 2+1e-6 {
				break
			}
			t.y[a], t.y[b] = t.y[b], t.y[a]
			swapped++
		}
		if exchanges += swapped; swapped == 0 {
			break
		}
	}
	return exchanges, nil
}

// objective returns ½‖w‖² + C·Σ ξ + level·Σ η; ‖w‖² comes from the dual coefficients.
func (t *transduction) objective(level float64) float64 {
	machine := t.machine.Machines[0]
	norm := 0.0
	for a, i := range machine.Vectors { // w·w = Σ α·y·(f(x) − b)
		row := t.machine.Support[i]
		norm += machine.DualCoef[a] * (t.f[row] - machine.Intercept)
	}
	sum := norm / 2
	for i := range t.y {
		switch {
		case i < t.n:
			sum += t.c * t.slack(i)
		case level > 0:
			sum += level * t.slack(i)
		}
	}
	return sum
}

// Classes lists the classes in ascending order.
func (m *TransductiveSVM) Classes() []int { return slices.Clone(m.classes) }

// Decision returns f(x) of each row.
func (m *TransductiveSVM) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("TransductiveSVM.Decision", &m.Fitted, x)
	if m.Machine == nil {
		panic(model.NotFitted("TransductiveSVM.Decision"))
	}
	return m.Machine.Decision(x)
}

// Predict returns the class of each row: the sign of f(x) determines the class.
func (m *TransductiveSVM) Predict(x mat.Matrix) []int {
	x = model.MustRead("TransductiveSVM.Predict", &m.Fitted, x)
	f := m.Decision(x)
	n, _ := f.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = m.classes[0]
		if f.At(i, 0) > 0 {
			out[i] = m.classes[1]
		}
	}
	return out
}
