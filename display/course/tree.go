package course

import (
	"fmt"
	"strconv"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func init() {
	graph.Adapt(fittedTree)
	display.Register(func(v any) (display.Displayer, bool) {
		t, ok := fittedTree(v)
		return t, ok
	})
}

// fittedTree draws the fitted trees of package tree: the question, what it gains
// and the mixture of classes at each node.
func fittedTree(v any) (*graph.Tree, bool) {
	switch m := v.(type) {
	case *tree.DecisionTree:
		if m == nil || m.Root == nil {
			return nil, false
		}
		return classTree(m.Root, m.ClassName, len(m.Classes())), true
	case *tree.DecisionStump:
		if m == nil || m.Root == nil {
			return nil, false
		}
		return classTree(m.Root, m.ClassName, len(m.Classes())), true
	case *tree.RegressionTree:
		if m == nil || m.Root == nil {
			return nil, false
		}
		return graph.NewTree(valueNode(m.Root)), true
	}
	return nil, false
}

func classTree(root *tree.Node, name func(k int) string, classes int) *graph.Tree {
	names := make([]string, classes)
	for k := range names {
		names[k] = name(k)
	}
	return graph.NewTree(classNode(root, names)).Classes(names...)
}

func classNode(n *tree.Node, names []string) *graph.Node {
	g := &graph.Node{Title: names[n.Class], Counts: n.Counts} // the drawing says how many
	if n.Leaf() {
		return g
	}
	g.Title = n.Question + "?"
	g.Lines = append(g.Lines, "gain "+display.Number(round(n.Gain)))
	for k, c := range n.Children {
		child := classNode(c, names)
		child.Edge = n.Answers[k]
		g.Children = append(g.Children, child)
	}
	return g
}

func valueNode(n *tree.Node) *graph.Node {
	value := n.Value
	g := &graph.Node{Title: display.Number(round(value)), Value: &value, Lines: []string{examples(n.Weight)}}
	if n.Leaf() {
		return g
	}
	g.Title = n.Question + "?"
	g.Lines = append(g.Lines, "mean "+display.Number(round(value)))
	for k, c := range n.Children {
		child := valueNode(c)
		child.Edge = n.Answers[k]
		g.Children = append(g.Children, child)
	}
	return g
}

func examples(weight float64) string {
	if weight == 1 {
		return "1 example"
	}
	return strconv.FormatFloat(weight, 'g', 6, 64) + " examples"
}

// round leaves three significant digits, enough for a box.
func round(v float64) float64 {
	var r float64
	if _, err := fmt.Sscan(fmt.Sprintf("%.3g", v), &r); err != nil {
		return v
	}
	return r
}
