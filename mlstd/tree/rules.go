package tree

import (
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// TreeRule is a path from the root to a leaf, read as a rule: if all conditions hold, predict
// Class.
type TreeRule struct {
	Conditions []TreeCondition
	Class      int       // the class that the rule concludes
	ClassName  string    // its name
	Counts     []float64 // class weights of the training examples that satisfy the rule
}

// TreeCondition is one condition on the path.
type TreeCondition struct {
	Feature int
	Text    string // such as "petal length ≤ 2.45" or "Outlook = sunny"
	Numeric bool
	// A numeric condition holds for values greater than Above and at most AtMost.
	Above, AtMost float64
	Levels        []int // the levels for which a nominal condition holds
}

// Holds reports whether the condition holds for a row; it never holds for a
// missing value.
func (c TreeCondition) Holds(row []float64) bool {
	v := row[c.Feature]
	if c.Numeric {
		return v > c.Above && v <= c.AtMost
	}
	k := int(v)
	return float64(k) == v && slices.Contains(c.Levels, k)
}

// Holds reports whether all conditions of the rule hold for a row.
func (r TreeRule) Holds(row []float64) bool {
	for _, c := range r.Conditions {
		if !c.Holds(row) {
			return false
		}
	}
	return true
}

// And returns the rule with one more condition, and sets the condition's Text. Thresholds on the
// same feature are merged into one interval. And does not change r. The result has the same counts
// as r.
func (r TreeRule) And(c TreeCondition, columns []model.Column) TreeRule {
	r.Conditions = narrow(r.Conditions, c, columns)
	return r
}

// String returns the rule as a sentence.
func (r TreeRule) String() string {
	if len(r.Conditions) == 0 {
		return "always " + r.ClassName
	}
	texts := make([]string, len(r.Conditions))
	for i, c := range r.Conditions {
		texts[i] = c.Text
	}
	return "if " + strings.Join(texts, " and ") + " then " + r.ClassName
}

// Rules returns the tree as a list of rules, one for each leaf, from left to right. If all values
// of a row have branches, the row satisfies exactly one rule, whose class is the tree's prediction.
// Thresholds on the same feature are merged into one interval.
//
// Course: TREE-15.
func (t *DecisionTree) Rules() []TreeRule {
	if t.Root == nil {
		panic(model.NotFitted("DecisionTree.Rules"))
	}
	var rules []TreeRule
	var visit func(n *Node, way []TreeCondition)
	visit = func(n *Node, way []TreeCondition) {
		if n.Leaf() {
			rules = append(rules, TreeRule{
				Conditions: way, Class: t.classes[n.Class], ClassName: t.ClassName(n.Class), Counts: slices.Clone(n.Counts),
			})
			return
		}
		for k, c := range n.Children {
			visit(c, narrow(way, conditionOf(n, k), t.columns))
		}
	}
	visit(t.Root, nil)
	return rules
}

func conditionOf(n *Node, k int) TreeCondition {
	c := TreeCondition{Feature: n.Feature, Numeric: n.Numeric, Above: math.Inf(-1), AtMost: math.Inf(1)}
	switch {
	case !n.Numeric:
		c.Levels = n.Levels[k]
	case k == 0:
		c.AtMost = n.Threshold
	default:
		c.Above = n.Threshold
	}
	return c
}

// narrow returns the path with the condition c added; it does not change the path.
func narrow(way []TreeCondition, c TreeCondition, columns []model.Column) []TreeCondition {
	way = slices.Clone(way)
	for i, old := range way {
		if old.Feature != c.Feature {
			continue
		}
		if c.Numeric {
			c.Above, c.AtMost = max(c.Above, old.Above), min(c.AtMost, old.AtMost)
		}
		c.Text = c.text(columns[c.Feature])
		way[i] = c
		return way
	}
	c.Text = c.text(columns[c.Feature])
	return append(way, c)
}

func (c TreeCondition) text(col model.Column) string {
	if c.Numeric {
		switch {
		case c.Above == math.Inf(-1):
			return col.Name + " ≤ " + limit(col, c.AtMost)
		case c.AtMost == math.Inf(1):
			return col.Name + " > " + limit(col, c.Above)
		}
		return limit(col, c.Above) + " < " + col.Name + " ≤ " + limit(col, c.AtMost)
	}
	names := make([]string, len(c.Levels))
	for i, l := range c.Levels {
		names[i] = levelName(col, l)
	}
	return col.Name + " = " + strings.Join(names, " or ")
}
