package compile

import (
	"go/constant"
	"go/token"
	"os"
	"runtime"
	"sync"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// shiftTree returns x << n or x >> n.
func (c *body) shiftTree(in *ssa.BinOp) any {
	switch c.repOf(in.X.Type()) {
	case layout.Int8:
		return shift[int8](c, in)
	case layout.Int16:
		return shift[int16](c, in)
	case layout.Int32:
		return shift[int32](c, in)
	case layout.Int64:
		return shift[int64](c, in)
	case layout.Uint8:
		return shift[uint8](c, in)
	case layout.Uint16:
		return shift[uint16](c, in)
	case layout.Uint32:
		return shift[uint32](c, in)
	}
	return shift[uint64](c, in)
}

func shift[T integer](c *body, in *ssa.BinOp) expr[T] {
	x := firstArgOf[T](c, in.X)
	f, off := x.fn(), x.off
	left := in.Op == token.SHL
	if k, ok := in.Y.(*ssa.Const); ok && !isNegative(k) {
		n := k.Uint64()
		switch {
		case left && x.kind == inSlot:
			return func(fp frame) T { return *ref[T](fp, off) << n }
		case left:
			return func(fp frame) T { return f(fp) << n }
		case x.kind == inSlot:
			return func(fp frame) T { return *ref[T](fp, off) >> n }
		}
		return func(fp frame) T { return f(fp) >> n }
	}
	n := c.shiftCount(in)
	if left {
		return func(fp frame) T { return f(fp) << n(fp) }
	}
	return func(fp frame) T { return f(fp) >> n(fp) }
}

// shiftCount returns the count of a shift. A negative count raises the runtime's panic.
func (c *body) shiftCount(in *ssa.BinOp) expr[uint64] {
	switch c.repOf(in.Y.Type()) {
	case layout.Uint8:
		return unsignedCount[uint8](c, in.Y)
	case layout.Uint16:
		return unsignedCount[uint16](c, in.Y)
	case layout.Uint32:
		return unsignedCount[uint32](c, in.Y)
	case layout.Uint64:
		return argOf[uint64](c, in.Y).fn()
	}
	c.mayPanic(in.Pos())
	n := c.index(in.Y).fn()
	return func(fp frame) uint64 {
		k := n(fp)
		if k < 0 {
			panic(negativeShift())
		}
		return uint64(k)
	}
}

func unsignedCount[T uint8 | uint16 | uint32](c *body, v ssa.Value) expr[uint64] {
	t := argOf[T](c, v).fn()
	return func(fp frame) uint64 { return uint64(t(fp)) }
}

// isNegative reports whether a constant is a negative number. Shift counts can be negative
// constants, because go/ssa replaces variables with the constants that they hold.
func isNegative(k *ssa.Const) bool {
	return k.Value != nil && constant.Sign(k.Value) < 0
}

// negativeShift is the runtime's error for a shift by a negative count. The Go compiler would omit
// a shift whose result is not used, and with it the panic.
var negativeShift = sync.OnceValue(func() (err any) {
	defer func() { err = recover() }()
	n := -len(os.Args) - 1
	runtime.KeepAlive(1 << n)
	return nil
})
