package tree

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Node is a node of a tree: either an inner node, which splits the examples, or a leaf. Fields that
// describe a split have no meaning in a leaf.
type Node struct {
	// Feature is the column of the split; -1 in a leaf.
	Feature int
	// Question describes the split, such as "petal length ≤ 2.45" or "Outlook".
	Question string
	// Answers holds the labels of the branches, one per child: "yes" and "no", or the names of the
	// levels.
	Answers []string
	// Numeric reports whether the feature is numeric: a value x goes to Children[0] if x ≤
	// Threshold, and to Children[1] otherwise. If Numeric is false, the feature is nominal.
	Numeric   bool
	Threshold float64
	// Levels holds, for each child, the levels of a nominal feature that lead to the child.
	Levels   [][]int
	Children []*Node
	// Shares holds the fraction of the training weight that went to each child, counting only
	// examples with a non-missing value.
	Shares []float64
	// Default is the index of the child for missing values if examples are not divided.
	Default int

	// Depth is the depth of the node; the root has depth 0.
	Depth int
	// Weight is the total weight of the training examples at the node; without example weights, it
	// is their number.
	Weight float64
	// Counts holds the weight of each class at the node; it is nil in a regression tree.
	Counts []float64
	// Class is the position in Classes of the most frequent class (the first class in a tie).
	Class int
	// Value is the mean target at the node; 0 in a classification tree.
	Value float64
	// Impurity is the impurity of the examples at the node; the criterion determines whether it is
	// the entropy in bits, the Gini impurity, the fraction of errors, or the variance.
	Impurity float64
	// Gain is the split's decrease of the impurity.
	Gain float64
	// LookaheadGain is the decrease of the impurity by the split together with the best splits
	// below it, down to the Lookahead of the tree; it is 0 without lookahead.
	LookaheadGain float64

	branch []int16 // the child of each level, -1 for none; nil for a numeric split
}

// Leaf reports whether the node is a leaf.
func (n *Node) Leaf() bool { return n.Children == nil }

// makeLeaf removes the split and everything below it.
func (n *Node) makeLeaf() {
	n.Feature, n.Question, n.Answers = -1, "", nil
	n.Numeric, n.Threshold, n.Levels, n.branch = false, 0, nil, nil
	n.Children, n.Shares, n.Default = nil, nil, 0
	n.Gain, n.LookaheadGain = 0, 0
}

// child returns the index of the child that the value v leads to, or -1 when v is
// missing or is a level without a child.
func (n *Node) child(v float64) int {
	if n.Numeric {
		if v <= n.Threshold {
			return 0
		}
		if v > n.Threshold {
			return 1
		}
		return -1
	}
	if k := int(v); v >= 0 && k < len(n.branch) {
		return int(n.branch[k])
	}
	return -1
}

// Walk calls f for the node and all nodes below it, parents first, children in
// order.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for _, c := range n.Children {
		c.Walk(f)
	}
}

// CountLeaves returns the number of leaves below the node, or 1 for a leaf.
func (n *Node) CountLeaves() int {
	k := 0
	n.Walk(func(m *Node) {
		if m.Leaf() {
			k++
		}
	})
	return k
}

// Height returns the height of the node: the maximum number of splits on a path
// from it to a leaf.
func (n *Node) Height() int {
	h := 0
	n.Walk(func(m *Node) { h = max(h, m.Depth-n.Depth) })
	return h
}

// describe sets Question and Answers of the split. It appends their text to text and returns it.
func (n *Node) describe(c model.Column, numeric []string, text []byte) []byte {
	if n.Numeric && n.Threshold == math.MaxFloat64 {
		text = append(append(text, c.Name...), " known"...)
		n.Question, n.Answers = string(text), numeric
		return text
	}
	if n.Numeric {
		text = appendLimit(append(append(text, c.Name...), " ≤ "...), c, n.Threshold)
		n.Question, n.Answers = string(text), numeric
		return text
	}
	n.Question = c.Name
	n.Answers = make([]string, len(n.Levels))
	for k, levels := range n.Levels {
		names := make([]string, len(levels))
		for i, l := range levels {
			names[i] = levelName(c, l)
		}
		n.Answers[k] = strings.Join(names, " or ")
	}
	return text
}

// limit formats a threshold; for a threshold between two levels it writes the lower level.
func limit(c model.Column, threshold float64) string {
	return string(appendLimit(nil, c, threshold))
}

func appendLimit(text []byte, c model.Column, threshold float64) []byte {
	if c.Kind == model.Ordinal {
		return append(text, levelName(c, int(math.Floor(threshold)))...)
	}
	return strconv.AppendFloat(text, threshold, 'g', 5, 64)
}

func levelName(c model.Column, level int) string {
	if level >= 0 && level < len(c.Levels) {
		return c.Levels[level]
	}
	return strconv.Itoa(level)
}

// text draws the tree below n with box characters; answer formats the prediction of
// a node.
func (n *Node) text(b *strings.Builder, indent string, answer func(*Node) string) {
	if n.Leaf() {
		b.WriteString(answer(n))
		b.WriteByte('\n')
		return
	}
	fmt.Fprintf(b, "%s?\n", n.Question)
	for k, c := range n.Children {
		branch, below := "├─ ", "│  "
		if k == len(n.Children)-1 {
			branch, below = "└─ ", "   "
		}
		b.WriteString(indent + branch + n.Answers[k] + ": ")
		c.text(b, indent+below, answer)
	}
}

// follow returns the node where the path of one row ends: a leaf, or a split
// without a branch for the row's value. Missing values take the Default.
func (n *Node) follow(row []float64) *Node {
	for n.Children != nil {
		v := row[n.Feature]
		k := n.child(v)
		if k < 0 {
			if !math.IsNaN(v) {
				return n
			}
			k = n.Default
		}
		n = n.Children[k]
	}
	return n
}

// spread calls f with the nodes where the paths of one row end, and the fraction of
// the row that ends there. At a missing value the row is divided in proportion to
// the Shares of the children.
func (n *Node) spread(row []float64, fraction float64, f func(*Node, float64)) {
	for n.Children != nil {
		v := row[n.Feature]
		if math.IsNaN(v) {
			for k, c := range n.Children {
				c.spread(row, fraction*n.Shares[k], f)
			}
			return
		}
		k := n.child(v)
		if k < 0 {
			break
		}
		n = n.Children[k]
	}
	f(n, fraction)
}
