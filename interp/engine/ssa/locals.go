package ssa

import (
	"go/types"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// Each instance of a generic function has its own copies of the types that the function declares.
// Their names contain the type arguments of the instance. go/ssa does not keep the type arguments,
// so the engine notes them before it compiles the body of an instance.

// localTypes holds the type arguments of the instances that declare types.
type localTypes struct {
	mu   sync.Mutex
	args map[*types.TypeName][]types.Type
}

func (e *Engine) enclosing(obj *types.TypeName) []types.Type {
	e.locals.mu.Lock()
	defer e.locals.mu.Unlock()
	return e.locals.args[obj]
}

// noteLocals notes the types that fn declares. The function is an instance of a generic function,
// or a function literal in an instance.
func (e *Engine) noteLocals(fn *ssa.Function) {
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	args, obj := outer.TypeArgs(), outer.Object()
	if len(args) == 0 || obj == nil {
		return
	}
	pkg := obj.Pkg()
	e.locals.mu.Lock()
	defer e.locals.mu.Unlock()
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		t = types.Unalias(t)
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			obj := t.Obj()
			if obj.Parent() == nil && obj.Pkg() == pkg && e.locals.args[obj] == nil && !among(args, t) {
				if e.locals.args == nil {
					e.locals.args = map[*types.TypeName][]types.Type{}
				}
				e.locals.args[obj] = args
			}
			for arg := range t.TypeArgs().Types() {
				visit(arg)
			}
			visit(t.Underlying())
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Chan:
			visit(t.Elem())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				visit(f.Type())
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); ok {
				visit(v.Type())
			}
			for _, o := range in.Operands(nil) {
				if *o != nil {
					visit((*o).Type())
				}
			}
		}
	}
}

func among(args []types.Type, t types.Type) bool {
	for _, a := range args {
		if a == t {
			return true
		}
	}
	return false
}
