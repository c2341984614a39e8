package semi

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// SelfTraining lets a classifier label the rows from which it then learns.
//
//		f ← learned from L;  L ← L ∪ {(x, f(x)) : x in U, p(f(x)|x) > Threshold};  again
//
//	 1. Learn f from the labeled rows.
//	 2. Label the unlabeled rows with a probability above Threshold, or the Best rows with the
//	    highest probabilities, and move them to the labeled rows.
//	 3. Repeat until no row is labeled, no row is left, or MaxIter rounds are made.
//
// Self-training finds features that occur together with the features that f already uses. It never
// revokes a label, so an early mistake causes later mistakes. It does not improve a classifier that
// is always certain.
//
// Cost: one fit and one prediction per round.
//
// References: [Yarowsky1995]. Course: LAT-09.
type SelfTraining struct {
	model.Control

	New func() model.ProbClassifier // makes the classifier of a round; nil means GaussianNB
	// Threshold is the probability that a row's predicted class must exceed for the row to get a
	// label; 0 means 0.75. With a larger value, fewer rows get labels, but the labels are more
	// reliable.
	Threshold float64
	// Best, if not 0, is the number of rows to label in each round: the rows with the highest
	// probabilities. It replaces Threshold.
	Best int
	// MaxIter is the maximum number of rounds; 0 means 10.
	MaxIter int

	Model     model.ProbClassifier // set by Fit: of the last round
	Labels    []int                // set by Fit: of the unlabeled rows; else by Model
	Round     []int                // set by Fit: in which round each unlabeled row got its label, from 1; 0 for none
	Trace     model.Trace          // set by Fit: Loss is the number of rows without a label after each round
	Exhausted bool                 // set by Fit: whether no row is left without a label

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.ProbClassifier = (*SelfTraining)(nil)

// Fit learns only from labeled rows.
func (m *SelfTraining) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("SelfTraining.Fit", x, y, nil)
}

// FitUnlabeled learns from labeled and unlabeled rows.
func (m *SelfTraining) FitUnlabeled(x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	model.NoteXY(&m.Fitted, x, y)
	unlabeled, err := model.Read("SelfTraining.FitUnlabeled", &m.Fitted, unlabeled)
	if err != nil {
		return err
	}
	return m.fit("SelfTraining.FitUnlabeled", x, y, unlabeled)
}

func (m *SelfTraining) fit(op string, x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	m.Model, m.Labels, m.Round, m.Trace, m.Exhausted = nil, nil, nil, model.Trace{}, false
	all, n, err := both(op, x, y, unlabeled)
	if err != nil {
		return err
	}
	threshold := model.Or(m.Threshold, 0.75)
	if err := limits.Check(op,
		limits.Must("Threshold", threshold, threshold > 0 && threshold < 1, "be between 0 and 1"),
		limits.NotNegative("Best", m.Best)); err != nil {
		return err
	}
	maxIter, err := model.Iterations(op, "MaxIter", m.MaxIter, 10)
	if err != nil {
		return err
	}
	run := m.Begin("SelfTraining", maxIter)
	defer run.End()
	rows, _ := all.Dims()
	t := &selfTraining{make: m.New, all: all, y: slices.Clone(y), round: make([]int, rows-n)}
	if t.make == nil {
		t.make = func() model.ProbClassifier { return &prob.GaussianNB{} }
	}
	for i := range n {
		t.labeled = append(t.labeled, i)
	}
	var trace model.Trace
	for iter := 1; ; iter++ {
		if err := t.learn(op); err != nil {
			return err
		}
		added := 0
		if left := t.left(n); iter <= maxIter && len(left) > 0 {
			added = t.add(n, left, threshold, m.Best, iter)
		}
		trace.Loss = append(trace.Loss, float64(rows-len(t.labeled)))
		if err := run.Step(min(iter, maxIter), trace.Loss[iter-1]); err != nil {
			return err
		}
		if added == 0 {
			trace.Converged = iter <= maxIter
			break
		}
	}
	if rows > n {
		_, cols := all.Dims()
		m.Labels = t.fitted.Predict(all.Slice(n, rows, 0, cols))
		for i, r := range t.labeled[n:] {
			m.Labels[r-n] = t.y[n+i]
		}
	}
	m.Model, m.Round, m.Trace, m.Exhausted = t.fitted, t.round, trace, len(t.labeled) == rows
	return nil
}

// selfTraining is the state of the rounds: the rows with a label and the labels.
type selfTraining struct {
	make    func() model.ProbClassifier
	all     *mat.Dense
	labeled []int
	y       []int
	round   []int
	fitted  model.ProbClassifier
}

func (t *selfTraining) learn(op string) error {
	t.fitted = t.make()
	if t.fitted == nil {
		return model.Errorf(op, "New must return a classifier, got nil")
	}
	return t.fitted.Fit(pick.Rows(t.all, t.labeled), t.y)
}

func (t *selfTraining) left(n int) []int {
	var left []int
	for i, r := range t.round {
		if r == 0 {
			left = append(left, n+i)
		}
	}
	return left
}

// add labels the rows of which the classifier is sure, and returns their number.
func (t *selfTraining) add(n int, left []int, threshold float64, best, iter int) int {
	p := t.fitted.PredictProba(pick.Rows(t.all, left))
	labels := mostProbable(p, t.fitted.Classes())
	order := make([]int, len(left))
	for i := range order {
		order[i] = i
	}
	sure := func(i int) float64 { return slices.Max(p.RawRowView(i)) }
	if best > 0 {
		slices.SortStableFunc(order, func(a, b int) int {
			switch x, y := sure(a), sure(b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		order = order[:min(best, len(order))]
		slices.Sort(order)
	}
	added := 0
	for _, i := range order {
		if best == 0 && !(sure(i) > threshold) {
			continue
		}
		t.labeled, t.y = append(t.labeled, left[i]), append(t.y, labels[i])
		t.round[left[i]-n] = iter
		added++
	}
	return added
}

// Classes lists the classes in ascending order.
func (m *SelfTraining) Classes() []int {
	if m.Model == nil {
		return nil
	}
	return m.Model.Classes()
}

// PredictProba returns p(y|x) according to the classifier of the last round.
func (m *SelfTraining) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("SelfTraining.PredictProba", &m.Fitted, x)
	if m.Model == nil {
		panic(model.NotFitted("SelfTraining.PredictProba"))
	}
	return m.Model.PredictProba(x)
}

// Predict returns the class of each row according to the classifier of the last round.
func (m *SelfTraining) Predict(x mat.Matrix) []int {
	x = model.MustRead("SelfTraining.Predict", &m.Fitted, x)
	if m.Model == nil {
		panic(model.NotFitted("SelfTraining.Predict"))
	}
	return m.Model.Predict(x)
}
