package tree

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Node is one question of a tree, or one of its answers. Fields that describe a
// question have no meaning in a leaf.
type Node struct {
	// Feature is the column that the question is about; -1 in a leaf.
	Feature int
	// Question is the question as text: "petal length ≤ 2.45", "Outlook".
	Question string
	// Answers are the answers as text, one a child: "yes" and "no", or the names
	// of the levels.
	Answers []string
	// Numeric tells that a value x goes to Children[0] when x ≤ Threshold and to
	// Children[1] otherwise. Else the question is about a nominal feature.
	Numeric   bool
	Threshold float64
	// Levels lists for each child the levels of a nominal feature that lead to it.
	Levels   [][]int
	Children []*Node
	// Shares are the fractions of the training weight with a known value that
	// went to each child.
	Shares []float64
	// Default is the child for a missing value, when those are not divided.
	Default int

	// Depth is the number of questions above the node.
	Depth int
	// Weight is the total weight of the training examples at the node; without
	// example weights, their number.
	Weight float64
	// Counts is the weight of each class at the node; nil in a regression tree.
	Counts []float64
	// Class is the position in Classes of the most frequent class (the first one
	// of a tie).
	Class int
	// Value is the mean target at the node; 0 in a classification tree.
	Value float64
	// Impurity is what the criterion measures of the examples at the node:
	// entropy in bits, Gini impurity, share of errors, or variance.
	Impurity float64
	// Gain is the decrease of the impurity by the question.
	Gain float64
	// LookaheadGain is the decrease by the question together with the best ones
	// below it, as deep as the tree looked ahead; 0 when it did not.
	LookaheadGain float64

	branch []int16 // the child of each level, -1 for none; nil for a numeric question
}

// Leaf reports whether the node asks nothing.
func (n *Node) Leaf() bool { return n.Children == nil }

// makeLeaf removes the question and all that hangs below.
func (n *Node) makeLeaf() {
	n.Feature, n.Question, n.Answers = -1, "", nil
	n.Numeric, n.Threshold, n.Levels, n.branch = false, 0, nil, nil
	n.Children, n.Shares, n.Default = nil, nil, 0
	n.Gain, n.LookaheadGain = 0, 0
}

// child returns the number of the child that the value v leads to, -1 when v is
// missing or a level that no child is for.
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

// CountLeaves returns the number of leaves below the node, itself included.
func (n *Node) CountLeaves() int {
	k := 0
	n.Walk(func(m *Node) {
		if m.Leaf() {
			k++
		}
	})
	return k
}

// Height returns the largest number of questions on a way from the node to a leaf.
func (n *Node) Height() int {
	h := 0
	n.Walk(func(m *Node) { h = max(h, m.Depth-n.Depth) })
	return h
}

// describe sets the texts of the question. It writes into text and gives it back.
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

// limit writes a threshold; between levels it is the lower one that is meant.
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

// text draws the tree below n with box characters; answer says what a node
// would answer.
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

// follow returns the node where the way of one row ends: a leaf, or a question
// that has no answer for the row's value. Missing values take the Default.
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

// spread calls f with the nodes where the ways of one row end and the fraction
// of the row that ends there: at a missing value the row is divided in the
// Shares of the children.
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
