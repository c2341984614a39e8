package jit

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// JIT-compiled code can call functions that do not change memory. When a check in such a callee, or
// in one of its callees, fails, all calls in progress are abandoned and the interpreter starts the
// outermost call over. A callee has no frame; its code is part of the code of each function that
// calls it. A function with an unsupported instruction is a callee only if it panics after that
// instruction. Calls of other functions with an unsupported instruction would be abandoned again
// and again, so JIT-compiled code calls those functions in frames.

// Limits on the callees of one function.
const (
	maxCallees      = 12
	maxCalleeWords  = 8   // words of parameters
	maxCalleeInstrs = 400 // instructions
)

// callees are the functions that the code of a function calls.
type callees struct {
	by        map[*ssa.Function]*callee
	list      []*native.Func
	called    bool // the function itself calls it
	goNumbers map[*ssa.Function]int
	goFuncs   []func(x, y float64) float64
}

// callee is a function that JIT-compiled code calls.
type callee struct {
	number int
	f      *native.Func
	done   bool // it is lowered
	usable bool
}

// discard empties a callee and the callees that were lowered for this callee, which may call it.
// Nothing calls them any more.
func (c *callees) discard(b *callee) {
	for _, other := range c.by {
		if other.number >= b.number {
			other.done, other.usable = true, false
			*other.f = native.Func{
				Vars: other.f.Vars, Blocks: []native.Block{{Instrs: []native.Instr{{Op: native.Leave, Exit: -1}}, End: native.Stop}},
				Order: []int{0}, Entries: []int{0},
			}
		}
	}
}

// callCallee lowers a call of a function that does not change memory.
func (l *lowering) callCallee(in *ssa.Call, fn *ssa.Function) bool {
	f := l.view.Function(fn)
	has := f.Code.Load()
	if has.Fn != f || f.SwitchedOff() || !calleeFits(fn) {
		return false
	}
	if fn.Signature.Results().Len() != 1 {
		return false
	}
	t, ok := l.scalarType(in.Type())
	if !ok {
		return false
	}
	var args []native.Reg
	for i, p := range fn.Params {
		words, ok := l.argWords(in.Call.Args[i])
		if _, fits := l.wordTypes(p.Type()); !ok || !fits {
			return false
		}
		args = append(args, words...)
	}
	if len(args) > maxCalleeWords {
		return false
	}
	b := l.calleeOf(fn, t)
	if b == nil || b.done && !b.usable {
		return false
	}
	l.guards = append(l.guards, machine.Guard{F: f, Code: has})
	if l.nested == nil || !l.nested.callee {
		l.callees.called = true
	}
	l.emit(native.Instr{Op: native.Call, Type: t, D: l.set(in)[0], Imm: int64(b.number), Args: args, Exit: l.exit(in)})
	return true
}

// calleeFits reports whether JIT-compiled code can call a function.
func calleeFits(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || fn.Recover != nil || fn.Parent() != nil || fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "instance") {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
	}
	return n <= maxCalleeInstrs
}

// calleeOf returns the callee for a function, or nil if there are too many. While the callee of a
// recursive function is being lowered, calleeOf returns that callee for the function.
func (l *lowering) calleeOf(fn *ssa.Function, result native.Type) *callee {
	if b, ok := l.callees.by[fn]; ok {
		return b
	}
	if len(l.callees.list) == maxCallees {
		return nil
	}
	l.view.NoteLocals(fn)
	b := &callee{number: len(l.callees.list), f: native.NewFunc()}
	l.callees.by[fn] = b
	l.callees.list = append(l.callees.list, b.f)
	sub := newLowering(l.view, b.f)
	sub.callees = l.callees
	sub.nested = &nested{fn: fn, callee: true, blocks: map[*ssa.BasicBlock]int{}}
	sub.findLoops(fn)
	for _, p := range fn.Params {
		b.f.Params = append(b.f.Params, sub.fresh(p)...)
	}
	r := b.f.Var(native.Var{Type: result})
	b.f.Results = []native.Reg{r}
	sub.nested.results = [][]native.Reg{{r}}
	b.f.Entries = []int{0}
	sub.calleeBlocks(fn)
	l.keep = append(l.keep, sub.keep...)
	l.guards = append(l.guards, sub.guards...)
	b.done, b.usable = true, sub.returnsFrom(0) && !sub.nested.gaveUp
	if !b.usable {
		l.callees.discard(b)
	}
	return b
}

// calleeBlocks lowers the blocks of a callee.
func (l *lowering) calleeBlocks(fn *ssa.Function) {
	list := order(fn)
	for _, b := range list {
		l.nested.blocks[b] = len(l.f.Blocks)
		l.f.Blocks = append(l.f.Blocks, native.Block{Depth: l.depth[b.Index]})
	}
	for _, b := range list {
		l.cur = l.nested.blocks[b]
		l.f.Order = append(l.f.Order, l.cur)
		l.calleeBlock(b)
	}
}

// calleeBlock lowers a block, up to an instruction at which the calls are abandoned.
func (l *lowering) calleeBlock(b *ssa.BasicBlock) {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.Jump:
			l.jump(b, b.Succs[0])
		case *ssa.If:
			l.branch(b, in)
		default:
			if !l.instr(in) {
				if l.nested.stored {
					panic(cannotInline{}) // the call can't be repeated
				}
				l.nested.gaveUp = l.nested.gaveUp || mayReturn(b)
				l.emit(native.Instr{Op: native.Leave, Exit: -1})
				l.f.Blocks[l.cur].End = native.Stop
				return
			}
		}
	}
}

// mayReturn reports whether a function may return after a block.
func mayReturn(b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		_, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return returns || slices.ContainsFunc(b.Succs, visit)
	}
	return visit(b)
}

// returnsFrom reports whether code that starts at a block can reach a return.
func (l *lowering) returnsFrom(from int) bool {
	return l.reaches(from, func(i int) bool { return l.f.Blocks[i].End == native.Return })
}

// callGo lowers a call of a compiled function of package math.
func (l *lowering) callGo(in *ssa.Call, fn *ssa.Function) bool {
	if !l.view.FloatFunc(fn) {
		return false
	}
	number, ok := l.callees.goNumbers[fn]
	if !ok {
		number = len(l.callees.goFuncs)
		l.callees.goNumbers[fn] = number
		w := l.view.External(fn, in.Pos())
		if len(in.Call.Args) == 2 {
			l.callees.goFuncs = append(l.callees.goFuncs, *(*func(float64, float64) float64)(unsafe.Pointer(&w)))
		} else {
			g := *(*func(float64) float64)(unsafe.Pointer(&w))
			l.callees.goFuncs = append(l.callees.goFuncs, func(x, _ float64) float64 { return g(x) })
		}
	}
	i := native.Instr{Op: native.CallGo, Type: native.Float64, Imm: int64(number)}
	for _, arg := range in.Call.Args {
		i.Args = append(i.Args, l.reg(arg))
	}
	i.D = l.set(in)[0]
	l.emit(i)
	return true
}
