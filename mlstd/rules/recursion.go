package rules

import (
	"cmp"
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// descends searches for an acyclic order of the constants in which the body leads from some
// argument of the head down to the same argument of the recursive literal l. The order extends the
// one of earlier recursive literals. It returns the new pairs of the order, and the argument.
func (s *search) descends(c Clause, l Literal) (edges [][2]int32, argument int, ok bool) {
	begun := len(s.committed)+len(s.descent) > 0
	for _, forward := range []bool{true, false} {
		steps, edges := s.orderOf(c, forward)
		for i, v := range l.Args {
			if begun && i != s.argument {
				continue
			}
			if reaches(steps, i, v) {
				return edges, i, true
			}
		}
	}
	return nil, 0, false
}

// orderOf collects the order that the relations and comparisons in a body imply: steps from
// variable to variable, and the pairs of constants in these steps. For each relation it tries the
// forward direction first if forward is set, otherwise the backward one.
func (s *search) orderOf(c Clause, forward bool) (steps [][2]int, edges [][2]int32) {
	known := slices.Concat(s.committed, s.descent)
	try := func(x, y int, pairs [][2]int32) bool {
		all := slices.Concat(known, pairs)
		if !acyclic(all) {
			return false
		}
		known, edges, steps = all, append(edges, pairs...), append(steps, [2]int{x, y})
		return true
	}
	for _, l := range c.Body {
		switch {
		case l.Negated || l.Kind == InRelation && l.Name == s.target.name:
		case l.Kind == AboveVariable:
			try(l.Args[0], l.Args[1], s.falling())
		case l.Kind == InRelation:
			t := s.tables[l.Name]
			for a := range l.Args {
				for b := a + 1; b < len(l.Args); b++ {
					if t.types[a] != t.types[b] {
						continue
					}
					from, to := a, b
					if !forward {
						from, to = b, a
					}
					if !try(l.Args[from], l.Args[to], t.pairs(from, to)) {
						try(l.Args[to], l.Args[from], t.pairs(to, from))
					}
				}
			}
		}
	}
	return steps, edges
}

func (t *table) pairs(a, b int) [][2]int32 {
	pairs := make([][2]int32, len(t.rows))
	for i, row := range t.rows {
		pairs[i] = [2]int32{row[a], row[b]}
	}
	return pairs
}

// falling returns the pairs of neighboring numbers, the larger one first.
func (s *search) falling() [][2]int32 {
	numbers := slices.Clone(s.byType[slices.Index(s.types, Number)])
	slices.SortFunc(numbers, func(a, b int32) int { return cmp.Compare(s.values[b], s.values[a]) })
	var pairs [][2]int32
	// Two constants can be the same number written differently. Each is above the next smaller
	// number.
	for i, a := range numbers {
		j := i + 1
		for j < len(numbers) && s.values[numbers[j]] == s.values[a] {
			j++
		}
		for k := j; k < len(numbers) && s.values[numbers[k]] == s.values[numbers[j]]; k++ {
			pairs = append(pairs, [2]int32{a, numbers[k]})
		}
	}
	return pairs
}

// reaches reports whether a path of at least one step leads from x to y.
func reaches(steps [][2]int, x, y int) bool {
	seen := map[int]bool{}
	next := []int{x}
	for len(next) > 0 {
		v := next[len(next)-1]
		next = next[:len(next)-1]
		for _, e := range steps {
			if e[0] != v || seen[e[1]] {
				continue
			}
			if e[1] == y {
				return true
			}
			seen[e[1]] = true
			next = append(next, e[1])
		}
	}
	return false
}

// acyclic reports whether the pairs have no cycle, that is, whether repeatedly removing constants
// to which no pair leads removes all constants.
func acyclic(pairs [][2]int32) bool {
	in := map[int32]int{}
	out := map[int32][]int32{}
	for _, p := range pairs {
		in[p[1]]++
		in[p[0]] += 0
		out[p[0]] = append(out[p[0]], p[1])
	}
	var free []int32
	for v, n := range in {
		if n == 0 {
			free = append(free, v)
		}
	}
	gone := 0
	for len(free) > 0 {
		v := free[len(free)-1]
		free = free[:len(free)-1]
		gone++
		for _, w := range out[v] {
			if in[w]--; in[w] == 0 {
				free = append(free, w)
			}
		}
	}
	return gone == len(in)
}

// terminates reports whether every recursive literal of a finished rule descends, and sets the
// order of the rule.
func (s *search) terminates(c Clause) bool {
	old, argument := s.descent, s.argument
	s.descent = nil
	for _, l := range c.Body {
		if l.Kind != InRelation || l.Name != s.target.name {
			continue
		}
		edges, a, ok := s.descends(c, l)
		if !ok {
			s.descent, s.argument = old, argument
			return false
		}
		s.descent, s.argument = append(s.descent, edges...), a
	}
	return true
}

// Derive returns the tuples of the target that the rules and the background relations imply. A
// recursive literal holds for the tuples that were derived before. The recursion descends, so it
// terminates. If the rules cover every given tuple and no negative tuple, Derive returns exactly
// the tuples of the target.
//
// Cost: each round tries all tuples of constants. The number of rounds is the length of the longest
// derivation.
//
// Course: RULE-07, RULE-08.
func (f *FOIL) Derive() ([][]string, error) {
	const op = "FOIL.Derive"
	if f.Target.Name == "" {
		return nil, model.NotFitted(op)
	}
	s, err := f.search(op, f.Target, nil)
	if err != nil {
		return nil, err
	}
	waiting := slices.Concat(s.positive, s.negative)
	derived := newTable(s.target.name, s.target.types)
	derived.target = true
	s.tables[s.target.name] = derived
	for grown := true; grown; {
		grown = false
		var still [][]int32
		for _, tuple := range waiting {
			if slices.ContainsFunc(f.Clauses, func(c Clause) bool { return s.covers(c, tuple) }) {
				grown = derived.add(tuple) || grown
			} else {
				still = append(still, tuple)
			}
		}
		waiting = still
	}
	tuples := make([][]string, len(derived.rows))
	for i, row := range derived.rows {
		for _, k := range row {
			tuples[i] = append(tuples[i], s.world.constants[k])
		}
	}
	slices.SortFunc(tuples, slices.Compare[[]string])
	return tuples, nil
}
