package compile

import (
	"go/token"
	"go/types"
	"math"
	"reflect"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// address is the location of a load or store.
type address struct {
	kind     addressKind
	off      uintptr              // inFrame: its frame offset; behind: frame offset of the pointer
	plus     uintptr              // behind, computed, member: to add to the pointer
	fixed    unsafe.Pointer       // global
	tree     expr[unsafe.Pointer] // computed
	base     arg[rtype.Slice]     // element, member: the slice
	index    arg[int64]           // element, member
	elem     uintptr              // element, member: size of an element
	unsigned bool                 // element: the index is of type uint64
	field    bool                 // computed: the address is that of a field, so a nil pointer panics
}

type addressKind uint8

const (
	inFrame  addressKind = iota // at a fixed offset of the frame
	global                      // at a fixed address
	behind                      // pointed to by a pointer in the frame
	computed                    // pointed to by a pointer that a tree returns
	element                     // of a slice
	member                      // a field of an element whose slice and index are operands
)

// nilPage is the size of the area at address 0 in which every access raises the runtime's nil
// pointer panic. Larger offsets need an explicit check.
const nilPage = 4096

// address returns the location to which the pointer v points.
func (c *body) address(v ssa.Value) address {
	if off, ok := c.staticAddr(v); ok {
		return address{kind: inFrame, off: off}
	}
	switch v := v.(type) {
	case *ssa.Global:
		return address{kind: global, fixed: c.all.Global(v)}
	case *ssa.FieldAddr:
		if c.fused(v) {
			c.mayPanic(v.Pos())
			return c.field(v)
		}
	case *ssa.IndexAddr:
		if c.fused(v) {
			c.mayPanic(v.Pos())
			return c.element(v)
		}
	}
	if c.fused(v) {
		return address{kind: computed, tree: c.tree(v).(expr[unsafe.Pointer])}
	}
	return address{kind: behind, off: c.slot(v).Off}
}

// field returns the location of a field of a struct.
func (c *body) field(v *ssa.FieldAddr) address {
	a := c.address(v.X)
	plus := c.fieldOffset(v)
	switch a.kind {
	case inFrame:
		a.off += plus
	case global:
		a.fixed = unsafe.Add(a.fixed, plus)
	case behind:
		a.plus += plus
	case member:
		a.plus += plus
		return a
	case element:
		if a.index.kind == inSlot && (a.base.kind == inSlot || a.base.shape == ofField || a.base.shape == inGlobal) {
			a.kind, a.plus = member, plus
			return a
		}
		fallthrough
	default:
		a = address{kind: computed, tree: a.pointer(), plus: plus, field: true}
	}
	if a.plus >= nilPage {
		t := a.pointer()
		a = address{kind: computed, tree: t}
	}
	return a
}

func (c *body) fieldOffset(v *ssa.FieldAddr) uintptr {
	return c.typ(elemOf(v.X.Type())).Reflect().Field(v.Field).Offset
}

// element returns the location of an element of a slice or an array.
func (c *body) element(v *ssa.IndexAddr) address {
	index := c.index(v.Index)
	if _, ok := v.X.Type().Underlying().(*types.Slice); ok {
		size := c.typ(elemOf(v.X.Type())).Size()
		a := address{kind: element, base: argOf[rtype.Slice](c, v.X), index: index, elem: size}
		if c.unsigned(v.Index) {
			a.unsigned = true
			return address{kind: computed, tree: a.pointer()}
		}
		return a
	}
	array := c.typ(elemOf(v.X.Type())).Reflect()
	size, n := array.Elem().Size(), array.Len()
	i, u := index.fn(), c.unsigned(v.Index)
	if off, ok := c.staticAddr(v.X); ok {
		return address{kind: computed, tree: func(fp frame) unsafe.Pointer {
			k := i(fp)
			if uint64(k) >= uint64(n) {
				badIndex(k, n, u)
			}
			return unsafe.Add(fp, off+uintptr(k)*size)
		}}
	}
	base := c.address(v.X).pointer()
	return address{kind: computed, tree: func(fp frame) unsafe.Pointer {
		p := base(fp)
		k := i(fp)
		notNil(p)
		if uint64(k) >= uint64(n) {
			badIndex(k, n, u)
		}
		return unsafe.Add(p, uintptr(k)*size)
	}}
}

// notNil panics as the runtime does if p is nil. To find out, it reads a byte. That is not a use of
// the variable, so the race detector must not see the read.
//
//go:norace
func notNil(p unsafe.Pointer) { _ = *(*byte)(p) }

// badIndex raises the runtime's panic for an index out of range.
//
//go:noinline
func badIndex(i int64, n int, unsigned bool) {
	var none struct{}
	if unsigned {
		_ = unsafe.Slice(&none, n)[uint64(i)]
	}
	_ = unsafe.Slice(&none, n)[i]
}

// pointer returns the address as a tree.
func (a address) pointer() expr[unsafe.Pointer] {
	off, plus, fixed := a.off, a.plus, a.fixed
	switch a.kind {
	case inFrame:
		return func(fp frame) unsafe.Pointer { return unsafe.Add(fp, off) }
	case global:
		return func(frame) unsafe.Pointer { return fixed }
	case behind:
		if plus == 0 {
			return func(fp frame) unsafe.Pointer {
				p := *ref[unsafe.Pointer](fp, off)
				notNil(p)
				return p
			}
		}
		return func(fp frame) unsafe.Pointer {
			p := *ref[unsafe.Pointer](fp, off)
			notNil(p)
			return unsafe.Add(p, plus)
		}
	case member:
		base, i, size := a.base.fn(), a.index.off, a.elem
		return func(fp frame) unsafe.Pointer {
			s, k := base(fp), *ref[int64](fp, i)
			if uint64(k) >= uint64(s.Len) {
				badIndex(k, s.Len, false)
			}
			return unsafe.Add(s.Data, uintptr(k)*size+plus)
		}
	case element:
		base, index, size, u := a.base.fn(), a.index.fn(), a.elem, a.unsigned
		if a.base.kind == inSlot && a.index.kind == inSlot {
			x, i := a.base.off, a.index.off
			return func(fp frame) unsafe.Pointer {
				s, k := ref[rtype.Slice](fp, x), *ref[int64](fp, i)
				if uint64(k) >= uint64(s.Len) {
					badIndex(k, s.Len, false)
				}
				return unsafe.Add(s.Data, uintptr(k)*size)
			}
		}
		return func(fp frame) unsafe.Pointer {
			s, k := base(fp), index(fp)
			if uint64(k) >= uint64(s.Len) {
				badIndex(k, s.Len, u)
			}
			return unsafe.Add(s.Data, uintptr(k)*size)
		}
	}
	tree := a.tree
	if plus == 0 && !a.field {
		return tree
	}
	return func(fp frame) unsafe.Pointer {
		p := tree(fp)
		notNil(p)
		return unsafe.Add(p, plus)
	}
}

// staticAddr returns the frame offset that v points to, if it points into the frame.
func (c *body) staticAddr(v ssa.Value) (uintptr, bool) {
	if off, ok := c.local[v]; ok {
		return off, true
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		if off, ok := c.staticAddr(v.X); ok {
			off += c.fieldOffset(v)
			c.local[v] = off
			return off, true
		}
	case *ssa.IndexAddr:
		k, ok := v.Index.(*ssa.Const)
		if _, array := v.X.Type().Underlying().(*types.Pointer); !ok || !array {
			return 0, false
		}
		if off, ok := c.staticAddr(v.X); ok {
			t := c.typ(elemOf(v.X.Type())).Reflect()
			if i := k.Int64(); i >= 0 && i < int64(t.Len()) {
				off += uintptr(i) * t.Elem().Size()
				c.local[v] = off
				return off, true
			}
		}
	}
	return 0, false
}

// staticLoad returns the frame offset from which v is read, if v is a load from the frame or a
// field of a value in the frame.
func (c *body) staticLoad(v ssa.Value) (uintptr, bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return c.staticAddr(v.X)
		}
	case *ssa.Field:
		s := c.slot(v.X)
		return s.Off + s.Type.Reflect().Field(v.Field).Offset, true
	case *ssa.ChangeType:
		if c.fused(v.X) {
			return c.staticLoad(v.X)
		}
		if _, ok := v.X.(*ssa.Const); !ok {
			return c.slot(v.X).Off, true
		}
	}
	return 0, false
}

// index returns an operand that is an index or a length as an int64. A value too large for an int64
// becomes negative, and panics where it is used.
func (c *body) index(v ssa.Value) arg[int64] {
	if k, ok := v.(*ssa.Const); ok {
		n := k.Int64()
		if k.Value != nil && reflect.Kind(c.typ(k.Type()).Kind()) >= reflect.Uint && k.Uint64() > math.MaxInt64 {
			n = -1
		}
		return arg[int64]{kind: isConst, k: n}
	}
	switch c.repOf(v.Type()) {
	case layout.Int8:
		return widen[int8](c, v)
	case layout.Int16:
		return widen[int16](c, v)
	case layout.Int32:
		return widen[int32](c, v)
	case layout.Uint8:
		return widen[uint8](c, v)
	case layout.Uint16:
		return widen[uint16](c, v)
	case layout.Uint32:
		return widen[uint32](c, v)
	case layout.Uint64:
		return widen[uint64](c, v)
	}
	return argOf[int64](c, v)
}

func widen[T integer](c *body, v ssa.Value) arg[int64] {
	a := argOf[T](c, v)
	if a.kind == inSlot {
		off := a.off
		return arg[int64]{kind: isTree, tree: func(fp frame) int64 { return int64(*ref[T](fp, off)) }}
	}
	t := a.fn()
	return arg[int64]{kind: isTree, tree: func(fp frame) int64 { return int64(t(fp)) }}
}
