package rules

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// RuleList is an ordered list of rules. The first rule that holds decides; if none holds, the class
// is Default. For each class, the Counts of a rule hold the number of training examples for which
// the rule is the first rule that holds.
//
// Course: RULE-01.
type RuleList struct {
	Rules         []tree.TreeRule
	Default       int
	DefaultName   string
	DefaultCounts []float64
}

// String returns the list with one rule per line, and the default class last.
func (l RuleList) String() string {
	var b strings.Builder
	for _, r := range l.Rules {
		b.WriteString(r.String() + "\n")
	}
	return b.String() + "otherwise " + l.DefaultName
}

// First returns the position of the first rule that holds for a row, or −1 if no rule holds.
func (l RuleList) First(row []float64) int {
	return slices.IndexFunc(l.Rules, func(r tree.TreeRule) bool { return r.Holds(row) })
}

// Class returns the class of a row.
func (l RuleList) Class(row []float64) int {
	if k := l.First(row); k >= 0 {
		return l.Rules[k].Class
	}
	return l.Default
}

// learned is the fitted state that the learners of rule lists have in common.
type learned struct {
	classes []int
	columns int
}

func (l *learned) predict(op string, list *RuleList, x mat.Matrix) []int {
	if l.classes == nil {
		panic(model.NotFitted(op))
	}
	d := model.Takes{Nominal: true}.MustRows(op, x, l.columns)
	out := make([]int, d.RawMatrix().Rows)
	for i := range out {
		out[i] = list.Class(d.RawRowView(i))
	}
	return out
}

// examples are the training examples of a learner of rules.
type examples struct {
	d       *mat.Dense
	columns []model.Column
	target  model.Column
	classes []int
	y       []int // positions in classes
}

func readExamples(op string, x mat.Matrix, y []int) (*examples, error) {
	d, err := model.Takes{Nominal: true}.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	e := &examples{d: d, columns: model.ColumnsOf(x)}
	if t, ok := x.(*model.Table); ok {
		e.target = t.Target
	}
	e.classes, e.y = model.Classes(y)
	return e, nil
}

// all returns the indices of all rows.
func (e *examples) all() []int { return ascending(len(e.y)) }

// name returns the name of the class at position k.
func (e *examples) name(k int) string {
	if c := e.classes[k]; c >= 0 && c < len(e.target.Levels) {
		return e.target.Levels[c]
	}
	return strconv.Itoa(e.classes[k])
}

// counts returns how many of the rows are of each class.
func (e *examples) counts(rows []int) []float64 {
	n := make([]float64, len(e.classes))
	for _, i := range rows {
		n[e.y[i]]++
	}
	return n
}

// rule returns the rule without conditions for class k.
func (e *examples) rule(k int) tree.TreeRule {
	return tree.TreeRule{Class: e.classes[k], ClassName: e.name(k)}
}

// covered returns the rows for which a rule holds, and the others.
func (e *examples) covered(r tree.TreeRule, rows []int) (in, out []int) {
	for _, i := range rows {
		if r.Holds(e.d.RawRowView(i)) {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
	}
	return in, out
}

// finish fills in the counts of a list and chooses its default: the majority class of the examples
// for which no rule holds, or of all examples if some rule holds for each.
func (e *examples) finish(rules []tree.TreeRule) RuleList {
	list := RuleList{Rules: rules}
	rest := e.all()
	for i := range rules {
		var in []int
		in, rest = e.covered(rules[i], rest)
		rules[i].Counts = e.counts(in)
	}
	list.DefaultCounts = e.counts(rest)
	decide := list.DefaultCounts
	if len(rest) == 0 {
		decide = e.counts(e.all())
	}
	k := 0
	for c, n := range decide {
		if n > decide[k] {
			k = c
		}
	}
	list.Default, list.DefaultName = e.classes[k], e.name(k)
	return list
}

// question is a condition that can be added to a rule.
type question struct {
	feature int
	level   int // of a nominal feature
	cut     float64
	above   bool
}

func (e *examples) condition(q question) tree.TreeCondition {
	c := tree.TreeCondition{Feature: q.feature, Above: math.Inf(-1), AtMost: math.Inf(1)}
	switch {
	case e.nominal(q.feature):
		c.Levels = []int{q.level}
	case q.above:
		c.Numeric, c.Above = true, q.cut
	default:
		c.Numeric, c.AtMost = true, q.cut
	}
	return c
}

func (e *examples) nominal(j int) bool { return e.columns[j].Kind == model.Nominal }

// questions calls f with each condition that some rows satisfy and others do not, and with the
// numbers of positive and negative rows that satisfy it.
func (e *examples) questions(rows []int, positive func(i int) bool, f func(q question, p, n int)) {
	order := slices.Clone(rows)
	raw := e.d.RawMatrix()
	sides := func(i int) (p, n int) {
		if positive(i) {
			return 1, 0
		}
		return 0, 1
	}
	total, totalN := 0, 0
	for _, i := range rows {
		p, n := sides(i)
		total, totalN = total+p, totalN+n
	}
	for j := range e.columns {
		at := func(i int) float64 { return raw.Data[i*raw.Stride+j] }
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(at(a), at(b)) })
		p, n, begin := 0, 0, 0
		for k, i := range order {
			dp, dn := sides(i)
			p, n = p+dp, n+dn
			last := k == len(order)-1
			if !last && at(order[k+1]) == at(i) {
				continue
			}
			switch {
			case e.nominal(j):
				if k+1-begin < len(order) {
					f(question{feature: j, level: int(at(i))}, p, n)
				}
				p, n, begin = 0, 0, k+1
			case !last:
				cut := at(i) + (at(order[k+1])-at(i))/2
				if cut >= at(order[k+1]) {
					cut = at(i)
				}
				f(question{feature: j, cut: cut}, p, n)
				f(question{feature: j, cut: cut, above: true}, total-p, totalN-n)
			}
		}
	}
}

// possible returns the number of possible conditions.
func (e *examples) possible() int {
	n := 0
	e.questions(e.all(), func(int) bool { return true }, func(question, int, int) { n++ })
	return n
}
