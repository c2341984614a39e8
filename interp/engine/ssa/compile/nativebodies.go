//go:build (linux || darwin || windows) && (amd64 || arm64)

package compile

import (
	"strings"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// A function that changes no memory can be called by machine code: where it, or what it
// calls, comes to something that machine code does not do, all is given up and the
// interpreter makes the first call again, from its beginning. Such a function has no
// frame. Its code is part of that of each function that calls it.

// Bounds on the functions that are called from one function.
const (
	mostBodies    = 12
	mostBodyWords = 8   // of parameters
	mostBodyInstr = 400 // instructions
)

// bodies are the functions that machine code of a function calls.
type bodies struct {
	by     map[*ssa.Function]*calledBody
	list   []*native.Func
	called bool // by the function itself
	gos    map[*ssa.Function]int
	goes   []func(x, y float64) float64
}

// calledBody is one of them.
type calledBody struct {
	number int
	f      *native.Func
	done   bool // it has been gone through
	usable bool
}

// callBody is a call of a function that changes no memory.
func (l *lowering) callBody(in *ssa.Call, fn *ssa.Function) bool {
	f := l.c.all.Machine.Function(fn)
	has := f.Code.Load()
	if has.Fn != f || !bodyFits(fn) {
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
		if nativeTypes[l.c.repOf(p.Type())] == nil {
			return false
		}
		args = append(args, l.words(in.Call.Args[i])...)
	}
	if len(args) > mostBodyWords {
		return false
	}
	b := l.bodyOf(fn, t)
	if b == nil || b.done && !b.usable {
		return false
	}
	l.guards = append(l.guards, machine.Guard{F: f, Code: has})
	if l.inner == nil || !l.inner.body {
		l.bodies.called = true
	}
	l.emit(native.Instr{Op: native.Call, Type: t, D: l.set(in)[0], Imm: int64(b.number), Args: args, Exit: l.exit(in)})
	return true
}

// bodyFits reports whether a function may be called by machine code.
func bodyFits(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || fn.Recover != nil || fn.Parent() != nil || fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "instance") {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
	}
	return n <= mostBodyInstr
}

// bodyOf returns the code of a function that is called; nil if there are too many. One that
// calls itself gets it while it is under way.
func (l *lowering) bodyOf(fn *ssa.Function, result native.Type) *calledBody {
	if b, ok := l.bodies.by[fn]; ok {
		return b
	}
	if len(l.bodies.list) == mostBodies {
		return nil
	}
	l.c.all.NoteLocals(fn)
	b := &calledBody{number: len(l.bodies.list), f: native.NewFunc()}
	l.bodies.by[fn] = b
	l.bodies.list = append(l.bodies.list, b.f)
	sub := newLowering(l.c, b.f)
	sub.bodies = l.bodies
	sub.inner = &inner{fn: fn, body: true, blocks: map[*ssa.BasicBlock]int{}}
	sub.findLoops(fn)
	for _, p := range fn.Params {
		b.f.Params = append(b.f.Params, sub.fresh(p)...)
	}
	r := b.f.Var(native.Var{Type: result})
	b.f.Results = []native.Reg{r}
	sub.inner.results = [][]native.Reg{{r}}
	b.f.Entries = []int{0}
	sub.bodyBlocks(fn)
	l.keep = append(l.keep, sub.keep...)
	l.guards = append(l.guards, sub.guards...)
	b.done, b.usable = true, sub.returnsFrom(0)
	return b
}

// bodyBlocks goes through the blocks of a function that is called.
func (l *lowering) bodyBlocks(fn *ssa.Function) {
	list := order(fn)
	for _, b := range list {
		l.inner.blocks[b] = len(l.f.Blocks)
		l.f.Blocks = append(l.f.Blocks, native.Block{Depth: l.depth[b.Index]})
	}
	for _, b := range list {
		l.cur = l.inner.blocks[b]
		l.f.Order = append(l.f.Order, l.cur)
		l.bodyBlock(b)
	}
}

// bodyBlock goes through a block, up to where the calls under way are given up.
func (l *lowering) bodyBlock(b *ssa.BasicBlock) {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.Jump:
			l.goTo(b, b.Succs[0])
		case *ssa.If:
			l.branch(b, in)
		default:
			if !l.instr(in) {
				l.emit(native.Instr{Op: native.Leave, Exit: -1})
				l.f.Blocks[l.cur].End = native.Stop
				return
			}
		}
	}
}

// returnsFrom reports whether code that begins at a block comes to a return.
func (l *lowering) returnsFrom(from int) bool {
	return l.comesTo(from, func(i int) bool { return l.f.Blocks[i].End == native.Return })
}

// callGo is a call of a compiled function of package math.
func (l *lowering) callGo(in *ssa.Call, fn *ssa.Function) bool {
	if !l.c.floatFunc(fn) {
		return false
	}
	number, ok := l.bodies.gos[fn]
	if !ok {
		number = len(l.bodies.goes)
		l.bodies.gos[fn] = number
		w := layout.FuncWord(l.c.all.External(fn, in.Pos()))
		if len(in.Call.Args) == 2 {
			l.bodies.goes = append(l.bodies.goes, *(*func(float64, float64) float64)(unsafe.Pointer(&w)))
		} else {
			g := *(*func(float64) float64)(unsafe.Pointer(&w))
			l.bodies.goes = append(l.bodies.goes, func(x, _ float64) float64 { return g(x) })
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
