package machine

import (
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
)

// Panicking is a panic, or a runtime.Goexit, that unwinds the stack.
type Panicking struct {
	Value     any
	Goexit    bool
	Recovered bool
	earlier   *Panicking // the panic that it replaced
	trace     []Traced   // the stack when it began, innermost first
	depth     int32      // depth of the innermost call when it began
}

// StopSignal is the panic that ends code that has been told to stop. Cell code cannot recover it,
// but its deferred functions run.
type StopSignal struct{}

// ExitSignal is the panic that ends code that has called os.Exit. No deferred function runs.
type ExitSignal struct{ Exit *engine.Exit }

// stopNow ends code of the thread that has been told to stop. The user sees the position of the
// run's first goroutine at that time.
func (th *Thread) stopNow() {
	if th.stoppedAt == nil && th.Run.main.Load() == th {
		th.stoppedAt = th.Trace()
	}
	panic(StopSignal{})
}

// End ends the running goroutine with v, an ExitSignal or a FatalError. Compiled code may recover
// the panic on its way, as package fmt does when a String method exits. It is raised again on
// return to interpreted code.
func End(v any) {
	if l := goroutine.GetLocal(); l != nil {
		if th := threadOf(l); th.g.Load() == goroutine.ID() {
			th.final = v
			th.Bound.Store(-1)
		}
	}
	panic(v)
}

// Exited returns the status with which the code wanted to end the program. The caller has recovered
// the panic instead of ending the program, so the goroutine continues.
func (e ExitSignal) Exited() int {
	if l := goroutine.GetLocal(); l != nil {
		if th := threadOf(l); th.g.Load() == goroutine.ID() {
			th.final = nil
		}
	}
	return e.Exit.Code
}

// nilPanic is the value of a panic of nil if the GODEBUG setting panicnil selects the behavior from
// before Go 1.21. Without a value, the machine could not distinguish a caught panic from
// runtime.Goexit.
type nilPanic struct{}

// Raise panics with v, which may be nil.
func Raise(v any) {
	if v != nil {
		panic(v)
	}
	if nilPanics() {
		panic(nilPanic{})
	}
	panic(new(runtime.PanicNilError))
}

// nilPanics reports whether panics of nil have no value. The last setting in GODEBUG counts.
func nilPanics() bool {
	list := os.Getenv("GODEBUG")
	_, value, ok := strings.Cut(list[max(0, strings.LastIndex(","+list, ",panicnil=")):], "panicnil=")
	value, _, _ = strings.Cut(value, ",")
	return ok && value == "1"
}

// Argument returns the argument of the call of panic.
func (p *Panicking) Argument() any {
	if _, ok := p.Value.(nilPanic); ok {
		return nil
	}
	return p.Value
}

// Deferred is a deferred call.
type Deferred struct {
	Next  *Deferred
	Code  *Code // code of an interpreted function, called with Frame
	Frame layout.Frame
	Call  func() // any other call
	// Recovers means that the call is recover itself. The call does nothing while the function that
	// deferred it panics.
	Recovers bool
	// Passes means that the call is a call of compiled code that only calls an interpreted
	// function. That function may recover.
	Passes bool
}

// runDeferring runs code that has deferred calls. If these calls do not recover a panic,
// runDeferring unwinds its part of the Go stack first, and then panics again with the same value.
// If each call panicked on top of the earlier panics, the runtime would walk all of them each time
// to find the next deferred call.
func (c *Code) runDeferring(th *Thread, fp layout.Frame) {
	if v, raised := c.catching(th, fp); raised {
		panic(v)
	}
}

// catching is like runDeferring, but returns the value of a panic that continues.
func (c *Code) catching(th *Thread, fp layout.Frame) (v any, raised bool) {
	depth := th.Depth
	Head(fp).Defers = nil
	done := false
	defer func() {
		if done {
			return
		}
		v, raised = c.unwind(th, fp, depth, recover())
		if raised && th.exits {
			panic(v) // otherwise runtime.Goexit, which it has interrupted, would continue
		}
	}()
	loop(th, fp, c.Entry)
	if Head(fp).Defers != nil {
		// go/ssa omits RunDefers after a defer in the innermost of nested range-over-func loops.
		// The results may have changed since.
		RunDefers(fp)
		if c.Recovery != nil && c.Fn.SSA.Signature.Results().Len() > 0 && c.Fn.SSA.Signature.Results().At(0).Name() != "" {
			loop(th, fp, c.Recovery)
		}
	}
	done = true
	return nil, false
}

// RunDefers runs the deferred calls of a function that returns. It polls first: if the thread has
// to stop, it stops in this function, and all the deferred calls run. If the first deferred call
// polled instead, that call would end before it began.
func RunDefers(fp layout.Frame) {
	h := Head(fp)
	th := h.Thread
	if th.Depth > th.Bound.Load() {
		th.check(nil)
	}
	for h.Defers != nil {
		d := h.Defers
		h.Defers = d.Next
		th.runDeferred(d, nil)
	}
}

// runDeferred makes a deferred call, which may recover the panic rec.
func (th *Thread) runDeferred(d *Deferred, rec *Panicking) {
	if d.Call != nil {
		switch {
		case d.Passes:
			th.passing = rec
			defer func() { th.passing = nil }()
			d.Call()
		case !d.Recovers || rec == nil:
			d.Call()
		}
		return
	}
	c, fp := d.Code, d.Frame
	*d = Deferred{Next: th.spareDefers}
	th.spareDefers = d
	th.adopt(fp)
	Head(fp).Rec = rec
	c.Run(th, fp)
	Head(fp).Rec = nil
	th.leave(fp)
}

// NewDeferred returns an empty record of a deferred call.
func (th *Thread) NewDeferred() *Deferred {
	if d := th.spareDefers; d != nil {
		th.spareDefers = d.Next
		d.Next = nil
		return d
	}
	return &Deferred{}
}

// unwinding is the end of a call by a panic.
type unwinding struct {
	th    *Thread
	fp    layout.Frame
	depth int32
	p     *Panicking // nil when it has been recovered
}

// unwind runs the deferred calls of a function that is unwound by a panic with the value r, or by
// runtime.Goexit if r is nil. It returns the value of the panic to raise again. raised is false if
// the panic was recovered and the results are set. It is also false if Goexit has to continue.
func (c *Code) unwind(th *Thread, fp layout.Frame, depth int32, r any) (v any, raised bool) {
	if th.Bound.Load() < 0 {
		th.Run.yield()
	}
	if e, ok := r.(ExitSignal); ok {
		th.unwind(depth)
		panic(e)
	}
	u := &unwinding{th: th, fp: fp, depth: depth, p: th.current(r)}
	th.unwind(depth)
	u.runAll()
	switch {
	case u.p == nil:
		if c.Recovery != nil {
			loop(th, fp, c.Recovery)
			return nil, false
		}
		for _, s := range c.Fn.Sig.Results {
			ClearSlot(fp, s)
		}
	case u.p.Goexit:
	default:
		th.panics = u.p
		return u.p.Value, true
	}
	return nil, false
}

// runAll makes the remaining deferred calls.
func (u *unwinding) runAll() {
	h := Head(u.fp)
	for h.Defers != nil {
		d := h.Defers
		h.Defers = d.Next
		if !u.runOne(d) {
			return
		}
		if u.p != nil && u.p.Recovered {
			u.p = u.p.exiting()
		}
	}
}

// runOne makes a deferred call, after a poll as in RunDefers. If the call itself panics or calls
// runtime.Goexit, runOne also makes the remaining calls, and returns false.
func (u *unwinding) runOne(d *Deferred) (ok bool) {
	defer func() {
		if ok {
			return
		}
		r := recover()
		if e, exit := r.(ExitSignal); exit {
			panic(e)
		}
		p := u.th.current(r)
		if p != u.p {
			p.earlier = u.p
		}
		u.p = p
		u.th.unwind(u.depth)
		u.runAll()
	}()
	if u.p != nil && u.p.Final() {
		u.th.grace++
		defer func() { u.th.grace-- }()
	} else if u.th.Depth > u.th.Bound.Load() {
		h := Head(u.fp)
		h.Defers = d // if the code stops here, this call is made too
		u.th.check(nil)
		h.Defers = d.Next
	}
	u.th.runDeferred(d, u.p)
	return true
}

func (p *Panicking) stops() bool {
	_, stop := p.Value.(StopSignal)
	return stop
}

// Final reports whether no code can recover the panic.
func (p *Panicking) Final() bool {
	switch p.Value.(type) {
	case StopSignal, FatalError, engine.NoRoom, *overflow:
		return true
	}
	return false
}

// stop returns the first of the panics that stop the code. There may be several, because deferred
// functions may have been stopped, too.
func (p *Panicking) stop() *Panicking {
	for p.earlier != nil && p.earlier.stops() {
		p = p.earlier
	}
	return p
}

// exiting returns the Goexit that p interrupted, which continues when p has been recovered, or nil.
func (p *Panicking) exiting() *Panicking {
	for q := p.earlier; q != nil; q = q.earlier {
		if q.Goexit {
			return q
		}
	}
	return nil
}

// current returns the Panicking for the value r, which has just been caught: the Panicking that an
// inner call passed on, or a new one.
func (th *Thread) current(r any) *Panicking {
	p := th.panics
	th.panics = nil
	th.exits = th.exits || r == nil
	if p != nil && sameWords(p.Value, r) && p.Goexit == (r == nil) {
		return p
	}
	if r == nil && th.failed != nil {
		return &Panicking{Value: th.failed, Goexit: true, depth: th.Depth} // the overflow has its trace
	}
	p = &Panicking{Value: r, Goexit: r == nil, trace: th.Trace(), depth: th.Depth}
	th.next = nil
	th.panicked(p)
	return p
}

func sameWords(a, b any) bool {
	return *(*layout.Iface)(unsafe.Pointer(&a)) == *(*layout.Iface)(unsafe.Pointer(&b))
}

// ClearSlot sets a frame slot to the zero value of its type.
func ClearSlot(fp layout.Frame, s layout.Slot) {
	p := unsafe.Slice((*byte)(unsafe.Add(fp, s.Off)), s.Type.Size())
	if s.Type.PtrBytes() == 0 {
		clear(p)
		return
	}
	clear(unsafe.Slice((*unsafe.Pointer)(unsafe.Add(fp, s.Off)), s.Type.Size()/8))
}

// FatalError is the panic of an error that ends a Go program. Cell code cannot recover it.
type FatalError string

func (e FatalError) Error() string { return string(e) }

// RuntimeError marks e as a [runtime.Error].
func (FatalError) RuntimeError() {}

// PlainError is a runtime error that the runtime raises only for code from the Go compiler.
type PlainError string

func (e PlainError) Error() string { return string(e) }
func (PlainError) RuntimeError()   {}
