package machine

import (
	"sync/atomic"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
)

// Code in the form that can be stopped has no ops for its sites. Each block lists them separately
// from its ops, and only one of the loops that run code checks the sites. A thread runs in that
// loop while it makes a step or all threads have to halt: its bound makes it switch to that loop. A
// function that has breakpoints when it is compiled starts in that loop. All other code runs as
// fast as without stops. Statements with calls end their block, so that a thread reaches the loop
// in time (compile/stops.go).

// steppedLoop is like Loop, but the code may stop before its statements.
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

// pass handles a site that the thread has reached.
func (th *Thread) pass(h *Header, s *Site) {
	if s.Armed() || th.halt.Load() {
		h.PC = int32(FirstStop + s.Index + 1)
		th.arrive(s)
	}
}

// armEntry makes code that has breakpoints start in the loop that checks for them.
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

// Stepping returns a variable that is true while code has to make each call, because a debugger may
// stop in the callee or inspect it. While it is false, the code may run the inlined bodies of small
// functions.
func (m *Machine) Stepping() *atomic.Bool { return &m.stepping }

// noteStepping updates the variable that Stepping returns. The caller must hold the lock mu.
func (d *Debugging) noteStepping() {
	d.m.stepping.Store(d.halting.Load() || d.step != nil || engine.PanicStops(d.panics.Load()) != engine.NoPanics)
}

// Watch makes running threads check at each statement from now on, because their callees have
// breakpoints that they were not compiled for.
func (d *Debugging) Watch() {
	for _, th := range d.m.threads() {
		if !th.Run.quiet {
			th.watched.Store(true)
			th.lookAnew()
		}
	}
}

// lookAnew updates the bound of a thread when a reason for another bound has appeared or
// disappeared.
func (th *Thread) lookAnew() {
	th.Run.mu.Lock()
	defer th.Run.mu.Unlock()
	th.rebound()
}
