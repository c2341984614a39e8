package machine

import (
	"go/token"
	"maps"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// Hot functions are JIT-compiled (packages jit and native). A timer makes running goroutines check
// for interrupts. The function that a goroutine is running at that check counts as hot. Its code is
// entered at loop headers, works on the frame, and takes side exits at ops. No code is entered
// while a debugger is attached or a profile is taken.

// hotTime is the time after which the function that a goroutine runs counts as hot.
const hotTime = 2 * time.Millisecond

// NativeMode selects the functions that are JIT-compiled.
type NativeMode int32

const (
	NativeOff    NativeMode = iota
	NativeOn                // hot functions
	NativeForced            // all functions: for tests
)

// Native is the JIT-compiled code of a function.
type Native struct {
	Code   *native.Code
	Exits  []NativeExit
	Heads  []int // the loop headers at which it is entered, in the order of its entries
	First  int   // the entry at the function's beginning, for calls by compiled Go; -1 if there is none
	Guards []Guard
	Why    map[token.Pos]string // reasons of its side exits

	err error // why there is no code

	code    *Code
	runs    atomic.Int64 // entries
	dropped atomic.Bool  // a switch has dropped the code; see switch.go
}

// NativeExit is the place at which the interpreter resumes after a side exit: before an op of a
// block. If the exit is a call-out, the interpreter runs Ops ops, and then enters the code at the
// entry Resume.
type NativeExit struct {
	Block, Op   int
	Ops, Resume int                         // Resume is -1 if the code is not entered there
	Results     []NativeResult              // of a call in a frame of its own
	Called      func(fp layout.Frame) *Code // notes that the interpreter has made this call; returns the callee

	ops   []Op
	first int32 // the number of the first of ops, minus 1
}

// NativeResult is a result that is copied from the callee's frame.
type NativeResult struct {
	From uintptr
	To   layout.Slot
}

// Guard is a function that has been inlined, with the code that it had when it was inlined.
type Guard struct {
	F    *Function
	Code *Code
}

// nativeEntry is a loop header at which JIT-compiled code is entered.
type nativeEntry struct {
	n      *Native
	number int
	// credit is the work done in the code less the cost of entering the code. An entry that returns
	// immediately too often is removed.
	credit atomic.Int32
}

const (
	entryCost   = 40       // cost of an entry, in instructions of the form that are interpreted
	outCost     = 8        // additional cost of an op in a call-out
	leastCredit = -200_000 // credit at which an entry is removed
	mostCredit  = 200_000
)

// SetNative sets which functions are JIT-compiled. If the self-test of the code fails, SetNative
// returns an error and nothing is JIT-compiled.
func (m *Machine) SetNative(mode NativeMode) error {
	if !native.Supported || mode == NativeOff {
		m.native.Store(int32(NativeOff))
		return nil
	}
	if err := native.Check(); err != nil {
		m.native.Store(int32(NativeOff))
		return err
	}
	m.native.Store(int32(mode))
	return nil
}

// NativeFunctions returns the functions that are JIT-compiled now, and the functions that could not
// be JIT-compiled.
func (m *Machine) NativeFunctions() []engine.JITFunction {
	var all []engine.JITFunction
	for _, f := range m.list() {
		c := f.Code.Load()
		if c.Fn != f {
			continue // declared again
		}
		switch n := c.native.Load(); {
		case n != nil:
			all = append(all, n.report(f.SSA))
		case f.SwitchedOff():
			all = append(all, (&Native{code: c}).report(f.SSA))
		}
	}
	return all
}

// report describes the JIT-compiled code of a function.
func (n *Native) report(fn *ssa.Function) engine.JITFunction {
	r := engine.JITFunction{Func: FuncName(fn), Entered: n.runs.Load(), Off: n.code.Fn.M.switchedOff(fn)}
	if n.err != nil {
		r.Why = n.err.Error()
	} else if n.Code != nil {
		r.Size = n.Code.Size
	}
	place := n.code.Fn.position(fn)
	r.Pos = place(fn.Pos())
	for _, p := range slices.Sorted(maps.Keys(n.Why)) {
		if !p.IsValid() {
			continue // part of an instruction that has a position
		}
		r.Exits = append(r.Exits, engine.SideExit{Pos: place(p), Why: n.Why[p]})
	}
	return r
}

// Native returns the mode that selects the functions that are JIT-compiled.
func (m *Machine) Native() NativeMode { return NativeMode(m.native.Load()) }

// heat JIT-compiles a hot function.
func (c *Code) heat() {
	m := c.Fn.M
	if m.Native() == NativeOff || m.sampling.Load() != nil || m.debugging.Load() != nil || c.Fn.SwitchedOff() || !c.heated.CompareAndSwap(false, true) {
		return
	}
	n := c.tryNative()
	c.native.Store(n)
	if n.err != nil {
		return
	}
	if m.Hooks.Compiled != nil {
		start, end := n.Code.Range()
		fn := c.Fn.SSA
		m.Hooks.Compiled(engine.JITCode{
			Func: FuncName(fn), Name: switchNames(fn)[0], Pos: c.Fn.position(fn)(fn.Pos()), Start: start, End: end,
		})
	}
	c.start.Store(n.Code.Start)
	if c.SSA.Signature.Recv() == nil {
		c.leaf.Store(n.Code.Leaf)
	} else if !c.viaPointer.Load() {
		c.method.Store(n.Code.Leaf)
	}
	for i, head := range n.Heads {
		c.Blocks[head].native.Store(&nativeEntry{n: n, number: i})
	}
	if m.Native() == NativeOff || n.switchedOff() { // switched while it was compiled
		c.cool()
	}
}

// warmCalls is the number of calls from JIT-compiled code that makes a function hot.
const warmCalls = 30

// heat JIT-compiles the function of a frame. If that has been tried, it JIT-compiles the function's
// innermost interpreted caller, whose loop calls the compiled code.
func (th *Thread) heat(fp layout.Frame) {
	h := Head(fp)
	if c := h.stack.Code; c.native.Load() == nil {
		c.heat()
		return
	}
	var callers [heatedCallers]*Code
	th.alive(h.depth-heatedCallers-1, func(fp layout.Frame) {
		if at := h.depth - Head(fp).depth; at > 0 && at <= heatedCallers {
			callers[at-1] = Head(fp).stack.Code
		}
	})
	for _, c := range callers {
		if c != nil && c.native.Load() == nil {
			c.heat()
			return
		}
	}
}

// heatedCallers is the number of callers that heat considers.
const heatedCallers = 64

// Warm notes that JIT-compiled code has called the function by way of the interpreter. Warm returns
// the code.
func (c *Code) Warm() *Code {
	if c.native.Load() == nil && c.calls.Add(1) == warmCalls {
		c.ready() // the interpreter may have inlined all calls
		c.heat()
	}
	return c
}

// NoteViaPointer notes that an interface holds a pointer to the receiver of a method, although the
// receiver is itself a pointer. Calls without a frame would take that pointer for the receiver.
func (c *Code) NoteViaPointer() {
	c.viaPointer.Store(true)
	c.method.Store(0)
}

// holds reports whether all inlined functions still have the code that was inlined and no switch
// has dropped the code of n.
func (n *Native) holds() bool {
	if n.dropped.Load() {
		return false
	}
	for _, g := range n.Guards {
		if g.F.Code.Load() != g.Code {
			return false
		}
	}
	return true
}

// forget discards the code. The function is interpreted from then on.
func (n *Native) forget() {
	n.code.start.Store(0)
	n.code.leaf.Store(0)
	n.code.method.Store(0)
	for _, head := range n.Heads {
		n.code.Blocks[head].native.Store(nil)
	}
}

// forgetNatives discards the code of each function that has inlined a function redeclared since.
// The caller holds the lock of the machine.
func (m *Machine) forgetNatives() {
	for f := range m.all() {
		if n := f.Code.Load().native.Load(); n != nil && n.err == nil && !n.holds() {
			n.forget()
		}
	}
}

// enterNative runs JIT-compiled code from a block. It returns the block and the op at which the
// interpreter resumes. The block is nil if the function has returned.
func (th *Thread) enterNative(fp layout.Frame, b *Block, e *nativeEntry) (*Block, int32) {
	m := th.Run.M
	if th.Bound.Load() < 0 || m.debugging.Load() != nil || th.nearFull() {
		return b, 0
	}
	return th.runNative(fp, b, e)
}

// nearFull reports whether JIT-compiled callers have filled their stack and the interpreter has
// since made fewer calls than the constant deeper.
func (th *Thread) nearFull() bool {
	if th.fullAt == 0 || th.Depth > th.fullAt && th.Depth < th.fullAt+deeper {
		return th.fullAt != 0
	}
	th.fullAt = 0
	return false
}

// deeper is the number of nested calls that the interpreter runs when the code's stack is full.
// After that, code is entered again on an empty stack.
const deeper = 512

// runNative is like enterNative, for a thread that does not have to poll. The code may call other
// code in frames of its own without returning to Go, and that code may leave. runNative then
// continues the calls in progress itself, without nested calls of runNative.
func (th *Thread) runNative(fp layout.Frame, b *Block, e *nativeEntry) (*Block, int32) {
	if th.interrupted(e.n) {
		return b, 0
	}
	e.n.runs.Add(1)
	return th.continueNative(fp, e, th.runCode(e.n, e.number, fp))
}

// continueNative continues after the first run of code of the function in a frame. The gain is
// added to the credit of the entry, which may be nil.
func (th *Thread) continueNative(base layout.Frame, e *nativeEntry, run nativeRun) (b *Block, op int32) {
	gain := int32(0)
	account := func() {
		if e != nil {
			e.account(gain)
		}
	}
	for {
		gain = min(gain+int32(min(run.work, mostCredit)), mostCredit)
		fp, n, number := run.at, run.in, 0
		op, b = 0, nil
		if run.how != native.Returned {
			x := &n.Exits[run.exit]
			b = n.code.Blocks[x.Block]
			switch run.how {
			case native.Out, native.Ran:
				if run.how == native.Out {
					h, pc := Head(fp), x.first
					for _, o := range x.ops {
						pc++
						h.PC = pc
						o(fp)
					}
				}
				if x.Called != nil {
					// The interpreter may have inlined the call, so that there is no frame yet.
					if c := x.Called(fp); c != nil && c.start.Load() != 0 {
						th.StackOf(c)
					}
				}
				if !th.interrupted(n) {
					gain -= outCost
					run = th.runCode(n, x.Resume, fp)
					continue
				}
				op = int32(x.Op + x.Ops)
			case native.Left:
				b = th.leaveNative(fp, b, x.Op)
				if b == nil || th.interrupted(n) {
					break
				}
				if next := b.native.Load(); next != nil && next.n == n {
					gain -= 2 * outCost
					run = th.runCode(n, next.number, fp)
					continue
				}
			case native.Polled:
				account()
				gain = 0
				if x.Resume >= 0 && !th.interrupted(n) && (fp != base || e == nil || b.native.Load() != nil) {
					run = th.runCode(n, x.Resume, fp)
					continue
				}
			default: // native.GivenUp
				op = int32(x.Op)
			}
		}
		if fp == base {
			account()
			return b, op
		}
		Head(fp).back = 0
		if b != nil {
			th.interpret(fp, b, op)
		}
		fp, n, number = th.endCall(fp)
		run = th.runCode(n, number, fp)
	}
}

// interrupted reports whether the interpreter has to continue instead of the code.
func (th *Thread) interrupted(n *Native) bool {
	if th.Bound.Load() < 0 || th.Run.M.debugging.Load() != nil {
		return true
	}
	if !n.holds() {
		if !n.dropped.Load() {
			n.forget()
		}
		return true
	}
	return false
}

// nativeOf returns the Native to which a function's code belongs.
func nativeOf(c *native.Code) *Native { return (*Native)(c.Tag) }

// interpret interprets a function from an op of a block until it returns.
func (th *Thread) interpret(fp layout.Frame, b *Block, op int32) {
	if b = th.leaveNative(fp, b, int(op)); b == nil {
		return
	}
	if th.Bound.Load() < 0 {
		th.lookUp(fp, b)
	}
	loop(th, fp, b)
}

// endCall ends a call that JIT-compiled code has made in a frame of its own. It returns the frame
// and the code of the caller, and the number of the entry at which it continues.
func (th *Thread) endCall(fp layout.Frame) (layout.Frame, *Native, int) {
	h := Head(fp)
	caller := *(*layout.Frame)(unsafe.Pointer(&h.caller))
	n := nativeOf(h.code.Code())
	x := &n.Exits[h.site]
	for i := range x.Results {
		r := &x.Results[i]
		layout.Copy(r.To.Rep, r.To.Type, unsafe.Add(caller, r.To.Off), unsafe.Add(fp, r.From))
	}
	h.stack.Pop(th, fp)
	return caller, n, x.Resume
}

// NativeRuntime returns the field offsets that JIT-compiled code needs to call functions in frames.
func NativeRuntime() *native.Runtime {
	pc, fn, env := rtype.ClosureLayout()
	return &native.Runtime{
		FrameThread: int32(unsafe.Offsetof(Header{}.Thread)), FrameStack: int32(unsafe.Offsetof(Header{}.stack)),
		FrameDepth: int32(unsafe.Offsetof(Header{}.depth)), FramePC: int32(unsafe.Offsetof(Header{}.PC)),
		FrameReturn: int32(unsafe.Offsetof(Header{}.back)), FrameCaller: int32(unsafe.Offsetof(Header{}.caller)),
		FrameCode: int32(unsafe.Offsetof(Header{}.code)), FrameSite: int32(unsafe.Offsetof(Header{}.site)),
		ThreadDepth: int32(unsafe.Offsetof(Thread{}.Depth)), ThreadBound: int32(unsafe.Offsetof(Thread{}.Bound)),
		ThreadMask: int32(unsafe.Offsetof(Thread{}.mask)), ThreadTable: int32(unsafe.Offsetof(Thread{}.table)),
		EntryCode: int32(unsafe.Offsetof(stackEntry{}.code)), EntryStack: int32(unsafe.Offsetof(stackEntry{}.stack)),
		StackFrames: int32(unsafe.Offsetof(Stack{}.frames)), StackLen: int32(unsafe.Offsetof(Stack{}.frames)) + 8,
		StackN: int32(unsafe.Offsetof(Stack{}.n)), StackCode: int32(unsafe.Offsetof(Stack{}.Code)),
		CodeLeaf: int32(unsafe.Offsetof(Code{}.leaf)), CodeMethod: int32(unsafe.Offsetof(Code{}.method)),
		CodeID: int32(unsafe.Offsetof(Code{}.ID)), CodeStart: int32(unsafe.Offsetof(Code{}.start)),
		FunctionCode: int32(unsafe.Offsetof(Function{}.Code)),
		ClosureFn:    fn, ClosureEnv: env, ClosurePC: pc,
	}
}

// leaveNative interprets the rest of a block, and returns the next block, or nil if the function
// returns.
func (th *Thread) leaveNative(fp layout.Frame, b *Block, op int) *Block {
	h, pc := Head(fp), b.First+int32(op)
	for _, o := range b.Ops[op:] {
		pc++
		h.PC = pc
		o(fp)
	}
	if b.Branch == nil {
		return b.Next
	}
	h.PC = b.BranchPC
	return b.Branch(fp)
}

// fewThreads is the maximum number of threads at which a waiting goroutine keeps the large stack of
// the code.
const fewThreads = 64

// nativeRun describes the end of a run of JIT-compiled code; see native.Code.Run. Its fields at and
// in are the frame and the code in which the run ended.
type nativeRun struct {
	how  int
	exit int32
	work uint32
	at   layout.Frame
	in   *Native
}

// runCode runs the code of a function from one of its entries.
func (th *Thread) runCode(n *Native, number int, fp layout.Frame) (run nativeRun) {
	if !n.Code.Calls() {
		if th.context == nil {
			th.context = native.NewContext(native.SmallStack)
		}
		run.how, run.exit, run.work = n.Code.Run(th.context, number, fp)
		run.at, run.in = th.context.Frame(), nativeOf(th.context.Code())
		return run
	}
	ctx := native.TakeContext()
	ctx.MayStay(th.Run.M.crowd.threads.Load() <= fewThreads)
	run.how, run.exit, run.work = n.Code.Run(ctx, number, fp)
	for run.how == native.Suspended {
		at, n, more := ctx.Frame(), nativeOf(ctx.Code()), uint32(0)
		if n.holds() && !th.pendingInterrupt() {
			run.how, run.exit, more = n.Code.Resume(ctx, at)
		} else {
			run.how, run.exit, more = n.Code.GiveUp(ctx, at)
		}
		run.work += more
	}
	if run.how == native.GivenUp {
		run.work = 0 // the calls start over in the interpreter
		if ctx.Full() {
			th.fullAt = th.Depth
		}
	}
	run.at, run.in = ctx.Frame(), nativeOf(ctx.Code())
	native.PutContext(ctx)
	return run
}

// pendingInterrupt reports whether the thread has to check for an interrupt. A hot function is not
// a reason to check. A request to yield is not a reason either, because pendingInterrupt yields
// itself.
func (th *Thread) pendingInterrupt() bool {
	if th.Bound.Load() < 0 {
		yielded, hot := th.yieldIfAsked(), th.hot.Swap(false)
		if yielded || hot {
			th.keepRunning()
		}
	}
	return th.Bound.Load() < 0 || th.Run.M.debugging.Load() != nil
}

// account adds a run to the credit of an entry, and removes the entry if the credit is too low.
func (e *nativeEntry) account(work int32) {
	gain := work - entryCost
	if c := e.credit.Load(); c+gain < mostCredit {
		if e.credit.Add(gain) < leastCredit && e.n.code.Fn.M.Native() != NativeForced {
			e.n.code.Blocks[e.n.Heads[e.number]].native.CompareAndSwap(e, nil)
		}
	}
}
