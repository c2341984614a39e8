//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// makeClosure makes a func value that has captured variables.
func (c *compiler) makeClosure(in *ssa.MakeClosure) {
	f := c.e.m.Function(in.Fn.(*ssa.Function))
	d := c.slot(in).Off
	form := f.CaptureForm()
	sig := c.e.types.Signature(c.e.m.FuncType(f.SSA))
	type binding struct {
		from slot
		to   uintptr
	}
	var bindings []binding
	for i, b := range in.Bindings {
		bindings = append(bindings, binding{c.slot(b), form.Offsets[i]})
	}
	c.emit(func(fp frame) {
		env := rtype.Alloc(form.Typ)
		for i := range bindings {
			b := &bindings[i]
			layout.Copy(b.from.Rep, b.from.Type, unsafe.Add(env, b.to), unsafe.Add(fp, b.from.Off))
		}
		*ref[unsafe.Pointer](fp, d) = unsafe.Pointer(sig.Closure(unsafe.Pointer(f), env))
	}, in.Pos())
}
