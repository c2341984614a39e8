//go:build (linux || darwin) && (amd64 || arm64)

package compile

import (
	"go/types"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"golang.org/x/tools/go/ssa"
)

// A function that can be stopped calls World.Stop before each statement, with the number
// of its site. Nothing is inlined into it, so that all its statements are its own, and
// its variables are cleared where they are declared.

// findStops looks whether the function can be stopped.
func (c *body) findStops() {
	form := c.all.Machine.FormOf(c.ssa)
	if form == nil {
		return
	}
	for _, b := range c.ssa.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && c.isStop(call) {
				c.debug = &machine.DebugForm{Form: form, At: c.l.Place(c.typ(types.Typ[types.Int32])).Off}
				c.code.Debug = c.debug
				return
			}
		}
	}
}

func (c *body) isStop(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Object() != nil && fn.Object() == c.all.Stop
}

// siteOf gives the site that an instruction is: none, where the function is not to be
// stopped now. It reports whether it is one.
func (c *body) siteOf(call *ssa.Call) (s *machine.Site, ok bool) {
	if !c.isStop(call) {
		return nil, false
	}
	if c.debug == nil {
		return nil, true
	}
	return c.debug.Sites[call.Call.Args[0].(*ssa.Const).Int64()], true
}

// findLocals notes where the variables of a function that can be stopped are.
func (c *body) findLocals() {
	if c.debug == nil {
		return
	}
	used := map[*types.Var]bool{}
	add := func(v ssa.Value, captured bool) {
		t := elemOf(v.Type())
		if t == nil {
			return
		}
		for _, o := range c.debug.Vars[v.Pos()] {
			if used[o] || len(c.debug.Vars[v.Pos()]) > 1 && !types.Identical(o.Type(), t) {
				continue
			}
			used[o] = true
			l := machine.LocalVar{Var: o, Type: t, Place: c.typ(t), Captured: captured}
			if off, ok := c.local[v]; ok {
				l.Off = off
			} else if s, ok := c.slots[v]; ok {
				l.Off, l.Pointer = s.Off, true
			} else {
				return
			}
			c.debug.Locals = append(c.debug.Locals, l)
			return
		}
	}
	for _, v := range c.ssa.FreeVars {
		add(v, true)
	}
	for _, b := range c.ssa.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ssa.Alloc); ok {
				add(a, false)
			}
		}
	}
}

// setAtOnce reports whether a variable need not be cleared: it is set as a whole, and
// nobody can look at it before.
func (c *body) setAtOnce(a *ssa.Alloc) bool {
	st := initialized(a)
	if st == nil || c.debug == nil {
		return st != nil
	}
	is := a.Block().Instrs
	for _, in := range is[indexOf(is, a):indexOf(is, st)] {
		if call, ok := in.(*ssa.Call); ok && c.isStop(call) {
			return false
		}
	}
	return true
}

// keepsDefers reports whether a variable has a stack of deferred calls that nobody uses.
func (c *body) keepsDefers(a *ssa.Alloc) bool {
	if len(*a.Referrers()) != 1 {
		return false
	}
	st, ok := (*a.Referrers())[0].(*ssa.Store)
	return ok && c.toDeferStack(st)
}

// toDeferStack reports whether a store keeps a stack of deferred calls that nobody uses.
func (c *body) toDeferStack(in *ssa.Store) bool {
	call, ok := in.Val.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "ssa:deferstack" && machine.Unneeded(call)
}
