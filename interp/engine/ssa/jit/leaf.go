package jit

import (
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// leaf returns the leaf form of a function: JIT-compiled code calls it without a frame, through a
// func value or as a method of an interface. It returns nil if the function cannot be a leaf. A
// leaf must not call other functions or have loops, and must change memory only after its last
// check.
func (l *lowering) leaf(fn *ssa.Function) (f *native.Func) {
	if !inlineFits(fn) || l.view.Function(fn).Code.Load() == nil {
		return nil
	}
	sub := newLowering(l.view, native.NewFunc())
	sub.callees = l.callees
	sub.nested = &nested{fn: fn, callee: true, leaf: true, blocks: map[*ssa.BasicBlock]int{}}
	defer func() {
		switch v := recover(); v.(type) {
		case nil:
		case cannotInline:
			f = nil
		default:
			panic(v)
		}
	}()
	sub.findLoops(fn)
	params := fn.Params
	if fn.Signature.Recv() != nil {
		if !sub.receiver(params[0]) {
			return nil
		}
		params = params[1:]
	}
	for i, v := range fn.FreeVars {
		words := nativeTypes[l.view.Rep(v.Type())]
		if len(words) != 1 {
			return nil
		}
		off := l.view.Function(fn).Binding(i)
		sub.f.Env = append(sub.f.Env, native.EnvWord{Reg: sub.fresh(v)[0], Off: int32(off)})
	}
	for _, p := range params {
		if _, ok := l.wordTypes(p.Type()); !ok {
			return nil
		}
		sub.f.Params = append(sub.f.Params, sub.fresh(p)...)
	}
	for r := range fn.Signature.Results().Variables() {
		words, ok := sub.structResult(r.Type())
		if !ok {
			return nil
		}
		sub.nested.results = append(sub.nested.results, words)
		sub.f.Results = append(sub.f.Results, words...)
	}
	if len(sub.f.Params) > maxCalleeWords || len(sub.f.Results) > maxCalleeWords {
		return nil
	}
	sub.f.Entries = []int{0}
	sub.calleeBlocks(fn)
	if sub.nested.gaveUp || !sub.returnsFrom(0) {
		return nil
	}
	l.keep = append(l.keep, sub.keep...)
	return sub.f
}

// receiver makes registers for the receiver of a leaf that is called through an interface.
func (l *lowering) receiver(p *ssa.Parameter) bool {
	r := l.view.Rep(p.Type())
	if r == layout.Pointer {
		l.f.Env = []native.EnvWord{{Reg: l.fresh(p)[0], Direct: true}}
		return true
	}
	all := l.parts(p.Type())
	if r != layout.Memory {
		off := int32(0)
		for _, t := range nativeTypes[r] {
			all = append(all, piece{t, off})
			off += int32(t.Size())
		}
	}
	if len(all) == 0 || len(all) == 1 && all[0].t == native.Pointer {
		return false // the interface may hold the receiver itself
	}
	for i, reg := range l.fresh(p) {
		l.f.Env = append(l.f.Env, native.EnvWord{Reg: reg, Off: all[i].off})
	}
	return true
}
