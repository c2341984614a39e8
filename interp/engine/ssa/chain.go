//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// equalTest is the end of a block that compares an integer in the frame with a
// constant.
type equalTest struct {
	off     uintptr
	rep     rep
	k       int64
	yes, no *block
}

// equalTest gives the test that a condition is; nil if it is another one.
func (c *compiler) equalTest(in *ssa.If, yes, no *block) *equalTest {
	cmp, ok := in.Cond.(*ssa.BinOp)
	if !ok || !c.fused(cmp) || cmp.Op != token.EQL || c.fused(cmp.X) {
		return nil
	}
	k, ok := cmp.Y.(*ssa.Const)
	if _, isConst := cmp.X.(*ssa.Const); !ok || isConst {
		return nil
	}
	switch r := c.repOf(cmp.X.Type()); r {
	case repInt32, repInt64, repUint8:
		return &equalTest{c.slot(cmp.X).off, r, k.Int64(), yes, no}
	}
	return nil
}

// chain makes one step of a row of blocks that do nothing but compare the same
// value with constants: what a switch statement compiles to.
func (c *compiler) chain() {
	for _, b := range c.blocks {
		t := b.test
		if t == nil {
			continue
		}
		row := []*equalTest{t}
		for n := t.no; len(row) < 64 && n.test != nil && len(n.ops) == 0 && n.test.off == t.off && n.test.rep == t.rep; n = n.test.no {
			row = append(row, n.test)
		}
		if len(row) < 2 {
			continue
		}
		switch t.rep {
		case repInt32:
			b.branch = compareAll[int32](t.off, row)
		case repInt64:
			b.branch = compareAll[int64](t.off, row)
		case repUint8:
			b.branch = compareAll[uint8](t.off, row)
		}
	}
}

func compareAll[T int32 | int64 | uint8](off uintptr, row []*equalTest) branch {
	keys := make([]T, len(row))
	to := make([]*block, len(row))
	for i, t := range row {
		keys[i], to[i] = T(t.k), t.yes
	}
	last := row[len(row)-1].no
	return func(fp frame) *block {
		v := *ref[T](fp, off)
		for i, k := range keys {
			if k == v {
				return to[i]
			}
		}
		return last
	}
}
