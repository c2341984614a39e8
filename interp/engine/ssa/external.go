package ssa

import (
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/engine"
	"golang.org/x/tools/go/ssa"
)

// compiled returns a compiled function or method as a func value whose first parameter is the
// receiver, if it has one.
func (e *Engine) compiled(f *types.Func) (reflect.Value, bool) {
	if v := e.overrides.Of(f.FullName()); v.IsValid() {
		return v, true
	}
	if recv := f.Signature().Recv(); recv != nil {
		t, err := e.types.Of(recv.Type())
		if err != nil {
			return reflect.Value{}, false
		}
		m, ok := t.Reflect().MethodByName(f.Name())
		return m.Func, ok
	}
	if e.cfg.Value == nil || f.Pkg() == nil {
		return reflect.Value{}, false
	}
	v, ok := e.cfg.Value(f.Pkg().Path(), f.Name())
	return v, ok && v.Kind() == reflect.Func
}

// external returns the func value of a function without a body.
func (e *Engine) external(fn *ssa.Function, pos token.Pos) reflect.Value {
	if v, ok := e.standIns.Generic(fn); ok {
		return v
	}
	if to := e.linked(fn); to != nil {
		return e.linkedValue(fn, to)
	}
	what := "the function " + fn.String() + " is not in this binary"
	if f, ok := fn.Object().(*types.Func); ok {
		l := e.packageOf(f.Pkg())
		if l != nil {
			if v, ok := l.in.External[f.Name()]; ok {
				return v
			}
		}
		if v, ok := e.compiled(f); ok {
			return v
		}
		if l == nil { // a package of the program
			what += ", because its symbol tables are stale: run go generate ./interp/symbols and build gokernel again"
		}
	}
	panic(&engine.Refusal{Pos: pos, What: what})
}
