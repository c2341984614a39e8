package compile

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// The compiler guesses the functions to which a func value may refer. JIT-compiled code checks the
// guess.

const (
	mostTargets = 3 // maximum number of functions to which a func value may refer
	targetDepth = 5 // maximum number of values between a func value and a function
)

// notePassed records the functions that the calls of a function pass to other functions.
func (c *body) notePassed(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			to := call.Call.StaticCallee()
			if to == nil || len(to.Blocks) == 0 {
				continue
			}
			for i, arg := range call.Call.Args {
				if _, ok := arg.Type().Underlying().(*types.Signature); !ok {
					continue
				}
				for _, target := range c.all.funcTargets(arg) {
					c.all.Machine.Function(to).NotePassed(i, target, mostTargets)
				}
			}
		}
	}
}

// FuncTargets returns functions with a body that a func value may refer to.
func (v *View) FuncTargets(x ssa.Value) []*ssa.Function { return v.b.all.funcTargets(x) }

func (all *Compiler) funcTargets(v ssa.Value) (list []*ssa.Function) {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value, depth int)
	visit = func(v ssa.Value, depth int) {
		if seen[v] || depth > targetDepth || len(list) == mostTargets {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Function:
			if len(v.Blocks) > 0 && !slices.Contains(list, v) {
				list = append(list, v)
			}
		case *ssa.MakeClosure:
			visit(v.Fn, depth)
		case *ssa.ChangeType:
			visit(v.X, depth)
		case *ssa.Phi:
			for _, e := range v.Edges {
				visit(e, depth+1)
			}
		case *ssa.Parameter:
			fn := v.Parent()
			for _, target := range all.Machine.Function(fn).Passed(slices.Index(fn.Params, v)) {
				visit(target, depth+1)
			}
		case *ssa.Call:
			fn := v.Call.StaticCallee()
			if fn == nil || fn.Signature.Results().Len() != 1 {
				return
			}
			for _, b := range fn.Blocks {
				if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
					visit(r.Results[0], depth+1)
				}
			}
		case *ssa.UnOp:
			if v.Op != token.MUL {
				return
			}
			a, ok := variableOf(v.X).(*ssa.Alloc)
			if !ok {
				return
			}
			for _, r := range *a.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == a {
					visit(st.Val, depth+1)
				}
			}
		}
	}
	visit(v, 0)
	return list
}

// variableOf returns the variable that a function literal has captured, or the address itself.
func variableOf(addr ssa.Value) ssa.Value {
	for {
		v, ok := addr.(*ssa.FreeVar)
		if !ok {
			return addr
		}
		if addr = binding(v); addr == nil {
			return nil
		}
	}
}

// binding returns what the enclosing function binds to a captured variable.
func binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, in := range b.Instrs {
			if closure, ok := in.(*ssa.MakeClosure); ok && closure.Fn == fn {
				return closure.Bindings[slices.Index(fn.FreeVars, v)]
			}
		}
	}
	return nil
}
