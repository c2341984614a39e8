package score

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// tree writes a tree with the value of each node where a path can end.
func (w *writer) tree(n *tree.Node, in []feature, value func(n *tree.Node) *lazy.Column) *lazy.Column {
	if n.Leaf() {
		return value(n)
	}
	w.count(1)
	f := &in[n.Feature]
	children := make([]*lazy.Column, len(n.Children))
	for k, c := range n.Children {
		children[k] = w.tree(c, in, value)
	}
	if n.Numeric {
		return split(f, n.Threshold, n.Default == 0, children[0], children[1])
	}
	all := 0
	var args []*lazy.Column
	for k, codes := range n.Levels {
		mask := f.among(codes)
		if k == n.Default && len(f.missing) > 0 {
			mask = mask.Or(isMissing(f))
		}
		args = append(args, mask, children[k])
		all += len(codes)
	}
	if f.text != nil && all == len(f.levels) {
		return lazy.Case(append(args[:len(args)-2], args[len(args)-1])...)
	}
	return lazy.Case(append(args, value(n))...) // for a level that did not occur at the node
}

func isMissing(f *feature) *lazy.Column {
	if f.text != nil {
		return f.text.IsNA()
	}
	return f.number.IsNA()
}

// split writes a split of a number: values up to the threshold and, if missingLeft is set, missing
// values go left.
func split(f *feature, threshold float64, missingLeft bool, left, right *lazy.Column) *lazy.Column {
	if f.hot != nil && threshold >= 0 && threshold < 1 {
		if missingLeft {
			return lazy.Case(f.hot.level, right, left)
		}
		return lazy.Case(f.hot.level.Not(), left, right)
	}
	if missingLeft {
		return lazy.Case(f.value().Greater(threshold), right, left)
	}
	return lazy.Case(f.value().LessEqual(threshold), left, right)
}

// checkTree refuses trees that divide rows with missing values.
func (w *writer) checkTree(m any, root *tree.Node, missing tree.Missing) {
	w.mustFit(m, root != nil)
	if missing == tree.FractionalExamples {
		w.fail("use another policy, such as ml.MostCommonValue", "Missing must not be FractionalExamples, which divides a row among several leaves")
	}
}

// decisionTree is the outcome of a classification tree.
func (w *writer) decisionTree(root *tree.Node, classes []int, smoothing float64, in []feature) *outcome {
	return &outcome{
		classes: classes,
		choose: func(values []*lazy.Column) *lazy.Column {
			return w.tree(root, in, func(n *tree.Node) *lazy.Column { return values[n.Class] })
		},
		proba: func(k int) *lazy.Column {
			return w.tree(root, in, func(n *tree.Node) *lazy.Column {
				return float((n.Counts[k] + smoothing) / (n.Weight + smoothing*float64(len(classes))))
			})
		},
	}
}

// forest is the outcome of the mean of the class fractions of trees.
func (w *writer) forest(members []*tree.DecisionTree, classes []int, in []feature) *outcome {
	scale := 1 / float64(len(members))
	share := func(t *tree.DecisionTree, n *tree.Node, class int) float64 {
		j := slices.Index(t.Classes(), class)
		if j < 0 {
			return 0
		}
		return n.Counts[j] / n.Weight
	}
	sum := func(of func(t *tree.DecisionTree, n *tree.Node) float64) *lazy.Column {
		terms := make([]*lazy.Column, len(members))
		for m, t := range members {
			terms[m] = w.tree(t.Root, in, func(n *tree.Node) *lazy.Column { return float(of(t, n)) })
		}
		return lazy.Sum(terms...)
	}
	proba := func(k int) *lazy.Column {
		return sum(func(t *tree.DecisionTree, n *tree.Node) float64 { return scale * share(t, n, classes[k]) })
	}
	out := &outcome{classes: classes, proba: proba}
	out.choose = func(values []*lazy.Column) *lazy.Column {
		if len(classes) == 2 {
			lead := sum(func(t *tree.DecisionTree, n *tree.Node) float64 {
				return scale*share(t, n, classes[1]) - scale*share(t, n, classes[0])
			})
			return lazy.Case(lead.Greater(tie), values[1], values[0])
		}
		scores := make([]*lazy.Column, len(classes))
		for k := range scores {
			scores[k] = proba(k)
		}
		return largest(scores, tie, values)
	}
	return out
}

// tie is the difference up to which probabilities are equal: see package ensemble.
const tie = 1e-12

// treeSum returns start plus the values of trees times scale.
func (w *writer) treeSum(start *lazy.Column, members []*tree.RegressionTree, scale func(v float64) float64, in []feature) *lazy.Column {
	var terms []*lazy.Column
	if start != nil {
		terms = append(terms, start)
	}
	for _, t := range members {
		terms = append(terms, w.tree(t.Root, in, func(n *tree.Node) *lazy.Column { return float(scale(n.Value)) }))
	}
	return lazy.Sum(terms...)
}

// boosted is the outcome of one sum per class, or one for two classes.
func boosted(classes []int, sums []*lazy.Column) *outcome {
	if len(sums) == 1 {
		// The probabilities of the classes differ by tanh(s/2), which is s/2 near 0.
		return bySign(classes, sums[0], 2*tie, 1)
	}
	return byScores(classes, sums, tie, true)
}

func (w *writer) gradientBoosting(g *ensemble.GradientBoosting, in []feature) *outcome {
	w.mustFit(g, g.Members != nil)
	rate := model.Or(g.Rate, 0.1)
	sums := make([]*lazy.Column, len(g.Members))
	for s := range sums {
		sums[s] = w.treeSum(float(g.Start[s]), g.Members[s], func(v float64) float64 { return rate * v }, in)
	}
	return boosted(g.Classes(), sums)
}

// histSum returns start plus the values of trees of histograms.
func (w *writer) histSum(m any, start float64, members []*ensemble.HistTree, in []feature) *lazy.Column {
	seen := raw.SeenLevels(m)
	terms := []*lazy.Column{float(start)}
	for _, t := range members {
		terms = append(terms, w.histTree(t, 0, seen, in))
	}
	return lazy.Sum(terms...)
}

func (w *writer) histTree(t *ensemble.HistTree, at int, seen []*[4]uint64, in []feature) *lazy.Column {
	n := &t.Nodes[at]
	if n.Column < 0 {
		return float(n.Value)
	}
	w.count(1)
	f := &in[n.Column]
	left, right := w.histTree(t, n.Left, seen, in), w.histTree(t, n.Right, seen, in)
	if n.Set < 0 {
		return split(f, n.Threshold, n.MissingLeft, left, right)
	}
	has := func(s *[4]uint64, l int) bool { return s[l>>6]>>(l&63)&1 == 1 }
	var codes []int // the levels that do not go where missing values go
	for l := range min(256, max(len(f.levels), 2)) {
		if has(seen[n.Column], l) && has(&t.Sets[n.Set], l) != n.MissingLeft {
			codes = append(codes, l)
		}
	}
	other, rest := left, right
	if n.MissingLeft {
		other, rest = right, left
	}
	if len(codes) == 0 {
		return rest
	}
	return lazy.Case(f.among(codes), other, rest)
}

// votes returns, for each class, the sum of the weights of the members that predict it.
func (w *writer) votes(members []*outcome, weights []float64, classes []int) []*lazy.Column {
	scores := make([]*lazy.Column, len(classes))
	for k, class := range classes {
		terms := make([]*lazy.Column, len(members))
		for m, o := range members {
			values := make([]*lazy.Column, len(o.classes))
			for j, c := range o.classes {
				values[j] = float(0)
				if c == class {
					values[j] = float(weights[m])
				}
			}
			terms[m] = o.choose(values)
		}
		scores[k] = lazy.Sum(terms...)
	}
	return scores
}

func (w *writer) adaBoost(a *ensemble.AdaBoost, in []feature) *outcome {
	members := w.members(a, a.Members, in)
	classes := a.Classes()
	terms := make([]*lazy.Column, len(members))
	for m, o := range members {
		values := make([]*lazy.Column, len(o.classes))
		for j, c := range o.classes {
			values[j] = float(-a.Alpha[m])
			if c == classes[1] {
				values[j] = float(a.Alpha[m])
			}
		}
		terms[m] = o.choose(values)
	}
	return bySign(classes, lazy.Sum(terms...), 0, 2)
}

func (w *writer) members(m any, members []model.Classifier, in []feature) []*outcome {
	w.mustFit(m, members != nil)
	out := make([]*outcome, len(members))
	for k, c := range members {
		out[k] = w.model(c, in)
	}
	return out
}

// isFinite reports whether no value is infinite or NaN.
func isFinite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) })
}
