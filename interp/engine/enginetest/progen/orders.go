package progen

import (
	"math/rand/v2"
	"strings"
)

// Orders returns a program for the seed. Its statements have variables, fields and elements next to
// calls that change them. The specification leaves open whether the variable or the call is
// evaluated first, but the Go compiler always uses the same order. The program is a separate file.
func Orders(seed uint64) []byte {
	g := &orders{writer{r: rand.New(rand.NewPCG(seed, 2))}}
	g.line("package main\n\nimport \"fmt\"\n")
	g.line("%s", ordersPrelude)
	const functions = 60
	for i := range functions {
		g.function(i)
	}
	g.line("func main() {")
	for i := range functions {
		g.line("reset()\nf%d()", i)
	}
	g.line("}")
	return g.formatted()
}

// ordersPrelude is the common part of all programs: variables, and calls that change them.
const ordersPrelude = `
type pair struct{ x, y int }

type wide struct {
	x int
	s string
}

type state struct {
	a     int
	b     int8
	f     float64
	s     string
	m     map[string]int
	anys  map[any]int
	small map[int8]int
	pairs map[pair]int
	lists map[string][]int
	xs    []int
	bytes []byte
	p     pair
	next  *state
	i     any
	ok    bool
	fixed [4]int
	fn    func(int) int
}

var (
	count int
	name  string
	table map[string]int
	row   []int
)

func reset() { count, name, table, row = 1, "gg", map[string]int{"gg": 1, "g": 2}, []int{1, 2, 3, 4} }

func fresh() *state {
	return &state{a: 1, b: 2, f: 1.5, s: "ss", m: map[string]int{"ss": 5, "s": 6, "kk": 8}, anys: map[any]int{}, small: map[int8]int{2: 1, 3: 9},
		pairs: map[pair]int{}, lists: map[string][]int{"ss": {1}}, xs: []int{1, 2, 3, 4}, bytes: []byte("bb"), p: pair{1, 2}, i: 3, fixed: [4]int{1, 2, 3, 4},
		fn: func(n int) int { return n + 1 }}
}

//go:noinline
func (t *state) change() {
	fmt.Print(" ", t.a)
	t.a += 3
	t.b++
	t.f *= 2
	t.s = "s" + string(rune('a'+t.a%20)) + t.s[:1]
	t.m["ss"] += 2
	t.m["kk"]++
	t.xs[t.a&3] += 10
	t.bytes[0] = 'a' + byte(t.a%20)
	t.p.x += 2
	t.p.y = t.p.x * 2
	t.i = t.a
	t.ok = !t.ok
	t.fixed[t.a&3]++
	t.small[2]++
	t.lists["ss"] = append(t.lists["ss"], t.a)
	if t.a%2 == 0 {
		t.xs = append([]int{9}, t.xs...)[:len(t.xs)]
		t.m = map[string]int{"ss": t.a, "kk": 1}
		was := t.fn
		t.fn = func(n int) int { return was(n) + 100 }
	}
	if t.next == nil {
		t.next = fresh()
	} else if t.a%4 == 0 {
		t.next = fresh()
		t.next.a = t.a
	}
}

func (t *state) number() int { t.change(); return t.a }
func (t *state) text() string { t.change(); return t.s }
func (t *state) truth() bool { t.change(); return t.ok }
func (t *state) self() *state { t.change(); return t }
func (t *state) inlined() int { t.a += 7; t.p.y++; return t.a }
func (t state) value(n int) int { return t.a*10 + n }
func (t *state) pointer(n int) int { return t.a*10 + n }
func (p pair) sum(n int) int { return p.x + p.y*10 + n }

func (t *state) channel() chan int {
	c := make(chan int, 1)
	c <- t.number()
	return c
}

//go:noinline
func bump() int {
	fmt.Print(" +", count)
	count += 2
	name = name[1:] + string(rune('a'+count%20))
	table[name]++
	table["gg"] = count
	row[count&3]++
	if count%3 == 0 {
		row, table = []int{count, 1, 2, 3}, map[string]int{"gg": count}
	}
	return count
}

func two(a, b int) (int, int) { return a + b, a - b }
func show(a ...any) string { return fmt.Sprint(a...) }
func bit(b bool) int { if b { return 1 }; return 0 }
func tiny(n int) int8 { return int8(n & 7) }

func fold(a ...int) (n int) {
	for _, x := range a {
		n = n*3 + x
	}
	return n & 0xffff
}
`

type orders struct{ writer }

// A pattern is code with letters for operands: $I is an integer, $B a condition, $S a string, $P a
// pair and $A anything. $Q is an integer operand that may panic, $V the value to print, and $L an
// assignable operand.
type pattern = string

func (g *orders) function(i int) {
	g.line("func f%d() {", i)
	g.line("l := fresh()\nl.next = fresh()")
	g.line(`x, y, str, on, arr := 1, 2, "xy", false, [4]int{1, 2, 3, 4}`)
	// No call changes these variables.
	g.line("k, word := 1+%d, \"words\"\nown, dyn := [5]int{1, 2, 3, 4, 5}, any([]int{1, 2}[:%d])\n_, _, _, _ = k, word, own, dyn", g.r.IntN(7), g.r.IntN(3))
	g.line(`local := func() int { x += 4; str = str[1:] + "q"; on = !on; arr[x&3]++; return x }`)
	g.line("c := make(chan int, 2)\nout := func(a ...any) { fmt.Println(a...) }")
	g.line("fmt.Print(%d, \": \")\nfunc() {\ndefer func() { if recover() != nil { fmt.Println(\"panic\") } }()", i) // of two panics either may come first
	for range 3 {
		g.line("{ %s }", g.fill(g.one(orderStatements...), 1+g.r.IntN(3)))
	}
	g.line("}()")
	g.line("fmt.Println(l.a, l.b, l.s, l.m, l.anys, l.small, l.pairs, l.lists, l.xs, l.p, l.i, l.ok, l.fixed, count, name, table, row, x, y, str, on, arr)")
	g.line("_, _, _ = local, c, out\n}")
}

// fill replaces the letters of a pattern with operands of a depth.
func (g *orders) fill(p pattern, depth int) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] != '$' {
			b.WriteByte(p[i])
			continue
		}
		i++
		b.WriteString(g.operand(p[i], depth))
	}
	return b.String()
}

func (g *orders) operand(kind byte, depth int) string {
	simple, deep := orderOperands[kind][0], orderOperands[kind][1]
	if depth <= 0 && len(simple) > 0 {
		return g.fill(g.one(simple...), 0)
	}
	return g.fill(g.one(deep...), depth-1)
}

// orderOperands are the operands of each kind: first operands without operands of their own, then
// operands with them.
var orderOperands = map[byte][2][]pattern{
	'I': {
		{"1", "3", "l.a", "int(l.b)", "count", "x", "y", "l.p.x", "l.next.a", "(*l).a", "l.i.(int)", "l.number()", "bump()", "local()", "l.inlined()", "l.self().a", "(<-l.channel())"},
		{"($I + $I)", "($I*2 - $I)", "l.xs[$I&3]", "l.m[$S]", "table[$S]", "row[$I&3]", "len($S)", "len(l.xs)", "min($I, $I)", "max(l.a, $I)", "arr[$I&3]", "l.fixed[$I&3]",
			"fold($I, $I, $I)", "bit($B)", "l.fn($I)", "l.value($I)", "l.pointer($I)", "l.p.sum($I)", "func() int { return $I }()", "l.small[tiny($I)]", "l.small[l.b+tiny($I)]",
			"l.anys[$A]", "l.pairs[$P]", "$P.x", "len(l.xs[$I&1:$I&1+2])", "len(l.lists[$S])", "len([]int{$I, $I}[$I&1:])", "int(int8($I))", "fold(append([]int{$I}, $I, $I)...)",
			"fold(l.xs...)", "int(l.f+float64($I))", "int([]byte($S)[0])", "len(map[int]int{x + $I: $I, y + $I: $I})", "-($I)", "*&l.a"},
	},
	'B': {
		{"l.ok", "!l.ok", "on", "l.truth()"},
		{"($I < $I)", "($S == $S)", "($B && $B)", "($B || $B)", "!$B", "($P == $P)", "(l.i == any($I))", "(any($I) == l.i)", "(l.i == $A)", "(l.f*2 > float64($I))"},
	},
	'S': {
		{"l.s", "name", "str", `"kk"`, `"ss"`, "l.text()", "string(l.bytes)"},
		{"($S + $S)", `(($S + "zz")[$I&1:2] + "z")`, `(l.s[l.a&1:$I&1+1] + "zz")`, `(show($A, $A) + "zz")`, `(string(rune(97+$I&7)) + "y")`, `("w" + l.s + $S)`},
	},
	'P': {
		{"l.p", "(pair{1, l.a})", "l.self().p"},
		{"(pair{$I, $I})", "(pair{y: $I, x: $I})"},
	},
	'A': {
		nil,
		{"$I", "$I", "$Q", "$S", "$P", "$B", "any($I)", "l.i", "(wide{$I, $S})", "int8($I&7)", "l.f", "l.f*2", "([1]int{$I})", "([2]int{$I, $I})"},
	},
	// Integers whose evaluation may panic. No assignment uses them to set two variables at once: if
	// one panics, the compiler decides whether the first variable is already set.
	'Q': {
		nil,
		{"(100 / (k - $I&7))", "(100 % (k & 7))", "(k / (k - 2))", "own[k]", "own[(k+$I)&7]", "int(word[k])", "int(word[(k+$I)&7])", "(k << (k - $I))", "k<<k",
			"(*[2]int)(own[:k])[1]", "[3]int(l.xs[:(k+$I)&3])[1]", "*any(&k).(*int)", "*dyn.(*int)", "bit(dyn == $A)", "bit(any(own[:]) == any($S))"},
	},
	// Printed values.
	'V': {
		nil,
		{"$A", "$A", "$A", "[]int{$I, $I}", "[]any{$A, $A}", `map[string]int{"a": $I, "b": $I}`, "l.xs[$I&1:]", `map[string]any{"a": $A, "b": $A}`, "[]wide{{$I, $S}, {$I, $S}}",
			`map[string]pair{"a": {$I, $I}, "b": {$I, $I}}`, `*map[string]*pair{"a": {$I, $I}, "b": {$I, $I}}["a"]`, "l.lists[$S]", `len([]map[string]int{{"a": $I}, {"b": $I}})`},
	},
	'L': {
		nil,
		{"l.a", "count", "x", "y", "l.xs[$I&3]", "l.m[$S]", "row[$I&3]", "l.p.x", "l.fixed[$I&3]", "arr[$I&3]", "l.small[tiny($I)]", "l.pairs[$P]", "l.next.a", "l.self().next.a", "l.anys[$A]", "l.self().a"},
	},
}

// orderStatements have their own variables: each is written into a block.
var orderStatements = []pattern{
	"out($V, $V, $V)", "out($V, $V)", "out($Q+$I, $I+$Q)", "x = $Q + $I", "if $Q < $I || $I < $Q { out(1) }", "l.a += $Q + $I", "$L = $I", "$L += $I", "$L, $L = $I, $I", "$L, $L = two($I, $I)", "$L++", "x = $I", "l.p = $P", "l.p, x = $P, $I",
	`l.i, l.s = $I, "s"+$S`, "if $B { out(1) } else if $B { out(2) } else { out(3) }", "for i := 0; i < 3 && $B; i++ { out(i) }",
	"for i := $I; i < $I-1; i++ { out(i); if i > 3 { break }; if i == 2 { continue }; l.a++ }", "func() { loop: for i := 0; i < $I-1; i++ { for { if i > 2 { break loop }; continue loop } } }()",
	"switch $I { case 1, 2, 3: out(1); case 4, 5, 6, 7: out(2); default: out(3) }",
	`switch v := any($A).(type) { case int: out("int", v); case string: out("string", v); default: out(v) }`,
	"select { case c <- $I: out(<-c); }", "select { case c <- l.a*100 + $I: out(<-c); case v := <-(map[int]chan int{x + $I: nil})[$I]: out(v) }", "c <- $I; out(<-c)",
	"a, b := $I, $I; out(a, b)", "var a, b any = $A, $A; out(a, b)", "out(func() (any, int, error) { return $A, $I, nil }())", "out(func() (any, int) { return $A, $I }())",
	`l.lists[l.s[:1]+"s"] = append(l.lists[l.s[:1]+"s"], $I, $I)`, "l.lists[l.s] = append(l.lists[l.s], $I)", "l.xs = append(l.xs, $I)", "row = append(row[:4], $I, $I)",
	"a, b := l.m[$S]; out(a, b)", "func() { defer out($V, $V) }()", "for i, v := range l.xs[$I&1:$I&1+2] { out(i, v) }", "str += $S; str = str[:2]", "l.fn(x); out(l.fn($I))",
	"copy(l.xs, []int{$I, $I})", "delete(l.m, $S)", `l.s = $S + "ss"`, `name = $S + "gg"`, "out(fmt.Sprint($A, $A) + l.s + str)",
}
