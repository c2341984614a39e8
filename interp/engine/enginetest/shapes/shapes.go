// Package shapes generates Go programs with the shapes of programs that people write. The shapes
// are a bank of structs with methods, a table of closures, windows on one slice, a scanner of a
// string, and a worker with channels. Each program has several of these parts, with random types,
// operations and sizes. A program compiles, ends soon, and prints the same output with every
// compiler.
//
// The package shares no code with package progen, so that the two packages don't miss the same
// bugs: progen generates statements from a grammar, while this package varies whole parts. Every
// part has a loop that runs long enough to be JIT-compiled.
package shapes

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// part writes the declarations of a part and returns the statements that run it.
type part struct {
	name  string
	write func(g *generator) (run string)
}

var parts = []part{
	{"records", records}, {"embedding", embedding}, {"closures", closures}, {"counters", counters},
	{"windows", windows}, {"grids", grids}, {"scanner", scanner}, {"runes", runes},
	{"recovery", recovery}, {"cleanup", cleanup}, {"generics", generics}, {"containers", containers},
	{"complexes", complexes}, {"figures", figures}, {"selects", selects}, {"widths", widths},
	{"shifts", shifts}, {"floats", floats}, {"mixed", mixed}, {"tables", tables}, {"arrays", arrays},
	{"control", control}, {"methods", methods}, {"lists", lists}, {"recursion", recursion}, {"sequences", sequences},
}

// Parts returns the names of the parts.
func Parts() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// generator writes one program.
type generator struct {
	*rand.Rand
	prefix string // of all names at the top level
	decls  strings.Builder
	names  int
}

// Program returns the declarations of the program of a seed, and the name of its function without
// parameters and results. All names at the top level begin with that name.
func Program(seed uint64) (source, name string) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x5eed)), prefix: fmt.Sprintf("Q%d", seed)}
	var runs strings.Builder
	for _, i := range g.Perm(len(parts))[:3+g.IntN(3)] {
		p := parts[i]
		fmt.Fprintf(&runs, "\tpart(%q, func() {\n%s\n\t})\n", p.name, indent(p.write(g), "\t\t"))
	}
	return g.decls.String() + "\nfunc " + g.prefix + "() {\n" + runs.String() + "}\n", g.prefix
}

// PartProgram is like Program, but has only one part, to find the part that differs.
func PartProgram(seed uint64, name string) (source, entry string) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x5eed)), prefix: fmt.Sprintf("Q%d", seed)}
	for _, p := range parts {
		if p.name == name {
			run := p.write(g)
			return g.decls.String() + "\nfunc " + g.prefix + "() {\n" + indent(run, "\t") + "\n}\n", g.prefix
		}
	}
	panic("shapes: there is no part " + name)
}

// File returns a program that runs the programs of some seeds one after another. The output of each
// program begins with a line that consists of "== " and the program's name.
func File(seeds []uint64) string {
	var b, calls strings.Builder
	b.WriteString("package main\n" + header)
	for _, seed := range seeds {
		source, name := Program(seed)
		b.WriteString("\n" + source)
		fmt.Fprintf(&calls, "\tprogram(%q, %s)\n", name, name)
	}
	b.WriteString("\nfunc main() {\n" + calls.String() + "}\n")
	return b.String()
}

// header is the start of a file, after its package clause.
const header = `
import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

var (
	_ = errors.New
	_ = math.Sqrt
	_ = slices.Sort[[]int]
	_ = sort.Ints
	_ = strings.Repeat

	zero     = 0.0
	infinity = 1 / zero
	notANumber = zero / zero
	negative = math.Copysign(0, -1)
)

// integer is the constraint of all integer types.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type number interface{ integer | ~float32 | ~float64 }

// mix adds a value to a checksum.
func mix[T integer](sum uint64, x T) uint64 { return (sum ^ uint64(x))*0x100000001b3 + 7 }

// bits returns the bits of a float, but one form of NaN.
func bits(x float64) uint64 {
	if x != x {
		return 1
	}
	return math.Float64bits(x)
}

// whole converts a float that may be too large for an integer.
func whole(x float64) int {
	if x > -1e9 && x < 1e9 {
		return int(x)
	}
	return -1
}

// small keeps floats in bounds.
func small(x float64) float64 {
	if x > 1e6 || x < -1e6 {
		return x / 1e6
	}
	return x
}

func text(r any) string {
	if e, ok := r.(error); ok {
		return "error: " + e.Error()
	}
	return fmt.Sprintf("%T %v", r, r)
}

func part(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", text(r))
		}
	}()
	f()
}

func program(name string, f func()) {
	fmt.Println("== " + name)
	f()
}
`

func indent(s, by string) string {
	return by + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+by)
}

// declare adds declarations. Names that begin with @ get the prefix of the program.
func (g *generator) declare(format string, args ...any) {
	g.decls.WriteString("\n" + g.local(format, args...) + "\n")
}

// local formats statements; see declare.
func (g *generator) local(format string, args ...any) string {
	return strings.ReplaceAll(fmt.Sprintf(format, args...), "@", g.prefix)
}

// fresh returns a new number that makes the names of a part unique.
func (g *generator) fresh() int { g.names++; return g.names }

// of returns one of several values.
func of[T any](g *generator, all ...T) T { return all[g.IntN(len(all))] }

// between returns a number from low to high.
func (g *generator) between(low, high int) int { return low + g.IntN(high-low+1) }

var integers = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"}

var sizes = map[string]int{"int": 64, "int8": 8, "int16": 16, "int32": 32, "int64": 64, "uint": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "uintptr": 64}

// integer returns an expression of an integer type. No part of the expression is constant, so it
// can overflow. It doesn't panic. The variables must have the type typ.
func (g *generator) integer(typ string, depth int, vars ...string) string {
	if depth == 0 {
		return of(g, vars...)
	}
	a := g.integer(typ, depth-1, vars...)
	b := g.integer(typ, g.IntN(depth), vars...)
	if g.IntN(4) == 0 {
		b = fmt.Sprint(of(g, 1, 2, 3, 7, 8, 100, 127))
	}
	switch g.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", a, of(g, "+", "-"), b)
	case 3, 4:
		return fmt.Sprintf("(%s * %s)", a, b)
	case 5:
		return fmt.Sprintf("(%s %s %s)", a, of(g, "&", "|", "^", "&^"), b)
	case 6:
		return fmt.Sprintf("(%s %s (%s | 1))", a, of(g, "/", "%"), g.integer(typ, g.IntN(depth), vars...))
	case 7:
		return fmt.Sprintf("(%s %s (uint(%s) & %d))", a, of(g, "<<", ">>"), g.integer(typ, g.IntN(depth), vars...), of(g, 3, 7, 15, 31, 63, 127))
	case 8:
		return fmt.Sprintf("(%s %s %d)", a, of(g, "<<", ">>"), g.IntN(70))
	case 9:
		return fmt.Sprintf("(%s%s)", of(g, "-", "^"), a)
	case 10:
		return fmt.Sprintf("%s(%s(%s))", typ, of(g, integers...), a)
	case 11:
		return fmt.Sprintf("%s(%s, %s)", of(g, "min", "max"), a, b)
	case 12:
		return fmt.Sprintf("(%s %s %d)", a, of(g, "/", "%"), of(g, 1, 2, 3, 5, 8, 10, 16, 100))
	}
	return fmt.Sprintf("%s(whole(small(float64(%s))))", typ, a)
}

// float returns an expression of type float64.
func (g *generator) float(depth int, vars ...string) string {
	if depth == 0 {
		return of(g, vars...)
	}
	a, b := g.float(depth-1, vars...), g.float(g.IntN(depth), vars...)
	switch g.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", a, of(g, "+", "-", "*"), b)
	case 3, 4:
		return fmt.Sprintf("(%s %s %v)", a, of(g, "+", "-", "*", "/"), of(g, 0.5, 2, 3, 0.1, 1e-3))
	case 5:
		return fmt.Sprintf("(%s / %s)", a, b)
	case 6:
		return fmt.Sprintf("math.%s(%s)", of(g, "Abs", "Floor", "Ceil", "Trunc", "Sqrt", "Sin", "Exp", "Cbrt"), a)
	case 7:
		return fmt.Sprintf("%s(%s, %s)", of(g, "min", "max", "math.Min", "math.Max", "math.Mod", "math.Copysign", "math.Hypot"), a, b)
	case 8:
		return fmt.Sprintf("(-%s)", a)
	case 9:
		return fmt.Sprintf("float64(float32(%s))", a)
	case 10:
		return fmt.Sprintf("float64(whole(%s))", a)
	}
	return fmt.Sprintf("small(%s)", a)
}

// condition compares two expressions.
func condition(g *generator, a, b string) string {
	c := fmt.Sprintf("%s %s %s", a, of(g, "<", "<=", ">", ">=", "==", "!="), b)
	if g.IntN(4) == 0 {
		c = "!(" + c + ")"
	}
	return c
}
