package rtype

import (
	"reflect"
	"unsafe"
)

// Closure is the object to which an interpreted func value points. The pointer to a Closure is a Go
// func value that compiled code can call.
type Closure struct {
	code    uintptr // closurePC
	sig     *Signature
	fn, env unsafe.Pointer
	byStack unsafe.Pointer // a func value made by package reflect, if sig.stack
}

// Closure returns a func value that runs the engine's function fn with the captured variables env.
// When compiled code calls the func value, the func value calls Config.Enter.
func (s *Signature) Closure(fn, env unsafe.Pointer) *Closure {
	c := &Closure{code: closurePC(), sig: s, fn: fn, env: env}
	if s.stack != 0 {
		c.viaReflect()
	}
	return c
}

// ClosureOf returns the closure of a func value, or nil if the func value is nil or compiled.
func ClosureOf(fv unsafe.Pointer) *Closure {
	if fv == nil || *(*uintptr)(fv) != closurePC() {
		return nil
	}
	return (*Closure)(fv)
}

// ClosureLayout returns the first word of a closure, and the offsets of Func and Env. Code outside
// this package uses them to recognize and read closures.
func ClosureLayout() (pc uintptr, fn, env int32) {
	return closurePC(), int32(unsafe.Offsetof(Closure{}.fn)), int32(unsafe.Offsetof(Closure{}.env))
}

// Func returns the engine's function.
func (c *Closure) Func() unsafe.Pointer { return c.fn }

// Env returns the captured variables.
func (c *Closure) Env() unsafe.Pointer { return c.env }

// Call is a call of an interpreted function by compiled code. The assembly code relies on the
// layout of a Call, with the words that the garbage collector scans at the end.
//
// A Call is on the stack of its goroutine, in the frame of closureEntry. A stack moves when it
// grows, and the runtime adjusts only those pointers to the stack that are on the stack itself. A
// pointer in the heap would point to freed memory. A Call is therefore passed down the call stack
// and not kept: no field, no channel, no global variable and no closure in the heap may hold a
// Call. The compiler does not enforce that here, because the Call comes from assembly code, but its
// escape analysis shows violations: see TestCallsStayOnTheStack.
type Call struct {
	floats   [floatRegs]uint64
	ints     [intRegs]uintptr
	pointers [intRegs]unsafe.Pointer
	slow     *slowCall
	closure  *Closure
}

// slowCall has the arguments of a call that package reflect decoded.
type slowCall struct {
	args, results []reflect.Value
}

// OnStack returns the call as an argument for a func value. Escape analysis does not know which
// function a func value calls, and would move the call to the heap. Use it only for functions that
// follow the rule of Call, which is tested where they are declared.
//
//go:nosplit
func (c *Call) OnStack() *Call {
	p := uintptr(unsafe.Pointer(c))      // hides the pointer from the compiler
	return *(**Call)(unsafe.Pointer(&p)) // immediately: a stack moves only at calls
}

// Func returns the engine's function for the call.
func (c *Call) Func() unsafe.Pointer {
	if m := c.Method(); m != nil {
		return m.Func()
	}
	return c.closure.fn
}

// Env returns the captured variables of a closure, or nil for a method.
func (c *Call) Env() unsafe.Pointer {
	if c.closure.sig.form != recvNone {
		return nil
	}
	return c.closure.env
}

// Method returns the method that is called, or nil for a closure.
func (c *Call) Method() *Method {
	if c.closure.sig.form == recvNone {
		return nil
	}
	return (*Method)(c.closure.env)
}

// NumArgs returns the number of arguments. The receiver of a method is the first one.
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

// SetResult copies src to result i. Arguments cannot be read after the first result has been set,
// because they share registers.
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

// enter is called by the assembly code for each call.
func enter(c *Call) { c.closure.sig.types.cfg.Enter(c.OnStack()) }

// viaReflect makes the func value of package reflect to which the assembly code passes calls with
// arguments on the stack. The runtime finds pointers in such arguments only for reflect's
// functions.
func (c *Closure) viaReflect() {
	fv := reflect.MakeFunc(c.sig.withRecv.Reflect(), func(args []reflect.Value) []reflect.Value {
		call := &Call{closure: c, slow: &slowCall{args, make([]reflect.Value, len(c.sig.results))}}
		enter(call)
		return call.slow.results
	})
	f := fv.Interface()
	c.byStack = (*words)(unsafe.Pointer(&f)).data
}
