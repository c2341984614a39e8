package yaegi

import (
	"fmt"
	"os"
	"reflect"
	"strconv"

	"github.com/traefik/yaegi/interp"
)

// hostPath is the package of functions that lowered code calls.
const hostPath = "gokernel/host"

// host gives these functions.
func (e *Engine) host() interp.Exports {
	return interp.Exports{hostPath + "/host": {
		"Panicked":  reflect.ValueOf(e.panicked),
		"Recovered": reflect.ValueOf(recovered),
		"Error":     reflect.ValueOf(func(err error) any { return err }),
		"Clear":     reflect.ValueOf(clearAny),
		"Print":     reflect.ValueOf(func(args ...any) { e.stderr(printed(args, "")) }),
		"Println":   reflect.ValueOf(func(args ...any) { e.stderr(printed(args, " ") + "\n") }),
		"Done":      reflect.ValueOf(e.done),
	}}
}

// clearAny is the built-in function clear.
func clearAny(x any) { reflect.ValueOf(x).Clear() }

// printed forms text as the built-in functions print and println do.
func printed(args []any, sep string) string {
	var b []byte
	for i, a := range args {
		if i > 0 {
			b = append(b, sep...)
		}
		switch v := reflect.ValueOf(a); v.Kind() {
		case reflect.Float32, reflect.Float64:
			b = appendFloat(b, v.Float())
		case reflect.Complex64, reflect.Complex128:
			c := v.Complex()
			b = append(b, '(')
			b = appendFloat(b, real(c))
			b = appendFloat(b, imag(c))
			b = append(b, "i)"...)
		case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
			b = fmt.Append(b, v.Interface())
		case reflect.Invalid:
			b = append(b, "nil"...)
		default:
			b = fmt.Appendf(b, "%p", a)
		}
	}
	return string(b)
}

func appendFloat(b []byte, f float64) []byte {
	s := strconv.FormatFloat(f, 'e', 6, 64)
	if s[0] != '-' && s[0] != '+' {
		b = append(b, '+')
	}
	b = append(b, s...)
	return b
}

func (e *Engine) stderr(text string) {
	if e.hooks.Stderr != nil {
		e.hooks.Stderr(int(e.running.Load()), []byte(text))
		return
	}
	os.Stderr.WriteString(text)
}
