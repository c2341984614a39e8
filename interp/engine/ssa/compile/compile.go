package compile

import (
	"go/token"
	"go/types"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// body is the body of a function that is being compiled.
type body struct {
	all  *Compiler
	code *code
	ssa  *ssa.Function

	l       *layout.Layout
	slots   map[ssa.Value]slot
	tuples  map[ssa.Value][]slot
	local   map[ssa.Value]uintptr // frame offsets of local variables
	presets []func(fp frame)      // functions that set the constants in a new frame
	inTree  map[ssa.Value]bool
	updates map[*ssa.BinOp]*ssa.Store // see update.go
	class   map[ssa.Value]ssa.Value   // values that share a frame slot, by representative
	blocks  []*block
	ends    map[*block]*ending

	ops  []op       // ops of the block being compiled
	step *increment // an increment: the last of ops, or an earlier op
	pos  []token.Pos
	at   token.Pos // position of the part of the current tree that can panic

	returns []slot // slots of the results

	debug *machine.DebugForm // set for functions that can be stopped
	site  *machine.Site      // the last site before the current position
	calls bool               // the block's code so far may stop in other functions

	outer         *body               // body of the caller, if this is an inlined body
	inlined       []machine.InlinedOp // ops of inlined bodies
	inlinedInstrs int                 // number of their instructions

	tables  map[*ssa.Slice]table     // see literals.go
	omitted map[ssa.Instruction]bool // the instructions that make tables

	stepped   map[*ssa.Next]bool // steps that the branch of their block takes
	listening bool               // whether to record the instruction of each op; see uses
	instrs    []ssa.Instruction  // the instruction of each op
	delayed   map[ssa.Value]bool // parts of trees that got a slot: evaluated at the tree's user
}

// refuse ends the compilation with a *engine.Refusal.
func refuse(pos token.Pos, what, advice string) {
	panic(&engine.Refusal{Pos: pos, What: what, Advice: advice})
}

func (c *body) typ(t types.Type) *rtype.Type { return c.all.Machine.Typ(t) }

func (c *body) repOf(t types.Type) rep { return layout.Of(c.typ(t)) }

// compile sets the code of a function.
func (c *body) compile() {
	fn := c.ssa
	c.all.NoteLocals(fn)
	c.begin()
	c.l = machine.NewLayout()
	sig := c.all.Machine.PlaceSignature(c.l, fn)
	for i, p := range fn.Params {
		c.slots[p] = sig.Params[i]
	}
	for i, v := range fn.FreeVars {
		s := c.l.Place(c.typ(v.Type()))
		c.slots[v] = s
		c.code.Captured = append(c.code.Captured, machine.Capture{To: s, From: c.code.Fn.Binding(i)})
	}
	c.returns = sig.Results
	c.findStops()
	c.findTables()
	c.placeLocals()
	c.fuse()
	c.coalesce()
	if c.debug == nil {
		c.forward()
	} else {
		c.intoVariables()
	}
	c.compileBlocks(0)
	c.notePassed(fn)
	c.findLocals()
	c.code.Inlined = c.inlined
	c.code.Entry, c.code.Blocks = c.blocks[0], c.blocks
	if fn.Recover != nil {
		c.code.Recovery = c.blocks[fn.Recover.Index]
	}
	c.code.Places = c.hashPlaces()
	c.code.Finish(c.l, c.presets, c.pos)
}

// hashPlaces returns a hash of the frame slots of the function's values. LaidOutAs compares such
// hashes.
func (c *body) hashPlaces() uint64 {
	h := uint64(14695981039346656037)
	note := func(off uintptr) { h = (h ^ uint64(off)) * 1099511628211 }
	value := func(v ssa.Value) {
		note(c.slots[v].Off)
		note(c.local[v])
		for _, s := range c.tuples[v] {
			note(s.Off)
		}
	}
	for _, p := range c.ssa.Params {
		value(p)
	}
	for _, v := range c.ssa.FreeVars {
		value(v)
	}
	for _, b := range c.ssa.Blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); ok {
				value(v)
			}
		}
	}
	return h
}

// begin initializes the tables of values.
func (c *body) begin() {
	c.slots = map[ssa.Value]slot{}
	c.tuples = map[ssa.Value][]slot{}
	c.local = map[ssa.Value]uintptr{}
	c.ends = map[*block]*ending{}
	c.tables = map[*ssa.Slice]table{}
	c.omitted = map[ssa.Instruction]bool{}
}

// compileBlocks compiles the blocks. The first op gets the number before+1.
func (c *body) compileBlocks(before int32) {
	for _, b := range c.ssa.Blocks {
		c.blocks = append(c.blocks, &block{SSA: b})
	}
	for _, b := range c.ssa.Blocks {
		c.block(b)
	}
	for _, b := range c.blocks {
		b.First += before
		b.BranchPC += before
	}
	c.loops()
	c.chain()
}

// emit adds a statement to the block. The statement has the position of its part that can panic, or
// pos if no part can.
func (c *body) emit(o op, pos token.Pos) {
	if c.at.IsValid() {
		pos = c.at
	}
	c.at = token.NoPos
	if o != nil {
		c.ops = append(c.ops, o)
		c.pos = append(c.pos, pos)
	}
}

// mayPanic records the position of a node of a tree.
func (c *body) mayPanic(pos token.Pos) {
	if pos.IsValid() {
		c.at = pos
	}
}

func (c *body) block(b *ssa.BasicBlock) {
	to := c.blocks[b.Index]
	to.First = int32(len(c.pos))
	c.ops, c.step = nil, nil
	c.beginSites(b)
	for _, in := range b.Instrs {
		if s := c.siteOf(in); s != nil {
			to = c.stopBefore(to, s)
			continue
		}
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.Jump:
			edge := c.edge(b, b.Succs[0])
			if edge != c.blocks[b.Succs[0].Index] {
				for _, o := range edge.Ops {
					c.emit(o, token.NoPos)
				}
				edge = edge.Next
			}
			to.Next = edge
		case *ssa.If:
			yes, no := c.edge(b, b.Succs[0]), c.edge(b, b.Succs[1])
			to.Branch = c.condition(in, yes, no)
			c.end(to).test = c.comparison(in, yes, no)
		case *ssa.Return:
			c.results(in)
		case *ssa.Panic:
			x := c.slot(in.X).Off
			c.emit(func(fp frame) { machine.Raise(*ref[any](fp, x)) }, in.Pos())
		default:
			if v, ok := in.(ssa.Value); ok && c.fused(v) {
				continue
			}
			c.instruction(in)
		}
		c.note(in)
		c.calls = c.calls || mayStop(in)
	}
	if to.Branch != nil {
		// The branch has its own number and position.
		if !c.at.IsValid() {
			c.at = machine.Quiet(conditionPos(b))
		}
		c.pos = append(c.pos, c.at)
		c.at = token.NoPos
		to.BranchPC = int32(len(c.pos))
	}
	c.note(b.Instrs[len(b.Instrs)-1])
	c.noteSite()
	to.Ops = c.ops
	if c.step != nil && c.step.at == len(to.Ops)-1 && !stopsAtEnd(to) {
		c.end(to).step = c.step
	}
}

// conditionPos returns the position of the condition at the end of a block.
func conditionPos(b *ssa.BasicBlock) token.Pos {
	if in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
		return in.Cond.Pos()
	}
	return token.NoPos
}

// note records that the last ops belong to an instruction.
func (c *body) note(in ssa.Instruction) {
	if !c.listening {
		return
	}
	c.instrs = c.instrs[:min(len(c.instrs), len(c.pos))]
	for len(c.instrs) < len(c.pos) {
		c.instrs = append(c.instrs, in)
	}
}

// edge returns the target of the edge from b to s: s itself, or an extra block if the edge has to
// set φs.
func (c *body) edge(b, s *ssa.BasicBlock) *block {
	target := c.blocks[s.Index]
	from := -1
	for i, p := range s.Preds {
		if p == b {
			from = i
		}
	}
	type copying struct{ dst, src slot }
	var copies []copying
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		d, src := c.slot(phi), c.slot(phi.Edges[from])
		if d.Off != src.Off && d.Rep != layout.Zero {
			copies = append(copies, copying{d, src})
		}
	}
	if len(copies) == 0 {
		return target
	}
	edge := &block{Next: target, SSA: s}
	add := func(o op) {
		if o != nil {
			edge.Ops = append(edge.Ops, o)
		}
	}
	// All φs change at the same time. Order the copies so that no copy reads a slot that an earlier
	// copy has written, and use a temporary to break cycles.
	for len(copies) > 0 {
		ready := -1
		for i, m := range copies {
			free := true
			for j, other := range copies {
				if i != j && other.src.Off == m.dst.Off {
					free = false
				}
			}
			if free {
				ready = i
				break
			}
		}
		if ready < 0 {
			m := &copies[0]
			t := c.l.Place(m.src.Type)
			add(moveOp(m.src.Rep, m.src.Type, t.Off, m.src.Off))
			m.src = t
			// Every other copy from the same slot still reads the original.
			continue
		}
		m := copies[ready]
		add(moveOp(m.dst.Rep, m.dst.Type, m.dst.Off, m.src.Off))
		copies = append(copies[:ready], copies[ready+1:]...)
	}
	return edge
}

// results stores the results of the function.
func (c *body) results(in *ssa.Return) {
	for i, r := range in.Results {
		c.store(c.returns[i], r, in.Pos())
	}
}

// store sets a frame slot to a value.
func (c *body) store(d slot, v ssa.Value, pos token.Pos) {
	if c.fused(v) {
		if off, ok := c.staticLoad(v); ok {
			c.emit(moveOp(d.Rep, d.Type, d.Off, off), pos)
			return
		}
		c.assign(d, v)
		return
	}
	s := c.slot(v)
	if s.Off != d.Off {
		c.emit(moveOp(d.Rep, d.Type, d.Off, s.Off), pos)
	}
}

func elemOf(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Chan:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

func isInterface(t types.Type) bool { return types.IsInterface(t) }

// isEmpty reports whether an interface type has no methods, so that its values hold a type, not a
// method table.
func isEmpty(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return !ok || i.NumMethods() == 0
}
