//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"runtime"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// A frame keeps what its slots have pointed to until the function returns.
// Code that asks for a garbage collection expects more: values that are not
// used any more are garbage. So runtime.GC first clears, in the frames of its
// goroutine, the slots of values that have no use behind the running op. What it
// needs to know is computed then, by compiling the function once more and
// listening, so that no other code pays for it.

// collect is runtime.GC.
func (e *Engine) collect() {
	if l := rtype.GetLocal(); l != nil {
		if th := threadOf(l); th.g.Load() == rtype.Goroutine() {
			th.alive(0, func(fp frame) {
				if h := head(fp); h.pc > 0 {
					h.stack.code.clearDead(fp)
				}
			})
		}
	}
	runtime.GC()
}

// uses knows which values of a function are used behind which op.
type uses struct {
	instrs  []ssa.Instruction // by the number of the op - 1
	slots   map[ssa.Value]slot
	liveOut map[*ssa.BasicBlock]map[ssa.Value]bool
	operand func(in ssa.Instruction) []ssa.Value
	keep    []slot
	always  map[ssa.Value]bool // what is read when a panic has been recovered
}

// clearDead clears the slots of a frame of the code.
func (c *code) clearDead(fp frame) {
	c.usesOnce.Do(func() { c.uses = c.findUses() })
	u := c.uses
	at := int(head(fp).pc) - 1
	if at >= len(u.instrs) || u.instrs[at] == nil {
		return
	}
	live := u.liveAt(u.instrs[at])
	var kept []run
	for _, s := range u.keep {
		kept = append(kept, run{s.off, s.off + s.typ.Size()})
	}
	for v, s := range u.slots {
		if live[v] || u.always[v] {
			kept = append(kept, run{s.off, s.off + s.typ.Size()})
		}
	}
	for v, s := range u.slots {
		if live[v] || u.always[v] || s.typ.PtrBytes() == 0 {
			continue
		}
		for off := s.off; off < s.off+s.typ.Size(); off += unsafe.Sizeof(fp) {
			if !within(kept, off) {
				*ref[unsafe.Pointer](fp, off) = nil
			}
		}
	}
}

func within(runs []run, off uintptr) bool {
	for _, r := range runs {
		if off >= r.from&^7 && off < r.to {
			return true
		}
	}
	return false
}

// findUses compiles the function again.
func (c *code) findUses() *uses {
	scratch := &code{fn: c.fn, id: c.id}
	scratch.analyze()
	comp := &compiler{e: c.fn.e, code: scratch, ssa: c.fn.ssa, listening: true}
	comp.compile()
	u := &uses{
		instrs:  comp.instrs,
		slots:   map[ssa.Value]slot{},
		liveOut: map[*ssa.BasicBlock]map[ssa.Value]bool{},
		keep:    c.fn.sig.results,
	}
	for v, s := range comp.slots {
		switch v.(type) {
		case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
			u.keep = append(u.keep, s)
		default:
			u.slots[v] = s
		}
	}
	u.operand = comp.evaluated
	u.flow(c.fn.ssa.Blocks)
	if b := c.fn.ssa.Recover; b != nil {
		u.always = u.backTo(b, 0, u.liveOut[b])
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
			if sub, ok := (*o).(ssa.Instruction); ok && (c.fused(*o) || c.isLocal(*o)) {
				visit(sub)
			}
		}
	}
	visit(in)
	return vs
}

// isLocal says whether a value is an address in the frame, which has no slot.
func (c *compiler) isLocal(v ssa.Value) bool {
	_, ok := c.slots[v]
	return !ok
}

// flow computes what is live at the end of each block.
func (u *uses) flow(blocks []*ssa.BasicBlock) {
	liveIn := map[*ssa.BasicBlock]map[ssa.Value]bool{}
	for _, b := range blocks {
		liveIn[b], u.liveOut[b] = map[ssa.Value]bool{}, map[ssa.Value]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(blocks) - 1; i >= 0; i-- {
			b := blocks[i]
			out := u.liveOut[b]
			for _, s := range b.Succs {
				for v := range liveIn[s] {
					out[v] = true
				}
				for _, in := range s.Instrs {
					phi, ok := in.(*ssa.Phi)
					if !ok {
						break
					}
					for k, p := range s.Preds {
						if p == b {
							out[phi.Edges[k]] = true
						}
					}
				}
			}
			before := u.backTo(b, 0, out)
			for v := range before {
				if !liveIn[b][v] {
					liveIn[b][v] = true
					changed = true
				}
			}
		}
	}
}

// backTo gives what is live before instruction i of a block, out being live at
// its end. Phis are set on the way into the block, before its first instruction.
func (u *uses) backTo(b *ssa.BasicBlock, i int, out map[ssa.Value]bool) map[ssa.Value]bool {
	live := make(map[ssa.Value]bool, len(out))
	for v := range out {
		live[v] = true
	}
	for k := len(b.Instrs) - 1; k >= i; k-- {
		in := b.Instrs[k]
		if v, ok := in.(ssa.Value); ok {
			delete(live, v)
		}
		if _, phi := in.(*ssa.Phi); phi {
			continue
		}
		for _, v := range u.operand(in) {
			live[v] = true
		}
	}
	return live
}

// liveAt gives what is live while an instruction runs. A call has passed its
// arguments on.
func (u *uses) liveAt(in ssa.Instruction) map[ssa.Value]bool {
	b := in.Block()
	for i, other := range b.Instrs {
		if other == in {
			if _, call := in.(*ssa.Call); call {
				i++
			}
			return u.backTo(b, i, u.liveOut[b])
		}
	}
	return nil
}
