package rtype

import (
	"reflect"
	"unsafe"
)

// Closure is what an interpreted func value points to: a pointer to one, taken
// as a word, is a Go func value that compiled code can call.
type Closure struct {
	code    uintptr // closurePC
	sig     *Signature
	fn, env unsafe.Pointer
	byStack unsafe.Pointer // a func value made by package reflect, if sig.stack
}

// Closure makes a func value that runs the engine's function fn with the
// captured variables env. Compiled code that calls it gets to Config.Enter.
func (s *Signature) Closure(fn, env unsafe.Pointer) *Closure {
	c := &Closure{code: closurePC(), sig: s, fn: fn, env: env}
	if s.stack != 0 {
		c.viaReflect()
	}
	return c
}

// ClosureOf returns the closure that a func value is; nil when the func value is
// nil or compiled.
func ClosureOf(fv unsafe.Pointer) *Closure {
	if fv == nil || *(*uintptr)(fv) != closurePC() {
		return nil
	}
	return (*Closure)(fv)
}

// Func returns the engine's function.
func (c *Closure) Func() unsafe.Pointer { return c.fn }

// Env returns the captured variables.
func (c *Closure) Env() unsafe.Pointer { return c.env }

// Call is a call of an interpreted function by compiled code. Its layout is the
// assembler's, with the words that the garbage collector looks at last.
//
// It lies on the stack of its goroutine, in the frame of closureEntry. That stack
// moves when it grows, and the runtime corrects pointers to it on the stack alone;
// one in the heap would point to freed memory from then on. So a Call is handed
// down and not kept: no field, no channel, no global variable holds one, and no
// closure that lives in the heap. The compiler does not refuse that here, because
// the Call comes from the assembler, but it finds it: TestCallsStayOnTheStack.
type Call struct {
	floats   [floatRegs]uint64
	ints     [intRegs]uintptr
	pointers [intRegs]unsafe.Pointer
	slow     *slowCall
	closure  *Closure
}

// slowCall has the arguments of a call that package reflect took apart.
type slowCall struct {
	args, results []reflect.Value
}

// OnStack returns the call to a function that the compiler does not know: one that
// is the value of a variable. It is for such functions only as keep to the rule of
// Call, which is tested where they are declared.
//
//go:nosplit
func (c *Call) OnStack() *Call {
	p := uintptr(unsafe.Pointer(c))      // from where the compiler does not follow it
	return *(**Call)(unsafe.Pointer(&p)) // at once: a stack moves at calls, and here is none
}

// Func returns the engine's function that is called.
func (c *Call) Func() unsafe.Pointer {
	if m := c.Method(); m != nil {
		return m.Func()
	}
	return c.closure.fn
}

// Env returns the captured variables of a closure; nil for a method.
func (c *Call) Env() unsafe.Pointer {
	if c.closure.sig.form != recvNone {
		return nil
	}
	return c.closure.env
}

// Method returns the method that is called; nil for a closure.
func (c *Call) Method() *Method {
	if c.closure.sig.form == recvNone {
		return nil
	}
	return (*Method)(c.closure.env)
}

// NumArgs returns the number of arguments; a method's receiver is the first.
func (c *Call) NumArgs() int { return len(c.closure.sig.params) }

// NumResults returns the number of results.
func (c *Call) NumResults() int { return len(c.closure.sig.results) }

// Arg copies argument i to dst, a variable of its type.
func (c *Call) Arg(i int, dst unsafe.Pointer) {
	if i == 0 && c.closure.sig.form >= recvWord {
		word := c.pointers[0]
		if c.slow != nil {
			word = c.slow.args[0].UnsafePointer()
		}
		c.Method().Receiver(word, dst)
		return
	}
	p := &c.closure.sig.params[i]
	if c.slow != nil {
		reflect.NewAt(p.typ.Reflect(), dst).Elem().Set(c.slow.args[i])
		return
	}
	p.load(c, dst)
}

// SetResult copies result i from src. Arguments cannot be taken any more after
// the first result has been set: they share registers.
func (c *Call) SetResult(i int, src unsafe.Pointer) {
	p := &c.closure.sig.results[i]
	if c.slow != nil {
		v := reflect.New(p.typ.Reflect())
		typedmemmove(p.typ, v.UnsafePointer(), src)
		c.slow.results[i] = v.Elem()
		return
	}
	p.store(c, src)
}

// enter is where the assembler hands a call over.
func enter(c *Call) { c.closure.sig.types.cfg.Enter(c.OnStack()) }

// viaReflect returns the closure a func value of package reflect's, to which the
// assembler passes calls that use the stack: the runtime finds pointers in the
// arguments of reflect's functions only.
func (c *Closure) viaReflect() {
	fv := reflect.MakeFunc(c.sig.withRecv.Reflect(), func(args []reflect.Value) []reflect.Value {
		call := &Call{closure: c, slow: &slowCall{args, make([]reflect.Value, len(c.sig.results))}}
		enter(call)
		return call.slow.results
	})
	f := fv.Interface()
	c.byStack = (*words)(unsafe.Pointer(&f)).data
}
