package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Dump makes the compiler print the blocks, ops and frame slots of each function that it compiles.
func (all *Compiler) Dump(to func(text string)) {
	all.inspect = func(c *body) { to(c.dump()) }
}

// dump describes a compiled function: the slots of its values, and the ops of its blocks.
func (c *body) dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v\n", c.ssa, c.l)
	all := c.places()
	slices.SortFunc(all, func(x, y holding) int {
		return cmp.Or(cmp.Compare(int(x.s.Off), int(y.s.Off)), strings.Compare(nameOf(x.v), nameOf(y.v)))
	})
	for _, h := range all {
		fmt.Fprintf(&b, "%6d  %-12v %s\n", int(h.s.Off), h.s.Type.Reflect(), c.describe(h.v))
	}
	for _, blk := range c.blocks {
		fmt.Fprintf(&b, "block %d, %s:\n", blk.SSA.Index, blk.SSA.Comment)
		for i := range blk.Ops {
			c.dumpOp(&b, int(blk.First)+i+1)
		}
		switch {
		case blk.Branch != nil:
			b.WriteString("  ends with a branch:\n")
			c.dumpOp(&b, int(blk.BranchPC))
		case blk.Next != nil:
			fmt.Fprintf(&b, "  continues at block %d\n", blk.Next.SSA.Index)
		default:
			b.WriteString("  returns\n")
		}
	}
	return b.String()
}

// dumpOp writes the instruction of the op with number pc, with the parts of its tree.
func (c *body) dumpOp(b *strings.Builder, pc int) {
	in := c.instrs[pc-1]
	fmt.Fprintf(b, "%4d  line %-4d %s\n", pc, c.lineOf(max(c.pos[pc-1], 0)), text(in))
	for _, v := range c.evaluated(in) {
		if part, ok := v.(ssa.Instruction); ok && c.fused(v) {
			fmt.Fprintf(b, "                 %s\n", text(part))
		}
	}
}

// text formats an instruction.
func text(in ssa.Instruction) string {
	if v, ok := in.(ssa.Value); ok && v.Name() != "" {
		return v.Name() + " = " + in.String()
	}
	return in.String()
}

// describe returns a description of a slot's contents.
func (c *body) describe(v ssa.Value) string {
	switch v := v.(type) {
	case nil:
		return "result"
	case *ssa.Const, *ssa.Global, *ssa.Function:
		return v.String()
	case *ssa.Parameter:
		return "parameter " + v.Name()
	case *ssa.FreeVar:
		return "captured " + v.Name()
	case *ssa.Alloc:
		return v.Name() + ", variable " + v.Comment
	case ssa.Instruction:
		return text(v)
	}
	return v.Name()
}
