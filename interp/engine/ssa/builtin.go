//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/token"
	"go/types"
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// plainError is a runtime error that the runtime raises only where it is
// compiled in.
type plainError string

func (e plainError) Error() string { return string(e) }
func (plainError) RuntimeError()   {}

func badConversion(have, want int) {
	panic(plainError("runtime error: cannot convert slice with length " + strconv.Itoa(have) +
		" to array or pointer to array with length " + strconv.Itoa(want)))
}

// builtin is res = b(args).
func (c *compiler) builtin(b *ssa.Builtin, call *ssa.CallCommon, res []slot, pos token.Pos) op {
	var d slot
	if len(res) > 0 {
		d = res[0]
	} else if r := call.Signature().Results(); r.Len() == 1 {
		d = c.l.place(c.typ(r.At(0).Type())) // nobody wants it
	}
	arg := func(i int) slot { return c.slot(call.Args[i]) }
	switch b.Name() {
	case "len", "cap":
		return set(d.off, c.lenTree(b.Name() == "cap", call.Args[0]))
	case "append":
		return c.appendOp(call, d)
	case "copy":
		return copyOp(arg(0), arg(1), res)
	case "close":
		x := arg(0).off
		return func(fp frame) { rtype.Close(*ref[unsafe.Pointer](fp, x)) }
	case "delete":
		m, k := arg(0), arg(1)
		return func(fp frame) { rtype.MapDelete(m.typ, *ref[unsafe.Pointer](fp, m.off), unsafe.Add(fp, k.off)) }
	case "clear":
		x := arg(0)
		if x.rep == repPtr {
			return func(fp frame) { rtype.MapClear(x.typ, *ref[unsafe.Pointer](fp, x.off)) }
		}
		return func(fp frame) { reflect.NewAt(x.typ.Reflect(), unsafe.Add(fp, x.off)).Elem().Clear() }
	case "min", "max":
		return c.extremum(b.Name() == "min", call.Args, d)
	case "real", "imag":
		return complexPart(b.Name() == "real", arg(0), d)
	case "complex":
		return complexOp(arg(0), arg(1), d)
	case "print", "println":
		return c.printOp(b.Name() == "println", call.Args)
	case "recover":
		return c.recoverOp(res)
	case "panic":
		x := arg(0).off
		return func(fp frame) { panic(*ref[any](fp, x)) }
	case "ssa:wrapnilchk":
		x, recv, method := arg(0), arg(1), arg(2)
		name := x.typ.Reflect()
		return func(fp frame) {
			p := *ref[unsafe.Pointer](fp, x.off)
			if p == nil {
				panic(plainError("value method " + *ref[string](fp, recv.off) + "." + *ref[string](fp, method.off) +
					" called using nil *" + name.Elem().Name() + " pointer"))
			}
			*ref[unsafe.Pointer](fp, d.off) = p
		}
	case "ssa:deferstack":
		return func(fp frame) { *ref[unsafe.Pointer](fp, d.off) = fp }
	case "Sizeof":
		n := int64(arg(0).typ.Size())
		return func(fp frame) { *ref[int64](fp, d.off) = n }
	case "Alignof":
		n := int64(arg(0).typ.Align())
		return func(fp frame) { *ref[int64](fp, d.off) = n }
	case "Offsetof":
		if n, ok := c.selectedOffset(call.Args[0]); ok {
			return func(fp frame) { *ref[int64](fp, d.off) = n }
		}
	}
	return c.unsafeBuiltin(b, call, d, pos)
}

// selectedOffset gives the offset of a selected field within the operand of the
// selector. A promoted field counts from the struct that it is promoted to.
func (c *compiler) selectedOffset(v ssa.Value) (int64, bool) {
	var at int64
	for {
		var base ssa.Value
		var field int
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
			continue
		case *ssa.FieldAddr:
			base, field = x.X, x.Field
		case *ssa.Field:
			base, field = x.X, x.Field
		default:
			return 0, false
		}
		t := base.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		at += int64(c.typ(t).Reflect().Field(field).Offset)
		inner, ok := base.(*ssa.FieldAddr)
		if !ok {
			return at, true
		}
		st := elemOf(inner.X.Type()).Underlying().(*types.Struct)
		name := st.Field(inner.Field)
		if !name.Embedded() {
			return at, true
		}
		if int(v.Pos()-inner.Pos()) == len(name.Name())+1 {
			return 0, false // written out, perhaps: then it is part of the operand
		}
		v = inner
	}
}

// unsafeBuiltin is a function of package unsafe.
func (c *compiler) unsafeBuiltin(b *ssa.Builtin, call *ssa.CallCommon, d slot, pos token.Pos) op {
	x := c.slot(call.Args[0])
	switch b.Name() {
	case "Add":
		n := c.index(call.Args[1]).fn()
		return func(fp frame) {
			*ref[unsafe.Pointer](fp, d.off) = unsafe.Add(*ref[unsafe.Pointer](fp, x.off), n(fp))
		}
	case "Slice":
		n := c.index(call.Args[1]).fn()
		size := int64(d.typ.Reflect().Elem().Size())
		return func(fp frame) {
			p, k := *ref[unsafe.Pointer](fp, x.off), n(fp)
			if k < 0 || size > 0 && k > math.MaxInt64/size {
				var none byte
				_ = unsafe.Slice(&none, int64(-1)*max(k, 1))
			}
			_ = unsafe.Slice((*byte)(p), k*size) // panics past the end of memory
			*ref[rtype.Slice](fp, d.off) = rtype.Slice{Data: p, Len: int(k), Cap: int(k)}
		}
	case "String":
		n := c.index(call.Args[1]).fn()
		return func(fp frame) { *ref[string](fp, d.off) = unsafe.String(*ref[*byte](fp, x.off), n(fp)) }
	case "StringData", "SliceData":
		return func(fp frame) { *ref[unsafe.Pointer](fp, d.off) = *ref[unsafe.Pointer](fp, x.off) }
	}
	refuse(pos, "the builtin "+b.Name()+" of a type parameter", "use it with a type that is known")
	return nil
}

func copyOp(to, from slot, res []slot) op {
	elem := rtype.TypeOf(to.typ.Reflect().Elem())
	isString := from.rep == repString
	return func(fp frame) {
		var n int
		if isString {
			n = copy(*ref[[]byte](fp, to.off), *ref[string](fp, from.off))
		} else {
			n = rtype.CopySlice(elem, *ref[rtype.Slice](fp, to.off), *ref[rtype.Slice](fp, from.off))
		}
		if len(res) > 0 {
			*ref[int](fp, res[0].off) = n
		}
	}
}

// extremum is min(args...) or max(args...).
func (c *compiler) extremum(least bool, args []ssa.Value, d slot) op {
	switch d.rep {
	case repInt8:
		return extremumOf[int8](c, least, args, d)
	case repInt16:
		return extremumOf[int16](c, least, args, d)
	case repInt32:
		return extremumOf[int32](c, least, args, d)
	case repInt64:
		return extremumOf[int64](c, least, args, d)
	case repUint8:
		return extremumOf[uint8](c, least, args, d)
	case repUint16:
		return extremumOf[uint16](c, least, args, d)
	case repUint32:
		return extremumOf[uint32](c, least, args, d)
	case repUint64:
		return extremumOf[uint64](c, least, args, d)
	case repFloat32:
		return extremumOf[float32](c, least, args, d)
	case repFloat64:
		return extremumOf[float64](c, least, args, d)
	}
	return extremumOf[string](c, least, args, d)
}

func extremumOf[T ordered](c *compiler, least bool, args []ssa.Value, d slot) op {
	first := argOf[T](c, args[0]).fn()
	var rest []expr[T]
	for _, a := range args[1:] {
		rest = append(rest, argOf[T](c, a).fn())
	}
	if least {
		return func(fp frame) {
			m := first(fp)
			for _, a := range rest {
				m = min(m, a(fp))
			}
			*ref[T](fp, d.off) = m
		}
	}
	return func(fp frame) {
		m := first(fp)
		for _, a := range rest {
			m = max(m, a(fp))
		}
		*ref[T](fp, d.off) = m
	}
}

func complexPart(re bool, x, d slot) op {
	switch {
	case x.rep == repComplex64 && re:
		return func(fp frame) { *ref[float32](fp, d.off) = real(*ref[complex64](fp, x.off)) }
	case x.rep == repComplex64:
		return func(fp frame) { *ref[float32](fp, d.off) = imag(*ref[complex64](fp, x.off)) }
	case re:
		return func(fp frame) { *ref[float64](fp, d.off) = real(*ref[complex128](fp, x.off)) }
	}
	return func(fp frame) { *ref[float64](fp, d.off) = imag(*ref[complex128](fp, x.off)) }
}

func complexOp(re, im, d slot) op {
	if d.rep == repComplex64 {
		return func(fp frame) {
			*ref[complex64](fp, d.off) = complex(*ref[float32](fp, re.off), *ref[float32](fp, im.off))
		}
	}
	return func(fp frame) {
		*ref[complex128](fp, d.off) = complex(*ref[float64](fp, re.off), *ref[float64](fp, im.off))
	}
}
