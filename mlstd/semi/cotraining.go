package semi

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// CoTraining lets two classifiers label rows for each other. Each classifier sees its own columns,
// called a view.
//
//		L ← L ∪ {(xₘ, f¹(xₘ¹)) : xₘ in U, f¹(xₘ¹) = f²(xₘ²)}
//
//	 1. Learn f¹ from the first view of the labeled rows and f² from the second.
//	 2. Find the unlabeled rows on which both classifiers agree, each with a probability above
//	    Threshold. Move these rows to the labeled rows.
//	 3. Repeat until no row is added, no row is left, or MaxIter rounds are made.
//
// Co-training works if each view by itself is sufficient to learn the classes and the views are
// independent given the class. For example, the two views of a web page can be its text and the
// text of the links to it. If the views are independent, a row that is easy in one view is a random
// row for the other view. A prediction multiplies the probabilities of both classifiers and divides
// the product by the class fractions.
//
// Cost: two fits and two predictions per round.
//
// References: [BlumMitchell1998]. Course: LAT-10.
type CoTraining struct {
	model.Control

	New   func() model.ProbClassifier // makes the classifier of a view; nil means GaussianNB
	Views [2][]int                    // the columns of each view; nil means the two halves
	// Threshold is the minimum probability that both models must assign to a label; 0 means 0.5,
	// model.Zero means no minimum. With a larger value, fewer rows get labels, but the labels are
	// more reliable.
	Threshold float64
	// MaxIter is the maximum number of rounds; 0 means 10.
	MaxIter int

	Members []model.ProbClassifier // set by Fit: the classifiers of the two views
	Labels  []int                  // set by Fit: labels of the unlabeled rows
	Round   []int                  // set by Fit: the round in which each unlabeled row got its label, from 1; 0 for none
	Trace   model.Trace            // set by Fit: Loss is the number of rows without a label after each round

	views [2][]int
	prior []float64
	cols  int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.ProbClassifier = (*CoTraining)(nil)

// Fit learns from labeled rows only.
func (m *CoTraining) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("CoTraining.Fit", x, y, nil)
}

// FitUnlabeled learns from labeled and unlabeled rows.
func (m *CoTraining) FitUnlabeled(x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	model.NoteXY(&m.Fitted, x, y)
	unlabeled, err := model.Read("CoTraining.FitUnlabeled", &m.Fitted, unlabeled)
	if err != nil {
		return err
	}
	return m.fit("CoTraining.FitUnlabeled", x, y, unlabeled)
}

func (m *CoTraining) reset() {
	m.Members, m.Labels, m.Round, m.Trace = nil, nil, nil, model.Trace{}
	m.views, m.prior, m.cols = [2][]int{}, nil, 0
}

func (m *CoTraining) fit(op string, x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	m.reset()
	all, n, err := both(op, x, y, unlabeled)
	if err != nil {
		return err
	}
	rows, cols := all.Dims()
	views, err := m.columns(op, cols)
	if err != nil {
		return err
	}
	threshold := model.Or(m.Threshold, 0.5)
	if !(threshold >= 0 && threshold < 1) {
		return model.Errorf(op, "Threshold must be between 0 and 1, got %v", m.Threshold)
	}
	maxIter, err := model.Iterations(op, "MaxIter", m.MaxIter, 10)
	if err != nil {
		return err
	}
	run := m.Begin("CoTraining", maxIter)
	defer run.End()
	create := m.New
	if create == nil {
		create = func() model.ProbClassifier { return &prob.GaussianNB{} }
	}
	var parts [2]*mat.Dense
	for v := range parts {
		parts[v] = pick.Columns(all, views[v]).Dense
	}
	labeled, labels, round := make([]int, n), slices.Clone(y), make([]int, rows-n)
	for i := range labeled {
		labeled[i] = i
	}
	var trace model.Trace
	var members []model.ProbClassifier
	for iter := 1; ; iter++ {
		members = nil
		for v := range parts {
			f := create()
			if f == nil {
				return model.Errorf(op, "New must return a classifier, got nil")
			}
			if err := f.Fit(pick.Rows(parts[v], labeled), labels); err != nil {
				return err
			}
			members = append(members, f)
		}
		before := len(labeled)
		if iter <= maxIter {
			labeled, labels = agree(members, parts, n, round, iter, threshold, labeled, labels)
		}
		trace.Loss = append(trace.Loss, float64(rows-len(labeled)))
		if err := run.Step(min(iter, maxIter), trace.Loss[iter-1]); err != nil {
			return err
		}
		if len(labeled) == before {
			trace.Converged = iter <= maxIter
			break
		}
	}
	m.views, m.cols, m.Members, m.Trace, m.Round = views, cols, members, trace, round
	m.prior = make([]float64, len(m.Members[0].Classes()))
	for _, c := range labels {
		at, _ := slices.BinarySearch(m.Members[0].Classes(), c)
		m.prior[at] += 1 / float64(len(labels))
	}
	if rows > n {
		m.Labels = m.Predict(all.Slice(n, rows, 0, cols))
		for i, r := range labeled[n:] {
			m.Labels[r-n] = labels[n+i]
		}
	}
	return nil
}

// columns checks the views and returns them.
func (m *CoTraining) columns(op string, cols int) ([2][]int, error) {
	views := [2][]int{slices.Clone(m.Views[0]), slices.Clone(m.Views[1])}
	if views[0] == nil && views[1] == nil {
		for j := range cols {
			v := 0
			if j >= (cols+1)/2 {
				v = 1
			}
			views[v] = append(views[v], j)
		}
	}
	for v, columns := range views {
		if len(columns) == 0 {
			return views, model.Errorf(op, "view %d must have at least one of the %d columns of x, got none", v, cols)
		}
		for _, j := range columns {
			if j < 0 || j >= cols {
				return views, model.Errorf(op, "the columns of view %d must be between 0 and %d, got %d", v, cols-1, j)
			}
		}
	}
	return views, nil
}

// agree labels the rows without a label on which both classifiers agree.
func agree(f []model.ProbClassifier, parts [2]*mat.Dense, n int, round []int, iter int, threshold float64, labeled, labels []int) ([]int, []int) {
	var left []int
	for i, r := range round {
		if r == 0 {
			left = append(left, n+i)
		}
	}
	if len(left) == 0 {
		return labeled, labels
	}
	var p [2]*mat.Dense
	var says [2][]int
	for v := range p {
		p[v] = f[v].PredictProba(pick.Rows(parts[v], left))
		says[v] = mostProbable(p[v], f[v].Classes())
	}
	for i, row := range left {
		if says[0][i] != says[1][i] || min(slices.Max(p[0].RawRowView(i)), slices.Max(p[1].RawRowView(i))) < threshold {
			continue
		}
		labeled, labels = append(labeled, row), append(labels, says[0][i])
		round[row-n] = iter
	}
	return labeled, labels
}

// Classes lists the classes in ascending order.
func (m *CoTraining) Classes() []int {
	if m.Members == nil {
		return nil
	}
	return m.Members[0].Classes()
}

// PredictProba returns the probability of each class, from the product of the probabilities of the
// two views.
func (m *CoTraining) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "CoTraining.PredictProba"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Members == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, m.cols)
	p := m.Members[0].PredictProba(pick.Columns(d, m.views[0]).Dense)
	second := m.Members[1].PredictProba(pick.Columns(d, m.views[1]).Dense)
	n, _ := p.Dims()
	for i := range n {
		row, other := p.RawRowView(i), second.RawRowView(i)
		sum := 0.0
		for c := range row {
			row[c] *= other[c] / m.prior[c]
			sum += row[c]
		}
		for c := range row {
			if sum > 0 {
				row[c] /= sum
			} else { // each view rules out the class of which the other is certain
				row[c] = m.prior[c]
			}
		}
	}
	return p
}

// Predict returns the most probable class of each row.
func (m *CoTraining) Predict(x mat.Matrix) []int {
	x = model.MustRead("CoTraining.Predict", &m.Fitted, x)
	if m.Members == nil {
		panic(model.NotFitted("CoTraining.Predict"))
	}
	return mostProbable(m.PredictProba(x), m.Classes())
}
