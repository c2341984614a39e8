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
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// DecisionTree classifies rows with a tree of splits on single features. Fit grows the tree
// greedily from the root.
//
// At each node, Fit chooses the split with the largest decrease of the impurity I of the classes,
//
//	Gain = I(Y) − Σₐ wₐ/w · I(Y | answer a)
//
// where I is the entropy in bits, the Gini impurity or the fraction of errors.
//
//  1. If the node is pure, too small or too deep, make it a leaf that predicts from
//     the class weights of its examples.
//  2. Otherwise find the best split of every feature. The threshold of a numeric
//     feature lies halfway between two neighboring values.
//  3. Take the best of these splits (ties go to the first), partition the examples
//     by it, and repeat for each child.
//
// Without limits, the training error is the minimum that any classifier can have: only examples
// with equal features and different classes are misclassified. Such a tree overfits. MaxDepth and
// the other limits are hyperparameters; choose them on held-out data. Greedy search misses two
// features that are informative only together, as in an exclusive or (XOR). For XOR, all gains at
// the root are 0, so the first split is arbitrary (see Lookahead), although a tree of depth 2 has
// no errors. Scaling a feature changes only the thresholds.
//
// Nominal columns of a [model.Table] are split by level, all other columns by
// threshold.
//
// Cost: O(n·d) to sort by radix, then O(n·d) per level; O(n·d) memory. A prediction costs one
// comparison per level.
//
// References: [Quinlan1986], [Quinlan1993], [Breiman1984].
// Course: TREE-01, TREE-02, TREE-04, TREE-05, TREE-06, TREE-07, TREE-17, TREE-19.
type DecisionTree struct {
	model.Control

	// Criterion is the measure that chooses the splits. The default is
	// InformationGain.
	Criterion Criterion
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
	// MinGain is the minimum gain of a split, measured on the examples of its own node. With a
	// larger value, growth stops earlier. The default 0 also allows splits without any gain, which
	// are necessary for XOR. (scikit-learn's min_impurity_decrease is weighted by the node's
	// fraction of all examples, as Alpha is; at the root, both are equal.)
	MinGain float64
	// Significance is the level of a χ² test, such as 0.05: a node is not split when the classes of
	// its children do not differ significantly. With a smaller value, growth stops earlier; 0 means
	// no test.
	Significance float64
	// Alpha is the complexity parameter of cost-complexity pruning after growing; 0 means no
	// pruning. A larger value prunes more nodes. See [DecisionTree.PruneCostComplexity].
	Alpha float64
	// Nominal determines how nominal features are split. The default is Multiway.
	Nominal NominalSplit
	// Missing is the policy for missing values. The default is RefuseMissing.
	Missing Missing
	// Lookahead is the number of further levels that are searched when a split is
	// chosen. The default is 0. A larger value finds splits that are useful only
	// together, but costs O((c·d)^Lookahead) for c thresholds per feature.
	Lookahead int
	// Smoothing is added to every class weight of a leaf before the probabilities are computed from
	// the weights; 1 is Laplace's rule. The default is 0. A larger value pulls the probabilities
	// toward the uniform distribution.
	Smoothing float64
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
	// Gains is the table of the splits at the root, sorted by the Criterion, with the best split
	// first.
	Gains []FeatureGain
	// Importances holds each feature's fraction of the total decrease of impurity; each node counts
	// with its weight. The fractions sum to 1 (or are all 0).
	Importances []float64

	classes []int
	columns []model.Column
	target  model.Column
	flat    flatTree

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.ProbClassifier     = (*DecisionTree)(nil)
	_ model.WeightedClassifier = (*DecisionTree)(nil)
)

// Fit grows the tree on the rows of x and their classes y.
func (t *DecisionTree) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&t.Fitted, x, y)
	return t.fit("DecisionTree.Fit", x, y, nil)
}

// FitWeighted grows the tree on weighted examples; an example of weight 0 is
// ignored.
func (t *DecisionTree) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&t.Fitted, x, y)
	return t.fit("DecisionTree.FitWeighted", x, y, weights)
}

// Takes reports that nominal columns are accepted. Missing values are also accepted unless Missing
// is RefuseMissing.
func (t *DecisionTree) Takes() model.Takes {
	return model.Takes{Missing: t.Missing != RefuseMissing, Nominal: true}
}

func (t *DecisionTree) fit(op string, x mat.Matrix, y []int, weights []float64) error {
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
	run := t.Begin("DecisionTree", 0)
	defer run.End()
	if err := t.fitSorted(op, s, y, weights, run); err != nil {
		return err
	}
	t.Gains = t.rootGains(s, y, weights)
	return nil
}

// explainMissing adds a hint about the policies to an error about a missing value.
func explainMissing(err error, x mat.Matrix) error {
	e, ok := err.(*model.Error)
	if ok && strings.HasPrefix(e.What, "x[") && strings.HasSuffix(e.What, "got NaN") {
		return model.Errorf(e.Op, "%s", e.What).
			WithHint("set Missing to BetterSide, FractionalExamples or MostCommonValue, or fill missing values first")
	}
	return err
}

// FitSorted grows the tree on columns that are already sorted; ensembles use it. It reports no
// steps and leaves Gains empty. The argument weights may be nil.
func (t *DecisionTree) FitSorted(s *SortedColumns, y []int, weights []float64) error {
	t.reset()
	const op = "DecisionTree.FitSorted"
	if err := t.check(op); err != nil {
		return err
	}
	if slices.Contains(s.missing, true) && t.Missing == RefuseMissing {
		return model.Errorf(op, "x must not have missing values").WithHint("set Missing to BetterSide, FractionalExamples or MostCommonValue")
	}
	return t.fitSorted(op, s, y, weights, nil)
}

func (t *DecisionTree) reset() {
	t.Root, t.Gains, t.Importances = nil, nil, nil
	t.classes, t.columns, t.target, t.flat = nil, nil, model.Column{}, flatTree{}
}

func (t *DecisionTree) check(op string) error {
	switch {
	case t.Criterion < InformationGain || t.Criterion > TrainingAccuracy:
		return model.Errorf(op, "Criterion must be one of the constants of ml.Criterion, got %d", t.Criterion)
	case t.Nominal < Multiway || t.Nominal > OneLevel:
		return model.Errorf(op, "Nominal must be one of the constants of ml.NominalSplit, got %d", t.Nominal)
	case t.Missing < RefuseMissing || t.Missing > BetterSide:
		return model.Errorf(op, "Missing must be one of the constants of ml.Missing, got %d", t.Missing)
	case t.MaxLeaves == 1:
		return model.Errorf(op, "MaxLeaves must be 0 (no limit) or at least 2, got 1")
	case !(t.Significance >= 0 && t.Significance < 1):
		return model.Errorf(op, "Significance must be at least 0 and below 1, got %v", t.Significance).WithHint("use a level such as 0.05, or 0 for no test")
	case t.Lookahead > 0 && t.Criterion == GainRatio:
		return model.Errorf(op, "Criterion must not be GainRatio if Lookahead is set").WithHint("use InformationGain or Gini")
	}
	return limits.Check(op,
		limits.NotNegative("MaxDepth", t.MaxDepth),
		limits.NotNegative("MaxLeaves", t.MaxLeaves),
		limits.NotNegative("FeaturesPerSplit", t.FeaturesPerSplit),
		limits.NotNegative("Lookahead", t.Lookahead),
		limits.NotNegative("MinSplit", t.MinSplit),
		limits.NotNegative("MinLeaf", t.MinLeaf),
		limits.NotNegative("MinGain", t.MinGain),
		limits.NotNegative("Alpha", t.Alpha),
		limits.Penalty("Smoothing", t.Smoothing))
}

func (t *DecisionTree) fitSorted(op string, s *SortedColumns, y []int, weights []float64, run *model.Run) error {
	if err := model.CheckLength(op, s.rows, len(y)); err != nil {
		return err
	}
	if weights != nil {
		if err := model.CheckWeights(op, weights, s.rows); err != nil {
			return err
		}
	}
	kept := y
	if slices.Contains(weights, 0) {
		kept = make([]int, 0, len(y))
		for i, c := range y {
			if weights[i] > 0 {
				kept = append(kept, c)
			}
		}
	}
	classes, _ := model.Classes(kept)
	class := make([]int32, len(y))
	last := -1 // the class of the previous example, which this one often has too
	for i, c := range y {
		if last < 0 || classes[last] != c {
			k, _ := slices.BinarySearch(classes, c)
			last = min(k, len(classes)-1) // k is beyond it only for weight 0
		}
		class[i] = int32(last)
	}
	divides := t.Missing == FractionalExamples && slices.Contains(s.missing, true)
	target := newClassTarget(t.Criterion, len(classes), class, weights, divides)
	p := t.growth(weights != nil)
	if t.Missing == MostCommonInClass {
		p.fillKey = func(id int32) int { return int(target.class[id]) }
	}
	g, root := newGrower(s, target, p, weights)
	node, err := g.grow(root, run)
	if err != nil {
		return err
	}
	t.Root, t.classes, t.columns, t.target = node, classes, s.columns, s.target
	if t.Alpha > 0 {
		pruneCostComplexity(t.Root, t.Alpha)
	}
	t.settle()
	return nil
}

func (t *DecisionTree) rootGains(s *SortedColumns, y []int, weights []float64) []FeatureGain {
	class := make([]int32, len(y))
	for i, c := range y {
		k, _ := slices.BinarySearch(t.classes, c)
		class[i] = int32(min(k, len(t.classes)-1))
	}
	var keep func(int32) bool
	if weights != nil {
		keep = func(i int32) bool { return weights[i] > 0 }
	}
	return rootGains(s, len(t.classes), class, weights, t.Criterion, t.Nominal, keep)
}

func (t *DecisionTree) growth(weighted bool) growth {
	p := growth{
		maxDepth: t.MaxDepth, maxLeaves: t.MaxLeaves, minSplit: t.MinSplit, minLeaf: t.MinLeaf,
		minGain: t.MinGain, features: t.FeaturesPerSplit, seed: t.Seed, random: t.RandomThresholds, ratio: t.Criterion == GainRatio,
		nominal: t.Nominal, missing: t.Missing, lookahead: t.Lookahead,
	}
	if p.minSplit == 0 && !weighted {
		p.minSplit = 2
	}
	if p.minLeaf == 0 && !weighted && t.Missing != FractionalExamples {
		p.minLeaf = 1
	}
	if t.Significance > 0 {
		p.accept = func(stats [][]float64) bool {
			_, p := ChiSquareSplit(stats)
			return p <= t.Significance
		}
	}
	return p
}

// settle recomputes everything that depends on the shape of the tree.
func (t *DecisionTree) settle() {
	t.Importances = importances(t.Root, len(t.columns))
	t.flat = flatten(t.Root)
}

// importances adds up the weighted gains by feature.
func importances(root *Node, features int) []float64 {
	imp := decreases(root, features)
	if total := sum(imp); total > 0 {
		for j := range imp {
			imp[j] /= total
		}
	}
	return imp
}

// decreases adds up for each feature the decrease of impurity by its splits, times
// the weight of the examples at the node.
func decreases(root *Node, features int) []float64 {
	d := make([]float64, features)
	root.Walk(func(n *Node) {
		if !n.Leaf() {
			d[n.Feature] += n.Weight * n.Gain
		}
	})
	return d
}

// ChiSquareSplit returns the χ² statistic for independence of branches (rows) and
// classes (columns), and the p-value p,
//
//	χ² = Σ (O − E)² / E,   E = row sum · column sum / total
//
// with (rows−1)(columns−1) degrees of freedom; rows and columns with zero weight do not count. With
// few examples, p is only approximate.
//
// References: [Quinlan1986]. Course: TREE-08.
func ChiSquareSplit(counts [][]float64) (chi2, p float64) {
	var rows []float64
	var cols []float64
	total := 0.0
	for _, r := range counts {
		rows = append(rows, sum(r))
		for len(cols) < len(r) {
			cols = append(cols, 0)
		}
		for k, v := range r {
			cols[k] += v
			total += v
		}
	}
	positive := func(v []float64) int {
		n := 0
		for _, x := range v {
			if x > 0 {
				n++
			}
		}
		return n
	}
	df := float64((positive(rows) - 1) * (positive(cols) - 1))
	if df <= 0 {
		return 0, 1
	}
	for i, r := range counts {
		for k, o := range r {
			if e := rows[i] * cols[k] / total; e > 0 {
				chi2 += (o - e) * (o - e) / e
			}
		}
	}
	return chi2, tails.ChiSquared(chi2, df)
}

// Classes returns the classes in ascending order.
func (t *DecisionTree) Classes() []int { return slices.Clone(t.classes) }

func (t *DecisionTree) mustRows(op string, x mat.Matrix) *mat.Dense {
	if t.Root == nil {
		panic(model.NotFitted(op))
	}
	return mustRows(op, x, len(t.columns), t.Missing)
}

// mustRows panics on rows of another width, on Inf, and on missing values if the tree refuses them.
func mustRows(op string, x mat.Matrix, width int, missing Missing) *mat.Dense {
	d := model.MustWidth(op, x, width)
	if missing != RefuseMissing {
		return model.Takes{Missing: true}.MustRows(op, x, width)
	}
	if i := finite.First(d.RawMatrix().Data); i >= 0 {
		v := d.RawMatrix().Data[i]
		err := model.Errorf(op, "x[%d][%d] must be a finite number, got %v", i/width, i%width, v)
		if math.IsNaN(v) {
			err = err.WithHint("fit with Missing set to FractionalExamples or MostCommonValue, or fill missing values first")
		}
		panic(err)
	}
	return d
}

// predictGrain is the number of rows that one goroutine predicts at a time.
const predictGrain = 2048

// Predict returns the most probable class of each row; ties go to the smallest class label.
func (t *DecisionTree) Predict(x mat.Matrix) []int {
	x = model.MustRead("DecisionTree.Predict", &t.Fitted, x)
	d := t.mustRows("DecisionTree.Predict", x)
	n, width := d.Dims()
	y := make([]int, n)
	par.Range(n, predictGrain, func(lo, hi int) {
		nodes, p := make([]*Node, hi-lo), make([]float64, len(t.classes))
		rows := d.RawMatrix().Data[lo*width : hi*width]
		complete := t.Missing == RefuseMissing || !finite.HasNaN(rows) // checked by mustRows
		t.flat.nodesOf(nodes, rows, width, complete)
		for i, end := range nodes {
			if row := rows[i*width : (i+1)*width]; !complete && t.Missing == FractionalExamples && hasNaN(row) {
				t.proba(row, p)
				y[lo+i] = t.classes[argmax(p)]
				continue
			}
			y[lo+i] = t.classes[end.Class]
		}
	})
	return y
}

// PredictProba returns, for each row, the fraction of each class among the training examples in the
// row's leaf, smoothed by Smoothing.
//
// Course: TREE-14.
func (t *DecisionTree) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("DecisionTree.PredictProba", &t.Fitted, x)
	d := t.mustRows("DecisionTree.PredictProba", x)
	n, _ := d.Dims()
	p := mat.NewDense(n, len(t.classes), nil)
	par.Range(n, predictGrain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t.proba(d.RawRowView(i), p.RawRowView(i))
		}
	})
	return p
}

func (t *DecisionTree) proba(row, p []float64) {
	if t.Missing == FractionalExamples && hasNaN(row) {
		clear(p)
		t.Root.spread(row, 1, func(n *Node, fraction float64) {
			total := n.Weight + t.Smoothing*float64(len(p))
			for k, c := range n.Counts {
				p[k] += fraction * (c + t.Smoothing) / total
			}
		})
		return
	}
	n := t.flat.follow(row)
	total := n.Weight + t.Smoothing*float64(len(p))
	for k, c := range n.Counts {
		p[k] = (c + t.Smoothing) / total
	}
}

func hasNaN(row []float64) bool {
	for _, v := range row {
		if v != v {
			return true
		}
	}
	return false
}

func argmax(v []float64) int {
	best := 0
	for k, x := range v {
		if x > v[best]+slack {
			best = k
		}
	}
	return best
}

// Node returns the node at which the path of a row ends: a leaf, or a split without a branch for
// the row's value.
func (t *DecisionTree) Node(row []float64) *Node {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.Node"))
	}
	if len(row) != len(t.columns) {
		panic(model.Errorf("DecisionTree.Node", "the row must have %d values, as in Fit, got %d", len(t.columns), len(row)))
	}
	return t.Root.follow(row)
}

// AddShares adds class fractions to dst, which has len(t.Classes()) values per row. For each row,
// it adds scale times the fraction of each class among the training examples of the node at which
// the row's path ends. The arguments rows and complete are as in [DecisionTree.Nodes].
func (t *DecisionTree) AddShares(dst, rows []float64, scale float64, complete bool) {
	const op = "DecisionTree.AddShares"
	if t.Root == nil {
		panic(model.NotFitted(op))
	}
	width, k := len(t.columns), len(t.classes)
	n := len(dst) / k
	if n*k != len(dst) || n*width != len(rows) {
		panic(model.Errorf(op, "dst and rows must have the same number of rows, got %d entries for %d classes and %d values for %d columns", len(dst), k, len(rows), width))
	}
	if t.flat.shares == nil { // a tree that was saved before shares existed
		t.flat.eachEnd(n, rows, width, complete, func(r int, end int32) {
			node := t.flat.full[end]
			for c, count := range node.Counts {
				dst[r*k+c] += scale * (count / node.Weight)
			}
		})
		return
	}
	shares := t.flat.shares
	t.flat.eachEnd(n, rows, width, complete, func(r int, end int32) {
		for c, share := range shares[int(end)*k : int(end)*k+k] {
			dst[r*k+c] += scale * share
		}
	})
}

// Nodes writes the results of [DecisionTree.Node] for len(dst) rows to dst; for many rows, it is
// faster than Node. The slice rows holds the rows one after the other. Pass complete = true only if
// no value is NaN.
func (t *DecisionTree) Nodes(dst []*Node, rows []float64, complete bool) {
	mustNodes("DecisionTree.Nodes", t.Root, dst, rows, len(t.columns))
	t.flat.nodesOf(dst, rows, len(t.columns), complete)
}

// Depth returns the depth of the tree: the maximum number of splits on a path from
// the root to a leaf.
//
// Course: TREE-18, TREE-19.
func (t *DecisionTree) Depth() int {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.Depth"))
	}
	return t.Root.Height()
}

// MeanDepth returns the mean depth of the training examples' leaves, which is the average cost of a
// prediction.
//
// Course: TREE-19.
func (t *DecisionTree) MeanDepth() float64 {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.MeanDepth"))
	}
	asked := 0.0
	t.Root.Walk(func(n *Node) {
		if n.Leaf() {
			asked += n.Weight * float64(n.Depth)
		}
	})
	return asked / t.Root.Weight
}

// Leaves returns the number of leaves.
func (t *DecisionTree) Leaves() int {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.Leaves"))
	}
	return t.Root.CountLeaves()
}

// ClassName returns the name of the class at position k of Classes, or its number if the tree was
// fitted without names.
func (t *DecisionTree) ClassName(k int) string {
	c := t.classes[k]
	if c >= 0 && c < len(t.target.Levels) {
		return t.target.Levels[c]
	}
	return strconv.Itoa(c)
}

// String returns the tree drawn with text characters.
func (t *DecisionTree) String() string {
	if t.Root == nil {
		return "DecisionTree (not fitted)"
	}
	var b strings.Builder
	t.Root.text(&b, "", func(n *Node) string {
		parts := make([]string, 0, len(n.Counts))
		for k, c := range n.Counts {
			if c > 0 {
				parts = append(parts, t.ClassName(k)+" "+strconv.FormatFloat(c, 'g', 4, 64))
			}
		}
		return t.ClassName(n.Class) + " (" + strings.Join(parts, ", ") + ")"
	})
	return b.String()
}
