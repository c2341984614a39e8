package machine

import (
	"sync/atomic"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
)

// Code in the form that can be stopped has no ops for its sites: they stand beside the
// ops of a block, and one loop of several looks at them. A thread runs in it while it
// makes a step or all are to halt, which its bound leads to; a function that has
// breakpoints when it is compiled begins in it. All else runs as fast as it can without
// stops. So that a thread comes to that loop in time, statements with calls end their
// block (compile/stops.go).

// steppedLoop is Loop for code that may stop before its statements.
func steppedLoop(th *Thread, fp layout.Frame, b *Block) {
	h := Head(fp)
	armed := h.stack.Code.armed
	for {
		pc, stops := b.First, b.Stops
		for i, o := range b.Ops {
			for len(stops) > 0 && stops[0].At == i {
				th.pass(h, stops[0].Site)
				stops = stops[1:]
			}
			pc++
			h.PC = pc
			o(fp)
		}
		for _, s := range stops {
			th.pass(h, s.Site)
		}
		branch := b.Branch
		if b.Once != nil {
			branch = b.Once
		}
		if branch != nil {
			h.PC = b.BranchPC
			b = branch(fp)
		} else if b = b.Next; b == nil {
			return
		}
		if th.due.Load() != 0 {
			th.sample(false)
		}
		switch bound := th.Bound.Load(); {
		case bound == -1:
			th.check(b)
		case bound != steppedBound && !armed:
			loop(th, fp, b)
			return
		}
	}
}

// pass comes to a site.
func (th *Thread) pass(h *Header, s *Site) {
	if s.Armed() || th.halt.Load() {
		h.PC = int32(FirstStop + s.Index + 1)
		th.arrive(s)
	}
}

// armEntry lets code that has breakpoints begin in the loop that looks for them.
func (c *Code) armEntry() {
	if !c.Debug.armed() {
		return
	}
	c.armed = true
	entry, end := c.Entry, &Block{SSA: c.Entry.SSA}
	c.Entry = &Block{SSA: entry.SSA, Branch: func(fp layout.Frame) *Block {
		steppedLoop(Head(fp).Thread, fp, entry)
		return end
	}}
}

// Stepping tells compiled code whether each call is to be made, since it may be stopped
// in or looked at, or whether small functions may run as parts of their callers.
func (m *Machine) Stepping() *atomic.Bool { return &m.stepping }

// noteStepping notes what Stepping tells. The lock mu is held.
func (d *Debugging) noteStepping() {
	d.m.stepping.Store(d.halting.Load() || d.step != nil || engine.PanicStops(d.panics.Load()) != engine.NoPanics)
}

// Watch lets threads that run look at each statement from now on: there are breakpoints
// that what they have called knows nothing of.
func (d *Debugging) Watch() {
	for _, th := range d.m.threads() {
		if !th.Run.quiet {
			th.watched.Store(true)
			th.lookAnew()
		}
	}
}

// lookAnew returns a thread its bound when a reason for another one has come or gone.
func (th *Thread) lookAnew() {
	th.Run.mu.Lock()
	defer th.Run.mu.Unlock()
	th.rebound()
}
