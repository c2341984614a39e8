package tree

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// RegressionTree predicts a real value with a tree of splits on single features; each leaf predicts
// the mean target of its examples.
//
// It minimizes the sum of squared errors greedily: at each node, Fit chooses the split with the
// largest decrease of the variance,
//
//	Gain = Var(Y) − Σₐ wₐ/w · Var(Y | answer a)
//
// and the steps are the same as in [DecisionTree]. The prediction is a step function; it does not
// extrapolate.
//
// Cost: O(n·d) to sort by radix, then O(n·d) per level; O(n·d) memory.
//
// References: [Breiman1984].
// Course: TREE-21.
type RegressionTree struct {
	model.Control

	// MaxDepth is the maximum depth of the tree; 0 means no limit. A lower value
	// reduces overfitting.
	MaxDepth int
	// MaxLeaves is the maximum number of leaves; 0 means no limit. With a limit, the tree grows
	// best first: it splits the leaf whose gain times weight is largest. A lower value reduces
	// overfitting.
	MaxLeaves int
	// MinSplit is the minimum weight of a node that may be split; 0 means 2. A
	// larger value makes the tree smaller.
	MinSplit float64
	// MinLeaf is the minimum weight of a leaf; 0 means 1, or any positive weight if the examples
	// have weights. A larger value makes the tree smaller and its predictions smoother.
	MinLeaf float64
	// MinGain is the minimum decrease of the variance by a split, measured on the examples of its
	// own node, as in [DecisionTree]; the default is 0. With a larger value, growth stops earlier.
	MinGain float64
	// Alpha is the complexity parameter of cost-complexity pruning after growing, where R is the
	// variance; 0 means no pruning. A larger value prunes more nodes.
	Alpha float64
	// Nominal determines how nominal features are split. The default is Multiway.
	Nominal NominalSplit
	// Missing is the policy for missing values. The default is RefuseMissing.
	// MostCommonInClass is an error, because there are no classes.
	Missing Missing
	// FeaturesPerSplit is the number of features drawn at random for each split; 0 means all. A
	// smaller value makes the trees of a forest less similar.
	FeaturesPerSplit int
	// RandomThresholds draws one threshold of each numeric feature uniformly between its minimum
	// and maximum at the node, instead of searching for the best threshold; the best feature is
	// then taken. With BetterSide, columns with missing values are still searched for the best
	// threshold.
	RandomThresholds bool `snapshot:"added"`
	// Seed is the random seed for FeaturesPerSplit and RandomThresholds.
	Seed uint64

	// Root is the fitted tree.
	Root *Node
	// Importances holds each feature's fraction of the total decrease of variance; each node counts
	// with its weight. The fractions sum to 1 (or are all 0).
	Importances []float64

	columns []model.Column
	flat    flatTree

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.WeightedRegressor = (*RegressionTree)(nil)

// Fit grows the tree on the rows of x and their targets y.
func (t *RegressionTree) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&t.Fitted, x, y)
	return t.fit("RegressionTree.Fit", x, y, nil)
}

// FitWeighted grows the tree on weighted examples; an example of weight 0 is
// ignored.
func (t *RegressionTree) FitWeighted(x mat.Matrix, y, weights []float64) error {
	model.NoteXYReal(&t.Fitted, x, y)
	return t.fit("RegressionTree.FitWeighted", x, y, weights)
}

// Takes reports that nominal columns are accepted. Missing values are also accepted unless Missing
// is RefuseMissing.
func (t *RegressionTree) Takes() model.Takes {
	return model.Takes{Missing: t.Missing != RefuseMissing, Nominal: true}
}

func (t *RegressionTree) fit(op string, x mat.Matrix, y, weights []float64) error {
	t.reset()
	if err := t.check(op); err != nil {
		return err
	}
	s, err := sortColumns(op, x, t.Missing != RefuseMissing)
	if err != nil {
		if t.Missing == RefuseMissing {
			return explainMissing(err, x)
		}
		return err
	}
	run := t.Begin("RegressionTree", 0)
	defer run.End()
	return t.fitSorted(op, s, y, weights, run)
}

// FitSorted grows the tree on columns that are already sorted; ensembles use it. It reports no
// steps. The argument weights may be nil.
func (t *RegressionTree) FitSorted(s *SortedColumns, y, weights []float64) error {
	t.reset()
	const op = "RegressionTree.FitSorted"
	if err := t.check(op); err != nil {
		return err
	}
	if slices.Contains(s.missing, true) && t.Missing == RefuseMissing {
		return model.Errorf(op, "x must not have missing values").WithHint("set Missing to BetterSide, FractionalExamples or MostCommonValue")
	}
	return t.fitSorted(op, s, y, weights, nil)
}

func (t *RegressionTree) reset() {
	t.Root, t.Importances, t.columns, t.flat = nil, nil, nil, flatTree{}
}

func (t *RegressionTree) check(op string) error {
	switch {
	case t.Nominal < Multiway || t.Nominal > OneLevel:
		return model.Errorf(op, "Nominal must be one of the constants of ml.NominalSplit, got %d", t.Nominal)
	case t.Missing < RefuseMissing || t.Missing > BetterSide:
		return model.Errorf(op, "Missing must be one of the constants of ml.Missing, got %d", t.Missing)
	case t.Missing == MostCommonInClass:
		return model.Errorf(op, "Missing must not use the classes for a regression tree").
			WithHint("set Missing to MostCommonValue or FractionalExamples")
	case t.MaxLeaves == 1:
		return model.Errorf(op, "MaxLeaves must be 0 (no limit) or at least 2, got 1")
	}
	return limits.Check(op,
		limits.NotNegative("MaxDepth", t.MaxDepth),
		limits.NotNegative("MaxLeaves", t.MaxLeaves),
		limits.NotNegative("FeaturesPerSplit", t.FeaturesPerSplit),
		limits.NotNegative("MinSplit", t.MinSplit),
		limits.NotNegative("MinLeaf", t.MinLeaf),
		limits.NotNegative("MinGain", t.MinGain),
		limits.NotNegative("Alpha", t.Alpha))
}

func (t *RegressionTree) fitSorted(op string, s *SortedColumns, y, weights []float64, run *model.Run) error {
	if err := checkTarget(op, s.rows, y); err != nil {
		return err
	}
	if weights != nil {
		if err := model.CheckWeights(op, weights, s.rows); err != nil {
			return err
		}
	}
	target := &realTarget{y: y, weights: weights}
	if t.Missing == FractionalExamples && slices.Contains(s.missing, true) {
		// Both grow when examples are divided.
		target.y = slices.Clone(y)
		target.weights = slices.Clone(weights)
		if weights == nil {
			target.weights = make([]float64, len(y))
			for i := range target.weights {
				target.weights[i] = 1
			}
		}
	}
	p := growth{
		maxDepth: t.MaxDepth, maxLeaves: t.MaxLeaves, minSplit: t.MinSplit, minLeaf: t.MinLeaf,
		minGain: t.MinGain, features: t.FeaturesPerSplit, seed: t.Seed, random: t.RandomThresholds, nominal: t.Nominal, missing: t.Missing,
	}
	if p.minSplit == 0 && weights == nil {
		p.minSplit = 2
	}
	if p.minLeaf == 0 && weights == nil && t.Missing != FractionalExamples {
		p.minLeaf = 1
	}
	g, root := newGrower(s, target, p, weights)
	if squares := root.stat[2]; math.IsInf(squares, 1) || math.IsNaN(squares) {
		return model.Errorf(op, "the variance of y must be finite").WithHint("scale the targets first")
	}
	node, err := g.grow(root, run)
	if err != nil {
		return err
	}
	t.Root, t.columns = node, s.columns
	if t.Alpha > 0 {
		pruneCostComplexity(t.Root, t.Alpha)
	}
	t.settle()
	return nil
}

func checkTarget(op string, rows int, y []float64) error {
	if err := model.CheckLength(op, rows, len(y)); err != nil {
		return err
	}
	_, err := model.CheckXYReal(op, mat.NewDense(rows, 1, nil), y)
	return err
}

// Decreases returns the total decrease of squared error by the splits on each feature. Importances
// holds these decreases as fractions of their sum.
//
// Course: ENS-08.
func (t *RegressionTree) Decreases() []float64 {
	if t.Root == nil {
		panic(model.NotFitted("RegressionTree.Decreases"))
	}
	return decreases(t.Root, len(t.columns))
}

func (t *RegressionTree) settle() {
	t.Importances = importances(t.Root, len(t.columns))
	t.flat = flatten(t.Root)
}

// Predict returns the mean target of the leaf that each row reaches.
func (t *RegressionTree) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("RegressionTree.Predict", &t.Fitted, x)
	if t.Root == nil {
		panic(model.NotFitted("RegressionTree.Predict"))
	}
	d := mustRows("RegressionTree.Predict", x, len(t.columns), t.Missing)
	n, width := d.Dims()
	y := make([]float64, n)
	par.Range(n, predictGrain, func(lo, hi int) {
		nodes := make([]*Node, hi-lo)
		rows := d.RawMatrix().Data[lo*width : hi*width]
		complete := t.Missing == RefuseMissing || !finite.HasNaN(rows) // checked by mustRows
		t.flat.nodesOf(nodes, rows, width, complete)
		for i, end := range nodes {
			if row := rows[i*width : (i+1)*width]; !complete && t.Missing == FractionalExamples && hasNaN(row) {
				t.Root.spread(row, 1, func(n *Node, fraction float64) { y[lo+i] += fraction * n.Value })
				continue
			}
			y[lo+i] = end.Value
		}
	})
	return y
}

// Node returns the node where the path of a row ends: a leaf, or a split without a branch for the
// row's value. If you change the node's Value, the tree's predictions change; gradient boosting
// uses this.
func (t *RegressionTree) Node(row []float64) *Node {
	if t.Root == nil {
		panic(model.NotFitted("RegressionTree.Node"))
	}
	if len(row) != len(t.columns) {
		panic(model.Errorf("RegressionTree.Node", "the row must have %d values, as in Fit, got %d", len(t.columns), len(row)))
	}
	return t.flat.follow(row)
}

// Nodes writes the results of [RegressionTree.Node] for len(dst) rows to dst; for many rows, it is
// faster than Node. The slice rows holds the rows one after the other. Pass complete = true only if
// no value is NaN.
func (t *RegressionTree) Nodes(dst []*Node, rows []float64, complete bool) {
	mustNodes("RegressionTree.Nodes", t.Root, dst, rows, len(t.columns))
	t.flat.nodesOf(dst, rows, len(t.columns), complete)
}

// Depth returns the depth of the tree: the maximum number of splits on a path from
// the root to a leaf.
func (t *RegressionTree) Depth() int {
	if t.Root == nil {
		panic(model.NotFitted("RegressionTree.Depth"))
	}
	return t.Root.Height()
}

// Leaves returns the number of leaves.
func (t *RegressionTree) Leaves() int {
	if t.Root == nil {
		panic(model.NotFitted("RegressionTree.Leaves"))
	}
	return t.Root.CountLeaves()
}

// PruneCostComplexity prunes the tree as [DecisionTree.PruneCostComplexity] does, but R is the mean
// squared error on the training examples.
func (t *RegressionTree) PruneCostComplexity(alpha float64) {
	if t.Root == nil {
		panic(model.NotFitted("RegressionTree.PruneCostComplexity"))
	}
	pruneCostComplexity(t.Root, alpha)
	t.settle()
}

// PruningPath returns the sequence of trees in cost-complexity pruning, from the whole tree down to
// the tree with only the root. It does not change the tree.
func (t *RegressionTree) PruningPath() []PruneStep {
	if t.Root == nil {
		panic(model.NotFitted("RegressionTree.PruningPath"))
	}
	return pruningPath(t.Root)
}

// String returns the tree drawn with text characters.
func (t *RegressionTree) String() string {
	if t.Root == nil {
		return "RegressionTree (not fitted)"
	}
	var b strings.Builder
	t.Root.text(&b, "", func(n *Node) string {
		return strconv.FormatFloat(n.Value, 'g', 5, 64) + " (" + strconv.FormatFloat(n.Weight, 'g', 4, 64) + " examples)"
	})
	return b.String()
}
