package compile

import (
	"go/token"
	"strings"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"golang.org/x/tools/go/ssa"
)

// The compiler inlines a call of a small leaf function: it compiles the body into the caller's
// frame. If an argument has a slot, the parameter uses the argument's slot. Three things stay
// unchanged:
//
//   - Ops of an inlined body have numbers of their own, from machine.FirstInlined on, so that
//     a stack trace shows the call (calls).
//   - A function that a later cell may redeclare is inlined behind a guard: if it has other
//     code now, the call is made (guard).
//   - Pointers do not stay in the frame: slots of the body are cleared when it ends, like the
//     frame of a call.
//
// While a debugger makes steps or stops at panics, a stoppable function makes the call instead. A
// function with breakpoints has other code than the inlined code, so the guard fails.
//
// Bodies that wait, call or defer are not inlined, so no other goroutine reads the frame of the
// caller while an inlined body runs.

// Limits on inlining: the instructions and blocks of a function that is inlined, and the
// instructions that are inlined into one function.
const (
	inlineMost   = 40
	inlineBlocks = 8
	inlineAll    = 400
)

// guard holds the code from which an inlined body was compiled.
type guard struct {
	f    *function
	code *code
}

// holds reports whether the function still has that code.
func (g *guard) holds() bool { return g == nil || g.f.Code.Load() == g.code }

// inlined is a call that has been inlined.
type inlined struct {
	guard *guard // nil: the function cannot change
	// before evaluates the arguments that are trees; it may be empty.
	before []op
	fresh  []slot // slots of these arguments
	// The body is ops, or starts with the first of several blocks.
	ops   []op
	first int32 // number of the first op, minus 1
	entry *block
	// value is the result as a tree, if a tree is wanted. The tree is evaluated after the ops.
	value   any
	valuePC int32         // number of the value as an op, 0 if it cannot panic
	clears  []layout.Span // words to clear at the end
	results []slot        // where the results are, unless there is a value
	stored  bool          // the result is already where the caller wants it
}

// inlinable reports whether a body is small enough and does not need a frame of its own.
func (c *body) inlinable(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > inlineBlocks || fn.Recover != nil || fn == c.ssa ||
		fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "instance") {
		return false
	}
	if _, panics := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Panic); panics {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			if s.Index <= b.Index {
				return false // a loop: the cost of a call does not matter
			}
		}
		n += len(b.Instrs)
		if n > inlineMost {
			return false
		}
		for _, in := range b.Instrs {
			if !c.inlinableInstr(in) {
				return false
			}
		}
	}
	return c.inlinedInstrs+n <= inlineAll
}

func (c *body) inlinableInstr(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op != token.ARROW
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "len", "cap", "append", "copy", "min", "max", "real", "imag", "complex", "delete":
				return true
			}
			return false
		}
		callee := in.Call.StaticCallee()
		return callee != nil && callee.Blocks == nil && c.floatFunc(callee)
	case *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Send, *ssa.Select, *ssa.MakeClosure, *ssa.Range, *ssa.Next:
		return false
	}
	return true
}

// inline compiles the body of a call of a known function. It returns nil if the call has to be
// made. The result is a tree, or goes to res, where the body may store it itself.
func (c *body) inline(call *ssa.CallCommon, pos token.Pos, tree bool, res []slot) *inlined {
	fn := call.StaticCallee()
	if fn == nil || c.outer != nil || c.code.Wrapper || !c.inlinable(fn) {
		return nil
	}
	f := c.all.Machine.Function(fn)
	if c.debug != nil && (fn.Parent() != nil || c.hasBreakpoints(f)) {
		return nil // nothing reports that a function literal gets breakpoints
	}
	in := &inlined{}
	sub := &body{all: c.all, code: c.code, ssa: fn, outer: c, l: c.l}
	sub.begin()
	if cl, ok := call.Value.(*ssa.MakeClosure); ok {
		for i, b := range cl.Bindings {
			switch b.(type) {
			case *ssa.Alloc, *ssa.FreeVar: // they keep their slots
				sub.slots[fn.FreeVars[i]] = c.slot(b)
			default:
				return nil
			}
		}
	} else if fn.Parent() == nil {
		in.guard = &guard{f, c.codeOf(f)}
		if in.guard.code.Fn != f {
			return nil
		}
	}
	for i, p := range fn.Params {
		sub.slots[p] = c.argument(call.Args[i], in)
	}
	for _, b := range fn.Blocks {
		c.inlinedInstrs += len(b.Instrs)
	}
	sub.presets = c.presets
	c.all.NoteLocals(fn)
	sub.placeLocals()
	sub.fuse()
	sub.forward()
	if len(fn.Blocks) == 1 {
		sub.inlineBlock(in, tree, res)
	} else {
		sub.inlineBlocks(in, tree, res)
	}
	c.presets = sub.presets
	in.clears = sub.pointers(in)
	for _, p := range sub.pos {
		c.inlined = append(c.inlined, machine.InlinedOp{Fn: fn, Pos: p, Call: pos})
	}
	return in
}

// codeOf returns the code that a function has when c first asks for it.
func (c *body) codeOf(f *function) *code {
	if c.code.Inlines == nil {
		c.code.Inlines = map[*function]*code{}
	}
	if c.code.Inlines[f] == nil {
		c.code.Inlines[f] = f.Code.Load()
	}
	return c.code.Inlines[f]
}

// argument returns the slot of an argument. Nothing changes the caller's slots while the body runs,
// so argument may return the slot of a variable.
func (c *body) argument(v ssa.Value, in *inlined) slot {
	if !c.fused(v) {
		return c.slot(v)
	}
	t := c.typ(v.Type())
	s := slot{Type: t, Rep: layout.Of(t)}
	if off, ok := c.staticLoad(v); ok {
		s.Off = off
		return s
	}
	s = c.l.Place(t)
	in.fresh = append(in.fresh, s)
	in.before = append(in.before, c.assignOp(s, v))
	return s
}

// inlineBlock compiles a body of one block.
func (c *body) inlineBlock(in *inlined, tree bool, res []slot) {
	in.first = c.inlineFirst()
	for _, i := range c.ssa.Blocks[0].Instrs {
		switch i := i.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			switch {
			case tree:
				in.value = c.valueTree(i.Results[0])
				if c.at.IsValid() {
					c.pos = append(c.pos, c.at)
					in.valuePC = in.first + int32(len(c.pos))
				}
			case len(res) == 1 && registered(res[0].Rep):
				c.store(res[0], i.Results[0], i.Pos())
				in.stored = true
			default:
				for _, r := range i.Results {
					s := c.l.Place(c.typ(r.Type()))
					in.results = append(in.results, s)
					c.store(s, r, i.Pos())
				}
			}
		default:
			if v, ok := i.(ssa.Value); !ok || !c.fused(v) {
				c.instruction(i)
			}
		}
	}
	in.ops = c.ops
}

// pointers returns the words with pointers in the slots of a body.
func (c *body) pointers(in *inlined) []layout.Span {
	var runs []layout.Span
	add := func(s slot) {
		if s.Type != nil && s.Type.PtrBytes() != 0 {
			runs = append(runs, layout.Span{From: s.Off, To: s.Off + s.Type.Size()})
		}
	}
	for v, s := range c.slots {
		switch v.(type) {
		case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Parameter, *ssa.FreeVar:
		default:
			add(s)
		}
	}
	for _, parts := range c.tuples {
		for _, s := range parts {
			add(s)
		}
	}
	for v, off := range c.local {
		if a, ok := v.(*ssa.Alloc); ok && c.spilled(a) == nil {
			add(slot{Off: off, Type: c.typ(elemOf(v.Type()))})
		}
	}
	for _, s := range append(in.results, in.fresh...) {
		add(s)
	}
	return runs
}

// registered reports whether values are held in registers.
func registered(r rep) bool { return r != layout.Memory && r != layout.Zero }

// inlineBlocks compiles a body of several blocks.
func (c *body) inlineBlocks(in *inlined, tree bool, res []slot) {
	in.first = c.inlineFirst()
	in.stored = !tree && len(res) == 1 && registered(res[0].Rep)
	if c.returns = res; !in.stored {
		for r := range c.ssa.Signature.Results().Variables() {
			in.results = append(in.results, c.l.Place(c.typ(r.Type())))
		}
		c.returns = in.results
	}
	c.coalesce()
	c.compileBlocks(in.first)
	in.entry = c.blocks[0]
	if tree {
		in.value = readTree(in.results[0].Rep, in.results[0].Off)
	}
}

// inlineFirst returns the number of a body's first op, minus 1.
func (c *body) inlineFirst() int32 { return machine.FirstInlined + int32(len(c.outer.inlined)) }

// run runs the body up to its value. It reads each field only at the point of use, because values
// that a closure keeps in registers are saved and restored around each call.
func (in *inlined) run(fp frame) {
	for _, o := range in.before {
		o(fp)
	}
	if in.entry != nil {
		machine.Loop(head(fp).Thread, fp, in.entry)
		return
	}
	pc := in.first
	for _, o := range in.ops {
		pc++
		head(fp).PC = pc
		o(fp)
	}
}

// inlineOp returns a call that is a statement, or nil if the call has to be made.
func (c *body) inlineOp(call *ssa.CallCommon, res []slot, pos token.Pos) op {
	inlined := c.inlinedOp(call, res, pos)
	if inlined == nil || c.debug == nil {
		return inlined
	}
	stepping, made := c.all.Machine.Stepping(), c.callOp(call, res)
	return func(fp frame) {
		if stepping.Load() {
			made(fp)
			return
		}
		inlined(fp)
	}
}

// inlinedOp implements inlineOp for a call in which no debugger may stop.
func (c *body) inlinedOp(call *ssa.CallCommon, res []slot, pos token.Pos) op {
	in := c.inline(call, pos, false, res)
	if in == nil {
		return nil
	}
	g, made := in.guard, op(nil)
	if g != nil {
		made = c.callOp(call, res)
	}
	if in.stored {
		res = nil
	}
	if len(in.before) == 0 && in.entry == nil && len(res) == 0 && len(in.clears) == 0 {
		switch len(in.ops) {
		case 1:
			o, pc := in.ops[0], in.first+1
			return func(fp frame) {
				if !g.holds() {
					made(fp)
					return
				}
				head(fp).PC = pc
				o(fp)
			}
		case 2:
			o, more, pc := in.ops[0], in.ops[1], in.first+1
			return func(fp frame) {
				if !g.holds() {
					made(fp)
					return
				}
				head(fp).PC = pc
				o(fp)
				head(fp).PC = pc + 1
				more(fp)
			}
		}
	}
	return func(fp frame) {
		if !in.guard.holds() {
			made(fp)
			return
		}
		in.run(fp)
		for i := range res {
			d := &res[i]
			layout.Copy(d.Rep, d.Type, unsafe.Add(fp, d.Off), unsafe.Add(fp, in.results[i].Off))
		}
		layout.ClearPointers(fp, in.clears)
	}
}

// inlineTree returns a call with one result that is held in registers, or nil if the call has to be
// made.
func inlineTree[T any](c *body, call *ssa.CallCommon, pos token.Pos) expr[T] {
	inlined := inlinedTree[T](c, call, pos)
	if inlined == nil || c.debug == nil {
		return inlined
	}
	stepping, made := c.all.Machine.Stepping(), staticResult[T](c, call)
	return func(fp frame) T {
		if stepping.Load() {
			return made(fp)
		}
		return inlined(fp)
	}
}

// inlinedTree implements inlineTree for a call in which no debugger may stop.
func inlinedTree[T any](c *body, call *ssa.CallCommon, pos token.Pos) expr[T] {
	in := c.inline(call, pos, true, nil)
	if in == nil {
		return nil
	}
	value, g := in.value.(expr[T]), in.guard
	var made expr[T]
	if g != nil {
		made = staticResult[T](c, call)
	}
	if len(in.before) == 0 && len(in.ops) == 0 && in.entry == nil && len(in.clears) == 0 && in.valuePC == 0 {
		if g == nil {
			return value
		}
		return func(fp frame) T {
			if !g.holds() {
				return made(fp)
			}
			return value(fp)
		}
	}
	runs := len(in.before) > 0 || len(in.ops) > 0 || in.entry != nil
	return func(fp frame) T {
		if !in.guard.holds() {
			return made(fp)
		}
		h := head(fp)
		at := h.PC
		if runs {
			in.run(fp)
		}
		if in.valuePC != 0 {
			h.PC = in.valuePC
		}
		v := value(fp)
		h.PC = at
		layout.ClearPointers(fp, in.clears)
		return v
	}
}
