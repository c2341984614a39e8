package rules

import (
	"math"
	"slices"
)

// search is the state of one run of FOIL.
type search struct {
	*world
	target             *table
	positive, negative [][]int32
	constants          []string
	negation           bool
	recursion          bool
	maxLiterals        int
	maxVariables       int
	maxRules           int
	precision          float64

	// committed has the pairs of constants along which the recursion of the rules so far descends,
	// descent those of the current rule. argument is the argument that descends in all rules.
	committed, descent [][2]int32
	argument           int
}

// draft is a rule that is being grown, with the bindings of its variables.
type draft struct {
	clause             Clause
	types              []int // the types of the variables
	positive, negative [][]int32
}

// learnRule grows one rule that covers some of the remaining tuples.
func (s *search) learnRule(f *FOIL, left [][]int32) (Clause, bool) {
	d := &draft{
		clause: Clause{Name: s.target.name, Args: len(s.target.types)}, types: slices.Clone(s.target.types),
		positive: left, negative: s.negative,
	}
	s.descent = nil
	for len(d.negative) > 0 && len(d.clause.Body) < s.maxLiterals {
		step, best, ok := s.best(d)
		if !ok {
			if !s.addDeterminate(d) {
				break
			}
			continue
		}
		step.Rule = len(f.Clauses)
		f.Steps = append(f.Steps, step)
		s.add(d, best)
	}
	p, n := s.covered(d.clause, left)
	if p == 0 || float64(p) < s.precision*float64(p+n) {
		return d.clause, false
	}
	return s.shorten(d.clause, left, n), true
}

// best compares all literals. Of literals with equal gain, the first wins.
func (s *search) best(d *draft) (FOILStep, Literal, bool) {
	var best Literal
	step := FOILStep{P0: len(d.positive), N0: len(d.negative)}
	for _, l := range s.candidates(d) {
		step.Candidates++
		if l.Kind == InRelation && l.Name == s.target.name {
			if _, _, ok := s.descends(d.clause, l); !ok {
				continue
			}
		}
		t, p1 := s.count(l, d.positive, len(d.types))
		if t == 0 {
			continue
		}
		_, n1 := s.count(l, d.negative, len(d.types))
		if gain := FOILGain(step.P0, step.N0, p1, n1, t); gain > step.Gain+1e-9 {
			step.Gain, step.P1, step.N1, step.T, best = gain, p1, n1, t, l
		}
	}
	step.Literal = best.String()
	return step, best, step.Gain > 0
}

// add adds a literal to the rule and extends its bindings.
func (s *search) add(d *draft, l Literal) {
	width := len(d.types)
	if l.Kind == InRelation && l.Name == s.target.name {
		edges, argument, _ := s.descends(d.clause, l)
		s.descent, s.argument = append(s.descent, edges...), argument
	}
	d.clause.Body = append(d.clause.Body, l)
	if l.Kind == InRelation && !l.Negated {
		for a, v := range l.Args {
			if v == len(d.types) {
				d.types = append(d.types, s.tables[l.Name].types[a])
			}
		}
	}
	d.positive = s.extend(l, d.positive, width, len(d.types))
	d.negative = s.extend(l, d.negative, width, len(d.types))
}

// addDeterminate adds the literals that give new variables exactly one value in
// each positive binding, and at most one in each negative one. They gain nothing by
// themselves.
func (s *search) addDeterminate(d *draft) bool {
	width, added := len(d.types), false
	for _, l := range s.candidates(d) {
		if l.Kind != InRelation || l.Negated || l.Name == s.target.name || slices.Max(l.Args) < width {
			continue
		}
		if len(d.clause.Body) >= s.maxLiterals-1 || s.fresh(l, width)+len(d.types) > s.maxVariables {
			break
		}
		single := func(bindings [][]int32, least int) bool {
			for _, b := range bindings {
				if n := s.ways(l, b, width, nil); n < least || n > 1 {
					return false
				}
			}
			return true
		}
		if !single(d.positive, 1) || !single(d.negative, 0) {
			continue
		}
		// Variables that other literals of this round introduced come first.
		moved := l
		moved.Args = slices.Clone(l.Args)
		for a, v := range moved.Args {
			if v >= width {
				moved.Args[a] = v - width + len(d.types)
			}
		}
		s.add(d, moved)
		added = true
	}
	return added
}

func (s *search) fresh(l Literal, width int) int { return max(0, slices.Max(l.Args)-width+1) }

// shorten drops the literals without which the rule covers no more than n negative
// tuples, the last ones first.
func (s *search) shorten(c Clause, left [][]int32, n int) Clause {
	for i := len(c.Body) - 1; i >= 0 && len(c.Body) > 1; i-- {
		shorter := c
		shorter.Body = slices.Delete(slices.Clone(c.Body), i, i+1)
		if !s.safe(shorter) {
			continue
		}
		shorter = compact(shorter)
		if _, wrong := s.covered(shorter, left); wrong <= n && s.terminates(shorter) {
			c = shorter
		}
	}
	return c
}

// safe reports whether each literal has a variable that is bound before it. For literals that bind
// no variables, all variables must be bound.
func (s *search) safe(c Clause) bool {
	bound := map[int]bool{}
	for v := range c.Args {
		bound[v] = true
	}
	for _, l := range c.Body {
		known := 0
		for _, v := range l.Args {
			if bound[v] {
				known++
			}
		}
		if known == 0 || known < len(l.Args) && l.Kind != InRelation {
			return false
		}
		if l.Kind == InRelation && !l.Negated {
			for _, v := range l.Args {
				bound[v] = true
			}
		}
	}
	return true
}

// compact numbers the variables in the order in which they occur.
func compact(c Clause) Clause {
	numbers := map[int]int{}
	for v := range c.Args {
		numbers[v] = v
	}
	body := make([]Literal, len(c.Body))
	for i, l := range c.Body {
		args := make([]int, len(l.Args))
		free := map[int]int{} // the free variables of a negated literal, which binds nothing
		for a, v := range l.Args {
			k, ok := numbers[v]
			if !ok {
				if k, ok = free[v]; !ok {
					k = len(numbers) + len(free)
					free[v] = k
				}
			}
			args[a] = k
		}
		if !l.Negated {
			for v, k := range free {
				numbers[v] = k
			}
		}
		body[i] = l
		body[i].Args = args
	}
	c.Body = body
	return c
}

// covered counts the tuples of left and the negative ones that the rule covers.
func (s *search) covered(c Clause, left [][]int32) (p, n int) {
	for _, tuple := range left {
		if s.covers(c, tuple) {
			p++
		}
	}
	for _, tuple := range s.negative {
		if s.covers(c, tuple) {
			n++
		}
	}
	return p, n
}

// covers reports whether the body holds for a tuple, where the target holds for its given tuples.
func (s *search) covers(c Clause, tuple []int32) bool { return s.holds(c.Body, tuple) }

func (s *search) holds(body []Literal, binding []int32) bool {
	if len(body) == 0 {
		return true
	}
	found := false
	s.ways(body[0], binding, len(binding), func(extended []int32) bool {
		found = s.holds(body[1:], extended)
		return !found
	})
	return found
}

// count returns how many bindings a literal extends, and to how many.
func (s *search) count(l Literal, bindings [][]int32, width int) (kept, extended int) {
	for _, b := range bindings {
		if n := s.ways(l, b, width, nil); n > 0 {
			kept++
			extended += n
		}
	}
	return kept, extended
}

// extend returns the distinct bindings after a literal is added.
func (s *search) extend(l Literal, bindings [][]int32, width, to int) [][]int32 {
	var all [][]int32
	for _, b := range bindings {
		s.ways(l, b, width, func(extended []int32) bool {
			all = append(all, slices.Clone(extended[:to]))
			return true
		})
	}
	return all
}

// ways counts the extensions of a binding of width variables by a literal. For a literal that binds
// nothing, it returns 1 if the literal holds and 0 otherwise. It calls yield, if not nil, with each
// extension until yield returns false; it reuses the slice.
func (s *search) ways(l Literal, b []int32, width int, yield func([]int32) bool) int {
	if l.Kind != InRelation {
		if s.test(l, b) == l.Negated {
			return 0
		}
		if yield != nil {
			yield(b[:width])
		}
		return 1
	}
	t := s.tables[l.Name]
	var rows []int32
	for a, v := range l.Args {
		if v < width {
			if some := t.byArg[a][b[v]]; rows == nil || len(some) < len(rows) {
				rows = some
				if len(rows) == 0 {
					break
				}
			}
		}
	}
	// extended is the binding followed by the new variables.
	var space [16]int32
	extended := append(space[:0], b[:width]...)
	fresh := s.fresh(l, width)
	for range fresh {
		extended = append(extended, -1)
	}
	n := 0
	for _, r := range rows {
		if !match(t.rows[r], l.Args, extended, width) {
			continue
		}
		n++
		if l.Negated || yield != nil && !yield(extended) {
			break
		}
	}
	if !l.Negated {
		return n
	}
	if n > 0 {
		return 0
	}
	if yield != nil {
		yield(b[:width])
	}
	return 1
}

// match sets the new variables from a row, and reports whether the old variables agree with the
// row.
func match(row []int32, args []int, extended []int32, width int) bool {
	for k := width; k < len(extended); k++ {
		extended[k] = -1
	}
	for a, v := range args {
		switch {
		case extended[v] < 0:
			extended[v] = row[a]
		case extended[v] != row[a]:
			return false
		}
	}
	return true
}

// test reports whether the unnegated form of a literal without a relation holds.
func (s *search) test(l Literal, b []int32) bool {
	x := b[l.Args[0]]
	switch l.Kind {
	case EqualVariables:
		return x == b[l.Args[1]]
	case EqualsConstant:
		return s.world.constants[x] == l.Value
	case AboveThreshold:
		return s.values[x] > l.Cut
	default:
		return s.values[x] > s.values[b[l.Args[1]]]
	}
}

// candidates lists the literals that can be added: relations in their order, then comparisons.
func (s *search) candidates(d *draft) []Literal {
	var all []Literal
	offer := func(l Literal) {
		all = append(all, l)
		if l.Kind == AboveThreshold || l.Kind == AboveVariable || s.negation && !(l.Kind == InRelation && l.Name == s.target.name) {
			l.Negated = true
			all = append(all, l)
		}
	}
	for _, t := range s.order {
		if t.target && !s.recursion {
			continue
		}
		s.patterns(t, d.types, func(args []int) {
			if t.target && slices.Equal(args, ascending(len(args))) {
				return // the head itself
			}
			offer(Literal{Kind: InRelation, Name: t.name, Args: slices.Clone(args)})
		})
	}
	for x, typ := range d.types {
		for y := x + 1; y < len(d.types); y++ {
			if d.types[y] == typ {
				offer(Literal{Kind: EqualVariables, Args: []int{x, y}})
			}
		}
		for _, c := range s.constants {
			if slices.ContainsFunc(s.byType[typ], func(k int32) bool { return s.world.constants[k] == c }) {
				offer(Literal{Kind: EqualsConstant, Args: []int{x}, Value: c})
			}
		}
		if s.types[typ] == Number {
			s.numeric(d, x, offer)
		}
	}
	return all
}

func ascending(n int) []int {
	a := make([]int, n)
	for i := range a {
		a[i] = i
	}
	return a
}

// numeric calls offer with the thresholds of variable x, halfway between neighboring values, and
// its comparisons with other numeric variables.
func (s *search) numeric(d *draft, x int, offer func(Literal)) {
	var values []float64
	for _, side := range [][][]int32{d.positive, d.negative} {
		for _, b := range side {
			values = append(values, s.values[b[x]])
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	for i := 1; i < len(values); i++ {
		cut := values[i-1] + (values[i]-values[i-1])/2
		if cut >= values[i] || math.IsInf(cut, 0) {
			cut = values[i-1]
		}
		offer(Literal{Kind: AboveThreshold, Args: []int{x}, Cut: cut})
	}
	for y, typ := range d.types {
		if y != x && s.types[typ] == Number {
			offer(Literal{Kind: AboveVariable, Args: []int{x, y}})
		}
	}
}

// patterns calls f with each assignment of variables to the arguments of t. At least one is an old
// variable of the right type; the others can be new.
func (s *search) patterns(t *table, types []int, f func(args []int)) {
	args := make([]int, len(t.types))
	fresh := make([]int, 0, len(t.types)) // types of the new variables
	var fill func(a int, old bool)
	fill = func(a int, old bool) {
		if a == len(args) {
			if old {
				f(args)
			}
			return
		}
		for v, typ := range types {
			if typ == t.types[a] {
				args[a] = v
				fill(a+1, true)
			}
		}
		for k, typ := range fresh {
			if typ == t.types[a] {
				args[a] = len(types) + k
				fill(a+1, old)
			}
		}
		if len(types)+len(fresh) < s.maxVariables {
			args[a] = len(types) + len(fresh)
			fresh = append(fresh, t.types[a])
			fill(a+1, old)
			fresh = fresh[:len(fresh)-1]
		}
	}
	fill(0, false)
}
