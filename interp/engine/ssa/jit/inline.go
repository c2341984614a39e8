package jit

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
)

// nested is an inlined call, or a callee, while it is lowered. Its values have no frame slots. A
// side exit resumes at the op of the outermost call, so there can be no side exit after a store.
type nested struct {
	call    *ssa.Call
	fn      *ssa.Function
	outer   *nested // the inlined call whose function makes the call
	blocks  map[*ssa.BasicBlock]int
	end     int            // the block after the call
	results [][]native.Reg // registers of the call's results
	stored  bool           // a store has been emitted on the path to the current instruction
	returns int            // number of returns
	single  bool           // the function has one block
	strict  bool           // an unsupported instruction makes the function unfit for inlining
	limit   int            // the size at which inlining stops
	callee  bool           // it is a callee, and not an inlined call
	gaveUp  bool           // the callee has an unsupported instruction after which it may return
	leaf    bool           // it is the function itself, as a callee that calls nothing
	storing                // the state of the outermost call
}

// storing is the state that an inlined call shares with the calls inlined in it.
type storing struct {
	queue []native.Instr // stores that are emitted later, so that checks come before them
	fused bool           // the call is part of an op that also does something else
	// At an unsupported instruction, the code goes to the block slow, which makes the outermost
	// call without inlining. The block is 0 if there is no such block.
	slow  int
	slows int // number of jumps to slow at unsupported instructions
	size  int // number of instructions of the inlined functions
}

// outermost returns the inlined call that is not part of another inlined call.
func (i *nested) outermost() *nested {
	for i.outer != nil {
		i = i.outer
	}
	return i
}

// owns reports whether a value is defined in the nested function.
func (i *nested) owns(v ssa.Value) bool { return v.Parent() == i.fn }

// noExitAfter reports whether the op that includes a call has no side exit after the call.
func (l *lowering) noExitAfter(call *ssa.Call) bool {
	root, behind := l.rootOf(call), false
	for _, v := range l.pending {
		if l.unable[v] && l.rootOf(v) == root {
			return false
		}
	}
	for _, in := range call.Block().Instrs {
		switch {
		case in == ssa.Instruction(call):
			behind = true
		case !behind:
		case !l.neverExits(in):
			return false
		case in == root:
			return true
		}
	}
	return false
}

// neverExits reports whether the code of an instruction has no side exit.
func (l *lowering) neverExits(in ssa.Instruction) bool {
	number := func(v ssa.Value) (native.Type, bool) {
		t, ok := l.scalarType(v.Type())
		return t, ok && t != native.Pointer
	}
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.BinOp:
		k, isConst := in.Y.(*ssa.Const)
		t, ok := number(in.X)
		if _, both := number(in.Y); !ok || !both {
			return false
		}
		switch in.Op {
		case token.QUO, token.REM:
			return t.Float() || isConst && constant.Sign(k.Value) != 0
		case token.SHL, token.SHR:
			return isConst
		}
		return true
	case *ssa.Convert:
		return l.view.Numeric(in.X.Type()) && l.view.Numeric(in.Type())
	case *ssa.UnOp:
		_, ok := number(in.X)
		return ok && (in.Op == token.SUB || in.Op == token.NOT || in.Op == token.XOR)
	case *ssa.Store:
		_, known := l.mems[in.Addr]
		_, static := l.view.Static(in.Addr)
		_, ok := number(in.Val)
		return ok && (known || static) && !l.view.SoleStore(in)
	}
	return false
}

// stored notes that a store has been emitted. Stores of inlined calls are in the queue.
func (l *lowering) stored() {
	if l.nested != nil && l.nested.callee {
		l.nested.stored = true
	}
}

// inlining reports whether an inlined call is being lowered.
func (l *lowering) inlining() bool { return l.nested != nil && !l.nested.callee }

// queues puts a store of an inlined call into the queue. If the instruction may read memory that a
// queued store writes, queues first emits all queued stores. It reports whether nothing is left to
// be done for the instruction.
func (l *lowering) queues(in native.Instr) bool {
	n := l.nested.outermost()
	switch in.Op {
	case native.Store, native.StorePtr:
		n.queue = append(n.queue, in)
		return true
	case native.Load:
		for _, s := range n.queue {
			if !apart(s, in) {
				l.settle()
				break
			}
		}
	case native.Call:
		if len(n.queue) > 0 {
			panic(cannotInline{}) // its side exit would repeat the stores
		}
	}
	return false
}

// apart reports whether two instructions access different memory.
func apart(a, b native.Instr) bool {
	x, y := a.Mem, b.Mem
	return x.Base == y.Base && x.Index == native.None && y.Index == native.None &&
		(x.Disp+int32(a.Type.Size()) <= y.Disp || y.Disp+int32(b.Type.Size()) <= x.Disp)
}

// settle emits the stores in the queue.
func (l *lowering) settle() {
	n := l.nested.outermost()
	if len(n.queue) == 0 {
		return
	}
	if n.fused { // a side exit after the call would repeat the stores
		panic(cannotInline{})
	}
	b := &l.f.Blocks[l.cur]
	b.Instrs = append(b.Instrs, n.queue...)
	n.queue, l.nested.stored = nil, true
}

// callInstr lowers a call of a builtin, of a function of package math or of a function with a body.
// It inlines the function with a body if that function is small.
func (l *lowering) callInstr(in *ssa.Call) bool {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		return l.builtin(in, b.Name())
	}
	fn := in.Call.StaticCallee()
	if fn == nil && !in.Call.IsInvoke() && (l.nested == nil || l.inlining()) {
		fns := l.view.FuncTargets(in.Call.Value)
		return len(fns) > 0 && l.inline(in, true, fns...)
	}
	if fn == nil || in.Call.IsInvoke() || l.nested != nil && l.nested.leaf && len(fn.Blocks) > 0 {
		return false
	}
	if len(fn.Blocks) == 0 {
		if fn.Pkg != nil && fn.Signature.Recv() == nil {
			switch fn.Pkg.Pkg.Path() {
			case "math":
				return l.mathCall(in, fn.Name()) || l.callGo(in, fn)
			case "math/bits":
				return l.bitsCall(in, fn.Name())
			}
		}
		return l.builderCall(in, fn)
	}
	if inlineFits(fn) && l.inline(in, false, fn) {
		return true
	}
	queued := l.inlining() && len(l.nested.outermost().queue) > 0 // a side exit of the call would repeat the stores
	if !queued && len(fn.FreeVars) == 0 && l.callCallee(in, fn) {
		return true
	}
	return l.inline(in, true, fn)
}

// Limits on the functions that are inlined.
const (
	maxInlineInstrs = 60
	maxInlineBlocks = 12
)

// inlineFits reports whether a function can be inlined, because it is small, has no loop and needs
// no frame.
func inlineFits(fn *ssa.Function) bool {
	if len(fn.Blocks) > maxInlineBlocks || !ordinary(fn) {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
		for _, s := range b.Succs {
			if s.Dominates(b) {
				return false
			}
		}
	}
	return n <= maxInlineInstrs
}

// ordinary reports whether a function comes from source and does not recover.
func ordinary(fn *ssa.Function) bool {
	return fn.Recover == nil && (fn.Synthetic == "" || strings.HasPrefix(fn.Synthetic, "instance"))
}

// cannotInline is the panic of a call that cannot be inlined.
type cannotInline struct{}

// maxInlineSize is the maximum number of instructions that one call inlines, with the calls in it.
const maxInlineSize = 120

// maxPartSize is the maximum number of instructions of the inlined part of a large function.
const maxPartSize = 40

// inline inlines a call of a function or, if the callee is not known, the calls of the functions
// that it may be. If a function has an instruction that is not supported or that needs a frame,
// inline undoes what it has emitted. If partly is set, the code instead makes the call in full when
// it comes to such an instruction and has changed nothing.
func (l *lowering) inline(in *ssa.Call, partly bool, fns ...*ssa.Function) (done bool) {
	if outer := l.nested; outer != nil && outer.callee || partly && !l.mayRepeat(in) {
		return false
	}
	root := &nested{strict: !partly}
	if l.nested != nil {
		root = l.nested.outermost()
	} else {
		root.fused = l.view.Fused(in) && !l.noExitAfter(in)
	}
	undo := l.mark(root)
	results, ok := l.resultsOf(in)
	if !ok {
		return false
	}
	if l.nested == nil && partly {
		l.f.Blocks = append(l.f.Blocks, native.Block{})
		root.slow = len(l.f.Blocks) - 1
	}
	known := in.Call.StaticCallee() != nil
	queue, after, join := root.queue, false, 0
	for i, fn := range fns {
		other := root.slow
		if i+1 < len(fns) { // if the callee is not fn, it may be the next function
			l.f.Blocks = append(l.f.Blocks, native.Block{Depth: l.f.Blocks[l.cur].Depth})
			other = len(l.f.Blocks) - 1
		}
		root.queue = queue
		stored, ok := l.inlineOne(in, fn, &nested{call: in, fn: fn, outer: l.nested, results: results, strict: !partly}, root, known, other)
		if ok {
			done, after = true, after || stored
			if len(fns) > 1 {
				if join == 0 {
					l.f.Blocks = append(l.f.Blocks, native.Block{Depth: l.f.Blocks[l.cur].Depth})
					join = len(l.f.Blocks) - 1
				}
				l.f.Blocks[l.cur].End, l.f.Blocks[l.cur].Next[0] = native.Jump, join
			}
		}
		if i+1 < len(fns) {
			if !ok {
				l.f.Blocks[l.cur].End, l.f.Blocks[l.cur].Next[0] = native.Jump, other
			}
			l.f.Order = append(l.f.Order, other)
			l.cur = other
		} else if !ok && len(fns) > 1 {
			l.f.Blocks[l.cur].End, l.f.Blocks[l.cur].Next[0] = native.Jump, root.slow
		}
	}
	if !done {
		undo()
		return false
	}
	if join > 0 {
		l.f.Order = append(l.f.Order, join)
		l.cur = join
	}
	if !known {
		root.queue = nil // the stores in it have been emitted in each function
	}
	if l.nested != nil {
		l.nested.stored = after
		return true
	}
	l.storeResults(in, results)
	if root.slow > 0 {
		l.callInFull(in, root.slow)
	}
	return true
}

// mark returns a function that undoes everything that has been emitted since the call of mark.
func (l *lowering) mark(root *nested) (undo func()) {
	blocks, order, exits, cur := len(l.f.Blocks), len(l.f.Order), len(l.f.Exits), l.cur
	before, notNil, guards, state := l.f.Blocks[cur], maps.Clone(l.notNil), len(l.guards), root.storing
	return func() {
		l.f.Blocks, l.f.Order, l.f.Exits, l.cur = l.f.Blocks[:blocks], l.f.Order[:order], l.f.Exits[:exits], cur
		l.f.Blocks[cur], l.notNil, l.guards, root.storing = before, notNil, l.guards[:guards], state
	}
}

// inlineOne inlines a call of one function. It reports whether it has succeeded, and whether the
// code has then emitted a store. If the callee is not known, the code checks the callee. For
// another callee, it goes to the block with the number other.
func (l *lowering) inlineOne(in *ssa.Call, fn *ssa.Function, n, root *nested, known bool, other int) (stored, done bool) {
	f := l.view.Function(fn)
	has := f.Code.Load()
	if has == nil || has.Fn != f || f.SwitchedOff() || len(fn.Blocks) == 0 || !ordinary(fn) { // a later cell has declared it again, or the user has switched it off
		return false, false
	}
	if fn == l.view.Func() && n.strict {
		return false, false
	}
	for o := n.outer; o != nil; o = o.outer {
		if o.fn == fn {
			return false, false
		}
	}
	l.view.NoteLocals(fn)
	undo := l.mark(root)
	values, mems, vars := l.values, l.mems, l.vars
	defer func() {
		l.values, l.mems, l.vars, l.nested = values, mems, vars, n.outer
		switch v := recover(); v.(type) {
		case nil:
		case cannotInline:
			undo()
			stored, done = false, false
		default:
			panic(v)
		}
	}()
	n.blocks, n.limit = map[*ssa.BasicBlock]int{}, maxInlineSize
	if n.outer == nil {
		n.storing = root.storing
	} else {
		n.stored = n.outer.stored
	}
	if !inlineFits(fn) {
		n.limit = min(n.limit, root.size+maxPartSize)
	}
	params, mem := map[ssa.Value][]native.Reg{}, map[ssa.Value]native.Mem{}
	switch closure, ok := in.Call.Value.(*ssa.MakeClosure); {
	case ok:
		l.captured(closure, fn, params, mem)
	case !known:
		l.expect(in.Call.Value, f, fn, other, params)
	}
	for i, p := range fn.Params {
		words, ok := l.argWords(in.Call.Args[i])
		if !ok {
			panic(cannotInline{})
		}
		params[p] = words
	}
	l.values, l.mems, l.vars, l.nested = params, mem, map[*ssa.Alloc]variable{}, n
	l.innerBlocks(fn)
	if n.outer == nil || other != root.slow || !known {
		l.settle()
	}
	if n.returns == 0 || n.outer == nil && n.slows > n.returns {
		panic(cannotInline{})
	}
	if n.outer == nil {
		root.size = n.size
	}
	l.guards = append(l.guards, machine.Guard{F: f, Code: has})
	return n.stored, true
}

// expect emits the check that a func value refers to a function. If it does not, the code goes to
// the block slow. expect sets the captured variables.
func (l *lowering) expect(v ssa.Value, f *machine.Function, fn *ssa.Function, slow int, values map[ssa.Value][]native.Reg) {
	r, x := machine.NativeRuntime(), l.reg(v)
	constant := func(t native.Type, v uintptr) native.Reg {
		return l.temp(t, native.Instr{Op: native.Const, Type: t, Imm: int64(v)})
	}
	load := func(t native.Type, base native.Reg, off int32) native.Reg {
		return l.temp(t, native.Instr{Op: native.Load, Type: t, Mem: native.Mem{Base: base, Disp: off}})
	}
	l.orElse(native.Test{Type: native.Pointer, Cond: native.NotEqual, X: x}, slow)
	l.orElse(native.Test{Type: native.Uint64, Cond: native.Equal, X: load(native.Uint64, x, 0), Y: constant(native.Uint64, r.ClosurePC)}, slow)
	l.keep = append(l.keep, unsafe.Pointer(f))
	l.orElse(native.Test{Type: native.Pointer, Cond: native.Equal, X: load(native.Pointer, x, r.ClosureFn), Y: constant(native.Pointer, uintptr(unsafe.Pointer(f)))}, slow)
	if len(fn.FreeVars) == 0 {
		return
	}
	env := load(native.Pointer, x, r.ClosureEnv)
	for i, v := range fn.FreeVars {
		words := nativeTypes[l.view.Rep(v.Type())]
		if len(words) != 1 {
			panic(cannotInline{})
		}
		values[v] = []native.Reg{load(words[0], env, int32(f.Binding(i)))}
	}
}

// orElse continues in a new block if a test holds. Otherwise the code goes to another block.
func (l *lowering) orElse(t native.Test, other int) {
	from, next := l.cur, l.newBlock()
	l.f.Blocks[from].End, l.f.Blocks[from].Test, l.f.Blocks[from].Next = native.Branch, t, [2]int{next, other}
	l.cur = next
}

// mayRepeat reports whether the code can make a call in full after it has begun to inline the call.
func (l *lowering) mayRepeat(in *ssa.Call) bool {
	if l.nested != nil {
		return l.nested.outermost().slow > 0 && !l.nested.stored
	}
	if l.view.Fused(in) || l.ops != 1 || l.op+1 > l.view.Ops(l.block) {
		return false
	}
	for _, v := range l.pending {
		if l.rootOf(v) != ssa.Instruction(in) {
			return false // registers that have no home do not outlast the call-out
		}
	}
	return true
}

// callInFull emits a call without inlining, in the block slow. The code after it joins the current
// block.
func (l *lowering) callInFull(in *ssa.Call, slow int) {
	fast := l.cur
	l.f.Order = append(l.f.Order, slow)
	l.cur = slow
	l.out(in)
	slow = l.cur
	l.cur = fast
	join := l.newBlock()
	for _, b := range [2]int{fast, slow} {
		l.f.Blocks[b].End, l.f.Blocks[b].Next[0] = native.Jump, join
	}
	l.cur = join
}

// captured records the locations of the variables that a function literal has captured.
func (l *lowering) captured(closure *ssa.MakeClosure, fn *ssa.Function, values map[ssa.Value][]native.Reg, mems map[ssa.Value]native.Mem) {
	for i, b := range closure.Bindings {
		v := fn.FreeVars[i]
		off, local := l.view.Static(b)
		alloc, isAlloc := b.(*ssa.Alloc)
		_, isFree := b.(*ssa.FreeVar)
		switch {
		case isAlloc && local:
			mems[v] = native.Mem{Base: native.Frame, Disp: int32(off)}
		case isAlloc && l.homes(alloc) != nil || isFree: // they keep their slots
			values[v] = l.words(b)
		default:
			panic(cannotInline{})
		}
	}
}

// resultsOf returns the registers for the results of a call.
func (l *lowering) resultsOf(in *ssa.Call) (all [][]native.Reg, ok bool) {
	tuple, several := in.Type().(*types.Tuple)
	if several && l.nested != nil {
		defer func() { l.tuples[in] = all }()
	}
	if !several {
		if l.nested != nil {
			_, ok := l.wordTypes(in.Type())
			return [][]native.Reg{l.set(in)}, ok
		}
		if l.view.Rep(in.Type()) == layout.Memory {
			words, ok := l.structResult(in.Type())
			return [][]native.Reg{words}, ok
		}
		r := l.view.Rep(in.Type())
		return [][]native.Reg{l.set(in)}, nativeTypes[r] != nil
	}
	if tuple.Len() == 0 {
		return nil, true
	}
	parts := l.view.Tuple(in)
	for i := range tuple.Len() {
		t := tuple.At(i).Type()
		_, ok := l.wordTypes(t)
		switch {
		case !ok:
			return nil, false
		case l.nested != nil:
			words, _ := l.structResult(t)
			all = append(all, words)
		case i >= len(parts) || parts[i].Type == nil:
			all = append(all, nil)
		case parts[i].Rep == layout.Memory:
			words, _ := l.structResult(t)
			all = append(all, words)
		default:
			all = append(all, l.slotWords(parts[i]))
		}
	}
	return all, true
}

// structResult returns new registers for a result that is a struct.
func (l *lowering) structResult(t types.Type) (words []native.Reg, ok bool) {
	list, ok := l.wordTypes(t)
	for _, w := range list {
		words = append(words, l.f.Var(native.Var{Type: w}))
	}
	return words, ok
}

// storeResults stores in the frame those results of an inlined call that are structs.
func (l *lowering) storeResults(in *ssa.Call, results [][]native.Reg) {
	store := func(t types.Type, words []native.Reg, s layout.Slot) {
		l.storeParts(t, words, native.Mem{Base: native.Frame, Disp: int32(s.Off)})
	}
	tuple, several := in.Type().(*types.Tuple)
	if !several {
		if s, ok := l.view.Slot(in); ok && s.Rep == layout.Memory {
			store(in.Type(), results[0], s)
		}
		return
	}
	for i, s := range l.view.Tuple(in) {
		if s.Type != nil && s.Rep == layout.Memory {
			store(tuple.At(i).Type(), results[i], s)
		}
	}
}

// innerBlocks lowers the blocks of an inlined call.
func (l *lowering) innerBlocks(fn *ssa.Function) {
	n := l.nested
	root := n.outermost()
	list := order(fn)
	n.blocks[list[0]] = l.cur
	for _, b := range list[1:] {
		n.blocks[b] = l.newBlock()
		l.f.Blocks[n.blocks[b]].End = native.Stop
	}
	if n.single = len(list) == 1; !n.single {
		n.end = l.newBlock()
	}
	stored := map[*ssa.BasicBlock]bool{list[0]: n.stored} // by block that the code reaches
	n.stored = false
	after := false // a store has been emitted when the call returns
	for _, b := range list {
		was, reached := stored[b]
		if !reached {
			continue
		}
		l.cur, n.stored = n.blocks[b], was
		if l.innerBlock(b, root) {
			for _, s := range b.Succs {
				stored[s] = stored[s] || n.stored
			}
			after = after || len(b.Succs) == 0 && n.stored
		}
	}
	if !n.single {
		l.cur = n.end
	}
	n.stored = after
}

// innerBlock lowers a block of an inlined call. It returns false if the code makes the call in full
// from there.
func (l *lowering) innerBlock(b *ssa.BasicBlock, root *nested) (done bool) {
	n, cur, begin := l.nested, l.cur, len(l.f.Blocks[l.cur].Instrs)
	stored := n.stored
	defer func() {
		switch v := recover(); v.(type) {
		case nil:
			if done {
				return
			}
		case cannotInline:
		default:
			panic(v)
		}
		if l.cur == cur { // what the block has computed is not needed
			l.f.Blocks[cur].Instrs = l.f.Blocks[cur].Instrs[:begin]
			clear(l.notNil)
			n.stored = stored
		}
		if root.slow == 0 || n.strict || n.stored {
			panic(cannotInline{})
		}
		root.slows++
		root.queue = nil
		x := &l.f.Blocks[l.cur]
		x.End, x.Next[0] = native.Jump, root.slow
	}()
	if slices.ContainsFunc(b.Preds, b.Dominates) {
		return false // it is a loop
	}
	for _, in := range b.Instrs {
		if root.size++; root.size > n.limit {
			return false
		}
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.Jump:
			l.settle()
			l.jump(b, b.Succs[0])
		case *ssa.If:
			l.settle()
			l.branch(b, in)
		default:
			if !l.instr(in) {
				return false
			}
		}
	}
	return true
}

// innerReturn lowers a return of an inlined call or a callee.
func (l *lowering) innerReturn(in *ssa.Return) bool {
	if l.nested.callee && len(in.Results) != 1 && !l.nested.leaf {
		return false
	}
	if !l.nested.callee && !l.nested.single {
		l.settle()
	}
	l.nested.returns++
	var moves [][2]native.Reg
	for i, v := range in.Results {
		from := l.words(v)
		for k, to := range l.nested.results[i] {
			if to != from[k] {
				moves = append(moves, [2]native.Reg{to, from[k]})
			}
		}
	}
	l.moveAll(moves)
	if l.nested.callee {
		l.f.Blocks[l.cur].End = native.Return
		return true
	}
	if !l.nested.single {
		x := &l.f.Blocks[l.cur]
		x.End, x.Next[0] = native.Jump, l.nested.end
	}
	return true
}
