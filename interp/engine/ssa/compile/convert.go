package compile

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// convertTree returns a conversion between numeric types.
func (c *body) convertTree(x ssa.Value, to types.Type) any {
	r := c.repOf(to)
	switch c.repOf(x.Type()) {
	case layout.Int8:
		return convertFrom(argOf[int8](c, x), r)
	case layout.Int16:
		return convertFrom(argOf[int16](c, x), r)
	case layout.Int32:
		return convertFrom(argOf[int32](c, x), r)
	case layout.Int64:
		return convertFrom(argOf[int64](c, x), r)
	case layout.Uint8:
		return convertFrom(argOf[uint8](c, x), r)
	case layout.Uint16:
		return convertFrom(argOf[uint16](c, x), r)
	case layout.Uint32:
		return convertFrom(argOf[uint32](c, x), r)
	case layout.Uint64:
		return convertFrom(argOf[uint64](c, x), r)
	case layout.Float32:
		return convertFrom(argOf[float32](c, x), r)
	}
	return convertFrom(argOf[float64](c, x), r)
}

func convertFrom[F integer | float](x arg[F], to rep) any {
	switch to {
	case layout.Int8:
		return convert[F, int8](x)
	case layout.Int16:
		return convert[F, int16](x)
	case layout.Int32:
		return convert[F, int32](x)
	case layout.Int64:
		return convert[F, int64](x)
	case layout.Uint8:
		return convert[F, uint8](x)
	case layout.Uint16:
		return convert[F, uint16](x)
	case layout.Uint32:
		return convert[F, uint32](x)
	case layout.Uint64:
		return convert[F, uint64](x)
	case layout.Float32:
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

// convertInstr returns the op d = T(x) for conversions of strings, complex numbers and unsafe
// pointers.
func (c *body) convertInstr(d slot, x slot) op {
	to, from := d.Off, x.Off
	var elem reflect.Kind
	if d.Rep == layout.Slice {
		elem = d.Type.Reflect().Elem().Kind()
	} else if x.Rep == layout.Slice {
		elem = x.Type.Reflect().Elem().Kind()
	}
	switch {
	case d.Rep == layout.String && x.Rep == layout.Int32:
		return func(fp frame) { *ref[string](fp, to) = string(*ref[rune](fp, from)) }
	case d.Rep == layout.String && x.Rep == layout.Uint8:
		return func(fp frame) { *ref[string](fp, to) = string(rune(*ref[byte](fp, from))) }
	case d.Rep == layout.Pointer && (x.Rep == layout.Pointer || x.Rep == layout.Uint64):
		return movePointer(to, from)
	case d.Rep == layout.Uint64 && x.Rep == layout.Pointer:
		return func(fp frame) { *ref[uintptr](fp, to) = *ref[uintptr](fp, from) }
	case d.Rep == layout.Slice && x.Rep == layout.String && elem == reflect.Uint8:
		return func(fp frame) { *ref[[]byte](fp, to) = []byte(*ref[string](fp, from)) }
	case d.Rep == layout.Slice && x.Rep == layout.String && elem == reflect.Int32:
		return func(fp frame) { *ref[[]rune](fp, to) = []rune(*ref[string](fp, from)) }
	case d.Rep == layout.String && x.Rep == layout.Slice && elem == reflect.Uint8:
		return func(fp frame) { *ref[string](fp, to) = string(*ref[[]byte](fp, from)) }
	case d.Rep == layout.String && x.Rep == layout.Slice && elem == reflect.Int32:
		return func(fp frame) { *ref[string](fp, to) = string(*ref[[]rune](fp, from)) }
	}
	dt, xt := d.Type.Reflect(), x.Type.Reflect()
	return func(fp frame) {
		v := reflect.NewAt(xt, unsafe.Add(fp, from)).Elem().Convert(dt)
		reflect.NewAt(dt, unsafe.Add(fp, to)).Elem().Set(v)
	}
}
