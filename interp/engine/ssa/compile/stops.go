package compile

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"golang.org/x/tools/go/ssa"
)

// A function that can be stopped calls World.Stop before each statement, with the number of its
// site. Ops are not moved past these calls. The calls are not ops themselves, but recorded in a
// separate list of their block (machine/stepping.go). After code in which the goroutine may stop
// elsewhere, a block ends at the next site. At that site, the block's function also checks whether
// it has to stop. Variables are cleared at their declarations.

// findStops determines whether the function can be stopped.
func (c *body) findStops() {
	form := c.all.Machine.FormOf(c.ssa)
	if form == nil {
		return
	}
	if own := c.sites(c.ssa, form); len(own) > 0 {
		c.debug = &machine.DebugForm{Form: form, Own: own}
		c.code.Debug = c.debug
	}
}

// sites returns the sites of a function.
func (c *body) sites(fn *ssa.Function, form *machine.Form) []*machine.Site {
	var own []*machine.Site
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c.isStop(in) {
				own = append(own, siteIn(form, in))
			}
		}
	}
	return own
}

// hasBreakpoints reports whether another function has breakpoints. When the result changes, the
// code is compiled again.
func (c *body) hasBreakpoints(f *function) bool {
	fn := f.Body()
	form := c.all.Machine.FormOf(fn)
	return form != nil && slices.ContainsFunc(c.sites(fn, form), (*machine.Site).Armed)
}

// isStop reports whether an instruction is a call of World.Stop.
func (c *body) isStop(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Object() != nil && fn.Object() == c.all.Stop
}

// siteIn returns the site of a call of World.Stop.
func siteIn(form *machine.Form, in ssa.Instruction) *machine.Site {
	return form.Sites[in.(*ssa.Call).Call.Args[0].(*ssa.Const).Int64()]
}

// siteOf returns the site that an instruction marks, or nil if it marks none.
func (c *body) siteOf(in ssa.Instruction) *machine.Site {
	if c.debug == nil || !c.isStop(in) {
		return nil
	}
	return siteIn(c.debug.Form, in)
}

// beginSites sets the last site before a block.
func (c *body) beginSites(b *ssa.BasicBlock) {
	c.site, c.calls = nil, false
	if c.debug == nil {
		return
	}
	for d := b.Idom(); d != nil; d = d.Idom() {
		for _, in := range slices.Backward(d.Instrs) {
			if c.site = c.siteOf(in); c.site != nil {
				return
			}
		}
	}
}

// stopBefore records a site in a block, or in a new block that continues from there.
func (c *body) stopBefore(to *block, s *machine.Site) *block {
	c.noteSite()
	c.site = s
	if c.calls {
		next := &block{SSA: to.SSA, First: int32(len(c.pos))}
		to.Ops, to.Next = c.ops, next
		c.ops, c.step, c.calls = nil, nil, false
		c.blocks = append(c.blocks, next)
		to = next
	}
	to.Stops = append(to.Stops, machine.Stop{At: len(c.ops), Site: s})
	return to
}

// noteSite records that the last ops follow the site.
func (c *body) noteSite() {
	if c.debug == nil {
		return
	}
	for len(c.debug.ByOp) < len(c.pos) {
		c.debug.ByOp = append(c.debug.ByOp, c.site)
	}
}

// stopsAtEnd reports whether a block has a site after its ops.
func stopsAtEnd(b *block) bool {
	n := len(b.Stops)
	return n > 0 && b.Stops[n-1].At == len(b.Ops)
}

// mayStop reports whether a goroutine may stop in an instruction, or whether other goroutines may
// stop while it waits there.
func mayStop(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		_, builtin := in.Call.Value.(*ssa.Builtin)
		return !builtin
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return true
	}
	return false
}

// findLocals records the slots of the variables of a function that can be stopped.
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

// setAtOnce reports whether a variable need not be cleared, because it is set as a whole before
// anything can read it.
func (c *body) setAtOnce(a *ssa.Alloc) bool {
	st := initialized(a)
	if st == nil || c.debug == nil {
		return st != nil
	}
	is := a.Block().Instrs
	for _, in := range is[indexOf(is, a):indexOf(is, st)] {
		if c.isStop(in) {
			return false
		}
	}
	return true
}

// keepsDefers reports whether a variable holds a stack of deferred calls that is not used.
func (c *body) keepsDefers(a *ssa.Alloc) bool {
	if len(*a.Referrers()) != 1 {
		return false
	}
	st, ok := (*a.Referrers())[0].(*ssa.Store)
	return ok && c.toDeferStack(st)
}

// toDeferStack reports whether a store saves a stack of deferred calls that is not used.
func (c *body) toDeferStack(in *ssa.Store) bool {
	call, ok := in.Val.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "ssa:deferstack" && machine.Unneeded(call)
}

// intoVariables computes a number directly in a variable's slot if the number is stored to the
// variable and used once more, such as the counter of a loop.
func (c *body) intoVariables() {
	for _, b := range c.ssa.Blocks {
		for i, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || i == 0 {
				continue
			}
			sum, ok := b.Instrs[i-1].(*ssa.BinOp)
			if !ok || st.Val != ssa.Value(sum) || c.fused(sum) || c.class[sum] != nil || !c.numeric(sum.Type()) || !c.numeric(sum.X.Type()) {
				continue
			}
			off, local := c.local[st.Addr]
			if local && onlyAddressed(st.Addr) && c.unchanged(st, sum, b.Instrs[i+1:]) {
				t := c.typ(sum.Type())
				c.slots[sum] = slot{Off: off, Type: t, Rep: layout.Of(t)}
			}
		}
	}
}

// unchanged reports whether a variable keeps the value of a store as long as the value is used. For
// that, the value's other uses must be among the instructions after the store, and nothing may set
// the variable before the last use.
func (c *body) unchanged(st *ssa.Store, v ssa.Value, behind []ssa.Instruction) bool {
	uses := len(*v.Referrers()) - 1
	for _, in := range behind {
		for _, o := range in.Operands(nil) {
			if *o == v {
				uses--
			}
		}
		if uses == 0 {
			return true
		}
		if other, ok := in.(*ssa.Store); c.isStop(in) || ok && other.Addr == st.Addr {
			return false
		}
	}
	return false
}
