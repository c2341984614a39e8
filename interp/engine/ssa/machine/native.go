package machine

import (
	"go/token"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// Hot functions are JIT-compiled (packages jit and native). A timer makes running goroutines check
// for interrupts. The function that a goroutine is running at that moment counts as hot. Its code
// is entered at loop headers, works on the frame, and takes side exits at ops. No code is entered
// while a debugger is attached or a profile is taken.

// hotTime is the time after which the function that a goroutine runs counts as hot.
const hotTime = 2 * time.Millisecond

// NativeMode says which functions are JIT-compiled.
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
	Guards []Guard
	Why    map[token.Pos]string // reasons of its side exits

	err error // why there is no code

	code    *Code
	runs    atomic.Int64 // entries
	dropped atomic.Bool  // by a switch; see switch.go
}

// NativeExit is where the interpreter resumes after a side exit: before an op of a block. In a
// call-out, the interpreter runs Ops ops, and then enters the code at the entry Resume.
type NativeExit struct {
	Block, Op   int
	Ops, Resume int

	ops   []Op
	first int32 // the number before the first of ops
}

// Guard is a function that has been inlined, and the code it had then.
type Guard struct {
	F    *Function
	Code *Code
}

// nativeEntry is a loop header at which JIT-compiled code is entered.
type nativeEntry struct {
	n      *Native
	number int
	// credit is the balance of work done in the code less the cost of entering it: an entry
	// that returns immediately too often is removed.
	credit atomic.Int32
}

const (
	entryCost   = 200      // cost of an entry, in machine instructions
	outCost     = 8        // additional cost of an op in a call-out
	leastCredit = -200_000 // credit at which an entry is removed
	mostCredit  = 200_000
)

// SetNative sets which functions are JIT-compiled. It returns an error if the self-test of
// the code fails, and then nothing is JIT-compiled.
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

// NativeFunctions returns the functions that are JIT-compiled now, and those that could not be.
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

// Native returns which functions are JIT-compiled.
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
	for i, head := range n.Heads {
		c.Blocks[head].native.Store(&nativeEntry{n: n, number: i})
	}
	if m.Native() == NativeOff || n.switchedOff() { // switched while it was compiled
		c.cool()
	}
}

// holds reports whether all inlined functions still have the code that was inlined, and no switch
// has dropped this code.
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

// forget discards the code: the function is interpreted from now on.
func (n *Native) forget() {
	for _, head := range n.Heads {
		n.code.Blocks[head].native.Store(nil)
	}
}

// enterNative runs JIT-compiled code from a block. It returns the block and the op at which the
// interpreter resumes, or nil if the function has returned.
func (th *Thread) enterNative(fp layout.Frame, b *Block, e *nativeEntry) (*Block, int32) {
	m := th.Run.M
	if th.Bound.Load() < 0 || m.debugging.Load() != nil || th.nearFull() {
		return b, 0
	}
	return th.runNative(fp, b, e)
}

// nearFull reports whether JIT-compiled callers have filled their stack, and the interpreter has
// made fewer than deeper calls since.
func (th *Thread) nearFull() bool {
	if th.fullAt == 0 || th.Depth > th.fullAt && th.Depth < th.fullAt+deeper {
		return th.fullAt != 0
	}
	th.fullAt = 0
	return false
}

// deeper is the number of nested calls that are interpreted when the stack of the code is full,
// before code is entered again on an empty one.
const deeper = 512

// runNative is enterNative for a thread that does not have to poll.
func (th *Thread) runNative(fp layout.Frame, b *Block, e *nativeEntry) (*Block, int32) {
	n, number, gain := e.n, e.number, int32(-entryCost)
	for {
		if !n.holds() {
			n.forget()
			return b, 0
		}
		n.runs.Add(1)
		var how int
		var x *NativeExit
		for {
			var exit int32
			var work uint32
			how, exit, work = th.runCode(n, number, fp)
			gain += int32(min(work, mostCredit))
			if how == native.Returned {
				e.account(gain)
				return nil, 0
			}
			x = &n.Exits[exit]
			if how != native.Out {
				break
			}
			h, pc := Head(fp), x.first
			for _, o := range x.ops {
				pc++
				h.PC = pc
				o(fp)
			}
			gain -= outCost
			if th.Bound.Load() < 0 || th.Run.M.debugging.Load() != nil || !n.holds() {
				e.account(gain)
				return n.code.Blocks[x.Block], int32(x.Op + x.Ops)
			}
			number = x.Resume
		}
		b = n.code.Blocks[x.Block]
		if how == native.Left {
			if b = th.leaveNative(fp, b, x.Op); b == nil {
				e.account(gain)
				return nil, 0
			}
			if next := b.native.Load(); next != nil && next.n == n && th.Bound.Load() >= 0 && th.Run.M.debugging.Load() == nil {
				number, gain = next.number, gain-2*outCost
				continue
			}
			e.account(gain)
			return b, 0
		}
		e.account(gain)
		if gain = 0; how != native.Polled {
			return b, int32(x.Op)
		}
		if e = b.native.Load(); e == nil || e.n != n || th.Bound.Load() < 0 {
			return b, 0
		}
		number = e.number
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

// runCode runs the code of a function from one of its entries.
func (th *Thread) runCode(n *Native, number int, fp layout.Frame) (how int, exit int32, work uint32) {
	if !n.Code.Calls() {
		if th.context == nil {
			th.context = native.NewContext(0)
		}
		return n.Code.Run(th.context, number, fp)
	}
	ctx := native.TakeContext()
	how, exit, work = n.Code.Run(ctx, number, fp)
	for how == native.Suspended {
		var more uint32
		if n.holds() && !th.pendingInterrupt() {
			how, exit, more = n.Code.Resume(ctx, fp)
		} else {
			how, exit, more = n.Code.GiveUp(ctx, fp)
		}
		work += more
	}
	if how == native.GivenUp {
		work = 0 // the calls start over in the interpreter
		if ctx.Full() {
			th.fullAt = th.Depth
		}
	}
	native.PutContext(ctx)
	return how, exit, work
}

// pendingInterrupt reports whether the thread has to check for an interrupt. A hot function is not
// a reason to check. A request to yield is not one either, because pendingInterrupt yields itself.
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
