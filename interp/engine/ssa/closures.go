//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// makeClosure makes a func value that has captured variables.
func (c *compiler) makeClosure(in *ssa.MakeClosure) {
	f := c.e.function(in.Fn.(*ssa.Function))
	d := c.slot(in).off
	form := f.captureForm()
	sig := c.e.types.Signature(c.e.funcType(f.ssa))
	type binding struct {
		from slot
		to   uintptr
	}
	var bindings []binding
	for i, b := range in.Bindings {
		bindings = append(bindings, binding{c.slot(b), form.offsets[i]})
	}
	c.emit(func(fp frame) {
		env := rtype.Alloc(form.typ)
		for i := range bindings {
			b := &bindings[i]
			copyValue(b.from.rep, b.from.typ, unsafe.Add(env, b.to), unsafe.Add(fp, b.from.off))
		}
		*ref[unsafe.Pointer](fp, d) = unsafe.Pointer(sig.Closure(unsafe.Pointer(f), env))
	}, in.Pos())
}
