package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// AssociationRule states that transactions with the items If also tend to have the items Then. P is
// the fraction of transactions that contain a set:
//
//	support    = P(If ∪ Then)
//	confidence = P(If ∪ Then) / P(If)
//	lift       = confidence / P(Then)
//	leverage   = P(If ∪ Then) − P(If)·P(Then)
//	conviction = (1 − P(Then)) / (1 − confidence)
//
// When the sets If and Then are independent, lift and conviction are 1, and leverage is 0.
// Conviction is +Inf for a rule without exceptions. A high confidence by itself means little if
// Then is frequent in all transactions.
type AssociationRule struct {
	If, Then                                        []string
	Support, Confidence, Lift, Leverage, Conviction float64
	IfSupport, ThenSupport                          float64
}

// String returns the rule as text, such as "bread, milk → butter".
func (r AssociationRule) String() string {
	return strings.Join(r.If, ", ") + " → " + strings.Join(r.Then, ", ")
}

// largestRuleSet is the size of the largest set whose rules are enumerated.
const largestRuleSet = 24

// Rules returns the association rules that have at least the given confidence, sorted by descending
// confidence, then by descending support. For each frequent set, it enumerates the consequents by
// size. If a rule has too little confidence, every rule from the same set whose consequent is a
// superset also has too little confidence.
//
// References: [AgrawalSrikant1994]; [Brin1997] for conviction.
// Course: RULE-10.
func (s *Itemsets) Rules(minConfidence float64) ([]AssociationRule, error) {
	const op = "Itemsets.Rules"
	if !(minConfidence >= 0 && minConfidence <= 1) {
		return nil, model.Errorf(op, "minConfidence must be between 0 and 1, got %v", minConfidence)
	}
	var rules []AssociationRule
	for i, ids := range s.ids {
		if len(ids) > largestRuleSet {
			return nil, model.Errorf(op, "the item set %[1]v is too large: its %[2]d items make 2^%[3]d rules", s.Sets[i], len(ids), len(ids)).WithHint("set a smaller MaxLen for the search of item sets")
		}
		if len(ids) > 1 {
			rules = s.rulesOf(rules, i, minConfidence)
		}
	}
	slices.SortStableFunc(rules, func(a, b AssociationRule) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Support, a.Support))
	})
	return rules, nil
}

// rulesOf appends the rules of one set. A consequent is a bit set.
func (s *Itemsets) rulesOf(rules []AssociationRule, set int, least float64) []AssociationRule {
	ids := s.ids[set]
	full := uint32(1)<<len(ids) - 1
	level := make([]uint32, len(ids))
	for j := range level {
		level[j] = 1 << j
	}
	for size := 1; len(level) > 0 && size < len(ids); size++ {
		var good []uint32
		for _, then := range level {
			rule := s.rule(set, full&^then, then)
			if rule.Confidence >= least {
				rules, good = append(rules, rule), append(good, then)
			}
		}
		level = level[:0]
		for _, then := range good {
			// Adding only items above the highest one makes each consequent once.
			for j := range ids {
				if bit := uint32(1) << j; bit > then {
					level = append(level, then|bit)
				}
			}
		}
	}
	return rules
}

func (s *Itemsets) rule(set int, from, to uint32) AssociationRule {
	pick := func(mask uint32) ([]string, float64) {
		var some []int32
		var names []string
		for j, v := range s.ids[set] {
			if mask&(1<<j) != 0 {
				some, names = append(some, v), append(names, s.items[v])
			}
		}
		return names, s.Sets[s.at[key(some)]].Support
	}
	r := AssociationRule{Support: s.Sets[set].Support}
	r.If, r.IfSupport = pick(from)
	r.Then, r.ThenSupport = pick(to)
	r.Confidence = r.Support / r.IfSupport
	r.Lift = r.Confidence / r.ThenSupport
	r.Leverage = r.Support - r.IfSupport*r.ThenSupport
	r.Conviction = math.Inf(1)
	if r.Confidence < 1 {
		r.Conviction = (1 - r.ThenSupport) / (1 - r.Confidence)
	}
	return r
}
