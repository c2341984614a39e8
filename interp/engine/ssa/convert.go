//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// convertTree gives a conversion between numeric types.
func (c *compiler) convertTree(x ssa.Value, to types.Type) any {
	r := c.repOf(to)
	switch c.repOf(x.Type()) {
	case repInt8:
		return convertFrom(argOf[int8](c, x), r)
	case repInt16:
		return convertFrom(argOf[int16](c, x), r)
	case repInt32:
		return convertFrom(argOf[int32](c, x), r)
	case repInt64:
		return convertFrom(argOf[int64](c, x), r)
	case repUint8:
		return convertFrom(argOf[uint8](c, x), r)
	case repUint16:
		return convertFrom(argOf[uint16](c, x), r)
	case repUint32:
		return convertFrom(argOf[uint32](c, x), r)
	case repUint64:
		return convertFrom(argOf[uint64](c, x), r)
	case repFloat32:
		return convertFrom(argOf[float32](c, x), r)
	}
	return convertFrom(argOf[float64](c, x), r)
}

func convertFrom[F integer | float](x arg[F], to rep) any {
	switch to {
	case repInt8:
		return convert[F, int8](x)
	case repInt16:
		return convert[F, int16](x)
	case repInt32:
		return convert[F, int32](x)
	case repInt64:
		return convert[F, int64](x)
	case repUint8:
		return convert[F, uint8](x)
	case repUint16:
		return convert[F, uint16](x)
	case repUint32:
		return convert[F, uint32](x)
	case repUint64:
		return convert[F, uint64](x)
	case repFloat32:
		return convert[F, float32](x)
	}
	return convert[F, float64](x)
}

func convert[F, T integer | float](x arg[F]) expr[T] {
	if x.kind == inSlot {
		off := x.off
		return func(fp frame) T { return T(*ref[F](fp, off)) }
	}
	t := x.fn()
	return func(fp frame) T { return T(t(fp)) }
}

// convertInstr is d = T(x) for the other conversions: those that build or read
// strings, of complex numbers and of unsafe pointers.
func (c *compiler) convertInstr(d slot, x slot) op {
	to, from := d.off, x.off
	var elem reflect.Kind
	if d.rep == repSlice {
		elem = d.typ.Reflect().Elem().Kind()
	} else if x.rep == repSlice {
		elem = x.typ.Reflect().Elem().Kind()
	}
	switch {
	case d.rep == repPtr && x.rep == repPtr:
		return move[unsafe.Pointer](to, from)
	case d.rep == repUint64 && x.rep == repPtr:
		return func(fp frame) { *ref[uintptr](fp, to) = *ref[uintptr](fp, from) }
	case d.rep == repPtr && x.rep == repUint64:
		// The slot is a pointer's: the collector is told of what it is set to.
		return move[unsafe.Pointer](to, from)
	case d.rep == repSlice && x.rep == repString && elem == reflect.Uint8:
		return func(fp frame) { *ref[[]byte](fp, to) = []byte(*ref[string](fp, from)) }
	case d.rep == repSlice && x.rep == repString && elem == reflect.Int32:
		return func(fp frame) { *ref[[]rune](fp, to) = []rune(*ref[string](fp, from)) }
	case d.rep == repString && x.rep == repSlice && elem == reflect.Uint8:
		return func(fp frame) { *ref[string](fp, to) = string(*ref[[]byte](fp, from)) }
	case d.rep == repString && x.rep == repSlice && elem == reflect.Int32:
		return func(fp frame) { *ref[string](fp, to) = string(*ref[[]rune](fp, from)) }
	}
	dt, xt := d.typ.Reflect(), x.typ.Reflect()
	return func(fp frame) {
		v := reflect.NewAt(xt, unsafe.Add(fp, from)).Elem().Convert(dt)
		reflect.NewAt(dt, unsafe.Add(fp, to)).Elem().Set(v)
	}
}
