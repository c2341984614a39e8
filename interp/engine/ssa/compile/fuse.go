package compile

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// effect classifies the changes that are possible if an instruction moves to a later position.
type effect uint8

const (
	pure    effect = iota // nothing
	reads                 // the value it reads, or the order of its panic
	changes               // a value that others read
)

// pendingTree is a value that may become part of its user's tree.
type pendingTree struct {
	root        ssa.Value
	nodes       []ssa.Value // its nodes that are not pure
	eff         effect      // the strongest effect of these nodes
	first, last int         // positions of the first and the last of these nodes in the block
	line        int         // line of the nodes that can panic; 0 if none can
}

// fuser decides which values of one block become parts of trees. A tree is evaluated at the
// position of its root, so its nodes move down past the ops in between. Nodes move past reads only
// if the nodes do not change anything, and past changes only if the nodes are pure. Nodes of one
// tree that can panic are on one line, so the position of the root shows the line of a panic.
type fuser struct {
	c       *body
	pending map[ssa.Value]*pendingTree
	order   []*pendingTree
}

// fuse makes the decisions for all blocks. It makes them again if something that looked like an
// update was not an update.
func (c *body) fuse() {
	c.findUpdates()
	f := fuser{c: c, pending: map[ssa.Value]*pendingTree{}}
	for again := true; again; again = c.keepUpdates() {
		c.inTree = map[ssa.Value]bool{}
		for _, b := range c.ssa.Blocks {
			f.order = f.order[:0]
			clear(f.pending)
			f.block(b)
		}
	}
}

func (c *body) fused(v ssa.Value) bool { return c.inTree[v] }

func (f *fuser) block(b *ssa.BasicBlock) {
	var operands [8]*ssa.Value
	for i, in := range b.Instrs {
		if _, ok := in.(*ssa.Phi); ok {
			continue
		}
		t := &pendingTree{first: i, last: i}
		var mine []*pendingTree
		for _, o := range in.Operands(operands[:0]) {
			if *o == nil {
				continue
			}
			p := f.pending[*o]
			if p == nil {
				continue
			}
			if !f.c.takesTree(in, *o) {
				f.emitAlone(p)
				continue
			}
			mine = append(mine, p)
		}
		eff := f.c.effectOf(in)
		line := 0
		if eff != pure && in.Pos().IsValid() {
			line = f.c.lineOf(in.Pos())
		}
		for _, p := range mine {
			if p.line != 0 && line != 0 && p.line != line {
				f.emitAlone(p)
			} else if p.line != 0 {
				line = p.line
			}
		}
		if f.c.ofUpdate(in) {
			slices.Reverse(mine)
		}
		at := -1
		for _, p := range mine {
			if f.pending[p.root] == nil || p.eff == pure {
				continue
			}
			if at >= p.first && (t.eff == changes || p.eff == changes) {
				f.flush()
				break
			}
			at, t.eff = max(at, p.last), max(t.eff, p.eff)
		}
		t.eff, t.line = pure, line
		for _, p := range mine {
			if f.pending[p.root] == nil {
				continue
			}
			if p.eff != pure {
				t.first, t.last = min(t.first, p.first), max(t.last, p.last)
			}
			t.eff = max(t.eff, p.eff)
			t.nodes = append(t.nodes, p.nodes...)
			f.remove(p)
		}
		moved := t.eff
		t.eff = max(t.eff, eff)
		v, isValue := in.(ssa.Value)
		if isValue && f.c.makesTree(v, b) {
			if eff != pure {
				t.nodes = append(t.nodes, v)
			}
			t.root = v
			f.c.inTree[v] = true
			f.pending[v] = t
			f.order = append(f.order, t)
			continue
		}
		if t.eff == changes || t.eff == reads && f.hasChanges() {
			if f.passes(t.first, moved) {
				for _, n := range t.nodes {
					delete(f.c.inTree, n)
				}
			}
			f.flush()
		}
	}
}

// passes reports whether nodes with the given effect, moved down from the given position in the
// block, would pass a pending value that they must not pass. Here, pending values are evaluated at
// their own positions.
func (f *fuser) passes(first int, eff effect) bool {
	for _, p := range f.order {
		if p.last > first && (p.eff == changes && eff != pure || p.eff == reads && eff == changes) {
			return true
		}
	}
	return false
}

func (f *fuser) remove(p *pendingTree) {
	delete(f.pending, p.root)
	for i, q := range f.order {
		if q == p {
			f.order = append(f.order[:i], f.order[i+1:]...)
			break
		}
	}
}

func (f *fuser) hasChanges() bool {
	for _, p := range f.order {
		if p.eff == changes {
			return true
		}
	}
	return false
}

// emitAlone makes p a separate statement.
func (f *fuser) emitAlone(p *pendingTree) {
	if f.pending[p.root] == nil {
		return
	}
	if p.eff != pure && f.hasChanges() {
		f.flush()
	}
	delete(f.c.inTree, p.root)
	f.remove(p)
}

// flush splits all trees that are not pure, so that each of their nodes is evaluated at its own
// position.
func (f *fuser) flush() {
	for _, p := range append([]*pendingTree(nil), f.order...) {
		if p.eff == pure {
			continue
		}
		for _, n := range p.nodes {
			delete(f.c.inTree, n)
		}
		if !f.c.inTree[p.root] {
			f.remove(p)
		}
		p.nodes, p.eff, p.line = nil, pure, 0
	}
}

// makesTree reports whether v may be part of its user's tree.
func (c *body) makesTree(v ssa.Value, b *ssa.BasicBlock) bool {
	refs := v.Referrers()
	if refs == nil || len(*refs) == 0 || (*refs)[0].Block() != b || len(*refs) > 1 && !c.inUpdate(v) {
		return false
	}
	if _, isPhi := (*refs)[0].(*ssa.Phi); isPhi {
		return false
	}
	if _, isTuple := v.Type().(*types.Tuple); isTuple {
		return false
	}
	if r := c.repOf(v.Type()); r == layout.Memory || r == layout.Zero {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return c.scalarOp(v)
	case *ssa.UnOp:
		return v.Op != token.ARROW
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.ChangeType:
		return true
	case *ssa.Convert:
		return c.numeric(v.X.Type()) && c.numeric(v.Type())
	case *ssa.Lookup:
		return c.repOf(v.X.Type()) == layout.String
	case *ssa.Index:
		return c.repOf(v.X.Type()) == layout.String
	case *ssa.Field:
		return true
	case *ssa.Call:
		if bi, ok := v.Call.Value.(*ssa.Builtin); ok {
			return (bi.Name() == "len" || bi.Name() == "cap") && c.lenOf(v.Call.Args[0]) != lenByRuntime
		}
		return c.callTreeable(&v.Call) && !c.ownOp(&v.Call)
	}
	return false
}

// ownOp reports whether a call has an op of its own: JIT-compiled code can then make it.
func (c *body) ownOp(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return c.code.OwnCalls && (fn == nil || fn.Blocks != nil)
}

// takesTree reports whether the operand v of an instruction may be a tree.
func (c *body) takesTree(in ssa.Instruction, v ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.BinOp:
		return c.scalarOp(in)
	case *ssa.UnOp:
		return in.Op != token.ARROW && c.repOf(in.Type()) != layout.Zero
	case *ssa.Store:
		return true
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.If, *ssa.Return, *ssa.ChangeType:
		return true
	case *ssa.Convert:
		return c.numeric(in.X.Type()) && c.numeric(in.Type())
	case *ssa.Lookup:
		return c.repOf(in.X.Type()) == layout.String
	case *ssa.Index:
		return c.repOf(in.X.Type()) == layout.String || v == in.Index
	case *ssa.MakeInterface:
		return true
	case *ssa.Call:
		if bi, ok := in.Call.Value.(*ssa.Builtin); ok {
			return (bi.Name() == "len" || bi.Name() == "cap") && c.lenOf(v) != lenByRuntime
		}
		return c.argTreeable(&in.Call, v)
	}
	return false
}

// effectOf classifies an instruction without its operands.
func (c *body) effectOf(in ssa.Instruction) effect {
	switch in := in.(type) {
	case *ssa.BinOp:
		switch in.Op {
		case token.QUO, token.REM:
			if k := c.repOf(in.X.Type()); k < layout.Float32 {
				return reads
			}
		case token.SHL, token.SHR:
			if _, isConst := in.Y.(*ssa.Const); !isConst {
				return reads
			}
		case token.EQL, token.NEQ:
			if r := c.repOf(in.X.Type()); r == layout.Interface || r == layout.Memory {
				return reads
			}
		}
		return pure
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			return reads
		case token.ARROW:
			return changes
		}
		return pure
	case *ssa.FieldAddr:
		if _, ok := c.staticAddr(in); ok {
			return pure
		}
		return reads
	case *ssa.Convert:
		if c.numeric(in.X.Type()) && c.numeric(in.Type()) {
			return pure
		}
		return reads
	case *ssa.ChangeType, *ssa.Field, *ssa.Extract, *ssa.MakeClosure, *ssa.DebugRef, *ssa.MakeMap, *ssa.MakeInterface:
		return pure
	case *ssa.Alloc:
		if in.Heap || onlyAddressed(in) && c.setAtOnce(in) {
			return pure
		}
		return changes
	case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.Slice, *ssa.TypeAssert, *ssa.ChangeInterface,
		*ssa.MakeSlice, *ssa.MakeChan, *ssa.SliceToArrayPointer, *ssa.MultiConvert, *ssa.Range:
		return reads
	case *ssa.Call:
		if bi, ok := in.Call.Value.(*ssa.Builtin); ok {
			switch bi.Name() {
			case "len", "cap":
				if c.lenOf(in.Call.Args[0]) != lenByRuntime {
					return pure
				}
				return reads
			case "real", "imag", "complex":
				return pure
			}
		}
		return changes
	case *ssa.If, *ssa.Jump, *ssa.Return:
		return pure
	}
	return changes
}

// numeric reports whether the basic numeric operators and conversions apply.
func (c *body) numeric(t types.Type) bool {
	r := c.repOf(t)
	return r >= layout.Int8 && r <= layout.Float64
}

// scalarOp reports whether the operands and the result of a binary operation are
// held in registers.
func (c *body) scalarOp(in *ssa.BinOp) bool {
	r := c.repOf(in.X.Type())
	switch {
	case r == layout.String:
		return true
	case r >= layout.Bool && r <= layout.Pointer:
		return true
	}
	return false
}

// lineOf returns the line of a position in the function being compiled.
func (c *body) lineOf(pos token.Pos) int {
	fset := c.all.Machine.FsetOf(c.ssa)
	if fset == nil {
		return 0
	}
	f := fset.File(pos)
	if f == nil {
		return 0
	}
	return f.Line(pos)
}
