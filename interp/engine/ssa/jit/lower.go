package jit

import (
	"fmt"
	"go/token"
	"slices"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// unsupported is the panic of a function that cannot be JIT-compiled, with the reason.
type unsupported string

// lowering is the state of lowering one function to package native's form.
type lowering struct {
	view   *compile.View // view of the function
	f      *native.Func
	depth  []int                  // loop depth, by block
	back   map[[2]int]bool        // back edges of loops
	at     map[uintptr]native.Reg // words of the frame
	consts map[literal]native.Reg
	values map[ssa.Value][]native.Reg
	mems   map[ssa.Value]native.Mem     // addresses that are folded into their uses
	tuples map[ssa.Value][][]native.Reg // results of calls that are inlined in inlined calls
	vars   map[*ssa.Alloc]variable      // variables of inlined calls and callees
	notNil map[native.Reg]int           // the block, plus 1, in which a pointer was last checked for nil
	keep   []unsafe.Pointer             // objects whose addresses are in the code: they stay reachable
	guards []machine.Guard

	cur     int                // the block of f that instructions are emitted to
	block   int                // the block of the function that is being lowered
	op      int                // the op of the block at which a side exit resumes: the first op that is not done
	ops     int                // number of ops of the instruction that is being lowered
	pending []ssa.Value        // values of ops that are not done
	slots   []layout.Slot      // frame slots of results of calls in frames
	unable  map[ssa.Value]bool // pending values that are not supported: their ops are called out
	calls   bool               // the function makes calls in frames
	resumes []int              // the blocks after call-outs
	after   []*ssa.BasicBlock  // the blocks after branches that are not supported
	why     map[token.Pos]string
	nested  *nested // the inlined call or the callee that is being lowered; nil in the function itself
	callees *callees
}

func newLowering(view *compile.View, f *native.Func) *lowering {
	return &lowering{
		view: view, f: f, at: map[uintptr]native.Reg{}, consts: map[literal]native.Reg{},
		values: map[ssa.Value][]native.Reg{}, unable: map[ssa.Value]bool{}, mems: map[ssa.Value]native.Mem{}, tuples: map[ssa.Value][][]native.Reg{}, vars: map[*ssa.Alloc]variable{}, notNil: map[native.Reg]int{}, why: map[token.Pos]string{},
	}
}

type literal struct {
	t native.Type
	v int64
}

// Compiler is the JIT compiler of a session.
type Compiler struct{ ops *compile.Compiler }

// New returns a JIT compiler for functions that ops has compiled.
func New(ops *compile.Compiler) *Compiler { return &Compiler{ops} }

// Compile JIT-compiles a function. If the function stays with the interpreter, the error is the
// reason.
func (j *Compiler) Compile(c *machine.Code) (n *machine.Native, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case unsupported:
			err = fmt.Errorf("%s", string(v))
		default:
			if j.ops.Checks() {
				panic(v)
			}
			n, err = nil, fmt.Errorf("internal error: %v", v)
		}
	}()
	fn := c.SSA
	if c.Debug != nil || c.Wrapper {
		return nil, fmt.Errorf("it has breakpoints")
	}
	if n := len(fn.Blocks); n > 2000 {
		return nil, fmt.Errorf("it has %d blocks", n)
	}
	l := newLowering(nil, native.NewFunc())
	l.callees = &callees{by: map[*ssa.Function]*callee{}, goNumbers: map[*ssa.Function]int{}}
	l.findLoops(fn)
	if l.view = j.ops.View(c); l.view == nil {
		return nil, fmt.Errorf("it would be compiled differently now")
	}
	l.lower(fn)
	l.f.Leaf = l.leaf(fn)
	l.f.Bodies, l.f.Go = l.callees.list, l.callees.goFuncs
	heads := l.entries(fn)
	l.f.Entries = append(slices.Clone(heads), l.resumes...)
	if deferring := c.Defers || fn.Recover != nil; !deferring && l.returnsFrom(0) {
		l.callable() // a caller could not catch a panic for its deferred calls
	}
	l.f.Calls = machine.NativeRuntime()
	n = &machine.Native{Guards: l.guards, Why: l.why, First: -1}
	if l.f.Callable {
		n.First = l.f.Start
	}
	if len(heads) == 0 && !l.f.Callable {
		return n, fmt.Errorf("no loop iteration and no call is free of unsupported instructions")
	}
	for _, x := range l.f.Exits {
		to := machine.NativeExit{Block: x.Block, Op: x.Op, Ops: x.Ops, Resume: -1}
		if x.Ops > 0 {
			to.Resume = len(heads) + slices.Index(l.resumes, x.Next)
		} else if i := slices.Index(l.f.Entries, x.Block); x.Op == 0 && i >= 0 {
			to.Resume = i // at a safepoint
		}
		if x.Called != nil {
			to.Called = func(fp layout.Frame) *machine.Code { return (*machine.Code)(x.Called(unsafe.Pointer(fp))) }
		}
		for _, r := range x.Results {
			to.Results = append(to.Results, machine.NativeResult{From: r.From, To: l.slots[r.To]})
		}
		n.Exits = append(n.Exits, to)
	}
	n.Heads = heads
	n.Code, err = native.Compile(l.f, l.keep)
	return n, err
}

// findLoops finds the back edges, and the loop depth of each block.
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

// lower lowers all blocks, in an order that keeps the blocks of a loop together.
func (l *lowering) lower(fn *ssa.Function) {
	for range fn.Blocks {
		l.f.Blocks = append(l.f.Blocks, native.Block{})
	}
	for _, s := range l.view.Results() {
		l.f.Results = append(l.f.Results, l.slotWords(s)...)
	}
	for _, b := range order(fn) {
		l.cur, l.block = b.Index, b.Index
		l.f.Order = append(l.f.Order, b.Index)
		l.f.Blocks[b.Index].Depth = l.depth[b.Index]
		l.lowerBlock(b)
	}
}

// order returns the blocks in reverse postorder. The first successor of a branch comes before the
// second, so loop bodies come before the code after the loops.
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

// newBlock appends a block.
func (l *lowering) newBlock() int {
	l.f.Blocks = append(l.f.Blocks, native.Block{Depth: l.f.Blocks[l.cur].Depth})
	n := len(l.f.Blocks) - 1
	l.f.Order = append(l.f.Order, n)
	return n
}

func (l *lowering) emit(in native.Instr) {
	if l.inlining() && l.queues(in) {
		return
	}
	if in.D != native.None {
		delete(l.notNil, in.D)
	}
	b := &l.f.Blocks[l.cur]
	b.Instrs = append(b.Instrs, in)
}

func (l *lowering) lowerBlock(b *ssa.BasicBlock) {
	starts := l.view.FirstOps(b)
	l.pending = l.pending[:0]
	for i, in := range b.Instrs {
		l.op, l.ops = starts[i], 0
		if i+1 < len(starts) {
			l.ops = starts[i+1] - starts[i]
		}
		if l.view.Omitted(in) {
			continue
		}
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
			continue
		case *ssa.Jump:
			l.jump(b, b.Succs[0])
			continue
		case *ssa.If:
			l.branch(b, in)
			continue
		case *ssa.Return, *ssa.Panic:
			if l.hasUnable(in) || !l.instr(in) {
				l.leave(in)
			}
			continue
		}
		v, _ := in.(ssa.Value)
		fused := v != nil && l.view.Fused(v)
		if fused {
			l.pending = append(l.pending, v)
		}
		if next, ok := in.(*ssa.Next); ok && l.view.Stepped(next) {
			continue
		}
		out := l.hasUnable(in) || !l.instr(in)
		if fused {
			if out {
				l.unable[v] = true
				l.note(in)
			}
			continue
		}
		l.finish(in)
		if out {
			l.callOut(in)
		}
	}
}

// finish removes from pending the values that an instruction has used up.
func (l *lowering) finish(in ssa.Instruction) {
	kept := l.pending[:0]
	for _, v := range l.pending {
		if l.rootOf(v) != in {
			kept = append(kept, v)
		}
	}
	l.pending = kept
}

// rootOf returns the instruction whose op computes a fused value.
func (l *lowering) rootOf(v ssa.Value) ssa.Instruction {
	for {
		user := (*v.Referrers())[0]
		next, ok := user.(ssa.Value)
		if !ok || !l.view.Fused(next) {
			return user
		}
		v = next
	}
}

// exit adds a side exit that resumes the interpreter before an instruction. It returns the number
// of the exit. In a callee it returns -1, because callees are abandoned as a whole.
func (l *lowering) exit(in ssa.Instruction) int32 {
	if l.nested != nil {
		if l.nested.callee {
			if l.nested.stored {
				panic(cannotInline{})
			}
			return -1
		}
		n := l.nested
		if n.stored {
			panic(cannotInline{})
		}
		in = n.outermost().call
		l.nested = nil
		defer func() { l.nested = n }()
	}
	if l.op > l.view.Ops(l.block) {
		panic(unsupported("a check comes after the step of a loop"))
	}
	x := native.Exit{Block: l.block, Op: l.op, Uses: l.uses(in, nil)}
	for _, v := range l.pending {
		x.Uses = l.uses(v.(ssa.Instruction), x.Uses)
	}
	l.f.Exits = append(l.f.Exits, x)
	return int32(len(l.f.Exits) - 1)
}

// uses adds the frame words that the op of an instruction reads, including the words of fused
// operands.
func (l *lowering) uses(in ssa.Instruction, to []native.Reg) []native.Reg {
	for _, o := range in.Operands(nil) {
		if *o != nil {
			to = l.usesOf(*o, to)
		}
	}
	return to
}

// usesOf adds the frame words that an operand reads.
func (l *lowering) usesOf(v ssa.Value, to []native.Reg) []native.Reg {
	to = append(to, l.homes(v)...)
	if s, ok := v.(*ssa.Slice); ok && l.homes(v) == nil { // append reads its arguments
		for _, r := range *s.X.Referrers() {
			at, ok := r.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			for _, st := range *at.Referrers() {
				if st, ok := st.(*ssa.Store); ok {
					to = l.usesOf(st.Val, to)
				}
			}
		}
	}
	_, closure := v.(*ssa.MakeClosure)
	if sub, ok := v.(ssa.Instruction); ok && (l.view.Reevaluated(v) || closure) {
		if _, phi := sub.(*ssa.Phi); !phi {
			to = l.uses(sub, to)
		}
	}
	return to
}

// jump ends a block with a jump.
func (l *lowering) jump(b, s *ssa.BasicBlock) {
	if !l.edge(b, s) {
		if l.nested != nil && !l.nested.callee {
			panic(cannotInline{})
		}
		exit := l.exit(b.Instrs[len(b.Instrs)-1])
		if exit >= 0 {
			l.usesOfPhis(b, s, &l.f.Exits[exit])
			l.after = append(l.after, s)
		}
		l.emit(native.Instr{Op: native.Leave, Exit: exit})
	}
	x := &l.f.Blocks[l.cur]
	x.End, x.Next[0] = native.Jump, l.blockOf(s)
}

// usesOfPhis adds the operands of the phis of s for the edge from b.
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

// blockOf returns the number of a block's lowered form.
func (l *lowering) blockOf(b *ssa.BasicBlock) int {
	if l.nested != nil {
		return l.nested.blocks[b]
	}
	return b.Index
}

// edge sets the phis for the edge from b to s, and emits a safepoint on a back edge. It returns
// false if it cannot set the phis.
func (l *lowering) edge(b, s *ssa.BasicBlock) bool {
	if !l.phisMove(s) {
		return false
	}
	from := slices.Index(s.Preds, b)
	var moves [][2]native.Reg
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if r := l.view.Rep(phi.Type()); r == layout.Zero || r == layout.Memory && l.nested == nil {
			continue
		}
		to := l.set(phi)
		for i, x := range l.words(phi.Edges[from]) {
			if to[i] != x {
				moves = append(moves, [2]native.Reg{to[i], x})
			}
		}
	}
	l.copyPhis(s, from)
	l.moveAll(moves)
	if l.closes(b, s) {
		exit := int32(-1)
		if l.nested == nil {
			l.f.Exits = append(l.f.Exits, native.Exit{Block: s.Index})
			exit = int32(len(l.f.Exits) - 1)
		}
		l.emit(native.Instr{Op: native.Poll, Exit: exit})
	}
	return true
}

// closes reports whether the edge from b to s is a back edge that needs a safepoint.
func (l *lowering) closes(b, s *ssa.BasicBlock) bool {
	return (l.nested == nil || l.nested.callee) && l.back[[2]int{b.Index, s.Index}]
}

// moveAll emits parallel moves: it orders them, and breaks cycles with a temporary.
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
		if ready < 0 { // a cycle
			t := l.f.Var(native.Var{Type: l.f.Vars[moves[0][1]].Type})
			l.emit(native.Instr{Op: native.Move, D: t, X: moves[0][1]})
			moves[0][1] = t
			continue
		}
		l.emit(native.Instr{Op: native.Move, D: moves[ready][0], X: moves[ready][1]})
		moves = append(moves[:ready], moves[ready+1:]...)
	}
}

// branch ends a block with a branch. An edge that has code gets a block of its own.
func (l *lowering) branch(b *ssa.BasicBlock, in *ssa.If) {
	if next := l.step(in); next != nil {
		l.branchByStep(b, in, next)
		return
	}
	ok := !l.hasUnable(in)
	var t native.Test
	if ok {
		t, ok = l.test(in)
	}
	for _, s := range b.Succs {
		if !l.phisMove(s) {
			ok = false
		}
	}
	if !ok {
		if l.nested != nil && !l.nested.callee {
			panic(cannotInline{})
		}
		l.why[in.Cond.Pos()] = "compares values that are not supported"
		l.emit(native.Instr{Op: native.Leave, Exit: l.exit(in)})
		if l.nested == nil {
			l.after = append(l.after, b.Succs...)
		}
	}
	from := l.cur
	l.f.Blocks[from].End, l.f.Blocks[from].Test = native.Branch, t
	for i, s := range b.Succs {
		if !l.needsEdge(b, s) {
			l.f.Blocks[from].Next[i] = l.blockOf(s)
			continue
		}
		l.cur = from
		l.cur = l.newBlock()
		l.f.Blocks[from].Next[i] = l.cur
		l.jump(b, s)
	}
}

// needsEdge reports whether the edge from b to s has code.
func (l *lowering) needsEdge(b, s *ssa.BasicBlock) bool {
	_, phi := s.Instrs[0].(*ssa.Phi)
	return phi || l.closes(b, s)
}

// phisMove reports whether code can set all phis of a block.
func (l *lowering) phisMove(s *ssa.BasicBlock) bool {
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		switch {
		case l.view.Rep(phi.Type()) != layout.Memory:
		case l.nested != nil:
			if l.parts(phi.Type()) == nil {
				return false
			}
		default:
			if _, ok := l.view.Slot(phi); !ok || l.view.Type(phi.Type()).Size() > maxCopy {
				return false
			}
			for _, x := range phi.Edges {
				_, isConst := x.(*ssa.Const)
				if _, ok := l.view.Slot(x); !ok && !isConst {
					return false
				}
			}
		}
	}
	return true
}

// entries returns the blocks at which the code is entered: the headers of loops that can complete
// an iteration without a side exit. The interpreter skips headers without ops, so the blocks after
// a header without ops are entries too.
func (l *lowering) entries(fn *ssa.Function) []int {
	var list []int
	add := func(b int) {
		if !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	for _, b := range fn.Blocks {
		head := slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return l.back[[2]int{p.Index, b.Index}] })
		if !head || !l.repeats(b.Index) {
			continue
		}
		add(b.Index)
		if l.view.Ops(b.Index) > 0 {
			continue
		}
		for _, s := range b.Succs {
			if b.Dominates(s) && l.depth[s.Index] >= l.depth[b.Index] {
				add(s.Index)
			}
		}
	}
	if (l.callees.called || l.calls) && l.returnsFrom(0) {
		add(0)
	}
	for _, b := range l.after { // the interpreter has taken a branch
		if l.depth[b.Index] > 0 {
			add(b.Index)
		}
	}
	return list
}

// repeats reports whether code that starts at a block can reach the block again.
func (l *lowering) repeats(head int) bool {
	return l.reaches(head, func(i int) bool { return slices.Contains(l.f.Blocks[i].Successors(), head) })
}

// reaches reports whether code that starts at a block can reach, without a side exit, the end of a
// block that the second argument accepts.
func (l *lowering) reaches(from int, is func(block int) bool) bool {
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
