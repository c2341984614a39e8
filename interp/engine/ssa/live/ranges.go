package live

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// bitset is a set of value numbers.
type bitset []uint64

func (s bitset) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s bitset) add(i int)      { s[i/64] |= 1 << (i % 64) }

// union adds t to s and reports whether s grew.
func (s bitset) union(t bitset) bool {
	grew := false
	for i, w := range t {
		if w&^s[i] != 0 {
			s[i] |= w
			grew = true
		}
	}
	return grew
}

// Plan is what the compiler has decided about values, and what it asks for.
type Plan struct {
	// Placed reports whether a value gets a place that it may share with a phi.
	Placed func(ssa.Value) bool
	// Fused reports whether a value is computed where its only user is.
	Fused func(ssa.Value) bool
	// Alike reports whether values of two types can have the same place.
	Alike func(a, b types.Type) bool
}

// Ranges knows where the values that have a place are needed. The uses of a
// value by the nodes of a tree are where the tree is evaluated.
type Ranges struct {
	number  map[ssa.Value]int
	values  []ssa.Value
	def     []place           // by value number
	liveOut []bitset          // by block
	lastUse map[usekey]int    // last use in a block
	at      map[ssa.Value]int // fused values: where their tree is evaluated
}

type place struct{ block, index int }

type usekey struct{ value, block int }

// Find computes where the values of a function are needed.
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
	words := (len(l.values) + 63) / 64
	n := len(fn.Blocks)
	l.liveOut = make([]bitset, n)
	liveIn := make([]bitset, n)
	defs := make([]bitset, n)
	for i := range n {
		l.liveOut[i], liveIn[i], defs[i] = make(bitset, words), make(bitset, words), make(bitset, words)
	}
	for i, d := range l.def {
		defs[d.block].add(i)
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
						l.liveOut[b.Preds[k].Index].add(num)
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
					liveIn[b.Index].add(num)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			b := fn.Blocks[i]
			for _, s := range b.Succs {
				l.liveOut[i].union(liveIn[s.Index])
			}
			for w, out := range l.liveOut[i] {
				if in := out &^ defs[i][w]; in&^liveIn[i][w] != 0 {
					liveIn[i][w] |= in
					changed = true
				}
			}
		}
	}
	return l
}

// evaluated returns the index at which the user of a fused value is evaluated.
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

// liveAfter reports whether v holds a value that is needed behind index i of a
// block.
func (l *Ranges) liveAfter(v, block, i int) bool {
	d := l.def[v]
	if d.block == block && d.index > i {
		return false
	}
	if l.liveOut[block].has(v) {
		return true
	}
	last, used := l.lastUse[usekey{v, block}]
	return used && last > i
}

// interfere reports whether two values are needed at the same time.
func (l *Ranges) interfere(a, b int) bool {
	return l.liveAfter(a, l.def[b].block, l.def[b].index) || l.liveAfter(b, l.def[a].block, l.def[a].index)
}

// Clash returns two values of those that are needed at the same time, if there are
// any. Those that have no place of their own clash with nothing.
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

// Share lets phis share places with what flows into them, where the values are
// never needed at the same time. It gives the representative of each value that
// shares its place; nil where the function has no phis.
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
					p, q = q, p // a parameter's place is fixed
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

// clash reports whether a value of one class is needed at the same time as one of
// another. Large classes are taken to clash.
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

// AtEnd returns the values that are needed behind a block.
func (l *Ranges) AtEnd(b *ssa.BasicBlock) []ssa.Value {
	var all []ssa.Value
	for i, v := range l.values {
		if l.liveOut[b.Index].has(i) {
			all = append(all, v)
		}
	}
	return all
}
