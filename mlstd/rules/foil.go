package rules

import (
	"math"
	"strings"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FOIL learns first-order rules for a relation from its tuples and from background relations. It
// grows each rule by the literal with the largest gain, then removes the positive tuples that the
// rule covers.
//
//	gain = t·(log₂ p₁/(p₁ + n₁) − log₂ p₀/(p₀ + n₀))
//
// p₀ and n₀ count the positive and negative bindings of the rule's variables before the literal is
// added; p₁ and n₁ count the bindings after. t counts the old positive bindings that have an
// extension among the new bindings.
//
//  1. While positive tuples are left, begin a rule without conditions. Its bindings are the
//     remaining positive tuples and all negative tuples.
//  2. While there are negative bindings, add the best literal or negated literal. Literals are X =
//     Y, X = c for the given Constants, X > a and X > Y for numbers, and relations with at least
//     one variable that is already in the rule. A literal with new variables makes one binding for
//     each assignment to them.
//  3. If no literal has a gain, add all determinate literals, and continue. Give up if there are
//     none. A determinate literal gives its new variables exactly one value for each positive
//     binding, and at most one for each negative binding.
//  4. Drop literals whose removal does not make the rule cover more negative tuples. Remove the
//     positive tuples that the rule covers.
//
// The target may occur in its own rules if the recursion terminates. For this, one argument, the
// same in all rules, must descend in an acyclic order of the constants. The literals before the
// recursive literal must ensure this: a relation whose pairs form no cycle provides such an order,
// and so does X > Y.
//
// If you pass no negative tuples, all tuples that are not positive count as negative (the
// closed-world assumption).
//
// Cost: the number of candidates times the number of bindings, per literal added. A relation with a
// arguments has up to (k + a)^a candidates for k variables. The greedy search misses two literals
// that are useful only together.
//
// References: [Quinlan1990], [QuinlanCameronJones1995].
// Course: RULE-02, RULE-03, RULE-04, RULE-05, RULE-06, RULE-07, RULE-08.
type FOIL struct {
	// Background lists the relations that rules may use. If literals have equal gains, the earlier
	// relation wins.
	Background []Relation
	// Constants lists the constants that rules may contain, as in X = c. By default, rules contain
	// only variables.
	Constants []string
	// NoNegation excludes negated literals except X ≤ a and X ≤ Y.
	NoNegation bool
	// NoRecursion excludes the target from the bodies of its own rules.
	NoRecursion bool
	// MaxLiterals is the maximum number of literals of a rule; 0 means 8.
	MaxLiterals int
	// MaxVariables is the maximum number of variables of a rule; 0 means 6.
	MaxVariables int
	// MaxRules is the maximum number of rules; 0 means 20.
	MaxRules int
	// MinPrecision is the minimum fraction of positive tuples among the tuples that a rule covers;
	// 0 means 1. Lower MinPrecision if the tuples are noisy.
	MinPrecision float64

	Clauses []Clause   // set by Learn
	Steps   []FOILStep // set by Learn: the literals that were chosen, in order
	// Uncovered counts the positive tuples that no rule covers. Wrong counts the negative tuples
	// that at least one rule covers. Set by Learn.
	Uncovered, Wrong int
	// Target is the relation with its positive tuples, set by Learn.
	Target Relation
}

// FOILStep records the choice of one literal.
type FOILStep struct {
	Rule           int // from 0
	Literal        string
	P0, N0, P1, N1 int // positive and negative bindings before and after
	T              int // the positive bindings that are extended
	Gain           float64
	Candidates     int // how many literals were compared
}

// FOILGain returns the gain of a literal in bits, t·(log₂ p1/(p1+n1) − log₂ p0/(p0+n0)), or 0 if no
// positive binding is left. The literal turns p0 positive and n0 negative bindings into p1 and n1
// bindings; t of the p0 bindings have an extension.
//
// References: [Quinlan1990]. Course: RULE-06.
func FOILGain(p0, n0, p1, n1, t int) float64 {
	if p0 < 0 || n0 < 0 || p1 < 0 || n1 < 0 || t < 0 || t > p0 || t > p1 {
		panic(model.Errorf("FOILGain", "p0, n0, p1, n1 and t must not be negative, and t at most p0 and p1, got %d, %d, %d, %d and %d", p0, n0, p1, n1, t).
			WithHint("count the tuples before (p0, n0) and after (p1, n1) the literal"))
	}
	if t == 0 {
		return 0
	}
	return float64(t) * (math.Log2(float64(p1)/float64(p1+n1)) - math.Log2(float64(p0)/float64(p0+n0)))
}

// Learn learns rules for target. The argument negative lists tuples that are not in target; nil
// means all such tuples over the constants of the arguments' types.
func (f *FOIL) Learn(target Relation, negative [][]string) error {
	const op = "FOIL.Learn"
	f.Clauses, f.Steps, f.Uncovered, f.Wrong, f.Target = nil, nil, 0, 0, Relation{}
	if err := limits.Check(op,
		limits.NotNegative("MaxLiterals", f.MaxLiterals),
		limits.NotNegative("MaxVariables", f.MaxVariables),
		limits.NotNegative("MaxRules", f.MaxRules)); err != nil {
		return err
	}
	if !(f.MinPrecision >= 0 && f.MinPrecision <= 1) {
		return model.Errorf(op, "MinPrecision must be between 0 and 1, got %v", f.MinPrecision)
	}
	s, err := f.search(op, target, negative)
	if err != nil {
		return err
	}
	left := s.positive
	for len(left) > 0 && len(f.Clauses) < s.maxRules {
		mark := len(f.Steps)
		c, ok := s.learnRule(f, left)
		if !ok {
			f.Steps = f.Steps[:mark]
			break
		}
		var rest [][]int32
		for _, tuple := range left {
			if !s.covers(c, tuple) {
				rest = append(rest, tuple)
			}
		}
		if len(rest) == len(left) {
			f.Steps = f.Steps[:mark]
			break
		}
		left = rest
		f.Clauses = append(f.Clauses, c)
		s.committed = append(s.committed, s.descent...)
	}
	f.Uncovered = len(left)
	for _, tuple := range s.negative {
		for _, c := range f.Clauses {
			if s.covers(c, tuple) {
				f.Wrong++
				break
			}
		}
	}
	f.Target = target
	return nil
}

// String returns the rules as a Prolog program.
func (f *FOIL) String() string {
	lines := make([]string, len(f.Clauses))
	for i, c := range f.Clauses {
		lines[i] = c.String()
	}
	return strings.Join(lines, "\n")
}

// search assigns numbers to the constants, types and relations.
func (f *FOIL) search(op string, target Relation, negative [][]string) (*search, error) {
	w := newWorld()
	for _, r := range f.Background {
		if _, err := w.relation(op, r); err != nil {
			return nil, err
		}
	}
	t, err := w.relation(op, target)
	if err != nil {
		return nil, err
	}
	t.target = true
	if len(t.rows) == 0 {
		return nil, model.Errorf(op, "the target %q must have tuples", target.Name)
	}
	s := &search{
		world: w, target: t, positive: t.rows, constants: f.Constants, negation: !f.NoNegation, recursion: !f.NoRecursion,
		maxLiterals: or(f.MaxLiterals, 8), maxVariables: max(len(t.types), or(f.MaxVariables, 6)), maxRules: or(f.MaxRules, 20),
		precision: model.Or(f.MinPrecision, 1),
	}
	if negative == nil {
		s.negative, err = s.closedWorld(op)
		return s, err
	}
	for _, tuple := range negative {
		row, err := w.tuple(op, t, tuple)
		if err != nil {
			return nil, err
		}
		if t.set[key(row)] {
			return nil, model.Errorf(op, "the tuple %s%v must not be both positive and negative", target.Name, tuple)
		}
		s.negative = append(s.negative, row)
	}
	return s, nil
}

func or(value, usual int) int {
	if value == 0 {
		return usual
	}
	return value
}

// mostNegatives is the maximum number of closed-world tuples.
const mostNegatives = 2_000_000

// closedWorld lists the tuples that are not in the target.
func (s *search) closedWorld(op string) ([][]int32, error) {
	all := 1
	for _, typ := range s.target.types {
		if all *= len(s.byType[typ]); all > mostNegatives {
			return nil, model.Errorf(op, "the closed world must have at most %d tuples", mostNegatives).
				WithHint("pass the negative tuples, or narrower types")
		}
	}
	var negative [][]int32
	row := make([]int32, len(s.target.types))
	var fill func(a int)
	fill = func(a int) {
		if a == len(row) {
			if !s.target.set[key(row)] {
				negative = append(negative, append([]int32(nil), row...))
			}
			return
		}
		for _, k := range s.byType[s.target.types[a]] {
			row[a] = k
			fill(a + 1)
		}
	}
	fill(0)
	return negative, nil
}
