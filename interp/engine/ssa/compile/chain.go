package compile

import (
	"go/token"
	"slices"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// comparison is the end of a block that compares an integer in the frame with a constant or with
// another integer in the frame.
type comparison struct {
	op      token.Token
	rep     rep
	off     uintptr
	with    arg[int64] // of type int64 unless it is a constant
	yes, no *block
}

// comparison returns the comparison that a condition makes, or nil if it makes none.
func (c *body) comparison(in *ssa.If, yes, no *block) *comparison {
	cmp, ok := in.Cond.(*ssa.BinOp)
	if !ok || !c.fused(cmp) || !c.placedValue(cmp.Y) {
		return nil
	}
	off, ok := c.placeOf(cmp.X)
	if !ok {
		return nil
	}
	to := &comparison{cmp.Op, c.repOf(cmp.X.Type()), off, arg[int64]{}, yes, no}
	if k, ok := cmp.Y.(*ssa.Const); ok && (to.rep == layout.Int32 || to.rep == layout.Int64 || to.rep == layout.Uint8) {
		to.with = arg[int64]{kind: isConst, k: k.Int64()}
		return to
	}
	if to.rep != layout.Int64 {
		return nil
	}
	to.with = argOf[int64](c, cmp.Y)
	return to
}

// chain merges a sequence of blocks that only compare the same value with constants. Switch
// statements compile to such sequences.
func (c *body) chain() {
	for _, b := range c.blocks {
		t := c.end(b).test
		if !t.isCase() {
			continue
		}
		row := []*comparison{t}
		for n := t.no; len(row) < 64 && len(n.Ops) == 0 && len(n.Stops) == 0; {
			u := c.end(n).test
			if !u.isCase() || u.off != t.off || u.rep != t.rep {
				break
			}
			row = append(row, u)
			n = u.no
		}
		if len(row) < 2 {
			continue
		}
		switch t.rep {
		case layout.Int32:
			b.Branch = compareAll[int32](t.off, row)
		case layout.Int64:
			b.Branch = compareAll[int64](t.off, row)
		case layout.Uint8:
			b.Branch = compareAll[uint8](t.off, row)
		}
	}
}

// isCase reports whether the comparison has the form of a case of a switch statement.
func (t *comparison) isCase() bool {
	return t != nil && t.op == token.EQL && t.with.kind == isConst
}

// denseCases is the maximum distance between the cases of a switch that compiles to one table
// lookup.
const denseCases = 256

func compareAll[T int32 | int64 | uint8](off uintptr, row []*comparison) branch {
	keys := make([]T, len(row))
	to := make([]*block, len(row))
	for i, t := range row {
		keys[i], to[i] = T(t.with.k), t.yes
	}
	last := row[len(row)-1].no
	least, most := slices.Min(keys), slices.Max(keys)
	if span := uint64(most) - uint64(least); len(keys) > 3 && span < denseCases {
		table := make([]*block, span+1)
		for i := range table {
			table[i] = last
		}
		for i, k := range slices.Backward(keys) { // the first of equal cases counts
			table[uint64(k)-uint64(least)] = to[i]
		}
		return func(fp frame) *block {
			if i := uint64(*ref[T](fp, off)) - uint64(least); i < uint64(len(table)) {
				return table[i]
			}
			return last
		}
	}
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
