package machine

import (
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
)

// Thread is one goroutine of interpreted code.
type Thread struct {
	local goroutine.Local // must be the first field: see threadOf

	// Bound is the depth at which the next call or loop polls. It is the depth at which to check
	// the stack, which is never above the depth limit. It is negative if the thread has been told
	// to stop or is sampled.
	Bound atomic.Int32
	Depth int32 // depth of the running call; that of the first is 1

	mask  uint32         // number of entries of the table - 1
	table unsafe.Pointer // points to an array of stackEntry, indexed by code.id & mask
	Run   *Run           // the run of the cell that started the goroutine
	id    atomic.Int64   // id of the goroutine in a debugger
	g     atomic.Uintptr // the goroutine, to distinguish it from the goroutines that it started

	spareDefers *Deferred
	panics      *Panicking      // panics that an inner call has passed on; see current
	passing     *Panicking      // the panic that the next call from compiled code may recover
	next        *Block          // the block before which a poll found a stop request; see check
	Note        any             // state of the stand-ins, which the machine does not use
	failed      *overflow       // the value with which it ends, whoever recovers it
	exits       bool            // runtime.Goexit is ending the goroutine
	grace       int             // number of running deferred calls of stopped code
	fullAt      int32           // depth of the call whose JIT stack is full; see native.go
	context     *native.Context // for running JIT-compiled code that calls no bodies
	received    [4]uint64       // a value without pointers that the thread waits to receive
	unwinding   int             // it has stopped at a panic, and no other may end it
	stoppedAt   []Traced        // where it was first told to stop; see stopNow
	final       any             // another value with which it ends: an ExitSignal or a FatalError; see End

	wait   atomic.Uint32 // see waiting.go
	waits  atomic.Uint64 // number of times it has waited
	deep   atomic.Bool   // it has to check its stack; see deep.go
	untidy atomic.Bool   // it has to clear dead slots; see tidy.go
	yields atomic.Bool   // it has to yield; see crowd.go
	halt   atomic.Bool   // it has to poll at its next statement; see debugging.go
	parked atomic.Bool   // it has stopped at that statement
	hot    atomic.Bool   // the function that it runs is hot; see native.go
	// watched means that some of the thread's calls may run code that was compiled without
	// breakpoints but has got breakpoints since.
	watched atomic.Bool
	due     atomic.Int64 // CPU time to record with its calls, in nanoseconds; see sampling.go
}

// Stack holds the frames of one function on one thread. The first n frames are in use, ordered by
// depth.
type Stack struct {
	frames []layout.Frame
	n      int
	Code   *Code
	// clearing means that frames have pointers to clear.
	clearing bool
}

func newStack(c *Code) *Stack { return &Stack{Code: c, clearing: c.clearing} }

type stackEntry struct {
	code  *Code
	stack *Stack
}

var emptyTable [1]stackEntry

// labelKey is the key of the profiler label of goroutines of interpreted code.
const labelKey = "engine"

func newThread(r *Run) *Thread {
	th := &Thread{Run: r, table: unsafe.Pointer(&emptyTable)}
	th.local.Init(labelKey, r.M.label)
	return th
}

func (th *Thread) entry(id uint32) *stackEntry {
	return (*stackEntry)(unsafe.Add(th.table, uintptr(id&th.mask)*unsafe.Sizeof(stackEntry{})))
}

// enter returns a frame for a call of c, whose parameters the caller must set.
func (th *Thread) enter(c *Code) layout.Frame { return th.StackOf(c).Push(th) }

// StackOf returns the stack of c, which has a free frame.
func (th *Thread) StackOf(c *Code) *Stack {
	e := th.entry(c.ID)
	if e.code != c {
		e = th.addStack(c)
	}
	s := e.stack
	if s.n >= len(s.frames) {
		s.grow(th)
	}
	return s
}

// StackAt is like StackOf, but for a call site that calls the same function repeatedly: StackAt
// caches the stack in the frame. The thread of a frame never changes.
func (th *Thread) StackAt(fp layout.Frame, site uintptr, c *Code) *Stack {
	s := th.StackOf(c)
	*layout.Ref[*Stack](fp, site) = s
	return s
}

// Free reports whether the stack belongs to c and has a free frame.
func (s *Stack) Free(c *Code) bool { return s != nil && s.Code == c && s.n < len(s.frames) }

// Push takes a free frame, which must exist.
func (s *Stack) Push(th *Thread) layout.Frame {
	fp := s.frames[s.n]
	s.n++
	th.Depth++
	h := Head(fp)
	h.depth, h.PC = th.Depth, 0
	return fp
}

// Pop releases the frame of the innermost call.
func (s *Stack) Pop(th *Thread, fp layout.Frame) {
	s.n--
	th.Depth--
	if s.clearing {
		s.Code.clear(fp)
	}
}

// leave releases the frame of the innermost call.
func (th *Thread) leave(fp layout.Frame) { Head(fp).stack.Pop(th, fp) }

// addStack adds c to the table, doubling the table until nothing collides.
func (th *Thread) addStack(c *Code) *stackEntry {
	c.ready()
	if e := th.entry(c.ID); e.code == nil && th.table != unsafe.Pointer(&emptyTable) {
		*e = stackEntry{c, newStack(c)}
		return e
	}
	var have []stackEntry
	for _, e := range th.entries() {
		if e.code != nil {
			have = append(have, e)
		}
	}
	have = append(have, stackEntry{c, newStack(c)})
grow:
	for size := max(8, 2*(th.mask+1)); ; size *= 2 {
		table := make([]stackEntry, size)
		for _, e := range have {
			to := &table[e.code.ID&(size-1)]
			if to.code != nil {
				continue grow
			}
			*to = e
		}
		th.table, th.mask = unsafe.Pointer(&table[0]), size-1
		return th.entry(c.ID)
	}
}

func (th *Thread) entries() []stackEntry {
	return unsafe.Slice((*stackEntry)(th.table), th.mask+1)
}

func (s *Stack) grow(th *Thread) {
	n := 1
	if s.Code.start.Load() != 0 { // JIT-compiled code only calls it if there is a frame
		n = min(1+len(s.frames)/2, 64)
	}
	for range n {
		fp := s.Code.newFrame()
		h := Head(fp)
		h.Thread, h.stack = th, s
		s.frames = append(s.frames, fp)
	}
}

// Detach takes a frame of c from its stack, to set the parameters of a call that adopt makes later.
func (th *Thread) Detach(c *Code) layout.Frame {
	e := th.entry(c.ID)
	if e.code != c {
		e = th.addStack(c)
	}
	s := e.stack
	if s.n >= len(s.frames) {
		s.grow(th)
	}
	last := len(s.frames) - 1
	fp := s.frames[last]
	s.frames = s.frames[:last]
	return fp
}

// adopt makes a detached frame the frame of the innermost call.
func (th *Thread) adopt(fp layout.Frame) {
	h := Head(fp)
	s := h.stack
	s.frames = append(s.frames, fp)
	last := len(s.frames) - 1
	s.frames[s.n], s.frames[last] = fp, s.frames[s.n]
	s.n++
	th.Depth++
	h.depth, h.PC = th.Depth, 0
}

// unwind releases the frames of calls deeper than depth, which a panic or runtime.Goexit has ended.
func (th *Thread) unwind(depth int32) {
	for _, e := range th.entries() {
		s := e.stack
		if s == nil {
			continue
		}
		for s.n > 0 && Head(s.frames[s.n-1]).depth > depth {
			s.n--
			fp := s.frames[s.n]
			Head(fp).Rec, Head(fp).Defers, Head(fp).back = nil, nil, 0
			s.Code.clear(fp)
		}
	}
	th.Depth = depth
}

// alive calls f for the frames deeper than depth, in no particular order.
func (th *Thread) alive(depth int32, f func(fp layout.Frame)) {
	for _, e := range th.entries() {
		if e.stack == nil {
			continue
		}
		for i := e.stack.n - 1; i >= 0 && Head(e.stack.frames[i]).depth > depth; i-- {
			f(e.stack.frames[i])
		}
	}
}

// BeforeGo must precede a go statement in the frame of h. It ends a goroutine that has been told to
// stop. Otherwise, in an endless tree of goroutines, new goroutines would start others faster than
// the goroutines end.
func BeforeGo(h *Header) {
	th := h.Thread
	th.Run.M.crowd.slowDown()
	if th.Run.stopping.Load() && th.grace == 0 {
		th.Bound.Store(-1) // Run.stop may still wait for the lock
	}
	AfterCompiled(h)
}

// Go starts the goroutine of a new thread.
func (th *Thread) Go(d *Deferred) {
	th.Run.M.crowd.fresh.Add(1)
	go th.start(d, th.Run.stopping.Load())
}

// start is the first function of a goroutine. If late is set, a deferred call of a stopped run has
// started it.
func (th *Thread) start(d *Deferred, late bool) {
	r := th.Run
	r.M.crowd.fresh.Add(-1)
	th.enterGoroutine()
	done := !late && r.stopping.Load() // the goroutine ends before its call begins
	defer func() {
		if !done {
			r.GoroutineEnded(th, th.ending(recover()))
		}
		th.leaveGoroutine()
		r.dropThread(th)
	}()
	if done {
		return
	}
	th.runDeferred(d, nil)
	done = true
}
