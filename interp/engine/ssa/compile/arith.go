package compile

import (
	"go/token"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// binaryTree returns a binary operation on values held in registers.
func (c *body) binaryTree(in *ssa.BinOp) any {
	if in.Op == token.SHL || in.Op == token.SHR {
		return c.shiftTree(in)
	}
	switch c.repOf(in.X.Type()) {
	case layout.Int8:
		return integerBinary[int8](c, in)
	case layout.Int16:
		return integerBinary[int16](c, in)
	case layout.Int32:
		return integerBinary[int32](c, in)
	case layout.Int64:
		return integerBinary[int64](c, in)
	case layout.Uint8:
		return integerBinary[uint8](c, in)
	case layout.Uint16:
		return integerBinary[uint16](c, in)
	case layout.Uint32:
		return integerBinary[uint32](c, in)
	case layout.Uint64:
		return integerBinary[uint64](c, in)
	case layout.Float32:
		return floatBinary[float32](c, in)
	case layout.Float64:
		return floatBinary[float64](c, in)
	case layout.Complex64:
		return complexBinary[complex64](c, in)
	case layout.Complex128:
		return complexBinary[complex128](c, in)
	case layout.String:
		x, y := bothArgs[string](c, in.X, in.Y)
		if in.Op == token.ADD {
			return concatTree(x, y)
		}
		return orderTree(in.Op, x, y)
	case layout.Bool:
		x, y := bothArgs[bool](c, in.X, in.Y)
		return equalTree(in.Op, x, y)
	case layout.Pointer:
		x, y := bothArgs[unsafe.Pointer](c, in.X, in.Y)
		return equalTree(in.Op, x, y)
	}
	panic("ssa: no tree for " + in.String())
}

func integerBinary[T integer](c *body, in *ssa.BinOp) any {
	if in.Op == token.QUO || in.Op == token.REM {
		c.mayPanic(in.Pos())
	}
	x, y := bothArgs[T](c, in.X, in.Y)
	if t := ofLoads(in.Op, x, y); t != nil {
		return t
	}
	if t := integerTree(in.Op, x, y); t != nil {
		return t
	}
	return orderTree(in.Op, x, y)
}

func floatBinary[T float](c *body, in *ssa.BinOp) any {
	x, y := bothArgs[T](c, in.X, in.Y)
	if t := ofLoads(in.Op, x, y); t != nil {
		return t
	}
	if t := numberTree(in.Op, x, y); t != nil {
		return t
	}
	return orderTree(in.Op, x, y)
}

func complexBinary[T complex64 | complex128](c *body, in *ssa.BinOp) any {
	x, y := bothArgs[T](c, in.X, in.Y)
	if t := numberTree(in.Op, x, y); t != nil {
		return t
	}
	return equalTree(in.Op, x, y)
}

// binaryOp returns d = x op y, or nil if a tree must be stored instead.
func (c *body) binaryOp(d uintptr, in *ssa.BinOp) op {
	switch in.Op {
	case token.SHL, token.SHR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return nil
	}
	switch c.repOf(in.X.Type()) {
	case layout.Int8:
		return integerInto[int8](c, d, in)
	case layout.Int16:
		return integerInto[int16](c, d, in)
	case layout.Int32:
		return integerInto[int32](c, d, in)
	case layout.Int64:
		return integerInto[int64](c, d, in)
	case layout.Uint8:
		return integerInto[uint8](c, d, in)
	case layout.Uint16:
		return integerInto[uint16](c, d, in)
	case layout.Uint32:
		return integerInto[uint32](c, d, in)
	case layout.Uint64:
		return integerInto[uint64](c, d, in)
	case layout.Float32:
		return numberInto[float32](c, d, in)
	case layout.Float64:
		return numberInto[float64](c, d, in)
	case layout.String:
		x, y := bothArgs[string](c, in.X, in.Y)
		return concatOp(d, x, y)
	}
	return nil
}

func integerInto[T integer](c *body, d uintptr, in *ssa.BinOp) op {
	if in.Op == token.QUO || in.Op == token.REM {
		c.mayPanic(in.Pos())
	}
	x, y := bothArgs[T](c, in.X, in.Y)
	if o := intoOfLoads(in.Op, d, x, y); o != nil {
		return o
	}
	return integerOp(in.Op, d, x, y)
}

func numberInto[T number](c *body, d uintptr, in *ssa.BinOp) op {
	x, y := bothArgs[T](c, in.X, in.Y)
	if o := intoOfLoads(in.Op, d, x, y); o != nil {
		return o
	}
	return numberOp(in.Op, d, x, y)
}

// condition returns the branch of a block that branches on a comparison or a bool.
func (c *body) condition(in *ssa.If, yes, no *block) branch {
	v := in.Cond
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.NOT && c.fused(u) {
		v, yes, no = u.X, no, yes
	}
	if cmp, ok := v.(*ssa.BinOp); ok && c.fused(cmp) {
		if b := c.compareBranch(cmp, yes, no); b != nil {
			return b
		}
	}
	if b := c.stepBranch(v, in, yes, no); b != nil {
		return b
	}
	a := argOf[bool](c, v)
	switch a.kind {
	case inSlot:
		off := a.off
		return func(fp frame) *block {
			if *ref[bool](fp, off) {
				return yes
			}
			return no
		}
	case isConst:
		to := no
		if a.k {
			to = yes
		}
		return func(frame) *block { return to }
	}
	t := a.tree
	return func(fp frame) *block {
		if t(fp) {
			return yes
		}
		return no
	}
}

func (c *body) compareBranch(in *ssa.BinOp, yes, no *block) branch {
	switch in.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return nil
	}
	switch c.repOf(in.X.Type()) {
	case layout.Int8:
		return orderedBranch[int8](c, in, yes, no)
	case layout.Int16:
		return orderedBranch[int16](c, in, yes, no)
	case layout.Int32:
		return orderedBranch[int32](c, in, yes, no)
	case layout.Int64:
		return orderedBranch[int64](c, in, yes, no)
	case layout.Uint8:
		return orderedBranch[uint8](c, in, yes, no)
	case layout.Uint16:
		return orderedBranch[uint16](c, in, yes, no)
	case layout.Uint32:
		return orderedBranch[uint32](c, in, yes, no)
	case layout.Uint64:
		return orderedBranch[uint64](c, in, yes, no)
	case layout.Float32:
		return orderedBranch[float32](c, in, yes, no)
	case layout.Float64:
		return orderedBranch[float64](c, in, yes, no)
	case layout.String:
		return orderedBranch[string](c, in, yes, no)
	case layout.Pointer:
		x, y := bothArgs[unsafe.Pointer](c, in.X, in.Y)
		return equalBranch(in.Op, x, y, yes, no)
	}
	return nil
}

func orderedBranch[T ordered](c *body, in *ssa.BinOp, yes, no *block) branch {
	x, y := bothArgs[T](c, in.X, in.Y)
	if x.shape != 0 || y.shape != 0 {
		var b branch
		switch x := any(x).(type) {
		case arg[int64]:
			b = loadsBranch(in.Op, yes, no, x, any(y).(arg[int64]))
		case arg[float64]:
			b = loadsBranch(in.Op, yes, no, x, any(y).(arg[float64]))
		}
		if b != nil {
			return b
		}
	}
	return orderBranch(in.Op, x, y, yes, no)
}

// ofLoads returns the tree of an operation whose closure also computes its operands, which are
// loads or products. It returns nil if there is no such closure.
func ofLoads[T number](o token.Token, x, y arg[T]) any {
	if x.shape == 0 && y.shape == 0 {
		return nil
	}
	switch x := any(x).(type) {
	case arg[int64]:
		if t := loadsTree(o, x, any(y).(arg[int64])); t != nil {
			return t
		}
	case arg[float64]:
		if t := loadsTree(o, x, any(y).(arg[float64])); t != nil {
			return t
		}
	}
	return nil
}

// intoOfLoads is like ofLoads, but returns the op d = x op y.
func intoOfLoads[T number](o token.Token, d uintptr, x, y arg[T]) op {
	if x.shape == 0 && y.shape == 0 && y.factors == nil {
		return nil
	}
	switch x := any(x).(type) {
	case arg[int64]:
		return loadsInto(o, d, x, any(y).(arg[int64]))
	case arg[float64]:
		return loadsInto(o, d, x, any(y).(arg[float64]))
	}
	return nil
}

// loadsInto implements intoOfLoads for the types that have such closures.
func loadsInto[T int64 | float64](o token.Token, d uintptr, x, y arg[T]) op {
	if x.kind == inSlot && y.factors != nil {
		if o := accumulate(o, d, x.off, y.factors[0], y.factors[1]); o != nil {
			return o
		}
	}
	return loadsOp(o, d, x, y)
}

// unaryTree returns !x, -x and ^x.
func (c *body) unaryTree(in *ssa.UnOp) any {
	switch c.repOf(in.X.Type()) {
	case layout.Bool:
		f := argOf[bool](c, in.X).fn()
		return expr[bool](func(fp frame) bool { return !f(fp) })
	case layout.Int8:
		return integerUnary[int8](c, in)
	case layout.Int16:
		return integerUnary[int16](c, in)
	case layout.Int32:
		return integerUnary[int32](c, in)
	case layout.Int64:
		return integerUnary[int64](c, in)
	case layout.Uint8:
		return integerUnary[uint8](c, in)
	case layout.Uint16:
		return integerUnary[uint16](c, in)
	case layout.Uint32:
		return integerUnary[uint32](c, in)
	case layout.Uint64:
		return integerUnary[uint64](c, in)
	case layout.Float32:
		return negate[float32](c, in)
	case layout.Float64:
		return negate[float64](c, in)
	case layout.Complex64:
		return negate[complex64](c, in)
	case layout.Complex128:
		return negate[complex128](c, in)
	}
	panic("ssa: no tree for " + in.String())
}

func integerUnary[T integer](c *body, in *ssa.UnOp) any {
	if in.Op == token.SUB {
		return negate[T](c, in)
	}
	f := argOf[T](c, in.X).fn()
	return expr[T](func(fp frame) T { return ^f(fp) })
}

func negate[T number](c *body, in *ssa.UnOp) any {
	a := argOf[T](c, in.X)
	if a.kind == inSlot {
		off := a.off
		return expr[T](func(fp frame) T { return -*ref[T](fp, off) })
	}
	f := a.fn()
	return expr[T](func(fp frame) T { return -f(fp) })
}
