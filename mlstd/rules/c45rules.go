package rules

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// C45Rules converts a decision tree to rules and prunes each rule separately, as C4.5rules does.
// Pruning drops conditions that only other branches of the tree need.
//
//	U(e, n) = p such that P(Binomial(n, p) ≤ e) = Confidence
//
// is the pessimistic error rate of a rule that is wrong on e of its n examples.
//
//  1. Grow a tree; each path from the root to a leaf is a rule.
//  2. From each rule, drop the condition whose removal lowers the pessimistic error rate most.
//     Repeat this until every removal would raise the rate.
//  3. Remove duplicate rules. Sort the rules by pessimistic error rate.
//  4. From the last rule to the first, drop each rule whose removal does not increase the number of
//     errors of the list.
//
// The pruned rules can overlap, so their order matters. Thresholds on the same feature form one
// condition, an interval.
//
// Cost: one tree, then O(n·c²) for each leaf at depth c, and O(r²·n) for r rules.
//
// References: [Quinlan1993], chapter 5. Course: RULE-01, TREE-15.
type C45Rules struct {
	// MaxDepth and MinLeaf are the limits of the tree; see [tree.DecisionTree].
	MaxDepth int
	MinLeaf  float64
	// Confidence is the confidence parameter of the pessimistic error rate; 0 means 0.25. With a
	// smaller value, more conditions are pruned.
	Confidence float64

	List RuleList        // set by Fit
	Full []tree.TreeRule // the rules of the tree before pruning, set by Fit

	learned

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Classifier = (*C45Rules)(nil)

// Takes reports that nominal columns are accepted.
func (c *C45Rules) Takes() model.Takes { return model.Takes{Nominal: true} }

// Classes lists the classes in ascending order.
func (c *C45Rules) Classes() []int { return slices.Clone(c.classes) }

// Predict returns, for each row, the class of the first rule that holds.
func (c *C45Rules) Predict(x mat.Matrix) []int {
	x = model.MustRead("C45Rules.Predict", &c.Fitted, x)
	return c.predict("C45Rules.Predict", &c.List, x)
}

// PessimisticError returns the upper confidence limit of the error rate of a rule that is wrong on
// e of n examples. At that rate, the rule would make at most e errors with probability confidence.
// For n = 0, the limit is 1.
//
// References: [Quinlan1993], section 4.2. Course: RULE-01.
func PessimisticError(e, n int, confidence float64) float64 {
	if e < 0 || n < e || !(confidence > 0 && confidence < 1) {
		panic(model.Errorf("PessimisticError", "e must be between 0 and n, and confidence be strictly between 0 and 1, got %d, %d and %v", e, n, confidence))
	}
	if e == n {
		return 1
	}
	return distuv.Beta{Alpha: float64(e + 1), Beta: float64(n - e)}.Quantile(1 - confidence)
}

// Fit grows the tree and converts it to pruned rules.
func (c *C45Rules) Fit(x mat.Matrix, y []int) error {
	const op = "C45Rules.Fit"
	model.NoteXY(&c.Fitted, x, y)
	c.List, c.Full, c.learned = RuleList{}, nil, learned{}
	confidence := model.Or(c.Confidence, 0.25)
	if !(confidence > 0 && confidence < 1) {
		return model.Errorf(op, "Confidence must be above 0 and below 1, got %v", confidence)
	}
	e, err := readExamples(op, x, y)
	if err != nil {
		return err
	}
	t := tree.DecisionTree{MaxDepth: c.MaxDepth, MinLeaf: c.MinLeaf}
	if err := t.Fit(x, y); err != nil {
		return err
	}
	full := t.Rules()
	p := &pruner{examples: e, confidence: confidence}
	var pruned []judged
	for _, r := range full {
		j := p.prune(r)
		if len(j.rule.Conditions) > 0 && !slices.ContainsFunc(pruned, func(other judged) bool { return same(other.rule, j.rule) }) {
			pruned = append(pruned, j)
		}
	}
	slices.SortStableFunc(pruned, func(a, b judged) int { return cmp.Compare(a.share, b.share) })
	rules := make([]tree.TreeRule, len(pruned))
	for i, j := range pruned {
		rules[i] = j.rule
	}
	c.List = p.fewest(rules)
	c.Full = full
	c.learned = learned{e.classes, len(e.columns)}
	return nil
}

type pruner struct {
	*examples
	confidence float64
}

// judged is a rule with its pessimistic error rate.
type judged struct {
	rule  tree.TreeRule
	share float64
}

func (p *pruner) judge(r tree.TreeRule) judged {
	in, _ := p.covered(r, p.all())
	wrong := 0
	for _, i := range in {
		if p.classes[p.y[i]] != r.Class {
			wrong++
		}
	}
	return judged{r, PessimisticError(wrong, len(in), p.confidence)}
}

// prune drops conditions of the rule and returns the result.
func (p *pruner) prune(r tree.TreeRule) judged {
	now := p.judge(r)
	for len(now.rule.Conditions) > 0 {
		best := judged{share: math.Inf(1)}
		for k := range now.rule.Conditions {
			shorter := now.rule
			shorter.Conditions = slices.Delete(slices.Clone(shorter.Conditions), k, k+1)
			if j := p.judge(shorter); j.share < best.share {
				best = j
			}
		}
		if best.share > now.share {
			break
		}
		now = best
	}
	return now
}

// same reports whether two rules have the same conditions in any order.
func same(a, b tree.TreeRule) bool {
	has := func(r tree.TreeRule, c tree.TreeCondition) bool {
		return slices.ContainsFunc(r.Conditions, func(d tree.TreeCondition) bool {
			return c.Feature == d.Feature && c.Above == d.Above && c.AtMost == d.AtMost && slices.Equal(c.Levels, d.Levels)
		})
	}
	return a.Class == b.Class && len(a.Conditions) == len(b.Conditions) &&
		!slices.ContainsFunc(a.Conditions, func(c tree.TreeCondition) bool { return !has(b, c) })
}

// fewest drops rules, starting from the last, whose removal does not increase the number of errors
// of the list.
func (p *pruner) fewest(rules []tree.TreeRule) RuleList {
	list := p.finish(slices.Clone(rules))
	errors := p.errors(list)
	for k := len(list.Rules) - 1; k >= 0; k-- {
		without := p.finish(slices.Delete(slices.Clone(list.Rules), k, k+1))
		if n := p.errors(without); n <= errors {
			list, errors = without, n
		}
	}
	return list
}

func (p *pruner) errors(l RuleList) int {
	wrong := 0
	for i, k := range p.y {
		if l.Class(p.d.RawRowView(i)) != p.classes[k] {
			wrong++
		}
	}
	return wrong
}
