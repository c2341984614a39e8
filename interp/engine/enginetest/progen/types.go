package progen

import "fmt"

// kind classifies types by the operations on their values.
type kind uint8

const (
	integers kind = iota
	floats
	complexes
	stringsKind
	bools
	slicesKind
	arrays
	mapsKind
	structs
	pointers
	funcs
	interfaces
)

// typ is a type of a program.
type typ struct {
	name   string // as the program writes it
	kind   kind
	bits   int  // number of bits of integers
	signed bool // whether integers are signed
	elem   *typ // element of slices, arrays, maps (their keys are strings) and pointers; the type that functions map to itself
	fields []field
	named  bool
	depth  int // nesting depth of types within types
}

type field struct {
	name string
	typ  *typ
}

var (
	intType    = &typ{name: "int", kind: integers, bits: 64, signed: true}
	stringType = &typ{name: "string", kind: stringsKind}
	boolType   = &typ{name: "bool", kind: bools}
	anyType    = &typ{name: "any", kind: interfaces}
)

var basics = []*typ{
	intType, intType,
	{name: "int8", kind: integers, bits: 8, signed: true},
	{name: "int16", kind: integers, bits: 16, signed: true},
	{name: "int32", kind: integers, bits: 32, signed: true},
	{name: "int64", kind: integers, bits: 64, signed: true},
	{name: "uint", kind: integers, bits: 64},
	{name: "uint8", kind: integers, bits: 8},
	{name: "uint16", kind: integers, bits: 16},
	{name: "uint32", kind: integers, bits: 32},
	{name: "uint64", kind: integers, bits: 64},
	{name: "uintptr", kind: integers, bits: 64},
	{name: "float32", kind: floats, bits: 32},
	{name: "float64", kind: floats, bits: 64},
	{name: "complex128", kind: complexes},
	stringType, stringType, boolType,
}

// declareTypes makes the types of a program.
func (g *generator) declareTypes() {
	g.types = append(g.types, basics...)
	for range 1 + g.n(2) { // named basic types, with a method
		under := basics[g.n(len(basics))]
		t := *under
		t.name, t.named = g.name("N"), true
		g.decl("type %s %s", t.name, under.name)
		g.decl("func (x %s) Tag() string { return fmt.Sprint(%q, %s(x)) }", t.name, t.name, under.name)
		g.types = append(g.types, &t)
		g.tagged = append(g.tagged, &t)
	}
	for range 1 + g.n(3) {
		g.composite()
	}
	for range 1 + g.n(3) {
		g.structType()
	}
	for range 1 + g.n(3) {
		g.composite()
	}
	g.types = append(g.types, anyType)
}

// composite adds a type composed of another type.
func (g *generator) composite() {
	e := g.types[g.n(len(g.types))]
	for e.depth > 2 {
		e = g.types[g.n(len(g.types))]
	}
	var t *typ
	switch g.n(5) {
	case 0, 1:
		t = &typ{name: "[]" + e.name, kind: slicesKind, elem: e}
	case 2:
		t = &typ{name: fmt.Sprintf("[%d]%s", 1+g.n(4), e.name), kind: arrays, elem: e}
	case 3:
		t = &typ{name: "map[string]" + e.name, kind: mapsKind, elem: e}
	case 4:
		t = &typ{name: fmt.Sprintf("func(%s) %s", e.name, e.name), kind: funcs, elem: e}
	}
	t.depth = e.depth + 1
	g.types = append(g.types, t)
}

// structType adds a struct with methods, and the pointer to it.
func (g *generator) structType() {
	t := &typ{name: g.name("S"), kind: structs, named: true}
	text := ""
	if n := len(g.structs); n > 0 && g.n(2) == 0 {
		e := g.structs[g.n(n)]
		t.fields = append(t.fields, field{e.name, e})
		t.depth = e.depth
		text += e.name + "; "
	}
	for i := range 1 + g.n(5) {
		f := field{fmt.Sprintf("f%d%s", i, t.name), g.types[g.n(len(g.types))]}
		t.fields = append(t.fields, f)
		t.depth = max(t.depth, f.typ.depth+1)
		text += f.name + " " + f.typ.name + "; "
	}
	g.decl("type %s struct { %s}", t.name, text)
	g.structs = append(g.structs, t)
	f := t.fields[len(t.fields)-1]
	g.decl("func (x %s) Tag() string { return %q + show(x.%s) }", t.name, t.name, f.name)
	g.decl("func (x *%s) Set%s(v %s) %s { old := x.%s; x.%s = v; return old }", t.name, t.name, f.typ.name, f.typ.name, f.name, f.name)
	g.types = append(g.types, t, &typ{name: "*" + t.name, kind: pointers, elem: t, depth: t.depth})
	g.tagged = append(g.tagged, t)
}

// comparable reports whether == applies and cannot panic.
func (t *typ) comparable() bool {
	switch t.kind {
	case slicesKind, mapsKind, funcs, interfaces:
		return false
	case arrays:
		return t.elem.comparable()
	case structs:
		for _, f := range t.fields {
			if !f.typ.comparable() {
				return false
			}
		}
	}
	return true
}
