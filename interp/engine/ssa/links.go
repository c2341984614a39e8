package ssa

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// link lets what packages have by go:linkname be that of other packages: variables lie
// where those lie, and instructions that name a function are given the other one when it
// is surveyed. The lock building is held.
func (e *Engine) link(created []*loaded) {
	for _, l := range created {
		for from, to := range l.in.Linked {
			switch from := from.(type) {
			case *types.Var:
				p := e.variable(to.(*types.Var), e.m.Typ(to.Type()))
				e.mu.Lock()
				e.globals[from] = p
				e.mu.Unlock()
			case *types.Func:
				e.links.Store(e.prog.FuncValue(from), e.prog.FuncValue(to.(*types.Func)))
			}
		}
	}
}

// linked returns the function that one without a body is by go:linkname; nil if it is none.
func (e *Engine) linked(fn *ssa.Function) *ssa.Function {
	if fn.Blocks != nil {
		return nil
	}
	to, _ := e.links.Load(fn)
	f, _ := to.(*ssa.Function)
	return f
}

// relink lets an instruction name the function that one without a body is by a linkname,
// and gives it. Where it is declared with another type, or is a method that is not called,
// the function without a body stays and is called as a compiled one would be: see external.
func (e *Engine) relink(in ssa.Instruction, v *ssa.Value, fn *ssa.Function) *ssa.Function {
	to := e.linked(fn)
	if to == nil {
		return fn
	}
	method := to.Signature.Recv() != nil
	if call, ok := in.(ssa.CallInstruction); method && (!ok || v != &call.Common().Value) {
		return to
	}
	if e.m.FuncType(fn) == e.m.FuncType(to) {
		*v = to
	}
	return to
}

// linkedValue returns a function that is another by go:linkname as a value of its own type.
func (e *Engine) linkedValue(fn, to *ssa.Function) reflect.Value {
	p := unsafe.Pointer(e.m.Function(to).Value())
	return reflect.NewAt(e.m.FuncType(fn).Reflect(), unsafe.Pointer(&p)).Elem()
}
