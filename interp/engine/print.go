package engine

import (
	"reflect"
	"strconv"
)

// AppendPrinted appends a value as the builtin print prints it. A value of an interface type must
// be addressable, because its two words are printed.
func AppendPrinted(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Float32:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 32)
	case reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 64)
	case reflect.Complex64:
		return append(b, strconv.FormatComplex(v.Complex(), 'g', -1, 64)...)
	case reflect.Complex128:
		return append(b, strconv.FormatComplex(v.Complex(), 'g', -1, 128)...)
	case reflect.String:
		return append(b, v.String()...)
	case reflect.Interface:
		w := (*[2]uintptr)(v.Addr().UnsafePointer())
		b = appendAddress(append(b, '('), w[0])
		return append(appendAddress(append(b, ','), w[1]), ')')
	case reflect.Slice:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(v.Len()), 10)
		b = append(b, '/')
		b = strconv.AppendInt(b, int64(v.Cap()), 10)
		return appendAddress(append(b, ']'), v.Pointer())
	}
	if v.CanAddr() {
		return appendAddress(b, *(*uintptr)(v.Addr().UnsafePointer()))
	}
	return appendAddress(b, v.Pointer())
}

func appendAddress(b []byte, p uintptr) []byte {
	return strconv.AppendUint(append(b, "0x"...), uint64(p), 16)
}
