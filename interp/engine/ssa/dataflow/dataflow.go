// Package dataflow solves liveness problems on control-flow graphs: which values are needed later,
// at the start and at the end of each block. The op compiler solves them for go/ssa values, and the
// JIT compiler solves them for registers. Both number these values or registers.
package dataflow

import "math/bits"

// Set is a set of numbers.
type Set []uint64

// NewSet returns an empty set for numbers below n.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Sets returns count empty sets for numbers below n.
func Sets(count, n int) []Set {
	all := make([]Set, count)
	for i := range all {
		all[i] = NewSet(n)
	}
	return all
}

// Has reports whether i is in the set.
func (s Set) Has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// Add adds i.
func (s Set) Add(i int) { s[i/64] |= 1 << (i % 64) }

// Remove removes i.
func (s Set) Remove(i int) { s[i/64] &^= 1 << (i % 64) }

// RemoveAll removes the members of t.
func (s Set) RemoveAll(t Set) {
	for i, w := range t {
		s[i] &^= w
	}
}

// Union adds the members of t and reports whether s grew.
func (s Set) Union(t Set) bool {
	grew := false
	for i, w := range t {
		if w&^s[i] != 0 {
			s[i] |= w
			grew = true
		}
	}
	return grew
}

// Clone returns a copy.
func (s Set) Clone() Set { return append(Set(nil), s...) }

// All iterates over the members in ascending order.
func (s Set) All(yield func(int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(64*i + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// Live solves a liveness problem. It sets in[b] to the values live at the start of block b, and
// out[b] to the values live at its end. Live keeps the values that in and out already hold. For
// example, out can start with the values that phis of successors read. order lists the blocks,
// predecessors mostly before their successors; before turns the set live at the end of a block into
// the set live at its start, and must be monotone.
func Live(order []int, successors func(block int) []int, in, out []Set, before func(block int, live Set)) {
	for changed := true; changed; {
		changed = false
		for k := len(order) - 1; k >= 0; k-- {
			b := order[k]
			for _, s := range successors(b) {
				out[b].Union(in[s])
			}
			live := out[b].Clone()
			before(b, live)
			changed = in[b].Union(live) || changed
		}
	}
}
