package progen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Loops returns a program for the seed. The program computes with numbers of all types in loops,
// and uses more variables than a processor has registers. An engine may JIT-compile most of the
// program, except for some parts in between. The program is a separate file.
func Loops(seed uint64) []byte {
	g := &loops{writer{r: rand.New(rand.NewPCG(seed, 1))}, 0, false}
	g.line("package main\n\nimport (\n\"fmt\"\n\"math\"\n)\n")
	g.line("%s", loopsPrelude)
	for i := range pures {
		g.pure(i)
	}
	const functions = 8
	for i := range functions {
		g.function(i)
	}
	g.line("func main() {")
	for i := range functions {
		g.line("try(%[1]d, t%[1]d, %[2]d, 0)\ntry(%[1]d, t%[1]d, %[3]d, %[4]d)", i, g.r.IntN(400), g.r.IntN(4), 1+g.r.IntN(1000))
	}
	g.line("}")
	return g.formatted()
}

// loopsPrelude is the common part of all programs: the data on which functions work. The program
// prints the data after the functions have run.
const loopsPrelude = `
type point struct {
	X, Y float64
	K    int32
	B    uint8
}

type box struct {
	A    int
	F    float32
	Arr  [8]int16
	P    point
	Row  []float64
	Next *box
}

type data struct {
	ints  []int
	bytes []uint8
	words []uint32
	reals []float64
	halfs []float32
	rows  [][]float64
	grid  [][]int
	ps    []point
	first *box
	text  string
}

var gi int
var gu uint16
var gf float64
var ga [8]int64

func (p *point) move(dx float64)  { p.X += dx; p.K++ }
func (p point) norm() float64     { return p.X*p.X + p.Y*p.Y }
func (b *box) at(i int) int16     { return b.Arr[i&7] }
func lower(a, b int) int          { if a < b { return a }; return b }
func both(a int, x float64) (float64, int) { return x + 1, a ^ 5 }
func pick[T any](yes bool, a, b T) T { if yes { return a }; return b }

func made(k int) *data {
	d := &data{text: "machine code", rows: make([][]float64, 8), grid: make([][]int, 8)}
	for i := range 8 {
		d.ints = append(d.ints, (i*7+k)%11-4)
		d.bytes = append(d.bytes, uint8(i*40+k))
		d.words = append(d.words, uint32(i-3+k))
		d.reals = append(d.reals, float64(i-3)/4+float64(k))
		d.halfs = append(d.halfs, float32(i)*1.5-float32(k))
		d.rows[i] = append(d.reals[:0:0], d.reals...)
		d.rows[i] = append(d.rows[i], 0, 1, 2, 3, 4, 5, 6, 7)[:8]
		d.grid[i] = []int{i, i + 1, -i, 3, k, 1 << i, 7, -1}
		d.ps = append(d.ps, point{float64(i), -0.5, int32(k - i), uint8(i)})
		d.first = &box{A: i * k, F: float32(i), P: d.ps[i], Row: d.rows[i], Next: d.first}
	}
	return d
}

func try(i int, f func(*data, int) string, n, k int) {
	d := made(k)
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(i, r)
		}
		fmt.Println(d.ints, d.bytes, d.words, d.reals, d.halfs, d.rows, d.grid, d.ps)
		for b := d.first; b != nil; b = b.Next {
			fmt.Println(b.A, b.F, b.Arr, b.P, b.Row)
		}
		fmt.Println(gi, gu, gf, ga)
	}()
	fmt.Println(i, f(d, n))
}
`

// pures is the number of functions that change no memory.
const pures = 6

// loops generates functions.
type loops struct {
	writer
	depth  int  // nesting depth of loops
	inPure bool // the function changes no memory
}

var intTypes = []string{"int", "int", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}

var numberTypes = append([]string{"float64", "float64", "float64", "float64", "float32"}, intTypes...)

// pureResults are the types of the results of functions that change no memory.
var pureResults = [pures]string{"int", "float64", "uint8", "bool", "int32", "float32"}

// begin begins a function with variables of all types.
func (g *loops) begin(some int) {
	g.fixed, g.depth = map[string]bool{}, 0
	if g.vars == nil {
		g.vars = map[string][]string{}
	}
	for _, t := range []string{"int", "float64", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "bool"} {
		n := 1 + g.r.IntN(some)
		if len(g.vars[t]) > 0 && g.inPure && g.chance(60) {
			continue
		}
		for range n {
			name := g.fresh("v")
			g.line("var %s %s = %s\n_ = %s", name, t, g.start(t), name)
			g.declare(t, name)
		}
	}
}

// start returns an initial value of a type.
func (g *loops) start(t string) string {
	switch {
	case t == "bool":
		return g.one("true", "false")
	case strings.HasPrefix(t, "float"):
		return g.one("0", "1.5", "-0.25", "1e10", "3", "-7.75")
	case t[0] == 'u':
		return g.one("0", "1", "250", "17")
	}
	return g.one("0", "1", "-7", "100", "-128")
}

// pure writes a function that changes no memory, and that may call itself and earlier pure
// functions.
func (g *loops) pure(i int) {
	g.inPure, g.names = true, 0
	g.vars = map[string][]string{"int": {"a", "n"}, "float64": {"x"}, "uint8": {"c"}}
	g.fixed = map[string]bool{}
	t := pureResults[i]
	g.line("func f%d(n, a int, x float64, c uint8, s []float64, p *box) %s {", i, t)
	g.begin(1)
	g.fixed["n"] = true
	g.line("if n <= 0 {\nreturn %s\n}", g.expr(t, 2))
	switch g.r.IntN(3) {
	case 0:
		g.loop(1)
	case 1:
		g.block(1)
		g.line("if f%d(n-1, %s, x, c, s, p) == f%d(n-2, a, %s, c, s, p) {\nreturn %s\n}", i, g.expr("int", 1), i, g.expr("float64", 1), g.expr(t, 1))
	default:
		g.block(0)
	}
	g.line("return %s\n}\n", g.expr(t, 3))
	g.inPure = false
}

// function writes a function that works on data.
func (g *loops) function(i int) {
	g.vars = nil
	g.line("func t%d(d *data, n int) string {", i)
	g.line("ints, bytes, words, reals, halfs, rows, grid, ps := d.ints, d.bytes, d.words, d.reals, d.halfs, d.rows, d.grid, d.ps")
	g.line("b, text, arr, q := d.first, d.text, [8]int32{1, -2, 3}, point{1, 2, 3, 4}\nseen, list := map[int]int{}, []int{}")
	g.line("_, _, _, _, _, _, _, _, _, _, _, _, _, _ = ints, bytes, words, reals, halfs, rows, grid, ps, b, text, arr, q, seen, list")
	g.begin(1 + g.r.IntN(4))
	for range 1 + g.r.IntN(2) {
		g.line("for at := 0; at < n; at++ {")
		g.nested(func() {
			g.declare("int", "at")
			g.fixed["at"] = true
			g.depth = 1
			g.block(2)
			g.depth = 0
		})
		g.line("}")
	}
	g.b.WriteString("return fmt.Sprintln(len(list), len(seen), seen[3], b.A, arr, q")
	for _, t := range []string{"int", "float64", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "bool"} {
		for _, v := range g.vars[t] {
			fmt.Fprintf(&g.b, ", %s", v)
		}
	}
	g.line(")\n}\n")
}

func (g *loops) block(nesting int) {
	g.nested(func() {
		for range 2 + g.r.IntN(5) {
			g.statement(nesting)
		}
	})
}

// set returns the type of a number and a variable of that type to set.
func (g *loops) set() (t, v string) {
	t = g.one(numberTypes...)
	return t, g.variable(t, true)
}

func (g *loops) statement(nesting int) {
	if nesting > 0 && g.chance(40) {
		g.compound(nesting - 1)
		return
	}
	most := 22
	if g.inPure {
		most = 7
	}
	switch g.r.IntN(most) {
	case 0, 1, 2:
		t, v := g.set()
		g.line("%s = %s", v, g.expr(t, 3))
	case 3, 4:
		t, v := g.set()
		if strings.HasPrefix(t, "float") {
			g.line("%s %s %s", v, g.one("+=", "-=", "*=", "/="), g.expr(t, 2))
		} else {
			g.line("%s %s %s", v, g.one("+=", "-=", "*=", "^=", "|=", "&=", "&^="), g.expr(t, 2))
		}
	case 5:
		v := g.variable("bool", true)
		g.line("%s = %s", v, g.expr("bool", 2))
	case 6:
		t, v := g.set()
		w := g.variable(t, true)
		g.line("%s, %s = %s, %s", v, w, g.expr(t, 1), g.expr(t, 1))
	case 7, 8:
		v, t := g.element()
		g.line("%s %s %s", v, g.one("=", "+=", "-=", "*="), g.expr(t, 2))
	case 9, 10:
		v, t := g.element()
		g.line("%s = %s", v, g.expr(t, 3))
	case 11:
		g.line("ps[%s] = ps[%s]", g.index(), g.index())
	case 12:
		g.line("%s", g.one("q = ps["+g.index()+"]", "ps["+g.index()+"] = q", "q.X += 0.5", "q.K ^= q.K << 3", "q = point{}"))
	case 13:
		g.line("if b.Next != nil {\nb = b.Next\n} else {\nb = d.first\n}")
	case 14:
		g.line("%s", g.one("ps["+g.index()+"].move("+g.expr("float64", 1)+")", "b.P.move("+g.expr("float64", 1)+")", "q.move(1)"))
	case 15:
		g.line("%s, %s = both(%s, %s)", g.variable("float64", true), g.variable("int", true), g.expr("int", 1), g.expr("float64", 1))
	case 16:
		g.line("if %s {\n%s\n}", g.expr("bool", 1), g.one("list = append(list, at)", "seen["+g.expr("int", 1)+"&7]++", "reals = rows["+g.index()+"]", "text = \"other\" + text[:3]", "ints = grid["+g.index()+"]"))
	case 17:
		g.line("if at %% 64 == %d {\n%s\n}", g.r.IntN(64), g.one("list = append(list, "+g.expr("int", 1)+")", "words = append(words[:8:8], 1)", "seen[at] = 1", "b.Row = append(b.Row[:0:0], b.Row...)", "rows["+g.index()+"] = make([]float64, 8)"))
	case 18:
		g.line("func() { %s %s %s }()", g.variable("int", true), g.one("+=", "^="), g.expr("int", 1))
	default:
		t, v := g.set()
		name := g.fresh("w")
		g.line("%s := %s\n%s = %s\n_ = %s", name, g.expr(t, 2), v, name, name)
		g.declare(t, name)
	}
}

// element returns an assignable part of the data, and its type.
func (g *loops) element() (v, t string) {
	i := g.index()
	switch g.r.IntN(17) {
	case 0, 1:
		return "ints[" + i + "]", "int"
	case 2:
		return "bytes[" + i + "]", "uint8"
	case 3:
		return "words[" + i + "]", "uint32"
	case 4, 5:
		return "reals[" + i + "]", "float64"
	case 6:
		return "halfs[" + i + "]", "float32"
	case 7, 8:
		return "rows[" + i + "][" + g.index() + "]", "float64"
	case 9:
		return "grid[" + i + "][" + g.index() + "]", "int"
	case 10:
		return "ps[" + i + "]." + g.one("X", "Y"), "float64"
	case 11:
		return "ps[" + i + "].K", "int32"
	case 12:
		return "b.Arr[" + i + "]", "int16"
	case 13:
		return "arr[" + i + "]", "int32"
	case 14:
		return g.one("b.P.X", "q.Y", "b.Row["+i+"]", "gf"), "float64"
	case 15:
		return g.one("b.A", "gi"), "int"
	}
	return "ga[" + i + "]", "int64"
}

func (g *loops) compound(nesting int) {
	switch n := g.r.IntN(8); {
	case n < 3 || g.depth == 3:
		g.line("if %s {", g.expr("bool", 2))
		g.block(nesting)
		switch g.r.IntN(4) {
		case 0:
			g.line("} else {")
			g.block(nesting)
		case 1:
			if g.depth > 0 {
				g.line("%s", g.one("break", "continue"))
			}
		}
		g.line("}")
	case n == 3:
		g.line("switch %s & 3 {\ncase 0:", g.expr("int", 1))
		g.block(0)
		g.line("case 1, 3:")
		g.block(0)
		g.line("default:")
		g.block(0)
		g.line("}")
	default:
		g.loop(nesting)
	}
}

func (g *loops) loop(nesting int) {
	i, t := g.fresh("k"), "int"
	more := ""
	n := g.r.IntN(9)
	switch {
	case n == 0:
		t = g.one(intTypes...)
		g.line("for %[1]s := %[2]s(0); %[1]s < %[3]d; %[1]s++ {", i, t, g.r.IntN(9))
	case n == 1:
		t = g.one("int", "int8", "int32", "int64")
		g.line("for %[1]s := %[2]s(%[3]d); %[1]s >= 0; %[1]s -= %[4]d {", i, t, g.r.IntN(9), 1+g.r.IntN(2))
	case n == 2:
		g.line("for %s := range %d {", i, g.r.IntN(8))
	case n == 3 && !g.inPure:
		g.line("for %s := range %s {", i, g.one("ints", "reals", "rows", "ps", "arr", "b.Row"))
	case n == 4 && !g.inPure:
		more = g.fresh("of")
		g.line("for %s, %s := range reals {\n_ = %s", i, more, more)
	case n == 5 && !g.inPure:
		more = g.fresh("of")
		g.line("for %s, %s := range rows[%s] {\n_ = %s", i, more, g.index(), more)
	case n == 6:
		g.line("for %[1]s := 1; %[1]s < 40; %[1]s *= %[2]d {", i, 2+g.r.IntN(2))
	default:
		g.line("for %[1]s := 0; %[1]s < %[2]d && %[3]s; %[1]s++ {", i, 2+g.r.IntN(6), g.expr("bool", 1))
	}
	g.line("_ = %s", i)
	g.nested(func() {
		g.declare(t, i)
		g.fixed[i] = true
		if more != "" {
			g.declare("float64", more)
		}
		g.depth++
		g.block(nesting)
		g.depth--
	})
	g.line("}")
}

// index returns an index below eight that is seldom out of range.
func (g *loops) index() string {
	v := g.variable("int", false)
	switch g.r.IntN(60) {
	case 0:
		return v
	case 1:
		return "(" + v + "&8)"
	}
	switch g.r.IntN(5) {
	case 0:
		return g.one("0", "3", "7")
	case 1:
		t := g.one("uint8", "uint32", "int64", "uint", "uint16")
		return "(" + g.variable(t, false) + "&7)"
	case 2:
		return "(" + g.expr("int", 1) + "&7)"
	}
	return "(" + v + "&7)"
}

// constant returns a constant for use as the right operand of an operator.
func (g *loops) constant(t string) string {
	switch {
	case strings.HasPrefix(t, "float"):
		return g.one("0.5", "2", "-1", "1e-3", "3.25")
	case t == "uint64" && g.chance(20):
		return g.one("1<<63", "(1<<64 - 1)", "1<<32")
	case t == "int64" && g.chance(20):
		return g.one("-1<<63", "1<<62", "1<<32")
	case t[0] == 'u':
		return g.one("1", "2", "3", "8", "10", "127", "255")
	}
	return g.one("1", "2", "3", "8", "10", "127", "-1", "-2", "-128", "-3")
}

// right returns the second operand of an operator.
func (g *loops) right(t string, depth int) string {
	if g.chance(30) {
		return g.constant(t)
	}
	return g.expr(t, depth-1)
}

// expr generates an expression that is not constant and has no side effects, but may panic.
func (g *loops) expr(t string, depth int) string {
	if t == "bool" {
		return g.condition(depth)
	}
	if depth <= 0 || g.chance(20) {
		return g.variable(t, false)
	}
	e := func(t string) string { return g.expr(t, depth-1) }
	float := strings.HasPrefix(t, "float")
	switch n := g.r.IntN(12); {
	case n < 4 && float:
		return fmt.Sprintf("(%s %s %s)", e(t), g.one("+", "-", "*", "/"), g.right(t, depth))
	case n < 4:
		return fmt.Sprintf("(%s %s %s)", e(t), g.one("+", "-", "*", "&", "|", "^", "&^"), g.right(t, depth))
	case n == 4 && float:
		if t == "float32" {
			return "float32(math." + g.one("Sqrt", "Abs") + "(float64(" + e(t) + ")))"
		}
		if g.chance(15) {
			return "math." + g.one("Exp", "Sin", "Log1p", "Tanh", "Cbrt") + "(" + e(t) + ")"
		}
		return "math." + g.one("Sqrt", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven") + "(" + e(t) + ")"
	case n == 4:
		if g.chance(8) {
			return fmt.Sprintf("(%s %s %s)", e(t), g.one("/", "%"), e(t))
		}
		return fmt.Sprintf("(%s %s %s)", e(t), g.one("/", "%"), g.one(g.constant(t), "("+g.variable(t, false)+"|1)", "("+e(t)+"|3)"))
	case n == 5 && !float:
		count := g.one(fmt.Sprint(g.r.IntN(70)), "("+g.variable("uint8", false)+"&31)", g.variable("uint16", false), "("+g.variable("int", false)+"&63)", g.variable("uint64", false))
		return fmt.Sprintf("(%s %s %s)", e(t), g.one("<<", ">>"), count)
	case n == 6:
		return fmt.Sprintf("%s%s", g.one("-", "-", map[bool]string{true: "-", false: "^"}[float]), g.variable(t, false))
	case n < 9:
		from := g.one(numberTypes...)
		if strings.HasPrefix(from, "float") && !float {
			return fmt.Sprintf("%s(math.Mod(float64(%s), 100) + 100)", t, e(from))
		}
		return fmt.Sprintf("%s(%s)", t, e(from))
	case n == 9 && !float:
		return fmt.Sprintf("%s(%s, %s)", g.one("min", "max"), e(t), g.right(t, depth))
	case n == 10:
		for range 20 {
			if v, of := g.read(depth); of == t {
				return v
			}
		}
	case n == 11:
		for range 6 {
			if v, of := g.call(depth); of == t {
				return v
			}
		}
	}
	return g.variable(t, false)
}

// read returns an expression that reads a part of the data.
func (g *loops) read(depth int) (v, t string) {
	if g.inPure {
		return g.one("s["+g.index()+"]", "p.P.X", "p.Row["+g.index()+"]"), "float64"
	}
	switch g.r.IntN(9) {
	case 0:
		return "text[" + g.index() + "]", "uint8"
	case 1:
		return g.one("len(list)", "len(ints)", "cap(reals)", "len(text)"), "int"
	}
	return g.element()
}

// call returns a call of a function, which is small or changes no memory.
func (g *loops) call(depth int) (v, t string) {
	e := func(t string) string { return g.expr(t, depth-1) }
	if g.inPure {
		return g.one(fmt.Sprintf("lower(%s, %s)", e("int"), e("int")), "int(p.at("+e("int")+"))"), "int"
	}
	switch g.r.IntN(8) {
	case 0:
		return fmt.Sprintf("lower(%s, %s)", e("int"), e("int")), "int"
	case 1:
		return g.one("q.norm()", "ps["+g.index()+"].norm()", "b.P.norm()"), "float64"
	case 2:
		return "b.at(" + e("int") + ")", "int16"
	case 3:
		t := g.one(numberTypes...)
		return fmt.Sprintf("pick(%s, %s, %s)", e("bool"), e(t), e(t)), t
	}
	i := g.r.IntN(pures)
	return fmt.Sprintf("f%d(%s&3, %s, %s, %s, %s, b)", i, g.variable("int", false), e("int"), e("float64"), e("uint8"),
		g.one("reals", "rows["+g.index()+"]")), pureResults[i]
}

// condition generates a condition.
func (g *loops) condition(depth int) string {
	if depth <= 0 || g.chance(15) {
		return g.variable("bool", false)
	}
	switch g.r.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.condition(depth-1), g.one("&&", "||", "==", "!="), g.condition(depth-1))
	case 1:
		return "!" + g.variable("bool", false)
	}
	t := g.one(numberTypes...)
	return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), g.one("<", "<=", ">", ">=", "==", "!="), g.right(t, depth-1))
}
