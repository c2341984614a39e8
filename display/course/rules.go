package course

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// Covering draws the rules of a list over the examples of a data set with two features. Each rule
// is the rectangle in which it holds, in the color of its class, with its number in the upper
// right corner. Where rectangles overlap, the rule with the smallest number decides.
func Covering(list rules.RuleList, d *data.Dataset) *chart.Chart {
	const op = "Covering"
	if d == nil || d.X == nil || d.X.Dense == nil || d.Y == nil {
		return failed(op, "the data set has no examples with classes")
	}
	if _, columns := d.X.Dims(); columns != 2 {
		return failed(op, "%s has %d features: choose two with Features, and fit the rules on them", d.Name, columns)
	}
	lo, hi := withMargin(column(d, 0)), withMargin(column(d, 1))
	c := Scatter(d).XRange(lo[0], lo[1]).YRange(hi[0], hi[1])
	classes := d.ClassNames()
	for k, r := range list.Rules {
		box := [2][2]float64{lo, hi}
		for _, q := range r.Conditions {
			if q.Feature > 1 || !q.Numeric {
				return failed(op, "the rule %q must use only the two features", r)
			}
			if names := d.FeatureNames(); !strings.Contains(q.Text, names[q.Feature]) && strings.Contains(q.Text, names[1-q.Feature]) {
				return failed(op, "the features must be in the order in which the rules were fitted, got %q, %q; swap them with d.Features(%q, %q)", names[0], names[1], names[1], names[0])
			}
			box[q.Feature][0], box[q.Feature][1] = math.Max(box[q.Feature][0], q.Above), math.Min(box[q.Feature][1], q.AtMost)
		}
		x, y := box[0], box[1]
		c.Polygon([]float64{x[0], x[1], x[1], x[0]}, []float64{y[0], y[0], y[1], y[1]}).Opacity(0.15)
		if at := slices.Index(classes, r.ClassName); at >= 0 {
			c.ClassColor(at)
		}
		// In the corner, at equal distances from both sides, or in the middle of a narrow
		// rectangle.
		at := func(side, all [2]float64, apart float64) []float64 {
			return []float64{math.Max(side[1]-apart*(all[1]-all[0]), (side[0]+side[1])/2)}
		}
		c.Label(at(x, lo, 0.025), at(y, hi, 0.04), []string{strconv.Itoa(k + 1)}).Centered()
	}
	return c.Title("Rules in the order in which they are asked, otherwise " + list.DefaultName)
}

// mostPairs is the maximum number of pairs of relations.
const mostPairs = 200

// RelationGraph draws a binary relation as arrows between its constants. Pairs that occur only in
// the further relations are dashed arrows; for example, r holds direct links, and a further
// relation holds reachable pairs.
func RelationGraph(r rules.Relation, more ...rules.Relation) *graph.Graph {
	g := graph.New().Right().Circles().Title(r.Name)
	known := map[[2]string]bool{}
	for k, of := range append([]rules.Relation{r}, more...) {
		if k > 0 {
			g.Title(r.Name + ", dashed what " + of.Name + " adds")
		}
		for _, t := range of.Tuples {
			if len(t) != 2 {
				return graph.Fail(fmt.Errorf("RelationGraph: tuples of %s must have two constants to be arrows, got %d", of.Name, len(t)))
			}
			pair := [2]string{t[0], t[1]}
			if known[pair] {
				continue
			}
			if known[pair] = true; len(known) > mostPairs {
				return graph.Fail(fmt.Errorf("RelationGraph: there are more than %d pairs: pass fewer", mostPairs))
			}
			if g.Edge(t[0], t[1]); k > 0 {
				g.Dashed()
			}
		}
	}
	if len(known) == 0 {
		return graph.Fail(fmt.Errorf("RelationGraph: %s has no tuples", r.Name))
	}
	return g
}

// withMargin returns the range of some values with a margin.
func withMargin(v []float64) [2]float64 {
	lo, hi := slices.Min(v), slices.Max(v)
	margin := 0.05 * (hi - lo)
	if margin == 0 {
		margin = 0.5
	}
	return [2]float64{lo - margin, hi + margin}
}

// VersionLattice draws the hypotheses that remain after candidate elimination, with the most
// general hypotheses at the top. Lines join each hypothesis to the hypotheses that are directly
// more specific. The boundary sets G and S are colored.
func VersionLattice(c *rules.CandidateElimination) *graph.Graph {
	if c == nil || len(c.Specific) == 0 {
		return graph.Fail(errors.New("VersionLattice: no hypothesis is left; the examples contradict each other, or the target is not a conjunction"))
	}
	all, err := members(c)
	if err == nil && len(all) > mostHypotheses {
		err = fmt.Errorf("%d hypotheses are left; at most %d can be drawn: learn from more examples first", len(all), mostHypotheses)
	}
	if err != nil {
		return graph.Fail(fmt.Errorf("VersionLattice: %w", err))
	}
	g := graph.New().Undirected().Title(fmt.Sprintf("Version space: %d hypotheses, G at the top, S at the bottom", len(all)))
	if len(all) == 1 {
		g.Title("Version space: 1 hypothesis")
	}
	fixed := func(h rules.NominalHypothesis) int {
		n := 0
		for _, v := range h {
			if v != rules.AnyValue {
				n++
			}
		}
		if slices.Contains(h, rules.NoValue) {
			n++ // below all hypotheses that fix every attribute
		}
		return n
	}
	fewest := math.MaxInt
	for _, h := range all {
		fewest = min(fewest, fixed(h))
	}
	for i, h := range all {
		id := strconv.Itoa(i)
		g.Node(id, c.Describe(h)).Layer(fixed(h)-fewest, id)
		is := func(other rules.NominalHypothesis) bool { return slices.Equal(h, other) }
		switch {
		case slices.ContainsFunc(c.Specific, is):
			g.Class(id, 1)
		case slices.ContainsFunc(c.General, is):
			g.Class(id, 0)
		}
	}
	above := func(a, b rules.NominalHypothesis) bool { return a.Covers(b) && !b.Covers(a) }
	for i, a := range all {
		for j, b := range all {
			if above(a, b) && !slices.ContainsFunc(all, func(h rules.NominalHypothesis) bool { return above(a, h) && above(h, b) }) {
				g.Edge(strconv.Itoa(i), strconv.Itoa(j))
			}
		}
	}
	return g
}

// members returns the hypotheses of a version space. If there are too many, it returns an error
// instead of the panic.
func members(c *rules.CandidateElimination) (all []rules.NominalHypothesis, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return c.Members(), nil
}

// rulesTable makes a table of a value of package rules, if it has one.
func rulesTable(v any) (*table.Table, bool) {
	switch v := v.(type) {
	case rules.RuleList:
		t := ruleTable(append(slices.Clone(v.Rules), tree.TreeRule{ClassName: v.DefaultName, Counts: v.DefaultCounts}))
		return t.Caption("The first rule that holds decides."), true
	case []rules.CoveringStep:
		return table.New(records(v)).Names("rule", "positive", "negative", "left over").Caption("Examples that each rule covered when it was learned"), true
	case []rules.FOILStep:
		g := grid{head: []string{"rule", "literal", "p₀", "n₀", "p₁", "n₁", "t", "gain", "compared"}}
		for _, s := range v {
			g.rows = append(g.rows, []any{s.Rule + 1, s.Literal, s.P0, s.N0, s.P1, s.N1, s.T, s.Gain, s.Candidates})
		}
		return table.New(g).Digits("gain", 2).Bars("gain"), true
	case []rules.AssociationRule:
		g := grid{head: []string{"if", "then", "support", "confidence", "lift", "leverage", "conviction"}}
		for _, r := range v {
			g.rows = append(g.rows, []any{strings.Join(r.If, ", "), strings.Join(r.Then, ", "), r.Support, r.Confidence, r.Lift, r.Leverage, r.Conviction})
		}
		return table.New(g).Digits("lift", 3).Digits("leverage", 3).Digits("conviction", 3).Bars("confidence").Rows(30), true
	case *rules.Itemsets:
		if v != nil {
			return itemsetTable(v.Sets).Caption(fmt.Sprintf("Sets of items in at least %s of %d", count(v.MinCount, "transaction"), v.Transactions)), true
		}
	case []rules.Itemset:
		return itemsetTable(v), true
	case []rules.AprioriLevel:
		return table.New(records(v)).Names("size", "joined", "pruned", "counted", "frequent"), true
	}
	return nil, false
}

func itemsetTable(sets []rules.Itemset) *table.Table {
	g := grid{head: []string{"items", "transactions", "support"}}
	for _, s := range sets {
		g.rows = append(g.rows, []any{strings.Join(s.Items, ", "), s.Count, s.Support})
	}
	return table.New(g).Bars("support").Rows(30)
}
