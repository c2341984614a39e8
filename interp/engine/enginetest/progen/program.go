package progen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes one program.
type generator struct {
	rand    *rand.Rand
	prefix  string // prefix of all top-level names, so that programs can share a file
	decls   strings.Builder
	body    strings.Builder
	indent  int
	names   int
	types   []*typ
	structs []*typ
	tagged  []*typ // those with the method Tag
	funcs   []function
	vars    []variable // variables in scope
	panics  int        // number of operations that may still panic in the statement
	guards  int        // enclosing functions that recover
	depth   int        // nesting depth of statements
	budget  int        // number of statements that may still be written
	pure    bool       // the current function only changes its own variables
}

// variable is a variable in scope.
type variable struct {
	name  string
	typ   *typ
	fixed bool // it is not assigned to
}

// function is a function of the program without side effects.
type function struct {
	name   string
	params []*typ
	result *typ
}

// Header is the start of a file of programs, after its package clause.
const Header = `
import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
)

var _, _, _, _, _, _ = errors.New, cmp.Compare[int], strings.Repeat, sync.OnceFunc, slices.Sorted[int], runtime.GC

// lines bounds what a program prints, and fuel how long it runs.
var lines, fuel int

func emit(what string, v any) {
	if lines++; lines < 300 {
		fmt.Println(what, show(v))
	}
}

// show writes a value with its type.
func show(v any) string { return fmt.Sprintf("%T %v", v, v) }

// text returns a panic's text.
func text(r any) string {
	if e, ok := r.(error); ok {
		return "error: " + e.Error()
	}
	return show(r)
}

// cut bounds the length of a string.
func cut[S ~string](s S) S { return s[:min(len(s), 40)] }

// val keeps the compiler from computing with constants.
func val[T any](x T) T { return x }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

type tagger interface{ Tag() string }

type pair[A, B any] struct { first A; second B }

func (p pair[A, B]) swap() pair[B, A] { return pair[B, A]{p.second, p.first} }

func mapped[A, B any](xs []A, f func(A) B) (ys []B) {
	for _, x := range xs {
		ys = append(ys, f(x))
	}
	return ys
}

func largest[T cmp.Ordered](x T, more ...T) T {
	for _, y := range more {
		if y > x {
			x = y
		}
	}
	return x
}

func counted(n int) func(yield func(int, int) bool) {
	return func(yield func(int, int) bool) {
		defer func() { lines++ }()
		for i := range n {
			if !yield(i, i*i) {
				return
			}
		}
	}
}

// bounded returns a float that any integer type can hold.
func bounded(f float64) float64 {
	if f >= 0 && f < 127 {
		return f
	}
	return 1
}

// run runs a program to its end, or to its panic.
func run(name string, f func()) {
	lines, fuel = 0, 3000
	fmt.Println("== " + name)
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("panic:", text(r))
		}
	}()
	f()
}
`

// Program returns the declarations of a program, and the name of its function without parameters
// and results. All names begin with the name of the program.
func Program(seed uint64) (source, name string) {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), prefix: fmt.Sprintf("P%d", seed)}
	g.declareTypes()
	for range 2 + g.n(4) {
		g.function()
	}
	g.pure, g.budget = false, 40
	g.open("func %s() {", g.prefix)
	g.block(10 + g.n(10))
	g.close("}")
	return g.decls.String() + g.body.String(), g.prefix
}

// File returns a program that runs the programs of some seeds one after another.
func File(seeds []uint64) string {
	var b strings.Builder
	b.WriteString("package main\n" + Header)
	var calls strings.Builder
	for _, seed := range seeds {
		source, name := Program(seed)
		b.WriteString("\n" + source)
		fmt.Fprintf(&calls, "\trun(%q, %s)\n", name, name)
	}
	b.WriteString("\nfunc main() {\n" + calls.String() + "}\n")
	return b.String()
}

// n returns a number below max.
func (g *generator) n(max int) int { return g.rand.IntN(max) }

// pick returns one of several strings.
func (g *generator) pick(texts ...string) string { return texts[g.n(len(texts))] }

// name returns a new package-level name.
func (g *generator) name(of string) string {
	g.names++
	return fmt.Sprintf("%s%s%d", g.prefix, of, g.names)
}

// local returns a new name for a variable.
func (g *generator) local() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

func (g *generator) decl(format string, args ...any) { fmt.Fprintf(&g.decls, format+"\n", args...) }

func (g *generator) line(format string, args ...any) {
	g.body.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.body, format+"\n", args...)
}

func (g *generator) open(format string, args ...any) {
	g.line(format, args...)
	g.indent++
}

func (g *generator) close(format string, args ...any) {
	g.indent--
	g.line(format, args...)
}

// function writes a function that expressions may call. Its results depend only on its parameters.
func (g *generator) function() {
	f := function{name: g.name("f"), result: g.anyType()}
	var params []string
	outer := g.vars
	g.vars = nil
	for i := range g.n(4) {
		t := g.anyType()
		f.params = append(f.params, t)
		name := fmt.Sprintf("p%d", i)
		params = append(params, name+" "+t.name)
		g.vars = append(g.vars, variable{name, t, t.kind == slicesKind || t.kind == mapsKind || t.kind == pointers})
	}
	g.pure, g.budget = true, 8
	named := g.n(3) == 0
	if named {
		g.guards++
		defer func() { g.guards-- }()
		g.open("func %s(%s) (result %s) {", f.name, strings.Join(params, ", "), f.result.name)
		g.line("defer func() { if r := recover(); r != nil { result = *new(%s) } }()", f.result.name)
	} else {
		g.open("func %s(%s) %s {", f.name, strings.Join(params, ", "), f.result.name)
	}
	g.line("if fuel--; fuel < 0 { return *new(%s) }", f.result.name)
	from := len(g.vars)
	for range g.n(4) {
		g.statement()
	}
	g.use(from)
	g.allowPanic()
	g.line("return %s", g.expr(f.result, 3))
	g.close("}")
	g.vars = outer
	g.funcs = append(g.funcs, f)
}

func (g *generator) anyType() *typ { return g.types[g.n(len(g.types))] }

// use writes a use of each variable whose index is at least from, and removes these variables from
// the scope.
func (g *generator) use(from int) {
	for _, v := range g.vars[from:] {
		if g.pure || v.typ.kind == funcs {
			g.line("_ = %s", v.name)
			continue
		}
		g.line("emit(%q, %s)", v.name, g.shown(v))
	}
	g.vars = g.vars[:from]
}

// shown returns the printed form of a variable. Pointers and functions would show addresses.
func (g *generator) shown(v variable) string {
	if g.printable(v.typ, 3) {
		return v.name
	}
	return fmt.Sprintf("fmt.Sprintf(\"%%T\", %s)", v.name)
}

// printable reports whether fmt prints values of a type the same in each run.
func (g *generator) printable(t *typ, depth int) bool {
	switch t.kind {
	case funcs, pointers:
		return false
	case interfaces:
		return true // they hold values of basic types only
	case slicesKind, arrays, mapsKind:
		return depth > 0 && g.printable(t.elem, depth-1)
	case structs:
		for _, f := range t.fields {
			if !g.printable(f.typ, depth) {
				return false
			}
		}
	}
	return true
}
