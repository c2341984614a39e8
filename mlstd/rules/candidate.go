package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// AnyValue marks an attribute for which a hypothesis accepts every level, and NoValue an attribute
// for which it accepts no level.
const (
	AnyValue = -1
	NoValue  = -2
)

// NominalHypothesis is a conjunction over nominal attributes. For each attribute it has the
// required level, AnyValue or NoValue.
type NominalHypothesis []int

// Holds reports whether the hypothesis covers a row of levels.
func (h NominalHypothesis) Holds(row []float64) bool {
	for j, v := range h {
		if v != AnyValue && float64(v) != row[j] {
			return false
		}
	}
	return true
}

// empty reports whether the hypothesis covers nothing.
func (h NominalHypothesis) empty() bool { return slices.Contains(h, NoValue) }

// Covers reports whether h is at least as general as other: whether h covers every row that other
// covers.
func (h NominalHypothesis) Covers(other NominalHypothesis) bool {
	if other.empty() {
		return true
	}
	for j, v := range h {
		if v != AnyValue && v != other[j] {
			return false
		}
	}
	return true
}

// CandidateElimination learns the version space: all conjunctions over nominal attributes that are
// consistent with the examples. It represents the version space by its two boundary sets.
//
//	VS = {h : s ≤ h ≤ g for some s ∈ S and g ∈ G}
//
// S is the set of the most specific hypotheses, and G is the set of the most general hypotheses; h
// ≤ g if g covers all rows that h covers.
//
//  1. Begin with S = the hypothesis that covers nothing, and G = the hypothesis that covers
//     everything.
//  2. For a positive example, remove the hypotheses of G that do not cover the example, and
//     generalize S minimally so that S covers the example.
//  3. For a negative example, remove the hypotheses of S that cover the example. Replace each
//     member of G that covers the example by its minimal specializations that do not cover the
//     example and are more general than S.
//
// If S and G are empty, no conjunction is consistent with the examples: the target is not a
// conjunction, or an example is mislabeled.
//
// Cost: O(|G|·Σ levels) per example. G may grow exponentially with the number of examples; S has at
// most one member.
//
// References: [Mitchell1997], section 2.5. Course: RULE-11.
type CandidateElimination struct {
	Columns           []model.Column
	Specific, General []NominalHypothesis // S and G
	Steps             []VersionSpaceStep  // one after each example
}

// VersionSpaceStep holds S and G after one example.
type VersionSpaceStep struct {
	Specific, General []NominalHypothesis
}

// NewCandidateElimination returns a learner that starts with all conjunctions over nominal columns,
// such as the columns of a [model.Table].
func NewCandidateElimination(columns []model.Column) *CandidateElimination {
	const op = "NewCandidateElimination"
	if len(columns) == 0 {
		panic(model.Errorf(op, "Columns must not be empty"))
	}
	for j, c := range columns {
		if c.Kind != model.Nominal || len(c.Levels) == 0 {
			panic(model.Errorf(op, "column %d, %q, must be nominal", j, c.Name).
				WithHint("set its Kind to Nominal, and its Levels to the names of its values"))
		}
	}
	n := len(columns)
	return &CandidateElimination{
		Columns:  slices.Clone(columns),
		Specific: []NominalHypothesis{slices.Repeat(NominalHypothesis{NoValue}, n)},
		General:  []NominalHypothesis{slices.Repeat(NominalHypothesis{AnyValue}, n)},
	}
}

// check panics unless row has a level of each column.
func (c *CandidateElimination) check(op string, row []float64) {
	if len(row) != len(c.Columns) {
		panic(model.Errorf(op, "the example must have %d values, got %d", len(c.Columns), len(row)))
	}
	for j, v := range row {
		if k := int(v); float64(k) != v || k < 0 || k >= len(c.Columns[j].Levels) {
			panic(model.Errorf(op, "value %d must be the index of one of the %d levels of %q, got %v", j, len(c.Columns[j].Levels), c.Columns[j].Name, v))
		}
	}
}

// Learn updates S and G for one example, a row of levels.
func (c *CandidateElimination) Learn(row []float64, positive bool) {
	c.check("CandidateElimination.Learn", row)
	if positive {
		c.General = slices.DeleteFunc(slices.Clone(c.General), func(g NominalHypothesis) bool { return !g.Holds(row) })
		var specific []NominalHypothesis
		for _, s := range c.Specific {
			if s = generalize(s, row); slices.ContainsFunc(c.General, func(g NominalHypothesis) bool { return g.Covers(s) }) {
				specific = append(specific, s)
			}
		}
		c.Specific = specific
	} else {
		c.Specific = slices.DeleteFunc(slices.Clone(c.Specific), func(s NominalHypothesis) bool { return s.Holds(row) })
		var general []NominalHypothesis
		for _, g := range c.General {
			if g.Holds(row) {
				general = append(general, c.specialize(g, row)...)
			} else {
				general = append(general, g)
			}
		}
		c.General = mostGeneral(general)
	}
	if len(c.Specific) == 0 || len(c.General) == 0 {
		c.Specific, c.General = nil, nil
	}
	c.Steps = append(c.Steps, VersionSpaceStep{slices.Clone(c.Specific), slices.Clone(c.General)})
}

// generalize returns the most specific hypothesis that covers s and the row.
func generalize(s NominalHypothesis, row []float64) NominalHypothesis {
	out := slices.Clone(s)
	empty := s.empty()
	for j, v := range row {
		switch {
		case empty:
			out[j] = int(v)
		case out[j] != int(v):
			out[j] = AnyValue
		}
	}
	return out
}

// specialize returns the most general hypotheses below g that do not cover the row
// and are above a member of S.
func (c *CandidateElimination) specialize(g NominalHypothesis, row []float64) []NominalHypothesis {
	var all []NominalHypothesis
	above := func(h NominalHypothesis) bool {
		return slices.ContainsFunc(c.Specific, func(s NominalHypothesis) bool { return h.Covers(s) })
	}
	for j, v := range g {
		if v != AnyValue {
			continue
		}
		for k := range c.Columns[j].Levels {
			if k == int(row[j]) {
				continue
			}
			h := slices.Clone(g)
			if h[j] = k; above(h) {
				all = append(all, h)
			}
		}
	}
	if none := slices.Repeat(NominalHypothesis{NoValue}, len(g)); len(all) == 0 && slices.ContainsFunc(c.Specific, NominalHypothesis.empty) {
		all = append(all, none)
	}
	return all
}

// mostGeneral removes the hypotheses that are more specific than another one.
func mostGeneral(all []NominalHypothesis) []NominalHypothesis {
	var kept []NominalHypothesis
	for i, h := range all {
		below := false
		for j, g := range all {
			if i != j && g.Covers(h) && (!h.Covers(g) || j < i) {
				below = true
			}
		}
		if !below {
			kept = append(kept, h)
		}
	}
	return kept
}

// Classify returns +1 when every hypothesis of the version space covers the row, −1 when no
// hypothesis covers it, and 0 when the hypotheses disagree or the version space is empty.
func (c *CandidateElimination) Classify(row []float64) int {
	c.check("CandidateElimination.Classify", row)
	if len(c.Specific) == 0 {
		return 0
	}
	covers := func(h NominalHypothesis) bool { return h.Holds(row) }
	switch {
	case !slices.ContainsFunc(c.Specific, func(h NominalHypothesis) bool { return !covers(h) }):
		return 1
	case !slices.ContainsFunc(c.General, covers):
		return -1
	}
	return 0
}

// mostMembers is the maximum number of hypotheses that Members lists.
const mostMembers = 100_000

// Members returns the hypotheses of the version space, the most specific hypotheses first.
//
// Cost: a version space may have exponentially many members.
func (c *CandidateElimination) Members() []NominalHypothesis {
	seen := map[string]bool{}
	var all []NominalHypothesis
	put := func(h NominalHypothesis) {
		ids := make([]int32, len(h))
		for j, v := range h {
			ids[j] = int32(v)
		}
		if k := key(ids); !seen[k] {
			seen[k] = true
			all = append(all, slices.Clone(h))
		}
		if len(all) > mostMembers {
			panic(model.Errorf("CandidateElimination.Members", "there must be at most %d hypotheses to list", mostMembers).
				WithHint("learn from more examples first"))
		}
	}
	for _, s := range c.Specific {
		for _, g := range c.General {
			if !g.Covers(s) {
				continue
			}
			if s.empty() {
				put(s)
			}
			if !g.empty() {
				c.between(s, g, slices.Clone(g), 0, put)
			}
		}
	}
	wide := func(h NominalHypothesis) int {
		n := 0
		for _, v := range h {
			if v == AnyValue {
				n++
			}
		}
		if h.empty() {
			return math.MinInt
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b NominalHypothesis) int { return cmp.Compare(wide(a), wide(b)) })
	return all
}

// between adds the hypotheses from g down to s that agree with h on the attributes before j.
func (c *CandidateElimination) between(s, g, h NominalHypothesis, j int, put func(NominalHypothesis)) {
	if j == len(h) {
		put(h)
		return
	}
	h[j] = g[j]
	c.between(s, g, h, j+1, put)
	if g[j] != AnyValue || s[j] == AnyValue {
		return
	}
	levels := []int{s[j]}
	if s.empty() {
		levels = ascending(len(c.Columns[j].Levels))
	}
	for _, k := range levels {
		h[j] = k
		c.between(s, g, h, j+1, put)
	}
	h[j] = g[j]
}

// Describe returns a hypothesis as text with the names of the levels, such as "⟨Sunny, Warm, ?,
// Strong, ?, ?⟩".
func (c *CandidateElimination) Describe(h NominalHypothesis) string {
	parts := make([]string, len(h))
	for j, v := range h {
		switch v {
		case AnyValue:
			parts[j] = "?"
		case NoValue:
			parts[j] = "∅"
		default:
			parts[j] = c.Columns[j].Levels[v]
		}
	}
	return "⟨" + strings.Join(parts, ", ") + "⟩"
}
