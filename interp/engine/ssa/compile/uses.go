package compile

import (
	"sync"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/live"
	"golang.org/x/tools/go/ssa"
)

// uses records which values of a function are used after which op.
type uses struct {
	instrs []ssa.Instruction // by the number of the op - 1
	places []holding
	flow   live.Flow
	keep   []slot
	always map[ssa.Value]bool // values read when a panic has been recovered

	mu   sync.Mutex
	dead map[int][]layout.Span // by the number of the op - 1
}

// holding is a frame slot that holds a value or a variable.
type holding struct {
	v ssa.Value
	s slot
}

// deadAt returns the words to clear while an op is running.
func (u *uses) deadAt(at int) []layout.Span {
	u.mu.Lock()
	defer u.mu.Unlock()
	runs, known := u.dead[at]
	if known || at >= len(u.instrs) || u.instrs[at] == nil {
		return runs
	}
	needed := u.flow.At(u.instrs[at])
	var kept []layout.Span
	for _, s := range u.keep {
		kept = append(kept, layout.Span{From: s.Off, To: s.Off + s.Type.Size()})
	}
	for _, h := range u.places {
		if needed[h.v] || u.always[h.v] {
			kept = append(kept, layout.Span{From: h.s.Off, To: h.s.Off + h.s.Type.Size()})
		}
	}
	for _, h := range u.places {
		if !needed[h.v] && !u.always[h.v] && h.s.Type.PtrBytes() != 0 {
			runs = append(runs, layout.Without([]layout.Span{{From: h.s.Off, To: h.s.Off + h.s.Type.Size()}}, kept)...)
		}
	}
	u.dead[at] = runs
	return runs
}

// FindDead returns a function that reports which words of a frame of the code are dead while an op
// is running. The argument of dead is the number of the op, minus 1. FindDead compiles the function
// again.
func (all *Compiler) FindDead(c *code) (dead func(at int) []layout.Span) {
	if c.Debug != nil {
		return func(int) []layout.Span { return nil } // a debugger may inspect all of it
	}
	comp := all.again(c)
	if comp == nil {
		return func(int) []layout.Span { return nil } // no slot is known to be dead
	}
	u := &uses{
		instrs: comp.instrs,
		flow:   live.Flow{Operands: comp.evaluated, Derived: map[ssa.Value][]ssa.Value{}},
		keep:   c.Fn.Sig.Results,
		dead:   map[int][]layout.Span{},
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
			if s.Type != nil {
				u.places = append(u.places, holding{v, s})
			}
		}
	}
	for v, off := range comp.local {
		s := slot{Off: off, Type: comp.typ(elemOf(v.Type()))}
		if addresses, ok := live.Derived(v, nil); ok {
			u.flow.Derived[v] = addresses
			u.places = append(u.places, holding{v, s})
		} else {
			u.keep = append(u.keep, s)
		}
	}
	u.flow.Solve(c.SSA.Blocks)
	if b := c.SSA.Recover; b != nil {
		u.always = u.flow.AtStart(b)
	}
	return u.deadAt
}

// evaluated returns the values that an instruction reads from the frame, including the values that
// its operand trees read.
func (c *body) evaluated(in ssa.Instruction) []ssa.Value {
	var vs []ssa.Value
	var visit func(in ssa.Instruction)
	visit = func(in ssa.Instruction) {
		for _, o := range in.Operands(nil) {
			if *o == nil {
				continue
			}
			vs = append(vs, *o)
			// An inlined call of a closure reads the captured variables.
			_, closure := (*o).(*ssa.MakeClosure)
			if sub, ok := (*o).(ssa.Instruction); ok && (c.fused(*o) || c.delayed[*o] || c.isLocal(*o) || closure) {
				visit(sub)
			}
		}
	}
	visit(in)
	return vs
}

// isLocal reports whether a value is the address of a frame slot, and has no slot itself.
func (c *body) isLocal(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr:
		_, ok := c.slots[v]
		return !ok
	}
	return false
}
