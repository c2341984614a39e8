package live

import (
	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/dataflow"
)

// Flow computes which values are live at each instruction of a function.
type Flow struct {
	// Operands returns the values that an instruction reads, including the values that its fused
	// operands read.
	Operands func(ssa.Instruction) []ssa.Value
	// Derived maps each variable of the frame to the addresses that point into it. A variable is
	// live while one of its addresses is live.
	Derived map[ssa.Value][]ssa.Value

	number map[ssa.Value]int
	values []ssa.Value
	out    []dataflow.Set // what is live at the end of each block
}

// Derived returns the addresses that are computed from the address of a variable in the frame. It
// returns false if one of them escapes.
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

// Solve computes the values that are live at the end of each block. Call it before At, AtStart and
// AtEnd.
func (f *Flow) Solve(blocks []*ssa.BasicBlock) {
	f.number, f.values = map[ssa.Value]int{}, nil
	add := func(v ssa.Value) {
		if _, known := f.number[v]; !known {
			f.number[v] = len(f.values)
			f.values = append(f.values, v)
		}
	}
	order := make([]int, len(blocks))
	for i, b := range blocks {
		order[i] = i
		for _, in := range b.Instrs {
			if phi, ok := in.(*ssa.Phi); ok {
				for _, e := range phi.Edges {
					add(e)
				}
				continue
			}
			for _, v := range f.Operands(in) {
				add(v)
			}
		}
	}
	f.out = dataflow.Sets(len(blocks), len(f.values))
	for _, b := range blocks {
		for _, in := range b.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for k, p := range b.Preds {
				f.out[p.Index].Add(f.number[phi.Edges[k]])
			}
		}
	}
	successors := func(i int) []int {
		next := make([]int, len(blocks[i].Succs))
		for k, s := range blocks[i].Succs {
			next[k] = s.Index
		}
		return next
	}
	in := dataflow.Sets(len(blocks), len(f.values))
	dataflow.Live(order, successors, in, f.out, func(i int, live dataflow.Set) { f.backTo(blocks[i], 0, live) })
}

// backTo turns the set live at the end of a block into the set live before the block's i-th
// instruction. Phis are set on the edges into the block, before its first instruction.
func (f *Flow) backTo(b *ssa.BasicBlock, i int, live dataflow.Set) {
	for k := len(b.Instrs) - 1; k >= i; k-- {
		in := b.Instrs[k]
		if v, ok := in.(ssa.Value); ok {
			if n, known := f.number[v]; known {
				live.Remove(n)
			}
		}
		if _, phi := in.(*ssa.Phi); phi {
			continue
		}
		for _, v := range f.Operands(in) {
			live.Add(f.number[v])
		}
	}
}

// At returns the values that are live while an instruction runs. The arguments of a call are not
// live while the call runs, because the callee already has copies of them.
func (f *Flow) At(in ssa.Instruction) map[ssa.Value]bool {
	b := in.Block()
	for i, other := range b.Instrs {
		if other == in {
			if _, call := in.(*ssa.Call); call {
				i++
			}
			return f.before(b, i)
		}
	}
	return nil
}

// AtStart returns the values that are live when a block begins.
func (f *Flow) AtStart(b *ssa.BasicBlock) map[ssa.Value]bool { return f.before(b, 0) }

// before returns the values that are live before the i-th instruction of a block, and the variables
// to which live addresses point.
func (f *Flow) before(b *ssa.BasicBlock, i int) map[ssa.Value]bool {
	live := f.out[b.Index].Clone()
	f.backTo(b, i, live)
	all := f.set(live)
	for v, addresses := range f.Derived {
		for _, a := range addresses {
			if all[a] {
				all[v] = true
			}
		}
	}
	return all
}

// AtEnd returns the values that are live when a block ends.
func (f *Flow) AtEnd(b *ssa.BasicBlock) map[ssa.Value]bool { return f.set(f.out[b.Index]) }

// set returns the values whose numbers are in a set.
func (f *Flow) set(numbers dataflow.Set) map[ssa.Value]bool {
	all := map[ssa.Value]bool{}
	for n := range numbers.All {
		all[f.values[n]] = true
	}
	return all
}
