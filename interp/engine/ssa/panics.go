//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
)

// panicking is a panic, or a runtime.Goexit, on its way up.
type panicking struct {
	value     any
	goexit    bool
	recovered bool
	earlier   *panicking // that it replaced
	trace     []traced   // the stack when it began, innermost first
	depth     int32      // of the innermost call then
}

// stopSignal is the panic that ends code that has been told to stop. Cell code
// cannot recover it; its deferred functions run.
type stopSignal struct{}

// exitSignal is the panic that ends code that has called os.Exit; no deferred
// function runs.
type exitSignal struct{ exit *engine.Exit }

// deferred is a deferred call.
type deferred struct {
	next  *deferred
	code  *code // of an interpreted function, with its frame
	frame frame
	call  func() // anything else
	// recovers: the call is recover itself. It does nothing while the function
	// that deferred it panics.
	recovers bool
	// passes: the call is of compiled code that does nothing but call an
	// interpreted function, which may recover.
	passes bool
}

// runDeferring runs code that has deferred calls.
func (c *code) runDeferring(th *thread, fp frame) {
	depth := th.depth
	head(fp).defers = nil
	done := false
	defer func() {
		if !done {
			c.unwind(th, fp, depth, recover())
		}
	}()
	loop(th, fp, c.entry)
	if head(fp).defers != nil {
		// go/ssa leaves out RunDefers behind a defer in the innermost of nested
		// range-over-func loops. The results may have been changed since.
		runDefers(fp)
		if c.recovery != nil && c.fn.ssa.Signature.Results().Len() > 0 && c.fn.ssa.Signature.Results().At(0).Name() != "" {
			loop(th, fp, c.recovery)
		}
	}
	done = true
}

// runDefers runs the deferred calls at the end of a function that returns.
func runDefers(fp frame) {
	h := head(fp)
	th := h.thread
	for h.defers != nil {
		d := h.defers
		h.defers = d.next
		th.runDeferred(d, nil)
	}
}

// runDeferred makes a deferred call; rec is the panic that it may recover.
func (th *thread) runDeferred(d *deferred, rec *panicking) {
	if d.call != nil {
		switch {
		case d.passes:
			th.passing = rec
			defer func() { th.passing = nil }()
			d.call()
		case !d.recovers || rec == nil:
			d.call()
		}
		return
	}
	c, fp := d.code, d.frame
	*d = deferred{next: th.spareDefers}
	th.spareDefers = d
	th.adopt(fp)
	head(fp).rec = rec
	c.run(th, fp)
	head(fp).rec = nil
	th.leave(fp)
}

// newDeferred gives an empty record.
func (th *thread) newDeferred() *deferred {
	if d := th.spareDefers; d != nil {
		th.spareDefers = d.next
		d.next = nil
		return d
	}
	return &deferred{}
}

// unwinding is the end of a call by a panic.
type unwinding struct {
	th    *thread
	fp    frame
	depth int32
	p     *panicking // nil when it has been recovered
}

// unwind runs the deferred calls of a function that a panic with the value r is
// leaving, or runtime.Goexit if r is nil. It returns when the panic was
// recovered and the results are set, or when Goexit is to go on.
func (c *code) unwind(th *thread, fp frame, depth int32, r any) {
	if th.bound.Load() < 0 {
		th.run.yield()
	}
	if e, ok := r.(exitSignal); ok {
		th.unwind(depth)
		panic(e)
	}
	u := &unwinding{th: th, fp: fp, depth: depth, p: th.current(r)}
	th.unwind(depth)
	u.runAll()
	switch {
	case u.p == nil:
		if c.recovery != nil {
			loop(th, fp, c.recovery)
			return
		}
		for _, s := range c.fn.sig.results {
			clearSlot(fp, s)
		}
	case u.p.goexit:
	default:
		th.panics = u.p
		panic(u.p.value)
	}
}

// runAll makes the deferred calls that are left.
func (u *unwinding) runAll() {
	h := head(u.fp)
	for h.defers != nil {
		d := h.defers
		h.defers = d.next
		if !u.runOne(d) {
			return
		}
		if u.p != nil && u.p.recovered {
			u.p = u.p.exiting()
		}
	}
}

// runOne makes a deferred call. When that panics itself, or calls
// runtime.Goexit, it makes the ones that are left, too, and reports false.
func (u *unwinding) runOne(d *deferred) (ok bool) {
	defer func() {
		if ok {
			return
		}
		r := recover()
		if e, exit := r.(exitSignal); exit {
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
	if u.p != nil && u.p.final() {
		u.th.grace++
		defer func() { u.th.grace-- }()
	}
	u.th.runDeferred(d, u.p)
	return true
}

func (p *panicking) stops() bool {
	_, stop := p.value.(stopSignal)
	return stop
}

// final reports whether no code can recover it.
func (p *panicking) final() bool {
	switch p.value.(type) {
	case stopSignal, fatalError, *overflow:
		return true
	}
	return false
}

// stop gives the first of the panics that stop the code: deferred functions may
// have been stopped, too.
func (p *panicking) stop() *panicking {
	for p.earlier != nil && p.earlier.stops() {
		p = p.earlier
	}
	return p
}

// exiting gives what goes on when p has been recovered: a Goexit that it
// interrupted, or nothing.
func (p *panicking) exiting() *panicking {
	for q := p.earlier; q != nil; q = q.earlier {
		if q.goexit {
			return q
		}
	}
	return nil
}

// current gives the panic with the value r that has just been caught: the one
// that an inner call passed on, or a new one.
func (th *thread) current(r any) *panicking {
	p := th.panics
	th.panics = nil
	if p != nil && sameWords(p.value, r) && p.goexit == (r == nil) {
		return p
	}
	if r == nil && th.failed != nil {
		return &panicking{value: th.failed, goexit: true, depth: th.depth} // it has a trace
	}
	p = &panicking{value: r, goexit: r == nil, trace: th.trace(), depth: th.depth}
	th.next = nil
	return p
}

func sameWords(a, b any) bool {
	return *(*iface)(unsafe.Pointer(&a)) == *(*iface)(unsafe.Pointer(&b))
}

func clearSlot(fp frame, s slot) {
	p := unsafe.Slice((*byte)(unsafe.Add(fp, s.off)), s.typ.Size())
	if s.typ.PtrBytes() == 0 {
		clear(p)
		return
	}
	clear(unsafe.Slice((*unsafe.Pointer)(unsafe.Add(fp, s.off)), s.typ.Size()/8))
}

// recoverOp is d = recover().
func (c *compiler) recoverOp(res []slot) op {
	return func(fp frame) {
		p := head(fp).rec
		var v any
		if p != nil && !p.recovered && !p.goexit && !p.final() {
			p.recovered = true
			v = p.value
		}
		if len(res) > 0 {
			*ref[any](fp, res[0].off) = v
		}
	}
}

// deferInstr is a defer statement.
func (c *compiler) deferInstr(in *ssa.Defer) {
	prepare := c.prepare(&in.Call, in)
	if in.DeferStack != nil {
		// In the body of a range-over-func loop: the stack is a function's that
		// encloses it.
		s := c.slot(in.DeferStack).off
		c.emit(func(fp frame) {
			h := head(*ref[frame](fp, s))
			d := prepare(fp, h.thread)
			d.next, h.defers = h.defers, d
		}, in.Pos())
		return
	}
	c.emit(func(fp frame) {
		h := head(fp)
		d := prepare(fp, h.thread)
		d.next, h.defers = h.defers, d
	}, in.Pos())
}
