package live

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/dataflow"
)

// Plan holds the compiler's decisions about values.
type Plan struct {
	// Placed reports whether a value gets a frame slot that it can share with a phi.
	Placed func(ssa.Value) bool
	// Fused reports whether a value is computed by the op of its only user.
	Fused func(ssa.Value) bool
	// Alike reports whether values of two types can have the same frame slot.
	Alike func(a, b types.Type) bool
}

// Ranges holds the places at which the values that have a frame slot are needed. A fused
// instruction uses its operands at the place of its op.
type Ranges struct {
	number  map[ssa.Value]int
	values  []ssa.Value
	def     []place           // definitions by value number
	liveOut []dataflow.Set    // live values by block
	lastUse map[usekey]int    // last use in a block
	at      map[ssa.Value]int // position of the op that computes a fused value
}

type place struct{ block, index int }

type usekey struct{ value, block int }

// Find computes the places at which the values of a function are needed.
func Find(fn *ssa.Function, plan *Plan) *Ranges {
	l := &Ranges{number: map[ssa.Value]int{}, lastUse: map[usekey]int{}, at: map[ssa.Value]int{}}
	define := func(v ssa.Value, b, i int) {
		l.number[v] = len(l.values)
		l.values = append(l.values, v)
		l.def = append(l.def, place{b, i})
	}
	for _, p := range fn.Params {
		if plan.Placed(p) {
			define(p, 0, -1)
		}
	}
	for _, b := range fn.Blocks {
		for i, in := range b.Instrs {
			v, ok := in.(ssa.Value)
			if !ok || !plan.Placed(v) {
				continue
			}
			if _, phi := v.(*ssa.Phi); phi {
				i = -1
			}
			define(v, b.Index, i)
		}
	}
	n := len(fn.Blocks)
	l.liveOut = dataflow.Sets(n, len(l.values))
	liveIn, defs := dataflow.Sets(n, len(l.values)), dataflow.Sets(n, len(l.values))
	for i, d := range l.def {
		defs[d.block].Add(i)
	}
	var operands [16]*ssa.Value
	for _, b := range fn.Blocks {
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			in := b.Instrs[i]
			at := i
			if v, ok := in.(ssa.Value); ok {
				if plan.Fused(v) {
					at = l.evaluated((*v.Referrers())[0], b, i)
					l.at[v] = at
				}
			}
			if phi, ok := in.(*ssa.Phi); ok {
				for k, e := range phi.Edges {
					if num, ok := l.number[e]; ok {
						l.liveOut[b.Preds[k].Index].Add(num)
					}
				}
				continue
			}
			for _, o := range in.Operands(operands[:0]) {
				if *o == nil {
					continue
				}
				num, ok := l.number[*o]
				if !ok {
					continue
				}
				k := usekey{num, b.Index}
				if old, seen := l.lastUse[k]; !seen || at > old {
					l.lastUse[k] = at
				}
				if l.def[num].block != b.Index {
					liveIn[b.Index].Add(num)
				}
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	successors := func(i int) []int {
		next := make([]int, len(fn.Blocks[i].Succs))
		for k, s := range fn.Blocks[i].Succs {
			next[k] = s.Index
		}
		return next
	}
	dataflow.Live(order, successors, liveIn, l.liveOut, func(i int, live dataflow.Set) { live.RemoveAll(defs[i]) })
	return l
}

// evaluated returns the index of the instruction at which the user of a fused value is evaluated.
func (l *Ranges) evaluated(user ssa.Instruction, b *ssa.BasicBlock, from int) int {
	if v, ok := user.(ssa.Value); ok {
		if at, ok := l.at[v]; ok {
			return at
		}
	}
	for i := from + 1; i < len(b.Instrs); i++ {
		if b.Instrs[i] == user {
			return i
		}
	}
	return len(b.Instrs)
}

// liveAfter reports whether v holds a value that is needed after index i of a block.
func (l *Ranges) liveAfter(v, block, i int) bool {
	d := l.def[v]
	if d.block == block && d.index > i {
		return false
	}
	if l.liveOut[block].Has(v) {
		return true
	}
	last, used := l.lastUse[usekey{v, block}]
	return used && last > i
}

// interfere reports whether two values are needed at the same time.
func (l *Ranges) interfere(a, b int) bool {
	return l.liveAfter(a, l.def[b].block, l.def[b].index) || l.liveAfter(b, l.def[a].block, l.def[a].index)
}

// Clash returns two of the values that are needed at the same time, if there are any.
// Values without a frame slot of their own never clash.
func (l *Ranges) Clash(values []ssa.Value) (a, b ssa.Value, clash bool) {
	for i, v := range values {
		m, ok := l.number[v]
		if !ok {
			continue
		}
		for _, w := range values[:i] {
			if n, ok := l.number[w]; ok && l.interfere(m, n) {
				return w, v, true
			}
		}
	}
	return nil, nil, false
}

// Share coalesces phis with operands that are never needed at the same time as the phi. It returns
// the representative of each value that shares its frame slot, or nil if the function has no phis.
func Share(fn *ssa.Function, plan *Plan) map[ssa.Value]ssa.Value {
	phis := 0
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if _, ok := in.(*ssa.Phi); !ok {
				break
			}
			phis++
		}
	}
	if phis == 0 {
		return nil
	}
	l := Find(fn, plan)
	class := map[ssa.Value]ssa.Value{}
	members := map[ssa.Value][]int{} // by representative
	leader := func(v ssa.Value) ssa.Value {
		if r := class[v]; r != nil {
			return r
		}
		class[v] = v
		members[v] = []int{l.number[v]}
		return v
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for _, e := range phi.Edges {
				if _, ok := l.number[e]; !ok || !plan.Alike(e.Type(), phi.Type()) {
					continue
				}
				p, q := leader(phi), leader(e)
				if p == q || clash(l, members[p], members[q]) {
					continue
				}
				if _, isParam := q.(*ssa.Parameter); isParam {
					p, q = q, p // a parameter's slot is fixed
				}
				for _, m := range members[q] {
					class[l.values[m]] = p
				}
				members[p] = append(members[p], members[q]...)
				delete(members, q)
			}
		}
	}
	return class
}

// clash reports whether a value of one class is needed at the same time as a value of the
// other. Large classes are assumed to clash.
func clash(l *Ranges, ms, ns []int) bool {
	if len(ms)*len(ns) > 4096 {
		return true
	}
	for _, m := range ms {
		for _, n := range ns {
			if l.interfere(m, n) {
				return true
			}
		}
	}
	return false
}

// AtEnd returns the values that are needed after a block.
func (l *Ranges) AtEnd(b *ssa.BasicBlock) []ssa.Value {
	var all []ssa.Value
	for i, v := range l.values {
		if l.liveOut[b.Index].Has(i) {
			all = append(all, v)
		}
	}
	return all
}
