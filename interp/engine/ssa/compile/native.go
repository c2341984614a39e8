//go:build (linux || darwin || windows) && (amd64 || arm64)

package compile

import (
	"fmt"
	"go/token"
	"slices"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// Machine code is made of a function that has been compiled to ops, is hot and has a
// loop without anything that machine code does not do. It works on the same frame, so
// that it can leave to any op: what is computed before the op is in the frame then, and
// what the op computes has not begun. An op computes its trees in one go, so that a
// check that fails within leads to the op as a whole, which finds the failure again, or
// has the panic.
//
//   - native.go goes through the blocks, nativeops.go through the instructions,
//     nativeaddr.go has addresses, nativecalls.go the calls that are compiled in,
//     nativebodies.go those that are made.

// cannot is why a function has no machine code.
type cannot string

// lowering is a function on its way to machine code.
type lowering struct {
	c      *body // the function, compiled once more
	f      *native.Func
	depth  []int                  // of loops, by the same
	back   map[[2]int]bool        // edges that close loops
	at     map[uintptr]native.Reg // words of the frame
	consts map[literal]native.Reg
	values map[ssa.Value][]native.Reg
	mems   map[ssa.Value]native.Mem // addresses that are part of their uses
	notNil map[native.Reg]int       // pointers that have been checked, with the block's number + 1
	keep   []unsafe.Pointer         // objects whose addresses are in the code
	guards []machine.Guard

	cur     int         // the block of f under way
	block   int         // the block of the function that it is of
	op      int         // where an exit leads: the first op in the block that is not done
	pending []ssa.Value // parts of ops that are not done
	why     map[token.Pos]string
	inner   *inner // the call that is compiled in, or the function that is called; nil outside of one
	bodies  *bodies
}

func newLowering(c *body, f *native.Func) *lowering {
	return &lowering{
		c: c, f: f, at: map[uintptr]native.Reg{}, consts: map[literal]native.Reg{},
		values: map[ssa.Value][]native.Reg{}, mems: map[ssa.Value]native.Mem{}, notNil: map[native.Reg]int{}, why: map[token.Pos]string{},
	}
}

type literal struct {
	t native.Type
	v int64
}

// Native makes machine code of a function.
func (all *Compiler) Native(c *code) (n *machine.Native, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case cannot:
			err = fmt.Errorf("%s", string(v))
		default:
			panic(v)
		}
	}()
	fn := c.SSA
	if c.Debug != nil || c.Defers || c.Wrapper || fn.Recover != nil {
		return nil, fmt.Errorf("it can be stopped, or has deferred calls")
	}
	if n := len(fn.Blocks); n > 2000 {
		return nil, fmt.Errorf("it has %d blocks", n)
	}
	l := newLowering(nil, native.NewFunc())
	l.bodies = &bodies{by: map[*ssa.Function]*calledBody{}, gos: map[*ssa.Function]int{}}
	if l.findLoops(fn); len(l.back) == 0 && !callsAny(fn) {
		return nil, fmt.Errorf("it has no loop, and calls nothing")
	}
	l.c = all.again(c)
	if l.c == nil {
		return nil, fmt.Errorf("it is compiled in another way now")
	}
	l.lower(fn)
	l.f.Bodies, l.f.Go = l.bodies.list, l.bodies.goes
	heads := l.entries(fn)
	n = &machine.Native{Guards: l.guards, Why: l.why}
	if len(heads) == 0 {
		return n, fmt.Errorf("no loop goes round, and nothing is called, without something that machine code does not do")
	}
	for _, x := range l.f.Exits {
		n.Exits = append(n.Exits, machine.NativeExit{Block: x.Block, Op: x.Op})
	}
	n.Heads = heads
	n.Code, err = native.Compile(l.f, l.keep)
	return n, err
}

// callsAny reports whether a function calls one that is known.
func callsAny(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && call.Call.StaticCallee() != nil {
				return true
			}
		}
	}
	return false
}

// again compiles a function once more, to know where things are in its frame. It gives nil where they
// are not where they were, so that nothing is known of them.
func (all *Compiler) again(c *code) *body {
	scratch := &code{Fn: c.Fn, ID: c.ID, SSA: c.SSA, Inlines: c.Inlines}
	scratch.Analyze()
	b := &body{all: all, code: scratch, ssa: c.SSA, listening: true, delayed: map[ssa.Value]bool{}}
	b.compile()
	if !scratch.LaidOutAs(c) {
		if all.inspect != nil {
			panic(fmt.Sprintf("ssa: %s is laid out in another way when it is compiled again\n%s", c.SSA, b.dump()))
		}
		return nil
	}
	return b
}

// findLoops finds the edges that close loops, and how deep blocks are in them.
func (l *lowering) findLoops(fn *ssa.Function) {
	l.back = map[[2]int]bool{}
	l.depth = make([]int, len(fn.Blocks))
	loops := map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool{}
	for _, b := range fn.Blocks {
		for _, head := range b.Succs {
			if !head.Dominates(b) {
				continue
			}
			l.back[[2]int{b.Index, head.Index}] = true
			in := loops[head]
			if in == nil {
				in = map[*ssa.BasicBlock]bool{head: true}
				loops[head] = in
			}
			todo := []*ssa.BasicBlock{b}
			for len(todo) > 0 {
				x := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				if !in[x] {
					in[x] = true
					todo = append(todo, x.Preds...)
				}
			}
		}
	}
	for _, in := range loops {
		for b := range in {
			l.depth[b.Index]++
		}
	}
}

// lower goes through the blocks, those of a loop one behind the other.
func (l *lowering) lower(fn *ssa.Function) {
	for range fn.Blocks {
		l.f.Blocks = append(l.f.Blocks, native.Block{})
	}
	for _, s := range l.c.returns {
		l.f.Results = append(l.f.Results, l.wordsAt(s)...)
	}
	for _, b := range order(fn) {
		l.cur, l.block = b.Index, b.Index
		l.f.Order = append(l.f.Order, b.Index)
		l.f.Blocks[b.Index].Depth = l.depth[b.Index]
		l.lowerBlock(b)
	}
}

// order returns the blocks in reverse postorder, the first way of a branch before the
// other, so that bodies of loops come before what is behind the loops.
func order(fn *ssa.Function) []*ssa.BasicBlock {
	var list []*ssa.BasicBlock
	seen := make([]bool, len(fn.Blocks))
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b.Index] {
			return
		}
		seen[b.Index] = true
		for i := len(b.Succs) - 1; i >= 0; i-- {
			visit(b.Succs[i])
		}
		list = append(list, b)
	}
	visit(fn.Blocks[0])
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// newBlock makes a block behind those that are there.
func (l *lowering) newBlock() int {
	l.f.Blocks = append(l.f.Blocks, native.Block{Depth: l.f.Blocks[l.cur].Depth})
	n := len(l.f.Blocks) - 1
	l.f.Order = append(l.f.Order, n)
	return n
}

func (l *lowering) emit(in native.Instr) {
	if in.D != native.None {
		delete(l.notNil, in.D)
	}
	b := &l.f.Blocks[l.cur]
	b.Instrs = append(b.Instrs, in)
}

func (l *lowering) lowerBlock(b *ssa.BasicBlock) {
	starts := l.starts(b)
	l.pending = l.pending[:0]
	for i, in := range b.Instrs {
		l.op = starts[i]
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
			continue
		case *ssa.Jump:
			l.goTo(b, b.Succs[0])
			continue
		case *ssa.If:
			l.branch(b, in)
			continue
		}
		v, _ := in.(ssa.Value)
		if v != nil && l.c.fused(v) {
			l.pending = append(l.pending, v)
		}
		if !l.instr(in) {
			l.leave(in)
		}
		if v == nil || !l.c.fused(v) {
			l.finish(in)
		}
	}
}

// starts gives, for each instruction of a block, the number of ops before its own.
func (l *lowering) starts(b *ssa.BasicBlock) []int {
	first := int(l.c.blocks[b.Index].First)
	ops := map[ssa.Instruction]int{}
	for k := first; k < len(l.c.instrs) && l.c.instrs[k] != nil && l.c.instrs[k].Block() == b; k++ {
		ops[l.c.instrs[k]]++
	}
	starts, n := make([]int, len(b.Instrs)), 0
	for i, in := range b.Instrs {
		starts[i] = n
		n += ops[in]
	}
	return starts
}

// finish forgets the parts of an instruction that is done.
func (l *lowering) finish(in ssa.Instruction) {
	kept := l.pending[:0]
	for _, v := range l.pending {
		if l.rootOf(v) != in {
			kept = append(kept, v)
		}
	}
	l.pending = kept
}

// rootOf returns the instruction whose op computes a value that is part of a tree.
func (l *lowering) rootOf(v ssa.Value) ssa.Instruction {
	for {
		user := (*v.Referrers())[0]
		next, ok := user.(ssa.Value)
		if !ok || !l.c.fused(next) {
			return user
		}
		v = next
	}
}

// exit makes an exit at which an instruction is not done.
func (l *lowering) exit(in ssa.Instruction) int32 {
	if l.inner != nil {
		if l.inner.body {
			return -1
		}
		if l.inner.stored {
			panic(outside{})
		}
		in = l.inner.call
	}
	if l.op > len(l.c.blocks[l.block].Ops) {
		panic(cannot("a check stands behind the step of a loop"))
	}
	x := native.Exit{Block: l.block, Op: l.op, Uses: l.uses(in, nil)}
	for _, v := range l.pending {
		x.Uses = l.uses(v.(ssa.Instruction), x.Uses)
	}
	l.f.Exits = append(l.f.Exits, x)
	return int32(len(l.f.Exits) - 1)
}

// uses adds the words in the frame that the op of an instruction reads, its trees
// included.
func (l *lowering) uses(in ssa.Instruction, to []native.Reg) []native.Reg {
	for _, o := range in.Operands(nil) {
		if *o != nil {
			to = l.usesOf(*o, to)
		}
	}
	return to
}

// usesOf does so for an operand.
func (l *lowering) usesOf(v ssa.Value, to []native.Reg) []native.Reg {
	c := l.c
	to = append(to, l.placed(v)...)
	_, closure := v.(*ssa.MakeClosure)
	if sub, ok := v.(ssa.Instruction); ok && (c.fused(v) || c.delayed[v] || c.isLocal(v) || closure) {
		if _, phi := sub.(*ssa.Phi); !phi {
			to = l.uses(sub, to)
		}
	}
	return to
}

// leave leaves the code for the op of an instruction, which does what machine code does
// not, and takes what it sets for set.
func (l *lowering) leave(in ssa.Instruction) {
	l.why[in.Pos()] = l.reason(in)
	l.emit(native.Instr{Op: native.Leave, Exit: l.exit(in)})
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	words := l.placed(v)
	for _, s := range l.c.tuples[v] {
		if s.Type != nil {
			words = append(words, l.wordsAt(s)...)
		}
	}
	if l.c.fused(v) {
		words = l.fresh(v)
	}
	for _, r := range words {
		l.emit(native.Instr{Op: native.Const, Type: l.f.Vars[r].Type, D: r})
	}
}

// goTo ends a block with a jump.
func (l *lowering) goTo(b, s *ssa.BasicBlock) {
	if !l.edge(b, s) {
		if l.inner != nil && !l.inner.body {
			panic(outside{})
		}
		exit := l.exit(b.Instrs[len(b.Instrs)-1])
		if exit >= 0 {
			l.usesOfPhis(b, s, &l.f.Exits[exit])
		}
		l.emit(native.Instr{Op: native.Leave, Exit: exit})
	}
	x := &l.f.Blocks[l.cur]
	x.End, x.Next[0] = native.Jump, l.blockOf(s)
}

// usesOfPhis adds what the phis are set to on the way from b to s.
func (l *lowering) usesOfPhis(b, s *ssa.BasicBlock, x *native.Exit) {
	from := slices.Index(s.Preds, b)
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		x.Uses = l.usesOf(phi.Edges[from], x.Uses)
	}
}

// blockOf returns the block of the code that a block is.
func (l *lowering) blockOf(b *ssa.BasicBlock) int {
	if l.inner != nil {
		return l.inner.blocks[b]
	}
	return b.Index
}

// edge sets the phis on the way from b to s and looks whether the code has run for long
// enough where that closes a loop. It reports false where the phis cannot be set.
func (l *lowering) edge(b, s *ssa.BasicBlock) bool {
	from := slices.Index(s.Preds, b)
	var moves [][2]native.Reg
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if r := l.c.repOf(phi.Type()); r == layout.Zero {
			continue
		} else if r == layout.Memory {
			return false
		}
		to := l.set(phi)
		for i, x := range l.words(phi.Edges[from]) {
			if to[i] != x {
				moves = append(moves, [2]native.Reg{to[i], x})
			}
		}
	}
	l.moveAll(moves)
	if l.closes(b, s) {
		exit := int32(-1)
		if l.inner == nil {
			l.f.Exits = append(l.f.Exits, native.Exit{Block: s.Index})
			exit = int32(len(l.f.Exits) - 1)
		}
		l.emit(native.Instr{Op: native.Poll, Exit: exit})
	}
	return true
}

// closes reports whether the way from b to s closes a loop.
func (l *lowering) closes(b, s *ssa.BasicBlock) bool {
	return (l.inner == nil || l.inner.body) && l.back[[2]int{b.Index, s.Index}]
}

// moveAll sets variables at once.
func (l *lowering) moveAll(moves [][2]native.Reg) {
	for len(moves) > 0 {
		ready := -1
		for i, m := range moves {
			free := true
			for j, other := range moves {
				free = free && (i == j || other[1] != m[0])
			}
			if free {
				ready = i
				break
			}
		}
		if ready < 0 { // in a circle
			t := l.f.Var(native.Var{Type: l.f.Vars[moves[0][1]].Type})
			l.emit(native.Instr{Op: native.Move, D: t, X: moves[0][1]})
			moves[0][1] = t
			continue
		}
		l.emit(native.Instr{Op: native.Move, D: moves[ready][0], X: moves[ready][1]})
		moves = append(moves[:ready], moves[ready+1:]...)
	}
}

// branch ends a block with a branch. Each way that has something to do is a block.
func (l *lowering) branch(b *ssa.BasicBlock, in *ssa.If) {
	t, ok := l.test(in)
	for _, s := range b.Succs {
		if !l.phisMove(s) {
			ok = false
		}
	}
	if !ok {
		if l.inner != nil && !l.inner.body {
			panic(outside{})
		}
		l.why[in.Cond.Pos()] = "compares what machine code does not"
		l.emit(native.Instr{Op: native.Leave, Exit: l.exit(in)})
	}
	from := l.cur
	l.f.Blocks[from].End, l.f.Blocks[from].Test = native.Branch, t
	for i, s := range b.Succs {
		if !l.busy(b, s) {
			l.f.Blocks[from].Next[i] = l.blockOf(s)
			continue
		}
		l.cur = from
		l.cur = l.newBlock()
		l.f.Blocks[from].Next[i] = l.cur
		l.goTo(b, s)
	}
}

// busy reports whether something is to be done on the way from b to s.
func (l *lowering) busy(b, s *ssa.BasicBlock) bool {
	_, phi := s.Instrs[0].(*ssa.Phi)
	return phi || l.closes(b, s)
}

// phisMove reports whether the phis of a block are variables of machine code.
func (l *lowering) phisMove(s *ssa.BasicBlock) bool {
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if l.c.repOf(phi.Type()) == layout.Memory {
			return false
		}
	}
	return true
}

// entries returns the blocks at which the code is entered: the heads of loops from which it
// gets round without leaving. The interpreter passes heads without ops by: it gets to the
// next blocks of the loop.
func (l *lowering) entries(fn *ssa.Function) []int {
	var list []int
	add := func(b int) {
		if !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	for _, b := range fn.Blocks {
		head := slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return l.back[[2]int{p.Index, b.Index}] })
		if !head || !l.round(b.Index) {
			continue
		}
		add(b.Index)
		if len(l.c.blocks[b.Index].Ops) > 0 {
			continue
		}
		for _, s := range b.Succs {
			if b.Dominates(s) && l.depth[s.Index] >= l.depth[b.Index] {
				add(s.Index)
			}
		}
	}
	if l.bodies.called && l.returnsFrom(0) {
		add(0)
	}
	l.f.Entries = list
	return list
}

// round reports whether code that begins at a block gets there again.
func (l *lowering) round(head int) bool {
	return l.comesTo(head, func(i int) bool { return slices.Contains(l.f.Blocks[i].Successors(), head) })
}

// comesTo reports whether code that begins at a block comes to the end of a block that
// is looked for.
func (l *lowering) comesTo(from int, is func(block int) bool) bool {
	seen := make([]bool, len(l.f.Blocks))
	todo := []int{from}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.f.Blocks[i].Leaves() {
			continue
		}
		if is(i) {
			return true
		}
		for _, s := range l.f.Blocks[i].Successors() {
			if !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
		}
	}
	return false
}
