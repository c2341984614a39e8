package compile

import (
	"go/token"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// Most loops end by stepping a variable and comparing it: i++; i < n. The step and the comparison
// become one branch, a counter. If the loop is a single block, its branch iterates by itself
// (counter_gen.go).

// increment is the op i += k or i -= k for an int variable.
type increment struct {
	at  int // index of the op in its block
	off uintptr
	by  arg[int64]
}

// noteIncrement records the last op if it is an increment.
func (c *body) noteIncrement(d slot, v ssa.Value) {
	in, ok := v.(*ssa.BinOp)
	if !ok || d.Rep != layout.Int64 || in.Op != token.ADD && in.Op != token.SUB || !c.placedValue(in.Y) {
		return
	}
	if off, ok := c.placeOf(in.X); !ok || off != d.Off {
		return
	}
	by := argOf[int64](c, in.Y)
	if in.Op == token.SUB {
		if by.kind != isConst {
			return
		}
		by.k = -by.k
	}
	c.step = &increment{len(c.ops) - 1, d.Off, by}
}

// placeOf returns the frame offset of a number, or false if it is a constant or must be computed.
func (c *body) placeOf(v ssa.Value) (off uintptr, ok bool) {
	if c.fused(v) {
		return c.staticLoad(v)
	}
	if _, isConst := v.(*ssa.Const); isConst {
		return 0, false
	}
	return c.slot(v).Off, true
}

// placedValue reports whether a value is in the frame or a constant.
func (c *body) placedValue(v ssa.Value) bool {
	if !c.fused(v) {
		return true
	}
	_, ok := c.staticLoad(v)
	return ok
}

// ending describes the end of a block.
type ending struct {
	test    *comparison // set if the branch is a comparison
	counter *counter    // set if the branch is a counter
	step    *increment  // set if the last op is an increment
}

// end returns the description of the end of a block.
func (c *body) end(b *block) *ending {
	e := c.ends[b]
	if e == nil {
		e = &ending{}
		c.ends[b] = e
	}
	return e
}

// loops optimizes the ends of blocks.
func (c *body) loops() {
	for _, b := range c.blocks {
		c.count(b)
	}
	for _, b := range c.blocks {
		c.skip(b)
		c.count(b)
	}
	for _, b := range c.blocks {
		c.repeat(b)
	}
}

// skip handles a block that leads to a block without ops. The first block gets the end of the
// second block.
func (c *body) skip(b *block) {
	for range 4 {
		n := b.Next
		if n == nil || n == b || len(n.Ops) > 0 || len(n.Stops) > 0 || n.Next == nil && n.Branch == nil {
			return
		}
		b.Next, b.Branch, b.BranchPC = n.Next, n.Branch, n.BranchPC
		c.end(b).test, c.end(b).counter = c.end(n).test, c.end(n).counter
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

// count merges an increment at the end of a block with the comparison of the same variable that
// follows.
func (c *body) count(b *block) {
	end := c.end(b)
	s, t := end.step, end.test
	if s == nil || t == nil || t.rep != layout.Int64 || t.off != s.off {
		return
	}
	k := &counter{t.op, s.off, s.by, t.with, t.yes, t.no}
	if count := k.branch(); count != nil {
		b.Ops = b.Ops[:len(b.Ops)-1]
		b.Branch, end.counter, end.step, end.test = count, k, nil, nil
	}
}

// repeat handles a counter that leads back to its own block: the counter then runs the iterations
// itself.
func (c *body) repeat(b *block) {
	k := c.end(b).counter
	if k == nil || k.yes != b {
		return
	}
	b.Once = b.Branch
	switch len(b.Ops) {
	case 0:
	case 1:
		b.Branch = k.repeatOne(b.First+1, b.Ops[0])
	default:
		b.Branch = k.repeatAll(b.First, b.Ops)
	}
}
