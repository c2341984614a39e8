package compile

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// expr is an expression tree: it computes a value from a frame.
type expr[T any] func(fp frame) T

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type float interface{ float32 | float64 }

type number interface {
	integer | float | complex64 | complex128
}

type addable interface{ number | string }

type ordered interface{ integer | float | string }

// arg is an operand: a frame slot, a constant or a tree.
type arg[T any] struct {
	kind argKind
	off  uintptr
	k    T
	tree expr[T]
	// shape describes a tree that closures of its users can compute themselves (loads_gen.go), with
	// the frame offsets that it reads.
	shape   argKind
	u, v, w uintptr
	at      unsafe.Pointer
	factors *[2]arg[T] // if the tree is a product
}

type argKind uint8

const (
	inSlot argKind = iota
	isConst
	isTree
	ofField   // the variable at offset v from the pointer at u
	ofElement // element v of the slice at u
	inMatrix  // element w of element v of the slice of slices at u
	ofProduct // u * v
	inGlobal  // the variable at address at
)

// form returns the kind of an operand, or the shape of a tree that has one.
func (a arg[T]) form() argKind { return max(a.kind, a.shape) }

// The shapes of two operands, 4*first + second. The first operand is never a constant.
const (
	slotSlot  = 4*inSlot + inSlot
	slotConst = 4*inSlot + isConst
	slotTree  = 4*inSlot + isTree
	treeSlot  = 4*isTree + inSlot
	treeConst = 4*isTree + isConst
)

// fn returns the operand as a tree, whatever its kind.
func (a arg[T]) fn() expr[T] {
	switch a.kind {
	case inSlot:
		off := a.off
		return func(fp frame) T { return *ref[T](fp, off) }
	case isConst:
		k := a.k
		return func(frame) T { return k }
	}
	return a.tree
}

// argOf returns the operand v. T is the type in which v's representation is held.
func argOf[T any](c *body, v ssa.Value) arg[T] {
	if k, ok := v.(*ssa.Const); ok {
		a := arg[T]{kind: isConst}
		setConst(c.typ(k.Type()), unsafe.Pointer(&a.k), k)
		return a
	}
	if g, ok := v.(*ssa.Global); ok {
		a := arg[T]{kind: isConst}
		*(*unsafe.Pointer)(unsafe.Pointer(&a.k)) = c.all.Global(g)
		return a
	}
	if c.fused(v) {
		if off, ok := c.staticLoad(v); ok {
			return arg[T]{off: off}
		}
		if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
			c.mayPanic(load.Pos())
			return loaded[T](c.address(load.X))
		}
		if in, ok := v.(*ssa.BinOp); ok && in.Op == token.MUL {
			switch c.repOf(in.Type()) {
			case layout.Int64:
				return any(product[int64](c, in)).(arg[T])
			case layout.Float64:
				return any(product[float64](c, in)).(arg[T])
			}
		}
		return arg[T]{kind: isTree, tree: c.tree(v).(expr[T])}
	}
	return arg[T]{off: c.slot(v).Off}
}

// loaded returns the variable at an address as an operand.
func loaded[T any](a address) arg[T] {
	x := arg[T]{kind: isTree, tree: load[T](a)}
	switch {
	case a.kind == global:
		x.shape, x.at = inGlobal, a.fixed
	case a.kind == behind:
		x.shape, x.u, x.v = ofField, a.off, a.plus
	case a.kind == element && a.index.kind == inSlot && a.base.kind == inSlot:
		x.shape, x.u, x.v = ofElement, a.base.off, a.index.off
	case a.kind == element && a.index.kind == inSlot && a.base.shape == ofElement:
		x.shape, x.u, x.v, x.w = inMatrix, a.base.u, a.base.v, a.index.off
	}
	return x
}

// product returns x * y as an operand.
func product[T int64 | float64](c *body, in *ssa.BinOp) arg[T] {
	x, y := bothArgs[T](c, in.X, in.Y)
	p := arg[T]{kind: isTree, tree: loadsTree(token.MUL, x, y), factors: &[2]arg[T]{x, y}}
	if p.tree == nil {
		p.tree = mulTree(x, y)
	}
	if x.kind == inSlot && y.kind == inSlot {
		p.shape, p.u, p.v = ofProduct, x.off, y.off
	}
	return p
}

// firstArgOf is like argOf, but for the first of two operands: it reads a constant from the frame.
func firstArgOf[T any](c *body, v ssa.Value) arg[T] {
	switch v.(type) {
	case *ssa.Const, *ssa.Global:
		return arg[T]{off: c.slot(v).Off}
	}
	return argOf[T](c, v)
}

// bothArgs returns two operands in a shape that the generated functions support.
func bothArgs[T any](c *body, x, y ssa.Value) (arg[T], arg[T]) {
	return firstArgOf[T](c, x), argOf[T](c, y)
}

// slot returns the frame slot of a value that is not part of a tree.
func (c *body) slot(v ssa.Value) slot {
	if s, ok := c.slots[v]; ok {
		return s
	}
	var s slot
	switch v := v.(type) {
	case *ssa.Const:
		s = c.l.PlaceConst(c.typ(v.Type()))
		c.presets = append(c.presets, func(fp frame) { setConst(s.Type, unsafe.Add(fp, s.Off), v) })
	case *ssa.Global:
		s = c.l.PlaceConst(c.typ(v.Type()))
		p := c.all.Global(v)
		c.presets = append(c.presets, func(fp frame) { *ref[unsafe.Pointer](fp, s.Off) = p })
	case *ssa.Function:
		s = c.l.PlaceConst(c.all.Machine.FuncType(v))
		p := c.all.funcWord(v)
		c.presets = append(c.presets, func(fp frame) { *ref[unsafe.Pointer](fp, s.Off) = p })
	case *ssa.Extract:
		s = c.tuple(v.Tuple)[v.Index]
	default:
		if l := c.class[v]; l != nil {
			if s, ok := c.slots[l]; ok {
				c.slots[v] = s
				return s
			}
			s = c.l.Place(c.typ(v.Type()))
			c.slots[l] = s
			break
		}
		s = c.l.Place(c.typ(v.Type()))
	}
	c.slots[v] = s
	return s
}

// tuple returns the slots of the parts of a value that Extract reads. Unused parts of a map
// iteration have no slot.
func (c *body) tuple(v ssa.Value) []slot {
	if ts, ok := c.tuples[v]; ok {
		return ts
	}
	t := v.Type().(*types.Tuple)
	ts := make([]slot, t.Len())
	for i := range ts {
		if e := t.At(i).Type(); e != types.Typ[types.Invalid] {
			ts[i] = c.l.Place(c.typ(e))
		}
	}
	c.tuples[v] = ts
	return ts
}

// setConst stores a constant of type t. It does nothing for a nil or zero value.
func setConst(t *rtype.Type, p unsafe.Pointer, k *ssa.Const) {
	if k.Value == nil {
		return
	}
	v := reflect.NewAt(t.Reflect(), p).Elem()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(constant.BoolVal(k.Value))
	case reflect.String:
		if k.Value.Kind() == constant.String {
			v.SetString(constant.StringVal(k.Value))
		} else {
			i, _ := constant.Int64Val(k.Value)
			v.SetString(string(rune(i)))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(k.Int64())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(k.Uint64())
	case reflect.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(k.Value))
		v.SetFloat(float64(f))
	case reflect.Float64:
		v.SetFloat(k.Float64())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(k.Complex128())
	case reflect.UnsafePointer:
		*(*uintptr)(p) = uintptr(k.Uint64())
	}
}
