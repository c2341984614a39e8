package compile

import (
	"go/token"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// x op= y, where x is a number outside the frame, is one op. It computes the address of x once,
// evaluates y (first, if y has a call), and updates the number in memory (arith_gen.go). go/ssa
// represents it as
//
//	...            y
//	t0 = &x
//	t1 = *t0
//	t2 = t1 op y
//	t3 = &x
//	*t3 = t2

// findUpdates records the results of the operations of such assignments, t2, with their stores.
func (c *body) findUpdates() {
	for _, b := range c.ssa.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			sum, ok := st.Val.(*ssa.BinOp)
			if !ok || !c.updatable(sum) || sum.Block() != b || len(*sum.Referrers()) != 1 {
				continue
			}
			load, ok := sum.X.(*ssa.UnOp)
			if !ok || load.Op != token.MUL || load.Block() != b || len(*load.Referrers()) != 1 || !sameAddress(load.X, st.Addr) {
				continue
			}
			if _, local := c.staticAddr(st.Addr); local {
				continue
			}
			if c.updates == nil {
				c.updates = map[*ssa.BinOp]*ssa.Store{}
			}
			c.updates[sum] = st
		}
	}
}

// updatable reports whether there are ops for an operator and a type.
func (c *body) updatable(sum *ssa.BinOp) bool {
	switch sum.Op {
	case token.ADD, token.SUB, token.MUL, token.QUO:
	default:
		return false
	}
	r := c.repOf(sum.Type())
	return r == layout.Int64 || r == layout.Float64
}

// sameAddress reports whether two values are the same address. Two separate values must each have a
// single use.
func sameAddress(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, i, ok := addressOf(a)
	y, j, both := addressOf(b)
	return ok && both && x == y && i == j
}

// addressOf splits the address of a field or an element, if it has one use.
func addressOf(v ssa.Value) (base ssa.Value, index any, ok bool) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X, v.Field, len(*v.Referrers()) == 1
	case *ssa.IndexAddr:
		return v.X, v.Index, len(*v.Referrers()) == 1
	}
	return nil, nil, false
}

// inUpdate reports whether the only uses of v are the two addresses, t0 and t3, of one update. The
// update evaluates only t0.
func (c *body) inUpdate(v ssa.Value) bool {
	refs := *v.Referrers()
	if len(refs) != 2 {
		return false
	}
	for _, r := range refs {
		a, ok := r.(ssa.Value)
		if !ok {
			return false
		}
		if _, _, ok := addressOf(a); !ok {
			return false
		}
		st, ok := (*a.Referrers())[0].(*ssa.Store)
		if !ok || st.Addr != a {
			continue
		}
		if sum, ok := st.Val.(*ssa.BinOp); ok && c.updates[sum] == st {
			first := sum.X.(*ssa.UnOp).X
			return first != a && (refs[0] == first.(ssa.Instruction) || refs[1] == first.(ssa.Instruction))
		}
	}
	return false
}

// ofUpdate reports whether an instruction is the operation or the store of an update. The second
// operand of either is evaluated first.
func (c *body) ofUpdate(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.BinOp:
		return c.updates[in] != nil
	case *ssa.Store:
		sum, ok := in.Val.(*ssa.BinOp)
		return ok && c.updates[sum] == in
	}
	return false
}

// keepUpdates removes the updates that cannot be compiled as one tree. It reports whether it has
// removed any.
func (c *body) keepUpdates() (changed bool) {
	for sum, st := range c.updates {
		a := sum.X.(*ssa.UnOp).X
		if !c.fused(sum) || !c.fused(sum.X) || a != st.Addr && (!c.fused(a) || !c.fused(st.Addr)) {
			delete(c.updates, sum)
			changed = true
		}
	}
	return changed
}

// updateOp returns the op of an update, or nil for other stores.
func (c *body) updateOp(in *ssa.Store) op {
	if !c.ofUpdate(in) {
		return nil
	}
	sum := in.Val.(*ssa.BinOp)
	load := sum.X.(*ssa.UnOp)
	c.mayPanic(load.Pos())
	a := c.address(load.X)
	late := c.hasCall(sum.Y)
	if c.repOf(sum.Type()) == layout.Float64 {
		return numberUpdate(sum.Op, a, argOf[float64](c, sum.Y), late)
	}
	if sum.Op == token.QUO {
		c.mayPanic(sum.Pos())
	}
	return numberUpdate(sum.Op, a, argOf[int64](c, sum.Y), late)
}
