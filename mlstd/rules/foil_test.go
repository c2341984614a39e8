package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/rules"
)

// graph is the graph of Quinlan 1990, section 2.
const graph = "0 1, 0 3, 1 2, 3 2, 3 4, 4 5, 4 6, 6 8, 7 6, 7 8"

// closure returns all pairs that a path connects.
func closure(pairs [][]string) rules.Relation {
	r := rules.Relation{Name: "can_reach"}
	has := func(a, b string) bool {
		return slices.ContainsFunc(r.Tuples, func(t []string) bool { return t[0] == a && t[1] == b })
	}
	r.Tuples = append(r.Tuples, pairs...)
	for grown := true; grown; {
		grown = false
		for _, a := range slices.Clone(r.Tuples) {
			for _, b := range pairs {
				if a[1] == b[0] && !has(a[0], b[1]) {
					r.Tuples, grown = append(r.Tuples, []string{a[0], b[1]}), true
				}
			}
		}
	}
	return r
}

func learned(t testing.TB, f *rules.FOIL, target rules.Relation, negative [][]string) *rules.FOIL {
	t.Helper()
	if err := f.Learn(target, negative); err != nil {
		t.Fatal(err)
	}
	return f
}

// E3-54: the second set of tuples contains the negative ones. E3-55 and E3-56: literals go to the
// right side of the rule, and the list of literals and the gain are complete.
func TestRULE06_FOILGain(t *testing.T) {
	mltest.Near(t, "linked_to(A, B)", rules.FOILGain(19, 62, 10, 0, 10), 20.92, 0.005)
	mltest.Near(t, "nothing is left", rules.FOILGain(5, 5, 0, 3, 0), 0, 0)
	// There are twice as many bindings of each kind, from 4 positive ones.
	mltest.Near(t, "bindings are doubled", rules.FOILGain(4, 4, 8, 8, 4), 0, 1e-15)
	mltest.Near(t, "half of the negative", rules.FOILGain(4, 4, 4, 2, 4), 4*0.4150374992788438, 1e-12)
}

func TestRULE07_08_CanReach(t *testing.T) {
	linked := rules.Pairs("linked_to", graph)
	target := closure(linked.Tuples)
	if len(target.Tuples) != 19 {
		t.Fatalf("%d pairs can be reached, want 19", len(target.Tuples))
	}
	f := learned(t, &rules.FOIL{Background: []rules.Relation{linked}}, target, nil)
	want := "can_reach(A, B) :- linked_to(A, B).\ncan_reach(A, B) :- linked_to(A, C), can_reach(C, B)."
	if f.String() != want {
		t.Errorf("got\n%s\nwant\n%s", f, want)
	}
	if f.Uncovered != 0 || f.Wrong != 0 {
		t.Errorf("%d pairs are not covered, %d wrong ones are", f.Uncovered, f.Wrong)
	}
	s := f.Steps[0]
	if s.P0 != 19 || s.N0 != 62 || s.P1 != 10 || s.N1 != 0 || s.T != 10 {
		t.Errorf("the first step is %+v", s)
	}
	mltest.Near(t, "gain of the first step", s.Gain, 20.92, 0.005)
	derived, err := f.Derive()
	if err != nil {
		t.Fatal(err)
	}
	given := slices.Clone(target.Tuples)
	slices.SortFunc(given, slices.Compare[[]string])
	if !slices.EqualFunc(derived, given, slices.Equal[[]string]) {
		t.Errorf("derived %v, want %v", derived, given)
	}
}

// A literal has at least one old variable. For two variables and two relations of two arguments: 4
// pairs of old variables, and 2·2 of an old and a new one, for each relation and its negation, then
// A = B and A \= B: 2·8·2 + 2.
func TestRULE04_Literals(t *testing.T) {
	count := func(f *rules.FOIL) int {
		t.Helper()
		learned(t, f, rules.Pairs("t", "a b, b c"), [][]string{{"a", "c"}, {"c", "a"}, {"a", "a"}})
		return f.Steps[0].Candidates
	}
	q, r := rules.Pairs("q", "a b, b c, c d"), rules.Pairs("r", "a d, b d, a b")
	if n := count(&rules.FOIL{Background: []rules.Relation{q, r}, NoRecursion: true}); n != 34 {
		t.Errorf("%d literals of two relations, want 34", n)
	}
	if n := count(&rules.FOIL{Background: []rules.Relation{q, r}, NoRecursion: true, NoNegation: true}); n != 17 {
		t.Errorf("%d literals without negation, want 17", n)
	}
	// The target adds 7 literals, which are never negated; the head itself is excluded.
	if n := count(&rules.FOIL{Background: []rules.Relation{q, r}}); n != 41 {
		t.Errorf("%d literals with recursion, want 41", n)
	}
	// A constant adds A = a, A \= a and the same for B.
	if n := count(&rules.FOIL{Background: []rules.Relation{q, r}, NoRecursion: true, Constants: []string{"a"}}); n != 38 {
		t.Errorf("%d literals with a constant, want 38", n)
	}
	// One relation of three arguments: with two old variables, there are 8 literals without a new
	// variable, 3·4 with one new variable, 3·2 with one new variable twice, and 3·2 with two new
	// variables.
	three := rules.Relation{Name: "s", Tuples: [][]string{{"a", "b", "c"}}}
	if n := count(&rules.FOIL{Background: []rules.Relation{three, q, r}, NoRecursion: true, NoNegation: true}); n != 17+8+12+6+6 {
		t.Errorf("%d literals with a relation of three arguments, want 49", n)
	}

	for _, tt := range []struct {
		name string
		f    rules.FOIL
		t    rules.Relation
		want string
	}{
		{"equal", rules.FOIL{Background: []rules.Relation{q}}, rules.Pairs("t", "a a, b b, c c, d d"), "t(A, B) :- A = B."},
		{"constant", rules.FOIL{Background: []rules.Relation{q}, Constants: []string{"c"}},
			rules.Pairs("t", "c a, c b, c c, c d"), "t(A, B) :- A = c."},
		{"not in", rules.FOIL{Background: []rules.Relation{{Name: "q", Tuples: [][]string{{"a"}, {"b"}}}, {Name: "all", Tuples: [][]string{{"a"}, {"b"}, {"c"}, {"d"}}}}},
			rules.Relation{Name: "t", Tuples: [][]string{{"c"}, {"d"}}}, `t(A) :- \+ q(A).`},
		{"no value", rules.FOIL{Background: []rules.Relation{q}}, rules.Relation{Name: "t", Tuples: [][]string{{"d"}}}, `t(A) :- \+ q(A, B).`},
	} {
		f := learned(t, &tt.f, tt.t, nil)
		if f.String() != tt.want || f.Uncovered+f.Wrong > 0 {
			t.Errorf("%s: got %s, want %s", tt.name, f, tt.want)
		}
	}
}

func TestRULE05_NumericLiterals(t *testing.T) {
	size := rules.Relation{Name: "size", Types: []string{"thing", rules.Number}, Tuples: [][]string{
		{"mouse", "1"}, {"cat", "8"}, {"dog", "15"}, {"horse", "150"}, {"cow", "140"}, {"rat", "2"},
	}}
	large := rules.Relation{Name: "large", Types: []string{"thing"}, Tuples: [][]string{{"horse"}, {"cow"}}}
	f := learned(t, &rules.FOIL{Background: []rules.Relation{size}}, large, nil)
	if got, want := f.String(), "large(A) :- size(A, B), B > 77.5."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	bigger := rules.Relation{Name: "bigger", Types: []string{"thing", "thing"}}
	for _, a := range size.Tuples {
		for _, b := range size.Tuples {
			if len(a[1]) > len(b[1]) || len(a[1]) == len(b[1]) && a[1] > b[1] {
				bigger.Tuples = append(bigger.Tuples, []string{a[0], b[0]})
			}
		}
	}
	f = learned(t, &rules.FOIL{Background: []rules.Relation{size}, NoRecursion: true, NoNegation: true}, bigger, nil)
	if f.Uncovered != 0 || f.Wrong != 0 {
		t.Errorf("%d are not covered and %d wrong:\n%s", f.Uncovered, f.Wrong, f)
	}
	if err := (&rules.FOIL{Background: []rules.Relation{{Name: "q", Types: []string{rules.Number}, Tuples: [][]string{{"x"}}}}}).Learn(large, nil); err == nil ||
		!strings.Contains(err.Error(), `"x"`) {
		t.Errorf("a word as a number: %v", err)
	}
}

var (
	parent = rules.Pairs("parent", "ann bob, ann cid, bob dan, bob eve, cid fay, eve gus, eve hal, ida bob, ida cid")
	female = rules.Relation{Name: "female", Tuples: [][]string{{"ann"}, {"eve"}, {"fay"}, {"ida"}}}
)

func TestRULE03_Family(t *testing.T) {
	family := []rules.Relation{parent, female}
	for _, tt := range []struct {
		target, pairs, want string
		noNegation          bool
	}{
		{"grandparent", "ann dan, ann eve, ann fay, ida dan, ida eve, ida fay, bob gus, bob hal", "grandparent(A, B) :- parent(A, C), parent(C, B).", true},
		{"mother", "ann bob, ann cid, eve gus, eve hal, ida bob, ida cid", "mother(A, B) :- parent(A, B), female(A).", false},
		{"sibling", "bob cid, cid bob, dan eve, eve dan, gus hal, hal gus", `sibling(A, B) :- parent(C, B), parent(C, A), A \= B.`, false},
	} {
		f := learned(t, &rules.FOIL{Background: family, NoNegation: tt.noNegation}, rules.Pairs(tt.target, tt.pairs), nil)
		if f.String() != tt.want || f.Uncovered+f.Wrong > 0 {
			t.Errorf("got %s, want %s (%d not covered, %d wrong)", f, tt.want, f.Uncovered, f.Wrong)
		}
	}
	// color(A, B) has one value for each A and no gain, but warm(B) needs it. shape is useless and
	// is dropped again.
	color, shape := rules.Pairs("color", "a red, b blue, c red, d blue"), rules.Pairs("shape", "a round, b round, c flat, d flat")
	warm := rules.Relation{Name: "warm", Tuples: [][]string{{"red"}}}
	things := rules.Relation{Name: "nice", Tuples: [][]string{{"a"}, {"c"}}}
	f0 := learned(t, &rules.FOIL{Background: []rules.Relation{shape, color, warm}}, things, [][]string{{"b"}, {"d"}})
	if got, want := f0.String(), "nice(A) :- color(A, B), warm(B)."; got != want {
		t.Errorf("determinate literals: got %s, want %s", got, want)
	}

	ancestor := closure(parent.Tuples)
	ancestor.Name = "ancestor"
	f := learned(t, &rules.FOIL{Background: family}, ancestor, nil)
	derived, err := f.Derive()
	if err != nil || len(derived) != len(ancestor.Tuples) || f.Wrong > 0 {
		t.Errorf("ancestors: %v\n%s", err, f)
	}
}

// On a graph with a cycle, no order allows the target in its own rule, because such a rule might
// not terminate.
func TestRULE02_RecursionEnds(t *testing.T) {
	ring := rules.Pairs("linked_to", "a b, b c, c a, c d, d e")
	f := learned(t, &rules.FOIL{Background: []rules.Relation{ring}}, closure(ring.Tuples), nil)
	for _, c := range f.Clauses {
		for _, l := range c.Body {
			if l.Name == "can_reach" {
				t.Errorf("%v may not end", c)
			}
		}
	}
	// Rules whose orders contradict each other would not terminate together: one goes down a list,
	// the other up.
	for seed := range uint64(6) {
		pairs := rules.Relation{Name: "linked_to"}
		for _, b := range generated(12, 6, seed) {
			for k := 1; k < len(b); k++ {
				if p := []string{b[k-1], b[k]}; !slices.ContainsFunc(pairs.Tuples, func(q []string) bool { return slices.Equal(p, q) }) {
					pairs.Tuples = append(pairs.Tuples, p)
				}
			}
		}
		target := closure(pairs.Tuples)
		f := learned(t, &rules.FOIL{Background: []rules.Relation{pairs}}, target, nil)
		derived, err := f.Derive()
		if err != nil {
			t.Fatal(err)
		}
		if f.Wrong > 0 || len(derived) != len(target.Tuples)-f.Uncovered {
			t.Errorf("seed %d: %d derived of %d, %d not covered, %d wrong\n%s", seed, len(derived), len(target.Tuples), f.Uncovered, f.Wrong, f)
		}
	}
}

func TestFOILRefuses(t *testing.T) {
	q := rules.Pairs("q", "a b")
	for _, tt := range []struct {
		name     string
		f        rules.FOIL
		target   rules.Relation
		negative [][]string
		want     string
	}{
		{"no tuples", rules.FOIL{}, rules.Relation{Name: "t", Types: []string{""}}, nil, `the target "t" must have tuples`},
		{"twice", rules.FOIL{Background: []rules.Relation{q, q}}, rules.Pairs("t", "a b"), nil, `relation names must be distinct, got "q" twice`},
		{"arity", rules.FOIL{Background: []rules.Relation{{Name: "r", Tuples: [][]string{{"a"}, {"a", "b"}}}}}, rules.Pairs("t", "a b"), nil, "tuple 1: FOIL.Learn: r[a b] must have 1 arguments, got 2"},
		{"both", rules.FOIL{}, rules.Pairs("t", "a b"), [][]string{{"a", "b"}}, "positive and negative"},
		{"negative count", rules.FOIL{MaxRules: -1}, rules.Pairs("t", "a b"), nil, "MaxRules must not be negative, got -1"},
		{"precision", rules.FOIL{MinPrecision: 3}, rules.Pairs("t", "a b"), nil, "MinPrecision must be between 0 and 1, got 3"},
	} {
		if err := tt.f.Learn(tt.target, tt.negative); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

func ExampleFOIL() {
	linked := rules.Pairs("linked_to", "a b, b c, c d")
	reach := rules.Pairs("can_reach", "a b, a c, a d, b c, b d, c d")
	foil := rules.FOIL{Background: []rules.Relation{linked}, NoNegation: true}
	if err := foil.Learn(reach, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(foil.String())
	// Output:
	// can_reach(A, B) :- linked_to(A, B).
	// can_reach(A, B) :- linked_to(A, C), can_reach(C, B).
}

func BenchmarkFOIL(b *testing.B) {
	linked := rules.Pairs("linked_to", graph)
	target := closure(linked.Tuples)
	for b.Loop() {
		learned(b, &rules.FOIL{Background: []rules.Relation{linked}}, target, nil)
	}
}

func TestRULE09_Skolem(t *testing.T) {
	for _, tt := range []struct{ formula, want string }{
		{"forall x exists y P(x, y)", "∀x P(x, f(x))"},
		{"∃y ∀x P(x, y)", "∀x P(x, a)"},
		{"∀x ∀y ∃z (Q(x, z) ∧ R(y, z))", "∀x ∀y (Q(x, f(x, y)) ∧ R(y, f(x, y)))"},
		// Russell and Norvig, section 9.5.1: everyone who loves all animals is loved by
		// someone, with f for F and g for G.
		{"∀x ((∀y (Animal(y) → Loves(x, y))) → (∃y Loves(y, x)))",
			"∀x ((Animal(f(x)) ∨ Loves(g(x), x)) ∧ (¬Loves(x, f(x)) ∨ Loves(g(x), x)))"},
		{"∀x P(x) ∧ ∀x ∃y Q(x, y)", "∀x ∀x1 (P(x) ∧ Q(x1, f(x1)))"},
		{"∃u P(u) ∧ ∃u Q(u, a)", "P(b) ∧ Q(c, a)"},
		{"P(x) <-> Q", "∀x ((¬P(x) ∨ Q) ∧ (P(x) ∨ ¬Q))"},
		{"not exists x (P(x) and not Q(x))", "∀x (¬P(x) ∨ Q(x))"},
		{"A or B and not C", "(A ∨ B) ∧ (A ∨ ¬C)"},
	} {
		f, err := rules.ParseFormula(tt.formula)
		if err != nil {
			t.Errorf("%s: %v", tt.formula, err)
			continue
		}
		if got := f.Skolem().String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.formula, got, tt.want)
		}
		again, err := rules.ParseFormula(f.String())
		if err != nil || again.String() != f.String() {
			t.Errorf("%s is read as %v, %v", f, again, err)
		}
	}
	for _, bad := range []string{"", "P(", "∀ P", "P(x", "P Q", "(P", "P ∧", "P(x,)", "→ P"} {
		if f, err := rules.ParseFormula(bad); err == nil {
			t.Errorf("%q is read as %v", bad, f)
		}
	}
}

func ExampleFormula_Skolem() {
	f, err := rules.ParseFormula("forall x exists y Mother(y, x)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f, "becomes", f.Skolem())
	// Output: ∀x ∃y Mother(y, x) becomes ∀x Mother(f(x), x)
}
