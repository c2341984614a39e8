package compile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// bodyOf returns the body of function f of a program that imports nothing.
func bodyOf(t *testing.T, src string) *body {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "f.go", "package main; "+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{}, fset, types.NewPackage("main", "main"), []*ast.File{file}, ssa.BareInits)
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(engine.Hooks{})
	w := World{
		Machine:    m,
		Types:      rtype.New(rtype.Config{Enter: m.Enter}),
		Override:   func(string) reflect.Value { return reflect.Value{} },
		NoteLocals: func(*ssa.Function) {},
		Renewals:   new(atomic.Int32),
	}
	all := New(w)
	m.Connect(machine.World{Types: w.Types, Compile: all.Compile, FindDead: all.FindDead})
	var f *body
	all.inspect = func(b *body) { f = b }
	fn := m.Function(pkg.Func("f"))
	all.Compile(&machine.Code{Fn: fn, SSA: fn.SSA})
	return f
}

// Each check reports the violations that it must find.
func TestChecksFindWhatIsWrong(t *testing.T) {
	c := bodyOf(t, `func f(xs []float64) (s float64) {
	for _, x := range xs {
		s += x * x
	}
	return s
}`)
	place := func(name string) (ssa.Value, slot) {
		for v, s := range c.slots {
			if v.Name() == name {
				return v, s
			}
		}
		t.Fatal("there is no ", name)
		return nil, slot{}
	}
	phi, at := place("t2")
	other, of := place("t1")
	p, xs := place("xs")
	for name, change := range map[string]func(c *body){
		"nothing":                        func(*body) {},
		"a place outside of the frame":   func(c *body) { c.slots[phi] = slot{Off: at.Off - 4096, Type: at.Type, Rep: at.Rep} },
		"a pointer that is not mapped":   func(c *body) { c.slots[p] = slot{Off: xs.Off + 8, Type: xs.Type, Rep: xs.Rep} },
		"a place inside of another":      func(c *body) { c.slots[phi] = slot{Off: at.Off + 1, Type: c.typ(types.Typ[types.Bool])} },
		"values that are needed at once": func(c *body) { c.slots[other] = slot{Off: at.Off, Type: of.Type, Rep: of.Rep} },
		"an op without an instruction":   func(c *body) { c.instrs = c.instrs[1:] },
		"a block with ops of another": func(c *body) {
			c.blocks = append([]*block{}, c.blocks...)
			b := c.blocks[2]
			c.blocks[2] = &block{Ops: b.Ops, Next: b.Next, Branch: b.Branch, BranchPC: b.BranchPC, SSA: b.SSA}
		},
	} {
		changed := *c
		changed.slots = maps.Clone(c.slots)
		change(&changed)
		if err := changed.check(); (err == nil) != (name == "nothing") {
			t.Errorf("%s: check says %v", name, err)
		}
	}
}
