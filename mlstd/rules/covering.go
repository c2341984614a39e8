package rules

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// RuleGain determines how the conditions of a rule are compared. A rule covers p
// positive and n negative examples.
type RuleGain int

const (
	GainFOIL      RuleGain = iota // p·(log₂ p/(p+n) − log₂ p₀/(p₀+n₀)), from p₀, n₀ to p, n
	GainEntropy                   // −H(p/(p+n)), for p > n
	GainLaplace                   // (p + 1)/(p + n + 2)
	GainPrecision                 // p/(p + n)
	GainAccuracy                  // p − n
)

// RuleOrder determines the class for which the next rule is learned.
type RuleOrder int

const (
	RarestFirst   RuleOrder = iota // the rarest class first; no rules for the most frequent class
	FrequentFirst                  // the most frequent class first; no rules for the rarest class
	AnyClass                       // each time the best rule of any class, as in CN2
)

// SequentialCovering learns a list of rules one by one: it learns a rule that covers many examples
// of a class and few other examples, removes the examples that the rule covers, and continues.
//
//		class ⇐ condition₁ ∧ condition₂ ∧ …
//
//	 1. Begin with the rule without conditions.
//	 2. Add the condition that raises the Gain most; keep the Beam best rules. A condition has the
//	    form A = level, A ≤ a or A > a. End when no negative example is covered or no condition
//	    raises the gain.
//	 3. Append the best rule to the list, and remove the examples that it covers. If no rule
//	    reaches MinPrecision, continue with the next class.
//
// The majority class of the examples that no rule covers becomes the default class. If no examples
// contradict each other, the rules can cover all examples. The rules fit the training examples as
// closely as a full tree does; see [RIPPER] for pruned rules. A rule applies only to the rows that
// no earlier rule covers.
//
// Cost: O(d·n·log n) per condition and member of the beam.
//
// References: [Mitchell1997], section 10.2; [ClarkNiblett1989].
// Course: RULE-01, RULE-02.
type SequentialCovering struct {
	// Gain is the measure that compares conditions. The default is GainFOIL.
	Gain RuleGain
	// Order determines which class comes first. The default is RarestFirst.
	Order RuleOrder
	// Beam is the beam width, the number of partial rules that are kept while a rule is learned; 0
	// means 1, which is greedy search. A wider beam is slower and finds better rules.
	Beam int
	// MinCover is the minimum number of positive examples of a rule; 0 means 1. A larger value
	// leads to fewer, more general rules.
	MinCover int
	// MinPrecision is the minimum fraction of positive examples among the examples that a rule
	// covers; 0 means 0.5. A larger value leads to rules that are more precise and cover fewer
	// examples.
	MinPrecision float64
	// MaxConditions is the maximum number of conditions of a rule; 0 means no limit. A
	// larger limit allows more specific rules.
	MaxConditions int

	List  RuleList       // set by Fit
	Steps []CoveringStep // set by Fit

	learned

	model.Fitted // set by Fit: the columns that it was given
}

// CoveringStep records how many examples a rule covered when Fit learned it, and how many examples
// of the rule's class were left at that time.
type CoveringStep struct {
	Rule                         string
	Positive, Negative, LeftOver int
}

var _ model.Classifier = (*SequentialCovering)(nil)

// Takes reports that nominal columns are accepted.
func (s *SequentialCovering) Takes() model.Takes { return model.Takes{Nominal: true} }

// Classes lists the classes in ascending order.
func (s *SequentialCovering) Classes() []int { return slices.Clone(s.classes) }

// Predict returns, for each row, the class of the first rule that holds.
func (s *SequentialCovering) Predict(x mat.Matrix) []int {
	x = model.MustRead("SequentialCovering.Predict", &s.Fitted, x)
	return s.predict("SequentialCovering.Predict", &s.List, x)
}

// Fit learns the rules.
func (s *SequentialCovering) Fit(x mat.Matrix, y []int) error {
	const op = "SequentialCovering.Fit"
	model.NoteXY(&s.Fitted, x, y)
	s.List, s.Steps, s.learned = RuleList{}, nil, learned{}
	if err := limits.Check(op,
		limits.NotNegative("Beam", s.Beam),
		limits.NotNegative("MinCover", s.MinCover),
		limits.NotNegative("MaxConditions", s.MaxConditions)); err != nil {
		return err
	}
	if !(s.MinPrecision >= 0 && s.MinPrecision <= 1) {
		return model.Errorf(op, "MinPrecision must be between 0 and 1, got %v", s.MinPrecision)
	}
	if err := limits.Check(op,
		limits.Must("Gain", int(s.Gain), s.Gain >= GainFOIL && s.Gain <= GainAccuracy, "be one of the constants of ml.RuleGain"),
		limits.Must("Order", int(s.Order), s.Order >= RarestFirst && s.Order <= AnyClass, "be one of the constants of ml.RuleOrder")); err != nil {
		return err
	}
	e, err := readExamples(op, x, y)
	if err != nil {
		return err
	}
	rules, rows := []tree.TreeRule(nil), e.all()
	if s.Order == AnyClass {
		rules, _ = s.cover(e, rules, rows, ascending(len(e.classes)))
	} else {
		order := e.byFrequency()
		if s.Order == FrequentFirst {
			slices.Reverse(order)
		}
		for _, k := range order[:len(order)-1] {
			rules, rows = s.cover(e, rules, rows, []int{k})
		}
	}
	s.List = e.finish(rules)
	s.learned = learned{e.classes, len(e.columns)}
	return nil
}

// byFrequency lists the classes, the rarest first.
func (e *examples) byFrequency() []int {
	n := e.counts(e.all())
	order := ascending(len(n))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n[a], n[b]) })
	return order
}

// cover learns rules for the classes until none of their examples is left or can be covered, and
// returns the remaining examples.
func (s *SequentialCovering) cover(e *examples, rules []tree.TreeRule, rows []int, classes []int) ([]tree.TreeRule, []int) {
	for {
		var best *growingRule
		for _, k := range classes {
			if r := s.learnRule(e, rows, k); r != nil && (best == nil || r.score > best.score) {
				best = r
			}
		}
		if best == nil {
			return rules, rows
		}
		var in []int
		in, rows = e.covered(best.rule, rows)
		rules = append(rules, best.rule)
		left := 0
		for _, i := range rows {
			if e.classes[e.y[i]] == best.rule.Class {
				left++
			}
		}
		s.Steps = append(s.Steps, CoveringStep{best.rule.String(), best.p, len(in) - best.p, left})
	}
}

// growingRule is a rule with the rows that it covers.
type growingRule struct {
	rule  tree.TreeRule
	rows  []int
	p, n  int
	depth int
	score float64
}

// learnRule returns the best rule for class k that it finds, or nil if no rule is good enough.
func (s *SequentialCovering) learnRule(e *examples, rows []int, k int) *growingRule {
	positive := func(i int) bool { return e.y[i] == k }
	start := &growingRule{rule: e.rule(k), rows: rows}
	for _, i := range rows {
		if positive(i) {
			start.p++
		} else {
			start.n++
		}
	}
	if start.p == 0 {
		return nil
	}
	if s.Gain != GainFOIL {
		start.score = s.score(start, start.p, start.n)
	}
	beam := []*growingRule{start}
	var done []*growingRule
	for len(beam) > 0 {
		var next []*growingRule
		for _, r := range beam {
			better := s.refine(e, r, positive)
			if len(better) == 0 {
				done = append(done, r)
			}
			next = append(next, better...)
		}
		slices.SortStableFunc(next, func(a, b *growingRule) int { return cmp.Compare(b.score, a.score) })
		beam = next[:min(len(next), or(s.Beam, 1))]
	}
	var best *growingRule
	for _, r := range done {
		enough := r.depth > 0 && r.p >= or(s.MinCover, 1) && float64(r.p) >= model.Or(s.MinPrecision, 0.5)*float64(r.p+r.n)
		if enough && (best == nil || r.score > best.score) {
			best = r
		}
	}
	return best
}

// refine returns the best rules that have one more condition than r and a higher score.
func (s *SequentialCovering) refine(e *examples, r *growingRule, positive func(int) bool) []*growingRule {
	if r.n == 0 || s.MaxConditions > 0 && r.depth >= s.MaxConditions {
		return nil
	}
	type candidate struct {
		q     question
		p, n  int
		score float64
	}
	var found []candidate
	width := or(s.Beam, 1)
	e.questions(r.rows, positive, func(q question, p, n int) {
		if p < or(s.MinCover, 1) {
			return
		}
		score := s.score(r, p, n)
		if score <= r.score+1e-12 || len(found) == width && score <= found[width-1].score {
			return
		}
		at, _ := slices.BinarySearchFunc(found, score, func(c candidate, v float64) int {
			if c.score >= v {
				return -1
			}
			return 1
		})
		found = slices.Insert(found, at, candidate{q, p, n, score})
		found = found[:min(len(found), width)]
	})
	better := make([]*growingRule, len(found))
	for i, c := range found {
		rule := r.rule.And(e.condition(c.q), e.columns)
		in, _ := e.covered(rule, r.rows)
		better[i] = &growingRule{rule, in, c.p, c.n, r.depth + 1, c.score}
	}
	return better
}

// score returns the gain of a rule made from r that covers p positive and n negative examples. FOIL
// gains add up over the conditions.
func (s *SequentialCovering) score(r *growingRule, p, n int) float64 {
	fp, fn := float64(p), float64(n)
	switch s.Gain {
	case GainFOIL:
		return r.score + FOILGain(r.p, r.n, p, n, p)
	case GainEntropy:
		q := fp / (fp + fn)
		if q <= 0.5 {
			return q - 2 // below all rules with p > n
		}
		h := -q * math.Log2(q)
		if q < 1 {
			h -= (1 - q) * math.Log2(1-q)
		}
		return -h
	case GainLaplace:
		return (fp + 1) / (fp + fn + 2)
	case GainPrecision:
		return fp / (fp + fn)
	}
	return fp - fn
}
