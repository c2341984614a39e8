package compile

import (
	"go/token"
	"go/types"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// floatFunc reports whether a compiled function takes one or two float64 values and returns a
// float64, as most functions of package math do. Calls of such functions are trees.
func (c *body) floatFunc(fn *ssa.Function) bool {
	sig := fn.Signature
	n := sig.Params().Len()
	if sig.Recv() != nil || n < 1 || n > 2 || sig.Variadic() || sig.Results().Len() != 1 {
		return false
	}
	for _, t := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range t.Variables() {
			if v.Type() != types.Typ[types.Float64] {
				return false
			}
		}
	}
	return true
}

// compiledTree returns a call of such a function.
func (c *body) compiledTree(fn *ssa.Function, call *ssa.CallCommon, pos token.Pos) expr[float64] {
	f := layout.FuncWord(c.all.External(fn, pos))
	x := argOf[float64](c, call.Args[0])
	a, off := x.fn(), x.off
	if len(call.Args) == 2 {
		g := *(*func(float64, float64) float64)(unsafe.Pointer(&f))
		b := argOf[float64](c, call.Args[1]).fn()
		return func(fp frame) float64 { return g(a(fp), b(fp)) }
	}
	g := *(*func(float64) float64)(unsafe.Pointer(&f))
	if x.kind == inSlot {
		return func(fp frame) float64 { return g(*ref[float64](fp, off)) }
	}
	return func(fp frame) float64 { return g(a(fp)) }
}
