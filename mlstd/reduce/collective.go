package reduce

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Graph lists the neighbors of each node; each edge must be listed at both of its nodes.
type Graph [][]int

// Check returns an error if a neighbor is not a node.
func (g Graph) Check(op string, n int) error {
	if len(g) != n {
		return model.Errorf(op, "the graph must have %d nodes (the rows of x), got %d", n, len(g))
	}
	for i, ns := range g {
		for _, j := range ns {
			if j < 0 || j >= n {
				return model.Errorf(op, "the neighbors of node %d must be between 0 and %d, got %d", i, n-1, j)
			}
		}
	}
	return nil
}

// NeighborCounts returns each node's features, followed by its number of neighbors in each class,
// in the order of classes.
//
// Course: RED-14.
func NeighborCounts(x mat.Matrix, g Graph, label, classes []int) *model.Table {
	d := model.Dense(x)
	n, p := d.Dims()
	if err := g.Check("NeighborCounts", n); err != nil {
		panic(err)
	}
	if len(label) != n {
		panic(model.Errorf("NeighborCounts", "label must have %d entries (the number of rows of x), got %d", n, len(label)))
	}
	at := map[int]int{}
	for k, c := range classes {
		at[c] = k
	}
	out := mat.NewDense(n, p+len(classes), nil)
	for i := range n {
		row := out.RawRowView(i)
		copy(row, d.RawRowView(i))
		for _, j := range g[i] {
			if k, ok := at[label[j]]; ok {
				row[p+k]++
			}
		}
	}
	if !model.Described(x) {
		return model.Named(x, out, nil)
	}
	columns := slices.Clone(model.ColumnsOf(x))
	for _, c := range classes {
		columns = append(columns, model.Column{Name: "neighbors of class " + strconv.Itoa(c)})
	}
	return model.Named(x, out, columns)
}

// CollectiveClassifier labels the nodes of a graph together. Linked nodes tend to have the same
// label, so the neighbors' labels serve as features.
//
//	round 0: f₀(x);   round r: f_r(x, #neighbors of each class by round r−1)
//
// At test time, the neighbors' true labels are unknown, so predicted labels are used. Training on
// predictions for the training nodes themselves overfits: f₀ is unrealistically good there, and f₁
// trusts the neighbors too much. Folds corrects this by stacking with held-out predictions: every
// node's label comes from a model that was fitted without the node. Folds = 1 is the naive method
// of the lecture notes.
//
// If Iterative is set, the method is the iterative classification algorithm (ICA). It fits one f₁
// with the true labels of the neighbors; for new nodes, it applies f₁ repeatedly, each time with
// the predicted labels of the previous round.
//
// Cost: Rounds·(Folds+1) fits of the base classifier.
//
// References: [NevilleJensen2000], [Wolpert1992]. Course: RED-14, RED-15.
type CollectiveClassifier struct {
	New func() model.Classifier
	// Rounds is the number of stacked models after f₀; 0 means 2.
	Rounds int
	// Folds is the number of cross-validation folds; 0 means 5. If Folds is 1, each model learns
	// from predictions for the same nodes on which the previous model was trained.
	Folds     int
	Iterative bool
	Seed      uint64
	model.Control

	Members []model.Classifier // set by FitGraph: f₀, f₁, …

	classes []int
	width   int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes returns the kinds of columns that the base models accept.
func (c *CollectiveClassifier) Takes() model.Takes { return takesOf(c.New) }

// FitGraph learns from the nodes of a graph.
func (c *CollectiveClassifier) FitGraph(x mat.Matrix, y []int, g Graph) error {
	const op = "CollectiveClassifier.FitGraph"
	model.NoteOuterXY(&c.Fitted, x, y)
	c.Members, c.classes, c.width = nil, nil, 0
	d, classes, _, err := checkMany(op, c.New, x, y)
	if err != nil {
		return err
	}
	n, p := d.Dims()
	if err := g.Check(op, n); err != nil {
		return err
	}
	rounds, folds := c.Rounds, c.Folds
	if rounds == 0 {
		rounds = 2
	}
	if c.Iterative {
		rounds = 1
	}
	if folds == 0 {
		folds = 5
	}
	if err := limits.Check(op,
		limits.Must("Folds", folds, folds >= 1 && folds <= n, fmt.Sprintf("be between 1 and %d (the number of nodes)", n)),
		limits.NotNegative("Rounds", rounds)); err != nil {
		return err
	}
	run := c.Begin("CollectiveClassifier", rounds+1)
	defer run.End()
	var models []model.Classifier
	label := y
	in := pick.As(x, d)
	for r := range rounds + 1 {
		if r > 0 {
			in = NeighborCounts(x, g, label, classes)
		}
		m := c.New()
		if err := m.Fit(in, y); err != nil {
			return err
		}
		models = append(models, m)
		if !c.Iterative {
			if label, err = c.heldOut(m, in, y, folds); err != nil {
				return err
			}
		}
		if err := run.Step(r+1, math.NaN()); err != nil {
			return err
		}
	}
	c.Members, c.classes, c.width = models, classes, p
	return nil
}

// heldOut predicts each training node by a model that was fitted without it; with one fold, by m
// itself.
func (c *CollectiveClassifier) heldOut(m model.Classifier, in mat.Matrix, y []int, folds int) ([]int, error) {
	if folds == 1 {
		return m.Predict(in), nil
	}
	perm := model.Rand(c.Seed, 0).Perm(len(y))
	out := make([]int, len(y))
	for f := range folds {
		var train, test []int
		for k, i := range perm {
			if k%folds == f {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		part := c.New()
		if err := part.Fit(pick.Like(in, model.Dense(in), train), pick.Of(y, train)); err != nil {
			return nil, err
		}
		for k, v := range part.Predict(pick.Like(in, model.Dense(in), test)) {
			out[test[k]] = v
		}
	}
	return out, nil
}

// PredictGraph returns the labels of the nodes of another graph, and the labels after each round.
func (c *CollectiveClassifier) PredictGraph(x mat.Matrix, g Graph) (label []int, rounds [][]int) {
	const op = "CollectiveClassifier.PredictGraph"
	x = model.MustRead(op, &c.Fitted, x)
	if c.Members == nil {
		panic(model.NotFitted(op))
	}
	x = rowsFor(op, x, c.width)
	n, _ := x.Dims()
	if err := g.Check(op, n); err != nil {
		panic(err)
	}
	label = c.Members[0].Predict(x)
	rounds = append(rounds, label)
	next := c.Members[1:]
	if c.Iterative {
		for range 10 {
			next = append(next[:1:1], next...)
		}
	}
	for _, m := range next {
		label = m.Predict(NeighborCounts(x, g, label, c.classes))
		rounds = append(rounds, label)
	}
	return label, rounds
}

// Classes lists the classes in ascending order.
func (c *CollectiveClassifier) Classes() []int { return slices.Clone(c.classes) }
