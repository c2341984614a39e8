package ssa

import (
	"fmt"
	"go/ast"
	"go/types"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Types of earlier cells that get methods become new runtime types. All code is compiled again when
// it is next called, and values in interfaces get the newer types, so no code meets a value of an
// older type.

// renew updates the types of earlier cells that get methods in this cell. It returns a note for the
// user about values that keep an older type.
func (e *Engine) renew(in *engine.Cell) string {
	var names []string
	renewed := func(t types.Object, changed bool) {
		if changed {
			names = append(names, t.Name())
		}
	}
	for old, now := range in.Succeeds {
		e.types.Succeed(old, now)
		renewed(old.Obj(), true)
	}
	for _, f := range in.Files {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Recv == nil {
				continue
			}
			fn, ok := in.Info.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			t := types.Unalias(fn.Signature().Recv().Type())
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != in.Package {
				renewed(n.Obj(), e.types.Renew(n))
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	e.renewals.Add(1)
	e.m.Recompile()
	if e.m.Running.Any() {
		return fmt.Sprintf("note: goroutines of earlier cells are running, so values of %s that are already in interfaces keep the older methods; type assertions and type switches in cells still recognize these values", names[0])
	}
	if kept := e.types.Migrate(e.places(), captured); kept > 0 {
		values := "a value"
		if kept > 1 {
			values = fmt.Sprint(kept, " values")
		}
		return fmt.Sprintf("note: %s of %s with the older methods stays in an interface with a method that %[2]s no longer has", values, names[0])
	}
	return ""
}

// places returns the variables of the session.
func (e *Engine) places() []rtype.Place {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var list []rtype.Place
	for o, p := range e.globals {
		if t, err := e.types.Of(o.Type()); err == nil {
			list = append(list, rtype.Place{Type: t, Addr: p})
		}
	}
	return list
}

// captured returns the variables that an interpreted func value has captured.
func captured(c *rtype.Closure) []rtype.Place {
	f := (*machine.Function)(c.Func())
	var list []rtype.Place
	for i, v := range f.SSA.FreeVars {
		list = append(list, rtype.Place{Type: f.M.Typ(v.Type()), Addr: unsafe.Add(c.Env(), f.Binding(i))})
	}
	return list
}
