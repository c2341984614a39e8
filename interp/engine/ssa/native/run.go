//go:build linux && (amd64 || arm64)

package native

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// Supported reports whether JIT compilation is available on the platform.
const Supported = true

// stackSize is the size of the stack of a context for code that calls bodies, in bytes.
const stackSize = 64 << 10

// Flags in the number of an exit: landFlag if the exit has pointers to store, goFlag if it calls a
// Go function, outFlag if callOut runs its operations.
const (
	landFlag = 1 << 31
	goFlag   = 1 << 30
	outFlag  = 1 << 29
)

// SmallStack is the size of the stack of a context for code that calls no bodies.
const SmallStack = 4 << 10

// stackMargin is the minimum free space on the stack when a body begins.
const stackMargin = 8 << 10

// Context is the state for running code in a goroutine. Only one call at a time uses a Context.
type Context struct {
	back    uintptr // the stack pointer to return with
	stack   uintptr // the end of the code's stack
	exit    uint64  // the number of the exit, and flags
	left    uint32  // remaining work at the exit; above the initial amount if it was exceeded
	full    uint32  // not 0: the code has been abandoned because its stack is full
	ran     uint32  // not 0: the operations of the call-out have been run
	barrier uint64  // not 0: the write barrier of the collector is on
	flag    *uint32 // the runtime's flag, from which barrier is set when the code is entered
	limit   uintptr // address below which no body begins
	saved   uintptr // the code's stack pointer while it is suspended
	next    uintptr // where it resumes after a call of a Go function
	args    [2]float64
	words   [maxPointers]uintptr
	frame   unsafe.Pointer
	cell    uintptr // the owner of the code that has left
	roomy   uint64  // not 0: there is room for bodies
	stays   bool    // the goroutine may keep it while it waits
	room    []uintptr
}

// owner refers to the code that contains its address.
type owner struct{ code *Code }

// gone returns the code that has left.
//
//go:nosplit
func (c *Context) gone() *Code { return (*(**owner)(unsafe.Pointer(&c.cell))).code }

// Code returns the code that has left.
func (c *Context) Code() *Code { return c.gone() }

// Ref refers to code that is kept alive elsewhere.
type Ref uintptr

// Code returns the code.
func (r Ref) Code() *Code { return (*(**owner)(unsafe.Pointer(&r))).code }

// Frame returns the frame of the code that has left.
func (c *Context) Frame() unsafe.Pointer { return c.frame }

// The offsets of the fields, for the code.
const (
	contextBack    = int32(unsafe.Offsetof(Context{}.back))
	contextStack   = int32(unsafe.Offsetof(Context{}.stack))
	contextLeft    = int32(unsafe.Offsetof(Context{}.left))
	contextFull    = int32(unsafe.Offsetof(Context{}.full))
	contextWords   = int32(unsafe.Offsetof(Context{}.words))
	contextFrame   = int32(unsafe.Offsetof(Context{}.frame))
	contextCell    = int32(unsafe.Offsetof(Context{}.cell))
	contextRoomy   = int32(unsafe.Offsetof(Context{}.roomy))
	contextBarrier = int32(unsafe.Offsetof(Context{}.barrier))
	contextLimit   = int32(unsafe.Offsetof(Context{}.limit))
	contextSaved   = int32(unsafe.Offsetof(Context{}.saved))
	contextNext    = int32(unsafe.Offsetof(Context{}.next))
	contextArgs    = int32(unsafe.Offsetof(Context{}.args))
)

// barrierFlag points to the runtime's flag that tells whether the write barrier is on. A test may
// make it point to another flag.
var barrierFlag = barrierWord()

// ForceBarrier makes all code store pointers as if the write barrier were on, until the function
// that ForceBarrier returns is called. ForceBarrier is for tests, and must not be called while code
// runs.
func ForceBarrier() (end func()) {
	on := uint32(1)
	barrierFlag = &on
	return func() { barrierFlag = barrierWord() }
}

func barrierWord() *uint32 {
	if !goroutine.Linked {
		return nil // no code runs
	}
	return goroutine.WriteBarrier()
}

// contexts holds the unused contexts. A goroutine has a context only while it runs JIT-compiled
// code, because many goroutines may wait.
var contexts = sync.Pool{New: func() any { return NewContext(stackSize) }}

// TakeContext returns a context that no other goroutine uses until PutContext releases it.
func TakeContext() *Context { return contexts.Get().(*Context) }

// PutContext releases a context.
func PutContext(c *Context) {
	c.frame = nil
	contexts.Put(c)
}

// MayStay sets whether the goroutine may keep the context while the goroutine waits.
func (c *Context) MayStay(ok bool) { c.stays = ok }

// NewContext returns a new context. Code that calls bodies needs stackSize bytes of stack.
// The context is in the heap.
//
//go:noinline
func NewContext(stack int) *Context {
	c := &Context{}
	c.grow(stack)
	return c
}

// grow replaces the stack by a larger one, with room for a number of bytes. The stack is in the
// heap, so it does not move.
//
//go:noinline
func (c *Context) grow(stack int) {
	c.room = make([]uintptr, (stack+leafRoom)/8+16)
	room := uintptr(unsafe.Pointer(unsafe.SliceData(c.room)))
	c.roomy = 0
	if stack >= stackSize {
		c.roomy = 1
	}
	c.stack, c.limit = (room+uintptr(len(c.room)*8)-64)&^15, room+leafRoom+stackMargin
}

//go:noescape
func enter(c *Context, code uintptr)

// land stores the pointers that are live after an exit. It stores them in the frame, with the write
// barrier. Nothing else refers to these objects. The runtime does not preempt a function that
// cannot grow its stack, so no collection begins or ends before all pointers are stored.
//
//go:nosplit
//lint:ignore U1000 enter calls it, which is assembly
func land(c *Context) {
	for i, home := range c.gone().departures[uint32(c.exit)&^(landFlag|outFlag)].pointers {
		*(*unsafe.Pointer)(unsafe.Add(c.frame, home)) = *(*unsafe.Pointer)(unsafe.Pointer(&c.words[i]))
	}
}

// callGo calls a Go function for the code. The code may have pointers that the collector does not
// know, so no collection may begin before the code resumes. The function must be short, and must
// neither allocate nor wait. The runtime does not preempt a function that cannot grow its stack.
//
//go:nosplit
//lint:ignore U1000 enter calls it, which is assembly
func callGo(c *Context) {
	if uint32(c.exit)&^goFlag == storeNumber {
		**(**unsafe.Pointer)(unsafe.Pointer(&c.words[0])) = *(*unsafe.Pointer)(unsafe.Pointer(&c.words[1]))
		return
	}
	if n := uint32(c.exit) &^ goFlag; n > helperNumber-helpers {
		c.help(helperNumber - n)
		return
	}
	goroutine.Pin()
	c.args[0] = c.gone().goes[uint32(c.exit)&^goFlag](c.args[0], c.args[1])
	goroutine.Unpin()
}

// Code is the JIT-compiled code of a function.
type Code struct {
	goes       []func(x, y float64) float64
	resume     uintptr // address at which a suspended body resumes
	giveUp     uintptr // address that leaves a suspended body with the exit before the call
	pages      *pages
	entries    []uintptr
	again      []uintptr // entries after call-outs, which do not reset the remaining work
	outs       []out     // by departure
	runtime    *Runtime
	departures []departure
	keep       []unsafe.Pointer
	stack      int // bytes of the context's stack that it needs
	cell       *owner
	Tag        unsafe.Pointer // for the caller of Compile
	Start      uintptr        // where code that calls the function in a frame jumps to; 0 if it cannot
	Leaf       uintptr        // the function without a frame; 0 if it has no such form
	leafForGo  uintptr        // the same, for Go
	Size       int            // in bytes
}

// Calls reports whether the code calls bodies and therefore needs a context from TakeContext.
func (c *Code) Calls() bool { return c.stack == stackSize }

// Range returns the address of the first byte of the code and the address after its last byte.
func (c *Code) Range() (start, end uintptr) {
	return c.pages.start, c.pages.start + uintptr(c.Size)
}

// Compile compiles f and modifies f. The objects whose addresses are constants in the code are kept
// alive as long as the code. The error is the reason why the function can't be compiled.
func Compile(f *Func, keep []unsafe.Pointer) (*Code, error) {
	own := &owner{}
	made, err := emit(f, own)
	if err != nil {
		return nil, err
	}
	p, err := newPages(made.text)
	if err != nil {
		return nil, err
	}
	c := &Code{pages: p, departures: made.departures, keep: keep, Size: len(made.text), goes: f.Go, runtime: f.Calls, stack: int(made.slots) * 8}
	if len(f.Bodies) > 0 {
		c.stack = stackSize
	}
	own.code, c.cell = c, own
	if f.Callable && (c.stack <= SmallStack || len(f.Bodies) > 0) {
		c.Start = p.start + uintptr(made.start)
	}
	if made.leaf >= 0 {
		c.Leaf = p.start + uintptr(made.leaf)
	}
	if made.leafForGo >= 0 {
		c.leafForGo = p.start + uintptr(made.leafForGo)
	}
	c.resume, c.giveUp = p.start+uintptr(made.resume), p.start+uintptr(made.giveUp)
	for _, e := range made.entries {
		c.entries = append(c.entries, p.start+uintptr(e))
	}
	for _, e := range made.again {
		c.again = append(c.again, p.start+uintptr(e))
	}
	runtime.AddCleanup(c, func(p *pages) { p.free() }, p)
	return c, nil
}

// The ways in which a run can end.
const (
	Returned  = iota
	Left      // at an exit
	Polled    // at a loop header
	Suspended // within a body, to be resumed there or abandoned
	GivenUp   // at an exit, before a call that has to be repeated
	Out       // at an exit, for a call-out
	Ran       // at an exit, after the operations of a call-out
)

// Run runs the code from one of its entries. It returns the way in which the run ended, the number
// of the exit, and the work of the run in instructions of the intermediate form. The run may end in
// other code that the code has called in a frame; see [Context.Frame].
func (c *Code) Run(ctx *Context, entry int, frame unsafe.Pointer) (how int, exit int32, work uint32) {
	return c.enter(ctx, c.entries[entry], frame)
}

// Resume resumes suspended code. GiveUp makes it take a side exit instead.
func (c *Code) Resume(ctx *Context, frame unsafe.Pointer) (how int, exit int32, work uint32) {
	return c.enter(ctx, c.resume, frame)
}

// GiveUp makes suspended code take a side exit.
func (c *Code) GiveUp(ctx *Context, frame unsafe.Pointer) (how int, exit int32, work uint32) {
	return c.enter(ctx, c.giveUp, frame)
}

// Full reports whether the code that was abandoned last needed more stack than is available.
func (c *Context) Full() bool { return c.full != 0 }

func (c *Code) enter(ctx *Context, at uintptr, frame unsafe.Pointer) (how int, exit int32, work uint32) {
	if len(ctx.room)*8 < c.stack+leafRoom+128 {
		ctx.grow(c.stack)
	}
	ctx.frame, ctx.full, ctx.ran, ctx.flag = frame, 0, 0, barrierFlag
	enter(ctx, at)
	d := &ctx.gone().departures[uint32(ctx.exit)&^(landFlag|outFlag)]
	work = pollWork - ctx.left
	switch {
	case d.exit == exitReturned:
		return Returned, 0, work
	case d.exit == exitSuspended:
		return Suspended, 0, work
	case d.poll:
		return Polled, d.exit, work
	case d.call:
		return GivenUp, d.exit, work
	case d.out && ctx.ran != 0:
		return Ran, d.exit, work
	case d.out:
		return Out, d.exit, work
	}
	return Left, d.exit, work
}
