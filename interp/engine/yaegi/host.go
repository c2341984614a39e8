package yaegi

import (
	"os"
	"reflect"

	"github.com/traefik/yaegi/interp"

	"github.com/gokernel/gokernel/internal/eventloop"
	"github.com/gokernel/gokernel/interp/engine"
)

// hostPath is the package of functions that lowered code calls.
const hostPath = "gokernel/host"

// host returns these functions.
func (e *Engine) host() interp.Exports {
	return interp.Exports{hostPath + "/host": {
		"Panicked":  reflect.ValueOf(e.panicked),
		"Recovered": reflect.ValueOf(e.recovered),
		"Error":     reflect.ValueOf(func(err error) any { return err }),
		"Clear":     reflect.ValueOf(clearAny),
		"Print":     reflect.ValueOf(func(args ...any) { e.stderr(printed(args, "")) }),
		"Println":   reflect.ValueOf(func(args ...any) { e.stderr(printed(args, " ") + "\n") }),
		"Complex":   reflect.ValueOf(func(re, im float64) complex128 { return complex(re, im) }),
		"Runes":     reflect.ValueOf(runes),
		"Select":    reflect.ValueOf(e.selectCase),
		"Done":      reflect.ValueOf(e.done),
		"Yield":     reflect.ValueOf(eventloop.Yield),
	}}
}

// clearAny is the built-in function clear.
func clearAny(x any) { reflect.ValueOf(x).Clear() }

// runes returns the characters of s and the index of each.
func runes(s string) (at []int, chars []rune) {
	for i, c := range s {
		at, chars = append(at, i), append(chars, c)
	}
	return at, chars
}

// selectCase chooses among channel operations. Each operation consists of four arguments: the
// number to return, the channel, a pointer to the value to send or receive, and, for a receive, a
// pointer to ok. It returns -1 if blocks is false and no operation is ready. It returns -2 if the
// cell was stopped while it waited.
func (e *Engine) selectCase(blocks bool, ops ...any) int {
	cases := make([]reflect.SelectCase, 0, len(ops)/4+1)
	for i := 0; i < len(ops); i += 4 {
		c := reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(ops[i+1])}
		if _, receives := ops[i+3].(*bool); receives {
			c.Dir = reflect.SelectRecv
		} else {
			c.Send = reflect.ValueOf(ops[i+2]).Elem()
		}
		cases = append(cases, c)
	}
	if blocks {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(*e.stopped.Load())})
	} else {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := reflect.Select(cases)
	switch {
	case i < len(cases)-1:
		if p, receives := ops[4*i+3].(*bool); receives {
			*p = ok
			reflect.ValueOf(ops[4*i+2]).Elem().Set(v)
		}
		return ops[4*i].(int)
	case blocks:
		return -2
	}
	return -1
}

// printed formats its arguments as the built-in functions print and println do.
func printed(args []any, sep string) string {
	var b []byte
	for i, a := range args {
		if i > 0 {
			b = append(b, sep...)
		}
		b = engine.AppendPrinted(b, reflect.ValueOf(a))
	}
	return string(b)
}

func (e *Engine) stderr(text string) {
	if e.hooks.Stderr != nil {
		e.hooks.Stderr(int(e.running.Load()), []byte(text))
		return
	}
	os.Stderr.WriteString(text)
}
