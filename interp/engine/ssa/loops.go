//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Most loops end by stepping a variable and comparing it: i++; i < n. The two
// are one branch, a counter, and where the loop is a single block its branch
// makes the rounds itself (counter_gen.go).

// increment is the op i += k or i -= k for an int variable.
type increment struct {
	at  int // index of the op in its block
	off uintptr
	by  arg[int64]
}

// noteIncrement remembers the op that was emitted last if it is an increment.
func (c *compiler) noteIncrement(d slot, v ssa.Value) {
	in, ok := v.(*ssa.BinOp)
	if !ok || d.rep != repInt64 || in.Op != token.ADD && in.Op != token.SUB || c.fused(in.X) || c.fused(in.Y) {
		return
	}
	if _, isConst := in.X.(*ssa.Const); isConst || c.slot(in.X).off != d.off {
		return
	}
	by := argOf[int64](c, in.Y)
	if in.Op == token.SUB {
		if by.kind != isConst {
			return
		}
		by.k = -by.k
	}
	c.step = &increment{len(c.ops) - 1, d.off, by}
}

// loops makes the ends of blocks shorter.
func (c *compiler) loops() {
	for _, b := range c.blocks {
		b.count()
	}
	for _, b := range c.blocks {
		b.thread()
		b.count()
	}
	for _, b := range c.blocks {
		b.repeat()
	}
}

// thread lets a block that leads to a block without ops end as that one does.
func (b *block) thread() {
	for range 4 {
		n := b.next
		if n == nil || n == b || len(n.ops) > 0 || n.next == nil && n.branch == nil {
			return
		}
		b.next, b.branch, b.branchPC, b.test, b.counter = n.next, n.branch, n.branchPC, n.test, n.counter
	}
}

// counter is a branch that steps a variable and compares it.
type counter struct {
	op      token.Token
	off     uintptr
	by      arg[int64]
	with    arg[int64]
	yes, no *block
}

// count makes one step of an increment at the end of a block and the comparison
// of the variable behind it.
func (b *block) count() {
	s, t := b.step, b.test
	if s == nil || t == nil || t.rep != repInt64 || t.off != s.off {
		return
	}
	k := &counter{t.op, s.off, s.by, t.with, t.yes, t.no}
	if count := k.branch(); count != nil {
		b.ops = b.ops[:len(b.ops)-1]
		b.branch, b.counter, b.step, b.test = count, k, nil, nil
	}
}

// repeat lets a counter that leads back to its own block run the block.
func (b *block) repeat() {
	if b.counter == nil || b.counter.yes != b {
		return
	}
	switch len(b.ops) {
	case 0:
	case 1:
		b.branch = b.counter.repeatOne(b.first+1, b.ops[0])
	default:
		b.branch = b.counter.repeatAll(b.first, b.ops)
	}
}
