//go:build linux

package native

import (
	"runtime"
	"sync"
	"unsafe"
)

// Supported reports whether there is machine code on the platform.
const Supported = true

// stackSize is the size of the stack of a context, in bytes.
const stackSize = 64 << 10

// landFlag is set in the number of an exit that has pointers to land.
const landFlag = 1 << 31

// Context is what a goroutine keeps for its code. One call at a time uses it.
type Context struct {
	back  uintptr // the stack pointer to go back with
	stack uintptr // the end of the code's stack
	exit  uint64  // the number of the exit, and flags
	left  uint32  // of the rounds at the exit
	words [maxPointers]uintptr
	frame unsafe.Pointer
	code  *Code
	room  []uintptr
}

// Where the code finds the fields.
const (
	contextBack  = int32(unsafe.Offsetof(Context{}.back))
	contextStack = int32(unsafe.Offsetof(Context{}.stack))
	contextLeft  = int32(unsafe.Offsetof(Context{}.left))
	contextWords = int32(unsafe.Offsetof(Context{}.words))
)

// NewContext makes a context.
func NewContext() *Context {
	c := &Context{room: make([]uintptr, stackSize/8)}
	c.stack = uintptr(unsafe.Pointer(unsafe.SliceData(c.room))) + stackSize - 64
	return c
}

//go:noescape
func enter(c *Context, code uintptr)

// land puts the pointers that are needed behind an exit into the frame. It forgets them in
// the context: the next exit may have fewer, and all words become arguments, which point.
//
//lint:ignore U1000 enter calls it, which is assembly
func land(c *Context, p0, p1, p2, p3, p4, p5, p6, p7 unsafe.Pointer) {
	all := [maxPointers]unsafe.Pointer{p0, p1, p2, p3, p4, p5, p6, p7}
	for i, home := range c.code.departures[uint32(c.exit)&^landFlag].pointers {
		*(*unsafe.Pointer)(unsafe.Add(c.frame, home)) = all[i]
	}
	clear(c.words[:])
}

// Code is the machine code of a function.
type Code struct {
	pages      *pages
	entries    []uintptr
	departures []departure
	rounds     uint32
	keep       []unsafe.Pointer
	Size       int // in bytes
}

// Compile makes the code of a function, which it changes. The objects whose addresses are
// constants of it are kept as long as the code. The error says why there is none.
func Compile(f *Func, keep []unsafe.Pointer) (*Code, error) {
	text, entries, departures, rounds, err := emit(f)
	if err != nil {
		return nil, err
	}
	p, err := newPages(text)
	if err != nil {
		return nil, err
	}
	c := &Code{pages: p, departures: departures, rounds: uint32(rounds), keep: keep, Size: len(text)}
	for _, e := range entries {
		c.entries = append(c.entries, p.start+uintptr(e))
	}
	runtime.AddCleanup(c, func(p *pages) { p.free() }, p)
	return c, nil
}

// How code has been left.
const (
	Returned = iota
	Left     // at an exit
	Polled   // at the head of a loop
)

// Run runs the code from one of its entries. It tells how it was left, at which exit, and
// how often it went round.
func (c *Code) Run(ctx *Context, entry int, frame unsafe.Pointer) (how int, exit int32, rounds uint32) {
	ctx.frame, ctx.code = frame, c
	enter(ctx, c.entries[entry])
	ctx.frame = nil
	d := &c.departures[uint32(ctx.exit)&^landFlag]
	rounds = c.rounds - ctx.left
	switch {
	case d.exit < 0:
		return Returned, 0, rounds
	case d.poll:
		return Polled, d.exit, rounds
	}
	return Left, d.exit, rounds
}

// features gives flags of the processor.
func features() uint32

// Rounds reports whether the processor has the instructions of FRound, those of SSE 4.1.
var Rounds = sync.OnceValue(func() bool { return features()&(1<<19) != 0 })
