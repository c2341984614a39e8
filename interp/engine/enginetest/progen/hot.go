package progen

import (
	"bytes"
	"fmt"
	"go/format"
	"math/rand/v2"
	"slices"
)

// Hot returns a program for the seed. Its loops, small functions and updates are constructs that an
// engine optimizes. Random mixtures of the whole language seldom combine them. The program is a
// separate file.
func Hot(seed uint64) []byte {
	g := &writer{r: rand.New(rand.NewPCG(seed, 0))}
	g.line("package main\n\nimport \"fmt\"\n")
	g.line("%s", randomPrelude)
	for i := range leaves {
		g.leaf(i)
	}
	const functions = 40
	for i := range functions {
		g.function(i)
	}
	g.line("func main() {")
	for i := range functions {
		g.line("try(%d, t%d)", i, i)
	}
	g.line("}")
	return g.formatted()
}

// randomPrelude is the common part of all programs. The functions that the generated expressions
// call have no side effects, so nothing depends on the order in which operands are evaluated.
const randomPrelude = `
type pair struct {
	A int
	B float64
}

type node struct {
	V    int
	Next *node
	P    pair
	S    string
}

type shape interface{ area() int }

func (p pair) area() int    { p.A++; return p.A * 2 }
func (n *node) area() int   { return n.V + n.P.A }
func (p pair) sum() float64 { return float64(p.A) + p.B }
func (n *node) add(k int)   { n.V += k; n.P.A -= k }
func (n *node) last() *node {
	for n.Next != nil {
		n = n.Next
	}
	return n
}

func clip(s string) string {
	if len(s) > 12 {
		return s[len(s)-12:]
	}
	return s
}

func swap(a, b int) (int, int) { return b, a }

func split(x float64, s string) (string, float64, int) { return s, x / 2, len(s) }

func choose[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}

func depth(n int) int {
	if n < 1 {
		return n
	}
	return depth(n-2) + 1
}

var total, steps int

func try(i int, f func() int) {
	defer func() {
		if recover() != nil {
			fmt.Println(i, "panics", total, steps)
		}
	}()
	fmt.Println(i, f(), total, steps)
}
`

// leaves is the number of small functions. Their result types are the types of leafTypes in turn.
const leaves = 9

var leafTypes = []string{"int", "float64", "bool"}

// writer generates source text.
type writer struct {
	b     bytes.Buffer
	r     *rand.Rand
	vars  map[string][]string // variables by type
	fixed map[string]bool     // variables that only their loop changes
	names int
	loops int // around the statement
}

// formatted returns the generated source, formatted by gofmt.
func (g *writer) formatted() []byte {
	src, err := format.Source(g.b.Bytes())
	if err != nil {
		panic(err) // the generated source is not valid Go
	}
	return src
}

func (g *writer) line(form string, args ...any) {
	fmt.Fprintf(&g.b, form+"\n", args...)
}

func (g *writer) one(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *writer) chance(percent int) bool { return g.r.IntN(100) < percent }

// declare adds a variable of a type to the scope.
func (g *writer) declare(typ, name string) {
	g.vars[typ] = append(g.vars[typ], name)
}

func (g *writer) fresh(prefix string) string {
	g.names++
	return fmt.Sprint(prefix, g.names)
}

// variable returns a variable of a type. If toSet is true, the program may assign to the variable.
func (g *writer) variable(typ string, toSet bool) string {
	for {
		v := g.one(g.vars[typ]...)
		if !toSet || !g.fixed[v] {
			return v
		}
	}
}

// leaf writes a small function without effects.
func (g *writer) leaf(i int) {
	result := leafTypes[i%len(leafTypes)]
	g.vars = map[string][]string{"int": {"a", "b"}, "float64": {"x"}, "[]int": {"s"}, "pair": {"p"}, "bool": {"c"}, "string": {"w"}}
	g.line("func leaf%d(a, b int, x float64, s []int, p pair, c bool, w string) %s {", i, result)
	switch g.r.IntN(3) {
	case 1:
		g.line("if %s {\nreturn %s\n}", g.expr("bool", 2), g.expr(result, 2))
	case 2:
		g.line("a = %s\np.A += b\np.B = %s", g.expr("int", 2), g.expr("float64", 1))
	}
	g.line("return %s\n}\n", g.expr(result, 3))
}

// function writes a function with variables of all types.
func (g *writer) function(i int) {
	g.vars, g.fixed, g.loops = map[string][]string{}, map[string]bool{}, 0
	g.line("func t%d() (result int) {", i)
	if g.chance(30) {
		g.line("defer func() {\nif recover() != nil {\nresult += 1000\n}\n}()")
	}
	for _, v := range [][3]string{
		{"int", "i1", "1"}, {"int", "i2", "-7"}, {"float64", "f1", "1.5"}, {"float64", "f2", "-0.25"},
		{"string", "s1", `"abc"`}, {"string", "s2", `"né"`}, {"bool", "b1", "true"},
		{"[]int", "a1", "[]int{3, 1, 4, 1, 5}"}, {"[]int", "a2", "make([]int, 3, 9)"}, {"[]float64", "d1", "[]float64{0.5, 2, 8}"},
		{"[][]int", "m1", "[][]int{{1, 2, 3}, {4, 5, 6}, {7, 8}}"}, {"pair", "p1", "pair{2, 0.5}"}, {"pair", "p2", "pair{}"},
		{"[]pair", "q1", "[]pair{{1, 2}, {3, 4}, {5, 6}}"}, {"*node", "n1", `&node{V: 3, Next: &node{S: "x"}}`},
		{"uint8", "u1", "250"}, {"int32", "w1", "-5"}, {"uint64", "v1", "1 << 63"}, {"map[string]int", "h1", `map[string]int{"abc": 1}`},
		{"shape", "h2", "pair{4, 4}"}, {"bool", "b2", "false"},
	} {
		g.line("var %s %s = %s", v[1], v[0], v[2])
		g.declare(v[0], v[1])
	}
	g.line("k1 := func(k int) int { i1 += k; return i1 - i2 }")
	g.line("k2 := func(x float64) { d1[0] += x; b2 = !b2 }")
	g.block(3)
	g.line(`fmt.Println(i1, i2, f1, f2, s1, s2, b1, b2, a1, a2, d1, m1, p1, p2, q1, n1.V, n1.P, n1.S, u1, w1, v1, len(h1), h2.area())
_, _ = k1, k2
return i1 + result
}
`)
}

// block writes statements.
func (g *writer) block(nesting int) {
	for range 2 + g.r.IntN(4) {
		g.statement(nesting)
	}
}

// scoped writes a block whose variables go out of scope at its end.
func (g *writer) scoped(nesting int) { g.nested(func() { g.block(nesting) }) }

// nested calls f, and then removes from the scope the variables that f has declared.
func (g *writer) nested(f func()) {
	saved := map[string][]string{}
	for t, vs := range g.vars {
		saved[t] = vs[:len(vs):len(vs)]
	}
	f()
	g.vars = saved
}

func (g *writer) statement(nesting int) {
	n := g.r.IntN(30)
	if nesting > 0 && g.chance(35) {
		g.compound(nesting - 1)
		return
	}
	e := func(typ string) string { return g.expr(typ, 3) }
	v := func(typ string) string { return g.variable(typ, true) }
	switch n {
	case 0, 1, 2:
		g.line("%s = %s", v("int"), e("int"))
	case 3, 4:
		g.line("%s %s %s", v("int"), g.one("+=", "-=", "*=", "^="), e("int"))
		g.line("%s %s %s", v("int"), g.one("/=", "%="), g.one(g.vars["int"]...))
	case 5, 6:
		g.line("%s %s %s", v("float64"), g.one("=", "+=", "*=", "-="), e("float64"))
	case 7:
		g.line("%s = clip(%s)", v("string"), e("string"))
	case 8:
		g.line("%s = %s", v("bool"), e("bool"))
	case 9, 10:
		g.line("%s[%s] %s %s", v("[]int"), g.index(), g.one("=", "+=", "|=", "-=", "*="), e("int"))
		g.line("d1[%s] %s %s", g.index(), g.one("=", "+=", "-=", "*=", "/="), e("float64"))
	case 11:
		g.line("%s = append(%s, %s)", "a2", g.one("a1", "a2"), e("int"))
	case 12:
		g.line("%s[%s][%s] %s %s", v("[][]int"), g.index(), g.index(), g.one("=", "+=", "-="), e("int"))
	case 13:
		g.line("%s.%s %s", v("pair"), "A", g.one("++", "--", "+= "+e("int")))
		g.line("n1.%s %s %s", g.one("V", "P.A"), g.one("+=", "-=", "*="), e("int"))
		g.line("%s %s %s", g.one("n1.P.B", "q1["+g.index()+"].B"), g.one("+=", "-=", "*=", "/="), e("float64"))
	case 14:
		g.line("%s = pair{%s, %s}", v("pair"), e("int"), e("float64"))
	case 15:
		g.line("%s[%s] = %s", v("[]pair"), g.index(), g.one(g.vars["pair"]...))
	case 16:
		g.line("%s = %s[%s]", v("pair"), g.one(g.vars["[]pair"]...), g.index())
	case 17:
		g.line("n1.add(%s)", e("int"))
	case 18:
		g.line("%s = k1(%s)", "i2", e("int"))
	case 19:
		g.line("k2(%s)", e("float64"))
	case 20:
		g.line("i1, i2 = swap(%s, %s)", e("int"), e("int"))
	case 21:
		g.line("%s, f2, _ = split(%s, %s)", g.one("s1", "s2"), e("float64"), e("string"))
	case 22:
		g.line("%s %s %s", v("uint8"), g.one("=", "+=", "-=", "*="), e("uint8"))
	case 23:
		g.line("%s %s %s", v("int32"), g.one("=", "+=", "^=", ">>= 1 +"), g.one(g.vars["int32"]...)+"&7")
	case 24:
		g.line("%s %s %s", v("uint64"), g.one("=", "+=", "*="), e("uint64"))
	case 25:
		g.line("h1[clip(%s)] %s %s", e("string"), g.one("=", "+="), e("int"))
	case 26:
		g.line("h2 = %s", g.one("p1", "n1", "p2", "n1.last()", "pair{A: i1}"))
	case 27:
		g.line("n1 = &node{V: %s, Next: n1, P: %s}", e("int"), g.one("p1", "p2"))
	case 28:
		g.line("steps++\ntotal += %s", e("int"))
	default:
		name, typ := g.fresh("x"), g.one("int", "float64", "pair", "string", "bool")
		if typ == "pair" {
			g.line("%s := %s", name, g.one("p1", "p2", "q1[1]", "n1.P"))
		} else {
			g.line("var %s %s = %s", name, typ, e(typ))
		}
		g.line("_ = %s", name)
		g.declare(typ, name)
	}
}

// compound writes a statement with blocks.
func (g *writer) compound(nesting int) {
	switch n := g.r.IntN(10); {
	case n < 3:
		g.line("if %s {", g.expr("bool", 2))
		g.scoped(nesting)
		if g.chance(50) {
			g.line("} else {")
			g.scoped(nesting)
		}
		g.line("}")
	case n == 3:
		g.line("switch %s {", g.expr("int", 2))
		for _, k := range []string{"0, 1", "2", "3", "4, -7", "9"} {
			g.line("case %s:", k)
			g.scoped(0)
		}
		g.line("default:")
		g.scoped(0)
		g.line("}")
	case n == 4:
		g.line("func() {")
		g.scoped(0)
		g.line("}()")
	case g.loops == 2:
		g.line("%s, %s = %s, %s", "f1", "f2", g.expr("float64", 2), g.expr("float64", 2))
	default:
		g.loop(nesting)
	}
}

func (g *writer) loop(nesting int) {
	i := g.fresh("at")
	var more []string // declared by the head
	switch g.r.IntN(9) {
	case 0:
		g.line("for %[1]s := 0; %[1]s < %[2]d; %[1]s++ {", i, g.r.IntN(9))
	case 1:
		g.line("for %[1]s := %[2]d; %[1]s %[3]s 0; %[1]s-- {", i, g.r.IntN(7), g.one(">", ">=", "!="))
	case 2:
		g.line("for %[1]s := %[2]d; %[1]s <= 8; %[1]s += %[3]d {", i, g.r.IntN(4)-2, 1+g.r.IntN(3))
	case 3:
		g.line("for %s := range %d {", i, g.r.IntN(8))
	case 4:
		g.line("for %s := range %s {", i, g.one("a1", "d1", "q1", "m1"))
	case 5:
		v := g.fresh("of")
		g.line("for %s, %s := range %s {\n_ = %s", i, v, g.one("a1", "m1[0]"), v)
		more = []string{"int", v}
	case 6:
		v := g.fresh("of")
		g.line("for %s, %s := range q1 {\n_ = %s", i, v, v)
		more = []string{"pair", v}
	case 7:
		v := g.fresh("of")
		g.line("for %s, %s := range %s {\n_ = %s", i, v, g.one("s1", "s2", `"aé"`), v)
		more = []string{"int32", v}
	default:
		n := g.fresh("end")
		g.line("%s, %s := 0, len(a1) %% 6", i, n)
		g.line("for %s < %s {\n%s++", i, n, i)
		more = []string{"int", n}
		g.fixed[n] = true
	}
	g.line("_ = %s", i)
	g.nested(func() {
		g.declare("int", i)
		g.fixed[i] = true
		if len(more) > 0 {
			g.declare(more[0], more[1])
		}
		g.loops++
		if g.chance(40) {
			g.statement(0) // a body of one statement
		} else {
			g.block(nesting)
			if g.chance(20) {
				g.line("if %s {\n%s\n}", g.expr("bool", 2), g.one("break", "continue"))
			}
		}
		g.loops--
	})
	g.line("}")
}

// index returns an index that is mostly, but not always, below three.
func (g *writer) index() string {
	switch g.r.IntN(12) {
	case 0:
		return g.one(g.vars["int"]...)
	case 1:
		return g.one(g.vars["int"]...) + "&3"
	case 2, 3:
		return "len(" + g.one(g.vars["[]int"]...) + ")-1"
	case 4, 5, 6:
		return fmt.Sprintf("(%s&1)", g.one(g.vars["int"]...))
	}
	return g.one("0", "1", "2")
}

// expr generates an expression without side effects, which may panic.
func (g *writer) expr(typ string, depth int) string {
	leafCall := func(i int) string {
		return fmt.Sprintf("leaf%d(%s, %s, %s, %s, %s, %s, %s)", i, g.expr("int", depth-1), g.expr("int", depth-1), g.expr("float64", 0),
			g.one(g.vars["[]int"]...), g.one(g.vars["pair"]...), g.expr("bool", 0), g.one(g.vars["string"]...))
	}
	inFunction := len(g.vars["[][]int"]) > 0
	literal := depth <= 0 || g.chance(25)
	e := func(t string) string { return g.expr(t, depth-1) }
	switch typ {
	case "int":
		if literal {
			return g.one(append(g.vars["int"], "1", "2", "7", "-3")...)
		}
		switch n := g.r.IntN(13); {
		case n < 4:
			return fmt.Sprintf("(%s %s %s)", e("int"), g.one("+", "-", "*", "&", "|", "^", "&^"), e("int"))
		case n == 4:
			return fmt.Sprintf("(%s %s %s)", e("int"), g.one("/", "%"), g.one(append(g.vars["int"], "3", "3")...))
		case n == 5:
			return fmt.Sprintf("(%s %s (uint(%s+%s)&7))", g.one(g.vars["int"]...), g.one("<<", ">>"), g.one(g.vars["int"]...), e("int"))
		case n == 6:
			return fmt.Sprintf("%s[%s]", g.one(g.vars["[]int"]...), g.index())
		case n == 7:
			return "len(" + e("string") + ")"
		case n == 8:
			return g.one(g.vars["pair"]...) + ".A"
		case n == 9 && inFunction:
			return leafCall(leafTypesAt("int", g.r))
		case n == 10 && inFunction:
			return g.one("n1.V", "n1.Next.V", "n1.P.A", "n1.area()", "h2.area()", "p1.area()", "int(u1)", "int(w1)", "h1[s1]", "q1[1].A", "n1.last().V")
		case n == 11 && inFunction:
			return fmt.Sprintf("%s[%s][%s]", g.one(g.vars["[][]int"]...), g.index(), g.index())
		case n == 12 && inFunction:
			return g.one(fmt.Sprintf("choose(%s, %s, %s)", e("bool"), e("int"), e("int")), fmt.Sprintf("depth(%s&15)", e("int")),
				fmt.Sprintf("min(%s, %s)", e("int"), e("int")), "int(s1["+g.index()+"])")
		}
		return "-" + g.one(g.vars["int"]...)
	case "float64":
		if literal {
			return g.one(append(g.vars["float64"], "0.5", "3.0")...)
		}
		switch n := g.r.IntN(8); {
		case n < 4:
			if g.chance(25) {
				return fmt.Sprintf("(%s / %s)", e("float64"), g.one(g.vars["float64"]...))
			}
			return fmt.Sprintf("(%s %s %s)", e("float64"), g.one("+", "-", "*"), e("float64"))
		case n == 4:
			return "float64(" + e("int") + ")"
		case n == 5 && inFunction:
			return leafCall(leafTypesAt("float64", g.r))
		case n == 6 && inFunction:
			return g.one("d1["+g.index()+"]", "n1.P.B", "p1.sum()", "q1["+g.index()+"].B", "q1["+g.index()+"].sum()")
		}
		return g.one(g.vars["pair"]...) + ".B"
	case "bool":
		if literal {
			return g.one(g.vars["bool"]...)
		}
		switch n := g.r.IntN(8); {
		case n < 4:
			t := g.one("int", "float64", "string")
			return fmt.Sprintf("(%s %s %s)", e(t), g.one("<", "<=", ">", ">=", "==", "!="), e(t))
		case n < 6:
			return fmt.Sprintf("(%s %s %s)", e("bool"), g.one("&&", "||"), e("bool"))
		case n == 6 && inFunction:
			return g.one(leafCall(leafTypesAt("bool", g.r)), "p1 == p2", "n1.Next == nil", "h2 != nil")
		}
		return "!" + g.one(g.vars["bool"]...)
	case "string":
		if literal {
			return g.one(append(g.vars["string"], `"é"`, `"w"`)...)
		}
		switch n := g.r.IntN(4); {
		case n == 0:
			return fmt.Sprintf("(%s + %s)", e("string"), e("string"))
		case n == 1:
			return fmt.Sprintf("%s[%s:]", g.one(g.vars["string"]...), g.one("0", "1", "2"))
		case n == 2 && inFunction:
			return g.one("n1.S", fmt.Sprintf("choose(%s, %s, %s)", e("bool"), e("string"), e("string")), "string(s1["+g.index()+"])")
		}
		return g.one(g.vars["string"]...)
	case "uint8":
		return fmt.Sprintf("(u1 %s uint8(i1+%s))", g.one("+", "*", "^", ">>"), g.expr("int", depth-1))
	case "uint64":
		return fmt.Sprintf("(v1 %s uint64(i2*%s))", g.one("+", "*", "^", "|"), g.expr("int", depth-1))
	}
	panic("enginetest: no expressions of type " + typ)
}

// leafTypesAt returns the number of a random small function with the result type typ.
func leafTypesAt(typ string, r *rand.Rand) int {
	return slices.Index(leafTypes, typ) + len(leafTypes)*r.IntN(leaves/len(leafTypes))
}
