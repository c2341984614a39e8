package ssa

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// link resolves go:linkname between packages: linked variables share memory, and an instruction
// that names a linked function gets the target function when it is surveyed. The caller must hold
// the lock building.
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

// linked returns the go:linkname target of a function without a body, or nil if it has none.
func (e *Engine) linked(fn *ssa.Function) *ssa.Function {
	if fn.Blocks != nil {
		return nil
	}
	to, _ := e.links.Load(fn)
	f, _ := to.(*ssa.Function)
	return f
}

// relink makes an instruction refer to the go:linkname target of a function without a body, and
// returns the target. If the target has another type, or is a method that is not called, the
// function without a body stays and is called like a compiled function: see external.
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

// linkedValue returns the go:linkname target of a function as a value of the function's own type.
func (e *Engine) linkedValue(fn, to *ssa.Function) reflect.Value {
	p := unsafe.Pointer(e.m.Function(to).Value())
	return reflect.NewAt(e.m.FuncType(fn).Reflect(), unsafe.Pointer(&p)).Elem()
}
