package compile

import (
	"go/token"
	"go/types"
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

func badConversion(have, want int) {
	panic(machine.PlainError("runtime error: cannot convert slice with length " + strconv.Itoa(have) +
		" to array or pointer to array with length " + strconv.Itoa(want)))
}

// builtin returns res = b(args).
func (c *body) builtin(b *ssa.Builtin, call *ssa.CallCommon, res []slot, pos token.Pos) op {
	var d slot
	if len(res) > 0 {
		d = res[0]
	} else if r := call.Signature().Results(); r.Len() == 1 {
		d = c.l.Place(c.typ(r.At(0).Type())) // the result is not used
	}
	arg := func(i int) slot { return c.slot(call.Args[i]) }
	switch b.Name() {
	case "len", "cap":
		return set(d.Off, c.lenTree(b.Name() == "cap", call.Args[0]))
	case "append":
		return c.appendOp(call, d)
	case "copy":
		return copyOp(arg(0), arg(1), res)
	case "close":
		x := arg(0).Off
		return func(fp frame) { rtype.Close(*ref[unsafe.Pointer](fp, x)) }
	case "delete":
		m, k := arg(0), arg(1)
		return func(fp frame) { rtype.MapDelete(m.Type, *ref[unsafe.Pointer](fp, m.Off), unsafe.Add(fp, k.Off)) }
	case "clear":
		x := arg(0)
		if x.Rep == layout.Pointer {
			return func(fp frame) { rtype.MapClear(x.Type, *ref[unsafe.Pointer](fp, x.Off)) }
		}
		return func(fp frame) { reflect.NewAt(x.Type.Reflect(), unsafe.Add(fp, x.Off)).Elem().Clear() }
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
		x := arg(0).Off
		return func(fp frame) { machine.Raise(*ref[any](fp, x)) }
	case "ssa:wrapnilchk":
		x, recv, method := arg(0), arg(1), arg(2)
		name := x.Type.Reflect()
		return func(fp frame) {
			p := *ref[unsafe.Pointer](fp, x.Off)
			if p == nil {
				panic(machine.PlainError("value method " + *ref[string](fp, recv.Off) + "." + *ref[string](fp, method.Off) +
					" called using nil *" + name.Elem().Name() + " pointer"))
			}
			*ref[unsafe.Pointer](fp, d.Off) = p
		}
	case "ssa:deferstack":
		return func(fp frame) { *ref[unsafe.Pointer](fp, d.Off) = fp }
	case "Sizeof":
		n := int64(arg(0).Type.Size())
		return func(fp frame) { *ref[int64](fp, d.Off) = n }
	case "Alignof":
		n := int64(arg(0).Type.Align())
		return func(fp frame) { *ref[int64](fp, d.Off) = n }
	case "Offsetof":
		if n, ok := c.selectedOffset(call.Args[0]); ok {
			return func(fp frame) { *ref[int64](fp, d.Off) = n }
		}
	}
	return c.unsafeBuiltin(b, call, d, pos)
}

// selectedOffset returns the offset of a selected field within the operand of the selector. The
// offset of a promoted field counts from the struct to which the field is promoted.
func (c *body) selectedOffset(v ssa.Value) (int64, bool) {
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
			return 0, false // the embedded field may be written out, and is part of the operand then
		}
		v = inner
	}
}

// unsafeBuiltin returns the call of a function of package unsafe.
func (c *body) unsafeBuiltin(b *ssa.Builtin, call *ssa.CallCommon, d slot, pos token.Pos) op {
	x := c.slot(call.Args[0])
	switch b.Name() {
	case "Add":
		n := c.index(call.Args[1]).fn()
		return func(fp frame) {
			*ref[unsafe.Pointer](fp, d.Off) = unsafe.Add(*ref[unsafe.Pointer](fp, x.Off), n(fp))
		}
	case "Slice":
		n := c.index(call.Args[1]).fn()
		size := int64(d.Type.Reflect().Elem().Size())
		return func(fp frame) {
			p, k := *ref[unsafe.Pointer](fp, x.Off), n(fp)
			if k < 0 || size > 0 && k > math.MaxInt64/size {
				var none byte
				_ = unsafe.Slice(&none, int64(-1)*max(k, 1))
			}
			_ = unsafe.Slice((*byte)(p), k*size) // panics past the end of memory
			*ref[rtype.Slice](fp, d.Off) = rtype.Slice{Data: p, Len: int(k), Cap: int(k)}
		}
	case "String":
		n := c.index(call.Args[1]).fn()
		return func(fp frame) { *ref[string](fp, d.Off) = unsafe.String(*ref[*byte](fp, x.Off), n(fp)) }
	case "StringData", "SliceData":
		return func(fp frame) { *ref[unsafe.Pointer](fp, d.Off) = *ref[unsafe.Pointer](fp, x.Off) }
	}
	refuse(pos, "the builtin "+b.Name()+" of a type parameter", "use it with a type that is known")
	return nil
}

func copyOp(to, from slot, res []slot) op {
	elem := rtype.TypeOf(to.Type.Reflect().Elem())
	isString := from.Rep == layout.String
	return func(fp frame) {
		var n int
		if isString {
			n = copy(*ref[[]byte](fp, to.Off), *ref[string](fp, from.Off))
		} else {
			n = rtype.CopySlice(elem, *ref[rtype.Slice](fp, to.Off), *ref[rtype.Slice](fp, from.Off))
		}
		if len(res) > 0 {
			*ref[int](fp, res[0].Off) = n
		}
	}
}

// extremum returns min(args...) or max(args...).
func (c *body) extremum(least bool, args []ssa.Value, d slot) op {
	switch d.Rep {
	case layout.Int8:
		return extremumOf[int8](c, least, args, d)
	case layout.Int16:
		return extremumOf[int16](c, least, args, d)
	case layout.Int32:
		return extremumOf[int32](c, least, args, d)
	case layout.Int64:
		return extremumOf[int64](c, least, args, d)
	case layout.Uint8:
		return extremumOf[uint8](c, least, args, d)
	case layout.Uint16:
		return extremumOf[uint16](c, least, args, d)
	case layout.Uint32:
		return extremumOf[uint32](c, least, args, d)
	case layout.Uint64:
		return extremumOf[uint64](c, least, args, d)
	case layout.Float32:
		return extremumOf[float32](c, least, args, d)
	case layout.Float64:
		return extremumOf[float64](c, least, args, d)
	}
	return extremumOf[string](c, least, args, d)
}

func extremumOf[T ordered](c *body, least bool, args []ssa.Value, d slot) op {
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
			*ref[T](fp, d.Off) = m
		}
	}
	return func(fp frame) {
		m := first(fp)
		for _, a := range rest {
			m = max(m, a(fp))
		}
		*ref[T](fp, d.Off) = m
	}
}

func complexPart(re bool, x, d slot) op {
	switch {
	case x.Rep == layout.Complex64 && re:
		return func(fp frame) { *ref[float32](fp, d.Off) = real(*ref[complex64](fp, x.Off)) }
	case x.Rep == layout.Complex64:
		return func(fp frame) { *ref[float32](fp, d.Off) = imag(*ref[complex64](fp, x.Off)) }
	case re:
		return func(fp frame) { *ref[float64](fp, d.Off) = real(*ref[complex128](fp, x.Off)) }
	}
	return func(fp frame) { *ref[float64](fp, d.Off) = imag(*ref[complex128](fp, x.Off)) }
}

func complexOp(re, im, d slot) op {
	if d.Rep == layout.Complex64 {
		return func(fp frame) {
			*ref[complex64](fp, d.Off) = complex(*ref[float32](fp, re.Off), *ref[float32](fp, im.Off))
		}
	}
	return func(fp frame) {
		*ref[complex128](fp, d.Off) = complex(*ref[float64](fp, re.Off), *ref[float64](fp, im.Off))
	}
}
