package outcall

import (
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
)

// A Func calls a compiled func value whose arguments and results are in the frame.
type Func func(fp layout.Frame, f unsafe.Pointer)

// Most compiled functions take all their arguments and results in registers. A Go function type
// with the same number of integer and of float words passes them in the same registers, whatever
// their types. Results that are pointers must be pointers in that type too, because nothing else
// keeps their targets alive. Arguments stay in the frame during the call, so they may have other
// types.

// result is the frame slot for a result that a register holds.
type result struct {
	off  uintptr
	size uintptr
}

func (r result) setInt(fp layout.Frame, v uintptr) {
	switch r.size {
	case 1:
		*layout.Ref[uint8](fp, r.off) = uint8(v)
	case 2:
		*layout.Ref[uint16](fp, r.off) = uint16(v)
	case 4:
		*layout.Ref[uint32](fp, r.off) = uint32(v)
	default:
		*layout.Ref[uintptr](fp, r.off) = v
	}
}

// setFloat stores a register that holds a float64, or a float32 in its low half.
func (r result) setFloat(fp layout.Frame, v float64) {
	if r.size == 4 {
		*layout.Ref[uint32](fp, r.off) = uint32(math.Float64bits(v))
		return
	}
	*layout.Ref[float64](fp, r.off) = v
}

// register is a part of a value that is passed in a register. It has the kind of the part (as in
// the forms of registerCall), its offset and its size.
type register struct {
	kind byte
	off  uintptr
	size uintptr
}

// registers splits a value into registers. It returns false for a value that is not passed in
// registers.
func registers(t reflect.Type, off uintptr, all []register) ([]register, bool) {
	word := func(kind byte, off uintptr) { all = append(all, register{kind, off, 8}) }
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return append(all, register{'f', off, t.Size()}), true
	case reflect.Complex64, reflect.Complex128:
		half := t.Size() / 2
		return append(all, register{'f', off, half}, register{'f', off + half, half}), true
	case reflect.String:
		word('p', off)
		word('i', off+8)
	case reflect.Interface:
		word('p', off)
		word('p', off+8)
	case reflect.Slice:
		word('p', off)
		word('i', off+8)
		word('i', off+16)
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		word('p', off)
	case reflect.Array:
		switch t.Len() {
		case 0:
			return all, true
		case 1:
			return registers(t.Elem(), off, all)
		}
		return nil, false
	case reflect.Struct:
		ok := true
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" { // has no register if the compiler omits it
				return nil, false
			}
			if all, ok = registers(f.Type, off+f.Offset, all); !ok {
				return nil, false
			}
		}
	default:
		return append(all, register{'i', off, t.Size()}), true
	}
	return all, true
}

// Call returns a call of functions of type t. All arguments are in frame slots, and the variadic
// arguments are in a slice. If res is nil, the call drops the results.
func Call(t reflect.Type, in, res []layout.Slot) Func {
	if do := ByRegisters(in, slices.Collect(t.Outs()), res); do != nil {
		return do
	}
	return func(fp layout.Frame, f unsafe.Pointer) {
		ByReflect(reflect.NewAt(t, unsafe.Pointer(&f)).Elem(), fp, in, res)
	}
}

// ByReflect calls a function through package reflect. The variadic arguments precede the arguments
// in frame slots.
func ByReflect(f reflect.Value, fp layout.Frame, in, res []layout.Slot, first ...reflect.Value) {
	args := append(make([]reflect.Value, 0, len(first)+len(in)), first...)
	for _, s := range in {
		args = append(args, reflect.NewAt(s.Type.Reflect(), unsafe.Add(fp, s.Off)).Elem())
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	out := call(args)
	for i, s := range res {
		reflect.NewAt(s.Type.Reflect(), unsafe.Add(fp, s.Off)).Elem().Set(out[i])
	}
}

// ByRegisters returns a call without package reflect, or nil if the arguments or results do not
// fit.
func ByRegisters(in []layout.Slot, results []reflect.Type, res []layout.Slot) Func {
	var args, outs []register
	ok := true
	for _, s := range in {
		before := len(args)
		if args, ok = registers(s.Type.Reflect(), s.Off, args); !ok {
			return nil
		}
		// The callee may spill the arguments to space that the caller reserves by the sizes of
		// their types. A type that ends in a field of size zero reserves more space than its
		// registers need.
		if s.Type.Size() > 8*uintptr(len(args)-before) {
			return nil
		}
	}
	for i, t := range results {
		off := uintptr(0)
		if len(res) > 0 {
			off = res[i].Off
		}
		if outs, ok = registers(t, off, outs); !ok {
			return nil
		}
	}
	var ints, floats []uintptr
	for _, r := range args {
		if r.kind == 'f' {
			floats = append(floats, r.off)
		} else {
			ints = append(ints, r.off)
		}
	}
	var form []byte
	var to []result
	for _, r := range outs {
		form = append(form, r.kind)
		if len(res) > 0 {
			to = append(to, result{r.off, r.size})
		}
	}
	return registerCall(ints, floats, string(form), to)
}
