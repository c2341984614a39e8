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

// Loops that run for long become machine code (package native). The timer that looks at
// stacks tells running goroutines to look up, too; the function that one is in then is
// hot. Its code is entered at heads of loops, works on the frame, and leaves at an op. No
// code is entered while a debugger is attached or a profile is taken.

// hotTime is how long code runs before a goroutine is asked what it is running.
const hotTime = 2 * time.Millisecond

// NativeMode says when machine code is made.
type NativeMode int32

const (
	NativeOff    NativeMode = iota
	NativeOn                // of what is hot
	NativeForced            // of all that is compiled: for tests
)

// Native is the machine code of a function.
type Native struct {
	Code   *native.Code
	Exits  []NativeExit
	Heads  []int // blocks at which it is entered, in the order of its entries
	Guards []Guard
	Why    map[token.Pos]string // what it leaves for

	err error // why there is none

	code *Code
	runs atomic.Int64 // entries
}

// NativeExit is where the interpreter continues: before an op of a block.
type NativeExit struct{ Block, Op int }

// Guard is a function that has been compiled into another, and the code it had.
type Guard struct {
	F    *Function
	Code *Code
}

// nativeEntry is where a block is entered as machine code.
type nativeEntry struct {
	n      *Native
	number int
	// credit is what entries have gained: one that comes back at once too often is
	// given up.
	credit atomic.Int32
}

const (
	entryCost   = 200      // of an entry, in instructions of machine code
	leastCredit = -200_000 // at which an entry is given up
	mostCredit  = 200_000
)

// SetNative says when machine code is made. It fails where the code cannot be trusted, and then
// none is made.
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

// NativeFunctions returns the functions that have machine code now, and those of which
// none could be made.
func (m *Machine) NativeFunctions() []engine.NativeFunction {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var all []engine.NativeFunction
	note := func(functions map[*ssa.Function]*Function) {
		for fn, f := range functions {
			if n := f.Code.Load().native.Load(); n != nil {
				all = append(all, n.report(fn))
			}
		}
	}
	note(m.functions)
	for w := range m.homes {
		if h := w.Value(); h != nil {
			note(h.functions)
		}
	}
	return all
}

// report tells of the machine code of a function.
func (n *Native) report(fn *ssa.Function) engine.NativeFunction {
	r := engine.NativeFunction{Func: FuncName(fn), Entered: n.runs.Load()}
	if n.err != nil {
		r.Why = n.err.Error()
	} else {
		r.Size = n.Code.Size
	}
	place := func(p token.Pos) (at token.Position) {
		if fset := fn.Prog.Fset; p.IsValid() {
			if own := n.code.Fn.M.FsetOf(fn); own != nil {
				fset = own
			}
			at = fset.Position(p)
		}
		return at
	}
	r.Pos = place(fn.Pos())
	for _, p := range slices.Sorted(maps.Keys(n.Why)) {
		if !p.IsValid() {
			continue // a part of an instruction that is told
		}
		r.Leaves = append(r.Leaves, engine.NativeLeave{Pos: place(p), Why: n.Why[p]})
	}
	return r
}

// Native tells when machine code is made.
func (m *Machine) Native() NativeMode { return NativeMode(m.native.Load()) }

// heat makes machine code of a function that is hot.
func (c *Code) heat() {
	m := c.Fn.M
	if m.Native() == NativeOff || m.sampling.Load() != nil || m.debugging.Load() != nil {
		return
	}
	c.nativeOnce.Do(func() {
		n, err := m.world.Native(c)
		if n == nil {
			n = &Native{}
		}
		n.code, n.err = c, err
		c.native.Store(n)
		if err != nil {
			return
		}
		for i, head := range n.Heads {
			c.Blocks[head].native.Store(&nativeEntry{n: n, number: i})
		}
	})
}

// holds reports whether all that has been compiled in is what it was.
func (n *Native) holds() bool {
	for _, g := range n.Guards {
		if g.F.Code.Load() != g.Code {
			return false
		}
	}
	return true
}

// forget has the function interpreted from now on.
func (n *Native) forget() {
	for _, head := range n.Heads {
		n.code.Blocks[head].native.Store(nil)
	}
}

// enterNative runs machine code from a block. It gives the block and the op at which the
// interpreter continues; nil if the function has returned.
func (th *Thread) enterNative(fp layout.Frame, b *Block, e *nativeEntry) (*Block, int32) {
	m := th.Run.M
	if th.Bound.Load() < 0 || m.debugging.Load() != nil || th.nearFull() {
		return b, 0
	}
	ctx := native.TakeContext()
	b, op := th.runNative(ctx, fp, b, e)
	native.PutContext(ctx)
	return b, op
}

// nearFull reports whether the thread is within calls of code whose stack they have filled, and
// not by so many deeper that it is worth while to begin with an empty one.
func (th *Thread) nearFull() bool {
	if th.fullAt == 0 || th.Depth > th.fullAt && th.Depth < th.fullAt+deeper {
		return th.fullAt != 0
	}
	th.fullAt = 0
	return false
}

// deeper is how many calls are interpreted where the stack of the code is full, until it is entered
// again.
const deeper = 512

// runNative is enterNative with a context.
func (th *Thread) runNative(ctx *native.Context, fp layout.Frame, b *Block, e *nativeEntry) (*Block, int32) {
	n := e.n
	for {
		if !n.holds() {
			n.forget()
			return b, 0
		}
		n.runs.Add(1)
		how, exit, work := n.Code.Run(ctx, e.number, fp)
		for how == native.Suspended {
			var more uint32
			if n.holds() && !th.toLookUp() {
				how, exit, more = n.Code.Resume(ctx, fp)
			} else {
				how, exit, more = n.Code.GiveUp(ctx, fp)
			}
			work += more
		}
		if how == native.GivenUp {
			work = 0 // all of it was in vain
			if ctx.Full() {
				th.fullAt = th.Depth
			}
		}
		e.settle(int32(min(work, mostCredit)))
		switch how {
		case native.Returned:
			return nil, 0
		case native.Left, native.GivenUp:
			x := n.Exits[exit]
			return n.code.Blocks[x.Block], int32(x.Op)
		}
		b = n.code.Blocks[n.Exits[exit].Block]
		if e = b.native.Load(); e == nil || e.n != n || th.Bound.Load() < 0 {
			return b, 0
		}
	}
}

// toLookUp reports whether the thread has been told to look up for something else than what
// it is running, which is machine code.
func (th *Thread) toLookUp() bool {
	if th.Bound.Load() < 0 && th.hot.Swap(false) {
		th.settle()
	}
	return th.Bound.Load() < 0 || th.Run.M.debugging.Load() != nil
}

// settle counts what an entry has gained, and gives it up where that is too little.
func (e *nativeEntry) settle(work int32) {
	gain := work - entryCost
	if c := e.credit.Load(); c+gain < mostCredit {
		if e.credit.Add(gain) < leastCredit && e.n.code.Fn.M.Native() != NativeForced {
			e.n.code.Blocks[e.n.Heads[e.number]].native.CompareAndSwap(e, nil)
		}
	}
}
