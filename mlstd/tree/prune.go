package tree

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// PruneReducedError turns inner nodes into leaves, from the bottom up, wherever that does not
// increase the number of errors on the tuning examples x, y. The accuracy on the tuning examples
// never decreases. A split that no tuning example reaches is removed.
//
// The tuning examples must not be training examples, on which the full tree is always best.
// PruneReducedError returns an error if x or y does not match the columns or classes of the tree.
//
// Cost: one prediction per example.
//
// References: [Quinlan1987]. Course: TREE-09.
func (t *DecisionTree) PruneReducedError(x mat.Matrix, y []int) error {
	const op = "DecisionTree.PruneReducedError"
	x, err := model.Read(op, &t.Fitted, x)
	if err != nil {
		return err
	}
	if t.Root == nil {
		return model.NotFitted(op)
	}
	d, err := t.Takes().CheckX(op, x)
	if err != nil {
		if t.Missing == RefuseMissing {
			return explainMissing(err, x)
		}
		return err
	}
	n, cols := d.Dims()
	if err := model.CheckLength(op, n, len(y)); err != nil {
		return err
	}
	if cols != len(t.columns) {
		return model.Errorf(op, "x must have %d columns, as in Fit, got %d", len(t.columns), cols)
	}
	// wrong[n] is the weight of tuning examples at n that the class of n misclassifies. stays[n] is
	// the part of it from examples whose path ends at n.
	wrong := map[*Node]float64{}
	stays := map[*Node]float64{}
	var count func(n *Node, row []float64, class int, fraction float64)
	count = func(n *Node, row []float64, class int, fraction float64) {
		miss := 0.0
		if t.classes[n.Class] != class {
			miss = fraction
		}
		wrong[n] += miss
		if n.Leaf() {
			return
		}
		v := row[n.Feature]
		k := n.child(v)
		switch {
		case k >= 0:
			count(n.Children[k], row, class, fraction)
		case v == v:
			stays[n] += miss
		case t.Missing == FractionalExamples:
			for k, c := range n.Children {
				count(c, row, class, fraction*n.Shares[k])
			}
		default:
			count(n.Children[n.Default], row, class, fraction)
		}
	}
	for i := range n {
		count(t.Root, d.RawRowView(i), y[i], 1)
	}
	var prune func(n *Node) float64
	prune = func(n *Node) float64 {
		if n.Leaf() {
			return wrong[n]
		}
		below := stays[n]
		for _, c := range n.Children {
			below += prune(c)
		}
		if wrong[n] <= below+slack {
			n.makeLeaf()
			return wrong[n]
		}
		return below
	}
	prune(t.Root)
	t.settle()
	return nil
}

// PruneChiSquare turns inner nodes into leaves, from the bottom up. It removes a split if all its
// children are leaves whose classes do not differ significantly in a χ² test. The argument
// significance is the level of the test, such as 0.05. Unlike early stopping, PruneChiSquare keeps
// a useless split if a useful split is below it.
//
// References: [Quinlan1986]. Course: TREE-08.
func (t *DecisionTree) PruneChiSquare(significance float64) {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.PruneChiSquare"))
	}
	var prune func(n *Node)
	prune = func(n *Node) {
		leaves := true
		var counts [][]float64
		for _, c := range n.Children {
			prune(c)
			leaves = leaves && c.Leaf()
			counts = append(counts, c.Counts)
		}
		if n.Leaf() || !leaves {
			return
		}
		if _, p := ChiSquareSplit(counts); p > significance {
			n.makeLeaf()
		}
	}
	prune(t.Root)
	t.settle()
}

// PruneStep is one tree of the sequence of trees in cost-complexity pruning.
type PruneStep struct {
	Alpha    float64 // the smallest complexity parameter for which the tree is optimal
	Leaves   int
	Impurity float64 // Σ over the leaves of weight fraction · impurity
}

// PruneCostComplexity prunes the tree to the smallest subtree T that minimizes
//
//	R(T) + alpha · leaves(T),   R(T) = Σ over the leaves of weight share · impurity
//
// by repeatedly collapsing the weakest link, the split with the smallest increase
// of R per leaf saved, while that increase is at most alpha. Choose alpha by
// cross-validation among the values that [DecisionTree.PruningPath] returns.
//
// References: [Breiman1984] ch. 3. Course: TREE-09.
func (t *DecisionTree) PruneCostComplexity(alpha float64) {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.PruneCostComplexity"))
	}
	pruneCostComplexity(t.Root, alpha)
	t.settle()
}

// PruningPath returns the sequence of trees in cost-complexity pruning, from the whole tree down to
// the tree with only the root. It does not change the tree.
//
// Course: TREE-09.
func (t *DecisionTree) PruningPath() []PruneStep {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.PruningPath"))
	}
	return pruningPath(t.Root)
}

func pruningPath(root *Node) []PruneStep {
	cp := cloneTree(root)
	steps := []PruneStep{summary(cp, 0)}
	for !cp.Leaf() {
		_, g := weakest(cp)
		alpha := math.Max(g, steps[len(steps)-1].Alpha)
		pruneCostComplexity(cp, alpha)
		s := summary(cp, alpha)
		if alpha <= steps[len(steps)-1].Alpha {
			steps = steps[:len(steps)-1]
		}
		steps = append(steps, s)
	}
	return steps
}

func summary(root *Node, alpha float64) PruneStep {
	s := PruneStep{Alpha: alpha}
	root.Walk(func(n *Node) {
		if n.Leaf() {
			s.Leaves++
			s.Impurity += n.Weight / root.Weight * n.Impurity
		}
	})
	return s
}

// pruneCostComplexity collapses weakest links while their increase of R per leaf saved is at most
// alpha. The slack, relative to the impurity at the root, makes equal increases equal despite
// rounding.
func pruneCostComplexity(root *Node, alpha float64) {
	for !root.Leaf() {
		n, g := weakest(root)
		if g > alpha+slack*root.Impurity {
			return
		}
		n.makeLeaf()
	}
}

// weakest returns the split with the smallest increase of R per leaf saved; ties go
// to the uppermost.
func weakest(root *Node) (*Node, float64) {
	var best *Node
	least := math.Inf(1)
	var visit func(n *Node) (risk float64, leaves int)
	visit = func(n *Node) (float64, int) {
		own := n.Weight / root.Weight * n.Impurity
		if n.Leaf() {
			return own, 1
		}
		risk, leaves := 0.0, 0
		for _, c := range n.Children {
			r, l := visit(c)
			risk += r
			leaves += l
		}
		if g := (own - risk) / float64(max(1, leaves-1)); g <= least+slack*root.Impurity {
			best, least = n, min(least, g)
		}
		return risk, leaves
	}
	visit(root)
	return best, math.Max(0, least)
}

func cloneTree(n *Node) *Node {
	c := *n
	c.Children = nil
	for _, ch := range n.Children {
		c.Children = append(c.Children, cloneTree(ch))
	}
	return &c
}
