package compile

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/live"
)

// Check makes the compiler check its output: it panics if an invariant of a compiled function does
// not hold.
func (all *Compiler) Check() {
	all.inspect = func(c *body) {
		if err := c.check(); err != nil {
			panic(fmt.Sprintf("ssa: %s is compiled wrong: %v\n%s", c.ssa, err, c.dump()))
		}
	}
}

// check returns an error if an invariant of a compiled function does not hold.
func (c *body) check() error {
	for _, check := range []func() error{c.checkPlaces, c.l.CheckClears, c.checkSharing, c.checkFlow, c.checkBlocks} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// places returns the frame slots of values, parameters, results and variables.
func (c *body) places() []holding {
	var all []holding
	for v, s := range c.slots {
		all = append(all, holding{v, s})
	}
	for v, parts := range c.tuples {
		for _, s := range parts {
			if s.Type != nil {
				all = append(all, holding{v, s})
			}
		}
	}
	for v, off := range c.local {
		if _, variable := v.(*ssa.Alloc); !variable {
			continue // an address inside another slot
		}
		all = append(all, holding{v, slot{Off: off, Type: c.typ(elemOf(v.Type()))}})
	}
	for _, s := range c.returns {
		all = append(all, holding{nil, s})
	}
	return all
}

// checkPlaces checks that each slot is in the frame and that the frame's pointer bitmap marks the
// slot's pointers.
func (c *body) checkPlaces() error {
	for _, h := range c.places() {
		if h.s.Type.Size() == 0 {
			continue
		}
		if err := c.l.Check(h.s); err != nil {
			return fmt.Errorf("%s: %w", nameOf(h.v), err)
		}
	}
	return nil
}

// checkSharing checks that values whose slots overlap have the same slot and are never live at the
// same time.
func (c *body) checkSharing() error {
	all := c.places()
	at := map[uintptr][]holding{}
	for _, h := range all {
		at[h.s.Off] = append(at[h.s.Off], h)
	}
	for _, h := range all {
		for off := h.s.Off + 1; off != h.s.Off+h.s.Type.Size() && h.s.Type.Size() > 0; off++ {
			for _, other := range at[off] {
				if other.s.Type.Size() > 0 {
					return fmt.Errorf("%s at %d overlaps %s at %d", nameOf(other.v), int(off), nameOf(h.v), int(h.s.Off))
				}
			}
		}
	}
	ranges := live.Find(c.ssa, c.plan())
	for off, hs := range at {
		var values []ssa.Value
		for _, h := range hs {
			if h.v != nil && c.placed(h.v) && h.s.Rep != layout.Zero {
				values = append(values, h.v)
			}
		}
		if a, b, clash := ranges.Clash(values); clash {
			return fmt.Errorf("%s and %s are needed at the same time, and both are at %d", nameOf(a), nameOf(b), int(off))
		}
	}
	return nil
}

// checkFlow checks that both liveness computations agree on the values that have a slot and are
// live at the end of a block.
func (c *body) checkFlow() error {
	flow := live.Flow{Operands: c.evaluated, Derived: map[ssa.Value][]ssa.Value{}}
	flow.Solve(c.ssa.Blocks)
	ranges := live.Find(c.ssa, c.plan())
	for _, b := range c.ssa.Blocks {
		atEnd := flow.AtEnd(b)
		for _, v := range ranges.AtEnd(b) {
			if !atEnd[v] {
				return fmt.Errorf("only the live range of %s says that it is needed at the end of block %d", nameOf(v), b.Index)
			}
		}
	}
	return nil
}

// checkBlocks checks that all ops have unique numbers, a source position and an instruction.
func (c *body) checkBlocks() error {
	if len(c.instrs) != len(c.pos) {
		return fmt.Errorf("%d ops have a source position, but %d have an instruction", len(c.pos), len(c.instrs))
	}
	last := int32(0)
	// Some blocks continue the numbering of an earlier block.
	blocks := slices.SortedFunc(slices.Values(c.blocks), func(a, b *block) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(len(a.Ops), len(b.Ops)))
	})
	for _, b := range blocks {
		end := b.First + int32(len(b.Ops))
		if b.First < last || int(end) > len(c.pos) {
			return fmt.Errorf("block %d has ops %d to %d of %d, but ops up to %d belong to other blocks", b.SSA.Index, b.First, end, len(c.pos), last)
		}
		last = end
		if b.Next == nil && b.Branch == nil {
			switch b.SSA.Instrs[len(b.SSA.Instrs)-1].(type) {
			case *ssa.Return, *ssa.Panic:
			default:
				return fmt.Errorf("block %d ends the function", b.SSA.Index)
			}
		}
	}
	return nil
}

func nameOf(v ssa.Value) string {
	if v == nil {
		return "a result"
	}
	return fmt.Sprintf("%s (%s)", v.Name(), types.TypeString(v.Type(), nil))
}
