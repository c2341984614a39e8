package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Connective is the outermost connective or quantifier of a first-order formula, or marks an atom.
type Connective int

const (
	Atomic      Connective = iota // a predicate applied to terms
	Negation                      // not Parts[0]
	Conjoined                     // all of Parts hold
	Disjoined                     // at least one of Parts holds
	Implication                   // Parts[0] → Parts[1]
	Equivalence                   // Parts[0] ↔ Parts[1]
	Universal                     // for all Name: Parts[0]
	Existential                   // for some Name: Parts[0]
)

// Formula is a formula of first-order logic. Name is the predicate if the formula is an atom, and
// the bound variable if the formula is quantified.
type Formula struct {
	Connective Connective
	Name       string
	Terms      []Term
	Parts      []Formula
}

// Term is a variable, a constant (a function without arguments), or a function applied to terms.
type Term struct {
	Name     string
	Args     []Term
	Variable bool
}

// String returns the term as text, such as f(x, y).
func (t Term) String() string {
	if len(t.Args) == 0 {
		return t.Name
	}
	return t.Name + "(" + joinTerms(t.Args) + ")"
}

func joinTerms(terms []Term) string {
	names := make([]string, len(terms))
	for i, t := range terms {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// String returns the formula as text with as few parentheses as possible.
func (f Formula) String() string { return f.text(0) }

// strength orders the connectives by how tightly they bind.
var strength = [...]int{Atomic: 9, Negation: 5, Conjoined: 4, Disjoined: 3, Implication: 2, Equivalence: 1, Universal: 5, Existential: 5}

func (f Formula) text(outer int) string {
	own := strength[f.Connective]
	s := ""
	switch f.Connective {
	case Atomic:
		s = f.Name
		if len(f.Terms) > 0 {
			s += "(" + joinTerms(f.Terms) + ")"
		}
	case Negation:
		s = "¬" + f.Parts[0].text(own)
	case Universal:
		s = "∀" + f.Name + " " + f.Parts[0].text(own)
	case Existential:
		s = "∃" + f.Name + " " + f.Parts[0].text(own)
	default:
		sign := map[Connective]string{Conjoined: " ∧ ", Disjoined: " ∨ ", Implication: " → ", Equivalence: " ↔ "}[f.Connective]
		parts := make([]string, len(f.Parts))
		for i, p := range f.Parts {
			parts[i] = p.text(own + 1)
		}
		s = strings.Join(parts, sign)
	}
	if own < outer {
		return "(" + s + ")"
	}
	return s
}

func not(f Formula) Formula { return Formula{Connective: Negation, Parts: []Formula{f}} }

// NegationNormal returns the negation normal form, an equivalent formula without → and ↔ in which
// only atoms are negated.
//
// Course: RULE-09.
func (f Formula) NegationNormal() Formula { return f.push(false) }

// push returns the negation normal form of f, or of ¬f if negated is set.
func (f Formula) push(negated bool) Formula {
	dual := map[Connective]Connective{Conjoined: Disjoined, Disjoined: Conjoined, Universal: Existential, Existential: Universal}
	switch f.Connective {
	case Atomic:
		if negated {
			return not(f)
		}
		return f
	case Negation:
		return f.Parts[0].push(!negated)
	case Implication:
		return Formula{Connective: Disjoined, Parts: []Formula{not(f.Parts[0]), f.Parts[1]}}.push(negated)
	case Equivalence:
		a, b := f.Parts[0], f.Parts[1]
		return Formula{Connective: Conjoined, Parts: []Formula{
			{Connective: Disjoined, Parts: []Formula{not(a), b}}, {Connective: Disjoined, Parts: []Formula{a, not(b)}},
		}}.push(negated)
	}
	out := Formula{Connective: f.Connective, Name: f.Name}
	if negated {
		out.Connective = dual[f.Connective]
	}
	for _, p := range f.Parts {
		out.Parts = append(out.Parts, p.push(negated))
	}
	return out
}

// Skolem returns the Skolem normal form, which has no existential quantifiers. It consists of
// universal quantifiers followed by a conjunction of clauses. A clause is a disjunction of atoms
// and negated atoms.
//
//		∀x ∃y P(x, y)  becomes  ∀x P(x, f(x))
//
//	 1. Bring the formula to negation normal form ([Formula.NegationNormal]); a free
//	    variable counts as universal.
//	 2. Rename variables so that each quantifier has its own variable.
//	 3. Replace each existential variable by a new function of the universal variables around its
//	    quantifier, or by a new constant if there are none.
//	 4. Move the universal quantifiers to the front and distribute ∨ over ∧.
//
// The result is satisfiable if and only if the formula is satisfiable. The two are not equivalent,
// because the result names witnesses whose existence the formula only asserts. New functions are
// named f, g, h, then f1 and so on; new constants are named a, b, c, then a1 and so on.
//
// Cost: distributing ∨ over ∧ can make the formula exponentially larger.
//
// References: [RussellNorvig2009], section 9.5. Course: RULE-09.
func (f Formula) Skolem() Formula {
	k := &skolemizer{taken: map[string]bool{}}
	f.names(k.taken)
	bound := f.free(nil)
	k.universal = slices.Clone(bound)
	scope := map[string]Term{}
	for _, v := range bound {
		scope[v] = Term{Name: v, Variable: true}
	}
	k.used = slices.Clone(bound)
	matrix := distribute(k.replace(f.NegationNormal(), scope, bound))
	for i := len(k.universal) - 1; i >= 0; i-- {
		matrix = Formula{Connective: Universal, Name: k.universal[i], Parts: []Formula{matrix}}
	}
	return matrix
}

type skolemizer struct {
	taken     map[string]bool // all names
	used      []string        // variables that a quantifier has taken
	universal []string
}

// fresh returns the first name that is not taken.
func (k *skolemizer) fresh(names ...string) string {
	for round := 0; ; round++ {
		for _, n := range names {
			if round > 0 {
				n = fmt.Sprint(n, round)
			}
			if !k.taken[n] {
				k.taken[n] = true
				return n
			}
		}
	}
}

// replace removes the quantifiers. scope has the term that replaces each variable, and around lists
// the universal variables around f.
func (k *skolemizer) replace(f Formula, scope map[string]Term, around []string) Formula {
	switch f.Connective {
	case Atomic:
		out := Formula{Name: f.Name}
		for _, t := range f.Terms {
			out.Terms = append(out.Terms, t.substitute(scope))
		}
		return out
	case Universal, Existential:
		inner := make(map[string]Term, len(scope)+1)
		for name, t := range scope {
			inner[name] = t
		}
		switch {
		case f.Connective == Universal:
			name := f.Name
			if slices.Contains(k.used, name) {
				name = k.fresh(name+"1", name+"2", name+"3")
			}
			k.used, k.universal = append(k.used, name), append(k.universal, name)
			inner[f.Name] = Term{Name: name, Variable: true}
			around = append(slices.Clone(around), name)
		case len(around) == 0:
			inner[f.Name] = Term{Name: k.fresh("a", "b", "c")}
		default:
			t := Term{Name: k.fresh("f", "g", "h")}
			for _, v := range around {
				t.Args = append(t.Args, Term{Name: v, Variable: true})
			}
			inner[f.Name] = t
		}
		return k.replace(f.Parts[0], inner, around)
	}
	out := Formula{Connective: f.Connective}
	for _, p := range f.Parts {
		out.Parts = append(out.Parts, k.replace(p, scope, around))
	}
	return out
}

func (t Term) substitute(scope map[string]Term) Term {
	if t.Variable {
		if by, ok := scope[t.Name]; ok {
			return by
		}
		return t
	}
	out := Term{Name: t.Name}
	for _, a := range t.Args {
		out.Args = append(out.Args, a.substitute(scope))
	}
	return out
}

// names collects all names of a formula.
func (f Formula) names(into map[string]bool) {
	into[f.Name] = true
	var terms func(ts []Term)
	terms = func(ts []Term) {
		for _, t := range ts {
			into[t.Name] = true
			terms(t.Args)
		}
	}
	terms(f.Terms)
	for _, p := range f.Parts {
		p.names(into)
	}
}

// free lists the variables that no quantifier binds, in the order in which they
// occur.
func (f Formula) free(bound []string) []string {
	var found []string
	note := func(name string) {
		if !slices.Contains(found, name) && !slices.Contains(bound, name) {
			found = append(found, name)
		}
	}
	var terms func(ts []Term)
	terms = func(ts []Term) {
		for _, t := range ts {
			if t.Variable {
				note(t.Name)
			}
			terms(t.Args)
		}
	}
	terms(f.Terms)
	if f.Connective == Universal || f.Connective == Existential {
		bound = append(slices.Clone(bound), f.Name)
	}
	for _, p := range f.Parts {
		for _, name := range p.free(bound) {
			note(name)
		}
	}
	return found
}

// mostClauses bounds the growth of distribute.
const mostClauses = 10_000

// distribute converts a quantifier-free formula in negation normal form to a conjunction of
// disjunctions, flattened where possible.
func distribute(f Formula) Formula {
	all := clauses(f)
	parts := make([]Formula, len(all))
	for i, c := range all {
		parts[i] = Formula{Connective: Disjoined, Parts: c}
		if len(c) == 1 {
			parts[i] = c[0]
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return Formula{Connective: Conjoined, Parts: parts}
}

func clauses(f Formula) [][]Formula {
	switch f.Connective {
	case Conjoined:
		var all [][]Formula
		for _, p := range f.Parts {
			all = append(all, clauses(p)...)
		}
		return all
	case Disjoined:
		all := [][]Formula{nil}
		for _, p := range f.Parts {
			right := clauses(p)
			if len(all)*len(right) > mostClauses {
				panic(model.Errorf("Formula.Skolem", "the normal form must have at most %d disjunctions", mostClauses))
			}
			var next [][]Formula
			for _, left := range all {
				for _, r := range right {
					next = append(next, slices.Concat(left, r))
				}
			}
			all = next
		}
		return all
	}
	return [][]Formula{{f}}
}
