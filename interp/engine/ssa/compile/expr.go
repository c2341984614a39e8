package compile

import (
	"go/token"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// tree returns the value v, which has no frame slot, as an expr. The type argument of the expr is
// the Go type of v's representation.
func (c *body) tree(v ssa.Value) any {
	switch v := v.(type) {
	case *ssa.BinOp:
		return c.binaryTree(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			c.mayPanic(v.Pos())
			return loadTree(c.repOf(v.Type()), c.address(v.X))
		}
		return c.unaryTree(v)
	case *ssa.FieldAddr:
		c.mayPanic(v.Pos())
		return c.field(v).pointer()
	case *ssa.IndexAddr:
		c.mayPanic(v.Pos())
		return c.element(v).pointer()
	case *ssa.ChangeType:
		return c.valueTree(v.X)
	case *ssa.Field:
		s := c.slot(v.X)
		off := s.Off + s.Type.Reflect().Field(v.Field).Offset
		return readTree(c.repOf(v.Type()), off)
	case *ssa.Convert:
		return c.convertTree(v.X, v.Type())
	case *ssa.Lookup:
		return c.stringIndex(v.X, v.Index, v.Pos())
	case *ssa.Index:
		return c.stringIndex(v.X, v.Index, v.Pos())
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return c.lenTree(b.Name() == "cap", v.Call.Args[0])
		}
		c.mayPanic(v.Pos())
		return c.callTree(v)
	}
	panic("ssa: no tree for " + v.String())
}

// valueTree returns any value as a tree.
func (c *body) valueTree(v ssa.Value) any {
	if c.fused(v) {
		if off, ok := c.staticLoad(v); ok {
			return readTree(c.repOf(v.Type()), off)
		}
		return c.tree(v)
	}
	return readTree(c.repOf(v.Type()), c.slot(v).Off)
}

// readTree returns the read of a frame slot as a tree.
func readTree(r rep, off uintptr) any {
	switch r {
	case layout.Bool:
		return read[bool](off)
	case layout.Int8:
		return read[int8](off)
	case layout.Int16:
		return read[int16](off)
	case layout.Int32:
		return read[int32](off)
	case layout.Int64:
		return read[int64](off)
	case layout.Uint8:
		return read[uint8](off)
	case layout.Uint16:
		return read[uint16](off)
	case layout.Uint32:
		return read[uint32](off)
	case layout.Uint64:
		return read[uint64](off)
	case layout.Float32:
		return read[float32](off)
	case layout.Float64:
		return read[float64](off)
	case layout.Complex64:
		return read[complex64](off)
	case layout.Complex128:
		return read[complex128](off)
	case layout.Pointer:
		return read[unsafe.Pointer](off)
	case layout.String:
		return read[string](off)
	case layout.Slice:
		return read[rtype.Slice](off)
	case layout.Interface:
		return read[iface](off)
	}
	panic("ssa: no tree for values in memory")
}

func read[T any](off uintptr) expr[T] {
	return func(fp frame) T { return *ref[T](fp, off) }
}

// assign compiles d = v for a value that is a tree.
func (c *body) assign(d slot, v ssa.Value) {
	c.emit(c.assignOp(d, v), v.Pos())
	c.noteIncrement(d, v)
}

func (c *body) assignOp(d slot, v ssa.Value) op {
	var o op
	switch v := v.(type) {
	case *ssa.BinOp:
		o = c.binaryOp(d.Off, v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			c.mayPanic(v.Pos())
			o = loadOp(d, c.address(v.X))
		}
	case *ssa.Call:
		if _, builtin := v.Call.Value.(*ssa.Builtin); !builtin {
			c.mayPanic(v.Pos())
			o = c.call(&v.Call, []slot{d}, v.Pos())
		}
	}
	if o == nil {
		o = storeTree(d.Off, c.tree(v))
	}
	return o
}

// storeTree returns the op that sets a frame slot to the value of a tree.
func storeTree(d uintptr, tree any) op {
	switch t := tree.(type) {
	case expr[bool]:
		return set(d, t)
	case expr[int8]:
		return set(d, t)
	case expr[int16]:
		return set(d, t)
	case expr[int32]:
		return set(d, t)
	case expr[int64]:
		return set(d, t)
	case expr[uint8]:
		return set(d, t)
	case expr[uint16]:
		return set(d, t)
	case expr[uint32]:
		return set(d, t)
	case expr[uint64]:
		return set(d, t)
	case expr[float32]:
		return set(d, t)
	case expr[float64]:
		return set(d, t)
	case expr[complex64]:
		return set(d, t)
	case expr[complex128]:
		return set(d, t)
	case expr[unsafe.Pointer]:
		return set(d, t)
	case expr[string]:
		return set(d, t)
	case expr[rtype.Slice]:
		return set(d, t)
	case expr[iface]:
		return set(d, t)
	}
	panic("ssa: a tree of an unknown type")
}

func set[T any](d uintptr, t expr[T]) op {
	return func(fp frame) { *ref[T](fp, d) = t(fp) }
}
