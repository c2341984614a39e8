//go:build (linux || darwin) && (amd64 || arm64)

package ssa

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

// liveness knows where the values that have a place are live. The uses of a
// value by the nodes of a tree are where the tree is evaluated.
type liveness struct {
	number  map[ssa.Value]int
	values  []ssa.Value
	def     []place           // by value number
	liveOut []bitset          // by block
	lastUse map[usekey]int    // last use in a block
	at      map[ssa.Value]int // fused values: where their tree is evaluated
}

type place struct{ block, index int }

type usekey struct{ value, block int }

// placed reports whether a value gets a place that it may share with a phi.
func (c *compiler) placed(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		return true
	case *ssa.Parameter:
		return c.outer == nil // else it may be in the place of a value of the caller
	case *ssa.Alloc, *ssa.Extract, *ssa.Range:
		return false
	case ssa.Instruction:
		if _, tuple := v.(ssa.Value).Type().(*types.Tuple); tuple {
			return false
		}
		return !c.fused(v.(ssa.Value))
	}
	return false
}

// liveness computes what coalesce asks.
func (c *compiler) liveness() *liveness {
	l := &liveness{number: map[ssa.Value]int{}, lastUse: map[usekey]int{}, at: map[ssa.Value]int{}}
	define := func(v ssa.Value, b, i int) {
		l.number[v] = len(l.values)
		l.values = append(l.values, v)
		l.def = append(l.def, place{b, i})
	}
	for _, p := range c.ssa.Params {
		if c.placed(p) {
			define(p, 0, -1)
		}
	}
	for _, b := range c.ssa.Blocks {
		for i, in := range b.Instrs {
			v, ok := in.(ssa.Value)
			if !ok || !c.placed(v) {
				continue
			}
			if _, phi := v.(*ssa.Phi); phi {
				i = -1
			}
			define(v, b.Index, i)
		}
	}
	words := (len(l.values) + 63) / 64
	n := len(c.ssa.Blocks)
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
	for _, b := range c.ssa.Blocks {
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			in := b.Instrs[i]
			at := i
			if v, ok := in.(ssa.Value); ok {
				if c.fused(v) {
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
			b := c.ssa.Blocks[i]
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

// evaluated gives the index at which the user of a fused value is evaluated.
func (l *liveness) evaluated(user ssa.Instruction, b *ssa.BasicBlock, from int) int {
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
func (l *liveness) liveAfter(v, block, i int) bool {
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

func (l *liveness) interfere(a, b int) bool {
	return l.liveAfter(a, l.def[b].block, l.def[b].index) || l.liveAfter(b, l.def[a].block, l.def[a].index)
}

// coalesce lets phis share places with what flows into them, where the values
// are never needed at the same time.
func (c *compiler) coalesce() {
	c.class = map[ssa.Value]ssa.Value{}
	phis := 0
	for _, b := range c.ssa.Blocks {
		for _, in := range b.Instrs {
			if _, ok := in.(*ssa.Phi); !ok {
				break
			}
			phis++
		}
	}
	if phis == 0 {
		return
	}
	l := c.liveness()
	members := map[ssa.Value][]int{} // by representative
	leader := func(v ssa.Value) ssa.Value {
		if r := c.class[v]; r != nil {
			return r
		}
		c.class[v] = v
		members[v] = []int{l.number[v]}
		return v
	}
	for _, b := range c.ssa.Blocks {
		for _, in := range b.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for _, e := range phi.Edges {
				if _, ok := l.number[e]; !ok || c.typ(e.Type()) != c.typ(phi.Type()) {
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
					c.class[l.values[m]] = p
				}
				members[p] = append(members[p], members[q]...)
				delete(members, q)
			}
		}
	}
}

func clash(l *liveness, ms, ns []int) bool {
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
