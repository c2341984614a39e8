//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// compiled gives a function or method of the compiled world as a func value, a
// receiver being the first parameter.
func (e *Engine) compiled(f *types.Func) (reflect.Value, bool) {
	if v, ok := e.overrides[f.FullName()]; ok {
		return v, true
	}
	if recv := f.Signature().Recv(); recv != nil {
		t, err := e.types.Of(recv.Type())
		if err != nil {
			return reflect.Value{}, false
		}
		m, ok := t.Reflect().MethodByName(f.Name())
		return m.Func, ok
	}
	if e.cfg.Value == nil || f.Pkg() == nil {
		return reflect.Value{}, false
	}
	v, ok := e.cfg.Value(f.Pkg().Path(), f.Name())
	return v, ok && v.Kind() == reflect.Func
}

// external gives the func value of a function without a body.
func (e *Engine) external(fn *ssa.Function, pos token.Pos) reflect.Value {
	if v, ok := e.generic(fn); ok {
		return v
	}
	if f, ok := fn.Object().(*types.Func); ok {
		if v, ok := e.compiled(f); ok {
			return v
		}
	}
	panic(&engine.Refusal{Pos: pos, What: "the function " + fn.String() + " is not in this binary"})
}

// funcWord gives the word that a function is as a func value.
func (e *Engine) funcWord(fn *ssa.Function) unsafe.Pointer {
	if fn.Blocks == nil {
		return funcWord(e.external(fn, fn.Pos()))
	}
	return unsafe.Pointer(e.function(fn).value())
}

// funcWord gives the word that a func value is.
func funcWord(v reflect.Value) unsafe.Pointer {
	x := v.Interface()
	return (*iface)(unsafe.Pointer(&x)).data
}

// callExternal calls a compiled function that is known.
func (c *compiler) callExternal(fn *ssa.Function, call *ssa.CallCommon, res []slot, pos token.Pos) op {
	v := c.e.external(fn, pos)
	f := funcWord(v)
	do, fast := c.calling(rtype.TypeOf(v.Type()), call.Args, res)
	if !fast {
		return func(fp frame) { do(fp, f) }
	}
	return func(fp frame) {
		do(fp, f)
		afterCompiled(head(fp))
	}
}

// compiledCall calls a compiled func value of type t.
func (c *compiler) compiledCall(t *rtype.Type, args []ssa.Value, res []slot) compiledFunc {
	do, fast := c.calling(t, args, res)
	if !fast {
		return do
	}
	return func(fp frame, f unsafe.Pointer) {
		do(fp, f)
		afterCompiled(head(fp))
	}
}

// calling is compiledCall; one without package reflect, which is fast, must be
// followed by afterCompiled.
func (c *compiler) calling(t *rtype.Type, args []ssa.Value, res []slot) (do compiledFunc, fast bool) {
	var in []slot
	for _, a := range args {
		in = append(in, c.slotOf(a))
	}
	rt := t.Reflect()
	outs := slices.Collect(rt.Outs())
	if do := byRegisters(in, outs, res); do != nil {
		return do, true
	}
	return reflectCall(rt, in, res), false
}

// reflectCall calls through package reflect.
func reflectCall(t reflect.Type, in, res []slot) compiledFunc {
	return func(fp frame, f unsafe.Pointer) {
		fv := reflect.NewAt(t, unsafe.Pointer(&f)).Elem()
		finish(fp, res, callValue(fv, fp, in))
	}
}

func callValue(fv reflect.Value, fp frame, in []slot) []reflect.Value {
	return callFunc(fv, values(fp, in))
}

// values gives what is in places of a frame.
func values(fp frame, in []slot) []reflect.Value {
	vs := make([]reflect.Value, len(in))
	for i, s := range in {
		vs[i] = reflect.NewAt(s.typ.Reflect(), unsafe.Add(fp, s.off)).Elem()
	}
	return vs
}

// callFunc calls a function with all its arguments, the variadic ones in a
// slice.
func callFunc(fv reflect.Value, args []reflect.Value) []reflect.Value {
	if fv.Type().IsVariadic() {
		return fv.CallSlice(args)
	}
	return fv.Call(args)
}

// finish takes the results of a compiled call. Interpreted calls that a panic
// ended, which compiled code has recovered, are given up.
func finish(fp frame, res []slot, out []reflect.Value) {
	afterCompiled(head(fp))
	for i, s := range res {
		reflect.NewAt(s.typ.Reflect(), unsafe.Add(fp, s.off)).Elem().Set(out[i])
	}
}

// afterCompiled is to follow a call of a compiled function from the frame of h.
// The one comparison is for inlining: the bound is negative for code that is to stop.
func afterCompiled(h *header) {
	if h.thread.depth > min(h.depth, h.thread.bound.Load()) {
		comeBack(h)
	}
}

// comeBack puts the depth of the thread right when a compiled function has
// recovered a panic of interpreted code that it called, and ends code that was
// told to stop meanwhile.
func comeBack(h *header) {
	th := h.thread
	if th.depth > h.depth && h.stack != nil {
		th.unwind(h.depth)
	}
	if th.bound.Load() < 0 {
		th.check(nil)
	}
}

// compiledMethod calls method i of the interface value at the place of
// call.Value. Its func value is the code pointer in the method table, its first
// argument the data word.
func (c *compiler) compiledMethod(t *rtype.Type, i int, call *ssa.CallCommon, res []slot) func(fp frame, t *target) {
	x := c.slot(call.Value).off
	in := []slot{{x + 8, pointerType, repPtr}}
	for _, a := range call.Args {
		in = append(in, c.slotOf(a))
	}
	rt := t.Reflect()
	outs := slices.Collect(rt.Method(i).Type.Outs())
	if do := byRegisters(in, outs, res); do != nil {
		return func(fp frame, t *target) {
			do(fp, t.code)
			afterCompiled(head(fp))
		}
	}
	return func(fp frame, t *target) {
		if t.other.IsValid() {
			recv := reflect.NewAt(t.itab.Type().Reflect(), unsafe.Add(fp, x+8)).Elem()
			finish(fp, res, callFunc(t.other, append([]reflect.Value{recv}, values(fp, in[1:])...)))
			return
		}
		m := reflect.NewAt(rt, unsafe.Add(fp, x)).Elem().Method(i)
		finish(fp, res, callValue(m, fp, in[1:]))
	}
}

func wordOf(v any) uintptr { return uintptr((*iface)(unsafe.Pointer(&v)).data) }
