package rules

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// RIPPER learns a short list of rules. Each rule is grown on one part of the examples and pruned on
// the other part. The description length decides when to stop, and the rules are then revised one
// by one.
//
//	DL = Σ bits of the rules + log₂ C(covered, false positives) + log₂ C(others, false negatives)
//
// The description of a rule with k of m possible conditions has ½·(log₂ k + k·log₂ m/k + (m−k)·log₂
// m/(m−k)) bits.
//
// Fit processes the classes from the rarest to the most frequent, which is the default class. Each
// class is learned against all later classes:
//
//  1. Draw two thirds of the examples as the growing set; the other third is the pruning set. Grow
//     a rule by the gain of FOIL until it covers no negative example of the growing set. Of the
//     rule's prefixes, keep the prefix with the largest (p − n)/(p + n) on the pruning set.
//  2. Stop if more than half of the examples that the rule covers in the pruning set are negative,
//     or if the description length is 64 bits above the minimum so far. Otherwise, remove the
//     examples that the rule covers and continue.
//  3. Repeat Passes times: for each rule, grow a replacement from scratch and a revision from the
//     rule, both pruned by the errors of the whole list. Of the three rules, keep the one with the
//     minimum description length. Then learn rules for the examples that are not covered.
//  4. Drop each rule whose removal shortens the description.
//
// The rules are few and short; RIPPER deliberately leaves some training examples misclassified. The
// random draws depend on the order of the rows.
//
// Cost: about O(d·n·log² n) per pass and class.
//
// References: [Cohen1995], [FurnkranzWidmer1994]. Course: RULE-02.
type RIPPER struct {
	// Passes is the number of optimization passes over the rules; 0 means 2, −1 means none. More
	// passes take longer and often leave fewer rules.
	Passes int
	// MinCover is the minimum number of positive examples that a rule must cover when it is grown;
	// 0 means 2. A larger value leads to fewer, more general rules.
	MinCover int
	// NoPruning makes Fit grow the rules on all examples and skip pruning.
	NoPruning bool
	// Seed is the random seed for drawing the growing sets.
	Seed uint64

	List RuleList // set by Fit

	learned

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Classifier = (*RIPPER)(nil)

// Takes reports that nominal columns are accepted.
func (r *RIPPER) Takes() model.Takes { return model.Takes{Nominal: true} }

// Classes lists the classes in ascending order.
func (r *RIPPER) Classes() []int { return slices.Clone(r.classes) }

// Predict returns, for each row, the class of the first rule that holds.
func (r *RIPPER) Predict(x mat.Matrix) []int {
	x = model.MustRead("RIPPER.Predict", &r.Fitted, x)
	return r.predict("RIPPER.Predict", &r.List, x)
}

// Fit learns the rules.
func (r *RIPPER) Fit(x mat.Matrix, y []int) error {
	const op = "RIPPER.Fit"
	model.NoteXY(&r.Fitted, x, y)
	r.List, r.learned = RuleList{}, learned{}
	if err := limits.Check(op,
		limits.Must("Passes", r.Passes, r.Passes >= -1, "be at least -1 (none)"),
		limits.NotNegative("MinCover", r.MinCover)); err != nil {
		return err
	}
	e, err := readExamples(op, x, y)
	if err != nil {
		return err
	}
	var rules []tree.TreeRule
	rows, order := e.all(), e.byFrequency()
	possible := float64(e.possible())
	for at, k := range order[:len(order)-1] {
		c := &contest{
			examples: e, class: k, rows: rows, possible: possible, minCover: or(r.MinCover, 2), prune: !r.NoPruning,
			seed: r.Seed, stream: uint64(at) << 32,
		}
		list := c.grown(nil)
		for range max(0, or(r.Passes, 2)) {
			list = c.optimize(list)
		}
		list = c.shorten(list)
		for _, rule := range list {
			_, rows = e.covered(rule, rows)
		}
		rules = append(rules, list...)
	}
	r.List = e.finish(rules)
	r.learned = learned{e.classes, len(e.columns)}
	return nil
}

// contest is the state of learning one class against the others among rows.
type contest struct {
	*examples
	class        int
	rows         []int
	possible     float64
	minCover     int
	prune        bool
	seed, stream uint64
}

func (c *contest) positive(i int) bool { return c.y[i] == c.class }

func (c *contest) split(rows []int) (p, n int) {
	for _, i := range rows {
		if c.positive(i) {
			p++
		}
	}
	return p, len(rows) - p
}

// parts draws two thirds of rows to grow and one third to prune, with the same fraction of
// positives in both.
func (c *contest) parts(rows []int) (grow, prune []int) {
	if !c.prune {
		return rows, nil
	}
	rng := model.Rand(c.seed, c.stream)
	c.stream++
	var sides [2][]int
	for _, i := range rows {
		if c.positive(i) {
			sides[0] = append(sides[0], i)
		} else {
			sides[1] = append(sides[1], i)
		}
	}
	for _, side := range sides {
		rng.Shuffle(len(side), func(a, b int) { side[a], side[b] = side[b], side[a] })
		cut := len(side) - len(side)/3
		grow, prune = append(grow, side[:cut]...), append(prune, side[cut:]...)
	}
	return grow, prune
}

// grow adds conditions to a rule by the gain of FOIL. Each entry of the result has
// one condition more than the one before it.
func (c *contest) grow(start tree.TreeRule, rows []int) []tree.TreeRule {
	beginnings := []tree.TreeRule{start}
	rows, _ = c.covered(start, rows)
	for {
		p0, n0 := c.split(rows)
		if n0 == 0 {
			return beginnings
		}
		best, gain := question{feature: -1}, 1e-12
		c.questions(rows, c.positive, func(q question, p, n int) {
			if p >= c.minCover {
				if g := FOILGain(p0, n0, p, n, p); g > gain {
					best, gain = q, g
				}
			}
		})
		if best.feature < 0 {
			return beginnings
		}
		start = start.And(c.condition(best), c.columns)
		beginnings = append(beginnings, start)
		rows, _ = c.covered(start, rows)
	}
}

// grown appends learned rules to list until the description length is too large.
func (c *contest) grown(list []tree.TreeRule) []tree.TreeRule {
	least := c.length(list)
	rows := c.rows
	for _, r := range list {
		_, rows = c.covered(r, rows)
	}
	for {
		if p, n := c.split(rows); p == 0 || n == 0 && len(list) > 0 {
			return list
		}
		grow, prune := c.parts(rows)
		rule := c.best(c.grow(c.rule(c.class), grow), func(r tree.TreeRule) float64 {
			in, _ := c.covered(r, prune)
			p, n := c.split(in)
			if p+n == 0 {
				return -1
			}
			return float64(p-n) / float64(p+n)
		})
		if len(rule.Conditions) == 0 {
			return list
		}
		in, _ := c.covered(rule, prune)
		if p, n := c.split(in); c.prune && n > p {
			return list
		}
		in, rest := c.covered(rule, rows)
		if p, _ := c.split(in); p == 0 {
			return list
		}
		longer := append(slices.Clone(list), rule)
		dl := c.length(longer)
		if dl > least+64 {
			return list
		}
		least = min(least, dl)
		list, rows = longer, rest
	}
}

// best returns the prefix with the largest value, the shortest one on ties. Without pruning it
// returns the longest.
func (c *contest) best(beginnings []tree.TreeRule, value func(tree.TreeRule) float64) tree.TreeRule {
	last := beginnings[len(beginnings)-1]
	if !c.prune || len(beginnings) == 1 {
		return last
	}
	best, top := last, math.Inf(-1)
	for _, r := range beginnings[1:] {
		if v := value(r); v > top {
			best, top = r, v
		}
	}
	return best
}

// optimize tries, for each rule, a replacement and a revision grown from the rule.
func (c *contest) optimize(list []tree.TreeRule) []tree.TreeRule {
	list = slices.Clone(list)
	for k := range list {
		rows := c.rows
		for j, r := range list {
			if j != k {
				_, rows = c.covered(r, rows)
			}
		}
		grow, prune := c.parts(rows)
		// value counts the errors of the whole list on the examples to prune; the other rules hold
		// for none of these.
		value := func(r tree.TreeRule) float64 {
			in, out := c.covered(r, prune)
			_, wrong := c.split(in)
			missed, _ := c.split(out)
			return -float64(wrong + missed)
		}
		best, least := list[k], c.length(list)
		for _, start := range []tree.TreeRule{c.rule(c.class), list[k]} {
			r := c.best(c.grow(start, grow), value)
			if len(r.Conditions) == 0 {
				continue
			}
			trial := slices.Clone(list)
			trial[k] = r
			if dl := c.length(trial); dl < least {
				best, least = r, dl
			}
		}
		list[k] = best
	}
	return c.grown(list)
}

// shorten drops rules, starting from the last, while the description gets shorter.
func (c *contest) shorten(list []tree.TreeRule) []tree.TreeRule {
	for k := len(list) - 1; k >= 0; k-- {
		if without := slices.Delete(slices.Clone(list), k, k+1); c.length(without) < c.length(list) {
			list = without
		}
	}
	return list
}

// length returns the description length of a list of rules and its exceptions, in bits.
func (c *contest) length(list []tree.TreeRule) float64 {
	bits := 0.0
	for _, r := range list {
		k, m := float64(len(r.Conditions)), c.possible
		if k > 0 && m > 0 {
			bits += math.Log2(k) + k*math.Log2(max(1, m/k))
		}
		if m > k {
			bits += (m - k) * math.Log2(m/(m-k))
		}
	}
	rest := c.rows
	covered, wrong := 0, 0
	for _, r := range list {
		var in []int
		in, rest = c.covered(r, rest)
		_, n := c.split(in)
		covered, wrong = covered+len(in), wrong+n
	}
	missed, _ := c.split(rest)
	return bits/2 + logChoose(covered, wrong) + logChoose(len(rest), missed)
}

// logChoose returns log₂ of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	log := func(v int) float64 {
		g, _ := math.Lgamma(float64(v + 1))
		return g
	}
	return (log(n) - log(k) - log(n-k)) / math.Ln2
}
