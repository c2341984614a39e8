package yaegi

import (
	"fmt"
	"go/token"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
)

// exit is the panic by which os.Exit and log.Fatal end a cell.
type exit struct{ code int }

// failure returns the error for a panic that ended a cell.
func (e *Engine) failure(value any) error {
	if x, ok := value.(exit); ok {
		return &engine.Exit{Code: x.code}
	}
	e.noteFailure(value)
	return &engine.Panic{Value: value, Text: panicText(value), Stack: e.stack()}
}

// faults holds the texts of package reflect with which the interpreter reports errors, and the
// texts of Go's runtime for the same errors.
var faults = [...]struct{ reflect, runtime string }{
	{"reflect: slice index out of range", "runtime error: index out of range"},
	{"reflect: array index out of range", "runtime error: index out of range"},
	{"reflect: string index out of range", "runtime error: index out of range"},
	{"reflect.Value.Slice: slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice3: slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice: string slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect: call of reflect.Value.Field on zero Value", "runtime error: invalid memory address or nil pointer dereference"},
	{"reflect.MakeSlice: negative len", "runtime error: makeslice: len out of range"},
	{"reflect.MakeSlice: negative cap", "runtime error: makeslice: cap out of range"},
	{"reflect.MakeSlice: len > cap", "runtime error: makeslice: cap out of range"},
	{"reflect.MakeChan: negative buffer size", "makechan: size out of range"},
	{"runtime: allocation size out of range", "runtime error: makeslice: len out of range"},
	{"assignment to entry in nil map", "assignment to entry in nil map"},
}

// panicText returns the text that Go prints after "panic: ".
func panicText(value any) string {
	text, _ := describe(value)
	return text
}

// describe returns the text that Go prints, and reports whether the interpreter failed instead of
// the program.
func describe(value any) (text string, internal bool) {
	if v, ok := value.(reflect.Value); ok && v.IsValid() && v.CanInterface() {
		value = v.Interface()
	}
	defer func() { // the methods may be the cell's
		if r := recover(); r != nil {
			text = "panic while printing panic value"
			if s, ok := r.(string); ok {
				text += ": " + s
			}
		}
	}()
	switch v := value.(type) {
	case error:
		text = v.Error()
	case fmt.Stringer:
		text = v.String()
	default:
		text = fmt.Sprint(v)
	}
	for _, f := range faults {
		if strings.HasPrefix(text, f.reflect) {
			return f.runtime, false
		}
	}
	if strings.HasPrefix(text, "reflect: call of reflect.Value.") && strings.Contains(text, "on zero Value") {
		return "runtime error: invalid memory address or nil pointer dereference", false
	}
	return text, strings.HasPrefix(text, "reflect") || strings.Contains(text, "interp.valueInterface")
}

// noteFailure records that the interpreter has failed, even if the program recovers: later results
// cannot be trusted.
func (e *Engine) noteFailure(value any) {
	if text, internal := describe(value); internal {
		e.failed.Store(&text)
	}
}

// runtimeError is a panic of the interpreter, converted to the error with which Go's runtime
// panics.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }

// RuntimeError marks e as a [runtime.Error].
func (e runtimeError) RuntimeError() {}

// recovered converts the value of a panic in the interpreter to the value that the panic would have
// in Go.
func (e *Engine) recovered(value any) any {
	e.noteFailure(value)
	if v, ok := value.(reflect.Value); ok && v.IsValid() && v.CanInterface() {
		value = v.Interface()
	}
	switch v := value.(type) {
	case string:
		if text := panicText(v); text != v {
			return runtimeError(text)
		}
	case *reflect.ValueError:
		return runtimeError(panicText(v))
	}
	return value
}

// stack returns the frames of a panic: its exact position, and the running functions.
func (e *Engine) stack() []engine.Frame {
	var frames []engine.Frame
	for _, line := range e.trace.Lines() {
		_, call, ok := strings.Cut(line, ": panic: main.")
		name := strings.TrimSuffix(call, "(...)")
		em := e.world.emitted[name]
		if !ok || em == nil || em.unit.number == 0 {
			continue
		}
		frames = append(frames, engine.Frame{Func: display(em), Pos: em.unit.fset.Position(em.fn.Pos())})
	}
	if pos := e.position(); pos.IsValid() {
		if len(frames) == 0 {
			frames = []engine.Frame{{Func: "main"}}
		}
		frames[0].Pos = pos
	}
	return frames
}

// display returns the name of a function as in Go's stack traces.
func display(em *emission) string {
	if em.recv == nil {
		return em.fn.Name()
	}
	t := em.recv.Type().String()
	t = t[strings.LastIndex(t, ".")+1:]
	if strings.HasPrefix(em.recv.Type().String(), "*") {
		return "(*" + t + ")." + em.fn.Name()
	}
	return t + "." + em.fn.Name()
}

// position returns the start of the last statement that can panic.
func (e *Engine) position() token.Position {
	v, err := e.pointer(e.world.position)
	if err != nil {
		return token.Position{}
	}
	p := e.world.positions[v.Elem().Int()]
	if p.unit == nil {
		return token.Position{}
	}
	return p.unit.fset.Position(p.pos)
}

// panicked is called by a goroutine of interpreted code that ends in a panic.
func (e *Engine) panicked(place int, value any) {
	if e.hooks.GoPanic == nil {
		return
	}
	text, internal := describe(value)
	if internal {
		text = "the fallback engine failed here; the default engine would not: " + text
	}
	p := &engine.Panic{Value: value, Text: text}
	if at := e.world.positions[place]; at.unit != nil {
		p.Stack = []engine.Frame{{Func: "goroutine", Pos: at.unit.fset.Position(at.pos)}}
	}
	e.hooks.GoPanic(int(e.running.Load()), p)
}
