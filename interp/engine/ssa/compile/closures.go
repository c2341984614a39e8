package compile

import (
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// makeClosure compiles a func value with captured variables.
func (c *body) makeClosure(in *ssa.MakeClosure) {
	f := c.all.Machine.Function(in.Fn.(*ssa.Function))
	d := c.slot(in).Off
	form := f.CaptureForm()
	sig := c.all.Types.Signature(c.all.Machine.FuncType(f.SSA))
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
