package compile

import (
	"go/token"
	"reflect"
	"slices"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/outcall"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// funcWord returns the pointer word of a function's func value.
func (all *Compiler) funcWord(fn *ssa.Function) unsafe.Pointer {
	if fn.Blocks == nil {
		return layout.FuncWord(all.External(fn, fn.Pos()))
	}
	return unsafe.Pointer(all.Machine.Function(fn).Value())
}

// callExternal calls a known compiled function.
func (c *body) callExternal(fn *ssa.Function, call *ssa.CallCommon, res []slot, pos token.Pos) op {
	v := c.all.External(fn, pos)
	f := layout.FuncWord(v)
	do := c.calling(rtype.TypeOf(v.Type()), call.Args, res)
	return func(fp frame) {
		do(fp, f)
		machine.AfterCompiled(head(fp))
	}
}

// compiledCall calls a compiled func value of type t.
func (c *body) compiledCall(t *rtype.Type, args []ssa.Value, res []slot) outcall.Func {
	do := c.calling(t, args, res)
	return func(fp frame, f unsafe.Pointer) {
		do(fp, f)
		machine.AfterCompiled(head(fp))
	}
}

// calling is like compiledCall, but the caller must call machine.AfterCompiled afterwards.
func (c *body) calling(t *rtype.Type, args []ssa.Value, res []slot) outcall.Func {
	var in []slot
	for _, a := range args {
		in = append(in, c.slotOf(a))
	}
	return outcall.Call(t.Reflect(), in, res)
}

// compiledMethod calls method i of the interface value in the slot of call.Value. Its func value is
// the code pointer in the method table, and its first argument is the data word.
func (c *body) compiledMethod(t *rtype.Type, i int, call *ssa.CallCommon, res []slot) func(fp frame, t *target) {
	x := c.slot(call.Value).Off
	in := []slot{{Off: x + 8, Type: layout.PointerType, Rep: layout.Pointer}}
	for _, a := range call.Args {
		in = append(in, c.slotOf(a))
	}
	rt := t.Reflect()
	outs := slices.Collect(rt.Method(i).Type.Outs())
	if do := outcall.ByRegisters(in, outs, res); do != nil {
		return func(fp frame, t *target) {
			do(fp, t.code)
			machine.AfterCompiled(head(fp))
		}
	}
	return func(fp frame, t *target) {
		if t.other.IsValid() {
			recv := reflect.NewAt(t.itab.Type().Reflect(), unsafe.Add(fp, x+8)).Elem()
			outcall.ByReflect(t.other, fp, in[1:], res, recv)
		} else {
			outcall.ByReflect(reflect.NewAt(rt, unsafe.Add(fp, x)).Elem().Method(i), fp, in[1:], res)
		}
		machine.AfterCompiled(head(fp))
	}
}
