package course

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// treeOf draws a fitted tree.
func treeOf(v any) (*graph.Tree, bool) {
	switch v := v.(type) {
	case *tree.DecisionTree:
		if v != nil && v.Root != nil {
			return decisionTree(v), true
		}
	case *tree.RegressionTree:
		if v != nil && v.Root != nil {
			return graph.NewTree(regressionNode(v.Root, "")), true
		}
	case *tree.DecisionStump:
		if v != nil && v.Root != nil {
			names := make([]string, len(v.Classes()))
			for k := range names {
				names[k] = v.ClassName(k)
			}
			// By default, a stump minimizes the weighted error.
			impurity := "error"
			if v.ByCriterion {
				impurity = impurityName(v.Criterion)
			}
			return graph.NewTree(classNode(v.Root, "", impurity, v.ClassName)).Classes(names...), true
		}
	case *tree.Node:
		if v == nil {
			return nil, false
		}
		if v.Counts == nil {
			return graph.NewTree(regressionNode(v, "")), true
		}
		return graph.NewTree(classNode(v, "", "impurity", guide.Class)), true
	}
	return nil, false
}

func classNames(t *tree.DecisionTree) []string {
	names := make([]string, len(t.Classes()))
	for k := range names {
		names[k] = t.ClassName(k)
	}
	return names
}

func decisionTree(t *tree.DecisionTree) *graph.Tree {
	return graph.NewTree(classNode(t.Root, "", impurityName(t.Criterion), t.ClassName)).Classes(classNames(t)...)
}

// impurityName returns the name of the impurity of a node.
func impurityName(c tree.Criterion) string {
	switch c {
	case tree.InformationGain, tree.GainRatio:
		return "entropy"
	case tree.Gini:
		return "Gini"
	case tree.TrainingAccuracy:
		return "error"
	}
	return "impurity"
}

// classNode returns a node with the class distribution of its examples, which the drawing shows.
func classNode(n *tree.Node, answer, impurity string, className func(k int) string) *graph.Node {
	g := &graph.Node{Edge: answer, Counts: n.Counts}
	if n.Leaf() {
		g.Title = className(n.Class)
		return g
	}
	g.Title = guide.Columns(n.Question) + "?"
	g.Lines = []string{fmt.Sprintf("%s %s, gain %s", impurity, short(n.Impurity), short(n.Gain))}
	for k, c := range n.Children {
		g.Children = append(g.Children, classNode(c, n.Answers[k], impurity, className))
	}
	return g
}

// regressionNode returns a node with the mean target of its examples.
func regressionNode(n *tree.Node, answer string) *graph.Node {
	g := &graph.Node{Edge: answer, Value: &n.Value, Title: short(n.Value)}
	g.Lines = []string{weight(n.Weight)}
	if n.Leaf() {
		return g
	}
	g.Title = guide.Columns(n.Question) + "?"
	g.Lines = []string{fmt.Sprintf("%s, mean %s", weight(n.Weight), short(n.Value)), "gain " + short(n.Gain)}
	for k, c := range n.Children {
		g.Children = append(g.Children, regressionNode(c, n.Answers[k]))
	}
	return g
}

func weight(w float64) string {
	if w == 1 {
		return "1 example"
	}
	return short(w) + " examples"
}

// short formats a number with at least three significant digits, for the limited space in a tree.
func short(x float64) string {
	if x == math.Trunc(x) || math.Abs(x) >= 100 && math.Abs(x) < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Pruned draws the tree before pruning and fades the branches that are missing after pruning.
// Both trees must have the same splits: after is a pruned copy of before, or a second fit with
// the same parameters.
func Pruned(before, after *tree.DecisionTree) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) {
		if before == nil || after == nil || before.Root == nil || after.Root == nil {
			return nil, errors.New("Pruned: a tree is not fitted: fit both first")
		}
		root := classNode(before.Root, "", impurityName(before.Criterion), before.ClassName)
		if err := fade(root, before.Root, after.Root); err != nil {
			return nil, err
		}
		return graph.NewTree(root).Classes(classNames(before)...).
			Title(fmt.Sprintf("Pruned from %d to %d leaves", before.Leaves(), after.Leaves())).Figure()
	}}
}

// fade fades the nodes below the leaves of the pruned tree.
func fade(g *graph.Node, before, after *tree.Node) error {
	if after.Leaf() {
		for _, c := range g.Children {
			fadeAll(c)
		}
		return nil
	}
	if before.Question != after.Question || len(before.Children) != len(after.Children) {
		return fmt.Errorf("Pruned: the trees must have the same splits, got %q and %q; pass a tree and its pruned copy", before.Question, after.Question)
	}
	for k, c := range g.Children {
		if err := fade(c, before.Children[k], after.Children[k]); err != nil {
			return err
		}
	}
	return nil
}

func fadeAll(g *graph.Node) {
	g.Faded = true
	for _, c := range g.Children {
		fadeAll(c)
	}
}
