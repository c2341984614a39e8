package ssa

import (
	"fmt"
	"go/types"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"golang.org/x/tools/go/ssa"
)

// JIT implements engine.JIT.
func (e *Engine) JIT() (engine.JITMode, []engine.JITFunction, error) {
	if e.noJIT != nil {
		return engine.JITOff, nil, fmt.Errorf("%w: %w", engine.ErrNoJIT, e.noJIT)
	}
	return engine.JITMode(e.m.Native()), e.m.NativeFunctions(), nil
}

// SetJIT implements engine.JIT.
func (e *Engine) SetJIT(mode engine.JITMode) error { return e.m.SwitchNative(machine.NativeMode(mode)) }

// SwitchJIT implements engine.JIT.
func (e *Engine) SwitchJIT(name string, on bool) bool { return e.m.SwitchFunction(name, on) }

// ExplainJIT implements engine.JIT.
func (e *Engine) ExplainJIT(name string, f *types.Func) []engine.JITFunction {
	var fn *ssa.Function
	if f != nil && f.Signature().TypeParams().Len() == 0 && f.Signature().RecvTypeParams().Len() == 0 {
		if fn = e.funcValue(f); fn != nil {
			e.complete(fn)
		}
		if fn != nil && len(fn.Blocks) == 0 {
			fn = nil // it is compiled Go
		}
	}
	return e.m.ExplainNative(name, fn)
}
