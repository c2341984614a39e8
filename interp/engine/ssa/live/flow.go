package live

import "golang.org/x/tools/go/ssa"

// Flow knows what is needed at each instruction of a function.
type Flow struct {
	// Operands gives the values that an instruction reads, those of the trees that
	// are its operands among them.
	Operands func(ssa.Instruction) []ssa.Value
	// Derived has the addresses into each variable of the frame: while one of them
	// is needed, the variable is.
	Derived map[ssa.Value][]ssa.Value

	liveOut map[*ssa.BasicBlock]map[ssa.Value]bool
}

// Derived returns the addresses that are computed from the address of a variable
// in the frame; false if they go where they cannot be followed.
func Derived(v ssa.Value, to []ssa.Value) ([]ssa.Value, bool) {
	ok := true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
			sub := r.(ssa.Value)
			if to, ok = Derived(sub, append(to, sub)); !ok {
				return nil, false
			}
		case *ssa.Store:
			if r.Val == v {
				return nil, false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Call:
			if _, builtin := r.Call.Value.(*ssa.Builtin); !builtin {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return to, true
}

// Solve computes what is live at the end of each block. It comes before the
// questions.
func (f *Flow) Solve(blocks []*ssa.BasicBlock) {
	f.liveOut = map[*ssa.BasicBlock]map[ssa.Value]bool{}
	liveIn := map[*ssa.BasicBlock]map[ssa.Value]bool{}
	for _, b := range blocks {
		liveIn[b], f.liveOut[b] = map[ssa.Value]bool{}, map[ssa.Value]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(blocks) - 1; i >= 0; i-- {
			b := blocks[i]
			out := f.liveOut[b]
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
			before := f.backTo(b, 0, out)
			for v := range before {
				if !liveIn[b][v] {
					liveIn[b][v] = true
					changed = true
				}
			}
		}
	}
}

// backTo returns what is live before instruction i of a block, out being live at
// its end. Phis are set on the way into the block, before its first instruction.
func (f *Flow) backTo(b *ssa.BasicBlock, i int, out map[ssa.Value]bool) map[ssa.Value]bool {
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
		for _, v := range f.Operands(in) {
			live[v] = true
		}
	}
	return live
}

// At returns what is live while an instruction runs. A call has passed its
// arguments on.
func (f *Flow) At(in ssa.Instruction) map[ssa.Value]bool {
	b := in.Block()
	for i, other := range b.Instrs {
		if other == in {
			if _, call := in.(*ssa.Call); call {
				i++
			}
			return f.withVariables(f.backTo(b, i, f.liveOut[b]))
		}
	}
	return nil
}

// AtStart returns what is live when a block begins.
func (f *Flow) AtStart(b *ssa.BasicBlock) map[ssa.Value]bool {
	return f.withVariables(f.backTo(b, 0, f.liveOut[b]))
}

// withVariables adds the variables that live addresses point to.
func (f *Flow) withVariables(live map[ssa.Value]bool) map[ssa.Value]bool {
	for v, addresses := range f.Derived {
		for _, a := range addresses {
			if live[a] {
				live[v] = true
			}
		}
	}
	return live
}

// AtEnd returns what is live when a block ends.
func (f *Flow) AtEnd(b *ssa.BasicBlock) map[ssa.Value]bool { return f.liveOut[b] }
