package reduce

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// OneVsAll fits one binary classifier per class, which separates the class from all other classes.
// It predicts the class whose classifier is the most confident.
//
//	ŷ = argmaxₖ fₖ(x)
//
// If classifiers answered only yes or no, several classes or none could get a yes; confidences
// resolve such cases. If each classifier errs with probability ε, the combination errs with
// probability at most (K−1)·ε ([OneVsAllBound]).
//
// Cost: K fits on all n examples.
//
// References: [RifkinKlautau2004]. Course: RED-05.
type OneVsAll struct {
	New func() model.Classifier
	model.Control

	Members []model.Classifier // set by Fit: one per class

	width   int
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes returns the kinds of columns that the base models accept.
func (o *OneVsAll) Takes() model.Takes { return takesOf(o.New) }

// Fit fits one model per class.
func (o *OneVsAll) Fit(x mat.Matrix, y []int) error {
	const op = "OneVsAll.Fit"
	model.NoteOuterXY(&o.Fitted, x, y)
	o.Members, o.classes, o.width = nil, nil, 0
	d, classes, index, err := checkMany(op, o.New, x, y)
	if err != nil {
		return err
	}
	run := o.Begin("OneVsAll", len(classes))
	defer run.End()
	var models []model.Classifier
	label := make([]int, len(y))
	for k := range classes {
		for i, c := range index {
			label[i] = 0
			if c == k {
				label[i] = 1
			}
		}
		m := o.New()
		if err := m.Fit(x, label); err != nil {
			return err
		}
		models = append(models, m)
		if err := run.Step(k+1, math.NaN()); err != nil {
			return err
		}
	}
	_, o.width = d.Dims()
	o.Members, o.classes = models, classes
	return nil
}

func checkMany(op string, fresh func() model.Classifier, x mat.Matrix, y []int) (*mat.Dense, []int, []int, error) {
	if fresh == nil {
		return nil, nil, nil, noBase(op)
	}
	d, err := model.CheckXYFor(op, x, y, func() any { return fresh() })
	if err != nil {
		return nil, nil, nil, err
	}
	classes, index := model.Classes(y)
	return d, classes, index, model.CheckTwoOrMore(op, classes)
}

// Classes lists the classes in ascending order.
func (o *OneVsAll) Classes() []int { return slices.Clone(o.classes) }

// Decision returns the confidence of each class's model, one column per class.
func (o *OneVsAll) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("OneVsAll.Decision", &o.Fitted, x)
	return o.decide("OneVsAll.Decision", x)
}

func (o *OneVsAll) decide(op string, x mat.Matrix) *mat.Dense {
	if o.Members == nil {
		panic(model.NotFitted(op))
	}
	x = rowsFor(op, x, o.width)
	n, _ := x.Dims()
	out := mat.NewDense(n, len(o.classes), nil)
	for k, m := range o.Members {
		out.SetCol(k, confidence(m, x, 1))
	}
	return out
}

// PredictProba returns the probability of each class according to its own model, divided by the sum
// over the classes.
//
//	p(k|x) = pₖ(x) / Σⱼ pⱼ(x)
//
// pₖ is the model's probability if the model has probabilities. If the model has only scores, pₖ is
// the sigmoid of the score, which orders the classes but is not calibrated. Otherwise pₖ is 0 or 1.
// If all pₖ are 0, the classes are equally probable.
func (o *OneVsAll) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "OneVsAll.PredictProba"
	x = model.MustRead(op, &o.Fitted, x)
	if o.Members == nil {
		panic(model.NotFitted(op))
	}
	x = rowsFor(op, x, o.width)
	n, _ := x.Dims()
	out := mat.NewDense(n, len(o.classes), nil)
	for k, m := range o.Members {
		out.SetCol(k, chance(m, x, 1))
	}
	for i := range n {
		row := out.RawRowView(i)
		if sum := floats.Sum(row); sum > 0 {
			floats.Scale(1/sum, row)
			continue
		}
		for k := range row {
			row[k] = 1 / float64(len(row))
		}
	}
	return out
}

// Predict returns the class with the most confident model.
func (o *OneVsAll) Predict(x mat.Matrix) []int {
	x = model.MustRead("OneVsAll.Predict", &o.Fitted, x)
	return argmax(o.decide("OneVsAll.Predict", x), o.classes)
}

// Ambiguous returns, for each row, the number of classes whose classifier says yes. A row with
// exactly 1 such class is unambiguous; Predict decides the other rows by confidence.
//
// Course: RED-05.
func (o *OneVsAll) Ambiguous(x mat.Matrix) []int {
	x = model.MustRead("OneVsAll.Ambiguous", &o.Fitted, x)
	s := o.decide("OneVsAll.Ambiguous", x)
	n, _ := s.Dims()
	out := make([]int, n)
	for i := range out {
		for _, v := range s.RawRowView(i) {
			if v > 0 {
				out[i]++
			}
		}
	}
	return out
}

// AllVsAll fits one binary classifier for each pair of classes, using only the examples of these
// two classes, and lets the classifiers vote.
//
//	ŷ = argmaxᵢ #{j : f_ij says i}
//
// Ties are broken by the sum of confidences. There are K(K−1)/2 classifiers with 2n/K examples
// each. The faster the base learner's cost grows with n, the better AllVsAll compares with
// [OneVsAll] (see [TrainingCosts]).
//
// Cost: K(K−1)/2 fits.
//
// References: [Friedman1996]. Course: RED-06.
type AllVsAll struct {
	New func() model.Classifier
	model.Control

	Members map[[2]int]model.Classifier // set by Fit: by positions i < j of two classes

	width   int
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes returns the kinds of columns that the base models accept.
func (a *AllVsAll) Takes() model.Takes { return takesOf(a.New) }

// Fit fits one model per pair of classes.
func (a *AllVsAll) Fit(x mat.Matrix, y []int) error {
	const op = "AllVsAll.Fit"
	model.NoteOuterXY(&a.Fitted, x, y)
	a.Members, a.classes, a.width = nil, nil, 0
	d, classes, index, err := checkMany(op, a.New, x, y)
	if err != nil {
		return err
	}
	k := len(classes)
	run := a.Begin("AllVsAll", k*(k-1)/2)
	defer run.End()
	members := make([][]int, k)
	for i, c := range index {
		members[c] = append(members[c], i)
	}
	models := map[[2]int]model.Classifier{}
	for i := range k {
		for j := i + 1; j < k; j++ {
			rows := append(slices.Clone(members[i]), members[j]...)
			slices.Sort(rows)
			label := make([]int, len(rows))
			for r, row := range rows {
				if index[row] == i {
					label[r] = 1
				}
			}
			m := a.New()
			if err := m.Fit(pick.Like(x, d, rows), label); err != nil {
				return err
			}
			models[[2]int{i, j}] = m
			if err := run.Step(len(models), math.NaN()); err != nil {
				return err
			}
		}
	}
	_, a.width = d.Dims()
	a.Members, a.classes = models, classes
	return nil
}

// Classes lists the classes in ascending order.
func (a *AllVsAll) Classes() []int { return slices.Clone(a.classes) }

// Decision returns one column of scores per class. The integer part of a score is the number of
// votes; the fractional part is the sum of the confidences, mapped into (0, 1).
func (a *AllVsAll) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("AllVsAll.Decision", &a.Fitted, x)
	return a.decide("AllVsAll.Decision", x)
}

func (a *AllVsAll) decide(op string, x mat.Matrix) *mat.Dense {
	if a.Members == nil {
		panic(model.NotFitted(op))
	}
	x = rowsFor(op, x, a.width)
	n, _ := x.Dims()
	k := len(a.classes)
	votes, sure := mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
	for i := range k {
		for j := i + 1; j < k; j++ {
			for r, c := range confidence(a.Members[[2]int{i, j}], x, 1) {
				win := j
				if c > 0 {
					win = i
				}
				votes.Set(r, win, votes.At(r, win)+1)
				sure.Set(r, i, sure.At(r, i)+c)
				sure.Set(r, j, sure.At(r, j)-c)
			}
		}
	}
	votes.Apply(func(i, j int, v float64) float64 {
		c := sure.At(i, j)
		return v + c/(3*(math.Abs(c)+1)) // less than a third of a vote
	}, votes)
	return votes
}

// Predict returns the class with the most votes.
func (a *AllVsAll) Predict(x mat.Matrix) []int {
	x = model.MustRead("AllVsAll.Predict", &a.Fitted, x)
	return argmax(a.decide("AllVsAll.Predict", x), a.classes)
}

// ClassSplit is an inner node of a tree of classes; a leaf has one class and no
// children.
type ClassSplit struct {
	Classes     []int
	Left, Right *ClassSplit
	Model       model.Classifier // decides Right (1) or Left (0); nil at a leaf
}

// Depth returns the number of decisions on the longest path to a leaf.
func (c *ClassSplit) Depth() int {
	if c.Left == nil {
		return 0
	}
	return 1 + max(c.Left.Depth(), c.Right.Depth())
}

// BalancedSplit returns a tree that halves the list of classes recursively.
//
// Course: RED-07.
func BalancedSplit(classes []int) *ClassSplit {
	s := &ClassSplit{Classes: classes}
	if len(classes) > 1 {
		h := len(classes) / 2
		s.Left, s.Right = BalancedSplit(classes[:h:h]), BalancedSplit(classes[h:])
	}
	return s
}

// TreeReduction decides between halves of the classes, then between quarters, and so on. At most
// ⌈log₂K⌉ of its K−1 classifiers decide an example, so the error is at most ⌈log₂K⌉·ε
// ([TreeBound]). (K is the number of classes; in one place, the lecture notes call it the number of
// features.)
//
//	ŷ = leaf(f_root(x), f_child(x), …)
//
// The layout matters. If classes 1 to 4 lie at the corners (0,0), (0,1), (1,0) and (1,1) of a
// square, no line separates {1, 4} from {2, 3}.
//
// Cost: K−1 fits, on fewer examples deeper in the tree.
//
// References: [Daume2017] ch. 6. Course: RED-07.
type TreeReduction struct {
	New func() model.Classifier
	// Layout is the tree over the classes; nil means BalancedSplit of the classes in ascending
	// order. Fit works on a copy of Layout.
	Layout *ClassSplit
	model.Control

	Root *ClassSplit // set by Fit

	width   int
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes returns the kinds of columns that the base models accept.
func (t *TreeReduction) Takes() model.Takes { return takesOf(t.New) }

// Fit fits one model per inner node.
func (t *TreeReduction) Fit(x mat.Matrix, y []int) error {
	const op = "TreeReduction.Fit"
	model.NoteOuterXY(&t.Fitted, x, y)
	t.Root, t.classes, t.width = nil, nil, 0
	d, classes, _, err := checkMany(op, t.New, x, y)
	if err != nil {
		return err
	}
	layout := t.Layout
	if layout == nil {
		layout = BalancedSplit(classes)
	}
	leaves := layout.leaves(nil)
	sorted := slices.Clone(leaves)
	slices.Sort(sorted)
	if !slices.Equal(sorted, classes) {
		return model.Errorf(op, "Layout must have each of the classes %[2]v at exactly one leaf, got the leaves %[1]v", leaves, classes)
	}
	run := t.Begin("TreeReduction", len(classes)-1)
	defer run.End()
	done := 0
	root, err := t.grow(layout, pick.As(x, d), y, func() error { done++; return run.Step(done, math.NaN()) })
	if err != nil {
		return err
	}
	_, t.width = d.Dims()
	t.Root, t.classes = root, classes
	return nil
}

func (c *ClassSplit) leaves(into []int) []int {
	if c.Left == nil || c.Right == nil {
		return append(into, c.Classes...)
	}
	return c.Right.leaves(c.Left.leaves(into))
}

func (t *TreeReduction) grow(s *ClassSplit, x mat.Matrix, y []int, step func() error) (*ClassSplit, error) {
	out := &ClassSplit{Classes: s.leaves(nil)}
	if s.Left == nil || s.Right == nil {
		return out, nil
	}
	right := s.Right.leaves(nil)
	var rows, label []int
	for i, v := range y {
		if slices.Contains(out.Classes, v) {
			rows = append(rows, i)
			l := 0
			if slices.Contains(right, v) {
				l = 1
			}
			label = append(label, l)
		}
	}
	m, err := fitBinary(t.New, pick.Like(x, model.Dense(x), rows), label)
	if err != nil {
		return nil, err
	}
	out.Model = m
	if err := step(); err != nil {
		return nil, err
	}
	if out.Left, err = t.grow(s.Left, x, y, step); err != nil {
		return nil, err
	}
	out.Right, err = t.grow(s.Right, x, y, step)
	return out, err
}

// Classes lists the classes in ascending order.
func (t *TreeReduction) Classes() []int { return slices.Clone(t.classes) }

// Predict follows the decisions from the root to a leaf.
func (t *TreeReduction) Predict(x mat.Matrix) []int {
	x = model.MustRead("TreeReduction.Predict", &t.Fitted, x)
	if t.Root == nil {
		panic(model.NotFitted("TreeReduction.Predict"))
	}
	x = rowsFor("TreeReduction.Predict", x, t.width)
	n, _ := x.Dims()
	out, rows := make([]int, n), make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	t.Root.descend(x, rows, out)
	return out
}

func (c *ClassSplit) descend(x mat.Matrix, rows, out []int) {
	if len(rows) == 0 {
		return
	}
	if c.Left == nil {
		for _, r := range rows {
			out[r] = c.Classes[0]
		}
		return
	}
	var left, right []int
	for i, v := range c.Model.Predict(pick.Like(x, model.Dense(x), rows)) {
		if v == 1 {
			right = append(right, rows[i])
		} else {
			left = append(left, rows[i])
		}
	}
	c.Left.descend(x, left, out)
	c.Right.descend(x, right, out)
}
