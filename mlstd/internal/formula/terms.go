package formula

import (
	"slices"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// A Term is a product of factors. The intercept is the term without factors.
type Term struct{ Factors []string } // as formatted by [Node.String], in their order

// String returns the term in formula notation.
func (t Term) String() string {
	if len(t.Factors) == 0 {
		return "Intercept"
	}
	return strings.Join(t.Factors, ":")
}

// key returns a key that is equal for terms with the same factors in any order.
func (t Term) key() string {
	f := slices.Clone(t.Factors)
	sort.Strings(f)
	return strings.Join(f, "\x00")
}

// Spec is a parsed formula: the response and the explanatory terms.
type Spec struct {
	Op, Text  string
	Response  *Node // nil if the formula has no left side
	Terms     []Term
	Intercept bool
	Offsets   []*Node
	Random    []Random
	factors   map[string]*Node
	dots      bool
}

// Random is a random-effects part, (terms | group), of a formula.
type Random struct {
	Terms     []Term
	Intercept bool
	Group     *Node
}

// Parse parses a formula for op, the name of the function in error messages.
func Parse(op, text string) (*Spec, error) { return parse(op, text, nil) }

// parse parses a formula whose dot stands for the columns dot.
func parse(op, text string, dot []string) (*Spec, error) {
	p := &parser{op: op, text: text}
	s := &Spec{Op: op, Text: text, Intercept: true, factors: map[string]*Node{}}
	if err := p.next(); err != nil {
		return nil, err
	}
	if p.tok != "~" {
		left, err := p.parse(0)
		if err != nil {
			return nil, err
		}
		s.Response = left
	}
	if p.tok != "~" {
		if p.tok != "end" {
			return nil, p.errorf("%q must follow the left side, got %q", "~", p.val)
		}
		return nil, p.errorf("%q must separate the response from the terms", "~")
	}
	if err := p.next(); err != nil {
		return nil, err
	}
	right, err := p.parse(0)
	if err != nil {
		return nil, err
	}
	if p.tok != "end" {
		return nil, p.errorf("%q has no meaning here", p.val)
	}
	x := &expander{spec: s, intercept: true, dot: dot}
	terms, err := x.expand(right, true)
	if err != nil {
		return nil, err
	}
	s.Terms, s.Intercept = byDegree(terms), x.intercept
	return s, nil
}

// byDegree sorts terms by their number of factors; terms of equal degree keep their order.
func byDegree(terms []Term) []Term {
	slices.SortStableFunc(terms, func(a, b Term) int { return len(a.Factors) - len(b.Factors) })
	return terms
}

// expander expands the operators of a formula to terms.
type expander struct {
	spec      *Spec
	intercept bool
	dot       []string
	inside    bool // of a random part
}

func (x *expander) errorf(format string, args ...any) *model.Error {
	return model.Errorf(x.spec.Op, "formula %q: "+format, append([]any{x.spec.Text}, args...)...)
}

func (x *expander) expand(n *Node, top bool) ([]Term, error) {
	switch n.Op {
	case "number":
		if n.Num != 0 && n.Num != 1 {
			return nil, x.errorf("%v is not a term", n.Num).WithHint("write 1 for the intercept, 0 to remove it, or I(...) for arithmetic")
		}
		if !top {
			return nil, x.errorf("%v must not be inside a product", n.Num).WithHint("add or remove the intercept as a term of its own: y ~ 0 + a:b")
		}
		x.intercept = n.Num == 1
		return nil, nil
	case "neg":
		return x.remove(nil, n.Args[0], top)
	case "name", "call":
		return x.factor(n)
	case "+":
		a, err := x.expand(n.Args[0], top)
		if err != nil {
			return nil, err
		}
		b, err := x.expand(n.Args[1], top)
		return union(a, b), err
	case "-":
		a, err := x.expand(n.Args[0], top)
		if err != nil {
			return nil, err
		}
		return x.remove(a, n.Args[1], top)
	case ":", "*", "/", "^":
		return x.product(n)
	case "|":
		return nil, x.random(n, top)
	}
	return nil, x.errorf("%q cannot be a term", n.String()).WithHint("write I(%s) for a column with its values", n)
}

func (x *expander) remove(from []Term, n *Node, top bool) ([]Term, error) {
	if n.Op == "number" && (n.Num == 0 || n.Num == 1) && top {
		x.intercept = n.Num == 0
		return from, nil
	}
	gone, err := x.expand(n, false)
	if err != nil {
		return nil, err
	}
	for _, t := range gone {
		i := slices.IndexFunc(from, func(f Term) bool { return f.key() == t.key() })
		if i < 0 {
			return nil, x.errorf("there is no term %s to remove", t)
		}
		from = slices.Delete(slices.Clone(from), i, i+1)
	}
	return from, nil
}

func (x *expander) factor(n *Node) ([]Term, error) {
	if n.Op == "name" && n.Text == "." {
		x.spec.dots = true
		var terms []Term
		for _, name := range x.dot {
			f := &Node{Op: "name", Text: name}
			x.spec.factors[f.String()] = f
			terms = append(terms, Term{[]string{f.String()}})
		}
		return terms, nil
	}
	if n.Op == "call" && n.Text == "offset" {
		if len(n.Args) != 1 || x.inside {
			return nil, x.errorf("offset must have one expression and be outside of the random part, got %s", n)
		}
		x.spec.Offsets = append(x.spec.Offsets, n.Args[0])
		return nil, nil
	}
	key := n.String()
	x.spec.factors[key] = n
	return []Term{{[]string{key}}}, nil
}

func (x *expander) product(n *Node) ([]Term, error) {
	a, err := x.expand(n.Args[0], false)
	if err != nil {
		return nil, err
	}
	if n.Op == "^" {
		k := n.Args[1]
		if k.Op != "number" || k.Num < 1 || k.Num != float64(int(k.Num)) || k.Num > 20 {
			return nil, x.errorf("the power of %s must be a number from 1 to 20, got %s", n.Args[0], k)
		}
		if len(a) == 1 && k.Num > 1 {
			return nil, x.errorf("%s needs at least two terms, got one", n).WithHint("write I(%s) for the power of a column", n)
		}
		all := a
		for range int(k.Num) - 1 {
			all = union(all, cross(all, a))
		}
		return all, nil
	}
	b, err := x.expand(n.Args[1], false)
	if err != nil {
		return nil, err
	}
	if len(a) == 1 && len(b) == 1 && a[0].key() == b[0].key() {
		return nil, x.errorf("a product must have different terms, got %s", n).WithHint("write I(%s*%s) for a square", n.Args[0], n.Args[1])
	}
	switch n.Op {
	case ":":
		return cross(a, b), nil
	case "*":
		return union(union(a, b), cross(a, b)), nil
	}
	var whole Term
	for _, t := range a {
		whole = join(whole, t)
	}
	return union(a, cross([]Term{whole}, b)), nil
}

func (x *expander) random(n *Node, top bool) error {
	if !top || x.inside {
		return x.errorf("%q must be a summand in parentheses", n.String()).WithHint("write y ~ x + (x | group)")
	}
	inner := &expander{spec: x.spec, intercept: true, dot: x.dot, inside: true}
	terms, err := inner.expand(n.Args[0], true)
	if err != nil {
		return err
	}
	x.spec.Random = append(x.spec.Random, Random{Terms: byDegree(terms), Intercept: inner.intercept, Group: n.Args[1]})
	return nil
}

func union(a, b []Term) []Term {
	out := slices.Clone(a)
	for _, t := range b {
		if !slices.ContainsFunc(out, func(o Term) bool { return o.key() == t.key() }) {
			out = append(out, t)
		}
	}
	return out
}

func cross(a, b []Term) []Term {
	var out []Term
	for _, s := range a {
		for _, t := range b {
			out = union(out, []Term{join(s, t)})
		}
	}
	return out
}

func join(a, b Term) Term {
	f := slices.Clone(a.Factors)
	for _, k := range b.Factors {
		if !slices.Contains(f, k) {
			f = append(f, k)
		}
	}
	return Term{f}
}
