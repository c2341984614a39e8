//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"reflect"
	"strconv"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// printOp is print(args...) or println(args...), which write to the standard
// error.
func (c *compiler) printOp(line bool, args []ssa.Value) op {
	var xs []slot
	for _, a := range args {
		xs = append(xs, c.slot(a))
	}
	return func(fp frame) {
		var b []byte
		for i, x := range xs {
			if i > 0 && line {
				b = append(b, ' ')
			}
			b = appendPrinted(b, reflect.NewAt(x.typ.Reflect(), unsafe.Add(fp, x.off)).Elem())
		}
		if line {
			b = append(b, '\n')
		}
		head(fp).thread.run.stderr(b)
	}
}

// appendPrinted writes a value as the builtin print does.
func appendPrinted(b []byte, v reflect.Value) []byte {
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
	return appendAddress(b, *(*uintptr)(v.Addr().UnsafePointer()))
}

func appendAddress(b []byte, p uintptr) []byte {
	return strconv.AppendUint(append(b, "0x"...), uint64(p), 16)
}
