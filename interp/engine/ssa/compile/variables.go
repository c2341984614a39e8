package compile

import (
	"go/token"
	"slices"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// Variables whose address does not escape are in the frame. Most of them are set as a whole when
// they are declared. They need not be cleared first, and their initial value can be computed
// directly in their slot.

// placeLocals assigns frame slots to variables whose address does not escape.
func (c *body) placeLocals() {
	const most = 1024 // larger ones are on the heap
	for _, b := range c.ssa.Blocks {
		for _, in := range b.Instrs {
			a, ok := in.(*ssa.Alloc)
			if !ok || a.Heap && !c.appendOnly(a) || c.keepsDefers(a) {
				continue
			}
			t := c.typ(elemOf(a.Type()))
			if t.Size() > most {
				continue
			}
			if p := c.spilled(a); p != nil {
				c.local[a] = c.slots[p].Off
			} else {
				c.local[a] = c.l.Place(t).Off
			}
		}
	}
}

// initialized returns the store that sets a variable before anything else uses it, in the block of
// its declaration, or nil if there is none. A function that recovers may return a variable that has
// not been set.
func initialized(a *ssa.Alloc) *ssa.Store {
	if a.Parent().Recover != nil {
		return nil
	}
	// Package initializers have thousands of variables in one block, so derive as much as possible
	// from the uses.
	uses := *refs(a)
	store := slices.IndexFunc(uses, func(in ssa.Instruction) bool {
		st, ok := in.(*ssa.Store)
		return ok && st.Addr == a && st.Val != ssa.Value(a) && st.Block() == a.Block()
	})
	if store < 0 {
		return nil
	}
	if len(uses) == 1 {
		return uses[0].(*ssa.Store)
	}
	is := a.Block().Instrs
	for i := indexOf(is, a) + 1; i < len(is); i++ {
		if st, ok := is[i].(*ssa.Store); ok && st.Addr == a && st.Val != ssa.Value(a) {
			return st
		}
		for _, o := range is[i].Operands(nil) {
			if *o == ssa.Value(a) {
				return nil
			}
		}
	}
	return nil
}

func indexOf(is []ssa.Instruction, in ssa.Instruction) int {
	for i, other := range is {
		if other == in {
			return i
		}
	}
	return -1
}

// spilled returns the parameter that a variable holds, if the parameter has no other use. The
// variable is then in the argument's slot. In an inlined body, the argument's slot may belong to
// the caller and then must not change.
func (c *body) spilled(a *ssa.Alloc) *ssa.Parameter {
	st := initialized(a)
	if st == nil || c.outer != nil && !onlyRead(a, st) || a.Block() != c.ssa.Blocks[0] || len(a.Block().Preds) > 0 {
		return nil
	}
	p, ok := st.Val.(*ssa.Parameter)
	if !ok || len(*p.Referrers()) != 1 {
		return nil
	}
	return p
}

// onlyRead reports whether only one store changes the variable to which an address points.
func onlyRead(addr ssa.Value, but *ssa.Store) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r != but {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !onlyRead(r.(ssa.Value), nil) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// forward computes structs and arrays that initialize a variable in the variable's slot.
func (c *body) forward() {
	for _, b := range c.ssa.Blocks {
		for i, in := range b.Instrs {
			a, ok := in.(*ssa.Alloc)
			if !ok {
				continue
			}
			off, local := c.local[a]
			st := initialized(a)
			if !local || st == nil || len(*refs(st.Val)) != 1 || c.fused(st.Val) {
				continue
			}
			// The value is loaded between the declaration and the store, or before a declaration
			// that has no op.
			load, ok := st.Val.(*ssa.UnOp)
			if ok && load.Op == token.MUL && load.Block() == b && (indexOf(b.Instrs, load) > i || onlyAddressed(a)) && c.repOf(load.Type()) == layout.Memory {
				c.slots[load] = slot{Off: off, Type: c.typ(load.Type()), Rep: layout.Memory}
			}
		}
	}
}

// refs returns the instructions that use a value, or none for a constant.
func refs(v ssa.Value) *[]ssa.Instruction {
	if r := v.Referrers(); r != nil {
		return r
	}
	return new([]ssa.Instruction)
}
