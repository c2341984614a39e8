//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/live"
)

// A frame keeps what its slots have pointed to until the function returns.
// Code that asks for a garbage collection expects more: values that are not
// used any more are garbage. So runtime.GC first has the slots cleared, in the
// frames of all goroutines, whose values have no use behind the running op. What
// it needs to know is computed then, by compiling the function once more and
// listening, so that no other code pays for it.

// tidyTime bounds the wait of runtime.GC for the other goroutines: one that is
// in a compiled call does not answer.
const tidyTime = 10 * time.Millisecond

// collect is runtime.GC.
func (e *Engine) collect() {
	self := e.thread()
	if self != nil {
		self.clearDead(self.depth)
	}
	e.tidy(self)
	runtime.GC()
}

// tidy has dead slots cleared in the frames of all goroutines but one: here
// where a goroutine is waiting, by itself where it is running.
func (e *Engine) tidy(but *thread) {
	var asked []*thread
	for _, th := range e.threads() {
		if th == but || th.inspect(func() { th.clearDead(th.depth) }) {
			continue
		}
		if th.askTidy() {
			asked = append(asked, th)
		}
	}
	deadline := time.Now().Add(tidyTime)
	for _, th := range asked {
		for th.untidy.Load() && time.Now().Before(deadline) {
			time.Sleep(20 * time.Microsecond)
		}
	}
}

// askTidy asks a running thread to clear its dead slots. It reports whether an
// answer may come soon: not when an earlier request has not been answered.
func (th *thread) askTidy() bool {
	if th.untidy.Swap(true) {
		return false
	}
	th.run.mu.Lock()
	defer th.run.mu.Unlock()
	th.bound.Store(-1)
	return true
}

// answerTidy clears dead slots if somebody has asked for it. The number of the
// innermost frame's op is not known at the end of a block, so that it is left.
func (th *thread) answerTidy() {
	if !th.untidy.Load() {
		return
	}
	if th.failed == nil {
		th.resetBound()
	}
	th.clearDead(th.depth - 1)
	th.untidy.Store(false)
}

// clearDead clears the dead slots of the frames up to a depth, which are at
// calls or waiting.
func (th *thread) clearDead(depth int32) {
	th.alive(0, func(fp frame) {
		if h := head(fp); h.pc > 0 && h.depth <= depth {
			h.stack.code.clearDead(fp)
		}
	})
}

// uses knows which values of a function are used behind which op.
type uses struct {
	instrs []ssa.Instruction // by the number of the op - 1
	places []holding
	flow   live.Flow
	keep   []slot
	always map[ssa.Value]bool // what is read when a panic has been recovered

	mu   sync.Mutex
	dead map[int][]run // by the number of the op - 1
}

// holding is a place that has a value, or a variable.
type holding struct {
	v ssa.Value
	s slot
}

// clearDead clears the slots of a frame of the code.
func (c *code) clearDead(fp frame) {
	c.usesOnce.Do(func() { c.uses = c.findUses() })
	clearRuns(fp, c.uses.deadAt(int(head(fp).pc)-1))
}

// deadAt gives the words to clear while an op is running.
func (u *uses) deadAt(at int) []run {
	u.mu.Lock()
	defer u.mu.Unlock()
	runs, known := u.dead[at]
	if known || at >= len(u.instrs) || u.instrs[at] == nil {
		return runs
	}
	needed := u.flow.At(u.instrs[at])
	var kept []run
	for _, s := range u.keep {
		kept = append(kept, run{s.off, s.off + s.typ.Size()})
	}
	for _, h := range u.places {
		if needed[h.v] || u.always[h.v] {
			kept = append(kept, run{h.s.off, h.s.off + h.s.typ.Size()})
		}
	}
	for _, h := range u.places {
		if !needed[h.v] && !u.always[h.v] && h.s.typ.PtrBytes() != 0 {
			runs = append(runs, without([]run{{h.s.off, h.s.off + h.s.typ.Size()}}, kept)...)
		}
	}
	u.dead[at] = runs
	return runs
}

// without gives the words of runs that are not in others.
func without(runs, others []run) []run {
	const word = unsafe.Sizeof(uintptr(0))
	var left []run
	for _, r := range runs {
		for off := r.from; off < r.to; off += word {
			if slices.ContainsFunc(others, func(o run) bool { return off >= o.from&^(word-1) && off < o.to }) {
				continue
			}
			if n := len(left); n > 0 && left[n-1].to == off {
				left[n-1].to += word
			} else {
				left = append(left, run{off, off + word})
			}
		}
	}
	return left
}

// findUses compiles the function again.
func (c *code) findUses() *uses {
	scratch := &code{fn: c.fn, id: c.id, inlines: c.inlines}
	scratch.analyze()
	comp := &compiler{e: c.fn.e, code: scratch, ssa: c.fn.ssa, listening: true, delayed: map[ssa.Value]bool{}}
	comp.compile()
	u := &uses{
		instrs: comp.instrs,
		flow:   live.Flow{Operands: comp.evaluated, Derived: map[ssa.Value][]ssa.Value{}},
		keep:   c.fn.sig.results,
		dead:   map[int][]run{},
	}
	for v, s := range comp.slots {
		switch v.(type) {
		case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
			u.keep = append(u.keep, s)
		default:
			u.places = append(u.places, holding{v, s})
		}
	}
	for v, parts := range comp.tuples {
		for _, s := range parts {
			if s.typ != nil {
				u.places = append(u.places, holding{v, s})
			}
		}
	}
	for v, off := range comp.local {
		s := slot{off: off, typ: comp.typ(elemOf(v.Type()))}
		if addresses, ok := live.Derived(v, nil); ok {
			u.flow.Derived[v] = addresses
			u.places = append(u.places, holding{v, s})
		} else {
			u.keep = append(u.keep, s)
		}
	}
	u.flow.Solve(c.fn.ssa.Blocks)
	if b := c.fn.ssa.Recover; b != nil {
		u.always = u.flow.AtStart(b)
	}
	return u
}

// evaluated gives the values that an instruction reads from the frame, those
// of the trees that are its operands among them.
func (c *compiler) evaluated(in ssa.Instruction) []ssa.Value {
	var vs []ssa.Value
	var visit func(in ssa.Instruction)
	visit = func(in ssa.Instruction) {
		for _, o := range in.Operands(nil) {
			if *o == nil {
				continue
			}
			vs = append(vs, *o)
			// An inlined call of a closure reads what that has captured.
			_, closure := (*o).(*ssa.MakeClosure)
			if sub, ok := (*o).(ssa.Instruction); ok && (c.fused(*o) || c.delayed[*o] || c.isLocal(*o) || closure) {
				visit(sub)
			}
		}
	}
	visit(in)
	return vs
}

// isLocal reports whether a value is an address in the frame, which has no slot.
func (c *compiler) isLocal(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr:
		_, ok := c.slots[v]
		return !ok
	}
	return false
}
